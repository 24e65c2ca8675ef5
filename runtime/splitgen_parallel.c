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
    size_t tasks; /* <= blocks */
    size_t blocks;
    size_t block_rows;
    size_t rows; /* when cut by lines: rows copied, and lines of one */
    size_t row_lines;
    void (*copy)(void *dst, const void *src, size_t bytes); /* then, too */
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
    const size_t first = first_block(c, index) * c->block_rows;
    const size_t end = first_block(c, index + 1);

    kernel->run_rows(c->input, c->outputs, first,
                     end == c->blocks ? kernel->rows : end * c->block_rows);
}

/* Lines [first, last) of what output `index` has in a row. */
static void copy_lines(const cut *c, size_t row, size_t index, size_t first, size_t last)
{
    const size_t width = c->kernel->outputs[index].bytes / c->rows;
    const size_t row_bytes = c->kernel->input.bytes / c->rows;
    const size_t begin = first * LINE;
    const size_t end = last > width / LINE ? width : last * LINE;

    c->copy((char *)c->outputs[index] + row * width + begin,
            (const char *)c->input + row * row_bytes + c->kernel->views[index].byte_offset + begin,
            end - begin);
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
            const size_t lines = quotient_up(c->kernel->outputs[i].bytes / c->rows, LINE);

            if (lines > 0 && at < last && at + lines > first) {
                copy_lines(c, row, i, at < first ? first - at : 0, smaller(last - at, lines));
            }
            at += lines;
        }
    }
}

static void copy_cached(void *dst, const void *src, size_t bytes)
{
    memcpy(dst, src, bytes);
}

/* Whether every output is what its view says, row by row, so that any bytes of it can be copied
 * without the kernel; then fills in the lines. Rows apart, or all of them as one. */
static bool cut_lines(cut *c, size_t rows)
{
    const splitgen_kernel *kernel = c->kernel;
    size_t i;

    if (splitgen_dtype_bytes(kernel->input.dtype) == 0 || kernel->input.bytes % rows != 0) {
        return false; /* the last byte of packed elements may have bits of another part */
    }
    c->rows = rows;
    c->row_lines = 0;
    for (i = 0; i < kernel->noutputs; i++) {
        const size_t bytes = kernel->outputs[i].bytes;
        const splitgen_view_kind kind = kernel->views[i].kind;

        if (bytes > 0 && (bytes % rows != 0 || kind == SPLITGEN_VIEW_NONE ||
                          (rows == 1 && kind != SPLITGEN_VIEW_CONTIGUOUS))) {
            return false;
        }
        c->row_lines += quotient_up(bytes / rows, LINE);
    }
    c->blocks = rows * c->row_lines;
    c->copy = kernel->copy != NULL ? kernel->copy : copy_cached;
    return true;
}

/* Whole blocks of rows while there are enough of them, else smaller ones. */
static void cut_rows(cut *c)
{
    const size_t rows = c->kernel->rows;

    c->block_rows = BLOCK_ROWS;
    while (c->block_rows > 1 && rows / c->block_rows < c->tasks) {
        c->block_rows /= 2;
    }
    c->blocks = quotient_up(rows, c->block_rows);
    c->tasks = smaller(c->tasks, c->blocks);
}

splitgen_status splitgen_run_parallel(const splitgen_kernel *kernel, const void *input,
                                      void *const outputs[], splitgen_parallel_for parallel_for,
                                      void *pool)
{
    const splitgen_status status = splitgen_run_rows(kernel, input, outputs, 0, 0);
    void (*task)(void *, size_t) = NULL;
    size_t bytes = 0;
    size_t i;
    cut c;

    if (status != SPLITGEN_OK) {
        return status;
    }
    for (i = 0; i < kernel->noutputs; i++) {
        bytes += kernel->outputs[i].bytes;
    }
    c.kernel = kernel;
    c.input = input;
    c.outputs = outputs;
    c.tasks = TASK_BYTES / BYTES_PER_OUTPUT < kernel->noutputs
                  ? bytes / BYTES_PER_OUTPUT / kernel->noutputs
                  : bytes / TASK_BYTES;
    c.tasks = smaller(c.tasks, TASKS_MAX);
    if (parallel_for != NULL && bytes >= SPLIT_MIN && c.tasks > 1) {
        if (cut_lines(&c, 1) ||
            (kernel->rows > 0 && kernel->rows < c.tasks && cut_lines(&c, kernel->rows))) {
            task = lines_task;
        } else if (kernel->rows > 1) {
            cut_rows(&c);
            task = rows_task;
        }
    }
    if (task != NULL) {
        parallel_for(pool, c.tasks, task, &c);
    } else {
        kernel->run(input, outputs);
    }
    return status;
}
