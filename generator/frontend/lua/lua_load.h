/* onnx.load and openvino.load: the ops of a model file, for a spec to choose from and rename. */
#ifndef SG_FRONTEND_LUA_LUA_LOAD_H
#define SG_FRONTEND_LUA_LUA_LOAD_H

#include <lua.h>

/* Upvalue 1: "onnx" or "openvino". */
int sg_lua_load(lua_State *L);

#endif
