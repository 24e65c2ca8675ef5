/* TensorProto: type, dims, and the values of small tensors from whichever field holds them. One
 * pass, in any order of the fields, because a pipe cannot be read twice: data that may be small is
 * kept aside until dims and type are known. The fields are those of onnx/onnx.in.proto. */
#include "frontend/onnx/onnx_reader.h"

#include <inttypes.h>
#include <string.h>

#include "base/checked.h"
#include "frontend/graph/element_bits.h"

/* Tensors up to this size always keep their values: scales, lengths, shapes. */
#define ALWAYS_KEPT 64
/* Kept for larger ones in all. A model has thousands of biases, and nothing is calculated with
 * them. */
#define MAX_VALUE_BYTES ((size_t)16 << 20)
/* A tensor of more bytes of text keeps none. */
#define MAX_TEXT_BYTES ((int64_t)1 << 20)
/* A varint of a packed list has at most so many bytes. */
#define VARINT_BYTES 10
#define EXTERNAL     1

enum {
    FIELD_DIMS = 1,
    FIELD_DATA_TYPE = 2,
    FIELD_FLOAT_DATA = 4,
    FIELD_INT32_DATA = 5,
    FIELD_STRING_DATA = 6,
    FIELD_INT64_DATA = 7,
    FIELD_NAME = 8,
    FIELD_RAW_DATA = 9,
    FIELD_DOUBLE_DATA = 10,
    FIELD_UINT64_DATA = 11,
    FIELD_EXTERNAL_DATA = 13,
    FIELD_DATA_LOCATION = 14
};

/* What was read of a tensor so far. */
struct sg_onnx_parts {
    sg_onnx_scratch *scratch; /* where its values are */
    int64_t *dims;
    int64_t ndims;
    int64_t data_type;
    int64_t location;
    const char *name;
    sg_onnx_external external;
    uint32_t field;  /* that holds data: one of FIELD_*_DATA; 0: none */
    uint32_t second; /* another one; 0 */
    int64_t count;   /* entries of it; of raw_data bytes; -1: many, not counted */
    int64_t text_bytes;
    const char **texts;
    sg_span span;
};

static const char *field_name(uint32_t field)
{
    switch (field) {
    case FIELD_FLOAT_DATA:
        return "float_data";
    case FIELD_INT32_DATA:
        return "int32_data";
    case FIELD_STRING_DATA:
        return "string_data";
    case FIELD_INT64_DATA:
        return "int64_data";
    case FIELD_DOUBLE_DATA:
        return "double_data";
    case FIELD_UINT64_DATA:
        return "uint64_data";
    default:
        return "raw_data";
    }
}

/* "tensor 'w' of attribute 'value' of node 'n'", as far as there are names. */
static const char *describe(const sg_onnx_reader *reader, const sg_onnx_parts *parts)
{
    const char *text = parts->name[0] != '\0'
                           ? sg_arena_printf(reader->arena, "tensor '%s'", parts->name)
                           : "the tensor";
    if (reader->attribute != NULL && reader->attribute->name[0] != '\0') {
        text =
            sg_arena_printf(reader->arena, "%s of attribute '%s'", text, reader->attribute->name);
    }
    if (reader->node != NULL && reader->node->name[0] != '\0') {
        text = sg_arena_printf(reader->arena, "%s of node '%s'", text, reader->node->name);
    } else if (reader->node != NULL && reader->node->noutputs > 0) {
        text = sg_arena_printf(reader->arena, "%s of the node that makes '%s'", text,
                               reader->node->outputs[0]);
    }
    return text;
}

int sg_onnx_dtype(int64_t data_type)
{
    for (int i = 0; i < SG_DTYPE_COUNT; i++) {
        int number = sg_dtype_get((sg_dtype)i)->onnx_enum;
        if (number != 0 && number == data_type) {
            return i;
        }
    }
    return SG_GRAPH_DTYPE_UNKNOWN;
}

/* --- the fields --- */

static bool read_external_entry(sg_onnx_reader *reader, const sg_wire_field *field,
                                sg_onnx_parts *parts)
{
    sg_wire *wire = &reader->wire;
    const char *key = "";
    const char *value = "";
    sg_wire_scope scope = sg_wire_enter(wire, field, "StringStringEntryProto");
    sg_wire_field f;
    while (sg_wire_next(wire, &f)) {
        if (f.tag == TAG_BYTES(1)) {
            SG_TRY(sg_onnx_read_name(reader, &f, "key", &key));
        } else if (f.tag == TAG_BYTES(2)) {
            SG_TRY(sg_onnx_read_name(reader, &f, "value", &value));
        }
    }
    SG_TRY(sg_wire_leave(wire, &scope));
    const sg_span span = sg_wire_span(wire, field->start, field->end);
    return sg_onnx_external_set(&parts->external, reader->diag, span, key, value);
}

