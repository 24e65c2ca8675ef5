/* Lua's own functions, wrapped in guards that charge for the work they do. */
#include "lua/lua_library.h"

#include <stdint.h>

#include <lauxlib.h>
#include <lualib.h>

#include "lua/lua_meter.h"

/* note [what a call costs]
 * A guard charges before its function runs, so that no single call outlasts the budget:
 *
 *   - a step for each argument, and after the call for each result; results cost more the deeper
 *     calls are nested, because each call may pass all of them on;
 *   - the bytes of the strings it reads, including numbers that are converted to strings;
 *   - a step for each item, if the function walks a range of a table or string.
 *
 * The allocator charges for strings and tables that the function makes. */

/* Runs the function in the guard's stack frame, so that its errors name the function that was
 * called. */
static int call_original(lua_State *L)
{
    enum { LEVELS_A_STEP = 16 };
    const int results = lua_tocfunction(L, lua_upvalueindex(1))(L);
    sg_meter_charge(L, results);
    if (results > SG_METER_VARARGS) {
        lua_Debug ar;
        int depth = 0;
        while (lua_getstack(L, depth + LEVELS_A_STEP, &ar)) {
            depth += LEVELS_A_STEP;
        }
        sg_meter_charge(L, (int64_t)results * (depth / LEVELS_A_STEP));
    }
    return results;
}

static void charge_arguments(lua_State *L, int first)
{
    const int n = lua_gettop(L);
    sg_meter_charge(L, n);
    for (int i = first; i <= n; ++i) {
        if (lua_type(L, i) == LUA_TSTRING) {
            sg_meter_charge_bytes(L, (size_t)lua_rawlen(L, i));
        }
    }
}

int sg_lua_guard_all(lua_State *L)
{
    charge_arguments(L, 1);
    return call_original(L);
}

int sg_lua_guard_rest(lua_State *L)
{
    charge_arguments(L, 2);
    return call_original(L);
}

static int64_t distance(lua_Integer from, lua_Integer to)
{
    if (to < from) {
        return 0;
    }
    const lua_Unsigned n = (lua_Unsigned)to - (lua_Unsigned)from;
    return n >= (lua_Unsigned)INT64_MAX ? INT64_MAX : (int64_t)n + 1;
}

/* Charges for the items from argument `first` to argument `last`; if missing, 1 and the length. */
static void charge_range(lua_State *L, int first, int last)
{
    const lua_Integer from = luaL_optinteger(L, first, 1);
    const lua_Integer to = lua_isnoneornil(L, last) ? luaL_len(L, 1) : luaL_checkinteger(L, last);
    sg_meter_charge_fields(L, distance(from, to));
}

/* --- string ----------------------------------------------------------------------------------- */

/* An offset into a string of this length; a negative one counts from the end. */
static lua_Integer position(lua_Integer at, lua_Integer len)
{
    return at >= 0 ? at : at < -len ? 0 : len + at + 1;
}

/* Charges for the bytes between two positions; `otherwise` is the second if it is missing. */
static void charge_between(lua_State *L, int first, int last, lua_Integer otherwise)
{
    const lua_Integer len = (lua_Integer)lua_rawlen(L, 1);
    lua_Integer from = position(luaL_optinteger(L, first, 1), len);
    lua_Integer to = position(luaL_optinteger(L, last, otherwise), len);
    from = from < 1 ? 1 : from;
    to = to > len ? len : to;
    sg_meter_charge_bytes(L, (size_t)distance(from, to));
}

/* byte(s, i, j), codepoint(s, i, j): s from i to j; j is i if it is missing. */
static int guard_one_or_range(lua_State *L)
{
    charge_arguments(L, 2);
    luaL_checkstring(L, 1);
    charge_between(L, 2, 3, luaL_optinteger(L, 2, 1));
    return call_original(L);
}

/* len(s, i, j) of utf8: j is the end if it is missing. */
static int guard_range(lua_State *L)
{
    charge_arguments(L, 2);
    luaL_checkstring(L, 1);
    charge_between(L, 2, 3, -1);
    return call_original(L);
}

