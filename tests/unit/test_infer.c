/* Tests of inference: models made by hand, the resulting Splits with their shapes, lengths,
 * names and origins, and the messages about unknown ones. The rules of single operators are
 * tested elsewhere. These tests are about names, scopes, bodies, functions, options and budgets. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/diag_render.h"
#include "shapes/element_bits.h"
#include "frontend/graph/ops.h"

#define MOST 32 /* maximum count of anything in a hand-made graph, except nodes */

typedef struct fixture {
    sg_arena arena;
    sg_diag diag;
    sg_graph_model model;
    sg_graph_options options;
    sg_graph_define defines[MOST];
    sg_graph_given_shape shapes[MOST];
    sg_graph_given_value values[MOST];
    sg_graph_glob only[MOST];
    sg_graph_glob except[MOST];
    sg_op_array ops;
    bool ok;
} fixture;

/* --- making models ---------------------------------------------------------------------------- */

/* The words between commas; "" gives none, "a,,b" an empty one in the middle. */
static const char **words(fixture *f, const char *text, int64_t *count)
{
    const char **list = SG_NEW_ARRAY(&f->arena, const char *, strlen(text) + 1);
    *count = 0;
    while (*text != '\0' || *count > 0) {
        const size_t len = strcspn(text, ",");
        list[(*count)++] = sg_arena_strndup(&f->arena, text, len);
        if (text[len] == '\0') {
            break;
        }
        text += len + 1;
    }
    return list;
}

/* "1,N,?": a number, a name, unknown; "*": no rank. */
static sg_graph_type type_of(fixture *f, int dtype, const char *dims)
{
    sg_graph_type type = {.is_tensor = true, .dtype = dtype};
    if (strcmp(dims, "*") == 0) {
        return type;
    }
    const char **list = words(f, dims, &type.shape.rank);
    type.shape.has_rank = true;
    type.shape.dims = SG_NEW_ARRAY(&f->arena, sg_graph_dim, type.shape.rank);
    for (int64_t i = 0; i < type.shape.rank; ++i) {
        sg_graph_dim *dim = &type.shape.dims[i];
        if (!sg_parse_int64(sg_str_from(list[i]), &dim->size)) {
            dim->size = -1;
            dim->name = strcmp(list[i], "?") != 0 ? list[i] : NULL;
        }
    }
    return type;
}

static void init_graph(fixture *f, sg_graph *graph)
{
    enum { NODES = 64 };
    graph->name = "g";
    graph->inputs = SG_NEW_ARRAY(&f->arena, sg_graph_info, MOST);
    graph->outputs = SG_NEW_ARRAY(&f->arena, sg_graph_info, MOST);
    graph->infos = SG_NEW_ARRAY(&f->arena, sg_graph_info, MOST);
    graph->initializers = SG_NEW_ARRAY(&f->arena, sg_graph_tensor, MOST);
    graph->nodes = SG_NEW_ARRAY(&f->arena, sg_graph_node, NODES);
}

static fixture *start(void)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    sg_arena_init(&f->arena);
    sg_diag_init(&f->diag, &f->arena);
    f->model.source = sg_source_new(&f->arena, "model.onnx", "", 0);
    f->model.functions = SG_NEW_ARRAY(&f->arena, sg_graph_function, MOST);
    init_graph(f, &f->model.graph);
    f->options.said.defines = f->defines;
    f->options.said.shapes = f->shapes;
    f->options.said.values = f->values;
    f->options.only = f->only;
    f->options.except = f->except;
    return f;
}

static void done(fixture *f)
{
    sg_arena_free(&f->arena);
    free(f);
}

static sg_graph_info info_of(fixture *f, const char *name, int dtype, const char *dims)
{
    return (sg_graph_info){.name = name, .type = type_of(f, dtype, dims)};
}

static void input(fixture *f, sg_graph *g, const char *name, int dtype, const char *dims)
{
    g->inputs[g->ninputs++] = info_of(f, name, dtype, dims);
}

static void output(fixture *f, sg_graph *g, const char *name)
{
    g->outputs[g->noutputs++] = info_of(f, name, SG_GRAPH_DTYPE_UNKNOWN, "*");
}

static void info(fixture *f, sg_graph *g, const char *name, int dtype, const char *dims)
{
    g->infos[g->ninfos++] = info_of(f, name, dtype, dims);
}

/* An i64 tensor; dims "" is a scalar. */
static sg_graph_tensor ints_of(fixture *f, const char *name, const char *dims, const char *values)
{
    sg_graph_tensor tensor = {.name = name, .kind = SG_GRAPH_VALUES_INTS};
    tensor.type = type_of(f, SG_DTYPE_I64, dims);
    const char **list = words(f, values, &tensor.count);
    tensor.ints = SG_NEW_ARRAY(&f->arena, int64_t, tensor.count);
    for (int64_t i = 0; i < tensor.count; ++i) {
        assert_true(sg_parse_int64(sg_str_from(list[i]), &tensor.ints[i]));
    }
    return tensor;
}

static void ints(fixture *f, sg_graph *g, const char *name, const char *dims, const char *values)
{
    g->initializers[g->ninitializers++] = ints_of(f, name, dims, values);
}

/* A list of i64. */
static void list(fixture *f, sg_graph *g, const char *name, const char *values)
{
    int64_t count = 0;
    (void)words(f, values, &count);
    ints(f, g, name, sg_arena_printf(&f->arena, "%" PRId64, count), values);
}

static sg_graph_node *node(fixture *f, sg_graph *g, const char *op_type, const char *inputs,
                           const char *outputs)
{
    sg_graph_node *n = &g->nodes[g->nnodes++];
    n->name = "";
    n->op_type = op_type;
    n->domain = "";
    n->overload = "";
    n->opset = 17;
    n->inputs = words(f, inputs, &n->ninputs);
    n->outputs = words(f, outputs, &n->noutputs);
    n->attributes = SG_NEW_ARRAY(&f->arena, sg_graph_attribute, MOST);
    return n;
}

static sg_graph_attribute *attribute(sg_graph_node *n, const char *name,
                                     sg_graph_attribute_kind kind)
{
    sg_graph_attribute *a = &n->attributes[n->nattributes++];
    static const sg_graph_attribute_type types[] = {
        [SG_GRAPH_ATTRIBUTE_INT] = SG_GRAPH_TYPE_INT,
        [SG_GRAPH_ATTRIBUTE_INTS] = SG_GRAPH_TYPE_INTS,
        [SG_GRAPH_ATTRIBUTE_TENSOR] = SG_GRAPH_TYPE_TENSOR,
        [SG_GRAPH_ATTRIBUTE_GRAPH] = SG_GRAPH_TYPE_GRAPH,
        [SG_GRAPH_ATTRIBUTE_REFERENCE] = SG_GRAPH_TYPE_UNDEFINED,
    };
    a->name = name;
    a->kind = kind;
    a->type = types[kind];
    a->count = 1;
    return a;
}

static void int_attribute(fixture *f, sg_graph_node *n, const char *name, int64_t value)
{
    sg_graph_attribute *a = attribute(n, name, SG_GRAPH_ATTRIBUTE_INT);
    a->ints = SG_NEW(&f->arena, int64_t);
    a->ints[0] = value;
}

static void list_attribute(fixture *f, sg_graph_node *n, const char *name, const char *values)
{
    sg_graph_attribute *a = attribute(n, name, SG_GRAPH_ATTRIBUTE_INTS);
    const sg_graph_tensor tensor = ints_of(f, "", "*", values);
    a->ints = tensor.ints;
    a->count = tensor.count;
}

static void reference(fixture *f, sg_graph_node *n, const char *name, const char *to)
{
    sg_graph_attribute *a = attribute(n, name, SG_GRAPH_ATTRIBUTE_REFERENCE);
    a->texts = SG_NEW(&f->arena, const char *);
    a->texts[0] = to;
}

static sg_graph *graph_attribute(fixture *f, sg_graph_node *n, const char *name)
{
    sg_graph_attribute *a = attribute(n, name, SG_GRAPH_ATTRIBUTE_GRAPH);
    a->graphs = SG_NEW(&f->arena, sg_graph *);
    a->graphs[0] = SG_NEW(&f->arena, sg_graph);
    init_graph(f, a->graphs[0]);
    return a->graphs[0];
}

static sg_graph_function *function(fixture *f, const char *name, const char *inputs,
                                   const char *outputs)
{
    sg_graph_function *fn = &f->model.functions[f->model.nfunctions++];
    fn->name = name;
    fn->domain = "local";
    fn->overload = "";
    fn->inputs = words(f, inputs, &fn->ninputs);
    fn->outputs = words(f, outputs, &fn->noutputs);
    init_graph(f, &fn->body);
    return fn;
}

static sg_graph_node *call(fixture *f, sg_graph *g, const char *name, const char *inputs,
                           const char *outputs)
{
    sg_graph_node *n = node(f, g, name, inputs, outputs);
    n->domain = "local";
    return n;
}

/* A Split into two equal parts. */
static sg_graph_node *halve(fixture *f, sg_graph *g, const char *in, const char *out, int64_t axis)
{
    sg_graph_node *n = node(f, g, "Split", in, out);
    int_attribute(f, n, "axis", axis);
    return n;
}

/* --- running ---------------------------------------------------------------------------------- */

static void define(fixture *f, const char *name, int64_t value)
{
    f->defines[f->options.said.ndefines++] = (sg_graph_define){.name = name, .value = value};
}

static void leave_open(fixture *f, const char *name, int64_t expected)
{
    f->defines[f->options.said.ndefines++] = (sg_graph_define){
        .name = name, .value = expected, .free = {name, expected}, .option = "--open"};
}

static void give_shape(fixture *f, const char *tensor, const char *dims)
{
    sg_graph_given_shape *given = &f->shapes[f->options.said.nshapes++];
    const sg_graph_tensor tensor_of = ints_of(f, "", "*", dims);
    given->tensor = tensor;
    given->dtype = SG_GRAPH_DTYPE_UNKNOWN;
    given->has_dims = true;
    given->dims = tensor_of.ints;
    given->rank = tensor_of.count;
}

static void give_value(fixture *f, const char *tensor, const char *values)
{
    sg_graph_given_value *given = &f->values[f->options.said.nvalues++];
    const sg_graph_tensor tensor_of = ints_of(f, "", "*", values);
    given->tensor = tensor;
    given->values = tensor_of.ints;
    given->count = tensor_of.count;
    given->span = (sg_span){.source = f->model.source};
}

static void rules(fixture *f, const char *text)
{
    f->options.said.rules = sg_source_new(&f->arena, "own.lua", text, strlen(text));
}

static void run(fixture *f)
{
    f->ok = sg_graph_ops(&f->arena, &f->diag, &f->model, &f->options, &f->ops);
}

static const char *messages(fixture *f)
{
    sg_buf text = {0};
    sg_diag_render_text(&f->diag, SG_COLOR_NEVER, &text);
    const char *copy = sg_arena_strndup(&f->arena, text.len > 0 ? text.ptr : "", text.len);
    sg_buf_free(&text);
    return copy;
}

static void run_well(fixture *f, int64_t count)
{
    run(f);
    if (!f->ok || f->ops.count != count) {
        fail_msg("%" PRId64 " ops\n%s", f->ops.count, messages(f));
    }
}

static void expect_message(fixture *f, const char *part)
{
    const char *text = messages(f);
    if (strstr(text, part) == NULL) {
        fail_msg("'%s' is not in\n%s", part, text);
    }
}

