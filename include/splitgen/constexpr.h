/* Lets a compiler evaluate kernels: if this header is included first, generated C is a constant
 * expression of C++, SIMD included, and static_assert can verify it. Only for the files of
 * --emit=proof-cpp; kernels and their users do not need it.
 *
 * clang 22 or newer evaluates the intrinsics of AVX2 and AVX-512 itself; their loads and stores are
 * defined here, as loops over bytes. The intrinsics of NEON and WebAssembly are all defined here,
 * from the definitions of the instructions. Constant evaluation rejects undefined behaviour: an
 * access outside an array, a read of an unwritten byte, a shift by too much. It does not know
 * addresses; splitgen_constexpr::memory defines them. */
#ifndef SPLITGEN_CONSTEXPR_H
#define SPLITGEN_CONSTEXPR_H

#if !defined(__clang__) || __clang_major__ < 22 || __cplusplus <= 202302L
#error "splitgen/constexpr.h needs clang 22 or newer with -std=c++2c: pip install ziglang has one"
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#define __ARM_NEON_H /* the compiler's own header, whose functions are not constant expressions */
#elif defined(__wasm_simd128__)
#define __WASM_SIMD128_H
#endif

#define SPLITGEN_PROVER
#define SPLITGEN_NO_ASM

namespace splitgen_constexpr
{

/* A failed expectation calls this function, which is not constexpr, so the compiler's error names
 * it. */
void refused(const char *);
constexpr void expects(bool holds, const char *what)
{
    if (!holds) {
        refused(what);
    }
}

/* The address of a pointer modulo 64. memory<> ends at a multiple of 64, and the compiler knows the
 * number of bytes from the pointer to the end of its object. */
class address
{
    size_t value;

  public:
    constexpr address(size_t number) : value(number)
    {
    }
    constexpr explicit address(const volatile void *pointer)
        : value((size_t(1) << 30) - __builtin_object_size(const_cast<const void *>(pointer), 0))
    {
    }
    constexpr operator size_t() const
    {
        return value;
    }
    constexpr address &operator|=(size_t other)
    {
        value |= other;
        return *this;
    }
    constexpr address &operator+=(size_t other)
    {
        value += other;
        return *this;
    }
};

template <class T> constexpr bool is_byte = __is_same(const T, const unsigned char);
template <class T>
constexpr bool is_raw = is_byte<T> || __is_same(const T, const void) || __is_same(T, void *const) ||
                        __is_same(T, const void *const);

/* Bytes that are accessed as another type; a pointer to that type cannot be evaluated. */
template <class T> struct view {
    unsigned char *bytes;
    constexpr operator T *() const
    {
        return static_cast<T *>(static_cast<void *>(bytes));
    }
    constexpr view operator+(size_t n) const
    {
        return {bytes + n * sizeof(T)};
    }
};
template <class T> constexpr T *element_of(view<T>)
{
    return nullptr;
}
template <class T> struct view<const T> {
    const unsigned char *bytes;
    constexpr operator const T *() const
    {
        return static_cast<const T *>(static_cast<const void *>(bytes));
    }
    constexpr view operator+(size_t n) const
    {
        return {bytes + n * sizeof(T)};
    }
};

template <class T, class P> constexpr auto point(P *from)
{
    if constexpr (is_raw<T>) {
        return static_cast<T *>(from);
    } else if constexpr (requires { static_cast<unsigned char *>(from); }) {
        return view<T>{static_cast<unsigned char *>(from)};
    } else {
        return view<T>{static_cast<const unsigned char *>(from)};
    }
}

template <class T, size_t N> struct elements {
    T at[N];
};

/* The bytes of any type. */
template <size_t N> using bytes = elements<unsigned char, N>;

/* Vector loads and stores; masked ones do not touch bytes where `mask` has zeros. */
template <class V> constexpr V load(const unsigned char *src)
{
    bytes<sizeof(V)> b;
    __builtin_memcpy(b.at, src, sizeof(V));
    return __builtin_bit_cast(V, b);
}

template <class V, class T> constexpr V load(const T *src)
{
    if constexpr (sizeof(T) == sizeof(V)) {
        return __builtin_bit_cast(V, *src);
    } else {
        bytes<sizeof(V)> b{};
        for (size_t i = 0; i < sizeof(V); ++i) {
            const auto lane = __builtin_bit_cast(bytes<sizeof(T)>, src[i / sizeof(T)]);
            b.at[i] = lane.at[i % sizeof(T)];
        }
        return __builtin_bit_cast(V, b);
    }
}

template <class V> constexpr V load(const void *src)
{
    return load<V>(static_cast<const unsigned char *>(src));
}

template <class V, class T> constexpr V load(view<T> src)
{
    return load<V>(static_cast<const unsigned char *>(src.bytes));
}

template <class V> constexpr void store(unsigned char *dst, V value, size_t count = sizeof(V))
{
    const auto b = __builtin_bit_cast(bytes<sizeof(V)>, value);
    __builtin_memcpy(dst, b.at, count);
}

template <class V> constexpr void store(void *dst, V value)
{
    store(static_cast<unsigned char *>(dst), value);
}

template <class V, class T> constexpr void store(view<T> dst, V value)
{
    store(dst.bytes, value);
}

/* The address must be a multiple of the vector's size, or the processor faults. */
template <class V> constexpr void store_aligned(unsigned char *dst, V value)
{
    expects(address(dst) % sizeof(V) == 0, "a store at an address that the instruction refuses");
    store(dst, value);
}

template <class V> constexpr void store_aligned(void *dst, V value)
{
    store_aligned(static_cast<unsigned char *>(dst), value);
}

template <class V, class T> constexpr void store_aligned(view<T> dst, V value)
{
    store_aligned(dst.bytes, value);
}

/* memcpy between bytes, between elements of one type, and between bytes and a number. */
template <class T> constexpr void *copy(T *dst, const T *src, size_t size)
{
    expects(size % sizeof(T) == 0, "a copy of a part of an element");
    return __builtin_memcpy(dst, src, size);
}

template <class T>
constexpr void *copy(T *number, const unsigned char *src, size_t size) requires(!is_byte<T>)
{
    auto b = __builtin_bit_cast(bytes<sizeof(T)>, *number);
    __builtin_memcpy(b.at, src, size);
    *number = __builtin_bit_cast(T, b);
    return number;
}

template <class T>
constexpr void *copy(unsigned char *dst, const T *number, size_t size) requires(!is_byte<T>)
{
    store(dst, *number, size);
    return dst;
}

constexpr void *copy(void *dst, const void *src, size_t size)
{
    return copy(static_cast<unsigned char *>(dst), static_cast<const unsigned char *>(src), size);
}

#if defined(__x86_64__)
/* The bytes where a mask has ones, which are contiguous in generated code. */
struct masked_bytes {
    size_t first;
    size_t count;
    constexpr masked_bytes(__mmask64 mask)
        : first(mask == 0 ? 0 : size_t(__builtin_ctzll(mask))),
          count(size_t(__builtin_popcountll(mask)))
    {
        expects(mask == 0 || mask >> first == ~__mmask64(0) >> (64 - count), "a mask with a gap");
    }
};

/* The bytes of a mask, where byte `fill` of the vector is at src; the others are those of `other`.
 */
constexpr __m512i load_masked(__m512i other, masked_bytes mask, const void *src, size_t fill)
{
    auto b = __builtin_bit_cast(bytes<64>, other);
    if (mask.count > 0) {
        __builtin_memcpy(b.at + mask.first,
                         static_cast<const unsigned char *>(src) + (mask.first - fill), mask.count);
    }
    return __builtin_bit_cast(__m512i, b);
}

constexpr void store_masked(void *dst, masked_bytes mask, __m512i value)
{
    const auto b = __builtin_bit_cast(bytes<64>, value);
    if (mask.count > 0) {
        __builtin_memcpy(static_cast<unsigned char *>(dst) + mask.first, b.at + mask.first,
                         mask.count);
    }
}

/* Widens a vector; the upper half is arbitrary. */
template <class W, class V> constexpr W widened(V value)
{
    bytes<sizeof(W)> wide;
    for (size_t i = sizeof(V); i < sizeof(W); ++i) {
        wide.at[i] = 0xa5;
    }
    store(+wide.at, value);
    return __builtin_bit_cast(W, wide);
}

constexpr __m128i load_low(view<const __m128i> src)
{
    bytes<16> b{};
    __builtin_memcpy(b.at, src.bytes, 8);
    return __builtin_bit_cast(__m128i, b);
}
#endif

} // namespace splitgen_constexpr

