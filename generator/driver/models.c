/* Parses the options about models. */
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

/* The last '=' after the name of the tensor, which may itself contain one. A '=' within an open
 * dim, "batch=64?", does not count. NULL: none. */
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

/* Adds a note with the right form to an error, if the intention is clear. */
static bool advise_form(sg_arena *arena, sg_diag *diag, const char *text, const char *option,
                        bool values)
{
    const char *end = find_equals(text);
    const char *meant = end != NULL ? sg_given_meant(arena, end + 1, values) : NULL;
    /* Otherwise a colon or a space may have been written instead of the '='. */
    for (const char *at = end == NULL && text[0] != '\0' ? strpbrk(text + 1, ": ") : NULL;
         at != NULL && meant == NULL; at = strpbrk(at + 1, ": ")) {
        const char *behind = sg_given_meant(arena, at + 1, values);
        end = at;
        meant = behind != NULL && strchr(behind, ',') != NULL ? behind : NULL;
    }
    if (meant != NULL) {
        sg_buf form = {0};
        sg_buf_add_shell(&form, sg_arena_printf(arena, "%.*s=%s", (int)(end - text), text, meant));
        sg_diag_note(diag, sg_span_none(), "write %s %s", option, form.ptr);
        sg_buf_free(&form);
    }
    return false;
}

static bool parse_tensor(sg_arena *arena, sg_diag *diag, const sg_option_item *item,
                         const char *option, const char *example, const char **tensor,
                         sg_str *behind)
{
    const char *equals = find_equals(item->text);
    if (equals == NULL) {
        return sg_diag_fail(diag, SG_EXIT_USAGE, item->span,
                            "'%s' takes a tensor, '=' and numbers: %s %s", option, option, example);
    }
    *tensor = sg_arena_strndup(arena, item->text, (size_t)(equals - item->text));
    *behind = sg_str_from(equals + 1);
    const size_t len = behind->len;
    if (len >= 2 &&
        ((equals[1] == '[' && equals[len] == ']') || (equals[1] == '(' && equals[len] == ')'))) {
        *behind = (sg_str){equals + 2, len - 2};
    }
    return true;
}

static bool read_shape(sg_arena *arena, sg_diag *diag, const sg_option_item *item,
                       sg_graph_given_shape *shape)
{
    sg_str text = {0};
    SG_TRY(parse_tensor(arena, diag, item, "--shape", "images=1,3,224,224", &shape->tensor, &text));
    const sg_given_place place = place_of(item, "--shape");
    const bool bare = text.ptr[-1] == '='; /* with brackets the text has dims only */
    const bool is_type = bare && (strchr(text.ptr, '[') != NULL ||
                                  (text.len > 0 && !sg_is_digit((unsigned char)text.ptr[0]) &&
                                   strpbrk(text.ptr, "-,?") == NULL));
    return is_type ? sg_given_type(arena, diag, &place, text, shape)
                   : sg_given_dims(arena, diag, &place, text, shape);
}

static bool read_shapes(sg_arena *arena, sg_diag *diag, const sg_option_value *given,
                        sg_graph_options *to)
{
    to->said.shapes = SG_NEW_ARRAY(arena, sg_graph_given_shape, given->count);
    for (int64_t i = 0; i < given->count; i++) {
        const sg_option_item *item = &given->items[i];
        sg_graph_given_shape *shape = &to->said.shapes[to->said.nshapes++];
        *shape = (sg_graph_given_shape){
            .dtype = SG_GRAPH_DTYPE_UNKNOWN, .has_dims = true, .span = item->span};
        if (!read_shape(arena, diag, item, shape)) {
            return advise_form(arena, diag, item->text, "--shape", false);
        }
    }
    return true;
}

