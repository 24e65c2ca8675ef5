/* Builds a model from what the grammar of ONNX text finds. */
#include "frontend/onnx/onnx_text_build.h"

#include <string.h>

#include "base/text.h"
#include "split/dtype.h"

enum { SHOWN = 40 }; /* of a long text; the caret line shows the rest */

static int shown(sg_str text)
{
    return text.len > SHOWN ? SHOWN : (int)text.len;
}

/* Types */

sg_onnx_text_dims *sg_onnx_text_dims_new(sg_onnx_text_context *cx)
{
    return SG_NEW(cx->arena, sg_onnx_text_dims);
}

void sg_onnx_text_dims_add(sg_onnx_text_context *cx, sg_onnx_text_dims *dims,
                           const sg_onnx_text_token *dim)
{
    dims->items = SG_GROWN(cx->arena, dims->items, dims->count, dims->capacity);
    sg_graph_dim *item = &dims->items[dims->count++];
    *item = (sg_graph_dim){.size = -1, .span = dim->span};
    if (dim->kind == SG_ONNX_TEXT_INT) {
        /* Some exporters write -1 for a dim they do not know. */
        item->size = sg_onnx_text_int(cx, dim, &item->size) && item->size >= 0 ? item->size : -1;
        return;
    }
    dims->symbolic = true;
    dims->symbol = dim->span;
    if (dim->kind != SG_ONNX_TEXT_QMARK) {
        const char *name = sg_onnx_text_of(cx, dim);
        item->name = name[0] != '\0' ? name : NULL;
    }
}

static sg_onnx_text_type *type_new(sg_onnx_text_context *cx, const sg_onnx_text_token *first,
                                   const sg_onnx_text_token *end)
{
    sg_onnx_text_type *type = SG_NEW(cx->arena, sg_onnx_text_type);
    type->type.dtype = SG_GRAPH_DTYPE_UNKNOWN;
    type->span = sg_onnx_text_join(first->span, end->span);
    return type;
}

sg_onnx_text_type *sg_onnx_text_tensor_type(sg_onnx_text_context *cx,
                                            const sg_onnx_text_token *prim,
                                            const sg_onnx_text_dims *dims,
                                            const sg_onnx_text_token *end)
{
    sg_onnx_text_type *type = type_new(cx, prim, end);
    type->type.is_tensor = true;
    type->type.dtype = prim->dtype;
    if (dims != NULL) {
        type->type.shape = (sg_graph_shape){true, dims->count, dims->items};
        type->numeric = !dims->symbolic;
        type->symbol = dims->symbol;
    }
    return type;
}

sg_onnx_text_type *sg_onnx_text_other_type(sg_onnx_text_context *cx,
                                           const sg_onnx_text_token *first,
                                           const sg_onnx_text_token *end)
{
    return type_new(cx, first, end);
}

/* Names with types */

sg_onnx_text_vi *sg_onnx_text_vi_new(sg_onnx_text_context *cx, const sg_onnx_text_type *type,
                                     const sg_onnx_text_token *name)
{
    sg_onnx_text_vi *vi = SG_NEW(cx->arena, sg_onnx_text_vi);
    vi->type = type;
    vi->name_span = name->span;
    vi->info.name = sg_onnx_text_of(cx, name);
    vi->info.type.dtype = SG_GRAPH_DTYPE_UNKNOWN;
    vi->info.span = name->span;
    if (type != NULL) {
        vi->info.type = type->type;
        vi->info.span = sg_onnx_text_join(type->span, name->span);
    }
    return vi;
}

sg_onnx_text_infos *sg_onnx_text_infos_new(sg_onnx_text_context *cx)
{
    return SG_NEW(cx->arena, sg_onnx_text_infos);
}

void sg_onnx_text_infos_add(sg_onnx_text_context *cx, sg_onnx_text_infos *infos,
                            const sg_onnx_text_vi *vi)
{
    int64_t at = infos->count++;
    infos->items = SG_GROWN(cx->arena, infos->items, at, infos->capacity);
    infos->typed = SG_GROWN(cx->arena, infos->typed, at, infos->typed_capacity);
    infos->items[at] = vi->info;
    infos->typed[at] = vi->type != NULL;
}

