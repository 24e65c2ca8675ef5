/* Reads an IR: the layers and edges of a net, their order, the names of tensors, the graph. */
#include "frontend/openvino/ir.h"

#include <string.h>

#include "base/system.h"
#include "shapes/graph_build.h"
#include "frontend/openvino/ir_reader.h"
#include "split/nameset.h"

#define CYCLE_NAMES 6 /* how many layers a message names */

/* --- detection -------------------------------------------------------------------------------- */

static bool begins(const char *text, size_t len, const char *with)
{
    size_t n = strlen(with);
    return len >= n && memcmp(text, with, n) == 0;
}

/* The position after the next `end`; len if there is none. */
static size_t behind(const char *text, size_t at, size_t len, const char *end)
{
    while (at < len && !begins(text + at, len - at, end)) {
        at++;
    }
    return at < len ? at + strlen(end) : len;
}

bool sg_openvino_is_ir(const char *text, size_t len)
{
    size_t at = begins(text, len, "\xEF\xBB\xBF") ? 3 : 0;
    for (;;) {
        while (at < len && sg_is_space((unsigned char)text[at])) {
            at++;
        }
        if (begins(text + at, len - at, "<?")) {
            at = behind(text, at, len, "?>");
        } else if (begins(text + at, len - at, "<!--")) {
            at = behind(text, at, len, "-->");
        } else {
            break;
        }
    }
    if (begins(text + at, len - at, "<!DOCTYPE net")) {
        return true; /* the reader reports it */
    }
    return begins(text + at, len - at, "<net") && at + 4 < len &&
           (sg_is_space((unsigned char)text[at + 4]) || text[at + 4] == '>' || text[at + 4] == '/');
}

/* --- layers, ports and edges ------------------------------------------------------------------ */

static sg_ir_kind kind_of(const char *type)
{
    /* OpenVINO compares the names of operators ignoring case. */
    char small[16] = "";
    for (size_t i = 0; i < sizeof small - 1 && type[i]; i++) {
        small[i] = (char)(type[i] >= 'A' && type[i] <= 'Z' ? type[i] - 'A' + 'a' : type[i]);
    }
    if (strcmp(small, "const") == 0 || strcmp(small, "constant") == 0) {
        return SG_IR_CONST;
    }
    if (strcmp(small, "parameter") == 0) {
        return SG_IR_PARAMETER;
    }
    return strcmp(small, "result") == 0 ? SG_IR_RESULT : SG_IR_NODE;
}

static bool read_layer(sg_ir_reader *reader, const sg_xml_element *element, sg_ir_layer *layer)
{
    layer->element = element;
    SG_TRY(sg_ir_number(reader, element, "id", 0, &layer->id));
    const sg_xml_attribute *type = sg_xml_attribute_of(element, "type");
    const sg_xml_attribute *name = sg_xml_attribute_of(element, "name");
    if (!type || type->len == 0) {
        return sg_diag_error(reader->diag, element->span,
                             "layer %lld has no type, which names its operator",
                             (long long)layer->id);
    }
    layer->type = type->value;
    layer->name = name ? name->value : "";
    layer->kind = kind_of(layer->type);
    const sg_xml_element *inputs = sg_xml_child(element, "input");
    const sg_xml_element *outputs = sg_xml_child(element, "output");
    layer->ninputs = inputs ? sg_xml_count(inputs, "port") : 0;
    layer->noutputs = outputs ? sg_xml_count(outputs, "port") : 0;
    int64_t must_in = layer->kind == SG_IR_RESULT;
    int64_t must_out = layer->kind != SG_IR_RESULT;
    if (layer->kind != SG_IR_NODE && (layer->ninputs != must_in || layer->noutputs != must_out)) {
        return sg_diag_error(reader->diag, element->span,
                             "the %s '%s' must have %lld input and %lld output ports, but has %lld "
                             "and %lld",
                             layer->type, layer->name, (long long)must_in, (long long)must_out,
                             (long long)layer->ninputs, (long long)layer->noutputs);
    }
    layer->inputs = SG_NEW_ARRAY(reader->arena, sg_ir_input, layer->ninputs);
    layer->outputs = SG_NEW_ARRAY(reader->arena, const sg_xml_element *, layer->noutputs);
    layer->tensors = SG_NEW_ARRAY(reader->arena, const char *, layer->noutputs);
    const sg_xml_element *port = inputs ? sg_xml_child(inputs, "port") : NULL;
    for (int64_t i = 0; port; i++, port = sg_xml_this_or_next(port->next, "port")) {
        layer->inputs[i] = (sg_ir_input){.port = port, .layer = -1};
    }
    port = outputs ? sg_xml_child(outputs, "port") : NULL;
    for (int64_t i = 0; port; i++, port = sg_xml_this_or_next(port->next, "port")) {
        layer->outputs[i] = port;
    }
    return true;
}

