/* The tool: argv -> options -> pipeline -> exit code. */
#include <stdio.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/system.h"
#include "driver/options.h"
#include "driver/pipeline.h"
#include "driver/report.h"
#include "driver/run_limits.h"
#include "driver/usage.h"

static int usage(void)
{
    sg_buf text = {0};
    sg_usage_short(&text);
    fwrite(text.ptr, 1, text.len, stderr);
    sg_buf_free(&text);
    return SG_EXIT_USAGE;
}

int main(int argc, char **argv)
{
    sg_system_start(&argc, &argv);
    if (argc < 2) {
        return usage();
    }
    sg_arena arena;
    sg_diag diag;
    sg_options options;
    sg_arena_init(&arena);
    sg_diag_init(&diag, &arena);
    bool ok = sg_options_parse(&arena, &diag, argc, (const char *const *)argv, &options);
    if (ok) {
        sg_run_limit_time(&arena, &options);
        ok = sg_pipeline_run(&arena, &diag, &options);
        sg_system_unlimit_time();
    }
    sg_report_print(&diag, &options);
    sg_exit code = sg_diag_exit(&diag);
    sg_arena_free(&arena);
    return ok || code != SG_EXIT_OK ? (int)code : SG_EXIT_BUG;
}
