/* Caches the bodies of plans: a model splits the same shape in layer after layer, and their
 * networks are searched only once. */
#include "plan/body/memo.h"

#include "base/arena.h"
#include "plan/layout.h"
#include "plan/plan.h"

/* A cache entry: the properties of a plan that its bodies depend on, and the bodies. */
struct sg_memo_entry {
    sg_dtype dtype;
    int64_t bytes;
    bool is_free;
    bool array_params;
    sg_map map;
    int64_t nbodies;
    sg_body *bodies;
};

/* Whether parts are the same entries of an array of outputs; bodies that write several store their
 * indices. */
static bool same_entries(const sg_memo_entry *e, const sg_plan *plan)
{
    bool same = true;
    for (int64_t p = 0; same && plan->array_params && p < plan->map.nparts; ++p) {
        same = e->map.parts[p].tensor == plan->map.parts[p].tensor;
    }
    return same;
}

bool sg_memo_recall(const sg_memo *memo, sg_plan *plan)
{
    for (int64_t i = 0; memo != NULL && i < memo->count; ++i) {
        const sg_memo_entry *e = &memo->entries[i];
        if (e->dtype == plan->split->dtype && e->bytes == sg_plan_bytes(plan) &&
            e->is_free == sg_plan_takes_any(plan) && e->array_params == plan->array_params &&
            sg_map_same(&e->map, &plan->map) && same_entries(e, plan)) {
            plan->nbodies = e->nbodies;
            plan->bodies = e->bodies;
            return true;
        }
    }
    return false;
}

void sg_memo_add(sg_arena *arena, sg_memo *memo, const sg_plan *plan)
{
    if (memo == NULL) {
        return;
    }
    if (memo->count == memo->room) {
        sg_memo_entry *more = SG_NEW_ARRAY(arena, sg_memo_entry, 2 * memo->room + 8);
        for (int64_t i = 0; i < memo->count; ++i) {
            more[i] = memo->entries[i];
        }
        memo->entries = more;
        memo->room = 2 * memo->room + 8;
    }
    memo->entries[memo->count++] = (sg_memo_entry){
        .dtype = plan->split->dtype,
        .bytes = sg_plan_bytes(plan),
        .is_free = sg_plan_takes_any(plan),
        .array_params = plan->array_params,
        .map = plan->map,
        .nbodies = plan->nbodies,
        .bodies = plan->bodies,
    };
}
