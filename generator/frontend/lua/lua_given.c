/* Reads what a spec says about a model it loads. */
#include "frontend/lua/lua_given.h"

#include <inttypes.h>
#include <string.h>

#include <lauxlib.h>

#include "frontend/lua/lua_field.h"
#include "frontend/lua/lua_value.h"
#include "lua/lua_library.h"
#include "frontend/model/given.h"

/* Reads a dim from the top of the stack: a number or an open dimension. */
static bool read_size(sg_lua_reader *r, const char *word, int64_t entry, sg_span span, int64_t *dim,
                      sg_graph_free *free)
{
    const sg_op_num *value = sg_lua_value_free(r->L, -1);
    if (value == NULL) {
        SG_TRY(sg_lua_field_integer(r, word, entry, span, dim));
        return *dim >= 0 || sg_diag_error(r->host->diag, span, "%s is %lld, but a dim is 0 or more",
                                          sg_lua_field_title(r, word, entry), (long long)*dim);
    }
    const bool alone = value->value == 1 && value->nopen == 1;
    if (!alone || value->open->expected < 1) {
        return sg_diag_error(r->host->diag, span,
                             !alone
                                 ? "%s is %s of an op, but a dim of a model is free(name, expected)"
                                 : "%s is %s, but an expected size is at least 1",
                             sg_lua_field_title(r, word, entry), sg_lua_value_describe(r->L, -1));
    }
    if (value->open->name[0] == '\0') {
        return sg_diag_error(r->host->diag, span, "%s is open, but its name is empty",
                             sg_lua_field_title(r, word, entry));
    }
    *free = (sg_graph_free){value->open->name, value->open->expected};
    *dim = value->open->expected;
    return true;
}

static bool read_dims_of(sg_lua_reader *r, const sg_lua_field_value *v, sg_graph_given_shape *shape)
{
    sg_lua_list l;
    SG_TRY(sg_lua_field_open_list(r, v, "a list of integers", SG_LUA_ADVISE_PARAM, &l));
    sg_meter_reserve(r->L, (size_t)l.count * (sizeof(int64_t) + sizeof(sg_graph_free)));
    sg_graph_free *frees = SG_NEW_ARRAY(r->host->arena, sg_graph_free, l.count);
    shape->dims = SG_NEW_ARRAY(r->host->arena, int64_t, l.count);
    shape->rank = l.count;
    bool ok = true;
    for (int64_t i = 0; i < l.count; i++) {
        lua_rawgeti(r->L, -1, i + 1);
        ok = read_size(r, v->word, i + 1, sg_lua_field_entry_span(&l, i + 1), &shape->dims[i],
                       &frees[i]) &&
             ok;
        shape->frees = frees[i].name != NULL ? frees : shape->frees;
        lua_pop(r->L, 1);
    }
    return ok;
}

static bool read_ints(sg_lua_reader *r, const sg_lua_field_value *v, const int64_t **ints,
                      int64_t *count)
{
    sg_lua_list l;
    SG_TRY(sg_lua_field_open_list(r, v, "a list of integers", SG_LUA_ADVISE_PARAM, &l));
    sg_meter_reserve(r->L, (size_t)l.count * sizeof **ints);
    int64_t *list = SG_NEW_ARRAY(r->host->arena, int64_t, l.count);
    *ints = list;
    *count = l.count;
    bool ok = true;
    for (int64_t i = 0; i < l.count; i++) {
        const sg_span span = sg_lua_field_entry_span(&l, i + 1);
        lua_rawgeti(r->L, -1, i + 1);
        ok = sg_lua_field_integer(r, v->word, i + 1, span, &list[i]) && ok;
        lua_pop(r->L, 1);
    }
    return ok;
}

static sg_span name_span(const sg_lua_field_value *v)
{
    return v->item != NULL ? v->item->key : v->span;
}

static void read_shape(sg_lua_reader *r, const sg_lua_field_value *v, void *context)
{
    sg_graph_options *to = context;
    sg_graph_given_shape shape = {
        .tensor = v->word, .dtype = SG_GRAPH_DTYPE_UNKNOWN, .has_dims = true, .span = name_span(v)};
    if (lua_type(r->L, -1) == LUA_TSTRING) {
        const sg_given_place place = {NULL, v->span, SG_EXIT_INPUT, "shapes"};
        const char *text = NULL;
        r->ok = sg_lua_field_text(r, v->word, 0, v->span, &text) &&
                sg_given_type(r->host->arena, r->host->diag, &place, sg_str_from(text), &shape) &&
                r->ok;
    } else {
        r->ok = read_dims_of(r, v, &shape) && r->ok;
    }
    to->said.shapes[to->said.nshapes++] = shape;
}

