/* Stable text of plans over bits, for --dump. */
#include <inttypes.h>

#include "plan/bits.h"

void sg_bits_dump_layout(sg_buf *out, const sg_plan *plan)
{
    const sg_bits *bits = plan->bits;
    sg_buf_printf(out, "layout %s rows %" PRId64 " row_bits %" PRId64 " order %s\n",
                  plan->split->name, bits->rows, bits->row_bits,
                  sg_packing_name(plan->split->packing));
    for (int64_t c = 0; c < bits->ncolumns; ++c) {
        const sg_bit_column *column = &bits->columns[c];
        sg_buf_printf(out, "  column %" PRId64 " output %" PRId64 " offset %" PRId64 " bits", c,
                      column->output, column->offset);
        sg_buf_printf(out, " width %" PRId64 " bits\n", column->width);
    }
}

static void dump_op(sg_buf *out, const sg_bit_segment *segment, const sg_bit_op *op)
{
    sg_buf_printf(out, "      %s %" PRId64 "  out%" PRId64 "+%" PRId64 " <-",
                  op->op == SG_BIT_RUN ? "run" : "word", op->bytes, op->column, op->dst);
    if (op->op == SG_BIT_RUN) {
        sg_buf_printf(out, " in+%" PRId64 ".%" PRId64 "\n", op->src / 8, op->src % 8);
        return;
    }
    for (int64_t i = 0; i < op->npieces; ++i) {
        const sg_bit_piece *piece = &segment->pieces[op->first + i];
        sg_buf_printf(out, "%s in+%" PRId64, i > 0 ? " |" : "", piece->src);
        sg_buf_printf(out, ":%d & 0x%" PRIx64 " at %d", piece->bytes, piece->mask, piece->shift);
    }
    sg_buf_addc(out, '\n');
}

static void dump_segment(sg_buf *out, const char *title, const sg_bit_segment *segment,
                         int64_t trips)
{
    if (segment->rows == 0) {
        return;
    }
    sg_buf_printf(out, "  %s rows %" PRId64 " trips %" PRId64, title, segment->rows, trips);
    sg_buf_printf(out, " blocks %" PRId64 "\n", segment->nblocks);
    for (int64_t b = 0; b < segment->nblocks; ++b) {
        const sg_block *block = &segment->blocks[b];
        sg_buf_printf(out, "    block %" PRId64 "\n", b);
        for (int64_t i = block->first; i < block->first + block->count; ++i) {
            dump_op(out, segment, &segment->ops[i]);
        }
    }
}

static void dump_lanes(sg_buf *out, const char *name, const uint8_t *lanes, int64_t n)
{
    sg_buf_printf(out, " %s ", name);
    for (int64_t i = 0; i < n; ++i) {
        sg_buf_printf(out, "%s%d", i > 0 ? "," : "", lanes[i]);
    }
}

static void dump_windows(sg_buf *out, const sg_bits *bits)
{
    for (int64_t c = 0; bits->windows != NULL && c < bits->ncolumns; ++c) {
        const sg_bit_window *window = &bits->windows[c];
        for (int64_t s = 0; s < window->nslots; ++s) {
            const sg_bit_slot *slot = &window->slots[s];
            sg_buf_printf(out, "  window out%" PRId64 " bytes %" PRId64, c, window->bytes);
            dump_lanes(out, "first", slot->first, window->bytes);
            dump_lanes(out, "second", slot->second, window->bytes);
            dump_lanes(out, "shift", slot->shift, window->bytes);
            dump_lanes(out, "mask", slot->mask, window->bytes);
            sg_buf_addc(out, '\n');
        }
    }
}

void sg_bits_dump_program(sg_buf *out, const sg_plan *plan)
{
    sg_buf_printf(out, "program %s\n", plan->split->name);
    dump_segment(out, "group", &plan->bits->group, plan->bits->groups);
    dump_windows(out, plan->bits);
    dump_segment(out, "tail", &plan->bits->tail, 1);
}
