/* Writes the steps of a function in order. */
#include "plan/functions/writer.h"

#include <string.h>

#include "plan/bits/bit_program.h"
#include "plan/layout.h"

sg_writer sg_writer_begin(sg_arena *arena, const sg_plan *plan, int64_t body)
{
    return (sg_writer){.arena = arena,
                       .plan = plan,
                       .body = body,
                       .v = plan->bits == NULL && body >= 0 ? &plan->bodies[body] : NULL};
}

sg_function *sg_writer_end(sg_writer *w, sg_plan *plan, sg_function_role role,
                           sg_store_mode store_mode)
{
    sg_function *f = &plan->functions[plan->nfunctions++];
    *f = (sg_function){.role = role,
                       .body = w->body,
                       .store_mode = store_mode,
                       .nsteps = w->count,
                       .steps = w->steps};
    return f;
}

/* --- expressions ------------------------------------------------------------------------------ */

static const sg_expr *make(sg_writer *w, sg_expr expr)
{
    sg_expr *made = SG_NEW(w->arena, sg_expr);
    *made = expr;
    return made;
}

static bool is_literal(const sg_expr *e, int64_t value)
{
    return e->op == SG_EXPR_LITERAL && e->literal == value;
}

const sg_expr *sg_literal(sg_writer *w, int64_t value)
{
    return make(w, (sg_expr){.op = SG_EXPR_LITERAL, .literal = value});
}

const sg_expr *sg_of(sg_writer *w, sg_number number)
{
    return make(w, (sg_expr){.op = SG_EXPR_NUMBER, .number = number});
}

const sg_expr *sg_compare(sg_writer *w, sg_expr_op op, const sg_expr *a, const sg_expr *b)
{
    return make(w, (sg_expr){.op = op, .of = {a, b}});
}

const sg_expr *sg_plus(sg_writer *w, const sg_expr *a, const sg_expr *b)
{
    return is_literal(b, 0) ? a : sg_compare(w, SG_EXPR_ADD, a, b);
}

const sg_expr *sg_minus(sg_writer *w, const sg_expr *a, const sg_expr *b)
{
    return is_literal(b, 0) ? a : sg_compare(w, SG_EXPR_SUB, a, b);
}

const sg_expr *sg_product(sg_writer *w, const sg_expr *a, const sg_expr *b)
{
    return is_literal(b, 1) ? a : sg_compare(w, SG_EXPR_MUL, a, b);
}

const sg_expr *sg_times(sg_writer *w, const sg_expr *a, int64_t n)
{
    return sg_product(w, a, sg_literal(w, n));
}

const sg_expr *sg_open_numbers(sg_writer *w, bool behind)
{
    const sg_split *split = w->plan->split;
    const int first = behind ? split->axis + 1 : 0;
    const int last = behind ? split->rank : split->axis;
    const sg_expr *product = NULL;
    for (int o = 0; o < split->nopen; ++o) {
        const sg_expr *number = make(w, (sg_expr){.op = SG_EXPR_OPEN, .literal = o});
        for (int64_t i = sg_split_powers(split, first, last, o); i > 0; --i) {
            product = product == NULL ? number : sg_product(w, product, number);
        }
    }
    return product != NULL ? product : sg_literal(w, 1);
}

const sg_expr *sg_divide(sg_writer *w, const sg_expr *a, int64_t n)
{
    return n == 1 ? a : sg_compare(w, SG_EXPR_DIV, a, sg_literal(w, n));
}

const sg_expr *sg_remainder(sg_writer *w, const sg_expr *a, int64_t n)
{
    return sg_compare(w, SG_EXPR_REM, a, sg_literal(w, n));
}

const sg_expr *sg_select(sg_writer *w, const sg_expr *condition, const sg_expr *a, const sg_expr *b)
{
    return make(w, (sg_expr){.op = SG_EXPR_SELECT, .of = {condition, a, b}});
}

const sg_expr *sg_decrement(sg_writer *w, sg_number number)
{
    return make(w, (sg_expr){.op = SG_EXPR_DECREMENT, .number = number});
}

/* --- steps ------------------------------------------------------------------------------------ */

static bool opens(sg_step_kind kind)
{
    return kind == SG_STEP_LOOP || kind == SG_STEP_IF;
}

sg_step *sg_add_step(sg_writer *w, sg_step step)
{
    if (w->count == w->room) {
        const int64_t room = w->room > 0 ? 2 * w->room : 16;
        sg_step *steps = SG_NEW_ARRAY(w->arena, sg_step, room);
        if (w->count > 0) {
            memcpy(steps, w->steps, (size_t)w->count * sizeof *steps);
        }
        w->steps = steps;
        w->room = room;
    }
    if (opens(step.kind)) {
        w->open[w->nopen++] = w->count;
    }
    w->steps[w->count] = step;
    return &w->steps[w->count++];
}

void sg_set(sg_writer *w, sg_step_kind kind, sg_number number, const sg_expr *value)
{
    (void)sg_add_step(w, (sg_step){.kind = kind, .number = number, .value = value});
}

void sg_let(sg_writer *w, sg_number number, const sg_expr *value)
{
    sg_set(w, SG_STEP_LET, number, value);
}

void sg_do(sg_writer *w, sg_step_kind kind)
{
    (void)sg_add_step(w, (sg_step){.kind = kind});
}

void sg_if(sg_writer *w, const sg_expr *condition, const char *note)
{
    (void)sg_add_step(w, (sg_step){.kind = SG_STEP_IF, .condition = condition, .note = note});
}

/* The end of the innermost open block is the next step. */
static void close(sg_writer *w)
{
    w->steps[w->open[--w->nopen]].end = w->count;
}

void sg_end(sg_writer *w)
{
    close(w);
    sg_do(w, SG_STEP_END);
}

void sg_loop_up(sg_writer *w, sg_number number, const sg_expr *from, const sg_expr *end, int64_t by)
{
    (void)sg_add_step(w, (sg_step){.kind = SG_STEP_LOOP,
                                   .number = number,
                                   .value = from,
                                   .condition = sg_compare(w, SG_EXPR_LT, sg_of(w, number), end),
                                   .by = by > 0 ? sg_literal(w, by) : NULL});
}

void sg_pointers(sg_writer *w, unsigned points, const sg_expr *row)
{
    (void)sg_add_step(w, (sg_step){.kind = SG_STEP_POINTERS, .points = points, .value = row});
}

void sg_leave_at_last(sg_writer *w, const sg_expr *is_last)
{
    if (sg_map_rows_have_gaps(&w->plan->map)) {
        sg_if(w, is_last, "no next row to point to");
        sg_do(w, SG_STEP_BREAK);
        sg_end(w);
    }
}

void sg_advance(sg_writer *w, unsigned points, const sg_expr *rows)
{
    (void)sg_add_step(w, (sg_step){.kind = SG_STEP_ADVANCE, .points = points, .value = rows});
}

void sg_run(sg_writer *w, sg_storing storing)
{
    (void)sg_add_step(w, (sg_step){.kind = SG_STEP_RUN, .storing = storing});
}

void sg_call(sg_writer *w, int64_t function, const sg_expr *first, const sg_expr *count)
{
    (void)sg_add_step(
        w, (sg_step){.kind = SG_STEP_CALL, .function = function, .value = first, .count = count});
}
