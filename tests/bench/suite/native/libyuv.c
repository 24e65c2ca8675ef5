/* Calls libyuv where it has a function for the split: 2, 3 or 4 bytes, or 2 words, to planes. */
#include "suite.h"

#include <libyuv/planar_functions.h>

suite_context_fn suite_libyuv_2, suite_libyuv_3, suite_libyuv_4, suite_libyuv_2_words;

/* One long row: what libyuv makes of a whole picture without padding. */
void suite_libyuv_2(const void *context, const void *input, void *const outputs[])
{
    const suite_shape *shape = context;

    SplitUVPlane(input, 0, outputs[0], 0, outputs[1], 0, (int)shape->rows, 1);
}

void suite_libyuv_3(const void *context, const void *input, void *const outputs[])
{
    const suite_shape *shape = context;

    SplitRGBPlane(input, 0, outputs[0], 0, outputs[1], 0, outputs[2], 0, (int)shape->rows, 1);
}

/* libyuv names the bytes of a pixel B, G, R, A in memory order and its outputs R, G, B, A. */
void suite_libyuv_4(const void *context, const void *input, void *const outputs[])
{
    const suite_shape *shape = context;

    SplitARGBPlane(input, 0, outputs[2], 0, outputs[1], 0, outputs[0], 0, outputs[3], 0,
                   (int)shape->rows, 1);
}

void suite_libyuv_2_words(const void *context, const void *input, void *const outputs[])
{
    const suite_shape *shape = context;

    SplitUVPlane_16(input, 0, outputs[0], 0, outputs[1], 0, (int)shape->rows, 1, 16);
}
