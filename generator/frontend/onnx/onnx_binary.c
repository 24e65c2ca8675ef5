/* The messages of ONNX's binaries but for tensors: models, graphs, nodes, attributes, types and
 * functions. One loop per message, one case per field; fields that have no case are passed over.
 * Knows nothing of operators. */
#include "frontend/onnx/onnx_binary.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/system.h"
#include "frontend/graph/element_bits.h"
#include "frontend/onnx/onnx_reader.h"

/* Of graphs within attributes of nodes of graphs; real ones have three. */
#define MAX_DEPTH 64
/* Attributes with longer texts are programs of another compiler. */
#define MAX_ATTRIBUTE_TEXT ((int64_t)1 << 16)

/* --- what all parts read --- */

static bool read_domain(sg_onnx_reader *reader, const sg_wire_field *field, const char **domain)
{
    SG_TRY(sg_onnx_read_name(reader, field, "domain", domain));
    if (strcmp(*domain, "ai.onnx") == 0) {
        *domain = "";
    }
    return true;
}

static bool append_name(sg_onnx_reader *reader, const sg_wire_field *field, const char *what,
                        const char ***list, int64_t *count)
{
    const char *name;
    SG_TRY(sg_onnx_read_name(reader, field, what, &name));
    const char **entry = SG_ONNX_APPEND(reader, *list, *count);
    SG_TRY(entry != NULL);
    *entry = name;
    return true;
}

static double float_of(uint64_t bits)
{
    int64_t integer;
    double real = 0;
    (void)sg_element_value(SG_DTYPE_F32, bits, &integer, &real);
    return real;
}

static bool read_floats(sg_onnx_reader *reader, const sg_wire_field *field, double **list,
                        int64_t *count)
{
    sg_wire *wire = &reader->wire;
    if (field->type == SG_WIRE_FIXED32) {
        double *entry = SG_ONNX_APPEND(reader, *list, *count);
        SG_TRY(entry != NULL);
        *entry = float_of(field->value);
        return true;
    }
    sg_wire_scope scope = sg_wire_enter(wire, field, wire->message);
    uint64_t bits;
    while (sg_wire_packed(wire, SG_WIRE_FIXED32, &bits)) {
        double *entry = SG_ONNX_APPEND(reader, *list, *count);
        SG_TRY(entry != NULL);
        *entry = float_of(bits);
    }
    return sg_wire_leave(wire, &scope);
}

/* --- types --- */

static bool read_dim(sg_onnx_reader *reader, const sg_wire_field *field, sg_graph_dim *dim)
{
    sg_wire *wire = &reader->wire;
    *dim = (sg_graph_dim){.size = -1};
    dim->span = sg_wire_span(wire, field->start, field->end);
    sg_wire_scope scope = sg_wire_enter(wire, field, "TensorShapeProto.Dimension");
    sg_wire_field f;
    while (sg_wire_next(wire, &f)) {
        if (f.tag == TAG_VARINT(1)) { /* dim_value */
            dim->size = sg_onnx_int64(&f);
            dim->size = dim->size < 0 ? -1 : dim->size; /* some write -1 for what is not known */
            dim->name = NULL;
        } else if (f.tag == TAG_BYTES(2)) {
            SG_TRY(sg_onnx_read_name(reader, &f, "dim_param", &dim->name));
            dim->name = dim->name[0] != '\0' ? dim->name : NULL;
            dim->size = -1;
        }
    }
    return sg_wire_leave(wire, &scope);
}

static bool read_shape(sg_onnx_reader *reader, const sg_wire_field *field, sg_graph_shape *shape)
{
    sg_wire *wire = &reader->wire;
    shape->has_rank = true;
    sg_wire_scope scope = sg_wire_enter(wire, field, "TensorShapeProto");
    sg_wire_field f;
    while (sg_wire_next(wire, &f)) {
        if (f.tag == TAG_BYTES(1)) {
            sg_graph_dim *dim = SG_ONNX_APPEND(reader, shape->dims, shape->rank);
            SG_TRY(dim != NULL);
            SG_TRY(read_dim(reader, &f, dim));
        }
    }
    return sg_wire_leave(wire, &scope);
}

