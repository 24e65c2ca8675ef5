/* Reads files, standard input and notation texts and passes them to their front-ends. Of an op,
 * only the name is checked here. */
#include "driver/inputs.h"

#include <errno.h>
#include <string.h>

#include "base/file.h"
#include "base/sha256.h"
#include "base/system.h"
#include "driver/advice.h"
#include "driver/look.h"
#include "driver/models.h"
#include "driver/run_limits.h"
#include "frontend/lua/spec.h"
#include "frontend/model/model_file.h"
#include "frontend/notation/notation.h"
#include "shapes/shapes_text.h"
#include "split/names.h"
#include "split/nameset.h"

static const char *op_name(const sg_op *op)
{
    return op->name.present ? op->name.text : op->default_name;
}

/* A file name without folders and extension. */
static const char *stem_of(sg_arena *arena, const char *path)
{
    const char *base = sg_path_base(path);
    return sg_arena_strndup(arena, base, strcspn(base, "."));
}

/* If nodes of two models have the same name, kernels of the later model are prefixed with the name
 * of its file: "detector_Split". */
static void tell_apart(sg_arena *arena, const sg_op_array *ops, int64_t first, const char *file)
{
    sg_nameset names;
    sg_nameset_init(&names, arena);
    for (int64_t i = 0; i < ops->count; i++) {
        if (sg_nameset_find(&names, op_name(ops->items[i])) == NULL) {
            sg_nameset_add(&names, op_name(ops->items[i]), i);
        }
    }
    for (int64_t i = first; i < ops->count; i++) {
        sg_op *op = ops->items[i];
        if (sg_nameset_find(&names, op_name(op))->value < first) {
            const char *name = sg_arena_printf(arena, "%s_%s", stem_of(arena, file), op_name(op));
            name = sg_name_from(arena, sg_str_from(name));
            for (int64_t n = 2; sg_nameset_find(&names, name) != NULL; n++) {
                name = sg_arena_printf(arena, "%s_%lld", name, (long long)n);
            }
            sg_nameset_add(&names, name, i);
            op->name.text = op->default_name = op->subject->name = name;
        }
    }
}

/* Appends the shapes of a model to the dump. */
static bool read_shapes(sg_arena *arena, sg_diag *diag, const sg_models *models,
                        const sg_graph_model *graph, sg_inputs *inputs)
{
    sg_buf text = {0};
    sg_buf_add(&text, inputs->shapes.ptr, inputs->shapes.len);
    const bool ok = sg_shapes_text(arena, diag, graph, &models->options.said, &text);
    inputs->shapes = (sg_str){sg_arena_strndup(arena, text.ptr, text.len), text.len};
    sg_buf_free(&text);
    return ok;
}

/* Appends the shapes of a model to the dump, and its ops to the list. Both would report the same
 * errors, so only the ops do, if they are needed. */
static bool read_model(sg_arena *arena, sg_diag *diag, sg_model_file *file, sg_models *models,
                       sg_inputs *inputs)
{
    sg_model model;
    sg_diag unsaid;
    sg_diag_init(&unsaid, arena);
    SG_TRY(sg_model_file_read(arena, diag, file, NULL, models->hashes, &inputs->files, &model));
    models->last = model.graph;
    const int64_t first = inputs->ops.count;
    const bool wants_shapes = sg_look_at_shapes(models->line);
    const bool wants_ops = !sg_look_only_at_shapes(models->line);
    sg_graph_options given = models->options;
    given.found = &inputs->found;
    given.own = given.alone ? &models->options : NULL;
    if (inputs->placement != NULL) {
        given.said.follows = true;
        given.also = sg_place_watcher(inputs->placement, sg_path_base(model.graph->source->name));
    }
    const bool done = sg_model_ops(arena, wants_ops ? diag : &unsaid, &model, &given, &inputs->ops);
    SG_TRY(!wants_shapes ||
           read_shapes(arena, wants_ops ? &unsaid : diag, models, model.graph, inputs));
    SG_TRY(!wants_ops || done);
    tell_apart(arena, &inputs->ops, first, model.graph->source->name);
    inputs->ops.count = wants_ops ? inputs->ops.count : first;
    return true;
}

/* Reads a model; any other text is a spec. */
static bool read_file(sg_arena *arena, sg_diag *diag, const sg_input *input,
                      const sg_spec_options *spec_options, sg_models *models, sg_inputs *inputs)
{
    sg_model_file file;
    SG_TRY(sg_model_file_open(diag, input->text, input->span, &file));
    const sg_source *source = NULL;
    bool ok = false;
    if (file.kind != SG_MODEL_KIND_NONE) {
        ok = read_model(arena, diag, &file, models, inputs);
    } else if (sg_model_file_text(arena, diag, &file, &source)) {
        sg_file_list_add(arena, &inputs->files, input->text, NULL,
                         sg_sha256_text(arena, source->text, source->len));
        inputs->specs++;
        ok = sg_spec_load(arena, diag, source, spec_options, &inputs->files, &inputs->ops);
    }
    sg_model_file_close(&file);
    return ok;
}