/* "name: dtype[dims] @axis lengths", as far as they are known. */
static const char *op_text(fixture *f, int64_t at)
{
    const sg_op *op = f->ops.items[at];
    sg_buf text = {0};
    sg_buf_printf(&text, "%s: %s[", op->name.text, op->dtype.text);
    for (int64_t i = 0; i < op->shape.count; ++i) {
        const sg_op_num *dim = &op->shape.items[i];
        sg_buf_printf(&text, i > 0 ? ",%" PRId64 : "%" PRId64, dim->value);
        for (int64_t o = 0; o < dim->nopen; ++o) {
            sg_buf_printf(&text, "*%s=%" PRId64 "?", dim->open[o].name, dim->open[o].expected);
        }
    }
    sg_buf_addz(&text, "]");
    if (op->axis.present) {
        sg_buf_printf(&text, " @%" PRId64, op->axis.value);
    }
    for (int64_t i = 0; i < op->lengths.count; ++i) {
        sg_buf_printf(&text, " %" PRId64, op->lengths.items[i].value);
    }
    if (op->parts.present) {
        sg_buf_printf(&text, " /%" PRId64, op->parts.value);
    }
    const char *copy = sg_arena_strndup(&f->arena, text.ptr, text.len);
    sg_buf_free(&text);
    return copy;
}

/* --- plain ------------------------------------------------------------------------------------ */

static void test_plain(void **state)
{
    (void)state;
    fixture *f = start();
    sg_graph *g = &f->model.graph;
    input(f, g, "x", SG_DTYPE_F32, "2,6");
    list(f, g, "lengths", "2,4");
    sg_graph_node *n = node(f, g, "Split", "x,lengths", "a,");
    n->name = "/model/Split.1";
    int_attribute(f, n, "axis", -1);
    n->outputs[1] = "";
    halve(f, g, "x", "p,q", 0);
    halve(f, g, "x", "p2,q2", 1)->name = "/model/Split.1";
    run_well(f, 3);
    assert_string_equal(op_text(f, 0), "model_Split_1: f32[2,6] @-1 2 4");
    assert_string_equal(op_text(f, 1), "p: f32[2,6] @0");
    assert_string_equal(op_text(f, 2), "model_Split_1_2: f32[2,6] @1");
    const sg_op *op = f->ops.items[0];
    assert_int_equal(op->kind, SG_OP_ONNX_SPLIT);
    assert_int_equal(op->opset.value, 17);
    assert_int_equal(op->outputs.count, 2);
    assert_true(op->outputs.items[0].wanted);
    assert_string_equal(op->outputs.items[0].name, "a");
    assert_false(op->outputs.items[1].wanted);
    assert_string_equal(f->ops.items[0]->origin->node, "/model/Split.1");
    assert_string_equal(f->ops.items[0]->origin->op_type, "Split");
    assert_string_equal(f->ops.items[0]->origin->input, "x");
    assert_int_equal(f->ops.items[0]->origin->noutputs, 2);
    assert_int_equal(f->ops.items[0]->origin->npath, 0);
    assert_string_equal(f->ops.items[1]->origin->node, "");
    done(f);
}

/* Lengths as an attribute before opset 13, num_outputs from 18 on. */
static void test_versions(void **state)
{
    (void)state;
    fixture *f = start();
    sg_graph *g = &f->model.graph;
    input(f, g, "x", SG_DTYPE_F16, "6");
    sg_graph_node *old = node(f, g, "Split", "x", "a,b");
    old->opset = 11;
    list_attribute(f, old, "split", "1,5");
    sg_graph_node *new = node(f, g, "Split", "x", "c,d");
    new->opset = 18;
    int_attribute(f, new, "num_outputs", 2);
    run_well(f, 2);
    assert_string_equal(op_text(f, 0), "a: f16[6] 1 5");
    assert_string_equal(op_text(f, 1), "c: f16[6] /2");
    done(f);

    f = start();
    input(f, &f->model.graph, "x", SG_DTYPE_F16, "6");
    list_attribute(f, node(f, &f->model.graph, "Split", "x", "a,b"), "split", "1,5");
    run(f);
    assert_false(f->ok);
    expect_message(f, "'split' is an input of Split since opset 13");
    done(f);
}

/* Numbers in a text keep their source places. */
static void test_spans(void **state)
{
    (void)state;
    fixture *f = start();
    sg_graph *g = &f->model.graph;
    const sg_source *text = sg_source_new(&f->arena, "m.onnxtxt", "{22, 44}", 8);
    input(f, g, "x", SG_DTYPE_F32, "66");
    sg_graph_node *constant = node(f, g, "Constant", "", "lengths");
    sg_graph_attribute *a = attribute(constant, "value", SG_GRAPH_ATTRIBUTE_TENSOR);
    a->tensor = SG_NEW(&f->arena, sg_graph_tensor);
    *a->tensor = ints_of(f, "", "2", "22,44");
    a->tensor->spans = SG_NEW_ARRAY(&f->arena, sg_span, 2);
    a->tensor->spans[0] = sg_span_make(text, 1, 3);
    a->tensor->spans[1] = sg_span_make(text, 5, 7);
    node(f, g, "Split", "x,lengths", "a,b");
    run_well(f, 1);
    const sg_op_list *lengths = &f->ops.items[0]->lengths;
    assert_int_equal(lengths->items[1].span.begin, 5);
    assert_int_equal(lengths->span.begin, 1);
    assert_int_equal(lengths->span.end, 7);
    done(f);
}

/* Shapes are computed by small chains of nodes. */
static void test_arithmetic(void **state)
{
    (void)state;
    fixture *f = start();
    sg_graph *g = &f->model.graph;
    input(f, g, "x", SG_DTYPE_F32, "N,8,4");
    ints(f, g, "zero", "1", "0");
    list(f, g, "rest", "-1,2");
    node(f, g, "Shape", "x", "shape");
    node(f, g, "Gather", "shape,zero", "batch");
    int_attribute(f, node(f, g, "Concat", "batch,rest", "wanted"), "axis", 0);
    node(f, g, "Reshape", "x,wanted", "y");
    halve(f, g, "y", "a,b", 2);
    define(f, "N", 3);
    run_well(f, 1);
    assert_string_equal(op_text(f, 0), "a: f32[3,16,2] @2");
    assert_true(f->defines[0].used);
    done(f);
}

/* --- unknown sizes
 * ------------------------------------------------------------------------------ */

/* A batch, and what an exporter makes of it: tokens by Reshape, a batch by Shape and Gather. */
static void test_open_dims(void **state)
{
    (void)state;
    static const int64_t expected[] = {1, 2, 3, 64, 1021};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; ++i) {
        fixture *f = start();
        sg_graph *g = &f->model.graph;
        input(f, g, "x", SG_DTYPE_F32, "N,5,8");
        ints(f, g, "zero", "1", "0");
        list(f, g, "rest", "-1,2");
        list(f, g, "flat", "-1,4");
        node(f, g, "Shape", "x", "shape");
        node(f, g, "Gather", "shape,zero", "batch");
        int_attribute(f, node(f, g, "Concat", "batch,rest", "wanted"), "axis", 0);
        node(f, g, "Reshape", "x,wanted", "y");
        node(f, g, "Reshape", "x,flat", "tokens");
        halve(f, g, "x", "a,b", 2);
        halve(f, g, "y", "c,d", 2);
        halve(f, g, "tokens", "e,f", 1);
        leave_open(f, "N", expected[i]);
        run_well(f, 3);
        const char *n = sg_arena_printf(&f->arena, "*N=%" PRId64 "?", expected[i]);
        assert_string_equal(op_text(f, 0), sg_arena_printf(&f->arena, "a: f32[1%s,5,8] @2", n));
        assert_string_equal(op_text(f, 1), sg_arena_printf(&f->arena, "c: f32[1%s,20,2] @2", n));
        assert_string_equal(op_text(f, 2), sg_arena_printf(&f->arena, "e: f32[10%s,4] @1", n));
        assert_int_equal(f->diag.warnings, 0);
        assert_int_equal(f->defines[0].value, expected[i]);
        done(f);
    }
}

/* An open dim in an input's shape replaces the same name everywhere in the file; other names
 * stay. */
static void test_open_shapes(void **state)
{
    (void)state;
    fixture *f = start();
    sg_graph *g = &f->model.graph;
    input(f, g, "x", SG_DTYPE_F32, "N,8");
    input(f, g, "y", SG_DTYPE_F32, "N,M,8");
    halve(f, g, "x", "a,b", 1);
    halve(f, g, "y", "c,d", 2);
    static int64_t dims[] = {16, 8};
    static const sg_graph_free frees[] = {{"items", 16}, {NULL, 0}};
    f->shapes[f->options.said.nshapes++] = (sg_graph_given_shape){.tensor = "x",
                                                                  .dtype = SG_GRAPH_DTYPE_UNKNOWN,
                                                                  .has_dims = true,
                                                                  .dims = dims,
                                                                  .frees = frees,
                                                                  .rank = 2};
    leave_open(f, "M", 4);
    run_well(f, 2);
    assert_string_equal(op_text(f, 0), "a: f32[1*items=16?,8] @1");
    assert_string_equal(op_text(f, 1), "c: f32[1*items=16?,1*M=4?,8] @2");
    done(f);

    f = start();
    g = &f->model.graph;
    input(f, g, "x", SG_DTYPE_F32, "N,8");
    halve(f, g, "x", "a,b", 1);
    leave_open(f, "N", 4);
    leave_open(f, "M", 4);
    run_well(f, 1);
    assert_false(sg_graph_check_used(&f->arena, &f->diag, &f->model, &f->options));
    expect_message(f, "--open: the model has no dim 'M'; did you mean 'N'?");
    done(f);
}

/* A Split needs a number that depends on an open dim: nodes that make y of x [N,8]. */
static void test_open_refused(void **state)
{
    (void)state;
    enum { CUT, PARTS, SQUEEZED, LENGTHS, CASES };
    static const char *const messages_of[CASES] = {
        [CUT] = "Split 'a' cuts dim 1 of 'y' and needs it as a number, but 'y' is [8, N]",
        [PARTS] = "Split 'a' cuts dim 1 of 'y' and needs it as a number, but 'y' is [4, 2*N]",
        [SQUEEZED] = "Split 'a' needs every dim of 'y' as a number, but it is of unknown rank",
        [LENGTHS] = "Split 'a' needs its lengths, but 'batch' is [N]",
    };
    static const char *const nodes[CASES] = {"Transpose", "Reshape", "Squeeze", "Identity"};
    for (int all = 0; all < 2; ++all) {
        for (int i = 0; i < CASES; ++i) {
            fixture *f = start();
            sg_graph *g = &f->model.graph;
            input(f, g, "x", SG_DTYPE_F32, "N,8");
            list(f, g, "four", "4,-1");
            list(f, g, "zero", "0");
            node(f, g, "Shape", "x", "shape");
            node(f, g, "Gather", "shape,zero", "batch");
            node(f, g, nodes[i], i == PARTS ? "x,four" : "x", "y");
            if (i == LENGTHS) {
                int_attribute(f, node(f, g, "Split", "y,batch", "a"), "axis", 1);
            } else {
                halve(f, g, "y", "a,b", 1);
            }
            f->options.said.open = all == 1;
            if (all == 0) {
                leave_open(f, "N", 64);
            }
            run(f);
            assert_false(f->ok);
            expect_message(f, messages_of[i]);
            expect_message(f, "give -D N=VALUE, or leave this Split out with --except a");
            done(f);
        }
    }
}

