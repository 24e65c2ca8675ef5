/* Writes the steps of a function in order. */
#ifndef SG_PLAN_FUNCTIONS_WRITER_H
#define SG_PLAN_FUNCTIONS_WRITER_H

#include "base/arena.h"
#include "plan/functions/function.h"

/* Maximum depth of nested blocks. */
#define SG_WRITER_DEPTH 8

typedef struct sg_writer {
    sg_arena *arena;
    const sg_plan *plan;
    /* the body whose functions are written; over bits, an index into sg_bits.bodies */
    int64_t body;
    const sg_body *v; /* that body; NULL if it has no vectors */
    int64_t count;
    int64_t room;
    sg_step *steps;
    /* stack of the steps that opened the blocks around the next step */
    int64_t open[SG_WRITER_DEPTH];
    int nopen;
} sg_writer;

sg_writer sg_writer_begin(sg_arena *arena, const sg_plan *plan, int64_t body);

/* Appends the finished function to the plan's functions. */
sg_function *sg_writer_end(sg_writer *w, sg_plan *plan, sg_function_role role,
                           sg_store_mode store_mode);

/* Expressions. Operations without effect, such as times 1, return the other operand. */
const sg_expr *sg_literal(sg_writer *w, int64_t value);
const sg_expr *sg_of(sg_writer *w, sg_number number);
/* The product of the kernel's dynamic dimensions before the axis, or after it; 1 if there are none.
 * */
const sg_expr *sg_open_numbers(sg_writer *w, bool behind);
const sg_expr *sg_plus(sg_writer *w, const sg_expr *a, const sg_expr *b);
const sg_expr *sg_minus(sg_writer *w, const sg_expr *a, const sg_expr *b);
const sg_expr *sg_times(sg_writer *w, const sg_expr *a, int64_t n);
const sg_expr *sg_product(sg_writer *w, const sg_expr *a, const sg_expr *b);
const sg_expr *sg_divide(sg_writer *w, const sg_expr *a, int64_t n);
const sg_expr *sg_remainder(sg_writer *w, const sg_expr *a, int64_t n);
const sg_expr *sg_compare(sg_writer *w, sg_expr_op op, const sg_expr *a, const sg_expr *b);
const sg_expr *sg_select(sg_writer *w, const sg_expr *condition, const sg_expr *a,
                         const sg_expr *b);
const sg_expr *sg_decrement(sg_writer *w, sg_number number);

/* Appends a step; one that opens a block stays open until sg_end. */
sg_step *sg_add_step(sg_writer *w, sg_step step);
void sg_let(sg_writer *w, sg_number number, const sg_expr *value);
void sg_set(sg_writer *w, sg_step_kind kind, sg_number number, const sg_expr *value);
void sg_do(sg_writer *w, sg_step_kind kind);
void sg_if(sg_writer *w, const sg_expr *condition, const char *note);
void sg_end(sg_writer *w);

/* for (size_t number = from; number < end; number += by) */
void sg_loop_up(sg_writer *w, sg_number number, const sg_expr *from, const sg_expr *end,
                int64_t by);

/* Pointers, and operations on the rows they point to. */
void sg_pointers(sg_writer *w, unsigned points, const sg_expr *row);
/* Leaves the loop at its last iteration, before the pointers advance, if rows have padding between
 * them: past the last row's padding a pointer would be outside the caller's buffer. */
void sg_leave_at_last(sg_writer *w, const sg_expr *is_last);

void sg_advance(sg_writer *w, unsigned points, const sg_expr *rows);
void sg_run(sg_writer *w, sg_storing storing);
void sg_call(sg_writer *w, int64_t function, const sg_expr *first, const sg_expr *count);

#endif
