/* Constants of ONNX text: converts literals to values, for the types that shapes can depend on.
 * Which literal fits which type follows the onnx package (defs/parser.cc). */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/checked.h"
#include "base/text.h"
#include "shapes/element_bits.h"
#include "shapes/graph_build.h"
#include "frontend/onnx/onnx_data.h"
#include "frontend/onnx/onnx_text_build.h"
#include "split/dtype.h"

/* The absolute value of an INT. Returns false if it exceeds 64 bits. */
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

/* splitgen never sets a locale, so the decimal point is always '.'. strtod() stops at the end of
 * the token: the next byte cannot continue a number, and a hexadecimal "0x1" is a syntax error
 * later. */
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
    } else if (type->symbol.source != NULL) {
        sg_onnx_text_fail(cx, type->symbol, "a constant has dims that are numbers, got '%s'",
                          sg_onnx_text_shown(cx, type->symbol));
    } else if (!sg_graph_elements(&tensor->type.shape, &cx->data.elements)) {
        cx->data.elements = -1;
    }
    return tensor;
}

void sg_onnx_text_tensor_extend(sg_graph_tensor *tensor, sg_span end)
{
    tensor->span = sg_onnx_text_join(tensor->span, end);
}

/* For packed integers, some tools write a literal per byte and others a literal per element. */
static bool is_packed(int dtype)
{
    return dtype != SG_GRAPH_DTYPE_UNKNOWN && sg_dtype_get((sg_dtype)dtype)->packed;
}

/* What the literals are; they may be the bits of values. NONE: shapes do not depend on such
 * values. */
static sg_graph_values_kind kind_of(int dtype)
{
    return dtype == SG_GRAPH_DTYPE_UNKNOWN || is_packed(dtype)
               ? SG_GRAPH_VALUES_NONE
               : sg_element_shape_kind((sg_dtype)dtype);
}

static bool wrong_kind(sg_onnx_text_context *cx, const sg_onnx_text_token *literal,
                       const char *expected)
{
    sg_onnx_text_fail(cx, literal->span, "unexpected '%s', expected %s in a tensor of %s",
                      sg_onnx_text_shown(cx, literal->span), expected,
                      type_name(cx->data.tensor->type.dtype));
    return false;
}

static bool read_integer(sg_onnx_text_context *cx, const sg_onnx_text_token *literal,
                         sg_onnx_data_field field, uint64_t *bits)
{
    const int dtype = cx->data.tensor->type.dtype;
    if (literal->kind != SG_ONNX_TEXT_INT) {
        const bool is_bits = field == SG_ONNX_DATA_INT32 && kind_of(dtype) != SG_GRAPH_VALUES_INTS;
        return wrong_kind(cx, literal,
                          is_bits ? "an integer (the bits of the value)" : "an integer");
    }
    bool negative;
    uint64_t size = 0;
    int64_t integer = 0;
    if (!magnitude(sg_span_text(literal->span), &negative, &size) && field == SG_ONNX_DATA_UINT64) {
        sg_onnx_text_fail(cx, literal->span,
                          "this integer does not fit into 64 bits, expected 0 to %" PRIu64,
                          UINT64_MAX);
        return false;
    }
    SG_TRY(field == SG_ONNX_DATA_UINT64 || sg_onnx_text_int(cx, literal, &integer));
    if (field == SG_ONNX_DATA_INT32 && (integer < INT32_MIN || integer > INT32_MAX)) {
        sg_onnx_text_fail(cx, literal->span,
                          "%" PRId64 " does not fit into %s, expected at most 32 bits", integer,
                          type_name(dtype));
        return false;
    }
    *bits = size;
    bool fits = true; /* onnx accepts any value for other types */
    if (field != SG_ONNX_DATA_UINT64 && kind_of(dtype) == SG_GRAPH_VALUES_INTS) {
        fits = sg_element_of_integer((sg_dtype)dtype, integer, bits);
    } else if (dtype != SG_GRAPH_DTYPE_UNKNOWN && !is_packed(dtype)) {
        fits = (!negative || size == 0) &&
               size <= UINT64_MAX >> (64 - sg_dtype_get((sg_dtype)dtype)->bits);
    }
    if (!fits && !cx->data.broken) {
        sg_diag_warn(cx->diag, literal->span,
                     "%s does not fit into %s; the values of this constant are not used",
                     sg_onnx_text_shown(cx, literal->span), type_name(dtype));
    }
    cx->data.broken = cx->data.broken || !fits;
    return true;
}

