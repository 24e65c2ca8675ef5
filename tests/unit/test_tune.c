/* The cost table, its predictions for each microarchitecture, and versions chosen for one of
 * them or for all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "plan_fixture.h"
#include "plan/body/cost.h"
#include "plan/body/portable.h"
#include "plan/choose/candidates.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"

#define ALL_ISAS ((UINT32_C(1) << SG_ISA_COUNT) - 1)

static const sg_plan *plan_of_rows(fixture *f, sg_uarch tune, uint32_t isas, sg_dtype dtype,
                                   int64_t rows, const int64_t *lengths)
{
    const sg_plan *plan =
        sg_plan_build(&f->arena, &f->diag, make_matrix_split(&f->arena, dtype, rows, lengths),
                      &(sg_plan_options){.isas = isas, .tune = tune});
    assert_non_null(plan);
    return plan;
}

static const sg_plan *plan_for(fixture *f, sg_uarch tune, uint32_t isas, sg_dtype dtype,
                               const int64_t *lengths)
{
    return plan_of_rows(f, tune, isas, dtype, 1000, lengths);
}

/* The first version that runs there. */
static const sg_body *body_on(const sg_plan *plan, sg_uarch on)
{
    int64_t i = 0;
    while (i < plan->nbodies && plan->bodies[i].only != SG_UARCH_GENERIC &&
           plan->bodies[i].only != on) {
        ++i;
    }
    assert_true(i < plan->nbodies);
    return &plan->bodies[i];
}

/* Predicted cycles per row. */
static double cycles_on(fixture *f, sg_uarch tune, sg_uarch on, sg_dtype dtype,
                        const int64_t *lengths)
{
    const sg_plan *plan =
        plan_for(f, tune, 1U << SG_ISA_AVX512VBMI | 1U << SG_ISA_AVX512, dtype, lengths);
    const sg_body *v = body_on(plan, on);
    return v->on[on].cycles / (double)v->rows_per_iteration;
}

static void every_instruction_set_has_costs(void **state)
{
    (void)state;
    for (int isa = 0; isa < SG_ISA_COUNT; ++isa) {
        int rows = 0;
        assert_null(sg_isa_cost((sg_isa)isa, SG_UARCH_GENERIC));
        for (int u = 0; u < SG_UARCH_COUNT; ++u) {
            const sg_cost *cost = sg_isa_cost((sg_isa)isa, (sg_uarch)u);
            if (cost != NULL) {
                assert_true((int)cost->uarch == u && (int)cost->isa == isa);
                assert_true(cost->all > 0 && cost->loads > 0 && cost->stores > 0);
                assert_true(cost->alu > 0 && cost->shuffles > 0 && cost->run_loads > 0);
                assert_true(cost->run_stores > 0 && cost->move_stores > 0);
                assert_int_equal(cost->permute2 > 0, sg_isa_get((sg_isa)isa)->has_permute2);
                ++rows;
            }
        }
        assert_true(rows > 0);
    }
    assert_string_equal(sg_uarch_name(SG_UARCH_GENERIC), "generic");
    assert_string_equal(sg_uarch_name(SG_UARCH_GOLDENCOVE), "goldencove");
    assert_string_equal(sg_uarch_title(SG_UARCH_ZEN5), "Zen 5");
}

/* The prediction for a kernel includes the rows after its whole iterations. */
/* A machine decides about its best instruction set, and Golden Cove about each of its own, since
 * there are processors with its core and without AVX-512. */
