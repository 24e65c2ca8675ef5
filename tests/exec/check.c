/* Runs every kernel of a table through run, splitgen_run, run_rows and splitgen_run_parallel and
 * compares all outputs, the bytes around them, the input and the descriptor with the naive split.
 *
 *   check CONFIG
 *
 * prints "executed N" when every op passed. Does not generate or compile anything. */
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <splitgen/vector.h>

#include "check.h"
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

#define MAX_REPORTS 5

typedef enum call_kind { CALL_RUN, CALL_CHECKED, CALL_ROWS, CALL_PARALLEL, CALLS } call_kind;

static const char *const call_names[CALLS] = {"run", "splitgen_run", "run_rows",
                                              "splitgen_run_parallel"};
static const char *const place_names[TEST_PLACES + 1] = {"ending at an unmapped page",
                                                         "beginning behind an unmapped page",
                                                         "oddly aligned", "on the heap"};

/* Memory of one op at a time; grows to the largest. */
typedef struct bench {
    size_t capacity; /* parts */
    test_guard input;
    test_guard *outputs;      /* per part */
    unsigned char **expected; /* per part, from malloc */
    void **arguments;         /* per wanted part, as kernels take them */
    void **heap;              /* input and wanted parts to be freed, then NULL */
    unsigned char *pattern;   /* the input's bytes */
    size_t tasks;             /* of splitgen_run_parallel, so far */
} bench;

/* For the signal handler: which op is running. */
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

static size_t bytes_of(const check_op *op, int64_t elements)
{
    return op->bits > 0 ? packed_bytes(op->bits, op->order, elements)
                        : (size_t)elements * op->split.element_bytes;
}

static size_t part_bytes(const check_op *op, size_t part)
{
    return bytes_of(op, test_split_part_elements(&op->split, part));
}

static size_t input_bytes(const check_op *op)
{
    return bytes_of(op, test_split_elements(&op->split));
}

/* The descriptor against the numbers of the table. */

static bool same_tensor(const splitgen_tensor *tensor, const check_op *op, int64_t on_axis,
                        size_t bytes)
{
    if (tensor->dtype != op->dtype || tensor->rank != (uint32_t)op->split.rank ||
        tensor->bytes != bytes) {
        return false;
    }
    for (int d = 0; d < op->split.rank; ++d) {
        if (tensor->dims[d] != (d == op->split.axis ? on_axis : op->split.dims[d])) {
            return false;
        }
    }
    return true;
}

static bool descriptor_right(const check_op *op)
{
    const splitgen_kernel *kernel = op->kernel;
    size_t output = 0;
    if (!same_tensor(&kernel->whole, op, op->split.dims[op->split.axis], input_bytes(op))) {
        complain(op, "the descriptor's input is wrong");
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
        if (output == kernel->nparts ||
            !same_tensor(&kernel->parts[output], op, op->split.lengths[part],
                         part_bytes(op, part))) {
            complain(op, "output %zu of the descriptor is wrong", output);
            return false;
        }
        if (op->names[part] != NULL && strcmp(op->names[part], kernel->parts[output].name) != 0) {
            complain(op, "output %zu is called '%s', expected '%s'", output,
                     kernel->parts[output].name, op->names[part]);
            return false;
        }
        ++output;
    }
    if (output != kernel->nparts) {
        complain(op, "%zu outputs in the descriptor, expected %zu", kernel->nparts, output);
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

/* A view must show the same elements as the copy. */

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

static bool view_shows(const check_op *op, size_t part, size_t view, const unsigned char *input,
                       const unsigned char *expected)
{
    const int64_t elements = test_split_part_elements(&op->split, part);
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
        if (!same_element(op, input + byte_offset, at, expected, element)) {
            return false;
        }
    }
    return true;
}

/* Whether a part of packed elements, and every row of it, begins at a whole byte. */
static bool begins_at_bytes(const check_op *op, size_t part, bool dense)
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
    return start * inner_bits % 8 == 0 && (dense || split->dims[split->axis] * inner_bits % 8 == 0);
}

