/* Instruction sets, machines and costs by number. Data only: isa.inc, cost.inc and
 * splitgen/machines.h are the tables. */
#ifndef SG_PLAN_MACHINE_MACHINE_H
#define SG_PLAN_MACHINE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "splitgen/machines.h"

/* Bytes of a cache line, on every machine with a vector body. */
#define SG_LINE_BYTES INT64_C(64)

typedef enum sg_isa {
#define X(id, ...) SG_ISA_##id,
#include "plan/machine/isa.inc"
#undef X
    SG_ISA_COUNT
} sg_isa;

/* Machines that code can be made for; SG_UARCH_GENERIC, the first, is none in particular. */
typedef enum sg_uarch {
#define SG_UARCH_ROW(id, ...) SG_UARCH_##id,
    SPLITGEN_TUNED(SG_UARCH_ROW)
#undef SG_UARCH_ROW
        SG_UARCH_MEASURED, /* whose costs are no row of cost.inc: an sg_machine has them */
    SG_UARCH_COUNT
} sg_uarch;

/* Traits of machines, by number; sets of them have a bit for each. */
typedef enum sg_trait {
#define SG_TRAIT_ROW(id, bit, ...) SG_TRAIT_##id = (bit),
    SPLITGEN_CPU_TRAITS(SG_TRAIT_ROW)
#undef SG_TRAIT_ROW
        SG_TRAIT_NONE = 0
} sg_trait;

/* The numbers of a row of cost.inc, which has what they mean, in its order. A RATE is per cycle and
 * more than nothing. */
/* clang-format off */
#define SG_COST_NUMBERS(RATE, COUNT)                                                               \
    RATE(all) COUNT(cross) RATE(loads) RATE(stores) RATE(alu) RATE(shuffles) COUNT(permute2)       \
    COUNT(permute2_alu) COUNT(permute2_store) COUNT(insert_alu) COUNT(byte_alu)                    \
    COUNT(byte_shuffles) COUNT(word_shuffles) COUNT(mask) COUNT(indices) RATE(run_loads)           \
    RATE(run_stores) RATE(move_stores) COUNT(combiner)
/* clang-format on */

/* What instructions cost. */
typedef struct sg_cost {
    sg_uarch uarch;
    sg_isa isa;
#define SG_COST_MEMBER(name) double name;
    SG_COST_NUMBERS(SG_COST_MEMBER, SG_COST_MEMBER)
#undef SG_COST_MEMBER
} sg_cost;

/* The costs of SG_UARCH_MEASURED. */
typedef struct sg_machine {
    sg_cost costs[SG_ISA_COUNT]; /* by sg_isa; uarch is SG_UARCH_GENERIC where it lacks the
                                    instructions */
} sg_machine;

/* A row of isa.inc, which has what the fields mean. */
typedef struct sg_isa_info {
    sg_isa isa;
    const char *id;
    const char *name;
    const char *title;
    int unit;
    int tiles;
    int min_lane;
    int max_lane;
    int sources_max;
    bool has_permute2;
    int masks;
    int interleaved_max;
    const char *family; /* "X86" */
    const char *form;
    const char *cpu;
    sg_trait apart;
    int registers;
    int index_unit;
    int mask_unit;
    bool unpacks;
    bool zips;
    bool word_blends;
    bool puts;
    bool prefetches;
    bool prefetches_blocks;
    bool non_temporal;
    int index_from;
    int mask_from;
    int pointer;
    bool runs;
    const sg_cost *cost; /* where programs are made for; NULL: not said */
} sg_isa_info;

/* Elements above this size are moved as several of it. */
#define SG_LANE_BYTES_MAX 8

const sg_isa_info *sg_isa_get(sg_isa isa);

/* Whether processors with one may have the other. */
bool sg_isa_are_kin(const sg_isa_info *a, const sg_isa_info *b);

/* The word of --tune, and what people call it. */
const char *sg_uarch_name(sg_uarch uarch);
const char *sg_uarch_title(sg_uarch uarch);

/* All its traits, a bit for each. */
uint32_t sg_uarch_traits(sg_uarch uarch);
bool sg_uarch_has(sg_uarch uarch, sg_trait trait);

/* Whether code for no machine in particular is made for it as well. */
bool sg_uarch_counts(sg_uarch uarch);

/* The first machine with a trait whose costs with an instruction set are known; SG_UARCH_GENERIC:
 * none. */
sg_uarch sg_uarch_with(sg_trait trait, sg_isa isa);

/* Of sets of traits; of none 0. */
uint32_t sg_trait_bit(sg_trait trait);

/* The traits of a set one after the other, in the order of their numbers: begins behind *trait,
 * first SG_TRAIT_NONE. False behind the last one. */
bool sg_trait_next(uint32_t set, sg_trait *trait);

/* "ONE_SHUFFLE"; NULL for SG_TRAIT_NONE. */
const char *sg_trait_id(sg_trait trait);

/* Which processors have it, in words: "processors with a fast `pext`"; NULL for SG_TRAIT_NONE. */
const char *sg_trait_who(sg_trait trait);

/* NULL where the microarchitecture has no such instructions. `measured` may be NULL. */
const sg_cost *sg_isa_cost(const sg_machine *measured, sg_isa isa, sg_uarch uarch);

/* Whether it has a better instruction set of the same family, whose bodies it runs then. */
bool sg_uarch_has_better(sg_uarch uarch, sg_isa isa);

/* An instruction set with these costs of its instructions. */
const sg_isa_info *sg_isa_on(sg_arena *arena, const sg_cost *cost);

/* Whether what fills no line can be kept and merged: registers of a line, and masks for any byte.
 */
bool sg_isa_has_write_combining(const sg_isa_info *isa);

/* Bytes that an index of its permutes counts in, for lanes of so many. */
int64_t sg_isa_index_bytes(const sg_isa_info *isa, int64_t lane_bytes);

/* Bytes of the smallest part of a unit that is loaded on its own. */
int64_t sg_isa_piece_min(const sg_isa_info *isa);

/* Bytes within which AVX-512 and AVX2 interleave. */
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
