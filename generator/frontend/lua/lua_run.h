/* Opens the Lua state of a spec, loads texts into it, runs them, and reports errors. */
#ifndef SG_FRONTEND_LUA_LUA_RUN_H
#define SG_FRONTEND_LUA_LUA_RUN_H

#include <stdbool.h>

#include <lua.h>

#include "frontend/lua/lua_host.h"

/* Makes the state. Returns false if an error was reported. */
bool sg_lua_host_open(sg_lua_host *host) SG_CHECK;
void sg_lua_host_close(sg_lua_host *host);

/* Runs `body`, a C function, in protected mode, and reports the errors it raises. */
bool sg_lua_host_run(sg_lua_host *host, lua_CFunction body) SG_CHECK;

/* Compiles the source and pushes it as a function, or raises its syntax error. */
const sg_lua_chunk *sg_lua_host_load(sg_lua_host *host, const sg_source *source);

#endif
