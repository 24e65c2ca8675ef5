/* Tests of placement: what is copied in graphs whose best plan is known, and that the proof stops
 * every change of a plan. Random graphs are run in tests/models/placement.py. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "frontend/graph/ops.h"
#include "frontend/onnx/onnx_text.h"
#include "placement/placement.h"
#include "split/resolve.h"

/* The random graphs whose plans are compared with every choice. */
#ifndef OPTIMAL_SEEDS
#define OPTIMAL_SEEDS 150
#endif

#define HEAD "<ir_version: 10, opset_import: [\"\" : 18]>\n"

typedef struct world {
    sg_arena arena;
    sg_diag diag;
    sg_split **splits;
    sg_op_array ops;
    sg_placement *graphs;
    int64_t ngraphs;
    sg_place_options options;
} world;

static const char *const rows[] = {"Abs"};
static const char *const in_place_names[] = {"Relu", "ai.onnx.Add"};

/* in_place: Relu and Add can overwrite what they read */
static void start_in_place(world *w, const char *text, bool strided, bool in_place)
{
    memset(w, 0, sizeof *w);
    sg_arena_init(&w->arena);
    sg_diag_init(&w->diag, &w->arena);
    sg_place_watch *watch = sg_place_watch_new(&w->arena);
    sg_graph_cache all = {.capacity = 5};
    sg_graph_options options = {.said = {.open = true, .follows = true},
                                .caches = &all,
                                .ncaches = 1,
                                .ops = ~UINT32_C(0),
                                .also = sg_place_watcher(watch, "net.onnxtxt")};
    sg_file_list files = {0};
    const sg_source *source = sg_source_new(&w->arena, "net.onnxtxt", text, strlen(text));
    const sg_graph_model *model = sg_onnx_read_text(&w->arena, &w->diag, source, NULL, &files);
    assert_non_null(model);
    assert_true(sg_graph_ops(&w->arena, &w->diag, model, &options, &w->ops));
    options = (sg_graph_options){0}; /* inference has read them; nobody may later */
    w->splits = SG_NEW_ARRAY(&w->arena, sg_split *, w->ops.count);
    const sg_resolve_options resolve = {.prefix = ""};
    for (int64_t i = 0; i < w->ops.count; i++) {
        w->splits[i] = sg_resolve(&w->arena, &w->diag, w->ops.items[i], &resolve);
        assert_non_null(w->splits[i]);
    }
    w->options.alignment = SG_PLACE_ALIGN;
    if (strided) {
        w->options.strided = w->options.strided_read = (sg_place_list){rows, 1};
    }
    if (in_place) {
        w->options.in_place = (sg_place_list){in_place_names, 2};
    }
    w->graphs = sg_place_all(watch, &w->diag, w->splits, w->ops.count, &w->options, &w->ngraphs);
    assert_non_null(w->graphs);
    sg_place_mark(&w->diag, w->graphs, w->ngraphs);
}

static void start(world *w, const char *text, bool strided)
{
    start_in_place(w, text, strided, false);
}

static const sg_place_tensor *tensor_of(const sg_placement *graph, const char *name)
{
    for (int64_t i = 0; i < graph->ntensors; i++) {
        if (strcmp(graph->tensors[i].name, name) == 0) {
            return &graph->tensors[i];
        }
    }
    fail_msg("there is no tensor '%s'", name);
    return NULL;
}

/* Graphs, and the fewest bytes that have to be copied in them: for dense tensors alone, and where
 * Abs reads and writes rows that lie apart. -1: the plan does not know whether they are the
 * fewest. */
