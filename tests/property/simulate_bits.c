/* Executes words and runs over bits: every bit holds a number that identifies it. */
#include "simulate_bits.h"

#include <inttypes.h>
#include <string.h>

#include "plan/bits/bit_program.h"
#include "plan/plan.h"
#include "runner.h"

/* Numbers of bits: input bits, of part p in a concat from p * PART on; bits that the output held
 * before; and zeros. */
#define PART (INT64_C(1) << 40)
#define OWN  (INT64_C(1) << 60)
#define ZERO INT64_C(-1)

/* No count in these small maps is larger. */
#define MOST INT64_C(1000000)

typedef struct tensor {
    int64_t bytes;
    int64_t *bits;
    int64_t *right; /* for an output: its required contents at the end */
    int *written;   /* by byte: number of writes */
} tensor;

typedef struct run_state {
    const sg_plan *plan;
    const sg_map *map;
    sg_buf *why;
    tensor whole;
    tensor *parts;
} run_state;

/* A tensor that exists up to bit `end`, with bits of rows up to `total`. */
static tensor new_tensor(sg_arena *arena, int64_t end, int64_t total, int64_t first, bool written)
{
    tensor t = {.bytes = (end + 7) / 8};
    t.bits = SG_NEW_ARRAY(arena, int64_t, 8 * t.bytes);
    t.right = SG_NEW_ARRAY(arena, int64_t, 8 * t.bytes);
    t.written = SG_NEW_ARRAY(arena, int, t.bytes);
    for (int64_t i = 0; i < 8 * t.bytes; i++) {
        t.bits[i] = (written ? OWN : first) + i;
        t.right[i] = i < total ? t.bits[i] : ZERO;
    }
    return t;
}

static void set_up(sg_arena *arena, run_state *s)
{
    const sg_map *map = s->map;
    const int64_t whole = map->rows * map->row_stride;
    s->whole = new_tensor(arena, whole, whole, 0, map->joins);
    s->parts = SG_NEW_ARRAY(arena, tensor, map->nparts);
    for (int64_t p = 0; p < map->nparts; p++) {
        const sg_map_part *part = &map->parts[p];
        const int64_t end = (map->rows - 1) * part->row_stride + part->width;
        s->parts[p] = new_tensor(arena, end, map->rows * part->row_stride, p * PART, !map->joins);
        for (int64_t row = 0; row < map->rows; row++) {
            for (int64_t i = 0; i < part->width; i++) {
                int64_t *in_whole = &s->whole.right[row * map->row_stride + part->offset + i];
                int64_t *in_part = &s->parts[p].right[row * part->row_stride + i];
                *(map->joins ? in_whole : in_part) = *(map->joins ? in_part : in_whole);
            }
        }
    }
}

/* The tensor of a reference and its byte, for rows from `row` on; NULL if the bytes are outside. */
static tensor *find(run_state *s, const sg_ref *ref, int64_t row, int64_t bytes, int64_t *at)
{
    const sg_map *map = &s->plan->map;
    const bool whole = ref->part == SG_WHOLE;
    if (!whole && (ref->part < 0 || ref->part >= s->map->nparts)) {
        return NULL;
    }
    const int64_t stride = whole ? map->row_stride : map->parts[ref->part].row_stride;
    const int64_t tensor_of = whole ? 0 : map->parts[ref->part].tensor;
    if (ref->at < 0 || ref->at > MOST || stride < 0 || stride > MOST || row > MOST ||
        tensor_of < 0 || tensor_of >= s->map->nparts || row * stride % 8 != 0) {
        return NULL;
    }
    tensor *t = whole ? &s->whole : &s->parts[tensor_of];
    *at = row * stride / 8 + ref->at;
    return bytes < 1 || bytes > MOST || *at > t->bytes - bytes ? NULL : t;
}

static bool write_bits(run_state *s, tensor *t, int64_t at, int64_t bytes, const int64_t *bits)
{
    for (int64_t i = 0; i < bytes; i++) {
        if (t->written[at + i]++ > 0) {
            return property_fails(s->why, "byte %" PRId64 " is written twice", at + i);
        }
    }
    memcpy(&t->bits[8 * at], bits, (size_t)bytes * 8 * sizeof bits[0]);
    return true;
}

