/* Splits and Concats that need more information: what the user can provide, as options or fields of
 * a spec, and one error for all ops that need the same. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/graph/ops_engine.h"
#include "shapes/operators.h"
#include "lua/lua_library.h"

#define EXCEPTS 3 /* how many ops --except names in a proposal */

/* --- words ------------------------------------------------------------------------------------ */

/* A name as a Lua string. */
static const char *quoted(sg_arena *arena, const char *name)
{
    sg_buf text = {0};
    for (const char *at = name; *at != '\0'; ++at) {
        if (*at == '"' || *at == '\\') {
            sg_buf_addc(&text, '\\');
        }
        sg_buf_addc(&text, *at);
    }
    const char *string = sg_arena_printf(arena, "\"%s\"", text.len > 0 ? text.ptr : "");
    sg_buf_free(&text);
    return string;
}

/* A name as a key of a Lua table: quoted only if necessary. */
static const char *quoted_key(sg_arena *arena, const char *name)
{
    const sg_str word = sg_str_from(name);
    bool plain = word.len > 0 && !sg_is_digit((unsigned char)name[0]) && !sg_lua_is_keyword(word);
    for (size_t i = 0; i < word.len; ++i) {
        plain = plain && sg_is_ident((unsigned char)name[i]);
    }
    return plain ? name : sg_arena_printf(arena, "[%s]", quoted(arena, name));
}

/* The two texts with `joint` between them; if the first is empty, the second one. */
static const char *joined(sg_arena *arena, const char *text, const char *joint, const char *more)
{
    return text[0] == '\0' ? more : sg_arena_printf(arena, "%s%s%s", text, joint, more);
}

const char *sg_ops_advise_except(sg_arena *arena, const sg_graph_options *options,
                                 const char *const *names, int64_t count)
{
    const char *text = "";
    for (int64_t i = 0; i < count; ++i) {
        text = options->in_spec
                   ? joined(arena, text, ", ", quoted(arena, names[i]))
                   : joined(arena, text, " ", sg_infer_option(arena, "--except", names[i], NULL));
    }
    return options->in_spec ? sg_arena_printf(arena, "except = { %s }", text) : text;
}

/* --- needs as text ---------------------------------------------------------------------------- */

/* Whether a dim has neither a number nor a name that the user can give. */
static bool is_unknown(sg_fact_entry dim)
{
    const char *name = sg_fact_name(dim);
    return dim.kind != SG_FACT_INT && (name == NULL || sg_sum_is_nameless(name));
}

/* The dims of a need: "2,n?" or "2,VALUE" for the command line, or the entries of a Lua list. */
static const char *dims_text(sg_arena *arena, const sg_ops_need *need, bool in_list)
{
    if (need->known == NULL) {
        return "DIMS";
    }
    const char *text = "";
    for (int64_t i = 0; i < need->known->rank; ++i) {
        const sg_fact_entry dim = need->known->dims[i];
        const char *name = is_unknown(dim) ? need->open : sg_fact_dim_text(arena, dim);
        const char *one = name == NULL              ? "VALUE"
                          : dim.kind == SG_FACT_INT ? name
                          : in_list ? sg_arena_printf(arena, "free(%s)", quoted(arena, name))
                                    : sg_arena_printf(arena, "%s?", name);
        text = joined(arena, text, in_list ? ", " : ",", one);
    }
    return text;
}

static const char *need_text(const sg_ops *ops, const sg_ops_need *need)
{
    static const char *const options[] = {
        [SG_OPS_DIM] = "-D", [SG_OPS_SHAPE] = "--shape", [SG_OPS_VALUE] = "--value"};
    static const char *const words[] = {[SG_OPS_DIM] = "VALUE", [SG_OPS_VALUE] = "INTS"};
    sg_arena *arena = ops->arena;
    const bool in_spec = ops->options->in_spec;
    const bool in_list =
        need->what == SG_OPS_SHAPE ? !need->lacks_type : need->what == SG_OPS_VALUE;
    const char *value = words[need->what];
    if (need->what == SG_OPS_SHAPE) {
        value = need->lacks_dims ? dims_text(arena, need, in_spec && in_list) : "";
        value = !need->lacks_type  ? value
                : need->lacks_dims ? sg_arena_printf(arena, "TYPE[%s]", value)
                                   : "TYPE";
    }
    if (!in_spec) {
        return sg_infer_option(arena, options[need->what], need->name, value);
    }
    return sg_arena_printf(arena,
                           in_list                      ? "%s = { %s }"
                           : need->what == SG_OPS_SHAPE ? "%s = \"%s\""
                                                        : "%s = %s",
                           quoted_key(arena, need->name), value);
}

