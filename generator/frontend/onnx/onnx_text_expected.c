/* Syntax errors of ONNX text: the tokens that would have been accepted, as users know them. */
#include "frontend/onnx/onnx_text_expected.h"

#include "base/text.h"

/* Collects the accepted tokens as users know them. Any word can be a name, so if all kinds of words
 * are accepted, they are listed as one choice. So are all tokens that begin a type, or a value. */
static int choices_of(const sg_onnx_text_expected *expected,
                      const char *choices[SG_ONNX_TEXT_KINDS + 2])
{
    static const char *const texts[SG_ONNX_TEXT_KINDS] = {
#define X(id, text) [SG_ONNX_TEXT_##id] = (text),
#include "frontend/onnx/onnx_text_tokens.inc"
#undef X
    };
    const bool *kinds = expected->kinds;
    bool value = kinds[SG_ONNX_TEXT_AT];
    bool name = kinds[SG_ONNX_TEXT_NAME];
    bool type = kinds[SG_ONNX_TEXT_SEQ] && (!name || expected->type_then_name);
    int count = 0;
    if (value) {
        choices[count++] = "a value";
    } else {
        if (type) {
            choices[count++] = "a type";
        }
        if (name) {
            choices[count++] = kinds[SG_ONNX_TEXT_STRING] ? "a name" : "a name without quotes";
        }
        if (kinds[SG_ONNX_TEXT_FLOAT]) {
            choices[count++] = "a number";
        }
        if (kinds[SG_ONNX_TEXT_INT] && !kinds[SG_ONNX_TEXT_FLOAT]) {
            choices[count++] = texts[SG_ONNX_TEXT_INT];
        }
        if (kinds[SG_ONNX_TEXT_STRING] && !name) {
            choices[count++] = texts[SG_ONNX_TEXT_STRING];
        }
        if (kinds[SG_ONNX_TEXT_PRIM] && !name && !type) {
            choices[count++] = texts[SG_ONNX_TEXT_PRIM];
        }
    }
    for (int kind = SG_ONNX_TEXT_QMARK; kind < SG_ONNX_TEXT_OTHER; kind++) {
        if (kinds[kind] && kind != SG_ONNX_TEXT_AT) {
            choices[count++] = texts[kind];
        }
    }
    if (kinds[SG_ONNX_TEXT_END]) {
        choices[count++] = "the end of the text";
    }
    return count;
}

/* Adds a hint on common mistakes. count: how many choices would have been accepted. */
static void add_hint(sg_onnx_text_context *cx, const sg_onnx_text_token *token,
                     const sg_onnx_text_expected *expected, int count)
{
    const bool *kinds = expected->kinds;
    sg_str text = sg_span_text(token->span);
    bool takes_number = kinds[SG_ONNX_TEXT_FLOAT];
    const char *hint = NULL;
    if (token->kind == SG_ONNX_TEXT_EQ && kinds[SG_ONNX_TEXT_ARROW]) {
        hint = "'=>' is one token, without a blank inside";
    } else if (token->kind == SG_ONNX_TEXT_OTHER && text.ptr[0] == '\'') {
        hint = "strings have double quotes";
    } else if (token->kind == SG_ONNX_TEXT_OTHER && text.ptr[0] == '+' && takes_number) {
        hint = "a number has no '+' in front";
    } else if (token->kind == SG_ONNX_TEXT_DOT && takes_number) {
        hint = "a number begins with a digit: 0.5";
    } else if (takes_number && (sg_str_eqz(text, "true") || sg_str_eqz(text, "false"))) {
        hint = "values of bool are 1 and 0";
    } else if (expected->previous == SG_ONNX_TEXT_STRING &&
               (token->kind == SG_ONNX_TEXT_LPAREN || token->kind == SG_ONNX_TEXT_ARROW)) {
        hint = "the name of a graph in an attribute has no quotes";
    } else if (expected->previous == SG_ONNX_TEXT_FLOATWORD &&
               (token->kind == SG_ONNX_TEXT_LPAREN || token->kind == SG_ONNX_TEXT_ARROW)) {
        hint = "the word before is read as a number here; a graph needs another name";
    } else if (token->kind == SG_ONNX_TEXT_STRING && kinds[SG_ONNX_TEXT_LBRACE] &&
               kinds[SG_ONNX_TEXT_EQ]) {
        hint = "the name of a tensor in an attribute has no quotes";
    } else if (token->kind == SG_ONNX_TEXT_LBRACKET && kinds[SG_ONNX_TEXT_LBRACE] &&
               kinds[SG_ONNX_TEXT_EQ]) {
        hint = "external data of a tensor in an attribute needs a '=' in front";
    } else if ((token->kind == SG_ONNX_TEXT_COMMA || token->kind == SG_ONNX_TEXT_GT) &&
               count == 1 && kinds[SG_ONNX_TEXT_EQ]) {
        hint = "an attribute with a type has a value too; a function's attribute without a default "
               "is a name alone";
    } else if (token->kind == SG_ONNX_TEXT_COMMA && expected->previous == SG_ONNX_TEXT_COMMA) {
        hint = "only a node's inputs and outputs may be left out";
    }
    if (hint != NULL) {
        sg_diag_note(cx->diag, token->span, "%s", hint);
    }
}

bool sg_onnx_text_unexpected(sg_onnx_text_context *cx, const sg_onnx_text_token *token,
                             const sg_onnx_text_expected *expected)
{
    const char *choices[SG_ONNX_TEXT_KINDS + 2];
    int count = choices_of(expected, choices);
    const bool is_end = token->kind == SG_ONNX_TEXT_END;
    sg_diag_unexpected(cx->diag, token->span, is_end, choices, count);
    if (!is_end) {
        add_hint(cx, token, expected, count);
    }
    return false;
}
