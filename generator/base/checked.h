/* 64-bit arithmetic that reports overflow instead of wrapping: every function returns false and
 * leaves *out alone when the exact result does not fit. Shapes are user input; nothing in
 * splitgen multiplies dimensions with a bare '*'. */
#ifndef SG_BASE_CHECKED_H
#define SG_BASE_CHECKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool sg_add64(int64_t a, int64_t b, int64_t *out);
bool sg_sub64(int64_t a, int64_t b, int64_t *out);
bool sg_mul64(int64_t a, int64_t b, int64_t *out);

/* The sum, or INT64_MAX where it is beyond, of two that are not negative: for bytes that are
 * counted or compared and never addressed. */
int64_t sg_sum64(int64_t a, int64_t b);
/* For non-negative a and positive b. */
int64_t sg_ceil_div64(int64_t a, int64_t b);
/* For non-negative a and b; gcd(0, 0) is 0. */
int64_t sg_gcd64(int64_t a, int64_t b);
/* Of `count` values, at least one. */
int64_t sg_least64(const int64_t *values, size_t count);

#endif
