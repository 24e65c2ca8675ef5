/* Runs the kernels of a model one after the other, then the fused ones on the same inputs: every
 * output of the fused kernels must have the same bytes. */
#include "fused_kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "prng.h"

enum { MOST = 4096, AROUND = 64, UNWRITTEN = 0xa5 };

typedef struct tensor {
    const char *name;
    unsigned char *bytes;
    size_t count;
} tensor;

typedef struct tensors {
    tensor items[MOST];
    size_t count;
} tensors;

static void fail(const char *what, const char *name)
{
    fprintf(stderr, "fused: %s: '%s'\n", what, name);
    exit(1);
}

static tensor *find(tensors *all, const char *name)
{
    for (size_t i = 0; i < all->count; i++) {
        if (strcmp(all->items[i].name, name) == 0) {
            return &all->items[i];
        }
    }
    return NULL;
}

static tensor *add(tensors *all, const char *name, size_t count)
{
    if (all->count == MOST || find(all, name) != NULL) {
        fail("more tensors than there is room for, or the same twice", name);
    }
    tensor *t = &all->items[all->count++];
    *t = (tensor){name, malloc(count + AROUND), count};
    if (t->bytes == NULL) {
        fail("no memory", name);
    }
    memset(t->bytes, UNWRITTEN, count + AROUND);
    return t;
}

static void run(tensors *all, const fused_kernel *entry)
{
    const splitgen_kernel *kernel = entry->kernel;
    void **outputs = calloc(kernel->nparts, sizeof *outputs);
    if (outputs == NULL) {
        fail("no memory", kernel->name);
    }
    for (size_t i = 0; i < kernel->nparts; i++) {
        outputs[i] = add(all, kernel->parts[i].name, kernel->parts[i].bytes)->bytes;
    }
    const tensor *input = find(all, entry->input);
    if (input == NULL || input->count != kernel->whole.bytes ||
        splitgen_run(kernel, input->bytes, outputs) != SPLITGEN_OK) {
        fail("it does not run", kernel->name);
    }
    free(outputs);
}

static void compare(tensors *all, const tensor *is)
{
    const tensor *should = find(all, is->name);
    if (should == NULL || should->count != is->count) {
        fail("no Split has such an output", is->name);
    }
    if (memcmp(should->bytes, is->bytes, is->count + AROUND) != 0) {
        fail("other bytes than of the kernels one after the other", is->name);
    }
}

static void clear(tensors *all)
{
    for (size_t i = 0; i < all->count; i++) {
        free(all->items[i].bytes);
    }
}

static tensors one_by_one, at_once;

int main(void)
{
    test_prng prng;
    test_prng_seed(&prng, 1);
    size_t compared = 0;
    for (size_t k = 0; k < napart; k++) {
        const fused_kernel *entry = &apart[k];
        if (find(&one_by_one, entry->input) == NULL) { /* an input of the model */
            tensor *input = add(&one_by_one, entry->input, entry->kernel->whole.bytes);
            for (size_t i = 0; i < input->count; i++) {
                input->bytes[i] = (unsigned char)test_prng_next(&prng);
            }
        }
        run(&one_by_one, entry);
    }
    for (size_t k = 0; k < nfused; k++) {
        const fused_kernel *entry = &fused[k];
        if (find(&at_once, entry->input) == NULL) {
            const tensor *from = find(&one_by_one, entry->input);
            memcpy(add(&at_once, entry->input, from->count)->bytes, from->bytes, from->count);
        }
        run(&at_once, entry);
        for (size_t i = 0; i < entry->kernel->nparts; i++, compared++) {
            compare(&one_by_one, find(&at_once, entry->kernel->parts[i].name));
        }
    }
    clear(&one_by_one);
    clear(&at_once);
    printf("%zu kernels are %zu, %zu outputs equal\n", napart, nfused, compared);
    return 0;
}
