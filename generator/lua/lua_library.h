/* The part of Lua's standard library that the sandboxes provide: no access to anything outside, and
 * every function is charged for the bytes and items it works on. */
#ifndef SG_LUA_LUA_LIBRARY_H
#define SG_LUA_LUA_LIBRARY_H

#include <stddef.h>

#include <lua.h>

#include "base/text.h"

/* How calls of a library function are charged, in addition to its arguments and results; see
 * lua_library.c. */
typedef struct sg_lua_function {
    const char *name;
    lua_CFunction guard; /* NULL: its work is constant, so it needs no guard */
} sg_lua_function;

/* Pushes a table of the allowed functions of a library; `allowed` ends with a NULL name. */
void sg_lua_library_push(lua_State *L, const char *name, lua_CFunction open,
                         const sg_lua_function *allowed);

/* Push the libraries that all sandboxes share. The first also makes its table the methods of
 * strings, and hides the metatable of strings; `format` is the guard of string.format, and calls
 * sg_lua_guard_format at the end. */
void sg_lua_library_push_string(lua_State *L, lua_CFunction format);
void sg_lua_library_push_table(lua_State *L);
void sg_lua_library_push_utf8(lua_State *L);

/* Whether the word is reserved by Lua, so that it cannot be a name. */
bool sg_lua_is_keyword(sg_str word);

/* lua_base.c: pcall, xpcall, setmetatable, and versions of tostring and string.format that print no
 * addresses. */
int sg_lua_base_pcall(lua_State *L);
int sg_lua_base_xpcall(lua_State *L);
int sg_lua_base_setmetatable(lua_State *L);
int sg_lua_base_tostring(lua_State *L);
int sg_lua_base_format(lua_State *L);

/* Pushes the value as text, like tostring but without addresses: "table", "function". */
const char *sg_lua_base_text(lua_State *L, int index, size_t *len);

/* Guards; the original function is upvalue 1. The first charges for the bytes of all string
 * arguments, the second for those after the first argument. */
int sg_lua_guard_all(lua_State *L);
int sg_lua_guard_rest(lua_State *L);
int sg_lua_guard_format(lua_State *L);

/* lua_order.c: pairs and next in sorted order, a stable sort, and a list of the sorted keys. */
int sg_lua_order_pairs(lua_State *L);
int sg_lua_order_next(lua_State *L);
int sg_lua_order_sort(lua_State *L);
int sg_lua_order_keys(lua_State *L);

/* lua_pattern.c: the pattern matching functions of `string`; each step is charged. */
int sg_lua_pattern_find(lua_State *L);
int sg_lua_pattern_match(lua_State *L);
int sg_lua_pattern_gmatch(lua_State *L);
int sg_lua_pattern_gsub(lua_State *L);

/* lua_chunk.c: texts are loaded as chunks named "=<head><number>", see sg_meter_load.
 *
 * number   the number in the name of a chunk; -1 for any other name
 * running  the number of the next running chunk from stack level *level outwards; *level is then
 *          the level after it, and *line its current line, 0 if unknown. Allocates nothing.
 * message  the text after "<head><number>:<line>: " in a message, and that line in *line; the full
 *          message if it has no such prefix */
int sg_lua_chunk_load(lua_State *L, sg_str text, const char *head, int number, size_t *line);
int sg_lua_chunk_number(const char *source, const char *head);
int sg_lua_chunk_running(lua_State *L, const char *head, int *level, size_t *line);
const char *sg_lua_chunk_message(const char *message, const char *head, size_t *line);

#endif