/* Reads the bits of a number, or sets *text for a string. */
static bool read_value(sg_onnx_text_context *cx, const sg_onnx_text_token *literal, uint64_t *bits,
                       const char **text)
{
    const sg_onnx_data_field field = sg_onnx_typed_field(cx->data.tensor->type.dtype);
    const bool is_single = field == SG_ONNX_DATA_FLOAT;
    double number;
    switch (field) {
    case SG_ONNX_DATA_FLOAT:
    case SG_ONNX_DATA_DOUBLE:
        if (literal->kind == SG_ONNX_TEXT_STRING) {
            return wrong_kind(cx, literal, "a number");
        }
        return sg_onnx_text_float(cx, literal, is_single, &number) &&
               sg_element_of_real(is_single ? SG_DTYPE_F32 : SG_DTYPE_F64, number, bits);
    case SG_ONNX_DATA_STRING:
        if (literal->kind != SG_ONNX_TEXT_STRING) {
            return wrong_kind(cx, literal, "a string");
        }
        *text = cx->data.written < SG_GRAPH_VALUES_MAX ? sg_onnx_text_of(cx, literal) : NULL;
        return true;
    default:
        return read_integer(cx, literal, field, bits);
    }
}

void sg_onnx_text_literal(sg_onnx_text_context *cx, const sg_onnx_text_token *literal)
{
    sg_onnx_text_data *data = &cx->data;
    uint64_t bits = 0;
    const char *text = NULL;
    if (cx->bad || !read_value(cx, literal, &bits, &text)) {
        return;
    }
    int64_t at = data->written++;
    int64_t counts[] = {at, at, at};
    if (at < SG_GRAPH_VALUES_MAX) {
        *SG_GRAPH_APPEND(cx->arena, data->bits, counts[0]) = bits;
        *SG_GRAPH_APPEND(cx->arena, data->texts, counts[1]) = text;
        *SG_GRAPH_APPEND(cx->arena, data->spans, counts[2]) = literal->span;
    }
}

void sg_onnx_text_literals_end(sg_onnx_text_context *cx, const sg_onnx_text_token *end)
{
    sg_onnx_text_data *data = &cx->data;
    sg_graph_tensor *tensor = data->tensor;
    const int dtype = tensor->type.dtype;
    if (cx->bad || dtype == SG_GRAPH_DTYPE_UNKNOWN || is_packed(dtype)) {
        return;
    }
    const int64_t each = sg_dtype_numbers((sg_dtype)dtype);
    int64_t wanted;
    if (data->elements < 0 || !sg_mul64(data->elements, each, &wanted) || wanted != data->written) {
        sg_diag_warn(cx->diag, sg_onnx_text_join(tensor->span, end->span),
                     "the dims make %s elements, but %" PRId64
                     " values are given; the values of this constant are not used",
                     data->elements < 0 ? "no number of"
                                        : sg_arena_printf(cx->arena, "%" PRId64, data->elements),
                     data->written / each);
        data->broken = true;
    }
    if (data->broken) {
        return;
    }
    if (kind_of(dtype) == SG_GRAPH_VALUES_NONE) {
        sg_element_keep(cx->arena, tensor, data->bits, data->written);
    } else if (dtype != SG_DTYPE_STRING) {
        sg_graph_set_bits(cx->arena, tensor, data->bits, data->written);
    } else if (data->written <= SG_GRAPH_VALUES_MAX) {
        tensor->kind = SG_GRAPH_VALUES_TEXTS;
        tensor->count = data->written;
        tensor->texts = data->texts;
    }
    tensor->spans = tensor->kind != SG_GRAPH_VALUES_NONE ? data->spans : NULL;
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
    if (!cx->bad && cx->data.elements >= 0 && kind_of(tensor->type.dtype) != SG_GRAPH_VALUES_NONE &&
        !sg_onnx_read_external(&cx->beside, &cx->data.external, subject,
                               sg_onnx_text_join(tensor->span, end->span), cx->data.elements,
                               tensor)) {
        cx->bad = true;
    }
}
