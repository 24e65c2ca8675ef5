/* Tests of the notation: every form it accepts, the place of every value, every syntax error
 * with its exact place and wording. The meaning of the numbers is tested with resolve. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "frontend/notation/notation.h"
#include "frontend/notation/notation_lex.h"

typedef struct fixture {
    sg_arena arena;
    sg_diag diag;
    sg_op_array ops;
    const sg_source *source;
    bool ok;
} fixture;

static fixture *parse_range(const char *text, size_t len, size_t begin, size_t end)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    sg_arena_init(&f->arena);
    sg_diag_init(&f->diag, &f->arena);
    f->source = sg_source_new(&f->arena, "<command line>", text, len);
    f->ok = sg_notation_parse(&f->arena, &f->diag, f->source, begin, end, "dflt", &f->ops);
    return f;
}

static fixture *parse_bytes(const char *text, size_t len)
{
    return parse_range(text, len, 0, len);
}

static fixture *parse(const char *text)
{
    return parse_bytes(text, strlen(text));
}

static void done(fixture *f)
{
    sg_arena_free(&f->arena);
    free(f);
}

static const sg_op *op_at(const fixture *f, int64_t i)
{
    if (!f->ok) {
        fail_msg("'%s': %s", f->source->text, f->diag.first->message);
    }
    assert_true(i < f->ops.count);
    return f->ops.items[i];
}

/* The span holds exactly this text (which must be there once, or the check is too weak). */
static void assert_span(sg_span span, size_t begin, const char *text)
{
    assert_non_null(span.source);
    assert_int_equal(span.begin, begin);
    assert_int_equal(span.end, begin + strlen(text));
    assert_memory_equal(span.source->text + span.begin, text, strlen(text));
}

static void assert_num(sg_op_num num, int64_t value, bool rest, size_t begin, const char *text)
{
    assert_int_equal(num.value, value);
    assert_int_equal(num.rest, rest);
    assert_span(num.span, begin, text);
}

static void assert_output(sg_op_output output, const char *name, bool wanted, size_t begin,
                          const char *text)
{
    if (name == NULL) {
        assert_null(output.name);
    } else {
        assert_non_null(output.name);
        assert_string_equal(output.name, name);
    }
    assert_int_equal(output.wanted, wanted);
    assert_span(output.span, begin, text);
}

static void test_every_field_and_place(void **state)
{
    (void)state;
    fixture *f = parse("qkv: f32[1,1024,2304] @2 -> q:768 k:768 v:*");
    /*                 0    5   8   11   16     23 25 28    34    40 42  */
    const sg_op *op = op_at(f, 0);
    assert_int_equal(f->ops.count, 1);
    assert_int_equal(op->kind, SG_OP_SPLIT);
    assert_true(op->name.present);
    assert_string_equal(op->name.text, "qkv");
    assert_span(op->name.span, 0, "qkv");
    assert_string_equal(op->default_name, "dflt");
    assert_true(op->dtype.present);
    assert_string_equal(op->dtype.text, "f32");
    assert_span(op->dtype.span, 5, "f32");
    assert_true(op->shape.present);
    assert_int_equal(op->shape.count, 3);
    assert_span(op->shape.span, 8, "[1,1024,2304]");
    assert_num(op->shape.items[0], 1, false, 9, "1");
    assert_num(op->shape.items[1], 1024, false, 11, "1024");
    assert_num(op->shape.items[2], 2304, false, 16, "2304");
    assert_true(op->axis.present);
    assert_int_equal(op->axis.value, 2);
    assert_int_equal(op->axis_rank, 0);
    assert_int_equal(op->axis_count, 1);
    assert_span(op->axis.span, 23, "2");
    assert_true(op->lengths.present);
    assert_int_equal(op->lengths.count, 3);
    assert_span(op->lengths.span, 28, "q:768 k:768 v:*");
    assert_num(op->lengths.items[0], 768, false, 30, "768");
    assert_num(op->lengths.items[1], 768, false, 36, "768");
    assert_num(op->lengths.items[2], -1, true, 42, "*");
    assert_true(op->outputs.present);
    assert_false(op->outputs.is_count);
    assert_int_equal(op->outputs.count, 3);
    assert_span(op->outputs.span, 28, "q:768 k:768 v:*");
    assert_output(op->outputs.items[0], "q", true, 28, "q");
    assert_output(op->outputs.items[1], "k", true, 34, "k");
    assert_output(op->outputs.items[2], "v", true, 40, "v");
    assert_false(op->parts.present);
    assert_false(op->opset.present);
    assert_false(op->align.present);
    assert_false(op->packing.present);
    assert_span(op->span, 0, "qkv: f32[1,1024,2304] @2 -> q:768 k:768 v:*");
    done(f);
}

