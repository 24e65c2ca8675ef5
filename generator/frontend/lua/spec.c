/* Runs a spec and collects the ops that it returns. */
#include "frontend/lua/spec.h"

#include <inttypes.h>
#include <string.h>

#include <lauxlib.h>

#include "frontend/lua/lua_box.h"
#include "frontend/lua/lua_run.h"
#include "frontend/lua/lua_site.h"
#include "frontend/lua/lua_value.h"
#include "frontend/lua/lua_vocabulary.h"
#include "split/names.h"

/* The return statement, and the list in it if it is written as a literal. */
typedef struct returned {
    sg_span span;
    bool literal;
    sg_lua_table table;
} returned;

static returned find_return(lua_State *L, const sg_lua_host *host)
{
    returned r = {0};
    size_t first;
    size_t last;
    const sg_lua_text *text = host->main->tokens;
    bool found = sg_lua_scan_return(text, host->return_line, &first, &last);
    if (!found) {
        size_t line = host->return_line > 0 ? host->return_line : 1;
        r.span = sg_lua_scan_line(host->main->source, line);
        return r;
    }
    r.span = sg_lua_scan_span(text, first, last);
    sg_lua_item value = {.first = first + 1, .last = last};
    r.literal = lua_gettop(L) == 1 && lua_istable(L, 1) && last > first + 1 &&
                sg_lua_site_nested(L, text, &value, 1, &r.table);
    return r;
}

static sg_span entry_span(const returned *r, int64_t entry)
{
    const sg_lua_item *item = r->literal ? sg_lua_site_element(&r->table, entry) : NULL;
    return item != NULL ? item->value : r->span;
}

/* What to write instead of a value that is not an op. */
static const char *advice(lua_State *L, int index)
{
    switch (lua_type(L, index)) {
    case LUA_TSTRING:
        return "; a notation is written split \"...\"";
    case LUA_TTABLE:
        return "; write split { ... }";
    case LUA_TFUNCTION:
        return "; call it";
    default:
        return "";
    }
}

/* The name of an op that the user did not name, from the spec's file and its position in the
 * list. */
static const char *default_name(const sg_lua_host *host, int64_t count, int64_t entry)
{
    const char *stem = sg_name_from_path(host->arena, host->spec->name);
    /* names with "__" are reserved */
    const char *between = stem[strlen(stem) - 1] == '_' ? "" : "_";
    return count == 1 ? stem : sg_arena_printf(host->arena, "%s%s%" PRId64, stem, between, entry);
}

/* Sets the op's name in diagnostics, including those already collected. */
static void name_subject(const sg_lua_host *host, const sg_op *op, int64_t count, int64_t entry)
{
    if (op->subject->name == NULL) {
        op->subject->name = op->name.present ? op->name.text : default_name(host, count, entry);
    }
}

/* Checks the entry on top of the stack, one of `count`. */
static bool take_entry(lua_State *L, sg_lua_host *host, int64_t count, int64_t entry, sg_span span,
                       const sg_op **op)
{
    bool ok;
    if (sg_lua_box_op(L, -1, op, &ok)) {
        if (*op != NULL) {
            name_subject(host, *op, count, entry);
        }
        return ok;
    }
    if (sg_lua_value_unknown(L, -1)) {
        return false;
    }
    const sg_op *inner;
    bool nested = lua_istable(L, -1) && lua_rawlen(L, -1) > 0;
    if (nested) {
        lua_rawgeti(L, -1, 1);
        nested = sg_lua_box_op(L, -1, &inner, &ok);
        lua_pop(L, 1);
    }
    if (nested) {
        return sg_diag_error(host->diag, span,
                             "entry %" PRId64 " of the returned list is a list itself; a spec "
                             "returns one flat list of ops",
                             entry);
    }
    return sg_diag_error(host->diag, span,
                         "entry %" PRId64 " of the returned list is %s, not an op%s", entry,
                         sg_lua_value_describe(L, -1), advice(L, -1));
}

/* Fills `taken` with the ops of the list at index 1; NULL for an entry with an error. */
static int64_t take_list(lua_State *L, sg_lua_host *host, const returned *r, const sg_op ***taken)
{
    const char *problem = NULL;
    int64_t missing = 0;
    int64_t count = sg_lua_value_sequence(L, 1, &problem, &missing);
    if (count < 0) {
        sg_diag_error(host->diag, missing > 0 ? entry_span(r, missing) : r->span,
                      "the returned list %s%s", problem,
                      missing > 0 ? "" : "; was split { ... } meant?");
        return 0;
    }
    if (count == 0) {
        sg_diag_error(host->diag, r->span, "the returned list is empty; return one op or more");
        return 0;
    }
    *taken = SG_NEW_ARRAY(host->arena, const sg_op *, count);
    for (int64_t i = 0; i < count; i++) {
        lua_rawgeti(L, 1, i + 1);
        if (!take_entry(L, host, count, i + 1, entry_span(r, i + 1), &(*taken)[i])) {
            (*taken)[i] = NULL;
        }
        lua_pop(L, 1);
    }
    return count;
}

