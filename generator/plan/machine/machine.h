/* Instruction sets, machines and costs, by number. Data only, from isa.inc, cost.inc and
 * splitgen/machines.h. */
#ifndef SG_PLAN_MACHINE_MACHINE_H
#define SG_PLAN_MACHINE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "splitgen/machines.h"

/* Size of a cache line on every machine that has a vector body. */
#define SG_LINE_BYTES INT64_C(64)

typedef enum sg_isa {
#define X(id, ...) SG_ISA_##id,
#include "plan/machine/isa.inc"
#undef X
    SG_ISA_COUNT
} sg_isa;

/* Machines that code can be optimised for; the first, SG_UARCH_GENERIC, is no particular one. */
typedef enum sg_uarch {
#define SG_UARCH_ROW(id, ...) SG_UARCH_##id,
    SPLITGEN_TUNED(SG_UARCH_ROW)
#undef SG_UARCH_ROW
        SG_UARCH_COUNT
} sg_uarch;

/* Traits of machines, by number. A set of traits has one bit for each. */
#define SG_LOG2(bit)                                                                               \
    ((((bit)&0xf00U) != 0 ? 8 : 0) + (((bit)&0xf0U) != 0 ? 4 : 0) +                                \
     (((bit)&0xcccU) != 0 ? 2 : 0) + (((bit)&0xaaaU) != 0 ? 1 : 0))
typedef enum sg_trait {
#define SG_TRAIT_ROW(id, ...) SG_TRAIT_##id = SG_LOG2(SPLITGEN_CPU_##id),
    SPLITGEN_CPU_TRAITS(SG_TRAIT_ROW)
#undef SG_TRAIT_ROW
        SG_TRAIT_NONE = 0
} sg_trait;

/* What the instructions of one instruction set cost on one machine: a row of cost.inc, which
 * documents the numbers, in its order. */
typedef struct sg_cost {
    sg_uarch uarch;
    sg_isa isa;
    double all, cross, joined, loads, stores, alu, shuffles;
    double permute2, permute2_alu, permute2_store;
    double insert_alu, byte_alu, byte_shuffles, word_shuffles;
    double mask, indices;
    double run_loads, run_stores, move_stores;
    double combiner;
} sg_cost;

/* A row of isa.inc, which documents the fields. */
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
    bool word_blends;
    bool puts;
    bool prefetches;
    bool prefetches_blocks;
    bool non_temporal;
    int index_from;
    int mask_from;
    int pointer;
    bool runs;
    const sg_cost *cost; /* of the machine that programs are made for; NULL: not set */
} sg_isa_info;

/* Larger elements are moved as several elements of this size. */
#define SG_LANE_BYTES_MAX 8

const sg_isa_info *sg_isa_get(sg_isa isa);

/* Whether both belong to one family of processors. */
bool sg_isa_same_family(const sg_isa_info *a, const sg_isa_info *b);

/* The word of --tune, and the usual name. */
const char *sg_uarch_name(sg_uarch uarch);
const char *sg_uarch_title(sg_uarch uarch);

/* All its traits, one bit for each. */
uint32_t sg_uarch_traits(sg_uarch uarch);
bool sg_uarch_has(sg_uarch uarch, sg_trait trait);

/* The first machine that has a trait and known costs for an instruction set; SG_UARCH_GENERIC:
 * none. */
sg_uarch sg_uarch_with(sg_trait trait, sg_isa isa);

/* The bit of a trait in a set; 0 for SG_TRAIT_NONE. */
uint32_t sg_trait_bit(sg_trait trait);

/* Iterates over a set of traits in numerical order, starting from SG_TRAIT_NONE: advances *trait to
 * the next one. False after the last one. */
bool sg_trait_next(uint32_t set, sg_trait *trait);

/* "ONE_SHUFFLE"; NULL for SG_TRAIT_NONE. */
const char *sg_trait_id(sg_trait trait);

/* A phrase for the processors that have it: "processors with a fast `pext`"; NULL for
 * SG_TRAIT_NONE. */
const char *sg_trait_who(sg_trait trait);

/* NULL if the microarchitecture lacks the instructions. */
const sg_cost *sg_isa_cost(sg_isa isa, sg_uarch uarch);

/* Whether generic code for the instruction set is optimised for the machine: it runs that code, as
 * it has no better set of the same family, or processors with its core have none. */
bool sg_uarch_decides(sg_uarch uarch, sg_isa isa);

/* A copy of the instruction set's row with these costs. */
const sg_isa_info *sg_isa_on(sg_arena *arena, const sg_cost *cost);

/* Whether it supports write combining: registers as wide as a cache line, and byte masks. */
bool sg_isa_has_write_combining(const sg_isa_info *isa);

/* The unit in bytes that a permute index counts in, for lanes of `lane_bytes` bytes. */
int64_t sg_isa_index_bytes(const sg_isa_info *isa, int64_t lane_bytes);

/* Bytes of the smallest part of a register that can be loaded separately. */
int64_t sg_isa_piece_min(const sg_isa_info *isa);

/* AVX-512 and AVX2 interleave within blocks of this many bytes. */
#define SG_UNPACK_BYTES 16

/* Two-source permutes that have an instruction without an index: in each block of SG_UNPACK_BYTES,
 * the elements of the lower or upper halves of both sources, alternating. */
typedef enum sg_unpack { SG_UNPACK_NONE, SG_UNPACK_LOW, SG_UNPACK_HIGH } sg_unpack;

/* Which of these a permute with this index is, one entry per lane. */
sg_unpack sg_isa_unpacks(const sg_isa_info *isa, const uint8_t *index, int64_t lane_bytes);

/* Fills in the index of such a permute; false if the instruction set has none. */
bool sg_isa_unpack_index(const sg_isa_info *isa, sg_unpack half, int64_t lane_bytes,
                         uint8_t *index);

/* Whether a blend by this mask, one entry per lane, can be an immediate blend of elements of 2
 * bytes. AVX2 has none for single bytes. */
bool sg_isa_blends_words(const sg_isa_info *isa, const uint8_t *mask, int64_t lane_bytes);

#endif
