/* Tests of split/fuse: which ops are combined, the parts of the result, and why others stay
 * separate. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "make_split.h"
#include "split/fuse.h"

#define MOST        64
#define UNWANTED(n) (-2 - (n))

typedef struct world {
    sg_arena arena;
    sg_split *splits[MOST];
    int64_t count;
} world;

static void start(world *w)
{
    *w = (world){.count = 0};
    sg_arena_init(&w->arena);
}

/* A matrix [4, width] along axis 1: lengths as make_split takes them, names one letter each. */
static sg_split *add(world *w, const char *name, const char *names, const int64_t *lengths)
{
    sg_split *split = make_matrix_split(&w->arena, SG_DTYPE_F32, 4, lengths);
    sg_op *op = SG_NEW(&w->arena, sg_op);
    op->origin = SG_NEW(&w->arena, sg_op_origin);
    op->origin->node = split->name = name;
    op->origin->input = "mid";
    op->origin->whole = SG_NEW(&w->arena, sg_op_tensor);
    split->op = op;
    for (int64_t i = 0; i < split->nparts; i++) {
        if (split->parts[i].wanted) {
            sg_part *part = &split->parts[i];
            part->name = sg_arena_printf(&w->arena, "%c", names[i]);
            part->c_name = part->tensor = part->name;
        }
    }
    w->splits[w->count++] = split;
    return split;
}

static void feed(world *w, const sg_split *from, int64_t output, const sg_split *to,
                 const char *kept)
{
    sg_op_tensor *whole = SG_NEW(&w->arena, sg_op_tensor);
    *whole = (sg_op_tensor){.maker = from->op, .part = output, .kept = kept};
    to->op->origin->whole = whole;
}

/* Makes the result of one Concat a part of another. */
static void feed_concat(world *w, sg_split *from, sg_split *to, int64_t input, const char *kept)
{
    sg_op_tensor *part = SG_NEW(&w->arena, sg_op_tensor);
    *part = (sg_op_tensor){.maker = from->op, .kept = kept};
    to->parts[input].in_graph = part;
}

static sg_split *add_concat(world *w, const char *name, const char *names, const int64_t *lengths)
{
    sg_split *join = add(w, name, names, lengths);
    sg_op *op = SG_NEW(&w->arena, sg_op);
    *op = *join->op;
    op->kind = SG_OP_ONNX_CONCAT;
    join->op = op;
    join->joins = true;
    return join;
}

/* "first: a 0+2, out1 2+3 unwanted, c 5+1; fused second; not fused ...\n", a line for each. */
static void expect(world *w, const char *text)
{
    sg_buf is = {0};
    w->count = sg_fuse(&w->arena, w->splits, w->count);
    for (int64_t s = 0; s < w->count; s++) {
        const sg_split *split = w->splits[s];
        int64_t bytes = 0;
        sg_buf_printf(&is, "%s:", split->name);
        for (int64_t i = 0; i < split->nparts; i++) {
            const sg_part *part = &split->parts[i];
            sg_buf_printf(&is, "%s %s %d+%d%s", i > 0 ? "," : "", part->c_name, (int)part->start,
                          (int)part->length, part->wanted ? "" : " unwanted");
            assert_string_equal(part->name, part->c_name);
            assert_int_equal(part->bytes, part->length * split->bytes / split->dims[1]);
            assert_true(part->wanted == (part->tensor != NULL));
            bytes += part->bytes;
        }
        assert_int_equal(bytes, split->bytes);
        for (int64_t i = 0; i < split->nfused; i++) {
            sg_buf_printf(&is, "%s %s", i == 0 ? "; fused" : ",", split->fused[i]->name);
        }
        sg_buf_printf(&is, "%s%s\n", split->apart != NULL ? "; " : "",
                      split->apart != NULL ? split->apart : "");
    }
    sg_buf_addc(&is, '\0');
    assert_string_equal(is.ptr, text);
    sg_buf_free(&is);
    sg_arena_free(&w->arena);
}

