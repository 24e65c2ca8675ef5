/* Reads which part of its first input a node takes. */
#include "shapes/cuts.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "base/checked.h"
#include "shapes/operators.h"

#define DATA_INPUT 0

static sg_fact_entry integer(int64_t value)
{
    return (sg_fact_entry){.kind = SG_FACT_INT, .as.integer = value};
}

/* Reads an axis or index and counts it from 0. False if it is unknown or out of range. */
static bool read_axis(sg_fact_entry entry, int64_t rank, int64_t *axis)
{
    if (entry.kind != SG_FACT_INT || entry.as.integer < -rank || entry.as.integer >= rank) {
        return false;
    }
    *axis = entry.as.integer < 0 ? entry.as.integer + rank : entry.as.integer;
    return true;
}

static int64_t clamped(int64_t bound, int64_t length)
{
    bound += bound < 0 ? length : 0;
    return bound < 0 ? 0 : bound > length ? length : bound;
}

/* Whether the bounds take a whole dim whatever its length. Exporters write INT32_MAX and more for
 * "to the end". */
static bool takes_all(sg_fact_entry dim, sg_fact_entry start, sg_fact_entry stop)
{
    return start.kind == SG_FACT_INT && start.as.integer == 0 &&
           ((stop.kind == SG_FACT_INT && stop.as.integer >= INT32_MAX) || sg_fact_same(stop, dim));
}

/* Reads the bounds on one axis, with step 1. *all: they take the whole axis. Returns false if they
 * are unknown. For a dim of known length, bounds are compared with the length, since it may be
 * larger than INT32_MAX. */
static bool read_bounds(sg_fact_entry dim, sg_fact_entry start, sg_fact_entry stop, sg_cut *c,
                        bool *all)
{
    if (dim.kind != SG_FACT_INT) {
        *all = takes_all(dim, start, stop);
        return *all;
    }
    if (start.kind != SG_FACT_INT || stop.kind != SG_FACT_INT) {
        return false;
    }
    const int64_t end = clamped(stop.as.integer, dim.as.integer);
    c->start = clamped(start.as.integer, dim.as.integer);
    c->length = end > c->start ? end - c->start : 0;
    *all = c->length == dim.as.integer;
    return true;
}

/* The bounds of a node on several axes. */
typedef struct ranges {
    sg_operator_list starts, ends, axes, steps;
    bool *bare; /* for each axis: one index is taken, and the axis is removed; NULL: no axis is */
} ranges;

static bool are_listed(const sg_fact *data, const ranges *r)
{
    const int64_t count = r->starts.count;
    return r->starts.known && r->ends.known && r->ends.count == count && count <= data->rank &&
           (!r->axes.given || (r->axes.known && r->axes.count == count)) &&
           (!r->steps.given || (r->steps.known && r->steps.count == count));
}

/* Reads the axis of range i, which none before it may have. Returns NULL, or why the range is none
 * of an axis with step 1. */
static const char *axis_missing(const sg_fact *data, const ranges *r, int64_t i, bool *named,
                                int64_t *axis)
{
    const sg_fact_entry one = integer(1);
    *axis = i;
    if (r->steps.given && !sg_fact_same(r->steps.entries[i], one)) {
        return "its step is not 1";
    }
    if ((r->axes.given && !read_axis(r->axes.entries[i], data->rank, axis)) || named[*axis]) {
        return "its axes are not constant";
    }
    named[*axis] = true;
    return NULL;
}

/* A node may list axes that it takes as a whole. The axis that counts is the one that it cuts, or
 * else the only one. */
