/* Uniform concats by interleaving only. Starts with k vectors, one of each part. Each round zips
 * vectors i and i + k / 2 lane by lane: the lower half of the result is the new vector 2i, the
 * upper half the new vector 2i + 1. That is a perfect shuffle of all lanes, and after log2(k)
 * rounds vector i is line i of the full tensor: the inverse of transpose.c. With many columns, k
 * vectors contain a vector of every row, and vector i is line i of a column group. */
#include "plan/body/zips.h"

#include "plan/body/vector_builder.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"

/* Another round would take more shuffles than a network, or more registers than there are. */
#define PARTS_MAX  8
#define PIECES_MAX 16

/* Whether columns are one lane wide, and there are as many as a row of the full tensor, or a vector
 * of it, has lanes. */
static bool is_uniform(const sg_vector_builder *vb)
{
    const sg_column_group *group = &vb->column_group;
    for (int64_t p = group->first; p < group->first + group->count; ++p) {
        if (vb->plan->map.parts[p].width != vb->v->lane_bytes) {
            return false;
        }
    }
    return group->piece > 0 ? group->piece == vb->isa->unit && group->count == vb->v->lanes &&
                                  group->count <= PIECES_MAX
                            : group->count == 2 || group->count == 4 || group->count == PARTS_MAX;
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

bool sg_zips_build(sg_vector_builder *vb)
{
    const int count = (int)vb->column_group.count;
    int regs[2][PIECES_MAX];
    if (!vb->plan->map.joins || !is_uniform(vb) || vb->routing.sources != count ||
        !(vb->isa->zips || vb->isa->has_permute2)) {
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
    /* if a register holds two tiles, storing a single vector would take one store for each half */
    const int at_once = vb->isa->tiles > 1 && vb->column_group.piece == 0 ? 2 : 1;
    for (int i = 0; i < count; i += at_once) {
        if (at_once > 1) {
            sg_vector_store_two(vb, i, regs[now][i], regs[now][i + 1]);
        } else {
            sg_vector_store(vb, i, regs[now][i]);
        }
    }
    return true;
}
