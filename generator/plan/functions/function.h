/* The functions of a plan's bodies: each passes the tile of a code to a loop of splitgen/loops.h,
 * or the functions of all codes to a loop over groups of columns. What a loop does is written
 * there, and proved by executing it (verify/execute_loops.c); here are only its arguments. */
#ifndef SG_PLAN_FUNCTIONS_FUNCTION_H
#define SG_PLAN_FUNCTIONS_FUNCTION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "plan/plan.h"

typedef enum sg_loop {
#define LOOP(id, ...)    SG_LOOP_##id,
#define COLUMNS(id, ...) SG_LOOP_##id,
#include "plan/functions/loops.inc"
#undef LOOP
#undef COLUMNS
    SG_LOOP_COUNT
} sg_loop;

/* What a loop has among its arguments. */
typedef struct sg_loop_info {
    const char *name;   /* "tiles_aligned" */
    bool calls_cached;  /* the function with ordinary stores */
    bool combines;      /* write combiners */
    bool combines_each; /* one for each stream */
    bool takes_columns; /* functions instead of a tile */
} sg_loop_info;

const sg_loop_info *sg_loop_get(sg_loop loop);

/* A call of a loop, with the arguments that loops.inc lists; each loop uses some of them. The
 * header documents each. */
typedef struct sg_loop_call {
    sg_loop loop;
    int64_t rows;  /* of a tile; of an iteration of all groups of columns */
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
    int64_t block;    /* rows that all groups of columns copy before the next ones */
    int64_t ahead;    /* bytes of the next block that each group prefetches */
    bool others;      /* the tile has instructions outside the interleaved phase */
    bool is_prologue; /* the rows are a prologue, which does not prefetch */
    bool joins;
} sg_loop_call;

#define SG_ALL_CODES INT64_C(-1)

typedef struct sg_function {
    int64_t body; /* index into sg_plan.bodies */
    sg_store_mode store_mode;
    int64_t code; /* index of the body's code whose tile it runs; SG_ALL_CODES: it calls the
                     functions of all codes, for all slices */
    sg_loop_call loop;
} sg_function;

/* Slices with the same code at regular distances. */
typedef struct sg_columns {
    int64_t code;
    int64_t groups; /* number of slices */
    int64_t part;   /* tensor of the first slice's first part, in the array of all parts */
    int64_t parts_on;
    int64_t at; /* where the first slice begins in a row of the full tensor, in bytes */
    int64_t bytes_on;
} sg_columns;

/* Lists the slices of a body, in order. The arena owns the list. Returns its length. */
int64_t sg_body_columns(sg_arena *arena, const sg_plan *plan, const sg_body *v, sg_columns **list);

/* The function of a body, for one code or SG_ALL_CODES; NULL: there is none. */
const sg_function *sg_function_find(const sg_plan *plan, int64_t body, sg_store_mode store_mode,
                                    int64_t code);

/* The one that the dispatch table calls. */
const sg_function *sg_function_chosen(const sg_plan *plan, int64_t body, sg_store_mode store_mode);

/* The number of tensors on the side of the parts that a code uses, from the first part of its
 * slices on. */
int64_t sg_code_parts(const sg_plan *plan, const sg_code *code);

/* For a function with a tile: bytes of a row of each tensor that it writes with write combining, 0
 * for the others. `bytes` has room for SG_TILE_TENSORS. Returns the number of tensors written. */
int64_t sg_function_combined(const sg_plan *plan, const sg_function *f, int64_t *bytes);

#endif
