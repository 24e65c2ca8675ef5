/* Detects instruction sets, traits and the size of the last-level cache, once. No library, no
 * allocation. Each answer is remembered in one word and written at once, so racing threads write
 * the same. */
#include <splitgen/vector.h>

/* The share of one thread in a cache that all cores of a server use, whatever its size; also the
 * default if the size is not known. Measured on an Emerald Rapids with 300 MiB, with rows of 3 x
 * 3072 bytes, in GB/s with ordinary and with non-temporal stores, alone and with a producer and a
 * consumer of the data:
 *
 *     input        4 MiB   8 MiB  16 MiB  32 MiB  64 MiB
 *     ordinary      10.7    10.0     8.3     7.0     6.0
 *     non-temporal  12.6    12.0    10.9    11.0     8.7
 *     ordinary       4.7     4.5     4.1     3.4     2.8
 *     non-temporal   4.4     4.5     4.4     4.3     3.3
 *
 * A Zen 5 with 32 MiB is faster with ordinary stores up to 12 MiB of input (47 and 28 GB/s). */
#define SPLITGEN_SHARE_MAX ((size_t)48 << 20)

#if SPLITGEN_X86
#include <cpuid.h>
#endif

#if SPLITGEN_X86

/* How many times as fast as ordinary stores non-temporal ones are on a Zen 4, with a cache of 32
 * MiB that other cores use too: alone and with a producer and a consumer; medians and, in
 * parentheses, while the other cores were idle:
 *
 *     input                   4 MiB       6 MiB       8 MiB       10 MiB      12 MiB
 *     u8 x 3                0.77 (0.68) 0.92 (0.79) 1.31 (0.90) 1.70 (1.09) 1.56 (1.23)
 *                           0.79 (0.70) 0.87 (0.77) 0.95 (0.85) 1.17 (1.01) 1.16 (1.01)
 *     3 x 3072 bytes a row  0.77 (0.63) 1.30 (0.75) 1.08 (0.80) 1.48 (0.84) 1.94 (1.31)
 *                           0.84 (0.69) 0.85 (0.73) 1.05 (0.83) 1.16 (0.93) 1.23 (0.99)
 *     f32 x 2               0.73 (0.62) 1.04 (0.76) 1.35 (0.98) 1.41 (1.15) 1.55 (1.36)
 *                           0.86 (0.80) 1.02 (0.88) 1.05 (0.96) 1.15 (1.06) 1.18 (1.20)
 *
 * See splitgen_stream_rows() for some of the rows, and splitgen_stream_many() for many outputs. */
#define SPLITGEN_SHARE_NEAR(cache) ((cache) / 8 * 5)

unsigned splitgen_cpu_answer;
size_t splitgen_stream_answer;

/* Bits that splitgen_cpu() always has, and bits that it does not detect, for tests of one processor
 * on another, and for processors known to be faster that way. Instruction sets must not be assumed.
 */
#if !defined(SPLITGEN_CPU_ASSUME)
#define SPLITGEN_CPU_ASSUME 0U
#endif
#if !defined(SPLITGEN_CPU_IGNORE)
#define SPLITGEN_CPU_IGNORE 0U
#endif
SPLITGEN_STATIC_ASSERT(SPLITGEN_ONE_STREAM(SPLITGEN_CPU_ASSUME), assumed_to_take_turns_one_way);

/* The registers that the operating system saves: a bit for each kind. */
static unsigned splitgen_enabled_states(void)
{
    unsigned states;

    __asm__ volatile("xgetbv" : "=a"(states) : "c"(0) : "edx");
    return states;
}

/* `version` is eax of cpuid leaf 1: the family is 4 bits plus an extension. */
static unsigned splitgen_traits_of(unsigned version, unsigned isas)
{
#define SPLITGEN_ROW(id, word, title, vendor, first, last, needs, traits, each)                    \
    {signature_##vendor##_ecx, traits, first, last, needs},
    static const struct {
        unsigned vendor;
        unsigned short traits;
        unsigned char first_family, last_family, needs;
    } machines[] = {SPLITGEN_X86_MACHINES(SPLITGEN_ROW)};
#undef SPLITGEN_ROW
    const unsigned family = (version >> 8 & 0xf) + (version >> 20 & 0xff);
    unsigned a = 0, b = 0, c = 0, d = 0;
    unsigned traits = 0;

    (void)__get_cpuid(0, &a, &b, &c, &d); /* ecx has the last letters of the vendor's name */
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; ++i) {
        if (c == machines[i].vendor && family >= machines[i].first_family &&
            family <= machines[i].last_family && (isas & machines[i].needs) == machines[i].needs) {
            traits = machines[i].traits;
        }
    }
    return traits;
}

