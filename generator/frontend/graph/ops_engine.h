/* ops_engine: what the parts share that make ops of a model. Only ops*.c include this. */
#ifndef SG_FRONTEND_GRAPH_OPS_ENGINE_H
#define SG_FRONTEND_GRAPH_OPS_ENGINE_H

#include "frontend/graph/graph_options.h"
#include "shapes/shapes.h"
#include "split/op.h"

/* What ops_chain.c keeps: how a graph uses its names, and which op makes a tensor. */
typedef struct sg_ops_uses sg_ops_uses;

typedef struct sg_ops_counted {
    const struct sg_ops_counted *next;
    const sg_graph *graph;
    const sg_ops_uses *uses;
} sg_ops_counted;

typedef struct sg_ops_maker {
    const sg_op *op;
    int64_t part; /* of a split: which of its parts the tensor is */
} sg_ops_maker;

/* What ops_slice_groups.c collects of a graph. */
typedef struct sg_ops_slice_groups sg_ops_slice_groups;

/* A family or Concat that gets its name in the end, so that no Split has another name because of
 * it.
 */
typedef struct sg_ops_named {
    bool joins;       /* it is a Concat */
    int64_t order;    /* in which graph order its first node comes */
    const char *name; /* after which it is named */
    sg_op *op;        /* NULL: it is not chosen, or waits */
} sg_ops_named;

/* An op of one graph. */
typedef struct sg_ops_made_op {
    struct sg_ops_made_op *next;
    sg_op *op;
} sg_ops_made_op;

/* What is kept of a graph while it is gone over. */
typedef struct sg_ops_graph {
    sg_nameset makers; /* name of a tensor that an op of the graph writes -> place in makers */
    const sg_ops_uses *uses;       /* NULL: nobody has asked */
    sg_ops_slice_groups *families; /* NULL: nothing yet that may become one */
    sg_ops_made_op *made;          /* of the graph itself; the last one first */
} sg_ops_graph;

/* What the user can say that a Split lacks. */
typedef struct sg_ops_need {
    enum { SG_OPS_DIM, SG_OPS_SHAPE, SG_OPS_VALUE } what;
    const char *name;     /* of a dim, or a tensor */
    bool lacks_type;      /* of a shape: "TYPE" */
    bool lacks_dims;      /* of a shape: "DIMS", with a type "TYPE[DIMS]" */
    bool opens;           /* --open does as well */
    const sg_fact *known; /* stands for DIMS; NULL: none of it does */
    const char *open;     /* the name that the open dims among them may have; NULL: none may be */
} sg_ops_need;

typedef struct sg_ops_needs {
    sg_ops_need *items;
    int64_t count;
    int64_t capacity;
} sg_ops_needs;

#define SG_OPS_CAUSES 3 /* of a Split: shape, axis, lengths */

/* A Split that lacks something only the user can say. */
typedef struct sg_ops_unresolved {
    const sg_graph_node *node;
    const char *name;
    const char *problem; /* "needs every dim of 'y' as a number, but it is [N, 12]" */
    const sg_fact_cause *causes[SG_OPS_CAUSES]; /* where knowledge ends */
    int64_t ncauses;
    sg_ops_needs needs;
    const char *instead;            /* another way to say them: " (or ...)"; "" */
    bool opens;                     /* what is being added to the needs may as well be left open */
    bool complete;                  /* it was added to those that are reported */
    struct sg_ops_unresolved *next; /* that lacks the same; NULL */
} sg_ops_unresolved;

/* Those that lack the same, which are one error. */
typedef struct sg_ops_unresolved_alike {
    const sg_ops_unresolved *first;
    sg_ops_unresolved *last;
    const char *needs;  /* as text */
    const char **names; /* of the first few */
    int64_t count;
    int64_t njoins; /* Concats among them */
} sg_ops_unresolved_alike;

typedef struct sg_ops_all_unresolved {
    sg_ops_unresolved_alike **list;
    int64_t count;
    int64_t capacity;
    sg_nameset groups; /* needs as sorted text -> place in the list */
    sg_nameset opened; /* tensor -> number of the open dim that is offered for it */
} sg_ops_all_unresolved;

