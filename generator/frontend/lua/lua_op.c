/* The tables of the constructors: the fields of each. */
#include "frontend/lua/lua_op.h"

#include <string.h>

#include "frontend/lua/lua_field.h"
#include "frontend/lua/lua_host.h"
#include "frontend/lua/lua_site.h"
#include "frontend/lua/lua_value.h"

/* Reports an entry of a shape that is a name in quotes. The entry is on top of the stack. */
static bool check_named_dim(sg_lua_reader *r, int64_t entry, sg_span span)
{
    int64_t number;
    if (lua_type(r->L, -1) != LUA_TSTRING ||
        sg_parse_int64(sg_str_from(lua_tostring(r->L, -1)), &number)) {
        return true;
    }
    return sg_diag_error(
        r->host->diag, span, "%s must be an integer, not %s; %s",
        sg_lua_field_title(r, "shape", entry), sg_lua_value_describe(r->L, -1),
        sg_lua_field_dim_advice(r->host->arena, sg_str_from(lua_tostring(r->L, -1))));
}

/* is_shape: entries may be open dimensions. */
static bool read_list(sg_lua_reader *r, const sg_lua_field_value *v, bool is_shape, sg_op_list *out)
{
    sg_lua_list l;
    const sg_lua_advice advice = is_shape ? SG_LUA_ADVISE_DIM : SG_LUA_ADVISE_PARAM;
    if (!sg_lua_field_open_list(r, v, "a list of integers", advice, &l)) {
        return false;
    }
    bool ok = true;
    sg_meter_reserve(r->L, (size_t)l.count * sizeof(sg_op_num));
    sg_op_num *items = SG_NEW_ARRAY(r->host->arena, sg_op_num, l.count);
    for (int64_t i = 0; i < l.count; i++) {
        const sg_span span = sg_lua_field_entry_span(&l, i + 1);
        lua_rawgeti(r->L, -1, i + 1);
        const sg_op_num *dim = is_shape ? sg_lua_value_free(r->L, -1) : NULL;
        if (dim != NULL) {
            items[i] = *dim;
        }
        items[i].span = span;
        ok = (dim != NULL || ((!is_shape || check_named_dim(r, i + 1, span)) &&
                              sg_lua_field_integer(r, v->word, i + 1, span, &items[i].value))) &&
             ok;
        lua_pop(r->L, 1);
    }
    *out = (sg_op_list){.present = ok, .items = items, .count = l.count, .span = l.span};
    return ok;
}

