/* The pattern functions of `string`: find, match, gmatch, gsub. They match by backtracking and
 * charge each step to the budget; README.md says why. Patterns are those of section 6.4.1 of the
 * Lua 5.4 manual. */
#include "lua/lua_library.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include <lauxlib.h>

#include "lua/lua_meter.h"

#define MAX_CAPTURES 32
#define MAX_NESTING  200
#define CHARGE_EVERY 64

/* In place of the length of a capture. */
#define OPEN     (-1)
#define POSITION (-2)

typedef unsigned char byte;

typedef struct capture {
    const byte *begin;
    ptrdiff_t len;
} capture;

typedef struct matcher {
    lua_State *L;
    const byte *text; /* both belong to Lua and are on its stack */
    const byte *text_end;
    const byte *pattern; /* after the '^' of an anchored pattern */
    const byte *pattern_end;
    bool anchored;
    capture captures[MAX_CAPTURES];
    int ncaptures;
    int nesting;
    int64_t steps; /* not yet charged */
} matcher;

static void charge(matcher *m)
{
    const int64_t due = m->steps;
    m->steps = 0;
    sg_meter_charge(m->L, due);
}

static void step(matcher *m, size_t more)
{
    m->steps += 1 + (int64_t)more;
    if (m->steps >= CHARGE_EVERY) {
        charge(m);
    }
}

/* --- single characters ------------------------------------------------------------------------ */

static int is_zero(int c)
{
    return c == 0;
}

/* The program never calls setlocale, so the classes are those of ASCII. */
static bool in_class(byte c, byte letter)
{
    static const struct {
        char letter;
        int (*holds)(int);
    } classes[] = {{'a', isalpha}, {'c', iscntrl},  {'d', isdigit}, {'g', isgraph},
                   {'l', islower}, {'p', ispunct},  {'s', isspace}, {'u', isupper},
                   {'w', isalnum}, {'x', isxdigit}, {'z', is_zero}};
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; ++i) {
        if (classes[i].letter == tolower(letter)) {
            return (classes[i].holds(c) != 0) != (isupper(letter) != 0);
        }
    }
    return c == letter; /* an escaped character */
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
    if (*p++ != '[') {
        return p;
    }
    p += p < m->pattern_end && *p == '^' ? 1 : 0;
    /* a ']' at the beginning is a member of the set */
    do {
        if (p < m->pattern_end) {
            p += *p == '%' ? 2 : 1;
        }
        if (p >= m->pattern_end) {
            luaL_error(m->L, "malformed pattern (missing ']')");
        }
    } while (*p != ']');
    return p + 1;
}

/* Whether c is in the set [p, end), which includes the brackets. */
static bool in_set(byte c, const byte *p, const byte *end)
{
    const byte *close = end - 1;
    const bool negated = p[1] == '^';
    for (p += negated ? 2 : 1; p < close; p++) {
        bool in = *p == c;
        if (*p == '%') {
            in = in_class(c, *++p);
        } else if (p + 2 < close && p[1] == '-') {
            in = p[0] <= c && c <= p[2];
            p += 2;
        }
        if (in) {
            return !negated;
        }
    }
    return negated;
}

static bool item_matches(matcher *m, const byte *s, const byte *p, const byte *end)
{
    step(m, (size_t)(end - p) / 8); /* includes the work of item_end */
    if (s == m->text_end) {
        return false;
    }
    switch (*p) {
    case '.':
        return true;
    case '%':
        return in_class(*s, p[1]);
    case '[':
        return in_set(*s, p, end);
    default:
        return *p == *s;
    }
}

/* --- matching --------------------------------------------------------------------------------- */

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
        step(m, 0);
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

/* Matches %f at s; moves *p past its set. */
static bool frontier(matcher *m, const byte *s, const byte **p)
{
    const byte *set = *p;
    if (set == m->pattern_end || *set != '[') {
        luaL_error(m->L, "missing '[' after '%%f' in pattern");
    }
    *p = item_end(m, set);
    step(m, (size_t)(*p - set) / 4);
    return !in_set(s == m->text ? 0 : s[-1], set, *p) && in_set(s == m->text_end ? 0 : *s, set, *p);
}

