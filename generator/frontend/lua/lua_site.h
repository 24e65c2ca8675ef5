/* Finds where a call of the vocabulary that is running is written in the text, and where the fields
 * of its table are. Lua values have no places, so the call is searched for on its line and must
 * agree with the argument that was passed. Values that are not written as literals get the place of
 * the call. */
#ifndef SG_FRONTEND_LUA_LUA_SITE_H
#define SG_FRONTEND_LUA_LUA_SITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lua.h>

#include "frontend/lua/lua_scan.h"

typedef struct sg_lua_site {
    const sg_lua_text *text; /* NULL: only the spans are known */
    sg_span call;            /* the expression; the line if it is unknown */
    sg_span argument;        /* the argument as written; the call if unknown */
    size_t token;            /* first token of the argument, if `written` */
    size_t second;           /* first token of the second argument, or 0 */
    bool written;            /* the argument is a single literal */
    bool is_table;
    sg_lua_table table; /* if is_table */
} sg_lua_site;

/* Finds the call of the running C function. The spec knows the function as `word`; its first
 * argument is at stack index `argument`. */
sg_lua_site sg_lua_site_find(lua_State *L, const char *word, int argument);

/* The item of a field, or NULL if the literal does not have it. */
const sg_lua_item *sg_lua_site_field(const sg_lua_table *table, const char *name);
/* The item without a key at this position, or NULL. */
const sg_lua_item *sg_lua_site_element(const sg_lua_table *table, int64_t index);
/* Reads the item's value as a table constructor. Returns false if it is something else, or if the
 * table at the stack index cannot be its result. */
bool sg_lua_site_nested(lua_State *L, const sg_lua_text *text, const sg_lua_item *item, int index,
                        sg_lua_table *out);

#endif
