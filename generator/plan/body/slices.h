/* Rows with narrow columns beside wide ones, or with too many narrow columns for one network.
 * Adjacent narrow columns become column groups with a network each, which loads a piece of every
 * row. Wide columns are copied. */
#ifndef SG_PLAN_BODY_SLICES_H
#define SG_PLAN_BODY_SLICES_H

#include "plan/machine/machine.h"
#include "plan/plan.h"

/* Input bytes that all column groups and runs process before the next rows, so that they stay in
 * the L1 cache. */
#define SG_BLOCK_BYTES INT64_C(32768)

/* Bytes of an output, for columns of one lane, that a column group writes before the next group
 * begins. More cost less until their lines evict each other (MEASURED.md, Column groups). */
#define SG_BLOCK_OUTPUT_BYTES INT64_C(512)

/* Input bytes from which blocks are shorter, for non-temporal stores. These need only one cache
 * line of each output at a time, and the next block is prefetched earlier (MEASURED.md, Column
 * groups). */
#define SG_BLOCK_FAR_BYTES (INT64_C(8) << 20)

/* Input bytes from which column groups prefetch the next block: each group reads a few bytes of
 * every row, a pattern that hardware prefetchers miss (MEASURED.md, Column groups). */
#define SG_BLOCK_AHEAD_BYTES (INT64_C(5) << 20)

/* The body for this layout; false if no column is narrow or column groups do not fit the registers,
 * or for a concat if the portable program is faster. A concat stores a piece of every row at a
 * time, assembled from the columns that overlap it.
 * With `by_lines`, wide columns whose rows end inside a vector are assembled line by line, so that
 * every store is an aligned vector; false if there are none. If outputs are parameters, the body
 * has one code for all column groups and runs. If they are an array, it has a slice per column
 * group, and all columns must be narrow. */
bool sg_slices_build(sg_arena *arena, const sg_plan *plan, const sg_isa_info *isa, bool by_lines,
                     sg_body *body);

/* For kernels with an array of outputs and columns at least as wide as a vector: slices of adjacent
 * columns, copied run by run as in vector_runs.h. False if there is no such column, or rows are too
 * long. */
bool sg_slices_build_runs(sg_arena *arena, const sg_plan *plan, const sg_isa_info *isa,
                          sg_body *body);

#endif