static int64_t take_returned(lua_State *L, sg_lua_host *host, const sg_op ***taken)
{
    returned r = find_return(L, host);
    int n = lua_gettop(L);
    if (n > 1) {
        sg_diag_error(host->diag, r.span,
                      "the spec returns %d values; put them into a list: return { ... }", n);
        return 0;
    }
    if (n == 0 || lua_isnil(L, 1)) {
        sg_diag_error(host->diag, r.span,
                      "the spec returns nothing; return one op or a list of ops: return split { "
                      "... }");
        return 0;
    }
    const sg_op *op = NULL;
    bool ok;
    if (sg_lua_box_op(L, 1, &op, &ok)) {
        *taken = SG_NEW_ARRAY(host->arena, const sg_op *, 1);
        if (op != NULL) {
            name_subject(host, op, 1, 1);
        }
        (*taken)[0] = ok ? op : NULL;
        return 1;
    }
    if (sg_lua_value_unknown(L, 1)) {
        return 0;
    }
    if (lua_istable(L, 1)) {
        return take_list(L, host, &r, taken);
    }
    sg_diag_error(host->diag, r.span, "the spec returns %s, not an op or a list of ops%s",
                  sg_lua_value_describe(L, 1), advice(L, 1));
    return 0;
}

/* The data of the protected body. The host comes first, because sg_lua_host_of() casts a pointer to
 * the struct. */
typedef struct run {
    sg_lua_host host;
    const sg_op **taken;
    int64_t count;
} run;

static int body(lua_State *L)
{
    run *r = (run *)sg_lua_host_of(L);
    sg_lua_vocabulary_open(L);
    r->host.main = sg_lua_host_load(&r->host, r->host.spec);
    lua_call(L, 0, LUA_MULTRET);
    r->count = take_returned(L, &r->host, &r->taken);
    return 0;
}

static void append_ops(const run *r, sg_op_array *ops)
{
    sg_arena *arena = r->host.arena;
    for (int64_t i = 0; i < r->count; i++) {
        if (r->taken[i] == NULL) {
            continue;
        }
        sg_op *op = sg_op_new(arena, ops, r->taken[i]->kind, r->taken[i]->span);
        *op = *r->taken[i];
        op->default_name = default_name(&r->host, r->count, i + 1);
    }
}

/* For each -D that the spec did not read, stores the parameter that was probably meant. */
static void suggest_params(const run *r)
{
    const sg_spec_options *options = r->host.options;
    const char **names = SG_NEW_ARRAY(r->host.arena, const char *, r->host.nparams);
    size_t count = r->host.nparams;
    for (const sg_lua_param *p = r->host.params; p != NULL; p = p->next) {
        names[--count] = p->name;
    }
    for (size_t i = 0; i < options->ndefines; i++) {
        sg_define *define = &options->defines[i];
        if (!define->used && define->meant == NULL) {
            define->meant = sg_suggest(sg_str_from(define->name), names, r->host.nparams);
        }
    }
}

bool sg_spec_load(sg_arena *arena, sg_diag *diag, const sg_source *spec,
                  const sg_spec_options *options, sg_file_list *files, sg_op_array *ops)
{
    size_t errors = diag->errors;
    run r = {0};
    r.host.spec = spec;
    r.host.arena = arena;
    r.host.diag = diag;
    r.host.options = options;
    r.host.files = files;
    r.host.meter.max_steps = options->max_steps > 0 ? options->max_steps : SG_SPEC_DEFAULT_STEPS;
    r.host.meter.max_steps =
        r.host.meter.max_steps < INT64_MAX / 4 ? r.host.meter.max_steps : INT64_MAX / 4;
    r.host.meter.max_memory =
        options->max_memory > 0 ? options->max_memory : SG_SPEC_DEFAULT_MEMORY;
    const char *rule = sg_diag_set_rule(diag, "spec");
    bool ok = sg_lua_host_open(&r.host) && sg_lua_host_run(&r.host, body);
    sg_lua_host_close(&r.host);
    if (ok) {
        append_ops(&r, ops);
    }
    suggest_params(&r);
    sg_diag_set_subject(diag, NULL);
    sg_diag_set_rule(diag, rule);
    return ok && diag->errors == errors;
}

void sg_spec_warn_unused(sg_diag *diag, const sg_spec_options *options)
{
    const char *rule = sg_diag_set_rule(diag, "param");
    for (size_t i = 0; i < options->ndefines; i++) {
        const sg_define *define = &options->defines[i];
        if (!define->used && define->meant != NULL) {
            sg_diag_warn(diag, define->span,
                         "no input has a parameter or dim '%s'; did you mean '%s'?", define->name,
                         define->meant);
        }
    }
    sg_diag_set_rule(diag, rule);
}

void sg_spec_library(sg_buf *out)
{
    sg_buf_addz(out, LUA_RELEASE);
}
