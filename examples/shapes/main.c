/* Runs every kernel of the three specs through its descriptor, in one go and by rows, and checks
 * each element of each output, and each view, against a plain loop over indices. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "forms.h"
#include "onnx.h"
#include "openvino.h"

enum { MAX_OUTPUTS = 64, MAX_RANK = 8, ALIGN = 64 };

/* A kernel and where its outputs begin on the axis; NULL: one behind the other. */
typedef struct example {
    const splitgen_kernel *kernel;
    const int64_t *starts;
} example;

static const int64_t some_starts[] = {0, 5};
static const int64_t omitted_starts[] = {0, 3};
static const example examples[] = {
    {&by_lengths_kernel, NULL},  {&by_rest_kernel, NULL},
    {&by_parts_kernel, NULL},    {&by_name_kernel, NULL},
    {&some_kernel, some_starts}, {&with_zero_kernel, NULL},
    {&nothing_kernel, NULL},     {&aligned_kernel, NULL},
    {&truths_kernel, NULL},      {&brain_kernel, NULL},
    {&waves_kernel, NULL},       {&words_kernel, NULL},
    {&many_kernel, NULL},        {&brief_kernel, NULL},
    {&named_kernel, NULL},       {&thirds_kernel, NULL},
    {&skips_kernel, NULL},       {&onnx_uneven_kernel, NULL},
    {&onnx_even_kernel, NULL},   {&onnx_lengths_kernel, NULL},
    {&onnx_equal_kernel, NULL},  {&onnx_omitted_kernel, omitted_starts},
    {&ov_split_kernel, NULL},    {&ov_lengths_kernel, NULL},
    {&ov_rest_kernel, NULL},
};

static unsigned char *allocate(size_t bytes)
{
    unsigned char *p = aligned_alloc(ALIGN, (bytes / ALIGN + 1) * ALIGN);

    if (p == NULL) {
        fprintf(stderr, "shapes: out of memory\n");
        exit(1);
    }
    memset(p, 0xEE, (bytes / ALIGN + 1) * ALIGN);
    return p;
}

/* Row-major strides, in elements. */
static void dense_strides(const splitgen_tensor *t, int64_t strides[MAX_RANK])
{
    int64_t stride = 1;
    uint32_t d;

    for (d = t->rank; d-- > 0;) {
        strides[d] = stride;
        stride *= t->dims[d];
    }
}

/* Is every element of out the one of the input at the same indices, start further on the axis?
 * In the view as in the copy. */
static bool output_is_right(const splitgen_kernel *kernel, size_t o, int64_t start,
                            const unsigned char *input, const unsigned char *out)
{
    const splitgen_tensor *t = &kernel->parts[o];
    const splitgen_view *view = &kernel->views[o];
    size_t size = splitgen_dtype_bytes(t->dtype);
    int64_t out_strides[MAX_RANK], in_strides[MAX_RANK];
    int64_t count = (int64_t)(t->bytes / size), n;

    dense_strides(t, out_strides);
    dense_strides(&kernel->whole, in_strides);
    for (n = 0; n < count; n++) {
        int64_t in = start * in_strides[kernel->axis], seen = 0;
        uint32_t d;

        for (d = 0; d < t->rank; d++) {
            int64_t index = n / out_strides[d] % t->dims[d];

            in += index * in_strides[d];
            seen += view->kind == SPLITGEN_VIEW_NONE ? 0 : index * view->strides[d];
        }
        if (memcmp(out + (size_t)n * size, input + (size_t)in * size, size) != 0) {
            return false;
        }
        if (view->kind != SPLITGEN_VIEW_NONE &&
            view->byte_offset + (size_t)seen * size != (size_t)in * size) {
            return false;
        }
    }
    return true;
}

static void print_dims(const splitgen_tensor *t)
{
    char text[64];
    size_t used = 0;
    uint32_t d;

    for (d = 0; d < t->rank && used < sizeof text; d++) {
        used += (size_t)snprintf(text + used, sizeof text - used, d == 0 ? "%lld" : "x%lld",
                                 (long long)t->dims[d]);
    }
    printf("%-12s ", text);
}

static void print_lengths(const splitgen_kernel *kernel)
{
    char text[64];
    size_t used = 0, o;

    for (o = 0; o < kernel->nparts && used < 16; o++) {
        used += (size_t)snprintf(text + used, sizeof text - used, o == 0 ? "%lld" : " %lld",
                                 (long long)kernel->parts[o].dims[kernel->axis]);
    }
    if (o < kernel->nparts) {
        snprintf(text, sizeof text, "%zu x %lld", kernel->nparts,
                 (long long)kernel->parts[0].dims[kernel->axis]);
    }
    printf("%-13s", text);
}

/* Runs one example and prints its line; false when anything about it is wrong. */
static bool run(const example *e)
{
    const splitgen_kernel *kernel = e->kernel;
    unsigned char *input = allocate(kernel->whole.bytes);
    void *outputs[MAX_OUTPUTS], *by_rows[MAX_OUTPUTS];
    size_t views[3] = {0, 0, 0};
    size_t moved = 0, middle = kernel->rows / 2, o, i;
    int64_t start = 0;
    bool right;

    for (i = 0; i < kernel->whole.bytes; i++) {
        input[i] = (unsigned char)(i * 2654435761u >> 13);
    }
    for (o = 0; o < kernel->nparts; o++) {
        outputs[o] = allocate(kernel->parts[o].bytes);
        by_rows[o] = allocate(kernel->parts[o].bytes);
    }
    right = splitgen_run(kernel, input, outputs) == SPLITGEN_OK &&
            splitgen_run_rows(kernel, input, by_rows, middle, kernel->rows) == SPLITGEN_OK &&
            splitgen_run_rows(kernel, input, by_rows, 0, middle) == SPLITGEN_OK;
    for (o = 0; o < kernel->nparts; o++) {
        const splitgen_tensor *t = &kernel->parts[o];

        start = e->starts != NULL ? e->starts[o] : start;
        right = right && output_is_right(kernel, o, start, input, outputs[o]) &&
                memcmp(outputs[o], by_rows[o], t->bytes) == 0 &&
                ((unsigned char *)outputs[o])[t->bytes] == 0xEE;
        start += t->dims[kernel->axis];
        moved += t->bytes;
        views[kernel->views[o].kind]++;
        free(outputs[o]);
        free(by_rows[o]);
    }
    free(input);

    printf("  %-13s%-7s", kernel->name, splitgen_dtype_name(kernel->whole.dtype));
    print_dims(&kernel->whole);
    printf("%3d   ", (int)kernel->axis);
    print_lengths(kernel);
    printf("%4zu %7zu   %6zu   %s\n", views[SPLITGEN_VIEW_CONTIGUOUS], views[SPLITGEN_VIEW_STRIDED],
           moved, right ? "ok" : "WRONG");
    return right;
}

int main(void)
{
    size_t count = sizeof examples / sizeof *examples, right = 0, i;

    printf("\nshapes: every way to describe a split, each kernel against a plain loop\n\n"
           "                                                         views\n"
           "  kernel       type   shape       axis   lengths      free strided    bytes\n");
    for (i = 0; i < count; i++) {
        right += run(&examples[i]);
    }
    printf("\n  %zu of %zu kernels right, whole and by rows\n", right, count);
    return right == count ? 0 : 1;
}
