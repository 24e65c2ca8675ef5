/* What takes compilers longest of all that generated code includes (prefix.cmake). */
#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif
