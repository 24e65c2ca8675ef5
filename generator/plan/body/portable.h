/* Portable code: columns as straight-line copies, for a tile of rows. */
#ifndef SG_PLAN_BODY_PORTABLE_H
#define SG_PLAN_BODY_PORTABLE_H

#include "plan/plan.h"

/* Work of a straight-line kernel, in moves, above which --unroll=auto chooses a row loop. A literal
 * copy counts one move per 16 bytes, a call counts one. Straight-line code is faster when cold up
 * to about this size (MEASURED.md, Unrolling). */
#define SG_UNROLL_BUDGET INT64_C(256)

/* Maximum number of instructions in one function: compilers take quadratic time over a basic block
 * (MEASURED.md, Unrolling). */
#define SG_BLOCK_INSNS INT64_C(64)

/* Bytes of one move: the vector that every x86-64 and AArch64 compiler uses by default. */
#define SG_MOVE_BYTES INT64_C(16)

/* Longer runs use ordered stores (splitgen_put()); gcc merges several shorter ones into a vector
 * (MEASURED.md, Copies). */
#define SG_PUT_BYTES INT64_C(8)

/* Largest literal memcpy. Compilers turn longer ones into slow calls or string instructions, so
 * longer runs are divided into pieces of this size, or become calls whose size is hidden from the
 * compiler (MEASURED.md, Copies). */
#define SG_COPY_LITERAL_MAX INT64_C(128)

/* From this size on one call of hidden size is faster than literal pieces (MEASURED.md, Copies). */
#define SG_CALL_MIN INT64_C(208)

/* The cost of a piece of a program: printed instructions and executed moves. */
typedef struct sg_work {
    int64_t insns;
    int64_t moves; /* as SG_UNROLL_BUDGET counts them */
} sg_work;

/* Work of one contiguous run, and of all runs of one row. */
sg_work sg_portable_run_work(const sg_plan *plan, int64_t bytes);
sg_work sg_portable_row_work(const sg_plan *plan);

/* Appends the instructions of one run, or of one row of a part, to `code`, which must have room. */
void sg_portable_append(const sg_plan *plan, sg_code *code, int64_t part, int64_t in_part,
                        int64_t in_whole, int64_t bytes);
void sg_portable_append_row(const sg_plan *plan, sg_code *code, int64_t part, int64_t row);

/* Fills plan->row. */
void sg_portable_build_row(sg_arena *arena, sg_plan *plan);

/* Fills plan->iteration for `rows` rows; with all rows of the map it is straight-line code. The
 * caller has checked the counts against SG_INSNS_HARD_CAP. */
void sg_portable_build_iteration(sg_arena *arena, sg_plan *plan, int64_t rows);

#endif