/* "-D N=VALUE --shape x=DIMS", or "dims = { N = VALUE }, shapes = { x = { DIMS } }"; "" if there
 * are no needs. */
static const char *needs_text(const sg_ops *ops, const sg_ops_need *needs, int64_t count)
{
    static const char *const fields[] = {
        [SG_OPS_DIM] = "dims", [SG_OPS_SHAPE] = "shapes", [SG_OPS_VALUE] = "values"};
    sg_arena *arena = ops->arena;
    const bool in_spec = ops->options->in_spec;
    const char *text = "";
    for (int what = SG_OPS_DIM; what <= SG_OPS_VALUE; ++what) {
        const char *part = "";
        for (int64_t i = 0; i < count; ++i) {
            if ((int)needs[i].what == what) {
                part = joined(arena, part, in_spec ? ", " : " ", need_text(ops, &needs[i]));
            }
        }
        if (part[0] != '\0') {
            part = in_spec ? sg_arena_printf(arena, "%s = { %s }", fields[what], part) : part;
            text = joined(arena, text, in_spec ? ", " : " ", part);
        }
    }
    return text;
}

/* --- needs ------------------------------------------------------------------------------------ */

sg_ops_unresolved *sg_ops_unresolved_new(sg_ops *ops, const sg_graph_node *node, const char *name)
{
    sg_ops_unresolved *lacking = SG_NEW(ops->arena, sg_ops_unresolved);
    lacking->node = node;
    lacking->name = name;
    lacking->problem = "";
    lacking->instead = "";
    return lacking;
}

/* Appends the need, or merges it with an earlier one of the same name. */
static void add_need(sg_arena *arena, sg_ops_needs *needs, sg_ops_need need)
{
    for (int64_t i = 0; i < needs->count; ++i) {
        sg_ops_need *old = &needs->items[i];
        if (old->what == need.what && strcmp(old->name, need.name) == 0) {
            old->known = old->lacks_dims ? old->known : need.known;
            old->open = old->lacks_dims ? old->open : need.open;
            old->lacks_dims = old->lacks_dims || need.lacks_dims;
            old->lacks_type = old->lacks_type || need.lacks_type;
            old->opens = old->opens && need.opens;
            return;
        }
    }
    needs->items = SG_GROWN(arena, needs->items, needs->count, needs->capacity);
    needs->items[needs->count++] = need;
}

/* Adds a need to an op. */
static void require(sg_ops *ops, sg_ops_unresolved *lacking, sg_ops_need need)
{
    need.opens = lacking->opens;
    add_need(ops->arena, &lacking->needs, need);
}

static void need_dims(sg_ops *ops, sg_ops_unresolved *lacking, const char *const *names,
                      int64_t count)
{
    for (int64_t i = 0; i < count; ++i) {
        require(ops, lacking, (sg_ops_need){.what = SG_OPS_DIM, .name = names[i]});
    }
}

/* Adds a need for each named dim of the model's inputs that the entries are products of. Returns
 * false if this does not determine all entries: some are unknown, or have names that are not dims
 * of inputs, such as expressions made up by an exporter. Dims that are open already are a need only
 * if lacking->opens is false. */
static bool need_names(sg_ops *ops, sg_ops_unresolved *lacking, const sg_fact_entry *entries,
                       int64_t count)
{
    const int64_t before = lacking->needs.count;
    sg_ops_needs names = {0};
    for (int64_t i = 0; i < count; ++i) {
        if (entries[i].kind == SG_FACT_UNKNOWN) {
            return false;
        }
        const sg_sum size = sg_fact_sum(ops->arena, entries[i]);
        sg_sum_names parts = {0};
        sg_sum_add_names(ops->arena, &size, &parts);
        for (int64_t f = 0; f < parts.count; ++f) {
            const char *name = parts.items[f];
            const bool is_open = sg_infer_is_opened(ops->infer, name);
            if (!sg_infer_is_symbol(ops->infer, name) && !is_open) {
                return false;
            }
            if (!lacking->opens || !is_open) {
                add_need(ops->arena, &names, (sg_ops_need){.what = SG_OPS_DIM, .name = name});
            }
        }
    }
    for (int64_t i = 0; i < names.count; ++i) {
        require(ops, lacking, names.items[i]);
    }
    return names.count > 0 || lacking->needs.count > before;
}

