/* The functions of `string` that take patterns: find, match, gmatch, gsub. */
#include "lua/lua_library.h"

#include <stdint.h>
#include <string.h>

#include <lauxlib.h>

#include "lua/lua_match.h"
#include "lua/lua_meter.h"

typedef unsigned char byte;

/* With no captures the whole match is the one value, unless `bare`. */
static int push_captures(sg_lua_matcher *m, const byte *s, const byte *e, bool bare)
{
    int n = m->ncaptures == 0 && !bare ? 1 : m->ncaptures;
    luaL_checkstack(m->L, n, "too many captures");
    for (int i = 0; i < n; i++) {
        sg_lua_match_push(m, i, s, e);
    }
    return n;
}

/* Offset of a 1-based start that may count from the end; beyond len when out of range. */
static size_t start_offset(lua_State *L, int index, size_t len)
{
    lua_Integer init = luaL_optinteger(L, index, 1);
    if (init > 0) {
        return (lua_Unsigned)init - 1 > len ? len + 1 : (size_t)init - 1;
    }
    if (init == 0 || init < -(lua_Integer)len) {
        return 0;
    }
    return len - (size_t)(-init);
}

static const char *find_plain(lua_State *L, const char *text, size_t len, const char *word,
                              size_t word_len)
{
    const char *end = text + len;
    while ((size_t)(end - text) >= word_len) {
        const char *at =
            word_len == 0 ? text : memchr(text, word[0], (size_t)(end - text) - word_len + 1);
        sg_meter_charge_bytes(L, (size_t)((at != NULL ? at : end) - text));
        if (at == NULL) {
            return NULL;
        }
        if (word_len == 0 || memcmp(at, word, word_len) == 0) {
            return at;
        }
        sg_meter_charge(L, 1);
        sg_meter_charge_bytes(L, word_len);
        text = at + 1;
    }
    return NULL;
}

static bool is_plain(const char *pattern, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (pattern[i] != '\0' && strchr("^$*+?.([%-", pattern[i]) != NULL) {
            return false;
        }
    }
    return true;
}

static int find_or_match(lua_State *L, bool find)
{
    size_t len;
    size_t pattern_len;
    const char *text = luaL_checklstring(L, 1, &len);
    const char *pattern = luaL_checklstring(L, 2, &pattern_len);
    size_t init = start_offset(L, 3, len);
    if (init > len) {
        lua_pushnil(L);
        return 1;
    }
    sg_meter_charge(L, (int64_t)(pattern_len / 4)); /* is_plain asks of each byte */
    if (find && (lua_toboolean(L, 4) || is_plain(pattern, pattern_len))) {
        const char *at = find_plain(L, text + init, len - init, pattern, pattern_len);
        if (at == NULL) {
            lua_pushnil(L);
            return 1;
        }
        lua_pushinteger(L, at - text + 1);
        lua_pushinteger(L, at - text + (lua_Integer)pattern_len);
        return 2;
    }
    sg_lua_matcher m;
    sg_lua_match_start(&m, L, text, len, pattern, pattern_len);
    const byte *p = (const byte *)pattern;
    bool anchored = pattern_len > 0 && *p == '^';
    p += anchored ? 1 : 0;
    for (const byte *s = m.text + init; s <= m.text_end; s++) {
        const byte *e = sg_lua_match_at(&m, s, p);
        if (e != NULL) {
            if (!find) {
                return push_captures(&m, s, e, false);
            }
            lua_pushinteger(L, s - m.text + 1);
            lua_pushinteger(L, e - m.text);
            return 2 + push_captures(&m, s, e, true);
        }
        if (anchored) {
            break;
        }
    }
    lua_pushnil(L);
    return 1;
}

int sg_lua_pattern_find(lua_State *L)
{
    return find_or_match(L, true);
}

int sg_lua_pattern_match(lua_State *L)
{
    return find_or_match(L, false);
}

/* Upvalues: text, pattern, offset to go on from, offset behind the last match or -1. */
static int gmatch_next(lua_State *L)
{
    size_t len;
    size_t pattern_len;
    const char *text = lua_tolstring(L, lua_upvalueindex(1), &len);
    const char *pattern = lua_tolstring(L, lua_upvalueindex(2), &pattern_len);
    size_t from = (size_t)lua_tointeger(L, lua_upvalueindex(3));
    lua_Integer last = lua_tointeger(L, lua_upvalueindex(4));
    sg_lua_matcher m;
    sg_lua_match_start(&m, L, text, len, pattern, pattern_len);
    for (; from <= len; from++) {
        const byte *e = sg_lua_match_at(&m, m.text + from, (const byte *)pattern);
        if (e != NULL && e - m.text != last) {
            lua_pushinteger(L, e - m.text);
            lua_copy(L, -1, lua_upvalueindex(3));
            lua_copy(L, -1, lua_upvalueindex(4));
            return push_captures(&m, m.text + from, e, false);
        }
    }
    lua_pushinteger(L, (lua_Integer)len + 1);
    lua_copy(L, -1, lua_upvalueindex(3));
    return 0;
}