static int string_rep(lua_State *L)
{
    /* copies of more than the memory budget fail at once; without a charge, copies of "" could go
     * on forever */
    enum { BYTES_A_STEP = 8 };
    charge_arguments(L, 1);
    const int64_t count = distance(1, luaL_checkinteger(L, 2));
    const int64_t most = (int64_t)sg_meter_of(L)->max_memory;
    const bool empty = luaL_len(L, 1) == 0 && (lua_isnoneornil(L, 3) || luaL_len(L, 3) == 0);
    sg_meter_charge(L, (empty || count < most ? count : most) / BYTES_A_STEP);
    return call_original(L);
}

/* Printing a number can be expensive: 1e308 with 99 decimals takes microseconds. */
int sg_lua_guard_format(lua_State *L)
{
    enum { PRICE = 500, BYTES_A_STEP = 2 };
    charge_arguments(L, 1);
    luaL_checkstring(L, 1);
    sg_meter_charge(L, (int64_t)(lua_rawlen(L, 1) / BYTES_A_STEP));
    for (int i = 2; i <= lua_gettop(L); ++i) {
        sg_meter_charge(L, lua_type(L, i) == LUA_TNUMBER && !lua_isinteger(L, i) ? PRICE : 0);
    }
    return call_original(L);
}

/* Formats of pack, packsize and unpack are parsed item by item. */
static int guard_packing(lua_State *L)
{
    enum { BYTES_A_STEP = 2 };
    charge_arguments(L, 1);
    luaL_checkstring(L, 1);
    sg_meter_charge(L, (int64_t)(lua_rawlen(L, 1) / BYTES_A_STEP));
    return call_original(L);
}

/* Guards the arithmetic functions in the metatable of strings. */
static void guard_metatable(lua_State *L)
{
    static const char *const events[] = {"__add", "__sub", "__mul",  "__mod",
                                         "__pow", "__div", "__idiv", "__unm"};
    for (size_t i = 0; i < sizeof events / sizeof events[0]; ++i) {
        if (lua_getfield(L, -1, events[i]) == LUA_TNIL) {
            lua_pop(L, 1);
            continue;
        }
        lua_pushcclosure(L, sg_lua_guard_all, 1);
        lua_setfield(L, -2, events[i]);
    }
}

void sg_lua_library_push_string(lua_State *L, lua_CFunction format)
{
    const sg_lua_function allowed[] = {{"byte", guard_one_or_range},
                                       {"char", sg_lua_guard_all},
                                       {"find", sg_lua_pattern_find},
                                       {"format", format},
                                       {"gmatch", sg_lua_pattern_gmatch},
                                       {"gsub", sg_lua_pattern_gsub},
                                       {"len", NULL},
                                       {"lower", sg_lua_guard_all},
                                       {"match", sg_lua_pattern_match},
                                       {"pack", guard_packing},
                                       {"packsize", guard_packing},
                                       {"rep", string_rep},
                                       {"reverse", sg_lua_guard_all},
                                       {"sub", sg_lua_guard_rest},
                                       {"unpack", guard_packing},
                                       {"upper", sg_lua_guard_all},
                                       {NULL, NULL}};
    sg_lua_library_push(L, LUA_STRLIBNAME, luaopen_string, allowed);
    lua_pushliteral(L, "");
    lua_getmetatable(L, -1);
    guard_metatable(L);
    lua_pushvalue(L, -3);
    lua_setfield(L, -2, "__index");
    lua_pushliteral(L, "string");
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 2);
}

/* --- table ------------------------------------------------------------------------------------ */

static int table_concat(lua_State *L)
{
    charge_arguments(L, 2);
    luaL_checktype(L, 1, LUA_TTABLE);
    charge_range(L, 3, 4);
    return call_original(L);
}

static int table_insert(lua_State *L)
{
    charge_arguments(L, 1);
    luaL_checktype(L, 1, LUA_TTABLE);
    if (lua_gettop(L) == 3) {
        sg_meter_charge_fields(L, distance(luaL_checkinteger(L, 2), luaL_len(L, 1)));
    }
    return call_original(L);
}

