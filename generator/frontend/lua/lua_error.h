/* Finds the place a Lua error message speaks of. */
#ifndef SG_FRONTEND_LUA_LUA_ERROR_H
#define SG_FRONTEND_LUA_LUA_ERROR_H

#include <stddef.h>

#include <lua.h>

#include "frontend/lua/lua_host.h"

/* The name Lua gives a file in messages: long ones are cut. */
const char *sg_lua_error_short_name(sg_arena *arena, const char *name);
/* Turns the message of a Lua error into a failure with the best place there is. */
sg_lua_failure sg_lua_error_explain(lua_State *L, const char *message, size_t len);
/* The same for a syntax error in a text that is being loaded; the compiler had come to that line.
 */
sg_lua_failure sg_lua_error_syntax(lua_State *L, const sg_lua_chunk *chunk, size_t line,
                                   const char *message);

#endif
