/* Plans splits of packed elements off byte boundaries: how many rows make a group, and which bits
 * of which words of the input every word of an output is made of. */
#include "plan/bits/bits.h"

#include <inttypes.h>

#include "base/checked.h"
#include "plan/bits/bit_program.h"
#include "plan/bits/bit_vectors.h"
#include "plan/body/portable.h"
#include "plan/choose/choices.h"
#include "plan/choose/past.h"
#include "plan/choose/unroll.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"

/* Bytes moved from which packed elements get vector bodies. */
#define BIT_VECTOR_BYTES INT64_C(1024)

/* Words of outputs in one group of rows before it stops growing towards whole words; with the
 * pieces they are made of 4 to 8 KiB of code. */
#define BIT_GROUP_WORDS INT64_C(128)

/* Words, pieces of words and runs printed for one kernel over bits, in any mode; the counterpart
 * of SG_INSNS_HARD_CAP, whose copies are four times as much code. */
#define BIT_CAP INT64_C(65536)

#define WORD_BYTES 8
#define WORD_BITS  64

/* Words and pieces of words in one function; a piece is two instructions of a copy's one. */
#define BLOCK_WORK (2 * SG_BLOCK_INSNS)

/* --- over bytes ------------------------------------------------------------------------------- */

/* Bits of the input before index `index` of the axis, within a row. */
static int64_t axis_bits(const sg_split *split, int64_t index)
{
    return index * split->inner * split->element_bits;
}

static bool moves(const sg_part *part)
{
    return part->wanted && part->bytes > 0;
}

sg_split *sg_bits_as_bytes(sg_arena *arena, const sg_split *split)
{
    const int64_t row = split->bytes > 0 ? axis_bits(split, split->dims[split->axis]) : 0;
    bool empty = true;
    for (int64_t i = 0; i < split->nparts; ++i) {
        empty = empty && !moves(&split->parts[i]);
    }
    if (!empty && (split->outer > 1 || split->free_name != NULL) && row % 8 != 0) {
        return NULL;
    }
    sg_split *bytes = SG_NEW(arena, sg_split);
    *bytes = *split;
    bytes->dtype = SG_DTYPE_U8;
    bytes->packing = SG_PACKING_NONE;
    bytes->element_bytes = 1;
    bytes->element_bits = 8;
    bytes->rank = 2;
    bytes->axis = 1;
    bytes->outer = empty ? 1 : split->outer;
    bytes->inner = 1;
    bytes->dims = SG_NEW_ARRAY(arena, int64_t, 2);
    bytes->dims[0] = bytes->outer;
    bytes->dims[1] = empty ? 0 : sg_ceil_div64(row, 8);
    bytes->elements = empty ? 0 : split->bytes;
    bytes->bytes = bytes->elements;
    bytes->parts = SG_NEW_ARRAY(arena, sg_part, split->nparts);
    for (int64_t i = 0; i < split->nparts; ++i) {
        const sg_part *part = &split->parts[i];
        const int64_t begin = empty ? 0 : axis_bits(split, part->start);
        const int64_t end = empty ? 0 : axis_bits(split, part->start + part->length);
        if (moves(part) && (begin % 8 != 0 || end % 8 != 0)) {
            return NULL;
        }
        /* A part that is not wanted may end at any bit: the groups take what lies between two
         * wanted parts as it is. */
        bytes->parts[i] = *part;
        bytes->parts[i].start = sg_ceil_div64(begin, 8);
        bytes->parts[i].length = sg_ceil_div64(end, 8) - bytes->parts[i].start;
        bytes->parts[i].elements = bytes->outer * bytes->parts[i].length;
        bytes->parts[i].bytes = bytes->parts[i].elements;
    }
    return bytes;
}

/* --- words and runs --------------------------------------------------------------------------- */

/* A segment being written; without arrays it only counts. */
typedef struct writer {
    const sg_map *map;
    sg_bit_segment *segment;
    int64_t in_bytes; /* of the input that belong to the segment */
} writer;

