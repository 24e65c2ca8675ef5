/* Describes Lua values for messages, and checks lists. */
#ifndef SG_FRONTEND_LUA_LUA_VALUE_H
#define SG_FRONTEND_LUA_LUA_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include <lua.h>

#include "split/op.h"

/* Name of the metatable of unknown values: results of a param() that has no value. */
#define SG_LUA_UNKNOWN "splitgen unknown"

/* Whether the value is unknown. The reason has been reported, so its consequences should not be. */
bool sg_lua_value_unknown(lua_State *L, int index);

/* Pushes an unknown value and returns 1, as functions called from Lua do. Operations on an unknown
 * value have an unknown result. */
int sg_lua_value_push_unknown(lua_State *L);

/* Open dimensions as Lua values. They are legal only as entries of a shape. */
void sg_lua_value_open_free(lua_State *L); /* registers the type in the state */
void sg_lua_value_push_free(lua_State *L, const sg_op_num *dim);
/* NULL if the value is not an open dimension. */
const sg_op_num *sg_lua_value_free(lua_State *L, int index);

/* A value for a message: "768.5", "the string 'abc'", "a table". Memory of the arena. */
const char *sg_lua_value_describe(lua_State *L, int index);

/* The length of the table at the index, if it is a list. Otherwise -1: *problem describes what is
 * wrong, and *entry is the missing entry or 0. */
int64_t sg_lua_value_sequence(lua_State *L, int index, const char **problem, int64_t *entry);

#endif
