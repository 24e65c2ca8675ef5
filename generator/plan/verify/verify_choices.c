/* Verifies the dispatch table: the conditions of every row imply what its body needs, the last row
 * matches everything, and every row is the first match on some machine in some situation. Shares no
 * code with the planner. */
#include "plan/verify/verify_choices.h"

#include <inttypes.h>
#include <string.h>

#include "plan/bits/bit_program.h"
#include "plan/insn.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"

/* One call on one machine. */
typedef struct situation {
    const bool *isas; /* by sg_isa */
    uint32_t traits;  /* bits by sg_trait */
    int64_t rows;
    bool non_temporal; /* the footprint exceeds any share of the cache */
    int64_t alignment; /* common alignment of all outputs, a power of two */
} situation;

static bool matches(const sg_plan *plan, const sg_choice *c, const situation *s)
{
    if (c->body == SG_CHOICE_PORTABLE) {
        return true;
    }
    const sg_isa isa = plan->bits != NULL ? sg_bit_body_isa(plan->bits->bodies[c->body])->isa
                                          : plan->bodies[c->body].isa->isa;
    const int64_t unit = (s->traits >> SG_TRAIT_HALF_STORES & 1U) != 0 ? 32 : 64;
    const int64_t off = c->off == SG_OFF_UNIT ? unit : c->off;
    return s->isas[isa] && (c->traits & ~s->traits) == 0 && s->rows >= c->rows &&
           (c->footprint == SG_FOOTPRINT_ANY || s->non_temporal) &&
           s->alignment % c->aligned == 0 && (off == 0 || s->alignment % off != 0);
}

/* Marks the row that is taken in a situation. */
static void reach(const sg_plan *plan, const situation *s, bool *reached)
{
    for (int64_t i = 0; i < plan->nchoices; ++i) {
        if (matches(plan, &plan->choices[i], s)) {
            reached[i] = true;
            return;
        }
    }
}

/* Tries all situations on one machine. */
static void reach_all(const sg_plan *plan, situation s, bool *reached)
{
    for (int64_t i = 0; i < plan->nchoices; ++i) {
        for (int non_temporal = 0; non_temporal < 2; ++non_temporal) {
            for (int64_t alignment = 1; alignment <= SG_LINE_BYTES; alignment *= 2) {
                s.rows = plan->choices[i].rows;
                s.non_temporal = non_temporal == 1;
                s.alignment = alignment;
                reach(plan, &s, reached);
            }
        }
    }
}

/* The instruction sets of a processor whose best one is `best`. */
static void isas_from(sg_isa best, bool *isas)
{
    for (int i = 0; i < SG_ISA_COUNT; ++i) {
        isas[i] = i >= (int)best && sg_isa_same_family(sg_isa_get((sg_isa)i), sg_isa_get(best));
    }
}

static const char *find_unreached(sg_arena *arena, const sg_plan *plan)
{
    bool *reached = SG_NEW_ARRAY(arena, bool, plan->nchoices);
    bool isas[SG_ISA_COUNT] = {false};
    situation s = {.isas = isas};
    for (int i = 0; i < SG_ISA_COUNT; ++i) {
        isas_from((sg_isa)i, isas);
        for (int u = 0; u < SG_UARCH_COUNT; ++u) {
            const bool any = u == SG_UARCH_GENERIC;
            if (any || sg_isa_cost((sg_isa)i, (sg_uarch)u) != NULL) {
                s.traits = sg_uarch_traits((sg_uarch)u);
                reach_all(plan, s, reached);
            }
        }
    }
    for (int64_t i = 0; i + 1 < plan->nchoices; ++i) {
        if (!reached[i]) {
            return sg_arena_printf(arena, "row %" PRId64 " of the choices is never taken", i);
        }
    }
    return NULL;
}

