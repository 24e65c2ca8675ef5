/* Turns Lua values into the fields of an op, with a message for every value of the wrong type. */
#include "frontend/lua/lua_field.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <lauxlib.h>

#include "frontend/lua/lua_frame.h"
#include "frontend/lua/lua_host.h"
#include "frontend/lua/lua_sandbox.h"
#include "frontend/lua/lua_value.h"
#include "lua/lua_library.h"

/* What other libraries call our fields, and how they do; the field is chosen by the op's kind. */
typedef enum meaning { MEANS_AXIS, MEANS_LENGTHS, MEANS_PARTS, MEANS_EITHER, MEANS_DTYPE } meaning;

static const struct {
    const char *word;
    const char *whose; /* "" where it is the field of another constructor */
    meaning means;
} foreign[] = {
    {"dim", "PyTorch's", MEANS_AXIS},
    {"chunks", "PyTorch's", MEANS_PARTS},
    {"split_size", "PyTorch's", MEANS_EITHER},
    {"split_size_or_sections", "PyTorch's", MEANS_EITHER},
    {"split_sizes", "PyTorch's", MEANS_LENGTHS},
    {"sections", "NumPy's", MEANS_EITHER},
    {"indices_or_sections", "NumPy's", MEANS_EITHER},
    {"num_or_size_splits", "TensorFlow's", MEANS_EITHER},
    {"num_split", "TensorFlow's", MEANS_PARTS},
    {"size_splits", "TensorFlow's", MEANS_LENGTHS},
    {"type", "", MEANS_DTYPE},
    {"elem_type", "ONNX'", MEANS_DTYPE},
    {"element_type", "OpenVINO's", MEANS_DTYPE},
    {"sizes", "", MEANS_LENGTHS},
    {"lengths", "", MEANS_LENGTHS},
    {"split", "", MEANS_LENGTHS},
    {"split_lengths", "", MEANS_LENGTHS},
    {"parts", "", MEANS_PARTS},
    {"num_outputs", "", MEANS_PARTS},
    {"num_splits", "", MEANS_PARTS},
};

typedef enum field_kind {
    FIELD_TEXT,
    FIELD_INT,
    FIELD_AXIS,
    FIELD_LIST,
    FIELD_OUTPUTS,
    FIELD_DATA
} field_kind;

typedef struct field {
    const char *word;
    field_kind kind;
    size_t offset; /* in sg_op */
} field;

#define TEXT(word, member)                                                                         \
    {                                                                                              \
        word, FIELD_TEXT, offsetof(sg_op, member)                                                  \
    }
#define INT(word, member)                                                                          \
    {                                                                                              \
        word, FIELD_INT, offsetof(sg_op, member)                                                   \
    }
#define LIST(word, member)                                                                         \
    {                                                                                              \
        word, FIELD_LIST, offsetof(sg_op, member)                                                  \
    }
#define AXIS                                                                                       \
    {                                                                                              \
        "axis", FIELD_AXIS, offsetof(sg_op, axis)                                                  \
    }
#define OUTPUTS                                                                                    \
    {                                                                                              \
        "outputs", FIELD_OUTPUTS, offsetof(sg_op, outputs)                                         \
    }
#define DATA                                                                                       \
    {                                                                                              \
        "data", FIELD_DATA, 0                                                                      \
    }
#define END                                                                                        \
    {                                                                                              \
        NULL, FIELD_TEXT, 0                                                                        \
    }

static const field split_fields[] = {TEXT("name", name),
                                     TEXT("dtype", dtype),
                                     LIST("shape", shape),
                                     AXIS,
                                     LIST("lengths", lengths),
                                     INT("parts", parts),
                                     OUTPUTS,
                                     INT("align", align),
                                     TEXT("packing", packing),
                                     END};

static const field onnx_fields[] = {TEXT("name", name),
                                    INT("opset", opset),
                                    DATA,
                                    AXIS,
                                    LIST("split", lengths),
                                    INT("num_outputs", parts),
                                    OUTPUTS,
                                    INT("align", align),
                                    TEXT("packing", packing),
                                    END};

