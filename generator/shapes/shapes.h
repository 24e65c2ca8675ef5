/* shapes: a graph in, facts out. One pass over a model in the order of its file works out shapes,
 * element types and small values together, by rules in Lua, one for each operator. What cannot be
 * known is kept as partly known, with the reason. A watcher is told of every node. */
#ifndef SG_SHAPES_SHAPES_H
#define SG_SHAPES_SHAPES_H

#include "base/diag.h"
#include "shapes/fact.h"
#include "shapes/graph.h"
#include "shapes/said.h"
#include "split/nameset.h"

/* The nodes around a place, from within to without. */
typedef struct sg_infer_path {
    const struct sg_infer_path *outer;
    const sg_graph_node *node;
    int64_t depth;
} sg_infer_path;

/* A call of a function: what its attributes are. */
typedef struct sg_infer_call {
    const struct sg_infer_call *outer;
    const sg_graph_function *function;
    const sg_graph_node *node; /* that calls it, its own references replaced */
} sg_infer_call;

/* The names of one graph and what is known of them. */
typedef struct sg_infer_scope {
    const struct sg_infer_scope
        *outer; /* the graph around it; NULL for the model's and functions' */
    const sg_graph *graph;
    const sg_infer_path *path; /* NULL: the model's own graph */
    const sg_infer_call *call; /* NULL outside functions */
    sg_nameset names;          /* place in facts */
    const sg_fact **facts;     /* NULL: a parameter that was not given */
    int64_t count;
    int64_t capacity;
    sg_nameset infos;   /* name -> the first entry of declared */
    int64_t *next_info; /* the next entry of the same name, or -1 */
    const sg_graph_info **declared;
    int64_t ndeclared;
    void *watched; /* what the watcher keeps of this graph; NULL at first */
} sg_infer_scope;

typedef struct sg_infer sg_infer;

/* Who is told what comes out. Trial runs of a loop's body are not shown. Each function may be NULL.
 */
typedef struct sg_infer_watcher {
    void *context;
    /* A graph begins: its inputs and initializers are bound. */
    void (*began)(void *context, sg_infer *infer, sg_infer_scope *scope);
    /* A node has run, and its outputs are bound; those of graphs in it and of a function that it
     * calls before it. own: what its rule says against it, so that no run gets past it; NULL.
     * False: the watcher has enough, and inference ends. */
    bool (*ran)(void *context, sg_infer_scope *scope, const sg_graph_node *node,
                const sg_fact *const *inputs, sg_fact *const *outputs, sg_fact_fault *own);
    /* All nodes of a graph have run. */
    void (*finished)(void *context, sg_infer_scope *scope);
    /* A graph of an If never runs, as the condition is constant. */
    void (*dead)(void *context, const sg_graph_node *node, const sg_graph *branch);
} sg_infer_watcher;

/* Prepares to infer. All memory is the arena's. The lists in `said` get their `used`. */
sg_infer *sg_infer_new(sg_arena *arena, sg_diag *diag, const sg_graph_model *model,
                       const sg_said *said, const sg_infer_watcher *watcher);
/* Goes over the model once. False: reported; errors in the user's rules and a budget that is spent
 * (exit 5) are. *steps receives how many steps of Lua the rules have taken, in any case; NULL. */
bool sg_infer_run(sg_infer *infer, int64_t *steps) SG_CHECK;

/* What a name stands for; NULL for "" and for parameters that were not given. */
const sg_fact *sg_infer_find(sg_infer *infer, const sg_infer_scope *scope, const char *name);
/* The model's own function that a node calls; NULL: it is of an operator. */
const sg_graph_function *sg_infer_function(const sg_infer *infer, const sg_graph_node *node);
/* The function whose body the graph of a scope is; NULL: it is another graph. */
const sg_graph_function *sg_infer_scope_function(const sg_infer_scope *scope);
/* What users call the nodes around a place, outermost first: their names, else their operators.
 * path->depth of them; none for NULL. */
const char **sg_infer_path_names(sg_arena *arena, const sg_infer_path *path);
/* The place of the tensor that a SequenceAt takes; -1 where it is not known. */
int64_t sg_infer_element(const sg_graph_node *node, const sg_fact *const *inputs);

/* Whether a dim of that name is open, one of the model's inputs, or what is said to be open. */
bool sg_infer_is_open(const sg_infer *infer, const char *name);
bool sg_infer_is_symbol(const sg_infer *infer, const char *name);
bool sg_infer_is_opened(const sg_infer *infer, const char *name);
/* The number that is expected of an open dim, a product or sum of them; 1 where nothing is said, or
 * it does not fit. */
int64_t sg_infer_expected(const sg_infer *infer, const char *factor);
/* Whether a dim of a tensor is a number, or may be a parameter of a kernel. */
bool sg_infer_may_stay(const sg_infer *infer, const sg_fact *fact, int64_t dim);
/* A name for one more dim that has none. */
sg_fact_entry sg_infer_nameless(sg_infer *infer);

/* How many nodes have run, with those that count as several: the order of what a watcher sees. */
int64_t sg_infer_visits(const sg_infer *infer);
/* Counts that so many tensors were looked at. */
void sg_infer_look(sg_infer *infer, int64_t tensors);

/* The first fault among what a node reads; NULL. A tensor that does not exist is the fault of the
 * node. */
sg_fact_fault *sg_infer_fault_among(const sg_graph_node *node, const sg_fact *const *inputs);

/* An option as a shell and the tool read it; value: NULL for none. */
const char *sg_infer_option(sg_arena *arena, const char *option, const char *name,
                            const char *value);

#endif