static const struct {
    const char *text;
    int64_t dense, strided;
} cases[] = {
    /* a C2f block of one image: the input of the Split lies in the result of the Concat */
    {HEAD "net (float[1,8,4,4] i) => (o) <int64[2] s = {4,4}> {\n"
          "x = Abs (i)\n a, b = Split <axis = 1> (x, s)\n c = Abs (b)\n"
          "y = Concat <axis = 1> (a, b, c)\n o = Abs (y) }",
     0, 0},
    /* the same of two */
    {HEAD "net (float[2,8,4,4] i) => (o) <int64[2] s = {4,4}> {\n"
          "x = Abs (i)\n a, b = Split <axis = 1> (x, s)\n c = Abs (b)\n"
          "y = Concat <axis = 1> (a, b, c)\n o = Abs (y) }",
     2560, 0},
    /* and of as many as a call says, one being expected */
    {HEAD "net (float[N,8,4,4] i) => (o) <int64[2] s = {4,4}> {\n"
          "x = Abs (i)\n a, b = Split <axis = 1> (x, s)\n c = Abs (b)\n"
          "y = Concat <axis = 1> (a, b, c)\n o = Abs (y) }",
     1280, 0},
    /* of as many behind the axis, and in front of it */
    {HEAD "net (float[N,8,M,4] i) => (o) <int64[2] s = {4,4}> {\n"
          "x = Abs (i)\n a, b = Split <axis = 1> (x, s)\n c = Abs (b)\n"
          "y = Concat <axis = 1> (a, b, c)\n o = Abs (y) }",
     320, 0},
    {HEAD "net (float[8,M,4] i) => (o) <int64[2] s = {4,4}> {\n"
          "x = Abs (i)\n a, b = Split <axis = 0> (x, s)\n c = Abs (b)\n"
          "y = Concat <axis = 0> (a, b, c)\n o = Abs (y) }",
     0, 0},
    /* of as many as another tensor has by its name, which may be another number */
    {HEAD "net (float[N,4] i, float[M,4] j) => (o) { x = Abs (i)\n z = Abs (j)\n"
          "y = Concat <axis = 1> (x, z)\n o = Abs (y) }",
     32, 16},
    /* a cache with rows apart: what is new, and a dense copy of all for who reads it */
    {HEAD "net (float[1,2,P,4] past, float[1,2,1,4] i) => (present, o) { k = Abs (i)\n"
          "present = Concat <axis = 2> (past, k)\n o = Abs (present) }",
     96, 0},
    /* the same read through an Unsqueeze, whose rows lie as far apart */
    {HEAD "net (float[1,2,P,4] past, float[1,2,1,4] i) => (present, o) <int64[1] s = {2}> {\n"
          "k = Abs (i)\n present = Concat <axis = 2> (past, k)\n u = Unsqueeze (present, s)\n"
          "o = Abs (u) }",
     -1, 0},
    /* with one row, which is dense; and one that other nodes read as well */
    {HEAD "net (float[P,4] past, float[2,4] i) => (present, o) { k = Abs (i)\n"
          "present = Concat <axis = 0> (past, k)\n o = Abs (present) }",
     0, 0},
    {HEAD
     "net (float[2,P] past, float[2,1] i) => (present, o, p) <int64[2] s = {1,1}> {\n"
     "k = Abs (i)\n present = Concat <axis = 1> (past, k)\n a, b = Split <axis = 0> (present, s)\n"
     "o = Abs (a)\n p = Abs (b) }",
     8, 0},
    /* a Reshape that is one for the expected number alone */
    {HEAD "net (float[N,4] i) => (o) <int64[1] s = {4}> { x = Abs (i)\n y = Reshape (x, s)\n"
          "o = Abs (y) }",
     16, 16},
    /* an empty tensor beside an open dimension, as an input and an inner tensor */
    {HEAD "net (float[N,2,0,4] p, float[N,2,1,4] t) => (o) { k = Abs (t)\n e = Abs (p)\n"
          "y = Concat <axis = 2> (p, k, e)\n o = Abs (y) }",
     0, 0},
    /* a part of no bytes that is an output */
    {HEAD "net (float[2,8] i) => (a, b) <int64[2] s = {0,8}> { a, b = Split <axis = 1> (i, s) }",
     64, 64},
    /* a tensor twice in a Concat */
    {HEAD "net (float[4] i) => (o) { x = Abs (i)\n y = Concat <axis = 0> (x, x)\n o = Abs (y) }",
     16, 16},
    /* a tensor that begins two Concats, and one that ends one and begins another */
    {HEAD
     "net (float[4] i, float[2] j) => (o, p) { x = Abs (i)\n a = Abs (j)\n b = Abs (j)\n"
     "y = Concat <axis = 0> (x, a)\n z = Concat <axis = 0> (x, b)\n o = Abs (y)\n p = Abs (z) }",
     16, 16},
    {HEAD
     "net (float[4] i, float[2] j) => (o, p) { x = Abs (i)\n a = Abs (j)\n b = Abs (j)\n"
     "y = Concat <axis = 0> (a, x)\n z = Concat <axis = 0> (x, b)\n o = Abs (y)\n p = Abs (z) }",
     0, 0},
    /* an output within a Concat, and a Concat that is one */
    {HEAD "net (float[4] i) => (x, o) { x = Abs (i)\n a = Abs (i)\n y = Concat <axis = 0> (a, x)\n"
          "o = Abs (y) }",
     16, 16},
    {HEAD "net (float[4] i) => (y) { x = Abs (i)\n a = Abs (i)\n y = Concat <axis = 0> (a, x) }", 0,
     0},
    /* a constant in a Concat, and an input */
    {HEAD "net (float[4] i) => (o) <float[2] k = {1,2}> {\n"
          "x = Abs (i)\n y = Concat <axis = 0> (k, x)\n o = Abs (y) }",
     8, 8},
    {HEAD "net (float[4] i) => (o) { x = Abs (i)\n y = Concat <axis = 0> (i, x)\n o = Abs (y) }",
     16, 16},
    /* parts of an input lie in it; one that is an output does not */
    {HEAD "net (float[6] i) => (o, b) <int64[2] s = {2,4}> {\n"
          "a, b = Split <axis = 0> (i, s)\n o = Abs (a) }",
     16, 16},
    /* an output that is an input */
    {HEAD "net (float[6] i) => (o) <int64[2] s = {2,4}> { o = Identity (i)\n"
          "a, b = Split <axis = 0> (i, s) }",
     24, 24},
    /* chains of Splits, Reshapes, Transposes and Concats */
    {HEAD "net (float[4,6] i) => (o) <int64[2] s = {1,3}, int64[2] f = {6,1}, int64[1] z = {0}> {\n"
          "x = Abs (i)\n a, b = Split <axis = 0> (x, s)\n c = Transpose (a)\n d = Reshape (c, f)\n"
          "e = Transpose (d)\n y = Concat <axis = 0> (e, b)\n h = Unsqueeze (y, z)\n o = Abs (h) }",
     0, 0},
    /* slices of one tensor, in another order: one of them has to move */
    {HEAD "net (float[6] i) => (o) <int64[1] p = {0}, int64[1] q = {2}, int64[1] r = {6}> {\n"
          "x = Abs (i)\n a = Slice (x, p, q, p)\n b = Slice (x, q, r, p)\n"
          "y = Concat <axis = 0> (b, a)\n o = Abs (y) }",
     8, 8},
    /* Slices that overlap, a Gather of the last row, a crop, and a Slice of two axes, each alone */
    {HEAD "net (float[4,6,8] i) => (o, p, q, u, v) <int64[1] s = {1}, int64[1] e = {3}, int64[1] f "
          "= {4},"
          " int64[1] a = {0}, int64 m = {-1}, int64[6] d = {-1,0,0,-1,0,0}, int64[2] t = {2,0},"
          " int64[2] h = {3,5}, int64[2] b = {0,1}> {\n"
          "x = Abs (i)\n y = Slice (x, s, e, a)\n o = Abs (y)\n z = Slice (x, s, f, a)\n"
          "p = Abs (z)\n w = Gather (x, m)\n q = Abs (w)\n g = Pad (x, d)\n u = Abs (g)\n"
          "k = Slice (x, t, h, b)\n v = Abs (k) }",
     0, 0},
    /* part of each row; every second index, and all from the last on */
    {HEAD "net (float[4,6,8] i) => (o) <int64[1] s = {1}, int64[1] e = {3}, int64[1] a = {1}> {\n"
          "x = Abs (i)\n y = Slice (x, s, e, a)\n o = Abs (y) }",
     256, 0},
    {HEAD "net (float[4,6,8] i) => (o, p) <int64[1] s = {1}, int64[1] e = {4}, int64[1] a = {0},"
          " int64[1] t = {2}, int64[1] l = {-1}, int64[1] m = {-9}> {\n"
          "x = Abs (i)\n y = Slice (x, s, e, a, t)\n o = Abs (y)\n z = Slice (x, l, m, a, l)\n"
          "p = Abs (z) }",
     1152, 1152},
    /* the first and the last of as many as a call says, and all but the first, of which two
     * are expected, because one would be 0 */
    {HEAD "net (float[N,6,8] i) => (o, p, q) <int64[1] s = {0}, int64[1] e = {1}, int64[1] f = "
          "{99999999999},"
          " int64 m = {-1}> {\n"
          "x = Abs (i)\n y = Gather (x, m)\n o = Abs (y)\n z = Slice (x, s, e, s)\n p = Abs (z)\n"
          "v = Slice (x, e, f, s)\n q = Abs (v) }",
     0, 0},
    /* sizes that follow from others in the same way are the same */
    {HEAD
     "net (float[1,4,H,W] i, float[4,4,3,3] w) => (o) <int64[2] s = {2,2}> {\n"
     "x = MaxPool <kernel_shape = [1,1], strides = [2,2]> (i)\n a, b = Split <axis = 1> (x, s)\n"
     "c = Abs (b)\n d = Conv <pads = [1,1,1,1], strides = [2,2]> (i, w)\n"
     "y = Concat <axis = 1> (a, b, c, d)\n o = Abs (y) }",
     0, 0},
    /* the place of an unread part, which is written over after the Split */
    {HEAD "net (float[8] i, float[4] v) => (o) <int64[2] s = {4,4}> { r = Neg (i)\n"
          "a, b = Split <axis = 0> (r, s)\n c = Abs (v)\n k = Concat <axis = 0> (c, b)\n"
          "o = Neg (k) }",
     0, 0},
    /* the same before it, and where the whole is read later */
    {HEAD "net (float[8] i, float[4] v) => (o) <int64[2] s = {4,4}> { r = Neg (i)\n c = Abs (v)\n"
          "a, b = Split <axis = 0> (r, s)\n k = Concat <axis = 0> (c, b)\n o = Neg (k) }",
     16, 16},
    {HEAD "net (float[8] i, float[4] v) => (o, p) <int64[2] s = {4,4}> { r = Neg (i)\n"
          "a, b = Split <axis = 0> (r, s)\n c = Abs (v)\n k = Concat <axis = 0> (c, b)\n"
          "o = Neg (k)\n p = Neg (r) }",
     16, 16},
    /* a part that is read until its place is written over */
    {HEAD "net (float[8] i, float[4] v) => (o, p) <int64[2] s = {4,4}> { r = Neg (i)\n"
          "a, b = Split <axis = 0> (r, s)\n p = Neg (a)\n c = Abs (v)\n"
          "k = Concat <axis = 0> (c, b)\n o = Neg (k) }",
     0, 0},
    /* and by the node that writes over it, which copies unless it runs in place */
    {HEAD "net (float[8] i) => (o) <int64[2] s = {4,4}> { r = Neg (i)\n"
          "a, b = Split <axis = 0> (r, s)\n c = Relu (a)\n k = Concat <axis = 0> (c, b)\n"
          "o = Neg (k) }",
     16, 16},
};
#define NCASES (sizeof cases / sizeof cases[0])

