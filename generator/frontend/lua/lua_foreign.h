/* Translates fields of other libraries into our fields and values. */
#ifndef SG_FRONTEND_LUA_LUA_FOREIGN_H
#define SG_FRONTEND_LUA_LUA_FOREIGN_H

#include "frontend/lua/lua_field.h"
#include "split/op.h"

/* What to write instead of an unknown field of an op of this kind; its value is on top of the
 * stack. NULL: no known library has such a field, or the op has no equivalent. */
const char *sg_lua_foreign_field(sg_lua_reader *r, const sg_lua_field *fields, sg_op_kind kind,
                                 const char *name);

/* What to write instead of a number that was given as lengths, or a list that was given as the
 * number of parts; it is on top of the stack. NULL: no suggestion. */
const char *sg_lua_foreign_value(sg_lua_reader *r, const sg_lua_field *fields, sg_op_kind kind);

#endif
