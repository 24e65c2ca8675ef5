/* The dispatch table, from bodies, machines and situations. */
#include "plan/choose/choices.h"

#include <string.h>

#include "base/checked.h"
#include "plan/bits/bit_program.h"
#include "plan/caches.h"
#include "plan/choose/candidates.h"
#include "plan/insn.h"
#include "plan/machine/machine.h"
#include "plan/layout.h"
#include "plan/plan.h"

/* Maximum number of table rows per body: one for each way of storing, and that of add_halves(). */
#define ROWS_PER_BODY 5

const char *sg_store_mode_name(sg_store_mode store_mode)
{
    static const char *const names[] = {[SG_STORE_ORDINARY] = "ordinary",
                                        [SG_STORE_NON_TEMPORAL] = "non-temporal",
                                        [SG_STORE_COMBINED] = "combined",
                                        [SG_STORE_COMBINED_NON_TEMPORAL] = "combined non-temporal"};
    return names[store_mode];
}

const sg_choice *sg_choices_find(const sg_plan *plan, int64_t body, sg_store_mode store_mode)
{
    for (int64_t i = 0; i < plan->nchoices; ++i) {
        if (plan->choices[i].body == body && plan->choices[i].store_mode == store_mode) {
            return &plan->choices[i];
        }
    }
    return NULL;
}

bool sg_choices_want(const sg_plan *plan, int64_t body)
{
    const sg_body *v = &plan->bodies[body];
    return !v->is_few || sg_choices_find(plan, body, SG_STORE_ORDINARY) != NULL;
}

bool sg_choices_combine_instead(const sg_plan *plan, int64_t body)
{
    for (int64_t i = 0; i < plan->nchoices; ++i) {
        const sg_choice *c = &plan->choices[i];
        if (c->body == body &&
            (c->store_mode == SG_STORE_COMBINED ||
             c->store_mode == SG_STORE_COMBINED_NON_TEMPORAL) &&
            c->footprint == SG_FOOTPRINT_ANY && c->aligned == 1 && c->off == 0 &&
            c->traits == sg_trait_bit(plan->bodies[body].trait)) {
            return true;
        }
    }
    return false;
}

uint32_t sg_choices_traits(const sg_plan *plan, const sg_choice *choice)
{
    return choice->traits | (plan->bits != NULL ? sg_trait_bit(SG_TRAIT_PEXT) : 0);
}

/* Whether every processor that can run b can also run a. */
static bool needs_all_of(const sg_plan *plan, const sg_choice *b, const sg_choice *a)
{
    const sg_isa_info *of_a = plan->bodies[a->body].isa;
    const sg_isa_info *of_b = plan->bodies[b->body].isa;
    return sg_isa_same_family(of_a, of_b) && strcmp(of_a->cpu, of_b->cpu) == 0 &&
           (a->traits & ~b->traits) == 0;
}

/* Whether outputs misaligned to `b` bytes are also misaligned to `a`; both as in sg_choice.off. */
static bool off_implies(int64_t b, int64_t a)
{
    return a == 0 || a == b || (b == SG_OFF_UNIT && a == SG_LINE_BYTES);
}

/* Whether a fits wherever b does, apart from the alignment of outputs. */
static bool covers(const sg_plan *plan, const sg_choice *a, const sg_choice *b)
{
    return needs_all_of(plan, b, a) && a->rows <= b->rows &&
           (a->footprint == SG_FOOTPRINT_ANY || a->footprint == b->footprint);
}

/* Appends a row to the table, unless it could never be taken: an earlier row fits wherever it does,
 * or two rows do together, one for outputs aligned to cache lines and one for the others. */
static void add(sg_plan *plan, sg_choice choice)
{
    bool lines = false;
    bool others = false;
    for (int64_t i = 0; i < plan->nchoices; ++i) {
        const sg_choice *c = &plan->choices[i];
        if (covers(plan, c, &choice)) {
            lines = lines || c->off == 0;
            others = others || (c->aligned == 1 && c->off == SG_LINE_BYTES);
            if (choice.aligned % c->aligned == 0 && off_implies(choice.off, c->off)) {
                return;
            }
        }
    }
    if (!lines || !others) {
        plan->choices[plan->nchoices++] = choice;
    }
}

/* The footprint from which bodies use non-temporal stores. */
static sg_footprint beyond_cache(const sg_plan *plan, sg_footprint share)
{
    return plan->non_temporal == SG_NON_TEMPORAL_ALWAYS ? SG_FOOTPRINT_ANY : share;
}

