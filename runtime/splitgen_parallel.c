/* Divides a kernel into tasks for the caller's threads. Starts no thread, allocates nothing; needs
 * memcpy and no other library. */
#include <splitgen/splitgen.h>

/* Documented in splitgen.h. A sleeping thread starts after the time in which 1 to 2 MiB are copied.
 * With a spinning thread, what two threads gain on smaller sizes is lost if the data comes from
 * another core's cache (generator/plan/MEASURED.md, Threads). */
#define SPLIT_MIN  ((size_t)SPLITGEN_PARALLEL_MIN)
#define TASK_BYTES ((size_t)SPLITGEN_PARALLEL_BYTES)

/* The most tasks, enough to keep any pool busy until the end; above it tasks grow instead. */
#define TASKS_MAX 1024

/* The least number of bytes of a task for each part, so that the time to find its place among the
 * parts is negligible. */
#define BYTES_PER_PART 256

/* Vector variants copy up to this many rows at once, and this many rows of any output are whole
 * cache lines: if aligned outputs are divided there, no two tasks write the same cache line. */
#define BLOCK_ROWS 64
#define LINE       64

/* A number of blocks, distributed to tasks; the first tasks take one block more if the division has
 * a remainder. A block is `block_rows` rows, or a cache line of one part in one row. */