/* A number, or a list whose length sg_resolve() checks. */
static bool read_axis(sg_lua_reader *r, const sg_lua_field *f, const sg_lua_field_value *v)
{
    (void)f;
    sg_op *op = r->target;
    op->axis.span = v->span;
    op->axis_count = 1;
    if (!lua_istable(r->L, -1)) {
        op->axis.present = sg_lua_field_integer(r, "axis", 0, v->span, &op->axis.value);
        return op->axis.present;
    }
    sg_op_list entries = {0};
    if (!read_list(r, v, false, &entries)) {
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

static bool read_view_mark(sg_lua_reader *r, const sg_lua_field *f, const sg_lua_field_value *v)
{
    (void)f;
    sg_op_output *out = r->target;
    if (sg_lua_value_unknown(r->L, -1)) {
        return false;
    }
    if (lua_type(r->L, -1) != LUA_TBOOLEAN) {
        return sg_diag_error(r->host->diag, v->span, "'view' must be true or false, not %s",
                             sg_lua_value_describe(r->L, -1));
    }
    out->view = (sg_op_int){lua_toboolean(r->L, -1) != 0, 1, v->span};
    return true;
}

static bool read_output_name(sg_lua_reader *r, const sg_lua_field *f, const sg_lua_field_value *v)
{
    (void)f;
    sg_op_output *out = r->target;
    return sg_lua_field_text(r, "name", 0, v->span, &out->name);
}

static bool read_stride(sg_lua_reader *r, const sg_lua_field *f, const sg_lua_field_value *v)
{
    if (sg_lua_value_free(r->L, -1) != NULL) {
        return sg_diag_error(r->host->diag, v->span,
                             "'row_stride' must be a number here, not %s: a stride cannot be "
                             "passed on each call; write one op for each stride",
                             sg_lua_value_describe(r->L, -1));
    }
    sg_op_int *stride = (sg_op_int *)((char *)r->target + f->offset);
    stride->span = v->span;
    stride->present = sg_lua_field_integer(r, f->word, 0, v->span, &stride->value);
    return stride->present;
}

static bool read_input_dtype(sg_lua_reader *r, const sg_lua_field *f, const sg_lua_field_value *v)
{
    (void)f;
    sg_op_text *text = &((sg_op_output *)r->target)->dtype;
    text->span = v->span;
    text->present = sg_lua_field_text(r, "dtype", 0, v->span, &text->text);
    return text->present;
}

static bool read_input_shape(sg_lua_reader *r, const sg_lua_field *f, const sg_lua_field_value *v)
{
    (void)f;
    return read_list(r, v, true, &((sg_op_output *)r->target)->shape);
}

static bool read_strides(sg_lua_reader *r, const sg_lua_field *f, const sg_lua_field_value *v)
{
    if (lua_isinteger(r->L, -1)) {
        return sg_diag_error(r->host->diag, v->span,
                             "'strides' must be a list of integers, one for each dimension, not "
                             "%s; 'row_stride' is a number",
                             sg_lua_value_describe(r->L, -1));
    }
    return read_list(r, v, false, (sg_op_list *)((char *)r->target + f->offset));
}

/* The fields of a part's table. All are optional. */
#define PART_FIELDS                                                                                \
    {"name", read_output_name, 0, SG_LUA_ADVISE_QUOTES},                                           \
        {"view", read_view_mark, 0, SG_LUA_ADVISE_NOTHING},                                        \
        {"row_stride", read_stride, offsetof(sg_op_output, row_stride), SG_LUA_ADVISE_PARAM},      \
    {                                                                                              \
        "strides", read_strides, offsetof(sg_op_output, strides), SG_LUA_ADVISE_NOTHING            \
    }

static const sg_lua_field part_fields[] = {PART_FIELDS, {NULL, NULL, 0, SG_LUA_ADVISE_NOTHING}};

/* For onnx.Concat and openvino.Concat. */
static const sg_lua_field input_fields[] = {{"dtype", read_input_dtype, 0, SG_LUA_ADVISE_QUOTES},
                                            {"shape", read_input_shape, 0, SG_LUA_ADVISE_NOTHING},
                                            PART_FIELDS,
                                            {NULL, NULL, 0, SG_LUA_ADVISE_NOTHING}};

/* Reads a part that is written as a table, { name = "q", view = true }. */
static bool read_part_table(sg_lua_reader *r, const sg_lua_field *fields, const char *word,
                            const sg_lua_list *l, int64_t number, sg_op_output *out)
{
    const sg_lua_field_value entry = {.word = word,
                                      .item = l->literal ? sg_lua_site_element(&l->table, number)
                                                         : NULL,
                                      .span = out->span};
    sg_lua_table table;
    sg_lua_reader inner =
        sg_lua_field_inner(r, &entry, sg_lua_field_title(r, word, number), &table);
    inner.target = out;
    inner.report = NULL;
    sg_lua_field_read(&inner, fields);
    out->wanted = true;
    return inner.ok;
}

static bool read_output(sg_lua_reader *r, const char *word, const sg_lua_list *l, int64_t number,
                        sg_op_output *out)
{
    lua_State *L = r->L;
    if (lua_istable(L, -1) && !sg_lua_value_unknown(L, -1)) {
        return read_part_table(r, part_fields, word, l, number, out);
    }
    if (lua_type(L, -1) == LUA_TBOOLEAN && !lua_toboolean(L, -1)) {
        return true;
    }
    if (lua_type(L, -1) != LUA_TSTRING && !sg_lua_value_unknown(L, -1)) {
        return sg_diag_error(r->host->diag, out->span,
                             "%s must be a name, or false for a part that is not wanted, not %s",
                             sg_lua_field_title(r, word, number), sg_lua_value_describe(L, -1));
    }
    if (!sg_lua_field_text(r, word, number, out->span, &out->name)) {
        return false;
    }
    if (out->name[0] == '\0' || strcmp(out->name, "_") == 0) {
        out->name = NULL;
        return true;
    }
    out->wanted = true;
    return true;
}

/* Reads an entry of a list of parts; it is on top of the stack. word: the name of the field. */
typedef bool read_part(sg_lua_reader *r, const char *word, const sg_lua_list *l, int64_t number,
                       sg_op_output *out);

/* Reads the list on top of the stack. most: an estimate of the arena bytes of one entry, in
 * addition to sizeof(sg_op_output). */
static bool read_parts(sg_lua_reader *r, const char *word, const sg_lua_list *l, size_t most,
                       read_part *read, sg_op_outputs *out)
{
    bool ok = true;
    out->count = l->count;
    sg_meter_reserve(r->L, (size_t)l->count * (sizeof(sg_op_output) + most));
    out->items = SG_NEW_ARRAY(r->host->arena, sg_op_output, l->count);
    for (int64_t i = 0; i < l->count; i++) {
        out->items[i].span = sg_lua_field_entry_span(l, i + 1);
        lua_rawgeti(r->L, -1, i + 1);
        ok = read(r, word, l, i + 1, &out->items[i]) && ok;
        lua_pop(r->L, 1);
    }
    out->present = ok;
    return ok;
}

static bool read_outputs(sg_lua_reader *r, const sg_lua_field *f, const sg_lua_field_value *v)
{
    enum { MOST_PER_NAME = 64 };
    sg_op_outputs *out = &((sg_op *)r->target)->outputs;
    out->span = v->span;
    if (lua_type(r->L, -1) == LUA_TNUMBER) {
        out->is_count = true;
        out->present = sg_lua_field_integer(r, f->word, 0, v->span, &out->count);
        return out->present;
    }
    sg_lua_list l;
    return sg_lua_field_open_list(r, v, "a list of names or a number", SG_LUA_ADVISE_QUOTES, &l) &&
           read_parts(r, f->word, &l, MOST_PER_NAME, read_output, out);
}

/* Reads an input of onnx.Concat or openvino.Concat, on top of the stack. */
static bool read_tensor(sg_lua_reader *r, const char *word, const sg_lua_list *l, int64_t number,
                        sg_op_output *out)
{
    if (sg_lua_value_unknown(r->L, -1)) {
        return false;
    }
    if (!lua_istable(r->L, -1)) {
        return sg_diag_error(r->host->diag, out->span,
                             "%s must be a table { dtype = ..., shape = {...} }, not %s",
                             sg_lua_field_title(r, word, number), sg_lua_value_describe(r->L, -1));
    }
    return read_part_table(r, input_fields, word, l, number, out);
}

static bool read_tensors(sg_lua_reader *r, const sg_lua_field *f, const sg_lua_field_value *v)
{
    enum { MOST_PER_TENSOR = 256 };
    sg_op_outputs *out = &((sg_op *)r->target)->outputs;
    out->span = v->span;
    sg_lua_list l;
    return sg_lua_field_open_list(r, v, "a list of tables", SG_LUA_ADVISE_NOTHING, &l) &&
           read_parts(r, f->word, &l, MOST_PER_TENSOR, read_tensor, out);
}

static bool read_text_field(sg_lua_reader *r, const sg_lua_field *f, const sg_lua_field_value *v)
{
    sg_op_text *text = (sg_op_text *)((char *)r->target + f->offset);
    text->span = v->span;
    text->present = sg_lua_field_text(r, f->word, 0, v->span, &text->text);
    return text->present;
}

/* The fields of a constructor. */
static const sg_lua_field *fields_of(sg_op_kind kind);

static sg_op_kind kind_of(const sg_lua_reader *r)
{
    return ((const sg_op *)r->target)->kind;
}

/* Reports a number that was given as lengths, or a list that was given as a number. other: the
 * field for it, which the constructor may not have; does: what that field has, up to its name. */
static bool report_exchanged(sg_lua_reader *r, const sg_lua_field_value *v, const char *wanted,
                             const char *does, const char *other)
{
    const bool has_other = sg_lua_field_find(fields_of(kind_of(r)), other) != NULL;
    return sg_diag_error(r->host->diag, v->span, "'%s' must be %s, not %s%s%s%s", v->word, wanted,
                         sg_lua_value_describe(r->L, -1), has_other ? does : "",
                         has_other ? other : "", has_other ? "'" : "");
}

static bool read_int_field(sg_lua_reader *r, const sg_lua_field *f, const sg_lua_field_value *v)
{
    if (f->offset == offsetof(sg_op, parts) && lua_istable(r->L, -1)) {
        return report_exchanged(r, v, "an integer", "; the lengths are '",
                                sg_op_lengths_word(kind_of(r)));
    }
    sg_op_int *number = (sg_op_int *)((char *)r->target + f->offset);
    number->span = v->span;
    number->present = sg_lua_field_integer(r, f->word, 0, v->span, &number->value);
    return number->present;
}

static bool read_list_field(sg_lua_reader *r, const sg_lua_field *f, const sg_lua_field_value *v)
{
    if (lua_isinteger(r->L, -1)) {
        return report_exchanged(r, v, "a list of integers", "; the number of equal parts is '",
                                sg_op_parts_word(kind_of(r)));
    }
    return read_list(r, v, false, (sg_op_list *)((char *)r->target + f->offset));
}

static bool read_shape(sg_lua_reader *r, const sg_lua_field *f, const sg_lua_field_value *v)
{
    (void)f;
    return read_list(r, v, true, &((sg_op *)r->target)->shape);
}

#define TEXT(word, member)                                                                         \
    {                                                                                              \
        word, read_text_field, offsetof(sg_op, member), SG_LUA_ADVISE_QUOTES                       \
    }
#define INT(word, member)                                                                          \
    {                                                                                              \
        word, read_int_field, offsetof(sg_op, member), SG_LUA_ADVISE_PARAM                         \
    }
#define LIST(word, member)                                                                         \
    {                                                                                              \
        word, read_list_field, offsetof(sg_op, member), SG_LUA_ADVISE_NOTHING                      \
    }
#define SHAPE                                                                                      \
    {                                                                                              \
        "shape", read_shape, 0, SG_LUA_ADVISE_NOTHING                                              \
    }
#define AXIS                                                                                       \
    {                                                                                              \
        "axis", read_axis, 0, SG_LUA_ADVISE_PARAM                                                  \
    }
#define OUTPUTS                                                                                    \
    {                                                                                              \
        "outputs", read_outputs, 0, SG_LUA_ADVISE_NOTHING                                          \
    }
#define INPUTS                                                                                     \
    {                                                                                              \
        "inputs", read_outputs, 0, SG_LUA_ADVISE_NOTHING                                           \
    }
#define TENSORS                                                                                    \
    {                                                                                              \
        "inputs", read_tensors, 0, SG_LUA_ADVISE_NOTHING                                           \
    }
#define STRIDE                                                                                     \
    {                                                                                              \
        "row_stride", read_stride, offsetof(sg_op, row_stride), SG_LUA_ADVISE_PARAM                \
    }
#define STRIDES                                                                                    \
    {                                                                                              \
        "strides", read_strides, offsetof(sg_op, strides), SG_LUA_ADVISE_NOTHING                   \
    }
#define DATA                                                                                       \
    {                                                                                              \
        "data", read_data, 0, SG_LUA_ADVISE_NOTHING                                                \
    }
#define END                                                                                        \
    {                                                                                              \
        NULL, NULL, 0, SG_LUA_ADVISE_NOTHING                                                       \
    }

static const sg_lua_field data_fields[] = {TEXT("dtype", dtype), SHAPE, END};

static bool read_data(sg_lua_reader *r, const sg_lua_field *f, const sg_lua_field_value *v)
{
    (void)f;
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
    sg_lua_reader inner = sg_lua_field_inner(r, v, "data", &table);
    sg_lua_field_read(&inner, data_fields);
    return inner.ok;
}

/* The memory layout, which every constructor accepts. */
#define PLACE INT("align", align), TEXT("packing", packing), STRIDE, STRIDES

static const sg_lua_field split_fields[] = {TEXT("name", name),
                                            TEXT("dtype", dtype),
                                            SHAPE,
                                            AXIS,
                                            LIST("lengths", lengths),
                                            INT("parts", parts),
                                            OUTPUTS,
                                            PLACE,
                                            END};

static const sg_lua_field onnx_fields[] = {TEXT("name", name),
                                           INT("opset", opset),
                                           DATA,
                                           AXIS,
                                           LIST("split", lengths),
                                           INT("num_outputs", parts),
                                           OUTPUTS,
                                           PLACE,
                                           END};

static const sg_lua_field openvino_fields[] = {
    TEXT("name", name), DATA, AXIS, INT("num_splits", parts), OUTPUTS, PLACE, END};

static const sg_lua_field variadic_fields[] = {
    TEXT("name", name), DATA, AXIS, LIST("split_lengths", lengths), OUTPUTS, PLACE, END};

static const sg_lua_field concat_fields[] = {TEXT("name", name),
                                             TEXT("dtype", dtype),
                                             SHAPE,
                                             AXIS,
                                             LIST("lengths", lengths),
                                             INT("parts", parts),
                                             INPUTS,
                                             PLACE,
                                             END};

static const sg_lua_field onnx_concat_fields[] = {
    TEXT("name", name), INT("opset", opset), AXIS, TENSORS, PLACE, END};

static const sg_lua_field openvino_concat_fields[] = {TEXT("name", name), AXIS, TENSORS, PLACE,
                                                      END};

static const sg_lua_field *fields_of(sg_op_kind kind)
{
    static const sg_lua_field *const of[] = {[SG_OP_SPLIT] = split_fields,
                                             [SG_OP_ONNX_SPLIT] = onnx_fields,
                                             [SG_OP_OPENVINO_SPLIT] = openvino_fields,
                                             [SG_OP_OPENVINO_VARIADIC] = variadic_fields,
                                             [SG_OP_CONCAT] = concat_fields,
                                             [SG_OP_ONNX_CONCAT] = onnx_concat_fields,
                                             [SG_OP_OPENVINO_CONCAT] = openvino_concat_fields};
    return of[kind];
}

/* Advice on a field that belongs to the other direction, or that onnx.Concat and openvino.Concat
 * take from their inputs; NULL if it is neither. */
static const char *other_direction(sg_op_kind kind, const char *name)
{
    const bool joins = sg_op_joins(kind);
    if (!joins) {
        return strcmp(name, "inputs") == 0
                   ? "it reads one tensor, and what it makes are 'outputs'; "
                     "parts are joined by concat"
                   : NULL;
    }
    if (strcmp(name, "outputs") == 0) {
        return "it makes one tensor, and what it reads are 'inputs'; a tensor is cut by split";
    }
    if (!sg_op_infers(kind)) {
        return NULL;
    }
    if (strcmp(name, "dtype") == 0 || strcmp(name, "shape") == 0 || strcmp(name, "data") == 0) {
        return "every input has its own: inputs = { { dtype = ..., shape = {...} }, ... }";
    }
    return strcmp(name, "lengths") == 0 || strcmp(name, "parts") == 0
               ? "every input is as long as its shape says; where only the whole is known, write "
                 "concat"
               : NULL;
}

/* Reports a field that another constructor or a table inside this one has. Returns false if none
 * has it. */
static bool report_misplaced(sg_lua_reader *r, const sg_lua_field *fields, const char *name,
                             sg_span span)
{
    const char *ours = other_direction(kind_of(r), name);
    if (ours != NULL) {
        sg_diag_error(r->host->diag, span, "unknown field '%s' in %s; %s", name, r->title, ours);
        return true;
    }
    if (sg_lua_field_find(fields, "data") != NULL && sg_lua_field_find(data_fields, name) != NULL) {
        sg_diag_error(r->host->diag, span,
                      "unknown field '%s' in %s; write data = { dtype = ..., shape = {...} }", name,
                      r->title);
        return true;
    }
    return false;
}

bool sg_lua_op_read(lua_State *L, int index, const sg_lua_site *site, sg_op *op)
{
    sg_lua_reader r = {.L = L,
                       .host = sg_lua_host_of(L),
                       .target = op,
                       .title = sg_op_kind_name(op->kind),
                       .report = report_misplaced,
                       .text = site->text,
                       .literal = site->is_table ? &site->table : NULL,
                       .fallback = site->call,
                       .ok = true};
    lua_pushvalue(L, index);
    sg_lua_field_read(&r, fields_of(op->kind));
    lua_pop(L, 1);
    return r.ok;
}
