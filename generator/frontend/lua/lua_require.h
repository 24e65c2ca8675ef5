/* Finds and opens the files that a spec names. */
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
    const char *relative; /* its path in that folder */
} sg_lua_file;

/* Finds a file by its path relative to the file that is running or, if it is not there, to the
 * include folders in order. If none has it, raises an error at `span` that there is no file to
 * `verb`. */
sg_lua_file sg_lua_find_file(lua_State *L, const char *relative, const char *verb, sg_span span);
/* Opens the file with sg_file_open_inside(): it must be inside the folder of the spec or an include
 * folder. Raises an error if that fails. */
int sg_lua_open_file(lua_State *L, const sg_lua_file *file, sg_span span);

#endif
