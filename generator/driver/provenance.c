/* Builds the command line that reproduces generated text. All it knows about single options is in
 * options.inc, except which of them change the defaults of others. */
#include "driver/provenance.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/sha256.h"
#include "base/text.h"

typedef struct words {
    sg_arena *arena;
    const char **items;
    int64_t count;
} words;

static void add(words *w, const char *text)
{
    sg_buf quoted = {0};
    sg_buf_add_shell(&quoted, text);
    w->items[w->count++] = sg_arena_strndup(w->arena, quoted.ptr, quoted.len);
    sg_buf_free(&quoted);
}

/* "--isa=avx2", or "-D" followed by "n=4". */
static void add_option(words *w, const sg_option_info *info, const char *text)
{
    const bool is_long = info->long_name[0] != '\0';
    const char *name = is_long ? sg_arena_printf(w->arena, "--%s", info->long_name)
                               : sg_arena_printf(w->arena, "-%s", info->short_name);
    if (info->kind == SG_OPTION_FLAG || (sg_option_is_optional(info) && text[0] == '\0')) {
        add(w, name);
    } else if (is_long) {
        add(w, sg_arena_printf(w->arena, "%s=%s", name, text));
    } else {
        add(w, name);
        add(w, text);
    }
}

/* The choices in the order of the table, without duplicates. */
static const char *choices_text(sg_arena *arena, const sg_option_info *info, int64_t bits)
{
    const char *text = "";
    for (int i = 0; info->choices[i] != NULL; i++) {
        if ((bits >> i & 1) != 0) {
            text = sg_arena_printf(arena, "%s%s%s", text, text[0] != '\0' ? "," : "",
                                   info->choices[i]);
        }
    }
    return text;
}

static const char *value_text(sg_arena *arena, const sg_options *options, sg_option_id id,
                              int64_t i)
{
    const sg_option_info *info = sg_option_get(id);
    const sg_option_value *value = &options->values[id];
    switch (info->kind) {
    case SG_OPTION_NUMBER:
        return sg_arena_printf(arena, "%" PRId64, value->number);
    case SG_OPTION_CHOICE:
        return info->choices[value->number];
    case SG_OPTION_CHOICES:
        return choices_text(arena, info, value->number);
    default:
        return value->items[i].text;
    }
}

/* Whether the options have their usual defaults: small code and code without the C library have
 * other defaults for instruction sets and stores. */
static bool has_usual_defaults(const sg_options *options)
{
    return options->values[SG_OPT_OPTIMIZE].number == SG_CHOICE_OPTIMIZE_SPEED &&
           !sg_options_has(options, SG_OPT_NO_MEMCPY);
}

static bool says_nothing(const sg_options *options, sg_option_id id)
{
    const sg_option_value *value = &options->values[id];
    switch (sg_option_get(id)->kind) {
    case SG_OPTION_IDENT:
        return value->items[0].text[0] == '\0';
    case SG_OPTION_CHOICE:
        return value->number == 0 && has_usual_defaults(options);
    case SG_OPTION_CHOICES:
        return id == SG_OPT_ISA && (value->number >> SG_NAME_ALL & 1) != 0 &&
               has_usual_defaults(options);
    default:
        return false;
    }
}

static void add_values(words *w, const sg_options *options, const sg_inputs *inputs,
                       sg_option_id id)
{
    const sg_option_info *info = sg_option_get(id);
    /* All values of a list are one. */
    const int64_t count = info->kind == SG_OPTION_CHOICES ? 1 : options->values[id].count;
    for (int64_t i = 0; i < count; i++) {
        if (id != SG_OPT_DEFINE || inputs->defines_used[i]) {
            add_option(w, info, value_text(w->arena, options, id, i));
        }
    }
}

static void add_options(words *w, const sg_options *options, const sg_inputs *inputs)
{
    for (int i = 0; i < SG_OPT_COUNT; i++) {
        const sg_option_id id = (sg_option_id)i;
        const sg_option_info *info = sg_option_get(id);
        if (!sg_options_has(options, id) || says_nothing(options, id)) {
            continue;
        }
        switch (info->shapes) {
        case SG_SHAPES_NOTHING:
        case SG_SHAPES_INPUT:
            break;
        case SG_SHAPES_TEXT:
            add_values(w, options, inputs, id);
            break;
        case SG_SHAPES_FILE:
            add_option(w, info, sg_path_base(sg_options_text(options, id)));
            break;
        case SG_SHAPES_FOLDER:
            add_option(w, info, ".");
            break;
        }
    }
}

static void add_input(words *w, const sg_input *input)
{
    if (input->notation) {
        add_option(w, sg_option_get(SG_OPT_NOTATION), input->text);
        return;
    }
    const char *name = sg_path_base(input->text);
    const bool like_option = name[0] == '-' && !sg_file_is_standard(input->text);
    add(w, like_option ? sg_arena_printf(w->arena, "./%s", name) : name);
}

int64_t sg_provenance_command(sg_arena *arena, const sg_options *options, const sg_inputs *inputs,
                              const char *const **out)
{
    int64_t most = 1 + 2 * options->ninputs;
    for (int i = 0; i < SG_OPT_COUNT; i++) {
        most += 2 * options->values[i].count;
    }
    words w = {.arena = arena, .items = SG_NEW_ARRAY(arena, const char *, most)};
    add(&w, "splitgen");
    add_options(&w, options, inputs);
    for (int64_t i = 0; i < options->ninputs; i++) {
        add_input(&w, &options->inputs[i]);
    }
    *out = w.items;
    return w.count;
}

bool sg_provenance_digests(sg_arena *arena, sg_diag *diag, const sg_options *options,
                           sg_file_list *files)
{
    for (size_t i = 0; i < files->count; i++) {
        sg_file_entry *file = &files->items[i];
        if (file->sha256 != NULL) {
            continue;
        }
        char *text = sg_arena_alloc(arena, SG_SHA256_TEXT);
        if (!sg_sha256_file(file->path, text)) {
            return sg_file_cannot_read(diag, options->inputs[0].span, file->path);
        }
        file->sha256 = text;
    }
    return true;
}
