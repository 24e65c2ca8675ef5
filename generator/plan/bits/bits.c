/* Plans splits of packed elements off byte boundaries: how many rows make a group, and which bits
 * of which input words every word of an output consists of. */
#include "plan/bits/bits.h"

#include <inttypes.h>

#include "base/checked.h"
#include "plan/bits/bit_program.h"
#include "plan/body/portable.h"
#include "plan/choose/choices.h"
#include "plan/choose/unroll.h"
#include "plan/layout.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"

/* Minimum number of bytes moved for bodies beside the portable one. */
#define BIT_BODIES_BYTES INT64_C(1024)

/* Maximum number of output words in one group of rows when groups grow towards whole words; with
 * their pieces they are 4 to 8 KiB of code. */
#define BIT_GROUP_WORDS INT64_C(128)

/* Maximum number of words, pieces of words and runs printed for one kernel over bits, in any mode;
 * the counterpart of SG_INSNS_HARD_CAP, whose copies are four times as much code. */
#define BIT_CAP INT64_C(65536)

#define WORD_BYTES 8
#define WORD_BITS  64

/* Maximum number of words and pieces in one function; a piece takes two instructions, a copy one.
 * */
#define BLOCK_WORK (2 * SG_BLOCK_INSNS)

/* --- over bytes ------------------------------------------------------------------------------- */

/* Offset in bits of index `index` of the axis in a row of the input. */
static int64_t axis_bits(const sg_split *split, int64_t index)
{
    return index * split->inner.factor * split->element_bits;
}

static int64_t stride_bits(const sg_split *split, int64_t elements)
{
    return elements * split->element_bits;
}

static bool moves(const sg_part *part)
{
    return part->wanted && !part->view_only && part->bytes > 0;
}

/* The strides of dimensions before the axis, in bytes; NULL if there are none. */
static int64_t *strides_as_bytes(sg_arena *arena, const sg_split *split, const int64_t *strides)
{
    int64_t *bytes = NULL;
    for (int d = 0; strides != NULL && d < split->axis; ++d) {
        bytes = bytes == NULL ? SG_NEW_ARRAY(arena, int64_t, split->axis + 2) : bytes;
        /* the stride of a dimension of length 1 need not be whole bytes */
        bytes[d] = sg_ceil_div64(stride_bits(split, strides[d]), 8);
        bytes[split->axis] = bytes[split->axis + 1] = 1;
    }
    return bytes;
}

/* Keeps the dimensions before the axis, as rows lie in groups. */
static void keep_dims(sg_arena *arena, const sg_split *split, sg_split *bytes)
{
    const int axis = split->axis;
    const int64_t row = bytes->dims[1];
    bytes->rank = axis + 2;
    bytes->axis = axis;
    bytes->dims = SG_NEW_ARRAY(arena, int64_t, axis + 2);
    bytes->powers = SG_NEW_ARRAY(arena, uint8_t, (int64_t)(axis + 2) * split->nopen);
    for (int d = 0; d < axis; ++d) {
        bytes->dims[d] = split->dims[d];
        for (int o = 0; o < split->nopen; ++o) {
            bytes->powers[d * split->nopen + o] = split->powers[d * split->nopen + o];
        }
    }
    bytes->dims[axis] = row;
    bytes->dims[axis + 1] = 1;
    bytes->strides = strides_as_bytes(arena, split, split->strides);
}

