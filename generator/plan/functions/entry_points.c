/* The entry points: functions that select a body, or copy rows by the portable program if none
 * fits. */
#include "plan/functions/entry_points.h"

#include "plan/bits/bit_program.h"
#include "plan/functions/writer.h"
#include "plan/layout.h"
#include "plan/plan.h"

#define NUMBER(id) sg_of(w, SG_NUMBER_##id)

/* Rows one by one, by the portable program. */
static void write_rows(sg_writer *w, const sg_expr *from, const sg_expr *end)
{
    sg_loop_up(w, SG_NUMBER_ROW, from, end, 1);
    (void)sg_add_step(w, (sg_step){.kind = SG_STEP_TAIL, .number = SG_NUMBER_ROW});
    sg_end(w);
}

/* Copies inline if there are too few rows for a body to pay. */
static void write_few(sg_writer *w, const sg_expr *rows)
{
    if (w->plan->few_rows > 0) {
        const sg_expr *few = sg_literal(w, w->plan->few_rows);
        sg_if(w, sg_compare(w, SG_EXPR_LT, rows, few), NULL);
        write_rows(w, sg_literal(w, 0), rows);
        sg_do(w, SG_STEP_RETURN);
        sg_end(w);
    }
}

/* Leaves the function if there is nothing to copy. */
static void write_none(sg_writer *w, const char *note)
{
    sg_if(w, sg_compare(w, SG_EXPR_GE, NUMBER(FIRST), NUMBER(LAST)), note);
    sg_do(w, SG_STEP_RETURN);
    sg_end(w);
}

static void write_dispatch(sg_writer *w)
{
    write_none(w, "no group to point to");
    if (w->plan->nchoices > 1) {
        sg_do(w, SG_STEP_DISPATCH);
    }
    sg_call(w, sg_function_find(w->plan, w->plan->bits->nbodies - 1, SG_STORE_ORDINARY),
            NUMBER(FIRST), NUMBER(LAST));
}

/* The number of rows of a block. */
static const sg_expr *write_most(sg_writer *w)
{
    const sg_plan *plan = w->plan;
    if (plan->block_bytes == 0) {
        return sg_literal(w, plan->block_rows);
    }
    const int64_t scales = plan->block_bytes / plan->map.row_stride;
    if (scales == 0) {
        return sg_literal(w, 1);
    }
    const sg_expr *fits = sg_compare(w, SG_EXPR_LT, NUMBER(SCALE), sg_literal(w, scales + 1));
    const sg_expr *rows = sg_compare(w, SG_EXPR_DIV, sg_literal(w, scales), NUMBER(SCALE));
    sg_let(w, SG_NUMBER_MOST, sg_select(w, fits, rows, sg_literal(w, 1)));
    return NUMBER(MOST);
}

/* Copies rows in blocks, from `from` on, with an array of many outputs or a dynamic row length. */
static void write_blocks(sg_writer *w, const sg_expr *from)
{
    const sg_expr *most = write_most(w);
    const sg_expr *left = sg_minus(w, NUMBER(LAST), NUMBER(ROW));
    (void)sg_add_step(w,
                      (sg_step){.kind = SG_STEP_LOOP,
                                .number = SG_NUMBER_ROW,
                                .value = from,
                                .condition = sg_compare(w, SG_EXPR_LT, NUMBER(ROW), NUMBER(LAST)),
                                .by = most});
    sg_let(w, SG_NUMBER_ROWS, sg_select(w, sg_compare(w, SG_EXPR_LT, left, most), left, most));
    (void)sg_add_step(
        w, (sg_step){.kind = SG_STEP_TAIL, .number = SG_NUMBER_ROW, .count = NUMBER(ROWS)});
    sg_end(w);
}

/* Iterations of the portable program from the first row on, then single rows. The loop condition
 * compares only the row, so that a prover need not relate two variables. */
