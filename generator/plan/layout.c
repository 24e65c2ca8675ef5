/* The split as a matrix of rows, each divided into columns. Makes no decisions about code. */
#include "plan/layout.h"

#include "base/checked.h"
#include "plan/caches.h"
#include "plan/plan.h"

static int64_t wanted_parts(const sg_split *split)
{
    int64_t n = 0;
    for (int64_t i = 0; i < split->nparts; ++i) {
        n += split->parts[i].wanted ? 1 : 0;
    }
    return n;
}

static int64_t *output_dims(sg_arena *arena, const sg_split *split, const sg_part *part)
{
    int64_t *dims = SG_NEW_ARRAY(arena, int64_t, split->rank);
    for (int d = 0; d < sg_part_rank(split, part); ++d) {
        const int of = sg_part_dim(split, part, d);
        dims[d] = of == split->axis ? part->length : split->dims[of];
    }
    return dims;
}

void sg_layout_outputs(sg_arena *arena, sg_plan *plan)
{
    const sg_split *split = plan->split;
    plan->noutputs = wanted_parts(split);
    plan->outputs = SG_NEW_ARRAY(arena, sg_output, plan->noutputs);
    int64_t nparams = 0;
    sg_output *output = plan->outputs;
    for (int64_t i = 0; i < split->nparts; ++i) {
        const sg_part *part = &split->parts[i];
        if (part->wanted) {
            output->part = part;
            output->dims = output_dims(arena, split, part);
            output->column = -1;
            nparams += part->view_only || part->data != NULL ? 0 : 1; /* see params.c */
            ++output;
        }
    }
    plan->array_params = nparams > SG_PLAN_MAX_PARAMS;
}

/* Padding after the groups of a tensor's rows, innermost first; NULL: none. */
static int64_t *gaps_of(sg_arena *arena, const sg_plan *plan, const int64_t *strides)
{
    if (strides == NULL) {
        return NULL;
    }
    const sg_split *split = plan->split;
    int64_t *gaps = SG_NEW_ARRAY(arena, int64_t, split->axis);
    int64_t rows = split->dims[split->axis - 1];
    for (int d = split->axis - 2; d >= 0; --d) {
        for (int64_t g = 0; g < plan->map.ngroups; ++g) {
            const bool ends = plan->map.groups[g].rows == rows;
            gaps[g] += ends ? sg_split_gap(split, strides, d) * plan->map.element : 0;
        }
        rows *= split->dims[d];
    }
    return gaps;
}

/* If any tensor has padding between two indices of a dimension, the rows of an index are a group.
 * */
static void build_groups(sg_arena *arena, sg_plan *plan)
{
    const sg_split *split = plan->split;
    sg_map *map = &plan->map;
    map->groups = SG_NEW_ARRAY(arena, sg_map_group, split->axis);
    int64_t rows = split->dims[split->axis - 1];
    for (int d = split->axis - 2; d >= 0; --d) {
        bool apart = sg_split_gap(split, split->strides, d) != 0;
        for (int64_t i = 0; i < split->nparts; ++i) {
            apart = apart || sg_split_gap(split, split->parts[i].strides, d) != 0;
        }
        if (apart) {
            map->groups[map->ngroups++] = (sg_map_group){
                .rows = rows, .gap = sg_split_gap(split, split->strides, d) * map->element};
        }
        rows *= split->dims[d];
    }
}

void sg_layout_build(sg_arena *arena, sg_plan *plan, int unit_bits)
{
    const sg_split *split = plan->split;
    sg_map *map = &plan->map;

    /* No product here can overflow: each divides or equals the full size, or belongs to an empty
     * tensor, where nothing is multiplied. */
    const bool empty = split->bytes == 0;
    map->joins = split->joins;
    map->unit_bits = unit_bits;
    map->scales = split->inner.open;
    map->element = unit_bits == 1 ? split->element_bits : split->element_bytes;
    const int64_t step = empty ? 0 : split->inner.factor * map->element;
    map->rows = empty ? 0 : split->outer.factor * split->items;
    map->row_stride = empty ? 0 : split->row_stride * map->element;
    map->gap = empty ? 0 : map->row_stride - split->dims[split->axis] * step;

    if (!empty && sg_split_has_pitch(split)) {
        build_groups(arena, plan);
    }

    sg_layout_outputs(arena, plan);
    map->parts = SG_NEW_ARRAY(arena, sg_map_part, plan->noutputs);
    for (int64_t o = 0; o < plan->noutputs; ++o) {
        const sg_part *part = plan->outputs[o].part;
        if (part->bytes > 0 && !part->view_only) {
            plan->outputs[o].column = map->nparts;
            map->parts[map->nparts++] = (sg_map_part){.offset = part->start * step,
                                                      .width = part->length * step,
                                                      .row_stride = part->row_stride * map->element,
                                                      .gaps = gaps_of(arena, plan, part->strides),
                                                      .tensor = o};
        }
    }
}

