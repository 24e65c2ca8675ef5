/* Builds a model from the actions of the ONNX text grammar. */
#include "frontend/onnx/onnx_text_build.h"

#include <string.h>

#include "base/text.h"
#include "shapes/graph_build.h"
#include "split/dtype.h"

/* The list, which is allocated if it is NULL. */
#define LIST(cx, type, list) ((list) != NULL ? (list) : SG_NEW((cx)->arena, type))

/* --- types --- */

sg_onnx_text_type *sg_onnx_text_dims_add(sg_onnx_text_context *cx, sg_onnx_text_type *type,
                                         const sg_onnx_text_token *dim)
{
    type = LIST(cx, sg_onnx_text_type, type);
    sg_graph_shape *shape = &type->type.shape;
    shape->has_rank = true;
    if (dim == NULL) {
        return type;
    }
    sg_graph_dim *item = SG_GRAPH_APPEND(cx->arena, shape->dims, shape->rank);
    *item = (sg_graph_dim){.size = -1, .span = dim->span};
    if (dim->kind == SG_ONNX_TEXT_INT) {
        /* Some exporters write -1 for an unknown dim. */
        item->size = sg_onnx_text_int(cx, dim, &item->size) && item->size >= 0 ? item->size : -1;
        return type;
    }
    type->symbol = dim->span;
    if (dim->kind != SG_ONNX_TEXT_QMARK) {
        const char *name = sg_onnx_text_of(cx, dim);
        item->name = name[0] != '\0' ? name : NULL;
    }
    return type;
}

sg_onnx_text_type *sg_onnx_text_tensor_type(sg_onnx_text_context *cx,
                                            const sg_onnx_text_token *prim, sg_onnx_text_type *dims,
                                            const sg_onnx_text_token *end)
{
    sg_onnx_text_type *type = LIST(cx, sg_onnx_text_type, dims);
    type->type.is_tensor = true;
    type->type.dtype = prim->dtype;
    type->span = sg_onnx_text_join(prim->span, end->span);
    return type;
}

sg_onnx_text_type *sg_onnx_text_other_type(sg_onnx_text_context *cx,
                                           const sg_onnx_text_token *first,
                                           const sg_onnx_text_token *end)
{
    sg_onnx_text_type *type = SG_NEW(cx->arena, sg_onnx_text_type);
    type->type = sg_graph_unknown_type(false);
    type->span = sg_onnx_text_join(first->span, end->span);
    return type;
}

/* --- names with types --- */

sg_onnx_text_vi *sg_onnx_text_vi_new(sg_onnx_text_context *cx, const sg_onnx_text_type *type,
                                     const sg_onnx_text_token *name)
{
    sg_onnx_text_vi *vi = SG_NEW(cx->arena, sg_onnx_text_vi);
    vi->type = type;
    vi->name_span = name->span;
    vi->info.name = sg_onnx_text_of(cx, name);
    vi->info.type = type != NULL ? type->type : sg_graph_unknown_type(false);
    vi->info.span = type != NULL ? sg_onnx_text_join(type->span, name->span) : name->span;
    return vi;
}

sg_onnx_text_infos *sg_onnx_text_infos_add(sg_onnx_text_context *cx, sg_onnx_text_infos *infos,
                                           const sg_onnx_text_vi *vi,
                                           const sg_onnx_text_default *given)
{
    infos = LIST(cx, sg_onnx_text_infos, infos);
    if (vi != NULL) {
        int64_t ntyped = infos->count;
        *SG_GRAPH_APPEND(cx->arena, infos->items, infos->count) = vi->info;
        *SG_GRAPH_APPEND(cx->arena, infos->typed, ntyped) = vi->type != NULL;
    }
    if (given != NULL) {
        *SG_GRAPH_APPEND(cx->arena, infos->constants, infos->nconstants) = *given->tensor;
    }
    return infos;
}

