/* Matches Lua patterns by backtracking, one charged step at a time. */
#include "lua/lua_match.h"

#include <string.h>

#include <lauxlib.h>

#include "lua/lua_meter.h"

#define MAX_NESTING  200
#define CHARGE_EVERY 64

typedef unsigned char byte;

static void charge(sg_lua_matcher *m)
{
    int64_t due = m->steps;
    m->steps = 0;
    sg_meter_charge(m->L, due);
}

static void steps(sg_lua_matcher *m, size_t n)
{
    m->steps += 1 + (int64_t)n;
    if (m->steps >= CHARGE_EVERY) {
        charge(m);
    }
}

static void step(sg_lua_matcher *m)
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
    case 'z': /* not in the manual any more, but in Lua 5.4 */
        in = c == 0;
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
static const byte *item_end(sg_lua_matcher *m, const byte *p)
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

static bool item_matches(sg_lua_matcher *m, const byte *s, const byte *p, const byte *end)
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

static const byte *match_here(sg_lua_matcher *m, const byte *s, const byte *p);

static const byte *match_balanced(sg_lua_matcher *m, const byte *s, const byte *p)
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

static bool frontier(sg_lua_matcher *m, const byte *s, const byte *p, const byte *end)
{
    byte before = s == m->text ? 0 : s[-1];
    byte here = s == m->text_end ? 0 : *s;
    step(m);
    return !in_set(before, p, end) && in_set(here, p, end);
}

static const byte *match_reference(sg_lua_matcher *m, const byte *s, byte digit)
{
    int i = digit - '1';
    if (i < 0 || i >= m->ncaptures || m->captures[i].kind == SG_LUA_CAPTURE_OPEN) {
        luaL_error(m->L, "invalid capture index %%%d", i + 1);
    }
    const sg_lua_capture *c = &m->captures[i];
    size_t len = c->kind == SG_LUA_CAPTURE_TEXT ? c->len : 0;
    steps(m, len / 64);
    if (c->kind == SG_LUA_CAPTURE_POSITION || (size_t)(m->text_end - s) < len ||
        memcmp(c->begin, s, len) != 0) {
        return NULL;
    }
    return s + len;
}

static const byte *open_capture(sg_lua_matcher *m, const byte *s, const byte *p,
                                sg_lua_capture_kind kind)
{
    if (m->ncaptures == SG_LUA_MAX_CAPTURES) {
        luaL_error(m->L, "too many captures");
    }
    m->captures[m->ncaptures++] = (sg_lua_capture){kind, s, 0};
    const byte *end = match_here(m, s, p);
    if (end == NULL) {
        m->ncaptures--;
    }
    return end;
}

static const byte *close_capture(sg_lua_matcher *m, const byte *s, const byte *p)
{
    int i = m->ncaptures - 1;
    while (i >= 0 && m->captures[i].kind != SG_LUA_CAPTURE_OPEN) {
        i--;
    }
    if (i < 0) {
        luaL_error(m->L, "invalid pattern capture");
    }
    sg_lua_capture *c = &m->captures[i];
    c->kind = SG_LUA_CAPTURE_TEXT;
    c->len = (size_t)(s - c->begin);
    const byte *end = match_here(m, s, p);
    if (end == NULL) {
        c->kind = SG_LUA_CAPTURE_OPEN;
    }
    return end;
}

/* The item [p, end) `least` times or more, as many as possible, then the rest. */
static const byte *match_greedy(sg_lua_matcher *m, const byte *s, const byte *p, const byte *end,
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

static const byte *match_lazy(sg_lua_matcher *m, const byte *s, const byte *p, const byte *end)
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
static bool match_special(sg_lua_matcher *m, const byte *s, const byte *p, const byte **result,
                          const byte **next)
{
    *next = NULL;
    if (*p == '(') {
        bool position = p + 1 < m->pattern_end && p[1] == ')';
        *result = position ? open_capture(m, s, p + 2, SG_LUA_CAPTURE_POSITION)
                           : open_capture(m, s, p + 1, SG_LUA_CAPTURE_OPEN);
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

static const byte *match_items(sg_lua_matcher *m, const byte *s, const byte *p)
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

static const byte *match_here(sg_lua_matcher *m, const byte *s, const byte *p)
{
    if (++m->nesting > MAX_NESTING) {
        luaL_error(m->L, "pattern too complex");
    }
    const byte *end = match_items(m, s, p);
    m->nesting--;
    return end;
}

void sg_lua_match_start(sg_lua_matcher *m, lua_State *L, const char *text, size_t len,
                        const char *pattern, size_t pattern_len)
{
    *m = (sg_lua_matcher){0};
    m->L = L;
    m->text = (const byte *)text;
    m->text_end = m->text + len;
    m->pattern_end = (const byte *)pattern + pattern_len;
}

const byte *sg_lua_match_at(sg_lua_matcher *m, const byte *s, const byte *p)
{
    m->ncaptures = 0;
    m->nesting = 0;
    const byte *end = match_here(m, s, p);
    charge(m);
    return end;
}

void sg_lua_match_push(sg_lua_matcher *m, int i, const byte *s, const byte *e)
{
    if (i >= m->ncaptures) {
        if (i != 0) {
            luaL_error(m->L, "invalid capture index %%%d", i + 1);
        }
        lua_pushlstring(m->L, (const char *)s, (size_t)(e - s));
        return;
    }
    const sg_lua_capture *c = &m->captures[i];
    if (c->kind == SG_LUA_CAPTURE_OPEN) {
        luaL_error(m->L, "unfinished capture");
    }
    if (c->kind == SG_LUA_CAPTURE_POSITION) {
        lua_pushinteger(m->L, (c->begin - m->text) + 1);
    } else {
        lua_pushlstring(m->L, (const char *)c->begin, c->len);
    }
}
