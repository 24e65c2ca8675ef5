/* The messages of binary ONNX except tensors: models, graphs, nodes, attributes, types and
 * functions. There is one function per message with one case per field; other fields are skipped.
 * Nothing here depends on operators. */
#include "frontend/onnx/onnx_binary.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/system.h"
#include "shapes/element_bits.h"
#include "shapes/graph_build.h"
#include "frontend/onnx/onnx_reader.h"

/* The maximum depth of graphs in attributes of nodes of graphs. Real models have a depth of
 * three. */
#define MAX_DEPTH 64
/* Longer texts in attributes are programs for another compiler, and are skipped. */
#define MAX_ATTRIBUTE_TEXT ((int64_t)1 << 16)

/* --- shared --- */

static bool read_domain(sg_onnx_reader *reader, const sg_wire_field *field, const char **domain)
{
    SG_TRY(sg_onnx_read_name(reader, field, "domain", domain));
    *domain = sg_graph_domain(*domain);
    return true;
}

static bool append_name(sg_onnx_reader *reader, const sg_wire_field *field, const char *what,
                        const char ***list, int64_t *count)
{
    return sg_onnx_read_name(reader, field, what, SG_GRAPH_APPEND(reader->arena, *list, *count));
}

/* --- types --- */

static bool take_dim(sg_onnx_reader *reader, const sg_wire_field *f, void *to)
{
    sg_graph_dim *dim = to;
    if (f->tag == TAG_VARINT(1)) { /* dim_value */
        dim->size = sg_onnx_int64(f->value);
        dim->size = dim->size < 0 ? -1 : dim->size; /* some exporters write -1 for an unknown dim */
        dim->name = NULL;
    } else if (f->tag == TAG_BYTES(2)) {
        SG_TRY(sg_onnx_read_name(reader, f, "dim_param", &dim->name));
        dim->name = dim->name[0] != '\0' ? dim->name : NULL;
        dim->size = -1;
    }
    return true;
}

static bool take_shape(sg_onnx_reader *reader, const sg_wire_field *f, void *to)
{
    sg_graph_shape *shape = to;
    if (f->tag != TAG_BYTES(1)) {
        return true;
    }
    sg_graph_dim *dim = SG_GRAPH_APPEND(reader->arena, shape->dims, shape->rank);
    *dim = (sg_graph_dim){.size = -1, .span = sg_onnx_span(reader, f)};
    return sg_onnx_read_message(reader, f, "TensorShapeProto.Dimension", take_dim, dim);
}

static bool take_tensor_type(sg_onnx_reader *reader, const sg_wire_field *f, void *to)
{
    sg_graph_type *type = to;
    if (f->tag == TAG_VARINT(1)) { /* elem_type */
        type->dtype = sg_onnx_dtype(sg_onnx_int32(f));
    } else if (f->tag == TAG_BYTES(2)) {
        type->shape.has_rank = true;
        return sg_onnx_read_message(reader, f, "TensorShapeProto", take_shape, &type->shape);
    }
    return true;
}

/* before: the field number of the alternative read so far, or 0. The last alternative of a oneof
 * takes effect. */
typedef struct info_parts {
    sg_graph_info *info;
    uint32_t before;
} info_parts;

static bool take_type(sg_onnx_reader *reader, const sg_wire_field *f, void *to)
{
    info_parts *parts = to;
    sg_graph_type *type = &parts->info->type;
    switch (f->tag) {
    case TAG_BYTES(1): /* tensor_type */
    case TAG_BYTES(8): /* sparse_tensor_type */
        if (parts->before != 0 && parts->before != f->number) {
            *type = sg_graph_unknown_type(true);
        }
        parts->before = f->number;
        return sg_onnx_read_message(reader, f, "TypeProto.Tensor", take_tensor_type, type);
    case TAG_BYTES(4): /* sequence_type */
    case TAG_BYTES(5): /* map_type */
    case TAG_BYTES(7): /* opaque_type */
    case TAG_BYTES(9): /* optional_type */
        parts->before = f->number;
        *type = sg_graph_unknown_type(false);
        return true;
    default:
        return true;
    }
}

