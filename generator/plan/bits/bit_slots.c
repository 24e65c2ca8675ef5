/* Fills vectors of outputs. An output byte consists of runs of adjacent bits; a slot holds at most
 * one run for every byte of the vector. The bytes that a slot needs are gathered into one or two
 * registers and shifted into place, and the slots are merged bit by bit. Everything is computed in
 * the order of the stream, and reversed when it becomes an instruction if the stream begins at the
 * highest bit: see note [order of bits]. */
#include "plan/bits/bit_slots.h"

#include <string.h>

#include "plan/bits/bit_cost.h"
#include "plan/bits/bit_gather.h"
#include "plan/bits/bit_program.h"
#include "plan/bits/bit_writer.h"
#include "plan/body/code_builder.h"
#include "plan/insn.h"
#include "plan/plan.h"

#define V    SG_BIT_VECTOR
#define NONE SG_BIT_ANY_BYTE

/* Bytes that share one 64-bit lane. */
#define LANE 8

/* Maximum number of runs in one byte. */
#define SLOTS_MAX 8

/* Bits [to, end) of an output byte come from the iteration's input, from bit `from` on. */
typedef struct run {
    int64_t from;
    int to;
    int end;
} run;

typedef struct slot {
    run runs[V];
    bool used[V];
} slot;

typedef struct slots {
    int n;
    slot slot[SLOTS_MAX];
} slots;

/* The input byte that would hold the run's bit 0, even if the run does not use it, and the shift.
 * */
static int64_t first_byte(const run *r)
{
    return (r->from - r->to + 8) / 8 - 1;
}

static int shift_of(const run *r)
{
    return (int)((r->from - r->to + 8) % 8);
}

/* The first and last input bytes that the run uses. */
static int64_t low_byte(const run *r)
{
    return r->from / 8;
}

static int64_t high_byte(const run *r)
{
    return (r->from + r->end - r->to - 1) / 8;
}

static int find_runs(const sg_map *map, const sg_map_part *column, int64_t byte, run *runs)
{
    int n = 0;
    for (int bit = 0; bit < 8;) {
        const int64_t from = sg_bits_source(map, column, 8 * byte + bit);
        int end = bit + 1;
        while (end < 8 && sg_bits_source(map, column, 8 * byte + end) == from + end - bit) {
            ++end;
        }
        runs[n++] = (run){.from = from, .to = bit, .end = end};
        bit = end;
    }
    return n;
}

/* Lists the input bytes that one lane of a slot uses, in order. Returns their number, or LANE + 1
 * if there are too many. */
static int lane_bytes(const slot *s, int lane, int64_t *list)
{
    int n = 0;
    for (int j = lane * LANE; j < (lane + 1) * LANE; ++j) {
        if (!s->used[j]) {
            continue;
        }
        for (int64_t byte = low_byte(&s->runs[j]); byte <= high_byte(&s->runs[j]); ++byte) {
            int at = 0;
            while (at < n && list[at] < byte) {
                ++at;
            }
            if (at < n && list[at] == byte) {
                continue;
            }
            if (n == LANE) {
                return LANE + 1;
            }
            memmove(&list[at + 1], &list[at], (size_t)(n - at) * sizeof list[0]);
            list[at] = byte;
            ++n;
        }
    }
    return n;
}

static void put(slots *all, int k, int j, const run *r)
{
    all->slot[k].runs[j] = *r;
    all->slot[k].used[j] = true;
    all->n = k + 1 > all->n ? k + 1 : all->n;
}

/* Puts every byte's first run into the first slot, its second run into the second, and so on. */
static void assign_in_order(const sg_bit_writer *w, int64_t column, int64_t at, int64_t bytes,
                            slots *all)
{
    memset(all, 0, sizeof *all);
    for (int j = 0; j < bytes; ++j) {
        run runs[8];
        const int n = find_runs(w->map, &w->map->parts[column], at + j, runs);
        for (int i = 0; i < n; ++i) {
            put(all, i, j, &runs[i]);
        }
    }
}

/* Puts every run into the slot where its lane then needs the fewest additional bytes, and no more
 * than fit the lane. */
static bool assign_by_bytes(const sg_bit_writer *w, int64_t column, int64_t at, int64_t bytes,
                            slots *all)
{
    memset(all, 0, sizeof *all);
    for (int j = 0; j < bytes; ++j) {
        run runs[8];
        const int n = find_runs(w->map, &w->map->parts[column], at + j, runs);
        for (int i = 0; i < n; ++i) {
            int best = -1;
            int fewest = LANE + 1;
            /* including at most one empty slot */
            for (int k = 0; k <= all->n && k < SLOTS_MAX; ++k) {
                slot *s = &all->slot[k];
                int64_t list[LANE];
                if (s->used[j]) {
                    continue;
                }
                const int before = lane_bytes(s, j / LANE, list);
                s->runs[j] = runs[i];
                s->used[j] = true;
                const int after = lane_bytes(s, j / LANE, list);
                s->used[j] = false;
                if (after <= LANE && after - before < fewest) {
                    best = k;
                    fewest = after - before;
                }
            }
            if (best < 0) {
                return false;
            }
            put(all, best, j, &runs[i]);
        }
    }
    return true;
}

