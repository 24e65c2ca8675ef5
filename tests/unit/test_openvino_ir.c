/* Tests of the reader of OpenVINO's IR: the conversion of layers, ports, constants and bodies,
 * their places, and every way a file can be wrong. Constants are in a file of a scratch folder. */
#include <setjmp.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "frontend/openvino/ir.h"
#include "frontend/openvino/xml.h"

typedef struct fixture {
    sg_arena arena;
    sg_diag diag;
    sg_file_list files;
    const sg_source *source;
    sg_graph_model *model;
    char folder[32];
    char bin[64];
} fixture;

/* bin NULL: no such file. */
static fixture *read_with(const char *xml, const void *bin, size_t len)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    sg_arena_init(&f->arena);
    sg_diag_init(&f->diag, &f->arena);
    strcpy(f->folder, "test_ir_XXXXXX");
    assert_non_null(mkdtemp(f->folder));
    snprintf(f->bin, sizeof f->bin, "%s/model.bin", f->folder);
    if (bin) {
        FILE *file = fopen(f->bin, "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(bin, 1, len, file), len);
        fclose(file);
    }
    f->source = sg_source_new(&f->arena, "model.xml", xml, strlen(xml));
    f->model = sg_openvino_read(&f->arena, &f->diag, f->source, f->bin, &f->files);
    assert_int_equal(f->model == NULL, f->diag.errors > 0);
    return f;
}

static void done(fixture *f)
{
    unlink(f->bin);
    rmdir(f->folder);
    sg_arena_free(&f->arena);
    free(f);
}

static fixture *read_good(const char *xml, const void *bin, size_t len)
{
    fixture *f = read_with(xml, bin, len);
    if (!f->model) {
        fail_msg("%s", f->diag.first->message);
    }
    return f;
}

static void assert_text(sg_span span, const char *text)
{
    sg_str is = sg_span_text(span);
    if (!sg_str_eqz(is, text)) {
        fail_msg("the place is at '%.*s', not at '%s'", (int)is.len, is.ptr, text);
    }
}

/* Checks the words and the place of the first error. */
static void assert_wrong_with(const char *xml, const void *bin, size_t len, const char *message,
                              const char *place)
{
    fixture *f = read_with(xml, bin, len);
    if (f->model) {
        fail_msg("read without an error: %s", xml);
    }
    if (!strstr(f->diag.first->message, message)) {
        fail_msg("said: %s\nnot: %s", f->diag.first->message, message);
    }
    assert_string_equal(f->diag.first->rule, sg_diag_exit(&f->diag) == SG_EXIT_IO ? "io" : "model");
    assert_text(f->diag.first->span, place);
    done(f);
}

static void assert_wrong(const char *xml, const char *message, const char *place)
{
    assert_wrong_with(xml, "", 0, message, place);
}

static const sg_graph_node *node_of(const sg_graph *graph, const char *name)
{
    for (int64_t i = 0; i < graph->nnodes; i++) {
        if (strcmp(graph->nodes[i].name, name) == 0) {
            return &graph->nodes[i];
        }
    }
    fail_msg("no node '%s'", name);
    return NULL;
}

static const sg_graph_attribute *attribute_of(const sg_graph_node *node, const char *name)
{
    for (int64_t i = 0; i < node->nattributes; i++) {
        if (strcmp(node->attributes[i].name, name) == 0) {
            return &node->attributes[i];
        }
    }
    fail_msg("'%s' has no attribute '%s'", node->name, name);
    return NULL;
}

static void assert_dims(const sg_graph_type *type, int dtype, int64_t rank, ...)
{
    assert_true(type->is_tensor);
    assert_int_equal(type->dtype, dtype);
    assert_int_equal(type->shape.has_rank, rank >= 0);
    va_list args;
    va_start(args, rank);
    for (int64_t i = 0; i < rank; i++) {
        assert_int_equal(type->shape.dims[i].size, va_arg(args, int));
        assert_null(type->shape.dims[i].name);
    }
    va_end(args);
    assert_int_equal(type->shape.rank, rank < 0 ? 0 : rank);
}

static void assert_ints(const sg_graph_attribute *attribute, int64_t count, ...)
{
    va_list args;
    va_start(args, count);
    assert_int_equal(attribute->kind,
                     count == 1 ? SG_GRAPH_ATTRIBUTE_INT : SG_GRAPH_ATTRIBUTE_INTS);
    assert_int_equal(attribute->count, count);
    for (int64_t i = 0; i < count; i++) {
        assert_int_equal(attribute->ints[i], va_arg(args, int));
    }
    va_end(args);
}

/* Pieces of models. */
#define NET11 "<?xml version=\"1.0\"?>\n<net name=\"m\" version=\"11\"><layers>"
#define EDGES "</layers><edges>"
#define END   "</edges></net>"
#define P(n)  "<port id=\"" #n "\" precision=\"FP32\"/>"
#define X_LAYER                                                                                    \
    "<layer id=\"0\" name=\"x\" type=\"Parameter\" version=\"opset1\">"                            \
    "<data shape=\"2,6\" element_type=\"f32\"/><output>" P(0) "</output></layer>"
#define EDGE(a, b, c, d)                                                                           \
    "<edge from-layer=\"" #a "\" from-port=\"" #b "\" to-layer=\"" #c "\" to-port=\"" #d "\"/>"
#define LAYER(n, name, type, in, out)                                                              \
    "<layer id=\"" #n "\" name=\"" name "\" type=\"" type "\" version=\"opset1\"><input>" in       \
    "</input><output>" out "</output></layer>"
