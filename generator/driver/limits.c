/* Parses expressions such as "total.instructions >= 4K" and compares metrics with them. */
#include "driver/limits.h"

#include <inttypes.h>
#include <string.h>

#include "base/checked.h"
#include "base/text.h"

/* --- parsing --------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    const char *unit; /* for messages; `advice` follows "to have less, ..." */
    const char *advice;
} infos[SG_FIGURES] = {
    [SG_FIGURE_READ] = {"read", "bytes read", "take views, which --list shows, as they are"},
    [SG_FIGURE_WRITTEN] = {"written", "bytes written",
                           "take views, which --list shows, as they are"},
    [SG_FIGURE_COPIES] = {"copies", "copies", "take views, which --list shows, as they are"},
    [SG_FIGURE_INSTRUCTIONS] = {"instructions", "instructions",
                                "give --optimize=size, write fewer bodies (--isa) or unroll less "
                                "(--unroll=none)"},
};

/* Metrics that only a compiler can measure, by name, with the CMake argument and the option of
 * splitgen-size that limit them. */
static const struct {
    const char *name;
    const char *what;
    const char *cmake;
    const char *option;
} measured[] = {
    {"text", "machine code", "MAX_TEXT", "--max-text"},
    {"stack", "stack", "MAX_STACK", "--max-stack"},
};

static const struct {
    const char *sign;
    const char *before; /* "more than 2048" */
    const char *behind; /* "2048 or more" */
} comparisons[SG_COMPARISONS] = {
    [SG_MORE] = {">", "more than ", ""}, [SG_NOT_LESS] = {">=", "", " or more"},
    [SG_LESS] = {"<", "less than ", ""}, [SG_NOT_MORE] = {"<=", "", " or less"},
    [SG_EQUAL] = {"==", "exactly ", ""}, [SG_NOT_EQUAL] = {"!=", "any but ", ""},
};

#define TOTAL "total."

/* All names, then all names with "total.". */
#define NAMES_MAX (2 * SG_FIGURES)

typedef struct reader {
    sg_arena *arena;
    sg_diag *diag;
    const char *text;
    size_t at;
    sg_span span; /* of the text; no byte that is parsed takes two bytes on the command line */
} reader;

static sg_span span_from(const reader *r, size_t begin)
{
    return sg_span_make(r->span.source, r->span.begin + begin, r->span.begin + r->at);
}

static void skip_blanks(reader *r)
{
    while (r->text[r->at] == ' ' || r->text[r->at] == '\t') {
        r->at++;
    }
}

static sg_str take(reader *r, const char *letters)
{
    const size_t len = strspn(r->text + r->at, letters);
    const sg_str word = {r->text + r->at, len};
    r->at += len;
    return word;
}

/* For a message: what is there instead of the expected text, up to the next blank. */
static const char *found(reader *r)
{
    const size_t begin = r->at;
    if (r->text[begin] == '\0') {
        return "the expression ends";
    }
    r->at += strcspn(r->text + begin, " \t");
    return sg_arena_printf(r->arena, "'%s' is written",
                           sg_arena_strndup(r->arena, r->text + begin, r->at - begin));
}

/* The name of metric i % SG_FIGURES; from SG_FIGURES on, of all kernels together. */
static void list_figures(sg_arena *arena, const char *names[NAMES_MAX])
{
    for (int i = 0; i < NAMES_MAX; i++) {
        names[i] =
            sg_arena_printf(arena, "%s%s", i < SG_FIGURES ? "" : TOTAL, infos[i % SG_FIGURES].name);
    }
}

size_t sg_limits_figures(sg_arena *arena, const char *const **names, const char *const **units)
{
    const char **all = SG_NEW_ARRAY(arena, const char *, NAMES_MAX);
    const char **counted = SG_NEW_ARRAY(arena, const char *, NAMES_MAX);
    list_figures(arena, all);
    for (int i = 0; i < NAMES_MAX; i++) {
        counted[i] = infos[i % SG_FIGURES].unit;
    }
    *names = all;
    *units = counted;
    return NAMES_MAX;
}