static bool read_values(sg_arena *arena, sg_diag *diag, const sg_option_value *given,
                        sg_graph_options *to)
{
    to->said.values = SG_NEW_ARRAY(arena, sg_graph_given_value, given->count);
    for (int64_t i = 0; i < given->count; i++) {
        const sg_option_item *item = &given->items[i];
        sg_graph_given_value *value = &to->said.values[to->said.nvalues++];
        *value = (sg_graph_given_value){.span = item->span};
        const sg_given_place place = place_of(item, "--value");
        sg_str text = {0};
        if (!parse_tensor(arena, diag, item, "--value", "sizes=2,4", &value->tensor, &text) ||
            !sg_given_ints(arena, diag, &place, text, &value->values, &value->count)) {
            return advise_form(arena, diag, item->text, "--value", true);
        }
    }
    return true;
}

/* "PAST:PRESENT", "PAST:PRESENT=CAPACITY", or "auto" in place of the pair. */
static bool read_caches(sg_arena *arena, sg_diag *diag, const sg_option_value *given,
                        sg_graph_options *to)
{
    to->caches = SG_NEW_ARRAY(arena, sg_graph_cache, given->count);
    for (int64_t i = 0; i < given->count; i++) {
        const sg_option_item *item = &given->items[i];
        const char *equals = strrchr(item->text, '=');
        size_t len = strlen(item->text);
        sg_graph_cache *cache = &to->caches[to->ncaches++];
        *cache = (sg_graph_cache){.span = item->span};
        if (equals != NULL) {
            len = (size_t)(equals - item->text);
            if (!sg_parse_int64(sg_str_from(equals + 1), &cache->capacity) || cache->capacity < 1) {
                return sg_diag_fail(diag, SG_EXIT_USAGE, item->span,
                                    "'%s' is not a whole number from 1 on, as '--cache' needs "
                                    "behind '=', which says how long the buffer is",
                                    equals + 1);
            }
        }
        cache->pair = sg_arena_strndup(arena, item->text, len);
        if (strcmp(cache->pair, "auto") == 0) {
            cache->pair = NULL;
        } else if (strchr(cache->pair, ':') == NULL) {
            return sg_diag_fail(diag, SG_EXIT_USAGE, item->span,
                                "'--cache' takes an input and an output of the model: "
                                "--cache=PAST:PRESENT=CAPACITY, or --cache=auto=CAPACITY for all");
        }
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

/* Parses a size, or "free" and "free:64". */
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

/* A -D for a spec may be any text. It must be a size only if a dim of a model has the name. */
static void read_defines(sg_arena *arena, const sg_option_value *given, sg_graph_options *to)
{
    for (int64_t i = 0; i < given->count; i++) {
        const sg_option_item *item = &given->items[i];
        const char *last = strrchr(item->text, '=');
        sg_graph_define define = {.text = item->text, .span = item->span};
        define.name = sg_arena_strndup(arena, item->text, (size_t)(last - item->text));
        define.problem = read_size(last + 1, &define) ? NULL : last + 1;
        to->said.defines[to->said.ndefines++] = define;
    }
}

/* Adds the dims of an option to those of -D; reports a dim that a -D defines, too. */
static bool read_opened(sg_arena *arena, sg_diag *diag, const sg_options *options,
                        sg_graph_options *to)
{
    const sg_option_value *given = &options->values[SG_OPT_OPEN];
    for (int64_t i = 0; i < given->count; i++) {
        const sg_option_item *item = &given->items[i];
        if (item->text[0] == '\0') {
            to->said.open = true;
            continue;
        }
        const char *equals = strrchr(item->text, '=');
        const size_t len = equals != NULL ? (size_t)(equals - item->text) : strlen(item->text);
        sg_graph_define define = {.value = 1, .option = "--open", .span = item->span};
        if (len == 0) {
            return sg_diag_fail(diag, SG_EXIT_USAGE, item->span,
                                "'--open' takes the name of a dim: --open=batch=64");
        }
        if (equals != NULL &&
            (!sg_parse_int64(sg_str_from(equals + 1), &define.value) || define.value < 1)) {
            return sg_diag_fail(diag, SG_EXIT_USAGE, item->span,
                                "'%s' is not a whole number from 1 on, as '--open' needs behind "
                                "'=', which says how many are expected",
                                equals + 1);
        }
        define.name = sg_arena_strndup(arena, item->text, len);
        define.free = (sg_graph_free){define.name, define.value};
        for (int64_t k = 0; k < to->said.ndefines; k++) {
            if (strcmp(to->said.defines[k].name, define.name) == 0) {
                (void)sg_diag_fail(diag, SG_EXIT_USAGE, item->span, "the dim '%s' is given twice",
                                   define.name);
                sg_diag_note(diag, to->said.defines[k].span, "it is given here first");
                return false;
            }
        }
        to->said.defines[to->said.ndefines++] = define;
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
    to->said.rules =
        sg_file_source(arena, diag, sg_options_span(options, SG_OPT_SHAPE_RULES), path, files);
    return to->said.rules != NULL;
}

static bool is_input(const sg_options *options, size_t begin)
{
    for (int64_t i = 0; i < options->ninputs; i++) {
        if (!options->inputs[i].notation && options->inputs[i].span.begin == begin) {
            return true;
        }
    }
    return false;
}

/* Whether a value of the option opens a single dim. */
static bool opens_dim(sg_option_id id, const char *text)
{
    const char *last = strrchr(text, '=');
    sg_graph_define define = {.name = ""};
    return id == SG_OPT_DEFINE
               ? last != NULL && read_size(last + 1, &define) && define.free.name != NULL
               : text[0] != '\0';
}

/* Marks the arguments that open single dims; an advised command repeats those that are still
 * valid. */
static bool *opening(sg_arena *arena, const sg_options *options)
{
    static const sg_option_id ids[] = {SG_OPT_DEFINE, SG_OPT_OPEN};
    const sg_command_line *line = &options->line;
    bool *marks = SG_NEW_ARRAY(arena, bool, line->argc);
    for (size_t k = 0; k < sizeof ids / sizeof ids[0]; k++) {
        const sg_option_value *value = &options->values[ids[k]];
        for (int64_t i = 0; i < value->count; i++) {
            int arg = line->argc - 1;
            while (arg > 0 && line->begins[arg] > value->items[i].span.begin) {
                arg--;
            }
            marks[arg] = opens_dim(ids[k], value->items[i].text);
            /* also the option itself, if its value is a separate argument */
            marks[arg - 1] = marks[arg - 1] || (marks[arg] && line->argv[arg][0] != '-');
        }
    }
    return marks;
}

/* Splits the command line into two parts, between which more options can be inserted. */
static void read_command(sg_arena *arena, const sg_options *options, sg_graph_options *to)
{
    const sg_command_line *line = &options->line;
    const bool *left_out = opening(arena, options);
    sg_buf before = {0};
    sg_buf inputs = {0};
    sg_buf_addz(&before, "splitgen");
    for (int i = 1; i < line->argc; i++) {
        if (left_out[i]) {
            continue;
        }
        const bool behind = is_input(options, line->begins[i]) || strcmp(line->argv[i], "--") == 0;
        sg_buf_addc(behind ? &inputs : &before, ' ');
        sg_buf_add_shell(behind ? &inputs : &before, line->argv[i]);
    }
    to->command = sg_arena_strndup(arena, before.ptr, before.len);
    to->command_inputs = sg_arena_strndup(arena, inputs.len > 0 ? inputs.ptr : "", inputs.len);
    sg_buf_free(&before);
    sg_buf_free(&inputs);
}

bool sg_models_placed(const sg_options *options)
{
    const int64_t kinds = INT64_C(1) << SG_KIND_PLACEMENT | INT64_C(1) << SG_KIND_PLACEMENT_HEADER |
                          INT64_C(1) << SG_KIND_PLACEMENT_SVG;
    return sg_options_has(options, SG_OPT_EMIT) &&
           (options->values[SG_OPT_EMIT].number & kinds) != 0;
}

/* A placement covers all operators that copy data, unless --ops is given. */
static uint32_t taken_ops(const sg_options *options)
{
    return !sg_options_has(options, SG_OPT_OPS) && sg_models_placed(options)
               ? UINT32_C(1) << SG_GRAPH_OPS_ALL
               : (uint32_t)options->values[SG_OPT_OPS].number;
}

bool sg_models_options(sg_arena *arena, sg_diag *diag, const sg_options *options,
                       sg_file_list *files, sg_models *models)
{
    *models = (sg_models){.line = options, .hashes = !sg_look_wanted(options)};
    sg_graph_options *to = &models->options;
    read_command(arena, options, to);
    to->skip_unresolved = sg_options_skip(options);
    to->alone = options->ninputs == 1;
    to->only_read = sg_options_skips(options, SG_SKIP_UNREAD);
    to->ops = taken_ops(options);
    const sg_option_value *defines = &options->values[SG_OPT_DEFINE];
    to->said.defines =
        SG_NEW_ARRAY(arena, sg_graph_define, defines->count + options->values[SG_OPT_OPEN].count);
    read_defines(arena, defines, to);
    SG_TRY(read_opened(arena, diag, options, to));
    to->only = read_globs(arena, &options->values[SG_OPT_ONLY], &to->nonly);
    to->except = read_globs(arena, &options->values[SG_OPT_EXCEPT], &to->nexcept);
    return read_caches(arena, diag, &options->values[SG_OPT_CACHE], to) &&
           read_shapes(arena, diag, &options->values[SG_OPT_SHAPE], to) &&
           read_values(arena, diag, &options->values[SG_OPT_VALUE], to) &&
           read_rules(arena, diag, options, files, to);
}

sg_left_out sg_models_left_out(sg_arena *arena, const sg_options *options,
                               const sg_graph_found *found)
{
    static const struct {
        const char *word, *what;
    } words[] = {
#define X(id, word, what) {word, what},
        SG_GRAPH_OPS(X)
#undef X
    };
    const sg_graph_options given = {.ops = taken_ops(options)};
    sg_left_out rest = {.what = "", .option = "--ops="};
    for (int w = 0; w < (int)SG_GRAPH_OPS_ALL; w++) {
        const bool taken = sg_graph_takes(&given, (sg_graph_ops_word)w);
        if (taken || found->counts[w] > 0) {
            const char *comma = rest.option[strlen(rest.option) - 1] == '=' ? "" : ",";
            rest.option = sg_arena_printf(arena, "%s%s%s", rest.option, comma, words[w].word);
        }
        if (!taken && found->counts[w] > 0) {
            rest.count += found->counts[w];
            rest.what =
                sg_arena_printf(arena, "%s%s%s (%lld)", rest.what, rest.what[0] != '\0' ? ", " : "",
                                words[w].what, (long long)found->counts[w]);
        }
    }
    return rest;
}

bool sg_models_check(sg_arena *arena, sg_diag *diag, const sg_options *options,
                     const sg_models *models)
{
    static const sg_option_id about[] = {SG_OPT_OPEN,        SG_OPT_SHAPE, SG_OPT_VALUE,
                                         SG_OPT_SHAPE_RULES, SG_OPT_FUSE,  SG_OPT_SKIP,
                                         SG_OPT_OPS};
    if (models->last != NULL) {
        return sg_graph_check_used(arena, diag, models->last, &models->options);
    }
    if (sg_look_at_shapes(options)) {
        return sg_diag_fail(diag, SG_EXIT_USAGE, sg_options_span(options, SG_OPT_DUMP),
                            "'--dump=shapes' is about models, and no input is one");
    }
    if (models->loaded != NULL) {
        /* --only and --except apply to the ops that the specs return, not to the nodes of their
         * models. */
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
