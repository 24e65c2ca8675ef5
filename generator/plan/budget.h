/* Measured limits of what is unrolled and how runs are cut, each with its measurement.
 *
 * Measured with gcc 12.2 and clang 14 at -O2 for plain x86-64, on a Zen 5 server core (L1D 48 KiB,
 * L2 1 MiB, glibc 2.36); minimum of 15 to 30 runs, trust the ratios. "GB/s" counts input bytes. */
#ifndef SG_PLAN_BUDGET_H
#define SG_PLAN_BUDGET_H

#include <stdint.h>

/* Work of one kernel in straight line before --unroll=auto falls back to a row loop, in moves: a
 * literal copy counts one per 16 bytes, a call one. Warm, straight-line code and the loop run alike
 * up to 1024 moves (0.13 ns a copy of 4 bytes) and the loop is 1.4 to 2 times faster from 4096 on.
 * Cold, straight-line code wins up to about 256 (64: 0.47 against 0.94 ns, 256: 0.31 to 0.43
 * against 0.27 to 0.31) and loses twofold at 1024. A move is 14 to 16 bytes of code, so 256 are
 * about 4 KiB; gcc compiles them in 0.06 s, clang in 0.05 s. */
#define SG_UNROLL_BUDGET INT64_C(256)

/* Moves of one loop body that --unroll=auto aims at, by taking several short rows a trip: 5 to 12 %
 * faster than a body of 3 for copies of 4 and 8 bytes, no difference from 64 bytes a row on. */
#define SG_LOOP_BODY_MOVES INT64_C(16)

/* Outputs written side by side before a kernel works in groups: L1 has 8 to 12 ways, and outputs of
 * a power of two bytes start in the same set. 4096 rows of 64 outputs of 4 bytes: 0.6 GB/s row by
 * row, 5.6 GB/s in groups of 8 over 16 rows. */
#define SG_STREAMS_MAX INT64_C(8)

/* Instructions of a loop body that works in groups, and the bytes of one output it aims at: a line.
 */
#define SG_GROUPED_INSNS INT64_C(1024)
#define SG_GROUPED_BYTES INT64_C(64)

/* Bytes of a cache line, on every processor with a vector body. */
#define SG_LINE_BYTES INT64_C(64)

/* Bytes of one move, the vector every x86-64 and AArch64 compiler uses without being asked. */
#define SG_MOVE_BYTES INT64_C(16)

/* Runs of more bytes keep their order (splitgen_put() in splitgen/put.h has measurements): of
 * narrower ones gcc puts several into a vector, 20 rows of 3 floats are 1.8 times as fast so. */
#define SG_PUT_BYTES INT64_C(8)

/* Moves of 16 bytes a cycle, memory to memory, in L1: 1.4 on a Zen 5, 0.9 on a Zen 4; and of up to
 * 8 bytes, 1.2 to 1.4 there. */
#define SG_MOVE_STORES  1.0
#define SG_SMALL_STORES 1.33

/* Instructions printed for one kernel, in any mode; above it is an error with the ways out.
 * 16384 copies of 4 bytes compile in 2.8 s (gcc) and 1.2 s (clang), of 64 bytes in 16 s and 3 s. */
#define SG_INSNS_HARD_CAP INT64_C(16384)

/* Instructions in one function: compilers are quadratic in the length of a basic block. 1024 copies
 * take gcc 0.94 s in one function, 0.36 s in functions of 256, 0.20 s in functions of 64. */
#define SG_BLOCK_INSNS INT64_C(64)

/* Largest literal memcpy: clang calls the library above 128 bytes (160: 83 instead of 104 GB/s),
 * gcc expands 257 to 8192 bytes to `rep movs` (320: 24 instead of 104 GB/s). Longer runs are cut
 * into literal pieces of this size or become calls of a size hidden from the compiler. */
#define SG_COPY_LITERAL_MAX INT64_C(128)