#define CONST(type, shape, offset, size)                                                           \
    NET11                                                                                          \
    "<layer id=\"0\" name=\"c\" type=\"Const\" version=\"opset1\"><data element_type=\"" type      \
    "\" shape=\"" shape "\" offset=\"" offset "\" size=\"" size                                    \
    "\"/><output>" P(0) "</output></layer>" EDGES END

static void reads_splits(void **state)
{
    (void)state;
    static const unsigned char bin[] = {1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 255, 255, 255, 255};
    sg_buf xml = {0};
    sg_buf_addz(&xml,
                "<net name=\"net\" version=\"11\"><layers>\n"
                "<layer id=\"7\" name=\"sp\" type=\"Split\" version=\"opset1\">\n"
                "<data num_splits=\"3\"/>\n"
                "<input><port id=\"9\"/><port id=\"4\"/></input><output>"
                "<port id=\"8\" precision=\"FP16\" names=\"a\\,b,c\"><dim>2</dim>\n"
                "<dim> -1 </dim></port><port id=\"6\" precision=\"f16\"/>"
                "<port id=\"5\" precision=\"FP16\"/></output></layer>\n"
                "<layer id=\"0\" name=\"x\" type=\"Parameter\" version=\"opset1\">"
                "<data shape=\"?,6,1..8,4..4,..3,-1,5..\" element_type=\"f16\"/><output>"
                "<port id=\"0\" precision=\"FP16\" names=\"x,input\"/></output></layer>\n"
                "<layer id=\"2\" name=\"ax\" type=\"Const\" version=\"opset1\">"
                "<data element_type=\"i64\" shape=\"\" offset=\"0\" size=\"8\"/>"
                "<output><port id=\"0\" precision=\"I64\"/></output></layer>\n"
                "<layer id=\"3\" name=\"ls\" type=\"Constant\" version=\"opset1\">"
                "<data element_type=\"I32\" shape=\"2\" offset=\"8\" size=\"8\"/>"
                "<output><port id=\"0\" precision=\"I32\"/></output></layer>\n"
                "<layer id=\"4\" name=\"vs\" type=\"VariadicSplit\" version=\"opset12\">"
                "<input><port id=\"0\"/><port id=\"1\"/><port id=\"2\"/></input>"
                "<output>" P(3)
                    P(4) "</output></layer>\n"
                         "<layer id=\"5\" name=\"r\" type=\"Result\" version=\"opset1\" "
                         "output_names=\"y\"><input><port id=\"0\" precision=\"FP32\"><dim>3</dim>"
                         "</port></input></layer>\n</layers><edges>\n");
    sg_buf_addz(&xml, EDGE(0, 0, 7, 9) EDGE(2, 0, 7, 4) EDGE(7, 6, 4, 0) EDGE(2, 0, 4, 1)
                          EDGE(3, 0, 4, 2) EDGE(4, 4, 5, 0) END);
    fixture *f = read_good(xml.ptr, bin, sizeof bin);
    const sg_graph *graph = &f->model->graph;
    assert_int_equal(f->model->format, SG_MODEL_OPENVINO);
    assert_int_equal(f->model->version, 11);
    assert_ptr_equal(f->model->source, f->source);
    assert_string_equal(graph->name, "net");
    assert_int_equal(f->files.count, 1);
    assert_string_equal(f->files.items[0].path, f->bin);

    assert_int_equal(graph->ninputs, 1);
    assert_string_equal(graph->inputs[0].name, "x");
    assert_dims(&graph->inputs[0].type, SG_DTYPE_F16, 7, -1, 6, -1, 4, -1, -1, -1);
    assert_text(graph->inputs[0].type.shape.dims[2].span, "1..8");
    assert_int_equal(graph->inputs[0].naliases, 2);
    assert_string_equal(graph->inputs[0].aliases[1], "input");

    assert_int_equal(graph->ninitializers, 2);
    assert_string_equal(graph->initializers[0].name, "ax");
    assert_dims(&graph->initializers[0].type, SG_DTYPE_I64, 0);
    assert_int_equal(graph->initializers[0].ints[0], 1);
    assert_dims(&graph->initializers[1].type, SG_DTYPE_I32, 1, 2);
    assert_int_equal(graph->initializers[1].ints[0], 2);
    assert_int_equal(graph->initializers[1].ints[1], -1);

    assert_int_equal(graph->nnodes, 2);
    const sg_graph_node *split = node_of(graph, "sp");
    assert_string_equal(split->op_type, "Split");
    assert_string_equal(split->domain, "openvino");
    assert_int_equal(split->opset, 1);
    assert_text(split->span, "<layer id=\"7\" name=\"sp\" type=\"Split\" version=\"opset1\">");
    assert_int_equal(split->ninputs, 2);
    assert_string_equal(split->inputs[0], "x");
    assert_string_equal(split->inputs[1], "ax");
    assert_text(split->input_spans[1], EDGE(2, 0, 7, 4));
    assert_int_equal(split->noutputs, 3);
    assert_string_equal(split->outputs[2], "sp:2");
    assert_text(split->output_spans[2], "<port id=\"5\" precision=\"FP16\"/>");
    assert_ints(attribute_of(split, "num_splits"), 1, 3);
    assert_text(attribute_of(split, "num_splits")->spans[0], "3");
    const sg_graph_node *variadic = node_of(graph, "vs");
    assert_int_equal(variadic->opset, 12);
    assert_string_equal(variadic->inputs[0], "sp:1");
    assert_string_equal(variadic->inputs[2], "ls");
    assert_int_equal(variadic->nattributes, 0);

    assert_int_equal(graph->ninfos, 5);
    assert_string_equal(graph->infos[0].name, "sp:0");
    assert_dims(&graph->infos[0].type, SG_DTYPE_F16, 2, 2, -1);
    assert_text(graph->infos[0].type.shape.dims[1].span, "-1");
    assert_int_equal(graph->infos[0].naliases, 2);
    assert_string_equal(graph->infos[0].aliases[0], "a,b");
    assert_string_equal(graph->infos[0].aliases[1], "c");
    assert_dims(&graph->infos[1].type, SG_DTYPE_F16, -1);
    assert_dims(&graph->infos[4].type, SG_DTYPE_F32, -1);

    assert_int_equal(graph->noutputs, 1);
    assert_string_equal(graph->outputs[0].name, "vs:1");
    assert_string_equal(graph->outputs[0].aliases[0], "y");
    assert_dims(&graph->outputs[0].type, SG_DTYPE_F32, 1, 3);
    sg_buf_free(&xml);
    done(f);
}