sg_onnx_text_default *sg_onnx_text_default_new(sg_onnx_text_context *cx, const sg_onnx_text_vi *vi,
                                               const sg_onnx_text_token *eq)
{
    sg_onnx_text_default *given = SG_NEW(cx->arena, sg_onnx_text_default);
    given->vi = vi;
    given->tensor = sg_onnx_text_tensor_begin(cx, vi->type, NULL, vi->name_span);
    given->tensor->name = vi->info.name;
    given->tensor->span = sg_onnx_text_join(vi->info.span, eq->span);
    return given;
}

/* --- nodes --- */

sg_onnx_text_ids *sg_onnx_text_ids_add(sg_onnx_text_context *cx, sg_onnx_text_ids *ids,
                                       const sg_onnx_text_token *name,
                                       const sg_onnx_text_token *comma)
{
    ids = LIST(cx, sg_onnx_text_ids, ids);
    int64_t nspans = ids->count;
    *SG_GRAPH_APPEND(cx->arena, ids->names, ids->count) =
        name != NULL ? sg_onnx_text_of(cx, name) : "";
    *SG_GRAPH_APPEND(cx->arena, ids->spans, nspans) = name != NULL ? name->span : comma->span;
    return ids;
}

sg_onnx_text_operator *sg_onnx_text_operator_new(sg_onnx_text_context *cx,
                                                 const sg_onnx_text_token *name)
{
    sg_onnx_text_operator *op = SG_NEW(cx->arena, sg_onnx_text_operator);
    op->name = name != NULL ? sg_onnx_text_of(cx, name) : "";
    op->overload = "";
    op->end = name != NULL ? name->span : sg_span_none();
    return op;
}

static void domain_text(sg_onnx_text_context *cx, sg_onnx_text_operator *op, const char *text)
{
    for (; *text != '\0'; text++) {
        *SG_GRAPH_APPEND(cx->arena, op->domain, op->domain_len) = *text;
    }
}

void sg_onnx_text_operator_dot(sg_onnx_text_context *cx, sg_onnx_text_operator *op,
                               const sg_onnx_text_token *name)
{
    /* "a.b.c.Op": the name read so far belongs to the domain. */
    domain_text(cx, op, op->domain_len > 0 ? "." : "");
    domain_text(cx, op, op->name);
    *SG_GRAPH_APPEND(cx->arena, op->domain, op->domain_len) = '\0';
    op->domain_len--;
    op->name = sg_onnx_text_of(cx, name);
    op->end = name->span;
}

void sg_onnx_text_operator_overload(sg_onnx_text_context *cx, sg_onnx_text_operator *op,
                                    const sg_onnx_text_token *name)
{
    op->overload = sg_onnx_text_of(cx, name);
    op->end = name->span;
}

sg_graph_node *sg_onnx_text_node_new(sg_onnx_text_context *cx, const sg_onnx_text_ids *outputs,
                                     const sg_onnx_text_operator *op, const sg_onnx_text_token *eq)
{
    sg_graph_node *node = SG_NEW(cx->arena, sg_graph_node);
    *node =
        (sg_graph_node){.name = "", .op_type = "", .domain = "", .overload = "", .span = eq->span};
    if (outputs != NULL) {
        node->outputs = outputs->names;
        node->noutputs = outputs->count;
        node->output_spans = outputs->spans;
        node->span = sg_onnx_text_join(outputs->spans[0], eq->span);
    }
    if (op != NULL) {
        node->op_type = op->name;
        node->domain = sg_graph_domain(op->domain != NULL ? op->domain : "");
        node->overload = op->overload;
        node->span = sg_onnx_text_join(node->span, op->end);
    }
    return node;
}

void sg_onnx_text_node_inputs(sg_graph_node *node, const sg_onnx_text_ids *inputs,
                              const sg_onnx_text_token *end)
{
    if (inputs != NULL) {
        node->inputs = inputs->names;
        node->ninputs = inputs->count;
        node->input_spans = inputs->spans;
    }
    node->span = sg_onnx_text_join(node->span, end->span);
}

