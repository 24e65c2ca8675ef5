/* graph_build: how readers of model files build a graph, for all formats: growing lists, typed
 * values of attributes, elements of constants, opset versions of nodes. Reads no files. */
#ifndef SG_FRONTEND_GRAPH_GRAPH_BUILD_H
#define SG_FRONTEND_GRAPH_GRAPH_BUILD_H

#include "shapes/graph.h"

/* Returns the list with zeroed room for one more entry at `count`. Lists double when the count
 * reaches a power of two, so a list needs no field for its capacity. */
void *sg_graph_grown(sg_arena *arena, void *list, int64_t count, size_t entry);

/* Appends a zeroed entry and returns its address. */
#define SG_GRAPH_APPEND(arena, list, count)                                                        \
    ((list) = sg_graph_grown((arena), (list), (count), sizeof *(list)), &(list)[(count)++])

/* Maps the two names of ONNX's own domain to one. */
const char *sg_graph_domain(const char *domain);

/* The list type for an element type; UNDEFINED if there is none. */
sg_graph_attribute_type sg_graph_list_of(sg_graph_attribute_type type);
/* The element type of a list type; any other type is returned unchanged. */
sg_graph_attribute_type sg_graph_entry_of(sg_graph_attribute_type type);

/* Sets the type of an attribute, and the kind that follows from the type, after its values are set.
 * Lists that are too long and values that are not kept have the kind NONE. */
void sg_graph_set_type(sg_graph_attribute *attribute, sg_graph_attribute_type type);

/* A type about which nothing is known. */
sg_graph_type sg_graph_unknown_type(bool is_tensor);

/* Sets the values and bytes of a tensor from n numbers (a complex element is two): from the bits of
 * each number, or from at most SG_GRAPH_VALUES_MAX numbers as they are in memory. Larger tensors
 * keep nothing. */
void sg_graph_set_bits(sg_arena *arena, sg_graph_tensor *tensor, const uint64_t *bits, int64_t n);
void sg_graph_set_raw(sg_arena *arena, sg_graph_tensor *tensor, const unsigned char *raw,
                      int64_t n);

/* Sets the opset version of all nodes in the graph and functions of a model and in their subgraphs.
 * If a domain is imported several times, the last import counts. */
void sg_graph_set_versions(sg_graph_model *model);

#endif
