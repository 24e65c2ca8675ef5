/* xml: the elements of an XML text as a tree, with the exact place of every tag, attribute and
 * dimension. expat checks the text; what it would let through is refused here where a model has no
 * use for it: DOCTYPE (and with it entities and other files), deep nesting, crowds of attributes.
 *
 * Memory belongs to the arena and is in proportion to the text. */
#ifndef SG_FRONTEND_OPENVINO_XML_H
#define SG_FRONTEND_OPENVINO_XML_H

#include <stddef.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/source.h"

#define SG_XML_NESTING    64  /* of elements; a body in a body costs three */
#define SG_XML_ATTRIBUTES 256 /* of one element */

typedef struct sg_xml_attribute {
    const char *name;
    const char *value; /* with its references (&amp;) resolved; XML has no NUL bytes */
    size_t len;
    sg_span span; /* the value as written, without its quotes */
    bool plain;   /* the text at span is the value, byte for byte: parts of it have places too */
} sg_xml_attribute;

typedef struct sg_xml_element {
    const char *name;
    sg_xml_attribute *attributes;
    size_t nattributes;
    sg_span span;     /* the start tag with its angles */
    const char *text; /* of a <dim>, without blanks around; else "" */
    sg_span text_span;
    struct sg_xml_element *parent;
    struct sg_xml_element *first; /* child */
    struct sg_xml_element *last;
    struct sg_xml_element *next; /* sibling */
} sg_xml_element;

/* The root element; NULL: reported. Texts other than those of <dim> are dropped, and so is
 * everything within <rt_info>, which holds remarks of tools. The text must be UTF-8, whatever the
 * XML declaration says. */
const sg_xml_element *sg_xml_read(sg_arena *arena, sg_diag *diag, const sg_source *source) SG_CHECK;

/* NULL where there is none of that name. */
const sg_xml_attribute *sg_xml_attribute_of(const sg_xml_element *element, const char *name);
const sg_xml_element *sg_xml_child(const sg_xml_element *element, const char *name);
/* The first of that name among element and the siblings behind it; NULL, also for NULL. */
const sg_xml_element *sg_xml_this_or_next(const sg_xml_element *element, const char *name);
/* Children of that name. */
int64_t sg_xml_count(const sg_xml_element *element, const char *name);

/* Appends the library's name and version. */
void sg_xml_library(sg_buf *out);

#endif
