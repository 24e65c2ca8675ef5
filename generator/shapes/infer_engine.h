/* infer_engine: what the parts of inference share. Only infer*.c include this. */
#ifndef SG_SHAPES_INFER_ENGINE_H
#define SG_SHAPES_INFER_ENGINE_H

#include "shapes/shapes.h"
#include "shapes/infer_rules.h"

#define SG_INFER_CONTRADICTIONS 8 /* more contradictions are only counted */

/* A named dim that the user leaves open. */
typedef struct sg_infer_opened {
    sg_graph_free free;
    sg_span span; /* the option that opens it */
} sg_infer_opened;

struct sg_infer {
    sg_arena *arena;
    sg_diag *diag;
    const sg_graph_model *model;
    const sg_said *said;
    const sg_infer_watcher *watcher;
    sg_rules rules;
    sg_nameset functions; /* "domain\1name\1overload" -> index in the model */
    sg_nameset defines;   /* name -> index in the options; so are the others */
    sg_nameset implied;   /* name of a dim -> index in sizes; from the shape given for an input that
                             has the dim */
    sg_fact_entry *sizes; /* numbers, or names of open dims */
    sg_nameset open;      /* name of an open dim -> index in opened */
    sg_infer_opened *opened;
    int64_t nopened;
    int64_t nameless; /* number of nameless input dims that are open */
    sg_nameset shapes;
    sg_nameset values;
    /* names of dims of the model's inputs; all other names are made from these */
    sg_nameset symbols;
    int64_t visits; /* number of node visits so far; nested function calls multiply them */
    int64_t max_visits;
    int64_t contradictions;
    int quiet;    /* above 0: a trial run of a body, without watcher calls and warnings */
    bool differs; /* the user gave an input another shape than the file, so what the file declares
                     for other tensors no longer holds */

    /* Called by the files that infer.c calls. */
    /* Runs the nodes of a scope whose inputs are bound. False: reported. */
    bool (*run)(sg_infer *infer, sg_infer_scope *scope);
};

/* Counts visits of nodes. False: over the limit, reported. */
bool sg_infer_visit(sg_infer *infer, int64_t visits, sg_span span) SG_CHECK;

/* The number of visits that looking at this many tensors counts for. A few tensors are free. */
int64_t sg_infer_looking(int64_t tensors);
/* The same for all declarations of a graph when it is run. */
int64_t sg_infer_declaring(const sg_graph *graph);

/* infer_engine.c */
void sg_infer_enter(sg_infer *infer, sg_infer_scope *scope, const sg_infer_scope *outer,
                    const sg_graph *graph, const sg_infer_path *path, const sg_infer_call *call);
/* What the user gives for a tensor, by its name or by an alias from the file; NULL. */
const sg_nameset_entry *sg_infer_given(const sg_nameset *given, const sg_infer_scope *scope,
                                       const char *name);
/* Binds a name to a fact without changes; NULL: nothing is known about it. */
void sg_infer_add(sg_infer *infer, sg_infer_scope *scope, const char *name, const sg_fact *fact);
/* Binds a name to a fact, which it takes over, and adds what the user and the file say. `checks`:
 * warn if the fact and the file disagree. */
bool sg_infer_bind(sg_infer *infer, sg_infer_scope *scope, const char *name, sg_fact *fact,
                   bool checks) SG_CHECK;
/* The path of the scope, extended by a node; NULL: nested too deep, reported. */
const sg_infer_path *sg_infer_path_into(sg_infer *infer, const sg_infer_scope *scope,
                                        const sg_graph_node *node);
sg_fact_cause *sg_infer_cause(sg_infer *infer, const char *tensor, const sg_graph_node *node,
                              const char *reason);

/* Indexes the functions of the model by name. */
void sg_infer_index_functions(sg_infer *infer);
/* infer_check.c: checks of the model that do not depend on shapes. Runs first. */
bool sg_infer_check(sg_infer *infer) SG_CHECK;

/* infer_attributes.c: checks that an attribute has the type in the table, and that an attribute of
 * a Split is one that Split has. function: the function that contains the node, or NULL. */
bool sg_infer_check_attribute(sg_infer *infer, const sg_graph_function *function,
                              const sg_graph_node *node,
                              const sg_graph_attribute *attribute) SG_CHECK;
/* The same for the argument of a function call; the message uses the name that the node has for
 * it. */
bool sg_infer_check_argument(sg_infer *infer, const sg_graph_node *node,
                             const sg_graph_attribute *reference,
                             const sg_graph_attribute *argument) SG_CHECK;
/* The node without the attributes and inputs that only other versions of its operator have; a
 * warning for each. */
const sg_graph_node *sg_infer_of_version(sg_infer *infer, const sg_graph_node *node);
/* Reports an attribute that the rule of a node has just read as another type. written: the node as
 * it is in the file; `node` has its references replaced by values. */
bool sg_infer_check_read(sg_infer *infer, const sg_graph_node *written,
                         const sg_graph_node *node) SG_CHECK;

/* infer_control.c: If, Loop, Scan and other nodes with subgraphs. *done: the outputs are set;
 * otherwise the Lua rule runs. */
bool sg_infer_control(sg_infer *infer, const sg_infer_scope *scope, const sg_graph_node *node,
                      const sg_fact *const *inputs, sg_fact **outputs, bool *done) SG_CHECK;

/* infer_open.c: open (dynamic) dims, which are passed at run time. */
/* Collects the open dims that the options name. False: the options contradict each other,
 * reported. */
bool sg_infer_index_open(sg_infer *infer) SG_CHECK;
/* Lets rules name the sizes that follow from open dims. */
void sg_infer_follow(sg_infer *infer);
/* What the user gives for a dim: a number, or the name of an open dim. */
sg_fact_entry sg_infer_said(const sg_infer *infer, int64_t number, sg_graph_free free);
sg_fact_entry sg_infer_said_of_dim(const sg_infer *infer, const sg_graph_given_shape *given,
                                   int64_t dim);
/* infer_fault.c: nodes that fail in every run. */
/* The fault that the error text of a rule means for this node. NULL if the rule may be stricter
 * than the runtimes that execute the model. */
sg_fact_fault *sg_infer_fault_new(sg_infer *infer, const sg_graph_node *node,
                                  const sg_fact *const *inputs, const char *reason);
/* infer_sequence.c */
/* Sets the output of a SequenceAt whose sequence is known; false: it is not one. */
bool sg_infer_sequence_at(sg_infer *infer, const sg_graph_node *node, const sg_fact *const *inputs,
                          sg_fact **outputs, const char **reason);

#endif