static bool cut_of_ranges(sg_arena *arena, const sg_fact *data, const ranges *r, sg_cut *c)
{
    const int64_t count = r->starts.count;
    c->why = "its starts, ends, axes and steps are not all constant";
    if (!are_listed(data, r)) {
        return false;
    }
    bool *named = SG_NEW_ARRAY(arena, bool, data->rank);
    int64_t ncuts = 0;
    for (int64_t i = 0; i < count; ++i) {
        sg_cut one = {.axis = i};
        bool all = false;
        c->why = axis_missing(data, r, i, named, &one.axis);
        if (c->why != NULL) {
            return false;
        }
        if (!read_bounds(data->dims[one.axis], r->starts.entries[i], r->ends.entries[i], &one,
                         &all)) {
            c->why = "its bounds, or the length of the axis, are not constant";
            return false;
        }
        one.without_axis = r->bare != NULL && r->bare[one.axis];
        *c = !all || one.without_axis || count == 1 ? one : *c;
        ncuts += all && !one.without_axis ? 0 : 1;
    }
    c->why = ncuts > 1    ? sg_arena_printf(arena, "it cuts %" PRId64 " axes", ncuts)
             : ncuts == 0 ? "it takes all of the tensor"
             : c->without_axis && c->length != 1 ? "its index is outside the axis"
                                                 : "the length of the axis is not known";
    return (ncuts == 1 || (ncuts == 0 && count == 1)) && (!c->without_axis || c->length == 1) &&
           data->dims[c->axis].kind == SG_FACT_INT;
}

static ranges ranges_of(sg_arena *arena, const sg_graph_node *node, const sg_fact *const *inputs)
{
    const sg_operator *op = sg_operator_of(node);
    return (ranges){.starts = sg_operator_read(arena, node, inputs, op->what),
                    .ends = sg_operator_read(arena, node, inputs, op->ends),
                    .axes = sg_operator_read(arena, node, inputs, op->axes),
                    .steps = sg_operator_read(arena, node, inputs, op->steps)};
}

/* Whether entry i of a mask of a StridedSlice is set. A mask may be shorter than the bounds. */
static bool in_mask(const sg_graph_node *node, const char *name, int64_t i)
{
    const sg_graph_attribute *mask = sg_graph_attribute_of(node, name);
    return mask != NULL &&
           (mask->kind == SG_GRAPH_ATTRIBUTE_INT || mask->kind == SG_GRAPH_ATTRIBUTE_INTS) &&
           i < mask->count && mask->ints[i] == 1;
}

/* The exclusive end of a range of one index, which may count from the end. */
static sg_fact_entry behind(sg_fact_entry index)
{
    if (index.kind != SG_FACT_INT) {
        return index;
    }
    return integer(index.as.integer == -1 ? INT64_MAX : index.as.integer + 1);
}

/* StridedSlice-1: bound i belongs to axis i; an ellipsis skips the axes that have no bounds. */
static const char *strided_missing(sg_arena *arena, const sg_graph_node *node,
                                   const sg_fact *const *inputs, ranges *r)
{
    const sg_fact *data = inputs[DATA_INPUT];
    const ranges given = ranges_of(arena, node, inputs);
    const sg_operator_list begins = given.starts, ends = given.ends, strides = given.steps;
    const int64_t count = begins.count;
    static const char missing[] = "its begin, end and strides are not all constant";
    if (!begins.known || !ends.known || ends.count != count ||
        (strides.given && (!strides.known || strides.count != count))) {
        return missing;
    }
    sg_fact_entry *columns[4]; /* starts, ends, axes, steps */
    for (int k = 0; k < 4; ++k) {
        columns[k] = SG_NEW_ARRAY(arena, sg_fact_entry, count);
    }
    *r = (ranges){.bare = SG_NEW_ARRAY(arena, bool, data->rank)};
    int64_t n = 0;
    int64_t axis = 0;
    for (int64_t i = 0; i < count; ++i) {
        if (in_mask(node, "ellipsis_mask", i)) {
            /* with a second ellipsis an axis occurs twice, which cut_of_ranges() rejects */
            axis = data->rank - (count - 1 - i);
            continue;
        }
        if (in_mask(node, "new_axis_mask", i)) {
            return "it adds an axis";
        }
        if (axis < 0 || axis >= data->rank) {
            return missing;
        }
        const bool bare = in_mask(node, "shrink_axis_mask", i);
        columns[0][n] = in_mask(node, "begin_mask", i) ? integer(0) : begins.entries[i];
        columns[1][n] = bare                           ? behind(columns[0][n])
                        : in_mask(node, "end_mask", i) ? integer(INT64_MAX)
                                                       : ends.entries[i];
        columns[2][n] = integer(axis);
        columns[3][n] = bare || !strides.given ? integer(1) : strides.entries[i];
        r->bare[axis++] = bare;
        ++n;
    }
    sg_operator_list *const lists[] = {&r->starts, &r->ends, &r->axes, &r->steps};
    for (int k = 0; k < 4; ++k) {
        *lists[k] = (sg_operator_list){true, true, columns[k], n};
    }
    return NULL;
}