static bool take_info(sg_onnx_reader *reader, const sg_wire_field *f, void *to)
{
    info_parts *parts = to;
    if (f->tag == TAG_BYTES(1)) {
        return sg_onnx_read_name(reader, f, "name", &parts->info->name);
    }
    return f->tag != TAG_BYTES(2) || sg_onnx_read_message(reader, f, "TypeProto", take_type, parts);
}

/* Appends a ValueInfoProto to a list. */
static bool append_info(sg_onnx_reader *reader, const sg_wire_field *field, sg_graph_info **list,
                        int64_t *count)
{
    info_parts parts = {.info = SG_GRAPH_APPEND(reader->arena, *list, *count)};
    *parts.info = (sg_graph_info){
        .name = "", .type = sg_graph_unknown_type(true), .span = sg_onnx_span(reader, field)};
    return sg_onnx_read_message(reader, field, "ValueInfoProto", take_info, &parts);
}

/* --- attributes --- */

static bool read_graph(sg_onnx_reader *reader, const sg_wire_field *field, sg_graph *graph);

/* The contents of an AttributeProto. Its type says which value is used. */
typedef struct attribute_parts {
    sg_graph_attribute *attribute;
    int64_t type;
    const char *reference;
    /* one for each type; the last element is for an unknown type and has no value */
    sg_graph_attribute values[SG_GRAPH_TYPE_COUNT + 1];
    bool present[SG_GRAPH_TYPE_COUNT + 1];
    sg_onnx_parts *tensor;
    sg_onnx_sparse *sparse;
} attribute_parts;

/* Reads the bytes of an attribute, which need not be text. NULL if there are too many. */
static bool read_text(sg_onnx_reader *reader, const sg_wire_field *field, const char **text)
{
    *text = NULL;
    if (field->end - field->begin > MAX_ATTRIBUTE_TEXT) {
        return true;
    }
    reader->text.len = 0;
    SG_TRY(sg_wire_bytes(&reader->wire, field, &reader->text));
    *text = sg_arena_strndup(reader->arena, reader->text.ptr, reader->text.len);
    return true;
}

static bool read_subgraph(sg_onnx_reader *reader, const sg_wire_field *field, sg_graph **graph)
{
    const sg_graph_node *node = reader->node;
    const sg_graph_attribute *attribute = reader->attribute;
    reader->node = NULL;
    reader->attribute = NULL;
    *graph = *graph != NULL ? *graph : SG_NEW(reader->arena, sg_graph);
    bool ok = read_graph(reader, field, *graph);
    reader->node = node;
    reader->attribute = attribute;
    return ok;
}

static void add_int(sg_arena *arena, uint64_t bits, void *to)
{
    sg_graph_attribute *value = to;
    *SG_GRAPH_APPEND(arena, value->ints, value->count) = sg_onnx_int64(bits);
}

static void add_float(sg_arena *arena, uint64_t bits, void *to)
{
    sg_graph_attribute *value = to;
    int64_t integer;
    (void)sg_element_value(SG_DTYPE_F32, bits, &integer,
                           SG_GRAPH_APPEND(arena, value->floats, value->count));
}

/* The type of the value in a field, including packed lists of numbers; UNDEFINED if the field has
 * no value. */
static sg_graph_attribute_type value_type(const sg_wire_field *field)
{
    static const uint32_t tags[] = {
#define X(name, word, field, wire, kind, list) SG_WIRE_TAG(field, SG_WIRE_##wire),
#include "shapes/attribute_types.inc"
#undef X
    };
    for (int type = 1; type < SG_GRAPH_TYPE_COUNT; type++) {
        if (field->tag == tags[type] ||
            ((type == SG_GRAPH_TYPE_INTS || type == SG_GRAPH_TYPE_FLOATS) &&
             field->tag == TAG_BYTES(tags[type] >> 3))) {
            return (sg_graph_attribute_type)type;
        }
    }
    return SG_GRAPH_TYPE_UNDEFINED;
}