/* A dim of a Split that is not a number: nodes that make y of x [N,M,8], and the result. */
static void test_open_products(void **state)
{
    (void)state;
    static const struct {
        const char *node, *inputs, *said;
    } cases[] = {
        {"Reshape", "x,rows", "a: f32[1*M=1?*N=64?,8] @1"},
        {"Reshape", "x,fours", "a: f32[2*M=1?*N=64?,4] @1"},
        {"Reshape", "x,sixteens", "a: f32[1*dim0=1?,16] @1"},
        {"Tile", "x,thrice", "a: f32[2*N=64?,3*M=1?,8] @2"},
        {"Concat", "x,x", "a: f32[2*N=64?,1*M=1?,8] @2"},
        {"Transpose", "x", "a: f32[8,1*M=1?,1*N=64?] @0"},
        {"Add", "x,wide", "a: f32[1*N=64?,5,8] @2"},
        {"Add", "x,turned", "a: f32[1*dim0=1?,1*dim1=1?,8] @2"},
        {"Slice", "x,zero,most,zero", "a: f32[1*dim0=1?,1*M=1?,8] @2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        fixture *f = start();
        sg_graph *g = &f->model.graph;
        input(f, g, "x", SG_DTYPE_F32, "N,M,8");
        input(f, g, "wide", SG_DTYPE_F32, "1,5,8");
        input(f, g, "turned", SG_DTYPE_F32, "M,N,8");
        list(f, g, "rows", "-1,8");
        list(f, g, "fours", "-1,4");
        list(f, g, "sixteens", "-1,16");
        list(f, g, "thrice", "2,3,1");
        list(f, g, "zero", "0");
        list(f, g, "most", "4096");
        sg_graph_node *made = node(f, g, cases[i].node, cases[i].inputs, "y");
        if (strcmp(cases[i].node, "Concat") == 0) {
            int_attribute(f, made, "axis", 0);
        }
        const char *at = strrchr(cases[i].said, '@');
        halve(f, g, "y", "a,b", at[1] - '0');
        leave_open(f, "N", 64);
        leave_open(f, "M", 1);
        run_well(f, 1);
        assert_string_equal(op_text(f, 0), cases[i].said);
        done(f);
    }
}

/* With every dim open, those without a name become parameters named after their place; equal
 * unknown numbers share one. With one dim open, other unknown dims are requested. */
static void test_open_all(void **state)
{
    (void)state;
    for (int all = 0; all < 2; ++all) {
        fixture *f = start();
        sg_graph *g = &f->model.graph;
        input(f, g, "x", SG_DTYPE_F32, "?,N,?,12");
        input(f, g, "z", SG_DTYPE_F32, "dim0,?,8");
        list(f, g, "heads", "0,0,-1,3,4");
        list(f, g, "rows", "-1,12");
        node(f, g, "Reshape", "x,heads", "y");
        node(f, g, "Reshape", "x,rows", "r");
        node(f, g, "NonZero", "x", "where");
        halve(f, g, "y", "a,b", 4);
        halve(f, g, "r", "c,d", 1);
        halve(f, g, "z", "e,f", 2);
        halve(f, g, "where", "h,i", 0);
        f->options.said.open = all == 1;
        if (all == 0) {
            leave_open(f, "N", 1);
            run(f);
            assert_false(f->ok);
            expect_message(f, "needs every dim of 'y' as a number, but it is [?, N, ?, 3, 4]");
            expect_message(f, "leave open what has no number with --open, or give --shape x=DIMS");
        } else {
            run_well(f, 4);
            assert_string_equal(op_text(f, 0), "a: f32[1*dim0_2=1?,1*N=1?,1*dim2=1?,3,4] @4");
            assert_string_equal(op_text(f, 1), "c: f32[1*dim0_2=1?*dim0_3=1?*N=1?,12] @1");
            assert_string_equal(op_text(f, 2), "e: f32[1*dim0=1?,1*dim1=1?,8] @2");
            assert_string_equal(op_text(f, 3), "h: i64[4,1*dim1=1?] @0");
        }
        done(f);
    }
}

/* A user's rule can pass on a product like any name, and make others with shape_rules and
 * operators. */
static void test_open_own_rule(void **state)
{
    (void)state;
    fixture *f = start();
    sg_graph *g = &f->model.graph;
    input(f, g, "x", SG_DTYPE_F32, "N,M,8");
    list(f, g, "rows", "-1,8");
    node(f, g, "Reshape", "x,rows", "r");
    node(f, g, "Own", "r", "y");
    node(f, g, "Twice", "y", "z");
    halve(f, g, "y", "a,b", 1);
    halve(f, g, "z", "c,d", 1);
    rules(f, "return {\n"
             "  Own = function(_, inputs) return { inputs[1] } end,\n"
             "  Twice = function(_, inputs)\n"
             "    local x = inputs[1]\n"
             "    return { { dtype = x.dtype, shape = { shape_rules.mul(x.shape[1], 3) - "
             "x.shape[1], 8 } } }\n"
             "  end,\n"
             "}\n");
    f->options.said.open = true;
    run_well(f, 2);
    assert_string_equal(op_text(f, 0), "a: f32[1*M=1?*N=1?,8] @1");
    assert_string_equal(op_text(f, 1), "c: f32[2*M=1?*N=1?,8] @1");
    done(f);
}

static void test_symbolic(void **state)
{
    (void)state;
    fixture *f = start();
    sg_graph *g = &f->model.graph;
    input(f, g, "x", SG_DTYPE_F32, "N,floor(h/2),4");
    node(f, g, "Identity", "x", "y");
    halve(f, g, "y", "a,b", 2);
    halve(f, g, "y", "c,d", 0)->name = "other";
    run(f);
    assert_false(f->ok);
    /* --open would be enough for the first, not for the second */
    assert_int_equal(f->diag.errors, 2);
    assert_int_equal(f->ops.count, 0);
    expect_message(f, "Split 'a' needs every dim of 'y' as a number, but it is [N, floor(h/2), 4]");
    expect_message(f, "Split 'other' cuts dim 0 of 'y' and needs it as a number, but 'y' is "
                      "[N, floor(h/2), 4]");
    expect_message(f, "leave open what has no number with --open, or give -D N=VALUE -D "
                      "'floor(h/2)=VALUE', or leave this Split out with --except a");
    expect_message(f, "shape inference stops at 'x': an input of "
                      "the model");
    expect_message(f, "give -D N=VALUE -D 'floor(h/2)=VALUE', or leave this Split out with "
                      "--except other");
    done(f);
}

/* A tensor's dim is an exporter's expression; the message asks for the symbols in it. */
static void test_expression(void **state)
{
    (void)state;
    fixture *f = start();
    sg_graph *g = &f->model.graph;
    input(f, g, "x", SG_DTYPE_F32, "1,1,h,4");
    node(f, g, "Sqrt", "x", "r");
    node(f, g, "NoSuchOperator", "r", "y");
    info(f, g, "r", SG_DTYPE_F32, "?,1,h,4");
    info(f, g, "z", SG_DTYPE_F32, "1,4,floor(h/2),2");
    int_attribute(f, node(f, g, "SpaceToDepth", "x", "z"), "blocksize", 2);
    halve(f, g, "z", "a,b", 1);
    run(f);
    assert_false(f->ok);
    expect_message(f, "but it is [1, 4, floor(h/2), 2]");
    expect_message(f, "leave open what has no number with --open, or give -D h=VALUE, or");
    done(f);
}

/* The shape given for one input determines its symbols at the other inputs. */
static void test_implied(void **state)
{
    (void)state;
    for (int wrong = 0; wrong < 2; ++wrong) {
        fixture *f = start();
        sg_graph *g = &f->model.graph;
        input(f, g, "first", SG_DTYPE_F32, "N,2");
        input(f, g, "x", SG_DTYPE_F32, "N,6");
        halve(f, g, "first", "a,b", 1);
        give_shape(f, "x", "8,6");
        if (wrong == 1) {
            give_shape(f, "first", "4,2");
            run(f);
            assert_false(f->ok);
            expect_message(f, "'x' has the dim 'N', which is given as 8 here, but as 4 elsewhere");
        } else {
            run_well(f, 1);
            assert_string_equal(op_text(f, 0), "a: f32[8,2] @1");
        }
        done(f);
    }
}

static void test_unknown_operator(void **state)
{
    (void)state;
    for (int given = 0; given < 2; ++given) {
        fixture *f = start();
        sg_graph *g = &f->model.graph;
        input(f, g, "x", SG_DTYPE_F32, "2,6");
        node(f, g, "NoSuchOperator", "x", "y")->name = "strange";
        node(f, g, "Sqrt", "y", "z");
        halve(f, g, "z", "a,b", 1);
        if (given == 1) {
            give_shape(f, "y", "2,8");
            f->shapes[0].dtype = SG_DTYPE_F64;
            run_well(f, 1);
            assert_string_equal(op_text(f, 0), "a: f64[2,8] @1");
            assert_true(f->shapes[0].used);
        } else {
            run(f);
            assert_false(f->ok);
            assert_int_equal(sg_diag_exit(&f->diag), SG_EXIT_INPUT);
            expect_message(f, "'z' as a number, but it is of unknown rank");
            expect_message(
                f, "stops at 'y', made by NoSuchOperator 'strange': there is no rule for it");
            expect_message(f, "give --shape 'y=TYPE[DIMS]', or");
        }
        done(f);
    }
}

/* Splits with the same missing facts share one error, which counts them and asks for all of them
 * at once: shapes, types and values, of one tensor and of several. */
static void test_waits(void **state)
{
    (void)state;
    enum { DIM, SHAPE, TYPE, VALUE, KINDS };
    static const char *const texts[KINDS] = {
        "31 Splits need -D N=VALUE: the first, Split 'a0', needs every dim of 'x' as a number, "
        "but it is [N, 12]",
        "31 Splits need --shape 'x=TYPE[DIMS]': the first, Split 'a0', needs every dim",
        "31 Splits need --shape x=TYPE: the first, Split 'a0', needs the element type of 'x'",
        "31 Splits need -D N=VALUE --value l=INTS: the first, Split 'a0', needs every dim of "
        "'x' as a number, but it is [N, 12], and needs its lengths, but the value of 'l' is not "
        "known"};
    for (int kind = 0; kind < KINDS; ++kind) {
        enum { SPLITS = 31 };
        fixture *f = start();
        sg_graph *g = &f->model.graph;
        input(f, g, "x", kind == DIM || kind == VALUE ? SG_DTYPE_F32 : SG_GRAPH_DTYPE_UNKNOWN,
              kind == SHAPE  ? "*"
              : kind == TYPE ? "2,12"
                             : "N,12");
        input(f, g, "l", SG_DTYPE_I64, "2");
        for (int i = 0; i < SPLITS; ++i) {
            /* types and shapes are passed through other nodes on the way */
            const bool relayed = i % 2 == 1;
            const char *y = sg_arena_printf(&f->arena, "y%d", i);
            const char *parts = sg_arena_printf(&f->arena, "a%d,b%d", i, i);
            if (relayed) {
                node(f, g, "Relu", "x", y);
            }
            const char *cut = relayed ? y : "x";
            int_attribute(f,
                          node(f, g, "Split",
                               kind == VALUE ? sg_arena_printf(&f->arena, "%s,l", cut) : cut,
                               parts),
                          "axis", 1);
        }
        run(f);
        assert_false(f->ok);
        assert_int_equal(f->diag.errors, 1);
        expect_message(f, texts[kind]);
        expect_message(f, "or leave them out with --except a0 --except a1 --except a2 and so on");
        done(f);
    }
}

/* Several errors, one command: each option once, with the options given so far. */
static void test_command(void **state)
{
    (void)state;
    fixture *f = start();
    sg_graph *g = &f->model.graph;
    input(f, g, "x", SG_DTYPE_F32, "N,12");
    input(f, g, "z", SG_DTYPE_F32, "N,it's");
    node(f, g, "NoSuchOperator", "x", "y");
    halve(f, g, "x", "a,b", 1);
    halve(f, g, "z", "c,d", 1);
    halve(f, g, "y", "e,f", 1);
    f->options.alone = true;
    f->options.command = "splitgen --list -o 'a b'";
    f->options.command_inputs = " -- model.onnx";
    run(f);
    assert_false(f->ok);
    assert_int_equal(f->diag.errors, 3);
    expect_message(f, "note: try: splitgen --list -o 'a b' "
                      "--open -D 'it'\\''s=VALUE' --shape 'y=TYPE[DIMS]' -- model.onnx\n");
    done(f);
}

/* Parts have the type of the input, and all parts the same. */
static void test_type_of_parts(void **state)
{
    (void)state;
    for (int where = 0; where < 3; ++where) {
        fixture *f = start();
        sg_graph *g = &f->model.graph;
        input(f, g, "x", SG_GRAPH_DTYPE_UNKNOWN, "2,8");
        halve(f, g, "x", "a,b", 1);
        halve(f, g, "b", "c,d", 1);
        halve(f, g, "x", "e,f", 0);
        if (where == 0) {
            info(f, g, "a", SG_DTYPE_F16, "2,4");
        } else if (where == 1) {
            give_shape(f, "b", "2,4");
            f->shapes[0].dtype = SG_DTYPE_F16;
        } else { /* it is unknown which of them is right */
            info(f, g, "a", SG_DTYPE_F16, "2,4");
            info(f, g, "b", SG_DTYPE_F32, "2,4");
            run(f);
            assert_false(f->ok);
            expect_message(f, "give --shape x=TYPE, or");
            done(f);
            continue;
        }
        run_well(f, 3);
        assert_string_equal(op_text(f, 0), "a: f16[2,8] @1");
        assert_string_equal(op_text(f, 1), "c: f16[2,4] @1");
        assert_string_equal(op_text(f, 2), "e: f16[2,8] @0");
        done(f);
    }
}

/* Data-dependent numbers stay symbolic: first an open dim, unless the op cuts it. Each tensor has
 * one of its own. */
static void test_data(void **state)
{
    (void)state;
    static const struct {
        const char *op;
        const char *wanted[3];
    } kinds[] = {
        {"NonZero",
         {"stops at 'y', made by NonZero 'y': its shape depends on the data",
          "give --shape y=2,VALUE, or leave this Split out with --except a",
          "give --shape y=2,VALUE"}},
        {"Compress",
         {"stops at 'y', made by Compress 'y': its shape depends on the data",
          "give --shape 'y=n?,6' (then pass 'n' on each call; or a number for it", "y=n?,6"}},
        {"Slice",
         {"stops at 'y', made by Slice 'y': its shape depends on the data",
          "give --shape 'y=n?,6' (then pass 'n' on each call; or a number for it, or --value "
          "k0=INTS), "
          "or",
          "y=n?,6"}},
        {"Reshape",
         {"stops at 'y', made by Reshape 'y': its shape depends on the data",
          "give --shape y=DIMS (or --value k0=INTS), or", "y=DIMS"}}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
        fixture *f = start();
        sg_graph *g = &f->model.graph;
        input(f, g, "x", SG_DTYPE_F32, "4,6");
        list(f, g, "zero", "0");
        int_attribute(f, node(f, g, "ReduceSum", "x", "sum"), "keepdims", 0);
        node(f, g, "Greater", "x,x", "greater");
        int_attribute(f, node(f, g, "ReduceMax", "greater", "any"), "keepdims", 0);
        node(f, g, "Unsqueeze", "any,zero", "mask");
        int_attribute(f, node(f, g, "Cast", "sum", "k0"), "to", 7);
        node(f, g, "Unsqueeze", "k0,zero", "k");
        node(f, g, "Concat", "k,k", "k2");
        int_attribute(f, &g->nodes[g->nnodes - 1], "axis", 0);
        const char *const inputs[] = {"x", "x,mask", "x,zero,k,zero", "x,k2"};
        sg_graph_node *n = node(f, g, kinds[i].op, inputs[i], "y");
        if (i == 1) {
            int_attribute(f, n, "axis", 0);
        }
        halve(f, g, "y", "a,b", 1);
        run(f);
        assert_false(f->ok);
        for (int k = 0; k < 3; ++k) {
            expect_message(f, kinds[i].wanted[k]);
        }
        done(f);
    }
}

/* A shape given in two halves, and twice. */
static void test_given_twice(void **state)
{
    (void)state;
    fixture *f = start();
    sg_graph *g = &f->model.graph;
    node(f, g, "NoSuchOperator", "", "y");
    halve(f, g, "y", "a,b", 1);
    give_shape(f, "y", "2,4");
    f->shapes[0].dtype = SG_DTYPE_I8;
    give_shape(f, "y", "2,6");
    give_shape(f, "y", "");
    f->shapes[2].has_dims = false;
    f->shapes[2].dtype = SG_DTYPE_F64;
    run_well(f, 1);
    assert_string_equal(op_text(f, 0), "a: f64[2,6] @1");
    assert_true(sg_graph_check_used(&f->arena, &f->diag, &f->model, &f->options));
    done(f);
}

/* Lengths that are an input of the model, as in ONNX's own tests. */
static void test_value(void **state)
{
    (void)state;
    for (int given = 0; given < 3; ++given) {
        fixture *f = start();
        sg_graph *g = &f->model.graph;
        input(f, g, "x", SG_DTYPE_F32, "6");
        input(f, g, "split", SG_DTYPE_I64, "2");
        node(f, g, "Identity", "split", "lengths");
        node(f, g, "Split", "x,lengths", "a,b");
        if (given > 0) {
            give_value(f, "split", given == 1 ? "2,4" : "1,2,3");
        }
        if (given == 1) {
            run_well(f, 1);
            assert_string_equal(op_text(f, 0), "a: f32[6] 2 4");
        } else {
            run(f);
            assert_false(f->ok);
            expect_message(f, given == 0 ? "give --value split=INTS"
                                         : "'split' is [2] and has 2 elements, but 3 values");
        }
        done(f);
    }
}

/* A shape whose value is missing: the message asks for the value. */
static void test_missing_value(void **state)
{
    (void)state;
    fixture *f = start();
    sg_graph *g = &f->model.graph;
    input(f, g, "x", SG_DTYPE_F32, "6");
    input(f, g, "dims", SG_DTYPE_I64, "2");
    node(f, g, "Reshape", "x,dims", "y");
    halve(f, g, "y", "a,b", 0);
    run(f);
    assert_false(f->ok);
    expect_message(f, "value inference stops at 'dims'");
    expect_message(f, "give --value dims=INTS");
    done(f);
}

static void test_globs(void **state)
{
    (void)state;
    fixture *f = start();
    sg_graph *g = &f->model.graph;
    input(f, g, "x", SG_DTYPE_F32, "6");
    input(f, g, "u", SG_DTYPE_F32, "?");
    halve(f, g, "x", "a,b", 0)->name = "net/0/split";
    halve(f, g, "u", "c,d", 0)->name = "net/1/split";
    halve(f, g, "x", "e,f", 0)->name = "net/2/split";
    halve(f, g, "x", "g,h", 0)->name = "net/2/splitter";
    f->only[f->options.nonly++].text = "net/*/split";
    f->except[f->options.nexcept++].text = "*/1/*";
    run_well(f, 2);
    assert_string_equal(f->ops.items[0]->origin->node, "net/0/split");
    assert_string_equal(f->ops.items[1]->origin->node, "net/2/split");
    done(f);
}

/* Options that had no effect. */
static void test_unused(void **state)
{
    (void)state;
    fixture *f = start();
    sg_graph *g = &f->model.graph;
    input(f, g, "images", SG_DTYPE_F32, "6");
    halve(f, g, "images", "a,b", 0);
    f->only[f->options.nonly++].text = "*";
    run_well(f, 1);
    assert_true(sg_graph_check_used(&f->arena, &f->diag, &f->model, &f->options));
    give_shape(f, "image", "6");
    give_value(f, "zzz", "6");
    f->except[f->options.nexcept++].text = "splat";
    assert_false(sg_graph_check_used(&f->arena, &f->diag, &f->model, &f->options));
    expect_message(f, "--shape: the model has no tensor 'image'; did you mean 'images'?");
    expect_message(f, "--value: the model has no tensor 'zzz'");
    expect_message(f, "--except: the model has no Split 'splat'");
    done(f);
}

/* A model exported for one image, used for eight: the file's shapes of other tensors are for
 * one. */
static void test_other_batch(void **state)
{
    (void)state;
    fixture *f = start();
    sg_graph *g = &f->model.graph;
    input(f, g, "x", SG_DTYPE_F32, "1,6");
    node(f, g, "Sqrt", "x", "y");
    node(f, g, "NoSuchOperator", "x", "z");
    info(f, g, "y", SG_DTYPE_F32, "1,6");
    info(f, g, "z", SG_DTYPE_F32, "1,6");
    halve(f, g, "y", "a,b", 1);
    halve(f, g, "z", "c,d", 1);
    give_shape(f, "x", "8,6");
    run(f);
    assert_false(f->ok);
    assert_int_equal(f->diag.errors, 1);
    assert_int_equal(f->diag.warnings, 1); /* about the given option */
    assert_int_equal(f->ops.count, 1);
    assert_string_equal(op_text(f, 0), "a: f32[8,6] @1");
    expect_message(f, "give --shape z=DIMS");
    done(f);
}

/* No node makes the tensor: the graph is cyclic, or broken. */
static void test_unbound(void **state)
{
    (void)state;
    fixture *f = start();
    sg_graph *g = &f->model.graph;
    node(f, g, "Identity", "y", "x");
    halve(f, g, "x", "a,b", 0);
    node(f, g, "Identity", "a", "y");
    run(f);
    assert_false(f->ok);
    expect_message(f, "stops at 'y': nothing gives it before it is read");
    done(f);
}

/* --- shapes in the file
 * --------------------------------------------------------------------------- */

static void test_value_info(void **state)
{
    (void)state;
    fixture *f = start();
    sg_graph *g = &f->model.graph;
    input(f, g, "x", SG_DTYPE_F32, "2,6");
    node(f, g, "NoSuchOperator", "x", "y");
    node(f, g, "Identity", "x", "z");
    info(f, g, "y", SG_DTYPE_F32, "?,4");
    info(f, g, "y", SG_DTYPE_F32, "3,?");
    info(f, g, "z", SG_DTYPE_F32, "2,7");
    halve(f, g, "y", "a,b", 1);
    halve(f, g, "z", "c,d", 1);
    run_well(f, 2);
    assert_string_equal(op_text(f, 0), "a: f32[3,4] @1");
    assert_string_equal(op_text(f, 1), "c: f32[2,6] @1");
    assert_int_equal(f->diag.warnings, 1);
    expect_message(f, "the file says that 'z' is [2, 7], but it comes out as [2, 6]");
    done(f);
}

/* --- functions -------------------------------------------------------------------------------- */

static void test_function(void **state)
{
    (void)state;
    fixture *f = start();
    sg_graph *g = &f->model.graph;
    input(f, g, "x", SG_DTYPE_F32, "4,6");
    input(f, g, "w", SG_DTYPE_F32, "8");
    sg_graph_function *fn = function(f, "halves", "in,none", "left,right");
    fn->attributes = words(f, "along,never_given", &fn->nattributes);
    sg_graph_node *n = node(f, &fn->body, "Split", "in,none", "left,right");
    n->name = "s";
    reference(f, n, "axis", "along");
    reference(f, n, "num_outputs", "never_given");
    sg_graph_node *first = call(f, g, "halves", "x", "a,b");
    first->name = "first";
    int_attribute(f, first, "along", 1);
    call(f, g, "halves", "w", "c,d");
    halve(f, g, "a", "p,q", 0);
    run_well(f, 3);
    assert_string_equal(op_text(f, 0), "s: f32[4,6] @1");
    assert_string_equal(op_text(f, 1), "s_2: f32[8]");
    assert_string_equal(op_text(f, 2), "p: f32[4,3] @0");
    assert_int_equal(f->ops.items[0]->origin->npath, 1);
    assert_string_equal(f->ops.items[0]->origin->path[0], "first");
    assert_string_equal(f->ops.items[1]->origin->path[0], "halves");
    done(f);
}

static void test_recursion(void **state)
{
    (void)state;
    fixture *f = start();
    sg_graph_function *fn = function(f, "a", "x", "y");
    call(f, &fn->body, "b", "x", "y");
    fn = function(f, "b", "x", "y");
    call(f, &fn->body, "a", "x", "y");
    input(f, &f->model.graph, "x", SG_DTYPE_F32, "6");
    call(f, &f->model.graph, "a", "x", "y");
    run(f);
    assert_false(f->ok);
    expect_message(f, "the function 'a' calls itself");
    done(f);
}

/* Functions that each call the next one many times would take exponential time. */
static void test_explosion(void **state)
{
    enum { LEVELS = 12, CALLS = 8 };
    (void)state;
    fixture *f = start();
    for (int i = 0; i < LEVELS; ++i) {
        sg_graph_function *fn = function(f, sg_arena_printf(&f->arena, "f%d", i), "x", "y");
        for (int j = 0; j < CALLS; ++j) {
            const char *next = sg_arena_printf(&f->arena, "f%d", i + 1);
            call(f, &fn->body, next, "x", sg_arena_printf(&f->arena, "y%d", j));
        }
        fn->outputs[0] = "y0";
    }
    input(f, &f->model.graph, "x", SG_DTYPE_F32, "6");
    call(f, &f->model.graph, "f0", "x", "y");
    run(f);
    assert_false(f->ok);
    assert_int_equal(sg_diag_exit(&f->diag), SG_EXIT_BUDGET);
    expect_message(f, "functions and loops run theirs again with every call");
    done(f);
}

/* "x,x,x", or with numbers "x0,x1,x2" */
static const char *many(fixture *f, const char *name, int count, bool numbers)
{
    sg_buf text = {0};
    for (int i = 0; i < count; ++i) {
        sg_buf_printf(&text, "%s%s", i > 0 ? "," : "", name);
        if (numbers) {
            sg_buf_printf(&text, "%d", i);
        }
    }
    const char *copy = sg_arena_strndup(&f->arena, text.ptr, text.len);
    sg_buf_free(&text);
    return copy;
}

/* A wide node counts as several: each call of a function visits all of their tensors again. */
static void test_wide_explosion(void **state)
{
    enum { LEVELS = 3, CALLS = 12, WIDTH = 4000 };
    (void)state;
    fixture *f = start();
    for (int i = 0; i < LEVELS; ++i) {
        sg_graph_function *fn = function(f, sg_arena_printf(&f->arena, "f%d", i), "x", "y0");
        for (int j = 0; j < CALLS; ++j) {
            const char *to = sg_arena_printf(&f->arena, "y%d", j);
            if (i < LEVELS - 1) {
                call(f, &fn->body, sg_arena_printf(&f->arena, "f%d", i + 1), "x", to);
            } else {
                node(f, &fn->body, "Unheard", many(f, "x", WIDTH, false), to);
            }
        }
    }
    input(f, &f->model.graph, "x", SG_DTYPE_F32, "6");
    call(f, &f->model.graph, "f0", "x", "y");
    run(f);
    assert_false(f->ok);
    assert_int_equal(sg_diag_exit(&f->diag), SG_EXIT_BUDGET);
    expect_message(f, "many tensors of a node or graph count as nodes");
    done(f);
}

/* A tensor that is declared repeatedly is visited once for each declaration. */
static void test_repeated_inputs(void **state)
{
    enum { INPUTS = 8000 };
    (void)state;
    fixture *f = start();
    sg_graph *g = &f->model.graph;
    g->inputs = SG_NEW_ARRAY(&f->arena, sg_graph_info, INPUTS);
    for (int i = 0; i < INPUTS; ++i) {
        input(f, g, "x", SG_GRAPH_DTYPE_UNKNOWN, "*");
    }
    run(f);
    assert_false(f->ok);
    assert_int_equal(sg_diag_exit(&f->diag), SG_EXIT_BUDGET);
    done(f);
}

/* A graph with many declarations costs the same for each of its runs. */
static void test_declared_explosion(void **state)
{
    enum { LEVELS = 3, CALLS = 12, INFOS = 4000 };
    (void)state;
    fixture *f = start();
    for (int i = 0; i < LEVELS; ++i) {
        sg_graph_function *fn = function(f, sg_arena_printf(&f->arena, "f%d", i), "x", "x");
        for (int j = 0; i < LEVELS - 1 && j < CALLS; ++j) {
            call(f, &fn->body, sg_arena_printf(&f->arena, "f%d", i + 1), "x",
                 sg_arena_printf(&f->arena, "y%d", j));
        }
        fn->body.infos = SG_NEW_ARRAY(&f->arena, sg_graph_info, INFOS);
        for (int j = 0; i == LEVELS - 1 && j < INFOS; ++j) {
            info(f, &fn->body, sg_arena_printf(&f->arena, "i%d", j), SG_DTYPE_F32, "6");
        }
    }
    input(f, &f->model.graph, "x", SG_DTYPE_F32, "6");
    for (int j = 0; j < 4 * CALLS; ++j) {
        call(f, &f->model.graph, "f0", "x", sg_arena_printf(&f->arena, "y%d", j));
    }
    run(f);
    assert_false(f->ok);
    assert_int_equal(sg_diag_exit(&f->diag), SG_EXIT_BUDGET);
    done(f);
}

/* Nodes that extend a long sequence, each of which holds all its tensors. */
static void test_joined_explosion(void **state)
{
    enum { JOINS = 100, WIDTH = 8000 };
    (void)state;
    fixture *f = start();
    sg_graph *g = &f->model.graph;
    g->nodes = SG_NEW_ARRAY(&f->arena, sg_graph_node, JOINS + 1);
    input(f, g, "x", SG_DTYPE_F32, "6");
    node(f, g, "SequenceConstruct", many(f, "x", WIDTH, false), "s");
    for (int i = 0; i < JOINS; ++i) {
        sg_graph_node *n =
            node(f, g, "ConcatFromSequence", "s", sg_arena_printf(&f->arena, "y%d", i));
        int_attribute(f, n, "axis", 0);
    }
    f->options.ops = UINT32_C(1) << SG_GRAPH_OPS_ALL;
    run(f);
    assert_false(f->ok);
    assert_int_equal(sg_diag_exit(&f->diag), SG_EXIT_BUDGET);
    done(f);
}

/* --- bodies ----------------------------------------------------------------------------------- */

/* An If whose branches take the first dims of x and of z. */
static sg_graph_node *choice(fixture *f, sg_graph *g)
{
    sg_graph_node *n = node(f, g, "If", "c", "r");
    n->name = "choice";
    sg_graph *then = graph_attribute(f, n, "then_branch");
    halve(f, then, "x", "t,u", 1);
    output(f, then, "t");
    sg_graph *otherwise = graph_attribute(f, n, "else_branch");
    node(f, otherwise, "Identity", "z", "e");
    output(f, otherwise, "e");
    return n;
}

static void test_if(void **state)
{
    (void)state;
    /* the branches agree on both dims, on one, one of them is not taken */
    static const char *const z[] = {"2,3", "2,5", "2,5", "2,5"};
    for (int i = 0; i < 4; ++i) {
        fixture *f = start();
        sg_graph *g = &f->model.graph;
        input(f, g, "x", SG_DTYPE_F32, "2,6");
        input(f, g, "z", SG_DTYPE_F32, z[i]);
        if (i < 2) {
            input(f, g, "c", SG_DTYPE_BOOL, "");
        } else {
            ints(f, g, "c", "", i == 2 ? "1" : "0");
        }
        choice(f, g);
        halve(f, g, "r", "a,b", 0);
        if (i == 1) {
            run(f);
            assert_false(f->ok);
            assert_int_equal(f->ops.count, 1); /* the Split of the branch */
            expect_message(f, "'r' as a number, but it is [2, ?]");
            expect_message(f, "made by If 'choice': its branches give different ones");
        } else {
            run_well(f, i == 3 ? 1 : 2);
            assert_string_equal(op_text(f, f->ops.count - 1),
                                i == 3 ? "a: f32[2,5] @0" : "a: f32[2,3] @0");
            assert_string_equal(
                f->ops.items[0]->origin->npath > 0 ? f->ops.items[0]->origin->path[0] : "",
                i == 3 ? "" : "choice");
            if (i == 3) { /* the Split of the other branch gets no kernel, with a message */
                expect_message(f, "note: Split 't' is left out: it is in a branch of If 'choice'");
            }
        }
        done(f);
    }
}

/* A Loop with two states, of which `grows` gets longer in each iteration, and a stacked output. */
static void loop(fixture *f, const char *turns)
{
    sg_graph *g = &f->model.graph;
    input(f, g, "x", SG_DTYPE_F32, "2,6");
    input(f, g, "grown", SG_DTYPE_F32, "0,4");
    ints(f, g, "count", "", turns);
    sg_graph_node *n = node(f, g, "Loop", "count,,x,grown", "x2,grown2,stack");
    sg_graph *body = graph_attribute(f, n, "body");
    input(f, body, "i", SG_DTYPE_I64, "");
    input(f, body, "on", SG_DTYPE_BOOL, "");
    input(f, body, "s", SG_GRAPH_DTYPE_UNKNOWN, "*");
    input(f, body, "grows", SG_GRAPH_DTYPE_UNKNOWN, "*");
    node(f, body, "Identity", "on", "on2");
    node(f, body, "Sqrt", "s", "s2");
    halve(f, body, "s", "h,h2", 1)->name = "inside";
    int_attribute(f, node(f, body, "Concat", "grows,grows,h0", "grows2"), "axis", 0);
    sg_graph_node *concat = &body->nodes[body->nnodes - 1];
    concat->inputs = words(f, "grows,row", &concat->ninputs);
    output(f, body, "on2");
    output(f, body, "s2");
    output(f, body, "grows2");
    output(f, body, "h");
    input(f, g, "row", SG_DTYPE_F32, "1,4");
}

static void test_loop(void **state)
{
    (void)state;
    fixture *f = start();
    loop(f, "7");
    halve(f, &f->model.graph, "x2", "a,b", 0);
    halve(f, &f->model.graph, "stack", "c,d", 2);
    run_well(f, 3);
    assert_string_equal(op_text(f, 0), "inside: f32[2,6] @1");
    assert_string_equal(op_text(f, 1), "a: f32[2,6] @0");
    assert_string_equal(op_text(f, 2), "c: f32[7,2,3] @2");
    done(f);

    /* a few iterations are executed; many, or an unknown number, are not */
    f = start();
    loop(f, "7");
    halve(f, &f->model.graph, "grown2", "a,b", 1)->name = "outside";
    run_well(f, 2);
    assert_string_equal(op_text(f, 1), "outside: f32[7,4] @1");
    done(f);
    f = start();
    loop(f, "65");
    halve(f, &f->model.graph, "grown2", "a,b", 1)->name = "outside";
    run(f);
    assert_false(f->ok);
    assert_int_equal(f->diag.errors, 1);
    expect_message(f, "'grown2' as a number, but it is [?, 4]");
    expect_message(f, "'grows', made by Loop");
    done(f);
}

/* A Loop that computes lengths: its states and stacks have values if it ends within a few
 * iterations, by its count or by its condition. first: what Less compares the iteration with. */
static void counting(fixture *f, const char *most, const char *first)
{
    sg_graph *g = &f->model.graph;
    input(f, g, "x", SG_DTYPE_F32, "9");
    ints(f, g, "one", "", "1");
    ints(f, g, "last", "", first);
    ints(f, g, "two", "", "2");
    if (strcmp(most, "?") == 0) {
        input(f, g, "most", SG_DTYPE_I64, "");
    } else if (most[0] != '\0') {
        ints(f, g, "most", "", most);
    }
    sg_graph_node *n = node(f, g, "Loop", most[0] != '\0' ? "most,,two" : ",,two", "end,stack");
    n->name = "counts";
    sg_graph *body = graph_attribute(f, n, "body");
    input(f, body, "i", SG_DTYPE_I64, "");
    input(f, body, "on", SG_DTYPE_BOOL, "");
    input(f, body, "s", SG_GRAPH_DTYPE_UNKNOWN, "*");
    node(f, body, "Add", "s,one", "s2");
    node(f, body, "Less", "i,last", "on2");
    node(f, body, "Identity", "s", "was");
    output(f, body, "on2");
    output(f, body, "s2");
    output(f, body, "was");
    node(f, g, "Split", "x,stack", "a,b,c")->name = "cuts";
    for (int64_t i = 0; i < g->nnodes; ++i) {
        g->nodes[i].opset = 13;
    }
}

static void test_few_turns(void **state)
{
    (void)state;
    static const struct {
        const char *most;
        const char *last;
        bool counted;
    } cases[] = {{"3", "99", true}, {"64", "2", true},   {"9223372036854775807", "2", true},
                 {"", "2", true},   {"65", "64", false}, {"", "64", false},
                 {"?", "2", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        fixture *f = start();
        counting(f, cases[i].most, cases[i].last);
        if (cases[i].counted) {
            run_well(f, 1);
            assert_string_equal(op_text(f, 0), "cuts: f32[9] 2 3 4");
        } else {
            run(f);
            assert_false(f->ok);
            assert_int_equal(f->diag.errors, 1);
            expect_message(f,
                           cases[i].most[0] == '?' ? "stops at 'most'" : "made by Loop 'counts'");
        }
        done(f);
    }
}

/* The body of a Scan that keeps its state and splits each slice in two, stacking the first half. */
static void halving_body(fixture *f, sg_graph_node *scan)
{
    sg_graph *body = graph_attribute(f, scan, "body");
    input(f, body, "s", SG_DTYPE_F32, "*");
    input(f, body, "slice", SG_DTYPE_F32, "*");
    node(f, body, "Identity", "s", "s2");
    halve(f, body, "slice", "p,q", 1);
    output(f, body, "s2");
    output(f, body, "p");
}

static void test_scan(void **state)
{
    (void)state;
    fixture *f = start();
    sg_graph *g = &f->model.graph;
    input(f, g, "h0", SG_DTYPE_F32, "4");
    input(f, g, "x", SG_DTYPE_F32, "5,9,4");
    sg_graph_node *n = node(f, g, "Scan", "h0,x", "h,ys");
    int_attribute(f, n, "num_scan_inputs", 1);
    list_attribute(f, n, "scan_input_axes", "1");
    list_attribute(f, n, "scan_output_axes", "-1");
    halving_body(f, n);
    halve(f, g, "ys", "a,b", 1);
    halve(f, g, "h", "c,d", 0);
    run_well(f, 3);
    assert_string_equal(op_text(f, 0), "p: f32[5,4] @1");
    assert_string_equal(op_text(f, 1), "a: f32[5,2,9] @1");
    assert_string_equal(op_text(f, 2), "c: f32[4] @0");
    done(f);
}

/* Scan-8: a batch dimension first, lengths of the sequences before the states. */
static void test_scan_with_batch(void **state)
{
    (void)state;
    fixture *f = start();
    sg_graph *g = &f->model.graph;
    input(f, g, "lengths", SG_DTYPE_I64, "3");
    input(f, g, "h0", SG_DTYPE_F32, "3,4");
    input(f, g, "x", SG_DTYPE_F32, "3,9,6,4");
    sg_graph_node *n = node(f, g, "Scan", "lengths,h0,x", "h,ys");
    n->opset = 8;
    int_attribute(f, n, "num_scan_inputs", 1);
    list_attribute(f, n, "directions", "1");
    halving_body(f, n);
    halve(f, g, "ys", "a,b", 2);
    halve(f, g, "h", "c,d", 1);
    run_well(f, 3);
    assert_string_equal(op_text(f, 0), "p: f32[6,4] @1");
    assert_string_equal(op_text(f, 1), "a: f32[3,9,6,2] @2");
    assert_string_equal(op_text(f, 2), "c: f32[3,4] @1");
    done(f);
}

static void test_nesting(void **state)
{
    enum { DEEP = 100 };
    (void)state;
    fixture *f = start();
    ints(f, &f->model.graph, "c", "", "1");
    sg_graph *g = &f->model.graph;
    for (int i = 0; i < DEEP; ++i) {
        g = graph_attribute(f, node(f, g, "If", "c", "r"), "then_branch");
    }
    run(f);
    assert_false(f->ok);
    expect_message(f, "graphs and functions are nested more than 64 deep here");
    done(f);
}

/* --- OpenVINO --------------------------------------------------------------------------------- */

static void test_openvino(void **state)
{
    (void)state;
    fixture *f = start();
    sg_graph *g = &f->model.graph;
    input(f, g, "x", SG_DTYPE_F32, "2,6");
    ints(f, g, "axis", "", "1");
    ints(f, g, "axes", "1", "-1");
    list(f, g, "lengths", "1,-1");
    sg_graph_node *n = node(f, g, "Split", "x,axis", "a,b,c");
    n->domain = "openvino";
    int_attribute(f, n, "num_splits", 3);
    n = node(f, g, "VariadicSplit", "x,axes,lengths", "d,e");
    n->domain = "openvino";
    run_well(f, 2);
    assert_string_equal(op_text(f, 0), "a: f32[2,6] @1 /3");
    assert_string_equal(op_text(f, 1), "d: f32[2,6] @-1 1 -1");
    assert_int_equal(f->ops.items[0]->kind, SG_OP_OPENVINO_SPLIT);
    assert_int_equal(f->ops.items[0]->axis_rank, 0);
    assert_int_equal(f->ops.items[1]->kind, SG_OP_OPENVINO_VARIADIC);
    assert_int_equal(f->ops.items[1]->axis_rank, 1);
    done(f);
}

/* A body sees only what its port map passes in; names of operators are case-insensitive. */
static void test_openvino_iterator(void **state)
{
    (void)state;
    for (int is_loop = 0; is_loop < 2; ++is_loop) {
        fixture *f = start();
        sg_graph *g = &f->model.graph;
        ints(f, g, "count", "", "4");
        ints(f, g, "begin", "", "1");
        input(f, g, "x", SG_DTYPE_F32, "3,8,6");
        input(f, g, "h", SG_DTYPE_F32, "3,6");
        sg_graph_node *n = node(f, g, is_loop == 1 ? "Loop" : "TensorIterator",
                                is_loop == 1 ? "count,begin,x,h" : "x,h", "ys,last");
        n->domain = "openvino";
        list_attribute(f, n, "port_map_inputs",
                       (is_loop == 1 ? "2,0,1,1,0,-1,2,2,3,1,0,0,0,0,0,0"
                                     : "0,0,1,1,0,-1,2,2,1,1,0,0,0,0,0,0"));
        list_attribute(f, n, "port_map_outputs",
                       (is_loop == 1 ? "0,0,1,1,0,-1,2,2,1,1,0,0,0,0,0,0,-1,2,0,0,0,0,0,0"
                                     : "0,0,1,1,0,-1,2,2,1,1,0,0,0,0,0,0"));
        list_attribute(f, n, "back_edges", "1,1");
        sg_graph *body = graph_attribute(f, n, "body");
        input(f, body, "part", SG_DTYPE_F32, "*");
        input(f, body, "state", SG_DTYPE_F32, "*");
        ints(f, body, "axis", "", "2");
        ints(f, body, "on", "", "1");
        sg_graph_node *s = node(f, body, "SPLIT", "part,axis", "a,b");
        s->domain = "openvino";
        int_attribute(f, s, "num_splits", 2);
        s = node(f, body, "RELU", "state", "state2");
        s->domain = "openvino";
        output(f, body, "a");
        output(f, body, "state2");
        output(f, body, "on");
        halve(f, g, "ys", "p,q", 1);
        halve(f, g, "last", "r,s", 1);
        run_well(f, 3);
        assert_string_equal(op_text(f, 0), "a: f32[3,2,6] @2 /2");
        assert_string_equal(op_text(f, 1), "p: f32[3,8,3] @1");
        assert_string_equal(op_text(f, 2), "r: f32[3,6] @1");
        done(f);
    }
}

static void test_openvino_if(void **state)
{
    (void)state;
    fixture *f = start();
    sg_graph *g = &f->model.graph;
    input(f, g, "c", SG_DTYPE_BOOL, "");
    input(f, g, "x", SG_DTYPE_F32, "3,8");
    sg_graph_node *n = node(f, g, "If", "c,x", "y");
    n->domain = "openvino";
    static const char *const names[] = {"then", "else"};
    for (int i = 0; i < 2; ++i) {
        const char *name = names[i];
        list_attribute(f, n, sg_arena_printf(&f->arena, "%s_port_map_inputs", name),
                       "1,0,0,0,0,0,0,0");
        list_attribute(f, n, sg_arena_printf(&f->arena, "%s_port_map_outputs", name),
                       "0,0,0,0,0,0,0,0");
        sg_graph *body = graph_attribute(f, n, sg_arena_printf(&f->arena, "%s_body", name));
        input(f, body, "in", SG_DTYPE_F32, "*");
        node(f, body, "Identity", "in", "out");
        output(f, body, "out");
    }
    halve(f, g, "y", "a,b", 1);
    run_well(f, 1);
    assert_string_equal(op_text(f, 0), "a: f32[3,8] @1");
    done(f);
}

/* A tensor also has the names from its ports. */
static void test_aliases(void **state)
{
    (void)state;
    static const char *aliases[] = {"images", "input.1"};
    fixture *f = start();
    sg_graph *g = &f->model.graph;
    input(f, g, "x", SG_DTYPE_F32, "?,8");
    g->inputs[0].aliases = aliases;
    g->inputs[0].naliases = 2;
    halve(f, g, "x", "a,b", 1);
    give_shape(f, "input.1", "5,8");
    run_well(f, 1);
    assert_string_equal(op_text(f, 0), "a: f32[5,8] @1");
    assert_true(f->shapes[0].used);
    done(f);
}

/* --- the user's rules
 * ---------------------------------------------------------------------------- */

/* x -> NODE -> y -> Split, with these rules. */
static fixture *with_rules(const char *op_type, const char *text)
{
    fixture *f = start();
    sg_graph *g = &f->model.graph;
    input(f, g, "x", SG_DTYPE_F32, "2,6");
    sg_graph_node *n = node(f, g, op_type, "x", "y");
    list_attribute(f, n, "sizes", "3,8");
    halve(f, g, "y", "a,b", 1);
    rules(f, text);
    run(f);
    return f;
}

static void test_own_rules(void **state)
{
    (void)state;
    static const char *const good[] = {
        "return { Mine = function(node, inputs)\n"
        "  return { { dtype = inputs[1].dtype, shape = node.attributes.sizes } }\nend }",
        "local builtin = require 'rules'\n"
        "return { Mine = function(node, inputs)\n"
        "  local out = builtin.Identity(node, inputs)\n"
        "  return { { dtype = out[1].dtype, shape = {3, 8.0} } }\nend }",
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; ++i) {
        fixture *f = with_rules("Mine", good[i]);
        assert_true(f->ok);
        assert_string_equal(op_text(f, 0), "a: f32[3,8] @1");
        done(f);
    }
    /* overrides the built-in rule */
    fixture *f = with_rules("Identity", "return { Identity = function(node, inputs)\n"
                                        "  return { { dtype = 'i8', shape = {1, 2} } }\nend }");
    assert_true(f->ok);
    assert_string_equal(op_text(f, 0), "a: i8[1,2] @1");
    done(f);
}

static void test_wrong_rules(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *place;
        const char *message;
    } cases[] = {
        {"return { Mine = function()\n return { { shape = {2, -1} } }\nend }",
         "own.lua:1:", "dim 2 of output 1 is -1, which is negative"},
        {"return { Mine = function()\n return { { shape = {2, 1.5} } }\nend }",
         "own.lua:1:", "dim 2 of output 1 is 1.5"},
        {"return { Mine = function()\n return { { shape = {2, '\\1' .. 2 .. '\\1N'} } }\nend }",
         "own.lua:1:", "dim 2 of output 1 is a text with control characters that no name has"},
        {"return { Mine = function()\n return { { shape = {'\\2' .. 7} } }\nend }",
         "own.lua:1:", "come from operators, as in 2 * x.shape[1] + 1"},
        {"return { Mine = function()\n return { { shape = {2, {}} } }\nend }",
         "own.lua:1:", "but this one is table"},
        {"return {\n Mine = function()\n return { { shape = 2 } }\nend }",
         "own.lua:2:", "the shape of output 1 is a list or nil, but this one is a number"},
        {"return { Mine = function()\n return { { dtype = 'f33' } }\nend }",
         "own.lua:1:", "the dtype of output 1"},
        {"return { Mine = function()\n return { { shape = {3}, value = {1, 2} } }\nend }",
         "own.lua:1:", "the value of output 1 has 2 entries, its shape 3"},
        {"return { Mine = function()\n return 7\nend }",
         "own.lua:1:", "a rule returns a list of outputs, not a number"},
        {"return { Mine = function(node)\n return node.nothing.more\nend }",
         "own.lua:2:", "attempt to index a nil value"},
        {"return 3", "own.lua:1:", "a file of rules returns a table"},
        {"return { Mine = 3 }", "own.lua:1:", "the rule for 'Mine' is a function, not a number"},
        {"return {\n Mine = function( }", "own.lua:2:", "expected near '}'"},
        {"io.open('x')", "own.lua:1:", "io"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        fixture *f = with_rules("Mine", cases[i].text);
        assert_false(f->ok);
        assert_int_equal(sg_diag_exit(&f->diag), SG_EXIT_INPUT);
        expect_message(f, cases[i].place);
        expect_message(f, cases[i].message);
        done(f);
    }
}

/* A rule that cannot infer says why; this is reported only if a Split needs it. */
static void test_refusal(void **state)
{
    (void)state;
    static const char text[] = "return { Mine = function()\n error('it is Tuesday')\nend }";
    fixture *f = with_rules("Mine", text);
    assert_false(f->ok);
    assert_int_equal(f->diag.errors, 1);
    expect_message(f, "stops at 'y', made by Mine 'y': it is Tuesday");
    done(f);

    f = start();
    input(f, &f->model.graph, "x", SG_DTYPE_F32, "2,6");
    node(f, &f->model.graph, "Mine", "x", "y");
    halve(f, &f->model.graph, "x", "a,b", 1);
    rules(f, text);
    run_well(f, 1);
    assert_int_equal(f->diag.warnings, 0);
    done(f);
}

static void test_runaway(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "return { Mine = function()\n while true do end\nend }",
        "return { Mine = function()\n while true do pcall(error, 'x') end\nend }",
        "return { Mine = function()\n local t = {}\n for i = 1, 1e9 do t[i] = {i} end\nend }",
        "while true do end",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        fixture *f = with_rules("Mine", texts[i]);
        assert_false(f->ok);
        assert_int_equal(sg_diag_exit(&f->diag), SG_EXIT_BUDGET);
        expect_message(f, "own.lua:");
        done(f);
    }
}

/* The results of rules are copied, and the copies have a limit. A name is kept once. */
static void test_large_facts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *message;
    } cases[] = {
        {"local s = ('x'):rep(4e4) local v = {} for i = 1, 4096 do v[i] = s .. i end\n"
         "return { Mine = function()\n"
         " return { { dtype = 'i64', shape = { 4096 }, value = v } }\nend }",
         "needs more than 256 MiB"},
        {"local l, o = {}, {} for i = 1, 4096 do l[i] = {} end\n"
         "for i = 1, 1000 do o[i] = { sequence = l } end\n"
         "return { Mine = function() return o end }",
         "dims and entries together"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        fixture *f = start();
        sg_graph *g = &f->model.graph;
        input(f, g, "x", SG_DTYPE_F32, "6");
        node(f, g, "Mine", "x", many(f, "y", 1000, true));
        rules(f, cases[i].text);
        run(f);
        assert_false(f->ok);
        assert_int_equal(sg_diag_exit(&f->diag), SG_EXIT_BUDGET);
        expect_message(f, cases[i].message);
        done(f);
    }
}

