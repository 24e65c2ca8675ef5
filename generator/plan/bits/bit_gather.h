/* Gathers any bytes of a span of the input into one register: the cheapest of several ways. */
#ifndef SG_PLAN_BITS_BIT_GATHER_H
#define SG_PLAN_BITS_BIT_GATHER_H

#include "plan/bits/bit_writer.h"

/* A register whose byte i is byte want[i] of the input, or any byte if that is SG_BIT_ANY_BYTE. */
#define SG_BIT_ANY_BYTE INT64_C(-1)
int sg_bit_gather(sg_bit_writer *w, const int64_t *want);

#endif
