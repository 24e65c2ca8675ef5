/* Programs over bits in the spelling templates need: streams become words of the machine, where the
 * first bit of an lsb stream is the lowest and that of an msb stream the highest. No decisions. */
#include <inttypes.h>
#include <string.h>

#include "emit/model.h"
#include "plan/bits.h"

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
    return sg_arena_printf(arena, value >> 32 != 0 ? "UINT64_C(0x%" PRIx64 ")" : "0x%" PRIx64,
                           value);
}

/* The steps that move the bits of a mask together at the low end, by powers of two (Warren,
 * Hacker's Delight, 7-4). `gaps` has the bits below which the number of places to go is still odd.
 */
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

static void build_piece(sg_arena *arena, const sg_bits *bits, const sg_bit_op *op,
                        const sg_bit_piece *from, sg_model_bit_piece *to)
{
    const int n = ones(from->mask);
    const uint64_t mask = bits->msb ? reversed(from->mask) : from->mask;
    const int low = lowest(mask);
    to->src = from->src;
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
    /* Bits above those wanted: none were loaded, or the shift up or the store drops them. */
    const int loaded = bits->msb ? 64 : 8 * from->bytes;
    const int kept = bits->msb ? 64 : (int)(8 * op->bytes);
    if (low + n < loaded && to->left + n < kept) {
        to->mask = hex(arena, (UINT64_C(1) << n) - 1);
    }
}

static void build_op(sg_arena *arena, const sg_bits *bits, const sg_bit_segment *segment,
                     const sg_bit_op *from, sg_model_bit_op *to)
{
    to->index = bits->columns[from->column].output;
    to->dst = from->dst;
    to->bytes = from->bytes;
    if (from->op == SG_BIT_RUN) {
        to->op = "run";
        to->src = from->src / 8;
        to->shift = from->src % 8;
        return;
    }
    to->op = "word";
    to->npieces = from->npieces;
    to->pieces = SG_NEW_ARRAY(arena, sg_model_bit_piece, from->npieces);
    for (int64_t i = 0; i < from->npieces; ++i) {
        build_piece(arena, bits, from, &segment->pieces[from->first + i], &to->pieces[i]);
    }
}

