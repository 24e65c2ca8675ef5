/* Tests of the reader of ONNX's binaries on messages made here, byte by byte: every field in
 * both encodings, and robustness against any message. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/sha256.h"
#include "base/diag_render.h"
#include "shapes/element_bits.h"
#include "frontend/onnx/onnx_binary.h"
#include "frontend/onnx/protobuf_wire.h"

typedef struct fixture {
    sg_arena arena;
    sg_diag diag;
    sg_buf out;
    char folder[64];
} fixture;

static int setup(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    if (!f) {
        return -1;
    }
    sg_arena_init(&f->arena);
    sg_diag_init(&f->diag, &f->arena);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    fixture *f = *state;
    sg_arena_free(&f->arena);
    sg_buf_free(&f->out);
    free(f);
    return 0;
}

/* --- an encoder --- */

/* A message under construction. Its bytes are in the arena, so that tests can nest calls. */
typedef struct message {
    sg_arena *arena;
    unsigned char *bytes;
    size_t len;
    size_t room;
} message;

static message make(fixture *f)
{
    return (message){.arena = &f->arena};
}

static void add(message *m, const void *bytes, size_t n)
{
    if (m->room - m->len < n) {
        m->room = 2 * (m->len + n);
        unsigned char *more = sg_arena_alloc(m->arena, m->room);
        if (m->len > 0) {
            memcpy(more, m->bytes, m->len);
        }
        m->bytes = more;
    }
    if (n > 0) {
        memcpy(m->bytes + m->len, bytes, n);
    }
    m->len += n;
}

static void add_byte(message *m, unsigned value)
{
    unsigned char byte = (unsigned char)value;
    add(m, &byte, 1);
}

static void add_varint(message *m, uint64_t value)
{
    while (value >= 0x80) {
        add_byte(m, (unsigned)(value & 0x7F) | 0x80);
        value >>= 7;
    }
    add_byte(m, (unsigned)value);
}

static void add_fixed(message *m, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) {
        add_byte(m, (unsigned)(value >> (8 * i) & 0xFF));
    }
}

static void put_int(message *m, uint32_t field, int64_t value)
{
    add_varint(m, (uint64_t)field << 3);
    add_varint(m, (uint64_t)value);
}

static void put_bytes(message *m, uint32_t field, const void *bytes, size_t n)
{
    add_varint(m, (uint64_t)field << 3 | 2);
    add_varint(m, n);
    add(m, bytes, n);
}

static void put_text(message *m, uint32_t field, const char *text)
{
    put_bytes(m, field, text, strlen(text));
}

static void put(message *m, uint32_t field, message inner)
{
    put_bytes(m, field, inner.bytes, inner.len);
}

static uint64_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint64_t double_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void put_float(message *m, uint32_t field, float value)
{
    add_varint(m, (uint64_t)field << 3 | 5);
    add_fixed(m, float_bits(value), 4);
}

/* Integers of a repeated field, packed or one by one. */
static void put_ints(message *m, uint32_t field, bool packed, const int64_t *values, size_t n)
{
    message inner = {.arena = m->arena};
    for (size_t i = 0; i < n; i++) {
        if (packed) {
            add_varint(&inner, (uint64_t)values[i]);
        } else {
            put_int(m, field, values[i]);
        }
    }
    if (packed) {
        put(m, field, inner);
    }
}

#define INTS(...)                                                                                  \
    (const int64_t[]){__VA_ARGS__}, sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t)

/* --- messages of ONNX --- */

static message opset_message(fixture *f, const char *domain, int64_t version)
{
    message m = make(f);
    if (domain) {
        put_text(&m, 1, domain);
    }
    put_int(&m, 2, version);
    return m;
}

/* A model of the graph with ir_version 8 and opset 13. */
static message model_message(fixture *f, message graph)
{
    message m = make(f);
    put_int(&m, 1, 8);
    put(&m, 7, graph);
    put(&m, 8, opset_message(f, NULL, 13));
    return m;
}

static sg_graph_model *read_message(fixture *f, message m)
{
    /* A block of exactly its size, so that a sanitizer sees every read beyond it. */
    unsigned char *copy = malloc(m.len ? m.len : 1);
    assert_non_null(copy);
    if (m.len) {
        memcpy(copy, m.bytes, m.len);
    }
    const sg_onnx_input input = {.name = "m.onnx", .fd = -1, .bytes = copy, .nbytes = m.len};
    sg_graph_model *model = sg_onnx_read_input(&f->arena, &f->diag, &input);
    free(copy);
    assert_int_equal(model == NULL, f->diag.errors > 0);
    return model;
}

static const char *rendered(fixture *f)
{
    f->out.len = 0;
    sg_diag_render_text(&f->diag, SG_COLOR_NEVER, &f->out);
    return f->out.ptr ? f->out.ptr : "";
}

/* Reads it and expects one error that contains these words. */
static void refuse(fixture *f, message m, const char *words)
{
    sg_diag_init(&f->diag, &f->arena);
    assert_null(read_message(f, m));
    assert_int_equal(f->diag.errors, 1);
    if (strstr(rendered(f), words) == NULL) {
        fail_msg("'%s' is not in: %s", words, rendered(f));
    }
    assert_non_null(strstr(rendered(f), "m.onnx: byte "));
}

/* The first initializer of a model with only this tensor. */
static const sg_graph_tensor *read_tensor(fixture *f, message tensor)
{
    message graph = make(f);
    put(&graph, 5, tensor);
    sg_graph_model *model = read_message(f, model_message(f, graph));
    if (!model) {
        fail_msg("%s", rendered(f));
        return NULL;
    }
    assert_int_equal(model->graph.ninitializers, 1);
    return &model->graph.initializers[0];
}

static void refuse_tensor(fixture *f, message tensor, const char *words)
{
    message graph = make(f);
    put(&graph, 5, tensor);
    refuse(f, model_message(f, graph), words);
}

/* A tensor without data. */
static message tensor_message(fixture *f, int64_t type, const int64_t *dims, size_t n)
{
    message m = make(f);
    put_ints(&m, 1, false, dims, n);
    put_int(&m, 2, type);
    put_text(&m, 8, "t");
    return m;
}

static const sg_graph_attribute *only_attribute(fixture *f, message attribute)
{
    message node = make(f);
    message graph = make(f);
    put(&node, 5, attribute);
    put(&graph, 1, node);
    sg_graph_model *model = read_message(f, model_message(f, graph));
    if (!model) {
        fail_msg("%s", rendered(f));
        return NULL;
    }
    return &model->graph.nodes[0].attributes[0];
}

static message attribute_message(fixture *f, int64_t type)
{
    message m = make(f);
    put_text(&m, 1, "a");
    if (type > 0) {
        put_int(&m, 20, type);
    }
    return m;
}

/* --- structure --- */

static message split_node(fixture *f)
{
    message m = make(f);
    put_text(&m, 1, "x");
    put_text(&m, 1, "lengths");
    put_text(&m, 2, "a");
    put_text(&m, 2, "");
    put_text(&m, 3, "/split");
    put_text(&m, 4, "Split");
    message axis = make(f);
    put_text(&axis, 1, "axis");
    put_int(&axis, 3, -1);
    put_int(&axis, 20, 2);
    put(&m, 5, axis);
    put_text(&m, 6, "a doc string is passed over");
    put_text(&m, 7, "ai.onnx");
    put_text(&m, 8, "o");
    return m;
}

static message dim_message(fixture *f, int64_t size, const char *name)
{
    message m = make(f);
    if (name) {
        put_text(&m, 2, name);
    } else {
        put_int(&m, 1, size);
    }
    return m;
}

static message info_message(fixture *f, const char *name, message type)
{
    message m = make(f);
    put_text(&m, 1, name);
    put(&m, 2, type);
    return m;
}

/* f32[2, batch, ?] */
static message type_message(fixture *f)
{
    message shape = make(f);
    put(&shape, 1, dim_message(f, 2, NULL));
    put(&shape, 1, dim_message(f, 0, "batch"));
    put(&shape, 1, make(f));
    message tensor = make(f);
    put_int(&tensor, 1, 1);
    put(&tensor, 2, shape);
    message type = make(f);
    put(&type, 1, tensor);
    return type;
}

