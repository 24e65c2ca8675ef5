/* Plans built from small splits: layouts, views, strategies, and plans broken on purpose. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "plan_fixture.h"
#include "plan/body/portable.h"
#include "plan/bytes.h"
#include "plan/caches.h"
#include "plan/params.h"
#include "plan/plan.h"
#include "plan/report/dump.h"
#include "plan/verify/verify.h"

static sg_plan *build(fixture *f, const sg_split *split, sg_unroll unroll)
{
    return sg_plan_build(&f->arena, &f->diag, split, &(sg_plan_options){.unroll = unroll});
}

static void rows_and_columns(void **state)
{
    fixture *f = *state;
    const sg_plan *p = build(
        f, make_split(&f->arena, SG_DTYPE_F32, DIMS(2, 3, 6, 5), 4, 2, LENGTHS(1, 0, -2 - 2, 3)),
        SG_UNROLL_AUTO);
    assert_non_null(p);
    assert_int_equal(p->map.rows, 6);
    assert_int_equal(p->map.row_stride, 6 * 5 * 4);
    assert_int_equal(p->noutputs, 3);
    assert_int_equal(p->map.nparts, 2);
    assert_int_equal(p->map.parts[0].offset, 0);
    assert_int_equal(p->map.parts[0].width, 20);
    assert_int_equal(p->map.parts[1].offset, 60);
    assert_int_equal(p->map.parts[1].width, 60);
    assert_int_equal(p->map.parts[1].tensor, 2);
    assert_int_equal(p->outputs[1].column, -1);
    assert_int_equal(p->bytes_moved, 6 * 80);
    assert_int_equal(p->shortest, 20);
    assert_int_equal(p->longest, 60);
    assert_int_equal(p->copies, 12);
}

static void views(void **state)
{
    fixture *f = *state;
    const sg_plan *outer1 = build(
        f, make_split(&f->arena, SG_DTYPE_F32, DIMS(1, 6, 5), 3, 1, LENGTHS(2, 4)), SG_UNROLL_AUTO);
    assert_int_equal(outer1->outputs[1].view, SG_VIEW_CONTIGUOUS);
    assert_int_equal(outer1->outputs[1].byte_offset, 40);

    const sg_plan *strided = build(
        f, make_split(&f->arena, SG_DTYPE_F32, DIMS(3, 6, 5), 3, 1, LENGTHS(2, 4)), SG_UNROLL_AUTO);
    assert_int_equal(strided->outputs[1].view, SG_VIEW_STRIDED);
    assert_int_equal(strided->outputs[1].byte_offset, 40);
    assert_int_equal(strided->outputs[1].strides[0], 30);
    assert_int_equal(strided->outputs[1].strides[1], 5);
    assert_int_equal(strided->outputs[1].strides[2], 1);

    const sg_plan *whole = build(
        f, make_split(&f->arena, SG_DTYPE_F32, DIMS(3, 6), 2, 1, LENGTHS(0, 6)), SG_UNROLL_AUTO);
    assert_int_equal(whole->outputs[0].view, SG_VIEW_CONTIGUOUS);
    assert_int_equal(whole->outputs[1].view, SG_VIEW_CONTIGUOUS);
    assert_int_equal(whole->copies, 1);
    assert_int_equal(whole->iteration.insns[0].bytes, 72);
}

static void unrolling_follows_the_budget(void **state)
{
    fixture *f = *state;
    const sg_split *s = make_split(&f->arena, SG_DTYPE_U16, DIMS(128, 7), 2, 1, LENGTHS(1, 6));
    const sg_plan *at = build(f, s, SG_UNROLL_AUTO);
    assert_int_equal(at->kind, SG_PLAN_STRAIGHT);
    assert_int_equal(at->insns, SG_UNROLL_BUDGET);
    const sg_split *more = make_split(&f->arena, SG_DTYPE_U16, DIMS(129, 7), 2, 1, LENGTHS(1, 6));
    const sg_plan *above = build(f, more, SG_UNROLL_AUTO);
    assert_int_equal(above->kind, SG_PLAN_ROWS);
    assert_int_equal(above->copies, 258);
    const sg_plan *none = build(f, s, SG_UNROLL_NONE);
    assert_int_equal(none->iteration.rows, 1);
    assert_int_equal(none->copies, 256);
    assert_int_equal(none->insns, 2);
    const sg_plan *full = build(f, more, SG_UNROLL_FULL);
    assert_int_equal(full->kind, SG_PLAN_STRAIGHT);
    assert_int_equal(full->insns, 258);
}

static void a_tail_is_single_rows(void **state)
{
    fixture *f = *state;
    const sg_plan *p =
        build(f, make_split(&f->arena, SG_DTYPE_U8, DIMS(1003, 3), 2, 1, LENGTHS(1, 1, 1)),
              SG_UNROLL_AUTO);
    assert_int_equal(p->kind, SG_PLAN_ROWS);
    const int64_t rows = SG_LOOP_BODY_MOVES / 3;
    assert_int_equal(p->iteration.rows, rows);
    assert_int_equal(p->row.rows, 1);
    assert_int_equal(p->insns, 3 * rows + 3);
    assert_int_equal(p->copies, 3 * 1003);
}

/* The instructions of one run of n bytes in an op of about `total` bytes. */
static const sg_code *run_of(fixture *f, int64_t n, int64_t total)
{
    const sg_plan *p =
        build(f, make_split(&f->arena, SG_DTYPE_U8, DIMS(n + total), 1, 0, LENGTHS(n, -2 - total)),
              SG_UNROLL_AUTO);
    return &p->iteration;
}

