/* Passes texts to output.c or stale.c, and adds the dependency file. Generates no other text. */
#include "driver/deliver.h"

#include <string.h>

#include "driver/depfile.h"
#include "driver/output.h"
#include "driver/stale.h"

static sg_str str_of(const sg_buf *buf)
{
    return (sg_str){buf->ptr != NULL ? buf->ptr : "", buf->len};
}

/* The targets that the dependency file names, at least one. The file that all Python modules import
 * is not a target: it depends on no input, and two build rules must not make the same file. */
static bool depfile_targets(sg_diag *diag, const sg_options *options, const sg_targets *targets,
                            const char **names, size_t *count)
{
    const char *given = sg_options_text(options, SG_OPT_DEPFILE_TARGET);
    *count = 0;
    if (given != NULL) {
        names[(*count)++] = sg_path_with_slashes(diag->arena, given);
        return true;
    }
    for (int64_t i = 0; i < targets->count; i++) {
        if (strcmp(targets->items[i].path, "-") != 0 && targets->items[i].template_name != NULL) {
            names[(*count)++] = sg_path_with_slashes(diag->arena, targets->items[i].path);
        }
    }
    return *count > 0 || sg_diag_fail(diag, SG_EXIT_USAGE, sg_options_span(options, SG_OPT_DEPFILE),
                                      "'--depfile' needs '-o' or '--depfile-target'");
}

/* Reports the first name that a dependency file cannot represent. */
static bool check_names(sg_diag *diag, sg_span span, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *problem = sg_depfile_problem(names[i]);
        if (problem != NULL) {
            return sg_diag_fail(diag, SG_EXIT_IO, span,
                                "a dependency file cannot name '%s': make and ninja agree on no "
                                "spelling of %s; give the file another name",
                                names[i], problem);
        }
    }
    return true;
}

/* The prerequisites in the dependency file: the files that were read. */
static const char *const *depfile_files(sg_arena *arena, const sg_file_list *files, size_t *count)
{
    const char **paths = SG_NEW_ARRAY(arena, const char *, files->count);
    *count = 0;
    for (size_t i = 0; i < files->count; i++) {
        if (!sg_file_is_standard(files->items[i].path)) {
            paths[(*count)++] = sg_path_with_slashes(arena, files->items[i].path);
        }
    }
    return paths;
}

static bool make_depfile(sg_arena *arena, sg_diag *diag, const sg_options *options,
                         const sg_targets *targets, const sg_file_list *files, sg_buf *out)
{
    const char **names = SG_NEW_ARRAY(arena, const char *, targets->count + 1);
    size_t count;
    SG_TRY(depfile_targets(diag, options, targets, names, &count));
    sg_span span = sg_options_span(options, SG_OPT_DEPFILE);
    SG_TRY(check_names(diag, span, names, count));
    size_t nread;
    const char *const *read = depfile_files(arena, files, &nread);
    SG_TRY(check_names(diag, span, read, nread));
    return sg_depfile_render(out, names, count, read, nread, sg_options_has(options, SG_OPT_PHONY));
}

static bool write_all(sg_arena *arena, sg_diag *diag, const sg_options *options,
                      const sg_targets *targets, const sg_buf *texts, const sg_buf *depfile)
{
    sg_output_file *outputs = SG_NEW_ARRAY(arena, sg_output_file, targets->count + 1);
    int64_t count = 0;
    for (; count < targets->count; count++) {
        const sg_target *t = &targets->items[count];
        outputs[count] = (sg_output_file){.path = t->path,
                                          .make_dir = t->make_dir,
                                          .bytes = str_of(&texts[count]),
                                          .span = t->span};
    }
    if (sg_options_has(options, SG_OPT_DEPFILE)) {
        outputs[count++] = (sg_output_file){.path = sg_options_text(options, SG_OPT_DEPFILE),
                                            .bytes = str_of(depfile),
                                            .span = sg_options_span(options, SG_OPT_DEPFILE)};
    }
    return sg_output_write(arena, diag, outputs, count);
}

/* Compares every file, and prints each difference to standard output. */
static bool check_all(sg_arena *arena, sg_diag *diag, const sg_options *options,
                      const sg_targets *targets, const sg_buf *texts, const sg_file_list *files)
{
    sg_buf diff = {0};
    bool ok = true;
    for (int64_t i = 0; i < targets->count; i++) {
        const sg_target *t = &targets->items[i];
        ok = sg_stale_check(arena, diag, t->path, t->span, str_of(&texts[i]), files, &diff) && ok;
    }
    if (diff.len > 0) {
        ok = sg_output_print(arena, diag, str_of(&diff), sg_options_span(options, SG_OPT_CHECK)) &&
             ok;
    }
    sg_buf_free(&diff);
    return ok;
}

bool sg_deliver_text(sg_arena *arena, sg_diag *diag, const sg_options *options, sg_option_id asked,
                     const sg_buf *text, const sg_file_list *files)
{
    const char *path = sg_options_text(options, SG_OPT_OUTPUT);
    if (path == NULL || strcmp(path, "-") == 0) {
        return sg_output_print(arena, diag, str_of(text), sg_options_span(options, asked));
    }
    const sg_span span = sg_options_span(options, SG_OPT_OUTPUT);
    sg_target target = {.path = path, .span = span};
    const sg_targets targets = {.items = &target, .count = 1};
    const sg_output_file file = {.path = path, .bytes = str_of(text), .span = span};
    return sg_targets_distinct(arena, diag, options, &targets, files) &&
           sg_output_write(arena, diag, &file, 1);
}

bool sg_deliver(sg_arena *arena, sg_diag *diag, const sg_options *options,
                const sg_targets *targets, const sg_buf *texts, const sg_file_list *files)
{
    if (sg_options_has(options, SG_OPT_CHECK)) {
        return check_all(arena, diag, options, targets, texts, files);
    }
    sg_buf depfile = {0};
    bool ok = sg_targets_distinct(arena, diag, options, targets, files) &&
              (!sg_options_has(options, SG_OPT_DEPFILE) ||
               make_depfile(arena, diag, options, targets, files, &depfile)) &&
              write_all(arena, diag, options, targets, texts, &depfile);
    sg_buf_free(&depfile);
    return ok;
}
