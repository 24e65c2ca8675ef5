/* Runs every kernel of a table, in either direction, through kernel->split or join, splitgen_run
 * or splitgen_join, its rows in ranges and by threads, and compares every byte of every buffer,
 * the bytes around them and the descriptor with the naive map. check CONFIG prints "executed N"
 * when every op passed. It generates and compiles nothing. */
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <splitgen/vector.h>
#if SPLITGEN_X86
#include <cpuid.h>
#endif

#include "check.h"
#include "check_tensors.h"
#include "guard.h"
#include "prng.h"

#if defined(__SANITIZE_ADDRESS__)
#define HEAP_BUFFERS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HEAP_BUFFERS 1
#endif
#endif
#ifndef HEAP_BUFFERS
#define HEAP_BUFFERS 0
#endif
#if HEAP_BUFFERS
#include <sanitizer/asan_interface.h>
#endif

#define MAX_REPORTS 5

typedef enum call_kind { CALL_RUN, CALL_CHECKED, CALL_ROWS, CALL_PARALLEL, CALLS } call_kind;

static const char *const call_names[2][CALLS] = {
    {"split", "splitgen_run", "split_rows", "splitgen_run_parallel"},
    {"join", "splitgen_join", "join_rows", "splitgen_join_parallel"}};
static const char *const place_names[TEST_PLACES + 1] = {"ending at an unmapped page",
                                                         "beginning behind an unmapped page",
                                                         "oddly aligned", "on the heap"};

/* Memory for one op at a time; grows to the largest. Tensor 0 is the full tensor, 1 the first
 * part. */
typedef struct bench {
    size_t capacity;        /* tensors */
    test_guard *guards;     /* per tensor */
    unsigned char **before; /* per tensor, from malloc: its contents before a call */
    unsigned char **after;  /* and its required contents afterwards */
    unsigned char **memory; /* per tensor: the buffer of this call */
    void **arguments;       /* per wanted part, the kernel's arguments */
    size_t tasks;           /* tasks of splitgen_run_parallel so far */
} bench;

/* For the signal handler: the current op. */
static char place_of_crash[4096];

static void on_crash(int signal_number)
{
    (void)!write(STDOUT_FILENO, place_of_crash, strlen(place_of_crash));
    _exit(128 + signal_number);
}

#if HEAP_BUFFERS
/* AddressSanitizer calls it before it prints its own report. */
void __asan_on_error(void);
void __asan_on_error(void)
{
    (void)!write(STDOUT_FILENO, place_of_crash, strlen(place_of_crash));
}
#endif

static const char *config = "";

static void complain(const check_op *op, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("FAILED %s: ", op->kernel->name);
    vprintf(format, arguments);
    printf("\n  config: %s\n  seed: %llu, op %zu\n  spec: %s\n", config, check_seed, op->number,
           op->spec);
    fflush(stdout);
    va_end(arguments);
}

static void *must(void *memory)
{
    if (memory == NULL) {
        perror("check");
        exit(2);
    }
    return memory;
}

/* Compares the descriptor with the numbers of the table. */

static bool same_tensor(const splitgen_tensor *tensor, const check_op *op, size_t number)
{
    const size_t part = check_part(number);
    if (tensor->dtype != op->dtype || tensor->rank != (uint32_t)op->split.rank ||
        tensor->bytes != check_bytes(op, number) ||
        tensor->row_stride != (size_t)test_split_stride(&op->split, part)) {
        return false;
    }
    for (int d = 0; d < op->split.rank; ++d) {
        const bool is_axis = part != TEST_WHOLE && d == op->split.axis;
        if (tensor->dims[d] != (is_axis ? op->split.lengths[part] : op->split.dims[d])) {
            return false;
        }
    }
    return true;
}

/* There are only the functions of the kernel's direction, and none if a dimension is open. */
static bool direction_right(const check_op *op)
{
    const splitgen_kernel *kernel = op->kernel;
    const bool is_fixed = op->nnumbers == 0;
    const bool joins = op->split.joins;
    return kernel->joins == joins && (kernel->split != NULL) == (is_fixed && !joins) &&
           (kernel->split_rows != NULL) == (is_fixed && !joins) &&
           (kernel->join != NULL) == (is_fixed && joins) &&
           (kernel->join_rows != NULL) == (is_fixed && joins);
}

