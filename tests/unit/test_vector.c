/* Vector programs: lane routing, networks for every instruction set over many layouts, and
 * planted faults. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "plan_fixture.h"
#include "plan/body/lanes.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"
#include "plan/verify/verify.h"

#define ALL_ISAS ((UINT32_C(1) << SG_ISA_COUNT) - 1)

static sg_plan *plan_of(fixture *f, sg_dtype dtype, int64_t rows, const int64_t *lengths)
{
    return sg_plan_build(&f->arena, &f->diag, make_matrix_split(&f->arena, dtype, rows, lengths),
                         &(sg_plan_options){.isas = ALL_ISAS});
}

/* The version for all processors that have none of their own. */
static const sg_body *body_of(const sg_plan *plan, sg_isa isa)
{
    for (int64_t i = 0; i < plan->nbodies; ++i) {
        const bool for_all = plan->bodies[i].only == SG_UARCH_GENERIC;
        if (for_all && plan->bodies[i].isa->isa == isa) {
            return &plan->bodies[i];
        }
    }
    return NULL;
}

static int64_t count(const sg_body *v, sg_opcode op)
{
    int64_t n = 0;
    for (int64_t i = 0; i < v->codes[0].ninsns; ++i) {
        n += v->codes[0].insns[i].op == op;
    }
    return n;
}

static int64_t insns_of(const sg_body *v)
{
    int64_t n = 0;
    for (int64_t b = 0; b < v->ncodes; ++b) {
        n += v->codes[b].ninsns;
    }
    return n;
}

/* Every routing gives every element a separate lane at its source and at its line. */
static void routings_never_collide(void **state)
{
    fixture *f = *state;
    srand(7);
    for (int round = 0; round < 300; ++round) {
        sg_routing r = {.lanes = 1 + rand() % 16, .sources = 1 + rand() % 6, .lines = 0};
        r.lines = r.sources;
        const int n = r.lanes * r.sources;
        int *to = SG_NEW_ARRAY(&f->arena, int, n);
        for (int i = 0; i < n; ++i) {
            to[i] = i;
        }
        for (int i = n - 1; i > 0; --i) {
            const int j = rand() % (i + 1);
            const int swap = to[i];
            to[i] = to[j];
            to[j] = swap;
        }
        r.edges = SG_NEW_ARRAY(&f->arena, sg_edge, n);
        r.nedges = n - rand() % (n / 2 + 1);
        for (int i = 0; i < r.nedges; ++i) {
            r.edges[i] = (sg_edge){i / r.lanes, i % r.lanes, to[i] / r.lanes, to[i] % r.lanes, -1};
        }
        sg_lanes_route(&f->arena, &r);
        for (int i = 0; i < r.nedges; ++i) {
            assert_in_range(r.edges[i].lane, 0, r.lanes - 1);
            for (int j = 0; j < i; ++j) {
                const sg_edge *a = &r.edges[i];
                const sg_edge *b = &r.edges[j];
                assert_false(a->lane == b->lane && (a->source == b->source || a->line == b->line));
            }
        }
    }
}

/* The best known programs: k log k blends and a permute per line if the period is odd. */
static void uniform_splits_cost_what_they_should(void **state)
{
    fixture *f = *state;
    const sg_body *rgb =
        body_of(plan_of(f, SG_DTYPE_U8, 1000, LENGTHS(1, 1, 1)), SG_ISA_AVX512VBMI);
    assert_non_null(rgb);
    assert_int_equal(rgb->rows_per_iteration, 2 * 64);
    assert_int_equal(rgb->tile_rows, 64);
    assert_int_equal(count(rgb, SG_INSN_LOAD), 3);
    assert_int_equal(count(rgb, SG_INSN_BLEND), 6);
    assert_int_equal(count(rgb, SG_INSN_PERMUTE), 3);
    assert_int_equal(count(rgb, SG_INSN_STORE), 3);
    const sg_prediction *zen5 = &rgb->on[SG_UARCH_ZEN5];
    assert_true(zen5->cycles > 6.0 && zen5->cycles < 7.0 && zen5->bound == SG_PORT_STORE);
    const sg_prediction *intel = &rgb->on[SG_UARCH_GOLDENCOVE];
    assert_true(intel->cycles > 9.0 && intel->cycles < 11.0 && intel->bound == SG_PORT_ALL);
    assert_true(rgb->codes[0].nconstants <= 5); /* two masks, three indices */

    const sg_body *neon = body_of(plan_of(f, SG_DTYPE_U16, 1000, LENGTHS(1, 1, 1)), SG_ISA_NEON);
    assert_int_equal(neon->rows_per_iteration, 4 * 8);
    assert_int_equal(neon->tile_rows, 8);
    assert_int_equal(count(neon, SG_INSN_INTERLEAVED), 1);
    assert_int_equal(count(neon, SG_INSN_STORE), 3);
    assert_int_equal(neon->codes[0].ninsns, 4);

    const sg_body *boxes =
        body_of(plan_of(f, SG_DTYPE_F32, 1000, LENGTHS(1, 1, 1, 1)), SG_ISA_AVX512);
    assert_int_equal(count(boxes, SG_INSN_BLEND), 8);
    assert_int_equal(count(boxes, SG_INSN_PERMUTE), 7);

    const sg_body *halves = body_of(plan_of(f, SG_DTYPE_F16, 1000, LENGTHS(64, 64)), SG_ISA_AVX512);
    assert_int_equal(count(halves, SG_INSN_VECTORS), 2);
    assert_int_equal(halves->codes[0].ninsns, 2);
}

