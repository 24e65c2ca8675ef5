/* A Lua state for templates: no files, no clock, no addresses, no hash order, no bytecode, with
 * budgets for memory and instructions. Runs chunks and says where they failed; the meaning of a
 * failure is emit.c's. */
#ifndef SG_EMIT_SANDBOX_H
#define SG_EMIT_SANDBOX_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

typedef struct sg_sandbox_limits {
    size_t memory; /* bytes of Lua's own memory */
    int64_t steps; /* VM instructions */
} sg_sandbox_limits;

/* What a run came to. Lines are 1-based, 0 where the chunk was not involved. */
typedef enum sg_sandbox_result {
    SG_SANDBOX_OK,
    SG_SANDBOX_ERROR,
    SG_SANDBOX_BUDGET
} sg_sandbox_result;

typedef struct sg_sandbox {
    lua_State *L;
    sg_sandbox_limits limits;
    void *context;       /* the caller's, for its own C functions */
    size_t used;         /* bytes */
    int64_t steps;       /* taken, in units of the count hook */
    bool exhausted;      /* a budget was hit; functions of the caller may set it too */
    size_t prelude_line; /* innermost line of each chunk at the last error */
    size_t template_line;
    sg_buf message; /* of the last error, without Lua's position */
    sg_buf scratch;
} sg_sandbox;

/* Chunk names: what Lua calls the two files. */
#define SG_CHUNK_TEMPLATE "=template"
#define SG_CHUNK_PRELUDE  "=prelude"

/* False: no memory for a Lua state. The sandbox may not move afterwards. */
bool sg_sandbox_open(sg_sandbox *box, sg_sandbox_limits limits, void *context);
void sg_sandbox_close(sg_sandbox *box);

/* The sandbox a C function runs in. */
sg_sandbox *sg_sandbox_of(lua_State *L);

/* Calls setup with the table of globals, to add to it. */
sg_sandbox_result sg_sandbox_prepare(sg_sandbox *box, lua_CFunction setup);

/* Runs the prelude, which may define globals. */
sg_sandbox_result sg_sandbox_prelude(sg_sandbox *box, sg_str text);

/* Runs a compiled template with the C function emit as its argument. Globals are frozen: setting
 * one, or reading one that does not exist, is an error. */
sg_sandbox_result sg_sandbox_template(sg_sandbox *box, sg_str text, lua_CFunction emit);

/* True when text is a Lua expression; otherwise the message says why not. */
bool sg_sandbox_is_expr(sg_sandbox *box, sg_str text);

#endif