static void runs_are_cut_by_size(void **state)
{
    fixture *f = *state;
    assert_int_equal(run_of(f, 1, 10)->insns[0].op, SG_INSN_MOVE);
    const sg_code *s = run_of(f, SG_COPY_LITERAL_MAX, 0);
    assert_int_equal(s->ninsns, 1);
    assert_int_equal(s->insns[0].op, SG_INSN_COPY);
    s = run_of(f, SG_COPY_LITERAL_MAX + 1, 0);
    assert_int_equal(s->ninsns, 2);
    assert_int_equal(s->insns[0].bytes, SG_COPY_LITERAL_MAX);
    assert_int_equal(s->insns[1].op, SG_INSN_MOVE);

    s = run_of(f, SG_CALL_MIN - 1, 0);
    assert_int_equal(s->ninsns, 2);
    assert_int_equal(s->insns[1].op, SG_INSN_COPY);

    s = run_of(f, SG_CALL_MIN, 0);
    assert_int_equal(s->ninsns, 1);
    assert_int_equal(s->insns[0].op, SG_INSN_CALL);
    s = run_of(f, 5 * SG_CALL_MIN, SG_SMALL_BYTES);
    assert_int_equal(s->ninsns, 1);
    assert_int_equal(s->insns[0].op, SG_INSN_CALL);
}

static void floats_are_never_assigned(void **state)
{
    fixture *f = *state;
    const sg_plan *p =
        build(f, make_split(&f->arena, SG_DTYPE_F64, DIMS(2), 1, 0, LENGTHS(1, 1)), SG_UNROLL_AUTO);
    assert_int_equal(p->iteration.insns[0].op, SG_INSN_COPY);
}

/* Columns of one byte each, except that column `at` has `width`. */
static sg_plan *build_columns(fixture *f, int64_t columns, int64_t at, int64_t width)
{
    int64_t *lengths = SG_NEW_ARRAY(&f->arena, int64_t, columns + 1);
    for (int64_t c = 0; c < columns; ++c) {
        lengths[c] = c == at ? width : 1;
    }
    lengths[columns] = -1;
    return build(f, make_matrix_split(&f->arena, SG_DTYPE_U8, 40, lengths), SG_UNROLL_AUTO);
}

