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

void sg_layout_build(sg_arena *arena, sg_plan *plan)
{
    const sg_split *split = plan->split;
    sg_layout *layout = &plan->layout;

    /* No product here can overflow: each divides or equals the bytes of all items, or belongs to an
     * empty tensor, where nothing is multiplied. */
    const bool empty = split->bytes == 0;
    const int64_t step = empty ? 0 : split->inner * split->element_bytes;
    layout->element_bytes = split->element_bytes;
    layout->rows = empty ? 0 : split->outer * split->items;
    layout->row_bytes = empty ? 0 : split->dims[split->axis] * step;

    sg_layout_outputs(arena, plan);
    layout->columns = SG_NEW_ARRAY(arena, sg_column, plan->noutputs);
    for (int64_t o = 0; o < plan->noutputs; ++o) {
        const sg_part *part = plan->outputs[o].part;
        if (part->bytes > 0) {
            plan->outputs[o].column = layout->ncolumns;
            layout->columns[layout->ncolumns++] = (sg_column){
                .offset = part->start * step, .width = part->length * step, .output = o};
        }
    }
}

bool sg_layout_same(const sg_layout *a, const sg_layout *b)
{
    if (a->rows != b->rows || a->row_bytes != b->row_bytes ||
        a->element_bytes != b->element_bytes || a->ncolumns != b->ncolumns) {
        return false;
    }
    for (int64_t c = 0; c < a->ncolumns; ++c) { /* which outputs they are is not looked at */
        if (a->columns[c].offset != b->columns[c].offset ||
            a->columns[c].width != b->columns[c].width) {
            return false;
        }
    }
    return true;
}

int64_t sg_plan_bytes(const sg_plan *plan)
{
    return plan->bits != NULL ? plan->split->bytes * plan->split->items
                              : plan->layout.rows * plan->layout.row_bytes;
}

bool sg_plan_is_one_run(const sg_plan *plan)
{
    return plan->layout.ncolumns == 1 && plan->layout.columns[0].width == plan->layout.row_bytes;
}
