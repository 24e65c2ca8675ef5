/* Checks a plan by running the nodes of a graph in order over the places of the plan. It shares no
 * code with the planner: the node defines which elements of the whole a part has, and a place is
 * defined by its offset and strides. A tensor that was written is intact until a node writes a byte
 * of its place. A plan is correct if each node reads tensors that were written and are intact, a
 * part that is not copied is stored exactly where the whole has it, no node writes a byte of a
 * tensor that is read at that node or later, or of an input, each place is within its buffer and is
 * used only during the buffer's lifetime, buffers with overlapping lifetimes have no byte of the
 * arena in common, elements are aligned to their size. A node that can run in place may write a
 * tensor over one of exactly this place that it reads and nothing reads later. If dimensions are
 * open, this is checked for the expected numbers and, with the plan's sums, for two other sets of
 * numbers. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "placement/placement.h"
#include "shapes/operators.h"

#define MAX_DIMS SG_MAX_RANK

/* Runs of bytes that repeat along up to MAX_DIMS dimensions, innermost first. The first run begins
 * at `at`. */
typedef struct box {
    int64_t at;
    int64_t run; /* bytes of one run */
    int n;
    int64_t counts[MAX_DIMS];
    int64_t steps[MAX_DIMS];
} box;

typedef struct prover {
    sg_arena *arena;
    const sg_placement *graph;
    const sg_place_options *options;
    bool *written;
    int64_t **held; /* for each buffer: tensors that were written and may still be read */
    int64_t *nheld, *capacity;
    int numbers; /* of open dimensions */
    const char *wrong;
} prover;

static bool fails(prover *p, const char *wrong)
{
    p->wrong = p->wrong != NULL ? p->wrong : wrong;
    return false;
}

static bool fails_at(prover *p, int64_t n, int64_t tensor, const char *what)
{
    return fails(p, sg_arena_printf(p->arena, "node %" PRId64 " ('%s'), tensor '%s': %s", n,
                                    p->graph->nodes[n].name, p->graph->tensors[tensor].name, what));
}

/* --- boxes ------------------------------------------------------------------------------------ */

/* The bytes of `length` elements of a tensor from `start` along an axis; of all elements if axis is
 * -1. */
static box box_of(const sg_place_tensor *t, int64_t axis, int64_t start, int64_t length)
{
    box b = {.at = t->offset, .run = t->element > 0 ? t->element : t->bytes};
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

static int64_t end_of(const box *b)
{
    int64_t end = b->at + b->run;
    for (int i = 0; i < b->n; i++) {
        end += (b->counts[i] - 1) * b->steps[i];
    }
    return end;
}

/* Whether two boxes have a byte in common. Recurses into the slices of the box with the larger
 * outermost step. */
static bool meet(const box *a, const box *b)
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
        return meet(b, a);
    }
    box slice = *a;
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
        if (meet(&slice, b)) {
            return true;
        }
    }
    return false;
}

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

static bool is_packed_row(const sg_place_tensor *t)
{
    const box b = box_of(t, -1, 0, 0);
    return b.n == 0 && b.run == t->bytes;
}

/* --- parts that are not copied ---------------------------------------------------------------- */

/* Counts and steps of a tensor's elements in order. Adjacent dimensions that form one run are
 * merged. */
static int order_of(const sg_place_tensor *t, int64_t *counts, int64_t *steps)
{
    int n = 0;
    for (int64_t d = t->rank - 1; d >= 0; d--) {
        if (t->dims[d] == 1 && !t->open[d]) {
            continue;
        }
        if (n > 0 && t->strides[d] == counts[n - 1] * steps[n - 1]) {
            counts[n - 1] *= t->dims[d];
        } else {
            counts[n] = t->dims[d];
            steps[n++] = t->strides[d];
        }
    }
    return n;
}

static bool same_order(const sg_place_tensor *a, const sg_place_tensor *b)
{
    int64_t counts[2][MAX_DIMS];
    int64_t steps[2][MAX_DIMS];
    const int n = order_of(a, counts[0], steps[0]);
    const int m = order_of(b, counts[1], steps[1]);
    bool same = n == m && a->offset == b->offset && a->bytes == b->bytes;
    for (int i = 0; same && i < n; i++) {
        same = counts[0][i] == counts[1][i] && steps[0][i] == steps[1][i];
    }
    return same;
}

