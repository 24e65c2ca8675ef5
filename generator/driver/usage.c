/* Prints --help, the version and the manual page. The prose is in text files in this folder,
 * embedded at build time; the texts about single options are in options.inc. */
#include "driver/usage.h"

#include <string.h>

#include "base/sha256.h"
#include "driver/targets.h"
#include "driver/texts.h"
#include "emit/builtin.h"
#include "frontend/lua/spec.h"
#include "frontend/openvino/xml.h"
#include "split/dtype.h"
#include "splitgen/splitgen.h"

#define HELP_COLUMN 32
#define HELP_WIDTH  100
#define MAN_WIDTH   78

/* A line in a text file that is replaced by the output of a function. */
typedef struct mark {
    const char *text; /* includes the line ending */
    void (*fill)(sg_buf *out);
} mark;

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
            bool optional = sg_option_is_optional(info);
            sg_buf_printf(out, optional ? "[=%s]" : "=%s", info->argument);
        }
    }
}

static void choice_list(sg_buf *out, const sg_option_info *info)
{
    for (size_t i = 0; info->choices[i] != NULL; i++) {
        sg_buf_printf(out, "%s%s", i > 0 ? ", " : "", info->choices[i]);
    }
}

/* Adds a text in lines of at most HELP_WIDTH columns, indented. */
static void wrap(sg_buf *out, const char *text, size_t indent)
{
    size_t column = 0;
    while (*text != '\0') {
        size_t len = strcspn(text, " ");
        if (column > 0 && column + 1 + len > HELP_WIDTH) {
            sg_buf_addc(out, '\n');
            column = 0;
        }
        if (column == 0) {
            sg_buf_printf(out, "%*s", (int)indent, "");
            column = indent;
        } else {
            sg_buf_addc(out, ' ');
            column++;
        }
        sg_buf_add(out, text, len);
        column += len;
        text += len;
        text += strspn(text, " ");
    }
    sg_buf_addc(out, '\n');
}

static void help_kinds(sg_buf *out)
{
    size_t width = 0;
    for (int i = 0; i < SG_KIND_COUNT; i++) {
        const size_t len = strlen(sg_kind_get((sg_kind)i)->word);
        width = len > width ? len : width;
    }
    for (int i = 0; i < SG_KIND_COUNT; i++) {
        const sg_kind_info *kind = sg_kind_get((sg_kind)i);
        sg_buf_printf(out, "%*s%-*s  %s\n", HELP_COLUMN + 2, "", (int)width, kind->word,
                      kind->what);
    }
}

static void help_line(sg_buf *out, sg_option_id id)
{
    const sg_option_info *info = sg_option_get(id);
    size_t begin = out->len;
    sg_buf_addz(out, "  ");
    option_head(out, info);
    size_t used = out->len - begin;
    if (used + 2 > HELP_COLUMN) {
        sg_buf_addc(out, '\n');
        used = 0;
    }
    sg_buf_printf(out, "%*s%s\n", (int)(HELP_COLUMN - used), "", info->help);
    if (id == SG_OPT_EMIT) {
        help_kinds(out);
    } else if (info->choices[0] != NULL) {
        sg_buf list = {0};
        choice_list(&list, info);
        wrap(out, list.ptr, HELP_COLUMN + 2);
        sg_buf_free(&list);
    }
}

void sg_usage_short(sg_buf *out)
{
    sg_buf_addz(out, "usage: splitgen [options] INPUT...\n"
                     "'splitgen --help' lists the options\n");
}

void sg_usage_version(sg_buf *out)
{
    static const char commit[] = SG_COMMIT; /* "" if it was not built from a clone */
    sg_buf_addz(out, "splitgen " SPLITGEN_VERSION "\n");
    if (commit[0] != '\0') {
        sg_buf_printf(out, "commit %s\n", commit);
    }
    sg_buf_addz(out, "with ");
    sg_spec_library(out);
    sg_buf_addz(out, ", ");
    sg_xml_library(out);
    sg_buf_addz(out, ", ");
    sg_sha256_library(out);
    sg_buf_addc(out, '\n');
}

void sg_usage_help(sg_buf *out)
{
    sg_buf_add(out, sg_text_help_head, sg_text_help_head_len);
    for (int group = 0; group < SG_GROUP_COUNT; group++) {
        sg_buf_printf(out, "\n%s:\n", sg_option_group_title((sg_option_group)group));
        for (int id = 0; id < SG_OPT_COUNT; id++) {
            if (sg_option_get((sg_option_id)id)->group == (sg_option_group)group) {
                help_line(out, (sg_option_id)id);
            }
        }
    }
    sg_buf_add(out, sg_text_help_tail, sg_text_help_tail_len);
}

