/* Wide columns: how many rows outputs take at a time, how their runs are copied, and which
 * stores may bypass the cache. Programs are proved right when they are built. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "plan_fixture.h"
#include "plan/body/slices.h"
#include "plan/body/vector_runs.h"
#include "plan/caches.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"
#include "plan/verify/verify.h"

/* `count` outputs of `width` bytes, followed by one of `last` bytes (0: none), for one
 * instruction set. */
static sg_plan *plan_for(fixture *f, sg_isa isa, int64_t rows, int64_t count, int64_t width,
                         int64_t last)
{
    int64_t *lengths = SG_NEW_ARRAY(&f->arena, int64_t, count + 2);
    for (int64_t i = 0; i < count; ++i) {
        lengths[i] = width;
    }
    lengths[count] = last > 0 ? last : -1;
    lengths[count + 1] = -1;
    return sg_plan_build(&f->arena, &f->diag,
                         make_matrix_split(&f->arena, SG_DTYPE_U8, rows, lengths),
                         &(sg_plan_options){.isas = UINT32_C(1) << isa});
}

static sg_plan *plan_of(fixture *f, int64_t rows, int64_t count, int64_t width, int64_t last)
{
    return plan_for(f, SG_ISA_AVX512, rows, count, width, last);
}

/* The version for all processors. */
static sg_body *body_to_change(sg_plan *plan)
{
    assert_non_null(plan);
    assert_int_equal(plan->nbodies, 1);
    assert_int_equal(plan->bodies[0].only, SG_UARCH_GENERIC);
    return &plan->bodies[0];
}

static const sg_body *body_of(sg_plan *plan)
{
    return body_to_change(plan);
}

static int64_t rows_of(fixture *f, int64_t rows, int64_t count, int64_t width)
{
    return body_of(plan_of(f, rows, count, width, 0))->rows_per_iteration;
}

static void many_outputs_alternate(void **state)
{
    fixture *f = *state;
    assert_int_equal(rows_of(f, 64, 8, 256), 1);
    assert_int_equal(rows_of(f, 64, 16, 256), 2);
    assert_int_equal(rows_of(f, 64, 32, 128), 4);
    assert_int_equal(rows_of(f, 2048, 32, 64), 8);
    assert_int_equal(rows_of(f, 64, 20, 512), 1);
    assert_int_equal(rows_of(f, 4, 16, 256), 2); /* in the first-level cache */
    /* at most SG_ALTERNATE_BYTES of input at a time */
    assert_int_equal(body_of(plan_of(f, 4096, 31, 128, 8192))->rows_per_iteration, 1);
    /* row by row from SG_IN_ORDER_BYTES on, which is 2048 of these rows */
    assert_int_equal(body_of(plan_for(f, SG_ISA_AVX2LANE, 2047, 16, 256, 0))->rows_per_iteration,
                     2);
    assert_int_equal(body_of(plan_for(f, SG_ISA_AVX2LANE, 2048, 16, 256, 0))->rows_per_iteration,
                     1);
    assert_int_equal(rows_of(f, 2047, 16, 256), 2);
    assert_int_equal(rows_of(f, 2048, 16, 256), 1);
}

/* More outputs than parameters: neighbours of equal width form a group, and equal groups share a
 * body. */
static void outputs_in_an_array_are_written_in_groups(void **state)
{
    fixture *f = *state;
    sg_plan *p = plan_of(f, 16, 40, 192, 3000);
    assert_true(p->array_params);
    sg_body *v = &p->bodies[0];
    assert_int_equal(body_of(p)->nslices, 6);
    assert_int_equal(v->ncodes, 2);
    assert_int_equal(v->codes[0].ninsns, SG_OUTPUTS_TOGETHER);
    assert_int_equal(v->slices[4].code, 0);
    assert_int_equal(v->slices[4].part, 32);
    assert_int_equal(v->slices[4].at, 32 * 192);
    assert_int_equal(v->slices[5].code, 1);
    assert_int_equal(v->block_rows, SG_BLOCK_BYTES / (40 * 192 + 3000));

    int64_t *const fields[] = {&v->slices[4].part, &v->slices[4].at, &v->codes[0].insns[3].to.part,
                               &v->codes[0].insns[3].from.at, &v->codes[1].insns[0].bytes};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; ++i) {
        ++*fields[i];
        assert_non_null(sg_verify(&f->arena, p));
        --*fields[i];
    }
    assert_null(sg_verify(&f->arena, p));

    assert_int_equal(plan_of(f, 16, 40, 40, 0)->nbodies, 1); /* column groups of 40 bytes */
    assert_int_equal(body_of(plan_of(f, 16, 39, 17, 64))->nslices, 6); /* 17 as portable */
}