static void test_copies(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * NCASES; i++) {
        const bool strided = i % 2 == 1;
        world w;
        start(&w, cases[i / 2].text, strided);
        const int64_t expected = strided ? cases[i / 2].strided : cases[i / 2].dense;
        if (expected >= 0 && (w.graphs[0].bytes_copied != expected || !w.graphs[0].optimal)) {
            fail_msg("case %zu, rows apart %d: copies %lld bytes, not %lld", i / 2, strided,
                     (long long)w.graphs[0].bytes_copied, (long long)expected);
        }
        sg_arena_free(&w.arena);
    }
}

static void test_places(void **state)
{
    (void)state;
    world w;
    start(&w, cases[0].text, false);
    const sg_placement *graph = &w.graphs[0];
    assert_int_equal(tensor_of(graph, "x")->buffer, tensor_of(graph, "y")->buffer);
    assert_int_equal(tensor_of(graph, "x")->offset, 0);
    assert_int_equal(tensor_of(graph, "c")->offset, 512);
    assert_int_equal(graph->arena, 768);
    assert_int_equal(graph->live, 768);
    assert_int_equal(tensor_of(graph, "s")->buffer, -1);
    for (int64_t i = 0; i < w.ops.count; i++) {
        for (int64_t p = 0; p < w.splits[i]->nparts; p++) {
            assert_true(w.splits[i]->parts[p].view_only);
        }
    }
    sg_arena_free(&w.arena);
}

static void expect_sum(world *w, const sg_sum *sum, const char *text)
{
    assert_string_equal(sg_sum_text(&w->arena, sum, SG_SUM_NUMBERED), text);
}

/* What depends on open dimensions is a sum of their products. */
static void test_sums(void **state)
{
    (void)state;
    world w;
    start(&w,
          HEAD "net (float[N,8,M,4] i, uint4[N,3] k) => (o, l) <int64[2] s = {4,4}> {\n"
               "x = Abs (i)\n a, b = Split <axis = 1> (x, s)\n c = Abs (b)\n"
               "y = Concat <axis = 1> (a, b, c)\n o = Abs (y)\n l = Neg (k) }",
          true);
    const sg_placement *graph = &w.graphs[0];
    const sg_place_tensor *c = tensor_of(graph, "c");
    expect_sum(&w, &c->from, "128*M");
    expect_sum(&w, &c->steps[0], "192*M");
    expect_sum(&w, &c->steps[1], "16*M");
    expect_sum(&w, &c->steps[3], "4");
    assert_string_equal(sg_place_bytes_text(&w.arena, &c->bits), "64*M*N");
    assert_string_equal(sg_place_bytes_text(&w.arena, &graph->buffers[c->buffer].bits), "192*M*N");
    assert_string_equal(sg_place_bytes_text(&w.arena, &tensor_of(graph, "k")->bits), "(12*N+7)/8");
    sg_arena_free(&w.arena);

    sg_arena_init(&w.arena);
    const char *n = "N";
    const sg_sum name = sg_sum_name(&w.arena, n);
    const sg_sum three = sg_sum_number(&w.arena, 3);
    const sg_sum sum = sg_sum_add(&w.arena, &name, &three, 2); /* N+6 */
    const sg_sum less = sg_sum_add(&w.arena, &three, &name, -1);
    const sg_sum none = sg_sum_add(&w.arena, &sum, &sum, -1);
    const sg_sum square = sg_sum_times(&w.arena, &sum, &less);
    expect_sum(&w, &square, "-N*N-3*N+18");
    expect_sum(&w, &none, "0");
    assert_true(sg_sum_same(&sum, &sum) && !sg_sum_same(&sum, &square));
    int64_t value = 0;
    const sg_place_open open = {.name = n, .expected = 4, .least = 1};
    assert_true(sg_place_value(&square, &open, 1, SG_PLACE_EXPECTED, &value));
    assert_int_equal(value, -10);
    sg_arena_free(&w.arena);
}

/* A sum beyond the limits, or with a factor that does not fit, is over, whatever is done with it.
 */
static void test_limits(void **state)
{
    (void)state;
    sg_arena arena;
    sg_arena_init(&arena);
    const char *n = "N";
    const sg_sum name = sg_sum_name(&arena, n);
    const sg_sum large = sg_sum_number(&arena, INT64_MAX);
    int64_t value = 0;
    assert_true(sg_sum_add(&arena, &large, &large, 1).over);
    assert_true(sg_sum_times(&arena, &large, &large).over);
    assert_true(sg_sum_add(&arena, &name, &large, 2).over);
    sg_sum power = name;
    for (int i = 1; i < SG_SUM_MOST; i++) {
        power = sg_sum_times(&arena, &power, &name);
    }
    assert_false(power.over);
    power = sg_sum_times(&arena, &power, &name);
    assert_true(power.over && sg_sum_times(&arena, &name, &power).over &&
                sg_sum_add(&arena, &name, &power, 0).over);
    assert_false(sg_place_value(&power, NULL, 0, SG_PLACE_EXPECTED, &value));
    assert_false(sg_sum_same(&power, &power));
    sg_arena_free(&arena);
}

/* What has no place is copied, the parts that are empty without any doubt excepted. */
static void test_unplaced(void **state)
{
    (void)state;
    world w;
    start(&w,
          HEAD
          "net (float[1,4,H,W] x) => (y) <int64[3] s = {2,2,0}, float[4] m = {1,1,0.3,0.3}> {\n"
          "c = Resize (x, , m)\n"
          "a, b, e = Split <axis = 1> (c, s)\n d = Relu (b)\n"
          "k = Concat <axis = 1> (a, d)\n y = Sigmoid (k) }",
          false);
    sg_placement *graph = &w.graphs[0];
    assert_int_equal(graph->uncounted, 4);
    assert_int_equal(w.diag.warnings, 1);
    assert_non_null(
        strstr(w.diag.first->message, "'c', 'a', 'b', 'e', 'd', 'k', 'y' have no place"));
    int64_t copied = 0;
    for (int64_t n = 0; n < graph->nnodes; n++) {
        for (int64_t i = 0; i < graph->nodes[n].nparts; i++) {
            sg_place_part *part = &graph->nodes[n].parts[i];
            if (!part->copied) {
                assert_int_equal(part->length, 0);
                continue;
            }
            copied++;
            part->copied = false; /* what the old planner said */
            assert_non_null(sg_place_prove(&w.arena, graph, &w.options));
            part->copied = true;
        }
    }
    assert_int_equal(copied, 4);
    assert_null(sg_place_prove(&w.arena, graph, &w.options));
    sg_arena_free(&w.arena);
}

