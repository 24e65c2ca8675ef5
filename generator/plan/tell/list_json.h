/* --list for other programs. */
#ifndef SG_PLAN_TELL_LIST_JSON_H
#define SG_PLAN_TELL_LIST_JSON_H

#include "base/text.h"
#include "plan/plan.h"

/* All ops as one JSON document: "schema", 1; "ops", each with "name", "type", "shape", "axis",
 * "lengths" and "outputs" of all its parts (an output nobody wants is null), "bytes" of the input,
 * where a dim is free that dim as a text ("batch", "197*batch"), "free" {"name", "dim", "expected"}
 * and all bytes those of one item, "views", the outputs that are free views, and of one from a
 * model "node", "op_type", "path" and "tensors" {"input", "outputs"} in the model's own names; of
 * one that is several Splits "fused", the others, each with "node", "op_type", "tensor" (the input,
 * which is never made) and "bytes" of it; of one that is fed, but not fused, "not_fused", why;
 * "summary" {"splits", "bytes_copied", "bytes_saved_by_views"}: how many Splits, fused ones too,
 * the bytes of the outputs that have to be copied (or taken with strides) and of those that are
 * free views; where any are fused "kernels" and "bytes_saved_by_fusing", twice those of all tensors
 * that are never made. Null beyond int64.
 */
void sg_list_json(sg_buf *out, const sg_plan *const *plans, int64_t count);

#endif
