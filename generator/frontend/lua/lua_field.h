/* Reads tables whose keys are fields: which there are is the caller's list, that each is known, is
 * given once and has the right type is checked here, with a place for every value. */
#ifndef SG_FRONTEND_LUA_LUA_FIELD_H
#define SG_FRONTEND_LUA_LUA_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lua.h>

#include "frontend/lua/lua_host.h"
#include "frontend/lua/lua_site.h"

typedef struct sg_lua_field sg_lua_field;

/* A table being read and what is known of its text. */
typedef struct sg_lua_reader sg_lua_reader;
struct sg_lua_reader {
    lua_State *L;
    sg_lua_host *host;
    void *target;      /* what is filled */
    const char *title; /* "split", "onnx.Split", "data" */
    /* Reports a field that is not in the list, whose value is on top of the stack; false: has
     * nothing to say about it. May be NULL. */
    bool (*report)(sg_lua_reader *r, const sg_lua_field *fields, const char *name, sg_span span);
    int index; /* of the table, while it is read */
    const sg_lua_text *text;
    const sg_lua_table *literal; /* NULL: not written as a literal */
    sg_span fallback;
    bool ok;
};

/* A field being read; its value is on top of the stack. */
typedef struct sg_lua_field_value {
    const char *word;
    const sg_lua_item *item;
    sg_span span;
} sg_lua_field_value;

/* How to write what may have been meant by a name that is not defined. */
typedef enum sg_lua_advice {
    SG_LUA_ADVISE_NOTHING,
    SG_LUA_ADVISE_PARAM,
    SG_LUA_ADVISE_DIM, /* param or free, in a shape */
    SG_LUA_ADVISE_QUOTES
} sg_lua_advice;

/* Lists of fields end with one without a word. */
struct sg_lua_field {
    const char *word;
    /* False: reported. */
    bool (*read)(sg_lua_reader *r, const sg_lua_field *f, const sg_lua_field_value *v);
    size_t offset; /* in the target, for whom it helps */
    sg_lua_advice advice;
};

/* The entries of a list as far as they are written out. */
typedef struct sg_lua_list {
    int64_t count;
    bool literal;
    sg_lua_table table;
    sg_span span;
} sg_lua_list;

/* Reads the table on top of the stack; r->ok is false when anything was reported. */
void sg_lua_field_read(sg_lua_reader *r, const sg_lua_field *fields);

/* NULL when there is no such field. */
const sg_lua_field *sg_lua_field_find(const sg_lua_field *fields, const char *word);

/* A reader of the table that is a field's value, on top of the stack; `table` receives its text. */
sg_lua_reader sg_lua_field_inner(sg_lua_reader *r, const sg_lua_field_value *v, const char *title,
                                 sg_lua_table *table);

/* Calls `visit` for every entry with a name of the table on top of the stack, in the order of the
 * names and with the value on top; reports the others, and names that are written twice. */
typedef void (*sg_lua_field_visit)(sg_lua_reader *r, const sg_lua_field_value *v, void *context);
void sg_lua_field_each(sg_lua_reader *r, sg_lua_field_visit visit, void *context);

/* The integer or text on top of the stack, which is a field or, from 1, one of its entries. False:
 * reported. */
bool sg_lua_field_integer(sg_lua_reader *r, const char *word, int64_t entry, sg_span span,
                          int64_t *out);
bool sg_lua_field_text(sg_lua_reader *r, const char *word, int64_t entry, sg_span span,
                       const char **out);

/* How a dimension of that name is written that has no number in the spec; of any name if it is none
 * of Lua's. */
const char *sg_lua_field_dim_advice(sg_arena *arena, sg_str name);

/* "'axis'", "entry 2 of 'shape'" */
const char *sg_lua_field_title(sg_lua_reader *r, const char *word, int64_t entry);

/* Opens the list on top of the stack. False: reported. */
bool sg_lua_field_open_list(sg_lua_reader *r, const sg_lua_field_value *v, const char *wanted,
                            sg_lua_advice how, sg_lua_list *out);
sg_span sg_lua_field_entry_span(const sg_lua_list *l, int64_t index);

#endif
