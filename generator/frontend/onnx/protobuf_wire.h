/* protobuf_wire: reads protobuf's wire format field by field from a file, a pipe or memory, and
 * passes over what nobody asks for, in files by seeking. Knows no message types.
 *
 *     sg_wire_field f;
 *     while (sg_wire_next(wire, &f)) {
 *         if (f.tag == TAG_BYTES(7)) {
 *             sg_wire_scope outer = sg_wire_enter(wire, &f, "GraphProto");
 *             ... the same loop for the message within ...
 *             sg_wire_leave(wire, &outer);
 *         }
 *     }
 *     return !wire->failed;
 *
 * A field that is not read is passed over by the next call. The first error is reported, sets
 * `failed` and makes every later call return false; loops end by themselves. Nothing is ever
 * allocated for a length that a file only claims. */
#ifndef SG_FRONTEND_ONNX_PROTOBUF_WIRE_H
#define SG_FRONTEND_ONNX_PROTOBUF_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/sha256.h"
#include "base/source.h"
#include "base/text.h"

/* Read from a file at a time. Small, because behind every weight that is passed over the buffer is
 * filled anew. */
#define SG_WIRE_BUFFER 8192

/* Most that is read of a pipe, which may be endless: no message of protobuf is longer. */
#define SG_WIRE_PIPE_BYTES ((int64_t)1 << 31)

typedef enum sg_wire_type {
    SG_WIRE_VARINT = 0,
    SG_WIRE_FIXED64 = 1,
    SG_WIRE_BYTES = 2, /* strings, bytes, messages, packed numbers */
    SG_WIRE_GROUP = 3, /* gone from protobuf since 2009; passed over */
    SG_WIRE_GROUP_END = 4,
    SG_WIRE_FIXED32 = 5
} sg_wire_type;

/* Number and wire type of a field, which together say whether it is one that a message knows: with
 * another wire type it is an unknown field of that number. */
#define SG_WIRE_TAG(number, type) ((uint32_t)(number) << 3 | (uint32_t)(type))
#define TAG_VARINT(number)        SG_WIRE_TAG(number, SG_WIRE_VARINT)
#define TAG_FIXED64(number)       SG_WIRE_TAG(number, SG_WIRE_FIXED64)
#define TAG_BYTES(number)         SG_WIRE_TAG(number, SG_WIRE_BYTES)
#define TAG_FIXED32(number)       SG_WIRE_TAG(number, SG_WIRE_FIXED32)

typedef struct sg_wire_field {
    uint32_t tag; /* SG_WIRE_TAG */
    uint32_t number;
    sg_wire_type type;
    int64_t start;  /* offset of its tag in the file */
    int64_t begin;  /* offset of what it holds; of SG_WIRE_BYTES behind the length */
    int64_t end;    /* behind it */
    uint64_t value; /* of numbers; fixed ones as their bits */
} sg_wire_field;

typedef struct sg_wire {
    sg_diag *diag;
    sg_source *source; /* len is the size of the file, or what is known of it yet */
    int fd;            /* -1: all bytes are in memory */
    bool seekable;
    bool ended;         /* a pipe is: source->len is its size */
    int64_t file_start; /* where in the file offset 0 is: standard input need not be at its start */
    int64_t position;   /* offset of the next byte to read */
    int64_t resume;     /* where sg_wire_next goes on */
    int64_t limit;      /* end of the message being read; of a pipe's outermost INT64_MAX */
    const char *message; /* being read: "GraphProto" */
    int64_t held_at;     /* offset of held[0] */
    size_t held_count;
    const unsigned char *held;
    unsigned char *buffer; /* of SG_WIRE_BUFFER bytes, for files and pipes */
    sg_sha256 *hash;       /* takes every byte of a pipe; NULL */
    bool failed;
} sg_wire;

typedef struct sg_wire_scope {
    int64_t limit;
    int64_t resume;
    const char *message;
} sg_wire_scope;

/* Memory that stays unchanged while it is read. */
void sg_wire_open_memory(sg_wire *wire, sg_arena *arena, sg_diag *diag, const char *name,
                         const void *bytes, size_t n, const char *message);
/* A descriptor that stays the caller's. head: bytes that were read from it already, at most
 * SG_WIRE_BUFFER. False when it cannot be read at all; reported. */
bool sg_wire_open_fd(sg_wire *wire, sg_arena *arena, sg_diag *diag, const char *name, int fd,
                     const void *head, size_t nhead, sg_sha256 *hash, const char *message) SG_CHECK;

/* The next field of the message; false at its end, and after an error. */
bool sg_wire_next(sg_wire *wire, sg_wire_field *field);

/* Goes into a field of SG_WIRE_BYTES and back out to behind it. */
sg_wire_scope sg_wire_enter(sg_wire *wire, const sg_wire_field *field, const char *message);
bool sg_wire_leave(sg_wire *wire, const sg_wire_scope *scope);

/* For packed numbers, entered as a message: one more, false at the end and after an error. */
bool sg_wire_packed(sg_wire *wire, sg_wire_type type, uint64_t *value);

/* What a field of SG_WIRE_BYTES holds, behind what is in out. Grows by what is there, not by what
 * the length says. */
bool sg_wire_bytes(sg_wire *wire, const sg_wire_field *field, sg_buf *out) SG_CHECK;

/* The bytes that are at hand from the next one on, without taking them: 0 at the end of the file.
 */
size_t sg_wire_peek(sg_wire *wire, const unsigned char **bytes);

/* Reports what is wrong at an offset; always false. */
bool sg_wire_error(sg_wire *wire, int64_t offset, const char *fmt, ...) SG_PRINTF(3, 4);

sg_span sg_wire_span(const sg_wire *wire, int64_t begin, int64_t end);

#endif
