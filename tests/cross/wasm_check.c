/* Runs the kernels of a table (tests/exec/check.h) as a WebAssembly module that needs nothing of
 * its host: wasm_run.js asks check() for one op after the other. Inputs end where the memory does,
 * so that reading behind one is a trap; bytes around outputs must stay as they are. */
#include "check.h"
#include "prng.h"

#define EXPORT(name) __attribute__((export_name(name), visibility("default")))
#define PAGE         65536
#define MARGIN       64 /* bytes around an output */
#define PASSES       2

extern unsigned char __heap_base;

/* What compilers call of their own accord. */
void *memcpy(void *restrict dst, const void *restrict src, size_t bytes);
void *memmove(void *dst, const void *src, size_t bytes);
void *memset(void *dst, int value, size_t bytes);
int memcmp(const void *a, const void *b, size_t bytes);
void _start(void);
int check_op_at(int number);
int check_count(void);
const char *check_name(int number);

__attribute__((no_builtin)) void *(memcpy)(void *restrict dst, const void *restrict src,
                                           size_t bytes)
{
    for (size_t i = 0; i < bytes; ++i) {
        ((unsigned char *)dst)[i] = ((const unsigned char *)src)[i];
    }
    return dst;
}

__attribute__((no_builtin)) void *(memmove)(void *dst, const void *src, size_t bytes)
{
    for (size_t i = 0; i < bytes; ++i) {
        const size_t at = dst < src ? i : bytes - 1 - i;
        ((unsigned char *)dst)[at] = ((const unsigned char *)src)[at];
    }
    return dst;
}

__attribute__((no_builtin)) void *(memset)(void *dst, int value, size_t bytes)
{
    for (size_t i = 0; i < bytes; ++i) {
        ((unsigned char *)dst)[i] = (unsigned char)value;
    }
    return dst;
}

__attribute__((no_builtin)) int(memcmp)(const void *a, const void *b, size_t bytes)
{
    for (size_t i = 0; i < bytes; ++i) {
        const int differ = ((const unsigned char *)a)[i] - ((const unsigned char *)b)[i];
        if (differ != 0) {
            return differ;
        }
    }
    return 0;
}

void _start(void)
{
}

static unsigned char *used; /* end of what is taken of the memory in the middle */

static unsigned char *end_of_memory(void)
{
    return (unsigned char *)(__builtin_wasm_memory_size(0) * PAGE);
}