/* --- size ------------------------------------------------------------------------------------- */

/* A chain of nodes through which a shape goes; returns the memory that its inference takes. */
static size_t bytes_of_chain(int nodes)
{
    enum { EVERY = 10 };
    fixture *f = start();
    sg_graph *g = &f->model.graph;
    input(f, g, "x0", SG_DTYPE_F32, "1,64,56,56");
    list(f, g, "w", "1,64,56,56");
    g->nodes = SG_NEW_ARRAY(&f->arena, sg_graph_node, nodes);
    for (int i = 0; i < nodes; ++i) {
        const char *in = sg_arena_printf(&f->arena, "x%d", i);
        const char *out = sg_arena_printf(&f->arena, "x%d", i + 1);
        if (i % EVERY == 0) {
            node(f, g, "Reshape", sg_arena_printf(&f->arena, "%s,w", in), out);
        } else if (i % EVERY == 1) {
            halve(f, g, in, sg_arena_printf(&f->arena, "a%d,b%d", i, i), 1);
            node(f, g, "Identity", in, out);
            --g->nnodes;
            g->nodes[g->nnodes - 1] = g->nodes[g->nnodes];
        } else {
            node(f, g, "Add", sg_arena_printf(&f->arena, "%s,%s", in, in), out);
        }
    }
    const size_t before = f->arena.total;
    run(f);
    assert_true(f->ok);
    const size_t bytes = f->arena.total - before;
    done(f);
    return bytes;
}

