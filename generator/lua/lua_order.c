/* pairs, next and table.sort in an order that depends only on the contents of a table: Lua's own
 * order depends on hash seeds and addresses, and its sort is not stable and may read the clock. */
#include "lua/lua_library.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>

typedef enum key_kind { KEY_INTEGER, KEY_FLOAT, KEY_STRING, KEY_BOOLEAN } key_kind;

/* Strings point into keys of the table, which keeps them alive. */
typedef struct key {
    key_kind kind;
    lua_Integer integer; /* also booleans */
    lua_Number number;
    const char *text;
    size_t len;
} key;

static int compare_keys(const void *left, const void *right)
{
    const key *a = left;
    const key *b = right;
    if (a->kind != b->kind) {
        return a->kind < b->kind ? -1 : 1;
    }
    if (a->kind == KEY_FLOAT) {
        return (a->number > b->number) - (a->number < b->number);
    }
    if (a->kind == KEY_STRING) {
        size_t shorter = a->len < b->len ? a->len : b->len;
        int order = memcmp(a->text, b->text, shorter);
        return order != 0 ? order : (a->len > b->len) - (a->len < b->len);
    }
    return (a->integer > b->integer) - (a->integer < b->integer);
}

static key read_key(lua_State *L, int index)
{
    key k = {0};
    switch (lua_type(L, index)) {
    case LUA_TNUMBER:
        k.kind = lua_isinteger(L, index) ? KEY_INTEGER : KEY_FLOAT;
        if (k.kind == KEY_INTEGER) {
            k.integer = lua_tointeger(L, index);
        } else {
            k.number = lua_tonumber(L, index);
        }
        return k;
    case LUA_TSTRING:
        k.kind = KEY_STRING;
        k.text = lua_tolstring(L, index, &k.len);
        return k;
    case LUA_TBOOLEAN:
        k.kind = KEY_BOOLEAN;
        k.integer = lua_toboolean(L, index);
        return k;
    default:
        luaL_error(L, "a table with a %s as a key has no order to walk in",
                   luaL_typename(L, index));
        return k;
    }
}

static void push_key(lua_State *L, const key *k)
{
    switch (k->kind) {
    case KEY_INTEGER:
        lua_pushinteger(L, k->integer);
        break;
    case KEY_FLOAT:
        lua_pushnumber(L, k->number);
        break;
    case KEY_STRING:
        lua_pushlstring(L, k->text, k->len);
        break;
    case KEY_BOOLEAN:
        lua_pushboolean(L, k->integer != 0);
        break;
    }
}

static int64_t count_entries(lua_State *L, int table)
{
    int64_t count = 0;
    for (lua_pushnil(L); lua_next(L, table) != 0; lua_pop(L, 1)) {
        count++;
    }
    return count;
}

/* The iterator; its upvalues are the table, the list of keys and the position. Skips entries that
 * were removed during the walk. */
static int walk(lua_State *L)
{
    lua_Integer at = lua_tointeger(L, lua_upvalueindex(3));
    for (;;) {
        at++;
        if (lua_rawgeti(L, lua_upvalueindex(2), at) == LUA_TNIL) {
            return 1;
        }
        lua_pushinteger(L, at);
        lua_replace(L, lua_upvalueindex(3));
        lua_pushvalue(L, -1);
        if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) {
            return 2;
        }
        lua_pop(L, 2);
    }
}

/* Pushes a sorted list of the keys of the table at index 1. */
static void push_sorted_keys(lua_State *L)
{
    int64_t count = count_entries(L, 1);
    key *keys = lua_newuserdatauv(L, (size_t)(count + 1) * sizeof(key), 0);
    int64_t i = 0;
    for (lua_pushnil(L); lua_next(L, 1) != 0; lua_pop(L, 1)) {
        keys[i++] = read_key(L, -2);
    }
    qsort(keys, (size_t)count, sizeof(key), compare_keys);
    lua_createtable(L, count < INT32_MAX ? (int)count : INT32_MAX, 0);
    for (i = 0; i < count; i++) {
        push_key(L, &keys[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_remove(L, -2);
}

int sg_lua_order_keys(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    push_sorted_keys(L);
    return 1;
}

int sg_lua_order_pairs(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    lua_pushvalue(L, 1);
    push_sorted_keys(L);
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, walk, 3);
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    return 3;
}

int sg_lua_order_next(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 2);
    bool from_start = lua_isnil(L, 2);
    key after = {0};
    if (!from_start) {
        after = read_key(L, 2);
    }
    key best = {0};
    bool found = false;
    for (lua_pushnil(L); lua_next(L, 1) != 0; lua_pop(L, 1)) {
        key k = read_key(L, -2);
        if ((from_start || compare_keys(&k, &after) > 0) &&
            (!found || compare_keys(&k, &best) < 0)) {
            best = k;
            found = true;
        }
    }
    if (!found) {
        lua_pushnil(L);
        return 1;
    }
    push_key(L, &best);
    lua_pushvalue(L, -1);
    lua_rawget(L, 1);
    return 2;
}

/* Whether the value at stack index `a` sorts before the one at `b`. */
static bool comes_before(lua_State *L, int a, int b)
{
    if (lua_isnil(L, 2)) {
        return lua_compare(L, a, b, LUA_OPLT) != 0;
    }
    lua_pushvalue(L, 2);
    lua_pushvalue(L, a < 0 ? a - 1 : a);
    lua_pushvalue(L, b < 0 ? b - 2 : b);
    lua_call(L, 2, 1);
    bool result = lua_toboolean(L, -1) != 0;
    lua_pop(L, 1);
    return result;
}

/* Merges from[low, middle) and from[middle, high) into `to`; both are stack indices. */
static void merge(lua_State *L, int from, int to, lua_Integer low, lua_Integer middle,
                  lua_Integer high)
{
    lua_Integer left = low;
    lua_Integer right = middle;
    for (lua_Integer at = low; at < high; at++) {
        bool take_right = left == middle;
        if (left < middle && right < high) {
            lua_rawgeti(L, from, left);
            lua_rawgeti(L, from, right);
            take_right = comes_before(L, -1, -2);
            lua_pop(L, 2);
        }
        lua_rawgeti(L, from, take_right ? right++ : left++);
        lua_rawseti(L, to, at);
    }
}

int sg_lua_order_sort(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    if (!lua_isnoneornil(L, 2)) {
        luaL_checktype(L, 2, LUA_TFUNCTION);
    }
    lua_settop(L, 2);
    lua_Integer count = (lua_Integer)lua_rawlen(L, 1);
    /* bottom-up merge sort between two copies; the table is written once, at the end */
    for (int copy = 0; copy < 2; copy++) {
        lua_createtable(L, count < INT32_MAX ? (int)count : INT32_MAX, 0);
        for (lua_Integer i = 1; i <= count; i++) {
            lua_rawgeti(L, 1, i);
            lua_rawseti(L, -2, i);
        }
    }
    int from = 3;
    int to = 4;
    for (lua_Integer width = 1; width < count; width *= 2) {
        for (lua_Integer low = 1; low <= count; low += 2 * width) {
            lua_Integer middle = low + width < count + 1 ? low + width : count + 1;
            lua_Integer high = low + 2 * width < count + 1 ? low + 2 * width : count + 1;
            merge(L, from, to, low, middle, high);
        }
        int swap = from;
        from = to;
        to = swap;
    }
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, from, i);
        lua_rawseti(L, 1, i);
    }
    return 0;
}
