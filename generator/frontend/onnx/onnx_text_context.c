/* Functions for all files that read ONNX text: spans, names, the first error. */
#include "frontend/onnx/onnx_text_context.h"

#include <stdarg.h>

#include "base/text.h"

sg_span sg_onnx_text_join(sg_span a, sg_span b)
{
    return sg_span_make(a.source, a.begin, b.end);
}

void sg_onnx_text_fail(sg_onnx_text_context *cx, sg_span span, const char *fmt, ...)
{
    if (cx->bad) {
        return;
    }
    va_list ap;
    va_start(ap, fmt);
    const char *message = sg_arena_vprintf(cx->arena, fmt, ap);
    va_end(ap);
    cx->bad = !sg_diag_error(cx->diag, span, "%s", message);
}

const char *sg_onnx_text_shown(sg_onnx_text_context *cx, sg_span span)
{
    enum { SHOWN = 40 };
    const sg_str text = sg_span_text(span);
    return text.len <= SHOWN ? sg_arena_strndup(cx->arena, text.ptr, text.len)
                             : sg_arena_printf(cx->arena, "%.*s...", (int)SHOWN, text.ptr);
}

const char *sg_onnx_text_of(sg_onnx_text_context *cx, const sg_onnx_text_token *token)
{
    sg_str text = sg_span_text(token->span);
    if (token->kind != SG_ONNX_TEXT_STRING) {
        return sg_arena_strndup(cx->arena, text.ptr, text.len);
    }
    /* A backslash escapes the next byte and has no other meaning: "\n" is n. */
    char *copy = sg_arena_alloc(cx->arena, text.len);
    size_t n = 0;
    for (size_t i = 1; i + 1 < text.len; i++) {
        if (text.ptr[i] == '\\') {
            i++;
        }
        copy[n++] = text.ptr[i];
    }
    return copy;
}
