/* Builds ops from the nodes of the grammar. */
#include "frontend/notation/notation_build.h"

#include "base/text.h"
#include "split/split.h"

/* The span from a to b. Both are in the same source, a before b. */
static sg_span join(sg_span a, sg_span b)
{
    return sg_span_make(a.source, a.begin, b.end);
}

static sg_op_text text_of(sg_arena *arena, const sg_notation_token *token)
{
    sg_str text = sg_span_text(token->span);
    return (sg_op_text){true, sg_arena_strndup(arena, text.ptr, text.len), token->span};
}

static sg_op_int int_of(const sg_notation_token *number)
{
    return (sg_op_int){true, number->value, number->span};
}

sg_notation_dims *sg_notation_dims_new(sg_notation_context *cx)
{
    return SG_NEW(cx->arena, sg_notation_dims);
}

sg_op_num sg_notation_dim(const sg_notation_token *number)
{
    return (sg_op_num){.value = number->value, .span = number->span};
}

sg_op_num sg_notation_dim_free(sg_notation_context *cx, const sg_notation_token *name,
                               const sg_notation_token *expected, const sg_notation_token *mark)
{
    return sg_op_open_dim(cx->arena, text_of(cx->arena, name).text,
                          expected != NULL ? expected->value : 1, join(name->span, mark->span));
}

void sg_notation_dims_add(sg_notation_context *cx, sg_notation_dims *dims, sg_op_num dim)
{
    dims->items = SG_GROWN(cx->arena, dims->items, dims->count, dims->capacity);
    dims->items[dims->count++] = dim;
    dims->span = dims->count == 1 ? dim.span : join(dims->span, dim.span);
}

/* Dimensions without a stride get `rest` when the op is made. */
void sg_notation_dims_stride(sg_notation_context *cx, sg_notation_dims *dims,
                             const sg_notation_token *stride)
{
    if (dims->strides == NULL) {
        dims->strides = SG_NEW_ARRAY(cx->arena, sg_op_num, SG_MAX_RANK);
    }
    if (dims->count <= SG_MAX_RANK) { /* a higher rank is an error, whatever its strides */
        dims->strides[dims->count - 1] = sg_notation_dim(stride);
    }
}

static sg_op_list strides_of(const sg_notation_dims *dims)
{
    sg_op_list list = {dims->strides != NULL, dims->strides, dims->count, dims->span};
    for (int64_t i = 0; list.present && i < list.count && i < SG_MAX_RANK; i++) {
        if (list.items[i].span.source == NULL) {
            list.items[i] = (sg_op_num){.value = -1, .rest = true, .span = dims->items[i].span};
        }
    }
    return list;
}

sg_notation_tensor *sg_notation_tensor_new(sg_notation_context *cx, const sg_notation_token *dtype,
                                           sg_notation_dims *dims, const sg_notation_token *left,
                                           const sg_notation_token *right)
{
    sg_notation_tensor *tensor = SG_NEW(cx->arena, sg_notation_tensor);
    tensor->dtype = *dtype;
    tensor->dims = dims;
    dims->span = join(left->span, right->span);
    tensor->span = join(dtype->span, right->span);
    return tensor;
}

void sg_notation_tensor_name(sg_notation_tensor *tensor, const sg_notation_token *name)
{
    tensor->named = true;
    tensor->name = *name;
    tensor->span = join(name->span, tensor->span);
}

void sg_notation_tensor_stride(sg_notation_tensor *tensor, const sg_notation_token *stride)
{
    tensor->row_stride = int_of(stride);
    tensor->span = join(tensor->span, stride->span);
}

sg_notation_part *sg_notation_part_new(sg_notation_context *cx, const sg_notation_token *name,
                                       const sg_notation_token *length)
{
    sg_notation_part *part = SG_NEW(cx->arena, sg_notation_part);
    if (name != NULL) {
        part->named = true;
        part->name = *name;
    }
    if (length != NULL) {
        bool rest = length->kind == SG_NOTATION_STAR;
        part->length =
            (sg_op_num){.value = rest ? -1 : length->value, .rest = rest, .span = length->span};
    }
    const sg_notation_token *first = name != NULL ? name : length;
    const sg_notation_token *last = length != NULL ? length : name;
    part->span = join(first->span, last->span);
    return part;
}

void sg_notation_part_view(sg_notation_part *part, const sg_notation_token *mark)
{
    part->view = (sg_op_int){true, 1, mark->span};
    part->span = part->named ? part->span : join(mark->span, part->span);
}

