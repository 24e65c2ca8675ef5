/* Decides which tensors share a buffer. Each part of a node that moves data is a relation: one
 * tensor can be stored inside another one. If the relation is kept, nothing is copied; if it is
 * dropped, the part is copied. Tensors that are connected by kept relations form a union. A union
 * is legal if all its relations agree on the place of each tensor, at most one tensor belongs to
 * the caller, all others are inside it, and no input is written, no content is written over bytes
 * that a node still reads, padded rows are written and read only by nodes that support them, never
 * by a copy. Relations that share tensors form a piece. For each piece the search finds the legal
 * choice that copies the fewest bytes; larger pieces are solved greedily. Then the outputs of
 * operators that run in place are stored where their inputs are, if that needs less memory. */
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "placement/placement.h"

/* The limit on the bytes from the first to the last one of a tensor in a union, and on how far it
 * is from the tensor that the others are placed by, so that differences of places fit. */
#define FARTHEST (INT64_MAX / 8)

/* Pieces of up to this many relations are searched exhaustively. */
#define EXACT_RELATIONS 16

/* The limit on search steps in all pieces of a graph, which bounds the run time. */
#define SEARCH_STEPS INT64_C(50000)

/* The limit on the tensors that are visited to decide what runs in place. */
#define IN_PLACE_STEPS INT64_C(3000000)

/* The most tensors of a union that are compared with a content that is written. */
#define MOST_HELD 1000

/* A relation: a tensor, the child, can be stored inside another one. */
typedef struct relation {
    int64_t child, parent;
    const sg_place_node *node;
    sg_place_part *part; /* NULL: the node can overwrite the parent by the child */
    int64_t bytes;       /* bytes that need no copy if it is kept */
    bool possible;
    bool kept;
    bool grouped; /* it has been assigned to a piece */
} relation;

/* Contents in a union: bytes that a node or the caller writes. */
typedef struct leaf {
    int64_t tensor;    /* that the node or the caller writes with it */
    int64_t first;     /* the node */
    int64_t low, high; /* from the first byte to after the last */
    int64_t offset;
    int64_t rank;
    const int64_t *dims, *strides;
} leaf;

typedef struct shape {
    const int64_t *dims;
    int64_t bytes;
} shape;

typedef struct planner {
    sg_arena *arena;
    sg_placement *graph;
    const sg_place_options *options;
    relation *relations;
    int64_t nrelations;
    int64_t nparts;          /* so many of them are of parts; the others follow */
    int64_t *first_relation; /* for each node: index of its first part's relation */
    /* for each tensor: the relation whose node writes it as a child, or -1 */
    int64_t *maker;
    int64_t *maker_node; /* for each tensor: the node that writes it, or -1 */
    int64_t *at;         /* the relations of tensor t are uses[at[t]] to uses[at[t + 1]] */
    int64_t *uses;
    sg_arena *kept; /* for data that stays in the graph */
    /* for each choice of numbers, of each tensor with open dimensions */
    shape *shapes[SG_PLACE_PROVED];
    /* all nodes that write or read the tensor, except those that move data, support padded rows */
    bool *can_stride;
    int numbers;   /* for which places are computed */
    int64_t steps; /* search steps that are left */
    int64_t stamp;
    int64_t *seen;  /* for each tensor: the stamp of the last walk that visited it */
    int64_t *queue; /* tensors of the union; the others are placed relative to the first one */
    /* for each tensor of the queue except the first: the kept relation to an earlier one */
    int64_t *via;
    int64_t count;
    leaf *leaves; /* room for all leaves */
    leaf *held;   /* the same for tensors */
} planner;

static bool is_one(const sg_place_tensor *t, int64_t d)
{
    return t->dims[d] == 1 && !t->open[d];
}

/* The elements that a tensor of the caller, or one that stands alone, has room for. */
static int64_t room_of(const sg_place_tensor *t, int64_t d)
{
    return t->capacity > 0 && d == t->axis ? t->capacity : t->dims[d];
}

/* Rows without padding, or those of a cache. */
static void make_dense(sg_place_tensor *t)
{
    int64_t stride = t->element;
    for (int64_t d = t->rank - 1; d >= 0; d--) {
        t->strides[d] = stride;
        stride *= room_of(t, d) > 0 ? room_of(t, d) : 1;
    }
}

/* The bytes of the buffer of a tensor that belongs to the caller. */
static int64_t bytes_of_buffer(const sg_place_tensor *t)
{
    int64_t bytes = t->element;
    for (int64_t d = 0; t->capacity > 0 && d < t->rank; d++) {
        bytes *= room_of(t, d);
    }
    return t->capacity > 0 ? bytes : t->bytes;
}

/* The index on the axis of the whole at which a part begins. */
static int64_t start_of_part(const sg_placement *graph, const sg_place_node *node,
                             const sg_place_part *part)
{
    return part->start + (node->past >= 0 ? graph->tensors[node->past].dims[node->axis] : 0);
}

static bool is_dense(const sg_place_tensor *t)
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

/* Whether two tensors of the same shape have the same strides, ignoring dimensions of length 1. */
static bool same_strides(const sg_place_tensor *t, const int64_t *strides)
{
    for (int64_t d = 0; d < t->rank; d++) {
        if (!is_one(t, d) && t->strides[d] != strides[d]) {
            return false;
        }
    }
    return true;
}

/* --- the place of a tensor relative to another one -------------------------------------------- */

/* Computes strides of `to`, which has the elements of `from` in the same order. Returns false if
 * that is impossible without a copy. Takes groups of dimensions from both shapes that have the same
 * number of elements. */
static bool reshaped(const sg_place_tensor *from, const sg_place_tensor *to, int64_t *strides)
{
    int64_t f = from->rank - 1;
    int64_t t = to->rank - 1;
    int64_t next = from->element; /* the stride of a dimension of length 1, which is never used */
    if (!is_dense(from)) {
        for (int64_t d = 0; d < from->rank; d++) {
            if (from->open[d]) {
                return false; /* groups might differ for other numbers */
            }
        }
    }
    while (true) {
        while (f >= 0 && is_one(from, f)) {
            f--;
        }
        while (t >= 0 && is_one(to, t)) {
            strides[t--] = next;
        }
        if (f < 0 || t < 0) {
            return f < 0 && t < 0;
        }
        int64_t stride = from->strides[f];
        int64_t inside = from->dims[f];
        int64_t behind = 1; /* elements of the group in the dimensions of `to` after t */
        int64_t run = stride * from->dims[f];
        f--;
        while (t >= 0) {
            strides[t] = stride * behind;
            behind *= to->dims[t--];
            /* takes another dimension of `from`, which must continue the run */
            while (behind > inside) {
                while (f >= 0 && is_one(from, f)) {
                    f--;
                }
                if (f < 0 || from->strides[f] != run) {
                    return false;
                }
                inside *= from->dims[f];
                run *= from->dims[f--];
            }
            if (behind == inside) {
                break;
            }
        }
        if (behind != inside) {
            return false;
        }
        next = run;
    }
}

