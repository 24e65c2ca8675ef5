/* Counts what the bodies of a kernel consist of. */
#include "plan/tell/figures.h"

#include "base/checked.h"
#include "plan/bits/bit_program.h"
#include "plan/choose/choices.h"
#include "plan/insn.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"

const char *sg_insn_kind_name(sg_insn_kind kind)
{
    static const char *const names[SG_INSN_KINDS] = {
        [SG_INSNS_COPIES] = "copies", [SG_INSNS_CALLS] = "calls",
        [SG_INSNS_LOADS] = "loads",   [SG_INSNS_STORES] = "stores",
        [SG_INSNS_HINTS] = "hints",   [SG_INSNS_REGISTERS] = "registers"};
    return names[kind];
}

/* --- what instructions are -------------------------------------------------------------------- */

static sg_insn_kind kind_of(sg_opcode op)
{
    static const sg_insn_kind kinds[] = {[SG_DOES_RUN] = SG_INSNS_COPIES,
                                         [SG_DOES_LOAD] = SG_INSNS_LOADS,
                                         [SG_DOES_MIX] = SG_INSNS_REGISTERS,
                                         [SG_DOES_STORE] = SG_INSNS_STORES,
                                         [SG_DOES_HINT] = SG_INSNS_HINTS};
    return op == SG_INSN_CALL ? SG_INSNS_CALLS : kinds[sg_opcode_get(op)->does];
}

/* --- counting --------------------------------------------------------------------------------- */

/* Equal blocks are one function, which is printed once. */
static void count_segment(int64_t insns[SG_INSN_KINDS], const sg_segment *segment)
{
    for (int64_t b = 0; b < segment->nblocks; ++b) {
        const sg_block *block = &segment->blocks[b];
        for (int64_t i = 0; block->like == b && i < block->count; ++i) {
            insns[kind_of(segment->insns[block->first + i].op)]++;
        }
    }
}

static void count_portable(int64_t insns[SG_INSN_KINDS], const sg_plan *plan)
{
    for (int64_t s = 0; s < plan->whole.nsegments; ++s) {
        count_segment(insns, &plan->whole.segments[s]);
    }
    if (plan->map.rows > 1) {
        count_segment(insns, &plan->row);
    }
}

/* How many functions of a variant there are, by how they store. */
typedef struct forms {
    int64_t plain;   /* always one */
    int64_t streams; /* by non-temporal stores */
    int64_t fed;     /* by write-combining stores, ordinary or non-temporal ones */
} forms;

static forms forms_of(const sg_plan *plan, const sg_variant *v)
{
    const int64_t number = v - plan->variants;
    return (forms){
        .plain = 1,
        .streams = sg_choices_find(plan, number, SG_WAY_PAST) != NULL,
        .fed = (sg_choices_find(plan, number, SG_WAY_FEED) != NULL) +
               (sg_choices_find(plan, number, SG_WAY_FEED_PAST) != NULL),
    };
}

/* An instruction stands once for each unit of a register where the units copy runs one by one. A
 * run of write-combining stores, or one that non-temporal stores write in a loop of its own, stands
 * once. */
static int64_t times_of(const sg_insn *insn, const sg_isa_info *isa, const forms *f)
{
    const int64_t ways = sg_insn_is_run(insn) ? isa->ways : 1;
    const bool loops = insn->op == SG_INSN_CALL || insn->op == SG_INSN_LINES;
    return f->plain * ways + f->streams * (loops ? 1 : ways) + f->fed * (insn->fed ? 1 : ways);
}

static void count_variant(int64_t insns[SG_INSN_KINDS], const sg_plan *plan, const sg_variant *v)
{
    const forms f = forms_of(plan, v);
    for (int64_t b = 0; b < v->nbodies; ++b) {
        const sg_body *body = &v->bodies[b];
        for (int64_t i = 0; i < body->ninsns; ++i) {
            insns[kind_of(body->insns[i].op)] += times_of(&body->insns[i], v->isa, &f);
        }
    }
    if (v->tail_rows > 0) {
        count_segment(insns, &plan->row);
    }
}

/* --- packed elements -------------------------------------------------------------------------- */

