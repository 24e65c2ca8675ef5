/* 64-bit arithmetic that reports overflow instead of wrapping: every function returns false and
 * leaves *out unchanged if the exact result does not fit. Shapes are user input, so nothing in
 * splitgen multiplies dimensions with a bare '*'. */
#ifndef SG_BASE_CHECKED_H
#define SG_BASE_CHECKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool sg_add64(int64_t a, int64_t b, int64_t *out);
bool sg_sub64(int64_t a, int64_t b, int64_t *out);
bool sg_mul64(int64_t a, int64_t b, int64_t *out);

/* The saturated sum of two non-negative numbers, for byte counts that are only printed or
 * compared. */
int64_t sg_sum64(int64_t a, int64_t b);
/* For non-negative a and positive b. */
int64_t sg_ceil_div64(int64_t a, int64_t b);
/* For non-negative a and b; gcd(0, 0) is 0. */
int64_t sg_gcd64(int64_t a, int64_t b);
/* The minimum of `count` values, at least one. */
int64_t sg_least64(const int64_t *values, size_t count);

#endif
