/* Decides which operators run in place: their output is stored where an input is. */
#include "base/checked.h"
#include "placement/planner.h"

/* The limit on the tensors that are visited to decide what runs in place. */
#define IN_PLACE_STEPS INT64_C(3000000)

/* Bytes that are needed while nodes run: the most at one of them, and the sum over all. */
typedef struct need {
    int64_t most;
    int64_t all;
} need;

/* Adds a buffer of the arena to the bytes that are needed at each node, `times` times. */
static void count_live(int64_t *live, const sg_place_buffer *buffer, int64_t times)
{
    for (int64_t n = buffer->first; buffer->kind == SG_PLACE_INNER && n <= buffer->last; n++) {
        live[n] += times * buffer->bytes;
    }
}

static need need_of(const int64_t *live, int64_t first, int64_t last)
{
    need sum = {0};
    for (int64_t n = first; n <= last; n++) {
        sum.most = live[n] > sum.most ? live[n] : sum.most;
        sum.all = sg_sum64(sum.all, live[n]);
    }
    return sum;
}

/* Keeps the relation if that is legal and less memory is needed. Returns the steps that it took. */
static int64_t try_in_place(sg_planner *p, sg_place_relation *r, int64_t *live)
{
    int64_t low = 0;
    int64_t high = 0;
    const sg_place_buffer parent = sg_place_buffer_of(p, r->parent, &low, &high);
    int64_t steps = p->count;
    if (p->seen[r->child] == p->stamp) {
        return steps; /* both share it already */
    }
    const sg_place_buffer child = sg_place_buffer_of(p, r->child, &low, &high);
    r->kept = true;
    if (!sg_place_is_legal(p, r->child)) {
        r->kept = false;
        return steps + p->count;
    }
    const sg_place_buffer both = sg_place_buffer_of(p, r->child, &low, &high);
    steps += p->count + both.last - both.first;
    const int64_t last = both.last < p->graph->nnodes ? both.last : p->graph->nnodes - 1;
    const need before = need_of(live, both.first, last);
    count_live(live, &parent, -1);
    count_live(live, &child, -1);
    count_live(live, &both, 1);
    const need after = need_of(live, both.first, last);
    r->kept = after.most < before.most || (after.most == before.most && after.all < before.all);
    if (!r->kept) {
        count_live(live, &both, -1);
        count_live(live, &child, 1);
        count_live(live, &parent, 1);
    }
    return steps;
}

void sg_place_choose_in_place(sg_planner *p)
{
    const sg_placement *graph = p->graph;
    if (p->nrelations == p->nparts) {
        return;
    }
    int64_t *live = SG_NEW_ARRAY(p->arena, int64_t, graph->nnodes + 1);
    bool *counted = SG_NEW_ARRAY(p->arena, bool, graph->ntensors);
    for (int64_t t = 0; t < graph->ntensors; t++) {
        int64_t low = 0;
        int64_t high = 0;
        if (counted[t] || !graph->tensors[t].known || graph->tensors[t].kind == SG_PLACE_CONSTANT) {
            continue;
        }
        const sg_place_buffer buffer = sg_place_buffer_of(p, t, &low, &high);
        count_live(live, &buffer, 1);
        for (int64_t i = 0; i < p->count; i++) {
            counted[p->queue[i]] = true;
        }
    }
    int64_t steps = IN_PLACE_STEPS;
    for (int64_t i = p->nparts; i < p->nrelations && steps > 0; i++) {
        steps -= try_in_place(p, &p->relations[i], live);
    }
}

void sg_place_name_overwritten(const sg_planner *p)
{
    for (int64_t i = p->nparts; i < p->nrelations; i++) {
        sg_place_tensor *child = &p->graph->tensors[p->relations[i].child];
        const sg_place_tensor *parent = &p->graph->tensors[p->relations[i].parent];
        if (child->buffer == parent->buffer && sg_place_is_same(child, parent)) {
            child->over = parent->name;
        }
    }
}
