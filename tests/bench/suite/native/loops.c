/* The inner loops of inference runtimes without their overhead, and the plain loop over packed
 * elements with its check. Sizes are known at run time only, as there. */
#include "suite.h"

#include <string.h>

void suite_memcpy_parts(const void *context, void *whole, void *const parts[])
{
    const suite_shape *shape = context;

    for (size_t i = 0; i < shape->nparts; ++i) {
        unsigned char *column = (unsigned char *)whole + shape->offsets[i];
        unsigned char *part = parts[i];
        size_t width = shape->widths[i];
        unsigned char *to = shape->joins ? column : part;
        const unsigned char *from = shape->joins ? part : column;
        size_t to_step = shape->joins ? shape->row_bytes : width;
        size_t from_step = shape->joins ? width : shape->row_bytes;
        for (size_t row = 0; row < shape->rows; ++row) {
            memcpy(to, from, width);
            to += to_step;
            from += from_step;
        }
    }
}

static void split_rows(const suite_shape *shape, const unsigned char *whole, void *const parts[])
{
    for (size_t row = 0; row < shape->rows; ++row) {
        for (size_t i = 0; i < shape->nparts; ++i) {
            size_t width = shape->widths[i];
            memcpy((unsigned char *)parts[i] + row * width, whole, width);
            whole += width;
        }
    }
}

static void join_rows(const suite_shape *shape, unsigned char *whole, void *const parts[])
{
    for (size_t row = 0; row < shape->rows; ++row) {
        for (size_t i = 0; i < shape->nparts; ++i) {
            size_t width = shape->widths[i];
            memcpy(whole, (const unsigned char *)parts[i] + row * width, width);
            whole += width;
        }
    }
}

void suite_memcpy_rows(const void *context, void *whole, void *const parts[])
{
    const suite_shape *shape = context;

    if (shape->joins) {
        join_rows(shape, whole, parts);
    } else {
        split_rows(shape, whole, parts);
    }
}

static size_t shift_of(const suite_shape *shape, size_t element)
{
    size_t bit = element * shape->bits % 8;

    return shape->msb ? 8 - shape->bits - bit : bit;
}

static unsigned get(const suite_shape *shape, const unsigned char *from, size_t element)
{
    unsigned byte = from[element * shape->bits / 8];

    return byte >> shift_of(shape, element) & ((1u << shape->bits) - 1);
}

/* Writes to bits that are 0. */
static void put(const suite_shape *shape, unsigned char *to, size_t element, unsigned bits)
{
    to[element * shape->bits / 8] |= (unsigned char)(bits << shift_of(shape, element));
}

static void clear_what_is_written(const suite_shape *shape, void *whole, void *const parts[])
{
    if (shape->joins) {
        memset(whole, 0, shape->whole_bytes);
        return;
    }
    for (size_t i = 0; i < shape->nparts; ++i) {
        memset(parts[i], 0, shape->part_bytes[i]);
    }
}

void suite_packed_elements(const void *context, void *whole, void *const parts[])
{
    const suite_shape *shape = context;
    size_t element = 0;

    clear_what_is_written(shape, whole, parts);
    for (size_t row = 0; row < shape->rows; ++row) {
        for (size_t i = 0; i < shape->nparts; ++i) {
            size_t first = row * shape->lengths[i];
            for (size_t at = first; at < first + shape->lengths[i]; ++at, ++element) {
                if (shape->joins) {
                    put(shape, whole, element, get(shape, parts[i], at));
                } else {
                    put(shape, parts[i], at, get(shape, whole, element));
                }
            }
        }
    }
}

/* Whether the elements after the first `count` of a buffer are zeros. */
static int ends_in_zeros(const suite_shape *shape, const unsigned char *memory, size_t bytes,
                         size_t count)
{
    for (size_t at = count; at < bytes * 8 / shape->bits; ++at) {
        if (get(shape, memory, at) != 0) {
            return 0;
        }
    }
    return 1;
}

int64_t suite_packed_check(const suite_shape *shape, const suite_set *set)
{
    size_t column = 0;
    size_t row_elements = 0;

    for (size_t i = 0; i < shape->nparts; ++i) {
        row_elements += shape->lengths[i];
    }
    for (size_t i = 0; i < shape->nparts; ++i) {
        size_t length = shape->lengths[i];
        size_t at = 0;
        for (size_t row = 0; row < shape->rows; ++row) {
            for (size_t j = 0; j < length; ++j, ++at) {
                if (get(shape, set->parts[i], at) !=
                    get(shape, set->whole, row * row_elements + column + j)) {
                    return (int64_t)i;
                }
            }
        }
        if (!shape->joins && !ends_in_zeros(shape, set->parts[i], shape->part_bytes[i], at)) {
            return (int64_t)i;
        }
        column += length;
    }
    if (shape->joins &&
        !ends_in_zeros(shape, set->whole, shape->whole_bytes, shape->rows * row_elements)) {
        return (int64_t)shape->nparts - 1;
    }
    return -1;
}
