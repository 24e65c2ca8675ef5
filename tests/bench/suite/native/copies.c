/* Plain copies of bytes, as an upper bound for a split or concat. */
#include "suite.h"

#include <string.h>

typedef void copy_fn(unsigned char *to, const unsigned char *from, size_t bytes);

static void copy_memcpy(unsigned char *to, const unsigned char *from, size_t bytes)
{
    memcpy(to, from, bytes);
}

#if defined(__x86_64__)
#include <immintrin.h>

#define ZMM  __attribute__((target("avx512f,avx512bw")))
#define YMM  __attribute__((target("avx2")))
#define PAGE 4096

static int always(void)
{
    return 1;
}

static int has_ymm(void)
{
    return __builtin_cpu_supports("avx2");
}

static int has_zmm(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
}

static void copy_rep_movsb(unsigned char *to, const unsigned char *from, size_t bytes)
{
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
}

/* Bytes up to the first line of `to`, at most `bytes`. */
static size_t head(const unsigned char *to, size_t bytes)
{
    size_t up = (size_t)(-(uintptr_t)to & 63);

    return up < bytes ? up : bytes;
}

YMM static void copy_ymm(unsigned char *to, const unsigned char *from, size_t bytes)
{
    if (bytes < 256) {
        memcpy(to, from, bytes);
        return;
    }
    size_t i = head(to, bytes);
    _mm256_storeu_si256((__m256i *)to, _mm256_loadu_si256((const __m256i *)from));
    _mm256_storeu_si256((__m256i *)(to + 32), _mm256_loadu_si256((const __m256i *)(from + 32)));
    for (; i + 128 <= bytes; i += 128) {
        __m256i a = _mm256_loadu_si256((const __m256i *)(from + i));
        __m256i b = _mm256_loadu_si256((const __m256i *)(from + i + 32));
        __m256i c = _mm256_loadu_si256((const __m256i *)(from + i + 64));
        __m256i d = _mm256_loadu_si256((const __m256i *)(from + i + 96));
        _mm256_store_si256((__m256i *)(to + i), a);
        _mm256_store_si256((__m256i *)(to + i + 32), b);
        _mm256_store_si256((__m256i *)(to + i + 64), c);
        _mm256_store_si256((__m256i *)(to + i + 96), d);
    }
    for (size_t j = bytes - 128; j < bytes; j += 32) {
        _mm256_storeu_si256((__m256i *)(to + j), _mm256_loadu_si256((const __m256i *)(from + j)));
    }
}

/* Four lines at a time; both loops of the file need the same body. */
#define ZMM_BLOCK(STORE, AT)                                                                       \
    do {                                                                                           \
        __m512i a_ = _mm512_loadu_si512(from + (AT));                                              \
        __m512i b_ = _mm512_loadu_si512(from + (AT) + 64);                                         \
        __m512i c_ = _mm512_loadu_si512(from + (AT) + 128);                                        \
        __m512i d_ = _mm512_loadu_si512(from + (AT) + 192);                                        \
        STORE((void *)(to + (AT)), a_);                                                            \
        STORE((void *)(to + (AT) + 64), b_);                                                       \
        STORE((void *)(to + (AT) + 128), c_);                                                      \
        STORE((void *)(to + (AT) + 192), d_);                                                      \
    } while (0)

/* From byte i on, which is on a line, to the end; the last lines overlap the previous ones. */
ZMM static void zmm_rest(unsigned char *to, const unsigned char *from, size_t i, size_t bytes)
{
    for (; i + 256 <= bytes; i += 256) {
        ZMM_BLOCK(_mm512_store_si512, i);
    }
    for (; i + 64 <= bytes; i += 64) {
        _mm512_storeu_si512(to + i, _mm512_loadu_si512(from + i));
    }
    if (i < bytes) {
        _mm512_storeu_si512(to + bytes - 64, _mm512_loadu_si512(from + bytes - 64));
    }
}

ZMM static void copy_zmm(unsigned char *to, const unsigned char *from, size_t bytes)
{
    if (bytes < 64) {
        memcpy(to, from, bytes);
        return;
    }
    _mm512_storeu_si512(to, _mm512_loadu_si512(from));
    zmm_rest(to, from, head(to, bytes), bytes);
}

ZMM static void copy_zmm_prefetch(unsigned char *to, const unsigned char *from, size_t bytes)
{
    if (bytes < 64) {
        memcpy(to, from, bytes);
        return;
    }
    _mm512_storeu_si512(to, _mm512_loadu_si512(from));
    size_t i = head(to, bytes);
    for (; i + 256 + 1536 <= bytes; i += 256) {
        for (size_t line = 0; line < 256; line += 64) {
            _mm_prefetch((const char *)(from + i + 1536 + line), _MM_HINT_T0);
        }
        ZMM_BLOCK(_mm512_store_si512, i);
    }
    zmm_rest(to, from, i, bytes);
}

