/* Places all inner buffers in one arena, one after the other. Each goes into the smallest gap
 * between the buffers that are needed at the same time. */
#include <stdlib.h>

#include "base/checked.h"
#include "placement/placement.h"

/* The orders that are tried. None of them is the best for all graphs. */
enum {
    LARGEST,
    LONGEST,  /* needed by the most nodes */
    EARLIEST, /* written first */
    ORDERS
};

/* With more buffers only the first order is tried: the time grows with the square of their number.
 */
#define MANY 4000

typedef struct entry {
    sg_place_buffer *buffer;
    int64_t index;
    int64_t key; /* larger keys come first, and of equal ones larger buffers */
} entry;

static int compare(const void *a, const void *b)
{
    const entry *x = a;
    const entry *y = b;
    if (x->key != y->key) {
        return x->key > y->key ? -1 : 1;
    }
    if (x->buffer->bytes != y->buffer->bytes) {
        return x->buffer->bytes > y->buffer->bytes ? -1 : 1;
    }
    return (x->index > y->index) - (x->index < y->index);
}

static void sort(entry *entries, int64_t count, int order)
{
    for (int64_t i = 0; i < count; i++) {
        const sg_place_buffer *buffer = entries[i].buffer;
        entries[i].key = order == LARGEST   ? buffer->bytes
                         : order == LONGEST ? buffer->last - buffer->first
                                            : -buffer->first;
    }
    if (count > 0) {
        qsort(entries, (size_t)count, sizeof *entries, compare);
    }
}

static int64_t aligned(int64_t bytes, int64_t alignment)
{
    return (bytes + alignment - 1) / alignment * alignment;
}

/* The offset of the smallest gap among the placed buffers, which are sorted by offset. */
static int64_t best_fit(const sg_place_buffer *buffer, sg_place_buffer *const *placed,
                        int64_t count)
{
    int64_t best = -1;
    int64_t best_gap = INT64_MAX;
    int64_t end = 0;
    for (int64_t i = 0; i < count; i++) {
        const sg_place_buffer *other = placed[i];
        if (other->last < buffer->first || buffer->last < other->first) {
            continue;
        }
        const int64_t gap = other->offset - end;
        if (gap >= buffer->bytes && gap < best_gap) {
            best = end;
            best_gap = gap;
        }
        const int64_t next = aligned(other->offset + other->bytes, buffer->align);
        end = next > end ? next : end;
    }
    return best >= 0 ? best : end;
}

static int64_t most_live(sg_arena *arena, const sg_placement *graph)
{
    int64_t *change = SG_NEW_ARRAY(arena, int64_t, graph->nnodes + 2);
    for (int64_t i = 0; i < graph->nbuffers; i++) {
        const sg_place_buffer *buffer = &graph->buffers[i];
        if (buffer->kind == SG_PLACE_INNER) {
            change[buffer->first] += buffer->bytes;
            change[buffer->last + 1] -= buffer->bytes;
        }
    }
    int64_t live = 0;
    int64_t most = 0;
    for (int64_t n = 0; n < graph->nnodes; n++) {
        live += change[n];
        most = live > most ? live : most;
    }
    return most;
}

/* Sets the offsets of the buffers, in this order. Returns the bytes of the arena. */
static int64_t place(const entry *entries, int64_t count, sg_place_buffer **placed)
{
    int64_t bytes = 0;
    for (int64_t i = 0; i < count; i++) {
        sg_place_buffer *buffer = entries[i].buffer;
        buffer->offset = best_fit(buffer, placed, i);
        int64_t at = i;
        while (at > 0 && placed[at - 1]->offset > buffer->offset) {
            placed[at] = placed[at - 1];
            at--;
        }
        placed[at] = buffer;
        const int64_t end = buffer->offset + buffer->bytes;
        bytes = end > bytes ? end : bytes;
    }
    return bytes;
}

/* Whether the inner buffers fit one behind the other, so that no offset overflows. */
static bool bytes_fit(const sg_placement *graph)
{
    int64_t all = 0;
    for (int64_t i = 0; i < graph->nbuffers; i++) {
        SG_TRY(graph->buffers[i].kind != SG_PLACE_INNER ||
               (sg_add64(all, graph->buffers[i].bytes, &all) &&
                sg_add64(all, SG_PLACE_ALIGN_MOST, &all)));
    }
    return true;
}

bool sg_place_arena(sg_arena *arena, sg_placement *graph)
{
    SG_TRY(bytes_fit(graph));
    entry *entries = SG_NEW_ARRAY(arena, entry, graph->nbuffers);
    sg_place_buffer **placed = SG_NEW_ARRAY(arena, sg_place_buffer *, graph->nbuffers);
    int64_t *best = SG_NEW_ARRAY(arena, int64_t, graph->nbuffers);
    int64_t count = 0;
    for (int64_t i = 0; i < graph->nbuffers; i++) {
        sg_place_buffer *buffer = &graph->buffers[i];
        if (buffer->kind != SG_PLACE_INNER) {
            continue;
        }
        /* one that is empty may have elements for other numbers of the open dimensions */
        graph->alignment = buffer->align > graph->alignment ? buffer->align : graph->alignment;
        if (buffer->bytes > 0) {
            entries[count++] = (entry){buffer, i, 0};
        }
    }
    graph->live = most_live(arena, graph);
    const int orders = count > MANY ? 1 : ORDERS;
    for (int order = 0; order < orders && (order == 0 || graph->arena > graph->live); order++) {
        sort(entries, count, order);
        const int64_t bytes = place(entries, count, placed);
        if (order == 0 || bytes < graph->arena) {
            graph->arena = bytes;
            for (int64_t i = 0; i < count; i++) {
                best[entries[i].index] = entries[i].buffer->offset;
            }
        }
    }
    for (int64_t i = 0; i < count; i++) {
        entries[i].buffer->offset = best[entries[i].index];
    }
    return true;
}