/* Memory grows with the number of nodes, and not faster. */
static void test_many_nodes(void **state)
{
    (void)state;
    const size_t some = bytes_of_chain(1000);
    const size_t many = bytes_of_chain(10000);
    print_message("%zu bytes for 1000 nodes, %zu for 10000\n", some, many);
    assert_true(many < 12 * some);
}

/* --- attributes ------------------------------------------------------------------------------- */

typedef struct row {
    const char *op; /* with its domain as a prefix */
    const char *name;
    sg_graph_attribute_type type;
    int since;
    int until;
} row;

static const row rows[] = {
#define ATTRIBUTE(op, name, type, since, until) {op, name, SG_GRAPH_TYPE_##type, since, until},
#include "shapes/attributes.inc"
#undef ATTRIBUTE
};
#define NROWS (sizeof rows / sizeof rows[0])

/* The tables are searched by bisection. */
static void test_attributes_sorted(void **state)
{
    (void)state;
    for (size_t i = 1; i < NROWS; ++i) {
        const row *a = &rows[i - 1];
        const row *b = &rows[i];
        const int op = strcmp(a->op, b->op);
        const int name = strcmp(a->name, b->name);
        if (op > 0 || (op == 0 && name > 0) || (op == 0 && name == 0 && a->until > b->since)) {
            fail_msg("%s.%s comes before %s.%s", a->op, a->name, b->op, b->name);
        }
    }
}

