/* Makes the ops of a model: watches inference, and makes an op of each node that moves data as a
 * kernel does. */
#include "frontend/graph/ops.h"

#include <string.h>

#include "frontend/graph/ops_engine.h"
#include "shapes/operators.h"

/* Reports what is wrong with a Split or Concat more precisely than its inference rule can. */
static bool check(sg_ops *ops, const sg_graph_node *node, const sg_fact *const *inputs)
{
    return sg_operator_of(node)->kind == SG_OPERATOR_SPLIT ? sg_ops_check_split(ops, node, inputs)
           : sg_operator_of(node)->kind == SG_OPERATOR_CONCAT
               ? sg_ops_check_concat(ops, node, inputs)
               : false;
}

/* An attempt to make an op of a node in a branch. The branch may never run, so an error there
 * becomes a warning that the node is left out. */
typedef struct trial {
    /* the real diagnostics, while `errors` collects; NULL: errors go there directly */
    sg_diag *diag;
    sg_diag errors;
    bool failed;
} trial;

static void begin_trial(sg_ops *ops, const sg_infer_scope *scope, trial *t)
{
    t->diag = NULL;
    if (ops->options->skip_unresolved && sg_ops_in_branch(ops, scope)) {
        sg_diag_init(&t->errors, ops->arena);
        t->diag = ops->diag;
        t->failed = ops->failed;
        ops->diag = &t->errors;
        ops->trying = true;
    }
}

static void end_trial(sg_ops *ops, const sg_graph_node *node, const trial *t)
{
    if (t->diag == NULL) {
        return;
    }
    ops->diag = t->diag;
    ops->failed = t->failed;
    ops->trying = false;
    const char *name = sg_graph_node_name(node);
    for (const sg_diag_entry *e = t->errors.first; e != NULL; e = e->next) {
        if (e->severity == SG_ERROR) {
            sg_diag_warn_uncapped(
                ops->diag, e->span,
                "%s '%s' is left out, because it is in a branch that may never run: %s",
                node->op_type, name, e->message);
        } else if (e->severity == SG_WARNING) {
            sg_diag_warn(ops->diag, e->span, "%s", e->message);
        } else {
            sg_diag_note(ops->diag, e->span, "%s", e->message);
        }
    }
}

/* Notes each Split in a branch that never runs: it gets no kernel. */
static void note_dead(sg_ops *ops, const sg_graph_node *node, const sg_graph *branch, int64_t depth)
{
    if (depth > SG_GRAPH_NESTING) {
        return;
    }
    for (int64_t i = 0; i < branch->nnodes; ++i) {
        const sg_graph_node *inner = &branch->nodes[i];
        const char *name = sg_graph_node_name(inner);
        if (sg_operator_of(inner)->kind == SG_OPERATOR_SPLIT &&
            sg_graph_is_chosen(ops->options, name)) {
            sg_diag_note(ops->diag, inner->span,
                         "%s '%s' is left out: it is in a branch of If '%s' that never runs, "
                         "because its condition is constant",
                         inner->op_type, name, sg_graph_node_name(node));
        }
        const sg_graph *within = NULL;
        sg_graph_cursor at = {0};
        while ((within = sg_graph_within(inner, &at)) != NULL) {
            note_dead(ops, node, within, depth + 1);
        }
    }
}

/* --- events of inference ---------------------------------------------------------------------- */

static void see(sg_ops *ops, sg_infer_scope *scope, const sg_graph_node *node,
                const sg_fact *const *inputs, sg_fact *const *outputs, sg_fact_fault *own)
{
    if (sg_operator_of(node)->kind == SG_OPERATOR_SPLIT) {
        sg_ops_split(ops, scope, node, inputs, own);
    }
    sg_ops_slice_group_see(ops, scope, node, inputs, outputs);
    if (node->noutputs > 0) {
        sg_ops_fault_see(ops, scope, node, inputs, outputs[0]);
    }
    if (node->noutputs > 0 && node->outputs[0][0] != '\0') {
        if (sg_operator_of(node)->kind == SG_OPERATOR_CONCAT) {
            sg_ops_concat(ops, scope, node, inputs, outputs[0], NULL);
        }
        sg_ops_join_sequence(ops, scope, node, outputs[0]);
    }
}

