/* Limits the processor time of a run. */
#include "driver/run_limits.h"

#include <inttypes.h>

#include "base/system.h"
#include "driver/report.h"

#define SECONDS INT64_C(30)

int64_t sg_run_limit_seconds(const sg_options *options)
{
    return sg_options_has(options, SG_OPT_MAX_SECONDS) ? options->values[SG_OPT_MAX_SECONDS].number
                                                       : SECONDS;
}

void sg_run_limit_time(sg_arena *arena, const sg_options *options)
{
    const int64_t most = sg_run_limit_seconds(options);
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
