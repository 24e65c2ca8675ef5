/* The place at which a spec is running, and errors with that place. */
#include "frontend/lua/lua_host.h"

#include <stdarg.h>
#include <string.h>

#include <lauxlib.h>

#include "lua/lua_library.h"

sg_lua_host *sg_lua_host_of(lua_State *L)
{
    return (sg_lua_host *)sg_meter_of(L);
}

const sg_lua_chunk *sg_lua_host_chunk(const sg_lua_host *host, const char *lua_source)
{
    for (const sg_lua_chunk *c = host->chunks; c != NULL; c = c->next) {
        if (lua_source[0] == '@' && strcmp(lua_source + 1, c->source->name) == 0) {
            return c;
        }
    }
    return NULL;
}

bool sg_lua_host_frame(lua_State *L, int *level, lua_Debug *ar, sg_lua_place *place)
{
    while (*level < SG_LUA_LEVELS && lua_getstack(L, (*level)++, ar)) {
        if (!lua_getinfo(L, "Sl", ar) || ar->currentline <= 0) {
            continue;
        }
        place->chunk = sg_lua_host_chunk(sg_lua_host_of(L), ar->source);
        place->line = (size_t)ar->currentline;
        if (place->chunk != NULL) {
            return true;
        }
    }
    return false;
}

sg_lua_place sg_lua_host_place(lua_State *L)
{
    lua_Debug ar;
    sg_lua_place place;
    int level = 0;
    return sg_lua_host_frame(L, &level, &ar, &place) ? place : (sg_lua_place){NULL, 0};
}

sg_span sg_lua_host_line(const sg_lua_host *host, sg_lua_place place)
{
    if (place.chunk == NULL) {
        return sg_lua_scan_line(host->spec, 1);
    }
    return sg_lua_scan_line_of(place.chunk->tokens, place.line);
}

int sg_lua_raise(lua_State *L, sg_exit exit, sg_span span, const char *fmt, ...)
{
    sg_lua_host *host = sg_lua_host_of(L);
    va_list ap;
    va_start(ap, fmt);
    const char *message = sg_arena_vprintf(host->arena, fmt, ap);
    va_end(ap);
    sg_lua_place place = sg_lua_host_place(L);
    const char *thrown = message;
    if (place.chunk != NULL) {
        thrown = sg_arena_printf(host->arena, "%s:%zu: %s", place.chunk->short_name, place.line,
                                 message);
    }
    host->raised = (sg_lua_failure){
        .set = true, .thrown = thrown, .exit = exit, .span = span, .message = message};
    lua_pushstring(L, thrown);
    return lua_error(L);
}

int sg_lua_raise_reported(lua_State *L, sg_span call)
{
    sg_lua_host_of(L)->unknown_used = true;
    return sg_lua_raise(L, SG_EXIT_INPUT, call, "the model is not loaded");
}
