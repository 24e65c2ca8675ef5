/* Parses argv into values by the table in options.inc, and checks their syntax. Opens no files. */
#include "driver/options.h"

#include <string.h>

#include "base/text.h"
#include "driver/advice.h"
#include "splitgen/machines.h"

typedef struct parser {
    sg_arena *arena;
    sg_diag *diag;
    sg_options *options;
    int at; /* index of the argument being parsed */
} parser;

/* A value: the bytes of argument `arg` from `from` on. */
typedef struct word {
    int arg;
    size_t from;
    const char *text;
} word;

static sg_span word_part(const parser *p, word w, size_t from, size_t to)
{
    return sg_command_line_span(&p->options->line, w.arg, w.from + from, w.from + to);
}

static sg_span word_span(const parser *p, word w)
{
    size_t len = strlen(w.text);
    if (len == 0) {
        return sg_command_line_argument(&p->options->line, w.arg);
    }
    return word_part(p, w, 0, len);
}

#define USAGE(p, ...) sg_diag_fail((p)->diag, SG_EXIT_USAGE, __VA_ARGS__)

/* "a, b or c" */
static const char *listed(sg_arena *arena, const char *const *words)
{
    sg_buf buf = {0};
    for (size_t i = 0; words[i] != NULL; i++) {
        if (i > 0) {
            sg_buf_addz(&buf, words[i + 1] == NULL ? " or " : ", ");
        }
        sg_buf_printf(&buf, "'%s'", words[i]);
    }
    char *text = sg_arena_strndup(arena, buf.ptr, buf.len);
    sg_buf_free(&buf);
    return text;
}

/* Index of a choice, or -1: reported. */
static int64_t choice_index(const parser *p, sg_option_id id, sg_str text, sg_span span)
{
    const int index = sg_option_choice(id, text);
    if (index >= 0) {
        return index;
    }
    const char *advice = sg_advice_value(p->arena, id, text);
    if (advice != NULL) {
        USAGE(p, span, "'%.*s' is not a value of '%s'; %s", (int)text.len, text.ptr,
              sg_option_name(p->arena, id), advice);
    } else {
        USAGE(p, span, "'%.*s' is not a value of '%s', which takes %s", (int)text.len, text.ptr,
              sg_option_name(p->arena, id), listed(p->arena, sg_option_get(id)->choices));
    }
    return -1;
}

/* Reports a list with separators other than commas, or one that was split by a blank. */
static bool check_separators(const parser *p, sg_option_id id, word w)
{
    const sg_command_line *line = &p->options->line;
    const char *behind = w.arg + 1 < line->argc ? line->argv[w.arg + 1] : "";
    const size_t len = strlen(w.text);
    const bool goes_on =
        len > 0 && w.text[len - 1] == ',' && sg_option_choice(id, sg_str_from(behind)) >= 0;
    return (strpbrk(w.text, " \t;:|") == NULL && !goes_on) ||
           USAGE(p, word_span(p, w), "%s", sg_advice_list(p->arena, id));
}

static bool check_choices(const parser *p, sg_option_id id, word w, int64_t *bits)
{
    SG_TRY(check_separators(p, id, w));
    bool ok = true;
    size_t begin = 0;
    for (;;) {
        size_t end = begin + strcspn(w.text + begin, ",");
        sg_str name = {w.text + begin, end - begin};
        if (name.len == 0) {
            ok = USAGE(p, word_span(p, w), "'%s' has an empty entry in its list",
                       sg_option_name(p->arena, id));
        } else {
            int64_t index = choice_index(p, id, name, word_part(p, w, begin, end));
            ok = ok && index >= 0;
            *bits |= index >= 0 ? INT64_C(1) << index : 0;
        }
        if (w.text[end] == '\0') {
            return ok;
        }
        begin = end + 1;
    }
}

/* Whether two -D define the same name. "a=b=4" may define the dim "a=b" or the parameter "a". They
 * are the same if their dims are equal, or if their parameters are and one of the two has a single
 * '='. */
static bool same_define(const char *a, const char *b)
{
    const size_t first = strcspn(a, "=");
    const size_t last = (size_t)(strrchr(a, '=') - a);
    const bool same_first = strncmp(a, b, first + 1) == 0;
    const bool same_last = last == (size_t)(strrchr(b, '=') - b) && strncmp(a, b, last + 1) == 0;
    return same_last || (same_first && (first == last || strchr(b + first + 1, '=') == NULL));
}

