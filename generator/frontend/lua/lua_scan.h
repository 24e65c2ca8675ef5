/* Finds calls, table constructors and return statements in Lua text. It is used for places in
 * diagnostics only: it checks nothing and never fails. */
#ifndef SG_FRONTEND_LUA_LUA_SCAN_H
#define SG_FRONTEND_LUA_LUA_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/source.h"
#include "frontend/lua/lua_token.h"

/* One item of a table constructor, between two separators. */
typedef struct sg_lua_item {
    sg_str name;   /* for `name = value` and `["name"] = value`; ptr is NULL for others */
    int64_t index; /* 1, 2, ... for a value without a key; 0 for others */
    sg_span key;   /* of the key; of the value if there is no key */
    sg_span value;
    size_t first; /* tokens [first, last) are the value */
    size_t last;
} sg_lua_item;

typedef struct sg_lua_table {
    sg_span span; /* includes the braces */
    sg_lua_item *items;
    size_t count;
    bool computed; /* has a key [expression], whose value only Lua knows */
} sg_lua_table;

/* A call: name(...), name{...}, name"...", a.b.name{...} */
typedef struct sg_lua_call {
    sg_str word;     /* the last name in front of the arguments */
    size_t first;    /* token of the first name */
    size_t argument; /* first token of the arguments */
    size_t last;     /* the token after the call */
    bool single;     /* the argument is one token or one bracketed group */
} sg_lua_call;

sg_str sg_lua_scan_word(const sg_lua_text *text, size_t token);
bool sg_lua_scan_is(const sg_lua_text *text, size_t token, const char *word);
/* The token that closes the bracket at `open`, or the end token. */
size_t sg_lua_scan_close(const sg_lua_text *text, size_t open);
/* Tokens [first, last) as a span. */
sg_span sg_lua_scan_span(const sg_lua_text *text, size_t first, size_t last);

/* The span of a 1-based line, equal to sg_lua_scan_line(), but faster. */
sg_span sg_lua_scan_line_of(const sg_lua_text *text, size_t line);

/* Finds the token with this text on this line. Returns false if there is none or more than one.
 * member: the token follows a dot or colon. */
bool sg_lua_scan_find(const sg_lua_text *text, size_t line, sg_str word, bool member, sg_span *out);

/* Reads the table constructor that opens at token `open`. Returns false if there is none. */
bool sg_lua_scan_table(sg_arena *arena, const sg_lua_text *text, size_t open, sg_lua_table *out);

/* All calls that Lua may report at this line. */
sg_lua_call *sg_lua_scan_calls(sg_arena *arena, const sg_lua_text *text, size_t line,
                               size_t *count);

/* The first token of a call's second argument, or 0. */
size_t sg_lua_scan_second(const sg_lua_text *text, const sg_lua_call *call);

/* Finds the last return statement of the main chunk that begins on this line or before: tokens
 * [*first, *last), with the keyword at *first. Returns false if there is none, or if that line has
 * two. */
bool sg_lua_scan_return(const sg_lua_text *text, size_t line, size_t *first, size_t *last);

#endif