static void test_free_dimensions(void **state)
{
    (void)state;
    fixture *f = parse("f32[batch = 64 ?,f32?,-1, N=-5?] -> 2");
    const sg_op_list *shape = &op_at(f, 0)->shape;
    assert_int_equal(shape->count, 4);
    assert_num(shape->items[0], 1, false, 4, "batch = 64 ?");
    assert_string_equal(shape->items[0].open->name, "batch");
    assert_int_equal(shape->items[0].open->expected, 64);
    assert_num(shape->items[1], 1, false, 17, "f32?");
    assert_string_equal(shape->items[1].open->name, "f32");
    assert_int_equal(shape->items[1].open->expected, 1);
    assert_num(shape->items[2], -1, false, 22, "-1");
    assert_int_equal(shape->items[2].nopen, 0);
    assert_num(shape->items[3], 1, false, 26, "N=-5?");
    assert_int_equal(shape->items[3].open->expected, -5);
    done(f);
}

static void test_bare_lengths(void **state)
{
    (void)state;
    fixture *f = parse("f32[8,6144] @-1 -> 4096,1024 ,\t*");
    const sg_op *op = op_at(f, 0);
    assert_false(op->name.present);
    assert_null(op->name.text);
    assert_int_equal(op->axis.value, -1);
    assert_span(op->axis.span, 13, "-1");
    assert_int_equal(op->lengths.count, 3);
    assert_num(op->lengths.items[0], 4096, false, 19, "4096");
    assert_num(op->lengths.items[1], 1024, false, 24, "1024");
    assert_num(op->lengths.items[2], -1, true, 31, "*");
    assert_false(op->outputs.present);
    assert_false(op->parts.present);
    assert_span(op->span, 0, "f32[8,6144] @-1 -> 4096,1024 ,\t*");
    done(f);
}

static void test_one_length_and_no_axis(void **state)
{
    (void)state;
    fixture *f = parse("u8[4]->4");
    const sg_op *op = op_at(f, 0);
    assert_false(op->axis.present);
    assert_int_equal(op->lengths.count, 1);
    assert_num(op->lengths.items[0], 4, false, 7, "4");
    assert_span(op->lengths.span, 7, "4");
    done(f);
}

/* The syntax accepts every integer; resolve decides whether -5 is a length. */
static void test_numbers_are_not_checked(void **state)
{
    (void)state;
    fixture *f = parse("t[-1,0,9223372036854775807] @ -9223372036854775808->-1,-5 -0 007");
    const sg_op *op = op_at(f, 0);
    assert_int_equal(op->shape.items[0].value, -1);
    assert_false(op->shape.items[0].rest);
    assert_int_equal(op->shape.items[1].value, 0);
    assert_true(op->shape.items[2].value == INT64_MAX);
    assert_true(op->axis.value == INT64_MIN);
    assert_int_equal(op->lengths.count, 4);
    assert_int_equal(op->lengths.items[0].value, -1);
    assert_false(op->lengths.items[0].rest);
    assert_int_equal(op->lengths.items[1].value, -5);
    assert_int_equal(op->lengths.items[2].value, 0);
    assert_int_equal(op->lengths.items[3].value, 7);
    done(f);
}

static void test_empty_dims(void **state)
{
    (void)state;
    fixture *f = parse("f32[ ] -> /1");
    const sg_op *op = op_at(f, 0);
    assert_true(op->shape.present);
    assert_int_equal(op->shape.count, 0);
    assert_span(op->shape.span, 3, "[ ]");
    done(f);
}

static void test_equal_parts(void **state)
{
    (void)state;
    fixture *f = parse("rgb: u8[1080,1920,3] @2 -> / 3");
    const sg_op *op = op_at(f, 0);
    assert_true(op->parts.present);
    assert_int_equal(op->parts.value, 3);
    assert_span(op->parts.span, 27, "/ 3");
    assert_false(op->lengths.present);
    assert_false(op->outputs.present);
    assert_span(op->span, 0, "rgb: u8[1080,1920,3] @2 -> / 3");
    done(f);
}

static void test_named_equal_parts(void **state)
{
    (void)state;
    fixture *f = parse("u8[3] -> r,_ b /-3; u8[1] -> x/1");
    const sg_op *op = op_at(f, 0);
    assert_int_equal(op->parts.value, -3);
    assert_span(op->parts.span, 15, "/-3");
    assert_false(op->lengths.present);
    assert_true(op->outputs.present);
    assert_int_equal(op->outputs.count, 3);
    assert_span(op->outputs.span, 9, "r,_ b");
    assert_output(op->outputs.items[0], "r", true, 9, "r");
    assert_output(op->outputs.items[1], NULL, false, 11, "_");
    assert_output(op->outputs.items[2], "b", true, 13, "b");
    assert_span(op->span, 0, "u8[3] -> r,_ b /-3");
    assert_int_equal(op_at(f, 1)->parts.value, 1);
    assert_int_equal(op_at(f, 1)->outputs.count, 1);
    done(f);
}

