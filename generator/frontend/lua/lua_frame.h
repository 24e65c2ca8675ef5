/* The Lua functions that are running: their callers, and the names they see. */
#ifndef SG_FRONTEND_LUA_LUA_FRAME_H
#define SG_FRONTEND_LUA_LUA_FRAME_H

#include <stdbool.h>

#include <lua.h>

#include "base/diag.h"
#include "base/source.h"
#include "base/text.h"

/* For a constructor called at `call`: sets the op's number among the ops of this call, and the
 * callers of the function that contains the call. If the call has made an op before, both subjects
 * become unclear. */
void sg_lua_frame_trace(lua_State *L, sg_span call, sg_subject *subject);

/* Sets only the callers, for ops that no constructor makes. */
void sg_lua_frame_callers(lua_State *L, sg_subject *subject);

/* Whether the innermost running Lua function sees no local variable, upvalue or global of this
 * name. */
bool sg_lua_frame_undefined(lua_State *L, sg_str name);

#endif
