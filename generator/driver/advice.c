/* Looks up what was typed in the tables of other people's words. */
#include "driver/advice.h"

#include <string.h>

#include "base/file.h"

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

/* Whether two names of options are the same; '_' is as good as '-' within them. */
static bool same_option(const char *typed, size_t len, const char *row)
{
    for (size_t i = 0; i < len; i++) {
        const char c = typed[i] == '_' && i > 1 ? '-' : typed[i];
        if (c != row[i]) { /* the row's end as well */
            return false;
        }
    }
    return row[len] == '\0';
}

/* A value as it stands behind our option, in the form "A=B" where that is what it takes. */
static void add_value(sg_buf *out, const char *form, const char *given)
{
    sg_buf value = {0};
    sg_buf_addz(&value, given);
    char *colon =
        strchr(form, '=') != NULL && strchr(given, '=') == NULL ? strchr(value.ptr, ':') : NULL;
    if (colon != NULL) {
        *colon = '=';
    }
    const size_t n = strlen(form);
    if (form[n - 1] == '/' && value.len > 0 && value.ptr[value.len - 1] != '/') {
        sg_buf_addc(&value, '/');
    }
    sg_buf_add_shell(out, value.ptr);
    sg_buf_free(&value);
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
            if (given != NULL && given[0] != '\0' && given[0] != '-') {
                add_value(&out, form, given);
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

/* An option that takes a list, if the text could be more of that list. */
static const char *more_of_list(sg_arena *arena, const sg_options *options, const char *typed)
{
    for (int id = 0; id < SG_OPT_COUNT; id++) {
        const sg_option_info *info = sg_option_get((sg_option_id)id);
        const char *given = sg_options_text(options, (sg_option_id)id);
        for (size_t i = 0;
             info->kind == SG_OPTION_CHOICES && given != NULL && info->choices[i] != NULL; i++) {
            if (strcmp(typed, info->choices[i]) == 0) {
                return sg_arena_printf(arena,
                                       "values of '%s' have a comma and no blank between: %s=%s,%s",
                                       sg_option_name(arena, (sg_option_id)id),
                                       sg_option_name(arena, (sg_option_id)id), given, typed);
            }
        }
    }
    return NULL;
}

const char *sg_advice_input(sg_arena *arena, const sg_options *options, const char *typed)
{
    static const char *const endings[] = {".lua", ".onnx", ".onnxtxt", ".xml"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        const char *file = sg_arena_printf(arena, "%s%s", typed, endings[i]);
        if (sg_file_exists(file)) {
            return sg_arena_printf(arena, "did you mean '%s'?", file);
        }
    }
    if (strstr(typed, "->") != NULL || strchr(typed, '[') != NULL) {
        sg_buf quoted = {0};
        sg_buf_add_shell(&quoted, typed);
        const char *text =
            sg_arena_printf(arena, "the notation is given behind '-e': splitgen -e %s", quoted.ptr);
        sg_buf_free(&quoted);
        return text;
    }
    const char *list = more_of_list(arena, options, typed);
    return list != NULL ? list : sg_advice_option(arena, typed, NULL);
}
