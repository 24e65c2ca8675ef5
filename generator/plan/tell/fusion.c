/* Counts what kernels are made of. */
#include "plan/tell/fusion.h"

#include <stdlib.h>

#include "base/checked.h"

/* Addresses order equal ops side by side, and nothing that is printed depends on their order. */
static int by_op(const void *a, const void *b)
{
    const uintptr_t x = (uintptr_t)(*(const sg_split *const *)a)->op;
    const uintptr_t y = (uintptr_t)(*(const sg_split *const *)b)->op;
    return (x > y) - (x < y);
}

/* The splits of a kernel, and what is never made as it has taken them in. */
static void take_fused(const sg_split *split, const sg_split **list, int64_t *count, int64_t *bytes)
{
    for (int64_t i = 0; i < split->nfused; ++i) {
        list[(*count)++] = split->fused[i];
        for (int turn = 0; turn < 2; ++turn) {
            if (!sg_add64(*bytes, split->saved[i], bytes)) {
                *bytes = INT64_MAX;
            }
        }
    }
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
    const sg_split **own = SG_NEW_ARRAY(&arena, const sg_split *, count);
    int64_t room = 0;
    for (int64_t i = 0; i < count; ++i) {
        own[i] = plans[i]->split;
        room += own[i]->nfused;
        add_node(&sums, own[i]);
    }
    const sg_split **list = SG_NEW_ARRAY(&arena, const sg_split *, room);
    int64_t taken = 0;
    for (int64_t i = 0; i < count; ++i) {
        take_fused(own[i], list, &taken, &sums.bytes);
    }
    sums.any = taken > 0;
    if (taken > 0) {
        qsort(own, (size_t)count, sizeof *own, by_op);
    }
    while (taken > 0) { /* what was taken in may have taken in others itself */
        qsort(list, (size_t)taken, sizeof *list, by_op);
        const sg_split **gone = list;
        int64_t ngone = 0;
        room = 0;
        for (int64_t i = 0; i < taken; ++i) {
            const bool again = ngone > 0 && gone[ngone - 1]->op == list[i]->op;
            if (!again && bsearch(&list[i], own, (size_t)count, sizeof *own, by_op) == NULL) {
                gone[ngone++] = list[i];
                room += list[i]->nfused;
                add_node(&sums, list[i]);
            }
        }
        list = SG_NEW_ARRAY(&arena, const sg_split *, room);
        taken = 0;
        for (int64_t i = 0; i < ngone; ++i) {
            take_fused(gone[i], list, &taken, &sums.bytes);
        }
    }
    sg_arena_free(&arena);
    return sums;
}
