/* A kernel cut into tasks for somebody else's threads: how many, and which bytes are whose. Starts
 * no thread, allocates nothing; needs memcpy and no other library. */
#include <splitgen/splitgen.h>

/* Documented in splitgen.h. A thread that sleeps joins after the time of 1 to 2 MiB; with one that
 * spins, what two gain on less they lose where the data comes from elsewhere
 * (generator/plan/MEASURED.md, Threads). */
#define SPLIT_MIN  ((size_t)SPLITGEN_PARALLEL_MIN)
#define TASK_BYTES ((size_t)SPLITGEN_PARALLEL_BYTES)

/* With more than this, tasks grow instead: enough to keep any pool busy to the end. */
#define TASKS_MAX 1024

/* Bytes of a task for every output: what finding one's place among them costs does not show. */
#define BYTES_PER_OUTPUT 256

/* Vector bodies work on up to so many rows at once, and so many rows of any output are whole cache
 * lines: where aligned outputs are cut there, no two tasks write the same line. */
#define BLOCK_ROWS 64
#define LINE       64

/* A number of blocks dealt out to tasks, the first ones taking one more where they do not come out
 * even. A block is `block_rows` rows, or a cache line of one output's part of one row. */
typedef struct cut {
    const splitgen_kernel *kernel;
    const void *input;
    void *const *outputs;
    splitgen_sizes n; /* what bytes and rows are times */
    size_t tasks;     /* <= blocks */
    size_t blocks;
    size_t block_rows;
    size_t rows; /* when cut by lines: rows copied, and lines of one */
    size_t row_lines;
} cut;

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t quotient_up(size_t a, size_t b)
{
    return a / b + (a % b != 0 ? 1 : 0);
}

/* First block of a task; of the one behind the last: the number of blocks. */
static size_t first_block(const cut *c, size_t task)
{
    return c->blocks / c->tasks * task + smaller(task, c->blocks % c->tasks);
}

static void rows_task(void *context, size_t index)
{
    const cut *c = (const cut *)context;
    const splitgen_kernel *kernel = c->kernel;
    const size_t rows = c->n.rows * kernel->rows;
    const size_t first = first_block(c, index) * c->block_rows;
    const size_t last = smaller(first_block(c, index + 1) * c->block_rows, rows);

    if (kernel->free != NULL) {
        splitgen_run_open(kernel, c->input, c->outputs, first, last, rows, c->n.scale);
    } else {
        kernel->run_rows(c->input, c->outputs, first, last);
    }
}

/* Bytes of a tensor in one of the rows copied. */
static size_t width_of(const cut *c, const splitgen_tensor *tensor)
{
    return c->n.items * tensor->bytes / c->rows;
}

/* Lines of an output in one of them; of one that is only a view none is copied. */
static size_t lines_of(const cut *c, size_t index)
{
    if (c->kernel->views[index].only) {
        return 0;
    }
    return quotient_up(width_of(c, &c->kernel->outputs[index]), LINE);
}

/* Lines [first, last) of what output `index` has in a row. */
static void copy_lines(const cut *c, size_t row, size_t index, size_t first, size_t last)
{
    const splitgen_kernel *kernel = c->kernel;
    const size_t width = width_of(c, &kernel->outputs[index]);
    const size_t begin = first * LINE;
    const size_t bytes = smaller(last * LINE, width) - begin;
    char *dst = (char *)c->outputs[index] + row * width + begin;
    const char *src = (const char *)c->input + row * width_of(c, &kernel->input) +
                      kernel->views[index].byte_offset * c->n.scale + begin;

    if (kernel->copy != NULL) {
        kernel->copy(dst, src, bytes);
    } else {
        memcpy(dst, src, bytes);
    }
}

static void lines_task(void *context, size_t index)
{
    const cut *c = (const cut *)context;
    const size_t first = first_block(c, index);
    const size_t last = first_block(c, index + 1);
    size_t row = first / c->row_lines;
    size_t at = row * c->row_lines; /* first line of this output in this row, among all lines */
    size_t i;

    for (; at < last; row++) {
        for (i = 0; i < c->kernel->noutputs; i++) {
            const size_t end = at + lines_of(c, i);
            const size_t from = at > first ? at : first;
            const size_t to = smaller(end, last);

            if (from < to) {
                copy_lines(c, row, i, from - at, to - at);
            }
            at = end;
        }
    }
}

/* Whether every output is what its view says, so that any bytes of it can be copied without the
 * kernel, and there are too few rows to deal them out whole; then fills in the lines. All rows are
 * as one where they lie one behind the other in the input, too. */
