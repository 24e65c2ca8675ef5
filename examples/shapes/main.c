/* Runs every kernel of the three specs through its descriptor, for all rows at once and for
 * ranges of rows, and compares every byte that it writes, and each view, with a plain loop over
 * indices. All other bytes must not change. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "forms.h"
#include "onnx.h"
#include "openvino.h"

enum { MAX_PARTS = 64, MAX_RANK = 8, ALIGN = 64, UNTOUCHED = 0xEE };

/* A kernel and where its parts begin on the axis; NULL: each begins where the previous one ends. */
typedef struct example {
    const splitgen_kernel *kernel;
    const int64_t *starts;
} example;

static const int64_t some_starts[] = {0, 5};
static const int64_t omitted_starts[] = {0, 3};
static const int64_t skips_starts[] = {0, 48};
static const example examples[] = {
    {&by_lengths_kernel, NULL},
    {&by_rest_kernel, NULL},
    {&by_parts_kernel, NULL},
    {&by_name_kernel, NULL},
    {&some_kernel, some_starts},
    {&with_zero_kernel, NULL},
    {&nothing_kernel, NULL},
    {&aligned_kernel, NULL},
    {&truths_kernel, NULL},
    {&brain_kernel, NULL},
    {&waves_kernel, NULL},
    {&words_kernel, NULL},
    {&many_kernel, NULL},
    {&brief_kernel, NULL},
    {&named_kernel, NULL},
    {&thirds_kernel, NULL},
    {&skips_kernel, NULL},
    {&join_lengths_kernel, NULL},
    {&join_gap_kernel, some_starts},
    {&apart_kernel, NULL},
    {&join_apart_kernel, NULL},
    {&join_rgb_kernel, NULL},
    {&join_skips_kernel, skips_starts},
    {&onnx_uneven_kernel, NULL},
    {&onnx_even_kernel, NULL},
    {&onnx_lengths_kernel, NULL},
    {&onnx_equal_kernel, NULL},
    {&onnx_omitted_kernel, omitted_starts},
    {&onnx_join_kernel, NULL},
    {&onnx_join_1_kernel, NULL},
    {&ov_split_kernel, NULL},
    {&ov_lengths_kernel, NULL},
    {&ov_rest_kernel, NULL},
    {&ov_join_kernel, NULL},
};

/* The buffers of one run. */
typedef struct buffers {
    unsigned char *whole;
    void *parts[MAX_PARTS];
} buffers;

/* The bytes to allocate for a tensor, at least one more than it has. */
static size_t allocated(size_t bytes)
{
    return (bytes / ALIGN + 1) * ALIGN;
}

static unsigned char *allocate(size_t bytes, bool is_read)
{
    unsigned char *p = aligned_alloc(ALIGN, allocated(bytes));
    size_t i;

    if (p == NULL) {
        fprintf(stderr, "shapes: out of memory\n");
        exit(1);
    }
    for (i = 0; i < allocated(bytes); i++) {
        p[i] = is_read ? (unsigned char)(i * 2654435761u >> 13) : UNTOUCHED;
    }
    return p;
}

/* Inputs have the same bytes each time; outputs have none of them yet. */
static buffers make_buffers(const splitgen_kernel *kernel)
{
    buffers made;
    size_t i;

    made.whole = allocate(kernel->whole.bytes, !kernel->joins);
    for (i = 0; i < kernel->nparts; i++) {
        made.parts[i] = allocate(kernel->parts[i].bytes, kernel->joins);
    }
    return made;
}

static void free_buffers(const splitgen_kernel *kernel, buffers *used)
{
    size_t i;

    for (i = 0; i < kernel->nparts; i++) {
        free(used->parts[i]);
    }
    free(used->whole);
}

static bool same(const splitgen_kernel *kernel, const buffers *a, const buffers *b)
{
    bool is = memcmp(a->whole, b->whole, allocated(kernel->whole.bytes)) == 0;
    size_t i;

    for (i = 0; i < kernel->nparts; i++) {
        is = is && memcmp(a->parts[i], b->parts[i], allocated(kernel->parts[i].bytes)) == 0;
    }
    return is;
}

/* Strides in elements: row-major within a row (everything from the axis on), and the tensor's
 * row stride between rows. */
static void strides_of(const splitgen_tensor *t, uint32_t axis, int64_t strides[MAX_RANK])
{
    int64_t stride = 1;
    uint32_t d;

    for (d = t->rank; d-- > 0;) {
        stride = d + 1 == axis ? (int64_t)t->row_stride : stride;
        strides[d] = stride;
        stride *= t->dims[d];
    }
}

/* Copies the elements of a part that begins at `start` on the axis, from the full tensor or to
 * it, by their indices. Returns whether the part's view has the same addresses. */
