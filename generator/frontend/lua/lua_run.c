/* Keeps the Lua state of a spec within its budgets, and reports its errors. */
#include "frontend/lua/lua_run.h"

#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>

#include "frontend/lua/lua_error.h"
#include "lua/lua_state.h"

/* note [what counts as memory]
 * The budget covers the memory of Lua and what the front-end takes from the arena meanwhile,
 * because ops are made there. Lua's part is checked at each allocation. The arena's part is checked
 * at each hook, and before calls that may take much. */

static size_t held_in_arena(const sg_meter *meter)
{
    const sg_lua_host *host = (const sg_lua_host *)meter;
    return host->arena->total - host->arena_before;
}

static void note_place(sg_meter *meter, lua_State *L)
{
    sg_lua_host *host = (sg_lua_host *)meter;
    host->spent_at = sg_lua_host_place(L);
}

/* Specs are short, so every line may note its place, but not every turn of a loop in one line. */
static void on_line(lua_State *L, lua_Debug *ar)
{
    sg_lua_host *host = sg_lua_host_of(L);
    if ((size_t)ar->currentline != host->spent_at.line) {
        note_place(&host->meter, L);
    }
}

static void on_return(lua_State *L, lua_Debug *ar)
{
    sg_lua_host *host = sg_lua_host_of(L);
    lua_Debug outer;
    /* The main chunk is at level 0 and the C function that called it at level 1; there is no level
     * 2. */
    if (!lua_getstack(L, 2, &outer) && lua_getinfo(L, "Sl", ar) && strcmp(ar->what, "main") == 0) {
        host->return_line = (size_t)ar->currentline;
    }
}

bool sg_lua_host_open(sg_lua_host *host)
{
    host->arena_before = host->arena->total;
    host->meter.on_return = on_return;
    host->meter.on_line = on_line;
    host->meter.held_elsewhere = held_in_arena;
    host->meter.note_place = note_place;
    if (!sg_lua_state_open(&host->meter, SG_LUA_SPEC, NULL, sg_lua_base_format)) {
        return sg_diag_fail(host->diag, SG_EXIT_BUDGET, sg_lua_scan_line(host->spec, 1),
                            "a spec %s", sg_meter_explain(&host->meter).text);
    }
    return true;
}

void sg_lua_host_close(sg_lua_host *host)
{
    sg_meter_close(&host->meter);
}

const sg_lua_chunk *sg_lua_host_load(sg_lua_host *host, const sg_source *source)
{
    enum { USUAL_PER_BYTE = 16 }; /* an estimate: bytes of the arena for a byte of Lua text */
    lua_State *L = host->meter.L;
    sg_meter_reserve(L, source->len < SIZE_MAX / USUAL_PER_BYTE ? source->len * USUAL_PER_BYTE
                                                                : SIZE_MAX);
    sg_lua_chunk *chunk = SG_NEW(host->arena, sg_lua_chunk);
    chunk->source = source;
    chunk->tokens = sg_lua_scan(host->arena, source);
    chunk->short_name = sg_lua_error_short_name(host->arena, source->name);
    chunk->next = host->chunks;
    host->chunks = chunk;
    const char *name = sg_arena_printf(host->arena, "@%s", source->name);
    size_t start = sg_lua_scan_start(source);
    size_t line = 1;
    int status = sg_meter_load(L, (sg_str){source->text + start, source->len - start}, name, &line);
    if (status == LUA_ERRMEM || host->meter.spent != SG_METER_SPENT_NOTHING) {
        host->spent_at = (sg_lua_place){chunk, line};
        sg_meter_rethrow(L, status);
    }
    if (status != LUA_OK) {
        sg_lua_failure failure = sg_lua_error_syntax(L, chunk, line, lua_tostring(L, -1));
        host->raised = failure;
        lua_pushstring(L, failure.thrown);
        lua_error(L);
    }
    return chunk;
}

/* Notes where the failing code was called from, for a failure outside the main chunk. */
static void add_callers(lua_State *L, sg_lua_host *host, sg_lua_failure *failure)
{
    sg_lua_note **end = &failure->notes;
    for (const sg_lua_loading *l = host->meter.loading; l != NULL; l = l->outer) {
        *end = SG_NEW(host->arena, sg_lua_note);
        (*end)->span = l->span;
        (*end)->text = sg_arena_printf(host->arena, "'%s' is required here", l->name);
        end = &(*end)->next;
    }
    if (host->meter.loading != NULL || host->main == NULL ||
        failure->span.source == host->main->source) {
        return;
    }
    lua_Debug ar;
    sg_lua_place place;
    for (int level = 0; sg_lua_host_frame(L, &level, &ar, &place);) {
        if (place.chunk == host->main) {
            *end = SG_NEW(host->arena, sg_lua_note);
            (*end)->span = sg_lua_host_line(host, place);
            (*end)->text = "called from here";
            return;
        }
    }
}

/* The message handler. The stack is still that of the error. */
static int on_error(lua_State *L)
{
    sg_lua_host *host = sg_lua_host_of(L);
    if (host->meter.spent != SG_METER_SPENT_NOTHING) {
        return 1;
    }
    sg_lua_failure failure;
    size_t len = 0;
    const char *message = NULL;
    const char *type = luaL_typename(L, 1);
    if (lua_isstring(L, 1)) {
        message = lua_tolstring(L, 1, &len);
    } else if (luaL_callmeta(L, 1, "__tostring") && lua_type(L, -1) == LUA_TSTRING) {
        message = lua_tolstring(L, -1, &len);
    }
    if (message != NULL && host->raised.set && strcmp(message, host->raised.thrown) == 0) {
        failure = host->raised;
    } else if (message != NULL) {
        failure = sg_lua_error_explain(L, message, len);
    } else {
        failure =
            (sg_lua_failure){.set = true,
                             .exit = SG_EXIT_INPUT,
                             .span = sg_lua_host_line(host, sg_lua_host_place(L)),
                             .message = sg_arena_printf(
                                 host->arena, "the spec raised an error that is a %s value", type)};
    }
    add_callers(L, host, &failure);
    host->failure = failure;
    return 1;
}

static void report(sg_lua_host *host)
{
    const bool by_steps = host->meter.spent == SG_METER_SPENT_STEPS;
    sg_span span = sg_lua_host_line(host, host->spent_at);
    if (host->meter.spent != SG_METER_SPENT_NOTHING) {
        sg_diag_fail(host->diag, SG_EXIT_BUDGET, span, "the spec %s; if it is meant to, raise %s",
                     sg_meter_explain(&host->meter).text,
                     by_steps ? "--max-seconds" : "--max-memory");
        return;
    }
    if (host->unknown_used && host->failure.exit == SG_EXIT_INPUT && host->diag->errors > 0) {
        return;
    }
    if (!host->failure.set) {
        sg_diag_error(host->diag, span, "the spec failed while an error was being handled");
        return;
    }
    sg_diag_fail(host->diag, host->failure.exit, host->failure.span, "%s", host->failure.message);
    for (const sg_lua_note *note = host->failure.notes; note != NULL; note = note->next) {
        sg_diag_note(host->diag, note->span, "%s", note->text);
    }
}

bool sg_lua_host_run(sg_lua_host *host, lua_CFunction body)
{
    lua_State *L = host->meter.L;
    lua_pushcfunction(L, on_error);
    lua_pushcfunction(L, body);
    const bool ok = sg_lua_state_run(&host->meter, 0);
    if (!ok) {
        report(host);
    }
    return ok;
}
