/* Checks the places of a plan, and the bytes that they have in common. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/checked.h"
#include "placement/prove.h"

/* --- boxes ------------------------------------------------------------------------------------ */

/* The bytes of `length` elements of a tensor from `start` along an axis; of all elements if axis is
 * -1. */
sg_prove_bytes sg_prove_box(const sg_place_tensor *t, int64_t axis, int64_t start, int64_t length)
{
    sg_prove_bytes b = {.at = t->offset, .run = t->element > 0 ? t->element : t->bytes};
    for (int64_t d = t->rank - 1; t->element > 0 && d >= 0; d--) {
        const int64_t count = d == axis ? length : t->dims[d];
        b.at += d == axis ? start * t->strides[d] : 0;
        if (count == 0) {
            b.run = 0;
        } else if (b.n == 0 && t->strides[d] == b.run) {
            b.run *= count;
        } else if (count > 1) {
            b.counts[b.n] = count;
            b.steps[b.n++] = t->strides[d];
        }
    }
    b.n = b.run > 0 ? b.n : 0; /* an empty box has no dimensions */
    return b;
}

static int64_t end_of(const sg_prove_bytes *b)
{
    int64_t end = b->at + b->run;
    for (int i = 0; i < b->n; i++) {
        end += (b->counts[i] - 1) * b->steps[i];
    }
    return end;
}

/* Whether two boxes have a byte in common. Recurses into the slices of the box with the larger
 * outermost step. */
bool sg_prove_meet(const sg_prove_bytes *a, const sg_prove_bytes *b)
{
    const int64_t end_a = end_of(a);
    const int64_t end_b = end_of(b);
    if (a->run == 0 || b->run == 0 || end_a <= b->at || end_b <= a->at) {
        return false;
    }
    if (a->n == 0 && b->n == 0) {
        return true;
    }
    if (a->n == 0 || (b->n > 0 && b->steps[b->n - 1] > a->steps[a->n - 1])) {
        return sg_prove_meet(b, a);
    }
    sg_prove_bytes slice = *a;
    slice.n--;
    const int64_t step = a->steps[slice.n];
    const int64_t size = end_of(&slice) - slice.at;
    int64_t first = step > 0 ? (b->at - a->at - size) / step : 0;
    first = first > 0 ? first : 0;
    for (int64_t i = first; i < a->counts[slice.n]; i++) {
        slice.at = a->at + i * step;
        if (slice.at >= end_b) {
            break;
        }
        if (sg_prove_meet(&slice, b)) {
            return true;
        }
    }
    return false;
}

bool sg_prove_is_packed(const sg_place_tensor *t)
{
    const sg_prove_bytes b = sg_prove_box(t, -1, 0, 0);
    return b.n == 0 && b.run == t->bytes;
}

bool sg_prove_has_place(const sg_place_tensor *t)
{
    return t->known && t->kind != SG_PLACE_CONSTANT;
}

/* --- places ----------------------------------------------------------------------------------- */

/* Whether the rows of a tensor of the caller are those of its buffer: dense, or with the room of a
 * cache along its axis. */
static bool has_own_rows(const sg_place_tensor *t, const sg_place_buffer *buffer)
{
    int64_t stride = t->element;
    for (int64_t d = t->rank - 1; d >= 0; d--) {
        const bool grows = t->capacity > 0 && d == t->axis;
        const int64_t room = grows ? t->capacity : t->dims[d];
        if (t->element > 0 && t->bytes > 0 && t->strides[d] != stride &&
            (t->dims[d] != 1 || t->capacity > 0)) {
            return false;
        }
        stride *= room;
    }
    return t->offset == 0 && buffer->bytes == (t->capacity > 0 ? stride : t->bytes);
}

