/* The part of Lua's standard library both sandboxes give out: nothing that reaches outside, and
 * every function charged by the bytes and items it touches. */
#ifndef SG_LUA_LUA_LIBRARY_H
#define SG_LUA_LUA_LIBRARY_H

#include <stddef.h>

#include <lua.h>

#include "base/text.h"

/* How a function of the library is charged, besides for its arguments and results; see
 * lua_library.c. */
typedef struct sg_lua_function {
    const char *name;
    lua_CFunction guard; /* NULL: it touches nothing that grows, and is given out as it is */
} sg_lua_function;

/* Pushes a table of what a library allows; `allowed` ends with a NULL name. */
void sg_lua_library_push(lua_State *L, const char *name, lua_CFunction open,
                         const sg_lua_function *allowed);

/* Push the libraries that are the same for all. Those of `string` are the methods of strings from
 * then on, and the metatable of strings is out of reach; `format` is what guards string.format and
 * ends in sg_lua_guard_format. */
void sg_lua_library_push_string(lua_State *L, lua_CFunction format);
void sg_lua_library_push_table(lua_State *L);
void sg_lua_library_push_utf8(lua_State *L);

/* Whether Lua reserves the word, so that it is the name of nothing. */
bool sg_lua_is_keyword(sg_str word);

/* lua_base.c: pcall, xpcall, setmetatable, and what shows no address: tostring, string.format. */
int sg_lua_base_pcall(lua_State *L);
int sg_lua_base_xpcall(lua_State *L);
int sg_lua_base_setmetatable(lua_State *L);
int sg_lua_base_tostring(lua_State *L);
int sg_lua_base_format(lua_State *L);

/* Pushes the value as text, as tostring does but without addresses: "table", "function". */
const char *sg_lua_base_text(lua_State *L, int index, size_t *len);

/* Guards: the original is upvalue 1. The first charges for the bytes of all strings among the
 * arguments, the second for those behind the first argument. */
int sg_lua_guard_all(lua_State *L);
int sg_lua_guard_rest(lua_State *L);
int sg_lua_guard_format(lua_State *L);

/* lua_order.c: pairs and next in a sorted order, a stable sort, the sorted keys as a list. */
int sg_lua_order_pairs(lua_State *L);
int sg_lua_order_next(lua_State *L);
int sg_lua_order_sort(lua_State *L);
int sg_lua_order_keys(lua_State *L);

/* lua_pattern.c: the functions of `string` that match patterns, each step charged. */
int sg_lua_pattern_find(lua_State *L);
int sg_lua_pattern_match(lua_State *L);
int sg_lua_pattern_gmatch(lua_State *L);
int sg_lua_pattern_gsub(lua_State *L);

/* lua_chunk.c: texts are loaded as chunks "=<head><number>", see sg_meter_load. Their number by
 * what Lua calls them, -1 for anything else; the next that is running, from *level on outwards,
 * which is behind it then, and its line, 0 if it is not known, found without allocating anything;
 * and what follows "<head><number>:<line>: " in a message, whose line *line then receives, or all
 * of the message if it begins in another way. */
int sg_lua_chunk_load(lua_State *L, sg_str text, const char *head, int number, size_t *line);
int sg_lua_chunk_number(const char *source, const char *head);
int sg_lua_chunk_running(lua_State *L, const char *head, int *level, size_t *line);
const char *sg_lua_chunk_message(const char *message, const char *head, size_t *line);

#endif
