/* Bump allocator: one arena per lifetime; objects are not freed individually.
 *
 * splitgen is a one-shot tool, so running out of memory prints a line and exits with SG_EXIT_IO; no
 * caller checks for NULL. Zero-size requests return a valid unique pointer. */
#ifndef SG_BASE_ARENA_H
#define SG_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sg_arena_block sg_arena_block;

typedef struct sg_arena {
    sg_arena_block *head; /* newest block; NULL while empty */
    size_t total;         /* bytes requested so far, for tests and --explain of budgets */
    size_t limit;         /* on `total`, for callers that check sg_arena_left; 0: none */
} sg_arena;

void sg_arena_init(sg_arena *arena);
void sg_arena_free(sg_arena *arena); /* frees every block; the arena may be used again */

/* Bytes left below the limit, SIZE_MAX without one. No other function enforces the limit. */
size_t sg_arena_left(const sg_arena *arena);

/* Zeroed memory aligned for any type, valid until sg_arena_free. */
void *sg_arena_alloc(sg_arena *arena, size_t bytes);
/* As above for an array; reports and exits when count * size overflows. */
void *sg_arena_array(sg_arena *arena, size_t count, size_t size);
/* Makes room for one more item than count. `items` of `size` bytes are moved to twice the space
 * when they fill their capacity (counted in items), so a list of n takes linear time and space. */
void *sg_arena_grown(sg_arena *arena, void *items, int64_t count, int64_t *capacity, size_t size);
/* NUL-terminated copy of n bytes. */
char *sg_arena_strndup(sg_arena *arena, const char *s, size_t n);
char *sg_arena_strdup(sg_arena *arena, const char *s);
/* printf into the arena. */
char *sg_arena_printf(sg_arena *arena, const char *fmt, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
char *sg_arena_vprintf(sg_arena *arena, const char *fmt, va_list ap)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 0)))
#endif
    ;

/* malloc/realloc that report and exit; for growable buffers (text.h). */
void *sg_xrealloc(void *old, size_t bytes);

#define SG_NEW(arena, type)          ((type *)sg_arena_alloc((arena), sizeof(type)))
#define SG_NEW_ARRAY(arena, type, n) ((type *)sg_arena_array((arena), (size_t)(n), sizeof(type)))
/* The items of a list with room for one more; capacity is an int64_t of the list, 0 at first. */
#define SG_GROWN(arena, items, count, capacity)                                                    \
    sg_arena_grown((arena), (items), (int64_t)(count), &(capacity), sizeof *(items))

#endif