void sg_notation_part_strides(sg_notation_part *part, const sg_notation_dims *strides)
{
    if (strides->count > 1) {
        part->strides = strides;
    } else {
        part->row_stride = (sg_op_int){true, strides->items[0].value, strides->span};
    }
    part->span = join(part->span, strides->span);
}

sg_notation_parts *sg_notation_parts_new(sg_notation_context *cx)
{
    return SG_NEW(cx->arena, sg_notation_parts);
}

void sg_notation_parts_add(sg_notation_context *cx, sg_notation_parts *parts,
                           const sg_notation_part *part)
{
    parts->items = SG_GROWN(cx->arena, parts->items, parts->count, parts->capacity);
    parts->span = parts->count == 0 ? part->span : join(parts->span, part->span);
    parts->has_outputs = parts->has_outputs || part->named || part->view.present ||
                         part->row_stride.present || part->strides != NULL;
    parts->items[parts->count++] = *part;
}

void sg_notation_parts_equal(sg_notation_parts *parts, const sg_notation_token *slash,
                             const sg_notation_token *number)
{
    parts->equal = (sg_op_int){true, number->value, join(slash->span, number->span)};
    if (parts->count == 0) {
        parts->span = parts->equal.span;
    }
}

void sg_notation_parts_strides(sg_notation_context *cx, sg_notation_parts *parts,
                               const sg_notation_dims *strides)
{
    const sg_notation_part unnamed = {.span = parts->equal.span};
    /* more parts are an error later */
    const bool any = parts->count == 0 && parts->equal.value <= SG_MAX_PARTS;
    for (int64_t i = 0; any && i < parts->equal.value; i++) {
        sg_notation_parts_add(cx, parts, &unnamed);
    }
    for (int64_t i = 0; i < parts->count; i++) {
        const sg_span span = parts->items[i].span;
        sg_notation_part_strides(&parts->items[i], strides);
        parts->items[i].span = span;
    }
    parts->has_outputs = parts->count > 0;
    parts->equal.span = join(parts->equal.span, strides->span);
}

static sg_op_list lengths_of(sg_arena *arena, const sg_notation_parts *parts)
{
    sg_op_list list = {true, SG_NEW_ARRAY(arena, sg_op_num, parts->count), parts->count,
                       parts->span};
    for (int64_t i = 0; i < parts->count; i++) {
        list.items[i] = parts->items[i].length;
    }
    return list;
}

static sg_op_outputs outputs_of(sg_arena *arena, const sg_notation_parts *parts)
{
    sg_op_outputs outputs = {
        .present = true,
        .count = parts->count,
        .items = SG_NEW_ARRAY(arena, sg_op_output, parts->count),
        .span = parts->span,
    };
    for (int64_t i = 0; i < parts->count; i++) {
        const sg_notation_part *part = &parts->items[i];
        sg_op_output *output = &outputs.items[i];
        bool unwanted = part->named && sg_str_eqz(sg_span_text(part->name.span), "_");
        output->wanted = !unwanted;
        output->view = part->view;
        output->row_stride = part->row_stride;
        if (part->strides != NULL) {
            const sg_notation_dims *strides = part->strides;
            output->strides = (sg_op_list){true, strides->items, strides->count, strides->span};
        }
        output->span = part->named ? part->name.span : part->span;
        output->name = part->named && !unwanted ? text_of(arena, &part->name).text : NULL;
    }
    return outputs;
}

void sg_notation_op_add(sg_notation_context *cx, const sg_notation_tensor *tensor,
                        const sg_notation_token *axis, const sg_notation_token *arrow,
                        const sg_notation_parts *parts)
{
    sg_span last = parts->equal.present ? parts->equal.span : parts->span;
    const sg_op_kind kind = arrow->kind == SG_NOTATION_BACK ? SG_OP_CONCAT : SG_OP_SPLIT;
    sg_op *op = sg_op_new(cx->arena, cx->ops, kind, join(tensor->span, last));
    op->is_notation = true;
    const sg_notation_dims *dims = tensor->dims;
    if (tensor->named) {
        op->name = text_of(cx->arena, &tensor->name);
    }
    op->dtype = text_of(cx->arena, &tensor->dtype);
    op->shape = (sg_op_list){true, dims->items, dims->count, dims->span};
    op->row_stride = tensor->row_stride;
    op->strides = strides_of(dims);
    if (axis != NULL) {
        op->axis = (sg_op_int){true, axis->value, axis->span};
        op->axis_count = 1;
    }
    if (parts->equal.present) {
        op->parts = parts->equal;
    } else {
        op->lengths = lengths_of(cx->arena, parts);
    }
    if (parts->has_outputs) {
        op->outputs = outputs_of(cx->arena, parts);
    }
}
