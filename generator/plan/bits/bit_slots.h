/* Fills one vector of an output. */
#ifndef SG_PLAN_BITS_BIT_SLOTS_H
#define SG_PLAN_BITS_BIT_SLOTS_H

#include "plan/bits/bit_writer.h"

/* Appends instructions that fill `bytes` (8, 16, 32, 64) bytes of a column from byte `at` on. */
void sg_bit_fill(sg_bit_writer *w, int64_t column, int64_t at, int64_t bytes);

/* The same for 8 bytes, bit by bit. */
void sg_bit_fill_singly(sg_bit_writer *w, int64_t column, int64_t at);

#endif
