/* A caller of the runtime that is valid C99 and C++ and needs no test library: the matrix builds
 * it for every standard and word size. It checks what depends on those: the layout of
 * descriptors and address arithmetic. Returns the number of the first check that failed. */
#include <splitgen/splitgen.h>

#define CHECK(number, condition)                                                                   \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            return number;                                                                         \
        }                                                                                          \
    } while (0)

static void run_rows(const void *input, void *const outputs[], size_t first, size_t last)
{
    const char *in = (const char *)input;
    char *a = (char *)outputs[0];
    char *b = (char *)outputs[1];
    size_t row;

    for (row = first; row < last; row++) {
        memcpy(a + row * 4, in + row * 12, 4);
        splitgen_copy(b + row * 8, in + row * 12 + 4, 8);
    }
}

static void run(const void *input, void *const outputs[])
{
    run_rows(input, outputs, 0, 2);
}

static const int64_t in_dims[] = {2, 3};
static const int64_t a_dims[] = {2, 1};
static const int64_t b_dims[] = {2, 2};
static const int64_t strides[] = {3, 1};
static const splitgen_tensor tensors[] = {{"a", SPLITGEN_F32, 2, a_dims, 8, 1},
                                          {"b", SPLITGEN_F32, 2, b_dims, 16, 2}};
static const splitgen_view views[] = {{SPLITGEN_VIEW_STRIDED, 0, strides, false},
                                      {SPLITGEN_VIEW_STRIDED, 4, strides, false}};
static const splitgen_kernel kernel = {"ab",
                                       false,
                                       {"x", SPLITGEN_F32, 2, in_dims, 24, 3},
                                       2,
                                       tensors,
                                       run,
                                       NULL,
                                       run_rows,
                                       NULL,
                                       2,
                                       4,
                                       1,
                                       SPLITGEN_ABI,
                                       views,
                                       NULL,
                                       NULL,
                                       NULL};

/* And back. */
static void join_rows(const void *const inputs[], void *output, size_t first, size_t last)
{
    const char *a = (const char *)inputs[0];
    const char *b = (const char *)inputs[1];
    char *out = (char *)output;
    size_t row;

    for (row = first; row < last; row++) {
        memcpy(out + row * 12, a + row * 4, 4);
        splitgen_copy(out + row * 12 + 4, b + row * 8, 8);
    }
}

static void join(const void *const inputs[], void *output)
{
    join_rows(inputs, output, 0, 2);
}

static const splitgen_kernel joiner = {"ba",
                                       true,
                                       {"x", SPLITGEN_F32, 2, in_dims, 24, 3},
                                       2,
                                       tensors,
                                       NULL,
                                       join,
                                       NULL,
                                       join_rows,
                                       2,
                                       4,
                                       1,
                                       SPLITGEN_ABI,
                                       views,
                                       NULL,
                                       NULL,
                                       NULL};

/* One item is the kernel's two rows. */
static void run_free_rows(const void *input, void *const outputs[], size_t first, size_t last,
                          size_t rows)
{
    run_rows(input, outputs, first, last < rows ? last : rows);
}

static const splitgen_number batch_number = {"batch", 1};
static const unsigned char batch_powers[] = {1, 0};
static const splitgen_free batch = {"batch",      0,    1,   run_free_rows, NULL, 1, &batch_number,
                                    batch_powers, NULL, NULL};

static void join_free_rows(const void *const inputs[], void *output, size_t first, size_t last,
                           size_t rows)
{
    join_rows(inputs, output, first, last < rows ? last : rows);
}

static const splitgen_free joined_batch = {
    "batch", 0, 1, NULL, join_free_rows, 1, &batch_number, batch_powers, NULL, NULL};

