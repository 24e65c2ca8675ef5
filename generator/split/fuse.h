/* fuse: Splits that cut what other Splits write, and Concats of what other Concats write, as one op
 * each where nothing else needs the tensor between them. */
#ifndef SG_SPLIT_FUSE_H
#define SG_SPLIT_FUSE_H

#include <stdint.h>

#include "base/arena.h"
#include "split/resolve.h"

/* Where a Split cuts an output of another Split, only this Split reads that output, and both cut
 * the same axis, the parts of the one take the place of the output in the other. The same holds for
 * Concats: the parts of the one take the place of its result among the parts of the other. Chains
 * of any length and trees become one op. It has the name and the op of the first Split, or of the
 * last Concat. Ops that stay apart say why in `apart`.
 *
 * The splits, in the order of their ops, are replaced by as many as are left, in the same order;
 * returns how many. What they pointed to is not changed. */
int64_t sg_fuse(sg_arena *arena, sg_split **splits, int64_t count);

/* The most parts of a Concat that is made of several: Concats of a tensor with itself double them
 * each time. */
#define SG_FUSED_JOIN_MAX INT64_C(4096)

#endif
