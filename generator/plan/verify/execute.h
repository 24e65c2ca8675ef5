/* Executes a function of a plan, step by step as it is printed, on rows without data. */
#ifndef SG_PLAN_VERIFY_EXECUTE_H
#define SG_PLAN_VERIFY_EXECUTE_H

#include "plan/functions/function.h"
#include "plan/plan.h"

/* splitgen/runs.h computes how kernels divide rows into streams */
#define SPLITGEN_COPY static inline
#include "splitgen/streams.h"

/* Which instructions of a tile are executed: those that copy the same run of all interleaved
 * streams, the others, or all. */
typedef enum sg_phase { SG_PHASE_ALL, SG_PHASE_TOGETHER, SG_PHASE_OTHERS } sg_phase;

/* The rows of one call of a function. Over bits a row is a group of rows, and the rows after all
 * groups count as one more. */
typedef struct sg_execution {
    const sg_plan *plan;
    const sg_body *v;         /* NULL: words over bits, or the portable program */
    const sg_code *code;      /* the code of the body that is checked */
    int64_t iteration;        /* rows of an iteration */
    sg_store_mode store_mode; /* required by the dispatch table */
    int64_t first;
    int64_t last; /* rows [first, last) must be copied */
    int64_t parts;
    int64_t rows;        /* SG_ROLE_OPEN: the number of all rows */
    bool called;         /* it called another entry point, which is executed separately */
    int64_t next;        /* SG_ROLE_APART: the next row to be copied */
    int64_t *held;       /* shifts of that call; a call for several groups starts from them */
    int64_t *shifts;     /* shifts of its next call, in units: by part, then the full tensor */
    bool takes_groups;   /* its calls copy all their groups, not only the first */
    const int64_t *open; /* SG_ROLE_OPEN: the kernel's dynamic dimensions */
    int64_t scale;       /* product of the dynamic dimensions after the axis */
    int64_t line_rows;   /* non-temporal iterations may only begin at multiples of this, so that
                            stores are aligned */
    int64_t begins;      /* misalignment of all outputs to cache lines, in bytes; -1: not equal */
    int64_t across;      /* number of misaligned iterations */
    uint8_t *copied;     /* completed phases, by row from `first` on */
    int64_t halves;      /* number of phases of rows that were executed, with repetitions */
    bool stored;         /* some call stored in the way that the dispatch table requires */
    bool unfenced;
    bool chose; /* the dispatch table was used */
    int64_t steps;
    int64_t depth;
    const char *flaw;
} sg_execution;

/* Executes a function, by its role for `count` rows or tiles from row `first` on, or for rows
 * [first, count); SG_ROLE_OPEN uses m->open. Errors are in m->flaw. */
void sg_execute(sg_execution *m, const sg_function *f, int64_t first, int64_t count);

/* Whether the arguments of a function are the first row and the end of the rows. */
bool sg_execute_takes_range(const sg_function *f);

/* Whether all phases were executed for rows [first, last). */
bool sg_executed_all(const sg_execution *m, int64_t first, int64_t last);

/* Records that rows [row, row + rows) are copied, or one phase of their instructions is executed.
 * */
void sg_execute_copy(sg_execution *m, int64_t row, int64_t rows, sg_phase phase, bool combines);

/* Records the alignment of an iteration that begins at `row`. */
void sg_execute_look(sg_execution *m, int64_t row);

/* Records an error; the first one is kept. */
void sg_execute_fail(sg_execution *m, const char *what);

#endif
