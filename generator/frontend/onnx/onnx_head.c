/* Detects binary ONNX models from their first bytes alone. The file's name is not used. */
#include "frontend/onnx/onnx_binary.h"

#include <stdint.h>
#include <string.h>

#include "base/utf8.h"
#include "frontend/onnx/protobuf_wire.h"

/* If the head does not show a graph, a field with a higher number indicates another format: models
 * of Core ML begin like those of ONNX, and have their own fields from about 500 on. */
#define MAX_FIELD 99

/* The wire type of a field of ModelProto, or -1. */
static int model_field_type(uint64_t number)
{
    switch (number) {
    case 1: /* ir_version */
    case 5: /* model_version */
        return SG_WIRE_VARINT;
    case 2:  /* producer_name */
    case 3:  /* producer_version */
    case 4:  /* domain */
    case 6:  /* doc_string */
    case 7:  /* graph */
    case 8:  /* opset_import */
    case 14: /* metadata_props */
    case 20: /* training_info */
    case 25: /* functions */
    case 26: /* configuration */
        return SG_WIRE_BYTES;
    default:
        return -1;
    }
}

/* Other formats have messages in these fields. */
static bool is_text_field(uint64_t number)
{
    return number == 2 || number == 3 || number == 4; /* producer_name, producer_version, domain */
}

/* Whether there is a byte that text does not contain. */
static bool has_control(const unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned char c = bytes[i];
        if (c < ' ' && c != '\t' && c != '\n' && c != '\v' && c != '\f' && c != '\r') {
            return true;
        }
    }
    return false;
}

/* Whether the bytes are not text: there is a control byte, or the beginning is not UTF-8. The
 * length of a long string at the start of a model causes the latter. */
static bool is_no_text(const unsigned char *bytes, size_t n)
{
    enum { BEGINNING = 4 };
    bool valid = true;
    for (size_t i = 0; i < n && i < BEGINNING && valid;) {
        uint32_t c;
        const size_t used = sg_utf8_decode((const char *)bytes + i, n - i, &c);
        valid = used > 0;
        i += used;
    }
    return !valid || has_control(bytes, n);
}

/* --- fields ----------------------------------------------------------------------------------- */

/* A field, as far as it is in the head. */
typedef struct head_field {
    uint64_t number;
    unsigned type;
    /* for SG_WIRE_BYTES: its contents, as far as they are in the head */
    const unsigned char *bytes;
    size_t n;
    bool whole; /* it ends within the head */
} head_field;

typedef enum head_step { HEAD_FIELD, HEAD_END, HEAD_WRONG } head_step;

/* Reads the varint at *at. *ends: the head ends inside it. */
static bool read_varint(const unsigned char *bytes, size_t n, size_t *at, uint64_t *value,
                        bool *ends)
{
    *value = 0;
    for (unsigned i = 0; i < 10; i++) {
        if (*at == n) {
            *ends = true;
            return false;
        }
        const unsigned char byte = bytes[(*at)++];
        *value |= (uint64_t)(byte & 0x7F) << (7 * i);
        if (byte < 0x80) {
            return true;
        }
    }
    return false;
}

/* Reads the field at *at, and moves *at after it. HEAD_END: there is none, or the head ends inside
 * its tag or length. */
static head_step next_field(const unsigned char *bytes, size_t n, size_t *at, head_field *field)
{
    static const size_t fixed[] = {[SG_WIRE_FIXED64] = 8, [SG_WIRE_FIXED32] = 4};
    uint64_t value;
    bool ends = *at == n;
    if (ends || !read_varint(bytes, n, at, &value, &ends)) {
        return ends ? HEAD_END : HEAD_WRONG;
    }
    *field = (head_field){.number = value >> 3, .type = (unsigned)(value & 7), .whole = true};
    if (value > UINT32_MAX || field->number == 0 || field->type > SG_WIRE_FIXED32) {
        return HEAD_WRONG;
    }
    size_t length = 0;
    if (field->type == SG_WIRE_VARINT || field->type == SG_WIRE_BYTES) {
        if (!read_varint(bytes, n, at, &value, &ends)) {
            return ends ? HEAD_END : HEAD_WRONG;
        }
        if (field->type == SG_WIRE_BYTES && value > INT64_MAX) {
            return HEAD_WRONG;
        }
        length = field->type == SG_WIRE_VARINT ? 0 : value > n ? n + 1 : (size_t)value;
    } else if (field->type == SG_WIRE_FIXED64 || field->type == SG_WIRE_FIXED32) {
        length = fixed[field->type];
    }
    field->bytes = bytes + *at;
    field->whole = length <= n - *at;
    field->n = field->whole ? length : n - *at;
    *at += field->n;
    return HEAD_FIELD;
}

/* Whether field 7 can be a GraphProto: at least one of its fields is a known one with
 * SG_WIRE_BYTES, the wire type of all fields of a GraphProto. */
static bool may_be_graph(const head_field *graph)
{
    size_t at = 0;
    bool any = graph->n == 0;
    head_field field;
    head_step step;
    while ((step = next_field(graph->bytes, graph->n, &at, &field)) == HEAD_FIELD) {
        const bool known = field.number <= 16 && field.number != 3 && field.number != 4 &&
                           (field.number < 6 || field.number > 9);
        any = any || (known && field.type == SG_WIRE_BYTES);
    }
    return any && step == HEAD_END;
}

/* What the fields of the head indicate. */
typedef struct evidence {
    bool any;       /* a field of ModelProto */
    bool graph;     /* a field that may be the graph */
    bool against;   /* a field of ModelProto with another wire type, or a name with control bytes */
    bool foreign;   /* a field number that only other formats use */
    bool cut_short; /* the last field continues after the head */
} evidence;

static bool weigh(const unsigned char *bytes, size_t n, evidence *seen)
{
    size_t at = 0;
    head_field field;
    head_step step;
    while ((step = next_field(bytes, n, &at, &field)) == HEAD_FIELD) {
        const int type = model_field_type(field.number);
        if (type < 0) {
            seen->foreign = seen->foreign || field.number > MAX_FIELD;
        } else if ((unsigned)type != field.type ||
                   (is_text_field(field.number) && has_control(field.bytes, field.n))) {
            seen->against = true;
        } else {
            seen->any = true;
            seen->graph = seen->graph || (field.number == 7 && may_be_graph(&field));
        }
        seen->cut_short = !field.whole;
    }
    return step == HEAD_END;
}

bool sg_onnx_is_binary(const void *head, size_t n)
{
    evidence seen = {0};
    return is_no_text(head, n) && weigh(head, n, &seen) &&
           (seen.graph || (seen.any && !seen.against && !seen.foreign));
}

bool sg_onnx_may_be_binary(const void *head, size_t n)
{
    evidence seen = {0};
    return n == SG_ONNX_HEAD && is_no_text(head, n) && weigh(head, n, &seen) && seen.cut_short;
}
