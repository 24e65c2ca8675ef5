/* The checked way to call a kernel, kernels by their names, and text for their numbers. Moves no
 * byte itself: that is the kernel's work. Needs no library at all. */
#include <splitgen/splitgen.h>

SPLITGEN_STATIC_ASSERT(sizeof(bool) == 1, bool_is_one_byte);
SPLITGEN_STATIC_ASSERT(sizeof(float) == 4 && sizeof(double) == 8, floats_are_ieee);
SPLITGEN_STATIC_ASSERT(sizeof(splitgen_c64) == 8 && sizeof(splitgen_c128) == 16, complex_is_dense);

/* X(enumerator, name, bytes of an element or 0 when packed) */
#define DTYPES(X)                                                                                  \
    X(F32, "f32", 4)                                                                               \
    X(U8, "u8", 1)                                                                                 \
    X(I8, "i8", 1)                                                                                 \
    X(U16, "u16", 2)                                                                               \
    X(I16, "i16", 2)                                                                               \
    X(I32, "i32", 4)                                                                               \
    X(I64, "i64", 8)                                                                               \
    X(STRING, "string", sizeof(const char *))                                                      \
    X(BOOL, "bool", 1)                                                                             \
    X(F16, "f16", 2)                                                                               \
    X(F64, "f64", 8)                                                                               \
    X(U32, "u32", 4)                                                                               \
    X(U64, "u64", 8)                                                                               \
    X(C64, "c64", 8)                                                                               \
    X(C128, "c128", 16)                                                                            \
    X(BF16, "bf16", 2)                                                                             \
    X(F8E4M3, "f8e4m3", 1)                                                                         \
    X(F8E4M3FNUZ, "f8e4m3fnuz", 1)                                                                 \
    X(F8E5M2, "f8e5m2", 1)                                                                         \
    X(F8E5M2FNUZ, "f8e5m2fnuz", 1)                                                                 \
    X(U4, "u4", 0)                                                                                 \
    X(I4, "i4", 0)                                                                                 \
    X(F4E2M1, "f4e2m1", 0)                                                                         \
    X(F8E8M0, "f8e8m0", 1)                                                                         \
    X(U2, "u2", 0)                                                                                 \
    X(I2, "i2", 0)                                                                                 \
    X(U1, "u1", 0)                                                                                 \
    X(U3, "u3", 0)                                                                                 \
    X(U6, "u6", 0)                                                                                 \
    X(NF4, "nf4", 0)

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
#define X(id, name, bytes)                                                                         \
    case SPLITGEN_##id:                                                                            \
        return bytes;
    switch (dtype) {
        DTYPES(X)
    }
#undef X
    return 0;
}

const char *splitgen_dtype_name(splitgen_dtype dtype)
{
#define X(id, name, bytes)                                                                         \
    case SPLITGEN_##id:                                                                            \
        return name;
    switch (dtype) {
        DTYPES(X)
    }
#undef X
    return "?";
}
