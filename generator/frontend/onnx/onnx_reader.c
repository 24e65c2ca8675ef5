/* Fields that all messages have: names, integers, lists that grow. */
#include "frontend/onnx/onnx_reader.h"

#include <inttypes.h>
#include <string.h>

/* Of everything that is kept. The largest models have some 100,000 nodes, which are 50 MB. */
#define MAX_MEMORY ((size_t)512 << 20)

bool sg_onnx_has_room(sg_onnx_reader *reader)
{
    if (reader->arena->total - reader->memory_before <= MAX_MEMORY &&
        sg_arena_left(reader->arena) > 0) {
        return true;
    }
    if (!reader->wire.failed) {
        reader->wire.failed = true;
        int64_t at = reader->wire.position;
        const sg_span here = sg_wire_span(&reader->wire, at, at);
        SG_TRY(sg_graph_has_room(reader->arena, reader->diag, here));
        return sg_diag_fail(reader->diag, SG_EXIT_BUDGET, here,
                            "the names, nodes and attributes of the model up to here take more "
                            "than %zu MiB, as no real model's do; the file is damaged",
                            MAX_MEMORY >> 20);
    }
    return false;
}

void *sg_onnx_grow(sg_onnx_reader *reader, void *list, int64_t count, size_t entry)
{
    if (!sg_onnx_has_room(reader)) {
        return NULL;
    }
    size_t n = (size_t)count;
    if ((n & (n - 1)) != 0) {
        return list;
    }
    void *more = sg_arena_array(reader->arena, n == 0 ? 1 : 2 * n, entry);
    if (n > 0) {
        memcpy(more, list, n * entry);
    }
    return more;
}

bool sg_onnx_read_name(sg_onnx_reader *reader, const sg_wire_field *field, const char *what,
                       const char **name)
{
    sg_wire *wire = &reader->wire;
    int64_t n = field->end - field->begin;
    if (n > SG_ONNX_NAME_MAX) {
        return sg_wire_error(wire, field->start,
                             "the %s of the %s has %" PRId64 " bytes, more than the %" PRId64
                             " a name may have; the file is damaged",
                             what, wire->message, n, SG_ONNX_NAME_MAX);
    }
    reader->text.len = 0;
    SG_TRY(sg_wire_bytes(wire, field, &reader->text));
    const char *nul = memchr(reader->text.ptr, '\0', reader->text.len);
    if (nul != NULL) {
        return sg_wire_error(wire, field->begin + (nul - reader->text.ptr),
                             "the %s of the %s has a zero byte, which no name may have", what,
                             wire->message);
    }
    *name = sg_arena_strndup(reader->arena, reader->text.ptr, reader->text.len);
    return sg_onnx_has_room(reader);
}

static int64_t as_signed(uint64_t bits)
{
    int64_t value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

int64_t sg_onnx_int64(const sg_wire_field *field)
{
    return as_signed(field->value);
}

int64_t sg_onnx_int32(const sg_wire_field *field)
{
    const uint64_t low = field->value & UINT32_MAX;
    return as_signed(low > INT32_MAX ? low | ~(uint64_t)UINT32_MAX : low);
}

bool sg_onnx_read_ints(sg_onnx_reader *reader, const sg_wire_field *field, int64_t **list,
                       int64_t *count)
{
    sg_wire *wire = &reader->wire;
    if (field->type == SG_WIRE_VARINT) {
        int64_t *entry = SG_ONNX_APPEND(reader, *list, *count);
        SG_TRY(entry != NULL);
        *entry = as_signed(field->value);
        return true;
    }
    sg_wire_scope scope = sg_wire_enter(wire, field, wire->message);
    uint64_t bits;
    while (sg_wire_packed(wire, SG_WIRE_VARINT, &bits)) {
        int64_t *entry = SG_ONNX_APPEND(reader, *list, *count);
        SG_TRY(entry != NULL);
        *entry = as_signed(bits);
    }
    return sg_wire_leave(wire, &scope);
}