static void test_unwanted_and_unnamed_parts(void **state)
{
    (void)state;
    fixture *f = parse("f16[576] -> kv:512 _:32,16 _:* __:1");
    const sg_op *op = op_at(f, 0);
    assert_int_equal(op->lengths.count, 5);
    assert_int_equal(op->lengths.items[1].value, 32);
    assert_true(op->lengths.items[3].rest);
    assert_int_equal(op->outputs.count, 5);
    assert_output(op->outputs.items[0], "kv", true, 12, "kv");
    assert_output(op->outputs.items[1], NULL, false, 19, "_");
    assert_output(op->outputs.items[2], NULL, true, 24, "16");
    assert_output(op->outputs.items[3], NULL, false, 27, "_");
    assert_output(op->outputs.items[4], "__", true, 31, "__");
    done(f);

    f = parse("f16[8] -> _:8"); /* '_' alone makes the outputs present */
    op = op_at(f, 0);
    assert_true(op->outputs.present);
    assert_int_equal(op->outputs.count, 1);
    assert_false(op->outputs.items[0].wanted);
    done(f);
}

/* No word is reserved. */
static void test_names_may_be_types(void **state)
{
    (void)state;
    fixture *f = parse("f32: float16[4] -> f32:2 float16:2; _:_[1]->1");
    const sg_op *op = op_at(f, 0);
    assert_string_equal(op->name.text, "f32");
    assert_string_equal(op->dtype.text, "float16");
    assert_string_equal(op->outputs.items[0].name, "f32");
    assert_string_equal(op->outputs.items[1].name, "float16");
    op = op_at(f, 1);
    assert_string_equal(op->name.text, "_");
    assert_string_equal(op->dtype.text, "_");
    done(f);
}

static void test_several_ops_and_default_names(void **state)
{
    (void)state;
    fixture *f = parse("f32[4]->/2 ; mine: u8[2] @0->1 1;i64[6]->a:2 b:4 ; ");
    assert_int_equal(f->ops.count, 3);
    assert_string_equal(op_at(f, 0)->default_name, "dflt_1");
    assert_string_equal(op_at(f, 1)->default_name, "dflt_2");
    assert_string_equal(op_at(f, 1)->name.text, "mine");
    assert_string_equal(op_at(f, 2)->default_name, "dflt_3");
    assert_span(op_at(f, 0)->span, 0, "f32[4]->/2");
    assert_span(op_at(f, 1)->span, 13, "mine: u8[2] @0->1 1");
    assert_span(op_at(f, 2)->span, 33, "i64[6]->a:2 b:4");
    done(f);

    f = parse("f32[4]->/2;"); /* a trailing ';' does not make several */
    assert_int_equal(f->ops.count, 1);
    assert_string_equal(op_at(f, 0)->default_name, "dflt");
    done(f);
}

static void test_appends_to_what_is_there(void **state)
{
    (void)state;
    fixture *f = parse("first: f32[4]->/2");
    const char *more = "f32[4]->/2; f32[4]->/4";
    const sg_source *source = sg_source_new(&f->arena, "more", more, strlen(more));
    sg_diag_init(&f->diag, &f->arena);
    assert_true(sg_notation_parse(&f->arena, &f->diag, source, 0, strlen(more), "again", &f->ops));
    assert_int_equal(f->ops.count, 3);
    assert_string_equal(op_at(f, 0)->name.text, "first");
    assert_string_equal(op_at(f, 1)->default_name, "again_1");
    assert_string_equal(op_at(f, 2)->default_name, "again_2");

    const char *bad = "f32[4]->/2; f32[4]->/2 !";
    source = sg_source_new(&f->arena, "bad", bad, strlen(bad));
    assert_false(sg_notation_parse(&f->arena, &f->diag, source, 0, strlen(bad), "no", &f->ops));
    assert_int_equal(f->ops.count, 3); /* a failed text leaves no ops behind */
    done(f);
}

static void test_blanks_and_comments(void **state)
{
    (void)state;
    fixture *f = parse("# a comment; f32[1] -> 1\r\n"
                       "q:f32 [ 4 , # dims ;\n"
                       "\t2 ]@1->1#end\r1 # the last one");
    const sg_op *op = op_at(f, 0);
    assert_int_equal(f->ops.count, 1);
    assert_int_equal(op->shape.count, 2);
    assert_int_equal(op->lengths.count, 2);
    size_t line = 0;
    size_t column = 0;
    sg_source_locate(f->source, op->shape.items[1].span.begin, &line, &column);
    assert_int_equal(line, 3);
    assert_int_equal(column, 2);
    done(f);
}

/* The text may be a piece of a larger source, such as a string in a spec: places refer to that
 * source, and nothing outside the piece is read. */
static void test_piece_of_a_source(void **state)
{
    (void)state;
    const char *text = "return split \"u8[4] -> /2\" , 7";
    fixture *f = parse_range(text, strlen(text), 14, 25);
    const sg_op *op = op_at(f, 0);
    assert_span(op->dtype.span, 14, "u8");
    assert_span(op->parts.span, 23, "/2");
    done(f);

    f = parse_range("u8[4] -> 123", 12, 0, 10); /* ends within the number */
    assert_int_equal(op_at(f, 0)->lengths.items[0].value, 1);
    done(f);

    f = parse_range("u8[4] -> 1", 10, 0, 7); /* ends within '->' */
    assert_false(f->ok);
    assert_int_equal(f->diag.first->span.begin, 6);
    assert_string_equal(f->diag.first->message, "unexpected '-', expected '->', '<-', '@' or '/'");
    done(f);
}