static message full_graph(fixture *f)
{
    message graph = make(f);
    put(&graph, 1, split_node(f));
    put_text(&graph, 2, "main");
    message lengths = tensor_message(f, 7, INTS(2));
    put_bytes(&lengths, 9, "\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0", 16);
    put(&graph, 5, lengths);
    put(&graph, 11, info_message(f, "x", type_message(f)));
    put(&graph, 12, info_message(f, "a", make(f)));
    put(&graph, 13, info_message(f, "a", type_message(f)));
    return graph;
}

static void a_model_has_all_its_parts(void **state)
{
    fixture *f = *state;
    message m = model_message(f, full_graph(f));
    put_text(&m, 2, "producer");
    put(&m, 8, opset_message(f, "com.microsoft", 1));
    sg_graph_model *model = read_message(f, m);
    assert_non_null(model);
    assert_int_equal(model->format, SG_MODEL_ONNX);
    assert_int_equal(model->version, 8);
    assert_int_equal(model->nopsets, 2);
    assert_string_equal(model->opsets[0].domain, "");
    assert_int_equal(model->opsets[0].version, 13);
    assert_string_equal(model->opsets[1].domain, "com.microsoft");
    assert_string_equal(model->source->name, "m.onnx");
    assert_true(model->source->binary);
    assert_int_equal(model->source->len, m.len);
    const sg_graph *g = &model->graph;
    assert_string_equal(g->name, "main");
    assert_int_equal(g->nnodes, 1);
    const sg_graph_node *node = &g->nodes[0];
    assert_string_equal(node->name, "/split");
    assert_string_equal(node->op_type, "Split");
    assert_string_equal(node->domain, "");
    assert_string_equal(node->overload, "o");
    assert_int_equal(node->opset, 13);
    assert_int_equal(node->ninputs, 2);
    assert_string_equal(node->inputs[1], "lengths");
    assert_int_equal(node->noutputs, 2);
    assert_string_equal(node->outputs[0], "a");
    assert_string_equal(node->outputs[1], "");
    assert_int_equal(node->nattributes, 1);
    assert_string_equal(node->attributes[0].name, "axis");
    assert_int_equal(node->attributes[0].kind, SG_GRAPH_ATTRIBUTE_INT);
    assert_int_equal(node->attributes[0].ints[0], -1);
    /* preceded by ir_version and the graph's tag and length */
    assert_int_equal(node->span.begin, 5);
    assert_true(node->span.end > node->span.begin);
    assert_int_equal(g->ninitializers, 1);
    assert_int_equal(g->initializers[0].kind, SG_GRAPH_VALUES_INTS);
    assert_int_equal(g->initializers[0].count, 2);
    assert_int_equal(g->initializers[0].ints[1], 2);
    assert_string_equal(g->initializers[0].name, "t");
    assert_int_equal(g->ninputs, 1);
    const sg_graph_shape *shape = &g->inputs[0].type.shape;
    assert_int_equal(g->inputs[0].type.dtype, SG_DTYPE_F32);
    assert_true(shape->has_rank);
    assert_int_equal(shape->rank, 3);
    assert_int_equal(shape->dims[0].size, 2);
    assert_null(shape->dims[0].name);
    assert_int_equal(shape->dims[1].size, -1);
    assert_string_equal(shape->dims[1].name, "batch");
    assert_int_equal(shape->dims[2].size, -1);
    assert_null(shape->dims[2].name);
    assert_int_equal(g->noutputs, 1);
    assert_false(g->outputs[0].type.shape.has_rank);
    assert_int_equal(g->ninfos, 1);
}

/* A graph in two parts, with a group and unknown fields of every wire type between them. */
static void messages_merge_and_unknown_fields_are_passed_over(void **state)
{
    fixture *f = *state;
    message first = make(f);
    put(&first, 1, split_node(f));
    message second = make(f);
    put_int(&second, 99, 5);
    put_text(&second, 1000, "unknown");
    put_float(&second, 77, 1.0F);
    add_varint(&second, 66 << 3 | 1);
    add_fixed(&second, 1, 8);
    add_varint(&second, 50 << 3 | 3);
    put_int(&second, 7, 7);
    put_text(&second, 7, "within a group");
    add_varint(&second, 51 << 3 | 3);
    add_varint(&second, 51 << 3 | 4);
    add_varint(&second, 50 << 3 | 4);
    put(&second, 1, split_node(f));
    put_text(&second, 2, "name");
    put_text(&second, 2, "last name");
    message m = make(f);
    put(&m, 8, opset_message(f, "", 9));
    put(&m, 7, first);
    put_int(&m, 1, 3);
    put(&m, 7, second);
    put_int(&m, 1, 4);
    sg_graph_model *model = read_message(f, m);
    assert_non_null(model);
    assert_int_equal(model->version, 4);
    assert_int_equal(model->graph.nnodes, 2);
    assert_string_equal(model->graph.name, "last name");
    assert_int_equal(model->graph.nodes[1].opset, 9);
}

static void operator_sets_are_those_of_the_model_or_the_function(void **state)
{
    fixture *f = *state;
    message custom = make(f);
    put_text(&custom, 4, "F");
    put_text(&custom, 7, "my");
    message other = make(f);
    put_text(&other, 4, "G");
    put_text(&other, 7, "not.imported");
    message graph = make(f);
    put(&graph, 1, custom);
    put(&graph, 1, other);
    message function = make(f);
    put_text(&function, 1, "F");
    put_text(&function, 4, "in");
    put_text(&function, 5, "out");
    put_text(&function, 6, "required");
    put(&function, 7, split_node(f));
    put(&function, 9, opset_message(f, "ai.onnx", 11));
    put_text(&function, 10, "my");
    message fallback = attribute_message(f, 2);
    put_int(&fallback, 3, 4);
    put(&function, 11, fallback);
    message inner = make(f);
    put(&inner, 1, split_node(f));
    message branch = attribute_message(f, 5);
    put(&branch, 6, inner);
    put(&function, 11, branch);
    put(&function, 12, info_message(f, "in", type_message(f)));
    put_text(&function, 13, "over");
    message m = model_message(f, graph);
    put(&m, 8, opset_message(f, "my", 2));
    put(&m, 25, function);
    sg_graph_model *model = read_message(f, m);
    assert_non_null(model);
    assert_int_equal(model->graph.nodes[0].opset, 2);
    assert_int_equal(model->graph.nodes[1].opset, 0);
    assert_int_equal(model->nfunctions, 1);
    const sg_graph_function *g = &model->functions[0];
    assert_string_equal(g->name, "F");
    assert_string_equal(g->domain, "my");
    assert_string_equal(g->overload, "over");
    assert_string_equal(g->inputs[0], "in");
    assert_string_equal(g->outputs[0], "out");
    assert_string_equal(g->attributes[0], "required");
    assert_int_equal(g->ndefaults, 2);
    assert_int_equal(g->defaults[0].ints[0], 4);
    assert_int_equal(g->defaults[1].graphs[0]->nodes[0].opset, 11);
    assert_int_equal(g->body.nnodes, 1);
    assert_int_equal(g->body.nodes[0].opset, 11);
    assert_int_equal(g->body.ninfos, 1);
}

static void models_of_the_first_versions_import_nothing(void **state)
{
    fixture *f = *state;
    message graph = make(f);
    put(&graph, 1, split_node(f));
    message m = make(f);
    put_int(&m, 1, 2);
    put(&m, 7, graph);
    sg_graph_model *model = read_message(f, m);
    assert_non_null(model);
    assert_int_equal(model->graph.nodes[0].opset, 1);
}

static message nested_graph(fixture *f, int depth)
{
    message graph = make(f);
    put(&graph, 1, split_node(f));
    for (int i = 1; i < depth; i++) {
        message branch = attribute_message(f, 5);
        put(&branch, 6, graph);
        message node = make(f);
        put(&node, 5, branch);
        graph = make(f);
        put(&graph, 1, node);
    }
    return graph;
}

static void graphs_nest_to_a_limit(void **state)
{
    fixture *f = *state;
    sg_graph_model *model = read_message(f, model_message(f, nested_graph(f, 64)));
    assert_non_null(model);
    const sg_graph *graph = &model->graph;
    for (int i = 1; i < 64; i++) {
        const sg_graph_attribute *branch = &graph->nodes[0].attributes[0];
        assert_int_equal(branch->kind, SG_GRAPH_ATTRIBUTE_GRAPH);
        graph = branch->graphs[0];
    }
    assert_string_equal(graph->nodes[0].op_type, "Split");
    assert_int_equal(graph->nodes[0].opset, 13);
    refuse(f, model_message(f, nested_graph(f, 65)), "more than 64 deep");
}

