/* The entry point of ONNX text: recognises it, and runs the parser. */
#include "frontend/onnx/onnx_text.h"

#include <string.h>

#include "base/text.h"
#include "shapes/graph_build.h"
#include "frontend/onnx/onnx_text_build.h"

/* The end of the name at `at`, quoted or not; `at` if there is none. */
static size_t name_end(const char *text, size_t len, size_t at)
{
    if (at < len && text[at] == '"') {
        return at + sg_onnx_text_string(text, len, at);
    }
    if (at < len && sg_is_ident_start((unsigned char)text[at])) {
        while (at < len && sg_is_ident((unsigned char)text[at])) {
            at++;
        }
    }
    return at;
}

/* The closing parenthesis for the one at `at`, ignoring strings and comments; len if there is
 * none. */
static size_t closing(const char *text, size_t len, size_t at)
{
    size_t depth = 0;
    while (at < len) {
        size_t step = 1;
        if (text[at] == '(') {
            depth++;
        } else if (text[at] == ')' && --depth == 0) {
            return at;
        } else if (text[at] == '"') {
            step = sg_onnx_text_string(text, len, at);
            if (step == 0) {
                return len;
            }
        }
        at = sg_onnx_text_skip(text, len, at + step);
    }
    return len;
}

bool sg_onnx_is_text(const char *text, size_t len)
{
    static const char mark[] = "\xEF\xBB\xBF"; /* reported by the lexer */
    size_t at = len >= 3 && memcmp(text, mark, 3) == 0 ? 3 : 0;
    at = sg_onnx_text_skip(text, len, at);
    if (at < len && text[at] == '<') {
        at = sg_onnx_text_skip(text, len, at + 1);
        if (at == len || text[at] == '"') {
            return false;
        }
        size_t end = name_end(text, len, at);
        size_t colon = sg_onnx_text_skip(text, len, end);
        return end > at && colon < len && text[colon] == ':';
    }
    size_t end = name_end(text, len, at);
    if (end == at) {
        return false;
    }
    at = sg_onnx_text_skip(text, len, end);
    if (at < len && text[at] == '(') {
        at = closing(text, len, at);
        at = at < len ? sg_onnx_text_skip(text, len, at + 1) : len;
    }
    return at + 1 < len && text[at] == '=' && text[at + 1] == '>';
}

sg_graph_model *sg_onnx_read_text(sg_arena *arena, sg_diag *diag, const sg_source *source,
                                  const char *folder, sg_file_list *files)
{
    sg_graph_model *model = SG_NEW(arena, sg_graph_model);
    model->format = SG_MODEL_ONNXTXT;
    model->source = source;
    sg_onnx_text_context cx = {
        .arena = arena,
        .diag = diag,
        .source = source,
        .model = model,
        .beside = {.arena = arena, .diag = diag, .folder = folder, .files = files}};
    const char *rule = sg_diag_set_rule(diag, "onnxtxt");
    sg_onnx_text_lexer_init(&cx.lexer, diag, source);
    bool ok = sg_onnx_text_run(&cx);
    sg_diag_set_rule(diag, rule);
    if (ok) {
        sg_graph_set_versions(model);
    }
    return ok ? model : NULL;
}