static bool cut_lines(cut *c)
{
    const splitgen_kernel *kernel = c->kernel;
    size_t i;

    if (splitgen_dtype_bytes(kernel->input.dtype) == 0) {
        return false; /* the last byte of packed elements may have bits of another part */
    }
    c->rows = 1;
    for (i = 0; i < kernel->noutputs; i++) {
        if (kernel->outputs[i].bytes > 0 && !kernel->views[i].only) {
            if (kernel->views[i].kind == SPLITGEN_VIEW_NONE) {
                return false;
            }
            if (kernel->views[i].kind != SPLITGEN_VIEW_CONTIGUOUS) {
                c->rows = c->n.rows * kernel->rows;
            }
        }
    }
    if (c->rows >= c->tasks) {
        return false;
    }
    c->row_lines = 0;
    for (i = 0; i < kernel->noutputs; i++) {
        c->row_lines += lines_of(c, i);
    }
    c->blocks = c->rows * c->row_lines;
    return true;
}

/* Whole blocks of rows while there are enough of them, else smaller ones. */
static void cut_rows(cut *c)
{
    const size_t rows = c->n.rows * c->kernel->rows;

    c->block_rows = BLOCK_ROWS;
    while (c->block_rows > 1 && rows / c->block_rows < c->tasks) {
        c->block_rows /= 2;
    }
    c->blocks = quotient_up(rows, c->block_rows);
    c->tasks = smaller(c->tasks, c->blocks);
}

/* dims: `count` numbers, NULL where no dimension is open. */
static splitgen_status run(const splitgen_kernel *kernel, const void *input, void *const outputs[],
                           splitgen_parallel_for parallel_for, void *pool, const size_t *dims,
                           size_t count)
{
    void (*task)(void *, size_t) = lines_task;
    splitgen_status status;
    size_t bytes = 0;
    size_t rows;
    size_t i;
    cut c;

    status = splitgen_check(kernel, input, outputs, dims, count, &c.n);
    if (status != SPLITGEN_OK || c.n.items == 0) {
        return status;
    }
    for (i = 0; i < kernel->noutputs; i++) {
        bytes += kernel->views[i].only ? 0 : kernel->outputs[i].bytes;
    }
    if (bytes == 0) { /* nor is there a function where every output is only a view */
        return status;
    }
    bytes *= c.n.items;
    c.kernel = kernel;
    c.input = input;
    c.outputs = outputs;
    c.tasks = 1;
    if (parallel_for != NULL && bytes >= SPLIT_MIN) {
        c.tasks = smaller(smaller(bytes / TASK_BYTES, TASKS_MAX),
                          bytes / BYTES_PER_OUTPUT / kernel->noutputs);
        if (!cut_lines(&c)) {
            cut_rows(&c);
            task = rows_task;
        }
    }
    if (c.tasks > 1) {
        parallel_for(pool, c.tasks, task, &c);
    } else if (kernel->free != NULL) {
        rows = c.n.rows * kernel->rows;
        splitgen_run_open(kernel, input, outputs, 0, rows, rows, c.n.scale);
    } else {
        kernel->run(input, outputs);
    }
    return status;
}

splitgen_status splitgen_run_parallel(const splitgen_kernel *kernel, const void *input,
                                      void *const outputs[], splitgen_parallel_for parallel_for,
                                      void *pool)
{
    return run(kernel, input, outputs, parallel_for, pool, NULL, 0);
}

splitgen_status splitgen_run_parallel_dims(const splitgen_kernel *kernel, const void *input,
                                           void *const outputs[], const size_t dims[],
                                           splitgen_parallel_for parallel_for, void *pool)
{
    if (kernel != NULL && kernel->abi == SPLITGEN_ABI && kernel->free == NULL) {
        return SPLITGEN_FIXED_COUNT;
    }
    if (kernel != NULL && dims == NULL) {
        return SPLITGEN_NULL_DIMS;
    }
    return run(kernel, input, outputs, parallel_for, pool, dims,
               kernel == NULL || kernel->abi != SPLITGEN_ABI ? 0
               : kernel->free->count > 0                     ? kernel->free->count
                                                             : 1);
}

splitgen_status splitgen_run_parallel_n(const splitgen_kernel *kernel, const void *input,
                                        void *const outputs[], size_t n,
                                        splitgen_parallel_for parallel_for, void *pool)
{
    return run(kernel, input, outputs, parallel_for, pool, &n, 1);
}
