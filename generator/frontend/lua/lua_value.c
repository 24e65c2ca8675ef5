/* Describes Lua values, and checks lists. */
#include "frontend/lua/lua_value.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <lauxlib.h>

#include "frontend/lua/lua_host.h"

bool sg_lua_value_unknown(lua_State *L, int index)
{
    return luaL_testudata(L, index, SG_LUA_UNKNOWN) != NULL;
}

int sg_lua_value_push_unknown(lua_State *L)
{
    lua_settop(L, 0);
    lua_newuserdatauv(L, 1, 0);
    luaL_setmetatable(L, SG_LUA_UNKNOWN);
    return 1;
}

#define FREE_TYPE "splitgen open dimension"

const sg_op_num *sg_lua_value_free(lua_State *L, int index)
{
    return luaL_testudata(L, index, FREE_TYPE);
}

void sg_lua_value_push_free(lua_State *L, const sg_op_num *dim)
{
    sg_op_num *value = lua_newuserdatauv(L, sizeof *value, 0);
    *value = (sg_op_num){.value = dim->value, .nopen = dim->nopen, .open = dim->open};
    luaL_setmetatable(L, FREE_TYPE);
}

/* Pushes "batch", "197*batch". */
static int free_tostring(lua_State *L)
{
    const sg_op_num *dim = luaL_checkudata(L, 1, FREE_TYPE);
    lua_pushstring(L, sg_op_open_text(sg_lua_host_of(L)->arena, dim));
    return 1;
}

void sg_lua_value_open_free(lua_State *L)
{
    luaL_newmetatable(L, FREE_TYPE);
    lua_pushcfunction(L, free_tostring);
    lua_setfield(L, -2, "__tostring");
    lua_pushliteral(
        L, "still open dimension"); /* appears in Lua's messages: "arithmetic on a ... value" */
    lua_setfield(L, -2, "__name");
    lua_pushliteral(L, "splitgen");
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
}

const char *sg_lua_value_describe(lua_State *L, int index)
{
    enum { LONGEST = 40 };
    sg_arena *arena = sg_lua_host_of(L)->arena;
    size_t len;
    const char *text;
    switch (lua_type(L, index)) {
    case LUA_TNIL:
        return "nil";
    case LUA_TBOOLEAN:
        return lua_toboolean(L, index) ? "true" : "false";
    case LUA_TNUMBER:
        if (isnan(lua_tonumber(L, index))) {
            return "nan"; /* the sign of a nan differs between processors */
        }
        text = luaL_tolstring(L, index, &len);
        text = sg_arena_strndup(arena, text, len);
        lua_pop(L, 1);
        return text;
    case LUA_TSTRING:
        text = lua_tolstring(L, index, &len);
        return len > LONGEST ? sg_arena_printf(arena, "the string '%.*s...'", LONGEST, text)
                             : sg_arena_printf(arena, "the string '%s'", text);
    case LUA_TUSERDATA:
        return sg_lua_value_free(L, index) != NULL
                   ? sg_arena_printf(arena, "the open dimension '%s'",
                                     sg_op_open_text(arena, sg_lua_value_free(L, index)))
                   : "an op";
    default:
        return sg_arena_printf(arena, "a %s", luaL_typename(L, index));
    }
}

int64_t sg_lua_value_sequence(lua_State *L, int index, const char **problem, int64_t *entry)
{
    sg_arena *arena = sg_lua_host_of(L)->arena;
    int at = lua_absindex(L, index);
    int64_t count = 0;
    int64_t strays = 0;
    const char *stray = NULL;
    *entry = 0;
    for (lua_pushnil(L); lua_next(L, at) != 0; lua_pop(L, 1)) {
        count++;
        if (!lua_isinteger(L, -2) || lua_tointeger(L, -2) < 1) {
            /* The smallest name, so that the message does not depend on hash order. */
            const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;
            if (name != NULL && (stray == NULL || strcmp(name, stray) < 0)) {
                stray = sg_arena_strdup(arena, name);
            }
            strays++;
        }
    }
    if (stray != NULL) {
        *problem =
            sg_arena_printf(arena, "has an entry '%s', but a list has no named entries", stray);
        return -1;
    }
    if (strays > 0) {
        *problem = "has an entry that is not numbered from 1";
        return -1;
    }
    for (int64_t i = 1; i <= count; i++) {
        bool hole = lua_rawgeti(L, at, i) == LUA_TNIL;
        lua_pop(L, 1);
        if (hole) {
            *entry = i;
            *problem = sg_arena_printf(arena, "has a hole: entry %" PRId64 " is nil", i);
            return -1;
        }
    }
    return count;
}