/* note [order of bits]
 *
 * In a stream that begins at the highest bit, a number made of several bytes has the first byte
 * highest too. So within bytes that are shifted as one number the order is reversed, and so is the
 * direction. */
static int turned(const sg_bit_writer *w, int place, int unit)
{
    return w->msb ? place / unit * unit + unit - 1 - place % unit : place;
}

/* For bytes that need no shift. */
static bool lower_plain(sg_bit_writer *w, const slot *s, int *reg)
{
    int64_t want[V];
    for (int j = 0; j < V; ++j) {
        want[j] = NONE;
        if (s->used[j]) {
            if (shift_of(&s->runs[j]) != 0) {
                return false;
            }
            want[j] = low_byte(&s->runs[j]);
        }
    }
    *reg = sg_bit_gather(w, want);
    return true;
}

/* One register, whose lanes have all the bytes from which each output byte is selected by a
 * multishift. */
static bool lower_pick(sg_bit_writer *w, const slot *s, int *reg)
{
    int64_t want[V];
    uint8_t from[V] = {0};
    for (int lane = 0; lane < V / LANE; ++lane) {
        int64_t list[LANE + 1];
        const int n = lane_bytes(s, lane, list);
        if (n > LANE) {
            return false;
        }
        for (int i = 0; i < LANE; ++i) {
            want[turned(w, lane * LANE + i, LANE)] = i < n ? list[i] : NONE;
        }
        for (int j = lane * LANE; j < (lane + 1) * LANE; ++j) {
            if (!s->used[j]) {
                continue;
            }
            int at = 0;
            while (list[at] != low_byte(&s->runs[j])) {
                ++at;
            }
            /* place of the first byte, which may be before the lane if it is not used */
            at -= (int)(low_byte(&s->runs[j]) - first_byte(&s->runs[j]));
            const int bit = 8 * at + shift_of(&s->runs[j]);
            from[j] = (uint8_t)((w->msb ? 8 * (LANE - 1) - bit : bit) & (8 * LANE - 1));
        }
    }
    *reg = sg_bit_alu(w, SG_INSN_MULTISHIFT, sg_bit_gather(w, want), -1, from);
    return true;
}

/* The bytes of one side of all pairs, the first or the second ones: where they come from, and their
 * shifts. */
typedef struct side {
    int64_t want[V];
    uint8_t by[V];
    bool any;
    bool moves;
} side;

static void find_side(const sg_bit_writer *w, const slot *s, int second, bool whole_second,
                      side *found)
{
    *found = (side){.any = false};
    for (int j = 0; j < V; ++j) {
        found->want[j] = NONE;
    }
    for (int j = second; j < V; j += 2) {
        if (s->used[j]) {
            found->any = true;
            found->moves = found->moves || shift_of(&s->runs[j]) != 0;
        }
    }
    for (int j = second; j < V; j += 2) {
        const run *r = &s->runs[j];
        if (!s->used[j]) {
            continue;
        }
        if (!found->moves) {
            found->want[j] = low_byte(r);
            continue;
        }
        const int pair = j - second;
        const bool high = whole_second && shift_of(r) == 0;
        const int64_t first = first_byte(r) - high;
        const int shift = high ? 8 : shift_of(r);
        const int right = w->msb ? 8 - shift : shift;
        if (low_byte(r) == first) {
            found->want[turned(w, pair, 2)] = first;
        }
        if (high_byte(r) == first + 1) {
            found->want[turned(w, pair + 1, 2)] = first + 1;
        }
        found->by[pair] = (uint8_t)(second == 0 ? right : 8 - right);
    }
}

/* Merges bits of b where the mask has ones with bits of a elsewhere. If the mask covers whole bytes
 * and one operand is a permute, that permute can merge by itself. */
static int join(sg_bit_writer *w, int a, int b, const uint8_t *mask)
{
    uint8_t bytes[V];
    bool whole = true;
    for (int j = 0; j < V; ++j) {
        whole = whole && (mask[j] == 0 || mask[j] == 0xff);
    }
    const bool a_moves = sg_opcode_get(w->code.insns[a].op)->merges;
    const bool b_moves = sg_opcode_get(w->code.insns[b].op)->merges;
    if (!whole || (!a_moves && !b_moves)) {
        return sg_bit_alu(w, SG_INSN_SELECT, a, b, mask);
    }
    const bool turn = a_moves && !b_moves;
    for (int j = 0; j < V; ++j) {
        bytes[j] = (mask[j] != 0) != turn;
    }
    return sg_bit_alu(w, SG_INSN_BLEND, turn ? b : a, turn ? a : b, bytes);
}

