/* Checks that parts which are not copied are stored where their wholes have them, by the definition
 * of each operator. */
#include "placement/prove.h"
#include "shapes/operators.h"

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
    int64_t counts[2][SG_MAX_RANK];
    int64_t steps[2][SG_MAX_RANK];
    const int n = order_of(a, counts[0], steps[0]);
    const int m = order_of(b, counts[1], steps[1]);
    bool same = n == m && a->offset == b->offset && a->bytes == b->bytes;
    for (int i = 0; same && i < n; i++) {
        same = counts[0][i] == counts[1][i] && steps[0][i] == steps[1][i];
    }
    return same;
}

/* Value i of a list of a node's parameters. */
static bool entry_of(const sg_prover *p, const sg_operator_list *list, int64_t i, int64_t *value)
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

static bool takes_pads(const sg_prover *p, const sg_place_node *node, taken *all, int64_t rank)
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

/* What a node that is no kernel takes of the whole by the definition of its operator. */
static bool takes(const sg_prover *p, const sg_place_node *node, const sg_place_tensor *whole,
                  taken *all)
{
    const sg_graph_node *from = node->from;
    const sg_operator *op = sg_operator_of(from);
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

bool sg_prove_lies_in(const sg_prover *p, const sg_place_node *node, const sg_place_part *part,
                      int64_t start)
{
    const sg_place_tensor *whole = &p->graph->tensors[node->whole];
    const sg_place_tensor *own = &p->graph->tensors[part->tensor];
    if (own->buffer != whole->buffer || own->buffer < 0 || own->element != whole->element) {
        return false;
    }
    if (node->move == SG_PLACE_ALIAS) {
        return same_order(whole, own);
    }
    taken all[SG_MAX_RANK];
    for (int64_t d = 0; d < whole->rank; d++) {
        all[d] = node->facts == NULL && d == node->axis
                     ? (taken){start, part->length, part->without_axis}
                     : (taken){0, whole->dims[d], false};
    }
    SG_TRY(node->facts == NULL || takes(p, node, whole, all));
    int64_t offset = whole->offset;
    int64_t o = 0;
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
