/* Instructions that do the same to one row after the other: C says them once, in a loop. */
#ifndef SG_PLAN_BODY_FOLD_H
#define SG_PLAN_BODY_FOLD_H

#include "plan/plan.h"

/* Finds the folds among instructions [first, end), which stay as they are, and appends them to
 * `folds`: room for sg_fold_most(end - first). Returns how many there are. */
int64_t sg_fold_find(const sg_map *map, const sg_insn *insns, int64_t first, int64_t end,
                     sg_fold *folds);
int64_t sg_fold_most(int64_t ninsns);

#endif
