/* Rows with narrow columns beside wide ones, or with too many of them for one network: neighbouring
 * narrow columns become column groups with a network each, from pieces of every row; wide columns
 * are copied. */
#ifndef SG_PLAN_BODY_SLICES_H
#define SG_PLAN_BODY_SLICES_H

#include "plan/machine/machine.h"
#include "plan/plan.h"

/* Bytes of the input all groups of runs work on before the next rows, which stay in the
 * first-level cache meanwhile. */
#define SG_BLOCK_BYTES INT64_C(32768)

/* Bytes of an output, in columns of one lane, that a column group writes before the next group
 * begins: larger pieces cost less until their lines drive each other out of the cache (MEASURED.md,
 * Column groups). */
#define SG_BLOCK_OUTPUT_BYTES INT64_C(512)

/* Input bytes from which blocks are shorter, for non-temporal stores: these need only one cache
 * line of each output at a time, and the next block is then prefetched earlier (MEASURED.md,
 * Column groups). */
#define SG_BLOCK_FAR_BYTES (INT64_C(8) << 20)

/* Input bytes from which column groups prefetch the next block: each group reads a few bytes of
 * every row, which no hardware prefetcher follows (MEASURED.md, Column groups). */
#define SG_BLOCK_AHEAD_BYTES (INT64_C(5) << 20)

/* The body for this layout, or false when there is nothing narrow in it or column groups do not fit
 * the registers. `by_lines`: wide columns whose rows end inside a vector are put together line by
 * line, so that every store is an aligned vector; false when there are none. Kernels that take
 * their outputs as parameters get one body for all column groups and runs; those that take an array
 * of them a slice per column group, where all columns must be narrow. */
bool sg_slices_build(sg_arena *arena, const sg_plan *plan, const sg_isa_info *isa, bool by_lines,
                     sg_body *body);

/* For concats of many narrow columns: a vector of every row of a tile at a time, put together from
 * the columns that have bytes in it, in column groups like those above. False where the portable
 * program takes less time. */
bool sg_slices_build_concat(sg_arena *arena, const sg_plan *plan, const sg_isa_info *isa,
                            sg_body *body);

/* For kernels with an array of outputs and columns as wide as a vector: slices of neighbours, which
 * are run by run as in vector_runs.h. False when there is no such column, or rows are too long. */
bool sg_slices_build_runs(sg_arena *arena, const sg_plan *plan, const sg_isa_info *isa,
                          sg_body *body);

#endif