static bool descriptor_right(const check_op *op)
{
    const splitgen_kernel *kernel = op->kernel;
    size_t output = 0;
    if (!direction_right(op)) {
        complain(op, "the descriptor has functions of another direction");
        return false;
    }
    if (!same_tensor(&kernel->whole, op, 0)) {
        complain(op, "the descriptor's whole is wrong");
        return false;
    }
    if (kernel->axis != op->split.axis || kernel->abi != SPLITGEN_ABI ||
        kernel->align != op->align) {
        complain(op, "axis %d, align %zu in the descriptor; expected %d, %zu", (int)kernel->axis,
                 kernel->align, op->split.axis, op->align);
        return false;
    }
    for (size_t part = 0; part < op->split.nparts; ++part) {
        if (!op->split.wanted[part]) {
            continue;
        }
        if (output == kernel->nparts || !same_tensor(&kernel->parts[output], op, part + 1)) {
            complain(op, "part %zu of the descriptor is wrong", output);
            return false;
        }
        if (op->names[part] != NULL && strcmp(op->names[part], kernel->parts[output].name) != 0) {
            complain(op, "part %zu is called '%s', expected '%s'", output,
                     kernel->parts[output].name, op->names[part]);
            return false;
        }
        ++output;
    }
    if (output != kernel->nparts) {
        complain(op, "%zu parts in the descriptor, expected %zu", kernel->nparts, output);
        return false;
    }
    return true;
}

static bool has_open_rows(const check_op *op)
{
    bool open = false;
    for (int d = 0; d < op->split.axis; ++d) {
        open = open || op->numbers[d] != 0;
    }
    return open;
}

/* A view must have the same elements as the copy; for a concat, those that it copies. */

static bool same_element(const check_op *op, const unsigned char *view, int64_t at,
                         const unsigned char *expected, int64_t element)
{
    size_t element_bytes = op->split.element_bytes;
    if (op->bits > 0) {
        return packed_get(op->bits, op->order, view, at) ==
               packed_get(op->bits, op->order, expected, element);
    }
    return memcmp(view + (size_t)at * element_bytes, expected + (size_t)element * element_bytes,
                  element_bytes) == 0;
}

static bool view_shows(const check_op *op, size_t part, size_t view, const bench *b)
{
    const int64_t elements = test_split_elements(&op->split, part);
    int64_t strides[TEST_MAX_RANK];
    size_t numbers[CHECK_NUMBERS];
    size_t byte_offset = 0;
    check_numbers_of(op, numbers);
    if (splitgen_view_dims(op->kernel, view, numbers, &byte_offset, strides) != SPLITGEN_OK) {
        return false;
    }
    for (int64_t element = 0; element < elements; ++element) {
        int64_t at = 0;
        int64_t left = element;
        for (int d = op->split.rank - 1; d >= 0; --d) {
            const int64_t dim = d == op->split.axis ? op->split.lengths[part] : op->split.dims[d];
            at += left % dim * strides[d];
            left /= dim;
        }
        if (!same_element(op, b->after[0] + byte_offset, at, b->after[part + 1],
                          test_split_place(&op->split, part, element))) {
            return false;
        }
    }
    return true;
}

/* Whether a part of packed elements, and every row of it, begins at a whole byte. For a concat,
 * whose producer writes to the view, it must also end at one, unless the full tensor ends there. */
static bool lies_at_bytes(const check_op *op, size_t part, bool contiguous)
{
    const test_split *split = &op->split;
    int64_t inner_bits = op->bits;
    int64_t start = 0;
    for (int d = split->axis + 1; d < split->rank; ++d) {
        inner_bits *= split->dims[d];
    }
    for (size_t i = 0; i < part; ++i) {
        start += split->lengths[i];
    }
    const int64_t end = start + split->lengths[part];
    const bool ends_whole = contiguous && end == split->dims[split->axis];
    return start * inner_bits % 8 == 0 &&
           (!split->joins || ends_whole || end * inner_bits % 8 == 0) &&
           (contiguous || test_split_stride(split, TEST_WHOLE) * op->bits % 8 == 0);
}

