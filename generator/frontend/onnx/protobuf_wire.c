/* The wire format of protobuf: tags, varints, lengths, and the bytes they are read from
 * (https://protobuf.dev/programming-guides/encoding/). Independent of message types. */
#include "frontend/onnx/protobuf_wire.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/system.h"

#define VARINT_BYTES 10
#define MAX_GROUPS   100 /* the limit of protobuf itself */

sg_span sg_wire_span(const sg_wire *wire, int64_t begin, int64_t end)
{
    return sg_span_make(wire->source, (size_t)begin, (size_t)end);
}

bool sg_wire_error(sg_wire *wire, int64_t offset, const char *fmt, ...)
{
    if (wire->failed) {
        return false;
    }
    wire->failed = true;
    va_list ap;
    va_start(ap, fmt);
    const char *text = sg_arena_vprintf(wire->diag->arena, fmt, ap);
    va_end(ap);
    return sg_diag_error(wire->diag, sg_wire_span(wire, offset, offset + 1), "%s", text);
}

static bool io_error(sg_wire *wire)
{
    wire->failed = true;
    return sg_diag_fail(wire->diag, SG_EXIT_IO, sg_wire_span(wire, wire->position, wire->position),
                        "cannot read '%s': %s", wire->source->name, strerror(errno));
}

static bool cut_off(sg_wire *wire)
{
    return sg_wire_error(wire, wire->position,
                         "the file ends within the %s after %" PRId64
                         " bytes; it was not copied or downloaded whole",
                         wire->message, wire->position);
}

/* --- bytes --- */

static void open_common(sg_wire *wire, sg_arena *arena, sg_diag *diag, const char *name,
                        const char *message)
{
    *wire = (sg_wire){.diag = diag, .fd = -1, .message = message, .limit = INT64_MAX};
    wire->source = sg_source_binary(arena, name, 0);
}

void sg_wire_open_memory(sg_wire *wire, sg_arena *arena, sg_diag *diag, const char *name,
                         const void *bytes, size_t n, const char *message)
{
    open_common(wire, arena, diag, name, message);
    wire->source->len = n;
    wire->held = bytes;
    wire->held_count = n;
    wire->limit = (int64_t)n;
    wire->ended = true;
}

bool sg_wire_open_fd(sg_wire *wire, sg_arena *arena, sg_diag *diag, const char *name, int fd,
                     const void *head, size_t nhead, sg_sha256 *hash, const char *message)
{
    open_common(wire, arena, diag, name, message);
    wire->fd = fd;
    wire->buffer = sg_arena_alloc(arena, SG_WIRE_BUFFER);
    wire->held = wire->buffer;
    sg_system_info info;
    if (!sg_system_stat_open(fd, &info)) {
        return io_error(wire);
    }
    if (info.kind == SG_SYSTEM_FOLDER) {
        errno = EISDIR;
        return io_error(wire);
    }
    const int64_t at = info.kind == SG_SYSTEM_FILE ? sg_system_position(fd) : -1;
    if (at >= (int64_t)nhead) {
        wire->seekable = true;
        wire->ended = true;
        wire->file_start = at - (int64_t)nhead;
        int64_t size = info.size - wire->file_start;
        wire->source->len = size > 0 ? (size_t)size : 0;
        wire->limit = (int64_t)wire->source->len;
        return true;
    }
    wire->hash = hash;
    if (nhead > 0) {
        memcpy(wire->buffer, head, nhead);
        wire->held_count = nhead;
        wire->source->len = nhead;
        if (hash != NULL) {
            sg_sha256_add(hash, head, nhead);
        }
    }
    return true;
}

static bool pipe_too_long(sg_wire *wire)
{
    wire->failed = true;
    return sg_diag_fail(wire->diag, SG_EXIT_BUDGET,
                        sg_wire_span(wire, wire->position, wire->position),
                        "a model from a pipe may have %lld MiB, which is also the most that "
                        "protobuf allows; this one goes on, so save it as a file and name that",
                        (long long)(SG_WIRE_PIPE_BYTES >> 20));
}

/* Reads the next bytes of a pipe into the buffer. */
static int64_t read_pipe(sg_wire *wire)
{
    const int64_t n = sg_system_read(wire->fd, wire->buffer, SG_WIRE_BUFFER);
    if (n > 0) {
        wire->source->len += (size_t)n;
        if (wire->hash != NULL) {
            sg_sha256_add(wire->hash, wire->buffer, (size_t)n);
        }
    }
    wire->ended = n == 0;
    return n;
}

/* Fills the buffer so that its first byte, or a later one, is the byte at `position`. Returns false
 * at the end of the file or after an error. A pipe can only be read in order, so bytes before
 * `position` are read and dropped. */
