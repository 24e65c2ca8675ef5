/* Copies plans over bits and changes one thing in the copy. It has no notion of a right plan. */
#include "mutate_bits.h"

#include <string.h>

#include "plan/bits/bit_program.h"
#include "plan/plan.h"

static void *copy(sg_arena *arena, const void *from, int64_t count, size_t size)
{
    void *to = sg_arena_array(arena, (size_t)count + 1, size);
    if (count > 0) {
        memcpy(to, from, (size_t)count * size);
    }
    return to;
}

static void copy_segment(sg_arena *arena, sg_bit_segment *s)
{
    s->ops = copy(arena, s->ops, s->nops, sizeof *s->ops);
    s->pieces = copy(arena, s->pieces, s->npieces, sizeof *s->pieces);
    s->blocks = copy(arena, s->blocks, s->nblocks, sizeof *s->blocks);
}

static void change(rng *r, int64_t *number)
{
    static const int64_t steps[] = {-1, 1, -1, 1, 2, -4, 4, 8, -16, 16, 64};
    static const int64_t values[] = {0, 1, -1, 3, INT64_MAX, INT64_MIN, INT64_MAX / 2};
    *number = rng_one_in(r, 6) ? RNG_PICK(r, values)
                               : (int64_t)((uint64_t)*number + (uint64_t)RNG_PICK(r, steps));
}

static void change_int(rng *r, int *number)
{
    int64_t wide = *number;
    change(r, &wide);
    *number = (int)(wide % 1000);
}

static const char *change_op(rng *r, sg_bit_segment *s)
{
    sg_bit_op *op = &s->ops[rng_in(r, 0, s->nops - 1)];
    switch (rng_in(r, 0, 7)) {
    case 0:
        change(r, rng_one_in(r, 2) ? &op->to.part : &op->from.part);
        return "part of an operation";
    case 1:
        change(r, &op->to.at);
        return "place of an operation";
    case 2:
        change(r, &op->bytes);
        return "bytes of an operation";
    case 3:
        change(r, &op->from.at);
        return "source of an operation";
    case 4:
        change(r, &op->first);
        return "pieces of an operation";
    case 5:
        change_int(r, &op->shift);
        return "shift of an operation";
    case 6:
        change(r, &op->npieces);
        return "number of pieces of an operation";
    default:
        *op = s->ops[rng_in(r, 0, s->nops - 1)];
        return "an operation";
    }
}

static const char *change_piece(rng *r, sg_bit_segment *s)
{
    sg_bit_piece *piece = &s->pieces[rng_in(r, 0, s->npieces - 1)];
    switch (rng_in(r, 0, 3)) {
    case 0:
        change(r, rng_one_in(r, 4) ? &piece->from.part : &piece->from.at);
        return "source of a piece";
    case 1:
        change_int(r, &piece->bytes);
        return "bytes of a piece";
    case 2:
        piece->mask ^= UINT64_C(1) << rng_in(r, 0, 63);
        return "mask of a piece";
    default:
        change_int(r, &piece->shift);
        return "shift of a piece";
    }
}

static const char *change_bits(rng *r, sg_map *map, sg_bits *bits)
{
    sg_bit_segment *s = bits->groups == 0 || rng_one_in(r, 3) ? &bits->tail : &bits->group;
    sg_map_part *column = &map->parts[rng_in(r, 0, map->nparts - 1)];
    if (s->nops > 0 && rng_one_in(r, 2)) {
        return change_op(r, s);
    }
    if (s->npieces > 0 && rng_one_in(r, 2)) {
        return change_piece(r, s);
    }
    switch (rng_in(r, 0, 7)) {
    case 0:
        change(r, &bits->groups);
        return "groups";
    case 1:
        change(r, &bits->group_rows);
        return "rows of a group";
    case 2:
        change(r, &map->row_stride);
        return "bits of a row";
    case 3:
        change(r, &column->width);
        return "width of a column";
    case 4:
        bits->msb = !bits->msb;
        return "order";
    case 5:
        s->nops -= s->nops > 0;
        return "one operation less";
    case 6:
        change(r, &column->tensor);
        return "output of a column";
    default:
        if (s->nblocks > 0) {
            change(r, &s->blocks[rng_in(r, 0, s->nblocks - 1)].count);
        }
        return "operations of a block";
    }
}

sg_plan *mutate_bits(sg_arena *arena, rng *r, const sg_plan *plan, const char **what)
{
    sg_plan *mutant = copy(arena, plan, 1, sizeof *plan);
    sg_bits *bits = copy(arena, plan->bits, 1, sizeof *bits);
    mutant->map.parts = copy(arena, plan->map.parts, plan->map.nparts, sizeof *plan->map.parts);
    copy_segment(arena, &bits->group);
    copy_segment(arena, &bits->tail);
    mutant->bits = bits;
    *what = change_bits(r, &mutant->map, bits);
    return mutant;
}