/* The first notation text is named split, the second one split_2 and so on. */
static bool read_notation(sg_arena *arena, sg_diag *diag, const sg_input *input, int64_t number,
                          sg_inputs *inputs)
{
    size_t len = strlen(input->text);
    const sg_source *source = sg_source_new(arena, "<command line>", input->text, len);
    const char *name =
        number == 1 ? "split" : sg_arena_printf(arena, "split_%lld", (long long)number);
    return sg_notation_parse(arena, diag, source, 0, len, name, &inputs->ops);
}

/* Reports the first input file that does not exist. Nothing is read then: what is wrong with other
 * inputs may be because of it. */
static bool check_there(sg_arena *arena, sg_diag *diag, const sg_options *options)
{
    for (int64_t i = 0; i < options->ninputs; i++) {
        const sg_input *input = &options->inputs[i];
        sg_system_info info;
        if (input->notation || strcmp(input->text, "-") == 0 ||
            sg_system_stat(input->text, &info)) {
            continue;
        }
        const int error = errno;
        const char *advice = sg_advice_input(arena, input->text);
        return sg_diag_fail(diag, SG_EXIT_IO, input->span, "cannot read '%s': %s%s%s", input->text,
                            strerror(error), advice != NULL ? "; " : "",
                            advice != NULL ? advice : "");
    }
    return true;
}

/* Reports a file name given as notation. */
static bool check_notation(sg_diag *diag, const sg_input *input)
{
    return strstr(input->text, "->") != NULL || !sg_file_exists(input->text) ||
           sg_diag_fail(diag, SG_EXIT_USAGE, input->span,
                        "'%s' is a file, but '-e' takes a text in the notation; leave '-e' out",
                        input->text);
}

/* Rejects a file that is given twice, because both would generate the same names. */
static bool check_twice(sg_arena *arena, sg_diag *diag, const sg_options *options)
{
    sg_system_info *files = SG_NEW_ARRAY(arena, sg_system_info, options->ninputs);
    bool ok = true;
    for (int64_t i = 0; i < options->ninputs; i++) {
        const sg_input *input = &options->inputs[i];
        const bool known = !input->notation && strcmp(input->text, "-") != 0 &&
                           sg_system_stat(input->text, &files[i]) &&
                           files[i].kind == SG_SYSTEM_FILE;
        int64_t first = 0;
        while (known && first < i && !sg_system_is_same(&files[first], &files[i])) {
            first++;
        }
        if (known && first < i) {
            ok = sg_diag_fail(
                diag, SG_EXIT_USAGE, input->span,
                "'%s' is the file of another input; give it once, or run splitgen twice "
                "and the second time with '--prefix' for two sets of kernels",
                input->text);
            sg_diag_note(diag, options->inputs[first].span, "it is given here first");
        } else if (!known) {
            files[i] = (sg_system_info){0};
        }
    }
    return ok;
}

static bool read_all(sg_arena *arena, sg_diag *diag, const sg_options *options,
                     const sg_spec_options *spec_options, sg_models *models, sg_inputs *inputs)
{
    bool ok = true;
    int64_t notations = 0;
    const sg_input *standard = NULL;
    for (int64_t i = 0; i < options->ninputs; i++) {
        const sg_input *input = &options->inputs[i];
        if (input->notation) {
            ok = check_notation(diag, input) &&
                 read_notation(arena, diag, input, ++notations, inputs) && ok;
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
        ok = read_file(arena, diag, input, spec_options, models, inputs) && ok;
    }
    return ok;
}

static sg_spec_options make_spec_options(sg_arena *arena, const sg_options *options,
                                         sg_spec_models *models)
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
        .max_steps = sg_run_limit_seconds(options) * SG_SPEC_STEPS_PER_SECOND,
        .max_memory = (size_t)options->values[SG_OPT_MAX_MEMORY].number << 20,
        .models = models,
    };
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

void sg_inputs_note_apart(sg_diag *diag, const sg_graph_found *found)
{
    for (int64_t i = 0; i < found->napart && i < SG_GRAPH_APART_MAX; i++) {
        sg_diag_note(diag, found->apart[i].span, "%s", found->apart[i].text);
    }
    if (found->napart > SG_GRAPH_APART_MAX) {
        sg_diag_note(diag, sg_span_none(), "%lld more nodes belong to no op",
                     (long long)(found->napart - SG_GRAPH_APART_MAX));
    }
}

