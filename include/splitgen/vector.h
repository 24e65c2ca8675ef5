/* What kernels with vector bodies need beside splitgen.h: whether this machine has the
 * instructions, whether stores should bypass its cache, and a few inline copies. Included by
 * generated code only; without a GNU compiler, or on other processors, it declares nothing and the
 * kernels keep their portable bodies. */
#ifndef SPLITGEN_VECTOR_H
#define SPLITGEN_VECTOR_H

#include <splitgen/splitgen.h>

/* SPLITGEN_NO_VECTOR leaves every vector body out, and so does a compiler that was told to leave
 * the vector registers alone, as for an operating system. */
#if !defined(SPLITGEN_NO_VECTOR) && defined(__GNUC__) && defined(__x86_64__) && defined(__SSE2__)
#define SPLITGEN_X86 1
#else
#define SPLITGEN_X86 0
#endif

#if !defined(SPLITGEN_NO_VECTOR) && defined(__GNUC__) && defined(__aarch64__) &&                   \
    defined(__ARM_NEON) && !defined(__AARCH64EB__)
#define SPLITGEN_NEON 1
#else
#define SPLITGEN_NEON 0
#endif

/* Outside of extern "C": these headers include others, which may hold templates. */
#if SPLITGEN_X86
#if !__STDC_HOSTED__ && !defined(__clang__) && !defined(_MM_MALLOC_H_INCLUDED)
#define _MM_MALLOC_H_INCLUDED /* gcc's own guard: its _mm_malloc() needs a hosted <stdlib.h> */
#endif
/* g++ 12 warns about the way its own header leaves values undefined on purpose. */
#if !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#if !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#elif SPLITGEN_NEON
#include <arm_neon.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Bits of splitgen_cpu(). A set bit means that the processor has the instructions and that the
 * operating system saves their registers. */
#define SPLITGEN_CPU_AVX2       1U
#define SPLITGEN_CPU_AVX512     2U /* F, BW, DQ and VL */
#define SPLITGEN_CPU_AVX512VBMI 4U
#define SPLITGEN_CPU_PEXT       8U  /* BMI2, and `pext` is one fast instruction */
#define SPLITGEN_CPU_INTEL      16U /* AVX512 as Intel makes it: two units, one of which shuffles */
#define SPLITGEN_CPU_STRINGS    32U /* AVX2, and `rep movsb` writes lines it has not read: Zen 5 */
#define SPLITGEN_CPU_ZEN4       64U /* AVX512 as Zen 4 makes it: 64 bytes are stored by halves */

/* Instruction sets of this machine; 0 on processors without a query. Asks the processor once and
 * remembers the answer; safe from any thread. */
unsigned splitgen_cpu(void);

/* Bytes an operation must touch (input and outputs together) before stores that bypass the cache
 * are faster than stores that fill it: three quarters of the last-level cache, as far as the
 * processor tells, of a Zen 4 not quite half of it, and at most 48 MiB. Safe from any thread. */
size_t splitgen_stream_bytes(void);

/* The same bits as far as the compiler was told (-march=...): for --dispatch=static. */
#if defined(__BMI2__)
#define SPLITGEN_CPU_BUILT_PEXT SPLITGEN_CPU_PEXT
#else
#define SPLITGEN_CPU_BUILT_PEXT 0U
#endif
#if defined(__znver4__)
#define SPLITGEN_CPU_BUILT_ZEN4 SPLITGEN_CPU_ZEN4
#else
#define SPLITGEN_CPU_BUILT_ZEN4 0U
#endif
#if defined(__znver5__)
#define SPLITGEN_CPU_BUILT_STRINGS SPLITGEN_CPU_STRINGS
#else
#define SPLITGEN_CPU_BUILT_STRINGS 0U
#endif
/* clang calls all of Intel's processors by one name. */
#if defined(__AVX512BW__) &&                                                                       \
    (defined(__corei7__) || defined(__skylake_avx512__) || defined(__cascadelake__) ||             \
     defined(__cooperlake__) || defined(__cannonlake__) || defined(__icelake_client__) ||          \
     defined(__icelake_server__) || defined(__tigerlake__) || defined(__rocketlake__) ||           \
     defined(__sapphirerapids__) || defined(__emeraldrapids__) || defined(__graniterapids__))
#define SPLITGEN_CPU_BUILT_MAKER SPLITGEN_CPU_INTEL
#else
#define SPLITGEN_CPU_BUILT_MAKER 0U
#endif
#if defined(__AVX512VBMI__) && defined(__AVX512VL__) && defined(__AVX512BW__) &&                   \
    defined(__AVX512DQ__)
#define SPLITGEN_CPU_BUILT                                                                         \
    (SPLITGEN_CPU_AVX2 | SPLITGEN_CPU_AVX512 | SPLITGEN_CPU_AVX512VBMI | SPLITGEN_CPU_BUILT_PEXT | \
     SPLITGEN_CPU_BUILT_MAKER | SPLITGEN_CPU_BUILT_STRINGS | SPLITGEN_CPU_BUILT_ZEN4)
#elif defined(__AVX512VL__) && defined(__AVX512BW__) && defined(__AVX512DQ__)
#define SPLITGEN_CPU_BUILT                                                                         \
    (SPLITGEN_CPU_AVX2 | SPLITGEN_CPU_AVX512 | SPLITGEN_CPU_BUILT_PEXT | SPLITGEN_CPU_BUILT_MAKER)
#elif defined(__AVX2__)
#define SPLITGEN_CPU_BUILT (SPLITGEN_CPU_AVX2 | SPLITGEN_CPU_BUILT_PEXT)
#else
#define SPLITGEN_CPU_BUILT SPLITGEN_CPU_BUILT_PEXT
#endif

