/* Finds the place of a Lua error. Lua names a line; the column comes from the token or variable
 * that the message quotes. If that is ambiguous, the place is the whole line. */
#include "frontend/lua/lua_error.h"

#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>

#include "foreign/foreign.h"
#include "frontend/lua/lua_names.h"
#include "lua/lua_library.h"

/* Shortens a file name as luaO_chunkid() does. */
const char *sg_lua_error_short_name(sg_arena *arena, const char *name)
{
    size_t len = strlen(name);
    if (len < LUA_IDSIZE) {
        return sg_arena_strdup(arena, name);
    }
    return sg_arena_printf(arena, "...%s", name + len - (LUA_IDSIZE - 4));
}

static sg_lua_failure failure_at(sg_span span, const char *thrown, const char *message)
{
    return (sg_lua_failure){
        .set = true, .thrown = thrown, .exit = SG_EXIT_INPUT, .span = span, .message = message};
}

static void add_note(sg_arena *arena, sg_lua_failure *failure, sg_span span, const char *text)
{
    sg_lua_note *note = SG_NEW(arena, sg_lua_note);
    note->span = span;
    note->text = text;
    note->next = failure->notes;
    failure->notes = note;
}

/* Reads "<name>:<line>: ". Returns the text after it, or NULL. */
static const char *skip_position(const char *message, const char *short_name, size_t *line)
{
    size_t len = strlen(short_name);
    if (strncmp(message, short_name, len) != 0 || message[len] != ':') {
        return NULL;
    }
    const char *at = message + len + 1;
    size_t digits = strspn(at, "0123456789");
    if (digits == 0 || digits > 9 || at[digits] != ':' || at[digits + 1] != ' ') {
        return NULL;
    }
    *line = (size_t)strtoul(at, NULL, 10);
    return at + digits + 2;
}

/* The number after the last "at line " (or "starting at line "), or 0. */
static size_t quoted_line(const char *message)
{
    const char *found = NULL;
    for (const char *at = message; (at = strstr(at, "at line ")) != NULL; at += 8) {
        found = at + 8;
    }
    size_t digits = found != NULL ? strspn(found, "0123456789") : 0;
    return digits > 0 && digits <= 9 ? (size_t)strtoul(found, NULL, 10) : 0;
}

/* note [which of them]
 * A syntax error quotes the token at which parsing stopped. If the line has several equal tokens,
 * the culprit is the first one for which the text up to and including it fails with the same
 * message. */
static bool fails_alike(lua_State *L, const sg_lua_chunk *chunk, size_t end, const char *message)
{
    const sg_source *source = chunk->source;
    sg_lua_host *host = sg_lua_host_of(L);
    size_t start = sg_lua_scan_start(source);
    char *text = sg_arena_alloc(host->arena, end - start + 1);
    memcpy(text, source->text + start, end - start);
    text[end - start] = '\n';
    const char *name = sg_arena_printf(host->arena, "@%s", source->name);
    int status = luaL_loadbufferx(L, text, end - start + 1, name, "t");
    bool same = status == LUA_ERRSYNTAX && strcmp(lua_tostring(L, -1), message) == 0;
    lua_pop(L, 1);
    return same;
}

static bool stands_alone(const sg_source *source, size_t begin, size_t end)
{
    const char *t = source->text;
    if (!sg_is_ident((unsigned char)t[begin])) {
        return true; /* a symbol, or a string that the message shows in part */
    }
    bool joins_left = begin > 0 && sg_is_ident((unsigned char)t[begin - 1]) &&
                      sg_is_ident((unsigned char)t[begin]);
    bool joins_right = end < source->len && sg_is_ident((unsigned char)t[end]) &&
                       sg_is_ident((unsigned char)t[end - 1]);
    return !joins_left && !joins_right;
}

