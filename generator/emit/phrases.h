/* Functions of templates that put words and numbers together. Tables of lanes have thousands of
 * numbers, so these are written in C. */
#ifndef SG_EMIT_PHRASES_H
#define SG_EMIT_PHRASES_H

#include <lua.h>

/* join(list, between): the items of a list of strings and integers, with text between them; ", "
 * where `between` is not given. */
int sg_phrases_join(lua_State *L);

/* wrap(text, width): a list of lines of at most `width` columns, broken at spaces. */
int sg_phrases_wrap(lua_State *L);

#endif
