/* Five small splits written by hand by a careful engineer, for the comparison of code size: the
 * same names and shapes as in code_size.cmake. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

void pair(const float *restrict x, float *restrict a, float *restrict b);
void shape_tensor(const int64_t *restrict x, int64_t *restrict a, int64_t *restrict b,
                  int64_t *restrict c, int64_t *restrict d);
void gates(const float *restrict x, float *restrict i, float *restrict f, float *restrict g,
           float *restrict o);
void boxes(const float *restrict x, float *restrict xy, float *restrict wh, float *restrict score);
void fields(const uint8_t *restrict x, uint8_t *restrict a, uint8_t *restrict b,
            uint8_t *restrict c);

/* f32[2,6] @1 -> 2,4 */
void pair(const float *restrict x, float *restrict a, float *restrict b)
{
    memcpy(a, x, 8);
    memcpy(b, x + 2, 16);
    memcpy(a + 2, x + 6, 8);
    memcpy(b + 4, x + 8, 16);
}

/* i64[4] -> /4 */
void shape_tensor(const int64_t *restrict x, int64_t *restrict a, int64_t *restrict b,
                  int64_t *restrict c, int64_t *restrict d)
{
    *a = x[0];
    *b = x[1];
    *c = x[2];
    *d = x[3];
}

/* f32[1,128] @1 -> /4 */
void gates(const float *restrict x, float *restrict i, float *restrict f, float *restrict g,
           float *restrict o)
{
    memcpy(i, x, 128);
    memcpy(f, x + 32, 128);
    memcpy(g, x + 64, 128);
    memcpy(o, x + 96, 128);
}

/* f32[2,5] @1 -> 2,2,1; floats by memcpy, because loading them may change the bits of a NaN */
void boxes(const float *restrict x, float *restrict xy, float *restrict wh, float *restrict score)
{
    memcpy(xy, x, 8);
    memcpy(wh, x + 2, 8);
    memcpy(score, x + 4, 4);
    memcpy(xy + 2, x + 5, 8);
    memcpy(wh + 2, x + 7, 8);
    memcpy(score + 1, x + 9, 4);
}

/* u8[2,7] @1 -> 1,2,4 */
void fields(const uint8_t *restrict x, uint8_t *restrict a, uint8_t *restrict b,
            uint8_t *restrict c)
{
    a[0] = x[0];
    memcpy(b, x + 1, 2);
    memcpy(c, x + 3, 4);
    a[1] = x[7];
    memcpy(b + 2, x + 8, 2);
    memcpy(c + 4, x + 10, 4);
}
