/* Ops as Lua values: which fields a spec can read and set. */
#ifndef SG_FRONTEND_LUA_LUA_BOX_H
#define SG_FRONTEND_LUA_LUA_BOX_H

#include <stdbool.h>

#include <lua.h>

#include "split/op.h"

/* Registers the type in the state. */
void sg_lua_box_open(lua_State *L);

/* Pushes an op. `ok` is false if an error was reported for it; the op may be NULL then. */
void sg_lua_box_push(lua_State *L, sg_op *op, bool ok);

/* Whether the value is an op. *ok is false if an error was reported for it; *op then is what is
 * known, or NULL. */
bool sg_lua_box_op(lua_State *L, int index, const sg_op **op, bool *ok);

#endif
