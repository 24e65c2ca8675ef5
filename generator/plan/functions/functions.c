/* The functions of a plan: for every body and way of storing that the table of choices names. */
#include "plan/functions/functions.h"

#include "plan/bits/bit_program.h"
#include "plan/choose/choices.h"
#include "plan/functions/bit_groups.h"
#include "plan/functions/entrances.h"
#include "plan/functions/rows.h"
#include "plan/functions/column_groups.h"
#include "plan/plan.h"

/* An upper bound. A body has one function for each of the four ways of storing; with an array of
 * outputs each way has one for rows, one for blocks, and one or two for each kind of column group.
 * Over bits a body stores in at most two ways. There are at most three entrances. */
static int64_t most_functions(const sg_plan *plan)
{
    int64_t most = 3 + (plan->bits != NULL ? 2 * plan->bits->nbodies : 0);
    for (int64_t i = 0; i < plan->nbodies; ++i) {
        most += plan->array_params ? 4 * (2 + 2 * plan->bodies[i].ncodes) : 4;
    }
    return most;
}

void sg_functions_build(sg_arena *arena, sg_plan *plan)
{
    plan->functions = SG_NEW_ARRAY(arena, sg_function, most_functions(plan));
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
    sg_entrances_build(arena, plan);
}
