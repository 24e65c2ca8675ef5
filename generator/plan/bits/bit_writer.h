/* An iteration of vectors over bits that is being written. The number of a register is that of the
 * instruction it is filled by. */
#ifndef SG_PLAN_BITS_BIT_WRITER_H
#define SG_PLAN_BITS_BIT_WRITER_H

#include "plan/bits/bit_program.h"
#include "plan/body/builder.h"
#include "plan/plan.h"

/* Instructions and constants of one iteration: about 20 KiB of code and 8 KiB of constants. */
#define SG_BIT_INSNS_MAX     768
#define SG_BIT_CONSTANTS_MAX 128

/* Masks the compiler keeps in mask registers. */
#define SG_BIT_MASKS_KEPT 7

/* Vectors of constants that stay in registers; the rest are read at every use. */
#define SG_BIT_CONSTANTS_KEPT 22

typedef struct sg_bit_writer {
    const sg_map *map;
    bool msb;
    int64_t in_bytes; /* of the input that belong to an iteration, at least a vector */
    int64_t origin;   /* first byte of the input the part being written uses, from where on every
                         gather loads at multiples of a vector */
    bool aligned;     /* origins are multiples of a vector */
    sg_code code;
    sg_builder builder; /* of the body */
} sg_bit_writer;

/* A writer of an empty iteration over no bytes of the input yet. */
sg_bit_writer *sg_bit_writer_new(sg_arena *arena, const sg_map *map, bool msb);

/* Each returns the register written; lanes: of its constant. */
int sg_bit_load(sg_bit_writer *w, int64_t src);
int sg_bit_mix(sg_bit_writer *w, sg_opcode op, int a, int b, const uint8_t *lanes);

/* A store or, with lanes, a test. */
void sg_bit_store(sg_bit_writer *w, int a, int64_t column, int64_t dst, int64_t bytes,
                  const uint8_t *lanes);

/* Bytes of a column in an iteration. */
int64_t sg_bit_column_bytes(const sg_bit_writer *w, int64_t column);

#endif
