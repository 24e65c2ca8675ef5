/* The benchmark of kernels. `splitgen --emit=bench` prints a table for it, and for each kernel a
 * loop over elements to compare with.
 *
 * Times every kernel against one memcpy of the same number of bytes and against the loop. Prints
 * GB/s of bytes copied, the best of several tries: first with tensors at multiples of 64 bytes,
 * then at 16 bytes after one, where malloc() puts large blocks. With an argument, it times only
 * kernels whose name contains it. Open dimensions have their expected lengths.
 *
 * Included by generated code only, once in a program. */
#ifndef SPLITGEN_BENCH_H
#define SPLITGEN_BENCH_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <splitgen/descriptor.h>

/* Copies `width` bits of every row, one at a time, for loops over packed elements. Rows are
 * from_row and to_row bits apart, and begin at from_offset and to_offset; bit i of a byte is i ^
 * order. */
static inline void splitgen_bench_bits(const void *from, void *to, size_t rows, size_t from_row,
                                       size_t from_offset, size_t to_row, size_t to_offset,
                                       size_t width, unsigned order)
{
    const unsigned char *in = SPLITGEN_POINTER(const unsigned char, from);
    unsigned char *out = SPLITGEN_POINTER(unsigned char, to);
    for (size_t row = 0; row < rows; ++row) {
        for (size_t i = 0; i < width; ++i) {
            const size_t source = row * from_row + from_offset + i;
            const size_t target = row * to_row + to_offset + i;
            const unsigned bit = (unsigned)in[source / 8] >> (source % 8 ^ order) & 1U;
            const unsigned others = out[target / 8] & ~(1U << (target % 8 ^ order));
            out[target / 8] = (unsigned char)(others | bit << (target % 8 ^ order));
        }
    }
}

typedef struct splitgen_bench_case {
    const splitgen_kernel *kernel;
    void (*loop)(void *whole, void *const parts[]);
    size_t bytes_moved;
    size_t items; /* the factor of the kernel's bytes if dimensions are open; otherwise 1 */
    size_t rows;  /* the same for its rows */
    size_t scale; /* the same for the bytes of a row */
} splitgen_bench_case;

/* Bytes of the largest element. */
#define SPLITGEN_BENCH_ELEMENT 16

/* The offset from a cache line at which tensors begin in the second run. */
#define SPLITGEN_BENCH_BEHIND 16

typedef struct splitgen_bench_memory {
    unsigned char *whole;
    unsigned char *copy;
    void **parts;
} splitgen_bench_memory;

typedef enum splitgen_bench_way {
    SPLITGEN_BENCH_KERNEL,
    SPLITGEN_BENCH_MEMCPY,
    SPLITGEN_BENCH_LOOP
} splitgen_bench_way;

/* Called through a pointer that the compiler cannot follow, so that no copy is optimised away. */
static void *(*volatile splitgen_bench_copy)(void *, const void *, size_t) = memcpy;

static void splitgen_bench_kernel(const splitgen_bench_case *bench,
                                  const splitgen_bench_memory *memory)
{
    const splitgen_kernel *kernel = bench->kernel;
    void (*volatile split)(const void *, void *const[]) = kernel->split;
    void (*volatile join)(const void *const[], void *) = kernel->join;
    const void *const *inputs = (const void *const *)memory->parts;
    const size_t rows = kernel->rows * bench->rows;
    if (kernel->free != NULL && kernel->joins) {
        splitgen_join_open(kernel, inputs, memory->whole, 0, rows, rows, bench->scale);
        return;
    }
    if (kernel->free != NULL) {
        splitgen_run_open(kernel, memory->whole, memory->parts, 0, rows, rows, bench->scale);
        return;
    }
    if (kernel->joins) {
        join(inputs, memory->whole);
    } else {
        split(memory->whole, memory->parts);
    }
}

static void splitgen_bench_once(const splitgen_bench_case *bench, splitgen_bench_way way,
                                const splitgen_bench_memory *memory)
{
    void (*volatile loop)(void *, void *const[]) = bench->loop;
    if (way == SPLITGEN_BENCH_KERNEL) {
        splitgen_bench_kernel(bench, memory);
    } else if (way == SPLITGEN_BENCH_MEMCPY) {
        splitgen_bench_copy(memory->copy, memory->whole, bench->bytes_moved);
    } else {
        loop(memory->whole, memory->parts);
    }
}

static double splitgen_bench_seconds(const splitgen_bench_case *bench, splitgen_bench_way way,
                                     const splitgen_bench_memory *memory, unsigned long repeats)
{
    const clock_t start = clock();
    for (unsigned long i = 0; i < repeats; ++i) {
        splitgen_bench_once(bench, way, memory);
    }
    return (double)(clock() - start) / (double)CLOCKS_PER_SEC;
}