/* One index along an axis. From Gather-8 on, OpenVINO counts negative indices from the end; before,
 * they are out of range. */
static bool cut_of_index(sg_arena *arena, const sg_graph_node *node, const sg_fact *const *inputs,
                         sg_cut *c)
{
    enum { COUNTS_FROM_END = 8 };
    const sg_operator *op = sg_operator_of(node);
    const sg_fact *data = inputs[DATA_INPUT];
    const sg_fact *index = node->ninputs > op->what.input ? inputs[op->what.input] : NULL;
    const sg_graph_attribute *batch = sg_graph_attribute_of(node, "batch_dims");
    int64_t place = 0;
    if (!op->onnx && batch != NULL && batch->kind == SG_GRAPH_ATTRIBUTE_INT &&
        batch->ints[0] != 0) {
        c->why = "it takes other indices in each batch";
        return false;
    }
    c->axis = sg_operator_axis(node, inputs, data->rank);
    c->why = index == NULL || !index->has_rank || !index->has_values ? "its index is not constant"
             : index->rank > 1 || index->count != 1
                 ? sg_arena_printf(arena, "it takes %" PRId64 " indices", index->count)
                 : "its index or axis, or the length of the axis, is not constant";
    if (index == NULL || !index->has_rank || index->rank > 1 || !index->has_values ||
        index->count != 1) {
        return false;
    }
    if (!op->onnx && index->values[0].kind == SG_FACT_INT && index->values[0].as.integer < 0 &&
        node->opset > 0 && node->opset < COUNTS_FROM_END) {
        c->why = "its index is negative, which it may be since opset 8";
        return false;
    }
    if (c->axis < 0 || data->dims[c->axis].kind != SG_FACT_INT ||
        !read_axis(index->values[0], data->dims[c->axis].as.integer, &place)) {
        return false;
    }
    c->start = place;
    c->length = 1;
    c->without_axis = index->rank == 0;
    return true;
}

bool sg_cut_range(sg_arena *arena, const sg_graph_node *node, const sg_fact *const *inputs,
                  sg_cut *c)
{
    const sg_operator_kind kind = sg_operator_of(node)->kind;
    ranges r = {0};
    if (kind == SG_OPERATOR_INDEX) {
        return cut_of_index(arena, node, inputs, c);
    }
    c->why = kind == SG_OPERATOR_STRIDED ? strided_missing(arena, node, inputs, &r) : NULL;
    r = kind == SG_OPERATOR_STRIDED ? r : ranges_of(arena, node, inputs);
    return c->why == NULL && cut_of_ranges(arena, inputs[DATA_INPUT], &r, c);
}

/* --- boxes ------------------------------------------------------------------------------------ */

/* Whether it is at least 0 for all numbers of open dims. */
static bool is_size(sg_arena *arena, const sg_sum *sum)
{
    return !sg_sum_factored(arena, sum).over;
}

static bool is_at_most(sg_arena *arena, const sg_sum *a, const sg_sum *b)
{
    const sg_sum rest = sg_sum_add(arena, b, a, -1);
    return is_size(arena, &rest);
}

static sg_sum sum_of(sg_arena *arena, sg_fact_entry entry)
{
    const sg_sum sum = entry.kind == SG_FACT_INT ? sg_sum_number(arena, entry.as.integer)
                                                 : sg_fact_sum(arena, entry);
    return sg_sum_expanded(arena, &sum);
}