static bool no_op(sg_arena *arena, sg_diag *diag, const sg_options *options,
                  const sg_models *models, const sg_graph_found *found)
{
    const char *ops = sg_options_text(options, SG_OPT_OPS);
    (void)sg_diag_error(diag, options->inputs[0].span, "%s",
                        models->last == NULL ? "there is no op to generate"
                        : ops == NULL
                            ? "the model has no Split nodes"
                            : sg_arena_printf(arena, "the model has no nodes of '--ops=%s'", ops));
    sg_inputs_note_apart(diag, found);
    const sg_left_out rest = sg_models_left_out(arena, options, found);
    if (rest.count > 0) {
        sg_diag_note(diag, sg_span_none(), "%s would generate: %s", rest.option, rest.what);
    }
    return false;
}

/* Keeps the ops that --only names and --except does not, in their order. Ops of models among the
 * inputs have already been selected by the names of their nodes. */
static bool select_ops(sg_arena *arena, sg_diag *diag, const sg_options *options,
                       const sg_models *models, sg_inputs *inputs)
{
    sg_op_array *ops = &inputs->ops;
    const sg_graph_options *choice = &models->options;
    sg_op_array kept = {.items = SG_NEW_ARRAY(arena, sg_op *, ops->count)};
    for (int64_t k = 0; k < ops->count; k++) {
        sg_op *op = ops->items[k];
        if ((op->origin != NULL && !op->origin->in_spec) ||
            sg_graph_is_chosen(choice, op_name(op))) {
            kept.items[kept.count++] = op;
        }
    }
    bool ok = sg_models_check(arena, diag, options, models);
    for (int64_t i = 0; models->last == NULL && i < choice->nonly; i++) {
        ok = (choice->only[i].used ||
              unknown_name(arena, diag, &options->values[SG_OPT_ONLY].items[i], ops)) &&
             ok;
    }
    for (int64_t i = 0; models->last == NULL && i < choice->nexcept; i++) {
        ok = (choice->except[i].used ||
              unknown_name(arena, diag, &options->values[SG_OPT_EXCEPT].items[i], ops)) &&
             ok;
    }
    const bool looks = sg_look_wanted(options);
    const bool needs_none =
        sg_look_only_at_shapes(options) || (inputs->placement != NULL && !looks);
    if (ok && kept.count == 0 && !needs_none) {
        return no_op(arena, diag, options, models, &inputs->found);
    }
    if (ok) {
        *ops = kept;
    }
    return ok;
}

/* Sets for every -D whether it is used, and warns about those that no spec or model used. The name
 * of a parameter is an identifier, so any other name is an error if there is no model. */
static bool warn_unused(sg_arena *arena, sg_diag *diag, const sg_models *models,
                        const sg_spec_options *spec_options, bool *used)
{
    const sg_graph_model *model = models->last != NULL ? models->last : models->loaded;
    for (size_t i = 0; i < spec_options->ndefines; i++) {
        sg_define *define = &spec_options->defines[i];
        const sg_graph_define *dim = &models->options.said.defines[i]; /* the same -D */
        define->used = define->used || dim->used;
        used[i] = define->used;
        if (define->used) {
            continue;
        }
        if (model == NULL && !sg_str_is_ident(sg_str_from(define->name))) {
            return sg_diag_fail(diag, SG_EXIT_USAGE, define->span,
                                "'%s' is not a name that '-D' can set: only dims of models are "
                                "called so, and no input is one",
                                define->name);
        }
        const bool is_checked = models->last != NULL && models->options.alone;
        if (model != NULL && !is_checked && define->meant == NULL) {
            define->meant = sg_graph_suggest_dim(arena, model, dim->name);
        }
    }
    sg_spec_warn_unused(diag, spec_options);
    return true;
}

bool sg_inputs_read(sg_arena *arena, sg_diag *diag, const sg_options *options,
                    sg_place_watch *placement, sg_inputs *inputs)
{
    *inputs = (sg_inputs){.placement = placement};
    sg_models models;
    inputs->defines_used = SG_NEW_ARRAY(arena, bool, options->values[SG_OPT_DEFINE].count);
    SG_TRY(check_there(arena, diag, options));
    SG_TRY(check_twice(arena, diag, options));
    SG_TRY(sg_models_options(arena, diag, options, &inputs->files, &models));
    sg_spec_models loaded = {.given = &models.options, .hashes = models.hashes};
    sg_spec_options spec_options = make_spec_options(arena, options, &loaded);
    if (!read_all(arena, diag, options, &spec_options, &models, inputs)) {
        /* A misspelt name is a common reason for an unknown shape; but after a budget error not all
         * names have been seen. */
        const bool searched = models.last != NULL && sg_diag_exit(diag) != SG_EXIT_BUDGET;
        return searched &&
               (inputs->specs > 0 ||
                warn_unused(arena, diag, &models, &spec_options, inputs->defines_used)) &&
               sg_models_check(arena, diag, options, &models) && false;
    }
    models.loaded = loaded.last;
    return warn_unused(arena, diag, &models, &spec_options, inputs->defines_used) &&
           select_ops(arena, diag, options, &models, inputs);
}