static void build_block(sg_arena *arena, const sg_model_kernel *kernel,
                        const sg_bit_segment *segment, const sg_block *from, sg_model_bit_block *to)
{
    const sg_bits *bits = kernel->plan->bits;
    to->nops = from->count;
    to->ops = SG_NEW_ARRAY(arena, sg_model_bit_op, from->count);
    to->outputs = SG_NEW_ARRAY(arena, const sg_model_output *, from->count);
    for (int64_t i = 0; i < from->count; ++i) {
        const sg_bit_op *op = &segment->ops[from->first + i];
        build_op(arena, bits, segment, op, &to->ops[i]);
        to->has_words = to->has_words || op->op == SG_BIT_WORD;
        for (int64_t p = 0; p < to->ops[i].npieces; ++p) {
            to->has_picks = to->has_picks || to->ops[i].pieces[p].is_pick;
        }
        /* Operations come column by column, and columns in the order of the outputs. */
        const sg_model_output *output = &kernel->outputs[to->ops[i].index];
        if (to->noutputs == 0 || to->outputs[to->noutputs - 1] != output) {
            to->outputs[to->noutputs++] = output;
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

static const char *byte_mask(sg_arena *arena, int64_t bytes)
{
    return sg_arena_printf(arena, "UINT64_C(0x%" PRIx64 ")",
                           bytes < 64 ? (UINT64_C(1) << bytes) - 1 : UINT64_MAX);
}

/* In a lane of 16 bits the stream's first byte is the low one or, msb, the high one. */
static void build_slot(sg_arena *arena, bool msb, const sg_bit_window *window,
                       const sg_bit_slot *from, sg_model_bit_slot *to)
{
    const int64_t lanes = SG_BIT_VECTOR / 2;
    to->neven = to->nodd = to->nmask = SG_BIT_VECTOR;
    to->neven_right = to->nodd_left = lanes;
    to->even = SG_NEW_ARRAY(arena, int64_t, SG_BIT_VECTOR);
    to->odd = SG_NEW_ARRAY(arena, int64_t, SG_BIT_VECTOR);
    to->mask = SG_NEW_ARRAY(arena, int64_t, SG_BIT_VECTOR);
    to->even_right = SG_NEW_ARRAY(arena, int64_t, lanes);
    to->odd_left = SG_NEW_ARRAY(arena, int64_t, lanes);
    for (int64_t byte = 0; byte < window->bytes; ++byte) {
        const int64_t lane = byte / 2;
        const int64_t right = msb ? 8 - from->shift[byte] : from->shift[byte];
        int64_t *pair = byte % 2 == 0 ? &to->even[2 * lane] : &to->odd[2 * lane];
        pair[0] = msb ? from->second[byte] : from->first[byte];
        pair[1] = msb ? from->first[byte] : from->second[byte];
        if (byte % 2 == 0) {
            to->even_right[lane] = right;
        } else {
            to->odd_left[lane] = 8 - right;
        }
        const uint64_t mask = from->mask[byte];
        to->mask[byte] = (int64_t)(msb ? reversed(mask) >> 56 : mask);
        to->is_masked = to->is_masked || mask != 0xff;
    }
}

static void build_windows(sg_arena *arena, const sg_bits *from, sg_model_bits *to)
{
    to->load = byte_mask(arena, to->group_bytes);
    if (from->windows == NULL) {
        return;
    }
    int64_t number = 0;
    to->windows_behind = from->windows_behind;
    to->nwindows = from->ncolumns;
    to->windows = SG_NEW_ARRAY(arena, sg_model_bit_window, to->nwindows);
    for (int64_t c = 0; c < from->ncolumns; ++c) {
        const sg_bit_window *window = &from->windows[c];
        sg_model_bit_window *made = &to->windows[c];
        made->index = from->columns[c].output;
        made->store = byte_mask(arena, window->bytes);
        made->nslots = window->nslots;
        made->slots = SG_NEW_ARRAY(arena, sg_model_bit_slot, window->nslots);
        for (int64_t s = 0; s < window->nslots; ++s) {
            made->slots[s].number = number++;
            build_slot(arena, from->msb, window, &window->slots[s], &made->slots[s]);
        }
    }
}

void sg_model_bits_build(sg_arena *arena, sg_model_kernel *kernel)
{
    static const sg_model_bit_body bodies[] = {
        [SG_BIT_PORTABLE] = {"", "", false, "", "", false},
        [SG_BIT_VBMI] = {"_vbmi", "BITS_VBMI", true, "_avx512", "SPLITGEN_BITS_VBMI", true},
        [SG_BIT_PEXT] = {"_pext", "PEXT", true, "", "SPLITGEN_CPU_PEXT", false},
        [SG_BIT_AVX2] = {"_avx2", "BITS_AVX2", true, "_avx2", "SPLITGEN_BITS_AVX2", false},
        [SG_BIT_AVX512] = {"_avx512", "BITS_AVX512", true, "_avx512", "SPLITGEN_BITS_AVX512",
                           false},
    };
    const sg_bits *from = kernel->plan->bits;
    sg_model_bits *to = SG_NEW(arena, sg_model_bits);
    to->order = from->msb ? "msb" : "lsb";
    to->rows = from->rows;
    to->group_rows = from->group_rows;
    to->groups = from->groups;
    to->tail_rows = from->tail.rows;
    to->group_bytes = sg_bits_bytes(from->group_rows, from->row_bits);
    to->ngroup = from->group.nblocks;
    to->group = build_blocks(arena, kernel, &from->group, "group");
    build_windows(arena, from, to);
    to->ntail = from->tail.nblocks;
    to->tail = build_blocks(arena, kernel, &from->tail, "tail");
    to->nbodies = from->nbodies;
    to->bodies = SG_NEW_ARRAY(arena, sg_model_bit_body, from->nbodies);
    for (int64_t i = 0; i < from->nbodies; ++i) {
        to->bodies[i] = bodies[from->bodies[i]];
    }
    kernel->bits = to;
}
