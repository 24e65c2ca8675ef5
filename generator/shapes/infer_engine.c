/* The scopes of inference: which fact each name is bound to, with what the file and the user say
 * added. */
#include "shapes/infer_engine.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "base/checked.h"

static void declare(sg_infer *infer, sg_infer_scope *scope, const sg_graph_info *infos,
                    int64_t count)
{
    (void)infer;
    for (int64_t i = 0; i < count; ++i) {
        const int64_t at = scope->ndeclared++;
        scope->declared[at] = &infos[i];
        sg_nameset_entry *first = sg_nameset_find(&scope->infos, infos[i].name);
        scope->next_info[at] = -1;
        if (first == NULL) {
            sg_nameset_add(&scope->infos, infos[i].name, at);
        } else {
            /* After the first, so that the first keeps its place. The order of the others does not
             * matter: it has no effect if they agree, and if they don't, they are ignored. */
            scope->next_info[at] = scope->next_info[first->value];
            scope->next_info[first->value] = at;
        }
    }
}

bool sg_infer_visit(sg_infer *infer, int64_t visits, sg_span span)
{
    infer->visits += visits;
    return infer->visits <= infer->max_visits ||
           sg_diag_fail(infer->diag, SG_EXIT_BUDGET, span,
                        "more than %" PRId64 " nodes run, for functions and loops run theirs again "
                        "with every call, and many tensors of a node or graph count as nodes",
                        infer->max_visits);
}

int64_t sg_infer_looking(int64_t tensors)
{
    enum { FEW = 64, PER_VISIT = 4 };
    return tensors > FEW ? (tensors - FEW) / PER_VISIT : 0;
}

int64_t sg_infer_declaring(const sg_graph *graph)
{
    return sg_infer_looking(graph->ninputs + graph->noutputs + graph->ninfos +
                            graph->ninitializers);
}

void sg_infer_enter(sg_infer *infer, sg_infer_scope *scope, const sg_infer_scope *outer,
                    const sg_graph *graph, const sg_infer_path *path, const sg_infer_call *call)
{
    *scope = (sg_infer_scope){.outer = outer, .graph = graph, .path = path, .call = call};
    infer->visits += sg_infer_declaring(graph);
    sg_nameset_init(&scope->names, infer->arena);
    sg_nameset_init(&scope->infos, infer->arena);
    const int64_t most = graph->ninputs + graph->noutputs + graph->ninfos;
    scope->next_info = SG_NEW_ARRAY(infer->arena, int64_t, most);
    scope->declared = SG_NEW_ARRAY(infer->arena, const sg_graph_info *, most);
    declare(infer, scope, graph->inputs, graph->ninputs);
    declare(infer, scope, graph->infos, graph->ninfos);
    declare(infer, scope, graph->outputs, graph->noutputs);
}

sg_fact_cause *sg_infer_cause(sg_infer *infer, const char *tensor, const sg_graph_node *node,
                              const char *reason)
{
    sg_fact_cause *cause = SG_NEW(infer->arena, sg_fact_cause);
    cause->tensor = tensor;
    cause->node = node;
    cause->reason = reason;
    cause->span = node != NULL ? node->span : sg_span_none();
    return cause;
}

const sg_fact *sg_infer_find(sg_infer *infer, const sg_infer_scope *scope, const char *name)
{
    if (name[0] == '\0') {
        return NULL;
    }
    for (const sg_infer_scope *s = scope; s != NULL; s = s->outer) {
        const sg_nameset_entry *entry = sg_nameset_find(&s->names, name);
        if (entry != NULL) {
            return s->facts[entry->value];
        }
    }
    sg_fact *fact = sg_fact_new(infer->arena);
    fact->shape_cause = sg_infer_cause(infer, name, NULL, "nothing gives it before it is read");
    fact->value_cause = fact->shape_cause;
    fact->fault = SG_NEW(infer->arena, sg_fact_fault);
    fact->fault->reason =
        sg_arena_printf(infer->arena, "nothing gives '%s' before it is read", name);
    return fact;
}

void sg_infer_add(sg_infer *infer, sg_infer_scope *scope, const char *name, const sg_fact *fact)
{
    sg_nameset_entry *old = sg_nameset_find(&scope->names, name);
    if (old != NULL) {
        scope->facts[old->value] = fact;
        return;
    }
    scope->facts = SG_GROWN(infer->arena, scope->facts, scope->count, scope->capacity);
    sg_nameset_add(&scope->names, name, scope->count);
    scope->facts[scope->count++] = fact;
}

/* --- what the user and the file say ----------------------------------------------------------- */