static bool is_taken(const sg_ops *ops, const char *name)
{
    return sg_infer_is_symbol(ops->infer, name) || sg_infer_is_opened(ops->infer, name);
}

/* A name for the open dim of a tensor, "n" or "n2", that no dim of the model has. */
static const char *open_name(sg_ops *ops, const char *tensor)
{
    sg_nameset *opened = &ops->unresolved.opened;
    const sg_nameset_entry *entry = sg_nameset_find(opened, tensor);
    int64_t number = entry != NULL ? entry->value : (int64_t)opened->count + 1;
    const char *name = NULL;
    do {
        name = number == 1 ? "n" : sg_arena_printf(ops->arena, "n%" PRId64, number);
        number += is_taken(ops, name) ? 1 : 0;
    } while (is_taken(ops, name));
    if (entry == NULL) {
        sg_nameset_add(opened, tensor, number);
    }
    return name;
}

/* A shape that depends on data. If one dim is unknown, the proposal is to make it an open dim, or
 * to give its number if the op cuts it. */
static void need_data_shape(sg_ops *ops, sg_ops_unresolved *lacking, const sg_fact_cause *cause,
                            bool lacks_type, bool is_cut)
{
    sg_arena *arena = ops->arena;
    const sg_fact *fact = cause->fact;
    for (int64_t i = 0; i < lacking->needs.count; ++i) {
        const sg_ops_need *there = &lacking->needs.items[i];
        if (there->what == SG_OPS_SHAPE && strcmp(there->name, cause->tensor) == 0) {
            return; /* a number for its dim that is cut */
        }
    }
    int64_t unknown = 0;
    for (int64_t i = 0; i < fact->rank; ++i) {
        unknown += is_unknown(fact->dims[i]) ? 1 : 0;
    }
    sg_ops_need need = {
        .what = SG_OPS_SHAPE, .name = cause->tensor, .lacks_dims = true, .lacks_type = lacks_type};
    const char *more = "";
    if (cause->value != NULL) {
        const sg_ops_need value = {.what = SG_OPS_VALUE, .name = cause->value->tensor};
        more = needs_text(ops, &value, 1);
    }
    if (unknown == 1) {
        need.known = fact;
    }
    if (unknown == 1 && !is_cut) {
        need.open = open_name(ops, cause->tensor);
        lacking->instead =
            sg_arena_printf(arena, " (then pass '%s' on each call; or a number for it%s%s)",
                            need.open, more[0] != '\0' ? ", or " : "", more);
    } else if (more[0] != '\0') {
        lacking->instead = sg_arena_printf(arena, " (or %s)", more);
    }
    require(ops, lacking, need);
}

static void add_problem(sg_ops *ops, sg_ops_unresolved *lacking, const char *problem,
                        const sg_fact_cause *cause)
{
    if (problem != NULL) {
        lacking->problem = joined(ops->arena, lacking->problem, ", and ", problem);
    }
    if (cause != NULL && lacking->ncauses < SG_OPS_CAUSES) {
        lacking->causes[lacking->ncauses++] = cause;
    }
}

/* Adds the dims that determine the tensor at which inference stops. Returns false if they are not
 * enough. */
static bool need_dims_of(sg_ops *ops, sg_ops_unresolved *lacking, const sg_fact_cause *cause)
{
    if (cause->ndims > 0) {
        need_dims(ops, lacking, cause->dims, cause->ndims);
        return true;
    }
    return cause->fact != NULL && cause->fact->has_rank &&
           need_names(ops, lacking, cause->fact->dims, cause->fact->rank);
}

/* Adds what determines a shape that is unknown; `dims` are the ones that matter. is_cut: it is one,
 * which has to be a number. */
