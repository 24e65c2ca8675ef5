/* Finds repetition in straight-line code. A tile of 32 rows whose wide columns are runs has 32
 * times as many runs as a row. They differ only by row strides, so a loop over rows needs a
 * thirty-second of the lines and of the object code. */
#include "plan/body/fold.h"

#include "plan/insn.h"
#include "plan/layout.h"
#include "plan/plan.h"

/* Maximum number of instructions in a fold, and minimum number of repetitions: a loop of fewer
 * saves no lines. */
#define FOLD_MAX  128
#define TIMES_MIN 3

/* Number of rows from one run to another of the same part; 0 if it is not whole. */
static int64_t rows_between(const sg_map *map, const sg_insn *a, const sg_insn *b)
{
    const int64_t bytes = sg_insn_in_whole(b)->at - sg_insn_in_whole(a)->at;
    return bytes > 0 && bytes % map->row_stride == 0 ? bytes / map->row_stride : 0;
}

/* How often the `count` instructions from `first` on repeat, `rows` rows apart. */
static int64_t times_of(const sg_map *map, const sg_insn *insns, int64_t end, int64_t first,
                        int64_t count, int64_t rows)
{
    int64_t same = 0; /* instructions that repeat the one `count` before them */
    while (first + count + same < end &&
           sg_insn_is_down(&insns[first + same], &insns[first + count + same], map, rows)) {
        ++same;
    }
    return 1 + same / count;
}

/* The fold that begins at an instruction and saves most; `times` is 1 if there is none. */
static sg_fold fold_at(const sg_map *map, const sg_insn *insns, int64_t end, int64_t first)
{
    sg_fold best = {.first = first, .count = 1, .times = 1};
    const sg_insn *insn = &insns[first];
    for (int64_t count = 1; count <= FOLD_MAX && first + count < end; ++count) {
        const sg_insn *next = insn + count;
        if (!sg_insn_is_run(next - 1)) {
            break;
        }
        const int64_t rows = sg_insn_is_run(next) ? rows_between(map, insn, next) : 0;
        if (rows > 0 && sg_insn_is_down(insn, next, map, rows)) {
            const int64_t times = times_of(map, insns, end, first, count, rows);
            if (times >= TIMES_MIN && count * (times - 1) > best.count * (best.times - 1)) {
                best = (sg_fold){first, count, times, rows};
            }
        }
    }
    return best;
}

int64_t sg_fold_most(int64_t ninsns)
{
    return ninsns / TIMES_MIN;
}

int64_t sg_fold_find(const sg_map *map, const sg_insn *insns, int64_t first, int64_t end,
                     sg_fold *folds)
{
    int64_t found = 0;
    for (int64_t i = first; i < end;) {
        const sg_fold fold = fold_at(map, insns, end, i);
        if (fold.times > 1) {
            folds[found++] = fold;
        }
        i += fold.count * fold.times;
    }
    return found;
}

const sg_fold *sg_fold_of(const sg_fold *folds, int64_t nfolds, int64_t insn)
{
    int64_t low = 0;
    int64_t high = nfolds; /* the first fold that begins after the instruction */
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (folds[middle].first <= insn) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const sg_fold *before = low > 0 ? &folds[low - 1] : NULL;
    return before != NULL && insn < before->first + before->count * before->times ? before : NULL;
}

bool sg_fold_prints(const sg_fold *fold, int64_t insn)
{
    return fold == NULL || insn < fold->first + fold->count;
}
