/* fuse: merges Splits of outputs of other Splits, and Concats of results of other Concats, if
 * nothing else needs the intermediate tensor. */
#ifndef SG_SPLIT_FUSE_H
#define SG_SPLIT_FUSE_H

#include <stdint.h>

#include "base/arena.h"
#include "split/resolve.h"

/* If a Split divides an output of another Split on the same axis, and is the only reader of that
 * output, its parts replace that output. Likewise, the inputs of a Concat replace its result among
 * the inputs of another Concat. Chains of any length and trees become one op, which has the name
 * and the op of the first Split or of the last Concat. Ops that could not be merged have the reason
 * in `apart`.
 *
 * Replaces the splits, which are in the order of their ops, by the remaining ones in the same
 * order; returns their number. The structs that the array pointed to are not changed. */
int64_t sg_fuse(sg_arena *arena, sg_split **splits, int64_t count);

/* Limit on the parts of a merged Concat: each Concat of a tensor with itself doubles them. */
#define SG_FUSED_JOIN_MAX INT64_C(4096)

#endif
