/* The inner loops of inference runtimes without their overhead. Sizes come at run time, as there.
 */
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
