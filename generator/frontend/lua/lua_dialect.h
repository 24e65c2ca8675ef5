/* How Lua writes what other languages write otherwise, for messages. */
#ifndef SG_FRONTEND_LUA_LUA_DIALECT_H
#define SG_FRONTEND_LUA_LUA_DIALECT_H

#include <stdbool.h>

#include "frontend/lua/lua_scan.h"

/* Advice on a syntax error that Lua found at a byte of the text; NULL: nothing is known. */
const char *sg_lua_dialect_syntax(const sg_lua_text *text, size_t at, const char *says);

/* The same of an error at run time, by what Lua says. */
const char *sg_lua_dialect_error(const char *says);

/* Advice on a name that means nothing; NULL: nothing is known. */
const char *sg_lua_dialect_name(sg_str name);
/* Whether it is the word for nothing elsewhere: None, null. */
bool sg_lua_dialect_is_nothing(sg_str name);
/* Advice on a string that has a letter in front of it, as f"..." has, at a byte of the text; NULL:
 * it is none. Lua takes it for a call. */
const char *sg_lua_dialect_prefix(const sg_lua_text *text, size_t at);

#endif
