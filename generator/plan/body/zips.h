/* Concats of columns of one element each by zipping: interleaving two vectors lane by lane. */
#ifndef SG_PLAN_BODY_ZIPS_H
#define SG_PLAN_BODY_ZIPS_H

#include "plan/body/vector_builder.h"

/* Builds the program of a vector builder that sg_vector_begin() has begun; false if the map is
 * another one, or the instruction set has no zip instructions. */
bool sg_zips_build(sg_vector_builder *vb);

#endif
