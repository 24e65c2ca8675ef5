/* Places the tensors of a union: offsets and strides follow from those of the tensor that the
 * others are placed by. The same steps give them as sums, once the search is over. */
#include <string.h>

#include "base/checked.h"
#include "placement/planner.h"

/* A number, and what it is for every number of the open dimensions if the planner wants sums. */
typedef struct amount {
    int64_t number;
    sg_sum sum;
} amount;

static amount amount_of(const sg_planner *p, int64_t number)
{
    return (amount){number, p->sums ? sg_sum_number(p->kept, number) : (sg_sum){0}};
}

static amount size_of(const sg_planner *p, const sg_place_tensor *t, int64_t d)
{
    return (amount){t->dims[d], p->sums ? t->sizes[d] : (sg_sum){0}};
}

static amount stride_of(const sg_planner *p, const sg_place_tensor *t, int64_t d)
{
    return (amount){t->strides[d], p->sums ? t->steps[d] : (sg_sum){0}};
}

static amount multiplied(const sg_planner *p, const amount *a, const amount *by)
{
    return (amount){a->number * by->number,
                    p->sums ? sg_sum_times(p->kept, &a->sum, &by->sum) : (sg_sum){0}};
}

/* Room for the strides of a tensor as sums; NULL if the planner wants none. */
static sg_sum *new_steps(const sg_planner *p, sg_place_tensor *t)
{
    sg_sum *steps = p->sums ? SG_NEW_ARRAY(p->kept, sg_sum, t->rank) : NULL;
    t->steps = steps;
    return steps;
}

static void set_stride(sg_place_tensor *t, sg_sum *steps, int64_t d, const amount *stride)
{
    t->strides[d] = stride->number;
    if (steps != NULL) {
        steps[d] = stride->sum;
    }
}

/* Moves a tensor by an index on axis d of one whose strides are known, forwards or backwards. */
static void shift(const sg_planner *p, sg_place_tensor *t, const sg_place_tensor *by, int64_t d,
                  const amount *start, int64_t sign)
{
    const amount stride = stride_of(p, by, d);
    const amount bytes = multiplied(p, &stride, start);
    t->offset += sign * bytes.number;
    if (p->sums) {
        t->from = sg_sum_add(p->kept, &t->from, &bytes.sum, sign);
    }
}

/* --- tensors ---------------------------------------------------------------------------------- */

static bool is_one(const sg_place_tensor *t, int64_t d)
{
    return t->dims[d] == 1 && !t->open[d];
}

/* The elements that a tensor of the caller, or one that stands alone, has room for. */
static amount room_at(const sg_planner *p, const sg_place_tensor *t, int64_t d)
{
    return t->capacity > 0 && d == t->axis ? amount_of(p, t->capacity) : size_of(p, t, d);
}

void sg_place_make_dense(const sg_planner *p, sg_place_tensor *t)
{
    sg_sum *steps = new_steps(p, t);
    amount stride = amount_of(p, t->element);
    for (int64_t d = t->rank - 1; d >= 0; d--) {
        const amount room = room_at(p, t, d);
        set_stride(t, steps, d, &stride);
        stride = room.number > 0 ? multiplied(p, &stride, &room) : stride;
    }
}

int64_t sg_place_room(const sg_planner *p, const sg_place_tensor *t, sg_sum *bits)
{
    amount bytes = amount_of(p, t->element);
    for (int64_t d = 0; t->capacity > 0 && d < t->rank; d++) {
        const amount room = room_at(p, t, d);
        bytes = multiplied(p, &bytes, &room);
    }
    if (bits != NULL) {
        const sg_sum none = {0};
        *bits = sg_sum_add(p->kept, &none, &bytes.sum, 8);
    }
    return t->capacity > 0 ? bytes.number : t->bytes;
}

bool sg_place_is_dense(const sg_place_tensor *t)
{
    int64_t stride = t->element;
    for (int64_t d = t->rank - 1; d >= 0; d--) {
        if (!is_one(t, d) && t->strides[d] != stride) {
            return false;
        }
        stride *= t->dims[d];
    }
    return true;
}

bool sg_place_is_same(const sg_place_tensor *a, const sg_place_tensor *b)
{
    bool same = a->offset == b->offset;
    for (int64_t d = 0; same && d < a->rank; d++) {
        same = is_one(a, d) || a->strides[d] == b->strides[d];
    }
    return same;
}

int64_t sg_place_number(const sg_placement *graph, const sg_sum *sum, int numbers)
{
    int64_t value = 0;
    return sg_place_value(sum, graph->open, graph->nopen, numbers, &value) ? value : 0;
}

int64_t sg_place_start(const sg_placement *graph, const sg_place_node *node,
                       const sg_place_part *part)
{
    return part->start + (node->past >= 0 ? graph->tensors[node->past].dims[node->axis] : 0);
}

