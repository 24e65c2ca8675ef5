/* Stable text of plans over bits, for --dump. */
#ifndef SG_PLAN_TELL_BITS_DUMP_H
#define SG_PLAN_TELL_BITS_DUMP_H

#include "base/text.h"
#include "plan/bits/bit_program.h"
#include "plan/plan.h"

void sg_bits_dump_plan(sg_buf *out, const sg_bits *bits);
void sg_bits_dump_program(sg_buf *out, const sg_plan *plan);

#endif
