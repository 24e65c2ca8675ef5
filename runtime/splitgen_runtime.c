/* The checked way to call a kernel, kernels by their names, and text for their numbers. Moves no
 * byte itself: that is the kernel's work. Needs no library at all. */
#include <splitgen/splitgen.h>

SPLITGEN_STATIC_ASSERT(sizeof(bool) == 1, bool_is_one_byte);
SPLITGEN_STATIC_ASSERT(sizeof(float) == 4 && sizeof(double) == 8, floats_are_ieee);
SPLITGEN_STATIC_ASSERT(sizeof(splitgen_c64) == 8 && sizeof(splitgen_c128) == 16, complex_is_dense);

/* A buffer of a call. Addresses are taken modulo the address space, so a range that runs past its
 * end is seen at the other end instead of being lost in an overflow. */
typedef struct range {
    uintptr_t begin;
    size_t bytes;
} range;

/* Number 0 is the input, number i + 1 output i. */
static const splitgen_tensor *tensor(const splitgen_kernel *kernel, size_t number)
{
    return number == 0 ? &kernel->input : &kernel->outputs[number - 1];
}

static range buffer(const splitgen_kernel *kernel, const void *input, void *const outputs[],
                    size_t n, size_t number)
{
    range r;

    r.begin = 0;
    r.bytes = 0;
    if (number == 0 || !kernel->views[number - 1].only) {
        r.begin = (uintptr_t)(number == 0 ? input : outputs[number - 1]);
        r.bytes = n * tensor(kernel, number)->bytes;
    }
    return r;
}

/* Whether there is nothing to run, as every output is only a view. */
static bool is_idle(const splitgen_kernel *kernel)
{
    return kernel->free == NULL
               ? kernel->run == NULL
               : kernel->free->run_rows == NULL && kernel->free->run_scaled == NULL;
}

/* Whether two buffers share a byte. */
static bool overlap(range a, range b)
{
    return a.bytes > 0 && b.bytes > 0 &&
           ((uintptr_t)(b.begin - a.begin) < a.bytes || (uintptr_t)(a.begin - b.begin) < b.bytes);
}

/* *product times the number, as often as it is a factor; false: there is no such size_t. */
static bool multiply(size_t *product, size_t number, unsigned power)
{
    for (; power > 0; power--) {
        if (number > 1 && *product > SIZE_MAX / number) {
            return false;
        }
        *product *= number;
    }
    return true;
}

/* Open numbers of a kernel. */
static size_t numbers_of(const splitgen_kernel *kernel)
{
    return kernel->free == NULL ? 0 : kernel->free->count > 0 ? kernel->free->count : 1;
}

/* How often a number is a factor of a dimension. */
static unsigned power_of(const splitgen_free *open, size_t dim, size_t number)
{
    return open->count > 0 ? open->powers[dim * open->count + number] : dim == open->dim;
}

/* The product of dimensions [first, last), as far as they are open. */
static bool product(const splitgen_kernel *kernel, const size_t *dims, size_t first, size_t last,
                    size_t *result)
{
    const size_t count = numbers_of(kernel);
    size_t d;
    size_t i;

    *result = 1;
    for (d = first; d < last; d++) {
        for (i = 0; i < count; i++) {
            if (!multiply(result, dims[i], power_of(kernel->free, d, i))) {
                return false;
            }
        }
    }
    return true;
}

static splitgen_status measure(const splitgen_kernel *kernel, const size_t *dims,
                               splitgen_sizes *sizes)
{
    const size_t axis = (size_t)kernel->axis;
    size_t i;

    sizes->items = 0;
    sizes->rows = 0;
    sizes->scale = 0;
    for (i = 0; i < numbers_of(kernel); i++) {
        if (dims[i] == 0) {
            return SPLITGEN_OK; /* whatever the others are */
        }
    }
    if (!product(kernel, dims, 0, axis, &sizes->rows) ||
        !product(kernel, dims, axis, kernel->input.rank, &sizes->scale)) {
        return SPLITGEN_TOO_MANY;
    }
    sizes->items = sizes->rows;
    return multiply(&sizes->items, sizes->scale, 1) ? SPLITGEN_OK : SPLITGEN_TOO_MANY;
}