/* From here on one hidden-size call beats literal pieces: at 255 bytes pieces run at 0.84 to 0.92
 * of the call, in L1 at 512 bytes at 0.45 (235 against 106 GB/s). */
#define SG_CALL_MIN INT64_C(208)

/* Input bytes up to which input and outputs are taken to be in L1. */
#define SG_SMALL_BYTES INT64_C(40960)

/* Bytes ahead of its loads that a vector body asks for the input when it does not fit L1: unrolled
 * loads hide the stream from prefetchers that follow single instructions. 256 KiB in L2: 4-way u8
 * 93 without, 105 GB/s; 2 x 232 bytes a row 67 and 105; 3-way u8 and 2-way u8 no difference. 512
 * bytes are too few (2-way u8: 74), 2048 and 4096 no better. In L1 it costs 7 %. */
#define SG_PREFETCH_BYTES INT64_C(1024)

/* Input of one window from which it does so. An Emerald Rapids follows all loads by itself, and
 * asking costs it, in L2: 2-way u8, i16 and f32 2 to 3 %, 3-way u8 1, 4-way u8 0 to 1. */
#define SG_PREFETCH_WINDOW INT64_C(256)

/* Input bytes from which nothing is asked for: in the last-level cache 3-way u8 runs at 48 GB/s
 * without and 43 with, 324 bytes a row at 51 and 44, whatever the distance up to 8192. */
#define SG_PREFETCH_END (INT64_C(1) << 20)

/* Bytes ahead of its stores that a trip over packed elements asks for its outputs, between the same
 * limits: stores are few and far between there. u2 5 + 8, 512 KiB, on an Intel core of 2023: 24
 * GB/s without, with the outputs alone 31, the input alone 26, both 37, of 39 a copy makes. */
#define SG_BIT_AHEAD_BYTES INT64_C(512)

/* Past the cache, parts of the rows are copied by turns; splitgen_fronts() in splitgen/runs.h has
 * why. These are the bytes of a turn; of one run it is SPLITGEN_FRONT_BYTES there. Emerald Rapids,
 * 192 MiB, GB/s with
 *
 *     parts                                   1      2      4      8
 *     3-way, narrow,  384 bytes a turn       9.5          13.0   13.4
 *                     768                    9.5    9.2   13.0   13.3
 *                    3072, 6144                           9.9, 9.0
 *     8-way, narrow,  512                    9.6   10.0    9.8    9.0
 *                    1024                                 11.4
 *     8 x 256 bytes a row, by runs          10.2   11.7   12.2   12.2
 *     3 x 3072, 512 of a run a turn         10.2          13.7   14.0
 *              1024                                       13.1
 *     16 x 1024, 512                        10.1   11.3   12.3   12.5
 *
 * whatever lies between the parts. */
#define SG_FRONT_BYTES INT64_C(1024)

/* Runs from this size on are cut into parts themselves: SPLITGEN_CUT_MIN. */
#define SG_CUT_MIN INT64_C(65536)

/* The narrowest column a feed takes (see sg_feeding in plan.h), beyond L1; in L1 a whole line.
 * Feeds against runs with stores that cross lines, Emerald Rapids, in L1, L2 and beyond: 63 + 65
 * bytes 1.1, 2.4 and 1.4 times as fast, 85 + 170 1.4, 2.2 and 1.4, 232 + 232 1.5, 1.8 and 1.3, 40 +
 * 41 0.6, 1.9 and 1.2; outputs off a line by 16 bytes, 128 + 128 bytes 1.5, 1.6 and 1.3. On a line,
 * where they gain nothing, they lose 5 to 20 %. */
#define SG_FEED_MIN INT64_C(32)

/* Bytes of a run through a feed, on average, below which rows ask for the input SG_TURN_AHEAD_BYTES
 * ahead: they take so many instructions that the processor does not look far enough by itself. Zen
 * 5, GB/s without and with, in L2 and in the last-level cache: 63 + 65 bytes 69 and 68, 28 and 44;
 * 3 x 85 80 and 87, 31 and 45; but 232 + 232 103 and 109, 48 and 47; 8 + 8 + 324 113 and 111, 53
 * and 54. */
