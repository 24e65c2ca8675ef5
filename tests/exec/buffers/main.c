/* Runs kernels in buffers of exactly the size that their header documents, each between unmapped
 * pages. The size must also be the distance from the first byte to the end of the last element,
 * which is computed here from shapes and strides. Sizes and elements of descriptors must agree. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buffers.h"
#include "guard.h"

/* The product of the open numbers in dimensions [first, last) of the full tensor. */
static size_t factors(const buffers_case *c, size_t first, size_t last)
{
    const splitgen_free *open = c->kernel->free;
    size_t product = 1;
    for (size_t d = first; open != NULL && d < last; d++) {
        for (size_t i = 0; i < open->count; i++) {
            for (unsigned n = open->powers[d * open->count + i]; n > 0; n--) {
                product *= c->numbers[i];
            }
        }
    }
    return product;
}

/* Bytes from the first to the last element, and the elements of one item. A tensor of a part may
 * have no axis. */
static size_t needed(const buffers_case *c, const splitgen_tensor *t, size_t *elements)
{
    const size_t rank = c->kernel->whole.rank;
    const size_t axis = (size_t)c->kernel->axis;
    const int64_t *strides = splitgen_tensor_strides(t);
    size_t last = 0;
    size_t stride = 1;
    *elements = 1;
    for (size_t d = rank; d-- > 0;) {
        const bool has_axis = t->rank == rank;
        if (!has_axis && d == axis) {
            continue;
        }
        const size_t at = has_axis || d < axis ? d : d - 1;
        const size_t count = (size_t)t->dims[at] * factors(c, d, d + 1);
        if (d < axis && strides != NULL) {
            stride = (size_t)strides[at] * factors(c, d + 1, axis);
        } else if (d + 1 == axis && t->row_stride > stride) {
            stride = t->row_stride;
        }
        if (count == 0) {
            *elements = 0;
            return 0;
        }
        *elements *= (size_t)t->dims[at];
        last += (count - 1) * stride;
        stride *= count;
    }
    const size_t bits = (last + 1) * c->bits;
    return c->planes ? (bits + 23) / 24 * 3 : (bits + 7) / 8;
}

static bool sizes_agree(const buffers_case *c)
{
    const splitgen_kernel *k = c->kernel;
    bool agree = true;
    for (size_t i = 0; i <= k->nparts; i++) {
        const splitgen_tensor *t = i == 0 ? &k->whole : &k->parts[i - 1];
        size_t elements;
        const size_t bytes = needed(c, t, &elements);
        if (c->bytes[i] != bytes || c->elements[i] != elements ||
            (k->free == NULL && t->bytes != bytes)) {
            printf("%s, %s: the header has %zu elements, %zu bytes, the descriptor %zu bytes; "
                   "%zu and %zu are right\n",
                   k->name, t->name, c->elements[i], c->bytes[i], t->bytes, elements, bytes);
            agree = false;
        }
    }
    return agree;
}

/* Fills all buffers: inputs with different bytes. */
static void fill(const buffers_case *c, void *whole, void *const parts[])
{
    for (size_t i = 0; i <= c->kernel->nparts; i++) {
        unsigned char *buffer = i == 0 ? whole : parts[i - 1];
        const bool is_input = (i > 0) == c->kernel->joins;
        for (size_t j = 0; buffer != NULL && j < c->bytes[i]; j++) {
            buffer[j] = is_input ? (unsigned char)(j * 151 + (j >> 8) * 29 + i * 37) : 0x35;
        }
    }
}

/* Whether the kernel of the standalone file writes the same bytes as are in the buffers. */
static bool same_alone(const buffers_case *c, void *whole, void *const parts[])
{
    const size_t count = c->kernel->nparts + 1;
    unsigned char **kept = calloc(count, sizeof *kept);
    bool same = kept != NULL;
    for (size_t i = 0; same && i < count; i++) {
        const void *buffer = i == 0 ? whole : parts[i - 1];
        kept[i] = malloc(c->bytes[i] + 1);
        same = kept[i] != NULL;
        if (same && buffer != NULL) {
            memcpy(kept[i], buffer, c->bytes[i]);
        }
    }
    fill(c, whole, parts);
    if (same) {
        c->alone(whole, parts, c->numbers);
    }
    for (size_t i = 0; same && i < count; i++) {
        const void *buffer = i == 0 ? whole : parts[i - 1];
        same = buffer == NULL || memcmp(kept[i], buffer, c->bytes[i]) == 0;
    }
    for (size_t i = 0; kept != NULL && i < count; i++) {
        free(kept[i]);
    }
    free(kept);
    if (!same) {
        printf("%s: the standalone kernel differs\n", c->kernel->name);
    }
    return same;
}

/* Whether a checked call succeeds and writes only into the buffers. */
static bool runs(const buffers_case *c, test_guard *guards, void **parts, test_place place)
{
    const splitgen_kernel *k = c->kernel;
    void *whole = NULL;
    for (size_t i = 0; i <= k->nparts; i++) {
        /* a part that is only a view has no buffer */
        void *buffer = i > 0 && k->views[i - 1].only
                           ? NULL
                           : test_guard_place(&guards[i], c->bytes[i], k->align, place);
        *(i == 0 ? &whole : &parts[i - 1]) = buffer;
    }
    fill(c, whole, parts);
    const void *const *inputs = (const void *const *)parts;
    const splitgen_status status =
        k->joins          ? k->free != NULL ? splitgen_join_dims(k, inputs, whole, c->numbers)
                                            : splitgen_join(k, inputs, whole)
                 : k->free != NULL ? splitgen_run_dims(k, whole, parts, c->numbers)
                          : splitgen_run(k, whole, parts);
    bool right = status == SPLITGEN_OK;
    right = right && (c->alone == NULL || same_alone(c, whole, parts));
    for (size_t i = 0; i <= k->nparts; i++) {
        right = right && (guards[i].base == NULL || test_guard_intact(&guards[i]));
    }
    if (!right) {
        printf("%s: %s, or it writes outside of its buffers\n", k->name,
               splitgen_status_text(status));
    }
    return right;
}

int main(void)
{
    test_guard *guards = NULL;
    void **parts = NULL;
    size_t room = 0;
    bool right = true;
    for (size_t i = 0; i < buffers_count; i++) {
        const buffers_case *c = &buffers_cases[i];
        right = sizes_agree(c) && right;
    }
    for (size_t i = 0; right && i < buffers_count; i++) {
        const buffers_case *c = &buffers_cases[i];
        const size_t count = c->kernel->nparts + 1;
        if (count > room) {
            guards = realloc(guards, count * sizeof *guards);
            parts = realloc(parts, count * sizeof *parts);
            if (guards == NULL || parts == NULL) {
                return 2;
            }
            memset(guards + room, 0, (count - room) * sizeof *guards);
            room = count;
        }
        printf("%s\n", c->kernel->name); /* the last one if a page faults */
        fflush(stdout);
        for (size_t j = 0; j < count; j++) {
            test_guard_free(&guards[j]);
        }
        right = runs(c, guards, parts, TEST_PLACE_END) && runs(c, guards, parts, TEST_PLACE_BEGIN);
    }
    free(guards);
    free(parts);
    printf("%zu calls\n", buffers_count);
    return right ? 0 : 1;
}
