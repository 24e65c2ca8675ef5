/* fuse_check: checks fused ops against the graph that they were made from. */
#ifndef SG_SPLIT_FUSE_CHECK_H
#define SG_SPLIT_FUSE_CHECK_H

#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "split/split.h"

/* Proves that every fused op copies the same elements as the ops of the graph in sequence, and that
 * every tensor with a remaining reader is still written. before: the resolved ops in the order of
 * the graph; after: the result of sg_fuse() and sg_fuse_concats(). The check shares no logic with
 * these two: it follows elements through the ops in `before`.
 *
 * Both sides are affine functions of the index of an element within a box, so they are equal if
 * they agree at the first element and at its neighbour in each dimension. Open dimensions are
 * replaced by several sets of primes. False: reported, SG_EXIT_BUG. */
bool sg_fuse_check(sg_arena *arena, sg_diag *diag, sg_split *const *before, int64_t nbefore,
                   sg_split *const *after, int64_t nafter) SG_CHECK;

#endif