static void read_model_value(sg_lua_reader *r, const sg_lua_field_value *v, void *context)
{
    sg_graph_options *to = context;
    sg_graph_given_value value = {.tensor = v->word, .span = name_span(v)};
    r->ok = read_ints(r, v, &value.values, &value.count) && r->ok;
    to->said.values[to->said.nvalues++] = value;
}

static void read_dim(sg_lua_reader *r, const sg_lua_field_value *v, void *context)
{
    sg_graph_options *to = context;
    sg_graph_define dim = {.name = v->word, .span = name_span(v)};
    r->ok = read_size(r, v->word, 0, v->span, &dim.value, &dim.free) && r->ok;
    to->said.defines[to->said.ndefines++] = dim;
}

/* Allocates an array for the entries of a table of tensors or dims, `bytes` each. Returns NULL if
 * the value is not a table, which is reported. */
static void *open_map(sg_lua_reader *r, const sg_lua_field_value *v, const char *example,
                      size_t bytes)
{
    if (sg_lua_value_unknown(r->L, -1)) {
        return NULL;
    }
    if (!lua_istable(r->L, -1)) {
        (void)sg_diag_error(r->host->diag, v->span, "'%s' must be a table, as in %s = %s, not %s",
                            v->word, v->word, example, sg_lua_value_describe(r->L, -1));
        return NULL;
    }
    size_t count = 0;
    for (lua_pushnil(r->L); lua_next(r->L, -2) != 0; lua_pop(r->L, 1)) {
        count++;
    }
    sg_meter_reserve(r->L, count * bytes);
    return sg_arena_array(r->host->arena, count, bytes);
}

static bool read_map(sg_lua_reader *r, const sg_lua_field_value *v, sg_lua_field_visit visit)
{
    sg_lua_table table;
    sg_lua_reader inner = sg_lua_field_inner(r, v, sg_lua_field_title(r, v->word, 0), &table);
    sg_lua_field_each(&inner, visit, r->target);
    return inner.ok;
}

static bool read_shapes(sg_lua_reader *r, const sg_lua_field *f, const sg_lua_field_value *v)
{
    (void)f;
    sg_graph_options *to = r->target;
    to->said.shapes = open_map(r, v, "{ images = {1, 3, 224, 224} }", sizeof to->said.shapes[0]);
    return to->said.shapes != NULL && read_map(r, v, read_shape);
}

static bool read_values(sg_lua_reader *r, const sg_lua_field *f, const sg_lua_field_value *v)
{
    (void)f;
    sg_graph_options *to = r->target;
    to->said.values = open_map(r, v, "{ sizes = {2, 4} }", sizeof to->said.values[0]);
    return to->said.values != NULL && read_map(r, v, read_model_value);
}

static bool read_dims(sg_lua_reader *r, const sg_lua_field *f, const sg_lua_field_value *v)
{
    (void)f;
    sg_graph_options *to = r->target;
    to->said.defines = open_map(r, v, "{ N = 8 }", sizeof to->said.defines[0]);
    return to->said.defines != NULL && read_map(r, v, read_dim);
}

/* Reads an entry of `open`, whose key and value are on top of the stack: "N", or N = 64. */
static bool read_open_dim(sg_lua_reader *r, const sg_lua_field_value *v, sg_graph_define *dim)
{
    lua_State *L = r->L;
    const bool named = lua_type(L, -2) == LUA_TSTRING;
    const int name = named ? -2 : -1;
    *dim = (sg_graph_define){.value = 1, .span = v->span};
    if (lua_type(L, name) != LUA_TSTRING || lua_rawlen(L, name) == 0 ||
        (named && lua_type(L, -1) != LUA_TNUMBER)) {
        return sg_diag_error(
            r->host->diag, v->span,
            "'open' has %s among its dims, each of which is a name, \"N\", or a name "
            "and the number that is expected, N = 64",
            sg_lua_value_describe(L, -1));
    }
    dim->name = sg_arena_strdup(r->host->arena, lua_tostring(L, name));
    if (named) {
        SG_TRY(sg_lua_field_integer(r, dim->name, 0, v->span, &dim->value));
    }
    dim->free = (sg_graph_free){dim->name, dim->value};
    return dim->value >= 1 || sg_diag_error(r->host->diag, v->span,
                                            "the expected size of '%s' is %" PRId64 ", but must be "
                                            "at least 1",
                                            dim->name, dim->value);
}

/* Appends the dim to those of `dims`. It must not be among them. */
static bool add_open_dim(sg_lua_reader *r, const sg_graph_define *dim)
{
    sg_graph_options *to = r->target;
    for (int64_t i = 0; i < to->said.ndefines; i++) {
        if (strcmp(to->said.defines[i].name, dim->name) == 0) {
            (void)sg_diag_error(r->host->diag, dim->span, "the dim '%s' is given twice", dim->name);
            sg_diag_note(r->host->diag, to->said.defines[i].span, "it is given here as well");
            return false;
        }
    }
    to->said.defines[to->said.ndefines++] = *dim;
    return true;
}