static void set_int(sg_fact_entry *entry, int64_t value)
{
    entry->kind = SG_FACT_INT;
    entry->as.integer = value;
}

/* The number or other name that the user gives for a dim; false: none. A dim that is open stays
 * open, even if another definition has the same name. */
static bool said_of(sg_infer *infer, const char *name, sg_fact_entry *said)
{
    const bool is_open = sg_nameset_find(&infer->open, name) != NULL;
    const sg_nameset_entry *entry = sg_nameset_find(&infer->defines, name);
    sg_graph_define *define = entry != NULL ? &infer->said->defines[entry->value] : NULL;
    if (define != NULL && (!is_open || define->free.name != NULL)) {
        define->used = true;
        *said = sg_infer_said(infer, define->value, define->free);
        return true;
    }
    const sg_nameset_entry *size = sg_nameset_find(&infer->implied, name);
    if (size != NULL && !is_open) {
        *said = infer->sizes[size->value];
    }
    return size != NULL && !is_open;
}

/* Replaces names by what the user gives for them. Entries may be shared with another fact, which
 * needs the same replacement. */
static void apply_defines(sg_infer *infer, sg_fact_entry *entries, int64_t count)
{
    for (int64_t i = 0; i < count; ++i) {
        sg_fact_entry said;
        const char *name = sg_fact_name(entries[i]);
        if (name != NULL && said_of(infer, name, &said)) {
            entries[i] = said;
        }
    }
}

static void warn_contradiction(sg_infer *infer, const sg_graph_info *info, const char *says,
                               const char *fact)
{
    if (infer->quiet > 0 || infer->contradictions++ >= SG_INFER_CONTRADICTIONS) {
        return;
    }
    sg_diag_warn(infer->diag, info->span,
                 "the file says that '%s' is %s, but it comes out as %s, which is what counts",
                 info->name, says, fact);
}

static bool contradicts(const sg_fact *a, const sg_fact *b)
{
    if (!a->has_rank || !b->has_rank) {
        return false;
    }
    for (int64_t i = 0; a->rank == b->rank && i < a->rank; ++i) {
        if (a->dims[i].kind == SG_FACT_INT && b->dims[i].kind == SG_FACT_INT &&
            a->dims[i].as.integer != b->dims[i].as.integer) {
            return true;
        }
    }
    return a->rank != b->rank;
}

/* Fills what is unknown from a declared type. Where they disagree, the inferred fact stays. */
static void apply_info(sg_infer *infer, const sg_graph_info *info, sg_fact *fact, bool *checks)
{
    sg_fact *says = sg_fact_of_type(infer->arena, &info->type);
    apply_defines(infer, says->dims, says->rank);
    if (fact->dtype == SG_GRAPH_DTYPE_UNKNOWN) {
        fact->dtype = says->dtype;
    } else if (*checks && says->dtype != SG_GRAPH_DTYPE_UNKNOWN && says->dtype != fact->dtype) {
        warn_contradiction(infer, info, sg_dtype_get((sg_dtype)says->dtype)->name,
                           sg_dtype_get((sg_dtype)fact->dtype)->name);
        *checks = false;
    }
    if (infer->differs) {
        return;
    }
    if (contradicts(says, fact)) {
        if (*checks) {
            warn_contradiction(infer, info, sg_fact_shape_text(infer->arena, says),
                               sg_fact_shape_text(infer->arena, fact));
            *checks = false;
        }
        return;
    }
    if (!fact->has_rank) {
        fact->has_rank = says->has_rank;
        fact->rank = says->rank;
        fact->dims = says->dims;
        return;
    }
    if (!says->has_rank) {
        return;
    }
    /* Write to the new list, because the old one may be shared with another fact. */
    for (int64_t i = 0; i < fact->rank; ++i) {
        if (says->dims[i].kind != SG_FACT_INT && fact->dims[i].kind != SG_FACT_UNKNOWN) {
            says->dims[i] = fact->dims[i];
        }
    }
    fact->dims = says->dims;
}

/* Returns the number of declared types. */
static int64_t apply_infos(sg_infer *infer, const sg_infer_scope *scope, const char *name,
                           sg_fact *fact, bool checks)
{
    const sg_nameset_entry *first = sg_nameset_find(&scope->infos, name);
    int64_t count = 0;
    for (int64_t i = first != NULL ? first->value : -1; i >= 0; i = scope->next_info[i]) {
        apply_info(infer, scope->declared[i], fact, &checks);
        ++count;
    }
    return count;
}

