/* The budgets of a Lua state: how much memory it may hold and how many steps it may take, whatever
 * it does. A step is a VM instruction; work that one instruction or one C function does on many
 * bytes or items is charged as many steps. Counts only, never asks a clock: the same text stops at
 * the same place on every machine. */
#ifndef SG_LUA_LUA_METER_H
#define SG_LUA_LUA_METER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <lua.h>

#include "base/diag.h"
#include "base/text.h"

/* Calls nest so deep, and carry so many arguments beyond those that have names. */
#define SG_METER_DEPTH   1000
#define SG_METER_VARARGS 250

/* Sizes of blocks as powers of two; memory budgets are smaller than the last. */
#define SG_METER_CLASSES 48

/* Steps of a budget that nothing spends. */
#define SG_METER_NO_LIMIT (INT64_MAX / 2)

typedef enum sg_meter_spent {
    SG_METER_SPENT_NOTHING,
    SG_METER_SPENT_STEPS,
    SG_METER_SPENT_TIME, /* which is paid for in steps; see note [what nothing tells] */
    SG_METER_SPENT_MEMORY
} sg_meter_spent;

/* The owner of a state begins with its meter, so that one pointer finds both. */
typedef struct sg_meter sg_meter;
struct sg_meter {
    int64_t max_steps;
    size_t max_memory;
    const char *guest;        /* the kind of text that runs, as messages call it */
    int64_t steps_per_second; /* the least that long runs pay; see note [what nothing tells] */
    int interval;             /* VM instructions between two looks at the budget */
    bool watches_calls;       /* from the start; else see note [watching calls] in lua_meter.c */
    lua_Hook on_return;       /* gets returns of functions; may be NULL */
    lua_Hook on_line;         /* gets lines before they run; may be NULL */
    /* Memory that counts besides Lua's; may be NULL. */
    size_t (*held_elsewhere)(const sg_meter *);
    /* A budget is spent, or memory was refused: notes where, and allocates nothing. May be NULL. */
    void (*note_place)(sg_meter *, lua_State *);
    void *loading; /* the owner's; when a text catches an error, it becomes what it was before */

    lua_State *L;
    int64_t steps;
    int64_t collection_steps; /* of them, for garbage when memory was refused */
    int64_t time_steps;       /* of them, for time since the last sg_meter_begin */
    size_t memory;            /* that Lua holds */
    int64_t step_price;       /* the highest of a VM instruction since the last look at the budget;
                               * see note [what a step costs] */
    int64_t looks;            /* at the budget so far */
    double busy;              /* seconds of the processor, before `began` */
    clock_t began;
    size_t metatables; /* that are live; see note [chains of tables] */
    size_t collect_at; /* so many of them, those nobody uses any more are freed */
    const void *stack; /* Lua's, and the last other block of unknown kind */
    size_t stack_size;
    const void *untyped;
    size_t untyped_size;
    int64_t made;                      /* blocks so far; see note [what a block is] */
    int64_t last_of[SG_METER_CLASSES]; /* when the last of each size was made, strings aside */
    int64_t strings[SG_METER_CLASSES]; /* how many of each size there are */
    sg_meter_spent spent;
};

/* Makes the state, with what the caller has set above. False: not enough memory. The meter may not
 * move afterwards. */
bool sg_meter_open(sg_meter *meter) SG_CHECK;
/* From here on, hooks count what runs. */
void sg_meter_watch(const sg_meter *meter);
void sg_meter_close(sg_meter *meter);
sg_meter *sg_meter_of(lua_State *L);

/* Around every call from C that is not made by Lua, for the time it takes. */
void sg_meter_begin(sg_meter *meter);
void sg_meter_end(sg_meter *meter);

/* For how long the calls so far have kept the processor busy. */
int64_t sg_meter_seconds(const sg_meter *meter);

/* What a text does that has spent a budget: "is still running after 100 instructions"; if it has
 * not, "cannot start with 1 MiB of memory". */
typedef struct sg_meter_why {
    char text[80];
} sg_meter_why;
sg_meter_why sg_meter_explain(const sg_meter *meter);

/* Takes steps off the budget; raises when it is spent. For work done in C. */
void sg_meter_charge(lua_State *L, int64_t steps);
/* The same for reading so many bytes. */
void sg_meter_charge_bytes(lua_State *L, size_t bytes);
/* The same for so many reads or writes of fields of tables that may have metatables. */
void sg_meter_charge_fields(lua_State *L, int64_t fields);
/* Counts the table at that index as a metatable, before it becomes one. */
void sg_meter_add_metatable(lua_State *L, int table);
/* Takes off the budget what it takes to visit every slot of the table at that index, empty slots
 * included. Lua does not tell how many slots a table has, so the largest block that was allocated
 * since the table was made is charged. */
void sg_meter_charge_walk(lua_State *L, int table);

/* How much more memory may be held. */
size_t sg_meter_left(const sg_meter *meter);

/* Raises unless so much more memory may be held. */
void sg_meter_reserve(lua_State *L, size_t bytes);

/* For functions that catch errors: raises again what must not be caught. */
void sg_meter_rethrow(lua_State *L, int status);

/* As lua_pcall with all results and no handler, but charged, and raises again what must not be
 * caught. False: the error's value is on the stack. */
bool sg_meter_pcall(lua_State *L, int arguments);

/* As luaL_loadbufferx with mode "t", but charged. *line receives the line of the text, from 1, the
 * compiler had come to, also where its error names none. */
int sg_meter_load(lua_State *L, sg_str text, const char *name, size_t *line);

#endif