static bool fill(sg_wire *wire)
{
    if (wire->fd < 0 || wire->failed) {
        return false;
    }
    for (;;) {
        int64_t n;
        int64_t next = wire->position;
        if (wire->seekable) {
            n = sg_system_read_at(wire->fd, wire->buffer, SG_WIRE_BUFFER,
                                  wire->file_start + wire->position);
        } else {
            next = wire->held_at + (int64_t)wire->held_count;
            if (next >= SG_WIRE_PIPE_BYTES || wire->position >= SG_WIRE_PIPE_BYTES) {
                return pipe_too_long(wire);
            }
            n = wire->ended ? 0 : read_pipe(wire);
        }
        if (n < 0) {
            return io_error(wire);
        }
        wire->held_at = next;
        wire->held_count = (size_t)n;
        if (n == 0) {
            wire->position = next < wire->position ? next : wire->position;
            return false;
        }
        if (wire->position < next + n) {
            return true;
        }
    }
}

/* The bytes from `position` that are in the buffer and belong to the message: at least one, or 0 at
 * the end of the file. */
static size_t ready(sg_wire *wire, const unsigned char **bytes)
{
    int64_t at = wire->position - wire->held_at;
    if (at < 0 || at >= (int64_t)wire->held_count) {
        if (!fill(wire)) {
            return 0;
        }
        at = wire->position - wire->held_at;
    }
    int64_t n = (int64_t)wire->held_count - at;
    int64_t rest = wire->limit - wire->position;
    *bytes = wire->held + at;
    return (size_t)(n < rest ? n : rest);
}

size_t sg_wire_peek(sg_wire *wire, const unsigned char **bytes)
{
    *bytes = wire->held;
    return wire->position < wire->limit ? ready(wire, bytes) : 0;
}

/* Reports that the message ends inside a field. */
static void report_missing_byte(sg_wire *wire)
{
    if (wire->position < wire->limit || wire->limit >= (int64_t)wire->source->len) {
        cut_off(wire);
    } else {
        sg_wire_error(wire, wire->position, "the %s ends here, within a field; the file is damaged",
                      wire->message);
    }
}

/* Reads the next byte of the message. */
static bool take(sg_wire *wire, unsigned char *byte)
{
    const unsigned char *bytes;
    if (wire->failed || sg_wire_peek(wire, &bytes) == 0) {
        report_missing_byte(wire);
        return false;
    }
    *byte = *bytes;
    wire->position++;
    return true;
}

/* --- fields --- */

static bool read_varint(sg_wire *wire, uint64_t *value)
{
    int64_t start = wire->position;
    *value = 0;
    for (unsigned i = 0; i < VARINT_BYTES; i++) {
        unsigned char byte;
        SG_TRY(take(wire, &byte));
        *value |= (uint64_t)(byte & 0x7F) << (7 * i);
        if (byte < 0x80) {
            return true;
        }
    }
    return sg_wire_error(wire, start,
                         "a number in the %s is longer than %d bytes, as none is; the file is "
                         "damaged or is no ONNX model",
                         wire->message, VARINT_BYTES);
}

static bool read_fixed(sg_wire *wire, unsigned bytes, uint64_t *value)
{
    *value = 0;
    for (unsigned i = 0; i < bytes; i++) {
        unsigned char byte;
        SG_TRY(take(wire, &byte));
        *value |= (uint64_t)byte << (8 * i);
    }
    return true;
}

static bool read_length(sg_wire *wire, sg_wire_field *field)
{
    uint64_t length;
    SG_TRY(read_varint(wire, &length));
    field->begin = wire->position;
    uint64_t rest = (uint64_t)(wire->limit - wire->position);
    if (length > rest) {
        bool file = wire->limit >= (int64_t)wire->source->len;
        return sg_wire_error(wire, field->start,
                             "field %" PRIu32 " of the %s says that it has %" PRIu64
                             " bytes, but the %s ends after %" PRIu64 "; the file is %s",
                             field->number, wire->message, length,
                             file ? "file" : "message around it", rest,
                             file ? "cut off or damaged" : "damaged");
    }
    field->end = field->begin + (int64_t)length;
    return true;
}

static bool read_tag(sg_wire *wire, sg_wire_field *field)
{
    field->start = wire->position;
    uint64_t tag;
    SG_TRY(read_varint(wire, &tag));
    unsigned type = (unsigned)(tag & 7);
    if (tag >> 3 == 0 || tag > UINT32_MAX || type > SG_WIRE_FIXED32) {
        return sg_wire_error(wire, field->start,
                             "%" PRIu64 " is not a field tag, but the %s has one here; the file is "
                             "damaged or is no ONNX model",
                             tag, wire->message);
    }
    field->tag = (uint32_t)tag;
    field->number = (uint32_t)(tag >> 3);
    field->type = (sg_wire_type)type;
    field->begin = wire->position;
    field->value = 0;
    return true;
}

