/* A small runtime that runs the model cell.onnxtxt and copies nothing for its Splits: an output
 * of a Split is a pointer into its input, at the byte offset in the kernel's descriptor. No
 * kernel is called; with --views=omit there are not even functions to call. A plain loop runs
 * the same model with copies, and every tensor of the two runs is compared bit by bit. The
 * runtime has the model as a list of nodes, which a real one would read from a file. The shapes,
 * axes and lengths of Splits are only in the descriptors. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cell.h"

enum { MAX_INPUTS = 2, MAX_TENSORS = 32 };

/* The operation of a node on one element of each input; NULL for a Split. */
typedef float (*element_function)(float a, float b);

typedef struct node {
    const char *name;
    element_function element; /* NULL: a Split */
    const char *inputs[MAX_INPUTS];
    const char *output; /* for a Split the descriptor has the names */
} node;

/* A tensor while the model runs. Views own no memory. */
typedef struct tensor {
    const char *name;
    size_t bytes;
    float *data;
    int is_view;
} tensor;

/* One run: its tensors in the order in which they are made. */
typedef struct run {
    tensor tensors[MAX_TENSORS];
    size_t count;
    size_t copied; /* bytes that Splits have copied */
} run;

static float hard_sigmoid(float a, float b)
{
    const float line = 0.2F * a + 0.5F;

    (void)b;
    return line < 0 ? 0 : line > 1 ? 1 : line;
}

static float relu(float a, float b)
{
    (void)b;
    return a > 0 ? a : 0;
}

static float add(float a, float b)
{
    return a + b;
}

static float mul(float a, float b)
{
    return a * b;
}

static const node nodes[] = {
    {"/cell/Split", NULL, {"z", NULL}, NULL},
    {"/cell/in", hard_sigmoid, {"i", NULL}, "si"},
    {"/cell/forget", hard_sigmoid, {"f", NULL}, "sf"},
    {"/cell/new", relu, {"g", NULL}, "rg"},
    {"/cell/out", hard_sigmoid, {"o", NULL}, "so"},
    {"/cell/Mul", mul, {"sf", "memory"}, "old"},
    {"/cell/Mul_1", mul, {"si", "rg"}, "new"},
    {"/cell/Add", add, {"old", "new"}, "remembered"},
    {"/cell/Mul_2", mul, {"so", "remembered"}, "h"},
    {"/head/Split", NULL, {"h", NULL}, NULL},
    {"/head/Split_1", NULL, {"worked", NULL}, NULL},
    {"/head/Relu", relu, {"kept", NULL}, "active"},
    {"/head/Split_2", NULL, {"active", NULL}, NULL},
    {"/head/Add", add, {"left", "right"}, "sum"},
    {"/head/Mul", mul, {"a", "b"}, "product"},
    {"/head/Split_3", NULL, {"sum", NULL}, NULL},
    {"/head/Mul_1", mul, {"first", "second"}, "y"},
};

static const splitgen_kernel *const kernels[] = {
    &cell_Split_kernel,   &head_Split_kernel,   &head_Split_1_kernel,
    &head_Split_2_kernel, &head_Split_3_kernel,
};
enum { NKERNELS = sizeof kernels / sizeof kernels[0] };

static void fail(const char *what, const char *name)
{
    fprintf(stderr, "cell: %s: '%s'\n", what, name);
    exit(1);
}

static tensor *find(run *r, const char *name)
{
    size_t i;

    for (i = 0; i < r->count; i++) {
        if (strcmp(r->tensors[i].name, name) == 0) {
            return &r->tensors[i];
        }
    }
    fail("there is no such tensor", name);
    return NULL;
}

/* Adds a tensor. If data is NULL the tensor owns new memory, otherwise it is a view. */
static tensor *make(run *r, const char *name, size_t bytes, float *data)
{
    tensor *t;

    if (r->count == MAX_TENSORS) {
        fail("there are too many tensors, with", name);
    }
    t = &r->tensors[r->count++];
    t->name = name;
    t->bytes = bytes;
    t->is_view = data != NULL;
    t->data = data != NULL ? data : malloc(bytes);
    if (t->data == NULL) {
        fail("out of memory", name);
    }
    return t;
}

static void run_elements(run *r, const node *n)
{
    const tensor *a = find(r, n->inputs[0]);
    const tensor *b = n->inputs[1] != NULL ? find(r, n->inputs[1]) : a;
    tensor *out = make(r, n->output, a->bytes, NULL);
    size_t i;

    for (i = 0; i < out->bytes / sizeof(float); i++) {
        out->data[i] = n->element(a->data[i], b->data[i]);
    }
}

