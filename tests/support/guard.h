/* Buffers between unmapped pages, so that a byte read or written outside is a crash and not a
 * maybe. POSIX mmap; no test framework. */
#ifndef SPLITGEN_TEST_GUARD_H
#define SPLITGEN_TEST_GUARD_H

#include <stdbool.h>
#include <stddef.h>

/* Where a buffer stands in its region. A buffer is a multiple of `align` and, where the place
 * leaves the choice, of nothing more. */
typedef enum test_place {
    TEST_PLACE_END,   /* its last byte is the last one before an unmapped page */
    TEST_PLACE_BEGIN, /* its first byte is the first one behind an unmapped page */
    TEST_PLACE_ODD,   /* an odd multiple of align, inside the region */
    TEST_PLACES
} test_place;

/* One mapped region with an unmapped page at both ends. Zero-initialise; grows on demand. */
typedef struct test_guard {
    unsigned char *base; /* first mapped byte */
    size_t mapped;       /* bytes, a multiple of the page */
    unsigned char *data; /* of the buffer placed last */
    size_t bytes;
} test_guard;

/* Bytes next to a buffer that test_guard_intact looks at, where they are mapped. */
#define TEST_GUARD_SLACK 128

/* Places a buffer of `bytes` and fills the bytes around it with a canary. When `bytes` is not a
 * multiple of align, TEST_PLACE_END leaves fewer than align bytes before the unmapped page. Zero
 * bytes give a pointer into an unmapped page. Exits when memory runs out. */
unsigned char *test_guard_place(test_guard *guard, size_t bytes, size_t align, test_place place);

/* True while the canary around the buffer placed last is unharmed. */
bool test_guard_intact(const test_guard *guard);

void test_guard_free(test_guard *guard);

#endif
