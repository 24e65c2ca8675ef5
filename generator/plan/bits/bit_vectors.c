/* Groups of packed elements by vectors: how many groups make a trip, and in what pieces every
 * column is written. Decides only whether that is cheaper than words. */
#include "plan/bits/bit_vectors.h"

#include "base/checked.h"
#include "plan/bits/bit_cost.h"
#include "plan/bits/bit_program.h"
#include "plan/bits/bit_slots.h"
#include "plan/bits/bit_writer.h"
#include "plan/body/cost.h"
#include "plan/body/trips.h"
#include "plan/caches.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"

/* Bytes ahead of its stores that a trip over packed elements asks for its outputs, between the
 * same limits: stores are few and far between there (MEASURED.md, Prefetching). */
#define BIT_AHEAD_BYTES INT64_C(512)

/* Outputs written side by side. */
#define COLUMNS_MAX 8

/* Bytes of the input in a trip: it is straight-line code. */
#define TRIP_BYTES_MAX INT64_C(2048)

/* A longer trip must be cheaper by this: it is more code. */
#define LONGER_GAIN 0.97

/* From so much more than the best on, and where it does not fit, no longer trip is tried. */
#define SHORTER_LOSS 1.25

/* Cycles of an operation or a piece of a group by words, by `pext`, beside those vectors are
 * predicted to take (MEASURED.md, Packed elements). */
#define WORD_CYCLES 1.2

/* All of a column's bytes in a trip, in the widest pieces, or by single bits. */
static void write_column(sg_bit_writer *w, int64_t column, int64_t bytes, bool singly)
{
    int64_t width = SG_BIT_VECTOR;
    for (int64_t at = 0; at < bytes && !w->full; at += singly ? 8 : width) {
        while (width > bytes - at) {
            width /= 2;
        }
        if (singly) {
            sg_bit_fill_singly(w, column, at);
        } else {
            sg_bit_fill(w, column, at, width);
        }
    }
}

/* Writes a column in the cheaper way. By single bits it is a shuffle for every 8 bytes at least. */
static void choose_column(sg_bit_writer *w, int64_t column, int64_t bytes)
{
    const sg_bit_mark start = sg_bit_here(w);
    write_column(w, column, bytes, false);
    const double whole = w->full ? 1e9 : sg_bit_predict(w, start.ninsns).cycles;
    if (whole <= (double)(bytes / 8)) {
        return;
    }
    sg_bit_go_back(w, start);
    write_column(w, column, bytes, true);
    if (w->full || sg_bit_predict(w, start.ninsns).cycles >= whole) {
        sg_bit_go_back(w, start);
        write_column(w, column, bytes, false);
    }
}

/* A trip of so many rows; false where it is too long. The wide columns come first: narrow ones can
 * do with the vectors these have loaded. */
static bool write_trip(sg_bit_writer *w, const sg_bits *bits, int64_t rows, bool aligned)
{
    w->bits = bits;
    w->in_bytes = rows * bits->row_bits / 8;
    w->aligned = aligned;
    sg_bit_clear(w);
    bool done[COLUMNS_MAX] = {false};
    for (int64_t n = 0; n < bits->ncolumns && !w->full; ++n) {
        int64_t widest = -1;
        for (int64_t c = 0; c < bits->ncolumns; ++c) {
            if (!done[c] && (widest < 0 || bits->columns[c].width > bits->columns[widest].width)) {
                widest = c;
            }
        }
        done[widest] = true;
        choose_column(w, widest, sg_bit_column_bytes(w, widest));
    }
    return !w->full;
}

/* --- order ------------------------------------------------------------------------------------ */

/* Instructions on their way from the writer into the order they are run in. */
typedef struct order {
    const sg_bit_writer *w;
    sg_bit_insn *insns;
    int n;
    int *place;   /* of every instruction of the writer, -1: not yet */
    int64_t *end; /* of the input it depends on */
} order;

static bool is_store(const sg_bit_insn *insn)
{
    return insn->op == SG_BIT_STORE || insn->op == SG_BIT_TEST;
}

static bool has_constant(const sg_bit_insn *insn)
{
    return insn->op != SG_BIT_LOAD && insn->op != SG_BIT_STORE && insn->op != SG_BIT_ASK;
}

/* What an instruction needs goes before it. */
static void place(order *o, int i)
{
    sg_bit_insn insn = o->w->insns[i];
    const int n = sg_bit_reads(&insn);
    if (o->place[i] >= 0) {
        return;
    }
    for (int k = 0; k < n; ++k) {
        place(o, k == 0 ? insn.a : insn.b);
    }
    insn.a = n > 0 ? o->place[insn.a] : 0;
    insn.b = n > 1 ? o->place[insn.b] : 0;
    o->place[i] = o->n;
    o->insns[o->n++] = insn;
}