static const field openvino_fields[] = {TEXT("name", name),       DATA,    AXIS,
                                        INT("num_splits", parts), OUTPUTS, INT("align", align),
                                        TEXT("packing", packing), END};

static const field variadic_fields[] = {TEXT("name", name),
                                        DATA,
                                        AXIS,
                                        LIST("split_lengths", lengths),
                                        OUTPUTS,
                                        INT("align", align),
                                        TEXT("packing", packing),
                                        END};

static const field data_fields[] = {TEXT("dtype", dtype), LIST("shape", shape), END};

static const field *const fields_of[] = {[SG_OP_SPLIT] = split_fields,
                                         [SG_OP_ONNX_SPLIT] = onnx_fields,
                                         [SG_OP_OPENVINO_SPLIT] = openvino_fields,
                                         [SG_OP_OPENVINO_VARIADIC] = variadic_fields};

/* A table being read and what is known of its text. */
typedef struct reader {
    lua_State *L;
    sg_lua_host *host;
    sg_op *op;
    const char *title; /* "split", "onnx.Split", "data" */
    const sg_lua_text *text;
    const sg_lua_table *literal; /* NULL: not written as a literal */
    sg_span fallback;
    bool ok;
} reader;

/* A field being read; its value is on top of the stack. */
typedef struct value {
    const char *word;
    const sg_lua_item *item;
    sg_span span;
} value;

/* "'axis'", "entry 2 of 'shape'" */
static const char *title_of(reader *r, const char *word, int64_t entry)
{
    return entry > 0 ? sg_arena_printf(r->host->arena, "entry %" PRId64 " of '%s'", entry, word)
                     : sg_arena_printf(r->host->arena, "'%s'", word);
}

/* Reads the integer on top of the stack, which is a field or one of its entries, from 1. */
static bool read_integer(reader *r, const char *word, int64_t entry, sg_span span, int64_t *out)
{
    enum { index = -1 };
    lua_State *L = r->L;
    if (sg_lua_value_unknown(L, index)) {
        return false;
    }
    if (lua_type(L, index) != LUA_TNUMBER) {
        return sg_diag_error(r->host->diag, span, "%s must be an integer, not %s",
                             title_of(r, word, entry), sg_lua_value_describe(L, index));
    }
    lua_Number number = lua_tonumber(L, index);
    int exact = 0;
    *out = lua_tointegerx(L, index, &exact);
    if (!exact && isfinite(number) && floor(number) == number) {
        return sg_diag_error(r->host->diag, span, "%s is %s, which does not fit 64 bits",
                             title_of(r, word, entry), sg_lua_value_describe(L, index));
    }
    if (!exact) {
        return sg_diag_error(r->host->diag, span, "%s must be an integer, not %s",
                             title_of(r, word, entry), sg_lua_value_describe(L, index));
    }
    return true;
}

/* The same for a text. */
static bool read_text(reader *r, const char *word, int64_t entry, sg_span span, const char **out)
{
    enum { index = -1 };
    lua_State *L = r->L;
    if (sg_lua_value_unknown(L, index)) {
        return false;
    }
    if (lua_type(L, index) != LUA_TSTRING) {
        return sg_diag_error(r->host->diag, span, "%s must be a string, not %s",
                             title_of(r, word, entry), sg_lua_value_describe(L, index));
    }
    size_t len;
    const char *text = lua_tolstring(L, index, &len);
    if (strlen(text) != len) {
        return sg_diag_error(r->host->diag, span, "%s contains a zero byte",
                             title_of(r, word, entry));
    }
    *out = sg_arena_strndup(r->host->arena, text, len);
    return true;
}

/* The elements of a list as far as they are written out. */
typedef struct list {
    int64_t count;
    bool literal;
    sg_lua_table table;
    sg_span span;
} list;

static sg_span element_span(const list *l, int64_t index)
{
    const sg_lua_item *item = l->literal ? sg_lua_site_element(&l->table, index) : NULL;
    if (item == NULL && l->literal && l->table.count > 0) {
        /* Values beyond the text come from a last item that expands. */
        const sg_lua_item *last = &l->table.items[l->table.count - 1];
        item = last->index > 0 && last->index < index ? last : NULL;
    }
    return item != NULL ? item->value : l->span;
}

