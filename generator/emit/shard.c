/* Divides a unit into several, whose C files can be compiled in parallel. Kernels that share code
 * stay together; heavy groups are placed first, each in the lightest shard so far. */
#include "emit/shard.h"

#include <stdlib.h>

#include "plan/bits/bit_program.h"
#include "plan/choose/share.h"
#include "plan/plan.h"

/* Plans that run the code of the first one. */
typedef struct group {
    int64_t first; /* index of the first plan */
    int64_t weight;
} group;

/* The approximate amount of text for a kernel, in instructions: tables, descriptor and code. */
static int64_t weight_of(const sg_plan *plan, bool has_code)
{
    enum { TABLES = 30, FUNCTION = 20, VECTOR = 3, BITS = 4 };
    int64_t weight = TABLES;
    if (!has_code) {
        return weight;
    }
    weight += FUNCTION + plan->insns + plan->row.ninsns;
    if (plan->bits != NULL) {
        weight += BITS * plan->bits->nbodies * plan->insns;
    }
    for (int64_t v = 0; v < plan->nbodies; ++v) {
        const sg_body *body = &plan->bodies[v];
        weight += FUNCTION;
        for (int64_t b = 0; b < body->ncodes; ++b) {
            weight += VECTOR * body->codes[b].ninsns;
        }
    }
    return weight;
}

static int heavier_first(const void *a, const void *b)
{
    const group *x = a;
    const group *y = b;
    if (x->weight != y->weight) {
        return x->weight > y->weight ? -1 : 1;
    }
    return x->first < y->first ? -1 : 1;
}

void sg_unit_shards(sg_arena *arena, const sg_unit *unit, int64_t count, sg_unit *shards)
{
    int64_t *codes = SG_NEW_ARRAY(arena, int64_t, unit->count);
    sg_plan_share(unit->plans, unit->count, codes);
    group *groups = SG_NEW_ARRAY(arena, group, unit->count); /* aliases: weight 0 */
    for (int64_t i = 0; i < unit->count; ++i) {
        groups[i].first = i;
        groups[codes[i]].weight += weight_of(unit->plans[i], codes[i] == i);
    }
    qsort(groups, (size_t)unit->count, sizeof *groups, heavier_first);

    int64_t *shard_of = SG_NEW_ARRAY(arena, int64_t, unit->count); /* of first plans */
    int64_t *weights = SG_NEW_ARRAY(arena, int64_t, count);
    for (int64_t g = 0; g < unit->count && groups[g].weight > 0; ++g) {
        int64_t lightest = 0;
        for (int64_t s = 1; s < count; ++s) {
            lightest = weights[s] < weights[lightest] ? s : lightest;
        }
        weights[lightest] += groups[g].weight;
        shard_of[groups[g].first] = lightest;
    }

    for (int64_t s = 0; s < count; ++s) {
        const sg_plan **plans = SG_NEW_ARRAY(arena, const sg_plan *, unit->count);
        shards[s] = *unit;
        shards[s].count = 0;
        shards[s].plans = plans;
        for (int64_t i = 0; i < unit->count; ++i) {
            if (shard_of[codes[i]] == s) {
                plans[shards[s].count++] = unit->plans[i];
            }
        }
    }
}