static splitgen_view_kind view_kind(const check_op *op, size_t part)
{
    const test_split *split = &op->split;
    const bool is_dense = test_split_stride(split, TEST_WHOLE) == test_split_row(split, TEST_WHOLE);
    const bool contiguous = (test_split_rows(split) == 1 && !has_open_rows(op)) ||
                            (split->lengths[part] == split->dims[split->axis] && is_dense);
    if (op->bits > 0 && !lies_at_bytes(op, part, contiguous)) {
        return SPLITGEN_VIEW_NONE;
    }
    return contiguous ? SPLITGEN_VIEW_CONTIGUOUS : SPLITGEN_VIEW_STRIDED;
}

static bool views_right(const check_op *op, const bench *b)
{
    const test_split *split = &op->split;
    size_t wanted = 0;
    for (size_t part = 0; part < split->nparts; ++part) {
        if (!split->wanted[part]) {
            continue;
        }
        const splitgen_view *view = &op->kernel->views[wanted++];
        if (check_bytes(op, part + 1) == 0) {
            continue;
        }
        if (view->kind != view_kind(op, part)) {
            complain(op, "view of part %zu is of kind %d", wanted - 1, (int)view->kind);
            return false;
        }
        if (view->kind != SPLITGEN_VIEW_NONE && !view_shows(op, part, wanted - 1, b)) {
            complain(op, "view of part %zu shows other elements", wanted - 1);
            return false;
        }
    }
    return true;
}

/* The buffers of one call. */

static size_t wanted_parts(const check_op *op)
{
    size_t wanted = 0;
    for (size_t part = 0; part < op->split.nparts; ++part) {
        wanted += op->split.wanted[part];
    }
    return wanted;
}

static void bench_reserve(bench *b, const check_op *op)
{
    if (op->split.nparts < b->capacity) {
        return;
    }
    size_t count = op->split.nparts * 2 + 1;
    b->guards = must(realloc(b->guards, count * sizeof *b->guards));
    memset(b->guards + b->capacity, 0, (count - b->capacity) * sizeof *b->guards);
    b->before = must(realloc(b->before, count * sizeof *b->before));
    b->after = must(realloc(b->after, count * sizeof *b->after));
    b->memory = must(realloc(b->memory, count * sizeof *b->memory));
    b->arguments = must(realloc(b->arguments, count * sizeof *b->arguments));
    b->capacity = count;
}

static void bench_free(bench *b)
{
    for (size_t i = 0; i < b->capacity; ++i) {
        test_guard_free(&b->guards[i]);
    }
    free(b->guards);
    free(b->before);
    free(b->after);
    free(b->memory);
    free(b->arguments);
}

/* Marks the padding between rows as poisoned, or not, for AddressSanitizer, in separate buffers. */
static void mark_gaps(const check_op *op, const bench *b, bool forbidden)
{
#if HEAP_BUFFERS
    const test_split *split = &op->split;
    for (size_t tensor = 0; op->bits == 0 && tensor <= split->nparts; ++tensor) {
        const size_t part = check_part(tensor);
        const size_t step = (size_t)test_split_stride(split, part) * split->element_bytes;
        const size_t row = (size_t)test_split_row(split, part) * split->element_bytes;
        if (!check_exists(op, tensor) || step == row || check_bytes(op, tensor) == 0) {
            continue;
        }
        for (size_t at = row; at + step - row < check_bytes(op, tensor); at += step) {
            if (forbidden) {
                __asan_poison_memory_region(b->memory[tensor] + at, step - row);
            } else {
                __asan_unpoison_memory_region(b->memory[tensor] + at, step - row);
            }
        }
    }
#else
    (void)op;
    (void)b;
    (void)forbidden;
#endif
}

static void place_buffers(const check_op *op, bench *b, int place, bool null_empty)
{
    size_t argument = 0;
    for (size_t tensor = 0; tensor <= op->split.nparts; ++tensor) {
        const size_t bytes = check_bytes(op, tensor);
        if (!check_exists(op, tensor)) {
            continue;
        }
        b->memory[tensor] = place == TEST_PLACES ? must(malloc(bytes + (bytes == 0)))
                                                 : test_guard_place(&b->guards[tensor], bytes,
                                                                    op->align, (test_place)place);
        if (bytes != 0) {
            memcpy(b->memory[tensor], b->before[tensor], bytes);
        }
        if (tensor > 0) {
            b->arguments[argument++] = bytes == 0 && null_empty ? NULL : b->memory[tensor];
        }
    }
    if (place == TEST_PLACES) {
        mark_gaps(op, b, true);
    }
}

