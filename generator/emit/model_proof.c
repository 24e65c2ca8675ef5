/* What --emit=proof-cpp proves of each kernel: which functions, for which numbers of rows and for
 * which processors. Every function is a loop over iterations whose offsets do not depend on the
 * iteration. So numbers of rows that take each branch, and each loop twice, prove all numbers
 * (generator/plan/verify: proof by induction over iterations). */
#include <inttypes.h>
#include <string.h>

#include "emit/model.h"
#include "plan/bits/bit_program.h"
#include "plan/choose/choices.h"
#include "plan/plan.h"
#include "splitgen/machines.h"

/* The largest inputs of an evaluation, in bytes: of a function, if fewer rows suffice, or if its
 * least number of rows has more; of all rows, by the kernel's own functions; of some rows. A
 * compiler takes some hundred microseconds for each vector instruction. */
enum {
    USUAL_BYTES = 12288,
    MOST_BYTES = 65536,
    WHOLE_BYTES = 4096,
    SOME_BYTES = 1024,
    USUAL_PACKED_BYTES = 384,
    MOST_PACKED_BYTES = 2048
};

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* --- numbers of rows -------------------------------------------------------------------------- */

/* The number of rows, or groups, of the largest evaluated call. */
static int64_t most_rows(const sg_model_kernel *kernel, int64_t bytes)
{
    const int64_t most = kernel->row_bytes > 0 ? bytes / kernel->row_bytes : 0;
    return kernel->is_fixed ? smaller(kernel->rows, most) : most;
}

static bool fits(const sg_model_kernel *kernel, int64_t rows, int64_t bytes)
{
    return kernel->row_bytes == 0 || rows <= bytes / kernel->row_bytes;
}

/* A set of row ranges to evaluate, of tensors with at most `most` rows. */
typedef struct ranges {
    sg_model_range *list;
    int64_t count;
    int64_t most;
} ranges;

static void add(ranges *to, int64_t count, int64_t first, int64_t last)
{
    bool is_known = first > last || last > count || count > to->most;
    for (int64_t i = 0; i < to->count; ++i) {
        const sg_model_range *known = &to->list[i];
        is_known =
            is_known || (known->count == count && known->first == first && known->last == last);
    }
    if (!is_known) {
        to->list[to->count++] = (sg_model_range){count, first, last};
    }
}

static void add_all(ranges *to, int64_t count)
{
    add(to, count, 0, count);
}

/* Numbers of rows to prove: the least; one iteration with rows left over; two iterations and one
 * row; and the same after the rows of all interleaved streams, for every number of streams. */
static void add_paths(ranges *to, int64_t least, int64_t iteration, int64_t rotation, int64_t block)
{
    add_all(to, least);
    add_all(to, least + iteration - 1);
    add_all(to, least + iteration + 1);
    if (block > 0) {
        add_all(to, least + block + 1);
    }
    for (int64_t parts = 1; rotation > 0 && parts <= 4; parts *= 2) {
        add_all(to, least + parts * rotation);
        add_all(to, least + 2 * parts * rotation + iteration - 1);
    }
}

#define PATHS_MAX 11

/* --- functions -------------------------------------------------------------------------------- */

/* The function with this symbol. A new one starts with conditions that every row of the table
 * weakens. */
static sg_model_function_proof *find_function(sg_model_kernel_proof *proof, const char *symbol)
{
    for (int64_t i = 0; i < proof->nfunctions; ++i) {
        if (strcmp(proof->functions[i].symbol, symbol) == 0) {
            return &proof->functions[i];
        }
    }
    sg_model_function_proof *made = &proof->functions[proof->nfunctions++];
    *made = (sg_model_function_proof){.kernel = proof->kernel,
                                      .symbol = symbol,
                                      .family = "",
                                      .cpu = "",
                                      .least = INT64_MAX,
                                      .aligned = INT64_MAX};
    return made;
}

/* Notes whether a variant depends on the alignment of outputs: runs, write combining, and alignment
 * to vectors. */
static void look_at(const sg_model_body *v, sg_model_function_proof *to)
{
    to->asks_place = to->asks_place || v->from->vector_bytes > 0;
    for (int64_t b = 0; b < v->ncodes; ++b) {
        for (int64_t i = 0; i < v->codes[b].ninsns; ++i) {
            const sg_model_vector_insn *insn = &v->codes[b].insns[i];
            to->asks_place = to->asks_place || insn->is_run || insn->combines;
        }
    }
}