/* Lines of the input and of every output are asked for ahead, a few behind every store. */
typedef struct asks {
    const sg_bit_writer *w;
    int64_t lines; /* of a trip */
    int64_t done;
} asks;

static int64_t lines_of(const sg_bit_writer *w, int64_t column)
{
    const int64_t bytes = column == SG_BIT_INPUT ? w->in_bytes : sg_bit_column_bytes(w, column);
    return sg_ceil_div64(bytes, SG_LINE_BYTES);
}

static void ask(asks *k, order *o, int64_t until)
{
    for (; k->done < until; ++k->done) {
        int64_t line = k->done;
        int64_t column = SG_BIT_INPUT;
        while (line >= lines_of(k->w, column)) {
            line -= lines_of(k->w, column++);
        }
        const int64_t ahead = column == SG_BIT_INPUT ? SG_PREFETCH_BYTES : BIT_AHEAD_BYTES;
        o->insns[o->n++] =
            (sg_bit_insn){.op = SG_BIT_ASK, .column = column, .at = ahead + SG_LINE_BYTES * line};
    }
}

/* Stores in the order their input comes in, so that it is read once from afar. */
static void put_in_order(sg_arena *arena, const sg_bit_writer *w, bool ahead, sg_bit_vectors *v)
{
    order o = {.w = w, .insns = v->insns};
    o.place = SG_NEW_ARRAY(arena, int, w->ninsns);
    o.end = SG_NEW_ARRAY(arena, int64_t, w->ninsns);
    for (int i = 0; i < w->ninsns; ++i) {
        const sg_bit_insn *insn = &w->insns[i];
        o.place[i] = -1;
        o.end[i] = insn->op == SG_BIT_LOAD ? insn->at : 0;
        for (int k = 0; k < sg_bit_reads(insn); ++k) {
            const int64_t end = o.end[k == 0 ? insn->a : insn->b];
            o.end[i] = end > o.end[i] ? end : o.end[i];
        }
    }
    asks k = {.w = w};
    int64_t stores = 0;
    int64_t stored = 0;
    for (int64_t c = SG_BIT_INPUT; ahead && c < w->bits->ncolumns; ++c) {
        k.lines += lines_of(w, c);
    }
    for (int i = 0; i < w->ninsns; ++i) {
        stores += is_store(&w->insns[i]);
    }
    for (; stored < stores; ++stored) {
        int next = -1;
        for (int i = 0; i < w->ninsns; ++i) {
            if (is_store(&w->insns[i]) && o.place[i] < 0 && (next < 0 || o.end[i] < o.end[next])) {
                next = i;
            }
        }
        place(&o, next);
        ask(&k, &o, k.lines * (stored + 1) / stores);
    }
    v->ninsns = o.n;
}

/* The constants used most often get registers. */
static void choose_kept(sg_arena *arena, sg_bit_vectors *v)
{
    int64_t *uses = SG_NEW_ARRAY(arena, int64_t, v->nconstants);
    v->kept = SG_NEW_ARRAY(arena, bool, v->nconstants);
    for (int64_t i = 0; i < v->ninsns; ++i) {
        if (has_constant(&v->insns[i])) {
            ++uses[v->insns[i].constant];
        }
    }
    for (int n = 0; n < SG_BIT_CONSTANTS_KEPT; ++n) {
        int64_t best = -1;
        for (int64_t c = 0; c < v->nconstants; ++c) {
            const bool vector = v->constants[c].kind == SG_CONSTANT_INDEX || v->constants[c].wide;
            if (vector && !v->kept[c] && (best < 0 || uses[c] > uses[best])) {
                best = c;
            }
        }
        if (best >= 0) {
            v->kept[best] = true;
        }
    }
}

/* The costs of one of the processors with these instructions are known. */
static void predict(const sg_bit_writer *w, const sg_bits *bits, int64_t rows, sg_bit_vectors *v)
{
    v->on[sg_uarch_with(SG_TRAIT_ONE_SHUFFLE, SG_BIT_ISA)] = sg_bit_predict(w, 0);
    for (int u = 0; u < SG_UARCH_COUNT; ++u) {
        v->on[u].all = v->on[u].cycles * (double)bits->rows / (double)rows;
    }
    sg_cost_tell_slowest(v->on);
}

