/* The instruction sets of isa.inc and the microarchitectures of cost.inc by number. Data only. */
#ifndef SG_PLAN_ISA_H
#define SG_PLAN_ISA_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

typedef enum sg_isa {
#define X(id, name, unit, ways, min_lane, max_lane, sources, permute2, masks, interleaved)         \
    SG_ISA_##id,
#include "plan/isa.inc"
#undef X
    SG_ISA_COUNT
} sg_isa;

typedef enum sg_uarch {
    SG_UARCH_GENERIC, /* all of them: what is good on each */
#define UARCH(id, name, title) SG_UARCH_##id,
#include "plan/cost.inc"
#undef UARCH
    SG_UARCH_COUNT
} sg_uarch;

/* What instructions cost; per cycle where nothing else is said. See cost.inc. */
typedef struct sg_cost {
    sg_uarch uarch;
    sg_isa isa;
    double all;
    double cross; /* instructions */
    double loads;
    double stores;
    double alu;
    double shuffles;
    double permute2; /* cycles */
    double permute2_alu;
    double permute2_store; /* cycles */
    double insert_alu;     /* instructions, like those below */
    double byte_alu;
    double byte_shuffles;
    double word_shuffles;
    double mask; /* cycles */
    int indices;
    double run_loads;
    double run_stores;
    double move_stores;
    double feed; /* cycles */
} sg_cost;

typedef struct sg_isa_info {
    sg_isa isa;
    const char *id;   /* "AVX512VBMI": how templates know it */
    const char *name; /* --isa spelling */
    int unit;         /* bytes within which a permute moves any element anywhere */
    int ways;         /* units in one register, working in step */
    int min_lane;     /* bytes of the smallest element one permute can move */
    int max_lane;
    int sources_max;     /* source vectors of a window */
    bool has_permute2;   /* of two sources */
    int masks;           /* registers for blend masks alone; 0: there are none */
    int interleaved_max; /* registers a load of interleaved elements fills; 0: there is none */
    const sg_cost *cost; /* where programs are made for; NULL: not said */
} sg_isa_info;

/* Elements above this size are moved as several of it. */
#define SG_LANE_BYTES_MAX 8

const sg_isa_info *sg_isa_get(sg_isa isa);

/* "zen5", "Zen 5"; of SG_UARCH_GENERIC: "generic". */
const char *sg_uarch_name(sg_uarch uarch);
const char *sg_uarch_title(sg_uarch uarch);

/* The microarchitecture whose processors a program can tell from all others that have the
 * instructions, by splitgen_cpu(); SG_UARCH_GENERIC: none. */
sg_uarch sg_isa_told_apart(sg_isa isa);

/* NULL where the microarchitecture has no such instructions. */
const sg_cost *sg_isa_cost(sg_isa isa, sg_uarch uarch);

/* The same with the costs of a microarchitecture, which has the instructions. */
const sg_isa_info *sg_isa_on(sg_arena *arena, sg_isa isa, sg_uarch uarch);

/* Whether what fills no line can be kept and merged: registers of a line, and masks for any byte.
 */
bool sg_isa_has_feeds(const sg_isa_info *isa);

/* Bytes within which AVX-512 interleaves. */
#define SG_UNPACK_BYTES 16

/* Permutes of two sources that an instruction without an index does: in every SG_UNPACK_BYTES, by
 * turns the elements of the lower or of the upper halves of both. */
typedef enum sg_unpack { SG_UNPACK_NONE, SG_UNPACK_LOW, SG_UNPACK_HIGH } sg_unpack;

/* Whether that is what a permute with this index does, one entry per lane. */
sg_unpack sg_isa_unpacks(const sg_isa_info *isa, const uint8_t *index, int64_t lane_bytes);

/* The index of such a permute; false where the instruction set has none. */
bool sg_isa_unpack_index(const sg_isa_info *isa, sg_unpack half, int64_t lane_bytes,
                         uint8_t *index);

/* Whether a blend by this mask, one entry per lane, is done by an instruction that knows the mask
 * and works on elements of 2 bytes: AVX2 has none for single bytes. */
bool sg_isa_blends_words(const sg_isa_info *isa, const uint8_t *mask, int64_t lane_bytes);

#endif