/* Value i of a list of a node's parameters. */
static bool entry_of(const prover *p, const sg_operator_list *list, int64_t i, int64_t *value)
{
    const sg_fact_entry *entry = list->known && i < list->count ? &list->entries[i] : NULL;
    *value = entry != NULL && entry->kind == SG_FACT_INT ? entry->as.integer : 0;
    return entry != NULL &&
           (entry->kind == SG_FACT_INT ||
            (entry->kind == SG_FACT_SUM &&
             sg_place_value(entry->as.sum, p->graph->open, p->graph->nopen, p->numbers, value)));
}

static bool is_masked(const sg_graph_node *node, const char *name, int64_t i)
{
    const sg_graph_attribute *mask = sg_graph_attribute_of(node, name);
    return mask != NULL && i < mask->count && mask->ints != NULL && mask->ints[i] == 1;
}

static int64_t within(int64_t index, int64_t size)
{
    index += index < 0 ? size : 0;
    return index < 0 ? 0 : index < size ? index : size;
}

/* What a node takes of one axis of the whole. */
typedef struct taken {
    int64_t start, length;
    bool without;
} taken;

static bool takes_pads(const prover *p, const sg_place_node *node, taken *all, int64_t rank)
{
    const sg_graph_node *from = node->from;
    static const sg_operator_place places[] = {{"pads", 1}, {"paddings", -1}, {NULL, 2}, {NULL, 3}};
    sg_operator_list lists[4];
    for (int i = 0; i < 4; i++) {
        lists[i] = sg_operator_read(p->arena, from, node->facts, places[i]);
    }
    const bool onnx = sg_graph_is_onnx(from);
    const sg_operator_list *pads = lists[1].given ? &lists[1] : &lists[0];
    const int64_t count = onnx ? pads->count / 2 : pads->count;
    for (int64_t i = 0; i < count; i++) {
        int64_t axis = i;
        int64_t before = 0;
        int64_t after = 0;
        SG_TRY(!onnx || !lists[3].given || entry_of(p, &lists[3], i, &axis));
        axis += axis < 0 ? rank : 0;
        SG_TRY(axis >= 0 && axis < rank && entry_of(p, pads, i, &before) && before <= 0 &&
               entry_of(p, onnx ? pads : &lists[2], onnx ? count + i : i, &after));
        all[axis].start = -before;
        all[axis].length += before + after;
    }
    return true;
}

/* What a node takes of the whole by the definition of its operator. */
static bool takes(const prover *p, const sg_place_node *node, const sg_place_tensor *whole,
                  taken *all)
{
    const sg_graph_node *from = node->from;
    const sg_operator *op = sg_operator_of(from);
    for (int64_t d = 0; d < whole->rank; d++) {
        all[d] = (taken){0, whole->dims[d], false};
    }
    if (op->kind == SG_OPERATOR_OTHER) {
        return takes_pads(p, node, all, whole->rank);
    }
    const sg_operator_list starts = sg_operator_read(p->arena, from, node->facts, op->what);
    const sg_operator_list ends = sg_operator_read(p->arena, from, node->facts, op->ends);
    const sg_operator_list axes = sg_operator_read(p->arena, from, node->facts, op->axes);
    const sg_operator_list steps = sg_operator_read(p->arena, from, node->facts, op->steps);
    const bool index = op->kind == SG_OPERATOR_INDEX;
    const bool masks = op->kind == SG_OPERATOR_STRIDED;
    int64_t next = index ? sg_operator_axis(from, node->facts, whole->rank) : 0;
    for (int64_t i = 0; i < starts.count; i++) {
        int64_t axis = next;
        int64_t start = 0;
        int64_t end = INT64_MAX;
        int64_t step = 1;
        if (masks && is_masked(from, "ellipsis_mask", i)) {
            next = whole->rank - (starts.count - 1 - i);
            continue;
        }
        SG_TRY(index || !axes.given || entry_of(p, &axes, i, &axis));
        axis += axis < 0 ? whole->rank : 0;
        const bool one = index || (masks && is_masked(from, "shrink_axis_mask", i));
        SG_TRY(axis >= 0 && axis < whole->rank &&
               ((masks && is_masked(from, "begin_mask", i)) || entry_of(p, &starts, i, &start)) &&
               (one || (masks && is_masked(from, "end_mask", i)) || entry_of(p, &ends, i, &end)) &&
               (one || !steps.given || (entry_of(p, &steps, i, &step) && step == 1)));
        const int64_t first = within(start, whole->dims[axis]);
        const int64_t last = one ? first + 1 : within(end, whole->dims[axis]);
        all[axis] = (taken){first, last > first ? last - first : 0, one};
        all[axis].without = index ? node->facts[op->what.input]->rank == 0 : one;
        next = axis + 1;
    }
    return true;
}