static void machines_decide_about_code_they_run(void **state)
{
    (void)state;
    assert_true(sg_uarch_decides(SG_UARCH_GOLDENCOVE, SG_ISA_AVX512VBMI));
    assert_true(sg_uarch_decides(SG_UARCH_GOLDENCOVE, SG_ISA_AVX512));
    assert_true(sg_uarch_decides(SG_UARCH_GOLDENCOVE, SG_ISA_AVX2LANE));
    assert_true(sg_uarch_decides(SG_UARCH_ZEN3, SG_ISA_AVX2BYTE));
    assert_true(sg_uarch_decides(SG_UARCH_ZEN4, SG_ISA_AVX512));
    assert_false(sg_uarch_decides(SG_UARCH_ZEN4, SG_ISA_AVX2LANE));
    assert_false(sg_uarch_decides(SG_UARCH_ZEN3, SG_ISA_AVX512));
    assert_false(sg_uarch_decides(SG_UARCH_GENERIC, SG_ISA_AVX2LANE));
}

static void rows_left_over_are_counted(void **state)
{
    fixture *f = *state;
    for (int64_t rows = 64; rows < 200; rows += 17) {
        const sg_plan *plan =
            plan_of_rows(f, SG_UARCH_GENERIC, ALL_ISAS, SG_DTYPE_U8, rows, LENGTHS(1, 1, 1));
        assert_true(plan->nbodies > 0);
        for (int64_t i = 0; i < plan->nbodies; ++i) {
            const sg_body *v = &plan->bodies[i];
            const int64_t left = rows % v->rows_per_iteration;
            const double whole = v->cycles * (double)(rows / v->rows_per_iteration);
            const double all = v->on[SG_UARCH_GENERIC].all;
            assert_true(left == 0 ? all >= whole && all <= whole
                                  : all > whole && all <= whole + v->cycles);
        }
    }
}

/* 24 rows are two tiles of 16, one of which overlaps the other, or three of 8; 32 rows are two
 * tiles of 16. */
static void rows_left_over_decide(void **state)
{
    fixture *f = *state;
    for (int64_t rows = 24; rows <= 32; rows += 8) {
        const sg_plan *plan =
            plan_of_rows(f, SG_UARCH_GENERIC, ALL_ISAS, SG_DTYPE_F32, rows, LENGTHS(4, 5, 2, 5));
        const sg_body *v = &plan->bodies[0];
        assert_string_equal(v->isa->name, rows == 24 ? "avx2" : "avx512");
        assert_int_equal(v->rows_per_iteration, rows == 24 ? 8 : 16);
    }
}

/* The end of a run is copied by the smallest access that holds it, which seldom crosses a line. */
static void ends_of_runs_cost_by_their_size(void **state)
{
    fixture *f = *state;
    const sg_body *one =
        body_on(plan_for(f, SG_UARCH_ZEN4, 1U << SG_ISA_AVX2LANE, SG_DTYPE_U8, LENGTHS(33, 33)),
                SG_UARCH_ZEN4);
    const sg_body *most =
        body_on(plan_for(f, SG_UARCH_ZEN4, 1U << SG_ISA_AVX2LANE, SG_DTYPE_U8, LENGTHS(63, 63)),
                SG_UARCH_ZEN4);
    assert_int_equal(one->lanes, 1);
    assert_int_equal(most->lanes, 1);
    assert_true(one->cycles < most->cycles);
}

/* Most stores of long runs are at multiples of their size, for any row width. */
static void long_runs_cross_few_lines(void **state)
{
    fixture *f = *state;
    const int64_t *lengths[] = {LENGTHS(192, 192), LENGTHS(200, 200), LENGTHS(960, 960),
                                LENGTHS(1000, 1000)};
    double per_byte[4];
    for (int i = 0; i < 4; ++i) {
        const sg_plan *plan =
            plan_for(f, SG_UARCH_ZEN4, 1U << SG_ISA_AVX2LANE, SG_DTYPE_U8, lengths[i]);
        const sg_body *v = body_on(plan, SG_UARCH_ZEN4);
        assert_int_equal(v->lanes, 1);
        per_byte[i] = v->cycles / (double)(v->rows_per_iteration * 2 * lengths[i][0]);
    }
    assert_true(per_byte[1] > 1.4 * per_byte[0]);
    assert_true(per_byte[3] < 1.2 * per_byte[2]);
}

