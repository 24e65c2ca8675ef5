/* Replaces the runtime's two queries of the processor: hides instruction sets from kernels, and
 * pretends that nothing fits the cache. The runtime's own functions are compiled under the names
 * splitgen_real_...; no instruction set is added.
 *
 *   SPLITGEN_TEST_CPU     the bits of splitgen_cpu() that remain, a number; exits with 77 if the
 *                         processor does not have one of them
 *   SPLITGEN_TEST_STREAM  if set, every operation is too large for the cache */
#include <stdio.h>
#include <stdlib.h>

#include <splitgen/vector.h>

unsigned splitgen_real_cpu(void);
size_t splitgen_real_stream_bytes(void);

unsigned splitgen_cpu(void)
{
    const char *mask = getenv("SPLITGEN_TEST_CPU");
    const unsigned real = splitgen_real_cpu();
    const unsigned wanted = mask != NULL ? (unsigned)strtoul(mask, NULL, 0) : real;

    if ((real & wanted) != wanted) {
        printf("this processor lacks it\n");
        exit(77);
    }
    return wanted;
}

size_t splitgen_stream_bytes(void)
{
    return getenv("SPLITGEN_TEST_STREAM") != NULL ? 0 : splitgen_real_stream_bytes();
}
