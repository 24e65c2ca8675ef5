/* The Lua state that templates run in. Knows Lua and its dangers, but not plans or templates. */
#include "emit/sandbox.h"

#include <lauxlib.h>
#include <string.h>

#include "emit/push.h"
#include "lua/lua_state.h"

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

/* string.format without floats, addresses, and the formats that print them. */
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
    const char *format = luaL_checkstring(L, 1);
    for (const char *at = strchr(format, '%'); at != NULL; at = strchr(at, '%')) {
        at += 1 + strspn(at + 1, "-+ #0123456789.");
        if (*at == '\0' || strchr("aAeEfgGp", *at) != NULL) {
            return luaL_error(L, "string.format does not take '%%%c' here", *at);
        }
        ++at;
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

/* Called for a global that does not exist. Upvalue: the globals. */
static int no_such_global(lua_State *L)
{
    if (lua_type(L, 2) != LUA_TSTRING) {
        return luaL_error(L, "globals have names, not a %s", luaL_typename(L, 2));
    }
    return sg_push_unknown(L, "variable", lua_tostring(L, 2), lua_upvalueindex(1));
}

static int no_new_global(lua_State *L)
{
    if (lua_type(L, 2) == LUA_TSTRING) {
        return luaL_error(L, "variable '%s' is not local", lua_tostring(L, 2));
    }
    return luaL_error(L, "globals have names, not a %s", luaL_typename(L, 2));
}

/* --- running ---------------------------------------------------------------------------------- */

/* Lua names chunks "=chunk7" in sources and "chunk7:31: text" in messages. */
#define CHUNK "chunk"

/* Keeps the message on top of the stack. If it names a line, sets *line. */
static void keep_message(sg_sandbox *box, size_t *line)
{
    lua_State *L = box->meter.L;
    const char *text =
        lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "an error without a message";
    box->message.len = 0;
    for (text = sg_lua_chunk_message(text, CHUNK, line); *text != '\0'; ++text) {
        sg_buf_addc(&box->message, *text == '\n' ? ' ' : *text);
    }
    sg_buf_add(&box->message, "", 0);
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

/* The chunks that are running, innermost first. Allocates nothing. */
static void add_running(sg_sandbox *box, lua_State *L)
{
    size_t line = 0;
    int chunk = 0;
    for (int level = 0; (chunk = sg_lua_chunk_running(L, CHUNK, &level, &line)) >= 0;) {
        add_place(box, chunk, line);
    }
}

/* Notes the place where a budget was used up, which no message handler sees. */
static void note_place(sg_meter *meter, lua_State *L)
{
    sg_sandbox *box = (sg_sandbox *)meter;
    box->nplaces = 0;
    add_running(box, L);
}

static int on_error(lua_State *L)
{
    sg_sandbox *box = sg_sandbox_of(L);
    if (box->meter.spent == SG_METER_SPENT_NOTHING) {
        box->nplaces = 0;
    }
    add_running(box, L);
    size_t line = 0;
    keep_message(box, &line);
    return 1;
}

static void keep_budget_message(sg_sandbox *box)
{
    box->exhausted = true;
    box->message.len = 0;
    sg_buf_printf(&box->message, "the template %s; %s", sg_meter_explain(&box->meter).text,
                  box->meter.spent == SG_METER_SPENT_MEMORY
                      ? "print what it makes bit by bit"
                      : "does it have a loop that never ends?");
}

/* Clears the stack. */
static sg_sandbox_result ended(const sg_sandbox *box, bool ok)
{
    lua_settop(box->meter.L, 0);
    return ok ? SG_SANDBOX_OK : box->exhausted ? SG_SANDBOX_BUDGET : SG_SANDBOX_ERROR;
}

/* Stack: on_error, function, arguments. */
static sg_sandbox_result run(sg_sandbox *box, int nargs)
{
    box->nplaces = 0;
    const bool ok = sg_lua_state_run(&box->meter, nargs);
    if (!ok && box->meter.spent != SG_METER_SPENT_NOTHING) {
        keep_budget_message(box);
    }
    return ended(box, ok);
}

/* Keeps the reason why a text was not loaded, from the message on the stack, and returns its line.
 */
static size_t keep_load_error(sg_sandbox *box, int status, size_t line)
{
    if (status == LUA_ERRMEM) {
        box->meter.spent = SG_METER_SPENT_MEMORY;
    }
    if (box->meter.spent != SG_METER_SPENT_NOTHING) {
        keep_budget_message(box);
        return line;
    }
    /* Lua gives no line if a limit of its compiler is exceeded. */
    keep_message(box, &line);
    if (strstr(box->message.ptr, "C stack overflow") != NULL) {
        box->message.len = 0;
        sg_buf_addz(&box->message, "this is nested too deeply for Lua, which stops at 200 levels");
    }
    return line;
}

bool sg_sandbox_load(lua_State *L, sg_str text, int chunk)
{
    sg_sandbox *box = sg_sandbox_of(L);
    size_t line = 0;
    const int status = sg_lua_chunk_load(L, text, CHUNK, chunk, &line);
    if (status == LUA_OK) {
        return true;
    }
    box->nplaces = 0;
    add_place(box, chunk, keep_load_error(box, status, line));
    lua_pop(L, 1);
    return false;
}

int sg_sandbox_raise(lua_State *L)
{
    const sg_sandbox *box = sg_sandbox_of(L);
    return luaL_error(L, "%s", box->message.len > 0 ? box->message.ptr : "not loaded");
}

/* Leaves on_error and the function on the stack. */
static sg_sandbox_result load(sg_sandbox *box, sg_str text, int chunk)
{
    lua_pushcfunction(box->meter.L, on_error);
    if (sg_sandbox_load(box->meter.L, text, chunk)) {
        return SG_SANDBOX_OK;
    }
    return ended(box, false);
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

bool sg_sandbox_open(sg_sandbox *box, sg_sandbox_limits limits, void *context,
                     sg_sandbox_watch *watch)
{
    *box = (sg_sandbox){.meter = {.max_steps = limits.steps,
                                  .max_memory = limits.memory,
                                  .on_line = watch != NULL ? on_line : NULL,
                                  .note_place = note_place},
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

sg_sandbox_result sg_sandbox_prepare(sg_sandbox *box, lua_CFunction setup)
{
    lua_pushcfunction(box->meter.L, on_error);
    lua_pushcfunction(box->meter.L, setup);
    lua_pushglobaltable(box->meter.L);
    return run(box, 1);
}

sg_sandbox_result sg_sandbox_prelude(sg_sandbox *box, sg_str text, int chunk)
{
    const sg_sandbox_result result = load(box, text, chunk);
    return result == SG_SANDBOX_OK ? run(box, 0) : result;
}

static int freeze_globals(lua_State *L)
{
    lua_createtable(L, 0, 3);
    lua_pushvalue(L, 1);
    lua_pushcclosure(L, no_such_global, 1);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, no_new_global);
    lua_setfield(L, -2, "__newindex");
    lua_setmetatable(L, 1);
    return 0;
}

sg_sandbox_result sg_sandbox_template(sg_sandbox *box, sg_str text, int chunk, lua_CFunction emit)
{
    sg_sandbox_result result = sg_sandbox_prepare(box, freeze_globals);
    if (result == SG_SANDBOX_OK) {
        result = load(box, text, chunk);
    }
    if (result == SG_SANDBOX_OK) {
        lua_pushcfunction(box->meter.L, emit);
        result = run(box, 1);
    }
    return result;
}

bool sg_sandbox_is_expr(sg_sandbox *box, sg_str text)
{
    /* With parentheses, as in the chunk; and without, so that it cannot close them itself. */
    static const char *const forms[][2] = {{"return (", ")"}, {"return ", ""}};
    bool is_expr = true;
    sg_buf chunk = {0};
    for (size_t i = 0; is_expr && i < sizeof forms / sizeof forms[0]; ++i) {
        chunk.len = 0;
        sg_buf_addz(&chunk, forms[i][0]);
        sg_buf_add(&chunk, text.ptr, text.len);
        sg_buf_addz(&chunk, forms[i][1]);
        size_t line = 0;
        const int status =
            sg_meter_load(box->meter.L, (sg_str){chunk.ptr, chunk.len}, "=" CHUNK, &line);
        is_expr = status == LUA_OK;
        if (!is_expr) {
            (void)keep_load_error(box, status, line);
        }
        lua_pop(box->meter.L, 1);
    }
    sg_buf_free(&chunk);
    return is_expr;
}
