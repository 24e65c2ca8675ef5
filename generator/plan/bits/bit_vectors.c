/* Groups of packed elements by vectors: chooses how many groups make an iteration, in what pieces
 * every column is written, and whether that is cheaper than words. */
#include "plan/bits/bit_vectors.h"

#include "base/checked.h"
#include "plan/bits/bit_cost.h"
#include "plan/bits/bit_program.h"
#include "plan/bits/bit_slots.h"
#include "plan/bits/bit_writer.h"
#include "plan/body/code_builder.h"
#include "plan/body/cost.h"
#include "plan/body/iterations.h"
#include "plan/caches.h"
#include "plan/insn.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"

/* How far ahead of its stores an iteration over packed elements prefetches its outputs, between the
 * same limits of input bytes: such iterations have few stores (MEASURED.md, Prefetching). */
#define BIT_AHEAD_BYTES INT64_C(512)

/* Maximum number of outputs. */
#define COLUMNS_MAX 8

/* Maximum bytes of the input in an iteration, which is straight-line code. */
#define ITERATION_BYTES_MAX INT64_C(2048)

/* A longer iteration must take at most this share of the cycles, as it is more code. */
#define LONGER_GAIN 0.97

/* Longer iterations are not tried if this one is worse than the best by this factor, or does not
 * fit. */
#define SHORTER_LOSS 1.25

/* Cycles per operation or piece of a group by words, with `pext`; compared with the prediction for
 * vectors (MEASURED.md, Packed elements). */
#define WORD_CYCLES 1.2