static bool copy_part(const splitgen_kernel *kernel, size_t part, int64_t start, buffers *b)
{
    const splitgen_tensor *t = &kernel->parts[part];
    const splitgen_view *view = &kernel->views[part];
    const uint32_t axis = (uint32_t)kernel->axis;
    size_t size = splitgen_dtype_bytes(t->dtype);
    int64_t whole_strides[MAX_RANK], part_strides[MAX_RANK], count = 1, n;
    bool right = true;
    uint32_t d;

    strides_of(&kernel->whole, axis, whole_strides);
    strides_of(t, axis, part_strides);
    for (d = 0; d < t->rank; d++) {
        count *= t->dims[d];
    }
    for (n = 0; n < count; n++) {
        int64_t in_whole = start * whole_strides[axis], in_part = 0, seen = 0, rest = n;
        unsigned char *whole_element, *part_element;

        for (d = t->rank; d-- > 0; rest /= t->dims[d]) {
            int64_t index = rest % t->dims[d];

            in_whole += index * whole_strides[d];
            in_part += index * part_strides[d];
            seen += view->kind == SPLITGEN_VIEW_NONE ? 0 : index * view->strides[d];
        }
        whole_element = b->whole + (size_t)in_whole * size;
        part_element = (unsigned char *)b->parts[part] + (size_t)in_part * size;
        memcpy(kernel->joins ? whole_element : part_element,
               kernel->joins ? part_element : whole_element, size);
        right = right && (view->kind == SPLITGEN_VIEW_NONE ||
                          view->byte_offset + (size_t)seen * size == (size_t)in_whole * size);
    }
    return right;
}

/* Does with plain loops what a kernel has to do; returns false if a view is wrong. */
static bool run_loops(const example *e, buffers *b)
{
    const splitgen_kernel *kernel = e->kernel;
    bool right = true;
    int64_t start = 0;
    size_t i;

    for (i = 0; i < kernel->nparts; i++) {
        start = e->starts != NULL ? e->starts[i] : start;
        right = copy_part(kernel, i, start, b) && right;
        start += kernel->parts[i].dims[kernel->axis];
    }
    return right;
}

static bool run_kernel(const splitgen_kernel *kernel, buffers *b)
{
    const void *const *inputs = (const void *const *)b->parts;

    return SPLITGEN_OK == (kernel->joins ? splitgen_join(kernel, inputs, b->whole)
                                         : splitgen_run(kernel, b->whole, b->parts));
}

static bool run_rows(const splitgen_kernel *kernel, buffers *b, size_t first, size_t last)
{
    const void *const *inputs = (const void *const *)b->parts;

    return SPLITGEN_OK == (kernel->joins
                               ? splitgen_join_rows(kernel, inputs, b->whole, first, last)
                               : splitgen_run_rows(kernel, b->whole, b->parts, first, last));
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

/* Runs one example and prints its line; returns false if anything is wrong. */
static bool run(const example *e)
{
    const splitgen_kernel *kernel = e->kernel;
    buffers expected = make_buffers(kernel), at_once = make_buffers(kernel);
    buffers by_rows = make_buffers(kernel);
    size_t views[3] = {0, 0, 0}, bytes = 0, middle = kernel->rows / 2, i;
    bool right = run_loops(e, &expected) && run_kernel(kernel, &at_once) &&
                 run_rows(kernel, &by_rows, middle, kernel->rows) &&
                 run_rows(kernel, &by_rows, 0, middle) && same(kernel, &at_once, &expected) &&
                 same(kernel, &by_rows, &expected);

    for (i = 0; i < kernel->nparts; i++) {
        bytes += kernel->parts[i].bytes;
        views[kernel->views[i].kind]++;
    }
    printf("  %-13s%-7s", kernel->name, splitgen_dtype_name(kernel->whole.dtype));
    print_dims(&kernel->whole);
    printf("%3d %s ", (int)kernel->axis, kernel->joins ? "<-" : "->");
    print_lengths(kernel);
    printf("%4zu %7zu   %6zu   %s\n", views[SPLITGEN_VIEW_CONTIGUOUS], views[SPLITGEN_VIEW_STRIDED],
           bytes, right ? "ok" : "WRONG");
    free_buffers(kernel, &expected);
    free_buffers(kernel, &at_once);
    free_buffers(kernel, &by_rows);
    return right;
}

int main(void)
{
    size_t count = sizeof examples / sizeof *examples, right = 0, i;

    printf(
        "\nshapes: every way to describe a split or a concat, each kernel against a plain loop\n\n"
        "                                                          views\n"
        "  kernel       type   shape       axis    lengths      free strided    bytes\n");
    for (i = 0; i < count; i++) {
        right += run(&examples[i]);
    }
    printf("\n  %zu of %zu kernels right, whole and by rows\n", right, count);
    return right == count ? 0 : 1;
}