/* --- types --- */

static const sg_graph_type *read_type(fixture *f, message type)
{
    message graph = make(f);
    put(&graph, 11, info_message(f, "x", type));
    sg_graph_model *model = read_message(f, model_message(f, graph));
    assert_non_null(model);
    return &model->graph.inputs[0].type;
}

static void types_are_tensors_or_not(void **state)
{
    fixture *f = *state;
    static const uint32_t others[] = {4, 5, 7, 9};
    for (size_t i = 0; i < 4; i++) {
        message type = make(f);
        message inner = make(f);
        put(&inner, 1, type_message(f));
        put(&type, others[i], inner);
        assert_false(read_type(f, type)->is_tensor);
    }
    message type = make(f);
    message tensor = make(f);
    put_int(&tensor, 1, 7);
    put(&tensor, 2, make(f)); /* a shape without dims: a scalar */
    put(&type, 8, tensor);
    const sg_graph_type *sparse = read_type(f, type);
    assert_true(sparse->is_tensor);
    assert_int_equal(sparse->dtype, SG_DTYPE_I64);
    assert_true(sparse->shape.has_rank);
    assert_int_equal(sparse->shape.rank, 0);
    message both = type_message(f); /* the last of several alternatives counts */
    put(&both, 4, make(f));
    assert_false(read_type(f, both)->is_tensor);
    message newest = make(f);
    message unknown = make(f);
    put_int(&unknown, 1, 1234);
    put(&newest, 1, unknown);
    assert_int_equal(read_type(f, newest)->dtype, SG_GRAPH_DTYPE_UNKNOWN);
}

static void negative_and_empty_dims_are_unknown(void **state)
{
    fixture *f = *state;
    message both = dim_message(f, 5, NULL);
    put_text(&both, 2, "n");
    message back = dim_message(f, 0, "n");
    put_int(&back, 1, 6);
    message shape = make(f);
    put(&shape, 1, dim_message(f, -1, NULL));
    put(&shape, 1, dim_message(f, 0, ""));
    put(&shape, 1, both);
    put(&shape, 1, back);
    put(&shape, 1, dim_message(f, INT64_MAX, NULL));
    message tensor = make(f);
    put(&tensor, 2, shape);
    message type = make(f);
    put(&type, 1, tensor);
    const sg_graph_dim *dims = read_type(f, type)->shape.dims;
    assert_int_equal(dims[0].size, -1);
    assert_int_equal(dims[1].size, -1);
    assert_null(dims[1].name);
    assert_int_equal(dims[2].size, -1);
    assert_string_equal(dims[2].name, "n");
    assert_int_equal(dims[3].size, 6);
    assert_null(dims[3].name);
    assert_true(dims[4].size == INT64_MAX);
}

/* --- attributes --- */

static void attributes_of_every_type(void **state)
{
    fixture *f = *state;
    for (int packed = 0; packed < 2; packed++) {
        message m = attribute_message(f, 7);
        put_ints(&m, 8, packed != 0, INTS(1, -2, 300));
        const sg_graph_attribute *a = only_attribute(f, m);
        assert_int_equal(a->kind, SG_GRAPH_ATTRIBUTE_INTS);
        assert_int_equal(a->count, 3);
        assert_int_equal(a->ints[1], -2);
        assert_int_equal(a->ints[2], 300);
    }
    message m = attribute_message(f, 6);
    put_float(&m, 7, 1.5F);
    message packed = make(f);
    add_fixed(&packed, float_bits(-2.25F), 4);
    add_fixed(&packed, float_bits(1e-40F), 4);
    put(&m, 7, packed);
    const sg_graph_attribute *a = only_attribute(f, m);
    assert_int_equal(a->kind, SG_GRAPH_ATTRIBUTE_FLOATS);
    assert_int_equal(a->count, 3);
    assert_true(a->floats[0] == 1.5 && a->floats[1] == -2.25 && a->floats[2] == (double)1e-40F);
    m = attribute_message(f, 1);
    put_float(&m, 2, 0.5F);
    a = only_attribute(f, m);
    assert_int_equal(a->kind, SG_GRAPH_ATTRIBUTE_FLOAT);
    assert_true(a->count == 1 && a->floats[0] == 0.5);
    m = attribute_message(f, 3);
    put_text(&m, 4, "NOTSET");
    a = only_attribute(f, m);
    assert_int_equal(a->kind, SG_GRAPH_ATTRIBUTE_TEXT);
    assert_string_equal(a->texts[0], "NOTSET");
    m = attribute_message(f, 8);
    put_text(&m, 9, "a");
    put_text(&m, 9, "");
    a = only_attribute(f, m);
    assert_int_equal(a->kind, SG_GRAPH_ATTRIBUTE_TEXTS);
    assert_int_equal(a->count, 2);
    assert_string_equal(a->texts[1], "");
    m = attribute_message(f, 4);
    message tensor = tensor_message(f, 7, NULL, 0);
    put_ints(&tensor, 7, true, INTS(5));
    put(&m, 5, tensor);
    a = only_attribute(f, m);
    assert_int_equal(a->kind, SG_GRAPH_ATTRIBUTE_TENSOR);
    assert_int_equal(a->tensor->ints[0], 5);
    m = attribute_message(f, 10);
    put(&m, 11, nested_graph(f, 1));
    put(&m, 11, nested_graph(f, 2));
    a = only_attribute(f, m);
    assert_int_equal(a->kind, SG_GRAPH_ATTRIBUTE_GRAPHS);
    assert_int_equal(a->count, 2);
    assert_int_equal(a->graphs[1]->nnodes, 1);
    m = attribute_message(f, 2);
    put_text(&m, 21, "axis_of_the_function");
    a = only_attribute(f, m);
    assert_int_equal(a->kind, SG_GRAPH_ATTRIBUTE_REFERENCE);
    assert_string_equal(a->texts[0], "axis_of_the_function");
    m = attribute_message(f, 13);
    put(&m, 14, type_message(f));
    assert_int_equal(only_attribute(f, m)->kind, SG_GRAPH_ATTRIBUTE_NONE);
    m = attribute_message(f, 9);
    put(&m, 10, tensor);
    assert_int_equal(only_attribute(f, m)->kind, SG_GRAPH_ATTRIBUTE_NONE);
    m = attribute_message(f, 4);
    assert_int_equal(only_attribute(f, m)->kind, SG_GRAPH_ATTRIBUTE_NONE);
    m = attribute_message(f, 77);
    assert_int_equal(only_attribute(f, m)->kind, SG_GRAPH_ATTRIBUTE_NONE);
}

/* Writers of proto3 omit zeros; models of the first versions omit the type. */
static void zeros_and_types_may_be_left_out(void **state)
{
    fixture *f = *state;
    const sg_graph_attribute *a = only_attribute(f, attribute_message(f, 2));
    assert_int_equal(a->kind, SG_GRAPH_ATTRIBUTE_INT);
    assert_int_equal(a->ints[0], 0);
    a = only_attribute(f, attribute_message(f, 3));
    assert_string_equal(a->texts[0], "");
    a = only_attribute(f, attribute_message(f, 7));
    assert_int_equal(a->kind, SG_GRAPH_ATTRIBUTE_INTS);
    assert_int_equal(a->count, 0);
    message m = attribute_message(f, 0);
    put_ints(&m, 8, false, INTS(3, 4));
    a = only_attribute(f, m);
    assert_int_equal(a->kind, SG_GRAPH_ATTRIBUTE_INTS);
    assert_int_equal(a->count, 2);
    assert_int_equal(only_attribute(f, attribute_message(f, 0))->kind, SG_GRAPH_ATTRIBUTE_NONE);
}

static void attributes_must_not_contradict_themselves(void **state)
{
    fixture *f = *state;
    message m = attribute_message(f, 2);
    put_float(&m, 2, 1.0F);
    message node = make(f);
    put(&node, 5, m);
    message graph = make(f);
    put(&graph, 1, node);
    refuse(f, model_message(f, graph), "attribute 'a' has type INT but a value of type FLOAT");
    m = attribute_message(f, 0);
    put_float(&m, 2, 1.0F);
    put_int(&m, 3, 1);
    node = make(f);
    put(&node, 5, m);
    graph = make(f);
    put(&graph, 1, node);
    refuse(f, model_message(f, graph), "attribute 'a' has 2 values and no type");
}

