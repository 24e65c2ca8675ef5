/* Uniform concats by interleaving only. Starts with k vectors, one of each part. Each round zips
 * vectors i and i + k / 2 lane by lane: the lower half of the result is the new vector 2i, the
 * upper half the new vector 2i + 1. That is a perfect shuffle of all lanes, and after log2(k)
 * rounds vector i is line i of the full tensor: the inverse of transpose.c. With many columns, k
 * vectors contain a vector of every row, and vector i is line i of a column group. */
#include "plan/body/zips.h"

#include "plan/body/weave.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"

/* Another round would take more shuffles than a network, or more registers than there are. */
#define PARTS_MAX  8
#define PIECES_MAX 16

/* Whether columns are one lane wide, and there are as many as a row of the full tensor, or a vector
 * of it, has lanes. */
static bool is_uniform(const sg_weave *w)
{
    const sg_column_group *group = &w->column_group;
    for (int64_t p = group->first; p < group->first + group->count; ++p) {
        if (w->plan->map.parts[p].width != w->v->lane_bytes) {
            return false;
        }
    }
    return group->piece > 0 ? group->count == w->v->lanes && group->count <= PIECES_MAX
                            : group->count == 2 || group->count == 4 || group->count == PARTS_MAX;
}

/* Interleaves the lower or upper half of two vectors lane by lane. */
static int zip(sg_weave *w, int a, int b, int half)
{
    const int lanes = w->v->lanes;
    uint8_t index[SG_LANES_MAX];
    for (int i = 0; i < lanes; ++i) {
        index[i] = (uint8_t)(half * lanes / 2 + i / 2 + i % 2 * lanes);
    }
    return sg_weave_permute2(w, a, b, index);
}

bool sg_zips_build(sg_weave *w)
{
    const int count = (int)w->column_group.count;
    int regs[2][PIECES_MAX];
    if (!w->plan->map.joins || !is_uniform(w) || w->routing.sources != count ||
        !(w->isa->zips || w->isa->has_permute2)) {
        return false;
    }
    for (int i = 0; i < count; ++i) {
        regs[0][i] = sg_weave_load_source(w, i);
    }
    int now = 0;
    for (int zipped = 1; zipped < count; zipped *= 2) {
        for (int i = 0; i < count; ++i) {
            regs[1 - now][i] = zip(w, regs[now][i / 2], regs[now][i / 2 + count / 2], i % 2);
        }
        now = 1 - now;
    }
    /* if a register holds two tiles, storing a single vector would take one store for each half */
    const int at_once = w->isa->tiles > 1 && w->column_group.piece == 0 ? 2 : 1;
    for (int i = 0; i < count; i += at_once) {
        if (at_once > 1) {
            sg_weave_store_two(w, i, regs[now][i], regs[now][i + 1]);
        } else {
            sg_weave_store(w, i, regs[now][i]);
        }
    }
    return true;
}
