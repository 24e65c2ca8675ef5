/* Runs the kernels of a table (tests/exec/check.h) in a WebAssembly module without imports:
 * wasm_run.js calls check() for one op after the other. The input of a split ends at the end of
 * memory, so that a read beyond it traps; the same holds for the last input of a concat. Bytes
 * around all other buffers must not change. */
#include "check_tensors.h"
#include "prng.h"

#define EXPORT(name) __attribute__((export_name(name), visibility("default")))
#define PAGE         65536
#define MARGIN       64 /* bytes around an output */
#define PASSES       2

extern unsigned char __heap_base;

/* Functions that compilers call implicitly. */
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

static unsigned char *used; /* end of the used memory in the middle */

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

/* The buffers of an op: tensor 0 is the full tensor, 1 the first part. */
typedef struct buffers {
    unsigned char **before; /* contents of each before a call */
    unsigned char **after;  /* and after it */
    unsigned char **memory;
    void **arguments; /* the wanted parts */
    size_t last;      /* the tensor at the end of the memory */
} buffers;

/* 0, or one more than the number of the wrong tensor. */
static int wrong_tensor(const check_op *op, const buffers *b)
{
    for (size_t tensor = 0; tensor <= op->split.nparts; ++tensor) {
        if (!check_exists(op, tensor)) {
            continue;
        }
        const size_t bytes = check_bytes(op, tensor);
        const size_t behind = tensor == b->last ? 0 : MARGIN;
        const unsigned char *const got = b->memory[tensor];
        for (size_t i = 0; i < bytes + MARGIN + behind; ++i) {
            const bool inside = i >= MARGIN && i - MARGIN < bytes;
            if ((got - MARGIN)[i] != (inside ? b->after[tensor][i - MARGIN] : 0xa5)) {
                return (int)tensor + 1;
            }
        }
    }
    return 0;
}

/* Sets all buffers to their contents before a call. */
static void spoil(const check_op *op, const buffers *b)
{
    for (size_t tensor = 0; tensor <= op->split.nparts; ++tensor) {
        if (check_exists(op, tensor)) {
            unsigned char *const to = b->memory[tensor];
            const size_t bytes = check_bytes(op, tensor);
            memset(to - MARGIN, 0xa5, bytes + (tensor == b->last ? 1 : 2) * (size_t)MARGIN);
            memcpy(to, b->before[tensor], bytes);
        }
    }
}

static const void *const *read_parts(const buffers *b)
{
    return (const void *const *)b->arguments;
}

/* Rows [first, last) of all items. */
static void run_rows(const check_op *op, const buffers *b, size_t first, size_t last, size_t rows)
{
    const splitgen_kernel *const k = op->kernel;
    const size_t scale = check_sizes_of(op).scale;
    void *const whole = b->memory[0];
    if (k->free != NULL && k->joins) {
        splitgen_join_open(k, read_parts(b), whole, first, last, rows, scale);
    } else if (k->free != NULL) {
        splitgen_run_open(k, whole, b->arguments, first, last, rows, scale);
    } else if (k->joins && last - first == rows) {
        k->join(read_parts(b), whole);
    } else if (k->joins) {
        k->join_rows(read_parts(b), whole, first, last);
    } else if (last - first == rows) {
        k->split(whole, b->arguments);
    } else {
        k->split_rows(whole, b->arguments, first, last);
    }
}

static splitgen_status run_checked(const check_op *op, const buffers *b)
{
    const splitgen_kernel *const k = op->kernel;
    void *const whole = b->memory[0];
    size_t numbers[CHECK_NUMBERS];
    check_numbers_of(op, numbers);
    if (k->joins) {
        return k->free != NULL ? splitgen_join_dims(k, read_parts(b), whole, numbers)
                               : splitgen_join(k, read_parts(b), whole);
    }
    return k->free != NULL ? splitgen_run_dims(k, whole, b->arguments, numbers)
                           : splitgen_run(k, whole, b->arguments);
}

static int check_pass(const check_op *op, const buffers *b)
{
    const size_t rows = check_sizes_of(op).rows * op->kernel->rows;
    const size_t third = rows / 3;
    int wrong = 0;
    spoil(op, b);
    run_rows(op, b, 0, rows, rows);
    wrong = wrong_tensor(op, b);
    if (wrong == 0) {
        spoil(op, b);
        run_rows(op, b, third, rows, rows);
        run_rows(op, b, 0, third, rows);
        wrong = wrong_tensor(op, b);
    }
    const splitgen_status status = run_checked(op, b);
    return wrong != 0 || status == SPLITGEN_OK ? wrong : -1;
}

/* The op with its open dimensions at their expected lengths. */
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

static unsigned char **take_pointers(size_t count)
{
    unsigned char **const pointers = (unsigned char **)(void *)take(count * sizeof *pointers);
    memset(pointers, 0, count * sizeof *pointers);
    return pointers;
}

/* Allocates buffers; the last input ends at the end of memory. */
static void take_buffers(const check_op *op, buffers *b)
{
    const size_t tensors = op->split.nparts + 1;
    size_t argument = 0;
    b->before = take_pointers(tensors);
    b->after = take_pointers(tensors);
    b->memory = take_pointers(tensors);
    b->arguments = (void **)(void *)take_pointers(tensors);
    b->last = 0;
    for (size_t tensor = 0; tensor < tensors; ++tensor) {
        if (check_exists(op, tensor)) {
            const size_t bytes = check_bytes(op, tensor);
            b->last = check_is_read(op, tensor) ? tensor : b->last;
            b->before[tensor] = take(bytes);
            b->after[tensor] = take(bytes);
            unsigned char *const place = take(bytes + 2 * MARGIN + op->align) + MARGIN;
            b->memory[tensor] = place + (op->align - (size_t)place % op->align) % op->align;
        }
    }
    const size_t bytes = check_bytes(op, b->last);
    (void)take(bytes + MARGIN + op->align);
    b->memory[b->last] = end_of_memory() - (bytes + op->align - 1) / op->align * op->align;
    for (size_t tensor = 1; tensor < tensors; ++tensor) {
        if (check_exists(op, tensor)) {
            b->arguments[argument++] = b->memory[tensor];
        }
    }
}

EXPORT("check") int check_op_at(int number)
{
    int64_t dims[TEST_MAX_RANK];
    const check_op all = sized(&check_ops[number], dims);
    buffers b;
    int wrong = 0;
    used = &__heap_base + MARGIN - (size_t)&__heap_base % MARGIN;
    take_buffers(&all, &b);
    for (int pass = 0; pass < PASSES && wrong == 0; ++pass) {
        check_fill(&all, pass, b.before, b.after);
        wrong = check_pass(&all, &b);
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