static int table_remove(lua_State *L)
{
    charge_arguments(L, 1);
    luaL_checktype(L, 1, LUA_TTABLE);
    if (lua_gettop(L) >= 2) {
        sg_meter_charge_fields(L, distance(luaL_checkinteger(L, 2), luaL_len(L, 1)));
    }
    return call_original(L);
}

static int table_move(lua_State *L)
{
    charge_arguments(L, 1);
    luaL_checktype(L, 1, LUA_TTABLE);
    sg_meter_charge_fields(L, distance(luaL_checkinteger(L, 2), luaL_checkinteger(L, 3)));
    return call_original(L);
}

static int table_unpack(lua_State *L)
{
    charge_arguments(L, 2);
    charge_range(L, 2, 3);
    return call_original(L);
}

void sg_lua_library_push_table(lua_State *L)
{
    static const sg_lua_function allowed[] = {{"concat", table_concat}, {"insert", table_insert},
                                              {"move", table_move},     {"pack", sg_lua_guard_rest},
                                              {"remove", table_remove}, {"sort", sg_lua_order_sort},
                                              {"unpack", table_unpack}, {NULL, NULL}};
    sg_lua_library_push(L, LUA_TABLIBNAME, luaopen_table, allowed);
}

/* --- utf8 ------------------------------------------------------------------------------------- */

static bool is_continuation(const char *text, size_t len, lua_Unsigned at)
{
    return at < len && ((unsigned char)text[at] & 0xC0) == 0x80;
}

/* The iterator of utf8.codes(s), called with s and the last position. It skips the continuation
 * bytes of the character there. Upvalue 1 is Lua's iterator. */
static int next_code(lua_State *L)
{
    size_t len = 0;
    const char *text = luaL_checklstring(L, 1, &len);
    const lua_Unsigned from = (lua_Unsigned)luaL_checkinteger(L, 2);
    lua_Unsigned to = from;
    while (is_continuation(text, len, to)) {
        ++to;
    }
    sg_meter_charge_bytes(L, (size_t)(to - from));
    return call_original(L);
}

/* In lax mode Lua's iterator is a different function. */
static int utf8_codes(lua_State *L)
{
    const int results = call_original(L);
    lua_pushvalue(L, -results);
    lua_pushcclosure(L, next_code, 1);
    lua_replace(L, -results - 1);
    return results;
}

void sg_lua_library_push_utf8(lua_State *L)
{
    static const sg_lua_function allowed[] = {{"char", sg_lua_guard_all},
                                              {"charpattern", NULL},
                                              {"codepoint", guard_one_or_range},
                                              {"codes", utf8_codes},
                                              {"len", guard_range},
                                              {"offset", sg_lua_guard_all},
                                              {NULL, NULL}};
    sg_lua_library_push(L, LUA_UTF8LIBNAME, luaopen_utf8, allowed);
}

void sg_lua_library_push(lua_State *L, const char *name, lua_CFunction open,
                         const sg_lua_function *allowed)
{
    lua_pushcfunction(L, open);
    lua_pushstring(L, name);
    lua_call(L, 1, 1);
    lua_newtable(L);
    for (const sg_lua_function *f = allowed; f->name != NULL; ++f) {
        /* push nil for functions that this Lua does not have */
        lua_getfield(L, -2, f->name);
        if (f->guard != NULL) {
            lua_pushcclosure(L, f->guard, 1);
        }
        lua_setfield(L, -2, f->name);
    }
    lua_remove(L, -2);
}

bool sg_lua_is_keyword(sg_str word)
{
    static const char *const words[] = {"and",   "break", "do",       "else", "elseif", "end",
                                        "false", "for",   "function", "goto", "if",     "in",
                                        "local", "nil",   "not",      "or",   "repeat", "return",
                                        "then",  "true",  "until",    "while"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (sg_str_eqz(word, words[i])) {
            return true;
        }
    }
    return false;
}