sg_split *sg_bits_as_bytes(sg_arena *arena, const sg_split *split)
{
    const int64_t row = split->bytes > 0 ? axis_bits(split, split->dims[split->axis]) : 0;
    const bool empty = split->bytes == 0;
    bool idle = true; /* nothing moves, so alignment does not matter */
    for (int64_t i = 0; i < split->nparts; ++i) {
        idle = idle && !moves(&split->parts[i]);
    }
    const bool has_rows = !idle && sg_split_has_rows(split);
    if (has_rows && stride_bits(split, split->row_stride) % 8 != 0) {
        return NULL;
    }
    sg_split *bytes = SG_NEW(arena, sg_split);
    *bytes = *split;
    bytes->dtype = SG_DTYPE_U8;
    bytes->packing = SG_PACKING_NONE;
    bytes->element_bytes = 1;
    bytes->element_bits = 8;
    bytes->rank = 3; /* rows, bytes of a row, and dynamic dimensions after the axis */
    bytes->axis = 1;
    bytes->inner.factor = 1;
    bytes->dims = SG_NEW_ARRAY(arena, int64_t, 3);
    bytes->dims[0] = bytes->outer.factor;
    bytes->dims[1] = sg_ceil_div64(row, 8);
    bytes->dims[2] = 1;
    bytes->powers = SG_NEW_ARRAY(arena, uint8_t, 3 * split->nopen);
    for (int o = 0; o < split->nopen; ++o) {
        bytes->powers[o] = (uint8_t)sg_split_powers(split, 0, split->axis, o);
        bytes->powers[2 * split->nopen + o] =
            (uint8_t)sg_split_powers(split, split->axis + 1, split->rank, o);
    }
    if (!empty && sg_split_has_pitch(split)) {
        keep_dims(arena, split, bytes);
    }
    bytes->elements = sg_split_bytes(split, split->elements);
    /* exact if there are several rows; for a single row it does not matter */
    bytes->row_stride = empty ? 0 : sg_ceil_div64(stride_bits(split, split->row_stride), 8);
    bytes->parts = SG_NEW_ARRAY(arena, sg_part, split->nparts);
    for (int64_t i = 0; i < split->nparts; ++i) {
        const sg_part *part = &split->parts[i];
        const int64_t begin = empty ? 0 : axis_bits(split, part->start);
        const int64_t end = empty ? 0 : axis_bits(split, part->start + part->length);
        const bool in_bytes = begin % 8 == 0 && end % 8 == 0 &&
                              (!has_rows || stride_bits(split, part->row_stride) % 8 == 0);
        if (moves(part) && !in_bytes) {
            return NULL;
        }
        /* An unwanted part may end at any bit, since nothing of it moves. */
        bytes->parts[i] = *part;
        bytes->parts[i].strides = strides_as_bytes(arena, split, part->strides);
        bytes->parts[i].start = sg_ceil_div64(begin, 8);
        bytes->parts[i].length = sg_ceil_div64(end, 8) - bytes->parts[i].start;
        bytes->parts[i].elements = bytes->outer.factor * bytes->parts[i].length;
        bytes->parts[i].at = stride_bits(split, part->at) / 8;
        bytes->parts[i].row_stride =
            empty ? 0 : sg_ceil_div64(stride_bits(split, part->row_stride), 8);
    }
    return bytes;
}

/* --- words and runs --------------------------------------------------------------------------- */

/* A segment under construction; while its arrays are NULL, operations are only counted. */
typedef struct writer {
    const sg_map *map;
    sg_bit_segment *segment;
    int64_t to;    /* the tensor that is written: a part or SG_WHOLE */
    int64_t total; /* its bits, including padding */
} writer;

/* Consecutive bits of the written tensor, up to `end`, that come from one place, or that do not
 * move. */
typedef struct stretch {
    bool moves;
    bool is_run; /* long enough to be moved by whole bytes */
    int64_t end;
    sg_ref from; /* in bits; for bits that do not move, their own place */
} stretch;

static stretch stretch_at(const writer *w, int64_t at)
{
    const sg_map *map = w->map;
    const int64_t stride = sg_map_stride(map, w->to);
    const int64_t row = at / stride;
    const int64_t within = at % stride;
    stretch s = {.end = (row + 1) * stride, .from = {w->to, at}};
    const int64_t p = w->to != SG_WHOLE ? w->to : sg_map_part_at(map, within);
    if (p == map->nparts) {
        return s;
    }
    const sg_map_part *part = &map->parts[p];
    const int64_t begin = w->to != SG_WHOLE ? 0 : part->offset;
    if (within < begin) {
        s.end = at + begin - within;
    } else if (within < begin + part->width) {
        s.moves = true;
        s.is_run = part->width >= SG_BIT_RUN_MIN;
        s.end = at + begin + part->width - within;
        s.from = w->to != SG_WHOLE
                     ? (sg_ref){SG_WHOLE, row * map->row_stride + part->offset + within}
                     : (sg_ref){p, row * part->row_stride + within - begin};
    }
    return s;
}

/* The first bit at or after `at` that moves; w->total or more if there is none. */
static int64_t next_moved(const writer *w, int64_t at)
{
    while (at < w->total) {
        const stretch s = stretch_at(w, at);
        if (s.moves) {
            break;
        }
        at = s.end;
    }
    return at;
}

static void add_op(writer *w, sg_bit_op op)
{
    if (w->segment->ops != NULL) {
        w->segment->ops[w->segment->nops] = op;
    }
    ++w->segment->nops;
}

/* Bytes of a tensor that belong to the segment. Padding after the last row may not exist. */
static int64_t bytes_of(const writer *w, int64_t part)
{
    const int64_t stride = sg_map_stride(w->map, part);
    const int64_t gap = part == SG_WHOLE ? w->map->gap : stride - w->map->parts[part].width;
    return sg_ceil_div64(w->segment->rows * stride - gap, 8);
}

