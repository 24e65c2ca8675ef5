/* Instructions of programs, one by one. */
#include "plan/insn.h"

#include "plan/plan.h"

const sg_opcode_info *sg_opcode_get(sg_opcode op)
{
    static const sg_opcode_info rows[] = {
#define OPCODE(id, name, does, reads, constant, over, merges, port, cell)                          \
    [SG_INSN_##id] = {name,           SG_DOES_##does, reads,         SG_CONSTANT_##constant,       \
                      SG_OVER_##over, merges,         SG_BUSY_##port},
#include "plan/opcodes.inc"
#undef OPCODE
    };
    return &rows[op];
}

sg_insn sg_insn_new(sg_opcode op)
{
    return (sg_insn){.op = op, .column = -1, .reg = -1, .a = -1, .b = -1, .constant = -1};
}

bool sg_insn_is_run(const sg_insn *insn)
{
    return sg_opcode_get(insn->op)->does == SG_DOES_RUN;
}

int *sg_body_uses(sg_arena *arena, const sg_body *body)
{
    int *uses = SG_NEW_ARRAY(arena, int, body->registers);
    for (int64_t i = 0; i < body->ninsns; ++i) {
        const int reads[] = {body->insns[i].a, body->insns[i].b};
        for (int k = 0; k < sg_opcode_get(body->insns[i].op)->reads; ++k) {
            ++uses[reads[k]];
        }
    }
    return uses;
}
