/* The notation's tokens with their places. Splits text into tokens and reads integers; which order
 * of tokens makes sense is the grammar's business. */
#ifndef SG_FRONTEND_NOTATION_LEX_H
#define SG_FRONTEND_NOTATION_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/source.h"

/* The values equal lemon's token numbers (checked in notation_grammar.y). */
typedef enum sg_notation_kind {
    SG_NOTATION_END = 0, /* end of the text */
#define X(id, text) SG_NOTATION_##id,
#include "frontend/notation/notation_tokens.inc"
#undef X
    SG_NOTATION_OTHER, /* a printable ASCII character the notation does not use */
    SG_NOTATION_KINDS
} sg_notation_kind;

typedef struct sg_notation_token {
    sg_notation_kind kind;
    sg_span span;
    int64_t value; /* of an INT */
} sg_notation_token;

typedef struct sg_notation_lexer {
    sg_diag *diag;
    const sg_source *source;
    size_t at;       /* next byte to read */
    size_t end;      /* one past the last byte */
    size_t last_end; /* end of the last token: where something is missing if the text ends */
} sg_notation_lexer;

/* Reads bytes [begin, end) of source. */
void sg_notation_lexer_init(sg_notation_lexer *lexer, sg_diag *diag, const sg_source *source,
                            size_t begin, size_t end);

/* The next token; END for ever once the text is over. False: no token could be read (a number
 * that is no 64-bit decimal integer, a byte that is no printable ASCII), reported. */
bool sg_notation_lex(sg_notation_lexer *lexer, sg_notation_token *out) SG_CHECK;

#endif
