/* The split as a matrix of rows x row bytes cut into columns. Decides nothing about code. */
#include "plan/layout.h"

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
    for (int d = 0; d < split->rank; ++d) {
        dims[d] = d == split->axis ? part->length : split->dims[d];
    }
    return dims;
}

void sg_layout_outputs(sg_arena *arena, sg_plan *plan)
{
    const sg_split *split = plan->split;
    plan->noutputs = wanted_parts(split);
    plan->outputs = SG_NEW_ARRAY(arena, sg_output, plan->noutputs);
    plan->array_params = plan->noutputs > SG_PLAN_MAX_PARAMS;
    sg_output *output = plan->outputs;
    for (int64_t i = 0; i < split->nparts; ++i) {
        const sg_part *part = &split->parts[i];
        if (part->wanted) {
            output->part = part;
            output->dims = output_dims(arena, split, part);
            output->column = -1;
            ++output;
        }
    }
}

void sg_layout_build(sg_arena *arena, sg_plan *plan, int unit_bits)
{
    const sg_split *split = plan->split;
    sg_map *map = &plan->map;

    /* No product here can overflow: each divides or equals what all items are, or belongs to an
     * empty tensor, where nothing is multiplied. */
    const bool empty = split->bytes == 0;
    map->unit_bits = unit_bits;
    map->element = unit_bits == 1 ? split->element_bits : split->element_bytes;
    const int64_t step = empty ? 0 : split->inner * map->element;
    map->rows = empty ? 0 : split->outer * split->items;
    map->row_stride = empty ? 0 : split->dims[split->axis] * step;

    sg_layout_outputs(arena, plan);
    map->parts = SG_NEW_ARRAY(arena, sg_map_part, plan->noutputs);
    for (int64_t o = 0; o < plan->noutputs; ++o) {
        const sg_part *part = plan->outputs[o].part;
        if (part->bytes > 0) {
            plan->outputs[o].column = map->nparts;
            map->parts[map->nparts++] = (sg_map_part){.offset = part->start * step,
                                                      .width = part->length * step,
                                                      .row_stride = part->length * step,
                                                      .tensor = o};
        }
    }
}

bool sg_map_same(const sg_map *a, const sg_map *b)
{
    if (a->joins != b->joins || a->unit_bits != b->unit_bits || a->element != b->element ||
        a->rows != b->rows || a->row_stride != b->row_stride || a->nparts != b->nparts) {
        return false;
    }
    for (int64_t p = 0; p < a->nparts; ++p) { /* which outputs they are is not looked at */
        if (a->parts[p].offset != b->parts[p].offset || a->parts[p].width != b->parts[p].width ||
            a->parts[p].row_stride != b->parts[p].row_stride) {
            return false;
        }
    }
    return true;
}

bool sg_map_is_dense(const sg_map_part *part)
{
    return part->row_stride == part->width;
}

bool sg_map_all_dense(const sg_map *map)
{
    bool dense = true;
    for (int64_t p = 0; p < map->nparts; ++p) {
        dense = dense && sg_map_is_dense(&map->parts[p]);
    }
    return dense;
}

int64_t sg_plan_bytes(const sg_plan *plan)
{
    return plan->bits != NULL ? plan->split->bytes * plan->split->items
                              : plan->map.rows * plan->map.row_stride;
}

bool sg_plan_is_one_run(const sg_plan *plan)
{
    return plan->map.nparts == 1 && plan->map.parts[0].width == plan->map.row_stride;
}