/* An option as a JSON object, with what another program needs to accept it and pass it on. */
static void json_option(sg_buf *out, sg_option_id id)
{
    const sg_option_info *info = sg_option_get(id);
    sg_buf_addc(out, '{');
    sg_buf_add_member(out, "long", info->long_name);
    sg_buf_addc(out, ',');
    sg_buf_add_member(out, "short", info->short_name);
    sg_buf_addc(out, ',');
    sg_buf_add_member(out, "argument", info->argument);
    sg_buf_printf(out, ",\"optional\":%s,\"repeats\":%s,\"list\":%s,\"choices\":[",
                  sg_option_is_optional(info) ? "true" : "false", info->repeats ? "true" : "false",
                  info->kind == SG_OPTION_CHOICES ? "true" : "false");
    for (size_t i = 0; info->choices[i] != NULL; i++) {
        sg_buf_addz(out, i > 0 ? "," : "");
        sg_buf_add_jsonz(out, info->choices[i]);
    }
    sg_buf_addz(out, "],");
    sg_buf_add_member(out, "group", sg_option_group_title(info->group));
    sg_buf_addc(out, ',');
    sg_buf_add_member(out, "help", info->help);
    sg_buf_addc(out, ',');
    sg_buf_add_member(out, "text", info->man);
    sg_buf_addc(out, ',');
    sg_buf_addz(out, "\"older\":[");
    const char *comma = "";
    const sg_older_option *older;
    for (size_t i = 0; (older = sg_option_older(i)) != NULL; i++) {
        if (older->id == id) {
            sg_buf_printf(out, "%s{", comma);
            sg_buf_add_member(out, "name", older->name);
            sg_buf_addc(out, ',');
            sg_buf_add_member(out, "value", older->value);
            sg_buf_addc(out, '}');
            comma = ",";
        }
    }
    sg_buf_addz(out, "]}");
}

void sg_usage_json(sg_buf *out)
{
    sg_buf_addz(out, "{\"schema\":1,\"version\":\"" SPLITGEN_VERSION "\",\"options\":[");
    for (int id = 0; id < SG_OPT_COUNT; id++) {
        sg_buf_addz(out, id > 0 ? ",\n" : "\n");
        json_option(out, (sg_option_id)id);
    }
    sg_buf_addz(out, "\n]}\n");
}

static void types_table(sg_buf *out)
{
    for (int i = 0; i < SG_DTYPE_COUNT; i++) {
        enum { NAME_WIDTH = 12 };
        const sg_dtype_info *info = sg_dtype_get((sg_dtype)i);
        sg_buf names = {0};
        sg_buf lines = {0};
        sg_dtype_list((sg_dtype)i, &names);
        const char *others = names.ptr + strcspn(names.ptr, " ");
        if (info->kind == SG_DTYPE_KIND_PTR) {
            sg_buf_printf(out, "  %-*s  pointer", NAME_WIDTH, info->name);
        } else {
            sg_buf_printf(out, "  %-*s %3d bit%s", NAME_WIDTH, info->name, info->bits,
                          info->bits == 1 ? " " : "s");
        }
        wrap(&lines, others + strspn(others, " "), 2 + NAME_WIDTH + 10);
        sg_buf_addz(out, others[0] != '\0' ? "  " : "\n");
        sg_buf_addz(out, others[0] != '\0' ? lines.ptr + 2 + NAME_WIDTH + 10 : "");
        sg_buf_free(&lines);
        sg_buf_free(&names);
    }
}

/* Adds a text, replacing each mark by the output of `fill`; a mark is a line of its own. */
static void fill_marks(sg_buf *out, const char *text, size_t len, const mark *marks, size_t count)
{
    const char *end = text + len;
    while (text < end) {
        size_t i = 0;
        while (i < count && strncmp(text, marks[i].text, strlen(marks[i].text)) != 0) {
            i++;
        }
        size_t line = strcspn(text, "\n") + 1;
        if (i < count) {
            marks[i].fill(out);
        } else {
            sg_buf_add(out, text, text + line <= end ? line : (size_t)(end - text));
        }
        text += line;
    }
}

static void wrapped(sg_buf *out, void (*list)(sg_buf *))
{
    sg_buf words = {0};
    list(&words);
    wrap(out, words.ptr + strspn(words.ptr, " "), 2);
    sg_buf_free(&words);
}

static void prefixes_wrapped(sg_buf *out)
{
    wrapped(out, sg_dtype_list_prefixes);
}

static void unclear_wrapped(sg_buf *out)
{
    wrapped(out, sg_dtype_list_unclear);
}

void sg_usage_types(sg_buf *out)
{
    static const mark marks[] = {{"@TYPES@\n", types_table},
                                 {"@PREFIXES@\n", prefixes_wrapped},
                                 {"@UNCLEAR@\n", unclear_wrapped}};
    fill_marks(out, sg_text_help_types, sg_text_help_types_len, marks,
               sizeof marks / sizeof marks[0]);
}

