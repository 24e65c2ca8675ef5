/* infer: the Splits of a model, with the shapes they have. One pass over the graph in the order of
 * the file works out shapes and small values together, by rules in Lua, one for each operator.
 * What cannot be known is kept as partly known, and is an error only where a Split needs it. */
#ifndef SG_FRONTEND_GRAPH_INFER_H
#define SG_FRONTEND_GRAPH_INFER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "frontend/graph/graph.h"
#include "split/op.h"

/* What the user says about a model. The lists belong to the caller; `used` is set where something
 * in the model was called so, whoever asked. Of equal names the last one counts; a
 * shape without type or dims has those of an earlier one. */
typedef struct sg_graph_free {
    const char *name; /* of a number that the program says when it runs; NULL: the dim has one */
    int64_t expected; /* at least 1 */
} sg_graph_free;

typedef struct sg_graph_define {
    const char *name;    /* of a symbolic dim */
    int64_t value;       /* not negative; of a free one the number it is taken for */
    const char *problem; /* the value, which is no size: an error if a dim is called so. NULL */
    const char *text;    /* of a -D, whose name may end at an earlier '=' than the last; NULL */
    sg_graph_free free;
    bool by_option; /* by --free, which is about models only */
    sg_span span;
    bool used;
} sg_graph_define;

typedef struct sg_graph_given_shape {
    const char *tensor;         /* any, in any subgraph or function */
    int dtype;                  /* SG_GRAPH_DTYPE_UNKNOWN: as the model says */
    bool has_dims;              /* else only the type is given */
    int64_t *dims;              /* of free ones the number they are taken for */
    const sg_graph_free *frees; /* of each dim; NULL: none is free */
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

typedef struct sg_graph_glob {
    const char *text; /* '*': any bytes, '?': one */
    sg_span span;
    bool used;
} sg_graph_glob;

typedef struct sg_graph_options {
    sg_graph_define *defines;
    int64_t ndefines;
    sg_graph_given_shape *shapes;
    int64_t nshapes;
    sg_graph_given_value *values;
    int64_t nvalues;
    const sg_source *rules; /* the user's rules, in Lua; NULL */
    sg_graph_glob *only; /* of names of nodes, of first outputs where they have none; none: all */
    int64_t nonly;
    sg_graph_glob *except;
    int64_t nexcept;
    bool only_read;             /* leave outputs out that nothing in the model reads */
    bool chains;                /* look for Splits of what others make: origin->feed */
    int64_t rule_steps;         /* of Lua all rules may take together; 0: SG_GRAPH_RULE_STEPS */
    const char *command;        /* "splitgen --list", without what follows; NULL: there is none */
    const char *command_inputs; /* " model.onnx" */
    bool in_spec; /* said in a spec, to which belongs what is advised; what is wrong is no matter of
                     the command line then */
} sg_graph_options;

#define SG_GRAPH_RULE_STEPS 4000000000 /* about half a minute */
#define SG_GRAPH_CALL_STEPS 20000000   /* of them, one call of a rule */
#define SG_GRAPH_NESTING    64         /* of subgraphs and functions in each other */

/* Appends an op for every Split of the model to `ops`, those of subgraphs and called functions
 * included, in the order of the graph, with names that are identifiers and unique; only those of
 * them that `options` choose, each with its origin. They belong to the arena and keep pointers into
 * the model.
 *
 * Dims that are a multiple of a free dim of the model are free in the ops, see infer_free.c.
 *
 * False: reported. Splits whose shape, axis or lengths stay unknown are an error, one for all that
 * lack the same, with what to say; so is one that depends on a free dim in another way, and errors
 * in the user's rules, and a budget that is spent (exit 5). *steps receives how many steps of Lua
 * the rules have taken, in any case; NULL. */
bool sg_graph_ops(sg_arena *arena, sg_diag *diag, const sg_graph_model *model,
                  const sg_graph_options *options, sg_op_array *ops, int64_t *steps) SG_CHECK;

/* Whether a node or an op of that name is wanted, by options->only and except, which are marked. */
bool sg_graph_is_chosen(const sg_graph_options *options, const char *name);

/* Reports shapes and values that were given for no tensor of the model, globs no Split matched and,
 * of a spec or --free, dims the model does not have, with what may have been meant. For after
 * sg_graph_ops, of the only model or the last. */
bool sg_graph_check_used(sg_arena *arena, sg_diag *diag, const sg_graph_model *model,
                         const sg_graph_options *options) SG_CHECK;

/* The dim of the model's inputs that a name nearly is; NULL. */
const char *sg_graph_suggest_dim(sg_arena *arena, const sg_graph_model *model, const char *name);

/* The built-in rules, as text, one file after the other; NULL behind the last. */
const char *sg_graph_rules_text(int64_t i, const char **name, size_t *len);

#endif
