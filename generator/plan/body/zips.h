/* Concats of columns of one element each by zipping: interleaving two vectors lane by lane. */
#ifndef SG_PLAN_BODY_ZIPS_H
#define SG_PLAN_BODY_ZIPS_H

#include "plan/body/weave.h"

/* Builds the program of a weave that sg_weave_begin() has begun; false if the map is another one,
 * or the instruction set has no zip instructions. */
bool sg_zips_build(sg_weave *weave);

#endif
