/* The peers that copy a row at a time. Compiled separately, so that the compiler knows no size. */
#include "peers.h"

#include <string.h>

void peer_rows(const peer_split *split, const void *input, void *const outputs[])
{
    const unsigned char *from = input;
    for (size_t row = 0; row < split->rows; ++row) {
        for (size_t i = 0; i < split->noutputs; ++i) {
            size_t width = split->widths[i];
            memcpy((unsigned char *)outputs[i] + row * width, from, width);
            from += width;
        }
    }
}

void peer_outputs(const peer_split *split, const void *input, void *const outputs[])
{
    const unsigned char *column = input;
    for (size_t i = 0; i < split->noutputs; ++i) {
        size_t width = split->widths[i];
        unsigned char *to = outputs[i];
        const unsigned char *from = column;
        for (size_t row = 0; row < split->rows; ++row) {
            memcpy(to, from, width);
            to += width;
            from += split->row_bytes;
        }
        column += width;
    }
}
