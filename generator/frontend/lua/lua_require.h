/* The files that a spec names. */
#ifndef SG_FRONTEND_LUA_LUA_REQUIRE_H
#define SG_FRONTEND_LUA_LUA_REQUIRE_H

#include <lua.h>

#include "base/source.h"

int sg_lua_require(lua_State *L);

/* A file that a spec names. */
typedef struct sg_lua_file {
    const char *path;
    const char *name; /* see sg_file_entry */
    const char *folder;
    const char *relative; /* in the folder */
} sg_lua_file;

/* The file of this path beside the text that is running, else below the first include folder that
 * has it; raises, where a call is written, that there is none to `verb`. */
sg_lua_file sg_lua_find_file(lua_State *L, const char *relative, const char *verb, sg_span span);
/* Opens it, see sg_file_open_inside, in the folder of the spec and the include folders; raises. */
int sg_lua_open_file(lua_State *L, const sg_lua_file *file, sg_span span);

#endif