#if SPLITGEN_X86

#define SPLITGEN_TARGET_AVX2   __attribute__((target("avx2")))
#define SPLITGEN_TARGET_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#define SPLITGEN_TARGET_AVX512VBMI                                                                 \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")))
/* Where vectors are rotated, and what that takes. */
#define SPLITGEN_ROTATES (SPLITGEN_CPU_ZEN4 | SPLITGEN_CPU_AVX512VBMI | SPLITGEN_CPU_PEXT)
#define SPLITGEN_TARGET_ROTATED                                                                    \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,bmi2")))

/* clang replaces sequences of shuffles, and blends whose mask it knows, by two-source permutes that
 * cost twice as much (3-way u8 in L1: 125 instead of 205 GB/s). An empty asm on a value or on a
 * mask keeps them as written. gcc keeps them anyway. */
#if defined(__clang__)
#define SPLITGEN_KEEP(value)     __asm__("" : "+v"(value))
#define SPLITGEN_KEEP_MASK(mask) __asm__("" : "+k"(mask))
#else
#define SPLITGEN_KEEP(value)     ((void)0)
#define SPLITGEN_KEEP_MASK(mask) ((void)0)
#endif

/* gcc reads memory again for every use of a vector that may be an operand from memory, and loads
 * are scarce (f64 2 and 1 in L1: 185 instead of 256 GB/s). */
#define SPLITGEN_KEEP_LOAD(value) __asm__("" : "+v"(value))

/* Asks for a line that will be read; it may lie behind the end of its buffer, where nothing is
 * read but a pointer must not point either. */
#ifdef __cplusplus
#define SPLITGEN_PREFETCH(pointer, bytes)                                                          \
    __builtin_prefetch(                                                                            \
        reinterpret_cast<const void *>(reinterpret_cast<uintptr_t>(pointer) + (bytes)))
#else
#define SPLITGEN_PREFETCH(pointer, bytes)                                                          \
    __builtin_prefetch((const void *)((uintptr_t)(pointer) + (bytes)))
#endif

/* The same for a line at an address that will be read some thousand cycles later: the first-level
 * cache has no room for it until then. */
#ifdef __cplusplus
#define SPLITGEN_PREFETCH_FAR(address)                                                             \
    __builtin_prefetch(reinterpret_cast<const void *>(address), 0, 2)
#else
#define SPLITGEN_PREFETCH_FAR(address) __builtin_prefetch((const void *)(address), 0, 2)
#endif

/* A pointer to void made one to something else; a number of another type; where a pointer points.
 */
#ifdef __cplusplus
#define SPLITGEN_POINTER(type, pointer) static_cast<type *>(pointer)
#define SPLITGEN_NUMBER(type, number)   static_cast<type>(number)
#define SPLITGEN_ADDRESS(pointer)       reinterpret_cast<uintptr_t>(pointer)
#else
#define SPLITGEN_POINTER(type, pointer) ((type *)(pointer))
#define SPLITGEN_NUMBER(type, number)   ((type)(number))
#define SPLITGEN_ADDRESS(pointer)       ((uintptr_t)(pointer))
#endif

/* What splitgen_cpu() answered, and a bit that it did; 0 before it was asked. */
extern unsigned splitgen_cpu_answer;

/* For functions whose caller has asked; no bit is set before anybody did. */
static inline unsigned splitgen_asked_cpu(void)
{
    return __atomic_load_n(&splitgen_cpu_answer, __ATOMIC_RELAXED);
}

/* splitgen_cpu() without a call once it was asked: 4 x 32 floats take 5 to 10 % less. */
static inline unsigned splitgen_known_cpu(void)
{
    const unsigned known = splitgen_asked_cpu();

    return known != 0 ? known : splitgen_cpu();
}

/* Copies are always part of the kernel: every size in one is a literal, so every branch folds. */
#define SPLITGEN_COPY static inline __attribute__((always_inline))

/* Once in a file that needs it, for what would make code long and no faster. */
#if defined(__clang__)
#define SPLITGEN_ONCE static inline __attribute__((noinline))
#else
#define SPLITGEN_ONCE static __attribute__((noinline, unused))
#endif

/* For what is done once at most. */
#define SPLITGEN_COLD static __attribute__((noinline, cold))

/* Keeps what stands before it before what stands behind it; costs no instruction. */
#define SPLITGEN_IN_ORDER() __asm__ volatile("" : : : "memory")

SPLITGEN_TARGET_AVX2
static inline __m256i splitgen_load_avx2(const void *src)
{
    return _mm256_loadu_si256(SPLITGEN_POINTER(const __m256i, src));
}

SPLITGEN_TARGET_AVX2
static inline void splitgen_store_avx2(void *dst, __m256i value)
{
    _mm256_storeu_si256(SPLITGEN_POINTER(__m256i, dst), value);
}

/* Copies of at least one vector, the last vector overlapping the one before where `bytes` is no
 * multiple. `lines` is for what fits the first-level cache: as few and wide instructions as there
 * are. */