/* Reads one end of an edge. */
static bool read_end(sg_ir_reader *reader, const sg_ir_net *net, const sg_xml_element *edge,
                     bool is_from, sg_ir_layer **layer, int64_t *place)
{
    const char *layer_word = is_from ? "from-layer" : "to-layer";
    const char *port_word = is_from ? "from-port" : "to-port";
    int64_t id;
    int64_t port;
    SG_TRY(sg_ir_number(reader, edge, layer_word, 0, &id));
    SG_TRY(sg_ir_number(reader, edge, port_word, 0, &port));
    *layer = sg_ir_layer_of(net, id);
    if (!*layer) {
        return sg_diag_error(reader->diag, sg_xml_attribute_of(edge, layer_word)->span,
                             "no layer has the id %lld", (long long)id);
    }
    *place = sg_ir_port_of(net, *layer, is_from, port);
    if (*place < 0) {
        sg_diag_error(reader->diag, sg_xml_attribute_of(edge, port_word)->span,
                      "'%s' has no %s port with the id %lld", (*layer)->name,
                      is_from ? "output" : "input", (long long)port);
        sg_diag_note(reader->diag, (*layer)->element->span, "the layer");
        return false;
    }
    return true;
}

static bool read_edges(sg_ir_reader *reader, sg_ir_net *net, const sg_xml_element *edges)
{
    const sg_xml_element *edge = edges ? sg_xml_child(edges, "edge") : NULL;
    for (; edge; edge = sg_xml_this_or_next(edge->next, "edge")) {
        sg_ir_layer *from;
        sg_ir_layer *to;
        int64_t output;
        int64_t input;
        SG_TRY(read_end(reader, net, edge, true, &from, &output));
        SG_TRY(read_end(reader, net, edge, false, &to, &input));
        sg_ir_input *end = &to->inputs[input];
        if (end->layer >= 0) {
            sg_diag_error(
                reader->diag, edge->span,
                "input %lld of '%s' gets '%s' by this edge and '%s' by another: remove one",
                (long long)input, to->name, from->name, net->layers[end->layer].name);
            sg_diag_note(reader->diag, end->edge->span, "the other edge");
            return false;
        }
        end->layer = from - net->layers;
        end->output = output;
        end->edge = edge;
    }
    return true;
}

static bool read_layers(sg_ir_reader *reader, const sg_xml_element *element, sg_ir_net *net)
{
    *net = (sg_ir_net){0};
    const sg_xml_element *layers = sg_xml_child(element, "layers");
    if (!layers) {
        return sg_diag_error(reader->diag, element->span,
                             "<%s> has no <layers>: is this a model of OpenVINO?", element->name);
    }
    net->nlayers = sg_xml_count(layers, "layer");
    net->layers = SG_NEW_ARRAY(reader->arena, sg_ir_layer, net->nlayers);
    const sg_xml_element *layer = sg_xml_child(layers, "layer");
    for (int64_t i = 0; layer; i++, layer = sg_xml_this_or_next(layer->next, "layer")) {
        SG_TRY(read_layer(reader, layer, &net->layers[i]));
    }
    SG_TRY(sg_ir_index_layers(reader, net));
    SG_TRY(sg_ir_index_ports(reader, net));
    return read_edges(reader, net, sg_xml_child(element, "edges"));
}

