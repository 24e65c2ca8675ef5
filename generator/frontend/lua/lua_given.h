/* What a spec says about a model it loads. */
#ifndef SG_FRONTEND_LUA_LUA_GIVEN_H
#define SG_FRONTEND_LUA_LUA_GIVEN_H

#include <lua.h>

#include "frontend/graph/graph_options.h"
#include "frontend/lua/lua_site.h"

/* Reads the table at the stack index: the second argument of load(), whose call is at `site`. nil
 * means an empty table. If anything is wrong, reports it and raises an error. */
void sg_lua_given_read(lua_State *L, int index, const sg_lua_site *site, const char *title,
                       sg_graph_options *to);

#endif
