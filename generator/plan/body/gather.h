/* Narrow columns, line by line, from loads at any offset. */
#ifndef SG_PLAN_BODY_GATHER_H
#define SG_PLAN_BODY_GATHER_H

#include "plan/body/vector_builder.h"

/* Fills the program of `vb`, which is begun: each line separately, by blends and one permute if
 * lanes do not collide, otherwise by two-source permutes. False if the instruction set has neither
 * for this layout. */
bool sg_gather_build(sg_vector_builder *vb);

/* Makes one line. */
bool sg_gather_line(sg_vector_builder *vb, int line);

#endif
