/* Verifies plans of packed elements. Shares no code with the planner: the expected place of every
 * bit is computed here from the split alone, and every program is executed on symbolic bits.
 *
 * note [proof by induction over groups]
 * A group of m rows begins at bit g*m*row_stride of the full tensor and at bit g*m*row_stride(p) of
 * part p; these are whole bytes for every g because they are for g = 1. Column c of row r of part p
 * corresponds to bit r*row_stride + offset(p) + c of the full tensor: shifting r by m shifts both
 * sides by exactly the bases. So if the first group is right, every group is. The rows after the
 * last group are executed as well. Nothing is sampled. */
#include "plan/verify/verify_bits.h"

#include <inttypes.h>

#include "base/checked.h"
#include "plan/bits/bit_program.h"
#include "plan/plan.h"
#include "plan/verify/expectation.h"
#include "plan/verify/verify_bytes.h"
#include "plan/verify/verify_choices.h"
#include "plan/verify/verify_functions.h"

/* A bit of the tensor that is read which does not move. */
#define GAP INT64_MIN

/* A bit that was not set. */
#define NOTHING SG_NOTHING

/* A view begins at a whole byte, as do the rows of a strided one; strides count elements. */
static const char *check_view(sg_arena *arena, const sg_plan *plan, const sg_expectation *e,
                              int64_t o)
{
    const sg_output *output = &plan->outputs[o];
    if (output->byte_offset < 0 || output->byte_offset > e->map.row_stride / 8 ||
        8 * output->byte_offset != sg_verify_begin(plan, plan->split->element_bits, o)) {
        return sg_arena_printf(arena, "the view of output %" PRId64 " starts at byte %" PRId64, o,
                               output->byte_offset);
    }
    if (output->view == SG_VIEW_STRIDED && e->map.row_stride % 8 != 0) {
        return sg_arena_printf(arena, "the view of output %" PRId64 " has rows within bytes", o);
    }
    return sg_verify_strides(arena, plan, o);
}

/* --- over bytes ------------------------------------------------------------------------------- */

static const char *check_bytes(sg_arena *arena, const sg_plan *plan, sg_expectation *e)
{
    sg_map *map = &e->map;
    if (map->nparts > 0 && map->rows > 1 && map->row_stride % 8 != 0) {
        return "rows of no whole bytes are planned over bytes";
    }
    /* A row may end inside a byte that it shares with the padding after it. */
    const int64_t width = sg_ceil_div64(map->row_stride - map->gap, 8);
    map->element = 1;
    map->row_stride = sg_ceil_div64(map->row_stride, 8);
    map->gap = map->row_stride - width;
    for (int64_t p = 0; p < map->nparts; ++p) {
        sg_map_part *part = &map->parts[p];
        if (part->offset % 8 != 0 || part->width % 8 != 0 ||
            (map->rows > 1 && part->row_stride % 8 != 0)) {
            return sg_arena_printf(arena,
                                   "column %" PRId64 " of no whole bytes is planned over them", p);
        }
        *part = (sg_map_part){.offset = part->offset / 8,
                              .width = part->width / 8,
                              .row_stride = sg_ceil_div64(part->row_stride, 8)};
    }
    return sg_verify_programs(arena, plan, e);
}

/* --- over bits -------------------------------------------------------------------------------- */

/* One segment under execution. */
typedef struct machine {
    sg_arena *arena;
    const sg_expectation *e;
    const sg_bit_segment *segment;
    int64_t index; /* of the current operation */
} machine;

static const char *wrong(const machine *m, const char *what)
{
    return sg_arena_printf(m->arena, "operation %" PRId64 " %s", m->index, what);
}

/* Whether bytes from a place on belong to the right side, the one that is read or written, and are
 * in the segment. */
static bool is_there(const machine *m, sg_ref ref, int64_t bytes, bool reads)
{
    const bool whole = reads != m->e->map.joins;
    if (whole ? ref.part != SG_WHOLE : ref.part < 0 || ref.part >= m->e->map.nparts) {
        return false;
    }
    const int64_t extent = sg_verify_extent(m->e, ref.part, m->segment->rows);
    return ref.at >= 0 && bytes > 0 && ref.at <= sg_ceil_div64(extent, 8) - bytes;
}

