/* The only place that opens a Lua state for untrusted text: sets what the text may call and its
 * budgets, and reports whether a budget ended it. The caller gives its functions and messages their
 * meaning. */
#ifndef SG_LUA_LUA_STATE_H
#define SG_LUA_LUA_STATE_H

#include <stdbool.h>

#include <lua.h>

#include "lua/lua_library.h"
#include "lua/lua_meter.h"

/* The kind of text that runs in a state. Each kind may call everything that those before it may
 * call, and more. */
typedef enum sg_lua_guest { SG_LUA_TEMPLATE, SG_LUA_RULE, SG_LUA_SPEC } sg_lua_guest;

/* Creates the state. Its globals are the part of Lua's library for this kind of text, and `own`,
 * which ends with a NULL name, or is NULL. `format` takes the place of string.format, which is its
 * upvalue 1. Work is counted from then on, within the budgets of the meter;
 * its owner has set them, and may not move it until sg_meter_close. False: not enough memory. */
bool sg_lua_state_open(sg_meter *meter, sg_lua_guest guest, const sg_lua_function *own,
                       lua_CFunction format) SG_CHECK;

/* Calls the function that is below its arguments on the stack, without results; index 1 must have
 * the message handler. False: it failed; meter->spent says whether because of a budget. */
bool sg_lua_state_run(sg_meter *meter, int arguments);

#endif
