/* The dispatch table: its rows, and that every wrong row is found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "plan/bits/bit_program.h"
#include "plan/choose/choices.h"
#include "plan/insn.h"
#include "plan/settle.h"
#include "plan/verify/verify.h"
#include "plan_fixture.h"

#define ALL_ISAS ((UINT32_C(1) << SG_ISA_COUNT) - 1)

static sg_plan *plan_of(fixture *f, int64_t rows, const int64_t *lengths, sg_nt_option non_temporal)
{
    sg_plan *plan =
        sg_plan_build(&f->arena, &f->diag, make_matrix_split(&f->arena, SG_DTYPE_U8, rows, lengths),
                      &(sg_plan_options){.isas = ALL_ISAS, .nt = non_temporal});
    assert_non_null(plan);
    return plan;
}

#define PLANES ((const int64_t[]){1, 1, 1, -1})

/* Non-temporal stores beyond the cache, write combining for unaligned outputs, portable code
 * last. */
static void planes_have_every_way(void **state)
{
    fixture *f = *state;
    const sg_plan *plan = plan_of(f, 2073600, PLANES, SG_NT_OPTION_AUTO);
    const sg_store_mode tiles[] = {SG_STORE_NON_TEMPORAL, SG_STORE_COMBINED_NON_TEMPORAL,
                                   SG_STORE_COMBINED, SG_STORE_ORDINARY};
    for (int i = 0; i < 4; ++i) {
        assert_int_equal(plan->choices[i].body, 0);
        assert_int_equal(plan->choices[i].store_mode, tiles[i]);
    }
    assert_int_equal(plan->choices[0].aligned, SG_LINE_BYTES);
    assert_int_equal(plan->choices[0].footprint, SG_FOOTPRINT_ROWS);
    assert_int_equal(plan->choices[2].off, SG_OFF_UNIT);
    assert_int_equal(plan->choices[plan->nchoices - 1].body, SG_CHOICE_PORTABLE);
    assert_null(
        sg_choices_find(plan_of(f, 9000, PLANES, SG_NT_OPTION_AUTO), 0, SG_STORE_NON_TEMPORAL));
    assert_null(
        sg_choices_find(plan_of(f, 2073600, PLANES, SG_NT_OPTION_NEVER), 0, SG_STORE_NON_TEMPORAL));
}

/* Rows that an earlier row covers are left out. */
static void covered_rows_are_left_out(void **state)
{
    fixture *f = *state;
    const sg_plan *plan = plan_of(f, 2073600, PLANES, SG_NT_OPTION_ALWAYS);
    assert_int_equal(plan->choices[0].footprint, SG_FOOTPRINT_ANY);
    assert_null(sg_choices_find(plan, 0, SG_STORE_COMBINED));
    assert_non_null(sg_choices_find(plan, 0, SG_STORE_COMBINED_NON_TEMPORAL));
}

static void a_wrong_row_is_found(void **state)
{
    fixture *f = *state;
    sg_plan *plan = plan_of(f, 2073600, PLANES, SG_NT_OPTION_AUTO);
    sg_choice *c = plan->choices;
    FOUND(c[0].aligned = 1, c[0].aligned = SG_LINE_BYTES);
    FOUND(c[0].footprint = SG_FOOTPRINT_ANY, c[0].footprint = SG_FOOTPRINT_ROWS);
    FOUND(--c[0].rows, ++c[0].rows);
    FOUND(--c[1].rows, ++c[1].rows);
    FOUND(c[2].store_mode = SG_STORE_NON_TEMPORAL, c[2].store_mode = SG_STORE_COMBINED);
    FOUND(c[2].off = 0; c[2].rows = c[1].rows; c[3].rows = c[2].rows, /* the plain one never runs */
                                               c[2].off = SG_OFF_UNIT;
          c[3].rows = plan->bodies[0].rows_per_iteration);
    FOUND(--plan->nchoices, ++plan->nchoices); /* nothing matches everything */
    FOUND(c[0].body = plan->nbodies, c[0].body = 0);
}

static sg_plan *packed_plan(fixture *f)
{
    sg_split *split = make_matrix_split(&f->arena, SG_DTYPE_U4, 3000001, LENGTHS(3, 4));
    split->packing = SG_PACKING_LSB;
    split->element_bytes = split->align = 1;
    split->bytes = (split->elements + 1) / 2;
    for (int64_t i = 0; i < split->nparts; ++i) {
        split->parts[i].bytes = (split->parts[i].elements + 1) / 2;
    }
    sg_plan *plan = sg_plan_build(&f->arena, &f->diag, split, &(sg_plan_options){.isas = ALL_ISAS});
    assert_non_null(plan);
    return plan;
}

