/* ops_engine: shared by the files that make ops of a model. Only ops*.c include it. */
#ifndef SG_FRONTEND_GRAPH_OPS_ENGINE_H
#define SG_FRONTEND_GRAPH_OPS_ENGINE_H

#include "frontend/graph/graph_options.h"
#include "shapes/shapes.h"
#include "split/op.h"

/* What ops_chain.c stores: how a graph uses its names, and which op writes a tensor. */
typedef struct sg_ops_uses sg_ops_uses;

typedef struct sg_ops_counted {
    const struct sg_ops_counted *next;
    const sg_graph *graph;
    const sg_ops_uses *uses;
} sg_ops_counted;

typedef struct sg_ops_maker {
    const sg_op *op;
    int64_t part; /* for a Split: the index of the part */
} sg_ops_maker;

/* The slice groups that ops_slice_groups.c collects in a graph. */
typedef struct sg_ops_slice_groups sg_ops_slice_groups;

/* A slice group or Concat, which is named after all Splits so that it does not change their
 * names. */
typedef struct sg_ops_named {
    bool joins;       /* it is a Concat, not a slice group */
    int64_t order;    /* position of its first node in graph order */
    const char *name; /* the node or tensor that it is named after */
    sg_op *op;        /* NULL: not selected, or unresolved */
} sg_ops_named;

/* One op of a graph, in a list. */
typedef struct sg_ops_made_op {
    struct sg_ops_made_op *next;
    sg_op *op;
} sg_ops_made_op;

/* What is stored with a graph while inference runs it. */
typedef struct sg_ops_graph {
    /* name of a tensor that an op of the graph writes -> index in sg_ops.makers */
    sg_nameset makers;
    const sg_ops_uses *uses;       /* NULL: not counted yet */
    sg_ops_slice_groups *families; /* NULL: no candidate yet */
    sg_ops_made_op *made;          /* ops of this graph only; the last one first */
} sg_ops_graph;

/* One thing that the user can provide to resolve a Split. */
typedef struct sg_ops_need {
    enum { SG_OPS_DIM, SG_OPS_SHAPE, SG_OPS_VALUE } what;
    const char *name; /* the name of a dim or a tensor */
    bool lacks_type;  /* for a shape: the type is missing, "TYPE" */
    /* for a shape: the dims are missing, "DIMS", or "TYPE[DIMS]" if the type is missing too */
    bool lacks_dims;
    bool opens; /* --open resolves it as well */
    /* the dims that are known, to be printed in place of "DIMS"; may be NULL */
    const sg_fact *known;
    /* the name to propose for an unknown dim of `known`; NULL: it has to be a number */
    const char *open;
} sg_ops_need;

typedef struct sg_ops_needs {
    sg_ops_need *items;
    int64_t count;
    int64_t capacity;
} sg_ops_needs;

#define SG_OPS_CAUSES 3 /* causes that a Split can have: shape, axis, lengths */

/* An op that needs information that only the user has. */
typedef struct sg_ops_unresolved {
    const sg_graph_node *node;
    const char *name;
    const char *problem; /* "needs every dim of 'y' as a number, but it is [N, 12]" */
    const sg_fact_cause *causes[SG_OPS_CAUSES]; /* where inference stops */
    int64_t ncauses;
    sg_ops_needs needs;
    const char *instead; /* an alternative to the needs: " (or ...)"; may be "" */
    bool opens;          /* the needs that are added from now on can be left open */
    /* sg_ops_unresolved_add() has added it to a group, which will be reported */
    bool complete;
    struct sg_ops_unresolved *next; /* the next one of its group, or NULL */
} sg_ops_unresolved;

/* A group of unresolved ops with the same needs. It is reported as one error. */
typedef struct sg_ops_unresolved_alike {
    const sg_ops_unresolved *first;
    sg_ops_unresolved *last;
    const char *needs;  /* as text */
    const char **names; /* of the first EXCEPTS ops */
    int64_t count;
    int64_t njoins; /* how many of them are Concats */
} sg_ops_unresolved_alike;

typedef struct sg_ops_all_unresolved {
    sg_ops_unresolved_alike **list;
    int64_t count;
    int64_t capacity;
    sg_nameset groups; /* needs as sorted text -> index in the list */
    sg_nameset opened; /* tensor -> number in the name of the open dim that is proposed for it */
} sg_ops_all_unresolved;

