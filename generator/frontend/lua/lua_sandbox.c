/* Builds the globals of a spec from lists of what is allowed. */
#include "frontend/lua/lua_sandbox.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <lauxlib.h>

#include "frontend/lua/lua_host.h"
#include "lua/lua_state.h"

const char *sg_lua_sandbox_text(lua_State *L, int index, size_t *len)
{
    int at = lua_absindex(L, index);
    if (luaL_callmeta(L, at, "__tostring")) {
        if (!lua_isstring(L, -1)) {
            luaL_error(L, "'__tostring' must return a string");
        }
        return lua_tolstring(L, -1, len);
    }
    switch (lua_type(L, at)) {
    case LUA_TNIL:
    case LUA_TBOOLEAN:
    case LUA_TNUMBER:
    case LUA_TSTRING:
        return luaL_tolstring(L, at, len);
    default:
        lua_pushstring(L, luaL_typename(L, at));
        return lua_tolstring(L, -1, len);
    }
}

static int base_tostring(lua_State *L)
{
    luaL_checkany(L, 1);
    sg_lua_sandbox_text(L, 1, NULL);
    return 1;
}

/* To standard error: standard output is the generated C. A line costs about what a terminal needs.
 */
static int base_print(lua_State *L)
{
    enum { PRICE = 1000 };
    int n = lua_gettop(L);
    sg_meter_charge(L, PRICE);
    for (int i = 1; i <= n; i++) {
        size_t len = 0;
        const char *text = sg_lua_sandbox_text(L, i, &len);
        sg_meter_charge(L, (int64_t)len);
        if (i > 1) {
            fputc('\t', stderr);
        }
        fwrite(text, 1, len, stderr);
        lua_pop(L, 1);
    }
    fputc('\n', stderr);
    return 0;
}

/* Calls what is on the stack with n arguments; an error that a spec may catch leaves its value. */
static bool call_protected(lua_State *L, int n)
{
    sg_lua_host *host = sg_lua_host_of(L);
    sg_lua_loading *loading = host->loading;
    bool ok = sg_meter_pcall(L, n);
    if (!ok) {
        host->loading = loading;
    }
    return ok;
}

static int base_pcall(lua_State *L)
{
    luaL_checkany(L, 1);
    bool ok = call_protected(L, lua_gettop(L) - 1);
    lua_pushboolean(L, ok);
    lua_insert(L, 1);
    return lua_gettop(L);
}

/* The handler runs when the stack is unwound, not before: an error raised by the hook would run it
 * with hooks off, out of reach of the budget. */
static int base_xpcall(lua_State *L)
{
    luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_pushvalue(L, 2);
    lua_pushvalue(L, 1);
    lua_replace(L, 2);
    lua_replace(L, 1);
    bool ok = call_protected(L, lua_gettop(L) - 2);
    if (!ok) {
        lua_pushvalue(L, 1);
        lua_insert(L, 2);
        lua_call(L, 1, LUA_MULTRET);
    }
    lua_pushboolean(L, ok);
    lua_replace(L, 1);
    return lua_gettop(L);
}

static int base_setmetatable(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_argexpected(L, lua_isnil(L, 2) || lua_istable(L, 2), 2, "nil or table");
    lua_settop(L, 2);
    if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL) {
        return luaL_error(L, "cannot change a protected metatable");
    }
    return sg_lua_library_setmetatable(L, "spec");
}

/* %p shows an address, and so does %s for a table or function. */
static int string_format(lua_State *L)
{
    size_t len;
    const char *format = luaL_checklstring(L, 1, &len);
    int argument = 1;
    for (size_t i = 0; i < len; i++) {
        if (format[i] != '%') {
            continue;
        }
        if (i + 1 < len && format[i + 1] == '%') {
            i++;
            continue;
        }
        argument++;
        i++;
        while (i < len && strchr("-+ #0123456789.", format[i]) != NULL && format[i] != '\0') {
            i++;
        }
        if (i < len && format[i] == 'p') {
            return luaL_error(L, "'%%p' is not available in a spec");
        }
        if (i < len && format[i] == 's' && argument <= lua_gettop(L) &&
            lua_type(L, argument) != LUA_TSTRING) {
            sg_lua_sandbox_text(L, argument, NULL);
            lua_replace(L, argument);
        }
    }
    return sg_lua_guard_format(L);
}

void sg_lua_sandbox_open(lua_State *L)
{
    static const sg_lua_function own[] = {{"assert", NULL},
                                          {"error", NULL},
                                          {"pcall", base_pcall},
                                          {"print", base_print},
                                          {"require", sg_lua_require},
                                          {"setmetatable", base_setmetatable},
                                          {"tostring", base_tostring},
                                          {"xpcall", base_xpcall},
                                          {NULL, NULL}};
    sg_lua_state_push_globals(L, SG_LUA_SPEC, own, string_format);
    lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
}
