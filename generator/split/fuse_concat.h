/* fuse_concat: makes Concats read directly from the input of a Split, if nothing else needs the
 * Split's outputs. */
#ifndef SG_SPLIT_FUSE_CONCAT_H
#define SG_SPLIT_FUSE_CONCAT_H

#include <stdint.h>

#include "base/arena.h"
#include "split/resolve.h"

/* If a Concat is the only reader of an output of a Split (op->origin has the graph), and the rows
 * of that output have a constant stride in the Split's input, the Concat reads them there: the part
 * becomes a piece of a source, and the Split no longer writes it. A Split with nothing left to
 * write is removed. A Concat that reads an output of a Split, but could not be fused with it, has
 * the reason in `apart`.
 *
 * Replaces the splits, which are in the order of their ops, by the remaining ones in the same
 * order; returns their number. The structs that the array pointed to are not changed. Call it after
 * sg_fuse(). */
int64_t sg_fuse_concats(sg_arena *arena, sg_split **splits, int64_t count);

/* Limit on the parts and pieces of a Concat with sources. */
#define SG_FUSED_PARTS_MAX 32

#endif
