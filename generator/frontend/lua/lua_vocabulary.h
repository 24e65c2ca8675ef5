/* The words a spec is written in: split, onnx.Split and onnx.load, openvino.Split,
 * openvino.VariadicSplit and openvino.load, and param. */
#ifndef SG_FRONTEND_LUA_LUA_VOCABULARY_H
#define SG_FRONTEND_LUA_LUA_VOCABULARY_H

#include <lua.h>

/* Adds the words to the globals. */
void sg_lua_vocabulary_open(lua_State *L);

#endif
