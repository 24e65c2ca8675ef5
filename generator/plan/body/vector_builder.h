/* Builds the vector code of a body over one tile of rows: loads, shuffles and stores by row and
 * column. code_builder.h stores the instructions. */
#ifndef SG_PLAN_BODY_VECTOR_BUILDER_H
#define SG_PLAN_BODY_VECTOR_BUILDER_H

#include "plan/body/code_builder.h"
#include "plan/body/lanes.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"

/* Adjacent columns that one network copies. */
typedef struct sg_column_group {
    int64_t first; /* index of its first column */
    int64_t count;
    int64_t base;  /* offset in a row of the piece that contains them */
    int64_t piece; /* bytes loaded from every row, or stored to it, a divisor of the vector;
                      0: whole rows, contiguous */
} sg_column_group;

typedef struct sg_vector_builder {
    sg_arena *arena;
    const sg_plan *plan;
    const sg_isa_info *isa;
    sg_body *v;
    sg_code_builder builder;      /* of the current code */
    int64_t first_column;         /* column 0 of the current code */
    int64_t first_byte;           /* byte 0 of a row for the current code */
    sg_column_group column_group; /* the columns being routed */
    sg_routing routing;           /* source and destination of every element of the tile */
    int64_t tile_bytes;           /* of the input */
    sg_ref *vectors; /* the vectors of its parts' tiles: lines, or sources in a concat */
} sg_vector_builder;

/* Number of rows after which every column of at most `widest` bytes is again at a multiple of
 * `unit` bytes. */
int64_t sg_vector_period(const sg_map *map, int64_t unit, int64_t widest);

/* Begins an empty body with tiles of `rows` rows. False if the layout does not suit: elements too
 * small or too large for the instruction set, fewer rows than a tile, or more vectors in a tile
 * than fit an int. */
bool sg_vector_open(sg_arena *arena, const sg_plan *plan, const sg_isa_info *isa, int64_t rows,
                    sg_body *body, sg_vector_builder *vb);

/* Starts the body's next code, for which it has room. Columns count from `column`, offsets in the
 * input from `src`. */
void sg_vector_start_code(sg_vector_builder *vb, int64_t column, int64_t src);

/* Lists the elements of a column group in the tile. */
void sg_vector_route(sg_vector_builder *vb, const sg_column_group *column_group);

/* Begins a body over the smallest tile after which the input and every output are again at a
 * multiple of the vector, and routes all columns. False also if the tile has more than
 * isa->sources_max vectors. */
bool sg_vector_begin(sg_arena *arena, const sg_plan *plan, const sg_isa_info *isa, sg_body *body,
                     sg_vector_builder *vb);

/* The largest element size, up to 16 bytes, that divides every offset and width. */
int64_t sg_vector_common_bytes(const sg_map *map);

/* These functions return the register written. Offsets are in bytes of the tile. `index` and `mask`
 * have one entry per lane: the lane read (permute2: of a, then of b), or 1 for b and 0 for a. */
int sg_vector_load(sg_vector_builder *vb, int64_t offset);
/* pieces of `bytes` bytes, `step` apart; a whole register is one piece, whatever `step` is */
int sg_vector_load_pieces(sg_vector_builder *vb, int64_t offset, int64_t bytes, int64_t step);
int sg_vector_load_source(sg_vector_builder *vb, int source);
int sg_vector_permute(sg_vector_builder *vb, int a, const uint8_t *index);
int sg_vector_permute2(sg_vector_builder *vb, int a, int b, const uint8_t *index);
int sg_vector_blend(sg_vector_builder *vb, int a, int b, const uint8_t *mask);
void sg_vector_store(sg_vector_builder *vb, int line, int a);

/* Blends `count` registers into one: each lane comes from its owner; owner -1: any register. */
int sg_vector_blend_all(sg_vector_builder *vb, const int *regs, int count, const int *owner);

/* Deinterleaves the whole tile into one register per column, for `columns` columns of one lane.
 * Returns the first register; the others follow. */
int sg_vector_load_interleaved(sg_vector_builder *vb, int64_t columns);

/* Stores the first vector of a column's tile. */
void sg_vector_store_column(sg_vector_builder *vb, int64_t column, int a);

/* The inverse of sg_vector_load_interleaved: stores the whole tile from `columns` registers, the
 * first of which is a. */
void sg_vector_store_interleaved(sg_vector_builder *vb, int64_t columns, int a);

/* Copies one row of one column from memory to memory. */
void sg_vector_run(sg_vector_builder *vb, int64_t column, int64_t row);

/* Gives every SG_LANE_DONT_CARE of the body a value, and decides which masks become vectors. Must
 * be the last call for a body. */
void sg_vector_settle(sg_vector_builder *vb);

#endif
