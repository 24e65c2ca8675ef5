/* A pool of one thread beside the caller, for splitgen_run_parallel. It spins while it waits, as
 * the pools of inference runtimes do, so it runs only while something is measured. */
#define _GNU_SOURCE
#include "suite.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <splitgen/splitgen.h>

struct suite_thread {
    pthread_t id;
    _Alignas(64) atomic_ulong turn; /* odd while there is work */
    _Alignas(64) atomic_size_t next;
    _Alignas(64) atomic_bool stop;
    void (*task)(void *context, size_t index);
    void *context;
    size_t tasks;
};

static void pause_a_little(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

static void take_tasks(struct suite_thread *pool)
{
    for (;;) {
        size_t index = atomic_fetch_add_explicit(&pool->next, 1, memory_order_relaxed);
        if (index >= pool->tasks) {
            return;
        }
        pool->task(pool->context, index);
    }
}

static void *work(void *argument)
{
    struct suite_thread *pool = argument;
    cpu_set_t set;

    /* The caller is kept on processor 0 while it measures. */
    CPU_ZERO(&set);
    CPU_SET(1, &set);
    sched_setaffinity(0, sizeof(set), &set);
    while (!atomic_load_explicit(&pool->stop, memory_order_relaxed)) {
        unsigned long turn = atomic_load_explicit(&pool->turn, memory_order_acquire);
        if (turn & 1) {
            take_tasks(pool);
            atomic_store_explicit(&pool->turn, turn + 1, memory_order_release);
        } else {
            pause_a_little();
        }
    }
    return NULL;
}

static void parallel_for(void *opaque, size_t tasks, void (*task)(void *context, size_t index),
                         void *context)
{
    struct suite_thread *pool = opaque;

    pool->task = task;
    pool->context = context;
    pool->tasks = tasks;
    atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
    unsigned long turn = atomic_load_explicit(&pool->turn, memory_order_relaxed);
    atomic_store_explicit(&pool->turn, turn + 1, memory_order_release);
    take_tasks(pool);
    while (atomic_load_explicit(&pool->turn, memory_order_acquire) != turn + 2) {
        pause_a_little();
    }
}

struct suite_thread *suite_thread_start(void)
{
    /* A whole number of lines, as aligned_alloc wants it; the struct's size is one. */
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

void suite_parallel(const void *context, const void *input, void *const outputs[])
{
    const suite_shape *shape = context;

    splitgen_run_parallel(shape->kernel, input, outputs, parallel_for, shape->thread);
}
