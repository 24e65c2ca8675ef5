/* Cuts Lua text into tokens and finds calls, table constructors and return statements in it. */
#include "frontend/lua/lua_scan.h"

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

/* Lua takes \n, \r, \r\n and \n\r for one line ending. */
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

/* The number of '=' when a long bracket opens here, else -1. */
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

/* Moves behind the long bracket that opens here; the body excludes a first line ending. */
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
    s.tokens[s.count] = (sg_lua_token){
        .kind = SG_LUA_END, .begin = source->len, .end = source->len, .line = s.line};
    sg_lua_text *text = SG_NEW(arena, sg_lua_text);
    text->source = source;
    text->tokens = s.tokens;
    text->count = s.count + 1;
    return text;
}

sg_str sg_lua_scan_word(const sg_lua_text *text, size_t token)
{
    const sg_lua_token *t = &text->tokens[token];
    return (sg_str){text->source->text + t->begin, t->end - t->begin};
}

bool sg_lua_scan_is(const sg_lua_text *text, size_t token, const char *word)
{
    return token < text->count && text->tokens[token].kind != SG_LUA_STRING &&
           sg_str_eqz(sg_lua_scan_word(text, token), word);
}

/* +1 where a bracket or block opens, -1 where it closes. `then`, `while` and `for` do not count:
 * `if` and `do` do. */
static int nesting(const sg_lua_text *text, size_t token)
{
    static const struct {
        const char *word;
        int change;
    } words[] = {{"(", 1},        {"[", 1},  {"{", 1},  {")", -1},     {"]", -1},   {"}", -1},
                 {"function", 1}, {"if", 1}, {"do", 1}, {"repeat", 1}, {"end", -1}, {"until", -1}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (sg_lua_scan_is(text, token, words[i].word)) {
            return words[i].change;
        }
    }
    return 0;
}

size_t sg_lua_scan_close(const sg_lua_text *text, size_t open)
{
    int64_t depth = 0;
    for (size_t i = open; i + 1 < text->count; i++) {
        depth += nesting(text, i);
        if (depth == 0) {
            return i;
        }
    }
    return text->count - 1;
}

sg_span sg_lua_scan_span(const sg_lua_text *text, size_t first, size_t last)
{
    size_t begin = text->tokens[first].begin;
    size_t end = last > first ? text->tokens[last - 1].end : begin;
    return sg_span_make(text->source, begin, end);
}

