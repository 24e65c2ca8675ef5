/* Executes a program over bits on numbered bits; see simulate_packed.h. */
#include "simulate_packed.h"

#include <inttypes.h>
#include <string.h>

#include "plan/bits/bit_program.h"
#include "plan/plan.h"
#include "runner.h"

#define EMPTY   (-1) /* never written */
#define PADDING (-2) /* written as zero */

/* The bits of one output: the number of the input bit that each holds. */
typedef struct memory {
    int64_t bytes;
    int64_t *bits;
} memory;

typedef struct run_state {
    const sg_plan *plan;
    int64_t input_bytes;
    memory *outputs; /* per output of the plan */
    sg_buf *why;
} run_state;

static bool write_bit(run_state *s, int64_t output, int64_t at, int64_t from)
{
    memory *m = &s->outputs[output];
    if (at < 0 || at >= 8 * m->bytes) {
        return property_fails(s->why, "output %" PRId64 " is left at bit %" PRId64, output, at);
    }
    if (m->bits[at] != EMPTY) {
        return property_fails(s->why, "bit %" PRId64 " of output %" PRId64 " is written twice", at,
                              output);
    }
    m->bits[at] = from;
    return true;
}

static bool is_input(run_state *s, int64_t byte, int64_t bytes)
{
    if (bytes < 0 || byte < 0 || byte > s->input_bytes - bytes) {
        return property_fails(s->why, "the input is left at byte %" PRId64, byte);
    }
    return true;
}

static bool run_word(run_state *s, const sg_bit_segment *segment, const sg_bit_op *op,
                     int64_t output, int64_t in, int64_t out)
{
    int64_t word[64];
    for (int i = 0; i < 64; i++) {
        word[i] = PADDING;
    }
    if (op->bytes < 1 || op->bytes > 8 || op->first < 0 || op->npieces < 0 ||
        op->npieces > segment->npieces || op->first > segment->npieces - op->npieces) {
        return property_fails(s->why, "a word that is none");
    }
    for (int64_t p = 0; p < op->npieces; p++) {
        const sg_bit_piece *piece = &segment->pieces[op->first + p];
        int64_t to = piece->shift;
        if (piece->from.part != SG_WHOLE || piece->bytes < 1 || piece->bytes > 8 ||
            piece->from.at < -1000000 || piece->from.at > 1000000000 || piece->shift < 0 ||
            piece->shift > 63 || !is_input(s, in + piece->from.at, piece->bytes)) {
            return property_fails(s->why, "a piece that is none");
        }
        for (int bit = 0; bit < 64; bit++) {
            if ((piece->mask >> bit & 1) == 0) {
                continue;
            }
            if (to < 8 * op->bytes) {
                if (word[to] != PADDING && bit < 8 * piece->bytes) {
                    return property_fails(s->why, "two bits meet");
                }
                word[to] = bit < 8 * piece->bytes ? 8 * (in + piece->from.at) + bit : word[to];
            }
            to++;
        }
    }
    for (int64_t i = 0; i < 8 * op->bytes; i++) {
        if (!write_bit(s, output, 8 * (out + op->to.at) + i, word[i])) {
            return false;
        }
    }
    return true;
}

static bool run_segment(run_state *s, const sg_bit_segment *segment, int64_t first_row)
{
    const sg_map *map = &s->plan->map;
    for (int64_t i = 0; i < segment->nops; i++) {
        const sg_bit_op *op = &segment->ops[i];
        if (op->to.part < 0 || op->to.part >= map->nparts) {
            return property_fails(s->why, "no such column");
        }
        const sg_map_part *column = &map->parts[op->to.part];
        const int64_t most = 1000000000;
        if (column->tensor < 0 || column->tensor >= s->plan->noutputs || column->width < 0 ||
            column->width > most || op->to.at < 0 || op->to.at > most || op->bytes < 0 ||
            op->bytes > most ||
            (op->op == SG_BIT_RUN && (op->from.at < 0 || op->from.at > most || op->shift < 0 ||
                                      op->shift > 7 || op->from.part != SG_WHOLE))) {
            return property_fails(s->why, "an operation out of all range");
        }
        const int64_t in = first_row * map->row_stride / 8;
        const int64_t out = first_row * column->width / 8;
        if (op->op == SG_BIT_WORD) {
            if (!run_word(s, segment, op, column->tensor, in, out)) {
                return false;
            }
            continue;
        }
        const int64_t from = 8 * (in + op->from.at) + op->shift;
        if (!is_input(s, in + op->from.at, (op->shift + 8 * op->bytes + 7) / 8)) {
            return false;
        }
        for (int64_t bit = 0; bit < 8 * op->bytes; bit++) {
            if (!write_bit(s, column->tensor, 8 * (out + op->to.at) + bit, from + bit)) {
                return false;
            }
        }
    }
    int64_t in_blocks = 0;
    for (int64_t b = 0; b < segment->nblocks; b++) {
        if (segment->blocks[b].first != in_blocks || segment->blocks[b].count < 1 ||
            segment->blocks[b].count > segment->nops) {
            return property_fails(s->why, "the blocks are not the operations");
        }
        in_blocks += segment->blocks[b].count;
    }
    return in_blocks == segment->nops || property_fails(s->why, "operations outside of blocks");
}