/* Two registers of byte pairs: one shifted right gives the lower bytes, the other shifted left
 * gives the higher bytes. A byte that needs no shift may use either byte of its pair. */
static int lower_pairs(sg_bit_writer *w, const slot *s, bool whole_second)
{
    uint8_t high[V];
    side sides[2];
    int reg[2] = {0, 0};
    for (int i = 0; i < 2; ++i) {
        find_side(w, s, i, whole_second, &sides[i]);
        if (!sides[i].any) {
            continue;
        }
        reg[i] = sg_bit_gather(w, sides[i].want);
        if (sides[i].moves) {
            reg[i] = sg_bit_alu(w, i == 0 ? SG_INSN_RIGHT : SG_INSN_LEFT, reg[i], -1, sides[i].by);
        }
    }
    if (!sides[0].any || !sides[1].any) {
        return sides[0].any ? reg[0] : reg[1];
    }
    for (int j = 0; j < V; ++j) {
        high[j] = j % 2 == 0 ? 0 : 0xff;
    }
    return join(w, reg[0], reg[1], high);
}

/* Multishift, and both kinds of pairs. */
#define WAYS 3

/* False if the slot cannot be made this way. */
static bool lower_by(sg_bit_writer *w, const slot *s, int way, int *reg)
{
    if (way == 0) {
        return lower_pick(w, s, reg);
    }
    *reg = lower_pairs(w, s, way == 2);
    return true;
}

static int lower(sg_bit_writer *w, const slot *s)
{
    const sg_code_builder_mark start = sg_code_builder_here(&w->builder);
    double least = 1e9;
    int best = 1;
    int reg = 0;
    if (lower_plain(w, s, &reg)) {
        return reg;
    }
    sg_code_builder_back_to(&w->builder, &start);
    for (int way = 0; way < WAYS; ++way) {
        if (lower_by(w, s, way, &reg) && sg_bit_weight(w, start.ninsns) < least) {
            least = sg_bit_weight(w, start.ninsns);
            best = way;
        }
        sg_code_builder_back_to(&w->builder, &start);
    }
    lower_by(w, s, best, &reg);
    return reg;
}

static void fill_by(sg_bit_writer *w, int64_t column, int64_t at, int64_t bytes, const slots *all)
{
    int reg = 0;
    for (int k = 0; k < all->n; ++k) {
        const slot *s = &all->slot[k];
        uint8_t mask[V] = {0};
        for (int j = 0; j < V; ++j) {
            for (int bit = s->runs[j].to; s->used[j] && bit < s->runs[j].end; ++bit) {
                mask[j] |= (uint8_t)(1U << (w->msb ? 7 - bit : bit));
            }
        }
        const int made = lower(w, s);
        reg = k == 0 ? made : join(w, reg, made, mask);
    }
    sg_bit_store(w, reg, column, at, bytes, NULL);
}

/* The first input byte, or its vector, for bytes of a column from `at` on. */
static int64_t origin_of(const sg_bit_writer *w, int64_t column, int64_t at)
{
    const int64_t from = sg_bits_source(w->map, &w->map->parts[column], 8 * at) / 8;
    const int64_t origin = w->aligned ? from - from % V : from;
    return origin < w->in_bytes - V ? origin : w->in_bytes - V;
}

void sg_bit_fill(sg_bit_writer *w, int64_t column, int64_t at, int64_t bytes)
{
    slots all;
    const sg_code_builder_mark start = sg_code_builder_here(&w->builder);
    w->origin = origin_of(w, column, at);
    assign_in_order(w, column, at, bytes, &all);
    fill_by(w, column, at, bytes, &all);
    const double in_order = sg_bit_weight(w, start.ninsns);
    if (!assign_by_bytes(w, column, at, bytes, &all)) {
        return;
    }
    sg_code_builder_back_to(&w->builder, &start);
    fill_by(w, column, at, bytes, &all);
    if (sg_bit_weight(w, start.ninsns) >= in_order) {
        sg_code_builder_back_to(&w->builder, &start);
        assign_in_order(w, column, at, bytes, &all);
        fill_by(w, column, at, bytes, &all);
    }
}

void sg_bit_fill_singly(sg_bit_writer *w, int64_t column, int64_t at)
{
    int64_t want[V];
    uint8_t ones[V];
    w->origin = origin_of(w, column, at);
    for (int i = 0; i < V; ++i) {
        const int64_t from = sg_bits_source(w->map, &w->map->parts[column], 8 * at + i);
        const int place = turned(w, i, 8);
        want[place] = from / 8;
        ones[place] = (uint8_t)(1U << (w->msb ? 7 - from % 8 : from % 8));
    }
    sg_bit_store(w, sg_bit_gather(w, want), column, at, 8, ones);
}
