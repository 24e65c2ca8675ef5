/* Entry of the notation: runs the parser, names unnamed ops, words syntax errors. */
#include "frontend/notation/notation.h"

#include <inttypes.h>

#include "base/text.h"
#include "frontend/notation/notation_build.h"

/* Collects what may follow, as the user would say it, and returns how many choices that makes. A
 * NAME is different things in different places; the token before it tells which. */
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
        if (!expected[kind]) {
            continue;
        }
        bool is_type = previous == SG_NOTATION_COLON; /* behind the name of the op */
        if (kind != SG_NOTATION_NAME || !is_type) {
            choices[count++] = texts[kind];
        }
    }
    if (expected[SG_NOTATION_END]) {
        choices[count++] = texts[SG_NOTATION_END];
    }
    return count;
}

/* Whether a name stands where a dimension belongs: f32[batch,4]. */
static bool is_dimension(const sg_notation_token *token, sg_notation_kind previous,
                         const bool expected[SG_NOTATION_KINDS])
{
    return token->kind == SG_NOTATION_NAME && expected[SG_NOTATION_INT] &&
           !expected[SG_NOTATION_NAME] &&
           (previous == SG_NOTATION_LBRACKET || previous == SG_NOTATION_COMMA);
}

bool sg_notation_unexpected(sg_notation_context *cx, const sg_notation_token *token,
                            sg_notation_kind previous, const bool expected[SG_NOTATION_KINDS])
{
    enum { SHOWN = 40 }; /* of a long name; the caret line shows the rest */
    const char *choices[SG_NOTATION_KINDS + 1];
    int count = choices_of(expected, previous, choices);
    sg_diag_unexpected(cx->diag, token->span, token->kind == SG_NOTATION_END, choices, count);
    if (is_dimension(token, previous, expected)) {
        sg_str text = sg_span_text(token->span);
        int shown = text.len > SHOWN ? SHOWN : (int)text.len;
        sg_diag_note(cx->diag, token->span,
                     "dimensions of the notation are numbers; a spec takes parameters: "
                     "shape = { param(\"%.*s\"), ... } with -D %.*s=...",
                     shown, text.ptr, shown, text.ptr);
    }
    return false;
}

bool sg_notation_parse(sg_arena *arena, sg_diag *diag, const sg_source *source, size_t begin,
                       size_t end, const char *default_name, sg_op_array *ops)
{
    sg_notation_context cx = {.arena = arena, .diag = diag, .ops = ops};
    int64_t before = ops->count;
    const char *rule = sg_diag_set_rule(diag, "notation");
    sg_notation_lexer_init(&cx.lexer, diag, source, begin, end);
    bool ok = sg_notation_run(&cx);
    sg_diag_set_rule(diag, rule);
    if (!ok) {
        ops->count = before;
        return false;
    }
    int64_t count = ops->count - before;
    for (int64_t i = 0; i < count; i++) {
        ops->items[before + i]->default_name =
            count == 1 ? sg_arena_strdup(arena, default_name)
                       : sg_arena_printf(arena, "%s_%" PRId64, default_name, i + 1);
    }
    return true;
}