static void began(void *context, sg_infer *infer, sg_infer_scope *scope)
{
    const sg_infer_watcher *also = ((const sg_ops *)context)->options->also;
    if (also != NULL) {
        also->began(also->context, infer, scope);
    }
}

static void ran(void *context, sg_infer_scope *scope, const sg_graph_node *node,
                const sg_fact *const *inputs, sg_fact *const *outputs, sg_fact_fault *own)
{
    sg_ops *ops = context;
    const sg_infer_watcher *also = ops->options->also;
    if (also != NULL) {
        also->ran(also->context, scope, node, inputs, outputs, own);
    }
    if (sg_infer_function(ops->infer, node) == NULL) { /* or the nodes of the function were seen */
        trial t;
        begin_trial(ops, scope, &t);
        see(ops, scope, node, inputs, outputs, own);
        end_trial(ops, node, &t);
    }
}

static void finished(void *context, sg_infer_scope *scope)
{
    const sg_infer_watcher *also = ((const sg_ops *)context)->options->also;
    sg_ops_slice_group_make(context, scope);
    sg_ops_chain(context, scope);
    if (also != NULL) {
        also->finished(also->context, scope);
    }
}

static void dead(void *context, const sg_graph_node *node, const sg_graph *branch)
{
    note_dead(context, node, branch, 0);
}

/* --- options that matched nothing ----------------------------------------------------------- */

typedef struct name_list {
    const char **names;
    size_t count;
    int64_t capacity;
} name_list;

static void add_name(sg_arena *arena, name_list *list, const char *name)
{
    list->names = SG_GROWN(arena, list->names, list->count, list->capacity);
    list->names[list->count++] = name;
}

static name_list tensors_of(sg_arena *arena, const sg_graph *graph)
{
    name_list list = {0};
    for (int64_t i = 0; i < graph->ninputs; ++i) {
        add_name(arena, &list, graph->inputs[i].name);
    }
    for (int64_t n = 0; n < graph->nnodes; ++n) {
        for (int64_t i = 0; i < graph->nodes[n].noutputs; ++i) {
            add_name(arena, &list, graph->nodes[n].outputs[i]);
        }
    }
    return list;
}

static name_list dims_of(sg_arena *arena, const sg_graph *graph)
{
    name_list list = {0};
    for (int64_t i = 0; i < graph->ninputs; ++i) {
        const sg_graph_shape *shape = &graph->inputs[i].type.shape;
        for (int64_t d = 0; d < shape->rank; ++d) {
            if (shape->dims[d].name != NULL) {
                add_name(arena, &list, shape->dims[d].name);
            }
        }
    }
    return list;
}

/* Adds the names of all Splits (or Concats), including those in subgraphs, or of the tensors that
 * slice groups divide. */
static void add_splits(sg_arena *arena, name_list *list, const sg_graph *graph,
                       sg_graph_ops_word word, int depth)
{
    for (int64_t n = 0; depth < SG_GRAPH_NESTING && n < graph->nnodes; ++n) {
        const sg_graph_node *node = &graph->nodes[n];
        if (word == SG_GRAPH_OPS_SLICE && sg_ops_slice_group_cuts(node)) {
            add_name(arena, list, node->inputs[0]);
        } else if ((word == SG_GRAPH_OPS_SPLIT &&
                    sg_operator_of(node)->kind == SG_OPERATOR_SPLIT) ||
                   (word == SG_GRAPH_OPS_CONCAT &&
                    sg_operator_of(node)->kind == SG_OPERATOR_CONCAT)) {
            add_name(arena, list, sg_graph_node_name(node));
        }
        const sg_graph *within = NULL;
        sg_graph_cursor at = {0};
        while ((within = sg_graph_within(node, &at)) != NULL) {
            add_splits(arena, list, within, word, depth + 1);
        }
    }
}