/* Notes that a field holds data. False where another one does too: what both hold is of no use. */
static bool note_field(sg_onnx_parts *parts, uint32_t field)
{
    if (parts->field != 0 && parts->field != field) {
        parts->second = field;
        return false;
    }
    parts->field = field;
    return true;
}

static bool read_raw(sg_onnx_reader *reader, const sg_wire_field *field, sg_onnx_parts *parts)
{
    int64_t n = field->end - field->begin;
    if (n == 0 && parts->field == FIELD_RAW_DATA) { /* the last one counts */
        parts->field = 0;
    }
    if (n == 0 || !note_field(parts, FIELD_RAW_DATA)) {
        return true;
    }
    parts->count = n;
    if (n > SG_ONNX_RAW_MAX) {
        return true;
    }
    reader->text.len = 0;
    SG_TRY(sg_wire_bytes(&reader->wire, field, &reader->text));
    memcpy(parts->scratch->raw, reader->text.ptr, reader->text.len);
    return true;
}

static bool read_text(sg_onnx_reader *reader, const sg_wire_field *field, sg_onnx_parts *parts)
{
    if (!note_field(parts, FIELD_STRING_DATA)) {
        return true;
    }
    parts->text_bytes += field->end - field->begin;
    if (parts->count >= SG_GRAPH_VALUES_MAX || parts->text_bytes > MAX_TEXT_BYTES) {
        parts->count++;
        return true;
    }
    reader->text.len = 0;
    SG_TRY(sg_wire_bytes(&reader->wire, field, &reader->text));
    parts->texts = sg_onnx_grow(reader, parts->texts, parts->count, sizeof *parts->texts);
    if (parts->texts == NULL) {
        return false;
    }
    parts->texts[parts->count++] =
        sg_arena_strndup(reader->arena, reader->text.ptr, reader->text.len);
    return true;
}

static void add_bits(sg_onnx_parts *parts, uint64_t bits)
{
    if (parts->count < 0) {
        return; /* too many to be counted */
    }
    if (parts->count < SG_GRAPH_VALUES_MAX) {
        parts->scratch->bits[parts->count] = bits;
    }
    parts->count++;
}

/* Numbers, packed or not. */
static bool read_numbers(sg_onnx_reader *reader, const sg_wire_field *field, sg_wire_type type,
                         sg_onnx_parts *parts)
{
    sg_wire *wire = &reader->wire;
    if (field->type == type) {
        if (note_field(parts, field->number)) {
            add_bits(parts, field->value);
        }
        return true;
    }
    const char *name = field_name(field->number);
    int64_t n = field->end - field->begin;
    if (n == 0 || !note_field(parts, field->number)) {
        return true;
    }
    if (type != SG_WIRE_VARINT) {
        int64_t width = type == SG_WIRE_FIXED64 ? 8 : 4;
        if (n % width != 0) {
            return sg_wire_error(wire, field->start,
                                 "%s has %" PRId64 " bytes, which are no whole entries of %" PRId64
                                 "; the file is damaged",
                                 name, n, width);
        }
        if (n / width > SG_GRAPH_VALUES_MAX && parts->count >= 0) {
            parts->count += n / width;
            return true;
        }
    } else if (n > (int64_t)SG_GRAPH_VALUES_MAX * VARINT_BYTES) {
        parts->count = -1;
        return true;
    }
    if (parts->count < 0) {
        return true;
    }
    sg_wire_scope scope = sg_wire_enter(wire, field, name);
    uint64_t bits;
    while (sg_wire_packed(wire, type, &bits)) {
        add_bits(parts, bits);
    }
    return sg_wire_leave(wire, &scope);
}