typedef struct sg_ops sg_ops;
struct sg_ops {
    sg_infer *infer;
    sg_arena *arena;
    sg_diag *diag;
    const sg_graph_model *model;
    const sg_graph_options *options;
    bool failed; /* a Split was reported */
    sg_ops_all_unresolved unresolved;
    sg_fact_fault **faults; /* of chosen nodes, which resolve has not seen yet */
    int64_t nfaults;
    int64_t faults_capacity;

    sg_op_array *list;
    sg_nameset kernels;
    sg_ops_named *named;
    int64_t nnamed;
    int64_t named_capacity;
    sg_ops_maker *makers;
    int64_t nmakers;
    int64_t makers_capacity;
    const sg_op_storage **storages; /* of the tensors of all ops */
    int64_t nstorages;
    int64_t storages_capacity;
    const sg_ops_counted *counted;

    /* Of ops.c: reports what is wrong with a Split or Concat, chosen or not. False: nothing is
     * found. */
    bool (*check)(sg_ops *ops, const sg_graph_node *node, const sg_fact *const *inputs);
};

/* ops_split.c */
/* Its rule has run. own: what that says against the node; NULL. */
void sg_ops_split(sg_ops *ops, sg_infer_scope *scope, const sg_graph_node *node,
                  const sg_fact *const *inputs, sg_fact_fault *own);
/* Reports what is wrong with a Split, whether it is chosen or not. False: nothing is found. */
bool sg_ops_check_split(sg_ops *ops, const sg_graph_node *node, const sg_fact *const *inputs);
/* Fills element type and shape of what wait->node cuts, or adds to the list of what is lacking what
 * they lack. */
void sg_ops_fill_shape(sg_ops *ops, sg_ops_unresolved *lacking, const sg_fact *data, int64_t axis,
                       sg_op *op);
/* Where an input of a node is written, or else the node. */
sg_span sg_ops_input_span(const sg_graph_node *node, int64_t i);
/* An attribute that is one integer; not present: the node has none of that name. */
sg_op_int sg_ops_int_attribute(const sg_graph_node *node, const char *name);
/* Says of an op of a binary which nodes and tensors it is about: a place in a binary is an offset,
 * which tells nobody. */
void sg_ops_say_node(const sg_ops *ops, sg_op *op, sg_span span, const char *text);
/* Whether a scope is a graph of a node, or within one, which may never run. */
bool sg_ops_in_branch(const sg_ops *ops, const sg_infer_scope *scope);
/* Where an op of a node, or of one that stands for several, comes from. */
sg_op_origin *sg_ops_origin(sg_ops *ops, sg_infer_scope *scope, const sg_graph_node *node);
/* Makes outputs unwanted that nothing reads, if that is asked for. */
void sg_ops_leave_unread(const sg_ops *ops, sg_op *op);

/* ops_open.c */
/* The dims of a tensor, all of which may stay, as an op has them. */
sg_op_list sg_ops_open_shape(sg_ops *ops, const sg_fact *fact, sg_span span);

/* ops_slice_groups.c: ops of several nodes that cut one tensor together. */
/* Whether it is a node whose first input a family may be named after. */
bool sg_ops_slice_group_cuts(const sg_graph_node *node);
/* Notes why there is no op for a node: "NODE WHAT: WHY", if ops of the word are asked for. */
void sg_ops_note_apart(const sg_ops *ops, const sg_graph_node *node, sg_graph_ops_word word,
                       const char *what, const char *why);
/* A node has run. */
void sg_ops_slice_group_see(sg_ops *ops, sg_infer_scope *scope, const sg_graph_node *node,
                            const sg_fact *const *inputs, sg_fact *const *outputs);
/* All nodes of the graph have run. */
void sg_ops_slice_group_make(sg_ops *ops, sg_infer_scope *scope);

/* ops_concat.c */
/* Such a node has run: makes an op of it, if it joins what is not the same in every run. kept: why
 * its inputs must be written even where it is fused with what makes them; NULL. */
