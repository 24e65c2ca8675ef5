/* Where in the text a running call of the vocabulary was written, and where the fields of its
 * table stand. A Lua value carries no place, so the call is looked for on its line and must agree
 * with the actual argument; what was not written literally has the place of the call. */
#ifndef SG_FRONTEND_LUA_LUA_SITE_H
#define SG_FRONTEND_LUA_LUA_SITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lua.h>

#include "frontend/lua/lua_scan.h"

typedef struct sg_lua_site {
    const sg_lua_text *text; /* NULL: nothing but the spans is known */
    sg_span call;            /* the whole expression, or the line */
    sg_span argument;        /* its argument as written, or the call */
    size_t token;            /* first token of the argument; only when `written` */
    size_t second;           /* of the second argument; 0: there is none */
    bool written;            /* the argument is one literal */
    bool is_table;
    sg_lua_table table; /* when is_table */
} sg_lua_site;

/* Finds the innermost call of the C function that runs now, which the spec knows as `word`, with
 * its first argument at stack index `argument`. */
sg_lua_site sg_lua_site_find(lua_State *L, const char *word, int argument);

/* The item of a field, or NULL when the field was not written there. */
const sg_lua_item *sg_lua_site_field(const sg_lua_table *table, const char *name);
/* The item without a key at this position, or NULL. */
const sg_lua_item *sg_lua_site_element(const sg_lua_table *table, int64_t index);
/* Reads the item's value as a constructor. False: it is something else, or the table at the stack
 * index cannot have come from it. */
bool sg_lua_site_nested(lua_State *L, const sg_lua_text *text, const sg_lua_item *item, int index,
                        sg_lua_table *out);

#endif