static unsigned splitgen_ask_cpu(void)
{
    unsigned a, b, c, d;
    unsigned version;
    unsigned isas = 0;

    if (!__get_cpuid(1, &version, &b, &c, &d) || (c & bit_OSXSAVE) == 0) {
        return 0;
    }
    const unsigned states = splitgen_enabled_states();
    if ((states & 0x6) != 0x6 || !__get_cpuid_count(7, 0, &a, &b, &c, &d)) {
        return 0;
    }
    if ((b & bit_AVX2) != 0) {
        isas |= SPLITGEN_CPU_AVX2;
    }
    const unsigned avx512 = bit_AVX512F | bit_AVX512BW | bit_AVX512DQ | bit_AVX512VL;
    if ((states & 0xe0) == 0xe0 && (b & avx512) == avx512) {
        isas |= SPLITGEN_CPU_AVX512;
        if ((c & bit_AVX512VBMI) != 0) {
            isas |= SPLITGEN_CPU_AVX512VBMI;
        }
    }
    const unsigned without = (b & bit_BMI2) != 0 ? 0 : SPLITGEN_CPU_PEXT;
    return isas | (splitgen_traits_of(version, isas) & ~without);
}

unsigned splitgen_cpu(void)
{
    unsigned known = __atomic_load_n(&splitgen_cpu_answer, __ATOMIC_RELAXED);

    if (known == 0) {
        known = (splitgen_ask_cpu() & ~((unsigned)SPLITGEN_CPU_IGNORE)) | (SPLITGEN_CPU_ASSUME) |
                SPLITGEN_CPU_KNOWN;
        __atomic_store_n(&splitgen_cpu_answer, known, __ATOMIC_RELAXED);
    }
    return known & ~SPLITGEN_CPU_KNOWN;
}

/* Bytes of the largest cache in cpuid leaf `leaf` (4: Intel, 0x8000001D: AMD); both leaves have the
 * same layout. 0: the leaf does not exist. */
static size_t splitgen_largest_cache(unsigned leaf)
{
    size_t largest = 0;

    for (unsigned i = 0; i < 16; ++i) {
        unsigned a, b, c, d;
        if (!__get_cpuid_count(leaf, i, &a, &b, &c, &d) || (a & 0x1f) == 0) {
            break;
        }
        const size_t ways = (b >> 22) + 1;
        const size_t partitions = (b >> 12 & 0x3ff) + 1;
        const size_t line = (b & 0xfff) + 1;
        const size_t bytes = ways * partitions * line * ((size_t)c + 1);
        largest = bytes > largest ? bytes : largest;
    }
    return largest;
}

size_t splitgen_stream_bytes(void)
{
    size_t known = __atomic_load_n(&splitgen_stream_answer, __ATOMIC_RELAXED);

    if (known == 0) {
        const size_t amd = splitgen_largest_cache(0x8000001DU);
        const size_t cache = amd > 0 ? amd : splitgen_largest_cache(4);
        const bool near = (splitgen_cpu() & SPLITGEN_CPU_NEAR_CACHE) != 0;
        const size_t share = near ? SPLITGEN_SHARE_NEAR(cache) : cache / 4 * 3;
        known = share > 0 && share < SPLITGEN_SHARE_MAX ? share : SPLITGEN_SHARE_MAX;
        __atomic_store_n(&splitgen_stream_answer, known, __ATOMIC_RELAXED);
    }
    return known;
}

#else

unsigned splitgen_cpu(void)
{
    return 0;
}

size_t splitgen_stream_bytes(void)
{
    return SPLITGEN_SHARE_MAX;
}

#endif
