/* Executes a function of a plan, step by step as it is printed, on rows without bytes. */
#ifndef SG_PLAN_VERIFY_EXECUTE_H
#define SG_PLAN_VERIFY_EXECUTE_H

#include "plan/functions/function.h"
#include "plan/plan.h"

/* How kernels cut streams, as they have it. */
#define SPLITGEN_COPY static inline
#include "splitgen/streams.h"

/* Which instructions of a tile: those that copy the same run of all interleaved streams together,
 * or the others. */
typedef enum sg_phase { SG_PHASE_ALL, SG_PHASE_TOGETHER, SG_PHASE_OTHERS } sg_phase;

/* The rows of a call of a function from outside. Over bits a row is a group of rows, and the rows
 * behind all groups count as one more. */
typedef struct sg_execution {
    const sg_plan *plan;
    const sg_body *v;         /* NULL: words over bits, or the portable program */
    const sg_code *code;      /* the code of the body that is looked at */
    int64_t iteration;        /* rows of an iteration */
    sg_store_mode store_mode; /* that the table of choices has */
    int64_t first;
    int64_t last; /* rows [first, last) are to be copied */
    int64_t parts;
    int64_t rows;  /* of a call of SG_ROLE_OPEN: all of them, which it copies or has copied */
    bool called;   /* it has had them copied by another entry_point, which is executed by itself */
    int64_t next;  /* of a call of SG_ROLE_APART: the row that is copied next */
    int64_t *held; /* shifts of that call, from which one for several groups moves on */
    int64_t *shifts;   /* of its next call, in units: by part, and behind them that of the whole */
    bool takes_groups; /* its calls copy all groups they are told, not the first alone */
    const int64_t *open; /* open numbers of the kernel, of a call of SG_ROLE_OPEN */
    int64_t scale;       /* the product of those behind the axis */
    int64_t line_rows;   /* non-temporal iterations begin at multiples of so many rows, where stores
                            are   aligned */
    int64_t begins;  /* bytes behind a multiple of a cache line at which all outputs begin; -1: not
                        all at the same */
    int64_t across;  /* iterations that began where none of their vectors does */
    uint8_t *copied; /* phases that were executed, by row from `first` on */
    int64_t halves;  /* phases of rows that were executed, however often */
    bool stored;     /* in the way that the table of choices has, in any call */
    bool unfenced;
    bool chose; /* looked up the table of choices */
    int64_t steps;
    int64_t depth;
    const char *flaw;
} sg_execution;

/* Executes a function for `count` rows or tiles from row `first` on, or for rows [first, count), as
 * its role says; SG_ROLE_OPEN for the open numbers. What is wrong with it is in `flaw` then. */
void sg_execute(sg_execution *m, const sg_function *f, int64_t first, int64_t count);

/* Whether a function is given the first row and the one behind the last. */
bool sg_execute_takes_range(const sg_function *f);

/* Whether all instructions were executed for rows [first, last). */
bool sg_executed_all(const sg_execution *m, int64_t first, int64_t last);

/* Notes that rows [row, row + rows) are copied, or a phase of the instructions is executed for
 * them. */
void sg_execute_copy(sg_execution *m, int64_t row, int64_t rows, sg_phase phase, bool combines);

/* Notes where the vectors of an iteration from that row on lie. */
void sg_execute_look(sg_execution *m, int64_t row);

/* Notes what is wrong, unless something else is already. */
void sg_execute_fail(sg_execution *m, const char *what);

#endif