/* A function is called for at least the rows that its least demanding table row requires. */
static void add_choice(sg_arena *arena, const sg_model_group *group, const sg_choice *row,
                       sg_model_function_proof *to)
{
    const sg_model_body *v = group->body;
    to->least = smaller(to->least, larger(1, row->rows));
    to->aligned = smaller(to->aligned, larger(1, row->aligned));
    to->is_non_temporal = row->store_mode == SG_STORE_NON_TEMPORAL ||
                          row->store_mode == SG_STORE_COMBINED_NON_TEMPORAL;
    to->group = group;
    to->lines = group->lines;
    to->nlines = group->nlines;
    if (v == NULL) {
        to->family = "X86";
        to->cpu = group->bit_body->cpu;
        return;
    }
    to->family = v->family;
    to->cpu = v->cpu[0] != '\0' ? sg_arena_printf(arena, "SPLITGEN_CPU_%s", v->cpu) : "";
    look_at(v, to);
}

/* Numbers of rows that take the paths through a function. */
static void add_loops(const sg_model_function_proof *of, ranges *to)
{
    if (of->group == NULL || of->group->body == NULL) {
        add_paths(to, of->least, 1, 0, 0);
    } else {
        const sg_body *v = of->group->body->from;
        const int64_t rotation =
            of->is_non_temporal ? v->rows_per_iteration * larger(1, v->stream_iterations) : 0;
        add_all(to, of->least);
        add_paths(to, larger(of->least, v->prologue_rows), v->rows_per_iteration, rotation,
                  v->block_rows);
        if (v->vector_bytes > 0) { /* enough rows after the iteration that aligns outputs */
            add_all(to, v->vector_rows + v->rows_per_iteration + 1);
        }
    }
}

/* A function with a `first` argument is evaluated for another first row too: row `aligned`, which
 * begins at a cache line if row 0 does; and, for a kernel with open dimensions, the row after the
 * expected ones. */
static void add_later(const sg_model_kernel *kernel, const sg_model_function_proof *of, ranges *to)
{
    if (of->aligned == 1 || !kernel->is_bits) {
        add(to, of->aligned + of->least, of->aligned, of->aligned + of->least);
    }
    const int64_t expected = kernel->expected_rows;
    if (kernel->is_free && of->aligned == 1 && expected >= of->least &&
        fits(kernel, expected, MOST_BYTES)) {
        to->most = larger(to->most, expected + of->least);
        add(to, expected + of->least, expected, expected + of->least);
    }
}

static void find_ranges(sg_arena *arena, const sg_model_kernel *kernel, sg_model_function_proof *of)
{
    if (!fits(kernel, of->least, kernel->is_bits ? MOST_PACKED_BYTES : MOST_BYTES)) {
        return;
    }
    const int64_t usual = kernel->is_bits ? USUAL_PACKED_BYTES : USUAL_BYTES;
    ranges list = {.list = SG_NEW_ARRAY(arena, sg_model_range, PATHS_MAX + 4),
                   .most = larger(of->least, most_rows(kernel, usual))};
    add_loops(of, &list);
    if (kernel->is_fixed && kernel->rows >= of->least) {
        add_all(&list, kernel->rows);
    }
    if (kernel->is_bits || kernel->by_rows) {
        add_later(kernel, of, &list);
    }
    of->ranges = list.list;
    of->nranges = list.count;
}

static void find_functions(sg_arena *arena, sg_model_kernel_proof *proof)
{
    const sg_model_kernel *kernel = proof->kernel;
    const sg_choice *row = kernel->plan->choices; /* those of all groups, in order */
    proof->functions = SG_NEW_ARRAY(arena, sg_model_function_proof, kernel->plan->nchoices + 1);
    for (int64_t i = 0; i < kernel->ngroups; ++i) {
        const sg_model_group *group = &kernel->groups[i];
        for (int64_t j = 0; j < group->nchoices; ++j) {
            add_choice(arena, group, row++, find_function(proof, group->choices[j].symbol));
        }
    }
    if (kernel->is_bits) {
        const sg_model_bits *bits = kernel->bits;
        sg_model_function_proof *portable =
            find_function(proof, bits->bodies[bits->nbodies - 1].symbol);
        portable->least = 1;
        portable->aligned = 1;
    }
    for (int64_t i = 0; i < proof->nfunctions; ++i) {
        find_ranges(arena, kernel, &proof->functions[i]);
    }
}

