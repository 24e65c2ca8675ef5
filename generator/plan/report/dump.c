/* Stable text of every stage, for --dump and the tests that read it: one walk over a table of the
 * members of each structure. A structure is a line, and the structures that it contains are lines
 * below it. A member is its name and its value, and is not printed if the value is a default one:
 * a flag that is false, a number that is 0, no text, no trait. The stages layout, plan and program
 * together have every member of a plan. */
#include "plan/report/dump.h"

#include <inttypes.h>
#include <string.h>

#include "plan/bits/bit_program.h"
#include "plan/choose/choices.h"
#include "plan/functions/function.h"
#include "plan/insn.h"
#include "plan/params.h"

typedef struct walk {
    sg_buf *out;
    const sg_split *split;
    const sg_plan *plan;
    int rank;            /* of what DIMS prints */
    int64_t index;       /* of the structure in its list */
    const sg_body *body; /* the last one */
} walk;

typedef enum member_kind {
    NUMBER, /* an integer or a bool, of `size` bytes */
    SHOWN,  /* the same, also if it is 0 */
    DECIMAL,
    BITS,   /* a uint64_t in hexadecimal */
    TEXT,   /* in quotes */
    TITLE,  /* a name, without the member's */
    WORD,   /* an enumerator, by `word` */
    NAMED,  /* the same without the member's name */
    DIMS,   /* an integer for each dimension */
    PLACE,  /* an sg_ref */
    SAID,   /* values with their places in the source: sg_op_int, */
    STATED, /* sg_op_text, */
    LISTED, /* sg_op_list */
    CALL,   /* what `add` appends */
    LIST,   /* structures below this one: an array at a pointer, */
    ARRAY,  /* `count` structures in this one, or */
    ONE     /* one at a pointer */
} member_kind;

typedef struct type type;
typedef struct member {
    const char *name;
    member_kind kind;
    size_t offset;
    size_t size;
    size_t
        count; /* offset of the int64_t or int with the length of a list; of an array, the length */
    size_t count_size;
    const type *of;
    const char *(*word)(int64_t value);
    void (*add)(walk *w, const void *at);
} member;

struct type {
    const char *title;
    size_t size;
    const member *members;
    size_t nmembers;
};

/* --- words ------------------------------------------------------------------------------------ */

const char *sg_view_name(sg_view_kind view)
{
    static const char *const names[] = {"contiguous", "strided", "copy"};
    return names[view];
}

const char *sg_plan_kind_name(sg_plan_kind plan)
{
    static const char *const names[] = {"empty", "straight", "rows"};
    return names[plan];
}

const char *sg_port_name(sg_port port)
{
    static const char *const names[] = {
        "loads",      "stores", "vector instructions", "shuffles", "instructions of all kinds",
        "blend masks"};
    return names[port];
}

/* word_NAME(value): the word that `expression` finds for an enumerator. */
#define WORDS(name, expression)                                                                    \
    static const char *word_##name(int64_t value)                                                  \
    {                                                                                              \
        return expression;                                                                         \
    }
/* The same from a list. */
#define WORD_LIST(name, ...) WORDS(name, ((const char *const[]){__VA_ARGS__})[value])

WORDS(op_kind, sg_op_kind_name((sg_op_kind)value))
WORDS(dtype, sg_dtype_get((sg_dtype)value)->name)
WORDS(packing, value == SG_PACKING_NONE ? NULL : sg_packing_name((sg_packing)value))
WORDS(view, sg_view_name((sg_view_kind)value))
WORDS(plan_kind, sg_plan_kind_name((sg_plan_kind)value))
WORDS(port, sg_port_name((sg_port)value))
WORDS(role, sg_param_role_name((sg_param_role)value))
WORDS(uarch, sg_uarch_name((sg_uarch)value))
WORDS(trait, sg_trait_id((sg_trait)value))
WORDS(opcode, sg_opcode_get((sg_opcode)value)->name)
WORDS(store_mode, sg_store_mode_name((sg_store_mode)value))
WORDS(loop, sg_loop_get((sg_loop)value)->name)
WORD_LIST(non_temporal, "never", "large", "always")
WORD_LIST(optimize, "speed", "size")
WORD_LIST(footprint, "any", "rows", "many")
WORD_LIST(combining, NULL, "unaligned", "always", "non-temporal")
WORD_LIST(interleaving, "iterations", "runs", "none")
WORD_LIST(copy, NULL, "put", "short", "vectors", "run", "call")
WORD_LIST(constant, "index", "mask")
WORD_LIST(bit_op, "word", "run")

