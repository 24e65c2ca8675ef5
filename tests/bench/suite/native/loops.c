/* The inner loops of inference runtimes without their overhead, and the plain loop over packed
 * elements with its check. Sizes come at run time, as there. */
#include "suite.h"

#include <string.h>

void suite_memcpy_outputs(const void *context, const void *input, void *const outputs[])
{
    const suite_shape *shape = context;

    for (size_t i = 0; i < shape->noutputs; ++i) {
        const unsigned char *from = (const unsigned char *)input + shape->offsets[i];
        unsigned char *to = outputs[i];
        size_t width = shape->widths[i];
        for (size_t row = 0; row < shape->rows; ++row) {
            memcpy(to, from, width);
            to += width;
            from += shape->row_bytes;
        }
    }
}

void suite_memcpy_rows(const void *context, const void *input, void *const outputs[])
{
    const suite_shape *shape = context;
    const unsigned char *from = input;

    for (size_t row = 0; row < shape->rows; ++row) {
        for (size_t i = 0; i < shape->noutputs; ++i) {
            size_t width = shape->widths[i];
            memcpy((unsigned char *)outputs[i] + row * width, from, width);
            from += width;
        }
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

void suite_packed_elements(const void *context, const void *input, void *const outputs[])
{
    const suite_shape *shape = context;
    size_t element = 0;

    for (size_t i = 0; i < shape->noutputs; ++i) {
        memset(outputs[i], 0, shape->output_bytes[i]);
    }
    for (size_t row = 0; row < shape->rows; ++row) {
        for (size_t i = 0; i < shape->noutputs; ++i) {
            unsigned char *to = outputs[i];
            size_t first = row * shape->lengths[i];
            for (size_t at = first; at < first + shape->lengths[i]; ++at) {
                unsigned bits = get(shape, input, element++);
                to[at * shape->bits / 8] |= (unsigned char)(bits << shift_of(shape, at));
            }
        }
    }
}

int64_t suite_packed_check(const suite_shape *shape, const unsigned char *input,
                           void *const outputs[])
{
    size_t column = 0;
    size_t row_elements = 0;

    for (size_t i = 0; i < shape->noutputs; ++i) {
        row_elements += shape->lengths[i];
    }
    for (size_t i = 0; i < shape->noutputs; ++i) {
        size_t length = shape->lengths[i];
        size_t at = 0;
        for (size_t row = 0; row < shape->rows; ++row) {
            for (size_t j = 0; j < length; ++j, ++at) {
                if (get(shape, outputs[i], at) !=
                    get(shape, input, row * row_elements + column + j)) {
                    return (int64_t)i;
                }
            }
        }
        for (; at < shape->output_bytes[i] * 8 / shape->bits; ++at) {
            if (get(shape, outputs[i], at) != 0) {
                return (int64_t)i;
            }
        }
        column += length;
    }
    return -1;
}