/* An element type of the right size; its values do not matter. */
static sg_dtype type_of(const sg_map *map)
{
    return map->unit_bits == 1 ? SG_DTYPE_U4
           : map->element == 1 ? SG_DTYPE_U8
           : map->element == 2 ? SG_DTYPE_U16
           : map->element == 4 ? SG_DTYPE_U32
                               : SG_DTYPE_U64;
}

void sg_layout_from_map(sg_arena *arena, sg_plan *plan, const sg_map *map)
{
    sg_split *split = SG_NEW(arena, sg_split);
    sg_part *parts = SG_NEW_ARRAY(arena, sg_part, map->nparts);
    const bool bits = map->unit_bits == 1;
    *split = (sg_split){.op = SG_NEW(arena, sg_op),
                        .name = "map",
                        .dtype = type_of(map),
                        .element_bytes = bits ? 1 : map->element,
                        .element_bits = map->element * map->unit_bits,
                        .packing = bits ? SG_PACKING_LSB : SG_PACKING_NONE,
                        .outer = {.factor = map->rows},
                        .inner = {.factor = 1},
                        .bytes = sg_ceil_div64(map->rows * map->row_stride * map->unit_bits, 8),
                        .items = 1,
                        .behind = 1,
                        .nparts = map->nparts,
                        .parts = parts};
    plan->split = split;
    plan->map = *map;
    plan->map.parts = SG_NEW_ARRAY(arena, sg_map_part, map->nparts);
    plan->noutputs = map->nparts;
    plan->outputs = SG_NEW_ARRAY(arena, sg_output, map->nparts);
    plan->array_params = map->nparts > SG_PLAN_MAX_PARAMS;
    for (int64_t p = 0; p < map->nparts; ++p) {
        plan->map.parts[p] = map->parts[p];
        plan->map.parts[p].tensor = p;
        parts[p] =
            (sg_part){.wanted = true,
                      .bytes = sg_ceil_div64(map->rows * map->parts[p].width * map->unit_bits, 8)};
        plan->outputs[p] = (sg_output){.part = &parts[p], .column = p, .view = SG_VIEW_COPY};
    }
}

bool sg_map_same(const sg_map *a, const sg_map *b)
{
    if (a->joins != b->joins || a->unit_bits != b->unit_bits || a->element != b->element ||
        a->scales != b->scales || a->rows != b->rows || a->row_stride != b->row_stride ||
        a->gap != b->gap || a->ngroups != b->ngroups || a->nparts != b->nparts) {
        return false;
    }
    for (int64_t g = 0; g < a->ngroups; ++g) {
        if (a->groups[g].rows != b->groups[g].rows || a->groups[g].gap != b->groups[g].gap) {
            return false;
        }
    }
    for (int64_t p = 0; p < a->nparts; ++p) { /* tensor is not compared */
        if (a->parts[p].offset != b->parts[p].offset || a->parts[p].width != b->parts[p].width ||
            a->parts[p].row_stride != b->parts[p].row_stride) {
            return false;
        }
        for (int64_t g = 0; g < a->ngroups; ++g) {
            if (sg_map_gap(a, p, g) != sg_map_gap(b, p, g)) {
                return false;
            }
        }
    }
    return true;
}

int64_t sg_map_stride(const sg_map *map, int64_t part)
{
    return part == SG_WHOLE ? map->row_stride : map->parts[part].row_stride;
}

int64_t sg_map_written_stride(const sg_map *map)
{
    return map->nparts == 0 ? 0 : sg_map_stride(map, map->joins ? SG_WHOLE : 0);
}

