/* Gives Lua the arithmetic on open sizes. */
#include "shapes/sum_lua.h"

#include <inttypes.h>
#include <string.h>

#include <lauxlib.h>

#include "base/checked.h"

static const char owner_key = 0;
static const char kept_key = 0; /* text of a sum -> the sum */

static const sg_sum none = {.over = true};

static sg_sum_lua *owner_of(lua_State *L)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &owner_key);
    sg_sum_lua *owner = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return owner;
}

/* Pushes the one copy of a sum. */
static const sg_sum *push_kept(lua_State *L, const sg_sum *sum)
{
    sg_sum_lua *owner = owner_of(L);
    const char *key = sg_sum_text(&owner->scratch, sum, SG_SUM_KEY);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &kept_key);
    if (lua_getfield(L, -1, key) == LUA_TNIL) {
        lua_pushlightuserdata(L, sg_sum_copy(owner->kept, sum));
        lua_pushvalue(L, -1);
        lua_setfield(L, -4, key);
    }
    return lua_touserdata(L, -1);
}

void sg_sum_lua_push(lua_State *L, const sg_sum *sum)
{
    const char *name = sg_sum_only_name(sum);
    if (sum->over) {
        lua_pushboolean(L, false);
    } else if (sg_sum_is_number(sum)) {
        lua_pushinteger(L, sg_sum_constant(sum));
    } else if (name != NULL && !sg_sum_is_nameless(name)) {
        lua_pushstring(L, name);
    } else {
        const int top = lua_gettop(L) + 1;
        (void)push_kept(L, sum);
        lua_replace(L, top);
        lua_settop(L, top);
    }
}

/* Reads a sum into scratch; over: the value is none. */
static sg_sum read(lua_State *L, int index)
{
    sg_arena *scratch = &owner_of(L)->scratch;
    size_t len = 0;
    int whole = 0;
    if (lua_islightuserdata(L, index)) {
        return *(const sg_sum *)lua_touserdata(L, index);
    }
    if (lua_type(L, index) == LUA_TSTRING) {
        const char *name = lua_tolstring(L, index, &len);
        return strlen(name) == len && sg_sum_may_be_name(name) ? sg_sum_name(scratch, name) : none;
    }
    /* f32 represents every integer up to this limit */
    const lua_Number number = lua_isinteger(L, index) ? 0 : lua_tonumber(L, index);
    const lua_Integer integer = lua_tointegerx(L, index, &whole);
    return whole != 0 && number >= 0 && number <= 1 << 24 ? sg_sum_number(scratch, integer) : none;
}

const sg_sum *sg_sum_lua_to(lua_State *L, int index)
{
    sg_arena_free(&owner_of(L)->scratch);
    const sg_sum sum = read(L, index);
    const int top = lua_gettop(L);
    const sg_sum *kept = sum.over ? NULL : push_kept(L, &sum);
    lua_settop(L, top);
    return kept;
}

/* The operand of a sum. A product of two sums stays one, so it is none. */
static sg_sum read_expanded(lua_State *L, int index)
{
    const sg_sum sum = read(L, index);
    const sg_sum_term *term = sum.terms;
    const bool two = sum.count > 0 && term->count > 1 && term->factors[term->count - 2].sum != NULL;
    return two ? none : sg_sum_expanded(&owner_of(L)->scratch, &sum);
}

static bool is_number(lua_State *L, int index, lua_Number number)
{
    return lua_type(L, index) == LUA_TNUMBER && lua_tonumber(L, index) == number;
}

static int calculate_numbers(lua_State *L, int operator)
{
    int64_t result = 0;
    const int64_t a = lua_tointeger(L, 1);
    const int64_t b = lua_tointeger(L, 2);
    if (!lua_isinteger(L, 1) || !lua_isinteger(L, 2)) {
        lua_arith(L, operator);
    } else if (operator== LUA_OPADD ? sg_add64(a, b, &result) :
               operator== LUA_OPSUB ? sg_sub64(a, b, &result)
                                    : sg_mul64(a, b, &result)) {
        lua_pushinteger(L, result);
    } else {
        lua_pushboolean(L, false);
    }
    return 1;
}

/* Upvalue 1: the operator. */
static int calculate(lua_State *L)
{
    const int operator=(int) lua_tointeger(L, lua_upvalueindex(1));
    const bool adds = operator== LUA_OPADD || operator== LUA_OPSUB;
    const lua_Number neutral = adds ? 0 : 1;
    lua_settop(L, 2);
    if (operator== LUA_OPMUL &&(is_number(L, 1, 0) || is_number(L, 2, 0))) {
        lua_pushinteger(L, 0);
        return 1;
    }
    if (operator!= LUA_OPIDIV && is_number(L, 2, neutral)) {
        lua_pushvalue(L, 1);
        return 1;
    }
    if ((operator== LUA_OPADD || operator== LUA_OPMUL) && is_number(L, 1, neutral)) {
        return 1;
    }
    if (operator!= LUA_OPIDIV && lua_type(L, 1) == LUA_TNUMBER && lua_type(L, 2) == LUA_TNUMBER) {
        return calculate_numbers(L, operator);
    }
    sg_arena *scratch = &owner_of(L)->scratch;
    sg_arena_free(scratch);
    const sg_sum a = adds ? read_expanded(L, 1) : read(L, 1);
    const sg_sum b = adds ? read_expanded(L, 2) : read(L, 2);
    const sg_sum result = adds ? sg_sum_add(scratch, &a, &b, operator== LUA_OPADD ? 1 : - 1) :
                          operator== LUA_OPMUL ? sg_sum_times(scratch, &a, &b)
                                               : sg_sum_quotient(scratch, &a, &b);
    const sg_sum dim = sg_sum_factored(scratch, &result);
    sg_sum_lua_push(L, &dim);
    return 1;
}

