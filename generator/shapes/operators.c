/* The table of operators. */
#include "shapes/operators.h"

#include <string.h>
#include <strings.h>

#define SG_ONNX_ROW     true
#define SG_OPENVINO_ROW false
#define NONE                                                                                       \
    {                                                                                              \
        NULL, -1                                                                                   \
    }
#define IN(i)                                                                                      \
    {                                                                                              \
        NULL, i                                                                                    \
    }
#define AT(name)                                                                                   \
    {                                                                                              \
        name, -1                                                                                   \
    }
#define EITHER(name, i)                                                                            \
    {                                                                                              \
        name, i                                                                                    \
    }

static const sg_operator rows[] = {
#define OPERATOR(standard, op_type, kind, axis, what, ends, axes, steps)                           \
    {SG_##standard##_ROW, op_type, SG_OPERATOR_##kind, axis, what, ends, axes, steps},
#include "shapes/operators.inc"
#undef OPERATOR
};

const sg_operator *sg_operator_of(const sg_graph_node *node)
{
    static const sg_operator other = {false, "", SG_OPERATOR_OTHER, NONE, NONE, NONE, NONE, NONE};
    const bool onnx = sg_graph_is_onnx(node);
    if (!onnx && !sg_graph_is_openvino(node)) {
        return &other;
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        if (rows[i].onnx == onnx && (onnx ? strcmp(rows[i].op_type, node->op_type)
                                          : strcasecmp(rows[i].op_type, node->op_type)) == 0) {
            return &rows[i];
        }
    }
    return &other;
}

sg_operator_list sg_operator_read(sg_arena *arena, const sg_graph_node *node,
                                  const sg_fact *const *inputs, sg_operator_place place)
{
    const sg_graph_attribute *attribute =
        place.attribute != NULL ? sg_graph_attribute_of(node, place.attribute) : NULL;
    if (attribute != NULL &&
        (attribute->kind == SG_GRAPH_ATTRIBUTE_INT || attribute->kind == SG_GRAPH_ATTRIBUTE_INTS)) {
        sg_fact_entry *entries = SG_NEW_ARRAY(arena, sg_fact_entry, attribute->count);
        for (int64_t i = 0; i < attribute->count; ++i) {
            entries[i] = (sg_fact_entry){.kind = SG_FACT_INT, .as.integer = attribute->ints[i]};
        }
        return (sg_operator_list){true, true, entries, attribute->count};
    }
    const sg_fact *fact =
        place.input >= 0 && place.input < node->ninputs ? inputs[place.input] : NULL;
    return fact == NULL ? (sg_operator_list){false, false, NULL, 0}
                        : (sg_operator_list){true, fact->has_values, fact->values, fact->count};
}

int64_t sg_operator_axis(const sg_graph_node *node, const sg_fact *const *inputs, int64_t rank)
{
    const sg_operator_place place = sg_operator_of(node)->axis;
    int64_t axis = 0;
    if (place.attribute != NULL) {
        const sg_graph_attribute *given = sg_graph_attribute_of(node, place.attribute);
        axis = given != NULL && given->kind == SG_GRAPH_ATTRIBUTE_INT ? given->ints[0] : 0;
    } else {
        const sg_operator_list list = sg_operator_read(NULL, node, inputs, place);
        const bool known = list.known && list.count == 1 && list.entries[0].kind == SG_FACT_INT;
        axis = known ? list.entries[0].as.integer : rank;
    }
    axis += axis < 0 ? rank : 0;
    return axis >= 0 && axis < rank ? axis : -1;
}

bool sg_operator_keeps(const sg_graph_node *node)
{
    static const char *const types[] = {"Identity", "Reshape", "Flatten", "Squeeze", "Unsqueeze"};
    bool is = false;
    const bool openvino = sg_graph_is_openvino(node);
    for (size_t i = 0; node->ninputs > 0 && i < sizeof types / sizeof types[0]; ++i) {
        is = is || (openvino                 ? strcasecmp(node->op_type, types[i]) == 0
                    : sg_graph_is_onnx(node) ? strcmp(node->op_type, types[i]) == 0
                                             : false);
    }
    return is;
}

bool sg_operator_drops(const sg_graph_node *node, const sg_fact *const *inputs)
{
    enum { IS_TEST_LAST = 6, TRAINING_INPUT = 2 };
    if (!sg_graph_is_onnx(node) || strcmp(node->op_type, "Dropout") != 0) {
        return false;
    }
    if (node->opset <= IS_TEST_LAST) {
        const sg_graph_attribute *test = sg_graph_attribute_of(node, "is_test");
        return test == NULL || test->kind != SG_GRAPH_ATTRIBUTE_INT || test->ints[0] == 0;
    }
    if (node->ninputs <= TRAINING_INPUT || node->inputs[TRAINING_INPUT][0] == '\0') {
        return false;
    }
    const sg_fact *training = inputs[TRAINING_INPUT];
    return training == NULL || training->constant != SG_FACT_FIXED || !training->has_values ||
           training->count != 1 || training->values[0].kind != SG_FACT_INT ||
           training->values[0].as.integer != 0;
}

bool sg_operator_varies(const sg_graph_node *node, const sg_fact *const *inputs)
{
    static const char *const onnx[] = {"RandomNormalLike", "RandomUniformLike", "Bernoulli",
                                       "Multinomial"};
    static const char *const openvino[] = {"RandomUniform", "Multinomial", "ReadValue"};
    bool varies = sg_operator_drops(node, inputs);
    for (size_t i = 0; sg_graph_is_onnx(node) && i < sizeof onnx / sizeof onnx[0]; ++i) {
        varies = varies || strcmp(node->op_type, onnx[i]) == 0;
    }
    for (size_t i = 0; sg_graph_is_openvino(node) && i < sizeof openvino / sizeof openvino[0];
         ++i) {
        varies = varies || strcasecmp(node->op_type, openvino[i]) == 0;
    }
    return varies;
}