/* --- the place of a tensor relative to another one -------------------------------------------- */

static void copy_strides(const sg_place_tensor *from, sg_place_tensor *to)
{
    memcpy(to->strides, from->strides, (size_t)from->rank * sizeof *from->strides);
    to->steps = from->steps;
}

/* Computes strides of `to`, which has the elements of `from` in the same order. Returns false if
 * that is impossible without a copy. Takes groups of dimensions from both shapes that have the same
 * number of elements. An open dimension is a group with its equal, since other groups might differ
 * for other numbers. */
static bool reshape_groups(const sg_planner *p, const sg_place_tensor *from, sg_place_tensor *to)
{
    sg_sum *steps = new_steps(p, to);
    int64_t f = from->rank - 1;
    int64_t t = to->rank - 1;
    amount next = amount_of(p, from->element); /* of a dimension of length 1, which is never used */
    while (true) {
        while (f >= 0 && is_one(from, f)) {
            f--;
        }
        while (t >= 0 && is_one(to, t)) {
            set_stride(to, steps, t--, &next);
        }
        if (f < 0 || t < 0) {
            return f < 0 && t < 0;
        }
        const amount stride = stride_of(p, from, f);
        if (from->open[f] || to->open[t]) {
            if (!from->open[f] || !to->open[t] || !sg_sum_same(&from->sizes[f], &to->sizes[t])) {
                return false;
            }
            const amount size = size_of(p, from, f--);
            set_stride(to, steps, t--, &stride);
            next = multiplied(p, &stride, &size);
            continue;
        }
        int64_t inside = from->dims[f];
        int64_t behind = 1; /* elements of the group in the dimensions of `to` after t */
        f--;
        while (t >= 0 && behind < inside && !to->open[t]) {
            const amount elements = amount_of(p, behind);
            const amount apart = multiplied(p, &stride, &elements);
            set_stride(to, steps, t, &apart);
            behind *= to->dims[t--];
            /* takes another dimension of `from`, which must continue the run */
            while (behind > inside) {
                while (f >= 0 && is_one(from, f)) {
                    f--;
                }
                if (f < 0 || from->open[f] || from->strides[f] != stride.number * inside) {
                    return false;
                }
                inside *= from->dims[f--];
            }
        }
        if (behind != inside) {
            return false;
        }
        const amount elements = amount_of(p, inside);
        next = multiplied(p, &stride, &elements);
    }
}

/* The same of any tensor. */
static bool reshape(const sg_planner *p, const sg_place_tensor *from, sg_place_tensor *to)
{
    if (reshape_groups(p, from, to)) {
        return true;
    }
    sg_place_make_dense(p, to);
    return sg_place_is_dense(from) && from->bytes == to->bytes;
}

/* Whether the child does not have axis d of its parent, and where it begins there. */
static bool is_without(const sg_place_relation *r, int64_t d)
{
    return r->part->box != NULL ? r->part->box[d].without
                                : r->part->without_axis && d == r->node->axis;
}

static amount start_at(const sg_planner *p, const sg_place_relation *r, int64_t d)
{
    if (r->part->box != NULL) {
        return (amount){sg_place_number(p->graph, &r->part->box[d].start, p->numbers),
                        r->part->box[d].start};
    }
    const bool cut = d == r->node->axis;
    amount start = amount_of(p, cut ? r->part->start : 0);
    if (cut && r->node->past >= 0) {
        const amount past = size_of(p, &p->graph->tensors[r->node->past], d);
        start.number += past.number;
        start.sum = p->sums ? sg_sum_add(p->kept, &start.sum, &past.sum, 1) : start.sum;
    }
    return start;
}

/* Places a tensor where the other one is, whose place is known: an operator overwrites it, or it
 * has the same elements in the same order. Returns false if that is impossible. */
static bool place_over(const sg_planner *p, const sg_place_relation *r, const sg_place_tensor *from,
                       sg_place_tensor *to)
{
    if (r->part == NULL) {
        copy_strides(from, to);
        return true;
    }
    return reshape(p, from, to);
}

static bool is_same(const sg_place_relation *r)
{
    return r->part == NULL || r->node->move == SG_PLACE_ALIAS;
}

/* Places the child inside its parent, whose place is known. Returns false if that is impossible. */
static bool place_child(const sg_planner *p, const sg_place_relation *r, sg_place_tensor *child)
{
    const sg_place_tensor *parent = &p->graph->tensors[r->parent];
    child->offset = parent->offset;
    child->from = parent->from;
    if (is_same(r)) {
        return place_over(p, r, parent, child);
    }
    sg_sum *steps = new_steps(p, child);
    for (int64_t d = 0, c = 0; d < parent->rank; d++) {
        const amount start = start_at(p, r, d);
        shift(p, child, parent, d, &start, 1);
        if (!is_without(r, d)) {
            const amount stride = stride_of(p, parent, d);
            set_stride(child, steps, c++, &stride);
        }
    }
    return true;
}

