/* Where calls, table constructors and return statements stand in Lua text. It serves places in
 * diagnostics only: it checks nothing and never fails. */
#ifndef SG_FRONTEND_LUA_LUA_SCAN_H
#define SG_FRONTEND_LUA_LUA_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/source.h"
#include "frontend/lua/lua_token.h"

/* What stands between two commas of a table constructor. */
typedef struct sg_lua_item {
    sg_str name;   /* of `name = value` and `["name"] = value`; ptr NULL otherwise */
    int64_t index; /* 1, 2, ... for a value without a key, 0 otherwise */
    sg_span key;   /* of the key, the value itself when there is none */
    sg_span value;
    size_t first; /* tokens [first, last) of the value */
    size_t last;
} sg_lua_item;

typedef struct sg_lua_table {
    sg_span span; /* with its braces */
    sg_lua_item *items;
    size_t count;
    bool computed; /* has a key [expression] that only Lua knows */
} sg_lua_table;

/* name(...), name{...}, name"...", a.b.name{...} */
typedef struct sg_lua_call {
    sg_str word;     /* the last name before the arguments */
    size_t first;    /* token of the first name */
    size_t argument; /* first token of the arguments */
    size_t last;     /* one behind the last token */
    bool single;     /* the argument is one token or one bracketed group */
} sg_lua_call;

sg_str sg_lua_scan_word(const sg_lua_text *text, size_t token);
bool sg_lua_scan_is(const sg_lua_text *text, size_t token, const char *word);
/* The token that closes the bracket at `open`, or the end. */
size_t sg_lua_scan_close(const sg_lua_text *text, size_t open);
/* Tokens [first, last) as a span. */
sg_span sg_lua_scan_span(const sg_lua_text *text, size_t first, size_t last);

/* A 1-based line as sg_lua_scan_line gives it, found by way of the tokens. */
sg_span sg_lua_scan_line_of(const sg_lua_text *text, size_t line);

/* The single token on this line with this text; false when there is none or more than one. A member
 * stands behind a dot or colon. */
bool sg_lua_scan_find(const sg_lua_text *text, size_t line, sg_str word, bool member, sg_span *out);

/* Reads the constructor that opens at token `open`. False: there is none. */
bool sg_lua_scan_table(sg_arena *arena, const sg_lua_text *text, size_t open, sg_lua_table *out);

/* All calls that Lua may report under this line. */
sg_lua_call *sg_lua_scan_calls(sg_arena *arena, const sg_lua_text *text, size_t line,
                               size_t *count);

/* The first token of a call's second argument; 0: there is none. */
size_t sg_lua_scan_second(const sg_lua_text *text, const sg_lua_call *call);

/* The expressions of the return statement of the main chunk that ends on or behind this line:
 * tokens [*first, *last), with the keyword at *first. False when it cannot be told. */
bool sg_lua_scan_return(const sg_lua_text *text, size_t line, size_t *first, size_t *last);

#endif
