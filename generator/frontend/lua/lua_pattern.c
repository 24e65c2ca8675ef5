/* The pattern functions of `string`, matched here because every step must be charged: a pattern
 * such as "a*a*a*a*b" takes time without bound inside one call of Lua's own. Behaves as section
 * 6.4.1 of the Lua 5.4 manual says; classes are those of ASCII whatever the locale. */
#include "frontend/lua/lua_sandbox.h"

#include <stdint.h>
#include <string.h>

#include <lauxlib.h>

#include "frontend/lua/lua_host.h"

#define MAX_CAPTURES 32
#define MAX_NESTING  180
#define CHARGE_EVERY 1024

typedef unsigned char byte;

typedef enum capture_kind { CAPTURE_OPEN, CAPTURE_TEXT, CAPTURE_POSITION } capture_kind;

typedef struct capture {
    capture_kind kind;
    const byte *begin;
    size_t len;
} capture;

typedef struct matcher {
    lua_State *L;
    const byte *text;
    const byte *text_end;
    const byte *pattern_end;
    capture captures[MAX_CAPTURES];
    int ncaptures;
    int nesting;
    int64_t steps; /* not charged yet */
} matcher;

static void steps(matcher *m, size_t n)
{
    m->steps += 1 + (int64_t)n;
    if (m->steps >= CHARGE_EVERY) {
        int64_t due = m->steps;
        m->steps = 0;
        sg_lua_host_charge(m->L, due);
    }
}

static void step(matcher *m)
{
    steps(m, 0);
}

static bool in_class(byte c, byte letter)
{
    bool lower = c >= 'a' && c <= 'z';
    bool upper = c >= 'A' && c <= 'Z';
    bool digit = c >= '0' && c <= '9';
    bool graph = c > 32 && c < 127;
    bool in;
    switch (letter | 0x20) {
    case 'a':
        in = lower || upper;
        break;
    case 'c':
        in = c < 32 || c == 127;
        break;
    case 'd':
        in = digit;
        break;
    case 'g':
        in = graph;
        break;
    case 'l':
        in = lower;
        break;
    case 'p':
        in = graph && !lower && !upper && !digit;
        break;
    case 's':
        in = c == ' ' || (c >= 9 && c <= 13);
        break;
    case 'u':
        in = upper;
        break;
    case 'w':
        in = lower || upper || digit;
        break;
    case 'x':
        in = digit || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
        break;
    default:
        return c == letter; /* an escaped character */
    }
    bool negated = letter >= 'A' && letter <= 'Z';
    return in != negated;
}

/* The end of the single character or set at p. */
static const byte *item_end(matcher *m, const byte *p)
{
    if (*p == '%') {
        if (p + 1 == m->pattern_end) {
            luaL_error(m->L, "malformed pattern (ends with '%%')");
        }
        return p + 2;
    }
    if (*p != '[') {
        return p + 1;
    }
    p++;
    if (p < m->pattern_end && *p == '^') {
        p++;
    }
    /* A ']' that comes first is a member. */
    do {
        if (p == m->pattern_end) {
            luaL_error(m->L, "malformed pattern (missing ']')");
        }
        if (*p++ == '%') {
            p++;
        }
        if (p > m->pattern_end) {
            luaL_error(m->L, "malformed pattern (missing ']')");
        }
    } while (p == m->pattern_end || *p != ']');
    return p + 1;
}

/* Is c in the set [p, end), brackets included? */
static bool in_set(byte c, const byte *p, const byte *end)
{
    const byte *close = end - 1;
    bool negated = p[1] == '^';
    for (p += negated ? 2 : 1; p < close; p++) {
        if (*p == '%') {
            p++;
            if (in_class(c, *p)) {
                return !negated;
            }
        } else if (p + 2 < close && p[1] == '-') {
            if (p[0] <= c && c <= p[2]) {
                return !negated;
            }
            p += 2;
        } else if (*p == c) {
            return !negated;
        }
    }
    return negated;
}

static bool item_matches(matcher *m, const byte *s, const byte *p, const byte *end)
{
    step(m);
    if (s == m->text_end) {
        return false;
    }
    switch (*p) {
    case '.':
        return true;
    case '%':
        return in_class(*s, p[1]);
    case '[':
        steps(m, (size_t)(end - p) / 8); /* for item_end as well */
        return in_set(*s, p, end);
    default:
        return *p == *s;
    }
}

static const byte *match_here(matcher *m, const byte *s, const byte *p);