static bool read_tensor_type(sg_onnx_reader *reader, const sg_wire_field *field,
                             sg_graph_type *type)
{
    sg_wire *wire = &reader->wire;
    sg_wire_scope scope = sg_wire_enter(wire, field, "TypeProto.Tensor");
    sg_wire_field f;
    while (sg_wire_next(wire, &f)) {
        if (f.tag == TAG_VARINT(1)) { /* elem_type */
            type->dtype = sg_onnx_dtype(sg_onnx_int32(&f));
        } else if (f.tag == TAG_BYTES(2)) {
            SG_TRY(read_shape(reader, &f, &type->shape));
        }
    }
    return sg_wire_leave(wire, &scope);
}

static sg_graph_type unknown_type(bool is_tensor)
{
    return (sg_graph_type){.is_tensor = is_tensor, .dtype = SG_GRAPH_DTYPE_UNKNOWN};
}

/* Behind what is in the type. before: the field of the alternative that it has so far, of which
 * the last one counts; 0. */
static bool read_type(sg_onnx_reader *reader, const sg_wire_field *field, sg_graph_type *type,
                      uint32_t *before)
{
    sg_wire *wire = &reader->wire;
    sg_wire_scope scope = sg_wire_enter(wire, field, "TypeProto");
    sg_wire_field f;
    while (sg_wire_next(wire, &f)) {
        switch (f.tag) {
        case TAG_BYTES(1): /* tensor_type */
        case TAG_BYTES(8): /* sparse_tensor_type */
            if (*before != 0 && *before != f.number) {
                *type = unknown_type(true);
            }
            *before = f.number;
            SG_TRY(read_tensor_type(reader, &f, type));
            break;
        case TAG_BYTES(4): /* sequence_type */
        case TAG_BYTES(5): /* map_type */
        case TAG_BYTES(7): /* opaque_type */
        case TAG_BYTES(9): /* optional_type */
            *before = f.number;
            *type = unknown_type(false);
            break;
        default:
            break;
        }
    }
    return sg_wire_leave(wire, &scope);
}

/* A ValueInfoProto behind the entries of a list. */
static bool append_info(sg_onnx_reader *reader, const sg_wire_field *field, sg_graph_info **list,
                        int64_t *count)
{
    sg_wire *wire = &reader->wire;
    sg_graph_info *info = SG_ONNX_APPEND(reader, *list, *count);
    SG_TRY(info != NULL);
    *info = (sg_graph_info){.name = "", .type = unknown_type(true)};
    info->span = sg_wire_span(wire, field->start, field->end);
    uint32_t alternative = 0;
    sg_wire_scope scope = sg_wire_enter(wire, field, "ValueInfoProto");
    sg_wire_field f;
    while (sg_wire_next(wire, &f)) {
        if (f.tag == TAG_BYTES(1)) {
            SG_TRY(sg_onnx_read_name(reader, &f, "name", &info->name));
        } else if (f.tag == TAG_BYTES(2)) {
            SG_TRY(read_type(reader, &f, &info->type, &alternative));
        }
    }
    return sg_wire_leave(wire, &scope);
}

/* --- attributes --- */

static bool read_graph(sg_onnx_reader *reader, const sg_wire_field *field, sg_graph *graph);

/* What an AttributeProto holds; its type says which of it counts. */
typedef struct attribute_parts {
    int64_t type;
    unsigned present; /* bit per type */
    const char *reference;
    int64_t i;
    double f;
    const char *s; /* NULL: too long to be of use */
    sg_onnx_parts *tensor;
    sg_onnx_sparse *sparse;
    sg_graph *graph;
    double *floats;
    int64_t nfloats;
    int64_t *ints;
    int64_t nints;
    const char **texts;
    int64_t ntexts;
    sg_graph **graphs;
    int64_t ngraphs;
} attribute_parts;

/* Bytes of an attribute; they need not be text. NULL when they are too many. */
static bool read_text(sg_onnx_reader *reader, const sg_wire_field *field, const char **text)
{
    *text = NULL;
    if (field->end - field->begin > MAX_ATTRIBUTE_TEXT) {
        return true;
    }
    reader->text.len = 0;
    SG_TRY(sg_wire_bytes(&reader->wire, field, &reader->text));
    *text = sg_arena_strndup(reader->arena, reader->text.ptr, reader->text.len);
    return sg_onnx_has_room(reader);
}

