/* Narrow columns as one network of vector instructions: a window of rows is loaded whole, blended
 * and permuted in registers, and stored as full lines. */
#ifndef SG_PLAN_NETWORK_H
#define SG_PLAN_NETWORK_H

#include "plan/weave.h"

/* All fill the program of a begun weave; the caller keeps the cheapest one.
 *   three stages: permute each source, blend, permute each line; every source loaded once
 *   gather: each line on its own from loads at any offset, by blends and one permute where lanes
 *           do not collide, else by two-source permutes. False where the instruction set has
 *           neither for this layout.
 *   groups: each line on its own from the sources as they lie: blends of sources whose lanes do not
 *           collide, then permuted and blended again or picked from two at a time */
void sg_network_three_stages(sg_weave *weave);
void sg_network_groups(sg_weave *weave);
bool sg_network_gather(sg_weave *weave);

/* Columns of a lane each in a strip, by interleaving alone: false where they are not, the
 * instruction set cannot, or rows were better read in order. No constants, no permutes; every line
 * comes from pieces of 16 bytes. */
bool sg_network_transpose(sg_weave *weave);

/* The cheapest one of three stages, groups and transpose, added to a body that may hold more. */
void sg_network_strip(sg_weave *weave);

/* One line of gather. */
bool sg_network_gather_line(sg_weave *weave, int line);

#endif
