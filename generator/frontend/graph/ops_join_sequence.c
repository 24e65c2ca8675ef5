/* Treats a ConcatFromSequence as a Concat of the tensors in its sequence, if the nodes that put
 * them there are in the same graph. */
#include <inttypes.h>
#include <string.h>

#include "frontend/graph/ops_engine.h"

/* The search for the tensors of a sequence. */
typedef struct finding {
    sg_ops *ops;
    sg_infer_scope *scope;
    const sg_graph_node *concat;
    const sg_graph_node **makers; /* the nodes that build the sequence, the last one first */
    int64_t nmakers;
    int64_t capacity;
    const char **names; /* of the tensors in the sequence */
    int64_t count;
    const char *kept; /* why the tensors must be written even if a Concat reads them; may be NULL */
    const char *why;  /* why it is not a Concat, as a clause of a message */
} finding;

static bool is_one(const sg_graph_node *node, const char *const *types)
{
    bool is = false;
    for (; *types != NULL && sg_graph_is_onnx(node); ++types) {
        is = is || strcmp(node->op_type, *types) == 0;
    }
    return is;
}

/* Whether all readers of the sequence leave it whole: none takes a tensor out of it. */
static bool only_joins(const finding *f, const char *sequence)
{
    static const char *const types[] = {"ConcatFromSequence", "SequenceLength", NULL};
    const sg_graph *graph = f->scope->graph;
    int64_t reads = 0;
    for (int64_t n = 0; n < graph->nnodes; ++n) {
        const sg_graph_node *node = &graph->nodes[n];
        reads +=
            is_one(node, types) && node->ninputs == 1 && strcmp(node->inputs[0], sequence) == 0;
    }
    return reads == sg_ops_reads(f->ops, f->scope, sequence);
}

/* Whether no other reader needs the tensors of the sequence. */
static bool is_private(finding *f, const char *sequence)
{
    const int64_t reads = sg_ops_reads(f->ops, f->scope, sequence);
    if (reads == 1) {
        return true;
    }
    if (f->nmakers > 0 || !only_joins(f, sequence)) {
        f->why = sg_arena_printf(f->ops->arena,
                                 "the sequence '%s' is also an output or read by other operators",
                                 sequence);
        return false;
    }
    f->kept =
        sg_arena_printf(f->ops->arena, "the sequence '%s', which has it, is read %" PRId64 " times",
                        sequence, reads);
    return true;
}

/* Follows the sequence back to the node that creates it from tensors. */
static bool find_makers(finding *f, const char *sequence)
{
    static const char *const first[] = {"SequenceConstruct", "SequenceEmpty", NULL};
    static const char *const more[] = {"SequenceInsert", "SequenceErase", "Identity", NULL};
    for (int64_t i = 0; i <= f->scope->graph->nnodes; ++i) {
        if (!is_private(f, sequence)) {
            return false;
        }
        const sg_graph_node *node = sg_ops_writer(f->ops, f->scope, sequence);
        if (node == NULL) {
            f->why = sg_arena_printf(f->ops->arena, "the sequence '%s' comes from another graph",
                                     sequence);
            return false;
        }
        f->makers = SG_GROWN(f->ops->arena, f->makers, f->nmakers, f->capacity);
        f->makers[f->nmakers++] = node;
        if (is_one(node, first)) {
            return true;
        }
        if (!is_one(node, more) || node->ninputs == 0) {
            f->why = sg_arena_printf(f->ops->arena, "the sequence '%s' is made by %s", sequence,
                                     node->op_type);
            return false;
        }
        sequence = node->inputs[0];
    }
    return false;
}

/* The position at which a node inserts or erases, from 0 to `last`; `otherwise` if the node does
 * not have that input; -1 if the position is unknown. */
static int64_t place_of(const finding *f, const sg_graph_node *node, int64_t input, int64_t last,
                        int64_t otherwise)
{
    if (node->ninputs <= input || node->inputs[input][0] == '\0') {
        return otherwise;
    }
    const sg_fact *place = sg_infer_find(f->ops->infer, f->scope, node->inputs[input]);
    if (place == NULL || !place->has_values || place->count != 1 ||
        place->values[0].kind != SG_FACT_INT) {
        return -1;
    }
    const int64_t value = place->values[0].as.integer;
    return value < -f->count || value > last ? -1 : value < 0 ? value + f->count : value;
}