static bool append_text(sg_onnx_reader *reader, const sg_wire_field *field, attribute_parts *parts)
{
    const char *text;
    SG_TRY(read_text(reader, field, &text));
    const char **entry = SG_ONNX_APPEND(reader, parts->texts, parts->ntexts);
    SG_TRY(entry != NULL);
    *entry = text != NULL ? text : "";
    return true;
}

static bool read_subgraph(sg_onnx_reader *reader, const sg_wire_field *field, sg_graph *graph)
{
    const sg_graph_node *node = reader->node;
    const sg_graph_attribute *attribute = reader->attribute;
    reader->node = NULL;
    reader->attribute = NULL;
    bool ok = read_graph(reader, field, graph);
    reader->node = node;
    reader->attribute = attribute;
    return ok;
}

static bool append_graph(sg_onnx_reader *reader, const sg_wire_field *field, attribute_parts *parts)
{
    sg_graph **entry = SG_ONNX_APPEND(reader, parts->graphs, parts->ngraphs);
    SG_TRY(entry != NULL);
    *entry = SG_NEW(reader->arena, sg_graph);
    return read_subgraph(reader, field, *entry);
}

/* The type of the value that a field holds; SG_GRAPH_TYPE_UNDEFINED: of none. */
static sg_graph_attribute_type value_type(uint32_t tag)
{
    switch (tag) {
    case TAG_FIXED32(2):
        return SG_GRAPH_TYPE_FLOAT;
    case TAG_VARINT(3):
        return SG_GRAPH_TYPE_INT;
    case TAG_BYTES(4):
        return SG_GRAPH_TYPE_STRING;
    case TAG_BYTES(5):
        return SG_GRAPH_TYPE_TENSOR;
    case TAG_BYTES(6):
        return SG_GRAPH_TYPE_GRAPH;
    case TAG_FIXED32(7):
    case TAG_BYTES(7):
        return SG_GRAPH_TYPE_FLOATS;
    case TAG_VARINT(8):
    case TAG_BYTES(8):
        return SG_GRAPH_TYPE_INTS;
    case TAG_BYTES(9):
        return SG_GRAPH_TYPE_STRINGS;
    case TAG_BYTES(10):
        return SG_GRAPH_TYPE_TENSORS;
    case TAG_BYTES(11):
        return SG_GRAPH_TYPE_GRAPHS;
    case TAG_BYTES(14):
        return SG_GRAPH_TYPE_TYPE_PROTO;
    case TAG_BYTES(15):
        return SG_GRAPH_TYPE_TYPE_PROTOS;
    case TAG_BYTES(22):
        return SG_GRAPH_TYPE_SPARSE_TENSOR;
    case TAG_BYTES(23):
        return SG_GRAPH_TYPE_SPARSE_TENSORS;
    default:
        return SG_GRAPH_TYPE_UNDEFINED;
    }
}

/* One field that holds a value, if it does. */
static bool read_value(sg_onnx_reader *reader, const sg_wire_field *f, attribute_parts *parts)
{
    const sg_graph_attribute_type type = value_type(f->tag);
    if (type == SG_GRAPH_TYPE_UNDEFINED) {
        return true;
    }
    parts->present |= 1U << type;
    switch (type) {
    case SG_GRAPH_TYPE_FLOAT:
        parts->f = float_of(f->value);
        return true;
    case SG_GRAPH_TYPE_INT:
        parts->i = sg_onnx_int64(f);
        return true;
    case SG_GRAPH_TYPE_STRING:
        return read_text(reader, f, &parts->s);
    case SG_GRAPH_TYPE_TENSOR:
        return sg_onnx_add_tensor(reader, f, &parts->tensor);
    case SG_GRAPH_TYPE_SPARSE_TENSOR:
        return sg_onnx_add_sparse(reader, f, &parts->sparse);
    case SG_GRAPH_TYPE_GRAPH:
        if (parts->graph == NULL) {
            parts->graph = SG_NEW(reader->arena, sg_graph);
        }
        return read_subgraph(reader, f, parts->graph);
    case SG_GRAPH_TYPE_FLOATS:
        return read_floats(reader, f, &parts->floats, &parts->nfloats);
    case SG_GRAPH_TYPE_INTS:
        return sg_onnx_read_ints(reader, f, &parts->ints, &parts->nints);
    case SG_GRAPH_TYPE_STRINGS:
        return append_text(reader, f, parts);
    case SG_GRAPH_TYPE_GRAPHS:
        return append_graph(reader, f, parts);
    default:
        return true;
    }
}

