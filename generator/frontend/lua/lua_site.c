/* Matches calls in the text with the values that were passed. */
#include "frontend/lua/lua_site.h"

#include <string.h>

#include <lauxlib.h>

#include "frontend/lua/lua_host.h"

const sg_lua_item *sg_lua_site_field(const sg_lua_table *table, const char *name)
{
    const sg_lua_item *found = NULL;
    for (size_t i = 0; i < table->count; i++) {
        if (table->items[i].name.ptr != NULL && sg_str_eqz(table->items[i].name, name)) {
            found = &table->items[i];
        }
    }
    return found;
}

const sg_lua_item *sg_lua_site_element(const sg_lua_table *table, int64_t index)
{
    for (size_t i = 0; i < table->count; i++) {
        if (table->items[i].index == index) {
            return &table->items[i];
        }
    }
    return NULL;
}

static bool agrees_table(lua_State *L, const sg_lua_text *text, const sg_lua_table *table,
                         int index, int depth);

/* Whether tokens [first, last) can have produced the value at the stack index. An expression can
 * produce any value, a literal only its own. */
static bool agrees(lua_State *L, const sg_lua_text *text, size_t first, size_t last, int index,
                   int depth)
{
    sg_lua_host *host = sg_lua_host_of(L);
    const sg_lua_token *token = &text->tokens[first];
    sg_lua_table table;
    if (sg_lua_scan_is(text, first, "{") && sg_lua_scan_close(text, first) + 1 == last) {
        return lua_istable(L, index) && sg_lua_scan_table(host->arena, text, first, &table) &&
               agrees_table(L, text, &table, index, depth + 1);
    }
    bool negative = last == first + 2 && sg_lua_scan_is(text, first, "-") &&
                    text->tokens[first + 1].kind == SG_LUA_NUMBER;
    if (last != first + 1 && !negative) {
        return true;
    }
    if (token->kind == SG_LUA_STRING && token->plain) {
        size_t len = 0;
        const char *value =
            lua_type(L, index) == LUA_TSTRING ? lua_tolstring(L, index, &len) : NULL;
        return value != NULL &&
               sg_str_eq((sg_str){value, len},
                         (sg_str){text->source->text + token->body, token->body_end - token->body});
    }
    if (token->kind == SG_LUA_STRING) {
        return lua_type(L, index) == LUA_TSTRING;
    }
    if (token->kind == SG_LUA_NUMBER || negative) {
        sg_str word = sg_lua_scan_word(text, negative ? first + 1 : first);
        char *digits = sg_arena_strndup(host->arena, word.ptr, word.len);
        if (lua_type(L, index) != LUA_TNUMBER || lua_stringtonumber(L, digits) == 0) {
            return false;
        }
        if (negative) {
            lua_arith(L, LUA_OPUNM);
        }
        bool same = lua_rawequal(L, -1, index) != 0;
        lua_pop(L, 1);
        return same;
    }
    if (sg_lua_scan_is(text, first, "true") || sg_lua_scan_is(text, first, "false")) {
        return lua_isboolean(L, index) &&
               (lua_toboolean(L, index) != 0) == sg_lua_scan_is(text, first, "true");
    }
    if (sg_lua_scan_is(text, first, "nil")) {
        return lua_isnil(L, index);
    }
    return true;
}

/* Whether the last item without a key can expand to several values. */
static bool expands(const sg_lua_text *text, const sg_lua_table *table)
{
    if (table->count == 0) {
        return false;
    }
    const sg_lua_item *item = &table->items[table->count - 1];
    return item->index > 0 &&
           (sg_lua_scan_is(text, item->last - 1, "...") ||
            (item->last - item->first > 1 && (sg_lua_scan_is(text, item->last - 1, ")") ||
                                              sg_lua_scan_is(text, item->last - 1, "}") ||
                                              text->tokens[item->last - 1].kind == SG_LUA_STRING)));
}

static bool agrees_table(lua_State *L, const sg_lua_text *text, const sg_lua_table *table,
                         int index, int depth)
{
    enum { MAX_DEPTH = 3 };
    if (depth > MAX_DEPTH) {
        return true;
    }
    luaL_checkstack(L, 4, NULL);
    int at = lua_absindex(L, index);
    int64_t listed = 0;
    for (size_t i = 0; i < table->count; i++) {
        const sg_lua_item *item = &table->items[i];
        bool last_one =
            item->name.ptr == NULL ||
            sg_lua_site_field(table, sg_arena_strndup(sg_lua_host_of(L)->arena, item->name.ptr,
                                                      item->name.len)) == item;
        if (item->name.ptr != NULL) {
            lua_pushlstring(L, item->name.ptr, item->name.len);
            lua_rawget(L, at);
        } else if (item->index > 0) {
            lua_rawgeti(L, at, item->index);
            listed = item->index;
        } else {
            continue;
        }
        bool ok = !last_one || agrees(L, text, item->first, item->last, lua_gettop(L), depth);
        lua_pop(L, 1);
        if (!ok) {
            return false;
        }
    }
    /* Each key of the table must occur in the text. */
    bool open = expands(text, table);
    for (lua_pushnil(L); lua_next(L, at) != 0; lua_pop(L, 1)) {
        bool known = table->computed;
        if (lua_type(L, -2) == LUA_TSTRING) {
            size_t len;
            const char *name = lua_tolstring(L, -2, &len);
            known = known || (strlen(name) == len && sg_lua_site_field(table, name) != NULL);
        } else if (lua_isinteger(L, -2)) {
            known = known || open || lua_tointeger(L, -2) <= listed;
        }
        if (!known) {
            lua_pop(L, 2);
            return false;
        }
    }
    return true;
}