static const byte *match_balanced(matcher *m, const byte *s, const byte *p)
{
    if (p + 1 >= m->pattern_end) {
        luaL_error(m->L, "malformed pattern (missing arguments to '%%b')");
    }
    if (s == m->text_end || *s != p[0]) {
        return NULL;
    }
    int64_t depth = 1;
    for (s++; s < m->text_end; s++) {
        step(m);
        if (*s == p[1]) {
            if (--depth == 0) {
                return s + 1;
            }
        } else if (*s == p[0]) {
            depth++;
        }
    }
    return NULL;
}

static bool frontier(matcher *m, const byte *s, const byte *p, const byte *end)
{
    byte before = s == m->text ? 0 : s[-1];
    byte here = s == m->text_end ? 0 : *s;
    step(m);
    return !in_set(before, p, end) && in_set(here, p, end);
}

static const byte *match_reference(matcher *m, const byte *s, byte digit)
{
    int i = digit - '1';
    if (i < 0 || i >= m->ncaptures || m->captures[i].kind == CAPTURE_OPEN) {
        luaL_error(m->L, "invalid capture index %%%d", i + 1);
    }
    const capture *c = &m->captures[i];
    size_t len = c->kind == CAPTURE_TEXT ? c->len : 0;
    steps(m, len / 64);
    if (c->kind == CAPTURE_POSITION || (size_t)(m->text_end - s) < len ||
        memcmp(c->begin, s, len) != 0) {
        return NULL;
    }
    return s + len;
}

static const byte *open_capture(matcher *m, const byte *s, const byte *p, capture_kind kind)
{
    if (m->ncaptures == MAX_CAPTURES) {
        luaL_error(m->L, "too many captures");
    }
    m->captures[m->ncaptures++] = (capture){kind, s, 0};
    const byte *end = match_here(m, s, p);
    if (end == NULL) {
        m->ncaptures--;
    }
    return end;
}

static const byte *close_capture(matcher *m, const byte *s, const byte *p)
{
    int i = m->ncaptures - 1;
    while (i >= 0 && m->captures[i].kind != CAPTURE_OPEN) {
        i--;
    }
    if (i < 0) {
        luaL_error(m->L, "invalid pattern capture");
    }
    capture *c = &m->captures[i];
    c->kind = CAPTURE_TEXT;
    c->len = (size_t)(s - c->begin);
    const byte *end = match_here(m, s, p);
    if (end == NULL) {
        c->kind = CAPTURE_OPEN;
    }
    return end;
}

/* The item [p, end) `least` times or more, as many as possible, then the rest. */
static const byte *match_greedy(matcher *m, const byte *s, const byte *p, const byte *end,
                                size_t least)
{
    size_t n = 0;
    while (item_matches(m, s + n, p, end)) {
        n++;
    }
    for (; n + 1 > least; n--) {
        const byte *found = match_here(m, s + n, end + 1);
        if (found != NULL) {
            return found;
        }
        if (n == 0) {
            break;
        }
    }
    return NULL;
}

static const byte *match_lazy(matcher *m, const byte *s, const byte *p, const byte *end)
{
    for (;;) {
        const byte *found = match_here(m, s, end + 1);
        if (found != NULL) {
            return found;
        }
        if (!item_matches(m, s, p, end)) {
            return NULL;
        }
        s++;
    }
}

/* What is not a plain item: captures, %b, %f, %1. False: it is a plain item. */
static bool match_special(matcher *m, const byte *s, const byte *p, const byte **result,
                          const byte **next)
{
    *next = NULL;
    if (*p == '(') {
        bool position = p + 1 < m->pattern_end && p[1] == ')';
        *result = position ? open_capture(m, s, p + 2, CAPTURE_POSITION)
                           : open_capture(m, s, p + 1, CAPTURE_OPEN);
        return true;
    }
    if (*p == ')') {
        *result = close_capture(m, s, p + 1);
        return true;
    }
    if (*p != '%' || p + 1 == m->pattern_end) {
        return false;
    }
    if (p[1] == 'b') {
        *result = match_balanced(m, s, p + 2);
        *next = p + 4;
        return true;
    }
    if (p[1] == 'f') {
        const byte *set = p + 2;
        if (set >= m->pattern_end || *set != '[') {
            luaL_error(m->L, "missing '[' after '%%f' in pattern");
        }
        const byte *end = item_end(m, set);
        *result = frontier(m, s, set, end) ? s : NULL;
        *next = end;
        return true;
    }
    if (p[1] >= '0' && p[1] <= '9') {
        *result = match_reference(m, s, p[1]);
        *next = p + 2;
        return true;
    }
    return false;
}