static int64_t masks(const sg_body *v, bool wide)
{
    int64_t n = 0;
    for (int64_t c = 0; c < v->codes[0].nconstants; ++c) {
        const sg_constant *constant = &v->codes[0].constants[c];
        n += constant->kind == SG_CONSTANT_MASK && constant->wide == wide;
    }
    return n;
}

/* Every source is loaded once, unaligned, and the predicted cost is at most 1.65 times that of
 * the stores. */
static void uneven_splits_stay_near_the_store_port(void **state)
{
    fixture *f = *state;
    static const struct {
        sg_dtype dtype;
        sg_isa isa;
        int64_t lengths[7];
    } cases[] = {
        {SG_DTYPE_U8, SG_ISA_AVX512VBMI, {1, 2, 4, -1}},
        {SG_DTYPE_U8, SG_ISA_AVX512VBMI, {1, 1, 2, -1}},
        {SG_DTYPE_U8, SG_ISA_AVX512VBMI, {3, 3, 1, -1}},
        {SG_DTYPE_U8, SG_ISA_AVX512VBMI, {5, 8, -1}},
        {SG_DTYPE_U16, SG_ISA_AVX512VBMI, {5, 1, 7, -1}},
        {SG_DTYPE_F32, SG_ISA_AVX512, {3, 1, 1, -1}},
        {SG_DTYPE_F32, SG_ISA_AVX512, {2, 2, 1, -1}},
        {SG_DTYPE_F32, SG_ISA_AVX512, {1, 1, 1, 1, 1, 1, -1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const sg_plan *p = plan_of(f, cases[i].dtype, 1000, cases[i].lengths);
        const sg_body *v = body_of(p, cases[i].isa);
        assert_non_null(v);
        const int64_t stores = count(v, SG_INSN_STORE);
        assert_int_equal(stores, count(v, SG_INSN_LOAD));
        for (int64_t n = 0; n < v->codes[0].ninsns; ++n) {
            const sg_insn *insn = &v->codes[0].insns[n];
            assert_true(insn->op != SG_INSN_LOAD || insn->from.at % 64 == 0);
        }
        assert_true(v->on[SG_UARCH_ZEN5].cycles <= 1.65 * (double)stores);
        assert_true(masks(v, false) <= 7);
        assert_true(masks(v, true) == 0 || masks(v, false) == 7);
    }
}

/* A mask is one bit of the source's number, so three columns of four sources need two. */
static void pairs_of_sources_share_masks(void **state)
{
    fixture *f = *state;
    const sg_body *v = body_of(plan_of(f, SG_DTYPE_U8, 1000, LENGTHS(1, 1, 2)), SG_ISA_AVX512VBMI);
    assert_non_null(v);
    assert_in_range(masks(v, false), 2, 7);
    assert_int_equal(masks(v, true), 0);
    assert_in_range(count(v, SG_INSN_BLEND), 6, 8);
    assert_int_equal(count(v, SG_INSN_PERMUTE2), 0);
}

/* AVX2 has an instruction only for masks of whole byte pairs. */
static void blends_of_words_are_recognised(void **state)
{
    uint8_t mask[16] = {0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 1};
    const sg_isa_info *bytes = sg_isa_get(SG_ISA_AVX2BYTE);
    (void)state;
    assert_true(sg_isa_blends_words(bytes, mask, 1));
    assert_false(sg_isa_blends_words(sg_isa_get(SG_ISA_NEON), mask, 1));
    mask[15] = 0;
    assert_false(sg_isa_blends_words(bytes, mask, 1));
    assert_true(sg_isa_blends_words(bytes, mask, 2));
}

static const sg_insn *writer_of(const sg_code *code, int reg)
{
    for (int64_t i = 0; i < code->ninsns; ++i) {
        if (code->insns[i].reg == reg) {
            return &code->insns[i];
        }
    }
    return NULL;
}

/* Loads with several readers come first; nothing is read before it is written. */
static void networks_are_ordered(void **state)
{
    fixture *f = *state;
    const sg_body *v = body_of(plan_of(f, SG_DTYPE_U16, 1000, LENGTHS(5, 1, 7)), SG_ISA_AVX512VBMI);
    assert_non_null(v);
    const sg_code *code = &v->codes[0];
    for (int64_t i = 0; i < 13; ++i) {
        assert_int_equal(code->insns[i].op, SG_INSN_LOAD);
    }
    for (int64_t i = 0; i < code->ninsns; ++i) {
        const sg_insn *insn = &code->insns[i];
        assert_true(insn->a < 0 || writer_of(code, insn->a) < insn);
        assert_true(insn->b < 0 || writer_of(code, insn->b) < insn);
    }
}

static void wide_rows_go_by_lines(void **state)
{
    fixture *f = *state;
    const sg_body *yolo =
        body_of(plan_of(f, SG_DTYPE_F32, 1000, LENGTHS(2, 2, 1, 80)), SG_ISA_AVX512);
    assert_non_null(yolo);
    assert_int_equal(yolo->rows_per_iteration, 16);
    assert_int_equal(count(yolo, SG_INSN_VECTORS), 16);
    assert_int_equal(count(yolo, SG_INSN_STORE), 5); /* 16 rows x 20 bytes */
    assert_true(yolo->allows_non_temporal);
    /* the narrow columns do not matter beside the wide one */
    const sg_body *tail = body_of(plan_of(f, SG_DTYPE_F16, 1000, LENGTHS(320, 4)), SG_ISA_AVX512);
    assert_int_equal(tail->rows_per_iteration, 1);
    assert_true(tail->allows_non_temporal);
    const sg_body *qkv =
        body_of(plan_of(f, SG_DTYPE_F32, 1000, LENGTHS(768, 768, 768)), SG_ISA_AVX512);
    assert_int_equal(qkv->codes[0].ninsns, 3);
    assert_true(qkv->allows_non_temporal);
}

/* Prefetches of functions with non-temporal stores: all their own input, if it is short. */
static void streams_ask_for_what_they_read(void **state)
{
    fixture *f = *state;
    const sg_body *rgb =
        body_of(plan_of(f, SG_DTYPE_U8, 100000, LENGTHS(1, 1, 1)), SG_ISA_AVX512VBMI);
    assert_int_equal(rgb->prefetch_far, 0);
    assert_int_equal(rgb->prefetch_now, 3 * rgb->rows_per_iteration);
    const sg_body *box =
        body_of(plan_of(f, SG_DTYPE_F32, 10000, LENGTHS(1, 8, 3, 1, 2, 2)), SG_ISA_AVX512);
    assert_int_equal(box->rows_per_iteration, 16);
    assert_int_equal(box->prefetch_far, 16 * 17 * 4);
    assert_int_equal(box->prefetch_now, 16 * 17 * 4);
    const sg_body *in_order = body_of(
        plan_of(f, SG_DTYPE_F64, 10000, LENGTHS(7, 7, 7, 7, 7, 7, 7, 7, 7, 7)), SG_ISA_AVX512);
    assert_int_equal(in_order->prefetch_far, 8 * 70 * 8);
    assert_int_equal(in_order->prefetch_now, 0);
    const sg_body *runs =
        body_of(plan_of(f, SG_DTYPE_F32, 1000, LENGTHS(768, 768, 768)), SG_ISA_AVX512);
    assert_int_equal(runs->prefetch_far, 0);
    assert_int_equal(runs->prefetch_now, 0);
}

/* Rows that end inside a vector of 16 bytes: every store is still a whole aligned vector. */
static void ragged_rows_go_line_by_line(void **state)
{
    fixture *f = *state;
    const sg_body *halves = body_of(plan_of(f, SG_DTYPE_F32, 80, LENGTHS(58, 58)), SG_ISA_NEON);
    assert_non_null(halves);
    assert_int_equal(halves->rows_per_iteration, 2);
    assert_int_equal(count(halves, SG_INSN_STORE), 2 * 2 * 58 * 4 / 16);
    assert_int_equal(count(halves, SG_INSN_VECTORS), 0);
    for (int64_t i = 0; i < halves->codes[0].ninsns; ++i) {
        const sg_insn *insn = &halves->codes[0].insns[i];
        assert_true(insn->op != SG_INSN_STORE || insn->to.at % 16 == 0);
    }
    assert_true(halves->allows_non_temporal);
}

/* More outputs than parameters: column groups, and equal groups share code. */
static void many_outputs_share_bodies(void **state)
{
    fixture *f = *state;
    int64_t lengths[258];
    for (int i = 0; i < 257; ++i) {
        lengths[i] = 1;
    }
    lengths[257] = -1;
    const sg_plan *bytes = plan_of(f, SG_DTYPE_U8, 1000, lengths);
    const sg_body *v = body_of(bytes, SG_ISA_AVX512VBMI);
    assert_true(bytes->array_params);
    assert_non_null(v);
    assert_int_equal(v->nslices, 17);
    assert_int_equal(v->ncodes, 2);
    assert_int_equal(v->rows_per_iteration, 64);
    assert_int_equal(v->slices[16].part, 256);
    assert_int_equal(v->slices[16].at, 241); /* no byte after the row is read */
    ++v->slices[16].at;
    assert_non_null(sg_verify(&f->arena, bytes));
    --v->slices[16].at;
    --v->slices[15].part;
    assert_non_null(sg_verify(&f->arena, bytes));
    ++v->slices[15].part;
    assert_null(sg_verify(&f->arena, bytes));

    lengths[64] = -1;
    v = body_of(plan_of(f, SG_DTYPE_F32, 1000, lengths), SG_ISA_AVX512);
    assert_int_equal(v->nslices, 8);
    assert_int_equal(v->ncodes, 1);
}

/* Function versions are found once for all splits with the same inputs to the search, and are
 * the same as without the cache. */
static void alike_splits_share_bodies(void **state)
{
    fixture *f = *state;
    sg_memo memo = {0};
    const sg_plan_options options = {.isas = ALL_ISAS, .memo = &memo};
    static const int64_t rgb[] = {1, 1, 1, -1};
    static const struct {
        sg_dtype dtype;
        int64_t rows;
        int64_t lengths[4];
        int64_t known;
    } cases[] = {
        {SG_DTYPE_U8, 1000, {1, 1, 1, -1}, 1}, {SG_DTYPE_U8, 1001, {1, 1, 1, -1}, 2},
        {SG_DTYPE_U8, 1000, {1, 2, -1}, 3},    {SG_DTYPE_U8, 1000, {2, 1, -1}, 4},
        {SG_DTYPE_I8, 1000, {1, 1, 1, -1}, 5}, {SG_DTYPE_U8, 1000, {1, 1, 1, -1}, 5},
        {SG_DTYPE_U8, 1000, {2, 1, -1}, 5},
    };
    const sg_plan *alone = plan_of(f, SG_DTYPE_U8, 1000, rgb);
    const sg_plan *first = NULL;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const sg_split *split =
            make_matrix_split(&f->arena, cases[i].dtype, cases[i].rows, cases[i].lengths);
        const sg_plan *plan = sg_plan_build(&f->arena, &f->diag, split, &options);
        assert_non_null(plan);
        assert_int_equal(memo.count, cases[i].known);
        first = first == NULL ? plan : first;
        assert_int_equal(plan->bodies == first->bodies, i == 0 || i == 5);
    }
    assert_int_equal(first->nbodies, alone->nbodies);
    for (int64_t v = 0; v < first->nbodies; ++v) {
        assert_ptr_not_equal(&first->bodies[v], &alone->bodies[v]);
        assert_int_equal(first->bodies[v].rows_per_iteration, alone->bodies[v].rows_per_iteration);
        assert_int_equal(insns_of(&first->bodies[v]), insns_of(&alone->bodies[v]));
    }
    for (int i = 0; i < 40; ++i) { /* more than its initial capacity */
        const sg_split *split = make_matrix_split(&f->arena, SG_DTYPE_U8, 2000 + i % 20, rgb);
        assert_non_null(sg_plan_build(&f->arena, &f->diag, split, &options));
    }
    assert_int_equal(memo.count, 25);
}

/* Every layout that is built is proved (sg_plan_build fails otherwise). */
static void random_layouts_are_proved(void **state)
{
    fixture *f = *state;
    static const sg_dtype dtypes[] = {SG_DTYPE_U8, SG_DTYPE_U16, SG_DTYPE_F32, SG_DTYPE_F64,
                                      SG_DTYPE_C128};
    int64_t built = 0;
    srand(11);
    for (int round = 0; round < RANDOM_ROUNDS; ++round) {
        int64_t lengths[9];
        const int n = 1 + rand() % 8;
        for (int i = 0; i < n; ++i) {
            lengths[i] = rand() % 3 == 0 ? rand() % 40 : rand() % 6;
        }
        lengths[n] = -1;
        const sg_plan *p = plan_of(f, dtypes[rand() % 5], 1 + rand() % 150, lengths);
        assert_non_null(p);
        built += p->nbodies;
        sg_arena_free(&f->arena);
    }
    assert_true(built > RANDOM_ROUNDS / 2);
}

/* Every change of one field of one instruction or constant that changes the result is caught. */
static void all_changes_are_caught(fixture *f, sg_plan *p)
{
    assert_true(p->nbodies > 0);
    for (int64_t k = 0; k < p->nbodies; ++k) {
        sg_body *v = &p->bodies[k];
        for (int64_t i = 0; i < v->codes[0].ninsns; ++i) {
            sg_insn *insn = &v->codes[0].insns[i];
            const sg_insn good = *insn;
            insn->from.at += insn->op == SG_INSN_LOAD ? 2 : 0;
            insn->to.at += insn->op == SG_INSN_STORE ? 2 : 0;
            if (insn->op == SG_INSN_PERMUTE || insn->op == SG_INSN_PERMUTE2 ||
                insn->op == SG_INSN_BLEND) {
                insn->a = v->codes[0].registers;
            }
            assert_non_null(sg_verify(&f->arena, p));
            *insn = good;
            insn->reg = insn->reg >= 0 ? v->codes[0].registers - insn->reg : -1;
            insn->a = insn->op == SG_INSN_STORE ? -1 : insn->a;
            if (insn->reg != good.reg || insn->a != good.a) {
                assert_non_null(sg_verify(&f->arena, p));
            }
            *insn = good;
        }
        for (int64_t c = 0; c < v->codes[0].nconstants; ++c) {
            uint8_t *lane = &v->codes[0].constants[c].lanes[v->lanes - 1];
            const uint8_t good = *lane;
            *lane = 255;
            if (v->codes[0].constants[c].kind == SG_CONSTANT_INDEX) {
                assert_non_null(sg_verify(&f->arena, p));
            }
            *lane = good;
        }
        --v->codes[0].ninsns;
        assert_non_null(sg_verify(&f->arena, p));
        ++v->codes[0].ninsns;
        ++v->rows_per_iteration;
        assert_non_null(sg_verify(&f->arena, p));
        --v->rows_per_iteration;
    }
    assert_null(sg_verify(&f->arena, p));
}

/* Columns whose rows end within vectors are assembled line by line with vectors of 16 bytes. Wider
 * vectors copy them as runs. */
static void wide_vectors_have_no_lines(void **state)
{
    fixture *f = *state;
    const sg_plan *plan = plan_of(f, SG_DTYPE_U8, 190, LENGTHS(65, 96));
    assert_null(body_of(plan, SG_ISA_AVX2BYTE));
    assert_int_equal(count(body_of(plan, SG_ISA_AVX2LANE), SG_INSN_VECTORS), 2);
    const sg_body *neon = body_of(plan, SG_ISA_NEON);
    assert_int_equal(count(neon, SG_INSN_BLEND), 0);
    assert_int_equal(count(neon, SG_INSN_STORE), 65);
}

/* The text has a load for a complete vector, and others for pieces of some sizes. */
static void only_loads_that_there_are_pass(void **state)
{
    fixture *f = *state;
    const int64_t *narrow = LENGTHS(2, 2, 1, 80);
    int whole = 0;
    int pieces = 0;
    for (int i = 0; i < 2; ++i) {
        sg_plan *plan = plan_of(f, SG_DTYPE_F32, 1000, i == 0 ? LENGTHS(1, 1, 1, 1) : narrow);
        for (int64_t k = 0; k < plan->nbodies; ++k) {
            const sg_body *v = &plan->bodies[k];
            sg_insn *load = (sg_insn *)writer_of(&v->codes[0], 0);
            if (load->op != SG_INSN_LOAD) {
                continue; /* of interleaved elements */
            }
            const sg_insn good = *load;
            whole += load->bytes == v->isa->unit;
            pieces += load->bytes < v->isa->unit;
            FOUND(load->step = load->step == 0 ? v->isa->unit : 0, *load = good);
            FOUND((load->bytes = sg_isa_piece_min(v->isa) / 2, load->step = 4), *load = good);
        }
    }
    assert_true(whole > 0 && pieces > 0);
}

static void broken_programs_are_caught(void **state)
{
    fixture *f = *state;
    all_changes_are_caught(f, plan_of(f, SG_DTYPE_U16, 100, LENGTHS(2, 1, 4)));
    all_changes_are_caught(f, plan_of(f, SG_DTYPE_F32, 100, LENGTHS(1, 1, 1, 1, 1, 1)));
    all_changes_are_caught(f, plan_of(f, SG_DTYPE_U8, 100, LENGTHS(3, 3, 1)));
    all_changes_are_caught(f, plan_of(f, SG_DTYPE_F32, 100, LENGTHS(1, 1, 1, 1, 1, 1, 1, 1)));
}

/* Beyond L1 stores of networks are combined if outputs begin inside a cache line: all of them,
 * in the order of their output. */
static void networks_are_fed_beyond_l1(void **state)
{
    fixture *f = *state;
    assert_int_equal(body_of(plan_of(f, SG_DTYPE_U8, 13000, LENGTHS(1, 1, 1)), SG_ISA_AVX512VBMI)
                         ->write_combining,
                     SG_WRITE_COMBINING_NEVER);
    sg_plan *plan = plan_of(f, SG_DTYPE_U8, 14000, LENGTHS(2, 1, 1));
    sg_body *v = NULL;
    for (int64_t i = 0; i < plan->nbodies; ++i) {
        const bool can = plan->bodies[i].isa->isa == SG_ISA_AVX512VBMI;
        assert_int_equal(plan->bodies[i].write_combining,
                         can ? SG_WRITE_COMBINING_UNALIGNED : SG_WRITE_COMBINING_NEVER);
        v = can ? &plan->bodies[i] : v;
    }
    assert_non_null(v);
    assert_int_equal(v->prologue_rows, v->rows_per_iteration);
    sg_insn *first = NULL;
    sg_insn *second = NULL;
    for (int64_t i = 0; i < v->codes[0].ninsns; ++i) {
        sg_insn *insn = &v->codes[0].insns[i];
        assert_int_equal(insn->combines, insn->op == SG_INSN_STORE);
        if (insn->combines && insn->to.part == 0) {
            assert_null(second);
            *(first == NULL ? &first : &second) = insn;
        }
    }
    assert_non_null(second);
    assert_null(sg_verify(&f->arena, plan));
    const sg_insn swapped = *first;
    first->to.at = second->to.at;
    first->a = second->a;
    assert_non_null(sg_verify(&f->arena, plan));
    *first = swapped;
    FOUND(first->to.at += 64, first->to.at -= 64);
    FOUND(second->combines = false, second->combines = true);
    FOUND(v->prologue_rows -= 1, v->prologue_rows += 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(routings_never_collide, set_up, tear_down),
        cmocka_unit_test_setup_teardown(uniform_splits_cost_what_they_should, set_up, tear_down),
        cmocka_unit_test_setup_teardown(uneven_splits_stay_near_the_store_port, set_up, tear_down),
        cmocka_unit_test_setup_teardown(pairs_of_sources_share_masks, set_up, tear_down),
        cmocka_unit_test(blends_of_words_are_recognised),
        cmocka_unit_test_setup_teardown(networks_are_ordered, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wide_rows_go_by_lines, set_up, tear_down),
        cmocka_unit_test_setup_teardown(streams_ask_for_what_they_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(ragged_rows_go_line_by_line, set_up, tear_down),
        cmocka_unit_test_setup_teardown(many_outputs_share_bodies, set_up, tear_down),
        cmocka_unit_test_setup_teardown(alike_splits_share_bodies, set_up, tear_down),
        cmocka_unit_test_setup_teardown(random_layouts_are_proved, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wide_vectors_have_no_lines, set_up, tear_down),
        cmocka_unit_test_setup_teardown(only_loads_that_there_are_pass, set_up, tear_down),
        cmocka_unit_test_setup_teardown(broken_programs_are_caught, set_up, tear_down),
        cmocka_unit_test_setup_teardown(networks_are_fed_beyond_l1, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