static void assert_int_at(sg_op_int number, int64_t value, size_t begin, const char *text)
{
    assert_true(number.present);
    assert_int_equal(number.value, value);
    assert_span(number.span, begin, text);
}

static void test_joins(void **state)
{
    (void)state;
    fixture *f = parse("rgb: u8[1080,1920,3] @2 <- r:1 _:1 b:*; u8[4]<-1,-1 ; f16[8] @0<-/2");
    const sg_op *op = op_at(f, 0);
    assert_int_equal(f->ops.count, 3);
    assert_int_equal(op->kind, SG_OP_CONCAT);
    assert_true(op->is_notation);
    assert_span(op->span, 0, "rgb: u8[1080,1920,3] @2 <- r:1 _:1 b:*");
    assert_int_at(op->axis, 2, 22, "2");
    assert_num(op->lengths.items[2], -1, true, 37, "*");
    assert_output(op->outputs.items[0], "r", true, 27, "r");
    assert_output(op->outputs.items[1], NULL, false, 31, "_");
    op = op_at(f, 1);
    assert_int_equal(op->kind, SG_OP_CONCAT);
    assert_num(op->lengths.items[1], -1, false, 49, "-1");
    op = op_at(f, 2);
    assert_int_equal(op->kind, SG_OP_CONCAT);
    assert_int_equal(op->parts.value, 2);
    done(f);
}

static void test_strides(void **state)
{
    (void)state;
    fixture *f = parse("f32[2,12]/16 @1 -> q:4/8 5/-6 view:2 */7; u8[2,4]/4 <- a, b /2/9;"
                       "u8[2,4] -> /2 /9");
    const sg_op *op = op_at(f, 0);
    assert_int_at(op->row_stride, 16, 10, "16");
    assert_span(op->shape.span, 3, "[2,12]");
    assert_int_at(op->outputs.items[0].row_stride, 8, 23, "8");
    assert_output(op->outputs.items[0], "q", true, 19, "q");
    assert_int_at(op->outputs.items[1].row_stride, -6, 27, "-6");
    assert_output(op->outputs.items[1], NULL, true, 25, "5/-6");
    assert_false(op->outputs.items[2].row_stride.present);
    assert_int_at(op->outputs.items[3].row_stride, 7, 39, "7");
    assert_num(op->lengths.items[3], -1, true, 37, "*");
    op = op_at(f, 1);
    assert_int_at(op->row_stride, 4, 50, "4");
    assert_int_equal(op->parts.value, 2);
    assert_int_equal(op->outputs.count, 2);
    assert_int_at(op->outputs.items[0].row_stride, 9, 63, "9");
    assert_int_at(op->outputs.items[1].row_stride, 9, 63, "9");
    assert_output(op->outputs.items[1], "b", true, 58, "b");
    op = op_at(f, 2);
    assert_false(op->row_stride.present);
    assert_int_equal(op->outputs.count, 2);
    assert_true(op->outputs.items[1].wanted);
    assert_null(op->outputs.items[1].name);
    assert_int_at(op->outputs.items[1].row_stride, 9, 80, "9");
    done(f);

    f = parse("u8[4] -> /0/9; u8[4] -> /1000001/9"); /* invalid numbers of parts */
    assert_int_equal(op_at(f, 0)->outputs.count, 0);
    assert_int_equal(op_at(f, 1)->outputs.count, 0);
    done(f);
}

typedef struct bad_text {
    const char *text;
    size_t begin; /* of the error's place */
    size_t end;
    const char *message;
} bad_text;

