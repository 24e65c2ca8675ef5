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
            if (value > n - at) {
                return value <= INT64_MAX;
            }
            at += (size_t)value;
        }
    }
    return any;
}

const char *sg_onnx_foreign(const void *head, size_t n)
{
    static const struct {
        size_t at;
        const char *magic;
        size_t length;
        const char *text;
    } files[] = {
        {0, "\x1F\x8B", 2,
         "is compressed with gzip; unpack it first: 'gunzip FILE', or 'gunzip -c "
         "FILE | splitgen -'"},
        {0, "PK\x03\x04", 4, "is a zip archive; unpack it first, and give the .onnx file in it"},
        {0, "\x28\xB5\x2F\xFD", 4, "is compressed with zstd; unpack it first: 'unzstd FILE'"},
        {0,
         "\xFD"
         "7zXZ",
         5, "is compressed with xz; unpack it first: 'unxz FILE'"},
        {0, "BZh", 3, "is compressed with bzip2; unpack it first: 'bunzip2 FILE'"},
        {0, "version https://git-lfs", 23,
         "is not the model but Git LFS's pointer to it; fetch it "
         "first: 'git lfs pull'"},
        {4, "ORTM", 4,
         "is in ONNX Runtime's own format, which holds no ONNX model; give the .onnx "
         "file it was made from"},
        {4, "TFL3", 4, "is a model of TensorFlow Lite; export it to ONNX first (tf2onnx does)"},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (n >= files[i].at + files[i].length &&
            memcmp((const char *)head + files[i].at, files[i].magic, files[i].length) == 0) {
            return files[i].text;
        }
    }
    return NULL;
}