const sg_nameset_entry *sg_infer_given(const sg_nameset *given, const sg_infer_scope *scope,
                                       const char *name)
{
    const sg_nameset_entry *entry = sg_nameset_find(given, name);
    const sg_nameset_entry *first = sg_nameset_find(&scope->infos, name);
    for (int64_t i = first != NULL && given->count > 0 ? first->value : -1; i >= 0 && entry == NULL;
         i = scope->next_info[i]) {
        const sg_graph_info *info = scope->declared[i];
        for (int64_t a = 0; entry == NULL && a < info->naliases; ++a) {
            entry = sg_nameset_find(given, info->aliases[a]);
        }
    }
    return entry;
}

/* "f32[1, 16]", without what is unknown. */
static const char *type_text(sg_infer *infer, const sg_fact *fact)
{
    return sg_arena_printf(
        infer->arena, "%s%s",
        fact->dtype != SG_GRAPH_DTYPE_UNKNOWN ? sg_dtype_get((sg_dtype)fact->dtype)->name : "",
        fact->has_rank ? sg_fact_shape_text(infer->arena, fact) : "");
}

/* Whether the user opens a dim that the file gives a number. */
static bool opens_number(const sg_graph_given_shape *given, const sg_fact *before)
{
    for (int64_t i = 0; given->frees != NULL && before->has_rank && i < before->rank; ++i) {
        if (i < given->rank && given->frees[i].name != NULL &&
            before->dims[i].kind == SG_FACT_INT) {
            return true;
        }
    }
    return false;
}

/* `computed`: the fact is the output of a node; else it is declared by the file. */
static void apply_given_shape(sg_infer *infer, const sg_infer_scope *scope, const char *name,
                              sg_fact *fact, bool computed)
{
    const sg_nameset_entry *entry = sg_infer_given(&infer->shapes, scope, name);
    if (entry == NULL) {
        return;
    }
    sg_graph_given_shape *given = &infer->said->shapes[entry->value];
    given->used = true;
    const sg_nameset_entry *info = computed ? NULL : sg_nameset_find(&scope->infos, name);
    const sg_fact before =
        info == NULL ? *fact : *sg_fact_of_type(infer->arena, &scope->declared[info->value]->type);
    bool differs = false;
    if (given->dtype != SG_GRAPH_DTYPE_UNKNOWN) {
        differs = before.dtype != SG_GRAPH_DTYPE_UNKNOWN && before.dtype != given->dtype;
        fact->dtype = given->dtype;
    }
    if (given->has_dims) {
        fact->has_rank = true;
        fact->rank = given->rank;
        fact->dims = SG_NEW_ARRAY(infer->arena, sg_fact_entry, given->rank);
        for (int64_t i = 0; i < given->rank; ++i) {
            fact->dims[i] = sg_infer_said_of_dim(infer, given, i);
        }
        const bool other = contradicts(&before, fact) || opens_number(given, &before);
        infer->differs = infer->differs || other;
        differs = differs || contradicts(&before, fact) || (!computed && other);
    }
    if (differs && infer->quiet == 0) {
        sg_diag_warn(
            infer->diag, given->span, "'%s' is given as %s, but %s %s; what is given counts", name,
            type_text(infer, fact), computed ? "it comes out as" : "the model says that it is",
            type_text(infer, &before));
    }
    int64_t elements = 0;
    if (fact->has_values && (!sg_fact_elements(fact, &elements) || elements != fact->count)) {
        fact->has_values = false;
    }
}

static bool apply_given_value(sg_infer *infer, const sg_infer_scope *scope, const char *name,
                              sg_fact *fact)
{
    const sg_nameset_entry *entry = sg_infer_given(&infer->values, scope, name);
    if (entry == NULL) {
        return true;
    }
    sg_graph_given_value *given = &infer->said->values[entry->value];
    given->used = true;
    int64_t elements = 0;
    if (sg_fact_elements(fact, &elements) && elements != given->count) {
        return sg_diag_error(
            infer->diag, given->span,
            "'%s' is %s and has %" PRId64 " element%s, but %" PRId64 " value%s given", name,
            sg_fact_shape_text(infer->arena, fact), elements, elements == 1 ? "" : "s",
            given->count, given->count == 1 ? " is" : "s are");
    }
    if (!fact->has_rank || (fact->rank == 1 && fact->dims[0].kind != SG_FACT_INT)) {
        fact->has_rank = true;
        fact->rank = 1;
        fact->dims = SG_NEW(infer->arena, sg_fact_entry);
        set_int(&fact->dims[0], given->count);
    }
    fact->has_values = true;
    fact->count = given->count;
    fact->values = SG_NEW_ARRAY(infer->arena, sg_fact_entry, given->count);
    fact->spans = NULL;
    fact->place = given->span;
    fact->given = given->span;
    fact->tensor = NULL;
    for (int64_t i = 0; i < given->count; ++i) {
        set_int(&fact->values[i], given->values[i]);
    }
    return true;
}

