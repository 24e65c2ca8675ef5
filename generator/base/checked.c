/* The checked 64-bit arithmetic of checked.h, in plain C. */
#include "base/checked.h"

bool sg_add64(int64_t a, int64_t b, int64_t *out)
{
    if (b > 0 ? a > INT64_MAX - b : a < INT64_MIN - b) {
        return false;
    }
    *out = a + b;
    return true;
}

bool sg_sub64(int64_t a, int64_t b, int64_t *out)
{
    if (b > 0 ? a < INT64_MIN + b : a > INT64_MAX + b) {
        return false;
    }
    *out = a - b;
    return true;
}

/* |a| as unsigned, defined for INT64_MIN too. */
static uint64_t magnitude(int64_t a)
{
    return a < 0 ? 0 - (uint64_t)a : (uint64_t)a;
}

bool sg_mul64(int64_t a, int64_t b, int64_t *out)
{
    uint64_t x = magnitude(a);
    uint64_t y = magnitude(b);
    bool negative = (a < 0) != (b < 0);
    uint64_t limit = negative ? (uint64_t)INT64_MAX + 1 : (uint64_t)INT64_MAX;
    if (y != 0 && x > limit / y) {
        return false;
    }
    uint64_t product = x * y;
    if (!negative) {
        *out = (int64_t)product;
    } else if (product == 0) {
        *out = 0;
    } else {
        /* -(product - 1) - 1 cannot overflow, even for INT64_MIN */
        *out = -(int64_t)(product - 1) - 1;
    }
    return true;
}

int64_t sg_sum64(int64_t a, int64_t b)
{
    return a > INT64_MAX - b ? INT64_MAX : a + b;
}

int64_t sg_ceil_div64(int64_t a, int64_t b)
{
    return a / b + (a % b != 0);
}

int64_t sg_gcd64(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

int64_t sg_least64(const int64_t *values, size_t count)
{
    int64_t least = values[0];
    for (size_t i = 1; i < count; ++i) {
        least = values[i] < least ? values[i] : least;
    }
    return least;
}
