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
    if (number == 0 || kernel->views[number - 1].copied) {
        r.begin = (uintptr_t)(number == 0 ? input : outputs[number - 1]);
        r.bytes = n * tensor(kernel, number)->bytes;
    }
    return r;
}

/* Whether there is nothing to run, as every output is only a view. */
static bool is_idle(const splitgen_kernel *kernel)
{
    return kernel->free != NULL ? kernel->free->run_rows == NULL : kernel->run == NULL;
}

/* Whether two buffers share a byte. */
static bool overlap(range a, range b)
{
    return a.bytes > 0 && b.bytes > 0 &&
           ((uintptr_t)(b.begin - a.begin) < a.bytes || (uintptr_t)(a.begin - b.begin) < b.bytes);
}

splitgen_status splitgen_check(const splitgen_kernel *kernel, const void *input,
                               void *const outputs[], const size_t *count)
{
    const size_t n = count != NULL ? *count : 1;
    uintptr_t addresses = 0; /* of all non-empty buffers, or-ed: low bits show misalignment */
    uintptr_t end = 0;       /* of the output before this one */
    bool rising = true;      /* no output begins in front of it */
    size_t most;             /* rows or bytes that an item may have */
    range r;
    size_t i;
    size_t j;

    if (kernel == NULL) {
        return SPLITGEN_NULL_KERNEL;
    }
    if (kernel->abi != SPLITGEN_ABI) {
        return SPLITGEN_BAD_ABI;
    }
    if ((count != NULL) != (kernel->free != NULL)) {
        return count != NULL ? SPLITGEN_FIXED_COUNT : SPLITGEN_NEEDS_COUNT;
    }
    if (n == 0 || is_idle(kernel)) {
        return SPLITGEN_OK;
    }
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
    splitgen_status status = splitgen_check(kernel, input, outputs, NULL);

    if (status == SPLITGEN_OK && !is_idle(kernel)) {
        kernel->run(input, outputs);
    }
    return status;
}

splitgen_status splitgen_run_rows(const splitgen_kernel *kernel, const void *input,
                                  void *const outputs[], size_t first, size_t last)
{
    splitgen_status status = splitgen_check(kernel, input, outputs, NULL);

    if (status == SPLITGEN_OK && (first > last || last > kernel->rows)) {
        status = SPLITGEN_BAD_ROWS;
    }
    if (status == SPLITGEN_OK && !is_idle(kernel)) {
        kernel->run_rows(input, outputs, first, last);
    }
    return status;
}

splitgen_status splitgen_run_n(const splitgen_kernel *kernel, const void *input,
                               void *const outputs[], size_t n)
{
    splitgen_status status = splitgen_check(kernel, input, outputs, &n);

    if (status == SPLITGEN_OK && n > 0 && !is_idle(kernel)) {
        kernel->free->run_rows(input, outputs, 0, n * kernel->rows, n * kernel->rows);
    }
    return status;
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
        "the number of items is missing\0"
        "the kernel has a fixed size\0"
        "too many items for a size_t\0"
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
