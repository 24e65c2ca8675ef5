/* Runs three splits with one and with two threads of each kind this program was built with,
 * checks every byte and prints the time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef WITH_PTHREADPOOL
#include <pthreadpool.h>
#endif

#include "pool.h"
#include "splits.h"

enum {
    PARTS = 3, /* outputs of each split */
    REPEATS = 50,
    NO_BYTE = 255 /* the input has none */
};

/* A kind of threads: how to create `threads` of them, how to pass splitgen's tasks to them, and
 * how to destroy them. */
typedef struct kind {
    const char *name;
    void *(*start)(size_t threads);
    splitgen_parallel_for run;
    void (*stop)(void *threads);
} kind;

#ifdef WITH_OPENMP
static void *openmp_start(size_t threads)
{
    int *count = malloc(sizeof *count); /* OpenMP only needs the number of threads */

    if (count != NULL) {
        *count = (int)threads;
    }
    return count;
}

static void openmp_run(void *threads, size_t tasks, void (*task)(void *, size_t), void *context)
{
    const int *count = threads;
    size_t i;

#pragma omp parallel for num_threads(*count) schedule(dynamic)
    for (i = 0; i < tasks; i++) {
        task(context, i);
    }
}
#endif

static void *pool_start(size_t threads)
{
    return pool_new(threads);
}

static void pool_stop(void *threads)
{
    pool_free(threads);
}

#ifdef WITH_PTHREADPOOL
static void *pthreadpool_start(size_t threads)
{
    return pthreadpool_create(threads);
}

static void pthreadpool_run(void *threads, size_t tasks, void (*task)(void *, size_t),
                            void *context)
{
    pthreadpool_parallelize_1d(threads, task, context, tasks, 0);
}

static void pthreadpool_stop(void *threads)
{
    pthreadpool_destroy(threads);
}
#endif

static const kind kinds[] = {
    {"pool.c", pool_start, pool_run, pool_stop},
#ifdef WITH_OPENMP
    {"OpenMP", openmp_start, openmp_run, free},
#endif
#ifdef WITH_PTHREADPOOL
    {"pthreadpool", pthreadpool_start, pthreadpool_run, pthreadpool_stop},
#endif
};

static double milliseconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* Counts the tasks instead of running them. */
static void count_tasks(void *count, size_t tasks, void (*task)(void *, size_t), void *context)
{
    size_t i;

    *(size_t *)count = tasks;
    for (i = 0; i < tasks; i++) {
        task(context, i);
    }
}

/* Returns whether every row of every part is where a plain loop would have put it. */
static int right(const splitgen_kernel *kernel, const unsigned char *input, void *const outputs[])
{
    size_t row, part, row_bytes = kernel->whole.bytes / kernel->rows;

    for (row = 0; row < kernel->rows; row++) {
        const unsigned char *at = input + row * row_bytes;

        for (part = 0; part < kernel->nparts; part++) {
            size_t bytes = kernel->parts[part].bytes / kernel->rows;

            if (memcmp((const char *)outputs[part] + row * bytes, at, bytes) != 0) {
                return 0;
            }
            at += bytes;
        }
    }
    return 1;
}

static void run_once(const splitgen_kernel *kernel, const unsigned char *input,
                     void *const outputs[], splitgen_parallel_for run, void *threads)
{
    splitgen_status status = splitgen_run_parallel(kernel, input, outputs, run, threads);

    if (status != SPLITGEN_OK) {
        fprintf(stderr, "threads: %s: %s\n", kernel->name, splitgen_status_text(status));
        exit(1);
    }
}

/* Runs a split on outputs without a right byte and exits unless all bytes are right afterwards. */
static void run_checked(const splitgen_kernel *kernel, const unsigned char *input,
                        void *const outputs[], splitgen_parallel_for run, void *threads)
{
    size_t part;

    for (part = 0; part < kernel->nparts; part++) {
        memset(outputs[part], NO_BYTE, kernel->parts[part].bytes);
    }
    run_once(kernel, input, outputs, run, threads);
    if (!right(kernel, input, outputs)) {
        fprintf(stderr, "threads: %s: a byte is wrong\n", kernel->name);
        exit(1);
    }
}

/* Milliseconds of the fastest of several runs; the run before and the run after it are checked. */
static double measure(const splitgen_kernel *kernel, const unsigned char *input,
                      void *const outputs[], splitgen_parallel_for run, void *threads)
{
    double best = 1e9;
    size_t i;

    run_checked(kernel, input, outputs, run, threads);
    for (i = 0; i < REPEATS; i++) {
        double time = milliseconds();

        run_once(kernel, input, outputs, run, threads);
        time = milliseconds() - time;
        best = time < best ? time : best;
    }
    run_checked(kernel, input, outputs, run, threads);
    return best;
}

static void print_time(const splitgen_kernel *kernel, double time)
{
    printf("  %6.2f ms %5.1f GB/s", time, (double)kernel->whole.bytes / time / 1e6);
}

static void run_kernel(const splitgen_kernel *kernel)
{
    unsigned char *input = malloc(kernel->whole.bytes);
    void *outputs[PARTS];
    size_t i, k, tasks = 0;

    for (i = 0; i < PARTS; i++) {
        outputs[i] = malloc(kernel->parts[i].bytes);
        if (input == NULL || outputs[i] == NULL) {
            fprintf(stderr, "threads: out of memory\n");
            exit(1);
        }
    }
    for (i = 0; i < kernel->whole.bytes; i++) {
        input[i] = (unsigned char)((i * 2654435761U >> 13) % NO_BYTE);
    }
    measure(kernel, input, outputs, count_tasks, &tasks);
    printf("  %s: %zu bytes in %zu rows, %zu tasks\n", kernel->name, kernel->whole.bytes,
           kernel->rows, tasks);
    printf("    %-12s", "no threads");
    print_time(kernel, measure(kernel, input, outputs, NULL, NULL));
    printf("\n");
    for (k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        size_t count;

        printf("    %-12s", kinds[k].name);
        for (count = 1; count <= 2; count++) {
            void *threads = kinds[k].start(count);

            if (threads == NULL) {
                fprintf(stderr, "threads: %s does not start\n", kinds[k].name);
                exit(1);
            }
            print_time(kernel, measure(kernel, input, outputs, kinds[k].run, threads));
            kinds[k].stop(threads);
        }
        printf("\n");
    }
    printf("\n");
    for (i = 0; i < PARTS; i++) {
        free(outputs[i]);
    }
    free(input);
}

int main(void)
{
    printf("\nthreads: splitgen_run_parallel with other people's threads\n\n");
    printf("    %-12s  %-20s  %s\n", "", "1 thread", "2 threads");
    run_kernel(&tokens_kernel);
    run_kernel(&pixels_kernel);
    run_kernel(&weights_kernel);
    printf("  every byte checked\n");
    return 0;
}
