/* Faults of nodes: who reports the fault of a node that becomes an op or that an op depends on, and
 * when. */
#include <string.h>

#include "frontend/graph/ops_engine.h"
#include "shapes/operators.h"

bool sg_ops_fault_mark(const sg_ops *ops, sg_fact_fault *fault, bool left_out)
{
    left_out = left_out || ops->trying;
    if (fault == NULL || fault->reported || (left_out && fault->warned)) {
        return false;
    }
    *(left_out ? &fault->warned : &fault->reported) = true;
    return true;
}

void sg_ops_fault_report(sg_ops *ops, sg_fact_fault *fault, const sg_graph_node *reader,
                         const char *name)
{
    ops->failed = true;
    if (!sg_ops_fault_mark(ops, fault, false)) {
        return;
    }
    const sg_graph_node *node = fault->node != NULL ? fault->node : reader;
    const bool may_check = fault->node != NULL && fault->inputs != NULL;
    if (!may_check || !ops->check(ops, node, fault->inputs)) {
        (void)sg_diag_error(ops->diag, node->span, "%s '%s' cannot run: %s", node->op_type,
                            sg_graph_node_name(node), fault->reason);
    }
    if (reader != node) {
        sg_diag_note(ops->diag, reader->span, "%s '%s' needs what it makes", reader->op_type, name);
    }
}

void sg_ops_fault_later(sg_ops *ops, sg_fact_fault *fault)
{
    ops->faults = SG_GROWN(ops->arena, ops->faults, ops->nfaults, ops->faults_capacity);
    ops->faults[ops->nfaults++] = fault;
}

void sg_ops_report_faults(sg_ops *ops)
{
    for (int64_t i = 0; i < ops->nfaults; ++i) {
        sg_fact_fault *fault = ops->faults[i];
        sg_ops_fault_report(ops, fault, fault->node, sg_graph_node_name(fault->node));
    }
}

/* Whether the scope is inside a branch of If. A run may skip it, so a model with a fault there is
 * valid. */
static bool in_branch(const sg_infer_scope *scope)
{
    const sg_infer_path *path = scope->path;
    while (path != NULL && strcmp(path->node->op_type, "If") != 0) {
        path = path->outer;
    }
    return path != NULL;
}

void sg_ops_fault_see(sg_ops *ops, const sg_infer_scope *scope, const sg_graph_node *node,
                      const sg_fact *const *inputs, const sg_fact *output)
{
    const sg_operator *op = sg_operator_of(node);
    const bool joins = op->kind == SG_OPERATOR_SEQUENCE_CONCAT;
    const bool cuts =
        op->onnx && (op->kind == SG_OPERATOR_RANGES || op->kind == SG_OPERATOR_INDEX ||
                     op->kind == SG_OPERATOR_SEQUENCE_SPLIT || op->kind == SG_OPERATOR_SEQUENCE_AT);
    if (output->fault == NULL || (!cuts && !joins) || node->ninputs == 0 || inputs[0] == NULL ||
        inputs[0]->constant || output->has_values || in_branch(scope)) {
        return;
    }
    const char *name = joins ? sg_graph_node_name(node) : node->inputs[0];
    if (sg_graph_takes(ops->options, joins ? SG_GRAPH_OPS_CONCAT : SG_GRAPH_OPS_SLICE) &&
        sg_graph_is_chosen(ops->options, name)) {
        sg_ops_fault_report(ops, output->fault, node, sg_graph_node_name(node));
    }
}