/* Without a type, as in models of the first versions, the value there is tells. */
static bool find_type(sg_onnx_reader *reader, const sg_graph_attribute *attribute,
                      attribute_parts *parts)
{
    int64_t only = SG_GRAPH_TYPE_UNDEFINED;
    int count = 0;
    for (int type = 1; type < SG_GRAPH_TYPE_COUNT; type++) {
        if ((parts->present >> type & 1) != 0) {
            only = type;
            count++;
        }
    }
    if (parts->reference[0] != '\0') {
        return true;
    }
    if (parts->type == SG_GRAPH_TYPE_UNDEFINED && count == 1) {
        parts->type = only;
    } else if (parts->type == SG_GRAPH_TYPE_UNDEFINED && count > 1) {
        return sg_diag_error(reader->diag, attribute->span,
                             "attribute '%s' has %d values and no type that says which counts",
                             attribute->name, count);
    } else if (parts->type > 0 && parts->type < SG_GRAPH_TYPE_COUNT && count > 0 &&
               (parts->present >> parts->type & 1) == 0) {
        return sg_diag_error(reader->diag, attribute->span,
                             "attribute '%s' is said to be of type %s but has a value of type %s",
                             attribute->name, sg_graph_attribute_type_name(parts->type),
                             sg_graph_attribute_type_name(only));
    }
    return true;
}

static void set_list(sg_graph_attribute *attribute, sg_graph_attribute_kind kind, int64_t count)
{
    attribute->kind = count <= SG_GRAPH_LIST_MAX ? kind : SG_GRAPH_ATTRIBUTE_NONE;
    attribute->count = count <= SG_GRAPH_LIST_MAX ? count : 0;
}

/* What the tensors of an attribute are, all of which are checked: the one that counts, or NULL. */
static bool end_tensors(sg_onnx_reader *reader, const attribute_parts *parts,
                        sg_graph_tensor **tensor)
{
    sg_graph_tensor *dense = SG_NEW(reader->arena, sg_graph_tensor);
    sg_graph_tensor *sparse = SG_NEW(reader->arena, sg_graph_tensor);
    SG_TRY(parts->tensor == NULL || sg_onnx_end_tensor(reader, parts->tensor, dense));
    SG_TRY(parts->sparse == NULL || sg_onnx_end_sparse(reader, parts->sparse, sparse));
    *tensor = parts->type == SG_GRAPH_TYPE_SPARSE_TENSOR ? (parts->sparse != NULL ? sparse : NULL)
              : parts->tensor != NULL                    ? dense
                                                         : NULL;
    return true;
}

/* Moves the value that counts into the attribute. A number that is missing is 0: writers of
 * proto3 leave zeros out. */
static void set_value(sg_onnx_reader *reader, const attribute_parts *parts, sg_graph_tensor *tensor,
                      sg_graph_attribute *attribute)
{
    attribute->count = 1;
    switch (parts->type) {
    case SG_GRAPH_TYPE_FLOAT:
        attribute->kind = SG_GRAPH_ATTRIBUTE_FLOAT;
        attribute->floats = SG_NEW(reader->arena, double);
        attribute->floats[0] = parts->f;
        return;
    case SG_GRAPH_TYPE_INT:
        attribute->kind = SG_GRAPH_ATTRIBUTE_INT;
        attribute->ints = SG_NEW(reader->arena, int64_t);
        attribute->ints[0] = parts->i;
        return;
    case SG_GRAPH_TYPE_STRING:
        if (parts->s != NULL) {
            attribute->kind = SG_GRAPH_ATTRIBUTE_TEXT;
            attribute->texts = SG_NEW(reader->arena, const char *);
            attribute->texts[0] = parts->s;
            return;
        }
        break;
    case SG_GRAPH_TYPE_TENSOR:
    case SG_GRAPH_TYPE_SPARSE_TENSOR:
        if (tensor != NULL) {
            attribute->kind = SG_GRAPH_ATTRIBUTE_TENSOR;
            attribute->tensor = tensor;
            return;
        }
        break;
    case SG_GRAPH_TYPE_GRAPH:
        if (parts->graph != NULL) {
            attribute->kind = SG_GRAPH_ATTRIBUTE_GRAPH;
            attribute->graphs = SG_NEW(reader->arena, sg_graph *);
            attribute->graphs[0] = parts->graph;
            return;
        }
        break;
    case SG_GRAPH_TYPE_FLOATS:
        attribute->floats = parts->floats;
        set_list(attribute, SG_GRAPH_ATTRIBUTE_FLOATS, parts->nfloats);
        return;
    case SG_GRAPH_TYPE_INTS:
        attribute->ints = parts->ints;
        set_list(attribute, SG_GRAPH_ATTRIBUTE_INTS, parts->nints);
        return;
    case SG_GRAPH_TYPE_STRINGS:
        attribute->texts = parts->texts;
        set_list(attribute, SG_GRAPH_ATTRIBUTE_TEXTS, parts->ntexts);
        return;
    case SG_GRAPH_TYPE_GRAPHS:
        attribute->graphs = parts->graphs;
        attribute->kind = SG_GRAPH_ATTRIBUTE_GRAPHS;
        attribute->count = parts->ngraphs;
        return;
    default:
        break;
    }
    attribute->kind = SG_GRAPH_ATTRIBUTE_NONE;
    attribute->count = 0;
}