/* Whether write combining rotates vectors by whole words, so that outputs must be aligned to words.
 * */
static bool rotates_words(const sg_body *v)
{
    const sg_code *code = &v->codes[0];
    for (int64_t i = 0; i < code->ninsns; ++i) {
        if (code->insns[i].combines && !sg_insn_is_run(&code->insns[i])) {
            return sg_isa_index_bytes(v->isa, v->lane_bytes) > 1;
        }
    }
    return false;
}

/* Whether non-temporal stores of a body need outputs that are aligned to cache lines. */
static bool begins_at_lines(const sg_body *v)
{
    bool ragged = false;
    for (int64_t b = 0; b < v->ncodes; ++b) {
        ragged = ragged || sg_code_has(&v->codes[b], sg_insn_is_ragged);
    }
    return !ragged;
}

/* The least rows of a choice for a body that takes `rows` rows: with a dynamic number, fewer than
 * some rows are copied in line. */
static int64_t rows_from(const sg_plan *plan, int64_t rows)
{
    const int64_t least = sg_plan_takes_any(plan) ? sg_candidates_least_rows(plan) : 1;
    return rows > least ? rows : least;
}

/* Appends the rows for all ways of storing of a body, those with most conditions first. */
static void add_one_body(sg_plan *plan, int64_t number, sg_footprint share)
{
    const sg_body *v = &plan->bodies[number];
    const bool may = v->isa->non_temporal && plan->non_temporal != SG_NON_TEMPORAL_NEVER;
    const sg_choice any = {.body = number,
                           .traits = sg_trait_bit(v->trait),
                           .rows = rows_from(plan, v->rows_per_iteration),
                           .aligned = 1};
    const bool always = v->write_combining == SG_WRITE_COMBINING_ALWAYS;
    if (may && v->allows_non_temporal && !always) {
        sg_choice non_temporal = any;
        non_temporal.store_mode = SG_STORE_NON_TEMPORAL;
        non_temporal.footprint = beyond_cache(plan, share);
        non_temporal.aligned = begins_at_lines(v) ? SG_LINE_BYTES : 1;
        add(plan, non_temporal);
    }
    sg_choice combiner = any;
    combiner.rows = rows_from(plan, v->prologue_rows + v->rows_per_iteration);
    combiner.aligned = rotates_words(v) ? 4 : 1;
    if (may && v->combines_non_temporal) {
        sg_choice non_temporal = combiner;
        non_temporal.store_mode = SG_STORE_COMBINED_NON_TEMPORAL;
        non_temporal.footprint = beyond_cache(plan, share);
        non_temporal.off = v->write_combining == SG_WRITE_COMBINING_UNALIGNED ? SG_LINE_BYTES : 0;
        add(plan, non_temporal);
    }
    if (always || v->write_combining == SG_WRITE_COMBINING_UNALIGNED) {
        const bool told = sg_uarch_has(v->only, v->combining_trait);
        combiner.store_mode = SG_STORE_COMBINED;
        combiner.traits |= told ? 0 : sg_trait_bit(v->combining_trait);
        combiner.off = always ? 0 : told ? SG_OFF_UNIT : SG_LINE_BYTES;
        add(plan, combiner);
    }
    add(plan, any);
}

/* Whether a body only copies whole runs and prefetches. */
static bool copies_only_runs(const sg_body *v)
{
    bool only = true;
    for (int64_t b = 0; b < v->ncodes; ++b) {
        for (int64_t n = 0; n < v->codes[b].ninsns; ++n) {
            const sg_insn *insn = &v->codes[b].insns[n];
            only = only && (sg_insn_is_run(insn) || insn->op == SG_INSN_PREFETCH);
        }
    }
    return only;
}

/* Whether all bodies of the kernel do. */
static bool has_only_runs(const sg_plan *plan)
{
    bool only = true;
    for (int64_t i = 0; i < plan->nbodies; ++i) {
        only = only && copies_only_runs(&plan->bodies[i]);
    }
    return only;
}

/* Appends a row that, on machines which store 64 bytes as two halves, prefers runs by narrower
 * vectors to those of body `number`: in L1, stores across cache lines then cost less (MEASURED.md,
 * Choosing bodies). */
