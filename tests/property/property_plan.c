/* Properties of plans: a simulator that shares no code with the planner or its verifier finds
 * every plan right, and the verifier refuses every plan that the simulator finds wrong. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "mutate.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"
#include "plan/verify/verify.h"
#include "runner.h"
#include "simulate.h"
#include "split/resolve.h"

static void generate(rng *r, split_case *c)
{
    static const int64_t sizes[] = {60, 600, 6000};
    if (rng_one_in(r, 2)) {
        case_generate_narrow(r, c);
    } else {
        case_generate(r, RNG_PICK(r, sizes), c);
    }
}

static sg_plan_options random_options(rng *r)
{
    const uint32_t all = (UINT32_C(1) << SG_ISA_COUNT) - 1;
    return (sg_plan_options){
        .unroll = (sg_unroll)rng_in(r, SG_UNROLL_AUTO, SG_UNROLL_NONE),
        .isas = rng_one_in(r, 4) ? 0 : (uint32_t)rng_in(r, 0, all),
        .tune = (sg_uarch)rng_in(r, SG_UARCH_GENERIC, SG_UARCH_COUNT - 1),
    };
}

/* The plan of a case, or NULL if there is none to check: an illegal op (while shrinking), or
 * straight-line code beyond the limit. *ok: no other failure. */
static const sg_plan *plan_of(const split_case *c, rng *r, sg_arena *arena, sg_buf *why, bool *ok)
{
    sg_diag diag;
    sg_diag_init(&diag, arena);
    *ok = true;
    const sg_split *split =
        sg_resolve(arena, &diag, case_op(c, arena), &(sg_resolve_options){.prefix = ""});
    if (split == NULL) {
        return NULL;
    }
    const sg_plan_options options = random_options(r);
    const sg_plan *plan = sg_plan_build(arena, &diag, split, &options);
    const sg_exit code = sg_diag_exit(&diag);
    if (plan == NULL && code == SG_EXIT_BUDGET && options.unroll == SG_UNROLL_FULL) {
        return NULL;
    }
    if (plan == NULL || code != SG_EXIT_OK) {
        *ok = property_fails(why, "no plan, exit code %d: %s", (int)code,
                             diag.last != NULL ? diag.last->message : "");
    }
    return plan;
}

static bool check_statistics(const sg_plan *plan, sg_buf *why)
{
    int64_t moved = 0;
    for (int64_t p = 0; p < plan->split->nparts; p++) {
        moved += plan->split->parts[p].wanted
                     ? sg_split_bytes(plan->split, plan->split->parts[p].elements)
                     : 0;
    }
    const bool by_rows = plan->kind == SG_PLAN_ROWS || plan->nbodies > 0;
    int64_t insns = by_rows && plan->iteration.rows == 1 ? 0 : plan->iteration.ninsns;
    int64_t copies = plan->iteration.ninsns;
    if (by_rows) {
        insns += plan->row.ninsns;
        copies = plan->map.rows / plan->iteration.rows * plan->iteration.ninsns +
                 plan->map.rows % plan->iteration.rows * plan->row.ninsns;
    }
    if (plan->bytes_moved != moved || plan->insns != insns || plan->copies != copies) {
        return property_fails(why, "the statistics do not count what is there");
    }
    return true;
}

static bool plan_holds(const split_case *c, uint64_t seed, sg_buf *why)
{
    rng r = {seed ^ UINT64_C(0x706c616e)};
    sg_arena arena;
    sg_arena_init(&arena);
    bool ok = true;
    const sg_plan *plan = plan_of(c, &r, &arena, why, &ok);
    if (plan != NULL) {
        const char *flaw = sg_verify(&arena, plan);
        ok = simulate_plan(&arena, plan, why) && check_statistics(plan, why) &&
             (flaw == NULL || property_fails(why, "refused although right: %s", flaw));
    }
    sg_arena_free(&arena);
    return ok;
}

static bool mutants_hold(const split_case *c, uint64_t seed, sg_buf *why)
{
    rng r = {seed ^ UINT64_C(0x6d757461)};
    sg_arena arena;
    sg_arena_init(&arena);
    bool ok = true;
    const sg_plan *plan = plan_of(c, &r, &arena, why, &ok);
    for (int i = 0; plan != NULL && ok && i < 12; i++) {
        const char *what = NULL;
        const sg_plan *mutant = mutate_plan(&arena, &r, plan, &what);
        sg_buf flaw = {0};
        if (!simulate_plan(&arena, mutant, &flaw) && sg_verify(&arena, mutant) == NULL) {
            ok = property_fails(why, "not caught: %s\n%s", what, flaw.ptr);
        }
        sg_buf_free(&flaw);
    }
    sg_arena_free(&arena);
    return ok;
}

int main(void)
{
    static const property properties[] = {
        {"plans do what the split says", generate, plan_holds, 1000},
        {"wrong plans do not verify", generate, mutants_hold, 1000},
    };
    return property_main(properties, 2);
}
