/* Verifies plans, and leaves out what does not verify. */
#include "plan/settle.h"

#include "plan/bytes.h"
#include "plan/choose/choices.h"
#include "plan/functions/functions.h"
#include "plan/plan.h"
#include "plan/verify/verify.h"

/* Why the proof refuses the plan, with its functions; NULL: it is verified. */
static const char *refusal(sg_arena *arena, const sg_plan *plan, const sg_map *map)
{
    sg_arena scratch; /* a proof takes as much memory as a plan, and is dropped at once */
    sg_arena_init(&scratch);
    const char *flaw = map != NULL ? sg_verify_map(&scratch, plan, map) : sg_verify(&scratch, plan);
    flaw = flaw != NULL ? sg_arena_printf(arena, "%s", flaw) : NULL;
    sg_arena_free(&scratch);
    return flaw;
}

/* The plan with some rows of its dispatch table. */
static sg_plan *with_rows(sg_arena *arena, const sg_plan *plan, const bool *kept)
{
    sg_plan *some = SG_NEW(arena, sg_plan);
    *some = *plan;
    sg_choices_keep(arena, some, kept);
    sg_bytes_adapt(arena, some);
    sg_functions_build(arena, some);
    return some;
}

sg_plan *sg_settle(sg_arena *arena, sg_diag *diag, sg_plan *plan, const sg_map *map, bool strict)
{
    sg_functions_build(arena, plan);
    const char *flaw = refusal(arena, plan, map);
    if (flaw == NULL) {
        return plan;
    }
    const sg_span span = plan->split->op->span;
    const int64_t portable = plan->nchoices - 1;
    bool *kept = SG_NEW_ARRAY(arena, bool, plan->nchoices);
    kept[portable] = true;
    /* over bits, all bodies execute the same words */
    sg_plan *verified = plan->bits == NULL ? with_rows(arena, plan, kept) : NULL;
    if (strict || verified == NULL || refusal(arena, verified, map) != NULL) {
        sg_diag_fail(diag, SG_EXIT_BUG, span,
                     "the plan of '%s' does not verify: %s; this is a bug in splitgen, please "
                     "report it with this input",
                     plan->split->name, flaw);
        return NULL;
    }
    for (int64_t i = 0; i < portable; ++i) {
        kept[i] = true;
        sg_plan *more = with_rows(arena, plan, kept);
        kept[i] = refusal(arena, more, map) == NULL;
        verified = kept[i] ? more : verified;
    }
    sg_diag_warn_uncapped(
        diag, span,
        "some vector code of '%s' does not verify and is left out: %s; the kernel is right but may "
        "be slower; this is a bug in splitgen, please report it with this input",
        plan->split->name, flaw);
    return verified;
}
