/* Networks that transpose column groups whose columns are one lane wide and whose rows are read in
 * pieces of SG_UNPACK_BYTES. With n elements in a piece, register r gets the pieces of rows r, n +
 * r, 2n + r and so on, so the same work remains for all blocks: to transpose n pieces. Each of
 * log2(n) rounds interleaves registers k and k + n / 2, a perfect shuffle, and after the last round
 * register c is line c. A concat is the inverse: it begins with a vector of each of n columns, and
 * after log2(n) rounds register i is the vector of row i. */
#include "plan/body/transpose.h"

#include <string.h>

#include "plan/body/vector_builder.h"
#include "plan/caches.h"
#include "plan/machine/machine.h"
#include "plan/layout.h"
#include "plan/plan.h"

/* Elements of a piece, at most: SG_UNPACK_BYTES single bytes. */
#define ELEMENTS_MAX SG_UNPACK_BYTES
#define ROUNDS_MAX   4

/* Columns of a concat, at most: more would take more registers than there are. */
#define COLUMNS_MAX 16

typedef struct transposition {
    int elements;                              /* of a piece */
    int rounds;                                /* log2(elements) */
    bool needed[ROUNDS_MAX + 1][ELEMENTS_MAX]; /* registers needed, by round; first the inputs */
    int regs[ROUNDS_MAX + 1][ELEMENTS_MAX];
} transposition;

/* Output k of a round interleaves inputs k / 2 and k / 2 + n / 2; returns the first of them. */
static int made_from(int k)
{
    return k / 2;
}

/* Marks the registers that the wanted lines depend on. */
static void find_needed(const sg_vector_builder *vb, int64_t piece, transposition *t)
{
    const sg_column_group *column_group = &vb->column_group;
    memset(t->needed, 0, sizeof t->needed);
    for (int64_t c = column_group->first; c < column_group->first + column_group->count; ++c) {
        const int64_t at = vb->plan->map.parts[c].offset - column_group->base - piece;
        if (at >= 0 && at < SG_UNPACK_BYTES) {
            t->needed[t->rounds][at / vb->v->lane_bytes] = true;
        }
    }
    for (int round = t->rounds; round > 0; --round) {
        for (int k = 0; k < t->elements; ++k) {
            if (t->needed[round][k]) {
                t->needed[round - 1][made_from(k)] = true;
                t->needed[round - 1][made_from(k) + t->elements / 2] = true;
            }
        }
    }
}

/* Loads register r before the first round: pieces of as many rows as fit a vector. */
static int load(sg_vector_builder *vb, int64_t piece, const transposition *t, int r)
{
    const int64_t row_bytes = vb->plan->map.row_stride;
    return sg_vector_load_pieces(vb, r * row_bytes + vb->column_group.base + piece - vb->first_byte,
                                 SG_UNPACK_BYTES, t->elements * row_bytes);
}

static int interleave(sg_vector_builder *vb, const transposition *t, int round, int k)
{
    uint8_t index[SG_LANES_MAX];
    sg_isa_unpack_index(vb->isa, k % 2 == 0 ? SG_UNPACK_LOW : SG_UNPACK_HIGH, vb->v->lane_bytes,
                        index);
    const int from = made_from(k);
    return sg_vector_permute2(vb, t->regs[round][from], t->regs[round][from + t->elements / 2],
                              index);
}

/* Transposes all columns within one piece of the column group. */
static void transpose_piece(sg_vector_builder *vb, int64_t piece, transposition *t)
{
    find_needed(vb, piece, t);
    for (int k = 0; k < t->elements; ++k) {
        /* loads both inputs of an interleave one after the other */
        const int r = k / 2 + k % 2 * (t->elements / 2);
        t->regs[0][r] = t->needed[0][r] ? load(vb, piece, t, r) : -1;
    }
    for (int round = 0; round < t->rounds; ++round) {
        for (int k = 0; k < t->elements; ++k) {
            t->regs[round + 1][k] = t->needed[round + 1][k] ? interleave(vb, t, round, k) : -1;
        }
    }
    const sg_map_part *columns = vb->plan->map.parts;
    for (int line = 0; line < vb->routing.lines; ++line) {
        const int64_t at = columns[vb->vectors[line].part].offset - vb->column_group.base - piece;
        if (at >= 0 && at < SG_UNPACK_BYTES) {
            sg_vector_store(vb, line, t->regs[t->rounds][at / vb->v->lane_bytes]);
        }
    }
}

/* The pieces in a register come from distant rows, so memory is not read in order. Slices prefetch
 * it. With one code for all columns only the hardware prefetchers work, which is slower outside the
 * L2 cache (MEASURED.md, Column groups). */
static bool is_near(const sg_plan *plan)
{
    return plan->array_params || sg_plan_bytes(plan) < SG_PREFETCH_END;
}

/* Whether every column of the group is one lane wide. */
static bool has_single_lanes(const sg_vector_builder *vb)
{
    const sg_column_group *column_group = &vb->column_group;
    for (int64_t c = column_group->first; c < column_group->first + column_group->count; ++c) {
        if (vb->plan->map.parts[c].width != vb->v->lane_bytes) {
            return false;
        }
    }
    return true;
}

/* Interleaves the lower or upper half of two vectors lane by lane. */
static int zip(sg_vector_builder *vb, int a, int b, int half)
{
    const int lanes = vb->v->lanes;
    uint8_t index[SG_LANES_MAX];
    for (int i = 0; i < lanes; ++i) {
        index[i] = (uint8_t)(half * lanes / 2 + i / 2 + i % 2 * lanes);
    }
    return sg_vector_permute2(vb, a, b, index);
}

static bool build_concat(sg_vector_builder *vb)
{
    const int count = (int)vb->column_group.count;
    int regs[2][COLUMNS_MAX];
    if (count > COLUMNS_MAX || count != vb->v->lanes || vb->column_group.piece != vb->isa->unit ||
        vb->routing.sources != count || !(vb->isa->unpacks || vb->isa->has_permute2)) {
        return false;
    }
    for (int i = 0; i < count; ++i) {
        regs[0][i] = sg_vector_load_source(vb, i);
    }
    int now = 0;
    for (int zipped = 1; zipped < count; zipped *= 2) {
        for (int i = 0; i < count; ++i) {
            regs[1 - now][i] = zip(vb, regs[now][i / 2], regs[now][i / 2 + count / 2], i % 2);
        }
        now = 1 - now;
    }
    for (int i = 0; i < count; ++i) {
        sg_vector_store(vb, i, regs[now][i]);
    }
    return true;
}

bool sg_transpose_build(sg_vector_builder *vb)
{
    const sg_column_group *column_group = &vb->column_group;
    const int64_t lane_bytes = vb->v->lane_bytes;
    uint8_t index[SG_LANES_MAX];
    if (!has_single_lanes(vb)) {
        return false;
    }
    if (vb->plan->map.joins) {
        return build_concat(vb);
    }
    if (column_group->piece % SG_UNPACK_BYTES != 0 || column_group->piece == 0 ||
        vb->v->tile_rows != vb->v->lanes || !is_near(vb->plan) ||
        !sg_isa_unpack_index(vb->isa, SG_UNPACK_LOW, lane_bytes, index)) {
        return false;
    }
    transposition *t = SG_NEW(vb->arena, transposition);
    t->elements = (int)(SG_UNPACK_BYTES / lane_bytes);
    while (1 << t->rounds < t->elements) {
        ++t->rounds;
    }
    for (int64_t piece = 0; piece < column_group->piece; piece += SG_UNPACK_BYTES) {
        transpose_piece(vb, piece, t);
    }
    return true;
}
