/* Builds the functions of a plan: for every body and way of storing in its dispatch table. */
#include "plan/functions/functions.h"

#include "plan/bits/bit_program.h"
#include "plan/choose/choices.h"
#include "plan/functions/bit_groups.h"
#include "plan/functions/entry_points.h"
#include "plan/functions/function.h"
#include "plan/functions/rows.h"
#include "plan/functions/column_groups.h"
#include "plan/plan.h"

/* An upper bound. A body has a function for each of at most five ways of storing, and each may have
 * another for groups of rows. With an array of outputs each way has one for rows, one for blocks,
 * and one or two for each kind of column group. Over bits a body has at most two ways of storing.
 * There are at most three entry points. */
static int64_t most_functions(const sg_plan *plan)
{
    int64_t most = 3 + (plan->bits != NULL ? 2 * plan->bits->nbodies : 0);
    for (int64_t i = 0; i < plan->nbodies; ++i) {
        most += plan->array_params ? 4 * (2 + 2 * plan->bodies[i].ncodes) : 2 * 5;
    }
    return most;
}

/* --- unused functions --------------------------------------------------------------------------
 * */

/* Marks a function and all that it calls. */
static void mark(const sg_plan *plan, int64_t function, bool *called)
{
    const sg_function *f = &plan->functions[function];
    if (called[function]) {
        return;
    }
    called[function] = true;
    if (sg_loop_calls_cached(f->loop.loop)) {
        mark(plan, sg_function_find(plan, f->body, SG_STORE_ORDINARY), called);
    }
    for (int64_t i = 0; i < f->nsteps; ++i) {
        const sg_step *step = &f->steps[i];
        if (step->kind == SG_STEP_CALL) {
            mark(plan, step->function, called);
        }
        for (int64_t c = 0; step->kind == SG_STEP_COLUMN_GROUPS && c < plan->bodies[f->body].ncodes;
             ++c) {
            mark(plan, step->functions[c], called);
        }
    }
}

/* Replaces the indices of called functions by their new ones. */
static void renumber(sg_arena *arena, const sg_plan *plan, const sg_function *f,
                     const int64_t *numbers)
{
    for (int64_t i = 0; i < f->nsteps; ++i) {
        sg_step *step = &f->steps[i];
        if (step->kind == SG_STEP_CALL) {
            step->function = numbers[step->function];
        } else if (step->kind == SG_STEP_COLUMN_GROUPS) {
            /* several steps share a list, so copy it */
            const int64_t count = plan->bodies[f->body].ncodes;
            int64_t *functions = SG_NEW_ARRAY(arena, int64_t, count);
            for (int64_t c = 0; c < count; ++c) {
                functions[c] = numbers[step->functions[c]];
            }
            step->functions = functions;
        }
    }
}

/* Keeps only functions that the dispatch table or an entry point leads to: if one way of storing is
 * always taken, the functions for the others are never called. */
static void drop_uncalled(sg_arena *arena, sg_plan *plan)
{
    bool *called = SG_NEW_ARRAY(arena, bool, plan->nfunctions);
    int64_t *numbers = SG_NEW_ARRAY(arena, int64_t, plan->nfunctions);
    for (int64_t i = 0; i < plan->nchoices; ++i) {
        const sg_choice *c = &plan->choices[i];
        if (c->body != SG_CHOICE_PORTABLE) {
            mark(plan, sg_function_find(plan, c->body, c->store_mode), called);
        }
    }
    int64_t kept = 0;
    for (int64_t i = 0; i < plan->nfunctions; ++i) {
        if (plan->functions[i].body == SG_CHOICE_PORTABLE ||
            plan->functions[i].role == SG_ROLE_ROW_GROUPS) {
            mark(plan, i, called);
        }
    }
    for (int64_t i = 0; i < plan->nfunctions; ++i) {
        numbers[i] = kept;
        plan->functions[kept] = plan->functions[i];
        kept += called[i];
    }
    plan->nfunctions = kept;
    for (int64_t i = 0; i < kept; ++i) {
        renumber(arena, plan, &plan->functions[i], numbers);
    }
}

void sg_functions_build(sg_arena *arena, sg_plan *plan)
{
    plan->functions = SG_NEW_ARRAY(arena, sg_function, most_functions(plan));
    plan->nfunctions = 0;
    if (plan->bits != NULL) {
        sg_bit_groups_build(arena, plan);
    }
    for (int64_t i = 0; i < plan->nbodies; ++i) {
        if (!sg_choices_want(plan, i)) {
            continue;
        }
        if (plan->array_params) {
            sg_column_groups_build(arena, plan, i);
        } else {
            sg_rows_build(arena, plan, i);
        }
    }
    sg_entry_points_build(arena, plan);
    drop_uncalled(arena, plan);
}
