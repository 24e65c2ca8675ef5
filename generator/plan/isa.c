/* The instruction sets of isa.inc and the microarchitectures of cost.inc by number. */
#include "plan/isa.h"

#include <stddef.h>
#include <string.h>

#include "plan/budget.h"

const sg_isa_info *sg_isa_get(sg_isa isa)
{
    static const sg_isa_info infos[] = {
#define X(id, name, unit, ways, min_lane, max_lane, sources, permute2, masks, interleaved)         \
    {SG_ISA_##id, #id,     name,     unit,  ways,        min_lane,                                 \
     max_lane,    sources, permute2, masks, interleaved, NULL},
#include "plan/isa.inc"
#undef X
    };
    return &infos[isa];
}

typedef struct uarch_info {
    const char *name;
    const char *title;
} uarch_info;

static const uarch_info *uarch_get(sg_uarch uarch)
{
    static const uarch_info infos[] = {
        {"generic", "generic"},
#define UARCH(id, name, title) {name, title},
#include "plan/cost.inc"
#undef UARCH
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

const sg_cost *sg_isa_cost(sg_isa isa, sg_uarch uarch)
{
    static const sg_cost costs[] = {
#define COST(uarch, isa, all, cross, loads, stores, alu, shuffles, permute2, permute2_alu,         \
             permute2_store, insert, byte_alu, byte_shuffles, word_shuffles, mask, indices,        \
             run_loads, run_stores, move_stores, feed)                                             \
    {SG_UARCH_##uarch,                                                                             \
     SG_ISA_##isa,                                                                                 \
     all,                                                                                          \
     cross,                                                                                        \
     loads,                                                                                        \
     stores,                                                                                       \
     alu,                                                                                          \
     shuffles,                                                                                     \
     permute2,                                                                                     \
     permute2_alu,                                                                                 \
     permute2_store,                                                                               \
     insert,                                                                                       \
     byte_alu,                                                                                     \
     byte_shuffles,                                                                                \
     word_shuffles,                                                                                \
     mask,                                                                                         \
     indices,                                                                                      \
     run_loads,                                                                                    \
     run_stores,                                                                                   \
     move_stores,                                                                                  \
     feed},
#include "plan/cost.inc"
#undef COST
    };
    for (size_t i = 0; i < sizeof costs / sizeof costs[0]; ++i) {
        if (costs[i].isa == isa && costs[i].uarch == uarch) {
            return &costs[i];
        }
    }
    return NULL;
}

const sg_isa_info *sg_isa_on(sg_arena *arena, sg_isa isa, sg_uarch uarch)
{
    sg_isa_info *info = SG_NEW(arena, sg_isa_info);
    *info = *sg_isa_get(isa);
    info->cost = sg_isa_cost(isa, uarch);
    return info;
}

sg_uarch sg_isa_told_apart(sg_isa isa)
{
    const bool avx512 = isa == SG_ISA_AVX512VBMI || isa == SG_ISA_AVX512;
    return avx512 ? SG_UARCH_GOLDENCOVE : SG_UARCH_GENERIC;
}

bool sg_isa_has_feeds(const sg_isa_info *isa)
{
    return isa->unit == SG_LINE_BYTES && isa->masks > 0;
}

/* Lanes a register may have. */
#define LANES_MAX 64

bool sg_isa_unpack_index(const sg_isa_info *isa, sg_unpack half, int64_t lane_bytes, uint8_t *index)
{
    const int64_t lanes = isa->unit / lane_bytes;
    const int64_t group = SG_UNPACK_BYTES / lane_bytes;
    for (int64_t i = 0; i < lanes; ++i) {
        const int64_t within = i % group / 2 + (half == SG_UNPACK_HIGH ? group / 2 : 0);
        index[i] = (uint8_t)(i - i % group + within + i % 2 * lanes);
    }
    return isa->isa == SG_ISA_AVX512VBMI || isa->isa == SG_ISA_AVX512;
}

sg_unpack sg_isa_unpacks(const sg_isa_info *isa, const uint8_t *index, int64_t lane_bytes)
{
    static const sg_unpack halves[] = {SG_UNPACK_LOW, SG_UNPACK_HIGH};
    for (int i = 0; i < 2; ++i) {
        uint8_t wanted[LANES_MAX];
        if (sg_isa_unpack_index(isa, halves[i], lane_bytes, wanted) &&
            memcmp(index, wanted, (size_t)(isa->unit / lane_bytes)) == 0) {
            return halves[i];
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
    return isa->isa == SG_ISA_AVX2BYTE;
}