static void orders_layers_and_makes_names_unique(void **state)
{
    (void)state;
    fixture *f =
        read_good(NET11 LAYER(3, "a", "ReLU", P(0), P(1)) LAYER(4, "b", "ReLU", P(0), P(1))
                      LAYER(1, "a", "ReLU", P(0), P(1)) LAYER(9, "", "ReLU", P(0), P(1))
                          X_LAYER EDGES EDGE(1, 1, 3, 0) EDGE(0, 0, 1, 0) EDGE(3, 1, 9, 0) END,
                  NULL, 0);
    const sg_graph *graph = &f->model->graph;
    assert_int_equal(graph->nnodes, 4);
    assert_string_equal(graph->nodes[0].outputs[0], "a_2");
    assert_string_equal(graph->nodes[0].name, "a");
    assert_string_equal(graph->nodes[1].outputs[0], "a");
    assert_string_equal(graph->nodes[1].inputs[0], "a_2");
    assert_string_equal(graph->nodes[2].name, "b");
    assert_string_equal(graph->nodes[2].inputs[0], ""); /* nothing is connected */
    assert_string_equal(graph->nodes[3].outputs[0], "ReLU_9");
    assert_string_equal(graph->nodes[3].name, "");
    assert_int_equal(f->files.count, 0);
    done(f);

    /* A long chain, written backwards, does not use the stack. */
    sg_buf xml = {0};
    sg_buf_addz(&xml, NET11);
    const int length = 20000;
    for (int i = length; i > 0; i--) {
        sg_buf_printf(&xml,
                      "<layer id=\"%d\" name=\"n%d\" type=\"T\"><input>" P(0) "</input><output>" P(
                          1) "</output></layer>",
                      i, i);
    }
    sg_buf_addz(&xml, EDGES);
    for (int i = 1; i < length; i++) {
        sg_buf_printf(&xml,
                      "<edge from-layer=\"%d\" from-port=\"1\" to-layer=\"%d\" to-port=\"0\"/>", i,
                      i + 1);
    }
    sg_buf_addz(&xml, END);
    f = read_good(xml.ptr, NULL, 0);
    assert_int_equal(f->model->graph.nnodes, length);
    assert_string_equal(f->model->graph.nodes[0].name, "n1");
    assert_int_equal(f->model->graph.nodes[0].opset, 0);
    sg_buf_free(&xml);
    done(f);
}

static void keeps_memory_in_proportion_to_names(void **state)
{
    (void)state;
    sg_buf xml = {0};
    sg_buf_addz(&xml, NET11 "<layer id=\"5\" type=\"T\" name=\"");
    for (int i = 0; i < 10000; i++) {
        sg_buf_addc(&xml, 'n');
    }
    sg_buf_addz(&xml, "\"><output>");
    for (int i = 0; i < 1000; i++) {
        sg_buf_printf(&xml, "<port id=\"%d\"/>", i);
    }
    sg_buf_addz(&xml, "</output></layer>" EDGES END);
    fixture *f = read_good(xml.ptr, NULL, 0);
    assert_string_equal(f->model->graph.nodes[0].outputs[999], "layer_5:999");
    assert_true(f->arena.total < 100 * xml.len);
    sg_buf_free(&xml);
    done(f);
}

static void reads_attributes(void **state)
{
    (void)state;
    fixture *f = read_good(
        NET11 X_LAYER
        "<layer id=\"1\" name=\"n\" type=\"T\" version=\"extension\"><data a=\"1, -2,3\" b=\"0.5\" "
        "c=\"1,2.5e1\" d=\"\" e=\"same_upper\" f=\"true\" g=\"1,x\" h=\"inf\" i=\"0x10\" "
        "j=\"18446744073709551615\" k=\"a&amp;b\" l='7'/><output>" P(
            0) "</output></layer>" EDGES END,
        NULL, 0);
    const sg_graph_node *node = node_of(&f->model->graph, "n");
    assert_int_equal(node->opset, 0);
    assert_int_equal(node->nattributes, 12);
    const sg_graph_attribute *a = attribute_of(node, "a");
    assert_ints(a, 3, 1, -2, 3);
    assert_string_equal(a->texts[1], "-2");
    assert_text(a->spans[1], "-2");
    assert_text(a->span, "1, -2,3");
    assert_true(a->floats[2] > 2.9 && a->floats[2] < 3.1);
    const sg_graph_attribute *b = attribute_of(node, "b");
    assert_int_equal(b->kind, SG_GRAPH_ATTRIBUTE_FLOAT);
    assert_true(b->floats[0] > 0.49 && b->floats[0] < 0.51);
    assert_string_equal(b->texts[0], "0.5");
    const sg_graph_attribute *c = attribute_of(node, "c");
    assert_int_equal(c->kind, SG_GRAPH_ATTRIBUTE_FLOATS);
    assert_int_equal(c->count, 2);
    assert_true(c->floats[1] > 24.9 && c->floats[1] < 25.1);
    assert_ints(attribute_of(node, "d"), 0);
    static const char *const texts[][2] = {{"e", "same_upper"}, {"f", "true"}, {"g", "1,x"},
                                           {"h", "inf"},        {"i", "0x10"}, {"k", "a&b"}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const sg_graph_attribute *text = attribute_of(node, texts[i][0]);
        assert_int_equal(text->kind, SG_GRAPH_ATTRIBUTE_TEXT);
        assert_int_equal(text->count, 1);
        assert_string_equal(text->texts[0], texts[i][1]);
    }
    assert_text(attribute_of(node, "k")->span, "a&amp;b");
    assert_int_equal(attribute_of(node, "j")->kind, SG_GRAPH_ATTRIBUTE_FLOAT);
    assert_ints(attribute_of(node, "l"), 1, 7);
    done(f);
}

