/* Counts the nodes that kernels are made of. */
#include "plan/report/fusion.h"

#include <stdlib.h>

#include "base/checked.h"

/* Compares by address: equal ops become adjacent, and the order of different ones does not affect
 * the output. */
static int by_op(const void *a, const void *b)
{
    const uintptr_t x = (uintptr_t)(*(const sg_split *const *)a)->op;
    const uintptr_t y = (uintptr_t)(*(const sg_split *const *)b)->op;
    return (x > y) - (x < y);
}

static void add_node(sg_fusion *to, const sg_split *split)
{
    *(split->joins ? &to->concats : &to->splits) += 1;
}

sg_fusion sg_fusion_count(const sg_plan *const *plans, int64_t count)
{
    sg_fusion sums = {0};
    sg_arena arena;
    sg_arena_init(&arena);
    int64_t room = 0;
    for (int64_t i = 0; i < count; ++i) {
        room += 1 + plans[i]->split->nfused;
    }
    const sg_split **nodes = SG_NEW_ARRAY(&arena, const sg_split *, room);
    int64_t nnodes = 0;
    for (int64_t i = 0; i < count; ++i) {
        const sg_split *split = plans[i]->split;
        nodes[nnodes++] = split;
        sums.any = sums.any || split->nfused > 0;
        for (int64_t f = 0; f < split->nfused; ++f) {
            nodes[nnodes++] = split->fused[f];
            const int64_t saved = split->saved[f];
            sums.bytes = sg_sum64(sums.bytes, sg_sum64(saved, saved));
        }
    }
    if (sums.any) { /* a Split whose parts several kernels read is listed in each of them; list
                       equal nodes side by side */
        qsort(nodes, (size_t)nnodes, sizeof *nodes, by_op);
    }
    for (int64_t i = 0; i < nnodes; ++i) {
        if (!sums.any || i == 0 || nodes[i]->op != nodes[i - 1]->op) {
            add_node(&sums, nodes[i]);
        }
    }
    sg_arena_free(&arena);
    return sums;
}
