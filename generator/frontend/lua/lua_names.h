/* The globals of a spec by name. */
#ifndef SG_FRONTEND_LUA_LUA_NAMES_H
#define SG_FRONTEND_LUA_LUA_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* All names a spec can use, vocabulary included, for suggestions. */
size_t sg_lua_names(const char *const **names);
/* Is it a name of Lua that the sandbox takes away? */
bool sg_lua_names_removed(sg_str name);

#endif
