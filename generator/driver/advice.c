/* Finds suggestions in the tables of other tools' words. */
#include "driver/advice.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/system.h"

static const struct {
    const char *typed;
    const char *ours;
    const char *value;
    const char *why;
} other_options[] = {
#define OTHER_OPTION(typed, ours, value, why) {typed, ours, value, why},
#include "driver/other_options.inc"
};

static const struct {
    sg_option_id option;
    const char *typed;
    const char *ours;
    const char *why;
} other_values[] = {
#define OTHER_TUNE(typed, ours, why) {SG_OPT_TUNE, typed, ours, why},
#include "plan/machine/aliases.inc"
#define OTHER_VALUE(option, typed, ours, why) {SG_OPT_##option, typed, ours, why},
#include "driver/other_values.inc"
};

/* Whether two option names are equal; '_' and '-' are equal within them. */
static bool same_option(const char *typed, size_t len, const char *row)
{
    for (size_t i = 0; i < len; i++) {
        const char c = typed[i] == '_' && i > 1 ? '-' : typed[i];
        if (c != row[i]) { /* also true at the end of row */
            return false;
        }
    }
    return row[len] == '\0';
}

/* Whether a given value has the form that our option takes: "A=B" if required, and not a folder. */
static bool has_form(const char *given, const char *form)
{
    return given != NULL && given[0] != '\0' && given[0] != '-' &&
           (strchr(form, '=') == NULL || strchr(given, '=') != NULL) &&
           form[strlen(form) - 1] != '/';
}

const char *sg_advice_option(sg_arena *arena, const char *typed, const char *next)
{
    const size_t whole = strlen(typed);
    const size_t len = strcspn(typed, "=");
    const char *given = typed[len] == '=' ? typed + len + 1 : next;
    for (size_t i = 0; i < sizeof other_options / sizeof other_options[0]; i++) {
        const char *ours = other_options[i].ours;
        const char *form = other_options[i].value;
        const char *why = other_options[i].why;
        if (!same_option(typed, whole, other_options[i].typed) &&
            !same_option(typed, len, other_options[i].typed)) {
            continue;
        }
        if (ours[0] == '\0') {
            return why;
        }
        sg_buf out = {0};
        sg_buf_addz(&out, ours);
        if (form[0] != '\0') {
            sg_buf_addz(&out, ours[strlen(ours) - 1] == '=' ? "" : " ");
            if (has_form(given, form)) {
                sg_buf_add_shell(&out, given);
            } else {
                sg_buf_addz(&out, form);
            }
        }
        const char *text =
            sg_arena_printf(arena, "write '%s'%s%s%s", out.ptr, why[0] != '\0' ? " (" : "", why,
                            why[0] != '\0' ? ")" : "");
        sg_buf_free(&out);
        return text;
    }
    return NULL;
}

const char *sg_advice_value(sg_arena *arena, sg_option_id id, sg_str typed)
{
    const char *const *choices = sg_option_get(id)->choices;
    size_t count = 0;
    while (choices[count] != NULL) {
        count++;
    }
    for (size_t i = 0; i < sizeof other_values / sizeof other_values[0]; i++) {
        const char *why = other_values[i].why;
        if (other_values[i].option == id && sg_str_eqz(typed, other_values[i].typed)) {
            return why[0] != '\0'
                       ? sg_arena_printf(arena, "write '%s' (%s)", other_values[i].ours, why)
                       : sg_arena_printf(arena, "did you mean '%s'?", other_values[i].ours);
        }
    }
    const char *near = sg_suggest(typed, choices, count);
    return near != NULL ? sg_arena_printf(arena, "did you mean '%s'?", near) : NULL;
}

const char *sg_advice_list(sg_arena *arena, sg_option_id id)
{
    const char *name = sg_option_name(arena, id);
    const char *const *choices = sg_option_get(id)->choices;
    return sg_arena_printf(arena, "values of '%s' have a comma and no blank between: %s=%s,%s",
                           name, name, choices[0], choices[1]);
}

/* A list option that was given, if the text could be another item of its list. */
static const char *more_of_list(sg_arena *arena, const sg_options *options, const char *typed)
{
    for (sg_option_id id = 0; id < SG_OPT_COUNT; id++) {
        if (sg_option_get(id)->kind == SG_OPTION_CHOICES && sg_options_has(options, id) &&
            sg_option_choice(id, sg_str_from(typed)) >= 0) {
            return sg_advice_list(arena, id);
        }
    }
    return NULL;
}

/* Finds the option that the text could be another NAME=VALUE for: the last such option that was
 * given; if there is none and the value is a number, -D. */