/* --- the kernel's own functions --------------------------------------------------------------- */

/* Calls for whole items: few, about the expected number, and about the number that each function
 * needs. */
static void add_items(const sg_model_kernel_proof *proof, ranges *to)
{
    const sg_model_kernel *kernel = proof->kernel;
    const int64_t items = kernel->plan->split->items;
    const int64_t few[] = {0, 1, 2, items, items + 1};
    for (size_t i = 0; i < sizeof few / sizeof few[0]; ++i) {
        if (few[i] <= MOST_BYTES / kernel->item_rows) {
            add_all(to, few[i] * kernel->item_rows);
        }
    }
    for (int64_t i = 0; i < proof->nfunctions; ++i) {
        const int64_t enough =
            (proof->functions[i].least + kernel->item_rows - 1) / kernel->item_rows;
        add_all(to, (enough - 1) * kernel->item_rows);
        add_all(to, enough * kernel->item_rows);
    }
    if (fits(kernel, kernel->item_rows, MOST_BYTES / 2)) {
        const int64_t two = 2 * kernel->item_rows; /* all rows but one, and none at the end */
        to->most = larger(to->most, two);
        add(to, two, 1, two);
        add(to, two, two, two);
    }
}

/* All rows, none at either end, all but the first; and for each function, just enough rows and one
 * fewer. */
static void add_rows(const sg_model_kernel_proof *proof, ranges *to)
{
    add_all(to, to->most);
    add(to, to->most, 0, 0);
    add(to, to->most, to->most, to->most);
    add(to, to->most, 1, to->most);
    for (int64_t i = 0; i < proof->nfunctions; ++i) {
        add(to, to->most, 0, proof->functions[i].least);
        add(to, to->most, 0, proof->functions[i].least - 1);
    }
}

static void find_entry_points(sg_arena *arena, sg_model_kernel_proof *proof)
{
    const sg_model_kernel *kernel = proof->kernel;
    int64_t least = 1; /* enough to reach every function of the table */
    for (int64_t i = 0; i < proof->nfunctions; ++i) {
        least = larger(least, proof->functions[i].least);
    }
    ranges list = {.list = SG_NEW_ARRAY(arena, sg_model_range, 7 + 2 * proof->nfunctions),
                   .most = larger(1, most_rows(kernel, SOME_BYTES))};
    if (kernel->is_fixed && kernel->rows <= most_rows(kernel, WHOLE_BYTES)) {
        list.most = kernel->rows;
    } else if (least + 2 < most_rows(kernel, MOST_BYTES / 4)) {
        list.most = larger(list.most, least + 2);
    }
    if (kernel->is_free) {
        proof->is_whole = list.most >= kernel->item_rows;
        add_items(proof, &list);
    } else if (fits(kernel, list.most, MOST_BYTES)) { /* otherwise a single row is too large */
        proof->is_whole = kernel->rows == list.most;
        add_rows(proof, &list);
    }
    proof->entry_points = list.list;
    proof->nentry_points = list.count;
}

/* --- processors ------------------------------------------------------------------------------- */

typedef struct machine {
    const char *title;
    unsigned needs;
    unsigned traits;
} machine;

