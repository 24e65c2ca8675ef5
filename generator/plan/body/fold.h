/* Instructions that do the same to one row after the other: C says them once, in a loop. */
#ifndef SG_PLAN_BODY_FOLD_H
#define SG_PLAN_BODY_FOLD_H

#include "plan/plan.h"

/* Finds the folds among instructions [first, end), which stay as they are, and appends them to
 * `folds`: room for sg_fold_most(end - first). Returns how many there are. */
int64_t sg_fold_find(const sg_map *map, const sg_insn *insns, int64_t first, int64_t end,
                     sg_fold *folds);
int64_t sg_fold_most(int64_t ninsns);

/* The fold that an instruction belongs to, NULL where it belongs to none; folds are in order. */
const sg_fold *sg_fold_of(const sg_fold *folds, int64_t nfolds, int64_t insn);

/* Whether C says this instruction of a fold, as one of its first time; always where that is NULL.
 */
bool sg_fold_prints(const sg_fold *fold, int64_t insn);

#endif
