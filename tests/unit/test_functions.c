/* Breaks the calls of loops, every number of every function, and checks that the proof finds every
 * fault. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "plan/functions/function.h"
#include "plan/plan.h"
#include "plan/verify/verify.h"
#include "plan_fixture.h"

#define MOST_OUTPUTS 300
#define MOST_LENGTHS 4

/* A split of a matrix; its outputs have the widths in `lengths`. */
typedef struct sample {
    sg_dtype dtype;
    int64_t rows;
    bool is_open; /* whether the rows are open; then these are the expected ones */
    bool scales;  /* whether a dimension after the columns is open, too */
    int64_t outputs;
    int64_t lengths[MOST_LENGTHS]; /* up to a 0 */
    uint32_t isas;
    sg_uarch tune;
    sg_packing packing;
    sg_optimize optimize;
    int64_t groups; /* groups of rows with padding between the groups; 0: none */
} sample;

#define ISA(name) (UINT32_C(1) << SG_ISA_##name)
#define X86       (ISA(AVX512VBMI) | ISA(AVX2BYTE))
#define ALL_ISAS  ((UINT32_C(1) << SG_ISA_COUNT) - 1)

static const sample samples[] = {
    {SG_DTYPE_U8, 2073600, false, false, 3, {1}, X86, SG_UARCH_GENERIC, 0, 0, 0},
    {SG_DTYPE_U8, 4096, true, false, 3, {3, 5, 4}, X86, SG_UARCH_GENERIC, 0, 0, 0},
    {SG_DTYPE_U8, 100000, false, false, 3, {1000, 5, 256}, ALL_ISAS, SG_UARCH_GENERIC, 0, 0, 0},
    {SG_DTYPE_F32, 1000, false, false, 2, {100000, 65536}, ALL_ISAS, SG_UARCH_GENERIC, 0, 0, 0},
    {SG_DTYPE_U8, 4, false, false, 1, {100000}, ALL_ISAS, SG_UARCH_GENERIC, 0, 0, 0},
    {SG_DTYPE_U8, 100000, false, false, 257, {1}, X86, SG_UARCH_GENERIC, 0, 0, 0},
    {SG_DTYPE_U8, 4096, false, false, 16, {256}, ISA(AVX512), SG_UARCH_ZEN4, 0, 0, 0},
    {SG_DTYPE_U8, 4096, false, false, 96, {324}, ISA(AVX512), SG_UARCH_ZEN4, 0, 0, 0},
    {SG_DTYPE_U16, 300, true, true, 3, {3, 5, 4}, X86, SG_UARCH_GENERIC, 0, 0, 0},
    {SG_DTYPE_U16, 300, false, true, 40, {3, 5, 4}, X86, SG_UARCH_GENERIC, 0, 0, 0},
    {SG_DTYPE_U4,
     3000001,
     false,
     false,
     2,
     {3, 4},
     ALL_ISAS,
     SG_UARCH_GENERIC,
     SG_PACKING_LSB,
     0,
     0},
    {SG_DTYPE_U4, 2000, false, false, 40, {3, 4}, ALL_ISAS, SG_UARCH_GENERIC, SG_PACKING_MSB, 0, 0},
    {SG_DTYPE_U8, 4, false, false, 3, {3, 5, 4}, 0, SG_UARCH_GENERIC, 0, 0, 0},
    {SG_DTYPE_U8, 1000, false, false, 3, {3, 5, 4}, 0, SG_UARCH_GENERIC, 0, SG_OPTIMIZE_SIZE, 0},
    {SG_DTYPE_U8, 1000, false, false, 40, {3, 5, 4}, 0, SG_UARCH_GENERIC, 0, SG_OPTIMIZE_SIZE, 0},
    {SG_DTYPE_U8, 4096, false, false, 3, {3, 5, 4}, X86, SG_UARCH_GENERIC, 0, 0, 4},
};

#define SAMPLES (sizeof samples / sizeof samples[0])

/* Elements of 4 bits without padding. */
static void pack(sg_split *split, sg_packing packing)
{
    split->packing = packing;
    split->element_bytes = split->align = 1;
    split->bytes = (split->elements + 1) / 2;
    for (int64_t i = 0; i < split->nparts; ++i) {
        split->parts[i].bytes = (split->parts[i].elements + 1) / 2;
    }
}

