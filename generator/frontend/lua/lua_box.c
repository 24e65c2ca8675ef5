/* Ops as Lua values. A field is built anew on each access, so a spec that changes a list it got
 * does not change the op. */
#include "frontend/lua/lua_box.h"

#include <stddef.h>
#include <string.h>

#include <lauxlib.h>

#include "frontend/lua/lua_host.h"
#include "frontend/lua/lua_value.h"
#include "split/names.h"

#define OP_TYPE "splitgen op"

typedef struct op_box {
    sg_op *op; /* NULL: the call made no op */
    bool ok;   /* false: an error was reported */
} op_box;

bool sg_lua_box_op(lua_State *L, int index, const sg_op **op, bool *ok)
{
    const op_box *box = luaL_testudata(L, index, OP_TYPE);
    *op = box != NULL ? box->op : NULL;
    *ok = box != NULL && box->ok;
    return box != NULL;
}

void sg_lua_box_push(lua_State *L, sg_op *op, bool ok)
{
    op_box *box = lua_newuserdatauv(L, sizeof *box, 0);
    box->op = op;
    box->ok = ok;
    luaL_setmetatable(L, OP_TYPE);
}

/* --- fields ----------------------------------------------------------------------------------- */

static void push_text(lua_State *L, const void *at)
{
    const sg_op_text *text = at;
    if (text->present) {
        lua_pushstring(L, text->text);
    } else {
        lua_pushnil(L);
    }
}

static void push_int(lua_State *L, const void *at)
{
    const sg_op_int *number = at;
    if (number->present) {
        lua_pushinteger(L, number->value);
    } else {
        lua_pushnil(L);
    }
}

static void push_list(lua_State *L, const void *at)
{
    const sg_op_list *list = at;
    if (!list->present) {
        lua_pushnil(L);
        return;
    }
    lua_newtable(L);
    for (int64_t i = 0; i < list->count; i++) {
        if (list->items[i].nopen > 0) {
            sg_lua_value_push_free(L, &list->items[i]);
        } else {
            lua_pushinteger(L, list->items[i].value);
        }
        lua_rawseti(L, -2, i + 1);
    }
}

/* Pushes false for "" and NULL: the part is unwanted. */
static void push_output(lua_State *L, const char *name, int64_t number)
{
    if (name == NULL || name[0] == '\0') {
        lua_pushboolean(L, 0);
    } else {
        lua_pushstring(L, name);
    }
    lua_rawseti(L, -2, number);
}

/* Pushes the `inputs` of a concat (joins) or the `outputs` of a split; nil for the other kind. */
static void push_parts(lua_State *L, const sg_op *op, bool joins)
{
    const sg_op_outputs *outputs = &op->outputs;
    if (!outputs->present || sg_op_joins(op->kind) != joins) {
        lua_pushnil(L);
        return;
    }
    if (outputs->is_count) {
        lua_pushinteger(L, outputs->count);
        return;
    }
    lua_newtable(L);
    for (int64_t i = 0; i < outputs->count; i++) {
        push_output(L, outputs->items[i].name, i + 1);
    }
}

static void push_outputs(lua_State *L, const void *at)
{
    push_parts(L, at, false);
}

static void push_inputs(lua_State *L, const void *at)
{
    push_parts(L, at, true);
}

/* Pushes nil for a node without a name. */
static void push_origin(lua_State *L, const void *at)
{
    const char *text = *(const char *const *)at;
    if (text == NULL || text[0] == '\0') {
        lua_pushnil(L);
    } else {
        lua_pushstring(L, text);
    }
}

