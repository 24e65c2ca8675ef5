/* Looks up tokens and names in the table of other languages' syntax. */
#include "frontend/lua/lua_dialect.h"

#include <string.h>

static const struct {
    const char *before;
    const char *at;
    const char *says;
    const char *advice;
} syntax[] = {
#define FOREIGN_SYNTAX(before, at, says, advice) {before, at, says, advice},
#include "frontend/lua/foreign_syntax.inc"
};

static const struct {
    const char *name;
    const char *advice;
} names[] = {
#define FOREIGN_NAME(name, advice) {name, advice},
#define FOREIGN_NOTHING(name)      {name, "it is written nil"},
#include "frontend/lua/foreign_syntax.inc"
};

static const char *const nothings[] = {
#define FOREIGN_NOTHING(name) name,
#include "frontend/lua/foreign_syntax.inc"
};

static const char *const prefixes[] = {
#define FOREIGN_PREFIX(name) name,
#include "frontend/lua/foreign_syntax.inc"
};

static bool is_one_of(sg_str name, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (sg_str_eqz(name, words[i])) {
            return true;
        }
    }
    return false;
}

/* What precedes a token, in the form of the table's column `before`. */
static sg_str in_front(const sg_lua_text *text, size_t token)
{
    for (size_t back = 1; back <= 2 && back <= token; back++) {
        const size_t colon = token - back;
        if (sg_lua_scan_is(text, colon, ":")) {
            const bool ends_line = text->tokens[colon].line < text->tokens[colon + 1].line;
            return sg_str_from(ends_line ? ":\n" : ":");
        }
    }
    if (token == 0) {
        return sg_str_from("");
    }
    return text->tokens[token - 1].kind == SG_LUA_STRING ? sg_str_from("\"")
                                                         : sg_lua_scan_word(text, token - 1);
}

/* The token that begins at a byte of the text, or the end token. */
static size_t token_at(const sg_lua_text *text, size_t at)
{
    size_t token = 0;
    while (token + 1 < text->count && text->tokens[token].begin != at) {
        token++;
    }
    return token;
}

const char *sg_lua_dialect_syntax(const sg_lua_text *text, size_t at, const char *says)
{
    const size_t token = token_at(text, at);
    const sg_str word = sg_lua_scan_word(text, token);
    if (text->tokens[token].begin != at) {
        return NULL;
    }
    const sg_str before = in_front(text, token);
    for (size_t i = 0; i < sizeof syntax / sizeof syntax[0]; i++) {
        if ((syntax[i].before[0] == '\0' || sg_str_eqz(before, syntax[i].before)) &&
            (syntax[i].at[0] == '\0' || sg_str_eqz(word, syntax[i].at)) &&
            strstr(says, syntax[i].says) != NULL) {
            return syntax[i].advice;
        }
    }
    return NULL;
}

const char *sg_lua_dialect_error(const char *says)
{
    static const struct {
        const char *says;
        const char *advice;
    } errors[] = {
#define FOREIGN_ERROR(says, advice) {says, advice},
#include "frontend/lua/foreign_syntax.inc"
    };
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        if (strstr(says, errors[i].says) != NULL) {
            return errors[i].advice;
        }
    }
    return NULL;
}

const char *sg_lua_dialect_name(sg_str name)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (sg_str_eqz(name, names[i].name)) {
            return names[i].advice;
        }
    }
    return NULL;
}

bool sg_lua_dialect_is_nothing(sg_str name)
{
    return is_one_of(name, nothings, sizeof nothings / sizeof nothings[0]);
}

const char *sg_lua_dialect_prefix(const sg_lua_text *text, size_t at)
{
    const size_t token = token_at(text, at);
    const sg_lua_token *t = &text->tokens[token];
    return t->kind == SG_LUA_NAME && t[1].kind == SG_LUA_STRING && t[1].begin == t->end &&
                   is_one_of(sg_lua_scan_word(text, token), prefixes,
                             sizeof prefixes / sizeof prefixes[0])
               ? "a string has nothing in front of it; values are put into one by \"f\" .. 32"
               : NULL;
}
