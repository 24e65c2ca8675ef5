/* Prints --help, the version and the manual page. The prose stands in text files beside this one,
 * embedded when building; what is said about single options comes from options.inc. */
#include "driver/usage.h"

#include <string.h>

#include "driver/texts.h"
#include "splitgen/splitgen.h"

#define HELP_COLUMN 32
#define MAN_WIDTH   78

/* "-h, --help", "    --emit=KINDS", "-o F" */
static void option_head(sg_buf *out, const sg_option_info *info)
{
    bool has_long = info->long_name[0] != '\0';
    if (info->short_name[0] != '\0') {
        sg_buf_printf(out, "-%s", info->short_name);
        if (has_long) {
            sg_buf_addz(out, ", ");
        } else if (info->argument[0] != '\0') {
            sg_buf_printf(out, " %s", info->argument);
        }
    }
    if (has_long) {
        sg_buf_printf(out, "--%s", info->long_name);
        if (info->argument[0] != '\0') {
            sg_buf_printf(out, "=%s", info->argument);
        }
    }
}

static void choice_list(sg_buf *out, const sg_option_info *info)
{
    for (size_t i = 0; info->choices[i] != NULL; i++) {
        sg_buf_printf(out, "%s%s", i > 0 ? ", " : "", info->choices[i]);
    }
}

static void help_line(sg_buf *out, const sg_option_info *info)
{
    size_t begin = out->len;
    sg_buf_addz(out, "  ");
    option_head(out, info);
    size_t used = out->len - begin;
    if (used + 2 > HELP_COLUMN) {
        sg_buf_addc(out, '\n');
        used = 0;
    }
    sg_buf_printf(out, "%*s%s\n", (int)(HELP_COLUMN - used), "", info->help);
    if (info->choices[0] != NULL) {
        sg_buf_printf(out, "%*s", HELP_COLUMN + 2, "");
        choice_list(out, info);
        sg_buf_addc(out, '\n');
    }
}

void sg_usage_short(sg_buf *out)
{
    sg_buf_addz(out, "usage: splitgen [options] INPUT...\n"
                     "'splitgen --help' lists the options\n");
}

void sg_usage_version(sg_buf *out)
{
    sg_buf_addz(out, "splitgen " SPLITGEN_VERSION "\n");
}

void sg_usage_help(sg_buf *out)
{
    sg_buf_add(out, sg_text_help_head, sg_text_help_head_len);
    for (int group = 0; group < SG_GROUP_COUNT; group++) {
        sg_buf_printf(out, "\n%s:\n", sg_option_group_title((sg_option_group)group));
        for (int id = 0; id < SG_OPT_COUNT; id++) {
            const sg_option_info *info = sg_option_get((sg_option_id)id);
            if (info->group == (sg_option_group)group) {
                help_line(out, info);
            }
        }
    }
    sg_buf_add(out, sg_text_help_tail, sg_text_help_tail_len);
}

/* A word as roff input: nothing in it is taken for a macro or an escape. */
static void man_word(sg_buf *out, const char *word, size_t len, bool line_start)
{
    if (line_start && (word[0] == '.' || word[0] == '\'')) {
        sg_buf_addz(out, "\\&");
    }
    for (size_t i = 0; i < len; i++) {
        if (word[i] == '\\') {
            sg_buf_addz(out, "\\e");
        } else if (word[i] == '-' && i + 1 < len && word[i + 1] == '-') {
            sg_buf_addz(out, "\\-\\-");
            i++;
        } else {
            sg_buf_addc(out, word[i]);
        }
    }
}

/* Sentences as roff input, each on lines of its own. */
static void man_text(sg_buf *out, const char *text)
{
    size_t column = 0;
    while (*text != '\0') {
        size_t len = strcspn(text, " ");
        if (column > 0 && (column + 1 + len > MAN_WIDTH || text[-2] == '.')) {
            sg_buf_addc(out, '\n');
            column = 0;
        } else if (column > 0) {
            sg_buf_addc(out, ' ');
            column++;
        }
        man_word(out, text, len, column == 0);
        column += len;
        text += len;
        text += *text == ' ';
    }
    sg_buf_addc(out, '\n');
}

static void man_option(sg_buf *out, const sg_option_info *info)
{
    sg_buf_addz(out, ".It");
    if (info->short_name[0] != '\0') {
        sg_buf_printf(out, " Fl %s", info->short_name);
        if (info->long_name[0] != '\0') {
            sg_buf_addz(out, " ,");
        } else if (info->argument[0] != '\0') {
            sg_buf_printf(out, " Ar %s", info->argument);
        }
    }
    if (info->long_name[0] != '\0') {
        sg_buf_printf(out, " Fl \\-%s", info->long_name);
        if (info->argument[0] != '\0') {
            sg_buf_printf(out, " Ns = Ns Ar %s", info->argument);
        }
    }
    sg_buf_addc(out, '\n');
    man_text(out, info->man);
    if (info->choices[0] != NULL) {
        sg_buf_printf(out, ".Ar %s\nis %s\n", info->argument,
                      info->kind == SG_OPTION_CHOICES ? "made of" : "one of");
        choice_list(out, info);
        sg_buf_addz(out, ".\n");
    }
}

static void man_options(sg_buf *out)
{
    for (int group = 0; group < SG_GROUP_COUNT; group++) {
        sg_buf_printf(out, ".Ss %s\n.Bl -tag -width Ds\n",
                      sg_option_group_title((sg_option_group)group));
        for (int id = 0; id < SG_OPT_COUNT; id++) {
            const sg_option_info *info = sg_option_get((sg_option_id)id);
            if (info->group == (sg_option_group)group) {
                man_option(out, info);
            }
        }
        sg_buf_addz(out, ".El\n");
    }
}

void sg_usage_man(sg_buf *out)
{
    static const char mark[] = "@OPTIONS@\n";
    const char *place = strstr(sg_text_man, mark);
    if (place == NULL) {
        place = sg_text_man + sg_text_man_len;
    }
    sg_buf_add(out, sg_text_man, (size_t)(place - sg_text_man));
    man_options(out);
    place += *place != '\0' ? sizeof mark - 1 : 0;
    sg_buf_addz(out, place);
}

void sg_usage_lua_api(sg_buf *out)
{
    sg_buf_add(out, sg_text_lua_api, sg_text_lua_api_len);
}