/* Finds the quoted token on the line. */
static bool find_culprit(lua_State *L, const sg_lua_chunk *chunk, sg_span line, sg_str word,
                         const char *message, sg_span *out)
{
    enum { MAX_TRIES = 16 };
    const sg_source *source = chunk->source;
    size_t at[MAX_TRIES];
    size_t found = 0;
    for (size_t i = line.begin; word.len > 0 && i + word.len <= line.end; i++) {
        if (memcmp(source->text + i, word.ptr, word.len) == 0 &&
            stands_alone(source, i, i + word.len)) {
            if (found == MAX_TRIES) {
                return false;
            }
            at[found++] = i;
        }
    }
    for (size_t i = 0; i < found; i++) {
        if (found == 1 || fails_alike(L, chunk, at[i] + word.len, message)) {
            *out = sg_span_make(source, at[i], at[i] + word.len);
            return true;
        }
    }
    return false;
}

/* An empty span after the last token. */
static sg_span end_of_text(const sg_lua_text *text)
{
    size_t end = text->count > 1 ? text->tokens[text->count - 2].end : 0;
    return sg_span_make(text->source, end, end);
}

static sg_span deepest_bracket(const sg_lua_text *text)
{
    int64_t depth = 0;
    int64_t most = 0;
    size_t at = 0;
    for (size_t i = 0; i + 1 < text->count; i++) {
        bool opens = sg_lua_scan_is(text, i, "(") || sg_lua_scan_is(text, i, "{") ||
                     sg_lua_scan_is(text, i, "[");
        bool closes = sg_lua_scan_is(text, i, ")") || sg_lua_scan_is(text, i, "}") ||
                      sg_lua_scan_is(text, i, "]");
        depth += opens ? 1 : closes ? -1 : 0;
        if (depth > most) {
            most = depth;
            at = i;
        }
    }
    return sg_lua_scan_span(text, at, at + 1);
}

/* Reads the token in "... near 'token'". False if there is none. */
static bool near_token(const char *text, sg_str *word)
{
    const char *found = NULL;
    for (const char *at = text; (at = strstr(at, " near ")) != NULL; at += 6) {
        found = at + 6;
    }
    if (found == NULL) {
        return false;
    }
    *word = sg_str_from(found);
    if (word->len >= 2 && word->ptr[0] == '\'' && word->ptr[word->len - 1] == '\'') {
        word->ptr++;
        word->len -= 2;
    }
    return true;
}

/* Reads the word in "<before>'<word>'". False if there is none. */
static bool quoted_word(const char *message, const char *before, sg_str *word)
{
    const char *at = strstr(message, before);
    if (at == NULL) {
        return false;
    }
    word->ptr = at + strlen(before);
    const char *end = strchr(word->ptr, '\'');
    if (end == NULL) {
        return false;
    }
    word->len = (size_t)(end - word->ptr);
    return true;
}

/* Notes the opening token in "(to close '{' at line 3)", unless the message shows its line
 * anyway. */
static void note_opening(sg_arena *arena, const sg_lua_chunk *chunk, sg_lua_failure *failure)
{
    sg_str word;
    size_t line = quoted_line(failure->message);
    if (line == 0 || !quoted_word(failure->message, "(to close '", &word)) {
        return;
    }
    sg_span span;
    if (!sg_lua_scan_find(chunk->tokens, line, word, false, &span)) {
        span = sg_lua_scan_line(chunk->source, line);
    }
    if (failure->span.begin < span.begin ||
        failure->span.begin > sg_lua_scan_line(chunk->source, line).end) {
        add_note(arena, failure, span, "it opens here");
    }
}

/* The first bracket that the text opens and does not close; text->count: none. */
static size_t unclosed_bracket(const sg_lua_text *text)
{
    size_t open = text->count;
    for (size_t i = 0; i + 1 < text->count && open == text->count; i++) {
        const bool opens = sg_lua_scan_is(text, i, "(") || sg_lua_scan_is(text, i, "{") ||
                           sg_lua_scan_is(text, i, "[");
        if (opens) {
            const size_t close = sg_lua_scan_close(text, i);
            open = close + 1 >= text->count ? i : open;
            i = open == text->count ? close : i;
        }
    }
    return open;
}

/* Whether the token can end a value in a list or begin a field or value. */
static bool ends_value(const sg_lua_text *text, size_t i)
{
    return text->tokens[i].kind != SG_LUA_PUNCT || sg_lua_scan_is(text, i, "}") ||
           sg_lua_scan_is(text, i, ")") || sg_lua_scan_is(text, i, "]");
}

