/* The parts of the proof. They share no code with the planner. */
#ifndef SG_PLACEMENT_PROVE_H
#define SG_PLACEMENT_PROVE_H

#include "placement/placement.h"

/* Runs of bytes that repeat along up to SG_MAX_RANK dimensions, innermost first. The first run
 * begins at `at`. */
typedef struct sg_prove_bytes {
    int64_t at;
    int64_t run; /* bytes of one run */
    int n;
    int64_t counts[SG_MAX_RANK];
    int64_t steps[SG_MAX_RANK];
} sg_prove_bytes;

typedef struct sg_prover {
    sg_arena *arena;
    const sg_placement *graph;
    const sg_place_options *options;
    bool *written;
    int64_t **held; /* for each buffer: tensors that were written and may still be read */
    int64_t *nheld, *capacity;
    int numbers; /* of open dimensions */
    const char *wrong;
} sg_prover;

/* prove_places.c: the bytes of `length` elements of a tensor from `start` along an axis; of all
 * elements if axis is -1. */
sg_prove_bytes sg_prove_box(const sg_place_tensor *t, int64_t axis, int64_t start, int64_t length);
/* Whether two boxes have a byte in common. */
bool sg_prove_meet(const sg_prove_bytes *a, const sg_prove_bytes *b);
/* Whether the tensor has no padding. */
bool sg_prove_is_packed(const sg_place_tensor *t);
bool sg_prove_has_place(const sg_place_tensor *t);
/* Checks that each place is within its buffer, aligned, and without rows that overlap, and that
 * buffers of the caller are as they expect. Returns NULL, or what is wrong. */
const char *sg_prove_places(sg_arena *arena, const sg_placement *graph);
/* The same for the arena: buffers that are needed at the same time have no byte in common. */
const char *sg_prove_arena(sg_arena *arena, const sg_placement *graph,
                           const sg_place_options *options);

/* prove_parts.c: whether a part is stored exactly where the whole has it. start: the index of its
 * first element on the axis of a kernel's whole. */
bool sg_prove_lies_in(const sg_prover *p, const sg_place_node *node, const sg_place_part *part,
                      int64_t start);

#endif
