/* Budgets of a Lua state: limits on its memory and its steps, whatever it does. A step is a VM
 * instruction; an instruction or C function that works on many bytes or items costs more steps.
 * Steps are counted, not timed, so the same text stops at the same place on every machine, unless
 * it runs for seconds; see note [what cannot be counted] in lua_meter.c. */
#ifndef SG_LUA_LUA_METER_H
#define SG_LUA_LUA_METER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <lua.h>

#include "base/diag.h"
#include "base/text.h"

/* Limits on the depth of calls, and on their arguments beyond the named ones. */
#define SG_METER_DEPTH   1000
#define SG_METER_VARARGS 250

/* Block sizes are kept as powers of two; memory budgets are smaller than the last. */
#define SG_METER_CLASSES 48

/* A budget without a limit. */
#define SG_METER_NO_LIMIT (INT64_MAX / 2)

typedef enum sg_meter_spent {
    SG_METER_SPENT_NOTHING,
    SG_METER_SPENT_STEPS,
    SG_METER_SPENT_TIME, /* charged as steps; see note [what cannot be counted] */
    SG_METER_SPENT_MEMORY
} sg_meter_spent;

/* The struct of a state's owner begins with its meter, so that one pointer finds both. */
typedef struct sg_meter sg_meter;
struct sg_meter {
    int64_t max_steps;
    size_t max_memory;
    const char *guest; /* the kind of text that runs, for messages */
    /* the minimum charge of long runs; see note [what cannot be counted] */
    int64_t steps_per_second;
    int interval;       /* VM instructions between two checks of the budget */
    bool watches_calls; /* from the start; else see note [watching calls] in lua_meter.c */
    lua_Hook on_return; /* called at returns of functions; may be NULL */
    lua_Hook on_line;   /* called before each line; may be NULL */
    /* Memory that counts in addition to Lua's; may be NULL. */
    size_t (*held_elsewhere)(const sg_meter *);
    /* Called when a budget is exhausted or memory was refused, to store the position. Must not
     * allocate. May be NULL. */
    void (*note_place)(sg_meter *, lua_State *);
    void *loading; /* for the owner; restored when a text catches an error */

    lua_State *L;
    int64_t steps;
    int64_t collection_steps; /* part of `steps`: collections after memory was refused */
    int64_t time_steps;       /* part of `steps`: time since the last sg_meter_begin */
    size_t memory;            /* bytes that Lua holds */
    int64_t step_price; /* the highest price of a VM instruction since the last check of the budget;
                           see note [what a step costs] */
    int64_t looks;      /* checks of the budget so far */
    double busy;        /* seconds of processor time before `began` */
    clock_t began;
    size_t metatables; /* live ones; see note [chains of tables] */
    size_t collect_at; /* at this number of metatables, unused ones are freed */
    const void *stack; /* Lua's stack, and the last other block without a type */
    size_t stack_size;
    const void *untyped;
    size_t untyped_size;
    int64_t made;                      /* blocks allocated so far; see note [what a block is] */
    int64_t last_of[SG_METER_CLASSES]; /* serial number of the newest block of each size, except
                                          strings */
    int64_t strings[SG_METER_CLASSES]; /* number of live strings of each size */
    sg_meter_spent spent;
};

/* Creates the state with the values that the caller has set above. False: not enough memory. The
 * meter may not be moved afterwards. */
bool sg_meter_open(sg_meter *meter) SG_CHECK;
/* Installs the hooks that count. */
void sg_meter_watch(const sg_meter *meter);
void sg_meter_close(sg_meter *meter);
sg_meter *sg_meter_of(lua_State *L);

/* Call these around every call from C into Lua, to measure its time. */
void sg_meter_begin(sg_meter *meter);
void sg_meter_end(sg_meter *meter);

/* Processor time of the calls so far, in seconds. */
int64_t sg_meter_seconds(const sg_meter *meter);

/* What a text did to exhaust a budget: "is still running after 100 instructions"; or, before it
 * ran, "cannot start with 1 MiB of memory". */
typedef struct sg_meter_why {
    char text[80];
} sg_meter_why;
sg_meter_why sg_meter_explain(const sg_meter *meter);

/* Charges steps for work done in C; raises an error if the budget is exhausted. */
void sg_meter_charge(lua_State *L, int64_t steps);
/* The same for reading this many bytes. */
void sg_meter_charge_bytes(lua_State *L, size_t bytes);
/* The same for this many accesses to fields of tables that may have metatables. */
void sg_meter_charge_fields(lua_State *L, int64_t fields);
/* Counts the table at this index as a metatable; call it before the table becomes one. */
void sg_meter_add_metatable(lua_State *L, int table);
/* Charges for visiting every slot of the table at this index, including empty ones. Lua does not
 * report the number of slots, so the charge is for the largest block allocated since the table was
 * made. */
void sg_meter_charge_walk(lua_State *L, int table);

/* Bytes that may still be allocated. */
size_t sg_meter_left(const sg_meter *meter);

/* Raises an error unless this many bytes may still be allocated. */
void sg_meter_reserve(lua_State *L, size_t bytes);

/* For functions that catch errors: raises those again that must not be caught. */
void sg_meter_rethrow(lua_State *L, int status);

/* Like lua_pcall with all results and no handler, but charged, and errors that must not be caught
 * are raised again. False: the error value is on the stack. */
bool sg_meter_pcall(lua_State *L, int arguments);

/* Like luaL_loadbufferx with mode "t", but charged. *line receives the last line, from 1, that the
 * compiler has read, even if its error message has no line. */
int sg_meter_load(lua_State *L, sg_str text, const char *name, size_t *line);

#endif
