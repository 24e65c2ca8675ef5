/* The Lua state templates run in. Knows Lua and its dangers, nothing about plans or templates. */
#include "emit/sandbox.h"

#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emit/push.h"

/* The count hook runs once per this many VM instructions. */
#define HOOK_STEPS 10000

/* Percent of the live heap at which the collector starts again. */
#define GC_PAUSE 1000

static const char globals_key = 0;

static void *capped_alloc(void *context, void *old, size_t old_size, size_t size)
{
    sg_sandbox *box = context;
    const size_t had = old != NULL ? old_size : 0;
    if (size == 0) {
        free(old);
        box->used -= had;
        return NULL;
    }
    if (size > had && size - had > box->limits.memory - box->used) {
        return NULL;
    }
    void *made = realloc(old, size);
    if (made != NULL) {
        box->used = box->used - had + size;
    }
    return made;
}

sg_sandbox *sg_sandbox_of(lua_State *L)
{
    void *context = NULL;
    (void)lua_getallocf(L, &context);
    return context;
}

static void count_steps(lua_State *L, lua_Debug *ar)
{
    sg_sandbox *box = sg_sandbox_of(L);
    (void)ar;
    box->steps += HOOK_STEPS;
    if (box->steps > box->limits.steps) {
        box->exhausted = true;
        luaL_error(L, "the template is still running after %I instructions",
                   (LUAI_UACINT)box->limits.steps);
    }
}

/* --- what templates may call ------------------------------------------------------------------ */

/* Text of a value without addresses. */
static int safe_tostring(lua_State *L)
{
    switch (lua_type(L, 1)) {
    case LUA_TSTRING:
    case LUA_TNUMBER:
    case LUA_TBOOLEAN:
    case LUA_TNIL:
        luaL_tolstring(L, 1, NULL);
        return 1;
    default:
        return luaL_error(L, "a %s has no text", luaL_typename(L, 1));
    }
}

/* string.format (upvalue) without floats, addresses and anything that prints them. */
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
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, n, 1);
    return 1;
}

static int json_text(lua_State *L)
{
    size_t len = 0;
    const char *text = luaL_checklstring(L, 1, &len);
    sg_buf *scratch = &sg_sandbox_of(L)->scratch;
    scratch->len = 0;
    sg_buf_add_json(scratch, text, len);
    lua_pushlstring(L, scratch->ptr, scratch->len);
    return 1;
}

static bool key_before(lua_State *L, int a, int b)
{
    const bool a_number = lua_type(L, a) == LUA_TNUMBER;
    const bool b_number = lua_type(L, b) == LUA_TNUMBER;
    return a_number != b_number ? a_number : lua_compare(L, a, b, LUA_OPLT) != 0;
}

/* keys(t): the keys of a table, numbers first, then strings, each in order. By insertion: tables
 * in templates are small, the big lists are the plan's. */
static int sorted_keys(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    lua_newtable(L);
    lua_Integer n = 0;
    for (lua_pushnil(L); lua_next(L, 1) != 0; lua_pop(L, 1)) {
        const int type = lua_type(L, -2);
        if (type != LUA_TNUMBER && type != LUA_TSTRING) {
            return luaL_error(L, "sorted: a key is a %s", luaL_typename(L, -2));
        }
        lua_Integer at = n++;
        for (; at > 0; --at) {
            lua_rawgeti(L, 2, at);
            if (!key_before(L, -3, -1)) {
                lua_pop(L, 1);
                break;
            }
            lua_rawseti(L, 2, at + 1);
        }
        lua_pushvalue(L, -2);
        lua_rawseti(L, 2, at + 1);
    }
    return 1;
}

/* Reads of a global that is not there. Upvalue: the globals. */
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

static void keep_fields(lua_State *L, const char *const *names)
{
    /* Stack: a table; replaced by one with only these fields. */
    lua_newtable(L);
    for (; *names != NULL; ++names) {
        lua_getfield(L, -2, *names);
        lua_setfield(L, -2, *names);
    }
    lua_remove(L, -2);
}

static void open_string(lua_State *L)
{
    luaL_requiref(L, LUA_STRLIBNAME, luaopen_string, 0);
    lua_pushnil(L);
    lua_setfield(L, -2, "dump");
    lua_getfield(L, -1, "format");
    lua_pushcclosure(L, safe_format, 1);
    lua_setfield(L, -2, "format");
}