static void need_shape(sg_ops *ops, sg_ops_unresolved *lacking, const char *tensor,
                       const sg_fact *fact, const sg_fact_entry *dims, int64_t ndims, bool is_cut)
{
    const sg_fact_cause *cause = fact->shape_cause;
    const bool lacks_type = fact->dtype == SG_GRAPH_DTYPE_UNKNOWN;
    if (need_names(ops, lacking, dims, ndims)) {
        return;
    }
    if (cause != NULL && cause->is_value) {
        require(ops, lacking, (sg_ops_need){.what = SG_OPS_VALUE, .name = cause->tensor});
        return;
    }
    if (cause != NULL && need_dims_of(ops, lacking, cause)) {
        return;
    }
    const bool untyped = cause == NULL || cause->fact == NULL || cause->tensor == tensor ||
                         cause->fact->dtype == SG_GRAPH_DTYPE_UNKNOWN;
    if (cause != NULL && cause->of_data && cause->fact != NULL) {
        need_data_shape(ops, lacking, cause, lacks_type && untyped, is_cut);
        return;
    }
    require(ops, lacking,
            (sg_ops_need){.what = SG_OPS_SHAPE,
                          .name = cause != NULL ? cause->tensor : tensor,
                          .lacks_dims = true,
                          .lacks_type = lacks_type && untyped});
}

void sg_ops_unresolved_axis(sg_ops *ops, sg_ops_unresolved *lacking, const char *problem,
                            const char *tensor, const sg_fact *fact, int64_t axis)
{
    add_problem(ops, lacking, problem, fact->shape_cause);
    need_shape(ops, lacking, tensor, fact, &fact->dims[axis], 1, true);
}

void sg_ops_unresolved_shape(sg_ops *ops, sg_ops_unresolved *lacking, const char *problem,
                             const char *tensor, const sg_fact *fact)
{
    if (lacking->problem[0] == '\0') {
        add_problem(ops, lacking, problem, fact->shape_cause);
    }
    if (!sg_fact_shape_known(fact)) {
        need_shape(ops, lacking, tensor, fact, fact->dims, fact->has_rank ? fact->rank : 0, false);
    }
    bool lacks_type = fact->dtype == SG_GRAPH_DTYPE_UNKNOWN;
    for (int64_t i = 0; i < lacking->needs.count; ++i) {
        lacks_type = lacks_type && !lacking->needs.items[i].lacks_type;
    }
    if (lacks_type) {
        require(ops, lacking,
                (sg_ops_need){.what = SG_OPS_SHAPE,
                              .name = fact->untyped != NULL ? fact->untyped : tensor,
                              .lacks_type = true});
    }
}

void sg_ops_unresolved_value(sg_ops *ops, sg_ops_unresolved *lacking, const char *problem,
                             const char *tensor, const sg_fact *fact)
{
    const sg_fact_cause *cause = fact->value_cause;
    add_problem(ops, lacking, problem, cause);
    if (fact->has_values && need_names(ops, lacking, fact->values, fact->count)) {
        return;
    }
    if (cause == NULL || cause->is_value || strcmp(cause->tensor, tensor) == 0) {
        require(
            ops, lacking,
            (sg_ops_need){.what = SG_OPS_VALUE, .name = cause != NULL ? cause->tensor : tensor});
    } else if (!need_dims_of(ops, lacking, cause)) {
        require(ops, lacking,
                (sg_ops_need){.what = SG_OPS_SHAPE, .name = cause->tensor, .lacks_dims = true});
    }
}

/* --- reporting -------------------------------------------------------------------------------- */

/* The needs that --open does not resolve. */
static sg_ops_needs not_opened(sg_arena *arena, const sg_ops_needs *needs)
{
    sg_ops_needs some = {0};
    for (int64_t i = 0; i < needs->count; ++i) {
        if (!needs->items[i].opens) {
            add_need(arena, &some, needs->items[i]);
        }
    }
    return some;
}

/* The shortest proposal: "--open" and the needs that it does not resolve. */
static const char *shortest(const sg_ops *ops, const sg_ops_needs *needs)
{
    const sg_ops_needs others = not_opened(ops->arena, needs);
    const char *more = needs_text(ops, others.items, others.count);
    if (others.count == needs->count) {
        return more;
    }
    const bool in_spec = ops->options->in_spec;
    return more[0] == '\0'
               ? (in_spec ? "open = true" : "--open")
               : sg_arena_printf(ops->arena, in_spec ? "open = true, %s" : "--open %s", more);
}

