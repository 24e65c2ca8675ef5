/* The checked way to call a kernel, kernels by their names, and text for their numbers. Moves no
 * byte itself: that is the kernel's work. Needs no library at all. */
#include <splitgen/splitgen.h>

SPLITGEN_STATIC_ASSERT(sizeof(bool) == 1, bool_is_one_byte);
SPLITGEN_STATIC_ASSERT(sizeof(float) == 4 && sizeof(double) == 8, floats_are_ieee);
SPLITGEN_STATIC_ASSERT(sizeof(splitgen_c64) == 8 && sizeof(splitgen_c128) == 16, complex_is_dense);

/* Whether two buffers share a byte. Addresses are taken modulo the address space, so a range that
 * runs past its end is seen at the other end instead of being lost in an overflow. */
static bool overlap(const void *a, size_t a_bytes, const void *b, size_t b_bytes)
{
    uintptr_t p = (uintptr_t)a;
    uintptr_t q = (uintptr_t)b;

    if (a_bytes == 0 || b_bytes == 0) {
        return false;
    }
    return (uintptr_t)(q - p) < a_bytes || (uintptr_t)(p - q) < b_bytes;
}

/* Whether every non-empty output begins at or behind the end of the one before it: then none
 * overlap. This is how an arena hands them out, and it spares the comparison of all pairs. */
static bool rising(const splitgen_kernel *kernel, void *const outputs[])
{
    uintptr_t end = 0;
    size_t i;

    for (i = 0; i < kernel->noutputs; i++) {
        size_t bytes = kernel->outputs[i].bytes;
        uintptr_t begin = (uintptr_t)outputs[i];

        if (bytes == 0) {
            continue;
        }
        if (begin < end || begin > UINTPTR_MAX - bytes) {
            return false;
        }
        end = begin + bytes;
    }
    return true;
}

static bool outputs_overlap(const splitgen_kernel *kernel, void *const outputs[])
{
    size_t i;
    size_t j;

    if (rising(kernel, outputs)) {
        return false;
    }
    for (i = 1; i < kernel->noutputs; i++) {
        for (j = 0; j < i; j++) {
            if (overlap(outputs[i], kernel->outputs[i].bytes, outputs[j],
                        kernel->outputs[j].bytes)) {
                return true;
            }
        }
    }
    return false;
}

static splitgen_status check(const splitgen_kernel *kernel, const void *input,
                             void *const outputs[])
{
    uintptr_t addresses = 0; /* of all non-empty buffers, or-ed: low bits show misalignment */
    size_t i;

    if (kernel == NULL) {
        return SPLITGEN_NULL_KERNEL;
    }
    if (kernel->abi != SPLITGEN_ABI) {
        return SPLITGEN_BAD_ABI;
    }
    if (kernel->input.bytes > 0) {
        if (input == NULL) {
            return SPLITGEN_NULL_INPUT;
        }
        addresses = (uintptr_t)input;
    }
    if (outputs == NULL && kernel->noutputs > 0) {
        return SPLITGEN_NULL_OUTPUTS;
    }
    for (i = 0; i < kernel->noutputs; i++) {
        if (kernel->outputs[i].bytes > 0) {
            if (outputs[i] == NULL) {
                return SPLITGEN_NULL_OUTPUT;
            }
            addresses |= (uintptr_t)outputs[i];
        }
    }
    if (kernel->align > 1 && (addresses & (kernel->align - 1)) != 0) {
        return SPLITGEN_MISALIGNED;
    }
    for (i = 0; i < kernel->noutputs; i++) {
        if (overlap(input, kernel->input.bytes, outputs[i], kernel->outputs[i].bytes)) {
            return SPLITGEN_OVERLAP;
        }
    }
    return outputs_overlap(kernel, outputs) ? SPLITGEN_OVERLAP : SPLITGEN_OK;
}

splitgen_status splitgen_run(const splitgen_kernel *kernel, const void *input,
                             void *const outputs[])
{
    splitgen_status status = check(kernel, input, outputs);

    if (status == SPLITGEN_OK) {
        kernel->run(input, outputs);
    }
    return status;
}

splitgen_status splitgen_run_rows(const splitgen_kernel *kernel, const void *input,
                                  void *const outputs[], size_t first, size_t last)
{
    splitgen_status status = check(kernel, input, outputs);

    if (status == SPLITGEN_OK && (first > last || last > kernel->rows)) {
        status = SPLITGEN_BAD_ROWS;
    }
    if (status == SPLITGEN_OK) {
        kernel->run_rows(input, outputs, first, last);
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

const char *splitgen_status_text(splitgen_status status)
{
    switch (status) {
    case SPLITGEN_OK:
        return "success";
    case SPLITGEN_NULL_KERNEL:
        return "the kernel is NULL";
    case SPLITGEN_BAD_ABI:
        return "the kernel was generated for another version of the runtime";
    case SPLITGEN_NULL_INPUT:
        return "the input is NULL";
    case SPLITGEN_NULL_OUTPUTS:
        return "the array of outputs is NULL";
    case SPLITGEN_NULL_OUTPUT:
        return "an output is NULL";
    case SPLITGEN_MISALIGNED:
        return "a pointer is not aligned as the kernel demands";
    case SPLITGEN_OVERLAP:
        return "two buffers overlap";
    case SPLITGEN_BAD_ROWS:
        return "the range of rows is not within the kernel";
    }
    return "unknown status";
}

size_t splitgen_dtype_bytes(splitgen_dtype dtype)
{
#define SPLITGEN_DTYPE(id, number, name, bits, packed, ctype, ...)                                 \
    case SPLITGEN_##id:                                                                            \
        return (packed) ? 0 : sizeof(ctype);
    switch (dtype) {
#include <splitgen/dtypes.inc>
    }
    return 0;
}

const char *splitgen_dtype_name(splitgen_dtype dtype)
{
#define SPLITGEN_DTYPE(id, number, name, ...)                                                      \
    case SPLITGEN_##id:                                                                            \
        return name;
    switch (dtype) {
#include <splitgen/dtypes.inc>
    }
    return "?";
}
