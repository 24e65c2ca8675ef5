/* nameset: a set of names with a number for each. It finds duplicates and makes names unique. The
 * order of the table is never visible. */
#ifndef SG_SPLIT_NAMESET_H
#define SG_SPLIT_NAMESET_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

typedef struct sg_nameset_entry {
    const char *name; /* NULL: a free slot */
    int64_t value;
} sg_nameset_entry;

typedef struct sg_nameset {
    sg_arena *arena;
    sg_nameset_entry *slots;
    size_t count;
    size_t capacity; /* a power of two, or 0 */
} sg_nameset;

/* Makes an empty set. The table is allocated from the arena; names are not copied. */
void sg_nameset_init(sg_nameset *set, sg_arena *arena);

/* The entry of that name or NULL; valid until the next sg_nameset_add. */
sg_nameset_entry *sg_nameset_find(const sg_nameset *set, const char *name);

/* Adds a name that is not in the set; it must live as long as the set. */
void sg_nameset_add(sg_nameset *set, const char *name, int64_t value);

/* The first of base_2, base_3, ... that is neither in the set nor already returned. Adds base (not
 * empty) to the set, but not the result. Uses the value of base as the counter. */
const char *sg_nameset_numbered(sg_nameset *set, const char *base);

/* Adds and returns base (not empty) if it is free, else the first free of base_2, base_3, ... Uses
 * the values as counters, so don't mix it with sg_nameset_add in one set. */
const char *sg_nameset_unique(sg_nameset *set, const char *base);

#endif