/* --- tensors --- */

static void integers_of_every_width_and_field(void **state)
{
    fixture *f = *state;
    static const struct {
        int64_t type;
        int bytes;
        int64_t values[2];
        uint32_t field;
    } cases[] = {
        {2, 1, {0, 255}, 5},
        {3, 1, {-128, 127}, 5},
        {4, 2, {1, 65535}, 5},
        {5, 2, {-32768, 32767}, 5},
        {6, 4, {INT32_MIN, INT32_MAX}, 5},
        {7, 8, {INT64_MIN, INT64_MAX}, 7},
        {9, 1, {0, 1}, 5},
        {12, 4, {1, UINT32_MAX}, 11},
        {13, 8, {1, INT64_MAX}, 11},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int way = 0; way < 3; way++) {
            message m = tensor_message(f, cases[i].type, INTS(2));
            message raw = make(f);
            add_fixed(&raw, (uint64_t)cases[i].values[0], cases[i].bytes);
            add_fixed(&raw, (uint64_t)cases[i].values[1], cases[i].bytes);
            if (way == 2) {
                put(&m, 9, raw);
            } else {
                put_ints(&m, cases[i].field, way == 1, cases[i].values, 2);
            }
            const sg_graph_tensor *t = read_tensor(f, m);
            assert_int_equal(t->kind, SG_GRAPH_VALUES_INTS);
            assert_int_equal(t->count, 2);
            assert_true(t->ints[0] == cases[i].values[0]);
            assert_true(t->ints[1] == cases[i].values[1]);
        }
    }
    message beyond = tensor_message(f, 13, INTS(1));
    put_ints(&beyond, 11, true, INTS(-1));
    assert_int_equal(read_tensor(f, beyond)->kind, SG_GRAPH_VALUES_NONE);
}

static void packed_integers(void **state)
{
    fixture *f = *state;
    /* 1, 2, 15 in nibbles and 1, 3, 0, 2, 1 in pairs of bits, low ones first. */
    static const struct {
        int64_t type;
        int64_t count;
        unsigned char bytes[2];
        int64_t values[5];
    } cases[] = {{21, 3, {0x21, 0x0F}, {1, 2, 15}},
                 {22, 3, {0x21, 0x0F}, {1, 2, -1}},
                 {25, 5, {0x8D, 0x01}, {1, 3, 0, 2, 1}},
                 {26, 5, {0x8D, 0x01}, {1, -1, 0, -2, 1}}};
    for (size_t i = 0; i < 4; i++) {
        message raw = tensor_message(f, cases[i].type, &cases[i].count, 1);
        put_bytes(&raw, 9, cases[i].bytes, 2);
        message typed = tensor_message(f, cases[i].type, &cases[i].count, 1);
        put_ints(&typed, 5, true, INTS(cases[i].bytes[0], cases[i].bytes[1]));
        const sg_graph_tensor *a = read_tensor(f, raw);
        const sg_graph_tensor *b = read_tensor(f, typed);
        for (int64_t k = 0; k < cases[i].count; k++) {
            assert_int_equal(a->ints[k], cases[i].values[k]);
            assert_int_equal(b->ints[k], cases[i].values[k]);
        }
    }
}

static double decoded(sg_dtype dtype, uint64_t bits)
{
    int64_t integer = 0;
    double real = -12345;
    assert_int_equal(sg_element_value(dtype, bits, &integer, &real), SG_GRAPH_VALUES_FLOATS);
    return real;
}

static void floats_of_every_format(void **state)
{
    (void)state;
    assert_true(decoded(SG_DTYPE_F16, 0x3C00) == 1);
    assert_true(decoded(SG_DTYPE_F16, 0xC000) == -2);
    assert_true(decoded(SG_DTYPE_F16, 0x0001) == 0x1p-24);
    assert_true(decoded(SG_DTYPE_F16, 0x7BFF) == 65504);
    assert_true(isinf(decoded(SG_DTYPE_F16, 0x7C00)) && isnan(decoded(SG_DTYPE_F16, 0x7E00)));
    assert_true(decoded(SG_DTYPE_BF16, 0x3FC0) == 1.5);
    assert_true(decoded(SG_DTYPE_BF16, 0x0001) == 0x1p-133);
    assert_true(decoded(SG_DTYPE_F8E4M3, 0x7E) == 448 && isnan(decoded(SG_DTYPE_F8E4M3, 0xFF)));
    assert_true(decoded(SG_DTYPE_F8E4M3, 0x01) == 0x1p-9);
    assert_true(decoded(SG_DTYPE_F8E4M3FNUZ, 0x7F) == 240);
    assert_true(isnan(decoded(SG_DTYPE_F8E4M3FNUZ, 0x80)));
    assert_true(decoded(SG_DTYPE_F8E5M2, 0x7B) == 57344 && isinf(decoded(SG_DTYPE_F8E5M2, 0xFC)));
    assert_true(decoded(SG_DTYPE_F8E5M2FNUZ, 0x7F) == 57344);
    assert_true(decoded(SG_DTYPE_F8E5M2FNUZ, 0x01) == 0x1p-17);
    assert_true(decoded(SG_DTYPE_F4E2M1, 0x7) == 6 && decoded(SG_DTYPE_F4E2M1, 0x9) == -0.5);
    assert_true(decoded(SG_DTYPE_F6E2M3, 0x1F) == 7.5 && decoded(SG_DTYPE_F6E2M3, 0x21) == -0.125);
    assert_true(decoded(SG_DTYPE_F6E3M2, 0x1F) == 28 && decoded(SG_DTYPE_F6E3M2, 0x21) == -0.0625);
    assert_true(decoded(SG_DTYPE_F8E8M0, 0) == 0x1p-127 && decoded(SG_DTYPE_F8E8M0, 127) == 1);
    assert_true(isnan(decoded(SG_DTYPE_F8E8M0, 0xFF)));
    uint32_t seed = 1;
    for (int i = 0; i < 100000; i++) {
        seed = seed * 1664525 + 1013904223;
        float want;
        memcpy(&want, &seed, sizeof want);
        double got = decoded(SG_DTYPE_F32, seed);
        assert_true(isnan(want) ? isnan(got) : got == (double)want);
    }
    assert_true(decoded(SG_DTYPE_F64, double_bits(-0.1)) == -0.1);
}

static void floats_in_every_field(void **state)
{
    fixture *f = *state;
    message raw = tensor_message(f, 1, INTS(1));
    put_bytes(&raw, 9, "\0\0\x80\x3F", 4);
    message unpacked = tensor_message(f, 1, INTS(1));
    put_float(&unpacked, 4, 1.0F);
    message packed = tensor_message(f, 1, INTS(1));
    put_bytes(&packed, 4, "\0\0\x80\x3F", 4);
    message half = tensor_message(f, 10, INTS(1));
    put_ints(&half, 5, true, INTS(0x3C00));
    message wide = tensor_message(f, 11, INTS(1));
    add_varint(&wide, 10 << 3 | 1);
    add_fixed(&wide, double_bits(1.0), 8);
    message wide_packed = tensor_message(f, 11, INTS(1));
    put_bytes(&wide_packed, 10, "\0\0\0\0\0\0\xF0\x3F", 8);
    const message all[] = {raw, unpacked, packed, half, wide, wide_packed};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const sg_graph_tensor *t = read_tensor(f, all[i]);
        assert_int_equal(t->kind, SG_GRAPH_VALUES_FLOATS);
        assert_int_equal(t->count, 1);
        assert_true(t->floats[0] == 1);
    }
    /* 6 bits: a stream in raw_data, one element per entry in int32_data */
    message stream = tensor_message(f, 27, INTS(5));
    put_bytes(&stream, 9, "\x08\x44\x7C\x28", 4);
    message entries = tensor_message(f, 27, INTS(5));
    put_ints(&entries, 5, true, INTS(8, 16, 4, 31, 40));
    const message sixes[] = {stream, entries};
    for (size_t i = 0; i < sizeof sixes / sizeof *sixes; i++) {
        static const double wanted[] = {1, 2, 0.5, 7.5, -1};
        const sg_graph_tensor *t = read_tensor(f, sixes[i]);
        assert_int_equal(t->kind, SG_GRAPH_VALUES_FLOATS);
        assert_int_equal(t->count, 5);
        for (int k = 0; k < 5; k++) {
            assert_true(t->floats[k] == wanted[k]);
        }
    }
    message complex = tensor_message(f, 14, INTS(1));
    put_bytes(&complex, 9, "12345678", 8);
    assert_int_equal(read_tensor(f, complex)->kind, SG_GRAPH_VALUES_NONE);
    complex = tensor_message(f, 15, INTS(1));
    put_bytes(&complex, 10, "1234567812345678", 16);
    assert_int_equal(read_tensor(f, complex)->kind, SG_GRAPH_VALUES_NONE);
}

