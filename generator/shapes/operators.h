/* operators: which nodes may become kernels, and where they say what they do. Checks nothing. */
#ifndef SG_SHAPES_OPERATORS_H
#define SG_SHAPES_OPERATORS_H

#include "shapes/fact.h"
#include "shapes/graph.h"

typedef enum sg_operator_kind {
    SG_OPERATOR_OTHER,
    SG_OPERATOR_SPLIT,          /* cuts a tensor into its outputs */
    SG_OPERATOR_RANGES,         /* takes a range of each of some axes */
    SG_OPERATOR_STRIDED,        /* the same of all axes in order, by masks */
    SG_OPERATOR_INDEX,          /* takes one place of an axis, or several */
    SG_OPERATOR_SEQUENCE_SPLIT, /* cuts a tensor into a sequence */
    SG_OPERATOR_SEQUENCE_AT,    /* takes a tensor out of a sequence */
    SG_OPERATOR_SEQUENCE,       /* makes or changes a sequence otherwise */
    SG_OPERATOR_CONCAT,         /* joins its inputs */
    SG_OPERATOR_SEQUENCE_CONCAT /* joins the tensors of a sequence */
} sg_operator_kind;

typedef struct sg_operator_place {
    const char *attribute; /* NULL: none */
    int input;             /* -1: none */
} sg_operator_place;

typedef struct sg_operator {
    bool onnx; /* else OpenVINO's, whose names are the same in upper and lower case */
    const char *op_type;
    sg_operator_kind kind;
    sg_operator_place axis, what, ends, axes, steps;
} sg_operator;

/* The row of a node's operator; one of kind OTHER: the table has none. */
const sg_operator *sg_operator_of(const sg_graph_node *node);

/* A list of numbers that a node is given. */
typedef struct sg_operator_list {
    bool given;
    bool known; /* as far as that it has so many entries */
    const sg_fact_entry *entries;
    int64_t count;
} sg_operator_list;

/* What stands at a place of a node, whose inputs are known as these. */
sg_operator_list sg_operator_read(sg_arena *arena, const sg_graph_node *node,
                                  const sg_fact *const *inputs, sg_operator_place place);
/* The dim that a node works along, of a tensor of that rank; 0 where an attribute is left out. -1:
 * it is none of the tensor's, or not known. */
int64_t sg_operator_axis(const sg_graph_node *node, const sg_fact *const *inputs, int64_t rank);

/* Whether the output of a node is its first input, the same bytes in the same order. */
bool sg_operator_keeps(const sg_graph_node *node);

/* Whether a node is a Dropout that leaves elements out, as in training, or may. */
bool sg_operator_drops(const sg_graph_node *node, const sg_fact *const *inputs);

/* Whether a run may give the outputs of a node other values than the run before, whatever its
 * inputs are: they are made by chance, or are a state that runs change. */
bool sg_operator_varies(const sg_graph_node *node, const sg_fact *const *inputs);

#endif
