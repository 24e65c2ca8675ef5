/* A Lua state for templates: no files, no clock, no addresses, no hash order. Runs chunks and says
 * where they failed. */
#ifndef SG_EMIT_SANDBOX_H
#define SG_EMIT_SANDBOX_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "lua/lua_meter.h"

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
    void *context;                          /* the caller's data for its own C functions */
    sg_sandbox_place places[SG_CHUNKS_MAX]; /* of each chunk at the last error, innermost first */
    int nplaces;
    sg_buf message; /* of the last error, without Lua's place */
    sg_buf scratch;
};

/* False: no memory for a Lua state. The sandbox must not move afterwards. `watch` may be NULL. */
bool sg_sandbox_open(sg_sandbox *box, void *context, sg_sandbox_watch *watch);
void sg_sandbox_close(sg_sandbox *box);

/* Pushes the text of a value, never an address; raises an error if it has none. */
const char *sg_sandbox_text(lua_State *L, int index, size_t *len);

/* The sandbox a C function runs in. */
sg_sandbox *sg_sandbox_of(lua_State *L);

/* Calls setup with the table of globals, to add to it. */
bool sg_sandbox_prepare(sg_sandbox *box, lua_CFunction setup);

/* Runs a chunk without arguments that may define globals. */
bool sg_sandbox_prelude(sg_sandbox *box, sg_str text, int chunk);

/* Runs a compiled template with the C function emit as its argument. Globals are frozen: setting
 * one, or reading one that does not exist, is an error. */
bool sg_sandbox_template(sg_sandbox *box, sg_str text, int chunk, lua_CFunction emit);

/* For C functions that templates call: leaves the chunk on top of the stack as a function; or, if
 * it is false, the error. */
bool sg_sandbox_load(lua_State *L, sg_str text, int chunk);

#endif
