/* The one place that opens a Lua state for a text of somebody else's: what it may call, what it may
 * spend, and whether it ended by a budget. What its functions and messages mean is the caller's. */
#ifndef SG_LUA_LUA_STATE_H
#define SG_LUA_LUA_STATE_H

#include <stdbool.h>

#include <lua.h>

#include "lua/lua_library.h"
#include "lua/lua_meter.h"

/* What kind of text runs in a state. Each may call what those in front of it may, and more. */
typedef enum sg_lua_guest { SG_LUA_TEMPLATE, SG_LUA_RULE, SG_LUA_SPEC } sg_lua_guest;

/* Makes the state, whose globals are the part of Lua's library such a text may use and `own`, which
 * ends with a NULL name, or NULL; `format` guards string.format and ends in sg_lua_guard_format.
 * Counts from then on, within the budgets of the meter, which its owner has set and may not move
 * afterwards; sg_meter_close ends it. False: not enough memory. */
bool sg_lua_state_open(sg_meter *meter, sg_lua_guest guest, const sg_lua_function *own,
                       lua_CFunction format) SG_CHECK;

/* Calls, without results, the function below its arguments, which has its message handler below it
 * at index 1. False: it failed, by a budget if meter->spent says so. */
bool sg_lua_state_run(sg_meter *meter, int arguments);

#endif