/* The same rows in groups, with 24 elements between the end of one and the start of the next. */
static sg_split *make_groups(fixture *f, const sample *s, const int64_t *lengths)
{
    int64_t width = 0;
    for (int64_t i = 0; lengths[i] != -1; ++i) {
        width += lengths[i];
    }
    const int64_t rows = s->rows / s->groups;
    const int64_t dims[] = {s->groups, rows, width};
    sg_split *split = make_split(&f->arena, s->dtype, dims, 3, 2, lengths);
    split->strides = SG_NEW_ARRAY(&f->arena, int64_t, 3);
    split->strides[0] = rows * width + 24;
    split->strides[1] = width;
    split->strides[2] = 1;
    return split;
}

static sg_plan *plan_of(fixture *f, const sample *s)
{
    int64_t lengths[MOST_OUTPUTS + 1];
    int64_t period = 0;
    while (period < MOST_LENGTHS && s->lengths[period] != 0) {
        ++period;
    }
    for (int64_t i = 0; i < s->outputs; ++i) {
        lengths[i] = s->lengths[i % period];
    }
    lengths[s->outputs] = -1;
    sg_split *split =
        s->groups > 0 ? make_groups(f, s, lengths)
                      : make_matrix_split(&f->arena, s->dtype, s->is_open ? 1 : s->rows, lengths);
    if (s->packing != SG_PACKING_NONE) {
        pack(split, s->packing);
    }
    if (s->is_open) {
        open_split(&f->arena, split, 0, s->rows);
    }
    if (s->scales) {
        scale_split(&f->arena, split);
    }
    sg_plan *plan = sg_plan_build(
        &f->arena, &f->diag, split,
        &(sg_plan_options){.isas = s->isas, .tune = s->tune, .optimize = s->optimize});
    if (plan == NULL) {
        fail_msg("no plan for %d outputs of %d rows, packing %d", (int)s->outputs, (int)s->rows,
                 (int)s->packing);
    }
    return plan;
}

/* --- mutants ---------------------------------------------------------------------------------- */

typedef struct breaking {
    sg_arena *arena;
    const sg_plan *plan;
    sg_function *function;
    int made;
    int missed;
} breaking;

static bool is_found(const sg_plan *plan)
{
    sg_arena scratch;
    sg_arena_init(&scratch);
    const bool found = sg_verify(&scratch, plan) != NULL;
    sg_arena_free(&scratch);
    return found;
}

static void try_mutant(breaking *b, const char *what)
{
    ++b->made;
    if (!is_found(b->plan)) {
        ++b->missed;
        print_message("not found: %s of a call of %s\n", what,
                      sg_loop_get(b->function->loop.loop)->name);
    }
}

static void break_number(breaking *b, int64_t *number, const char *what)
{
    const int64_t right = *number;
    const int64_t wrong[] = {right + 1, right - 1, 2 * right};
    for (size_t i = 0; right > 0 && i < sizeof wrong / sizeof wrong[0]; ++i) {
        *number = wrong[i];
        try_mutant(b, what);
    }
    *number = right;
}

/* The way in which a loop stores. */
static sg_store_mode way_of(sg_loop loop)
{
    const sg_loop_info *info = sg_loop_get(loop);
    return info->combines_each ? SG_STORE_COMBINED_NON_TEMPORAL
           : info->combines    ? SG_STORE_COMBINED
           : loop == SG_LOOP_COLUMN_GROUPS_PAST ||
                   (loop >= SG_LOOP_TILES_PAST && !info->takes_columns)
               ? SG_STORE_NON_TEMPORAL
               : SG_STORE_ORDINARY;
}

/* Every number in a call of a loop, its code, and loops that store in another way or take something
 * else. What is prefetched may be anything. */
static void break_function(breaking *b)
{
    sg_loop_call *call = &b->function->loop;
    const sg_loop right = call->loop;
    break_number(b, &call->rows, "rows");
    break_number(b, &call->tiles, "tiles");
    break_number(b, &call->most, "most");
    break_number(b, &call->bytes, "bytes");
    break_number(b, &call->vector, "vector");
    break_number(b, &call->turn, "turn");
    break_number(b, &call->prologue, "prologue");
    break_number(b, &call->block, "block");
    if (sg_loop_get(right)->takes_columns) {
        call->joins = !call->joins;
        try_mutant(b, "the direction");
        call->joins = !call->joins;
    }
    for (int other = 0; other < SG_LOOP_COUNT; ++other) {
        const bool columns = sg_loop_get((sg_loop)other)->takes_columns;
        const bool same_way =
            way_of((sg_loop)other) == way_of(right) || (columns && sg_loop_get(right)->combines);
        if (!same_way || columns != sg_loop_get(right)->takes_columns) {
            /* a loop over columns that combines stores is one of ordinary stores */
            if (columns && sg_loop_get(right)->takes_columns &&
                other == SG_LOOP_COLUMN_GROUPS_PAST &&
                b->function->store_mode != SG_STORE_NON_TEMPORAL) {
                continue; /* a fence too many is no fault */
            }
            call->loop = (sg_loop)other;
            try_mutant(b, "another loop in place");
        }
    }
    call->loop = right;
}

