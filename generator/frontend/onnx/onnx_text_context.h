/* The state of reading a model in ONNX text, and functions that all its files use. */
#ifndef SG_FRONTEND_ONNX_ONNX_TEXT_CONTEXT_H
#define SG_FRONTEND_ONNX_ONNX_TEXT_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/source.h"
#include "shapes/graph.h"
#include "frontend/onnx/onnx_external.h"
#include "frontend/onnx/onnx_text_lex.h"

/* The constant whose literals are being read. Constants do not nest. */
typedef struct sg_onnx_text_data {
    sg_graph_tensor *tensor;
    int64_t elements; /* from its dims; -1: too many, or a negative dim */
    int64_t written;  /* literals read so far */
    uint64_t *bits;   /* of the first ones, at most SG_GRAPH_VALUES_MAX */
    const char **texts;
    sg_span *spans;
    sg_onnx_external external;
    bool broken; /* a literal does not fit, which was reported: the values are not used */
} sg_onnx_text_data;

typedef struct sg_onnx_text_context {
    sg_arena *arena; /* owns the model */
    sg_diag *diag;
    const sg_source *source;
    sg_onnx_text_lexer lexer;
    sg_graph_model *model;
    sg_onnx_text_data data;
    sg_onnx_folder beside;
    bool accepted; /* set by the grammar */
    bool failed;   /* set by the grammar: the last token is a syntax error */
    bool overflow; /* set by the grammar: out of stack */
    bool bad;      /* an error was reported */
} sg_onnx_text_context;

/* The span from a to b. Both are in the same source, a before b. */
sg_span sg_onnx_text_join(sg_span a, sg_span b);

/* The name or string of a token, without quotes and escapes. */
const char *sg_onnx_text_of(sg_onnx_text_context *cx, const sg_onnx_text_token *token);

/* The first characters of the text at a place, for a message. */
const char *sg_onnx_text_shown(sg_onnx_text_context *cx, sg_span span);

/* Reports an error, unless one was reported before, and sets cx->bad. */
void sg_onnx_text_fail(sg_onnx_text_context *cx, sg_span span, const char *fmt, ...)
    SG_PRINTF(3, 4);

#endif
