/* What --emit=vectors proves of each kernel: which functions, for which numbers of rows, and what a
 * processor may answer that is asked. Every function is a loop over trips whose offsets do not
 * depend on the trip, so numbers of rows that go through each of its branches, and twice through
 * each of its loops, stand for all (generator/plan/verify: proof by induction over trips). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emit/model.h"
#include "plan/plan.h"
#include "splitgen/machines.h"

/* Bytes of the input that one evaluation has at most, where fewer rows would do, and where the
 * least number that a function takes has more. A compiler takes some microseconds for each. */
enum {
    USUAL_BYTES = 12288,
    MOST_BYTES = 65536,
    WHOLE_BYTES = 4096,
    SOME_BYTES = 1024,
    USUAL_PACKED_BYTES = 384,
    MOST_PACKED_BYTES = 2048
};

/* --- numbers of rows -------------------------------------------------------------------------- */

typedef struct numbers {
    int64_t list[48];
    size_t count;
} numbers;

static void add(numbers *to, int64_t number)
{
    for (size_t i = 0; i < to->count; ++i) {
        if (to->list[i] == number) {
            return;
        }
    }
    if (to->count < sizeof to->list / sizeof to->list[0]) {
        to->list[to->count++] = number;
    }
}

/* The least number; a trip with what is no trip behind it; two trips with one row; the same behind
 * the rows of a part for every number of parts that take turns. */
static void add_paths(numbers *to, int64_t least, int64_t trip, int64_t turn, int64_t block)
{
    add(to, least);
    add(to, least + trip - 1);
    add(to, least + trip + 1);
    if (block > 0) {
        add(to, least + block + 1);
    }
    for (int64_t parts = 1; turn > 0 && parts <= 4; parts *= 2) {
        add(to, least + parts * turn);
        add(to, least + 2 * parts * turn + trip - 1);
    }
}

/* --- functions -------------------------------------------------------------------------------- */

/* Rows of the split that groups [0, last) are, of those a call may name. */
static int64_t rows_of(const sg_model_kernel *kernel, int64_t last)
{
    if (!kernel->is_bits) {
        return last;
    }
    const sg_model_bits *bits = kernel->bits;
    if (!bits->has_groups) {
        return last > 0 ? bits->tail_rows : 0;
    }
    if (bits->has_tail && last > bits->tail_group) {
        return bits->tail_group * bits->group_rows + bits->tail_rows;
    }
    return last * bits->group_rows;
}

/* Rows, or groups, of the largest call that is evaluated. */
static int64_t most_rows(const sg_model_kernel *kernel, int64_t bytes)
{
    const int64_t most = kernel->row_bytes > 0 ? bytes / kernel->row_bytes : 0;
    return kernel->is_fixed && kernel->rows < most ? kernel->rows : most;
}

static sg_model_range range_of(const sg_model_kernel *kernel, int64_t rows, int64_t first,
                               int64_t last)
{
    return (sg_model_range){.rows = rows_of(kernel, rows),
                            .first = first,
                            .last = last,
                            .from = rows_of(kernel, first),
                            .to = rows_of(kernel, last)};
}

static void find_ranges(sg_arena *arena, const sg_model_kernel *kernel, const numbers *counts,
                        sg_model_body_proof *to)
{
    const int64_t usual = most_rows(kernel, kernel->is_bits ? USUAL_PACKED_BYTES : USUAL_BYTES);
    const int64_t most = to->least <= usual ? usual : to->least;
    if (to->least * kernel->row_bytes > (kernel->is_bits ? MOST_PACKED_BYTES : MOST_BYTES)) {
        return;
    }
    /* A function that is told the first row is told another one as well. */
    const bool is_told = kernel->is_bits || kernel->plan->array_params;
    to->ranges = SG_NEW_ARRAY(arena, sg_model_range, counts->count + 3);
    const int64_t expected = kernel->item_rows * kernel->expected;
    if (kernel->is_free && is_told && expected >= to->least && to->aligned == 1 &&
        expected * kernel->row_bytes <= MOST_BYTES) {
        to->ranges[to->nranges++] =
            range_of(kernel, expected + to->least, expected, expected + to->least);
    }
    for (size_t i = 0; i < counts->count; ++i) {
        const int64_t rows = counts->list[i];
        if (rows <= most) {
            to->ranges[to->nranges++] = range_of(kernel, rows, 0, rows);
        }
    }
    /* Rows of lines begin at a multiple of those of the first, wherever that is. */
    const int64_t first = to->aligned;
    if (is_told && first + to->least <= most && (first == 1 || !kernel->is_bits)) {
        to->ranges[to->nranges++] = range_of(kernel, first + to->least, first, first + to->least);
    }
    if (kernel->is_fixed && kernel->rows >= to->least && kernel->rows <= most) {
        to->ranges[to->nranges++] = range_of(kernel, kernel->rows, 0, kernel->rows);
    }
}

