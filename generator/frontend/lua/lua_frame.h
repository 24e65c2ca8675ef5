/* The Lua functions that are running: who called whom, and which names they see. */
#ifndef SG_FRONTEND_LUA_LUA_FRAME_H
#define SG_FRONTEND_LUA_LUA_FRAME_H

#include <stdbool.h>

#include <lua.h>

#include "base/diag.h"
#include "base/source.h"
#include "base/text.h"

/* For a constructor, called at `call`: fills in which op of this call it makes and who called the
 * function that it stands in. The subject of an op made earlier by the same call becomes unclear
 * as well. */
void sg_lua_frame_trace(lua_State *L, sg_span call, sg_subject *subject);

/* The same, but for the number of the op: of what no constructor makes. */
void sg_lua_frame_callers(lua_State *L, sg_subject *subject);

/* True where the innermost running Lua function has no local variable, no upvalue and no global of
 * this name. */
bool sg_lua_frame_undefined(lua_State *L, sg_str name);

#endif
