/* Wide columns by whole vectors. Narrow neighbours in the same row are moved as in the portable
 * program. */
#include "plan/wide.h"

#include "base/checked.h"
#include "plan/budget.h"
#include "plan/steps.h"

/* Instructions of one row; *wide is set when a column is at least a vector. */
static int64_t row_insns(const sg_plan *plan, const sg_isa_info *isa, bool *wide)
{
    int64_t n = 0;
    for (int64_t c = 0; c < plan->layout.ncolumns; ++c) {
        const int64_t width = plan->layout.columns[c].width;
        *wide = *wide || width >= isa->unit;
        n += width >= isa->unit ? 1 : sg_program_run_work(plan, width).insns;
    }
    return n;
}

bool sg_wide_build(sg_arena *arena, const sg_plan *plan, const sg_isa_info *isa,
                   sg_variant *variant)
{
    const sg_layout *layout = &plan->layout;
    bool wide = false;
    const int64_t insns = row_insns(plan, isa, &wide);
    if (!wide || isa->unit < SG_WIDE_UNIT_MIN || insns > SG_BLOCK_INSNS) {
        return false;
    }
    sg_segment *body = &variant->body;
    body->insns = SG_NEW_ARRAY(arena, sg_insn, insns);
    variant->streams = true;
    for (int64_t c = 0; c < layout->ncolumns; ++c) {
        const sg_column *column = &layout->columns[c];
        variant->streams = variant->streams && column->width % isa->unit == 0;
        if (column->width >= isa->unit) {
            body->insns[body->ninsns++] =
                (sg_insn){.op = column->width < SG_LINES_MAX ? SG_INSN_LINES : SG_INSN_CALL,
                          .column = c,
                          .src = column->offset,
                          .bytes = column->width,
                          .reg = -1,
                          .a = -1,
                          .b = -1,
                          .constant = -1};
        } else {
            sg_program_append(plan, body, c, 0, column->offset, column->width);
        }
    }
    variant->isa = isa;
    variant->lane_bytes = isa->unit;
    variant->lanes = 1;
    variant->window_rows = 1;
    body->rows_per_trip = 1;
    body->trips = layout->rows;
    return true;
}