SPLITGEN_TARGET_AVX512
SPLITGEN_COPY void splitgen_lines_avx512(void *SPLITGEN_RESTRICT dst,
                                         const void *SPLITGEN_RESTRICT src, size_t bytes)
{
    char *d = SPLITGEN_POINTER(char, dst);
    const char *s = SPLITGEN_POINTER(const char, src);
    size_t left = bytes;

    for (; left >= 256; left -= 256, d += 256, s += 256) {
        const __m512i v0 = _mm512_loadu_si512(s);
        const __m512i v1 = _mm512_loadu_si512(s + 64);
        const __m512i v2 = _mm512_loadu_si512(s + 128);
        const __m512i v3 = _mm512_loadu_si512(s + 192);
        _mm512_storeu_si512(d, v0);
        _mm512_storeu_si512(d + 64, v1);
        _mm512_storeu_si512(d + 128, v2);
        _mm512_storeu_si512(d + 192, v3);
    }
    if (left >= 128) {
        const __m512i v0 = _mm512_loadu_si512(s);
        const __m512i v1 = _mm512_loadu_si512(s + 64);
        _mm512_storeu_si512(d, v0);
        _mm512_storeu_si512(d + 64, v1);
        left -= 128;
        d += 128;
        s += 128;
    }
    if (left >= 64) {
        _mm512_storeu_si512(d, _mm512_loadu_si512(s));
        left -= 64;
        d += 64;
        s += 64;
    }
    if (left > 0) {
        _mm512_storeu_si512(d + left - 64, _mm512_loadu_si512(s + left - 64));
    }
}

SPLITGEN_TARGET_AVX2
SPLITGEN_COPY void splitgen_lines_avx2(void *SPLITGEN_RESTRICT dst,
                                       const void *SPLITGEN_RESTRICT src, size_t bytes)
{
    char *d = SPLITGEN_POINTER(char, dst);
    const char *s = SPLITGEN_POINTER(const char, src);
    size_t left = bytes;

    for (; left >= 64; left -= 64, d += 64, s += 64) {
        const __m256i v0 = splitgen_load_avx2(s);
        const __m256i v1 = splitgen_load_avx2(s + 32);
        splitgen_store_avx2(d, v0);
        splitgen_store_avx2(d + 32, v1);
    }
    if (left >= 32) {
        splitgen_store_avx2(d, splitgen_load_avx2(s));
        left -= 32;
        d += 32;
        s += 32;
    }
    if (left > 0) {
        splitgen_store_avx2(d + left - 32, splitgen_load_avx2(s + left - 32));
    }
}

SPLITGEN_TARGET_AVX2
SPLITGEN_COPY void splitgen_run_128(char *d, const char *s)
{
    __m256i v0 = splitgen_load_avx2(s);
    __m256i v1 = splitgen_load_avx2(s + 32);
    __m256i v2 = splitgen_load_avx2(s + 64);
    __m256i v3 = splitgen_load_avx2(s + 96);
    SPLITGEN_KEEP(v0); /* clang makes one load of 64 bytes of two */
    SPLITGEN_KEEP(v1);
    SPLITGEN_KEEP(v2);
    SPLITGEN_KEEP(v3);
    splitgen_store_avx2(d, v0);
    splitgen_store_avx2(d + 32, v1);
    splitgen_store_avx2(d + 64, v2);
    splitgen_store_avx2(d + 96, v3);
    SPLITGEN_IN_ORDER();
}

SPLITGEN_TARGET_AVX2
SPLITGEN_COPY void splitgen_run_512(char *d, const char *s)
{
    splitgen_run_128(d, s);
    splitgen_run_128(d + 128, s + 128);
    splitgen_run_128(d + 256, s + 256);
    splitgen_run_128(d + 384, s + 384);
}

/* The same for what does not fit the first-level cache: 1024 bytes in straight line, as prefetchers
 * that follow the steps of single load instructions are in the way when the next run begins
 * elsewhere. Zen 5, L2, GB/s, medians over placements of the buffers, straight lines of
 *
 *     bytes                    128    256    512   1024
 *     64 rows of 4 x 1024       72     72    123    117     loads of 32 bytes
 *                               73     74    119    110                64
 *     42 rows of 3 x 2048       71     68     84    115                32
 *                               73     73     72    115                64
 *     128 rows of 2 x 1024     126    126    121    116                32
 *                              126    118    127     80                64
 */
SPLITGEN_TARGET_AVX2
SPLITGEN_COPY void splitgen_run_avx2(void *SPLITGEN_RESTRICT dst, const void *SPLITGEN_RESTRICT src,
                                     size_t bytes)
{
    char *d = SPLITGEN_POINTER(char, dst);
    const char *s = SPLITGEN_POINTER(const char, src);
    size_t left = bytes;

    for (; left >= 1024; left -= 1024, d += 1024, s += 1024) {
        splitgen_run_512(d, s);
        splitgen_run_512(d + 512, s + 512);
    }
    if (left >= 512) {
        splitgen_run_512(d, s);
        left -= 512;
        d += 512;
        s += 512;
    }
    if (left >= 256) {
        splitgen_run_128(d, s);
        splitgen_run_128(d + 128, s + 128);
        left -= 256;
        d += 256;
        s += 256;
    }
    if (left >= 128) {
        splitgen_run_128(d, s);
        left -= 128;
        d += 128;
        s += 128;
    }
    if (left > 0) {
        /* the last bytes of less than a vector overlap what stands before them */
        splitgen_lines_avx2(d, s, left);
    }
}

SPLITGEN_TARGET_AVX512
SPLITGEN_COPY void splitgen_run_avx512(void *SPLITGEN_RESTRICT dst,
                                       const void *SPLITGEN_RESTRICT src, size_t bytes)
{
    splitgen_run_avx2(dst, src, bytes);
}

/* The same for rows of few long runs: one loop for all of them, never in line, one vector at a
 * time. All of the input is one stream for its one load instruction, which prefetchers follow best
 * as long as calls are rare. Zen 5, L2: rows of 6144 + 512 + 512 bytes 128 GB/s, in straight line
 * 120; 8192 + 2048 + 2048 128 and 125; but 4 x 1024 75 or 110, whatever pages the buffers got. */
void splitgen_long_avx512(void *dst, const void *src, size_t bytes);
void splitgen_long_avx2(void *dst, const void *src, size_t bytes);

/* Whether a processor with these bits of splitgen_cpu() copies long runs by its string instruction;
 * SG_STRING_BYTES in the generator's budget.h has measurements. */
