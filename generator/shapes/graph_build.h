/* graph_build: how readers of model files make a graph, whatever the notation is: lists that grow,
 * values of attributes by their types, elements of constants, versions of nodes. Reads no files. */
#ifndef SG_FRONTEND_GRAPH_GRAPH_BUILD_H
#define SG_FRONTEND_GRAPH_GRAPH_BUILD_H

#include "shapes/graph.h"

/* The list with room for one more entry behind its count, and zeroes there. Lists double when their
 * count reaches a power of two, so that no list needs a field for its room. */
void *sg_graph_grown(sg_arena *arena, void *list, int64_t count, size_t entry);

/* The place of one more entry, zeroed. */
#define SG_GRAPH_APPEND(arena, list, count)                                                        \
    ((list) = sg_graph_grown((arena), (list), (count), sizeof *(list)), &(list)[(count)++])

/* ONNX's own domain has two names. */
const char *sg_graph_domain(const char *domain);

/* The type of lists of a type; UNDEFINED: there is none. */
sg_graph_attribute_type sg_graph_list_of(sg_graph_attribute_type type);
/* The type of the entries of a list; of a type that is no list the type itself. */
sg_graph_attribute_type sg_graph_entry_of(sg_graph_attribute_type type);

/* Gives an attribute its type and the kind that values of the type have, when its values are in:
 * lists that are too long and values that are not kept are none. */
void sg_graph_set_type(sg_graph_attribute *attribute, sg_graph_attribute_type type);

/* A type of which nothing is known yet. */
sg_graph_type sg_graph_unknown_type(bool is_tensor);

/* Gives a tensor the values and the bytes of n numbers, two for each complex element: by the bits
 * of each, or as at most SG_GRAPH_VALUES_MAX of them lie in memory. Those that are too many are not
 * kept. */
void sg_graph_set_bits(sg_arena *arena, sg_graph_tensor *tensor, const uint64_t *bits, int64_t n);
void sg_graph_set_raw(sg_arena *arena, sg_graph_tensor *tensor, const unsigned char *raw,
                      int64_t n);

/* Gives the nodes of a model's graph and functions, and of all graphs in them, the version of their
 * domain. Of several imports of a domain the last one counts. */
void sg_graph_set_versions(sg_graph_model *model);

#endif