static bool read_field(sg_onnx_reader *reader, const sg_wire_field *f, sg_onnx_parts *parts)
{
    switch (f->tag) {
    case TAG_VARINT(FIELD_DIMS):
    case TAG_BYTES(FIELD_DIMS):
        return sg_onnx_read_ints(reader, f, &parts->dims, &parts->ndims);
    case TAG_VARINT(FIELD_DATA_TYPE):
        parts->data_type = sg_onnx_int32(f);
        return true;
    case TAG_BYTES(FIELD_NAME):
        return sg_onnx_read_name(reader, f, "name", &parts->name);
    case TAG_FIXED32(FIELD_FLOAT_DATA):
    case TAG_BYTES(FIELD_FLOAT_DATA):
        return read_numbers(reader, f, SG_WIRE_FIXED32, parts);
    case TAG_FIXED64(FIELD_DOUBLE_DATA):
    case TAG_BYTES(FIELD_DOUBLE_DATA):
        return read_numbers(reader, f, SG_WIRE_FIXED64, parts);
    case TAG_VARINT(FIELD_INT32_DATA):
    case TAG_BYTES(FIELD_INT32_DATA):
    case TAG_VARINT(FIELD_INT64_DATA):
    case TAG_BYTES(FIELD_INT64_DATA):
    case TAG_VARINT(FIELD_UINT64_DATA):
    case TAG_BYTES(FIELD_UINT64_DATA):
        return read_numbers(reader, f, SG_WIRE_VARINT, parts);
    case TAG_BYTES(FIELD_STRING_DATA):
        return read_text(reader, f, parts);
    case TAG_BYTES(FIELD_RAW_DATA):
        return read_raw(reader, f, parts);
    case TAG_BYTES(FIELD_EXTERNAL_DATA):
        return read_external_entry(reader, f, parts);
    case TAG_VARINT(FIELD_DATA_LOCATION):
        parts->location = sg_onnx_int32(f);
        return true;
    default:
        return true;
    }
}

static void begin(sg_onnx_reader *reader, sg_onnx_parts *parts)
{
    *parts = (sg_onnx_parts){.name = "", .external = SG_ONNX_EXTERNAL_NONE};
    parts->scratch = reader->scratch;
    if (parts->scratch == NULL) {
        parts->scratch = SG_NEW(reader->arena, sg_onnx_scratch);
        parts->scratch->bits = SG_NEW_ARRAY(reader->arena, uint64_t, SG_GRAPH_VALUES_MAX);
        parts->scratch->raw = sg_arena_alloc(reader->arena, (size_t)SG_ONNX_RAW_MAX);
    }
    reader->scratch = parts->scratch->next;
}

static void end(sg_onnx_reader *reader, sg_onnx_parts *parts)
{
    parts->scratch->next = reader->scratch;
    reader->scratch = parts->scratch;
}

/* Behind what the parts have: a message that is there twice is one in two parts. */
static bool read_parts(sg_onnx_reader *reader, const sg_wire_field *field, sg_onnx_parts *parts)
{
    parts->span = sg_wire_span(&reader->wire, field->start, field->end);
    sg_wire_scope scope = sg_wire_enter(&reader->wire, field, "TensorProto");
    sg_wire_field f;
    while (sg_wire_next(&reader->wire, &f)) {
        SG_TRY(read_field(reader, &f, parts));
    }
    return sg_wire_leave(&reader->wire, &scope);
}

bool sg_onnx_add_tensor(sg_onnx_reader *reader, const sg_wire_field *field, sg_onnx_parts **parts)
{
    if (*parts == NULL) {
        *parts = SG_NEW(reader->arena, sg_onnx_parts);
        begin(reader, *parts);
    }
    return sg_onnx_has_room(reader) && read_parts(reader, field, *parts);
}

/* --- what they mean together --- */

/* Sets the type; *elements: how many there are. */
static bool set_type(sg_onnx_reader *reader, const sg_onnx_parts *parts, sg_graph_tensor *tensor,
                     int64_t *elements)
{
    tensor->name = parts->name;
    tensor->span = parts->span;
    tensor->type.is_tensor = true;
    tensor->type.dtype = sg_onnx_dtype(parts->data_type);
    sg_graph_shape *shape = &tensor->type.shape;
    shape->has_rank = true;
    shape->rank = parts->ndims;
    shape->dims = SG_NEW_ARRAY(reader->arena, sg_graph_dim, parts->ndims);
    bool empty = false;
    for (int64_t i = 0; i < parts->ndims; i++) {
        if (parts->dims[i] < 0) {
            return sg_diag_error(reader->diag, parts->span,
                                 "%s has %" PRId64 " as dim %" PRId64
                                 ", but the dims of a constant are known: 0 or more",
                                 describe(reader, parts), parts->dims[i], i);
        }
        shape->dims[i] = (sg_graph_dim){.size = parts->dims[i], .span = parts->span};
        empty = empty || parts->dims[i] == 0;
    }
    *elements = empty ? 0 : 1;
    for (int64_t i = 0; i < parts->ndims && !empty; i++) {
        if (!sg_mul64(*elements, parts->dims[i], elements)) {
            return sg_diag_error(reader->diag, parts->span,
                                 "%s has more elements than 63 bits can count",
                                 describe(reader, parts));
        }
    }
    return true;
}

