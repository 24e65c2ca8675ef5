/* onnx.load and openvino.load: the ops of a model file, for a spec to choose from and rename. */
#ifndef SG_FRONTEND_LUA_LUA_LOAD_H
#define SG_FRONTEND_LUA_LUA_LOAD_H

#include <lua.h>

#include "frontend/graph/infer.h"
#include "frontend/lua/lua_site.h"

/* Upvalue 1: "onnx" or "openvino". */
int sg_lua_load(lua_State *L);

/* lua_given.c: reads the table at the stack index, what load is told about the model, the second
 * argument of the call at `site`; nil is an empty one. Raises when anything in it is wrong, which
 * was reported then. */
void sg_lua_given_read(lua_State *L, int index, const sg_lua_site *site, const char *title,
                       sg_graph_options *to);

/* Ends the spec without a message, as the reason was reported. */
int sg_lua_load_failed(lua_State *L, sg_span call);

#endif