/* --- order ------------------------------------------------------------------------------------ */

static const char *shown(sg_ir_reader *reader, const sg_ir_layer *layer)
{
    return layer->name[0]
               ? layer->name
               : sg_arena_printf(reader->arena, "%s %lld", layer->type, (long long)layer->id);
}

/* cycle: layers, each of which reads the next one, and the last one reads the first. */
static bool cyclic(sg_ir_reader *reader, const sg_ir_net *net, const int64_t *cycle, int64_t count,
                   const sg_xml_element *edge)
{
    if (count == 1) {
        return sg_diag_error(reader->diag, edge->span,
                             "'%s' reads its own output: layers must not form a cycle",
                             shown(reader, &net->layers[cycle[0]]));
    }
    sg_buf names = {0};
    for (int64_t i = 0; i < count && i < CYCLE_NAMES; i++) {
        sg_buf_printf(&names, "%s'%s'", i ? " reads " : "", shown(reader, &net->layers[cycle[i]]));
    }
    if (count > CYCLE_NAMES) {
        sg_buf_printf(&names, " reads %lld more", (long long)(count - CYCLE_NAMES));
    }
    sg_diag_error(reader->diag, edge->span,
                  "layers must not form a cycle: %s, and the last of them reads the first",
                  names.ptr);
    sg_buf_free(&names);
    return false;
}

/* Sorts the layers so that each follows the layers it reads, and otherwise keeps the order of the
 * file. Depth-first with an explicit stack, so that long chains of layers cannot overflow the C
 * stack. */
static bool order_layers(sg_ir_reader *reader, const sg_ir_net *net, int64_t *order)
{
    enum { NEW, OPEN, DONE };
    size_t n = (size_t)net->nlayers;
    unsigned char *state = SG_NEW_ARRAY(reader->arena, unsigned char, n);
    int64_t *next = SG_NEW_ARRAY(reader->arena, int64_t, n);
    int64_t *stack = SG_NEW_ARRAY(reader->arena, int64_t, n);
    int64_t count = 0;
    for (int64_t i = 0; i < net->nlayers; i++) {
        int64_t height = 0;
        if (state[i] == NEW) {
            state[i] = OPEN;
            stack[height++] = i;
        }
        while (height > 0) {
            int64_t top = stack[height - 1];
            const sg_ir_layer *layer = &net->layers[top];
            if (next[top] == layer->ninputs) {
                state[top] = DONE;
                order[count++] = top;
                height--;
                continue;
            }
            const sg_ir_input *input = &layer->inputs[next[top]++];
            if (input->layer < 0 || state[input->layer] == DONE) {
                continue;
            }
            if (state[input->layer] == OPEN) {
                int64_t first = height - 1;
                while (stack[first] != input->layer) {
                    first--;
                }
                return cyclic(reader, net, stack + first, height - first, input->edge);
            }
            state[input->layer] = OPEN;
            stack[height++] = input->layer;
        }
    }
    return true;
}

/* --- the graph -------------------------------------------------------------------------------- */

static void name_tensors(sg_ir_reader *reader, sg_ir_net *net)
{
    sg_nameset names;
    sg_nameset_init(&names, reader->arena);
    for (int64_t i = 0; i < net->nlayers; i++) {
        sg_ir_layer *layer = &net->layers[i];
        const char *base = layer->name;
        if (layer->noutputs > 1 && strlen(base) > SG_OPENVINO_NAME_REPEATED) {
            base = sg_arena_printf(reader->arena, "layer_%lld", (long long)layer->id);
        }
        if (!base[0]) {
            base = sg_arena_printf(reader->arena, "%s_%lld", layer->type, (long long)layer->id);
        }
        for (int64_t k = 0; k < layer->noutputs; k++) {
            const char *name = layer->noutputs == 1
                                   ? base
                                   : sg_arena_printf(reader->arena, "%s:%lld", base, (long long)k);
            layer->tensors[k] = sg_nameset_unique(&names, name);
        }
    }
}

