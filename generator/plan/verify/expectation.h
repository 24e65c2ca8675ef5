/* What has to arrive where, drawn from the split alone, and the checks of runs and coverage against
 * it. Only the files of this folder use it. */
#ifndef SG_PLAN_VERIFY_EXPECTATION_H
#define SG_PLAN_VERIFY_EXPECTATION_H

#include "plan/plan.h"

/* What one output needs within a row of the input, in units: bytes, or bits of packed elements. */
typedef struct sg_expected {
    int64_t offset;
    int64_t width;
} sg_expected;

typedef struct sg_expectation {
    bool bits; /* units are bits of a stream that begins, with msb, at the highest of its first
                  byte, else at the lowest */
    bool msb;
    int64_t rows;
    int64_t row_bytes; /* or units */
    int64_t ntargets;
    sg_expected *targets; /* per column of the layout */
} sg_expectation;

/* Units [begin, end) of a column's window were written. */
typedef struct sg_interval {
    int64_t column;
    int64_t begin;
    int64_t end;
} sg_interval;

/* Fills the expectation from the split alone, in the unit `element` is the size of an element in,
 * and checks that the plan's outputs are the wanted parts in order and that every one with
 * something in it has a column of its own. NULL, or what is wrong. */
const char *sg_verify_expect(sg_arena *arena, const sg_plan *plan, int64_t element,
                             sg_expectation *e);

/* The dimensions and strides of output o's view are what the split says. */
const char *sg_verify_strides(sg_arena *arena, const sg_plan *plan, int64_t o);

/* Every unit of the run insn->src .. src+bytes -> column, dst, all of them in units, is inside a
 * window of `rows` rows and where the split says. NULL, or what is wrong with instruction `index`.
 */
const char *sg_verify_run(sg_arena *arena, const sg_expectation *e, int64_t rows,
                          const sg_insn *insn, int64_t index);

/* The n writes tile every column of the window exactly once; sorts them. */
const char *sg_verify_cover(sg_arena *arena, const sg_expectation *e, int64_t rows,
                            sg_interval *writes, int64_t n);

#endif