/* Check numbers continue after those of the splits. */
static int check_joins(void)
{
    const float a[2] = {1, 4};
    const float b[4] = {2, 3, 5, 6};
    float x[6] = {0, 0, 0, 0, 0, 0};
    const float all[6] = {1, 2, 3, 4, 5, 6};
    const void *inputs[2];
    splitgen_kernel items = joiner;

    items.free = &joined_batch;
    inputs[0] = a;
    inputs[1] = b;
    CHECK(18, splitgen_join_rows(&joiner, inputs, x, 1, 2) == SPLITGEN_OK);
    CHECK(19, !(x[0] > 0) && memcmp(x + 3, all + 3, 12) == 0);
    CHECK(20, splitgen_join(&joiner, inputs, x) == SPLITGEN_OK && memcmp(x, all, 24) == 0);
    x[5] = 0;
    CHECK(21, splitgen_join_n(&items, inputs, x, 1) == SPLITGEN_OK && x[5] > 5);
    x[5] = 0;
    CHECK(22, splitgen_join_parallel(&joiner, inputs, x, NULL, NULL) == SPLITGEN_OK && x[5] > 5);
    CHECK(23, splitgen_join(&joiner, inputs, NULL) == SPLITGEN_NULL_OUTPUT);
    CHECK(24, splitgen_join(&joiner, NULL, x) == SPLITGEN_NULL_INPUTS);
    CHECK(25, splitgen_join(&kernel, inputs, x) == SPLITGEN_SPLITS);
    inputs[1] = x + 2;
    CHECK(26, splitgen_join(&joiner, inputs, x) == SPLITGEN_OVERLAP);
    CHECK(27, splitgen_input(inputs, 1) == x + 2);
    return 0;
}

int main(void)
{
    const float x[6] = {1, 2, 3, 4, 5, 6};
    const float b_expected[4] = {2, 3, 5, 6};
    float a[2] = {0, 0};
    float b[4] = {0, 0, 0, 0};
    void *outputs[2];
    splitgen_kernel items = kernel;

    items.free = &batch;
    outputs[0] = a;
    outputs[1] = b;
    CHECK(1, splitgen_run_rows(&kernel, x, outputs, 1, 2) == SPLITGEN_OK);
    CHECK(2, !(a[0] > 0) && a[1] > 3 && !(b[1] > 0) && b[3] > 5);
    CHECK(3, splitgen_run(&kernel, x, outputs) == SPLITGEN_OK);
    CHECK(4, memcmp(b, b_expected, sizeof b) == 0);
    CHECK(5, splitgen_run_rows(&kernel, x, outputs, 1, 3) == SPLITGEN_BAD_ROWS);
    outputs[1] = a + 1;
    CHECK(6, splitgen_run(&kernel, x, outputs) == SPLITGEN_OVERLAP);
    outputs[1] = (void *)(UINTPTR_MAX - 7); /* 16 bytes: runs into address 0 to 7 */
    outputs[0] = (void *)(uintptr_t)4;
    CHECK(7, splitgen_run(&kernel, x, outputs) == SPLITGEN_OVERLAP);
    outputs[0] = (char *)a + 1;
    outputs[1] = b;
    CHECK(8, splitgen_run(&kernel, x, outputs) == SPLITGEN_MISALIGNED);
    CHECK(9, splitgen_dtype_bytes(SPLITGEN_STRING) == sizeof(void *));
    CHECK(10, splitgen_dtype_bytes(SPLITGEN_C128) == 16 && splitgen_dtype_bytes(SPLITGEN_U3) == 0);
    CHECK(11, strcmp(splitgen_dtype_name(SPLITGEN_NF4), "nf4") == 0);
    CHECK(12, strcmp(splitgen_status_text(SPLITGEN_OK), "success") == 0);
    outputs[0] = a;
    b[3] = 0;
    CHECK(13, splitgen_run_n(&items, x, outputs, 1) == SPLITGEN_OK && b[3] > 5);
    CHECK(14, splitgen_run_n(&items, x, outputs, SIZE_MAX / 24) == SPLITGEN_OVERLAP);
    CHECK(15, splitgen_run_n(&items, x, outputs, SIZE_MAX / 24 + 1) == SPLITGEN_TOO_MANY);
    CHECK(16, splitgen_run(&items, x, outputs) == SPLITGEN_NEEDS_COUNT);
    CHECK(17, splitgen_run_n(&kernel, x, outputs, 1) == SPLITGEN_FIXED_COUNT);
    CHECK(29, splitgen_run(&joiner, x, outputs) == SPLITGEN_JOINS);
    return check_joins();
}
