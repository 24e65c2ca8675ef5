/* The table of choices and the loops around windows: what stands in them, and that each thing wrong
 * with one is found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "plan/choose/choices.h"
#include "plan/verify/verify.h"
#include "plan_fixture.h"

#define ALL_ISAS ((UINT32_C(1) << SG_ISA_COUNT) - 1)

static sg_plan *plan_of(fixture *f, int64_t rows, const int64_t *lengths, sg_stream stream)
{
    sg_plan *plan =
        sg_plan_build(&f->arena, &f->diag, make_matrix_split(&f->arena, SG_DTYPE_U8, rows, lengths),
                      &(sg_plan_options){.isas = ALL_ISAS, .stream = stream});
    assert_non_null(plan);
    return plan;
}

#define PLANES ((const int64_t[]){1, 1, 1, -1})

/* Past the cache where it does not fit, by feeds where outputs are off, portable code last. */
static void planes_have_every_way(void **state)
{
    fixture *f = *state;
    const sg_plan *plan = plan_of(f, 2073600, PLANES, SG_STREAM_AUTO);
    const sg_way ways[] = {SG_WAY_PAST, SG_WAY_FEED_PAST, SG_WAY_FEED, SG_WAY_CACHE};
    for (int i = 0; i < 4; ++i) {
        assert_int_equal(plan->choices[i].variant, 0);
        assert_int_equal(plan->choices[i].way, ways[i]);
    }
    assert_int_equal(plan->choices[0].aligned, SG_LINE_BYTES);
    assert_int_equal(plan->choices[0].footprint, SG_FOOTPRINT_ROWS);
    assert_int_equal(plan->choices[2].off, SG_OFF_UNIT);
    assert_int_equal(plan->choices[plan->nchoices - 1].variant, SG_CHOICE_PORTABLE);
    assert_null(sg_choices_find(plan_of(f, 9000, PLANES, SG_STREAM_AUTO), 0, SG_WAY_PAST));
    assert_null(sg_choices_find(plan_of(f, 2073600, PLANES, SG_STREAM_NEVER), 0, SG_WAY_PAST));
}

/* Rows that an earlier one takes are not there. */
static void covered_rows_are_left_out(void **state)
{
    fixture *f = *state;
    const sg_plan *plan = plan_of(f, 2073600, PLANES, SG_STREAM_ALWAYS);
    assert_int_equal(plan->choices[0].footprint, SG_FOOTPRINT_ANY);
    assert_null(sg_choices_find(plan, 0, SG_WAY_FEED));
    assert_non_null(sg_choices_find(plan, 0, SG_WAY_FEED_PAST));
}

#define FOUND(change, back)                                                                        \
    change;                                                                                        \
    assert_non_null(sg_verify(&f->arena, plan));                                                   \
    back;                                                                                          \
    assert_null(sg_verify(&f->arena, plan))

static void a_wrong_row_is_found(void **state)
{
    fixture *f = *state;
    sg_plan *plan = plan_of(f, 2073600, PLANES, SG_STREAM_AUTO);
    sg_choice *c = plan->choices;
    FOUND(c[0].aligned = 1, c[0].aligned = SG_LINE_BYTES);
    FOUND(c[0].footprint = SG_FOOTPRINT_ANY, c[0].footprint = SG_FOOTPRINT_ROWS);
    FOUND(--c[0].rows, ++c[0].rows);
    FOUND(--c[1].rows, ++c[1].rows);
    FOUND(c[2].way = SG_WAY_IN_ORDER, c[2].way = SG_WAY_FEED);
    FOUND(c[2].off = 0; c[2].rows = c[1].rows; c[3].rows = c[2].rows, /* the plain one never runs */
                                               c[2].off = SG_OFF_UNIT;
          c[3].rows = plan->variants[0].rows_per_trip);
    FOUND(--plan->nchoices, ++plan->nchoices); /* nothing matches everything */
    FOUND(c[0].variant = plan->nvariants, c[0].variant = 0);
}

static void a_wrong_loop_is_found(void **state)
{
    fixture *f = *state;
    sg_plan *plan = plan_of(f, 2073600, PLANES, SG_STREAM_AUTO);
    sg_variant *v = &plan->variants[0];
    const int64_t tail = v->tail_rows;
    FOUND(v->tail_rows = -1, v->tail_rows = tail);
    FOUND(++v->head_rows, --v->head_rows);
    FOUND(v->head_rows = 0, v->head_rows = v->rows_per_trip);
    FOUND(v->front_trips = 0, v->front_trips = 2);
}

static void what_is_told(void **state)
{
    fixture *f = *state;
    sg_buf out = {0};
    const sg_plan *plan = plan_of(f, 2073600, PLANES, SG_STREAM_AUTO);
    sg_choice_tell(&out, plan, &plan->choices[0]);
    assert_string_equal(out.ptr,
                        "avx512, 128 rows or more, more than rows get of the cache, outputs "
                        "at multiples of 64 bytes: past the cache");
    sg_buf_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(planes_have_every_way, set_up, tear_down),
        cmocka_unit_test_setup_teardown(covered_rows_are_left_out, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_wrong_row_is_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_wrong_loop_is_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_told, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("choices", tests, NULL, NULL);
}
