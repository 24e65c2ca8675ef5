/* The functions of a spec that make ops and parameters. */
#include "frontend/lua/lua_vocabulary.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <lauxlib.h>

#include "frontend/lua/lua_box.h"
#include "frontend/lua/lua_load.h"
#include "frontend/lua/lua_op.h"
#include "frontend/lua/lua_frame.h"
#include "frontend/lua/lua_host.h"
#include "frontend/lua/lua_require.h"
#include "frontend/lua/lua_site.h"
#include "frontend/lua/lua_value.h"
#include "frontend/notation/notation.h"
#include "lua/lua_library.h"
#include "split/names.h"

/* Reports a notation whose arrow does not match the constructor. */
static bool check_arrow(const sg_lua_host *host, const sg_op *op, sg_op_kind kind)
{
    if (op->kind == kind) {
        return true;
    }
    const char *arrow = sg_op_joins(op->kind) ? "<-" : "->";
    return sg_diag_error(host->diag, op->span,
                         "%s takes a notation with '%s', but this one has '%s', which %s: write %s "
                         "\"...\"",
                         sg_op_kind_name(kind), sg_op_joins(kind) ? "<-" : "->", arrow,
                         sg_op_joins(op->kind) ? "joins" : "splits", sg_op_kind_name(op->kind));
}

