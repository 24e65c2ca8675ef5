/* Functions for templates that combine words and numbers. They are in C because tables of lanes
 * have thousands of numbers. */
#ifndef SG_EMIT_PHRASES_H
#define SG_EMIT_PHRASES_H

#include <lua.h>

/* join(list, between): the items of a list of strings and integers, with text between them; ", " by
 * default. */
int sg_phrases_join(lua_State *L);

/* wrap(text, width): a list of lines of at most `width` columns, broken at spaces. */
int sg_phrases_wrap(lua_State *L);

#endif