/* Adds one load for as many bits as possible from `at` on, before `end`, for a word that begins at
 * `begin`. Bits that do not move are loaded from the written tensor. Returns the next bit. */
static int64_t add_piece(writer *w, int64_t begin, int64_t at, int64_t end)
{
    stretch s = stretch_at(w, at);
    const sg_ref from = s.from;
    const int64_t first = s.moves ? 0 : begin / 8;
    const int64_t last = s.moves ? bytes_of(w, from.part) : sg_ceil_div64(end, 8);
    const int64_t loaded = last - first < WORD_BYTES ? last - first : WORD_BYTES;
    const int64_t src = from.at / 8 > last - loaded ? last - loaded : from.at / 8;
    sg_bit_piece piece = {
        .from = {from.part, src}, .bytes = (int)loaded, .shift = (int)(at - begin)};
    for (int64_t bit = from.at - 8 * src; bit < 8 * loaded;) {
        piece.mask |= UINT64_C(1) << bit++;
        if (++at == end) {
            break;
        }
        if (at == s.end) { /* continue in the next row, if the load covers its bits too */
            const bool moves = s.moves;
            s = stretch_at(w, at);
            if (s.moves != moves || s.from.part != from.part) {
                break;
            }
            bit = s.from.at - 8 * src;
        }
    }
    if (w->segment->pieces != NULL) {
        w->segment->pieces[w->segment->npieces] = piece;
    }
    ++w->segment->npieces;
    return at;
}

/* Whether whole bytes of a run begin at `byte`. */
static bool begins_run(const writer *w, int64_t byte)
{
    const stretch s = stretch_at(w, 8 * byte);
    return s.is_run && s.end - 8 * byte >= 8;
}

/* Adds a word for the bytes from `byte` on that contain moving bits: up to 8 bytes, and up to the
 * next run. Returns the next byte. */
static int64_t add_word(writer *w, int64_t byte)
{
    int64_t last = byte + 1;
    int64_t moved = next_moved(w, 8 * last);
    while (last < byte + WORD_BYTES && moved < 8 * last + 8 && moved < w->total &&
           !begins_run(w, last)) {
        moved = next_moved(w, 8 * ++last);
    }
    const int64_t end = 8 * last < w->total ? 8 * last : w->total;
    const int64_t first = w->segment->npieces;
    for (int64_t at = 8 * byte; at < end;) {
        at = add_piece(w, 8 * byte, at, end);
    }
    add_op(w, (sg_bit_op){.op = SG_BIT_WORD,
                          .to = {w->to, byte},
                          .bytes = last - byte,
                          .first = first,
                          .npieces = w->segment->npieces - first});
    return last;
}

/* Adds the whole bytes of a run from `byte` on. Returns the next byte. */
static int64_t add_run(writer *w, int64_t byte)
{
    const stretch s = stretch_at(w, 8 * byte);
    const int64_t bytes = s.end / 8 - byte;
    add_op(w, (sg_bit_op){.op = SG_BIT_RUN,
                          .to = {w->to, byte},
                          .bytes = bytes,
                          .from = {s.from.part, s.from.at / 8},
                          .shift = (int)(s.from.at % 8)});
    return byte + bytes;
}

static void write_tensor(writer *w, int64_t to)
{
    w->to = to;
    w->total = w->segment->rows * sg_map_stride(w->map, to);
    for (int64_t at = next_moved(w, 0); at < w->total;) {
        const int64_t byte = at / 8;
        at = next_moved(w, 8 * (begins_run(w, byte) ? add_run(w, byte) : add_word(w, byte)));
    }
}

