/* Names of ops that are no Splits'. They are given when all graphs have run, so that no Split has
 * another name because of them: those of families first, then those of Concats, each in graph
 * order. */
#include <stdlib.h>

#include "frontend/graph/infer_engine.h"
#include "split/names.h"

void sg_infer_name_later(sg_infer *infer, sg_infer_named named)
{
    infer->named = SG_GROWN(infer->arena, infer->named, infer->nnamed, infer->named_capacity);
    infer->named[infer->nnamed++] = named;
}

static int compare_named(const void *a, const void *b)
{
    const sg_infer_named *x = a;
    const sg_infer_named *y = b;
    return x->joins != y->joins ? (x->joins ? 1 : -1)
                                : (x->order > y->order) - (x->order < y->order);
}

void sg_infer_name(sg_infer *infer)
{
    if (infer->nnamed > 0) {
        qsort(infer->named, (size_t)infer->nnamed, sizeof infer->named[0], compare_named);
    }
    for (int64_t i = 0; i < infer->nnamed; ++i) {
        sg_op *op = infer->named[i].op;
        const char *stem = sg_name_from(infer->arena, sg_str_from(infer->named[i].name));
        const char *name = sg_nameset_unique(&infer->kernels, stem);
        if (op != NULL) {
            op->name = (sg_op_text){true, name, op->span};
            op->default_name = name;
            op->subject->name = name;
        }
    }
}
