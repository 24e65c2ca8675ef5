/* Looks up in tables of operator schemas what operators have and must have, and compares the types
 * of attributes. */
#include "shapes/attributes.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

static const sg_attribute_schema schemas[] = {
#define ATTRIBUTE(op, name, type, since, until) {op, name, SG_GRAPH_TYPE_##type, since, until},
#include "shapes/attributes.inc"
#undef ATTRIBUTE
};

/* --- ONNX and other domains in its format ----------------------------------------------------- */

/* Whether this is the node's operator, with its domain as prefix. */
static bool is_of(const sg_graph_node *node, const char *op)
{
    if (!sg_graph_is_onnx(node)) {
        const size_t n = strlen(node->domain);
        if (strncmp(node->domain, op, n) != 0 || op[n] != '.') {
            return false;
        }
        op += n + 1;
    }
    return strcmp(node->op_type, op) == 0;
}

const sg_attribute_schema *sg_attribute_schemas(const sg_graph_node *node, size_t *count)
{
    const size_t all = sizeof schemas / sizeof schemas[0];
    size_t first = 0;
    while (first < all && !is_of(node, schemas[first].op)) {
        ++first;
    }
    *count = 0;
    while (first + *count < all && is_of(node, schemas[first + *count].op)) {
        ++*count;
    }
    return &schemas[first];
}

const sg_attribute_schema *sg_attribute_schema_of(const sg_graph_node *node, const char *name)
{
    size_t count = 0;
    const sg_attribute_schema *all = sg_attribute_schemas(node, &count);
    const sg_attribute_schema *found = NULL;
    for (size_t i = 0; i < count; ++i) {
        /* If the domain is not imported, use its newest version, whose row is the last. */
        const bool in_time = node->opset <= 0 || node->opset >= all[i].since;
        if (strcmp(all[i].name, name) == 0 && (found == NULL || in_time)) {
            found = &all[i];
        }
    }
    return found;
}

/* Whether a row is for the node's version; if the domain is not imported, that is the newest. */
static bool in_time(const sg_graph_node *node, int since, int until)
{
    const bool early = node->opset > 0 && node->opset < since;
    return !early && (until == 0 || (node->opset > 0 && node->opset < until));
}

const sg_attribute_change *sg_attribute_changed(const sg_graph_node *node, const char *name)
{
    static const sg_attribute_change changes[] = {
#define CHANGED(since, until, names, operators) {since, until, names, operators},
#include "shapes/attribute_changes.inc"
#undef CHANGED
    };
    const bool is_known = sg_graph_is_onnx(node) || strcmp(node->domain, "ai.onnx.ml") == 0;
    const size_t count = is_known && node->opset > 0 ? sizeof changes / sizeof changes[0] : 0;
    for (size_t i = 0; i < count; ++i) {
        const sg_attribute_change *row = &changes[i];
        if (!in_time(node, row->since, row->until) &&
            sg_str_has_word(row->names, sg_str_from(name)) &&
            sg_str_has_word(row->operators, sg_str_from(node->op_type))) {
            return row;
        }
    }
    return NULL;
}

/* --- inputs and outputs ----------------------------------------------------------------------- */

static const sg_signature *signature_of(const sg_graph_node *node)
{
    static const sg_signature signatures[] = {
#define SIGNATURE(domain, since, until, inputs, least, most, attributes, operators)                \
    {domain, since, until, inputs, least, most, attributes, operators},
#include "shapes/signatures.inc"
#undef SIGNATURE
    };
    for (size_t i = 0; i < sizeof signatures / sizeof signatures[0]; ++i) {
        const sg_signature *row = &signatures[i];
        const bool in_domain = row->domain[0] == '\0' ? sg_graph_is_onnx(node)
                                                      : strcmp(row->domain, node->domain) == 0;
        if (in_domain && in_time(node, row->since, row->until) &&
            sg_str_has_word(row->operators, sg_str_from(node->op_type))) {
            return row;
        }
    }
    return NULL;
}

