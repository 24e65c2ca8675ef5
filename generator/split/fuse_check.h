/* fuse_check: fused ops against the graph they were made from. */
#ifndef SG_SPLIT_FUSE_CHECK_H
#define SG_SPLIT_FUSE_CHECK_H

#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "split/split.h"

/* Proves that every fused op moves what the ops of the graph move one after the other, and that
 * every tensor somebody reads is still written. before: the ops as resolved, in the order of the
 * graph; after: what sg_fuse() and sg_fuse_concats() made of them. Nothing of how these two work is
 * used here: elements are followed through the ops in `before`.
 *
 * Both sides are affine functions of the index of an element within a box, so they are equal if
 * they agree at the first element and at its neighbour in each dimension. Open numbers are replaced
 * by several sets of primes. False: reported, SG_EXIT_BUG. */
bool sg_fuse_check(sg_arena *arena, sg_diag *diag, sg_split *const *before, int64_t nbefore,
                   sg_split *const *after, int64_t nafter) SG_CHECK;

#endif
