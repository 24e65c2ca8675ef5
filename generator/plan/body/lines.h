/* Wide columns, line by line, from loads at any offset. */
#ifndef SG_PLAN_BODY_LINES_H
#define SG_PLAN_BODY_LINES_H

#include "plan/body/vector_builder.h"

/* Assembles and stores one line of a split; the instruction set has two-source permutes. */
void sg_lines_build(sg_vector_builder *vb, int line);

#endif
