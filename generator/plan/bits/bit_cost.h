/* What programs of vectors over bits cost. */
#ifndef SG_PLAN_BITS_BIT_COST_H
#define SG_PLAN_BITS_BIT_COST_H

#include "plan/bits/bit_writer.h"
#include "plan/plan.h"

/* What the instructions from `first` on take. */
sg_prediction sg_bit_predict(const sg_bit_writer *w, int64_t first);

/* The same for choosing between two ways to do a part: the number of instructions breaks ties. */
double sg_bit_weight(const sg_bit_writer *w, int64_t first);

#endif