/* Whether the result of a node is stored where the whole has what the node takes. */
static bool lies_where_taken(const prover *p, const sg_place_node *node,
                             const sg_place_tensor *whole, const sg_place_tensor *own)
{
    taken all[MAX_DIMS];
    int64_t offset = whole->offset;
    int64_t o = 0;
    SG_TRY(takes(p, node, whole, all));
    for (int64_t d = 0; d < whole->rank; d++) {
        offset += all[d].start * whole->strides[d];
        if (all[d].without) {
            continue;
        }
        SG_TRY(o < own->rank && own->dims[o] == all[d].length &&
               ((own->dims[o] == 1 && !own->open[o]) || own->strides[o] == whole->strides[d]));
        o++;
    }
    return o == own->rank && own->offset == offset;
}

/* Whether a part is stored exactly where the whole has it. */
static bool lies_in(const prover *p, const sg_place_node *node, const sg_place_part *part,
                    int64_t start, const sg_place_tensor *whole, const sg_place_tensor *own)
{
    if (own->buffer != whole->buffer || own->buffer < 0 || own->element != whole->element) {
        return false;
    }
    if (node->move == SG_PLACE_ALIAS) {
        return same_order(whole, own);
    }
    if (node->facts != NULL) {
        return lies_where_taken(p, node, whole, own);
    }
    if (own->rank + (part->without_axis ? 1 : 0) != whole->rank ||
        own->offset != whole->offset + start * whole->strides[node->axis]) {
        return false;
    }
    for (int64_t d = 0, o = 0; d < whole->rank; d++) {
        const int64_t count = d == node->axis ? part->length : whole->dims[d];
        if (part->without_axis && d == node->axis) {
            continue;
        }
        if (own->dims[o] != count ||
            ((count > 1 || own->open[o]) && own->strides[o] != whole->strides[d])) {
            return false;
        }
        o++;
    }
    return true;
}

/* --- nodes ------------------------------------------------------------------------------------ */

static bool has_place(const sg_place_tensor *t)
{
    return t->known && t->kind != SG_PLACE_CONSTANT;
}

static bool is_used(const sg_placement *graph, const sg_place_tensor *t, int64_t n)
{
    const sg_place_buffer *buffer = &graph->buffers[t->buffer];
    return buffer->kind != SG_PLACE_INNER || (buffer->first <= n && n <= buffer->last);
}

/* Checks that a node may read a tensor. apart: the node can read padded rows. */
static bool reads(prover *p, int64_t n, int64_t tensor, bool apart)
{
    const sg_place_tensor *t = &p->graph->tensors[tensor];
    return !p->written[tensor] ? fails_at(p, n, tensor, "is read before it is written")
           : !has_place(t)     ? true
           : n > t->last       ? fails_at(p, n, tensor, "is read after its last use")
           : !is_used(p->graph, t, n)
               ? fails_at(p, n, tensor, "is read outside the life of its buffer")
           : !apart && !is_packed_row(t)
               ? fails_at(p, n, tensor, "has rows apart, which this node cannot read")
               : true;
}

/* Whether a node may overwrite a tensor by its output, which has the same place: element by
 * element, it reads what it then overwrites. */
