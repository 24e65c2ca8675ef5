/* Narrow columns as one network of vector instructions: all of a tile of rows is loaded, permuted,
 * blended and permuted in registers, and stored as full lines. */
#ifndef SG_PLAN_BODY_NETWORK_H
#define SG_PLAN_BODY_NETWORK_H

#include "plan/body/vector_builder.h"

/* Fills the program of `vb`, which is begun: permutes each source, blends, permutes each line.
 * Every source is loaded once. */
void sg_network_build(sg_vector_builder *vb);

/* Adds the cheapest of network, groups and transpose to a body that may hold more. */
void sg_network_column_group(sg_vector_builder *vb);

#endif