void sg_onnx_text_node_attributes(sg_onnx_text_context *cx, sg_graph_node *node,
                                  const sg_onnx_text_attributes *attributes,
                                  const sg_onnx_text_token *end)
{
    if (attributes->quoted.source != NULL) {
        sg_onnx_text_fail(cx, attributes->quoted,
                          "the name of a node's attribute has no quotes, expected a bare name");
    }
    node->attributes = attributes->items;
    node->nattributes = attributes->count;
    node->span = sg_onnx_text_join(node->span, end->span);
}

void sg_onnx_text_node_label(sg_onnx_text_context *cx, sg_graph_node *node,
                             const sg_onnx_text_token *left, const sg_onnx_text_token *name)
{
    node->name = name != NULL ? sg_onnx_text_of(cx, name) : "";
    node->span = sg_onnx_text_join(left->span, node->span);
}

sg_graph *sg_onnx_text_nodes_add(sg_onnx_text_context *cx, sg_graph *nodes,
                                 const sg_graph_node *node)
{
    nodes = LIST(cx, sg_graph, nodes);
    *SG_GRAPH_APPEND(cx->arena, nodes->nodes, nodes->nnodes) = *node;
    return nodes;
}

/* --- attributes --- */

static const char *const type_words[] = {
#define X(name, word, field, wire, kind, list) word,
#include "shapes/attribute_types.inc"
#undef X
};

sg_onnx_text_attribute *sg_onnx_text_attribute_new(sg_onnx_text_context *cx,
                                                   const sg_onnx_text_token *name)
{
    sg_onnx_text_attribute *attribute = SG_NEW(cx->arena, sg_onnx_text_attribute);
    attribute->made.name = sg_onnx_text_of(cx, name);
    attribute->made.span = name->span;
    attribute->name_span = name->span;
    attribute->quoted = name->kind == SG_ONNX_TEXT_STRING;
    return attribute;
}

/* "; did you mean 'x'?", or "". */
static const char *suggestion(sg_onnx_text_context *cx, sg_span span, const char *const *words,
                              size_t count)
{
    const char *near = sg_suggest(sg_span_text(span), words, count);
    return near != NULL ? sg_arena_printf(cx->arena, "; did you mean '%s'?", near) : "";
}

void sg_onnx_text_attribute_declare(sg_onnx_text_context *cx, sg_onnx_text_attribute *attribute,
                                    const sg_onnx_text_token *type)
{
    for (int i = 1; i < SG_GRAPH_TYPE_COUNT; i++) {
        if (sg_str_eqz(sg_span_text(type->span), type_words[i])) {
            attribute->declared = (sg_graph_attribute_type)i;
            return;
        }
    }
    sg_onnx_text_fail(cx, type->span,
                      "'%s' is not an attribute type, expected float, int, string, tensor, "
                      "graph, sparse_tensor, type_proto or a plural of them%s",
                      sg_onnx_text_shown(cx, type->span),
                      suggestion(cx, type->span, type_words + 1, SG_GRAPH_TYPE_COUNT - 1));
}

/* Checks that a value has the type `wanted`, if there is one. An integer is accepted as a float.
 * Returns false if an error was reported. */
static bool has_type(sg_onnx_text_context *cx, const sg_onnx_text_attribute *attribute,
                     const sg_onnx_text_single *single, sg_graph_attribute_type wanted,
                     sg_graph_attribute_type *type)
{
    *type = single->type;
    if (wanted == SG_GRAPH_TYPE_UNDEFINED || wanted == single->type) {
        return true;
    }
    if (wanted == SG_GRAPH_TYPE_FLOAT && single->type == SG_GRAPH_TYPE_INT) {
        *type = SG_GRAPH_TYPE_FLOAT;
        return true;
    }
    sg_onnx_text_fail(
        cx, single->span, "attribute '%s' %s %s, got %s", attribute->made.name,
        attribute->is_list ? "is a list of values of type" : "is of type", type_words[wanted],
        single->type == SG_GRAPH_TYPE_UNDEFINED ? "a reference" : type_words[single->type]);
    return false;
}

