/* Messages for syntax errors of ONNX text. */
#ifndef SG_FRONTEND_ONNX_ONNX_TEXT_EXPECTED_H
#define SG_FRONTEND_ONNX_ONNX_TEXT_EXPECTED_H

#include <stdbool.h>

#include "frontend/onnx/onnx_text_context.h"

/* What the grammar would accept in place of an unexpected token. */
typedef struct sg_onnx_text_expected {
    bool kinds[SG_ONNX_TEXT_KINDS];
    bool type_then_name; /* a type may begin here, followed by a name */
    sg_onnx_text_kind previous;
} sg_onnx_text_expected;

/* Reports an unexpected token. Always returns false. */
bool sg_onnx_text_unexpected(sg_onnx_text_context *cx, const sg_onnx_text_token *token,
                             const sg_onnx_text_expected *expected);

#endif
