/* shapes_text: prints what is known about every tensor of a model. */
#ifndef SG_SHAPES_SHAPES_TEXT_H
#define SG_SHAPES_SHAPES_TEXT_H

#include "shapes/shapes.h"

/* Appends a line for each tensor in the order of the graph. Tensors of subgraphs and called
 * functions are printed under their node. False: reported, and the text is incomplete. */
bool sg_shapes_text(sg_arena *arena, sg_diag *diag, const sg_graph_model *model,
                    const sg_said *said, sg_buf *text) SG_CHECK;

#endif