/* The name that is all an item's value consists of. */
static bool is_name(const reader *r, const sg_lua_item *item, sg_str *name)
{
    if (item->last != item->first + 1 || r->text->tokens[item->first].kind != SG_LUA_NAME) {
        return false;
    }
    *name = sg_lua_scan_word(r->text, item->first);
    return true;
}

/* How to write what may have been meant. */
typedef enum advice { ADVISE_NOTHING, ADVISE_PARAM, ADVISE_QUOTES } advice;

/* Reports an item that is nil because the name it consists of means nothing: Lua takes such a name
 * for nil, so that a field or a last entry would silently not be there. */
static bool report_undefined(reader *r, const char *title, const sg_lua_item *item, advice how)
{
    sg_str name;
    if (!is_name(r, item, &name) || !sg_lua_frame_undefined(r->L, name)) {
        return false;
    }
    int len = (int)name.len;
    if (how == ADVISE_PARAM) {
        sg_diag_error(
            r->host->diag, item->value,
            "%s is '%.*s', which is not defined; a value that -D %.*s=... sets is written "
            "param(\"%.*s\")",
            title, len, name.ptr, len, name.ptr, len, name.ptr);
    } else if (how == ADVISE_NOTHING) {
        sg_diag_error(r->host->diag, item->value, "%s is '%.*s', which is not defined", title, len,
                      name.ptr);
    } else {
        sg_diag_error(r->host->diag, item->value,
                      "%s is '%.*s', which is not defined; a text is written \"%.*s\"", title, len,
                      name.ptr, len, name.ptr);
    }
    return true;
}

/* The same for the entries of a list; true if there was any. */
static bool report_undefined_entries(reader *r, const value *v, const list *l, advice how)
{
    bool any = false;
    for (size_t i = 0; l->literal && i < l->table.count; i++) {
        const sg_lua_item *item = &l->table.items[i];
        if (item->index > 0) {
            bool nil = lua_rawgeti(r->L, -1, item->index) == LUA_TNIL;
            lua_pop(r->L, 1);
            any = (nil && report_undefined(r, title_of(r, v->word, item->index), item, how)) || any;
        }
    }
    return any;
}

/* Opens the list on top of the stack. */
static bool open_list(reader *r, const value *v, const char *wanted, advice how, list *out)
{
    lua_State *L = r->L;
    const char *problem = NULL;
    int64_t entry = 0;
    *out = (list){.span = v->span};
    if (sg_lua_value_unknown(L, -1)) {
        return false;
    }
    if (!lua_istable(L, -1)) {
        return sg_diag_error(r->host->diag, v->span, "'%s' must be %s, not %s", v->word, wanted,
                             sg_lua_value_describe(L, -1));
    }
    out->literal =
        v->item != NULL && sg_lua_site_nested(L, r->text, v->item, lua_gettop(L), &out->table);
    if (report_undefined_entries(r, v, out, how)) {
        return false;
    }
    out->count = sg_lua_value_sequence(L, -1, &problem, &entry);
    if (out->count < 0) {
        sg_span span = entry > 0 ? element_span(out, entry) : v->span;
        return sg_diag_error(r->host->diag, span, "'%s' %s", v->word, problem);
    }
    return true;
}

static bool read_list(reader *r, const value *v, sg_op_list *out)
{
    list l;
    if (!open_list(r, v, "a list of integers", ADVISE_PARAM, &l)) {
        return false;
    }
    bool ok = true;
    sg_meter_reserve(r->L, (size_t)l.count * sizeof(sg_op_num));
    sg_op_num *items = SG_NEW_ARRAY(r->host->arena, sg_op_num, l.count);
    for (int64_t i = 0; i < l.count; i++) {
        items[i].span = element_span(&l, i + 1);
        lua_rawgeti(r->L, -1, i + 1);
        ok = read_integer(r, v->word, i + 1, items[i].span, &items[i].value) && ok;
        lua_pop(r->L, 1);
    }
    *out = (sg_op_list){.present = ok, .items = items, .count = l.count, .span = l.span};
    return ok;
}

