/* The tokens of ONNX's textual syntax, with their places. The lexer splits text into tokens; the
 * grammar checks their order, and the builder converts numbers. */
#ifndef SG_FRONTEND_ONNX_TEXT_LEX_H
#define SG_FRONTEND_ONNX_TEXT_LEX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "base/source.h"

/* The values equal lemon's token numbers (checked in onnx_text_grammar.y). */
typedef enum sg_onnx_text_kind {
    SG_ONNX_TEXT_END = 0, /* end of the text */
#define X(id, text) SG_ONNX_TEXT_##id,
#include "frontend/onnx/onnx_text_tokens.inc"
#undef X
    SG_ONNX_TEXT_OTHER, /* a printable ASCII character that the language does not use */
    SG_ONNX_TEXT_KINDS
} sg_onnx_text_kind;

typedef struct sg_onnx_text_token {
    sg_onnx_text_kind kind;
    int dtype; /* of a PRIM; SG_GRAPH_DTYPE_UNKNOWN for types that splitgen does not have */
    sg_span span;
} sg_onnx_text_token;

typedef struct sg_onnx_text_lexer {
    sg_diag *diag;
    const sg_source *source;
    size_t at;       /* next byte to read */
    size_t last_end; /* end of the last token: the place of an error at the end of the text */
} sg_onnx_text_lexer;

void sg_onnx_text_lexer_init(sg_onnx_text_lexer *lexer, sg_diag *diag, const sg_source *source);

/* Reads the next token; END repeatedly at the end of the text. Returns false if an error was
 * reported: a string without an end, a number without digits, a byte that begins no token. */
bool sg_onnx_text_lex(sg_onnx_text_lexer *lexer, sg_onnx_text_token *out) SG_CHECK;

/* Whether a byte is blank: space, \t, \n, \v, \f, \r. */
bool sg_onnx_text_is_blank(int c);

/* The end of the blanks and comments at `at`. Only \n ends a comment. */
size_t sg_onnx_text_skip(const char *text, size_t len, size_t at);

/* The length of the string that begins with the quote at `at`, including quotes; 0 if it has no
 * end. */
size_t sg_onnx_text_string(const char *text, size_t len, size_t at);

/* The length of inf, infinity or nan (in any case) at s, if it is not followed by another letter or
 * a digit; 0 if there is none in the n bytes. */
size_t sg_onnx_text_float_word(const char *s, size_t n);

#endif
