/* Ops as values of Lua: what a spec can see of one, and change. */
#ifndef SG_FRONTEND_LUA_LUA_BOX_H
#define SG_FRONTEND_LUA_LUA_BOX_H

#include <stdbool.h>

#include <lua.h>

#include "split/op.h"

/* Makes the type known to the state. */
void sg_lua_box_open(lua_State *L);

/* Pushes an op; `ok` is false for one that was reported as wrong, which may be NULL then. */
void sg_lua_box_push(lua_State *L, sg_op *op, bool ok);

/* Is the value an op? *ok is false for one that was reported as wrong; *op then is what is known of
 * it, or NULL. */
bool sg_lua_box_op(lua_State *L, int index, const sg_op **op, bool *ok);

#endif