/* The correction of a define without '=': its value may follow a colon, or be the next argument. */
static const char *define_form(const parser *p, word w)
{
    const sg_command_line *line = &p->options->line;
    const char *colon = strrchr(w.text, ':');
    if (colon != NULL && colon != w.text && colon[1] != '\0') {
        return sg_arena_printf(p->arena, "%.*s=%s", (int)(colon - w.text), w.text, colon + 1);
    }
    const char *next = w.arg + 1 < line->argc ? line->argv[w.arg + 1] : "";
    int64_t number;
    return sg_arena_printf(p->arena, "%s=%s", w.text[0] != '\0' ? w.text : "NAME",
                           sg_parse_int64(sg_str_from(next), &number) ? next : "VALUE");
}

static bool check_define(const parser *p, word w)
{
    const char *equals = strchr(w.text, '=');
    if (equals == NULL) {
        sg_buf form = {0};
        sg_buf_add_shell(&form, define_form(p, w));
        USAGE(p, word_span(p, w), "'-D' needs a value as well: -D %s", form.ptr);
        sg_buf_free(&form);
        return false;
    }
    if (equals == w.text && strchr(equals + 1, '=') == NULL) {
        return USAGE(p, word_span(p, w), "'-D' needs a name in front of '=': -D NAME=VALUE");
    }
    const sg_option_value *defines = &p->options->values[SG_OPT_DEFINE];
    for (int64_t i = 0; i < defines->count; i++) {
        const char *other = defines->items[i].text;
        if (strchr(other, '=') != NULL && same_define(other, w.text)) {
            USAGE(p, word_span(p, w), "the parameter '%.*s' is set twice", (int)(equals - w.text),
                  w.text);
            sg_diag_note(p->diag, defines->items[i].span, "it is set here first");
            return false;
        }
    }
    return true;
}

static bool check_number(const parser *p, sg_option_id id, word w, int64_t *number)
{
    if (!sg_parse_int64(sg_str_from(w.text), number) || *number < 1 ||
        *number > SG_OPTION_NUMBER_MAX) {
        *number = 0;
        return USAGE(p, word_span(p, w), "'%s' is not a whole number from 1 to %lld, as '%s' needs",
                     w.text, (long long)SG_OPTION_NUMBER_MAX, sg_option_name(p->arena, id));
    }
    return true;
}

static bool check_section(const parser *p, word w)
{
    if (w.text[0] == '\0') {
        return USAGE(p, word_span(p, w), "'--section' may not be empty");
    }
    for (const char *c = w.text; *c != '\0'; c++) {
        if (!sg_is_ident((unsigned char)*c) && strchr(".$,-", *c) == NULL) {
            return USAGE(
                p, word_span(p, w),
                "a section name may hold letters, digits, '_', '.', '$', ',' and '-' only");
        }
    }
    return true;
}

static bool check_value(const parser *p, sg_option_id id, word w)
{
    sg_option_value *value = &p->options->values[id];
    switch (sg_option_get(id)->kind) {
    case SG_OPTION_FLAG:
    case SG_OPTION_TEXT:
        return true;
    case SG_OPTION_NAME:
    case SG_OPTION_MAYBE:
    case SG_OPTION_FILE:
        return w.text[0] != '\0' ||
               USAGE(p, word_span(p, w), "'%s' may not be empty", sg_option_name(p->arena, id));
    case SG_OPTION_IDENT:
        return (w.text[0] == '\0' || sg_str_is_ident(sg_str_from(w.text))) ||
               USAGE(p, word_span(p, w), "'%s' is not an identifier, as '%s' needs", w.text,
                     sg_option_name(p->arena, id));
    case SG_OPTION_SECTION:
        return check_section(p, w);
    case SG_OPTION_DEFINE:
        return check_define(p, w);
    case SG_OPTION_NUMBER:
        return check_number(p, id, w, &value->number);
    case SG_OPTION_TOPIC:
    case SG_OPTION_CHOICE:
        value->number = choice_index(p, id, sg_str_from(w.text), word_span(p, w));
        if (value->number < 0) {
            value->number = 0;
            return false;
        }
        return true;
    case SG_OPTION_CHOICES:
        return check_choices(p, id, w, &value->number);
    }
    return false;
}

static void append(const parser *p, sg_option_id id, const char *text, sg_span span)
{
    sg_option_value *value = &p->options->values[id];
    if (value->items == NULL) { /* an option cannot occur more often than there are arguments */
        value->items = SG_NEW_ARRAY(p->arena, sg_option_item, p->options->line.argc);
    }
    value->items[value->count++] = (sg_option_item){text, span};
}

static void append_input(const parser *p, const char *text, bool notation, sg_span span)
{
    p->options->inputs[p->options->ninputs++] = (sg_input){text, notation, span};
}