static int by_kind_and_name(const void *a, const void *b)
{
    const sg_ops_need *one = a;
    const sg_ops_need *other = b;
    return one->what != other->what ? (int)one->what - (int)other->what
                                    : strcmp(one->name, other->name);
}

/* A key that is equal for ops with the same needs, independent of their order. */
static const char *group_key(const sg_ops *ops, const sg_ops_needs *needs)
{
    sg_ops_need *sorted = SG_NEW_ARRAY(ops->arena, sg_ops_need, needs->count);
    memcpy(sorted, needs->items, (size_t)needs->count * sizeof sorted[0]);
    qsort(sorted, (size_t)needs->count, sizeof sorted[0], by_kind_and_name);
    const sg_ops_needs all = {.items = sorted, .count = needs->count};
    return sg_arena_printf(ops->arena, "%s\1%s", shortest(ops, &all),
                           needs_text(ops, sorted, needs->count));
}

void sg_ops_unresolved_add(sg_ops *ops, sg_ops_unresolved *lacking)
{
    sg_ops_all_unresolved *unresolved = &ops->unresolved;
    const char *needs = needs_text(ops, lacking->needs.items, lacking->needs.count);
    const char *key = group_key(ops, &lacking->needs);
    const sg_nameset_entry *entry = sg_nameset_find(&unresolved->groups, key);
    if (entry == NULL) {
        sg_ops_unresolved_alike *group = SG_NEW(ops->arena, sg_ops_unresolved_alike);
        *group = (sg_ops_unresolved_alike){.first = lacking, .last = lacking, .needs = needs};
        group->names = SG_NEW_ARRAY(ops->arena, const char *, EXCEPTS);
        sg_nameset_add(&unresolved->groups, key, unresolved->count);
        unresolved->list =
            SG_GROWN(ops->arena, unresolved->list, unresolved->count, unresolved->capacity);
        unresolved->list[unresolved->count++] = group;
        entry = sg_nameset_find(&unresolved->groups, key);
    }
    sg_ops_unresolved_alike *group = unresolved->list[entry->value];
    lacking->complete = true;
    if (group->last != lacking) {
        group->last->next = lacking;
        group->last = lacking;
    }
    if (group->count < EXCEPTS) {
        group->names[group->count] = lacking->name;
    }
    ++group->count;
    group->njoins += sg_operator_of(lacking->node)->kind == SG_OPERATOR_CONCAT ? 1 : 0;
}

/* Notes where inference stops, and why. */
static void note_cause(const sg_ops *ops, const sg_fact_cause *cause)
{
    const char *kind = cause->is_value ? "value" : "shape";
    const char *maker = cause->node == NULL
                            ? ""
                            : sg_arena_printf(ops->arena, ", made by %s '%s'", cause->node->op_type,
                                              sg_graph_node_name(cause->node));
    const char *why = cause->reason != NULL ? cause->reason
                      : cause->of_data
                          ? sg_arena_printf(ops->arena, "its %s depends on the data", kind)
                          : "";
    sg_diag_note(ops->diag, cause->span, "%s inference stops at '%s'%s%s%s", kind, cause->tensor,
                 maker, why[0] != '\0' ? ": " : "", why);
}

/* The proposal as a clause, with its alternative. */
static const char *ways(const sg_ops *ops, const sg_ops_unresolved_alike *group)
{
    const sg_ops_unresolved *first = group->first;
    const char *some = shortest(ops, &first->needs);
    if (strcmp(some, group->needs) == 0) {
        return sg_arena_printf(ops->arena, "give %s%s", some, first->instead);
    }
    return sg_arena_printf(ops->arena, "leave open what has no number with %s, or give %s%s", some,
                           group->needs, first->instead);
}