static bool run_bits(run_state *s)
{
    const sg_bits *bits = s->plan->bits;
    const sg_map *map = &s->plan->map;
    if (bits->groups < 0 || bits->groups > 1000000 || bits->group_rows < 0 ||
        bits->group_rows > 1000000 || map->row_stride < 0 || map->row_stride > 1000000000) {
        return property_fails(s->why, "groups out of all range");
    }
    for (int64_t g = 0; g < bits->groups; g++) {
        if (!run_segment(s, &bits->group, g * bits->group_rows)) {
            return false;
        }
    }
    /* The emitter needs whole bytes here, and prints the tail after all groups. */
    for (int64_t c = 0; bits->groups > 0 && c < map->nparts; c++) {
        if (bits->group_rows * map->parts[c].width % 8 != 0) {
            return property_fails(s->why, "a group ends within a byte");
        }
    }
    return (bits->groups == 0 || bits->group_rows * map->row_stride % 8 == 0 ||
            property_fails(s->why, "a group of the input ends within a byte")) &&
           run_segment(s, &bits->tail, bits->groups * bits->group_rows);
}

static bool run_bytes(run_state *s)
{
    const sg_map *map = &s->plan->map;
    const sg_code *code = &s->plan->iteration;
    for (int64_t row = 0; code->ninsns > 0 && row < map->rows; row += code->rows) {
        code = map->rows - row < code->rows ? &s->plan->row : code;
        for (int64_t n = 0; n < code->ninsns; n++) {
            const sg_insn *insn = &code->insns[n];
            const sg_map_part *column = &map->parts[insn->to.part];
            const int64_t src = row * map->row_stride + insn->from.at;
            if (!is_input(s, src, insn->bytes)) {
                return false;
            }
            for (int64_t bit = 0; bit < 8 * insn->bytes; bit++) {
                if (!write_bit(s, column->tensor, 8 * (row * column->width + insn->to.at) + bit,
                               8 * src + bit)) {
                    return false;
                }
            }
        }
    }
    return true;
}

/* The source of element `at` of a part, in elements. */
static int64_t element_source(const sg_split *split, const sg_part *part, int64_t at,
                              int64_t *index)
{
    int64_t from = 0;
    int64_t scale = 1;
    for (int d = split->rank - 1; d >= 0; d--) {
        const int64_t length = d == split->axis ? part->length : split->dims[d];
        index[d] = at % length;
        from += (index[d] + (d == split->axis ? part->start : 0)) * scale;
        at /= length;
        scale *= split->dims[d];
    }
    return from;
}

static bool check_output(run_state *s, int64_t o)
{
    const sg_split *split = s->plan->split;
    const sg_output *output = &s->plan->outputs[o];
    const memory *m = &s->outputs[o];
    const int64_t bits = split->element_bits;
    int64_t index[SG_MAX_RANK];
    for (int64_t e = 0; e < output->part->elements; e++) {
        const int64_t from = element_source(split, output->part, e, index);
        for (int64_t bit = 0; bit < bits; bit++) {
            if (m->bits[e * bits + bit] != from * bits + bit) {
                return property_fails(s->why,
                                      "bit %" PRId64 " of output %" PRId64 " comes from %" PRId64,
                                      e * bits + bit, o, m->bits[e * bits + bit]);
            }
        }
        if (output->view == SG_VIEW_COPY) {
            continue;
        }
        int64_t at = 8 * output->byte_offset;
        for (int d = 0; d < split->rank; d++) {
            at += index[d] * output->strides[d] * bits;
        }
        if (at != from * bits) {
            return property_fails(s->why, "the view of output %" PRId64 " shows another element",
                                  o);
        }
    }
    for (int64_t at = output->part->elements * bits; at < 8 * m->bytes; at++) {
        if (m->bits[at] != PADDING) {
            return property_fails(s->why, "bits behind the last element are not zero");
        }
    }
    return true;
}

bool simulate_packed(sg_arena *arena, const sg_plan *plan, sg_buf *why)
{
    run_state s = {.plan = plan, .input_bytes = plan->split->bytes, .why = why};
    s.outputs = SG_NEW_ARRAY(arena, memory, plan->noutputs);
    for (int64_t o = 0; o < plan->noutputs; o++) {
        memory *m = &s.outputs[o];
        m->bytes = plan->outputs[o].part->bytes;
        m->bits = SG_NEW_ARRAY(arena, int64_t, 8 * m->bytes + 1);
        for (int64_t i = 0; i < 8 * m->bytes; i++) {
            m->bits[i] = EMPTY;
        }
    }
    if (plan->bits != NULL ? !run_bits(&s) : !run_bytes(&s)) {
        return false;
    }
    if (plan->bits != NULL && plan->bits->msb != (plan->split->packing == SG_PACKING_MSB)) {
        return property_fails(why, "the bits are counted from the wrong end");
    }
    for (int64_t o = 0; o < plan->noutputs; o++) {
        if (!check_output(&s, o)) {
            return false;
        }
    }
    return true;
}
