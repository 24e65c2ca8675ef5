/* Collects diagnostics: order, counting, limits, duplicates. Independent of output formats. */
#include "base/diag.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

#define DEFAULT_MAX_ERRORS   20
#define DEFAULT_MAX_WARNINGS 100

void sg_diag_init(sg_diag *diag, sg_arena *arena)
{
    *diag = (sg_diag){0};
    diag->arena = arena;
    diag->max_errors = DEFAULT_MAX_ERRORS;
    diag->max_warnings = DEFAULT_MAX_WARNINGS;
}

static bool is_same(const sg_diag_entry *entry, sg_severity severity, sg_span span,
                    const char *message)
{
    return entry->severity == severity && entry->span.source == span.source &&
           entry->span.begin == span.begin && entry->span.end == span.end &&
           strcmp(entry->message, message) == 0;
}

/* Whether two ops were made by functions called from the same places. */
static bool same_callers(const sg_subject *a, const sg_subject *b)
{
    size_t na = a != NULL ? a->ncallers : 0;
    size_t nb = b != NULL ? b->ncallers : 0;
    bool same = na == nb;
    for (size_t i = 0; same && i < na; i++) {
        sg_span sa = a->callers[i].span;
        sg_span sb = b->callers[i].span;
        same = sa.source == sb.source && sa.begin == sb.begin && sa.end == sb.end;
    }
    return same;
}

/* The hash list for entries with this place and message; without a cap there may be thousands. */
static sg_diag_entry **bucket(sg_diag *diag, sg_span span, const char *message)
{
    enum { BUCKETS = 256 };
    if (diag->buckets == NULL) {
        diag->buckets = SG_NEW_ARRAY(diag->arena, sg_diag_entry *, BUCKETS);
    }
    uint32_t hash = (uint32_t)span.begin;
    for (const char *c = message; *c != '\0'; c++) {
        hash = hash * 31 + (unsigned char)*c;
    }
    return &diag->buckets[(hash ^ hash >> 16) % BUCKETS];
}

static sg_diag_entry *find_same(sg_diag *diag, sg_severity severity, sg_span span,
                                const char *message)
{
    for (sg_diag_entry *entry = *bucket(diag, span, message); entry; entry = entry->next_hashed) {
        if (is_same(entry, severity, span, message) &&
            same_callers(entry->subject, diag->subject)) {
            return entry;
        }
    }
    return NULL;
}

/* Adds the current op to an entry. Ops are checked one after the other, so only the last one can be
 * a duplicate. */
static void add_about(sg_diag *diag, sg_diag_entry *entry)
{
    if (diag->subject == NULL || diag->subject->is_no_op ||
        (entry->last_about != NULL && entry->last_about->subject == diag->subject)) {
        return;
    }
    sg_diag_about *about = SG_NEW(diag->arena, sg_diag_about);
    about->subject = diag->subject;
    if (entry->last_about != NULL) {
        entry->last_about->next = about;
    } else {
        entry->about = about;
    }
    entry->last_about = about;
}

/* Whether the last error or warning already has this note. */
static bool is_known_note(const sg_diag *diag, sg_span span, const char *message)
{
    bool known = false;
    for (const sg_diag_entry *entry = diag->checked; entry && !known; entry = entry->next) {
        known = is_same(entry, SG_NOTE, span, message);
    }
    return known;
}

static void append(sg_diag *diag, sg_severity severity, sg_exit exit, sg_span span,
                   const char *message)
{
    sg_diag_entry *entry = SG_NEW(diag->arena, sg_diag_entry);
    entry->severity = severity;
    entry->exit = exit;
    entry->span = span;
    entry->message = message;
    if (diag->last) {
        diag->last->next = entry;
    } else {
        diag->first = entry;
    }
    diag->last = entry;
}

static const char *rule_of(const sg_diag *diag, sg_exit exit)
{
    switch (exit) {
    case SG_EXIT_USAGE:
        return "usage";
    case SG_EXIT_IO:
        return "io";
    case SG_EXIT_STALE:
        return "stale";
    case SG_EXIT_BUDGET:
        return "budget";
    case SG_EXIT_BUG:
        return "bug";
    case SG_EXIT_OK:
    case SG_EXIT_INPUT:
        break;
    }
    return diag->rule != NULL ? diag->rule : "input";
}

void sg_diag_set_subject(sg_diag *diag, const sg_subject *subject)
{
    diag->subject = subject;
}

const char *sg_diag_set_rule(sg_diag *diag, const char *rule)
{
    const char *before = diag->rule;
    diag->rule = rule;
    return before;
}

/* Adds an error, warning or remark unless it is a duplicate or beyond the cap. */
static void keep(sg_diag *diag, sg_severity severity, sg_exit exit, sg_span span,
                 const char *message, bool capped)
{
    bool error = severity == SG_ERROR;
    size_t *kept = error ? &diag->kept_errors : &diag->kept_warnings;
    size_t cap = error ? diag->max_errors : diag->max_warnings;
    diag->muted = true;
    sg_diag_entry *same = find_same(diag, severity, span, message);
    if (same != NULL) {
        add_about(diag, same);
        return;
    }
    if (capped && cap && *kept >= cap) {
        ++*(error ? &diag->hidden_errors : &diag->hidden_warnings);
        return;
    }
    *kept += capped ? 1 : 0;
    diag->muted = false;
    append(diag, severity, exit, span, message);
    diag->checked = diag->last;
    sg_diag_entry **place = bucket(diag, span, message);
    diag->last->next_hashed = *place;
    *place = diag->last;
    diag->last->rule = rule_of(diag, exit);
    diag->last->subject = diag->subject;
    add_about(diag, diag->last);
    if (diag->subject != NULL && error) {
        for (size_t i = 0; i < diag->subject->ncallers; i++) {
            const sg_caller *caller = &diag->subject->callers[i];
            append(diag, SG_NOTE, SG_EXIT_OK, caller->span, caller->text);
        }
    }
}

