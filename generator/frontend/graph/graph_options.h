/* What the user says about a model, on the command line or in a spec. */
#ifndef SG_FRONTEND_GRAPH_GRAPH_OPTIONS_H
#define SG_FRONTEND_GRAPH_GRAPH_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/source.h"
#include "shapes/said.h"
#include "shapes/shapes.h"

typedef struct sg_graph_glob {
    const char *text; /* '*' matches any bytes, '?' one */
    sg_span span;
    bool used;
} sg_graph_glob;

/* The operators that become ops: the words of --ops, X(enumerator, "word", "meaning"). A word that
 * includes all others is the last row. */
#define SG_GRAPH_OPS(X)                                                                            \
    X(SG_GRAPH_OPS_SPLIT, "split", "Split and VariadicSplit nodes")                                \
    X(SG_GRAPH_OPS_SLICE, "slice", "groups of Slices, Gathers and SequenceAts")                    \
    X(SG_GRAPH_OPS_CONCAT, "concat", "Concat nodes")                                               \
    X(SG_GRAPH_OPS_ALL, "all", "all of them")

typedef enum sg_graph_ops_word {
#define X(id, word, what) id,
    SG_GRAPH_OPS(X)
#undef X
        SG_GRAPH_OPS_COUNT
} sg_graph_ops_word;

/* Why a node is in no slice group or concat, for --list. */
typedef struct sg_graph_apart {
    const char *text;
    sg_span span;
} sg_graph_apart;

#define SG_GRAPH_APART_MAX 8 /* how many of these are kept */

/* How many ops of each word a model has, including those that the options exclude. */
typedef struct sg_graph_found {
    int64_t counts[SG_GRAPH_OPS_COUNT];
    sg_graph_apart apart[SG_GRAPH_APART_MAX]; /* only for operators in `ops` */
    int64_t napart;                           /* how many there are in the model */
} sg_graph_found;

/* An input and an output of a model that are one buffer (--cache): a Concat adds to the end of what
 * is in it. */
typedef struct sg_graph_cache {
    const char *pair; /* "PAST:PRESENT"; NULL: all that fit (auto) */
    /* elements of the buffer along the axis of the Concat; 0: as many as PRESENT has for the
     * expected numbers */
    int64_t capacity;
    sg_span span;
    bool used;
} sg_graph_cache;

typedef struct sg_graph_options {
    sg_said said;
    /* patterns for names of nodes, or of first outputs if a node has no name; none: all nodes */
    sg_graph_glob *only;
    int64_t nonly;
    sg_graph_glob *except;
    int64_t nexcept;
    sg_graph_cache *caches;
    int64_t ncaches;
    uint32_t ops;                 /* one bit for each sg_graph_ops_word; 0: Splits only */
    sg_graph_found *found;        /* counts what models have; may be NULL */
    const sg_infer_watcher *also; /* a second watcher that sees all nodes; may be NULL */
    bool only_read;               /* drop outputs that nothing in the model reads */
    /* drop an op whose sizes stay unknown, with a warning, instead of reporting an error */
    bool skip_unresolved;
    /* this is the only input: if it has no other ops, unresolved ones are errors */
    bool alone;
    /* what the user says about this model and no other, whose names it has to have; NULL: unknown,
     * because other inputs may have them */
    const struct sg_graph_options *own;
    /* to suggest: "splitgen --list", without options that open single dims; or NULL */
    const char *command;
    const char *command_inputs; /* its arguments: " model.onnx" */
    /* these options come from a spec: advice names fields of the spec, and a wrong name is an error
     * of the input (exit 1), not of the command line */
    bool in_spec;
} sg_graph_options;

/* Counts one op of the word, if options->found is set. */
void sg_graph_count(const sg_graph_options *options, sg_graph_ops_word word);

/* Whether options->ops has the word, or the word for all. */
bool sg_graph_takes(const sg_graph_options *options, sg_graph_ops_word word);

/* Whether options->only and except select a node or op of that name. Marks the patterns that match
 * as used. */
bool sg_graph_is_chosen(const sg_graph_options *options, const char *name);

#endif
