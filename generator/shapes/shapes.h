/* shapes: infers the facts of a graph. One pass over a model, in the order of its file, infers
 * shapes, element types and small values together, by one Lua rule for each operator. Whatever
 * cannot be inferred stays partly known, with the reason. A watcher is called for every node. */
#ifndef SG_SHAPES_SHAPES_H
#define SG_SHAPES_SHAPES_H

#include "base/diag.h"
#include "shapes/fact.h"
#include "shapes/graph.h"
#include "shapes/said.h"
#include "split/nameset.h"

/* The nodes that enclose a node, innermost first. */
typedef struct sg_infer_path {
    const struct sg_infer_path *outer;
    const sg_graph_node *node;
    int64_t depth;
} sg_infer_path;

/* A call of a function, which gives the values of its attributes. */
typedef struct sg_infer_call {
    const struct sg_infer_call *outer;
    const sg_graph_function *function;
    const sg_graph_node *node; /* the node that calls it, with its own references replaced */
} sg_infer_call;

/* The names of one graph and what is known about them. */
typedef struct sg_infer_scope {
    /* the enclosing graph; NULL for the graphs of the model and of functions */
    const struct sg_infer_scope *outer;
    const sg_graph *graph;
    const sg_infer_path *path; /* NULL: the model's own graph */
    const sg_infer_call *call; /* NULL outside functions */
    sg_nameset names;          /* name -> index in facts */
    const sg_fact **facts;     /* NULL: a parameter that was not given */
    int64_t count;
    int64_t capacity;
    sg_nameset infos;   /* name -> the first entry of declared */
    int64_t *next_info; /* the next entry of the same name, or -1 */
    const sg_graph_info **declared;
    int64_t ndeclared;
    void *watched; /* data of the watcher for this graph; NULL at first */
} sg_infer_scope;

typedef struct sg_infer sg_infer;

/* Callbacks during inference, not called in trial runs of a loop body. Each may be NULL. */
typedef struct sg_infer_watcher {
    void *context;
    /* A graph begins: its inputs and initializers are bound. */
    void (*began)(void *context, sg_infer *infer, sg_infer_scope *scope);
    /* A node has run and its outputs are bound; graphs in it and a function that it calls have run
     * before. own: its fault, if it fails in every run; NULL. */
    void (*ran)(void *context, sg_infer_scope *scope, const sg_graph_node *node,
                const sg_fact *const *inputs, sg_fact *const *outputs, sg_fact_fault *own);
    /* All nodes of a graph have run. */
    void (*finished)(void *context, sg_infer_scope *scope);
    /* A branch of an If never runs, because the condition is constant. */
    void (*dead)(void *context, const sg_graph_node *node, const sg_graph *branch);
} sg_infer_watcher;

/* Prepares inference. All memory belongs to the arena. Sets `used` in the lists of `said`. */
sg_infer *sg_infer_new(sg_arena *arena, sg_diag *diag, const sg_graph_model *model,
                       const sg_said *said, const sg_infer_watcher *watcher);
/* Infers the model in one pass. False: reported; reasons are errors in the user's rules and an
 * exhausted budget (exit 5). */
bool sg_infer_run(sg_infer *infer) SG_CHECK;

/* The fact that a name is bound to; NULL for "" and for parameters that were not given. */
const sg_fact *sg_infer_find(sg_infer *infer, const sg_infer_scope *scope, const char *name);
/* The function of the model that a node calls; NULL: the node is not a call. */
const sg_graph_function *sg_infer_function(const sg_infer *infer, const sg_graph_node *node);
/* The function whose body is the graph of this scope; NULL: it is another graph. */
const sg_graph_function *sg_infer_scope_function(const sg_infer_scope *scope);
/* The names for messages of the nodes on a path, outermost first: name, else operator. path->depth
 * of them; none for NULL. */
const char **sg_infer_path_names(sg_arena *arena, const sg_infer_path *path);
/* The index of the tensor that a SequenceAt selects; -1 if it is not known. */
int64_t sg_infer_element(const sg_graph_node *node, const sg_fact *const *inputs);

/* Whether a name is that of an open dim, of a dim of the model's inputs, or of a dim that an option
 * opens. */
bool sg_infer_is_open(const sg_infer *infer, const char *name);
bool sg_infer_is_symbol(const sg_infer *infer, const char *name);
bool sg_infer_is_opened(const sg_infer *infer, const char *name);
/* The expected number of an open dim, or of a product or sum of them; 1 if none is given or it does
 * not fit. */
int64_t sg_infer_expected(const sg_infer *infer, const sg_sum *size);
/* Whether a dim of a tensor is a number or can be a parameter of a kernel. */
bool sg_infer_may_stay(const sg_infer *infer, const sg_fact *fact, int64_t dim);
/* The size that follows from open dims and has this name; NULL: it is another name. */
const sg_sum_follower *sg_infer_follower(const sg_infer *infer, const char *name);
/* A new name for a nameless dim. */
sg_fact_entry sg_infer_nameless(sg_infer *infer);

/* The number of visits so far, in which some nodes count as several. It orders the calls of a
 * watcher. */
int64_t sg_infer_visits(const sg_infer *infer);
/* Counts the tensors that a caller has looked at toward the limit of visits. */
void sg_infer_look(sg_infer *infer, int64_t tensors);

/* The first fault among the inputs of a node; NULL. If a tensor does not exist, that is a fault of
 * the node. */
sg_fact_fault *sg_infer_fault_among(const sg_graph_node *node, const sg_fact *const *inputs);

/* An option, quoted for a shell, as the tool accepts it; value: NULL for none. */
const char *sg_infer_option(sg_arena *arena, const char *option, const char *name,
                            const char *value);

#endif