#if defined(__aarch64__)

/* NEON, from Arm's definitions of the instructions. */
struct uint8x8_t {
    unsigned char at[8];
};
template <size_t bits> struct splitgen_neon {
    unsigned char at[16];
};
using uint8x16_t = splitgen_neon<8>;
using uint16x8_t = splitgen_neon<16>;
using uint32x4_t = splitgen_neon<32>;
using uint64x2_t = splitgen_neon<64>;
template <size_t bits, size_t count> struct splitgen_neon_several {
    splitgen_neon<bits> val[count];
};
using uint8x16x2_t = splitgen_neon_several<8, 2>;
using uint8x16x3_t = splitgen_neon_several<8, 3>;
using uint8x16x4_t = splitgen_neon_several<8, 4>;
using uint16x8x2_t = splitgen_neon_several<16, 2>;
using uint16x8x3_t = splitgen_neon_several<16, 3>;
using uint16x8x4_t = splitgen_neon_several<16, 4>;
using uint32x4x2_t = splitgen_neon_several<32, 2>;
using uint32x4x3_t = splitgen_neon_several<32, 3>;
using uint32x4x4_t = splitgen_neon_several<32, 4>;
using uint64x2x2_t = splitgen_neon_several<64, 2>;
using uint64x2x3_t = splitgen_neon_several<64, 3>;
using uint64x2x4_t = splitgen_neon_several<64, 4>;

/* Loads that deinterleave lanes. */
template <size_t bits, size_t count>
constexpr splitgen_neon_several<bits, count> splitgen_deal(const unsigned char *src)
{
    splitgen_neon_several<bits, count> r{};
    for (size_t i = 0; i < 16 * count; ++i) {
        const size_t lane = i / (bits / 8);
        r.val[lane % count].at[lane / count * (bits / 8) + i % (bits / 8)] = src[i];
    }
    return r;
}
template <size_t bits, size_t count, class T>
constexpr auto splitgen_deal(splitgen_constexpr::view<T> src)
{
    return splitgen_deal<bits, count>(src.bytes);
}
#define vld2q_u8  splitgen_deal<8, 2>
#define vld3q_u8  splitgen_deal<8, 3>
#define vld4q_u8  splitgen_deal<8, 4>
#define vld2q_u16 splitgen_deal<16, 2>
#define vld3q_u16 splitgen_deal<16, 3>
#define vld4q_u16 splitgen_deal<16, 4>
#define vld2q_u32 splitgen_deal<32, 2>
#define vld3q_u32 splitgen_deal<32, 3>
#define vld4q_u32 splitgen_deal<32, 4>
#define vld2q_u64 splitgen_deal<64, 2>
#define vld3q_u64 splitgen_deal<64, 3>
#define vld4q_u64 splitgen_deal<64, 4>