const char *sg_attribute_misfit(sg_arena *arena, const sg_graph_node *node)
{
    const sg_signature *row = signature_of(node);
    if (row == NULL) {
        return NULL;
    }
    if (row->inputs[0] == '-') {
        return sg_arena_printf(arena, "version %d removed it", row->since);
    }
    const bool variadic = strchr(row->inputs, '*') != NULL;
    const int64_t most = (int64_t)strlen(row->inputs);
    for (int64_t i = 0; i < most || (variadic && i < node->ninputs); ++i) {
        const char kind = i < most ? row->inputs[i] : '*';
        const bool is_missing =
            i < node->ninputs ? kind != '?' && node->inputs[i][0] == '\0' : kind == 'R';
        if (is_missing) {
            return sg_arena_printf(arena, "its input %" PRId64 " is missing", i + 1);
        }
    }
    /* ONNX Runtime counts empty names at the end, too. */
    if (node->ninputs > most && !variadic) {
        return sg_arena_printf(arena, "it has %" PRId64 " inputs, at most %" PRId64 " are possible",
                               node->ninputs, most);
    }
    const bool few = node->noutputs < row->least;
    if (few || node->noutputs > row->most) {
        return sg_arena_printf(arena, "it has %" PRId64 " outputs, at %s %d are %s", node->noutputs,
                               few ? "least" : "most", few ? row->least : row->most,
                               few ? "needed" : "possible");
    }
    const char *words = row->attributes;
    sg_str word;
    while (sg_str_next_word(&words, &word)) {
        const char *name = sg_arena_strndup(arena, word.ptr, word.len);
        if (sg_graph_attribute_of(node, name) == NULL) {
            return sg_arena_printf(arena, "its attribute '%s' is missing", name);
        }
    }
    return NULL;
}

/* --- OpenVINO --------------------------------------------------------------------------------- */

static bool is_whole(const sg_graph_attribute *attribute)
{
    return attribute->kind == SG_GRAPH_ATTRIBUTE_INT;
}

static bool is_wholes(const sg_graph_attribute *attribute)
{
    return attribute->kind == SG_GRAPH_ATTRIBUTE_INT || attribute->kind == SG_GRAPH_ATTRIBUTE_INTS;
}

static bool is_word(const sg_graph_attribute *attribute)
{
    return attribute->kind == SG_GRAPH_ATTRIBUTE_TEXT;
}

static bool is_flag(const sg_graph_attribute *attribute)
{
    if (is_word(attribute)) {
        return strcasecmp(attribute->texts[0], "true") == 0 ||
               strcasecmp(attribute->texts[0], "false") == 0;
    }
    return is_whole(attribute) && (attribute->ints[0] == 0 || attribute->ints[0] == 1);
}

static bool is_element(const sg_graph_attribute *attribute)
{
    static const char *const open[] = {"dynamic", "undefined", "unspecified"};
    if (!is_word(attribute)) {
        return false;
    }
    const char *word = attribute->texts[0];
    for (size_t i = 0; i < sizeof open / sizeof open[0]; ++i) {
        if (strcasecmp(word, open[i]) == 0) {
            return true;
        }
    }
    for (int i = 0; i < SG_DTYPE_COUNT; ++i) {
        const sg_dtype_info *info = sg_dtype_get((sg_dtype)i);
        if (info->openvino[0] != '\0' &&
            (strcasecmp(word, info->openvino) == 0 || strcasecmp(word, info->precision) == 0)) {
            return true;
        }
    }
    return false;
}

/* --- both formats ----------------------------------------------------------------------------- */

const char *sg_attribute_wanted(const sg_graph_node *node, const sg_graph_attribute *attribute,
                                const char *type)
{
    static const struct {
        const char *type;
        bool (*fits)(const sg_graph_attribute *attribute);
        const char *wanted;
    } openvino[] = {
        {"INT", is_whole, "a whole number"},
        {"INTS", is_wholes, "whole numbers with commas between them"},
        {"FLAG", is_flag, "true or false"},
        {"STRING", is_word, "a word"},
        {"ELEMENT", is_element, "the name of an element type, such as f32"},
    };
    if (!sg_graph_is_openvino(node)) {
        const char *is = sg_graph_attribute_type_name((int64_t)attribute->type);
        return strcmp(type, is) == 0 ? NULL : type;
    }
    for (size_t i = 0; i < sizeof openvino / sizeof openvino[0]; ++i) {
        if (strcmp(openvino[i].type, type) == 0) {
            return openvino[i].fits(attribute) ? NULL : openvino[i].wanted;
        }
    }
    return NULL;
}

const sg_graph_attribute *sg_attribute_wrong(const sg_graph_node *node, const char *name,
                                             const char *type)
{
    const sg_graph_attribute *first = sg_graph_attribute_of(node, name);
    for (int64_t i = 0; first != NULL && i < node->nattributes; ++i) {
        const sg_graph_attribute *other = &node->attributes[i];
        if (other != first && strcmp(other->name, name) == 0) {
            return other;
        }
    }
    return first != NULL && sg_attribute_wanted(node, first, type) != NULL ? first : NULL;
}
