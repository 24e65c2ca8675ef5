/* Counts the instructions and the memory of a Lua state, and stops it. */
#include "lua/lua_meter.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* VM instructions between two checks. */
#define INTERVAL 1000

/* A text whose memory was refused, and which still holds all but this part of its limit after the
 * collection that follows, would collect again for every few objects. */
#define NEARLY_ALL 8

sg_meter *sg_meter_of(lua_State *L)
{
    return *(sg_meter **)lua_getextraspace(L);
}

sg_meter_why sg_meter_explain(const sg_meter *meter)
{
    const size_t mib = (size_t)1 << 20;
    const bool whole = meter->max_memory % mib == 0; /* the unit of the options */
    sg_meter_why why;
    if (meter->spent == SG_METER_SPENT_STEPS) {
        snprintf(why.text, sizeof why.text, "is still running after %" PRId64 " instructions",
                 meter->max_steps);
    } else {
        snprintf(why.text, sizeof why.text, "%s %zu %s of memory",
                 meter->spent == SG_METER_SPENT_MEMORY ? "needs more than" : "cannot start with",
                 whole ? meter->max_memory / mib : meter->max_memory, whole ? "MiB" : "bytes");
    }
    return why;
}

size_t sg_meter_left(const sg_meter *meter)
{
    const size_t elsewhere = meter->held_elsewhere != NULL ? meter->held_elsewhere(meter) : 0;
    const size_t held = meter->memory + elsewhere;
    return held < meter->max_memory ? meter->max_memory - held : 0;
}

/* Lua may be moving its stack while it allocates, so nothing here may use the state. */
static void *allocate(void *data, void *block, size_t old_size, size_t new_size)
{
    sg_meter *meter = data;
    const size_t held = block != NULL ? old_size : 0; /* of new objects, old_size is their type */
    if (new_size == 0) {
        meter->memory -= held;
        free(block);
        return NULL;
    }
    if (new_size > held && new_size - held > sg_meter_left(meter)) {
        meter->refused = true; /* Lua collects garbage and retries */
        return NULL;
    }
    void *moved = realloc(block, new_size);
    if (moved == NULL) {
        meter->refused = true;
        return new_size > held ? NULL : block; /* Lua assumes that shrinking never fails */
    }
    meter->memory = meter->memory - held + new_size;
    return moved;
}

static void on_hook(lua_State *L, lua_Debug *ar);

/* From here on every instruction fails, so that no pcall, __close or message handler can
 * continue. */
static void stop(lua_State *L, sg_meter_spent what)
{
    sg_meter *meter = sg_meter_of(L);
    if (meter->spent == SG_METER_SPENT_NOTHING) {
        meter->spent = what;
        if (meter->note_place != NULL) {
            meter->note_place(meter, L);
        }
    }
    lua_sethook(L, on_hook, LUA_MASKCOUNT, 1);
    lua_pushliteral(L, "the budget is spent");
    lua_error(L);
}

static int interval(const sg_meter *meter)
{
    return meter->max_steps < INTERVAL ? (int)meter->max_steps : INTERVAL;
}

void sg_meter_watch(const sg_meter *meter)
{
    const bool limited = meter->max_steps < SG_METER_NO_LIMIT || meter->max_memory < SIZE_MAX;
    const int counts = limited ? LUA_MASKCOUNT : 0;
    const int returns = meter->on_return != NULL ? LUA_MASKRET : 0;
    const int lines = meter->on_line != NULL ? LUA_MASKLINE : 0;
    lua_sethook(meter->L, on_hook, counts | returns | lines, interval(meter));
}

void sg_meter_reserve(lua_State *L, size_t bytes)
{
    if (bytes >= sg_meter_left(sg_meter_of(L))) {
        stop(L, SG_METER_SPENT_MEMORY);
    }
}

void sg_meter_rethrow(lua_State *L, int status)
{
    sg_meter *meter = sg_meter_of(L);
    if (status == LUA_ERRMEM && meter->spent == SG_METER_SPENT_NOTHING) {
        meter->spent = SG_METER_SPENT_MEMORY; /* the place of the last hook is the best there is */
    }
    if (meter->spent != SG_METER_SPENT_NOTHING) {
        stop(L, meter->spent);
    }
}

bool sg_meter_pcall(lua_State *L, int arguments)
{
    sg_meter *meter = sg_meter_of(L);
    void *loading = meter->loading;
    const int status = lua_pcall(L, arguments, LUA_MULTRET, 0);
    if (status != LUA_OK) {
        sg_meter_rethrow(L, status);
        meter->loading = loading;
    }
    return status == LUA_OK;
}

static void on_count(lua_State *L)
{
    sg_meter *meter = sg_meter_of(L);
    if (meter->spent != SG_METER_SPENT_NOTHING) {
        stop(L, meter->spent);
    }
    if (meter->note_place != NULL) {
        meter->note_place(meter, L);
    }
    sg_meter_reserve(L, meter->refused ? meter->max_memory / NEARLY_ALL : 0);
    meter->refused = false;
    if (interval(meter) >= meter->max_steps - meter->steps) {
        stop(L, SG_METER_SPENT_STEPS);
    }
    meter->steps += interval(meter);
}

static void on_hook(lua_State *L, lua_Debug *ar)
{
    const sg_meter *meter = sg_meter_of(L);
    switch (ar->event) {
    case LUA_HOOKRET:
        meter->on_return(L, ar);
        break;
    case LUA_HOOKLINE:
        meter->on_line(L, ar);
        break;
    default:
        on_count(L);
        break;
    }
}

bool sg_meter_open(sg_meter *meter)
{
    meter->L = lua_newstate(allocate, meter);
    if (meter->L == NULL) {
        return false;
    }
    *(sg_meter **)lua_getextraspace(meter->L) = meter;
    return true;
}

void sg_meter_close(sg_meter *meter)
{
    if (meter->L != NULL) {
        lua_State *L = meter->L;
        lua_sethook(L, NULL, 0, 0);
        meter->L = NULL;
        lua_close(L);
    }
}

/* --- loading ---------------------------------------------------------------------------------- */

typedef struct reading {
    sg_str rest;
    size_t line;
} reading;

/* Passes the text to the compiler line by line, so that an error can be located by the last line
 * that was read. */
static const char *next_line(lua_State *L, void *data, size_t *len)
{
    (void)L;
    reading *r = data;
    if (r->rest.len == 0) {
        return NULL;
    }
    const char *line = r->rest.ptr;
    const char *end = memchr(line, '\n', r->rest.len);
    *len = end != NULL ? (size_t)(end - line) + 1 : r->rest.len;
    r->rest = (sg_str){line + *len, r->rest.len - *len};
    ++r->line;
    return line;
}

int sg_meter_load(lua_State *L, sg_str text, const char *name, size_t *line)
{
    reading r = {.rest = text};
    const int status = lua_load(L, next_line, &r, name, "t");
    *line = r.line > 0 ? r.line : 1;
    return status;
}
