/* Reads expressions like "total.text.thumb2 >= 4K" and compares figures with them. */
#include "driver/limits.h"

#include <inttypes.h>
#include <string.h>

#include "base/checked.h"
#include "base/text.h"

/* --- reading ---------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    bool by_target;
    const char *unit; /* in messages, and an end of "to have less, ..." */
    const char *advice;
} infos[SG_FIGURES] = {
    [SG_FIGURE_TEXT] = {"text", true, "bytes of text",
                        "give --optimize=size, write fewer bodies (--isa) or unroll less "
                        "(--unroll-budget)"},
    [SG_FIGURE_STACK] = {"stack", true, "bytes of stack",
                         "give --optimize=size or write fewer bodies (--isa)"},
    [SG_FIGURE_READ] = {"read", false, "bytes read", "take views, which --list shows, as they are"},
    [SG_FIGURE_WRITTEN] = {"written", false, "bytes written",
                           "take views, which --list shows, as they are"},
    [SG_FIGURE_COPIES] = {"copies", false, "copies", "take views, which --list shows, as they are"},
    [SG_FIGURE_INSTRUCTIONS] = {"instructions", false, "instructions",
                                "give --optimize=size, write fewer bodies (--isa) or unroll less "
                                "(--unroll-budget)"},
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

/* With "total." and without, for every target and for none. */
#define NAMES_MAX (2 * SG_FIGURES * (SG_CLASS_COUNT + 1))

typedef struct reader {
    sg_arena *arena;
    sg_diag *diag;
    const char *text;
    size_t at;
    sg_span span; /* of the text; no byte of it that is read takes two on the command line */
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

/* What stands where something else was expected, as far as it is one word. */
static const char *found(reader *r)
{
    const size_t begin = r->at;
    if (r->text[begin] == '\0') {
        return "the expression ends";
    }
    r->at += strcspn(r->text + begin, " \t");
    return sg_arena_printf(r->arena, "'%s' stands",
                           sg_arena_strndup(r->arena, r->text + begin, r->at - begin));
}

/* "x86_64 (x86-64, gcc -O2), ..." */
static const char *listed_targets(sg_arena *arena)
{
    const char *text = "";
    for (int i = 0; i < SG_CLASS_COUNT; i++) {
        const char *between = i == 0 ? "" : i + 1 == SG_CLASS_COUNT ? " and " : ", ";
        text =
            sg_arena_printf(arena, "%s%s%s (%s)", text, between, sg_class_name((sg_target_class)i),
                            sg_class_title((sg_target_class)i));
    }
    return text;
}

/* Whether what is wrong with the word is its target alone: "text.cortex-m4". */
static bool is_of_target(sg_str word)
{
    const size_t total = word.len >= sizeof TOTAL && memcmp(word.ptr, TOTAL, sizeof TOTAL - 1) == 0
                             ? sizeof TOTAL - 1
                             : 0;
    for (int f = 0; f < SG_FIGURES; f++) {
        const size_t len = strlen(infos[f].name);
        if (infos[f].by_target && word.len > total + len && word.ptr[total + len] == '.' &&
            memcmp(word.ptr + total, infos[f].name, len) == 0) {
            return true;
        }
    }
    return false;
}

/* Names figures in the order of the lists, and says in `limits` what each is. */
static size_t list_figures(sg_arena *arena, const char *names[NAMES_MAX], sg_limit *limits)
{
    size_t count = 0;
    for (int total = 0; total < 2; total++) {
        for (int f = 0; f < SG_FIGURES; f++) {
            for (int target = SG_CLASS_COUNT; target >= (infos[f].by_target ? 0 : SG_CLASS_COUNT);
                 target--) {
                const bool all = target == SG_CLASS_COUNT;
                limits[count] =
                    (sg_limit){.total = total == 1, .figure = (sg_figure)f, .target = target};
                names[count++] = sg_arena_printf(arena, "%s%s%s%s", total == 1 ? TOTAL : "",
                                                 infos[f].name, all ? "" : ".",
                                                 all ? "" : sg_class_name((sg_target_class)target));
            }
        }
    }
    return count;
}

size_t sg_limits_figures(sg_arena *arena, const char *const **names, const char *const **units)
{
    const char **all = SG_NEW_ARRAY(arena, const char *, NAMES_MAX);
    const char **counted = SG_NEW_ARRAY(arena, const char *, NAMES_MAX);
    sg_limit limits[NAMES_MAX];
    const size_t count = list_figures(arena, all, limits);
    for (size_t i = 0; i < count; i++) {
        counted[i] = infos[limits[i].figure].unit;
    }
    *names = all;
    *units = counted;
    return count;
}

static bool read_figure(reader *r, sg_limit *limit)
{
    const char *names[NAMES_MAX];
    sg_limit limits[NAMES_MAX];
    const size_t count = list_figures(r->arena, names, limits);
    const size_t begin = r->at;
    const sg_str word =
        take(r, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-");
    if (word.len == 0) {
        const char *is = found(r);
        return sg_diag_fail(r->diag, SG_EXIT_USAGE, span_from(r, begin),
                            "%s where '--fail-if' needs a figure, as in 'text>2048'", is);
    }
    for (size_t i = 0; i < count; i++) {
        if (sg_str_eqz(word, names[i])) {
            limit->total = limits[i].total;
            limit->figure = limits[i].figure;
            limit->target = limits[i].target;
            return true;
        }
    }
    const char *near = sg_suggest(word, names, count);
    if (near != NULL && (!is_of_target(word) || is_of_target(sg_str_from(near)))) {
        return sg_diag_fail(r->diag, SG_EXIT_USAGE, span_from(r, begin),
                            "'%.*s' is not a figure; did you mean '%s'?", (int)word.len, word.ptr,
                            near);
    }
    if (is_of_target(word)) {
        return sg_diag_fail(r->diag, SG_EXIT_USAGE, span_from(r, begin),
                            "'%.*s' names no target; there are %s", (int)word.len, word.ptr,
                            listed_targets(r->arena));
    }
    return sg_diag_fail(r->diag, SG_EXIT_USAGE, span_from(r, begin),
                        "'%.*s' is not a figure; there are text, stack, read, written, copies and "
                        "instructions, text and stack also for one target, as in 'text.thumb2'",
                        (int)word.len, word.ptr);
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
                         ? sg_arena_printf(r->arena, "'%.*s' stands", (int)sign.len, sign.ptr)
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
                            "%s behind the number; only K and M may, at once", is);
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

/* The target a figure is of: the one named, or where it is largest. */
static int target_of(const sg_limit *limit, const int64_t by_target[SG_CLASS_COUNT])
{
    int target = limit->target % SG_CLASS_COUNT;
    for (int i = 0; limit->target == SG_CLASS_COUNT && i < SG_CLASS_COUNT; i++) {
        target = by_target[i] > by_target[target] ? i : target;
    }
    return target;
}

static bool check(sg_diag *diag, const sg_limit *limit, const sg_figures *f, sg_span span)
{
    const int64_t by_figure[SG_FIGURES] = {[SG_FIGURE_READ] = f->moved,
                                           [SG_FIGURE_WRITTEN] = f->moved,
                                           [SG_FIGURE_COPIES] = f->copies,
                                           [SG_FIGURE_INSTRUCTIONS] = f->instructions};
    int64_t value = by_figure[limit->figure];
    const char *on = "";
    const char *where = "";
    if (infos[limit->figure].by_target) {
        const int64_t *bytes = limit->figure == SG_FIGURE_TEXT ? f->text : f->stack;
        const int target = target_of(limit, bytes);
        value = bytes[target];
        on = ", as estimated for ";
        where = sg_class_name((sg_target_class)target);
    }
    if (!holds(limit->comparison, value, limit->number)) {
        return true;
    }
    const bool high = limit->comparison == SG_MORE || limit->comparison == SG_NOT_LESS;
    const char *const kernel = limit->total ? "all kernels together have" : "has";
    sg_diag_fail(diag, SG_EXIT_BUDGET, span,
                 "%s%s%s%s %" PRId64 " %s%s%s, but '--fail-if' stops at %s%" PRId64 "%s%s%s",
                 limit->total ? "" : "'", limit->total ? "" : f->name, limit->total ? "" : "' ",
                 kernel, value, infos[limit->figure].unit, on, where,
                 comparisons[limit->comparison].before, limit->number,
                 comparisons[limit->comparison].behind, high ? "; " : "",
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