static const machine machines[] = {
#define ROW(id, word, title, vendor, first, last, needs, traits, each)                             \
    {title, SPLITGEN_NEEDS_##id, SPLITGEN_MACHINE_##id},
    SPLITGEN_GENERIC(ROW) SPLITGEN_X86_MACHINES(ROW)
#undef ROW
};

/* The instruction sets, in ascending order. */
static const struct {
    const char *id;
    unsigned bit;
} isas[] = {{"no vectors", 0},
#define ISA(id) {#id, SPLITGEN_CPU_##id},
            SPLITGEN_CPU_ISAS(ISA)
#undef ISA
};

enum { ISAS = sizeof isas / sizeof isas[0], MACHINES = sizeof machines / sizeof machines[0] };

/* The traits that change how functions with non-temporal stores loop over rows. */
#define PARTS_BY_TURNS (SPLITGEN_CPU_PAGE_STREAMS | SPLITGEN_CPU_PREFETCH_ALL)

/* Whether no earlier machine has the same of these traits. */
static bool is_first(size_t number, unsigned traits)
{
    for (size_t i = 0; i < number; ++i) {
        if (((machines[i].traits ^ machines[number].traits) & traits) == 0) {
            return false;
        }
    }
    return true;
}

/* The processors to prove for, and the bits of splitgen_cpu() of each. */
static void find_answers(sg_arena *arena, sg_model_proof *proof, unsigned *bits)
{
    proof->answers = SG_NEW_ARRAY(arena, sg_model_answer, ISAS * MACHINES);
    for (size_t m = 0; m < MACHINES; ++m) {
        unsigned has = 0;
        for (size_t i = 0; i < ISAS; ++i) {
            has |= isas[i].bit;
            if ((has == 0 && m > 0) || (machines[m].needs & ~has) != 0) {
                continue;
            }
            bits[proof->nanswers] = 0x80000000U | has | machines[m].traits;
            proof->answers[proof->nanswers] = (sg_model_answer){
                .title = sg_arena_printf(arena, "%s with %s", machines[m].title, isas[i].id),
                .bits = sg_arena_printf(arena, "0x%08xU", bits[proof->nanswers]),
                .is_interleaved = i == ISAS - 1 && is_first(m, PARTS_BY_TURNS)};
            ++proof->nanswers;
        }
    }
}

/* The bits of splitgen_cpu() that a row of a table requires. */
static unsigned asked_by(const sg_plan *plan, const sg_choice *row)
{
    const sg_isa_info *isa = plan->bits != NULL ? sg_bit_body_isa(plan->bits->bodies[row->body])
                                                : plan->bodies[row->body].isa;
    unsigned asked = sg_choices_traits(plan, row);
    for (size_t i = 0; i < ISAS; ++i) {
        asked |= strcmp(isas[i].id, isa->cpu) == 0 ? isas[i].bit : 0;
    }
    return asked;
}

/* Whether every row of a table matches both answers or neither. */
static bool are_alike(const sg_plan *plan, unsigned a, unsigned b)
{
    for (const sg_choice *row = plan->choices; row->body != SG_CHOICE_PORTABLE; ++row) {
        const unsigned asked = asked_by(plan, row);
        const bool takes_a = (a & asked) == asked;
        const bool takes_b = (b & asked) == asked;
        const bool asks_unit = row->off == SG_OFF_UNIT && takes_a;
        if (takes_a != takes_b || (asks_unit && ((a ^ b) & SPLITGEN_CPU_HALF_STORES) != 0)) {
            return false;
        }
    }
    return true;
}

/* The answers for a kernel, without those for which its dispatch table takes the same rows as for
 * an earlier one. */
static void tell_answers(sg_arena *arena, const unsigned *bits, int64_t nbits,
                         sg_model_kernel_proof *proof)
{
    int64_t *answers = SG_NEW_ARRAY(arena, int64_t, nbits);
    for (int64_t i = 0; i < nbits; ++i) {
        int64_t known = 0;
        while (known < proof->nanswers &&
               !are_alike(proof->kernel->plan, bits[i], bits[answers[known] - 1])) {
            ++known;
        }
        if (known == proof->nanswers) {
            answers[proof->nanswers++] = i + 1;
        }
    }
    proof->answers = answers;
}

/* --- all -------------------------------------------------------------------------------------- */

/* The definition in constexpr.h is of parts of a full tensor, with the strides of each tensor. It
 * has no pieces of parts and no constants. */
static bool is_proved(const sg_model_kernel *kernel)
{
    return kernel->bytes > 0 && kernel->nmoved > 0 && kernel->alias_of == NULL &&
           !kernel->pointer_elements && !kernel->is_rearranged;
}

const sg_model_proof *sg_model_proof_build(const sg_model *model)
{
    sg_arena *arena = model->arena;
    sg_model_proof *proof = SG_NEW(arena, sg_model_proof);
    unsigned bits[ISAS * MACHINES];
    find_answers(arena, proof, bits);
    proof->kernels = SG_NEW_ARRAY(arena, sg_model_kernel_proof, model->nkernels);
    for (int64_t i = 0; i < model->nkernels; ++i) {
        if (is_proved(&model->kernels[i])) {
            sg_model_kernel_proof *to = &proof->kernels[proof->nkernels++];
            to->kernel = &model->kernels[i];
            find_functions(arena, to);
            find_entry_points(arena, to);
            tell_answers(arena, bits, proof->nanswers, to);
        }
    }
    return proof;
}