static bool read_attribute_fields(sg_onnx_reader *reader, sg_graph_attribute *attribute,
                                  attribute_parts *parts)
{
    sg_wire_field f;
    while (sg_wire_next(&reader->wire, &f)) {
        switch (f.tag) {
        case TAG_BYTES(1):
            SG_TRY(sg_onnx_read_name(reader, &f, "name", &attribute->name));
            break;
        case TAG_VARINT(20):
            parts->type = sg_onnx_int32(&f);
            break;
        case TAG_BYTES(21):
            SG_TRY(sg_onnx_read_name(reader, &f, "ref_attr_name", &parts->reference));
            break;
        default:
            SG_TRY(read_value(reader, &f, parts));
            break;
        }
    }
    return true;
}

static bool append_attribute(sg_onnx_reader *reader, const sg_wire_field *field,
                             sg_graph_attribute **list, int64_t *count)
{
    sg_wire *wire = &reader->wire;
    sg_graph_attribute attribute = {.name = ""};
    attribute_parts parts = {.s = "", .reference = ""};
    attribute.span = sg_wire_span(wire, field->start, field->end);
    sg_wire_scope scope = sg_wire_enter(wire, field, "AttributeProto");
    reader->attribute = &attribute;
    sg_graph_tensor *tensor = NULL;
    bool ok = read_attribute_fields(reader, &attribute, &parts) && sg_wire_leave(wire, &scope) &&
              find_type(reader, &attribute, &parts) && end_tensors(reader, &parts, &tensor);
    reader->attribute = NULL;
    SG_TRY(ok);
    if (parts.reference[0] != '\0') {
        attribute.kind = SG_GRAPH_ATTRIBUTE_REFERENCE;
        attribute.count = 1;
        attribute.texts = SG_NEW(reader->arena, const char *);
        attribute.texts[0] = parts.reference;
    } else {
        set_value(reader, &parts, tensor, &attribute);
    }
    attribute.type = parts.type >= 0 && parts.type < SG_GRAPH_TYPE_COUNT
                         ? (sg_graph_attribute_type)parts.type
                         : SG_GRAPH_TYPE_COUNT;
    sg_graph_attribute *entry = SG_ONNX_APPEND(reader, *list, *count);
    SG_TRY(entry != NULL);
    *entry = attribute;
    return true;
}

/* --- nodes and graphs --- */

static bool read_node_fields(sg_onnx_reader *reader, sg_graph_node *node)
{
    sg_wire_field f;
    while (sg_wire_next(&reader->wire, &f)) {
        switch (f.tag) {
        case TAG_BYTES(1):
            SG_TRY(append_name(reader, &f, "input", &node->inputs, &node->ninputs));
            break;
        case TAG_BYTES(2):
            SG_TRY(append_name(reader, &f, "output", &node->outputs, &node->noutputs));
            break;
        case TAG_BYTES(3):
            SG_TRY(sg_onnx_read_name(reader, &f, "name", &node->name));
            break;
        case TAG_BYTES(4):
            SG_TRY(sg_onnx_read_name(reader, &f, "op_type", &node->op_type));
            break;
        case TAG_BYTES(5):
            SG_TRY(append_attribute(reader, &f, &node->attributes, &node->nattributes));
            break;
        case TAG_BYTES(7):
            SG_TRY(read_domain(reader, &f, &node->domain));
            break;
        case TAG_BYTES(8):
            SG_TRY(sg_onnx_read_name(reader, &f, "overload", &node->overload));
            break;
        default:
            break;
        }
    }
    return true;
}

