/* Model files among the inputs: told by their content, read by the front-end for it, and made ops
 * by inference. */
#include "driver/models.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/sha256.h"
#include "driver/look.h"
#include "frontend/onnx/onnx_binary.h"
#include "frontend/onnx/onnx_text.h"
#include "frontend/openvino/ir.h"

/* --- options ---------------------------------------------------------------------------------- */

/* Numbers between commas, each a whole number from `least` on. */
static bool parse_list(sg_arena *arena, sg_diag *diag, const sg_option_item *item,
                       const char *option, const char *text, int64_t least, const int64_t **list,
                       int64_t *count)
{
    const size_t len = strlen(text);
    int64_t *values = SG_NEW_ARRAY(arena, int64_t, len / 2 + 1);
    *list = values;
    *count = 0;
    for (size_t at = 0; at < len;) {
        const size_t n = strcspn(text + at, ",");
        const sg_str word = {text + at, n};
        if (!sg_parse_int64(word, &values[*count]) || values[*count] < least) {
            const size_t begin = item->span.begin + (size_t)(text - item->text) + at;
            return sg_diag_fail(diag, SG_EXIT_USAGE,
                                sg_span_make(item->span.source, begin, begin + (n > 0 ? n : 1)),
                                "'%.*s' is not a whole number%s, as '%s' needs between commas",
                                (int)n, word.ptr, least == 0 ? " from 0 on" : "", option);
        }
        ++*count;
        at += n + 1;
        if (at == len) { /* a comma with nothing behind it */
            const size_t begin = item->span.begin + (size_t)(text - item->text) + at - 1;
            return sg_diag_fail(diag, SG_EXIT_USAGE,
                                sg_span_make(item->span.source, begin, begin + 1),
                                "nothing is behind the last comma");
        }
    }
    return true;
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
    return parse_list(arena, diag, item, option, equals + 1, least, list, count);
}

/* An element type in front of "[1,3]", or alone; *dims receives the text between the brackets, NULL
 * where there are none. */
static bool parse_type(sg_arena *arena, sg_diag *diag, const sg_option_item *item, const char *text,
                       sg_graph_given_shape *shape, const char **dims)
{
    const size_t n = strcspn(text, "[");
    const size_t len = strlen(text);
    sg_dtype dtype;
    *dims = NULL;
    if (!sg_dtype_find((sg_str){text, n}, &dtype)) {
        const char *shown = sg_arena_strndup(arena, text, n);
        return sg_diag_fail(diag, SG_EXIT_USAGE, item->span, "%s",
                            sg_dtype_problem(arena, (sg_str){text, n}, shown));
    }
    shape->dtype = (int)dtype;
    shape->has_dims = n < len;
    if (n < len && text[len - 1] != ']') {
        return sg_diag_fail(diag, SG_EXIT_USAGE, item->span, "']' is missing at the end");
    }
    if (n < len) {
        *dims = sg_arena_strndup(arena, text + n + 1, len - n - 2);
    }
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
        const char *equals = strrchr(item->text, '=');
        if (equals == NULL || sg_is_digit((unsigned char)equals[1]) || equals[1] == '\0') {
            SG_TRY(parse_given(arena, diag, item, "--shape", 0, &shape->tensor, &shape->dims,
                               &shape->rank));
            continue;
        }
        const char *dims = NULL;
        shape->tensor = sg_arena_strndup(arena, item->text, (size_t)(equals - item->text));
        SG_TRY(parse_type(arena, diag, item, equals + 1, shape, &dims));
        const sg_option_item inside = {dims, item->span};
        SG_TRY(dims == NULL ||
               parse_list(arena, diag, &inside, "--shape", dims, 0, &shape->dims, &shape->rank));
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

/* --- files ------------------------------------------------------------------------------------ */

static bool cannot_read(sg_diag *diag, const sg_input *input)
{
    return sg_diag_fail(diag, SG_EXIT_IO, input->span, "cannot read '%s': %s", input->text,
                        strerror(errno));
}

/* Up to `limit` bytes more of the input; fewer only at its end. */
static bool read_more(sg_models_input *opened, size_t limit)
{
    char bytes[4096];
    while (limit > 0) {
        const ssize_t n = read(opened->fd, bytes, limit < sizeof bytes ? limit : sizeof bytes);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            return false;
        }
        if (n == 0) {
            return true;
        }
        sg_buf_add(&opened->head, bytes, (size_t)n);
        limit -= (size_t)n;
    }
    return true;
}

