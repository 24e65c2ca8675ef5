/* Lua's patterns, matched with every step charged to the budget: a pattern such as
 * "a*a*a*a*b" takes time without bound inside one call of Lua's own functions. Behaves as section
 * 6.4.1 of the Lua 5.4 manual says; classes are those of ASCII whatever the locale. */
#ifndef SG_LUA_LUA_MATCH_H
#define SG_LUA_LUA_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lua.h>

#define SG_LUA_MAX_CAPTURES 32

typedef enum sg_lua_capture_kind {
    SG_LUA_CAPTURE_OPEN, /* not closed yet */
    SG_LUA_CAPTURE_TEXT,
    SG_LUA_CAPTURE_POSITION
} sg_lua_capture_kind;

typedef struct sg_lua_capture {
    sg_lua_capture_kind kind;
    const unsigned char *begin;
    size_t len;
} sg_lua_capture;

typedef struct sg_lua_matcher {
    lua_State *L;
    const unsigned char *text; /* both belong to Lua and stay on its stack */
    const unsigned char *text_end;
    const unsigned char *pattern_end;
    sg_lua_capture captures[SG_LUA_MAX_CAPTURES];
    int ncaptures;
    int nesting;
    int64_t steps; /* not charged yet */
} sg_lua_matcher;

void sg_lua_match_start(sg_lua_matcher *m, lua_State *L, const char *text, size_t len,
                        const char *pattern, size_t pattern_len);

/* Matches the pattern from p on at s; the end of the match or NULL. Raises Lua errors about
 * malformed patterns and when the budget is spent. */
const unsigned char *sg_lua_match_at(sg_lua_matcher *m, const unsigned char *s,
                                     const unsigned char *p);

/* Pushes capture i; the whole match [s, e) when i is 0 and there are no captures. */
void sg_lua_match_push(sg_lua_matcher *m, int i, const unsigned char *s, const unsigned char *e);

#endif