static void open_base(lua_State *L)
{
    static const char *const kept[] = {"assert",   "error", "ipairs", "select",
                                       "tonumber", "type",  NULL};
    luaL_requiref(L, LUA_GNAME, luaopen_base, 0);
    keep_fields(L, kept);
    lua_pushcfunction(L, safe_tostring);
    lua_setfield(L, -2, "tostring");
    lua_pushcfunction(L, json_text);
    lua_setfield(L, -2, "json");
    lua_pushcfunction(L, sorted_keys);
    lua_setfield(L, -2, "keys");
}

static int open_libraries(lua_State *L)
{
    /* No table.sort: its order depends on the clock where the comparison is no total order. */
    static const char *const table_kept[] = {"concat", "insert", "move", "pack",
                                             "remove", "unpack", NULL};
    static const char *const math_kept[] = {"abs",       "max",  "maxinteger", "min", "mininteger",
                                            "tointeger", "type", "ult",        NULL};
    open_base(L);
    open_string(L);
    lua_setfield(L, -2, LUA_STRLIBNAME);
    luaL_requiref(L, LUA_TABLIBNAME, luaopen_table, 0);
    keep_fields(L, table_kept);
    lua_setfield(L, -2, LUA_TABLIBNAME);
    luaL_requiref(L, LUA_MATHLIBNAME, luaopen_math, 0);
    keep_fields(L, math_kept);
    lua_setfield(L, -2, LUA_MATHLIBNAME);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &globals_key);
    return 0;
}

/* --- running ---------------------------------------------------------------------------------- */

/* What Lua calls a chunk: "=chunk7" in its sources, "chunk7:31: text" in messages. */
#define CHUNK_FORMAT "=chunk%d"
#define EXPR_CHUNK   "=expr"

/* The number of a chunk by what Lua calls it, -1 for anything else. */
static int chunk_number(const char *source)
{
    static const char head[] = "=chunk";
    if (strncmp(source, head, sizeof head - 1) != 0) {
        return -1;
    }
    return (int)strtol(source + sizeof head - 1, NULL, 10);
}

/* "chunk7:31: text" without what Lua puts in front. */
static const char *skip_position(const char *text)
{
    static const char *const heads[] = {"chunk", "expr"};
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; ++i) {
        const size_t len = strlen(heads[i]);
        if (strncmp(text, heads[i], len) == 0) {
            const char *colon = text + len + strspn(text + len, "0123456789");
            const size_t digits = colon[0] == ':' ? strspn(colon + 1, "0123456789") : 0;
            if (digits > 0 && strncmp(colon + 1 + digits, ": ", 2) == 0) {
                return colon + 1 + digits + 2;
            }
        }
    }
    return text;
}

static void keep_message(sg_sandbox *box, lua_State *L)
{
    const char *text =
        lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "an error without a message";
    box->message.len = 0;
    for (text = skip_position(text); *text != '\0'; ++text) {
        sg_buf_addc(&box->message, *text == '\n' ? ' ' : *text);
    }
    sg_buf_add(&box->message, "", 0);
}

/* Notes where a chunk stood, unless a frame further in was in the same one. */
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
    lua_Debug ar;
    for (int level = 0; lua_getstack(L, level, &ar) != 0; ++level) {
        lua_getinfo(L, "Sl", &ar);
        const int chunk = chunk_number(ar.source);
        if (chunk >= 0) {
            add_place(box, chunk, ar.currentline > 0 ? (size_t)ar.currentline : 0);
        }
    }
    keep_message(box, L);
    return 1;
}

/* The line of a syntax error stands only in its text: "chunk0:12: ...". */
static size_t syntax_line(const char *text)
{
    const char *colon = strchr(text, ':');
    return colon != NULL ? (size_t)strtoul(colon + 1, NULL, 10) : 0;
}

static void keep_memory_message(sg_sandbox *box)
{
    box->message.len = 0;
    sg_buf_printf(&box->message, "needs more than %zu bytes of memory", box->limits.memory);
}

static sg_sandbox_result finish(sg_sandbox *box, int status)
{
    lua_State *L = box->L;
    if (status == LUA_OK) {
        return SG_SANDBOX_OK;
    }
    if (status == LUA_ERRMEM) {
        keep_memory_message(box);
    }
    lua_settop(L, 0);
    return status == LUA_ERRMEM || box->exhausted ? SG_SANDBOX_BUDGET : SG_SANDBOX_ERROR;
}

