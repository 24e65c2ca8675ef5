/* --list for other programs. */
#ifndef SG_PLAN_TELL_LIST_JSON_H
#define SG_PLAN_TELL_LIST_JSON_H

#include "base/text.h"
#include "plan/plan.h"

/* What models have besides, of which no op was made. */
typedef struct sg_list_rest {
    int64_t count;
    const char *what;   /* "Split and VariadicSplit nodes (2)" */
    const char *option; /* with which ops are made of it, too: "--ops=split,slice" */
} sg_list_rest;

/* All ops as one JSON document. A number beyond int64 is null.
 *
 *   field                 what it is                                          present
 *   schema                1                                                   always
 *   ops                   list of ops, below                                  always
 *   summary               splits, fused ones included; bytes_copied: of       always
 *                         outputs that are no contiguous views;
 *                         bytes_saved_by_views: of those that are
 *   summary.concats       how many                                            there are any
 *   summary.kernels       how many                                            any op has fused
 *   summary               bytes of tensors that are never made, which are     any op has fused
 *     .bytes_saved_by_fusing  neither written nor read again, so twice each
 *
 *   summary.not_listed    count of what --ops leaves out, and the             there are any
 *                         option that lists it too
 *
 *   field of an op        what it is                                          present
 *   name, type, axis      of the split                                        always
 *   op                    "split" or "concat"                                 always
 *   shape                 numbers; an open dimension as a text,               always
 *                         "batch" or "197*batch"
 *   lengths               of all parts                                        always
 *   outputs               names of all parts; of one not wanted null          it is no concat
 *   inputs, output        each name, tensor (if it is from a model), shape,   it is a concat
 *                         bytes. Inputs are what the kernel is given: a
 *                         tensor once of which several parts are pieces, no
 *                         constants
 *   parts                 of each part what it is a piece of and how many     it is a concat of
 *                         elements lie in front of it, or that it is a        pieces or constants
 *                         constant
 *   parameters            of the C function, in order: role, name, tensor     always
 *   bytes                 of the whole                                        always
 *   free                  name, dim, expected; all bytes are then those of    a dimension is open
 *                         one item
 *   views                 the outputs that are contiguous views               always
 *   node, op_type, path   in the model                                        it is from a model
 *   tensor, nodes         what a family cuts, and the nodes it stands for    it is a family
 *   tensors               input and outputs, or inputs and output, as the     it is from a model
 *                         model names them
 *   fused                 the other Splits it stands for, each with node,     it is several Splits
 *                         op_type, tensor (its input, which is never made)
 *                         and bytes of that
 *   not_fused             why it is no part of the kernel that makes its      --fuse, and another
 *                         input                                               makes the input
 */
void sg_list_json(sg_buf *out, const sg_plan *const *plans, int64_t count,
                  const sg_list_rest *rest);

/* The last line of --list: the bytes of outputs that are contiguous views, or only views, and those
 * of all others. Of open dimensions one item counts. */
void sg_list_total(sg_buf *out, const sg_plan *const *plans, int64_t count);

#endif
