/* The instruction sets of isa.inc by number. Data only. */
#ifndef SG_PLAN_ISA_H
#define SG_PLAN_ISA_H

#include <stdbool.h>
#include <stdint.h>

typedef enum sg_isa {
#define X(id, name, unit, ways, min_lane, max_lane, sources, loads, stores, alu, shuffles,         \
          permute2, permute2_store, masks, mask, indices, interleaved)                             \
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
    double loads;    /* instructions per cycle */
    double stores;
    double alu;
    double shuffles;
    double permute2_cycles; /* of a two-source permute; 0: there is none */
    double permute2_store;  /* cycles it keeps stores from starting */
    int masks;              /* registers for blend masks alone; 0: there are none */
    double mask_cycles;     /* for every blend mask that does not stay in a register */
    int indices_kept;       /* index constants that do */
    int interleaved_max;    /* registers a load of interleaved elements fills; 0: there is none */
} sg_isa_info;

/* Elements above this size are moved as several of it. */
#define SG_LANE_BYTES_MAX 8

const sg_isa_info *sg_isa_get(sg_isa isa);

/* Whether what fills no line can be kept and merged: registers of a line, and masks for any byte.
 */
bool sg_isa_has_feeds(const sg_isa_info *isa);

/* Whether a blend by this mask, one entry per lane, is done by an instruction that knows the mask
 * and works on elements of 2 bytes: AVX2 has none for single bytes. */
bool sg_isa_blends_words(const sg_isa_info *isa, const uint8_t *mask, int64_t lane_bytes);

#endif
