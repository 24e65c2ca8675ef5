/* Sequences: their tensors have facts of their own, so that a SequenceAt has the shape of the
 * tensor that it selects. The operators that make sequences have Lua rules. SequenceAt is
 * implemented here for speed, because a model can have many that each read a long sequence. */
#include <inttypes.h>
#include <string.h>

#include "shapes/infer_engine.h"

#define INDEX_INPUT 1

int64_t sg_infer_element(const sg_graph_node *node, const sg_fact *const *inputs)
{
    const sg_fact *sequence = node->ninputs > INDEX_INPUT ? inputs[0] : NULL;
    const sg_fact *index = node->ninputs > INDEX_INPUT ? inputs[INDEX_INPUT] : NULL;
    if (sequence == NULL || !sequence->is_sequence || index == NULL || !index->has_values ||
        index->count != 1 || index->values[0].kind != SG_FACT_INT) {
        return -1;
    }
    const int64_t count = sequence->nelements;
    const int64_t i = index->values[0].as.integer;
    return i < -count || i >= count ? -1 : i < 0 ? i + count : i;
}

bool sg_infer_sequence_at(sg_infer *infer, const sg_graph_node *node, const sg_fact *const *inputs,
                          sg_fact **outputs, const char **reason)
{
    *reason = NULL;
    if (!sg_graph_is_onnx(node) || strcmp(node->op_type, "SequenceAt") != 0 ||
        node->noutputs != 1 || node->ninputs <= INDEX_INPUT || inputs[0] == NULL ||
        (!inputs[0]->is_sequence && inputs[0]->each == NULL)) {
        return false;
    }
    const int64_t i = sg_infer_element(node, inputs);
    const sg_fact *index = inputs[INDEX_INPUT];
    const sg_fact_cause *cause = sg_infer_cause(infer, node->outputs[0], node,
                                                "the tensors of the sequence have different ones");
    const bool outside =
        i < 0 && inputs[0]->is_sequence && index != NULL && sg_fact_values_known(index);
    const sg_fact *taken = i >= 0     ? inputs[0]->elements[i]
                           : !outside ? sg_fact_each(infer->arena, inputs[0], cause)
                                      : NULL;
    if (taken != NULL) {
        *outputs[0] = *taken;
    }
    if (outside && index->count == 1 && index->values[0].kind == SG_FACT_INT) {
        *reason = sg_arena_printf(infer->arena,
                                  "index %" PRId64 " is outside a sequence of %" PRId64 " tensors",
                                  index->values[0].as.integer, inputs[0]->nelements);
    }
    return true;
}
