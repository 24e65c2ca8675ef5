/* The parameters of a kernel's C function and what each of them stands for, as data of the plan.
 * This is the only place that decides them: the C text, --emit=map, both kinds of JSON and the
 * Python module read it. */
#ifndef SG_PLAN_PARAMS_H
#define SG_PLAN_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "split/split.h"

struct sg_plan;

typedef enum sg_param_role {
    SG_PARAM_WHOLE,
    SG_PARAM_PART,   /* an output of a Split or an input of a Concat */
    SG_PARAM_SOURCE, /* a tensor that parts of a fused Concat are pieces of */
    SG_PARAM_ARRAY,  /* an array of pointers in place of parts, where these are many */
    SG_PARAM_NUMBER  /* of open dimensions, a size_t */
} sg_param_role;

typedef struct sg_param {
    sg_param_role role;
    bool passed;      /* it is an argument of the C function. Else it is a part that is only a view,
                         or one that the array holds */
    bool is_const;    /* what it points to is only read */
    bool may_be_null; /* it has no bytes, or is only a view */
    const char *name; /* as the user knows it; of an array "inputs" or "outputs" */
    const char
        *c_name; /* what the C parameter is called unless something in the text has that name */
    const char *tensor;  /* as the model calls it; NULL */
    const int64_t *dims; /* as many as the tensor has */
    int rank;
    int64_t bytes; /* of its elements, of one item where dimensions are open; 0 of no tensor */
    int64_t place; /* of parts and sources: index into parts[] of the descriptor; else -1 */
    const sg_tensor_source *source; /* NULL: it is none */
    int64_t noutputs;
    int64_t
        *outputs; /* the plan's outputs that it stands for, rising: one, of a source its pieces */
} sg_param;

/* Fills in plan->params, in the order of the prototype, and what outputs say of theirs. To be
 * called when columns and array_params are known. */
void sg_params_build(sg_arena *arena, struct sg_plan *plan);

const char *sg_param_role_name(sg_param_role role); /* "whole" */

#endif