static bool run_piece(run_state *s, const sg_bit_piece *piece, const sg_bit_op *op, int64_t row,
                      int64_t *word)
{
    int64_t at = 0;
    int64_t to = piece->shift;
    const bool keeps = piece->from.part == op->to.part;
    const tensor *t = find(s, &piece->from, row, piece->bytes, &at);
    if (t == NULL || piece->bytes > 8 || to < 0 || to > 63 ||
        (!keeps && (piece->from.part == SG_WHOLE) == s->map->joins)) {
        return property_fails(s->why, "a piece that is none");
    }
    for (int bit = 0; bit < 64; bit++) {
        if ((piece->mask >> bit & 1) == 0) {
            continue;
        }
        if (bit >= 8 * piece->bytes || to >= 8 * op->bytes || word[to] != ZERO) {
            return property_fails(s->why, "a bit that is none, or two that meet");
        }
        word[to++] = t->bits[8 * at + bit];
    }
    return true;
}

static bool run_op(run_state *s, const sg_bit_segment *segment, const sg_bit_op *op, int64_t row)
{
    int64_t word[64];
    int64_t at = 0;
    int64_t from = 0;
    tensor *t = find(s, &op->to, row, op->bytes, &at);
    if (t == NULL || (op->to.part == SG_WHOLE) != s->map->joins) {
        return property_fails(s->why, "an operation that writes nothing there is");
    }
    if (op->op == SG_BIT_RUN) {
        const int64_t bytes = op->bytes + (op->shift > 0 ? 1 : 0);
        const tensor *source = find(s, &op->from, row, bytes, &from);
        if (source == NULL || op->shift < 0 || op->shift > 7 || op->from.part == op->to.part) {
            return property_fails(s->why, "a run outside of what is read");
        }
        return write_bits(s, t, at, op->bytes, &source->bits[8 * from + op->shift]);
    }
    if (op->bytes > 8 || op->npieces < 0 || op->first < 0 || op->npieces > segment->npieces ||
        op->first > segment->npieces - op->npieces) {
        return property_fails(s->why, "a word that is none");
    }
    for (int i = 0; i < 64; i++) {
        word[i] = ZERO;
    }
    for (int64_t i = 0; i < op->npieces; i++) {
        if (!run_piece(s, &segment->pieces[op->first + i], op, row, word)) {
            return false;
        }
    }
    return write_bits(s, t, at, op->bytes, word);
}

/* Runs instructions in the order of the blocks that become functions. */
static bool run_segment(run_state *s, const sg_bit_segment *segment, int64_t row)
{
    int64_t next = 0;
    for (int64_t b = 0; b < segment->nblocks; b++) {
        const sg_block *block = &segment->blocks[b];
        if (block->first != next || block->count < 1 || block->count > segment->nops - next) {
            return property_fails(s->why, "a block of no operations");
        }
        for (; next < block->first + block->count; next++) {
            if (!run_op(s, segment, &segment->ops[next], row)) {
                return property_fails(s->why, "operation %" PRId64, next);
            }
        }
    }
    return next == segment->nops || property_fails(s->why, "operations of no block");
}

static bool is_right(run_state *s, const tensor *t)
{
    for (int64_t i = 0; i < 8 * t->bytes; i++) {
        const bool kept = t->written[i / 8] == 0 && t->bits[i] >= OWN && t->right[i] == ZERO;
        if (t->bits[i] != t->right[i] && !kept) {
            return property_fails(s->why, "bit %" PRId64 " is wrong", i);
        }
    }
    return true;
}

bool simulate_bits(sg_arena *arena, const sg_plan *plan, const sg_map *map, sg_buf *why)
{
    run_state s = {.plan = plan, .map = map, .why = why};
    const sg_bits *bits = plan->bits;
    set_up(arena, &s);
    if (bits->groups < 0 || bits->groups > MOST || bits->group_rows < 0 ||
        bits->group_rows > MOST || bits->msb) {
        return property_fails(why, "groups out of all range");
    }
    bool ok = true;
    for (int64_t g = 0; ok && g < bits->groups; g++) {
        ok = run_segment(&s, &bits->group, g * bits->group_rows);
    }
    ok = ok && run_segment(&s, &bits->tail, bits->groups * bits->group_rows);
    ok = ok && (!map->joins || is_right(&s, &s.whole));
    for (int64_t p = 0; ok && !map->joins && p < map->nparts; p++) {
        ok = is_right(&s, &s.parts[p]);
    }
    return ok;
}