/* gcc vectorises a few pairs by itself, but no other columns. */
static void few_pairs_are_left_to_compilers(void **state)
{
    fixture *f = *state;
    const struct {
        int64_t rows;
        const int64_t *lengths;
        bool codes;
    } cases[] = {
        {31, LENGTHS(1, 1), false}, {32, LENGTHS(1, 1), true}, {16, LENGTHS(1, 1, 1), true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const sg_plan *plan = plan_of_rows(f, SG_UARCH_GENERIC, ALL_ISAS, SG_DTYPE_U16,
                                           cases[i].rows, cases[i].lengths);
        assert_int_equal(plan->nbodies > 0, cases[i].codes);
    }
}

/* Detection costs time on a machine that then has no version of its own. */
static void small_kernels_have_bodies_for_all_or_none(void **state)
{
    fixture *f = *state;
    const int64_t *few[] = {LENGTHS(5, 2), LENGTHS(2, 2, 1), LENGTHS(1, 4), LENGTHS(1, 1)};
    for (size_t i = 0; i < sizeof few / sizeof few[0]; ++i) {
        for (int64_t rows = 6; rows < 24; ++rows) {
            const sg_plan *plan =
                plan_of_rows(f, SG_UARCH_GENERIC, ALL_ISAS, SG_DTYPE_F64, rows, few[i]);
            bool intel = false;
            bool zen4 = false;
            for (int64_t v = 0; v < plan->nbodies; ++v) {
                intel = intel || plan->bodies[v].on[SG_UARCH_GOLDENCOVE].cycles > 0;
                zen4 = zen4 || (plan->bodies[v].only == SG_UARCH_GENERIC &&
                                plan->bodies[v].on[SG_UARCH_ZEN4].cycles > 0);
            }
            assert_int_equal(intel, zen4);
        }
    }
    for (int64_t wide = 40; wide < 120; ++wide) {
        const sg_plan *plan =
            plan_of_rows(f, SG_UARCH_GENERIC, 1U << SG_ISA_AVX512 | 1U << SG_ISA_AVX2LANE,
                         SG_DTYPE_F32, 2, LENGTHS(5, 3, 3, 2, wide, 5, 4, 4, 2, 4, 1, 4));
        if (plan->nbodies > 0) {
            assert_true(plan->bodies[plan->nbodies - 1].on[SG_UARCH_ZEN4].cycles > 0);
        }
    }
}

/* Calls of the C library take longer than vector code, even a few. */
static void calls_are_worth_a_body(void **state)
{
    fixture *f = *state;
    const uint32_t avx2 = 1U << SG_ISA_AVX2LANE;
    const int64_t *narrow = LENGTHS(SG_CALL_MIN - 1, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3);
    const sg_plan *call = plan_of_rows(f, SG_UARCH_GENERIC, avx2, SG_DTYPE_U8, 2, LENGTHS(853, 3));
    const sg_plan *none = plan_of_rows(f, SG_UARCH_GENERIC, avx2, SG_DTYPE_U8, 2, narrow);
    assert_true(call->nbodies > 0);
    assert_int_equal(none->nbodies, 0);
}

/* The first row is aligned on both sides, the others are not. */
static void the_first_of_few_rows_crosses_no_line(void **state)
{
    fixture *f = *state;
    double cycles[2];
    for (int64_t i = 0; i < 2; ++i) {
        const sg_plan *plan = plan_of_rows(f, SG_UARCH_ZEN4, 1U << SG_ISA_AVX2LANE, SG_DTYPE_U8,
                                           i == 0 ? 2 : 16, LENGTHS(133, 201));
        cycles[i] = plan->bodies[0].cycles / (double)plan->bodies[0].rows_per_iteration;
        assert_int_equal(plan->bodies[0].lanes, 1);
    }
    assert_true(cycles[0] < 0.9 * cycles[1]);
}

/* A version for one microarchitecture is the best for it, regardless of the others. If all columns
 * are narrow, the generic version is nearly as fast. */
static void nothing_is_faster_than_what_is_made_for_it(void **state)
{
    fixture *f = *state;
    const struct {
        sg_dtype dtype;
        int64_t widest; /* bytes */
        int64_t lengths[9];
    } cases[] = {
        {SG_DTYPE_F32, 4, {1, 1, -1}},       {SG_DTYPE_F32, 4, {1, 1, 1, -1}},
        {SG_DTYPE_F32, 4, {1, 1, 1, 1, -1}}, {SG_DTYPE_F32, 12, {3, 1, 1, -1}},
        {SG_DTYPE_F64, 16, {2, 2, -1}},      {SG_DTYPE_U8, 1, {1, 1, 1, -1}},
        {SG_DTYPE_U8, 4, {1, 2, 4, -1}},     {SG_DTYPE_U8, 1, {1, 1, 1, 1, 1, 1, 1, 1, -1}}};
    const sg_uarch machines[] = {SG_UARCH_ZEN5, SG_UARCH_GOLDENCOVE, SG_UARCH_ZEN4};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        for (int m = 0; m < 3; ++m) {
            const double best =
                cycles_on(f, machines[m], machines[m], cases[i].dtype, cases[i].lengths);
            const double all =
                cycles_on(f, SG_UARCH_GENERIC, machines[m], cases[i].dtype, cases[i].lengths);
            const double other =
                cycles_on(f, machines[(m + 1) % 3], machines[m], cases[i].dtype, cases[i].lengths);
            assert_true(best > 0 && best <= all && best <= other);
            assert_true(cases[i].widest > SG_APART_BYTES || all <= best * SG_SHARED_LOSS);
        }
    }
}

