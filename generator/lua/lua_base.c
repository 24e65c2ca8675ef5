/* Functions of Lua's base library, and string.format, made safe for untrusted texts. */
#include <string.h>

#include <lauxlib.h>

#include "lua/lua_library.h"
#include "lua/lua_meter.h"

const char *sg_lua_base_text(lua_State *L, int index, size_t *len)
{
    const int at = lua_absindex(L, index);
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

int sg_lua_base_tostring(lua_State *L)
{
    luaL_checkany(L, 1);
    sg_lua_base_text(L, 1, NULL);
    return 1;
}

int sg_lua_base_pcall(lua_State *L)
{
    luaL_checkany(L, 1);
    lua_pushboolean(L, sg_meter_pcall(L, lua_gettop(L) - 1));
    lua_insert(L, 1);
    return lua_gettop(L);
}

/* The handler runs after the stack is unwound, not before: for an error raised by the hook it would
 * run with hooks off, where nothing is counted. */
int sg_lua_base_xpcall(lua_State *L)
{
    luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_pushvalue(L, 2);
    lua_pushvalue(L, 1);
    lua_replace(L, 2);
    lua_replace(L, 1);
    const bool ok = sg_meter_pcall(L, lua_gettop(L) - 2);
    if (!ok) {
        lua_pushvalue(L, 1);
        lua_insert(L, 2);
        lua_call(L, 1, LUA_MULTRET);
    }
    lua_pushboolean(L, ok);
    lua_replace(L, 1);
    return lua_gettop(L);
}

/* Rejects finalizers, which run where no hook counts; weak tables, whose contents depend on when
 * garbage is collected; and `__concat`, see lua_state.c on events. */
int sg_lua_base_setmetatable(lua_State *L)
{
    static const char *const refused[] = {"__gc", "__mode", "__concat"};
    const char *guest = sg_meter_of(L)->guest;
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_argexpected(L, lua_isnil(L, 2) || lua_istable(L, 2), 2, "nil or table");
    lua_settop(L, 2);
    if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL) {
        return luaL_error(L, "cannot change a protected metatable");
    }
    for (size_t i = 0; lua_istable(L, 2) && i < sizeof refused / sizeof refused[0]; i++) {
        lua_pushstring(L, refused[i]);
        if (lua_rawget(L, 2) != LUA_TNIL) {
            return luaL_error(L, "'%s' is not available in a %s", refused[i], guest);
        }
        lua_pop(L, 1);
    }
    lua_setmetatable(L, 1);
    return 1;
}

/* %p prints an address, and so does %s for a table or function. */
int sg_lua_base_format(lua_State *L)
{
    size_t len = 0;
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
        i += strspn(format + i, "-+ #0123456789.");
        if (i < len && format[i] == 'p') {
            return luaL_error(L, "'%%p' is not available in a %s", sg_meter_of(L)->guest);
        }
        if (i < len && format[i] == 's' && argument <= lua_gettop(L) &&
            lua_type(L, argument) != LUA_TSTRING) {
            sg_lua_base_text(L, argument, NULL);
            lua_replace(L, argument);
        }
    }
    return lua_tocfunction(L, lua_upvalueindex(1))(L);
}