SPLITGEN_COPY bool splitgen_strings(unsigned cpu)
{
    return (cpu & SPLITGEN_CPU_STRINGS) != 0;
}

/* Where the string instruction is fast whatever cache the data fits: it is not where only the
 * output begins within a line. */
SPLITGEN_COPY bool splitgen_suits_string(const void *dst, const void *src)
{
    return SPLITGEN_ADDRESS(dst) % 64 == 0 ||
           (SPLITGEN_ADDRESS(dst) ^ SPLITGEN_ADDRESS(src)) % 64 == 0;
}

SPLITGEN_COPY void splitgen_string(void *dst, const void *src, size_t bytes)
{
    __asm__ volatile("rep movsb" : "+D"(dst), "+S"(src), "+c"(bytes) : : "memory");
}

/* Past the cache, so many parts of the rows are copied by turns. Intel's prefetchers stop at the
 * end of a page; while they find into the next one of one part, the others keep memory busy. AMD's
 * follow single instructions, which then jump from part to part. GB/s beyond the caches, with parts
 *
 *                                   1      2      4      8
 *     Emerald Rapids, 3 x 3072    10.2          13.7   14.0
 *                     3 x 1        9.5          13.0   13.4
 *                    16 x 1024    10.1   11.3   12.3   12.5
 *     Zen 5,          3 x 1       25.1   26.3   14.0
 *                     4 x 1       24.4   22.9   14.1
 *                    128 + 64     24.4   25.2   17.5
 *                    26 x 256     21.8   18.2   15.9
 */
#define SPLITGEN_FRONTS_MAX 4

/* For a processor with these bits of splitgen_cpu(). */
SPLITGEN_COPY size_t splitgen_fronts(unsigned cpu)
{
    return 1 + (SPLITGEN_FRONTS_MAX - 1) * (cpu / SPLITGEN_CPU_INTEL & 1);
}

/* How far ahead of a streaming copy its source is asked for, as memory likes to read for a while
 * and then to write for a while. Zen 5, GB/s beyond the caches, all rows behind each other:
 *
 *                            alone   ahead by 2048   4096   8192   16384
 *     4 x 1024 bytes          22.5                   29.0   27.2    29.2
 *     26 x 256                21.0       25.9        28.3   29.2
 *     3 x 1536                20.2                   30.2   30.1    29.8
 *     2 x 6144                20.4                   29.7   30.3    30.4
 *
 * (another day 26 x 256: 20.4, 19.3, 22.2, 23.0). Four parts by turns take four times as long for
 * these bytes: Emerald Rapids, 3 x 3072, 10.5 GB/s ahead by 8192 and 12.8 by 2048. A Zen 4 is
 * faster without (0: what is asked for is read next), so many times: 3 x 3072 and 512 + 128 + 128
 * floats 1.03 to 1.1, 2 x 1024 1.08, 232 + 232 1.05, 63 + 65 1.03, 40 + 20 + 20 1.2, 26 x 256 1.05.
 */
SPLITGEN_COPY size_t splitgen_ahead(size_t fronts)
{
    const unsigned cpu = splitgen_asked_cpu() | SPLITGEN_CPU_BUILT;

    return fronts > 1 ? 2048 : (cpu & SPLITGEN_CPU_ZEN4) != 0 ? 0 : 8192;
}

/* What of a run is copied in turn: SG_FRONT_BYTES in the generator's budget.h has measurements. */
#define SPLITGEN_FRONT_BYTES 512

/* Runs from this size on are cut into parts themselves. */
#define SPLITGEN_CUT_MIN 65536

/* Asks for a part of the block of rows behind the one that is copied now. */
static inline void splitgen_ask_far(uintptr_t address, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += 64) {
        SPLITGEN_PREFETCH_FAR(address + i);
    }
}

SPLITGEN_TARGET_AVX2
SPLITGEN_COPY void splitgen_ask(const void *src, size_t bytes, size_t ahead)
{
    for (size_t i = 0; i < bytes; i += 64) {
        SPLITGEN_PREFETCH(src, ahead + i);
    }
}

/* Whole lines past the cache: dst at a multiple of 64, bytes a multiple of 64. Such stores are not
 * ordered with others, not even by releasing a lock: _mm_sfence() comes after the last of a call.
 */
SPLITGEN_TARGET_AVX512
SPLITGEN_COPY void splitgen_burst_avx512(char *d, const char *s, size_t bytes, size_t ahead)
{
    splitgen_ask(s, bytes, ahead);
    for (size_t i = 0; i < bytes; i += 64) {
        _mm512_stream_si512(SPLITGEN_POINTER(__m512i, SPLITGEN_POINTER(void, d + i)),
                            _mm512_loadu_si512(s + i));
    }
}

SPLITGEN_TARGET_AVX2
SPLITGEN_COPY void splitgen_burst_avx2(char *d, const char *s, size_t bytes, size_t ahead)
{
    splitgen_ask(s, bytes, ahead);
    for (size_t i = 0; i < bytes; i += 32) {
        _mm256_stream_si256(SPLITGEN_POINTER(__m256i, SPLITGEN_POINTER(void, d + i)),
                            splitgen_load_avx2(s + i));
    }
}

/* A run of each part by turns; the parts are dst_step and src_step bytes apart. Not in line: calls
 * are not seen beyond the caches, and compilers take seconds over a row of 26. */