static bool may_replace(const prover *p, int64_t n, const sg_place_tensor *output, int64_t input)
{
    const sg_place_node *node = &p->graph->nodes[n];
    const sg_place_tensor *t = &p->graph->tensors[input];
    bool may = node->move == SG_PLACE_OPAQUE && !node->encloses && node->nwrites == 1 &&
               t->kind == SG_PLACE_INNER && t->last == n && t->element == output->element &&
               t->offset == output->offset && t->rank == output->rank &&
               sg_place_listed(&p->options->in_place, node);
    for (int64_t d = 0; may && d < t->rank; d++) {
        may = t->dims[d] == output->dims[d] && t->open[d] == output->open[d] &&
              ((t->dims[d] == 1 && !t->open[d]) || t->strides[d] == output->strides[d]);
    }
    bool is_read = false;
    for (int64_t i = 0; may && i < node->nreads; i++) {
        is_read = is_read || node->reads[i] == input;
    }
    return is_read;
}

/* Checks that a node may write these bytes, which belong to a tensor. */
static bool writes(prover *p, int64_t n, int64_t tensor, const box *b)
{
    const sg_place_tensor *t = &p->graph->tensors[tensor];
    const sg_place_buffer *buffer = &p->graph->buffers[t->buffer];
    if (buffer->kind == SG_PLACE_INPUT) {
        return fails_at(p, n, tensor, "is written to an input");
    }
    if (!is_used(p->graph, t, n)) {
        return fails_at(p, n, tensor, "is written outside the life of its buffer");
    }
    int64_t *held = p->held[t->buffer];
    int64_t kept = 0;
    bool ok = true;
    for (int64_t i = 0; i < p->nheld[t->buffer]; i++) {
        const sg_place_tensor *other = &p->graph->tensors[held[i]];
        if (other->last < n) {
            continue;
        }
        held[kept++] = held[i];
        const box theirs = box_of(other, -1, 0, 0);
        if (ok && meet(b, &theirs) && !may_replace(p, n, t, held[i])) {
            ok = fails_at(p, n, tensor, sg_arena_printf(p->arena, "overwrites '%s'", other->name));
        }
    }
    p->nheld[t->buffer] = kept;
    return ok;
}

/* No node may write over the tensor as long as it is read. */
static void hold(prover *p, int64_t tensor)
{
    const int64_t b = p->graph->tensors[tensor].buffer;
    p->held[b] = SG_GROWN(p->arena, p->held[b], p->nheld[b], p->capacity[b]);
    p->held[b][p->nheld[b]++] = tensor;
}

static bool is_made(prover *p, int64_t n, int64_t tensor)
{
    const sg_place_tensor *t = &p->graph->tensors[tensor];
    if (t->kind == SG_PLACE_CONSTANT) {
        return true;
    }
    if (p->written[tensor]) {
        return fails_at(p, n, tensor, "is written twice");
    }
    p->written[tensor] = true;
    if (has_place(t)) {
        hold(p, tensor);
    }
    return true;
}

static bool computes(prover *p, int64_t n, const sg_place_node *node)
{
    const sg_place_options *o = p->options;
    const bool in = sg_place_listed(&o->strided_read, node);
    const bool out = sg_place_listed(&o->strided, node);
    for (int64_t i = 0; i < node->nreads; i++) {
        SG_TRY(reads(p, n, node->reads[i], in));
    }
    for (int64_t i = 0; i < node->nwrites; i++) {
        const sg_place_tensor *t = &p->graph->tensors[node->writes[i]];
        if (has_place(t)) {
            const box all = box_of(t, -1, 0, 0);
            SG_TRY(out || is_packed_row(t) ||
                   fails_at(p, n, node->writes[i], "has rows apart, which this node cannot write"));
            SG_TRY(writes(p, n, node->writes[i], &all));
        }
        SG_TRY(is_made(p, n, node->writes[i]));
    }
    return true;
}

/* Whether a part has no elements for these numbers of the open dimensions. */
static bool is_empty(const sg_place_node *node, const sg_place_part *part,
                     const sg_place_tensor *own)
{
    bool empty = !own->known && node->split != NULL && node->split->parts[part->index].bytes == 0;
    for (int64_t d = 0; own->known && d < own->rank; d++) {
        empty = empty || own->dims[d] == 0;
    }
    return empty;
}