/* Reads what follows a tag; for SG_WIRE_BYTES only the length. */
static bool read_payload(sg_wire *wire, sg_wire_field *field)
{
    switch (field->type) {
    case SG_WIRE_VARINT:
        SG_TRY(read_varint(wire, &field->value));
        break;
    case SG_WIRE_FIXED64:
        SG_TRY(read_fixed(wire, 8, &field->value));
        break;
    case SG_WIRE_FIXED32:
        SG_TRY(read_fixed(wire, 4, &field->value));
        break;
    case SG_WIRE_BYTES:
        return read_length(wire, field);
    case SG_WIRE_GROUP:
    case SG_WIRE_GROUP_END:
        break;
    }
    field->end = wire->position;
    return true;
}

/* Moves forward within the message. A pipe has to be read up to there, to see that it is long
 * enough. */
static bool move_to(sg_wire *wire, int64_t position)
{
    if (wire->failed) {
        return false;
    }
    if (position > wire->position && !wire->ended) {
        wire->position = position - 1;
        const unsigned char *bytes;
        if (ready(wire, &bytes) == 0) {
            return cut_off(wire);
        }
    }
    wire->position = position;
    return true;
}

/* Skips a group whose start tag has been read. */
static bool skip_group(sg_wire *wire, const sg_wire_field *group)
{
    uint32_t open[MAX_GROUPS];
    size_t depth = 1;
    open[0] = group->number;
    while (depth > 0) {
        sg_wire_field field;
        SG_TRY(read_tag(wire, &field));
        SG_TRY(read_payload(wire, &field));
        if (field.type == SG_WIRE_BYTES) {
            SG_TRY(move_to(wire, field.end));
        } else if (field.type == SG_WIRE_GROUP) {
            if (depth == MAX_GROUPS) {
                return sg_wire_error(wire, field.start, "groups are nested more than %d deep",
                                     MAX_GROUPS);
            }
            open[depth++] = field.number;
        } else if (field.type == SG_WIRE_GROUP_END && field.number != open[--depth]) {
            return sg_wire_error(wire, field.start,
                                 "group %" PRIu32 " ends where group %" PRIu32
                                 " must end first; the file is damaged",
                                 field.number, open[depth]);
        }
    }
    return true;
}

/* Whether the message has more bytes. The outermost message of a pipe ends with the pipe. */
static bool has_more(sg_wire *wire)
{
    if (wire->position < wire->limit && wire->limit == INT64_MAX) {
        const unsigned char *bytes;
        if (ready(wire, &bytes) == 0) {
            wire->limit = wire->position;
        }
    }
    return !wire->failed && wire->position < wire->limit;
}

bool sg_wire_next(sg_wire *wire, sg_wire_field *field)
{
    if (!move_to(wire, wire->resume)) {
        return false;
    }
    while (has_more(wire)) {
        if (!read_tag(wire, field) || !read_payload(wire, field)) {
            return false;
        }
        if (field->type == SG_WIRE_GROUP) {
            if (!skip_group(wire, field)) {
                return false;
            }
            continue;
        }
        if (field->type == SG_WIRE_GROUP_END) {
            return sg_wire_error(wire, field->start,
                                 "group %" PRIu32 " ends but never began; the file is damaged",
                                 field->number);
        }
        wire->resume = field->end;
        return true;
    }
    return false;
}

sg_wire_scope sg_wire_enter(sg_wire *wire, const sg_wire_field *field, const char *message)
{
    sg_wire_scope scope = {wire->limit, field->end, wire->message};
    wire->limit = field->end;
    wire->resume = field->begin;
    wire->message = message;
    return scope;
}

bool sg_wire_leave(sg_wire *wire, const sg_wire_scope *scope)
{
    wire->limit = scope->limit;
    wire->resume = scope->resume;
    wire->message = scope->message;
    return !wire->failed;
}

bool sg_wire_packed(sg_wire *wire, sg_wire_type type, uint64_t *value)
{
    if (!move_to(wire, wire->resume) || !has_more(wire)) {
        return false;
    }
    bool ok = type == SG_WIRE_VARINT ? read_varint(wire, value)
                                     : read_fixed(wire, type == SG_WIRE_FIXED64 ? 8 : 4, value);
    wire->resume = wire->position;
    return ok;
}

bool sg_wire_bytes(sg_wire *wire, const sg_wire_field *field, sg_buf *out)
{
    sg_wire_scope scope = sg_wire_enter(wire, field, wire->message);
    sg_buf_add(out, "", 0);
    while (!wire->failed && wire->position < wire->limit) {
        const unsigned char *bytes;
        size_t n = ready(wire, &bytes);
        if (n == 0) {
            return cut_off(wire);
        }
        sg_buf_add(out, bytes, n);
        wire->position += (int64_t)n;
    }
    return sg_wire_leave(wire, &scope);
}