/* A number, or a list whose length resolve judges. */
static bool read_axis(reader *r, const value *v)
{
    sg_op *op = r->op;
    op->axis.span = v->span;
    op->axis_count = 1;
    if (!lua_istable(r->L, -1)) {
        op->axis.present = read_integer(r, "axis", 0, v->span, &op->axis.value);
        return op->axis.present;
    }
    sg_op_list entries = {0};
    if (!read_list(r, v, &entries)) {
        return false;
    }
    op->axis.present = true;
    op->axis.value = entries.count > 0 ? entries.items[0].value : 0;
    if (entries.count == 1) {
        op->axis.span = entries.items[0].span;
    }
    op->axis_rank = 1;
    op->axis_count = entries.count;
    return true;
}

static bool read_output(reader *r, int64_t number, sg_op_output *out)
{
    lua_State *L = r->L;
    if (lua_type(L, -1) == LUA_TBOOLEAN && !lua_toboolean(L, -1)) {
        return true;
    }
    if (lua_type(L, -1) != LUA_TSTRING && !sg_lua_value_unknown(L, -1)) {
        return sg_diag_error(r->host->diag, out->span,
                             "%s must be a name, or false for a part that is not wanted, not %s",
                             title_of(r, "outputs", number), sg_lua_value_describe(L, -1));
    }
    if (!read_text(r, "outputs", number, out->span, &out->name)) {
        return false;
    }
    if (out->name[0] == '\0' || strcmp(out->name, "_") == 0) {
        out->name = NULL;
        return true;
    }
    out->wanted = true;
    return true;
}

static bool read_outputs(reader *r, const value *v)
{
    enum { MOST_PER_NAME = 64 }; /* longer ones are rare */
    sg_op_outputs *out = &r->op->outputs;
    out->span = v->span;
    if (lua_type(r->L, -1) == LUA_TNUMBER) {
        out->is_count = true;
        out->present = read_integer(r, "outputs", 0, v->span, &out->count);
        return out->present;
    }
    list l;
    if (!open_list(r, v, "a list of names or a number", ADVISE_QUOTES, &l)) {
        return false;
    }
    bool ok = true;
    out->count = l.count;
    sg_meter_reserve(r->L, (size_t)l.count * (sizeof(sg_op_output) + MOST_PER_NAME));
    out->items = SG_NEW_ARRAY(r->host->arena, sg_op_output, l.count);
    for (int64_t i = 0; i < l.count; i++) {
        out->items[i].span = element_span(&l, i + 1);
        lua_rawgeti(r->L, -1, i + 1);
        ok = read_output(r, i + 1, &out->items[i]) && ok;
        lua_pop(r->L, 1);
    }
    out->present = ok;
    return ok;
}

static void read_fields(reader *r, const field *fields);

static bool read_data(reader *r, const value *v)
{
    lua_State *L = r->L;
    if (sg_lua_value_unknown(L, -1)) {
        return false;
    }
    if (!lua_istable(L, -1)) {
        return sg_diag_error(r->host->diag, v->span,
                             "'data' must be a table { dtype = ..., shape = {...} }, not %s",
                             sg_lua_value_describe(L, -1));
    }
    sg_lua_table table;
    bool literal =
        v->item != NULL && sg_lua_site_nested(L, r->text, v->item, lua_gettop(L), &table);
    reader inner = {.L = L,
                    .host = r->host,
                    .op = r->op,
                    .title = "data",
                    .text = r->text,
                    .literal = literal ? &table : NULL,
                    .fallback = v->span,
                    .ok = true};
    read_fields(&inner, data_fields);
    return inner.ok;
}

static bool read_value(reader *r, const field *f, const value *v)
{
    void *target = (char *)r->op + f->offset;
    switch (f->kind) {
    case FIELD_TEXT: {
        sg_op_text *text = target;
        text->span = v->span;
        text->present = read_text(r, f->word, 0, v->span, &text->text);
        return text->present;
    }
    case FIELD_INT: {
        sg_op_int *number = target;
        number->span = v->span;
        number->present = read_integer(r, f->word, 0, v->span, &number->value);
        return number->present;
    }
    case FIELD_AXIS:
        return read_axis(r, v);
    case FIELD_LIST:
        return read_list(r, v, target);
    case FIELD_OUTPUTS:
        return read_outputs(r, v);
    case FIELD_DATA:
        return read_data(r, v);
    }
    return false;
}

