/* Whether a union is legal: all its relations agree on the place of each tensor, at most one tensor
 * belongs to the caller, all others are inside it, and no input is written, no content is written
 * over bytes that a node still reads, padded rows are written and read only by nodes that support
 * them, never by a copy. */
#include <stdlib.h>
#include <string.h>

#include "placement/planner.h"

/* The most tensors of a union that are compared with a content that is written. */
#define MOST_HELD 1000

int64_t sg_place_span(const sg_place_tensor *t, const int64_t *dims)
{
    int64_t span = t->element;
    for (int64_t d = 0; d < t->rank; d++) {
        span += (dims[d] - 1) * t->strides[d];
    }
    return span;
}

bool sg_place_lies_within(const sg_planner *p)
{
    const sg_place_tensor *whole = &p->graph->tensors[p->queue[0]];
    const int64_t room = sg_place_room(p, whole, NULL);
    for (int64_t i = 0; whole->kind != SG_PLACE_INNER && i < p->count; i++) {
        const sg_place_tensor *t = &p->graph->tensors[p->queue[i]];
        if (t->offset < 0 || t->offset + sg_place_span(t, t->dims) > room) {
            return false;
        }
    }
    return true;
}

/* Whether rows of the tensor have bytes in common. */
static bool overlaps_itself(const sg_place_tensor *t)
{
    int64_t row = t->element;
    bool overlaps = false;
    for (int64_t d = t->rank - 1; d >= 0; d--) {
        overlaps = overlaps || (t->dims[d] > 1 && t->strides[d] < row);
        row += (t->dims[d] - 1) * t->strides[d];
    }
    return overlaps;
}

/* Whether padded rows occur only where all nodes support them and nothing is copied. */
static bool rows_fit(const sg_planner *p)
{
    for (int64_t i = 0; i < p->count; i++) {
        const int64_t tensor = p->queue[i];
        if (sg_place_is_dense(&p->graph->tensors[tensor])) {
            continue;
        }
        if (!p->can_stride[tensor] || overlaps_itself(&p->graph->tensors[tensor])) {
            return false;
        }
        for (int64_t u = p->at[tensor]; u < p->at[tensor + 1]; u++) {
            /* a kernel writes the rows of a cache, and caches.c gives other nodes a dense copy */
            const sg_place_relation *r = &p->relations[p->uses[u]];
            if (!r->kept && r->part != NULL && p->graph->tensors[tensor].capacity == 0) {
                return false;
            }
        }
    }
    return true;
}

/* --- contents -------------------------------------------------------------------------------- */

static int by_low(const void *a, const void *b)
{
    const sg_place_content *x = a;
    const sg_place_content *y = b;
    return (x->low > y->low) - (x->low < y->low);
}

static sg_place_content content_of(const sg_planner *p, int64_t tensor, int64_t offset,
                                   const int64_t *dims)
{
    const sg_place_tensor *t = &p->graph->tensors[tensor];
    return (sg_place_content){.tensor = tensor,
                              .first = t->first,
                              .low = offset,
                              .high = offset + sg_place_span(t, dims),
                              .rank = t->rank,
                              .dims = dims,
                              .strides = t->strides};
}

/* What lies in the cache of a Concat's result in front of its parts. */
static sg_place_content content_in_front(const sg_planner *p, int64_t tensor)
{
    const int64_t past = p->graph->nodes[p->maker_node[tensor]].past;
    sg_place_content l =
        content_of(p, tensor, p->graph->tensors[tensor].offset, p->graph->tensors[past].dims);
    l.tensor = past;
    l.first = -1;
    return l;
}

/* Adds the parts of a Concat that are copied into it. */
static void add_copied_parts(sg_planner *p, int64_t *count, int64_t tensor)
{
    const sg_place_tensor *t = &p->graph->tensors[tensor];
    const int64_t n = p->maker_node[tensor];
    const sg_place_node *node = &p->graph->nodes[n];
    for (int64_t i = 0; i < node->nparts; i++) {
        const sg_place_part *part = &node->parts[i];
        if (p->relations[p->first_relation[n] + i].kept || part->length == 0) {
            continue;
        }
        int64_t *dims = SG_NEW_ARRAY(p->arena, int64_t, t->rank);
        memcpy(dims, t->dims, (size_t)t->rank * sizeof *dims);
        dims[node->axis] = part->length;
        p->contents[(*count)++] = content_of(
            p, tensor, t->offset + sg_place_start(p->graph, node, part) * t->strides[node->axis],
            dims);
    }
    if (node->past >= 0 && p->graph->tensors[node->past].bytes > 0) {
        p->contents[(*count)++] = content_in_front(p, tensor);
    }
}

