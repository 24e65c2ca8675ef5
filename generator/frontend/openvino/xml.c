/* Parses XML with expat: builds the tree of elements, and finds the places of attributes in the
 * text. The only names of the IR format it uses are dim and rt_info. */
#include "frontend/openvino/xml.h"

#include <expat.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "shapes/graph.h"

/* If expat has the 64-bit functions, it declares the others deprecated. */
#ifdef SPLITGEN_EXPAT_HAS_64
#define BYTE_INDEX XML_GetCurrentByteIndex64
#define BYTE_COUNT XML_GetCurrentByteCount64
#else
#define BYTE_INDEX XML_GetCurrentByteIndex
#define BYTE_COUNT XML_GetCurrentByteCount
#endif

/* expat takes lengths as int. */
#define CHUNK_BYTES ((size_t)1 << 20)

typedef struct builder {
    sg_arena *arena;
    sg_diag *diag;
    const sg_source *source;
    XML_Parser parser;
    sg_xml_element *root;
    sg_xml_element *current;
    int64_t depth;
    int64_t remark_depth; /* depth of the <rt_info> that is being skipped; 0: none */
    bool failed;
    sg_buf text;
    bool has_text;
    size_t text_begin;
    size_t text_end;
} builder;

static void *take(size_t bytes)
{
    return sg_xrealloc(NULL, bytes ? bytes : 1);
}

static void *retake(void *old, size_t bytes)
{
    return sg_xrealloc(old, bytes ? bytes : 1);
}

/* The place of expat's current event. */
static sg_span current_span(const builder *b)
{
    const int64_t index = BYTE_INDEX(b->parser);
    const int64_t count = (int64_t)BYTE_COUNT(b->parser);
    size_t begin = index < 0 ? 0 : (size_t)index;
    return sg_span_make(b->source, begin, begin + (count < 0 ? 0 : (size_t)count));
}

static void stop(builder *b)
{
    b->failed = true;
    XML_StopParser(b->parser, XML_FALSE);
}

/* Finds the next ="value" from `at` in a start tag, which expat has found to be well-formed.
 * Returns the position after the closing quote. */
static size_t find_value(const builder *b, size_t at, size_t end, sg_span *span)
{
    const char *text = b->source->text;
    while (at < end && text[at] != '=') {
        at++;
    }
    while (at < end && text[at] != '"' && text[at] != '\'') {
        at++;
    }
    if (at >= end) {
        *span = sg_span_make(b->source, end, end);
        return end;
    }
    size_t begin = at + 1;
    const char *quote = memchr(text + begin, text[at], end - begin);
    size_t behind = quote ? (size_t)(quote - text) : end;
    *span = sg_span_make(b->source, begin, behind);
    return behind < end ? behind + 1 : end;
}

static void read_attributes(builder *b, sg_xml_element *element, const XML_Char **attributes)
{
    size_t count = 0;
    while (attributes[2 * count]) {
        count++;
    }
    if (count > SG_XML_ATTRIBUTES) {
        sg_diag_error(b->diag, element->span,
                      "<%s> has %zu attributes, and at most %d are read: is this a model?",
                      element->name, count, SG_XML_ATTRIBUTES);
        stop(b);
        return;
    }
    element->attributes = SG_NEW_ARRAY(b->arena, sg_xml_attribute, count);
    element->nattributes = count;
    size_t at = element->span.begin;
    for (size_t i = 0; i < count; i++) {
        sg_xml_attribute *attribute = &element->attributes[i];
        attribute->len = strlen(attributes[2 * i + 1]);
        attribute->name = sg_arena_strdup(b->arena, attributes[2 * i]);
        attribute->value = sg_arena_strndup(b->arena, attributes[2 * i + 1], attribute->len);
        at = find_value(b, at, element->span.end, &attribute->span);
        sg_str raw = sg_span_text(attribute->span);
        attribute->plain = sg_str_eq(raw, (sg_str){attribute->value, attribute->len});
    }
}

static void XMLCALL on_start(void *user, const XML_Char *name, const XML_Char **attributes)
{
    builder *b = user;
    if (b->failed) {
        return;
    }
    b->depth++;
    if (b->depth > SG_XML_NESTING) {
        sg_diag_error(b->diag, current_span(b),
                      "<%s> is element number %lld in each other, and at most %d are read", name,
                      (long long)b->depth, SG_XML_NESTING);
        stop(b);
        return;
    }
    if (b->remark_depth) {
        return;
    }
    if (!sg_graph_has_room(b->arena, b->diag, current_span(b))) {
        stop(b);
        return;
    }
    if (strcmp(name, "rt_info") == 0 && b->current) {
        b->remark_depth = b->depth;
        return;
    }
    sg_xml_element *element = SG_NEW(b->arena, sg_xml_element);
    element->name = sg_arena_strdup(b->arena, name);
    element->span = current_span(b);
    element->text = "";
    element->text_span = element->span;
    element->parent = b->current;
    if (!b->current) {
        b->root = element;
    } else if (b->current->last) {
        b->current->last->next = element;
    } else {
        b->current->first = element;
    }
    if (b->current) {
        b->current->last = element;
    }
    b->current = element;
    b->text.len = 0;
    b->has_text = false;
    read_attributes(b, element, attributes);
}

