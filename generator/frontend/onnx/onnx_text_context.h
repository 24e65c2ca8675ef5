/* A model in ONNX text while it is read: how far it is, and what all parts of reading use. */
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

/* The constant whose literals are being read. Never nested: a literal holds nothing. */
typedef struct sg_onnx_text_data {
    sg_graph_tensor *tensor;
    int64_t elements; /* by its dims; -1: too many or a negative dim */
    int64_t written;  /* literals read */
    uint64_t *bits;   /* of the first ones, SG_GRAPH_VALUES_MAX at most */
    const char **texts;
    sg_span *spans;
    sg_onnx_external external;
    bool broken; /* a literal does not fit, reported: the values are of no use */
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
    bool failed;   /* set by the grammar: the last token fed fits nowhere */
    bool overflow; /* set by the grammar: out of stack */
    bool bad;      /* an error was reported */
} sg_onnx_text_context;

/* Both places lie in the same source, a before b. */
sg_span sg_onnx_text_join(sg_span a, sg_span b);

/* The name or string a token stands for: quotes and backslashes are gone. */
const char *sg_onnx_text_of(sg_onnx_text_context *cx, const sg_onnx_text_token *token);

/* The beginning of the text at a place; the caret line shows the rest. */
const char *sg_onnx_text_shown(sg_onnx_text_context *cx, sg_span span);

/* Reports an error if none was, and sets cx->bad. */
void sg_onnx_text_fail(sg_onnx_text_context *cx, sg_span span, const char *fmt, ...)
    SG_PRINTF(3, 4);

#endif
