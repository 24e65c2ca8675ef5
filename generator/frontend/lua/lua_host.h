/* The Lua state of a spec: its budgets, the texts that were loaded, and errors with a place. It is
 * independent of the vocabulary. A C function called from Lua may own memory of the arena and of
 * Lua only, because an error jumps out of it without cleaning up. */
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

/* A text that Lua has loaded. */
typedef struct sg_lua_chunk {
    const sg_source *source;
    const sg_lua_text *tokens;
    const char *short_name; /* as Lua writes it in front of ":line:" */
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

/* An error that is being raised. */
typedef struct sg_lua_failure {
    bool set;
    /* the Lua error value, which identifies the failure if the spec catches it with pcall and
     * raises it again */
    const char *thrown;
    sg_exit exit;
    sg_span span;
    const char *message;
    sg_lua_note *notes;
} sg_lua_failure;

/* A file that is being required. The innermost one is meter.loading. */
typedef struct sg_lua_loading {
    const char *path;
    const char *name;
    sg_span span; /* of the call of require */
    struct sg_lua_loading *outer;
} sg_lua_loading;

/* A parameter that the spec has read with param() or free(). */
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
    sg_op_array made; /* all ops of constructors, in the order of the calls */

    size_t arena_before; /* size of the arena at the start; see note [what counts as memory] */
    sg_lua_place spent_at;

    sg_lua_chunk *chunks; /* the newest first */
    const sg_lua_chunk *main;
    size_t return_line;           /* the line of the main chunk's return */
    sg_lua_failure raised;        /* the last error of sg_lua_raise() */
    sg_lua_failure failure;       /* the error that ended the spec */
    struct sg_lua_loaded *loaded; /* models that were read; see lua_load.c */
    sg_lua_param *params;
    size_t nparams;
    /* an unknown value, reported already, was used; later errors may be consequences */
    bool unknown_used;
    struct sg_lua_turn *turns; /* which of several equal calls is next; see lua_site.c */
} sg_lua_host;

sg_lua_host *sg_lua_host_of(lua_State *L);

/* The text of this name, or NULL. Does not allocate. */
const sg_lua_chunk *sg_lua_host_chunk(const sg_lua_host *host, const char *lua_source);

/* Finds the next Lua function, from *level outwards, whose place is known, and sets *level to the
 * level after it. */
bool sg_lua_host_frame(lua_State *L, int *level, lua_Debug *ar, sg_lua_place *place);

/* The place of the innermost Lua function. Does not allocate, because the allocator calls it. */
sg_lua_place sg_lua_host_place(lua_State *L);
sg_span sg_lua_host_line(const sg_lua_host *host, sg_lua_place place);

/* Raises an error with an exit code, a place and a message. Does not return. */
int sg_lua_raise(lua_State *L, sg_exit exit, sg_span span, const char *fmt, ...) SG_PRINTF(4, 5);

/* Raises an error for a model that was not loaded. Its reason has been reported, so it prints no
 * message. */
int sg_lua_raise_reported(lua_State *L, sg_span call);

#endif
