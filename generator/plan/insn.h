/* Instructions of programs over bytes, one by one. */
#ifndef SG_PLAN_INSN_H
#define SG_PLAN_INSN_H

#include "plan/plan.h"

/* An instruction that names nothing yet: no column, register or constant. */
sg_insn sg_insn_new(sg_opcode op);

/* Whether it copies from memory to memory. */
bool sg_insn_is_run(const sg_insn *insn);

#endif
