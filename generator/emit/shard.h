/* shard: the kernels of a unit spread over several C files. */
#ifndef SG_EMIT_SHARD_H
#define SG_EMIT_SHARD_H

#include <stdint.h>

#include "base/arena.h"
#include "emit/emit.h"

/* Fills `count` units, each with some of the plans in their order and everything else as the whole
 * has it; about as much is printed for each. Some are empty where there are fewer kernels with code
 * of their own. The memory belongs to the arena. */
void sg_unit_shards(sg_arena *arena, const sg_unit *unit, int64_t count, sg_unit *shards);

#endif
