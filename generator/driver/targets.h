/* Which kind of output goes where: -o, --header, --emit and --check as a list of paths. Looks at
 * the file system only to tell a folder from a file; writes nothing. */
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
    const char *suffix; /* behind the stem of a file's name */
    const char *template_name;
    bool header; /* is the header, or includes it by its name */
    const char *what;
} sg_kind_info;

const sg_kind_info *sg_kind_get(sg_kind kind);

typedef struct sg_target {
    sg_kind kind;
    const char *template_name; /* NULL: the file that all modules for Python import, not printed */
    const char *path;          /* "-" is standard output */
    const char *make_dir;      /* the folder to make when it is missing, or NULL */
    sg_span span;
    int64_t shard; /* which of the C files that --shards asks for; 0 of others */
} sg_target;

typedef struct sg_targets {
    sg_target *items;
    int64_t count;      /* at least 1 */
    int64_t shards;     /* C files that the kernels are spread over; 0: they are in one */
    const char *stem;   /* an identifier, for names in the text */
    const char *header; /* the header's name without folders, for #include */
} sg_targets;

bool sg_targets_choose(sg_arena *arena, sg_diag *diag, const sg_options *options,
                       sg_targets *targets) SG_CHECK;

/* The name of the file that all modules for Python import. */
#define SG_ARRAYS_FILE "splitgen_arrays.py"

/* For an option that prints one text, called `asked`: -o may name a file for it, one that does not
 * end as other kinds of output do, but in `own`; options about files of generated code are errors.
 */
bool sg_targets_check_text(sg_arena *arena, sg_diag *diag, const sg_options *options,
                           const char *asked, const char *own) SG_CHECK;

/* No two outputs (targets and dependency file) may be one file, nor may one be a file read. */
bool sg_targets_distinct(sg_arena *arena, sg_diag *diag, const sg_options *options,
                         const sg_targets *targets, const sg_file_list *files) SG_CHECK;

#endif
