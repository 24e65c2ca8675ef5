/* Copies of runs element by element, without the C library. Included by generated code only, with
 * --no-memcpy. */
#ifndef SPLITGEN_WORDS_H
#define SPLITGEN_WORDS_H

#include <splitgen/splitgen.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Elements are copied as integers of their size, or of half of it for complex numbers:
 * floating-point registers may change a NaN. Compilers turn a loop that copies into a call of
 * memcpy, so the address of the next read is hidden from them. */
#if defined(SPLITGEN_PROVER)
#define SPLITGEN_ALIAS
#define SPLITGEN_READ         const
#define SPLITGEN_HIDE(source) (void)(source)
#elif defined(__GNUC__)
#define SPLITGEN_ALIAS        __attribute__((__may_alias__))
#define SPLITGEN_READ         const
#define SPLITGEN_HIDE(source) __asm__("" : "+r"(source))
#else
#define SPLITGEN_ALIAS
#define SPLITGEN_READ         const volatile
#define SPLITGEN_HIDE(source) (void)(source)
#endif

#define SPLITGEN_WORDS(name, type)                                                                 \
    typedef type SPLITGEN_ALIAS splitgen_word_##name;                                              \
    static inline void splitgen_words_##name(void *SPLITGEN_RESTRICT dst,                          \
                                             const void *SPLITGEN_RESTRICT src, size_t bytes)      \
    {                                                                                              \
        splitgen_word_##name *to = SPLITGEN_POINTER(splitgen_word_##name, dst);                    \
        SPLITGEN_READ splitgen_word_##name *from =                                                 \
            SPLITGEN_POINTER(SPLITGEN_READ splitgen_word_##name, src);                             \
        const size_t count = bytes / sizeof(*to);                                                  \
                                                                                                   \
        for (size_t i = 0; i < count; ++i) {                                                       \
            to[i] = *from;                                                                         \
            ++from;                                                                                \
            SPLITGEN_HIDE(from);                                                                   \
        }                                                                                          \
    }

SPLITGEN_WORDS(8, uint8_t)
SPLITGEN_WORDS(16, uint16_t)
SPLITGEN_WORDS(32, uint32_t)
SPLITGEN_WORDS(64, uint64_t)
SPLITGEN_WORDS(pointer, const void *)

#ifdef __cplusplus
}
#endif

#endif