/* --- tests ------------------------------------------------------------------------------------ */

/* Everything that the functions of all samples contain. */
typedef struct seen {
    bool ways[SG_STORE_COMBINED_NON_TEMPORAL + 1];
    bool loops[SG_LOOP_COUNT];
    bool two_windows; /* in a register */
    bool open;        /* rows */
    bool groups;      /* of rows */
} seen;

static void see(seen *all, const sg_plan *plan)
{
    for (int64_t i = 0; i < plan->nfunctions; ++i) {
        const sg_function *f = &plan->functions[i];
        all->ways[f->store_mode] = true;
        all->loops[f->loop.loop] = true;
        all->two_windows = all->two_windows || plan->bodies[f->body].isa->tiles == 2;
    }
    all->open = all->open || plan->split->nopen > 0;
    all->groups = all->groups || plan->map.ngroups > 0;
}

static void samples_have_everything(void **state)
{
    fixture *f = *state;
    seen all = {0};
    for (size_t i = 0; i < SAMPLES; ++i) {
        see(&all, plan_of(f, &samples[i]));
    }
    for (int i = 0; i <= SG_STORE_COMBINED_NON_TEMPORAL; ++i) {
        assert_true(all.ways[i]);
    }
    for (int i = 0; i < SG_LOOP_COUNT; ++i) {
        if (!all.loops[i]) {
            fail_msg("no sample has the loop '%s'", sg_loop_get((sg_loop)i)->name);
        }
    }
    assert_true(all.two_windows && all.open && all.groups);
}

static void broken_calls_are_found(void **state)
{
    fixture *f = *state;
    breaking b = {.arena = &f->arena};
    for (size_t i = 0; i < SAMPLES; ++i) {
        sg_plan *plan = plan_of(f, &samples[i]);
        b.plan = plan;
        for (int64_t n = 0; n < plan->nfunctions; ++n) {
            b.function = &plan->functions[n];
            break_function(&b);
        }
        assert_null(sg_verify(&f->arena, plan));
    }
    print_message("%d mutants, %d not found\n", b.made, b.missed);
    assert_int_equal(b.missed, 0);
    assert_true(b.made >= 1000);
}

/* If no run fills whole cache lines, the streams are not copied together. Such a plan was once
 * refused, because a phase without instructions counted as copied. */
static void streams_of_short_runs_are_proved(void **state)
{
    static const sample runs = {SG_DTYPE_F32,     32, true, false, 4, {56, 1, 8, 20}, ISA(AVX2LANE),
                                SG_UARCH_GENERIC, 0,  0,    0};
    fixture *f = *state;
    assert_null(sg_verify(&f->arena, plan_of(f, &runs)));
}

/* The numbers of a body must be those of its functions. */
static void other_numbers_than_a_variants_are_found(void **state)
{
    fixture *f = *state;
    sg_plan *plan = plan_of(f, &samples[1]);
    sg_body *v = &plan->bodies[0];
    assert_true(v->tail_rows > 0 && v->prologue_rows > 0);
    FOUND(--v->tail_rows, ++v->tail_rows);
    FOUND(++v->prologue_rows, --v->prologue_rows);
    FOUND(v->rows_per_iteration *= 2, v->rows_per_iteration /= 2);
    const int64_t stream_iterations = v->stream_iterations;
    FOUND(v->stream_iterations = 0, v->stream_iterations = stream_iterations);
    plan = plan_of(f, &samples[5]);
    v = &plan->bodies[0];
    FOUND(--v->block_rows, ++v->block_rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(samples_have_everything, set_up, tear_down),
        cmocka_unit_test_setup_teardown(broken_calls_are_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(streams_of_short_runs_are_proved, set_up, tear_down),
        cmocka_unit_test_setup_teardown(other_numbers_than_a_variants_are_found, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("functions", tests, NULL, NULL);
}
