/* Creates ops, and has the words that users write for their fields. Checks nothing. */
#include "split/op.h"

sg_op *sg_op_new(sg_arena *arena, sg_op_array *ops, sg_op_kind kind, sg_span span)
{
    ops->items = SG_GROWN(arena, ops->items, ops->count, ops->capacity);
    sg_op *op = SG_NEW(arena, sg_op);
    op->kind = kind;
    op->span = span;
    op->default_name = "split";
    op->axis_count = 1;
    op->subject = SG_NEW(arena, sg_subject);
    ops->items[ops->count++] = op;
    return op;
}

sg_op_num sg_op_open_dim(sg_arena *arena, const char *name, int64_t expected, sg_span span)
{
    sg_op_open *open = SG_NEW(arena, sg_op_open);
    *open = (sg_op_open){name, expected};
    return (sg_op_num){.value = 1, .nopen = 1, .open = open, .span = span};
}

const char *sg_op_open_text(sg_arena *arena, const sg_op_num *dim)
{
    const char *text = dim->value == 1 && dim->nopen > 0
                           ? ""
                           : sg_arena_printf(arena, "%lld", (long long)dim->value);
    for (int64_t i = 0; i < dim->nopen; i++) {
        text =
            sg_arena_printf(arena, "%s%s%s", text, text[0] != '\0' ? "*" : "", dim->open[i].name);
    }
    return text;
}

typedef enum standard { NONE, ONNX, OPENVINO } standard;

static const struct {
    const char *kind, *lengths, *parts;
    bool joins;
    standard of;
} words[] = {
    [SG_OP_SPLIT] = {"split", "lengths", "parts", false, NONE},
    [SG_OP_ONNX_SPLIT] = {"onnx.Split", "split", "num_outputs", false, ONNX},
    [SG_OP_OPENVINO_SPLIT] = {"openvino.Split", "split_lengths", "num_splits", false, OPENVINO},
    [SG_OP_OPENVINO_VARIADIC] = {"openvino.VariadicSplit", "split_lengths", "num_splits", false,
                                 OPENVINO},
    [SG_OP_SLICE_GROUP] = {"family", "lengths", "parts", false, NONE},
    [SG_OP_OPENVINO_SLICE_GROUP] = {"family", "lengths", "parts", false, OPENVINO},
    [SG_OP_CONCAT] = {"concat", "lengths", "parts", true, NONE},
    [SG_OP_ONNX_CONCAT] = {"onnx.Concat", "inputs", "inputs", true, ONNX},
    [SG_OP_OPENVINO_CONCAT] = {"openvino.Concat", "inputs", "inputs", true, OPENVINO},
};

const char *sg_op_kind_name(sg_op_kind kind)
{
    return words[kind].kind;
}

const char *sg_op_lengths_word(sg_op_kind kind)
{
    return words[kind].lengths;
}

const char *sg_op_parts_word(sg_op_kind kind)
{
    return words[kind].parts;
}

bool sg_op_joins(sg_op_kind kind)
{
    return words[kind].joins;
}

const char *sg_op_part_word(sg_op_kind kind)
{
    return words[kind].joins ? "input" : "output";
}

bool sg_op_infers(sg_op_kind kind)
{
    return words[kind].joins && words[kind].of != NONE;
}

bool sg_op_is_onnx(sg_op_kind kind)
{
    return words[kind].of == ONNX;
}

bool sg_op_is_openvino(sg_op_kind kind)
{
    return words[kind].of == OPENVINO;
}
