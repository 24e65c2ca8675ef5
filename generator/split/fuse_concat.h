/* fuse_concat: Concats that join what a Split cuts, and nothing else needs it, as joins of the
 * tensor that the Split cuts. */
#ifndef SG_SPLIT_FUSE_CONCAT_H
#define SG_SPLIT_FUSE_CONCAT_H

#include <stdint.h>

#include "base/arena.h"
#include "split/resolve.h"

/* Where op->origin->feeds says that only a Concat reads a part of a Split, and the rows of the part
 * lie at equal strides in what the Split cuts, the Concat reads them there: the part becomes a
 * piece of a source, and the Split need not make it. A Split that has to make nothing is gone.
 * Concats that are fed and read a part all the same say why in `apart`.
 *
 * The splits, in the order of their ops, are replaced by as many as are left, in the same order;
 * returns how many. What they pointed to is not changed. To be called behind sg_fuse(). */
int64_t sg_fuse_concats(sg_arena *arena, sg_split **splits, int64_t count);

/* The most parts and pieces of a join with sources. */
#define SG_FUSED_PARTS_MAX 32

#endif