/* Whether a model of one node with the attribute of a row, of some type, is accepted; the
 * attribute is the first bytes of its text. */
static bool takes(const row *tested, int64_t opset, sg_graph_attribute_type type, bool in_reference)
{
    fixture *f = start();
    f->model.source = sg_source_new(&f->arena, "m.onnxtxt", "attribute", 9);
    const char *dot = strrchr(tested->op, '.');
    sg_graph *g = &f->model.graph;
    if (in_reference) {
        sg_graph_function *fn = function(f, "f", "", "");
        sg_graph_attribute *given = SG_NEW(&f->arena, sg_graph_attribute);
        *given =
            (sg_graph_attribute){.name = "given", .type = type, .kind = SG_GRAPH_ATTRIBUTE_NONE};
        given->span = sg_span_make(f->model.source, 0, 9);
        sg_graph_node *call = node(f, g, "f", "", "");
        call->domain = "local";
        call->attributes = given;
        call->nattributes = 1;
        fn->attributes = words(f, "given", &fn->nattributes);
        g = &fn->body;
    }
    sg_graph_node *n = node(f, g, dot != NULL ? dot + 1 : tested->op, "", "");
    n->domain =
        dot != NULL ? sg_arena_strndup(&f->arena, tested->op, (size_t)(dot - tested->op)) : "";
    n->opset = opset;
    if (in_reference) {
        reference(f, n, tested->name, "given");
    } else {
        sg_graph_attribute *a = attribute(n, tested->name, SG_GRAPH_ATTRIBUTE_NONE);
        a->type = type;
        a->count = 0;
        a->span = sg_span_make(f->model.source, 0, 9);
    }
    run(f);
    bool refused = false;
    const char *part = sg_arena_printf(&f->arena, "must be of type %s, but is of",
                                       sg_graph_attribute_type_name((int64_t)tested->type));
    for (const sg_diag_entry *e = f->diag.first; e != NULL; e = e->next) {
        const bool there =
            e->span.source == f->model.source && e->span.begin == 0 && e->span.end == 9;
        refused = refused || (e->severity == SG_ERROR && there && strstr(e->message, part) != NULL);
    }
    assert_true(!refused || f->ops.count == 0);
    done(f);
    return !refused;
}

