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

/* The last '=' that stands behind the tensor, as its name may hold one: not one within a free dim,
 * "batch=64?". NULL: there is none. */
static const char *find_equals(const char *text)
{
    const char *equals = strrchr(text, '=');
    while (equals != NULL) {
        const size_t digits = strspn(equals + 1, "-0123456789");
        if (digits == 0 || equals[digits + 1] != '?') {
            break;
        }
        const char *before = NULL;
        for (const char *at = text; at < equals; at++) {
            before = *at == '=' ? at : before;
        }
        equals = before;
    }
    return equals != text ? equals : NULL;
}

static bool parse_tensor(sg_arena *arena, sg_diag *diag, const sg_option_item *item,
                         const char *option, const char *example, const char **tensor,
                         const char **behind)
{
    const char *equals = find_equals(item->text);
    if (equals == NULL) {
        return sg_diag_fail(diag, SG_EXIT_USAGE, item->span,
                            "'%s' takes a tensor, '=' and numbers: %s %s", option, option, example);
    }
    *tensor = sg_arena_strndup(arena, item->text, (size_t)(equals - item->text));
    *behind = equals + 1;
    return true;
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
        const char *text = NULL;
        SG_TRY(parse_tensor(arena, diag, item, "--shape", "images=1,3,224,224", &shape->tensor,
                            &text));
        const sg_given_place place = place_of(item, "--shape");
        const size_t len = strlen(text);
        if (len >= 2 && ((text[0] == '[' && text[len - 1] == ']') ||
                         (text[0] == '(' && text[len - 1] == ')'))) {
            SG_TRY(sg_given_dims(arena, diag, &place, (sg_str){text + 1, len - 2}, shape));
            continue;
        }
        const bool is_type =
            strchr(text, '[') != NULL || (text[0] != '\0' && !sg_is_digit((unsigned char)text[0]) &&
                                          strpbrk(text, ",?") == NULL);
        SG_TRY(is_type ? sg_given_type(arena, diag, &place, sg_str_from(text), shape)
                       : sg_given_dims(arena, diag, &place, sg_str_from(text), shape));
    }
    return true;
}

static bool read_values(sg_arena *arena, sg_diag *diag, const sg_option_value *given,
                        sg_graph_options *to)
{
    to->values = SG_NEW_ARRAY(arena, sg_graph_given_value, given->count);
    for (int64_t i = 0; i < given->count; i++) {
        const sg_option_item *item = &given->items[i];
        sg_graph_given_value *value = &to->values[to->nvalues++];
        *value = (sg_graph_given_value){.span = item->span};
        const char *text = NULL;
        SG_TRY(parse_tensor(arena, diag, item, "--value", "sizes=2,4", &value->tensor, &text));
        const sg_given_place place = place_of(item, "--value");
        SG_TRY(
            sg_given_ints(arena, diag, &place, sg_str_from(text), &value->values, &value->count));
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

/* Reads a size, or "free" and "free:64". */
static bool read_size(const char *text, sg_graph_define *define)
{
    static const char free[] = "free";
    const char *behind = text + sizeof free - 1;
    define->value = 1;
    if (strncmp(text, free, sizeof free - 1) != 0 || (*behind != '\0' && *behind != ':')) {
        return sg_parse_int64(sg_str_from(text), &define->value) && define->value >= 0;
    }
    const bool ok = *behind == '\0' ||
                    (sg_parse_int64(sg_str_from(behind + 1), &define->value) && define->value >= 1);
    define->free = (sg_graph_free){define->name, define->value};
    return ok;
}

/* -D of a spec may be any text: whether a value is a size matters where a dim is called so. */
static void read_defines(sg_arena *arena, const sg_option_value *given, sg_graph_options *to)
{
    for (int64_t i = 0; i < given->count; i++) {
        const sg_option_item *item = &given->items[i];
        const char *last = strrchr(item->text, '=');
        sg_graph_define define = {.text = item->text, .span = item->span};
        define.name = sg_arena_strndup(arena, item->text, (size_t)(last - item->text));
        define.problem = read_size(last + 1, &define) ? NULL : last + 1;
        to->defines[to->ndefines++] = define;
    }
}

/* Behind the -D, none of which may be about the same dim. */
static bool read_frees(sg_arena *arena, sg_diag *diag, const sg_option_value *given,
                       sg_graph_options *to)
{
    for (int64_t i = 0; i < given->count; i++) {
        const sg_option_item *item = &given->items[i];
        const char *equals = strrchr(item->text, '=');
        const size_t len = equals != NULL ? (size_t)(equals - item->text) : strlen(item->text);
        sg_graph_define define = {.value = 1, .by_option = true, .span = item->span};
        if (len == 0) {
            return sg_diag_fail(diag, SG_EXIT_USAGE, item->span,
                                "'--free' takes the name of a dim: --free batch=64");
        }
        if (equals != NULL &&
            (!sg_parse_int64(sg_str_from(equals + 1), &define.value) || define.value < 1)) {
            return sg_diag_fail(diag, SG_EXIT_USAGE, item->span,
                                "'%s' is not a whole number from 1 on, as '--free' needs behind "
                                "'=', which says how many are expected",
                                equals + 1);
        }
        define.name = sg_arena_strndup(arena, item->text, len);
        define.free = (sg_graph_free){define.name, define.value};
        for (int64_t k = 0; k < to->ndefines; k++) {
            if (strcmp(to->defines[k].name, define.name) == 0) {
                (void)sg_diag_fail(diag, SG_EXIT_USAGE, item->span, "the dim '%s' is given twice",
                                   define.name);
                sg_diag_note(diag, to->defines[k].span, "it is given here first");
                return false;
            }
        }
        to->defines[to->ndefines++] = define;
    }
    return true;
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
    to->only_read = sg_options_has(options, SG_OPT_ONLY_READ);
    const sg_option_value *defines = &options->values[SG_OPT_DEFINE];
    const sg_option_value *frees = &options->values[SG_OPT_FREE];
    to->defines = SG_NEW_ARRAY(arena, sg_graph_define, defines->count + frees->count);
    read_defines(arena, defines, to);
    SG_TRY(read_frees(arena, diag, frees, to));
    to->only = read_globs(arena, &options->values[SG_OPT_ONLY], &to->nonly);
    to->except = read_globs(arena, &options->values[SG_OPT_EXCEPT], &to->nexcept);
    return read_shapes(arena, diag, &options->values[SG_OPT_SHAPE], to) &&
           read_values(arena, diag, &options->values[SG_OPT_VALUE], to) &&
           read_rules(arena, diag, options, files, to);
}

bool sg_models_check(sg_arena *arena, sg_diag *diag, const sg_options *options,
                     const sg_models *models)
{
    static const sg_option_id about[] = {SG_OPT_FREE,        SG_OPT_SHAPE, SG_OPT_VALUE,
                                         SG_OPT_SHAPE_RULES, SG_OPT_FUSE,  SG_OPT_ONLY_READ};
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
