/* Diagnostics: errors, warnings and notes with a place, kept in order and rendered at the end as
 * text (with excerpt and caret), JSON or SARIF 2.1.0. Nothing is printed while collecting, so the
 * driver decides where the text goes and a test can look at the entries. */
#ifndef SG_BASE_DIAG_H
#define SG_BASE_DIAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/exit.h"
#include "base/source.h"
#include "base/text.h"

typedef enum sg_severity { SG_ERROR, SG_WARNING, SG_NOTE } sg_severity;

typedef enum sg_color { SG_COLOR_NEVER, SG_COLOR_ALWAYS } sg_color;

typedef enum sg_diag_format { SG_DIAG_TEXT, SG_DIAG_JSON, SG_DIAG_SARIF } sg_diag_format;

/* What a diagnostic is about, for when its place does not tell. */
typedef struct sg_caller {
    sg_span span;
    const char *text; /* "called from here" */
} sg_caller;

typedef struct sg_subject {
    const char *name; /* of the op; NULL until known, which may be after the diagnostic */
    int64_t turn;     /* the how-many-th op of its call it is, from 1; 0: not known */
    bool is_no_op;    /* but what ops come from: only its callers count */
    bool unclear;     /* its place is that of several ops, or within a helper: messages name it */
    const sg_caller *callers; /* from within to without; notes behind every error */
    size_t ncallers;
} sg_subject;

/* All ops that got the same message at the same place, in the order of the errors. */
typedef struct sg_diag_about {
    const sg_subject *subject;
    struct sg_diag_about *next;
} sg_diag_about;

typedef struct sg_diag_entry {
    sg_severity severity;
    sg_exit exit;     /* the exit code this error asks for; SG_EXIT_OK on warnings and notes */
    sg_span span;     /* span.source NULL: printed as "splitgen: error: ..." */
    const char *rule; /* "lengths"; of errors and warnings */
    const sg_subject *subject; /* that was set, an op or not */
    sg_diag_about *about;      /* NULL: about no op */
    sg_diag_about *last_about;
    const char *message; /* lower case, no full stop, one line; control bytes in quoted user text
                          * are escaped when it is rendered */
    struct sg_diag_entry *next;
    struct sg_diag_entry *next_hashed; /* in its bucket */
} sg_diag_entry;

typedef struct sg_diag {
    sg_arena *arena; /* owns entries and messages */
    sg_diag_entry *first;
    sg_diag_entry *last;
    sg_diag_entry *checked;  /* the last error or warning; its notes follow */
    sg_diag_entry **buckets; /* errors and warnings by place and message; NULL: none yet */
    size_t errors; /* reported, duplicates and those beyond the cap too: grows with every call */
    size_t warnings;
    size_t kept_errors;   /* that are entries */
    size_t kept_warnings; /* without those that no cap holds for */
    size_t hidden_errors; /* that the cap kept out */
    size_t hidden_warnings;
    size_t max_errors;         /* kept; 20 by default, later ones are only counted; 0: no cap */
    size_t max_warnings;       /* the same, 100 by default */
    sg_exit worst;             /* what sg_diag_exit returns; every error counts */
    bool muted;                /* the last one was not kept: its notes are dropped too */
    const char *rule;          /* what is being checked, see sg_diag_set_rule */
    const sg_subject *subject; /* the op that is being checked, or NULL */
} sg_diag;

#if defined(__GNUC__)
#define SG_PRINTF(f, a) __attribute__((format(printf, f, a)))
#define SG_CHECK        __attribute__((warn_unused_result))
#else
#define SG_PRINTF(f, a)
#define SG_CHECK
#endif

/* Functions that can fail return bool; false means "already reported". */
#define SG_TRY(x)                                                                                  \
    do {                                                                                           \
        if (!(x)) {                                                                                \
            return false;                                                                          \
        }                                                                                          \
    } while (0)

void sg_diag_init(sg_diag *diag, sg_arena *arena);

/* Says what the errors and warnings that follow are about; NULL: about no op. */
void sg_diag_set_subject(sg_diag *diag, const sg_subject *subject);
/* Names the rule that is being checked; errors with an exit code of their own have the rules
 * "usage", "io", "stale", "budget" and "bug". Returns the rule before. */
const char *sg_diag_set_rule(sg_diag *diag, const char *rule);

/* An error or warning with the place, message and callers of an earlier one is dropped with its
 * notes, but the earlier one then names this one's op too. */

/* Reports an error in the input (exit 1). Always returns false, so callers can
 * `return sg_diag_error(...)`. */
bool sg_diag_error(sg_diag *diag, sg_span span, const char *fmt, ...) SG_PRINTF(3, 4);
/* The same with another exit code. */
bool sg_diag_fail(sg_diag *diag, sg_exit exit, sg_span span, const char *fmt, ...) SG_PRINTF(4, 5);
void sg_diag_warn(sg_diag *diag, sg_span span, const char *fmt, ...) SG_PRINTF(3, 4);
/* The same for what must not be missed one by one, such as an op left out: the cap neither hides it
 * nor counts it. */
void sg_diag_warn_uncapped(sg_diag *diag, sg_span span, const char *fmt, ...) SG_PRINTF(3, 4);
/* A note belongs to the error or warning before it. A note without a place is allowed. */
void sg_diag_note(sg_diag *diag, sg_span span, const char *fmt, ...) SG_PRINTF(3, 4);

/* Words a syntax error: the text of span, shortened if it is long, or its end, where one of the
 * choices was expected. choices: as a user would say them, count of them, at least one. */
bool sg_diag_unexpected(sg_diag *diag, sg_span span, bool is_end, const char *const *choices,
                        int count);

/* Exit code for all errors so far: 70 beats 3 beats 5 beats 2 beats 4 beats 1; 0 without errors. */
sg_exit sg_diag_exit(const sg_diag *diag);

/* The message of an entry with the names of its ops in front if its place does not tell. */
void sg_diag_message(const sg_diag_entry *entry, sg_buf *out);
/* The name of an op, or which op of its call it is. */
void sg_subject_name(const sg_subject *subject, sg_buf *out);
/* "error", "warning" or "note". */
const char *sg_severity_word(sg_severity severity);

#endif