static const byte *match_reference(matcher *m, const byte *s, byte digit)
{
    const int i = digit - '1';
    if (i < 0 || i >= m->ncaptures || m->captures[i].len == OPEN) {
        luaL_error(m->L, "invalid capture index %%%d", i + 1);
    }
    const capture *c = &m->captures[i];
    const size_t len = (size_t)c->len;
    if (c->len == POSITION || (size_t)(m->text_end - s) < len) {
        return NULL;
    }
    step(m, len / 64);
    return memcmp(c->begin, s, len) == 0 ? s + len : NULL;
}

/* Called after a '('; a ')' right after it makes a position capture. */
static const byte *open_capture(matcher *m, const byte *s, const byte *p)
{
    if (m->ncaptures == MAX_CAPTURES) {
        luaL_error(m->L, "too many captures");
    }
    const bool position = p < m->pattern_end && *p == ')';
    m->captures[m->ncaptures++] = (capture){s, position ? POSITION : OPEN};
    const byte *end = match_here(m, s, position ? p + 1 : p);
    m->ncaptures -= end == NULL ? 1 : 0;
    return end;
}

static const byte *close_capture(matcher *m, const byte *s, const byte *p)
{
    int i = m->ncaptures - 1;
    while (i >= 0 && m->captures[i].len != OPEN) {
        i--;
    }
    if (i < 0) {
        luaL_error(m->L, "invalid pattern capture");
    }
    m->captures[i].len = s - m->captures[i].begin;
    const byte *end = match_here(m, s, p);
    if (end == NULL) {
        m->captures[i].len = OPEN;
    }
    return end;
}

/* Matches the item [p, end) as often as possible, at least `least` times, then the rest. */
static const byte *match_greedy(matcher *m, const byte *s, const byte *p, const byte *end,
                                ptrdiff_t least)
{
    ptrdiff_t n = 0;
    while (item_matches(m, s + n, p, end)) {
        n++;
    }
    const byte *found = NULL;
    for (; found == NULL && n >= least; n--) {
        found = match_here(m, s + n, end + 1);
    }
    return found;
}

static const byte *match_lazy(matcher *m, const byte *s, const byte *p, const byte *end)
{
    const byte *found = match_here(m, s, end + 1);
    while (found == NULL && item_matches(m, s, p, end)) {
        found = match_here(m, ++s, end + 1);
    }
    return found;
}

/* Matches %b, %f or %1 at *p and moves *p past it. False: it is none of these. */
static bool match_special(matcher *m, const byte **s, const byte **p)
{
    const byte *at = *p + 2;
    if (**p != '%' || at > m->pattern_end) {
        return false;
    }
    if (at[-1] == 'b') {
        *s = match_balanced(m, *s, at);
        at += 2;
    } else if (at[-1] == 'f') {
        *s = frontier(m, *s, &at) ? *s : NULL;
    } else if (isdigit(at[-1])) {
        *s = match_reference(m, *s, at[-1]);
    } else {
        return false;
    }
    *p = at;
    return true;
}

static const byte *match_items(matcher *m, const byte *s, const byte *p)
{
    while (s != NULL && p != m->pattern_end) {
        step(m, 0);
        if (*p == '(') {
            return open_capture(m, s, p + 1);
        }
        if (*p == ')') {
            return close_capture(m, s, p + 1);
        }
        if (*p == '$' && p + 1 == m->pattern_end) {
            return s == m->text_end ? s : NULL;
        }
        if (match_special(m, &s, &p)) {
            continue;
        }
        const byte *end = item_end(m, p);
        const byte *found = NULL;
        switch (end < m->pattern_end ? *end : 0) {
        case '*':
            return match_greedy(m, s, p, end, 0);
        case '+':
            return match_greedy(m, s, p, end, 1);
        case '-':
            return match_lazy(m, s, p, end);
        case '?':
            found = item_matches(m, s, p, end) ? match_here(m, s + 1, end + 1) : NULL;
            if (found != NULL) {
                return found;
            }
            p = end + 1;
            break;
        default:
            s = item_matches(m, s, p, end) ? s + 1 : NULL;
            p = end;
            break;
        }
    }
    return s;
}