/* Appends a value and its place. */
static void add_value(sg_onnx_text_context *cx, sg_graph_attribute *made,
                      const sg_onnx_text_single *single, sg_graph_attribute_type type)
{
    int64_t nspans = made->count;
    *SG_GRAPH_APPEND(cx->arena, made->spans, nspans) = single->span;
    switch (type) {
    case SG_GRAPH_TYPE_INT:
        made->ints = sg_graph_grown(cx->arena, made->ints, made->count, sizeof *made->ints);
        made->count += sg_onnx_text_int(cx, &single->token, &made->ints[made->count]);
        return;
    case SG_GRAPH_TYPE_FLOAT:
        made->floats = sg_graph_grown(cx->arena, made->floats, made->count, sizeof *made->floats);
        made->count += sg_onnx_text_float(cx, &single->token, true, &made->floats[made->count]);
        return;
    case SG_GRAPH_TYPE_STRING:
    case SG_GRAPH_TYPE_UNDEFINED:
        *SG_GRAPH_APPEND(cx->arena, made->texts, made->count) = sg_onnx_text_of(cx, &single->token);
        return;
    case SG_GRAPH_TYPE_GRAPH:
        *SG_GRAPH_APPEND(cx->arena, made->graphs, made->count) = single->graph;
        return;
    default:
        made->tensor = single->tensor;
        made->count = made->tensor != NULL;
        return;
    }
}

void sg_onnx_text_attribute_set(sg_onnx_text_context *cx, sg_onnx_text_attribute *attribute,
                                const sg_onnx_text_single *single)
{
    sg_graph_attribute *made = &attribute->made;
    sg_graph_attribute_type type = single->type;
    made->span = sg_onnx_text_join(made->span, single->span);
    if (type == SG_GRAPH_TYPE_UNDEFINED) { /* a reference has the declared type, if any */
        add_value(cx, made, single, type);
        made->kind = SG_GRAPH_ATTRIBUTE_REFERENCE;
        made->type = attribute->declared;
    } else if (has_type(cx, attribute, single, attribute->declared, &type)) {
        add_value(cx, made, single, type);
        sg_graph_set_type(made, type);
    }
}

void sg_onnx_text_attribute_add(sg_onnx_text_context *cx, sg_onnx_text_attribute *attribute,
                                const sg_onnx_text_single *single)
{
    sg_graph_attribute_type type;
    if (!attribute->is_list) {
        attribute->is_list = true;
        attribute->entry = sg_graph_entry_of(attribute->declared);
    }
    if (!has_type(cx, attribute, single, attribute->entry, &type)) {
        return;
    }
    if (type != SG_GRAPH_TYPE_UNDEFINED) {
        attribute->made.type = sg_graph_list_of(type);
    }
    if (type == SG_GRAPH_TYPE_INT || type == SG_GRAPH_TYPE_FLOAT || type == SG_GRAPH_TYPE_STRING) {
        attribute->entry = type;
        add_value(cx, &attribute->made, single, type);
        return;
    }
    if (!attribute->dropped) {
        sg_diag_warn(
            cx->diag, single->span,
            "entries of a list that are %s are dropped, as the onnx package's parser does; "
            "write numbers or strings, or one attribute for each",
            type == SG_GRAPH_TYPE_UNDEFINED ? "references"
            : type == SG_GRAPH_TYPE_TENSOR  ? "tensors"
            : type == SG_GRAPH_TYPE_GRAPH   ? "graphs"
                                            : "types");
    }
    attribute->dropped = true;
}

void sg_onnx_text_attribute_empty(sg_onnx_text_context *cx, sg_onnx_text_attribute *attribute,
                                  sg_span brackets)
{
    const sg_graph_attribute_type type = attribute->declared;
    attribute->made.span = sg_onnx_text_join(attribute->made.span, brackets);
    if (type == SG_GRAPH_TYPE_UNDEFINED) {
        sg_onnx_text_fail(cx, brackets,
                          "an empty list has no type of its own, expected one: %s : ints = []",
                          attribute->made.name);
    } else if (sg_graph_list_of(type) != SG_GRAPH_TYPE_UNDEFINED) {
        sg_onnx_text_fail(cx, brackets,
                          "an empty list is not a single value, expected %s : %ss = []",
                          attribute->made.name, type_words[type]);
    } else {
        sg_graph_set_type(&attribute->made, type);
    }
}

