/* A vector program under construction over one window of rows: what network.c and gather.c build
 * with. Equal constants and equal loads are made once. */
#ifndef SG_PLAN_WEAVE_H
#define SG_PLAN_WEAVE_H

#include "plan/isa.h"
#include "plan/lanes.h"
#include "plan/plan.h"

typedef struct sg_weave {
    sg_arena *arena;
    const sg_plan *plan;
    const sg_isa_info *isa;
    sg_variant *v;
    sg_routing routing;   /* every element of the window: where it is and where it goes */
    int64_t window_bytes; /* of the input */
    int64_t *line_column; /* per line: its column */
    int64_t *line_dst;    /* per line: bytes into that column's window */
    int64_t capacity;     /* of v->body.insns and v->constants */
} sg_weave;

/* Lists the elements of the smallest window after which the input and every output are at a
 * multiple of the vector again. False when the layout does not suit: elements too small or too
 * large for the instruction set, fewer rows than a window, more than isa->sources_max vectors. */
bool sg_weave_begin(sg_arena *arena, const sg_plan *plan, const sg_isa_info *isa,
                    sg_variant *variant, sg_weave *weave);

/* Each returns the register written. Offsets in bytes of the window; index and mask have one entry
 * per lane: the lane read (permute2: of a, then of b), or 1 for b and 0 for a. */
int sg_weave_load(sg_weave *weave, int64_t offset);
int sg_weave_permute(sg_weave *weave, int a, const uint8_t *index);
int sg_weave_permute2(sg_weave *weave, int a, int b, const uint8_t *index);
int sg_weave_blend(sg_weave *weave, int a, int b, const uint8_t *mask);
void sg_weave_store(sg_weave *weave, int line, int a);

#endif
