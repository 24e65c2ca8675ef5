/* Opens Lua states with the functions that each kind of text may call, and runs them. */
#include "lua/lua_state.h"

#include <lauxlib.h>
#include <lualib.h>

/* A library function, see sg_lua_function, and who may call it. */
typedef struct granted {
    sg_lua_guest from; /* the least privileged kind of text that may call it */
    const char *name;
    lua_CFunction own;
} granted;

#define GRANTED(rows) (rows), sizeof(rows) / sizeof(rows)[0]

/* Functions of templates that print no addresses are in emit/sandbox.c, and the error functions of
 * rules in shapes/infer_rules.c. */
static const granted base[] = {{SG_LUA_TEMPLATE, "assert", NULL},
                               {SG_LUA_TEMPLATE, "error", NULL},
                               {SG_LUA_TEMPLATE, "ipairs", NULL},
                               {SG_LUA_TEMPLATE, "select", NULL},
                               {SG_LUA_TEMPLATE, "tonumber", NULL},
                               {SG_LUA_TEMPLATE, "type", NULL},
                               {SG_LUA_RULE, "getmetatable", NULL},
                               {SG_LUA_RULE, "next", sg_lua_order_next},
                               {SG_LUA_RULE, "pairs", sg_lua_order_pairs},
                               {SG_LUA_RULE, "pcall", sg_lua_base_pcall},
                               {SG_LUA_RULE, "rawequal", NULL},
                               {SG_LUA_RULE, "rawget", NULL},
                               {SG_LUA_RULE, "rawlen", NULL},
                               {SG_LUA_RULE, "rawset", NULL},
                               {SG_LUA_RULE, "setmetatable", sg_lua_base_setmetatable},
                               {SG_LUA_RULE, "tostring", sg_lua_base_tostring},
                               {SG_LUA_SPEC, "xpcall", sg_lua_base_xpcall},
                               {SG_LUA_SPEC, "_VERSION", NULL}};

/* Templates only print integers. No text gets random numbers. */
static const granted math[] = {{SG_LUA_TEMPLATE, "abs", NULL},
                               {SG_LUA_TEMPLATE, "max", NULL},
                               {SG_LUA_TEMPLATE, "maxinteger", NULL},
                               {SG_LUA_TEMPLATE, "min", NULL},
                               {SG_LUA_TEMPLATE, "mininteger", NULL},
                               {SG_LUA_TEMPLATE, "tointeger", NULL},
                               {SG_LUA_TEMPLATE, "type", NULL},
                               {SG_LUA_TEMPLATE, "ult", NULL},
                               {SG_LUA_RULE, "ceil", NULL},
                               {SG_LUA_RULE, "exp", NULL},
                               {SG_LUA_RULE, "floor", NULL},
                               {SG_LUA_RULE, "fmod", NULL},
                               {SG_LUA_RULE, "huge", NULL},
                               {SG_LUA_RULE, "log", NULL},
                               {SG_LUA_RULE, "modf", NULL},
                               {SG_LUA_RULE, "pi", NULL},
                               {SG_LUA_RULE, "sqrt", NULL},
                               {SG_LUA_SPEC, "acos", NULL},
                               {SG_LUA_SPEC, "asin", NULL},
                               {SG_LUA_SPEC, "atan", NULL},
                               {SG_LUA_SPEC, "cos", NULL},
                               {SG_LUA_SPEC, "deg", NULL},
                               {SG_LUA_SPEC, "rad", NULL},
                               {SG_LUA_SPEC, "sin", NULL},
                               {SG_LUA_SPEC, "tan", NULL}};

/* Pushes one of Lua's libraries. */
static void push_library(lua_State *L, const char *name, lua_CFunction open)
{
    lua_pushcfunction(L, open);
    lua_pushstring(L, name);
    lua_call(L, 1, 1);
}

/* Pushes a table with the functions of a library that the guest may call. Those that this release
 * of Lua lacks are nil. */
static void push_granted(lua_State *L, const char *name, lua_CFunction open, const granted *rows,
                         size_t nrows, sg_lua_guest guest)
{
    push_library(L, name, open);
    lua_newtable(L);
    for (size_t i = 0; i < nrows; ++i) {
        if (rows[i].from > guest) {
            continue;
        }
        if (rows[i].own != NULL) {
            lua_pushcfunction(L, rows[i].own);
        } else {
            lua_getfield(L, -2, rows[i].name);
        }
        lua_setfield(L, -2, rows[i].name);
    }
    lua_remove(L, -2);
}

/* Pushes `string` without bytecode, and makes it the methods of strings, whose metatable it hides.
 */
