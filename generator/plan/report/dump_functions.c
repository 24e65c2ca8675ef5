/* Prints the functions of a plan. */
#include "plan/report/dump_functions.h"

#include <inttypes.h>

#include "plan/choose/choices.h"
#include "plan/functions/function.h"
#include "plan/report/dump_parts.h"

void sg_dump_functions(sg_buf *out, const sg_plan *plan)
{
    for (int64_t i = 0; i < plan->nfunctions; ++i) {
        const sg_function *f = &plan->functions[i];
        const sg_loop_call *call = &f->loop;
        sg_buf_printf(out, "  function %" PRId64 " variant %" PRId64 " %s", i, f->body,
                      sg_store_mode_name(f->store_mode));
        sg_dump_number(out, "code", f->code);
        sg_buf_printf(out, " loop %s", sg_loop_get(call->loop)->name);
        sg_dump_number(out, "rows", call->rows);
        sg_dump_number(out, "tiles", call->tiles);
        sg_dump_number(out, "most", call->most);
        sg_dump_number(out, "bytes", call->bytes);
        sg_dump_number(out, "vector", call->vector);
        sg_dump_number(out, "turn", call->turn);
        sg_dump_number(out, "now", call->now);
        sg_dump_number(out, "far", call->far);
        sg_dump_number(out, "prologue", call->prologue);
        sg_dump_number(out, "block", call->block);
        sg_dump_number(out, "ahead", call->ahead);
        sg_dump_flag(out, "others", call->others);
        sg_dump_flag(out, "is_prologue", call->is_prologue);
        sg_buf_printf(out, "\n");
    }
}
