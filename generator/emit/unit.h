/* What is printed: all kernels of one run, and what is said about them all. */
#ifndef SG_EMIT_UNIT_H
#define SG_EMIT_UNIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/file.h"
#include "placement/placement.h"
#include "plan/plan.h"

/* A text that templates find as unit.name, and that means something to them alone. */
typedef struct sg_unit_text {
    const char *name;
    const char *text;
} sg_unit_text;

/* When a vector body is chosen. */
typedef enum sg_dispatch { SG_DISPATCH_RUNTIME, SG_DISPATCH_STATIC } sg_dispatch;

/* What models have besides, of which no op was made. */
typedef struct sg_left_out {
    int64_t count;
    const char *what;   /* "Split and VariadicSplit nodes (2)" */
    const char *option; /* with which ops are made of it, too: "--ops=split,slice" */
} sg_left_out;

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
    const sg_file_list *files;      /* that were read, all with their SHA-256; NULL: none */
    const sg_placement *placements; /* of the graphs of models; NULL: nobody asks */
    int64_t nplacements;
    sg_left_out left_out;
    bool no_memcpy; /* of all plans */
    bool may_fuse;  /* --fuse is given */
    sg_dispatch dispatch;
} sg_unit;

#endif