/* A permute of two sources delays stores on Zen 5, and is like any other on Golden Cove. */
static void pairs_of_columns_differ(void **state)
{
    fixture *f = *state;
    const int64_t *pairs = LENGTHS(1, 1);
    const double intel =
        cycles_on(f, SG_UARCH_GOLDENCOVE, SG_UARCH_GOLDENCOVE, SG_DTYPE_F32, pairs);
    const double amd = cycles_on(f, SG_UARCH_ZEN5, SG_UARCH_GOLDENCOVE, SG_DTYPE_F32, pairs);
    assert_true(intel * 1.3 < amd);
}

/* The prediction of code for all machines: the slowest one's cycles, and every machine's is
 * printed. */
static void predictions_are_told(void **state)
{
    fixture *f = *state;
    const sg_plan *plan =
        plan_for(f, SG_UARCH_GENERIC, ALL_ISAS, SG_DTYPE_U16, LENGTHS(1, 1, 1, 1));
    assert_int_equal(plan->nbodies, 4);
    for (int64_t i = 0; i < plan->nbodies; ++i) {
        const sg_body *v = &plan->bodies[i];
        double most = 0;
        double least = v->cycles;
        for (int u = SG_UARCH_GENERIC + 1; u < SG_UARCH_COUNT; ++u) {
            assert_int_equal(v->on[u].cycles > 0, sg_isa_cost(v->isa->isa, (sg_uarch)u) != NULL);
            most = v->on[u].cycles > most ? v->on[u].cycles : most;
            least = v->on[u].cycles > 0 && v->on[u].cycles < least ? v->on[u].cycles : least;
        }
        assert_true(v->cycles >= most && v->cycles <= most);
        assert_true(sg_body_fastest(v)->cycles >= least && sg_body_fastest(v)->cycles <= least);
    }
    plan = plan_for(f, SG_UARCH_GOLDENCOVE, ALL_ISAS, SG_DTYPE_U16, LENGTHS(1, 1, 1, 1));
    for (int64_t i = 0; i < plan->nbodies; ++i) {
        const sg_body *v = &plan->bodies[i];
        const bool has_it = sg_isa_cost(v->isa->isa, SG_UARCH_GOLDENCOVE) != NULL;
        assert_int_equal(v->tune, has_it ? SG_UARCH_GOLDENCOVE : SG_UARCH_GENERIC);
        assert_true(!has_it || (v->cycles >= v->on[SG_UARCH_GOLDENCOVE].cycles &&
                                v->cycles <= v->on[SG_UARCH_GOLDENCOVE].cycles));
    }
}

