/* attributes: the attributes of the operators that splitgen itself reads (the table is
 * attributes.inc), and whether a value has the type that a reader asks for. */
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
    int since; /* the first version with this row */
    int until; /* the first later version without it; 0: the newest version still has it */
} sg_attribute_schema;

/* All rows of the node's operator, of any version; *count is 0 if the table does not have the
 * operator. */
const sg_attribute_schema *sg_attribute_schemas(const sg_graph_node *node, size_t *count);

/* The row for the node's version. If that version has no such attribute, a row of another version;
 * if there is none, NULL. */
const sg_attribute_schema *sg_attribute_schema_of(const sg_graph_node *node, const char *name);

/* Attributes and inputs that not every version of their operators has. */
typedef struct sg_attribute_change {
    int since, until;      /* as above */
    const char *names;     /* separated by blanks; a number is that input, from 1 */
    const char *operators; /* of ONNX and ai.onnx.ml, separated by blanks */
} sg_attribute_change;

/* The row of an attribute or input if the node's version of the operator does not have it; NULL. */
const sg_attribute_change *sg_attribute_changed(const sg_graph_node *node, const char *name);

/* How many inputs and outputs some versions of operators have, and what must be there. */
typedef struct sg_signature {
    const char *domain; /* "" is ONNX's own */
    int since, until;   /* as above */
    const char *inputs; /* a letter for each: R must be given, ? may be missing, * is any number;
                           - alone: the operator is removed */
    int least, most;    /* of outputs */
    const char *attributes; /* that must be given, separated by blanks */
    const char *operators;  /* separated by blanks */
} sg_signature;

/* What a node lacks or has too much of, by the schema of its operator, for which runtimes refuse
 * the model; NULL. */
const char *sg_attribute_misfit(sg_arena *arena, const sg_graph_node *node);

/* What an attribute must be if it does not have this type: the name of the type, or for OpenVINO a
 * description such as "a whole number". NULL: it has the type. type: ONNX's name of it, or FLAG
 * (true or false) or ELEMENT (an element type) of OpenVINO. */
const char *sg_attribute_wanted(const sg_graph_node *node, const sg_graph_attribute *attribute,
                                const char *type);

/* The attribute of this name that has another type or is given twice; NULL if there is none. */
const sg_graph_attribute *sg_attribute_wrong(const sg_graph_node *node, const char *name,
                                             const char *type);

#endif
