/* Measures the portable kernels and their peers on the same buffers. Prints Google Benchmark's
 * output, from which table.awk makes the table. Checks first that all competitors agree. */
#include <benchmark/benchmark.h>
#include <splitgen/splitgen.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "peers.h"

#define UNPACK(...) __VA_ARGS__

extern "C" {
#define OP(name, element, axis, dims, lengths)                                                     \
    extern const splitgen_kernel gcc_##name##_kernel;                                              \
    extern const splitgen_kernel clang_##name##_kernel;
PEER_OPS(OP)
#undef OP
}

namespace
{

/* The loop that onnx2c emits (src/nodes/split.h): every number is a constant, but each element
 * costs a division and a remainder per dimension, a search for its output and a switch. */
template <class Op> void element_loop(const void *input, void *const outputs[])
{
    using element = typename Op::element;
    constexpr auto dims = Op::dims;
    constexpr auto lengths = Op::lengths;
    constexpr uint32_t elements = [] {
        uint32_t product = 1;
        for (uint32_t d : Op::dims) {
            product *= d;
        }
        return product;
    }();
    constexpr uint32_t inner = [] {
        uint32_t product = 1;
        for (size_t d = Op::axis + 1; d < Op::dims.size(); ++d) {
            product *= Op::dims[d];
        }
        return product;
    }();
    const element *from = static_cast<const element *>(input);
    for (uint32_t i = 0; i < elements; ++i) {
        uint32_t behind = i % inner;
        uint32_t index = i / inner % dims[Op::axis];
        uint32_t before = i / inner / dims[Op::axis];
        size_t output = 0;
        while (index >= lengths[output]) {
            index -= lengths[output];
            ++output;
        }
        static_cast<element *>(
            outputs[output])[(before * lengths[output] + index) * inner + behind] = from[i];
    }
}

template <class... Int> constexpr auto numbers(Int... values)
{
    return std::array<uint32_t, sizeof...(values)>{static_cast<uint32_t>(values)...};
}

#define OP(name, type, on, shape, parts)                                                           \
    struct op_##name {                                                                             \
        using element = type;                                                                      \
        static constexpr size_t axis = on;                                                         \
        static constexpr auto dims = numbers(UNPACK shape);                                        \
        static constexpr auto lengths = numbers(UNPACK parts);                                     \
    };
PEER_OPS(OP)
#undef OP

using runner = void (*)(const void *, void *const[]);

/* One op with its buffers, which all competitors share. */
struct subject {
    const char *name;
    const splitgen_kernel *gcc;
    const splitgen_kernel *clang;
    runner elements;
    std::vector<size_t> widths;
    peer_split split;
    void *input;
    std::vector<void *> outputs;
};

void *random_bytes(size_t bytes, std::mt19937_64 &random)
{
    void *memory = nullptr;
    if (posix_memalign(&memory, 64, bytes) != 0) {
        std::abort();
    }
    for (size_t i = 0; i < bytes; ++i) {
        static_cast<unsigned char *>(memory)[i] = static_cast<unsigned char>(random());
    }
    return memory;
}

subject make_subject(const char *name, const splitgen_kernel *gcc, const splitgen_kernel *clang,
                     runner elements, std::mt19937_64 &random)
{
    subject s{name, gcc, clang, elements, {}, {}, nullptr, {}};
    size_t rows = 1;
    for (int32_t d = 0; d < gcc->axis; ++d) {
        rows *= static_cast<size_t>(gcc->whole.dims[d]);
    }
    s.input = random_bytes(gcc->whole.bytes, random);
    for (size_t i = 0; i < gcc->nparts; ++i) {
        s.widths.push_back(gcc->parts[i].bytes / rows);
        s.outputs.push_back(random_bytes(gcc->parts[i].bytes, random));
    }
    s.split.rows = rows;
    s.split.row_bytes = gcc->whole.bytes / rows;
    s.split.noutputs = gcc->nparts;
    return s;
}

enum competitor { KERNEL_GCC, KERNEL_CLANG, ROWS_MEMCPY, OUTPUTS_MEMCPY, ELEMENTS, COMPETITORS };
const char *const competitor_names[COMPETITORS] = {"kernel_gcc", "kernel_clang", "rows_memcpy",
                                                   "outputs_memcpy", "elements"};

inline void compete(const subject &s, competitor who)
{
    void *const *outputs = s.outputs.data();
    switch (who) {
    case KERNEL_GCC:
        s.gcc->split(s.input, outputs);
        break;
    case KERNEL_CLANG:
        s.clang->split(s.input, outputs);
        break;
    case ROWS_MEMCPY:
        peer_rows(&s.split, s.input, outputs);
        break;
    case OUTPUTS_MEMCPY:
        peer_outputs(&s.split, s.input, outputs);
        break;
    case ELEMENTS:
    case COMPETITORS:
        s.elements(s.input, outputs);
        break;
    }
}

/* Exits unless all competitors write the same bytes, and every byte. */
void check_agreement(const subject &s)
{
    std::vector<std::vector<unsigned char>> first;
    for (int who = 0; who < COMPETITORS; ++who) {
        for (size_t i = 0; i < s.outputs.size(); ++i) {
            std::memset(s.outputs[i], who + 1, s.gcc->parts[i].bytes);
        }
        compete(s, static_cast<competitor>(who));
        for (size_t i = 0; i < s.outputs.size(); ++i) {
            const unsigned char *bytes = static_cast<const unsigned char *>(s.outputs[i]);
            std::vector<unsigned char> got(bytes, bytes + s.gcc->parts[i].bytes);
            if (who == 0) {
                first.push_back(got);
            } else if (got != first[i]) {
                std::fprintf(stderr, "%s: %s disagrees on output %zu\n", s.name,
                             competitor_names[who], i);
                std::exit(1);
            }
        }
    }
}

void measure(benchmark::State &state, const subject *s, competitor who)
{
    for (auto _ : state) {
        compete(*s, who);
        benchmark::ClobberMemory();
    }
    state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) *
                            static_cast<int64_t>(s->gcc->whole.bytes));
    state.counters["input_bytes"] = static_cast<double>(s->gcc->whole.bytes);
}

} // namespace

int main(int argc, char **argv)
{
    std::mt19937_64 random(1);
    std::vector<subject> subjects;
#define OP(name, element, axis, dims, lengths)                                                     \
    subjects.push_back(make_subject(#name, &gcc_##name##_kernel, &clang_##name##_kernel,           \
                                    element_loop<op_##name>, random));
    PEER_OPS(OP)
#undef OP
    for (subject &s : subjects) {
        s.split.widths = s.widths.data();
        check_agreement(s);
        for (int who = 0; who < COMPETITORS; ++who) {
            std::string name = std::string(s.name) + "/" + competitor_names[who];
            benchmark::RegisterBenchmark(name.c_str(), measure, &s, static_cast<competitor>(who))
                ->UseRealTime()
                ->ComputeStatistics("min", [](const std::vector<double> &times) {
                    return *std::min_element(times.begin(), times.end());
                });
        }
    }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
