/* infer_engine: what the parts of inference share: names and what they stand for, running a graph,
 * the nodes that hold graphs, the ops that come out of it. Only infer*.c include this. */
#ifndef SG_FRONTEND_GRAPH_INFER_ENGINE_H
#define SG_FRONTEND_GRAPH_INFER_ENGINE_H

#include "frontend/graph/fact.h"
#include "frontend/graph/graph_options.h"
#include "frontend/graph/infer_rules.h"
#include "split/op.h"
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

/* What infer_chain.c keeps: how a graph uses its names, and which op makes a tensor. */
typedef struct sg_infer_uses sg_infer_uses;

typedef struct sg_infer_counted {
    const struct sg_infer_counted *next;
    const sg_graph *graph;
    const sg_infer_uses *uses;
} sg_infer_counted;

typedef struct sg_infer_maker {
    const sg_op *op;
    int64_t part; /* of a split: which of its parts the tensor is */
} sg_infer_maker;

/* What infer_family.c collects of a graph. */
typedef struct sg_infer_families sg_infer_families;

/* A family or Concat that gets its name in the end, so that no Split has another name because of
 * it.
 */
typedef struct sg_infer_named {
    bool joins;       /* it is a Concat */
    int64_t order;    /* in which graph order its first node comes */
    const char *name; /* after which it is named */
    sg_op *op;        /* NULL: it is not chosen, or waits */
} sg_infer_named;

/* An op of one graph. */
typedef struct sg_infer_made_op {
    struct sg_infer_made_op *next;
    sg_op *op;
} sg_infer_made_op;

/* The names of one graph and what is known of them. */
typedef struct sg_infer_scope {
    const struct sg_infer_scope
        *outer; /* the graph around it; NULL for the model's and functions' */
    const sg_graph *graph;
    const sg_infer_path *path;
    const sg_infer_call *call; /* NULL outside functions */
    sg_nameset names;          /* place in facts */
    const sg_fact **facts;     /* NULL: a parameter that was not given */
    int64_t count;
    int64_t capacity;
    sg_nameset infos;   /* name -> the first entry of declared */
    int64_t *next_info; /* the next entry of the same name, or -1 */
    const sg_graph_info **declared;
    int64_t ndeclared;
    sg_nameset makers; /* name of a tensor that an op of the graph writes -> place in makers */
    const sg_infer_uses *uses;   /* NULL: nobody has asked */
    sg_infer_families *families; /* NULL: nothing yet that may become one */
    sg_infer_made_op *made;      /* of the graph itself; the last one first */
} sg_infer_scope;

/* What the user can say that a Split lacks. */
typedef struct sg_infer_need {
    enum { SG_INFER_DIM, SG_INFER_SHAPE, SG_INFER_VALUE } what;
    const char *name;     /* of a dim, or a tensor */
    bool lacks_type;      /* of a shape: "TYPE" */
    bool lacks_dims;      /* of a shape: "DIMS", with a type "TYPE[DIMS]" */
    bool opens;           /* --open does as well */
    const sg_fact *known; /* stands for DIMS; NULL: none of it does */
    const char *open;     /* the name that the open dims among them may have; NULL: none may be */
} sg_infer_need;

typedef struct sg_infer_needs {
    sg_infer_need *items;
    int64_t count;
    int64_t capacity;
} sg_infer_needs;

#define SG_INFER_CONTRADICTIONS 8 /* of a file and the rules are shown one by one */

#define SG_INFER_CAUSES 3 /* of a Split: shape, axis, lengths */

/* A Split that lacks something only the user can say. */
typedef struct sg_infer_wait {
    const sg_graph_node *node;
    const char *name;
    const char *problem; /* "needs every dim of 'y' as a number, but it is [N, 12]" */
    const sg_fact_cause *causes[SG_INFER_CAUSES]; /* where knowledge ends */
    int64_t ncauses;
    sg_infer_needs needs;
    const char *instead;        /* another way to say them: " (or ...)"; "" */
    bool opens;                 /* what is being added to the needs may as well be left open */
    bool complete;              /* it was added to those that are reported */
    struct sg_infer_wait *next; /* that lacks the same; NULL */
} sg_infer_wait;

/* Those that lack the same, which are one error. */
typedef struct sg_infer_waiting {
    const sg_infer_wait *first;
    sg_infer_wait *last;
    const char *needs;  /* as text */
    const char **names; /* of the first few */
    int64_t count;
    int64_t njoins; /* Concats among them */
} sg_infer_waiting;

typedef struct sg_infer_waits {
    sg_infer_waiting **list;
    int64_t count;
    int64_t capacity;
    sg_nameset groups; /* needs as sorted text -> place in the list */
    sg_nameset opened; /* tensor -> number of the open dim that is offered for it */
} sg_infer_waits;

/* A dim that the user leaves open by its name. */
typedef struct sg_infer_opened {
    sg_graph_free free;
    sg_span span; /* where it is said to be */
} sg_infer_opened;

typedef struct sg_infer sg_infer;

