/* Measured limits of what is unrolled, each with the measurement behind it. */
#ifndef SG_PLAN_BUDGET_H
#define SG_PLAN_BUDGET_H

#include <stdint.h>

/* Straight-line instructions of one kernel before --unroll=auto falls back to a row loop. */
#define SG_UNROLL_BUDGET INT64_C(256)

/* Instructions of one loop body that --unroll=auto aims at, by taking several short rows a trip. */
#define SG_LOOP_BODY_INSNS INT64_C(16)

/* Instructions printed for one kernel, in any mode; above it is an error with the ways out. */
#define SG_INSNS_HARD_CAP INT64_C(16384)

/* Instructions in one function: compilers are quadratic in the length of a basic block. */
#define SG_BLOCK_INSNS INT64_C(64)

/* Largest memcpy of literal size that every compiler expands into plain vector moves. */
#define SG_COPY_LITERAL_MAX INT64_C(128)

/* From here on a call into the C library, its size hidden from the compiler, is faster than
 * moves of SG_COPY_LITERAL_MAX bytes in a row. */
#define SG_COPY_CALL_MIN INT64_C(513)

#endif