#define SG_FEED_ASK_RUN INT64_C(128)

/* A Zen 5 minds stores that cross lines less. There runs go through feeds in L1 and, beyond, where
 * rows end within lines and all are of at least a line and below this; networks always do. Without
 * and with feeds, GB/s: outputs off a line by 16 bytes, 3 x 1024, L1 140 to 160 and 205, L2 103 and
 * 65 to 80; 4 x 1024, L1 131 and 162, where both sides of a page meet 140 and 66, L2 113 and 70; 3
 * x 3072, L2 117 and 62 to 109. Rows that end within lines, 3 x 1000, L1 143 and 180, L2 71 to 109
 * and 80; 2 x 500, L2 89 to 115 and 116; 3 x 85 80 and 87; 63 + 65 85 and 65; 279 x 324, 1.8 MiB,
 * 53 and 48. */
#define SG_FEED_LONG INT64_C(768)

/* Slices go through feeds, each over all rows, where they have so many bytes of a row on average,
 * and a row that many where the input is larger than the third number. Emerald Rapids, feeds
 * against runs: 40 x 324 bytes a row, 1.3 MiB, 1.2 times as fast; 48 x 324 bytes, 46 MiB, 0.8; 40 x
 * 500, 60 MiB, 0.97; 96 x 324, 28 MiB, 1.8; 160 x 324, 47 MiB, 1.9. */
#define SG_FEED_SLICE_BYTES INT64_C(1024)
#define SG_FEED_ROW_BYTES   INT64_C(24576)
#define SG_FEED_NEAR_BYTES  (INT64_C(2) << 20)

/* Rows from which feeds are worth it: the first is written without. */
#define SG_FEED_ROWS INT64_C(4)

/* Vectors below this gain nothing over the literal copies of the portable body. */
#define SG_WIDE_UNIT_MIN 32

/* Beyond L1, bytes of a row for each move that is no vector up to which rows are copied one by one,
 * instead of narrow columns gathered over several. Zen 5, gathered and row by row, GB/s in L2 and
 * in the last-level cache: 640 + 8 bytes 86 to 112 and 118, 53 and 56; 8 + 8 + 4 + 320 105 and 102,
 * 50 and 50. */
#define SG_WIDE_ROW_BYTES INT64_C(512)

/* Runs up to this size are copied by vectors in line (3072 bytes in L1: 258 GB/s, one call 136);
 * longer ones are left to the C library, which knows how to stream. */
#define SG_LINES_MAX INT64_C(32768)

/* Instructions of a vector body for all columns together: longer ones are slow to compile and no
 * faster than the C library's copies. */
#define SG_TOGETHER_INSNS INT64_C(640)

/* Masks and indices of a body that goes line by line: with one or two for every line the loads of
 * constants cost more than whole stores gain (63 and 65 bytes a row, 126 masks, in L1: 102 GB/s,
 * row by row 118; 324 bytes, 15 masks: 157 and 103). */
#define SG_TOGETHER_CONSTANTS INT64_C(40)

/* In L1, how much longer than on its own program a microarchitecture may take by one that suits all
 * of them; else it gets a body of its own. 2-way f32: 42 and 62 bytes a cycle on Golden Cove. */
#define SG_SHARED_LOSS 1.1

/* Bytes of the input all groups of runs work on before the next rows, which stay in L1 meanwhile.
 */
#define SG_BLOCK_BYTES INT64_C(32768)

