/* Counts the instructions, functions and constants of a kernel's bodies. */
#include "plan/report/figures.h"

#include "base/checked.h"
#include "plan/bits/bit_program.h"
#include "plan/choose/choices.h"
#include "plan/functions/function.h"
#include "plan/insn.h"
#include "plan/layout.h"
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

/* --- kinds of instructions -------------------------------------------------------------------- */

static sg_insn_kind kind_of(sg_opcode op)
{
    static const sg_insn_kind kinds[] = {[SG_DOES_RUN] = SG_INSNS_COPIES,
                                         [SG_DOES_LOAD] = SG_INSNS_LOADS,
                                         [SG_DOES_ALU] = SG_INSNS_REGISTERS,
                                         [SG_DOES_STORE] = SG_INSNS_STORES,
                                         [SG_DOES_PREFETCH] = SG_INSNS_HINTS};
    return op == SG_INSN_CALL ? SG_INSNS_CALLS : kinds[sg_opcode_get(op)->does];
}

/* --- counting --------------------------------------------------------------------------------- */

/* Equal blocks share one function, which is printed once. */
static void count_code(int64_t insns[SG_INSN_KINDS], const sg_code *code)
{
    for (int64_t b = 0; b < code->nblocks; ++b) {
        const sg_block *block = &code->blocks[b];
        for (int64_t i = 0; block->alias_of == b && i < block->count; ++i) {
            insns[kind_of(code->insns[block->first + i].op)]++;
        }
    }
}

static void count_portable(int64_t insns[SG_INSN_KINDS], const sg_plan *plan)
{
    const bool by_rows = sg_plan_goes_by_rows(plan);
    if (!by_rows || plan->iteration.rows > 1) {
        count_code(insns, &plan->iteration);
    }
    if (by_rows || plan->map.rows > 1) {
        count_code(insns, &plan->row);
    }
}

/* Counts the tiles of a body, and the functions that call them. A run is printed once for each tile
 * of a register. */
static void count_body(sg_body_figures *to, const sg_plan *plan, int64_t number)
{
    const sg_body *v = &plan->bodies[number];
    to->functions = v->ncodes;
    for (int64_t b = 0; b < v->ncodes; ++b) {
        const sg_code *code = &v->codes[b];
        to->constants += code->nconstants;
        for (int64_t i = 0; i < code->ninsns; ++i) {
            const sg_insn *insn = &code->insns[i];
            to->insns[kind_of(insn->op)] += sg_insn_is_run(insn) ? v->isa->tiles : 1;
        }
    }
    for (int64_t i = 0; i < plan->nfunctions; ++i) {
        to->functions += plan->functions[i].body == number;
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

/* --- bodies ----------------------------------------------------------------------------------- */

/* Appends a body to the list, with all counts zero. */
static sg_body_figures *add_body(sg_figures *f, const char *name, sg_uarch only)
{
    sg_body_figures *body = &f->bodies[f->nbodies++];
    *body = (sg_body_figures){.name = name, .only = only, .functions = SG_FUNCTIONS_UNCOUNTED};
    return body;
}

static void figure_bits(sg_figures *f, const sg_bits *bits, sg_bit_body body)
{
    sg_body_figures *to = add_body(f, sg_bit_body_name(body), SG_UARCH_GENERIC);
    count_words(to->insns, &bits->group);
    count_words(to->insns, &bits->tail);
}

static void figure_bodies(sg_arena *arena, const sg_plan *plan, sg_figures *f)
{
    const sg_bits *bits = plan->bits;
    f->bodies =
        SG_NEW_ARRAY(arena, sg_body_figures, plan->nbodies + (bits != NULL ? bits->nbodies : 1));
    if (bits != NULL) {
        figure_bits(f, bits, SG_BIT_PORTABLE);
    } else {
        count_portable(add_body(f, "portable", SG_UARCH_GENERIC)->insns, plan);
    }
    for (int64_t i = 0; i < plan->nbodies; ++i) {
        const sg_body *v = &plan->bodies[i];
        if (sg_choices_want(plan, i)) {
            count_body(add_body(f, v->isa->name, v->only), plan, i);
        }
    }
    for (int64_t i = 0; bits != NULL && i < bits->nbodies - 1; ++i) {
        figure_bits(f, bits, bits->bodies[i]);
    }
}

static void add(int64_t *to, int64_t n)
{
    *to = sg_sum64(*to, n);
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
