/* The headers of generated code that take compilers longest (kernels.py). */
#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif
