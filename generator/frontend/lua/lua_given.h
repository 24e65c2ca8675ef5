/* What a spec says about a model it loads. */
#ifndef SG_FRONTEND_LUA_LUA_GIVEN_H
#define SG_FRONTEND_LUA_LUA_GIVEN_H

#include <lua.h>

#include "frontend/graph/graph_options.h"
#include "frontend/lua/lua_site.h"

/* Reads the table at the stack index, what load is told about the model, the second
 * argument of the call at `site`; nil is an empty one. Raises when anything in it is wrong, which
 * was reported then. */
void sg_lua_given_read(lua_State *L, int index, const sg_lua_site *site, const char *title,
                       sg_graph_options *to);

#endif