void sg_ops_concat(sg_ops *ops, sg_infer_scope *scope, const sg_graph_node *node,
                   const sg_fact *const *inputs, const sg_fact *output, const char *kept);
/* Reports what is wrong with a Concat, whether it is chosen or not. False: nothing is found. */
bool sg_ops_check_concat(sg_ops *ops, const sg_graph_node *node, const sg_fact *const *inputs);

/* ops_faults.c: nodes that no run gets past. */
/* Reports it, unless it is reported already, and who cannot be had because of it: the kind of
 * node, its name and place. The run has failed then. */
void sg_ops_fault_report(sg_ops *ops, sg_fact_fault *fault, const sg_graph_node *reader,
                         const char *name);
/* A chosen node is at fault, which resolve says if nothing else fails. */
void sg_ops_fault_later(sg_ops *ops, sg_fact_fault *fault);
/* Something has failed, and resolve will say nothing. */
void sg_ops_report_faults(sg_ops *ops);
/* A node of a family, or one that joins a sequence, has run: reports its fault if it is asked for.
 */
void sg_ops_fault_see(sg_ops *ops, const sg_infer_scope *scope, const sg_graph_node *node,
                      const sg_fact *const *inputs, const sg_fact *output);

/* ops_join_sequence.c */
/* A node has run: of a ConcatFromSequence makes the op of a Concat, or notes why not. */
void sg_ops_join_sequence(sg_ops *ops, sg_infer_scope *scope, const sg_graph_node *node,
                          const sg_fact *output);

/* ops_names.c */
/* It gets its name when all graphs have run. */
void sg_ops_name_later(sg_ops *ops, sg_ops_named named);
/* They have. */
void sg_ops_name(sg_ops *ops);

/* ops_unresolved.c */
/* Splits that lack something are kept until all is known that they lack. */
sg_ops_unresolved *sg_ops_unresolved_new(sg_ops *ops, const sg_graph_node *node, const char *name);
/* It lacks something more: the number of the dim that is cut or joined along, dims or the
 * type, a value. problem: "needs ..."; NULL: it is said already. */
void sg_ops_unresolved_axis(sg_ops *ops, sg_ops_unresolved *lacking, const char *problem,
                            const char *tensor, const sg_fact *fact, int64_t axis);
void sg_ops_unresolved_shape(sg_ops *ops, sg_ops_unresolved *lacking, const char *problem,
                             const char *tensor, const sg_fact *fact);
void sg_ops_unresolved_value(sg_ops *ops, sg_ops_unresolved *lacking, const char *problem,
                             const char *tensor, const sg_fact *fact);
/* It is complete. */
void sg_ops_unresolved_add(sg_ops *ops, sg_ops_unresolved *lacking);
/* One error for all that lack the same, or one warning for each that is left out, and what to say
 * for all of them. */
void sg_ops_report_unresolved(sg_ops *ops);
/* "--except 'a b'", or "except = { "a b" }" in a spec. */
const char *sg_ops_advise_except(sg_arena *arena, const sg_graph_options *options,
                                 const char *const *names, int64_t count);

/* ops_chain.c: says of ops' tensors who writes them, and what else needs them. */
/* What is kept of the graph of a scope. */
sg_ops_graph *sg_ops_graph_of(sg_ops *ops, sg_infer_scope *scope);
/* Whether a node, a graph within, or who runs this graph reads a tensor that it makes. */
bool sg_ops_is_read(sg_ops *ops, sg_infer_scope *scope, const char *tensor);
/* The node of the graph that writes a tensor or sequence; NULL: none does. */
const sg_graph_node *sg_ops_writer(sg_ops *ops, sg_infer_scope *scope, const char *tensor);
/* How often the graph, and who runs it, reads a tensor or sequence. */
int64_t sg_ops_reads(sg_ops *ops, sg_infer_scope *scope, const char *tensor);
/* An op of the graph is made. */
void sg_ops_made(sg_ops *ops, sg_infer_scope *scope, sg_op *op);
/* All of them are. */
void sg_ops_chain(sg_ops *ops, sg_infer_scope *scope);

#endif
