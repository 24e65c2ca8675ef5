/* Nodes that hold graphs. A body sees the names around it; what goes in and comes out is told by
 * the standard (onnx/defs/controlflow) for each operator. */
#include <string.h>

#include "frontend/graph/infer_engine.h"

/* Trial runs of a loop's body before all that changes from turn to turn is given up at once. */
#define TRIALS 8

static sg_fact *copy_of(sg_infer *infer, const sg_fact *fact)
{
    sg_fact *copy = sg_fact_new(infer->arena);
    if (fact != NULL) {
        *copy = *fact;
    }
    return copy;
}

static const sg_graph *graph_of(const sg_graph_node *node, const char *name)
{
    const sg_graph_attribute *attribute = sg_graph_attribute_of(node, name);
    return attribute != NULL && attribute->kind == SG_GRAPH_ATTRIBUTE_GRAPH && attribute->count > 0
               ? attribute->graphs[0]
               : NULL;
}

/* A list of int64s in an attribute, or `otherwise`. */
static int64_t int_of(const sg_graph_node *node, const char *name, int64_t at, int64_t otherwise)
{
    const sg_graph_attribute *attribute = sg_graph_attribute_of(node, name);
    const bool ints = attribute != NULL && (attribute->kind == SG_GRAPH_ATTRIBUTE_INT ||
                                            attribute->kind == SG_GRAPH_ATTRIBUTE_INTS);
    return ints && at < attribute->count ? attribute->ints[at] : otherwise;
}

/* 1, 0, or -1 where it is not known. */
static int truth(const sg_fact *fact)
{
    if (fact == NULL || !fact->has_values || fact->count != 1 ||
        fact->values[0].kind != SG_FACT_INT) {
        return -1;
    }
    return fact->values[0].as.integer != 0 ? 1 : 0;
}

static sg_fact *scalar(sg_infer *infer, sg_dtype dtype)
{
    sg_fact *fact = sg_fact_new(infer->arena);
    fact->dtype = (int)dtype;
    fact->has_rank = true;
    return fact;
}

/* Runs a body once. given[i] is what is known of its input i, NULL: what it declares. results[i]
 * receives a fact for each of its outputs. */
static bool run_body(sg_infer *infer, const sg_infer_scope *scope, const sg_graph_node *node,
                     const sg_graph *body, const sg_fact *const *given, const sg_fact **results)
{
    const sg_infer_path *path = sg_infer_path_into(infer, scope, node);
    if (path == NULL) {
        return false;
    }
    sg_infer_scope inner;
    sg_infer_enter(infer, &inner, scope, body, path, scope->call);
    for (int64_t i = 0; i < body->ninputs; ++i) {
        const sg_graph_info *input = &body->inputs[i];
        SG_TRY(sg_infer_bind(infer, &inner, input->name, copy_of(infer, given[i]), true));
    }
    SG_TRY(sg_infer_run(infer, &inner));
    for (int64_t i = 0; i < body->noutputs; ++i) {
        const sg_fact *fact = sg_infer_find(infer, &inner, body->outputs[i].name);
        results[i] = fact != NULL ? fact : sg_fact_new(infer->arena);
    }
    return true;
}

static const sg_fact **new_facts(sg_infer *infer, int64_t count)
{
    return SG_NEW_ARRAY(infer->arena, const sg_fact *, count);
}

/* --- If --------------------------------------------------------------------------------------- */