static bool take_value(const parser *p, sg_option_id id, word w)
{
    const sg_option_value *value = &p->options->values[id];
    if (value->count > 0 && !sg_option_get(id)->repeats) {
        USAGE(p, word_span(p, w), "'%s' is given twice", sg_option_name(p->arena, id));
        sg_diag_note(p->diag, value->items[0].span, "it is given here first");
        return false;
    }
    bool ok = check_value(p, id, w);
    append(p, id, w.text, word_span(p, w));
    if (id == SG_OPT_NOTATION) {
        append_input(p, w.text, true, word_span(p, w));
    }
    return ok;
}

static bool take_flag(const parser *p, sg_option_id id)
{
    const sg_command_line *line = &p->options->line;
    append(p, id, sg_option_is_optional(sg_option_get(id)) ? "" : line->argv[p->at],
           sg_command_line_argument(line, p->at));
    return true;
}

/* The value is the next argument, unless that looks like an option: a forgotten value is far more
 * common than a file called --header, which can be written --output=--header. */
static bool take_next(parser *p, sg_option_id id)
{
    const sg_command_line *line = &p->options->line;
    const char *name = line->argv[p->at];
    if (p->at + 1 >= line->argc) {
        return USAGE(p, sg_command_line_argument(line, p->at), "'%s' needs a value: '%s %s'", name,
                     name, sg_option_get(id)->argument);
    }
    const char *next = line->argv[p->at + 1];
    if (next[0] == '-' && next[1] != '\0') {
        bool is_long = strncmp(name, "--", 2) == 0;
        return USAGE(p, sg_command_line_argument(line, p->at),
                     "'%s' needs a value, but '%s' follows; if that is meant, write '%s%s%s'", name,
                     next, name, is_long ? "=" : "", next);
    }
    p->at++;
    return take_value(p, id, (word){p->at, 0, next});
}

static bool unknown(const parser *p, const char *name, size_t len)
{
    sg_arena *arena = p->arena;
    sg_str written = {name, len};
    const char *names[2 * SG_OPT_COUNT];
    size_t count = 0;
    const char *begun = NULL; /* the only option that begins like this */
    bool unique = true;
    for (sg_option_id id = 0; id < SG_OPT_COUNT; id++) {
        if (sg_option_get(id)->long_name[0] != '\0') {
            const char *full = sg_arena_printf(arena, "--%s", sg_option_get(id)->long_name);
            names[count++] = full;
            if (len > 3 && strncmp(full, name, len) == 0) {
                unique = begun == NULL;
                begun = full;
            }
        }
        if (strlen(sg_option_get(id)->short_name) > 1) {
            names[count++] = sg_arena_printf(arena, "-%s", sg_option_get(id)->short_name);
        }
    }
    const sg_command_line *line = &p->options->line;
    sg_span span = sg_command_line_span(line, p->at, 0, len);
    const char *advice = sg_advice_option(line->argv[p->at]);
    if (advice != NULL) {
        return USAGE(p, span, "unknown option '%.*s'; %s", (int)len, name, advice);
    }
    if (len > 2 && name[1] != '-') { /* -emit: a missing dash */
        written = sg_str_from(sg_arena_printf(arena, "-%.*s", (int)len, name));
    }
    const char *near = begun != NULL && unique ? begun : sg_suggest(written, names, count);
    if (near == NULL) {
        near = sg_suggest((sg_str){name, len}, names, count);
    }
    if (near != NULL) {
        return USAGE(p, span, "unknown option '%.*s'; did you mean '%s'?", (int)len, name, near);
    }
    return USAGE(p, span, "unknown option '%.*s'; 'splitgen --help' lists the options", (int)len,
                 name);
}

/* Reports an option that is gone, and skips its value. False: `name` is no such option. */
static bool skip_gone(parser *p, sg_str name)
{
    static const struct {
        const char *name;
        bool takes_value;
        const char *why;
    } gone[] = {
#define OLDER_GONE(name_, takes_value_, why_) {name_, takes_value_, why_},
#include "driver/older.inc"
    };
    for (size_t i = 0; i < sizeof gone / sizeof gone[0]; i++) {
        if (sg_str_eqz(name, gone[i].name)) {
            const sg_command_line *line = &p->options->line;
            const bool has_value = line->argv[p->at][name.len + 2] == '=';
            sg_diag_note(p->diag, sg_command_line_argument(line, p->at), "'--%s' %s", gone[i].name,
                         gone[i].why);
            p->at += gone[i].takes_value && !has_value && p->at + 1 < line->argc ? 1 : 0;
            return true;
        }
    }
    return false;
}

