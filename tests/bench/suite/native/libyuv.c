/* Calls libyuv if it has a function for the case: 2, 3 or 4 bytes, or 2 words, and planes. */
#include "suite.h"

#include <libyuv/planar_functions.h>

suite_context_fn suite_libyuv_2, suite_libyuv_3, suite_libyuv_4, suite_libyuv_2_words;

/* One long row: libyuv treats a picture without padding this way. */
void suite_libyuv_2(const void *context, void *whole, void *const parts[])
{
    const suite_shape *shape = context;
    int width = (int)shape->rows;

    if (shape->joins) {
        MergeUVPlane(parts[0], 0, parts[1], 0, whole, 0, width, 1);
    } else {
        SplitUVPlane(whole, 0, parts[0], 0, parts[1], 0, width, 1);
    }
}

void suite_libyuv_3(const void *context, void *whole, void *const parts[])
{
    const suite_shape *shape = context;
    int width = (int)shape->rows;

    if (shape->joins) {
        MergeRGBPlane(parts[0], 0, parts[1], 0, parts[2], 0, whole, 0, width, 1);
    } else {
        SplitRGBPlane(whole, 0, parts[0], 0, parts[1], 0, parts[2], 0, width, 1);
    }
}

/* libyuv names the bytes of a pixel B, G, R, A in memory order and its planes R, G, B, A. */
void suite_libyuv_4(const void *context, void *whole, void *const parts[])
{
    const suite_shape *shape = context;
    int width = (int)shape->rows;

    if (shape->joins) {
        MergeARGBPlane(parts[2], 0, parts[1], 0, parts[0], 0, parts[3], 0, whole, 0, width, 1);
    } else {
        SplitARGBPlane(whole, 0, parts[2], 0, parts[1], 0, parts[0], 0, parts[3], 0, width, 1);
    }
}

void suite_libyuv_2_words(const void *context, void *whole, void *const parts[])
{
    const suite_shape *shape = context;
    int width = (int)shape->rows;

    if (shape->joins) {
        MergeUVPlane_16(parts[0], 0, parts[1], 0, whole, 0, width, 1, 16);
    } else {
        SplitUVPlane_16(whole, 0, parts[0], 0, parts[1], 0, width, 1, 16);
    }
}