/* Makes room for the entries of the table on top of the stack, after those of `dims`. */
static void reserve_dims(sg_lua_reader *r)
{
    sg_graph_options *to = r->target;
    const sg_graph_define *before = to->said.defines;
    int64_t count = to->said.ndefines;
    for (lua_pushnil(r->L); lua_next(r->L, -2) != 0; lua_pop(r->L, 1)) {
        count++;
    }
    sg_meter_reserve(r->L, (size_t)count * sizeof to->said.defines[0]);
    to->said.defines = SG_NEW_ARRAY(r->host->arena, sg_graph_define, count);
    if (to->said.ndefines > 0) {
        memcpy(to->said.defines, before, (size_t)to->said.ndefines * sizeof to->said.defines[0]);
    }
}

/* Reads the entries of the table on top of the stack in the order of their keys. */
static bool read_open_dims(sg_lua_reader *r, const sg_lua_field_value *v)
{
    lua_State *L = r->L;
    bool ok = true;
    reserve_dims(r);
    lua_pushcfunction(L, sg_lua_order_pairs);
    lua_pushvalue(L, -2);
    lua_call(L, 1, 1);
    for (;;) {
        lua_pushvalue(L, -1);
        lua_call(L, 0, 2);
        if (lua_isnil(L, -2)) {
            lua_pop(L, 3);
            return ok;
        }
        sg_graph_define dim;
        ok = read_open_dim(r, v, &dim) && add_open_dim(r, &dim) && ok;
        lua_pop(L, 2);
    }
}

/* `open` is true, for every dim without a number, or a table of dims. Must be read after `dims`. */
static bool read_open(sg_lua_reader *r, const sg_lua_field *f, const sg_lua_field_value *v)
{
    (void)f;
    sg_graph_options *to = r->target;
    if (lua_isboolean(r->L, -1)) {
        to->said.open = lua_toboolean(r->L, -1);
        return true;
    }
    if (sg_lua_value_unknown(r->L, -1)) {
        return false;
    }
    if (lua_istable(r->L, -1)) {
        return read_open_dims(r, v);
    }
    return sg_diag_error(r->host->diag, v->span,
                         "'open' must be true or a table of dims, as in open = { \"N\", M = 64 }, "
                         "not %s",
                         sg_lua_value_describe(r->L, -1));
}

static bool read_globs(sg_lua_reader *r, const sg_lua_field_value *v, sg_graph_glob **globs,
                       int64_t *count)
{
    sg_lua_list l;
    SG_TRY(sg_lua_field_open_list(r, v, "a list of names", SG_LUA_ADVISE_QUOTES, &l));
    sg_meter_reserve(r->L, (size_t)l.count * sizeof **globs);
    *globs = SG_NEW_ARRAY(r->host->arena, sg_graph_glob, l.count);
    *count = l.count;
    bool ok = true;
    for (int64_t i = 0; i < l.count; i++) {
        sg_graph_glob *glob = &(*globs)[i];
        glob->text = "";
        glob->span = sg_lua_field_entry_span(&l, i + 1);
        lua_rawgeti(r->L, -1, i + 1);
        ok = sg_lua_field_text(r, v->word, i + 1, glob->span, &glob->text) && ok;
        lua_pop(r->L, 1);
    }
    return ok;
}

static bool read_only(sg_lua_reader *r, const sg_lua_field *f, const sg_lua_field_value *v)
{
    (void)f;
    sg_graph_options *to = r->target;
    return read_globs(r, v, &to->only, &to->nonly);
}

static bool read_except(sg_lua_reader *r, const sg_lua_field *f, const sg_lua_field_value *v)
{
    (void)f;
    sg_graph_options *to = r->target;
    return read_globs(r, v, &to->except, &to->nexcept);
}

/* The words of --ops. */
static const char *const ops_words[] = {
#define X(id, word, what) word,
    SG_GRAPH_OPS(X)
#undef X
};

static bool read_ops_word(sg_lua_reader *r, const sg_lua_field_value *v, int64_t entry,
                          sg_span span, uint32_t *ops)
{
    const char *text = NULL;
    SG_TRY(sg_lua_field_text(r, v->word, entry, span, &text));
    const char *all = "";
    for (int w = 0; w < (int)SG_GRAPH_OPS_COUNT; w++) {
        if (strcmp(text, ops_words[w]) == 0) {
            *ops |= UINT32_C(1) << w;
            return true;
        }
        all = sg_arena_printf(r->host->arena, "%s%s'%s'", all, w > 0 ? ", " : "", ops_words[w]);
    }
    const char *near = sg_suggest(sg_str_from(text), ops_words, SG_GRAPH_OPS_COUNT);
    return sg_diag_error(
        r->host->diag, span, "%s is '%s', but it takes %s%s", sg_lua_field_title(r, v->word, entry),
        text, all,
        near == NULL ? "" : sg_arena_printf(r->host->arena, "; did you mean '%s'?", near));
}