static bool append_node(sg_onnx_reader *reader, const sg_wire_field *field, sg_graph *graph)
{
    sg_wire *wire = &reader->wire;
    sg_graph_node node = {.name = "", .op_type = "", .domain = "", .overload = ""};
    node.span = sg_wire_span(wire, field->start, field->end);
    sg_wire_scope scope = sg_wire_enter(wire, field, "NodeProto");
    reader->node = &node;
    bool ok = read_node_fields(reader, &node);
    reader->node = NULL;
    SG_TRY(ok && sg_wire_leave(wire, &scope));
    sg_graph_node *entry = SG_ONNX_APPEND(reader, graph->nodes, graph->nnodes);
    SG_TRY(entry != NULL);
    *entry = node;
    return true;
}

static bool append_initializer(sg_onnx_reader *reader, const sg_wire_field *field, bool sparse,
                               sg_graph *graph)
{
    sg_graph_tensor *tensor = SG_ONNX_APPEND(reader, graph->initializers, graph->ninitializers);
    SG_TRY(tensor != NULL);
    return sparse ? sg_onnx_read_sparse(reader, field, tensor)
                  : sg_onnx_read_tensor(reader, field, tensor);
}

static bool read_graph_field(sg_onnx_reader *reader, const sg_wire_field *f, sg_graph *graph)
{
    switch (f->tag) {
    case TAG_BYTES(1):
        return append_node(reader, f, graph);
    case TAG_BYTES(2):
        return sg_onnx_read_name(reader, f, "name", &graph->name);
    case TAG_BYTES(5):
        return append_initializer(reader, f, false, graph);
    case TAG_BYTES(11):
        return append_info(reader, f, &graph->inputs, &graph->ninputs);
    case TAG_BYTES(12):
        return append_info(reader, f, &graph->outputs, &graph->noutputs);
    case TAG_BYTES(13):
        return append_info(reader, f, &graph->infos, &graph->ninfos);
    case TAG_BYTES(15):
        return append_initializer(reader, f, true, graph);
    default:
        return true;
    }
}

/* Behind what is in the graph: a message that is there twice is one in two parts. */
static bool read_graph(sg_onnx_reader *reader, const sg_wire_field *field, sg_graph *graph)
{
    sg_wire *wire = &reader->wire;
    if (reader->depth == MAX_DEPTH) {
        return sg_wire_error(wire, field->start,
                             "graphs are within graphs more than %d deep, as no model's are",
                             MAX_DEPTH);
    }
    graph->name = graph->name != NULL ? graph->name : "";
    graph->span = sg_wire_span(wire, field->start, field->end);
    reader->depth++;
    sg_wire_scope scope = sg_wire_enter(wire, field, "GraphProto");
    sg_wire_field f;
    while (sg_wire_next(wire, &f)) {
        SG_TRY(read_graph_field(reader, &f, graph));
    }
    reader->depth--;
    return sg_wire_leave(wire, &scope);
}

/* --- models --- */

static bool append_opset(sg_onnx_reader *reader, const sg_wire_field *field, sg_graph_opset **list,
                         int64_t *count)
{
    sg_wire *wire = &reader->wire;
    sg_graph_opset *opset = SG_ONNX_APPEND(reader, *list, *count);
    SG_TRY(opset != NULL);
    *opset = (sg_graph_opset){.domain = "", .span = sg_wire_span(wire, field->start, field->end)};
    sg_wire_scope scope = sg_wire_enter(wire, field, "OperatorSetIdProto");
    sg_wire_field f;
    while (sg_wire_next(wire, &f)) {
        if (f.tag == TAG_BYTES(1)) {
            SG_TRY(read_domain(reader, &f, &opset->domain));
        } else if (f.tag == TAG_VARINT(2)) {
            opset->version = sg_onnx_int64(&f);
        }
    }
    return sg_wire_leave(wire, &scope);
}