/* Checks what lies in front of the parts of a Concat that adds to a cache. */
static bool adds(prover *p, int64_t n, const sg_place_node *node)
{
    const sg_place_tensor *whole = &p->graph->tensors[node->whole];
    const sg_place_tensor *past = &p->graph->tensors[node->past];
    const int64_t axis = node->axis;
    const sg_place_part front = {.length = past->dims[axis]};
    int64_t length = past->dims[axis];
    for (int64_t i = 0; i < node->nparts; i++) {
        length += node->parts[i].length;
    }
    SG_TRY(reads(p, n, node->past, true));
    if (length != whole->dims[axis] || past->capacity != whole->capacity || past->axis != axis ||
        whole->axis != axis || (past->bytes > 0 && !lies_in(p, node, &front, 0, whole, past))) {
        return fails_at(p, n, node->past, "is not the beginning of its cache");
    }
    return is_packed_row(whole) || axis == 0 ||
           node->split->row_stride * whole->element == whole->strides[axis - 1] ||
           fails_at(p, n, node->whole, "has other rows than its kernel writes");
}

/* Checks one part of a node that moves data. */
static bool moves(prover *p, int64_t n, const sg_place_node *node, const sg_place_part *part)
{
    const sg_place_tensor *whole = &p->graph->tensors[node->whole];
    const sg_place_tensor *own = &p->graph->tensors[part->tensor];
    const bool joins = node->move == SG_PLACE_CONCAT;
    const int64_t from = joins ? part->tensor : node->whole;
    const int64_t to = joins ? node->whole : part->tensor;
    SG_TRY(reads(p, n, from, true));
    if (p->graph->tensors[to].kind == SG_PLACE_CONSTANT || is_empty(node, part, own)) {
        return true;
    }
    const int64_t start =
        part->start + (node->past >= 0 ? p->graph->tensors[node->past].dims[node->axis] : 0);
    if (!part->copied) {
        return (has_place(whole) && has_place(own) && lies_in(p, node, part, start, whole, own)) ||
               fails_at(p, n, part->tensor, "is not copied, but does not lie in its whole");
    }
    /* the kernel that adds to a cache writes its rows, and a dense copy of one is made of them */
    SG_TRY(((is_packed_row(whole) || node->past >= 0 || own->copy_of == node->whole) &&
            is_packed_row(own)) ||
           fails_at(p, n, part->tensor, "is copied from or to rows that lie apart"));
    if (!has_place(&p->graph->tensors[to])) {
        return true;
    }
    const box to_whole = box_of(whole, node->axis, start, part->length);
    const box to_own = box_of(own, -1, 0, 0);
    return writes(p, n, to, joins ? &to_whole : &to_own);
}

static bool is_called(const prover *p, int64_t tensor, const char *name)
{
    const int64_t of = p->graph->tensors[tensor].copy_of;
    return strcmp(p->graph->tensors[of >= 0 ? of : tensor].name, name) == 0;
}

/* Whether the node makes the dense copy of a tensor, of the same elements. */
static bool is_copy(const prover *p, const sg_place_node *node)
{
    const sg_place_tensor *to = node->nwrites == 1 ? &p->graph->tensors[node->writes[0]] : NULL;
    const sg_place_tensor *from =
        to != NULL && to->copy_of >= 0 ? &p->graph->tensors[to->copy_of] : NULL;
    return from != NULL && node->move == SG_PLACE_ALIAS && node->whole == to->copy_of &&
           node->nreads == 1 && node->reads[0] == node->whole && node->nparts == 1 &&
           (node->parts[0].copied || to->bytes == 0) && node->parts[0].tensor == node->writes[0] &&
           to->rank == from->rank && to->element == from->element && to->bytes == from->bytes &&
           memcmp(to->dims, from->dims, (size_t)to->rank * sizeof *to->dims) == 0;
}

/* Whether the tensors begin with those of these names. An empty name stands for none. */
static bool are_called(const prover *p, const int64_t *tensors, int64_t count,
                       const char *const *names, int64_t nnames)
{
    int64_t at = 0;
    for (int64_t i = 0; i < nnames; i++) {
        SG_TRY(names[i][0] == '\0' || (at < count && is_called(p, tensors[at++], names[i])));
    }
    return true;
}

/* Checks that a node of the plan stands for all that its node of the model, or the kernel made from
 * it, reads and writes. */
