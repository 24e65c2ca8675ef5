/* A set of names with a number each: finds duplicates and makes names unique. The order of its
 * table is never visible. */
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

/* Starts empty. Memory, never the names themselves, comes from the arena. */
void sg_nameset_init(sg_nameset *set, sg_arena *arena);

/* The entry of that name or NULL; valid until the next sg_nameset_add. */
sg_nameset_entry *sg_nameset_find(const sg_nameset *set, const char *name);

/* Adds a name that is not in the set; it must live as long as the set. */
void sg_nameset_add(sg_nameset *set, const char *name, int64_t value);

/* The next of base_2, base_3, ... that is not in the set, each at most once; base (not empty) is in
 * the set from then on, the name is not. Uses the value of base as the counter. */
const char *sg_nameset_numbered(sg_nameset *set, const char *base);

/* base (not empty) itself when it is free, else base_2, base_3, ...; adds and returns it. Uses the
 * values as counters, so a set is either for this or for sg_nameset_add. */
const char *sg_nameset_unique(sg_nameset *set, const char *base);

#endif
