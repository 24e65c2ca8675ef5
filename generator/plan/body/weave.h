/* A vector program under construction over one tile of rows: what network.c, gather.c and
 * slices.c build with. */
#ifndef SG_PLAN_BODY_WEAVE_H
#define SG_PLAN_BODY_WEAVE_H

#include "plan/body/builder.h"
#include "plan/body/lanes.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"

/* Neighbouring columns put together by one network. */
typedef struct sg_column_group {
    int64_t first; /* column */
    int64_t count;
    int64_t base;  /* bytes of a row before the piece that holds them */
    int64_t piece; /* bytes loaded of every row, a divisor of the vector, or stored, a vector; 0:
                      rows are taken whole, one behind the other */
} sg_column_group;

typedef struct sg_weave {
    sg_arena *arena;
    const sg_plan *plan;
    const sg_isa_info *isa;
    sg_body *v;
    sg_builder builder;           /* of the body */
    int64_t first_column;         /* the body's column 0 */
    int64_t first_byte;           /* and its byte 0 of a row */
    sg_column_group column_group; /* the columns routed now */
    sg_routing routing;           /* every element of their tile: where it is and where it goes */
    int64_t tile_bytes;           /* of the input */
    sg_ref *vectors;              /* of the tiles of its parts: lines or, in a join, sources */
} sg_weave;

/* Rows after which every column of at most `widest` bytes is at a multiple of `unit` bytes again.
 */
int64_t sg_weave_period(const sg_map *map, int64_t unit, int64_t widest);

/* A body with tiles of `rows` rows and nothing in it. `largest`: bytes of the largest element that
 * what is to be in it moves at once. False when the layout does not suit: elements too small or too
 * large for the instruction set, fewer rows than a tile, or more vectors in one than an int counts.
 */
bool sg_weave_open(sg_arena *arena, const sg_plan *plan, const sg_isa_info *isa, int64_t rows,
                   int largest, sg_body *body, sg_weave *weave);

/* Starts the next body of the body, which has room for it. Its columns count from `column` on,
 * its offsets in the input from `src` on. */
void sg_weave_start_code(sg_weave *weave, int64_t column, int64_t src);

/* Lists the elements of a column group over the tile. */
void sg_weave_route(sg_weave *weave, const sg_column_group *column_group);

/* Opens a body over the smallest tile after which the input and every output are at a
 * multiple of the vector again, and routes all columns. False also when the tile has more than
 * isa->sources_max vectors. */
bool sg_weave_begin(sg_arena *arena, const sg_plan *plan, const sg_isa_info *isa, int largest,
                    sg_body *body, sg_weave *weave);

/* Bytes of the largest element, up to 16, every offset and width is a multiple of. */
int64_t sg_weave_common_bytes(const sg_map *map);

/* Each returns the register written. Offsets in bytes of the tile; index and mask have one entry
 * per lane: the lane read (permute2: of a, then of b), or 1 for b and 0 for a. */
int sg_weave_load(sg_weave *weave, int64_t offset);
/* pieces of `bytes`, `step` apart; a whole unit is one piece, whatever the step */
int sg_weave_load_pieces(sg_weave *weave, int64_t offset, int64_t bytes, int64_t step);
int sg_weave_load_source(sg_weave *weave, int source);
int sg_weave_permute(sg_weave *weave, int a, const uint8_t *index);
int sg_weave_permute2(sg_weave *weave, int a, int b, const uint8_t *index);
int sg_weave_blend(sg_weave *weave, int a, int b, const uint8_t *mask);
void sg_weave_store(sg_weave *weave, int line, int a);

/* Of a join: this line and the next one. */
void sg_weave_store_two(sg_weave *weave, int line, int a, int b);

/* One register from `count` of them: per lane what its owner has there; owner -1: any. */
int sg_weave_blend_all(sg_weave *weave, const int *regs, int count, const int *owner);

/* The whole tile into one register for each of `columns` columns of a lane each; returns the
 * first register, the others follow. */
int sg_weave_load_interleaved(sg_weave *weave, int64_t columns);

/* The first vector of a column's tile. */
void sg_weave_store_column(sg_weave *weave, int64_t column, int a);

/* The reverse of sg_weave_load_interleaved: the whole tile from `columns` registers, the first of
 * which is a. */
void sg_weave_store_interleaved(sg_weave *weave, int64_t columns, int a);

/* One row of one column, memory to memory. */
void sg_weave_run(sg_weave *weave, int64_t column, int64_t row);

/* Gives every SG_LANE_DONT_CARE of the body a value and decides which masks become vectors. The
 * last call for a body. */
void sg_weave_settle(sg_weave *weave);

#endif
