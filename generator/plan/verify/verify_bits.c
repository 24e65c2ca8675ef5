/* Proves plans of packed elements. Shares no code with the planner: which bit has to arrive where
 * is computed here again, from the split alone, and every program is executed on symbolic bits.
 *
 * note [proof by induction over groups]
 * A group of m rows reads from the input at bit g*m*row_bits and writes output o at bit
 * g*m*width(o), both at whole bytes for every g because they are for g = 1. Bit r*width + c of
 * output o comes from bit r*row_bits + offset(o) + c of the input: shifting r by m shifts both
 * sides by exactly the bases. So if the first group is right, every one is; the rows behind the
 * last one are executed as well. Nothing is sampled. */
#include "plan/verify/verify_bits.h"

#include <inttypes.h>

#include "base/checked.h"
#include "plan/bits/bit_program.h"
#include "plan/plan.h"
#include "plan/verify/expectation.h"
#include "plan/verify/verify_bytes.h"
#include "plan/verify/verify_choices.h"
#include "plan/verify/verify_vector.h"

/* A bit nothing was put into. */
#define NOTHING INT64_C(-1)

/* A view begins at a whole byte, as do the rows of a strided one; strides count elements. */
static const char *check_view(sg_arena *arena, const sg_plan *plan, const sg_expectation *e,
                              int64_t o)
{
    const sg_output *output = &plan->outputs[o];
    if (output->byte_offset < 0 || output->byte_offset > e->row_bytes / 8 ||
        8 * output->byte_offset != e->targets[output->column].offset) {
        return sg_arena_printf(arena, "the view of output %" PRId64 " starts at byte %" PRId64, o,
                               output->byte_offset);
    }
    if (output->view == SG_VIEW_STRIDED && e->row_bytes % 8 != 0) {
        return sg_arena_printf(arena, "the view of output %" PRId64 " has rows within bytes", o);
    }
    return sg_verify_strides(arena, plan, o);
}

/* --- over bytes ------------------------------------------------------------------------------- */

static const char *check_bytes(sg_arena *arena, const sg_plan *plan, sg_expectation *e)
{
    if (e->ntargets > 0 && e->rows > 1 && e->row_bytes % 8 != 0) {
        return "rows of no whole bytes are planned over bytes";
    }
    e->row_bytes = sg_ceil_div64(e->row_bytes, 8);
    for (int64_t t = 0; t < e->ntargets; ++t) {
        if (e->targets[t].offset % 8 != 0 || e->targets[t].width % 8 != 0) {
            return sg_arena_printf(arena,
                                   "column %" PRId64 " of no whole bytes is planned over them", t);
        }
        e->targets[t].offset /= 8;
        e->targets[t].width /= 8;
    }
    return sg_verify_programs(arena, plan, e);
}

/* --- over bits -------------------------------------------------------------------------------- */

/* One stretch of rows under execution. */
typedef struct machine {
    sg_arena *arena;
    const sg_expectation *e;
    const sg_bit_segment *segment;
    int64_t in_bytes;
    int64_t index; /* of the operation */
} machine;

static const char *wrong(const machine *m, const char *what)
{
    return sg_arena_printf(m->arena, "operation %" PRId64 " %s", m->index, what);
}

/* Bit `at` of output `column` must come from bit `from` of the input, or be zero behind the end. */
static const char *check_bit(const machine *m, int64_t column, int64_t at, int64_t from)
{
    const sg_expected *t = &m->e->targets[column];
    int64_t right = NOTHING;
    if (at < m->segment->rows * t->width) {
        right = at / t->width * m->e->row_bytes + t->offset + at % t->width;
    }
    if (from == right) {
        return NULL;
    }
    return sg_arena_printf(m->arena,
                           "operation %" PRId64 " fills bit %" PRId64 " of column %" PRId64
                           " from bit %" PRId64 ", not %" PRId64,
                           m->index, at, column, from, right);
}

/* Puts the bits of one piece into the word. */
static const char *run_piece(const machine *m, const sg_bit_piece *piece, int64_t bytes,
                             int64_t *word)
{
    if (piece->bytes < 1 || piece->bytes > 8 || piece->src < 0 ||
        piece->src > m->in_bytes - piece->bytes) {
        return wrong(m, "reads outside the input");
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
        if (to >= 8 * bytes) {
            return wrong(m, "shifts bits out of its word");
        }
        if (word[to] != NOTHING) {
            return wrong(m, "puts two bits into one place");
        }
        word[to++] = 8 * piece->src + bit;
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
        flaw = run_piece(m, &m->segment->pieces[op->first + i], op->bytes, word);
    }
    for (int64_t i = 0; flaw == NULL && i < 8 * op->bytes; ++i) {
        flaw = check_bit(m, op->column, 8 * op->dst + i, word[i]);
    }
    return flaw;
}

