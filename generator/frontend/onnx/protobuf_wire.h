/* protobuf_wire: reads the wire format of protobuf field by field from a file, a pipe or memory.
 * Skips fields that the caller does not read, in files by seeking. Independent of message types.
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
 * The next call skips a field that was not read. The first error is reported and sets `failed`;
 * after that each call returns false, so loops end without checks. A length in the file never
 * causes an allocation by itself. */
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

/* Bytes read from a file at a time. Small, because the buffer is refilled after each weight that is
 * skipped. */
#define SG_WIRE_BUFFER 8192

/* The limit for pipes, which may be endless. Messages of protobuf cannot be longer. */
#define SG_WIRE_PIPE_BYTES ((int64_t)1 << 31)

typedef enum sg_wire_type {
    SG_WIRE_VARINT = 0,
    SG_WIRE_FIXED64 = 1,
    SG_WIRE_BYTES = 2, /* strings, bytes, messages, packed numbers */
    SG_WIRE_GROUP = 3, /* deprecated since 2009, skipped */
    SG_WIRE_GROUP_END = 4,
    SG_WIRE_FIXED32 = 5
} sg_wire_type;

/* Number and wire type of a field in one value. A field with a known number and another wire type
 * is an unknown field, so callers compare both together. */
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
    int64_t begin;  /* offset of its payload; for SG_WIRE_BYTES after the length */
    int64_t end;    /* offset of the first byte after it */
    uint64_t value; /* of a number; bits of a fixed one */
} sg_wire_field;

typedef struct sg_wire {
    sg_diag *diag;
    sg_source *source; /* len is the size of the file; for a pipe, as far as known */
    int fd;            /* -1: all bytes are in memory */
    bool seekable;
    /* source->len is final: not a pipe, or a pipe that has been read to its end */
    bool ended;
    int64_t file_start;  /* where offset 0 is in the file: standard input may not be at its start */
    int64_t position;    /* offset of the next byte to read */
    int64_t resume;      /* where sg_wire_next() continues */
    int64_t limit;       /* end of the current message; INT64_MAX for the outermost one of a pipe */
    const char *message; /* name of the current message: "GraphProto" */
    int64_t held_at;     /* offset of held[0] */
    size_t held_count;
    const unsigned char *held;
    unsigned char *buffer; /* SG_WIRE_BUFFER bytes, for files and pipes */
    sg_sha256 *hash;       /* is updated with the bytes of a pipe; may be NULL */
    bool failed;
} sg_wire;

typedef struct sg_wire_scope {
    int64_t limit;
    int64_t resume;
    const char *message;
} sg_wire_scope;

/* Reads memory, which must not change meanwhile. */
void sg_wire_open_memory(sg_wire *wire, sg_arena *arena, sg_diag *diag, const char *name,
                         const void *bytes, size_t n, const char *message);
/* Reads a descriptor, which the caller closes. head: bytes that have been read from it already, at
 * most SG_WIRE_BUFFER. Returns false if it cannot be read, which is reported. */
bool sg_wire_open_fd(sg_wire *wire, sg_arena *arena, sg_diag *diag, const char *name, int fd,
                     const void *head, size_t nhead, sg_sha256 *hash, const char *message) SG_CHECK;

/* The next field of the message. Returns false at its end and after an error. */
bool sg_wire_next(sg_wire *wire, sg_wire_field *field);

/* Enter a field of SG_WIRE_BYTES as a message, and leave it at its end. */
sg_wire_scope sg_wire_enter(sg_wire *wire, const sg_wire_field *field, const char *message);
bool sg_wire_leave(sg_wire *wire, const sg_wire_scope *scope);

/* The next number of a packed field that was entered as a message. Returns false at its end and
 * after an error. */
bool sg_wire_packed(sg_wire *wire, sg_wire_type type, uint64_t *value);

/* Appends the contents of a field of SG_WIRE_BYTES to out. Memory grows with the bytes that are
 * read, not with the length that the field declares. */
bool sg_wire_bytes(sg_wire *wire, const sg_wire_field *field, sg_buf *out) SG_CHECK;

/* The bytes at the position, without consuming them; 0 at the end of the file. */
size_t sg_wire_peek(sg_wire *wire, const unsigned char **bytes);

/* Reports an error at an offset. Always returns false. */
bool sg_wire_error(sg_wire *wire, int64_t offset, const char *fmt, ...) SG_PRINTF(3, 4);

sg_span sg_wire_span(const sg_wire *wire, int64_t begin, int64_t end);

#endif
