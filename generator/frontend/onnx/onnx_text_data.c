/* Constants of ONNX text: literals become values, as far as their type has some that shapes can be
 * calculated from. What fits which type is the onnx package's rule (defs/parser.cc). */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/text.h"
#include "frontend/graph/element_bits.h"
#include "frontend/onnx/onnx_text_build.h"
#include "split/dtype.h"

enum { SHOWN = 40 }; /* of a long text; the caret line shows the rest */

static int shown(sg_str text)
{
    return text.len > SHOWN ? SHOWN : (int)text.len;
}

/* How a literal goes into a tensor of a type (the fields of TensorProto). */
typedef enum proto_field {
    FIELD_INT32, /* also the bits of all small floats */
    FIELD_INT64,
    FIELD_UINT64,
    FIELD_FLOAT,
    FIELD_DOUBLE,
    FIELD_TEXT
} proto_field;

static proto_field field_of(int dtype)
{
    switch (dtype) {
    case SG_DTYPE_I64:
        return FIELD_INT64;
    case SG_DTYPE_U32:
    case SG_DTYPE_U64:
        return FIELD_UINT64;
    case SG_DTYPE_F32:
    case SG_DTYPE_C64:
        return FIELD_FLOAT;
    case SG_DTYPE_F64:
    case SG_DTYPE_C128:
        return FIELD_DOUBLE;
    case SG_DTYPE_STRING:
        return FIELD_TEXT;
    default:
        return FIELD_INT32;
    }
}

/* What values are kept of a type. None of packed integers, whose literals stand for bytes in one
 * tool and for elements in another, of complex numbers, and of floats of one byte or less: no shape
 * comes from them. */
static sg_graph_values_kind values_of(int dtype)
{
    switch (dtype) {
    case SG_DTYPE_U8:
    case SG_DTYPE_I8:
    case SG_DTYPE_U16:
    case SG_DTYPE_I16:
    case SG_DTYPE_I32:
    case SG_DTYPE_I64:
    case SG_DTYPE_U32:
    case SG_DTYPE_U64:
    case SG_DTYPE_BOOL:
        return SG_GRAPH_VALUES_INTS;
    case SG_DTYPE_F32:
    case SG_DTYPE_F64:
    case SG_DTYPE_F16:
    case SG_DTYPE_BF16:
        return SG_GRAPH_VALUES_FLOATS;
    case SG_DTYPE_STRING:
        return SG_GRAPH_VALUES_TEXTS;
    default:
        return SG_GRAPH_VALUES_NONE;
    }
}

/* An INT without its sign. False: beyond 64 bits. */
static bool magnitude(sg_str text, bool *negative, uint64_t *out)
{
    uint64_t value = 0;
    *negative = text.len > 0 && text.ptr[0] == '-';
    for (size_t i = *negative ? 1 : 0; i < text.len; i++) {
        unsigned digit = (unsigned)(text.ptr[i] - '0');
        if (value > (UINT64_MAX - digit) / 10) {
            return false;
        }
        value = value * 10 + digit;
    }
    *out = value;
    return true;
}

bool sg_onnx_text_int(sg_onnx_text_context *cx, const sg_onnx_text_token *token, int64_t *out)
{
    bool negative;
    uint64_t value;
    const uint64_t limit = UINT64_C(1) << 63;
    bool fits = magnitude(sg_span_text(token->span), &negative, &value) &&
                (value < limit || (negative && value == limit));
    if (!fits) {
        sg_onnx_text_fail(cx, token->span,
                          "this integer does not fit into 64 bits, expected %" PRId64
                          " to %" PRId64,
                          INT64_MIN, INT64_MAX);
        return false;
    }
    *out = !negative ? (int64_t)value : value == limit ? INT64_MIN : -(int64_t)value;
    return true;
}

/* Nothing here sets a locale, so these read a '.' always. They end with the token: a number's next
 * byte is no part of another number, and where hexadecimal would go on ("0x1") an error follows. */
bool sg_onnx_text_float(sg_onnx_text_context *cx, const sg_onnx_text_token *token, bool single,
                        double *out)
{
    const char *text = token->span.source->text + token->span.begin;
    errno = 0;
    double value = single ? (double)strtof(text, NULL) : strtod(text, NULL);
    if (errno == ERANGE && isinf(value)) {
        sg_onnx_text_fail(cx, token->span, "this number is too large for %s, expected at most %s",
                          single ? "float" : "double",
                          single ? "3.4028235e38" : "1.7976931348623157e308");
        return false;
    }
    *out = value;
    return true;
}

