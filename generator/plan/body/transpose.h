/* Columns of one element each by interleaving alone. */
#ifndef SG_PLAN_BODY_TRANSPOSE_H
#define SG_PLAN_BODY_TRANSPOSE_H

#include "plan/body/weave.h"

/* Columns of a lane each in a column group: false where they are not, the instruction set cannot,
 * or rows were better read in order. No constants, no permutes; every line comes from pieces of 16
 * bytes.
 */
bool sg_transpose_build(sg_weave *weave);

#endif
