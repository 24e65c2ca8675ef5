/* The instruction sets of isa.inc by number. Data only. */
#ifndef SG_PLAN_ISA_H
#define SG_PLAN_ISA_H

typedef enum sg_isa {
#define X(id, name, unit, ways, min_lane, max_lane, sources, loads, stores, alu, shuffles,         \
          permute2, mask)                                                                          \
    SG_ISA_##id,
#include "plan/isa.inc"
#undef X
    SG_ISA_COUNT
} sg_isa;

typedef struct sg_isa_info {
    sg_isa isa;
    const char *id;   /* "AVX512VBMI": how templates know it */
    const char *name; /* --isa spelling */
    int unit;         /* bytes within which a permute moves any element anywhere */
    int ways;         /* units in one register, working in step */
    int min_lane;     /* bytes of the smallest element one permute can move */
    int max_lane;
    int sources_max; /* source vectors of a window */
    int loads;       /* instructions per cycle */
    double stores;
    int alu;
    int shuffles;
    double permute2_cycles; /* of a two-source permute; 0: there is none */
    double mask_cycles;     /* to reload one blend mask when there are too many to keep */
} sg_isa_info;

/* Elements above this size are moved as several of it. */
#define SG_LANE_BYTES_MAX 8

const sg_isa_info *sg_isa_get(sg_isa isa);

#endif
