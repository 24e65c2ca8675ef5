/* Prints, builds and shrinks split cases. Generation is in generate.c; nothing is checked here. */
#include "split_case.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const awkward[] = {"a.b", "a_b", "data", "int", "data_", "3d", "/layer.0/q"};

int case_axis(const split_case *c)
{
    int64_t axis = c->has_axis ? c->axis : c->kind == SG_OP_ONNX_CONCAT ? 1 : 0;
    if (axis < -c->rank || axis >= c->rank) {
        return -1;
    }
    return (int)(axis < 0 ? axis + c->rank : axis);
}

const char *case_output_name(const split_case *c, int index, char *buffer, size_t size)
{
    int code = c->outputs[index];
    if (code > 1) {
        return awkward[(size_t)(code - 2) % (sizeof awkward / sizeof awkward[0])];
    }
    snprintf(buffer, size, "o%d", index);
    return code == 0 ? NULL : buffer;
}

/* Writes a spec and records which spans of the op still need their source. */
typedef struct writer {
    sg_buf text;
    sg_span *spans[CASE_MAX_LIST * (CASE_MAX_RANK + 8) + 32];
    size_t nspans;
} writer;

static void mark(writer *w, sg_span *span, size_t begin)
{
    *span = (sg_span){NULL, begin, w->text.len};
    w->spans[w->nspans++] = span;
}

static void write_int(writer *w, const char *key, int64_t value, sg_op_int *out)
{
    sg_buf_printf(&w->text, "  %s = ", key);
    size_t begin = w->text.len;
    sg_buf_printf(&w->text, "%" PRId64, value);
    out->present = true;
    out->value = value;
    mark(w, &out->span, begin);
    sg_buf_addz(&w->text, ",\n");
}

static void write_list(writer *w, const int64_t *values, int count, sg_arena *arena,
                       sg_op_list *out)
{
    size_t list = w->text.len;
    out->present = true;
    out->count = count;
    out->items = SG_NEW_ARRAY(arena, sg_op_num, count);
    sg_buf_addz(&w->text, "{");
    for (int i = 0; i < count; i++) {
        sg_buf_addz(&w->text, i == 0 ? " " : ", ");
        size_t begin = w->text.len;
        sg_buf_printf(&w->text, "%" PRId64, values[i]);
        out->items[i].value = values[i];
        mark(w, &out->items[i].span, begin);
    }
    sg_buf_addz(&w->text, " }");
    mark(w, &out->span, list);
}

static void write_tensor(writer *w, const split_case *c, sg_arena *arena, sg_op *op)
{
    bool nested = c->kind != SG_OP_SPLIT && c->kind != SG_OP_CONCAT;
    const char *end = nested ? ", " : ",\n  ";
    sg_buf_addz(&w->text, nested ? "  data = { " : "  ");
    if (c->dtype != NULL) {
        sg_buf_addz(&w->text, "dtype = ");
        size_t begin = w->text.len;
        sg_buf_printf(&w->text, "\"%s\"", c->dtype);
        op->dtype = (sg_op_text){.present = true, .text = c->dtype};
        mark(w, &op->dtype.span, begin);
        sg_buf_addz(&w->text, end);
    }
    sg_buf_addz(&w->text, "shape = ");
    write_list(w, c->dims, c->rank, arena, &op->shape);
    sg_buf_addz(&w->text, nested ? " },\n" : ",\n");
}

/* "name", false or { name = "name", row_stride = 9 } */
static void write_output(writer *w, const split_case *c, int i, sg_arena *arena, sg_op_output *out)
{
    char buffer[16];
    const char *name = case_output_name(c, i, buffer, sizeof buffer);
    const size_t begin = w->text.len;
    if (name == NULL && !c->strided[i]) {
        sg_buf_addz(&w->text, "false");
        mark(w, &out->span, begin);
        return;
    }
    out->wanted = true;
    out->name = name != NULL ? sg_arena_strdup(arena, name) : NULL;
    sg_buf_addz(&w->text, c->strided[i] ? "{ " : "");
    if (name != NULL) {
        sg_buf_printf(&w->text, "%s\"%s\"", c->strided[i] ? "name = " : "", name);
    }
    if (c->strided[i]) {
        sg_buf_addz(&w->text, name != NULL ? ", row_stride = " : "row_stride = ");
        const size_t number = w->text.len;
        sg_buf_printf(&w->text, "%" PRId64, c->strides[i]);
        out->row_stride = (sg_op_int){.present = true, .value = c->strides[i]};
        mark(w, &out->row_stride.span, number);
        sg_buf_addz(&w->text, " }");
    }
    mark(w, &out->span, begin);
}

