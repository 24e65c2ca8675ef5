/* Proof that what C says once is what a program does several times. */
#ifndef SG_PLAN_VERIFY_VERIFY_FOLDS_H
#define SG_PLAN_VERIFY_VERIFY_FOLDS_H

#include "plan/plan.h"

/* Whether the instructions behind the first ones of each fold are these again, so many rows further
 * down, and folds are in order. So who proves all instructions proves what is printed. NULL, or
 * what is wrong. */
const char *sg_verify_folds(const sg_map *map, const sg_insn *insns, int64_t ninsns,
                            const sg_fold *folds, int64_t nfolds);

#endif