static int exit_rank(sg_exit exit)
{
    switch (exit) {
    case SG_EXIT_OK:
        return 0;
    case SG_EXIT_INPUT:
        return 1;
    case SG_EXIT_STALE:
        return 2;
    case SG_EXIT_USAGE:
        return 3;
    case SG_EXIT_BUDGET:
        return 4;
    case SG_EXIT_IO:
        return 5;
    case SG_EXIT_BUG:
        break;
    }
    return 6;
}

static void add_error(sg_diag *diag, sg_exit exit, sg_span span, const char *fmt, va_list ap)
{
    assert(exit != SG_EXIT_OK);
    diag->errors++;
    if (exit_rank(exit) > exit_rank(diag->worst)) {
        diag->worst = exit;
    }
    keep(diag, SG_ERROR, exit, sg_span_make(span.source, span.begin, span.end),
         sg_arena_vprintf(diag->arena, fmt, ap), true);
}

bool sg_diag_error(sg_diag *diag, sg_span span, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    add_error(diag, SG_EXIT_INPUT, span, fmt, ap);
    va_end(ap);
    return false;
}

bool sg_diag_fail(sg_diag *diag, sg_exit exit, sg_span span, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    add_error(diag, exit, span, fmt, ap);
    va_end(ap);
    return false;
}

static void add_warning(sg_diag *diag, sg_span span, bool capped, const char *fmt, va_list ap)
{
    diag->warnings++;
    keep(diag, SG_WARNING, SG_EXIT_OK, sg_span_make(span.source, span.begin, span.end),
         sg_arena_vprintf(diag->arena, fmt, ap), capped);
}

void sg_diag_warn(sg_diag *diag, sg_span span, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    add_warning(diag, span, true, fmt, ap);
    va_end(ap);
}

void sg_diag_warn_uncapped(sg_diag *diag, sg_span span, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    add_warning(diag, span, false, fmt, ap);
    va_end(ap);
}

void sg_diag_note(sg_diag *diag, sg_span span, const char *fmt, ...)
{
    if (diag->muted) {
        return;
    }
    va_list ap;
    va_start(ap, fmt);
    const char *message = sg_arena_vprintf(diag->arena, fmt, ap);
    va_end(ap);
    span = sg_span_make(span.source, span.begin, span.end);
    if (!is_known_note(diag, span, message)) {
        append(diag, SG_NOTE, SG_EXIT_OK, span, message);
    }
}

void sg_diag_remark(sg_diag *diag, sg_span span, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    keep(diag, SG_NOTE, SG_EXIT_OK, sg_span_make(span.source, span.begin, span.end),
         sg_arena_vprintf(diag->arena, fmt, ap), false);
    va_end(ap);
}

bool sg_diag_unexpected(sg_diag *diag, sg_span span, bool is_end, const char *const *choices,
                        int count)
{
    enum { SHOWN = 40 }; /* bytes of a long text; the excerpt shows the rest */
    sg_buf list = {0};
    for (int i = 0; i < count; i++) {
        sg_buf_addz(&list, i == 0 ? "" : i == count - 1 ? " or " : ", ");
        sg_buf_addz(&list, choices[i]);
    }
    if (is_end) {
        sg_diag_error(diag, span, "unexpected end of the text, expected %s", list.ptr);
    } else {
        sg_str text = sg_span_text(span);
        sg_diag_error(diag, span, "unexpected '%.*s%s', expected %s",
                      text.len > SHOWN ? SHOWN : (int)text.len, text.ptr,
                      text.len > SHOWN ? "..." : "", list.ptr);
    }
    sg_buf_free(&list);
    return false;
}

sg_exit sg_diag_exit(const sg_diag *diag)
{
    return diag->worst;
}

/* The name of an op, or its number among those of its call. */
static void add_name(const sg_subject *subject, sg_buf *out)
{
    if (subject->name != NULL) {
        sg_buf_printf(out, "'%s'", subject->name);
    } else {
        sg_buf_printf(out, "%lld of this call", (long long)subject->turn);
    }
}

void sg_diag_message(const sg_diag_entry *entry, sg_buf *out)
{
    enum { NAMED = 3 };
    if (entry->about != NULL && entry->about->subject->unclear) {
        int64_t count = 0;
        sg_buf_addz(out, entry->about->next != NULL ? "ops " : "op ");
        for (const sg_diag_about *about = entry->about; about != NULL; about = about->next) {
            if (count++ < NAMED) {
                sg_buf_addz(out, count > 1 ? ", " : "");
                add_name(about->subject, out);
            }
        }
        if (count > NAMED) {
            sg_buf_printf(out, " and %lld more", (long long)(count - NAMED));
        }
        sg_buf_addz(out, ": ");
    }
    sg_buf_addz(out, entry->message);
}

const char *sg_severity_word(sg_severity severity)
{
    switch (severity) {
    case SG_ERROR:
        return "error";
    case SG_WARNING:
        return "warning";
    case SG_NOTE:
        break;
    }
    return "note";
}
