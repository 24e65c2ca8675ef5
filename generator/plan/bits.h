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
#ifndef SG_PLAN_BITS_H
#define SG_PLAN_BITS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "plan/plan.h"

/* A wanted, non-empty part seen as a column of the row matrix. Bits. */
typedef struct sg_bit_column {
    int64_t offset;
    int64_t width;
    int64_t output; /* index into sg_plan.outputs */
} sg_bit_column;

/* Bits of one word of the input on their way into one word of an output. Bit j of a word is bit j
 * of the stream that begins at its first byte. */
typedef struct sg_bit_piece {
    int64_t src;   /* first byte loaded, from the input's base for this group */
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
    int64_t column;
    int64_t dst; /* first byte, from the output's base for this group */
    int64_t bytes;
    int64_t src;   /* run: first bit, from the input's base for this group */
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

/* A group again, for machines that pick any bytes of a vector: it reads its input as one vector,
 * and byte j of an output is, or-ed over the slots, bits shift .. shift + 7 of the 16 bits that
 * bytes `first` and `second` of the vector make, as far as the mask has ones. */
#define SG_BIT_VECTOR 64

typedef struct sg_bit_slot {
    uint8_t first[SG_BIT_VECTOR]; /* one entry per byte of the output */
    uint8_t second[SG_BIT_VECTOR];
    uint8_t shift[SG_BIT_VECTOR];
    uint8_t mask[SG_BIT_VECTOR];
} sg_bit_slot;

typedef struct sg_bit_window {
    int64_t bytes; /* of the output */
    int64_t nslots;
    sg_bit_slot *slots;
} sg_bit_window;

/* How the same program is written for different machines. */
typedef enum sg_bit_body {
    SG_BIT_PORTABLE,
    SG_BIT_PEXT,   /* bits picked by one instruction */
    SG_BIT_AVX2,   /* that, and runs by vectors */
    SG_BIT_AVX512, /* the same */
    SG_BIT_VBMI    /* groups by windows */
} sg_bit_body;

#define SG_BIT_BODIES_MAX 3

typedef struct sg_bits {
    bool msb;
    int64_t rows; /* of the split; all of them one when the output is the whole input */
    int64_t row_bits;
    int64_t ncolumns;
    sg_bit_column *columns; /* in source order */
    int64_t group_rows;
    int64_t groups; /* whole ones */
    sg_bit_segment group;
    sg_bit_window *windows; /* of a group, one per column; NULL: there are none */
    int64_t windows_behind; /* groups that must follow in a range before one may read and store
                               whole vectors: what is wrong behind its own bytes they write again */
    sg_bit_segment tail;    /* rows 0: there is none */
    int64_t nbodies;
    sg_bit_body bodies[SG_BIT_BODIES_MAX]; /* best first, the portable one last */
} sg_bits;

/* Where an output's rows [0, rows) end, in bytes. */
int64_t sg_bits_bytes(int64_t rows, int64_t width);

/* The same split over bytes where every row and every wanted part of one begins and ends at a whole
 * byte, else NULL. Its parts are bytes of the axis, its type is u8. */
sg_split *sg_bits_as_bytes(sg_arena *arena, const sg_split *split);

/* Looks for windows: when they are cheaper than words, sets group_rows and windows of bits whose
 * rows and columns are known. */
bool sg_windows_build(sg_arena *arena, sg_bits *bits);

/* Where bit `at` of a column's rows comes from in the input. */
int64_t sg_bits_source(const sg_bits *bits, const sg_bit_column *column, int64_t at);

/* Fills plan->bits and what a plan tells of itself, without views. False: reported, the program
 * would be too long. */
bool sg_bits_build(sg_arena *arena, sg_diag *diag, sg_plan *plan,
                   const sg_plan_options *options) SG_CHECK;

/* NULL when plan->bits is proved to do what plan->split says, else what is wrong, in the arena. */
const char *sg_verify_bits(sg_arena *arena, const sg_plan *plan);

/* Stable text for --dump. */
void sg_bits_dump_layout(sg_buf *out, const sg_plan *plan);
void sg_bits_dump_program(sg_buf *out, const sg_plan *plan);

#endif
