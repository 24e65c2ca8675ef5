/* The functions of kernels over bits: groups of rows, then the remaining rows. */
#include "plan/functions/bit_groups.h"

#include <inttypes.h>

#include "plan/bits/bit_program.h"
#include "plan/choose/choices.h"
#include "plan/functions/writer.h"
#include "plan/plan.h"

#define NUMBER(id) sg_of(w, SG_NUMBER_##id)

/* Functions that copy by words read outputs of an array one by one. */
static unsigned points_of(const sg_writer *w)
{
    return w->plan->array_params ? SG_POINTS_INPUT : SG_POINTS_ALL;
}

static bool has_rest(const sg_writer *w)
{
    return w->plan->bits->tail.rows > 0;
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
    write_words(w);
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

void sg_bit_groups_build(sg_arena *arena, sg_plan *plan)
{
    for (int64_t i = 0; i < plan->bits->nbodies; ++i) {
        sg_writer w = sg_writer_begin(arena, plan, i);
        write_ordinary(&w);
        (void)sg_writer_end(&w, plan, SG_ROLE_GROUPS, SG_STORE_ORDINARY);
    }
}
