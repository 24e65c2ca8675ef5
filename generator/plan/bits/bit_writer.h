/* A program of vectors over bits that is being written: equal instructions and constants are made
 * once. */
#ifndef SG_PLAN_BITS_BIT_WRITER_H
#define SG_PLAN_BITS_BIT_WRITER_H

#include "plan/bits/bit_program.h"
#include "plan/plan.h"

/* Instructions and constants of one trip: about 20 KiB of code and 8 KiB of constants. */
#define SG_BIT_INSNS_MAX     768
#define SG_BIT_CONSTANTS_MAX 128

/* Masks the compiler keeps in mask registers. */
#define SG_BIT_MASKS_KEPT 7

/* Vectors of constants that stay in registers; the rest are read at every use. */
#define SG_BIT_CONSTANTS_KEPT 22

/* Heads of the chains equal instructions and constants are found by: powers of two. */
#define SG_BIT_INSN_CHAINS     512
#define SG_BIT_CONSTANT_CHAINS 128

/* A program being written. The last one of a chain comes first in it, so what is undone in reverse
 * order only moves heads. */
typedef struct sg_bit_writer {
    const sg_bits *bits;
    int64_t in_bytes; /* of the input that belong to a trip, at least a vector */
    int64_t origin;   /* first byte of the input the part being written uses, from where on every
                         gather loads at multiples of a vector */
    bool aligned;     /* origins are multiples of a vector */
    bool full;        /* it has become too long; what is in it then is nothing */
    int ninsns;
    int nconstants;
    int nloads;
    int loads[SG_BIT_INSNS_MAX]; /* which instructions are */
    sg_bit_insn insns[SG_BIT_INSNS_MAX];
    sg_constant constants[SG_BIT_CONSTANTS_MAX];
    uint32_t insn_hash[SG_BIT_INSNS_MAX];
    uint32_t constant_hash[SG_BIT_CONSTANTS_MAX];
    int insn_next[SG_BIT_INSNS_MAX]; /* the one before in the chain, -1: none */
    int constant_next[SG_BIT_CONSTANTS_MAX];
    int insn_head[SG_BIT_INSN_CHAINS];
    int constant_head[SG_BIT_CONSTANT_CHAINS];
} sg_bit_writer;

/* Makes it empty. */
void sg_bit_clear(sg_bit_writer *w);

/* A place to come back to where another way is cheaper. */
typedef struct sg_bit_mark {
    int ninsns;
    int nconstants;
    int nloads;
    bool full;
} sg_bit_mark;

sg_bit_mark sg_bit_here(const sg_bit_writer *w);
void sg_bit_go_back(sg_bit_writer *w, sg_bit_mark to);

/* Append an instruction, or find an equal one; a constant; and both for one from registers to a
 * register. */
int sg_bit_add(sg_bit_writer *w, sg_bit_insn insn);
int64_t sg_bit_add_constant(sg_bit_writer *w, sg_constant_kind kind, const uint8_t *lanes);
int sg_bit_add_insn(sg_bit_writer *w, sg_bit_opcode_vector op, int a, int b, sg_constant_kind kind,
                    const uint8_t *lanes);

/* Bytes of a column in a trip. */
int64_t sg_bit_column_bytes(const sg_bit_writer *w, int64_t column);

#endif