static void check_ints(const char *xml, const void *bin, size_t len, int dtype, int64_t count, ...)
{
    fixture *f = read_good(xml, bin, len);
    const sg_graph_tensor *tensor = &f->model->graph.initializers[0];
    assert_int_equal(tensor->type.dtype, dtype);
    assert_int_equal(tensor->kind, SG_GRAPH_VALUES_INTS);
    assert_int_equal(tensor->count, count);
    va_list args;
    va_start(args, count);
    for (int64_t i = 0; i < count; i++) {
        assert_int_equal(tensor->ints[i], va_arg(args, int64_t));
    }
    va_end(args);
    done(f);
}

static void check_no_values(const char *xml, const void *bin, size_t len)
{
    fixture *f = read_good(xml, bin, len);
    assert_int_equal(f->model->graph.ninitializers, 1);
    assert_int_equal(f->model->graph.initializers[0].kind, SG_GRAPH_VALUES_NONE);
    assert_int_equal(f->model->graph.initializers[0].count, 0);
    assert_null(f->model->graph.initializers[0].ints);
    done(f);
}

#define I(x) INT64_C(x)

static void reads_whole_numbers_of_every_type(void **state)
{
    (void)state;
    static const unsigned char b[] = {0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
                                      0x01, 0x80, 0x00, 0x80, 0x00, 0x00, 0x00, 0x80};
    const size_t n = sizeof b;
    check_ints(CONST("i8", "2", "0", "2"), b, n, SG_DTYPE_I8, 2, I(-2), I(-1));
    check_ints(CONST("u8", "1, 2", "0", "2"), b, n, SG_DTYPE_U8, 2, I(254), I(255));
    check_ints(CONST("i16", "2", "8", "4"), b, n, SG_DTYPE_I16, 2, I(-32767), I(-32768));
    check_ints(CONST("u16", "1", "8", "2"), b, n, SG_DTYPE_U16, 1, I(0x8001));
    check_ints(CONST("i32", "2", "8", "8"), b, n, SG_DTYPE_I32, 2, I(-2147450879), -I(2147483648));
    check_ints(CONST("U32", "1", "4", "4"), b, n, SG_DTYPE_U32, 1, I(4294967295));
    check_ints(CONST("i64", "2", "0", "16"), b, n, SG_DTYPE_I64, 2, I(-2), -I(9223372034707259391));
    check_ints(CONST("u64", "1", "5", "8"), b, n, SG_DTYPE_U64, 0 + 1, I(0x0080008001FFFFFF));
    check_no_values(CONST("u64", "1", "0", "8"), b, n);
    check_ints(CONST("boolean", "3", "10", "3"), b, n, SG_DTYPE_BOOL, 3, I(0), I(1), I(0));
    check_ints(CONST("BOOL", "1", "9", "1"), b, n, SG_DTYPE_BOOL, 1, I(1));
    check_ints(CONST("u1", "10", "8", "2"), b, n, SG_DTYPE_U1, 10, I(0), I(0), I(0), I(0), I(0),
               I(0), I(0), I(1), I(1), I(0));
    check_ints(CONST("BIN", "1", "9", "1"), b, n, SG_DTYPE_U1, 1, I(1));
    check_ints(CONST("u4", "3", "0", "2"), b, n, SG_DTYPE_U4, 3, I(14), I(15), I(15));
    check_ints(CONST("i4", "4", "8", "2"), b, n, SG_DTYPE_I4, 4, I(1), I(0), I(0), I(-8));
    /* An empty constant reads nothing, at any offset. */
    check_ints(CONST("i64", "0", "99", "1"), NULL, 0, SG_DTYPE_I64, 0);
    check_ints(CONST("i64", "9223372036854775807,9,0", "0", "0"), NULL, 0, SG_DTYPE_I64, 0);
    static const char *const orders[] = {CONST("u2", "2", "0", "1"), CONST("u3", "2", "0", "3"),
                                         CONST("u6", "2", "0", "3"), CONST("nf4", "2", "0", "1"),
                                         CONST("f8e4m3", "2", "0", "2")};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        check_no_values(orders[i], NULL, 0);
    }
}

static void check_floats(const char *xml, const void *bin, size_t len, int64_t count,
                         const double *values)
{
    fixture *f = read_good(xml, bin, len);
    const sg_graph_tensor *tensor = &f->model->graph.initializers[0];
    assert_int_equal(tensor->kind, SG_GRAPH_VALUES_FLOATS);
    assert_int_equal(tensor->count, count);
    assert_memory_equal(tensor->floats, values, (size_t)count * sizeof *values);
    done(f);
}

