/* Finds the place of a Lua error. */
#ifndef SG_FRONTEND_LUA_LUA_ERROR_H
#define SG_FRONTEND_LUA_LUA_ERROR_H

#include <stddef.h>

#include <lua.h>

#include "frontend/lua/lua_host.h"

/* The name of a file in Lua's messages, where long names are shortened. */
const char *sg_lua_error_short_name(sg_arena *arena, const char *name);
/* Turns the message of a Lua error into a failure with the most precise place known. */
sg_lua_failure sg_lua_error_explain(lua_State *L, const char *message, size_t len);
/* The same for a syntax error. line: how far the compiler had read, used if the message has no
 * line. */
sg_lua_failure sg_lua_error_syntax(lua_State *L, const sg_lua_chunk *chunk, size_t line,
                                   const char *message);

#endif
