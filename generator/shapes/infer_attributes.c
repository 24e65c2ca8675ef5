/* Checks the types of attributes: those that splitgen itself reads, before inference and by the
 * table of schemas, and those that a rule reads, when it reads them. Without the check a value of
 * the wrong type would be treated as not given. */
#include <inttypes.h>
#include <string.h>

#include "shapes/attributes.h"
#include "shapes/infer_engine.h"
#include "shapes/operators.h"

/* "Split 'qkv'". */
static const char *node_text(sg_infer *infer, const sg_graph_node *node)
{
    return sg_arena_printf(infer->arena, "%s '%s'", node->op_type, sg_graph_node_name(node));
}

/* For a misspelt name: "; did you mean 'axis'?", or "". */
static const char *suggestion(sg_infer *infer, const char *name, const char *const *names,
                              size_t count)
{
    const char *near = sg_suggest(sg_str_from(name), names, count);
    return near != NULL ? sg_arena_printf(infer->arena, "; did you mean '%s'?", near) : "";
}

/* ": 1.0" or ": 1, 2, 3, ..."; "" if the value is not numbers or text. */
static const char *value_text(sg_infer *infer, const sg_graph_attribute *attribute)
{
    enum { SHOWN = 4, LONGEST = 40 };
    sg_buf text = {0};
    for (int64_t i = 0; i < attribute->count && i <= SHOWN; ++i) {
        sg_buf_addz(&text, i == 0 ? ": " : ", ");
        if (i == SHOWN) {
            sg_buf_addz(&text, "...");
        } else if (attribute->texts != NULL) {
            const size_t len = strlen(attribute->texts[i]);
            sg_buf_printf(&text, "\"%.*s%s\"", LONGEST, attribute->texts[i],
                          len > LONGEST ? "..." : "");
        } else if (attribute->ints != NULL) {
            sg_buf_printf(&text, "%" PRId64, attribute->ints[i]);
        } else if (attribute->floats != NULL) {
            const char *number = sg_arena_printf(infer->arena, "%.9g", attribute->floats[i]);
            sg_buf_printf(&text, "%s%s", number, strpbrk(number, ".en") != NULL ? "" : ".0");
        } else {
            text.len = 0;
            break;
        }
    }
    const char *shown = text.len > 0 ? sg_arena_strndup(infer->arena, text.ptr, text.len) : "";
    sg_buf_free(&text);
    return shown;
}

/* given: the attribute as it is in the model, under the name that the node uses. */
static bool check_type(sg_infer *infer, const sg_graph_node *node, const sg_graph_attribute *given,
                       const char *type)
{
    const char *wanted = sg_attribute_wanted(node, given, type);
    if (wanted == NULL) {
        return true;
    }
    const bool is_reference = given->kind == SG_GRAPH_ATTRIBUTE_REFERENCE;
    const bool is_openvino = sg_graph_is_openvino(node);
    const char *is = is_openvino ? ""
                     : given->type == SG_GRAPH_TYPE_UNDEFINED
                         ? " of no type and has no value"
                         : sg_arena_printf(infer->arena, " of type %s",
                                           sg_graph_attribute_type_name((int64_t)given->type));
    return sg_diag_error(infer->diag, given->span, "'%s' of %s must be %s%s, but is%s%s",
                         given->name, node_text(infer, node), is_openvino ? "" : "of type ", wanted,
                         is, is_reference ? "" : value_text(infer, given));
}

/* Checks the type if the table has the attribute. */
static bool check_row(sg_infer *infer, const sg_graph_node *node, const sg_graph_attribute *given)
{
    const sg_attribute_schema *row = sg_attribute_schema_of(node, given->name);
    return row == NULL ||
           check_type(infer, node, given, sg_graph_attribute_type_name((int64_t)row->type));
}

