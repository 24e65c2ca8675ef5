/* Decides which relations of parts are kept. Relations that share tensors form a piece. For each
 * piece the search finds the legal choice that copies the fewest bytes; larger pieces are solved
 * greedily. */
#include <stdlib.h>

#include "base/checked.h"
#include "placement/planner.h"

/* Pieces of up to this many relations are searched exhaustively. */
#define EXACT_RELATIONS 16

typedef struct piece {
    sg_place_relation **relations; /* sorted by bytes, the largest first */
    int64_t count;
    int64_t *tensors;
    int64_t ntensors;
} piece;

static bool piece_is_legal(sg_planner *p, const piece *at)
{
    const int64_t before = p->stamp;
    for (int64_t i = 0; i < at->ntensors; i++) {
        if (p->seen[at->tensors[i]] <= before && !sg_place_is_legal(p, at->tensors[i])) {
            return false;
        }
    }
    return true;
}

/* Whether the kept relations around this one agree. If they don't, later choices cannot change
 * that. */
static bool may_be_kept(sg_planner *p, const sg_place_relation *r)
{
    return sg_place_gather(p, r->child) && sg_place_locate(p) && sg_place_lies_within(p);
}

/* Tries to keep and to drop each relation from i on. open: their bytes; sum: bytes of the kept
 * relations before i; best: a bit for each relation that the best choice so far keeps. */
static void search(sg_planner *p, const piece *at, int64_t i, int64_t sum, int64_t open,
                   uint32_t chosen, int64_t *best_sum, uint32_t *best)
{
    if (sum + open <= *best_sum || p->steps == 0) {
        return;
    }
    p->steps--;
    if (i == at->count) {
        if (piece_is_legal(p, at)) {
            *best_sum = sum;
            *best = chosen;
        }
        return;
    }
    sg_place_relation *r = at->relations[i];
    r->kept = true;
    if (may_be_kept(p, r)) {
        search(p, at, i + 1, sum + r->bytes, open - r->bytes, chosen | UINT32_C(1) << i, best_sum,
               best);
    }
    r->kept = false;
    search(p, at, i + 1, sum, open - r->bytes, chosen, best_sum, best);
}

/* Keeps all relations of a range if that is legal; otherwise tries each half in turn. */
static void keep_range(sg_planner *p, const piece *at, int64_t begin, int64_t end)
{
    bool legal = true;
    for (int64_t i = begin; i < end; i++) {
        at->relations[i]->kept = true;
    }
    const int64_t before = p->stamp;
    for (int64_t i = begin; legal && i < end; i++) {
        legal = p->seen[at->relations[i]->child] > before ||
                sg_place_is_legal(p, at->relations[i]->child);
    }
    if (legal) {
        return;
    }
    for (int64_t i = begin; i < end; i++) {
        at->relations[i]->kept = false;
    }
    if (end - begin > 1) {
        const int64_t middle = begin + (end - begin) / 2;
        keep_range(p, at, begin, middle);
        keep_range(p, at, middle, end);
    }
}

static int by_bytes(const void *a, const void *b)
{
    const sg_place_relation *x = *(sg_place_relation *const *)a;
    const sg_place_relation *y = *(sg_place_relation *const *)b;
    if (x->bytes != y->bytes) {
        return x->bytes > y->bytes ? -1 : 1;
    }
    return (x > y) - (x < y); /* pointers into one array: the order of the nodes */
}

static void choose(sg_planner *p, piece *at)
{
    qsort(at->relations, (size_t)at->count, sizeof(sg_place_relation *), by_bytes);
    int64_t all = 0;
    for (int64_t i = 0; i < at->count; i++) {
        at->relations[i]->kept = true;
        all = sg_sum64(all, at->relations[i]->bytes);
    }
    if (piece_is_legal(p, at)) {
        return;
    }
    for (int64_t i = 0; i < at->count; i++) {
        at->relations[i]->kept = false;
    }
    uint32_t best = 0;
    int64_t best_sum = 0;
    const bool small = at->count <= EXACT_RELATIONS;
    if (small) {
        search(p, at, 0, 0, all, 0, &best_sum, &best);
    }
    if (!small || p->steps == 0) {
        p->graph->optimal = false;
        keep_range(p, at, 0, at->count);
        return;
    }
    for (int64_t i = 0; i < at->count; i++) {
        at->relations[i]->kept = (best >> i & 1) != 0;
    }
}

/* Collects the piece of a relation. */
static void find_piece(sg_planner *p, int64_t first, piece *at)
{
    at->count = 0;
    at->ntensors = 0;
    p->stamp++;
    const int64_t begin = p->relations[first].child;
    at->tensors[at->ntensors++] = begin;
    p->seen[begin] = p->stamp;
    for (int64_t i = 0; i < at->ntensors; i++) {
        const int64_t t = at->tensors[i];
        for (int64_t u = p->at[t]; u < p->at[t + 1]; u++) {
            sg_place_relation *r = &p->relations[p->uses[u]];
            const int64_t other = r->child == t ? r->parent : r->child;
            if (!r->possible) {
                continue;
            }
            if (!r->grouped) {
                r->grouped = true;
                at->relations[at->count++] = r;
            }
            if (p->seen[other] != p->stamp) {
                p->seen[other] = p->stamp;
                at->tensors[at->ntensors++] = other;
            }
        }
    }
}

void sg_place_search(sg_planner *p)
{
    piece at = {.relations = SG_NEW_ARRAY(p->arena, sg_place_relation *, p->nparts),
                .tensors = SG_NEW_ARRAY(p->arena, int64_t, p->graph->ntensors)};
    for (int64_t i = 0; i < p->nparts; i++) {
        if (p->relations[i].possible && !p->relations[i].grouped) {
            find_piece(p, i, &at);
            choose(p, &at);
        }
    }
}
