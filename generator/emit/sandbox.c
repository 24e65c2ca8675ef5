/* The Lua state that templates run in. Knows Lua, but not plans or templates. */
#include "emit/sandbox.h"

#include <lauxlib.h>

#include "lua/lua_state.h"

/* Lua names chunks "=chunk7" in sources and "chunk7:31: text" in messages. */
#define CHUNK "chunk"

sg_sandbox *sg_sandbox_of(lua_State *L)
{
    return (sg_sandbox *)sg_meter_of(L);
}

/* --- functions for templates ------------------------------------------------------------------ */

const char *sg_sandbox_text(lua_State *L, int index, size_t *len)
{
    switch (lua_type(L, index)) {
    case LUA_TSTRING:
    case LUA_TNUMBER:
    case LUA_TBOOLEAN:
    case LUA_TNIL:
        return luaL_tolstring(L, index, len);
    default:
        luaL_error(L, "a %s has no text", luaL_typename(L, index));
        return NULL;
    }
}

static int safe_tostring(lua_State *L)
{
    sg_sandbox_text(L, 1, NULL);
    return 1;
}

/* string.format without floats and addresses, which differ between machines and runs. */
static int safe_format(lua_State *L)
{
    const int n = lua_gettop(L);
    for (int i = 1; i <= n; ++i) {
        const int type = lua_type(L, i);
        if (type == LUA_TNUMBER && !lua_isinteger(L, i)) {
            return luaL_error(L, "argument %d of string.format is a float", i);
        }
        if (type != LUA_TNUMBER && type != LUA_TSTRING && type != LUA_TBOOLEAN) {
            return luaL_error(L, "argument %d of string.format is a %s", i, luaL_typename(L, i));
        }
    }
    return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

/* Pushes the result of `add` for the text argument. */
static int spell_text(lua_State *L, void (*add)(sg_buf *buf, const char *text, size_t len))
{
    size_t len = 0;
    const char *text = luaL_checklstring(L, 1, &len);
    sg_buf *scratch = &sg_sandbox_of(L)->scratch;
    scratch->len = 0;
    add(scratch, text, len);
    lua_pushlstring(L, scratch->len > 0 ? scratch->ptr : "", scratch->len);
    return 1;
}

static int json_text(lua_State *L)
{
    return spell_text(L, sg_buf_add_json);
}

static int visible_text(lua_State *L)
{
    return spell_text(L, sg_buf_add_visible);
}

static int no_such_global(lua_State *L)
{
    return luaL_error(L, "variable '%s' does not exist", luaL_checkstring(L, 2));
}

static int no_new_global(lua_State *L)
{
    return luaL_error(L, "variable '%s' is not local", luaL_checkstring(L, 2));
}

/* --- running ---------------------------------------------------------------------------------- */

/* Keeps the message on top of the stack. If it names a line, sets *line. */
static void keep_message(sg_sandbox *box, size_t *line)
{
    const char *text = lua_tostring(box->meter.L, -1);
    box->message.len = 0;
    sg_buf_addz(&box->message, text != NULL ? sg_lua_chunk_message(text, CHUNK, line) : "?");
}

/* Adds the line of a chunk, unless an inner frame was in the same chunk. */
static void add_place(sg_sandbox *box, int chunk, size_t line)
{
    for (int i = 0; i < box->nplaces; ++i) {
        if (box->places[i].chunk == chunk) {
            return;
        }
    }
    box->places[box->nplaces++] = (sg_sandbox_place){chunk, line};
}

static int on_error(lua_State *L)
{
    sg_sandbox *box = sg_sandbox_of(L);
    size_t line = 0;
    int chunk = 0;
    for (int level = 0; (chunk = sg_lua_chunk_running(L, CHUNK, &level, &line)) >= 0;) {
        add_place(box, chunk, line);
    }
    keep_message(box, &line);
    return 1;
}

/* Stack: on_error, function, arguments. Clears it. */
static bool run(sg_sandbox *box, int nargs)
{
    const bool ok = sg_lua_state_run(&box->meter, nargs);
    if (!ok && box->message.len == 0) {
        sg_buf_addz(&box->message, "not enough memory");
    }
    lua_settop(box->meter.L, 0);
    return ok;
}

bool sg_sandbox_load(lua_State *L, sg_str text, int chunk)
{
    sg_sandbox *box = sg_sandbox_of(L);
    size_t line = 0;
    if (sg_lua_chunk_load(L, text, CHUNK, chunk, &line) == LUA_OK) {
        return true;
    }
    keep_message(box, &line);
    add_place(box, chunk, line);
    return false;
}

/* Leaves on_error and the function on the stack. */
static bool load(sg_sandbox *box, sg_str text, int chunk)
{
    lua_pushcfunction(box->meter.L, on_error);
    return sg_sandbox_load(box->meter.L, text, chunk);
}

static void on_line(lua_State *L, lua_Debug *ar)
{
    sg_sandbox *box = sg_sandbox_of(L);
    lua_getinfo(L, "S", ar);
    const int chunk = sg_lua_chunk_number(ar->source, CHUNK);
    if (chunk >= 0) {
        box->watch(box, chunk, (size_t)ar->currentline);
    }
}

bool sg_sandbox_open(sg_sandbox *box, void *context, sg_sandbox_watch *watch)
{
    *box = (sg_sandbox){.meter = {.max_steps = SG_METER_NO_LIMIT,
                                  .max_memory = SIZE_MAX,
                                  .on_line = watch != NULL ? on_line : NULL},
                        .watch = watch,
                        .context = context};
    static const sg_lua_function own[] = {{"json", json_text},
                                          {"keys", sg_lua_order_keys},
                                          {"tostring", safe_tostring},
                                          {"visible", visible_text},
                                          {NULL, NULL}};
    return sg_lua_state_open(&box->meter, SG_LUA_TEMPLATE, own, safe_format);
}

void sg_sandbox_close(sg_sandbox *box)
{
    sg_meter_close(&box->meter);
    sg_buf_free(&box->message);
    sg_buf_free(&box->scratch);
}

bool sg_sandbox_prepare(sg_sandbox *box, lua_CFunction setup)
{
    lua_pushcfunction(box->meter.L, on_error);
    lua_pushcfunction(box->meter.L, setup);
    lua_pushglobaltable(box->meter.L);
    return run(box, 1);
}

bool sg_sandbox_prelude(sg_sandbox *box, sg_str text, int chunk)
{
    return load(box, text, chunk) && run(box, 0);
}

static int freeze_globals(lua_State *L)
{
    lua_createtable(L, 0, 2);
    lua_pushcfunction(L, no_such_global);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, no_new_global);
    lua_setfield(L, -2, "__newindex");
    lua_setmetatable(L, 1);
    return 0;
}

bool sg_sandbox_template(sg_sandbox *box, sg_str text, int chunk, lua_CFunction emit)
{
    if (!sg_sandbox_prepare(box, freeze_globals) || !load(box, text, chunk)) {
        return false;
    }
    lua_pushcfunction(box->meter.L, emit);
    return run(box, 1);
}