static const bad_text bad_texts[] = {
    /* grammar: the token found, and all tokens that were possible */
    {"f32[4] (2)", 7, 8, "unexpected '(', expected '->', '<-', '@' or '/'"},
    {"", 0, 0, "unexpected end of the text, expected a name or an element type"},
    {" \n # only a comment\n", 0, 0,
     "unexpected end of the text, expected a name or an element type"},
    {"; f32[4]->/2", 0, 1, "unexpected ';', expected a name or an element type"},
    {"f32[4]->/2;; f32[4]->/2", 11, 12,
     "unexpected ';', expected a name, an element type or the end of the text"},
    {"f32", 3, 3, "unexpected end of the text, expected ':' or '['"},
    {"f32 -> 2", 4, 6, "unexpected '->', expected ':' or '['"},
    {"qkv: -> 2", 5, 7, "unexpected '->', expected an element type"},
    {"qkv: f32 -> 2", 9, 11, "unexpected '->', expected '['"},
    {"a: b: f32[4] -> 2", 4, 5, "unexpected ':', expected '['"},
    {"f32[N,4] -> 2", 5, 6, "unexpected ',', expected '=' or '?'"},
    {"f32[N] -> 2", 5, 6, "unexpected ']', expected '=' or '?'"},
    {"f32[N=64] -> 2", 8, 9, "unexpected ']', expected '?'"},
    {"f32[N=?] -> 2", 6, 7, "unexpected '?', expected a number"},
    {"f32[N=x?] -> 2", 5, 7, "unexpected '=x', expected '=' or '?'"},
    {"f32[64?] -> 2", 6, 7, "unexpected '?', expected '/', ']' or ','"},
    {"f32[?] -> 2", 4, 5, "unexpected '?'; an open dimension needs a name: 'n?'"},
    {"f32[N?=64] -> 2", 6, 7, "unexpected '=', expected '/', ']' or ','"},
    {"f32[N=64k?] -> 2", 6, 9, "'64k' is not a decimal integer"},
    {"f32[4] @n? -> 2", 8, 9, "unexpected 'n', expected a number"},
    {"f32[4] -> q:n?", 12, 13, "unexpected 'n', expected a number or '*'"},
    {"f32[4,] -> 2", 6, 7, "unexpected ']', expected a name or a number"},
    {"f32[*] -> 2", 4, 5, "unexpected '*'; an open dimension needs a name: 'n?'"},
    {"f32[4 4] -> 2", 6, 7, "unexpected '4', expected '/', ']' or ','"},
    {"f32[4", 5, 5, "unexpected end of the text, expected '/', ']' or ','"},
    {"f32[4]  \n# trailing\n", 6, 6, "unexpected end of the text, expected '->', '<-', '@' or '/'"},
    {"f32[4] @ -> 2", 9, 11, "unexpected '->', expected a number"},
    {"f32[4] @1 @2 -> 2", 10, 11, "unexpected '@', expected '->' or '<-'"},
    {"f32[4] @axis -> 2", 8, 12, "unexpected 'axis', expected a number"},
    {"f32[4] ->", 9, 9, "unexpected end of the text, expected a name, a number, '*' or '/'"},
    {"f32[4] -> ;", 10, 11, "unexpected ';', expected a name, a number, '*' or '/'"},
    {"f32[4] -> ,2", 10, 11, "unexpected ',', expected a name, a number, '*' or '/'"},
    {"f32[4] -> q", 11, 11, "unexpected end of the text, expected a name, '/', ':' or ','"},
    {"f32[4] -> q k", 13, 13, "unexpected end of the text, expected a name, '/' or ','"},
    {"f32[4] -> q k:2", 13, 14, "unexpected ':', expected a name, '/' or ','"},
    {"f32[4] -> q 2", 12, 13, "unexpected '2', expected a name, '/', ':' or ','"},
    {"f32[4] -> q:2 k", 15, 15, "unexpected end of the text, expected ':'"},
    {"f32[4] -> q:k", 12, 13, "unexpected 'k', expected a number or '*'"},
    {"f32[4] -> q:/2", 12, 13, "unexpected '/', expected a number or '*'"},
    {"f32[4] -> 2,", 12, 12, "unexpected end of the text, expected a name, a number or '*'"},
    {"f32[4] -> 2/x", 12, 13, "unexpected 'x', expected a number"},
    {"f32[4] -> 2/*", 12, 13, "unexpected '*', expected a number"},
    {"f32[4]/8/8 -> 2", 8, 9, "unexpected '/', expected '->', '<-' or '@'"},
    {"f32[4]/8", 8, 8, "unexpected end of the text, expected '->', '<-' or '@'"},
    {"f32[4/] -> 2", 6, 7, "unexpected ']', expected a number"},
    {"f32[4] <-", 9, 9, "unexpected end of the text, expected a name, a number, '*' or '/'"},
    {"f32[4] <-- 2", 9, 10, "unexpected '-', expected a name, a number, '*' or '/'"},
    {"f32[4] <= 2", 7, 8, "unexpected '<', expected '->', '<-', '@' or '/'"},
    {"f32[4] < - 2", 7, 8, "unexpected '<', expected '->', '<-', '@' or '/'"},
    {"f32[4] -> 2 (", 12, 13,
     "unexpected '(', expected a name, a number, '*', '/', ',', ';' or the end of the text"},
    {"f32[4] -> /", 11, 11, "unexpected end of the text, expected a number"},
    {"f32[4] -> /*", 11, 12, "unexpected '*', expected a number"},
    {"f32[4] -> /2 2", 13, 14, "unexpected '2', expected '/', ';' or the end of the text"},
    {"f32[4] -> q/2,", 13, 14, "unexpected ',', expected '/', ';' or the end of the text"},
    {"f32[4] -> 'q':2", 10, 11, "unexpected ''', expected a name, a number, '*' or '/'"},
    {"f32[4] => 2", 7, 8, "unexpected '='; the arrow is written '->'"},
    {"f32[4] - > 2", 7, 8, "unexpected '-', expected '->', '<-', '@' or '/'"},
    {"f32[4] -> - 2", 10, 11, "unexpected '-', expected a name, a number, '*' or '/'"},
    {"f32[4] -> .5", 10, 11, "unexpected '.', expected a name, a number, '*' or '/'"},
    {"f32[4] aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeee", 7, 51,
     "unexpected 'aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd...', expected '->', '<-', '@' or '/'"},
    {"f32[4] -> /2; u8[1] @ ]", 22, 23, "unexpected ']', expected a number"},
    /* numbers */
    {"f32[9223372036854775808] -> 2", 4, 23, "'9223372036854775808' does not fit in 64 bits"},
    {"f32[4] @-9223372036854775809 -> 2", 8, 28, "'-9223372036854775809' does not fit in 64 bits"},
    {"f32[4] -> 111111111122222222223333333333444444444455555", 10, 55,
     "'1111111111222222222233333333334444444444...' does not fit in 64 bits"},
    {"f32[1e3] -> 2", 4, 7, "'1e3' is not an integer; write it without point and exponent"},
    {"f32[4] -> 1e-3", 10, 14, "'1e-3' is not an integer; write it without point and exponent"},
    {"f32[4] -> 1.5", 10, 13, "'1.5' is not an integer; write it without point and exponent"},
    {"f32[4] -> 768.0", 10, 15, "'768.0' is not an integer; write it without point and exponent"},
    {"f32[0x10] -> 2", 4, 8, "'0x10' is not decimal; write it with the digits 0 to 9 only"},
    {"f32[4] -> -0x1e", 10, 15, "'-0x1e' is not decimal; write it with the digits 0 to 9 only"},
    {"f32[+4] -> 2", 4, 6, "'+4' has a sign that is not needed; leave the '+' out"},
    {"f32[1_000] -> 2", 4, 9, "'1_000' is not a decimal integer; write its digits without '_'"},
    {"f32[4] -> 8k:4", 10, 12, "'8k' is not a decimal integer"},
    {"f32[4] -> 4-1", 10, 13, "'4-1' is not a decimal integer"},
    {"f32[4] -> 4+1", 10, 13,
     "'4+1' is not a decimal integer; lengths have commas between, as in 'f32[2,12] @1 -> 4, 8'"},
    {"f32[1x2x3] -> 2", 4, 9,
     "'1x2x3' is not a decimal integer; numbers have commas between, as in 'f32[2,12] -> 4, 8'"},
    /* bytes */
    {"f32[4] \xe2\x86\x92 2", 7, 10,
     "unexpected character U+2192; the notation is plain ASCII: write '->'"},
    {"f\xc3\xbcr[4] -> 2", 1, 3, "unexpected character U+00FC; the notation is plain ASCII"},
    {"\xef\xbb\xbf"
     "f32[4] -> 2",
     0, 3, "unexpected character U+FEFF; the notation is plain ASCII"},
    {"f32[4] -> \xf0\x9f\x99\x82", 10, 14,
     "unexpected character U+1F642; the notation is plain ASCII"},
    {"f32[4] \x01", 7, 8, "unexpected control character 0x01"},
    {"f32[4] \x7f", 7, 8, "unexpected control character 0x7f"},
    {"f32[4] \x80 -> 2", 7, 8, "unexpected byte 0x80, which is not UTF-8"},
    {"f32[4] \xff -> 2", 7, 8, "unexpected byte 0xff, which is not UTF-8"},
    {"f32[4] \xc3", 7, 8, "unexpected byte 0xc3, which is not UTF-8"},
    {"f32[4] \xc0\xaf", 7, 8, "unexpected byte 0xc0, which is not UTF-8"},     /* overlong '/' */
    {"f32[4] \xed\xa0\x80", 7, 8, "unexpected byte 0xed, which is not UTF-8"}, /* surrogate */
    {"f32[4] \xf4\x90\x80\x80", 7, 8, "unexpected byte 0xf4, which is not UTF-8"},
};

