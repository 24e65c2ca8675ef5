/* The order of a network's instructions. The instructions themselves do not change. */
#include "plan/body/order.h"

#include "plan/body/vector_builder.h"
#include "plan/insn.h"
#include "plan/plan.h"

/* The last byte of the input that an instruction depends on. Its operands must be known. */
static int64_t needs(const sg_insn *insn, const int64_t *of_register, const int *uses)
{
    if (insn->op == SG_INSN_LOAD) {
        return uses[insn->reg] > 1 ? -1 : insn->from.at;
    }
    const int64_t a = of_register[insn->a];
    return insn->b >= 0 && of_register[insn->b] > a ? of_register[insn->b] : a;
}

/* Insertion sort from the end. It is stable, so operands stay before their uses. */
void sg_order_code(sg_vector_builder *vb)
{
    sg_code *code = vb->builder.code;
    const int *uses = sg_body_uses(vb->arena, code);
    int64_t *of_register = SG_NEW_ARRAY(vb->arena, int64_t, code->registers);
    int64_t *key = SG_NEW_ARRAY(vb->arena, int64_t, code->ninsns);
    sg_insn *sorted = SG_NEW_ARRAY(vb->arena, sg_insn, code->ninsns);
    for (int64_t i = 0; i < code->ninsns; ++i) {
        const sg_insn *insn = &code->insns[i];
        const int64_t need = needs(insn, of_register, uses);
        if (insn->reg >= 0) {
            of_register[insn->reg] = need < 0 ? insn->from.at : need;
        }
        int64_t at = i;
        for (; at > 0 && key[at - 1] > need; --at) {
            key[at] = key[at - 1];
            sorted[at] = sorted[at - 1];
        }
        key[at] = need;
        sorted[at] = *insn;
    }
    code->insns = sorted;
}
