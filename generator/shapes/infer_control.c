/* Nodes with subgraphs. A body sees the names of the enclosing graphs. ONNX defines the inputs and
 * outputs of each operator's body (onnx/defs/controlflow). */
#include <string.h>
#include <strings.h>

#include "base/checked.h"

#include "shapes/infer_engine.h"

/* Trial runs of a loop body before all states that still change are set to unknown. */
#define TRIALS 8

/* A loop of at most this many iterations is run one by one to find the values it ends with. */
#define TURNS_MAX 64
/* All such iterations together may use 1/8 of each budget, because none of them is essential. */
#define TURNS_SHARE 8

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

/* Entry `at` of an integer or list attribute, or `otherwise`. */
static int64_t int_of(const sg_graph_node *node, const char *name, int64_t at, int64_t otherwise)
{
    const sg_graph_attribute *attribute = sg_graph_attribute_of(node, name);
    const bool ints = attribute != NULL && (attribute->kind == SG_GRAPH_ATTRIBUTE_INT ||
                                            attribute->kind == SG_GRAPH_ATTRIBUTE_INTS);
    return ints && at < attribute->count ? attribute->ints[at] : otherwise;
}

/* 1, 0, or -1 if unknown. */
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

/* Runs a body once. given[i] is what is known about its input i; NULL: only its declaration.
 * results[i] receives a fact for each of its outputs. */
