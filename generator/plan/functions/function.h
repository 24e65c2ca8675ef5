/* Functions as data. A function is a list of steps: variables, loops and conditions, which contain
 * operations on pointers and rows. Templates print it step by step, verify_functions.c executes it,
 * and reports count it, so bounds, increments and remainders have no other source. Rows are those
 * of the plan's layout. A function gets pointers to a first row, and counts rows from there. */
#ifndef SG_PLAN_FUNCTIONS_FUNCTION_H
#define SG_PLAN_FUNCTIONS_FUNCTION_H

#include <stdbool.h>
#include <stdint.h>

#include "plan/plan.h"

/* Variables of functions: numbers that are known only at run time. */
typedef enum sg_number {
#define NUMBER(id, name) SG_NUMBER_##id,
#include "plan/functions/numbers.inc"
#undef NUMBER
    SG_NUMBER_COUNT
} sg_number;

/* Its name in C. */
const char *sg_number_name(sg_number number);

/* Operators of expressions over these variables. */
typedef enum sg_expr_op {
#define EXPR(id, name, meaning) SG_EXPR_##id,
#include "plan/functions/exprs.inc"
#undef EXPR
    SG_EXPR_COUNT
} sg_expr_op;

/* Its name, "add". */
const char *sg_expr_name(sg_expr_op op);

typedef struct sg_expr {
    sg_expr_op op;
    int64_t literal;
    sg_number number;
    const struct sg_expr *of[3];
} sg_expr;

/* The kinds of steps. */
typedef enum sg_step_kind {
#define STEP(id, name, meaning) SG_STEP_##id,
#include "plan/functions/steps.inc"
#undef STEP
    SG_STEP_COUNT
} sg_step_kind;

/* Its name, "advance". */
const char *sg_step_name(sg_step_kind kind);

/* How the instructions of an iteration store. */
typedef enum sg_storing {
    SG_STORING_ORDINARY,
    SG_STORING_NON_TEMPORAL,
    SG_STORING_COMBINED,
    SG_STORING_COMBINED_NON_TEMPORAL,
    SG_STORING_GIVEN /* ordinary or non-temporal, by an argument */
} sg_storing;

/* "combined non-temporal" */
const char *sg_storing_name(sg_storing storing);

/* Sets of pointers. */
enum {
    SG_POINTS_INPUT = 1,
    SG_POINTS_PLAIN = 2,    /* outputs without write combining */
    SG_POINTS_COMBINED = 4, /* outputs with write combining, if it is used */
    SG_POINTS_OUTPUTS = 6,
    SG_POINTS_ALL = 7
};

typedef struct sg_step {
    sg_step_kind kind;
    sg_number number;
    bool is_bool;
    const sg_expr *value;
    const sg_expr *count;
    const sg_expr *condition;
    const sg_expr *by;
    int64_t end; /* index of the step that closes the block opened by this one */
    unsigned points;
    sg_storing storing;
    int64_t part;       /* shift: index into sg_map.parts, SG_WHOLE */
    int64_t function;   /* call: index into sg_plan.functions */
    int64_t *functions; /* column groups: an index for each code of the body */
    int64_t bytes;
    int64_t ahead;
    const char *note; /* the comment printed after it, or NULL */
} sg_step;

/* The loops of splitgen/loops.h, to which a function may pass its tile. */
typedef enum sg_loop {
#define LOOP(id, ...) SG_LOOP_##id,
#include "plan/functions/loops.inc"
#undef LOOP
    SG_LOOP_COUNT
} sg_loop;

/* Its name, "tiles_aligned". */
const char *sg_loop_name(sg_loop loop);

/* Whether it also calls the body's function with ordinary stores. */
bool sg_loop_calls_cached(sg_loop loop);

/* A call of a loop, with the arguments that loops.inc lists; arguments that the loop does not have
 * are 0. The header documents each. */
typedef struct sg_loop_call {
    sg_loop loop;  /* NONE: the function has steps */
    int64_t rows;  /* of a tile */
    int64_t tiles; /* of an iteration */
    /* maximum number of rows that the portable program copies after the last iteration */
    int64_t most;
    /* from one row to the next, of the full tensor or of each part that is written */
    int64_t bytes;
    int64_t vector;   /* bytes to align to */
    int64_t turn;     /* iterations of a stream before the next stream continues */
    int64_t now;      /* bytes that an iteration prefetches nearby */
    int64_t far;      /* bytes that an iteration prefetches further ahead */
    int64_t prologue; /* rows */
    bool others;      /* the tile has instructions outside the interleaved phase */
    bool is_prologue; /* the rows are a prologue, which does not prefetch */
} sg_loop_call;

/* The arguments of a function, which decide how it is called. */
typedef enum sg_function_role {
    SG_ROLE_ROWS, /* the kernel's pointers and rows [first, last): called by the dispatch table */
    SG_ROLE_ROW_GROUPS, /* the same for that many rows of several groups; the number of groups is an
                           argument */
    SG_ROLE_BLOCK,      /* array of outputs: a row and a number of tiles, for all column groups */
    SG_ROLE_COLUMN_GROUP,        /* the same for one kind of column group */
    SG_ROLE_COLUMN_GROUP_EITHER, /* the same with the way of storing as an argument; inlined in two
                                    COLUMN_GROUP functions */
    SG_ROLE_COLUMN_GROUP_ROWS, /* a first row and a number of rows, for one kind of column group */
    SG_ROLE_GROUPS, /* over bits: the kernel's pointers and groups [first, last): called by the
                       dispatch table */
    /* Entry points, which belong to no body: */
    SG_ROLE_DISPATCH, /* over bits: pointers, and groups [first, last) */
    SG_ROLE_ANY,      /* pointers, and rows [first, last) */
    SG_ROLE_PORTABLE, /* the same by the portable program; with a scale if the row length is dynamic
                       */
    SG_ROLE_APART,    /* the same for rows in groups with padding between them, group by group */
    SG_ROLE_OPEN,     /* dynamic dimensions: the public function, with their lengths */
    SG_ROLE_DESCRIPTOR, /* an array of pointers and rows [first, last) */
    SG_ROLE_COUNT
} sg_function_role;

/* "column_group_rows" */
const char *sg_role_name(sg_function_role role);

typedef struct sg_function {
    sg_function_role role;
    /* index of its body (over bits, in sg_bits.bodies); SG_CHOICE_PORTABLE: no body */
    int64_t body;
    sg_store_mode store_mode;
    int64_t code;   /* index of the body's code that it runs */
    bool by_offset; /* outputs are addressed by one common offset, not by a pointer each */
    sg_loop_call loop;
    int64_t nsteps;
    sg_step *steps;
} sg_function;

/* Index into sg_plan.functions of the function that copies rows by this body and way of storing;
 * -1: none. */
int64_t sg_function_find(const sg_plan *plan, int64_t body, sg_store_mode store_mode);

/* For a function with a loop: bytes of a row of each tensor that it writes with write combining, 0
 * for the others. `bytes` has room for all parts; index 0 is the full tensor if that is written. */
void sg_function_combined(const sg_plan *plan, const sg_function *f, int64_t *bytes);

/* Whether a plan has functions for several groups of rows, so that one call copies them all. */
bool sg_functions_take_groups(const sg_plan *plan);

#endif
