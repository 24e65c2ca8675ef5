/* A tolerant tokenizer for Lua text. It is used for places in diagnostics: it checks nothing and
 * never fails. */
#ifndef SG_FRONTEND_LUA_LUA_TOKEN_H
#define SG_FRONTEND_LUA_LUA_TOKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/source.h"

typedef enum sg_lua_token_kind {
    SG_LUA_NAME, /* also keywords */
    SG_LUA_NUMBER,
    SG_LUA_STRING,
    SG_LUA_PUNCT,
    SG_LUA_END /* end of the text: the last token */
} sg_lua_token_kind;

typedef struct sg_lua_token {
    sg_lua_token_kind kind;
    size_t begin; /* bytes [begin, end) of the source */
    size_t end;
    size_t line;      /* line of the first byte, counted as Lua does */
    size_t last_line; /* line of the last byte */
    size_t body;      /* strings: bytes [body, body_end) are between the quotes or brackets */
    size_t body_end;
    bool plain; /* strings: the value equals the body, byte by byte */
} sg_lua_token;

typedef struct sg_lua_text {
    const sg_source *source;
    sg_lua_token *tokens;
    size_t count; /* at least 1: the end token */
    struct sg_lua_table *
        *tables; /* tables parsed so far, by the token that opens them; NULL: not parsed */
} sg_lua_text;

/* The offset of the first byte that Lua parses, after a byte order mark and a first line that
 * begins with '#'. */
size_t sg_lua_scan_start(const sg_source *source);

/* Splits the text into tokens, allocated from the arena. */
const sg_lua_text *sg_lua_scan(sg_arena *arena, const sg_source *source);

/* The span of a 1-based line without indentation and trailing blanks. Lines are counted as Lua
 * counts them. */
sg_span sg_lua_scan_line(const sg_source *source, size_t line);
/* The same, counting from an offset in an earlier line, which is faster. */
sg_span sg_lua_scan_line_from(const sg_source *source, size_t from, size_t from_line, size_t line);

#endif