/* Stack: on_error, function, arguments. */
static sg_sandbox_result run(sg_sandbox *box, int nargs)
{
    box->nplaces = 0;
    const int status = lua_pcall(box->L, nargs, 0, 1);
    const sg_sandbox_result result = finish(box, status);
    lua_settop(box->L, 0);
    return result;
}

bool sg_sandbox_load(lua_State *L, sg_str text, int chunk)
{
    sg_sandbox *box = sg_sandbox_of(L);
    char name[sizeof CHUNK_FORMAT + 12];
    snprintf(name, sizeof name, CHUNK_FORMAT, chunk);
    const int status = luaL_loadbufferx(L, text.ptr, text.len, name, "t");
    if (status == LUA_OK) {
        lua_rawgetp(L, LUA_REGISTRYINDEX, &globals_key);
        lua_setupvalue(L, -2, 1);
        return true;
    }
    box->nplaces = 0;
    if (status == LUA_ERRSYNTAX) {
        const char *message = lua_tostring(L, -1);
        add_place(box, chunk, message != NULL ? syntax_line(message) : 0);
        keep_message(box, L);
    } else {
        box->exhausted = true;
        keep_memory_message(box);
    }
    lua_pop(L, 1);
    return false;
}

int sg_sandbox_raise(lua_State *L)
{
    sg_sandbox *box = sg_sandbox_of(L);
    box->nplaces = 0;
    return luaL_error(L, "%s", box->message.len > 0 ? box->message.ptr : "not loaded");
}

/* Leaves on_error and the function, whose _ENV is the globals. */
static sg_sandbox_result load(sg_sandbox *box, sg_str text, int chunk)
{
    lua_pushcfunction(box->L, on_error);
    if (sg_sandbox_load(box->L, text, chunk)) {
        return SG_SANDBOX_OK;
    }
    lua_settop(box->L, 0);
    return box->exhausted ? SG_SANDBOX_BUDGET : SG_SANDBOX_ERROR;
}

bool sg_sandbox_open(sg_sandbox *box, sg_sandbox_limits limits, void *context)
{
    *box = (sg_sandbox){.limits = limits, .context = context};
    box->L = lua_newstate(capped_alloc, box);
    if (box->L == NULL) {
        return false;
    }
    lua_pushcfunction(box->L, open_libraries);
    if (lua_pcall(box->L, 0, 0, 0) != LUA_OK) {
        sg_sandbox_close(box);
        return false;
    }
    /* The heap that lives is small, the garbage is many short strings: collect seldom. */
    lua_gc(box->L, LUA_GCINC, GC_PAUSE, 0, 0);
    lua_sethook(box->L, count_steps, LUA_MASKCOUNT, HOOK_STEPS);
    return true;
}

void sg_sandbox_close(sg_sandbox *box)
{
    if (box->L != NULL) {
        lua_close(box->L);
        box->L = NULL;
    }
    sg_buf_free(&box->message);
    sg_buf_free(&box->scratch);
}

sg_sandbox_result sg_sandbox_prepare(sg_sandbox *box, lua_CFunction setup)
{
    lua_pushcfunction(box->L, on_error);
    lua_pushcfunction(box->L, setup);
    lua_rawgetp(box->L, LUA_REGISTRYINDEX, &globals_key);
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
        lua_pushcfunction(box->L, emit);
        result = run(box, 1);
    }
    return result;
}

bool sg_sandbox_is_expr(sg_sandbox *box, sg_str text)
{
    /* In parentheses, as it will stand in the chunk; and without, so that it closes its own. */
    static const char *const forms[][2] = {{"return (", ")"}, {"return ", ""}};
    bool is_expr = true;
    sg_buf chunk = {0};
    for (size_t i = 0; is_expr && i < sizeof forms / sizeof forms[0]; ++i) {
        chunk.len = 0;
        sg_buf_addz(&chunk, forms[i][0]);
        sg_buf_add(&chunk, text.ptr, text.len);
        sg_buf_addz(&chunk, forms[i][1]);
        is_expr = luaL_loadbufferx(box->L, chunk.ptr, chunk.len, EXPR_CHUNK, "t") == LUA_OK;
        if (!is_expr) {
            keep_message(box, box->L);
        }
        lua_pop(box->L, 1);
    }
    sg_buf_free(&chunk);
    return is_expr;
}