int64_t sg_map_gap(const sg_map *map, int64_t part, int64_t group)
{
    if (part == SG_WHOLE) {
        return map->groups[group].gap;
    }
    return map->parts[part].gaps != NULL ? map->parts[part].gaps[group] : 0;
}

int64_t sg_map_group_step(const sg_map *map, int64_t part, int64_t group)
{
    int64_t step = map->groups[group].rows * sg_map_stride(map, part);
    for (int64_t g = 0; g <= group; ++g) {
        step += map->groups[group].rows / map->groups[g].rows * sg_map_gap(map, part, g);
    }
    return step;
}

bool sg_map_is_dense(const sg_map_part *part)
{
    return part->row_stride == part->width;
}

bool sg_map_all_dense(const sg_map *map)
{
    bool dense = true;
    int64_t covered = 0;
    for (int64_t p = 0; p < map->nparts; ++p) {
        dense = dense && sg_map_is_dense(&map->parts[p]);
        covered += map->parts[p].width;
    }
    return dense && (!map->joins || covered == map->row_stride);
}

bool sg_map_rows_have_gaps(const sg_map *map)
{
    bool gaps = map->gap > 0;
    for (int64_t p = 0; p < map->nparts; ++p) {
        gaps = gaps || !sg_map_is_dense(&map->parts[p]);
    }
    return gaps;
}

bool sg_map_has_gaps(const sg_map *map)
{
    return map->ngroups > 0 || sg_map_rows_have_gaps(map);
}

bool sg_map_reads_gaps(const sg_map *map)
{
    return !map->joins && map->unit_bits == 8 && map->gap > 0 && map->row_stride <= SG_NEAR_BYTES;
}

int64_t sg_map_part_at(const sg_map *map, int64_t unit)
{
    int64_t low = 0;
    int64_t high = map->nparts;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (map->parts[middle].offset + map->parts[middle].width > unit) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

bool sg_output_is_free(const sg_output *output)
{
    const sg_part *part = output->part;
    return part->bytes > 0 &&
           (part->view_only || (output->view == SG_VIEW_CONTIGUOUS && part->copied == NULL));
}

const char *sg_no_copy_text(const sg_plan *plan, const sg_output *output)
{
    if (!output->part->view_only) {
        return "nothing to copy";
    }
    return plan->split->joins ? "none, it is written as a view" : "none, it is read as a view";
}

bool sg_plan_has_code(const sg_plan *plan)
{
    bool has = false;
    for (int64_t o = 0; o < plan->noutputs; ++o) {
        has = has || !plan->outputs[o].part->view_only;
    }
    return has;
}

int64_t sg_plan_bytes(const sg_plan *plan)
{
    return plan->bits != NULL
               ? sg_split_bytes(plan->split, plan->split->elements) * plan->split->items
               : plan->map.rows * plan->map.row_stride * plan->split->behind;
}

bool sg_plan_goes_in_order(const sg_plan *plan)
{
    return sg_plan_bytes(plan) >= SG_IN_ORDER_BYTES;
}

bool sg_plan_is_one_run(const sg_plan *plan)
{
    const sg_map *map = &plan->map;
    return map->nparts == 1 && map->parts[0].width == map->row_stride &&
           sg_map_is_dense(&map->parts[0]);
}

bool sg_plan_takes_any(const sg_plan *plan)
{
    return plan->split->nopen > 0 || plan->map.ngroups > 0;
}

bool sg_plan_goes_by_rows(const sg_plan *plan)
{
    return plan->bits == NULL && (plan->nbodies > 0 || plan->kind == SG_PLAN_ROWS);
}

bool sg_plan_has_blocks(const sg_plan *plan)
{
    return plan->block_rows > 1 || plan->block_bytes > 0;
}

/* Bytes of a group of rows from which on a call for each costs nothing that can be measured
 * (MEASURED.md, Groups of rows). */
#define GROUP_CALL_BYTES 4096

bool sg_plan_takes_groups(const sg_plan *plan)
{
    const sg_map *map = &plan->map;
    return map->ngroups > 0 && plan->nbodies > 0 && !plan->array_params &&
           map->groups[0].rows < GROUP_CALL_BYTES / map->row_stride;
}
