/* Verifies that printed loops do what the instructions do. */
#ifndef SG_PLAN_VERIFY_VERIFY_FOLDS_H
#define SG_PLAN_VERIFY_VERIFY_FOLDS_H

#include "plan/plan.h"

/* Checks that folds are in order, and that each consists of repetitions of its first instructions,
 * `rows` rows further down each time. A proof of all instructions is then a proof of the printed
 * code. NULL, or an error. */
const char *sg_verify_folds(const sg_map *map, const sg_insn *insns, int64_t ninsns,
                            const sg_fold *folds, int64_t nfolds);

#endif
