/* Prints shell completion scripts from options.inc. The bash script is a text file with marks; zsh
 * and fish get one line for each option. */
#include "driver/usage.h"

#include <string.h>

#include "driver/texts.h"
#include "emit/emit.h"

/* File name extensions of possible inputs: specs, and models of every format. */
static const char *const endings[] = {"lua", "onnx", "onnxtxt", "xml"};
#define NENDINGS (sizeof endings / sizeof endings[0])

static void input_endings(sg_buf *out, const char *separator)
{
    for (size_t i = 0; i < NENDINGS; i++) {
        sg_buf_printf(out, "%s%s", i > 0 ? separator : "", endings[i]);
    }
}

static bool takes_folder(const sg_option_info *info)
{
    return strcmp(info->argument, "DIR") == 0;
}

/* The completions of an option's value. */
typedef struct offer {
    const char *const *words;
    const char *const *whats; /* what each of them means; NULL: self-explanatory */
    size_t count;
} offer;

static offer offer_of(sg_option_id id)
{
    const sg_option_info *info = sg_option_get(id);
    offer is = {.words = info->choices, .whats = info->whats};
    while (info->choices[is.count] != NULL) {
        is.count++;
    }
    return is;
}

static void offer_words(sg_buf *out, const offer *is, const char *separator)
{
    for (size_t i = 0; i < is->count; i++) {
        sg_buf_printf(out, "%s%s", i > 0 ? separator : "", is->words[i]);
    }
}

/* Adds the names of an option, the short one first. */
static void names(sg_buf *out, const sg_option_info *info, const char *separator)
{
    if (info->short_name[0] != '\0') {
        sg_buf_printf(out, "-%s%s", info->short_name, info->long_name[0] != '\0' ? separator : "");
    }
    if (info->long_name[0] != '\0') {
        sg_buf_printf(out, "--%s", info->long_name);
    }
}

/* ---- bash ------------------------------------------------------------------------------------ */

static void bash_case(sg_buf *out, sg_option_id id)
{
    const sg_option_info *info = sg_option_get(id);
    const offer is = offer_of(id);
    if (info->kind == SG_OPTION_FLAG) {
        return;
    }
    sg_buf_addz(out, "    ");
    if (sg_option_is_optional(info)) {
        sg_buf_printf(out, "--%s", info->long_name); /* -h takes no value */
    } else {
        names(out, info, " | ");
    }
    sg_buf_addz(out, ")\n");
    if (info->kind == SG_OPTION_CHOICES) {
        sg_buf_addz(out, "        [[ $cur == *,* ]] && head=${cur%,*},\n");
    }
    if (is.count > 0) {
        sg_buf_addz(out, "        COMPREPLY=($(compgen -P \"$head\" -W $'");
        offer_words(out, &is, "\\n");
        sg_buf_addz(out, "' -- \"${cur##*,}\"))\n");
    } else if (info->kind == SG_OPTION_FILE) {
        sg_buf_printf(out,
                      "        compopt -o filenames\n        COMPREPLY=($(compgen -%s -- "
                      "\"$cur\"))\n",
                      takes_folder(info) ? "d" : "f");
    }
    sg_buf_addz(out, "        return\n        ;;\n");
}

static void bash_options(sg_buf *out)
{
    for (int id = 0; id < SG_OPT_COUNT; id++) {
        const sg_option_info *info = sg_option_get((sg_option_id)id);
        sg_buf_addz(out, id > 0 ? "\\n" : "");
        names(out, info, "\\n");
        if (info->long_name[0] != '\0' && info->kind != SG_OPTION_FLAG) {
            sg_buf_addc(out, '=');
        }
    }
}

static void bash_cases(sg_buf *out)
{
    for (int id = 0; id < SG_OPT_COUNT; id++) {
        bash_case(out, (sg_option_id)id);
    }
}

static void bash_endings(sg_buf *out)
{
    input_endings(out, " ");
}

void sg_usage_bash(sg_buf *out)
{
    static const struct {
        const char *text;
        void (*fill)(sg_buf *out);
    } marks[] = {
        {"@CASES@\n", bash_cases}, {"@OPTIONS@", bash_options}, {"@ENDINGS@", bash_endings}};
    enum { NMARKS = sizeof marks / sizeof marks[0] };
    const char *p = sg_text_completion_bash;
    const char *end = p + sg_text_completion_bash_len;
    while (p < end) {
        size_t i = 0;
        while (i < NMARKS && strncmp(p, marks[i].text, strlen(marks[i].text)) != 0) {
            i++;
        }
        if (i < NMARKS) {
            marks[i].fill(out);
            p += strlen(marks[i].text);
        } else {
            sg_buf_addc(out, *p++);
        }
    }
}

/* ---- zsh ------------------------------------------------------------------------------------- */

