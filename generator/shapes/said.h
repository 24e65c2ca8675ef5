/* said: what the user says of a model's dims and tensors, besides the model. */
#ifndef SG_SHAPES_SAID_H
#define SG_SHAPES_SAID_H

#include <stdbool.h>
#include <stdint.h>

#include "base/source.h"

/* A dim that is open keeps its name in inference, or the name it is given here; its expected number
 * is for the op. The lists of sg_said belong to the caller; `used` is set where something
 * in the model was called so, whoever asked. Of equal names the last one counts; a shape without
 * type or dims has those of an earlier one. */
typedef struct sg_graph_free {
    const char *name; /* of a number that the program says when it runs; NULL: the dim has one */
    int64_t expected; /* at least 1 */
} sg_graph_free;

typedef struct sg_graph_define {
    const char *name;    /* of a symbolic dim */
    int64_t value;       /* not negative; of an open one the number that is expected */
    const char *problem; /* the value, which is no size: an error if a dim is called so. NULL */
    const char *text;    /* of a -D, whose name may end at an earlier '=' than the last; NULL */
    sg_graph_free free;
    const char *option; /* "--open", "--free", which are about models only; NULL: another way */
    sg_span span;
    bool used;
} sg_graph_define;

typedef struct sg_graph_given_shape {
    const char *tensor;         /* any, in any subgraph or function */
    int dtype;                  /* SG_GRAPH_DTYPE_UNKNOWN: as the model says */
    bool has_dims;              /* else only the type is given */
    int64_t *dims;              /* of open ones the number that is expected */
    const sg_graph_free *frees; /* of each dim; NULL: none is open */
    int64_t rank;
    sg_span span;
    bool used;
} sg_graph_given_shape;

typedef struct sg_graph_given_value {
    const char *tensor;
    const int64_t *values;
    int64_t count;
    sg_span span;
    bool used;
} sg_graph_given_value;

typedef struct sg_said {
    bool open; /* every dim that has no number is open */
    sg_graph_define *defines;
    int64_t ndefines;
    sg_graph_given_shape *shapes;
    int64_t nshapes;
    sg_graph_given_value *values;
    int64_t nvalues;
    const sg_source *rules;        /* the user's rules, in Lua; NULL */
    int64_t rule_steps;            /* of Lua all rules may take together; 0: SG_GRAPH_RULE_STEPS */
    const char *rule_steps_option; /* that raises it; NULL: none does */
} sg_said;

#define SG_GRAPH_RULE_STEPS 500000000 /* some seconds */
#define SG_GRAPH_CALL_STEPS 20000000  /* of them, one call of a rule */

#endif