static bool stands_for(prover *p, int64_t n, const sg_place_node *node)
{
    const sg_graph_node *from =
        node->split == NULL || (node->past >= 0 && node->from->ninputs == node->nparts + 1)
            ? node->from
            : NULL;
    bool does = from == NULL || is_copy(p, node) ||
                (are_called(p, node->reads, node->nreads, from->inputs, from->ninputs) &&
                 are_called(p, node->writes, node->nwrites, from->outputs, from->noutputs));
    does = does && (node->past < 0 || is_called(p, node->past, node->split->op->origin->past));
    int64_t at = 0; /* parts of the plan have the order of the kernel's */
    for (int64_t i = 0; node->split != NULL && does && i < node->split->nparts; i++) {
        const sg_part *part = &node->split->parts[i];
        if (!part->wanted || part->tensor == NULL || part->tensor[0] == '\0') {
            continue;
        }
        const sg_place_part *own = at < node->nparts ? &node->parts[at++] : NULL;
        does = own != NULL && own->index == i && own->start == part->start &&
               own->length == part->length && own->without_axis == part->without_axis &&
               is_called(p, own->tensor, part->tensor);
    }
    return (does && (node->split == NULL || at == node->nparts)) ||
           fails(p, sg_arena_printf(p->arena,
                                    "node %" PRId64 " ('%s') is not what the model has there", n,
                                    node->name));
}

static bool runs(prover *p, int64_t n)
{
    const sg_place_node *node = &p->graph->nodes[n];
    SG_TRY(stands_for(p, n, node));
    if (node->move == SG_PLACE_OPAQUE) {
        return computes(p, n, node);
    }
    const bool joins = node->move == SG_PLACE_CONCAT;
    SG_TRY(node->past < 0 || adds(p, n, node));
    for (int64_t i = 0; node->facts != NULL && node->parts[0].copied && i < node->nreads; i++) {
        SG_TRY(reads(p, n, node->reads[i], node->reads[i] == node->whole));
    }
    for (int64_t i = 0; i < node->nparts; i++) {
        SG_TRY(moves(p, n, node, &node->parts[i]));
        /* A part that has been written must not be overwritten by the parts that follow. */
        SG_TRY(joins || is_made(p, n, node->parts[i].tensor));
    }
    return !joins || is_made(p, n, node->whole);
}

/* --- places ----------------------------------------------------------------------------------- */

static bool check_places(prover *p)
{
    const sg_placement *graph = p->graph;
    int64_t *owners = SG_NEW_ARRAY(p->arena, int64_t, graph->nbuffers);
    for (int64_t i = 0; i < graph->ntensors; i++) {
        const sg_place_tensor *t = &graph->tensors[i];
        if (!has_place(t)) {
            continue;
        }
        if (t->buffer < 0 || t->buffer >= graph->nbuffers || t->rank > MAX_DIMS) {
            return fails(p, sg_arena_printf(p->arena, "tensor '%s' has no place", t->name));
        }
        const sg_place_buffer *buffer = &graph->buffers[t->buffer];
        const box all = box_of(t, -1, 0, 0);
        for (int k = 0; k < all.n; k++) {
            if (all.steps[k] <= 0) {
                return fails(p, sg_arena_printf(p->arena, "tensor '%s' has a stride of %" PRId64,
                                                t->name, all.steps[k]));
            }
        }
        for (int k = 0; k < all.n; k++) {
            box row = all;
            row.n = k;
            if (all.steps[k] < end_of(&row) - row.at) {
                return fails(
                    p, sg_arena_printf(p->arena, "tensor '%s' has rows that overlap", t->name));
            }
        }
        if ((all.run > 0 || t->bits.count == 0) &&
            (t->offset < 0 || end_of(&all) > buffer->bytes)) {
            return fails(
                p, sg_arena_printf(p->arena, "tensor '%s' is not within its buffer", t->name));
        }
        for (int64_t d = 0; t->element > 0 && d < t->rank; d++) {
            if (t->strides[d] % t->element != 0) {
                return fails(p, sg_arena_printf(p->arena, "rows of '%s' are not aligned", t->name));
            }
        }
        if (t->element > 0 &&
            ((t->offset + buffer->offset) % t->element != 0 ||
             (buffer->kind == SG_PLACE_INNER && graph->alignment % t->element != 0))) {
            return fails(p, sg_arena_printf(p->arena, "'%s' is not aligned", t->name));
        }
        if (t->kind == SG_PLACE_INNER) {
            continue;
        }
        owners[t->buffer]++;
        const sg_place_kind kind = t->capacity > 0 ? SG_PLACE_CACHE : t->kind;
        if (kind != buffer->kind || !has_own_rows(t, buffer)) {
            return fails(p, sg_arena_printf(p->arena, "'%s' is not the caller's buffer", t->name));
        }
    }
    for (int64_t b = 0; b < graph->nbuffers; b++) {
        const sg_place_kind kind = graph->buffers[b].kind;
        if (owners[b] != (kind == SG_PLACE_INNER ? 0 : kind == SG_PLACE_CACHE ? 2 : 1)) {
            return fails(p, sg_arena_printf(p->arena, "buffer %" PRId64 " has %" PRId64 " owners",
                                            b, owners[b]));
        }
    }
    return true;
}

