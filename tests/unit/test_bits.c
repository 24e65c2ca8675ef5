/* Iterations over packed elements by vectors: whether there are any, how they store, load and
 * prefetch. The property tests check that they are right. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "plan/bits/bit_gather.h"
#include "plan/bits/bit_program.h"
#include "plan/bits/bit_vectors.h"
#include "plan/bits/bit_writer.h"
#include "plan/body/code_builder.h"
#include "plan/caches.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"

static int set_up(void **state)
{
    static sg_arena arena;
    sg_arena_init(&arena);
    *state = &arena;
    return 0;
}

static int tear_down(void **state)
{
    sg_arena_free(*state);
    return 0;
}

/* Two columns that share a row, in groups whose cost by words is given. */
static const sg_body *build(sg_arena *arena, int64_t rows, int64_t first, int64_t second,
                            int64_t pieces)
{
    sg_map_part parts[2] = {{.width = first, .row_stride = first},
                            {.offset = first, .width = second, .row_stride = second, .tensor = 1}};
    const sg_map map = {
        .unit_bits = 1, .rows = rows, .row_stride = first + second, .nparts = 2, .parts = parts};
    sg_bits bits = {.group_rows = 16, .groups = rows / 16, .group.npieces = pieces};
    sg_bit_vectors_build(arena, &map, &bits);
    return bits.vectors;
}

static int64_t count(const sg_body *v, sg_opcode op)
{
    int64_t n = 0;
    for (int64_t i = 0; i < v->codes->ninsns; ++i) {
        n += v->codes->insns[i].op == op;
    }
    return n;
}

static void whole_lines_are_stored(void **state)
{
    const sg_body *v = build(*state, 1000, 4, 8, 100);
    assert_non_null(v);
    assert_int_equal(v->rows_per_iteration, 8 * 16); /* 64 and 128 bytes of the outputs */
    assert_int_equal(count(v, SG_INSN_STORE), 3);
    for (int64_t i = 0; i < v->codes->ninsns; ++i) {
        const sg_insn *insn = &v->codes->insns[i];
        if (insn->op == SG_INSN_STORE) {
            assert_int_equal(insn->bytes, 64);
            assert_int_equal(insn->to.at % 64, 0);
        }
    }
}

static void predictions_are_of_what_bounds_them(void **state)
{
    const sg_body *v = build(*state, 1000, 4, 8, 100);
    assert_true(v->on[SG_UARCH_GOLDENCOVE].cycles > 8);
    assert_int_equal(v->on[SG_UARCH_GOLDENCOVE].bound, SG_PORT_ALU);
    assert_true(v->on[SG_UARCH_GENERIC].cycles >= v->on[SG_UARCH_GOLDENCOVE].cycles);
    v = build(*state, 1000, 1, 64, 200);
    assert_true(v->on[SG_UARCH_GOLDENCOVE].cycles > 20);
}

/* Bytes that are permuted last are inserted into the others by the same instruction. */
static void whole_bytes_are_not_selected_by_bits(void **state)
{
    const sg_body *v = build(*state, 1000, 4, 8, 100);
    assert_int_equal(count(v, SG_INSN_SELECT), 1); /* of halves of bytes */
}

static void single_bits_are_tested(void **state)
{
    const sg_body *v = build(*state, 1000, 1, 64, 200);
    assert_non_null(v);
    assert_int_equal(count(v, SG_INSN_TEST_TO_MASK), v->rows_per_iteration / 64);
}

static void no_iterations(void **state)
{
    assert_null(build(*state, 1000, 4, 8, 1));                /* words are cheaper */
    assert_null(build(*state, 16, 4, 8, 100));                /* no vector fits the input */
    assert_null(build(*state, 1000, 8, SG_BIT_RUN_MIN, 100)); /* runs */
    assert_null(build(*state, 16, 4, INT64_C(1) << 58, 100));
}

static void lines_are_asked_for_beyond_the_first_cache(void **state)
{
    const int64_t rows = 8 * SG_SMALL_BYTES / 12;
    const sg_body *small = build(*state, rows - 16, 4, 8, 100);
    const sg_body *large = build(*state, rows + 16, 4, 8, 100);
    const sg_body *huge = build(*state, 8 * SG_PREFETCH_END / 12 + 16, 4, 8, 100);
    assert_int_equal(count(small, SG_INSN_PREFETCH), 0);
    assert_int_equal(count(huge, SG_INSN_PREFETCH), 0);
    assert_int_equal(count(large, SG_INSN_PREFETCH), 3 + 1 + 2); /* one for each line */
}

static void constants_beyond_the_registers_are_not_kept(void **state)
{
    const sg_body *v = build(*state, 10000, 33, 64, 1000);
    int64_t kept = 0;
    assert_non_null(v);
    for (int64_t c = 0; c < v->codes->nconstants; ++c) {
        kept += v->codes->constants[c].kept;
    }
    assert_true(kept <= SG_BIT_CONSTANTS_KEPT);
    assert_true(v->codes->nconstants > SG_BIT_CONSTANTS_KEPT);
}

static void bytes_are_gathered(void **state)
{
    const sg_map map = {.unit_bits = 1, .row_stride = 8};
    sg_bit_writer *w = sg_bit_writer_new(*state, &map, false);
    w->in_bytes = 192;
    int64_t want[SG_BIT_VECTOR];
    for (int i = 0; i < SG_BIT_VECTOR; ++i) {
        want[i] = 5 + i;
    }
    assert_int_equal(sg_bit_gather(w, want), 0); /* already in place: one load */
    assert_int_equal(w->code.ninsns, 1);
    assert_int_equal(w->code.insns[0].from.at, 5);
    assert_int_equal(sg_bit_gather(w, want), 0); /* no other */
    assert_int_equal(w->code.ninsns, 1);

    sg_code_builder_clear(&w->builder);
    for (int i = 0; i < SG_BIT_VECTOR; ++i) {
        want[i] = 3 * i; /* no two have the same position in the three vectors */
    }
    sg_bit_gather(w, want);
    assert_int_equal(w->code.ninsns, 3 + 2 + 1);
    assert_int_equal(w->code.insns[5].op, SG_INSN_PERMUTE);

    sg_code_builder_clear(&w->builder);
    for (int i = 0; i < SG_BIT_VECTOR; ++i) {
        want[i] = 191 - i % 3; /* no load beyond the end */
    }
    sg_bit_gather(w, want);
    for (int i = 0; i < w->code.ninsns; ++i) {
        const sg_insn *insn = &w->code.insns[i];
        assert_true(insn->op != SG_INSN_LOAD || insn->from.at <= 192 - 64);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(whole_lines_are_stored, set_up, tear_down),
        cmocka_unit_test_setup_teardown(predictions_are_of_what_bounds_them, set_up, tear_down),
        cmocka_unit_test_setup_teardown(whole_bytes_are_not_selected_by_bits, set_up, tear_down),
        cmocka_unit_test_setup_teardown(single_bits_are_tested, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_iterations, set_up, tear_down),
        cmocka_unit_test_setup_teardown(lines_are_asked_for_beyond_the_first_cache, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(constants_beyond_the_registers_are_not_kept, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(bytes_are_gathered, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
