/* Narrow columns line by line, from the sources as they lie. */
#ifndef SG_PLAN_BODY_GROUPS_H
#define SG_PLAN_BODY_GROUPS_H

#include "plan/body/weave.h"

/* Fills the program of a begun weave: blends of sources whose lanes do not collide, then permuted
 * and blended again or picked from two at a time. */
void sg_groups_build(sg_weave *weave);

#endif