static const char *type_name(int dtype)
{
    return dtype == SG_GRAPH_DTYPE_UNKNOWN ? "this type" : sg_dtype_get((sg_dtype)dtype)->onnx;
}

/* -1: a negative dim, or more than 64 bits count. */
static int64_t elements_of(const sg_graph_shape *shape)
{
    int64_t elements = 1;
    for (int64_t i = 0; i < shape->rank; i++) {
        if (shape->dims[i].size < 0 || !sg_mul64(elements, shape->dims[i].size, &elements)) {
            return -1;
        }
    }
    return elements;
}

sg_graph_tensor *sg_onnx_text_tensor_begin(sg_onnx_text_context *cx, const sg_onnx_text_type *type,
                                           const sg_onnx_text_token *name, sg_span place)
{
    sg_graph_tensor *tensor = SG_NEW(cx->arena, sg_graph_tensor);
    cx->data =
        (sg_onnx_text_data){.tensor = tensor, .elements = -1, .external = SG_ONNX_EXTERNAL_NONE};
    tensor->name = name != NULL ? sg_onnx_text_of(cx, name) : "";
    tensor->span = name != NULL ? sg_onnx_text_join(place, name->span) : place;
    tensor->type.dtype = SG_GRAPH_DTYPE_UNKNOWN;
    if (type == NULL) {
        sg_onnx_text_fail(cx, place,
                          "a constant needs a type, expected one in front of the name: int64[2]");
        return tensor;
    }
    tensor->type = type->type;
    if (!type->type.is_tensor) {
        sg_onnx_text_fail(cx, type->span,
                          "a constant is a tensor, expected an element type with or without dims");
    } else if (!type->type.shape.has_rank) {
        sg_onnx_text_fail(cx, type->span,
                          "a constant has a known shape, expected dims between the brackets, or no "
                          "brackets for one element");
    } else if (!type->numeric) {
        sg_onnx_text_fail(cx, type->symbol, "a constant has dims that are numbers, got '%.*s'",
                          shown(sg_span_text(type->symbol)), sg_span_text(type->symbol).ptr);
    } else {
        cx->data.elements = elements_of(&tensor->type.shape);
    }
    return tensor;
}

void sg_onnx_text_tensor_extend(sg_graph_tensor *tensor, sg_span end)
{
    tensor->span = sg_onnx_text_join(tensor->span, end);
}

/* Numbers that onnx takes as they are, though the type cannot hold them. */
static bool is_in_range(int dtype, bool negative, uint64_t value)
{
    const sg_dtype_info *info = sg_dtype_get((sg_dtype)dtype);
    switch (dtype) {
    case SG_DTYPE_BOOL:
        return !negative && value <= 1;
    case SG_DTYPE_I8:
    case SG_DTYPE_I16: {
        uint64_t limit = UINT64_C(1) << (info->bits - 1);
        return value < limit || (negative && value == limit);
    }
    case SG_DTYPE_U64:
        return !negative || value == 0;
    case SG_DTYPE_U8:
    case SG_DTYPE_U16:
    case SG_DTYPE_U32:
    case SG_DTYPE_F16:
    case SG_DTYPE_BF16:
        return (!negative || value == 0) && value < UINT64_C(1) << info->bits;
    default:
        return true;
    }
}

/* IEEE half precision, or the upper half of single precision. */
static double float_of_bits(int dtype, unsigned bits)
{
    int mantissa_bits = dtype == SG_DTYPE_F16 ? 10 : 7;
    int exponent_bits = 15 - mantissa_bits;
    int bias = (1 << (exponent_bits - 1)) - 1;
    int exponent = (int)(bits >> mantissa_bits) & ((1 << exponent_bits) - 1);
    int mantissa = (int)bits & ((1 << mantissa_bits) - 1);
    double value;
    if (exponent == (1 << exponent_bits) - 1) {
        value = mantissa == 0 ? (double)INFINITY : (double)NAN;
    } else if (exponent == 0) {
        value = ldexp(mantissa, 1 - bias - mantissa_bits);
    } else {
        value = ldexp(mantissa + (1 << mantissa_bits), exponent - bias - mantissa_bits);
    }
    return (bits & 0x8000u) != 0 ? -value : value;
}

typedef struct literal_value {
    uint64_t bits;
    int64_t integer;
    double number;
    const char *text;
} literal_value;