static void texts_and_nothing(void **state)
{
    fixture *f = *state;
    message m = tensor_message(f, 8, INTS(2));
    put_text(&m, 6, "a");
    put_text(&m, 6, "bc");
    const sg_graph_tensor *t = read_tensor(f, m);
    assert_int_equal(t->kind, SG_GRAPH_VALUES_TEXTS);
    assert_int_equal(t->count, 2);
    assert_string_equal(t->texts[1], "bc");
    t = read_tensor(f, tensor_message(f, 7, INTS(2, 0)));
    assert_int_equal(t->kind, SG_GRAPH_VALUES_INTS);
    assert_int_equal(t->count, 0);
    assert_int_equal(t->type.shape.rank, 2);
    t = read_tensor(f, tensor_message(f, 7, INTS(2))); /* stripped of its data */
    assert_int_equal(t->kind, SG_GRAPH_VALUES_NONE);
    m = tensor_message(f, 1234, INTS(2));
    put_bytes(&m, 9, "x", 1);
    assert_int_equal(read_tensor(f, m)->type.dtype, SG_GRAPH_DTYPE_UNKNOWN);
}

/* The data precedes the dims and the type that describe it. */
static void fields_may_be_in_any_order(void **state)
{
    fixture *f = *state;
    message m = make(f);
    put_bytes(&m, 9, "\7\0\0\0", 4);
    put_text(&m, 8, "t");
    put_int(&m, 2, 6);
    put_ints(&m, 1, true, INTS(1, 1));
    const sg_graph_tensor *t = read_tensor(f, m);
    assert_int_equal(t->type.shape.rank, 2);
    assert_int_equal(t->ints[0], 7);
}

static void large_tensors_keep_no_values(void **state)
{
    fixture *f = *state;
    static const int64_t sizes[] = {4096, 4097, 100000};
    for (size_t i = 0; i < 3; i++) {
        sg_graph_values_kind kind =
            sizes[i] <= SG_GRAPH_VALUES_MAX ? SG_GRAPH_VALUES_INTS : SG_GRAPH_VALUES_NONE;
        char *zeros = sg_arena_alloc(&f->arena, (size_t)sizes[i] * 8);
        message raw = tensor_message(f, 7, &sizes[i], 1);
        put_bytes(&raw, 9, zeros, (size_t)sizes[i] * 8);
        message packed = tensor_message(f, 7, &sizes[i], 1);
        put_bytes(&packed, 7, zeros, (size_t)sizes[i]);
        message single = tensor_message(f, 7, &sizes[i], 1);
        for (int64_t k = 0; k < sizes[i]; k++) {
            put_int(&single, 7, 0);
        }
        assert_int_equal(read_tensor(f, raw)->kind, kind);
        assert_int_equal(read_tensor(f, packed)->kind, kind);
        assert_int_equal(read_tensor(f, single)->kind, kind);
        message floats = tensor_message(f, 1, &sizes[i], 1);
        put_bytes(&floats, 4, zeros, (size_t)sizes[i] * 4);
        assert_int_equal(read_tensor(f, floats)->kind == SG_GRAPH_VALUES_NONE,
                         kind == SG_GRAPH_VALUES_NONE);
        message texts = tensor_message(f, 8, &sizes[i], 1);
        for (int64_t k = 0; k < sizes[i]; k++) {
            put_text(&texts, 6, "");
        }
        assert_int_equal(read_tensor(f, texts)->kind == SG_GRAPH_VALUES_NONE,
                         kind == SG_GRAPH_VALUES_NONE);
    }
    /* More bytes than a tensor of kept values has: those beyond the end are ignored and not
     * kept. */
    message m = tensor_message(f, 7, INTS(1));
    put_bytes(&m, 9, sg_arena_alloc(&f->arena, 100000), 100000);
    assert_int_equal(read_tensor(f, m)->kind, SG_GRAPH_VALUES_NONE);
}

static void data_must_fit_type_and_dims(void **state)
{
    fixture *f = *state;
    message m = tensor_message(f, 7, INTS(3));
    put_bytes(&m, 9, "0123456789ABCDEF", 16);
    refuse_tensor(f, m, "tensor 't' has 16 bytes in raw_data, but 3 elements of int64 need 24");
    m = tensor_message(f, 7, INTS(3));
    put_ints(&m, 7, true, INTS(1, 2));
    refuse_tensor(f, m, "has 2 entries in int64_data, but 3 elements of int64 need 3");
    m = tensor_message(f, 7, INTS(1));
    put_ints(&m, 7, true, INTS(1, 2));
    refuse_tensor(f, m, "has 2 entries in int64_data, but 1 elements of int64 need 1");
    m = tensor_message(f, 7, INTS(1));
    put_ints(&m, 5, true, INTS(1));
    refuse_tensor(f, m, "values in int32_data, but values of that type are in int64_data");
    m = tensor_message(f, 8, INTS(1));
    put_bytes(&m, 9, "x", 1);
    refuse_tensor(f, m, "is of string and has its values in raw_data");
    m = tensor_message(f, 7, INTS(1));
    put_ints(&m, 7, true, INTS(1));
    put_bytes(&m, 9, "12345678", 8);
    refuse_tensor(f, m, "has values in several fields");
    m = tensor_message(f, 7, INTS(2, -3));
    refuse_tensor(f, m, "has -3 as dim 1");
    m = tensor_message(f, 7, INTS(INT64_MAX, 2));
    refuse_tensor(f, m, "more elements than 63 bits can count");
    m = tensor_message(f, 7, INTS(INT64_MAX));
    put_bytes(&m, 9, "12345678", 8);
    refuse_tensor(f, m, "need more than 9223372036854775807");
    m = tensor_message(f, 1, INTS(1));
    put_bytes(&m, 4, "12345", 5);
    refuse_tensor(f, m, "float_data has 5 bytes, which are not whole entries of 4");
    assert_non_null(read_tensor(f, (sg_diag_init(&f->diag, &f->arena),
                                    tensor_message(f, 7, INTS(INT64_MAX, INT64_MAX, 0)))));
}

static void messages_name_the_node(void **state)
{
    fixture *f = *state;
    message value = make(f);
    put_ints(&value, 1, false, INTS(2));
    put_int(&value, 2, 7);
    put_ints(&value, 7, true, INTS(1));
    message attribute = make(f);
    put_text(&attribute, 1, "value");
    put(&attribute, 5, value);
    message node = make(f);
    put_text(&node, 2, "out");
    put(&node, 5, attribute);
    message graph = make(f);
    put(&graph, 1, node);
    refuse(f, model_message(f, graph),
           "the tensor of attribute 'value' of the node that makes "
           "'out' has 1 entries");
    message named = make(f);
    put_text(&named, 3, "/const");
    put(&named, 5, attribute);
    graph = make(f);
    put(&graph, 1, named);
    refuse(f, model_message(f, graph), "the tensor of attribute 'value' of node '/const' has");
}

static void sparse_tensors_without_indices_have_a_type_only(void **state)
{
    fixture *f = *state;
    message sparse = make(f);
    message values = tensor_message(f, 1, INTS(2));
    put_bytes(&values, 9, "12345678", 8);
    put(&sparse, 1, values);
    put(&sparse, 2, tensor_message(f, 7, INTS(2)));
    put_ints(&sparse, 3, true, INTS(10, 20));
    message graph = make(f);
    put(&graph, 15, sparse);
    sg_graph_model *model = read_message(f, model_message(f, graph));
    assert_non_null(model);
    const sg_graph_tensor *t = &model->graph.initializers[0];
    assert_string_equal(t->name, "t");
    assert_int_equal(t->type.dtype, SG_DTYPE_F32);
    assert_int_equal(t->type.shape.rank, 2);
    assert_int_equal(t->type.shape.dims[1].size, 20);
    assert_int_equal(t->kind, SG_GRAPH_VALUES_NONE);
    message attribute = attribute_message(f, 11);
    put(&attribute, 22, sparse);
    const sg_graph_attribute *a = only_attribute(f, attribute);
    assert_int_equal(a->kind, SG_GRAPH_ATTRIBUTE_TENSOR);
    assert_int_equal(a->tensor->type.shape.dims[0].size, 10);
}

