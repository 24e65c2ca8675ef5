/* Chooses the proof for a plan. */
#include "plan/verify/verify.h"

#include "plan/plan.h"
#include "plan/verify/expectation.h"
#include "plan/verify/verify_bits.h"
#include "plan/verify/verify_bytes.h"

/* Whether parts are in order and disjoint, and rows do not overlap, in the full tensor or in a
 * part. */
static bool is_map(const sg_map *map)
{
    int64_t next = 0;
    for (int64_t p = 0; p < map->nparts; ++p) {
        const sg_map_part *part = &map->parts[p];
        if (part->offset < next || part->width < 1 || part->row_stride < part->width) {
            return false;
        }
        next = part->offset + part->width;
    }
    return map->rows >= 1 && map->nparts >= 1 && next <= map->row_stride;
}

const char *sg_verify_map(sg_arena *arena, const sg_plan *plan, const sg_map *map)
{
    sg_expectation e = {.map = *map};
    if (!is_map(map)) {
        return "the map is none";
    }
    e.map.parts = SG_NEW_ARRAY(arena, sg_map_part, map->nparts);
    for (int64_t p = 0; p < map->nparts; ++p) {
        e.map.parts[p] = map->parts[p];
    }
    return plan->bits != NULL ? sg_verify_bits(arena, plan, &e)
                              : sg_verify_programs(arena, plan, &e);
}

const char *sg_verify(sg_arena *arena, const sg_plan *plan)
{
    return plan->split->packing == SG_PACKING_NONE ? sg_verify_bytes(arena, plan)
                                                   : sg_verify_packed(arena, plan);
}
