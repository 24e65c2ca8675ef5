/* operators: which nodes may become kernels, and where their parameters are. Checks nothing. */
#ifndef SG_SHAPES_OPERATORS_H
#define SG_SHAPES_OPERATORS_H

#include "shapes/fact.h"
#include "shapes/graph.h"

typedef enum sg_operator_kind {
    SG_OPERATOR_OTHER,
    SG_OPERATOR_SPLIT,          /* divides a tensor into its outputs */
    SG_OPERATOR_RANGES,         /* selects a range on each of some axes */
    SG_OPERATOR_STRIDED,        /* the same on all axes in order, with masks */
    SG_OPERATOR_INDEX,          /* selects one or several indices of an axis */
    SG_OPERATOR_SEQUENCE_SPLIT, /* divides a tensor into a sequence */
    SG_OPERATOR_SEQUENCE_AT,    /* selects a tensor of a sequence */
    SG_OPERATOR_SEQUENCE,       /* makes or changes a sequence in another way */
    SG_OPERATOR_CONCAT,         /* concatenates its inputs */
    SG_OPERATOR_SEQUENCE_CONCAT /* concatenates the tensors of a sequence */
} sg_operator_kind;

typedef struct sg_operator_place {
    const char *attribute; /* NULL: none */
    int input;             /* -1: none */
} sg_operator_place;

typedef struct sg_operator {
    bool onnx; /* else OpenVINO's, whose names are case-insensitive */
    const char *op_type;
    sg_operator_kind kind;
    sg_operator_place axis, what, ends, axes, steps;
} sg_operator;

/* The row of a node's operator; a row of kind OTHER if the table does not have it. */
const sg_operator *sg_operator_of(const sg_graph_node *node);

/* A list of numbers that is a parameter of a node. */
typedef struct sg_operator_list {
    bool given;
    bool known; /* the number of entries is known; entries may be unknown */
    const sg_fact_entry *entries;
    int64_t count;
} sg_operator_list;

/* The parameter at this place of a node, with what is known about its inputs. */
sg_operator_list sg_operator_read(sg_arena *arena, const sg_graph_node *node,
                                  const sg_fact *const *inputs, sg_operator_place place);
/* The axis of a node, for a tensor of this rank; 0 if the attribute is left out. -1: it is out of
 * range or unknown. */
int64_t sg_operator_axis(const sg_graph_node *node, const sg_fact *const *inputs, int64_t rank);

/* Whether the output of a node has the same bytes in the same order as its first input. */
bool sg_operator_keeps(const sg_graph_node *node);

/* Whether a node is a Dropout that drops elements, as in training, or might. */
bool sg_operator_drops(const sg_graph_node *node, const sg_fact *const *inputs);

/* Whether the outputs of a node may differ between two runs with the same inputs, because they are
 * random or depend on a state that changes between runs. */
bool sg_operator_varies(const sg_graph_node *node, const sg_fact *const *inputs);

#endif
