/* Everything that is printed: the kernels of one run, and the data they share. */
#ifndef SG_EMIT_UNIT_H
#define SG_EMIT_UNIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/file.h"
#include "placement/placement.h"
#include "plan/plan.h"

/* A text that templates read as unit.name, and that only they interpret. */
typedef struct sg_unit_text {
    const char *name;
    const char *text;
} sg_unit_text;

/* When a vector variant is selected. */
typedef enum sg_dispatch { SG_DISPATCH_RUNTIME, SG_DISPATCH_STATIC } sg_dispatch;

/* Ops of models that were not compiled. */
typedef struct sg_left_out {
    int64_t count;
    const char *what;   /* "Split and VariadicSplit nodes (2)" */
    const char *option; /* the option that includes them: "--ops=split,slice" */
} sg_left_out;

/* All kernels of one run, which templates see. */
typedef struct sg_unit {
    const sg_plan *const *plans;
    int64_t count;
    const char *stem;    /* of the output, an identifier: header guards and file names */
    const char *prefix;  /* of every public symbol, or "" */
    const char *version; /* of splitgen */
    const char *header;  /* the name by which other generated files #include the header */
    const char *source;  /* the same of the C file */
    const sg_unit_text *texts;
    int64_t ntexts;
    const char *const *command; /* that makes the text again: its words, quoted for a shell */
    int64_t ncommand;
    const sg_file_list *files; /* the files that were read, all with their SHA-256; NULL: none */
    const sg_placement *placements; /* of the graphs of models; may be NULL */
    int64_t nplacements;
    sg_left_out left_out;
    bool no_memcpy;  /* for all plans */
    bool may_fuse;   /* --fuse is given */
    bool standalone; /* texts need no header of splitgen's */
    bool describes;  /* kernels have descriptors */
    sg_dispatch dispatch;
} sg_unit;

#endif