static void test_chain(void **state)
{
    (void)state;
    world w;
    start(&w);
    const sg_split *first = add(&w, "first", "am", LENGTHS(2, 6));
    const sg_split *second = add(&w, "second", "b_n", LENGTHS(1, UNWANTED(2), 3));
    const sg_split *third = add(&w, "third", "cd", LENGTHS(3, 0));
    feed(&w, first, 1, second, NULL);
    feed(&w, second, 2, third, NULL);
    expect(&w, "first: a 0+2, b 2+1, out2 3+2 unwanted, c 5+3, d 8+0; fused second, third\n");
}

/* The later output is split first; another op is between them. */
static void test_tree(void **state)
{
    (void)state;
    world w;
    start(&w);
    const sg_split *first = add(&w, "first", "xym", LENGTHS(4, 1, 4));
    (void)add(&w, "other", "ab", LENGTHS(1, 1));
    const sg_split *right = add(&w, "right", "ef", LENGTHS(3, 1));
    const sg_split *left = add(&w, "left", "cz", LENGTHS(1, 3));
    const sg_split *leaf = add(&w, "leaf", "gh", LENGTHS(1, 2));
    feed(&w, first, 2, right, NULL);
    feed(&w, first, 0, left, NULL);
    feed(&w, left, 1, leaf, NULL);
    expect(&w, "first: c 0+1, g 1+1, h 2+2, y 4+1, e 5+3, f 8+1; fused right, left, leaf\n"
               "other: a 0+1, b 1+1\n");
}

/* A name that is no longer used becomes free, and "data" gives way. */
static void test_names(void **state)
{
    (void)state;
    world w;
    start(&w);
    const sg_split *first = add(&w, "first", "m_", LENGTHS(2, UNWANTED(1)));
    sg_split *second = add(&w, "second", "ab", LENGTHS(1, 1));
    second->parts[0].name = "data";
    second->parts[1].name = "out2";
    feed(&w, first, 0, second, NULL);
    w.count = sg_fuse(&w.arena, w.splits, w.count);
    const sg_split *fused = w.splits[0];
    assert_int_equal(fused->nparts, 3);
    assert_string_equal(fused->data_name, "data_");
    assert_string_equal(fused->parts[1].c_name, "out2");
    assert_string_equal(fused->parts[2].c_name, "out2_2");
    assert_string_equal(first->parts[0].name, "m"); /* the existing op is unchanged */
    assert_int_equal(first->nfused, 0);
    sg_arena_free(&w.arena);
}

static void test_apart(void **state)
{
    (void)state;
    world w;
    start(&w);
    const sg_split *first = add(&w, "first", "am", LENGTHS(2, 6));
    sg_split *second = add(&w, "second", "bc", LENGTHS(3, 3));
    const sg_split *third = add(&w, "third", "de", LENGTHS(1, 2));
    const sg_split *wide = add(&w, "wide", "fg", LENGTHS(1, 2));
    feed(&w, first, 1, second, "'m' is an output of the graph too");
    feed(&w, second, 1, third, NULL);
    feed(&w, first, 0, wide, NULL);
    expect(&w, "first: a 0+2, m 2+6\n"
               "second: b 0+3, d 3+1, e 4+2; fused third; not fused with 'first', which feeds it: "
               "'m' is an output of the graph too\n"
               "wide: f 0+1, g 1+2; not fused with 'first', which feeds it: 'mid' is given another "
               "shape or type than it comes out with\n");
}

static void test_axes(void **state)
{
    (void)state;
    world w;
    start(&w);
    const sg_split *first = add(&w, "first", "am", LENGTHS(2, 4));
    sg_split *second = add(&w, "second", "bc", LENGTHS(2, 2));
    second->axis = 0;
    feed(&w, first, 1, second, NULL);
    expect(&w, "first: a 0+2, m 2+4\n"
               "second: b 0+2, c 2+2; not fused with 'first', which feeds it: it cuts axis 1, and "
               "this one axis 0\n");
}

/* Together they would have more parts than a split may have. */
static void test_limit(void **state)
{
    (void)state;
    world w;
    start(&w);
    const sg_split *first = add(&w, "first", "am", LENGTHS(1, 1));
    sg_split *second = add(&w, "second", "b", LENGTHS(1));
    second->parts = SG_NEW_ARRAY(&w.arena, sg_part, SG_MAX_PARTS);
    second->nparts = SG_MAX_PARTS;
    feed(&w, first, 1, second, NULL);
    assert_int_equal(sg_fuse(&w.arena, w.splits, w.count), 2);
    assert_string_equal(w.splits[1]->apart, "not fused with 'first', which feeds it: it would have "
                                            "1000001 parts, and 1000000 is the limit");
    sg_arena_free(&w.arena);
}

