/* What kind of file the first bytes are of. Looks at nothing else, so that a name says nothing. */
#include "frontend/onnx/onnx_binary.h"

#include <stdint.h>
#include <string.h>

#include "frontend/onnx/protobuf_wire.h"

/* Fields beyond it are of other people's messages: Core ML's models begin like ONNX's and have
 * theirs in field 500 and so on. */
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

/* Messages of other people have messages there. */
static bool is_text_field(uint64_t number)
{
    return number == 2 || number == 3 || number == 4; /* producer_name, producer_version, domain */
}

/* A byte that no text has. */
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

/* Bytes of the varint, 0 when it does not end. */
static size_t varint(const unsigned char *bytes, size_t n, uint64_t *value)
{
    *value = 0;
    for (size_t i = 0; i < n && i < 10; i++) {
        *value |= (uint64_t)(bytes[i] & 0x7F) << (7 * i);
        if (bytes[i] < 0x80) {
            return i + 1;
        }
    }
    return 0;
}

bool sg_onnx_is_binary(const void *head, size_t n)
{
    const unsigned char *bytes = head;
    size_t at = 0;
    bool any = false;
    if (!has_control(bytes, n)) {
        return false;
    }
    while (at < n) {
        uint64_t tag;
        uint64_t value;
        size_t used = varint(bytes + at, n - at, &tag);
        if (used == 0) {
            return any && n - at < 10;
        }
        at += used;
        int type = model_field_type(tag >> 3);
        bool later = any && type < 0 && tag >> 3 > 0 && tag >> 3 <= MAX_FIELD &&
                     ((tag & 7) == SG_WIRE_VARINT || (tag & 7) == SG_WIRE_BYTES);
        if (type < 0 ? !later : (uint64_t)type != (tag & 7)) {
            return false;
        }
        used = varint(bytes + at, n - at, &value);
        if (used == 0) {
            return any && n - at < 10;
        }
        at += used;
        any = true;
        if ((tag & 7) == SG_WIRE_BYTES) {
            const size_t seen = value < n - at ? (size_t)value : n - at;
            if (is_text_field(tag >> 3) && has_control(bytes + at, seen)) {
                return false;
            }
            if (value > n - at) {
                return value <= INT64_MAX;
            }
            at += (size_t)value;
        }
    }
    return any;
}
