/* sum_lua: open sizes in Lua. A name is a string there, and any other size that is not a number a
 * value of its own: equal sizes are the same value, and it has operators. */
#ifndef SG_SHAPES_SUM_LUA_H
#define SG_SHAPES_SUM_LUA_H

#include <lua.h>

#include "split/nameset.h"
#include "sums/sum.h"

typedef struct sg_sum_lua {
    sg_arena *kept;   /* holds each size once */
    sg_arena scratch; /* of one operation; its owner frees it after the state is closed */
    /* the expected numbers of open dims; NULL: sizes that follow from them are unknown */
    sg_sum_number_of *expected;
    bool (*is_taken)(const void *context, const char *name); /* whether a dim has this name */
    const void *context;
    sg_nameset followers; /* names, and texts that say how they follow -> index in the list */
    sg_sum_follower *list;
    int64_t count;
    int64_t capacity;
} sg_sum_lua;

/* Pushes the table of functions, and gives sizes and strings the operators + - * //.
 *
 * add, sub, mul   of sizes and numbers; false if the result overflows or is not a size >= 0 for all
 *                 values of the names
 * quotient        the same; false if it has a rest
 * is_positive     whether it is at least 1 for all values of the names
 * most            the largest value, if all names are numbers of iterations; else false
 * floored         (d, more, by, most): the size that follows from d, see sg_sum_follower: the same
 *                 for the same arguments; most may be nil; false if d has no names
 * text            as in messages; "?" if unknown */
void sg_sum_lua_open(lua_State *L, sg_sum_lua *owner);

void sg_sum_lua_push(lua_State *L, const sg_sum *size);
/* The size at this index, which lasts as long as owner->kept. NULL: it is none. */
const sg_sum *sg_sum_lua_to(lua_State *L, int index);

#endif