static void add_op(writer *w, sg_bit_op op)
{
    if (w->segment->ops != NULL) {
        w->segment->ops[w->segment->nops] = op;
    }
    ++w->segment->nops;
}

/* One load for as many bits from `at` on as it has, of those that end before `end`. Returns the
 * next one. */
static int64_t add_piece(writer *w, const sg_map_part *column, int64_t begin, int64_t at,
                         int64_t end)
{
    const int64_t from = sg_bits_source(w->map, column, at);
    const int64_t loaded = w->in_bytes < WORD_BYTES ? w->in_bytes : WORD_BYTES;
    int64_t src = from / 8;
    if (src > w->in_bytes - loaded) {
        src = w->in_bytes - loaded;
    }
    sg_bit_piece piece = {
        .from = {SG_WHOLE, src}, .bytes = (int)loaded, .shift = (int)(at - begin)};
    for (; at < end; ++at) {
        const int64_t bit = sg_bits_source(w->map, column, at) - 8 * src;
        if (bit >= 8 * loaded) {
            break;
        }
        piece.mask |= UINT64_C(1) << bit;
    }
    if (w->segment->pieces != NULL) {
        w->segment->pieces[w->segment->npieces] = piece;
    }
    ++w->segment->npieces;
    return at;
}

static void add_word(writer *w, int64_t c, int64_t dst, int64_t bytes)
{
    const sg_map_part *column = &w->map->parts[c];
    const int64_t total = w->segment->rows * column->width;
    const int64_t begin = 8 * dst;
    const int64_t end = begin + 8 * bytes < total ? begin + 8 * bytes : total;
    const int64_t first = w->segment->npieces;
    for (int64_t at = begin; at < end;) {
        at = add_piece(w, column, begin, at, end);
    }
    add_op(w, (sg_bit_op){.op = SG_BIT_WORD,
                          .to = {c, dst},
                          .bytes = bytes,
                          .first = first,
                          .npieces = w->segment->npieces - first});
}

static void add_words(writer *w, int64_t c)
{
    const int64_t bytes = sg_bits_bytes(w->segment->rows, w->map->parts[c].width);
    for (int64_t dst = 0; dst < bytes; dst += WORD_BYTES) {
        add_word(w, c, dst, bytes - dst < WORD_BYTES ? bytes - dst : WORD_BYTES);
    }
}

/* Every row a run of its own between the bytes it shares with its neighbours. */
static void add_runs(writer *w, int64_t c)
{
    const sg_map_part *column = &w->map->parts[c];
    for (int64_t row = 0; row < w->segment->rows; ++row) {
        const int64_t begin = row * column->width;
        const int64_t end = begin + column->width;
        const int64_t dst = sg_ceil_div64(begin, 8);
        if (begin % 8 != 0) {
            add_word(w, c, begin / 8, 1);
        }
        const int64_t from = sg_bits_source(w->map, column, 8 * dst);
        add_op(w, (sg_bit_op){.op = SG_BIT_RUN,
                              .to = {c, dst},
                              .bytes = end / 8 - dst,
                              .from = {SG_WHOLE, from / 8},
                              .shift = (int)(from % 8)});
    }
    const int64_t total = w->segment->rows * column->width;
    if (total % 8 != 0) {
        add_word(w, c, total / 8, 1);
    }
}

static void write_segment(const sg_map *map, sg_bit_segment *segment)
{
    writer w = {.map = map, .segment = segment};
    w.in_bytes = sg_bits_bytes(segment->rows, map->row_stride);
    segment->nops = 0;
    segment->npieces = 0;
    for (int64_t c = 0; c < map->nparts; ++c) {
        if (map->parts[c].width >= SG_BIT_RUN_MIN) {
            add_runs(&w, c);
        } else {
            add_words(&w, c);
        }
    }
}