static bool run_body(sg_infer *infer, const sg_infer_scope *scope, const sg_graph_node *node,
                     const sg_graph *body, const sg_fact *const *given, const sg_fact **results)
{
    const sg_infer_path *path = sg_infer_path_into(infer, scope, node);
    if (path == NULL) {
        return false;
    }
    sg_infer_scope inner;
    /* Bodies of OpenVINO read no names from outside. */
    const bool closed = sg_graph_is_openvino(node);
    sg_infer_enter(infer, &inner, closed ? NULL : scope, body, path, scope->call);
    for (int64_t i = 0; i < body->ninputs; ++i) {
        const sg_graph_info *input = &body->inputs[i];
        sg_fact *fact = copy_of(infer, given[i]);
        fact->constant = SG_FACT_VARIES; /* it may differ between iterations */
        SG_TRY(sg_infer_bind(infer, &inner, input->name, fact, true));
    }
    SG_TRY(infer->run(infer, &inner));
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

/* Tells the watcher that a branch never runs. */
static void skip_branch(const sg_infer *infer, const sg_graph_node *node, const sg_graph *branch)
{
    const sg_infer_watcher *watcher = infer->watcher;
    if (infer->quiet == 0 && branch != NULL && watcher->dead != NULL) {
        watcher->dead(watcher->context, node, branch);
    }
}

static bool run_if(sg_infer *infer, const sg_infer_scope *scope, const sg_graph_node *node,
                   const sg_fact *condition, sg_fact **outputs)
{
    static const char *const names[] = {"else_branch", "then_branch"};
    const int taken = truth(condition);
    const sg_fact **results[2] = {NULL, NULL};
    int64_t counts[2] = {0, 0};
    for (int way = 1; way >= 0; --way) {
        const sg_graph *branch = graph_of(node, names[way]);
        if (taken >= 0 && taken != way) {
            skip_branch(infer, node, branch);
            continue;
        }
        if (branch == NULL) {
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

/* A body that runs repeatedly, with states that each iteration passes to the next. */
typedef struct sg_infer_loop sg_infer_loop;
struct sg_infer_loop {
    const sg_graph_node *node;
    const sg_graph *body;
    int64_t *state_in;  /* for each state, its index among the body's inputs */
    int64_t *state_out; /* and among the body's outputs */
    int64_t nstates;
    const sg_fact **given;   /* for all inputs of the body */
    const sg_fact **results; /* for all its outputs */
    /* Sets the inputs of the body for an iteration, apart from its states; `inputs` are the
     * node's. */
    void (*enter)(sg_infer *infer, sg_infer_loop *loop, int64_t turn);
    const sg_fact *const *inputs;
    bool has_condition; /* the first output of the body says whether there is a next iteration */
    int64_t count;      /* number of iterations that were run one by one; -1: they were not */
    const sg_fact ***turns; /* the outputs of each of them */
};

static void add_state(sg_infer_loop *loop, int64_t in, int64_t out)
{
    loop->state_in[loop->nstates] = in;
    loop->state_out[loop->nstates++] = out;
}

/* A loop with room for this many states. */
static sg_infer_loop new_loop(sg_infer *infer, const sg_graph_node *node, const sg_graph *body,
                              int64_t states)
{
    return (sg_infer_loop){.node = node,
                           .body = body,
                           .state_in = SG_NEW_ARRAY(infer->arena, int64_t, states),
                           .state_out = SG_NEW_ARRAY(infer->arena, int64_t, states),
                           .given = new_facts(infer, body->ninputs),
                           .results = new_facts(infer, body->noutputs),
                           .count = -1};
}

/* State i after an iteration. */
static sg_fact *state_behind(sg_infer *infer, const sg_infer_loop *loop, int64_t i,
                             const sg_fact *before)
{
    sg_fact *behind = copy_of(infer, loop->results[loop->state_out[i]]);
    if (behind->dtype == SG_GRAPH_DTYPE_UNKNOWN) {
        behind->dtype = before->dtype; /* the type of a state never changes */
    }
    return behind;
}

/* What is true of input i of the body in two iterations. */
static const sg_fact *meet_turns(sg_infer *infer, const sg_infer_loop *loop, int64_t i,
                                 const sg_fact *before, const sg_fact *behind)
{
    const sg_fact_cause *cause = sg_infer_cause(infer, loop->body->inputs[i].name, loop->node,
                                                "it changes between iterations");
    return sg_fact_meet(infer->arena, before, behind, cause);
}

/* What is true of state i both before and after an iteration. */
static const sg_fact *meet_state(sg_infer *infer, const sg_infer_loop *loop, int64_t i,
                                 const sg_fact *before)
{
    return meet_turns(infer, loop, loop->state_in[i], before, state_behind(infer, loop, i, before));
}

/* Whether enough of the budgets is left to run iterations for their values. */
static bool may_take_turns(const sg_infer *infer)
{
    const sg_rules *rules = &infer->rules;
    return infer->visits < infer->max_visits / TURNS_SHARE &&
           rules->entries < rules->max_entries / TURNS_SHARE;
}

/* Runs a loop one iteration at a time if it is known to end within TURNS_MAX iterations. `most`
 * limits them; -1: only the condition does. loop->count receives the number of iterations,
 * loop->given the final states, and always[i] what is true of input i of the body in every
 * iteration. */
static bool take_turns(sg_infer *infer, const sg_infer_scope *scope, sg_infer_loop *loop,
                       int64_t most, const sg_fact **always)
{
    const sg_graph *body = loop->body;
    loop->turns = SG_NEW_ARRAY(infer->arena, const sg_fact **, TURNS_MAX);
    bool goes_on = true;
    int64_t turn = 0;
    for (; goes_on && turn != most; ++turn) {
        if (turn == TURNS_MAX || !may_take_turns(infer)) {
            return true;
        }
        loop->enter(infer, loop, turn);
        for (int64_t i = 0; i < body->ninputs; ++i) {
            const sg_fact *given = copy_of(infer, loop->given[i]);
            always[i] = turn == 0 ? given : meet_turns(infer, loop, i, always[i], given);
        }
        loop->results = loop->turns[turn] = new_facts(infer, body->noutputs);
        ++infer->quiet;
        const bool ran = run_body(infer, scope, loop->node, body, loop->given, loop->results);
        --infer->quiet;
        SG_TRY(ran);
        const int next = loop->has_condition ? truth(loop->results[0]) : 1;
        if (next < 0) {
            return true;
        }
        goes_on = next == 1;
        for (int64_t i = 0; i < loop->nstates; ++i) {
            const sg_fact **state = &loop->given[loop->state_in[i]];
            *state = state_behind(infer, loop, i, *state);
        }
    }
    loop->count = turn;
    return true;
}

/* Runs the body until its input states equal its output states, then once more with the watcher. */
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
            const sg_fact **state = &loop->given[loop->state_in[i]];
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

/* The fact of a scalar integer. */
static sg_fact *scalar_of(sg_infer *infer, sg_dtype dtype, sg_fact_entry value)
{
    sg_fact *fact = scalar(infer, dtype);
    fact->has_values = true;
    fact->count = 1;
    fact->values = SG_NEW(infer->arena, sg_fact_entry);
    *fact->values = value;
    return fact;
}

static const sg_fact *number(sg_infer *infer, sg_dtype dtype, int64_t value)
{
    return scalar_of(infer, dtype, (sg_fact_entry){.kind = SG_FACT_INT, .as.integer = value});
}

/* What is known about the number of an iteration of a Loop that has this many turns. */
static const sg_fact *counter(sg_infer *infer, int64_t turns)
{
    return turns == 1
               ? number(infer, SG_DTYPE_I64, 0)
               : scalar_of(infer, SG_DTYPE_I64,
                           sg_fact_named(infer->arena,
                                         sg_sum_counter(infer->arena, infer->visits, turns)));
}

static void enter_loop(sg_infer *infer, sg_infer_loop *loop, int64_t turn)
{
    if (loop->body->ninputs > 0) {
        loop->given[0] = number(infer, SG_DTYPE_I64, turn);
    }
}

/* Runs a loop for its outputs and for the Splits in it. If the number of iterations is known and
 * small they are run one by one, else once on what is true in all of them. states: receives the
 * final states. */
static bool run_states(sg_infer *infer, const sg_infer_scope *scope, sg_infer_loop *loop,
                       int64_t most, bool counts, const sg_fact **states)
{
    const sg_graph *body = loop->body;
    const sg_fact **given = loop->given;
    const sg_fact **always = new_facts(infer, body->ninputs);
    if (counts) {
        loop->given = new_facts(infer, body->ninputs);
        for (int64_t i = 0; i < body->ninputs; ++i) {
            loop->given[i] = given[i];
        }
        SG_TRY(take_turns(infer, scope, loop, most, always));
    }
    if (loop->count >= 0) {
        for (int64_t i = 0; i < loop->nstates; ++i) {
            states[i] = loop->given[loop->state_in[i]];
        }
    }
    loop->results = new_facts(infer, body->noutputs);
    if (loop->count > 0) {
        if (loop->enter == enter_loop && body->ninputs > 0) {
            always[0] = counter(infer, loop->count);
        }
        loop->given = always;
        return run_body(infer, scope, loop->node, body, always, loop->results);
    }
    loop->given = given;
    SG_TRY(run_turns(infer, scope, loop));
    for (int64_t i = 0; loop->count < 0 && i < loop->nstates; ++i) {
        states[i] = meet_state(infer, loop, i, given[loop->state_in[i]]);
    }
    return true;
}

/* The fact of a tensor that stacks the value of every iteration along a new axis. */
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
            sg_infer_cause(infer, name, node, "the number of iterations is not known");
    }
    return fact;
}

/* The product of dims [first, last), which is small. */
static int64_t span_of(const sg_fact *fact, int64_t first, int64_t last)
{
    int64_t product = 1;
    for (int64_t i = first; i < last; ++i) {
        product *= fact->dims[i].as.integer;
    }
    return product;
}

/* Sets the values of a stack of output `at` of every iteration, in order or reversed. */
static void stack_values(sg_infer *infer, const sg_infer_loop *loop, int64_t at, int64_t axis,
                         bool reversed, sg_fact *stack)
{
    int64_t elements = 0;
    bool known = loop->count > 0 && sg_fact_elements(stack, &elements) &&
                 elements <= SG_GRAPH_VALUES_MAX && elements > 0;
    for (int64_t t = 0; known && t < loop->count; ++t) {
        const sg_fact *turn = loop->turns[t][at];
        known = turn->has_values && turn->count == elements / loop->count;
    }
    if (!known) {
        return;
    }
    stack->has_values = true;
    stack->count = elements;
    stack->values = SG_NEW_ARRAY(infer->arena, sg_fact_entry, elements);
    axis += axis < 0 ? stack->rank : 0;
    const int64_t run = span_of(stack, axis + 1, stack->rank);
    for (int64_t i = 0; i < elements; ++i) {
        const int64_t place = i / run % loop->count;
        const int64_t turn = reversed ? loop->count - 1 - place : place;
        stack->values[i] = loop->turns[turn][at]->values[i / run / loop->count * run + i % run];
    }
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Inputs of the node: iteration count, initial condition, states. Inputs of the body: iteration
 * number, condition, states; its outputs: condition, states, tensors to stack. */
static bool run_loop(sg_infer *infer, const sg_infer_scope *scope, const sg_graph_node *node,
                     const sg_graph *body, const sg_fact *const *inputs, sg_fact **outputs)
{
    enum { BEFORE_STATES = 2 };
    const int64_t shared = least(node->ninputs, body->ninputs) - BEFORE_STATES;
    const int64_t nstates = least(shared, body->noutputs - 1);
    sg_infer_loop loop = new_loop(infer, node, body, nstates > 0 ? nstates : 0);
    if (body->ninputs > 0) {
        loop.given[0] = scalar(infer, SG_DTYPE_I64);
    }
    if (body->ninputs > 1) {
        loop.given[1] = number(infer, SG_DTYPE_BOOL, 1); /* the condition is true inside the body */
    }
    for (int64_t i = 0; i < nstates; ++i) {
        loop.given[BEFORE_STATES + i] = copy_of(infer, inputs[BEFORE_STATES + i]);
        add_state(&loop, BEFORE_STATES + i, 1 + i);
    }
    sg_fact_entry turns = {.kind = SG_FACT_UNKNOWN};
    const bool has_most = node->ninputs > 0 && inputs[0] != NULL;
    if (has_most && inputs[0]->has_values && inputs[0]->count == 1 &&
        inputs[0]->values[0].kind != SG_FACT_FLOAT) {
        turns = inputs[0]->values[0];
        if (turns.kind == SG_FACT_INT && turns.as.integer < 0) {
            turns.as.integer = 0;
        }
    }
    const int begins = node->ninputs > 1 && inputs[1] != NULL ? truth(inputs[1]) : 1;
    const bool is_int = turns.kind == SG_FACT_INT;
    const int64_t most = begins == 0 ? 0 : is_int ? turns.as.integer : -1;
    const bool counts = begins >= 0 && (most == 0 || is_int || !has_most) && body->noutputs > 0;
    loop.enter = enter_loop;
    loop.has_condition = true;
    if (most > 0 && body->ninputs > 0) {
        loop.given[0] = counter(infer, most);
    }
    const sg_fact **states = new_facts(infer, loop.nstates);
    SG_TRY(run_states(infer, scope, &loop, most, counts, states));

    if (loop.count >= 0) {
        turns = (sg_fact_entry){.kind = SG_FACT_INT, .as.integer = loop.count};
    } else if (begins != 1 || body->noutputs == 0 || truth(loop.results[0]) != 1) {
        turns.kind = SG_FACT_UNKNOWN;
    }
    for (int64_t i = 0; i < node->noutputs; ++i) {
        if (i < loop.nstates) {
            *outputs[i] = *states[i];
        } else if (1 + i < body->noutputs) {
            outputs[i] = stacked(infer, node, node->outputs[i], loop.results[1 + i], turns, 0);
            stack_values(infer, &loop, 1 + i, 0, false, outputs[i]);
        }
    }
    return true;
}

/* What an iteration of Scan gets of an input: all dims but the scanned axis. */
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

/* The values that an iteration of Scan gets of an input: those at its position along the axis. */
static void slice_values(sg_infer *infer, const sg_fact *whole, int64_t axis, int64_t place,
                         sg_fact *slice)
{
    int64_t elements = 0;
    if (whole == NULL || !whole->has_values || !sg_fact_elements(slice, &elements)) {
        return;
    }
    axis += axis < 0 ? whole->rank : 0;
    const int64_t run = span_of(whole, axis + 1, whole->rank);
    const int64_t dim = whole->dims[axis].as.integer;
    if (place < 0 || place >= dim) { /* inputs of different lengths contradict each other */
        return;
    }
    slice->has_values = true;
    slice->count = elements;
    slice->values = SG_NEW_ARRAY(infer->arena, sg_fact_entry, elements);
    for (int64_t i = 0; i < elements; ++i) {
        slice->values[i] = whole->values[(i / run * dim + place) * run + i % run];
    }
}

static void enter_scan(sg_infer *infer, sg_infer_loop *loop, int64_t turn)
{
    const sg_graph_node *node = loop->node;
    for (int64_t i = 0; i < loop->body->ninputs - loop->nstates; ++i) {
        const sg_fact *whole = loop->inputs[loop->nstates + i];
        const int64_t axis = int_of(node, "scan_input_axes", i, 0);
        sg_fact_entry turns = {.kind = SG_FACT_UNKNOWN};
        sg_fact *slice = slice_of(infer, whole, axis, &turns);
        if (turns.kind == SG_FACT_INT) {
            const bool reversed = int_of(node, "scan_input_directions", i, 0) != 0;
            slice_values(infer, whole, axis, reversed ? turns.as.integer - 1 - turn : turn, slice);
        }
        loop->given[loop->nstates + i] = slice;
    }
}

/* Inputs of the node: states, then scanned tensors; outputs: states, then stacked tensors. Scan-8
 * has the sequence lengths as an additional first input and a batch as the first dim of everything;
 * it scans along the second. */
static bool run_scan(sg_infer *infer, const sg_infer_scope *scope, const sg_graph_node *node,
                     const sg_graph *body, const sg_fact *const *inputs, sg_fact **outputs)
{
    enum { WITH_BATCH = 8 };
    const int64_t first = node->opset == WITH_BATCH ? 1 : 0;
    const int64_t nscans = int_of(node, "num_scan_inputs", 0, 0);
    const int64_t nstates = node->ninputs - first - nscans;
    const bool fits = nscans >= 0 && nstates >= 0 && body->ninputs == nstates + nscans &&
                      body->noutputs >= nstates && node->opset >= WITH_BATCH;
    sg_infer_loop loop = new_loop(infer, node, body, fits ? nstates : 0);
    for (int64_t i = 0; fits && i < nstates; ++i) {
        add_state(&loop, i, i);
    }
    sg_fact_entry turns = {.kind = SG_FACT_UNKNOWN};
    sg_fact_entry batch = {.kind = SG_FACT_UNKNOWN};
    for (int64_t i = 0; fits && i < body->ninputs; ++i) {
        const sg_fact *given = inputs[first + i];
        if (first > 0) {
            given = slice_of(infer, given, 0, &batch);
        }
        loop.given[i] =
            i < nstates
                ? copy_of(infer, given)
                : slice_of(infer, given, int_of(node, "scan_input_axes", i - nstates, 0), &turns);
    }
    /* The shapes of the states never change, so iterations are only run if there are values. */
    bool counts = false;
    for (int64_t i = 0; first == 0 && turns.kind == SG_FACT_INT && i < node->ninputs; ++i) {
        counts = counts || (inputs[i] != NULL && inputs[i]->has_values);
    }
    loop.enter = enter_scan;
    loop.inputs = inputs;
    const sg_fact **states = new_facts(infer, loop.nstates);
    SG_TRY(run_states(infer, scope, &loop, turns.as.integer, fits && counts, states));
    for (int64_t i = 0; fits && i < node->noutputs && i < body->noutputs; ++i) {
        const char *name = node->outputs[i];
        if (i < nstates) {
            *outputs[i] = *states[i];
        } else {
            const int64_t axis = int_of(node, "scan_output_axes", i - nstates, 0);
            const bool reversed = int_of(node, "scan_output_directions", i - nstates, 0) != 0;
            *outputs[i] = *stacked(infer, node, name, loop.results[i], turns, axis);
            stack_values(infer, &loop, i, axis, reversed, outputs[i]);
        }
        if (first > 0) {
            *outputs[i] = *stacked(infer, node, name, copy_of(infer, outputs[i]), batch, 0);
        }
    }
    return true;
}

/* Runs the body of a SequenceMap for each tensor of the first input, with the tensors of the other
 * sequences at the same place, and the other inputs as they are. Then once more on what is true of
 * all of them, for the Splits in it; longer sequences have only that. */
static bool run_map(sg_infer *infer, const sg_infer_scope *scope, const sg_graph_node *node,
                    const sg_graph *body, const sg_fact *const *inputs, sg_fact **outputs)
{
    const sg_fact *first = inputs[0];
    const int64_t count = first->nelements;
    const bool single = first->is_sequence && count <= TURNS_MAX && may_take_turns(infer);
    const int64_t made = least(node->noutputs, body->noutputs);
    const sg_fact **lists = new_facts(infer, made * count); /* of each output */
    for (int64_t j = 0; j < made; ++j) {
        outputs[j]->is_sequence = first->is_sequence;
        outputs[j]->nelements = count;
        outputs[j]->elements = lists + j * count;
    }
    for (int64_t turn = single ? 0 : count; turn <= count; ++turn) {
        const sg_fact **given = new_facts(infer, body->ninputs);
        const sg_fact **results = new_facts(infer, body->noutputs);
        for (int64_t i = 0; i < least(body->ninputs, node->ninputs); ++i) {
            const sg_fact *in = inputs[i];
            const sg_fact_cause *cause =
                sg_infer_cause(infer, body->inputs[i].name, node, "it changes between iterations");
            const bool is_list = in != NULL && (in->is_sequence || in->each != NULL);
            given[i] = !is_list               ? in
                       : turn < in->nelements ? in->elements[turn]
                                              : sg_fact_each(infer->arena, in, cause);
        }
        infer->quiet += turn < count ? 1 : 0;
        const bool ran = run_body(infer, scope, node, body, given, results);
        infer->quiet -= turn < count ? 1 : 0;
        SG_TRY(ran);
        for (int64_t j = 0; j < made; ++j) {
            outputs[j]->each = first->is_sequence ? NULL : results[j];
            for (int64_t i = single ? turn : 0; i < (single ? least(turn + 1, count) : count);
                 ++i) {
                lists[j * count + i] = results[j];
            }
        }
    }
    return true;
}

/* --- OpenVINO --------------------------------------------------------------------------------- */

/* The columns of a port map, in the order in which the IR reader stores them. */
typedef enum sg_port_column {
    PORT_OUTER, /* index among the node's inputs or outputs; -1: none */
    PORT_INNER, /* index among the body's */
    PORT_SLICED,
    PORT_AXIS,
    PORT_START,
    PORT_END,
    PORT_STRIDE,
    PORT_PART,
    PORT_COLUMNS
} sg_port_column;

typedef struct sg_port_map {
    const int64_t *ints;
    int64_t count;
} sg_port_map;

/* The rows of a map; none if the attribute is missing. */
static sg_port_map port_map_of(const sg_graph_node *node, const char *name, int64_t columns)
{
    const sg_graph_attribute *attribute = sg_graph_attribute_of(node, name);
    const bool ints = attribute != NULL && attribute->kind == SG_GRAPH_ATTRIBUTE_INTS;
    return (sg_port_map){ints ? attribute->ints : NULL, ints ? attribute->count / columns : 0};
}

static bool is_place(int64_t at, int64_t count)
{
    return at >= 0 && at < count;
}

static bool run_openvino_if(sg_infer *infer, const sg_infer_scope *scope, const sg_graph_node *node,
                            const sg_fact *const *inputs, sg_fact **outputs)
{
    static const char *const bodies[] = {"else_body", "then_body"};
    static const char *const ins[] = {"else_port_map_inputs", "then_port_map_inputs"};
    static const char *const outs[] = {"else_port_map_outputs", "then_port_map_outputs"};
    const int taken = truth(node->ninputs > 0 ? inputs[0] : NULL);
    /* results of the first of two branches */
    const sg_fact **before = new_facts(infer, node->noutputs);
    for (int way = 1; way >= 0; --way) {
        const sg_graph *body = graph_of(node, bodies[way]);
        if (taken >= 0 && taken != way) {
            skip_branch(infer, node, body);
            continue;
        }
        if (body == NULL) {
            continue;
        }
        const sg_fact **given = new_facts(infer, body->ninputs);
        const sg_fact **results = new_facts(infer, body->noutputs);
        const sg_port_map in = port_map_of(node, ins[way], PORT_COLUMNS);
        for (int64_t i = 0; i < in.count; ++i) {
            const int64_t *row = in.ints + i * PORT_COLUMNS;
            if (is_place(row[PORT_OUTER], node->ninputs) &&
                is_place(row[PORT_INNER], body->ninputs)) {
                given[row[PORT_INNER]] = inputs[row[PORT_OUTER]];
            }
        }
        SG_TRY(run_body(infer, scope, node, body, given, results));
        const sg_port_map out = port_map_of(node, outs[way], PORT_COLUMNS);
        for (int64_t i = 0; i < out.count; ++i) {
            const int64_t *row = out.ints + i * PORT_COLUMNS;
            const int64_t outer = row[PORT_OUTER];
            if (!is_place(outer, node->noutputs) || !is_place(row[PORT_INNER], body->noutputs)) {
                continue;
            }
            const sg_fact *result = results[row[PORT_INNER]];
            const sg_fact_cause *cause = sg_infer_cause(infer, node->outputs[outer], node,
                                                        "its branches give different ones");
            *outputs[outer] = before[outer] != NULL
                                  ? *sg_fact_meet(infer->arena, before[outer], result, cause)
                                  : *result;
            before[outer] = result;
        }
    }
    return true;
}

/* The number of iterations along this dim; both ends are inclusive (op/tensor_iterator.cpp). */
static bool turns_along(const int64_t *row, sg_fact_entry dim, int64_t *turns)
{
    int64_t start = row[PORT_START];
    int64_t end = row[PORT_END];
    if (dim.kind != SG_FACT_INT || row[PORT_PART] < 1 ||
        (start < 0 && !sg_add64(start, dim.as.integer, &start)) ||
        (end < 0 && !sg_add64(end, dim.as.integer, &end)) || !is_place(start, dim.as.integer) ||
        !is_place(end, dim.as.integer)) {
        return false;
    }
    *turns = ((end > start ? end - start : start - end) + 1) / row[PORT_PART];
    return true;
}

/* What an iteration gets of an input that is sliced along an axis. */
static sg_fact *part_of(sg_infer *infer, const sg_fact *whole, const int64_t *row, int64_t *turns)
{
    sg_fact *fact = sg_fact_new(infer->arena);
    if (whole == NULL) {
        return fact;
    }
    fact->dtype = whole->dtype;
    fact->shape_cause = whole->shape_cause;
    const int64_t axis = row[PORT_AXIS] + (row[PORT_AXIS] < 0 ? whole->rank : 0);
    if (!whole->has_rank || !is_place(axis, whole->rank) || row[PORT_PART] < 1) {
        return fact;
    }
    fact->has_rank = true;
    fact->rank = whole->rank;
    fact->dims = SG_NEW_ARRAY(infer->arena, sg_fact_entry, fact->rank);
    memcpy(fact->dims, whole->dims, (size_t)fact->rank * sizeof fact->dims[0]);
    fact->dims[axis] = (sg_fact_entry){.kind = SG_FACT_INT, .as.integer = row[PORT_PART]};
    int64_t count = 0;
    if (*turns < 0 && turns_along(row, whole->dims[axis], &count)) {
        *turns = count;
    }
    return fact;
}

/* The concatenation of the parts of all iterations; turns is -1 if it is not known. */
static sg_fact *joined(sg_infer *infer, const sg_graph_node *node, const char *name,
                       const sg_fact *part, const int64_t *row, int64_t turns)
{
    sg_fact *fact = copy_of(infer, part);
    fact->has_values = false;
    fact->value_cause = NULL;
    const int64_t axis = row[PORT_AXIS] + (row[PORT_AXIS] < 0 ? part->rank : 0);
    if (!part->has_rank || !is_place(axis, part->rank)) {
        fact->has_rank = false;
        return fact;
    }
    fact->dims = SG_NEW_ARRAY(infer->arena, sg_fact_entry, fact->rank);
    memcpy(fact->dims, part->dims, (size_t)fact->rank * sizeof fact->dims[0]);
    int64_t all = 0;
    const bool known = turns >= 0 && part->dims[axis].kind == SG_FACT_INT &&
                       sg_mul64(turns, part->dims[axis].as.integer, &all);
    fact->dims[axis] =
        (sg_fact_entry){.kind = known ? SG_FACT_INT : SG_FACT_UNKNOWN, .as.integer = all};
    if (!known && fact->shape_cause == NULL) {
        fact->shape_cause =
            sg_infer_cause(infer, name, node, "the number of iterations is not known");
    }
    return fact;
}

/* Loop and TensorIterator. The first two inputs of a Loop are the iteration count (-1: unlimited)
 * and the initial condition. */
static bool run_openvino_loop(sg_infer *infer, const sg_infer_scope *scope,
                              const sg_graph_node *node, const sg_graph *body, bool is_loop,
                              const sg_fact *const *inputs, sg_fact **outputs)
{
    enum { EDGE_COLUMNS = 2 };
    const sg_port_map in = port_map_of(node, "port_map_inputs", PORT_COLUMNS);
    const sg_port_map out = port_map_of(node, "port_map_outputs", PORT_COLUMNS);
    const sg_port_map edges = port_map_of(node, "back_edges", EDGE_COLUMNS);
    sg_infer_loop loop = new_loop(infer, node, body, edges.count);
    int64_t turns = -1;
    for (int64_t i = 0; i < in.count; ++i) {
        const int64_t *row = in.ints + i * PORT_COLUMNS;
        if (!is_place(row[PORT_INNER], body->ninputs) ||
            !is_place(row[PORT_OUTER], node->ninputs)) {
            continue;
        }
        const sg_fact *whole = inputs[row[PORT_OUTER]];
        loop.given[row[PORT_INNER]] =
            row[PORT_SLICED] != 0 ? part_of(infer, whole, row, &turns) : copy_of(infer, whole);
    }
    for (int64_t i = 0; i < edges.count; ++i) {
        const int64_t *row = edges.ints + i * EDGE_COLUMNS;
        if (is_place(row[0], body->noutputs) && is_place(row[1], body->ninputs) &&
            loop.given[row[1]] != NULL) {
            add_state(&loop, row[1], row[0]);
        }
    }
    SG_TRY(run_turns(infer, scope, &loop));

    if (is_loop) {
        const sg_fact *count = node->ninputs > 0 ? inputs[0] : NULL;
        bool all_turns = node->ninputs > 1 && truth(inputs[1]) == 1;
        for (int64_t i = 0; i < out.count; ++i) {
            const int64_t *row = out.ints + i * PORT_COLUMNS;
            if (row[PORT_OUTER] == -1 && is_place(row[PORT_INNER], body->noutputs)) {
                all_turns = all_turns && truth(loop.results[row[PORT_INNER]]) == 1;
            }
        }
        const bool known = all_turns && count != NULL && count->has_values && count->count == 1 &&
                           count->values[0].kind == SG_FACT_INT;
        turns = known ? count->values[0].as.integer : -1;
    }
    for (int64_t i = 0; i < out.count; ++i) {
        const int64_t *row = out.ints + i * PORT_COLUMNS;
        const int64_t outer = row[PORT_OUTER];
        if (!is_place(outer, node->noutputs) || !is_place(row[PORT_INNER], body->noutputs)) {
            continue;
        }
        const sg_fact *result = loop.results[row[PORT_INNER]];
        if (row[PORT_SLICED] != 0) {
            outputs[outer] = joined(infer, node, node->outputs[outer], result, row, turns);
        } else {
            *outputs[outer] = *result;
        }
    }
    return true;
}

static bool run_openvino(sg_infer *infer, const sg_infer_scope *scope, const sg_graph_node *node,
                         const sg_fact *const *inputs, sg_fact **outputs, bool *done)
{
    const sg_graph *body = graph_of(node, "body");
    const bool is_loop = strcasecmp(node->op_type, "Loop") == 0;
    if (strcasecmp(node->op_type, "If") == 0) {
        *done = true;
        return run_openvino_if(infer, scope, node, inputs, outputs);
    }
    if (body != NULL && (is_loop || strcasecmp(node->op_type, "TensorIterator") == 0)) {
        *done = true;
        return run_openvino_loop(infer, scope, node, body, is_loop, inputs, outputs);
    }
    return true;
}

/* --- others ----------------------------------------------------------------------------------- */

/* Runs the graphs of unknown operators with their declared inputs, to find the Splits in them. */
static bool run_others(sg_infer *infer, const sg_infer_scope *scope, const sg_graph_node *node)
{
    const sg_graph *body = NULL;
    sg_graph_cursor at = {0};
    while ((body = sg_graph_within(node, &at)) != NULL) {
        SG_TRY(run_body(infer, scope, node, body, new_facts(infer, body->ninputs),
                        new_facts(infer, body->noutputs)));
    }
    return true;
}

bool sg_infer_control(sg_infer *infer, const sg_infer_scope *scope, const sg_graph_node *node,
                      const sg_fact *const *inputs, sg_fact **outputs, bool *done)
{
    *done = false;
    if (sg_graph_is_openvino(node)) {
        SG_TRY(run_openvino(infer, scope, node, inputs, outputs, done));
        return *done || run_others(infer, scope, node);
    }
    if (!sg_graph_is_onnx(node)) {
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
    if (body != NULL && strcmp(node->op_type, "SequenceMap") == 0 && node->ninputs > 0 &&
        inputs[0] != NULL && (inputs[0]->is_sequence || inputs[0]->each != NULL)) {
        *done = true;
        return run_map(infer, scope, node, body, inputs, outputs);
    }
    if (body != NULL && strcmp(node->op_type, "Scan") == 0) {
        *done = true;
        return run_scan(infer, scope, node, body, inputs, outputs);
    }
    return run_others(infer, scope, node);
}