/* Every attribute of every operator, in the first and the last version of its row, with every
 * type. */
static void test_attribute_types(void **state)
{
    (void)state;
    int64_t wrong = 0;
    for (size_t i = 0; i < NROWS; ++i) {
        enum { NEWEST = 28 };
        const int64_t opsets[] = {rows[i].since, rows[i].until > 0 ? rows[i].until - 1 : NEWEST};
        for (int type = SG_GRAPH_TYPE_UNDEFINED; type <= SG_GRAPH_TYPE_COUNT; ++type) {
            for (size_t v = 0; v < 2 && type != (int)rows[i].type; ++v) {
                if (takes(&rows[i], opsets[v], (sg_graph_attribute_type)type, false)) {
                    fail_msg("%s.%s, type %d", rows[i].op, rows[i].name, type);
                }
                ++wrong;
            }
        }
    }
    printf("%" PRId64 " attributes of a wrong type, all refused at their place\n", wrong);
}

/* The same for every version of Split, also when a function call supplies the attribute. */
static void test_split_attributes(void **state)
{
    (void)state;
    static const int versions[] = {1, 2, 11, 13, 18, 28};
    for (size_t i = 0; i < NROWS; ++i) {
        for (size_t v = 0; strcmp(rows[i].op, "Split") == 0 && v < 6; ++v) {
            for (int type = SG_GRAPH_TYPE_UNDEFINED; type <= SG_GRAPH_TYPE_COUNT; ++type) {
                if (type != (int)rows[i].type) {
                    const sg_graph_attribute_type given = (sg_graph_attribute_type)type;
                    assert_false(takes(&rows[i], versions[v], given, false));
                    assert_false(takes(&rows[i], versions[v], given, true));
                }
            }
        }
    }
}

