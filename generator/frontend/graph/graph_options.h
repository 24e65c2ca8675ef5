/* What the user says about a model, besides the model. */
#ifndef SG_FRONTEND_GRAPH_GRAPH_OPTIONS_H
#define SG_FRONTEND_GRAPH_GRAPH_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/source.h"

/* A dim that is open keeps its name in inference, or the name it is given here; its expected number
 * is for the op. The lists of sg_graph_options belong to the caller; `used` is set where something
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

typedef struct sg_graph_glob {
    const char *text; /* '*': any bytes, '?': one */
    sg_span span;
    bool used;
} sg_graph_glob;

/* Which operators become ops: the words of --ops, X(enumerator, "word", "what it means"). One that
 * all others are part of is the last. */
#define SG_GRAPH_OPS(X)                                                                            \
    X(SG_GRAPH_OPS_SPLIT, "split", "Split and VariadicSplit nodes")                                \
    X(SG_GRAPH_OPS_SLICE, "slice", "families of Slices, Gathers and SequenceAts")                  \
    X(SG_GRAPH_OPS_CONCAT, "concat", "Concat nodes")                                               \
    X(SG_GRAPH_OPS_ALL, "all", "all of them")

typedef enum sg_graph_ops_word {
#define X(id, word, what) id,
    SG_GRAPH_OPS(X)
#undef X
        SG_GRAPH_OPS_COUNT
} sg_graph_ops_word;

/* Why nodes that cut a tensor form no slice group, and others that join none, for a reader. */
typedef struct sg_graph_apart {
    const char *text;
    sg_span span;
} sg_graph_apart;

#define SG_GRAPH_APART_MAX 8 /* so many are kept */

/* How many ops of each word a model has, whether they are made or not. */
typedef struct sg_graph_found {
    int64_t counts[SG_GRAPH_OPS_COUNT];
    sg_graph_apart apart[SG_GRAPH_APART_MAX]; /* where such ops are asked for */
    int64_t napart;                           /* all of them */
} sg_graph_found;

typedef struct sg_graph_options {
    bool open; /* every dim that has no number is open */
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
    uint32_t ops;          /* a bit for each sg_graph_ops_word; 0: Splits only */
    sg_graph_found *found; /* counts what models have; NULL: nobody asks */
    bool only_read;        /* leave outputs out that nothing in the model reads */
    bool skip_unresolved;  /* what is not known well enough is left out, with a warning */
    bool alone; /* nobody else makes ops: if nothing is left, that is an error all the same */
    int64_t rule_steps;            /* of Lua all rules may take together; 0: SG_GRAPH_RULE_STEPS */
    const char *rule_steps_option; /* that raises it; NULL: none does */
    int64_t max_ops; /* after more than these inference ends, as whoever asks takes no more; 0: any
                        number */
    const char *command; /* "splitgen --list", without what follows and what leaves single dims
                            open; NULL: there is none */
    const char *command_inputs; /* " model.onnx" */
    bool in_spec; /* said in a spec, to which belongs what is advised; what is wrong is no matter of
                     the command line then */
} sg_graph_options;

#define SG_GRAPH_RULE_STEPS 500000000 /* some seconds */
#define SG_GRAPH_CALL_STEPS 20000000  /* of them, one call of a rule */
#define SG_GRAPH_NESTING    64        /* of subgraphs and functions in each other */

/* One more is found, if anybody asks. */
void sg_graph_count(const sg_graph_options *options, sg_graph_ops_word word);

/* Whether options->ops has the word, or the one for all. */
bool sg_graph_takes(const sg_graph_options *options, sg_graph_ops_word word);

/* Whether a node or an op of that name is wanted, by options->only and except, which are marked. */
bool sg_graph_is_chosen(const sg_graph_options *options, const char *name);

#endif
