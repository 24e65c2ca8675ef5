/* Small queries about a model in memory. */
#include "shapes/graph.h"

#include <string.h>

#include "base/checked.h"
#include "split/nameset.h"

bool sg_graph_is_onnx(const sg_graph_node *node)
{
    return node->domain[0] == '\0' || strcmp(node->domain, "ai.onnx") == 0;
}

bool sg_graph_is_openvino(const sg_graph_node *node)
{
    return strcmp(node->domain, "openvino") == 0;
}

const char *sg_graph_attribute_type_name(int64_t type)
{
    static const char *const names[] = {
#define X(name, word, field, wire, kind, list) #name,
#include "shapes/attribute_types.inc"
#undef X
    };
    return type >= 0 && type < SG_GRAPH_TYPE_COUNT ? names[type] : "unknown";
}

const sg_graph_attribute *sg_graph_attribute_of(const sg_graph_node *node, const char *name)
{
    for (int64_t i = 0; i < node->nattributes; ++i) {
        if (strcmp(node->attributes[i].name, name) == 0) {
            return &node->attributes[i];
        }
    }
    return NULL;
}

const sg_graph_info *sg_graph_info_of(const sg_graph_info *infos, int64_t count, const char *name)
{
    for (int64_t i = 0; i < count; ++i) {
        if (strcmp(infos[i].name, name) == 0) {
            return &infos[i];
        }
    }
    return NULL;
}

bool sg_graph_has_room(const sg_arena *arena, sg_diag *diag, sg_span span)
{
    return sg_arena_left(arena) > 0 ||
           sg_diag_fail(diag, SG_EXIT_BUDGET, span,
                        "up to here the model takes all memory that is left to the spec; if it is "
                        "meant to, raise --max-memory");
}

bool sg_graph_elements(const sg_graph_shape *shape, int64_t *elements)
{
    if (!shape->has_rank) {
        return false;
    }
    int64_t product = 1;
    bool empty = false;
    bool fits = true;
    for (int64_t i = 0; i < shape->rank; ++i) {
        if (shape->dims[i].size < 0) {
            return false;
        }
        empty = empty || shape->dims[i].size == 0;
        fits = fits && sg_mul64(product, shape->dims[i].size, &product);
    }
    /* A tensor with an empty dim has no elements, however large the others are. */
    *elements = empty ? 0 : product;
    return empty || fits;
}

const char *sg_graph_node_name(const sg_graph_node *node)
{
    if (node->name[0] != '\0') {
        return node->name;
    }
    for (int64_t i = 0; i < node->noutputs; ++i) {
        if (node->outputs[i][0] != '\0') {
            return node->outputs[i];
        }
    }
    return node->op_type;
}

const sg_graph *sg_graph_within(const sg_graph_node *node, sg_graph_cursor *cursor)
{
    for (; cursor->attribute < node->nattributes; ++cursor->attribute, cursor->graph = 0) {
        const sg_graph_attribute *attribute = &node->attributes[cursor->attribute];
        const bool graphs = attribute->kind == SG_GRAPH_ATTRIBUTE_GRAPH ||
                            attribute->kind == SG_GRAPH_ATTRIBUTE_GRAPHS;
        if (graphs && cursor->graph < attribute->count) {
            return attribute->graphs[cursor->graph++];
        }
    }
    return NULL;
}

/* The names that a graph within a node has bound so far, and those of the graphs around it. */
typedef struct bound {
    const struct bound *outer; /* NULL: it is directly within the node */
    int depth;
    sg_nameset names;
} bound;

static void bind(bound *to, const char *name)
{
    if (name[0] != '\0' && sg_nameset_find(&to->names, name) == NULL) {
        sg_nameset_add(&to->names, name, 0);
    }
}

typedef struct inner_reader {
    sg_arena *arena;
    void (*see)(void *context, const char *name);
    void *context;
} inner_reader;

static void read_name(const inner_reader *r, const bound *at, const char *name)
{
    while (at != NULL && sg_nameset_find(&at->names, name) == NULL) {
        at = at->outer;
    }
    if (at == NULL) {
        r->see(r->context, name);
    }
}

static void inner_reads(const inner_reader *r, const sg_graph_node *node, const bound *outer)
{
    const sg_graph *within = NULL;
    sg_graph_cursor at = {0};
    bound own = {.outer = outer, .depth = outer != NULL ? outer->depth + 1 : 1};
    while (own.depth <= SG_GRAPH_NESTING && !sg_graph_is_openvino(node) &&
           (within = sg_graph_within(node, &at)) != NULL) {
        sg_nameset_init(&own.names, r->arena);
        for (int64_t i = 0; i < within->ninputs; ++i) {
            bind(&own, within->inputs[i].name);
        }
        for (int64_t i = 0; i < within->ninitializers; ++i) {
            bind(&own, within->initializers[i].name);
        }
        for (int64_t n = 0; n < within->nnodes; ++n) {
            const sg_graph_node *inner = &within->nodes[n];
            for (int64_t i = 0; i < inner->ninputs; ++i) {
                read_name(r, &own, inner->inputs[i]);
            }
            inner_reads(r, inner, &own);
            for (int64_t o = 0; o < inner->noutputs; ++o) {
                bind(&own, inner->outputs[o]);
            }
        }
        for (int64_t o = 0; o < within->noutputs; ++o) {
            read_name(r, &own, within->outputs[o].name);
        }
    }
}

void sg_graph_inner_reads(sg_arena *arena, const sg_graph_node *node,
                          void (*see)(void *context, const char *name), void *context)
{
    inner_reads(&(inner_reader){arena, see, context}, node, NULL);
}
