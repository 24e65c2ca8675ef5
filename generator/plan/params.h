/* The parameters of a kernel's C function, and the tensor or number that each one stands for. This
 * is the only place that decides them: the C text, both kinds of JSON and the Python
 * module read it. */
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
    SG_PARAM_SOURCE, /* a tensor that has parts of a fused Concat as pieces */
    SG_PARAM_ARRAY,  /* an array of pointers that replaces the parts if there are many */
    SG_PARAM_NUMBER  /* a dynamic dimension, a size_t */
} sg_param_role;

typedef struct sg_param {
    sg_param_role role;
    bool passed; /* an argument of the C function; otherwise a part that is only a view or is in the
                    array */
    bool is_const;       /* the tensor is only read */
    bool may_be_null;    /* it has no bytes or is only a view */
    const char *name;    /* the user's name; for an array "inputs" or "outputs" */
    const char *c_name;  /* name of the C parameter unless it is taken */
    const char *tensor;  /* name in the model; NULL */
    const int64_t *dims; /* one per dimension of the tensor */
    int rank;
    int64_t bytes; /* of its elements, for dynamic dimensions of 1; 0 if it is no tensor */
    int64_t place; /* parts and sources: index into parts[] of the descriptor; else -1 */
    const sg_tensor_source *source; /* NULL: not a source */
    int64_t noutputs;
    int64_t *outputs; /* the plan's outputs that it stands for, ascending: one, or the pieces of a
                         source */
} sg_param;

/* Fills plan->params, in the order of the prototype, and the param and held fields of outputs.
 * Columns and array_params must be set. */
void sg_params_build(sg_arena *arena, struct sg_plan *plan);

const char *sg_param_role_name(sg_param_role role); /* "whole" */

#endif
