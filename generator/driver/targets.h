/* The paths of all outputs, from -o, --header, --emit and --check. The file system is only used to
 * distinguish folders from files; nothing is written. */
#ifndef SG_DRIVER_TARGETS_H
#define SG_DRIVER_TARGETS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "driver/options.h"

typedef struct sg_kind_info {
    const char *word;   /* for --emit */
    const char *suffix; /* appended to the stem of a file name */
    const char *template_name;
    bool header; /* it is the header, or includes it by its name */
    const char *what;
} sg_kind_info;

const sg_kind_info *sg_kind_get(sg_kind kind);

typedef struct sg_target {
    sg_kind kind;
    /* NULL: the file that all Python modules import, which is not a template */
    const char *template_name;
    const char *path;     /* "-" is standard output */
    const char *make_dir; /* a folder to create if it is missing, or NULL */
    sg_span span;
    int64_t shard; /* index of the C file, with --shards; otherwise 0 */
} sg_target;

typedef struct sg_targets {
    sg_target *items;
    int64_t count;      /* at least 1 */
    int64_t shards;     /* number of C files for the kernels; 0: a single one */
    const char *stem;   /* an identifier, for names in the text */
    const char *header; /* the header's name without folders, for #include */
    const char *source; /* the same of the C file */
} sg_targets;

bool sg_targets_choose(sg_arena *arena, sg_diag *diag, const sg_options *options,
                       sg_targets *targets) SG_CHECK;

/* The file that all Python modules import. */
#define SG_ARRAYS_FILE "splitgen_arrays.py"

/* For an option that prints a single text, called `asked`. -o may name a file for it, whose
 * extension must not belong to another kind of output, unless it is `own`. Options about files of
 * generated code are errors. */
bool sg_targets_check_text(sg_arena *arena, sg_diag *diag, const sg_options *options,
                           const char *asked, const char *own) SG_CHECK;

/* Checks that no two outputs (targets and dependency file) are the same file, and that no output is
 * a file that was read. */
bool sg_targets_distinct(sg_arena *arena, sg_diag *diag, const sg_options *options,
                         const sg_targets *targets, const sg_file_list *files) SG_CHECK;

#endif
