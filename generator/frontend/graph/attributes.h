/* attributes: what is known of the attributes that operators have, from the tables attributes.inc
 * and attributes_openvino.inc. */
#ifndef SG_FRONTEND_GRAPH_ATTRIBUTES_H
#define SG_FRONTEND_GRAPH_ATTRIBUTES_H

#include <stdbool.h>
#include <stddef.h>

#include "frontend/graph/graph.h"

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

/* What the attribute has to be where it is nothing of the kind, as "of type INT" or "a whole
 * number"; NULL: nothing is known against it. */
const char *sg_attribute_wanted(const sg_graph_node *node, const sg_graph_attribute *attribute);

/* Whether a table has it, so that its type was checked. */
bool sg_attribute_is_checked(const sg_graph_node *node, const char *name);

#endif
