/* The vocabulary of specs: split, concat, onnx, openvino, param, free, print and require. */
#ifndef SG_FRONTEND_LUA_LUA_VOCABULARY_H
#define SG_FRONTEND_LUA_LUA_VOCABULARY_H

#include <lua.h>

/* Adds the vocabulary to the globals. */
void sg_lua_vocabulary_open(lua_State *L);

#endif