/* Escapes brackets, colons and quotes of a help text for use in '...[help]...'. */
static void zsh_help(sg_buf *out, const char *help)
{
    for (const char *p = help; *p != '\0'; p++) {
        if (*p == '\'') {
            sg_buf_addz(out, "'\\''");
        } else {
            if (strchr("[]:\\", *p) != NULL) {
                sg_buf_addc(out, '\\');
            }
            sg_buf_addc(out, *p);
        }
    }
}

static void zsh_name(sg_buf *out, const sg_option_info *info, const offer *is, const char *dashes,
                     const char *name, const char *joint)
{
    bool optional = sg_option_is_optional(info);
    bool flag = info->kind == SG_OPTION_FLAG || (optional && dashes[1] == '\0');
    sg_buf_addz(out, "    '");
    if (info->repeats) {
        sg_buf_addc(out, '*');
    } else if (info->short_name[0] != '\0' && info->long_name[0] != '\0') {
        sg_buf_addc(out, '(');
        names(out, info, " ");
        sg_buf_addc(out, ')');
    }
    sg_buf_printf(out, "%s%s%s[", dashes, name, flag ? "" : joint);
    zsh_help(out, info->help);
    sg_buf_addc(out, ']');
    if (!flag) {
        sg_buf_printf(out, optional ? "::%s:" : ":%s:", info->argument);
        if (info->kind == SG_OPTION_CHOICES) {
            sg_buf_printf(out, "_values -s , %s ", info->argument);
            offer_words(out, is, " ");
        } else if (is->count > 0) {
            sg_buf_addc(out, '(');
            offer_words(out, is, " ");
            sg_buf_addc(out, ')');
        } else if (info->kind == SG_OPTION_FILE) {
            sg_buf_addz(out, takes_folder(info) ? "_files -/" : "_files");
        } else {
            sg_buf_addc(out, ' ');
        }
    }
    sg_buf_addz(out, "' \\\n");
}

void sg_usage_zsh(sg_buf *out)
{
    sg_buf_addz(out, "#compdef splitgen\n_arguments \\\n");
    for (int id = 0; id < SG_OPT_COUNT; id++) {
        const sg_option_info *info = sg_option_get((sg_option_id)id);
        const offer is = offer_of((sg_option_id)id);
        if (info->short_name[0] != '\0') {
            zsh_name(out, info, &is, "-", info->short_name, "+");
        }
        if (info->long_name[0] != '\0') {
            zsh_name(out, info, &is, "--", info->long_name,
                     sg_option_is_optional(info) ? "=-" : "=");
        }
    }
    sg_buf_addz(out, "    '*:spec or model:_files -g \"*.(");
    input_endings(out, "|");
    sg_buf_addz(out, ")\"'\n");
}

/* ---- fish ------------------------------------------------------------------------------------ */

/* Adds words, each with its meaning after a tab. Meanings have no quotes. */
static void fish_words(sg_buf *out, const offer *is)
{
    for (size_t i = 0; i < is->count; i++) {
        sg_buf_printf(out, "%s%s", i > 0 ? " " : "", is->words[i]);
        if (is->whats != NULL) {
            sg_buf_printf(out, "\\t\"%s\"", is->whats[i]);
        }
    }
}

static void fish_values(sg_buf *out, const sg_option_info *info, const offer *is)
{
    if (info->kind == SG_OPTION_CHOICES) {
        sg_buf_addz(out, " -x -a '(__fish_append , ");
        fish_words(out, is);
        sg_buf_addz(out, ")'");
    } else if (is->count > 0) {
        sg_buf_addz(out, info->kind == SG_OPTION_TOPIC ? " -f -a '" : " -x -a '");
        fish_words(out, is);
        sg_buf_addc(out, '\'');
    } else if (info->kind == SG_OPTION_FILE) {
        sg_buf_addz(out, takes_folder(info) ? " -x -a '(__fish_complete_directories)'" : " -r");
    } else if (info->kind != SG_OPTION_FLAG && !sg_option_is_optional(info)) {
        sg_buf_addz(out, " -x");
    }
}

void sg_usage_fish(sg_buf *out)
{
    sg_buf_addz(out, "# fish completion for splitgen\n");
    for (int id = 0; id < SG_OPT_COUNT; id++) {
        const sg_option_info *info = sg_option_get((sg_option_id)id);
        sg_buf_addz(out, "complete -c splitgen");
        if (info->short_name[0] != '\0') {
            sg_buf_printf(out, " -%c %s", info->short_name[1] == '\0' ? 's' : 'o',
                          info->short_name);
        }
        if (info->long_name[0] != '\0') {
            sg_buf_printf(out, " -l %s", info->long_name);
        }
        const offer is = offer_of((sg_option_id)id);
        fish_values(out, info, &is);
        sg_buf_addz(out, " -d '");
        for (const char *p = info->help; *p != '\0'; p++) {
            if (*p == '\'' || *p == '\\') {
                sg_buf_addc(out, '\\');
            }
            sg_buf_addc(out, *p);
        }
        sg_buf_addz(out, "'\n");
    }
}
