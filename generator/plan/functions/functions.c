/* The functions of a plan: for every body and way of storing that the table of choices takes. */
#include "plan/functions/function.h"

#include "plan/choose/choices.h"
#include "plan/bits/bit_program.h"
#include "plan/functions/bit_groups.h"
#include "plan/functions/entrances.h"
#include "plan/functions/rows.h"
#include "plan/functions/strips.h"
#include "plan/plan.h"

const char *sg_number_name(sg_number number)
{
    static const char *const names[] = {
#define NUMBER(id, name) name,
#include "plan/functions/numbers.inc"
#undef NUMBER
    };
    return names[number];
}

const char *sg_step_name(sg_step_kind kind)
{
    static const char *const names[] = {
#define STEP(id, name, meaning) name,
#include "plan/functions/steps.inc"
#undef STEP
    };
    return names[kind];
}

const char *sg_expr_name(sg_expr_op op)
{
    static const char *const names[] = {
#define EXPR(id, name, meaning) name,
#include "plan/functions/exprs.inc"
#undef EXPR
    };
    return names[op];
}

const char *sg_storing_name(sg_storing storing)
{
    static const char *const names[] = {[SG_STORING_CACHED] = "cached",
                                        [SG_STORING_PROLOGUE] = "prologue",
                                        [SG_STORING_PAST] = "past",
                                        [SG_STORING_COMBINED] = "combined",
                                        [SG_STORING_COMBINED_PAST] = "combined past",
                                        [SG_STORING_LINES] = "lines",
                                        [SG_STORING_GIVEN] = "given"};
    return names[storing];
}

const char *sg_portion_name(sg_portion portion)
{
    static const char *const names[] = {[SG_PORTION_ALL] = "all",
                                        [SG_PORTION_TOGETHER] = "together",
                                        [SG_PORTION_OTHERS] = "others"};
    return names[portion];
}

const char *sg_role_name(sg_function_role role)
{
    static const char *const names[] = {[SG_ROLE_ROWS] = "rows",
                                        [SG_ROLE_BLOCK] = "block",
                                        [SG_ROLE_STRIP] = "strip",
                                        [SG_ROLE_STRIP_EITHER] = "strip_either",
                                        [SG_ROLE_STRIP_ROWS] = "strip_rows",
                                        [SG_ROLE_GROUPS] = "groups",
                                        [SG_ROLE_STRIP_ROW] = "strip_row",
                                        [SG_ROLE_DISPATCH] = "dispatch",
                                        [SG_ROLE_ANY] = "any",
                                        [SG_ROLE_OPEN] = "open",
                                        [SG_ROLE_SOME] = "some",
                                        [SG_ROLE_DESCRIPTOR] = "descriptor"};
    return names[role];
}

int64_t sg_function_find(const sg_plan *plan, int64_t variant, sg_way way)
{
    for (int64_t i = 0; i < plan->nfunctions; ++i) {
        const sg_function *f = &plan->functions[i];
        if ((f->role == SG_ROLE_ROWS || f->role == SG_ROLE_GROUPS) && f->variant == variant &&
            f->way == way) {
            return i;
        }
    }
    return -1;
}

/* Functions of a variant: in order, or four ways of storing, each of which takes rows, blocks, and
 * for every body one or two functions of strips. Over bits a body stores in one way or two. Two
 * choose. */
static int64_t most_functions(const sg_plan *plan)
{
    int64_t most = 2 + (plan->bits != NULL ? 2 * plan->bits->nbodies : 0);
    for (int64_t i = 0; i < plan->nvariants; ++i) {
        most += plan->array_params ? 4 * (2 + 2 * plan->variants[i].nbodies) : 4;
    }
    return most;
}

void sg_functions_build(sg_arena *arena, sg_plan *plan)
{
    plan->functions = SG_NEW_ARRAY(arena, sg_function, most_functions(plan));
    if (plan->bits != NULL) {
        sg_bit_groups_build(arena, plan);
    }
    for (int64_t i = 0; i < plan->nvariants; ++i) {
        if (!sg_choices_want(plan, i)) {
            continue;
        }
        if (plan->array_params) {
            sg_strips_build(arena, plan, i);
        } else {
            sg_rows_build(arena, plan, i);
        }
    }
    sg_entrances_build(arena, plan);
}