static bool begins_value(const sg_lua_text *text, size_t i)
{
    return (text->tokens[i].kind != SG_LUA_PUNCT && text->tokens[i].kind != SG_LUA_END &&
            !sg_lua_is_keyword(sg_lua_scan_word(text, i))) ||
           sg_lua_scan_is(text, i, "{") || sg_lua_scan_is(text, i, "[");
}

/* Rewords Lua's message if a list lacks a comma, which it finds one token later, or if the text
 * ends before a bracket is closed. */
static bool explain_list(sg_arena *arena, const sg_lua_chunk *chunk, sg_lua_failure *failure,
                         bool at_end)
{
    const sg_lua_text *text = chunk->tokens;
    if (at_end) {
        const size_t open = unclosed_bracket(text);
        if (open == text->count) {
            return false;
        }
        const sg_span span = sg_lua_scan_span(text, open, open + 1);
        const char bracket = span.source->text[span.begin];
        failure->message = sg_arena_printf(
            arena, "the text ends, but '%c' on line %zu is not closed: '%c' is missing", bracket,
            text->tokens[open].line,
            bracket == '{'   ? '}'
            : bracket == '(' ? ')'
                             : ']');
        add_note(arena, failure, span, "it opens here");
        return true;
    }
    if (strncmp(failure->message, "'}' expected", 12) != 0 &&
        strncmp(failure->message, "')' expected", 12) != 0) {
        return false;
    }
    size_t i = 1;
    while (i < text->count && text->tokens[i].begin < failure->span.begin) {
        i++;
    }
    if (i >= text->count || text->tokens[i].begin != failure->span.begin ||
        !ends_value(text, i - 1) || !begins_value(text, i)) {
        return false;
    }
    const sg_str word = sg_lua_scan_word(text, i);
    failure->span = sg_lua_scan_span(text, i - 1, i);
    failure->message = sg_arena_printf(arena, "a comma is missing after this, before '%.*s'",
                                       (int)word.len, word.ptr);
    return true;
}

sg_lua_failure sg_lua_error_syntax(lua_State *L, const sg_lua_chunk *chunk, size_t line,
                                   const char *message)
{
    sg_arena *arena = sg_lua_host_of(L)->arena;
    const char *thrown = sg_arena_strdup(arena, message);
    const char *text = skip_position(thrown, chunk->short_name, &line);
    if (text == NULL) {
        sg_span whole = sg_lua_scan_line(chunk->source, line);
        bool deep = strstr(thrown, "C stack overflow") != NULL;
        return deep ? failure_at(deepest_bracket(chunk->tokens), thrown,
                                 "this is nested too deeply for Lua, which stops at 200 levels")
                    : failure_at(whole, thrown, thrown);
    }
    sg_span place = sg_lua_scan_line(chunk->source, line);
    sg_lua_failure failure = failure_at(place, thrown, text);
    sg_str word = {NULL, 0};
    bool has_near = near_token(text, &word);
    size_t other = quoted_line(text);
    if (has_near && sg_str_eqz(word, "<eof>")) {
        failure.span = end_of_text(chunk->tokens);
        if (strstr(text, "unfinished long") != NULL && other > 0) {
            failure.span = sg_lua_scan_line(chunk->source, other);
        } else if (!explain_list(arena, chunk, &failure, true)) {
            note_opening(arena, chunk, &failure);
        }
    } else if (has_near) {
        const bool found = find_culprit(L, chunk, place, word, thrown, &failure.span);
        if (!found || !explain_list(arena, chunk, &failure, false)) {
            note_opening(arena, chunk, &failure);
        }
    } else if (other > 0) {
        failure.span = sg_lua_scan_line(chunk->source, other);
    }
    const char *advice = sg_foreign_word(SG_FOREIGN_SYNTAX, sg_str_from(text));
    if (advice != NULL) {
        failure.message = sg_arena_printf(arena, "%s; %s", text, advice);
    }
    if (!sg_foreign_is_named(chunk->source->name, ".lua")) {
        add_note(arena, &failure, sg_span_none(),
                 "it is read as a spec, which is text in Lua; a model is ONNX (.onnx, .onnxtxt) or "
                 "an IR of "
                 "OpenVINO (.xml), and the notation is given with '-e'");
    }
    return failure;
}