splitgen_status splitgen_check(const splitgen_kernel *kernel, const void *input,
                               void *const outputs[], const size_t *dims, size_t count,
                               splitgen_sizes *sizes)
{
    splitgen_status status;
    uintptr_t addresses = 0; /* of all non-empty buffers, or-ed: low bits show misalignment */
    uintptr_t end = 0;       /* of the output before this one */
    bool rising = true;      /* no output begins in front of it */
    size_t most;             /* rows or bytes that an item may have */
    range r;
    size_t n;
    size_t i;
    size_t j;

    if (kernel == NULL) {
        return SPLITGEN_NULL_KERNEL;
    }
    if (kernel->abi != SPLITGEN_ABI) {
        return SPLITGEN_BAD_ABI;
    }
    if (numbers_of(kernel) != count) {
        return kernel->free == NULL ? SPLITGEN_FIXED_COUNT : SPLITGEN_NEEDS_COUNT;
    }
    status = measure(kernel, dims, sizes);
    if (status != SPLITGEN_OK || sizes->items == 0) {
        return status;
    }
    if (is_idle(kernel)) {
        sizes->items = 0;
        return SPLITGEN_OK;
    }
    n = sizes->items;
    most = SIZE_MAX / n;
    if (kernel->rows > most) {
        return SPLITGEN_TOO_MANY;
    }
    for (i = 0; i <= kernel->noutputs; i++) {
        if (tensor(kernel, i)->bytes > most) {
            return SPLITGEN_TOO_MANY;
        }
        if (i > 0 && outputs == NULL) { /* one of them is copied */
            return SPLITGEN_NULL_OUTPUTS;
        }
        r = buffer(kernel, input, outputs, n, i);
        if (r.bytes == 0) {
            continue;
        }
        if (r.begin == 0) {
            return i == 0 ? SPLITGEN_NULL_INPUT : SPLITGEN_NULL_OUTPUT;
        }
        addresses |= r.begin;
        if (i > 0) {
            rising = rising && r.begin >= end && r.begin + r.bytes > r.begin;
            end = r.begin + r.bytes;
        }
    }
    if ((addresses & (kernel->align - 1)) != 0) {
        return SPLITGEN_MISALIGNED;
    }
    /* Outputs in rising order, as an arena hands them out, are compared with the input alone. */
    for (i = 1; i <= kernel->noutputs; i++) {
        r = buffer(kernel, input, outputs, n, i);
        for (j = 0; j < (rising ? 1 : i); j++) {
            if (overlap(r, buffer(kernel, input, outputs, n, j))) {
                return SPLITGEN_OVERLAP;
            }
        }
    }
    return SPLITGEN_OK;
}

splitgen_status splitgen_run(const splitgen_kernel *kernel, const void *input,
                             void *const outputs[])
{
    splitgen_sizes sizes;
    splitgen_status status = splitgen_check(kernel, input, outputs, NULL, 0, &sizes);

    if (status == SPLITGEN_OK && sizes.items > 0) {
        kernel->run(input, outputs);
    }
    return status;
}

splitgen_status splitgen_run_rows(const splitgen_kernel *kernel, const void *input,
                                  void *const outputs[], size_t first, size_t last)
{
    splitgen_sizes sizes;
    splitgen_status status = splitgen_check(kernel, input, outputs, NULL, 0, &sizes);

    if (status == SPLITGEN_OK && (first > last || last > kernel->rows)) {
        status = SPLITGEN_BAD_ROWS;
    }
    if (status == SPLITGEN_OK && sizes.items > 0) {
        kernel->run_rows(input, outputs, first, last);
    }
    return status;
}

void splitgen_run_open(const splitgen_kernel *kernel, const void *input, void *const outputs[],
                       size_t first, size_t last, size_t rows, size_t scale)
{
    if (kernel->free->run_scaled != NULL) {
        kernel->free->run_scaled(input, outputs, first, last, rows, scale);
    } else {
        kernel->free->run_rows(input, outputs, first, last, rows);
    }
}

static splitgen_status run_dims(const splitgen_kernel *kernel, const void *input,
                                void *const outputs[], const size_t *dims, size_t count)
{
    splitgen_sizes sizes;
    splitgen_status status = splitgen_check(kernel, input, outputs, dims, count, &sizes);

    if (status == SPLITGEN_OK && sizes.items > 0) {
        const size_t rows = sizes.rows * kernel->rows;
        splitgen_run_open(kernel, input, outputs, 0, rows, rows, sizes.scale);
    }
    return status;
}

splitgen_status splitgen_run_n(const splitgen_kernel *kernel, const void *input,
                               void *const outputs[], size_t n)
{
    return run_dims(kernel, input, outputs, &n, 1);
}

splitgen_status splitgen_run_dims(const splitgen_kernel *kernel, const void *input,
                                  void *const outputs[], const size_t dims[])
{
    if (kernel != NULL && kernel->abi == SPLITGEN_ABI && kernel->free == NULL) {
        return SPLITGEN_FIXED_COUNT;
    }
    if (kernel != NULL && dims == NULL) {
        return SPLITGEN_NULL_DIMS;
    }
    return run_dims(kernel, input, outputs, dims,
                    kernel != NULL && kernel->abi == SPLITGEN_ABI ? numbers_of(kernel) : 0);
}