/* Packed elements use the same table. */
static void packed_rows_are_found(void **state)
{
    fixture *f = *state;
    sg_plan *plan = packed_plan(f);
    assert_non_null(plan->bits);
    assert_int_equal(plan->nchoices, 2);
    sg_choice *c = plan->choices;
    FOUND(c[0].store_mode = SG_STORE_NON_TEMPORAL, c[0].store_mode = SG_STORE_ORDINARY);
    FOUND(c[0].body = 1, c[0].body = 0); /* the portable version has no conditions */
    FOUND(--plan->nchoices, ++plan->nchoices);
}

/* The same split with open rows, of which `rows` are expected. */
static sg_plan *free_plan_of(fixture *f, int64_t rows, const int64_t *lengths, sg_dtype dtype)
{
    sg_split *split = make_matrix_split(&f->arena, dtype, 1, lengths);
    open_split(&f->arena, split, 0, rows);
    sg_plan *plan = sg_plan_build(&f->arena, &f->diag, split, &(sg_plan_options){.isas = ALL_ISAS});
    assert_non_null(plan);
    return plan;
}

/* The conditions of the table do not depend on the expected number of rows: they compare the
 * actual numbers of bytes and rows. */
static void free_rows_are_asked_for(void **state)
{
    fixture *f = *state;
    for (int64_t rows = 1; rows <= 4096; rows *= 64) {
        const sg_plan *plan = free_plan_of(f, rows, LENGTHS(3, 5, 4), SG_DTYPE_U8);
        int non_temporal = 0;
        assert_int_equal(plan->kind, SG_PLAN_ROWS);
        assert_true(plan->few_rows >= 8); /* 24 moves of 3 a row */
        for (int64_t i = 0; i + 1 < plan->nchoices; ++i) {
            assert_true(plan->choices[i].rows >= plan->few_rows);
            non_temporal += plan->choices[i].footprint != SG_FOOTPRINT_ANY;
        }
        assert_true(plan->nbodies > 0 && non_temporal > 0);
    }
    assert_int_equal(plan_of(f, 4096, LENGTHS(3, 5, 4), SG_NT_OPTION_AUTO)->few_rows, 0);
}

/* In L1, machines that store 64 bytes as two halves copy runs by vectors of 32. */
static void halves_have_their_runs(void **state)
{
    fixture *f = *state;
    const sg_plan *plan = plan_of(f, 20, LENGTHS(100, 301, 77), SG_NT_OPTION_AUTO);
    assert_int_equal(plan->choices[0].traits, sg_trait_bit(SG_TRAIT_HALF_STORES));
    assert_int_equal(plan->choices[0].body, 1);
    assert_int_equal(plan->choices[1].body, 0);
    assert_int_equal(plan_of(f, 2000, LENGTHS(100, 301, 77), SG_NT_OPTION_AUTO)->choices[0].body,
                     0);
}

/* If a version needs many rows, there is another one for fewer. */
static void few_rows_have_a_body(void **state)
{
    fixture *f = *state;
    sg_plan *plan = free_plan_of(f, 4310, LENGTHS(128, 1, 4, 1, 16, 128, 16, 200), SG_DTYPE_U16);
    const sg_body *few = NULL;
    for (int64_t i = 0; i < plan->nbodies; ++i) {
        few = plan->bodies[i].is_few ? &plan->bodies[i] : few;
    }
    assert_non_null(few);
    assert_true(few > plan->bodies && few->rows_per_iteration < few[-1].rows_per_iteration);
    FOUND(plan->bodies[0].planned_rows = 0, plan->bodies[0].planned_rows = 4310);
}

static void free_loops_are_proved(void **state)
{
    fixture *f = *state;
    sg_plan *plan = free_plan_of(f, 13, LENGTHS(3, 5), SG_DTYPE_U8);
    assert_true(plan->iteration.rows > 1);
    FOUND(++plan->iteration.rows, --plan->iteration.rows);
    FOUND(++plan->row.rows, --plan->row.rows);
    FOUND(plan->block_rows = 0, plan->block_rows = 1);
}

/* --- mistakes of the planner --------------------------------------------------------------------
 */

static const sg_plan *settle(fixture *f, sg_plan *plan, bool strict)
{
    sg_diag_init(&f->diag, &f->arena);
    const sg_plan *settled = sg_settle(&f->arena, &f->diag, plan, NULL, strict);
    assert_int_equal(f->diag.warnings, settled != NULL);
    assert_int_equal(sg_diag_exit(&f->diag), settled != NULL ? SG_EXIT_OK : SG_EXIT_BUG);
    if (settled != NULL) {
        assert_non_null(strstr(f->diag.first->message, "left out"));
        assert_null(sg_verify(&f->arena, settled));
    }
    return settled;
}