static bool read_info(sg_ir_reader *reader, const sg_xml_element *port, const char *name,
                      sg_graph_info *info)
{
    *info = (sg_graph_info){.name = name, .span = port->span};
    sg_ir_names(reader, port, "names", info);
    return sg_ir_port_type(reader, port, &info->type);
}

static bool read_parameter(sg_ir_reader *reader, const sg_ir_layer *layer, sg_graph_info *info)
{
    SG_TRY(read_info(reader, layer->outputs[0], layer->tensors[0], info));
    info->span = layer->element->span;
    const sg_xml_element *data = sg_xml_child(layer->element, "data");
    const sg_xml_attribute *type = data ? sg_xml_attribute_of(data, "element_type") : NULL;
    const sg_xml_attribute *shape = data ? sg_xml_attribute_of(data, "shape") : NULL;
    if (type) {
        info->type.dtype = sg_ir_dtype(reader, (sg_str){type->value, type->len}, type->span);
    }
    return !shape || sg_ir_shape(reader, shape, &info->type.shape);
}

static bool read_result(sg_ir_reader *reader, const sg_ir_net *net, const sg_ir_layer *layer,
                        sg_graph_info *info)
{
    const sg_ir_input *input = &layer->inputs[0];
    if (input->layer < 0) {
        return sg_diag_error(reader->diag, layer->element->span,
                             "no edge leads to the Result '%s', so the model has nothing to yield",
                             layer->name);
    }
    const sg_ir_layer *from = &net->layers[input->layer];
    *info = (sg_graph_info){.name = from->tensors[input->output], .span = layer->element->span};
    sg_ir_names(reader, layer->element, "output_names", info);
    return sg_ir_port_type(reader, input->port, &info->type);
}

/* The N of "opsetN"; 0 for another operator set. */
static int64_t opset_of(const sg_xml_element *layer)
{
    const sg_xml_attribute *version = sg_xml_attribute_of(layer, "version");
    int64_t opset = 0;
    if (version && begins(version->value, version->len, "opset") &&
        sg_parse_int64((sg_str){version->value + 5, version->len - 5}, &opset) && opset > 0) {
        return opset;
    }
    return 0;
}

static bool read_node(sg_ir_reader *reader, const sg_ir_net *net, const sg_ir_layer *layer,
                      sg_graph_node *node)
{
    *node = (sg_graph_node){
        .name = layer->name,
        .op_type = layer->type,
        .domain = "openvino",
        .overload = "",
        .opset = opset_of(layer->element),
        .inputs = SG_NEW_ARRAY(reader->arena, const char *, layer->ninputs),
        .ninputs = layer->ninputs,
        .input_spans = SG_NEW_ARRAY(reader->arena, sg_span, layer->ninputs),
        .outputs = layer->tensors,
        .noutputs = layer->noutputs,
        .output_spans = SG_NEW_ARRAY(reader->arena, sg_span, layer->noutputs),
        .span = layer->element->span,
    };
    for (int64_t i = 0; i < layer->ninputs; i++) {
        const sg_ir_input *input = &layer->inputs[i];
        bool given = input->layer >= 0;
        node->inputs[i] = given ? net->layers[input->layer].tensors[input->output] : "";
        node->input_spans[i] = given ? input->edge->span : input->port->span;
    }
    for (int64_t i = 0; i < layer->noutputs; i++) {
        node->output_spans[i] = layer->outputs[i]->span;
    }
    const sg_xml_element *data = sg_xml_child(layer->element, "data");
    for (size_t i = 0; data != NULL && i < data->nattributes; i++) {
        sg_ir_attribute(reader, &data->attributes[i],
                        SG_GRAPH_APPEND(reader->arena, node->attributes, node->nattributes));
    }
    return sg_ir_bodies(reader, net, layer, node);
}

/* Reads inputs, outputs and constants, and sets the place of each Parameter and Result. Nodes need
 * the sorted order, so they are read later. */
