/* The part of Lua's standard library that the sandboxes provide: no access to anything outside, and
 * nothing that depends on addresses, hash seeds or the clock. */
#ifndef SG_LUA_LUA_LIBRARY_H
#define SG_LUA_LUA_LIBRARY_H

#include <stddef.h>

#include <lua.h>

#include "base/text.h"

/* A function that an owner of a state adds to its globals. */
typedef struct sg_lua_function {
    const char *name;
    lua_CFunction function;
} sg_lua_function;

/* Whether the word is reserved by Lua, so that it cannot be a name. */
bool sg_lua_is_keyword(sg_str word);

/* lua_base.c: pcall, xpcall, setmetatable, and versions of tostring and string.format that print no
 * addresses; upvalue 1 of the last is Lua's. */
int sg_lua_base_pcall(lua_State *L);
int sg_lua_base_xpcall(lua_State *L);
int sg_lua_base_setmetatable(lua_State *L);
int sg_lua_base_tostring(lua_State *L);
int sg_lua_base_format(lua_State *L);

/* Pushes the value as text, like tostring but without addresses: "table", "function". */
const char *sg_lua_base_text(lua_State *L, int index, size_t *len);

/* lua_order.c: pairs and next in sorted order, a stable sort, and a list of the sorted keys. */
int sg_lua_order_pairs(lua_State *L);
int sg_lua_order_next(lua_State *L);
int sg_lua_order_sort(lua_State *L);
int sg_lua_order_keys(lua_State *L);

/* Levels of calls among which positions are looked for: Lua finds level n in n steps, and calls may
 * be nested 100,000 deep. */
#define SG_LUA_LEVELS 1000

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