static bool wrong_kind(sg_onnx_text_context *cx, const sg_onnx_text_token *literal,
                       const char *expected)
{
    sg_str text = sg_span_text(literal->span);
    sg_onnx_text_fail(cx, literal->span, "unexpected '%.*s%s', expected %s in a tensor of %s",
                      shown(text), text.ptr, text.len > SHOWN ? "..." : "", expected,
                      type_name(cx->data.tensor->type.dtype));
    return false;
}

static bool read_integer(sg_onnx_text_context *cx, const sg_onnx_text_token *literal,
                         proto_field field, literal_value *out)
{
    int dtype = cx->data.tensor->type.dtype;
    bool is_bits = field == FIELD_INT32 && values_of(dtype) != SG_GRAPH_VALUES_INTS;
    if (literal->kind != SG_ONNX_TEXT_INT) {
        return wrong_kind(cx, literal,
                          is_bits ? "an integer (the bits of the value)" : "an integer");
    }
    bool negative;
    uint64_t size = 0;
    if (!magnitude(sg_span_text(literal->span), &negative, &size) && field == FIELD_UINT64) {
        sg_onnx_text_fail(cx, literal->span,
                          "this integer does not fit into 64 bits, expected 0 to %" PRIu64,
                          UINT64_MAX);
        return false;
    }
    if (field != FIELD_UINT64) {
        SG_TRY(sg_onnx_text_int(cx, literal, &out->integer));
    }
    if (field == FIELD_INT32 && (out->integer < INT32_MIN || out->integer > INT32_MAX)) {
        sg_onnx_text_fail(cx, literal->span,
                          "%" PRId64 " does not fit into %s, expected at most 32 bits",
                          out->integer, type_name(dtype));
        return false;
    }
    if (dtype != SG_GRAPH_DTYPE_UNKNOWN && !is_in_range(dtype, negative, size)) {
        if (!cx->data.broken) {
            sg_diag_warn(cx->diag, literal->span,
                         "%.*s does not fit into %s; the values of this constant are not used",
                         shown(sg_span_text(literal->span)), sg_span_text(literal->span).ptr,
                         type_name(dtype));
        }
        cx->data.broken = true;
        return true;
    }
    if (field == FIELD_UINT64) {
        cx->data.beyond = cx->data.beyond || size > INT64_MAX;
        out->integer = cx->data.beyond ? 0 : (int64_t)size;
    }
    out->bits = field == FIELD_UINT64 ? size : (uint64_t)out->integer;
    if (dtype == SG_DTYPE_F16 || dtype == SG_DTYPE_BF16) {
        out->number = float_of_bits(dtype, (unsigned)out->integer);
    }
    return true;
}

static bool read_value(sg_onnx_text_context *cx, const sg_onnx_text_token *literal, bool kept,
                       literal_value *out)
{
    proto_field field = field_of(cx->data.tensor->type.dtype);
    switch (field) {
    case FIELD_FLOAT:
    case FIELD_DOUBLE:
        if (literal->kind == SG_ONNX_TEXT_STRING) {
            return wrong_kind(cx, literal, "a number");
        }
        return sg_onnx_text_float(cx, literal, field == FIELD_FLOAT, &out->number) &&
               sg_element_of_real(field == FIELD_FLOAT ? SG_DTYPE_F32 : SG_DTYPE_F64, out->number,
                                  &out->bits);
    case FIELD_TEXT:
        if (literal->kind != SG_ONNX_TEXT_STRING) {
            return wrong_kind(cx, literal, "a string");
        }
        out->text = kept ? sg_onnx_text_of(cx, literal) : NULL;
        return true;
    default:
        return read_integer(cx, literal, field, out);
    }
}

/* One more place in every array of values that the kind has. */
static void grow_values(sg_onnx_text_context *cx, sg_graph_values_kind kind, int64_t count)
{
    sg_onnx_text_data *data = &cx->data;
    sg_graph_tensor *tensor = data->tensor;
    int64_t capacity = data->capacity;
    tensor->spans = SG_GROWN(cx->arena, tensor->spans, count, capacity);
    capacity = data->capacity;
    if (kind == SG_GRAPH_VALUES_INTS) {
        tensor->ints = SG_GROWN(cx->arena, tensor->ints, count, capacity);
    } else if (kind == SG_GRAPH_VALUES_FLOATS) {
        tensor->floats = SG_GROWN(cx->arena, tensor->floats, count, capacity);
    } else {
        tensor->texts = SG_GROWN(cx->arena, tensor->texts, count, capacity);
    }
    data->capacity = capacity;
}

