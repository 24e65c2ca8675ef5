/* Turns plans into text through the templates. Knows no options, opens no output files, decides
 * nothing: a template that would need a decision shows that the plan lacks a field. */
#ifndef SG_EMIT_EMIT_H
#define SG_EMIT_EMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/text.h"
#include "plan/plan.h"

/* A text that templates find as unit.name, and that means something to them alone. */
typedef struct sg_unit_text {
    const char *name;
    const char *text;
} sg_unit_text;

/* When a vector body is chosen. */
typedef enum sg_dispatch { SG_DISPATCH_RUNTIME, SG_DISPATCH_STATIC } sg_dispatch;

/* All kernels of one run; what the templates see. */
typedef struct sg_unit {
    const sg_plan *const *plans;
    int64_t count;
    const char *stem;    /* of the output, an identifier: header guards and file names */
    const char *prefix;  /* of every public symbol, or "" */
    const char *version; /* of splitgen */
    const char *header;  /* name the other generated files use to #include the header */
    const sg_unit_text *texts;
    int64_t ntexts;
    const char *const *command; /* that makes the text again: its words, quoted for a shell */
    int64_t ncommand;
    const sg_file_list *files; /* that were read, all with their SHA-256; NULL: none */
    bool no_memcpy;            /* of all plans */
    sg_dispatch dispatch;
} sg_unit;

/* Told of every line of a template, 1-based, that runs, and of every field that is read, by its
 * places in sg_types of fields.h: for tests that ask which never are. NULL: nobody asks. */
typedef struct sg_emit_watch {
    void (*line)(void *user, const char *template_name, size_t line);
    void (*field)(void *user, size_t type, size_t field);
    void *user;
} sg_emit_watch;

typedef struct sg_emit_options {
    const char *template_dir; /* user's templates, looked up by file name first; NULL: none */
    sg_file_list *files;      /* receives the paths of those that were read; NULL: nobody asks */
    sg_emit_watch watch;
} sg_emit_options;

/* Renders one template ("kernel.c.tmpl") over the unit, appending to out. False: reported with
 * the template's own file and line. */
bool sg_emit(sg_arena *arena, sg_diag *diag, const sg_emit_options *options,
             const char *template_name, const sg_unit *unit, sg_buf *out) SG_CHECK;

/* The built-in templates, by name; NULL when there is none of that name. */
const char *sg_emit_builtin(const char *template_name, size_t *len);
const char *const *sg_emit_builtin_names(size_t *count);

#endif