/* A promise about all pointers holds only if both ops made it. */
static void test_alignment(void **state)
{
    (void)state;
    world w;
    start(&w);
    sg_split *first = add(&w, "first", "am", LENGTHS(1, 1));
    const sg_split *second = add(&w, "second", "b", LENGTHS(1));
    first->align = 64;
    feed(&w, first, 1, second, NULL);
    assert_int_equal(sg_fuse(&w.arena, w.splits, w.count), 1);
    assert_int_equal(w.splits[0]->align, 4);
    sg_arena_free(&w.arena);
}

/* The last Concat takes the parts of the earlier ones, and reads one of them twice. */
static void test_concats(void **state)
{
    (void)state;
    world w;
    start(&w);
    sg_split *first = add_concat(&w, "first", "ab", LENGTHS(1, 2));
    sg_split *second = add_concat(&w, "second", "mc", LENGTHS(3, 1));
    sg_split *third = add_concat(&w, "third", "nan", LENGTHS(4, 1, 4));
    feed_concat(&w, first, second, 0, NULL);
    feed_concat(&w, second, third, 0, NULL);
    feed_concat(&w, second, third, 2, NULL);
    w.count = sg_fuse(&w.arena, w.splits, w.count);
    assert_int_equal(w.count, 1);
    const sg_split *fused = w.splits[0];
    assert_string_equal(fused->name, "third");
    assert_int_equal(fused->nfused, 2);
    assert_int_equal(fused->nparts, 7);
    const char *const names[] = {"a", "b", "c", "a_2", "a_3", "b_2", "c_2"};
    for (int i = 0; i < 7; i++) {
        assert_string_equal(fused->parts[i].name, names[i]);
    }
    assert_int_equal(fused->parts[6].start, 8);
    sg_arena_free(&w.arena);
}

static void test_concats_apart(void **state)
{
    (void)state;
    world w;
    start(&w);
    sg_split *first = add_concat(&w, "first", "ab", LENGTHS(1, 2));
    sg_split *second = add_concat(&w, "second", "mc", LENGTHS(3, 1));
    first->axis = 0;
    feed_concat(&w, first, second, 0, NULL);
    assert_int_equal(sg_fuse(&w.arena, w.splits, w.count), 2);
    assert_string_equal(w.splits[1]->apart,
                        "not fused with 'first', which feeds it: it joins along "
                        "axis 0, and this one axis 1");
    sg_arena_free(&w.arena);
}

/* The longest possible chain in a file takes linear time and memory. */
static void test_long(void **state)
{
    (void)state;
    enum { LENGTH = 20000 };
    world w;
    start(&w);
    sg_split **splits = SG_NEW_ARRAY(&w.arena, sg_split *, LENGTH);
    for (int i = 0; i < LENGTH; i++) {
        w.count = 0;
        splits[i] = add(&w, "link", "am", LENGTHS(1, LENGTH - i));
        if (i > 0) {
            feed(&w, splits[i - 1], 1, splits[i], NULL);
        }
    }
    assert_int_equal(sg_fuse(&w.arena, splits, LENGTH), 1);
    assert_int_equal(splits[0]->nparts, LENGTH + 1);
    assert_int_equal(splits[0]->nfused, LENGTH - 1);
    assert_int_equal(splits[0]->parts[LENGTH].start, LENGTH);
    sg_arena_free(&w.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chain),         cmocka_unit_test(test_tree),
        cmocka_unit_test(test_names),         cmocka_unit_test(test_apart),
        cmocka_unit_test(test_axes),          cmocka_unit_test(test_limit),
        cmocka_unit_test(test_alignment),     cmocka_unit_test(test_concats),
        cmocka_unit_test(test_concats_apart), cmocka_unit_test(test_long),
    };
    return cmocka_run_group_tests_name("fuse", tests, NULL, NULL);
}
