/* Programs over bits, as templates need them. Streams become words of the machine: the first bit of
 * an lsb stream is the lowest, that of an msb stream the highest. No decisions. */
#include <inttypes.h>

#include "emit/model.h"
#include "plan/bits/bit_program.h"
#include "plan/choose/choices.h"
#include "plan/insn.h"
#include "plan/layout.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"
#include "plan/report/dump.h"

static uint64_t reversed(uint64_t x)
{
    uint64_t y = 0;
    for (int bit = 0; bit < 64; ++bit) {
        y |= (x >> bit & 1) << (63 - bit);
    }
    return y;
}

static int ones(uint64_t mask)
{
    int n = 0;
    for (; mask != 0; mask &= mask - 1) {
        ++n;
    }
    return n;
}

static int lowest(uint64_t mask)
{
    int bit = 0;
    while ((mask >> bit & 1) == 0) {
        ++bit;
    }
    return bit;
}

static const char *hex(sg_arena *arena, uint64_t value)
{
    return sg_arena_printf(arena, value >> 32 != 0 ? "UINT64_C(0x%" PRIx64 ")" : "0x%" PRIx64 "U",
                           value);
}

/* The steps that compress the bits of a mask to the low end, by powers of two (Warren, Hacker's
 * Delight, 7-4). `gaps` marks the zeros to be removed; a bit moves if an odd number of them is
 * below it. */
static void build_steps(sg_arena *arena, uint64_t mask, sg_model_bit_piece *to)
{
    uint64_t gaps = ~mask << 1;
    to->steps = SG_NEW_ARRAY(arena, sg_model_bit_step, 6);
    for (int distance = 1; distance < 64; distance *= 2) {
        uint64_t odd = gaps;
        for (int shift = 1; shift < 64; shift *= 2) {
            odd ^= odd << shift;
        }
        const uint64_t moved = odd & mask;
        if (moved != 0) {
            to->steps[to->nsteps++] =
                (sg_model_bit_step){.mask = hex(arena, moved), .distance = distance};
        }
        mask = (mask ^ moved) | moved >> distance;
        gaps &= ~odd;
    }
}

/* The pointer that a place is relative to. */
static const char *pointer_of(sg_arena *arena, const sg_map *map, const sg_ref *ref)
{
    if (ref->part == SG_WHOLE) {
        return map->joins ? "out" : "in";
    }
    return sg_arena_printf(arena, "%s%" PRId64, map->joins ? "in" : "out",
                           map->parts[ref->part].tensor);
}

static void build_piece(sg_arena *arena, const sg_plan *plan, const sg_bit_op *op,
                        const sg_bit_piece *from, sg_model_bit_piece *to)
{
    const sg_bits *bits = plan->bits;
    const int n = ones(from->mask);
    const uint64_t mask = bits->msb ? reversed(from->mask) : from->mask;
    const int low = lowest(mask);
    to->from = pointer_of(arena, &plan->map, &from->from);
    to->src = from->from.at;
    to->bytes = from->bytes;
    to->left = bits->msb ? 64 - from->shift - n : from->shift;
    to->mask = "";
    if (n < 64 && mask >> low != (UINT64_C(1) << n) - 1) {
        to->is_pick = true;
        to->mask = hex(arena, mask);
        build_steps(arena, mask, to);
        return;
    }
    to->right = low;
    /* Bits above the wanted ones need no mask if none were loaded, or if the shift or the store
     * drops them. */
    const int loaded = bits->msb ? 64 : 8 * from->bytes;
    const int kept = bits->msb ? 64 : (int)(8 * op->bytes);
    if (low + n < loaded && to->left + n < kept) {
        to->mask = hex(arena, (UINT64_C(1) << n) - 1);
    }
}

static void build_op(sg_arena *arena, const sg_plan *plan, const sg_bit_segment *segment,
                     const sg_bit_op *from, sg_model_bit_op *to)
{
    to->to = pointer_of(arena, &plan->map, &from->to);
    to->dst = from->to.at;
    to->bytes = from->bytes;
    to->from = "";
    if (from->op == SG_BIT_RUN) {
        to->op = "run";
        to->from = pointer_of(arena, &plan->map, &from->from);
        to->src = from->from.at;
        to->shift = from->shift;
        return;
    }
    to->op = "word";
    to->npieces = from->npieces;
    to->pieces = SG_NEW_ARRAY(arena, sg_model_bit_piece, from->npieces);
    for (int64_t i = 0; i < from->npieces; ++i) {
        build_piece(arena, plan, from, &segment->pieces[from->first + i], &to->pieces[i]);
    }
}

/* Marks the parts that an operation writes or reads. */
static void find_parts(const sg_plan *plan, const sg_bit_segment *segment, const sg_bit_op *op,
                       bool *used)
{
    const bool is_run = op->op == SG_BIT_RUN;
    if (op->to.part != SG_WHOLE) {
        used[plan->map.parts[op->to.part].tensor] = true;
    }
    if (is_run && op->from.part != SG_WHOLE) {
        used[plan->map.parts[op->from.part].tensor] = true;
    }
    for (int64_t i = 0; !is_run && i < op->npieces; ++i) {
        const sg_ref *from = &segment->pieces[op->first + i].from;
        if (from->part != SG_WHOLE) {
            used[plan->map.parts[from->part].tensor] = true;
        }
    }
}