static void slices_go_through_feeds(void **state)
{
    fixture *f = *state;
    sg_plan *p = plan_of(f, 100, 96, 324, 0);
    sg_body *v = body_to_change(p);
    assert_int_equal(v->write_combining, SG_WRITE_COMBINING_ALWAYS);
    assert_int_equal(v->prologue_rows, 1);
    assert_true(v->combines_non_temporal);
    assert_true(v->codes[0].insns[7].combines);
    ++v->slices[3].part; /* a combiner of another output, and one without a successor */
    assert_non_null(sg_verify(&f->arena, p));
    --v->slices[3].part;
    v->prologue_rows = 0;
    assert_non_null(sg_verify(&f->arena, p));
    v->prologue_rows = 1;
    v->write_combining = SG_WRITE_COMBINING_NEVER;
    assert_non_null(sg_verify(&f->arena, p));

    assert_int_equal(body_of(plan_of(f, 100, 96, 320, 0))->write_combining,
                     SG_WRITE_COMBINING_UNALIGNED);
    assert_int_equal(body_of(plan_of(f, 100, 40, 324, 0))->write_combining,
                     SG_WRITE_COMBINING_ALWAYS);
    assert_int_equal(body_of(plan_of(f, 1000, 40, 324, 0))->write_combining,
                     SG_WRITE_COMBINING_NEVER);
    assert_int_equal(body_of(plan_of(f, 300, 40, 100, 0))->write_combining,
                     SG_WRITE_COMBINING_NEVER);
    assert_int_equal(body_of(plan_of(f, 3, 96, 324, 0))->write_combining, SG_WRITE_COMBINING_NEVER);
}

/* With many outputs each is written for some rows before the next, beyond the second-level cache
 * too, but not in memory, and nothing is prefetched. */
static void alternating_runs_take_turns(void **state)
{
    fixture *f = *state;
    assert_int_equal(body_of(plan_of(f, 64, 16, 320, 0))->codes[0].ninsns, 16);
    for (int64_t rows = 64; rows <= 1024; rows *= 16) {
        const sg_body *v = body_of(plan_of(f, rows, 16, 256, 0));
        assert_int_equal(v->rows_per_iteration, 2);
        assert_int_equal(v->codes[0].ninsns, 2 * 16);
    }
    const sg_body *v = body_of(plan_for(f, SG_ISA_AVX2LANE, 1535, 16, 256, 0));
    assert_int_equal(v->codes[0].ninsns, 2 * 16);
}

static void runs_are_copied_by_size(void **state)
{
    fixture *f = *state;
    assert_int_equal(sg_runs_form(plan_of(f, 4, 4, 1024, 0)), SG_COPY_VECTORS);
    assert_int_equal(sg_runs_form(plan_of(f, 64, 4, 1024, 0)), SG_COPY_RUN);
    assert_int_equal(sg_runs_form(plan_of(f, 1024, 2, 128, 0)), SG_COPY_RUN);
    assert_int_equal(sg_runs_form(plan_of(f, 1024, 2, 1024, 6144)), SG_COPY_RUN);
    assert_int_equal(sg_runs_form(plan_of(f, 4096, 16, 256, 0)), SG_COPY_RUN);
    assert_int_equal(sg_runs_form(plan_of(f, 1 << 14, 1, 1024, 0)), SG_COPY_VECTORS);
}

