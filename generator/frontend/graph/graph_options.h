/* What the user says about a model, besides the model. */
#ifndef SG_FRONTEND_GRAPH_GRAPH_OPTIONS_H
#define SG_FRONTEND_GRAPH_GRAPH_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/source.h"
#include "shapes/said.h"
#include "shapes/shapes.h"

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
    sg_said said;
    sg_graph_glob *only; /* of names of nodes, of first outputs where they have none; none: all */
    int64_t nonly;
    sg_graph_glob *except;
    int64_t nexcept;
    uint32_t ops;                 /* a bit for each sg_graph_ops_word; 0: Splits only */
    sg_graph_found *found;        /* counts what models have; NULL: nobody asks */
    const sg_infer_watcher *also; /* who is told of all nodes, too; NULL */
    bool only_read;               /* leave outputs out that nothing in the model reads */
    bool skip_unresolved;         /* what is not known well enough is left out, with a warning */
    bool alone;      /* nobody else makes ops: if nothing is left, that is an error all the same */
    int64_t max_ops; /* after more than these inference ends, as whoever asks takes no more; 0: any
                        number */
    const char *command; /* "splitgen --list", without what follows and what leaves single dims
                            open; NULL: there is none */
    const char *command_inputs; /* " model.onnx" */
    bool in_spec; /* said in a spec, to which belongs what is advised; what is wrong is no matter of
                     the command line then */
} sg_graph_options;

/* One more is found, if anybody asks. */
void sg_graph_count(const sg_graph_options *options, sg_graph_ops_word word);

/* Whether options->ops has the word, or the one for all. */
bool sg_graph_takes(const sg_graph_options *options, sg_graph_ops_word word);

/* Whether a node or an op of that name is wanted, by options->only and except, which are marked. */
bool sg_graph_is_chosen(const sg_graph_options *options, const char *name);

#endif