static void report(const sg_ops *ops, const sg_ops_unresolved_alike *group)
{
    const sg_ops_unresolved *first = group->first;
    const char *split = first->node->op_type;
    if (group->count == 1) {
        (void)sg_diag_error(ops->diag, first->node->span, "%s '%s' %s", split, first->name,
                            first->problem);
    } else {
        (void)sg_diag_error(ops->diag, first->node->span,
                            "%" PRId64 " %s need %s: the first, %s '%s', %s", group->count,
                            group->njoins == 0              ? "Splits"
                            : group->njoins == group->count ? "Concats"
                                                            : "Splits and Concats",
                            group->needs, split, first->name, first->problem);
    }
    for (int64_t i = 0; i < first->ncauses; ++i) {
        note_cause(ops, first->causes[i]);
    }
    const int64_t shown = group->count < EXCEPTS ? group->count : EXCEPTS;
    sg_diag_note(ops->diag, sg_span_none(), "%s, or leave %s out with %s%s", ways(ops, group),
                 group->count == 1 ? sg_arena_printf(ops->arena, "this %s", split) : "them",
                 sg_ops_advise_except(ops->arena, ops->options, group->names, shown),
                 shown < group->count ? " and so on" : "");
}

/* One warning for each op. */
static void warn(const sg_ops *ops, const sg_ops_unresolved_alike *group)
{
    for (const sg_ops_unresolved *lacking = group->first; lacking != NULL;
         lacking = lacking->next) {
        sg_diag_warn_uncapped(ops->diag, lacking->node->span, "%s '%s' is left out: it %s",
                              lacking->node->op_type, lacking->name, lacking->problem);
    }
}

/* Whether the needs ask for a number for this dim. */
static bool is_needed(const sg_ops_needs *needs, const char *name)
{
    for (int64_t i = 0; i < needs->count; ++i) {
        if (needs->items[i].what == SG_OPS_DIM && strcmp(needs->items[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* The options that open single dims, without dims that must be numbers. */
static const char *opened_text(const sg_ops *ops, const sg_ops_needs *needs)
{
    const sg_graph_options *options = ops->options;
    const char *text = "";
    for (int64_t i = 0; i < options->said.ndefines; ++i) {
        const sg_graph_define *define = &options->said.defines[i];
        if (define->free.name == NULL || is_needed(needs, define->name)) {
            continue;
        }
        const char *expected =
            define->value != 1 ? sg_arena_printf(ops->arena, "%" PRId64, define->value) : NULL;
        sg_buf option = {0};
        sg_buf_add_shell(&option, sg_arena_printf(ops->arena, "--open=%s%s%s", define->name,
                                                  expected != NULL ? "=" : "",
                                                  expected != NULL ? expected : ""));
        text = sg_arena_printf(ops->arena, "%s %s", text, option.ptr);
        sg_buf_free(&option);
    }
    return text;
}

/* Whether a --shape has a dim open that has to be a number. */
static bool is_given_open(const sg_graph_options *options, const sg_ops_needs *needs)
{
    for (int64_t i = 0; i < options->said.nshapes; ++i) {
        const sg_graph_given_shape *shape = &options->said.shapes[i];
        for (int64_t d = 0; shape->frees != NULL && d < shape->rank; ++d) {
            if (shape->frees[d].name != NULL && is_needed(needs, shape->frees[d].name)) {
                return true;
            }
        }
    }
    return false;
}

void sg_ops_report_unresolved(sg_ops *ops)
{
    const sg_ops_all_unresolved *unresolved = &ops->unresolved;
    const sg_graph_options *options = ops->options;
    const bool skips = options->skip_unresolved && (ops->list->count > 0 || !options->alone);
    sg_ops_needs all = {0};
    const bool others = ops->failed; /* other errors, which no command would avoid */
    ops->failed = ops->failed || (unresolved->count > 0 && !skips);
    for (int64_t i = 0; i < unresolved->count; ++i) {
        const sg_ops_needs *needs = &unresolved->list[i]->first->needs;
        (skips ? warn : report)(ops, unresolved->list[i]);
        for (int64_t n = 0; n < needs->count; ++n) {
            add_need(ops->arena, &all, needs->items[n]);
        }
    }
    if (unresolved->count > 1 && options->in_spec) {
        sg_diag_note(ops->diag, sg_span_none(), "add: { %s }", shortest(ops, &all));
    } else if (unresolved->count > 0 && !others && options->command != NULL && options->alone &&
               !options->in_spec) {
        const sg_ops_needs closed = not_opened(ops->arena, &all);
        if (is_given_open(options, &closed)) {
            return; /* another option contradicts, which the user has to change */
        }
        sg_diag_note(ops->diag, sg_span_none(), "try: %s%s %s%s", options->command,
                     opened_text(ops, &closed), shortest(ops, &all), options->command_inputs);
    }
}