splitgen_status splitgen_view_dims(const splitgen_kernel *kernel, size_t output,
                                   const size_t dims[], size_t *byte_offset, int64_t strides[])
{
    const splitgen_view *view;
    splitgen_sizes sizes;
    splitgen_status status;
    bool gone; /* the output lacks the axis */
    size_t scale;
    size_t d;

    if (kernel == NULL) {
        return SPLITGEN_NULL_KERNEL;
    }
    if (kernel->abi != SPLITGEN_ABI) {
        return SPLITGEN_BAD_ABI;
    }
    if (kernel->free != NULL && dims == NULL) {
        return SPLITGEN_NULL_DIMS;
    }
    if (output >= kernel->noutputs || kernel->views[output].kind == SPLITGEN_VIEW_NONE) {
        return SPLITGEN_NO_VIEW;
    }
    gone = kernel->outputs[output].rank < kernel->input.rank;
    status = measure(kernel, dims, &sizes);
    if (status == SPLITGEN_OK && sizes.items > 0 && kernel->input.bytes > SIZE_MAX / sizes.items) {
        status = SPLITGEN_TOO_MANY;
    }
    if (status != SPLITGEN_OK) {
        return status;
    }
    view = &kernel->views[output];
    *byte_offset = view->byte_offset * sizes.scale;
    for (d = 0; strides != NULL && d < kernel->outputs[output].rank; d++) {
        const size_t behind = d + 1 + (gone && d >= (size_t)kernel->axis ? 1 : 0);
        if (!product(kernel, dims, behind, kernel->input.rank, &scale)) {
            return SPLITGEN_TOO_MANY;
        }
        strides[d] = view->strides[d] * (int64_t)scale;
    }
    return SPLITGEN_OK;
}

/* As strcmp, which a freestanding program need not have. */
static int compare(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b) {
        a++;
        b++;
    }
    return (int)(unsigned char)*a - (int)(unsigned char)*b;
}

const splitgen_kernel *splitgen_find(const splitgen_registry *registry, const char *name)
{
    const splitgen_kernel *found = NULL;
    size_t low = 0;
    size_t high = registry != NULL && name != NULL ? registry->count : 0;

    while (low < high) { /* for the first of equal names, which is looked at last of them */
        const size_t middle = low + (high - low) / 2;
        const splitgen_entry *entry = &registry->entries[middle];
        const int order = compare(entry->name, name);
        if (order < 0) {
            low = middle + 1;
        } else {
            found = order == 0 ? entry->kernel : found;
            high = middle;
        }
    }
    return found;
}

/* The text at `index` in a list of them one behind the other, or the last one, which an empty one
 * follows. Smaller than a switch, and nothing to relocate. */
static const char *text_at(const char *list, size_t index)
{
    const char *text;

    do {
        text = list;
        while (*list++ != '\0') {
        }
    } while (index-- > 0 && *list != '\0');
    return text;
}

const char *splitgen_status_text(splitgen_status status)
{
    const char *const texts = /* in the order of the statuses */
        "success\0"
        "the kernel is NULL\0"
        "kernel and runtime versions differ\0"
        "the input is NULL\0"
        "the array of outputs is NULL\0"
        "an output is NULL\0"
        "a pointer is not aligned as the kernel demands\0"
        "two buffers overlap\0"
        "the rows are outside the kernel\0"
        "not as many numbers as open dimensions have\0"
        "the kernel has a fixed size\0"
        "too many items for a size_t\0"
        "the array of numbers is NULL\0"
        "the output is no view\0"
        "unknown status\0";

    return text_at(texts, (size_t)status);
}

size_t splitgen_dtype_bytes(splitgen_dtype dtype)
{
#define SPLITGEN_DTYPE(id, number, name, bits, packed, ctype, ...) (packed) ? 0 : sizeof(ctype),
    static const unsigned char bytes[] = {
        0, /* the first is number 1 */
#include <splitgen/dtypes.inc>
    };
    return (size_t)dtype < sizeof(bytes) ? bytes[dtype] : 0;
}

const char *splitgen_dtype_name(splitgen_dtype dtype)
{
#define SPLITGEN_DTYPE(id, number, name, ...) name "\0"
    const char *const names =
#include <splitgen/dtypes.inc>
        "?\0";

    return text_at(names, (size_t)dtype - 1);
}