/* For a name of Lua that specs do not have. */
static const char *removed(sg_arena *arena, sg_str word)
{
    const char *instead = sg_foreign_word(SG_FOREIGN_NAME, word);
    return sg_arena_printf(arena, "; '%.*s' is not available in a spec%s%s", (int)word.len,
                           word.ptr, instead != NULL ? ": " : "", instead != NULL ? instead : "");
}

/* A suggestion for a message about a nil value; "" if there is none. */
static const char *hint(sg_arena *arena, const char *message)
{
    sg_str word;
    if (quoted_word(message, "nil value (global '", &word)) {
        const char *const *known = NULL;
        size_t count = sg_lua_names(&known);
        if (sg_lua_names_removed(word)) {
            return removed(arena, word);
        }
        const char *theirs = sg_foreign_word(SG_FOREIGN_NAME, word);
        if (theirs != NULL) {
            return sg_arena_printf(arena, "; %s", theirs);
        }
        const char *near = sg_suggest(word, known, count);
        if (near != NULL) {
            return sg_arena_printf(arena, "; did you mean '%s'?", near);
        }
        if (strstr(message, "arithmetic") != NULL || strstr(message, "concatenate") != NULL ||
            strstr(message, "compare") != NULL) {
            return sg_arena_printf(arena,
                                   "; a value that -D %.*s=... sets is written param(\"%.*s\")",
                                   (int)word.len, word.ptr, (int)word.len, word.ptr);
        }
    }
    if (quoted_word(message, "nil value (field '", &word) && sg_lua_names_removed(word)) {
        return removed(arena, word);
    }
    return "";
}

/* The name of the library function that raised the error, if the spec called it at this place. */
static bool raised_by(lua_State *L, sg_lua_place place, sg_str *word)
{
    lua_Debug ar;
    sg_lua_place caller = sg_lua_host_place(L);
    /* Level 0 is the message handler, level 1 the function. */
    if (caller.chunk != place.chunk || caller.line != place.line || !lua_getstack(L, 1, &ar) ||
        !lua_getinfo(L, "nS", &ar) || strcmp(ar.what, "C") != 0 || ar.name == NULL) {
        return false;
    }
    *word = sg_str_from(sg_arena_strdup(sg_lua_host_of(L)->arena, ar.name));
    return !sg_str_eqz(*word, "error") && !sg_str_eqz(*word, "assert");
}

sg_lua_failure sg_lua_error_explain(lua_State *L, const char *message, size_t len)
{
    static const struct {
        const char *before;
        bool member;
    } quotes[] = {{"(global '", false},   {"(local '", false}, {"(upvalue '", false},
                  {"(constant '", false}, {"(field '", true},  {"(method '", true}};
    sg_lua_host *host = sg_lua_host_of(L);
    const char *thrown = sg_arena_strndup(host->arena, message, len);
    const char *text = NULL;
    sg_lua_place place = {NULL, 0};
    for (const sg_lua_chunk *c = host->chunks; c != NULL && text == NULL; c = c->next) {
        text = skip_position(thrown, c->short_name, &place.line);
        place.chunk = text != NULL ? c : NULL;
    }
    if (text == NULL) {
        text = thrown;
        place = sg_lua_host_place(L);
    }
    sg_lua_failure failure = failure_at(sg_lua_host_line(host, place), thrown, NULL);
    if (text[0] == '\0') {
        text = "the spec raised an error without a message";
    }
    failure.message = sg_arena_printf(host->arena, "%s%s", text, hint(host->arena, text));
    if (place.chunk == NULL) {
        return failure;
    }
    sg_str word;
    for (size_t i = 0; i < sizeof quotes / sizeof quotes[0]; i++) {
        if (quoted_word(text, quotes[i].before, &word)) {
            (void)sg_lua_scan_find(place.chunk->tokens, place.line, word, quotes[i].member,
                                   &failure.span);
            return failure;
        }
    }
    if (raised_by(L, place, &word)) {
        (void)(sg_lua_scan_find(place.chunk->tokens, place.line, word, true, &failure.span) ||
               sg_lua_scan_find(place.chunk->tokens, place.line, word, false, &failure.span));
    }
    return failure;
}