static bool run_if(sg_infer *infer, const sg_infer_scope *scope, const sg_graph_node *node,
                   const sg_fact *condition, sg_fact **outputs)
{
    static const char *const names[] = {"else_branch", "then_branch"};
    const int taken = truth(condition);
    const sg_fact **results[2] = {NULL, NULL};
    int64_t counts[2] = {0, 0};
    for (int way = 1; way >= 0; --way) {
        const sg_graph *branch = graph_of(node, names[way]);
        if (branch == NULL || (taken >= 0 && taken != way)) {
            continue;
        }
        results[way] = new_facts(infer, branch->noutputs);
        counts[way] = branch->noutputs;
        const sg_fact **given = new_facts(infer, branch->ninputs);
        SG_TRY(run_body(infer, scope, node, branch, given, results[way]));
    }
    for (int64_t i = 0; i < node->noutputs; ++i) {
        const sg_fact *then = i < counts[1] ? results[1][i] : NULL;
        const sg_fact *otherwise = i < counts[0] ? results[0][i] : NULL;
        if (then != NULL && otherwise != NULL) {
            const sg_fact_cause *cause =
                sg_infer_cause(infer, node->outputs[i], node, "its branches give different ones");
            *outputs[i] = *sg_fact_meet(infer->arena, then, otherwise, cause);
        } else if (then != NULL || otherwise != NULL) {
            *outputs[i] = then != NULL ? *then : *otherwise;
        }
    }
    return true;
}

/* --- Loop and Scan ---------------------------------------------------------------------------- */

/* A body that runs again and again on what it has left. */
typedef struct sg_infer_loop {
    const sg_graph_node *node;
    const sg_graph *body;
    int64_t first_state_in; /* among the inputs of the body */
    int64_t first_state_out;
    int64_t nstates;
    const sg_fact **given;   /* for all inputs of the body */
    const sg_fact **results; /* of all its outputs */
} sg_infer_loop;

/* What holds of state i both before and behind a turn. */
static const sg_fact *meet_state(sg_infer *infer, const sg_infer_loop *loop, int64_t i,
                                 const sg_fact *before)
{
    const sg_fact *behind = loop->results[loop->first_state_out + i];
    sg_fact *same_type = copy_of(infer, behind);
    if (same_type->dtype == SG_GRAPH_DTYPE_UNKNOWN) {
        same_type->dtype = before->dtype; /* the type of a state never changes */
    }
    const char *tensor = loop->body->inputs[loop->first_state_in + i].name;
    const sg_fact_cause *cause =
        sg_infer_cause(infer, tensor, loop->node, "it changes from turn to turn");
    return sg_fact_meet(infer->arena, before, same_type, cause);
}

/* Runs the body until the states that go in are those that come out, then once more for good. */
static bool run_turns(sg_infer *infer, const sg_infer_scope *scope, sg_infer_loop *loop)
{
    bool stable = loop->nstates == 0;
    for (int trial = 0; !stable; ++trial) {
        ++infer->quiet;
        const bool ran = run_body(infer, scope, loop->node, loop->body, loop->given, loop->results);
        --infer->quiet;
        SG_TRY(ran);
        stable = true;
        for (int64_t i = 0; i < loop->nstates; ++i) {
            const sg_fact **state = &loop->given[loop->first_state_in + i];
            const sg_fact *after = meet_state(infer, loop, i, *state);
            if (!sg_fact_tells_more(*state, after)) {
                continue;
            }
            stable = false;
            if (trial >= TRIALS) {
                sg_fact *nothing = sg_fact_new(infer->arena);
                nothing->dtype = after->dtype;
                nothing->shape_cause = after->shape_cause;
                nothing->value_cause = after->value_cause;
                after = nothing;
            }
            *state = after;
        }
    }
    return run_body(infer, scope, loop->node, loop->body, loop->given, loop->results);
}