/* A subgraph reads from outside only what it does not bind itself, at any depth. */
static void test_shadows(void **state)
{
    (void)state;
    world w;
    start(&w,
          HEAD "net (float[4,8] x, bool c) => (z) { p = Neg (x)\n"
               "y = If (c) <then_branch = t () => (float[4,8] o) { o = If (c) <\n"
               "then_branch = tt () => (float[4,8] q) { q = Abs (p) },\n"
               "else_branch = te () => (float[4,8] o) { r = Abs (x)\n o = Neg (r) }> },\n"
               "else_branch = e () => (float[4,8] o) { o = Neg (x) }>\n"
               "o = Abs (y)\n r = Abs (o)\n q = Abs (r)\n z = Abs (q) }",
          false);
    assert_int_equal(w.ngraphs, 5);
    assert_int_equal(tensor_of(&w.graphs[0], "p")->last, 1);
    assert_int_equal(tensor_of(&w.graphs[0], "o")->first, 2);
    sg_arena_free(&w.arena);
}

/* The graphs of an If are graphs of their own, and what they read from around them stays there. */
static void test_bodies(void **state)
{
    (void)state;
    world w;
    start(&w,
          HEAD
          "net (bool c, float[6] i) => (o) <int64[2] s = {2,4}> {\n x = Abs (i)\n"
          "y = If (c) <then_branch = t () => (float[4] u) { a, b = Split <axis = 0> (x, s)\n"
          "u = Abs (b) }, else_branch = e () => (float[4] v) { f, g = Split <axis = 0> (x, s)\n"
          "v = Neg (g) }>\n o = Abs (y) }",
          false);
    assert_int_equal(w.ngraphs, 3);
    assert_int_equal(w.graphs[1].npath, 1);
    assert_int_equal(tensor_of(&w.graphs[1], "x")->kind, SG_PLACE_INPUT);
    assert_int_equal(tensor_of(&w.graphs[1], "u")->kind, SG_PLACE_OUTPUT);
    assert_int_equal(w.graphs[1].bytes_copied, 0);
    assert_int_equal(tensor_of(&w.graphs[0], "x")->last, 1);
    sg_arena_free(&w.arena);
}

/* Graphs whose nodes Relu and Add run in place, the arena, and what lies over what. */
static const struct {
    const char *text;
    int64_t arena;
    const char *over; /* names of an output and what it is over, in pairs */
} in_place_cases[] = {
    {"net (float[64] i) => (o) { a = Neg (i)\n b = Relu (a)\n c = Relu (b)\n o = Neg (c) }", 256,
     "ba cb"},
    /* another node reads the input later */
    {"net (float[64] i) => (o, p) { a = Neg (i)\n b = Relu (a)\n o = Neg (b)\n p = Neg (a) }", 512,
     ""},
    /* or a view of it; or reads one at the same node, repeated */
    {"net (float[64] i) => (o, p) <int64[2] s = {8,8}> { a = Neg (i)\n v = Reshape (a, s)\n"
     "b = Relu (a)\n o = Neg (b)\n p = Neg (v) }",
     512, ""},
    {"net (float[2,32] i) => (o) <int64[2] s = {1,1}> { a = Neg (i)\n"
     "v, w = Split <axis = 0> (a, s)\n b = Add (a, w)\n o = Neg (b) }",
     512, ""},
    /* the other input; the same one twice; one that is repeated */
    {"net (float[64] i) => (o) { a = Neg (i)\n b = Add (i, a)\n o = Neg (b) }", 256, "ba"},
    {"net (float[64] i) => (o) { a = Neg (i)\n b = Add (a, a)\n o = Neg (b) }", 256, "ba"},
    {"net (float[64,1] i, float[64,2] k) => (o) { a = Neg (i)\n b = Add (a, k)\n o = Neg (b) }",
     768, ""},
    /* an input of the graph, and an output; an output over an inner tensor */
    {"net (float[64] i) => (o) { b = Relu (i)\n o = Neg (b) }", 256, ""},
    {"net (float[64] i) => (a, o) { a = Neg (i)\n b = Relu (a)\n o = Neg (b) }", 256, ""},
    {"net (float[64] i) => (o) { a = Neg (i)\n o = Relu (a) }", 0, "oa"},
    /* parts, also padded ones whose readers take only dense rows: they are copied */
    {"net (float[8] i) => (o) <int64[2] s = {4,4}> { r = Neg (i)\n"
     "a, b = Split <axis = 0> (r, s)\n c = Relu (a)\n k = Concat <axis = 0> (c, b)\n"
     "o = Neg (k) }",
     32, "ca"},
    /* open dims: those that are equal for every number */
    {"net (float[N,64] i) => (o) { a = Neg (i)\n b = Relu (a)\n o = Neg (b) }", 256, "ba"},
    {"net (float[N,64] i, float[M,64] k) => (o) { a = Neg (i)\n d = Neg (k)\n b = Add (a, d)\n"
     "o = Neg (b) }",
     512, ""},
};

static void change_over(world *w, sg_placement *graph, int64_t *stopped);

static void test_in_place(void **state)
{
    (void)state;
    int64_t stopped = 0;
    for (size_t i = 0; i < sizeof in_place_cases / sizeof in_place_cases[0]; i++) {
        world w;
        char text[1000];
        (void)snprintf(text, sizeof text, "%s%s", HEAD, in_place_cases[i].text);
        start_in_place(&w, text, false, true);
        sg_placement *graph = &w.graphs[0];
        char over[100] = "";
        for (int64_t t = 0; t < graph->ntensors; t++) {
            if (graph->tensors[t].over != NULL) {
                (void)snprintf(over + strlen(over), sizeof over - strlen(over), "%s%s%s",
                               over[0] != '\0' ? " " : "", graph->tensors[t].name,
                               graph->tensors[t].over);
            }
        }
        if (graph->arena != in_place_cases[i].arena || strcmp(over, in_place_cases[i].over) != 0) {
            fail_msg("case %zu: arena %lld, over '%s'", i, (long long)graph->arena, over);
        }
        assert_int_equal(graph->bytes_copied, 0);
        change_over(&w, graph, &stopped);
        sg_arena_free(&w.arena);
    }
    assert_true(stopped >= 20);
}

/* --- changed plans ---------------------------------------------------------------------------- */

typedef struct tally {
    int64_t changed, missed;
} tally;

static void expect_stopped(world *w, const sg_placement *graph, tally *t, const char *what,
                           int64_t index)
{
    t->changed++;
    if (sg_place_prove(&w->arena, graph, &w->options) == NULL) {
        t->missed++;
        print_error("not stopped: %s %lld\n", what, (long long)index);
    }
}