static bool read_function_field(sg_onnx_reader *reader, const sg_wire_field *f,
                                sg_graph_function *function)
{
    switch (f->tag) {
    case TAG_BYTES(1):
        return sg_onnx_read_name(reader, f, "name", &function->name);
    case TAG_BYTES(4):
        return append_name(reader, f, "input", &function->inputs, &function->ninputs);
    case TAG_BYTES(5):
        return append_name(reader, f, "output", &function->outputs, &function->noutputs);
    case TAG_BYTES(6):
        return append_name(reader, f, "attribute", &function->attributes, &function->nattributes);
    case TAG_BYTES(7):
        return append_node(reader, f, &function->body);
    case TAG_BYTES(9):
        return append_opset(reader, f, &function->opsets, &function->nopsets);
    case TAG_BYTES(10):
        return read_domain(reader, f, &function->domain);
    case TAG_BYTES(11):
        return append_attribute(reader, f, &function->defaults, &function->ndefaults);
    case TAG_BYTES(12):
        return append_info(reader, f, &function->body.infos, &function->body.ninfos);
    case TAG_BYTES(13):
        return sg_onnx_read_name(reader, f, "overload", &function->overload);
    default:
        return true;
    }
}

static bool append_function(sg_onnx_reader *reader, const sg_wire_field *field,
                            sg_graph_model *model)
{
    sg_wire *wire = &reader->wire;
    sg_graph_function *function = SG_ONNX_APPEND(reader, model->functions, model->nfunctions);
    SG_TRY(function != NULL);
    *function = (sg_graph_function){.name = "", .domain = "", .overload = ""};
    function->span = sg_wire_span(wire, field->start, field->end);
    function->body.name = "";
    function->body.span = function->span;
    sg_wire_scope scope = sg_wire_enter(wire, field, "FunctionProto");
    sg_wire_field f;
    while (sg_wire_next(wire, &f)) {
        SG_TRY(read_function_field(reader, &f, function));
    }
    function->body.name = function->name;
    return sg_wire_leave(wire, &scope);
}

static bool read_model(sg_onnx_reader *reader, sg_graph_model *model, bool *has_graph)
{
    sg_wire *wire = &reader->wire;
    sg_wire_field f;
    while (sg_wire_next(wire, &f)) {
        switch (f.tag) {
        case TAG_VARINT(1):
            model->version = sg_onnx_int64(&f);
            break;
        case TAG_BYTES(7):
            *has_graph = true;
            SG_TRY(read_graph(reader, &f, &model->graph));
            break;
        case TAG_BYTES(8):
            SG_TRY(append_opset(reader, &f, &model->opsets, &model->nopsets));
            break;
        case TAG_BYTES(25):
            SG_TRY(append_function(reader, &f, model));
            break;
        default:
            break;
        }
    }
    return !wire->failed;
}

/* 0 where the domain is not imported; of several imports the last one counts. */
static int64_t version_of(const sg_graph_opset *opsets, int64_t count, const char *domain)
{
    int64_t version = 0;
    for (int64_t i = 0; i < count; i++) {
        if (strcmp(opsets[i].domain, domain) == 0) {
            version = opsets[i].version;
        }
    }
    return version;
}

/* Gives every node its version, which stands behind the nodes in the file. Graphs are nested
 * MAX_DEPTH deep at most. */
static void set_versions(sg_graph *graph, const sg_graph_opset *opsets, int64_t count)
{
    for (int64_t i = 0; i < graph->nnodes; i++) {
        sg_graph_node *node = &graph->nodes[i];
        node->opset = version_of(opsets, count, node->domain);
        for (int64_t k = 0; k < node->nattributes; k++) {
            sg_graph_attribute *attribute = &node->attributes[k];
            for (int64_t g = 0; attribute->graphs != NULL && g < attribute->count; g++) {
                set_versions(attribute->graphs[g], opsets, count);
            }
        }
    }
}

/* Before IR version 3 there were no imports, and every model was of the first operator set. */
static void import_first(sg_onnx_reader *reader, sg_graph_model *model)
{
    if (model->version < 3 && model->nopsets == 0) {
        model->opsets = SG_NEW(reader->arena, sg_graph_opset);
        model->opsets[0] = (sg_graph_opset){.domain = "", .version = 1};
        model->nopsets = 1;
    }
}

