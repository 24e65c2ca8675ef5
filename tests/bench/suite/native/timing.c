/* Times batches of runs of a competitor, independent of what it does. */
#define _GNU_SOURCE
#include "suite.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The empty asm keeps the compiler from combining the additions. The summand is in a register
 * that it knows nothing about, because some processors add constants during register renaming,
 * in no time. */
#define STEP                                                                                       \
    __asm__ volatile("" : "+r"(x), "+r"(summand));                                                 \
    x += summand;
#define STEPS4  STEP STEP STEP STEP
#define STEPS16 STEPS4 STEPS4 STEPS4 STEPS4

/* One cycle per step on every relevant processor: each addition waits for the previous one. */
#define ITERATIONS 1500
#define CYCLES     (32.0 * ITERATIONS)

static double chain(void)
{
    uint64_t x = 1;
    uint64_t summand = 3;
    double start = now();

    for (int i = 0; i < ITERATIONS; ++i) {
        STEPS16
        STEPS16
    }
    __asm__ volatile("" : "+r"(x));
    return now() - start;
}

double suite_calibrate(void)
{
    double best = chain();

    /* The smallest of four: an interrupt here must not look like a slower clock. */
    for (int i = 0; i < 3; ++i) {
        double again = chain();
        if (again < best) {
            best = again;
        }
    }
    return CYCLES / best;
}

/* Vectorises, reads only its own registers, and never writes a line of zeros. */
static void produce_bytes(unsigned char *memory, size_t bytes)
{
    uint64_t x = 0;
    size_t words = bytes / 8;

    /* Other bytes than the last time. */
    memcpy(&x, memory, bytes < 8 ? bytes : 8);
    x += 0x9e3779b97f4a7c15u;
    for (size_t i = 0; i < words; ++i) {
        uint64_t word = (x + i) ^ ((x + i) << 17) ^ ((x + i) << 41);
        memcpy(memory + 8 * i, &word, 8);
    }
    memset(memory + words * 8, (int)(x & 255) | 1, bytes - words * 8);
}

static uint64_t sum(const unsigned char *memory, size_t bytes)
{
    uint64_t total = 0;
    size_t words = bytes / 8;

    for (size_t i = 0; i < words; ++i) {
        uint64_t word;
        memcpy(&word, memory + 8 * i, 8);
        total += word;
    }
    for (size_t i = words * 8; i < bytes; ++i) {
        total += memory[i];
    }
    return total;
}

static void produce(const suite_shape *shape, const suite_set *set)
{
    if (!shape->joins) {
        produce_bytes(set->whole, shape->whole_bytes);
        return;
    }
    for (size_t i = 0; i < shape->nparts; ++i) {
        produce_bytes(set->parts[i], shape->part_bytes[i]);
    }
}

static void consume(const suite_shape *shape, const suite_set *set)
{
    uint64_t total = 0;

    if (shape->joins) {
        total = sum(set->whole, shape->whole_bytes);
    } else {
        for (size_t i = 0; i < shape->nparts; ++i) {
            total += sum(set->parts[i], shape->part_bytes[i]);
        }
    }
    __asm__ volatile("" : : "r"(total));
}

double suite_produce(const suite_shape *shape, const suite_set *set)
{
    double start = now();

    produce(shape, set);
    return now() - start;
}

double suite_consume(const suite_shape *shape, const suite_set *set)
{
    double start = now();

    consume(shape, set);
    return now() - start;
}

static void run(const suite_job *job, uint64_t runs)
{
    size_t set = job->first % job->nsets;
    /* volatile: the compiler could otherwise inline the call. */
    suite_split_fn *volatile split = job->split;
    suite_join_fn *volatile join = job->join;
    suite_context_fn *volatile context = job->context;

    for (uint64_t i = 0; i < runs; ++i) {
        const suite_set *at = &job->sets[set];
        if (job->pipeline) {
            produce(job->shape, at);
        }
        if (split) {
            split(at->whole, at->parts);
        } else if (join) {
            join((const void *const *)at->parts, at->whole);
        } else {
            context(job->shape, at->whole, at->parts);
        }
        if (job->pipeline) {
            consume(job->shape, at);
        }
        if (++set == job->nsets) {
            set = 0;
        }
    }
}

/* Another program on the core runs for milliseconds at a time, so a batch may have no
 * undisturbed moment, but most pieces of this length are undisturbed. */
#define PIECE_SECONDS 50e-6

/* Runs in pieces if that changes nothing else, and returns the seconds of a run of the fastest
 * piece; 0 if there were none. */
