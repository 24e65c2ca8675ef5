/* Inspects Lua's call stack for diagnostics, without changing it. */
#include "frontend/lua/lua_frame.h"

#include <string.h>

#include <lauxlib.h>

#include "frontend/lua/lua_host.h"

/* Registry key of a table: place of a call -> the last op it made. */
static const char *const calls_key = "splitgen calls";

/* The subject of the op that the same call made last. */
typedef struct last_op {
    sg_subject *subject;
} last_op;

/* Numbers the ops that one call makes. The address of the call's first byte in the text, which does
 * not move, identifies it. */
static void count_turn(lua_State *L, sg_span call, sg_subject *subject)
{
    subject->turn = 1;
    if (call.source == NULL) {
        return;
    }
    luaL_getsubtable(L, LUA_REGISTRYINDEX, calls_key);
    const void *key = call.source->text + call.begin;
    if (lua_rawgetp(L, -1, key) == LUA_TUSERDATA) {
        last_op *last = lua_touserdata(L, -1);
        subject->turn = last->subject->turn + 1;
        subject->unclear = true;
        last->subject->unclear = true;
        last->subject = subject;
        lua_pop(L, 2);
        return;
    }
    lua_pop(L, 1);
    last_op *last = lua_newuserdatauv(L, sizeof *last, 0);
    last->subject = subject;
    lua_rawsetp(L, -2, key);
    lua_pop(L, 1);
}

void sg_lua_frame_callers(lua_State *L, sg_subject *subject)
{
    enum { MOST_CALLERS = 4 };
    sg_lua_host *host = sg_lua_host_of(L);
    sg_caller callers[MOST_CALLERS];
    size_t count = 0;
    int level = 0;
    lua_Debug ar;
    sg_lua_place place;
    if (!sg_lua_host_frame(L, &level, &ar, &place)) {
        return;
    }
    bool file = strcmp(ar.what, "main") == 0;
    while (count < MOST_CALLERS && sg_lua_host_frame(L, &level, &ar, &place)) {
        callers[count++] = (sg_caller){sg_lua_host_line(host, place),
                                       file ? "required from here" : "called from here"};
        file = strcmp(ar.what, "main") == 0;
    }
    if (count > 0) {
        sg_caller *kept = SG_NEW_ARRAY(host->arena, sg_caller, (int64_t)count);
        memcpy(kept, callers, count * sizeof kept[0]);
        subject->callers = kept;
        subject->ncallers = count;
        subject->unclear = true;
    }
}

void sg_lua_frame_trace(lua_State *L, sg_span call, sg_subject *subject)
{
    count_turn(L, call, subject);
    sg_lua_frame_callers(L, subject);
}

bool sg_lua_frame_undefined(lua_State *L, sg_str name)
{
    lua_Debug ar;
    sg_lua_place place;
    int level = 0;
    if (sg_str_eqz(name, "nil") || !sg_lua_host_frame(L, &level, &ar, &place)) {
        return false;
    }
    luaL_checkstack(L, 4, NULL);
    const char *known;
    for (int n = 1; (known = lua_getlocal(L, &ar, n)) != NULL; n++) {
        lua_pop(L, 1);
        if (sg_str_eqz(name, known)) {
            return false;
        }
    }
    bool found = false;
    lua_getinfo(L, "f", &ar);
    for (int n = 1; !found && (known = lua_getupvalue(L, -1, n)) != NULL; n++) {
        lua_pop(L, 1);
        found = sg_str_eqz(name, known);
    }
    lua_pushglobaltable(L);
    lua_pushlstring(L, name.ptr, name.len);
    found = lua_rawget(L, -2) != LUA_TNIL || found;
    lua_pop(L, 3);
    return !found;
}
