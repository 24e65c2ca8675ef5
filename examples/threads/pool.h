/* A few threads that wait for work, and nothing more. */
#ifndef POOL_H
#define POOL_H

#include <stddef.h>

typedef struct pool pool;

/* `threads` in all, the one that calls pool_run included; NULL when they cannot be had. */
pool *pool_new(size_t threads);

/* A splitgen_parallel_for; one call at a time. */
void pool_run(void *pool, size_t tasks, void (*task)(void *context, size_t index), void *context);

void pool_free(pool *p);

#endif
