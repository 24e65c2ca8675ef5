/* Names of the enumerators of function.h, and lookups of functions. */
#include "plan/functions/function.h"

#include "plan/layout.h"
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

const char *sg_loop_name(sg_loop loop)
{
    static const char *const names[] = {
#define LOOP(id, name, ...) #name,
#include "plan/functions/loops.inc"
#undef LOOP
    };
    return names[loop];
}

bool sg_loop_calls_cached(sg_loop loop)
{
    static const bool calls[] = {
#define N(number)
#define O(choice)
#define S
#define C
#define L
#define E
#define B | true
#define P
#define LOOP(id, name, arguments) false arguments,
#include "plan/functions/loops.inc"
#undef LOOP
#undef N
#undef O
#undef S
#undef C
#undef L
#undef E
#undef B
#undef P
    };
    return calls[loop];
}

const char *sg_storing_name(sg_storing storing)
{
    static const char *const names[] = {[SG_STORING_ORDINARY] = "ordinary",
                                        [SG_STORING_NON_TEMPORAL] = "non-temporal",
                                        [SG_STORING_COMBINED] = "combined",
                                        [SG_STORING_COMBINED_NON_TEMPORAL] =
                                            "combined non-temporal",
                                        [SG_STORING_GIVEN] = "given"};
    return names[storing];
}

const char *sg_role_name(sg_function_role role)
{
    static const char *const names[] = {[SG_ROLE_ROWS] = "rows",
                                        [SG_ROLE_ROW_GROUPS] = "row_groups",
                                        [SG_ROLE_BLOCK] = "block",
                                        [SG_ROLE_COLUMN_GROUP] = "column_group",
                                        [SG_ROLE_COLUMN_GROUP_EITHER] = "column_group_either",
                                        [SG_ROLE_COLUMN_GROUP_ROWS] = "column_group_rows",
                                        [SG_ROLE_GROUPS] = "groups",
                                        [SG_ROLE_DISPATCH] = "dispatch",
                                        [SG_ROLE_ANY] = "any",
                                        [SG_ROLE_PORTABLE] = "portable",
                                        [SG_ROLE_APART] = "apart",
                                        [SG_ROLE_OPEN] = "open",
                                        [SG_ROLE_DESCRIPTOR] = "descriptor"};
    return names[role];
}

int64_t sg_function_find(const sg_plan *plan, int64_t body, sg_store_mode store_mode)
{
    for (int64_t i = 0; i < plan->nfunctions; ++i) {
        const sg_function *f = &plan->functions[i];
        if ((f->role == SG_ROLE_ROWS || f->role == SG_ROLE_GROUPS) && f->body == body &&
            f->store_mode == store_mode) {
            return i;
        }
    }
    return -1;
}

void sg_function_combined(const sg_plan *plan, const sg_function *f, int64_t *bytes)
{
    const sg_code *code = &plan->bodies[f->body].codes[0];
    for (int64_t p = 0; p < plan->map.nparts; ++p) {
        bytes[p] = 0;
    }
    for (int64_t i = 0; i < code->ninsns; ++i) {
        const int64_t part = code->insns[i].to.part;
        if (code->insns[i].combines) {
            bytes[part == SG_WHOLE ? 0 : part] = sg_map_stride(&plan->map, part);
        }
    }
}

bool sg_functions_take_groups(const sg_plan *plan)
{
    bool take = false;
    for (int64_t i = 0; i < plan->nfunctions; ++i) {
        take = take || plan->functions[i].role == SG_ROLE_ROW_GROUPS;
    }
    return take;
}