static void change_tensors(world *w, sg_placement *graph, tally *t)
{
    for (int64_t i = 0; i < graph->ntensors; i++) {
        sg_place_tensor *tensor = &graph->tensors[i];
        const sg_place_tensor before = *tensor;
        if (tensor->buffer < 0 || tensor->bytes == 0) {
            continue;
        }
        tensor->offset += tensor->element;
        expect_stopped(w, graph, t, "a later offset of tensor", i);
        tensor->offset = before.offset - tensor->element;
        expect_stopped(w, graph, t, "an earlier offset of tensor", i);
        *tensor = before;
        tensor->buffer = (tensor->buffer + 1) % graph->nbuffers;
        expect_stopped(w, graph, t, "another buffer of tensor", i);
        *tensor = before;
        for (int64_t d = 0; d < tensor->rank; d++) {
            if (tensor->dims[d] > 1) {
                tensor->strides[d] += tensor->element;
                expect_stopped(w, graph, t, "another stride of tensor", i);
                tensor->strides[d] -= tensor->element;
            }
        }
    }
}

/* Another number in one of the sums. */
static void change_sums(world *w, sg_placement *graph, tally *t)
{
    const sg_sum one = sg_sum_number(&w->arena, 1);
    for (int64_t i = 0; i < graph->ntensors; i++) {
        sg_place_tensor *tensor = &graph->tensors[i];
        if (tensor->buffer < 0 || tensor->sizes == NULL) {
            continue;
        }
        for (int64_t k = 0; k < graph->nopen; k++) {
            /* nothing for the expected number: only the proof for others can tell */
            const sg_sum name = sg_sum_name(&w->arena, graph->open[k].name);
            const sg_sum off = sg_sum_add(&w->arena, &name, &one, -graph->open[k].expected);
            const sg_sum before = tensor->from;
            if (graph->open[k].follows != NULL && graph->open[k].follows->most == 1) {
                continue; /* it is 1 for every number */
            }
            tensor->from = sg_sum_add(&w->arena, &before, &off, tensor->element);
            expect_stopped(w, graph, t, "another sum for the offset of tensor", i);
            tensor->from = before;
        }
        const sg_sum before = tensor->from;
        tensor->from = sg_sum_add(&w->arena, &before, &one, tensor->element);
        expect_stopped(w, graph, t, "a later sum for the offset of tensor", i);
        tensor->from = before;
    }
}

static void change_buffers(world *w, sg_placement *graph, tally *t)
{
    for (int64_t i = 0; i < graph->nbuffers; i++) {
        sg_place_buffer *buffer = &graph->buffers[i];
        const sg_place_buffer before = *buffer;
        if (buffer->kind != SG_PLACE_INNER || buffer->bytes == 0) {
            continue;
        }
        buffer->first++;
        expect_stopped(w, graph, t, "a later first node of buffer", i);
        *buffer = before;
        buffer->last--;
        expect_stopped(w, graph, t, "an earlier last node of buffer", i);
        *buffer = before;
        buffer->bytes--;
        expect_stopped(w, graph, t, "fewer bytes of buffer", i);
        *buffer = before;
        buffer->offset = graph->arena;
        expect_stopped(w, graph, t, "a place behind the arena for buffer", i);
        *buffer = before;
        for (int64_t k = 0; k < graph->nbuffers; k++) {
            const sg_place_buffer *other = &graph->buffers[k];
            if (k != i && other->kind == SG_PLACE_INNER && other->bytes > 0 &&
                other->first <= buffer->last && buffer->first <= other->last) {
                buffer->offset = other->offset;
                expect_stopped(w, graph, t, "the place of another one for buffer", i);
                *buffer = before;
            }
        }
    }
}

static void change_copies(world *w, sg_placement *graph, tally *t)
{
    for (int64_t n = 0; n < graph->nnodes; n++) {
        for (int64_t i = 0; i < graph->nodes[n].nparts; i++) {
            sg_place_part *part = &graph->nodes[n].parts[i];
            if (graph->tensors[part->tensor].bytes > 0) {
                part->copied = !part->copied;
                expect_stopped(w, graph, t, "a copy too many or too few at node", n);
                part->copied = !part->copied;
            }
        }
    }
}

/* Nodes that do something else than the model says. */
static void change_nodes(world *w, sg_placement *graph, tally *t)
{
    for (int64_t n = 0; n < graph->nnodes; n++) {
        sg_place_node *node = &graph->nodes[n];
        const sg_place_node before = *node;
        node->nreads = 0;
        if (node->split == NULL) {
            expect_stopped(w, graph, t, "nothing read by node", n);
        }
        *node = before;
        node->nwrites = 0;
        if (node->split == NULL) {
            expect_stopped(w, graph, t, "nothing written by node", n);
        }
        *node = before;
        if (node->past >= 0) {
            node->past = -1;
            expect_stopped(w, graph, t, "nothing in front of the parts of node", n);
            *node = before;
            graph->tensors[node->whole].capacity++;
            expect_stopped(w, graph, t, "a larger cache at node", n);
            graph->tensors[node->whole].capacity--;
        }
        if (node->split != NULL) {
            node->nparts--;
            expect_stopped(w, graph, t, "a part too few at node", n);
            *node = before;
            const int64_t length = node->parts[0].length;
            node->parts[0].length = length + 1;
            expect_stopped(w, graph, t, "a longer part at node", n);
            node->parts[0].length = length;
        }
    }
}

/* Outputs over tensors that their nodes may not overwrite. */
static void change_over(world *w, sg_placement *graph, int64_t *stopped)
{
    tally t = {0};
    const sg_place_options options = w->options;
    int64_t over = 0;
    for (int64_t i = 0; i < graph->ntensors; i++) {
        over += graph->tensors[i].over != NULL;
    }
    if (over > 0) { /* what nothing can run in place does not hold */
        w->options.in_place.count = 0;
        expect_stopped(w, graph, &t, "no operator in place", 0);
        w->options = options;
    }
    for (int64_t n = 0; n < graph->nnodes; n++) {
        const sg_place_node *node = &graph->nodes[n];
        if (node->nwrites != 1 || node->move != SG_PLACE_OPAQUE) {
            continue;
        }
        sg_place_tensor *to = &graph->tensors[node->writes[0]];
        const sg_place_tensor before = *to;
        for (int64_t i = 0; i < node->nreads; i++) {
            sg_place_tensor *from = &graph->tensors[node->reads[i]];
            const sg_place_tensor input = *from;
            if (to->kind != SG_PLACE_INNER || to->buffer < 0 || from->buffer < 0 ||
                to->over != NULL) {
                if (to->over != NULL && from->buffer == to->buffer &&
                    from->kind == SG_PLACE_INNER) {
                    from->last++; /* somebody reads it later */
                    expect_stopped(w, graph, &t, "overwrites what is read later at node", n);
                    *from = input;
                }
                continue;
            }
            to->buffer = from->buffer;
            to->offset = from->offset;
            to->from = from->from;
            expect_stopped(w, graph, &t, "the place of an input at node", n);
            *to = before;
        }
    }
    assert_int_equal(t.missed, 0);
    assert_null(sg_place_prove(&w->arena, graph, &w->options));
    *stopped += t.changed;
}

