/* Narrow columns as one network of vector instructions: a tile of rows is loaded whole, permuted,
 * blended and permuted in registers, and stored as full lines. */
#ifndef SG_PLAN_BODY_NETWORK_H
#define SG_PLAN_BODY_NETWORK_H

#include "plan/body/weave.h"

/* Fills the program of a begun weave: permute each source, blend, permute each line; every source
 * is loaded once. */
void sg_network_build(sg_weave *weave);

/* The cheapest one of network, groups and transpose, added to a body that may hold more. */
void sg_network_column_group(sg_weave *weave);

#endif
