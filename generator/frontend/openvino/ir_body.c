/* Bodies of If, Loop and TensorIterator, and the maps between the ports of a layer and of its
 * bodies. */
#include "shapes/graph_build.h"
#include "frontend/openvino/ir.h"
#include "frontend/openvino/ir_reader.h"

#include <string.h>

typedef struct body_names {
    const char *body;
    const char *map;
    const char *edges; /* NULL: the body has no iterations */
} body_names;

/* Adds an attribute of this many integers to a node, and returns where to store them. */
static int64_t *add_ints(sg_ir_reader *reader, sg_graph_node *node, const char *name,
                         int64_t numbers, sg_span span)
{
    int64_t *ints = SG_NEW_ARRAY(reader->arena, int64_t, numbers);
    *SG_GRAPH_APPEND(reader->arena, node->attributes, node->nattributes) = (sg_graph_attribute){
        .name = name,
        .kind = SG_GRAPH_ATTRIBUTE_INTS,
        .count = numbers,
        .ints = ints,
        .span = span,
    };
    return ints;
}

/* The position of a Parameter in the body's inputs, or of a Result in its outputs. */
static bool inner_place(sg_ir_reader *reader, const sg_ir_net *body, const sg_xml_element *entry,
                        const char *attribute, sg_ir_kind kind, int64_t *out)
{
    int64_t id;
    SG_TRY(sg_ir_number(reader, entry, attribute, 0, &id));
    const sg_ir_layer *layer = sg_ir_layer_of(body, id);
    if (!layer || layer->kind != kind) {
        return sg_diag_error(reader->diag, sg_xml_attribute_of(entry, attribute)->span,
                             "%s=\"%lld\" must be a %s of the body, but %s%s", attribute,
                             (long long)id, kind == SG_IR_PARAMETER ? "Parameter" : "Result",
                             layer ? "that layer is a " : "the body has no such layer",
                             layer ? layer->type : "");
    }
    *out = layer->place;
    return true;
}

/* Reads an attribute that may be absent. */
static bool optional(sg_ir_reader *reader, const sg_xml_element *entry, const char *name,
                     int64_t otherwise, int64_t *out)
{
    *out = otherwise;
    return !sg_xml_attribute_of(entry, name) || sg_ir_number(reader, entry, name, INT64_MIN, out);
}

static bool read_entry(sg_ir_reader *reader, const sg_ir_net *net, const sg_ir_layer *layer,
                       const sg_ir_net *body, const sg_xml_element *entry, bool is_output,
                       int64_t *row)
{
    int64_t port;
    SG_TRY(sg_ir_number(reader, entry, "external_port_id", -1, &port));
    row[SG_OPENVINO_PORT_OUTER] = -1;
    if (port >= 0) {
        int64_t place = sg_ir_port_of(net, layer, is_output, port);
        if (place < 0) {
            return sg_diag_error(reader->diag, sg_xml_attribute_of(entry, "external_port_id")->span,
                                 "'%s' has no %s port with the id %lld", layer->name,
                                 is_output ? "output" : "input", (long long)port);
        }
        row[SG_OPENVINO_PORT_OUTER] = place;
    }
    SG_TRY(inner_place(reader, body, entry, "internal_layer_id",
                       is_output ? SG_IR_RESULT : SG_IR_PARAMETER, &row[SG_OPENVINO_PORT_INNER]));
    row[SG_OPENVINO_PORT_SLICED] = sg_xml_attribute_of(entry, "axis") != NULL;
    SG_TRY(optional(reader, entry, "axis", 0, &row[SG_OPENVINO_PORT_AXIS]));
    SG_TRY(optional(reader, entry, "start", 0, &row[SG_OPENVINO_PORT_START]));
    SG_TRY(optional(reader, entry, "end", -1, &row[SG_OPENVINO_PORT_END]));
    SG_TRY(optional(reader, entry, "stride", 1, &row[SG_OPENVINO_PORT_STRIDE]));
    return optional(reader, entry, "part_size", 1, &row[SG_OPENVINO_PORT_PART]);
}

static bool read_map(sg_ir_reader *reader, const sg_ir_net *net, const sg_ir_layer *layer,
                     const sg_ir_net *body, const char *name, sg_graph_node *node)
{
    const sg_xml_element *map = sg_xml_child(layer->element, name);
    if (!map) {
        return true;
    }
    for (int is_output = 0; is_output < 2; is_output++) {
        const char *word = is_output ? "output" : "input";
        int64_t rows = sg_xml_count(map, word);
        int64_t *row = add_ints(reader, node, sg_arena_printf(reader->arena, "%s_%ss", name, word),
                                rows * SG_OPENVINO_PORT_COLUMNS, map->span);
        const sg_xml_element *entry = sg_xml_child(map, word);
        for (int64_t i = 0; i < rows; i++, entry = sg_xml_this_or_next(entry->next, word)) {
            SG_TRY(read_entry(reader, net, layer, body, entry, is_output, row));
            row += SG_OPENVINO_PORT_COLUMNS;
        }
    }
    return true;
}

static bool read_back_edges(sg_ir_reader *reader, const sg_ir_layer *layer, const sg_ir_net *body,
                            const char *name, sg_graph_node *node)
{
    const sg_xml_element *edges = sg_xml_child(layer->element, name);
    if (!edges) {
        return true;
    }
    int64_t rows = sg_xml_count(edges, "edge");
    int64_t *ends = add_ints(reader, node, name, rows * 2, edges->span);
    const sg_xml_element *edge = sg_xml_child(edges, "edge");
    for (int64_t i = 0; i < rows; i++, edge = sg_xml_this_or_next(edge->next, "edge")) {
        SG_TRY(inner_place(reader, body, edge, "from-layer", SG_IR_RESULT, &ends[2 * i]));
        SG_TRY(inner_place(reader, body, edge, "to-layer", SG_IR_PARAMETER, &ends[2 * i + 1]));
    }
    return true;
}

bool sg_ir_bodies(sg_ir_reader *reader, const sg_ir_net *net, const sg_ir_layer *layer,
                  sg_graph_node *node)
{
    static const body_names all[] = {
        {"body", "port_map", "back_edges"},
        {"then_body", "then_port_map", NULL},
        {"else_body", "else_port_map", NULL},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const sg_xml_element *element = sg_xml_child(layer->element, all[i].body);
        if (!element) {
            continue;
        }
        sg_graph *graph = SG_NEW(reader->arena, sg_graph);
        sg_ir_net body;
        SG_TRY(reader->read_net(reader, element, all[i].body, &body, graph));
        sg_graph_attribute *attribute =
            SG_GRAPH_APPEND(reader->arena, node->attributes, node->nattributes);
        *attribute = (sg_graph_attribute){
            .name = all[i].body, .kind = SG_GRAPH_ATTRIBUTE_GRAPH, .span = element->span};
        *SG_GRAPH_APPEND(reader->arena, attribute->graphs, attribute->count) = graph;
        SG_TRY(read_map(reader, net, layer, &body, all[i].map, node));
        if (all[i].edges) {
            SG_TRY(read_back_edges(reader, layer, &body, all[i].edges, node));
        }
    }
    return true;
}