/* Stores of whole lines may bypass the cache where they are most of what a trip writes. */
static void choose_fronts(const sg_bits *bits, int64_t rows, sg_bit_vectors *v)
{
    const int64_t trip = v->groups * sg_bits_bytes(bits->group_rows, bits->row_bits);
    int64_t lines = 0;
    for (int64_t i = 0; i < v->ninsns; ++i) {
        sg_bit_insn *insn = &v->insns[i];
        insn->lines = insn->op == SG_BIT_STORE && insn->bytes == SG_LINE_BYTES &&
                      insn->at % SG_LINE_BYTES == 0 &&
                      sg_bits_bytes(rows, bits->columns[insn->column].width) % SG_LINE_BYTES == 0;
        lines += insn->lines ? SG_LINE_BYTES : 0;
    }
    v->front_trips = lines > trip / 2 ? sg_trips_in_turn(trip, 1) : 0;
}

static void keep(sg_arena *arena, const sg_bit_writer *w, sg_bits *bits, int64_t rows)
{
    sg_bit_vectors *v = SG_NEW(arena, sg_bit_vectors);
    int64_t masks = 0;
    v->groups = rows / bits->group_rows;
    predict(w, bits, rows, v);
    const int64_t bytes = bits->rows * bits->row_bits / 8;
    const bool ahead = bytes > SG_SMALL_BYTES && bytes < SG_PREFETCH_END;
    v->insns = SG_NEW_ARRAY(arena, sg_bit_insn,
                            w->ninsns + 2 * TRIP_BYTES_MAX / SG_LINE_BYTES + COLUMNS_MAX);
    put_in_order(arena, w, ahead, v);
    v->nconstants = w->nconstants;
    v->constants = SG_NEW_ARRAY(arena, sg_constant, w->nconstants);
    for (int i = 0; i < w->nconstants; ++i) {
        v->constants[i] = w->constants[i];
        if (w->constants[i].kind == SG_CONSTANT_MASK) {
            v->constants[i].wide = ++masks > SG_BIT_MASKS_KEPT;
        }
    }
    choose_kept(arena, v);
    choose_fronts(bits, rows, v);
    bits->vectors = v;
}

/* Keeps the cheapest trip of so many rows, or of twice as many and so on, that takes less than
 * `best` cycles a row; one of `full` rows writes whole lines only. */
static void find_trip(sg_arena *arena, sg_bit_writer *w, sg_bits *bits, int64_t rows, int64_t full,
                      double best)
{
    for (; rows <= bits->rows && rows * bits->row_bits / 8 <= TRIP_BYTES_MAX; rows *= 2) {
        double cheapest = SHORTER_LOSS * best;
        for (int aligned = 0; aligned <= (rows * bits->row_bits % (8 * SG_BIT_VECTOR) == 0);
             ++aligned) {
            if (!write_trip(w, bits, rows, aligned == 1)) {
                continue;
            }
            const double cycles = sg_bit_predict(w, 0).cycles;
            cheapest = cycles / (double)rows < cheapest ? cycles / (double)rows : cheapest;
            if (cycles / (double)rows < LONGER_GAIN * best) {
                best = cycles / (double)rows;
                keep(arena, w, bits, rows);
            }
        }
        if (rows >= full || cheapest >= SHORTER_LOSS * best) {
            break;
        }
    }
}

void sg_bit_vectors_build(sg_arena *arena, sg_bits *bits)
{
    int64_t rows = bits->group_rows;
    int64_t full = rows;
    if (bits->ncolumns > COLUMNS_MAX) {
        return;
    }
    for (int64_t c = 0; c < bits->ncolumns; ++c) {
        const int64_t width = bits->columns[c].width;
        if (width >= SG_BIT_RUN_MIN) {
            return;
        }
        /* powers of two */
        const int64_t least = 64 / sg_gcd64(64, width);
        const int64_t lines = 8 * SG_BIT_VECTOR / sg_gcd64(8 * SG_BIT_VECTOR, width);
        rows = least > rows ? least : rows;
        full = lines > full ? lines : full;
    }
    if (rows > bits->rows) { /* nor are rows of any length multiplied */
        return;
    }
    while (rows * bits->row_bits < 8 * SG_BIT_VECTOR) {
        rows *= 2;
    }
    sg_bit_writer *w = SG_NEW(arena, sg_bit_writer);
    const double words =
        WORD_CYCLES * (double)(bits->group.nops + bits->group.npieces) / (double)bits->group_rows;
    find_trip(arena, w, bits, rows, full, words);
}
