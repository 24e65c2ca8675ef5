/* Executes the loops of splitgen/loops.h, which kernels include, on rows without data.
 * verify_vector.c proves what a tile does. */
#ifndef SG_PLAN_VERIFY_EXECUTE_LOOPS_H
#define SG_PLAN_VERIFY_EXECUTE_LOOPS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "plan/functions/function.h"
#include "plan/plan.h"

/* splitgen/runs.h computes how kernels divide rows into streams */
#include "splitgen/streams.h"

/* The rows of one call of a function. */
typedef struct sg_execution {
    const sg_plan *plan;
    const sg_body *v;
    const sg_function *f;
    int64_t first;
    int64_t last;      /* rows [first, last) must be copied */
    int64_t parts;     /* the number of streams that loops get */
    int64_t line_rows; /* non-temporal iterations may only begin at multiples of this, so that
                          stores are aligned */
    int64_t begins;    /* misalignment of all outputs to cache lines, in bytes; -1: not equal */
    int64_t across;    /* number of misaligned iterations */
    uint8_t *copied;   /* completed phases, by row from `first` on */
    int64_t halves;    /* number of phases of rows that were executed, with repetitions */
    int64_t *next;     /* of a loop over columns: the next row of each slice */
    bool stored;       /* some call stored in the way of the function */
    bool unfenced;
    const char *flaw;
} sg_execution;

/* Executes m->f, which has a tile, for m's rows. Errors are in m->flaw; the first one is kept. */
void sg_execute_tiles(sg_execution *m);

/* Executes m->f, which calls the functions of all codes. */
void sg_execute_columns(sg_arena *arena, sg_execution *m);

#endif