static int64_t cost(const sg_bit_op *op)
{
    return op->op == SG_BIT_RUN ? 1 : op->npieces + 1;
}

static void cut_blocks(sg_arena *arena, sg_bit_segment *segment)
{
    int64_t filled = BLOCK_WORK;
    segment->blocks = SG_NEW_ARRAY(arena, sg_block, segment->nops);
    for (int64_t i = 0; i < segment->nops; ++i) {
        const int64_t next = cost(&segment->ops[i]);
        if (filled + next > BLOCK_WORK) {
            segment->blocks[segment->nblocks++] = (sg_block){.first = i, .count = 0};
            filled = 0;
        }
        segment->blocks[segment->nblocks - 1].count++;
        filled += next;
    }
}

static void build_segment(sg_arena *arena, const sg_map *map, sg_bit_segment *segment)
{
    write_segment(map, segment);
    segment->ops = SG_NEW_ARRAY(arena, sg_bit_op, segment->nops);
    segment->pieces = SG_NEW_ARRAY(arena, sg_bit_piece, segment->npieces);
    write_segment(map, segment);
    cut_blocks(arena, segment);
}

/* Words and runs of a stretch of rows. */
static int64_t words(const sg_map *map, int64_t rows)
{
    int64_t n = 0;
    for (int64_t c = 0; c < map->nparts; ++c) {
        const int64_t width = map->parts[c].width;
        n += width < SG_BIT_RUN_MIN ? sg_ceil_div64(rows * width, WORD_BITS) : rows;
    }
    return n;
}

/* Operations and pieces of a stretch of rows; INT64_MAX where there are more than the cap and
 * counting them would take long. */
static int64_t work(const sg_map *map, int64_t rows)
{
    if (words(map, rows) > BIT_CAP) {
        return INT64_MAX;
    }
    sg_bit_segment segment = {.rows = rows};
    write_segment(map, &segment);
    return segment.nops + segment.npieces;
}

/* --- groups ----------------------------------------------------------------------------------- */

/* Rows after which everything is at a multiple of `unit` bits (a power of two) again: all columns
 * and, for unit 8, the input. */
static int64_t period(const sg_map *map, int64_t unit)
{
    int64_t common = sg_gcd64(unit, unit == 8 ? map->row_stride : unit);
    for (int64_t c = 0; c < map->nparts; ++c) {
        if (unit == 8 || map->parts[c].width < SG_BIT_RUN_MIN) {
            common = sg_gcd64(common, map->parts[c].width);
        }
    }
    return unit / common;
}

/* Rows of a group: whole words of every narrow output where that is not too much code, and an input
 * one word can be loaded from. All numbers are powers of two. */
static int64_t choose_rows(const sg_map *map, const sg_plan_options *options)
{
    const int64_t least = period(map, 8);
    if (sg_unroll_choose(options) == SG_UNROLL_NONE) {
        return least;
    }
    int64_t rows = period(map, WORD_BITS);
    rows = rows > least ? rows : least;
    while (rows < WORD_BITS && rows * map->row_stride < WORD_BITS) {
        rows *= 2;
    }
    while (rows > least && (rows > map->rows || words(map, rows) > BIT_GROUP_WORDS)) {
        rows /= 2;
    }
    return rows;
}

/* The same of a kernel for any number of items, which are whole groups then: an item is whole bytes
 * everywhere, so the least number of rows that are divides its rows. */
static int64_t choose_item_rows(const sg_map *map, const sg_split *split,
                                const sg_plan_options *options)
{
    int64_t rows = choose_rows(map, options);
    while (map->rows / split->items % rows != 0) {
        rows /= 2;
    }
    return rows;
}

/* An output that is the whole input is one run of all rows, of an item where they are free. */
static void join_rows(const sg_split *split, sg_map *map)
{
    if (map->nparts == 1 && map->parts[0].width == map->row_stride) {
        map->row_stride *= split->outer;
        map->parts[0].width = map->row_stride;
        map->parts[0].row_stride = map->row_stride;
        map->rows = split->items;
    }
}