static void release_buffers(const check_op *op, bench *b, int place)
{
    for (size_t tensor = 0; place == TEST_PLACES && tensor <= op->split.nparts; ++tensor) {
        if (check_exists(op, tensor)) {
            free(b->memory[tensor]);
        }
    }
}

static const char *role_of(const check_op *op, size_t tensor)
{
    return check_is_read(op, tensor) ? "what is read" : "what is written";
}

static bool buffers_right(const check_op *op, const bench *b, const char *call, int place)
{
    for (size_t tensor = 0; tensor <= op->split.nparts; ++tensor) {
        if (!check_exists(op, tensor)) {
            continue;
        }
        const unsigned char *got = b->memory[tensor];
        const size_t bytes = check_bytes(op, tensor);
        const bool same = bytes == 0 || memcmp(got, b->after[tensor], bytes) == 0;
        for (size_t i = 0; !same && i < bytes; ++i) {
            if (got[i] != b->after[tensor][i]) {
                complain(op,
                         "%s, buffers %s: %s, %s %zu, differs first at byte %zu: 0x%02x, not "
                         "0x%02x (before: 0x%02x)",
                         call, place_names[place], role_of(op, tensor),
                         tensor == 0 ? "whole" : "part", tensor == 0 ? 0 : tensor - 1, i, got[i],
                         b->after[tensor][i], b->before[tensor][i]);
                return false;
            }
        }
        if (place != TEST_PLACES && !test_guard_intact(&b->guards[tensor])) {
            complain(op, "%s, buffers %s: wrote outside of %s, tensor %zu", call,
                     place_names[place], role_of(op, tensor), tensor);
            return false;
        }
    }
    return true;
}

/* Runs a kernel of either direction on the buffers of the bench. */

static const void *const *read_parts(const bench *b)
{
    return (const void *const *)b->arguments;
}

/* The rows of all items. */
static size_t rows_of(const check_op *op)
{
    return op->kernel->rows * check_sizes_of(op).rows;
}

static void run_rows(const check_op *op, const bench *b, size_t first, size_t last)
{
    const splitgen_kernel *kernel = op->kernel;
    const size_t scale = check_sizes_of(op).scale;
    if (op->nnumbers == 0 && op->split.joins) {
        kernel->join_rows(read_parts(b), b->memory[0], first, last);
    } else if (op->nnumbers == 0) {
        kernel->split_rows(b->memory[0], b->arguments, first, last);
    } else if (op->split.joins) {
        splitgen_join_open(kernel, read_parts(b), b->memory[0], first, last, rows_of(op), scale);
    } else {
        splitgen_run_open(kernel, b->memory[0], b->arguments, first, last, rows_of(op), scale);
    }
}

static void run_all(const check_op *op, const bench *b)
{
    if (op->nnumbers > 0) {
        run_rows(op, b, 0, rows_of(op));
    } else if (op->split.joins) {
        op->kernel->join(read_parts(b), b->memory[0]);
    } else {
        op->kernel->split(b->memory[0], b->arguments);
    }
}

static splitgen_status run_checked(const check_op *op, const bench *b, const size_t dims[])
{
    const splitgen_kernel *kernel = op->kernel;
    void *whole = b->memory[0];
    if (op->split.joins) {
        return op->nnumbers == 0   ? splitgen_join(kernel, read_parts(b), whole)
               : op->nnumbers == 1 ? splitgen_join_n(kernel, read_parts(b), whole, dims[0])
                                   : splitgen_join_dims(kernel, read_parts(b), whole, dims);
    }
    return op->nnumbers == 0   ? splitgen_run(kernel, whole, b->arguments)
           : op->nnumbers == 1 ? splitgen_run_n(kernel, whole, b->arguments, dims[0])
                               : splitgen_run_dims(kernel, whole, b->arguments, dims);
}