void sg_onnx_text_attribute_end(sg_onnx_text_attribute *attribute, const sg_onnx_text_token *end)
{
    sg_graph_attribute *made = &attribute->made;
    made->span = sg_onnx_text_join(made->span, end->span);
    sg_graph_set_type(made,
                      made->type != SG_GRAPH_TYPE_UNDEFINED ? made->type : attribute->declared);
}

sg_onnx_text_attributes *sg_onnx_text_attributes_add(sg_onnx_text_context *cx,
                                                     sg_onnx_text_attributes *attributes,
                                                     const sg_onnx_text_attribute *attribute)
{
    attributes = LIST(cx, sg_onnx_text_attributes, attributes);
    if (attribute->quoted && attributes->quoted.source == NULL) {
        attributes->quoted = attribute->name_span;
    }
    if (attribute->no_value) {
        *SG_GRAPH_APPEND(cx->arena, attributes->names, attributes->nnames) = attribute->made.name;
    } else {
        *SG_GRAPH_APPEND(cx->arena, attributes->items, attributes->count) = attribute->made;
    }
    return attributes;
}

/* --- the head of a model or function --- */

sg_onnx_text_pairs *sg_onnx_text_pairs_add(sg_onnx_text_context *cx, sg_onnx_text_pairs *pairs,
                                           const sg_onnx_text_token *key,
                                           const sg_onnx_text_token *value)
{
    pairs = LIST(cx, sg_onnx_text_pairs, pairs);
    *SG_GRAPH_APPEND(cx->arena, pairs->items, pairs->count) = (sg_onnx_text_pair){*key, *value};
    return pairs;
}

typedef struct meta_key {
    const char *name;
    bool is_list;
    sg_onnx_text_kind kind; /* of the value, or of the values in the list */
} meta_key;

static const meta_key model_keys[] = {
    {"ir_version", false, SG_ONNX_TEXT_INT},          {"opset_import", true, SG_ONNX_TEXT_INT},
    {"producer_name", false, SG_ONNX_TEXT_STRING},    {"domain", false, SG_ONNX_TEXT_STRING},
    {"producer_version", false, SG_ONNX_TEXT_STRING}, {"model_version", false, SG_ONNX_TEXT_INT},
    {"doc_string", false, SG_ONNX_TEXT_STRING},       {"metadata_props", true, SG_ONNX_TEXT_STRING},
};

static const meta_key function_keys[] = {
    {"opset_import", true, SG_ONNX_TEXT_INT},
    {"domain", false, SG_ONNX_TEXT_STRING},
    {"doc_string", false, SG_ONNX_TEXT_STRING},
    {"overload", false, SG_ONNX_TEXT_STRING},
};

static bool check_value(sg_onnx_text_context *cx, const sg_onnx_text_entry *entry,
                        const meta_key *key)
{
    const bool is_int = key->kind == SG_ONNX_TEXT_INT;
    const char *what = is_int ? "an integer" : "a string";
    if (entry->value.kind != (key->is_list ? SG_ONNX_TEXT_LBRACKET : key->kind)) {
        sg_onnx_text_fail(cx, entry->span, "unexpected '%s', expected %s after %s",
                          sg_onnx_text_shown(cx, entry->span),
                          !key->is_list ? what
                          : is_int      ? "a list [\"domain\" : version, ...]"
                                        : "a list [\"key\" : \"value\", ...]",
                          key->name);
    }
    for (int64_t i = 0; key->is_list && entry->pairs != NULL && i < entry->pairs->count; i++) {
        const sg_onnx_text_token *value = &entry->pairs->items[i].value;
        if (value->kind != key->kind) {
            sg_onnx_text_fail(cx, value->span, "unexpected '%s', expected %s in %s",
                              sg_onnx_text_shown(cx, value->span), what, key->name);
        }
    }
    return !cx->bad;
}