/* collect.c has checked that sums do not overflow for these numbers. */
static int64_t value_of(const sg_placement *graph, const sg_sum *sum, int numbers)
{
    int64_t value = 0;
    return sg_place_value(sum, graph->open, graph->nopen, numbers, &value) ? value : 0;
}

/* Whether the child does not have axis d of its parent, and where it begins there. */
static bool is_without(const relation *r, int64_t d)
{
    return r->part->box != NULL ? r->part->box[d].without
                                : r->part->without_axis && d == r->node->axis;
}

static int64_t start_at(const planner *p, const relation *r, int64_t d)
{
    return r->part->box != NULL ? value_of(p->graph, &r->part->box[d].start, p->numbers)
           : d == r->node->axis ? start_of_part(p->graph, r->node, r->part)
                                : 0;
}

static sg_sum start_sum(const planner *p, const relation *r, int64_t d)
{
    if (r->part->box != NULL || d != r->node->axis) {
        return r->part->box != NULL ? r->part->box[d].start : sg_sum_number(p->kept, 0);
    }
    const sg_sum start = sg_sum_number(p->kept, r->part->start);
    return r->node->past < 0
               ? start
               : sg_sum_add(p->kept, &start, &p->graph->tensors[r->node->past].sizes[d], 1);
}

/* The place of the child inside its parent, whose place is known. */
static bool locate_child(const planner *p, const relation *r, int64_t *offset, int64_t *strides)
{
    const sg_place_tensor *parent = &p->graph->tensors[r->parent];
    const sg_place_tensor *child = &p->graph->tensors[r->child];
    *offset = parent->offset;
    if (r->part == NULL) {
        memcpy(strides, parent->strides, (size_t)parent->rank * sizeof *strides);
        return true;
    }
    if (r->node->move == SG_PLACE_ALIAS) {
        return reshaped(parent, child, strides);
    }
    for (int64_t d = 0, c = 0; d < parent->rank; d++) {
        *offset += start_at(p, r, d) * parent->strides[d];
        if (!is_without(r, d)) {
            strides[c++] = parent->strides[d];
        }
    }
    return true;
}

/* Places the parent around its child, whose place is known. Strides that the child does not
 * determine are those of dense rows. Returns false if that is impossible, or too far. */
static bool place_parent(const planner *p, const relation *r)
{
    sg_place_tensor *parent = &p->graph->tensors[r->parent];
    const sg_place_tensor *child = &p->graph->tensors[r->child];
    parent->offset = child->offset;
    if (r->part == NULL) {
        memcpy(parent->strides, child->strides, (size_t)child->rank * sizeof *child->strides);
        return true;
    }
    if (r->node->move == SG_PLACE_ALIAS) {
        return reshaped(child, parent, parent->strides);
    }
    int64_t stride = parent->element;
    for (int64_t d = parent->rank - 1, c = child->rank - 1; d >= 0; d--) {
        const bool has = !is_without(r, d);
        parent->strides[d] = has && !is_one(child, c) ? child->strides[c] : stride;
        c -= has;
        if (!sg_mul64(parent->strides[d], parent->dims[d], &stride) || stride > FARTHEST) {
            return false;
        }
    }
    for (int64_t d = 0; d < parent->rank; d++) {
        parent->offset -= start_at(p, r, d) * parent->strides[d];
    }
    return parent->offset >= -FARTHEST && parent->offset <= FARTHEST;
}

/* --- one union -------------------------------------------------------------------------------- */