/* Stores that interleave lanes. */
template <size_t bits, size_t count>
constexpr void splitgen_gather(unsigned char *dst, splitgen_neon_several<bits, count> v)
{
    for (size_t i = 0; i < 16 * count; ++i) {
        const size_t lane = i / (bits / 8);
        dst[i] = v.val[lane % count].at[lane / count * (bits / 8) + i % (bits / 8)];
    }
}
template <size_t bits, size_t count, class T>
constexpr void splitgen_gather(splitgen_constexpr::view<T> dst,
                               splitgen_neon_several<bits, count> v)
{
    splitgen_gather<bits, count>(dst.bytes, v);
}
#define vst2q_u8  splitgen_gather<8, 2>
#define vst3q_u8  splitgen_gather<8, 3>
#define vst4q_u8  splitgen_gather<8, 4>
#define vst2q_u16 splitgen_gather<16, 2>
#define vst3q_u16 splitgen_gather<16, 3>
#define vst4q_u16 splitgen_gather<16, 4>
#define vst2q_u32 splitgen_gather<32, 2>
#define vst3q_u32 splitgen_gather<32, 3>
#define vst4q_u32 splitgen_gather<32, 4>
#define vst2q_u64 splitgen_gather<64, 2>
#define vst3q_u64 splitgen_gather<64, 3>
#define vst4q_u64 splitgen_gather<64, 4>

template <size_t bits> constexpr splitgen_neon<bits> splitgen_reinterpret_from(uint8x16_t v)
{
    return __builtin_bit_cast(splitgen_neon<bits>, v);
}
#define vreinterpretq_u16_u8 splitgen_reinterpret_from<16>
#define vreinterpretq_u32_u8 splitgen_reinterpret_from<32>
#define vreinterpretq_u64_u8 splitgen_reinterpret_from<64>

template <size_t bits> constexpr uint8x16_t splitgen_reinterpret(splitgen_neon<bits> v)
{
    return __builtin_bit_cast(uint8x16_t, v);
}
#define vreinterpretq_u8_u16 splitgen_reinterpret<16>
#define vreinterpretq_u8_u32 splitgen_reinterpret<32>
#define vreinterpretq_u8_u64 splitgen_reinterpret<64>

#define vld1_u8(src)         splitgen_constexpr::load<uint8x8_t>(src)
#define vld1q_u8(src)        splitgen_constexpr::load<uint8x16_t>(src)
#define vst1_u8(dst, value)  splitgen_constexpr::store(dst, value)
#define vst1q_u8(dst, value) splitgen_constexpr::store(dst, value)

constexpr uint8x8_t splitgen_half(uint8x16_t v, size_t which)
{
    uint8x8_t half{};
    for (size_t i = 0; i < 8; ++i) {
        half.at[i] = v.at[8 * which + i];
    }
    return half;
}
#define vget_low_u8(value)  splitgen_half(value, 0)
#define vget_high_u8(value) splitgen_half(value, 1)

constexpr uint8x16_t vcombine_u8(uint8x8_t low, uint8x8_t high)
{
    const uint8x8_t both[] = {low, high};
    return __builtin_bit_cast(uint8x16_t, both);
}

/* Bits of a where the mask has ones, of b elsewhere. */
constexpr uint8x16_t vbslq_u8(uint8x16_t mask, uint8x16_t a, uint8x16_t b)
{
    for (size_t i = 0; i < 16; ++i) {
        b.at[i] = static_cast<unsigned char>((mask.at[i] & a.at[i]) | (~mask.at[i] & b.at[i]));
    }
    return b;
}

/* Bytes of one vector or of two, by index; an index past their end yields zero. */
constexpr uint8x16_t vqtbl1q_u8(uint8x16_t table, uint8x16_t index)
{
    uint8x16_t r{};
    for (size_t i = 0; i < 16; ++i) {
        r.at[i] = index.at[i] < 16 ? table.at[index.at[i]] : 0;
    }
    return r;
}

constexpr uint8x16_t vqtbl2q_u8(uint8x16x2_t table, uint8x16_t index)
{
    uint8x16_t r{};
    for (size_t i = 0; i < 16; ++i) {
        const size_t from = index.at[i];
        r.at[i] = from < 32 ? table.val[from / 16].at[from % 16] : 0;
    }
    return r;
}

#elif defined(__wasm_simd128__)

/* SIMD128, from WebAssembly's definitions of the instructions. */
struct v128_t {
    unsigned char at[16];
};
#define wasm_v128_load(src)         splitgen_constexpr::load<v128_t>(src)
#define wasm_v128_store(dst, value) splitgen_constexpr::store(dst, value)

constexpr v128_t splitgen_load64(const void *src, v128_t v, int lane)
{
    __builtin_memcpy(v.at + 8 * lane, static_cast<const unsigned char *>(src), 8);
    return v;
}
#define wasm_v128_store64_lane(dst, v, lane)                                                       \
    splitgen_constexpr::copy(dst, static_cast<const void *>((v).at + 8 * (lane)), 8)
#define wasm_v128_load64_zero(src)          splitgen_load64(src, v128_t{}, 0)
#define wasm_v128_load64_lane(src, v, lane) splitgen_load64(src, v, lane)

constexpr v128_t wasm_i8x16_splat(int8_t value)
{
    v128_t v{};
    for (size_t i = 0; i < 16; ++i) {
        v.at[i] = static_cast<unsigned char>(value);
    }
    return v;
}

/* Lane by lane. */
#define SPLITGEN_WASM_LANES(name, ...)                                                             \
    constexpr v128_t name(v128_t va, v128_t vb)                                                    \
    {                                                                                              \
        for (size_t i = 0; i < 16; ++i) {                                                          \
            const unsigned char a = va.at[i];                                                      \
            const unsigned char b = vb.at[i];                                                      \
            va.at[i] = static_cast<unsigned char>(__VA_ARGS__);                                    \
        }                                                                                          \
        return va;                                                                                 \
    }
SPLITGEN_WASM_LANES(wasm_v128_or, a | b)
SPLITGEN_WASM_LANES(wasm_i8x16_sub, a - b)
SPLITGEN_WASM_LANES(wasm_i8x16_gt, static_cast<int8_t>(a) > static_cast<int8_t>(b) ? 0xff : 0)

/* Bits of a where the mask has ones, of b elsewhere. */
constexpr v128_t wasm_v128_bitselect(v128_t a, v128_t b, v128_t mask)
{
    for (size_t i = 0; i < 16; ++i) {
        b.at[i] = static_cast<unsigned char>((mask.at[i] & a.at[i]) | (~mask.at[i] & b.at[i]));
    }
    return b;
}

