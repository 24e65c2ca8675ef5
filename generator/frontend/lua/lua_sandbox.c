/* Builds the globals of a spec from lists of what is allowed. */
#include "frontend/lua/lua_sandbox.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <lauxlib.h>
#include <lualib.h>

#include "frontend/lua/lua_host.h"

static const char *const names[] = {
    "split",  "onnx",   "openvino", "param",        "require", "assert", "error",    "getmetatable",
    "ipairs", "math",   "next",     "pairs",        "pcall",   "print",  "rawequal", "rawget",
    "rawlen", "rawset", "select",   "setmetatable", "string",  "table",  "tonumber", "tostring",
    "type",   "utf8",   "xpcall",   "_G",           "_VERSION"};

static const char *const removed[] = {
    "io",         "os",       "debug",  "package",        "load",
    "loadstring", "loadfile", "dofile", "collectgarbage", "coroutine",
    "warn",       "dump",     "random", "randomseed"};

size_t sg_lua_sandbox_names(const char *const **out)
{
    *out = names;
    return sizeof names / sizeof names[0];
}

bool sg_lua_sandbox_removed(sg_str name)
{
    for (size_t i = 0; i < sizeof removed / sizeof removed[0]; i++) {
        if (sg_str_eqz(name, removed[i])) {
            return true;
        }
    }
    return false;
}

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
    sg_lua_host_charge(L, PRICE);
    for (int i = 1; i <= n; i++) {
        size_t len = 0;
        const char *text = sg_lua_sandbox_text(L, i, &len);
        sg_lua_host_charge(L, (int64_t)len);
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
    int status = lua_pcall(L, n, LUA_MULTRET, 0);
    if (status != LUA_OK) {
        sg_lua_host_rethrow(L, status);
        host->loading = loading;
    }
    return status == LUA_OK;
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

/* No finalizers: they run where no hook can stop them. No weak tables: what they hold would depend
 * on when memory is collected. */
static int base_setmetatable(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_argexpected(L, lua_isnil(L, 2) || lua_istable(L, 2), 2, "nil or table");
    lua_settop(L, 2);
    if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL) {
        return luaL_error(L, "cannot change a protected metatable");
    }
    static const char *const refused[] = {"__gc", "__mode"};
    for (size_t i = 0; lua_istable(L, 2) && i < sizeof refused / sizeof refused[0]; i++) {
        lua_pushstring(L, refused[i]);
        if (lua_rawget(L, 2) != LUA_TNIL) {
            return luaL_error(L, "'%s' is not available in a spec", refused[i]);
        }
        lua_pop(L, 1);
    }
    lua_setmetatable(L, 1);
    return 1;
}

/* --- functions of Lua behind a guard: upvalue 1 is the original --- */

