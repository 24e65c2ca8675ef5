/* Columns of one element each, by interleaving only. */
#ifndef SG_PLAN_BODY_TRANSPOSE_H
#define SG_PLAN_BODY_TRANSPOSE_H

#include "plan/body/vector_builder.h"

/* For a column group of columns of one lane each. False if columns are wider, the instruction set
 * lacks the instructions, or reading rows in order is better. Uses no constants and no permutes.
 * Lines of a split are made from pieces of 16 bytes; a concat has as many columns as a vector has
 * lanes, and each line is the vector of a row. */
bool sg_transpose_build(sg_vector_builder *vb);

#endif
