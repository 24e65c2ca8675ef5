/* The instruction sets of isa.inc by number. */
#include "plan/isa.h"

const sg_isa_info *sg_isa_get(sg_isa isa)
{
    static const sg_isa_info infos[] = {
#define X(id, name, unit, ways, min_lane, max_lane, sources, loads, stores, alu, shuffles,         \
          permute2, mask)                                                                          \
    {SG_ISA_##id, #id,   name,   unit, ways,     min_lane, max_lane,                               \
     sources,     loads, stores, alu,  shuffles, permute2, mask},
#include "plan/isa.inc"
#undef X
    };
    return &infos[isa];
}
