/* Strips of narrow columns of kernels with an array of outputs: blocks of rows, what is asked for
 * ahead. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "plan_fixture.h"
#include "plan/budget.h"
#include "plan/isa.h"
#include "plan/plan.h"
#include "plan/verify.h"

#define MOST 600

/* The body for all processors over so many columns of one element. */
static const sg_variant *columns_of(fixture *f, sg_dtype dtype, int64_t rows, int columns,
                                    sg_isa isa)
{
    int64_t lengths[MOST + 1];
    for (int i = 0; i < columns; ++i) {
        lengths[i] = 1;
    }
    lengths[columns] = -1;
    const sg_plan *plan =
        sg_plan_build(&f->arena, &f->diag, make_matrix_split(&f->arena, dtype, rows, lengths),
                      &(sg_plan_options){.isas = UINT32_C(1) << isa});
    assert_non_null(plan);
    assert_null(sg_verify(&f->arena, plan));
    for (int64_t i = 0; i < plan->nvariants; ++i) {
        if (plan->variants[i].only == SG_UARCH_GENERIC) {
            return &plan->variants[i];
        }
    }
    return NULL;
}

/* Two windows where one is half of L1, unless lines of rows are in the same sets. */
static void long_rows_have_blocks_of_two_windows(void **state)
{
    fixture *f = *state;
    const sg_isa isa = SG_ISA_AVX512VBMI;
    assert_int_equal(columns_of(f, SG_DTYPE_U8, 1000, 257, isa)->block_rows, 2 * 64);
    assert_int_equal(columns_of(f, SG_DTYPE_U8, 1000, 500, isa)->block_rows, 2 * 64);
    assert_int_equal(columns_of(f, SG_DTYPE_U8, 1000, 512, isa)->block_rows, 64);
    assert_int_equal(columns_of(f, SG_DTYPE_U8, 1000, 64, isa)->block_rows, 8 * 64);
}

/* All of the next block, in lines, from some input size on. */
static void the_next_block_is_asked_for(void **state)
{
    fixture *f = *state;
    const int64_t rows = SG_BLOCK_AHEAD_MIN / 257;
    const sg_variant *v = columns_of(f, SG_DTYPE_U8, rows, 257, SG_ISA_AVX512VBMI);
    assert_int_equal(v->slice_ahead, 0);
    v = columns_of(f, SG_DTYPE_U8, rows + 1, 257, SG_ISA_AVX512VBMI);
    assert_int_equal(v->slice_ahead % SG_LINE_BYTES, 0);
    assert_true(v->nslices * v->slice_ahead >= v->rows_per_trip * 257);
    assert_true(v->nslices * (v->slice_ahead - SG_LINE_BYTES) < v->rows_per_trip * 257);
    v = columns_of(f, SG_DTYPE_U8, rows + 1, 257, SG_ISA_NEON);
    assert_int_equal(v->slice_ahead, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(long_rows_have_blocks_of_two_windows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_next_block_is_asked_for, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