SPLITGEN_TARGET_AVX512
SPLITGEN_ONCE void splitgen_fronts_avx512(void *SPLITGEN_RESTRICT dst, size_t dst_step,
                                          const void *SPLITGEN_RESTRICT src, size_t src_step,
                                          size_t bytes, size_t fronts)
{
    char *d = SPLITGEN_POINTER(char, dst);
    const char *s = SPLITGEN_POINTER(const char, src);
    const size_t ahead = splitgen_ahead(fronts);

    for (size_t left = bytes; left > 0;) {
        const size_t turn = left < SPLITGEN_FRONT_BYTES ? left : SPLITGEN_FRONT_BYTES;

        for (size_t i = 0; i < fronts; ++i) {
            splitgen_burst_avx512(d + i * dst_step, s + i * src_step, turn, ahead);
        }
        d += turn;
        s += turn;
        left -= turn;
    }
}

SPLITGEN_TARGET_AVX2
SPLITGEN_ONCE void splitgen_fronts_avx2(void *SPLITGEN_RESTRICT dst, size_t dst_step,
                                        const void *SPLITGEN_RESTRICT src, size_t src_step,
                                        size_t bytes, size_t fronts)
{
    char *d = SPLITGEN_POINTER(char, dst);
    const char *s = SPLITGEN_POINTER(const char, src);
    const size_t ahead = splitgen_ahead(fronts);

    for (size_t left = bytes; left > 0;) {
        const size_t turn = left < SPLITGEN_FRONT_BYTES ? left : SPLITGEN_FRONT_BYTES;

        for (size_t i = 0; i < fronts; ++i) {
            splitgen_burst_avx2(d + i * dst_step, s + i * src_step, turn, ahead);
        }
        d += turn;
        s += turn;
        left -= turn;
    }
}

/* Bytes of each part of a run that is long enough for parts. */
SPLITGEN_COPY size_t splitgen_part(size_t bytes, size_t fronts)
{
    return bytes < SPLITGEN_CUT_MIN ? 0 : bytes / fronts / 64 * 64;
}

/* One run; its own parts take turns where it is long. */
SPLITGEN_TARGET_AVX512
SPLITGEN_COPY void splitgen_stream_avx512(void *SPLITGEN_RESTRICT dst,
                                          const void *SPLITGEN_RESTRICT src, size_t bytes,
                                          size_t fronts)
{
    const size_t part = splitgen_part(bytes, fronts);
    const size_t done = fronts * part;

    splitgen_fronts_avx512(dst, part, src, part, part, fronts);
    splitgen_burst_avx512(SPLITGEN_POINTER(char, dst) + done,
                          SPLITGEN_POINTER(const char, src) + done, bytes - done,
                          splitgen_ahead(fronts));
}

SPLITGEN_TARGET_AVX2
SPLITGEN_COPY void splitgen_stream_avx2(void *SPLITGEN_RESTRICT dst,
                                        const void *SPLITGEN_RESTRICT src, size_t bytes,
                                        size_t fronts)
{
    const size_t part = splitgen_part(bytes, fronts);
    const size_t done = fronts * part;

    splitgen_fronts_avx2(dst, part, src, part, part, fronts);
    splitgen_burst_avx2(SPLITGEN_POINTER(char, dst) + done,
                        SPLITGEN_POINTER(const char, src) + done, bytes - done,
                        splitgen_ahead(fronts));
}

/* Any number of bytes to and from anywhere, whole lines past the cache. */
SPLITGEN_TARGET_AVX2
SPLITGEN_ONCE void splitgen_past_avx2(void *SPLITGEN_RESTRICT dst,
                                      const void *SPLITGEN_RESTRICT src, size_t bytes,
                                      size_t fronts)
{
    char *d = SPLITGEN_POINTER(char, dst);
    const char *s = SPLITGEN_POINTER(const char, src);
    const size_t head = (64 - SPLITGEN_ADDRESS(dst) % 64) % 64;
    size_t left = bytes;

    if (bytes >= head + 64) {
        const size_t lines = (bytes - head) / 64 * 64;

        memcpy(d, s, head);
        splitgen_stream_avx2(d + head, s + head, lines, fronts);
        _mm_sfence();
        left -= head + lines;
        d += head + lines;
        s += head + lines;
    }
    memcpy(d, s, left);
}

/* An output written line by line, whatever the width of its rows and wherever it begins: what does
 * not fill a line stays in a register until the next row completes it. A store that crosses lines
 * takes twice the time, and in the second-level cache more: Emerald Rapids, rows of 85 + 170 bytes,
 * L1 55 against 34 GB/s, L2 26 against 12; see SG_FEED_MIN in the generator's budget.h. */
typedef struct splitgen_feed {
    char *line;    /* the line that is not full yet, at a multiple of 64 */
    size_t fill;   /* bytes of it that are known, less than 64 */
    size_t ahead;  /* past the cache: how far ahead of itself it asks */
    __m512i known; /* those bytes, and behind them anything */
} splitgen_feed;

/* Those of an output for all parts of the rows that take turns. */
typedef struct splitgen_feeds {
    splitgen_feed of[SPLITGEN_FRONTS_MAX];
} splitgen_feeds;

/* The first n bytes of a line, n at most 63. */
SPLITGEN_TARGET_AVX512
SPLITGEN_COPY __mmask64 splitgen_first_bytes(size_t n)
{
    return ~(~UINT64_C(0) << n);
}

/* clang makes one store of both, which goes through the cache, before it knows which it is. */
SPLITGEN_TARGET_AVX512
SPLITGEN_COPY void splitgen_line_avx512(char *line, __m512i value, bool stream)
{
    if (stream) {
#if defined(__clang__)
        __asm__("vmovntdq %1, %0"
                : "=m"(*SPLITGEN_POINTER(__m512i, SPLITGEN_POINTER(void, line)))
                : "v"(value));
#else
        _mm512_stream_si512(SPLITGEN_POINTER(__m512i, SPLITGEN_POINTER(void, line)), value);
#endif
    } else {
        _mm512_store_si512(line, value);
    }
}

