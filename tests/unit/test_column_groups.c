/* Groups of narrow columns in kernels with an array of outputs: columns of one element each by
 * interleaving only, blocks of rows, prefetches; and concats of such columns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "plan_fixture.h"
#include "plan/body/slices.h"
#include "plan/caches.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"
#include "plan/verify/verify.h"

#define MOST 600

/* The plan for `columns` columns of some elements each. */
static sg_plan *plan_of_columns(fixture *f, sg_dtype dtype, int64_t rows, int columns, int elements,
                                bool joins, sg_isa isa)
{
    int64_t lengths[MOST + 1];
    for (int i = 0; i < columns; ++i) {
        lengths[i] = elements;
    }
    lengths[columns] = -1;
    sg_split *split = make_matrix_split(&f->arena, dtype, rows, lengths);
    split->joins = joins;
    sg_plan *plan =
        sg_plan_build(&f->arena, &f->diag, split, &(sg_plan_options){.isas = UINT32_C(1) << isa});
    assert_non_null(plan);
    assert_null(sg_verify(&f->arena, plan));
    return plan;
}

/* The version for all processors over columns of one element. */
static const sg_body *columns_of(fixture *f, sg_dtype dtype, int64_t rows, int columns, sg_isa isa)
{
    const sg_plan *plan = plan_of_columns(f, dtype, rows, columns, 1, false, isa);
    for (int64_t i = 0; i < plan->nbodies; ++i) {
        if (plan->bodies[i].only == SG_UARCH_GENERIC) {
            return &plan->bodies[i];
        }
    }
    return NULL;
}

static int64_t count(const sg_code *code, sg_opcode op)
{
    int64_t n = 0;
    for (int64_t i = 0; i < code->ninsns; ++i) {
        n += code->insns[i].op == op;
    }
    return n;
}

static bool is_all_unpacks(const sg_body *v, const sg_code *code)
{
    bool all = count(code, SG_INSN_BLEND) == 0 && count(code, SG_INSN_PERMUTE) == 0;
    for (int64_t i = 0; i < code->nconstants; ++i) {
        const uint8_t *lanes = code->constants[i].lanes;
        all = all && sg_isa_unpacks(v->isa, lanes, v->lane_bytes) != SG_UNPACK_NONE;
    }
    return all;
}

/* n log2(n) interleavings for n lines; for one line as many as in a tree. */
static void single_elements_are_transposed(void **state)
{
    fixture *f = *state;
    const sg_body *bytes = columns_of(f, SG_DTYPE_U8, 1000, 257, SG_ISA_AVX512VBMI);
    assert_int_equal(bytes->ncodes, 2);
    assert_true(is_all_unpacks(bytes, &bytes->codes[0]));
    assert_int_equal(count(&bytes->codes[0], SG_INSN_LOAD), 16);
    assert_int_equal(count(&bytes->codes[0], SG_INSN_PERMUTE2), 4 * 16);
    assert_int_equal(count(&bytes->codes[0], SG_INSN_STORE), 16);
    assert_true(is_all_unpacks(bytes, &bytes->codes[1]));
    assert_int_equal(count(&bytes->codes[1], SG_INSN_PERMUTE2), 8 + 4 + 2 + 1);
    const sg_body *words = columns_of(f, SG_DTYPE_U16, 1000, 40, SG_ISA_AVX512VBMI);
    assert_true(is_all_unpacks(words, &words->codes[0]));
    assert_int_equal(count(&words->codes[0], SG_INSN_PERMUTE2), 3 * 8);
}

/* Rows that are not prefetched are read in order beyond L2. */
static void one_body_is_transposed_in_l2(void **state)
{
    fixture *f = *state;
    const int64_t rows = SG_PREFETCH_END / 20;
    const sg_body *v = columns_of(f, SG_DTYPE_U8, rows, 20, SG_ISA_AVX512VBMI);
    assert_true(is_all_unpacks(v, &v->codes[0]));
    v = columns_of(f, SG_DTYPE_U8, rows + 1, 20, SG_ISA_AVX512VBMI);
    assert_false(is_all_unpacks(v, &v->codes[0]));
}