bool sg_infer_bind(sg_infer *infer, sg_infer_scope *scope, const char *name, sg_fact *fact,
                   bool checks)
{
    if (name[0] == '\0') {
        return true;
    }
    apply_defines(infer, fact->dims, fact->has_rank ? fact->rank : 0);
    apply_defines(infer, fact->values, fact->has_values ? fact->count : 0);
    const int64_t ninfos = apply_infos(infer, scope, name, fact, checks);
    SG_TRY(sg_infer_visit(infer, sg_infer_looking(ninfos), scope->graph->span));
    apply_given_shape(infer, scope, name, fact, checks);
    SG_TRY(apply_given_value(infer, scope, name, fact));
    if (sg_fact_shape_known(fact)) {
        fact->shape_cause = NULL;
    } else if (fact->shape_cause == NULL) {
        fact->shape_cause = sg_infer_cause(infer, name, NULL, NULL);
    }
    if (sg_fact_values_known(fact)) {
        fact->value_cause = NULL;
    } else if (fact->value_cause == NULL) {
        sg_fact_cause *cause = sg_infer_cause(infer, name, NULL, NULL);
        cause->is_value = true;
        fact->value_cause = cause;
    }
    sg_infer_add(infer, scope, name, fact);
    return true;
}

/* --- enclosing nodes, and functions ----------------------------------------------------------- */

const sg_infer_path *sg_infer_path_into(sg_infer *infer, const sg_infer_scope *scope,
                                        const sg_graph_node *node)
{
    sg_infer_path *path = SG_NEW(infer->arena, sg_infer_path);
    path->outer = scope->path;
    path->node = node;
    path->depth = scope->path != NULL ? scope->path->depth + 1 : 1;
    if (path->depth > SG_GRAPH_NESTING) {
        (void)sg_diag_error(infer->diag, node->span,
                            "graphs and functions are nested more than %d deep here",
                            SG_GRAPH_NESTING);
        return NULL;
    }
    return path;
}

const char **sg_infer_path_names(sg_arena *arena, const sg_infer_path *path)
{
    int64_t i = path != NULL ? path->depth : 0;
    const char **names = SG_NEW_ARRAY(arena, const char *, i);
    for (const sg_infer_path *p = path; p != NULL; p = p->outer) {
        names[--i] = p->node->name[0] != '\0' ? p->node->name : p->node->op_type;
    }
    return names;
}

static const char *function_key(const sg_infer *infer, const char *domain, const char *name,
                                const char *overload)
{
    return sg_arena_printf(infer->arena, "%s\1%s\1%s", domain, name, overload);
}

void sg_infer_index_functions(sg_infer *infer)
{
    sg_nameset_init(&infer->functions, infer->arena);
    for (int64_t i = 0; i < infer->model->nfunctions; ++i) {
        const sg_graph_function *f = &infer->model->functions[i];
        const char *key = function_key(infer, f->domain, f->name, f->overload);
        if (sg_nameset_find(&infer->functions, key) == NULL) {
            sg_nameset_add(&infer->functions, key, i);
        }
    }
}

const sg_graph_function *sg_infer_function(const sg_infer *infer, const sg_graph_node *node)
{
    if (infer->model->nfunctions == 0) {
        return NULL;
    }
    const sg_nameset_entry *entry = sg_nameset_find(
        &infer->functions, function_key(infer, node->domain, node->op_type, node->overload));
    return entry != NULL ? &infer->model->functions[entry->value] : NULL;
}

const sg_graph_function *sg_infer_scope_function(const sg_infer_scope *scope)
{
    const sg_graph_function *function = scope->call != NULL ? scope->call->function : NULL;
    return function != NULL && scope->graph == &function->body ? function : NULL;
}

const char *sg_infer_option(sg_arena *arena, const char *option, const char *name,
                            const char *value)
{
    const bool is_long = option[1] == '-';
    /* "=" if the name would look like an option */
    const char *joint = name[0] != '-' ? " " : is_long ? "=" : "";
    sg_buf text = {0};
    sg_buf_printf(&text, "%s%s", option, joint);
    sg_buf_add_shell(&text, value == NULL ? name : sg_arena_printf(arena, "%s=%s", name, value));
    const char *words = sg_arena_strndup(arena, text.ptr, text.len);
    sg_buf_free(&text);
    return words;
}