struct sg_infer {
    sg_arena *arena;
    sg_diag *diag;
    const sg_graph_model *model;
    const sg_graph_options *options;
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
    int quiet;    /* above 0: a trial run of a body, which makes no ops and warns of nothing */
    bool failed;  /* a Split was reported */
    bool differs; /* the user gave an input another shape than the file: what the file says of the
                     others no longer holds */

    sg_infer_waits waits;
    sg_fact_fault **faults; /* of chosen nodes, which resolve has not seen yet */
    int64_t nfaults;
    int64_t faults_capacity;

    sg_op_array *ops;
    sg_nameset kernels;
    sg_infer_named *named;
    int64_t nnamed;
    int64_t named_capacity;
    sg_infer_maker *makers;
    int64_t nmakers;
    int64_t makers_capacity;
    const sg_op_storage **storages; /* of the tensors of all ops */
    int64_t nstorages;
    int64_t storages_capacity;
    const sg_infer_counted *counted;

    /* Functions of infer.c, for the files that it calls. */
    /* Runs the nodes of a scope whose inputs are bound. False: reported. */
    bool (*run)(sg_infer *infer, sg_infer_scope *scope);
    /* Reports what is wrong with a Split or Concat, chosen or not. False: nothing is found. */
    bool (*judge)(sg_infer *infer, const sg_graph_node *node, const sg_fact *const *inputs);
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
/* What a name stands for; NULL for "" and for parameters that were not given. */
const sg_fact *sg_infer_find(sg_infer *infer, const sg_infer_scope *scope, const char *name);
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
/* The model's own function that a node calls; NULL: it is of an operator. */
const sg_graph_function *sg_infer_function(const sg_infer *infer, const sg_graph_node *node);
/* Whether a node is a Split or a Concat, of either standard. */
bool sg_infer_is_split(const sg_graph_node *node);
bool sg_infer_is_concat(const sg_graph_node *node);

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
/* Whether a dim of that name is open. */
bool sg_infer_is_open(const sg_infer *infer, const char *name);
/* Whether a dim of a Split's tensor is a number, or may be a parameter of its kernel. */
bool sg_infer_may_stay(sg_infer *infer, const sg_fact *fact, int64_t dim);
/* The dims of a tensor, all of which may stay, as an op has them. */
sg_op_list sg_infer_open_shape(sg_infer *infer, const sg_fact *fact, sg_span span);

/* infer_split.c */
/* Its rule has run. own: what that says against the node; NULL. */
void sg_infer_split(sg_infer *infer, sg_infer_scope *scope, const sg_graph_node *node,
                    const sg_fact *const *inputs, sg_fact_fault *own);
/* Reports what is wrong with a Split, whether it is chosen or not. False: nothing is found. */
bool sg_infer_judge_split(sg_infer *infer, const sg_graph_node *node, const sg_fact *const *inputs);
/* Fills element type and shape of what wait->node cuts, or adds to the wait what they lack. */
void sg_infer_fill_shape(sg_infer *infer, sg_infer_wait *wait, const sg_fact *data, int64_t axis,
                         sg_op *op);
/* Where an input of a node is written, or else the node. */
sg_span sg_infer_input_span(const sg_graph_node *node, int64_t i);
/* An attribute that is one integer; not present: the node has none of that name. */
sg_op_int sg_infer_int_attribute(const sg_graph_node *node, const char *name);
/* Says of an op of a binary which nodes and tensors it is about: a place in a binary is an offset,
 * which tells nobody. */
void sg_infer_say_node(const sg_infer *infer, sg_op *op, sg_span span, const char *text);
/* Whether a scope is a graph of a node, or within one, which may never run. */
bool sg_infer_in_branch(const sg_infer *infer, const sg_infer_scope *scope);
/* Where an op of a node, or of one that stands for several, comes from. */
sg_op_origin *sg_infer_origin(sg_infer *infer, sg_infer_scope *scope, const sg_graph_node *node);
/* Makes outputs unwanted that nothing reads, if that is asked for. */
void sg_infer_leave_unread(const sg_infer *infer, sg_op *op);

/* infer_family.c: ops of several nodes that cut one tensor together. */
/* Whether it is a node whose first input a family may be named after. */
bool sg_infer_family_cuts(const sg_graph_node *node);
/* Notes why there is no op for a node: "NODE WHAT: WHY", if ops of the word are asked for. */
void sg_infer_note_apart(const sg_infer *infer, const sg_graph_node *node, sg_graph_ops_word word,
                         const char *what, const char *why);
/* A node has run. */
void sg_infer_family_see(sg_infer *infer, sg_infer_scope *scope, const sg_graph_node *node,
                         const sg_fact *const *inputs, sg_fact *const *outputs);
/* All nodes of the graph have run. */
void sg_infer_family_make(sg_infer *infer, sg_infer_scope *scope);

/* infer_concat.c */
/* Such a node has run: makes an op of it, if it joins what is not the same in every run. kept: why
 * its inputs must be written even where it is fused with what makes them; NULL. */
void sg_infer_concat(sg_infer *infer, sg_infer_scope *scope, const sg_graph_node *node,
                     const sg_fact *const *inputs, const sg_fact *output, const char *kept);
/* Reports what is wrong with a Concat, whether it is chosen or not. False: nothing is found. */
bool sg_infer_judge_concat(sg_infer *infer, const sg_graph_node *node,
                           const sg_fact *const *inputs);

/* infer_fault.c: nodes that no run gets past. */
/* What a rule says against a node of the operators whose errors are reported; NULL: it is of
 * another one, whose rule may be stricter than what runs the model. */
sg_fact_fault *sg_infer_fault_new(sg_infer *infer, const sg_graph_node *node,
                                  const sg_fact *const *inputs, const char *reason);
/* The first fault among what a node reads; NULL. A tensor that does not exist is the fault of the
 * node. */
sg_fact_fault *sg_infer_fault_among(const sg_graph_node *node, const sg_fact *const *inputs);
/* Reports it, unless it is reported already, and who cannot be had because of it: the kind of
 * node, its name and place. The run has failed then. */
void sg_infer_fault_report(sg_infer *infer, sg_fact_fault *fault, const sg_graph_node *reader,
                           const char *name);
/* A chosen node is at fault, which resolve says if nothing else fails. */
void sg_infer_fault_later(sg_infer *infer, sg_fact_fault *fault);
/* Something has failed, and resolve will say nothing. */
void sg_infer_report_faults(sg_infer *infer);
/* A node of a family, or one that joins a sequence, has run: reports its fault if it is asked for.
 */
void sg_infer_fault_see(sg_infer *infer, const sg_infer_scope *scope, const sg_graph_node *node,
                        const sg_fact *const *inputs, const sg_fact *output);

/* infer_join_sequence.c */
/* A node has run: of a ConcatFromSequence makes the op of a Concat, or notes why not. */
void sg_infer_join_sequence(sg_infer *infer, sg_infer_scope *scope, const sg_graph_node *node,
                            const sg_fact *output);

/* infer_name.c */
/* It gets its name when all graphs have run. */
void sg_infer_name_later(sg_infer *infer, sg_infer_named named);
/* They have. */
void sg_infer_name(sg_infer *infer);

/* infer_sequence.c */
/* The place of the tensor that a SequenceAt takes; -1 where it is not known. */
int64_t sg_infer_element(const sg_graph_node *node, const sg_fact *const *inputs);
/* Fills the output of a SequenceAt whose sequence is known; false: it is none. */
bool sg_infer_sequence_at(sg_infer *infer, const sg_graph_node *node, const sg_fact *const *inputs,
                          sg_fact **outputs, const char **reason);

/* infer_wait.c */
/* Splits that lack something are kept until all is known that they lack. */
sg_infer_wait *sg_infer_wait_new(sg_infer *infer, const sg_graph_node *node, const char *name);
/* The wait lacks something more: the number of the dim that is cut or joined along, dims or the
 * type, a value. problem: "needs ..."; NULL: it is said already. */
void sg_infer_wait_axis(sg_infer *infer, sg_infer_wait *wait, const char *problem,
                        const char *tensor, const sg_fact *fact, int64_t axis);
void sg_infer_wait_shape(sg_infer *infer, sg_infer_wait *wait, const char *problem,
                         const char *tensor, const sg_fact *fact);
void sg_infer_wait_value(sg_infer *infer, sg_infer_wait *wait, const char *problem,
                         const char *tensor, const sg_fact *fact);
/* The wait is complete. */
void sg_infer_wait_add(sg_infer *infer, sg_infer_wait *wait);
/* One error for all that lack the same, or one warning for each that is left out, and what to say
 * for all of them. */
void sg_infer_report_waits(sg_infer *infer);
/* An option as a shell and the tool read it; value: NULL for none. */
const char *sg_infer_option(sg_arena *arena, const char *option, const char *name,
                            const char *value);
/* "--except 'a b'", or "except = { "a b" }" in a spec. */
const char *sg_infer_advise_except(sg_arena *arena, const sg_graph_options *options,
                                   const char *const *names, int64_t count);

/* infer_chain.c: says of ops' tensors who writes them, and what else needs them. */
/* Whether a node, a graph within, or who runs this graph reads a tensor that it makes. */
bool sg_infer_is_read(sg_infer *infer, sg_infer_scope *scope, const char *tensor);
/* The node of the graph that writes a tensor or sequence; NULL: none does. */
const sg_graph_node *sg_infer_writer(sg_infer *infer, sg_infer_scope *scope, const char *tensor);
/* How often the graph, and who runs it, reads a tensor or sequence. */
int64_t sg_infer_reads(sg_infer *infer, sg_infer_scope *scope, const char *tensor);
/* An op of the graph is made. */
void sg_infer_made(sg_infer *infer, sg_infer_scope *scope, sg_op *op);
/* All of them are. */
void sg_infer_chain(sg_infer *infer, sg_infer_scope *scope);

#endif