/* Writes all of a column's bytes in an iteration, in the widest possible pieces, or bit by bit. */
static void write_column(sg_bit_writer *w, int64_t column, int64_t bytes, bool singly)
{
    int64_t width = SG_BIT_VECTOR;
    for (int64_t at = 0; at < bytes && !w->builder.full; at += singly ? 8 : width) {
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

/* Writes a column in the cheaper way. Bit by bit takes at least a shuffle for every 8 bytes. */
static void choose_column(sg_bit_writer *w, int64_t column, int64_t bytes)
{
    const sg_code_builder_mark start = sg_code_builder_here(&w->builder);
    write_column(w, column, bytes, false);
    const double whole = w->builder.full ? 1e9 : sg_bit_predict(w, start.ninsns).cycles;
    if (whole <= (double)(bytes / 8)) {
        return;
    }
    sg_code_builder_back_to(&w->builder, &start);
    write_column(w, column, bytes, true);
    if (w->builder.full || sg_bit_predict(w, start.ninsns).cycles >= whole) {
        sg_code_builder_back_to(&w->builder, &start);
        write_column(w, column, bytes, false);
    }
}

/* Writes an iteration of `rows` rows; false if it is too long. Wide columns come first, so that
 * narrow ones can reuse their loads. */
static bool write_iteration(sg_bit_writer *w, int64_t rows, bool aligned)
{
    const sg_map *map = w->map;
    w->in_bytes = rows * map->row_stride / 8;
    w->aligned = aligned;
    sg_code_builder_clear(&w->builder);
    bool done[COLUMNS_MAX] = {false};
    for (int64_t n = 0; n < map->nparts && !w->builder.full; ++n) {
        int64_t widest = -1;
        for (int64_t c = 0; c < map->nparts; ++c) {
            if (!done[c] && (widest < 0 || map->parts[c].width > map->parts[widest].width)) {
                widest = c;
            }
        }
        done[widest] = true;
        choose_column(w, widest, sg_bit_column_bytes(w, widest));
    }
    return !w->builder.full;
}

/* --- order ------------------------------------------------------------------------------------ */

/* Instructions and the order in which they are executed. */
typedef struct order {
    const sg_code *from;
    sg_code *to;
    int *place;   /* new index of every instruction, -1: not placed */
    int64_t *end; /* end of the input that each instruction depends on */
} order;

static bool is_store(const sg_insn *insn)
{
    return sg_opcode_get(insn->op)->does == SG_DOES_STORE;
}

static void append(order *o, const sg_insn *insn)
{
    o->to->insns[o->to->ninsns++] = *insn;
}

/* Appends an instruction after its operands. */
static void place(order *o, int i)
{
    sg_insn insn = o->from->insns[i];
    int *const reads[] = {&insn.a, &insn.b};
    if (o->place[i] >= 0) {
        return;
    }
    for (int k = 0; k < sg_opcode_get(insn.op)->reads; ++k) {
        place(o, *reads[k]);
        *reads[k] = o->place[*reads[k]];
    }
    o->place[i] = (int)o->to->ninsns;
    insn.reg = is_store(&insn) ? -1 : o->place[i];
    append(o, &insn);
}

/* Inserts prefetches of cache lines of the input and of every output, a few after each store. */
typedef struct asks {
    const sg_bit_writer *w;
    int64_t lines; /* all lines of an iteration */
    int64_t done;
} asks;

/* Cache lines of a column, or of the input if `column` is negative. */
static int64_t lines_of(const sg_bit_writer *w, int64_t column)
{
    const int64_t bytes = column < 0 ? w->in_bytes : sg_bit_column_bytes(w, column);
    return sg_ceil_div64(bytes, SG_LINE_BYTES);
}

static void ask(asks *k, order *o, int64_t until)
{
    for (; k->done < until; ++k->done) {
        sg_insn insn = sg_insn_new(SG_INSN_PREFETCH);
        int64_t line = k->done;
        while (line >= lines_of(k->w, insn.from.part)) {
            line -= lines_of(k->w, insn.from.part++);
        }
        const int64_t ahead = insn.from.part == SG_WHOLE ? SG_PREFETCH_BYTES : BIT_AHEAD_BYTES;
        insn.from.at = ahead + SG_LINE_BYTES * line;
        append(o, &insn);
    }
}

/* The end of the input that an instruction depends on. Earlier instructions must be known. */
static int64_t end_of(const order *o, const sg_insn *insn)
{
    const int reads[] = {insn->a, insn->b};
    int64_t end = insn->from.at;
    for (int k = 0; k < sg_opcode_get(insn->op)->reads; ++k) {
        end = o->end[reads[k]] > end ? o->end[reads[k]] : end;
    }
    return end;
}

/* Sorts stores by the input they depend on, so that it is read once in order. */
static void put_in_order(sg_arena *arena, const sg_bit_writer *w, bool ahead, sg_code *code)
{
    const int n = (int)w->code.ninsns;
    order o = {.from = &w->code, .to = code};
    o.place = SG_NEW_ARRAY(arena, int, n);
    o.end = SG_NEW_ARRAY(arena, int64_t, n);
    int64_t stores = 0;
    for (int i = 0; i < n; ++i) {
        o.place[i] = -1;
        o.end[i] = end_of(&o, &w->code.insns[i]);
        stores += is_store(&w->code.insns[i]);
    }
    asks k = {.w = w};
    for (int64_t c = -1; ahead && c < w->map->nparts; ++c) {
        k.lines += lines_of(w, c);
    }
    for (int64_t stored = 0; stored < stores; ++stored) {
        int next = -1;
        for (int i = 0; i < n; ++i) {
            if (is_store(&w->code.insns[i]) && o.place[i] < 0 &&
                (next < 0 || o.end[i] < o.end[next])) {
                next = i;
            }
        }
        place(&o, next);
        ask(&k, &o, k.lines * (stored + 1) / stores);
    }
    code->registers = (int)code->ninsns;
}

/* Gives registers to the constants that are used most often. */
static void choose_kept(sg_arena *arena, sg_code *code)
{
    int64_t *uses = SG_NEW_ARRAY(arena, int64_t, code->nconstants);
    for (int64_t i = 0; i < code->ninsns; ++i) {
        if (code->insns[i].constant >= 0) {
            ++uses[code->insns[i].constant];
        }
    }
    for (int n = 0; n < SG_BIT_CONSTANTS_KEPT; ++n) {
        int64_t best = -1;
        for (int64_t c = 0; c < code->nconstants; ++c) {
            const sg_constant *constant = &code->constants[c];
            const bool vector = constant->kind == SG_CONSTANT_INDEX || constant->wide;
            if (vector && !constant->kept && (best < 0 || uses[c] > uses[best])) {
                best = c;
            }
        }
        if (best >= 0) {
            code->constants[best].kept = true;
        }
    }
}

/* Costs are known for only one of the processors with these instructions. */
static void predict(const sg_bit_writer *w, sg_body *v)
{
    v->on[sg_uarch_with(SG_TRAIT_ONE_SHUFFLE, SG_BIT_ISA)] = sg_bit_predict(w, 0);
    for (int u = 0; u < SG_UARCH_COUNT; ++u) {
        v->on[u].all = v->on[u].cycles * (double)w->map->rows / (double)v->rows_per_iteration;
    }
    sg_cost_tell_slowest(v->on);
}

/* Stores of whole cache lines may be non-temporal if they are most of what an iteration writes. */
static void choose_interleaving(const sg_map *map, const sg_bits *bits, sg_body *v)
{
    const int64_t rows = v->rows_per_iteration;
    const int64_t iteration =
        rows / bits->group_rows * sg_bits_bytes(bits->group_rows, map->row_stride);
    int64_t lines = 0;
    for (int64_t i = 0; i < v->codes->ninsns; ++i) {
        sg_insn *insn = &v->codes->insns[i];
        insn->lines = insn->op == SG_INSN_STORE && insn->bytes == SG_LINE_BYTES &&
                      insn->to.at % SG_LINE_BYTES == 0 &&
                      sg_bits_bytes(rows, map->parts[insn->to.part].width) % SG_LINE_BYTES == 0;
        lines += insn->lines ? SG_LINE_BYTES : 0;
    }
    v->stream_iterations = lines > iteration / 2 ? sg_iterations_in_piece(iteration, 1) : 0;
}

static void keep(sg_arena *arena, const sg_bit_writer *w, sg_bits *bits, int64_t rows)
{
    const sg_map *map = w->map;
    sg_code *code = SG_NEW(arena, sg_code);
    sg_body *v = SG_NEW(arena, sg_body);
    *v = (sg_body){.isa = sg_isa_get(SG_BIT_ISA),
                   .planned_rows = map->rows,
                   .rows_per_iteration = rows,
                   .tile_rows = rows,
                   .block_rows = rows,
                   .lane_bytes = 1,
                   .lanes = SG_BIT_VECTOR,
                   .ncodes = 1,
                   .codes = code,
                   .nslices = 1,
                   .slices = SG_NEW(arena, sg_slice)};
    predict(w, v);
    const int64_t bytes = map->rows * map->row_stride / 8;
    const bool ahead = bytes > SG_SMALL_BYTES && bytes < SG_PREFETCH_END;
    code->insns = SG_NEW_ARRAY(
        arena, sg_insn, w->code.ninsns + 2 * ITERATION_BYTES_MAX / SG_LINE_BYTES + COLUMNS_MAX);
    put_in_order(arena, w, ahead, code);
    code->nconstants = w->code.nconstants;
    code->constants = SG_NEW_ARRAY(arena, sg_constant, code->nconstants);
    int64_t masks = 0;
    for (int64_t i = 0; i < code->nconstants; ++i) {
        code->constants[i] = w->code.constants[i];
        if (code->constants[i].kind == SG_CONSTANT_MASK) {
            code->constants[i].wide = ++masks > SG_BIT_MASKS_KEPT;
        }
    }
    choose_kept(arena, code);
    choose_interleaving(map, bits, v);
    bits->vectors = v;
}

/* Keeps the cheapest iteration of `rows` rows, or twice as many and so on, that takes less than
 * `best` cycles per row. An iteration of `full` rows writes only whole lines, so longer ones are
 * not tried. */
static void find_iteration(sg_arena *arena, sg_bit_writer *w, sg_bits *bits, int64_t rows,
                           int64_t full, double best)
{
    const sg_map *map = w->map;
    for (; rows <= map->rows && rows * map->row_stride / 8 <= ITERATION_BYTES_MAX; rows *= 2) {
        double cheapest = SHORTER_LOSS * best;
        for (int aligned = 0; aligned <= (rows * map->row_stride % (8 * SG_BIT_VECTOR) == 0);
             ++aligned) {
            if (!write_iteration(w, rows, aligned == 1)) {
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

void sg_bit_vectors_build(sg_arena *arena, const sg_map *map, sg_bits *bits)
{
    int64_t rows = bits->group_rows;
    int64_t full = rows;
    if (map->nparts > COLUMNS_MAX) {
        return;
    }
    for (int64_t c = 0; c < map->nparts; ++c) {
        const int64_t width = map->parts[c].width;
        if (width >= SG_BIT_RUN_MIN) {
            return;
        }
        /* both are powers of two */
        const int64_t least = 64 / sg_gcd64(64, width);
        const int64_t lines = 8 * SG_BIT_VECTOR / sg_gcd64(8 * SG_BIT_VECTOR, width);
        rows = least > rows ? least : rows;
        full = lines > full ? lines : full;
    }
    if (rows > map->rows) { /* also avoids overflow below */
        return;
    }
    while (rows * map->row_stride < 8 * SG_BIT_VECTOR) {
        rows *= 2;
    }
    sg_bit_writer *w = sg_bit_writer_new(arena, map, bits->msb);
    const double words =
        WORD_CYCLES * (double)(bits->group.nops + bits->group.npieces) / (double)bits->group_rows;
    find_iteration(arena, w, bits, rows, full, words);
}
