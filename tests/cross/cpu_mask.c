/* The runtime's two questions about the processor, answered as the environment says: which of the
 * processor's instruction sets kernels are told of, and that nothing fits its cache. Takes the
 * place of the runtime's functions, which are compiled under the names splitgen_real_...; pretends
 * to no instruction set that is not there.
 *
 *   SPLITGEN_TEST_CPU     the bits of splitgen_cpu() to let through, a number; exit code 77 when
 * the processor lacks one of them SPLITGEN_TEST_STREAM  set: every operation is too large for the
 * cache */
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
