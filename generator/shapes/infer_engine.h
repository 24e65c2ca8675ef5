/* infer_engine: what the parts of inference share. Only infer*.c include this. */
#ifndef SG_SHAPES_INFER_ENGINE_H
#define SG_SHAPES_INFER_ENGINE_H

#include "shapes/shapes.h"
#include "shapes/infer_rules.h"

#define SG_INFER_CONTRADICTIONS 8 /* of a file and the rules are shown one by one */

/* A dim that the user leaves open by its name. */
typedef struct sg_infer_opened {
    sg_graph_free free;
    sg_span span; /* where it is said to be */
} sg_infer_opened;

struct sg_infer {
    sg_arena *arena;
    sg_diag *diag;
    const sg_graph_model *model;
    const sg_said *said;
    const sg_infer_watcher *watcher;
    sg_rules rules;
    sg_nameset functions; /* "domain\1name\1overload" -> place in the model */
    sg_nameset defines;   /* name -> place in the options, and so on */
    sg_nameset implied; /* name of a dim -> place in sizes, by the shape given for an input that has
                           it */
    sg_fact_entry *sizes; /* numbers, or names of open dims */
    sg_nameset open;      /* name of an open dim -> place in opened */
    sg_infer_opened *opened;
    int64_t nopened;
    int64_t nameless; /* dims of inputs that have no name but are open all the same */
    sg_nameset shapes;
    sg_nameset values;
    sg_nameset symbols; /* names of dims of the model's inputs; others are only made from them */
    int64_t visits;     /* of nodes: functions that call each other multiply them */
    int64_t max_visits;
    int64_t contradictions;
    int quiet;    /* above 0: a trial run of a body, which is not shown and warns of nothing */
    bool enough;  /* the watcher wants no more */
    bool differs; /* the user gave an input another shape than the file: what the file says of the
                     others no longer holds */

    /* Functions of infer.c, for the files that it calls. */
    /* Runs the nodes of a scope whose inputs are bound. False: reported. */
    bool (*run)(sg_infer *infer, sg_infer_scope *scope);
};

/* Counts visits of nodes. False: there are too many, which is reported. */
bool sg_infer_visit(sg_infer *infer, int64_t visits, sg_span span) SG_CHECK;

/* As how many visits of nodes it counts that so many tensors are looked at: few of them are for
 * free.
 */
int64_t sg_infer_looking(int64_t tensors);
/* The same for all that a graph declares, when it is run. */
int64_t sg_infer_declaring(const sg_graph *graph);

/* infer_engine.c */
void sg_infer_enter(sg_infer *infer, sg_infer_scope *scope, const sg_infer_scope *outer,
                    const sg_graph *graph, const sg_infer_path *path, const sg_infer_call *call);
/* What the user gives for a tensor, by its name or another one the file has for it; NULL. */
const sg_nameset_entry *sg_infer_given(const sg_nameset *given, const sg_infer_scope *scope,
                                       const char *name);
/* Binds a name as it is; NULL: nothing was given for it. */
void sg_infer_add(sg_infer *infer, sg_infer_scope *scope, const char *name, const sg_fact *fact);
/* Binds a name, which fact is for from then on: what the user and the file say is added. `checks`:
 * contradictions between fact and file are worth a warning. */
bool sg_infer_bind(sg_infer *infer, sg_infer_scope *scope, const char *name, sg_fact *fact,
                   bool checks) SG_CHECK;
/* The way into a node; NULL: nested too deep, reported. */
const sg_infer_path *sg_infer_path_into(sg_infer *infer, const sg_infer_scope *scope,
                                        const sg_graph_node *node);
sg_fact_cause *sg_infer_cause(sg_infer *infer, const char *tensor, const sg_graph_node *node,
                              const char *reason);

/* Makes the functions of the model found by name. */
void sg_infer_index_functions(sg_infer *infer);
/* infer_check.c: whether the model means something, whatever its shapes are: in front of all else.
 */
bool sg_infer_check(sg_infer *infer) SG_CHECK;

/* infer_attributes.c: whether an attribute is of the type that the table has for it, and a Split's
 * one that a Split has. function: the one that the node stands in; NULL. */
bool sg_infer_check_attribute(sg_infer *infer, const sg_graph_function *function,
                              const sg_graph_node *node,
                              const sg_graph_attribute *attribute) SG_CHECK;
/* The same of one that a call of a function gives, by the name that the node has for it. */
bool sg_infer_check_argument(sg_infer *infer, const sg_graph_node *node,
                             const sg_graph_attribute *reference,
                             const sg_graph_attribute *argument) SG_CHECK;
/* Reports an attribute that the rule of a node has just read as another type. written: the node as
 * the file has it, whose references node has the values of. */
bool sg_infer_check_read(sg_infer *infer, const sg_graph_node *written,
                         const sg_graph_node *node) SG_CHECK;

/* infer_control.c: If, Loop, Scan and other nodes that hold graphs. *done: the outputs are filled
 * in; else the rule of the node has the word. */
bool sg_infer_control(sg_infer *infer, const sg_infer_scope *scope, const sg_graph_node *node,
                      const sg_fact *const *inputs, sg_fact **outputs, bool *done) SG_CHECK;

/* infer_open.c: dims that the program says when it runs. */
/* Collects those that the options name. False: they contradict each other, reported. */
bool sg_infer_index_open(sg_infer *infer) SG_CHECK;
/* What the user says of a dim: a number, or the name of an open one. */
sg_fact_entry sg_infer_said(int64_t number, sg_graph_free free);
sg_fact_entry sg_infer_said_of_dim(const sg_graph_given_shape *given, int64_t dim);
/* infer_fault.c: nodes that no run gets past. */
/* What a rule says against a node of the operators whose errors are reported; NULL: it is of
 * another one, whose rule may be stricter than what runs the model. */
sg_fact_fault *sg_infer_fault_new(sg_infer *infer, const sg_graph_node *node,
                                  const sg_fact *const *inputs, const char *reason);
/* infer_sequence.c */
/* Fills the output of a SequenceAt whose sequence is known; false: it is none. */
bool sg_infer_sequence_at(sg_infer *infer, const sg_graph_node *node, const sg_fact *const *inputs,
                          sg_fact **outputs, const char **reason);

#endif