static bool views_right(const check_op *op, const bench *b)
{
    const test_split *split = &op->split;
    int64_t outer = 1;
    size_t output = 0;
    for (int d = 0; d < split->axis; ++d) {
        outer *= split->dims[d];
    }
    for (size_t part = 0; part < split->nparts; ++part) {
        if (!split->wanted[part]) {
            continue;
        }
        const splitgen_view *view = &op->kernel->views[output++];
        if (part_bytes(op, part) == 0) {
            continue;
        }
        bool dense =
            (outer == 1 && !has_open_rows(op)) || split->lengths[part] == split->dims[split->axis];
        splitgen_view_kind kind = dense ? SPLITGEN_VIEW_CONTIGUOUS : SPLITGEN_VIEW_STRIDED;
        if (op->bits > 0 && !begins_at_bytes(op, part, dense)) {
            kind = SPLITGEN_VIEW_NONE;
        }
        if (view->kind != kind) {
            complain(op, "view of output %zu is of kind %d", output - 1, (int)view->kind);
            return false;
        }
        if (kind == SPLITGEN_VIEW_NONE) {
            continue;
        }
        if (!view_shows(op, part, output - 1, b->pattern, b->expected[part])) {
            complain(op, "view of output %zu shows other elements", output - 1);
            return false;
        }
    }
    return true;
}

/* Values such that every element differs from every other one, over `passes_needed` passes for
 * types too small to number the elements at once. */

static int passes_needed(const check_op *op)
{
    uint64_t elements = (uint64_t)test_split_elements(&op->split);
    size_t bits = 8 * op->split.element_bytes;
    int passes = 1;
    if (op->bits > 0) {
        return elements > 0 ? 3 : 1; /* of hashed bits */
    }
    while (bits < 32 && elements > UINT64_C(1) << bits) {
        elements >>= bits;
        ++passes;
    }
    return passes;
}

static void fill_pattern(const check_op *op, int pass, unsigned char *bytes)
{
    size_t element_bytes = op->split.element_bytes;
    uint64_t elements = (uint64_t)test_split_elements(&op->split);
    if (op->bits > 0) {
        /* Bits behind the last element too: they must not arrive anywhere. */
        for (size_t at = 0; at < input_bytes(op); ++at) {
            bytes[at] = (unsigned char)(test_prng_mix(3 * at + (uint64_t)pass + 1) >> 24 & 0xff);
        }
        return;
    }
    for (uint64_t element = 0; element < elements; ++element) {
        for (size_t at = 0; at < element_bytes; at += 8) {
            size_t count = element_bytes - at < 8 ? element_bytes - at : 8;
            uint64_t value = element;
            if (count < 8) {
                /* odd multipliers are bijections modulo every power of two */
                value = (element >> (8 * count * (unsigned)pass)) * UINT64_C(0x9e3779b1) + 0x5d;
            } else {
                value = test_prng_mix(2 * element + at / 8 + 1);
            }
            memcpy(bytes + element * element_bytes + at, &value, count);
        }
    }
}

/* Buffers of one call. */

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
    if (op->split.nparts <= b->capacity) {
        return;
    }
    size_t count = op->split.nparts * 2;
    b->outputs = must(realloc(b->outputs, count * sizeof *b->outputs));
    memset(b->outputs + b->capacity, 0, (count - b->capacity) * sizeof *b->outputs);
    b->expected = must(realloc(b->expected, count * sizeof *b->expected));
    b->arguments = must(realloc(b->arguments, count * sizeof *b->arguments));
    b->heap = must(realloc(b->heap, (count + 2) * sizeof *b->heap));
    b->capacity = count;
}

static void bench_free(bench *b)
{
    for (size_t i = 0; i < b->capacity; ++i) {
        test_guard_free(&b->outputs[i]);
    }
    test_guard_free(&b->input);
    free(b->outputs);
    free(b->expected);
    free(b->arguments);
    free(b->heap);
}

static const unsigned char *place_buffers(const check_op *op, bench *b, int place, bool null_empty)
{
    bool on_heap = place == TEST_PLACES;
    size_t bytes = input_bytes(op);
    size_t used = 0;
    size_t output = 0;
    unsigned char *input = NULL;
    if (on_heap) {
        input = must(malloc(bytes + (bytes == 0)));
        b->heap[used++] = input;
    } else {
        input = test_guard_place(&b->input, bytes, op->align, (test_place)place);
    }
    if (bytes != 0) {
        memcpy(input, b->pattern, bytes);
    }
    for (size_t part = 0; part < op->split.nparts; ++part) {
        if (!op->split.wanted[part]) {
            continue;
        }
        unsigned char *memory = NULL;
        bytes = part_bytes(op, part);
        if (on_heap) {
            memory = must(malloc(bytes + (bytes == 0)));
            b->heap[used++] = memory;
        } else {
            memory = test_guard_place(&b->outputs[part], bytes, op->align, (test_place)place);
        }
        /* Nothing an unwritten byte can hold looks right. */
        for (size_t i = 0; i < bytes; ++i) {
            memory[i] = (unsigned char)~b->expected[part][i];
        }
        b->arguments[output++] = bytes == 0 && null_empty ? NULL : memory;
    }
    b->heap[used] = NULL;
    return input;
}