static void reads_floats(void **state)
{
    (void)state;
    static const unsigned char f16[] = {0x00, 0x3E, 0x00, 0xC0, 0x01, 0x00, 0x00, 0x7C, 0x00, 0x80};
    const double halves[] = {1.5, -2.0, 5.9604644775390625e-08, (double)INFINITY, -0.0};
    check_floats(CONST("f16", "5", "0", "10"), f16, sizeof f16, 5, halves);
    check_floats(CONST("FP16", "1", "0", "2"), f16, sizeof f16, 1, halves);
    static const unsigned char bf16[] = {0xC0, 0x3F, 0x00, 0xC0};
    check_floats(CONST("bf16", "2", "0", "4"), bf16, sizeof bf16, 2, halves);
    static const unsigned char f32[] = {0x00, 0x00, 0xC0, 0x3F, 0x00, 0x00, 0x00, 0xC0};
    check_floats(CONST("f32", "2", "0", "8"), f32, sizeof f32, 2, halves);
    static const unsigned char f64[] = {0x9A, 0x99, 0x99, 0x99, 0x99, 0x99, 0xB9, 0x3F,
                                        0x01, 0,    0,    0,    0,    0,    0,    0x80};
    const double doubles[] = {0.1, -4.9406564584124654e-324};
    check_floats(CONST("f64", "2", "0", "16"), f64, sizeof f64, 2, doubles);
    static const unsigned char nan[] = {0x00, 0x7E};
    fixture *f = read_good(CONST("f16", "1", "0", "2"), nan, 2);
    double value = f->model->graph.initializers[0].floats[0];
    assert_true(value != value);
    done(f);
}

static void reads_texts(void **state)
{
    (void)state;
    static const char good[] = "\3\0\0\0\0\0\0\0\2\0\0\0\2\0\0\0\5\0\0\0abxyz";
    fixture *f = read_good(CONST("string", "3", "0", "25"), good, 25);
    const sg_graph_tensor *tensor = &f->model->graph.initializers[0];
    assert_int_equal(tensor->kind, SG_GRAPH_VALUES_TEXTS);
    assert_int_equal(tensor->count, 3);
    assert_string_equal(tensor->texts[0], "ab");
    assert_string_equal(tensor->texts[1], "");
    assert_string_equal(tensor->texts[2], "xyz");
    done(f);
    assert_wrong_with(CONST("string", "2", "0", "25"), good, 25, "their number is 3, not 2", "0");
    assert_wrong_with(CONST("string", "3", "0", "19"), good, 25, "their size is 19, not 20", "0");
    assert_wrong_with(CONST("string", "3", "0", "24"), good, 25, "an offset is 5, not 4", "0");
    static const char back[] = "\2\0\0\0\0\0\0\0\2\0\0\0\1\0\0\0ab";
    assert_wrong_with(CONST("string", "2", "0", "18"), back, 18, "an offset is 1, not 2", "0");
    static const char late[] = "\1\0\0\0\1\0\0\0\2\0\0\0ab";
    assert_wrong_with(CONST("string", "1", "0", "14"), late, 14, "the first offset is 1, not 0",
                      "0");
    static const char nul[] = "\1\0\0\0\0\0\0\0\2\0\0\0\0b";
    check_no_values(CONST("string", "1", "0", "14"), nul, 14);
}

static void leaves_weights_alone(void **state)
{
    (void)state;
    /* There is no .bin. */
    check_no_values(CONST("f32", "1000,1000", "0", "4000000"), NULL, 0);
    check_no_values(CONST("i64", "4097", "0", "32776"), NULL, 0);

    /* Many constants over the same bytes keep values only in proportion to the files. */
    sg_buf xml = {0};
    sg_buf_addz(&xml, NET11);
    for (int i = 0; i < 1000; i++) {
        sg_buf_printf(&xml,
                      "<layer id=\"%d\" type=\"Const\"><data element_type=\"u1\" shape=\"4096\" "
                      "offset=\"0\" size=\"512\"/><output><port id=\"0\"/></output></layer>",
                      i);
    }
    sg_buf_addz(&xml, EDGES END);
    static const char zeros[512];
    fixture *f = read_good(xml.ptr, zeros, sizeof zeros);
    assert_int_equal(f->model->graph.initializers[0].count, 4096);
    assert_int_equal(f->model->graph.initializers[999].count, 0);
    assert_true(f->arena.total < 64 * (xml.len + 8 * sizeof zeros));
    sg_buf_free(&xml);
    done(f);
}

