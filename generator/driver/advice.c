/* Finds suggestions for options, values and inputs. */
#include "driver/advice.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/system.h"
#include "foreign/foreign.h"

const char *sg_advice_option(const char *typed)
{
    const char *whole = sg_foreign_word(SG_FOREIGN_OPTION, sg_str_from(typed));
    return whole != NULL ? whole
                         : sg_foreign_word(SG_FOREIGN_OPTION, (sg_str){typed, strcspn(typed, "=")});
}

const char *sg_advice_value(sg_arena *arena, sg_option_id id, sg_str typed)
{
    const char *argument =
        sg_arena_printf(arena, "%s=%.*s", sg_option_name(arena, id), (int)typed.len, typed.ptr);
    const char *theirs = sg_foreign_word(SG_FOREIGN_OPTION, sg_str_from(argument));
    if (theirs != NULL) {
        return theirs;
    }
    const char *const *choices = sg_option_get(id)->choices;
    size_t count = 0;
    while (choices[count] != NULL) {
        count++;
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

const char *sg_advice_check(sg_arena *arena, const sg_options *options)
{
    const char *file = sg_options_text(options, SG_OPT_CHECK);
    if (file == NULL || !is_input_name(file)) {
        return NULL;
    }
    const sg_input *first = options->ninputs > 0 ? &options->inputs[0] : NULL;
    const bool swapped = options->ninputs == 1 && !first->notation && !is_input_name(first->text);
    sg_buf text = {0};
    sg_buf_addz(&text,
                "'--check' takes the generated file, and then come the inputs: splitgen --check ");
    sg_buf_add_shell(&text, swapped ? first->text : "FILE.c");
    sg_buf_addc(&text, ' ');
    sg_buf_add_shell(&text, file);
    const char *advice = sg_arena_strndup(arena, text.ptr, text.len);
    sg_buf_free(&text);
    return advice;
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

const char *sg_advice_input(sg_arena *arena, const char *typed)
{
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        const char *file = sg_arena_printf(arena, "%s%s", typed, endings[i]);
        if (sg_file_exists(file)) {
            return sg_arena_printf(arena, "did you mean '%s'?", file);
        }
    }
    if (strstr(typed, "->") != NULL || strstr(typed, "<-") != NULL) {
        sg_buf quoted = {0};
        sg_buf_add_shell(&quoted, typed);
        const char *text =
            sg_arena_printf(arena, "the notation is given behind '-e': splitgen -e %s", quoted.ptr);
        sg_buf_free(&quoted);
        return text;
    }
    if (strchr(typed, '=') != NULL) {
        return "every NAME=VALUE has an option of its own, as in '-D a=1 -D b=2'";
    }
    const char *advice = sg_advice_option(typed);
    const char *near = advice == NULL ? near_file(arena, typed) : NULL;
    return near != NULL ? sg_arena_printf(arena, "did you mean '%s'?", near) : advice;
}
