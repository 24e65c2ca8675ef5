/* The bump allocator of arena.h: a list of zeroed blocks, newest first. Objects are not freed
 * individually. */
#include "base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/exit.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define EXACT_BLOCKS 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define EXACT_BLOCKS 1
#endif

/* Under AddressSanitizer every request gets a block of its own, so that an overrun of one object
 * into its neighbour in the arena is found. */
#ifdef EXACT_BLOCKS
#define BLOCK_BYTES ((size_t)1)
#else
#define BLOCK_BYTES ((size_t)64 * 1024)
#endif

struct sg_arena_block {
    sg_arena_block *next;
    size_t used;
    size_t size;
    max_align_t data[];
};

static _Noreturn void out_of_memory(void)
{
    fputs("splitgen: error: out of memory\n", stderr);
    exit(SG_EXIT_IO);
}

void sg_arena_init(sg_arena *arena)
{
    arena->head = NULL;
    arena->total = 0;
    arena->limit = 0;
}

size_t sg_arena_left(const sg_arena *arena)
{
    if (arena->limit == 0) {
        return SIZE_MAX;
    }
    return arena->total < arena->limit ? arena->limit - arena->total : 0;
}

void sg_arena_free(sg_arena *arena)
{
    sg_arena_block *block = arena->head;
    while (block) {
        sg_arena_block *next = block->next;
        free(block);
        block = next;
    }
    sg_arena_init(arena);
}

/* A block for at least this many bytes. A request larger than the usual size gets a block of its
 * own, inserted after the head, so that the free end of the head is still used. */
static sg_arena_block *new_block(sg_arena *arena, size_t bytes)
{
    size_t size = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
    if (size > SIZE_MAX - sizeof(sg_arena_block)) {
        out_of_memory();
    }
    sg_arena_block *block = calloc(1, sizeof(sg_arena_block) + size);
    if (!block) {
        out_of_memory();
    }
    block->size = size;
    if (arena->head && size > BLOCK_BYTES) {
        block->next = arena->head->next;
        arena->head->next = block;
    } else {
        block->next = arena->head;
        arena->head = block;
    }
    return block;
}

void *sg_arena_alloc(sg_arena *arena, size_t bytes)
{
    const size_t unit = alignof(max_align_t);
    size_t wanted = bytes ? bytes : 1;
    sg_arena_block *block = arena->head;
    if (!block || wanted > block->size - block->used) {
        block = new_block(arena, wanted);
    }
    void *result = (char *)block->data + block->used;
    size_t room = block->size - block->used - wanted;
    size_t pad = (unit - wanted % unit) % unit;
    block->used += wanted + (pad < room ? pad : room);
    arena->total += bytes;
    return result;
}

void *sg_arena_array(sg_arena *arena, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size) {
        out_of_memory();
    }
    return sg_arena_alloc(arena, count * size);
}

void *sg_arena_grown(sg_arena *arena, void *items, int64_t count, int64_t *capacity, size_t size)
{
    if (count < *capacity) {
        return items;
    }
    *capacity = count == 0 ? 4 : 2 * count;
    void *bigger = sg_arena_array(arena, (size_t)*capacity, size);
    if (count > 0) {
        memcpy(bigger, items, (size_t)count * size);
    }
    return bigger;
}

char *sg_arena_strndup(sg_arena *arena, const char *s, size_t n)
{
    if (n == SIZE_MAX) {
        out_of_memory();
    }
    char *copy = sg_arena_alloc(arena, n + 1);
    if (n) {
        memcpy(copy, s, n);
    }
    return copy;
}

char *sg_arena_strdup(sg_arena *arena, const char *s)
{
    return sg_arena_strndup(arena, s, strlen(s));
}

char *sg_arena_vprintf(sg_arena *arena, const char *fmt, va_list ap)
{
    va_list again;
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    if (n < 0) {
        out_of_memory();
    }
    char *text = sg_arena_alloc(arena, (size_t)n + 1);
    vsnprintf(text, (size_t)n + 1, fmt, again);
    va_end(again);
    return text;
}

char *sg_arena_printf(sg_arena *arena, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *text = sg_arena_vprintf(arena, fmt, ap);
    va_end(ap);
    return text;
}

void *sg_xrealloc(void *old, size_t bytes)
{
    void *result = realloc(old, bytes ? bytes : 1);
    if (!result) {
        out_of_memory();
    }
    return result;
}
