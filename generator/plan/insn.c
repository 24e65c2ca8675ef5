/* Instructions of programs over bytes, one by one. */
#include "plan/insn.h"

#include "plan/plan.h"

sg_insn sg_insn_new(sg_opcode op)
{
    return (sg_insn){.op = op, .column = -1, .reg = -1, .a = -1, .b = -1, .constant = -1};
}

bool sg_insn_is_run(const sg_insn *insn)
{
    return insn->op <= SG_INSN_CALL || insn->op == SG_INSN_LINES;
}