/* The length in bytes of a row, if all rows begin at multiples of the stride; else -1. */
static int64_t row_of(const sg_place_content *l, int64_t stride)
{
    int64_t row = l->high - l->low;
    for (int64_t d = 0; d < l->rank; d++) {
        if (l->dims[d] > 1 && l->strides[d] >= stride) {
            if (l->strides[d] % stride != 0) {
                return -1;
            }
            row -= (l->dims[d] - 1) * l->strides[d];
        }
    }
    return row;
}

/* Whether two contents have no byte in common: their ranges are disjoint, or they have the same row
 * stride and their rows are side by side. Any other case counts as an overlap. */
static bool lie_apart(const sg_place_content *a, const sg_place_content *b)
{
    bool apart = a->high <= b->low || b->high <= a->low;
    for (int64_t d = 0; !apart && d < a->rank; d++) {
        const int64_t stride = a->strides[d];
        const int64_t row_a = a->dims[d] > 1 ? row_of(a, stride) : -1;
        const int64_t row_b = a->dims[d] > 1 ? row_of(b, stride) : -1;
        const int64_t between = ((b->low - a->low) % stride + stride) % stride;
        apart = row_a >= 0 && row_b >= 0 && between >= row_a && between + row_b <= stride;
    }
    return apart;
}