bool sg_lua_site_nested(lua_State *L, const sg_lua_text *text, const sg_lua_item *item, int index,
                        sg_lua_table *out)
{
    return item != NULL && sg_lua_scan_is(text, item->first, "{") &&
           sg_lua_scan_close(text, item->first) + 1 == item->last &&
           sg_lua_scan_table(sg_lua_host_of(L)->arena, text, item->first, out) &&
           agrees_table(L, text, out, index, 1);
}

/* Whether a literal argument of the call in the text equals the argument at the stack index. An
 * argument that is not a literal may be equal. */
static bool call_agrees(lua_State *L, const sg_lua_text *text, const sg_lua_call *call,
                        int argument)
{
    size_t first = call->argument;
    if (sg_lua_scan_is(text, first, "{")) {
        return agrees(L, text, first, sg_lua_scan_close(text, first) + 1, argument, 0);
    }
    bool alone = text->tokens[first].kind == SG_LUA_STRING &&
                 (call->single || sg_lua_scan_is(text, first + 1, ","));
    return !alone || agrees(L, text, first, first + 1, argument, 0);
}

static bool is_literal(const sg_lua_text *text, const sg_lua_call *call)
{
    return sg_lua_scan_is(text, call->argument, "{") ||
           text->tokens[call->argument].kind == SG_LUA_STRING;
}

/* Moves the calls that agree with the argument to the front, and returns how many. named: whether
 * the call must be by the name `word`; literal: whether its argument must be a literal. */
static size_t keep(lua_State *L, const sg_lua_text *text, sg_lua_call *calls, size_t count,
                   const char *word, bool named, bool literal, int argument)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (sg_str_eqz(calls[i].word, word) == named && is_literal(text, &calls[i]) == literal &&
            call_agrees(L, text, &calls[i], argument)) {
            sg_lua_call call = calls[i];
            calls[i] = calls[kept];
            calls[kept++] = call;
        }
    }
    return kept;
}

/* Selects the calls in the text that can be the current one, and returns how many; 0 if that is
 * ambiguous. The function may be called by another name. A call by another name is selected only if
 * no call by `word` can be the current one. */
static size_t choose(lua_State *L, const sg_lua_text *text, sg_lua_call *calls, size_t count,
                     const char *word, int argument)
{
    size_t kept = keep(L, text, calls, count, word, true, true, argument);
    if (kept > 0) {
        return kept;
    }
    size_t renamed = keep(L, text, calls, count, word, false, true, argument);
    size_t expressions = keep(L, text, calls, count, word, true, false, argument);
    if (renamed > 0 && expressions > 0) {
        return 0;
    }
    if (renamed > 0) {
        return keep(L, text, calls, count, word, false, true, argument);
    }
    if (expressions == 0) {
        expressions = keep(L, text, calls, count, word, false, false, argument);
    }
    return expressions == 1 ? 1 : 0;
}

/* Equal calls on one line are assumed to run in the order of the text. */
struct sg_lua_turn {
    const sg_lua_chunk *chunk;
    size_t line;
    const char *word;
    size_t next;
    struct sg_lua_turn *older;
};

static size_t take_turn(lua_State *L, sg_lua_place place, const char *word, size_t count)
{
    sg_lua_host *host = sg_lua_host_of(L);
    if (count == 1) {
        return 0;
    }
    struct sg_lua_turn *turn = host->turns;
    while (turn != NULL && !(turn->chunk == place.chunk && turn->line == place.line &&
                             strcmp(turn->word, word) == 0)) {
        turn = turn->older;
    }
    if (turn == NULL) {
        turn = SG_NEW(host->arena, struct sg_lua_turn);
        *turn = (struct sg_lua_turn){place.chunk, place.line, word, 0, host->turns};
        host->turns = turn;
    }
    return turn->next++ % count;
}

sg_lua_site sg_lua_site_find(lua_State *L, const char *word, int argument)
{
    sg_lua_host *host = sg_lua_host_of(L);
    sg_lua_place place = sg_lua_host_place(L);
    sg_lua_site site = {0};
    site.call = sg_lua_host_line(host, place);
    site.argument = site.call;
    if (place.chunk == NULL) {
        return site;
    }
    const sg_lua_text *text = place.chunk->tokens;
    size_t count = 0;
    sg_lua_call *calls = sg_lua_scan_calls(host->arena, text, place.line, &count);
    count = choose(L, text, calls, count, word, argument);
    if (count == 0) {
        return site;
    }
    bool literal = is_literal(text, &calls[0]);
    const sg_lua_call *call = &calls[take_turn(L, place, word, count)];
    site.text = text;
    site.second = sg_lua_scan_second(text, call);
    site.call = sg_lua_scan_span(text, call->first, call->last);
    site.argument = site.call;
    if (!literal) {
        return site;
    }
    site.token = call->argument;
    site.is_table = sg_lua_scan_table(host->arena, text, call->argument, &site.table);
    size_t end = site.is_table ? sg_lua_scan_close(text, call->argument) + 1 : call->argument + 1;
    site.argument = sg_lua_scan_span(text, call->argument, end);
    site.written = call->single;
    site.is_table = site.is_table && call->single;
    return site;
}
