/* Ways to gather bytes of the input into one register. Independent of bits within bytes. */
#include "plan/bits/bit_gather.h"

#include <string.h>

#include "base/checked.h"
#include "plan/bits/bit_cost.h"
#include "plan/bits/bit_program.h"
#include "plan/bits/bit_writer.h"
#include "plan/plan.h"

#define V    SG_BIT_VECTOR
#define NONE SG_BIT_ANY_BYTE

/* Maximum number of vectors that the bytes of one gather may lie in. */
#define SOURCES_MAX 16

/* Ways to gather: in place, blended before a permute, merged, merged with reuse of loaded vectors.
 * */
#define WAYS 4

/* Maximum number of vectors that are blended without a permute: more are no cheaper. */
#define IN_PLACE_MAX 4

/* Blends the vectors that contain the wanted bytes, then permutes once. NONE if two wanted bytes
 * are at the same place of their vectors. */
static int64_t gather_blended(sg_bit_writer *w, const int64_t *want, int64_t high)
{
    int64_t origin = w->origin;
    int64_t n = (high - origin) / V + 1;
    if (origin + n * V > w->in_bytes) {
        origin = w->in_bytes - n * V;
    }
    if (origin < 0 || n > SOURCES_MAX) {
        return NONE;
    }
    int source[V];
    uint8_t index[V] = {0};
    bool used[SOURCES_MAX] = {false};
    bool moves = false;
    for (int i = 0; i < V; ++i) {
        source[i] = -1;
    }
    for (int i = 0; i < V; ++i) {
        if (want[i] == NONE) {
            index[i] = (uint8_t)i;
            continue;
        }
        const int64_t place = (want[i] - origin) % V;
        const int from = (int)((want[i] - origin) / V);
        if (source[place] >= 0 && source[place] != from) {
            return NONE;
        }
        source[place] = from;
        used[from] = true;
        index[i] = (uint8_t)place;
        moves = moves || place != i;
    }
    int reg = -1;
    for (int k = 0; k < n; ++k) {
        if (!used[k]) {
            continue;
        }
        const int loaded = sg_bit_load(w, origin + k * V);
        if (reg >= 0) {
            uint8_t mask[V];
            for (int i = 0; i < V; ++i) {
                mask[i] = source[i] == k;
            }
            reg = sg_bit_alu(w, SG_INSN_BLEND, reg, loaded, mask);
        } else {
            reg = loaded;
        }
    }
    return moves ? sg_bit_alu(w, SG_INSN_PERMUTE, reg, -1, index) : reg;
}

/* The offset of the vector that byte `low` is taken from: the already loaded one that reaches
 * furthest, or a new one. */
static int64_t source_of(const sg_bit_writer *w, int64_t low, bool again)
{
    int64_t best = low - (low - w->origin) % V;
    bool found = false;
    for (int64_t i = 0; again && i < w->code.ninsns; ++i) {
        const sg_insn *insn = &w->code.insns[i];
        if (insn->op == SG_INSN_LOAD && insn->from.at <= low && insn->from.at > low - V &&
            (!found || insn->from.at > best)) {
            best = insn->from.at;
            found = true;
        }
    }
    return best < w->in_bytes - V ? best : w->in_bytes - V;
}

/* Permutes each vector separately and merges the results. */
static int gather_merged(sg_bit_writer *w, const int64_t *want, bool again)
{
    int left[V]; /* places without a byte so far */
    int nleft = 0;
    int reg = -1;
    for (int i = 0; i < V; ++i) {
        left[nleft] = i;
        nleft += want[i] != NONE;
    }
    for (int turn = 0; turn < SOURCES_MAX; ++turn) {
        int64_t low = INT64_MAX;
        for (int n = 0; n < nleft; ++n) {
            low = want[left[n]] < low ? want[left[n]] : low;
        }
        if (low == INT64_MAX) {
            return reg;
        }
        low = source_of(w, low, again);
        uint8_t index[V] = {0};
        uint8_t mask[V] = {0};
        int kept = 0;
        for (int n = 0; n < nleft; ++n) {
            const int i = left[n];
            if (want[i] < low + V) {
                index[i] = (uint8_t)(want[i] - low);
                mask[i] = 1;
            } else {
                left[kept++] = i;
            }
        }
        nleft = kept;
        const int loaded = sg_bit_load(w, low);
        const int picked = sg_bit_alu(w, SG_INSN_PERMUTE, loaded, -1, index);
        reg = reg < 0 ? picked : sg_bit_alu(w, SG_INSN_BLEND, reg, picked, mask);
    }
    w->builder.full = true;
    return 0;
}

/* Loads vectors so that every wanted byte is in its place at once. */
static int64_t gather_in_place(sg_bit_writer *w, const int64_t *want)
{
    int64_t offsets[IN_PLACE_MAX];
    int n = 0;
    for (int i = 0; i < V; ++i) {
        int k = 0;
        while (k < n && want[i] != NONE && offsets[k] != want[i] - i) {
            ++k;
        }
        if (want[i] == NONE || k < n) {
            continue;
        }
        if (n == IN_PLACE_MAX || want[i] < i || want[i] - i > w->in_bytes - V) {
            return NONE;
        }
        offsets[n++] = want[i] - i;
    }
    int reg = 0;
    for (int k = 0; k < n; ++k) {
        uint8_t mask[V];
        for (int i = 0; i < V; ++i) {
            mask[i] = want[i] - i == offsets[k];
        }
        const int loaded = sg_bit_load(w, offsets[k]);
        reg = k == 0 ? loaded : sg_bit_alu(w, SG_INSN_BLEND, reg, loaded, mask);
    }
    return reg;
}

static int64_t gather_by(sg_bit_writer *w, const int64_t *want, int way)
{
    int64_t high = -1;
    for (int i = 0; i < V; ++i) {
        high = want[i] > high ? want[i] : high;
    }
    switch (way) {
    case 0:
        return gather_in_place(w, want);
    case 1:
        return gather_blended(w, want, high);
    default:
        return gather_merged(w, want, way == 3);
    }
}

int sg_bit_gather(sg_bit_writer *w, const int64_t *want)
{
    const sg_code_builder_mark start = sg_code_builder_here(&w->builder);
    double least = 1e9;
    int best = 2;
    for (int way = 0; way < WAYS; ++way) {
        if (way == 2 && best < 2) {
            continue; /* as many instructions as the others, and more of them are shuffles */
        }
        if (gather_by(w, want, way) != NONE && sg_bit_weight(w, start.ninsns) < least) {
            least = sg_bit_weight(w, start.ninsns);
            best = way;
        }
        sg_code_builder_back_to(&w->builder, &start);
    }
    return (int)gather_by(w, want, best);
}
