/* xml: reads the elements of an XML text as a tree, with the exact place of each tag, attribute and
 * dimension. expat checks the syntax. This file also rejects what models don't need but attackers
 * do: DOCTYPE (and with it entities and external files), deep nesting, many attributes.
 *
 * Memory belongs to the arena, and is proportional to the text. */
#ifndef SG_FRONTEND_OPENVINO_XML_H
#define SG_FRONTEND_OPENVINO_XML_H

#include <stddef.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/source.h"

#define SG_XML_NESTING    64  /* of elements; a body inside a body takes three levels */
#define SG_XML_ATTRIBUTES 256 /* of one element */

typedef struct sg_xml_attribute {
    const char *name;
    const char *value; /* references (&amp;) are resolved; XML has no NUL bytes */
    size_t len;
    sg_span span; /* the value as written, without its quotes */
    bool plain;   /* the text at `span` equals the value, so its parts have places as well */
} sg_xml_attribute;

typedef struct sg_xml_element {
    const char *name;
    sg_xml_attribute *attributes;
    size_t nattributes;
    sg_span span;     /* the start tag, including < and > */
    const char *text; /* of a <dim>, without surrounding blanks; else "" */
    sg_span text_span;
    struct sg_xml_element *parent;
    struct sg_xml_element *first; /* first child */
    struct sg_xml_element *last;
    struct sg_xml_element *next; /* next sibling */
} sg_xml_element;

/* The root element, or NULL if an error was reported. Text outside <dim> is dropped, and so is
 * everything in <rt_info>, which holds notes of tools. The text must be UTF-8, whatever the XML
 * declaration says. */
const sg_xml_element *sg_xml_read(sg_arena *arena, sg_diag *diag, const sg_source *source) SG_CHECK;

/* NULL if there is none of that name. */
const sg_xml_attribute *sg_xml_attribute_of(const sg_xml_element *element, const char *name);
const sg_xml_element *sg_xml_child(const sg_xml_element *element, const char *name);
/* The first element of that name among this one and the siblings that follow; NULL if there is
 * none, or for NULL. */
const sg_xml_element *sg_xml_this_or_next(const sg_xml_element *element, const char *name);
/* The number of children of that name. */
int64_t sg_xml_count(const sg_xml_element *element, const char *name);

/* Appends the name and version of the XML library. */
void sg_xml_library(sg_buf *out);

#endif