/* Checks the conditions for non-temporal stores; NULL: satisfied. */
static const char *find_missing_past(const sg_plan *plan, const sg_choice *c)
{
    if (c->store_mode == SG_STORE_ORDINARY || c->store_mode == SG_STORE_COMBINED) {
        return NULL;
    }
    if (plan->non_temporal == SG_NON_TEMPORAL_NEVER || !plan->bodies[c->body].isa->non_temporal) {
        return "uses non-temporal stores, which its plan or instruction set does not";
    }
    if (plan->non_temporal == SG_NON_TEMPORAL_LARGE && c->footprint == SG_FOOTPRINT_ANY) {
        return "uses non-temporal stores even if the data fits the cache";
    }
    return NULL;
}

/* Whether some non-temporal store of a body requires whole cache lines. */
static bool needs_lines(const sg_body *v)
{
    bool needs = false;
    for (int64_t b = 0; b < v->ncodes; ++b) {
        for (int64_t i = 0; i < v->codes[b].ninsns; ++i) {
            const sg_insn *insn = &v->codes[b].insns[i];
            needs = needs || sg_insn_stores_vectors(insn) || (insn->lines && !insn->ragged);
        }
    }
    return needs;
}

/* Checks that a row's conditions imply what its body and its way of storing need; NULL: they do. */
static const char *find_missing(const sg_plan *plan, const sg_choice *c)
{
    if (plan->bits != NULL) { /* words and runs copy any number of groups */
        return c->store_mode == SG_STORE_ORDINARY
                   ? NULL
                   : "uses a way of storing that its body does not have";
    }
    const sg_body *v = &plan->bodies[c->body];
    const bool combiners =
        c->store_mode == SG_STORE_COMBINED || c->store_mode == SG_STORE_COMBINED_NON_TEMPORAL;
    const char *non_temporal = find_missing_past(plan, c);
    if (c->rows < v->rows_per_iteration + (combiners ? v->prologue_rows : 0)) {
        return "has too few rows for its body";
    }
    if (non_temporal != NULL) {
        return non_temporal;
    }
    if (c->store_mode == SG_STORE_NON_TEMPORAL &&
        (!v->allows_non_temporal || (c->aligned % SG_LINE_BYTES != 0 && needs_lines(v)))) {
        return "stores whole cache lines at addresses that may not be aligned";
    }
    if (combiners && v->write_combining == SG_WRITE_COMBINING_NEVER) {
        return "combines writes, which its body does not";
    }
    if (c->store_mode == SG_STORE_COMBINED_NON_TEMPORAL && !v->combines_non_temporal) {
        return "uses non-temporal write combining, which its body does not";
    }
    const int64_t index = sg_isa_index_bytes(v->isa, v->lane_bytes);
    for (int64_t i = 0; combiners && i < v->codes[0].ninsns; ++i) {
        const sg_insn *insn = &v->codes[0].insns[i];
        if (insn->op == SG_INSN_STORE && insn->combines && index > 1 && c->aligned % 4 != 0) {
            return "rotates words, but outputs need not be aligned to words";
        }
    }
    return NULL;
}

const char *sg_verify_choices(sg_arena *arena, const sg_plan *plan)
{
    if (plan->nchoices == 0) {
        return "there is nothing to choose from";
    }
    const sg_choice *last = &plan->choices[plan->nchoices - 1];
    if (last->body != SG_CHOICE_PORTABLE || last->rows > 1) {
        return "the last choice does not match everything";
    }
    const int64_t codes = plan->bits != NULL ? plan->bits->nbodies - 1 : plan->nbodies;
    for (int64_t i = 0; i + 1 < plan->nchoices; ++i) {
        const sg_choice *c = &plan->choices[i];
        if (c->body < 0 || c->body >= codes || c->aligned < 1) {
            return sg_arena_printf(arena, "row %" PRId64 " of the choices has no body", i);
        }
        const char *flaw = find_missing(plan, c);
        if (flaw != NULL) {
            return sg_arena_printf(arena, "row %" PRId64 " of the choices %s", i, flaw);
        }
    }
    return find_unreached(arena, plan);
}
