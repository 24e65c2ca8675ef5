/* A minimal thread pool. */
#ifndef POOL_H
#define POOL_H

#include <stddef.h>

typedef struct pool pool;

/* Creates `threads` threads, including the caller of pool_run; returns NULL if that fails. */
pool *pool_new(size_t threads);

/* A splitgen_parallel_for; one call at a time. */
void pool_run(void *pool, size_t tasks, void (*task)(void *context, size_t index), void *context);

void pool_free(pool *p);

#endif