static void blocks_of_equal_columns_are_one_function(void **state)
{
    fixture *f = *state;
    sg_plan *p = build_columns(f, 34, 0, 1);
    sg_block *blocks = p->row.blocks;
    assert_int_equal(p->row.nblocks, 5);
    assert_int_equal(blocks[0].alias_of, 0);
    assert_int_equal(blocks[1].alias_of, 0);
    assert_int_equal(blocks[1].part, 8);
    assert_int_equal(blocks[1].at, 8);
    assert_int_equal(blocks[4].alias_of, 4); /* shorter */

    int64_t *const fields[] = {&blocks[0].alias_of, &blocks[1].alias_of, &blocks[1].part,
                               &blocks[1].at,       &blocks[0].part,     &blocks[4].alias_of,
                               &blocks[4].at};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; ++i) {
        for (int64_t by = -1; by <= 1; by += 2) {
            *fields[i] += by;
            assert_non_null(sg_verify(&f->arena, p));
            *fields[i] -= by;
        }
    }
    assert_null(sg_verify(&f->arena, p));

    assert_int_equal(build_columns(f, 34, 10, 2)->row.blocks[1].alias_of, 1);
    assert_int_equal(build_columns(f, 34, 10, -2 - 1)->row.blocks[1].alias_of, 1);
    assert_int_equal(build_columns(f, 40, 0, 2)->row.blocks[1].alias_of, 1);
    assert_int_equal(build_columns(f, 40, 0, 2)->row.blocks[2].alias_of, 1);
}

static void nothing_to_move(void **state)
{
    fixture *f = *state;
    const sg_plan *p = build(
        f, make_split(&f->arena, SG_DTYPE_F32, DIMS(0, 4), 2, 1, LENGTHS(1, 3)), SG_UNROLL_AUTO);
    assert_non_null(p);
    assert_int_equal(p->kind, SG_PLAN_EMPTY);
    assert_int_equal(p->iteration.ninsns, 0);
    assert_int_equal(p->noutputs, 2);
}

static void the_hard_cap_is_an_error(void **state)
{
    fixture *f = *state;
    const sg_split *s =
        make_split(&f->arena, SG_DTYPE_F32, DIMS(SG_INSNS_HARD_CAP, 2), 2, 1, LENGTHS(1, 1));
    assert_null(build(f, s, SG_UNROLL_FULL));
    assert_int_equal(sg_diag_exit(&f->diag), SG_EXIT_BUDGET);
    assert_non_null(build(f, s, SG_UNROLL_AUTO));
}

/* A tensor of 2^62 bytes in rows of 2^33: offsets beyond 32 bits, no overflow. */
static void huge_rows(void **state)
{
    fixture *f = *state;
    const int64_t big = INT64_C(1) << 31;
    const sg_plan *p = build(
        f,
        make_split(&f->arena, SG_DTYPE_F32, DIMS(INT64_C(1) << 29, big), 2, 1, LENGTHS(big - 1, 1)),
        SG_UNROLL_AUTO);
    assert_non_null(p);
    assert_int_equal(p->map.row_stride, INT64_C(1) << 33);
    assert_int_equal(p->bytes_moved, INT64_C(1) << 62);
}

/* Every change of a single field of a correct plan must be caught. */
static void broken_plans_are_caught(void **state)
{
    fixture *f = *state;
    sg_plan *p = build(f, make_split(&f->arena, SG_DTYPE_U16, DIMS(40, 9), 2, 1, LENGTHS(2, 3, 4)),
                       SG_UNROLL_AUTO);
    assert_null(sg_verify(&f->arena, p));
    sg_code *codes[] = {&p->iteration, &p->row};
    for (int k = 0; k < 2; ++k) {
        for (int64_t i = 0; i < codes[k]->ninsns; ++i) {
            sg_insn *insn = &codes[k]->insns[i];
            const sg_insn good = *insn;
            sg_insn bad[10];
            for (size_t b = 0; b < sizeof bad / sizeof *bad; ++b) {
                bad[b] = good;
            }
            bad[0].to.at += 2;
            bad[1].from.at += 2;
            bad[2].from.at -= 2;
            --bad[3].bytes;
            ++bad[4].bytes;
            bad[5].to.part = (good.to.part + 1) % 3;
            bad[6].to.part = 3;
            bad[7].to.part = -1;
            bad[8].from.at = INT64_MAX;
            bad[9].bytes = 0;
            for (size_t b = 0; b < sizeof bad / sizeof *bad; ++b) {
                *insn = bad[b];
                assert_non_null(sg_verify(&f->arena, p));
            }
            *insn = good;
        }
        const sg_code good = *codes[k];
        --codes[k]->ninsns;
        assert_non_null(sg_verify(&f->arena, p));
        *codes[k] = good;
        ++codes[k]->rows;
        assert_non_null(sg_verify(&f->arena, p));
        *codes[k] = good;
    }
    p->outputs[1].byte_offset += 2;
    assert_non_null(sg_verify(&f->arena, p));
    p->outputs[1].byte_offset -= 2;
    ++p->outputs[1].strides[0];
    assert_non_null(sg_verify(&f->arena, p));
    --p->outputs[1].strides[0];
    p->outputs[1].view = SG_VIEW_CONTIGUOUS;
    assert_non_null(sg_verify(&f->arena, p));
    p->outputs[1].view = SG_VIEW_STRIDED;
    assert_null(sg_verify(&f->arena, p));
}

