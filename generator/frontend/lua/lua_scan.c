/* Finds calls, table constructors and return statements among the tokens of Lua text. */
#include "frontend/lua/lua_scan.h"

#include "lua/lua_library.h"

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

/* +1 if the token opens a bracket or block, -1 if it closes one. `then`, `while` and `for` don't
 * count, because their `if` and `do` do. */
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

/* Reads `name =`, `["name"] =` or `[expression] =` at token i. Returns the token at which the value
 * begins. */
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

static size_t first_reaching_line(const sg_lua_text *text, size_t line)
{
    size_t low = 0;
    size_t high = text->count - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (text->tokens[middle].last_line < line) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

sg_span sg_lua_scan_line_of(const sg_lua_text *text, size_t line)
{
    size_t i = first_reaching_line(text, line);
    if (i == 0) {
        return sg_lua_scan_line(text->source, line);
    }
    const sg_lua_token *before = &text->tokens[i - 1];
    return before->last_line < line
               ? sg_lua_scan_line_from(text->source, before->end, before->last_line, line)
               : sg_lua_scan_line(text->source, line);
}

bool sg_lua_scan_find(const sg_lua_text *text, size_t line, sg_str word, bool member, sg_span *out)
{
    size_t found = 0;
    size_t at = 0;
    for (size_t i = first_reaching_line(text, line); i + 1 < text->count; i++) {
        if (text->tokens[i].line > line) {
            break;
        }
        bool behind_dot =
            i > 0 && (sg_lua_scan_is(text, i - 1, ".") || sg_lua_scan_is(text, i - 1, ":"));
        if (text->tokens[i].kind != SG_LUA_STRING && behind_dot == member &&
            sg_str_eq(sg_lua_scan_word(text, i), word)) {
            at = i;
            found++;
        }
    }
    if (found == 1) {
        *out = sg_lua_scan_span(text, at, at + 1);
    }
    return found == 1;
}

static bool read_table(sg_arena *arena, const sg_lua_text *text, size_t open, sg_lua_table *out)
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

bool sg_lua_scan_table(sg_arena *arena, const sg_lua_text *text, size_t open, sg_lua_table *out)
{
    *out = (sg_lua_table){0};
    /* A loop may call one constructor many times; its table is parsed once. */
    if (text->tables[open] == NULL) {
        sg_lua_table table;
        if (!read_table(arena, text, open, &table)) {
            return false;
        }
        text->tables[open] = SG_NEW(arena, sg_lua_table);
        *text->tables[open] = table;
    }
    *out = *text->tables[open];
    return true;
}

size_t sg_lua_scan_second(const sg_lua_text *text, const sg_lua_call *call)
{
    int depth = 0;
    for (size_t i = call->argument; i < call->last; i++) {
        if (depth == 0 && sg_lua_scan_is(text, i, ",")) {
            return i + 1;
        }
        depth += nesting(text, i);
        if (depth < 0) {
            break;
        }
    }
    return 0;
}

static bool opens_arguments(const sg_lua_text *text, size_t token)
{
    return sg_lua_scan_is(text, token, "(") || sg_lua_scan_is(text, token, "{") ||
           text->tokens[token].kind == SG_LUA_STRING;
}

/* Reads the call whose first name is token i. */
static bool read_call(const sg_lua_text *text, size_t i, sg_lua_call *call)
{
    if (text->tokens[i].kind != SG_LUA_NAME || sg_lua_is_keyword(sg_lua_scan_word(text, i))) {
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

sg_lua_call *sg_lua_scan_calls(sg_arena *arena, const sg_lua_text *text, size_t line, size_t *count)
{
    /* Lua 5.4 reports a call at the line of its first name; later releases report the line of the
     * bracket that opens its arguments, or of the end of its only string. So names before the line
     * may belong to the call. */
    size_t start = first_reaching_line(text, line);
    while (start > 0 &&
           (text->tokens[start - 1].kind == SG_LUA_NAME || sg_lua_scan_is(text, start - 1, ".") ||
            sg_lua_scan_is(text, start - 1, ":"))) {
        start--;
    }
    size_t stop = start;
    while (stop + 1 < text->count && text->tokens[stop].line <= line) {
        stop++;
    }
    sg_lua_call *calls = NULL;
    int64_t capacity = 0;
    *count = 0;
    for (size_t i = start; i < stop; i++) {
        sg_lua_call call;
        if (read_call(text, i, &call)) {
            size_t open = call.argument;
            if (sg_lua_scan_is(text, open - 1, "(")) {
                open--;
            }
            if (text->tokens[open].last_line >= line) {
                calls = SG_GROWN(arena, calls, *count, capacity);
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