/* All rows in a few ranges, often from last to first. */
static void run_in_pieces(const check_op *op, const bench *b, test_prng *prng)
{
    size_t cuts[6] = {0, 0, 0, 0, 0, rows_of(op)};
    for (int i = 1; i < 5; ++i) {
        cuts[i] = (size_t)test_prng_range(prng, (int64_t)cuts[i - 1], (int64_t)cuts[5]);
    }
    bool backwards = test_prng_chance(prng, 50);
    for (int i = 0; i < 5; ++i) {
        int piece = backwards ? 4 - i : i;
        run_rows(op, b, cuts[piece], cuts[piece + 1]);
    }
}

/* Threads that start from the last task, one at a time: no task may depend on another one. */
static void run_backwards(void *pool, size_t tasks, void (*task)(void *context, size_t index),
                          void *context)
{
    *(size_t *)pool += tasks;
    for (size_t i = tasks; i > 0; --i) {
        task(context, i - 1);
    }
}

static splitgen_status run_by_threads(const check_op *op, bench *b, const size_t dims[])
{
    const splitgen_kernel *kernel = op->kernel;
    void *whole = b->memory[0];
    if (op->split.joins) {
        return op->nnumbers == 0
                   ? splitgen_join_parallel(kernel, read_parts(b), whole, run_backwards, &b->tasks)
                   : splitgen_join_parallel_dims(kernel, read_parts(b), whole, dims, run_backwards,
                                                 &b->tasks);
    }
    return op->nnumbers == 0
               ? splitgen_run_parallel(kernel, whole, b->arguments, run_backwards, &b->tasks)
               : splitgen_run_parallel_dims(kernel, whole, b->arguments, dims, run_backwards,
                                            &b->tasks);
}

static splitgen_status run_call(const check_op *op, bench *b, call_kind call, const size_t dims[],
                                test_prng *prng)
{
    switch (call) {
    case CALL_RUN:
        run_all(op, b);
        return SPLITGEN_OK;
    case CALL_CHECKED:
        return run_checked(op, b, dims);
    case CALL_PARALLEL:
        return run_by_threads(op, b, dims);
    case CALL_ROWS:
    case CALLS:
        break;
    }
    run_in_pieces(op, b, prng);
    return SPLITGEN_OK;
}

/* Whether uppers_in_use() can tell, and compilers clear the upper halves: gcc does from -O2 on. */
static bool tells_uppers;

static bool can_tell_uppers(void)
{
#if SPLITGEN_X86
    unsigned a, b, c, d;
    return strstr(config, "_O2") != NULL && __get_cpuid(1, &a, &b, &c, &d) &&
           (c & bit_OSXSAVE) != 0 && __get_cpuid_count(0xd, 1, &a, &b, &c, &d) && (a & 4) != 0;
#else
    return false;
#endif
}

/* Whether the processor says that the upper halves of vector registers are in use, which makes SSE
 * code slow: XINUSE of AVX. */
static bool uppers_in_use(void)
{
#if SPLITGEN_X86
    if (tells_uppers) {
        unsigned low, high;
        __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(1));
        return (low & 4) != 0;
    }
#endif
    return false;
}

static bool call_right(const check_op *op, bench *b, call_kind call, int place, test_prng *prng)
{
    const char *name = call_names[op->split.joins][call];
    size_t dims[CHECK_NUMBERS] = {0, 0, 0, 0};
    place_buffers(op, b, place, test_prng_chance(prng, 50));
    check_numbers_of(op, dims);
    snprintf(place_of_crash, sizeof place_of_crash,
             "FAILED %s: %s, buffers %s, numbers %zu %zu %zu %zu: crashed (a read or write outside "
             "the buffers, or between their rows)\n"
             "  config: %s\n  seed: %llu, op %zu\n  spec: %.3000s\n",
             op->kernel->name, name, place_names[place], dims[0], dims[1], dims[2], dims[3], config,
             check_seed, op->number, op->spec);
    const bool was_in_use = uppers_in_use();
    const splitgen_status status = run_call(op, b, call, dims, prng);
    const bool is_in_use = uppers_in_use();
    if (place == TEST_PLACES) {
        mark_gaps(op, b, false);
    }
    bool right = buffers_right(op, b, name, place);
    if (right && status != SPLITGEN_OK) {
        complain(op, "%s, buffers %s: %s", name, place_names[place], splitgen_status_text(status));
        right = false;
    }
    if (right && is_in_use && !was_in_use) {
        complain(op, "%s leaves the upper halves of vector registers in use", name);
        right = false;
    }
    release_buffers(op, b, place);
    return right;
}

