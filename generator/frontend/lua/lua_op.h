/* Reads the table passed to a constructor into an op: checks fields and types, and sets a span for
 * each value. sg_resolve() checks what the values mean. */
#ifndef SG_FRONTEND_LUA_LUA_OP_H
#define SG_FRONTEND_LUA_LUA_OP_H

#include <stdbool.h>

#include <lua.h>

#include "frontend/lua/lua_site.h"
#include "split/op.h"

/* Fills the op from the table at the stack index. Fields are checked independently, so that several
 * errors can be reported. Returns false if there are any. */
bool sg_lua_op_read(lua_State *L, int index, const sg_lua_site *site, sg_op *op);

#endif