/* Reads the value in a field, if it has one. */
static bool read_value(sg_onnx_reader *reader, const sg_wire_field *f, attribute_parts *parts)
{
    const sg_graph_attribute_type type = value_type(f);
    sg_graph_attribute *value = &parts->values[type];
    sg_arena *arena = reader->arena;
    parts->present[type] = true;
    switch (type) {
    case SG_GRAPH_TYPE_FLOAT:
        value->count = 0; /* the last value takes effect */
        add_float(arena, f->value, value);
        return true;
    case SG_GRAPH_TYPE_INT:
        value->count = 0;
        add_int(arena, f->value, value);
        return true;
    case SG_GRAPH_TYPE_STRING:
        value->count = 0;
        SG_TRY(read_text(reader, f, SG_GRAPH_APPEND(arena, value->texts, value->count)));
        value->count = value->texts[0] != NULL;
        return true;
    case SG_GRAPH_TYPE_TENSOR:
        return sg_onnx_add_tensor(reader, f, &parts->tensor);
    case SG_GRAPH_TYPE_SPARSE_TENSOR:
        return sg_onnx_add_sparse(reader, f, &parts->sparse);
    case SG_GRAPH_TYPE_GRAPH:
        if (value->count == 0) { /* otherwise the field continues the same graph */
            (void)SG_GRAPH_APPEND(arena, value->graphs, value->count);
        }
        return read_subgraph(reader, f, &value->graphs[0]);
    case SG_GRAPH_TYPE_FLOATS:
        return sg_onnx_read_numbers(reader, f, SG_WIRE_FIXED32, reader->wire.message, add_float,
                                    value);
    case SG_GRAPH_TYPE_INTS:
        return sg_onnx_read_numbers(reader, f, SG_WIRE_VARINT, reader->wire.message, add_int,
                                    value);
    case SG_GRAPH_TYPE_STRINGS: {
        const char **text = SG_GRAPH_APPEND(arena, value->texts, value->count);
        SG_TRY(read_text(reader, f, text));
        *text = *text != NULL ? *text : "";
        return true;
    }
    case SG_GRAPH_TYPE_GRAPHS:
        return read_subgraph(reader, f, SG_GRAPH_APPEND(arena, value->graphs, value->count));
    default:
        return true;
    }
}

/* If the attribute has no type, as in models of the first IR versions, takes the type of its only
 * value. */
static bool find_type(sg_onnx_reader *reader, const sg_graph_attribute *attribute,
                      attribute_parts *parts)
{
    int64_t only = SG_GRAPH_TYPE_UNDEFINED;
    int count = 0;
    for (int type = 1; type < SG_GRAPH_TYPE_COUNT; type++) {
        only = parts->present[type] ? type : only;
        count += parts->present[type];
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
               !parts->present[parts->type]) {
        return sg_diag_error(reader->diag, attribute->span,
                             "attribute '%s' has type %s but a value of type %s", attribute->name,
                             sg_graph_attribute_type_name(parts->type),
                             sg_graph_attribute_type_name(only));
    }
    return true;
}

/* Checks and converts the tensors of an attribute, including those that are not used. */
static bool end_tensors(sg_onnx_reader *reader, attribute_parts *parts)
{
    sg_graph_attribute *dense = &parts->values[SG_GRAPH_TYPE_TENSOR];
    sg_graph_attribute *sparse = &parts->values[SG_GRAPH_TYPE_SPARSE_TENSOR];
    if (parts->tensor != NULL) {
        dense->count = 1;
        dense->tensor = SG_NEW(reader->arena, sg_graph_tensor);
        SG_TRY(sg_onnx_end_tensor(reader, parts->tensor, dense->tensor));
    }
    if (parts->sparse != NULL) {
        sparse->count = 1;
        sparse->tensor = SG_NEW(reader->arena, sg_graph_tensor);
        SG_TRY(sg_onnx_end_sparse(reader, parts->sparse, sparse->tensor));
    }
    return true;
}

static bool take_attribute(sg_onnx_reader *reader, const sg_wire_field *f, void *to)
{
    attribute_parts *parts = to;
    switch (f->tag) {
    case TAG_BYTES(1):
        return sg_onnx_read_name(reader, f, "name", &parts->attribute->name);
    case TAG_VARINT(20):
        parts->type = sg_onnx_int32(f);
        return true;
    case TAG_BYTES(21):
        return sg_onnx_read_name(reader, f, "ref_attr_name", &parts->reference);
    default:
        return read_value(reader, f, parts);
    }
}

