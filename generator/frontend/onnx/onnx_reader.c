/* Reads kinds of fields that all messages have: names, integers, lists. */
#include "frontend/onnx/onnx_reader.h"

#include <inttypes.h>
#include <string.h>

/* The limit for everything the reader stores. The largest models have some 100,000 nodes, which
 * take 50 MB. */
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

bool sg_onnx_read_fields(sg_onnx_reader *reader, sg_onnx_take *take, void *to)
{
    sg_wire_field field;
    while (sg_wire_next(&reader->wire, &field)) {
        SG_TRY(sg_onnx_has_room(reader) && take(reader, &field, to));
    }
    return !reader->wire.failed;
}

bool sg_onnx_read_message(sg_onnx_reader *reader, const sg_wire_field *field, const char *message,
                          sg_onnx_take *take, void *to)
{
    sg_wire_scope scope = sg_wire_enter(&reader->wire, field, message);
    return sg_onnx_read_fields(reader, take, to) && sg_wire_leave(&reader->wire, &scope);
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

int64_t sg_onnx_int64(uint64_t value)
{
    int64_t integer;
    memcpy(&integer, &value, sizeof integer);
    return integer;
}

int64_t sg_onnx_int32(const sg_wire_field *field)
{
    const uint64_t low = field->value & UINT32_MAX;
    return sg_onnx_int64(low > INT32_MAX ? low | ~(uint64_t)UINT32_MAX : low);
}

bool sg_onnx_read_numbers(sg_onnx_reader *reader, const sg_wire_field *field, sg_wire_type type,
                          const char *message, void (*add)(sg_arena *, uint64_t, void *), void *to)
{
    sg_wire *wire = &reader->wire;
    if (field->type == type) {
        add(reader->arena, field->value, to);
        return true;
    }
    sg_wire_scope scope = sg_wire_enter(wire, field, message);
    uint64_t bits;
    while (sg_wire_packed(wire, type, &bits)) {
        SG_TRY(sg_onnx_has_room(reader));
        add(reader->arena, bits, to);
    }
    return sg_wire_leave(wire, &scope);
}

sg_span sg_onnx_span(const sg_onnx_reader *reader, const sg_wire_field *field)
{
    return sg_wire_span(&reader->wire, field->start, field->end);
}