/* Bytes of one vector, by index (past its end: zero), or of two. */
constexpr v128_t wasm_i8x16_swizzle(v128_t v, v128_t index)
{
    v128_t r{};
    for (size_t i = 0; i < 16; ++i) {
        r.at[i] = index.at[i] < 16 ? v.at[index.at[i]] : 0;
    }
    return r;
}

template <size_t... numbers> constexpr v128_t splitgen_shuffle(v128_t a, v128_t b)
{
    return v128_t{{(numbers < 16 ? a.at[numbers % 16] : b.at[numbers % 16])...}};
}
#define wasm_i8x16_shuffle(a, b, ...) splitgen_shuffle<__VA_ARGS__>(a, b)

#endif

/* Memory accesses of generated code. */
#define uintptr_t                    splitgen_constexpr::address
#define SPLITGEN_ADDRESS(from)       splitgen_constexpr::address(from)
#define SPLITGEN_POINTER(type, from) splitgen_constexpr::point<type>(from)
#define SPLITGEN_NUMBER(type, from)  static_cast<type>(from)
#define memcpy(dst, src, bytes)      splitgen_constexpr::copy(dst, src, bytes)

/* Headers read these variables of the runtime only for the prefetch distance: 0, nothing is known.
 */
#define __atomic_load_n(answer, order) (decltype (*(answer) + 0)(0))

#if defined(__x86_64__)
#define _mm_loadu_si128(src)            splitgen_constexpr::load<__m128i>(src)
#define _mm_loadl_epi64(src)            splitgen_constexpr::load_low(src)
#define _mm256_loadu_si256(src)         splitgen_constexpr::load<__m256i>(src)
#define _mm512_loadu_si512(src)         splitgen_constexpr::load<__m512i>(src)
#define _mm_storeu_si128(dst, value)    splitgen_constexpr::store(dst, value)
#define _mm256_storeu_si256(dst, value) splitgen_constexpr::store(dst, value)
#define _mm512_storeu_si512(dst, value) splitgen_constexpr::store(dst, value)
#define _mm_storel_epi64(dst, value)    splitgen_constexpr::store((dst).bytes, value, 8)
#define _mm_stream_si128(dst, value)    splitgen_constexpr::store_aligned(dst, value)
#define _mm256_stream_si256(dst, value) splitgen_constexpr::store_aligned(dst, value)
#define _mm512_stream_si512(dst, value) splitgen_constexpr::store_aligned(dst, value)
#define _mm512_store_si512(dst, value)  splitgen_constexpr::store_aligned(dst, value)
#define _mm512_maskz_loadu_epi8(mask, src)                                                         \
    splitgen_constexpr::load_masked(_mm512_setzero_si512(), mask, src, 0)
#define splitgen_load_behind(other, mask, src, fill)                                               \
    splitgen_constexpr::load_masked(other, mask, src, fill)
#define _mm512_mask_storeu_epi8(dst, mask, value) splitgen_constexpr::store_masked(dst, mask, value)
#define _mm_sfence()                              ((void)0)
#define _mm256_castsi128_si256(value)             splitgen_constexpr::widened<__m256i>(value)
#define _mm512_castsi256_si512(value)             splitgen_constexpr::widened<__m512i>(value)
#endif

/* Makes all functions constexpr. The warnings are about those that already are, and about the
 * macros. */
#pragma clang diagnostic ignored "-Wduplicate-decl-specifier"
#pragma clang diagnostic ignored "-Wbuiltin-macro-redefined"
#pragma clang diagnostic ignored "-Wc++11-narrowing"
#pragma clang diagnostic ignored "-Wundefined-inline"
#pragma clang diagnostic ignored "-Wundefined-internal"
#define static static constexpr

#include <splitgen/bitstream.h>
#include <splitgen/loops.h>
#include <splitgen/open_rows.h>
#undef SPLITGEN_EXTERN
#define SPLITGEN_EXTERN extern /* each inclusion of a kernel has a namespace of its own */

