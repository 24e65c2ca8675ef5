/* Names slice groups and Concats. They are named after all graphs have run, so that they don't
 * change the names of Splits: first the slice groups, then the Concats, each in graph order. */
#include <stdlib.h>

#include "frontend/graph/ops_engine.h"
#include "split/names.h"

void sg_ops_name_later(sg_ops *ops, sg_ops_named named)
{
    ops->named = SG_GROWN(ops->arena, ops->named, ops->nnamed, ops->named_capacity);
    ops->named[ops->nnamed++] = named;
}

static int compare_named(const void *a, const void *b)
{
    const sg_ops_named *x = a;
    const sg_ops_named *y = b;
    return x->joins != y->joins ? (x->joins ? 1 : -1)
                                : (x->order > y->order) - (x->order < y->order);
}

void sg_ops_name(sg_ops *ops)
{
    if (ops->nnamed > 0) {
        qsort(ops->named, (size_t)ops->nnamed, sizeof ops->named[0], compare_named);
    }
    for (int64_t i = 0; i < ops->nnamed; ++i) {
        sg_op *op = ops->named[i].op;
        const char *stem = sg_name_from(ops->arena, sg_str_from(ops->named[i].name));
        const char *name = sg_nameset_unique(&ops->kernels, stem);
        if (op != NULL) {
            op->name = (sg_op_text){true, name, op->span};
            op->default_name = name;
            op->subject->name = name;
        }
    }
}