/* Whether a word is a name, or "total.NAME" or "NAME.TARGET". */
static bool is_named(sg_str word, const char *name)
{
    const size_t total = sizeof TOTAL - 1;
    const size_t len = strlen(name);
    if (word.len > total && memcmp(word.ptr, TOTAL, total) == 0) {
        word = (sg_str){word.ptr + total, word.len - total};
    }
    return word.len >= len && memcmp(word.ptr, name, len) == 0 &&
           (word.len == len || word.ptr[len] == '.');
}

static bool refuse_figure(reader *r, size_t begin, sg_str word, const char *const *names)
{
    const sg_span span = span_from(r, begin);
    for (size_t i = 0; i < sizeof measured / sizeof measured[0]; i++) {
        if (is_named(word, measured[i].name)) {
            return sg_diag_fail(
                r->diag, SG_EXIT_USAGE, span,
                "'%.*s' is unknown here: the bytes of %s of a kernel are measured after it was "
                "compiled. Limit them by %s of splitgen_add_library() in CMake, by "
                "'splitgen-size "
                "%s' in other builds",
                (int)word.len, word.ptr, measured[i].what, measured[i].cmake, measured[i].option);
        }
    }
    const char *near = sg_suggest(word, names, NAMES_MAX);
    if (near != NULL) {
        return sg_diag_fail(r->diag, SG_EXIT_USAGE, span,
                            "'%.*s' is not a metric; did you mean '%s'?", (int)word.len, word.ptr,
                            near);
    }
    return sg_diag_fail(r->diag, SG_EXIT_USAGE, span,
                        "'%.*s' is not a metric; the metrics are read, written, copies and "
                        "instructions, each also with 'total.' in front",
                        (int)word.len, word.ptr);
}