/* Collects the union of the tensor in the queue, beginning with this tensor. */
static void gather_from(planner *p, int64_t tensor)
{
    p->stamp++;
    p->count = 0;
    p->queue[p->count++] = tensor;
    p->seen[tensor] = p->stamp;
    for (int64_t i = 0; i < p->count; i++) {
        const int64_t t = p->queue[i];
        for (int64_t u = p->at[t]; u < p->at[t + 1]; u++) {
            const relation *r = &p->relations[p->uses[u]];
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
static int64_t start_of(const planner *p)
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

/* Collects the union of the tensor in the queue, in the order in which its tensors are placed.
 * Returns false if two of them belong to the caller. */
static bool gather(planner *p, int64_t tensor)
{
    gather_from(p, tensor);
    const int64_t start = start_of(p);
    if (start >= 0 && start != tensor) {
        gather_from(p, start);
    }
    return start >= 0;
}

/* Places all tensors of the union. Returns false if its relations disagree. */
static bool place(planner *p, int64_t *scratch)
{
    sg_place_tensor *tensors = p->graph->tensors;
    make_dense(&tensors[p->queue[0]]);
    tensors[p->queue[0]].offset = 0;
    for (int64_t i = 1; i < p->count; i++) {
        const relation *r = &p->relations[p->via[i]];
        sg_place_tensor *t = &tensors[p->queue[i]];
        if (p->queue[i] == r->child ? !locate_child(p, r, &t->offset, t->strides)
                                    : !place_parent(p, r)) {
            return false;
        }
    }
    for (int64_t i = 0; i < p->count; i++) {
        for (int64_t u = p->at[p->queue[i]]; u < p->at[p->queue[i] + 1]; u++) {
            const relation *r = &p->relations[p->uses[u]];
            int64_t offset = 0;
            if (r->kept && r->child == p->queue[i] &&
                (!locate_child(p, r, &offset, scratch) || offset != tensors[r->child].offset ||
                 !same_strides(&tensors[r->child], scratch))) {
                return false;
            }
        }
    }
    return true;
}

int64_t sg_place_span(const sg_place_tensor *t, const int64_t *dims)
{
    int64_t span = t->element;
    for (int64_t d = 0; d < t->rank; d++) {
        span += (dims[d] - 1) * t->strides[d];
    }
    return span;
}

/* Whether all tensors are inside the one that belongs to the caller, if there is one. */
static bool lies_within(const planner *p)
{
    const sg_place_tensor *whole = &p->graph->tensors[p->queue[0]];
    for (int64_t i = 0; whole->kind != SG_PLACE_INNER && i < p->count; i++) {
        const sg_place_tensor *t = &p->graph->tensors[p->queue[i]];
        if (t->offset < 0 || t->offset + sg_place_span(t, t->dims) > bytes_of_buffer(whole)) {
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
static bool rows_fit(const planner *p)
{
    for (int64_t i = 0; i < p->count; i++) {
        const int64_t tensor = p->queue[i];
        if (is_dense(&p->graph->tensors[tensor])) {
            continue;
        }
        if (!p->can_stride[tensor] || overlaps_itself(&p->graph->tensors[tensor])) {
            return false;
        }
        for (int64_t u = p->at[tensor]; u < p->at[tensor + 1]; u++) {
            /* a kernel writes the rows of a cache, and caches.c gives other nodes a dense copy */
            const relation *r = &p->relations[p->uses[u]];
            if (!r->kept && r->part != NULL && p->graph->tensors[tensor].capacity == 0) {
                return false;
            }
        }
    }
    return true;
}

static int by_low(const void *a, const void *b)
{
    const leaf *x = a;
    const leaf *y = b;
    return (x->low > y->low) - (x->low < y->low);
}

static leaf leaf_of(const planner *p, int64_t tensor, int64_t offset, const int64_t *dims)
{
    const sg_place_tensor *t = &p->graph->tensors[tensor];
    return (leaf){.tensor = tensor,
                  .first = t->first,
                  .low = offset,
                  .high = offset + sg_place_span(t, dims),
                  .offset = offset,
                  .rank = t->rank,
                  .dims = dims,
                  .strides = t->strides};
}

/* What lies in the cache of a Concat's result in front of its parts. */
static leaf leaf_in_front(const planner *p, int64_t tensor)
{
    const int64_t past = p->graph->nodes[p->maker_node[tensor]].past;
    leaf l = leaf_of(p, tensor, p->graph->tensors[tensor].offset, p->graph->tensors[past].dims);
    l.tensor = past;
    l.first = -1;
    return l;
}

/* Adds the parts of a Concat that are copied into it. */
static void add_copied_parts(planner *p, int64_t *count, int64_t tensor)
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
        p->leaves[(*count)++] =
            leaf_of(p, tensor,
                    t->offset + start_of_part(p->graph, node, part) * t->strides[node->axis], dims);
    }
    if (node->past >= 0 && p->graph->tensors[node->past].bytes > 0) {
        p->leaves[(*count)++] = leaf_in_front(p, tensor);
    }
}

/* The length in bytes of a row, if all rows begin at multiples of the stride; else -1. */
static int64_t row_of(const leaf *l, int64_t stride)
{
    int64_t row = l->high - l->offset;
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

/* Whether two leaves have no byte in common: their ranges are disjoint, or they have the same row
 * stride and their rows are side by side. Any other case counts as an overlap. */
static bool lie_apart(const leaf *a, const leaf *b)
{
    bool apart = a->high <= b->low || b->high <= a->low;
    for (int64_t d = 0; !apart && d < a->rank; d++) {
        const int64_t stride = a->strides[d];
        const int64_t row_a = a->dims[d] > 1 ? row_of(a, stride) : -1;
        const int64_t row_b = a->dims[d] > 1 ? row_of(b, stride) : -1;
        const int64_t between = ((b->offset - a->offset) % stride + stride) % stride;
        apart = row_a >= 0 && row_b >= 0 && between >= row_a && between + row_b <= stride;
    }
    return apart;
}

/* Whether a tensor has the shape and elements of another one. */
static bool same_shape(const sg_place_tensor *a, const sg_place_tensor *b)
{
    bool same = a->rank == b->rank && a->element == b->element;
    for (int64_t d = 0; same && d < a->rank; d++) {
        same = a->open[d] && b->open[d] ? sg_sum_same(&a->sizes[d], &b->sizes[d])
                                        : a->dims[d] == b->dims[d] && a->open[d] == b->open[d];
    }
    return same;
}

/* Whether the node, which writes the output, may overwrite the input: it can run in place, and is
 * the last to read the input. */
static bool takes_over(const planner *p, int64_t n, int64_t output, int64_t input)
{
    const sg_place_node *node = &p->graph->nodes[n];
    const sg_place_tensor *from = &p->graph->tensors[input];
    if (from->kind != SG_PLACE_INNER || from->last != n || node->move != SG_PLACE_OPAQUE ||
        node->encloses || node->nwrites != 1 || !same_shape(&p->graph->tensors[output], from) ||
        !sg_place_listed(&p->options->in_place, node)) {
        return false;
    }
    int64_t i = 0;
    while (i < node->nreads && node->reads[i] != input) {
        i++;
    }
    return i < node->nreads;
}

/* Whether tensors in the same buffer are stored in the same bytes in the same order. */
static bool same_place(const sg_place_tensor *a, const sg_place_tensor *b)
{
    return a->offset == b->offset && same_strides(a, b->strides);
}

static int by_node(const void *a, const void *b)
{
    const leaf *x = a;
    const leaf *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

/* Whether each node that writes one of the contents leaves all other tensors of the union intact
 * that exist then and are still read, but for those that it takes over. */
static bool spare_others(const planner *p, int64_t count)
{
    const sg_place_tensor *tensors = p->graph->tensors;
    int64_t all = 0;
    for (int64_t i = 0; i < p->count; i++) {
        const sg_place_tensor *t = &tensors[p->queue[i]];
        const int64_t n = p->maker_node[p->queue[i]];
        p->held[all++] = leaf_of(p, p->queue[i], t->offset, t->dims);
        if (n >= 0 && p->graph->nodes[n].past >= 0 && tensors[p->graph->nodes[n].past].bytes > 0) {
            p->held[all++] = leaf_in_front(p, p->queue[i]);
        }
    }
    qsort(p->held, (size_t)all, sizeof *p->held, by_node);
    qsort(p->leaves, (size_t)count, sizeof *p->leaves, by_node);
    int64_t next = 0;
    int64_t nheld = 0;
    for (int64_t i = 0; i < count; i++) {
        const leaf *l = &p->leaves[i];
        while (next < all && p->held[next].first <= l->first) {
            p->held[nheld++] = p->held[next++];
        }
        int64_t kept = 0;
        for (int64_t k = 0; k < nheld; k++) {
            const leaf *other = &p->held[k];
            if (tensors[other->tensor].last < l->first) {
                continue;
            }
            if (other->tensor != l->tensor && !lie_apart(l, other) &&
                !(l->first >= 0 && takes_over(p, l->first, l->tensor, other->tensor) &&
                  same_place(&tensors[l->tensor], &tensors[other->tensor]))) {
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
static bool contents_fit(planner *p)
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
        p->leaves[count++] = leaf_of(p, tensor, t->offset, t->dims);
    }
    if (p->graph->tensors[p->queue[0]].kind == SG_PLACE_INPUT && count > 1) {
        return false;
    }
    if (count > 1) {
        qsort(p->leaves, (size_t)count, sizeof *p->leaves, by_low);
    }
    for (int64_t i = 0; i < count; i++) {
        for (int64_t k = i + 1; k < count && p->leaves[k].low < p->leaves[i].high; k++) {
            if (!lie_apart(&p->leaves[i], &p->leaves[k])) {
                return spare_others(p, count);
            }
        }
    }
    return true;
}

static int64_t end_of(const sg_place_tensor *t)
{
    return t->offset + (t->bytes > 0 && t->element > 0 ? sg_place_span(t, t->dims) : t->bytes);
}

/* The tensors of a placed union that begin first and end last; of several, the one that is largest
 * with other numbers of open dimensions. */
static void find_ends(const planner *p, int64_t *lowest, int64_t *highest)
{
    const sg_place_tensor *tensors = p->graph->tensors;
    const shape *other = p->shapes[SG_PLACE_PLANNED];
    *lowest = *highest = p->queue[0];
    for (int64_t i = 1; i < p->count; i++) {
        const int64_t t = p->queue[i];
        const int64_t before = tensors[*lowest].offset - tensors[t].offset;
        const int64_t behind = end_of(&tensors[t]) - end_of(&tensors[*highest]);
        *lowest =
            before > 0 || (before == 0 && other[t].bytes > other[*lowest].bytes) ? t : *lowest;
        *highest =
            behind > 0 || (behind == 0 && other[t].bytes > other[*highest].bytes) ? t : *highest;
    }
}

/* Whether the union is legal for the current numbers of the open dimensions. */
static bool fits(planner *p, int64_t *scratch)
{
    return place(p, scratch) && lies_within(p) && rows_fit(p) && contents_fit(p);
}

static bool set_numbers(const planner *p, int64_t tensor, int numbers)
{
    const shape *s = &p->shapes[numbers][tensor];
    if (s->dims != NULL) {
        p->graph->tensors[tensor].dims = s->dims;
        p->graph->tensors[tensor].bytes = s->bytes;
    }
    return s->dims != NULL;
}

/* Sets the open dimensions of the union to another set of numbers. Returns false if none is
 * open. */
static bool take_numbers(planner *p, int numbers)
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

/* Whether the union of the tensor is legal for all numbers of the open dimensions. */
static bool is_legal(planner *p, int64_t tensor, int64_t *scratch)
{
    bool legal = gather(p, tensor) && fits(p, scratch);
    int64_t low = 0;
    int64_t high = 0;
    if (legal) {
        find_ends(p, &low, &high);
    }
    for (int n = SG_PLACE_PLANNED; legal && n < SG_PLACE_PROVED && take_numbers(p, n); n++) {
        const sg_place_tensor *tensors = p->graph->tensors;
        int64_t other_low = 0;
        int64_t other_high = 0;
        legal = fits(p, scratch);
        find_ends(p, &other_low, &other_high);
        legal = legal && tensors[low].offset == tensors[other_low].offset &&
                end_of(&tensors[high]) == end_of(&tensors[other_high]);
        (void)take_numbers(p, SG_PLACE_EXPECTED);
    }
    p->numbers = SG_PLACE_EXPECTED;
    return legal;
}

/* --- choices ---------------------------------------------------------------------------------- */

typedef struct piece {
    relation **relations; /* sorted by bytes, the largest first */
    int64_t count;
    int64_t *tensors;
    int64_t ntensors;
    int64_t *scratch;
} piece;

static bool piece_is_legal(planner *p, const piece *at)
{
    const int64_t before = p->stamp;
    for (int64_t i = 0; i < at->ntensors; i++) {
        if (p->seen[at->tensors[i]] <= before && !is_legal(p, at->tensors[i], at->scratch)) {
            return false;
        }
    }
    return true;
}

/* Whether the kept relations around this one agree. If they don't, later choices cannot change
 * that. */
static bool may_be_kept(planner *p, const piece *at, const relation *r)
{
    return gather(p, r->child) && place(p, at->scratch) && lies_within(p);
}

/* Tries to keep and to drop each relation from i on. open: their bytes; sum: bytes of the kept
 * relations before i; best: a bit for each relation that the best choice so far keeps. */
static void search(planner *p, const piece *at, int64_t i, int64_t sum, int64_t open,
                   uint32_t chosen, int64_t *best_sum, uint32_t *best)
{
    if (sum + open <= *best_sum || p->steps == 0) {
        return;
    }
    p->steps--;
    if (i == at->count) {
        if (piece_is_legal(p, at)) {
            *best_sum = sum;
            *best = chosen;
        }
        return;
    }
    relation *r = at->relations[i];
    r->kept = true;
    if (may_be_kept(p, at, r)) {
        search(p, at, i + 1, sum + r->bytes, open - r->bytes, chosen | UINT32_C(1) << i, best_sum,
               best);
    }
    r->kept = false;
    search(p, at, i + 1, sum, open - r->bytes, chosen, best_sum, best);
}

/* Keeps all relations of a range if that is legal; otherwise tries each half in turn. */
static void keep_range(planner *p, const piece *at, int64_t begin, int64_t end)
{
    bool legal = true;
    for (int64_t i = begin; i < end; i++) {
        at->relations[i]->kept = true;
    }
    const int64_t before = p->stamp;
    for (int64_t i = begin; legal && i < end; i++) {
        legal = p->seen[at->relations[i]->child] > before ||
                is_legal(p, at->relations[i]->child, at->scratch);
    }
    if (legal) {
        return;
    }
    for (int64_t i = begin; i < end; i++) {
        at->relations[i]->kept = false;
    }
    if (end - begin > 1) {
        const int64_t middle = begin + (end - begin) / 2;
        keep_range(p, at, begin, middle);
        keep_range(p, at, middle, end);
    }
}

static int by_bytes(const void *a, const void *b)
{
    const relation *x = *(relation *const *)a;
    const relation *y = *(relation *const *)b;
    if (x->bytes != y->bytes) {
        return x->bytes > y->bytes ? -1 : 1;
    }
    return (x > y) - (x < y); /* pointers into one array: the order of the nodes */
}

static void choose(planner *p, piece *at)
{
    qsort(at->relations, (size_t)at->count, sizeof(relation *), by_bytes);
    int64_t all = 0;
    for (int64_t i = 0; i < at->count; i++) {
        at->relations[i]->kept = true;
        all = sg_sum64(all, at->relations[i]->bytes);
    }
    if (piece_is_legal(p, at)) {
        return;
    }
    for (int64_t i = 0; i < at->count; i++) {
        at->relations[i]->kept = false;
    }
    uint32_t best = 0;
    int64_t best_sum = 0;
    const bool small = at->count <= EXACT_RELATIONS;
    if (small) {
        search(p, at, 0, 0, all, 0, &best_sum, &best);
    }
    if (!small || p->steps == 0) {
        p->graph->optimal = false;
        keep_range(p, at, 0, at->count);
        return;
    }
    for (int64_t i = 0; i < at->count; i++) {
        at->relations[i]->kept = (best >> i & 1) != 0;
    }
}

/* Collects the piece of a relation. */
static void find_piece(planner *p, int64_t first, piece *at)
{
    at->count = 0;
    at->ntensors = 0;
    p->stamp++;
    const int64_t begin = p->relations[first].child;
    at->tensors[at->ntensors++] = begin;
    p->seen[begin] = p->stamp;
    for (int64_t i = 0; i < at->ntensors; i++) {
        const int64_t t = at->tensors[i];
        for (int64_t u = p->at[t]; u < p->at[t + 1]; u++) {
            relation *r = &p->relations[p->uses[u]];
            const int64_t other = r->child == t ? r->parent : r->child;
            if (!r->possible) {
                continue;
            }
            if (!r->grouped) {
                r->grouped = true;
                at->relations[at->count++] = r;
            }
            if (p->seen[other] != p->stamp) {
                p->seen[other] = p->stamp;
                at->tensors[at->ntensors++] = other;
            }
        }
    }
}

/* --- relations -------------------------------------------------------------------------------- */

static bool is_named(const char *name, const char *domain, const char *op_type)
{
    const char *dot = strrchr(name, '.');
    const size_t length = dot != NULL ? (size_t)(dot - name) : 0;
    return strcmp(name, op_type) == 0 ||
           (dot != NULL && strcmp(dot + 1, op_type) == 0 && strlen(domain) == length &&
            memcmp(name, domain, length) == 0);
}

bool sg_place_named(const char *name, const sg_graph_node *node)
{
    return is_named(name, sg_graph_is_onnx(node) ? "ai.onnx" : node->domain, node->op_type);
}

bool sg_place_listed(const sg_place_list *list, const sg_place_node *node)
{
    bool is = false;
    for (int64_t i = 0; !is && i < list->count; i++) {
        is = node->from != NULL ? sg_place_named(list->names[i], node->from)
                                : strcmp(list->names[i], node->op_type) == 0;
    }
    return is;
}

/* Whether a tensor may share a buffer with others. */
static bool has_place(const sg_place_tensor *t)
{
    return t->known && t->element > 0 && t->bytes > 0 && t->kind != SG_PLACE_CONSTANT;
}

/* Whether it is what lies in a cache before the graph runs. */
static bool is_past(const sg_place_tensor *t)
{
    return t->capacity > 0 && t->kind == SG_PLACE_INPUT;
}

/* Whether a part has the shape of its range of the whole. With open dimensions, inference may not
 * know that they are equal. */
static bool has_shape(const relation *r, const sg_place_tensor *child,
                      const sg_place_tensor *parent)
{
    const int64_t axis = r->node->axis;
    const bool without = r->part->without_axis;
    bool same = child->rank + (without ? 1 : 0) == parent->rank;
    for (int64_t d = 0; same && d < child->rank; d++) {
        const int64_t p = d + (without && d >= axis ? 1 : 0);
        same = p == axis ? child->dims[d] == r->part->length && !child->open[d]
               : child->open[d] && parent->open[p]
                   ? sg_sum_same(&child->sizes[d], &parent->sizes[p])
                   : child->dims[d] == parent->dims[p] && child->open[d] == parent->open[p];
    }
    return same;
}

static const sg_sum_follower *follower_of(const sg_placement *graph, const sg_sum *size)
{
    const char *name = sg_sum_only_name(size);
    for (int64_t i = 0; name != NULL && i < graph->nopen; i++) {
        if (strcmp(graph->open[i].name, name) == 0) {
            return graph->open[i].follows;
        }
    }
    return NULL;
}

/* Whether the range from this index on has this length, or ends on the axis in another way. */
static bool is_on_axis(const planner *p, const sg_cut_axis *range, const sg_sum *length,
                       const sg_sum *axis)
{
    const sg_sum_follower *follows = follower_of(p->graph, length);
    if (follows == NULL || follows->by != 1) {
        return sg_sum_same(&range->length, length);
    }
    const sg_sum from = sg_sum_expanded(p->arena, follows->from);
    const sg_sum most = sg_sum_number(p->arena, follows->most);
    sg_sum rest = sg_sum_add(p->arena, axis, &range->start, -1);
    rest = sg_sum_add(p->arena, &rest, &most, -1);
    return sg_sum_same(&from, axis) &&
           ((sg_sum_is_number(&range->start) && sg_sum_constant(&range->start) <= -follows->more) ||
            !sg_sum_factored(p->arena, &rest).over);
}

static bool has_box(const planner *p, const relation *r, const sg_place_tensor *child,
                    const sg_place_tensor *parent)
{
    const sg_cut_axis *box = r->part->box;
    int64_t c = 0;
    for (int64_t d = 0; box != NULL && d < parent->rank; d++) {
        int64_t end = value_of(p->graph, &box[d].start, SG_PLACE_EXPECTED);
        if (box[d].without) {
            continue;
        }
        const sg_sum number = sg_sum_number(p->arena, parent->dims[d]);
        const sg_sum length = sg_sum_number(p->arena, c < child->rank ? child->dims[c] : -1);
        SG_TRY(c < child->rank && sg_add64(end, child->dims[c], &end) && end <= parent->dims[d] &&
               is_on_axis(p, &box[d], child->sizes != NULL ? &child->sizes[c] : &length,
                          parent->sizes != NULL ? &parent->sizes[d] : &number));
        c++;
    }
    return box != NULL && c == child->rank;
}

static bool is_possible(const planner *p, const relation *r)
{
    const sg_placement *graph = p->graph;
    const sg_place_tensor *child = &graph->tensors[r->child];
    const sg_place_tensor *parent = &graph->tensors[r->parent];
    const bool joins = r->node->move == SG_PLACE_CONCAT;
    return has_place(child) && has_place(parent) && child->element == parent->element &&
           r->child != r->parent && !(joins && child->kind == SG_PLACE_INPUT) &&
           child->copy_of < 0 && !is_past(child) && !is_past(parent) &&
           (r->node->move == SG_PLACE_ALIAS ||
            (r->node->facts != NULL ? has_box(p, r, child, parent) : has_shape(r, child, parent)));
}

/* Adds a relation for each input that a node can overwrite. The search for what is copied does not
 * ask about them. */
static void add_in_place(planner *p)
{
    const sg_placement *graph = p->graph;
    for (int64_t n = 0; n < graph->nnodes; n++) {
        const sg_place_node *node = &graph->nodes[n];
        for (int64_t i = 0; node->nwrites == 1 && i < node->nreads; i++) {
            const int64_t child = node->writes[0];
            const int64_t parent = node->reads[i];
            if (has_place(&graph->tensors[child]) && has_place(&graph->tensors[parent]) &&
                takes_over(p, n, child, parent)) {
                p->relations[p->nrelations++] =
                    (relation){.child = child, .parent = parent, .node = node};
            }
        }
    }
}

static void add_relations(planner *p)
{
    sg_placement *graph = p->graph;
    int64_t most = 0;
    for (int64_t n = 0; n < graph->nnodes; n++) {
        p->first_relation[n] = p->nparts;
        p->nparts += graph->nodes[n].nparts;
        most += graph->nodes[n].nparts + graph->nodes[n].nreads;
    }
    p->relations = SG_NEW_ARRAY(p->arena, relation, most);
    p->uses = SG_NEW_ARRAY(p->arena, int64_t, 2 * most);
    for (int64_t n = 0; n < graph->nnodes; n++) {
        const sg_place_node *node = &graph->nodes[n];
        for (int64_t i = 0; i < node->nparts; i++) {
            relation *r = &p->relations[p->nrelations++];
            *r = (relation){.child = node->parts[i].tensor,
                            .parent = node->whole,
                            .node = node,
                            .part = &node->parts[i]};
            r->bytes = graph->tensors[r->child].bytes;
            r->possible = is_possible(p, r);
            if (node->move != SG_PLACE_CONCAT) {
                p->maker[r->child] = p->nrelations - 1;
            }
        }
        for (int64_t i = 0; i < node->nwrites; i++) {
            p->maker_node[node->writes[i]] = n;
        }
    }
    add_in_place(p);
    for (int64_t i = 0; i < p->nrelations; i++) {
        p->at[p->relations[i].child + 1]++;
        p->at[p->relations[i].parent + 1]++;
    }
    for (int64_t t = 0; t < graph->ntensors; t++) {
        p->at[t + 1] += p->at[t];
    }
    int64_t *next = SG_NEW_ARRAY(p->arena, int64_t, graph->ntensors + 1);
    memcpy(next, p->at, (size_t)graph->ntensors * sizeof *next);
    for (int64_t i = 0; i < p->nrelations; i++) {
        p->uses[next[p->relations[i].child]++] = i;
        if (p->relations[i].child != p->relations[i].parent) {
            p->uses[next[p->relations[i].parent]++] = i;
        }
    }
}

static void check_strides(planner *p)
{
    const sg_placement *graph = p->graph;
    for (int64_t t = 0; t < graph->ntensors; t++) {
        p->can_stride[t] =
            graph->tensors[t].kind == SG_PLACE_INNER || graph->tensors[t].capacity > 0;
    }
    for (int64_t n = 0; n < graph->nnodes; n++) {
        const sg_place_node *node = &graph->nodes[n];
        const bool moves = node->move != SG_PLACE_OPAQUE;
        for (int64_t i = 0; moves && node->facts != NULL && i < node->nreads; i++) {
            p->can_stride[node->reads[i]] =
                p->can_stride[node->reads[i]] && node->reads[i] == node->whole;
        }
        if (moves) {
            continue;
        }
        const bool writes = sg_place_listed(&p->options->strided, node);
        const bool reads = sg_place_listed(&p->options->strided_read, node);
        for (int64_t i = 0; !writes && i < node->nwrites; i++) {
            p->can_stride[node->writes[i]] = false;
        }
        for (int64_t i = 0; !reads && i < node->nreads; i++) {
            p->can_stride[node->reads[i]] = false;
        }
    }
}

/* --- the result ------------------------------------------------------------------------------- */

/* Sets the strides of a dense tensor. */
static void express_dense(const planner *p, sg_place_tensor *t)
{
    sg_sum *steps = SG_NEW_ARRAY(p->kept, sg_sum, t->rank);
    sg_sum step = sg_sum_number(p->kept, t->element);
    for (int64_t d = t->rank - 1; d >= 0; d--) {
        const sg_sum capacity = sg_sum_number(p->kept, t->capacity);
        steps[d] = step;
        if (room_of(t, d) > 0) {
            step = sg_sum_times(p->kept, &step,
                                t->capacity > 0 && d == t->axis ? &capacity : &t->sizes[d]);
        }
    }
    t->steps = steps;
}

/* Sets the strides of an alias, which are multiples of those of the other tensor. One with open
 * dimensions and padded rows has no alias. */
static void express_alias(const planner *p, const sg_place_tensor *from, sg_place_tensor *to)
{
    if (is_dense(from)) {
        express_dense(p, to);
        return;
    }
    sg_sum *steps = SG_NEW_ARRAY(p->kept, sg_sum, to->rank);
    for (int64_t d = 0; d < to->rank; d++) {
        int64_t like = -1; /* the dimension with the largest stride that is not larger */
        for (int64_t f = 0; f < from->rank; f++) {
            like = !is_one(from, f) && from->strides[f] <= to->strides[d] &&
                           (like < 0 || from->strides[f] > from->strides[like])
                       ? f
                       : like;
        }
        const bool used = like >= 0 && !is_one(to, d);
        const sg_sum times =
            sg_sum_number(p->kept, used ? to->strides[d] / from->strides[like] : to->strides[d]);
        steps[d] = used ? sg_sum_times(p->kept, &from->steps[like], &times) : times;
    }
    to->steps = steps;
}

/* Like locate_child(). */
static void express_child(const planner *p, const relation *r)
{
    const sg_place_tensor *parent = &p->graph->tensors[r->parent];
    sg_place_tensor *child = &p->graph->tensors[r->child];
    child->from = parent->from;
    if (r->part == NULL) {
        child->steps = parent->steps;
        return;
    }
    if (r->node->move == SG_PLACE_ALIAS) {
        express_alias(p, parent, child);
        return;
    }
    sg_sum *steps = SG_NEW_ARRAY(p->kept, sg_sum, child->rank);
    for (int64_t d = 0, c = 0; d < parent->rank; d++) {
        const sg_sum start = start_sum(p, r, d);
        const sg_sum before = sg_sum_times(p->kept, &parent->steps[d], &start);
        child->from = sg_sum_add(p->kept, &child->from, &before, 1);
        if (!is_without(r, d)) {
            steps[c++] = parent->steps[d];
        }
    }
    child->steps = steps;
}

/* Like place_parent(). */
static void express_parent(const planner *p, const relation *r)
{
    sg_place_tensor *parent = &p->graph->tensors[r->parent];
    const sg_place_tensor *child = &p->graph->tensors[r->child];
    parent->from = child->from;
    if (r->part == NULL) {
        parent->steps = child->steps;
        return;
    }
    if (r->node->move == SG_PLACE_ALIAS) {
        express_alias(p, child, parent);
        return;
    }
    sg_sum *steps = SG_NEW_ARRAY(p->kept, sg_sum, parent->rank);
    sg_sum step = sg_sum_number(p->kept, parent->element);
    for (int64_t d = parent->rank - 1, c = child->rank - 1; d >= 0; d--) {
        const bool has = !is_without(r, d);
        steps[d] = has && !is_one(child, c) ? child->steps[c] : step;
        c -= has;
        step = sg_sum_times(p->kept, &steps[d], &parent->sizes[d]);
    }
    for (int64_t d = 0; d < parent->rank; d++) {
        const sg_sum start = start_sum(p, r, d);
        const sg_sum before = sg_sum_times(p->kept, &steps[d], &start);
        parent->from = sg_sum_add(p->kept, &parent->from, &before, -1);
    }
    parent->steps = steps;
}

/* Sets offsets and strides of the union's tensors, which have open dimensions, as sums. */
static void express(const planner *p)
{
    p->graph->tensors[p->queue[0]].from = (sg_sum){0};
    express_dense(p, &p->graph->tensors[p->queue[0]]);
    for (int64_t i = 1; i < p->count; i++) {
        const relation *r = &p->relations[p->via[i]];
        if (p->queue[i] == r->child) {
            express_child(p, r);
        } else {
            express_parent(p, r);
        }
    }
}

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
static sg_sum express_bits(const planner *p, const sg_place_tensor *low,
                           const sg_place_tensor *high)
{
    if (high->element == 0 || high->bits.count == 0) {
        return high->bits; /* of packed elements or none, which share no buffer */
    }
    sg_sum bits = sg_place_span_bits(p->kept, high);
    bits = sg_sum_add(p->kept, &bits, &high->from, 8);
    return sg_sum_add(p->kept, &bits, &low->from, -8);
}

/* The size of a cache in bits, as a sum. */
static sg_sum room_bits(const planner *p, const sg_place_tensor *t)
{
    sg_sum bits = sg_sum_number(p->kept, 8 * t->element);
    const sg_sum capacity = sg_sum_number(p->kept, t->capacity);
    for (int64_t d = 0; d < t->rank; d++) {
        bits = sg_sum_times(p->kept, &bits, d == t->axis ? &capacity : &t->sizes[d]);
    }
    return bits;
}

/* Drops all relations of the union. */
static void separate(planner *p)
{
    for (int64_t i = 0; i < p->count; i++) {
        for (int64_t u = p->at[p->queue[i]]; u < p->at[p->queue[i] + 1]; u++) {
            p->relations[p->uses[u]].kept = false;
        }
    }
    p->graph->optimal = false;
}

/* Whether the places and the size of a union, as sums, fit for all sets of numbers. */
static bool sums_fit(const planner *p, const sg_sum *bits)
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

/* The buffer of the tensor's union, which is legal. Sets the tensors at its ends. */
static sg_place_buffer buffer_of(planner *p, int64_t tensor, int64_t *scratch, int64_t *lowest,
                                 int64_t *highest)
{
    const sg_placement *graph = p->graph;
    (void)(gather(p, tensor) && place(p, scratch)); /* cannot fail, since the union is legal */
    const sg_place_tensor *start = &graph->tensors[p->queue[0]];
    find_ends(p, lowest, highest);
    sg_place_buffer buffer = {
        .kind = start->capacity > 0 ? SG_PLACE_CACHE : start->kind,
        .bytes = start->capacity > 0
                     ? bytes_of_buffer(start)
                     : end_of(&graph->tensors[*highest]) - graph->tensors[*lowest].offset,
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

static void give_buffer(planner *p, int64_t tensor, int64_t *scratch)
{
    sg_placement *graph = p->graph;
    int64_t lowest = 0;
    int64_t highest = 0;
    sg_place_buffer buffer = buffer_of(p, tensor, scratch, &lowest, &highest);
    const sg_place_tensor *start = &graph->tensors[p->queue[0]];
    const int64_t low = graph->tensors[lowest].offset;
    const bool open = start->sizes != NULL;
    sg_sum from = {0};
    if (open) {
        express(p);
        buffer.bits = start->capacity > 0
                          ? room_bits(p, start)
                          : express_bits(p, &graph->tensors[lowest], &graph->tensors[highest]);
        from = graph->tensors[lowest].from;
        if (p->count > 1 && !sums_fit(p, &buffer.bits)) {
            separate(p);
            give_buffer(p, tensor, scratch);
            return;
        }
    }
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

/* --- operators in place ----------------------------------------------------------------------- */

/* Bytes that are needed while nodes run: the most at one of them, and the sum over all. */
typedef struct need {
    int64_t most;
    int64_t all;
} need;

/* Adds a buffer of the arena to the bytes that are needed at each node, `times` times. */
static void count_live(int64_t *live, const sg_place_buffer *buffer, int64_t times)
{
    for (int64_t n = buffer->first; buffer->kind == SG_PLACE_INNER && n <= buffer->last; n++) {
        live[n] += times * buffer->bytes;
    }
}

static need need_of(const int64_t *live, int64_t first, int64_t last)
{
    need sum = {0};
    for (int64_t n = first; n <= last; n++) {
        sum.most = live[n] > sum.most ? live[n] : sum.most;
        sum.all = sg_sum64(sum.all, live[n]);
    }
    return sum;
}

/* Keeps the relation if that is legal and less memory is needed. Returns the steps that it took. */
static int64_t try_in_place(planner *p, relation *r, int64_t *live, int64_t *scratch)
{
    int64_t low = 0;
    int64_t high = 0;
    const sg_place_buffer parent = buffer_of(p, r->parent, scratch, &low, &high);
    int64_t steps = p->count;
    if (p->seen[r->child] == p->stamp) {
        return steps; /* both share it already */
    }
    const sg_place_buffer child = buffer_of(p, r->child, scratch, &low, &high);
    r->kept = true;
    if (!is_legal(p, r->child, scratch)) {
        r->kept = false;
        return steps + p->count;
    }
    const sg_place_buffer both = buffer_of(p, r->child, scratch, &low, &high);
    steps += p->count + both.last - both.first;
    const int64_t last = both.last < p->graph->nnodes ? both.last : p->graph->nnodes - 1;
    const need before = need_of(live, both.first, last);
    count_live(live, &parent, -1);
    count_live(live, &child, -1);
    count_live(live, &both, 1);
    const need after = need_of(live, both.first, last);
    r->kept = after.most < before.most || (after.most == before.most && after.all < before.all);
    if (!r->kept) {
        count_live(live, &both, -1);
        count_live(live, &child, 1);
        count_live(live, &parent, 1);
    }
    return steps;
}

/* Lets nodes run in place, one after the other, where that needs less memory. */
static void choose_in_place(planner *p, int64_t *scratch)
{
    const sg_placement *graph = p->graph;
    if (p->nrelations == p->nparts) {
        return;
    }
    int64_t *live = SG_NEW_ARRAY(p->arena, int64_t, graph->nnodes + 1);
    bool *counted = SG_NEW_ARRAY(p->arena, bool, graph->ntensors);
    for (int64_t t = 0; t < graph->ntensors; t++) {
        int64_t low = 0;
        int64_t high = 0;
        if (counted[t] || !graph->tensors[t].known || graph->tensors[t].kind == SG_PLACE_CONSTANT) {
            continue;
        }
        const sg_place_buffer buffer = buffer_of(p, t, scratch, &low, &high);
        count_live(live, &buffer, 1);
        for (int64_t i = 0; i < p->count; i++) {
            counted[p->queue[i]] = true;
        }
    }
    int64_t steps = IN_PLACE_STEPS;
    for (int64_t i = p->nparts; i < p->nrelations && steps > 0; i++) {
        steps -= try_in_place(p, &p->relations[i], live, scratch);
    }
}

/* Says which tensors are overwritten, also where parts of a Concat are. */
static void name_overwritten(const planner *p)
{
    for (int64_t i = p->nparts; i < p->nrelations; i++) {
        sg_place_tensor *child = &p->graph->tensors[p->relations[i].child];
        const sg_place_tensor *parent = &p->graph->tensors[p->relations[i].parent];
        if (child->buffer == parent->buffer && same_place(child, parent)) {
            child->over = parent->name;
        }
    }
}

/* --- unions ----------------------------------------------------------------------------------- */

/* What lies in a cache before the graph runs has the place and the strides of the whole. */
static void share_cache(sg_place_tensor *past, const sg_place_tensor *whole)
{
    past->buffer = whole->buffer;
    past->offset = whole->offset;
    past->from = whole->from;
    past->steps = whole->steps;
    memcpy(past->strides, whole->strides, (size_t)whole->rank * sizeof *whole->strides);
}

/* Computes the shapes of tensors with open dimensions for each set of numbers. */
static void set_shapes(planner *p)
{
    const sg_placement *graph = p->graph;
    for (int n = 0; n < SG_PLACE_PROVED; n++) {
        p->shapes[n] = SG_NEW_ARRAY(p->arena, shape, graph->ntensors);
        for (int64_t i = 0; i < graph->ntensors; i++) {
            const sg_place_tensor *t = &graph->tensors[i];
            if (t->sizes == NULL || !t->known) {
                continue;
            }
            int64_t *dims = SG_NEW_ARRAY(n == 0 ? p->kept : p->arena, int64_t, t->rank);
            for (int64_t d = 0; d < t->rank; d++) {
                dims[d] = value_of(graph, &t->sizes[d], n);
            }
            p->shapes[n][i] = (shape){dims, (value_of(graph, &t->bits, n) + 7) / 8};
        }
    }
}

/* Whether a part has no elements. If the size of its tensor is unknown, that of its kernel says
 * so. */
static bool is_empty(const sg_placement *graph, const relation *r)
{
    const sg_place_tensor *child = &graph->tensors[r->child];
    return child->known || r->node->split == NULL
               ? (child->sizes != NULL ? child->bits.count == 0 : r->bytes == 0)
               : r->node->split->parts[r->part->index].bytes == 0;
}

/* Every part that is not kept is copied, unless there is nothing to copy. */
static bool count_bytes(const planner *p)
{
    sg_placement *graph = p->graph;
    for (int64_t i = 0; i < p->nparts; i++) {
        const relation *r = &p->relations[i];
        const sg_place_tensor *child = &graph->tensors[r->child];
        const bool read_only = child->kind == SG_PLACE_CONSTANT && r->node->move != SG_PLACE_CONCAT;
        r->part->copied = !r->kept && !is_empty(graph, r) && !read_only;
        graph->uncounted += r->part->copied && !child->known;
        SG_TRY(child->copy_of >= 0 || sg_add64(graph->bytes_moved, r->bytes, &graph->bytes_moved));
        graph->bytes_copied += r->part->copied ? r->bytes : 0;
    }
    for (int64_t n = 0; n < graph->nnodes; n++) {
        const int64_t past = graph->nodes[n].past;
        SG_TRY(past < 0 ||
               sg_add64(graph->bytes_moved, graph->tensors[past].bytes, &graph->bytes_moved));
    }
    return true;
}

bool sg_place_unite(sg_arena *arena, sg_placement *graph, const sg_place_options *options)
{
    sg_arena scratch_arena;
    sg_arena_init(&scratch_arena);
    const int64_t tensors = graph->ntensors;
    int64_t parts = 0;
    int64_t rank = 1;
    for (int64_t n = 0; n < graph->nnodes; n++) {
        parts += graph->nodes[n].nparts;
    }
    for (int64_t t = 0; t < tensors; t++) {
        sg_place_tensor *tensor = &graph->tensors[t];
        tensor->buffer = -1;
        tensor->offset = 0;
        tensor->over = NULL;
        tensor->strides = SG_NEW_ARRAY(arena, int64_t, tensor->rank);
        make_dense(tensor);
        rank = tensor->rank > rank ? tensor->rank : rank;
    }
    planner p = {.arena = &scratch_arena,
                 .kept = arena,
                 .graph = graph,
                 .options = options,
                 .steps = SEARCH_STEPS,
                 .first_relation = SG_NEW_ARRAY(&scratch_arena, int64_t, graph->nnodes),
                 .maker = SG_NEW_ARRAY(&scratch_arena, int64_t, tensors),
                 .maker_node = SG_NEW_ARRAY(&scratch_arena, int64_t, tensors),
                 .at = SG_NEW_ARRAY(&scratch_arena, int64_t, tensors + 2),
                 .can_stride = SG_NEW_ARRAY(&scratch_arena, bool, tensors),
                 .seen = SG_NEW_ARRAY(&scratch_arena, int64_t, tensors),
                 .queue = SG_NEW_ARRAY(&scratch_arena, int64_t, tensors),
                 .via = SG_NEW_ARRAY(&scratch_arena, int64_t, tensors),
                 .leaves = SG_NEW_ARRAY(&scratch_arena, leaf, tensors + parts),
                 .held = SG_NEW_ARRAY(&scratch_arena, leaf, tensors)};
    for (int64_t t = 0; t < tensors; t++) {
        p.maker[t] = p.maker_node[t] = -1;
    }
    set_shapes(&p);
    add_relations(&p);
    check_strides(&p);
    piece at = {.relations = SG_NEW_ARRAY(&scratch_arena, relation *, parts),
                .tensors = SG_NEW_ARRAY(&scratch_arena, int64_t, tensors),
                .scratch = SG_NEW_ARRAY(&scratch_arena, int64_t, rank)};
    graph->optimal = true;
    graph->alignment = options->alignment;
    graph->bytes_moved = graph->bytes_copied = graph->uncounted = 0;
    for (int64_t i = 0; i < p.nrelations; i++) {
        if (p.relations[i].possible && !p.relations[i].grouped) {
            find_piece(&p, i, &at);
            choose(&p, &at);
        }
    }
    choose_in_place(&p, at.scratch);
    graph->buffers = SG_NEW_ARRAY(arena, sg_place_buffer, tensors);
    graph->nbuffers = 0;
    for (int64_t t = 0; t < tensors; t++) {
        const sg_place_tensor *tensor = &graph->tensors[t];
        if (tensor->known && tensor->kind != SG_PLACE_CONSTANT && tensor->buffer < 0 &&
            !is_past(tensor)) {
            give_buffer(&p, t, at.scratch);
        }
    }
    for (int64_t n = 0; n < graph->nnodes; n++) {
        if (graph->nodes[n].past >= 0) {
            share_cache(&graph->tensors[graph->nodes[n].past],
                        &graph->tensors[graph->nodes[n].whole]);
        }
    }
    name_overwritten(&p);
    const bool fits = count_bytes(&p);
    sg_arena_free(&scratch_arena);
    return fits;
}