int sg_lua_pattern_gmatch(lua_State *L)
{
    size_t len;
    luaL_checklstring(L, 1, &len);
    luaL_checkstring(L, 2);
    size_t init = start_offset(L, 3, len);
    lua_settop(L, 2);
    lua_pushinteger(L, (lua_Integer)init);
    lua_pushinteger(L, -1);
    lua_pushcclosure(L, gmatch_next, 4);
    return 1;
}

/* Adds the replacement string at index 3 with its %0 to %9 filled in. */
static void add_string(sg_lua_matcher *m, luaL_Buffer *b, const byte *s, const byte *e)
{
    lua_State *L = m->L;
    size_t len;
    const char *text = lua_tolstring(L, 3, &len);
    for (size_t i = 0; i < len; i++) {
        if (text[i] != '%') {
            luaL_addchar(b, text[i]);
            continue;
        }
        i++;
        if (i < len && text[i] == '%') {
            luaL_addchar(b, '%');
        } else if (i < len && text[i] == '0') {
            luaL_addlstring(b, (const char *)s, (size_t)(e - s));
        } else if (i < len && sg_is_digit((unsigned char)text[i])) {
            sg_lua_match_push(m, text[i] - '1', s, e);
            luaL_tolstring(L, -1, NULL);
            lua_remove(L, -2);
            luaL_addvalue(b);
        } else {
            luaL_error(L, "invalid use of '%%' in replacement string");
        }
    }
}

/* Adds what [s, e) is replaced by; true when it was replaced. */
static bool add_replacement(sg_lua_matcher *m, luaL_Buffer *b, const byte *s, const byte *e)
{
    lua_State *L = m->L;
    switch (lua_type(L, 3)) {
    case LUA_TFUNCTION:
        lua_pushvalue(L, 3);
        lua_call(L, push_captures(m, s, e, false), 1);
        break;
    case LUA_TTABLE:
        sg_lua_match_push(m, 0, s, e);
        sg_meter_charge_fields(L, 1);
        lua_gettable(L, 3);
        break;
    default:
        add_string(m, b, s, e);
        return true;
    }
    if (!lua_toboolean(L, -1)) {
        lua_pop(L, 1);
        luaL_addlstring(b, (const char *)s, (size_t)(e - s));
        return false;
    }
    if (!lua_isstring(L, -1)) {
        luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
    }
    luaL_addvalue(b);
    return true;
}

int sg_lua_pattern_gsub(lua_State *L)
{
    size_t len;
    size_t pattern_len;
    const char *text = luaL_checklstring(L, 1, &len);
    const char *pattern = luaL_checklstring(L, 2, &pattern_len);
    int kind = lua_type(L, 3);
    luaL_argexpected(L,
                     kind == LUA_TNUMBER || kind == LUA_TSTRING || kind == LUA_TFUNCTION ||
                         kind == LUA_TTABLE,
                     3, "string/function/table");
    lua_Integer most = luaL_optinteger(L, 4, (lua_Integer)len + 1);
    bool anchored = pattern_len > 0 && pattern[0] == '^';
    const byte *p = (const byte *)pattern + (anchored ? 1 : 0);
    sg_lua_matcher m;
    luaL_Buffer b;
    sg_lua_match_start(&m, L, text, len, pattern, pattern_len);
    luaL_buffinit(L, &b);
    const byte *s = m.text;
    const byte *last = NULL;
    lua_Integer count = 0;
    bool changed = false;
    while (count < most) {
        const byte *e = sg_lua_match_at(&m, s, p);
        if (e != NULL && e != last) {
            count++;
            changed = add_replacement(&m, &b, s, e) || changed;
            s = e;
            last = e;
        } else if (s < m.text_end) {
            luaL_addchar(&b, (char)*s);
            s++;
        } else {
            break;
        }
        if (anchored) {
            break;
        }
    }
    if (changed) {
        luaL_addlstring(&b, (const char *)s, (size_t)(m.text_end - s));
        luaL_pushresult(&b);
    } else {
        lua_pushvalue(L, 1);
    }
    lua_pushinteger(L, count);
    return 2;
}
