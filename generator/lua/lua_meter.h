/* Limits on a Lua state: the VM instructions it may run and the memory it may hold. Both are
 * counted, not timed, so the same text stops at the same place on every machine. What neither
 * counts, such as a pattern that matches for minutes within one instruction, ends with the limit of
 * processor time that the driver sets for the whole run. */
#ifndef SG_LUA_LUA_METER_H
#define SG_LUA_LUA_METER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lua.h>

#include "base/diag.h"
#include "base/text.h"

/* Without a limit on instructions they are not counted, which saves a third of the time. */
#define SG_METER_NO_LIMIT INT64_MAX

typedef enum sg_meter_spent {
    SG_METER_SPENT_NOTHING,
    SG_METER_SPENT_STEPS,
    SG_METER_SPENT_MEMORY
} sg_meter_spent;

/* The struct of a state's owner begins with its meter, so that one pointer finds both. */
typedef struct sg_meter sg_meter;
struct sg_meter {
    int64_t max_steps;
    size_t max_memory;
    const char *guest;  /* the kind of text that runs, for messages */
    lua_Hook on_return; /* called at returns of functions; may be NULL */
    lua_Hook on_line;   /* called before each line; may be NULL */
    /* Memory that counts in addition to Lua's; may be NULL. */
    size_t (*held_elsewhere)(const sg_meter *);
    /* Called from hooks, to store the position in case a budget ends the text: an allocation that
     * is refused leaves no other trace of its place. Must not allocate. May be NULL. */
    void (*note_place)(sg_meter *, lua_State *);
    void *loading; /* for the owner; restored when a text catches an error */

    lua_State *L;
    int64_t steps; /* VM instructions so far, counted when the hook runs */
    size_t memory; /* bytes that Lua holds */
    bool refused;  /* memory was refused since the last check */
    sg_meter_spent spent;
};

/* Creates the state with the values that the caller has set above. False: not enough memory. The
 * meter may not be moved afterwards. */
bool sg_meter_open(sg_meter *meter) SG_CHECK;
/* Installs the hooks that count. */
void sg_meter_watch(const sg_meter *meter);
void sg_meter_close(sg_meter *meter);
sg_meter *sg_meter_of(lua_State *L);

/* What a text did to exhaust a budget: "is still running after 100 instructions"; or, before it
 * ran, "cannot start with 1 MiB of memory". */
typedef struct sg_meter_why {
    char text[80];
} sg_meter_why;
sg_meter_why sg_meter_explain(const sg_meter *meter);

/* Bytes that may still be allocated. */
size_t sg_meter_left(const sg_meter *meter);

/* Raises an error unless this many bytes may still be allocated. */
void sg_meter_reserve(lua_State *L, size_t bytes);

/* For functions that catch errors: raises those again that must not be caught. */
void sg_meter_rethrow(lua_State *L, int status);

/* Like lua_pcall with all results and no handler, but errors that must not be caught are raised
 * again. False: the error value is on the stack. */
bool sg_meter_pcall(lua_State *L, int arguments);

/* Like luaL_loadbufferx with mode "t". *line receives the last line, from 1, that the compiler has
 * read, even if its error message has no line. */
int sg_meter_load(lua_State *L, sg_str text, const char *name, size_t *line);

#endif
