/* Joins of two, four or eight columns of one element each by zipping vectors: two of them lane by
 * lane at a time. */
#ifndef SG_PLAN_BODY_ZIPS_H
#define SG_PLAN_BODY_ZIPS_H

#include "plan/body/weave.h"

/* Builds the program of a weave that sg_weave_begin() has begun, or false when its map is another
 * one or the instruction set has nothing to zip by. */
bool sg_zips_build(sg_weave *weave);

#endif
