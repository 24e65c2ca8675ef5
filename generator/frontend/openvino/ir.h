/* ir: reads OpenVINO's intermediate representation, versions 10 and 11: an .xml file with the net
 * and a .bin file with its constants.
 *
 * The format refers to tensors by numbers; the graph needs names. A tensor is named after the layer
 * that writes it: "layer" if that is its only output, else "layer:0", "layer:1" in the order of the
 * output ports. A name that is taken gets "_2", "_3". A layer without a name is called by its type
 * and id. A layer with several outputs whose name has more than SG_OPENVINO_NAME_REPEATED bytes is
 * called "layer_" and its id. Other names in the file (`names` of a port, `output_names` of a
 * Result) become the aliases of the tensor's info.
 *
 *   Parameter      an input of the graph, in the order of the file
 *   Result         an output of the graph, in the order of the file
 *   Const          an initializer
 *   other layers   nodes of the domain "openvino". Each follows the nodes it reads; otherwise they
 * are in the order of the file. op_type is as written in the file and must be compared ignoring
 * case: "ReLU" and "Relu" are the same operator. opset is the N of version="opsetN", else 0. Layers
 * that no Result needs are included; an input without an edge is "". output port    an info: the
 * type, and the shape if the port has any dimension. A port without dimensions may be a scalar or
 * of unknown rank; the format does not distinguish them. <data a="..">  an attribute of the node:
 * INT or FLOAT for one number, INTS or FLOATS for several separated by commas, INTS with count 0
 * for "", else TEXT. For any of the kinds of numbers, `texts` has each as written and `floats` each
 * as a double. <body>, <then_body>, <else_body> attributes of that name, of kind GRAPH. A body does
 * not read tensors outside it. <port_map>, <then_port_map>, <else_port_map> two attributes each,
 * "port_map_inputs" and "port_map_outputs": INTS with one row of SG_OPENVINO_PORT_COLUMNS numbers
 * for each entry <back_edges>   "back_edges": INTS with one row of two numbers for each edge: the
 * position in the body's outputs, and the position in the body's inputs that gets the value in the
 *                  next iteration
 *
 * The .bin file provides the values of constants of at most SG_GRAPH_VALUES_MAX elements: integers,
 * bool, f16, bf16, f32, f64, string, u1, u4 and i4. Other constants have no values: u2, u3 and u6,
 * whose bit order depends on the version of OpenVINO that wrote the file, and the file does not
 * tell which; floats of 8 bits or less; u64 beyond int64. There is also a limit for all constants
 * together, in proportion to the sizes of both files. */
#ifndef SG_FRONTEND_OPENVINO_IR_H
#define SG_FRONTEND_OPENVINO_IR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "shapes/graph.h"

/* A longer name is not repeated for each output of a layer, because that would take memory out of
 * proportion to the file. */
#define SG_OPENVINO_NAME_REPEATED 256

/* A row of a port map of a Loop or TensorIterator: what the body reads in each iteration (inputs),
 * or what the node outputs. */
typedef enum sg_openvino_port_column {
    /* position in the node's inputs or outputs. -1: none; the body's port is the number of the
     * iteration (input) or the condition to continue (output) */
    SG_OPENVINO_PORT_OUTER,
    SG_OPENVINO_PORT_INNER, /* position in the body's inputs or outputs */
    /* 1: for an input, each iteration gets a slice along axis; for an output, the slices of all
     * iterations are concatenated along axis. 0: the whole tensor; the columns that follow are
     * unused */
    SG_OPENVINO_PORT_SLICED,
    SG_OPENVINO_PORT_AXIS,
    SG_OPENVINO_PORT_START,  /* default 0 */
    SG_OPENVINO_PORT_END,    /* the last index, inclusive; default -1 */
    SG_OPENVINO_PORT_STRIDE, /* default 1 */
    SG_OPENVINO_PORT_PART,   /* part_size, the length of a slice; default 1 */
    SG_OPENVINO_PORT_COLUMNS
} sg_openvino_port_column;

/* Whether a text, or the beginning of one, is an IR: XML with the root element <net>. */
bool sg_openvino_is_ir(const char *text, size_t len);

/* Reads an IR from its text `xml`. bin_path: the file of the constants, which is opened when the
 * first of them is needed and then added to `files`; NULL if there cannot be one, as for standard
 * input. The model belongs to the arena and points into `xml`. Returns NULL if an error was
 * reported. */
sg_graph_model *sg_openvino_read(sg_arena *arena, sg_diag *diag, const sg_source *xml,
                                 const char *bin_path, sg_file_list *files) SG_CHECK;

#endif