/* Checks that the key is known and its value has the right type. Returns false if an error was
 * reported. */
static bool check_entry(sg_onnx_text_context *cx, const sg_onnx_text_entry *entry,
                        const meta_key *keys, size_t count)
{
    enum { MOST = 8 };
    const char *names[MOST];
    const char *all = "";
    for (size_t i = 0; i < count; i++) {
        if (sg_str_eqz(sg_span_text(entry->key.span), keys[i].name)) {
            return check_value(cx, entry, &keys[i]);
        }
        names[i] = keys[i].name;
        const char *before = i == 0 ? "" : i + 1 == count ? " or " : ", ";
        all = sg_arena_printf(cx->arena, "%s%s%s", all, before, names[i]);
    }
    sg_onnx_text_fail(cx, entry->key.span, "unknown key '%s', expected %s%s",
                      sg_onnx_text_shown(cx, entry->key.span), all,
                      suggestion(cx, entry->key.span, names, count));
    return false;
}

static void add_opsets(sg_onnx_text_context *cx, sg_onnx_text_meta *meta,
                       const sg_onnx_text_pairs *pairs)
{
    for (int64_t i = 0; pairs != NULL && i < pairs->count; i++) {
        const sg_onnx_text_pair *pair = &pairs->items[i];
        sg_graph_opset *opset = SG_GRAPH_APPEND(cx->arena, meta->opsets, meta->nopsets);
        opset->span = sg_onnx_text_join(pair->key.span, pair->value.span);
        opset->domain = sg_graph_domain(sg_onnx_text_of(cx, &pair->key));
        if (!sg_onnx_text_int(cx, &pair->value, &opset->version)) {
            return;
        }
    }
}

sg_onnx_text_meta *sg_onnx_text_meta_add(sg_onnx_text_context *cx, sg_onnx_text_meta *meta,
                                         const sg_onnx_text_entry *entry)
{
    const bool of_model = cx->model->graph.name == NULL; /* functions come after the graph */
    const sg_str key = sg_span_text(entry->key.span);
    int64_t number = 0;
    if (meta == NULL) {
        meta = SG_NEW(cx->arena, sg_onnx_text_meta);
        meta->domain = meta->overload = "";
    }
    if (!(of_model ? check_entry(cx, entry, model_keys, sizeof model_keys / sizeof *model_keys)
                   : check_entry(cx, entry, function_keys,
                                 sizeof function_keys / sizeof *function_keys)) ||
        (entry->value.kind == SG_ONNX_TEXT_INT && !sg_onnx_text_int(cx, &entry->value, &number))) {
        return meta;
    }
    if (sg_str_eqz(key, "ir_version")) {
        meta->version = number;
    } else if (sg_str_eqz(key, "opset_import")) {
        add_opsets(cx, meta, entry->pairs);
    } else if (sg_str_eqz(key, "domain")) {
        meta->domain = sg_graph_domain(sg_onnx_text_of(cx, &entry->value));
    } else if (sg_str_eqz(key, "overload")) {
        meta->overload = sg_onnx_text_of(cx, &entry->value);
    }
    return meta;
}

void sg_onnx_text_model_meta(sg_onnx_text_context *cx, const sg_onnx_text_meta *meta)
{
    cx->model->version = meta->version;
    cx->model->opsets = meta->opsets;
    cx->model->nopsets = meta->nopsets;
}

/* --- graphs and functions --- */

