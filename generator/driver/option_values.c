/* The table of options, and access to the values that were given. */
#include "driver/option_values.h"

#include "splitgen/machines.h"

#define CHOICE_WORD(id, word, what) word,
#define CHOICE_WHAT(id, word, what) what,
#define CHOICE_LIST(list)                                                                          \
    static const char *const choices_##list[] = {SG_CHOICES_##list(CHOICE_WORD) NULL};             \
    static const char *const whats_##list[] = {SG_CHOICES_##list(CHOICE_WHAT) NULL}
CHOICE_LIST(NONE);
CHOICE_LIST(OPS);
CHOICE_LIST(SKIP);
CHOICE_LIST(OPTIMIZE);
CHOICE_LIST(UNROLL);
CHOICE_LIST(VIEWS);
CHOICE_LIST(ISA);
#define TUNE_WORD(id, word, ...)        word,
#define TUNE_WHAT(id, word, title, ...) title,
static const char *const choices_TUNE[] = {SPLITGEN_TUNED(TUNE_WORD) NULL};
static const char *const whats_TUNE[] = {SPLITGEN_TUNED(TUNE_WHAT) NULL};
CHOICE_LIST(DISPATCH);
CHOICE_LIST(NT);
CHOICE_LIST(DUMP);
CHOICE_LIST(FORMAT);
CHOICE_LIST(COLOR);
CHOICE_LIST(STANDALONE);
CHOICE_LIST(TOPIC);
CHOICE_LIST(PRINT);

static const char *const choices_EMIT[] = {
#define KIND(id, word, ...) word,
#include "driver/kinds.inc"
    "runtime", NULL};
static const char *const whats_EMIT[] = {
#define KIND(id, word, suffix, template, header, what) what,
#include "driver/kinds.inc"
    "the headers and the sources of the runtime, alone and without input", NULL};

static const sg_option_info infos[SG_OPT_COUNT] = {
#define OPTION(id, long_, short_, argument, kind, choices, repeats, shapes, group, help, man)      \
    {long_,                                                                                        \
     short_,                                                                                       \
     argument,                                                                                     \
     SG_OPTION_##kind,                                                                             \
     choices_##choices,                                                                            \
     whats_##choices,                                                                              \
     repeats,                                                                                      \
     SG_SHAPES_##shapes,                                                                           \
     SG_GROUP_##group,                                                                             \
     help,                                                                                         \
     man},
#include "driver/options.inc"
};

static const char *const group_titles[SG_GROUP_COUNT] = {
#define GROUP(id, title) title,
#include "driver/options.inc"
};

const sg_option_info *sg_option_get(sg_option_id id)
{
    return &infos[id];
}

const char *sg_option_group_title(sg_option_group group)
{
    return group_titles[group];
}

const sg_older_option *sg_option_older(size_t i)
{
    static const sg_older_option older[] = {
#define OLDER_OPTION(name, id, value) {name, SG_OPT_##id, value},
#include "driver/older.inc"
    };
    return i < sizeof older / sizeof older[0] ? &older[i] : NULL;
}

sg_option_id sg_option_find(sg_str name, const sg_older_option **older)
{
    sg_option_id id = 0;
    *older = NULL;
    while (id < SG_OPT_COUNT && (name.len == 0 || !sg_str_eqz(name, infos[id].long_name))) {
        id++;
    }
    for (size_t i = 0; id == SG_OPT_COUNT && (*older = sg_option_older(i)) != NULL; i++) {
        id = sg_str_eqz(name, (*older)->name) ? (*older)->id : SG_OPT_COUNT;
    }
    return id;
}

int sg_option_choice(sg_option_id id, sg_str word)
{
    static const struct {
        const char *const *choices;
        const char *name;
        const char *word;
    } older[] = {
#define OLDER_VALUE(list, name_, word_) {choices_##list, name_, word_},
#include "driver/older.inc"
    };
    const char *const *choices = sg_option_get(id)->choices;
    for (size_t i = 0; i < sizeof older / sizeof older[0]; i++) {
        if (older[i].choices == choices && sg_str_eqz(word, older[i].name)) {
            word = sg_str_from(older[i].word);
        }
    }
    for (int i = 0; choices[i] != NULL; i++) {
        if (sg_str_eqz(word, choices[i])) {
            return i;
        }
    }
    return -1;
}

const char *sg_option_name(sg_arena *arena, sg_option_id id)
{
    const sg_option_info *info = &infos[id];
    return info->long_name[0] != '\0' ? sg_arena_printf(arena, "--%s", info->long_name)
                                      : sg_arena_printf(arena, "-%s", info->short_name);
}

bool sg_options_has(const sg_options *options, sg_option_id id)
{
    return options->values[id].count > 0;
}

const char *sg_options_text(const sg_options *options, sg_option_id id)
{
    const sg_option_value *value = &options->values[id];
    return value->count > 0 ? value->items[0].text : NULL;
}

sg_span sg_options_span(const sg_options *options, sg_option_id id)
{
    const sg_option_value *value = &options->values[id];
    return value->count > 0 ? value->items[0].span : sg_command_line_end(&options->line);
}

bool sg_options_skips(const sg_options *options, sg_skip what)
{
    return (options->values[SG_OPT_SKIP].number >> what & 1) != 0;
}

bool sg_options_skip(const sg_options *options)
{
    return sg_options_skips(options, SG_SKIP_UNRESOLVED) || sg_options_has(options, SG_OPT_LIST);
}

bool sg_option_is_optional(const sg_option_info *info)
{
    return info->kind == SG_OPTION_TOPIC || info->kind == SG_OPTION_MAYBE;
}