void sg_onnx_text_infos_add_default(sg_onnx_text_context *cx, sg_onnx_text_infos *infos,
                                    const sg_onnx_text_default *given)
{
    sg_onnx_text_infos_add(cx, infos, given->vi);
    sg_onnx_text_infos_add_constant(cx, infos, given);
}

void sg_onnx_text_infos_add_constant(sg_onnx_text_context *cx, sg_onnx_text_infos *infos,
                                     const sg_onnx_text_default *given)
{
    infos->constants =
        SG_GROWN(cx->arena, infos->constants, infos->nconstants, infos->constants_capacity);
    infos->constants[infos->nconstants++] = *given->tensor;
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

/* Nodes */

sg_onnx_text_ids *sg_onnx_text_ids_new(sg_onnx_text_context *cx)
{
    return SG_NEW(cx->arena, sg_onnx_text_ids);
}

void sg_onnx_text_ids_add(sg_onnx_text_context *cx, sg_onnx_text_ids *ids,
                          const sg_onnx_text_token *name, const sg_onnx_text_token *comma)
{
    int64_t at = ids->count++;
    ids->names = SG_GROWN(cx->arena, ids->names, at, ids->capacity);
    ids->spans = SG_GROWN(cx->arena, ids->spans, at, ids->spans_capacity);
    ids->names[at] = name != NULL ? sg_onnx_text_of(cx, name) : "";
    ids->spans[at] = name != NULL ? name->span : comma->span;
}

sg_onnx_text_operator *sg_onnx_text_operator_new(sg_onnx_text_context *cx,
                                                 const sg_onnx_text_token *name)
{
    sg_onnx_text_operator *op = SG_NEW(cx->arena, sg_onnx_text_operator);
    op->name = name != NULL ? sg_onnx_text_of(cx, name) : "";
    op->end = name != NULL ? name->span : sg_span_none();
    return op;
}

static void domain_byte(sg_onnx_text_context *cx, sg_onnx_text_operator *op, char byte)
{
    op->domain =
        sg_arena_grown(cx->arena, op->domain, op->domain_len, &op->domain_capacity, sizeof byte);
    op->domain[op->domain_len++] = byte;
}

void sg_onnx_text_operator_dot(sg_onnx_text_context *cx, sg_onnx_text_operator *op,
                               const sg_onnx_text_token *name)
{
    /* "a.b.c.Op": what was taken for the operator so far belongs to the domain. */
    for (const char *c = op->domain_len > 0 ? "." : ""; *c != '\0'; c++) {
        domain_byte(cx, op, *c);
    }
    for (const char *c = op->name; *c != '\0'; c++) {
        domain_byte(cx, op, *c);
    }
    domain_byte(cx, op, '\0');
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

/* ONNX's own domain has two names. */
static const char *domain_of(const char *domain)
{
    return strcmp(domain, "ai.onnx") == 0 ? "" : domain;
}

/* Where a domain is imported twice, the later import counts, as in the onnx package. */
static int64_t opset_of(const sg_onnx_text_context *cx, const char *domain)
{
    for (int64_t i = cx->nopsets; i-- > 0;) {
        if (strcmp(cx->opsets[i].domain, domain) == 0) {
            return cx->opsets[i].version;
        }
    }
    return 0;
}

sg_graph_node *sg_onnx_text_node_new(sg_onnx_text_context *cx, const sg_onnx_text_ids *outputs,
                                     const sg_onnx_text_operator *op, const sg_onnx_text_token *eq)
{
    sg_graph_node *node = SG_NEW(cx->arena, sg_graph_node);
    node->name = "";
    node->op_type = "";
    node->domain = "";
    node->overload = "";
    node->span = eq->span;
    if (outputs != NULL) {
        node->outputs = outputs->names;
        node->noutputs = outputs->count;
        node->output_spans = outputs->spans;
        node->span = sg_onnx_text_join(outputs->spans[0], eq->span);
    }
    if (op != NULL) {
        node->op_type = op->name;
        node->domain = domain_of(op->domain != NULL ? op->domain : "");
        node->overload = op->overload != NULL ? op->overload : "";
        node->span = sg_onnx_text_join(node->span, op->end);
    }
    node->opset = opset_of(cx, node->domain);
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
    if (attributes->any_quoted) {
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

sg_onnx_text_nodes *sg_onnx_text_nodes_new(sg_onnx_text_context *cx)
{
    return SG_NEW(cx->arena, sg_onnx_text_nodes);
}

void sg_onnx_text_nodes_add(sg_onnx_text_context *cx, sg_onnx_text_nodes *nodes,
                            const sg_graph_node *node)
{
    nodes->items = SG_GROWN(cx->arena, nodes->items, nodes->count, nodes->capacity);
    nodes->items[nodes->count++] = *node;
}

/* Attributes */

static const char *const attribute_types[] = {
    "untyped", "float",         "int",        "string",         "tensor",
    "graph",   "sparse_tensor", "type_proto", "floats",         "ints",
    "strings", "tensors",       "graphs",     "sparse_tensors", "type_protos",
};
enum { ATTRIBUTE_TYPES = sizeof attribute_types / sizeof *attribute_types };

/* The same as ONNX numbers them. */
static const sg_graph_attribute_type onnx_types[] = {
    SG_GRAPH_TYPE_UNDEFINED,     SG_GRAPH_TYPE_FLOAT,          SG_GRAPH_TYPE_INT,
    SG_GRAPH_TYPE_STRING,        SG_GRAPH_TYPE_TENSOR,         SG_GRAPH_TYPE_GRAPH,
    SG_GRAPH_TYPE_SPARSE_TENSOR, SG_GRAPH_TYPE_TYPE_PROTO,     SG_GRAPH_TYPE_FLOATS,
    SG_GRAPH_TYPE_INTS,          SG_GRAPH_TYPE_STRINGS,        SG_GRAPH_TYPE_TENSORS,
    SG_GRAPH_TYPE_GRAPHS,        SG_GRAPH_TYPE_SPARSE_TENSORS, SG_GRAPH_TYPE_TYPE_PROTOS,
};
_Static_assert(sizeof onnx_types / sizeof *onnx_types == ATTRIBUTE_TYPES, "one for each word");

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

void sg_onnx_text_attribute_declare(sg_onnx_text_context *cx, sg_onnx_text_attribute *attribute,
                                    const sg_onnx_text_token *type)
{
    sg_str text = sg_span_text(type->span);
    for (int i = 1; i < ATTRIBUTE_TYPES; i++) {
        if (sg_str_eqz(text, attribute_types[i])) {
            attribute->declared = i;
        }
    }
    if (attribute->declared == SG_ONNX_TEXT_UNTYPED) {
        const char *near = sg_suggest(text, attribute_types + 1, ATTRIBUTE_TYPES - 1);
        sg_onnx_text_fail(cx, type->span,
                          "'%.*s%s' is no type of attributes, expected float, int, string, tensor, "
                          "graph, sparse_tensor, type_proto or a plural of them%s%s%s",
                          shown(text), text.ptr, text.len > SHOWN ? "..." : "",
                          near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                          near != NULL ? "'?" : "");
    }
}

static const sg_graph_attribute_kind single_kinds[] = {
    [SG_ONNX_TEXT_UNTYPED] = SG_GRAPH_ATTRIBUTE_REFERENCE,
    [SG_ONNX_TEXT_A_FLOAT] = SG_GRAPH_ATTRIBUTE_FLOAT,
    [SG_ONNX_TEXT_A_INT] = SG_GRAPH_ATTRIBUTE_INT,
    [SG_ONNX_TEXT_A_STRING] = SG_GRAPH_ATTRIBUTE_TEXT,
    [SG_ONNX_TEXT_A_TENSOR] = SG_GRAPH_ATTRIBUTE_TENSOR,
    [SG_ONNX_TEXT_A_GRAPH] = SG_GRAPH_ATTRIBUTE_GRAPH,
    [SG_ONNX_TEXT_A_SPARSE] = SG_GRAPH_ATTRIBUTE_NONE,
    [SG_ONNX_TEXT_A_TYPE] = SG_GRAPH_ATTRIBUTE_NONE,
};

static const sg_graph_attribute_kind list_kinds[] = {
    [SG_ONNX_TEXT_UNTYPED] = SG_GRAPH_ATTRIBUTE_NONE,
    [SG_ONNX_TEXT_A_FLOAT] = SG_GRAPH_ATTRIBUTE_FLOATS,
    [SG_ONNX_TEXT_A_INT] = SG_GRAPH_ATTRIBUTE_INTS,
    [SG_ONNX_TEXT_A_STRING] = SG_GRAPH_ATTRIBUTE_TEXTS,
    [SG_ONNX_TEXT_A_TENSOR] = SG_GRAPH_ATTRIBUTE_NONE,
    [SG_ONNX_TEXT_A_GRAPH] = SG_GRAPH_ATTRIBUTE_GRAPHS,
    [SG_ONNX_TEXT_A_SPARSE] = SG_GRAPH_ATTRIBUTE_NONE,
    [SG_ONNX_TEXT_A_TYPE] = SG_GRAPH_ATTRIBUTE_NONE,
};

/* An integer is a float where floats are wanted. False: reported. */
static bool has_type(sg_onnx_text_context *cx, const sg_onnx_text_attribute *attribute,
                     const sg_onnx_text_single *single, int wanted, int *type)
{
    *type = single->type;
    if (wanted == SG_ONNX_TEXT_UNTYPED || wanted == single->type) {
        return true;
    }
    if (wanted == SG_ONNX_TEXT_A_FLOAT && single->type == SG_ONNX_TEXT_A_INT) {
        *type = SG_ONNX_TEXT_A_FLOAT;
        return true;
    }
    sg_onnx_text_fail(
        cx, single->span, "attribute '%s' %s %s, got %s", attribute->made.name,
        attribute->is_list ? "is a list of values of type" : "is of type", attribute_types[wanted],
        single->type == SG_ONNX_TEXT_UNTYPED ? "a reference" : attribute_types[single->type]);
    return false;
}

/* Room for one more value of a kind and its place, and the value. */
static void add_value(sg_onnx_text_context *cx, sg_onnx_text_attribute *attribute,
                      const sg_onnx_text_single *single, int type)
{
    sg_graph_attribute *made = &attribute->made;
    int64_t at = made->count;
    int64_t capacity = attribute->capacity;
    made->spans = SG_GROWN(cx->arena, made->spans, at, capacity);
    made->spans[at] = single->span;
    capacity = attribute->capacity;
    if (type == SG_ONNX_TEXT_A_INT) {
        made->ints = SG_GROWN(cx->arena, made->ints, at, capacity);
        if (!sg_onnx_text_int(cx, &single->token, &made->ints[at])) {
            return;
        }
    } else if (type == SG_ONNX_TEXT_A_FLOAT) {
        made->floats = SG_GROWN(cx->arena, made->floats, at, capacity);
        if (!sg_onnx_text_float(cx, &single->token, true, &made->floats[at])) {
            return;
        }
    } else if (type == SG_ONNX_TEXT_A_STRING || type == SG_ONNX_TEXT_UNTYPED) {
        made->texts = SG_GROWN(cx->arena, made->texts, at, capacity);
        made->texts[at] = sg_onnx_text_of(cx, &single->token);
    }
    attribute->capacity = capacity;
    made->count = at + 1;
}

void sg_onnx_text_attribute_set(sg_onnx_text_context *cx, sg_onnx_text_attribute *attribute,
                                const sg_onnx_text_single *single)
{
    sg_graph_attribute *made = &attribute->made;
    int type = single->type;
    bool is_reference = type == SG_ONNX_TEXT_UNTYPED; /* has the declared type, whatever it is */
    made->span = sg_onnx_text_join(made->span, single->span);
    if (!is_reference && !has_type(cx, attribute, single, attribute->declared, &type)) {
        return;
    }
    made->kind = single_kinds[type];
    made->type = onnx_types[is_reference ? attribute->declared : type];
    add_value(cx, attribute, single, type);
    if (type == SG_ONNX_TEXT_A_TENSOR) {
        made->tensor = single->tensor;
    } else if (type == SG_ONNX_TEXT_A_GRAPH) {
        made->graphs = SG_NEW_ARRAY(cx->arena, sg_graph *, 1);
        made->graphs[0] = single->graph;
    } else if (made->kind == SG_GRAPH_ATTRIBUTE_NONE) {
        made->count = 0;
    }
}

static int singular(int type)
{
    return type > SG_ONNX_TEXT_PLURAL ? type - SG_ONNX_TEXT_PLURAL : type;
}

void sg_onnx_text_attribute_add(sg_onnx_text_context *cx, sg_onnx_text_attribute *attribute,
                                const sg_onnx_text_single *single)
{
    int type;
    if (!attribute->is_list) {
        attribute->is_list = true;
        attribute->element = singular(attribute->declared);
        attribute->made.kind = list_kinds[attribute->element];
    }
    if (!has_type(cx, attribute, single, attribute->element, &type)) {
        return;
    }
    if (type != SG_ONNX_TEXT_UNTYPED) {
        attribute->made.type = onnx_types[type + SG_ONNX_TEXT_PLURAL];
    }
    if (type == SG_ONNX_TEXT_A_INT || type == SG_ONNX_TEXT_A_FLOAT ||
        type == SG_ONNX_TEXT_A_STRING) {
        attribute->element = type;
        attribute->made.kind = list_kinds[type];
        add_value(cx, attribute, single, type);
        return;
    }
    if (!attribute->dropped) {
        sg_diag_warn(
            cx->diag, single->span,
            "entries of a list that are %s are dropped, as the onnx package's parser does; "
            "write numbers or strings, or one attribute for each",
            type == SG_ONNX_TEXT_UNTYPED    ? "references"
            : type == SG_ONNX_TEXT_A_TENSOR ? "tensors"
            : type == SG_ONNX_TEXT_A_GRAPH  ? "graphs"
                                            : "types");
    }
    attribute->dropped = true;
}

void sg_onnx_text_attribute_empty(sg_onnx_text_context *cx, sg_onnx_text_attribute *attribute,
                                  sg_span brackets)
{
    sg_graph_attribute *made = &attribute->made;
    made->span = sg_onnx_text_join(made->span, brackets);
    if (attribute->declared <= SG_ONNX_TEXT_PLURAL) {
        const char *name = made->name;
        const char *type = attribute->declared == SG_ONNX_TEXT_UNTYPED
                               ? "int"
                               : attribute_types[attribute->declared];
        sg_onnx_text_fail(cx, brackets,
                          attribute->declared == SG_ONNX_TEXT_UNTYPED
                              ? "an empty list has no type of its own, expected one: %s : %ss = []"
                              : "an empty list is no single value, expected %s : %ss = []",
                          name, type);
        return;
    }
    made->kind = list_kinds[singular(attribute->declared)];
    made->type = onnx_types[attribute->declared];
}

void sg_onnx_text_attribute_end(sg_onnx_text_attribute *attribute, const sg_onnx_text_token *end)
{
    attribute->made.span = sg_onnx_text_join(attribute->made.span, end->span);
}

sg_onnx_text_attributes *sg_onnx_text_attributes_new(sg_onnx_text_context *cx)
{
    return SG_NEW(cx->arena, sg_onnx_text_attributes);
}

void sg_onnx_text_attributes_add(sg_onnx_text_context *cx, sg_onnx_text_attributes *attributes,
                                 const sg_onnx_text_attribute *attribute)
{
    if (attribute->quoted && !attributes->any_quoted) {
        attributes->any_quoted = true;
        attributes->quoted = attribute->name_span;
    }
    if (attribute->no_value) {
        attributes->names =
            SG_GROWN(cx->arena, attributes->names, attributes->nnames, attributes->names_capacity);
        attributes->names[attributes->nnames++] = attribute->made.name;
        return;
    }
    attributes->items =
        SG_GROWN(cx->arena, attributes->items, attributes->count, attributes->capacity);
    attributes->items[attributes->count++] = attribute->made;
}

/* What stands in front of a graph or function */

void sg_onnx_text_pairs_add(sg_onnx_text_context *cx, sg_onnx_text_pairs *pairs,
                            const sg_onnx_text_token *key, const sg_onnx_text_token *value)
{
    pairs->items = SG_GROWN(cx->arena, pairs->items, pairs->count, pairs->capacity);
    pairs->items[pairs->count++] = (sg_onnx_text_pair){*key, *value};
}

typedef enum value_shape { VALUE_INT, VALUE_TEXT, VALUE_OPSETS, VALUE_TEXTS } value_shape;

typedef struct meta_key {
    const char *name;
    value_shape shape;
} meta_key;

static const char *const shape_texts[] = {
    [VALUE_INT] = "an integer",
    [VALUE_TEXT] = "a string",
    [VALUE_OPSETS] = "a list [\"domain\" : version, ...]",
    [VALUE_TEXTS] = "a list [\"key\" : \"value\", ...]",
};

static bool check_value(sg_onnx_text_context *cx, const sg_onnx_text_entry *entry,
                        const meta_key *key)
{
    bool wants_list = key->shape == VALUE_OPSETS || key->shape == VALUE_TEXTS;
    sg_onnx_text_kind wanted = key->shape == VALUE_INT || key->shape == VALUE_OPSETS
                                   ? SG_ONNX_TEXT_INT
                                   : SG_ONNX_TEXT_STRING;
    if (entry->is_list != wants_list || (!wants_list && entry->value.kind != wanted)) {
        sg_str text = sg_span_text(entry->span);
        sg_onnx_text_fail(cx, entry->span, "unexpected '%.*s%s', expected %s behind %s",
                          shown(text), text.ptr, text.len > SHOWN ? "..." : "",
                          shape_texts[key->shape], key->name);
        return false;
    }
    for (int64_t i = 0; wants_list && i < entry->pairs->count; i++) {
        const sg_onnx_text_token *value = &entry->pairs->items[i].value;
        if (value->kind != wanted) {
            sg_str text = sg_span_text(value->span);
            sg_onnx_text_fail(cx, value->span, "unexpected '%.*s%s', expected %s in %s",
                              shown(text), text.ptr, text.len > SHOWN ? "..." : "",
                              wanted == SG_ONNX_TEXT_INT ? "an integer" : "a string", key->name);
            return false;
        }
    }
    return true;
}

/* The key's name; NULL: not among the keys, or a value that does not fit, reported. */
static const char *key_of(sg_onnx_text_context *cx, const sg_onnx_text_entry *entry,
                          const meta_key *keys, size_t count)
{
    enum { MOST = 8 };
    const char *names[MOST];
    sg_str text = sg_span_text(entry->key.span);
    for (size_t i = 0; i < count; i++) {
        if (sg_str_eqz(text, keys[i].name)) {
            return check_value(cx, entry, &keys[i]) ? keys[i].name : NULL;
        }
        names[i] = keys[i].name;
    }
    const char *near = sg_suggest(text, names, count);
    sg_buf all = {0};
    for (size_t i = 0; i < count; i++) {
        sg_buf_addz(&all, i == 0 ? "" : i + 1 == count ? " or " : ", ");
        sg_buf_addz(&all, names[i]);
    }
    sg_onnx_text_fail(cx, entry->key.span, "unknown key '%.*s%s', expected %s%s%s%s", shown(text),
                      text.ptr, text.len > SHOWN ? "..." : "", all.ptr,
                      near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                      near != NULL ? "'?" : "");
    sg_buf_free(&all);
    return NULL;
}

static const meta_key model_keys[] = {
    {"ir_version", VALUE_INT},  {"opset_import", VALUE_OPSETS},   {"producer_name", VALUE_TEXT},
    {"domain", VALUE_TEXT},     {"producer_version", VALUE_TEXT}, {"model_version", VALUE_INT},
    {"doc_string", VALUE_TEXT}, {"metadata_props", VALUE_TEXTS},
};

static const meta_key function_keys[] = {
    {"opset_import", VALUE_OPSETS},
    {"domain", VALUE_TEXT},
    {"doc_string", VALUE_TEXT},
    {"overload", VALUE_TEXT},
};

void sg_onnx_text_meta_add(sg_onnx_text_context *cx, sg_onnx_text_meta *meta,
                           const sg_onnx_text_entry *entry)
{
    bool of_model = cx->model->graph.name == NULL; /* functions stand behind the graph */
    meta->items = SG_GROWN(cx->arena, meta->items, meta->count, meta->capacity);
    meta->items[meta->count] = *entry;
    meta->items[meta->count++].name =
        key_of(cx, entry, of_model ? model_keys : function_keys,
               of_model ? sizeof model_keys / sizeof *model_keys
                        : sizeof function_keys / sizeof *function_keys);
}

typedef struct opsets {
    sg_graph_opset *items;
    int64_t count;
    int64_t capacity;
} opsets;

static void add_opsets(sg_onnx_text_context *cx, opsets *all, const sg_onnx_text_pairs *pairs)
{
    for (int64_t i = 0; i < pairs->count && !cx->bad; i++) {
        all->items = SG_GROWN(cx->arena, all->items, all->count, all->capacity);
        sg_graph_opset *opset = &all->items[all->count];
        opset->span = sg_onnx_text_join(pairs->items[i].key.span, pairs->items[i].value.span);
        opset->domain = domain_of(sg_onnx_text_of(cx, &pairs->items[i].key));
        if (sg_onnx_text_int(cx, &pairs->items[i].value, &opset->version)) {
            all->count++;
        }
    }
}

void sg_onnx_text_model_meta(sg_onnx_text_context *cx, const sg_onnx_text_meta *meta)
{
    sg_graph_model *model = cx->model;
    opsets imported = {0};
    for (int64_t i = 0; i < meta->count && !cx->bad; i++) {
        const sg_onnx_text_entry *entry = &meta->items[i];
        int64_t number = 0;
        if (entry->value.kind == SG_ONNX_TEXT_INT &&
            !sg_onnx_text_int(cx, &entry->value, &number)) {
            return;
        }
        if (strcmp(entry->name, "ir_version") == 0) {
            model->version = number;
        } else if (strcmp(entry->name, "opset_import") == 0) {
            add_opsets(cx, &imported, entry->pairs);
        }
    }
    cx->opsets = model->opsets = imported.items;
    cx->nopsets = model->nopsets = imported.count;
}

static void function_meta(sg_onnx_text_context *cx, sg_graph_function *function,
                          const sg_onnx_text_meta *meta)
{
    opsets imported = {0};
    for (int64_t i = 0; i < meta->count && !cx->bad; i++) {
        const sg_onnx_text_entry *entry = &meta->items[i];
        if (strcmp(entry->name, "opset_import") == 0) {
            add_opsets(cx, &imported, entry->pairs);
        } else if (strcmp(entry->name, "domain") == 0) {
            function->domain = domain_of(sg_onnx_text_of(cx, &entry->value));
        } else if (strcmp(entry->name, "overload") == 0) {
            function->overload = sg_onnx_text_of(cx, &entry->value);
        }
    }
    function->opsets = imported.items;
    function->nopsets = imported.count;
}

/* Graphs and functions */

static void add_constants(sg_onnx_text_context *cx, sg_graph *graph,
                          const sg_onnx_text_infos *inputs, const sg_onnx_text_infos *locals)
{
    int64_t from_inputs = inputs != NULL ? inputs->nconstants : 0;
    int64_t from_locals = locals != NULL ? locals->nconstants : 0;
    graph->ninitializers = from_inputs + from_locals;
    if (from_inputs == 0 || from_locals == 0) {
        graph->initializers = from_inputs > 0   ? inputs->constants
                              : from_locals > 0 ? locals->constants
                                                : NULL;
        return;
    }
    graph->initializers = SG_NEW_ARRAY(cx->arena, sg_graph_tensor, graph->ninitializers);
    memcpy(graph->initializers, inputs->constants,
           (size_t)from_inputs * sizeof *graph->initializers);
    memcpy(graph->initializers + from_inputs, locals->constants,
           (size_t)from_locals * sizeof *graph->initializers);
}

sg_graph *sg_onnx_text_graph_new(sg_onnx_text_context *cx, const sg_onnx_text_signature *signature,
                                 const sg_onnx_text_nodes *nodes, const sg_onnx_text_token *end)
{
    sg_graph *graph = SG_NEW(cx->arena, sg_graph);
    if (signature->inputs != NULL) {
        graph->inputs = signature->inputs->items;
        graph->ninputs = signature->inputs->count;
    }
    graph->outputs = signature->outputs->items;
    graph->noutputs = signature->outputs->count;
    if (signature->locals != NULL) {
        graph->infos = signature->locals->items;
        graph->ninfos = signature->locals->count;
    }
    add_constants(cx, graph, signature->inputs, signature->locals);
    if (nodes != NULL) {
        graph->nodes = nodes->items;
        graph->nnodes = nodes->count;
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
    sg_str text = sg_span_text(name->span);
    size_t number = sg_onnx_text_float_word(text.ptr, text.len);
    if (number > 0) {
        sg_onnx_text_fail(cx, name->span,
                          "a graph in an attribute cannot be called '%.*s%s': its name is read as "
                          "the number %.*s, expected another name",
                          shown(text), text.ptr, text.len > SHOWN ? "..." : "", (int)number,
                          text.ptr);
    }
    sg_onnx_text_graph_name(cx, graph, name);
}

static void append_info(sg_onnx_text_context *cx, sg_onnx_text_infos *infos,
                        const sg_graph_info *info)
{
    infos->items = SG_GROWN(cx->arena, infos->items, infos->count, infos->capacity);
    infos->items[infos->count++] = *info;
}

/* Appends a function's names, and those with types to its infos too. */
static void function_names(sg_onnx_text_context *cx, sg_onnx_text_infos *infos,
                           const sg_onnx_text_infos *from, const char ***names, int64_t *count)
{
    *names = SG_NEW_ARRAY(cx->arena, const char *, from->count);
    *count = from->count;
    for (int64_t i = 0; i < from->count; i++) {
        (*names)[i] = from->items[i].name;
        if (from->typed[i]) {
            append_info(cx, infos, &from->items[i]);
        }
    }
}

sg_graph_function *sg_onnx_text_function_new(sg_onnx_text_context *cx,
                                             const sg_onnx_text_meta *meta,
                                             const sg_onnx_text_token *name)
{
    sg_graph_function *function = SG_NEW(cx->arena, sg_graph_function);
    function->name = sg_onnx_text_of(cx, name);
    function->domain = "";
    function->overload = "";
    function->span = name->span;
    function->body.name = function->name;
    if (meta != NULL) {
        function->span = sg_onnx_text_join(meta->span, name->span);
        function_meta(cx, function, meta);
    }
    /* Its nodes are read next. */
    cx->opsets = function->opsets;
    cx->nopsets = function->nopsets;
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
                                const sg_onnx_text_signature *signature,
                                const sg_onnx_text_nodes *nodes, const sg_onnx_text_token *end)
{
    sg_onnx_text_infos infos = {0};
    function_names(cx, &infos, signature->inputs, &function->inputs, &function->ninputs);
    function_names(cx, &infos, signature->outputs, &function->outputs, &function->noutputs);
    for (int64_t i = 0; signature->locals != NULL && i < signature->locals->count; i++) {
        append_info(cx, &infos, &signature->locals->items[i]);
    }
    function->body.infos = infos.items;
    function->body.ninfos = infos.count;
    if (nodes != NULL) {
        function->body.nodes = nodes->items;
        function->body.nnodes = nodes->count;
    }
    function->span = sg_onnx_text_join(function->span, end->span);
    function->body.span = function->span;
}

void sg_onnx_text_function_add(sg_onnx_text_context *cx, const sg_graph_function *function)
{
    sg_graph_model *model = cx->model;
    model->functions =
        SG_GROWN(cx->arena, model->functions, model->nfunctions, cx->functions_capacity);
    model->functions[model->nfunctions++] = *function;
}
