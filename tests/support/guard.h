/* Buffers between unmapped pages, so that every byte read or written outside crashes. POSIX
 * mmap; no test framework. */
#ifndef SPLITGEN_TEST_GUARD_H
#define SPLITGEN_TEST_GUARD_H

#include <stdbool.h>
#include <stddef.h>

/* The position of a buffer in its region. The address is a multiple of `align` and, if the
 * position allows it, of no larger power of two. */
typedef enum test_place {
    TEST_PLACE_END,   /* its last byte is the last one before an unmapped page */
    TEST_PLACE_BEGIN, /* its first byte is the first one after an unmapped page */
    TEST_PLACE_ODD,   /* an odd multiple of align, inside the region */
    TEST_PLACES
} test_place;

/* One mapped region with an unmapped page at both ends. Zero-initialise; grows on demand. */
typedef struct test_guard {
    unsigned char *base; /* first mapped byte */
    size_t mapped;       /* bytes, a multiple of the page */
    unsigned char *data; /* of the last placed buffer */
    size_t bytes;
} test_guard;

/* Bytes on each side of a buffer that test_guard_intact checks, as far as they are mapped. */
#define TEST_GUARD_SLACK 128

/* Places a buffer of `bytes` and fills the bytes around it with a canary. If `bytes` is not a
 * multiple of align, TEST_PLACE_END leaves fewer than align bytes before the unmapped page. Zero
 * bytes give a pointer into an unmapped page. Exits if memory runs out. */
unsigned char *test_guard_place(test_guard *guard, size_t bytes, size_t align, test_place place);

/* True as long as the canary around the last placed buffer is unchanged. */
bool test_guard_intact(const test_guard *guard);

void test_guard_free(test_guard *guard);

#endif