static void interleavings_are_recognised(void **state)
{
    const sg_isa_info *isa = sg_isa_get(SG_ISA_AVX512VBMI);
    uint8_t index[SG_LANES_MAX];
    (void)state;
    assert_true(sg_isa_unpack_index(isa, SG_UNPACK_HIGH, 1, index));
    assert_int_equal(index[0], 8);
    assert_int_equal(index[1], 64 + 8);
    assert_int_equal(index[63], 64 + 63);
    assert_int_equal(sg_isa_unpacks(isa, index, 1), SG_UNPACK_HIGH);
    assert_false(sg_isa_unpack_index(sg_isa_get(SG_ISA_NEON), SG_UNPACK_LOW, 1, index));
    assert_true(sg_isa_unpack_index(isa, SG_UNPACK_LOW, 2, index));
    assert_int_equal(sg_isa_unpacks(isa, index, 2), SG_UNPACK_LOW);
    ++index[31];
    assert_int_equal(sg_isa_unpacks(isa, index, 2), SG_UNPACK_NONE);
}

/* As many tiles as make SG_BLOCK_OUTPUT_BYTES of an output, unless their rows are too many for
 * L1 or map to the same cache sets; and at most SG_BLOCK_BYTES if stores may be non-temporal. */
static void blocks_are_some_windows(void **state)
{
    fixture *f = *state;
    const sg_isa isa = SG_ISA_AVX512VBMI;
    assert_int_equal(columns_of(f, SG_DTYPE_U8, 1000, 257, isa)->block_rows, 3 * 64);
    assert_int_equal(columns_of(f, SG_DTYPE_U8, 1000, 512, isa)->block_rows, 64);
    assert_int_equal(columns_of(f, SG_DTYPE_U8, 1000, 64, isa)->block_rows, 3 * 64);
    assert_int_equal(columns_of(f, SG_DTYPE_U16, 1000, 100, isa)->block_rows, 6 * 32);
    assert_int_equal(columns_of(f, SG_DTYPE_F32, 1000, 100, SG_ISA_AVX512)->block_rows, 8 * 16);
    assert_int_equal(columns_of(f, SG_DTYPE_F32, 1000, 64, SG_ISA_AVX512)->block_rows, 6 * 16);
    assert_int_equal(columns_of(f, SG_DTYPE_F32, 1000, 100, SG_ISA_AVX2LANE)->block_rows, 16 * 8);
    assert_int_equal(columns_of(f, SG_DTYPE_F32, 1000, 512, SG_ISA_AVX512)->block_rows, 16);
    const int64_t rows = SG_BLOCK_FAR_BYTES / 257;
    assert_int_equal(columns_of(f, SG_DTYPE_U8, rows, 257, isa)->block_rows, 3 * 64);
    assert_int_equal(columns_of(f, SG_DTYPE_U8, rows + 1, 257, isa)->block_rows, 64);
}

/* The column ranges of a block together prefetch the complete next block, from some input size
 * on. */
static void the_next_block_is_asked_for(void **state)
{
    fixture *f = *state;
    const int64_t rows = SG_BLOCK_AHEAD_BYTES / 257;
    const sg_isa isa = SG_ISA_AVX512VBMI;
    assert_int_equal(columns_of(f, SG_DTYPE_U8, rows, 257, isa)->prefetch_block_bytes, 0);
    const sg_body *v = columns_of(f, SG_DTYPE_U8, rows + 1, 257, isa);
    assert_true(v->nslices * v->prefetch_block_bytes >= 64 * 257);
    assert_true(v->nslices * (v->prefetch_block_bytes - 1) < 64 * 257);
    assert_true(columns_of(f, SG_DTYPE_U8, rows + 1, 257, SG_ISA_AVX2BYTE)->prefetch_block_bytes >
                0);
    assert_int_equal(columns_of(f, SG_DTYPE_U8, rows + 1, 257, SG_ISA_NEON)->prefetch_block_bytes,
                     0);
    assert_int_equal(columns_of(f, SG_DTYPE_U8, 1000000, 20, isa)->prefetch_block_bytes,
                     0); /* one body */
}