namespace splitgen_constexpr
{

/* The definition of a split or a join: in every row of the full tensor, a part has `width` units
 * from `offset` on, and its own rows begin `step` units apart. Units are bytes, or bits for packed
 * elements. K::joins is true if parts are read. */
struct part {
    size_t offset;
    size_t width;
    size_t step;
};

/* splitgen_column with pointers that can be evaluated. */
template <class T> struct column {
    T *to;
    size_t to_step;
    const T *from;
    size_t from_step;
};
template <class T> column(T *, size_t, const T *, size_t) -> column<T>;

template <class T> constexpr void copy_column(size_t bytes, size_t rows, column<T> c)
{
    for (size_t i = 0; i < rows; ++i) {
        copy(c.to + i * c.to_step / sizeof(T), c.from + i * c.from_step / sizeof(T), bytes);
    }
}

template <class... Columns>
constexpr void copy_columns(size_t bytes, size_t rows, Columns... columns)
{
    (copy_column(bytes, rows, columns), ...);
}

/* Units from the first row to the end of the last. */
constexpr size_t extent(size_t rows, size_t width, size_t step)
{
    return rows * width == 0 ? 0 : (rows - 1) * step + width;
}

/* Tensors by number: 0 is the full tensor, the parts follow. */
template <class K> constexpr bool is_written(size_t tensor)
{
    return (tensor == 0) == K::joins;
}
template <class K> constexpr size_t width_of(size_t tensor)
{
    return tensor == 0 ? K::width : K::parts[tensor - 1].width;
}
template <class K> constexpr size_t step_of(size_t tensor)
{
    return tensor == 0 ? K::row : K::parts[tensor - 1].step;
}

/* Whether the kernel copies every unit of a tensor from the first to the last; otherwise some
 * between belong to no part. */
template <class K> constexpr bool is_dense(size_t tensor)
{
    size_t width = width_of<K>(tensor);
    if (tensor == 0 && K::joins) {
        width = 0;
        for (const part &p : K::parts) {
            width += p.width;
        }
    }
    return width == step_of<K>(tensor);
}

/* Packed elements that belong to no part share bytes with written ones, so they are read and kept.
 */
template <class K> constexpr bool is_kept(size_t tensor)
{
    return K::is_packed && !is_dense<K>(tensor);
}

/* The layout of the tensors: the full tensor, then the parts, with bytes between them that are
 * never touched. */
template <size_t N> struct layout {
    size_t gap[N + 1]; /* before each, and after the last */
    size_t size[N];
};

/* The length of an array for this many bytes; at least 1, because there are no empty arrays. */
template <class T> constexpr size_t room_for(size_t size)
{
    return size >= sizeof(T) ? size / sizeof(T) : 1;
}

/* The tensors of a layout, each an array of exactly its elements: constant evaluation rejects
 * accesses outside it, and reads of unwritten elements. */
template <class T, layout L, size_t I, bool is_end> struct memory {
    unsigned char gap[L.gap[I]];
    T tensor[room_for<T>(L.size[I])];
    memory<T, L, I + 1, I + 2 == sizeof(L.gap) / sizeof(L.gap[0])> rest;

    constexpr void addresses(T **tensors)
    {
        tensors[0] = tensor;
        rest.addresses(tensors + 1);
    }
};
template <class T, layout L, size_t I> struct memory<T, L, I, true> {
    unsigned char gap[L.gap[I]];
    constexpr void addresses(T **)
    {
    }
};

/* Units of a tensor. It ends with its last row, without padding, so that a loop's pointer past it
 * is rejected. */
template <class K> constexpr size_t room_of(size_t tensor, size_t rows)
{
    return extent(rows, width_of<K>(tensor), step_of<K>(tensor));
}

/* The number of elements of a tensor, in its C type. */
template <class K> constexpr size_t count_of(size_t tensor, size_t rows)
{
    const size_t unit = K::is_packed ? 8 : sizeof(typename K::element);
    return (extent(rows, width_of<K>(tensor), step_of<K>(tensor)) + unit - 1) / unit;
}

/* The layout of tensors of `rows` rows, in one of several alignments modulo 64, all of which
 * satisfy the kernel's. In way 0 every tensor is at a multiple of 64; in other ways none is, unless
 * by chance. */
template <class K> consteval layout<K::nparts + 1> layout_of(size_t rows, size_t way)
{
    using T = typename K::element;
    layout<K::nparts + 1> made{};
    size_t at = 0;
    for (size_t i = 0; i < K::nparts + 1; ++i) {
        const size_t units = room_of<K>(i, rows);
        const size_t place = way == 0 ? 0 : (way * (i == 0 ? 5 : 2 * i - 1)) * K::align % 64;
        made.size[i] = K::is_packed ? (units + 7) / 8 : units;
        made.gap[i] = 64 + (64 + place - at % 64) % 64;
        at += made.gap[i] + room_for<T>(made.size[i]) * sizeof(T);
    }
    made.gap[K::nparts + 1] = 64 + (64 - at % 64) % 64;
    return made;
}

/* The contents of inputs. Kernels do not depend on the bytes they copy, so contents in which every
 * unit is distinguishable prove the kernel for all contents (tests/SOUNDNESS.md, Results). If an
 * element is large enough for its own number, one pass suffices. Otherwise each of several passes
 * has some bits of the number, and as many passes have their complement, so that two units that are
 * or-ed are not taken for one. */
template <class K> struct contents {
    using T = typename K::element;
    static constexpr bool by_bits = K::tells_bits || K::is_bool;
    static constexpr size_t bits = by_bits ? 1 : 8 * sizeof(T);

    static constexpr size_t passes(size_t units)
    {
        size_t count = 1;
        if (bits < 24 && units > 0) {
            while ((units - 1) >> (count * bits) != 0) {
                ++count;
            }
        }
        return count;
    }

    static constexpr T value(uint64_t i, uint64_t pass, uint64_t flip)
    {
        if constexpr (K::is_bool) {
            return T((i >> pass ^ flip) & 1);
        } else if constexpr (K::tells_bits) {
            uint64_t byte = 0;
            for (unsigned bit = 0; bit < 8; ++bit) {
                byte |= (((i * 8 + bit) >> pass ^ flip) & 1) << bit;
            }
            return T(byte);
        } else {
            bytes<sizeof(T)> b{};
            for (size_t at = 0; at < sizeof(T) && at < 8; ++at) {
                b.at[at] = ((i >> (bits < 24 ? pass * bits : 0) >> (8 * at)) ^ (0 - flip)) & 0xff;
            }
            return __builtin_bit_cast(T, b);
        }
    }
};

template <class T> constexpr bool same(const T &a, const T &b)
{
    const auto x = __builtin_bit_cast(bytes<sizeof(T)>, a);
    const auto y = __builtin_bit_cast(bytes<sizeof(T)>, b);
    return __builtin_memcmp(x.at, y.at, sizeof(T)) == 0;
}

/* Converts a byte to the order in which its first element is lowest, and back. */
template <class K> constexpr unsigned lowest_first(unsigned byte)
{
    if constexpr (K::order == 0) {
        return byte;
    }
    unsigned turned = 0;
    for (unsigned bit = 0; bit < 8; ++bit) {
        turned |= (byte >> bit & 1U) << (7 - bit);
    }
    return turned;
}

/* Writes packed elements from the start of a byte, up to 8 bits at a time. */
template <class K> struct bit_writer {
    unsigned char *out;
    size_t at;
    unsigned value;

    constexpr void copy(const unsigned char *from, size_t bit, size_t count)
    {
        while (count > 0) {
            const size_t room = 8 - at % 8;
            const size_t some = count < room ? count : room;
            unsigned bits = lowest_first<K>(from[bit / 8]) >> bit % 8;
            if (bit % 8 + some > 8) {
                bits |= lowest_first<K>(from[bit / 8 + 1]) << (8 - bit % 8);
            }
            value |= (bits & ((1U << some) - 1)) << at % 8;
            at += some;
            bit += some;
            count -= some;
            if (at % 8 == 0) {
                out[at / 8 - 1] = static_cast<unsigned char>(lowest_first<K>(value));
                value = 0;
            }
        }
    }
    /* Keeps bits that belong to no part. */
    constexpr void keep(size_t count)
    {
        copy(out, at, count);
    }
    /* Ends the last byte; its remaining bits are 0 if rows have no padding. */
    constexpr void end(bool is_kept)
    {
        if (is_kept) {
            keep((8 - at % 8) % 8);
        } else if (at % 8 != 0) {
            out[at / 8] = static_cast<unsigned char>(lowest_first<K>(value));
        }
    }
};

/* Rows [from, to) of packed elements: of one part from the full tensor, and of the full tensor from
 * its parts. */
template <class K>
constexpr void split_bits(const void *whole, const part &p, void *out, size_t from, size_t to,
                          bool is_kept)
{
    bit_writer<K> w = {static_cast<unsigned char *>(out), from * p.step, 0};
    for (size_t row = from; row < to; ++row) {
        w.copy(static_cast<const unsigned char *>(whole), row * K::row + p.offset, p.width);
        w.keep(row + 1 < to ? p.step - p.width : 0);
    }
    w.end(is_kept);
}

template <class K>
constexpr void join_bits(void *whole, const void *const *parts, size_t from, size_t to,
                         bool is_kept)
{
    bit_writer<K> w = {static_cast<unsigned char *>(whole), from * K::row, 0};
    for (size_t row = from; row < to; ++row) {
        size_t column = 0;
        for (size_t i = 0; i < K::nparts; ++i) {
            const part &p = K::parts[i];
            if (p.width > 0) {
                w.keep(p.offset - column);
                w.copy(static_cast<const unsigned char *>(parts[i]), row * p.step, p.width);
                column = p.offset + p.width;
            }
        }
        w.keep((row + 1 < to ? K::row : K::width) - column);
    }
    w.end(is_kept);
}

/* The definition, for a range as functions take it. It stands in for variants in the proof of how
 * they are called. */
template <class K, class W, class P>
constexpr void move(W *whole, P *const *parts, size_t first, size_t last)
{
    const size_t from = K::rows_of(first);
    const size_t to = K::rows_of(last);
    using T = typename K::element;
    if constexpr (K::is_packed && K::joins) {
        if (from < to) {
            join_bits<K>(whole, parts, from, to, is_kept<K>(0));
        }
    } else if constexpr (K::is_packed) {
        for (size_t i = 0; i < K::nparts && from < to; ++i) {
            if (K::parts[i].width > 0) {
                split_bits<K>(whole, K::parts[i], parts[i], from, to, is_kept<K>(i + 1));
            }
        }
    } else {
        for (size_t i = 0; i < K::nparts; ++i) {
            const part &p = K::parts[i];
            for (size_t row = p.width == 0 ? to : from; row < to; ++row) {
                const size_t in_whole = (row * K::row + p.offset) / sizeof(T);
                const size_t in_part = row * p.step / sizeof(T);
                if constexpr (K::joins) {
                    __builtin_memcpy(static_cast<T *>(whole) + in_whole,
                                     static_cast<const T *>(parts[i]) + in_part, p.width);
                } else {
                    __builtin_memcpy(static_cast<T *>(parts[i]) + in_part,
                                     static_cast<const T *>(whole) + in_whole, p.width);
                }
            }
        }
    }
}

/* The arguments of a function for a tensor of `count` rows: rows [first, last). For packed elements
 * all three count groups of rows (K::rows_of). */
struct range {
    size_t count;
    size_t first;
    size_t last;
};

/* The contents of all inputs in a pass, the expected contents of all outputs, and the old contents
 * of outputs in passes where they have any; tensors follow each other. They are made once for all
 * functions, ways and processors. */
template <class K, size_t count, size_t pass, size_t flip> consteval auto numbers_of_pass()
{
    elements<typename K::element, count> made{};
    for (size_t i = 0; i < count; ++i) {
        made.at[i] = contents<K>::value(i, pass, flip);
    }
    return made;
}
template <class K, size_t count, size_t pass, size_t flip>
constexpr auto numbers = numbers_of_pass<K, count, pass, flip>();

constexpr size_t power_of_two(size_t count)
{
    size_t power = 1;
    while (power < count) {
        power *= 2;
    }
    return power;
}

/* The number of elements of all outputs, or of all inputs. */
template <class K, size_t rows> consteval size_t size_of(bool written)
{
    size_t size = 0;
    for (size_t i = 0; i < K::nparts + 1; ++i) {
        size += is_written<K>(i) == written ? layout_of<K>(rows, 0).size[i] : 0;
    }
    return size / sizeof(typename K::element);
}

template <class K, size_t count> consteval auto old_contents()
{
    elements<typename K::element, count> made{};
    for (size_t i = 0; i < count; ++i) {
        made.at[i] = contents<K>::value(77, 0, 1);
    }
    return made;
}
template <class K, size_t count> constexpr auto old = old_contents<K, count>();

template <class K, range r, size_t pass, size_t flip> consteval auto expected_of_pass()
{
    using T = typename K::element;
    constexpr size_t rows = K::rows_of(r.count);
    constexpr auto where = layout_of<K>(rows, 0);
    constexpr size_t read = power_of_two(size_of<K, rows>(false));
    elements<T, power_of_two(size_of<K, rows>(true))> made =
        old<K, power_of_two(size_of<K, rows>(true))>;
    const T *from = numbers<K, read, pass, flip>.at;
    T *to = made.at;
    if constexpr (K::joins) {
        const void *parts[K::nparts] = {};
        for (size_t i = 0; i < K::nparts; ++i) {
            parts[i] = from;
            from += where.size[i + 1] / sizeof(T);
        }
        move<K>(static_cast<void *>(to), parts, r.first, r.last);
    } else {
        void *parts[K::nparts] = {};
        for (size_t i = 0; i < K::nparts; ++i) {
            parts[i] = to;
            to += where.size[i + 1] / sizeof(T);
        }
        move<K>(static_cast<const void *>(from), parts, r.first, r.last);
    }
    return made;
}
template <class K, range r, size_t pass, size_t flip>
constexpr auto expected = expected_of_pass<K, r, pass, flip>();

/* Rejects a tensor if its elements [from, to) are wrong. */
template <class T>
constexpr void compare(const T *out, const T *right, size_t from, size_t to, const char *what)
{
    if constexpr (is_byte<T>) {
        expects(__builtin_memcmp(out + from, right + from, to - from) == 0, what);
    } else {
        for (size_t n = from; n < to; ++n) {
            expects(same(out[n], right[n]), what);
        }
    }
}

/* Fills an input with numbers. In passes without is_all the padding stays uninitialised, except
 * where packed elements share bytes with it or rows are near each other. */
template <class K, class T>
constexpr void fill(T *to, const T *from, size_t tensor, size_t rows, size_t size, bool is_all)
{
    const size_t width = width_of<K>(tensor);
    const size_t step = step_of<K>(tensor);
    /* vectors may read the padding between rows that are near each other: SG_NEAR_BYTES */
    const bool is_near = !K::joins && tensor == 0 && step <= 8;
    if (K::is_packed || is_all || width == step || is_near) {
        const size_t filled = is_all ? size : count_of<K>(tensor, rows) * sizeof(T);
        if (filled > 0) {
            __builtin_memcpy(to, from, filled);
        }
        return;
    }
    for (size_t row = width == 0 ? rows : 0; row < rows; ++row) {
        const size_t at = row * step / sizeof(T);
        __builtin_memcpy(to + at, from + at, width);
    }
}

/* Checks an output: in rows [first, last) the elements of parts, and with is_all that everything
 * else is unchanged. */
template <class K, class T>
constexpr void check(const T *out, const T *right, size_t tensor, size_t size, size_t first,
                     size_t last, bool is_all)
{
    const size_t unit = K::is_packed ? 8 : sizeof(T);
    const size_t step = step_of<K>(tensor);
    const size_t from = first == last ? size : first * step / unit; /* no row: nothing may change */
    const size_t end = extent(last, width_of<K>(tensor), step);
    const size_t to = first == last || end == 0 ? from : (end + unit - 1) / unit;
    if (is_all || is_dense<K>(tensor)) {
        compare(out, right, from, to, "a written byte is wrong, or padding was written");
    } else {
        for (size_t i = 0; i < K::nparts; ++i) {
            const part &p = K::parts[i];
            for (size_t row = first; row < last && (K::joins || i + 1 == tensor); ++row) {
                const size_t at = (row * step + (K::joins ? p.offset : 0)) / sizeof(T);
                compare(out, right, at, at + p.width / sizeof(T), "what is written is wrong");
            }
        }
    }
    if (is_all) {
        compare(out, right, 0, from, "something was written before the requested rows");
        compare(out, right, to, size, "something was written after the requested rows");
    }
}

/* One pass. Without flip, outputs are uninitialised, so that a read of them is rejected. With flip,
 * they have old contents, so that an unexpected write is visible. */
template <class K, range r, size_t way, size_t pass, size_t flip, class F>
constexpr void pass_moves(F call)
{
    using T = typename K::element;
    constexpr size_t rows = K::rows_of(r.count);
    constexpr auto where = layout_of<K>(rows, way);
    constexpr size_t read = power_of_two(size_of<K, rows>(false));
    constexpr size_t most = power_of_two(size_of<K, rows>(true));
    memory<T, where, 0, false> tensors;
    T *at[K::nparts + 1] = {};

    tensors.addresses(at);
    const T *from = numbers<K, read, pass, flip>.at;
    for (size_t i = 0; i < K::nparts + 1; ++i) {
        if (!is_written<K>(i)) {
            fill<K>(at[i], from, i, rows, where.size[i], flip != 0);
            from += where.size[i] / sizeof(T);
        } else if ((flip != 0 || is_kept<K>(i)) && where.size[i] > 0) {
            __builtin_memcpy(at[i], old<K, most>.at,
                             flip != 0 ? where.size[i] : count_of<K>(i, rows) * sizeof(T));
        }
    }
    if constexpr (K::joins) {
        const T *parts[K::nparts + 1] = {};
        const void *any[K::nparts + 1] = {};
        for (size_t i = 0; i < K::nparts; ++i) {
            any[i] = parts[i] = at[i + 1];
        }
        call(at[0], +parts, +any, r.first, r.last);
    } else {
        void *any[K::nparts + 1] = {};
        for (size_t i = 0; i < K::nparts; ++i) {
            any[i] = at[i + 1];
        }
        call(static_cast<const T *>(at[0]), at + 1, +any, r.first, r.last);
    }
    const T *right = expected<K, r, pass, flip>.at;
    for (size_t i = 0; i < K::nparts + 1; ++i) {
        if (is_written<K>(i)) {
            const size_t size = where.size[i] / sizeof(T);
            check<K>(at[i], right, i, flip != 0 ? size : count_of<K>(i, rows), K::rows_of(r.first),
                     K::rows_of(r.last), flip != 0 || is_kept<K>(i));
            right += size;
        }
    }
}

/* All passes. */
template <class K, range r, size_t way, size_t pass = 0, class F> constexpr void moves(F call)
{
    constexpr size_t units = size_of<K, K::rows_of(r.count)>(false);
    pass_moves<K, r, way, pass, 0>(call);
    pass_moves<K, r, way, pass, 1>(call);
    if constexpr (pass + 1 < contents<K>::passes(K::tells_bits ? 8 * units : units)) {
        moves<K, r, way, pass + 1>(call);
    }
}

template <class T, T... i> struct indices {
};

template <class K, auto &ranges, size_t way, class F, size_t... i>
constexpr void moves_each(F call, indices<size_t, i...>)
{
    (moves<K, ranges[i], way>(call), ...);
}

/* Proves that call(whole, parts, parts as pointers to void, first, last) splits or joins each range
 * of an array, at each way that tensors may lie. It is true, or not a constant expression. */
template <class K, auto &ranges, size_t... ways, class F> constexpr bool proves(F call)
{
    constexpr size_t count = sizeof(ranges) / sizeof(ranges[0]);
    (moves_each<K, ranges, ways>(call, __make_integer_seq<indices, size_t, count>{}), ...);
    return true;
}

/* A kernel in bytes, as its variants see it. */
template <class K> struct bytes_of : K {
    using element = unsigned char;
    static constexpr bool tells_bits = K::is_packed;
};

} // namespace splitgen_constexpr