static void write_iterations_and_rows(sg_writer *w)
{
    const int64_t iteration = w->plan->iteration.rows;
    const sg_expr *from = NUMBER(FIRST);
    if (iteration > 1) {
        const sg_expr *behind =
            sg_remainder(w, sg_minus(w, NUMBER(LAST), NUMBER(FIRST)), iteration);
        sg_set(w, SG_STEP_VAR, SG_NUMBER_ROW, NUMBER(FIRST));
        sg_do(w, SG_STEP_BLANK);
        (void)sg_add_step(w, (sg_step){.kind = SG_STEP_LOOP,
                                       .number = SG_NUMBER_ROW,
                                       .condition = sg_compare(w, SG_EXPR_LT, NUMBER(ROW),
                                                               sg_minus(w, NUMBER(LAST), behind)),
                                       .by = sg_literal(w, iteration)});
        (void)sg_add_step(w, (sg_step){.kind = SG_STEP_ITERATION, .number = SG_NUMBER_ROW});
        sg_end(w);
        from = NULL;
    }
    if (sg_plan_has_blocks(w->plan)) {
        write_blocks(w, from);
    } else {
        write_rows(w, from, NUMBER(LAST));
    }
}

/* Copies any number of rows by the portable program. */
static void write_portable(sg_writer *w)
{
    if (sg_plan_takes_any(w->plan) && w->plan->nchoices == 1 && w->plan->iteration.rows > 1) {
        write_none(w, NULL);
    }
    if (w->plan->map.scales) {
        sg_if(w, sg_compare(w, SG_EXPR_EQ, NUMBER(SCALE), sg_literal(w, 0)),
              "pointers may be NULL");
        sg_do(w, SG_STEP_RETURN);
        sg_end(w);
    }
    sg_pointers(w, SG_POINTS_ALL, sg_literal(w, 0));
    if (w->plan->iteration.rows == 1) {
        sg_do(w, SG_STEP_BLANK);
    }
    write_iterations_and_rows(w);
}

/* Copies any number of rows: by a body if one fits, otherwise by the portable program. */
static void write_any(sg_writer *w)
{
    if (sg_plan_takes_any(w->plan)) {
        write_none(w, NULL);
    }
    sg_let(w, SG_NUMBER_ROWS, sg_minus(w, NUMBER(LAST), NUMBER(FIRST)));
    sg_do(w, SG_STEP_DISPATCH);
    sg_call(w, w->plan->nfunctions - 1, NUMBER(FIRST), NUMBER(LAST));
}

/* Elements that padding between groups adds to the place of row `row`; NULL: none. */
static const sg_expr *shift_of(sg_writer *w, int64_t part)
{
    const sg_map *map = &w->plan->map;
    const sg_expr *sum = NULL;
    for (int64_t g = 0; g < map->ngroups; ++g) {
        const int64_t gap = sg_map_gap(map, part, g) / map->element;
        const sg_expr *passed = sg_divide(w, NUMBER(ROW), map->groups[g].rows);
        if (gap > 0) {
            sum =
                sum == NULL ? sg_times(w, passed, gap) : sg_plus(w, sum, sg_times(w, passed, gap));
        }
    }
    return sum;
}

static void write_shift(sg_writer *w, int64_t part)
{
    const sg_expr *elements = shift_of(w, part);
    if (elements != NULL) {
        (void)sg_add_step(w, (sg_step){.kind = SG_STEP_SHIFT, .part = part, .value = elements});
    }
}

/* Sets `groups` to the number of whole groups that begin here at equal distances; 1 if there are
 * none, or part of one. */
static void write_groups(sg_writer *w)
{
    const sg_map *map = &w->plan->map;
    const int64_t rows = map->groups[0].rows;
    const sg_expr *all = sg_minus(w, NUMBER(LAST), NUMBER(ROW));
    const sg_expr *behind = all;
    if (map->ngroups > 1) { /* more padding follows the last group of an outer group */
        const int64_t outer = map->groups[1].rows;
        const sg_expr *rest =
            sg_minus(w, sg_literal(w, outer), sg_remainder(w, NUMBER(ROW), outer));
        behind = sg_select(w, sg_compare(w, SG_EXPR_LT, rest, all), rest, all);
    }
    sg_let(w, SG_NUMBER_BEHIND, behind);
    sg_let(w, SG_NUMBER_GROUPS,
           sg_select(w,
                     sg_compare(w, SG_EXPR_AND,
                                sg_compare(w, SG_EXPR_EQ, NUMBER(LEFT), sg_literal(w, rows)),
                                sg_compare(w, SG_EXPR_GE, NUMBER(BEHIND), sg_literal(w, rows))),
                     sg_divide(w, NUMBER(BEHIND), rows), sg_literal(w, 1)));
}