static const char *more_of_named(sg_arena *arena, const sg_options *options, const char *typed)
{
    const char *equals = strchr(typed, '=');
    sg_option_id last = SG_OPT_COUNT;
    size_t at = 0;
    for (int id = 0; equals != NULL && equals != typed && id < SG_OPT_COUNT; id++) {
        const sg_option_info *info = sg_option_get((sg_option_id)id);
        const sg_option_value *value = &options->values[id];
        if (info->repeats && strchr(info->argument, '=') != NULL && value->count > 0 &&
            value->items[value->count - 1].span.begin > at) {
            at = value->items[value->count - 1].span.begin;
            last = (sg_option_id)id;
        }
    }
    int64_t number;
    if (last == SG_OPT_COUNT && equals != NULL && equals != typed &&
        sg_parse_int64(sg_str_from(equals + 1), &number)) {
        last = SG_OPT_DEFINE;
    }
    if (last == SG_OPT_COUNT) {
        return NULL;
    }
    const char *name = sg_option_name(arena, last);
    sg_buf quoted = {0};
    sg_buf_add_shell(&quoted, typed);
    const char *text =
        sg_arena_printf(arena, "each value has a '%s' of its own: %s%s%s", name, name,
                        sg_option_is_optional(sg_option_get(last)) ? "=" : " ", quoted.ptr);
    sg_buf_free(&quoted);
    return text;
}

static const char *const endings[] = {".lua", ".onnx", ".onnxtxt", ".xml"};

static bool is_input_name(const char *name)
{
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot != NULL && i < sizeof endings / sizeof endings[0]; i++) {
        if (strcmp(dot, endings[i]) == 0) {
            return true;
        }
    }
    return false;
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The names of possible inputs in a folder, sorted by bytes. */
static const char **inputs_in(sg_arena *arena, const char *dir, size_t *count)
{
    size_t all = 0;
    const char **names = sg_system_names(arena, dir[0] != '\0' ? dir : ".", &all);
    *count = 0;
    for (size_t i = 0; i < all; i++) {
        if (is_input_name(names[i])) {
            names[(*count)++] = names[i];
        }
    }
    qsort(names, *count, sizeof names[0], by_bytes);
    return names;
}

/* The input in the same folder with the most similar stem; NULL: none is similar. */
static const char *near_file(sg_arena *arena, const char *typed)
{
    enum { SHORTEST = 3 }; /* any two shorter names are similar */
    const char *dir = sg_path_dir(arena, typed);
    const sg_str stem = {typed + strlen(dir), strcspn(typed + strlen(dir), ".")};
    if (stem.len < SHORTEST) {
        return NULL;
    }
    size_t count = 0;
    const char **names = inputs_in(arena, dir, &count);
    const char **stems = SG_NEW_ARRAY(arena, const char *, count);
    for (size_t i = 0; i < count; i++) {
        stems[i] = sg_arena_strndup(arena, names[i], strcspn(names[i], "."));
    }
    const char *near = sg_suggest(stem, stems, count);
    for (size_t i = 0; near != NULL && i < count; i++) {
        if (stems[i] == near) {
            return sg_arena_printf(arena, "%s%s", dir, names[i]);
        }
    }
    return NULL;
}

const char *sg_advice_input(sg_arena *arena, const sg_options *options, const sg_input *input)
{
    const char *typed = input->text;
    const sg_input *next = input + 1 < options->inputs + options->ninputs ? input + 1 : NULL;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        const char *file = sg_arena_printf(arena, "%s%s", typed, endings[i]);
        if (sg_file_exists(file)) {
            return sg_arena_printf(arena, "did you mean '%s'?", file);
        }
    }
    const char *more = more_of_named(arena, options, typed);
    if (more != NULL) {
        return more;
    }
    if (strstr(typed, "->") != NULL || strchr(typed, '[') != NULL) {
        sg_buf quoted = {0};
        sg_buf_add_shell(&quoted, typed);
        const char *text =
            sg_arena_printf(arena, "the notation is given behind '-e': splitgen -e %s", quoted.ptr);
        sg_buf_free(&quoted);
        return text;
    }
    const char *advice = more_of_list(arena, options, typed);
    if (advice == NULL) {
        advice =
            sg_advice_option(arena, typed, next != NULL && !next->notation ? next->text : NULL);
    }
    const char *near = advice == NULL ? near_file(arena, typed) : NULL;
    return near != NULL ? sg_arena_printf(arena, "did you mean '%s'?", near) : advice;
}
