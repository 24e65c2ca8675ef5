/* said: what the user gives for a model's dims and tensors on the command line. */
#ifndef SG_SHAPES_SAID_H
#define SG_SHAPES_SAID_H

#include <stdbool.h>
#include <stdint.h>

#include "base/source.h"

/* The dims, shapes and values that options give. An open dim keeps its name during inference, or
 * gets the name given here; its expected number is passed on to the op. The lists of sg_said belong
 * to the caller; `used` is set if the model contains the name, by any kind of lookup. The last of
 * equal names counts; a shape without type or dims takes them from an earlier one. */
typedef struct sg_graph_free {
    const char *name; /* of a number that is passed at run time; NULL: the dim is a number */
    int64_t expected; /* at least 1 */
} sg_graph_free;

typedef struct sg_graph_define {
    const char *name;    /* of a symbolic dim */
    int64_t value;       /* at least 0; of an open dim the expected number */
    const char *problem; /* the text of a value that is not a size, which is an error if a dim has
                            this name; NULL */
    const char *text;    /* of a -D; its name may end at a '=' before the last one; NULL */
    sg_graph_free free;
    /* "--open", which applies only to models; NULL: given in another way */
    const char *option;
    sg_span span;
    bool used;
} sg_graph_define;

typedef struct sg_graph_given_shape {
    const char *tensor;         /* in any subgraph or function */
    int dtype;                  /* SG_GRAPH_DTYPE_UNKNOWN: the model's type */
    bool has_dims;              /* false: only the type is given */
    int64_t *dims;              /* of open dims the expected number */
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
    bool open; /* all dims without a number are open */
    /* sizes that follow from open dims in a way that is no sum become names of their own */
    bool follows;
    sg_graph_define *defines;
    int64_t ndefines;
    sg_graph_given_shape *shapes;
    int64_t nshapes;
    sg_graph_given_value *values;
    int64_t nvalues;
    const sg_source *rules; /* the user's rules, in Lua; NULL */
} sg_said;

#endif