static void add_halves(sg_plan *plan, int64_t number)
{
    const sg_body *v = &plan->bodies[number];
    const sg_body *next = v + 1;
    if (number + 1 < plan->nbodies && sg_plan_bytes(plan) <= SG_SMALL_BYTES &&
        v->isa->unit == SG_LINE_BYTES && sg_isa_same_family(v->isa, next->isa) &&
        next->isa->unit < SG_LINE_BYTES && copies_only_runs(v) && copies_only_runs(next)) {
        add(plan, (sg_choice){.body = number + 1,
                              .traits = sg_trait_bit(SG_TRAIT_HALF_STORES),
                              .rows = rows_from(plan, next->rows_per_iteration),
                              .aligned = 1});
    }
}

/* Maximum number of instructions in a row that entry points copy inline for few rows, as a kernel
 * with a fixed small number of rows would. */
#define FEW_ROW_INSNS 16

/* Below this number of rows no body is selected; with a dynamic number, entry points copy them
 * inline. */
static int64_t few_rows(const sg_plan *plan)
{
    int64_t least = INT64_MAX;
    if (!sg_plan_takes_any(plan) || plan->nbodies == 0 || plan->optimize == SG_OPTIMIZE_SIZE ||
        plan->row.ninsns > FEW_ROW_INSNS) {
        return 0;
    }
    for (int64_t i = 0; i < plan->nchoices; ++i) {
        const sg_choice *c = &plan->choices[i];
        least = c->body != SG_CHOICE_PORTABLE && c->rows < least ? c->rows : least;
    }
    return least > 1 ? least : 0;
}

/* Bodies over bits copy any number of groups, so their rows require only the instruction set. */
static void add_bit_bodies(sg_arena *arena, sg_plan *plan)
{
    const sg_bits *bits = plan->bits;
    plan->choices = SG_NEW_ARRAY(arena, sg_choice, bits->nbodies);
    for (int64_t i = 0; i < bits->nbodies - 1; ++i) {
        plan->choices[plan->nchoices++] = (sg_choice){.body = i, .rows = 1, .aligned = 1};
    }
}

static void add_portable(sg_plan *plan)
{
    plan->choices[plan->nchoices++] =
        (sg_choice){.body = SG_CHOICE_PORTABLE, .rows = 1, .aligned = 1};
}

void sg_choices_build(sg_arena *arena, sg_plan *plan)
{
    if (plan->bits != NULL) {
        add_bit_bodies(arena, plan);
        add_portable(plan);
        return;
    }
    const bool many = plan->map.nparts > SG_OUTPUTS_TOGETHER && !has_only_runs(plan);
    const sg_footprint share = many ? SG_FOOTPRINT_MANY : SG_FOOTPRINT_ROWS;
    plan->choices = SG_NEW_ARRAY(arena, sg_choice, ROWS_PER_BODY * plan->nbodies + 1);
    for (int64_t i = 0; i < plan->nbodies; ++i) {
        add_halves(plan, i);
        add_one_body(plan, i, share);
    }
    add_portable(plan);
    plan->few_rows = few_rows(plan);
}

static void keep_bodies(sg_arena *arena, sg_plan *plan, const bool *used)
{
    sg_body *bodies = SG_NEW_ARRAY(arena, sg_body, plan->nbodies);
    int64_t n = 0;
    for (int64_t i = 0; i < plan->nbodies; ++i) {
        if (used[i]) {
            bodies[n++] = plan->bodies[i];
        }
    }
    plan->bodies = bodies;
    plan->nbodies = n;
}

void sg_choices_keep(sg_arena *arena, sg_plan *plan, const bool *kept)
{
    sg_choice *choices = SG_NEW_ARRAY(arena, sg_choice, plan->nchoices);
    bool *used = SG_NEW_ARRAY(arena, bool, plan->nbodies);
    int64_t *numbers = SG_NEW_ARRAY(arena, int64_t, plan->nbodies);
    int64_t n = 0;
    for (int64_t i = 0; i < plan->nchoices; ++i) {
        const int64_t body = plan->choices[i].body;
        if (kept[i] && body != SG_CHOICE_PORTABLE) {
            used[body] = true;
        }
    }
    for (int64_t i = 1; i < plan->nbodies; ++i) {
        numbers[i] = numbers[i - 1] + used[i - 1];
    }
    for (int64_t i = 0; i < plan->nchoices; ++i) {
        if (kept[i]) {
            sg_choice *choice = &choices[n++];
            *choice = plan->choices[i];
            choice->body =
                choice->body != SG_CHOICE_PORTABLE ? numbers[choice->body] : SG_CHOICE_PORTABLE;
        }
    }
    plan->choices = choices;
    plan->nchoices = n;
    keep_bodies(arena, plan, used);
    plan->few_rows = few_rows(plan);
}
