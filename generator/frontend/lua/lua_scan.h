/* A tolerant tokenizer of Lua text that knows where calls and table constructors stand. It serves
 * places in diagnostics only: it judges nothing and never fails. */
#ifndef SG_FRONTEND_LUA_LUA_SCAN_H
#define SG_FRONTEND_LUA_LUA_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/source.h"

typedef enum sg_lua_token_kind {
    SG_LUA_NAME, /* keywords too */
    SG_LUA_NUMBER,
    SG_LUA_STRING,
    SG_LUA_PUNCT,
    SG_LUA_END /* of the text; stands once, last */
} sg_lua_token_kind;

typedef struct sg_lua_token {
    sg_lua_token_kind kind;
    size_t begin; /* bytes [begin, end) of the source */
    size_t end;
    size_t line; /* of the first byte, counted as Lua counts */
    size_t body; /* strings: bytes [body, body_end) between the quotes or brackets */
    size_t body_end;
    bool plain; /* strings: the value is exactly the body */
} sg_lua_token;

typedef struct sg_lua_text {
    const sg_source *source;
    sg_lua_token *tokens;
    size_t count; /* at least 1: the end */
} sg_lua_text;

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

/* Offset of the first byte that Lua sees: behind a byte order mark and a first line with '#'. */
size_t sg_lua_scan_start(const sg_source *source);

/* Cuts the whole text into tokens; memory from the arena. */
const sg_lua_text *sg_lua_scan(sg_arena *arena, const sg_source *source);

sg_str sg_lua_scan_word(const sg_lua_text *text, size_t token);
bool sg_lua_scan_is(const sg_lua_text *text, size_t token, const char *word);
/* The token that closes the bracket at `open`, or the end. */
size_t sg_lua_scan_close(const sg_lua_text *text, size_t open);
/* Tokens [first, last) as a span. */
sg_span sg_lua_scan_span(const sg_lua_text *text, size_t first, size_t last);
/* A 1-based line, as Lua counts lines, without indentation. */
sg_span sg_lua_scan_line(const sg_source *source, size_t line);

/* Reads the constructor that opens at token `open`. False: there is none. */
bool sg_lua_scan_table(sg_arena *arena, const sg_lua_text *text, size_t open, sg_lua_table *out);

/* All calls that Lua may report under this line. */
sg_lua_call *sg_lua_scan_calls(sg_arena *arena, const sg_lua_text *text, size_t line,
                               size_t *count);

/* The expressions of the return statement of the main chunk that ends on or behind this line:
 * tokens [*first, *last), with the keyword at *first. False when it cannot be told. */
bool sg_lua_scan_return(const sg_lua_text *text, size_t line, size_t *first, size_t *last);

#endif
