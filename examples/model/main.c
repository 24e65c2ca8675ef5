/* Runs the kernel of every Split of the model and compares its outputs with a plain loop over
 * the elements. Only the kernels' names come from the model. Shapes, axis and lengths are read
 * from the descriptors, so the program works for images of any size. */
#include <stdio.h>
#include <stdlib.h>

#include "detector.h"

enum { MAX_OUTPUTS = 2 };

static float *allocate(size_t bytes)
{
    float *p = malloc(bytes);

    if (p == NULL) {
        fprintf(stderr, "model: out of memory\n");
        exit(1);
    }
    return p;
}

/* Number of elements in dims [first, last) of a tensor. */
static size_t elements(const splitgen_tensor *t, uint32_t first, uint32_t last)
{
    size_t n = 1;

    for (; first < last; first++) {
        n *= (size_t)t->dims[first];
    }
    return n;
}

/* Counts the elements of the outputs that differ from the input, seen as [outer, axis, inner];
 * output o begins at start on the axis. */
static size_t count_wrong(const splitgen_kernel *kernel, const float *input, void *const *outputs)
{
    const splitgen_tensor *in = &kernel->whole;
    const uint32_t axis = (uint32_t)kernel->axis;
    const size_t outer = elements(in, 0, axis), length = (size_t)in->dims[axis];
    const size_t inner = elements(in, axis + 1, in->rank);
    size_t start = 0, wrong = 0, o, i, j, k;

    for (o = 0; o < kernel->nparts; o++) {
        const float *out = outputs[o];
        const size_t part = (size_t)kernel->parts[o].dims[axis];

        for (i = 0; i < outer; i++) {
            for (j = 0; j < part; j++) {
                for (k = 0; k < inner; k++) {
                    wrong += out[(i * part + j) * inner + k] !=
                             input[(i * length + start + j) * inner + k];
                }
            }
        }
        start += part;
    }
    return wrong + (start != length);
}

/* Runs one kernel and prints its line; returns how many elements are wrong. */
static size_t run(const splitgen_kernel *kernel)
{
    float *input = allocate(kernel->whole.bytes);
    void *outputs[MAX_OUTPUTS];
    splitgen_status status;
    size_t wrong, o, i;
    uint32_t d;

    /* Every element is a different number: floats represent integers up to 2^24. */
    for (i = 0; i < kernel->whole.bytes / sizeof *input; i++) {
        input[i] = (float)i;
    }
    for (o = 0; o < kernel->nparts; o++) {
        outputs[o] = allocate(kernel->parts[o].bytes);
    }
    status = splitgen_run(kernel, input, outputs);
    if (status != SPLITGEN_OK) {
        fprintf(stderr, "model: %s: %s\n", kernel->name, splitgen_status_text(status));
        exit(1);
    }
    wrong = count_wrong(kernel, input, outputs);

    printf("  %-15s f32[", kernel->name);
    for (d = 0; d < kernel->whole.rank; d++) {
        printf(d == 0 ? "%lld" : ",%lld", (long long)kernel->whole.dims[d]);
    }
    printf("] axis %u ->", (unsigned)kernel->axis);
    for (o = 0; o < kernel->nparts; o++) {
        printf(" %lld", (long long)kernel->parts[o].dims[kernel->axis]);
        free(outputs[o]);
    }
    printf("; %zu bytes, %zu elements wrong\n", kernel->whole.bytes, wrong);
    free(input);
    return wrong;
}

int main(void)
{
    size_t wrong = 0;

    printf("\nmodel: the Splits of detector.onnxtxt, each against a plain loop\n\n");
    wrong += run(&model_2_Split_kernel);
    wrong += run(&model_22_Split_kernel);
    printf("\n");
    return wrong == 0 ? 0 : 1;
}