/* Begins behind at least 64 bytes of the output that are written already; `end` is where they end.
 */
SPLITGEN_TARGET_AVX512
SPLITGEN_COPY void splitgen_feed_begin(splitgen_feed *feed, void *end, size_t ahead)
{
    feed->ahead = ahead;
    feed->fill = SPLITGEN_ADDRESS(end) % 64;
    feed->line = SPLITGEN_POINTER(char, end) - feed->fill;
    feed->known = _mm512_maskz_loadu_epi8(splitgen_first_bytes(feed->fill), feed->line);
}

/* Appends less than a line. */
SPLITGEN_TARGET_AVX512
SPLITGEN_COPY void splitgen_append_part(splitgen_feed *feed, const char *src, size_t bytes,
                                        bool stream)
{
    const char *s = src - feed->fill; /* of the first of all bytes the line holds then */
    const size_t fill = feed->fill + bytes;
    const __mmask64 all = fill < 64 ? splitgen_first_bytes(fill) : ~UINT64_C(0);
    const __m512i value =
        _mm512_mask_loadu_epi8(feed->known, all & ~splitgen_first_bytes(feed->fill), s);

    if (fill < 64) {
        feed->known = value;
        feed->fill = fill;
    } else {
        splitgen_line_avx512(feed->line, value, stream);
        feed->line += 64;
        feed->fill = fill - 64;
        feed->known = _mm512_maskz_loadu_epi8(splitgen_first_bytes(feed->fill), s + 64);
    }
}

/* Appends at least a line. The bytes in front of src are those of the rows before: none is read
 * that was not part of them, or of the bytes appended. */
SPLITGEN_TARGET_AVX512
SPLITGEN_COPY void splitgen_append_lines(splitgen_feed *feed, const char *src, size_t bytes,
                                         bool stream)
{
    const __mmask64 fresh = ~splitgen_first_bytes(feed->fill);
    const char *s = src - feed->fill;
    char *line = feed->line;
    __m512i v0 = _mm512_mask_loadu_epi8(feed->known, fresh, s);
    size_t left = bytes;

    if (left >= 256) {
        for (;;) {
            const __m512i v1 = _mm512_loadu_si512(s + 64);
            const __m512i v2 = _mm512_loadu_si512(s + 128);
            const __m512i v3 = _mm512_loadu_si512(s + 192);
            if (stream) {
                splitgen_ask(s, 256, feed->ahead);
            }
            splitgen_line_avx512(line, v0, stream);
            splitgen_line_avx512(line + 64, v1, stream);
            splitgen_line_avx512(line + 128, v2, stream);
            splitgen_line_avx512(line + 192, v3, stream);
            left -= 256;
            line += 256;
            s += 256;
            if (left < 256) {
                break;
            }
            v0 = _mm512_loadu_si512(s);
        }
        if (left >= 64) {
            v0 = _mm512_loadu_si512(s);
        }
    }
    if (stream) {
        splitgen_ask(s, left, feed->ahead);
    }
    if (left >= 128) {
        const __m512i v1 = _mm512_loadu_si512(s + 64);
        splitgen_line_avx512(line, v0, stream);
        splitgen_line_avx512(line + 64, v1, stream);
        left -= 128;
        line += 128;
        s += 128;
        if (left >= 64) {
            v0 = _mm512_loadu_si512(s);
        }
    }
    if (left >= 64) {
        splitgen_line_avx512(line, v0, stream);
        left -= 64;
        line += 64;
        s += 64;
    }
    feed->fill += left;
    if (left > 0 && feed->fill >= 64) {
        splitgen_line_avx512(line, _mm512_loadu_si512(s), stream);
        line += 64;
        s += 64;
        feed->fill -= 64;
    }
    feed->line = line;
    feed->known = _mm512_maskz_loadu_epi8(splitgen_first_bytes(feed->fill), s);
}

/* Appends a row; `stream` as in splitgen_stream_avx512(). */
SPLITGEN_TARGET_AVX512
SPLITGEN_COPY void splitgen_feed_avx512(splitgen_feed *feed, const void *src, size_t bytes,
                                        bool stream)
{
    const char *s = SPLITGEN_POINTER(const char, src);

    if (bytes < 64) {
        splitgen_append_part(feed, s, bytes, stream);
    } else {
        splitgen_append_lines(feed, s, bytes, stream);
    }
}

/* A row of each part by turns, past the cache; the parts are src_step bytes apart. */
SPLITGEN_TARGET_AVX512
SPLITGEN_ONCE void splitgen_feed_fronts(splitgen_feeds *feeds, const void *src, size_t src_step,
                                        size_t bytes, size_t fronts)
{
    const char *s = SPLITGEN_POINTER(const char, src);

    for (size_t left = bytes; left > 0;) {
        const size_t turn = left < 2 * SPLITGEN_FRONT_BYTES ? left : SPLITGEN_FRONT_BYTES;

        for (size_t i = 0; i < fronts; ++i) {
            splitgen_feed_avx512(&feeds->of[i], s + i * src_step, turn, true);
        }
        s += turn;
        left -= turn;
    }
}

/* A row of an output, past the cache, by whole lines wherever it begins: what stands in front of it
 * in its first line are the last bytes of its column in the row before, row_bytes in front of src.
 * What does not fill its last line is left to the row behind it; `is_first` and `is_last` have none
 * to share a line with. At least a line. Keeps nothing in between, so any number of outputs may be
 * written side by side. Not in line: calls are not seen beyond the caches. */
