/* The functions of kernels over bits: groups of rows, then the remaining rows. */
#include "plan/functions/bit_groups.h"

#include <inttypes.h>

#include "plan/bits/bit_program.h"
#include "plan/choose/choices.h"
#include "plan/functions/writer.h"
#include "plan/plan.h"

#define NUMBER(id) sg_of(w, SG_NUMBER_##id)

static bool has_vectors(const sg_writer *w)
{
    return w->plan->bits->bodies[w->body] == SG_BIT_VBMI;
}

/* Groups in one iteration by vectors. */
static int64_t iteration_of(const sg_writer *w)
{
    return w->v->rows_per_iteration / w->plan->bits->group_rows;
}

static int64_t iteration_bytes(const sg_writer *w)
{
    return sg_bits_bytes(w->v->rows_per_iteration, w->plan->map.row_stride);
}

/* Functions that copy by words read outputs of an array one by one. */
static unsigned points_of(const sg_writer *w)
{
    return w->plan->array_params ? SG_POINTS_INPUT : SG_POINTS_ALL;
}

static bool has_rest(const sg_writer *w)
{
    return w->plan->bits->tail.rows > 0;
}

/* Sets `end` to the end of the whole groups; `last` may include the rows after all groups. */
static void write_end(sg_writer *w)
{
    const sg_expr *groups = sg_literal(w, w->plan->bits->groups);
    sg_let(w, SG_NUMBER_END,
           has_rest(w)
               ? sg_select(w, sg_compare(w, SG_EXPR_LT, NUMBER(LAST), groups), NUMBER(LAST), groups)
               : NUMBER(LAST));
}

/* Iterations by vectors, if there are enough groups for one. The last iteration copies some groups
 * again if the number of groups is no multiple. Too few groups are copied one by one. */
static void write_vectors(sg_writer *w)
{
    const int64_t iteration = iteration_of(w);
    const sg_expr *some = sg_compare(w, SG_EXPR_LT, NUMBER(GROUP), NUMBER(END));
    const sg_expr *enough = sg_compare(w, SG_EXPR_GE, sg_minus(w, NUMBER(END), NUMBER(FIRST)),
                                       sg_literal(w, iteration));
    const sg_expr *left = sg_minus(w, NUMBER(END), NUMBER(GROUP));
    write_end(w);
    sg_set(w, SG_STEP_VAR, SG_NUMBER_GROUP, NUMBER(FIRST));
    sg_do(w, SG_STEP_BLANK);
    (void)sg_add_step(
        w, (sg_step){.kind = SG_STEP_LOOP, .condition = sg_compare(w, SG_EXPR_AND, some, enough)});
    if (iteration > 1) {
        sg_if(w, sg_compare(w, SG_EXPR_LT, left, sg_literal(w, iteration)), NULL);
        sg_let(w, SG_NUMBER_AGAIN, sg_minus(w, sg_literal(w, iteration), left));
        sg_do(w, SG_STEP_BLANK);
        sg_set(w, SG_STEP_SUB, SG_NUMBER_GROUP, NUMBER(AGAIN));
        (void)sg_add_step(
            w, (sg_step){.kind = SG_STEP_RETREAT, .points = SG_POINTS_ALL, .value = NUMBER(AGAIN)});
        sg_end(w);
    }
    sg_run(w, SG_STORING_ORDINARY);
    sg_set(w, SG_STEP_ADD, SG_NUMBER_GROUP, sg_literal(w, iteration));
    /* not if a rest follows: the pointers must then move on to it */
    sg_leave_at_last(w, sg_compare(w, SG_EXPR_EQ, NUMBER(GROUP), NUMBER(LAST)));
    sg_advance(w, SG_POINTS_ALL, sg_literal(w, iteration));
    sg_end(w);
    sg_loop_up(w, SG_NUMBER_GROUP, NULL, NUMBER(END), 1);
}

static void write_words(sg_writer *w)
{
    sg_loop_up(w, SG_NUMBER_GROUP, NUMBER(FIRST), NUMBER(LAST), 1);
    if (has_rest(w)) {
        sg_step *loop = &w->steps[w->count - 1];
        const sg_expr *groups = sg_literal(w, w->plan->bits->groups);
        loop->condition = sg_compare(w, SG_EXPR_AND, loop->condition,
                                     sg_compare(w, SG_EXPR_LT, NUMBER(GROUP), groups));
    }
}

static void write_rest(sg_writer *w)
{
    const sg_bits *bits = w->plan->bits;
    sg_set(w, SG_STEP_REST, SG_NUMBER_GROUP, sg_literal(w, bits->groups));
}