static int by_node(const void *a, const void *b)
{
    const sg_place_content *x = a;
    const sg_place_content *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

/* Whether each node that writes one of the contents leaves all other tensors of the union intact
 * that exist then and are still read, but for those that it takes over. */
static bool spare_others(const sg_planner *p, int64_t count)
{
    const sg_place_tensor *tensors = p->graph->tensors;
    int64_t all = 0;
    for (int64_t i = 0; i < p->count; i++) {
        const sg_place_tensor *t = &tensors[p->queue[i]];
        const int64_t n = p->maker_node[p->queue[i]];
        p->held[all++] = content_of(p, p->queue[i], t->offset, t->dims);
        if (n >= 0 && p->graph->nodes[n].past >= 0 && tensors[p->graph->nodes[n].past].bytes > 0) {
            p->held[all++] = content_in_front(p, p->queue[i]);
        }
    }
    qsort(p->held, (size_t)all, sizeof *p->held, by_node);
    qsort(p->contents, (size_t)count, sizeof *p->contents, by_node);
    int64_t next = 0;
    int64_t nheld = 0;
    for (int64_t i = 0; i < count; i++) {
        const sg_place_content *l = &p->contents[i];
        while (next < all && p->held[next].first <= l->first) {
            p->held[nheld++] = p->held[next++];
        }
        int64_t kept = 0;
        for (int64_t k = 0; k < nheld; k++) {
            const sg_place_content *other = &p->held[k];
            if (tensors[other->tensor].last < l->first) {
                continue;
            }
            if (other->tensor != l->tensor && !lie_apart(l, other) &&
                !(l->first >= 0 && sg_place_takes_over(p, l->first, l->tensor, other->tensor) &&
                  sg_place_is_same(&tensors[l->tensor], &tensors[other->tensor]))) {
                return false;
            }
            p->held[kept++] = *other;
        }
        nheld = kept;
        if (nheld > MOST_HELD) {
            p->graph->optimal = false;
            return false;
        }
    }
    return true;
}

/* Whether no content is written over bytes that are still read. */
static bool contents_fit(sg_planner *p)
{
    int64_t count = 0;
    for (int64_t i = 0; i < p->count; i++) {
        const int64_t tensor = p->queue[i];
        const int64_t n = p->maker_node[tensor];
        const int64_t made = p->maker[tensor];
        if (made >= 0 ? p->relations[made].kept
                      : n >= 0 && p->graph->nodes[n].move == SG_PLACE_CONCAT) {
            if (made < 0) {
                add_copied_parts(p, &count, tensor);
            }
            continue;
        }
        const sg_place_tensor *t = &p->graph->tensors[tensor];
        p->contents[count++] = content_of(p, tensor, t->offset, t->dims);
    }
    if (p->graph->tensors[p->queue[0]].kind == SG_PLACE_INPUT && count > 1) {
        return false;
    }
    if (count > 1) {
        qsort(p->contents, (size_t)count, sizeof *p->contents, by_low);
    }
    for (int64_t i = 0; i < count; i++) {
        for (int64_t k = i + 1; k < count && p->contents[k].low < p->contents[i].high; k++) {
            if (!lie_apart(&p->contents[i], &p->contents[k])) {
                return spare_others(p, count);
            }
        }
    }
    return true;
}

/* --- all numbers ----------------------------------------------------------------------------- */

int64_t sg_place_end(const sg_place_tensor *t)
{
    return t->offset + (t->bytes > 0 && t->element > 0 ? sg_place_span(t, t->dims) : t->bytes);
}

void sg_place_find_ends(const sg_planner *p, int64_t *lowest, int64_t *highest)
{
    const sg_place_tensor *tensors = p->graph->tensors;
    const sg_place_shape *other = p->shapes[SG_PLACE_PLANNED];
    *lowest = *highest = p->queue[0];
    for (int64_t i = 1; i < p->count; i++) {
        const int64_t t = p->queue[i];
        const int64_t before = tensors[*lowest].offset - tensors[t].offset;
        const int64_t behind = sg_place_end(&tensors[t]) - sg_place_end(&tensors[*highest]);
        *lowest =
            before > 0 || (before == 0 && other[t].bytes > other[*lowest].bytes) ? t : *lowest;
        *highest =
            behind > 0 || (behind == 0 && other[t].bytes > other[*highest].bytes) ? t : *highest;
    }
}

/* Whether the union is legal for the current numbers of the open dimensions. */
static bool fits(sg_planner *p)
{
    return sg_place_locate(p) && sg_place_lies_within(p) && rows_fit(p) && contents_fit(p);
}

static bool set_numbers(const sg_planner *p, int64_t tensor, int numbers)
{
    const sg_place_shape *s = &p->shapes[numbers][tensor];
    if (s->dims != NULL) {
        p->graph->tensors[tensor].dims = s->dims;
        p->graph->tensors[tensor].bytes = s->bytes;
    }
    return s->dims != NULL;
}

/* Sets the open dimensions of the union to another set of numbers. Returns false if none is
 * open. */
static bool take_numbers(sg_planner *p, int numbers)
{
    bool any = false;
    p->numbers = numbers;
    for (int64_t i = 0; i < p->count; i++) {
        const int64_t n = p->maker_node[p->queue[i]];
        const int64_t past = n >= 0 ? p->graph->nodes[n].past : -1;
        any = set_numbers(p, p->queue[i], numbers) || any;
        any = (past >= 0 && set_numbers(p, past, numbers)) || any;
    }
    return any;
}

bool sg_place_is_legal(sg_planner *p, int64_t tensor)
{
    bool legal = sg_place_gather(p, tensor) && fits(p);
    int64_t low = 0;
    int64_t high = 0;
    if (legal) {
        sg_place_find_ends(p, &low, &high);
    }
    for (int n = SG_PLACE_PLANNED; legal && n < SG_PLACE_PROVED && take_numbers(p, n); n++) {
        const sg_place_tensor *tensors = p->graph->tensors;
        int64_t other_low = 0;
        int64_t other_high = 0;
        legal = fits(p);
        sg_place_find_ends(p, &other_low, &other_high);
        legal = legal && tensors[low].offset == tensors[other_low].offset &&
                sg_place_end(&tensors[high]) == sg_place_end(&tensors[other_high]);
        (void)take_numbers(p, SG_PLACE_EXPECTED);
    }
    p->numbers = SG_PLACE_EXPECTED;
    return legal;
}
