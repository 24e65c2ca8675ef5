/* Compares the instructions of a fold with what is printed of it. */
#include "plan/verify/verify_folds.h"

#include "plan/insn.h"
#include "plan/plan.h"

static bool same_place(const sg_ref *a, const sg_ref *b)
{
    return a->part == b->part && a->at == b->at;
}

static bool same_run(const sg_insn *a, const sg_insn *b)
{
    return sg_insn_is_run(a) && a->op == b->op && same_place(&a->to, &b->to) &&
           same_place(&a->from, &b->from) && a->bytes == b->bytes && a->spill == b->spill &&
           a->combines == b->combines && a->lines == b->lines && a->ragged == b->ragged &&
           a->copy == b->copy && a->string == b->string;
}

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
            sg_insn printed = insns[fold->first + (i - fold->first) % fold->count];
            sg_insn_down(&printed, map, (i - fold->first) / fold->count * fold->rows);
            if (!same_run(&printed, &insns[i])) {
                return "a loop over rows does not do what its instructions do";
            }
        }
    }
    return NULL;
}