static void write_ordinary(sg_writer *w)
{
    const sg_bits *bits = w->plan->bits;
    sg_pointers(w, points_of(w), NUMBER(FIRST));
    sg_do(w, SG_STEP_BLANK);
    if (bits->groups == 0) {
        write_rest(w);
        return;
    }
    if (has_vectors(w)) {
        write_vectors(w);
    } else {
        write_words(w);
    }
    sg_set(w, SG_STEP_GROUP, SG_NUMBER_GROUP, NULL);
    sg_leave_at_last(
        w, sg_compare(w, SG_EXPR_EQ, sg_plus(w, NUMBER(GROUP), sg_literal(w, 1)), NUMBER(LAST)));
    sg_advance(w, points_of(w), sg_literal(w, 1));
    sg_end(w);
    if (has_rest(w)) {
        sg_if(w, sg_compare(w, SG_EXPR_GT, NUMBER(LAST), sg_literal(w, bits->groups)),
              sg_arena_printf(w->arena, "%" PRId64 " row%s after the last group", bits->tail.rows,
                              bits->tail.rows == 1 ? "" : "s"));
        write_rest(w);
        sg_end(w);
    }
}

/* Non-temporal stores with interleaved streams of groups. Groups that fill no whole piece are
 * copied by ordinary stores. */
static void write_non_temporal(sg_writer *w)
{
    const int64_t iteration = iteration_of(w);
    const int64_t piece = w->v->stream_iterations;
    const sg_expr *count = sg_minus(w, NUMBER(END), NUMBER(FIRST));
    (void)sg_add_step(w, (sg_step){.kind = SG_STEP_COUNT_STREAMS, .bytes = iteration_bytes(w)});
    write_end(w);
    sg_let(w, SG_NUMBER_ITERATIONS,
           sg_select(w, sg_compare(w, SG_EXPR_LT, NUMBER(FIRST), NUMBER(END)),
                     sg_divide(w, count, iteration), sg_literal(w, 0)));
    sg_let(w, SG_NUMBER_PER_STREAM,
           sg_iterations_per_stream(w, NUMBER(ITERATIONS), piece, iteration_bytes(w)));
    sg_do(w, SG_STEP_BLANK);
    sg_loop_up(w, SG_NUMBER_DONE, sg_literal(w, 0), NUMBER(PER_STREAM), piece);
    sg_loop_up(w, SG_NUMBER_STREAM, sg_literal(w, 0), NUMBER(STREAMS), 1);
    sg_let(
        w, SG_NUMBER_GROUP,
        sg_plus(
            w, NUMBER(FIRST),
            sg_times(w, sg_plus(w, sg_product(w, NUMBER(STREAM), NUMBER(PER_STREAM)), NUMBER(DONE)),
                     iteration)));
    sg_pointers(w, SG_POINTS_ALL, NUMBER(GROUP));
    sg_do(w, SG_STEP_BLANK);
    sg_loop_down(w, SG_NUMBER_PIECE, sg_literal(w, piece), 1);
    (void)sg_add_step(w, (sg_step){.kind = SG_STEP_PREFETCH, .bytes = iteration_bytes(w)});
    sg_run(w, SG_STORING_NON_TEMPORAL);
    sg_leave_at_last(w, sg_compare(w, SG_EXPR_EQ, NUMBER(PIECE), sg_literal(w, 1)));
    sg_advance(w, SG_POINTS_ALL, sg_literal(w, iteration));
    sg_end(w);
    sg_end(w);
    sg_end(w);
    sg_do(w, SG_STEP_FENCE);
    sg_let(w, SG_NUMBER_DONE,
           sg_plus(w, NUMBER(FIRST),
                   sg_times(w, sg_product(w, NUMBER(STREAMS), NUMBER(PER_STREAM)), iteration)));
    sg_if(w, sg_compare(w, SG_EXPR_LT, NUMBER(DONE), NUMBER(LAST)), NULL);
    sg_call(w, sg_function_find(w->plan, w->body, SG_STORE_ORDINARY), NUMBER(DONE), NUMBER(LAST));
    sg_end(w);
}

void sg_bit_groups_build(sg_arena *arena, sg_plan *plan)
{
    for (int64_t i = 0; i < plan->bits->nbodies; ++i) {
        sg_writer w = sg_writer_begin(arena, plan, i);
        write_ordinary(&w);
        (void)sg_writer_end(&w, plan, SG_ROLE_GROUPS, SG_STORE_ORDINARY);
        if (sg_choices_find(plan, i, SG_STORE_NON_TEMPORAL) != NULL) {
            w = sg_writer_begin(arena, plan, i);
            write_non_temporal(&w);
            (void)sg_writer_end(&w, plan, SG_ROLE_GROUPS, SG_STORE_NON_TEMPORAL);
        }
    }
}
