/* Programs over bits: what their columns and instructions are. */
#include "plan/bits/bit_program.h"

#include "base/checked.h"

bool sg_bit_moves_bytes(const sg_bit_insn *insn)
{
    return insn->op == SG_BIT_PERMUTE || insn->op == SG_BIT_PICK;
}

int sg_bit_reads(const sg_bit_insn *insn)
{
    if (insn->op == SG_BIT_LOAD || insn->op == SG_BIT_ASK) {
        return 0;
    }
    return insn->op == SG_BIT_BLEND || insn->op == SG_BIT_SELECT ? 2 : 1;
}

int64_t sg_bits_bytes(int64_t rows, int64_t width)
{
    return sg_ceil_div64(rows * width, 8);
}

int64_t sg_bits_source(const sg_bits *bits, const sg_bit_column *column, int64_t at)
{
    return at / column->width * bits->row_bits + column->offset + at % column->width;
}
