/* Predicted cost of vector programs over bits. */
#ifndef SG_PLAN_BITS_BIT_COST_H
#define SG_PLAN_BITS_BIT_COST_H

#include "plan/bits/bit_writer.h"
#include "plan/plan.h"

/* The cost of the instructions from `first` on. */
sg_prediction sg_bit_predict(const sg_bit_writer *w, int64_t first);

/* The same, to choose between two ways to do something: the number of instructions breaks ties. */
double sg_bit_weight(const sg_bit_writer *w, int64_t first);

#endif
