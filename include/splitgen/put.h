/* Copies of runs by plain moves, in order. Included by generated code only. */
#ifndef SPLITGEN_PUT_H
#define SPLITGEN_PUT_H

#include <splitgen/splitgen.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One copy per file: inlining would make the code longer but not faster. */
#if defined(__clang__) && !defined(SPLITGEN_ALONE)
#define SPLITGEN_ONCE static inline __attribute__((noinline))
#elif defined(__GNUC__)
#define SPLITGEN_ONCE static __attribute__((noinline, unused))
#else
#define SPLITGEN_ONCE static inline
#endif

/* A compiler barrier: keeps the order of memory accesses, and costs no instruction. */
#if defined(__GNUC__) && !defined(SPLITGEN_PROVER)
#define SPLITGEN_IN_ORDER() __asm__ volatile("" : : : "memory")
#else
#define SPLITGEN_IN_ORDER() ((void)0)
#endif

/* Hides from compilers what they know about a number, which saves gcc pointer registers. */
#if defined(__GNUC__) && !defined(SPLITGEN_PROVER)
#define SPLITGEN_KEEP_NUMBER(number) __asm__("" : "+r"(number) : : "memory")
#else
#define SPLITGEN_KEEP_NUMBER(number) ((void)0)
#endif

/* Without optimization compilers keep the program's order, and the code would be very long. */
#if defined(__GNUC__) && defined(__OPTIMIZE__) && (defined(__x86_64__) || defined(__i386__)) &&    \
    !defined(SPLITGEN_PROVER)
#define SPLITGEN_PUTS 1
#else
#define SPLITGEN_PUTS 0
#endif

/* Copies one byte. clang 14 loads it into a partial register, so that every byte waits for the one
 * before (generator/plan/MEASURED.md, Copies). */
#if defined(__clang__) && defined(__OPTIMIZE__) && (defined(__x86_64__) || defined(__i386__)) &&   \
    !defined(SPLITGEN_NO_ASM)
SPLITGEN_COPY void splitgen_put_byte(void *dst, const void *src)
{
    unsigned byte = 0;

    memcpy(&byte, src, 1);
    __asm__("" : "+r"(byte)); /* makes the compiler load a full register */
    memcpy(dst, &byte, 1);
}
#else
#define splitgen_put_byte(dst, src) memcpy(dst, src, 1)
#endif

/* Copies the last bytes of a run with the smallest move that holds them, which overlaps the bytes
 * before: up to 8 bytes of a run of at least 8, or up to 16 of a run of at least 16. */
SPLITGEN_COPY void splitgen_put_rest(unsigned char *d, const unsigned char *s, size_t left)
{
    if (left > 8) {
        memcpy(d + left - 16, s + left - 16, 16);
    } else if (left > 4) {
        memcpy(d + left - 8, s + left - 8, 8);
    } else if (left > 1) {
        memcpy(d + left - 4, s + left - 4, 4);
    } else if (left > 0) {
        splitgen_put_byte(d, s);
    } else {
        /* the run ended with a whole move */
    }
}

#if SPLITGEN_PUTS
/* Copies some bytes after all earlier stores. */
SPLITGEN_COPY void splitgen_put_piece(unsigned char *SPLITGEN_RESTRICT dst,
                                      const unsigned char *SPLITGEN_RESTRICT src, size_t bytes)
{
    memcpy(dst, src, bytes);
    SPLITGEN_IN_ORDER();
}

SPLITGEN_COPY void splitgen_put_32(unsigned char *SPLITGEN_RESTRICT dst,
                                   const unsigned char *SPLITGEN_RESTRICT src)
{
#if defined(__AVX__)
    splitgen_put_piece(dst, src, 32);
#else
    splitgen_put_piece(dst, src, 16);
    splitgen_put_piece(dst + 16, src + 16, 16);
#endif
}

/* memcpy of a literal size, up to 128, by moves in the order of their addresses. Outputs are
 * `restrict`, so gcc reorders stores to different outputs, but x86 processors are fastest in order.
 * clang copies 33 bytes by three moves that overlap (generator/plan/MEASURED.md, Copies). */
SPLITGEN_COPY void splitgen_put(void *SPLITGEN_RESTRICT dst, const void *SPLITGEN_RESTRICT src,
                                size_t bytes)
{
    unsigned char *d = SPLITGEN_POINTER(unsigned char, dst);
    const unsigned char *s = SPLITGEN_POINTER(const unsigned char, src);
    const size_t rest = bytes % (bytes < 16 ? 8 : 16);

    if (bytes == 3 || bytes == 5) {
        splitgen_put_piece(d, s, bytes - 1);
        splitgen_put_byte(d + bytes - 1, s + bytes - 1);
        SPLITGEN_IN_ORDER();
        return;
    }
    if (bytes < 8) {
        splitgen_put_piece(d, s, bytes);
        return;
    }
    if (bytes >= 128) {
        splitgen_put_32(d, s);
        splitgen_put_32(d + 32, s + 32);
        splitgen_put_32(d + 64, s + 64);
        splitgen_put_32(d + 96, s + 96);
        d += 128;
        s += 128;
    }
    if (bytes & 64) {
        splitgen_put_32(d, s);
        splitgen_put_32(d + 32, s + 32);
        d += 64;
        s += 64;
    }
    if (bytes & 32) {
        splitgen_put_32(d, s);
        d += 32;
        s += 32;
    }
    if (bytes & 16) {
        splitgen_put_piece(d, s, 16);
        d += 16;
        s += 16;
    }
    if (bytes < 16) {
        splitgen_put_piece(d, s, 8);
        d += 8;
        s += 8;
    }
    splitgen_put_rest(d, s, rest);
    SPLITGEN_IN_ORDER();
}
#else
#define splitgen_put(dst, src, bytes) memcpy(dst, src, bytes)
#endif

#ifdef __cplusplus
}
#endif

#endif