static void push_string(lua_State *L, lua_CFunction format)
{
    push_library(L, LUA_STRLIBNAME, luaopen_string);
    lua_pushnil(L);
    lua_setfield(L, -2, "dump");
    lua_getfield(L, -1, "format");
    lua_pushcclosure(L, format, 1);
    lua_setfield(L, -2, "format");
    lua_pushliteral(L, "");
    lua_getmetatable(L, -1);
    lua_pushliteral(L, "string");
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 2);
}

/* Pushes `table`. What templates print has the order that the plan decides, so they do not sort. */
static void push_table(lua_State *L, sg_lua_guest guest)
{
    push_library(L, LUA_TABLIBNAME, luaopen_table);
    if (guest == SG_LUA_TEMPLATE) {
        lua_pushnil(L);
    } else {
        lua_pushcfunction(L, sg_lua_order_sort);
    }
    lua_setfield(L, -2, "sort");
}

/* The argument of open_library. */
typedef struct opening {
    sg_lua_guest guest;
    const sg_lua_function *own;
    lua_CFunction format;
} opening;

static int open_library(lua_State *L)
{
    const opening *o = lua_touserdata(L, 1);
    push_granted(L, LUA_GNAME, luaopen_base, GRANTED(base), o->guest);
    for (const sg_lua_function *own = o->own; own != NULL && own->name != NULL; ++own) {
        lua_pushcfunction(L, own->function);
        lua_setfield(L, -2, own->name);
    }
    push_granted(L, LUA_MATHLIBNAME, luaopen_math, GRANTED(math), o->guest);
    lua_setfield(L, -2, LUA_MATHLIBNAME);
    push_string(L, o->format);
    lua_setfield(L, -2, LUA_STRLIBNAME);
    push_table(L, o->guest);
    lua_setfield(L, -2, LUA_TABLIBNAME);
    if (o->guest >= SG_LUA_RULE) {
        lua_pushvalue(L, -1);
        lua_setfield(L, -2, LUA_GNAME);
    }
    if (o->guest >= SG_LUA_SPEC) {
        push_library(L, LUA_UTF8LIBNAME, luaopen_utf8);
        lua_setfield(L, -2, LUA_UTF8LIBNAME);
    }
    lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    return 0;
}

/* note [disabled events]
 * A `__concat` that makes the stack grow causes a use after free in Lua up to 5.4.4 (luaV_concat),
 * and a weak table shows when garbage is collected. setmetatable rejects both fields, but they
 * could be set in a metatable later, unnoticed. Lua compares event names by the address of its only
 * copy of each. Once that copy is overwritten, the same name in a text is a different string, which
 * matches no event. */
static void forget_event(lua_State *L, const char *name)
{
    lua_pushstring(L, name); /* already interned: nothing is allocated */
    *(char *)lua_tostring(L, -1) = '?';
    lua_pop(L, 1);
}

bool sg_lua_state_open(sg_meter *meter, sg_lua_guest guest, const sg_lua_function *own,
                       lua_CFunction format)
{
    /* Specs are short and collect only when memory is refused. The others have few live objects and
     * much garbage of short strings, so they collect rarely. */
    static const struct {
        const char *name;
        int gc_pause; /* collection starts at this percentage of the live heap; 0: never */
    } traits[] = {[SG_LUA_TEMPLATE] = {"template", 1000},
                  [SG_LUA_RULE] = {"rule", 400},
                  [SG_LUA_SPEC] = {"spec", 0}};
    meter->guest = traits[guest].name;
    if (!sg_meter_open(meter)) {
        return false;
    }
    forget_event(meter->L, "__concat");
    forget_event(meter->L, "__mode");
    if (traits[guest].gc_pause > 0) {
        lua_gc(meter->L, LUA_GCINC, traits[guest].gc_pause, 0, 0);
    } else {
        lua_gc(meter->L, LUA_GCSTOP);
    }
    opening o = {guest, own, format};
    lua_pushcfunction(meter->L, open_library);
    lua_pushlightuserdata(meter->L, &o);
    if (lua_pcall(meter->L, 1, 0, 0) != LUA_OK) {
        sg_meter_close(meter);
        return false;
    }
    sg_meter_watch(meter);
    return true;
}

bool sg_lua_state_run(sg_meter *meter, int arguments)
{
    const int status = lua_pcall(meter->L, arguments, 0, 1);
    if (status == LUA_ERRMEM && meter->spent == SG_METER_SPENT_NOTHING) {
        meter->spent = SG_METER_SPENT_MEMORY;
    }
    return status == LUA_OK;
}