/* The field of typed data that a type's values belong in. */
static uint32_t typed_field(sg_dtype dtype)
{
    switch (dtype) {
    case SG_DTYPE_F32:
    case SG_DTYPE_C64:
        return FIELD_FLOAT_DATA;
    case SG_DTYPE_F64:
    case SG_DTYPE_C128:
        return FIELD_DOUBLE_DATA;
    case SG_DTYPE_I64:
        return FIELD_INT64_DATA;
    case SG_DTYPE_U32:
    case SG_DTYPE_U64:
        return FIELD_UINT64_DATA;
    case SG_DTYPE_STRING:
        return FIELD_STRING_DATA;
    default:
        return FIELD_INT32_DATA;
    }
}

/* Bytes of n elements as they lie in raw_data; false beyond int64. */
static bool raw_bytes(sg_dtype dtype, int64_t n, int64_t *bytes)
{
    int64_t bits;
    SG_TRY(sg_mul64(n, sg_dtype_get(dtype)->bits, &bits));
    *bytes = bits / 8 + (bits % 8 != 0);
    return true;
}

/* Whether an entry of int32_data has a byte's worth of elements; of types whose width does not
 * divide a byte it has one. */
static bool shares_entries(sg_dtype dtype)
{
    const int width = sg_dtype_get(dtype)->bits;
    return width < 8 && 8 % width == 0;
}

/* Entries that the field of typed data has for n elements; false beyond int64. */
static bool typed_entries(sg_dtype dtype, int64_t n, int64_t *entries)
{
    if (dtype == SG_DTYPE_C64 || dtype == SG_DTYPE_C128) {
        return sg_mul64(n, 2, entries);
    }
    if (shares_entries(dtype)) {
        return raw_bytes(dtype, n, entries);
    }
    *entries = n;
    return true;
}

/* Whether the data is in the right field and of the right size. */
static bool check_data(sg_onnx_reader *reader, const sg_onnx_parts *parts, sg_dtype dtype,
                       int64_t elements)
{
    if (parts->second != 0) {
        return sg_diag_error(reader->diag, parts->span,
                             "%s has values in several fields (%s is one), so that it is not clear "
                             "which count",
                             describe(reader, parts), field_name(parts->second));
    }
    const char *type = sg_dtype_get(dtype)->onnx;
    bool raw = parts->field == FIELD_RAW_DATA;
    uint32_t right = typed_field(dtype);
    if (raw ? dtype == SG_DTYPE_STRING : parts->field != right) {
        return sg_diag_error(reader->diag, parts->span,
                             "%s is of %s and has its values in %s, but values of that type are in "
                             "%s",
                             describe(reader, parts), type, field_name(parts->field),
                             field_name(right));
    }
    int64_t needed;
    bool fits = raw ? raw_bytes(dtype, elements, &needed) : typed_entries(dtype, elements, &needed);
    /* What lies behind the needed bytes of raw_data is ignored, as by everyone else. */
    if (!fits || (raw ? parts->count < needed : parts->count >= 0 && parts->count != needed)) {
        return sg_diag_error(reader->diag, parts->span,
                             "%s has %" PRId64 " %s in %s, but %" PRId64 " elements of %s "
                             "need %s%" PRId64,
                             describe(reader, parts), parts->count, raw ? "bytes" : "entries",
                             field_name(parts->field), elements, type, fits ? "" : "more than ",
                             fits ? needed : INT64_MAX);
    }
    return true;
}

/* Puts what raw_data or the entries of a typed field say into the tensor: n numbers. */
static void set_values(sg_onnx_reader *reader, const sg_onnx_parts *parts, sg_dtype dtype, bool raw,
                       int64_t n, sg_graph_tensor *tensor)
{
    const sg_dtype number = sg_element_number(dtype);
    int width = sg_dtype_get(dtype)->bits;
    if (!raw && shares_entries(dtype)) {
        int64_t bytes = (n * width + 7) / 8;
        for (int64_t i = 0; i < bytes; i++) {
            parts->scratch->raw[i] = (unsigned char)(parts->scratch->bits[i] & 0xFF);
        }
        raw = true;
    }
    for (int64_t i = 0; raw && i < n; i++) {
        parts->scratch->bits[i] = sg_element_bits(parts->scratch->raw, number, (size_t)i);
    }
    sg_element_values(reader->arena, dtype, parts->scratch->bits, n, tensor);
    sg_element_keep(reader->arena, tensor, parts->scratch->bits, n);
    reader->value_bytes += (size_t)tensor->count * 8 + (size_t)tensor->nbytes;
}