/* --- Concats ---------------------------------------------------------------------------------- */

static sg_graph_node *join(fixture *f, sg_graph *g, const char *in, const char *out, int64_t axis)
{
    sg_graph_node *n = node(f, g, "Concat", in, out);
    int_attribute(f, n, "axis", axis);
    return n;
}

static fixture *start_concats(void)
{
    fixture *f = start();
    f->options.ops = UINT32_C(1) << SG_GRAPH_OPS_CONCAT;
    return f;
}

static void test_concat(void **state)
{
    (void)state;
    fixture *f = start_concats();
    sg_graph *g = &f->model.graph;
    input(f, g, "x", SG_DTYPE_F32, "2,6");
    input(f, g, "x_2", SG_DTYPE_F32, "2,1");
    halve(f, g, "x", "p,q", 1);
    join(f, g, "x,x_2,x,p", "y", -1)->name = "/join";
    run_well(f, 1);
    const sg_op *op = f->ops.items[0];
    assert_string_equal(op_text(f, 0), "join: f32[2,16] @-1 6 1 6 3");
    assert_int_equal(op->kind, SG_OP_ONNX_CONCAT);
    assert_int_equal(op->opset.value, 17);
    static const char *const names[] = {"x", "x_2", "x_3", "p"};
    static const char *const tensors[] = {"x", "x_2", "x", "p"};
    assert_int_equal(op->outputs.count, 4);
    assert_int_equal(op->origin->noutputs, 4);
    for (int i = 0; i < 4; ++i) {
        assert_string_equal(op->outputs.items[i].name, names[i]);
        assert_string_equal(op->origin->outputs[i], tensors[i]);
        assert_string_equal(op->outputs.items[i].dtype.text, "f32");
        assert_int_equal(op->outputs.items[i].shape.items[0].value, 2);
        assert_int_equal(op->outputs.items[i].shape.items[1].value, op->lengths.items[i].value);
        assert_null(op->outputs.items[i].data);
    }
    assert_string_equal(op->origin->input, "y");
    assert_null(op->origin->unread);
    done(f);
}

/* Concats are counted without being requested; the default axis of the first versions. */
static void test_concat_found(void **state)
{
    (void)state;
    fixture *f = start();
    sg_graph_found found = {.counts = {0}};
    f->options.found = &found;
    input(f, &f->model.graph, "x", SG_DTYPE_F32, "2,6");
    ints(f, &f->model.graph, "w", "2", "1,2");
    join(f, &f->model.graph, "x,x", "y", 0);
    join(f, &f->model.graph, "w,w", "z", 0);
    node(f, &f->model.graph, "Concat", "x,y", "v")->opset = 1;
    run_well(f, 0);
    assert_int_equal(found.counts[SG_GRAPH_OPS_CONCAT], 2);
    done(f);

    f = start_concats();
    input(f, &f->model.graph, "x", SG_DTYPE_F32, "2,6");
    node(f, &f->model.graph, "Concat", "x,x", "v")->opset = 3;
    run_well(f, 1);
    assert_string_equal(op_text(f, 0), "v: f32[2,12] 6 6");
    done(f);
}

/* A Concat of constants that the file holds, and that no run can change. */
static void test_concat_constants(void **state)
{
    (void)state;
    static const unsigned char bytes[16] = {7, [8] = 9};
    for (int turn = 0; turn < 4; ++turn) {
        fixture *f = start_concats();
        sg_graph *g = &f->model.graph;
        f->model.version = 8;
        input(f, g, "x", SG_DTYPE_I64, "3");
        ints(f, g, "w", "2", "7,9");
        g->initializers[0].bytes = turn != 1 ? bytes : NULL; /* as if in another file */
        g->initializers[0].nbytes = sizeof bytes;
        if (turn == 2) {
            input(f, g, "w", SG_DTYPE_I64, "2");
        } else if (turn == 3) {
            give_value(f, "w", "1,2");
        }
        node(f, g, "Identity", "w", "v");
        join(f, g, "x,w,v", "y", 0);
        run_well(f, 1);
        const sg_op_outputs *parts = &f->ops.items[0]->outputs;
        assert_null(parts->items[0].data);
        for (int i = 1; i < 3; ++i) { /* computed values are as good as the bytes of a file */
            const void *data = parts->items[i].data;
            assert_true((data != NULL) == (turn < 2));
            assert_true(data == NULL || memcmp(data, bytes, sizeof bytes) == 0);
        }
        done(f);
    }
}

/* Bits in memory order, packed ones from the least significant on. */
static void test_kept_bytes(void **state)
{
    (void)state;
    fixture *f = start();
    const uint64_t bits[] = {0x1, 0xF, 0x3};
    sg_graph_tensor tensor = {.type = {.is_tensor = true, .dtype = SG_DTYPE_I4}};
    sg_element_keep(&f->arena, &tensor, bits, 3);
    assert_int_equal(tensor.nbytes, 2);
    assert_memory_equal(tensor.bytes, "\xF1\x03", 2);
    tensor = (sg_graph_tensor){.type = {.is_tensor = true, .dtype = SG_DTYPE_U16}};
    sg_element_keep(&f->arena, &tensor, (const uint64_t[]){0x1234}, 1);
    assert_memory_equal(tensor.bytes, "\x34\x12", 2);
    uint64_t *many = SG_NEW_ARRAY(&f->arena, uint64_t, SG_GRAPH_BYTES_MAX / 2 + 1);
    tensor.bytes = NULL;
    sg_element_keep(&f->arena, &tensor, many, SG_GRAPH_BYTES_MAX / 2 + 1);
    assert_null(tensor.bytes);
    sg_element_keep(&f->arena, &tensor, many, SG_GRAPH_BYTES_MAX / 2);
    assert_int_equal(tensor.nbytes, SG_GRAPH_BYTES_MAX);
    done(f);
}

static void test_concat_openvino(void **state)
{
    (void)state;
    fixture *f = start_concats();
    sg_graph *g = &f->model.graph;
    input(f, g, "x", SG_DTYPE_F32, "2,6");
    input(f, g, "u", SG_DTYPE_F32, "?,?");
    node(f, g, "ShapeOf", "u", "s")->domain = "openvino";
    join(f, g, "s,s", "shape", 0)->domain = "openvino";
    join(f, g, "x,x", "y", -2)->domain = "openvino";
    run_well(f, 1);
    assert_string_equal(op_text(f, 0), "y: f32[4,6] @-2 2 2");
    assert_int_equal(f->ops.items[0]->kind, SG_OP_OPENVINO_CONCAT);
    assert_false(f->ops.items[0]->opset.present);
    done(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),
        cmocka_unit_test(test_versions),
        cmocka_unit_test(test_spans),
        cmocka_unit_test(test_arithmetic),
        cmocka_unit_test(test_open_dims),
        cmocka_unit_test(test_open_shapes),
        cmocka_unit_test(test_open_refused),
        cmocka_unit_test(test_open_products),
        cmocka_unit_test(test_open_own_rule),
        cmocka_unit_test(test_open_all),
        cmocka_unit_test(test_symbolic),
        cmocka_unit_test(test_expression),
        cmocka_unit_test(test_implied),
        cmocka_unit_test(test_unknown_operator),
        cmocka_unit_test(test_waits),
        cmocka_unit_test(test_command),
        cmocka_unit_test(test_type_of_parts),
        cmocka_unit_test(test_data),
        cmocka_unit_test(test_given_twice),
        cmocka_unit_test(test_value),
        cmocka_unit_test(test_missing_value),
        cmocka_unit_test(test_globs),
        cmocka_unit_test(test_unused),
        cmocka_unit_test(test_other_batch),
        cmocka_unit_test(test_unbound),
        cmocka_unit_test(test_value_info),
        cmocka_unit_test(test_function),
        cmocka_unit_test(test_recursion),
        cmocka_unit_test(test_explosion),
        cmocka_unit_test(test_wide_explosion),
        cmocka_unit_test(test_repeated_inputs),
        cmocka_unit_test(test_declared_explosion),
        cmocka_unit_test(test_joined_explosion),
        cmocka_unit_test(test_if),
        cmocka_unit_test(test_loop),
        cmocka_unit_test(test_few_turns),
        cmocka_unit_test(test_scan),
        cmocka_unit_test(test_scan_with_batch),
        cmocka_unit_test(test_nesting),
        cmocka_unit_test(test_openvino),
        cmocka_unit_test(test_openvino_iterator),
        cmocka_unit_test(test_openvino_if),
        cmocka_unit_test(test_aliases),
        cmocka_unit_test(test_own_rules),
        cmocka_unit_test(test_wrong_rules),
        cmocka_unit_test(test_refusal),
        cmocka_unit_test(test_runaway),
        cmocka_unit_test(test_large_facts),
        cmocka_unit_test(test_many_nodes),
        cmocka_unit_test(test_concat),
        cmocka_unit_test(test_concat_found),
        cmocka_unit_test(test_concat_constants),
        cmocka_unit_test(test_kept_bytes),
        cmocka_unit_test(test_concat_openvino),
        cmocka_unit_test(test_attributes_sorted),
        cmocka_unit_test(test_attribute_types),
        cmocka_unit_test(test_split_attributes),
    };
    return cmocka_run_group_tests_name("infer", tests, NULL, NULL);
}