static int by_first(const void *a, const void *b)
{
    const sg_place_buffer *x = *(const sg_place_buffer *const *)a;
    const sg_place_buffer *y = *(const sg_place_buffer *const *)b;
    return x->first != y->first ? (x->first > y->first) - (x->first < y->first) : (x > y) - (x < y);
}

static bool check_arena(prover *p)
{
    const sg_placement *graph = p->graph;
    const sg_place_buffer **order =
        SG_NEW_ARRAY(p->arena, const sg_place_buffer *, graph->nbuffers);
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
    if (graph->alignment % p->options->alignment != 0) {
        return fails(p, "the arena is not aligned like its buffers");
    }
    int64_t nlive = 0; /* the first nlive elements of `order` are live buffers */
    for (int64_t i = 0; i < count; i++) {
        const sg_place_buffer *buffer = order[i];
        int64_t end = 0;
        int64_t kept = 0;
        if (buffer->offset < 0 || buffer->offset % p->options->alignment != 0 ||
            !sg_add64(buffer->offset, buffer->bytes, &end) || end > graph->arena) {
            return fails(p, sg_arena_printf(p->arena, "buffer %" PRId64 " is not in the arena",
                                            (int64_t)(buffer - graph->buffers)));
        }
        for (int64_t k = 0; k < nlive; k++) {
            const sg_place_buffer *other = order[k];
            if (other->last < buffer->first) {
                continue;
            }
            order[kept++] = other;
            if (other->offset < end && buffer->offset < other->offset + other->bytes) {
                return fails(p, sg_arena_printf(p->arena,
                                                "buffers %" PRId64 " and %" PRId64
                                                " have bytes in common while both are needed",
                                                (int64_t)(other - graph->buffers),
                                                (int64_t)(buffer - graph->buffers)));
            }
        }
        order[kept++] = buffer;
        nlive = kept;
    }
    return true;
}

static const char *prove(sg_arena *arena, const sg_placement *graph,
                         const sg_place_options *options, int numbers)
{
    prover p = {.arena = arena,
                .graph = graph,
                .options = options,
                .numbers = numbers,
                .written = SG_NEW_ARRAY(arena, bool, graph->ntensors),
                .held = SG_NEW_ARRAY(arena, int64_t *, graph->nbuffers),
                .nheld = SG_NEW_ARRAY(arena, int64_t, graph->nbuffers),
                .capacity = SG_NEW_ARRAY(arena, int64_t, graph->nbuffers)};
    if (!check_places(&p) || (numbers == SG_PLACE_EXPECTED && !check_arena(&p))) {
        return p.wrong;
    }
    for (int64_t t = 0; t < graph->ntensors; t++) {
        p.written[t] =
            graph->tensors[t].kind == SG_PLACE_INPUT || graph->tensors[t].kind == SG_PLACE_CONSTANT;
        if (graph->tensors[t].kind == SG_PLACE_INPUT && graph->tensors[t].capacity > 0) {
            hold(&p, t); /* its buffer is written behind it */
        }
    }
    for (int64_t n = 0; n < graph->nnodes; n++) {
        if (!runs(&p, n)) {
            return p.wrong;
        }
    }
    for (int64_t t = 0; t < graph->ntensors; t++) {
        const sg_place_tensor *tensor = &graph->tensors[t];
        if (tensor->kind == SG_PLACE_OUTPUT && !p.written[t]) {
            return sg_arena_printf(arena, "output '%s' is never written", tensor->name);
        }
    }
    return NULL;
}