/* --- values ----------------------------------------------------------------------------------- */

static int64_t number_at(const void *at, size_t size)
{
    return size == sizeof(bool)  ? *(const bool *)at
           : size == sizeof(int) ? *(const int *)at
                                 : *(const int64_t *)at;
}

static void add_span(walk *w, sg_span span)
{
    size_t line = 0;
    size_t column = 0;
    if (span.source != NULL) {
        sg_source_locate(span.source, span.begin, &line, &column);
        sg_buf_printf(w->out, " @%zu:%zu", line, column);
    }
}

/* "*", "768", "197*batch=64?": dynamic dimensions with their expected lengths. */
static void add_item(walk *w, const sg_op_num *item)
{
    if (item->rest) {
        sg_buf_addc(w->out, '*');
    } else if (item->nopen == 0 || item->value != 1) {
        sg_buf_printf(w->out, "%" PRId64 "%s", item->value, item->nopen > 0 ? "*" : "");
    }
    for (int64_t i = 0; i < item->nopen; ++i) {
        sg_buf_addz(w->out, i > 0 ? "*" : "");
        sg_buf_add_visiblez(w->out, item->open[i].name);
        sg_buf_printf(w->out, "=%" PRId64 "?", item->open[i].expected);
    }
}

static void add_list(walk *w, const char *name, const sg_op_list *list)
{
    if (!list->present) {
        return;
    }
    sg_buf_printf(w->out, " %s [", name);
    for (int64_t i = 0; i < list->count; ++i) {
        sg_buf_addz(w->out, i > 0 ? "," : "");
        add_item(w, &list->items[i]);
    }
    sg_buf_addc(w->out, ']');
    add_span(w, list->span);
}

static void add_place(walk *w, const char *name, const sg_ref *ref)
{
    if (ref->part == SG_WHOLE) {
        sg_buf_printf(w->out, " %s whole+%" PRId64, name, ref->at);
    } else {
        sg_buf_printf(w->out, " %s %" PRId64 "+%" PRId64, name, ref->part, ref->at);
    }
}

static void add_text(walk *w, const char *name, const char *text)
{
    if (text != NULL) {
        sg_buf_printf(w->out, " %s%s", name, name[0] != '\0' ? " " : "");
        sg_buf_add_visiblez(w->out, text);
    }
}

static void add_op_name(walk *w, const void *at)
{
    const sg_op *op = at;
    add_text(w, "", op->name.present ? op->name.text : op->default_name);
    add_span(w, op->span);
}

/* The shape of the split's full tensor, with names of dynamic dimensions: "[batch,1024]". */
static void add_shape(walk *w, const void *at)
{
    const sg_split *split = at;
    sg_arena arena;
    sg_arena_init(&arena);
    for (int d = 0; d < split->rank; ++d) {
        sg_buf_addz(w->out, d > 0 ? "," : " [");
        sg_buf_add_visiblez(w->out, sg_split_dim_text(&arena, split, d, split->dims[d]));
    }
    sg_buf_addc(w->out, ']');
    sg_arena_free(&arena);
}

static void add_powers(walk *w, const void *at)
{
    (void)at;
    for (int d = 0; d < w->split->rank; ++d) {
        sg_buf_printf(w->out, "%s%d", d > 0 ? "," : " powers ",
                      sg_split_power(w->split, d, (int)w->index));
    }
}

static void add_split_name(walk *w, const void *at)
{
    (void)at;
    add_text(w, "", w->split->name);
}

static void add_gaps(walk *w, const void *at)
{
    const sg_map_part *part = at;
    for (int64_t g = 0; part->gaps != NULL && g < w->plan->map.ngroups; ++g) {
        sg_buf_printf(w->out, "%s%" PRId64, g > 0 ? "," : " gaps ", part->gaps[g]);
    }
}

static void add_output_names(walk *w, const void *at)
{
    const sg_output *output = at;
    w->rank = sg_part_rank(w->split, output->part);
    add_text(w, "", output->part->c_name);
    add_text(w, "parameter", output->param != NULL ? output->param->c_name : NULL);
}