/* Sets the value of the attribute from its type. Writers of proto3 omit 0 and empty strings, so a
 * missing number is 0 and a missing string empty. */
static void set_value(sg_onnx_reader *reader, attribute_parts *parts, sg_graph_attribute_type type)
{
    sg_graph_attribute *value = &parts->values[type];
    const bool missing = !parts->present[type];
    if (missing && type == SG_GRAPH_TYPE_INT) {
        add_int(reader->arena, 0, value);
    } else if (missing && type == SG_GRAPH_TYPE_FLOAT) {
        add_float(reader->arena, 0, value);
    } else if (missing && type == SG_GRAPH_TYPE_STRING) {
        *SG_GRAPH_APPEND(reader->arena, value->texts, value->count) = "";
    }
    value->name = parts->attribute->name;
    value->span = parts->attribute->span;
    *parts->attribute = *value;
    sg_graph_set_type(parts->attribute, type);
}

static bool append_attribute(sg_onnx_reader *reader, const sg_wire_field *field,
                             sg_graph_attribute **list, int64_t *count)
{
    sg_graph_attribute attribute = {.name = "", .span = sg_onnx_span(reader, field)};
    attribute_parts parts = {.attribute = &attribute, .reference = ""};
    reader->attribute = &attribute;
    bool ok = sg_onnx_read_message(reader, field, "AttributeProto", take_attribute, &parts) &&
              find_type(reader, &attribute, &parts) && end_tensors(reader, &parts);
    reader->attribute = NULL;
    SG_TRY(ok);
    const sg_graph_attribute_type type = parts.type >= 0 && parts.type < SG_GRAPH_TYPE_COUNT
                                             ? (sg_graph_attribute_type)parts.type
                                             : SG_GRAPH_TYPE_COUNT;
    if (parts.reference[0] != '\0') {
        *SG_GRAPH_APPEND(reader->arena, attribute.texts, attribute.count) = parts.reference;
        attribute.kind = SG_GRAPH_ATTRIBUTE_REFERENCE;
        attribute.type = type;
    } else {
        set_value(reader, &parts, type);
    }
    *SG_GRAPH_APPEND(reader->arena, *list, *count) = attribute;
    return true;
}

/* --- nodes and graphs --- */

static bool take_node(sg_onnx_reader *reader, const sg_wire_field *f, void *to)
{
    sg_graph_node *node = to;
    switch (f->tag) {
    case TAG_BYTES(1):
        return append_name(reader, f, "input", &node->inputs, &node->ninputs);
    case TAG_BYTES(2):
        return append_name(reader, f, "output", &node->outputs, &node->noutputs);
    case TAG_BYTES(3):
        return sg_onnx_read_name(reader, f, "name", &node->name);
    case TAG_BYTES(4):
        return sg_onnx_read_name(reader, f, "op_type", &node->op_type);
    case TAG_BYTES(5):
        return append_attribute(reader, f, &node->attributes, &node->nattributes);
    case TAG_BYTES(7):
        return read_domain(reader, f, &node->domain);
    case TAG_BYTES(8):
        return sg_onnx_read_name(reader, f, "overload", &node->overload);
    default:
        return true;
    }
}

static bool append_node(sg_onnx_reader *reader, const sg_wire_field *field, sg_graph *graph)
{
    sg_graph_node node = {.name = "", .op_type = "", .domain = "", .overload = ""};
    node.span = sg_onnx_span(reader, field);
    reader->node = &node;
    bool ok = sg_onnx_read_message(reader, field, "NodeProto", take_node, &node);
    reader->node = NULL;
    SG_TRY(ok);
    *SG_GRAPH_APPEND(reader->arena, graph->nodes, graph->nnodes) = node;
    return true;
}