/* --- bodies ----------------------------------------------------------------------------------- */

/* A mask of several runs of ones takes many instructions to close up. */
static bool is_scattered(uint64_t mask)
{
    const uint64_t low = mask & (~mask + 1);
    return ((mask + low) & mask) != 0;
}

static void look_at(const sg_bit_segment *segment, bool *scattered, bool *runs)
{
    for (int64_t i = 0; i < segment->npieces; ++i) {
        *scattered = *scattered || is_scattered(segment->pieces[i].mask);
    }
    for (int64_t i = 0; i < segment->nops; ++i) {
        *runs = *runs || (segment->ops[i].op == SG_BIT_RUN && segment->ops[i].shift != 0);
    }
}

static void choose_bodies(sg_bits *bits, int64_t bytes_moved, uint32_t isas)
{
    const bool avx512 = (isas >> SG_ISA_AVX512 & 1U) != 0;
    const bool avx2 = (isas >> SG_ISA_AVX2LANE & 1U) != 0;
    bool scattered = false;
    bool runs = false;
    look_at(&bits->group, &scattered, &runs);
    look_at(&bits->tail, &scattered, &runs);
    if (bytes_moved >= BIT_VECTOR_BYTES) {
        if (bits->vectors != NULL) {
            bits->bodies[bits->nbodies++] = SG_BIT_VBMI;
        }
        if (runs && avx512) {
            bits->bodies[bits->nbodies++] = SG_BIT_AVX512;
        }
        if (runs && avx2) {
            bits->bodies[bits->nbodies++] = SG_BIT_AVX2;
        }
        if (!runs && scattered && (avx2 || avx512)) {
            bits->bodies[bits->nbodies++] = SG_BIT_PEXT;
        }
    }
    bits->bodies[bits->nbodies++] = SG_BIT_PORTABLE;
}

/* --- what a plan tells of itself -------------------------------------------------------------- */

static const char *plural(int64_t n)
{
    return n == 1 ? "" : "s";
}

static const char *output_strategy(sg_arena *arena, const sg_map *map, const sg_output *output)
{
    if (output->column < 0) {
        return "nothing to copy";
    }
    const int64_t width = map->parts[output->column].width;
    const int64_t rows = map->rows;
    if (rows == 1) {
        return sg_arena_printf(arena, "one run of %" PRId64 " bit%s", width, plural(width));
    }
    if (width >= SG_BIT_RUN_MIN) {
        return sg_arena_printf(arena, "%" PRId64 " runs of %" PRId64 " bits, shifted", rows, width);
    }
    return sg_arena_printf(arena, "%" PRId64 " fields of %" PRId64 " bit%s, gathered into words",
                           rows, width, plural(width));
}

static void measure(sg_plan *plan, const sg_bits *bits)
{
    const sg_map *map = &plan->map;
    for (int64_t o = 0; o < plan->noutputs; ++o) {
        plan->bytes_moved += plan->outputs[o].part->bytes * plan->split->items;
    }
    for (int64_t c = 0; c < map->nparts; ++c) {
        const int64_t bytes = sg_ceil_div64(map->parts[c].width, 8);
        if (plan->shortest == 0 || bytes < plan->shortest) {
            plan->shortest = bytes;
        }
        if (bytes > plan->longest) {
            plan->longest = bytes;
        }
    }
    plan->insns = bits->group.nops + bits->group.npieces + bits->tail.nops + bits->tail.npieces;
    plan->copies = bits->groups * bits->group.nops + bits->tail.nops;
}