static void test_errors(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_texts / sizeof bad_texts[0]; i++) {
        const bad_text *bad = &bad_texts[i];
        fixture *f = parse(bad->text);
        if (f->ok || f->diag.errors != 1 || strcmp(f->diag.first->message, bad->message) != 0 ||
            f->diag.first->span.begin != bad->begin || f->diag.first->span.end != bad->end) {
            fail_msg("'%s'\n  wanted %zu-%zu %s\n  got    %zu-%zu %s", bad->text, bad->begin,
                     bad->end, bad->message, f->diag.first ? f->diag.first->span.begin : 0,
                     f->diag.first ? f->diag.first->span.end : 0,
                     f->diag.first ? f->diag.first->message : "no error");
        }
        assert_int_equal(f->diag.first->exit, SG_EXIT_INPUT);
        assert_int_equal(f->ops.count, 0);
        const sg_diag_entry *next = f->diag.first->next;
        assert_true(next == NULL || (next->severity == SG_NOTE && next->next == NULL));
        done(f);
    }
}

/* The example in the messages is valid. */
static void test_the_example_is_right(void **state)
{
    (void)state;
    fixture *f = parse("x");
    const char *text = f->diag.first->next->message;
    for (int i = 0; i < 2; i++) { /* both, between quotes */
        const char *begin = strchr(text, '\'') + 1;
        const char *end = strchr(begin, '\'');
        fixture *example = parse_bytes(begin, (size_t)(end - begin));
        (void)op_at(example, 0);
        done(example);
        text = end + 1;
    }
    done(f);
}