const char *sg_prove_places(sg_arena *arena, const sg_placement *graph)
{
    int64_t *owners = SG_NEW_ARRAY(arena, int64_t, graph->nbuffers);
    for (int64_t i = 0; i < graph->ntensors; i++) {
        const sg_place_tensor *t = &graph->tensors[i];
        if (!sg_prove_has_place(t)) {
            continue;
        }
        if (t->buffer < 0 || t->buffer >= graph->nbuffers || t->rank > SG_MAX_RANK) {
            return sg_arena_printf(arena, "tensor '%s' has no place", t->name);
        }
        const sg_place_buffer *buffer = &graph->buffers[t->buffer];
        const sg_prove_bytes all = sg_prove_box(t, -1, 0, 0);
        for (int k = 0; k < all.n; k++) {
            if (all.steps[k] <= 0) {
                return sg_arena_printf(arena, "tensor '%s' has a stride of %" PRId64, t->name,
                                       all.steps[k]);
            }
            sg_prove_bytes row = all;
            row.n = k;
            if (all.steps[k] < end_of(&row) - row.at) {
                return sg_arena_printf(arena, "tensor '%s' has rows that overlap", t->name);
            }
        }
        if ((all.run > 0 || t->bits.count == 0) &&
            (t->offset < 0 || end_of(&all) > buffer->bytes)) {
            return sg_arena_printf(arena, "tensor '%s' is not within its buffer", t->name);
        }
        for (int64_t d = 0; t->element > 0 && d < t->rank; d++) {
            if (t->strides[d] % t->element != 0) {
                return sg_arena_printf(arena, "rows of '%s' are not aligned", t->name);
            }
        }
        if (t->element > 0 &&
            ((t->offset + buffer->offset) % t->element != 0 ||
             (buffer->kind == SG_PLACE_INNER && graph->alignment % t->element != 0))) {
            return sg_arena_printf(arena, "'%s' is not aligned", t->name);
        }
        if (t->kind == SG_PLACE_INNER) {
            continue;
        }
        owners[t->buffer]++;
        const sg_place_kind kind = t->capacity > 0 ? SG_PLACE_CACHE : t->kind;
        if (kind != buffer->kind || !has_own_rows(t, buffer)) {
            return sg_arena_printf(arena, "'%s' is not the caller's buffer", t->name);
        }
    }
    for (int64_t b = 0; b < graph->nbuffers; b++) {
        const sg_place_kind kind = graph->buffers[b].kind;
        if (owners[b] != (kind == SG_PLACE_INNER ? 0 : kind == SG_PLACE_CACHE ? 2 : 1)) {
            return sg_arena_printf(arena, "buffer %" PRId64 " has %" PRId64 " owners", b,
                                   owners[b]);
        }
    }
    return NULL;
}

static int by_first(const void *a, const void *b)
{
    const sg_place_buffer *x = *(const sg_place_buffer *const *)a;
    const sg_place_buffer *y = *(const sg_place_buffer *const *)b;
    return x->first != y->first ? (x->first > y->first) - (x->first < y->first) : (x > y) - (x < y);
}

const char *sg_prove_arena(sg_arena *arena, const sg_placement *graph,
                           const sg_place_options *options)
{
    const sg_place_buffer **order = SG_NEW_ARRAY(arena, const sg_place_buffer *, graph->nbuffers);
    int64_t count = 0;
    for (int64_t b = 0; b < graph->nbuffers; b++) {
        const sg_place_buffer *buffer = &graph->buffers[b];
        if (buffer->kind == SG_PLACE_INNER && buffer->bytes > 0) {
            order[count++] = buffer;
        }
    }
    if (count > 0) {
        qsort(order, (size_t)count, sizeof(const sg_place_buffer *), by_first);
    }
    if (graph->alignment % options->alignment != 0) {
        return "the arena is not aligned like its buffers";
    }
    int64_t nlive = 0; /* the first nlive elements of `order` are live buffers */
    for (int64_t i = 0; i < count; i++) {
        const sg_place_buffer *buffer = order[i];
        int64_t end = 0;
        int64_t kept = 0;
        if (buffer->offset < 0 || buffer->offset % options->alignment != 0 ||
            !sg_add64(buffer->offset, buffer->bytes, &end) || end > graph->arena) {
            return sg_arena_printf(arena, "buffer %" PRId64 " is not in the arena",
                                   (int64_t)(buffer - graph->buffers));
        }
        for (int64_t k = 0; k < nlive; k++) {
            const sg_place_buffer *other = order[k];
            if (other->last < buffer->first) {
                continue;
            }
            order[kept++] = other;
            if (other->offset < end && buffer->offset < other->offset + other->bytes) {
                return sg_arena_printf(arena,
                                       "buffers %" PRId64 " and %" PRId64
                                       " have bytes in common while both are needed",
                                       (int64_t)(other - graph->buffers),
                                       (int64_t)(buffer - graph->buffers));
            }
        }
        order[kept++] = buffer;
        nlive = kept;
    }
    return NULL;
}
