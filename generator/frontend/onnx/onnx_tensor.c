/* TensorProto: type, dims, and the values of small tensors. A pipe cannot be read twice and fields
 * may be in any order, so this is one pass: data that may be small is stored until dims and type
 * are known. The fields are those of onnx/onnx.in.proto. */
#include "frontend/onnx/onnx_reader.h"

#include <inttypes.h>
#include <string.h>

#include "base/checked.h"
#include "shapes/element_bits.h"
#include "shapes/graph_build.h"
#include "frontend/onnx/onnx_data.h"

/* The values of tensors of up to this many elements are always stored: scales, lengths, shapes. */
#define ALWAYS_KEPT 64
/* The limit for the values of larger tensors, in total. A model has thousands of biases, and shapes
 * do not depend on them. */
#define MAX_VALUE_BYTES ((size_t)16 << 20)
/* The values of a tensor with more bytes of text are not stored. */
#define MAX_TEXT_BYTES ((int64_t)1 << 20)
/* The longest varint in bytes. */
#define VARINT_BYTES 10
#define EXTERNAL     1

/* A tensor that has been read in part. */
struct sg_onnx_parts {
    sg_onnx_scratch *scratch; /* holds its values */
    sg_graph_tensor tensor;   /* its name, dims and place */
    int64_t data_type;
    int64_t location;
    sg_onnx_external external;
    uint32_t field;  /* the field that holds data, SG_ONNX_DATA_*; 0: none */
    uint32_t second; /* a second field that holds data, which is an error; 0: none */
    int64_t count;   /* elements of that field; bytes for raw_data; -1: too many to count */
    int64_t text_bytes;
    const char **texts;
};

static const struct data_field {
    uint32_t number;
    sg_wire_type type;
    const char *name;
} data_fields[] = {
#define X(id, name, number, wire) {number, SG_WIRE_##wire, name},
    SG_ONNX_DATA_FIELDS(X)
#undef X
};

/* NULL: the field does not hold values. */
static const struct data_field *data_field(uint32_t number)
{
    for (size_t i = 0; i < sizeof data_fields / sizeof *data_fields; i++) {
        if (data_fields[i].number == number) {
            return &data_fields[i];
        }
    }
    return NULL;
}

static const char *field_name(uint32_t number)
{
    return data_field(number)->name;
}

