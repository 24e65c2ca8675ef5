/* What the command line says about models. */
#include "driver/models.h"

#include <errno.h>
#include <string.h>

#include "base/file.h"
#include "driver/look.h"
#include "frontend/model/given.h"

static sg_given_place place_of(const sg_option_item *item, const char *option)
{
    return (sg_given_place){item->text, item->span, SG_EXIT_USAGE, option};
}

/* The tensor in front of the last '=', as names may hold one, and the numbers behind it. */
static bool parse_given(sg_arena *arena, sg_diag *diag, const sg_option_item *item,
                        const char *option, int64_t least, const char **tensor,
                        const int64_t **list, int64_t *count)
{
    const char *equals = strrchr(item->text, '=');
    if (equals == NULL || equals == item->text) {
        return sg_diag_fail(diag, SG_EXIT_USAGE, item->span,
                            "'%s' takes a tensor, '=' and numbers: %s %s", option, option,
                            least == 0 ? "images=1,3,224,224" : "sizes=2,4");
    }
    *tensor = sg_arena_strndup(arena, item->text, (size_t)(equals - item->text));
    const sg_given_place place = place_of(item, option);
    return sg_given_ints(arena, diag, &place, sg_str_from(equals + 1), least, list, count);
}

static bool read_shapes(sg_arena *arena, sg_diag *diag, const sg_option_value *given,
                        sg_graph_options *to)
{
    to->shapes = SG_NEW_ARRAY(arena, sg_graph_given_shape, given->count);
    for (int64_t i = 0; i < given->count; i++) {
        const sg_option_item *item = &given->items[i];
        sg_graph_given_shape *shape = &to->shapes[to->nshapes++];
        *shape = (sg_graph_given_shape){
            .dtype = SG_GRAPH_DTYPE_UNKNOWN, .has_dims = true, .span = item->span};
        const char *equals = strrchr(item->text, '=');
        if (equals == NULL || sg_is_digit((unsigned char)equals[1]) || equals[1] == '\0') {
            SG_TRY(parse_given(arena, diag, item, "--shape", 0, &shape->tensor, &shape->dims,
                               &shape->rank));
            continue;
        }
        const sg_given_place place = place_of(item, "--shape");
        shape->tensor = sg_arena_strndup(arena, item->text, (size_t)(equals - item->text));
        SG_TRY(sg_given_type(arena, diag, &place, sg_str_from(equals + 1), shape));
    }
    return true;
}

static bool read_values(sg_arena *arena, sg_diag *diag, const sg_option_value *given,
                        sg_graph_options *to)
{
    to->values = SG_NEW_ARRAY(arena, sg_graph_given_value, given->count);
    for (int64_t i = 0; i < given->count; i++) {
        sg_graph_given_value *value = &to->values[to->nvalues++];
        *value = (sg_graph_given_value){.span = given->items[i].span};
        SG_TRY(parse_given(arena, diag, &given->items[i], "--value", INT64_MIN, &value->tensor,
                           &value->values, &value->count));
    }
    return true;
}

static sg_graph_glob *read_globs(sg_arena *arena, const sg_option_value *given, int64_t *count)
{
    sg_graph_glob *globs = SG_NEW_ARRAY(arena, sg_graph_glob, given->count);
    for (int64_t i = 0; i < given->count; i++) {
        globs[i] = (sg_graph_glob){.text = given->items[i].text, .span = given->items[i].span};
    }
    *count = given->count;
    return globs;
}

/* -D of a spec may be any text; those of models are sizes. */
static void read_defines(sg_arena *arena, const sg_option_value *given, sg_graph_options *to)
{
    to->defines = SG_NEW_ARRAY(arena, sg_graph_define, given->count);
    for (int64_t i = 0; i < given->count; i++) {
        const char *text = given->items[i].text;
        const char *equals = strchr(text, '=');
        int64_t value = 0;
        if (sg_parse_int64(sg_str_from(equals + 1), &value) && value >= 0) {
            to->defines[to->ndefines++] =
                (sg_graph_define){.name = sg_arena_strndup(arena, text, (size_t)(equals - text)),
                                  .value = value,
                                  .span = given->items[i].span};
        }
    }
}

static bool read_rules(sg_arena *arena, sg_diag *diag, const sg_options *options,
                       sg_file_list *files, sg_graph_options *to)
{
    const char *path = sg_options_text(options, SG_OPT_SHAPE_RULES);
    if (path == NULL) {
        return true;
    }
    sg_buf text = {0};
    if (!sg_file_read(path, &text)) {
        sg_diag_fail(diag, SG_EXIT_IO, sg_options_span(options, SG_OPT_SHAPE_RULES),
                     "cannot read '%s': %s", path, strerror(errno));
        sg_buf_free(&text);
        return false;
    }
    to->rules = sg_source_new(arena, path, text.len > 0 ? text.ptr : "", text.len);
    sg_buf_free(&text);
    sg_file_list_add(arena, files, path);
    return true;
}

bool sg_models_options(sg_arena *arena, sg_diag *diag, const sg_options *options,
                       sg_file_list *files, sg_models *models)
{
    *models = (sg_models){.hashes = !sg_look_wanted(options)};
    sg_graph_options *to = &models->options;
    to->chains = sg_options_has(options, SG_OPT_FUSE);
    read_defines(arena, &options->values[SG_OPT_DEFINE], to);
    to->only = read_globs(arena, &options->values[SG_OPT_ONLY], &to->nonly);
    to->except = read_globs(arena, &options->values[SG_OPT_EXCEPT], &to->nexcept);
    return read_shapes(arena, diag, &options->values[SG_OPT_SHAPE], to) &&
           read_values(arena, diag, &options->values[SG_OPT_VALUE], to) &&
           read_rules(arena, diag, options, files, to);
}

bool sg_models_check(sg_arena *arena, sg_diag *diag, const sg_options *options,
                     const sg_models *models)
{
    static const sg_option_id about[] = {SG_OPT_SHAPE, SG_OPT_VALUE, SG_OPT_SHAPE_RULES,
                                         SG_OPT_FUSE};
    if (models->last != NULL) {
        return sg_graph_check_used(arena, diag, models->last, &models->options);
    }
    if (models->loaded != NULL) {
        /* --only and --except are for the ops that the specs return, whatever their models hold. */
        sg_graph_options given = models->options;
        given.nonly = 0;
        given.nexcept = 0;
        return sg_graph_check_used(arena, diag, models->loaded, &given);
    }
    for (size_t i = 0; i < sizeof about / sizeof about[0]; i++) {
        if (sg_options_has(options, about[i])) {
            return sg_diag_fail(diag, SG_EXIT_USAGE, sg_options_span(options, about[i]),
                                "'%s' is about models, and no input is one",
                                sg_option_name(arena, about[i]));
        }
    }
    return true;
}