static bool read_figure(reader *r, sg_limit *limit)
{
    const char *names[NAMES_MAX];
    const size_t begin = r->at;
    const sg_str word =
        take(r, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-");
    if (word.len == 0) {
        const char *is = found(r);
        return sg_diag_fail(r->diag, SG_EXIT_USAGE, span_from(r, begin),
                            "%s where '--fail-if' needs a figure, as in 'copies>2048'", is);
    }
    list_figures(r->arena, names);
    for (int i = 0; i < NAMES_MAX; i++) {
        if (sg_str_eqz(word, names[i])) {
            limit->total = i >= SG_FIGURES;
            limit->figure = (sg_figure)(i % SG_FIGURES);
            return true;
        }
    }
    return refuse_figure(r, begin, word, names);
}

static bool read_comparison(reader *r, sg_limit *limit)
{
    const size_t begin = r->at;
    const sg_str sign = take(r, "<>=!~");
    for (int i = 0; i < SG_COMPARISONS; i++) {
        if (sg_str_eqz(sign, comparisons[i].sign)) {
            limit->comparison = (sg_comparison)i;
            return true;
        }
    }
    const char *is = sign.len > 0
                         ? sg_arena_printf(r->arena, "'%.*s' is written", (int)sign.len, sign.ptr)
                         : found(r);
    return sg_diag_fail(r->diag, SG_EXIT_USAGE, span_from(r, begin),
                        "%s where '--fail-if' needs one of > >= < <= == !=", is);
}

/* 2048, 2K, 1M */
static bool read_number(reader *r, sg_limit *limit)
{
    const size_t begin = r->at;
    const sg_str digits = take(r, "0123456789");
    if (digits.len == 0) {
        const char *is = found(r);
        return sg_diag_fail(r->diag, SG_EXIT_USAGE, span_from(r, begin),
                            "%s where '--fail-if' needs a whole number, as in 2048 or 2K", is);
    }
    const char suffix = r->text[r->at];
    const int64_t unit = suffix == 'K' ? 1024 : suffix == 'M' ? 1024 * 1024 : 1;
    r->at += unit > 1;
    if (!sg_parse_int64(digits, &limit->number) || !sg_mul64(limit->number, unit, &limit->number)) {
        return sg_diag_fail(r->diag, SG_EXIT_USAGE, span_from(r, begin),
                            "'%s' does not fit in 64 bits",
                            sg_arena_strndup(r->arena, r->text + begin, r->at - begin));
    }
    return true;
}

static bool read_limit(reader *r, sg_limit *limit)
{
    limit->span = r->span;
    skip_blanks(r);
    SG_TRY(read_figure(r, limit));
    skip_blanks(r);
    SG_TRY(read_comparison(r, limit));
    skip_blanks(r);
    SG_TRY(read_number(r, limit));
    skip_blanks(r);
    if (r->text[r->at] != '\0') {
        const size_t begin = r->at;
        const char *is = found(r);
        return sg_diag_fail(r->diag, SG_EXIT_USAGE, span_from(r, begin),
                            "%s after the number; only K or M may follow it, without a blank", is);
    }
    return true;
}

bool sg_limits_read(sg_arena *arena, sg_diag *diag, const sg_options *options, sg_limits *limits)
{
    const sg_option_value *value = &options->values[SG_OPT_FAIL_IF];
    bool ok = true;
    limits->items = SG_NEW_ARRAY(arena, sg_limit, value->count);
    for (int64_t i = 0; i < value->count; i++) {
        reader r = {.arena = arena,
                    .diag = diag,
                    .text = value->items[i].text,
                    .span = value->items[i].span};
        ok = read_limit(&r, &limits->items[limits->count++]) && ok;
    }
    return ok;
}

/* --- checking --------------------------------------------------------------------------------- */

static bool holds(sg_comparison comparison, int64_t a, int64_t b)
{
    switch (comparison) {
    case SG_MORE:
        return a > b;
    case SG_NOT_LESS:
        return a >= b;
    case SG_LESS:
        return a < b;
    case SG_NOT_MORE:
        return a <= b;
    case SG_EQUAL:
        return a == b;
    case SG_NOT_EQUAL:
    case SG_COMPARISONS:
        break;
    }
    return a != b;
}

static bool check(sg_diag *diag, const sg_limit *limit, const sg_figures *f, sg_span span)
{
    const int64_t by_figure[SG_FIGURES] = {[SG_FIGURE_READ] = f->moved,
                                           [SG_FIGURE_WRITTEN] = f->moved,
                                           [SG_FIGURE_COPIES] = f->copies,
                                           [SG_FIGURE_INSTRUCTIONS] = f->instructions};
    const int64_t value = by_figure[limit->figure];
    if (!holds(limit->comparison, value, limit->number)) {
        return true;
    }
    const bool high = limit->comparison == SG_MORE || limit->comparison == SG_NOT_LESS;
    const char *const kernel = limit->total ? "all kernels together have" : "has";
    sg_diag_fail(diag, SG_EXIT_BUDGET, span,
                 "%s%s%s%s %" PRId64 " %s, but '--fail-if' stops at %s%" PRId64 "%s%s%s",
                 limit->total ? "" : "'", limit->total ? "" : f->name, limit->total ? "" : "' ",
                 kernel, value, infos[limit->figure].unit, comparisons[limit->comparison].before,
                 limit->number, comparisons[limit->comparison].behind, high ? "; " : "",
                 high ? infos[limit->figure].advice : "");
    if (!limit->total) {
        sg_diag_note(diag, limit->span, "the limit is given here");
    }
    return false;
}

bool sg_limits_check(sg_diag *diag, const sg_limits *limits, const sg_figures *figures,
                     const sg_plan *const *plans, int64_t count)
{
    const sg_figures total = sg_figures_total(figures, count);
    bool ok = true;
    for (int64_t i = 0; i < count; i++) {
        sg_diag_set_subject(diag, plans[i]->split->op->subject);
        for (int64_t l = 0; l < limits->count; l++) {
            if (!limits->items[l].total) {
                ok = check(diag, &limits->items[l], &figures[i], plans[i]->split->op->span) && ok;
            }
        }
    }
    sg_diag_set_subject(diag, NULL);
    for (int64_t l = 0; l < limits->count; l++) {
        if (limits->items[l].total) {
            ok = check(diag, &limits->items[l], &total, limits->items[l].span) && ok;
        }
    }
    return ok;
}
