/* Reads files, standard input and notation texts and hands them to their front-ends. Judges no op
 * beyond its name. */
#include "driver/inputs.h"

#include <errno.h>
#include <string.h>

#include "frontend/lua/spec.h"
#include "frontend/notation/notation.h"

static bool has_extension(const char *path, const char *extension)
{
    size_t len = strlen(path);
    size_t n = strlen(extension);
    return len > n && strcmp(path + len - n, extension) == 0;
}

static bool is_model(const char *path)
{
    return has_extension(path, ".onnx") || has_extension(path, ".onnxtxt") ||
           has_extension(path, ".xml");
}

static bool read_spec(sg_arena *arena, sg_diag *diag, const sg_input *input,
                      const sg_spec_options *spec_options, sg_inputs *inputs)
{
    if (is_model(input->text)) {
        return sg_diag_error(diag, input->span,
                             "'%s' is a model, which this release does not read; "
                             "describe its splits in a spec",
                             input->text);
    }
    bool standard = strcmp(input->text, "-") == 0;
    sg_buf text = {0};
    if (!sg_file_read(input->text, &text)) {
        sg_diag_fail(diag, SG_EXIT_IO, input->span, "cannot read '%s': %s", input->text,
                     strerror(errno));
        sg_buf_free(&text);
        return false;
    }
    if (!standard) {
        sg_file_list_add(arena, &inputs->files, input->text);
    }
    const sg_source *source = sg_source_new(arena, standard ? "<stdin>" : input->text,
                                            text.len > 0 ? text.ptr : "", text.len);
    sg_buf_free(&text);
    return sg_spec_load(arena, diag, source, spec_options, &inputs->files, &inputs->ops);
}

/* Ops of the only notation text are called split, those of the second one split_2 and so on. */
static bool read_notation(sg_arena *arena, sg_diag *diag, const sg_input *input, int64_t number,
                          sg_inputs *inputs)
{
    size_t len = strlen(input->text);
    const sg_source *source = sg_source_new(arena, "<command line>", input->text, len);
    const char *name =
        number == 1 ? "split" : sg_arena_printf(arena, "split_%lld", (long long)number);
    return sg_notation_parse(arena, diag, source, 0, len, name, &inputs->ops);
}

static bool read_all(sg_arena *arena, sg_diag *diag, const sg_options *options,
                     const sg_spec_options *spec_options, sg_inputs *inputs)
{
    bool ok = true;
    int64_t notations = 0;
    const sg_input *standard = NULL;
    for (int64_t i = 0; i < options->ninputs; i++) {
        const sg_input *input = &options->inputs[i];
        if (input->notation) {
            ok = read_notation(arena, diag, input, ++notations, inputs) && ok;
            continue;
        }
        if (strcmp(input->text, "-") == 0) {
            if (standard != NULL) {
                ok = sg_diag_fail(diag, SG_EXIT_USAGE, input->span,
                                  "standard input can be read only once");
                sg_diag_note(diag, standard->span, "it is read here first");
                continue;
            }
            standard = input;
        }
        ok = read_spec(arena, diag, input, spec_options, inputs) && ok;
    }
    return ok;
}

static sg_spec_options make_spec_options(sg_arena *arena, const sg_options *options)
{
    const sg_option_value *given = &options->values[SG_OPT_DEFINE];
    sg_define *defines = SG_NEW_ARRAY(arena, sg_define, given->count);
    for (int64_t i = 0; i < given->count; i++) {
        const char *text = given->items[i].text;
        const char *equals = strchr(text, '=');
        defines[i].name = sg_arena_strndup(arena, text, (size_t)(equals - text));
        defines[i].value = equals + 1;
        defines[i].span = given->items[i].span;
    }
    const sg_option_value *folders = &options->values[SG_OPT_INCLUDE];
    const char **dirs = SG_NEW_ARRAY(arena, const char *, folders->count);
    for (int64_t i = 0; i < folders->count; i++) {
        dirs[i] = folders->items[i].text;
    }
    return (sg_spec_options){
        .defines = defines,
        .ndefines = (size_t)given->count,
        .include_dirs = dirs,
        .ninclude_dirs = (size_t)folders->count,
        .max_steps = options->values[SG_OPT_SPEC_STEPS].number,
        .max_memory = (size_t)options->values[SG_OPT_SPEC_MEMORY].number << 20,
    };
}

static const char *op_name(const sg_op *op)
{
    return op->name.present ? op->name.text : op->default_name;
}

static bool unknown_name(sg_arena *arena, sg_diag *diag, const sg_option_item *item,
                         const sg_op_array *ops)
{
    const char **names = SG_NEW_ARRAY(arena, const char *, ops->count);
    for (int64_t i = 0; i < ops->count; i++) {
        names[i] = op_name(ops->items[i]);
    }
    const char *near = sg_suggest(sg_str_from(item->text), names, (size_t)ops->count);
    if (near != NULL) {
        return sg_diag_fail(diag, SG_EXIT_USAGE, item->span,
                            "no op is called '%s'; did you mean '%s'?", item->text, near);
    }
    return sg_diag_fail(diag, SG_EXIT_USAGE, item->span,
                        "no op is called '%s'; '--list' prints the names", item->text);
}

/* Keeps the ops that --only names, in their own order. */
static bool select_ops(sg_arena *arena, sg_diag *diag, const sg_options *options, sg_op_array *ops)
{
    const sg_option_value *only = &options->values[SG_OPT_ONLY];
    if (only->count == 0) {
        return true;
    }
    bool ok = true;
    bool *keep = SG_NEW_ARRAY(arena, bool, ops->count);
    for (int64_t i = 0; i < only->count; i++) {
        bool found = false;
        for (int64_t k = 0; k < ops->count; k++) {
            if (strcmp(op_name(ops->items[k]), only->items[i].text) == 0) {
                keep[k] = true;
                found = true;
            }
        }
        ok = (found || unknown_name(arena, diag, &only->items[i], ops)) && ok;
    }
    int64_t count = 0;
    for (int64_t k = 0; k < ops->count; k++) {
        if (keep[k]) {
            ops->items[count++] = ops->items[k];
        }
    }
    if (ok) {
        ops->count = count;
    }
    return ok;
}

bool sg_inputs_read(sg_arena *arena, sg_diag *diag, const sg_options *options, sg_inputs *inputs)
{
    *inputs = (sg_inputs){0};
    sg_spec_options spec_options = make_spec_options(arena, options);
    SG_TRY(read_all(arena, diag, options, &spec_options, inputs));
    sg_spec_warn_unused(diag, &spec_options);
    if (inputs->ops.count == 0) {
        return sg_diag_error(diag, options->inputs[0].span, "there is no op to generate");
    }
    return select_ops(arena, diag, options, &inputs->ops);
}