/* The symbol for a written bit that keeps its earlier value. */
static int64_t kept(int64_t at)
{
    return NOTHING - 1 - at;
}

/* The expected value of bit `to`: the bit that moves there, its earlier value if it is padding
 * between rows, and zero after the end. */
static int64_t right_bit(const machine *m, sg_ref to)
{
    const sg_map *map = &m->e->map;
    const int64_t stride = to.part == SG_WHOLE ? map->row_stride : map->parts[to.part].row_stride;
    if (to.at >= m->segment->rows * stride) {
        return NOTHING;
    }
    const int64_t moved = sg_verify_moved(m->e, to, 1);
    bool is_gap = moved == NOTHING;
    for (int64_t p = 0; map->joins && p <= map->nparts; ++p) {
        const sg_map_part *part = &map->parts[p];
        is_gap = p == map->nparts;
        if (!is_gap && to.at % stride >= part->offset &&
            to.at % stride < part->offset + part->width) {
            break;
        }
    }
    return is_gap ? kept(to.at) : moved;
}

/* Puts the bits of one piece into the word. */
static const char *run_piece(const machine *m, const sg_bit_piece *piece, const sg_bit_op *op,
                             int64_t *word)
{
    const bool keeps = piece->from.part == op->to.part;
    if (piece->bytes < 1 || piece->bytes > 8 || !is_there(m, piece->from, piece->bytes, !keeps)) {
        return wrong(m, "reads outside of what is read");
    }
    if (piece->bytes < 8 && piece->mask >> (8 * piece->bytes) != 0) {
        return wrong(m, "takes bits that were not loaded");
    }
    if (piece->mask == 0 || piece->shift < 0) {
        return wrong(m, "has an empty piece");
    }
    int64_t to = piece->shift;
    for (int bit = 0; bit < 64; ++bit) {
        if ((piece->mask >> bit & 1) == 0) {
            continue;
        }
        if (to >= 8 * op->bytes) {
            return wrong(m, "shifts bits out of its word");
        }
        if (word[to] != NOTHING) {
            return wrong(m, "puts two bits into one place");
        }
        const sg_ref from = {piece->from.part, 8 * piece->from.at + bit};
        const int64_t moved = sg_verify_moved(m->e, from, 1);
        word[to++] = keeps ? kept(from.at) : moved == SG_NOTHING ? GAP : moved;
    }
    return NULL;
}

static const char *run_word(const machine *m, const sg_bit_op *op)
{
    int64_t word[64];
    if (op->bytes > 8 || op->npieces < 0 || op->first < 0 ||
        op->first > m->segment->npieces - op->npieces) {
        return wrong(m, "is no word");
    }
    for (int i = 0; i < 64; ++i) {
        word[i] = NOTHING;
    }
    const char *flaw = NULL;
    for (int64_t i = 0; flaw == NULL && i < op->npieces; ++i) {
        flaw = run_piece(m, &m->segment->pieces[op->first + i], op, word);
    }
    for (int64_t i = 0; flaw == NULL && i < 8 * op->bytes; ++i) {
        const sg_ref to = {op->to.part, 8 * op->to.at + i};
        if (word[i] != right_bit(m, to)) {
            flaw = sg_verify_wrong(m->arena, m->e, m->index, to, word[i]);
        }
    }
    return flaw;
}

static const char *run_run(const machine *m, const sg_bit_op *op)
{
    if (op->shift < 0 || op->shift > 7 || !is_there(m, op->from, op->bytes, true)) {
        return wrong(m, "is no run");
    }
    return sg_verify_run(m->arena, m->e, m->segment->rows, (sg_ref){op->to.part, 8 * op->to.at},
                         (sg_ref){op->from.part, 8 * op->from.at + op->shift}, 8 * op->bytes,
                         m->index);
}

static const char *check_blocks(const sg_bit_segment *segment)
{
    int64_t next = 0;
    for (int64_t b = 0; b < segment->nblocks; ++b) {
        if (segment->blocks[b].first != next || segment->blocks[b].count <= 0 ||
            segment->blocks[b].count > segment->nops - next) {
            return "the blocks do not tile the operations";
        }
        next += segment->blocks[b].count;
    }
    return next == segment->nops ? NULL : "the blocks do not tile the operations";
}