static bool read_long(parser *p)
{
    const sg_command_line *line = &p->options->line;
    const char *arg = line->argv[p->at];
    size_t len = strcspn(arg, "=");
    const sg_older_option *older;
    const sg_option_id id = sg_option_find((sg_str){arg + 2, len - 2}, &older);
    if (id == SG_OPT_COUNT) {
        return skip_gone(p, (sg_str){arg + 2, len - 2}) || unknown(p, arg, len);
    }
    if (older != NULL && older->value[0] != '\0' && arg[len] != '=') {
        return take_value(p, id, (word){p->at, 0, older->value});
    }
    if (sg_option_is_optional(sg_option_get(id)) && older == NULL && arg[len] != '=') {
        return take_flag(p, id);
    }
    if (sg_option_get(id)->kind != SG_OPTION_FLAG) {
        return arg[len] == '=' ? take_value(p, id, (word){p->at, len + 1, arg + len + 1})
                               : take_next(p, id);
    }
    if (arg[len] == '=') {
        const char *advice = sg_advice_option(arg);
        return USAGE(p, sg_command_line_span(line, p->at, len, strlen(arg)),
                     "'%.*s' takes no value%s%s", (int)len, arg, advice != NULL ? "; " : "",
                     advice != NULL ? advice : "");
    }
    return take_flag(p, id);
}

/* Whether the short form of an option takes no value. */
static bool is_alone(sg_option_id id)
{
    return sg_option_get(id)->kind == SG_OPTION_FLAG || sg_option_is_optional(sg_option_get(id));
}

static bool read_short(parser *p)
{
    const sg_command_line *line = &p->options->line;
    const char *arg = line->argv[p->at];
    for (sg_option_id id = 0; id < SG_OPT_COUNT; id++) { /* -o, -MP, -Werror */
        if (sg_option_get(id)->short_name[0] != '\0' &&
            strcmp(arg + 1, sg_option_get(id)->short_name) == 0) {
            return is_alone(id) ? take_flag(p, id) : take_next(p, id);
        }
    }
    for (sg_option_id id = 0; id < SG_OPT_COUNT; id++) { /* -oF */
        if (is_alone(id) || sg_option_get(id)->short_name[0] != arg[1] ||
            sg_option_get(id)->short_name[1] != '\0') {
            continue;
        }
        if (arg[2] == '=') {
            return USAGE(p, sg_command_line_span(line, p->at, 2, 3),
                         "'-%c' takes its value without '='", arg[1]);
        }
        return take_value(p, id, (word){p->at, 2, arg + 2});
    }
    return unknown(p, arg, strcspn(arg, "="));
}

/* Reports options that need another one. */
static bool check_together(const parser *p)
{
    static const sg_option_id needy[] = {SG_OPT_DEPFILE_TARGET, SG_OPT_PHONY};
    bool ok = true;
    for (size_t i = 0; i < sizeof needy / sizeof needy[0]; i++) {
        if (sg_options_has(p->options, needy[i]) && !sg_options_has(p->options, SG_OPT_DEPFILE)) {
            ok = USAGE(p, sg_options_span(p->options, needy[i]), "'%s' needs '--depfile' as well",
                       sg_option_name(p->arena, needy[i]));
        }
    }
    return ok;
}

bool sg_options_parse(sg_arena *arena, sg_diag *diag, int argc, const char *const *argv,
                      sg_options *options)
{
    *options = (sg_options){0};
    sg_command_line_init(&options->line, arena, argc, argv);
    options->inputs = SG_NEW_ARRAY(arena, sg_input, argc > 0 ? argc : 1);
    parser p = {arena, diag, options, 1};
    bool ok = true;
    bool only_inputs = false; /* after "--" */
    for (; p.at < argc; p.at++) {
        const char *arg = argv[p.at];
        if (only_inputs || arg[0] != '-' || arg[1] == '\0') {
            sg_span span = sg_command_line_argument(&options->line, p.at);
            if (arg[0] == '\0') {
                ok = USAGE(&p, span, "the name of an input may not be empty");
            }
            append_input(&p, arg, false, span);
        } else if (strcmp(arg, "--") == 0) {
            only_inputs = true;
        } else if (arg[1] == '-') {
            ok = read_long(&p) && ok;
        } else {
            ok = read_short(&p) && ok;
        }
    }
    if (!sg_options_has(options, SG_OPT_EMIT)) {
        options->values[SG_OPT_EMIT].number = INT64_C(1) << SG_KIND_C;
    }
    return check_together(&p) && ok;
}