static double run_in_pieces(const suite_job *job, uint64_t runs)
{
    double fastest = 0;
    uint64_t piece = 1;

    if (job->nsets > 1 || job->pipeline) {
        run(job, runs);
        return 0;
    }
    while (runs > 0) {
        uint64_t now_runs = piece < runs ? piece : runs;
        double start = now();
        run(job, now_runs);
        double spent = now() - start;
        runs -= now_runs;
        if (spent < PIECE_SECONDS) {
            piece *= now_runs == piece ? 2 : 1;
        } else if (fastest <= 0 || spent / (double)now_runs < fastest) {
            fastest = spent / (double)now_runs;
        }
    }
    return fastest;
}

long suite_interruptions(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_nivcsw;
}

void suite_batch(const suite_job *job, uint64_t warm, uint64_t runs, suite_sample *sample)
{
    run(job, warm);
    long interruptions = suite_interruptions();
    double before = suite_calibrate();
    double start = now();
    sample->fastest = run_in_pieces(job, runs);
    double end = now();
    double after = suite_calibrate();
    sample->seconds = (end - start) / (double)runs;
    if (sample->fastest <= 0) {
        sample->fastest = sample->seconds;
    }
    sample->most_hertz = before > after ? before : after;
    sample->drift = after > before ? after / before - 1 : before / after - 1;
    sample->interruptions = suite_interruptions() - interruptions;
    sample->hertz = (before + after) / 2;
}

void *suite_map(size_t bytes, int huge)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (memory == MAP_FAILED) {
        return NULL;
    }
    madvise(memory, bytes, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    return memory;
}

void suite_unmap(void *memory, size_t bytes)
{
    munmap(memory, bytes);
}

void suite_fill(unsigned char *memory, size_t bytes, uint64_t seed)
{
    uint64_t x = seed * 0x9e3779b97f4a7c15u + 0xbf58476d1ce4e5b9u;
    size_t i = 0;

    for (; i + 8 <= bytes; i += 8) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        memcpy(memory + i, &x, 8);
    }
    for (; i < bytes; ++i) {
        memory[i] = (unsigned char)(x >> (i % 8 * 8));
    }
}

/* memcmp of a size known here is one comparison; tensors with many columns mostly have such
 * narrow ones. */
static int differ(const unsigned char *a, const unsigned char *b, size_t bytes)
{
    switch (bytes) {
    case 1:
        return *a != *b;
    case 2:
        return memcmp(a, b, 2) != 0;
    case 4:
        return memcmp(a, b, 4) != 0;
    case 8:
        return memcmp(a, b, 8) != 0;
    default:
        return memcmp(a, b, bytes) != 0;
    }
}

static void copy(unsigned char *to, const unsigned char *from, size_t bytes)
{
    switch (bytes) {
    case 1:
        *to = *from;
        break;
    case 2:
        memcpy(to, from, 2);
        break;
    case 4:
        memcpy(to, from, 4);
        break;
    case 8:
        memcpy(to, from, 8);
        break;
    default:
        memcpy(to, from, bytes);
        break;
    }
}

void suite_reference(const suite_shape *shape, const suite_set *set)
{
    if (shape->bits) {
        suite_packed_elements(shape, set->whole, set->parts);
        return;
    }
    for (size_t row = 0; row < shape->rows; ++row) {
        for (size_t i = 0; i < shape->nparts; ++i) {
            size_t width = shape->widths[i];
            unsigned char *part = (unsigned char *)set->parts[i] + row * width;
            unsigned char *whole = set->whole + row * shape->row_bytes + shape->offsets[i];
            if (shape->joins) {
                copy(whole, part, width);
            } else {
                copy(part, whole, width);
            }
        }
    }
}

int64_t suite_check(const suite_shape *shape, const suite_set *set)
{
    if (shape->bits) {
        return suite_packed_check(shape, set);
    }
    for (size_t row = 0; row < shape->rows; ++row) {
        for (size_t i = 0; i < shape->nparts; ++i) {
            size_t width = shape->widths[i];
            if (differ((const unsigned char *)set->parts[i] + row * width,
                       set->whole + row * shape->row_bytes + shape->offsets[i], width)) {
                return (int64_t)i;
            }
        }
    }
    return -1;
}

int64_t suite_compare(const suite_shape *shape, const suite_set *set, const suite_set *expected)
{
    if (shape->joins) {
        if (memcmp(set->whole, expected->whole, shape->whole_bytes) == 0) {
            return -1;
        }
        int64_t wrong = suite_check(shape, set);
        return wrong < 0 ? 0 : wrong;
    }
    for (size_t i = 0; i < shape->nparts; ++i) {
        if (memcmp(set->parts[i], expected->parts[i], shape->part_bytes[i]) != 0) {
            return (int64_t)i;
        }
    }
    return -1;
}

void suite_null_split(const void *whole, void *const parts[])
{
    (void)whole;
    (void)parts;
}

void suite_null_join(const void *const parts[], void *whole)
{
    (void)parts;
    (void)whole;
}