/* A sparse tensor of int64 [2,3] with the values 5 and 7. */
static message sparse_message(fixture *f, const int64_t *dims, size_t ndims, const int64_t *indices,
                              size_t nindices)
{
    message values = tensor_message(f, 7, INTS(2));
    put_ints(&values, 7, true, INTS(5, 7));
    message places = tensor_message(f, 7, dims, ndims);
    put_ints(&places, 7, true, indices, nindices);
    message sparse = make(f);
    put(&sparse, 1, values);
    put(&sparse, 2, places);
    put_ints(&sparse, 3, true, INTS(2, 3));
    message graph = make(f);
    put(&graph, 15, sparse);
    return model_message(f, graph);
}

static void sparse_tensors_become_dense(void **state)
{
    static const int64_t dense[] = {0, 5, 0, 0, 0, 7};
    fixture *f = *state;
    for (int linear = 0; linear < 2; linear++) {
        message m = linear == 1 ? sparse_message(f, INTS(2), INTS(1, 5))
                                : sparse_message(f, INTS(2, 2), INTS(0, 1, 1, 2));
        sg_graph_model *model = read_message(f, m);
        assert_non_null(model);
        const sg_graph_tensor *t = &model->graph.initializers[0];
        assert_int_equal(t->kind, SG_GRAPH_VALUES_INTS);
        assert_int_equal(t->count, 6);
        assert_memory_equal(t->ints, dense, sizeof dense);
    }
    refuse(f, sparse_message(f, INTS(2), INTS(1, 6)), "has the index 6, expected 0 to 5");
    refuse(f, sparse_message(f, INTS(2, 2), INTS(0, 1, 0, 3)), "has the index 3, expected 0 to 2");
    refuse(f, sparse_message(f, INTS(2, 2), INTS(0, 1, -1, 0)), "has the index -1");
    refuse(f, sparse_message(f, INTS(3), INTS(0, 1, 2)), "has 2 values, but 3 indices");
}

/* --- malformed --- */

/* Every error has a place and a message; sanitizers detect reads outside the buffer. */
static void check_any(fixture *f, message m)
{
    sg_arena arena;
    sg_arena_init(&arena);
    sg_diag_init(&f->diag, &arena);
    unsigned char *copy = malloc(m.len ? m.len : 1);
    assert_non_null(copy);
    if (m.len) {
        memcpy(copy, m.bytes, m.len);
    }
    const sg_onnx_input input = {.name = "m.onnx", .fd = -1, .bytes = copy, .nbytes = m.len};
    sg_graph_model *model = sg_onnx_read_input(&arena, &f->diag, &input);
    assert_int_equal(model == NULL, f->diag.errors > 0);
    for (const sg_diag_entry *e = f->diag.first; e; e = e->next) {
        assert_non_null(e->span.source);
        assert_true(e->span.end <= m.len && e->span.begin <= e->span.end);
    }
    free(copy);
    sg_arena_free(&arena);
    sg_diag_init(&f->diag, &f->arena);
}

static message everything(fixture *f)
{
    message graph = full_graph(f);
    message sub = make(f);
    put(&sub, 5, attribute_message(f, 7));
    message branch = attribute_message(f, 5);
    put(&branch, 6, full_graph(f));
    put(&sub, 5, branch);
    put(&graph, 1, sub);
    message packed = tensor_message(f, 22, INTS(3));
    put_ints(&packed, 5, true, INTS(0x21, 3));
    put(&graph, 5, packed);
    message external = tensor_message(f, 7, INTS(1));
    message entry = make(f);
    put_text(&entry, 1, "location");
    put_text(&entry, 2, "w");
    put(&external, 13, entry);
    put_int(&external, 14, 1);
    put(&graph, 5, external);
    message m = model_message(f, graph);
    message function = make(f);
    put_text(&function, 1, "F");
    put(&function, 7, split_node(f));
    put(&m, 25, function);
    return m;
}

static void any_cut_and_any_flipped_bit_is_survived(void **state)
{
    fixture *f = *state;
    message m = everything(f);
    for (size_t n = 0; n <= m.len; n++) {
        message cut = m;
        cut.len = n;
        check_any(f, cut);
        for (unsigned bit = 0; bit < 8 && n < m.len; bit++) {
            m.bytes[n] ^= (unsigned char)(1U << bit);
            check_any(f, m);
            m.bytes[n] ^= (unsigned char)(1U << bit);
        }
    }
}

/* As in protobuf, a known number with another wire type is an unknown field. */
static void wrong_wire_types_are_unknown_fields(void **state)
{
    fixture *f = *state;
    message node = make(f);
    for (uint32_t field = 1; field <= 8; field++) {
        put_int(&node, field, 3);
    }
    put_text(&node, 4, "Split");
    message graph = make(f);
    for (uint32_t field = 1; field <= 15; field++) {
        put_int(&graph, field, 3);
    }
    put(&graph, 1, node);
    message tensor = make(f);
    for (uint32_t field = 1; field <= 14; field++) {
        add_varint(&tensor, (uint64_t)field << 3 | (field == 4 ? 1 : 5));
        add_fixed(&tensor, 0, field == 4 ? 8 : 4);
    }
    put_int(&tensor, 2, 7);
    put_text(&tensor, 8, "w");
    put(&graph, 5, tensor);
    message m = make(f);
    put_text(&m, 1, "8");
    put_int(&m, 7, 1);
    put(&m, 7, graph);
    sg_graph_model *model = read_message(f, m);
    assert_non_null(model);
    assert_int_equal(model->version, 0);
    assert_int_equal(model->graph.nnodes, 1);
    assert_int_equal(model->graph.ninitializers, 1);
    assert_int_equal(model->graph.nodes[0].ninputs, 0);
    assert_string_equal(model->graph.nodes[0].op_type, "Split");
    assert_string_equal(model->graph.initializers[0].name, "w");
    /* A tensor file, which test data has beside models. */
    refuse(f, tensor_message(f, 7, INTS(1)), "group 14 ends but never began");
}

static void lengths_past_the_end_are_refused(void **state)
{
    fixture *f = *state;
    message m = make(f);
    add_byte(&m, 7 << 3 | 2);
    add_varint(&m, 1000);
    refuse(f, m,
           "field 7 of the ModelProto says that it has 1000 bytes, but the file ends after 0");
    message graph = make(f);
    add_byte(&graph, 1 << 3 | 2);
    add_varint(&graph, UINT64_MAX);
    refuse(f, model_message(f, graph),
           "says that it has 18446744073709551615 bytes, but the message around it ends after 0");
    message cut = make(f);
    add_byte(&cut, 1 << 3);
    graph = make(f);
    put(&graph, 1, cut);
    refuse(f, model_message(f, graph), "the NodeProto ends here, within a field");
    cut = make(f);
    add_byte(&cut, 3 << 3);
    add_byte(&cut, 0x80);
    message node = make(f);
    put(&node, 5, cut);
    graph = make(f);
    put(&graph, 1, node);
    refuse(f, model_message(f, graph), "the AttributeProto ends here, within a field");
}

static void tags_and_numbers_have_limits(void **state)
{
    fixture *f = *state;
    message m = make(f);
    add_byte(&m, 1 << 3);
    for (int i = 0; i < 10; i++) {
        add_byte(&m, 0xFF);
    }
    add_byte(&m, 1);
    refuse(f, m, "longer than 10 bytes");
    m = make(f);
    add_byte(&m, 0);
    refuse(f, m, "0 is not a field tag");
    m = make(f);
    add_byte(&m, 1 << 3 | 6);
    refuse(f, m, "14 is not a field tag");
    m = make(f);
    add_varint(&m, UINT64_C(1) << 35);
    refuse(f, m, "is not a field tag");
    m = make(f);
    add_byte(&m, 1 << 3 | 4);
    refuse(f, m, "group 1 ends but never began");
    m = make(f);
    add_byte(&m, 1 << 3 | 3);
    add_byte(&m, 2 << 3 | 4);
    refuse(f, m, "group 2 ends where group 1 must end first");
    m = make(f);
    for (int i = 0; i < 1000; i++) {
        add_byte(&m, 1 << 3 | 3);
    }
    refuse(f, m, "groups are nested more than 100 deep");
    message graph = make(f);
    put_bytes(&graph, 2, "a\0b", 3);
    refuse(f, model_message(f, graph), "the name of the GraphProto has a zero byte");
    graph = make(f);
    put_bytes(&graph, 2, sg_arena_alloc(&f->arena, (1 << 20) + 1), (1 << 20) + 1);
    refuse(f, model_message(f, graph), "more than the 1048576 a name may have");
}

