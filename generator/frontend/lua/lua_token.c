/* Splits Lua text into tokens and lines. */
#include "frontend/lua/lua_token.h"

#include <string.h>

typedef struct scanner {
    const char *text;
    size_t len;
    size_t at;
    size_t line;
    sg_lua_token *tokens;
    size_t count;
} scanner;

static char peek(const scanner *s, size_t ahead)
{
    return s->at + ahead < s->len ? s->text[s->at + ahead] : '\0';
}

/* Skips n bytes. Like Lua, counts \n, \r, \r\n and \n\r as one line ending. */
static void advance(scanner *s, size_t n)
{
    size_t stop = s->at + n < s->len ? s->at + n : s->len;
    while (s->at < stop) {
        char c = s->text[s->at++];
        if (c == '\n' || c == '\r') {
            char other = c == '\n' ? '\r' : '\n';
            if (s->at < s->len && s->text[s->at] == other) {
                s->at++;
            }
            s->line++;
        }
    }
}

size_t sg_lua_scan_start(const sg_source *source)
{
    size_t at = 0;
    if (source->len >= 3 && memcmp(source->text, "\xEF\xBB\xBF", 3) == 0) {
        at = 3;
    }
    if (at < source->len && source->text[at] == '#') {
        while (at < source->len && source->text[at] != '\n' && source->text[at] != '\r') {
            at++;
        }
    }
    return at;
}

/* The number of '=' in the long bracket that opens here; -1 if none does. */
static int64_t long_bracket(const scanner *s)
{
    size_t level = 0;
    if (peek(s, 0) != '[') {
        return -1;
    }
    while (peek(s, 1 + level) == '=') {
        level++;
    }
    return peek(s, 1 + level) == '[' ? (int64_t)level : -1;
}

/* Skips the long bracket that opens here. The body does not include a line ending at its start. */
static void take_long(scanner *s, size_t level, sg_lua_token *token)
{
    advance(s, level + 2);
    if (peek(s, 0) == '\n' || peek(s, 0) == '\r') {
        advance(s, 1);
    }
    token->body = s->at;
    token->plain = true;
    while (s->at < s->len) {
        if (peek(s, 0) == ']') {
            size_t n = 0;
            while (peek(s, 1 + n) == '=') {
                n++;
            }
            if (n == level && peek(s, 1 + n) == ']') {
                token->body_end = s->at;
                advance(s, level + 2);
                return;
            }
        }
        if (peek(s, 0) == '\r') {
            token->plain = false;
        }
        advance(s, 1);
    }
    token->body_end = s->len;
}

static void take_quoted(scanner *s, sg_lua_token *token)
{
    char quote = peek(s, 0);
    advance(s, 1);
    token->body = s->at;
    token->plain = true;
    while (s->at < s->len && peek(s, 0) != quote && peek(s, 0) != '\n' && peek(s, 0) != '\r') {
        if (peek(s, 0) == '\\') {
            token->plain = false;
            bool skips = peek(s, 1) == 'z';
            advance(s, 2);
            while (skips && s->at < s->len && sg_is_space((unsigned char)peek(s, 0))) {
                advance(s, 1);
            }
        } else {
            advance(s, 1);
        }
    }
    token->body_end = s->at;
    if (peek(s, 0) == quote) {
        advance(s, 1);
    }
}

static void take_number(scanner *s)
{
    bool hex = peek(s, 0) == '0' && (peek(s, 1) == 'x' || peek(s, 1) == 'X');
    for (;;) {
        char c = peek(s, 0);
        bool exponent = hex ? c == 'p' || c == 'P' : c == 'e' || c == 'E';
        if (exponent && (peek(s, 1) == '+' || peek(s, 1) == '-')) {
            advance(s, 2);
        } else if (s->at < s->len && (sg_is_ident((unsigned char)c) || c == '.')) {
            advance(s, 1);
        } else {
            return;
        }
    }
}

