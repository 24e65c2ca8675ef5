/* Compares the instructions of each fold with its repetitions. */
#include "plan/verify/verify_folds.h"

#include "plan/insn.h"
#include "plan/plan.h"

const char *sg_verify_folds(const sg_map *map, const sg_insn *insns, int64_t ninsns,
                            const sg_fold *folds, int64_t nfolds)
{
    int64_t behind = 0;
    for (int64_t f = 0; f < nfolds; ++f) {
        const sg_fold *fold = &folds[f];
        if (fold->first < behind || fold->count < 1 || fold->times < 1 ||
            fold->count > (ninsns - fold->first) / fold->times) {
            return "a loop over rows is longer than its instructions";
        }
        behind = fold->first + fold->count * fold->times;
        for (int64_t i = fold->first + fold->count; i < behind; ++i) {
            if (!sg_insn_is_down(&insns[i - fold->count], &insns[i], map, fold->rows)) {
                return "a loop over rows does not do what its instructions do";
            }
        }
    }
    return NULL;
}