SPLITGEN_TARGET_AVX512
SPLITGEN_ONCE void splitgen_row_avx512(void *SPLITGEN_RESTRICT dst,
                                       const void *SPLITGEN_RESTRICT src, size_t bytes,
                                       size_t row_bytes, bool is_first, bool is_last)
{
    const size_t fill = SPLITGEN_ADDRESS(dst) % 64;
    const __mmask64 before = splitgen_first_bytes(fill);
    char *line = SPLITGEN_POINTER(char, dst) + (64 - fill);
    const char *s = SPLITGEN_POINTER(const char, src) + (64 - fill);
    size_t left = bytes - (64 - fill);

    if (is_first) {
        _mm512_storeu_si512(dst, _mm512_loadu_si512(src));
    } else {
        const char *end = s + (bytes - 64) - row_bytes; /* of the row before, less `fill` */
        const __m512i known = _mm512_maskz_loadu_epi8(before, end);
        const __m512i value = _mm512_mask_loadu_epi8(known, ~before, s - 64);
        splitgen_line_avx512(line - 64, value, true);
    }
    for (; left >= 256; left -= 256, line += 256, s += 256) {
        const __m512i v0 = _mm512_loadu_si512(s);
        const __m512i v1 = _mm512_loadu_si512(s + 64);
        const __m512i v2 = _mm512_loadu_si512(s + 128);
        const __m512i v3 = _mm512_loadu_si512(s + 192);
        splitgen_line_avx512(line, v0, true);
        splitgen_line_avx512(line + 64, v1, true);
        splitgen_line_avx512(line + 128, v2, true);
        splitgen_line_avx512(line + 192, v3, true);
    }
    for (; left >= 64; left -= 64, line += 64, s += 64) {
        splitgen_line_avx512(line, _mm512_loadu_si512(s), true);
    }
    if (is_last) {
        const __mmask64 rest = splitgen_first_bytes(left);
        _mm512_mask_storeu_epi8(line, rest, _mm512_maskz_loadu_epi8(rest, s));
    }
}

/* Where the bytes of a vector come from that is turned by `fill` bytes. */
SPLITGEN_TARGET_AVX512
SPLITGEN_COPY __m512i splitgen_turn_from(size_t fill)
{
    const __m512i from = _mm512_set_epi64(
        0x3f3e3d3c3b3a3938, 0x3736353433323130, 0x2f2e2d2c2b2a2928, 0x2726252423222120,
        0x1f1e1d1c1b1a1918, 0x1716151413121110, 0x0f0e0d0c0b0a0908, 0x0706050403020100);

    return _mm512_sub_epi8(from, _mm512_set1_epi8(SPLITGEN_NUMBER(char, fill)));
}

/* A vector turned so that its first byte lies where the feed has room for it. Of the second, fill
 * is a multiple of 4. */
SPLITGEN_TARGET_AVX512VBMI
SPLITGEN_COPY __m512i splitgen_turn_bytes(const splitgen_feed *feed, __m512i value)
{
    return _mm512_permutexvar_epi8(splitgen_turn_from(feed->fill), value);
}

SPLITGEN_TARGET_AVX512
SPLITGEN_COPY __m512i splitgen_turn_words(const splitgen_feed *feed, __m512i value)
{
    const __m512i from = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    const __m512i turn = _mm512_set1_epi32(SPLITGEN_NUMBER(int, feed->fill / 4));

    return _mm512_permutexvar_epi32(_mm512_sub_epi32(from, turn), value);
}

/* Appends a vector that was turned. What of it belongs to the next line stays where it is. */
SPLITGEN_TARGET_AVX512
SPLITGEN_COPY void splitgen_feed_turned(splitgen_feed *feed, __m512i turned, bool stream)
{
    const __mmask64 known = splitgen_first_bytes(feed->fill);

    splitgen_line_avx512(feed->line, _mm512_mask_blend_epi8(known, turned, feed->known), stream);
    feed->line += 64;
    feed->known = turned;
}

/* Writes what is left. */
SPLITGEN_TARGET_AVX512
SPLITGEN_COPY void splitgen_feed_end(const splitgen_feed *feed)
{
    _mm512_mask_storeu_epi8(feed->line, splitgen_first_bytes(feed->fill), feed->known);
}

/* The same for short rows where processors store by halves and every load off a line counts
 * (SPLITGEN_CPU_ZEN4): vectors are loaded once and turned, so that what the first of them has for
 * a line and what the next line begins with are in one register. Reads less than a line behind what
 * it appends. */
typedef struct splitgen_rotated {
    char *line;    /* the line that is not full yet, at a multiple of 64 */
    size_t fill;   /* bytes of it that are known, less than 64 */
    __m512i known; /* those bytes, and behind them anything */
    __m512i from;  /* where the bytes of a vector come from that is turned to lie behind them */
} splitgen_rotated;

SPLITGEN_TARGET_AVX512
SPLITGEN_COPY void splitgen_rotated_begin(splitgen_rotated *rotated, void *end)
{
    rotated->fill = SPLITGEN_ADDRESS(end) % 64;
    rotated->line = SPLITGEN_POINTER(char, end) - rotated->fill;
    rotated->known = _mm512_maskz_loadu_epi8(splitgen_first_bytes(rotated->fill), rotated->line);
    rotated->from = splitgen_turn_from(rotated->fill);
}

/* The last bytes of a row, less than a vector. */
SPLITGEN_TARGET_AVX512
SPLITGEN_COPY __m512i splitgen_load_rest(const char *src, size_t bytes)
{
    if (bytes <= 16) {
        return _mm512_castsi128_si512(
            _mm_loadu_si128(SPLITGEN_POINTER(const __m128i, SPLITGEN_POINTER(const void, src))));
    }
    return bytes <= 32 ? _mm512_castsi256_si512(splitgen_load_avx2(src)) : _mm512_loadu_si512(src);
}

