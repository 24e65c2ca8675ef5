/* Compares numbers of kernels, copies and bytes of text with the limits in the options, and limits
 * the processor time. */
#include "driver/run_limits.h"

#include <inttypes.h>

#include "base/system.h"
#include "driver/report.h"
#include "frontend/graph/graph_options.h"
#include "plan/report/figures.h"

#define KERNELS INT64_C(10000)
#define COPIES  INT64_C(4000000)
#define TEXT    (INT64_C(256) << 20)
#define SECONDS INT64_C(30)

int64_t sg_run_limit(const sg_options *options, sg_option_id id)
{
    if (sg_options_has(options, id)) {
        return options->values[id].number;
    }
    return id == SG_OPT_MAX_KERNELS   ? KERNELS
           : id == SG_OPT_MAX_COPIES  ? COPIES
           : id == SG_OPT_MAX_TEXT    ? TEXT
           : id == SG_OPT_MAX_SECONDS ? SECONDS
                                      : SG_GRAPH_RULE_STEPS;
}

bool sg_run_limit_kernels(sg_diag *diag, const sg_options *options, const sg_op_array *ops)
{
    const int64_t most = sg_run_limit(options, SG_OPT_MAX_KERNELS);
    return ops->count <= most ||
           sg_diag_fail(diag, SG_EXIT_BUDGET, ops->items[most]->span,
                        "this is the first of more than %" PRId64
                        " kernels; if they are meant to be made, raise --max-kernels",
                        most);
}

bool sg_run_limit_copies(sg_diag *diag, const sg_options *options, const sg_plan *plan,
                         int64_t *copies)
{
    const int64_t most = sg_run_limit(options, SG_OPT_MAX_COPIES);
    sg_arena scratch;
    sg_arena_init(&scratch);
    *copies += sg_figures_count(&scratch, plan, plan).instructions;
    sg_arena_free(&scratch);
    return *copies <= most ||
           sg_diag_fail(diag, SG_EXIT_BUDGET, plan->split->op->span,
                        "with '%s' the kernels have more than %" PRId64
                        " copies together, in all their bodies; write fewer bodies (--isa), unroll "
                        "less (--unroll-budget) or raise --max-copies",
                        plan->split->name, most);
}

bool sg_run_limit_text(sg_diag *diag, const sg_options *options, const sg_buf *text)
{
    return !text->over ||
           sg_diag_fail(diag, SG_EXIT_BUDGET, sg_options_span(options, SG_OPT_MAX_TEXT),
                        "what this run prints has more than %" PRId64
                        " bytes together; if it is meant to, raise --max-text",
                        sg_run_limit(options, SG_OPT_MAX_TEXT));
}

void sg_run_limit_time(sg_arena *arena, const sg_options *options)
{
    const int64_t most = sg_run_limit(options, SG_OPT_MAX_SECONDS);
    sg_diag diag;
    sg_diag_init(&diag, arena);
    (void)sg_diag_fail(&diag, SG_EXIT_BUDGET, sg_options_span(options, SG_OPT_MAX_SECONDS),
                       "this run needs more than %" PRId64
                       " s of processor time; if it is meant to, raise --max-seconds",
                       most);
    sg_buf text = {0};
    sg_report_render(&diag, options, &text);
    sg_system_limit_time(most, sg_arena_strndup(arena, text.ptr, text.len), text.len,
                         SG_EXIT_BUDGET);
    sg_buf_free(&text);
}