static bool open_wire(sg_onnx_reader *reader, const sg_onnx_input *input, sg_sha256 *hash)
{
    static const char message[] = "ModelProto";
    if (input->fd < 0) {
        sg_wire_open_memory(&reader->wire, reader->arena, reader->diag, input->name, input->bytes,
                            input->nbytes, message);
        return true;
    }
    return sg_wire_open_fd(&reader->wire, reader->arena, reader->diag, input->name, input->fd,
                           input->bytes, input->nbytes, hash, message);
}

static bool check_empty(sg_onnx_reader *reader)
{
    const unsigned char *head;
    size_t n = sg_wire_peek(&reader->wire, &head);
    SG_TRY(!reader->wire.failed);
    if (n == 0) {
        return sg_wire_error(&reader->wire, 0, "the file is empty; an ONNX model has a graph");
    }
    return true;
}

static bool hash_input(sg_onnx_reader *reader, const sg_onnx_input *input, sg_sha256 *hash)
{
    const sg_wire *wire = &reader->wire;
    if (wire->fd < 0) {
        sg_sha256_add(hash, input->bytes, input->nbytes);
    } else if (wire->seekable) {
        if (!sg_system_seek(wire->fd, wire->file_start) || !sg_sha256_fd(wire->fd, input->sha256)) {
            return sg_diag_fail(reader->diag, SG_EXIT_IO, sg_wire_span(wire, 0, 0),
                                "cannot read '%s': %s", input->name, strerror(errno));
        }
        return true;
    }
    sg_sha256_end(hash, input->sha256);
    return true;
}

static bool read_input(sg_onnx_reader *reader, const sg_onnx_input *input, sg_graph_model *model)
{
    sg_sha256 hash;
    sg_sha256_init(&hash);
    SG_TRY(open_wire(reader, input, input->sha256 != NULL ? &hash : NULL));
    model->source = reader->wire.source;
    model->graph.name = "";
    bool has_graph = false;
    SG_TRY(check_empty(reader) && read_model(reader, model, &has_graph));
    if (!has_graph) {
        return sg_wire_error(&reader->wire, 0,
                             "this is no ONNX model: a ModelProto has a graph in its field 7, and "
                             "there is none");
    }
    import_first(reader, model);
    set_versions(&model->graph, model->opsets, model->nopsets);
    for (int64_t i = 0; i < model->nfunctions; i++) {
        sg_graph_function *function = &model->functions[i];
        set_versions(&function->body, function->opsets, function->nopsets);
    }
    return input->sha256 == NULL || hash_input(reader, input, &hash);
}

sg_graph_model *sg_onnx_read_input(sg_arena *arena, sg_diag *diag, const sg_onnx_input *input)
{
    sg_graph_model *model = SG_NEW(arena, sg_graph_model);
    sg_onnx_reader reader = {
        .arena = arena,
        .diag = diag,
        .beside = {.arena = arena, .diag = diag, .folder = input->folder, .files = input->files},
        .memory_before = arena->total};
    model->format = SG_MODEL_ONNX;
    const char *rule = sg_diag_set_rule(diag, "onnx");
    bool ok = read_input(&reader, input, model);
    (void)sg_diag_set_rule(diag, rule);
    sg_buf_free(&reader.text);
    return ok ? model : NULL;
}

sg_graph_model *sg_onnx_read_binary(sg_arena *arena, sg_diag *diag, const char *path_or_dash,
                                    sg_file_list *files)
{
    sg_onnx_input input = {.name = path_or_dash, .fd = SG_STANDARD_INPUT, .files = files};
    if (strcmp(path_or_dash, "-") == 0) {
        input.name = "<stdin>";
        return sg_onnx_read_input(arena, diag, &input);
    }
    input.folder = sg_path_dir(arena, path_or_dash);
    input.fd = sg_system_open(path_or_dash);
    if (input.fd < 0) {
        sg_span span = sg_span_make(sg_source_binary(arena, path_or_dash, 0), 0, 0);
        sg_diag_fail(diag, SG_EXIT_IO, span, "cannot read '%s': %s", path_or_dash, strerror(errno));
        return NULL;
    }
    sg_graph_model *model = sg_onnx_read_input(arena, diag, &input);
    sg_system_close(input.fd);
    return model;
}