/* Bytes of an output, in columns of one lane, that strips write before the next strip's turn, the
 * most rows for it, as a strip has a line of each of them in L1, and how many of its ways rows may
 * take whose lines are in the same sets. Zen 4, how many times as fast by windows of 64 bytes of an
 * output, against blocks of 32 KiB of the input, in L2, in the last-level cache, and both again
 * with outputs at the same place of a page, whose lines are in the same sets:
 *
 *                        2                       3                       4
 *     f32 x 48    1.12 0.91  0.97 0.90    1.06 0.93  0.94 0.85    1.13 0.98  0.90 0.92
 *     f32 x 64    1.17 1.06  0.80 0.89    1.16 1.10  0.92 0.84    1.13 1.12  0.97 0.88
 *     f32 x 128   1.18 1.02  0.86 1.00    1.16 1.09  1.05 1.07    1.08 1.03  1.07 1.05
 *     f32 x 200   1.20 1.09  0.97 1.05    1.14 1.19  1.14 1.14    1.20 1.26  1.21 1.21
 *     u16 x 33    1.80 1.30  1.47 1.31    1.75 1.51  1.58 1.51    1.77 1.61  1.49 1.47
 *     u16 x 100   1.20 0.98  0.94 0.91    1.16 1.06  1.02 0.95    1.24 1.12  1.04 0.99
 *     u16 x 128   1.14 1.05  1.01 0.97    1.13 1.07  0.99 0.98    1.01 1.00  1.00 0.98
 *     u8 x 64     1.39 1.10  1.18 0.99    1.42 1.33  1.15 1.07    1.37 1.40  1.14 1.07
 *     u8 x 100    1.51 1.31  1.06 1.05    1.53 1.40  1.07 1.07    1.28 1.30  1.06 1.11
 *     u8 x 257    1.02 0.98  1.00 1.01    1.02 1.01  0.99 1.05    0.92 1.01  0.95 1.04
 *
 *                        6                       8
 *     f32 x 48                0.97 0.99   1.16 1.02  1.01 1.01
 *     f32 x 64    1.07 1.09  1.05 1.04    1.05 1.03  1.06 1.03
 *     f32 x 200               1.27 1.26   1.24 1.28  1.29 1.25
 *     u16 x 100               1.03 1.00   1.07 0.99  0.99 0.99
 *     u16 x 128   0.65 0.67  0.87 0.78
 *     u8 x 64                 1.10 1.05   1.01 1.01  0.99 1.02
 *     u8 x 100                0.86 0.84   0.90 0.88  0.74 0.79
 *
 * 512 columns of u8 34 GB/s by blocks of 64 rows and 22 of 128. */
#define SG_BLOCK_OUTPUT_BYTES INT64_C(512)
#define SG_BLOCK_ROWS         INT64_C(192)
#define SG_BLOCK_WAYS         INT64_C(6)

/* Most outputs written side by side past the cache by stores of less than a line, of which a core
 * puts together but a few. By AVX2, 32 MiB, how many times as fast as through the cache, medians
 * and lower quartiles of a Zen 4: u8 x 2, 3, 4, 5 and 6 1.6, 1.5, 1.8, 1.6 and 1.7; u8 1 + 2 + 4
 * 1.5; f32 x 6 1.8 and 1.7, x 7 1.7 and 1.2, x 8 1.9 and 0.4, x 12 0.38; f64 x 6 1.5, x 8 1.5 and
 * 0.7 or 0.9 and 0.4, x 12 0.32; strips of 8 of f32 0.4 to 1.1, of 4 of f64 1.6. */
#define SG_JOINED_OUTPUTS INT64_C(6)

/* Input bytes from which stores may bypass the cache. A line of an output at a time is enough for
 * these, and the next block had better be asked for earlier: SG_BLOCK_BYTES again. 32 MiB, as
 * above: f32 x 200 1.03, 1.02, 0.96, 0.90 with 1, 2, 3 and 4 windows, f32 x 300 1.03, 0.95, 0.87,
 * 0.80, u16 x 300 1.05, 1.04, 0.97, 0.86, u8 x 257 1.05, 1.01, 0.98, 0.98. */