static void short_calls_ask_where_it_pays(void **state)
{
    fixture *f = *state;
    assert_int_equal(plan_of(f, 1, 3, 128, 0)->nbodies, 1);
    assert_int_equal(plan_of(f, 1, 2, 128, 0)->nbodies, 0); /* 16 moves */
    assert_int_equal(plan_of(f, 2, 2, 128, 0)->nbodies, 1);
    assert_int_equal(plan_of(f, 1, 8, 96, 0)->nbodies, 0); /* 48 moves, which gain too little */
    assert_int_equal(plan_of(f, 2, 8, 36, 0)->nbodies, 0); /* 48 moves, half of which cross lines */
    assert_int_equal(plan_of(f, 1, 16, 64, 0)->nbodies, 1);
    assert_int_equal(plan_of(f, 1, 5, 64, 0)->nbodies, 0); /* 20 moves */
    assert_int_equal(plan_of(f, 5, 6, 68, 0)->nbodies, 1); /* 150 moves: in any case */
}

static void most_bytes_decide_on_non_temporal_stores(void **state)
{
    fixture *f = *state;
    assert_true(body_of(plan_of(f, 64, 3, 1536, 0))->allows_non_temporal);
    assert_true(body_of(plan_of(f, 64, 12, 15360, 15300))->allows_non_temporal);
    assert_false(body_of(plan_of(f, 64, 3, 15300, 0))->allows_non_temporal);
}

static void ragged_rows_are_fed(void **state)
{
    fixture *f = *state;
    const sg_body *v = body_to_change(plan_of(f, 64, 3, 85, 0));
    assert_int_equal(v->write_combining, SG_WRITE_COMBINING_ALWAYS);
    assert_int_equal(v->prologue_rows, 1);
    assert_true(v->combines_non_temporal);
    for (int64_t i = 0; i < v->codes[0].ninsns; ++i) {
        assert_true(v->codes[0].insns[i].combines);
    }
}

static void whole_lines_are_fed_where_outputs_are_off_a_line(void **state)
{
    fixture *f = *state;
    assert_int_equal(body_to_change(plan_of(f, 64, 3, 768, 0))->write_combining,
                     SG_WRITE_COMBINING_UNALIGNED);
    assert_int_equal(body_to_change(plan_of(f, 3, 3, 768, 0))->write_combining,
                     SG_WRITE_COMBINING_NEVER);
    assert_int_equal(body_to_change(plan_of(f, 64, 16, 768, 0))->write_combining,
                     SG_WRITE_COMBINING_NEVER);
}

static void columns_below_a_line_are_fed_beyond_l1(void **state)
{
    fixture *f = *state;
    const sg_body *v = body_of(plan_of(f, SG_SMALL_BYTES / 128, 1, 63, 65));
    assert_int_equal(v->write_combining, SG_WRITE_COMBINING_NEVER);
    v = body_to_change(plan_of(f, SG_SMALL_BYTES / 128 + 1, 1, 63, 65));
    assert_int_equal(v->write_combining, SG_WRITE_COMBINING_ALWAYS);
    assert_int_equal(v->prologue_rows, 2);
    v = body_to_change(plan_of(f, 4096, 2, 85, 12));
    assert_int_equal(v->write_combining, SG_WRITE_COMBINING_ALWAYS);
    assert_int_equal(v->prologue_rows, 1);
}

static int64_t prefetches_of(const sg_body *v)
{
    int64_t n = 0;
    for (int64_t i = 0; i < v->codes[0].ninsns; ++i) {
        const sg_insn *insn = &v->codes[0].insns[i];
        if (insn->op == SG_INSN_PREFETCH) {
            assert_int_equal(insn->from.at, 4096 + n * SG_LINE_BYTES);
            ++n;
        }
    }
    return n;
}

