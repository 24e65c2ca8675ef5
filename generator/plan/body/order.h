/* The order of a network's instructions. */
#ifndef SG_PLAN_BODY_ORDER_H
#define SG_PLAN_BODY_ORDER_H

#include "plan/body/vector_builder.h"

/* Orders the code of a body that is a single network, to keep few registers live: first loads that
 * are used more than once, then the rest by the last source that they depend on. */
void sg_order_code(sg_vector_builder *vb);

#endif
