/* Properties of plans of packed elements: a simulator that shares no code with the planner or
 * its verifier finds every plan right, and the verifier refuses every plan that the simulator
 * finds wrong. */
#include <inttypes.h>
#include <string.h>

#include "base/diag.h"
#include "mutate_bits.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"
#include "plan/verify/verify.h"
#include "runner.h"
#include "simulate_packed.h"
#include "split/resolve.h"

static const char *const types[] = {"u1", "u2", "i2", "u3", "i3", "u4", "i4",     "nf4",   "f4e2m1",
                                    "u5", "i5", "u6", "i6", "u7", "i7", "f6e2m3", "f6e3m2"};

static void generate(rng *r, split_case *c)
{
    static const int64_t sizes[] = {60, 600, 6000};
    do {
        if (rng_one_in(r, 2)) {
            case_generate_narrow(r, c);
        } else {
            case_generate(r, RNG_PICK(r, sizes), c);
        }
    } while (c->kind != SG_OP_SPLIT);
    c->dtype = RNG_PICK(r, types);
    c->align = 0;
}

/* NULL if there is no plan to check; *ok: no other failure. */
static const sg_plan *plan_of(const split_case *c, rng *r, sg_arena *arena, sg_buf *why, bool *ok)
{
    sg_diag diag;
    sg_diag_init(&diag, arena);
    *ok = true;
    sg_op *op = case_op(c, arena);
    if (rng_one_in(r, 2) && c->dtype != NULL && strchr("3567", c->dtype[1]) == NULL) {
        op->packing = (sg_op_text){.present = true, .text = "msb", .span = op->span};
    }
    const sg_split *split = sg_resolve(arena, &diag, op, &(sg_resolve_options){.prefix = ""});
    if (split == NULL || split->packing == SG_PACKING_NONE) {
        return NULL;
    }
    const sg_plan_options options = {
        .unroll = (sg_unroll)rng_in(r, SG_UNROLL_AUTO, SG_UNROLL_NONE),
        .isas = rng_one_in(r, 4) ? 0 : (uint32_t)rng_in(r, 0, (1 << SG_ISA_COUNT) - 1),
    };
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

static bool plan_holds(const split_case *c, uint64_t seed, sg_buf *why)
{
    rng r = {seed ^ UINT64_C(0x7061636b)};
    sg_arena arena;
    sg_arena_init(&arena);
    bool ok = true;
    const sg_plan *plan = plan_of(c, &r, &arena, why, &ok);
    if (plan != NULL) {
        const char *flaw = sg_verify(&arena, plan);
        ok = simulate_packed(&arena, plan, why) &&
             (flaw == NULL || property_fails(why, "refused although right: %s", flaw));
    }
    sg_arena_free(&arena);
    return ok;
}

static bool mutants_hold(const split_case *c, uint64_t seed, sg_buf *why)
{
    rng r = {seed ^ UINT64_C(0x6d757462)};
    sg_arena arena;
    sg_arena_init(&arena);
    bool ok = true;
    const sg_plan *plan = plan_of(c, &r, &arena, why, &ok);
    for (int i = 0; plan != NULL && plan->bits != NULL && ok && i < 12; i++) {
        const char *what = NULL;
        const sg_plan *mutant = mutate_bits(&arena, &r, plan, &what);
        sg_buf flaw = {0};
        if (!simulate_packed(&arena, mutant, &flaw) && sg_verify(&arena, mutant) == NULL) {
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
        {"plans of packed elements do what the split says", generate, plan_holds, 2000},
        {"wrong plans of packed elements do not verify", generate, mutants_hold, 2000},
    };
    return property_main(properties, 2);
}
