/* Faults: nodes that no run gets past, whatever it brings, such as a Gather of entry 5 of 3. A
 * fault goes on to all that is made of its tensors, and the first one is the error of whatever is
 * asked for and needs it. A faulty node that nothing asked for needs stops nothing. */
#include "shapes/infer_engine.h"
#include "shapes/operators.h"

/* Whether its rule says no more against a node than what runs a model does: that of an operator
 * whose nodes may become kernels. OpenVINO runs a Gather of what there is not. */
static bool is_checked(const sg_graph_node *node)
{
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