static const field *find_field(const field *fields, const char *word)
{
    for (const field *f = fields; f->word != NULL; f++) {
        if (strcmp(f->word, word) == 0) {
            return f;
        }
    }
    return NULL;
}

/* "'lengths' (a list) or 'parts' (a number)": the fields of this op for a meaning; "" if it has
 * none. */
static const char *fields_for(reader *r, const field *fields, meaning means)
{
    const char *lengths = sg_op_lengths_word(r->op->kind);
    const char *parts = sg_op_parts_word(r->op->kind);
    bool has_lengths = find_field(fields, lengths) != NULL;
    bool has_parts = find_field(fields, parts) != NULL;
    const char *one = means == MEANS_AXIS                     ? "axis"
                      : means == MEANS_DTYPE                  ? "dtype"
                      : means == MEANS_PARTS && has_parts     ? parts
                      : means == MEANS_LENGTHS && has_lengths ? lengths
                                                              : NULL;
    if (one != NULL) {
        return find_field(fields, one) != NULL ? sg_arena_printf(r->host->arena, "'%s'", one) : "";
    }
    if (has_lengths && has_parts) {
        return sg_arena_printf(r->host->arena, "'%s' (a list) or '%s' (a number)", lengths, parts);
    }
    return has_lengths ? sg_arena_printf(r->host->arena, "'%s' (a list)", lengths)
           : has_parts ? sg_arena_printf(r->host->arena, "'%s' (a number)", parts)
                       : "";
}

/* Reports a field by the name it has elsewhere; false: nobody is known to call it so. */
static bool report_foreign(reader *r, const field *fields, const char *name, sg_span span)
{
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++) {
        if (strcmp(name, foreign[i].word) != 0) {
            continue;
        }
        const char *ours = fields_for(r, fields, foreign[i].means);
        if (ours[0] != '\0') {
            sg_diag_error(
                r->host->diag, span, "unknown field '%s' in %s; %s%s is %s here", name, r->title,
                foreign[i].whose[0] != '\0' ? foreign[i].whose : "it",
                foreign[i].whose[0] != '\0' ? sg_arena_printf(r->host->arena, " '%s'", name) : "",
                ours);
            return true;
        }
    }
    return false;
}

static void report_unknown(reader *r, const field *fields, const char *name, sg_span span)
{
    enum { MAX_FIELDS = 16 };
    r->ok = false;
    if (report_foreign(r, fields, name, span)) {
        return;
    }
    const char *words[MAX_FIELDS];
    size_t count = 0;
    const char *all = "";
    sg_arena *arena = r->host->arena;
    for (const field *f = fields; f->word != NULL && count < MAX_FIELDS; f++) {
        all = sg_arena_printf(arena, "%s%s%s", all, count > 0 ? ", " : "", f->word);
        words[count++] = f->word;
    }
    const char *near = sg_suggest(sg_str_from(name), words, count);
    if (near != NULL) {
        sg_diag_error(r->host->diag, span, "unknown field '%s' in %s; did you mean '%s'?", name,
                      r->title, near);
    } else if (find_field(fields, "data") != NULL && find_field(data_fields, name) != NULL) {
        sg_diag_error(r->host->diag, span,
                      "unknown field '%s' in %s; write data = { dtype = ..., shape = {...} }", name,
                      r->title);
    } else {
        sg_diag_error(r->host->diag, span, "unknown field '%s' in %s; its fields are %s", name,
                      r->title, all);
    }
}

static void report_stray(reader *r, const char *what, sg_span span)
{
    sg_diag_error(r->host->diag, span, "%s has %s, but its fields are written name = value",
                  r->title, what);
    r->ok = false;
}