/* The function of a row of the table, unless an earlier row names it too. */
static sg_model_body_proof *find_function(sg_model_kernel *kernel, const char *symbol)
{
    for (int64_t i = 0; i < kernel->nproved; ++i) {
        if (strcmp(kernel->proved[i].symbol, symbol) == 0) {
            return &kernel->proved[i];
        }
    }
    kernel->proved[kernel->nproved].symbol = symbol;
    return &kernel->proved[kernel->nproved++];
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static bool is_any_of(const char *symbol, const char *a, const char *b)
{
    return strcmp(symbol, a) == 0 || strcmp(symbol, b) == 0;
}

/* What of a body depends on more than how many rows there are: long runs, on the processor; runs
 * and write combining, on where outputs lie. */
static void look_at(const sg_model_variant *v, sg_model_body_proof *to)
{
    for (int64_t b = 0; b < v->nbodies; ++b) {
        for (int64_t i = 0; i < v->bodies[b].ninsns; ++i) {
            const sg_model_vector_insn *insn = &v->bodies[b].insns[i];
            to->has_strings = to->has_strings || insn->string[0] != '\0';
            to->asks_place = to->asks_place || insn->is_run || insn->fed;
        }
    }
}

static void prove_choice(sg_arena *arena, sg_model_kernel *kernel, const sg_model_group *group,
                         const sg_model_choice *choice)
{
    const sg_model_variant *v = group->variant;
    const int64_t least = larger(1, larger(group->rows, choice->rows));
    const int64_t known = kernel->nproved;
    sg_model_body_proof *to = find_function(kernel, choice->symbol);
    if (kernel->nproved == known && least >= to->least &&
        larger(1, choice->aligned) >= to->aligned) {
        return; /* an earlier row asks no more */
    }
    const bool is_new = kernel->nproved > known;
    to->family = v != NULL ? v->family : "X86";
    to->cpu = v == NULL           ? group->body->cpu
              : v->cpu[0] != '\0' ? sg_arena_printf(arena, "SPLITGEN_CPU_%s", v->cpu)
                                  : "";
    to->least = is_new || least < to->least ? least : to->least;
    to->aligned = is_new || larger(1, choice->aligned) < to->aligned ? larger(1, choice->aligned)
                                                                     : to->aligned;
    to->lines = group->lines;
    to->nlines = group->nlines;
    if (v != NULL) {
        look_at(v, to);
    }
    to->is_past =
        is_any_of(choice->symbol, v != NULL ? v->stream_symbol : group->body->stream_symbol,
                  v != NULL ? v->feed_stream_symbol : "");
    to->nranges = 0;
    numbers counts = {.count = 0};
    if (v != NULL) {
        add_paths(&counts, larger(to->least, v->head_rows), v->rows,
                  to->is_past ? v->rows * larger(1, v->front_trips) : 0, v->block_rows);
        add(&counts, to->least);
    } else {
        const sg_model_bit_body *body = group->body;
        add_paths(&counts, to->least, larger(1, body->trip_groups),
                  body->trip_groups * body->front_trips, 0);
    }
    find_ranges(arena, kernel, &counts, to);
}

static void prove_portable(sg_arena *arena, sg_model_kernel *kernel)
{
    sg_model_body_proof *to =
        find_function(kernel, kernel->bits->bodies[kernel->bits->nbodies - 1].symbol);
    to->family = "";
    to->cpu = "";
    to->least = 1;
    to->aligned = 1;
    numbers counts = {.count = 0};
    add_paths(&counts, 1, 1, 0, 0);
    find_ranges(arena, kernel, &counts, to);
}

/* --- the kernel's own functions --------------------------------------------------------------- */

static void add_entrance(sg_model_kernel *kernel, int64_t rows, int64_t first, int64_t last)
{
    const sg_model_range made = range_of(kernel, rows, first, last);
    bool is_known = last > rows || first > last;
    for (int64_t i = 0; i < kernel->nentrances; ++i) {
        const sg_model_range *known = &kernel->entrances[i];
        is_known =
            is_known || (known->rows == made.rows && known->first == first && known->last == last);
    }
    if (!is_known) {
        kernel->entrances[kernel->nentrances++] = made;
    }
}

/* Calls for whole items: few, about as many as are expected, and about as many as functions take.
 */
static void add_items(sg_model_kernel *kernel, int64_t most)
{
    const int64_t items = kernel->item_rows > 0 ? most / kernel->item_rows : 0;
    numbers counts = {.count = 0};
    add(&counts, 0);
    add(&counts, 1);
    add(&counts, 2);
    add(&counts, kernel->expected);
    add(&counts, kernel->expected + 1);
    for (int64_t i = 0; i < kernel->nproved && kernel->item_rows > 0; ++i) {
        const int64_t enough =
            (kernel->proved[i].least + kernel->item_rows - 1) / kernel->item_rows;
        add(&counts, enough - 1);
        add(&counts, enough);
    }
    kernel->proves_whole = items >= 1;
    for (size_t i = 0; i < counts.count; ++i) {
        const int64_t rows = counts.list[i] * kernel->item_rows;
        if (counts.list[i] <= items) {
            add_entrance(kernel, rows, 0, rows);
        }
    }
    add_entrance(kernel, 2 * kernel->item_rows, 1, 2 * kernel->item_rows);
}

static void find_entrances(sg_arena *arena, sg_model_kernel *kernel)
{
    int64_t least = 1; /* that reaches every function of the table */
    for (int64_t i = 0; i < kernel->nproved; ++i) {
        least = larger(least, kernel->proved[i].least);
    }
    const int64_t whole = most_rows(kernel, WHOLE_BYTES);
    const int64_t some = most_rows(kernel, SOME_BYTES);
    const int64_t most = kernel->is_fixed && kernel->rows <= whole       ? kernel->rows
                         : least + 2 < most_rows(kernel, MOST_BYTES / 4) ? larger(some, least + 2)
                                                                         : larger(some, 1);
    kernel->entrances = SG_NEW_ARRAY(arena, sg_model_range, 8 + 2 * kernel->nproved);
    if (kernel->is_free) {
        add_items(kernel, most);
        return;
    }
    if (most * kernel->row_bytes > MOST_BYTES) {
        return; /* one row has more */
    }
    kernel->proves_whole = kernel->rows == most;
    add_entrance(kernel, most, 0, most);
    add_entrance(kernel, most, 0, 0);
    add_entrance(kernel, most, 1, most);
    for (int64_t i = 0; i < kernel->nproved; ++i) { /* just enough for a function, and just not */
        add_entrance(kernel, most, 0, kernel->proved[i].least);
        add_entrance(kernel, most, 0, kernel->proved[i].least - 1);
    }
}

void sg_model_kernel_proof(sg_arena *arena, sg_model_kernel *kernel)
{
    int64_t choices = 1;
    for (int64_t i = 0; i < kernel->ngroups; ++i) {
        choices += kernel->groups[i].nchoices;
    }
    kernel->proved = SG_NEW_ARRAY(arena, sg_model_body_proof, choices);
    for (int64_t i = 0; i < kernel->ngroups; ++i) {
        for (int64_t j = 0; j < kernel->groups[i].nchoices; ++j) {
            prove_choice(arena, kernel, &kernel->groups[i], &kernel->groups[i].choices[j]);
        }
    }
    if (kernel->is_bits) {
        prove_portable(arena, kernel);
    }
    if (kernel->bytes > 0 && kernel->nmoved > 0) {
        find_entrances(arena, kernel);
    }
}

/* --- what the table asks of processors -------------------------------------------------------- */

static const struct {
    const char *name;
    unsigned bits;
} asked_bits[] = {
#define ISA(id, bit)        {#id, 1U << (bit)},
#define TRAIT(id, bit, ...) {#id, 1U << (bit)},
    SPLITGEN_CPU_ISAS(ISA) SPLITGEN_CPU_TRAITS(TRAIT)
#undef TRAIT
#undef ISA
        {"SPLITGEN_CPU_PEXT", SPLITGEN_CPU_PEXT},
    {"SPLITGEN_BITS_AVX2", SPLITGEN_CPU_AVX2 | SPLITGEN_CPU_PEXT},
    {"SPLITGEN_BITS_AVX512", SPLITGEN_CPU_AVX512 | SPLITGEN_CPU_PEXT},
    {"SPLITGEN_BITS_VBMI", SPLITGEN_CPU_AVX512VBMI | SPLITGEN_CPU_PEXT},
};

/* The bits of splitgen_cpu() that a name in the table stands for; 0 for "". */
static unsigned bits_named(const char *name)
{
    for (size_t i = 0; i < sizeof asked_bits / sizeof asked_bits[0]; ++i) {
        if (strcmp(asked_bits[i].name, name) == 0) {
            return asked_bits[i].bits;
        }
    }
    return 0;
}

/* What of an answer decides what the table of a kernel chooses: for every row, whether its
 * processor is one that answers so. */
static uint64_t decided(const sg_model_kernel *kernel, unsigned answer)
{
    uint64_t rows = 0;
    unsigned row = 0;
    for (int64_t i = 0; i < kernel->ngroups; ++i) {
        const sg_model_group *group = &kernel->groups[i];
        const unsigned of_group =
            bits_named(group->trait) |
            bits_named(group->variant != NULL ? group->variant->cpu : group->body->cpu);
        for (int64_t j = 0; j < group->nchoices; ++j) {
            const sg_model_choice *choice = &group->choices[j];
            unsigned asked = of_group | bits_named(choice->trait);
            rows |= (uint64_t)((answer & asked) == asked) << row++ % 64;
            asked |=
                strcmp(choice->off, "splitgen_feed_unit(cpu)") == 0 ? SPLITGEN_CPU_HALF_STORES : 0;
            rows |= (uint64_t)((answer & asked) == asked) << row++ % 64;
        }
    }
    return rows;
}

/* --- processors ------------------------------------------------------------------------------- */

typedef struct machine {
    const char *title;
    unsigned needs;
    unsigned traits;
} machine;

static const machine machines[] = {
#define ROW(id, word, title, vendor, first, last, needs, base, traits, generic)                    \
    {title, SPLITGEN_NEEDS_##id, SPLITGEN_MACHINE_##id},
    SPLITGEN_GENERIC(ROW) SPLITGEN_X86_MACHINES(ROW)
#undef ROW
};

static const struct {
    const char *title;
    unsigned bits;
} sets[] = {
    {"no vectors", 0},
    {"AVX2", SPLITGEN_CPU_AVX2},
    {"AVX512", SPLITGEN_CPU_AVX2 | SPLITGEN_CPU_AVX512},
    {"AVX512VBMI", SPLITGEN_CPU_AVX2 | SPLITGEN_CPU_AVX512 | SPLITGEN_CPU_AVX512VBMI},
};

/* What changes how functions go about their rows: those that store past the cache, and others. */
#define PARTS_BY_TURNS (SPLITGEN_CPU_PAGE_TURNS | SPLITGEN_CPU_ASKS_ALL)
#define LONG_RUNS      SPLITGEN_CPU_STRINGS

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

/* The first answers of those that a kernel's table decides alike. */
static void find_answers(sg_arena *arena, const unsigned *bits, int64_t nbits,
                         sg_model_kernel *kernel)
{
    kernel->answers = SG_NEW_ARRAY(arena, int64_t, nbits);
    for (int64_t i = 0; i < nbits; ++i) {
        bool is_known = false;
        for (int64_t j = 0; j < i; ++j) {
            is_known = is_known || decided(kernel, bits[i]) == decided(kernel, bits[j]);
        }
        if (!is_known) {
            kernel->answers[kernel->nanswers++] = i + 1;
        }
    }
}

void sg_model_answers(sg_arena *arena, sg_model *model)
{
    enum { SETS = sizeof sets / sizeof sets[0], MACHINES = sizeof machines / sizeof machines[0] };
    unsigned bits[SETS * MACHINES];
    model->answers = SG_NEW_ARRAY(arena, sg_model_answer, SETS * MACHINES);
    for (size_t m = 0; m < MACHINES; ++m) {
        for (size_t s = m == 0 ? 0 : 1; s < SETS; ++s) {
            if ((machines[m].needs & ~sets[s].bits) != 0) {
                continue;
            }
            bits[model->nanswers] = 0x80000000U | sets[s].bits | machines[m].traits;
            model->answers[model->nanswers] = (sg_model_answer){
                .title = sg_arena_printf(arena, "%s with %s", machines[m].title, sets[s].title),
                .bits = sg_arena_printf(arena, "0x%08xU", bits[model->nanswers]),
                .is_turn = s == SETS - 1 && is_first(m, PARTS_BY_TURNS),
                .is_string = s == SETS - 1 && is_first(m, LONG_RUNS)};
            ++model->nanswers;
        }
    }
    for (int64_t i = 0; i < model->nkernels; ++i) {
        find_answers(arena, bits, model->nanswers, &model->kernels[i]);
    }
}
