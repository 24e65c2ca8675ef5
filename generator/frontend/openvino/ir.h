/* ir: OpenVINO's intermediate representation, versions 10 and 11: an .xml file with the net and a
 * .bin file with its constants.
 *
 * What the format calls by numbers becomes names here. A tensor is named after the layer that makes
 * it: "layer" if that is its only output, else "layer:0", "layer:1" in the order of the output
 * ports; a name that is taken gets "_2", "_3". A layer without a name is called by its type and id,
 * one of several outputs and a name beyond SG_OPENVINO_NAME_REPEATED bytes "layer_" and its id.
 * Other names the file gives a tensor (`names` of a port, `output_names` of a Result) are the
 * aliases of its info.
 *
 *   Parameter      an input of the graph, in the order of the file
 *   Result         an output of the graph, in the order of the file
 *   Const          an initializer
 *   other layers   nodes of the domain "openvino", each behind what it reads and otherwise in the
 *                  order of the file; op_type as written there (compare without regard to case:
 *                  the same operator is "ReLU" and "Relu"); opset N of version="opsetN", else 0
 *                  Layers that no Result needs are kept; an input without an edge is "".
 *   output port    an info: the type, and the shape where it says any dimension. A port without
 *                  dimensions is a scalar or of any rank, which the format does not tell apart.
 *   <data a="..">  an attribute of the node: of one number INT or FLOAT, of several with commas
 *                  between INTS or FLOATS, of none ("") INTS with count 0, else TEXT. Where it is
 *                  numbers, `texts` has each as written and `floats` each as a double, whatever
 *                  the kind.
 *   <body>, <then_body>, <else_body>
 *                  attributes of that name, of kind GRAPH. A body reads nothing from around it.
 *   <port_map>, <then_port_map>, <else_port_map>
 *                  two attributes each, "port_map_inputs" and "port_map_outputs", INTS in rows of
 *                  SG_OPENVINO_PORT_COLUMNS, one for each entry
 *   <back_edges>   "back_edges", INTS in rows of two: position in the body's outputs, position in
 *                  the body's inputs that gets its value in the next turn
 *
 * Values of constants are read from the .bin, if they are at most SG_GRAPH_VALUES_MAX: integers,
 * bool, f16, bf16, f32, f64, string, u1, u4 and i4. Without values stay: u2, u3 and u6, whose order
 * of bits depends on the version of OpenVINO that wrote the file, which the file does not say; the
 * small floats; u64 beyond int64; and what would make the values of all constants more than the
 * bytes of the .xml and the bits of the .bin can account for. */
#ifndef SG_FRONTEND_OPENVINO_IR_H
#define SG_FRONTEND_OPENVINO_IR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "shapes/graph.h"

/* Longer names are not written once for each output of a layer: that would take more memory than in
 * proportion to the file. */
#define SG_OPENVINO_NAME_REPEATED 256

/* A row of a port map. Of a Loop's or TensorIterator's inputs: what the body gets each turn; of
 * outputs: what the node yields. */
typedef enum sg_openvino_port_column {
    SG_OPENVINO_PORT_OUTER,  /* position in the node's inputs or outputs; -1: none, the body's port
                                is the number of the turn (input) or whether to go on (output) */
    SG_OPENVINO_PORT_INNER,  /* position in the body's inputs or outputs */
    SG_OPENVINO_PORT_SLICED, /* 1: input: a slice along axis for each turn; output: the slices of
                                all turns, concatenated along axis. 0: the whole tensor (the
                                columns behind are as if absent) */
    SG_OPENVINO_PORT_AXIS,
    SG_OPENVINO_PORT_START,  /* 0 unless given */
    SG_OPENVINO_PORT_END,    /* -1 unless given: the last, inclusive */
    SG_OPENVINO_PORT_STRIDE, /* 1 unless given */
    SG_OPENVINO_PORT_PART,   /* part_size, the slice's length; 1 unless given */
    SG_OPENVINO_PORT_COLUMNS
} sg_openvino_port_column;

/* Whether a text, or the beginning of one, is an IR: XML with the root element <net>. */
bool sg_openvino_is_ir(const char *text, size_t len);

/* Reads an IR. `xml` is its text. bin_path: the file of the constants, opened when the first of
 * them is needed and then added to `files`; NULL where there can be none, as for standard input.
 * The model belongs to the arena and points into `xml`. NULL: reported. */
sg_graph_model *sg_openvino_read(sg_arena *arena, sg_diag *diag, const sg_source *xml,
                                 const char *bin_path, sg_file_list *files) SG_CHECK;

#endif
