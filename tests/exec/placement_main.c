/* Runs the model of run_placement.cmake by the constants of its placement. The Split does nothing,
 * and the Concat copies its constant alone. Exit status 1 where an output differs. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "net.h"
#include "net_placement.h"

#define IMAGES  2
#define ROWS    8
#define JOINED  13
#define COLUMNS 4

static const int64_t x_strides[] = MY_NET_X_STRIDES;
static const int64_t a_strides[] = MY_NET_A_4_STRIDES;
static const int64_t int_strides[] = MY_NET_INT_2_STRIDES;
static const int64_t y_strides[] = MY_NET_Y_0_STRIDES;

static float *element(unsigned char *tensor, const int64_t *strides, int image, int row, int column)
{
    return (float *)(void *)(tensor + image * strides[0] + row * strides[1] + column * strides[2]);
}

/* What the Concat has: the image, its second half negated, and the constant. Elements of both count
 * from 1. */
static float expected(int image, int row, int column)
{
    const int negated = row >= ROWS && row < JOINED - 1;
    const int at = row < ROWS ? image * ROWS + row : negated ? image * ROWS + row - 4 : image;
    const float value = (float)(1 + at * COLUMNS + column);
    return negated ? -value : value;
}

int main(void)
{
    static float memory[(MY_NET_ARENA_BYTES + MY_NET_ARENA_ALIGN) / sizeof(float)];
    unsigned char *bytes = (unsigned char *)memory;
    unsigned char *arena =
        bytes + (MY_NET_ARENA_ALIGN - (uintptr_t)bytes % MY_NET_ARENA_ALIGN) % MY_NET_ARENA_ALIGN;
    for (int image = 0; image < IMAGES; image++) {
        for (int row = 0; row < ROWS; row++) {
            for (int column = 0; column < COLUMNS; column++) {
                *element(arena + MY_NET_X_BYTE_OFFSET, x_strides, image, row, column) =
                    (float)(1 + (image * ROWS + row) * COLUMNS + column);
            }
        }
        for (int row = 0; row < 4; row++) {
            for (int column = 0; column < COLUMNS; column++) {
                *element(arena + MY_NET_INT_2_BYTE_OFFSET, int_strides, image, row, column) =
                    -*element(arena + MY_NET_A_4_BYTE_OFFSET, a_strides, image, row, column);
            }
        }
    }
    my_net((float *)(void *)(arena + MY_NET_Y_0_BYTE_OFFSET));
    for (int image = 0; image < IMAGES; image++) {
        for (int row = 0; row < JOINED; row++) {
            for (int column = 0; column < COLUMNS; column++) {
                const float is =
                    *element(arena + MY_NET_Y_0_BYTE_OFFSET, y_strides, image, row, column);
                const float wanted = expected(image, row, column);
                if (memcmp(&is, &wanted, sizeof is) != 0) {
                    printf("image %d, row %d, column %d: %g\n", image, row, column, (double)is);
                    return 1;
                }
            }
        }
    }
    return MY_NET_CHOOSE_THEN_ARENA_BYTES != 0 || MY_NET_ARENA_2_BYTES != MY_NET_Y_0_BYTES;
}
