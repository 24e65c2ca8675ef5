/* The plan of a split whose elements are not whole bytes, in bits. Data only; built by bits.c from
 * a split of packed elements, verified by verify_bits.c.
 *
 * A tensor is a stream of bits: bit i of the stream is the i-th least significant bit of the bytes
 * in order, or, with msb, the i-th most significant one. Everything here counts bits of such
 * streams, so one program serves both orders. Rows are processed in groups: the fewest rows after
 * which the input and every output are at a whole byte again, or a multiple of that. Within a group
 * every shift is a constant. Rows that remain after the last group have a separate program. */
#ifndef SG_PLAN_BITS_BIT_PROGRAM_H
#define SG_PLAN_BITS_BIT_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"

/* From this many bits on, a row of an output is a run, whose whole bytes are shifted by vectors in
 * a loop; shorter rows are words (MEASURED.md, Packed elements). */
#define SG_BIT_RUN_MIN INT64_C(640)

/* Bits that are moved from one word of the input into one word of an output. Bit j of a word is bit
 * j of the stream that begins at its first byte. */
typedef struct sg_bit_piece {
    sg_ref from;   /* first byte loaded */
    int bytes;     /* loaded, 1 to 8 */
    uint64_t mask; /* bits taken */
    int shift;     /* position of the first of them in the output word; the others follow */
} sg_bit_piece;

typedef enum sg_bit_opcode {
    SG_BIT_WORD, /* 1 to 8 bytes of an output <- pieces, or-ed; other bits are zero */
    SG_BIT_RUN   /* bytes of an output <- consecutive bits of the input */
} sg_bit_opcode;

typedef struct sg_bit_op {
    sg_bit_opcode op;
    sg_ref to; /* first byte written */
    int64_t bytes;
    sg_ref from;   /* run: first byte read */
    int shift;     /* run: bits of that byte that are skipped */
    int64_t first; /* word: its first piece */
    int64_t npieces;
} sg_bit_op;

/* A program for several rows: one group, or the rows after the last group. */
typedef struct sg_bit_segment {
    int64_t rows;
    int64_t nops;
    sg_bit_op *ops;
    int64_t npieces;
    sg_bit_piece *pieces;
    int64_t nblocks;
    sg_block *blocks; /* of ops */
} sg_bit_segment;

/* Versions of the program for different machines. */
typedef enum sg_bit_body {
    SG_BIT_PORTABLE,
    SG_BIT_PEXT,  /* extracts bits by one instruction */
    SG_BIT_AVX2,  /* the same, and runs by AVX2 */
    SG_BIT_AVX512 /* the same, and runs by AVX-512 */
} sg_bit_body;

#define SG_BIT_BODIES_MAX 3

/* "portable", "pext", "avx2", "avx512". */
const char *sg_bit_body_name(sg_bit_body code);

/* The usual name of its instruction set: "AVX-512". */
const char *sg_bit_body_title(sg_bit_body code);

/* The instruction set that a body needs, in addition to a fast `pext`; NULL: none. */
const sg_isa_info *sg_bit_body_isa(sg_bit_body code);

typedef struct sg_bits {
    bool msb;
    int64_t group_rows;
    int64_t groups; /* number of whole groups */
    sg_bit_segment group;
    sg_bit_segment tail; /* rows is 0 if there is none */
    int64_t nbodies;
    sg_bit_body bodies[SG_BIT_BODIES_MAX]; /* best first, the portable one last; sg_choice.body is
                                              an index into it */
} sg_bits;

/* The number of bytes that `rows` rows of `width` bits take. */
int64_t sg_bits_bytes(int64_t rows, int64_t width);

#endif