static void test_changes(void **state)
{
    (void)state;
    tally t = {0};
    for (size_t i = 0; i < 2 * NCASES; i++) {
        world w;
        start(&w, cases[i / 2].text, i % 2 == 1);
        change_tensors(&w, &w.graphs[0], &t);
        change_sums(&w, &w.graphs[0], &t);
        change_buffers(&w, &w.graphs[0], &t);
        change_copies(&w, &w.graphs[0], &t);
        change_nodes(&w, &w.graphs[0], &t);
        assert_null(sg_place_prove(&w.arena, &w.graphs[0], &w.options));
        sg_arena_free(&w.arena);
    }
    assert_true(t.changed > 200);
    assert_int_equal(t.missed, 0);
}

/* --- fewest bytes ----------------------------------------------------------------------------- */

/* A random graph in text, of tensors of three dimensions. */
typedef struct random_graph {
    uint64_t state;
    char constants[3000], body[3000];
    size_t nconstants, nbody;
    int dims[40][3]; /* of tensor t0, t1, ... */
    bool is_read[40];
    int count;
} random_graph;

static int below(random_graph *g, int limit)
{
    g->state = g->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((g->state >> 33) % (uint64_t)limit);
}

/* Adds a tensor of the shape of another one, but for its length on an axis. */
static int add_like(random_graph *g, int like, int axis, int length)
{
    memcpy(g->dims[g->count], g->dims[like], sizeof g->dims[0]);
    g->dims[g->count][axis] = length;
    return g->count++;
}

static int read_any(random_graph *g)
{
    /* the later ones more often, which makes chains */
    const int t = g->count - 1 - below(g, below(g, g->count) + 1);
    g->is_read[t] = true;
    return t;
}

/* A constant of up to three numbers. */
static int add_constant(random_graph *g, int count, int a, int b, int c)
{
    const int id = (int)g->nconstants;
    const int all[3] = {a, b, c};
    char *text = g->constants;
    g->nconstants +=
        (size_t)sprintf(text + id, "%sint64[%d] k%d = ", id > 0 ? ", " : "", count, id);
    for (int i = 0; i < count; i++) {
        g->nconstants += (size_t)sprintf(text + g->nconstants, "%c%d", i > 0 ? ',' : '{', all[i]);
    }
    g->nconstants += (size_t)sprintf(text + g->nconstants, "}");
    return id;
}

static void add_split(random_graph *g, char *text, int from, int axis)
{
    const int n = g->dims[from][axis];
    const int length = 1 + below(g, n - 1);
    const int a = add_like(g, from, axis, length);
    if (below(g, 4) == 0) {
        const int first = below(g, n - length + 1);
        sprintf(text, "t%d = Slice (t%d, k%d, k%d, k%d)\n", a, from,
                add_constant(g, 1, first, 0, 0), add_constant(g, 1, first + length, 0, 0),
                add_constant(g, 1, axis, 0, 0));
        return;
    }
    const int b = add_like(g, from, axis, n - length);
    sprintf(text, "t%d, t%d = Split <axis = %d> (t%d, k%d)\n", a, b, axis, from,
            add_constant(g, 2, length, n - length, 0));
}

/* Adds a node, unless the shapes do not fit. */
static void add_random_node(random_graph *g)
{
    static const char *const computes[] = {"Abs", "Neg", "Relu", "Identity"};
    char *text = g->body + g->nbody;
    const int kind = below(g, 13);
    const int from = read_any(g);
    const int axis = below(g, 3);
    const int *dims = g->dims[from];
    text[0] = '\0';
    if (kind < 4) {
        sprintf(text, "t%d = %s (t%d)\n", add_like(g, from, 0, dims[0]), computes[kind], from);
    } else if (kind < 8 && dims[axis] > 1) {
        add_split(g, text, from, axis);
    } else if (kind == 8) {
        const int to = add_like(g, from, 0, dims[1]);
        g->dims[to][1] = dims[0];
        sprintf(text, "t%d = Transpose <perm = [1, 0, 2]> (t%d)\n", to, from);
    } else if (kind == 9) {
        const int to = add_like(g, from, 0, 1);
        g->dims[to][1] = dims[0] * dims[1];
        sprintf(text, "t%d = Reshape (t%d, k%d)\n", to, from,
                add_constant(g, 3, 1, dims[0] * dims[1], dims[2]));
    } else if (kind > 9) {
        const int other = read_any(g);
        bool same = true;
        for (int d = 0; d < 3; d++) {
            same = same && (d == axis || dims[d] == g->dims[other][d]);
        }
        if (same) {
            sprintf(text, "t%d = Concat <axis = %d> (t%d, t%d)\n",
                    add_like(g, from, axis, dims[axis] + g->dims[other][axis]), axis, from, other);
        }
    }
    g->nbody += strlen(text);
}

static const char *random_text(sg_arena *arena, uint64_t seed)
{
    random_graph *g = SG_NEW(arena, random_graph);
    g->state = seed;
    const char *inputs = "";
    for (int i = 0; i < 2; i++) {
        const int *dims = g->dims[g->count++];
        for (int d = 0; d < 3; d++) {
            g->dims[i][d] = 1 + below(g, d == 1 ? 4 : 2);
        }
        inputs = sg_arena_printf(arena, "%s%sfloat[%d,%d,%d] t%d", inputs, i > 0 ? ", " : "",
                                 dims[0], dims[1], dims[2], i);
    }
    const int nodes = 4 + below(g, 6);
    for (int i = 0; i < nodes; i++) {
        add_random_node(g);
    }
    const char *outputs = "";
    for (int t = 2; t < g->count; t++) {
        if (below(g, 10) < (g->is_read[t] ? 1 : 8)) {
            outputs = sg_arena_printf(arena, "%s%st%d", outputs, outputs[0] ? ", " : "", t);
        }
    }
    return outputs[0] == '\0' ? NULL
                              : sg_arena_printf(arena, "%snet (%s) => (%s) <%s> {\n%s}", HEAD,
                                                inputs, outputs, g->constants, g->body);
}

enum { MOST_PARTS = 10 };

/* The parts of a graph that may be copied or not. */
typedef struct choice {
    sg_place_node *nodes[MOST_PARTS];
    sg_place_part *parts[MOST_PARTS];
    int count;
    int64_t bytes; /* of all */
} choice;

static bool list_parts(const sg_placement *graph, choice *all)
{
    *all = (choice){0};
    for (int64_t n = 0; n < graph->nnodes; n++) {
        sg_place_node *node = &graph->nodes[n];
        for (int64_t i = 0; i < node->nparts; i++) {
            if (all->count == MOST_PARTS) {
                return false;
            }
            all->nodes[all->count] = node;
            all->parts[all->count++] = &node->parts[i];
            all->bytes += graph->tensors[node->parts[i].tensor].bytes;
        }
    }
    return true;
}

/* Where a part begins on an axis of its whole, and whether it lacks the axis. */
static int64_t begins_at(const sg_place_node *node, const sg_place_part *part, int64_t d)
{
    return part->box != NULL ? sg_sum_constant(&part->box[d].start)
           : d == node->axis ? part->start
                             : 0;
}

static void lay_dense(sg_place_tensor *t)
{
    int64_t stride = t->element;
    for (int64_t d = t->rank - 1; d >= 0; d--) {
        t->strides[d] = stride;
        stride *= t->dims[d];
    }
}