/* Two versions if one would lose too much on some processor, the one for fewer processors first;
 * only one if it is good enough, beyond L1, and if the processor is given. */
static void processors_that_differ_get_bodies_of_their_own(void **state)
{
    fixture *f = *state;
    const uint32_t isas = 1U << SG_ISA_AVX512VBMI | 1U << SG_ISA_AVX512;
    const sg_plan *plan = plan_for(f, SG_UARCH_GENERIC, isas, SG_DTYPE_F32, LENGTHS(1, 1));
    assert_int_equal(plan->nbodies, 2);
    assert_int_equal(plan->bodies[0].only, SG_UARCH_GOLDENCOVE);
    assert_int_equal(plan->bodies[0].tune, SG_UARCH_GOLDENCOVE);
    assert_int_equal(plan->bodies[1].only, SG_UARCH_GENERIC);
    assert_int_equal(plan->bodies[1].tune, SG_UARCH_GENERIC);
    assert_true(plan->bodies[1].on[SG_UARCH_GOLDENCOVE].cycles <= 0);
    assert_true(plan->bodies[1].on[SG_UARCH_ZEN5].cycles > 0);

    plan = plan_for(f, SG_UARCH_GENERIC, isas, SG_DTYPE_U8, LENGTHS(1, 1, 1));
    assert_int_equal(plan->nbodies, 1);
    assert_int_equal(plan->bodies[0].tune, SG_UARCH_GENERIC);
    plan = plan_for(f, SG_UARCH_ZEN5, isas, SG_DTYPE_F32, LENGTHS(1, 1));
    assert_int_equal(plan->nbodies, 1);
    assert_int_equal(plan->bodies[0].only, SG_UARCH_GENERIC);

    /* beyond L1 the program of Zen 5 is predicted for all */
    const sg_split *large = make_matrix_split(&f->arena, SG_DTYPE_F64, 100000, LENGTHS(2, 2));
    const sg_uarch tunes[] = {SG_UARCH_GENERIC, SG_UARCH_ZEN5, SG_UARCH_GOLDENCOVE};
    double cycles[3];
    for (int i = 0; i < 3; ++i) {
        plan = sg_plan_build(&f->arena, &f->diag, large,
                             &(sg_plan_options){.isas = isas, .tune = tunes[i]});
        assert_int_equal(plan->nbodies, 1);
        assert_int_equal(plan->bodies[0].only, SG_UARCH_GENERIC);
        assert_int_equal(plan->bodies[0].tune, tunes[i]);
        cycles[i] =
            plan->bodies[0].on[SG_UARCH_ZEN5].cycles / (double)plan->bodies[0].rows_per_iteration;
    }
    assert_true(cycles[0] >= cycles[1] && cycles[0] <= cycles[1] && cycles[0] < cycles[2]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_instruction_set_has_costs),
        cmocka_unit_test(machines_decide_about_code_they_run),
        cmocka_unit_test_setup_teardown(rows_left_over_are_counted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rows_left_over_decide, set_up, tear_down),
        cmocka_unit_test_setup_teardown(ends_of_runs_cost_by_their_size, set_up, tear_down),
        cmocka_unit_test_setup_teardown(long_runs_cross_few_lines, set_up, tear_down),
        cmocka_unit_test_setup_teardown(few_pairs_are_left_to_compilers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(small_kernels_have_bodies_for_all_or_none, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(calls_are_worth_a_body, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_first_of_few_rows_crosses_no_line, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nothing_is_faster_than_what_is_made_for_it, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(pairs_of_columns_differ, set_up, tear_down),
        cmocka_unit_test_setup_teardown(predictions_are_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(processors_that_differ_get_bodies_of_their_own, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