/* Non-temporal stores, `pages` pages side by side as in glibc for large sizes; 1 means in order. */
ZMM static inline __attribute__((always_inline)) void
stream(unsigned char *to, const unsigned char *from, size_t bytes, size_t pages)
{
    if (bytes < 64) {
        memcpy(to, from, bytes);
        return;
    }
    _mm512_storeu_si512(to, _mm512_loadu_si512(from));
    size_t i = head(to, bytes);
    if (pages > 1) {
        for (; i + pages * PAGE <= bytes; i += pages * PAGE) {
            for (size_t line = 0; line < PAGE; line += 256) {
                for (size_t page = 0; page < pages; ++page) {
                    ZMM_BLOCK(_mm512_stream_si512, i + page * PAGE + line);
                }
            }
        }
    }
    for (; i + 256 <= bytes; i += 256) {
        ZMM_BLOCK(_mm512_stream_si512, i);
    }
    zmm_rest(to, from, i, bytes);
    _mm_sfence();
}

ZMM static void copy_zmm_nt(unsigned char *to, const unsigned char *from, size_t bytes)
{
    stream(to, from, bytes, 1);
}

ZMM static void copy_zmm_nt_2(unsigned char *to, const unsigned char *from, size_t bytes)
{
    stream(to, from, bytes, 2);
}

ZMM static void copy_zmm_nt_4(unsigned char *to, const unsigned char *from, size_t bytes)
{
    stream(to, from, bytes, 4);
}
#endif

/* Copies from the full tensor to a piece of a part, or back. */
static void move(copy_fn *copy, const suite_shape *shape, unsigned char *whole, void *part,
                 size_t bytes)
{
    if (shape->joins) {
        copy(whole, part, bytes);
    } else {
        copy(part, whole, bytes);
    }
}

static void pieces(copy_fn *copy, const suite_shape *shape, unsigned char *whole,
                   void *const parts[])
{
    size_t left = shape->whole_bytes;

    for (size_t i = 0; i < shape->nparts; ++i) {
        /* Packed parts each end with a byte of their own, so together they may be larger. */
        size_t bytes = shape->part_bytes[i] < left ? shape->part_bytes[i] : left;
        move(copy, shape, whole, parts[i], bytes);
        whole += bytes;
        left -= bytes;
    }
}

#define VARIANTS_ALL(X) X(memcpy, "glibc memcpy", always)
#if defined(__x86_64__)
#define VARIANTS(X)                                                                                \
    VARIANTS_ALL(X)                                                                                \
    X(rep_movsb, "rep movsb", always)                                                              \
    X(ymm, "ymm", has_ymm)                                                                         \
    X(zmm, "zmm", has_zmm)                                                                         \
    X(zmm_prefetch, "zmm + prefetch", has_zmm)                                                     \
    X(zmm_nt, "zmm nt", has_zmm)                                                                   \
    X(zmm_nt_2, "zmm nt 2 pages", has_zmm)                                                         \
    X(zmm_nt_4, "zmm nt 4 pages", has_zmm)
#else
#define VARIANTS(X) VARIANTS_ALL(X)
static int always(void)
{
    return 1;
}
#endif

#define DEFINE(id, name, has)                                                                      \
    static void whole_##id(const void *context, void *whole, void *const parts[])                  \
    {                                                                                              \
        const suite_shape *shape = context;                                                        \
        move(copy_##id, shape, whole, parts[0], shape->whole_bytes);                               \
    }                                                                                              \
    static void pieces_##id(const void *context, void *whole, void *const parts[])                 \
    {                                                                                              \
        pieces(copy_##id, context, whole, parts);                                                  \
    }
VARIANTS(DEFINE)

static const struct {
    const char *name;
    int (*has)(void);
    suite_context_fn *whole, *pieces;
} variants[] = {
#define ROW(id, name, has) {name, has, whole_##id, pieces_##id},
    VARIANTS(ROW)};

size_t suite_copy_count(void)
{
    return sizeof(variants) / sizeof(variants[0]);
}

const char *suite_copy_name(size_t index)
{
    return variants[index].has() ? variants[index].name : NULL;
}

suite_context_fn *suite_copy_whole(size_t index)
{
    return variants[index].whole;
}

suite_context_fn *suite_copy_pieces(size_t index)
{
    return variants[index].pieces;
}