/* Everything in the table at the index that is no field. */
static void check_names(reader *r, const field *fields, int index)
{
    lua_State *L = r->L;
    bool orderly = true;
    for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1)) {
        int type = lua_type(L, -2);
        orderly = orderly && (type == LUA_TSTRING || type == LUA_TNUMBER || type == LUA_TBOOLEAN);
    }
    if (!orderly) {
        report_stray(r, "a key that is no name", r->fallback);
        return;
    }
    bool stray = false;
    lua_pushcfunction(L, sg_lua_order_pairs);
    lua_pushvalue(L, index);
    lua_call(L, 1, 1);
    for (;;) {
        lua_pushvalue(L, -1);
        lua_call(L, 0, 2);
        if (lua_isnil(L, -2)) {
            lua_pop(L, 3);
            return;
        }
        if (lua_type(L, -2) == LUA_TSTRING) {
            const char *name = sg_arena_strdup(r->host->arena, lua_tostring(L, -2));
            sg_meter_charge(L, r->literal != NULL ? (int64_t)r->literal->count : 0);
            const sg_lua_item *item =
                r->literal != NULL ? sg_lua_site_field(r->literal, name) : NULL;
            if (find_field(fields, name) == NULL) {
                report_unknown(r, fields, name, item != NULL ? item->key : r->fallback);
            }
        } else if (!stray) {
            const sg_lua_item *item = r->literal != NULL && lua_isinteger(L, -2)
                                          ? sg_lua_site_element(r->literal, lua_tointeger(L, -2))
                                          : NULL;
            const char *what =
                sg_arena_printf(r->host->arena, "%s without a name", sg_lua_value_describe(L, -1));
            report_stray(r, what, item != NULL ? item->value : r->fallback);
            stray = true;
        }
        lua_pop(L, 2);
    }
}

/* Lua silently keeps the last of two equal keys. */
static void check_twice(reader *r)
{
    for (size_t i = 0; r->literal != NULL && i < r->literal->count; i++) {
        const sg_lua_item *item = &r->literal->items[i];
        for (size_t k = 0; item->name.ptr != NULL && k < i; k++) {
            const sg_lua_item *earlier = &r->literal->items[k];
            if (earlier->name.ptr != NULL && sg_str_eq(earlier->name, item->name)) {
                sg_diag_error(r->host->diag, item->key, "'%.*s' is given twice",
                              (int)item->name.len, item->name.ptr);
                sg_diag_note(r->host->diag, earlier->key, "it is given here already");
                r->ok = false;
                break;
            }
        }
    }
}

/* The table is on top of the stack. */
static void read_fields(reader *r, const field *fields)
{
    lua_State *L = r->L;
    int index = lua_gettop(L);
    luaL_checkstack(L, 12, NULL);
    check_twice(r);
    check_names(r, fields, index);
    for (const field *f = fields; f->word != NULL; f++) {
        lua_pushstring(L, f->word);
        if (lua_rawget(L, index) != LUA_TNIL) {
            const sg_lua_item *item =
                r->literal != NULL ? sg_lua_site_field(r->literal, f->word) : NULL;
            value v = {f->word, item, item != NULL ? item->value : r->fallback};
            r->ok = read_value(r, f, &v) && r->ok;
        } else if (r->literal != NULL) {
            const sg_lua_item *item = sg_lua_site_field(r->literal, f->word);
            advice how = f->kind == FIELD_INT || f->kind == FIELD_AXIS ? ADVISE_PARAM
                         : f->kind == FIELD_TEXT                       ? ADVISE_QUOTES
                                                                       : ADVISE_NOTHING;
            if (item != NULL && report_undefined(r, title_of(r, f->word, 0), item, how)) {
                r->ok = false;
            }
        }
        lua_pop(L, 1);
    }
}

bool sg_lua_field_read(lua_State *L, int index, const sg_lua_site *site, sg_op *op)
{
    reader r = {.L = L,
                .host = sg_lua_host_of(L),
                .op = op,
                .title = sg_op_kind_name(op->kind),
                .text = site->text,
                .literal = site->is_table ? &site->table : NULL,
                .fallback = site->call,
                .ok = true};
    lua_pushvalue(L, index);
    read_fields(&r, fields_of[op->kind]);
    lua_pop(L, 1);
    return r.ok;
}
