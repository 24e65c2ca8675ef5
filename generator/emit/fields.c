/* The fields of every structure a template sees. No text, no decisions. */
#include "emit/fields.h"

#include <stdbool.h>

#include "emit/model.h"
#include "plan/insn.h"
#include "plan/plan.h"
#include "plan/tell/dump.h"
#include "plan/tell/dump_parts.h"

#define TEXT(type_, member)                                                                        \
    {                                                                                              \
        .name = #member, .kind = SG_FIELD_TEXT, .offset = offsetof(type_, member)                  \
    }
#define INT(type_, member)                                                                         \
    {                                                                                              \
        .name = #member, .kind = SG_FIELD_INT, .offset = offsetof(type_, member)                   \
    }
/* A count that is right only where a flag of the same structure says so. */
#define COUNT_IF(type_, member, flag, unless_)                                                     \
    {                                                                                              \
        .name = #member, .kind = SG_FIELD_INT, .offset = offsetof(type_, member),                  \
        .unless = (unless_), .only_if = offsetof(type_, flag)                                      \
    }
#define FLAG(type_, member)                                                                        \
    {                                                                                              \
        .name = #member, .kind = SG_FIELD_FLAG, .offset = offsetof(type_, member)                  \
    }
#define INTS(type_, member)                                                                        \
    {                                                                                              \
        .name = #member, .kind = SG_FIELD_INTS, .offset = offsetof(type_, member),                 \
        .count = offsetof(type_, n##member)                                                        \
    }
#define LIST(type_, member, element)                                                               \
    {                                                                                              \
        .name = #member, .kind = SG_FIELD_LIST, .offset = offsetof(type_, member),                 \
        .count = offsetof(type_, n##member), .of = &(element)                                      \
    }
#define POINTERS(type_, member, element)                                                           \
    {                                                                                              \
        .name = #member, .kind = SG_FIELD_POINTERS, .offset = offsetof(type_, member),             \
        .count = offsetof(type_, n##member), .of = &(element)                                      \
    }
#define CALL(name_, get_)                                                                          \
    {                                                                                              \
        .name = name_, .kind = SG_FIELD_CALL, .get = get_                                          \
    }
#define TYPE(name_, struct_, fields_)                                                              \
    {                                                                                              \
        .name = name_, .size = sizeof(struct_), .fields = fields_,                                 \
        .nfields = sizeof(fields_) / sizeof((fields_)[0])                                          \
    }

#define SAID_BY_CALLS "a call says how many rows there are, which may be more or fewer"

/* --- computed fields -------------------------------------------------------------------------- */

static const sg_model_kernel *kernel_at(const void *at)
{
    return at;
}

static void push_dims(lua_State *L, const int64_t *dims, const sg_model_kernel *kernel)
{
    sg_push_ints(L, dims, kernel->rank);
}

static void get_kernel_dims(lua_State *L, const void *at, const void *owner)
{
    (void)owner;
    push_dims(L, kernel_at(at)->plan->split->dims, kernel_at(at));
}

#define PLAN_INT(get_, expression)                                                                 \
    static void get_(lua_State *L, const void *at, const void *owner)                              \
    {                                                                                              \
        const sg_plan *plan = kernel_at(at)->plan;                                                 \
        (void)owner;                                                                               \
        lua_pushinteger(L, expression);                                                            \
    }
PLAN_INT(get_bytes_moved, plan->bytes_moved / plan->split->items)
PLAN_INT(get_copies, plan->copies)
PLAN_INT(get_insns, plan->insns)
PLAN_INT(get_few_rows, plan->few_rows)
PLAN_INT(get_shortest, plan->shortest)
PLAN_INT(get_longest, plan->longest)
#undef PLAN_INT

static void get_strategy(lua_State *L, const void *at, const void *owner)
{
    (void)owner;
    lua_pushstring(L, kernel_at(at)->plan->strategy);
}

static void get_why(lua_State *L, const void *at, const void *owner)
{
    (void)owner;
    lua_pushstring(L, kernel_at(at)->plan->why);
}

static void get_array_params(lua_State *L, const void *at, const void *owner)
{
    (void)owner;
    lua_pushboolean(L, kernel_at(at)->plan->array_params);
}

static void get_behind_pointer(lua_State *L, const void *at, const void *owner)
{
    (void)owner;
    lua_pushboolean(L, kernel_at(at)->plan->behind_pointer);
}

/* nil where the kernel moves whole bytes: is_bits says so first. */
static void get_bits(lua_State *L, const void *at, const void *owner)
{
    (void)owner;
    if (kernel_at(at)->is_bits) {
        sg_push_object(L, &sg_type_bits, kernel_at(at)->bits);
    } else {
        lua_pushnil(L);
    }
}

/* nil where the kernel has code of its own: is_like says so first. */
static void get_like(lua_State *L, const void *at, const void *owner)
{
    (void)owner;
    if (kernel_at(at)->is_like) {
        sg_push_object(L, &sg_type_kernel, kernel_at(at)->like);
    } else {
        lua_pushnil(L);
    }
}

static void get_output_dims(lua_State *L, const void *at, const void *owner)
{
    const sg_model_output *output = at;
    (void)owner;
    push_dims(L, output->dims, output->kernel);
}

/* nil where there is no view: has_view says so first. */
static void get_output_strides(lua_State *L, const void *at, const void *owner)
{
    const sg_model_output *output = at;
    (void)owner;
    if (output->has_view) {
        push_dims(L, output->strides, output->kernel);
    } else {
        lua_pushnil(L);
    }
}

static void get_row_values(lua_State *L, const void *at, const void *owner)
{
    push_dims(L, ((const sg_model_row *)at)->values, kernel_at(owner));
}

static const sg_model_output *insn_output(const sg_insn *insn, const sg_model_part *part)
{
    const sg_plan *plan = part->kernel->plan;
    return &part->kernel->outputs[plan->layout.columns[insn->column].output];
}

static void get_insn_op(lua_State *L, const void *at, const void *owner)
{
    const sg_insn *insn = at;
    const sg_model_part *part = owner;
    const bool byte = !part->kernel->plan->no_memcpy && insn->op != SG_INSN_CALL &&
                      insn->bytes + insn->spill == 1;
    lua_pushstring(L, byte ? "byte" : sg_opcode_get(insn->op)->name);
}

static void get_insn_symbol(lua_State *L, const void *at, const void *owner)
{
    lua_pushstring(L, insn_output(at, owner)->symbol);
}

static void get_insn_dst(lua_State *L, const void *at, const void *owner)
{
    const sg_insn *insn = at;
    const sg_model_part *part = owner;
    const int64_t base = part->base_row * insn_output(insn, part)->row_elements;
    lua_pushinteger(L, base + insn->dst / part->kernel->element_bytes);
}

static void get_insn_src(lua_State *L, const void *at, const void *owner)
{
    const sg_insn *insn = at;
    const sg_model_part *part = owner;
    const int64_t base = part->base_row * part->kernel->row_elements;
    lua_pushinteger(L, base + insn->src / part->kernel->element_bytes);
}

static void get_insn_bytes(lua_State *L, const void *at, const void *owner)
{
    (void)owner;
    lua_pushinteger(L, ((const sg_insn *)at)->bytes);
}

static void get_insn_spill(lua_State *L, const void *at, const void *owner)
{
    (void)owner;
    lua_pushinteger(L, ((const sg_insn *)at)->spill);
}

static void get_insn_elements(lua_State *L, const void *at, const void *owner)
{
    lua_pushinteger(L, ((const sg_insn *)at)->bytes /
                           ((const sg_model_part *)owner)->kernel->element_bytes);
}

/* Row of the whole tensor, or of the trip in a loop. */
static void get_insn_row(lua_State *L, const void *at, const void *owner)
{
    const sg_model_part *part = owner;
    lua_pushinteger(L, part->base_row +
                           ((const sg_insn *)at)->src / part->kernel->plan->layout.row_bytes);
}

/* --- types ------------------------------------------------------------------------------------ */

static const sg_field row_fields[] = {CALL("values", get_row_values)};
static const sg_type row_type = TYPE("row", sg_model_row, row_fields);

static const sg_field text_fields[] = {TEXT(sg_model_text, text)};
static const sg_type text_type = TYPE("text", sg_model_text, text_fields);

static const sg_field output_fields[] = {
    TEXT(sg_model_output, name),        TEXT(sg_model_output, tensor),
    TEXT(sg_model_output, symbol),      TEXT(sg_model_output, macro),
    INT(sg_model_output, index),        CALL("dims", get_output_dims),
    INT(sg_model_output, row_stride),   INT(sg_model_output, view_align),
    INT(sg_model_output, start),        INT(sg_model_output, length),
    INT(sg_model_output, elements),     INT(sg_model_output, bytes),
    FLAG(sg_model_output, moves),       INT(sg_model_output, row_offset),
    INT(sg_model_output, row_elements), TEXT(sg_model_output, view),
    TEXT(sg_model_output, view_macro),  TEXT(sg_model_output, view_why),
    FLAG(sg_model_output, has_view),    INT(sg_model_output, offset),
    INT(sg_model_output, byte_offset),  CALL("strides", get_output_strides),
    TEXT(sg_model_output, strategy),    INT(sg_model_output, dims_row),
    TEXT(sg_model_output, python),      INT(sg_model_output, strides_row),
    INT(sg_model_output, units),        INT(sg_model_output, group_bytes),
};
static const sg_type output_type = TYPE("output", sg_model_output, output_fields);

static const sg_field insn_fields[] = {
    CALL("op", get_insn_op),   CALL("symbol", get_insn_symbol),     CALL("dst", get_insn_dst),
    CALL("src", get_insn_src), CALL("bytes", get_insn_bytes),       CALL("spill", get_insn_spill),
    CALL("row", get_insn_row), CALL("elements", get_insn_elements),
};
static const sg_type insn_type = TYPE("instruction", sg_insn, insn_fields);

static const sg_field part_fields[] = {
    TEXT(sg_model_part, symbol),
    FLAG(sg_model_part, in_loop),
    FLAG(sg_model_part, is_inline),
    INT(sg_model_part, rows),
    FLAG(sg_model_part, by_outputs),
    FLAG(sg_model_part, is_shared),
    INT(sg_model_part, index),
    INT(sg_model_part, offset),
    LIST(sg_model_part, insns, insn_type),
    POINTERS(sg_model_part, outputs, output_type),
};
static const sg_type part_type = TYPE("part", sg_model_part, part_fields);

static const sg_field step_fields[] = {
    TEXT(sg_model_step, kind),
    COUNT_IF(sg_model_step, first_row, is_fixed, SAID_BY_CALLS),
    COUNT_IF(sg_model_step, end_row, is_fixed, SAID_BY_CALLS),
    INT(sg_model_step, step_rows),
    POINTERS(sg_model_step, parts, part_type),
};
static const sg_type step_type = TYPE("step", sg_model_step, step_fields);

static const sg_field constant_fields[] = {
    TEXT(sg_model_constant, symbol),     FLAG(sg_model_constant, is_array),
    FLAG(sg_model_constant, is_literal), TEXT(sg_model_constant, element),
    INTS(sg_model_constant, values),     TEXT(sg_model_constant, literal),
    INT(sg_model_constant, lanes),       FLAG(sg_model_constant, kept),
    INT(sg_model_constant, row),
};
static const sg_type constant_type = TYPE("constant", sg_model_constant, constant_fields);

static const sg_field vector_insn_fields[] = {
    FLAG(sg_model_vector_insn, is_run),   FLAG(sg_model_vector_insn, once),
    FLAG(sg_model_vector_insn, streams),  TEXT(sg_model_vector_insn, op),
    FLAG(sg_model_vector_insn, fed),      TEXT(sg_model_vector_insn, result),
    TEXT(sg_model_vector_insn, a),        TEXT(sg_model_vector_insn, b),
    TEXT(sg_model_vector_insn, constant), TEXT(sg_model_vector_insn, output),
    INT(sg_model_vector_insn, dst),       INT(sg_model_vector_insn, src),
    INT(sg_model_vector_insn, bytes),     INT(sg_model_vector_insn, dst_next),
    INT(sg_model_vector_insn, src_next),  INT(sg_model_vector_insn, step),
    TEXT(sg_model_vector_insn, string),   TEXT(sg_model_vector_insn, index_constant),
};
static const sg_type vector_insn_type =
    TYPE("vector instruction", sg_model_vector_insn, vector_insn_fields);

static const sg_field target_fields[] = {TEXT(sg_model_target, symbol), INT(sg_model_target, index),
                                         INT(sg_model_target, row_bytes)};
static const sg_type target_type = TYPE("target", sg_model_target, target_fields);

static const sg_field body_fields[] = {
    TEXT(sg_model_body, symbol),
    TEXT(sg_model_body, stream_symbol),
    TEXT(sg_model_body, ways_symbol),
    LIST(sg_model_body, constants, constant_type),
    LIST(sg_model_body, insns, vector_insn_type),
    LIST(sg_model_body, targets, target_type),
    FLAG(sg_model_body, by_offset),
    FLAG(sg_model_body, has_fed),
    FLAG(sg_model_body, has_streamed_runs),
};
static const sg_type body_type = TYPE("body", sg_model_body, body_fields);

static const sg_field slice_fields[] = {
    TEXT(sg_model_slice, symbol),  TEXT(sg_model_slice, stream_symbol), INT(sg_model_slice, count),
    INT(sg_model_slice, output),   INT(sg_model_slice, output_step),    INT(sg_model_slice, src),
    INT(sg_model_slice, src_step),
};
static const sg_type slice_type = TYPE("slice", sg_model_slice, slice_fields);

static const sg_field prediction_fields[] = {
    TEXT(sg_model_prediction, uarch),  TEXT(sg_model_prediction, title),
    TEXT(sg_model_prediction, cycles), TEXT(sg_model_prediction, kernel_cycles),
    TEXT(sg_model_prediction, bound),  TEXT(sg_model_prediction, bytes_per_cycle),
};
static const sg_type prediction_type = TYPE("prediction", sg_model_prediction, prediction_fields);

static const sg_field variant_fields[] = {
    TEXT(sg_model_variant, isa),
    TEXT(sg_model_variant, family),
    TEXT(sg_model_variant, form),
    TEXT(sg_model_variant, symbol),
    TEXT(sg_model_variant, stream_symbol),
    TEXT(sg_model_variant, feed_symbol),
    TEXT(sg_model_variant, feed_stream_symbol),
    FLAG(sg_model_variant, feeds_always),
    FLAG(sg_model_variant, feeds_instead),
    FLAG(sg_model_variant, has_window),
    FLAG(sg_model_variant, window_feeds),
    INT(sg_model_variant, window_lead),
    POINTERS(sg_model_variant, window_outputs, output_type),
    TEXT(sg_model_variant, vector),
    FLAG(sg_model_variant, in_order),
    FLAG(sg_model_variant, is_few),
    INT(sg_model_variant, head_rows),
    TEXT(sg_model_variant, turn),
    TEXT(sg_model_variant, cpu),
    INT(sg_model_variant, lane_bits),
    FLAG(sg_model_variant, wide_lanes),
    INT(sg_model_variant, index_bits),
    INT(sg_model_variant, vector_bytes),
    INT(sg_model_variant, rows),
    TEXT(sg_model_variant, cycles),
    TEXT(sg_model_variant, kernel_cycles),
    TEXT(sg_model_variant, bound),
    TEXT(sg_model_variant, bytes_per_cycle),
    TEXT(sg_model_variant, most_per_cycle),
    TEXT(sg_model_variant, tune),
    TEXT(sg_model_variant, only),
    TEXT(sg_model_variant, only_title),
    LIST(sg_model_variant, predictions, prediction_type),
    INT(sg_model_variant, block_ahead),
    INT(sg_model_variant, stream_ahead),
    INT(sg_model_variant, stream_now),
    TEXT(sg_model_variant, fronts),
    INT(sg_model_variant, front_trips),
    INT(sg_model_variant, tail_rows),
    INT(sg_model_variant, block_rows),
    LIST(sg_model_variant, bodies, body_type),
    LIST(sg_model_variant, slices, slice_type),
};
static const sg_field choice_fields[] = {
    TEXT(sg_model_choice, symbol), INT(sg_model_choice, rows), FLAG(sg_model_choice, is_past),
    INT(sg_model_choice, aligned), TEXT(sg_model_choice, off), TEXT(sg_model_choice, trait),
};
static const sg_type choice_type = TYPE("choice", sg_model_choice, choice_fields);

static const sg_type variant_type = TYPE("variant", sg_model_variant, variant_fields);

static const sg_field bit_step_fields[] = {
    TEXT(sg_model_bit_step, mask),
    INT(sg_model_bit_step, distance),
};
static const sg_type bit_step_type = TYPE("step", sg_model_bit_step, bit_step_fields);

static const sg_field bit_piece_fields[] = {
    INT(sg_model_bit_piece, src),
    INT(sg_model_bit_piece, bytes),
    FLAG(sg_model_bit_piece, is_pick),
    INT(sg_model_bit_piece, right),
    TEXT(sg_model_bit_piece, mask),
    INT(sg_model_bit_piece, left),
    LIST(sg_model_bit_piece, steps, bit_step_type),
};
static const sg_type bit_piece_type = TYPE("piece", sg_model_bit_piece, bit_piece_fields);

static const sg_field bit_op_fields[] = {
    TEXT(sg_model_bit_op, op),
    INT(sg_model_bit_op, index),
    INT(sg_model_bit_op, dst),
    INT(sg_model_bit_op, bytes),
    INT(sg_model_bit_op, src),
    INT(sg_model_bit_op, shift),
    LIST(sg_model_bit_op, pieces, bit_piece_type),
};
static const sg_type bit_op_type = TYPE("operation", sg_model_bit_op, bit_op_fields);

static const sg_field bit_block_fields[] = {
    TEXT(sg_model_bit_block, symbol),           POINTERS(sg_model_bit_block, outputs, output_type),
    LIST(sg_model_bit_block, ops, bit_op_type), FLAG(sg_model_bit_block, has_words),
    FLAG(sg_model_bit_block, has_picks),
};
static const sg_type bit_block_type = TYPE("block", sg_model_bit_block, bit_block_fields);

static const sg_field bit_body_fields[] = {
    TEXT(sg_model_bit_body, symbol),
    TEXT(sg_model_bit_body, stream_symbol),
    TEXT(sg_model_bit_body, isa),
    FLAG(sg_model_bit_body, has_pext),
    TEXT(sg_model_bit_body, run),
    TEXT(sg_model_bit_body, cpu),
    TEXT(sg_model_bit_body, suffix),
    FLAG(sg_model_bit_body, has_vectors),
    TEXT(sg_model_bit_body, vector_isa),
    INT(sg_model_bit_body, trip_groups),
    INT(sg_model_bit_body, rows),
    TEXT(sg_model_bit_body, cycles),
    TEXT(sg_model_bit_body, kernel_cycles),
    TEXT(sg_model_bit_body, bound),
    LIST(sg_model_bit_body, predictions, prediction_type),
    INT(sg_model_bit_body, front_trips),
    INT(sg_model_bit_body, lanes),

    LIST(sg_model_bit_body, constants, constant_type),
    LIST(sg_model_bit_body, insns, vector_insn_type),
};
static const sg_type bit_body_type = TYPE("body", sg_model_bit_body, bit_body_fields);

static void get_group_body(lua_State *L, const void *at, const void *owner)
{
    const sg_model_group *group = at;
    (void)owner;
    if (group->body != NULL) {
        sg_push_object(L, &bit_body_type, group->body);
    } else {
        sg_push_object(L, &variant_type, group->variant);
    }
}

static const sg_field group_fields[] = {
    CALL("body", get_group_body),
    TEXT(sg_model_group, isa),
    TEXT(sg_model_group, trait),
    INT(sg_model_group, rows),
    FLAG(sg_model_group, asks_footprint),
    TEXT(sg_model_group, share),
    FLAG(sg_model_group, asks_alignment),
    POINTERS(sg_model_group, lines, output_type),
    LIST(sg_model_group, choices, choice_type),
};
static const sg_type group_type = TYPE("group", sg_model_group, group_fields);

static const sg_field bits_fields[] = {
    TEXT(sg_model_bits, order),
    INT(sg_model_bits, rows),
    INT(sg_model_bits, group_rows),
    FLAG(sg_model_bits, has_groups),
    FLAG(sg_model_bits, has_tail),
    COUNT_IF(sg_model_bits, tail_group, has_tail, "there are no rows behind the last group"),
    INT(sg_model_bits, tail_rows),
    INT(sg_model_bits, group_bytes),
    LIST(sg_model_bits, group, bit_block_type),
    LIST(sg_model_bits, tail, bit_block_type),
    LIST(sg_model_bits, bodies, bit_body_type),
};
const sg_type sg_type_bits = TYPE("bits", sg_model_bits, bits_fields);

static const sg_field fused_fields[] = {
    TEXT(sg_model_fused, node),   TEXT(sg_model_fused, op_type), TEXT(sg_model_fused, domain),
    TEXT(sg_model_fused, tensor), INT(sg_model_fused, axis),     INT(sg_model_fused, bytes),
};
static const sg_type fused_type = TYPE("fused", sg_model_fused, fused_fields);

static const sg_field kernel_fields[] = {
    TEXT(sg_model_kernel, name),
    FLAG(sg_model_kernel, has_origin),
    TEXT(sg_model_kernel, model),
    TEXT(sg_model_kernel, sha256),
    TEXT(sg_model_kernel, node),
    TEXT(sg_model_kernel, op_type),
    TEXT(sg_model_kernel, domain),
    TEXT(sg_model_kernel, tensor),
    LIST(sg_model_kernel, path, text_type),
    LIST(sg_model_kernel, fused, fused_type),
    TEXT(sg_model_kernel, model_symbol),
    FLAG(sg_model_kernel, has_model),
    TEXT(sg_model_kernel, helper),
    FLAG(sg_model_kernel, is_like),
    CALL("like", get_like),
    FLAG(sg_model_kernel, like_shape),
    FLAG(sg_model_kernel, like_tensors),
    FLAG(sg_model_kernel, casts),
    TEXT(sg_model_kernel, dtype),
    TEXT(sg_model_kernel, dtype_macro),
    TEXT(sg_model_kernel, python),
    TEXT(sg_model_kernel, numpy),
    TEXT(sg_model_kernel, numpy_of_package),
    TEXT(sg_model_kernel, element_type),
    TEXT(sg_model_kernel, input_type),
    TEXT(sg_model_kernel, output_type),
    FLAG(sg_model_kernel, pointer_elements),
    TEXT(sg_model_kernel, data),
    TEXT(sg_model_kernel, data_macro),
    TEXT(sg_model_kernel, kind),
    TEXT(sg_model_kernel, rows_form),
    FLAG(sg_model_kernel, one_run),
    FLAG(sg_model_kernel, puts),
    TEXT(sg_model_kernel, word),
    FLAG(sg_model_kernel, shares_rows),
    FLAG(sg_model_kernel, copies_past),
    CALL("array_params", get_array_params),
    CALL("behind_pointer", get_behind_pointer),
    CALL("strategy", get_strategy),
    CALL("why", get_why),
    INT(sg_model_kernel, rank),
    CALL("dims", get_kernel_dims),
    INT(sg_model_kernel, axis),
    INT(sg_model_kernel, align),
    INT(sg_model_kernel, element_bytes),
    INT(sg_model_kernel, element_bits),
    FLAG(sg_model_kernel, is_packed),
    TEXT(sg_model_kernel, packing),
    FLAG(sg_model_kernel, is_bits),
    CALL("bits", get_bits),
    FLAG(sg_model_kernel, is_free),
    FLAG(sg_model_kernel, is_fixed),
    TEXT(sg_model_kernel, items),
    TEXT(sg_model_kernel, free_name),
    INT(sg_model_kernel, free_axis),
    INT(sg_model_kernel, expected),
    INT(sg_model_kernel, touched),
    TEXT(sg_model_kernel, free_dim),
    INT(sg_model_kernel, units),
    INT(sg_model_kernel, outer),
    INT(sg_model_kernel, inner),
    INT(sg_model_kernel, item_bytes),
    INT(sg_model_kernel, item_bits),
    INT(sg_model_kernel, elements),
    INT(sg_model_kernel, bytes),
    INT(sg_model_kernel, nparts),
    COUNT_IF(sg_model_kernel, rows, is_fixed, SAID_BY_CALLS),
    INT(sg_model_kernel, item_rows),
    INT(sg_model_kernel, row_bytes),
    INT(sg_model_kernel, row_elements),
    CALL("bytes_moved", get_bytes_moved),
    CALL("copies", get_copies),
    CALL("insns", get_insns),
    CALL("few_rows", get_few_rows),
    CALL("shortest", get_shortest),
    CALL("longest", get_longest),
    {.name = "outputs",
     .kind = SG_FIELD_LIST,
     .offset = offsetof(sg_model_kernel, outputs),
     .count = offsetof(sg_model_kernel, noutputs),
     .of = &output_type},
    POINTERS(sg_model_kernel, moved, output_type),
    POINTERS(sg_model_kernel, unmoved, output_type),
    POINTERS(sg_model_kernel, functions, part_type),
    LIST(sg_model_kernel, steps, step_type),
    POINTERS(sg_model_kernel, row_parts, part_type),
    LIST(sg_model_kernel, variants, variant_type),
    TEXT(sg_model_kernel, past),
    LIST(sg_model_kernel, groups, group_type),
    FLAG(sg_model_kernel, has_asked),
    FLAG(sg_model_kernel, has_known),
    LIST(sg_model_kernel, dims_table, row_type),
    LIST(sg_model_kernel, strides_table, row_type),
    POINTERS(sg_model_kernel, pictured, sg_type_kernel),
};
const sg_type sg_type_kernel = TYPE("kernel", sg_model_kernel, kernel_fields);

static const sg_field c_type_fields[] = {TEXT(sg_model_type, name), INT(sg_model_type, bytes)};
static const sg_type c_type_type = TYPE("type", sg_model_type, c_type_fields);

static const sg_field entry_fields[] = {TEXT(sg_model_entry, name), TEXT(sg_model_entry, symbol)};
static const sg_type entry_type = TYPE("entry", sg_model_entry, entry_fields);

static const sg_field file_fields[] = {TEXT(sg_file_entry, name), TEXT(sg_file_entry, sha256)};
static const sg_type file_type = TYPE("file", sg_file_entry, file_fields);

static const sg_field range_fields[] = {
    INT(sg_model_range, count),
    INT(sg_model_range, first),
    INT(sg_model_range, last),
};
static const sg_type range_type = TYPE("range", sg_model_range, range_fields);

static void get_function_kernel(lua_State *L, const void *at, const void *owner)
{
    (void)at;
    sg_push_object(L, &sg_type_kernel, ((const sg_model_kernel_proof *)owner)->kernel);
}

static const sg_field function_proof_fields[] = {
    CALL("kernel", get_function_kernel),
    TEXT(sg_model_function_proof, symbol),
    TEXT(sg_model_function_proof, family),
    TEXT(sg_model_function_proof, cpu),
    INT(sg_model_function_proof, least),
    INT(sg_model_function_proof, aligned),
    POINTERS(sg_model_function_proof, lines, output_type),
    FLAG(sg_model_function_proof, is_past),
    FLAG(sg_model_function_proof, has_strings),
    FLAG(sg_model_function_proof, asks_place),
    LIST(sg_model_function_proof, ranges, range_type),
};
static const sg_type function_proof_type =
    TYPE("function_proof", sg_model_function_proof, function_proof_fields);

static void get_proof_kernel(lua_State *L, const void *at, const void *owner)
{
    (void)owner;
    sg_push_object(L, &sg_type_kernel, ((const sg_model_kernel_proof *)at)->kernel);
}

static const sg_field kernel_proof_fields[] = {
    CALL("kernel", get_proof_kernel),
    LIST(sg_model_kernel_proof, functions, function_proof_type),
    FLAG(sg_model_kernel_proof, is_whole),
    LIST(sg_model_kernel_proof, entrances, range_type),
    INTS(sg_model_kernel_proof, answers),
};
static const sg_type kernel_proof_type =
    TYPE("kernel_proof", sg_model_kernel_proof, kernel_proof_fields);

static const sg_field answer_fields[] = {
    TEXT(sg_model_answer, title),
    TEXT(sg_model_answer, bits),
    FLAG(sg_model_answer, is_turn),
    FLAG(sg_model_answer, is_string),
};
static const sg_type answer_type = TYPE("answer", sg_model_answer, answer_fields);

static const sg_field proof_fields[] = {
    LIST(sg_model_proof, kernels, kernel_proof_type),
    LIST(sg_model_proof, answers, answer_type),
};
static const sg_type proof_type = TYPE("proof", sg_model_proof, proof_fields);

static void get_proof(lua_State *L, const void *at, const void *owner)
{
    (void)owner;
    sg_push_object(L, &proof_type, sg_model_proof_build(at));
}

static const sg_field unit_fields[] = {
    TEXT(sg_model, version),
    LIST(sg_model, command, text_type),
    LIST(sg_model, files, file_type),
    TEXT(sg_model, stem),
    TEXT(sg_model, stem_macro),
    TEXT(sg_model, guard),
    TEXT(sg_model, registry),
    TEXT(sg_model, selftest),
    TEXT(sg_model, header),
    INT(sg_model, abi),
    INT(sg_model, largest_bytes),
    FLAG(sg_model, needs_range),
    FLAG(sg_model, has_variants),
    FLAG(sg_model, has_bits),
    FLAG(sg_model, has_puts),
    FLAG(sg_model, no_memcpy),
    FLAG(sg_model, has_packed),
    TEXT(sg_model, cpu),
    TEXT(sg_model, asked_cpu),
    FLAG(sg_model, asks_cpu),
    LIST(sg_model, kernels, sg_type_kernel),
    LIST(sg_model, types, c_type_type),
    LIST(sg_model, entries, entry_type),
    CALL("proof", get_proof),
    POINTERS(sg_model, pictures, sg_type_kernel),
    INT(sg_model, picture_columns),
    INT(sg_model, picture_rows),
    INT(sg_model, picture_parts),
};
const sg_type sg_type_unit = TYPE("unit", sg_model, unit_fields);

const sg_type *const sg_types[] = {
    &constant_type,   &vector_insn_type, &target_type,    &body_type,           &slice_type,
    &text_type,       &file_type,        &fused_type,     &variant_type,        &choice_type,
    &group_type,      &row_type,         &output_type,    &insn_type,           &part_type,
    &prediction_type, &step_type,        &sg_type_kernel, &c_type_type,         &sg_type_unit,
    &sg_type_bits,    &bit_body_type,    &bit_block_type, &bit_op_type,         &bit_piece_type,
    &bit_step_type,   &entry_type,       &range_type,     &function_proof_type, &kernel_proof_type,
    &answer_type,     &proof_type};
const size_t sg_types_count = sizeof sg_types / sizeof sg_types[0];