/* split "..." and concat "...": pushes an op, or a list if the text has several. */
static int from_notation(lua_State *L, sg_op_kind kind)
{
    sg_lua_host *host = sg_lua_host_of(L);
    sg_lua_site site = sg_lua_site_find(L, sg_op_kind_name(kind), 1);
    size_t len;
    const char *text = lua_tolstring(L, 1, &len);
    enum { MOST_PER_BYTE = 256 }; /* an estimate: bytes of the arena for a byte of notation */
    sg_meter_reserve(L, len < SIZE_MAX / MOST_PER_BYTE ? len * MOST_PER_BYTE : SIZE_MAX);
    sg_op_array ops = {0};
    const sg_lua_token *token =
        site.written && !site.is_table ? &site.text->tokens[site.token] : NULL;
    const size_t errors = host->diag->errors;
    bool ok;
    const bool plain = token != NULL && token->kind == SG_LUA_STRING && token->plain;
    if (plain) {
        ok = sg_notation_parse(host->arena, host->diag, site.text->source, token->body,
                               token->body_end, "split", &ops);
    } else {
        sg_lua_place place = sg_lua_host_place(L);
        const char *name = place.chunk == NULL
                               ? "notation"
                               : sg_arena_printf(host->arena, "notation in %s:%zu",
                                                 place.chunk->source->name, place.line);
        const sg_source *source = sg_source_new(host->arena, name, text, len);
        ok = sg_notation_parse(host->arena, host->diag, source, 0, len, "split", &ops);
    }
    for (int64_t i = 0; i < ops.count; i++) {
        ok = check_arrow(host, ops.items[i], kind) && ok;
        bool literal = ops.items[i]->span.source == site.call.source;
        sg_lua_frame_trace(L, literal ? ops.items[i]->span : site.call, ops.items[i]->subject);
    }
    if (host->diag->errors > errors && !plain) {
        sg_diag_note(host->diag, site.call, "the notation is made here");
    }
    if (!ok || ops.count == 1) {
        sg_lua_box_push(L, ok ? ops.items[0] : NULL, ok);
        return 1;
    }
    lua_createtable(L, (int)ops.count, 0);
    for (int64_t i = 0; i < ops.count; i++) {
        sg_lua_box_push(L, ops.items[i], true);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

/* A constructor. Upvalue 1: the kind; upvalue 2: its name in the text. */
static int construct(lua_State *L)
{
    sg_lua_host *host = sg_lua_host_of(L);
    sg_op_kind kind = (sg_op_kind)lua_tointeger(L, lua_upvalueindex(1));
    const char *word = lua_tostring(L, lua_upvalueindex(2));
    int n = lua_gettop(L);
    /* not an operator of ONNX or OpenVINO */
    const bool ours = kind == SG_OP_SPLIT || kind == SG_OP_CONCAT;
    if (n == 1 && lua_type(L, 1) == LUA_TSTRING && ours) {
        return from_notation(L, kind);
    }
    if (n == 1 && sg_lua_value_unknown(L, 1)) {
        sg_lua_box_push(L, NULL, false);
        return 1;
    }
    bool method = n == 2 && !ours && lua_istable(L, 1) && lua_istable(L, 2);
    sg_lua_site site = sg_lua_site_find(L, word, method ? 2 : 1);
    if (n != 1 || !lua_istable(L, 1)) {
        const char *name = sg_op_kind_name(kind);
        if (method) {
            sg_diag_error(host->diag, site.call, "%s is called with a dot, not a colon", name);
        } else if (n == 1) {
            sg_diag_error(host->diag, site.call, "%s takes a table { ... }%s, not %s", name,
                          ours ? " or a notation" : "", sg_lua_value_describe(L, 1));
        } else {
            sg_diag_error(host->diag, site.call, "%s takes one table { ... }, not %d arguments",
                          name, n);
        }
        sg_lua_box_push(L, NULL, false);
        return 1;
    }
    sg_op *op = sg_op_new(host->arena, &host->made, kind, site.call);
    sg_lua_frame_trace(L, site.call, op->subject);
    sg_diag_set_subject(host->diag, op->subject);
    const char *rule = sg_diag_set_rule(host->diag, "field");
    bool ok = sg_lua_op_read(L, 1, &site, op);
    sg_diag_set_rule(host->diag, rule);
    sg_diag_set_subject(host->diag, NULL);
    sg_lua_box_push(L, op, ok);
    return 1;
}

/* --- param --- */

static int unknown_compare(lua_State *L)
{
    lua_pushboolean(L, 0);
    return 1;
}

static sg_define *find_define(const sg_lua_host *host, const char *name)
{
    sg_define *found = NULL;
    for (size_t i = 0; i < host->options->ndefines; i++) {
        sg_define *define = &host->options->defines[i];
        if (strcmp(define->name, name) != 0) {
            continue;
        }
        /* two -D with this name, as in -D name=a=1 -D name=b=1, may be for dims of models */
        if (found != NULL) {
            sg_diag_fail(host->diag, SG_EXIT_USAGE, define->span, "the parameter '%s' is set twice",
                         name);
            sg_diag_note(host->diag, found->span, "it is set here first");
        }
        found = define;
    }
    return found;
}

/* Registry key of the set of names passed to param() and free(). */
static const char params_key = 0;

/* Adds the name at index 1 to the set. Returns it, or NULL if it is too long, which is reported. */
static const char *remember_param(lua_State *L, sg_span call)
{
    sg_lua_host *host = sg_lua_host_of(L);
    const size_t len = (size_t)lua_rawlen(L, 1);
    if (len > SG_NAME_MAX) {
        sg_diag_error(host->diag, call, "the name has %zu bytes; names have at most %d", len,
                      SG_NAME_MAX);
        return NULL;
    }
    lua_rawgetp(L, LUA_REGISTRYINDEX, &params_key);
    lua_pushvalue(L, 1);
    lua_rawget(L, -2);
    const sg_lua_param *known = lua_touserdata(L, -1);
    lua_pop(L, 1);
    if (known == NULL) {
        const char *name = lua_tostring(L, 1);
        sg_meter_reserve(L, strlen(name));
        sg_lua_param *param = SG_NEW(host->arena, sg_lua_param);
        *param = (sg_lua_param){sg_arena_strdup(host->arena, name), host->params};
        host->params = param;
        host->nparams++;
        known = param;
        lua_pushvalue(L, 1);
        lua_pushlightuserdata(L, param);
        lua_rawset(L, -3);
    }
    lua_pop(L, 1);
    return known->name;
}

static int no_value(lua_State *L)
{
    sg_lua_host_of(L)->unknown_used = true;
    return sg_lua_value_push_unknown(L);
}

/* Pushes the value of a -D as type `wanted`. LUA_TNIL: the type that the text looks like. */
static int push_define(lua_State *L, const sg_define *define, int wanted, sg_span param)
{
    sg_lua_host *host = sg_lua_host_of(L);
    int64_t number = 0;
    bool is_number = sg_parse_int64(sg_str_from(define->value), &number);
    bool is_true = strcmp(define->value, "true") == 0;
    bool is_boolean = is_true || strcmp(define->value, "false") == 0;
    if (is_number && (wanted == LUA_TNUMBER || wanted == LUA_TNIL)) {
        lua_pushinteger(L, number);
        return 1;
    }
    if (is_boolean && (wanted == LUA_TBOOLEAN || wanted == LUA_TNIL)) {
        lua_pushboolean(L, is_true);
        return 1;
    }
    if (wanted == LUA_TSTRING || wanted == LUA_TNIL) {
        lua_pushstring(L, define->value);
        return 1;
    }
    sg_diag_error(host->diag, define->span, "'%s' must be %s, not '%s'", define->name,
                  wanted == LUA_TNUMBER ? "an integer" : "true or false", define->value);
    sg_diag_note(host->diag, param, "its default is given here");
    return no_value(L);
}

static int vocabulary_param(lua_State *L)
{
    sg_lua_host *host = sg_lua_host_of(L);
    sg_lua_site site = sg_lua_site_find(L, "param", 1);
    int n = lua_gettop(L);
    if (n < 1 || n > 2 || lua_type(L, 1) != LUA_TSTRING) {
        sg_diag_error(host->diag, site.call, "param takes a name and a default: param(\"n\", 1)");
        return no_value(L);
    }
    const char *name = remember_param(L, site.call);
    if (name == NULL) {
        return no_value(L);
    }
    lua_settop(L, 2);
    int wanted = lua_type(L, 2);
    int exact = 1;
    if (wanted == LUA_TNUMBER) {
        lua_Integer value = lua_tointegerx(L, 2, &exact);
        lua_pushinteger(L, value);
        lua_replace(L, 2);
    }
    bool allowed = wanted == LUA_TNIL || wanted == LUA_TBOOLEAN || wanted == LUA_TSTRING;
    if (!(allowed || (wanted == LUA_TNUMBER && exact))) {
        lua_settop(L, 2);
        sg_diag_error(host->diag, site.call,
                      "the default of '%s' must be an integer, a string, true or false", name);
        return no_value(L);
    }
    sg_define *define = find_define(host, name);
    if (define != NULL) {
        define->used = true;
        return push_define(L, define, wanted, site.call);
    }
    if (wanted == LUA_TNIL) {
        sg_diag_error(host->diag, site.call, "'%s' has no value; give it one with -D %s=...", name,
                      name);
        return no_value(L);
    }
    return 1;
}

/* --- free --- */

/* Reads the expected number of a -D: "64", or "free:64" as for models. */
static bool read_expected(sg_lua_host *host, const sg_define *define, sg_span call, int64_t *out)
{
    static const char prefix[] = "free:";
    const char *text = define->value;
    if (strncmp(text, prefix, sizeof prefix - 1) == 0) {
        text += sizeof prefix - 1;
    }
    if (sg_parse_int64(sg_str_from(text), out) && *out >= 1) {
        return true;
    }
    (void)sg_diag_error(host->diag, define->span, "'%s' must be a whole number from 1 on, not '%s'",
                        define->name, define->value);
    sg_diag_note(host->diag, call, "it is the expected size of an open dimension");
    return false;
}

static int vocabulary_free(lua_State *L)
{
    sg_lua_host *host = sg_lua_host_of(L);
    const sg_lua_site site = sg_lua_site_find(L, "free", 1);
    const int n = lua_gettop(L);
    lua_settop(L, n > 2 ? n : 2);
    if (sg_lua_value_unknown(L, 1) || sg_lua_value_unknown(L, 2)) {
        return no_value(L);
    }
    size_t len = 0;
    const char *name = lua_type(L, 1) == LUA_TSTRING ? lua_tolstring(L, 1, &len) : NULL;
    if (n > 2 || name == NULL || strlen(name) != len) {
        sg_diag_error(host->diag, site.call,
                      "free takes a name and the number that is expected: free(\"batch\", 64)");
        return no_value(L);
    }
    sg_op_open open = {.name = remember_param(L, site.call), .expected = 1};
    if (open.name == NULL) {
        return no_value(L);
    }
    if (!lua_isnil(L, 2)) {
        int exact = 0;
        open.expected = lua_type(L, 2) == LUA_TNUMBER ? (int64_t)lua_tointegerx(L, 2, &exact) : 0;
        if (!exact) {
            sg_diag_error(host->diag, site.call,
                          "the number of '%s' that is expected must be an integer, not %s",
                          open.name, sg_lua_value_describe(L, 2));
            return no_value(L);
        }
    }
    sg_define *define = find_define(host, open.name);
    if (define != NULL) {
        define->used = true;
        if (!read_expected(host, define, site.call, &open.expected)) {
            return no_value(L);
        }
    }
    const sg_op_num dim = sg_op_open_dim(host->arena, open.name, open.expected, sg_span_none());
    sg_lua_value_push_free(L, &dim);
    return 1;
}

/* --- the tables onnx and openvino --- */

/* Upvalue 1: the name of the table; upvalue 2: a list of its members. */
static int no_such_member(lua_State *L)
{
    static const char *const words[] = {"load", "Split", "Concat", "VariadicSplit"};
    const char *table = lua_tostring(L, lua_upvalueindex(1));
    const char *have = lua_tostring(L, lua_upvalueindex(2));
    sg_lua_host *host = sg_lua_host_of(L);
    const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : luaL_typename(L, 2);
    const char *near = sg_suggest(sg_str_from(name), words, strcmp(table, "onnx") == 0 ? 3 : 4);
    sg_lua_place place = sg_lua_host_place(L);
    sg_span span = sg_lua_host_line(host, place);
    if (place.chunk != NULL) {
        (void)sg_lua_scan_find(place.chunk->tokens, place.line, sg_str_from(name), true, &span);
    }
    if (near != NULL) {
        return sg_lua_raise(L, SG_EXIT_INPUT, span, "there is no %s.%s; did you mean %s.%s?", table,
                            name, table, near);
    }
    return sg_lua_raise(L, SG_EXIT_INPUT, span, "there is no %s.%s, only %s", table, name, have);
}

static void set_constructor(lua_State *L, const char *word, sg_op_kind kind)
{
    lua_pushinteger(L, kind);
    lua_pushstring(L, word);
    lua_pushcclosure(L, construct, 2);
    lua_setfield(L, -2, word);
}

/* Completes the table on top of the stack and stores it as a global. */
static void set_namespace(lua_State *L, const char *name, const char *have)
{
    lua_pushstring(L, name);
    lua_pushcclosure(L, sg_lua_load, 1);
    lua_setfield(L, -2, "load");
    lua_newtable(L);
    lua_pushstring(L, name);
    lua_pushstring(L, have);
    lua_pushcclosure(L, no_such_member, 2);
    lua_setfield(L, -2, "__index");
    lua_pushliteral(L, "splitgen");
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2);
    lua_setglobal(L, name);
}

/* Prints to standard error, because the generated C may go to standard output. */
static int vocabulary_print(lua_State *L)
{
    int n = lua_gettop(L);
    for (int i = 1; i <= n; i++) {
        size_t len = 0;
        const char *text = sg_lua_base_text(L, i, &len);
        if (i > 1) {
            fputc('\t', stderr);
        }
        fwrite(text, 1, len, stderr);
        lua_pop(L, 1);
    }
    fputc('\n', stderr);
    return 0;
}

void sg_lua_vocabulary_open(lua_State *L)
{
    static const char *const operators[] = {
        "__add", "__sub",  "__mul", "__div", "__mod",  "__pow", "__unm",   "__idiv", "__band",
        "__bor", "__bxor", "__shl", "__shr", "__bnot", "__len", "__index", "__call"};

    sg_lua_box_open(L);
    sg_lua_value_open_free(L);

    luaL_newmetatable(L, SG_LUA_UNKNOWN);
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++) {
        lua_pushcfunction(L, sg_lua_value_push_unknown);
        lua_setfield(L, -2, operators[i]);
    }
    lua_pushcfunction(L, unknown_compare);
    lua_setfield(L, -2, "__lt");
    lua_pushcfunction(L, unknown_compare);
    lua_setfield(L, -2, "__le");
    lua_pushliteral(L, "splitgen");
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);

    lua_newtable(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &params_key);

    lua_pushglobaltable(L);
    set_constructor(L, "split", SG_OP_SPLIT);
    set_constructor(L, "concat", SG_OP_CONCAT);
    lua_pushcfunction(L, vocabulary_param);
    lua_setfield(L, -2, "param");
    lua_pushcfunction(L, vocabulary_free);
    lua_setfield(L, -2, "free");
    lua_pushcfunction(L, vocabulary_print);
    lua_setfield(L, -2, "print");
    lua_pushcfunction(L, sg_lua_require);
    lua_setfield(L, -2, "require");
    lua_pop(L, 1);

    lua_newtable(L);
    set_constructor(L, "Split", SG_OP_ONNX_SPLIT);
    set_constructor(L, "Concat", SG_OP_ONNX_CONCAT);
    set_namespace(L, "onnx", "onnx.Split, onnx.Concat and onnx.load");

    lua_newtable(L);
    set_constructor(L, "Split", SG_OP_OPENVINO_SPLIT);
    set_constructor(L, "VariadicSplit", SG_OP_OPENVINO_VARIADIC);
    set_constructor(L, "Concat", SG_OP_OPENVINO_CONCAT);
    set_namespace(L, "openvino",
                  "openvino.Split, openvino.VariadicSplit, openvino.Concat and openvino.load");
}