static void says_what_is_wrong_with_constants(void **state)
{
    (void)state;
    static const char b[8] = "";
    assert_wrong_with(CONST("i64", "1", "8", "8"), b, 8, "8 bytes at offset 8, but '", "8");
    assert_wrong_with(CONST("i64", "1", "9223372036854775807", "8"), b, 8,
                      "8 bytes at offset 9223372036854775807, but '", "9223372036854775807");
    assert_wrong_with(CONST("i64", "1", "0", "9"), b, 8, "has 8 bytes: is it the file", "0");
    assert_wrong_with(CONST("i64", "2", "0", "8"), b, 8,
                      "8 bytes are too few for 2 elements of i64, which take 16", "8");
    assert_wrong_with(CONST("u4", "17", "0", "8"), b, 8, "17 elements of u4, which take 9", "8");
    assert_wrong_with(CONST("i64", "4611686018427387904,4", "0", "8"), b, 8,
                      "has more elements than 64 bits count", "4611686018427387904,4");
    assert_wrong_with(CONST("i8", "3037000500,3037000500", "0", "8"), b, 8,
                      "has more elements than 64 bits count", "3037000500,3037000500");
    assert_wrong_with(CONST("i64", "4,-1", "0", "8"), b, 8, "must be all numbers", "-1");
    assert_wrong_with(CONST("i64", "...", "0", "8"), b, 8, "must be all numbers", "...");
    assert_wrong_with(CONST("i64", "1", "-8", "8"), b, 8, "must be a whole number of at least 0",
                      "-8");
    assert_wrong_with(CONST("i64", "1", "0", "x"), b, 8, "must be a whole number", "x");
    assert_wrong_with(CONST("i64", "1", "0", "8"), NULL, 0,
                      "No such file or directory; it has the "
                      "value of 'c'",
                      "0");
    fixture *f = read_with(CONST("i65", "1", "0", "8"), b, 8);
    assert_non_null(f->model);
    assert_int_equal(f->diag.warnings, 1);
    assert_string_equal(f->diag.first->message,
                        "'i65' is not an element type of OpenVINO: the type of "
                        "this tensor stays unknown");
    assert_int_equal(f->model->graph.initializers[0].type.dtype, SG_GRAPH_DTYPE_UNKNOWN);
    done(f);

    sg_arena arena;
    sg_diag diag;
    sg_file_list files = {0};
    sg_arena_init(&arena);
    sg_diag_init(&diag, &arena);
    const char *xml = CONST("i64", "1", "0", "8");
    assert_null(sg_openvino_read(&arena, &diag, sg_source_new(&arena, "<stdin>", xml, strlen(xml)),
                                 NULL, &files));
    assert_non_null(strstr(diag.first->message, "which a model from standard input does not have"));
    assert_int_equal(sg_diag_exit(&diag), SG_EXIT_IO);
    assert_null(sg_openvino_read(&arena, &diag, sg_source_new(&arena, "<stdin>", xml, strlen(xml)),
                                 ".", &files));
    assert_non_null(strstr(diag.last->message, "directory"));
    assert_int_equal(files.count, 0);
    sg_arena_free(&arena);
}

#define BODY(id)                                                                                   \
    "<layers><layer id=\"4\" name=\"b\" type=\"Parameter\"><output>" P(                            \
        0) "</output></layer>" LAYER(1, "s", "Split", P(0),                                        \
                                     P(1) P(2)) "<layer id=\"" #id                                 \
                                                "\" name=\"q\" type=\"Result\"><input>" P(         \
                                                    0) "</input></layer>"                          \
                                                       "<layer id=\"8\" name=\"r\" "               \
                                                       "type=\"Result\"><input>" P(                \
                                                           0) "</input></layer>"                   \
                                                              "<layer id=\"6\" name=\"it\" "       \
                                                              "type=\"Parameter\"><output>" P(     \
                                                                  0) "</output></layer></layers>"  \
                                                                     "<edges>" EDGE(4, 0, 1, 0)    \
                                                                         EDGE(1, 2, id, 0)         \
                                                                             EDGE(1, 1, 8,         \
                                                                                  0) "</edges>"
#define LOOP(map, edges)                                                                           \
    NET11 X_LAYER "<layer id=\"2\" name=\"l\" type=\"Loop\" version=\"opset5\">"                   \
                  "<port_map>" map "</port_map><back_edges>" edges "</back_edges>"                 \
                  "<input>" P(0) P(1) P(2) "</input><output>" P(3)                                 \
                      P(4) "</output>"                                                             \
                           "<body>" BODY(7) "</body></layer>" EDGES EDGE(0, 0, 2, 2) END

static void reads_bodies(void **state)
{
    (void)state;
    fixture *f = read_good(
        LOOP(
            "<input external_port_id=\"2\" internal_layer_id=\"4\" axis=\"-1\" start=\"-1\" "
            "end=\"0\" stride=\"-2\" part_size=\"2\"/>"
            "<output external_port_id=\"4\" internal_layer_id=\"7\" axis=\"1\"/>"
            "<input external_port_id=\"-1\" internal_layer_id=\"6\" purpose=\"current_iteration\"/>"
            "<output external_port_id=\"-1\" internal_layer_id=\"8\" "
            "purpose=\"execution_condition\"/>",
            "<edge from-layer=\"8\" to-layer=\"4\"/>"),
        NULL, 0);
    const sg_graph_node *loop = node_of(&f->model->graph, "l");
    const sg_graph_attribute *body = attribute_of(loop, "body");
    assert_int_equal(body->kind, SG_GRAPH_ATTRIBUTE_GRAPH);
    assert_int_equal(body->count, 1);
    assert_text(body->span, "<body>");
    const sg_graph *graph = body->graphs[0];
    assert_int_equal(graph->ninputs, 2);
    assert_string_equal(graph->inputs[1].name, "it");
    assert_int_equal(graph->noutputs, 2);
    assert_string_equal(graph->outputs[0].name, "s:1");
    assert_string_equal(node_of(graph, "s")->inputs[0], "b");
    assert_ints(attribute_of(loop, "port_map_inputs"), 16, 2, 0, 1, -1, -1, 0, -2, 2, -1, 1, 0, 0,
                0, -1, 1, 1);
    assert_ints(attribute_of(loop, "port_map_outputs"), 16, 1, 0, 1, 1, 0, -1, 1, 1, -1, 1, 0, 0, 0,
                -1, 1, 1);
    assert_ints(attribute_of(loop, "back_edges"), 2, 1, 0);
    done(f);

    f = read_good(NET11 X_LAYER
                  "<layer id=\"2\" name=\"i\" type=\"If\" version=\"opset8\"><then_port_map>"
                  "<input external_port_id=\"1\" internal_layer_id=\"4\"/></then_port_map>"
                  "<else_port_map><output external_port_id=\"2\" internal_layer_id=\"8\"/>"
                  "</else_port_map><input>" P(0) P(1) "</input><output>" P(
                      2) "</output>"
                         "<then_body>" BODY(7) "</then_body><else_body>" BODY(
                             9) "</else_body></layer>" EDGES END,
                  NULL, 0);
    const sg_graph_node *branch = node_of(&f->model->graph, "i");
    assert_string_equal(attribute_of(branch, "then_body")->graphs[0]->name, "then_body");
    assert_string_equal(attribute_of(branch, "else_body")->graphs[0]->nodes[0].op_type, "Split");
    assert_ints(attribute_of(branch, "then_port_map_inputs"), 8, 1, 0, 0, 0, 0, -1, 1, 1);
    assert_int_equal(attribute_of(branch, "then_port_map_outputs")->count, 0);
    assert_ints(attribute_of(branch, "else_port_map_outputs"), 8, 0, 1, 0, 0, 0, -1, 1, 1);
    done(f);

    assert_wrong(LOOP("<input external_port_id=\"3\" internal_layer_id=\"4\"/>", ""),
                 "'l' has no input port with the id 3", "3");
    assert_wrong(
        LOOP("<input external_port_id=\"2\" internal_layer_id=\"8\"/>", ""),
        "internal_layer_id=\"8\" must be a Parameter of the body, but that layer is a Result", "8");
    assert_wrong(LOOP("<output external_port_id=\"3\" internal_layer_id=\"5\"/>", ""),
                 "must be a Result of the body, but the body has no such layer", "5");
    assert_wrong(LOOP("<output external_port_id=\"3\" internal_layer_id=\"7\" axis=\"a\"/>", ""),
                 "axis=\"a\" must be a whole number of 64 bits", "a");
    assert_wrong(LOOP("", "<edge from-layer=\"4\" to-layer=\"4\"/>"),
                 "from-layer=\"4\" must be a Result of the body, but that layer is a Parameter",
                 "4");
}

