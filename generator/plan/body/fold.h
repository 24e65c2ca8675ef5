/* Instructions that repeat for one row after the other: printed as a loop in C. */
#ifndef SG_PLAN_BODY_FOLD_H
#define SG_PLAN_BODY_FOLD_H

#include "plan/plan.h"

/* Finds the folds among instructions [first, end), which are not changed, and appends them to
 * `folds`, which has room for sg_fold_most(end - first). Returns their number. */
int64_t sg_fold_find(const sg_map *map, const sg_insn *insns, int64_t first, int64_t end,
                     sg_fold *folds);
int64_t sg_fold_most(int64_t ninsns);

/* The fold that contains an instruction; NULL: none. Folds are in order. */
const sg_fold *sg_fold_of(const sg_fold *folds, int64_t nfolds, int64_t insn);

/* Whether this instruction is printed: it is in the first repetition of its fold, or `fold` is
 * NULL. */
bool sg_fold_prints(const sg_fold *fold, int64_t insn);

#endif