static size_t punct_length(const scanner *s)
{
    static const char *const longer[] = {
        "...", "..", "==", "~=", "<=", ">=", "//", "::", "<<", ">>"};
    for (size_t i = 0; i < sizeof longer / sizeof longer[0]; i++) {
        size_t n = strlen(longer[i]);
        if (s->at + n <= s->len && memcmp(s->text + s->at, longer[i], n) == 0) {
            return n;
        }
    }
    return 1;
}

static void skip_blank(scanner *s)
{
    for (;;) {
        char c = peek(s, 0);
        if (s->at < s->len && (sg_is_space((unsigned char)c) || c == '\0')) {
            advance(s, 1);
        } else if (c == '-' && peek(s, 1) == '-') {
            advance(s, 2);
            int64_t level = long_bracket(s);
            if (level >= 0) {
                sg_lua_token comment = {0};
                take_long(s, (size_t)level, &comment);
            } else {
                while (s->at < s->len && peek(s, 0) != '\n' && peek(s, 0) != '\r') {
                    advance(s, 1);
                }
            }
        } else {
            return;
        }
    }
}

static void take_token(scanner *s, sg_lua_token *token)
{
    char c = peek(s, 0);
    token->begin = s->at;
    token->line = s->line;
    if (sg_is_ident_start((unsigned char)c)) {
        token->kind = SG_LUA_NAME;
        while (s->at < s->len && sg_is_ident((unsigned char)peek(s, 0))) {
            advance(s, 1);
        }
    } else if (sg_is_digit((unsigned char)c) ||
               (c == '.' && sg_is_digit((unsigned char)peek(s, 1)))) {
        token->kind = SG_LUA_NUMBER;
        take_number(s);
    } else if (c == '"' || c == '\'') {
        token->kind = SG_LUA_STRING;
        take_quoted(s, token);
    } else if (long_bracket(s) >= 0) {
        token->kind = SG_LUA_STRING;
        take_long(s, (size_t)long_bracket(s), token);
    } else {
        token->kind = SG_LUA_PUNCT;
        advance(s, punct_length(s));
    }
    token->end = s->at;
    token->last_line = s->line;
}

const sg_lua_text *sg_lua_scan(sg_arena *arena, const sg_source *source)
{
    scanner s = {.text = source->text, .len = source->len, .line = 1};
    size_t capacity = 64;
    s.tokens = SG_NEW_ARRAY(arena, sg_lua_token, capacity);
    s.at = sg_lua_scan_start(source);
    for (;;) {
        skip_blank(&s);
        if (s.count + 1 == capacity) {
            sg_lua_token *grown = SG_NEW_ARRAY(arena, sg_lua_token, 2 * capacity);
            memcpy(grown, s.tokens, s.count * sizeof grown[0]);
            s.tokens = grown;
            capacity *= 2;
        }
        if (s.at >= s.len) {
            break;
        }
        take_token(&s, &s.tokens[s.count++]);
    }
    s.tokens[s.count] = (sg_lua_token){.kind = SG_LUA_END,
                                       .begin = source->len,
                                       .end = source->len,
                                       .line = s.line,
                                       .last_line = s.line};
    sg_lua_text *text = SG_NEW(arena, sg_lua_text);
    text->source = source;
    text->tokens = s.tokens;
    text->tables = SG_NEW_ARRAY(arena, struct sg_lua_table *, s.count + 1);
    text->count = s.count + 1;
    return text;
}

sg_span sg_lua_scan_line(const sg_source *source, size_t line)
{
    return sg_lua_scan_line_from(source, 0, 1, line);
}

sg_span sg_lua_scan_line_from(const sg_source *source, size_t from, size_t from_line, size_t line)
{
    scanner s = {.text = source->text, .at = from, .len = source->len, .line = from_line};
    while (s.line < line && s.at < s.len) {
        advance(&s, 1);
    }
    size_t begin = s.at;
    size_t end = begin;
    while (end < s.len && s.text[end] != '\n' && s.text[end] != '\r') {
        end++;
    }
    while (begin < end && (s.text[begin] == ' ' || s.text[begin] == '\t')) {
        begin++;
    }
    while (end > begin && sg_is_space((unsigned char)s.text[end - 1])) {
        end--;
    }
    return sg_span_make(source, begin, end);
}
