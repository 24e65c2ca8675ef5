/* The instruction sets of isa.inc and the microarchitectures of cost.inc by number. */
#include "plan/isa.h"

#include <stddef.h>

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