/* Whether the function declares the attribute that a node refers to. */
static bool is_declared(const sg_graph_function *function, const char *name)
{
    for (int64_t i = 0; i < function->nattributes; ++i) {
        if (strcmp(function->attributes[i], name) == 0) {
            return true;
        }
    }
    for (int64_t i = 0; i < function->ndefaults; ++i) {
        if (strcmp(function->defaults[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool check_reference(sg_infer *infer, const sg_graph_function *function,
                            const sg_graph_node *node, const sg_graph_attribute *attribute)
{
    const char *name = attribute->texts[0];
    if (function == NULL) {
        return sg_diag_error(infer->diag, attribute->span,
                             "'%s' of %s refers to the attribute '%s' of a function, but is not "
                             "in one: give it a value",
                             attribute->name, node_text(infer, node), name);
    }
    if (!is_declared(function, name)) {
        return sg_diag_error(
            infer->diag, attribute->span,
            "'%s' of %s refers to the attribute '%s', which the function '%s' does not have%s",
            attribute->name, node_text(infer, node), name, function->name,
            suggestion(infer, name, function->attributes, (size_t)function->nattributes));
    }
    /* If the reference has no type, the argument is checked at the call. */
    return attribute->type == SG_GRAPH_TYPE_UNDEFINED || check_row(infer, node, attribute);
}

/* Reports an attribute that the operator does not have, because it is probably a misspelt one. */
static bool check_name(sg_infer *infer, const sg_graph_node *node,
                       const sg_graph_attribute *attribute)
{
    size_t count = 0;
    const sg_attribute_schema *schemas = sg_attribute_schemas(node, &count);
    if (sg_attribute_schema_of(node, attribute->name) != NULL) {
        return true;
    }
    const char **names = SG_NEW_ARRAY(infer->arena, const char *, count);
    const char *all = "";
    for (size_t i = 0; i < count; ++i) {
        names[i] = schemas[i].name;
        all = sg_arena_printf(infer->arena, "%s%s'%s'", all,
                              i == 0           ? ""
                              : i + 1 == count ? " and "
                                               : ", ",
                              names[i]);
    }
    return sg_diag_error(infer->diag, attribute->span,
                         "%s has an attribute '%s', and no Split of ONNX has one: there are %s%s",
                         node_text(infer, node), attribute->name, all,
                         suggestion(infer, attribute->name, names, count));
}

static bool check_once(sg_infer *infer, const sg_graph_node *node,
                       const sg_graph_attribute *attribute)
{
    const sg_graph_attribute *first = sg_graph_attribute_of(node, attribute->name);
    if (first == attribute) {
        return true;
    }
    (void)sg_diag_error(infer->diag, attribute->span,
                        "'%s' of %s is given twice: remove one of them", attribute->name,
                        node_text(infer, node));
    sg_diag_note(infer->diag, first->span, "the other one");
    return false;
}

bool sg_infer_check_attribute(sg_infer *infer, const sg_graph_function *function,
                              const sg_graph_node *node, const sg_graph_attribute *attribute)
{
    const bool is_onnx_split =
        sg_graph_is_onnx(node) && sg_operator_of(node)->kind == SG_OPERATOR_SPLIT;
    SG_TRY(!is_onnx_split || check_name(infer, node, attribute));
    SG_TRY(sg_attribute_schema_of(node, attribute->name) == NULL ||
           check_once(infer, node, attribute));
    if (attribute->kind == SG_GRAPH_ATTRIBUTE_REFERENCE) {
        return check_reference(infer, function, node, attribute);
    }
    SG_TRY(check_row(infer, node, attribute));
    if (is_onnx_split && attribute->kind == SG_GRAPH_ATTRIBUTE_NONE) {
        return sg_diag_error(infer->diag, attribute->span,
                             "'%s' of %s has more than the %" PRId64 " entries that are kept of an "
                             "attribute",
                             attribute->name, node_text(infer, node), SG_GRAPH_LIST_MAX);
    }
    return true;
}

/* Warns that the node's version of its operator does not have an attribute or input. */
static void warn_changed(sg_infer *infer, const sg_graph_node *node, sg_span span, const char *what,
                         const sg_attribute_change *row)
{
    const char *domain = sg_graph_is_onnx(node) ? "opset" : node->domain;
    const bool early = node->opset < row->since;
    if (infer->quiet == 0) {
        sg_diag_warn(infer->diag, span,
                     "%s of %s exists %s %s %d, but the model has %s %" PRId64 ": it is ignored",
                     what, node_text(infer, node), early ? "since" : "up to", domain,
                     early ? row->since : row->until - 1, domain, node->opset);
    }
}

const sg_graph_node *sg_infer_of_version(sg_infer *infer, const sg_graph_node *node)
{
    static const char *const inputs[] = {"1", "2", "3", "4", "5", "6", "7"};
    const int64_t looked = (int64_t)(sizeof inputs / sizeof inputs[0]);
    const int64_t count = node->ninputs < looked ? node->ninputs : looked;
    sg_graph_node *copy = NULL;
    /* Backwards: what is removed has no attribute behind it that is still to be looked at. */
    for (int64_t i = node->nattributes + count - 1; i >= 0; --i) {
        const int64_t in = i - node->nattributes;
        const char *name = in >= 0 ? inputs[in] : node->attributes[i].name;
        const sg_attribute_change *row = sg_attribute_changed(node, name);
        if (row == NULL || (in >= 0 && node->inputs[in][0] == '\0')) {
            continue;
        }
        warn_changed(infer, node, in >= 0 ? node->span : node->attributes[i].span,
                     sg_arena_printf(infer->arena, in >= 0 ? "input %s" : "'%s'", name), row);
        if (copy == NULL) {
            copy = SG_NEW(infer->arena, sg_graph_node);
            *copy = *node;
            copy->inputs = SG_NEW_ARRAY(infer->arena, const char *, node->ninputs);
            copy->attributes = SG_NEW_ARRAY(infer->arena, sg_graph_attribute, node->nattributes);
            for (int64_t k = 0; k < node->ninputs; ++k) {
                copy->inputs[k] = node->inputs[k];
            }
            for (int64_t k = 0; k < node->nattributes; ++k) {
                copy->attributes[k] = node->attributes[k];
            }
        }
        if (in >= 0) {
            copy->inputs[in] = "";
        } else {
            --copy->nattributes;
            memmove(&copy->attributes[i], &copy->attributes[i + 1],
                    (size_t)(copy->nattributes - i) * sizeof *node->attributes);
        }
    }
    return copy != NULL ? copy : node;
}

bool sg_infer_check_argument(sg_infer *infer, const sg_graph_node *node,
                             const sg_graph_attribute *reference,
                             const sg_graph_attribute *argument)
{
    if (check_row(infer, node, argument)) {
        return true;
    }
    sg_diag_note(infer->diag, reference->span, "where the function uses it");
    return false;
}

bool sg_infer_check_read(sg_infer *infer, const sg_graph_node *written, const sg_graph_node *node)
{
    const sg_rules *rules = &infer->rules;
    if (rules->outcome != SG_RULES_MISTYPED) {
        return true;
    }
    const sg_graph_attribute *wrong = rules->wrong;
    if (check_once(infer, node, wrong) && !check_type(infer, node, wrong, rules->wanted)) {
        const sg_graph_attribute *reference = sg_graph_attribute_of(written, wrong->name);
        if (reference->kind == SG_GRAPH_ATTRIBUTE_REFERENCE) {
            sg_diag_note(infer->diag, reference->span, "where the function uses it");
        }
    }
    return false;
}
