/* Fuzzes the reader of OpenVINO's IR: the text of an .xml, a NUL byte, which XML cannot contain,
 * and the bytes of its .bin. Checks the contract of frontend/openvino/ir.h for the model. */
#include "fuzz_pipeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frontend/openvino/ir.h"
#include "require.h"
#include "split/nameset.h"

/* Memory allowed per byte of the files, and for an empty file. */
#define BYTES_PER_BYTE 256
#define BYTES_AT_LEAST 8192

static void check_type(const sg_graph_type *type)
{
    REQUIRE(type->is_tensor);
    REQUIRE(type->dtype >= SG_GRAPH_DTYPE_UNKNOWN && type->dtype < SG_DTYPE_COUNT);
    REQUIRE(type->shape.has_rank || type->shape.rank == 0);
    for (int64_t i = 0; i < type->shape.rank; i++) {
        REQUIRE(type->shape.dims[i].size >= -1);
    }
}

static void bind(sg_nameset *names, const char *name)
{
    REQUIRE(name && name[0] && !sg_nameset_find(names, name));
    sg_nameset_add(names, name, 0);
}

static void check_info(const sg_graph_info *info)
{
    check_type(&info->type);
    for (int64_t i = 0; i < info->naliases; i++) {
        REQUIRE(info->aliases[i]);
    }
}

static void check_tensor(const sg_graph_tensor *tensor)
{
    check_type(&tensor->type);
    REQUIRE(tensor->count >= 0 && tensor->count <= SG_GRAPH_VALUES_MAX);
    REQUIRE(tensor->kind != SG_GRAPH_VALUES_NONE || tensor->count == 0);
    for (int64_t i = 0; i < tensor->count && tensor->kind == SG_GRAPH_VALUES_TEXTS; i++) {
        REQUIRE(tensor->texts[i]);
    }
}

static void check_graph(sg_arena *arena, const sg_graph *graph);

static const int64_t *ints_of(const sg_graph_node *node, const char *name, int64_t *count)
{
    for (int64_t i = 0; i < node->nattributes; i++) {
        const sg_graph_attribute *attribute = &node->attributes[i];
        if (strcmp(attribute->name, name) == 0 && attribute->kind == SG_GRAPH_ATTRIBUTE_INTS) {
            *count = attribute->count;
            return attribute->ints;
        }
    }
    *count = 0;
    return NULL;
}

static void check_map(const sg_graph_node *node, const char *name, int64_t outer, int64_t inner)
{
    int64_t count;
    const int64_t *row = ints_of(node, name, &count);
    REQUIRE(count % SG_OPENVINO_PORT_COLUMNS == 0);
    for (; count > 0; count -= SG_OPENVINO_PORT_COLUMNS, row += SG_OPENVINO_PORT_COLUMNS) {
        REQUIRE(row[SG_OPENVINO_PORT_OUTER] >= -1 && row[SG_OPENVINO_PORT_OUTER] < outer);
        REQUIRE(row[SG_OPENVINO_PORT_INNER] >= 0 && row[SG_OPENVINO_PORT_INNER] < inner);
    }
}

static void check_attribute(sg_arena *arena, const sg_graph_node *node,
                            const sg_graph_attribute *attribute)
{
    REQUIRE(attribute->count >= 0);
    if (attribute->kind != SG_GRAPH_ATTRIBUTE_GRAPH) {
        return;
    }
    const sg_graph *body = attribute->graphs[0];
    check_graph(arena, body);
    if (strcmp(attribute->name, "body") == 0) {
        check_map(node, "port_map_inputs", node->ninputs, body->ninputs);
        check_map(node, "port_map_outputs", node->noutputs, body->noutputs);
    }
}

static void check_graph(sg_arena *arena, const sg_graph *graph)
{
    sg_nameset names;
    sg_nameset_init(&names, arena);
    for (int64_t i = 0; i < graph->ninputs; i++) {
        check_info(&graph->inputs[i]);
        bind(&names, graph->inputs[i].name);
    }
    for (int64_t i = 0; i < graph->ninitializers; i++) {
        check_tensor(&graph->initializers[i]);
        bind(&names, graph->initializers[i].name);
    }
    for (int64_t i = 0; i < graph->nnodes; i++) {
        const sg_graph_node *node = &graph->nodes[i];
        REQUIRE(node->op_type[0] && node->opset >= 0);
        for (int64_t k = 0; k < node->ninputs; k++) {
            REQUIRE(!node->inputs[k][0] || sg_nameset_find(&names, node->inputs[k]));
            REQUIRE(node->input_spans[k].source);
        }
        for (int64_t k = 0; k < node->noutputs; k++) {
            bind(&names, node->outputs[k]);
        }
        for (int64_t k = 0; k < node->nattributes; k++) {
            check_attribute(arena, node, &node->attributes[k]);
        }
    }
    for (int64_t i = 0; i < graph->ninfos; i++) {
        check_info(&graph->infos[i]);
        REQUIRE(sg_nameset_find(&names, graph->infos[i].name));
    }
    for (int64_t i = 0; i < graph->noutputs; i++) {
        check_info(&graph->outputs[i]);
        REQUIRE(sg_nameset_find(&names, graph->outputs[i].name));
    }
}

/* A scratch file with these bytes; its name replaces the X's of `path`. */
static void write_bin(char *path, const uint8_t *bytes, size_t size)
{
    int fd = mkstemp(path);
    REQUIRE(fd >= 0);
    REQUIRE(write(fd, bytes, size) == (ssize_t)size);
    close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *nul = size ? memchr(data, '\0', size) : NULL;
    size_t len = nul ? (size_t)(nul - data) : size;
    char path[] = "/tmp/splitgen_fuzz_ir_XXXXXX";
    if (nul) {
        write_bin(path, nul + 1, size - len - 1);
    }
    sg_arena arena;
    sg_diag diag;
    sg_file_list files = {0};
    sg_arena_init(&arena);
    sg_diag_init(&diag, &arena);
    sg_openvino_is_ir((const char *)data, len);
    const sg_source *source = sg_source_new(&arena, "<command line>", (const char *)data, len);
    sg_graph_model *model =
        sg_openvino_read(&arena, &diag, source, nul ? path : FUZZ_FOLDER "model.bin", &files);
    if (nul) {
        unlink(path);
    }
    REQUIRE(arena.total <= BYTES_PER_BYTE * size + BYTES_AT_LEAST);
    REQUIRE(files.count <= 1);
    if (model) {
        check_graph(&arena, &model->graph);
    }
    const sg_op_array none = {0};
    fuzz_pipeline(&arena, &diag, model != NULL, &none);
    sg_arena_free(&arena);
    return 0;
}
