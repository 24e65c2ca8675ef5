/* cuts: which part of its first input a Slice, a Gather of one index, a StridedSlice or a Pad that
 * takes away has. */
#ifndef SG_SHAPES_CUTS_H
#define SG_SHAPES_CUTS_H

#include "shapes/fact.h"
#include "shapes/graph.h"

/* The range of one axis that a node takes: `length` indices from `start`. */
typedef struct sg_cut {
    int64_t axis;
    int64_t start;
    int64_t length;
    bool without_axis;
    const char *why; /* why the node makes no such range, as a clause of a message */
} sg_cut;

/* Finds the range of a Slice, StridedSlice or Gather. Returns false if a kernel cannot copy it;
 * cut->why says why. */
bool sg_cut_range(sg_arena *arena, const sg_graph_node *node, const sg_fact *const *inputs,
                  sg_cut *cut);

/* The same on an axis that may be open, as sums. */
typedef struct sg_cut_axis {
    sg_sum start;
    sg_sum length; /* over: no sum */
    bool without;
} sg_cut_axis;

/* Whether the node may take a part of its first input. */
bool sg_cut_takes(const sg_graph_node *node);
/* Whether all its elements are some of its first input, each once and in order along each axis. */
bool sg_cut_always(const sg_graph_node *node);
/* The ranges that such a node takes of all axes. NULL: its indices have gaps, or depend on a run.
 */
sg_cut_axis *sg_cut_box(sg_arena *arena, const sg_graph_node *node, const sg_fact *const *inputs);

#endif
