/* Builds an iteration of vectors over bits. */
#include "plan/bits/bit_writer.h"

#include "plan/bits/bit_program.h"
#include "plan/body/code_builder.h"
#include "plan/insn.h"
#include "plan/plan.h"

sg_bit_writer *sg_bit_writer_new(sg_arena *arena, const sg_map *map, bool msb)
{
    sg_bit_writer *w = SG_NEW(arena, sg_bit_writer);
    *w = (sg_bit_writer){.map = map, .msb = msb};
    w->builder = (sg_code_builder){.arena = arena,
                                   .code = &w->code,
                                   .lanes = SG_BIT_VECTOR,
                                   .exact = true,
                                   .insns_most = SG_BIT_INSNS_MAX,
                                   .constants_most = SG_BIT_CONSTANTS_MAX};
    sg_code_builder_clear(&w->builder);
    return w;
}

int sg_bit_load(sg_bit_writer *w, int64_t src)
{
    sg_insn insn = sg_insn_new(SG_INSN_LOAD);
    insn.from.at = src;
    insn.bytes = SG_BIT_VECTOR;
    return sg_code_builder_register(&w->builder, insn, NULL);
}

int sg_bit_alu(sg_bit_writer *w, sg_opcode op, int a, int b, const uint8_t *lanes)
{
    sg_insn insn = sg_insn_new(op);
    insn.a = a;
    insn.b = b;
    return sg_code_builder_register(&w->builder, insn, lanes);
}

void sg_bit_store(sg_bit_writer *w, int a, int64_t column, int64_t dst, int64_t bytes,
                  const uint8_t *lanes)
{
    sg_insn insn = sg_insn_new(lanes != NULL ? SG_INSN_TEST_TO_MASK : SG_INSN_STORE);
    insn.a = a;
    insn.to.part = column;
    insn.to.at = dst;
    insn.bytes = bytes;
    insn.constant = lanes != NULL ? sg_code_builder_constant(&w->builder, insn.op, lanes) : -1;
    sg_code_builder_append(&w->builder, insn);
    ++w->code.registers; /* a store uses up a number as well */
}

int64_t sg_bit_column_bytes(const sg_bit_writer *w, int64_t column)
{
    return 8 * w->in_bytes / w->map->row_stride * w->map->parts[column].width / 8;
}