/* Runs the kernel on tensors of the op's shape, number `index` of its kind. */
static bool shape_right(const check_op *op, bench *b, size_t index, test_prng *prng)
{
    bool right = true;
    /* malloc guarantees no more than max_align_t */
    int places = HEAP_BUFFERS && op->align <= 16 ? TEST_PLACES + 1 : TEST_PLACES;
    for (size_t tensor = 0; tensor <= op->split.nparts; ++tensor) {
        const size_t bytes = check_exists(op, tensor) ? check_bytes(op, tensor) : 0;
        b->before[tensor] = must(malloc(bytes + 1));
        b->after[tensor] = must(malloc(bytes + 1));
    }
    for (int pass = 0; right && pass < check_passes(op); ++pass) {
        check_fill(op, pass, b->before, b->after);
        right = views_right(op, b);
        for (int call = 0; right && call < CALLS; ++call) {
            /* each kind of call is tested at each place within three (four) ops or passes */
            int place = (int)((index + (size_t)pass + (size_t)call) % (size_t)places);
            right = call_right(op, b, (call_kind)call, place, prng);
        }
    }
    for (size_t tensor = 0; tensor <= op->split.nparts; ++tensor) {
        free(b->before[tensor]);
        free(b->after[tensor]);
    }
    return right;
}

/* Many items are tested only up to this many bytes of all tensors. */
#define ITEMS_BYTES 800000

static size_t all_bytes(const check_op *op)
{
    size_t bytes = 0;
    for (size_t tensor = 0; tensor <= op->split.nparts; ++tensor) {
        bytes += check_exists(op, tensor) ? check_bytes(op, tensor) : 0;
    }
    return bytes;
}

/* Pretends that an operation of `bytes` bytes exceeds every cache; 0: uses the detected size. */
static void pretend_cache(size_t bytes)
{
#if SPLITGEN_X86
    splitgen_stream_answer = bytes;
#else
    (void)bytes;
#endif
}

/* The open dimensions of a tensor for these numbers. */
static void set_dims(const check_op *op, const int64_t *numbers, int64_t *dims)
{
    for (int d = 0; d < op->split.rank; ++d) {
        dims[d] = op->numbers[d] != 0 ? numbers[op->numbers[d] - 1] : op->split.dims[d];
    }
}

/* Reduces the largest numbers, to 2 at least, until the tensors, whose dims `sized` has, are
 * small enough. */
static void limit(const check_op *op, const check_op *sized, int64_t *numbers, int64_t *dims)
{
    set_dims(op, numbers, dims);
    while (all_bytes(sized) > ITEMS_BYTES) {
        size_t largest = 0;
        for (size_t i = 1; i < sized->nnumbers; ++i) {
            largest = numbers[i] > numbers[largest] ? i : largest;
        }
        if (numbers[largest] <= 2) {
            break;
        }
        numbers[largest] = numbers[largest] > 8 ? numbers[largest] / 4 : numbers[largest] - 1;
        set_dims(op, numbers, dims);
    }
}

/* Runs a kernel with open dimensions. Each number is 0, 1, 2, the expected number, one less and
 * one more, more than twice as many, and a prime, which is repeated as if the data did not fit
 * the cache. The other numbers are any of these. */
static bool items_right(const check_op *op, bench *b, size_t index, test_prng *prng)
{
    static const int64_t primes[] = {3, 7, 13, 31, 61, 127, 257, 509, 1021};
    enum { COUNTS = 9, ALWAYS = 6 };
    int64_t dims[TEST_MAX_RANK];
    check_op sized = *op;
    bool right = true;
    sized.split.dims = dims;
    for (size_t i = 0; right && i < COUNTS; ++i) {
        int64_t numbers[CHECK_NUMBERS];
        const size_t told = (size_t)test_prng_range(prng, 0, (int64_t)op->nnumbers - 1);
        for (size_t n = 0; n < op->nnumbers; ++n) {
            const int64_t prime = primes[test_prng_range(prng, 0, op->nnumbers > 1 ? 4 : 8)];
            const int64_t expected = (int64_t)op->expected[n];
            const int64_t counts[COUNTS] = {
                0, 1, 2, expected - 1, expected, expected + 1, 2 * expected + 1, prime, prime};
            numbers[n] = counts[n == told ? (int64_t)i : test_prng_range(prng, 1, COUNTS - 1)];
        }
        if (op->nnumbers > 1 || i >= ALWAYS) {
            limit(op, &sized, numbers, dims);
        }
        set_dims(op, numbers, dims);
        pretend_cache(i + 1 == COUNTS ? 1 : 0);
        right = shape_right(&sized, b, index + i, prng);
        pretend_cache(0);
    }
    return right;
}

