/* The functions of a plan: for every body and way of storing that the table of choices takes. */
#include "plan/functions/functions.h"

#include "plan/bits/bit_program.h"
#include "plan/choose/choices.h"
#include "plan/functions/bit_groups.h"
#include "plan/functions/entrances.h"
#include "plan/functions/rows.h"
#include "plan/functions/column_groups.h"
#include "plan/plan.h"

/* Functions of a body: in order, or four ways of storing, each of which takes rows, blocks, and
 * for every body one or two functions of column groups. Over bits a body stores in one way or two.
 * Two choose. */
static int64_t most_functions(const sg_plan *plan)
{
    int64_t most = 2 + (plan->bits != NULL ? 2 * plan->bits->nbodies : 0);
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