/* A bound on an axis of length d, from 0 to d; over if it is not the same sum for all numbers. */
static sg_sum bound_of(sg_arena *arena, const sg_sum *d, sg_fact_entry bound)
{
    const sg_sum over = {.over = true};
    const sg_sum none = {0};
    sg_sum sum = sum_of(arena, bound);
    if (bound.kind == SG_FACT_INT && bound.as.integer >= INT32_MAX && !sg_sum_is_number(d)) {
        return *d;
    }
    if (bound.kind == SG_FACT_INT && bound.as.integer < 0) {
        sum = sg_sum_add(arena, d, &sum, 1);
        return is_size(arena, &sum) ? sum : sg_sum_is_number(d) ? none : over;
    }
    return is_at_most(arena, &sum, d) ? sum : is_at_most(arena, d, &sum) ? *d : over;
}

/* The first index, which lies on the axis if anything is taken. The last one is on every axis that
 * has an element. */
static sg_sum first_of(sg_arena *arena, const sg_sum *d, sg_fact_entry start)
{
    const sg_sum first = bound_of(arena, d, start);
    const sg_sum given = sum_of(arena, start);
    return !first.over || start.kind != SG_FACT_INT || start.as.integer < -1 ? first
           : start.as.integer < 0 ? sg_sum_add(arena, d, &given, 1)
                                  : given;
}

static bool box_of_ranges(sg_arena *arena, const sg_fact *data, const ranges *r, sg_cut_axis *box)
{
    bool *named = SG_NEW_ARRAY(arena, bool, data->rank);
    SG_TRY(are_listed(data, r));
    for (int64_t i = 0; i < r->starts.count; i++) {
        int64_t a = 0;
        SG_TRY(axis_missing(data, r, i, named, &a) == NULL);
        const sg_sum d = box[a].length;
        const sg_sum stop = bound_of(arena, &d, r->ends.entries[i]);
        box[a].start = first_of(arena, &d, r->starts.entries[i]);
        box[a].without = r->bare != NULL && r->bare[a];
        box[a].length =
            box[a].without ? sg_sum_number(arena, 1) : sg_sum_add(arena, &stop, &box[a].start, -1);
        if (is_at_most(arena, &stop, &box[a].start)) {
            box[a].length = sg_sum_number(arena, 0);
        }
        box[a].length.over = box[a].length.over || !is_size(arena, &box[a].length);
        SG_TRY(!box[a].start.over);
    }
    return true;
}

/* An index is on its axis in every run, so that the first and the last one of an open axis are
 * known. */
static bool box_of_index(sg_arena *arena, const sg_graph_node *node, const sg_fact *const *inputs,
                         sg_cut_axis *box)
{
    const sg_fact_entry *dims = inputs[DATA_INPUT]->dims;
    const int64_t axis = sg_operator_axis(node, inputs, inputs[DATA_INPUT]->rank);
    SG_TRY(axis >= 0);
    const bool open = dims[axis].kind != SG_FACT_INT;
    sg_fact data = *inputs[DATA_INPUT];
    data.dims = SG_NEW_ARRAY(arena, sg_fact_entry, data.rank);
    memcpy(data.dims, dims, (size_t)data.rank * sizeof *dims);
    data.dims[axis] = open ? integer(1) : dims[axis];
    const sg_fact **facts = SG_NEW_ARRAY(arena, const sg_fact *, node->ninputs);
    memcpy(facts, inputs, (size_t)node->ninputs * sizeof *facts);
    facts[DATA_INPUT] = &data;
    sg_cut c = {0};
    SG_TRY(cut_of_index(arena, node, facts, &c));
    const int64_t place = sg_operator_of(node)->what.input;
    const bool last = open && facts[place]->values[0].as.integer < 0;
    box[axis].start = last ? box[axis].length : sg_sum_number(arena, c.start);
    box[axis].length = sg_sum_number(arena, 1);
    box[axis].start = sg_sum_add(arena, &box[axis].start, &box[axis].length, last ? -1 : 0);
    box[axis].without = c.without_axis;
    return true;
}

