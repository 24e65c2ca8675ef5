/* Diagnostics: errors, warnings and notes with a source position, collected in order and rendered
 * at the end as text (with excerpt and caret) or JSON. Nothing is printed while
 * collecting, so the driver decides where the text goes, and tests can inspect the entries. */
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

/* The op that a diagnostic is about, for positions that do not identify it. */
typedef struct sg_caller {
    sg_span span;
    const char *text; /* "called from here" */
} sg_caller;

typedef struct sg_subject {
    const char *name; /* of the op; NULL until known, which may be after the diagnostic */
    int64_t turn;     /* the number of the op among those of its call, from 1; 0: unknown */
    bool is_no_op;    /* not an op, but the call that makes ops: only its callers count */
    bool unclear; /* several ops have its position, or it is in a helper, so messages name the op */
    const sg_caller *callers; /* innermost first; become notes after every error */
    size_t ncallers;
} sg_subject;

/* The ops that got the same message at the same place, in the order of the errors. */
typedef struct sg_diag_about {
    const sg_subject *subject;
    struct sg_diag_about *next;
} sg_diag_about;

typedef struct sg_diag_entry {
    sg_severity severity;
    sg_exit exit;              /* the exit code for this error; SG_EXIT_OK for warnings and notes */
    sg_span span;              /* span.source NULL: printed as "splitgen: error: ..." */
    const char *rule;          /* such as "lengths"; NULL: a note on the entry before it */
    const sg_subject *subject; /* the subject at the time, an op or not */
    sg_diag_about *about;      /* NULL: not about an op */
    sg_diag_about *last_about;
    const char *message; /* lower case, no full stop, one line; control bytes in quoted user text
                            are escaped when it is rendered */
    struct sg_diag_entry *next;
    struct sg_diag_entry *next_hashed; /* in the same bucket */
} sg_diag_entry;

typedef struct sg_diag {
    sg_arena *arena; /* owns entries and messages */
    sg_diag_entry *first;
    sg_diag_entry *last;
    sg_diag_entry *checked;  /* the last error or warning; its notes follow */
    sg_diag_entry **buckets; /* errors and warnings hashed by place and message; NULL: none yet */
    size_t errors;           /* number of calls, including duplicates and errors beyond the cap */
    size_t warnings;
    size_t kept_errors;   /* number of entries */
    size_t kept_warnings; /* the same, except warnings to which no cap applies */
    size_t hidden_errors; /* beyond the cap */
    size_t hidden_warnings;
    size_t max_errors;   /* cap on entries, 20 by default; later ones are only counted; 0: no cap */
    size_t max_warnings; /* the same, 100 by default */
    sg_exit worst;       /* the result of sg_diag_exit; every error counts */
    bool muted;          /* the last error or warning was dropped, so its notes are dropped too */
    const char *rule;    /* the rule that is being checked, see sg_diag_set_rule */
    const sg_subject *subject; /* the op that is being checked, or NULL */
} sg_diag;

#if defined(__GNUC__)
#define SG_PRINTF(f, a) __attribute__((format(printf, f, a)))
#define SG_CHECK        __attribute__((warn_unused_result))
#else
#define SG_PRINTF(f, a)
#define SG_CHECK
#endif

/* Returns false if x is false. Functions that can fail return bool; false means "already
 * reported". */
#define SG_TRY(x)                                                                                  \
    do {                                                                                           \
        if (!(x)) {                                                                                \
            return false;                                                                          \
        }                                                                                          \
    } while (0)

void sg_diag_init(sg_diag *diag, sg_arena *arena);

/* Sets the op that the following errors and warnings are about; NULL: none. */
void sg_diag_set_subject(sg_diag *diag, const sg_subject *subject);
/* Sets the rule that is being checked. Errors with an exit code of their own have the rules
 * "usage", "io", "stale", "budget" and "bug". Returns the previous rule. */
const char *sg_diag_set_rule(sg_diag *diag, const char *rule);

/* An error or warning with the same position, message and callers as an earlier one is dropped with
 * its notes; its op is added to the earlier one. */

/* Reports an error in the input (exit 1). Always returns false, so callers can `return
 * sg_diag_error(...)`. */
bool sg_diag_error(sg_diag *diag, sg_span span, const char *fmt, ...) SG_PRINTF(3, 4);
/* The same with another exit code. */
bool sg_diag_fail(sg_diag *diag, sg_exit exit, sg_span span, const char *fmt, ...) SG_PRINTF(4, 5);
void sg_diag_warn(sg_diag *diag, sg_span span, const char *fmt, ...) SG_PRINTF(3, 4);
/* A warning that must always be shown, such as for an op that is left out: the cap neither hides
 * nor counts it. */
void sg_diag_warn_uncapped(sg_diag *diag, sg_span span, const char *fmt, ...) SG_PRINTF(3, 4);
/* A note belongs to the error or warning before it. It may have no position. */
void sg_diag_note(sg_diag *diag, sg_span span, const char *fmt, ...) SG_PRINTF(3, 4);

/* A note about legal input that belongs to no error or warning. -Werror does not change it. */
void sg_diag_remark(sg_diag *diag, sg_span span, const char *fmt, ...) SG_PRINTF(3, 4);

/* Reports a syntax error: one of the choices was expected at the span, whose text is shortened if
 * it is long, or at its end. choices: at least one, worded for the user. */
bool sg_diag_unexpected(sg_diag *diag, sg_span span, bool is_end, const char *const *choices,
                        int count);

/* Exit code for all errors so far: 70 beats 3 beats 5 beats 2 beats 4 beats 1; 0 without errors. */
sg_exit sg_diag_exit(const sg_diag *diag);

/* The message of an entry; if its position does not identify its ops, their names come first. */
void sg_diag_message(const sg_diag_entry *entry, sg_buf *out);
/* "error", "warning" or "note". */
const char *sg_severity_word(sg_severity severity);

#endif