/* The instruction set of a choice's body, or the kind of machine of one over bits. */
static void add_choice(walk *w, const void *at)
{
    const sg_choice *choice = at;
    add_text(w, "",
             choice->body == SG_CHOICE_PORTABLE ? "portable"
             : w->plan->bits != NULL ? sg_bit_body_name(w->plan->bits->bodies[choice->body])
                                     : w->plan->bodies[choice->body].isa->id);
    for (sg_trait t = SG_TRAIT_NONE; sg_trait_next(choice->traits, &t);) {
        add_text(w, "trait", sg_trait_id(t));
    }
}

static void add_body(walk *w, const void *at)
{
    w->body = at;
    add_text(w, "", w->body->isa->id);
}

static void add_machine(walk *w, const void *at)
{
    (void)at;
    add_text(w, "", sg_uarch_name((sg_uarch)w->index));
}

static void add_lanes(walk *w, const void *at)
{
    const sg_constant *constant = at;
    for (int lane = 0; lane < w->body->lanes; ++lane) {
        sg_buf_printf(w->out, "%c%d", lane > 0 ? ',' : ' ', constant->lanes[lane]);
    }
}

/* The registers, places and the constant that the instruction has. */
static void add_operands(walk *w, const void *at)
{
    const sg_insn *insn = at;
    const sg_opcode_info *op = sg_opcode_get(insn->op);
    const int reads[] = {insn->a, insn->b};
    if (op->does == SG_DOES_LOAD || op->does == SG_DOES_ALU) {
        sg_buf_printf(w->out, " reg r%d", insn->reg);
    }
    if (op->does == SG_DOES_RUN || op->does == SG_DOES_STORE) {
        add_place(w, "to", &insn->to);
    }
    if (op->does != SG_DOES_STORE && op->does != SG_DOES_ALU) {
        add_place(w, "from", &insn->from);
    }
    for (int k = 0; k < op->reads; ++k) {
        sg_buf_printf(w->out, " r%d", reads[k]);
    }
    if (op->constant != SG_CONSTANT_NONE) {
        sg_buf_printf(w->out, " c%" PRId64, insn->constant);
    }
}

static void add_bit_bodies(walk *w, const void *at)
{
    const sg_bits *bits = at;
    for (int64_t b = 0; b < bits->nbodies; ++b) {
        add_text(w, "body", sg_bit_body_name(bits->bodies[b]));
    }
}

/* What a run reads; a word has pieces. */
static void add_read(walk *w, const void *at)
{
    const sg_bit_op *op = at;
    if (op->op == SG_BIT_RUN) {
        add_place(w, "from", &op->from);
    }
}

/* --- the table -------------------------------------------------------------------------------- */

