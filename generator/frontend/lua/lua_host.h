/* The Lua state a spec runs in: budgets no spec can escape, the texts that were loaded, and errors
 * with a place. Knows nothing of the vocabulary. C functions called from Lua may own arena and Lua
 * memory only, for an error jumps over them. */
#ifndef SG_FRONTEND_LUA_LUA_HOST_H
#define SG_FRONTEND_LUA_LUA_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lua.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/source.h"
#include "frontend/lua/lua_scan.h"
#include "frontend/lua/spec_options.h"
#include "lua/lua_meter.h"
#include "split/op.h"

/* A text that was given to Lua. */
typedef struct sg_lua_chunk {
    const sg_source *source;
    const sg_lua_text *tokens;
    const char *short_name; /* as Lua writes it before ":line:" */
    struct sg_lua_chunk *next;
} sg_lua_chunk;

typedef struct sg_lua_place {
    const sg_lua_chunk *chunk; /* NULL: no Lua function is running */
    size_t line;
} sg_lua_place;

typedef struct sg_lua_note {
    sg_span span;
    const char *text;
    struct sg_lua_note *next;
} sg_lua_note;

/* An error on its way up. */
typedef struct sg_lua_failure {
    bool set;
    const char *thrown; /* the Lua value, to know it again behind a pcall of the spec */
    sg_exit exit;
    sg_span span;
    const char *message;
    sg_lua_note *notes;
} sg_lua_failure;

/* A file being required; the innermost is the meter's `loading`. */
typedef struct sg_lua_loading {
    const char *path;
    const char *name;
    sg_span span; /* of the require */
    struct sg_lua_loading *outer;
} sg_lua_loading;

/* A name some param() asked for. */
typedef struct sg_lua_param {
    const char *name;
    struct sg_lua_param *next;
} sg_lua_param;

typedef struct sg_lua_host {
    sg_meter meter;
    sg_arena *arena;
    sg_diag *diag;
    const sg_spec_options *options;
    sg_file_list *files;
    const sg_source *spec;
    sg_op_array made; /* every op a constructor built, in the order of the calls */

    size_t arena_before; /* what the arena held before; see note [what counts as memory] */
    sg_lua_place spent_at;

    sg_lua_chunk *chunks; /* newest first */
    const sg_lua_chunk *main;
    size_t return_line;           /* where the main chunk returned */
    sg_lua_failure raised;        /* the last error made by sg_lua_raise */
    sg_lua_failure failure;       /* the error that ended the spec */
    struct sg_lua_loaded *loaded; /* lua_load.c: models that were read */
    sg_lua_param *params;
    size_t nparams;
    bool unknown_used; /* a param() without a value was reported; what follows is a consequence */
    struct sg_lua_turn *turns; /* lua_site.c: which of several equal calls comes next */
} sg_lua_host;

sg_lua_host *sg_lua_host_of(lua_State *L);

/* The text that Lua calls so; NULL: none. Allocates nothing. */
const sg_lua_chunk *sg_lua_host_chunk(const sg_lua_host *host, const char *lua_source);

/* The next Lua function from *level on, whose place is known; *level is behind it then. */
bool sg_lua_host_frame(lua_State *L, int *level, lua_Debug *ar, sg_lua_place *place);

/* Where the innermost Lua function stands. Allocates nothing: the allocator asks too. */
sg_lua_place sg_lua_host_place(lua_State *L);
sg_span sg_lua_host_line(const sg_lua_host *host, sg_lua_place place);

/* Raises an error with a place: exit code, span, then as printf. Does not return. */
int sg_lua_raise(lua_State *L, sg_exit exit, sg_span span, const char *fmt, ...) SG_PRINTF(4, 5);

/* The same for a model that is not loaded, without a message, as the reason was reported. */
int sg_lua_raise_reported(lua_State *L, sg_span call);

#endif
