/* Stable text of plans over bits, for --dump. */
#include "plan/report/bits_dump.h"

#include <inttypes.h>

#include "plan/bits/bit_program.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"
#include "plan/report/dump_parts.h"

void sg_bits_dump_plan(sg_buf *out, const sg_bits *bits)
{
    sg_buf_printf(out, "  group_rows %" PRId64 " groups %" PRId64 "%s bodies", bits->group_rows,
                  bits->groups, bits->msb ? " msb" : "");
    for (int64_t b = 0; b < bits->nbodies; ++b) {
        sg_buf_printf(out, " %s", sg_bit_body_name(bits->bodies[b]));
    }
    sg_buf_addc(out, '\n');
}

static void dump_op(sg_buf *out, const sg_bit_segment *segment, const sg_bit_op *op)
{
    sg_buf_printf(out, "      %s %" PRId64 " ", op->op == SG_BIT_RUN ? "run" : "word", op->bytes);
    sg_dump_ref(out, "out", &op->to);
    sg_buf_addz(out, " <-");
    if (op->op == SG_BIT_RUN) {
        sg_dump_ref(out, "in", &op->from);
        sg_buf_printf(out, ".%d\n", op->shift);
        return;
    }
    for (int64_t i = 0; i < op->npieces; ++i) {
        const sg_bit_piece *piece = &segment->pieces[op->first + i];
        sg_buf_addz(out, i > 0 ? " |" : "");
        sg_dump_ref(out, "in", &piece->from);
        sg_buf_printf(out, ":%d & 0x%" PRIx64 " at %d", piece->bytes, piece->mask, piece->shift);
    }
    sg_buf_addc(out, '\n');
}

static void dump_segment(sg_buf *out, const char *title, const sg_bit_segment *segment,
                         int64_t iterations)
{
    if (segment->rows == 0) {
        return;
    }
    sg_buf_printf(out, "  %s rows %" PRId64 " iterations %" PRId64, title, segment->rows,
                  iterations);
    sg_buf_printf(out, " ops %" PRId64 " pieces %" PRId64, segment->nops, segment->npieces);
    sg_buf_printf(out, " blocks %" PRId64 "\n", segment->nblocks);
    for (int64_t b = 0; b < segment->nblocks; ++b) {
        const sg_block *block = &segment->blocks[b];
        sg_buf_printf(out, "    block %" PRId64 "\n", b);
        for (int64_t i = block->first; i < block->first + block->count; ++i) {
            dump_op(out, segment, &segment->ops[i]);
        }
    }
}

void sg_bits_dump_program(sg_buf *out, const sg_plan *plan)
{
    sg_buf_printf(out, "program %s\n", plan->split->name);
    const sg_bits *bits = plan->bits;
    dump_segment(out, "group", &bits->group, bits->groups);
    dump_segment(out, "tail", &bits->tail, 1);
}