static void feeds_of_short_runs_ask_ahead(void **state)
{
    fixture *f = *state;
    assert_int_equal(prefetches_of(body_of(plan_of(f, 64, 3, 85, 0))), 0); /* in L1 */
    assert_int_equal(prefetches_of(body_of(plan_of(f, 4096, 3, 85, 0))), 4);
    assert_int_equal(prefetches_of(body_of(plan_of(f, 4096, 1, 63, 65))), 2);
    assert_int_equal(prefetches_of(body_of(plan_of(f, 4096, 2, 127, 0))), 4);
    assert_int_equal(prefetches_of(body_of(plan_of(f, 4096, 2, 129, 0))), 0);
}

/* Runs without write combining do not count as runs that make rows slow. */
static void feeds_ask_where_it_pays(void **state)
{
    fixture *f = *state;
    assert_int_equal(prefetches_of(body_of(plan_of(f, 4096, 2, 8, 327))), 0);
    assert_int_equal(prefetches_of(body_of(plan_of(f, 4096, 1, 8, 117))), 2);
}

static void feeds_are_for_intel_where_lines_may_be_crossed(void **state)
{
    fixture *f = *state;
    assert_int_equal(body_of(plan_of(f, 64, 3, 768, 0))->combining_trait, SG_TRAIT_DEAR_CROSSINGS);
    assert_int_equal(body_of(plan_of(f, 16, 3, 768, 0))->combining_trait, SG_TRAIT_NONE);
    assert_int_equal(body_of(plan_of(f, 16, 3, 85, 0))->combining_trait, SG_TRAIT_NONE);
    assert_int_equal(body_of(plan_of(f, 4096, 3, 85, 0))->combining_trait, SG_TRAIT_NONE);
    assert_int_equal(body_of(plan_of(f, 4096, 1, 63, 65))->combining_trait,
                     SG_TRAIT_DEAR_CROSSINGS);
    assert_int_equal(body_of(plan_of(f, 16, 3, 1000, 0))->combining_trait, SG_TRAIT_DEAR_CROSSINGS);
    assert_int_equal(body_of(plan_of(f, 8, 3, 1000, 0))->combining_trait, SG_TRAIT_NONE);
    assert_int_equal(body_of(plan_of(f, 100, 40, 324, 0))->combining_trait,
                     SG_TRAIT_DEAR_CROSSINGS);
}

/* A combiner reads the line where it begins from its output, and appends consecutive rows. Every
 * violation is found before printing. */
static void wrong_feeds_are_refused(void **state)
{
    fixture *f = *state;
    sg_plan *plan = plan_of(f, 4096, 1, 63, 65);
    sg_body *v = body_to_change(plan);
    assert_null(sg_verify(&f->arena, plan));
    v->prologue_rows = 1;
    assert_non_null(sg_verify(&f->arena, plan));
    v->prologue_rows = 2;
    v->write_combining = SG_WRITE_COMBINING_NEVER;
    assert_non_null(sg_verify(&f->arena, plan));
    v->write_combining = SG_WRITE_COMBINING_ALWAYS;
    assert_null(sg_verify(&f->arena, plan));

    plan = plan_of(f, 64, 16, 768, 0);
    body_to_change(plan)->codes[0].insns[0].combines = true;
    assert_non_null(sg_verify(&f->arena, plan));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(many_outputs_alternate, set_up, tear_down),
        cmocka_unit_test_setup_teardown(outputs_in_an_array_are_written_in_groups, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(slices_go_through_feeds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(alternating_runs_take_turns, set_up, tear_down),
        cmocka_unit_test_setup_teardown(feeds_of_short_runs_ask_ahead, set_up, tear_down),
        cmocka_unit_test_setup_teardown(feeds_ask_where_it_pays, set_up, tear_down),
        cmocka_unit_test_setup_teardown(feeds_are_for_intel_where_lines_may_be_crossed, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(runs_are_copied_by_size, set_up, tear_down),
        cmocka_unit_test_setup_teardown(short_calls_ask_where_it_pays, set_up, tear_down),
        cmocka_unit_test_setup_teardown(most_bytes_decide_on_non_temporal_stores, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(ragged_rows_are_fed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(whole_lines_are_fed_where_outputs_are_off_a_line, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(columns_below_a_line_are_fed_beyond_l1, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wrong_feeds_are_refused, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
