/* Contracts between modules, checked by the fuzzers: a violation aborts, which a fuzzer reports. */
#ifndef SPLITGEN_FUZZ_REQUIRE_H
#define SPLITGEN_FUZZ_REQUIRE_H

#include <stdio.h>
#include <stdlib.h>

#define REQUIRE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            broken_promise(__FILE__, __LINE__, #condition);                                        \
        }                                                                                          \
    } while (0)

static inline _Noreturn void broken_promise(const char *file, int line, const char *promise)
{
    fprintf(stderr, "%s:%d: broken promise: %s\n", file, line, promise);
    abort();
}

#endif
