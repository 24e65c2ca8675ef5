/* Distributes the kernels of a unit over several C files. */
#ifndef SG_EMIT_SHARD_H
#define SG_EMIT_SHARD_H

#include <stdint.h>

#include "base/arena.h"
#include "emit/emit.h"

/* Fills `count` units, each with some of the plans in their order and a copy of everything else.
 * About the same amount is printed for each. Some are empty if fewer kernels have code of their
 * own. The memory belongs to the arena. */
void sg_unit_shards(sg_arena *arena, const sg_unit *unit, int64_t count, sg_unit *shards);

#endif