static bool over_cap(sg_diag *diag, const sg_plan *plan, int64_t rows)
{
    sg_diag_fail(diag, SG_EXIT_BUDGET, plan->split->op->span,
                 "'%s' needs more operations on words in straight line than the cap of %" PRId64,
                 plan->split->name, BIT_CAP);
    if (rows > 8) {
        sg_diag_note(diag, sg_span_none(),
                     "--unroll=auto puts a loop of constant trip count around a group of rows");
    } else {
        sg_diag_note(diag, sg_span_none(),
                     "%" PRId64 " rows of every output are the least that begin and end at whole "
                     "bytes: mark the outputs nobody reads as unwanted, or cut the op in two along "
                     "the axis",
                     rows);
    }
    return false;
}

bool sg_bits_build(sg_arena *arena, sg_diag *diag, sg_plan *plan, const sg_plan_options *options)
{
    sg_bits *bits = SG_NEW(arena, sg_bits);
    const int64_t budget = options->unroll_budget > 0 ? options->unroll_budget : SG_UNROLL_BUDGET;
    plan->bits = bits;
    const sg_map *map = &plan->map;
    bits->msb = plan->split->packing == SG_PACKING_MSB;
    join_rows(plan->split, &plan->map);
    const sg_unroll unroll = sg_unroll_choose(options);
    /* One group and what is left are no less code than all rows. */
    const bool no_loop =
        options->optimize == SG_OPTIMIZE_SIZE && map->rows < 2 * choose_rows(map, options);
    const int64_t all =
        map->rows == 1 || unroll != SG_UNROLL_NONE || no_loop ? work(map, map->rows) : INT64_MAX;
    plan->kind = SG_PLAN_STRAIGHT;
    plan->strategy = "straight-line bits";
    if (plan->split->free_name != NULL) {
        bits->group_rows = choose_item_rows(map, plan->split, options);
        bits->groups = map->rows / bits->group_rows;
    } else if (map->rows == 1) {
        plan->why = "one contiguous run of bits per output";
    } else if (unroll == SG_UNROLL_FULL) {
        plan->why = "unrolled in full as asked";
    } else if (all <= budget) {
        plan->why = sg_arena_printf(arena,
                                    "%" PRId64 " words and pieces of words fit the unroll budget "
                                    "of %" PRId64,
                                    all, budget);
    } else {
        bits->group_rows = choose_rows(map, options);
        bits->groups = map->rows / bits->group_rows;
    }
    if (bits->groups > 0) {
        plan->kind = SG_PLAN_ROWS;
        plan->strategy = "loop over groups of rows";
        plan->why =
            sg_arena_printf(arena,
                            "elements of %" PRId64 " bit%s do not come in whole bytes, so %" PRId64
                            " row%s are taken at a time",
                            plan->split->element_bits, plural(plan->split->element_bits),
                            bits->group_rows, plural(bits->group_rows));
        bits->group.rows = bits->group_rows;
    } else if (plan->why == NULL) {
        bits->group_rows = 0;
        plan->why = "there are fewer rows than begin and end at whole bytes";
    }
    bits->tail.rows = map->rows - bits->groups * bits->group_rows;
    sg_bit_segment *segments[] = {&bits->group, &bits->tail};
    for (int i = 0; i < 2; ++i) {
        if (segments[i]->rows > 0) {
            if (work(map, segments[i]->rows) > BIT_CAP) {
                return over_cap(diag, plan, segments[i]->rows);
            }
            build_segment(arena, map, segments[i]);
        }
    }
    const bool vbmi = (options->isas >> SG_ISA_AVX512VBMI & 1U) != 0;
    if (vbmi && bits->groups > 0 && options->unroll != SG_UNROLL_NONE && !plan->array_params) {
        sg_bit_vectors_build(arena, map, bits);
    }
    for (int64_t o = 0; o < plan->noutputs; ++o) {
        plan->outputs[o].strategy = output_strategy(arena, map, &plan->outputs[o]);
    }
    measure(plan, bits);
    plan->past = sg_past_choose(plan, options->stream);
    choose_bodies(bits, plan->bytes_moved, options->isas);
    sg_choices_build(arena, plan);
    return true;
}