/* Appends a row. */
SPLITGEN_TARGET_ROTATED
SPLITGEN_COPY void splitgen_rotate_avx512(splitgen_rotated *rotated, const void *src, size_t bytes)
{
    const char *s = SPLITGEN_POINTER(const char, src);
    const __mmask64 fresh = ~UINT64_C(0) << rotated->fill;
    const size_t rest = bytes % 64;

    for (size_t left = bytes; left >= 64; left -= 64) {
        const __m512i turned = _mm512_permutexvar_epi8(rotated->from, _mm512_loadu_si512(s));
        _mm512_store_si512(rotated->line, _mm512_mask_blend_epi8(fresh, rotated->known, turned));
        rotated->known = turned;
        rotated->line += 64;
        s += 64;
    }
    if (rest > 0) {
        const __m512i turned = _mm512_permutexvar_epi8(rotated->from, splitgen_load_rest(s, rest));
        const __m512i value = _mm512_mask_blend_epi8(fresh, rotated->known, turned);
        rotated->from =
            _mm512_sub_epi8(rotated->from, _mm512_set1_epi8(SPLITGEN_NUMBER(char, rest)));
        rotated->known = value;
        rotated->fill += rest;
        if (rotated->fill >= 64) {
            _mm512_store_si512(rotated->line, value);
            rotated->known = turned;
            rotated->line += 64;
            rotated->fill -= 64;
        }
    }
}

/* Writes what is left. */
SPLITGEN_TARGET_AVX512
SPLITGEN_COPY void splitgen_rotated_end(const splitgen_rotated *rotated)
{
    _mm512_mask_storeu_epi8(rotated->line, splitgen_first_bytes(rotated->fill), rotated->known);
}

SPLITGEN_TARGET_AVX2
static inline __m128i splitgen_load_16(const void *src)
{
    return _mm_loadu_si128(SPLITGEN_POINTER(const __m128i, src));
}

SPLITGEN_TARGET_AVX2
static inline __m128i splitgen_load_8(const void *src)
{
    return _mm_loadl_epi64(SPLITGEN_POINTER(const __m128i, src));
}

/* A vector put together from pieces of neighbouring rows, `step` bytes apart. */
SPLITGEN_TARGET_AVX512
static inline __m512i splitgen_load_2x32(const void *src, size_t step)
{
    const char *s = SPLITGEN_POINTER(const char, src);
    const __m256i a = splitgen_load_avx2(s);
    const __m256i b = splitgen_load_avx2(s + step);

    return _mm512_inserti64x4(_mm512_castsi256_si512(a), b, 1);
}

SPLITGEN_TARGET_AVX512
static inline __m512i splitgen_load_4x16(const void *src, size_t step)
{
    const char *s = SPLITGEN_POINTER(const char, src);
    const __m128i a = splitgen_load_16(s);
    const __m128i b = splitgen_load_16(s + step);
    const __m128i c = splitgen_load_16(s + 2 * step);
    const __m128i d = splitgen_load_16(s + 3 * step);
    const __m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256(a), b, 1);
    const __m256i high = _mm256_inserti128_si256(_mm256_castsi128_si256(c), d, 1);

    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

/* Two windows of 16 bytes in one register. */
SPLITGEN_TARGET_AVX2
static inline __m256i splitgen_load_halves(const void *low, const void *high)
{
    const __m256i a = _mm256_castsi128_si256(splitgen_load_16(low));

    return _mm256_inserti128_si256(a, splitgen_load_16(high), 1);
}

/* Two windows, each of two pieces of 8 bytes. */
SPLITGEN_TARGET_AVX2
static inline __m256i splitgen_load_4x8(const void *low, const void *high, size_t step)
{
    const char *l = SPLITGEN_POINTER(const char, low);
    const char *h = SPLITGEN_POINTER(const char, high);
    const __m128i a = _mm_unpacklo_epi64(splitgen_load_8(l), splitgen_load_8(l + step));
    const __m128i b = _mm_unpacklo_epi64(splitgen_load_8(h), splitgen_load_8(h + step));

    return _mm256_inserti128_si256(_mm256_castsi128_si256(a), b, 1);
}

SPLITGEN_TARGET_AVX2
static inline void splitgen_store_halves(void *low, void *high, __m256i value)
{
    _mm_storeu_si128(SPLITGEN_POINTER(__m128i, low), _mm256_castsi256_si128(value));
    _mm_storeu_si128(SPLITGEN_POINTER(__m128i, high), _mm256_extracti128_si256(value, 1));
}

#endif /* SPLITGEN_X86 */

#if SPLITGEN_NEON

#define SPLITGEN_TARGET_NEON

/* As above: with known indices and masks, clang makes 31 instructions of the 15 of a 4-way split,
 * and of a blend with an unknown mask it makes three. */
#if defined(__clang__)
#define SPLITGEN_KEEP(value) __asm__("" : "+w"(value))
#else
#define SPLITGEN_KEEP(value) ((void)0)
#endif

/* Lanes of b where the mask has ones, of a elsewhere. */
static inline uint8x16_t splitgen_blend(uint8x16_t a, uint8x16_t b, uint8x16_t mask)
{
#if defined(__clang__)
    __asm__("bit %0.16b, %1.16b, %2.16b" : "+w"(a) : "w"(b), "w"(mask));
    return a;
#else
    return vbslq_u8(mask, b, a);
#endif
}

/* Lanes picked from a and, behind it, b. */
static inline uint8x16_t splitgen_pick2(uint8x16_t a, uint8x16_t b, uint8x16_t index)
{
    uint8x16x2_t both;

    both.val[0] = a;
    both.val[1] = b;
    return vqtbl2q_u8(both, index);
}

#endif /* SPLITGEN_NEON */

#ifdef __cplusplus
}
#endif

#endif
