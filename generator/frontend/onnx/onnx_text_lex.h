/* The tokens of ONNX's textual syntax with their places. Splits text into tokens; which order of
 * tokens makes sense is the grammar's business, what a number means the builder's. */
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
    SG_ONNX_TEXT_OTHER, /* a printable ASCII character the language does not use */
    SG_ONNX_TEXT_KINDS
} sg_onnx_text_kind;

typedef struct sg_onnx_text_token {
    sg_onnx_text_kind kind;
    int dtype; /* of a PRIM; SG_GRAPH_DTYPE_UNKNOWN for types that no tensor here has */
    sg_span span;
} sg_onnx_text_token;

typedef struct sg_onnx_text_lexer {
    sg_diag *diag;
    const sg_source *source;
    size_t at;       /* next byte to read */
    size_t last_end; /* end of the last token: where something is missing if the text ends */
} sg_onnx_text_lexer;

void sg_onnx_text_lexer_init(sg_onnx_text_lexer *lexer, sg_diag *diag, const sg_source *source);

/* The next token; END for ever once the text is over. False: no token could be read (a string
 * without its end, a number without digits, a byte no token begins with), reported. */
bool sg_onnx_text_lex(sg_onnx_text_lexer *lexer, sg_onnx_text_token *out) SG_CHECK;

/* Whether a byte is blank: space, \t, \n, \v, \f, \r. */
bool sg_onnx_text_is_blank(int c);

/* Where blanks and comments from `at` on end. A comment ends with \n only. */
size_t sg_onnx_text_skip(const char *text, size_t len, size_t at);

/* Length of the string that begins with the quote at `at`, quotes included; 0: it has no end. */
size_t sg_onnx_text_string(const char *text, size_t len, size_t at);

/* How many of the n letters at s are inf, infinity or nan, in any case, as a number: not followed
 * by another letter or a digit. 0: none. */
size_t sg_onnx_text_float_word(const char *s, size_t n);

#endif