#define SG_BLOCK_FAR_BYTES (INT64_C(8) << 20)

/* Bytes after which lines are in the same set of the first-level cache. */
#define SG_SET_BYTES INT64_C(4096)

/* Different bodies of a kernel with more outputs than parameters. */
#define SG_SLICE_BODIES_MAX INT64_C(8)

/* Input bytes up to which runs are copied by the widest vectors (splitgen_lines_avx512 in
 * splitgen/runs.h), above it by what suits the second-level cache (splitgen_run_avx512). Rows of
 * 4 x 1024 and of 256 + 128 bytes: 24 KiB 265 and 260 against 192 and 181 GB/s, 32 KiB 73 and 95
 * against 99 and 99. Rows of one output, behind each other on both sides, always are: of 1024 bytes
 * on an Emerald Rapids in L1 and L2 135 and 35.5 GB/s, in straight line 103 and 34.7. */
#define SG_LINES_BYTES INT64_C(24576)

/* Runs from the first size on are stored at multiples of the second where most stores would cross
 * lines otherwise (splitgen_aligning_avx2 in splitgen/runs.h). */
#define SG_ALIGN_MIN   INT64_C(256)
#define SG_ALIGN_BYTES INT64_C(32)

/* Rows below the first, of runs below the second, are copied by the widest vectors all the same:
 * L2, 128 + 128 bytes 126 against 117 GB/s, but 640 + 8 bytes 110 and 115. */
#define SG_LINES_ROW_BYTES INT64_C(1024)
#define SG_LINES_RUN_BYTES INT64_C(512)

/* The shortest run that Zen 5 copies by `rep movsb`, which does not read the lines it writes,
 * unless all fits the first-level cache; up to so many bytes of input wherever the run lies, beyond
 * that, from the third number on, unless only the output begins within a line. Zen 5, GB/s by
 * strings and by the best of the three forms, rows of two runs:
 *
 *     input      40 KB      64        128       256       512      1 MiB     2         8
 *     4096     125, 94    98, 92    98, 94   112, 119   86, 73   62, 57   56, 53   55, 56
 *     16384    151, 92   113, 92   114, 93   116, 121   97, 79   68, 56   60, 55   59, 57
 *     65536                        120, 93   123, 122   97, 78   69, 56   61, 54   60, 56
 *     65536, output off a line by 16                    96, 77   68, 56   60, 56   54, 57
 *
 * Three runs of 2048 to 3072 bytes: 90 to 119 and 92 in 48 KB, 51 and 55 in 8 MiB. Where it wins
 * least, between the fourth and the fifth number, it takes runs from the sixth on: 6144 + 512 + 512
 * bytes 93 and 106, 8192 + 2048 + 2048 87 and 112. */
#define SG_STRING_BYTES      INT64_C(4096)
#define SG_STRING_NEAR_BYTES (INT64_C(2) << 20)
#define SG_STRING_FAR_RUN    INT64_C(16384)
#define SG_STRING_MID_BYTES  (INT64_C(192) << 10)
#define SG_STRING_MID_END    (INT64_C(448) << 10)
#define SG_STRING_MID_RUN    INT64_C(65536)

/* Bytes of one output that are written before the next one's turn, where there are more than
 * SG_STREAMS_MAX: the stores under way are then for few enough lines of a set, also where outputs
 * begin at the same place of a page, as large ones do. GB/s in L2, by rows a turn:
 *
 *                                    1      2      4      8
 *     16 x 256 bytes, congruent     62    115    112    115
 *     26 x 256, congruent           50    112    117
 *     26 x 256                     120    119    118
 *     32 x 128, congruent           18     53    103    102
 *     32 x 64, congruent            16     24     55     78
 *     20 x 512                     124    129
 *
 * and in L1 16 x 256 bytes, congruent, 63, 137 and 155, 32 x 128 146, 184 and 201. */