/* Stores of half a line bypass the cache if few outputs are written side by side. */
static void few_half_lines_are_non_temporal(void **state)
{
    fixture *f = *state;
    assert_true(columns_of(f, SG_DTYPE_F32, 4096, 6, SG_ISA_AVX2LANE)->allows_non_temporal);
    assert_false(columns_of(f, SG_DTYPE_F32, 4096, 7, SG_ISA_AVX2LANE)->allows_non_temporal);
    assert_true(columns_of(f, SG_DTYPE_F32, 4096, 12, SG_ISA_AVX512)->allows_non_temporal);
    assert_true(columns_of(f, SG_DTYPE_U8, 4096, 6, SG_ISA_AVX2BYTE)->allows_non_temporal);
    assert_false(columns_of(f, SG_DTYPE_U8, 4096, 7, SG_ISA_AVX2BYTE)->allows_non_temporal);
    assert_false(columns_of(f, SG_DTYPE_F32, 4096, 64, SG_ISA_AVX2LANE)
                     ->allows_non_temporal); /* groups of 8 */
    assert_true(
        columns_of(f, SG_DTYPE_F64, 4096, 64, SG_ISA_AVX2LANE)->allows_non_temporal); /* of 4 */
}

/* The only version of a concat of columns. */
static sg_body *concat_of(sg_plan *plan)
{
    assert_int_equal(plan->nbodies, 1);
    return &plan->bodies[0];
}

/* The vectors of all rows share one piece of code, with n log2(n) interleavings if they cost
 * less than a network; the last vectors end with the row. */
static void concats_are_transposed(void **state)
{
    fixture *f = *state;
    static const sg_isa isas[] = {SG_ISA_AVX2BYTE, SG_ISA_NEON, SG_ISA_WASM};
    for (size_t i = 0; i < sizeof isas / sizeof isas[0]; ++i) {
        const sg_body *v = concat_of(plan_of_columns(f, SG_DTYPE_U8, 1000, 257, 1, true, isas[i]));
        assert_int_equal(v->ncodes, 1);
        assert_int_equal(count(&v->codes[0], SG_INSN_LOAD), 16);
        assert_int_equal(count(&v->codes[0], SG_INSN_STORE), 16);
        assert_int_equal(count(&v->codes[0], SG_INSN_PERMUTE2),
                         isas[i] == SG_ISA_NEON ? 0 : 4 * 16);
        assert_int_equal(v->nslices, 17);
        assert_int_equal(v->slices[15].at, 15 * 16);
        assert_int_equal(v->slices[16].at, 257 - 16);
        assert_int_equal(v->slices[16].part, 257 - 16);
    }
    /* vectors of 64 bytes */
    const sg_body *wide =
        concat_of(plan_of_columns(f, SG_DTYPE_F32, 1000, 40, 1, true, SG_ISA_AVX512));
    assert_int_equal(wide->nslices, 3);
    assert_int_equal(count(&wide->codes[0], SG_INSN_STORE), 16);
    /* one version for tensors that are parameters */
    const sg_body *few =
        concat_of(plan_of_columns(f, SG_DTYPE_U16, 1000, 20, 1, true, SG_ISA_AVX2BYTE));
    assert_int_equal(few->nslices, 1);
    assert_int_equal(count(&few->codes[0], SG_INSN_STORE), 2 * 8 + 4);
}