/* --- open dimensions -------------------------------------------------------------------------- */

static bool counted(const sg_placement *graph, const sg_sum *sum, int numbers, int64_t *value)
{
    return sg_place_value(sum, graph->open, graph->nopen, numbers, value);
}

static bool count_tensor(sg_arena *arena, const sg_placement *graph, int numbers,
                         sg_place_tensor *t)
{
    int64_t *dims = SG_NEW_ARRAY(arena, int64_t, t->rank);
    int64_t bits = 0;
    SG_TRY(counted(graph, &t->bits, numbers, &bits) &&
           counted(graph, &t->from, numbers, &t->offset));
    t->strides = SG_NEW_ARRAY(arena, int64_t, t->rank);
    t->bytes = (bits + 7) / 8;
    t->dims = dims;
    for (int64_t d = 0; d < t->rank; d++) {
        SG_TRY(counted(graph, &t->sizes[d], numbers, &dims[d]) &&
               counted(graph, &t->steps[d], numbers, &t->strides[d]));
    }
    return true;
}

/* Computes the graph from its sums for one set of numbers. Returns false if a value overflows. */
static bool count_sums(sg_arena *arena, const sg_placement *graph, int numbers, sg_placement *to)
{
    *to = *graph;
    to->tensors = SG_NEW_ARRAY(arena, sg_place_tensor, graph->ntensors);
    to->buffers = SG_NEW_ARRAY(arena, sg_place_buffer, graph->nbuffers);
    for (int64_t i = 0; i < graph->ntensors; i++) {
        to->tensors[i] = graph->tensors[i];
        SG_TRY(graph->tensors[i].buffer < 0 || graph->tensors[i].sizes == NULL ||
               count_tensor(arena, graph, numbers, &to->tensors[i]));
    }
    for (int64_t i = 0; i < graph->nbuffers; i++) {
        int64_t bits = 0;
        to->buffers[i] = graph->buffers[i];
        SG_TRY(counted(graph, &graph->buffers[i].bits, numbers, &bits));
        to->buffers[i].bytes =
            graph->buffers[i].bits.count > 0 ? (bits + 7) / 8 : to->buffers[i].bytes;
    }
    return true;
}

static bool same_place(const sg_place_tensor *a, const sg_place_tensor *b)
{
    bool same = a->offset == b->offset && a->bytes == b->bytes;
    for (int64_t d = 0; same && d < a->rank; d++) {
        same = a->dims[d] == b->dims[d] && a->strides[d] == b->strides[d];
    }
    return same;
}

/* Checks that the sums for the expected numbers equal the plan. */
static const char *check_expected(sg_arena *arena, const sg_placement *graph,
                                  const sg_placement *sums)
{
    for (int64_t i = 0; i < graph->ntensors; i++) {
        const sg_place_tensor *t = &graph->tensors[i];
        if (t->buffer >= 0 && !same_place(t, &sums->tensors[i])) {
            return sg_arena_printf(arena, "the place of tensor '%s' is not that of its sums",
                                   t->name);
        }
    }
    for (int64_t i = 0; i < graph->nbuffers; i++) {
        if (graph->buffers[i].bytes != sums->buffers[i].bytes) {
            return sg_arena_printf(arena, "buffer %" PRId64 " has not the bytes of its sum", i);
        }
    }
    return NULL;
}

const char *sg_place_prove(sg_arena *arena, const sg_placement *graph,
                           const sg_place_options *options)
{
    static const int all[] = {SG_PLACE_EXPECTED, SG_PLACE_PROVED, SG_PLACE_PROVED + 1};
    const char *wrong = prove(arena, graph, options, SG_PLACE_EXPECTED);
    for (size_t i = 0; wrong == NULL && graph->nopen > 0 && i < sizeof all / sizeof all[0]; i++) {
        sg_placement sums;
        wrong = !count_sums(arena, graph, all[i], &sums) ? "a sum of open dimensions does not fit"
                : all[i] == SG_PLACE_EXPECTED            ? check_expected(arena, graph, &sums)
                                                         : prove(arena, &sums, options, all[i]);
    }
    return wrong;
}
