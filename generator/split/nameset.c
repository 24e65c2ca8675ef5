/* A hash table with open addressing. */
#include "split/nameset.h"

#include <string.h>

void sg_nameset_init(sg_nameset *set, sg_arena *arena)
{
    *set = (sg_nameset){.arena = arena};
}

/* The slot that holds name, or the free slot where it can be added. */
static sg_nameset_entry *slot_of(const sg_nameset *set, const char *name)
{
    uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */
    for (const char *p = name; *p != '\0'; p++) {
        hash = (hash ^ (unsigned char)*p) * UINT64_C(1099511628211);
    }
    size_t mask = set->capacity - 1;
    size_t i = (size_t)(hash ^ (hash >> 32)) & mask;
    while (set->slots[i].name != NULL && strcmp(set->slots[i].name, name) != 0) {
        i = (i + 1) & mask;
    }
    return &set->slots[i];
}

sg_nameset_entry *sg_nameset_find(const sg_nameset *set, const char *name)
{
    if (set->count == 0) {
        return NULL;
    }
    sg_nameset_entry *slot = slot_of(set, name);
    return slot->name == NULL ? NULL : slot;
}

void sg_nameset_add(sg_nameset *set, const char *name, int64_t value)
{
    if (2 * set->count >= set->capacity) {
        sg_nameset old = *set;
        set->capacity = old.capacity == 0 ? 16 : 2 * old.capacity;
        set->slots = SG_NEW_ARRAY(set->arena, sg_nameset_entry, set->capacity);
        for (size_t i = 0; i < old.capacity; i++) {
            if (old.slots[i].name != NULL) {
                *slot_of(set, old.slots[i].name) = old.slots[i];
            }
        }
    }
    *slot_of(set, name) = (sg_nameset_entry){name, value};
    set->count++;
}

const char *sg_nameset_numbered(sg_nameset *set, const char *base)
{
    sg_nameset_entry *entry = sg_nameset_find(set, base);
    if (entry == NULL) {
        sg_nameset_add(set, base, 1);
        entry = sg_nameset_find(set, base);
    }
    /* '__' is reserved in C++ */
    const char *joint = base[strlen(base) - 1] == '_' ? "" : "_";
    const char *name;
    do {
        /* without the counter, a thousand outputs of one name would need a million look-ups */
        entry->value = entry->value < 1 ? 2 : entry->value + 1;
        name = sg_arena_printf(set->arena, "%s%s%lld", base, joint, (long long)entry->value);
    } while (sg_nameset_find(set, name) != NULL);
    return name;
}

const char *sg_nameset_unique(sg_nameset *set, const char *base)
{
    const char *name = sg_nameset_find(set, base) == NULL ? base : sg_nameset_numbered(set, base);
    sg_nameset_add(set, name, 1);
    return name;
}