/* Places one tensor of a part by the other one. */
static void lay(const sg_placement *graph, const sg_place_node *node, const sg_place_part *part,
                bool inwards)
{
    sg_place_tensor *whole = &graph->tensors[node->whole];
    sg_place_tensor *own = &graph->tensors[part->tensor];
    sg_place_tensor *from = inwards ? whole : own;
    sg_place_tensor *to = inwards ? own : whole;
    to->offset = from->offset;
    if (node->move == SG_PLACE_ALIAS) {
        lay_dense(to); /* if that is not the order of padded rows, the proof says so */
        if (from->rank == to->rank &&
            memcmp(from->dims, to->dims, (size_t)to->rank * sizeof *to->dims) == 0) {
            memcpy(to->strides, from->strides, (size_t)to->rank * sizeof *to->strides);
        }
        return;
    }
    int64_t stride = to->element;
    for (int64_t d = to->rank - 1; d >= 0; d--) {
        const bool tells = inwards || from->dims[d] > 1;
        to->strides[d] = tells ? from->strides[d] : stride;
        stride = to->strides[d] * to->dims[d];
        to->offset += (inwards ? 1 : -1) * begins_at(node, part, d) *
                      (inwards ? from->strides[d] : to->strides[d]);
    }
}

/* Whether the proof accepts a plan that keeps these parts (bits) of one union only, whose tensors
 * are placed by this one. kept: receives those that connect the union. */
static bool holds_from(world *w, const sg_placement *graph, const choice *all, uint32_t chosen,
                       int64_t root, bool *in)
{
    sg_placement plan = *graph;
    plan.tensors = SG_NEW_ARRAY(&w->arena, sg_place_tensor, graph->ntensors);
    plan.buffers = SG_NEW_ARRAY(&w->arena, sg_place_buffer, graph->ntensors);
    plan.nbuffers = plan.arena = 0;
    memset(in, 0, (size_t)graph->ntensors * sizeof *in);
    for (int64_t t = 0; t < graph->ntensors; t++) {
        plan.tensors[t] = graph->tensors[t];
        plan.tensors[t].strides = SG_NEW_ARRAY(&w->arena, int64_t, graph->tensors[t].rank);
        plan.tensors[t].offset = 0;
        lay_dense(&plan.tensors[t]);
    }
    in[root] = true;
    for (int walk = 0; walk < all->count; walk++) {
        for (int i = 0; i < all->count; i++) {
            const int64_t child = all->parts[i]->tensor;
            const int64_t whole = all->nodes[i]->whole;
            if ((chosen >> i & 1) != 0 && in[child] != in[whole]) {
                lay(&plan, all->nodes[i], all->parts[i], in[whole]);
                in[child] = in[whole] = true;
            }
        }
    }
    for (int i = 0; i < all->count; i++) {
        const sg_place_tensor *own = &plan.tensors[all->parts[i]->tensor];
        const bool kept = (chosen >> i & 1) != 0 && in[all->parts[i]->tensor];
        all->parts[i]->copied =
            !kept && own->bytes > 0 &&
            (own->kind != SG_PLACE_CONSTANT || all->nodes[i]->move == SG_PLACE_CONCAT);
    }
    int64_t low = 0;
    for (int64_t t = 0; t < graph->ntensors; t++) {
        low = in[t] && plan.tensors[t].offset < low ? plan.tensors[t].offset : low;
    }
    int64_t shared = -1;
    for (int64_t t = 0; t < graph->ntensors; t++) {
        sg_place_tensor *tensor = &plan.tensors[t];
        if (!tensor->known || tensor->kind == SG_PLACE_CONSTANT) {
            continue;
        }
        tensor->offset -= in[t] ? low : 0;
        tensor->buffer = in[t] && shared >= 0 ? shared : plan.nbuffers++;
        sg_place_buffer *buffer = &plan.buffers[tensor->buffer];
        const int64_t first = tensor->first > 0 ? tensor->first : 0;
        const int64_t end =
            tensor->offset + (tensor->bytes > 0 ? sg_place_span(tensor, tensor->dims) : 0);
        const bool is_new = !in[t] || shared < 0;
        shared = in[t] ? tensor->buffer : shared;
        buffer->first = is_new || first < buffer->first ? first : buffer->first;
        buffer->last = is_new || tensor->last > buffer->last ? tensor->last : buffer->last;
        buffer->bytes = is_new || end > buffer->bytes ? end : buffer->bytes;
        buffer->kind = is_new || tensor->kind != SG_PLACE_INNER ? tensor->kind : buffer->kind;
    }
    for (int64_t b = 0; b < plan.nbuffers; b++) {
        plan.buffers[b].offset = plan.arena;
        plan.arena += (plan.buffers[b].bytes + 63) / 64 * 64;
    }
    return sg_place_prove(&w->arena, &plan, &w->options) == NULL;
}

/* Whether each union of the parts that a choice keeps has a place that the proof accepts. */
static bool holds(world *w, const sg_placement *graph, const choice *all, uint32_t chosen)
{
    bool *in = SG_NEW_ARRAY(&w->arena, bool, graph->ntensors);
    bool *done = SG_NEW_ARRAY(&w->arena, bool, graph->ntensors);
    for (int i = 0; i < all->count; i++) {
        if ((chosen >> i & 1) == 0 || done[all->parts[i]->tensor]) {
            continue;
        }
        bool found = holds_from(w, graph, all, chosen, all->parts[i]->tensor, in);
        bool *members = SG_NEW_ARRAY(&w->arena, bool, graph->ntensors);
        memcpy(members, in, (size_t)graph->ntensors * sizeof *in);
        for (int64_t t = 0; t < graph->ntensors; t++) {
            found = found || (members[t] && holds_from(w, graph, all, chosen, t, in));
            done[t] = done[t] || members[t];
        }
        if (!found) {
            return false;
        }
    }
    return true;
}

/* The choice of the plan itself. */
static uint32_t kept_by(const sg_placement *graph, const choice *all)
{
    uint32_t kept = 0;
    for (int i = 0; i < all->count; i++) {
        const sg_place_tensor *t = &graph->tensors[all->parts[i]->tensor];
        const bool lies = t->buffer >= 0 && t->bytes > 0 && !all->parts[i]->copied;
        kept |= lies ? UINT32_C(1) << i : 0;
    }
    return kept;
}

