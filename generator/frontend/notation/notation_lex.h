/* The tokens of the notation, with their places. The lexer splits text into tokens and reads
 * integers; the grammar checks their order. */
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
    SG_NOTATION_OTHER, /* a printable ASCII character that the notation does not use */
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
    size_t last_end; /* end of the last token: the place of an error at the end of the text */
} sg_notation_lexer;

/* Prepares to read bytes [begin, end) of source. */
void sg_notation_lexer_init(sg_notation_lexer *lexer, sg_diag *diag, const sg_source *source,
                            size_t begin, size_t end);

/* Reads the next token; END repeatedly at the end of the text. Returns false if an error was
 * reported: a number that is not a 64-bit decimal integer, or a byte that is not printable
 * ASCII. */
bool sg_notation_lex(sg_notation_lexer *lexer, sg_notation_token *out) SG_CHECK;

#endif
