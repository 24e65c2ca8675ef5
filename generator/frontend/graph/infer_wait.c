/* Splits that lack something: what the user can say of it, in options or in fields
 * of a spec, and one error for all that lack the same. */
#include <inttypes.h>
#include <string.h>

#include "frontend/graph/infer_engine.h"
#include "lua/lua_library.h"

#define EXCEPTS 3 /* Splits that are named in what leaves them out */

/* --- words ------------------------------------------------------------------------------------ */

/* A name as a string of Lua. */
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

/* The same as Lua takes it in front of a '='. */
static const char *quoted_key(sg_arena *arena, const char *name)
{
    const sg_str word = sg_str_from(name);
    bool plain = word.len > 0 && !sg_is_digit((unsigned char)name[0]) && !sg_lua_is_keyword(word);
    for (size_t i = 0; i < word.len; ++i) {
        plain = plain && sg_is_ident((unsigned char)name[i]);
    }
    return plain ? name : sg_arena_printf(arena, "[%s]", quoted(arena, name));
}

const char *sg_infer_option(sg_arena *arena, const char *option, const char *name,
                            const char *value)
{
    const bool is_long = option[1] == '-';
    const char *joint = name[0] != '-' ? " " : is_long ? "=" : ""; /* or it looks like an option */
    sg_buf text = {0};
    sg_buf_printf(&text, "%s%s", option, joint);
    sg_buf_add_shell(&text, value == NULL ? name : sg_arena_printf(arena, "%s=%s", name, value));
    const char *words = sg_arena_strndup(arena, text.ptr, text.len);
    sg_buf_free(&text);
    return words;
}

/* The texts with `joint` between them. */
static const char *joined(sg_arena *arena, const char *text, const char *joint, const char *more)
{
    return text[0] == '\0' ? more : sg_arena_printf(arena, "%s%s%s", text, joint, more);
}