/* Columns of some elements cross vectors, with one piece of code for each alignment. */
static void concats_of_some_elements_share_code(void **state)
{
    fixture *f = *state;
    const sg_body *v =
        concat_of(plan_of_columns(f, SG_DTYPE_U8, 1000, 64, 3, true, SG_ISA_AVX2BYTE));
    assert_int_equal(v->ncodes, 3);
    assert_int_equal(v->nslices, 64 * 3 / 16);
    assert_int_equal(v->slices[1].part, 5);
    assert_int_equal(v->slices[1].at, 16);
    /* more vectors than columns */
    v = concat_of(plan_of_columns(f, SG_DTYPE_U8, 1000, 40, 20, true, SG_ISA_NEON));
    assert_int_equal(v->nslices, 50);
}

/* Bytes stored twice are right both times, and every vector has bytes of its own. */
static void wrong_concats_are_caught(void **state)
{
    fixture *f = *state;
    sg_plan *plan = plan_of_columns(f, SG_DTYPE_U8, 1000, 257, 1, true, SG_ISA_AVX2BYTE);
    sg_body *v = concat_of(plan);
    sg_code *code = &v->codes[0];
    sg_insn *store = &code->insns[code->ninsns - 1];
    assert_int_equal(store->op, SG_INSN_STORE);
    FOUND(--v->nslices, ++v->nslices);
    FOUND(v->slices[16].at -= 1, v->slices[16].at += 1);
    FOUND(v->slices[16].part -= 1, v->slices[16].part += 1);
    FOUND(v->slices[16] = v->slices[15], v->slices[16] = ((sg_slice){.part = 241, .at = 241}));
    FOUND(store->to.at += 257, store->to.at -= 257);
    FOUND(store->to.at -= 1, store->to.at += 1);
    FOUND(--store->a, ++store->a);
    FOUND(--code->ninsns, ++code->ninsns);
    FOUND(code->insns[0].from.part += 1, code->insns[0].from.part -= 1);
    FOUND(code->insns[0].from.at += 1, code->insns[0].from.at -= 1);
    FOUND(v->block_rows += 1, v->block_rows -= 1);
}

/* What a piece stores of a wide column must be overwritten by a run after it. */
static void spoilt_bytes_are_overwritten(void **state)
{
    fixture *f = *state;
    sg_split *split = make_matrix_split(&f->arena, SG_DTYPE_U8, 64,
                                        (const int64_t[]){1, 1, 1, 2, 1, 2, 1, 1, 80, -1});
    split->joins = true;
    sg_plan *plan = sg_plan_build(
        &f->arena, &f->diag, split,
        &(sg_plan_options){.isas = UINT32_C(1) << SG_ISA_AVX512VBMI, .isas_asked = true});
    assert_non_null(plan);
    sg_code *code = &concat_of(plan)->codes[0];
    sg_insn *run = &code->insns[code->ninsns - 1];
    int64_t last = code->ninsns;
    while (code->insns[--last].op != SG_INSN_STORE) {
    }
    sg_insn *store = &code->insns[last];
    assert_true(store->step > 0);
    assert_int_equal(run->op, SG_INSN_VECTORS);
    const sg_insn was = *store;
    code->nfolds = 0;
    FOUND((*store = *run, *run = was), (*run = *store, *store = was));
    FOUND(store->step += 1, store->step -= 1);
    FOUND(store->step = 0, store->step = was.step);
    FOUND(store->bytes = 8, store->bytes = was.bytes);
    FOUND(store->to.at += 1, store->to.at -= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(single_elements_are_transposed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_body_is_transposed_in_l2, set_up, tear_down),
        cmocka_unit_test(interleavings_are_recognised),
        cmocka_unit_test_setup_teardown(blocks_are_some_windows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_next_block_is_asked_for, set_up, tear_down),
        cmocka_unit_test_setup_teardown(few_half_lines_are_non_temporal, set_up, tear_down),
        cmocka_unit_test_setup_teardown(concats_are_transposed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(concats_of_some_elements_share_code, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wrong_concats_are_caught, set_up, tear_down),
        cmocka_unit_test_setup_teardown(spoilt_bytes_are_overwritten, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
