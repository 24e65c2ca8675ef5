/* The instruction sets of isa.inc by number. */
#include "plan/isa.h"

#include "plan/budget.h"

const sg_isa_info *sg_isa_get(sg_isa isa)
{
    static const sg_isa_info infos[] = {
#define X(id, name, unit, ways, min_lane, max_lane, sources, loads, stores, alu, shuffles,         \
          permute2, permute2_store, masks, mask, indices, interleaved)                             \
    {SG_ISA_##id, #id,   name,    unit,       ways,     min_lane, max_lane,                        \
     sources,     loads, stores,  alu,        shuffles, permute2, permute2_store,                  \
     masks,       mask,  indices, interleaved},
#include "plan/isa.inc"
#undef X
    };
    return &infos[isa];
}

bool sg_isa_has_feeds(const sg_isa_info *isa)
{
    return isa->unit == SG_LINE_BYTES && isa->masks > 0;
}

bool sg_isa_blends_words(const sg_isa_info *isa, const uint8_t *mask, int64_t lane_bytes)
{
    const int64_t lanes = isa->unit / lane_bytes;
    for (int64_t i = 0; lane_bytes == 1 && i < lanes; i += 2) {
        if (mask[i] != mask[i + 1]) {
            return false;
        }
    }
    return isa->isa == SG_ISA_AVX2BYTE;
}
