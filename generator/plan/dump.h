/* Stable text of every stage, for --dump, and the same told to a user, for --list and --explain.
 * Everything is appended to out; nothing is decided here. */
#ifndef SG_PLAN_DUMP_H
#define SG_PLAN_DUMP_H

#include "base/text.h"
#include "plan/plan.h"

void sg_dump_op(sg_buf *out, const sg_op *op);
void sg_dump_split(sg_buf *out, const sg_split *split);
void sg_dump_layout(sg_buf *out, const sg_plan *plan);
void sg_dump_plan(sg_buf *out, const sg_plan *plan);
void sg_dump_program(sg_buf *out, const sg_plan *plan);

/* One line: name, element type, shape, axis, and every wanted output with its length and whether
 * it is a free view, a strided view or a copy; which Splits are part of it, or why it is none. */
void sg_list(sg_buf *out, const sg_plan *plan);

/* All ops as one JSON document: "schema", 1; "ops", each with "name", "type", "shape", "axis",
 * "lengths" and "outputs" of all its parts (an output nobody wants is null), "bytes" of the input,
 * "views", the outputs that are free views, and of one from a model "node", "op_type", "path" and
 * "tensors" {"input", "outputs"} in the model's own names; of one that is several Splits "fused",
 * the others, each with "node", "op_type", "tensor" (the input, which is never made) and "bytes" of
 * it; of one that is fed, but not fused, "not_fused", why; "summary" {"splits", "bytes_copied",
 * "bytes_saved_by_views"}: how many Splits, fused ones too, the bytes of the outputs that have to
 * be copied (or taken with strides) and of those that are free views; where any are fused "kernels"
 * and "bytes_saved_by_fusing", twice those of all tensors that are never made. Null beyond int64.
 */
void sg_list_json(sg_buf *out, const sg_plan *const *plans, int64_t count);

/* Per output: view or copy and why, how the kernel moves it, what would make it cheaper. */
void sg_explain(sg_buf *out, const sg_plan *plan);

/* Behind all of them: what fusing Splits saves. */
void sg_explain_fused(sg_buf *out, const sg_plan *const *plans, int64_t count);

const char *sg_view_name(sg_view_kind kind);      /* "contiguous", "strided", "copy" */
const char *sg_plan_kind_name(sg_plan_kind kind); /* "empty", "straight", "rows" */
const char *sg_port_name(sg_port port);           /* "loads", "stores", ... */
const char *sg_opcode_name(sg_opcode op);         /* "move", "copy", "call" */

/* Whether what is predicted for a microarchitecture is told of a body: it is known, and the one the
 * body is made for where that is one (`tune`). */
bool sg_is_told(const sg_prediction *on, sg_uarch tune, int uarch);

/* "[1,1024,2304]" */
void sg_dump_dims(sg_buf *out, const int64_t *dims, int rank);

#endif
