/* Looks up rows of the tables. */
#include "plan/machine/machine.h"

#include <stddef.h>
#include <string.h>

const sg_isa_info *sg_isa_get(sg_isa isa)
{
    static const sg_isa_info infos[] = {
#define X(id, name, title, unit, tiles, min_lane, max_lane, sources, permute2, masks, interleaved, \
          family, form, cpu, apart, registers, index_unit, mask_unit, unpacks, word_blends, puts,  \
          prefetches, prefetches_blocks, non_temporal, index_from, mask_from, pointer, runs)       \
    {SG_ISA_##id,  #id,        name,       title,                                                  \
     unit,         tiles,      min_lane,   max_lane,                                               \
     sources,      permute2,   masks,      interleaved,                                            \
     #family,      form,       cpu,        SG_TRAIT_##apart,                                       \
     registers,    index_unit, mask_unit,  unpacks,                                                \
     word_blends,  puts,       prefetches, prefetches_blocks,                                      \
     non_temporal, index_from, mask_from,  pointer,                                                \
     runs,         NULL},
#include "plan/machine/isa.inc"
#undef X
    };
    return &infos[isa];
}

bool sg_isa_same_family(const sg_isa_info *a, const sg_isa_info *b)
{
    return strcmp(a->family, b->family) == 0;
}

typedef struct uarch_info {
    const char *name;
    const char *title;
    uint32_t traits;
    bool each;
} uarch_info;

static const uarch_info *uarch_get(sg_uarch uarch)
{
    static const uarch_info infos[] = {
#define INFO_ROW(id, word, title, vendor, first, last, needs, traits, each)                        \
    {word, title, SPLITGEN_MACHINE_##id, (each) != 0},
        SPLITGEN_TUNED(INFO_ROW)
#undef INFO_ROW
    };
    return &infos[uarch];
}

const char *sg_uarch_name(sg_uarch uarch)
{
    return uarch_get(uarch)->name;
}

const char *sg_uarch_title(sg_uarch uarch)
{
    return uarch_get(uarch)->title;
}

uint32_t sg_uarch_traits(sg_uarch uarch)
{
    return uarch_get(uarch)->traits;
}

bool sg_uarch_has(sg_uarch uarch, sg_trait trait)
{
    return (sg_trait_bit(trait) & ~sg_uarch_traits(uarch)) == 0;
}

sg_uarch sg_uarch_with(sg_trait trait, sg_isa isa)
{
    for (int u = 0; trait != SG_TRAIT_NONE && u < SG_UARCH_COUNT; ++u) {
        if (sg_uarch_has((sg_uarch)u, trait) && sg_isa_cost(isa, (sg_uarch)u) != NULL) {
            return (sg_uarch)u;
        }
    }
    return SG_UARCH_GENERIC;
}

uint32_t sg_trait_bit(sg_trait trait)
{
    return trait == SG_TRAIT_NONE ? 0 : UINT32_C(1) << trait;
}

bool sg_trait_next(uint32_t set, sg_trait *trait)
{
    int next = (int)*trait + 1;
    while (next < 32 && (set >> next & 1U) == 0) {
        ++next;
    }
    *trait = (sg_trait)next;
    return next < 32;
}

const char *sg_trait_id(sg_trait trait)
{
    switch (trait) {
#define ID_ROW(id, who)                                                                            \
    case SG_TRAIT_##id:                                                                            \
        return #id;
        SPLITGEN_CPU_TRAITS(ID_ROW)
    case SG_TRAIT_NONE:
        break;
    }
    return NULL;
}

const char *sg_trait_who(sg_trait trait)
{
    switch (trait) {
#define WHO_ROW(id, who)                                                                           \
    case SG_TRAIT_##id:                                                                            \
        return who;
        SPLITGEN_CPU_TRAITS(WHO_ROW)
    case SG_TRAIT_NONE:
        break;
    }
    return NULL;
}

const sg_cost *sg_isa_cost(sg_isa isa, sg_uarch uarch)
{
    static const sg_cost costs[] = {
#define COST(uarch, isa, ...) {SG_UARCH_##uarch, SG_ISA_##isa, __VA_ARGS__},
#include "plan/machine/cost.inc"
#undef COST
    };
    for (size_t i = 0; i < sizeof costs / sizeof costs[0]; ++i) {
        if (costs[i].isa == isa && costs[i].uarch == uarch) {
            return &costs[i];
        }
    }
    return NULL;
}

bool sg_uarch_decides(sg_uarch uarch, sg_isa isa)
{
    const sg_isa_info *info = sg_isa_get(isa);
    for (int i = 0; !uarch_get(uarch)->each && i < (int)isa; ++i) {
        const sg_isa_info *better = sg_isa_get((sg_isa)i);
        if (sg_isa_same_family(better, info) && strcmp(better->name, info->name) != 0 &&
            sg_isa_cost((sg_isa)i, uarch) != NULL) {
            return false;
        }
    }
    return sg_isa_cost(isa, uarch) != NULL;
}

const sg_isa_info *sg_isa_on(sg_arena *arena, const sg_cost *cost)
{
    sg_isa_info *info = SG_NEW(arena, sg_isa_info);
    *info = *sg_isa_get(cost->isa);
    info->cost = cost;
    return info;
}

bool sg_isa_has_write_combining(const sg_isa_info *isa)
{
    return isa->unit == SG_LINE_BYTES && isa->masks > 0;
}

int64_t sg_isa_index_bytes(const sg_isa_info *isa, int64_t lane_bytes)
{
    return isa->index_unit > 0 ? isa->index_unit : lane_bytes;
}

int64_t sg_isa_piece_min(const sg_isa_info *isa)
{
    return isa->unit > 16 ? 16 : 8;
}

/* The source lane that lane i of an unpack comes from. */
static int64_t unpack_lane(const sg_isa_info *isa, sg_unpack half, int64_t lane_bytes, int64_t i)
{
    const int64_t group = SG_UNPACK_BYTES / lane_bytes;
    const int64_t within = i % group / 2 + (half == SG_UNPACK_HIGH ? group / 2 : 0);
    return i - i % group + within + i % 2 * (isa->unit / lane_bytes);
}

bool sg_isa_unpack_index(const sg_isa_info *isa, sg_unpack half, int64_t lane_bytes, uint8_t *index)
{
    for (int64_t i = 0; i < isa->unit / lane_bytes; ++i) {
        index[i] = (uint8_t)unpack_lane(isa, half, lane_bytes, i);
    }
    return isa->unpacks;
}

sg_unpack sg_isa_unpacks(const sg_isa_info *isa, const uint8_t *index, int64_t lane_bytes)
{
    static const sg_unpack halves[] = {SG_UNPACK_LOW, SG_UNPACK_HIGH};
    const int64_t lanes = isa->unit / lane_bytes;
    for (int h = 0; h < 2 && isa->unpacks; ++h) {
        /* Called very often; nearly all indices differ in the first lanes. */
        int64_t same = 0;
        while (same < lanes && index[same] == unpack_lane(isa, halves[h], lane_bytes, same)) {
            ++same;
        }
        if (same == lanes) {
            return halves[h];
        }
    }
    return SG_UNPACK_NONE;
}

bool sg_isa_blends_words(const sg_isa_info *isa, const uint8_t *mask, int64_t lane_bytes)
{
    const int64_t lanes = isa->unit / lane_bytes;
    for (int64_t i = 0; lane_bytes == 1 && i < lanes; i += 2) {
        if (mask[i] != mask[i + 1]) {
            return false;
        }
    }
    return isa->word_blends;
}
