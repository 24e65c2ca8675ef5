/* What each output is without copying anything: an offset into the input, with or without
 * strides. Whole-byte elements always have such a view. */
#include <inttypes.h>

#include "plan/steps.h"

static int64_t *dense_strides(sg_arena *arena, const int64_t *dims, int rank)
{
    int64_t *strides = SG_NEW_ARRAY(arena, int64_t, rank);
    int64_t step = 1;
    for (int d = rank - 1; d >= 0; --d) {
        strides[d] = step;
        step *= dims[d] > 0 ? dims[d] : 1;
    }
    return strides;
}

void sg_view_build(sg_arena *arena, sg_plan *plan)
{
    const sg_split *split = plan->split;
    const int64_t axis_length = split->dims[split->axis];
    /* An empty tensor has no byte to point at and no stride that matters; products of its other
     * dimensions might not even fit, so they are never formed. */
    const bool empty = split->bytes == 0;
    int64_t *zeros = SG_NEW_ARRAY(arena, int64_t, split->rank);
    int64_t *strides = empty ? zeros : dense_strides(arena, split->dims, split->rank);

    for (int64_t o = 0; o < plan->noutputs; ++o) {
        sg_output *output = &plan->outputs[o];
        const sg_part *part = output->part;
        output->strides = strides;
        output->view = SG_VIEW_CONTIGUOUS;
        if (part->bytes == 0) {
            output->byte_offset = 0;
            output->view_why = "it has no elements";
            continue;
        }
        output->byte_offset = part->start * split->inner * split->element_bytes;
        if (split->outer == 1) {
            output->view_why = split->axis == 0 ? "the axis is the outermost dimension"
                                                : "every dimension before the axis is 1";
        } else if (part->length == axis_length) {
            output->view_why = "the part is the whole axis";
        } else {
            const int64_t width = plan->layout.columns[output->column].width;
            output->view = SG_VIEW_STRIDED;
            output->view_why = sg_arena_printf(
                arena, "%" PRId64 " runs of %" PRId64 " byte%s, %" PRId64 " bytes apart",
                plan->layout.rows, width, width == 1 ? "" : "s", plan->layout.row_bytes);
        }
    }
}
