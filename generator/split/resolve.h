/* resolve: turns an op into a split, or reports every reason why it is invalid. All rules of both
 * standards are in resolve.c and the resolve_*.c files. */
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

/* Checks one op. Reports every independent error it finds and returns NULL, or returns the split,
 * allocated in the arena. */
sg_split *sg_resolve(sg_arena *arena, sg_diag *diag, const sg_op *op,
                     const sg_resolve_options *options);

/* Checks the known properties of the inputs of a standard's Concat, some of which may have no dtype
 * or shape or may have unknown dims. *axis: the axis of the concat, from 0; -1: no rank is known.
 * False: the inputs contradict each other or the standard, reported. */
bool sg_resolve_known(sg_arena *arena, sg_diag *diag, const sg_op *op, int64_t *axis) SG_CHECK;

/* Rules across ops: all symbols NAME and NAME_kernel must differ. False: every clash is
 * reported. */
bool sg_resolve_names(sg_diag *diag, sg_split *const *splits, int64_t count) SG_CHECK;

#endif
