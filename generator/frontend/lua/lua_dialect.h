/* Advice on syntax of other languages in a spec, for messages. */
#ifndef SG_FRONTEND_LUA_LUA_DIALECT_H
#define SG_FRONTEND_LUA_LUA_DIALECT_H

#include <stdbool.h>

#include "frontend/lua/lua_scan.h"

/* Advice on a syntax error that Lua reports at a byte of the text, or NULL. */
const char *sg_lua_dialect_syntax(const sg_lua_text *text, size_t at, const char *says);

/* Advice on a run-time error with this message, or NULL. */
const char *sg_lua_dialect_error(const char *says);

/* Advice on a name that is not defined, or NULL. */
const char *sg_lua_dialect_name(sg_str name);
/* Whether the name means nil in another language: None, null. */
bool sg_lua_dialect_is_nothing(sg_str name);
/* Advice on a string with a prefix, such as f"...", at a byte of the text; NULL if there is none.
 * Lua parses it as a call. */
const char *sg_lua_dialect_prefix(const sg_lua_text *text, size_t at);

#endif