/* Short runs are copied by one move that overruns into the next row, except for the last one.
 * Everything that would spoil bytes or leave a buffer is caught. */
static void short_runs_spill_into_the_next_row(void **state)
{
    fixture *f = *state;
    sg_plan *p = build(f, make_split(&f->arena, SG_DTYPE_U8, DIMS(3, 8), 2, 1, LENGTHS(3, 5)),
                       SG_UNROLL_AUTO);
    sg_code *s = &p->iteration;
    const int64_t overruns[] = {1, 1, 0, 3, 3, 0};
    assert_true(s->by_outputs && p->puts);
    assert_int_equal(s->ninsns, 6);
    for (int64_t i = 0; i < 6; ++i) {
        sg_insn *insn = &s->insns[i];
        assert_int_equal(insn->to.part, i / 3);
        assert_int_equal(insn->overrun, overruns[i]);
        for (int64_t overrun = -1; overrun < 12; ++overrun) {
            const bool right = overrun == 0 || (i % 3 < 2 && overrun > 0 && overrun <= insn->bytes);
            insn->overrun = overrun;
            assert_int_equal(sg_verify(&f->arena, p) == NULL, right);
        }
        insn->overrun = overruns[i];
    }
    const sg_insn first = s->insns[0];
    s->insns[0] = s->insns[1];
    s->insns[1] = first;
    assert_non_null(sg_verify(&f->arena, p)); /* the overrun is overwritten later */
    s->insns[1] = s->insns[0];
    s->insns[0] = first;
    assert_null(sg_verify(&f->arena, p));
    p = build(f, make_split(&f->arena, SG_DTYPE_U8, DIMS(3, 8), 2, 1, LENGTHS(4, 4)),
              SG_UNROLL_AUTO);
    assert_false(p->iteration.by_outputs); /* single moves: gcc vectorises them */
    p = build(f, make_split(&f->arena, SG_DTYPE_STRING, DIMS(3, 8), 2, 1, LENGTHS(3, 5)),
              SG_UNROLL_AUTO);
    assert_false(p->iteration.by_outputs); /* their size depends on the target */
}

