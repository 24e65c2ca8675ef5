/* Syntax errors of the notation: the tokens that would have been accepted, and an example. */
#include "frontend/notation/notation_expected.h"

#include <string.h>

#include "base/text.h"

/* Collects the accepted tokens as users know them, and returns how many. NAME means different
 * things in different places; the token before it decides which. */
static int choices_of(const bool expected[SG_NOTATION_KINDS], sg_notation_kind previous,
                      const char *choices[SG_NOTATION_KINDS + 1])
{
    static const char *const texts[SG_NOTATION_KINDS] = {
        [SG_NOTATION_END] = "the end of the text",
#define X(id, text) [SG_NOTATION_##id] = (text),
#include "frontend/notation/notation_tokens.inc"
#undef X
    };
    int count = 0;
    for (int kind = 1; kind < SG_NOTATION_OTHER; kind++) {
        /* the mark is optional, and listing it would confuse */
        if (!expected[kind] || kind == SG_NOTATION_VIEW) {
            continue;
        }
        bool is_type = previous == SG_NOTATION_COLON; /* after the name of the op */
        if (kind != SG_NOTATION_NAME || !is_type) {
            choices[count++] = texts[kind];
        }
    }
    if (expected[SG_NOTATION_END]) {
        choices[count++] = texts[SG_NOTATION_END];
    }
    return count;
}

/* What is meant where something else is written, of which the notation has one form; NULL: not
 * known. end: of the text. */
static const char *meant(const sg_notation_token *token, const sg_notation_token *previous,
                         const bool expected[SG_NOTATION_KINDS], size_t end)
{
    const char *rest = token->span.source->text + token->span.begin;
    const bool in_dims = previous->kind == SG_NOTATION_LBRACKET ||
                         (previous->kind == SG_NOTATION_COMMA && !expected[SG_NOTATION_STAR]);
    if (in_dims && (token->kind == SG_NOTATION_QUESTION || token->kind == SG_NOTATION_STAR ||
                    token->kind == SG_NOTATION_COLON)) {
        return "an open dimension needs a name: 'n?'";
    }
    if (expected[SG_NOTATION_LBRACKET] && previous->kind == SG_NOTATION_NAME &&
        (token->kind == SG_NOTATION_NAME || token->kind == SG_NOTATION_STAR)) {
        return "an element type is one word, as in 'u8[4,3]', and a name has a colon: 'rgb: "
               "u8[4,3]'";
    }
    if (token->kind == SG_NOTATION_AT && !expected[SG_NOTATION_ARROW]) {
        return "the axis is written before the arrow, as in 'f32[2,12] @1 -> 4, 8'";
    }
    if (rest[0] == '+') {
        return "lengths have commas between, as in 'f32[2,12] @1 -> 4, 8'";
    }
    const bool has_next = token->span.begin + 1 < end;
    if (expected[SG_NOTATION_ARROW] && has_next && (rest[0] == '=' || rest[0] == '-') &&
        (rest[1] == '>' || rest[1] == '-')) {
        return "the arrow is written '->'";
    }
    return NULL;
}

bool sg_notation_unexpected(sg_notation_context *cx, const sg_notation_token *token,
                            const sg_notation_token *previous,
                            const bool expected[SG_NOTATION_KINDS])
{
    enum { SHOWN = 40 }; /* characters of a long name; the caret line shows all of it */
    const char *choices[SG_NOTATION_KINDS + 1];
    const char *advice =
        token->kind != SG_NOTATION_END ? meant(token, previous, expected, cx->lexer.end) : NULL;
    if (advice != NULL) {
        const sg_str text = sg_span_text(token->span);
        return sg_diag_error(cx->diag, token->span, "unexpected '%.*s'; %s", (int)text.len,
                             text.ptr, advice);
    }
    int count = choices_of(expected, previous->kind, choices);
    sg_diag_unexpected(cx->diag, token->span, token->kind == SG_NOTATION_END, choices, count);
    /* as in f32[batch,4] */
    if (previous->kind == SG_NOTATION_NAME && expected[SG_NOTATION_QUESTION]) {
        sg_str text = sg_span_text(previous->span);
        int shown = text.len > SHOWN ? SHOWN : (int)text.len;
        sg_diag_note(cx->diag, previous->span,
                     "a dimension whose length is known only when the program runs is written "
                     "'%.*s?', or '%.*s=64?' if it is likely 64; one that -D %.*s=... sets needs a "
                     "spec: shape = { param(\"%.*s\"), ... }",
                     shown, text.ptr, shown, text.ptr, shown, text.ptr, shown, text.ptr);
    } else {
        sg_diag_note(cx->diag, sg_span_none(),
                     "an op is written as in 'qkv: f32[1,1024,2304] @2 -> q:768 k:768 v:*', with "
                     "three equal "
                     "parts 'f32[2,12] @1 -> /3', concatenating 'rgb: u8[4,3] @1 <- r:1 g:1 b:1'");
    }
    return false;
}