static bool worth_keeping(const sg_onnx_reader *reader, int64_t elements)
{
    return elements <= ALWAYS_KEPT ||
           (elements <= SG_GRAPH_VALUES_MAX &&
            reader->value_bytes + (size_t)elements * 8 <= MAX_VALUE_BYTES);
}

static bool read_external(sg_onnx_reader *reader, const sg_onnx_parts *parts, sg_dtype dtype,
                          int64_t elements, sg_graph_tensor *tensor)
{
    const char *subject = describe(reader, parts);
    if (parts->field != 0) {
        return sg_diag_error(reader->diag, parts->span,
                             "%s says that its values are in the file '%s', but it has %s too",
                             subject, parts->external.location, field_name(parts->field));
    }
    sg_graph_values_kind kind = sg_element_kind(dtype);
    bool integers = kind == SG_GRAPH_VALUES_INTS;
    if (!integers && (kind != SG_GRAPH_VALUES_FLOATS || elements > ALWAYS_KEPT)) {
        return true; /* biases: no reason to ask for a file that may not be there */
    }
    int64_t bytes;
    bool there;
    if (!worth_keeping(reader, elements) || !raw_bytes(dtype, elements, &bytes)) {
        return true;
    }
    SG_TRY(sg_onnx_read_external(&reader->beside, &parts->external, subject, parts->span,
                                 parts->scratch->raw, bytes, &there));
    if (there) {
        set_values(reader, parts, dtype, true, elements, tensor);
    }
    return true;
}

static bool set_tensor(sg_onnx_reader *reader, const sg_onnx_parts *parts, sg_graph_tensor *tensor)
{
    int64_t elements;
    *tensor = (sg_graph_tensor){.name = ""};
    SG_TRY(set_type(reader, parts, tensor, &elements));
    if (tensor->type.dtype == SG_GRAPH_DTYPE_UNKNOWN) {
        return true;
    }
    sg_dtype dtype = (sg_dtype)tensor->type.dtype;
    if (parts->location == EXTERNAL) {
        return read_external(reader, parts, dtype, elements, tensor);
    }
    if (parts->field == 0 && elements > 0) {
        return true; /* stripped of its weights, as models for tests are */
    }
    if (parts->field != 0) {
        SG_TRY(check_data(reader, parts, dtype, elements));
    }
    if (dtype == SG_DTYPE_STRING) {
        if (elements <= SG_GRAPH_VALUES_MAX && parts->text_bytes <= MAX_TEXT_BYTES) {
            tensor->kind = SG_GRAPH_VALUES_TEXTS;
            tensor->count = elements;
            tensor->texts = parts->texts;
        }
        return true;
    }
    int64_t numbers = elements;
    const bool is_complex = sg_element_number(dtype) != dtype;
    if ((!is_complex || sg_mul64(elements, 2, &numbers)) && worth_keeping(reader, numbers) &&
        !(parts->field == FIELD_RAW_DATA && parts->count > SG_ONNX_RAW_MAX)) {
        set_values(reader, parts, dtype, parts->field == FIELD_RAW_DATA, numbers, tensor);
    }
    return true;
}

bool sg_onnx_end_tensor(sg_onnx_reader *reader, sg_onnx_parts *parts, sg_graph_tensor *tensor)
{
    end(reader, parts);
    return set_tensor(reader, parts, tensor);
}

bool sg_onnx_read_tensor(sg_onnx_reader *reader, const sg_wire_field *field,
                         sg_graph_tensor *tensor)
{
    sg_onnx_parts parts;
    begin(reader, &parts);
    SG_TRY(read_parts(reader, field, &parts));
    return sg_onnx_end_tensor(reader, &parts, tensor);
}

/* Puts the values of a sparse tensor among zeros. Each has one index, into all elements, or one for
 * each dim (SparseTensorProto in onnx.in.proto). */
