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

/* One row of one column. */
static void append_run(const sg_plan *plan, const sg_isa_info *isa, sg_segment *body, int64_t c,
                       int64_t row)
{
    const sg_column *column = &plan->layout.columns[c];
    const int64_t dst = row * column->width;
    const int64_t src = row * plan->layout.row_bytes + column->offset;
    if (column->width < isa->unit) {
        sg_program_append(plan, body, c, dst, src, column->width);
        return;
    }
    body->insns[body->ninsns++] =
        (sg_insn){.op = column->width < SG_LINES_MAX ? SG_INSN_LINES : SG_INSN_CALL,
                  .column = c,
                  .dst = dst,
                  .src = src,
                  .bytes = column->width,
                  .reg = -1,
                  .a = -1,
                  .b = -1,
                  .constant = -1};
}

/* Many outputs are written a group at a time, over as many rows as one function has room for. */
static int64_t rows_per_trip(const sg_plan *plan, int64_t insns)
{
    const int64_t fits = SG_BLOCK_INSNS / insns;
    if (plan->layout.ncolumns <= SG_STREAMS_MAX) {
        return 1;
    }
    return fits < plan->layout.rows ? fits : plan->layout.rows;
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
    *variant = (sg_variant){.isa = isa, .lane_bytes = isa->unit, .lanes = 1, .streams = true};
    variant->bodies = SG_NEW(arena, sg_body);
    variant->slices = SG_NEW(arena, sg_slice);
    variant->nbodies = variant->nslices = 1;
    for (int64_t c = 0; c < layout->ncolumns; ++c) {
        variant->streams = variant->streams && layout->columns[c].width % isa->unit == 0;
    }
    sg_segment body = {.rows_per_trip = rows_per_trip(plan, insns)};
    variant->window_rows = variant->rows_per_trip = variant->block_rows = body.rows_per_trip;
    body.insns = SG_NEW_ARRAY(arena, sg_insn, insns * body.rows_per_trip);
    for (int64_t first = 0; first < layout->ncolumns; first += SG_STREAMS_MAX) {
        for (int64_t row = 0; row < body.rows_per_trip; ++row) {
            for (int64_t c = first; c < layout->ncolumns && c < first + SG_STREAMS_MAX; ++c) {
                append_run(plan, isa, &body, c, row);
            }
        }
    }
    variant->bodies[0] = (sg_body){.ninsns = body.ninsns, .insns = body.insns};
    return true;
}
