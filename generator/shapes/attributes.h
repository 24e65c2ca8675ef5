/* attributes: which attributes the operators have that splitgen itself reads, from the table
 * attributes.inc, and whether a value is of the type that a reader asks for. */
#ifndef SG_FRONTEND_GRAPH_ATTRIBUTES_H
#define SG_FRONTEND_GRAPH_ATTRIBUTES_H

#include <stdbool.h>
#include <stddef.h>

#include "shapes/graph.h"

/* An attribute of an operator in some versions of its domain. */
typedef struct sg_attribute_schema {
    const char *op; /* "Split", "com.microsoft.FusedConv" */
    const char *name;
    sg_graph_attribute_type type;
    int since; /* the first version that has it so */
    int until; /* the first one behind it that does not; 0: the newest has */
} sg_attribute_schema;

/* All of the node's operator, of any version; *count 0: an operator that no table has. */
const sg_attribute_schema *sg_attribute_schemas(const sg_graph_node *node, size_t *count);

/* That of the node's version; of another one, where its version has no such attribute; NULL. */
const sg_attribute_schema *sg_attribute_schema_of(const sg_graph_node *node, const char *name);

/* What an attribute has to be that is not of this type: the type, or in words what OpenVINO's text
 * has to be, as "a whole number". NULL: it is of this type. type: as ONNX calls it, or FLAG (true
 * or false) or ELEMENT (an element type) of OpenVINO. */
const char *sg_attribute_wanted(const sg_graph_node *node, const sg_graph_attribute *attribute,
                                const char *type);

/* The attribute of this name that is not of this type, or is given for the second time; NULL. */
const sg_graph_attribute *sg_attribute_wrong(const sg_graph_node *node, const char *name,
                                             const char *type);

#endif