static bool spread_values(sg_onnx_reader *reader, const sg_onnx_parts *parts,
                          const sg_graph_tensor *values, const sg_graph_tensor *indices,
                          int64_t elements, sg_graph_tensor *tensor)
{
    const bool integers = values->kind == SG_GRAPH_VALUES_INTS;
    if ((!integers && values->kind != SG_GRAPH_VALUES_FLOATS) ||
        indices->kind != SG_GRAPH_VALUES_INTS || !worth_keeping(reader, elements)) {
        return true;
    }
    const bool linear = indices->type.shape.rank == 1;
    const int64_t each = linear ? 1 : parts->ndims;
    if (indices->count != each * values->count) {
        return sg_diag_error(reader->diag, parts->span,
                             "%s is sparse and has %" PRId64 " values, but %" PRId64
                             " indices; each value has %" PRId64,
                             describe(reader, parts), values->count, indices->count, each);
    }
    int64_t *ints = integers ? SG_NEW_ARRAY(reader->arena, int64_t, elements) : NULL;
    double *floats = integers ? NULL : SG_NEW_ARRAY(reader->arena, double, elements);
    for (int64_t i = 0; i < values->count; i++) {
        int64_t at = 0;
        for (int64_t k = 0; k < each; k++) {
            const int64_t index = indices->ints[i * each + k];
            const int64_t limit = linear ? elements : parts->dims[k];
            if (index < 0 || index >= limit) {
                return sg_diag_error(reader->diag, parts->span,
                                     "%s is sparse and has the index %" PRId64
                                     ", expected 0 to %" PRId64,
                                     describe(reader, parts), index, limit - 1);
            }
            at = at * limit + index;
        }
        if (integers) {
            ints[at] = values->ints[i];
        } else {
            floats[at] = values->floats[i];
        }
    }
    tensor->kind = values->kind;
    tensor->count = elements;
    tensor->ints = ints;
    tensor->floats = floats;
    reader->value_bytes += (size_t)elements * 8;
    return true;
}

struct sg_onnx_sparse {
    sg_onnx_parts *values;
    sg_onnx_parts *indices;
    sg_onnx_parts whole; /* its dims and place */
};

bool sg_onnx_add_sparse(sg_onnx_reader *reader, const sg_wire_field *field, sg_onnx_sparse **sparse)
{
    sg_wire *wire = &reader->wire;
    if (*sparse == NULL) {
        *sparse = SG_NEW(reader->arena, sg_onnx_sparse);
        (*sparse)->whole.name = "";
    }
    sg_onnx_parts *whole = &(*sparse)->whole;
    whole->span = sg_wire_span(wire, field->start, field->end);
    sg_wire_scope scope = sg_wire_enter(wire, field, "SparseTensorProto");
    sg_wire_field f;
    while (sg_wire_next(wire, &f)) {
        if (f.tag == TAG_BYTES(1)) {
            SG_TRY(sg_onnx_add_tensor(reader, &f, &(*sparse)->values));
        } else if (f.tag == TAG_BYTES(2)) {
            SG_TRY(sg_onnx_add_tensor(reader, &f, &(*sparse)->indices));
        } else if (f.tag == TAG_VARINT(3) || f.tag == TAG_BYTES(3)) {
            SG_TRY(sg_onnx_read_ints(reader, &f, &whole->dims, &whole->ndims));
        }
    }
    return sg_wire_leave(wire, &scope);
}

bool sg_onnx_end_sparse(sg_onnx_reader *reader, sg_onnx_sparse *sparse, sg_graph_tensor *tensor)
{
    sg_graph_tensor values = {.name = "", .type.dtype = SG_GRAPH_DTYPE_UNKNOWN};
    sg_graph_tensor indices = {.name = ""};
    SG_TRY(sparse->values == NULL || sg_onnx_end_tensor(reader, sparse->values, &values));
    SG_TRY(sparse->indices == NULL || sg_onnx_end_tensor(reader, sparse->indices, &indices));
    sparse->whole.name = values.name;
    int64_t elements;
    *tensor = (sg_graph_tensor){.name = ""};
    SG_TRY(set_type(reader, &sparse->whole, tensor, &elements));
    tensor->type.dtype = values.type.dtype;
    return spread_values(reader, &sparse->whole, &values, &indices, elements, tensor);
}

bool sg_onnx_read_sparse(sg_onnx_reader *reader, const sg_wire_field *field,
                         sg_graph_tensor *tensor)
{
    sg_onnx_sparse *sparse = NULL;
    SG_TRY(sg_onnx_add_sparse(reader, field, &sparse));
    return sg_onnx_end_sparse(reader, sparse, tensor);
}
