/* The plan of a split whose elements do not come in whole bytes: what moves, in bits. Data only;
 * built by bits.c from a split of packed elements, proved by verify_bits.c.
 *
 * A tensor is a stream of bits: bit i of the stream is the i-th least significant bit of the bytes
 * in order, or, with msb, the i-th most significant one. Everything here counts bits of such
 * streams, so one program serves both orders.
 *
 * Rows are taken in groups, the fewest after which the input and every output are at a whole byte
 * again or a multiple of that: within a group every shift is a constant. Rows that are left over
 * behind the last group have a program of their own. */
#ifndef SG_PLAN_BITS_BIT_PROGRAM_H
#define SG_PLAN_BITS_BIT_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"

/* Bits of packed elements from where on a row of one output is a run, its whole bytes shifted by
 * vectors in a loop, and no longer a number of words (MEASURED.md, Packed elements). */
#define SG_BIT_RUN_MIN INT64_C(640)

/* Bits of one word that is read on their way into one that is written. Bit j of a word is bit j of
 * the stream that begins at its first byte. */
typedef struct sg_bit_piece {
    sg_ref from;   /* first byte loaded */
    int bytes;     /* loaded, 1 to 8 */
    uint64_t mask; /* bits taken */
    int shift;     /* where the first of them goes in the output word; the others follow it */
} sg_bit_piece;

typedef enum sg_bit_opcode {
    SG_BIT_WORD, /* 1 to 8 bytes of an output <- pieces, or-ed; zero where there is none */
    SG_BIT_RUN   /* bytes of an output <- as many bits of the input in a row */
} sg_bit_opcode;

typedef struct sg_bit_op {
    sg_bit_opcode op;
    sg_ref to; /* first byte written */
    int64_t bytes;
    sg_ref from;   /* run: first byte read */
    int shift;     /* run: bits of it that are left out */
    int64_t first; /* word: its pieces */
    int64_t npieces;
} sg_bit_op;

/* A stretch of rows: one group, or what is left behind the last one. */
typedef struct sg_bit_segment {
    int64_t rows;
    int64_t nops;
    sg_bit_op *ops;
    int64_t npieces;
    sg_bit_piece *pieces;
    int64_t nblocks;
    sg_block *blocks; /* of ops */
} sg_bit_segment;

/* Some groups again, for machines that pick any bytes of a vector: an iteration of straight-line
 * code over vectors of 64 bytes, in the machine's order of bits, so that bit b of a byte is the one
 * worth 2^b.
 */
#define SG_BIT_VECTOR 64
#define SG_BIT_ISA    SG_ISA_AVX512VBMI

/* How the same program is written for different machines. */
typedef enum sg_bit_body {
    SG_BIT_PORTABLE,
    SG_BIT_PEXT,   /* bits picked by one instruction */
    SG_BIT_AVX2,   /* that, and runs by vectors */
    SG_BIT_AVX512, /* the same */
    SG_BIT_VBMI    /* groups by vectors */
} sg_bit_body;

#define SG_BIT_BODIES_MAX 4

/* "portable", "pext", "avx2", "avx512", "vbmi". */
const char *sg_bit_body_name(sg_bit_body code);

/* Its instruction set as people call it: "AVX-512 VBMI". */
const char *sg_bit_body_title(sg_bit_body code);

/* What a machine must have for a body, beside a fast instruction that picks bits; NULL: nothing. */
const sg_isa_info *sg_bit_body_isa(sg_bit_body code);

typedef struct sg_bits {
    bool msb;
    int64_t group_rows;
    int64_t groups; /* whole ones */
    sg_bit_segment group;
    sg_body *vectors;    /* its only body takes an iteration of whole groups, its one slice; what is
                            left    goes by words. NULL: there are none */
    sg_bit_segment tail; /* rows 0: there is none */
    int64_t nbodies;
    sg_bit_body bodies[SG_BIT_BODIES_MAX]; /* best first, the portable one last; what sg_choice
                                              counts as bodies */
} sg_bits;

/* Where an output's rows [0, rows) end, in bytes. */
int64_t sg_bits_bytes(int64_t rows, int64_t width);

/* Where bit `at` of a column's rows comes from in the input. */
int64_t sg_bits_source(const sg_map *map, const sg_map_part *column, int64_t at);

#endif