static double splitgen_bench_rate(const splitgen_bench_case *bench, splitgen_bench_way way,
                                  const splitgen_bench_memory *memory)
{
    unsigned long repeats = 1;
    double best;
    while (splitgen_bench_seconds(bench, way, memory, repeats) < 0.02 && repeats < 1UL << 30) {
        repeats *= 2;
    }
    best = splitgen_bench_seconds(bench, way, memory, repeats);
    for (int i = 0; i < 5; ++i) {
        const double time = splitgen_bench_seconds(bench, way, memory, repeats);
        best = time < best ? time : best;
    }
    return best > 0 ? (double)bench->bytes_moved * (double)repeats / best / 1e9 : 0;
}

/* A block at `behind` bytes after a multiple of 4096, which satisfies every kernel's alignment.
 * Never freed: the program is short. */
static unsigned char *splitgen_bench_allocate(size_t bytes, size_t behind)
{
    unsigned char *block = SPLITGEN_POINTER(unsigned char, malloc(bytes + behind + 4096));
    if (block == NULL) {
        fputs("no memory for the tensors\n", stderr);
        exit(1);
    }
    memset(block, 1, bytes + behind + 4096);
    return block + (4096 - (uintptr_t)block % 4096) + behind;
}

/* The bytes of a tensor with all items, and room for the padding after the row of every item. */
static size_t splitgen_bench_size(const splitgen_bench_case *bench, const splitgen_tensor *tensor)
{
    const int64_t *strides = splitgen_tensor_strides(tensor);
    const size_t apart = strides != NULL ? (size_t)strides[0] : tensor->row_stride;
    const size_t row = bench->items > 1 ? apart * SPLITGEN_BENCH_ELEMENT : 0;
    return (tensor->bytes + row) * bench->items;
}

/* Times a kernel with tensors at `behind` bytes after a cache line. */
static void splitgen_bench_at(const splitgen_bench_case *bench, size_t behind)
{
    const splitgen_kernel *kernel = bench->kernel;
    splitgen_bench_memory memory;
    memory.whole = splitgen_bench_allocate(splitgen_bench_size(bench, &kernel->whole), behind);
    memory.copy = splitgen_bench_allocate(splitgen_bench_size(bench, &kernel->whole), behind);
    memory.parts =
        (void **)(void *)splitgen_bench_allocate((kernel->nparts + 1) * sizeof(void *), 0);
    for (size_t j = 0; j < kernel->nparts; ++j) {
        memory.parts[j] =
            !kernel->views[j].only
                ? splitgen_bench_allocate(splitgen_bench_size(bench, &kernel->parts[j]), behind)
                : NULL;
    }
    printf("%-32s %12lu %4lu %8.2f %8.2f %8.2f\n", kernel->name, (unsigned long)bench->bytes_moved,
           (unsigned long)behind, splitgen_bench_rate(bench, SPLITGEN_BENCH_KERNEL, &memory),
           splitgen_bench_rate(bench, SPLITGEN_BENCH_MEMCPY, &memory),
           splitgen_bench_rate(bench, SPLITGEN_BENCH_LOOP, &memory));
}

static int splitgen_bench_main(const splitgen_bench_case *cases, size_t ncases, int argc,
                               char **argv)
{
    int measured = 0;
    printf("%-32s %12s %4s %8s %8s %8s\n", "GB/s", "bytes", "at", "kernel", "memcpy", "loop");
    fflush(stdout);
    for (size_t i = 0; i < ncases; ++i) {
        const splitgen_bench_case *bench = &cases[i];
        const splitgen_kernel *kernel = bench->kernel;
        if (argc > 1 && strstr(kernel->name, argv[1]) == NULL) {
            continue;
        }
        measured = 1;
        if (bench->bytes_moved == 0) {
            printf("%-32s %12d nothing to copy\n", kernel->name, 0);
        } else {
            splitgen_bench_at(bench, 0);
            if (kernel->align <= SPLITGEN_BENCH_BEHIND) {
                splitgen_bench_at(bench, SPLITGEN_BENCH_BEHIND);
            }
        }
        fflush(stdout);
    }
    if (!measured) {
        fprintf(stderr, "no kernel has '%s' in its name\n", argc > 1 ? argv[1] : "");
        return 1;
    }
    return 0;
}

/* Comes after a table of cases: the program. */
#define SPLITGEN_BENCH(cases)                                                                      \
    int main(int argc, char **argv)                                                                \
    {                                                                                              \
        return splitgen_bench_main(cases, SPLITGEN_COUNT_OF(cases), argc, argv);                   \
    }

#endif