static splitgen_status ask(const check_op *op, bool joins, bool by_count)
{
    static unsigned char memory[1];
    const void *const reads[1] = {memory};
    void *const writes[1] = {memory};
    if (joins) {
        return by_count ? splitgen_join_n(op->kernel, reads, memory, 1)
                        : splitgen_join(op->kernel, reads, memory);
    }
    return by_count ? splitgen_run_n(op->kernel, memory, writes, 1)
                    : splitgen_run(op->kernel, memory, writes);
}

/* A kernel is refused by the functions of the other direction, and one with open dimensions by
 * the functions without counts, and vice versa. */
static bool refuses_other(const check_op *op)
{
    static const char *const names[] = {"n", "time", "k", "H"};
    const splitgen_free *open = op->kernel->free;
    const bool is_open = op->nnumbers > 0;
    const bool joins = op->split.joins;
    const splitgen_status wrong_way = joins ? SPLITGEN_JOINS : SPLITGEN_SPLITS;
    if (ask(op, !joins, is_open) != wrong_way || ask(op, !joins, !is_open) != wrong_way) {
        complain(op, "it runs in the other direction");
        return false;
    }
    if ((open != NULL) != is_open ||
        ask(op, joins, !is_open) != (is_open ? SPLITGEN_NEEDS_COUNT : SPLITGEN_FIXED_COUNT)) {
        complain(op, "the descriptor's open dimensions are wrong, or are not asked for");
        return false;
    }
    bool right = !is_open || open->count == op->nnumbers;
    for (size_t n = 0; right && n < op->nnumbers; ++n) {
        right = strcmp(open->numbers[n].name, names[n]) == 0 &&
                open->numbers[n].expected == op->expected[n];
        for (int d = 0; right && d < op->split.rank; ++d) {
            right = open->powers[(size_t)d * op->nnumbers + n] == (op->numbers[d] == n + 1);
        }
    }
    if (!right) {
        complain(op, "other numbers are open in the descriptor");
    }
    return right;
}

static bool op_right(const check_op *op, bench *b, test_prng *prng)
{
    check_op numbered = *op;
    numbered.number = (size_t)(op - check_ops);
    bench_reserve(b, op);
    if (!descriptor_right(&numbered) || !refuses_other(&numbered)) {
        return false;
    }
    return op->nnumbers == 0 ? shape_right(&numbered, b, numbered.number, prng)
                             : items_right(&numbered, b, numbered.number, prng);
}

int main(int argc, char **argv)
{
    bench b = {0};
    test_prng prng;
    size_t failed = 0;
    size_t executed = 0;
    size_t parts = 0;
    size_t joins = 0;
    size_t strided = 0;
    config = argc > 1 ? argv[1] : "";
    tells_uppers = can_tell_uppers();
    test_prng_seed(&prng, check_seed);
#if !HEAP_BUFFERS
    signal(SIGSEGV, on_crash);
    signal(SIGBUS, on_crash);
    signal(SIGILL, on_crash);
#else
    (void)on_crash;
#endif
    for (size_t i = 0; i < check_nops && failed < MAX_REPORTS; ++i) {
        if (op_right(&check_ops[i], &b, &prng)) {
            ++executed;
            parts += wanted_parts(&check_ops[i]);
            joins += check_ops[i].split.joins;
            strided += check_has_strides(&check_ops[i]);
        } else {
            ++failed;
        }
    }
    bench_free(&b);
    if (failed != 0) {
        return 1;
    }
    printf("executed %zu ops, %zu joins, %zu with strides, %zu parts, %zu parallel tasks\n",
           executed, joins, strided, parts, b.tasks);
    return 0;
}