/* A Pad that only takes away. */
static bool box_of_pads(sg_arena *arena, const sg_graph_node *node, const sg_fact *const *inputs,
                        sg_cut_axis *box)
{
    const bool onnx = sg_graph_is_onnx(node);
    const int64_t rank = inputs[DATA_INPUT]->rank;
    const sg_graph_attribute *mode = sg_graph_attribute_of(node, onnx ? "mode" : "pad_mode");
    const sg_operator_place places[] = {
        {sg_graph_attribute_of(node, "pads") ? "pads" : "paddings", 1}, {NULL, 2}, {NULL, 3}};
    const sg_operator_list pads = sg_operator_read(arena, node, inputs, places[0]);
    const sg_operator_list more = sg_operator_read(arena, node, inputs, places[1]);
    const sg_operator_list axes = sg_operator_read(arena, node, inputs, places[2]);
    const sg_operator_list *behind = onnx ? &pads : &more;
    const int64_t count = onnx ? pads.count / 2 : pads.count;
    bool *named = SG_NEW_ARRAY(arena, bool, rank);
    SG_TRY(pads.known && behind->known && behind->count - (onnx ? count : 0) == count &&
           (onnx && axes.given ? axes.known && axes.count == count : count == rank) &&
           (mode == NULL ||
            (mode->kind == SG_GRAPH_ATTRIBUTE_TEXT && strcmp(mode->texts[0], "constant") == 0)));
    for (int64_t i = 0; i < count; i++) {
        const sg_fact_entry before = pads.entries[i];
        const sg_fact_entry after = behind->entries[onnx ? count + i : i];
        int64_t a = i;
        SG_TRY((!onnx || !axes.given || read_axis(axes.entries[i], rank, &a)) && !named[a] &&
               before.kind == SG_FACT_INT && before.as.integer <= 0 && after.kind == SG_FACT_INT &&
               after.as.integer <= 0 && before.as.integer >= INT64_MIN / 4 &&
               after.as.integer >= INT64_MIN / 4);
        named[a] = true;
        const sg_sum less = sg_sum_number(arena, before.as.integer + after.as.integer);
        box[a].start = sg_sum_number(arena, -before.as.integer);
        box[a].length = sg_sum_add(arena, &box[a].length, &less, 1);
        box[a].length.over = box[a].length.over || !is_size(arena, &box[a].length);
    }
    return true;
}

sg_cut_axis *sg_cut_box(sg_arena *arena, const sg_graph_node *node, const sg_fact *const *inputs)
{
    const sg_operator_kind kind = sg_operator_of(node)->kind;
    const sg_fact *data = inputs[DATA_INPUT];
    sg_cut_axis *box = SG_NEW_ARRAY(arena, sg_cut_axis, data->rank);
    for (int64_t d = 0; d < data->rank; d++) {
        box[d].length = sum_of(arena, data->dims[d]);
    }
    ranges r = {0};
    if (kind == SG_OPERATOR_STRIDED && strided_missing(arena, node, inputs, &r) != NULL) {
        return NULL;
    }
    r = kind == SG_OPERATOR_STRIDED ? r : ranges_of(arena, node, inputs);
    const bool is = kind == SG_OPERATOR_INDEX   ? box_of_index(arena, node, inputs, box)
                    : kind == SG_OPERATOR_OTHER ? box_of_pads(arena, node, inputs, box)
                                                : box_of_ranges(arena, data, &r, box);
    return is ? box : NULL;
}

/* A Pad is in no table, because no kernel pads. */
static bool is_pad(const sg_graph_node *node)
{
    return sg_graph_is_onnx(node)       ? strcmp(node->op_type, "Pad") == 0
           : sg_graph_is_openvino(node) ? strcasecmp(node->op_type, "Pad") == 0
                                        : false;
}

bool sg_cut_always(const sg_graph_node *node)
{
    const sg_operator_kind kind = sg_operator_of(node)->kind;
    return kind == SG_OPERATOR_RANGES || kind == SG_OPERATOR_STRIDED;
}

bool sg_cut_takes(const sg_graph_node *node)
{
    const sg_operator_kind kind = sg_operator_of(node)->kind;
    return node->ninputs > 0 && node->inputs[DATA_INPUT][0] != '\0' &&
           (kind == SG_OPERATOR_RANGES || kind == SG_OPERATOR_STRIDED ||
            kind == SG_OPERATOR_INDEX || is_pad(node));
}
