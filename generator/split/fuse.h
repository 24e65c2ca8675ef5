/* fuse: Splits that cut what others make, and nothing else needs it, as one split each. */
#ifndef SG_SPLIT_FUSE_H
#define SG_SPLIT_FUSE_H

#include <stdint.h>

#include "base/arena.h"
#include "split/resolve.h"

/* Where op->origin->feed says that a Split cuts an output of another one, which nothing else needs,
 * and both cut the same axis, the parts of the one take the place of that output in the other.
 * Chains of any length and trees become one split, which has the name and the op of the first.
 * Those that stay apart although they are fed say why in `apart`.
 *
 * The splits, in the order of their ops, are replaced by as many as are left, in the same order;
 * returns how many. What they pointed to is not changed. */
int64_t sg_fuse(sg_arena *arena, sg_split **splits, int64_t count);

#endif