static void release_buffers(bench *b, int place)
{
    for (size_t i = 0; place == TEST_PLACES && b->heap[i] != NULL; ++i) {
        free(b->heap[i]);
    }
}

static bool outputs_right(const check_op *op, const bench *b, const char *call, int place,
                          const unsigned char *input)
{
    size_t output = 0;
    for (size_t part = 0; part < op->split.nparts; ++part) {
        if (!op->split.wanted[part]) {
            continue;
        }
        const unsigned char *got = b->arguments[output];
        for (size_t i = 0; i < part_bytes(op, part); ++i) {
            if (got[i] != b->expected[part][i]) {
                complain(op,
                         "%s, buffers %s: output %zu differs first at byte %zu: 0x%02x, not "
                         "0x%02x",
                         call, place_names[place], output, i, got[i], b->expected[part][i]);
                return false;
            }
        }
        if (place != TEST_PLACES && !test_guard_intact(&b->outputs[part])) {
            complain(op, "%s, buffers %s: wrote outside output %zu", call, place_names[place],
                     output);
            return false;
        }
        ++output;
    }
    if (input_bytes(op) != 0 && memcmp(input, b->pattern, input_bytes(op)) != 0) {
        complain(op, "%s, buffers %s: the input changed", call, place_names[place]);
        return false;
    }
    return true;
}

/* Rows of all items. */
static size_t rows_of(const check_op *op)
{
    return op->kernel->rows * check_sizes_of(op).rows;
}

static void run_rows(const check_op *op, const void *input, void *const outputs[], size_t first,
                     size_t last)
{
    if (op->nnumbers == 0) {
        op->kernel->split_rows(input, outputs, first, last);
    } else {
        splitgen_run_open(op->kernel, input, outputs, first, last, rows_of(op),
                          check_sizes_of(op).scale);
    }
}

/* All rows in a few pieces, last ones first as often as not. */
static void run_in_pieces(const check_op *op, const void *input, void *const outputs[],
                          test_prng *prng)
{
    size_t cuts[6] = {0, 0, 0, 0, 0, rows_of(op)};
    for (int i = 1; i < 5; ++i) {
        cuts[i] = (size_t)test_prng_range(prng, (int64_t)cuts[i - 1], (int64_t)cuts[5]);
    }
    bool backwards = test_prng_chance(prng, 50);
    for (int i = 0; i < 5; ++i) {
        int piece = backwards ? 4 - i : i;
        run_rows(op, input, outputs, cuts[piece], cuts[piece + 1]);
    }
}

/* Threads that come last first, one at a time: no task may rely on another one's. */
static void run_backwards(void *pool, size_t tasks, void (*task)(void *context, size_t index),
                          void *context)
{
    *(size_t *)pool += tasks;
    for (size_t i = tasks; i > 0; --i) {
        task(context, i - 1);
    }
}

static bool call_right(const check_op *op, bench *b, call_kind call, int place, test_prng *prng)
{
    const splitgen_kernel *kernel = op->kernel;
    const unsigned char *input = place_buffers(op, b, place, test_prng_chance(prng, 50));
    const bool is_open = op->nnumbers > 0;
    size_t dims[CHECK_NUMBERS] = {0, 0, 0, 0};
    splitgen_status status = SPLITGEN_OK;
    check_numbers_of(op, dims);
    snprintf(place_of_crash, sizeof place_of_crash,
             "FAILED %s: %s, buffers %s, numbers %zu %zu %zu %zu: crashed (a read or write outside "
             "the buffers)\n"
             "  config: %s\n  seed: %llu, op %zu\n  spec: %.3000s\n",
             kernel->name, call_names[call], place_names[place], dims[0], dims[1], dims[2], dims[3],
             config, check_seed, op->number, op->spec);
    switch (call) {
    case CALL_RUN:
        if (!is_open) {
            kernel->split(input, b->arguments);
        } else {
            run_rows(op, input, b->arguments, 0, rows_of(op));
        }
        break;
    case CALL_CHECKED:
        status = !is_open            ? splitgen_run(kernel, input, b->arguments)
                 : op->nnumbers == 1 ? splitgen_run_n(kernel, input, b->arguments, dims[0])
                                     : splitgen_run_dims(kernel, input, b->arguments, dims);
        break;
    case CALL_PARALLEL:
        status = !is_open
                     ? splitgen_run_parallel(kernel, input, b->arguments, run_backwards, &b->tasks)
                     : splitgen_run_parallel_dims(kernel, input, b->arguments, dims, run_backwards,
                                                  &b->tasks);
        break;
    case CALL_ROWS:
    case CALLS:
        run_in_pieces(op, input, b->arguments, prng);
        break;
    }
    bool right = outputs_right(op, b, call_names[call], place, input);
    if (right && status != SPLITGEN_OK) {
        complain(op, "%s, buffers %s: %s", call_names[call], place_names[place],
                 splitgen_status_text(status));
        right = false;
    }
    release_buffers(b, place);
    return right;
}