#define SG_TURN_BYTES    INT64_C(512)
#define SG_TURN_L1_BYTES INT64_C(1024)

/* Limits of all rows taken at a time that way: bytes of the input, instructions. */
#define SG_TURNS_BYTES INT64_C(16384)
#define SG_TURNS_INSNS INT64_C(256)

/* Bytes ahead that turns ask for the input, which they do not read in order. 26 x 256 and 16 x 256
 * bytes in the last-level cache: 56 and 57 GB/s, without 53 and 51; 2048 bytes 56 and 54, 8192 56
 * and 56. In L2 it costs 1 %, so it begins with SG_TURN_FAR_BYTES. */
#define SG_TURN_AHEAD_BYTES INT64_C(4096)

/* Input bytes from which turns ask ahead, and up to the second size are copied by the widest
 * vectors: in the last-level cache 56 GB/s, in straight line 53; in L2 112 and 119. */
#define SG_TURN_FAR_BYTES (INT64_C(1) << 20)
#define SG_TURN_FAR_RUN   INT64_C(1024)

/* Moves (see SG_UNROLL_BUDGET) from which a kernel gets vector bodies, of pairs of columns up to so
 * many bytes, which gcc makes vectors of by itself, and where it gets them whatever is predicted;
 * between that, where what is predicted and SG_ASK_CYCLES, for asking what the machine can do, are
 * at most these parts of the portable program: of runs, and of others.
 *
 * 60 splits of 10 to 110 moves on a Zen 4, calls with bodies against calls without: predicted 0.78
 * and less, 24 moves or more, 0.29 to 1.0 of the time, 3 of 24 more (1.1 to 1.2); above, 0.62 to
 * 1.4. Pairs of u8, u16 and of 2 x u8, 40 and 48 moves, 1.3 to 1.6. 55 splits of 2 to 8 rows with
 * runs of SG_CALL_MIN to 1200 bytes, for which the portable program calls the C library, 0.51 to
 * 0.93, whatever is predicted. */
#define SG_VECTOR_MOVES_MIN      INT64_C(24)
#define SG_VECTOR_PAIR_MOVES_MIN INT64_C(64)
#define SG_VECTOR_PAIR_BYTES     INT64_C(4)
#define SG_VECTOR_MOVES_SURE     INT64_C(128)
#define SG_VECTOR_RUN_GAIN       0.98
#define SG_VECTOR_GAIN           0.78
#define SG_ASK_CYCLES            8.0

/* Runs of at least so many bytes take a quarter of the moves with the widest vectors. Calls on an
 * Emerald Rapids, ns, portable and after asking: 2 x 128 bytes 6.7 and 6.6, 3 x 128 9.6 and 7.3, 4
 * x 128 12.6 and 9.0, 2 x 256 12.4 and 8.1; but 6 x 64 10.3 and 10.6, 8 x 96 18.5 and 20.7, 8 x 32
 * 7.4 and 12.2. */
#define SG_VECTOR_RUN_BYTES INT64_C(128)

/* Bytes moved from which packed elements get vector bodies. */
#define SG_BIT_VECTOR_BYTES INT64_C(1024)

/* Bits of packed elements from where on a row of one output is a run, its whole bytes shifted by
 * vectors in a loop, and no longer a number of words. 4-bit elements cut in two, words against runs
 * in L1: 388 bits 44 and 40 GB/s, 516 bits 45 and 40, 772 bits 47 and 50, 2052 bits 50 and 66. */
#define SG_BIT_RUN_MIN INT64_C(640)

/* Words of outputs in one group of rows before it stops growing towards whole words; with the
 * pieces they are made of 4 to 8 KiB of code. */
#define SG_BIT_GROUP_WORDS INT64_C(128)

/* Words, pieces of words and runs printed for one kernel over bits, in any mode; the counterpart of
 * SG_INSNS_HARD_CAP, whose copies are four times as much code. */
#define SG_BIT_CAP INT64_C(65536)

#endif