static void dumps_are_stable(void **state)
{
    fixture *f = *state;
    const sg_plan *p = build(
        f, make_split(&f->arena, SG_DTYPE_I32, DIMS(2, 3), 2, 1, LENGTHS(1, 2)), SG_UNROLL_AUTO);
    sg_buf out = {0};
    sg_dump_layout(&out, p);
    sg_dump_plan(&out, p);
    sg_dump_program(&out, p);
    assert_string_equal(
        out.ptr,
        "layout k rows 2 row_stride 12 unit_bits 8 element 4\n"
        "  column 0 tensor 0 offset 0 width 4 row_stride 4\n"
        "  column 1 tensor 1 offset 4 width 8 row_stride 8\n"
        "plan k straight bytes_moved 24 copies 4 insns 4 shortest 4 longest 8 non_temporal never "
        "optimize speed why \"4 moves of up to 16 bytes fit the unroll budget of 256\" strategy "
        "\"straight-line\"\n"
        "  output 0 out0 parameter out0 dims [2,1] column 0 view strided byte_offset 0 row_stride "
        "3 view_align 4 strides [3,1] view_why \"2 runs of 4 bytes, 12 bytes apart\" strategy \"2 "
        "runs of 4 bytes\"\n"
        "  output 1 out1 parameter out1 dims [2,2] column 1 view strided byte_offset 4 row_stride "
        "3 view_align 4 strides [3,1] view_why \"2 runs of 8 bytes, 12 bytes apart\" strategy \"2 "
        "runs of 8 bytes\"\n"
        "  parameter 0 whole data place -1 passed is_const bytes 24\n"
        "  parameter 1 part out0 place 0 passed bytes 8\n"
        "  parameter 2 part out1 place 1 passed bytes 16\n"
        "  choice 0 portable body -1 store_mode ordinary rows 1 footprint any aligned 1 off 0\n"
        "program k block_rows 1\n"
        "  iteration rows 2\n"
        "    insn 0 move bytes 4 to 0+0 from whole+0\n"
        "    insn 1 copy bytes 8 to 1+0 from whole+4\n"
        "    insn 2 move bytes 4 to 0+4 from whole+12\n"
        "    insn 3 copy bytes 8 to 1+8 from whole+16\n"
        "    block 0 first 0 count 4 alias_of 0\n"
        "  row rows 1\n"
        "    insn 0 move bytes 4 to 0+0 from whole+0\n"
        "    insn 1 copy bytes 8 to 1+0 from whole+4\n"
        "    block 0 first 0 count 2 alias_of 0\n");
    sg_buf_free(&out);
}

/* A constant is neither a parameter nor an entry of the array, for any number of inputs. */
static void constants_are_no_parameters(void **state)
{
    fixture *f = *state;
    static const unsigned char data[8];
    for (int64_t given = 32; given <= 33; ++given) {
        const bool array = given > SG_PLAN_MAX_PARAMS;
        int64_t lengths[37];
        for (int64_t i = 0; i < given + 3; ++i) {
            lengths[i] = i == 2 ? 0 : 1;
        }
        lengths[given + 3] = -1;
        sg_split *split = make_matrix_split(&f->arena, SG_DTYPE_F32, 2, lengths);
        split->joins = true;
        split->parts[0].data = split->parts[2].data = split->parts[given + 2].data = data;
        const sg_plan *plan = sg_plan_build(&f->arena, &f->diag, split, &(sg_plan_options){0});
        assert_non_null(plan);
        assert_int_equal(plan->array_params, array);
        assert_int_equal(plan->gathers, array);
        assert_int_equal(plan->nparams, array + given + 1);
        assert_int_equal(plan->params[array].outputs[0], 1);
        assert_int_equal(plan->params[array + 1].outputs[0], 3);
        assert_int_equal(plan->params[array + given - 1].place, given - 1);
        assert_true(plan->outputs[0].held && plan->outputs[2].held);
        assert_null(plan->outputs[given + 2].param);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(rows_and_columns, set_up, tear_down),
        cmocka_unit_test_setup_teardown(views, set_up, tear_down),
        cmocka_unit_test_setup_teardown(unrolling_follows_the_budget, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_tail_is_single_rows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(runs_are_cut_by_size, set_up, tear_down),
        cmocka_unit_test_setup_teardown(floats_are_never_assigned, set_up, tear_down),
        cmocka_unit_test_setup_teardown(blocks_of_equal_columns_are_one_function, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(nothing_to_move, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_hard_cap_is_an_error, set_up, tear_down),
        cmocka_unit_test_setup_teardown(huge_rows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(broken_plans_are_caught, set_up, tear_down),
        cmocka_unit_test_setup_teardown(short_runs_spill_into_the_next_row, set_up, tear_down),
        cmocka_unit_test_setup_teardown(dumps_are_stable, set_up, tear_down),
        cmocka_unit_test_setup_teardown(constants_are_no_parameters, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