static void build_block(sg_arena *arena, const sg_model_kernel *kernel,
                        const sg_bit_segment *segment, const sg_block *from, sg_model_bit_block *to)
{
    bool *used = SG_NEW_ARRAY(arena, bool, kernel->noutputs);
    to->nops = from->count;
    to->ops = SG_NEW_ARRAY(arena, sg_model_bit_op, from->count);
    to->parts = SG_NEW_ARRAY(arena, sg_model_output *, kernel->noutputs);
    for (int64_t i = 0; i < from->count; ++i) {
        const sg_bit_op *op = &segment->ops[from->first + i];
        build_op(arena, kernel->plan, segment, op, &to->ops[i]);
        to->has_words = to->has_words || op->op == SG_BIT_WORD;
        for (int64_t p = 0; p < to->ops[i].npieces; ++p) {
            to->has_picks = to->has_picks || to->ops[i].pieces[p].is_pick;
        }
        find_parts(kernel->plan, segment, op, used);
    }
    for (int64_t o = 0; o < kernel->noutputs; ++o) {
        if (used[o]) {
            to->parts[to->nparts++] = &kernel->outputs[o];
        }
    }
}

static sg_model_bit_block *build_blocks(sg_arena *arena, const sg_model_kernel *kernel,
                                        const sg_bit_segment *segment, const char *word)
{
    sg_model_bit_block *blocks = SG_NEW_ARRAY(arena, sg_model_bit_block, segment->nblocks);
    for (int64_t i = 0; i < segment->nblocks; ++i) {
        blocks[i].symbol = segment->nblocks == 1
                               ? sg_arena_printf(arena, "%s_%s", kernel->helper, word)
                               : sg_arena_printf(arena, "%s_%s%" PRId64, kernel->helper, word, i);
        build_block(arena, kernel, segment, &segment->blocks[i], &blocks[i]);
    }
    return blocks;
}

/* The functions of a variant. */
static void build_body(sg_arena *arena, const sg_model_kernel *kernel, int64_t number,
                       sg_model_bits *made)
{
    sg_model_bit_body *to = &made->bodies[number];
    to->symbol = sg_arena_printf(arena, "%s_bits%s", kernel->helper,
                                 to->suffix[0] != '\0' ? to->suffix : "_portable");
}

/* The dispatch table. */
static void spell_choices(sg_arena *arena, sg_model_kernel *kernel, const sg_model_bits *made)
{
    const sg_plan *plan = kernel->plan;
    const sg_choice *rows = plan->choices;
    kernel->groups = SG_NEW_ARRAY(arena, sg_model_group, plan->nchoices);
    while (rows->body != SG_CHOICE_PORTABLE) {
        const sg_model_bit_body *body = &made->bodies[rows->body];
        sg_model_group *group = &kernel->groups[kernel->ngroups++];
        group->bit_body = body;
        const sg_bit_body number = plan->bits->bodies[rows->body];
        group->isa = number == SG_BIT_PEXT ? "PEXT" : sg_bit_body_isa(number)->cpu;
        rows += sg_model_choices(arena, plan, rows, body->symbol, group);
    }
}

void sg_model_bits_build(sg_arena *arena, sg_model_kernel *kernel)
{
    static const sg_model_bit_body bodies[] = {
#define BODY(number, suffix_of_symbols, target, pext, run_suffix, bits)                            \
    [number] = {.suffix = suffix_of_symbols,                                                       \
                .isa = target,                                                                     \
                .has_pext = pext,                                                                  \
                .run = run_suffix,                                                                 \
                .cpu = bits}
        BODY(SG_BIT_PORTABLE, "", "", false, "", ""),
        BODY(SG_BIT_PEXT, "_pext", "PEXT", true, "", "SPLITGEN_CPU_PEXT"),
        BODY(SG_BIT_AVX2, "_avx2", "BITS_AVX2", true, "_avx2", "SPLITGEN_BITS_AVX2"),
        BODY(SG_BIT_AVX512, "_avx512", "BITS_AVX512", true, "_avx512", "SPLITGEN_BITS_AVX512"),
#undef BODY
    };
    const sg_bits *from = kernel->plan->bits;
    sg_model_bits *to = SG_NEW(arena, sg_model_bits);
    to->order = from->msb ? "msb" : "lsb";
    to->rows = kernel->plan->map.rows / kernel->plan->split->items;
    to->group_rows = from->group_rows;
    to->has_groups = from->groups > 0;
    to->has_tail = from->tail.rows > 0;
    to->tail_group = from->groups;
    to->tail_rows = from->tail.rows;
    to->group_bytes = sg_bits_bytes(from->group_rows, kernel->plan->map.row_stride);
    to->ngroup = from->group.nblocks;
    to->group = build_blocks(arena, kernel, &from->group, "group");
    to->ntail = from->tail.nblocks;
    to->tail = build_blocks(arena, kernel, &from->tail, "tail");
    to->nbodies = from->nbodies;
    to->bodies = SG_NEW_ARRAY(arena, sg_model_bit_body, from->nbodies);
    for (int64_t i = 0; i < from->nbodies; ++i) {
        to->bodies[i] = bodies[from->bodies[i]];
        to->bodies[i].title = sg_bit_body_title(from->bodies[i]);
        build_body(arena, kernel, i, to);
    }
    kernel->bits = to;
    spell_choices(arena, kernel, to);
}
