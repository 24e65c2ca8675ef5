/* Bodies that copy one row of all outputs after the other by non-temporal stores, for machines with
 * IN_ORDER. The bodies of other machines take a few outputs or rows at a time, so that lines of
 * several outputs do not drive each other out of a set of the cache; non-temporal stores do not use
 * the cache. */
#include "plan/body/in_order.h"

#include "plan/body/slices.h"
#include "plan/body/vector_runs.h"
#include "plan/machine/machine.h"
#include "plan/layout.h"
#include "plan/plan.h"

/* Marks the runs of at least a line; whether they are nearly all bytes. */
static bool mark_lines(const sg_plan *plan, const sg_body *v)
{
    const sg_map *map = &plan->map;
    int64_t marked = 0;
    for (int64_t s = 0; s < v->nslices; ++s) {
        const sg_code *code = &v->codes[v->slices[s].code];
        for (int64_t i = 0; i < code->ninsns; ++i) {
            sg_insn *insn = &code->insns[i];
            insn->combines = insn->bytes >= SG_LINE_BYTES &&
                             insn->bytes == map->parts[v->slices[s].part + insn->to.part].width;
            marked += insn->combines ? insn->bytes : 0;
        }
    }
    return sg_runs_most(marked, map->row_stride);
}

static bool build(sg_arena *arena, const sg_plan *plan, const sg_isa_info *isa, sg_body *v)
{
    if (plan->map.joins || !sg_map_all_dense(&plan->map) || !sg_runs_alternate(&plan->map) ||
        sg_plan_bytes(plan) < SG_ALTERNATE_FAR_BYTES || !sg_isa_has_write_combining(isa)) {
        return false;
    }
    if (!(plan->array_params ? sg_slices_build_runs(arena, plan, isa, v)
                             : sg_runs_build(arena, plan, isa, true, v))) {
        return false;
    }
    v->trait = SG_TRAIT_IN_ORDER;
    v->only = sg_uarch_with(v->trait, isa->isa);
    v->in_order = true;
    v->block_rows = 1;
    return mark_lines(plan, v);
}

/* note [in order]
 * With non-temporal stores outputs do not compete for the ways of a set of the cache, and memory is
 * faster when rows come one after the other. With ordinary stores outputs are still written one
 * after the other over several rows: congruent outputs would drive each other out of the cache.
 * Machines without IN_ORDER were not measured with rows in order (MEASURED.md, Rows in order). */
void sg_in_order_add(sg_arena *arena, sg_plan *plan)
{
    for (int64_t i = 0; i < plan->nbodies; ++i) {
        const sg_body *shared = &plan->bodies[i];
        sg_body v;
        if (shared->only != SG_UARCH_GENERIC || shared->lanes > 1 ||
            !build(arena, plan, shared->isa, &v)) {
            continue;
        }
        for (int64_t j = plan->nbodies++; j > i; --j) {
            plan->bodies[j] = plan->bodies[j - 1];
        }
        plan->bodies[i] = v;
        return;
    }
}