/* Input i of a standard's Concat. */
static void write_input(writer *w, const split_case *c, int i, sg_arena *arena, sg_op_output *out)
{
    const bool odd = i == c->odd_input;
    const char *dtype = odd && c->odd_dtype != NULL ? c->odd_dtype : c->dtype;
    const int rank = odd && c->odd_dim == c->rank ? c->rank - 1 : c->rank;
    int64_t dims[CASE_MAX_RANK];
    memcpy(dims, c->dims, sizeof dims);
    if (case_axis(c) >= 0) {
        dims[case_axis(c)] = c->lengths[i];
    }
    if (odd && c->odd_dim < c->rank) {
        dims[c->odd_dim] = c->odd;
    }
    const size_t begin = w->text.len;
    sg_buf_addz(&w->text, "{ ");
    if (dtype != NULL) {
        sg_buf_addz(&w->text, "dtype = ");
        const size_t text = w->text.len;
        sg_buf_printf(&w->text, "\"%s\"", dtype);
        out->dtype = (sg_op_text){.present = true, .text = dtype};
        mark(w, &out->dtype.span, text);
        sg_buf_addz(&w->text, ", ");
    }
    sg_buf_addz(&w->text, "shape = ");
    write_list(w, dims, rank, arena, &out->shape);
    sg_buf_addz(&w->text, " }");
    out->wanted = true;
    mark(w, &out->span, begin);
}

static void write_inputs(writer *w, const split_case *c, sg_arena *arena, sg_op_outputs *out)
{
    sg_buf_addz(&w->text, "  inputs = ");
    const size_t list = w->text.len;
    const int count = c->nlengths > 0 ? c->nlengths : 0;
    *out = (sg_op_outputs){
        .present = true, .count = count, .items = SG_NEW_ARRAY(arena, sg_op_output, count)};
    sg_buf_addz(&w->text, "{");
    for (int i = 0; i < count; i++) {
        sg_buf_addz(&w->text, i == 0 ? " " : ", ");
        write_input(w, c, i, arena, &out->items[i]);
    }
    sg_buf_addz(&w->text, " }");
    mark(w, &out->span, list);
    sg_buf_addz(&w->text, ",\n");
}

static void write_outputs(writer *w, const split_case *c, sg_arena *arena, sg_op_outputs *out)
{
    sg_buf_addz(&w->text, c->kind == SG_OP_CONCAT ? "  inputs = " : "  outputs = ");
    size_t list = w->text.len;
    out->present = true;
    out->count = c->noutputs;
    if (c->outputs_counted) {
        out->is_count = true;
        sg_buf_printf(&w->text, "%d", c->noutputs);
    } else {
        out->items = SG_NEW_ARRAY(arena, sg_op_output, c->noutputs);
        sg_buf_addz(&w->text, "{");
        for (int i = 0; i < c->noutputs; i++) {
            sg_buf_addz(&w->text, i == 0 ? " " : ", ");
            write_output(w, c, i, arena, &out->items[i]);
        }
        sg_buf_addz(&w->text, " }");
    }
    mark(w, &out->span, list);
    sg_buf_addz(&w->text, ",\n");
}

static void write_axis(writer *w, const split_case *c, sg_op *op)
{
    if (!c->axis_in_list) {
        write_int(w, "axis", c->axis, &op->axis);
        return;
    }
    sg_buf_addz(&w->text, "  axis = ");
    size_t begin = w->text.len;
    sg_buf_printf(&w->text, "{ %" PRId64 " }", c->axis);
    op->axis = (sg_op_int){.present = true, .value = c->axis};
    op->axis_rank = 1;
    op->axis_count = 1;
    mark(w, &op->axis.span, begin);
    sg_buf_addz(&w->text, ",\n");
}

/* The fields at the end of every kind. */
static void write_rest(writer *w, const split_case *c, size_t begin, sg_op *op)
{
    if (c->align != 0) {
        write_int(w, "align", c->align, &op->align);
    }
    if (c->has_stride) {
        write_int(w, "row_stride", c->stride, &op->row_stride);
    }
    sg_buf_addz(&w->text, "}");
    mark(w, &op->span, begin);
    sg_buf_addz(&w->text, "\n");
}

static void write_case(writer *w, const split_case *c, sg_arena *arena, sg_op *op)
{
    sg_buf_addz(&w->text, "return ");
    size_t begin = w->text.len;
    sg_buf_printf(&w->text, "%s {\n", sg_op_kind_name(c->kind));
    if (c->has_opset) {
        write_int(w, "opset", c->opset, &op->opset);
    }
    if (!case_infers(c)) {
        write_tensor(w, c, arena, op);
    }
    if (c->has_axis) {
        write_axis(w, c, op);
    }
    if (case_infers(c)) {
        write_inputs(w, c, arena, &op->outputs);
        write_rest(w, c, begin, op);
        return;
    }
    if (c->nlengths != CASE_ABSENT) {
        sg_buf_printf(&w->text, "  %s = ", sg_op_lengths_word(c->kind));
        write_list(w, c->lengths, c->nlengths, arena, &op->lengths);
        sg_buf_addz(&w->text, ",\n");
    }
    if (c->has_parts) {
        write_int(w, sg_op_parts_word(c->kind), c->parts, &op->parts);
    }
    if (c->noutputs != CASE_ABSENT) {
        write_outputs(w, c, arena, &op->outputs);
    }
    write_rest(w, c, begin, op);
}