typedef struct cut {
    splitgen_call call;
    size_t tasks; /* <= blocks */
    size_t blocks;
    size_t block_rows;
    size_t rows; /* if divided by cache lines: the copied rows, and the lines in one */
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

/* The first block of a task; for the task after the last, the number of blocks. */
static size_t first_block(const cut *c, size_t task)
{
    return c->blocks / c->tasks * task + smaller(task, c->blocks % c->tasks);
}

static void rows_task(void *context, size_t index)
{
    const cut *c = (const cut *)context;
    const size_t rows = c->call.rows * c->call.kernel->rows;
    size_t range[2];

    range[0] = first_block(c, index) * c->block_rows;
    range[1] = smaller(first_block(c, index + 1) * c->block_rows, rows);
    splitgen_perform(&c->call, range);
}

/* A tensor in one of the copied rows. Without padding it is divided into them evenly. Not inlined,
 * to keep the runtime small, like start_tasks(). */
static SPLITGEN_NOINLINE splitgen_rows rows_of(const cut *c, const splitgen_tensor *tensor)
{
    splitgen_rows rows;

    (void)splitgen_measure(&c->call, tensor, &rows);
    if (rows.step == rows.bytes) {
        rows.row = rows.bytes / c->rows;
        rows.step = rows.row;
    }
    return rows;
}

/* Cache lines of a part in one of these rows; 0 if the part is only a view. */
static size_t lines_of(const cut *c, size_t index)
{
    const splitgen_kernel *kernel = c->call.kernel;

    return kernel->views[index].only ? 0 : quotient_up(rows_of(c, &kernel->parts[index]).row, LINE);
}

/* Copies cache lines [first, last) of part `index` in a row. */
static void copy_lines(const cut *c, size_t row, size_t index, size_t first, size_t last)
{
    const splitgen_kernel *kernel = c->call.kernel;
    const splitgen_rows size = rows_of(c, &kernel->parts[index]);
    const size_t begin = first * LINE;
    const size_t bytes = smaller(last * LINE, size.row) - begin;
    const char *part = (const char *)splitgen_input(c->call.parts, index) + row * size.step + begin;
    const char *whole = (const char *)c->call.whole + row * rows_of(c, &kernel->whole).step +
                        kernel->views[index].byte_offset * c->call.scale + begin;
    void *dst = (void *)(uintptr_t)(kernel->joins ? whole : part);
    const char *src = kernel->joins ? part : whole;

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
    size_t at = row * c->row_lines; /* the first line of this part in this row, among all lines */
    size_t i;

    for (; at < last; row++) {
        for (i = 0; i < c->call.kernel->nparts; i++) {
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

/* Whether rows are padded, over all items. */
static bool has_gaps(const cut *c, const splitgen_tensor *tensor)
{
    splitgen_rows rows;

    (void)splitgen_measure(&c->call, tensor, &rows);
    return rows.step != rows.bytes;
}

/* Whether any bytes of the parts can be copied without the kernel, because every part has a view,
 * and there are too few rows to distribute whole rows. If so, sets the fields about lines. If all
 * rows are contiguous, in the full tensor too, they count as one. If a concat's output has more
 * than its parts, the kernel must run, because it may hold the rest. */
static bool cut_lines(cut *c)
{
    const splitgen_kernel *kernel = c->call.kernel;
    size_t row = 0; /* bytes of all parts in a row */
    size_t i;

    /* the last byte of packed elements may have bits of another part; only the kernel finds rows in
     * groups */
    if (splitgen_dtype_bytes(kernel->whole.dtype) == 0 ||
        splitgen_tensor_strides(&kernel->whole) != NULL) {
        return false;
    }
    c->rows = has_gaps(c, &kernel->whole) ? c->call.rows * kernel->rows : 1;
    for (i = 0; i < kernel->nparts; i++) {
        const splitgen_tensor *part = &kernel->parts[i];
        if (splitgen_tensor_strides(part) != NULL) {
            return false;
        }
        if (part->bytes > 0 && !kernel->views[i].only) {
            if (kernel->views[i].kind == SPLITGEN_VIEW_NONE) {
                return false;
            }
            if (kernel->views[i].kind != SPLITGEN_VIEW_CONTIGUOUS || has_gaps(c, part)) {
                c->rows = c->call.rows * kernel->rows;
            }
        }
    }
    if (c->rows >= c->tasks) {
        return false;
    }
    c->row_lines = 0;
    for (i = 0; i < kernel->nparts; i++) {
        c->row_lines += lines_of(c, i);
        row += rows_of(c, &kernel->parts[i]).row;
    }
    if (kernel->joins && row != rows_of(c, &kernel->whole).row) {
        return false;
    }
    c->blocks = c->rows * c->row_lines;
    return true;
}

/* Divides into blocks of BLOCK_ROWS rows if there are enough of them, otherwise into smaller ones.
 */
static void cut_rows(cut *c)
{
    const size_t rows = c->call.rows * c->call.kernel->rows;

    c->block_rows = BLOCK_ROWS;
    while (c->block_rows > 1 && rows / c->block_rows < c->tasks) {
        c->block_rows /= 2;
    }
    c->blocks = quotient_up(rows, c->block_rows);
    c->tasks = smaller(c->tasks, c->blocks);
}

/* Bytes of all rows of the copied parts, without padding. */
static size_t bytes_copied(const splitgen_call *call)
{
    const splitgen_kernel *kernel = call->kernel;
    size_t bytes = 0;
    size_t i;

    for (i = 0; i < kernel->nparts; i++) {
        if (kernel->parts[i].bytes > 0 && !kernel->views[i].only) {
            splitgen_rows rows;

            (void)splitgen_measure(call, &kernel->parts[i], &rows);
            bytes += ((rows.bytes - rows.row) / rows.step + 1) * rows.row;
        }
    }
    return bytes;
}

/* A call with many threads. */
static SPLITGEN_NOINLINE splitgen_status start_tasks(cut *c, const size_t *dims, size_t count,
                                                     splitgen_parallel_for parallel_for, void *pool)
{
    const splitgen_status status = splitgen_check(&c->call, dims, count);
    void (*task)(void *, size_t) = lines_task;
    size_t bytes;

    if (status != SPLITGEN_OK || c->call.items == 0) {
        return status;
    }
    bytes = bytes_copied(&c->call);
    c->tasks = 1;
    if (parallel_for != NULL && bytes >= SPLIT_MIN) {
        c->tasks = smaller(smaller(bytes / TASK_BYTES, TASKS_MAX),
                           bytes / BYTES_PER_PART / c->call.kernel->nparts);
        if (!cut_lines(c)) {
            cut_rows(c);
            task = rows_task;
        }
    }
    if (c->tasks > 1) {
        parallel_for(pool, c->tasks, task, c);
    } else {
        splitgen_perform(&c->call, NULL);
    }
    return status;
}

/* Implements all functions with many threads. */
static splitgen_status share(const splitgen_kernel *kernel, const void *whole, const void *parts,
                             bool joins, const size_t *dims, size_t count,
                             splitgen_parallel_for parallel_for, void *pool)
{
    cut c;

    c.call.kernel = kernel;
    c.call.whole = whole;
    c.call.parts = parts;
    c.call.joins = joins;
    return start_tasks(&c, dims, count, parallel_for, pool);
}

splitgen_status splitgen_run_parallel(const splitgen_kernel *kernel, const void *whole,
                                      void *const parts[], splitgen_parallel_for parallel_for,
                                      void *pool)
{
    return share(kernel, whole, parts, false, NULL, 0, parallel_for, pool);
}

splitgen_status splitgen_join_parallel(const splitgen_kernel *kernel, const void *const parts[],
                                       void *whole, splitgen_parallel_for parallel_for, void *pool)
{
    return share(kernel, whole, parts, true, NULL, 0, parallel_for, pool);
}

splitgen_status splitgen_run_parallel_dims(const splitgen_kernel *kernel, const void *whole,
                                           void *const parts[], const size_t dims[],
                                           splitgen_parallel_for parallel_for, void *pool)
{
    return share(kernel, whole, parts, false, dims, SPLITGEN_ALL_NUMBERS, parallel_for, pool);
}

splitgen_status splitgen_join_parallel_dims(const splitgen_kernel *kernel,
                                            const void *const parts[], void *whole,
                                            const size_t dims[], splitgen_parallel_for parallel_for,
                                            void *pool)
{
    return share(kernel, whole, parts, true, dims, SPLITGEN_ALL_NUMBERS, parallel_for, pool);
}

splitgen_status splitgen_run_parallel_n(const splitgen_kernel *kernel, const void *whole,
                                        void *const parts[], size_t n,
                                        splitgen_parallel_for parallel_for, void *pool)
{
    return share(kernel, whole, parts, false, &n, 1, parallel_for, pool);
}

splitgen_status splitgen_join_parallel_n(const splitgen_kernel *kernel, const void *const parts[],
                                         void *whole, size_t n, splitgen_parallel_for parallel_for,
                                         void *pool)
{
    return share(kernel, whole, parts, true, &n, 1, parallel_for, pool);
}