static void says_what_is_wrong_with_nets(void **state)
{
    (void)state;
#define RELU(n, name) LAYER(n, name, "ReLU", P(0), P(1))
    assert_wrong(
        NET11 RELU(1, "a") RELU(2, "b") RELU(3, "c") EDGES EDGE(1, 1, 2, 0) EDGE(2, 1, 3, 0)
            EDGE(3, 1, 1, 0) END,
        "layers must not form a cycle: 'a' reads 'c' reads 'b', and the last of them reads "
        "the first",
        EDGE(1, 1, 2, 0));
    assert_wrong(NET11 RELU(1, "a") EDGES EDGE(1, 1, 1, 0) END, "'a' reads its own output",
                 EDGE(1, 1, 1, 0));
    assert_wrong(NET11 RELU(1, "a") RELU(1, "b") EDGES END,
                 "'b' has the id 1, and so has 'a': ids must differ", "1");
    assert_wrong(NET11 LAYER(1, "a", "T", P(0) P(0), P(1)) EDGES END,
                 "'a' has two input ports with the id 0", "0");
    assert_wrong(NET11 LAYER(1, "a", "T", P(0), P(1) P(1)) EDGES END,
                 "'a' has two output ports with the id 1", "1");
    assert_wrong(NET11 RELU(1, "a") EDGES EDGE(5, 1, 1, 0) END, "no layer has the id 5", "5");
    assert_wrong(NET11 RELU(1, "a") EDGES EDGE(1, 0, 1, 0) END,
                 "'a' has no output port with the id 0", "0");
    assert_wrong(NET11 RELU(1, "a") EDGES EDGE(1, 1, 1, 7) END,
                 "'a' has no input port with the id 7", "7");
    assert_wrong(NET11 X_LAYER RELU(1, "a") EDGES EDGE(0, 0, 1, 0) EDGE(0, 0, 1, 0) END,
                 "input 0 of 'a' gets 'x' by this edge and 'x' by another: remove one",
                 EDGE(0, 0, 1, 0));
    assert_wrong(NET11 "<layer id=\"1\" name=\"r\" type=\"Result\"><input>" P(
                     0) "</input></layer>" EDGES END,
                 "no edge leads to the Result 'r'", "<layer id=\"1\" name=\"r\" type=\"Result\">");
    assert_wrong(NET11 "<layer id=\"1\" name=\"r\" type=\"Result\"/>" EDGES END,
                 "the Result 'r' must have 1 input and 0 output ports, but has 0 and 0",
                 "<layer id=\"1\" name=\"r\" type=\"Result\"/>");
    assert_wrong(NET11 "<layer name=\"r\"/>" EDGES END, "<layer> has no attribute 'id'",
                 "<layer name=\"r\"/>");
    assert_wrong(NET11 "<layer id=\"1\" name=\"r\"/>" EDGES END, "layer 1 has no type",
                 "<layer id=\"1\" name=\"r\"/>");
    assert_wrong(NET11 LAYER(1, "a", "T", P(0), "<port id=\"1\"><dim>-2</dim></port>") EDGES END,
                 "'-2' is not a dimension", "-2");
    assert_wrong(NET11 LAYER(1, "a", "T", P(0), "<port id=\"1\"><dim>1</dim><dim/></port>")
                     EDGES END,
                 "'' is not a dimension", "<dim/>");
    static const char *const dims[] = {"x", "-2", "4..2", "..", "1..x", "-1..3", "1..2..3"};
    for (size_t i = 0; i < sizeof dims / sizeof *dims; i++) {
        sg_buf xml = {0};
        sg_buf_printf(&xml,
                      NET11 "<layer id=\"0\" type=\"Parameter\"><data shape=\"7,%s,8\"/><output>" P(
                          0) "</output></layer>" EDGES END,
                      dims[i]);
        assert_wrong(xml.ptr, "is not a dimension: write a number, ? or a range such as 1..8",
                     dims[i]);
        sg_buf_free(&xml);
    }
    assert_wrong("<net version=\"9\"/>", "this is version 9 of the IR, and 10 and 11 are read",
                 "9");
    assert_wrong("<net/>", "<net> has no attribute 'version'", "<net/>");
    assert_wrong("<net version=\"10\"/>", "<net> has no <layers>", "<net version=\"10\"/>");
    assert_wrong("<svg/>", "a model of OpenVINO begins with <net>, but this is <svg>", "<svg/>");
}

