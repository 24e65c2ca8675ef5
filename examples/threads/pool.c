/* A few threads that wait for work: an idle thread takes the next task. */
#include "pool.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t work; /* there are tasks, or the threads have to end */
    pthread_cond_t done; /* the last task of a run is finished */
    void (*task)(void *context, size_t index);
    void *context;
    size_t tasks, next, unfinished;
    bool quit;
    size_t helpers;
    pthread_t threads[];
};

/* Runs tasks while there are any; the lock is held on entry and on return. */
static void work(pool *p)
{
    while (p->next < p->tasks) {
        size_t index = p->next++;

        pthread_mutex_unlock(&p->lock);
        p->task(p->context, index);
        pthread_mutex_lock(&p->lock);
        if (--p->unfinished == 0) {
            pthread_cond_signal(&p->done);
        }
    }
}

static void *helper(void *argument)
{
    pool *p = argument;

    pthread_mutex_lock(&p->lock);
    while (!p->quit) {
        work(p);
        if (!p->quit) {
            pthread_cond_wait(&p->work, &p->lock);
        }
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

void pool_run(void *argument, size_t tasks, void (*task)(void *, size_t), void *context)
{
    pool *p = argument;

    pthread_mutex_lock(&p->lock);
    p->task = task;
    p->context = context;
    p->tasks = p->unfinished = tasks;
    p->next = 0;
    pthread_cond_broadcast(&p->work);
    work(p);
    while (p->unfinished > 0) {
        pthread_cond_wait(&p->done, &p->lock);
    }
    pthread_mutex_unlock(&p->lock);
}

void pool_free(pool *p)
{
    pthread_mutex_lock(&p->lock);
    p->quit = true;
    pthread_cond_broadcast(&p->work);
    pthread_mutex_unlock(&p->lock);
    while (p->helpers > 0) {
        pthread_join(p->threads[--p->helpers], NULL);
    }
    pthread_cond_destroy(&p->done);
    pthread_cond_destroy(&p->work);
    pthread_mutex_destroy(&p->lock);
    free(p);
}

pool *pool_new(size_t threads)
{
    pool *p = calloc(1, sizeof *p + threads * sizeof p->threads[0]);

    if (p == NULL) {
        return NULL;
    }
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->work, NULL);
    pthread_cond_init(&p->done, NULL);
    for (; p->helpers + 1 < threads; p->helpers++) {
        if (pthread_create(&p->threads[p->helpers], NULL, helper, p) != 0) {
            pool_free(p);
            return NULL;
        }
    }
    return p;
}
