/* Faults: nodes that no run gets past, whatever it brings, such as a Gather of entry 5 of 3. A
 * fault goes on to all that is made of its tensors, and the first one is the error of whatever is
 * asked for and needs it. A faulty node that nothing asked for needs stops nothing. */
#include <string.h>

#include "frontend/graph/infer_engine.h"

/* Operators whose rules say no more than what runs a model does. */
typedef enum fault_kind {
    FAULT_NONE,
    FAULT_SPLIT,
    FAULT_CONCAT,
    FAULT_SLICE,
    FAULT_OTHER
} fault_kind;

/* Which choice of operators asks for those of the node. */
static fault_kind kind_of(const sg_graph_node *node)
{
    static const struct {
        const char *op_type;
        fault_kind kind;
    } rows[] = {{"Slice", FAULT_SLICE},
                {"Gather", FAULT_SLICE},
                {"SplitToSequence", FAULT_SLICE},
                {"SequenceAt", FAULT_SLICE},
                {"SequenceInsert", FAULT_OTHER},
                {"SequenceErase", FAULT_OTHER},
                {"SequenceConstruct", FAULT_OTHER},
                {"ConcatFromSequence", FAULT_CONCAT}};
    if (sg_infer_is_split(node) || sg_infer_is_concat(node)) {
        return sg_infer_is_split(node) ? FAULT_SPLIT : FAULT_CONCAT;
    }
    for (size_t i = 0; sg_graph_is_onnx(node) && i < sizeof rows / sizeof rows[0]; ++i) {
        if (strcmp(rows[i].op_type, node->op_type) == 0) {
            return rows[i].kind;
        }
    }
    return FAULT_NONE;
}

sg_fact_fault *sg_infer_fault_new(sg_infer *infer, const sg_graph_node *node,
                                  const sg_fact *const *inputs, const char *reason)
{
    if (reason == NULL || kind_of(node) == FAULT_NONE) {
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
        if (fault != NULL && (fault->node != NULL || kind_of(node) != FAULT_NONE)) {
            fault->node = fault->node != NULL ? fault->node : node;
            return fault;
        }
    }
    return NULL;
}

void sg_infer_fault_report(sg_infer *infer, sg_fact_fault *fault, const sg_graph_node *reader,
                           const char *name)
{
    infer->failed = true;
    if (fault->reported) {
        return;
    }
    fault->reported = true;
    const sg_graph_node *node = fault->node != NULL ? fault->node : reader;
    const bool may_judge = fault->node != NULL && fault->inputs != NULL;
    if (!may_judge || !infer->judge(infer, node, fault->inputs)) {
        (void)sg_diag_error(infer->diag, node->span, "%s '%s' cannot run: %s", node->op_type,
                            sg_graph_node_name(node), fault->reason);
    }
    if (reader != node) {
        sg_diag_note(infer->diag, reader->span, "%s '%s' needs what it makes", reader->op_type,
                     name);
    }
}

void sg_infer_fault_later(sg_infer *infer, sg_fact_fault *fault)
{
    infer->faults = SG_GROWN(infer->arena, infer->faults, infer->nfaults, infer->faults_capacity);
    infer->faults[infer->nfaults++] = fault;
}

void sg_infer_report_faults(sg_infer *infer)
{
    for (int64_t i = 0; i < infer->nfaults; ++i) {
        sg_fact_fault *fault = infer->faults[i];
        sg_infer_fault_report(infer, fault, fault->node, sg_graph_node_name(fault->node));
    }
}

/* Whether a run may leave the node out, so that a model with it is valid. */
static bool in_branch(const sg_infer_scope *scope)
{
    const sg_infer_path *path = scope->path;
    while (path != NULL && strcmp(path->node->op_type, "If") != 0) {
        path = path->outer;
    }
    return path != NULL;
}

void sg_infer_fault_see(sg_infer *infer, const sg_infer_scope *scope, const sg_graph_node *node,
                        const sg_fact *const *inputs, const sg_fact *output)
{
    const fault_kind kind = kind_of(node);
    const bool joins = kind == FAULT_CONCAT && !sg_infer_is_concat(node);
    if (output->fault == NULL || infer->quiet > 0 || (kind != FAULT_SLICE && !joins) ||
        node->ninputs == 0 || inputs[0] == NULL || inputs[0]->constant || output->has_values ||
        in_branch(scope)) {
        return;
    }
    const char *name = joins ? sg_graph_node_name(node) : node->inputs[0];
    if (sg_graph_takes(infer->options, joins ? SG_GRAPH_OPS_CONCAT : SG_GRAPH_OPS_SLICE) &&
        sg_graph_is_chosen(infer->options, name)) {
        sg_infer_fault_report(infer, output->fault, node, sg_graph_node_name(node));
    }
}