static void XMLCALL on_text(void *user, const XML_Char *text, int len)
{
    builder *b = user;
    if (b->failed || b->remark_depth || !b->current || strcmp(b->current->name, "dim") != 0) {
        return;
    }
    sg_span span = current_span(b);
    size_t skipped = 0;
    if (!b->has_text) {
        while (skipped < (size_t)len && sg_is_space((unsigned char)text[skipped])) {
            skipped++;
        }
        if (skipped == (size_t)len) {
            return;
        }
        b->has_text = true;
        b->text_begin = span.begin + skipped;
    }
    b->text_end = span.end;
    sg_buf_add(&b->text, text + skipped, (size_t)len - skipped);
}

static void XMLCALL on_end(void *user, const XML_Char *name)
{
    (void)name;
    builder *b = user;
    if (b->failed) {
        return;
    }
    if (b->remark_depth) {
        if (b->remark_depth == b->depth) {
            b->remark_depth = 0;
        }
        b->depth--;
        return;
    }
    if (b->has_text) {
        size_t len = b->text.len;
        size_t end = b->text_end;
        while (len > 0 && sg_is_space((unsigned char)b->text.ptr[len - 1])) {
            len--;
            end--;
        }
        b->current->text = sg_arena_strndup(b->arena, b->text.ptr, len);
        b->current->text_span = sg_span_make(b->source, b->text_begin, end);
        b->has_text = false;
    }
    b->depth--;
    b->current = b->current->parent;
}

/* A DOCTYPE is an error: it can declare entities, which may expand without limit, and refer to
 * other files. */
static void XMLCALL on_doctype(void *user, const XML_Char *name, const XML_Char *system,
                               const XML_Char *public, int has_internal)
{
    (void)name;
    (void)system;
    (void)public;
    (void)has_internal;
    builder *b = user;
    static const char word[] = "<!DOCTYPE";
    size_t len = sizeof word - 1;
    /* expat has reached the "[" or ">" of the declaration. */
    size_t begin = current_span(b).begin;
    while (begin > 0 &&
           (b->source->len - begin < len || memcmp(b->source->text + begin, word, len) != 0)) {
        begin--;
    }
    sg_diag_error(
        b->diag, sg_span_make(b->source, begin, begin + len),
        "a DOCTYPE, which may declare entities and name other files, is not read; a model "
        "needs none: remove it");
    stop(b);
}

static void parse(builder *b)
{
    size_t done = 0;
    bool last = false;
    while (!last && !b->failed) {
        size_t rest = b->source->len - done;
        last = rest <= CHUNK_BYTES;
        size_t bytes = last ? rest : CHUNK_BYTES;
        enum XML_Status status =
            XML_Parse(b->parser, b->source->text + done, (int)bytes, last ? 1 : 0);
        if (status != XML_STATUS_OK && !b->failed) {
            b->failed = true;
            sg_span span = current_span(b);
            enum XML_Error code = XML_GetErrorCode(b->parser);
            sg_diag_error(b->diag, sg_span_make(b->source, span.begin, span.begin + 1),
                          "this is not well-formed XML (%s): the file is damaged or cut short",
                          XML_ErrorString(code));
        }
        done += bytes;
    }
}

const sg_xml_element *sg_xml_read(sg_arena *arena, sg_diag *diag, const sg_source *source)
{
    const XML_Memory_Handling_Suite memory = {take, retake, free};
    builder b = {.arena = arena, .diag = diag, .source = source};
    b.parser = XML_ParserCreate_MM("UTF-8", &memory, NULL);
    XML_SetUserData(b.parser, &b);
    XML_SetElementHandler(b.parser, on_start, on_end);
    XML_SetCharacterDataHandler(b.parser, on_text);
    XML_SetStartDoctypeDeclHandler(b.parser, on_doctype);
    parse(&b);
    XML_ParserFree(b.parser);
    sg_buf_free(&b.text);
    return b.failed ? NULL : b.root;
}

const sg_xml_attribute *sg_xml_attribute_of(const sg_xml_element *element, const char *name)
{
    for (size_t i = 0; i < element->nattributes; i++) {
        if (strcmp(element->attributes[i].name, name) == 0) {
            return &element->attributes[i];
        }
    }
    return NULL;
}

const sg_xml_element *sg_xml_this_or_next(const sg_xml_element *element, const char *name)
{
    while (element && strcmp(element->name, name) != 0) {
        element = element->next;
    }
    return element;
}

const sg_xml_element *sg_xml_child(const sg_xml_element *element, const char *name)
{
    return sg_xml_this_or_next(element->first, name);
}

int64_t sg_xml_count(const sg_xml_element *element, const char *name)
{
    int64_t count = 0;
    for (const sg_xml_element *child = sg_xml_child(element, name); child;
         child = sg_xml_this_or_next(child->next, name)) {
        count++;
    }
    return count;
}

void sg_xml_library(sg_buf *out)
{
    const XML_Expat_Version version = XML_ExpatVersionInfo();
    sg_buf_printf(out, "expat %d.%d.%d", version.major, version.minor, version.micro);
}
