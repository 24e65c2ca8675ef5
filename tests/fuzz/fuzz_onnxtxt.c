/* Fuzzes ONNX text: any bytes through the reader. The result is walked completely, so that a
 * sanitizer sees every pointer and count. Violated contracts abort. */
#include <stdio.h>
#include <stdlib.h>

#include "frontend/onnx/onnx_text.h"
#include "fuzz_pipeline.h"
#include "require.h"

static void check_span(const sg_graph_model *model, sg_span span)
{
    REQUIRE(span.source == model->source);
    REQUIRE(span.begin <= span.end && span.end <= span.source->len);
}

static void check_type(const sg_graph_model *model, const sg_graph_type *type)
{
    REQUIRE(type->dtype == SG_GRAPH_DTYPE_UNKNOWN ||
            (type->dtype >= 0 && type->dtype < SG_DTYPE_COUNT));
    for (int64_t i = 0; i < type->shape.rank; i++) {
        REQUIRE(type->shape.dims[i].size >= -1);
        REQUIRE(type->shape.dims[i].name == NULL || type->shape.dims[i].size == -1);
        check_span(model, type->shape.dims[i].span);
    }
}

static void check_tensor(const sg_graph_model *model, const sg_graph_tensor *tensor)
{
    REQUIRE(tensor->name != NULL);
    REQUIRE(tensor->type.is_tensor && tensor->type.shape.has_rank);
    REQUIRE(tensor->count >= 0 && tensor->count <= SG_GRAPH_VALUES_MAX);
    check_span(model, tensor->span);
    check_type(model, &tensor->type);
    int64_t read = 0;
    for (int64_t i = 0; i < tensor->count; i++) {
        check_span(model, tensor->spans[i]);
        switch (tensor->kind) {
        case SG_GRAPH_VALUES_INTS:
            read += tensor->ints[i] != 0;
            break;
        case SG_GRAPH_VALUES_FLOATS:
            read += tensor->floats[i] < 0;
            break;
        default:
            REQUIRE(tensor->kind == SG_GRAPH_VALUES_TEXTS && tensor->texts[i] != NULL);
            break;
        }
    }
    REQUIRE(read <= tensor->count);
}

static void check_graph(const sg_graph_model *model, const sg_graph *graph);

static void check_attribute(const sg_graph_model *model, const sg_graph_attribute *attribute)
{
    REQUIRE(attribute->name != NULL);
    check_span(model, attribute->span);
    if (attribute->kind == SG_GRAPH_ATTRIBUTE_TENSOR) {
        check_tensor(model, attribute->tensor);
        return;
    }
    for (int64_t i = 0; i < attribute->count; i++) {
        check_span(model, attribute->spans[i]);
        if (attribute->kind == SG_GRAPH_ATTRIBUTE_GRAPH) {
            check_graph(model, attribute->graphs[i]);
        } else if (attribute->texts != NULL) {
            REQUIRE(attribute->texts[i] != NULL);
        } else {
            REQUIRE(attribute->ints != NULL || attribute->floats != NULL);
        }
    }
}

static void check_infos(const sg_graph_model *model, const sg_graph_info *infos, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        REQUIRE(infos[i].name != NULL);
        check_span(model, infos[i].span);
        check_type(model, &infos[i].type);
    }
}

/* Nested at most SG_ONNX_TEXT_DEPTH deep. */
static void check_graph(const sg_graph_model *model, const sg_graph *graph)
{
    REQUIRE(graph->name != NULL);
    check_span(model, graph->span);
    check_infos(model, graph->inputs, graph->ninputs);
    check_infos(model, graph->outputs, graph->noutputs);
    check_infos(model, graph->infos, graph->ninfos);
    for (int64_t i = 0; i < graph->ninitializers; i++) {
        check_tensor(model, &graph->initializers[i]);
    }
    for (int64_t i = 0; i < graph->nnodes; i++) {
        const sg_graph_node *node = &graph->nodes[i];
        REQUIRE(node->name && node->op_type && node->domain && node->overload);
        check_span(model, node->span);
        for (int64_t k = 0; k < node->ninputs; k++) {
            REQUIRE(node->inputs[k] != NULL);
            check_span(model, node->input_spans[k]);
        }
        for (int64_t k = 0; k < node->noutputs; k++) {
            REQUIRE(node->outputs[k] != NULL);
            check_span(model, node->output_spans[k]);
        }
        for (int64_t k = 0; k < node->nattributes; k++) {
            check_attribute(model, &node->attributes[k]);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    sg_arena arena;
    sg_diag diag;
    sg_arena_init(&arena);
    sg_diag_init(&diag, &arena);
    (void)sg_onnx_is_text((const char *)data, size);
    const sg_source *source = sg_source_new(&arena, "m.onnxtxt", (const char *)data, size);
    const sg_graph_model *model = sg_onnx_read_text(&arena, &diag, source, NULL, NULL);
    REQUIRE((model == NULL) == (diag.errors > 0));
    if (model != NULL) {
        check_graph(model, &model->graph);
        for (int64_t i = 0; i < model->nfunctions; i++) {
            const sg_graph_function *function = &model->functions[i];
            check_graph(model, &function->body);
            for (int64_t k = 0; k < function->ndefaults; k++) {
                check_attribute(model, &function->defaults[k]);
            }
        }
    }
    /* Checks the diagnostics and their renderings; there are no ops. */
    const sg_op_array none = {0};
    fuzz_pipeline(&arena, &diag, model != NULL, &none);
    sg_arena_free(&arena);
    return 0;
}
