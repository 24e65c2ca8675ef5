/* The order of a network's instructions. */
#ifndef SG_PLAN_BODY_ORDER_H
#define SG_PLAN_BODY_ORDER_H

#include "plan/body/weave.h"

/* Orders a body that is nothing but one network: loads that are wanted more than once, then the
 * rest by the last source it needs, so that few registers are alive at a time. */
void sg_order_code(sg_weave *weave);

#endif