/* Distinguishes declarations of a function from calls: the first parameter of a declaration has a
 * const type. SPLITGEN_CONSTEXPR_CALL(declaration, call, arguments...) prints the declaration or
 * the call before the arguments. */
#define SPLITGEN_CONSTEXPR_const             ~, 1,
#define SPLITGEN_CONSTEXPR_PARENS(...)       ~, 1,
#define SPLITGEN_CONSTEXPR_SECOND(a, b, ...) b
#define SPLITGEN_CONSTEXPR_PICK(...)         SPLITGEN_CONSTEXPR_SECOND(__VA_ARGS__, 0, 0)
#define SPLITGEN_CONSTEXPR_EACH(...)         SPLITGEN_CONSTEXPR_PICK(__VA_ARGS__)
#define SPLITGEN_CONSTEXPR_JOIN(a, b)        SPLITGEN_CONSTEXPR_JOINED(a, b)
#define SPLITGEN_CONSTEXPR_JOINED(a, b)      a##b
#define SPLITGEN_CONSTEXPR_IS_PARENS(first, ...)                                                   \
    SPLITGEN_CONSTEXPR_EACH(SPLITGEN_CONSTEXPR_PARENS first)
#define SPLITGEN_CONSTEXPR_IS_0(first, ...) SPLITGEN_CONSTEXPR_EACH(SPLITGEN_CONSTEXPR_##first)
#define SPLITGEN_CONSTEXPR_IS_1(...)        0
#define SPLITGEN_CONSTEXPR_DECLARES(...)                                                           \
    SPLITGEN_CONSTEXPR_JOIN(SPLITGEN_CONSTEXPR_IS_, SPLITGEN_CONSTEXPR_IS_PARENS(__VA_ARGS__, ~))  \
    (__VA_ARGS__, ~)
