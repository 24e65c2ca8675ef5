/* shapes_text: what is known of every tensor of a model, for a reader. */
#ifndef SG_SHAPES_SHAPES_TEXT_H
#define SG_SHAPES_SHAPES_TEXT_H

#include "shapes/shapes.h"

/* Appends a line for each tensor in the order of the graph, those of subgraphs and called functions
 * under the node that holds them. False: reported, and the text is not whole. */
bool sg_shapes_text(sg_arena *arena, sg_diag *diag, const sg_graph_model *model,
                    const sg_said *said, sg_buf *text) SG_CHECK;

#endif
