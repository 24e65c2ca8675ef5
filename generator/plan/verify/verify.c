/* Which proof a plan needs. */
#include "plan/verify/verify.h"

#include "plan/plan.h"
#include "plan/verify/verify_bits.h"
#include "plan/verify/verify_bytes.h"

const char *sg_verify(sg_arena *arena, const sg_plan *plan)
{
    return plan->split->packing == SG_PACKING_NONE ? sg_verify_bytes(arena, plan)
                                                   : sg_verify_packed(arena, plan);
}
