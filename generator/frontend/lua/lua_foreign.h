/* Fields of other libraries by our names and numbers. */
#ifndef SG_FRONTEND_LUA_LUA_FOREIGN_H
#define SG_FRONTEND_LUA_LUA_FOREIGN_H

#include "frontend/lua/lua_field.h"
#include "split/op.h"

/* What to write instead of a field that is none of `fields`, of an op of this kind; its value is on
 * top of the stack. NULL: nobody is known to have such a field, or the op has none that means it.
 */
const char *sg_lua_foreign_field(sg_lua_reader *r, const sg_lua_field *fields, sg_op_kind kind,
                                 const char *name);

/* What to write instead of a number on top of the stack that stands in place of lengths, or of a
 * list that stands in place of the number of parts; NULL: nothing is known. */
const char *sg_lua_foreign_value(sg_lua_reader *r, const sg_lua_field *fields, sg_op_kind kind);

#endif
