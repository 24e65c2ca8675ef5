/* Makes a buffer of each union. */
#include <string.h>

#include "placement/planner.h"

sg_sum sg_place_span_bits(sg_arena *arena, const sg_place_tensor *tensor)
{
    const sg_sum none = {0};
    sg_sum bytes = sg_sum_number(arena, tensor->element);
    for (int64_t d = 0; d < tensor->rank; d++) {
        const sg_sum all = sg_sum_times(arena, &tensor->steps[d], &tensor->sizes[d]);
        bytes = sg_sum_add(arena, &bytes, &all, 1);
        bytes = sg_sum_add(arena, &bytes, &tensor->steps[d], -1);
    }
    return sg_sum_add(arena, &none, &bytes, 8);
}

/* The size in bits from the first byte of one tensor to the last byte of another one in the same
 * union. */
static sg_sum bits_between(const sg_planner *p, const sg_place_tensor *low,
                           const sg_place_tensor *high)
{
    if (high->element == 0 || high->bytes == 0) {
        return high->bits; /* of packed elements or none, which share no buffer */
    }
    sg_sum bits = sg_place_span_bits(p->kept, high);
    bits = sg_sum_add(p->kept, &bits, &high->from, 8);
    return sg_sum_add(p->kept, &bits, &low->from, -8);
}

/* Drops all relations of the union. */
static void separate(sg_planner *p)
{
    for (int64_t i = 0; i < p->count; i++) {
        for (int64_t u = p->at[p->queue[i]]; u < p->at[p->queue[i] + 1]; u++) {
            p->relations[p->uses[u]].kept = false;
        }
    }
    p->graph->optimal = false;
}

/* Whether the places and the size of a union, as sums, fit for all sets of numbers. */
static bool sums_fit(const sg_planner *p, const sg_sum *bits)
{
    const sg_placement *graph = p->graph;
    int64_t value = 0;
    for (int n = SG_PLACE_EXPECTED; n < SG_PLACE_NUMBERS; n++) {
        SG_TRY(sg_place_value(bits, graph->open, graph->nopen, n, &value));
        for (int64_t i = 0; i < p->count; i++) {
            const sg_place_tensor *t = &graph->tensors[p->queue[i]];
            SG_TRY(sg_place_value(&t->from, graph->open, graph->nopen, n, &value));
            for (int64_t d = 0; d < t->rank; d++) {
                SG_TRY(sg_place_value(&t->steps[d], graph->open, graph->nopen, n, &value));
            }
        }
    }
    return true;
}

sg_place_buffer sg_place_buffer_of(sg_planner *p, int64_t tensor, int64_t *lowest, int64_t *highest)
{
    const sg_placement *graph = p->graph;
    (void)(sg_place_gather(p, tensor) &&
           sg_place_locate(p)); /* cannot fail, since the union is legal */
    const sg_place_tensor *start = &graph->tensors[p->queue[0]];
    sg_place_find_ends(p, lowest, highest);
    sg_place_buffer buffer = {
        .kind = start->capacity > 0 ? SG_PLACE_CACHE : start->kind,
        .bytes = start->capacity > 0
                     ? sg_place_room(p, start, NULL)
                     : sg_place_end(&graph->tensors[*highest]) - graph->tensors[*lowest].offset,
        .first = INT64_MAX,
        .last = -1,
        .align = p->options->alignment > start->element ? p->options->alignment : start->element};
    for (int64_t i = 0; i < p->count; i++) {
        const sg_place_tensor *t = &graph->tensors[p->queue[i]];
        const int64_t first = t->first > 0 ? t->first : 0;
        buffer.first = first < buffer.first ? first : buffer.first;
        buffer.last = t->last > buffer.last ? t->last : buffer.last;
    }
    return buffer;
}

/* Computes the places of the union's tensors, and the size of its buffer, as sums. */
static void express(sg_planner *p, int64_t lowest, int64_t highest, sg_place_buffer *buffer)
{
    const sg_place_tensor *tensors = p->graph->tensors;
    p->sums = true;
    (void)sg_place_locate(p); /* cannot fail, since the union is legal */
    if (buffer->kind == SG_PLACE_CACHE) {
        (void)sg_place_room(p, &tensors[p->queue[0]], &buffer->bits);
    } else {
        buffer->bits = bits_between(p, &tensors[lowest], &tensors[highest]);
    }
    p->sums = false;
}

static void give_buffer(sg_planner *p, int64_t tensor)
{
    sg_placement *graph = p->graph;
    int64_t lowest = 0;
    int64_t highest = 0;
    sg_place_buffer buffer = sg_place_buffer_of(p, tensor, &lowest, &highest);
    const int64_t low = graph->tensors[lowest].offset;
    const bool open = graph->tensors[tensor].sizes != NULL;
    if (open) {
        express(p, lowest, highest, &buffer);
        if (p->count > 1 && !sums_fit(p, &buffer.bits)) {
            separate(p);
            give_buffer(p, tensor);
            return;
        }
    }
    const sg_sum from = graph->tensors[lowest].from;
    for (int64_t i = 0; i < p->count; i++) {
        sg_place_tensor *t = &graph->tensors[p->queue[i]];
        t->offset -= low;
        t->buffer = graph->nbuffers;
        if (open) {
            t->from = sg_sum_add(p->kept, &t->from, &from, -1);
        }
    }
    graph->buffers[graph->nbuffers++] = buffer;
}

/* What lies in a cache before the graph runs has the place and the strides of the whole. */
static void share_cache(sg_place_tensor *past, const sg_place_tensor *whole)
{
    past->buffer = whole->buffer;
    past->offset = whole->offset;
    past->from = whole->from;
    past->steps = whole->steps;
    memcpy(past->strides, whole->strides, (size_t)whole->rank * sizeof *whole->strides);
}

void sg_place_give_buffers(sg_planner *p)
{
    sg_placement *graph = p->graph;
    graph->buffers = SG_NEW_ARRAY(p->kept, sg_place_buffer, graph->ntensors);
    graph->nbuffers = 0;
    for (int64_t t = 0; t < graph->ntensors; t++) {
        const sg_place_tensor *tensor = &graph->tensors[t];
        if (tensor->known && tensor->kind != SG_PLACE_CONSTANT && tensor->buffer < 0 &&
            !sg_place_is_past(tensor)) {
            give_buffer(p, t);
        }
    }
    for (int64_t n = 0; n < graph->nnodes; n++) {
        if (graph->nodes[n].past >= 0) {
            share_cache(&graph->tensors[graph->nodes[n].past],
                        &graph->tensors[graph->nodes[n].whole]);
        }
    }
}