#define SPLITGEN_CONSTEXPR_CHOOSE_0(declaration, call) call
#define SPLITGEN_CONSTEXPR_CHOOSE_1(declaration, call) declaration
#define SPLITGEN_CONSTEXPR_CALL(declaration, call, ...)                                            \
    SPLITGEN_CONSTEXPR_JOIN(SPLITGEN_CONSTEXPR_CHOOSE_, SPLITGEN_CONSTEXPR_DECLARES(__VA_ARGS__))  \
    (declaration, call)(__VA_ARGS__)

/* Makes functions that are not static constexpr in their declarations. */
#define SPLITGEN_CONSTEXPR_TYPED(name, ...)                                                        \
    SPLITGEN_CONSTEXPR_CALL(constexpr name, name, __VA_ARGS__)

/* The queries of generated code: SPLITGEN_CONSTEXPR_CPU is the processor's answer, and
 * SPLITGEN_CONSTEXPR_FAR whether all tensors count as larger than its cache. */
#undef SPLITGEN_CPU_BUILT
#define SPLITGEN_CPU_BUILT                      SPLITGEN_CONSTEXPR_CPU
#define splitgen_cpu()                          SPLITGEN_CONSTEXPR_CPU
#define splitgen_asked_cpu()                    SPLITGEN_CONSTEXPR_CPU
#define splitgen_known_cpu()                    SPLITGEN_CONSTEXPR_CPU
#define splitgen_stream_rows(cpu, all)          (SPLITGEN_CONSTEXPR_FAR ? 0 : SIZE_MAX)
#define splitgen_stream_many(cpu)               (SPLITGEN_CONSTEXPR_FAR ? 0 : SIZE_MAX)
#define splitgen_words_8(dst, src, bytes)       memcpy(dst, src, bytes)
#define splitgen_words_16(dst, src, bytes)      memcpy(dst, src, bytes)
#define splitgen_words_32(dst, src, bytes)      memcpy(dst, src, bytes)
#define splitgen_words_64(dst, src, bytes)      memcpy(dst, src, bytes)
#define splitgen_words_pointer(dst, src, bytes) memcpy(dst, src, bytes)
#define splitgen_copy(dst, src, bytes)          memcpy(dst, src, bytes)
#undef SPLITGEN_COLUMN
#undef SPLITGEN_COPY_COLUMNS
#define SPLITGEN_COLUMN(to, to_step, from, from_step)                                              \
    splitgen_constexpr::column                                                                     \
    {                                                                                              \
        to, to_step, from, from_step                                                               \
    }
#define SPLITGEN_COPY_COLUMNS(...) splitgen_constexpr::copy_columns(__VA_ARGS__)

/* The portable rows at the end of a variant of tiles: bytes cannot be evaluated as elements, so the
 * definition stands in for these rows, which are proved separately. */
#define splitgen_tiles_and_rows(tile, rows, tiles, most, others, ...)                              \
    splitgen_tiles_and_rows(tile, rows, tiles, most, stand_ins::others, __VA_ARGS__)

/* Vector constants, which are arrays of lanes. */
#define splitgen_load_avx2(src)     splitgen_constexpr::load<__m256i>(src)
#define splitgen_constant_avx2(src) splitgen_constexpr::load<__m256i>(src)

#endif
