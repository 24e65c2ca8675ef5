/* Lua's interpreter with the table `sums` of the tool: lua_sums SCRIPT [ARGUMENT...] */
#include <stdio.h>

#include <lauxlib.h>
#include <lualib.h>

#include "shapes/sum_lua.h"

int main(int argc, char **argv)
{
    sg_arena kept;
    sg_arena_init(&kept);
    sg_sum_lua sums = {.kept = &kept};
    lua_State *L = luaL_newstate();
    luaL_openlibs(L);
    sg_sum_lua_open(L, &sums);
    lua_setglobal(L, "sums");
    lua_newtable(L);
    for (int i = 1; i < argc; i++) {
        lua_pushstring(L, argv[i]);
        lua_rawseti(L, -2, i - 1);
    }
    lua_setglobal(L, "arg");
    const bool ok = argc > 1 && luaL_dofile(L, argv[1]) == LUA_OK;
    if (!ok) {
        fprintf(stderr, "%s\n", argc > 1 ? lua_tostring(L, -1) : "no script");
    }
    lua_close(L);
    sg_arena_free(&sums.scratch);
    sg_arena_free(&kept);
    return ok ? 0 : 1;
}