static bool insert(finding *f, const sg_graph_node *node)
{
    const int64_t at = node->ninputs > 1 ? place_of(f, node, 2, f->count, f->count) : -1;
    if (at >= 0) {
        memmove(&f->names[at + 1], &f->names[at], (size_t)(f->count++ - at) * sizeof *f->names);
        f->names[at] = node->inputs[1];
    }
    return at >= 0;
}

static bool erase(finding *f, const sg_graph_node *node)
{
    const int64_t at = place_of(f, node, 1, f->count - 1, f->count - 1);
    if (at >= 0) {
        --f->count;
        memmove(&f->names[at], &f->names[at + 1], (size_t)(f->count - at) * sizeof *f->names);
    }
    return at >= 0;
}

/* Replays the makers in graph order. */
static bool find_tensors(finding *f)
{
    const sg_graph_node *first = f->makers[f->nmakers - 1];
    const bool has = strcmp(first->op_type, "SequenceConstruct") == 0;
    f->count = has ? first->ninputs : 0;
    f->names = SG_NEW_ARRAY(f->ops->arena, const char *, f->count + f->nmakers);
    for (int64_t i = 0; i < f->count; ++i) {
        f->names[i] = first->inputs[i];
    }
    for (int64_t m = f->nmakers - 1; m-- > 0;) {
        const sg_graph_node *node = f->makers[m];
        const bool known = strcmp(node->op_type, "SequenceInsert") == 0  ? insert(f, node)
                           : strcmp(node->op_type, "SequenceErase") == 0 ? erase(f, node)
                                                                         : true;
        if (!known) {
            f->why = sg_arena_printf(f->ops->arena, "the position of %s '%s' is not constant",
                                     node->op_type, sg_graph_node_name(node));
            return false;
        }
    }
    f->why = "its sequence is empty";
    return f->count > 0;
}

/* The tensor with an additional axis of length 1, as new_axis adds it. */
static const sg_fact *unsqueezed(sg_arena *arena, const sg_fact *fact, int64_t axis)
{
    if (fact == NULL || !fact->has_rank) {
        return fact;
    }
    const int64_t rank = fact->rank + 1;
    const int64_t wanted = axis < 0 ? axis + rank : axis;
    /* an axis out of range is reported later */
    const int64_t at = wanted < 0 ? 0 : wanted < rank ? wanted : rank - 1;
    sg_fact *to = sg_fact_new(arena);
    *to = *fact;
    to->rank = rank;
    to->dims = SG_NEW_ARRAY(arena, sg_fact_entry, rank);
    for (int64_t d = 0; d < rank; ++d) {
        to->dims[d] = d == at ? (sg_fact_entry){.kind = SG_FACT_INT, .as.integer = 1}
                              : fact->dims[d > at ? d - 1 : d];
    }
    return to;
}

static sg_graph_node *as_concat(const finding *f)
{
    sg_graph_node *concat = SG_NEW(f->ops->arena, sg_graph_node);
    *concat = *f->concat;
    concat->inputs = f->names;
    concat->ninputs = f->count;
    concat->input_spans = f->nmakers == 1 ? f->makers[0]->input_spans : NULL;
    return concat;
}

void sg_ops_join_sequence(sg_ops *ops, sg_infer_scope *scope, const sg_graph_node *node,
                          const sg_fact *output)
{
    static const char *const types[] = {"ConcatFromSequence", NULL};
    if (!is_one(node, types) || node->ninputs != 1 || output->constant != SG_FACT_VARIES) {
        return;
    }
    finding f = {.ops = ops, .scope = scope, .concat = node};
    if (!find_makers(&f, node->inputs[0]) || !find_tensors(&f)) {
        sg_ops_note_apart(ops, node, SG_GRAPH_OPS_CONCAT, "is no kernel", f.why);
        return;
    }
    sg_infer_look(ops->infer, f.count);
    const sg_op_int new_axis = sg_ops_int_attribute(node, "new_axis");
    const sg_op_int axis = sg_ops_int_attribute(node, "axis");
    const sg_fact **parts = SG_NEW_ARRAY(ops->arena, const sg_fact *, f.count);
    for (int64_t i = 0; i < f.count; ++i) {
        parts[i] = sg_infer_find(ops->infer, scope, f.names[i]);
        if (new_axis.present && new_axis.value != 0 && axis.present) {
            parts[i] = unsqueezed(ops->arena, parts[i], axis.value);
        }
    }
    sg_ops_concat(ops, scope, as_concat(&f), parts, output, f.kept);
}