bool sg_models_open(sg_diag *diag, const sg_input *input, sg_models_input *opened,
                    sg_models_kind *kind)
{
    *opened = (sg_models_input){.input = input};
    *kind = SG_MODELS_NONE;
    opened->fd = strcmp(input->text, "-") == 0 ? STDIN_FILENO : open(input->text, O_RDONLY);
    if (opened->fd < 0) {
        return cannot_read(diag, input);
    }
    if (!read_more(opened, SG_ONNX_HEAD)) {
        cannot_read(diag, input);
        sg_models_close(opened);
        return false;
    }
    const char *head = opened->head.len > 0 ? opened->head.ptr : "";
    const char *foreign = sg_onnx_foreign(head, opened->head.len);
    if (foreign != NULL) {
        sg_diag_fail(diag, SG_EXIT_INPUT, input->span, "'%s' %s", input->text, foreign);
        sg_models_close(opened);
        return false;
    }
    *kind = sg_onnx_is_binary(head, opened->head.len)   ? SG_MODELS_ONNX
            : sg_openvino_is_ir(head, opened->head.len) ? SG_MODELS_OPENVINO
            : sg_onnx_is_text(head, opened->head.len)   ? SG_MODELS_ONNXTXT
                                                        : SG_MODELS_NONE;
    return true;
}

void sg_models_close(sg_models_input *opened)
{
    if (opened->fd > STDIN_FILENO) {
        close(opened->fd);
    }
    sg_buf_free(&opened->head);
}

static const char *name_of(const sg_input *input)
{
    return strcmp(input->text, "-") == 0 ? "<stdin>" : input->text;
}

bool sg_models_text(sg_arena *arena, sg_diag *diag, sg_models_input *opened,
                    const sg_source **source)
{
    if (!read_more(opened, SIZE_MAX)) {
        return cannot_read(diag, opened->input);
    }
    *source = sg_source_new(arena, name_of(opened->input),
                            opened->head.len > 0 ? opened->head.ptr : "", opened->head.len);
    return true;
}

/* "model.bin" of "model.xml". */
static const char *weights_path(sg_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(path, '.');
    const size_t stem =
        dot != NULL && (slash == NULL || dot > slash) ? (size_t)(dot - path) : strlen(path);
    return sg_arena_printf(arena, "%.*s.bin", (int)stem, path);
}

static sg_graph_model *read_model(sg_arena *arena, sg_diag *diag, sg_models_input *opened,
                                  sg_models_kind kind, sg_file_list *files, char *sha256)
{
    const char *path = opened->input->text;
    const bool standard = strcmp(path, "-") == 0;
    if (kind == SG_MODELS_ONNX) {
        const sg_onnx_input input = {.name = name_of(opened->input),
                                     .folder = standard ? NULL : sg_path_dir(arena, path),
                                     .fd = opened->fd,
                                     .bytes = opened->head.ptr,
                                     .nbytes = opened->head.len,
                                     .files = files,
                                     .sha256 = sha256};
        return sg_onnx_read_input(arena, diag, &input);
    }
    const sg_source *source = NULL;
    if (!sg_models_text(arena, diag, opened, &source)) {
        return NULL;
    }
    if (sha256 != NULL) {
        sg_sha256 hash;
        sg_sha256_init(&hash);
        sg_sha256_add(&hash, source->text, source->len);
        sg_sha256_end(&hash, sha256);
    }
    if (kind == SG_MODELS_ONNXTXT) {
        return sg_onnx_read_text(arena, diag, source);
    }
    return sg_openvino_read(arena, diag, source, standard ? NULL : weights_path(arena, path),
                            files);
}

bool sg_models_read(sg_arena *arena, sg_diag *diag, sg_models_input *opened, sg_models_kind kind,
                    sg_models *models, sg_file_list *files, sg_op_array *ops)
{
    if (strcmp(opened->input->text, "-") != 0) {
        sg_file_list_add(arena, files, opened->input->text);
    }
    char *sha256 = models->hashes ? sg_arena_alloc(arena, SG_SHA256_TEXT) : NULL;
    const sg_graph_model *model = read_model(arena, diag, opened, kind, files, sha256);
    if (model == NULL) {
        return false;
    }
    const int64_t first = ops->count;
    models->last = model;
    SG_TRY(sg_graph_ops(arena, diag, model, &models->options, ops));
    for (int64_t i = first; i < ops->count; i++) {
        ops->items[i]->origin->sha256 = sha256;
    }
    return true;
}

bool sg_models_check(sg_arena *arena, sg_diag *diag, const sg_options *options,
                     const sg_models *models)
{
    static const sg_option_id about[] = {SG_OPT_SHAPE, SG_OPT_VALUE, SG_OPT_SHAPE_RULES,
                                         SG_OPT_FUSE};
    if (models->last != NULL) {
        return sg_graph_check_used(arena, diag, models->last, &models->options);
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