const char *sg_infer_advise_except(sg_arena *arena, const sg_graph_options *options,
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

/* --- what is lacking, as text ----------------------------------------------------------------- */

/* The dims of a need as the command line has them, "2,n?", or in a list of Lua. */
static const char *dims_text(sg_arena *arena, const sg_infer_need *need, bool in_list)
{
    if (need->known == NULL) {
        return "DIMS";
    }
    const char *text = "";
    for (int64_t i = 0; i < need->known->rank; ++i) {
        const sg_fact_entry dim = need->known->dims[i];
        const char *one = dim.kind == SG_FACT_INT
                              ? sg_arena_printf(arena, "%" PRId64, dim.as.integer)
                          : in_list ? sg_arena_printf(arena, "free(%s)", quoted(arena, need->open))
                                    : sg_arena_printf(arena, "%s?", need->open);
        text = joined(arena, text, in_list ? ", " : ",", one);
    }
    return text;
}

static const char *need_text(const sg_infer *infer, const sg_infer_need *need)
{
    static const char *const options[] = {
        [SG_INFER_DIM] = "-D", [SG_INFER_SHAPE] = "--shape", [SG_INFER_VALUE] = "--value"};
    static const char *const words[] = {[SG_INFER_DIM] = "VALUE", [SG_INFER_VALUE] = "INTS"};
    sg_arena *arena = infer->arena;
    const bool in_spec = infer->options->in_spec;
    const bool in_list =
        need->what == SG_INFER_SHAPE ? !need->lacks_type : need->what == SG_INFER_VALUE;
    const char *value = words[need->what];
    if (need->what == SG_INFER_SHAPE) {
        value = need->lacks_dims ? dims_text(arena, need, in_spec && in_list) : "";
        value = !need->lacks_type  ? value
                : need->lacks_dims ? sg_arena_printf(arena, "TYPE[%s]", value)
                                   : "TYPE";
    }
    if (!in_spec) {
        return sg_infer_option(arena, options[need->what], need->name, value);
    }
    return sg_arena_printf(arena,
                           in_list                        ? "%s = { %s }"
                           : need->what == SG_INFER_SHAPE ? "%s = \"%s\""
                                                          : "%s = %s",
                           quoted_key(arena, need->name), value);
}

/* "-D N=VALUE --shape x=DIMS", or "dims = { N = VALUE }, shapes = { x = { DIMS } }". */
static const char *needs_text(const sg_infer *infer, const sg_infer_need *needs, int64_t count)
{
    static const char *const fields[] = {
        [SG_INFER_DIM] = "dims", [SG_INFER_SHAPE] = "shapes", [SG_INFER_VALUE] = "values"};
    sg_arena *arena = infer->arena;
    const bool in_spec = infer->options->in_spec;
    const char *text = "";
    for (int what = SG_INFER_DIM; what <= SG_INFER_VALUE; ++what) {
        const char *part = "";
        for (int64_t i = 0; i < count; ++i) {
            if ((int)needs[i].what == what) {
                part = joined(arena, part, in_spec ? ", " : " ", need_text(infer, &needs[i]));
            }
        }
        if (part[0] != '\0') {
            part = in_spec ? sg_arena_printf(arena, "%s = { %s }", fields[what], part) : part;
            text = joined(arena, text, in_spec ? ", " : " ", part);
        }
    }
    return text;
}

/* --- what is lacking -------------------------------------------------------------------------- */

sg_infer_wait *sg_infer_wait_new(sg_infer *infer, const sg_graph_node *node, const char *name)
{
    sg_infer_wait *wait = SG_NEW(infer->arena, sg_infer_wait);
    wait->node = node;
    wait->name = name;
    wait->problem = "";
    wait->instead = "";
    return wait;
}

/* Appends the need, or joins it with what is asked of the same name. */
static void add_need(sg_arena *arena, sg_infer_needs *needs, sg_infer_need need)
{
    for (int64_t i = 0; i < needs->count; ++i) {
        sg_infer_need *old = &needs->items[i];
        if (old->what == need.what && strcmp(old->name, need.name) == 0) {
            old->known = old->lacks_dims ? old->known : need.known;
            old->open = old->lacks_dims ? old->open : need.open;
            old->lacks_dims = old->lacks_dims || need.lacks_dims;
            old->lacks_type = old->lacks_type || need.lacks_type;
            return;
        }
    }
    if (needs->count == needs->capacity) {
        enum { FIRST = 4 };
        needs->capacity = needs->capacity == 0 ? FIRST : 2 * needs->capacity;
        sg_infer_need *items = SG_NEW_ARRAY(arena, sg_infer_need, needs->capacity);
        if (needs->count > 0) {
            memcpy(items, needs->items, (size_t)needs->count * sizeof items[0]);
        }
        needs->items = items;
    }
    needs->items[needs->count++] = need;
}

/* Whether the user leaves a dim open already; one is the most a kernel can take. */
static bool any_is_open(const sg_graph_options *options)
{
    for (int64_t i = 0; i < options->ndefines; ++i) {
        if (options->defines[i].free.name != NULL) {
            return true;
        }
    }
    for (int64_t i = 0; i < options->nshapes; ++i) {
        const sg_graph_given_shape *given = &options->shapes[i];
        for (int64_t d = 0; given->frees != NULL && d < given->rank; ++d) {
            if (given->frees[d].name != NULL) {
                return true;
            }
        }
    }
    return false;
}

/* The dims of a tensor; its outermost one could be left open, too. */
static void need_dims(sg_infer *infer, sg_infer_wait *wait, const sg_fact *fact,
                      const char *const *names, int64_t count)
{
    sg_arena *arena = infer->arena;
    for (int64_t i = 0; i < count; ++i) {
        add_need(arena, &wait->needs, (sg_infer_need){.what = SG_INFER_DIM, .name = names[i]});
    }
    int64_t outermost = 0;
    while (fact->dims[outermost].kind == SG_FACT_INT && fact->dims[outermost].as.integer == 1) {
        ++outermost;
    }
    if (fact->dims[outermost].kind != SG_FACT_NAME || any_is_open(infer->options)) {
        return;
    }
    const char *name = fact->dims[outermost].as.name;
    const char *way =
        infer->options->in_spec
            ? sg_arena_printf(arena, "%s = free(%s)", quoted_key(arena, name), quoted(arena, name))
            : sg_infer_option(arena, "--free", name, NULL);
    wait->instead = sg_arena_printf(arena, " (or %s: then each call says it)", way);
}

/* The names among the dims, if all others are numbers, and the names are of dims of the model's
 * inputs: not expressions, say, that an exporter made of such names. False: there is none. */
static bool need_names(sg_infer *infer, sg_infer_wait *wait, const sg_fact *fact)
{
    const int64_t rank = fact->has_rank ? fact->rank : 0;
    const char **names = SG_NEW_ARRAY(infer->arena, const char *, rank);
    int64_t count = 0;
    for (int64_t i = 0; i < rank; ++i) {
        const sg_fact_entry dim = fact->dims[i];
        if (dim.kind == SG_FACT_UNKNOWN ||
            (dim.kind == SG_FACT_NAME && sg_nameset_find(&infer->symbols, dim.as.name) == NULL)) {
            return false;
        }
        if (dim.kind == SG_FACT_NAME) {
            names[count++] = dim.as.name;
        }
    }
    if (count > 0) {
        need_dims(infer, wait, fact, names, count);
    }
    return count > 0;
}

/* A name for the open dim of a tensor that no dim of the model has: "n", "n2". */
static const char *open_name(sg_infer *infer, const char *tensor)
{
    sg_nameset *opened = &infer->waits.opened;
    const sg_nameset_entry *entry = sg_nameset_find(opened, tensor);
    int64_t number = entry != NULL ? entry->value : (int64_t)opened->count + 1;
    const char *name = NULL;
    do {
        name = number == 1 ? "n" : sg_arena_printf(infer->arena, "n%" PRId64, number);
        number += sg_nameset_find(&infer->symbols, name) != NULL ? 1 : 0;
    } while (sg_nameset_find(&infer->symbols, name) != NULL);
    if (entry == NULL) {
        sg_nameset_add(opened, tensor, number);
    }
    return name;
}

/* A shape that depends on data is best given with an open dim, if it has one that is not known. */
static void need_data_shape(sg_infer *infer, sg_infer_wait *wait, const sg_fact_cause *cause,
                            bool lacks_type)
{
    sg_arena *arena = infer->arena;
    const sg_fact *fact = cause->fact;
    int64_t unknown = 0;
    for (int64_t i = 0; i < fact->rank; ++i) {
        unknown += fact->dims[i].kind != SG_FACT_INT ? 1 : 0;
    }
    sg_infer_need need = {.what = SG_INFER_SHAPE,
                          .name = cause->tensor,
                          .lacks_dims = true,
                          .lacks_type = lacks_type};
    const char *more = "";
    if (cause->value != NULL) {
        const sg_infer_need value = {.what = SG_INFER_VALUE, .name = cause->value->tensor};
        more = needs_text(infer, &value, 1);
    }
    if (unknown == 1 && !any_is_open(infer->options)) {
        need.known = fact;
        need.open = open_name(infer, cause->tensor);
        wait->instead =
            sg_arena_printf(arena, " (then each call says '%s'; or a number for it%s%s)", need.open,
                            more[0] != '\0' ? ", or " : "", more);
    } else if (more[0] != '\0') {
        wait->instead = sg_arena_printf(arena, " (or %s)", more);
    }
    add_need(arena, &wait->needs, need);
}

static void add_problem(sg_infer *infer, sg_infer_wait *wait, const char *problem,
                        const sg_fact_cause *cause)
{
    wait->problem = joined(infer->arena, wait->problem, ", and ", problem);
    if (cause != NULL && wait->ncauses < SG_INFER_CAUSES) {
        wait->causes[wait->ncauses++] = cause;
    }
}

/* What gives a shape that is not known. */
static void need_shape(sg_infer *infer, sg_infer_wait *wait, const char *tensor,
                       const sg_fact *fact)
{
    const sg_fact_cause *cause = fact->shape_cause;
    const bool lacks_type = fact->dtype == SG_GRAPH_DTYPE_UNKNOWN;
    if (need_names(infer, wait, fact)) {
        return;
    }
    if (cause != NULL && cause->is_value) {
        add_need(infer->arena, &wait->needs,
                 (sg_infer_need){.what = SG_INFER_VALUE, .name = cause->tensor});
        return;
    }
    if (cause != NULL && cause->ndims > 0) {
        need_dims(infer, wait, cause->fact, cause->dims, cause->ndims);
        return;
    }
    const bool untyped = cause == NULL || cause->fact == NULL || cause->tensor == tensor ||
                         cause->fact->dtype == SG_GRAPH_DTYPE_UNKNOWN;
    if (cause != NULL && cause->of_data && cause->fact != NULL) {
        need_data_shape(infer, wait, cause, lacks_type && untyped);
        return;
    }
    add_need(infer->arena, &wait->needs,
             (sg_infer_need){.what = SG_INFER_SHAPE,
                             .name = cause != NULL ? cause->tensor : tensor,
                             .lacks_dims = true,
                             .lacks_type = lacks_type && untyped});
}

void sg_infer_wait_shape(sg_infer *infer, sg_infer_wait *wait, const char *problem,
                         const char *tensor, const sg_fact *fact)
{
    add_problem(infer, wait, problem, fact->shape_cause);
    if (!sg_fact_shape_known(fact)) {
        need_shape(infer, wait, tensor, fact);
    }
    bool lacks_type = fact->dtype == SG_GRAPH_DTYPE_UNKNOWN;
    for (int64_t i = 0; i < wait->needs.count; ++i) {
        lacks_type = lacks_type && !wait->needs.items[i].lacks_type;
    }
    if (lacks_type) {
        add_need(infer->arena, &wait->needs,
                 (sg_infer_need){.what = SG_INFER_SHAPE,
                                 .name = fact->untyped != NULL ? fact->untyped : tensor,
                                 .lacks_type = true});
    }
}

void sg_infer_wait_value(sg_infer *infer, sg_infer_wait *wait, const char *problem,
                         const char *tensor, const sg_fact *fact)
{
    const sg_fact_cause *cause = fact->value_cause;
    add_problem(infer, wait, problem, cause);
    if (cause == NULL || cause->is_value || strcmp(cause->tensor, tensor) == 0) {
        add_need(infer->arena, &wait->needs,
                 (sg_infer_need){.what = SG_INFER_VALUE,
                                 .name = cause != NULL ? cause->tensor : tensor});
    } else if (cause->ndims > 0) {
        need_dims(infer, wait, cause->fact, cause->dims, cause->ndims);
    } else {
        add_need(
            infer->arena, &wait->needs,
            (sg_infer_need){.what = SG_INFER_SHAPE, .name = cause->tensor, .lacks_dims = true});
    }
}

/* --- reporting -------------------------------------------------------------------------------- */

void sg_infer_wait_add(sg_infer *infer, const sg_infer_wait *wait)
{
    sg_infer_waits *waits = &infer->waits;
    const char *needs = needs_text(infer, wait->needs.items, wait->needs.count);
    const sg_nameset_entry *entry = sg_nameset_find(&waits->groups, needs);
    if (entry == NULL) {
        sg_infer_waiting *group = SG_NEW(infer->arena, sg_infer_waiting);
        *group = (sg_infer_waiting){.first = wait, .needs = needs};
        group->names = SG_NEW_ARRAY(infer->arena, const char *, EXCEPTS);
        sg_nameset_add(&waits->groups, needs, waits->count);
        if (waits->count == waits->capacity) {
            enum { FIRST = 16 };
            waits->capacity = waits->capacity == 0 ? FIRST : 2 * waits->capacity;
            sg_infer_waiting **list =
                SG_NEW_ARRAY(infer->arena, sg_infer_waiting *, waits->capacity);
            if (waits->count > 0) {
                memcpy(list, waits->list, (size_t)waits->count * sizeof list[0]);
            }
            waits->list = list;
        }
        waits->list[waits->count++] = group;
        entry = sg_nameset_find(&waits->groups, needs);
    }
    sg_infer_waiting *group = waits->list[entry->value];
    if (group->count < EXCEPTS) {
        group->names[group->count] = wait->name;
    }
    ++group->count;
}

/* Where knowledge ends. */
static void note_cause(const sg_infer *infer, const sg_fact_cause *cause)
{
    const char *kind = cause->is_value ? "value" : "shape";
    const char *maker = cause->node == NULL ? ""
                                            : sg_arena_printf(infer->arena, ", made by %s '%s'",
                                                              cause->node->op_type,
                                                              sg_graph_node_name(cause->node));
    const char *why = cause->reason != NULL ? cause->reason
                      : cause->of_data
                          ? sg_arena_printf(infer->arena, "its %s depends on the data", kind)
                          : "";
    sg_diag_note(infer->diag, cause->span,
                 "the first tensor on the way whose %s is not known is '%s'%s%s%s", kind,
                 cause->tensor, maker, why[0] != '\0' ? ": " : "", why);
}

static void report(const sg_infer *infer, const sg_infer_waiting *group)
{
    const sg_infer_wait *first = group->first;
    const char *split = first->node->op_type;
    if (group->count == 1) {
        (void)sg_diag_error(infer->diag, first->node->span, "%s '%s' %s", split, first->name,
                            first->problem);
    } else {
        (void)sg_diag_error(infer->diag, first->node->span,
                            "%" PRId64 " Splits wait for %s: the first, %s '%s', %s", group->count,
                            group->needs, split, first->name, first->problem);
    }
    for (int64_t i = 0; i < first->ncauses; ++i) {
        note_cause(infer, first->causes[i]);
    }
    const int64_t shown = group->count < EXCEPTS ? group->count : EXCEPTS;
    sg_diag_note(infer->diag, sg_span_none(), "give %s%s, or leave %s out with %s%s", group->needs,
                 first->instead,
                 group->count == 1 ? sg_arena_printf(infer->arena, "this %s", split) : "them",
                 sg_infer_advise_except(infer->arena, infer->options, group->names, shown),
                 shown < group->count ? " and so on" : "");
}

void sg_infer_report_waits(sg_infer *infer)
{
    const sg_infer_waits *waits = &infer->waits;
    const sg_graph_options *options = infer->options;
    sg_infer_needs all = {0};
    for (int64_t i = 0; i < waits->count; ++i) {
        const sg_infer_needs *needs = &waits->list[i]->first->needs;
        report(infer, waits->list[i]);
        for (int64_t n = 0; n < needs->count; ++n) {
            add_need(infer->arena, &all, needs->items[n]);
        }
    }
    if (waits->count > 0 && options->command != NULL && !options->in_spec) {
        sg_diag_note(infer->diag, sg_span_none(), "all that is lacking, in one command: %s %s%s",
                     options->command, needs_text(infer, all.items, all.count),
                     options->command_inputs);
    }
}