static void push_path(lua_State *L, const void *at)
{
    const sg_op_origin *origin = at;
    lua_newtable(L);
    for (int64_t i = 0; i < origin->npath; i++) {
        lua_pushstring(L, origin->path[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

/* Pushes nil if the op is not a slice group. */
static void push_nodes(lua_State *L, const void *at)
{
    const sg_op_origin *origin = at;
    if (origin->nodes == NULL) {
        lua_pushnil(L);
        return;
    }
    lua_newtable(L);
    for (int64_t i = 0; i < origin->nnodes; i++) {
        lua_pushstring(L, origin->nodes[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

/* A field is read from a member of the op or of its origin; nil if the op has no origin. */
typedef struct op_field {
    const char *word;
    void (*push)(lua_State *L, const void *at);
    size_t offset;
    bool of_origin;
} op_field;

static const op_field fields[] = {
    {"name", push_text, offsetof(sg_op, name), false},
    {"node", push_origin, offsetof(sg_op_origin, node), true},
    {"op_type", push_origin, offsetof(sg_op_origin, op_type), true},
    {"nodes", push_nodes, 0, true},
    {"path", push_path, 0, true},
    {"input", push_origin, offsetof(sg_op_origin, input), true},
    {"outputs", push_outputs, 0, false},
    {"inputs", push_inputs, 0, false},
    {"shape", push_list, offsetof(sg_op, shape), false},
    {"lengths", push_list, offsetof(sg_op, lengths), false},
    {"parts", push_int, offsetof(sg_op, parts), false},
    {"axis", push_int, offsetof(sg_op, axis), false},
    {"dtype", push_text, offsetof(sg_op, dtype), false},
    {"opset", push_int, offsetof(sg_op, opset), false},
    {"row_stride", push_int, offsetof(sg_op, row_stride), false},
    {"strides", push_list, offsetof(sg_op, strides), false},
};
enum { NFIELDS = sizeof fields / sizeof fields[0] };

/* Pushes the field. Returns false if there is no field of this name. */
static bool push_field(lua_State *L, const sg_op *op, const char *name)
{
    const op_field *field = fields;
    while (field < fields + NFIELDS && strcmp(field->word, name) != 0) {
        field++;
    }
    if (field == fields + NFIELDS) {
        return false;
    }
    const void *base = field->of_origin ? (const void *)op->origin : op;
    if (base == NULL) {
        lua_pushnil(L);
    } else {
        field->push(L, (const char *)base + field->offset);
    }
    return true;
}

/* The place of "op.word" on the line that is running, or that line. */
static sg_span member_span(lua_State *L, const char *word)
{
    const sg_lua_place place = sg_lua_host_place(L);
    sg_span span = sg_lua_host_line(sg_lua_host_of(L), place);
    if (place.chunk != NULL) {
        (void)sg_lua_scan_find(place.chunk->tokens, place.line, sg_str_from(word), true, &span);
    }
    return span;
}

static int op_index(lua_State *L)
{
    const op_box *box = luaL_checkudata(L, 1, OP_TYPE);
    if (box->op == NULL || !box->ok) {
        return sg_lua_value_push_unknown(L);
    }
    if (lua_type(L, 2) != LUA_TSTRING) {
        return sg_lua_raise(L, SG_EXIT_INPUT, member_span(L, ""),
                            "an op has named fields, but is written as a list: %s is none of them",
                            sg_lua_value_describe(L, 2));
    }
    const char *name = lua_tostring(L, 2);
    if (push_field(L, box->op, name)) {
        return 1;
    }
    const char *words[NFIELDS];
    const char *all = "";
    for (int i = 0; i < NFIELDS; i++) {
        words[i] = fields[i].word;
        all = sg_arena_printf(sg_lua_host_of(L)->arena, "%s%s%s", all, i > 0 ? ", " : "", words[i]);
    }
    const char *near = sg_suggest(sg_str_from(name), words, NFIELDS);
    if (near != NULL) {
        return sg_lua_raise(L, SG_EXIT_INPUT, member_span(L, name),
                            "an op has no field '%s'; did you mean '%s'?", name, near);
    }
    return sg_lua_raise(L, SG_EXIT_INPUT, member_span(L, name),
                        "an op has no field '%s'; its fields are %s", name, all);
}

static int op_newindex(lua_State *L)
{
    sg_lua_host *host = sg_lua_host_of(L);
    const op_box *box = luaL_checkudata(L, 1, OP_TYPE);
    const char *word = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
    const sg_span span = member_span(L, word);
    if (strcmp(word, "name") != 0) {
        return sg_lua_raise(L, SG_EXIT_INPUT, span,
                            "only the name of an op can be set, not %s; for another op, write "
                            "split { ... }",
                            sg_lua_value_describe(L, 2));
    }
    if (box->op == NULL || sg_lua_value_unknown(L, 3)) {
        return 0;
    }
    size_t len = 0;
    const char *name = lua_type(L, 3) == LUA_TSTRING ? lua_tolstring(L, 3, &len) : NULL;
    if (name == NULL || strlen(name) != len) {
        return sg_lua_raise(L, SG_EXIT_INPUT, span, "'name' must be a string%s, not %s",
                            name != NULL ? " without a zero byte" : "",
                            sg_lua_value_describe(L, 3));
    }
    if (len > SG_NAME_MAX) {
        return sg_lua_raise(L, SG_EXIT_INPUT, span, "'name' has %zu bytes; names have at most %d",
                            len, SG_NAME_MAX);
    }
    sg_meter_reserve(L, len);
    name = sg_arena_strndup(host->arena, name, len);
    box->op->name = (sg_op_text){true, name, span};
    box->op->subject->name = name;
    return 0;
}

static int op_tostring(lua_State *L)
{
    lua_pushliteral(L, "op");
    return 1;
}

void sg_lua_box_open(lua_State *L)
{
    static const luaL_Reg events[] = {{"__tostring", op_tostring},
                                      {"__index", op_index},
                                      {"__newindex", op_newindex},
                                      {NULL, NULL}};
    luaL_newmetatable(L, OP_TYPE);
    luaL_setfuncs(L, events, 0);
    lua_pushliteral(L, "op");
    lua_setfield(L, -2, "__name");
    lua_pushliteral(L, "splitgen");
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
}