static int is_positive(lua_State *L)
{
    lua_settop(L, 1);
    sg_arena_free(&owner_of(L)->scratch);
    const sg_sum sum = read_expanded(L, 1);
    lua_pushboolean(L, sg_sum_is_positive(&sum));
    return 1;
}

static int most(lua_State *L)
{
    int64_t value = 0;
    lua_settop(L, 1);
    sg_arena_free(&owner_of(L)->scratch);
    const sg_sum sum = read(L, 1);
    const sg_sum largest = sg_sum_value(&sum, sg_sum_most, NULL, &value)
                               ? sg_sum_number(&owner_of(L)->scratch, value)
                               : none;
    sg_sum_lua_push(L, &largest);
    return 1;
}

/* A name that no dim has, made from the first name in the size: "H__1". */
static const char *follower_name(sg_sum_lua *owner, const sg_sum *from)
{
    sg_sum_names names = {0};
    sg_sum_add_names(&owner->scratch, from, &names);
    const char *stem = sg_sum_stem(owner->kept, names.items[0]);
    const char *name = NULL;
    int64_t number = 1;
    do {
        name = sg_sum_follower_name(owner->kept, stem, number++);
    } while (sg_nameset_find(&owner->followers, name) != NULL ||
             owner->is_taken(owner->context, sg_sum_name_text(NULL, name, SG_SUM_NUMBERED)));
    return name;
}

static int floored(lua_State *L)
{
    sg_sum_lua *owner = owner_of(L);
    sg_sum_follower made = {.more = luaL_checkinteger(L, 2),
                            .by = luaL_checkinteger(L, 3),
                            .most = luaL_optinteger(L, 4, INT64_MAX)};
    made.from =
        owner->expected != NULL && made.by > 0 && made.most > 0 ? sg_sum_lua_to(L, 1) : NULL;
    if (made.from == NULL || sg_sum_is_number(made.from) ||
        !sg_sum_followed(&made, owner->expected, owner->context, &made.expected)) {
        lua_pushboolean(L, false);
        return 1;
    }
    made.expected = made.expected > 0 ? made.expected : 1;
    const char *key =
        sg_arena_printf(owner->kept, "%" PRId64 " %" PRId64 " %" PRId64 " %s", made.more, made.by,
                        made.most, sg_sum_text(&owner->scratch, made.from, SG_SUM_KEY));
    const sg_nameset_entry *entry = sg_nameset_find(&owner->followers, key);
    if (entry == NULL) {
        made.name = follower_name(owner, made.from);
        owner->list = SG_GROWN(owner->kept, owner->list, owner->count, owner->capacity);
        owner->list[owner->count] = made;
        sg_nameset_add(&owner->followers, made.name, owner->count);
        sg_nameset_add(&owner->followers, key, owner->count++);
        entry = sg_nameset_find(&owner->followers, key);
    }
    const sg_sum size = sg_sum_name(&owner->scratch, owner->list[entry->value].name);
    sg_sum_lua_push(L, &size);
    return 1;
}

static int text(lua_State *L)
{
    sg_arena *scratch = &owner_of(L)->scratch;
    if (lua_type(L, 1) == LUA_TNUMBER) {
        luaL_tolstring(L, 1, NULL);
        return 1;
    }
    sg_arena_free(scratch);
    const sg_sum sum = read(L, 1);
    lua_pushstring(L, sum.over ? "?" : sg_sum_text(scratch, &sum, SG_SUM_SHOWN));
    return 1;
}

void sg_sum_lua_open(lua_State *L, sg_sum_lua *owner)
{
    static const luaL_Reg functions[] = {{"is_positive", is_positive},
                                         {"most", most},
                                         {"floored", floored},
                                         {"text", text},
                                         {NULL, NULL}};
    static const struct {
        const char *name;
        const char *event;
        int operator;
    } operators[] = {{"add", "__add", LUA_OPADD},
                     {"sub", "__sub", LUA_OPSUB},
                     {"mul", "__mul", LUA_OPMUL},
                     {"quotient", "__idiv", LUA_OPIDIV}};
    lua_pushlightuserdata(L, owner);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &owner_key);
    lua_newtable(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &kept_key);
    luaL_newlib(L, functions);
    lua_pushlightuserdata(L, owner); /* its metatable is that of all such values */
    lua_newtable(L);
    lua_pushcfunction(L, text);
    lua_setfield(L, -2, "__tostring");
    lua_pushliteral(L, ""); /* names are strings */
    lua_getmetatable(L, -1);
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; ++i) {
        lua_pushinteger(L, operators[i].operator);
        lua_pushcclosure(L, calculate, 1);
        lua_pushvalue(L, -1);
        lua_setfield(L, -3, operators[i].event);
        lua_pushvalue(L, -1);
        lua_setfield(L, -5, operators[i].event);
        lua_setfield(L, -6, operators[i].name);
    }
    lua_pop(L, 2);
    lua_setmetatable(L, -2);
    lua_pop(L, 1);
}