/* No choice of parts copies fewer bytes than a plan that says it is optimal. */
static void test_optimal(void **state)
{
    (void)state;
    int plans = 0;
    int own = 0;
    int worse = 0;
    int64_t judged = 0;
    for (uint64_t seed = 1; seed <= OPTIMAL_SEEDS; seed++) {
        sg_arena arena;
        sg_arena_init(&arena);
        const char *text = random_text(&arena, seed);
        for (int i = 0; text != NULL && i < 3; i++) {
            world w;
            start_in_place(&w, text, i == 1, i == 2);
            sg_placement *graph = &w.graphs[0];
            choice all;
            bool fewer = !list_parts(graph, &all);
            bool optimal = graph->optimal && !fewer;
            plans += optimal;
            own += optimal && holds(&w, graph, &all, kept_by(graph, &all));
            for (uint32_t chosen = 0; optimal && chosen < UINT32_C(1) << all.count; chosen++) {
                int64_t copied = 0;
                for (int k = 0; k < all.count; k++) {
                    const sg_place_tensor *t = &graph->tensors[all.parts[k]->tensor];
                    copied += (chosen >> k & 1) != 0 || (t->kind == SG_PLACE_CONSTANT &&
                                                         all.nodes[k]->move != SG_PLACE_CONCAT)
                                  ? 0
                                  : t->bytes;
                }
                if (copied < graph->bytes_copied) {
                    judged++;
                    if (holds(&w, graph, &all, chosen)) {
                        print_message("seed %d, options %d: %d bytes are enough, not %d\n%s\n",
                                      (int)seed, i, (int)copied, (int)graph->bytes_copied, text);
                        optimal = false;
                        worse++;
                    }
                }
            }
            sg_arena_free(&w.arena);
        }
        sg_arena_free(&arena);
    }
    print_message("%d plans, %d of which are found; %d choices that copy less\n", plans, own,
                  (int)judged);
    assert_true(plans > OPTIMAL_SEEDS && judged > plans);
    assert_int_equal(worse, 0);
}

/* --- large graphs ----------------------------------------------------------------------------- */

static int64_t *two(sg_arena *arena, int64_t a, int64_t b)
{
    int64_t *list = SG_NEW_ARRAY(arena, int64_t, 2);
    list[0] = a;
    list[1] = b;
    return list;
}

/* Of four nodes each: x is computed and split, one part is computed with, and both are joined to
 * what the next ones compute with; every tensor is of 64 floats or 32. chained: one node hands on
 * the result without a copy, so that all make one piece. */
static void make_large(sg_arena *arena, sg_placement *graph, int64_t blocks, bool chained,
                       bool is_open)
{
    static const int64_t dims[2][2] = {{64, 1}, {32, 1}};
    static const sg_sum_factor names[] = {{.name = "N"}};
    static const sg_sum_term products[] = {{64, NULL, 0}, {32, NULL, 0}, {1, names, 1}};
    static const sg_sum_term bits[] = {{2048, names, 1}, {1024, names, 1}};
    static const sg_sum sizes[2][2] = {{{&products[0], 1, false}, {&products[2], 1, false}},
                                       {{&products[1], 1, false}, {&products[2], 1, false}}};
    static const bool open[2][2] = {{false, false}, {false, true}};
    static sg_place_open numbers[] = {{.name = "N", .expected = 1, .least = 1}};
    *graph = (sg_placement){.nnodes = 4 * blocks, .ntensors = 5 * blocks + 1};
    graph->open = numbers;
    graph->nopen = is_open;
    graph->nodes = SG_NEW_ARRAY(arena, sg_place_node, graph->nnodes);
    graph->tensors = SG_NEW_ARRAY(arena, sg_place_tensor, graph->ntensors);
    for (int64_t i = 0; i < graph->ntensors; i++) {
        const bool half = i % 5 >= 2 && i % 5 <= 4;
        graph->tensors[i] =
            (sg_place_tensor){.name = "t",
                              .copy_of = -1,
                              .known = true,
                              .rank = 2,
                              .dims = dims[half],
                              .open = open[is_open],
                              .sizes = is_open ? sizes[half] : NULL,
                              .bits = {is_open ? &bits[half] : NULL, is_open, false},
                              .element = 4,
                              .bytes = half ? 128 : 256,
                              .first = -1};
    }
    graph->tensors[0].kind = SG_PLACE_INPUT;
    for (int64_t b = 0; b < blocks; b++) {
        const int64_t in = 5 * b;
        sg_place_node *node = &graph->nodes[4 * b];
        node[0] = (sg_place_node){.name = "x", .op_type = "Abs", .past = -1};
        node[1] =
            (sg_place_node){.name = "s", .op_type = "Split", .move = SG_PLACE_SPLIT, .past = -1};
        node[2] = (sg_place_node){.name = "c", .op_type = "Abs", .past = -1};
        node[3] =
            (sg_place_node){.name = "y", .op_type = "Concat", .move = SG_PLACE_CONCAT, .past = -1};
        node[0].reads = two(arena, in, 0);
        node[0].writes = two(arena, in + 1, 0);
        node[1].reads = two(arena, in + 1, 0);
        node[1].writes = two(arena, in + 2, in + 3);
        node[2].reads = two(arena, in + 3, 0);
        node[2].writes = two(arena, in + 4, 0);
        node[3].reads = two(arena, in + 2, in + 4);
        node[3].writes = two(arena, in + 5, 0);
        for (int k = 0; k < 4; k++) {
            node[k].nreads = k == 3 ? 2 : 1;
            node[k].nwrites = k == 1 ? 2 : 1;
            node[k].nparts = k == 0 || k == 2 ? 0 : 2;
            node[k].whole = in + (k == 1 ? 1 : 5);
            node[k].parts = SG_NEW_ARRAY(arena, sg_place_part, 2);
            for (int64_t p = 0; p < node[k].nparts; p++) {
                node[k].parts[p] = (sg_place_part){
                    .tensor = k == 1 ? in + 2 + p : in + 2 + 2 * p, .start = 32 * p, .length = 32};
            }
        }
        if (chained && b > 0) {
            node[0].move = SG_PLACE_ALIAS;
            node[0].whole = in;
            node[0].nparts = 1;
            node[0].parts[0].tensor = in + 1;
        }
    }
    for (int64_t n = 0; n < graph->nnodes; n++) {
        const sg_place_node *node = &graph->nodes[n];
        for (int64_t i = 0; i < node->nreads; i++) {
            graph->tensors[node->reads[i]].last = n;
        }
        for (int64_t i = 0; i < node->nwrites; i++) {
            graph->tensors[node->writes[i]].first = n;
            graph->tensors[node->writes[i]].last = n;
        }
    }
}

static void test_large(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        const bool chained = i % 2 == 1;
        sg_arena arena;
        sg_arena_init(&arena);
        sg_placement graph;
        const sg_place_options options = {.alignment = SG_PLACE_ALIGN, .in_place = {rows, i % 2}};
        make_large(&arena, &graph, 2500, chained, i >= 2);
        assert_true(sg_place_unite(&arena, &graph, &options));
        assert_true(sg_place_arena(&arena, &graph));
        const char *wrong = sg_place_prove(&arena, &graph, &options);
        if (wrong != NULL) {
            fail_msg("%s", wrong);
        }
        print_message("%d nodes%s%s: %zu bytes, optimal %d, copies %lld of %lld bytes\n", 10000,
                      chained ? " in one piece" : "", i >= 2 ? ", open" : "", arena.total,
                      graph.optimal, (long long)graph.bytes_copied, (long long)graph.bytes_moved);
        assert_true(arena.total < (size_t)200 << 20);
        assert_true(graph.bytes_copied < graph.bytes_moved);
        sg_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copies),   cmocka_unit_test(test_places),
        cmocka_unit_test(test_sums),     cmocka_unit_test(test_limits),
        cmocka_unit_test(test_unplaced), cmocka_unit_test(test_shadows),
        cmocka_unit_test(test_bodies),   cmocka_unit_test(test_in_place),
        cmocka_unit_test(test_changes),  cmocka_unit_test(test_optimal),
        cmocka_unit_test(test_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
