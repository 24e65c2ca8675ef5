/* Fuzzes the reader of ONNX's binaries: any bytes as a model; the result is walked through.
 * Nothing is inferred, resolved or planned. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/sha256.h"
#include "frontend/onnx/onnx_binary.h"
#include "fuzz_pipeline.h"
#include "require.h"

/* A sum, so that every byte is read and a sanitizer sees it. */
static volatile size_t seen;

static void walk_name(const char *name)
{
    REQUIRE(name != NULL);
    seen += strlen(name);
}

static void walk_names(const char **names, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        walk_name(names[i]);
    }
}

static void walk_span(sg_span span)
{
    REQUIRE(span.source != NULL);
    REQUIRE(span.begin <= span.end && span.end <= span.source->len);
}

static void walk_type(const sg_graph_type *type)
{
    REQUIRE(type->dtype >= SG_GRAPH_DTYPE_UNKNOWN && type->dtype < SG_DTYPE_COUNT);
    REQUIRE(type->is_tensor || !type->shape.has_rank);
    for (int64_t i = 0; i < type->shape.rank; i++) {
        REQUIRE(type->shape.dims[i].size >= -1);
        REQUIRE(type->shape.dims[i].name == NULL || type->shape.dims[i].size == -1);
        walk_span(type->shape.dims[i].span);
    }
}

static void walk_tensor(const sg_graph_tensor *tensor)
{
    int64_t elements = 1;
    walk_name(tensor->name);
    walk_type(&tensor->type);
    walk_span(tensor->span);
    REQUIRE(tensor->count <= SG_GRAPH_VALUES_MAX);
    REQUIRE(tensor->kind != SG_GRAPH_VALUES_NONE || tensor->count == 0);
    for (int64_t i = 0; i < tensor->type.shape.rank && tensor->count > 0; i++) {
        REQUIRE(sg_mul64(elements, tensor->type.shape.dims[i].size, &elements));
    }
    REQUIRE(tensor->count == 0 || elements == tensor->count);
    for (int64_t i = 0; i < tensor->count; i++) {
        if (tensor->kind == SG_GRAPH_VALUES_INTS) {
            seen += (size_t)tensor->ints[i];
        } else if (tensor->kind == SG_GRAPH_VALUES_FLOATS) {
            seen += tensor->floats[i] != 0;
        } else {
            walk_name(tensor->texts[i]);
        }
    }
}

static void walk_graph(const sg_graph *graph, int depth);

static void walk_attribute(const sg_graph_attribute *attribute, int depth)
{
    walk_name(attribute->name);
    walk_span(attribute->span);
    for (int64_t i = 0; i < attribute->count; i++) {
        switch (attribute->kind) {
        case SG_GRAPH_ATTRIBUTE_NONE:
            REQUIRE(attribute->count == 0);
            break;
        case SG_GRAPH_ATTRIBUTE_INT:
        case SG_GRAPH_ATTRIBUTE_INTS:
            seen += (size_t)attribute->ints[i];
            break;
        case SG_GRAPH_ATTRIBUTE_FLOAT:
        case SG_GRAPH_ATTRIBUTE_FLOATS:
            seen += attribute->floats[i] != 0;
            break;
        case SG_GRAPH_ATTRIBUTE_TEXT:
        case SG_GRAPH_ATTRIBUTE_TEXTS:
        case SG_GRAPH_ATTRIBUTE_REFERENCE:
            walk_name(attribute->texts[i]);
            break;
        case SG_GRAPH_ATTRIBUTE_TENSOR:
            walk_tensor(attribute->tensor);
            break;
        case SG_GRAPH_ATTRIBUTE_GRAPH:
        case SG_GRAPH_ATTRIBUTE_GRAPHS:
            walk_graph(attribute->graphs[i], depth + 1);
            break;
        }
    }
}

static void walk_infos(const sg_graph_info *infos, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        walk_name(infos[i].name);
        walk_type(&infos[i].type);
        walk_span(infos[i].span);
    }
}

static void walk_graph(const sg_graph *graph, int depth)
{
    REQUIRE(depth <= 64);
    walk_name(graph->name);
    walk_span(graph->span);
    walk_infos(graph->inputs, graph->ninputs);
    walk_infos(graph->outputs, graph->noutputs);
    walk_infos(graph->infos, graph->ninfos);
    for (int64_t i = 0; i < graph->ninitializers; i++) {
        walk_tensor(&graph->initializers[i]);
    }
    for (int64_t i = 0; i < graph->nnodes; i++) {
        const sg_graph_node *node = &graph->nodes[i];
        walk_name(node->name);
        walk_name(node->op_type);
        walk_name(node->domain);
        walk_name(node->overload);
        walk_names(node->inputs, node->ninputs);
        walk_names(node->outputs, node->noutputs);
        walk_span(node->span);
        for (int64_t k = 0; k < node->nattributes; k++) {
            walk_attribute(&node->attributes[k], depth);
        }
    }
}

static void walk_model(const sg_graph_model *model)
{
    walk_graph(&model->graph, 1);
    for (int64_t i = 0; i < model->nopsets; i++) {
        walk_name(model->opsets[i].domain);
    }
    for (int64_t i = 0; i < model->nfunctions; i++) {
        const sg_graph_function *function = &model->functions[i];
        walk_name(function->name);
        walk_name(function->domain);
        walk_name(function->overload);
        walk_names(function->inputs, function->ninputs);
        walk_names(function->outputs, function->noutputs);
        walk_names(function->attributes, function->nattributes);
        for (int64_t k = 0; k < function->ndefaults; k++) {
            walk_attribute(&function->defaults[k], 1);
        }
        walk_graph(&function->body, 1);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    sg_arena arena;
    sg_diag diag;
    char sha256[SG_SHA256_TEXT];
    sg_arena_init(&arena);
    sg_diag_init(&diag, &arena);
    const sg_onnx_input input = {.name = FUZZ_FOLDER "model.onnx",
                                 .folder = FUZZ_FOLDER,
                                 .fd = -1,
                                 .bytes = data,
                                 .nbytes = size,
                                 .sha256 = sha256};
    size_t head = size < SG_ONNX_HEAD ? size : SG_ONNX_HEAD;
    seen += sg_onnx_is_binary(data, head);
    sg_graph_model *model = sg_onnx_read_input(&arena, &diag, &input);
    REQUIRE((model == NULL) == (diag.errors > 0));
    if (model != NULL) {
        walk_model(model);
    }
    const sg_op_array none = {0};
    fuzz_pipeline(&arena, &diag, model != NULL, &none);
    sg_arena_free(&arena);
    return 0;
}