typedef struct sg_ops sg_ops;
struct sg_ops {
    sg_infer *infer;
    sg_arena *arena;
    sg_diag *diag;
    const sg_graph_model *model;
    const sg_graph_options *options;
    bool failed; /* an error was reported */
    bool trying; /* errors become warnings, because the node may be left out */
    sg_ops_all_unresolved unresolved;
    sg_fact_fault **faults; /* of selected nodes, for sg_resolve() to report */
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
    const sg_op_storage **storages; /* storages of the tensors of all ops */
    int64_t nstorages;
    int64_t storages_capacity;
    const sg_ops_counted *counted;

    /* Reports what is wrong with a Split or Concat, selected or not. Returns false if it finds no
     * error. (In ops.c.) */
    bool (*check)(sg_ops *ops, const sg_graph_node *node, const sg_fact *const *inputs);
};

/* ops_split.c */
/* Called after the rule of a Split has run. own: the fault that the rule found in the node, or
 * NULL. */
void sg_ops_split(sg_ops *ops, sg_infer_scope *scope, const sg_graph_node *node,
                  const sg_fact *const *inputs, sg_fact_fault *own);
/* Reports what is wrong with a Split, selected or not. Returns false if it finds no error. */
bool sg_ops_check_split(sg_ops *ops, const sg_graph_node *node, const sg_fact *const *inputs);
/* Fills element type and shape of the op from the tensor that lacking->node divides, or adds what
 * is unknown to lacking. */
void sg_ops_fill_shape(sg_ops *ops, sg_ops_unresolved *lacking, const sg_fact *data, int64_t axis,
                       sg_op *op);
/* Where an input of a node is written, or else the place of the node. */
sg_span sg_ops_input_span(const sg_graph_node *node, int64_t i);
/* An integer attribute of a node; not present if the node has no such attribute. */
sg_op_int sg_ops_int_attribute(const sg_graph_node *node, const char *name);
/* For a model in binary form: adds to the op's messages which nodes and tensors it is about,
 * because a byte offset says little. */
void sg_ops_say_node(const sg_ops *ops, sg_op *op, sg_span span, const char *text);
/* Whether the scope is a subgraph of a node, or inside one: it may never run. */
bool sg_ops_in_branch(const sg_ops *ops, const sg_infer_scope *scope);
/* The origin of an op: where its node, or the node that represents several, is in the model. */
sg_op_origin *sg_ops_origin(sg_ops *ops, sg_infer_scope *scope, const sg_graph_node *node);
/* With --skip=unread, marks the outputs that nothing reads as unwanted. */
void sg_ops_leave_unread(const sg_ops *ops, sg_op *op);

/* ops_open.c */
/* The shape of a tensor as an op has it, with open dims. Every dim must be a number or allowed to
 * stay open. */
sg_op_list sg_ops_open_shape(sg_ops *ops, const sg_fact *fact, sg_span span);

/* ops_slice_groups.c: ops of several nodes that together divide one tensor */
/* Whether the node may be in a slice group, which is named after its first input. */
bool sg_ops_slice_group_cuts(const sg_graph_node *node);
/* Stores why a node makes no op, "NODE WHAT: WHY", if --ops selects the word. */
void sg_ops_note_apart(const sg_ops *ops, const sg_graph_node *node, sg_graph_ops_word word,
                       const char *what, const char *why);
/* Called after a node has run. */
void sg_ops_slice_group_see(sg_ops *ops, sg_infer_scope *scope, const sg_graph_node *node,
                            const sg_fact *const *inputs, sg_fact *const *outputs);
/* Called after all nodes of the graph have run. */
void sg_ops_slice_group_make(sg_ops *ops, sg_infer_scope *scope);

/* ops_concat.c */
/* Called after a Concat has run: makes an op of it if its result differs from run to run. kept: why
 * its inputs must be written even if it is fused with the ops that write them; may be NULL. */
void sg_ops_concat(sg_ops *ops, sg_infer_scope *scope, const sg_graph_node *node,
                   const sg_fact *const *inputs, const sg_fact *output, const char *kept);
/* Reports what is wrong with a Concat, selected or not. Returns false if it finds no error. */
bool sg_ops_check_concat(sg_ops *ops, const sg_graph_node *node, const sg_fact *const *inputs);

/* ops_cache.c: Concats that add to a cache (--cache) */
/* The cache that the node adds to, along this axis; NULL: none. Returns false if it is in the wrong
 * place for a cache, which is reported. */
bool sg_ops_cache_of(sg_ops *ops, sg_infer_scope *scope, const sg_graph_node *node,
                     const sg_fact *const *inputs, int64_t axis, const sg_graph_cache **cache);