/* Runs it in the frame of the guard, so that its errors name what the spec called. */
static int call_original(lua_State *L)
{
    return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

static int64_t distance(lua_Integer from, lua_Integer to)
{
    if (to < from) {
        return 0;
    }
    lua_Unsigned n = (lua_Unsigned)to - (lua_Unsigned)from;
    return n >= (lua_Unsigned)INT64_MAX ? INT64_MAX : (int64_t)n + 1;
}

static int string_rep(lua_State *L)
{
    /* Copies that add up to more than the memory budget fail at once; empty ones never end. */
    int64_t count = distance(1, luaL_checkinteger(L, 2));
    int64_t most = (int64_t)sg_lua_host_of(L)->max_memory;
    bool empty = luaL_len(L, 1) == 0 && (lua_isnoneornil(L, 3) || luaL_len(L, 3) == 0);
    sg_lua_host_charge(L, (empty || count < most ? count : most) / 8);
    return call_original(L);
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
    return call_original(L);
}

static int table_concat(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_Integer first = luaL_optinteger(L, 3, 1);
    lua_Integer last = lua_isnoneornil(L, 4) ? luaL_len(L, 1) : luaL_checkinteger(L, 4);
    sg_lua_host_charge(L, distance(first, last));
    return call_original(L);
}

static int table_insert(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    if (lua_gettop(L) == 3) {
        sg_lua_host_charge(L, distance(luaL_checkinteger(L, 2), luaL_len(L, 1)));
    }
    return call_original(L);
}

static int table_remove(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    if (lua_gettop(L) >= 2) {
        sg_lua_host_charge(L, distance(luaL_checkinteger(L, 2), luaL_len(L, 1)));
    }
    return call_original(L);
}

static int table_move(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    sg_lua_host_charge(L, distance(luaL_checkinteger(L, 2), luaL_checkinteger(L, 3)));
    return call_original(L);
}

static int table_unpack(lua_State *L)
{
    lua_Integer first = luaL_optinteger(L, 2, 1);
    lua_Integer last = lua_isnoneornil(L, 3) ? luaL_len(L, 1) : luaL_checkinteger(L, 3);
    sg_lua_host_charge(L, distance(first, last));
    return call_original(L);
}

typedef struct entry {
    const char *name;
    lua_CFunction function; /* NULL: Lua's own */
    bool guards;            /* gets Lua's own as upvalue 1 */
} entry;

static const entry base_entries[] = {{"assert", NULL, false},
                                     {"error", NULL, false},
                                     {"getmetatable", NULL, false},
                                     {"ipairs", NULL, false},
                                     {"rawequal", NULL, false},
                                     {"rawget", NULL, false},
                                     {"rawlen", NULL, false},
                                     {"rawset", NULL, false},
                                     {"select", NULL, false},
                                     {"tonumber", NULL, false},
                                     {"type", NULL, false},
                                     {"_VERSION", NULL, false},
                                     {"next", sg_lua_order_next, false},
                                     {"pairs", sg_lua_order_pairs, false},
                                     {"pcall", base_pcall, false},
                                     {"print", base_print, false},
                                     {"setmetatable", base_setmetatable, false},
                                     {"tostring", base_tostring, false},
                                     {"xpcall", base_xpcall, false},
                                     {"require", sg_lua_require, false},
                                     {NULL, NULL, false}};

static const entry math_entries[] = {
    {"abs", NULL, false},        {"acos", NULL, false},       {"asin", NULL, false},
    {"atan", NULL, false},       {"ceil", NULL, false},       {"cos", NULL, false},
    {"deg", NULL, false},        {"exp", NULL, false},        {"floor", NULL, false},
    {"fmod", NULL, false},       {"huge", NULL, false},       {"log", NULL, false},
    {"max", NULL, false},        {"maxinteger", NULL, false}, {"min", NULL, false},
    {"mininteger", NULL, false}, {"modf", NULL, false},       {"pi", NULL, false},
    {"rad", NULL, false},        {"sin", NULL, false},        {"sqrt", NULL, false},
    {"tan", NULL, false},        {"tointeger", NULL, false},  {"type", NULL, false},
    {"ult", NULL, false},        {NULL, NULL, false}};

static const entry string_entries[] = {{"byte", NULL, false},
                                       {"char", NULL, false},
                                       {"len", NULL, false},
                                       {"lower", NULL, false},
                                       {"pack", NULL, false},
                                       {"packsize", NULL, false},
                                       {"reverse", NULL, false},
                                       {"sub", NULL, false},
                                       {"unpack", NULL, false},
                                       {"upper", NULL, false},
                                       {"format", string_format, true},
                                       {"rep", string_rep, true},
                                       {"find", sg_lua_pattern_find, false},
                                       {"match", sg_lua_pattern_match, false},
                                       {"gmatch", sg_lua_pattern_gmatch, false},
                                       {"gsub", sg_lua_pattern_gsub, false},
                                       {NULL, NULL, false}};

static const entry table_entries[] = {
    {"pack", NULL, false},          {"concat", table_concat, true},
    {"insert", table_insert, true}, {"move", table_move, true},
    {"remove", table_remove, true}, {"sort", sg_lua_order_sort, false},
    {"unpack", table_unpack, true}, {NULL, NULL, false}};

static const entry utf8_entries[] = {{"char", NULL, false},      {"charpattern", NULL, false},
                                     {"codepoint", NULL, false}, {"codes", NULL, false},
                                     {"len", NULL, false},       {"offset", NULL, false},
                                     {NULL, NULL, false}};

/* Copies what the list allows from the table below the top into the table on top. */
static void copy_allowed(lua_State *L, const entry *entries)
{
    for (const entry *e = entries; e->name != NULL; e++) {
        lua_getfield(L, -2, e->name);
        if (e->function != NULL) {
            if (!e->guards) {
                lua_pop(L, 1);
            }
            lua_pushcclosure(L, e->function, e->guards ? 1 : 0);
        }
        lua_setfield(L, -2, e->name);
    }
}

/* Opens one library and puts its allowed part into the globals on top of the stack. */
static void open_library(lua_State *L, const char *name, lua_CFunction open, const entry *entries)
{
    lua_pushcfunction(L, open);
    lua_pushstring(L, name);
    lua_call(L, 1, 1);
    lua_newtable(L);
    copy_allowed(L, entries);
    lua_setfield(L, -3, name);
    lua_pop(L, 1);
}

void sg_lua_sandbox_open(lua_State *L)
{
    lua_pushcfunction(L, luaopen_base);
    lua_call(L, 0, 1);
    lua_newtable(L);
    copy_allowed(L, base_entries);
    lua_remove(L, -2);
    lua_pushvalue(L, -1);
    lua_setfield(L, -2, "_G");
    open_library(L, "math", luaopen_math, math_entries);
    open_library(L, "string", luaopen_string, string_entries);
    open_library(L, "table", luaopen_table, table_entries);
    open_library(L, "utf8", luaopen_utf8, utf8_entries);

    /* The methods of strings are those of the sandbox, and their metatable is out of reach. */
    lua_pushliteral(L, "");
    lua_getmetatable(L, -1);
    lua_getfield(L, -3, "string");
    lua_setfield(L, -2, "__index");
    lua_pushliteral(L, "string");
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 2);

    lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
}