/* Places the parent around its child, whose place is known. Strides that the child does not
 * determine are those of dense rows. Returns false if that is impossible, or too far. */
static bool place_parent(const sg_planner *p, const sg_place_relation *r, sg_place_tensor *parent)
{
    const sg_place_tensor *child = &p->graph->tensors[r->child];
    parent->offset = child->offset;
    parent->from = child->from;
    if (is_same(r)) {
        return place_over(p, r, child, parent);
    }
    sg_sum *steps = new_steps(p, parent);
    amount stride = amount_of(p, parent->element);
    for (int64_t d = parent->rank - 1, c = child->rank - 1; d >= 0; d--) {
        const bool has = !is_without(r, d);
        const amount size = size_of(p, parent, d);
        int64_t bytes = 0;
        stride = has && !is_one(child, c) ? stride_of(p, child, c) : stride;
        set_stride(parent, steps, d, &stride);
        c -= has;
        if (!sg_mul64(stride.number, size.number, &bytes) || bytes > SG_PLACE_FARTHEST) {
            return false;
        }
        stride = multiplied(p, &stride, &size);
    }
    for (int64_t d = 0; d < parent->rank; d++) {
        const amount start = start_at(p, r, d);
        shift(p, parent, parent, d, &start, -1);
    }
    return parent->offset >= -SG_PLACE_FARTHEST && parent->offset <= SG_PLACE_FARTHEST;
}

/* --- one union -------------------------------------------------------------------------------- */

/* Collects the union of the tensor in the queue, beginning with this tensor. */
static void gather_from(sg_planner *p, int64_t tensor)
{
    p->stamp++;
    p->count = 0;
    p->queue[p->count++] = tensor;
    p->seen[tensor] = p->stamp;
    for (int64_t i = 0; i < p->count; i++) {
        const int64_t t = p->queue[i];
        for (int64_t u = p->at[t]; u < p->at[t + 1]; u++) {
            const sg_place_relation *r = &p->relations[p->uses[u]];
            const int64_t other = r->child == t ? r->parent : r->child;
            if (r->kept && p->seen[other] != p->stamp) {
                p->seen[other] = p->stamp;
                p->via[p->count] = p->uses[u];
                p->queue[p->count++] = other;
            }
        }
    }
}

/* The tensor relative to which the others are placed: the one that belongs to the caller, or else
 * the largest. -1 if two belong to the caller. */
static int64_t start_of(const sg_planner *p)
{
    int64_t start = -1;
    for (int64_t i = 0; i < p->count; i++) {
        const sg_place_tensor *t = &p->graph->tensors[p->queue[i]];
        const sg_place_tensor *best = start >= 0 ? &p->graph->tensors[start] : NULL;
        const bool outer = t->kind != SG_PLACE_INNER;
        const bool best_outer = best != NULL && best->kind != SG_PLACE_INNER;
        if (outer && best_outer) {
            return -1;
        }
        if (best == NULL || outer || (!best_outer && t->bytes > best->bytes)) {
            start = p->queue[i];
        }
    }
    return start;
}

bool sg_place_gather(sg_planner *p, int64_t tensor)
{
    gather_from(p, tensor);
    const int64_t start = start_of(p);
    if (start >= 0 && start != tensor) {
        gather_from(p, start);
    }
    return start >= 0;
}

/* Whether the place of the child is the one that its parent gives it. */
static bool agrees(const sg_planner *p, const sg_place_relation *r)
{
    const sg_place_tensor *child = &p->graph->tensors[r->child];
    sg_place_tensor found = *child;
    found.strides = p->scratch;
    return place_child(p, r, &found) && sg_place_is_same(child, &found);
}

bool sg_place_locate(const sg_planner *p)
{
    sg_place_tensor *tensors = p->graph->tensors;
    sg_place_make_dense(p, &tensors[p->queue[0]]);
    tensors[p->queue[0]].offset = 0;
    tensors[p->queue[0]].from = (sg_sum){0};
    for (int64_t i = 1; i < p->count; i++) {
        const sg_place_relation *r = &p->relations[p->via[i]];
        sg_place_tensor *t = &tensors[p->queue[i]];
        if (p->queue[i] == r->child ? !place_child(p, r, t) : !place_parent(p, r, t)) {
            return false;
        }
    }
    for (int64_t i = 0; i < p->count; i++) {
        for (int64_t u = p->at[p->queue[i]]; u < p->at[p->queue[i] + 1]; u++) {
            const sg_place_relation *r = &p->relations[p->uses[u]];
            if (!p->sums && r->kept && r->child == p->queue[i] && !agrees(p, r)) {
                return false;
            }
        }
    }
    return true;
}