static const char *run_run(const machine *m, const sg_bit_op *op)
{
    const sg_insn run = {
        .column = op->column, .dst = 8 * op->dst, .src = op->src, .bytes = 8 * op->bytes};
    return sg_verify_run(m->arena, m->e, m->segment->rows, &run, m->index);
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

/* Bytes of every output a segment writes; the counterpart of sg_verify_cover. */
static sg_expectation in_bytes(sg_arena *arena, const sg_expectation *e, int64_t rows)
{
    sg_expectation whole = {.rows = 1, .ntargets = e->ntargets};
    whole.targets = SG_NEW_ARRAY(arena, sg_expected, e->ntargets);
    for (int64_t t = 0; t < e->ntargets; ++t) {
        whole.targets[t].width = sg_ceil_div64(rows * e->targets[t].width, 8);
    }
    return whole;
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
    m.in_bytes = sg_ceil_div64(rows * e->row_bytes, 8);
    sg_expectation whole = in_bytes(arena, e, rows);
    sg_interval *writes = SG_NEW_ARRAY(arena, sg_interval, segment->nops);
    for (; m.index < segment->nops; ++m.index) {
        const sg_bit_op *op = &segment->ops[m.index];
        if (op->column < 0 || op->column >= e->ntargets) {
            return wrong(&m, "names no column");
        }
        if (op->bytes <= 0 || op->dst < 0 ||
            op->dst > whole.targets[op->column].width - op->bytes) {
            return wrong(&m, "writes outside its output");
        }
        const char *flaw = op->op == SG_BIT_WORD ? run_word(&m, op) : run_run(&m, op);
        if (flaw != NULL) {
            return flaw;
        }
        writes[m.index] = (sg_interval){op->column, op->dst, op->dst + op->bytes};
    }
    const char *flaw = sg_verify_cover(arena, &whole, 1, writes, segment->nops);
    return flaw != NULL ? flaw : check_blocks(segment);
}

/* --- vectors ---------------------------------------------------------------------------------- */

/* A trip by vectors does what its groups by words do; see note [proof by induction over groups]. */
static const char *check_vectors(sg_arena *arena, const sg_expectation *e, const sg_bits *bits)
{
    const sg_variant *v = bits->vectors;
    if (v->isa->isa != SG_BIT_ISA || v->rows_per_trip <= 0 || bits->group_rows <= 0 ||
        v->rows_per_trip % bits->group_rows != 0 ||
        v->rows_per_trip / bits->group_rows > bits->groups || v->planned_rows != e->rows) {
        return "a trip by vectors is no whole groups";
    }
    if (v->nbodies != 1 || v->nslices != 1 || v->lane_bytes != 1) {
        return "a trip by vectors is in pieces";
    }
    return sg_verify_variant(arena, e, v);
}

static const char *check_columns(sg_arena *arena, const sg_plan *plan, sg_expectation *e)
{
    const sg_bits *bits = plan->bits;
    const sg_map *map = &plan->map;
    if (e->ntargets == 1 && e->targets[0].width == e->row_bytes) {
        /* The output is the whole input: one row, of each item where they are free. */
        e->row_bytes *= e->rows / plan->split->items;
        e->targets[0].width = e->row_bytes;
        e->rows = plan->split->items;
    }
    if (bits->msb != (plan->split->packing == SG_PACKING_MSB) ||
        plan->split->packing == SG_PACKING_PLANES) {
        return "the order of the bits is not that of the split";
    }
    if (map->nparts != e->ntargets || map->rows != e->rows || map->row_stride != e->row_bytes) {
        return "the columns are not those of the split";
    }
    for (int64_t c = 0; c < map->nparts; ++c) {
        const sg_map_part *column = &map->parts[c];
        if (column->offset != e->targets[c].offset || column->width != e->targets[c].width ||
            column->tensor < 0 || column->tensor >= plan->noutputs ||
            plan->outputs[column->tensor].column != c) {
            return sg_arena_printf(arena, "column %" PRId64 " is not that of its output", c);
        }
    }
    return NULL;
}

static const char *check_bits(sg_arena *arena, const sg_plan *plan, sg_expectation *e)
{
    const sg_bits *bits = plan->bits;
    const char *flaw = check_columns(arena, plan, e);
    int64_t grouped = 0;
    e->bits = true;
    e->msb = bits->msb;
    if (flaw != NULL) {
        return flaw;
    }
    if (plan->split->free_name != NULL &&
        (bits->group_rows <= 0 || e->rows / plan->split->items % bits->group_rows != 0)) {
        return "an item is no whole groups of rows";
    }
    if (bits->groups < 0 || bits->group_rows < 0 || (bits->groups > 0) != (bits->group_rows > 0) ||
        !sg_mul64(bits->groups, bits->group_rows, &grouped) || grouped > e->rows) {
        return "the groups do not tile the rows";
    }
    if (bits->groups > 0) {
        /* See note [proof by induction over groups]. */
        if (bits->group_rows * e->row_bytes % 8 != 0) {
            return "a group of rows is no whole bytes of the input";
        }
        for (int64_t t = 0; t < e->ntargets; ++t) {
            if (bits->group_rows * e->targets[t].width % 8 != 0) {
                return sg_arena_printf(arena,
                                       "a group of rows is no whole bytes of column %" PRId64, t);
            }
        }
    }
    flaw = check_segment(arena, e, &bits->group, bits->groups > 0 ? bits->group_rows : 0);
    if (flaw == NULL && bits->vectors != NULL) {
        flaw = check_vectors(arena, e, bits);
    }
    flaw = flaw != NULL ? flaw : check_segment(arena, e, &bits->tail, e->rows - grouped);
    return flaw != NULL ? flaw : sg_verify_choices(arena, plan);
}

const char *sg_verify_packed(sg_arena *arena, const sg_plan *plan)
{
    sg_expectation e = {0};
    const char *flaw = sg_verify_expect(arena, plan, plan->split->element_bits, &e);
    for (int64_t o = 0; flaw == NULL && o < plan->noutputs; ++o) {
        if (plan->outputs[o].column >= 0 && plan->outputs[o].view != SG_VIEW_COPY) {
            flaw = check_view(arena, plan, &e, o);
        }
    }
    if (flaw != NULL) {
        return flaw;
    }
    return plan->bits != NULL ? check_bits(arena, plan, &e) : check_bytes(arena, plan, &e);
}