static bool read_ops(sg_lua_reader *r, const sg_lua_field *f, const sg_lua_field_value *v)
{
    (void)f;
    sg_graph_options *to = r->target;
    sg_lua_list l;
    SG_TRY(sg_lua_field_open_list(r, v, "a list of words", SG_LUA_ADVISE_QUOTES, &l));
    bool ok = true;
    for (int64_t i = 0; i < l.count; i++) {
        lua_rawgeti(r->L, -1, i + 1);
        ok = read_ops_word(r, v, i + 1, sg_lua_field_entry_span(&l, i + 1), &to->ops) && ok;
        lua_pop(r->L, 1);
    }
    return ok;
}

static bool read_skip_unresolved(sg_lua_reader *r, const sg_lua_field *f,
                                 const sg_lua_field_value *v)
{
    (void)f;
    sg_graph_options *to = r->target;
    if (sg_lua_value_unknown(r->L, -1)) {
        return false;
    }
    to->skip_unresolved = lua_toboolean(r->L, -1);
    return lua_isboolean(r->L, -1) ||
           sg_diag_error(r->host->diag, v->span, "'skip_unresolved' is true or false, not %s",
                         sg_lua_value_describe(r->L, -1));
}

/* Reports a dim or a tensor that is written among the fields. */
static bool report_bare(sg_lua_reader *r, const sg_lua_field *known, const char *name, sg_span span)
{
    (void)known;
    const char *key = sg_str_is_ident(sg_str_from(name))
                          ? name
                          : sg_arena_printf(r->host->arena, "[\"%s\"]", name);
    const bool is_dim = lua_isinteger(r->L, -1) || sg_lua_value_free(r->L, -1) != NULL;
    const bool is_shape = lua_istable(r->L, -1) && lua_rawlen(r->L, -1) > 0;
    if (is_dim && lua_isinteger(r->L, -1)) {
        return !sg_diag_error(r->host->diag, span,
                              "unknown field '%s' in %s; if it is a dim, write dims = { %s = %s }",
                              name, r->title, key, sg_lua_value_describe(r->L, -1));
    }
    return (is_dim || is_shape) &&
           !sg_diag_error(r->host->diag, span,
                          "unknown field '%s' in %s; if it is a %s, write %s = { %s = ... }", name,
                          r->title, is_dim ? "dim" : "tensor", is_dim ? "dims" : "shapes", key);
}

static const sg_lua_field fields[] = {
    {"shapes", read_shapes, 0, SG_LUA_ADVISE_NOTHING},
    {"dims", read_dims, 0, SG_LUA_ADVISE_NOTHING},
    {"open", read_open, 0, SG_LUA_ADVISE_NOTHING},
    {"values", read_values, 0, SG_LUA_ADVISE_NOTHING},
    {"only", read_only, 0, SG_LUA_ADVISE_NOTHING},
    {"except", read_except, 0, SG_LUA_ADVISE_NOTHING},
    {"ops", read_ops, 0, SG_LUA_ADVISE_QUOTES},
    {"skip_unresolved", read_skip_unresolved, 0, SG_LUA_ADVISE_NOTHING},
    {NULL, NULL, 0, SG_LUA_ADVISE_NOTHING}};

void sg_lua_given_read(lua_State *L, int index, const sg_lua_site *site, const char *title,
                       sg_graph_options *to)
{
    *to = (sg_graph_options){.in_spec = true, .alone = true};
    if (lua_isnoneornil(L, index)) {
        return;
    }
    sg_lua_reader r = {.L = L,
                       .host = sg_lua_host_of(L),
                       .target = to,
                       .title = title,
                       .report = report_bare,
                       .text = site->text,
                       .fallback = site->call,
                       .ok = true};
    sg_lua_table table;
    if (site->second > 0) {
        const sg_lua_item written = {.first = site->second,
                                     .last = sg_lua_scan_close(site->text, site->second) + 1};
        r.literal = sg_lua_site_nested(L, site->text, &written, index, &table) ? &table : NULL;
    }
    lua_pushvalue(L, index);
    sg_lua_field_read(&r, fields);
    lua_pop(L, 1);
    if (!r.ok) {
        sg_lua_raise_reported(L, site->call);
    }
}
