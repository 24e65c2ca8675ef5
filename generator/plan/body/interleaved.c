/* Uniform splits by loads of interleaved elements (NEON: ld2, ld3, ld4), as image libraries do it:
 * libyuv's SplitUVRow_NEON and SplitRGBRow_NEON, OpenCV's v_load_deinterleave. */
#include "plan/body/interleaved.h"

#include "plan/body/weave.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"

/* Every column one lane, nothing between them. */
static bool is_uniform(const sg_map *map, int64_t lane_bytes)
{
    for (int64_t c = 0; c < map->nparts; ++c) {
        if (map->parts[c].width != lane_bytes || map->parts[c].offset != c * lane_bytes) {
            return false;
        }
    }
    return map->row_stride == map->nparts * lane_bytes;
}

bool sg_interleaved_build(sg_arena *arena, const sg_plan *plan, const sg_isa_info *isa,
                          sg_body *body)
{
    const sg_map *map = &plan->map;
    sg_weave weave;
    if (map->joins || map->nparts < 2 || map->nparts > isa->interleaved_max ||
        !is_uniform(map, map->parts[0].width) || map->parts[0].width > isa->max_lane ||
        !sg_weave_open(arena, plan, isa, isa->unit / map->parts[0].width, body, &weave)) {
        return false;
    }
    sg_weave_start_code(&weave, 0, 0);
    body->slices[body->nslices++] = (sg_slice){0};
    const int first = sg_weave_load_interleaved(&weave, map->nparts);
    for (int64_t c = 0; c < map->nparts; ++c) {
        sg_weave_store_column(&weave, c, first + (int)c);
    }
    return body->lane_bytes == map->parts[0].width;
}
