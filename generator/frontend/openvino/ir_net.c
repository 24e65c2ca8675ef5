/* Finds the layers and ports of a net by their ids, which must be unique. */
#include "frontend/openvino/ir_reader.h"

#include <stdlib.h>

static int compare_ids(const void *a, const void *b)
{
    const sg_ir_id *x = a;
    const sg_ir_id *y = b;
    if (x->id != y->id) {
        return x->id < y->id ? -1 : 1;
    }
    return (x->layer > y->layer) - (x->layer < y->layer);
}

/* Compares the keys by which ports are looked up. */
static int compare_keys(const sg_ir_port *x, const sg_ir_port *y)
{
    if (x->layer != y->layer) {
        return x->layer < y->layer ? -1 : 1;
    }
    if (x->is_output != y->is_output) {
        return x->is_output ? 1 : -1;
    }
    return (x->id > y->id) - (x->id < y->id);
}

static int compare_ports(const void *a, const void *b)
{
    const sg_ir_port *x = a;
    const sg_ir_port *y = b;
    int order = compare_keys(x, y);
    return order ? order : (x->place > y->place) - (x->place < y->place);
}

sg_ir_layer *sg_ir_layer_of(const sg_ir_net *net, int64_t id)
{
    int64_t low = 0;
    int64_t high = net->nlayers;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (net->ids[middle].id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool found = low < net->nlayers && net->ids[low].id == id;
    return found ? &net->layers[net->ids[low].layer] : NULL;
}

int64_t sg_ir_port_of(const sg_ir_net *net, const sg_ir_layer *layer, bool is_output, int64_t id)
{
    const sg_ir_port key = {.layer = layer - net->layers, .is_output = is_output, .id = id};
    int64_t low = 0;
    int64_t high = net->nports;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (compare_keys(&net->ports[middle], &key) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool found = low < net->nports && compare_keys(&net->ports[low], &key) == 0;
    return found ? net->ports[low].place : -1;
}

bool sg_ir_index_layers(sg_ir_reader *reader, sg_ir_net *net)
{
    net->ids = SG_NEW_ARRAY(reader->arena, sg_ir_id, net->nlayers);
    for (int64_t i = 0; i < net->nlayers; i++) {
        net->ids[i] = (sg_ir_id){net->layers[i].id, i};
    }
    qsort(net->ids, (size_t)net->nlayers, sizeof *net->ids, compare_ids);
    for (int64_t i = 1; i < net->nlayers; i++) {
        if (net->ids[i].id == net->ids[i - 1].id) {
            const sg_ir_layer *first = &net->layers[net->ids[i - 1].layer];
            const sg_ir_layer *again = &net->layers[net->ids[i].layer];
            sg_diag_error(reader->diag, sg_xml_attribute_of(again->element, "id")->span,
                          "'%s' has the id %lld, and so has '%s': ids must differ", again->name,
                          (long long)again->id, first->name);
            sg_diag_note(reader->diag, first->element->span, "the other layer");
            return false;
        }
    }
    return true;
}

static bool add_port(sg_ir_reader *reader, sg_ir_net *net, sg_ir_port port)
{
    SG_TRY(sg_ir_number(reader, port.element, "id", 0, &port.id));
    net->ports[net->nports++] = port;
    return true;
}

bool sg_ir_index_ports(sg_ir_reader *reader, sg_ir_net *net)
{
    int64_t count = 0;
    for (int64_t i = 0; i < net->nlayers; i++) {
        count += net->layers[i].ninputs + net->layers[i].noutputs;
    }
    net->ports = SG_NEW_ARRAY(reader->arena, sg_ir_port, count);
    for (int64_t i = 0; i < net->nlayers; i++) {
        const sg_ir_layer *layer = &net->layers[i];
        for (int64_t k = 0; k < layer->ninputs; k++) {
            sg_ir_port port = {.layer = i, .place = k, .element = layer->inputs[k].port};
            SG_TRY(add_port(reader, net, port));
        }
        for (int64_t k = 0; k < layer->noutputs; k++) {
            sg_ir_port port = {
                .layer = i, .is_output = true, .place = k, .element = layer->outputs[k]};
            SG_TRY(add_port(reader, net, port));
        }
    }
    qsort(net->ports, (size_t)count, sizeof *net->ports, compare_ports);
    for (int64_t i = 1; i < count; i++) {
        const sg_ir_port *port = &net->ports[i];
        if (compare_keys(&net->ports[i - 1], port) == 0) {
            return sg_diag_error(reader->diag, sg_xml_attribute_of(port->element, "id")->span,
                                 "'%s' has two %s ports with the id %lld",
                                 net->layers[port->layer].name,
                                 port->is_output ? "output" : "input", (long long)port->id);
        }
    }
    return true;
}