static bool has_name(const name_list *names, const char *name)
{
    for (size_t i = 0; i < names->count; ++i) {
        if (strcmp(names->names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_near(const name_list *names, const char *name)
{
    return sg_suggest(sg_str_from(name), names->names, names->count) != NULL;
}

/* "; did you mean 'x'?", or "; there is " with the first few names; "" if there are no names. */
static const char *what_there_is(sg_arena *arena, const name_list *names, const char *name)
{
    enum { SHOWN = 6 };
    const char *near = sg_suggest(sg_str_from(name), names->names, names->count);
    if (near != NULL) {
        return sg_arena_printf(arena, "; did you mean '%s'?", near);
    }
    const char *text = names->count > 0 ? "; there is " : "";
    for (size_t i = 0; i < names->count && i < SHOWN; ++i) {
        text = sg_arena_printf(arena, "%s%s'%s'", text, i > 0 ? ", " : "", names->names[i]);
    }
    return names->count > SHOWN
               ? sg_arena_printf(arena, "%s and %zu more", text, names->count - SHOWN)
               : text;
}

/* Reports what the user named and the model does not have. */
typedef struct unused {
    sg_diag *diag;
    bool in_spec;
    int64_t count;
} unused;

/* word: the field of a spec, "shapes"; option: "--shape"; what: "tensor". */
static void report_unused(unused *u, const name_list *names, const char *word, const char *option,
                          const char *what, const char *name, sg_span span)
{
    enum { WITH_ADVICE = 20 }; /* a suggestion compares the name with every name of the model */
    const char *advice = u->count++ < WITH_ADVICE ? what_there_is(u->diag->arena, names, name) : "";
    (void)sg_diag_fail(u->diag, u->in_spec ? SG_EXIT_INPUT : SG_EXIT_USAGE, span,
                       "%s: the model has no %s '%s'%s", u->in_spec ? word : option, what, name,
                       advice);
}

/* Warns of a cache that no Concat adds to. It is no error, since the plan only copies more. */
static void report_cache(sg_arena *arena, sg_diag *diag, const sg_graph *graph,
                         const sg_graph_cache *cache)
{
    const name_list tensors = tensors_of(arena, graph);
    const char *past = NULL;
    const char *present = NULL;
    const char *lacks = NULL;
    int most = -1;
    /* names may have colons: the one that parts the most names of the model */
    for (const char *at = cache->pair; at != NULL && (at = strchr(at, ':')) != NULL; ++at) {
        const char *left = sg_arena_strndup(arena, cache->pair, (size_t)(at - cache->pair));
        const bool has[2] = {has_name(&tensors, left), has_name(&tensors, at + 1)};
        if (has[0] + has[1] > most) {
            most = has[0] + has[1];
            past = left;
            present = at + 1;
            lacks = !has[0] ? left : !has[1] ? present : NULL;
        }
    }
    if (lacks != NULL) {
        sg_diag_warn(diag, cache->span, "--cache: the model has no tensor '%s'%s", lacks,
                     what_there_is(arena, &tensors, lacks));
    } else if (past != NULL) {
        sg_diag_warn(diag, cache->span,
                     "--cache: no Concat of the model makes '%s' of '%s' and something behind it",
                     present, past);
    } else {
        sg_diag_warn(diag, cache->span,
                     "--cache=auto: no input is read only by a Concat along an open axis whose "
                     "result is an output of the model");
    }
}

const char *sg_graph_suggest_dim(sg_arena *arena, const sg_graph_model *model, const char *name)
{
    const name_list dims = dims_of(arena, &model->graph);
    return sg_suggest(sg_str_from(name), dims.names, dims.count);
}

bool sg_graph_check_used(sg_arena *arena, sg_diag *diag, const sg_graph_model *model,
                         const sg_graph_options *options)
{
    unused u = {.diag = diag, .in_spec = options->in_spec};
    const name_list tensors = tensors_of(arena, &model->graph);
    for (int64_t i = 0; i < options->said.nshapes; ++i) {
        const sg_graph_given_shape *given = &options->said.shapes[i];
        if (!given->used) {
            report_unused(&u, &tensors, "shapes", "--shape", "tensor", given->tensor, given->span);
        }
    }
    for (int64_t i = 0; i < options->said.nvalues; ++i) {
        const sg_graph_given_value *given = &options->said.values[i];
        if (!given->used) {
            report_unused(&u, &tensors, "values", "--value", "tensor", given->tensor, given->span);
        }
    }
    /* An unused -D may be meant for another run; it is an error only if it looks misspelt. */
    const name_list dims = dims_of(arena, &model->graph);
    for (int64_t i = 0; i < options->said.ndefines; ++i) {
        const sg_graph_define *define = &options->said.defines[i];
        const bool is_plain = !options->in_spec && define->option == NULL; /* -D */
        const bool of_model = !is_plain || (options->alone && !has_name(&dims, define->name) &&
                                            is_near(&dims, define->name));
        if (!define->used && of_model) {
            report_unused(&u, &dims, "dims", define->option != NULL ? define->option : "-D", "dim",
                          define->name, define->span);
            if (dims.count == 0 && !is_plain) {
                sg_diag_note(diag, sg_span_none(),
                             options->in_spec
                                 ? "no dim of its inputs has a name; give one in the shape of an "
                                   "input: shapes = { %s = { free(\"%s\"), ... } }"
                                 : "no dim of its inputs has a name; give one in the shape of an "
                                   "input: --shape %s=%s?,...",
                             tensors.count > 0 ? tensors.names[0] : "x", define->name);
            }
        }
    }
    for (int64_t i = 0; i < options->ncaches; ++i) {
        if (!options->caches[i].used) {
            report_cache(arena, diag, &model->graph, &options->caches[i]);
        }
    }
    name_list splits = {0};
    const bool families = sg_graph_takes(options, SG_GRAPH_OPS_SLICE);
    const bool concats = sg_graph_takes(options, SG_GRAPH_OPS_CONCAT);
    for (int word = 0; word < (int)SG_GRAPH_OPS_ALL; ++word) {
        if (word == SG_GRAPH_OPS_SPLIT || sg_graph_takes(options, (sg_graph_ops_word)word)) {
            add_splits(arena, &splits, &model->graph, (sg_graph_ops_word)word, 0);
        }
    }
    for (int64_t i = 0; i < options->nonly + options->nexcept; ++i) {
        const bool is_only = i < options->nonly;
        const sg_graph_glob *glob =
            is_only ? &options->only[i] : &options->except[i - options->nonly];
        if (!glob->used) {
            report_unused(&u, &splits, is_only ? "only" : "except", is_only ? "--only" : "--except",
                          families && concats ? "Split, slice group or Concat"
                          : families          ? "Split or slice group"
                          : concats           ? "Split or Concat"
                                              : "Split",
                          glob->text, glob->span);
        }
    }
    return u.count == 0;
}

bool sg_graph_ops(sg_arena *arena, sg_diag *diag, const sg_graph_model *model,
                  const sg_graph_options *options, sg_op_array *list)
{
    sg_ops ops = {.arena = arena,
                  .diag = diag,
                  .model = model,
                  .options = options,
                  .list = list,
                  .check = check};
    const sg_infer_watcher watcher = {
        .context = &ops, .began = began, .ran = ran, .finished = finished, .dead = dead};
    sg_nameset_init(&ops.kernels, arena);
    sg_nameset_init(&ops.unresolved.groups, arena);
    sg_nameset_init(&ops.unresolved.opened, arena);
    ops.infer = sg_infer_new(arena, diag, model, &options->said, &watcher);
    const bool done = sg_infer_run(ops.infer);
    sg_ops_name(&ops);
    if (ops.failed) {
        sg_ops_report_faults(&ops);
    }
    /* a wrong name is often the reason why sizes are unknown, so it is reported instead of them */
    const bool named = !done || ops.unresolved.count == 0 || options->own == NULL ||
                       sg_graph_check_used(arena, diag, model, options->own);
    if (named) {
        sg_ops_report_unresolved(&ops);
    }
    return done && named && !ops.failed;
}
