/* The model as Lua objects. An object is a userdata that points to a structure and names its type;
 * a list points to an array. A field is found by name in a Lua table made once per type. */
#include "emit/push.h"

#include <lauxlib.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/text.h"
#include "emit/fields.h"

typedef struct object {
    const void *at;
    const sg_type *of;
} object;

typedef struct list {
    const void *at;
    int64_t count;
    sg_field_kind kind; /* SG_FIELD_LIST, SG_FIELD_REFS or SG_FIELD_INTS */
    const sg_type *of;
} list;

/* The registry key of the metatable of lists: only its address matters. */
static const char list_key = 0;

static void push_object(lua_State *L, const sg_type *of, const void *at)
{
    object *made = lua_newuserdatauv(L, sizeof *made, 0);
    *made = (object){at, of};
    lua_rawgetp(L, LUA_REGISTRYINDEX, of);
    lua_setmetatable(L, -2);
}

static void push_one(lua_State *L, const sg_type *of, const void *at)
{
    if (at != NULL) {
        push_object(L, of, at);
    } else {
        lua_pushnil(L);
    }
}

static void push_list(lua_State *L, const sg_field *f, const void *at, int64_t count)
{
    list *made = lua_newuserdatauv(L, sizeof *made, 0);
    *made = (list){at, count, f->kind, f->of};
    lua_rawgetp(L, LUA_REGISTRYINDEX, &list_key);
    lua_setmetatable(L, -2);
}

static void push_field(lua_State *L, const object *self, const sg_field *f)
{
    const char *at = (const char *)self->at + f->offset;
    if (f->unless != NULL && !*(const bool *)((const char *)self->at + f->only_if)) {
        luaL_error(L, "'%s' of this %s is not known: %s", f->name, self->of->name, f->unless);
    }
    const sg_type *of = f->of;
    switch (f->kind) {
    case SG_FIELD_TEXT:
        lua_pushstring(L, *(const char *const *)(const void *)at);
        return;
    case SG_FIELD_INT:
        lua_pushinteger(L, *(const int64_t *)(const void *)at);
        return;
    case SG_FIELD_FLAG:
        lua_pushboolean(L, *(const bool *)at);
        return;
    case SG_FIELD_LIST:
    case SG_FIELD_REFS:
    case SG_FIELD_INTS:
        push_list(L, f, *(const void *const *)(const void *)at,
                  *(const int64_t *)(const void *)((const char *)self->at + f->count));
        return;
    case SG_FIELD_ONE:
        push_one(L, f->of, *(const void *const *)(const void *)at);
        return;
    case SG_FIELD_CALL:
        at = f->get(self->at, &of);
        push_object(L, of, at);
        return;
    }
}

/* Upvalues: a table from field names to descriptions, or to texts of the unit; the watch. */
static int object_index(lua_State *L)
{
    const object *self = lua_touserdata(L, 1);
    lua_pushvalue(L, 2);
    lua_rawget(L, lua_upvalueindex(1));
    if (lua_type(L, -1) == LUA_TSTRING) {
        return 1;
    }
    const sg_field *f = lua_touserdata(L, -1);
    if (f == NULL) {
        return luaL_error(L, "'%s' of this %s does not exist", luaL_checkstring(L, 2),
                          self->of->name);
    }
    const sg_emit_watch *watch = lua_touserdata(L, lua_upvalueindex(2));
    if (watch != NULL && watch->field != NULL) {
        watch->field(watch->user, (size_t)(self->of - sg_types), (size_t)(f - self->of->fields));
    }
    push_field(L, self, f);
    return 1;
}

/* Upvalue: the variable that receives the number of the kernel being read. */
static int list_index(lua_State *L)
{
    const list *self = lua_touserdata(L, 1);
    const lua_Integer index = luaL_checkinteger(L, 2);
    const bool inside = index >= 1 && index <= self->count;
    if (self->of == &sg_types[SG_TYPE_kernel]) {
        int64_t *current = lua_touserdata(L, lua_upvalueindex(1));
        *current = inside ? index - 1 : -1;
    }
    if (!inside) {
        lua_pushnil(L);
        return 1;
    }
    if (self->kind == SG_FIELD_INTS) {
        lua_pushinteger(L, ((const int64_t *)self->at)[index - 1]);
    } else if (self->kind == SG_FIELD_REFS) {
        push_object(L, self->of, ((const void *const *)self->at)[index - 1]);
    } else {
        const size_t before = (size_t)(index - 1) * self->of->size;
        push_object(L, self->of, (const char *)self->at + before);
    }
    return 1;
}

const int64_t *sg_push_integers_of(lua_State *L, int index, int64_t *count)
{
    static const int64_t none = 0;
    if (lua_type(L, index) != LUA_TUSERDATA || lua_getmetatable(L, index) == 0) {
        return NULL;
    }
    lua_rawgetp(L, LUA_REGISTRYINDEX, &list_key);
    const list *self = lua_rawequal(L, -1, -2) ? lua_touserdata(L, index) : NULL;
    lua_pop(L, 2);
    if (self == NULL || self->kind != SG_FIELD_INTS) {
        return NULL;
    }
    *count = self->count;
    return self->at != NULL ? self->at : &none;
}

static int list_len(lua_State *L)
{
    const list *self = lua_touserdata(L, 1);
    lua_pushinteger(L, self->count);
    return 1;
}

/* unit: its texts become fields too; or NULL. */
static void open_type(lua_State *L, const sg_type *of, const sg_unit *unit,
                      const sg_emit_watch *watch)
{
    lua_createtable(L, 0, 4);
    lua_createtable(L, 0, (int)of->nfields);
    for (int64_t i = 0; unit != NULL && i < unit->ntexts; ++i) {
        lua_pushstring(L, unit->texts[i].text);
        lua_setfield(L, -2, unit->texts[i].name);
    }
    for (size_t i = 0; i < of->nfields; ++i) {
        /* Lua stores light userdata without const; it is only read. */
        lua_pushlightuserdata(L, (void *)&of->fields[i]);
        lua_setfield(L, -2, of->fields[i].name);
    }
    lua_pushlightuserdata(L, (void *)watch);
    lua_pushcclosure(L, object_index, 2);
    lua_setfield(L, -2, "__index");
    lua_rawsetp(L, LUA_REGISTRYINDEX, of);
}

void sg_push_open(lua_State *L, const sg_model *model, int64_t *current, const sg_emit_watch *watch)
{
    for (int i = 0; i < SG_TYPE_COUNT; ++i) {
        open_type(L, &sg_types[i], i == SG_TYPE_unit ? model->unit : NULL, watch);
    }
    lua_createtable(L, 0, 5);
    lua_pushlightuserdata(L, current);
    lua_pushcclosure(L, list_index, 1);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, list_len);
    lua_setfield(L, -2, "__len");
    lua_rawsetp(L, LUA_REGISTRYINDEX, &list_key);
}

void sg_push_model(lua_State *L, const sg_model *model)
{
    push_object(L, &sg_types[SG_TYPE_unit], model);
}