/* "tensor 'w' of attribute 'value' of node 'n'", without the parts that have no name. */
static const char *describe(const sg_onnx_reader *reader, const sg_onnx_parts *parts)
{
    const char *text = parts->tensor.name[0] != '\0'
                           ? sg_arena_printf(reader->arena, "tensor '%s'", parts->tensor.name)
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

/* --- fields --- */

typedef struct external_entry {
    const char *key;
    const char *value;
} external_entry;

static bool take_entry(sg_onnx_reader *reader, const sg_wire_field *f, void *to)
{
    external_entry *entry = to;
    if (f->tag == TAG_BYTES(1)) {
        return sg_onnx_read_name(reader, f, "key", &entry->key);
    }
    return f->tag != TAG_BYTES(2) || sg_onnx_read_name(reader, f, "value", &entry->value);
}

static bool read_external_entry(sg_onnx_reader *reader, const sg_wire_field *field,
                                sg_onnx_parts *parts)
{
    external_entry entry = {"", ""};
    return sg_onnx_read_message(reader, field, "StringStringEntryProto", take_entry, &entry) &&
           sg_onnx_external_set(&parts->external, reader->diag, sg_onnx_span(reader, field),
                                entry.key, entry.value);
}

/* Notes that a field holds data. Returns false if another one does as well, which is reported
 * later. */
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
    if (n == 0 && parts->field == SG_ONNX_DATA_RAW) { /* the last occurrence takes effect */
        parts->field = 0;
    }
    if (n == 0 || !note_field(parts, SG_ONNX_DATA_RAW)) {
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
    if (!note_field(parts, SG_ONNX_DATA_STRING)) {
        return true;
    }
    parts->text_bytes += field->end - field->begin;
    if (parts->count >= SG_GRAPH_VALUES_MAX || parts->text_bytes > MAX_TEXT_BYTES) {
        parts->count++;
        return true;
    }
    reader->text.len = 0;
    SG_TRY(sg_wire_bytes(&reader->wire, field, &reader->text));
    *SG_GRAPH_APPEND(reader->arena, parts->texts, parts->count) =
        sg_arena_strndup(reader->arena, reader->text.ptr, reader->text.len);
    return true;
}

static void add_bits(sg_arena *arena, uint64_t bits, void *to)
{
    (void)arena;
    sg_onnx_parts *parts = to;
    if (parts->count < 0) {
        return; /* too many to count */
    }
    if (parts->count < SG_GRAPH_VALUES_MAX) {
        parts->scratch->bits[parts->count] = bits;
    }
    parts->count++;
}

/* Reads numbers, packed or not. */
static bool read_numbers(sg_onnx_reader *reader, const sg_wire_field *field,
                         const struct data_field *data, sg_onnx_parts *parts)
{
    const int64_t n = field->end - field->begin;
    const bool packed = field->type != data->type;
    if ((packed && n == 0) || !note_field(parts, field->number)) {
        return true;
    }
    if (packed && data->type == SG_WIRE_VARINT && n > (int64_t)SG_GRAPH_VALUES_MAX * VARINT_BYTES) {
        parts->count = -1;
    } else if (packed && data->type != SG_WIRE_VARINT) {
        const int64_t width = data->type == SG_WIRE_FIXED64 ? 8 : 4;
        if (n % width != 0) {
            return sg_wire_error(&reader->wire, field->start,
                                 "%s has %" PRId64 " bytes, which are not whole entries of %" PRId64
                                 "; the file is damaged",
                                 data->name, n, width);
        }
        if (n / width > SG_GRAPH_VALUES_MAX && parts->count >= 0) {
            parts->count += n / width;
            return true;
        }
    }
    return parts->count < 0 ||
           sg_onnx_read_numbers(reader, field, data->type, data->name, add_bits, parts);
}

static void add_dim(sg_arena *arena, uint64_t bits, void *to)
{
    sg_graph_shape *shape = to;
    SG_GRAPH_APPEND(arena, shape->dims, shape->rank)->size = sg_onnx_int64(bits);
}

static bool take_dims(sg_onnx_reader *reader, const sg_wire_field *field, sg_onnx_parts *parts)
{
    return sg_onnx_read_numbers(reader, field, SG_WIRE_VARINT, reader->wire.message, add_dim,
                                &parts->tensor.type.shape);
}

static bool read_data(sg_onnx_reader *reader, const sg_wire_field *f, sg_onnx_parts *parts)
{
    const struct data_field *data = data_field(f->number);
    if (data == NULL || (f->type != data->type && f->type != SG_WIRE_BYTES)) {
        return true;
    }
    return data->number == SG_ONNX_DATA_RAW      ? read_raw(reader, f, parts)
           : data->number == SG_ONNX_DATA_STRING ? read_text(reader, f, parts)
                                                 : read_numbers(reader, f, data, parts);
}

static bool take_field(sg_onnx_reader *reader, const sg_wire_field *f, void *to)
{
    sg_onnx_parts *parts = to;
    switch (f->tag) {
    case TAG_VARINT(1):
    case TAG_BYTES(1):
        return take_dims(reader, f, parts);
    case TAG_VARINT(2):
        parts->data_type = sg_onnx_int32(f);
        return true;
    case TAG_BYTES(8):
        return sg_onnx_read_name(reader, f, "name", &parts->tensor.name);
    case TAG_BYTES(13):
        return read_external_entry(reader, f, parts);
    case TAG_VARINT(14): /* data_location */
        parts->location = sg_onnx_int32(f);
        return true;
    default:
        return read_data(reader, f, parts);
    }
}

static void begin(sg_onnx_reader *reader, sg_onnx_parts *parts)
{
    *parts = (sg_onnx_parts){.tensor.name = "", .external = SG_ONNX_EXTERNAL_NONE};
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

/* Appends to `parts`: a message field that occurs twice is one message in two parts. */
static bool read_parts(sg_onnx_reader *reader, const sg_wire_field *field, sg_onnx_parts *parts)
{
    parts->tensor.span = sg_onnx_span(reader, field);
    return sg_onnx_read_message(reader, field, "TensorProto", take_field, parts);
}

bool sg_onnx_add_tensor(sg_onnx_reader *reader, const sg_wire_field *field, sg_onnx_parts **parts)
{
    if (*parts == NULL) {
        *parts = SG_NEW(reader->arena, sg_onnx_parts);
        begin(reader, *parts);
    }
    return sg_onnx_has_room(reader) && read_parts(reader, field, *parts);
}

/* --- the whole tensor --- */

/* Sets the type. *elements receives the number of elements. */
static bool set_type(sg_onnx_reader *reader, sg_onnx_parts *parts, int64_t *elements)
{
    sg_graph_type *type = &parts->tensor.type;
    type->is_tensor = true;
    type->dtype = sg_onnx_dtype(parts->data_type);
    type->shape.has_rank = true;
    for (int64_t i = 0; i < type->shape.rank; i++) {
        sg_graph_dim *dim = &type->shape.dims[i];
        dim->span = parts->tensor.span;
        if (dim->size < 0) {
            return sg_diag_error(reader->diag, parts->tensor.span,
                                 "%s has %" PRId64 " as dim %" PRId64
                                 ", but the dims of a constant are known: 0 or more",
                                 describe(reader, parts), dim->size, i);
        }
    }
    return sg_graph_elements(&type->shape, elements) ||
           sg_diag_error(reader->diag, parts->tensor.span,
                         "%s has more elements than 63 bits can count", describe(reader, parts));
}

/* The bytes of n elements in raw_data. Returns false if they exceed int64. */
static bool raw_bytes(sg_dtype dtype, int64_t n, int64_t *bytes)
{
    int64_t bits;
    SG_TRY(sg_mul64(n, sg_dtype_get(dtype)->bits, &bits));
    *bytes = bits / 8 + (bits % 8 != 0);
    return true;
}

/* Whether an entry of int32_data holds several elements, as many as fit a byte. Types whose width
 * does not divide 8 have one element per entry. */
static bool shares_entries(sg_dtype dtype)
{
    const int width = sg_dtype_get(dtype)->bits;
    return width < 8 && 8 % width == 0;
}

/* The entries of a typed field for n elements. Returns false if they exceed int64. */
static bool typed_entries(sg_dtype dtype, int64_t n, int64_t *entries)
{
    return shares_entries(dtype) ? raw_bytes(dtype, n, entries)
                                 : sg_mul64(n, sg_dtype_numbers(dtype), entries);
}

/* Checks that the data is in the right field and has the right size. */
static bool check_data(sg_onnx_reader *reader, const sg_onnx_parts *parts, sg_dtype dtype,
                       int64_t elements)
{
    if (parts->second != 0) {
        return sg_diag_error(reader->diag, parts->tensor.span,
                             "%s has values in several fields (%s is one), so that it is not clear "
                             "which count",
                             describe(reader, parts), field_name(parts->second));
    }
    const char *type = sg_dtype_get(dtype)->onnx;
    bool raw = parts->field == SG_ONNX_DATA_RAW;
    uint32_t right = sg_onnx_typed_field((int)dtype);
    if (raw ? dtype == SG_DTYPE_STRING : parts->field != right) {
        return sg_diag_error(reader->diag, parts->tensor.span,
                             "%s is of %s and has its values in %s, but values of that type are in "
                             "%s",
                             describe(reader, parts), type, field_name(parts->field),
                             field_name(right));
    }
    int64_t needed;
    bool fits = raw ? raw_bytes(dtype, elements, &needed) : typed_entries(dtype, elements, &needed);
    /* More bytes in raw_data than needed are ignored, as other readers do. */
    if (!fits || (raw ? parts->count < needed : parts->count >= 0 && parts->count != needed)) {
        return sg_diag_error(reader->diag, parts->tensor.span,
                             "%s has %" PRId64 " %s in %s, but %" PRId64 " elements of %s "
                             "need %s%" PRId64,
                             describe(reader, parts), parts->count, raw ? "bytes" : "entries",
                             field_name(parts->field), elements, type, fits ? "" : "more than ",
                             fits ? needed : INT64_MAX);
    }
    return true;
}

/* Stores n numbers from raw_data or from the entries of a typed field in the tensor. */
static void set_values(sg_onnx_reader *reader, const sg_onnx_parts *parts, sg_dtype dtype, bool raw,
                       int64_t n, sg_graph_tensor *tensor)
{
    if (!raw && shares_entries(dtype)) {
        for (int64_t i = 0; i * 8 < n * sg_dtype_get(dtype)->bits; i++) {
            parts->scratch->raw[i] = (unsigned char)(parts->scratch->bits[i] & 0xFF);
        }
        raw = true;
    }
    if (raw) {
        sg_graph_set_raw(reader->arena, tensor, parts->scratch->raw, n);
    } else {
        sg_graph_set_bits(reader->arena, tensor, parts->scratch->bits, n);
    }
    reader->value_bytes += (size_t)tensor->count * 8 + (size_t)tensor->nbytes;
}

static bool worth_keeping(const sg_onnx_reader *reader, int64_t elements)
{
    return elements <= ALWAYS_KEPT ||
           (elements <= SG_GRAPH_VALUES_MAX &&
            reader->value_bytes + (size_t)elements * 8 <= MAX_VALUE_BYTES);
}

static bool read_external(sg_onnx_reader *reader, const sg_onnx_parts *parts, int64_t elements,
                          sg_graph_tensor *tensor)
{
    const char *subject = describe(reader, parts);
    if (parts->field != 0) {
        return sg_diag_error(reader->diag, parts->tensor.span,
                             "%s says that its values are in the file '%s', but it has %s too",
                             subject, parts->external.location, field_name(parts->field));
    }
    if (!worth_keeping(reader, elements)) {
        return true;
    }
    SG_TRY(sg_onnx_read_external(&reader->beside, &parts->external, subject, parts->tensor.span,
                                 elements, tensor));
    reader->value_bytes += (size_t)tensor->count * 8 + (size_t)tensor->nbytes;
    return true;
}

static bool set_tensor(sg_onnx_reader *reader, sg_onnx_parts *parts, sg_graph_tensor *tensor)
{
    int64_t elements;
    SG_TRY(set_type(reader, parts, &elements));
    *tensor = parts->tensor;
    if (tensor->type.dtype == SG_GRAPH_DTYPE_UNKNOWN) {
        return true;
    }
    sg_dtype dtype = (sg_dtype)tensor->type.dtype;
    if (parts->location == EXTERNAL) {
        return read_external(reader, parts, elements, tensor);
    }
    if (parts->field == 0 && elements > 0) {
        return true; /* the weights were removed, as in models for tests */
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
    int64_t numbers;
    if (sg_mul64(elements, sg_dtype_numbers(dtype), &numbers) && worth_keeping(reader, numbers) &&
        !(parts->field == SG_ONNX_DATA_RAW && parts->count > SG_ONNX_RAW_MAX)) {
        set_values(reader, parts, dtype, parts->field == SG_ONNX_DATA_RAW, numbers, tensor);
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

/* Stores the values of a sparse tensor, and zeros between them. Each value has either one index
 * into all elements or one index per dim (see SparseTensorProto in onnx.in.proto). */
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
    const int64_t each = linear ? 1 : tensor->type.shape.rank;
    if (indices->count != each * values->count) {
        return sg_diag_error(reader->diag, parts->tensor.span,
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
            const int64_t limit = linear ? elements : tensor->type.shape.dims[k].size;
            if (index < 0 || index >= limit) {
                return sg_diag_error(reader->diag, parts->tensor.span,
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
    sg_onnx_parts whole; /* dims and place of the dense tensor */
};

static bool take_sparse(sg_onnx_reader *reader, const sg_wire_field *f, void *to)
{
    sg_onnx_sparse *sparse = to;
    switch (f->tag) {
    case TAG_BYTES(1):
        return sg_onnx_add_tensor(reader, f, &sparse->values);
    case TAG_BYTES(2):
        return sg_onnx_add_tensor(reader, f, &sparse->indices);
    case TAG_VARINT(3):
    case TAG_BYTES(3):
        return take_dims(reader, f, &sparse->whole);
    default:
        return true;
    }
}

bool sg_onnx_add_sparse(sg_onnx_reader *reader, const sg_wire_field *field, sg_onnx_sparse **sparse)
{
    if (*sparse == NULL) {
        *sparse = SG_NEW(reader->arena, sg_onnx_sparse);
    }
    (*sparse)->whole.tensor.span = sg_onnx_span(reader, field);
    return sg_onnx_read_message(reader, field, "SparseTensorProto", take_sparse, *sparse);
}

bool sg_onnx_end_sparse(sg_onnx_reader *reader, sg_onnx_sparse *sparse, sg_graph_tensor *tensor)
{
    sg_graph_tensor values = {.name = "", .type.dtype = SG_GRAPH_DTYPE_UNKNOWN};
    sg_graph_tensor indices = {.name = ""};
    SG_TRY(sparse->values == NULL || sg_onnx_end_tensor(reader, sparse->values, &values));
    SG_TRY(sparse->indices == NULL || sg_onnx_end_tensor(reader, sparse->indices, &indices));
    sparse->whole.tensor.name = values.name;
    int64_t elements;
    SG_TRY(set_type(reader, &sparse->whole, &elements));
    *tensor = sparse->whole.tensor;
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