static void a_model_needs_a_graph(void **state)
{
    fixture *f = *state;
    message m = make(f);
    put_int(&m, 1, 8);
    refuse(f, m, "this is no ONNX model");
    refuse(f, make(f), "the file is empty");
}

/* Two bytes of a file become a node of a hundred: the limit ends reading before memory runs out. */
static void what_is_kept_has_a_limit(void **state)
{
    fixture *f = *state;
    size_t nodes = 6000000;
    message graph = make(f);
    graph.bytes = malloc(2 * nodes);
    assert_non_null(graph.bytes);
    graph.room = 2 * nodes;
    for (size_t i = 0; i < nodes; i++) {
        add(&graph, "\x0A\x00", 2);
    }
    message m = model_message(f, graph);
    free(graph.bytes);
    sg_arena arena;
    sg_arena_init(&arena);
    const sg_onnx_input input = {.name = "m.onnx", .fd = -1, .bytes = m.bytes, .nbytes = m.len};
    assert_null(sg_onnx_read_input(&arena, &f->diag, &input));
    assert_true(arena.total < (size_t)2 << 30);
    assert_int_equal(sg_diag_exit(&f->diag), SG_EXIT_BUDGET);
    assert_non_null(strstr(rendered(f), "more than 512 MiB"));
    sg_arena_free(&arena);
}

/* --- detection of the format --- */

static bool is_binary(const char *bytes, size_t n)
{
    return sg_onnx_is_binary(bytes, n);
}

static void binaries_are_told_by_their_bytes(void **state)
{
    fixture *f = *state;
    message m = everything(f);
    for (size_t n = 8; n <= m.len; n++) {
        assert_true(sg_onnx_is_binary(m.bytes, n));
    }
    message late = make(f); /* a writer that begins with another field */
    put(&late, 8, opset_message(f, "", 9));
    put(&late, 7, full_graph(f));
    assert_true(sg_onnx_is_binary(late.bytes, late.len));
    message unknown = make(f); /* first, with unknown field numbers */
    put_text(&unknown, 500, "unknown");
    put(&unknown, 7, full_graph(f));
    put_int(&unknown, 1, 8);
    assert_true(sg_onnx_is_binary(unknown.bytes, unknown.len));
    static const char *const texts[] = {
        "",
        "return {",
        "return { split { axis = 1 } }\n",
        "< ir_version: 8, opset_import: [\"\" : 18] >\nagraph (float[N] x) => (y) {}",
        "<?xml version=\"1.0\"?><net name=\"n\" version=\"11\"></net>",
        ":\n:\n",
        "B\n",
        "-- a spec\nlocal x = 1\r\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_false(is_binary(texts[i], strlen(texts[i])));
    }
    message tensor = tensor_message(f, 7, INTS(1));
    assert_false(sg_onnx_is_binary(tensor.bytes, tensor.len));
    assert_false(is_binary("\x08\x04\x12\x02\x0A\x00\xA2\x1F\x05", 9)); /* Core ML */
    assert_false(is_binary("\x1F\x8B\x08\x00\x00\x00", 6));
    assert_false(is_binary("\x7F"
                           "ELF\2\1\1",
                           7));
    assert_false(is_binary("\x08\x01\x12\x04\x0A\x02\x12\x00", 8)); /* TensorFlow's SavedModel */
}

/* --- files and pipes --- */

static void make_folder(fixture *f)
{
    snprintf(f->folder, sizeof f->folder, "test_onnx_XXXXXX");
    assert_non_null(mkdtemp(f->folder));
}

static char *path_in(fixture *f, const char *name)
{
    return sg_arena_printf(&f->arena, "%s/%s", f->folder, name);
}

static void write_file(const char *path, const void *bytes, size_t n)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
}

/* A model of a tensor with external data. */
static message external_model(fixture *f, const char *location, const char *offset,
                              const char *length)
{
    message m = tensor_message(f, 7, INTS(2));
    const char *keys[] = {"location", "offset", "length"};
    const char *values[] = {location, offset, length};
    for (int i = 0; i < 3; i++) {
        if (values[i]) {
            message entry = make(f);
            put_text(&entry, 1, keys[i]);
            put_text(&entry, 2, values[i]);
            put(&m, 13, entry);
        }
    }
    put_int(&m, 14, 1);
    message graph = make(f);
    put(&graph, 5, m);
    return model_message(f, graph);
}

static sg_graph_model *read_external(fixture *f, message m, sg_file_list *files)
{
    char *path = path_in(f, "m.onnx");
    write_file(path, m.bytes, m.len);
    sg_diag_init(&f->diag, &f->arena);
    sg_graph_model *model = sg_onnx_read_binary(&f->arena, &f->diag, path, files);
    assert_int_equal(unlink(path), 0);
    return model;
}

static void refuse_external(fixture *f, message m, const char *words)
{
    assert_null(read_external(f, m, NULL));
    if (strstr(rendered(f), words) == NULL) {
        fail_msg("'%s' is not in: %s", words, rendered(f));
    }
}

static void external_data_is_read_from_the_folder(void **state)
{
    fixture *f = *state;
    make_folder(f);
    assert_int_equal(mkdir(path_in(f, "sub"), 0777), 0);
    char *data = path_in(f, "sub/w.bin");
    write_file(data, "....\5\0\0\0\0\0\0\0\6\0\0\0\0\0\0\0", 20);
    sg_file_list files = {0};
    sg_graph_model *model = read_external(f, external_model(f, "sub/w.bin", "4", "16"), &files);
    assert_non_null(model);
    const sg_graph_tensor *t = &model->graph.initializers[0];
    assert_int_equal(t->count, 2);
    assert_int_equal(t->ints[0], 5);
    assert_int_equal(t->ints[1], 6);
    assert_int_equal(files.count, 1);
    assert_string_equal(files.items[0].path, data);
    assert_non_null(read_external(f, external_model(f, "./sub//w.bin", "4", NULL), NULL));
    model = read_external(f, external_model(f, "sub\\w.bin", "4", NULL), NULL);
    assert_int_equal(model->graph.initializers[0].kind, SG_GRAPH_VALUES_INTS);
    refuse_external(f, external_model(f, "sub/w.bin", "5", NULL),
                    "tensor 't' are bytes 5 to 21 of 'sub/w.bin', which has 20");
    refuse_external(f, external_model(f, "sub/w.bin", "4", "8"),
                    "tensor 't' has 8 bytes of external data, but its type and dims need 16");
    refuse_external(f, external_model(f, "sub/w.bin", "4", "9223372036854775807"),
                    "has 9223372036854775807 bytes of external data, but its type and dims need");
    refuse_external(f, external_model(f, "sub/w.bin", "9223372036854775807", NULL),
                    "where no file has any");
    refuse_external(f, external_model(f, "sub/w.bin", "-4", NULL), "the offset of external data");
    refuse_external(f, external_model(f, "sub/w.bin", "4x", NULL), "is '4x', but");
    refuse_external(f, external_model(f, "sub", NULL, NULL), "not a regular file");
    static const char *const outside[] = {
        "/etc/passwd", "../w.bin",           "sub/../../w.bin", "..", "sub/..", "",
        "..\\w.bin",   "sub\\..\\..\\w.bin", "\\w.bin"};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
        refuse_external(f, external_model(f, outside[i], NULL, NULL),
                        "must be in the folder of the model");
    }
    assert_int_equal(symlink("sub/w.bin", path_in(f, "link")), 0);
    assert_int_equal(symlink("sub", path_in(f, "dir")), 0);
    assert_int_equal(symlink("..", path_in(f, "out")), 0);
    static const char *const links[] = {"link", "dir/w.bin"};
    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        model = read_external(f, external_model(f, links[i], "4", NULL), &files);
        assert_non_null(model);
        assert_int_equal(model->graph.initializers[0].kind, SG_GRAPH_VALUES_INTS);
        assert_int_equal(f->diag.warnings, 0);
    }
    assert_int_equal(files.count, 3);
    model = read_external(f, external_model(f, "out/w.bin", "4", NULL), &files);
    assert_non_null(model);
    assert_int_equal(model->graph.initializers[0].kind, SG_GRAPH_VALUES_NONE);
    assert_int_equal(f->diag.warnings, 1);
    assert_non_null(strstr(rendered(f), "stay unknown: a symbolic link leads out of the folder"));
    assert_int_equal(files.count, 3);
    model = read_external(f, external_model(f, "missing.bin", NULL, NULL), &files);
    assert_non_null(model);
    assert_int_equal(model->graph.initializers[0].kind, SG_GRAPH_VALUES_NONE);
    assert_int_equal(f->diag.warnings, 1);
    assert_non_null(strstr(rendered(f), "the file 'missing.bin' and stay unknown"));
    assert_int_equal(files.count, 3);
    const char *const made[] = {"link", "dir", "out", "sub/w.bin"};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        assert_int_equal(unlink(path_in(f, made[i])), 0);
    }
    assert_int_equal(rmdir(path_in(f, "sub")), 0);
    assert_int_equal(rmdir(f->folder), 0);
}