sg_span sg_lua_scan_line(const sg_source *source, size_t line)
{
    scanner s = {.text = source->text, .len = source->len, .line = 1};
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

/* Reads `name =`, `["name"] =` or `[expression] =` at token i; returns where the value starts. */
static size_t read_key(const sg_lua_text *text, size_t i, size_t last, sg_lua_item *item,
                       bool *computed)
{
    if (text->tokens[i].kind == SG_LUA_NAME && i + 1 < last && sg_lua_scan_is(text, i + 1, "=")) {
        item->name = sg_lua_scan_word(text, i);
        item->key = sg_lua_scan_span(text, i, i + 1);
        return i + 2;
    }
    if (sg_lua_scan_is(text, i, "[")) {
        size_t close = sg_lua_scan_close(text, i);
        if (close + 1 < last && sg_lua_scan_is(text, close + 1, "=")) {
            const sg_lua_token *inner = &text->tokens[i + 1];
            if (close == i + 2 && inner->kind == SG_LUA_STRING && inner->plain) {
                item->name =
                    (sg_str){text->source->text + inner->body, inner->body_end - inner->body};
            } else {
                *computed = true;
            }
            item->key = sg_lua_scan_span(text, i, close + 1);
            return close + 2;
        }
    }
    return i;
}

bool sg_lua_scan_table(sg_arena *arena, const sg_lua_text *text, size_t open, sg_lua_table *out)
{
    *out = (sg_lua_table){0};
    if (!sg_lua_scan_is(text, open, "{")) {
        return false;
    }
    size_t close = sg_lua_scan_close(text, open);
    if (close + 1 >= text->count) {
        return false;
    }
    out->span = sg_lua_scan_span(text, open, close + 1);
    out->items = SG_NEW_ARRAY(arena, sg_lua_item, (close - open) / 2 + 1);
    int64_t position = 0;
    for (size_t i = open + 1; i < close;) {
        sg_lua_item *item = &out->items[out->count];
        size_t last = i;
        int64_t depth = 0;
        while (last < close && (depth > 0 || !(sg_lua_scan_is(text, last, ",") ||
                                               sg_lua_scan_is(text, last, ";")))) {
            depth += nesting(text, last);
            last++;
        }
        if (last > i) {
            item->first = read_key(text, i, last, item, &out->computed);
            item->last = last;
            item->value = sg_lua_scan_span(text, item->first, last);
            if (item->first == i) {
                item->index = ++position;
                item->key = item->value;
            }
            out->count++;
        }
        i = last + 1;
    }
    return true;
}

static bool is_keyword(const sg_lua_text *text, size_t token)
{
    static const char *const words[] = {"and",   "break", "do",       "else", "elseif", "end",
                                        "false", "for",   "function", "goto", "if",     "in",
                                        "local", "nil",   "not",      "or",   "repeat", "return",
                                        "then",  "true",  "until",    "while"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (sg_lua_scan_is(text, token, words[i])) {
            return true;
        }
    }
    return false;
}

static bool opens_arguments(const sg_lua_text *text, size_t token)
{
    return sg_lua_scan_is(text, token, "(") || sg_lua_scan_is(text, token, "{") ||
           text->tokens[token].kind == SG_LUA_STRING;
}

/* Reads the call whose first name is token i. */
static bool read_call(const sg_lua_text *text, size_t i, sg_lua_call *call)
{
    if (text->tokens[i].kind != SG_LUA_NAME || is_keyword(text, i)) {
        return false;
    }
    if (i > 0 && (sg_lua_scan_is(text, i - 1, ".") || sg_lua_scan_is(text, i - 1, ":") ||
                  sg_lua_scan_is(text, i - 1, "function"))) {
        return false;
    }
    size_t last = i;
    while ((sg_lua_scan_is(text, last + 1, ".") || sg_lua_scan_is(text, last + 1, ":")) &&
           last + 2 < text->count && text->tokens[last + 2].kind == SG_LUA_NAME) {
        last += 2;
    }
    size_t open = last + 1;
    if (!opens_arguments(text, open)) {
        return false;
    }
    call->word = sg_lua_scan_word(text, last);
    call->first = i;
    if (text->tokens[open].kind == SG_LUA_STRING) {
        call->argument = open;
        call->last = open + 1;
        call->single = true;
    } else {
        size_t close = sg_lua_scan_close(text, open);
        call->last = close + 1 < text->count ? close + 1 : close;
        bool parens = sg_lua_scan_is(text, open, "(");
        call->argument = parens ? open + 1 : open;
        call->single = !parens || (sg_lua_scan_is(text, open + 1, "{")
                                       ? sg_lua_scan_close(text, open + 1) + 1 == close
                                       : open + 2 == close);
    }
    return true;
}

static size_t first_on_line(const sg_lua_text *text, size_t line)
{
    size_t low = 0;
    size_t high = text->count - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (text->tokens[middle].line < line) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

sg_lua_call *sg_lua_scan_calls(sg_arena *arena, const sg_lua_text *text, size_t line, size_t *count)
{
    /* Lua 5.4 reports a call under the line of its first name or, in later releases, of the bracket
     * that opens its arguments; names before the line may thus belong to it. */
    size_t start = first_on_line(text, line);
    while (start > 0 &&
           (text->tokens[start - 1].kind == SG_LUA_NAME || sg_lua_scan_is(text, start - 1, ".") ||
            sg_lua_scan_is(text, start - 1, ":"))) {
        start--;
    }
    size_t stop = start;
    while (stop + 1 < text->count && text->tokens[stop].line <= line) {
        stop++;
    }
    sg_lua_call *calls = SG_NEW_ARRAY(arena, sg_lua_call, stop - start);
    *count = 0;
    for (size_t i = start; i < stop; i++) {
        sg_lua_call call;
        if (read_call(text, i, &call)) {
            size_t open = call.argument;
            if (sg_lua_scan_is(text, open - 1, "(")) {
                open--;
            }
            if (text->tokens[open].line >= line) {
                calls[(*count)++] = call;
            }
        }
    }
    return calls;
}

bool sg_lua_scan_return(const sg_lua_text *text, size_t line, size_t *first, size_t *last)
{
    bool found = false;
    bool twice = false;
    for (size_t i = 0; i + 1 < text->count && text->tokens[i].line <= line; i++) {
        if (sg_lua_scan_is(text, i, "function")) {
            i = sg_lua_scan_close(text, i);
            continue;
        }
        if (sg_lua_scan_is(text, i, "return")) {
            twice = found && text->tokens[*first].line == text->tokens[i].line;
            found = true;
            *first = i;
            int64_t depth = 0;
            size_t stop = i + 1;
            while (stop + 1 < text->count) {
                int change = nesting(text, stop);
                if (depth == 0 &&
                    (change < 0 || sg_lua_scan_is(text, stop, "else") ||
                     sg_lua_scan_is(text, stop, "elseif") || sg_lua_scan_is(text, stop, ";"))) {
                    break;
                }
                depth += change;
                stop++;
            }
            *last = stop;
        }
    }
    return found && !twice;
}