static const char *check_segment(sg_arena *arena, const sg_expectation *e,
                                 const sg_bit_segment *segment, int64_t rows)
{
    if (segment->rows != rows) {
        return "the segments do not tile the rows";
    }
    if (rows == 0) {
        return segment->nops == 0 ? NULL : "a segment of no rows has operations";
    }
    machine m = {.arena = arena, .e = e, .segment = segment};
    sg_interval *writes = SG_NEW_ARRAY(arena, sg_interval, segment->nops);
    for (; m.index < segment->nops; ++m.index) {
        const sg_bit_op *op = &segment->ops[m.index];
        if (!is_there(&m, op->to, op->bytes, false)) {
            return wrong(&m, "writes outside of what is written");
        }
        const char *flaw = op->op == SG_BIT_WORD ? run_word(&m, op) : run_run(&m, op);
        if (flaw != NULL) {
            return flaw;
        }
        writes[m.index] = (sg_interval){
            .part = op->to.part, .begin = 8 * op->to.at, .end = 8 * (op->to.at + op->bytes)};
    }
    const char *flaw = sg_verify_cover(arena, e, rows, writes, segment->nops);
    return flaw != NULL ? flaw : check_blocks(segment);
}

static const char *check_map(sg_arena *arena, const sg_plan *plan, sg_expectation *e)
{
    sg_map *map = &e->map;
    if (map->nparts == 1 && map->parts[0].width == map->row_stride &&
        map->parts[0].row_stride == map->row_stride) {
        /* The output is the whole input: one row, or one row for each item. */
        map->row_stride *= map->rows / plan->split->items;
        map->parts[0].width = map->row_stride;
        map->parts[0].row_stride = map->row_stride;
        map->rows = plan->split->items;
    }
    if (plan->bits->msb != (plan->split->packing == SG_PACKING_MSB) ||
        plan->split->packing == SG_PACKING_PLANES) {
        return "the order of the bits is not that of the split";
    }
    return sg_verify_same_map(arena, plan, e);
}

const char *sg_verify_bits(sg_arena *arena, const sg_plan *plan, sg_expectation *e)
{
    const sg_bits *bits = plan->bits;
    const char *flaw = check_map(arena, plan, e);
    int64_t grouped = 0;
    if (flaw != NULL) {
        return flaw;
    }
    if (plan->split->nopen > 0 &&
        (bits->group_rows <= 0 || e->map.rows / plan->split->items % bits->group_rows != 0)) {
        return "an item is no whole groups of rows";
    }
    if (bits->groups < 0 || bits->group_rows < 0 || (bits->groups > 0) != (bits->group_rows > 0) ||
        !sg_mul64(bits->groups, bits->group_rows, &grouped) || grouped > e->map.rows) {
        return "the groups do not tile the rows";
    }
    if (bits->groups > 0) {
        /* See note [proof by induction over groups]. */
        if (bits->group_rows * e->map.row_stride % 8 != 0) {
            return "a group of rows is no whole bytes of the whole";
        }
        for (int64_t p = 0; p < e->map.nparts; ++p) {
            if (bits->group_rows * e->map.parts[p].row_stride % 8 != 0) {
                return sg_arena_printf(arena,
                                       "a group of rows is no whole bytes of column %" PRId64, p);
            }
        }
    }
    flaw = check_segment(arena, e, &bits->group, bits->groups > 0 ? bits->group_rows : 0);
    flaw = flaw != NULL ? flaw : check_segment(arena, e, &bits->tail, e->map.rows - grouped);
    flaw = flaw != NULL ? flaw : sg_verify_choices(arena, plan);
    return flaw != NULL ? flaw : sg_verify_functions(arena, plan);
}

const char *sg_verify_packed(sg_arena *arena, const sg_plan *plan)
{
    sg_expectation e = {0};
    const char *flaw = sg_verify_expect(arena, plan, plan->split->element_bits, &e);
    for (int64_t o = 0; flaw == NULL && o < plan->noutputs; ++o) {
        if (plan->outputs[o].part->bytes > 0 && plan->outputs[o].view != SG_VIEW_COPY) {
            flaw = check_view(arena, plan, &e, o);
        }
    }
    if (flaw != NULL) {
        return flaw;
    }
    return plan->bits != NULL ? sg_verify_bits(arena, plan, &e) : check_bytes(arena, plan, &e);
}
