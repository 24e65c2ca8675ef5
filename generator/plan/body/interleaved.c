/* Uniform splits by deinterleaving loads (NEON: ld2, ld3, ld4) and uniform concats by interleaving
 * stores (st2, st3, st4), as in image libraries: libyuv's SplitUVRow_NEON, SplitRGBRow_NEON and
 * MergeRGBRow_NEON, OpenCV's v_load_deinterleave and v_store_interleave. */
#include "plan/body/interleaved.h"

#include "plan/body/vector_builder.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"

/* Whether every column is one lane wide, without padding. */
static bool is_uniform(const sg_map *map, int64_t lane_bytes)
{
    for (int64_t c = 0; c < map->nparts; ++c) {
        if (map->parts[c].width != lane_bytes || map->parts[c].offset != c * lane_bytes) {
            return false;
        }
    }
    return map->row_stride == map->nparts * lane_bytes;
}

static void split(sg_vector_builder *vb, int64_t columns)
{
    const int first = sg_vector_load_interleaved(vb, columns);
    for (int64_t c = 0; c < columns; ++c) {
        sg_vector_store_column(vb, c, first + (int)c);
    }
}

/* Each source is a vector of one part. */
static void join(sg_vector_builder *vb, int64_t columns)
{
    sg_vector_route(vb, &(sg_column_group){.count = columns});
    const int first = sg_vector_load_source(vb, 0);
    for (int c = 1; c < columns; ++c) {
        (void)sg_vector_load_source(vb, c); /* into the register after the previous one */
    }
    sg_vector_store_interleaved(vb, columns, first);
}

bool sg_interleaved_build(sg_arena *arena, const sg_plan *plan, const sg_isa_info *isa,
                          sg_body *body)
{
    const sg_map *map = &plan->map;
    sg_vector_builder vb;
    if (map->nparts < 2 || map->nparts > isa->interleaved_max ||
        !is_uniform(map, map->parts[0].width) || map->parts[0].width > isa->max_lane ||
        !sg_vector_open(arena, plan, isa, isa->unit / map->parts[0].width, body, &vb) ||
        body->lane_bytes != map->parts[0].width) {
        return false;
    }
    sg_vector_start_code(&vb, 0, 0);
    body->slices[body->nslices++] = (sg_slice){0};
    if (map->joins) {
        join(&vb, map->nparts);
    } else {
        split(&vb, map->nparts);
    }
    return true;
}
