/* Faults: nodes that fail in every run, such as a Gather of index 5 from an axis of 3. A fault is
 * propagated to everything computed from its outputs. If a requested output depends on it, the
 * first fault is reported as its error; else it is ignored. */
#include <string.h>

#include "shapes/infer_engine.h"
#include "shapes/operators.h"

/* Whether the rule of the node is no stricter than the runtimes that execute models. That is
 * ensured for operators that may become kernels, and for those listed here, which were compared
 * with ONNX Runtime. OpenVINO's runtime accepts a Gather of an index out of bounds. */
static bool is_checked(const sg_graph_node *node)
{
    static const char *const compared[] = {
        "AveragePool", "Conv",      "ConvTranspose", "Expand",    "Gemm",           "MatMul",
        "MaxPool",     "Pad",       "Reshape",       "Resize",    "Squeeze",        "Tile",
        "TopK",        "Transpose", "Unsqueeze",     "ScatterND", "ScatterElements"};
    for (size_t i = 0; sg_graph_is_onnx(node) && i < sizeof compared / sizeof compared[0]; ++i) {
        if (strcmp(node->op_type, compared[i]) == 0) {
            return true;
        }
    }
    const sg_operator *op = sg_operator_of(node);
    return op->kind == SG_OPERATOR_SPLIT || op->kind == SG_OPERATOR_CONCAT ||
           (op->kind != SG_OPERATOR_OTHER && op->onnx);
}

sg_fact_fault *sg_infer_fault_new(sg_infer *infer, const sg_graph_node *node,
                                  const sg_fact *const *inputs, const char *reason)
{
    if (reason == NULL || !is_checked(node)) {
        return NULL;
    }
    sg_fact_fault *fault = SG_NEW(infer->arena, sg_fact_fault);
    *fault = (sg_fact_fault){.node = node, .inputs = inputs, .reason = reason};
    return fault;
}

sg_fact_fault *sg_infer_fault_among(const sg_graph_node *node, const sg_fact *const *inputs)
{
    for (int64_t i = 0; i < node->ninputs; ++i) {
        sg_fact_fault *fault = inputs[i] != NULL ? inputs[i]->fault : NULL;
        if (fault != NULL && (fault->node != NULL || is_checked(node))) {
            fault->node = fault->node != NULL ? fault->node : node;
            return fault;
        }
    }
    return NULL;
}
