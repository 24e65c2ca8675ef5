/* A Lua state for templates: no files, no clock, no addresses, no hash order, no bytecode, with
 * budgets for memory and instructions. Runs chunks and reports where they failed; emit.c interprets
 * a failure. */
#ifndef SG_EMIT_SANDBOX_H
#define SG_EMIT_SANDBOX_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "lua/lua_meter.h"

typedef struct sg_sandbox_limits {
    size_t memory; /* bytes of Lua's own memory */
    int64_t steps; /* VM instructions */
} sg_sandbox_limits;

/* The result of a run. */
typedef enum sg_sandbox_result {
    SG_SANDBOX_OK,
    SG_SANDBOX_ERROR,
    SG_SANDBOX_BUDGET
} sg_sandbox_result;

/* The place of a chunk: its innermost line from 1, or 0 if it is not known. Callers number chunks
 * from 0 to SG_CHUNKS_MAX - 1. */
typedef struct sg_sandbox_place {
    int chunk;
    size_t line;
} sg_sandbox_place;

#define SG_CHUNKS_MAX 32

typedef struct sg_sandbox sg_sandbox;

/* Called before each line of a chunk runs. */
typedef void sg_sandbox_watch(sg_sandbox *box, int chunk, size_t line);

struct sg_sandbox {
    sg_meter meter;
    sg_sandbox_watch *watch;
    void *context;  /* the caller's data for its own C functions */
    bool exhausted; /* a budget was used up; functions of the caller may set it too */
    sg_sandbox_place places[SG_CHUNKS_MAX]; /* of each chunk at the last error, innermost first */
    int nplaces;
    sg_buf message; /* of the last error, without Lua's place */
    sg_buf scratch;
};

/* False: no memory for a Lua state. The sandbox must not move afterwards. `watch` may be NULL. */
bool sg_sandbox_open(sg_sandbox *box, sg_sandbox_limits limits, void *context,
                     sg_sandbox_watch *watch);
void sg_sandbox_close(sg_sandbox *box);

/* Pushes the text of a value, never an address; raises an error if it has none. */
const char *sg_sandbox_text(lua_State *L, int index, size_t *len);

/* The sandbox a C function runs in. */
sg_sandbox *sg_sandbox_of(lua_State *L);

/* Calls setup with the table of globals, to add to it. */
sg_sandbox_result sg_sandbox_prepare(sg_sandbox *box, lua_CFunction setup);

/* Runs a chunk without arguments that may define globals. */
sg_sandbox_result sg_sandbox_prelude(sg_sandbox *box, sg_str text, int chunk);

/* Runs a compiled template with the C function emit as its argument. Globals are frozen: setting
 * one, or reading one that does not exist, is an error. */
sg_sandbox_result sg_sandbox_template(sg_sandbox *box, sg_str text, int chunk, lua_CFunction emit);

/* For C functions that templates call: leaves the chunk as a function on top of the stack. False:
 * nothing is left and the message has the reason, for sg_sandbox_raise. */
bool sg_sandbox_load(lua_State *L, sg_str text, int chunk);

/* Raises the error in the message, from sg_sandbox_load or sg_sandbox_is_expr. */
int sg_sandbox_raise(lua_State *L);

/* Whether text is a Lua expression; otherwise the message has the reason. Leaves Lua's stack
 * unchanged. */
bool sg_sandbox_is_expr(sg_sandbox *box, sg_str text);

#endif