/* Matches the pattern from p on at s. Returns the end of the match, or NULL. */
static const byte *match_here(matcher *m, const byte *s, const byte *p)
{
    if (++m->nesting > MAX_NESTING) {
        luaL_error(m->L, "pattern too complex");
    }
    step(m, 0);
    s = match_items(m, s, p);
    m->nesting--;
    return s;
}

/* The end of the first match at or after *s that does not end at `last`; *s receives its
 * beginning. */
static const byte *search(matcher *m, const byte **s, const byte *last)
{
    const byte *end = NULL;
    for (; end == NULL && *s <= m->text_end; *s += end == NULL ? 1 : 0) {
        m->ncaptures = 0;
        m->nesting = 0;
        end = match_here(m, *s, m->pattern);
        end = end == last ? NULL : end;
        if (m->anchored) {
            break;
        }
    }
    charge(m);
    return end;
}

/* --- functions for Lua ------------------------------------------------------------------------ */

/* A matcher for the text and the pattern at these stack indices. */
static matcher start(lua_State *L, int text, int pattern, bool may_be_anchored)
{
    matcher m = {.L = L};
    size_t len = 0;
    size_t pattern_len = 0;
    m.text = (const byte *)luaL_checklstring(L, text, &len);
    m.text_end = m.text + len;
    m.pattern = (const byte *)luaL_checklstring(L, pattern, &pattern_len);
    m.pattern_end = m.pattern + pattern_len;
    m.anchored = may_be_anchored && pattern_len > 0 && *m.pattern == '^';
    m.pattern += m.anchored ? 1 : 0;
    return m;
}

/* Pushes capture i; the full match [s, e) if i is 0 and there are no captures. */
static void push_capture(const matcher *m, int i, const byte *s, const byte *e)
{
    if (i > 0 && i >= m->ncaptures) {
        luaL_error(m->L, "invalid capture index %%%d", i + 1);
    }
    const capture c = i < m->ncaptures ? m->captures[i] : (capture){s, e - s};
    if (c.len == OPEN) {
        luaL_error(m->L, "unfinished capture");
    }
    if (c.len == POSITION) {
        lua_pushinteger(m->L, c.begin - m->text + 1);
    } else {
        lua_pushlstring(m->L, (const char *)c.begin, (size_t)c.len);
    }
}

/* Without captures the full match is pushed, unless `bare`. */
static int push_captures(const matcher *m, const byte *s, const byte *e, bool bare)
{
    const int n = m->ncaptures == 0 && !bare ? 1 : m->ncaptures;
    luaL_checkstack(m->L, n, "too many captures");
    for (int i = 0; i < n; i++) {
        push_capture(m, i, s, e);
    }
    return n;
}

/* The start position given by an optional argument, which may count from the end; NULL: past the
 * end. */
static const byte *start_at(const matcher *m, int index)
{
    const lua_Integer len = m->text_end - m->text;
    const lua_Integer at = luaL_optinteger(m->L, index, 1);
    const lua_Integer offset = at > 0 ? at - 1 : at == 0 || at < -len ? 0 : len + at;
    return offset <= len ? m->text + offset : NULL;
}

/* The first occurrence of the word at or after `text`. */
static const byte *find_plain(lua_State *L, const byte *text, const byte *end, const byte *word,
                              size_t len)
{
    while ((size_t)(end - text) >= len) {
        const byte *at = len == 0 ? text : memchr(text, word[0], (size_t)(end - text) - len + 1);
        sg_meter_charge_bytes(L, (size_t)((at != NULL ? at : end) - text));
        if (at == NULL || memcmp(at, word, len) == 0) {
            return at;
        }
        sg_meter_charge(L, 1);
        sg_meter_charge_bytes(L, len);
        text = at + 1;
    }
    return NULL;
}

static bool is_plain(const byte *pattern, size_t len)
{
    static const char special[] = {'^', '$', '*', '+', '?', '.', '(', '[', '%', '-'};
    while (len > 0 && memchr(special, pattern[len - 1], sizeof special) == NULL) {
        len--;
    }
    return len == 0;
}

