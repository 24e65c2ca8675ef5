/* Narrow columns, line by line, from source vectors as they are loaded. */
#ifndef SG_PLAN_BODY_GROUPS_H
#define SG_PLAN_BODY_GROUPS_H

#include "plan/body/vector_builder.h"

/* Fills the program of `vb`, which is begun: blends sources whose lanes do not collide, then
 * permutes the results and blends them again, or combines them by two-source permutes. */
void sg_groups_build(sg_vector_builder *vb);

#endif