sg_op *case_op(const split_case *c, sg_arena *arena)
{
    writer w = {0};
    sg_op_array ops = {0};
    sg_op *op = sg_op_new(arena, &ops, c->kind, sg_span_none());
    op->default_name = "kernel";
    write_case(&w, c, arena, op);
    const sg_source *source = sg_source_new(arena, "case.lua", w.text.ptr, w.text.len);
    for (size_t i = 0; i < w.nspans; i++) {
        w.spans[i]->source = source;
    }
    sg_buf_free(&w.text);
    return op;
}

void case_print(const split_case *c, sg_buf *out)
{
    sg_arena arena;
    sg_arena_init(&arena);
    const sg_op *op = case_op(c, &arena);
    sg_buf_add(out, op->span.source->text, op->span.source->len);
    sg_arena_free(&arena);
}

/* ---- shrinking ------------------------------------------------------------------------------ */

/* A smaller number, at one of three strengths. */
static int64_t smaller(int64_t value, int strength)
{
    switch (strength) {
    case 0:
        return value > 1 ? 1 : 0;
    case 1:
        return value / 2;
    default:
        return value > 0 ? value - 1 : value + (value < 0);
    }
}

static void drop_dim(split_case *c, int i)
{
    int axis = case_axis(c);
    memmove(&c->dims[i], &c->dims[i + 1], (size_t)(c->rank - i - 1) * sizeof c->dims[0]);
    c->rank--;
    if (c->has_axis && axis >= 0) {
        c->axis = axis > i || axis == c->rank ? axis - 1 : axis;
    }
}

/* Changes a length and keeps the sum. */
static void change_length(split_case *c, int i, int64_t to)
{
    int axis = case_axis(c);
    if (axis >= 0 && c->lengths[i] >= 0) {
        c->dims[axis] = (int64_t)((uint64_t)c->dims[axis] - (uint64_t)(c->lengths[i] - to));
    }
    c->lengths[i] = to;
}

static void drop_output(split_case *c, int i)
{
    if (c->noutputs > i) {
        memmove(&c->outputs[i], &c->outputs[i + 1],
                (size_t)(c->noutputs - i - 1) * sizeof c->outputs[0]);
        memmove(&c->strided[i], &c->strided[i + 1],
                (size_t)(c->noutputs - i - 1) * sizeof c->strided[0]);
        memmove(&c->strides[i], &c->strides[i + 1],
                (size_t)(c->noutputs - i - 1) * sizeof c->strides[0]);
        c->noutputs--;
    }
}

static void drop_length(split_case *c, int i)
{
    change_length(c, i, 0);
    memmove(&c->lengths[i], &c->lengths[i + 1],
            (size_t)(c->nlengths - i - 1) * sizeof c->lengths[0]);
    c->nlengths--;
    drop_output(c, i);
}

static void change_parts(split_case *c, int64_t to)
{
    int axis = case_axis(c);
    if (axis >= 0 && c->parts > 0 && c->dims[axis] >= 0) {
        c->dims[axis] = c->dims[axis] / c->parts * to;
    }
    while (c->noutputs > to && c->noutputs > 1) {
        c->noutputs--;
    }
    c->parts = to;
}

static bool shrink_scalar(split_case *c, int k)
{
    switch (k) {
    case 0:
        c->noutputs = CASE_ABSENT;
        return true;
    case 1:
        c->align = 0;
        return true;
    case 2:
        c->dtype = "u8";
        return true;
    case 3:
        c->kind = c->kind < SG_OP_CONCAT ? SG_OP_SPLIT : SG_OP_CONCAT;
        c->has_opset = false;
        return true;
    case 4:
        c->axis = case_axis(c) >= 0 ? case_axis(c) : 0;
        c->axis_in_list = false;
        return true;
    case 8:
        c->has_stride = false;
        return true;
    case 9:
        memset(c->strided, 0, sizeof c->strided);
        return true;
    case 10:
        c->odd_input = CASE_ABSENT;
        return true;
    case 5:
    case 6:
    case 7:
        if (c->has_parts) {
            change_parts(c, smaller(c->parts, k - 5));
        }
        return true;
    default:
        return false;
    }
}

bool case_shrink(const split_case *c, int k, split_case *out)
{
    *out = *c;
    if (shrink_scalar(out, k)) {
        return true;
    }
    k -= 11;
    if (k < 4 * c->rank) {
        int i = k / 4;
        if (k % 4 == 0) {
            drop_dim(out, i);
        } else {
            out->dims[i] = smaller(c->dims[i], k % 4 - 1);
        }
        return true;
    }
    k -= 4 * c->rank;
    int nlengths = c->nlengths > 0 ? c->nlengths : 0;
    if (k < 4 * nlengths) {
        int i = k / 4;
        if (k % 4 == 0) {
            drop_length(out, i);
        } else {
            change_length(out, i, smaller(c->lengths[i], k % 4 - 1));
        }
        return true;
    }
    k -= 4 * nlengths;
    if (k < c->noutputs) {
        out->outputs[k] = 1;
        return true;
    }
    return false;
}