static void test_nul_bytes(void **state)
{
    (void)state;
    fixture *f = parse_bytes("f32[4]\0 -> 2", 12);
    assert_false(f->ok);
    assert_string_equal(f->diag.first->message, "unexpected NUL byte");
    assert_int_equal(f->diag.first->span.begin, 6);
    assert_int_equal(f->diag.first->span.end, 7);
    done(f);

    f = parse_bytes("f32[4] -> 2 # \0 \xff in a comment", 31); /* comments may hold anything */
    assert_int_equal(op_at(f, 0)->lengths.count, 1);
    done(f);
}

/* The list of tokens agrees with the lexer: each quoted text is that token. */
static void test_tokens_are_what_messages_say(void **state)
{
    (void)state;
    static const struct {
        sg_notation_kind kind;
        const char *text;
    } tokens[] = {
#define X(id, text) {SG_NOTATION_##id, text},
#include "frontend/notation/notation_tokens.inc"
#undef X
    };
    sg_arena arena;
    sg_diag diag;
    sg_arena_init(&arena);
    sg_diag_init(&diag, &arena);
    for (size_t i = 0; i < sizeof tokens / sizeof tokens[0]; i++) {
        const char *text = tokens[i].text;
        char spelling[8] = "x";
        if (tokens[i].kind == SG_NOTATION_VIEW) { /* a name unless a length follows */
            continue;
        }
        if (tokens[i].kind == SG_NOTATION_INT) {
            strcpy(spelling, "7");
        } else if (tokens[i].kind == SG_NOTATION_TYPE) {
            strcpy(spelling, "np.int8");
        } else if (text[0] == '\'') {
            assert_true(strlen(text) < sizeof spelling);
            memcpy(spelling, text + 1, strlen(text) - 1);
            spelling[strlen(text) - 2] = '\0';
        }
        const sg_source *source = sg_source_new(&arena, "t", spelling, strlen(spelling));
        sg_notation_lexer lexer;
        sg_notation_token token;
        sg_notation_lexer_init(&lexer, &diag, source, 0, strlen(spelling));
        assert_true(sg_notation_lex(&lexer, &token));
        assert_int_equal(token.kind, tokens[i].kind);
        assert_span(token.span, 0, spelling);
        assert_true(sg_notation_lex(&lexer, &token));
        assert_int_equal(token.kind, SG_NOTATION_END);
        assert_true(sg_notation_lex(&lexer, &token));
        assert_int_equal(token.kind, SG_NOTATION_END);
    }
    assert_int_equal(sizeof tokens / sizeof tokens[0], SG_NOTATION_KINDS - 2);
    sg_arena_free(&arena);
}

/* Whether `list` ("a, b or c") names the choice. */
static bool lists(const char *list, const char *choice)
{
    size_t n = strlen(choice);
    for (const char *at = list; (at = strstr(at, choice)) != NULL; at += n) {
        bool starts = at == list || strncmp(at - 2, ", ", 2) == 0 ||
                      (at - list >= 4 && strncmp(at - 4, " or ", 4) == 0);
        bool ends =
            at[n] == '\0' || strncmp(at + n, ", ", 2) == 0 || strncmp(at + n, " or ", 4) == 0;
        if (starts && ends) {
            return true;
        }
    }
    return false;
}

/* The message after every prefix of these texts lists exactly the tokens that can follow: each
 * listed one is accepted, and each other one is refused at that place. */
static void test_expected_lists_are_exact(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "n : t [ 1 , 2 ] @ 1 -> a : 1 , b : * 3 , * ; t [ ] -> a b , c / 2 ; t [ 1 ] -> / 3 ;",
        "t [ 1 ] @ 1 -> a / 1 ; n : t [ ] -> 1 , a : 1 b : 1 ;",
    };
    static const struct {
        const char *spelling;
        const char *text;
    } probes[] = {
        {"->", "'->'"}, {"@", "'@'"}, {"x", "a name"}, {"7", "a number"},
        {"*", "'*'"},   {"/", "'/'"}, {":", "':'"},    {"[", "'['"},
        {"]", "']'"},   {",", "','"}, {";", "';'"},    {"", "the end of the text"},
    };
    for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++) {
        const char *text = texts[t];
        for (size_t cut = 0; cut <= strlen(text); cut++) {
            if (cut > 0 && text[cut] != ' ' && text[cut] != '\0') {
                continue;
            }
            char probe[256];
            snprintf(probe, sizeof probe, "%.*s (", (int)cut, text);
            fixture *wrong = parse(probe);
            assert_false(wrong->ok);
            const char *list = strstr(wrong->diag.first->message, "expected ");
            list = strstr(list + 1, "expected ");
            assert_non_null(list);
            list += strlen("expected ");
            for (size_t p = 0; p < sizeof probes / sizeof probes[0]; p++) {
                snprintf(probe, sizeof probe, "%.*s %s", (int)cut, text, probes[p].spelling);
                fixture *f = parse(probe);
                /* Refused here, or only because the text then ends. */
                bool end = probes[p].spelling[0] == '\0';
                bool refused =
                    !f->ok && (end || f->diag.first->span.begin != f->diag.first->span.end);
                bool listed = lists(list, probes[p].text);
                if (strcmp(probes[p].text, "a name") == 0) {
                    listed = listed || lists(list, "an element type");
                }
                if (refused == listed) {
                    fail_msg("after '%.*s', %s is %s but the message says: %s", (int)cut, text,
                             probes[p].text, refused ? "refused" : "taken",
                             wrong->diag.first->message);
                }
                done(f);
            }
            done(wrong);
        }
    }
}