static int find_or_match(lua_State *L, bool find)
{
    matcher m = start(L, 1, 2, true);
    const byte *s = start_at(&m, 3);
    const byte *pattern = m.pattern - (m.anchored ? 1 : 0);
    const size_t len = (size_t)(m.pattern_end - pattern);
    sg_meter_charge(L, (int64_t)(len / 4)); /* is_plain looks at each byte */
    const byte *e = NULL;
    if (s != NULL && find && (lua_toboolean(L, 4) || is_plain(pattern, len))) {
        s = find_plain(L, s, m.text_end, pattern, len);
        e = s != NULL ? s + len : NULL;
    } else if (s != NULL) {
        e = search(&m, &s, NULL);
    }
    if (e == NULL) {
        lua_pushnil(L);
        return 1;
    }
    if (!find) {
        return push_captures(&m, s, e, false);
    }
    lua_pushinteger(L, s - m.text + 1);
    lua_pushinteger(L, e - m.text);
    return 2 + push_captures(&m, s, e, true);
}

int sg_lua_pattern_find(lua_State *L)
{
    return find_or_match(L, true);
}

int sg_lua_pattern_match(lua_State *L)
{
    return find_or_match(L, false);
}

/* Upvalues: text, pattern, offset of the next search, offset of the end of the last match or -1. */
static int gmatch_next(lua_State *L)
{
    matcher m = start(L, lua_upvalueindex(1), lua_upvalueindex(2), false);
    const lua_Integer last = lua_tointeger(L, lua_upvalueindex(4));
    const byte *s = m.text + lua_tointeger(L, lua_upvalueindex(3));
    const byte *e = search(&m, &s, last >= 0 ? m.text + last : NULL);
    lua_pushinteger(L, (e != NULL ? e : m.text_end + 1) - m.text);
    lua_copy(L, -1, lua_upvalueindex(3));
    lua_copy(L, -1, lua_upvalueindex(4));
    return e != NULL ? push_captures(&m, s, e, false) : 0;
}

int sg_lua_pattern_gmatch(lua_State *L)
{
    const matcher m = start(L, 1, 2, false);
    const byte *s = start_at(&m, 3);
    lua_settop(L, 2);
    lua_pushinteger(L, (s != NULL ? s : m.text_end + 1) - m.text);
    lua_pushinteger(L, -1);
    lua_pushcclosure(L, gmatch_next, 4);
    return 1;
}

/* Adds the replacement string at index 3 with %0 to %9 expanded. */
static void add_string(const matcher *m, luaL_Buffer *b, const byte *s, const byte *e)
{
    size_t len = 0;
    const char *text = lua_tolstring(m->L, 3, &len);
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
            luaL_addvalue(b);
        } else {
            luaL_error(m->L, "invalid use of '%%' in replacement string");
        }
    }
}

/* Adds the replacement of the match [s, e). False: the match is kept unchanged. */
static bool add_replacement(const matcher *m, luaL_Buffer *b, const byte *s, const byte *e)
{
    lua_State *L = m->L;
    switch (lua_type(L, 3)) {
    case LUA_TFUNCTION:
        lua_pushvalue(L, 3);
        lua_call(L, push_captures(m, s, e, false), 1);
        break;
    case LUA_TTABLE:
        push_capture(m, 0, s, e);
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
    matcher m = start(L, 1, 2, true);
    const int kind = lua_type(L, 3);
    luaL_argexpected(L,
                     kind == LUA_TNUMBER || kind == LUA_TSTRING || kind == LUA_TFUNCTION ||
                         kind == LUA_TTABLE,
                     3, "string/function/table");
    const lua_Integer most = luaL_optinteger(L, 4, m.text_end - m.text + 1);
    luaL_Buffer b;
    luaL_buffinit(L, &b);
    const byte *done = m.text; /* the text before this is in the buffer */
    const byte *s = m.text;
    const byte *e = NULL;
    lua_Integer count = 0;
    bool changed = false;
    while (count < most && (e = search(&m, &s, e)) != NULL) {
        count++;
        luaL_addlstring(&b, (const char *)done, (size_t)(s - done));
        changed = add_replacement(&m, &b, s, e) || changed;
        s = e;
        done = e;
        if (m.anchored) {
            break;
        }
    }
    if (changed) {
        luaL_addlstring(&b, (const char *)done, (size_t)(m.text_end - done));
        luaL_pushresult(&b);
    } else {
        lua_pushvalue(L, 1);
    }
    lua_pushinteger(L, count);
    return 2;
}