static void write_segment(const sg_map *map, sg_bit_segment *segment)
{
    writer w = {.map = map, .segment = segment};
    segment->nops = 0;
    segment->npieces = 0;
    if (map->joins) {
        write_tensor(&w, SG_WHOLE);
    }
    for (int64_t p = 0; !map->joins && p < map->nparts; ++p) {
        write_tensor(&w, p);
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

/* Words and runs of `rows` rows, an estimate. Rows that are far apart do not share a word. */
static int64_t words(const sg_map *map, int64_t rows)
{
    int64_t n = 0;
    for (int64_t c = 0; c < map->nparts; ++c) {
        const sg_map_part *part = &map->parts[c];
        const int64_t apart = rows * sg_ceil_div64(part->width, WORD_BITS);
        const int64_t shared = sg_ceil_div64(rows * part->row_stride, WORD_BITS);
        n += part->width >= SG_BIT_RUN_MIN ? rows : apart < shared ? apart : shared;
    }
    return n;
}

/* Operations and pieces of `rows` rows; INT64_MAX if there are more than the cap, as counting would
 * take long. */
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

/* Number of rows after which everything is at a multiple of `unit` bits (a power of two) again: all
 * columns and, for unit 8, the input. */
static int64_t period(const sg_map *map, int64_t unit)
{
    int64_t common = sg_gcd64(unit, unit == 8 || map->joins ? map->row_stride : unit);
    for (int64_t c = 0; c < map->nparts; ++c) {
        if (unit == 8 || (!map->joins && map->parts[c].width < SG_BIT_RUN_MIN)) {
            common = sg_gcd64(common, map->parts[c].row_stride);
        }
    }
    return unit / common;
}

/* Rows of a group: whole words of every narrow output, unless that is too much code, and enough
 * input to load a word. All numbers are powers of two. */
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

/* The same for a kernel with a dynamic number of rows, which must be whole groups. An item consists
 * of whole bytes everywhere, so the minimum number of rows in a group divides its rows. */
static int64_t choose_item_rows(const sg_map *map, const sg_split *split,
                                const sg_plan_options *options)
{
    int64_t rows = choose_rows(map, options);
    while (map->rows / split->items % rows != 0) {
        rows /= 2;
    }
    return rows;
}

/* Merges rows: an output that is the whole input is one run of all rows, or of one item if their
 * number is dynamic. */
static void join_rows(const sg_split *split, sg_map *map)
{
    if (map->nparts == 1 && map->parts[0].width == map->row_stride &&
        sg_map_is_dense(&map->parts[0])) {
        map->row_stride *= split->outer.factor;
        map->parts[0].width = map->row_stride;
        map->parts[0].row_stride = map->row_stride;
        map->rows = split->items;
    }
}

/* --- bodies ----------------------------------------------------------------------------------- */

/* Whether a mask has several runs of ones, which take many instructions to extract without `pext`.
 * */
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
    if (bytes_moved >= BIT_BODIES_BYTES) {
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

/* --- descriptions and statistics -------------------------------------------------------------- */

static const char *plural(int64_t n)
{
    return n == 1 ? "" : "s";
}

static const char *output_strategy(sg_arena *arena, const sg_plan *plan, const sg_output *output)
{
    const sg_map *map = &plan->map;
    if (output->column < 0) {
        return sg_no_copy_text(plan, output);
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
        const sg_part *part = plan->outputs[o].part;
        plan->bytes_moved +=
            part->view_only ? 0 : sg_split_bytes(plan->split, part->elements) * plan->split->items;
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
                     "%" PRId64
                     " rows of every %s are the least that begin and end at whole bytes: "
                     "%scut the op in two along the axis",
                     rows, sg_split_part_word(plan->split),
                     plan->split->joins ? "" : "mark the outputs nobody reads as unwanted, or ");
    }
    return false;
}

bool sg_bits_build(sg_arena *arena, sg_diag *diag, sg_plan *plan, const sg_plan_options *options)
{
    sg_bits *bits = SG_NEW(arena, sg_bits);
    plan->bits = bits;
    const sg_map *map = &plan->map;
    bits->msb = plan->split->packing == SG_PACKING_MSB;
    join_rows(plan->split, &plan->map);
    const sg_unroll unroll = sg_unroll_choose(options);
    /* A group and the remaining rows would be at least as much code as all rows. */
    const bool no_loop =
        options->optimize == SG_OPTIMIZE_SIZE && map->rows < 2 * choose_rows(map, options);
    const int64_t all =
        map->rows == 1 || unroll != SG_UNROLL_NONE || no_loop ? work(map, map->rows) : INT64_MAX;
    plan->kind = SG_PLAN_STRAIGHT;
    plan->strategy = "straight-line bits";
    if (plan->split->nopen > 0) {
        bits->group_rows = choose_item_rows(map, plan->split, options);
        bits->groups = map->rows / bits->group_rows;
    } else if (map->rows == 1) {
        plan->why = sg_arena_printf(arena, "one contiguous run of bits per %s",
                                    sg_split_part_word(plan->split));
    } else if (unroll == SG_UNROLL_FULL) {
        plan->why = "unrolled in full as asked";
    } else if (all <= SG_UNROLL_BUDGET) {
        plan->why = sg_arena_printf(arena,
                                    "%" PRId64 " words and pieces of words fit the unroll budget "
                                    "of %" PRId64,
                                    all, SG_UNROLL_BUDGET);
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
    for (int64_t o = 0; o < plan->noutputs; ++o) {
        plan->outputs[o].strategy = output_strategy(arena, plan, &plan->outputs[o]);
    }
    measure(plan, bits);
    choose_bodies(bits, plan->bytes_moved, options->isas);
    sg_choices_build(arena, plan);
    return true;
}