sg_graph *sg_onnx_text_graph_new(sg_onnx_text_context *cx, const sg_onnx_text_signature *signature,
                                 sg_graph *nodes, const sg_onnx_text_token *end)
{
    sg_graph *graph = LIST(cx, sg_graph, nodes);
    if (signature->inputs != NULL) {
        graph->inputs = signature->inputs->items;
        graph->ninputs = signature->inputs->count;
        graph->initializers = signature->inputs->constants;
        graph->ninitializers = signature->inputs->nconstants;
    }
    graph->outputs = signature->outputs->items;
    graph->noutputs = signature->outputs->count;
    const sg_onnx_text_infos *locals = signature->locals;
    if (locals != NULL) {
        graph->infos = locals->items;
        graph->ninfos = locals->count;
    }
    for (int64_t i = 0; locals != NULL && i < locals->nconstants; i++) {
        *SG_GRAPH_APPEND(cx->arena, graph->initializers, graph->ninitializers) =
            locals->constants[i];
    }
    graph->span = end->span;
    return graph;
}

void sg_onnx_text_graph_name(sg_onnx_text_context *cx, sg_graph *graph,
                             const sg_onnx_text_token *name)
{
    graph->name = sg_onnx_text_of(cx, name);
    graph->span = sg_onnx_text_join(name->span, graph->span);
}

void sg_onnx_text_graph_inner_name(sg_onnx_text_context *cx, sg_graph *graph,
                                   const sg_onnx_text_token *name)
{
    const sg_str text = sg_span_text(name->span);
    const size_t number = sg_onnx_text_float_word(text.ptr, text.len);
    if (number > 0) {
        sg_onnx_text_fail(cx, name->span,
                          "a graph in an attribute cannot be called '%s': its name is read as "
                          "the number %.*s, expected another name",
                          sg_onnx_text_shown(cx, name->span), (int)number, text.ptr);
    }
    sg_onnx_text_graph_name(cx, graph, name);
}

/* Appends a function's names to `names`, if that is not NULL, and those with types to the infos of
 * its body. */
static void function_names(sg_onnx_text_context *cx, sg_graph *body, const sg_onnx_text_infos *from,
                           const char ***names, int64_t *count)
{
    for (int64_t i = 0; from != NULL && i < from->count; i++) {
        if (names != NULL) {
            *SG_GRAPH_APPEND(cx->arena, *names, *count) = from->items[i].name;
        }
        if (names == NULL || from->typed[i]) {
            *SG_GRAPH_APPEND(cx->arena, body->infos, body->ninfos) = from->items[i];
        }
    }
}

sg_graph_function *sg_onnx_text_function_new(sg_onnx_text_context *cx,
                                             const sg_onnx_text_meta *meta,
                                             const sg_onnx_text_token *name)
{
    sg_graph_function *function = SG_NEW(cx->arena, sg_graph_function);
    function->name = sg_onnx_text_of(cx, name);
    function->domain = meta != NULL ? meta->domain : "";
    function->overload = meta != NULL ? meta->overload : "";
    function->span = meta != NULL ? sg_onnx_text_join(meta->span, name->span) : name->span;
    function->opsets = meta != NULL ? meta->opsets : NULL;
    function->nopsets = meta != NULL ? meta->nopsets : 0;
    return function;
}

void sg_onnx_text_function_attributes(sg_graph_function *function,
                                      const sg_onnx_text_attributes *attributes)
{
    function->attributes = attributes->names;
    function->nattributes = attributes->nnames;
    function->defaults = attributes->items;
    function->ndefaults = attributes->count;
}

void sg_onnx_text_function_body(sg_onnx_text_context *cx, sg_graph_function *function,
                                const sg_onnx_text_signature *signature, sg_graph *nodes,
                                const sg_onnx_text_token *end)
{
    sg_graph *body = LIST(cx, sg_graph, nodes);
    function_names(cx, body, signature->inputs, &function->inputs, &function->ninputs);
    function_names(cx, body, signature->outputs, &function->outputs, &function->noutputs);
    function_names(cx, body, signature->locals, NULL, NULL);
    function->span = sg_onnx_text_join(function->span, end->span);
    body->name = function->name;
    body->span = function->span;
    function->body = *body;
}

void sg_onnx_text_function_add(sg_onnx_text_context *cx, const sg_graph_function *function)
{
    *SG_GRAPH_APPEND(cx->arena, cx->model->functions, cx->model->nfunctions) = *function;
}
