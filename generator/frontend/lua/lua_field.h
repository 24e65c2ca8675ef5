/* Reads the table a constructor was given into an op: right fields, right types, a span on each
 * value. What the values mean is judged by resolve. */
#ifndef SG_FRONTEND_LUA_LUA_FIELD_H
#define SG_FRONTEND_LUA_LUA_FIELD_H

#include <stdbool.h>

#include <lua.h>

#include "frontend/lua/lua_site.h"
#include "split/op.h"

/* Name of the metatable of values that stand for a param() without a value. */
#define SG_LUA_UNKNOWN "splitgen unknown"

/* Fills op from the table at the stack index. Every field is judged by itself, so several errors
 * may be reported; false when there were any. */
bool sg_lua_field_read(lua_State *L, int index, const sg_lua_site *site, sg_op *op);

/* "768.5", "the string 'abc'", "a table": a value for a message; memory from the arena. */
const char *sg_lua_field_describe(lua_State *L, int index);

/* The length of the table at the index if it is a proper list, else -1: then *problem says what is
 * wrong and *entry which entry is missing, or 0. */
int64_t sg_lua_field_sequence(lua_State *L, int index, const char **problem, int64_t *entry);

#endif