/* The outputs of a Split are views of its input: nothing runs. */
static void split_by_views(run *r, const splitgen_kernel *kernel, const tensor *in)
{
    size_t o;

    for (o = 0; o < kernel->nparts; o++) {
        const splitgen_view *view = &kernel->views[o];

        if (view->kind != SPLITGEN_VIEW_CONTIGUOUS || !view->only) {
            fail("this is no mere view", kernel->parts[o].name);
        }
        make(r, kernel->parts[o].name, kernel->parts[o].bytes,
             in->data + view->byte_offset / sizeof(float));
    }
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

/* The definition of a Split, from shapes and axis alone. */
static void split_by_copies(run *r, const splitgen_kernel *kernel, const tensor *in)
{
    const uint32_t axis = (uint32_t)kernel->axis;
    const size_t outer = elements(&kernel->whole, 0, axis);
    const size_t row = elements(&kernel->whole, axis, kernel->whole.rank);
    size_t start = 0, o, i, k;

    for (o = 0; o < kernel->nparts; o++) {
        const splitgen_tensor *part = &kernel->parts[o];
        const size_t length = elements(part, axis, part->rank);
        tensor *out = make(r, part->name, part->bytes, NULL);

        for (i = 0; i < outer; i++) {
            for (k = 0; k < length; k++) {
                out->data[i * length + k] = in->data[i * row + start + k];
            }
        }
        r->copied += part->bytes;
        start += length;
    }
}

/* The descriptor with the node's name. */
static const splitgen_kernel *kernel_of(const node *n)
{
    size_t i;

    for (i = 0; i < NKERNELS; i++) {
        if (strcmp(kernels[i]->origin->node, n->name) == 0) {
            return kernels[i];
        }
    }
    fail("there is no kernel of the node", n->name);
    return NULL;
}

static void run_split(run *r, const node *n, int copies)
{
    const splitgen_kernel *kernel = kernel_of(n);
    const tensor *in = find(r, n->inputs[0]);

    if (kernel->whole.bytes != in->bytes) {
        fail("the input has another size", n->name);
    }
    if (kernel->split != NULL || kernel->split_rows != NULL) {
        fail("a kernel of views has a function", kernel->name);
    }
    if (copies) {
        split_by_copies(r, kernel, in);
    } else {
        split_by_views(r, kernel, in);
    }
}

static void feed(run *r, const char *name, size_t bytes, unsigned seed)
{
    tensor *t = make(r, name, bytes, NULL);
    size_t i;

    for (i = 0; i < bytes / sizeof(float); i++) {
        seed = seed * 1664525U + 1013904223U;
        t->data[i] = (float)(int)(seed >> 16 & 0xffffU) / 8192.0F - 4.0F;
    }
}

/* Runs the model on the same input each time. */
static void run_model(run *r, int copies)
{
    const splitgen_kernel *first = &cell_Split_kernel;
    size_t i;

    memset(r, 0, sizeof *r);
    feed(r, "z", first->whole.bytes, 1);
    feed(r, "memory", first->parts[0].bytes, 2);
    for (i = 0; i < sizeof nodes / sizeof nodes[0]; i++) {
        if (nodes[i].element != NULL) {
            run_elements(r, &nodes[i]);
        } else {
            run_split(r, &nodes[i], copies);
        }
    }
}

static void release(run *r)
{
    size_t i;

    for (i = 0; i < r->count; i++) {
        if (!r->tensors[i].is_view) {
            free(r->tensors[i].data);
        }
    }
}

/* Bytes of a run's tensors, without views. */
static size_t memory_of(const run *r)
{
    size_t bytes = 0, i;

    for (i = 0; i < r->count; i++) {
        bytes += r->tensors[i].is_view ? 0 : r->tensors[i].bytes;
    }
    return bytes;
}

/* Number of tensors that differ between the two runs. */
static size_t count_wrong(run *views, run *copies)
{
    size_t wrong = views->count != copies->count, i;

    for (i = 0; i < views->count; i++) {
        const tensor *a = &views->tensors[i], *b = find(copies, a->name);

        if (a->bytes != b->bytes || memcmp(a->data, b->data, a->bytes) != 0) {
            fprintf(stderr, "cell: '%s' differs\n", a->name);
            wrong++;
        }
    }
    return wrong;
}

int main(void)
{
    static run views, copies;
    size_t wrong, nviews = 0, i;

    run_model(&views, 0);
    run_model(&copies, 1);
    wrong = count_wrong(&views, &copies);
    for (i = 0; i < views.count; i++) {
        nviews += views.tensors[i].is_view ? 1 : 0;
    }
    printf("\ncell: %zu Splits among %zu nodes of cell.onnxtxt, %zu of %zu tensors views\n\n",
           (size_t)NKERNELS, sizeof nodes / sizeof nodes[0], nviews, views.count);
    printf("  by views   %6zu bytes copied by Splits, %6zu bytes of tensors\n", views.copied,
           memory_of(&views));
    printf("  by copies  %6zu bytes copied by Splits, %6zu bytes of tensors\n", copies.copied,
           memory_of(&copies));
    printf("  %zu tensors differ\n\n", wrong);
    release(&views);
    release(&copies);
    return wrong == 0 && views.copied == 0 ? 0 : 1;
}