/* The fact of a tensor that stacks one of these from every turn along a new axis. */
static sg_fact *stacked(sg_infer *infer, const sg_graph_node *node, const char *name,
                        const sg_fact *turn, sg_fact_entry count, int64_t axis)
{
    sg_fact *fact = sg_fact_new(infer->arena);
    fact->dtype = turn->dtype;
    fact->shape_cause = turn->shape_cause;
    axis += axis < 0 ? turn->rank + 1 : 0;
    if (turn->has_rank && axis >= 0 && axis <= turn->rank) {
        fact->has_rank = true;
        fact->rank = turn->rank + 1;
        fact->dims = SG_NEW_ARRAY(infer->arena, sg_fact_entry, fact->rank);
        for (int64_t i = 0; i < fact->rank; ++i) {
            fact->dims[i] = i == axis ? count : turn->dims[i < axis ? i : i - 1];
        }
    }
    if (!sg_fact_shape_known(fact) && fact->shape_cause == NULL) {
        fact->shape_cause =
            sg_infer_cause(infer, name, node, "how many turns it takes is not known");
    }
    return fact;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Inputs: how many turns, whether to begin, states. Of the body: the turn, whether to go on,
 * states; its outputs: whether to go on, states, what is stacked. */
static bool run_loop(sg_infer *infer, const sg_infer_scope *scope, const sg_graph_node *node,
                     const sg_graph *body, const sg_fact *const *inputs, sg_fact **outputs)
{
    enum { BEFORE_STATES = 2 };
    sg_infer_loop loop = {.node = node,
                          .body = body,
                          .first_state_in = BEFORE_STATES,
                          .first_state_out = 1,
                          .given = new_facts(infer, body->ninputs),
                          .results = new_facts(infer, body->noutputs)};
    const int64_t most = least(node->ninputs, body->ninputs) - BEFORE_STATES;
    loop.nstates = least(most, body->noutputs - 1);
    loop.nstates = loop.nstates < 0 ? 0 : loop.nstates;
    if (body->ninputs > 0) {
        loop.given[0] = scalar(infer, SG_DTYPE_I64);
    }
    if (body->ninputs > 1) {
        sg_fact *go_on = scalar(infer, SG_DTYPE_BOOL); /* inside it is true */
        go_on->has_values = true;
        go_on->count = 1;
        go_on->values = SG_NEW(infer->arena, sg_fact_entry);
        *go_on->values = (sg_fact_entry){.kind = SG_FACT_INT, .as.integer = 1};
        loop.given[1] = go_on;
    }
    for (int64_t i = 0; i < loop.nstates; ++i) {
        loop.given[BEFORE_STATES + i] = copy_of(infer, inputs[BEFORE_STATES + i]);
    }
    SG_TRY(run_turns(infer, scope, &loop));

    sg_fact_entry turns = {.kind = SG_FACT_UNKNOWN};
    const bool has_condition = node->ninputs > 1 && inputs[1] != NULL;
    const bool all_turns = (!has_condition || truth(inputs[1]) == 1) && body->noutputs > 0 &&
                           truth(loop.results[0]) == 1;
    if (all_turns && node->ninputs > 0 && inputs[0] != NULL && inputs[0]->has_values &&
        inputs[0]->count == 1) {
        turns = inputs[0]->values[0];
        if (turns.kind == SG_FACT_INT && turns.as.integer < 0) {
            turns.as.integer = 0;
        } else if (turns.kind == SG_FACT_FLOAT) {
            turns.kind = SG_FACT_UNKNOWN;
        }
    }
    for (int64_t i = 0; i < node->noutputs; ++i) {
        if (i < loop.nstates) {
            *outputs[i] = *meet_state(infer, &loop, i, loop.given[BEFORE_STATES + i]);
        } else if (1 + i < body->noutputs) {
            outputs[i] = stacked(infer, node, node->outputs[i], loop.results[1 + i], turns, 0);
        }
    }
    return true;
}

/* What a turn of Scan gets of an input: all dims but the axis it walks along. */
static sg_fact *slice_of(sg_infer *infer, const sg_fact *whole, int64_t axis, sg_fact_entry *turns)
{
    sg_fact *fact = sg_fact_new(infer->arena);
    if (whole == NULL) {
        return fact;
    }
    fact->dtype = whole->dtype;
    fact->shape_cause = whole->shape_cause;
    axis += axis < 0 ? whole->rank : 0;
    if (whole->has_rank && axis >= 0 && axis < whole->rank) {
        fact->has_rank = true;
        fact->rank = whole->rank - 1;
        fact->dims = SG_NEW_ARRAY(infer->arena, sg_fact_entry, fact->rank);
        for (int64_t i = 0; i < fact->rank; ++i) {
            fact->dims[i] = whole->dims[i < axis ? i : i + 1];
        }
        if (turns->kind != SG_FACT_INT && whole->dims[axis].kind != SG_FACT_UNKNOWN) {
            *turns = whole->dims[axis];
        }
    }
    return fact;
}

/* Scan-9 and later: states, then inputs that are walked along; out come states, then what is
 * stacked. Scan-8 had a batch in front of everything; of it only what its body declares is taken.
 */
static bool run_scan(sg_infer *infer, const sg_infer_scope *scope, const sg_graph_node *node,
                     const sg_graph *body, const sg_fact *const *inputs, sg_fact **outputs)
{
    enum { FIRST_WITHOUT_BATCH = 9 };
    const int64_t nscans = int_of(node, "num_scan_inputs", 0, 0);
    const int64_t nstates = node->ninputs - nscans;
    const bool fits = nscans >= 0 && nstates >= 0 && body->ninputs == node->ninputs &&
                      body->noutputs >= nstates && node->opset >= FIRST_WITHOUT_BATCH;
    sg_infer_loop loop = {.node = node,
                          .body = body,
                          .nstates = fits ? nstates : 0,
                          .given = new_facts(infer, body->ninputs),
                          .results = new_facts(infer, body->noutputs)};
    sg_fact_entry turns = {.kind = SG_FACT_UNKNOWN};
    for (int64_t i = 0; fits && i < body->ninputs; ++i) {
        loop.given[i] = i < nstates
                            ? copy_of(infer, inputs[i])
                            : slice_of(infer, inputs[i],
                                       int_of(node, "scan_input_axes", i - nstates, 0), &turns);
    }
    SG_TRY(run_turns(infer, scope, &loop));
    for (int64_t i = 0; fits && i < node->noutputs && i < body->noutputs; ++i) {
        if (i < nstates) {
            *outputs[i] = *meet_state(infer, &loop, i, loop.given[i]);
        } else {
            outputs[i] = stacked(infer, node, node->outputs[i], loop.results[i], turns,
                                 int_of(node, "scan_output_axes", i - nstates, 0));
        }
    }
    return true;
}

/* --- others ----------------------------------------------------------------------------------- */

/* Graphs of operators nothing is known of: run for the Splits in them, on what they declare. */
static bool run_others(sg_infer *infer, const sg_infer_scope *scope, const sg_graph_node *node)
{
    for (int64_t a = 0; a < node->nattributes; ++a) {
        const sg_graph_attribute *attribute = &node->attributes[a];
        const bool graphs = attribute->kind == SG_GRAPH_ATTRIBUTE_GRAPH ||
                            attribute->kind == SG_GRAPH_ATTRIBUTE_GRAPHS;
        for (int64_t i = 0; graphs && i < attribute->count; ++i) {
            const sg_graph *body = attribute->graphs[i];
            SG_TRY(run_body(infer, scope, node, body, new_facts(infer, body->ninputs),
                            new_facts(infer, body->noutputs)));
        }
    }
    return true;
}

bool sg_infer_control(sg_infer *infer, const sg_infer_scope *scope, const sg_graph_node *node,
                      const sg_fact *const *inputs, sg_fact **outputs, bool *done)
{
    *done = false;
    if (node->domain[0] != '\0') {
        return run_others(infer, scope, node);
    }
    const sg_graph *body = graph_of(node, "body");
    if (strcmp(node->op_type, "If") == 0) {
        *done = true;
        return run_if(infer, scope, node, node->ninputs > 0 ? inputs[0] : NULL, outputs);
    }
    if (body != NULL && strcmp(node->op_type, "Loop") == 0) {
        *done = true;
        return run_loop(infer, scope, node, body, inputs, outputs);
    }
    if (body != NULL && strcmp(node->op_type, "Scan") == 0) {
        *done = true;
        return run_scan(infer, scope, node, body, inputs, outputs);
    }
    return run_others(infer, scope, node);
}
