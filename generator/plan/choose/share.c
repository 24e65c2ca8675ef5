/* Whether a kernel's code can serve another plan: a model splits the same shape in layer after
 * layer, and the code is needed only once. */
#include "plan/choose/share.h"

#include <string.h>

#include "plan/bits/bit_program.h"
#include "plan/layout.h"
#include "plan/plan.h"

static bool same_type(const sg_plan *a, const sg_plan *b)
{
    const char *of_a = sg_dtype_get(a->split->dtype)->c_type;
    const char *of_b = sg_dtype_get(b->split->dtype)->c_type;
    return strcmp(of_a, of_b) == 0;
}

static bool code_has_moves(const sg_code *code)
{
    for (int64_t i = 0; i < code->ninsns; ++i) {
        if (code->insns[i].op == SG_INSN_MOVE) {
            return true;
        }
    }
    return false;
}

/* Whether elements are moved by assignment, whose C type must not access memory of another type. */
static bool has_moves(const sg_plan *plan)
{
    return code_has_moves(&plan->row) || code_has_moves(&plan->iteration);
}

static bool is_pointers(const sg_plan *plan)
{
    return sg_dtype_get(plan->split->dtype)->kind == SG_DTYPE_KIND_PTR;
}

/* Whether both parts are parameters, or are at the same place of the same source, and neither is a
 * constant. */
static bool same_pointer(const sg_plan *of_a, const sg_part *a, const sg_plan *of_b,
                         const sg_part *b)
{
    const bool piece = a->source != NULL && b->source != NULL;
    return a->view_only == b->view_only && a->data == NULL && b->data == NULL &&
           (a->source == NULL) == (b->source == NULL) && a->at == b->at &&
           (!piece || a->source - of_a->split->sources == b->source - of_b->split->sources);
}

/* Compares outputs. Empty outputs are parameters too; outputs that are only views are not. */
static bool same_outputs(const sg_plan *a, const sg_plan *b)
{
    if (a->noutputs != b->noutputs) {
        return false;
    }
    for (int64_t o = 0; o < a->noutputs; ++o) {
        if (a->outputs[o].column != b->outputs[o].column ||
            !same_pointer(a, a->outputs[o].part, b, b->outputs[o].part)) {
            return false;
        }
    }
    return true;
}

/* Whether the kernels take the same dynamic dimensions, each equally often a factor of rows and of
 * sizes, so that the arguments of one fit the other. */
static bool same_numbers(const sg_split *a, const sg_split *b)
{
    bool same = a->nopen == b->nopen;
    for (int o = 0; same && o < a->nopen; ++o) {
        same = sg_split_powers(a, 0, a->axis, o) == sg_split_powers(b, 0, b->axis, o) &&
               sg_split_powers(a, a->axis, a->rank, o) == sg_split_powers(b, b->axis, b->rank, o);
    }
    return same;
}

/* Whether a's code does all that b's kernel needs. */
static bool does(const sg_plan *a, const sg_plan *b)
{
    return a->kind != SG_PLAN_EMPTY && a->split->bytes == b->split->bytes &&
           a->split->items == b->split->items && a->split->behind == b->split->behind &&
           same_numbers(a->split, b->split) && a->split->element_bits == b->split->element_bits &&
           a->split->packing == b->split->packing && is_pointers(a) == is_pointers(b) &&
           sg_map_same(&a->map, &b->map) && same_outputs(a, b) &&
           (same_type(a, b) || !has_moves(a));
}

void sg_plan_share(const sg_plan *const *plans, int64_t count, int64_t *codes)
{
    for (int64_t i = 0; i < count; ++i) {
        codes[i] = i;
        for (int64_t k = 0; codes[i] == i && k < i; ++k) {
            if (codes[k] == k && does(plans[k], plans[i])) {
                codes[i] = k;
            }
        }
    }
}
