/* Opens Lua states with the functions that each kind of text may call, and runs them. */
#include "lua/lua_state.h"

#include <assert.h>

#include <lauxlib.h>
#include <lualib.h>

/* A library function, see sg_lua_function, and who may call it. */
typedef struct granted {
    sg_lua_guest from; /* the least privileged kind of text that may call it */
    const char *name;
    lua_CFunction guard;
} granted;

#define GRANTED(rows) (rows), sizeof(rows) / sizeof(rows)[0]

/* Functions of templates that print no addresses are in emit/sandbox.c, and the error functions of
 * rules in shapes/infer_rules.c. */
static const granted base[] = {{SG_LUA_TEMPLATE, "assert", NULL},
                               {SG_LUA_TEMPLATE, "error", NULL},
                               {SG_LUA_TEMPLATE, "ipairs", NULL},
                               {SG_LUA_TEMPLATE, "select", sg_lua_guard_rest},
                               {SG_LUA_TEMPLATE, "tonumber", sg_lua_guard_all},
                               {SG_LUA_TEMPLATE, "type", NULL},
                               {SG_LUA_RULE, "getmetatable", NULL},
                               {SG_LUA_RULE, "next", sg_lua_order_next},
                               {SG_LUA_RULE, "pairs", sg_lua_order_pairs},
                               {SG_LUA_RULE, "pcall", sg_lua_base_pcall},
                               {SG_LUA_RULE, "rawequal", sg_lua_guard_all},
                               {SG_LUA_RULE, "rawget", sg_lua_guard_all},
                               {SG_LUA_RULE, "rawlen", NULL},
                               {SG_LUA_RULE, "rawset", sg_lua_guard_all},
                               {SG_LUA_RULE, "setmetatable", sg_lua_base_setmetatable},
                               {SG_LUA_RULE, "tostring", sg_lua_base_tostring},
                               {SG_LUA_SPEC, "xpcall", sg_lua_base_xpcall},
                               {SG_LUA_SPEC, "_VERSION", NULL}};

/* Random numbers are not available; templates only print integers. */
static const granted math[] = {{SG_LUA_TEMPLATE, "abs", sg_lua_guard_all},
                               {SG_LUA_TEMPLATE, "max", sg_lua_guard_all},
                               {SG_LUA_TEMPLATE, "maxinteger", NULL},
                               {SG_LUA_TEMPLATE, "min", sg_lua_guard_all},
                               {SG_LUA_TEMPLATE, "mininteger", NULL},
                               {SG_LUA_TEMPLATE, "tointeger", sg_lua_guard_all},
                               {SG_LUA_TEMPLATE, "type", NULL},
                               {SG_LUA_TEMPLATE, "ult", sg_lua_guard_all},
                               {SG_LUA_RULE, "ceil", sg_lua_guard_all},
                               {SG_LUA_RULE, "exp", sg_lua_guard_all},
                               {SG_LUA_RULE, "floor", sg_lua_guard_all},
                               {SG_LUA_RULE, "fmod", sg_lua_guard_all},
                               {SG_LUA_RULE, "huge", NULL},
                               {SG_LUA_RULE, "log", sg_lua_guard_all},
                               {SG_LUA_RULE, "modf", sg_lua_guard_all},
                               {SG_LUA_RULE, "pi", NULL},
                               {SG_LUA_RULE, "sqrt", sg_lua_guard_all},
                               {SG_LUA_SPEC, "acos", sg_lua_guard_all},
                               {SG_LUA_SPEC, "asin", sg_lua_guard_all},
                               {SG_LUA_SPEC, "atan", sg_lua_guard_all},
                               {SG_LUA_SPEC, "cos", sg_lua_guard_all},
                               {SG_LUA_SPEC, "deg", sg_lua_guard_all},
                               {SG_LUA_SPEC, "rad", sg_lua_guard_all},
                               {SG_LUA_SPEC, "sin", sg_lua_guard_all},
                               {SG_LUA_SPEC, "tan", sg_lua_guard_all}};

/* Pushes a library with the functions that the guest may call, and its own functions. */
static void push_granted(lua_State *L, const char *name, lua_CFunction open, const granted *rows,
                         size_t nrows, sg_lua_guest guest, const sg_lua_function *own)
{
    enum { MOST = 48 };
    sg_lua_function allowed[MOST + 1] = {{NULL, NULL}};
    size_t count = 0;
    for (size_t i = 0; i < nrows; ++i) {
        if (rows[i].from <= guest) {
            allowed[count++] = (sg_lua_function){rows[i].name, rows[i].guard};
        }
    }
    for (; own != NULL && own->name != NULL; ++own) {
        assert(count < MOST);
        allowed[count++] = *own;
    }
    sg_lua_library_push(L, name, open, allowed);
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
    push_granted(L, LUA_GNAME, luaopen_base, GRANTED(base), o->guest, o->own);
    push_granted(L, LUA_MATHLIBNAME, luaopen_math, GRANTED(math), o->guest, NULL);
    lua_setfield(L, -2, LUA_MATHLIBNAME);
    sg_lua_library_push_string(L, o->format);
    lua_setfield(L, -2, LUA_STRLIBNAME);
    sg_lua_library_push_table(L);
    if (o->guest == SG_LUA_TEMPLATE) { /* the plan decides the order of everything printed */
        lua_pushnil(L);
        lua_setfield(L, -2, "sort");
    }
    lua_setfield(L, -2, LUA_TABLIBNAME);
    if (o->guest >= SG_LUA_RULE) {
        lua_pushvalue(L, -1);
        lua_setfield(L, -2, LUA_GNAME);
    }
    if (o->guest >= SG_LUA_SPEC) {
        sg_lua_library_push_utf8(L);
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
        int interval;
        bool watches_calls;
        int gc_pause; /* collection starts at this percentage of the live heap; 0: never */
        int64_t steps_per_second; /* limits default budgets to 9 seconds */
    } traits[] = {[SG_LUA_TEMPLATE] = {"template", 1000, false, 1000, 16000000},
                  [SG_LUA_RULE] = {"rule", 1000, false, 400, 80000000},
                  [SG_LUA_SPEC] = {"spec", 100, true, 0, 16000000}};
    meter->guest = traits[guest].name;
    meter->steps_per_second = traits[guest].steps_per_second;
    meter->interval = traits[guest].interval;
    meter->watches_calls = traits[guest].watches_calls;
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
    sg_meter_begin(meter);
    const int status = lua_pcall(meter->L, arguments, 0, 1);
    sg_meter_end(meter);
    if (status == LUA_ERRMEM && meter->spent == SG_METER_SPENT_NOTHING) {
        meter->spent = SG_METER_SPENT_MEMORY;
    }
    return status == LUA_OK;
}
