/* Runs splitgen kernels: their own function, and splitgen_run_parallel or splitgen_join_parallel
 * with one additional thread. It spins while it waits, like the pools of inference runtimes, so
 * it runs only during measurements. */
#define _GNU_SOURCE
#include "suite.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <splitgen/splitgen.h>

/* A thread that takes task `next` of a round must know that the round still runs, so both are in
 * one word: turn << 32 | next << 16 | tasks. A caller that finds all tasks taken waits for
 * running tasks, not for a thread that was too late to take one. */
struct suite_thread {
    pthread_t id;
    _Alignas(64) _Atomic uint64_t state;
    _Alignas(64) atomic_size_t done;
    _Alignas(64) atomic_bool stop;
    void (*task)(void *context, size_t index);
    void *context;
};

static void pause_a_little(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

static void take_tasks(struct suite_thread *pool)
{
    uint64_t state = atomic_load_explicit(&pool->state, memory_order_acquire);

    while ((state >> 16 & 0xffff) < (state & 0xffff)) {
        if (atomic_compare_exchange_weak_explicit(&pool->state, &state, state + (1u << 16),
                                                  memory_order_acquire, memory_order_acquire)) {
            pool->task(pool->context, (size_t)(state >> 16 & 0xffff));
            atomic_fetch_add_explicit(&pool->done, 1, memory_order_release);
            state = atomic_load_explicit(&pool->state, memory_order_acquire);
        }
    }
}

static void *work(void *argument)
{
    struct suite_thread *pool = argument;
    cpu_set_t set;

    /* The caller is pinned to processor 0 while it measures. */
    CPU_ZERO(&set);
    CPU_SET(1, &set);
    sched_setaffinity(0, sizeof(set), &set);
    while (!atomic_load_explicit(&pool->stop, memory_order_relaxed)) {
        take_tasks(pool);
        pause_a_little();
    }
    return NULL;
}

/* splitgen.h limits tasks to 1024. */
static void parallel_for(void *opaque, size_t tasks, void (*task)(void *context, size_t index),
                         void *context)
{
    struct suite_thread *pool = opaque;
    uint64_t turn = (atomic_load_explicit(&pool->state, memory_order_relaxed) >> 32) + 1;

    pool->task = task;
    pool->context = context;
    atomic_store_explicit(&pool->done, 0, memory_order_relaxed);
    atomic_store_explicit(&pool->state, turn << 32 | tasks, memory_order_release);
    take_tasks(pool);
    while (atomic_load_explicit(&pool->done, memory_order_acquire) != tasks) {
        pause_a_little();
    }
}

struct suite_thread *suite_thread_start(void)
{
    /* A whole number of lines, as aligned_alloc requires; the struct's size is one. */
    struct suite_thread *pool = aligned_alloc(64, sizeof(*pool));

    if (!pool) {
        return NULL;
    }
    memset(pool, 0, sizeof(*pool));
    if (pthread_create(&pool->id, NULL, work, pool) != 0) {
        free(pool);
        return NULL;
    }
    return pool;
}

void suite_thread_stop(struct suite_thread *thread)
{
    atomic_store(&thread->stop, true);
    pthread_join(thread->id, NULL);
    free(thread);
}

/* C, unlike C++, does not add const at two levels implicitly. */
static const void *const *as_read(void *const parts[])
{
    return (const void *const *)parts;
}

void suite_parallel(const void *context, void *whole, void *const parts[])
{
    const suite_shape *shape = context;

    if (shape->joins) {
        splitgen_join_parallel(shape->kernel, as_read(parts), whole, parallel_for, shape->thread);
    } else {
        splitgen_run_parallel(shape->kernel, whole, parts, parallel_for, shape->thread);
    }
}

void suite_free(const void *context, void *whole, void *const parts[])
{
    const suite_shape *shape = context;
    const splitgen_kernel *kernel = shape->free_kernel;
    const size_t rows = shape->items * kernel->rows;

    if (shape->joins) {
        kernel->free->join_rows(as_read(parts), whole, 0, rows, rows);
    } else {
        kernel->free->split_rows(whole, parts, 0, rows, rows);
    }
}

suite_split_fn *suite_kernel_split(const void *kernel)
{
    return ((const splitgen_kernel *)kernel)->split;
}

suite_join_fn *suite_kernel_join(const void *kernel)
{
    return ((const splitgen_kernel *)kernel)->join;
}
