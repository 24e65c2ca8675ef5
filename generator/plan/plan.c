/* From a split to a proved plan: layout, views, strategy, programs, verification, statistics. */
#include "plan/plan.h"

#include <inttypes.h>

#include "base/checked.h"
#include "plan/budget.h"
#include "plan/steps.h"
#include "plan/verify.h"

static const char *plural(int64_t n)
{
    return n == 1 ? "" : "s";
}

/* Rows one trip of the loop takes under --unroll=auto: short rows are taken several at a time so
 * that the loop costs little beside the copies. */
static int64_t loop_rows(const sg_plan *plan, int64_t row_insns)
{
    const int64_t rows = SG_LOOP_BODY_INSNS / row_insns;
    if (rows < 1) {
        return 1;
    }
    return rows < plan->layout.rows ? rows : plan->layout.rows;
}

static bool over_cap(sg_diag *diag, const sg_split *split, int64_t insns, int64_t rows)
{
    sg_diag_fail(diag, SG_EXIT_BUDGET, split->op->span,
                 "'%s' needs %" PRId64 " copies in straight line, more than the cap of %" PRId64,
                 split->name, insns, SG_INSNS_HARD_CAP);
    if (rows > 1) {
        sg_diag_note(diag, sg_span_none(),
                     "--unroll=auto puts a loop of constant trip count around one row; "
                     "--unroll-budget=N moves the limit between the two");
    } else {
        sg_diag_note(diag, sg_span_none(),
                     "every output is its own copy: mark the outputs nobody reads as unwanted, or "
                     "cut the op in two along the axis");
    }
    return false;
}

/* Chooses straight-line code or a row loop and how many rows a trip takes. */
static bool choose(sg_arena *arena, sg_diag *diag, sg_plan *plan, const sg_plan_options *options,
                   int64_t *rows_per_trip)
{
    const int64_t rows = plan->layout.rows;
    const int64_t row_insns = sg_program_row_insns(plan);
    const int64_t budget = options->unroll_budget > 0 ? options->unroll_budget : SG_UNROLL_BUDGET;
    if (row_insns == 0) {
        plan->kind = SG_PLAN_EMPTY;
        plan->strategy = "empty";
        plan->why = "no output has a byte to copy";
        return true;
    }
    if (row_insns > SG_INSNS_HARD_CAP) {
        return over_cap(diag, plan->split, row_insns, 1);
    }

    int64_t total = 0;
    const bool fits64 = sg_mul64(rows, row_insns, &total);
    if (!fits64) {
        total = INT64_MAX;
    }
    const bool one_run =
        plan->layout.ncolumns == 1 && plan->layout.columns[0].width == plan->layout.row_bytes;
    if (one_run) {
        total = sg_program_pieces(plan, rows * plan->layout.row_bytes);
    }

    plan->kind = SG_PLAN_STRAIGHT;
    plan->strategy = "straight-line";
    *rows_per_trip = rows;
    if (one_run) {
        plan->why = "the output is the whole input";
        return true;
    }
    if (rows == 1) {
        plan->why = "one contiguous run per output";
        return true;
    }
    if (options->unroll == SG_UNROLL_FULL) {
        if (total > SG_INSNS_HARD_CAP) {
            return over_cap(diag, plan->split, total, rows);
        }
        plan->why = "unrolled in full as asked";
        return true;
    }
    if (options->unroll == SG_UNROLL_AUTO && total <= budget && total <= SG_INSNS_HARD_CAP) {
        plan->why = sg_arena_printf(arena, "%" PRId64 " cop%s fit%s the unroll budget of %" PRId64,
                                    total, total == 1 ? "y" : "ies", total == 1 ? "s" : "", budget);
        return true;
    }

    plan->kind = SG_PLAN_ROWS;
    plan->strategy = "row loop";
    *rows_per_trip = options->unroll == SG_UNROLL_NONE ? 1 : loop_rows(plan, row_insns);
    plan->why = options->unroll == SG_UNROLL_NONE
                    ? "not unrolled as asked"
                    : sg_arena_printf(arena,
                                      "%" PRId64 " copies exceed the unroll budget of %" PRId64
                                      ", so a loop takes %" PRId64 " row%s a trip",
                                      total, budget, *rows_per_trip, plural(*rows_per_trip));
    return true;
}

static const char *output_strategy(sg_arena *arena, const sg_plan *plan, const sg_output *output)
{
    if (output->column < 0) {
        return "nothing to copy";
    }
    const int64_t width = plan->layout.columns[output->column].width;
    const int64_t rows = plan->layout.rows;
    if (width == plan->layout.row_bytes || rows == 1) {
        return sg_arena_printf(arena, "one run of %" PRId64 " bytes", output->part->bytes);
    }
    return sg_arena_printf(arena, "%" PRId64 " runs of %" PRId64 " byte%s", rows, width,
                           plural(width));
}

static void measure(sg_plan *plan)
{
    const sg_layout *layout = &plan->layout;
    for (int64_t o = 0; o < plan->noutputs; ++o) {
        const sg_output *output = &plan->outputs[o];
        plan->bytes_moved += output->part->bytes;
        if (output->column < 0) {
            continue;
        }
        const int64_t width = layout->columns[output->column].width;
        const int64_t run = width == layout->row_bytes ? output->part->bytes : width;
        if (plan->shortest == 0 || run < plan->shortest) {
            plan->shortest = run;
        }
        if (run > plan->longest) {
            plan->longest = run;
        }
    }
    for (int64_t s = 0; s < plan->whole.nsegments; ++s) {
        const sg_segment *segment = &plan->whole.segments[s];
        plan->insns += segment->ninsns;
        plan->copies += segment->trips * segment->ninsns;
    }
}

sg_plan *sg_plan_build(sg_arena *arena, sg_diag *diag, const sg_split *split,
                       const sg_plan_options *options)
{
    sg_plan *plan = SG_NEW(arena, sg_plan);
    plan->split = split;
    sg_layout_build(arena, plan);
    sg_view_build(arena, plan);

    int64_t rows_per_trip = 0;
    if (!choose(arena, diag, plan, options, &rows_per_trip)) {
        return NULL;
    }
    sg_program_build(arena, plan, rows_per_trip);
    for (int64_t o = 0; o < plan->noutputs; ++o) {
        plan->outputs[o].strategy = output_strategy(arena, plan, &plan->outputs[o]);
    }
    measure(plan);

    const char *flaw = sg_verify(arena, plan);
    if (flaw != NULL) {
        sg_diag_fail(diag, SG_EXIT_BUG, split->op->span,
                     "the plan of '%s' does not verify: %s; this is a bug in splitgen, please "
                     "report it with this input",
                     split->name, flaw);
        return NULL;
    }
    return plan;
}
