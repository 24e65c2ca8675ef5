/* Shared by the files of this folder: the reader, a net that is being read, and the steps of
 * reading. Private to the folder. */
#ifndef SG_FRONTEND_OPENVINO_IR_READER_H
#define SG_FRONTEND_OPENVINO_IR_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "shapes/graph.h"
#include "frontend/openvino/xml.h"

typedef struct sg_ir_reader sg_ir_reader;
typedef struct sg_ir_net sg_ir_net;

struct sg_ir_reader {
    sg_arena *arena;
    sg_diag *diag;
    const sg_source *xml;
    const char *bin_path; /* NULL: there is no file */
    sg_file_list *files;
    int bin;          /* file descriptor; -1: not open */
    int64_t bin_size; /* in bytes */
    int64_t values;   /* how many more values constants may have */
    /* Reads the net or body `element`. *net receives the layers, for lookups by id. Returns false
     * if an error was reported. */
    bool (*read_net)(sg_ir_reader *reader, const sg_xml_element *element, const char *name,
                     sg_ir_net *net, sg_graph *graph);
};

typedef enum sg_ir_kind { SG_IR_NODE, SG_IR_CONST, SG_IR_PARAMETER, SG_IR_RESULT } sg_ir_kind;

typedef struct sg_ir_input {
    const sg_xml_element *port;
    int64_t layer; /* index of the layer that writes it; -1: not connected */
    int64_t output;
    const sg_xml_element *edge;
} sg_ir_input;

typedef struct sg_ir_layer {
    const sg_xml_element *element;
    int64_t id;
    const char *name;
    const char *type;
    sg_ir_kind kind;
    int64_t place; /* a Parameter's position in the graph's inputs, a Result's in its outputs */
    sg_ir_input *inputs;
    int64_t ninputs;
    const sg_xml_element **outputs; /* one port for each output */
    const char **tensors;           /* the name of each output's tensor */
    int64_t noutputs;
} sg_ir_layer;

/* A port, with the key by which it is found. */
typedef struct sg_ir_port {
    int64_t layer;
    bool is_output;
    int64_t id;
    int64_t place; /* position in the layer's inputs or outputs */
    const sg_xml_element *element;
} sg_ir_port;

typedef struct sg_ir_id {
    int64_t id;
    int64_t layer;
} sg_ir_id;

struct sg_ir_net {
    sg_ir_layer *layers;
    int64_t nlayers;
    sg_ir_id *ids;     /* sorted by id */
    sg_ir_port *ports; /* sorted by layer, direction and id */
    int64_t nports;
};

/* NULL if there is none. */
sg_ir_layer *sg_ir_layer_of(const sg_ir_net *net, int64_t id);
/* The position in the layer's inputs or outputs; -1 if there is no such port. */
int64_t sg_ir_port_of(const sg_ir_net *net, const sg_ir_layer *layer, bool is_output, int64_t id);

/* The functions below return false if an error was reported. */

/* Build the indices of a net: first of its layers, then of their ports. */
bool sg_ir_index_layers(sg_ir_reader *reader, sg_ir_net *net) SG_CHECK;
bool sg_ir_index_ports(sg_ir_reader *reader, sg_ir_net *net) SG_CHECK;

/* Reads an attribute that must be a number and at least `least`. */
bool sg_ir_number(sg_ir_reader *reader, const sg_xml_element *element, const char *name,
                  int64_t least, int64_t *out) SG_CHECK;
/* SG_GRAPH_DTYPE_UNKNOWN for an unknown name, with a warning unless the name means that the type is
 * dynamic. */
int sg_ir_dtype(sg_ir_reader *reader, sg_str name, sg_span span);
/* Parses "1,3,?,1..8" or "...". */
bool sg_ir_shape(sg_ir_reader *reader, const sg_xml_attribute *attribute,
                 sg_graph_shape *out) SG_CHECK;
bool sg_ir_port_type(sg_ir_reader *reader, const sg_xml_element *port, sg_graph_type *out) SG_CHECK;
/* Splits "a,b\,c" at unescaped commas. */
void sg_ir_names(sg_ir_reader *reader, const sg_xml_element *element, const char *attribute,
                 sg_graph_info *info);
void sg_ir_attribute(sg_ir_reader *reader, const sg_xml_attribute *attribute,
                     sg_graph_attribute *out);

/* Reads the constant of a Const layer. */
bool sg_ir_const(sg_ir_reader *reader, const sg_ir_layer *layer, sg_graph_tensor *out) SG_CHECK;

/* Adds attributes to a node for the bodies and port maps of its layer. */
bool sg_ir_bodies(sg_ir_reader *reader, const sg_ir_net *net, const sg_ir_layer *layer,
                  sg_graph_node *node) SG_CHECK;

#endif
