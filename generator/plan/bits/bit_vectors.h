/* Groups of packed elements by vectors. */
#ifndef SG_PLAN_BITS_BIT_VECTORS_H
#define SG_PLAN_BITS_BIT_VECTORS_H

#include "plan/bits/bit_program.h"

/* Sets bits->vectors if they are cheaper than the words of the group, which must be built. */
void sg_bit_vectors_build(sg_arena *arena, const sg_map *map, sg_bits *bits);

#endif
