/* resolve: from an op to a split, or every reason why there is none. resolve.c and the resolve_*.c
 * beside it hold every rule of both standards and nothing else does. */
#ifndef SG_SPLIT_RESOLVE_H
#define SG_SPLIT_RESOLVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "split/op.h"
#include "split/split.h"

typedef struct sg_resolve_options {
    const char *prefix; /* put before every symbol; may be "" */
} sg_resolve_options;

/* Checks one op. Reports every independent error it finds (several per op where they do not
 * follow from each other) and returns NULL, or returns the split, allocated in the arena. */
sg_split *sg_resolve(sg_arena *arena, sg_diag *diag, const sg_op *op,
                     const sg_resolve_options *options);

/* Checks what is known of the inputs of a standard's Concat: some may have no dtype or shape, or
 * dims that are unknown. *axis: the one that they are joined along, from 0; -1: no rank is known.
 * False: what is known contradicts itself or the standard, reported. */
bool sg_resolve_known(sg_arena *arena, sg_diag *diag, const sg_op *op, int64_t *axis) SG_CHECK;

/* Rules across ops: symbols NAME and NAME_kernel are all different. False: reported, every clash.
 */
bool sg_resolve_names(sg_diag *diag, sg_split *const *splits, int64_t count) SG_CHECK;

#endif