/* Writes the bytes into a pipe from a child process and reads the model from it. */
static sg_graph_model *read_pipe(fixture *f, message m, size_t head, char *sha256)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(ends[0]);
        size_t at = 0;
        while (at < m.len) {
            ssize_t n = write(ends[1], m.bytes + at, m.len - at < 1000 ? m.len - at : 1000);
            if (n <= 0) {
                break;
            }
            at += (size_t)n;
        }
        _exit(0);
    }
    close(ends[1]);
    char start[SG_ONNX_HEAD];
    ssize_t got = head > 0 ? read(ends[0], start, head) : 0;
    assert_true(got >= 0);
    const sg_onnx_input input = {
        .name = "<stdin>", .fd = ends[0], .bytes = start, .nbytes = (size_t)got, .sha256 = sha256};
    sg_diag_init(&f->diag, &f->arena);
    sg_graph_model *model = sg_onnx_read_input(&f->arena, &f->diag, &input);
    close(ends[0]);
    return model;
}

static void pipes_are_read_in_one_pass(void **state)
{
    fixture *f = *state;
    message graph = make(f);
    message weights = tensor_message(f, 1, INTS(50000));
    put_bytes(&weights, 9, sg_arena_alloc(&f->arena, 200000), 200000);
    put(&graph, 5, weights);
    put(&graph, 1, split_node(f));
    message m = model_message(f, graph);
    char want[SG_SHA256_TEXT];
    char got[SG_SHA256_TEXT];
    sg_sha256 hash;
    sg_sha256_init(&hash);
    sg_sha256_add(&hash, m.bytes, m.len);
    sg_sha256_end(&hash, want);
    for (size_t head = 0; head <= 4000; head += 1000) {
        sg_graph_model *model = read_pipe(f, m, head, got);
        assert_non_null(model);
        assert_int_equal(model->graph.nnodes, 1);
        assert_int_equal(model->graph.nodes[0].opset, 13);
        assert_int_equal(model->source->len, m.len);
        assert_string_equal(got, want);
    }
    for (size_t cut = 1; cut < 2000; cut += 7) {
        message less = m;
        less.len = m.len - cut;
        sg_graph_model *model = read_pipe(f, less, 0, NULL);
        if (model == NULL) {
            assert_true(f->diag.errors == 1 && f->diag.first->span.end <= less.len);
        }
    }
    message less = m;
    less.len = 100000;
    assert_null(read_pipe(f, less, 0, NULL));
    assert_non_null(strstr(rendered(f), "the file ends within the TensorProto after 100000 bytes"));
    message claims = make(f); /* a length beyond the limit of a pipe */
    add_byte(&claims, 7 << 3 | 2);
    add_varint(&claims, UINT64_C(1) << 62);
    put_text(&claims, 2, "graph");
    assert_null(read_pipe(f, claims, 0, NULL));
}

/* A GiB of weights as a hole in the file: reading them would take a GiB or a second. */
static void weights_are_passed_over(void **state)
{
    fixture *f = *state;
    make_folder(f);
    char *path = path_in(f, "large.onnx");
    uint64_t hole = UINT64_C(1) << 30;
    message tensor = tensor_message(f, 1, INTS(1 << 28));
    add_varint(&tensor, 9 << 3 | 2);
    add_varint(&tensor, hole);
    message before = make(f);
    put_int(&before, 1, 8);
    message node = make(f);
    put(&node, 1, split_node(f));
    message start = make(f);
    add_varint(&start, 5 << 3 | 2);
    add_varint(&start, tensor.len + hole);
    add_varint(&before, 7 << 3 | 2);
    add_varint(&before, start.len + tensor.len + hole + node.len);
    add(&before, start.bytes, start.len);
    add(&before, tensor.bytes, tensor.len);
    int fd = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0666);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, before.bytes, before.len), before.len);
    assert_true(lseek(fd, (off_t)hole, SEEK_CUR) > 0);
    assert_int_equal(write(fd, node.bytes, node.len), node.len);
    close(fd);
    size_t used = f->arena.total;
    sg_graph_model *model = sg_onnx_read_binary(&f->arena, &f->diag, path, NULL);
    assert_non_null(model);
    assert_int_equal(model->graph.nnodes, 1);
    assert_int_equal(model->graph.ninitializers, 1);
    assert_true(f->arena.total - used < 200000);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(f->folder), 0);
}

static void files_that_cannot_be_read(void **state)
{
    fixture *f = *state;
    assert_null(sg_onnx_read_binary(&f->arena, &f->diag, "no-such-folder/m.onnx", NULL));
    assert_null(sg_onnx_read_binary(&f->arena, &f->diag, ".", NULL));
    assert_int_equal(sg_diag_exit(&f->diag), SG_EXIT_IO);
    assert_non_null(strstr(rendered(f), "cannot read '.': "));
}

static void a_file_is_hashed_on_request(void **state)
{
    fixture *f = *state;
    make_folder(f);
    char *path = path_in(f, "m.onnx");
    message m = everything(f);
    write_file(path, m.bytes, m.len);
    char want[SG_SHA256_TEXT];
    char got[SG_SHA256_TEXT];
    assert_true(sg_sha256_file(path, want));
    int fd = open(path, O_RDONLY);
    assert_true(fd >= 0);
    const sg_onnx_input input = {.name = path, .fd = fd, .sha256 = got};
    assert_non_null(sg_onnx_read_input(&f->arena, &f->diag, &input));
    assert_string_equal(got, want);
    close(fd);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(f->folder), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_model_has_all_its_parts),
        TEST(messages_merge_and_unknown_fields_are_passed_over),
        TEST(operator_sets_are_those_of_the_model_or_the_function),
        TEST(models_of_the_first_versions_import_nothing),
        TEST(graphs_nest_to_a_limit),
        TEST(types_are_tensors_or_not),
        TEST(negative_and_empty_dims_are_unknown),
        TEST(attributes_of_every_type),
        TEST(zeros_and_types_may_be_left_out),
        TEST(attributes_must_not_contradict_themselves),
        TEST(integers_of_every_width_and_field),
        TEST(packed_integers),
        TEST(floats_of_every_format),
        TEST(floats_in_every_field),
        TEST(texts_and_nothing),
        TEST(fields_may_be_in_any_order),
        TEST(large_tensors_keep_no_values),
        TEST(data_must_fit_type_and_dims),
        TEST(messages_name_the_node),
        TEST(sparse_tensors_without_indices_have_a_type_only),
        TEST(sparse_tensors_become_dense),
        TEST(any_cut_and_any_flipped_bit_is_survived),
        TEST(wrong_wire_types_are_unknown_fields),
        TEST(lengths_past_the_end_are_refused),
        TEST(tags_and_numbers_have_limits),
        TEST(a_model_needs_a_graph),
        TEST(what_is_kept_has_a_limit),
        TEST(binaries_are_told_by_their_bytes),
        TEST(external_data_is_read_from_the_folder),
        TEST(pipes_are_read_in_one_pass),
        TEST(weights_are_passed_over),
        TEST(files_that_cannot_be_read),
        TEST(a_file_is_hashed_on_request),
    };
    return cmocka_run_group_tests_name("onnx_binary", tests, NULL, NULL);
}
