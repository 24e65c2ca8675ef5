/* onnx.load and openvino.load: return the ops of a model file, which a spec can select and
 * rename. */
#ifndef SG_FRONTEND_LUA_LUA_LOAD_H
#define SG_FRONTEND_LUA_LUA_LOAD_H

#include <lua.h>

/* Upvalue 1: "onnx" or "openvino". */
int sg_lua_load(lua_State *L);

#endif
