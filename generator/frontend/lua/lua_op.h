/* Reads the table a constructor was given into an op: right fields, right types, a span on each
 * value. What the values mean is checked by resolve. */
#ifndef SG_FRONTEND_LUA_LUA_OP_H
#define SG_FRONTEND_LUA_LUA_OP_H

#include <stdbool.h>

#include <lua.h>

#include "frontend/lua/lua_site.h"
#include "split/op.h"

/* Fills op from the table at the stack index. Every field is checked by itself, so several errors
 * may be reported; false when there were any. */
bool sg_lua_op_read(lua_State *L, int index, const sg_lua_site *site, sg_op *op);

#endif
