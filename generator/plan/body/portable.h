/* Portable code: columns as straight-line copies, for a tile of rows. */
#ifndef SG_PLAN_BODY_PORTABLE_H
#define SG_PLAN_BODY_PORTABLE_H

#include "plan/plan.h"

/* Work of one kernel in straight line before --unroll=auto falls back to a row loop, in moves: a
 * literal copy counts one per 16 bytes, a call one. Cold code wins by straight lines up to about
 * so many (MEASURED.md, Unrolling). */
#define SG_UNROLL_BUDGET INT64_C(256)

/* Instructions in one function: compilers are quadratic in the length of a basic block
 * (MEASURED.md, Unrolling). */
#define SG_BLOCK_INSNS INT64_C(64)

/* Bytes of one move, the vector every x86-64 and AArch64 compiler uses without being asked. */
#define SG_MOVE_BYTES INT64_C(16)

/* Runs of more bytes keep their order (splitgen_put()); of narrower ones gcc puts several into a
 * vector (MEASURED.md, Copies). */
#define SG_PUT_BYTES INT64_C(8)

/* Largest literal memcpy: compilers make slow calls or string instructions of longer ones, which
 * are therefore cut into pieces of this size or become calls of a size hidden from the compiler
 * (MEASURED.md, Copies). */
#define SG_COPY_LITERAL_MAX INT64_C(128)

/* From here on one hidden-size call beats literal pieces (MEASURED.md, Copies). */
#define SG_CALL_MIN INT64_C(208)

/* What a piece of a program costs to print and to run. */
typedef struct sg_work {
    int64_t insns;
    int64_t moves; /* as SG_UNROLL_BUDGET counts them */
} sg_work;

/* Work of one run of contiguous bytes, and of all runs of one row. */
sg_work sg_portable_run_work(const sg_plan *plan, int64_t bytes);
sg_work sg_portable_row_work(const sg_plan *plan);

/* Appends the instructions of one run, or of one row of a part, to code with room for them. */
void sg_portable_append(const sg_plan *plan, sg_code *code, int64_t part, int64_t in_part,
                        int64_t in_whole, int64_t bytes);
void sg_portable_append_row(const sg_plan *plan, sg_code *code, int64_t part, int64_t row);

/* Fills plan->row. */
void sg_portable_build_row(sg_arena *arena, sg_plan *plan);

/* Fills plan->iteration, of so many rows; all rows of the map are straight-line code. The counts
 * were checked against SG_INSNS_HARD_CAP before. */
void sg_portable_build_iteration(sg_arena *arena, sg_plan *plan, int64_t rows);

#endif
