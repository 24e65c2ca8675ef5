/* The names of the globals of a spec. */
#ifndef SG_FRONTEND_LUA_LUA_NAMES_H
#define SG_FRONTEND_LUA_LUA_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* All names that a spec can use, including the vocabulary; for suggestions. */
size_t sg_lua_names(const char *const **names);
/* Whether it is a name of Lua's library that the sandbox removes. */
bool sg_lua_names_removed(sg_str name);

#endif
