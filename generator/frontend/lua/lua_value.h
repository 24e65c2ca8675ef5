/* Looking at Lua values for messages and checks, without checking what they are for. */
#ifndef SG_FRONTEND_LUA_LUA_VALUE_H
#define SG_FRONTEND_LUA_LUA_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include <lua.h>

#include "split/op.h"

/* Name of the metatable of values that stand for a param() without a value. */
#define SG_LUA_UNKNOWN "splitgen unknown"

/* Is it such a value? What follows from it was reported already. */
bool sg_lua_value_unknown(lua_State *L, int index);

/* Pushes one, as functions called from Lua do: any use of it gives it again. Returns 1. */
int sg_lua_value_push_unknown(lua_State *L);

/* An open dimension as a value, which is legal as an entry of a shape and nowhere else. */
void sg_lua_value_open_free(lua_State *L); /* makes the type known to the state */
void sg_lua_value_push_free(lua_State *L, const sg_op_num *dim);
/* NULL when the value is none. */
const sg_op_num *sg_lua_value_free(lua_State *L, int index);

/* "768.5", "the string 'abc'", "a table": a value for a message; memory from the arena. */
const char *sg_lua_value_describe(lua_State *L, int index);

/* The length of the table at the index if it is a proper list, else -1: then *problem says what is
 * wrong and *entry which entry is missing, or 0. */
int64_t sg_lua_value_sequence(lua_State *L, int index, const char **problem, int64_t *entry);

#endif