void sg_onnx_text_literal(sg_onnx_text_context *cx, const sg_onnx_text_token *literal)
{
    sg_onnx_text_data *data = &cx->data;
    sg_graph_tensor *tensor = data->tensor;
    sg_graph_values_kind kind = values_of(tensor->type.dtype);
    bool kept = kind != SG_GRAPH_VALUES_NONE && !data->broken && !data->beyond &&
                data->elements <= SG_GRAPH_VALUES_MAX && data->written < data->elements;
    literal_value value = {0};
    if (cx->bad || !read_value(cx, literal, kept, &value)) {
        return;
    }
    int64_t at = data->written++;
    if (at < SG_GRAPH_BYTES_MAX) {
        data->bits = SG_GROWN(cx->arena, data->bits, at, data->bits_capacity);
        data->bits[at] = value.bits;
    }
    if (!kept || data->broken || data->beyond) {
        return;
    }
    grow_values(cx, kind, at);
    tensor->spans[at] = literal->span;
    if (kind == SG_GRAPH_VALUES_INTS) {
        tensor->ints[at] = value.integer;
    } else if (kind == SG_GRAPH_VALUES_FLOATS) {
        tensor->floats[at] = value.number;
    } else {
        tensor->texts[at] = value.text;
    }
}

/* Literals an element has; 0: not to be compared, see values_of. */
static int64_t literals_each(int dtype)
{
    if (dtype == SG_GRAPH_DTYPE_UNKNOWN || sg_dtype_get((sg_dtype)dtype)->packed) {
        return 0;
    }
    return dtype == SG_DTYPE_C64 || dtype == SG_DTYPE_C128 ? 2 : 1;
}

void sg_onnx_text_literals_end(sg_onnx_text_context *cx, const sg_onnx_text_token *end)
{
    sg_onnx_text_data *data = &cx->data;
    sg_graph_tensor *tensor = data->tensor;
    int64_t each = literals_each(tensor->type.dtype);
    if (cx->bad) {
        return;
    }
    int64_t wanted;
    bool fits =
        data->elements >= 0 && sg_mul64(data->elements, each, &wanted) && wanted == data->written;
    sg_span span = sg_onnx_text_join(tensor->span, end->span);
    if (each > 0 && !fits) {
        if (data->elements >= 0) {
            sg_diag_warn(cx->diag, span,
                         "the dims make %" PRId64 " elements, but %" PRId64
                         " values are given; the values of this constant are not used",
                         data->elements, data->written / each);
        } else {
            sg_diag_warn(cx->diag, span,
                         "the dims make no number of elements, but %" PRId64
                         " values are given; the values of this constant are not used",
                         data->written / each);
        }
        data->broken = true;
    }
    sg_graph_values_kind kind = values_of(tensor->type.dtype);
    if (!data->broken && each > 0 && kind != SG_GRAPH_VALUES_TEXTS) {
        sg_element_keep(cx->arena, tensor, data->bits, data->written);
    }
    if (!data->broken && !data->beyond && kind != SG_GRAPH_VALUES_NONE &&
        data->elements <= SG_GRAPH_VALUES_MAX) {
        tensor->kind = kind;
        tensor->count = data->written;
    } else {
        tensor->ints = NULL;
        tensor->floats = NULL;
        tensor->texts = NULL;
        tensor->spans = NULL;
    }
}

void sg_onnx_text_external(sg_onnx_text_context *cx, const sg_onnx_text_token *key,
                           const sg_onnx_text_token *value)
{
    if (!cx->bad && !sg_onnx_external_set(&cx->data.external, cx->diag, value->span,
                                          sg_onnx_text_of(cx, key), sg_onnx_text_of(cx, value))) {
        cx->bad = true;
    }
}

void sg_onnx_text_external_end(sg_onnx_text_context *cx, const sg_onnx_text_token *end)
{
    sg_graph_tensor *tensor = cx->data.tensor;
    const char *subject = sg_arena_printf(cx->arena, "constant '%s'", tensor->name);
    if (!cx->bad && cx->data.elements >= 0 && tensor->type.dtype != SG_GRAPH_DTYPE_UNKNOWN &&
        !sg_onnx_read_external(&cx->beside, &cx->data.external, subject,
                               sg_onnx_text_join(tensor->span, end->span), cx->data.elements,
                               tensor)) {
        cx->bad = true;
    }
}