/* clang-format off */
#define AT(type, member)            .offset = offsetof(sg_##type, member), .size = sizeof(((sg_##type *)0)->member)
#define N(type, member)             {#member, NUMBER, AT(type, member)}
#define S(type, member)             {#member, SHOWN, AT(type, member)}
#define VALUE(type, kind, member)   {#member, kind, AT(type, member)}
#define W(type, kind, member, list) {#member, kind, AT(type, member), .word = word_##list}
#define ADD(function)               {"", CALL, .add = function}
#define ALL(type, member, number, element) \
    {#member, LIST, AT(type, member), .of = &element##_type, .count = offsetof(sg_##type, number), \
     .count_size = sizeof(((sg_##type *)0)->number)}
#define ANY(type, kind, member, length, element) \
    {#member, kind, AT(type, member), .of = &element##_type, .count = (length)}
#define TYPE(name, type_, title, ...) \
    static const member name##_members[] = {__VA_ARGS__}; \
    static const type name##_type = {title, sizeof(sg_##type_), name##_members, \
                                     sizeof name##_members / sizeof(member)};

TYPE(op_part, op_output, "part", VALUE(op_output, TITLE, name), N(op_output, wanted), VALUE(op_output, SAID, view),
     VALUE(op_output, STATED, dtype), VALUE(op_output, LISTED, shape), VALUE(op_output, LISTED, strides),
     VALUE(op_output, SAID, row_stride), N(op_output, without_axis))
TYPE(op, op, "op", W(op, NAMED, kind, op_kind), ADD(add_op_name), VALUE(op, STATED, dtype), VALUE(op, LISTED, shape),
     VALUE(op, SAID, opset), VALUE(op, SAID, axis), VALUE(op, LISTED, lengths), VALUE(op, SAID, parts),
     N(op, outputs.count), VALUE(op, SAID, row_stride), VALUE(op, LISTED, strides), VALUE(op, SAID, align),
     VALUE(op, STATED, packing), ALL(op, outputs.items, outputs.count, op_part))
TYPE(open, open, "open", VALUE(open, TITLE, c_name), S(open, expected), ADD(add_powers))
TYPE(split_part, part, "part", VALUE(part, TITLE, c_name), S(part, start), S(part, length), S(part, bytes),
     N(part, wanted), N(part, view_only), N(part, without_axis), N(part, unread), S(part, row_stride),
     VALUE(part, DIMS, strides), N(part, at), VALUE(part, TEXT, copied))
TYPE(split, split, "split", VALUE(split, TITLE, name), W(split, NAMED, dtype, dtype), ADD(add_shape), S(split, axis),
     N(split, joins), {"outer", SHOWN, AT(split, outer.factor)}, {"inner", SHOWN, AT(split, inner.factor)},
     S(split, elements), S(split, bytes), S(split, align), S(split, row_stride), VALUE(split, DIMS, strides),
     W(split, WORD, packing, packing), ALL(split, open, nopen, open),
     ALL(split, parts, nparts, split_part))
TYPE(rows, map_group, "group", S(map_group, rows), N(map_group, gap))
TYPE(column, map_part, "column", S(map_part, tensor), S(map_part, offset), S(map_part, width),
     S(map_part, row_stride), ADD(add_gaps))
TYPE(layout, plan, "layout", ADD(add_split_name), S(plan, map.rows), S(plan, map.row_stride), S(plan, map.unit_bits),
     S(plan, map.element), N(plan, map.gap), N(plan, map.scales), N(plan, map.joins),
     ALL(plan, map.groups, map.ngroups, rows), ALL(plan, map.parts, map.nparts, column))
TYPE(output, output, "output", ADD(add_output_names), VALUE(output, DIMS, dims), S(output, column),
     W(output, WORD, view, view), S(output, byte_offset), N(output, row_stride), N(output, view_align),
     VALUE(output, DIMS, strides), N(output, held), VALUE(output, TEXT, view_why), VALUE(output, TEXT, strategy))
TYPE(param, param, "parameter", W(param, NAMED, role, role), VALUE(param, TITLE, c_name), S(param, place),
     N(param, passed), N(param, is_const), N(param, may_be_null), N(param, bytes))
TYPE(choice, choice, "choice", ADD(add_choice), S(choice, body), W(choice, WORD, store_mode, store_mode),
     S(choice, rows), W(choice, WORD, footprint, footprint), S(choice, aligned), S(choice, off))
TYPE(prediction, prediction, "on", ADD(add_machine), VALUE(prediction, DECIMAL, cycles),
     VALUE(prediction, DECIMAL, all), W(prediction, WORD, bound, port))
TYPE(body, body, "body", ADD(add_body), W(body, WORD, tune, uarch), W(body, WORD, only, uarch),
     W(body, WORD, trait, trait), VALUE(body, DECIMAL, cycles), W(body, WORD, bound, port), N(body, tile_rows),
     N(body, tail_rows), N(body, block_rows), N(body, prefetch_block_bytes), N(body, prefetch_far),
     N(body, prefetch_now), N(body, vector_bytes), N(body, vector_rows), N(body, allows_non_temporal),
     N(body, combines_non_temporal), W(body, WORD, combining_trait, trait), N(body, prologue_rows),
     W(body, WORD, interleaving, interleaving), N(body, stream_iterations),
     ANY(body, ARRAY, on, SG_UARCH_COUNT, prediction))
TYPE(bits, bits, "bits", S(bits, group_rows), S(bits, groups), N(bits, msb), ADD(add_bit_bodies))
TYPE(plan, plan, "plan", ADD(add_split_name), W(plan, NAMED, kind, plan_kind), N(plan, bytes_moved), N(plan, copies),
     N(plan, insns), N(plan, shortest), N(plan, longest), W(plan, WORD, non_temporal, non_temporal),
     W(plan, WORD, optimize, optimize), N(plan, array_params), N(plan, gathers), N(plan, few_rows), N(plan, puts),
     N(plan, no_memcpy), N(plan, plain), VALUE(plan, TEXT, why), VALUE(plan, TEXT, strategy),
     ALL(plan, outputs, noutputs, output), ALL(plan, params, nparams, param),
     ALL(plan, choices, nchoices, choice), ALL(plan, bodies, nbodies, body),
     ANY(plan, ONE, bits, 1, bits))
TYPE(constant, constant, "constant", W(constant, NAMED, kind, constant), ADD(add_lanes), N(constant, wide),
     W(constant, WORD, op, opcode))
TYPE(block, block, "block", S(block, first), S(block, count), S(block, alias_of), N(block, part), N(block, at))
TYPE(insn, insn, "insn", W(insn, NAMED, op, opcode), N(insn, bytes), ADD(add_operands), N(insn, step),
     N(insn, overrun), W(insn, WORD, copy, copy), N(insn, lines), N(insn, ragged), N(insn, combines))
TYPE(fold, fold, "fold", S(fold, first), S(fold, count), S(fold, times), S(fold, rows))
TYPE(code, code, "code", N(code, rows), N(code, by_outputs), N(code, registers),
     ALL(code, constants, nconstants, constant), ALL(code, insns, ninsns, insn),
     ALL(code, blocks, nblocks, block), ALL(code, folds, nfolds, fold))
TYPE(slice, slice, "slice", S(slice, code), S(slice, part), S(slice, at))
TYPE(variant, body, "body", ADD(add_body), S(body, rows_per_iteration), S(body, lanes), S(body, lane_bytes),
     W(body, WORD, write_combining, combining), N(body, is_few), S(body, planned_rows),
     ALL(body, slices, nslices, slice), ALL(body, codes, ncodes, code))
TYPE(piece, bit_piece, "piece", VALUE(bit_piece, PLACE, from), S(bit_piece, bytes), VALUE(bit_piece, BITS, mask),
     S(bit_piece, shift))
TYPE(bit_op, bit_op, "op", W(bit_op, NAMED, op, bit_op), S(bit_op, bytes), VALUE(bit_op, PLACE, to), ADD(add_read),
     N(bit_op, shift), N(bit_op, first), N(bit_op, npieces))
TYPE(segment, bit_segment, "segment", N(bit_segment, rows), ALL(bit_segment, ops, nops, bit_op),
     ALL(bit_segment, pieces, npieces, piece), ALL(bit_segment, blocks, nblocks, block))
TYPE(bit_program, bits, "bits", S(bits, groups), ANY(bits, ARRAY, group, 1, segment),
     ANY(bits, ARRAY, tail, 1, segment))
TYPE(function, function, "function", S(function, body), W(function, WORD, store_mode, store_mode), S(function, code),
     W(function, WORD, loop.loop, loop), N(function, loop.rows), N(function, loop.tiles), N(function, loop.most),
     N(function, loop.bytes), N(function, loop.vector), N(function, loop.turn), N(function, loop.now),
     N(function, loop.far), N(function, loop.prologue), N(function, loop.block), N(function, loop.ahead),
     N(function, loop.others), N(function, loop.is_prologue), N(function, loop.joins))
TYPE(program, plan, "program", ADD(add_split_name), N(plan, block_rows), N(plan, block_bytes), N(plan, open_isas),
     ANY(plan, ARRAY, iteration, 1, code), ANY(plan, ARRAY, row, 1, code), ALL(plan, bodies, nbodies, variant),
     ANY(plan, ONE, bits, 1, bit_program), ALL(plan, functions, nfunctions, function))
/* clang-format on */

/* --- the walk
   --------------------------------------------------------------------------------- */

static void walk_type(walk *w, int indent, const type *of, const void *at);

static int64_t count_of(const member *m, const char *structure)
{
    return m->kind == LIST ? number_at(structure + m->count, m->count_size) : (int64_t)m->count;
}

/* Whether a structure in another one, or at an entry of an array, is not just empty. */
static bool has_any(const type *of, const char *structure)
{
    bool any = false;
    for (size_t i = 0; i < of->nmembers; ++i) {
        const member *m = &of->members[i];
        const char *at = structure + m->offset;
        any = any || (m->kind == NUMBER && number_at(at, m->size) != 0) || m->kind == SHOWN ||
              (m->kind == DECIMAL && *(const double *)(const void *)at > 0);
    }
    return any;
}

static void add_dims(walk *w, const char *name, const int64_t *dims)
{
    for (int d = 0; dims != NULL && d < w->rank; ++d) {
        sg_buf_printf(w->out, "%s%s%s%" PRId64, d > 0 ? "," : " ", d > 0 ? "" : name,
                      d > 0 ? "" : " [", dims[d]);
    }
    sg_buf_addz(w->out, dims != NULL ? "]" : "");
}

/* Appends a member of a structure to its line. */
static void add_member(walk *w, const member *m, const char *structure)
{
    const void *at = structure + m->offset;
    const char *dot = strrchr(m->name, '.');
    const char *name = dot != NULL ? dot + 1 : m->name; /* "rows" of loop.rows */
    switch (m->kind) {
    case NUMBER:
    case SHOWN:
        if (m->kind == NUMBER && m->size == sizeof(bool) && *(const bool *)at) {
            sg_buf_printf(w->out, " %s", name);
        } else if (m->kind == SHOWN || number_at(at, m->size) != 0) {
            sg_buf_printf(w->out, " %s %" PRId64, name, number_at(at, m->size));
        }
        break;
    case DECIMAL:
        sg_buf_printf(w->out, " %s %.2f", name, *(const double *)at);
        break;
    case BITS:
        sg_buf_printf(w->out, " %s 0x%" PRIx64, name, *(const uint64_t *)at);
        break;
    case TEXT:
        if (*(const char *const *)at != NULL) {
            sg_buf_printf(w->out, " %s ", name);
            sg_buf_add_jsonz(w->out, *(const char *const *)at);
        }
        break;
    case TITLE:
        add_text(w, "", *(const char *const *)at);
        break;
    case WORD:
    case NAMED:
        add_text(w, m->kind == NAMED ? "" : name, m->word(number_at(at, m->size)));
        break;
    case DIMS:
        add_dims(w, name, *(const int64_t *const *)at);
        break;
    case PLACE:
        add_place(w, name, at);
        break;
    case SAID:
        if (((const sg_op_int *)at)->present) {
            sg_buf_printf(w->out, " %s %" PRId64, name, ((const sg_op_int *)at)->value);
            add_span(w, ((const sg_op_int *)at)->span);
        }
        break;
    case STATED:
        if (((const sg_op_text *)at)->present) {
            add_text(w, name, ((const sg_op_text *)at)->text);
            add_span(w, ((const sg_op_text *)at)->span);
        }
        break;
    case LISTED:
        add_list(w, name, at);
        break;
    case CALL:
        m->add(w, structure);
        break;
    case LIST:
    case ARRAY:
    case ONE: /* on lines of their own */
        break;
    }
}

/* Appends the lines of the structures in one, or below it. */
static void walk_list(walk *w, int indent, const member *m, const char *structure)
{
    const char *at = structure + m->offset;
    at = m->kind == ARRAY ? at : *(const char *const *)(const void *)at;
    const int64_t count = at != NULL ? count_of(m, structure) : 0;
    for (int64_t i = 0; i < count; ++i) {
        const char *item = at + (size_t)i * m->of->size;
        w->index = i;
        if (m->kind == ARRAY && !has_any(m->of, item)) {
            continue;
        }
        sg_buf_printf(w->out, "%*s%s", indent, "",
                      m->kind == ARRAY && count == 1 ? m->name : m->of->title);
        if (m->kind == LIST) {
            sg_buf_printf(w->out, " %" PRId64, i);
        }
        walk_type(w, indent, m->of, item);
    }
}

/* Appends the rest of the line of a structure, and the lines below it. */
static void walk_type(walk *w, int indent, const type *of, const void *at)
{
    for (size_t i = 0; i < of->nmembers; ++i) {
        add_member(w, &of->members[i], at);
    }
    sg_buf_addc(w->out, '\n');
    for (size_t i = 0; i < of->nmembers; ++i) {
        if (of->members[i].kind >= LIST) {
            walk_list(w, indent + 2, &of->members[i], at);
        }
    }
}

static void dump(sg_buf *out, const sg_split *split, const sg_plan *plan, const type *of,
                 const void *at)
{
    walk w = {.out = out, .split = split, .plan = plan, .rank = split != NULL ? split->rank : 0};
    sg_buf_addz(out, of->title);
    walk_type(&w, 0, of, at);
}

void sg_dump_op(sg_buf *out, const sg_op *from)
{
    dump(out, NULL, NULL, &op_type, from);
}

void sg_dump_split(sg_buf *out, const sg_split *split)
{
    dump(out, split, NULL, &split_type, split);
}

void sg_dump_layout(sg_buf *out, const sg_plan *plan)
{
    dump(out, plan->split, plan, &layout_type, plan);
}

void sg_dump_plan(sg_buf *out, const sg_plan *plan)
{
    dump(out, plan->split, plan, &plan_type, plan);
}

void sg_dump_program(sg_buf *out, const sg_plan *plan)
{
    dump(out, plan->split, plan, &program_type, plan);
}