/* The first store of a body, one unit further. */
static int64_t *place_of_store(const sg_body *v)
{
    const sg_code *code = &v->codes[0];
    for (int64_t i = 0; i < code->ninsns; ++i) {
        if (sg_opcode_get(code->insns[i].op)->does == SG_DOES_STORE ||
            sg_opcode_get(code->insns[i].op)->does == SG_DOES_RUN) {
            return &code->insns[i].to.at;
        }
    }
    fail_msg("a body stores nothing");
    return NULL;
}

/* Each body in turn is wrong: only it is left out, unless the build is strict. */
static void break_bodies(fixture *f, sg_plan *plan)
{
    assert_true(plan->nbodies > 1);
    for (int64_t i = 0; i < plan->nbodies; ++i) {
        int64_t *at = place_of_store(&plan->bodies[i]);
        ++*at;
        assert_null(settle(f, plan, true));
        const sg_plan *settled = settle(f, plan, false);
        assert_non_null(settled);
        assert_int_equal(settled->nbodies, plan->nbodies - 1);
        for (int64_t k = 0; k < settled->nbodies; ++k) {
            assert_ptr_not_equal(settled->bodies[k].codes, plan->bodies[i].codes);
        }
        --*at;
    }
    assert_null(sg_verify(&f->arena, plan));
}

static void a_wrong_body_is_left_out(void **state)
{
    fixture *f = *state;
    break_bodies(f, plan_of(f, 4096, LENGTHS(3, 5, 4), SG_NT_OPTION_AUTO));
    break_bodies(f, plan_of(f, 2073600, LENGTHS(1, 1, 1), SG_NT_OPTION_AUTO));
    break_bodies(f, free_plan_of(f, 4096, LENGTHS(3, 5, 4), SG_DTYPE_U8));
    break_bodies(f, free_plan_of(f, 4310, LENGTHS(128, 1, 4, 1, 16, 128, 16, 200), SG_DTYPE_U16));
}

/* Straight-line code must copy all rows again if no body is left. */
static void all_bodies_may_be_left_out(void **state)
{
    fixture *f = *state;
    for (int unroll = SG_UNROLL_AUTO; unroll <= SG_UNROLL_NONE; ++unroll) {
        const sg_plan_options options = {.isas = ALL_ISAS, .unroll = (sg_unroll)unroll};
        const sg_split *split = make_matrix_split(&f->arena, SG_DTYPE_U8, 2000, LENGTHS(3, 5));
        sg_plan *plan = sg_plan_build(&f->arena, &f->diag, split, &options);
        assert_non_null(plan);
        for (int64_t i = 0; i < plan->nbodies; ++i) {
            ++*place_of_store(&plan->bodies[i]);
        }
        assert_true(plan->nbodies > 0);
        const sg_plan *settled = settle(f, plan, false);
        assert_non_null(settled);
        assert_int_equal(settled->nbodies, 0);
        assert_int_equal(settled->nchoices, 1);
    }
}

static void a_wrong_row_is_left_out(void **state)
{
    fixture *f = *state;
    sg_plan *plan = plan_of(f, 2073600, LENGTHS(1, 1, 1), SG_NT_OPTION_AUTO);
    int64_t row = 0;
    while (plan->choices[row].store_mode != SG_STORE_NON_TEMPORAL) {
        ++row;
    }
    plan->choices[row].aligned = 32;
    assert_null(settle(f, plan, true));
    const sg_plan *settled = settle(f, plan, false);
    assert_non_null(settled);
    assert_int_equal(settled->nbodies, plan->nbodies);
    assert_int_equal(settled->nchoices, plan->nchoices - 1);
}

static void a_wrong_portable_program_is_an_error(void **state)
{
    fixture *f = *state;
    sg_plan *plan = plan_of(f, 4096, LENGTHS(3, 5, 4), SG_NT_OPTION_AUTO);
    ++plan->row.insns[0].to.at;
    assert_null(settle(f, plan, false));
    plan = packed_plan(f);
    ++plan->bits->group.ops[0].to.at; /* all bodies over bits copy these words */
    assert_null(settle(f, plan, false));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(planes_have_every_way, set_up, tear_down),
        cmocka_unit_test_setup_teardown(covered_rows_are_left_out, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_wrong_row_is_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(packed_rows_are_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(free_rows_are_asked_for, set_up, tear_down),
        cmocka_unit_test_setup_teardown(halves_have_their_runs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(few_rows_have_a_body, set_up, tear_down),
        cmocka_unit_test_setup_teardown(free_loops_are_proved, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_wrong_body_is_left_out, set_up, tear_down),
        cmocka_unit_test_setup_teardown(all_bodies_may_be_left_out, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_wrong_row_is_left_out, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_wrong_portable_program_is_an_error, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("choices", tests, NULL, NULL);
}