static bool fill_ends(sg_ir_reader *reader, sg_ir_net *net, sg_graph *graph)
{
    sg_arena *arena = reader->arena;
    for (int64_t i = 0; i < net->nlayers; i++) {
        sg_ir_layer *layer = &net->layers[i];
        if (layer->kind == SG_IR_PARAMETER) {
            layer->place = graph->ninputs;
            SG_TRY(read_parameter(reader, layer,
                                  SG_GRAPH_APPEND(arena, graph->inputs, graph->ninputs)));
        } else if (layer->kind == SG_IR_CONST) {
            SG_TRY(sg_ir_const(reader, layer,
                               SG_GRAPH_APPEND(arena, graph->initializers, graph->ninitializers)));
        } else if (layer->kind == SG_IR_RESULT) {
            layer->place = graph->noutputs;
            SG_TRY(read_result(reader, net, layer,
                               SG_GRAPH_APPEND(arena, graph->outputs, graph->noutputs)));
        }
    }
    return true;
}

static bool read_net(sg_ir_reader *reader, const sg_xml_element *element, const char *name,
                     sg_ir_net *net, sg_graph *graph)
{
    SG_TRY(read_layers(reader, element, net));
    int64_t *order = SG_NEW_ARRAY(reader->arena, int64_t, net->nlayers);
    SG_TRY(order_layers(reader, net, order));
    name_tensors(reader, net);
    *graph = (sg_graph){.name = name, .span = element->span};
    SG_TRY(fill_ends(reader, net, graph));
    for (int64_t i = 0; i < net->nlayers; i++) {
        const sg_ir_layer *layer = &net->layers[order[i]];
        if (layer->kind != SG_IR_NODE) {
            continue;
        }
        SG_TRY(read_node(reader, net, layer,
                         SG_GRAPH_APPEND(reader->arena, graph->nodes, graph->nnodes)));
        for (int64_t k = 0; k < layer->noutputs; k++) {
            SG_TRY(read_info(reader, layer->outputs[k], layer->tensors[k],
                             SG_GRAPH_APPEND(reader->arena, graph->infos, graph->ninfos)));
        }
    }
    return true;
}

static bool read_model(sg_ir_reader *reader, sg_graph_model *model)
{
    const sg_xml_element *root = sg_xml_read(reader->arena, reader->diag, reader->xml);
    SG_TRY(root != NULL);
    if (strcmp(root->name, "net") != 0) {
        return sg_diag_error(reader->diag, root->span,
                             "a model of OpenVINO begins with <net>, but this is <%s>", root->name);
    }
    SG_TRY(sg_ir_number(reader, root, "version", 0, &model->version));
    if (model->version > 11) {
        return sg_diag_error(
            reader->diag, sg_xml_attribute_of(root, "version")->span,
            "this is version %lld of the IR, which is newer than the versions 10 and "
            "11 that are read: save the model with an OpenVINO that writes one of "
            "them, or as ONNX",
            (long long)model->version);
    }
    if (model->version < 10) {
        return sg_diag_error(reader->diag, sg_xml_attribute_of(root, "version")->span,
                             "this is version %lld of the IR, and 10 and 11 are read: convert the "
                             "model again, with a newer OpenVINO",
                             (long long)model->version);
    }
    const sg_xml_attribute *name = sg_xml_attribute_of(root, "name");
    sg_ir_net net;
    return read_net(reader, root, name ? name->value : "", &net, &model->graph);
}

sg_graph_model *sg_openvino_read(sg_arena *arena, sg_diag *diag, const sg_source *xml,
                                 const char *bin_path, sg_file_list *files)
{
    sg_ir_reader reader = {
        .arena = arena,
        .diag = diag,
        .xml = xml,
        .bin_path = bin_path,
        .files = files,
        .read_net = read_net,
        .bin = -1,
        .values = (int64_t)xml->len,
    };
    sg_graph_model *model = SG_NEW(arena, sg_graph_model);
    model->format = SG_MODEL_OPENVINO;
    model->source = xml;
    const char *rule = sg_diag_set_rule(diag, "model");
    bool ok = read_model(&reader, model);
    sg_diag_set_rule(diag, rule);
    if (reader.bin >= 0) {
        sg_system_close(reader.bin);
    }
    return ok ? model : NULL;
}