/* Sets the capacity of the op's origin and the strides of its full tensor. past: what lies in the
 * cache; whole: what is added, whose dims are known. Returns false if an error was reported. */
bool sg_ops_cache_fill(sg_ops *ops, const sg_graph_cache *cache, const sg_graph_node *node,
                       const sg_fact *past, const sg_fact *whole, int64_t axis, sg_op *op);

/* ops_faults.c: nodes that fail in every run */
/* Reports the fault, unless it has been reported, and notes that `reader` depends on it. Sets
 * ops->failed. */
void sg_ops_fault_report(sg_ops *ops, sg_fact_fault *fault, const sg_graph_node *reader,
                         const char *name);
/* Marks a fault, if there is one, as reported. A warning, which it is if the node is left out, does
 * not count for nodes that are not left out but depend on it. Returns false if it was marked. */
bool sg_ops_fault_mark(const sg_ops *ops, sg_fact_fault *fault, bool left_out);
/* Keeps the fault of a selected node. sg_resolve() reports it, unless something else fails. */
void sg_ops_fault_later(sg_ops *ops, sg_fact_fault *fault);
/* Called when something has failed, so that sg_resolve() will not run: reports the faults kept. */
void sg_ops_report_faults(sg_ops *ops);
/* Called after a node of a slice group or a ConcatFromSequence has run: reports its fault, if --ops
 * selects it. */
void sg_ops_fault_see(sg_ops *ops, const sg_infer_scope *scope, const sg_graph_node *node,
                      const sg_fact *const *inputs, const sg_fact *output);

/* ops_join_sequence.c */
/* Called after a node has run: turns a ConcatFromSequence into the op of a Concat, or stores why
 * not. */
void sg_ops_join_sequence(sg_ops *ops, sg_infer_scope *scope, const sg_graph_node *node,
                          const sg_fact *output);

/* ops_names.c */
/* Keeps the op; it is named after all graphs have run. */
void sg_ops_name_later(sg_ops *ops, sg_ops_named named);
/* Names them, after all graphs have run. */
void sg_ops_name(sg_ops *ops);

/* ops_unresolved.c */
/* A record of what a Split or Concat needs. It is kept until all its needs are known. */
sg_ops_unresolved *sg_ops_unresolved_new(sg_ops *ops, const sg_graph_node *node, const char *name);
/* Add a need: the number of the dim along the axis, other dims or the type, or a value. problem:
 * "needs ..."; NULL if the message has it already. */
void sg_ops_unresolved_axis(sg_ops *ops, sg_ops_unresolved *lacking, const char *problem,
                            const char *tensor, const sg_fact *fact, int64_t axis);
void sg_ops_unresolved_shape(sg_ops *ops, sg_ops_unresolved *lacking, const char *problem,
                             const char *tensor, const sg_fact *fact);
void sg_ops_unresolved_value(sg_ops *ops, sg_ops_unresolved *lacking, const char *problem,
                             const char *tensor, const sg_fact *fact);
/* Called when all needs of the op have been added. */
void sg_ops_unresolved_add(sg_ops *ops, sg_ops_unresolved *lacking);
/* Reports one error for each group with the same needs, or one warning for each op that is left
 * out, and proposes options that resolve all of them. */
void sg_ops_report_unresolved(sg_ops *ops);
/* "--except 'a b'", or "except = { "a b" }" in a spec. */
const char *sg_ops_advise_except(sg_arena *arena, const sg_graph_options *options,
                                 const char *const *names, int64_t count);

/* ops_chain.c: which ops write the tensors of an op, and what else reads them */
/* The data stored with the graph of a scope. */
sg_ops_graph *sg_ops_graph_of(sg_ops *ops, sg_infer_scope *scope);
/* Whether a node, a subgraph or the caller of this graph reads a tensor that the graph writes. */
bool sg_ops_is_read(sg_ops *ops, sg_infer_scope *scope, const char *tensor);
/* The node of the graph that writes a tensor or sequence, or NULL. */
const sg_graph_node *sg_ops_writer(sg_ops *ops, sg_infer_scope *scope, const char *tensor);
/* How many times the graph and its caller read a tensor or sequence. */
int64_t sg_ops_reads(sg_ops *ops, sg_infer_scope *scope, const char *tensor);
/* Called after an op of the graph has been made. */
void sg_ops_made(sg_ops *ops, sg_infer_scope *scope, sg_op *op);
/* Called after all ops of the graph have been made. */
void sg_ops_chain(sg_ops *ops, sg_infer_scope *scope);

#endif