static void refuses_what_no_model_needs(void **state)
{
    (void)state;
    assert_wrong("<!DOCTYPE net [<!ENTITY a \"b\">]><net>&a;</net>", "a DOCTYPE, which may declare",
                 "<!DOCTYPE");
    assert_wrong("<!DOCTYPE net SYSTEM \"other.dtd\"><net/>", "a DOCTYPE", "<!DOCTYPE");
    assert_wrong("<net>&a;</net>", "this is not well-formed XML (undefined entity)", "&");
    assert_wrong("<net a='1' a='2'/>", "(duplicate attribute)", "a");
    assert_wrong("<net><layers>",
                 "this is not well-formed XML (no element found): the file is damaged "
                 "or cut short",
                 "");
    assert_wrong("", "this is not well-formed XML", "");
    assert_wrong("<net><layers></net>", "(mismatched tag)", "n");
    assert_wrong("<net\xFF/>", "(not well-formed (invalid token))", "\xFF");
    sg_buf xml = {0};
    for (int i = 0; i < 100000; i++) {
        sg_buf_addz(&xml, "<net>");
    }
    assert_wrong(xml.ptr, "<net> is element number 65 in each other, and at most 64 are read",
                 "<net>");
    xml.len = 0;
    sg_buf_addz(&xml, "<net><rt_info>");
    for (int i = 0; i < 100; i++) {
        sg_buf_addz(&xml, "<a>");
    }
    assert_wrong(xml.ptr, "<a> is element number 65", "<a>");
    xml.len = 0;
    sg_buf_addz(&xml, "<net");
    for (int i = 0; i <= SG_XML_ATTRIBUTES; i++) {
        sg_buf_printf(&xml, " a%d='%d'", i, i);
    }
    sg_buf_addz(&xml, "/>");
    assert_wrong(xml.ptr, "<net> has 257 attributes, and at most 256 are read", xml.ptr);
    sg_buf_free(&xml);
}

static void skips_remarks_and_unknown_elements(void **state)
{
    (void)state;
    fixture *f = read_good(
        "\xEF\xBB\xBF<?xml version=\"1.0\" encoding=\"ascii\"?><!-- > --><net version=\"10\" "
        "more='\"=\"' "
        "\n name = 'n&lt;' ><layers><layer id=\"0\" name=\"x\" type=\"parameter\"><data "
        "shape=\"...\" "
        "element_type=\"dynamic\"/><rt_info><data shape=\"1\"/><output><port/></output></rt_info>"
        "<output><port id=\"0\" precision=\"UNSPECIFIED\"><rt_info/><dim><!-- a -->1<!-- b "
        "-->2</dim>"
        "</port></output></layer></layers><rt_info><layers/></rt_info><statistics/></net>",
        NULL, 0);
    assert_int_equal(f->model->version, 10);
    assert_string_equal(f->model->graph.name, "n<");
    assert_int_equal(f->diag.warnings, 0);
    assert_dims(&f->model->graph.inputs[0].type, SG_GRAPH_DTYPE_UNKNOWN, -1);
    done(f);
}

static void tells_an_ir(void **state)
{
    (void)state;
    static const char *const irs[] = {"<net>",
                                      "<net name=\"a\">",
                                      "<net/>",
                                      "<?xml version=\"1.0\"?>\n<net\n",
                                      "\xEF\xBB\xBF \n<!-- a --><!---->\n<net ",
                                      "<!DOCTYPE net []><net>"};
    for (size_t i = 0; i < sizeof irs / sizeof *irs; i++) {
        assert_true(sg_openvino_is_ir(irs[i], strlen(irs[i])));
    }
    static const char *const others[] = {"",
                                         "<",
                                         "<ne",
                                         "<net",
                                         "<network>",
                                         "<svg>",
                                         "<?xml",
                                         "<!-- <net>",
                                         "net",
                                         "<?xml?><svg><net>",
                                         "\x08\x07\x12"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_false(sg_openvino_is_ir(others[i], strlen(others[i])));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_splits),
        cmocka_unit_test(orders_layers_and_makes_names_unique),
        cmocka_unit_test(keeps_memory_in_proportion_to_names),
        cmocka_unit_test(reads_attributes),
        cmocka_unit_test(reads_whole_numbers_of_every_type),
        cmocka_unit_test(reads_floats),
        cmocka_unit_test(reads_texts),
        cmocka_unit_test(leaves_weights_alone),
        cmocka_unit_test(says_what_is_wrong_with_constants),
        cmocka_unit_test(reads_bodies),
        cmocka_unit_test(says_what_is_wrong_with_nets),
        cmocka_unit_test(refuses_what_no_model_needs),
        cmocka_unit_test(skips_remarks_and_unknown_elements),
        cmocka_unit_test(tells_an_ir),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