/* A million parts: linear in time and memory, flat on the stack. */
static void test_a_million_parts(void **state)
{
    (void)state;
    enum { N = 1000000 };
    size_t len = 0;
    char *text = malloc((size_t)N * 12 + 64);
    assert_non_null(text);
    len += (size_t)sprintf(text, "f32[%d] -> ", N);
    for (int i = 0; i < N; i++) {
        len += (size_t)sprintf(text + len, "p%d:1 ", i);
    }
    fixture *f = parse_bytes(text, len);
    const sg_op *op = op_at(f, 0);
    assert_int_equal(op->lengths.count, N);
    assert_int_equal(op->outputs.count, N);
    assert_string_equal(op->outputs.items[N - 1].name, "p999999");
    assert_int_equal(op->lengths.items[N - 1].value, 1);
    assert_true(f->arena.total < (size_t)N * 1024);
    done(f);

    len = (size_t)sprintf(text, "f32[");
    for (int i = 0; i < N; i++) {
        len += (size_t)sprintf(text + len, "1,");
    }
    len += (size_t)sprintf(text + len, "1] -> a");
    for (int i = 0; i < N; i++) {
        len += (size_t)sprintf(text + len, " a");
    }
    len += (size_t)sprintf(text + len, "/1;");
    f = parse_bytes(text, len);
    assert_int_equal(op_at(f, 0)->shape.count, N + 1);
    assert_int_equal(op_at(f, 0)->outputs.count, N + 1);
    done(f);

    len = 0;
    for (int i = 0; i < 100000; i++) {
        len += (size_t)sprintf(text + len, "f32[2]->/2;");
    }
    f = parse_bytes(text, len);
    assert_int_equal(f->ops.count, 100000);
    assert_string_equal(op_at(f, 99999)->default_name, "dflt_100000");
    done(f);
    free(text);
}

/* Any text is either accepted without a message or refused with exactly one error inside it. */
static void test_random_texts(void **state)
{
    (void)state;
    static const char *const pieces[] = {"f32", "[", "]", "4", "-1", ",", "@", "->", "q", ":", "*",
                                         "/",   ";", " ", "#", "\n", "_", "é", "9",  "-", "."};
    uint32_t seed = 12345;
    int taken = 0;
    for (int round = 0; round < 20000; round++) {
        /* Half of the texts have a valid start, so that the parts are reached. */
        char text[128] = "f32[4]->";
        size_t len = round % 2 == 0 ? 0 : 8;
        size_t start = len;
        for (int i = 0; i < 12; i++) {
            seed = seed * 1664525U + 1013904223U;
            const char *piece = pieces[(seed >> 16) % (sizeof pieces / sizeof pieces[0])];
            memcpy(text + len, piece, strlen(piece));
            len += strlen(piece);
            if ((seed >> 8) % 4 == 0 && len > start) {
                break;
            }
        }
        text[len] = '\0';
        fixture *f = parse_bytes(text, len);
        taken += f->ok;
        assert_int_equal(f->diag.errors, f->ok ? 0 : 1);
        assert_true(f->ok == (f->ops.count > 0));
        if (!f->ok) {
            assert_true(f->diag.first->span.begin <= f->diag.first->span.end);
            assert_true(f->diag.first->span.end <= len);
        }
        done(f);
    }
    assert_true(taken > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_field_and_place),
        cmocka_unit_test(test_free_dimensions),
        cmocka_unit_test(test_joins),
        cmocka_unit_test(test_strides),
        cmocka_unit_test(test_bare_lengths),
        cmocka_unit_test(test_one_length_and_no_axis),
        cmocka_unit_test(test_numbers_are_not_checked),
        cmocka_unit_test(test_empty_dims),
        cmocka_unit_test(test_equal_parts),
        cmocka_unit_test(test_named_equal_parts),
        cmocka_unit_test(test_unwanted_and_unnamed_parts),
        cmocka_unit_test(test_names_may_be_types),
        cmocka_unit_test(test_several_ops_and_default_names),
        cmocka_unit_test(test_appends_to_what_is_there),
        cmocka_unit_test(test_blanks_and_comments),
        cmocka_unit_test(test_piece_of_a_source),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_the_example_is_right),
        cmocka_unit_test(test_nul_bytes),
        cmocka_unit_test(test_tokens_are_what_messages_say),
        cmocka_unit_test(test_expected_lists_are_exact),
        cmocka_unit_test(test_a_million_parts),
        cmocka_unit_test(test_random_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