/* Copies any number of rows that lie in groups, group by group. */
static void write_apart(sg_writer *w)
{
    const int64_t rows = w->plan->map.groups[0].rows;
    const bool takes_groups = sg_functions_take_groups(w->plan);
    (void)sg_add_step(w,
                      (sg_step){.kind = SG_STEP_LOOP,
                                .number = SG_NUMBER_ROW,
                                .value = NUMBER(FIRST),
                                .condition = sg_compare(w, SG_EXPR_LT, NUMBER(ROW), NUMBER(LAST))});
    sg_let(w, SG_NUMBER_LEFT,
           rows == 1 ? sg_literal(w, 1)
                     : sg_minus(w, sg_literal(w, rows), sg_remainder(w, NUMBER(ROW), rows)));
    sg_let(w, SG_NUMBER_END,
           sg_select(
               w, sg_compare(w, SG_EXPR_LT, NUMBER(LEFT), sg_minus(w, NUMBER(LAST), NUMBER(ROW))),
               sg_plus(w, NUMBER(ROW), NUMBER(LEFT)), NUMBER(LAST)));
    if (takes_groups) {
        write_groups(w);
    }
    write_shift(w, SG_WHOLE);
    for (int64_t p = 0; p < w->plan->map.nparts; ++p) {
        write_shift(w, p);
    }
    sg_call(w, w->plan->nfunctions - 1, NUMBER(ROW), NUMBER(END));
    w->steps[w->count - 1].is_bool = takes_groups;
    sg_set(w, SG_STEP_SET, SG_NUMBER_ROW,
           takes_groups ? sg_plus(w, NUMBER(END),
                                  sg_times(w, sg_minus(w, NUMBER(DONE), sg_literal(w, 1)), rows))
                        : NUMBER(END));
    sg_end(w);
}

/* The public function. */
static void write_open(sg_writer *w)
{
    const int64_t item_rows = w->plan->map.rows / w->plan->split->items;
    const sg_expr *rows = w->plan->split->outer.open
                              ? sg_times(w, sg_open_numbers(w, false), item_rows)
                              : sg_literal(w, item_rows);
    if (!w->plan->array_params && w->plan->map.ngroups == 0) {
        write_few(w, rows);
    }
    (void)sg_add_step(w, (sg_step){.kind = SG_STEP_CALL,
                                   .function = w->plan->nfunctions - 1,
                                   .value = sg_literal(w, 0),
                                   .count = rows,
                                   .by = w->plan->map.scales ? sg_open_numbers(w, true) : NULL});
}

/* The descriptor's function for straight-line kernels. */
static void write_descriptor(sg_writer *w)
{
    if (w->plan->map.rows == 1) {
        sg_if(w, sg_compare(w, SG_EXPR_LT, NUMBER(FIRST), NUMBER(LAST)), "there is one row");
        sg_set(w, SG_STEP_TAIL, SG_NUMBER_FIRST, NULL);
        sg_end(w);
        return;
    }
    write_rows(w, NUMBER(FIRST), NUMBER(LAST));
}

static void add(sg_arena *arena, sg_plan *plan, sg_function_role role, void (*write)(sg_writer *))
{
    sg_writer w = sg_writer_begin(arena, plan, SG_CHOICE_PORTABLE);
    write(&w);
    (void)sg_writer_end(&w, plan, role, SG_STORE_ORDINARY);
}

void sg_entry_points_build(sg_arena *arena, sg_plan *plan)
{
    if (plan->kind == SG_PLAN_EMPTY) {
        return;
    }
    if (plan->bits != NULL) {
        add(arena, plan, SG_ROLE_DISPATCH, write_dispatch);
    } else if (sg_plan_goes_by_rows(plan)) {
        add(arena, plan, SG_ROLE_PORTABLE, write_portable);
        if (plan->nchoices > 1) {
            add(arena, plan, SG_ROLE_ANY, write_any);
        }
        if (plan->map.ngroups > 0) {
            add(arena, plan, SG_ROLE_APART, write_apart);
        }
        add(arena, plan, SG_ROLE_OPEN, write_open);
    } else {
        add(arena, plan, SG_ROLE_DESCRIPTOR, write_descriptor);
    }
}
