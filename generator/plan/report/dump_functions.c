/* Functions as text, step by step. */
#include "plan/report/dump_functions.h"

#include <inttypes.h>

#include "plan/choose/choices.h"
#include "plan/functions/function.h"
#include "plan/report/dump_parts.h"

/* "plus(left, 32)" */
static void dump_expr(sg_buf *out, const sg_expr *expr)
{
    if (expr->op == SG_EXPR_LITERAL) {
        sg_buf_printf(out, "%" PRId64, expr->literal);
        return;
    }
    if (expr->op == SG_EXPR_NUMBER) {
        sg_buf_addz(out, sg_number_name(expr->number));
        return;
    }
    sg_buf_printf(out, "%s(", sg_expr_name(expr->op));
    if (expr->op == SG_EXPR_DECREMENT) {
        sg_buf_addz(out, sg_number_name(expr->number));
    }
    for (int i = 0; i < 3 && expr->of[i] != NULL; ++i) {
        sg_buf_addz(out, i > 0 ? ", " : "");
        dump_expr(out, expr->of[i]);
    }
    sg_buf_addc(out, ')');
}

static void dump_operand(sg_buf *out, const char *name, const sg_expr *expr)
{
    if (expr != NULL) {
        sg_buf_printf(out, " %s ", name);
        dump_expr(out, expr);
    }
}

static void dump_step(sg_buf *out, const sg_step *step)
{
    sg_buf_printf(out, "      %s", sg_step_name(step->kind));
    if (step->value != NULL || step->condition != NULL || step->number != SG_NUMBER_ROWS) {
        sg_buf_printf(out, " %s", sg_number_name(step->number));
    }
    sg_dump_flag(out, "is_bool", step->is_bool);
    dump_operand(out, "value", step->value);
    dump_operand(out, "count", step->count);
    dump_operand(out, "condition", step->condition);
    dump_operand(out, "by", step->by);
    sg_dump_number(out, "end", step->end);
    sg_dump_number(out, "points", step->points);
    if (step->storing != SG_STORING_ORDINARY) {
        sg_buf_printf(out, " storing %s", sg_storing_name(step->storing));
    }
    sg_dump_number(out, "function", step->function);
    sg_dump_number(out, "part", step->part);
    sg_dump_number(out, "bytes", step->bytes);
    sg_dump_number(out, "ahead", step->ahead);
    if (step->functions != NULL) {
        sg_buf_printf(out, " functions %" PRId64 "...", step->functions[0]);
    }
    if (step->note != NULL) {
        sg_buf_printf(out, ": %s", step->note);
    }
    sg_buf_addc(out, '\n');
}

static void dump_loop(sg_buf *out, const sg_loop_call *call)
{
    sg_buf_printf(out, " loop %s", sg_loop_name(call->loop));
    sg_dump_number(out, "rows", call->rows);
    sg_dump_number(out, "tiles", call->tiles);
    sg_dump_number(out, "most", call->most);
    sg_dump_number(out, "bytes", call->bytes);
    sg_dump_number(out, "vector", call->vector);
    sg_dump_number(out, "turn", call->turn);
    sg_dump_number(out, "now", call->now);
    sg_dump_number(out, "far", call->far);
    sg_dump_number(out, "prologue", call->prologue);
    sg_dump_flag(out, "others", call->others);
    sg_dump_flag(out, "is_prologue", call->is_prologue);
}

void sg_dump_functions(sg_buf *out, const sg_plan *plan)
{
    for (int64_t i = 0; i < plan->nfunctions; ++i) {
        const sg_function *f = &plan->functions[i];
        sg_buf_printf(out, "  function %" PRId64 " %s", i, sg_role_name(f->role));
        if (f->body != SG_CHOICE_PORTABLE) {
            sg_buf_printf(out, " variant %" PRId64 " %s", f->body,
                          sg_store_mode_name(f->store_mode));
        }
        sg_dump_number(out, "code", f->code);
        sg_dump_flag(out, "by_offset", f->by_offset);
        if (f->loop.loop != SG_LOOP_NONE) {
            dump_loop(out, &f->loop);
        }
        sg_buf_printf(out, " steps %" PRId64 "\n", f->nsteps);
        for (int64_t s = 0; s < f->nsteps; ++s) {
            dump_step(out, &f->steps[s]);
        }
    }
}
