/* Narrow columns as one network of vector instructions: a window of rows is loaded whole, blended
 * and permuted in registers, and stored as full lines. */
#ifndef SG_PLAN_NETWORK_H
#define SG_PLAN_NETWORK_H

#include "plan/weave.h"

/* Both fill the program of a begun weave; the caller keeps the cheaper one.
 *   three stages: permute each source, blend, permute each line; every source loaded once
 *   gather: each line on its own from loads at any offset, by blends and one permute where lanes
 *           do not collide, else by two-source permutes. False where the instruction set has
 *           neither for this layout. */
void sg_network_three_stages(sg_weave *weave);
bool sg_network_gather(sg_weave *weave);

/* One line of the latter. */
bool sg_network_gather_line(sg_weave *weave, int line);

#endif