/* Adds a word as roff input, escaped so that it contains no macro or escape. */
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

/* Adds sentences as roff input; each begins on a new line. */
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
            bool optional = sg_option_is_optional(info);
            sg_buf_printf(out, optional ? " Ns Oo = Ns Ar %s Oc" : " Ns = Ns Ar %s",
                          info->argument);
        }
    }
    sg_buf_addc(out, '\n');
    man_text(out, info->man);
    if (info->choices[0] != NULL) {
        sg_buf_printf(out, ".Ar %s\nis %s\n", info->argument,
                      info->kind == SG_OPTION_CHOICES ? "made of" : "one of");
        sg_buf list = {0};
        choice_list(&list, info);
        sg_buf_addc(&list, '.');
        man_text(out, list.ptr);
        sg_buf_free(&list);
    }
}

static void man_group(sg_buf *out, sg_option_group group,
                      void (*item)(sg_buf *out, const sg_option_info *info))
{
    sg_buf_addz(out, ".Bl -tag -width Ds\n");
    for (int id = 0; id < SG_OPT_COUNT; id++) {
        const sg_option_info *info = sg_option_get((sg_option_id)id);
        if (info->group == group) {
            item(out, info);
        }
    }
    sg_buf_addz(out, ".El\n");
}

static void man_limit(sg_buf *out, const sg_option_info *info)
{
    sg_buf_printf(out, ".It Fl \\-%s\n", info->long_name);
    man_text(out, info->man);
}

static void man_limits(sg_buf *out)
{
    man_group(out, SG_GROUP_LIMITS, man_limit);
}

static void man_options(sg_buf *out)
{
    for (int group = 0; group < SG_GROUP_COUNT; group++) {
        sg_buf_printf(out, ".Ss %s\n", sg_option_group_title((sg_option_group)group));
        man_group(out, (sg_option_group)group, man_option);
    }
}

/* The types as a list for the manual: the name, then its other spellings. */
static void man_types(sg_buf *out)
{
    sg_buf_addz(out, ".Bl -tag -width f8e4m3fnuz\n");
    for (int i = 0; i < SG_DTYPE_COUNT; i++) {
        sg_buf names = {0};
        sg_dtype_list((sg_dtype)i, &names);
        size_t own = strcspn(names.ptr, " ");
        sg_buf_printf(out, ".It Cm %.*s\n", (int)own, names.ptr);
        if (names.len > own) {
            man_text(out, names.ptr + own + 1);
        }
        sg_buf_free(&names);
    }
    sg_buf_addz(out, ".El\n");
}

static void man_kinds(sg_buf *out)
{
    sg_buf_addz(out, ".Bl -tag -width Ds -compact\n");
    for (int i = 0; i < SG_KIND_COUNT; i++) {
        const sg_kind_info *kind = sg_kind_get((sg_kind)i);
        sg_buf_printf(out, ".It Pa STEM%s Pq Cm %s\n", kind->suffix, kind->word);
        man_text(out, kind->what);
    }
    sg_buf_addz(out, ".El\n");
}

static void man_prefixes(sg_buf *out)
{
    sg_buf words = {0};
    sg_dtype_list_prefixes(&words);
    man_text(out, words.ptr);
    sg_buf_free(&words);
}

static void man_unclear(sg_buf *out)
{
    sg_buf words = {0};
    sg_dtype_list_unclear(&words);
    man_text(out, words.ptr + strspn(words.ptr, " "));
    sg_buf_free(&words);
}

void sg_usage_man(sg_buf *out)
{
    static const mark marks[] = {{"@OPTIONS@\n", man_options}, {"@KINDS@\n", man_kinds},
                                 {"@TYPES@\n", man_types},     {"@PREFIXES@\n", man_prefixes},
                                 {"@UNCLEAR@\n", man_unclear}, {"@LIMITS@\n", man_limits}};
    fill_marks(out, sg_text_man, sg_text_man_len, marks, sizeof marks / sizeof marks[0]);
}

/* ---|"f32" # float FP32 ... : completions for editors. */
static void lua_types(sg_buf *out)
{
    for (int i = 0; i < SG_DTYPE_COUNT; i++) {
        sg_buf names = {0};
        sg_dtype_list((sg_dtype)i, &names);
        size_t own = strcspn(names.ptr, " ");
        sg_buf_printf(out, "---| \"%.*s\"%s%s\n", (int)own, names.ptr, names.len > own ? " #" : "",
                      names.ptr + own);
        sg_buf_free(&names);
    }
}

void sg_usage_lua_api(sg_buf *out)
{
    static const mark marks[] = {{"---@TYPES@\n", lua_types}};
    fill_marks(out, sg_text_lua_api, sg_text_lua_api_len, marks, sizeof marks / sizeof marks[0]);
}