/* The kernel on tensors of the op's shape, number `index` of its kind. */
static bool shape_right(const check_op *op, bench *b, size_t index, test_prng *prng)
{
    bool right = true;
    /* malloc cannot promise more than max_align_t does */
    int places = HEAP_BUFFERS && op->align <= 16 ? TEST_PLACES + 1 : TEST_PLACES;
    b->pattern = must(malloc(input_bytes(op) + 1));
    for (size_t part = 0; part < op->split.nparts; ++part) {
        b->expected[part] = must(malloc(part_bytes(op, part) + 1));
    }
    for (int pass = 0; right && pass < passes_needed(op); ++pass) {
        fill_pattern(op, pass, b->pattern);
        if (op->bits > 0) {
            for (size_t part = 0; part < op->split.nparts; ++part) {
                memset(b->expected[part], 0, part_bytes(op, part));
            }
            packed_reference(&op->split, op->bits, op->order, b->pattern, b->expected);
        } else {
            test_split_reference(&op->split, b->pattern, b->expected);
        }
        right = views_right(op, b);
        for (int call = 0; right && call < CALLS; ++call) {
            /* each kind of call meets each place over three (four) ops or passes */
            int place = (int)((index + (size_t)pass + (size_t)call) % (size_t)places);
            right = call_right(op, b, (call_kind)call, place, prng);
        }
    }
    for (size_t part = 0; part < op->split.nparts; ++part) {
        free(b->expected[part]);
    }
    free(b->pattern);
    return right;
}

/* Bytes of input up to which many items are tested. */
#define ITEMS_BYTES 400000

/* Bytes that are more than any cache, for kernels that ask; 0: as they find themselves. */
static void pretend_cache(size_t bytes)
{
#if SPLITGEN_X86
    splitgen_stream_answer = bytes;
#else
    (void)bytes;
#endif
}

/* The open dimensions of a tensor of these numbers. */
static void set_dims(const check_op *op, const int64_t *numbers, int64_t *dims)
{
    for (int d = 0; d < op->split.rank; ++d) {
        dims[d] = op->numbers[d] != 0 ? numbers[op->numbers[d] - 1] : op->split.dims[d];
    }
}

/* Makes the largest of some numbers smaller, to 2 at least, until the input, whose dims `sized`
 * has, is not too large. */
static void limit(const check_op *op, const check_op *sized, int64_t *numbers, int64_t *dims)
{
    set_dims(op, numbers, dims);
    while (input_bytes(sized) > ITEMS_BYTES) {
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

/* A kernel with open dimensions: each number none, one and two of it, as many as expected, one less
 * and one more, more than twice as many, and a prime number, with as many once more as if they did
 * not fit the cache; the others are any of these. */
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

/* Checks that have to be made by count are not made for others, and the reverse. */
static bool refuses_other(const check_op *op)
{
    static const char *const names[] = {"n", "time", "k", "H"};
    static unsigned char memory[1];
    void *const none[1] = {memory};
    const splitgen_free *open = op->kernel->free;
    const bool is_open = op->nnumbers > 0;
    const splitgen_status status = is_open ? splitgen_run(op->kernel, memory, none)
                                           : splitgen_run_n(op->kernel, memory, none, 1);
    if ((open != NULL) != is_open ||
        status != (is_open ? SPLITGEN_NEEDS_COUNT : SPLITGEN_FIXED_COUNT)) {
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
    size_t outputs = 0;
    config = argc > 1 ? argv[1] : "";
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
            outputs += wanted_parts(&check_ops[i]);
        } else {
            ++failed;
        }
    }
    bench_free(&b);
    if (failed != 0) {
        return 1;
    }
    printf("executed %zu ops, %zu outputs, %zu parallel tasks\n", executed, outputs, b.tasks);
    return 0;
}