static bool take_graph(sg_onnx_reader *reader, const sg_wire_field *f, void *to)
{
    sg_graph *graph = to;
    sg_graph_tensor **tensors = &graph->initializers;
    switch (f->tag) {
    case TAG_BYTES(1):
        return append_node(reader, f, graph);
    case TAG_BYTES(2):
        return sg_onnx_read_name(reader, f, "name", &graph->name);
    case TAG_BYTES(5):
        return sg_onnx_read_tensor(reader, f,
                                   SG_GRAPH_APPEND(reader->arena, *tensors, graph->ninitializers));
    case TAG_BYTES(11):
        return append_info(reader, f, &graph->inputs, &graph->ninputs);
    case TAG_BYTES(12):
        return append_info(reader, f, &graph->outputs, &graph->noutputs);
    case TAG_BYTES(13):
        return append_info(reader, f, &graph->infos, &graph->ninfos);
    case TAG_BYTES(15):
        return sg_onnx_read_sparse(reader, f,
                                   SG_GRAPH_APPEND(reader->arena, *tensors, graph->ninitializers));
    default:
        return true;
    }
}

/* Appends to the graph: in protobuf, a message field that occurs twice is one message in two
 * parts. */
static bool read_graph(sg_onnx_reader *reader, const sg_wire_field *field, sg_graph *graph)
{
    if (reader->depth == MAX_DEPTH) {
        return sg_wire_error(&reader->wire, field->start,
                             "graphs are within graphs more than %d deep, as no model's are",
                             MAX_DEPTH);
    }
    graph->name = graph->name != NULL ? graph->name : "";
    graph->span = sg_onnx_span(reader, field);
    reader->depth++;
    bool ok = sg_onnx_read_message(reader, field, "GraphProto", take_graph, graph);
    reader->depth--;
    return ok;
}

/* --- models --- */

static bool take_opset(sg_onnx_reader *reader, const sg_wire_field *f, void *to)
{
    sg_graph_opset *opset = to;
    if (f->tag == TAG_BYTES(1)) {
        return read_domain(reader, f, &opset->domain);
    }
    opset->version = f->tag == TAG_VARINT(2) ? sg_onnx_int64(f->value) : opset->version;
    return true;
}

static bool append_opset(sg_onnx_reader *reader, const sg_wire_field *field, sg_graph_opset **list,
                         int64_t *count)
{
    sg_graph_opset *opset = SG_GRAPH_APPEND(reader->arena, *list, *count);
    *opset = (sg_graph_opset){.domain = "", .span = sg_onnx_span(reader, field)};
    return sg_onnx_read_message(reader, field, "OperatorSetIdProto", take_opset, opset);
}

static bool take_function(sg_onnx_reader *reader, const sg_wire_field *f, void *to)
{
    sg_graph_function *function = to;
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
    sg_graph_function *function =
        SG_GRAPH_APPEND(reader->arena, model->functions, model->nfunctions);
    *function = (sg_graph_function){.name = "", .domain = "", .overload = ""};
    function->span = function->body.span = sg_onnx_span(reader, field);
    SG_TRY(sg_onnx_read_message(reader, field, "FunctionProto", take_function, function));
    function->body.name = function->name;
    return true;
}

static bool take_model(sg_onnx_reader *reader, const sg_wire_field *f, void *to)
{
    sg_graph_model *model = to;
    switch (f->tag) {
    case TAG_VARINT(1):
        model->version = sg_onnx_int64(f->value);
        return true;
    case TAG_BYTES(7):
        return read_graph(reader, f, &model->graph);
    case TAG_BYTES(8):
        return append_opset(reader, f, &model->opsets, &model->nopsets);
    case TAG_BYTES(25):
        return append_function(reader, f, model);
    default:
        return true;
    }
}

/* Before IR version 3 there were no imports, and every model used the first operator set. */
static void import_first(sg_onnx_reader *reader, sg_graph_model *model)
{
    if (model->version < 3 && model->nopsets == 0) {
        *SG_GRAPH_APPEND(reader->arena, model->opsets, model->nopsets) =
            (sg_graph_opset){.domain = "", .version = 1};
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
    SG_TRY(check_empty(reader) && sg_onnx_read_fields(reader, take_model, model));
    if (model->graph.name == NULL) {
        return sg_wire_error(&reader->wire, 0,
                             "this is no ONNX model: a ModelProto has a graph in its field 7, and "
                             "there is none");
    }
    import_first(reader, model);
    sg_graph_set_versions(model);
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