static void count_words(int64_t insns[SG_INSN_KINDS], const sg_bit_segment *segment)
{
    for (int64_t i = 0; i < segment->nops; ++i) {
        const sg_bit_op *op = &segment->ops[i];
        if (op->op == SG_BIT_RUN) {
            insns[SG_INSNS_COPIES]++;
        } else {
            insns[SG_INSNS_LOADS] += op->npieces;
            insns[SG_INSNS_STORES]++;
        }
    }
}

static void count_bits(int64_t insns[SG_INSN_KINDS], const sg_plan *plan, sg_bit_body body)
{
    const sg_bits *bits = plan->bits;
    count_words(insns, &bits->group);
    count_words(insns, &bits->tail);
    if (body == SG_BIT_VBMI) {
        const sg_body *vectors = bits->vectors->bodies;
        const bool streams = plan->past != SG_PAST_NEVER && bits->vectors->front_trips > 0;
        for (int64_t i = 0; i < vectors->ninsns; ++i) {
            insns[kind_of(vectors->insns[i].op)] += streams ? 2 : 1;
        }
    }
}

/* --- bodies ----------------------------------------------------------------------------------- */

static const char *const bit_body_names[] = {[SG_BIT_PORTABLE] = "portable",
                                             [SG_BIT_PEXT] = "pext",
                                             [SG_BIT_AVX2] = "avx2",
                                             [SG_BIT_AVX512] = "avx512",
                                             [SG_BIT_VBMI] = "avx512"};

/* The next body of the list, with nothing counted yet. */
static sg_body_figures *add_body(sg_figures *f, const char *name, sg_uarch only)
{
    sg_body_figures *body = &f->bodies[f->nbodies++];
    *body = (sg_body_figures){.name = name, .only = only};
    return body;
}

static void figure_bits(sg_figures *f, const sg_plan *plan, sg_bit_body body)
{
    count_bits(add_body(f, bit_body_names[body], SG_UARCH_GENERIC)->insns, plan, body);
}

static void figure_bodies(sg_arena *arena, const sg_plan *plan, sg_figures *f)
{
    const sg_bits *bits = plan->bits;
    f->bodies =
        SG_NEW_ARRAY(arena, sg_body_figures, plan->nvariants + (bits != NULL ? bits->nbodies : 1));
    if (bits != NULL) {
        figure_bits(f, plan, SG_BIT_PORTABLE);
    } else {
        count_portable(add_body(f, "portable", SG_UARCH_GENERIC)->insns, plan);
    }
    for (int64_t i = 0; i < plan->nvariants; ++i) {
        const sg_variant *v = &plan->variants[i];
        if (sg_choices_want(plan, i)) {
            count_variant(add_body(f, v->isa->name, v->only)->insns, plan, v);
        }
    }
    for (int64_t i = 0; bits != NULL && i < bits->nbodies - 1; ++i) {
        figure_bits(f, plan, bits->bodies[i]);
    }
}

static void add(int64_t *to, int64_t n)
{
    if (!sg_add64(*to, n, to)) {
        *to = INT64_MAX;
    }
}

sg_figures sg_figures_count(sg_arena *arena, const sg_plan *plan, const sg_plan *code)
{
    sg_figures f = {.name = plan->split->name,
                    .code_of = code != plan ? code->split->name : NULL,
                    .moved = plan->bytes_moved,
                    .copies = plan->copies};
    if (code == plan) {
        figure_bodies(arena, plan, &f);
    }
    for (int64_t b = 0; b < f.nbodies; ++b) {
        f.instructions += sg_figures_instructions(&f.bodies[b]);
    }
    return f;
}

int64_t sg_figures_instructions(const sg_body_figures *body)
{
    int64_t sum = 0;
    for (int kind = 0; kind < SG_INSN_KINDS; ++kind) {
        sum += body->insns[kind];
    }
    return sum;
}

sg_figures sg_figures_total(const sg_figures *figures, int64_t count)
{
    sg_figures total = {.name = "total"};
    for (int64_t i = 0; i < count; ++i) {
        add(&total.moved, figures[i].moved);
        add(&total.copies, figures[i].copies);
        add(&total.instructions, figures[i].instructions);
    }
    return total;
}