static const byte *match_items(matcher *m, const byte *s, const byte *p)
{
    for (;;) {
        const byte *result;
        const byte *next;
        step(m);
        if (p == m->pattern_end) {
            return s;
        }
        if (*p == '$' && p + 1 == m->pattern_end) {
            return s == m->text_end ? s : NULL;
        }
        if (match_special(m, s, p, &result, &next)) {
            if (result == NULL || next == NULL) {
                return result;
            }
            s = result;
            p = next;
            continue;
        }
        const byte *end = item_end(m, p);
        byte suffix = end < m->pattern_end ? *end : 0;
        if (suffix == '*') {
            return match_greedy(m, s, p, end, 0);
        }
        if (suffix == '+') {
            return match_greedy(m, s, p, end, 1);
        }
        if (suffix == '-') {
            return match_lazy(m, s, p, end);
        }
        bool here = item_matches(m, s, p, end);
        if (suffix == '?') {
            if (here) {
                const byte *found = match_here(m, s + 1, end + 1);
                if (found != NULL) {
                    return found;
                }
            }
            p = end + 1;
            continue;
        }
        if (!here) {
            return NULL;
        }
        s++;
        p = end;
    }
}

static const byte *match_here(matcher *m, const byte *s, const byte *p)
{
    if (++m->nesting > MAX_NESTING) {
        luaL_error(m->L, "pattern too complex");
    }
    const byte *end = match_items(m, s, p);
    m->nesting--;
    return end;
}

/* --- what Lua sees --- */

static void start(matcher *m, lua_State *L, const char *text, size_t len, const char *pattern,
                  size_t pattern_len)
{
    *m = (matcher){0};
    m->L = L;
    m->text = (const byte *)text;
    m->text_end = m->text + len;
    m->pattern_end = (const byte *)pattern + pattern_len;
}

static const byte *try_at(matcher *m, const byte *s, const byte *p)
{
    m->ncaptures = 0;
    m->nesting = 0;
    return match_here(m, s, p);
}

/* Pushes capture i; the whole match [s, e) when i is 0 and there are no captures. */
static void push_capture(matcher *m, int i, const byte *s, const byte *e)
{
    if (i >= m->ncaptures) {
        if (i != 0) {
            luaL_error(m->L, "invalid capture index %%%d", i + 1);
        }
        lua_pushlstring(m->L, (const char *)s, (size_t)(e - s));
        return;
    }
    const capture *c = &m->captures[i];
    if (c->kind == CAPTURE_OPEN) {
        luaL_error(m->L, "unfinished capture");
    }
    if (c->kind == CAPTURE_POSITION) {
        lua_pushinteger(m->L, (c->begin - m->text) + 1);
    } else {
        lua_pushlstring(m->L, (const char *)c->begin, c->len);
    }
}

/* With no captures the whole match is the one value, unless `bare`. */
static int push_captures(matcher *m, const byte *s, const byte *e, bool bare)
{
    int n = m->ncaptures == 0 && !bare ? 1 : m->ncaptures;
    luaL_checkstack(m->L, n, "too many captures");
    for (int i = 0; i < n; i++) {
        push_capture(m, i, s, e);
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
        if (at == NULL) {
            return NULL;
        }
        if (word_len == 0 || memcmp(at, word, word_len) == 0) {
            return at;
        }
        sg_lua_host_charge(L, 1 + (int64_t)(word_len / 16));
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
    matcher m;
    start(&m, L, text, len, pattern, pattern_len);
    const byte *p = (const byte *)pattern;
    bool anchored = pattern_len > 0 && *p == '^';
    p += anchored ? 1 : 0;
    for (const byte *s = m.text + init; s <= m.text_end; s++) {
        const byte *e = try_at(&m, s, p);
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
    matcher m;
    start(&m, L, text, len, pattern, pattern_len);
    for (; from <= len; from++) {
        const byte *e = try_at(&m, m.text + from, (const byte *)pattern);
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
static void add_string(matcher *m, luaL_Buffer *b, const byte *s, const byte *e)
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
            push_capture(m, text[i] - '1', s, e);
            luaL_tolstring(L, -1, NULL);
            lua_remove(L, -2);
            luaL_addvalue(b);
        } else {
            luaL_error(L, "invalid use of '%%' in replacement string");
        }
    }
}

/* Adds what [s, e) is replaced by; true when it was replaced. */
static bool add_replacement(matcher *m, luaL_Buffer *b, const byte *s, const byte *e)
{
    lua_State *L = m->L;
    switch (lua_type(L, 3)) {
    case LUA_TFUNCTION:
        lua_pushvalue(L, 3);
        lua_call(L, push_captures(m, s, e, false), 1);
        break;
    case LUA_TTABLE:
        push_capture(m, 0, s, e);
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
    matcher m;
    luaL_Buffer b;
    start(&m, L, text, len, pattern, pattern_len);
    luaL_buffinit(L, &b);
    const byte *s = m.text;
    const byte *last = NULL;
    lua_Integer count = 0;
    bool changed = false;
    while (count < most) {
        const byte *e = try_at(&m, s, p);
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
