/* The words a spec is written in: split, onnx.Split, openvino.Split, openvino.VariadicSplit and
 * param. An op is userdata, which a spec can neither make nor look into. */
#ifndef SG_FRONTEND_LUA_LUA_VOCABULARY_H
#define SG_FRONTEND_LUA_LUA_VOCABULARY_H

#include <stdbool.h>

#include <lua.h>

#include "split/op.h"

/* Adds the words to the globals. */
void sg_lua_vocabulary_open(lua_State *L);

/* Is the value an op? *ok is false for one that was reported as wrong; *op then is what is known of
 * it, or NULL. */
bool sg_lua_vocabulary_op(lua_State *L, int index, const sg_op **op, bool *ok);

#endif