static unsigned char *take(size_t bytes)
{
    unsigned char *const place = used;
    used += (bytes + 2 * MARGIN) / MARGIN * MARGIN;
    if (used > end_of_memory()) {
        (void)__builtin_wasm_memory_grow(0, (size_t)(used - end_of_memory()) / PAGE + 1);
    }
    return place;
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

/* 0, or one more than the number of the output that is wrong. */
static int wrong_output(const check_op *op, unsigned char *const *expected, void *const *outputs)
{
    size_t output = 0;
    for (size_t part = 0; part < op->split.nparts; ++part) {
        if (!op->split.wanted[part]) {
            continue;
        }
        const size_t bytes = part_bytes(op, part);
        const unsigned char *const got = outputs[output++];
        for (size_t i = 0; i < bytes + 2 * MARGIN; ++i) {
            const bool inside = i >= MARGIN && i - MARGIN < bytes;
            if ((got - MARGIN)[i] != (inside ? expected[part][i - MARGIN] : 0xa5)) {
                return (int)output;
            }
        }
    }
    return 0;
}

/* Whatever an output does not get looks wrong. */
static void spoil(const check_op *op, unsigned char *const *expected, void *const *outputs)
{
    size_t output = 0;
    for (size_t part = 0; part < op->split.nparts; ++part) {
        if (op->split.wanted[part]) {
            unsigned char *const to = outputs[output++];
            const size_t bytes = part_bytes(op, part);
            memset(to - MARGIN, 0xa5, bytes + 2 * MARGIN);
            for (size_t i = 0; i < bytes; ++i) {
                to[i] = (unsigned char)~expected[part][i];
            }
        }
    }
}

/* Rows [first, last) of all of them. */
static void run_rows(const check_op *op, const void *input, void *const *outputs, size_t first,
                     size_t last, size_t rows)
{
    const splitgen_kernel *const k = op->kernel;
    if (k->free != NULL) {
        splitgen_run_open(k, input, outputs, first, last, rows, check_sizes_of(op).scale);
    } else if (last - first == rows) {
        k->split(input, outputs);
    } else {
        k->split_rows(input, outputs, first, last);
    }
}

static int check_pass(const check_op *op, const unsigned char *input,
                      unsigned char *const *expected, void *const *outputs)
{
    const splitgen_kernel *const k = op->kernel;
    const size_t rows = check_sizes_of(op).rows * k->rows;
    size_t numbers[CHECK_NUMBERS];
    const size_t third = rows / 3;
    int wrong = 0;
    spoil(op, expected, outputs);
    run_rows(op, input, outputs, 0, rows, rows);
    wrong = wrong_output(op, expected, outputs);
    if (wrong == 0) {
        spoil(op, expected, outputs);
        run_rows(op, input, outputs, third, rows, rows);
        run_rows(op, input, outputs, 0, third, rows);
        wrong = wrong_output(op, expected, outputs);
    }
    check_numbers_of(op, numbers);
    const splitgen_status status = k->free != NULL ? splitgen_run_dims(k, input, outputs, numbers)
                                                   : splitgen_run(k, input, outputs);
    return wrong != 0 || status == SPLITGEN_OK ? wrong : -1;
}

/* An op whose open dimensions are as it expects. */
static check_op sized(const check_op *op, int64_t *dims)
{
    check_op all = *op;
    for (int d = 0; d < op->split.rank; ++d) {
        const int number = op->numbers[d];
        dims[d] = number != 0 ? (int64_t)op->expected[number - 1] : op->split.dims[d];
    }
    all.split.dims = dims;
    return all;
}

EXPORT("check") int check_op_at(int number)
{
    int64_t dims[TEST_MAX_RANK];
    const check_op whole = sized(&check_ops[number], dims);
    const check_op *const op = &whole;
    const size_t nparts = op->split.nparts;
    const size_t bytes = bytes_of(op, test_split_elements(&op->split));
    size_t output = 0;
    int wrong = 0;
    used = &__heap_base + MARGIN - (size_t)&__heap_base % MARGIN;
    unsigned char **const expected = (unsigned char **)(void *)take(nparts * sizeof *expected);
    void **const outputs = (void **)(void *)take(nparts * sizeof *outputs);
    for (size_t part = 0; part < nparts; ++part) {
        expected[part] = NULL;
        if (op->split.wanted[part]) {
            expected[part] = take(part_bytes(op, part));
            unsigned char *const place =
                take(part_bytes(op, part) + 2 * MARGIN + op->align) + MARGIN;
            outputs[output++] = place + (op->align - (size_t)place % op->align) % op->align;
            memset(expected[part], 0, part_bytes(op, part));
        }
    }
    (void)take(bytes);
    unsigned char *const input = end_of_memory() - (bytes + op->align - 1) / op->align * op->align;
    for (int pass = 0; pass < PASSES && wrong == 0; ++pass) {
        for (size_t i = 0; i < bytes; ++i) {
            input[i] = (unsigned char)(test_prng_mix(PASSES * i + (size_t)pass + 1) >> 24);
        }
        if (op->bits > 0) {
            packed_reference(&op->split, op->bits, op->order, input, expected);
        } else {
            test_split_reference(&op->split, input, expected);
        }
        wrong = check_pass(op, input, expected, outputs);
    }
    return wrong;
}

EXPORT("count") int check_count(void)
{
    return (int)check_nops;
}

EXPORT("name") const char *check_name(int number)
{
    return check_ops[number].spec;
}
