/* Narrow columns line by line, from loads at any offset. */
#ifndef SG_PLAN_BODY_GATHER_H
#define SG_PLAN_BODY_GATHER_H

#include "plan/body/weave.h"

/* Fills the program of a begun weave: each line on its own, by blends and one permute where lanes
 * do not collide, else by two-source permutes. False where the instruction set has neither for this
 * layout. */
bool sg_gather_build(sg_weave *weave);

/* One line of it. */
bool sg_gather_line(sg_weave *weave, int line);

#endif
