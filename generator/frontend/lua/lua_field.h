/* Reads tables whose keys are fields. The caller passes the list of fields. The reader checks that
 * each key is a known field, is given once and has the right type, and finds a place for each
 * value. */
#ifndef SG_FRONTEND_LUA_LUA_FIELD_H
#define SG_FRONTEND_LUA_LUA_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lua.h>

#include "frontend/lua/lua_host.h"
#include "frontend/lua/lua_site.h"

typedef struct sg_lua_field sg_lua_field;

/* A table that is being read, and its text. */
typedef struct sg_lua_reader sg_lua_reader;
struct sg_lua_reader {
    lua_State *L;
    sg_lua_host *host;
    void *target;      /* the struct to be filled */
    const char *title; /* "split", "onnx.Split", "data" */
    /* Reports a name that is not a field; its value is on top of the stack. Returns false if it has
     * nothing to say about it. May be NULL. */
    bool (*report)(sg_lua_reader *r, const sg_lua_field *fields, const char *name, sg_span span);
    const sg_lua_text *text;
    const sg_lua_table *literal; /* NULL: the table is not written as a literal */
    sg_span fallback;
    bool ok;
};

/* A field that is being read; its value is on top of the stack. */
typedef struct sg_lua_field_value {
    const char *word;
    const sg_lua_item *item;
    sg_span span;
} sg_lua_field_value;

/* What to suggest for a name that is not defined. */
typedef enum sg_lua_advice {
    SG_LUA_ADVISE_NOTHING,
    SG_LUA_ADVISE_PARAM,
    SG_LUA_ADVISE_DIM, /* param or free, for an entry of a shape */
    SG_LUA_ADVISE_QUOTES
} sg_lua_advice;

/* A list of fields ends with an entry whose word is NULL. */
struct sg_lua_field {
    const char *word;
    /* Returns false if an error was reported. */
    bool (*read)(sg_lua_reader *r, const sg_lua_field *f, const sg_lua_field_value *v);
    size_t offset; /* of the member of the target; 0 if `read` does not use it */
    sg_lua_advice advice;
};

/* A list and, if it is written as a literal, its text. */
typedef struct sg_lua_list {
    int64_t count;
    bool literal;
    sg_lua_table table;
    sg_span span;
} sg_lua_list;

/* Reads the table on top of the stack. Sets r->ok to false if an error was reported. */
void sg_lua_field_read(sg_lua_reader *r, const sg_lua_field *fields);

/* NULL if there is no such field. */
const sg_lua_field *sg_lua_field_find(const sg_lua_field *fields, const char *word);

/* A reader for a table that is the value of a field and is on top of the stack. `table` receives
 * its text. */
sg_lua_reader sg_lua_field_inner(sg_lua_reader *r, const sg_lua_field_value *v, const char *title,
                                 sg_lua_table *table);

/* Calls `visit` for each named entry of the table on top of the stack, in the order of the names,
 * with the value on top. Reports other entries, and names that are written twice. */
typedef void (*sg_lua_field_visit)(sg_lua_reader *r, const sg_lua_field_value *v, void *context);
void sg_lua_field_each(sg_lua_reader *r, sg_lua_field_visit visit, void *context);

/* Read the integer or string on top of the stack. It is a field, or if `entry` is 1 or more, that
 * entry of a field. Return false if an error was reported. */
bool sg_lua_field_integer(sg_lua_reader *r, const char *word, int64_t entry, sg_span span,
                          int64_t *out);
bool sg_lua_field_text(sg_lua_reader *r, const char *word, int64_t entry, sg_span span,
                       const char **out);

/* How to write an unknown dimension of this name; a placeholder is used if it is not a valid
 * identifier. */
const char *sg_lua_field_dim_advice(sg_arena *arena, sg_str name);

/* "'axis'", "entry 2 of 'shape'" */
const char *sg_lua_field_title(sg_lua_reader *r, const char *word, int64_t entry);

/* Opens the list on top of the stack. Returns false if an error was reported. */
bool sg_lua_field_open_list(sg_lua_reader *r, const sg_lua_field_value *v, const char *wanted,
                            sg_lua_advice how, sg_lua_list *out);
sg_span sg_lua_field_entry_span(const sg_lua_list *l, int64_t index);

#endif
