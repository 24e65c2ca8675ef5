/* Functions as data. A function is a list of steps: declarations and loops over run-time numbers,
 * and what is done in them to pointers and rows. Templates print it step by step,
 * verify_functions.c executes it, and reports count it, so no bound, step or remainder stands
 * anywhere else.
 *
 * Rows are those of the plan's layout. A function is given pointers to a first row; where it is at
 * in the input and in the outputs is counted from there. */
#ifndef SG_PLAN_FUNCTIONS_FUNCTION_H
#define SG_PLAN_FUNCTIONS_FUNCTION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "plan/plan.h"

/* A number that is known only when the function runs. */
typedef enum sg_number {
#define NUMBER(id, name) SG_NUMBER_##id,
#include "plan/functions/numbers.inc"
#undef NUMBER
    SG_NUMBER_COUNT
} sg_number;

/* Its name in C. */
const char *sg_number_name(sg_number number);

typedef enum sg_expr_op {
    SG_EXPR_LITERAL,
    SG_EXPR_NUMBER,
    SG_EXPR_PLUS,
    SG_EXPR_MINUS,
    SG_EXPR_TIMES,
    SG_EXPR_OVER, /* rounded down */
    SG_EXPR_REST, /* what a division leaves */
    SG_EXPR_LESS,
    SG_EXPR_MORE,
    SG_EXPR_AT_LEAST,
    SG_EXPR_EQUAL,
    SG_EXPR_DIFFERS,
    SG_EXPR_AND,
    SG_EXPR_CHOOSE, /* of[0] ? of[1] : of[2] */
    SG_EXPR_DOWN,   /* a number, which is made one less first */
    SG_EXPR_PART    /* trips of each of the parts that take turns, splitgen_part(): of all trips,
                       of[0],    a multiple of of[1]; a trip reads of[2] bytes */
} sg_expr_op;

typedef struct sg_expr {
    sg_expr_op op;
    int64_t literal;
    sg_number number;
    const struct sg_expr *of[3];
} sg_expr;

typedef enum sg_step_kind {
    /* Numbers and loops. A step that opens a block has the index of the one that closes it. */
    SG_STEP_LET,  /* const size_t number = value; bool where it is_bool */
    SG_STEP_VAR,  /* size_t number = value */
    SG_STEP_SET,  /* number = value */
    SG_STEP_ADD,  /* number += value */
    SG_STEP_TAKE, /* number -= value */
    SG_STEP_LOOP, /* for (size_t number = value; condition; number += by): what is not there is none
                   */
    SG_STEP_DOWN, /* the same with number -= by */
    SG_STEP_IF,
    SG_STEP_ELSE_IF,
    SG_STEP_ELSE,
    SG_STEP_END,
    SG_STEP_BREAK,
    SG_STEP_BLANK, /* an empty line */
    /* Pointers. */
    SG_STEP_POINTERS, /* input and outputs, at row `value` of those given */
    SG_STEP_ADVANCE,  /* by `value` rows */
    SG_STEP_PARTS,    /* pointers to the first part's row `value`, and how far parts are from each
                         other */
    SG_STEP_PART,     /* input and outputs, at those of part `number` */
    SG_STEP_ADVANCE_PARTS,
    /* Rows. */
    SG_STEP_RUN,    /* a trip of the body, or some of its instructions */
    SG_STEP_TAIL,   /* row `number` behind the pointers, by the portable program */
    SG_STEP_CALL,   /* a function: for `count` rows, or windows of a block, from row `value` on; the
                       input is   there already, or moved there where `points` says so */
    SG_STEP_STRIPS, /* the function of every strip, the same */
    SG_STEP_WHOLE, /* all rows by the string instruction, where they are one run; then it returns */
    /* Write combining: what is written of an output lies behind each other, whole lines at a time.
     */
    SG_STEP_COMBINERS, /* declares them: for each output, and is_bool: for each part */
    SG_STEP_COMBINE,   /* they begin at row `value` */
    SG_STEP_BORROW,    /* those of part `number` are used in a turn */
    SG_STEP_RETURN,    /* and put back */
    SG_STEP_COMBINED,  /* what they hold still is written */
    /* Nothing that a proof sees. */
    SG_STEP_FRONTS,   /* asks the processor how many parts are to take turns, of trips of `bytes` */
    SG_STEP_STRINGS,  /* asks it whether the string instruction is fast */
    SG_STEP_PREFETCH, /* `bytes` of input, and `ahead` */
    SG_STEP_PREFETCH_BLOCK, /* what a window of a strip asks for of the next block */
    SG_STEP_FENCE           /* non-temporal stores are done */
} sg_step_kind;

/* How the instructions of a trip store. */
typedef enum sg_storing {
    SG_STORING_CACHED,
    SG_STORING_PROLOGUE, /* cached, for rows in front of others: nothing is asked for ahead */
    SG_STORING_PAST,
    SG_STORING_COMBINED,
    SG_STORING_COMBINED_PAST,
    SG_STORING_LINES, /* rows in order: whole lines wherever rows begin */
    SG_STORING_GIVEN  /* as the caller says: cached or past the cache */
} sg_storing;

/* Which of the instructions: those that copy the same run of all parts at once, and the others. */
typedef enum sg_portion { SG_PORTION_ALL, SG_PORTION_TOGETHER, SG_PORTION_OTHERS } sg_portion;

/* Which pointers. */
enum {
    SG_POINTS_INPUT = 1,
    SG_POINTS_PLAIN = 2,    /* outputs without write combining */
    SG_POINTS_COMBINED = 4, /* those with it, where it is used */
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
    int64_t end; /* of the block that it opens */
    unsigned points;
    sg_storing storing;
    sg_portion portion;
    bool strings;       /* long runs ask what SG_STEP_STRINGS found */
    int64_t function;   /* call: index into sg_plan.functions */
    int64_t *functions; /* strips: the same for each body */
    int64_t bytes;
    int64_t ahead;
    const char *note; /* a comment behind it, or NULL */
} sg_step;

/* What a function is given, and so how it is called. */
typedef enum sg_function_role {
    SG_ROLE_ROWS,         /* the pointers of a kernel, and rows: what the table of choices calls */
    SG_ROLE_BLOCK,        /* array of outputs: a row, and windows, for all strips */
    SG_ROLE_STRIP,        /* the same for one kind of strip */
    SG_ROLE_STRIP_EITHER, /* the same, and how to store: in line in two of those before */
    SG_ROLE_STRIP_ROWS,   /* first and rows, for one kind of strip */
    SG_ROLE_STRIP_ROW /* a row, and whether it is the first or the last, for one kind of strip */
} sg_function_role;

typedef struct sg_function {
    sg_function_role role;
    int64_t variant;
    sg_way way;
    int64_t body;   /* of the variant */
    bool by_offset; /* outputs are written at an offset that they have in common */
    int64_t nsteps;
    sg_step *steps;
} sg_function;

/* The function that the table of choices calls for a way of a variant, index into
 * sg_plan.functions; -1: there is none. */
int64_t sg_function_find(const sg_plan *plan, int64_t variant, sg_way way);

/* Fills plan->functions from its variants and choices. Memory of the arena. */
void sg_functions_build(sg_arena *arena, sg_plan *plan);

#endif
