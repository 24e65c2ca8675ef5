/* A tolerant tokenizer of Lua text, for places in diagnostics: it checks nothing and never fails.
 */
#ifndef SG_FRONTEND_LUA_LUA_TOKEN_H
#define SG_FRONTEND_LUA_LUA_TOKEN_H

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
    size_t line;      /* of the first byte, counted as Lua counts */
    size_t last_line; /* of the last byte */
    size_t body;      /* strings: bytes [body, body_end) between the quotes or brackets */
    size_t body_end;
    bool plain; /* strings: the value is exactly the body */
} sg_lua_token;

typedef struct sg_lua_text {
    const sg_source *source;
    sg_lua_token *tokens;
    size_t count; /* at least 1: the end */
    struct sg_lua_table *
        *tables; /* by the token that opens it, those that were read; NULL: not yet */
} sg_lua_text;

/* Offset of the first byte that Lua sees: behind a byte order mark and a first line with '#'. */
size_t sg_lua_scan_start(const sg_source *source);

/* Cuts the whole text into tokens; memory from the arena. */
const sg_lua_text *sg_lua_scan(sg_arena *arena, const sg_source *source);

/* A 1-based line, as Lua counts lines, without indentation. */
sg_span sg_lua_scan_line(const sg_source *source, size_t line);
/* The same, given an offset in an earlier line, so that not all text is counted again. */
sg_span sg_lua_scan_line_from(const sg_source *source, size_t from, size_t from_line, size_t line);

#endif
