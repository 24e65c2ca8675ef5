/* What the readers of all formats share. */
#include "shapes/graph_build.h"

#include <string.h>

#include "shapes/element_bits.h"

void *sg_graph_grown(sg_arena *arena, void *list, int64_t count, size_t entry)
{
    const size_t n = (size_t)count;
    if ((n & (n - 1)) != 0) {
        return list;
    }
    void *more = sg_arena_array(arena, n == 0 ? 1 : 2 * n, entry);
    if (n > 0) {
        memcpy(more, list, n * entry);
    }
    return more;
}

const char *sg_graph_domain(const char *domain)
{
    return strcmp(domain, "ai.onnx") == 0 ? "" : domain;
}

static const sg_graph_attribute_type lists[] = {
#define X(name, word, field, wire, kind, list) SG_GRAPH_TYPE_##list,
#include "shapes/attribute_types.inc"
#undef X
    SG_GRAPH_TYPE_UNDEFINED, /* for SG_GRAPH_TYPE_COUNT */
};

static const sg_graph_attribute_kind kinds[] = {
#define X(name, word, field, wire, kind, list) SG_GRAPH_ATTRIBUTE_##kind,
#include "shapes/attribute_types.inc"
#undef X
    SG_GRAPH_ATTRIBUTE_NONE, /* for SG_GRAPH_TYPE_COUNT */
};

sg_graph_attribute_type sg_graph_list_of(sg_graph_attribute_type type)
{
    return lists[type];
}

sg_graph_attribute_type sg_graph_entry_of(sg_graph_attribute_type type)
{
    for (int i = SG_GRAPH_TYPE_UNDEFINED + 1; i < SG_GRAPH_TYPE_COUNT; i++) {
        if (lists[i] == type && type != SG_GRAPH_TYPE_UNDEFINED) {
            return (sg_graph_attribute_type)i;
        }
    }
    return type;
}

void sg_graph_set_type(sg_graph_attribute *attribute, sg_graph_attribute_type type)
{
    const bool has_value = attribute->count > 0 || lists[type] == SG_GRAPH_TYPE_UNDEFINED;
    attribute->type = type;
    attribute->kind =
        has_value && attribute->count <= SG_GRAPH_LIST_MAX ? kinds[type] : SG_GRAPH_ATTRIBUTE_NONE;
    attribute->count = attribute->kind != SG_GRAPH_ATTRIBUTE_NONE ? attribute->count : 0;
}

sg_graph_type sg_graph_unknown_type(bool is_tensor)
{
    return (sg_graph_type){.is_tensor = is_tensor, .dtype = SG_GRAPH_DTYPE_UNKNOWN};
}

void sg_graph_set_bits(sg_arena *arena, sg_graph_tensor *tensor, const uint64_t *bits, int64_t n)
{
    if (n <= SG_GRAPH_VALUES_MAX) {
        sg_element_values(arena, (sg_dtype)tensor->type.dtype, bits, n, tensor);
    }
    sg_element_keep(arena, tensor, bits, n);
}

void sg_graph_set_raw(sg_arena *arena, sg_graph_tensor *tensor, const unsigned char *raw, int64_t n)
{
    const sg_dtype number = sg_dtype_number((sg_dtype)tensor->type.dtype);
    uint64_t bits[SG_GRAPH_VALUES_MAX];
    for (int64_t i = 0; i < n; i++) {
        bits[i] = sg_element_bits(raw, number, (size_t)i);
    }
    sg_graph_set_bits(arena, tensor, bits, n);
}

static int64_t version_of(const sg_graph_opset *opsets, int64_t count, const char *domain)
{
    while (count > 0 && strcmp(opsets[count - 1].domain, domain) != 0) {
        count--;
    }
    return count > 0 ? opsets[count - 1].version : 0;
}

static void set_versions(sg_graph *graph, const sg_graph_opset *opsets, int64_t count);

static void set_inner(const sg_graph_attribute *attributes, int64_t nattributes,
                      const sg_graph_opset *opsets, int64_t count)
{
    for (int64_t i = 0; i < nattributes; i++) {
        for (int64_t g = 0; attributes[i].graphs != NULL && g < attributes[i].count; g++) {
            set_versions(attributes[i].graphs[g], opsets, count);
        }
    }
}

/* The recursion is bounded because readers limit the nesting of graphs. */
static void set_versions(sg_graph *graph, const sg_graph_opset *opsets, int64_t count)
{
    for (int64_t i = 0; i < graph->nnodes; i++) {
        sg_graph_node *node = &graph->nodes[i];
        node->opset = version_of(opsets, count, node->domain);
        set_inner(node->attributes, node->nattributes, opsets, count);
    }
}

void sg_graph_set_versions(sg_graph_model *model)
{
    set_versions(&model->graph, model->opsets, model->nopsets);
    for (int64_t i = 0; i < model->nfunctions; i++) {
        sg_graph_function *function = &model->functions[i];
        set_versions(&function->body, function->opsets, function->nopsets);
        set_inner(function->defaults, function->ndefaults, function->opsets, function->nopsets);
    }
}
