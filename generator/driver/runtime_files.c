/* Writes the files that are embedded in the tool. */
#include "driver/runtime_files.h"

#include <string.h>

#include "base/file.h"
#include "driver/deliver.h"
#include "standalone/headers.h"

bool sg_runtime_wanted(const sg_options *options)
{
    return (options->values[SG_OPT_EMIT].number >> SG_EMIT_RUNTIME & 1) != 0;
}

/* No other kind of output, no input, and a folder. */
static bool check(sg_diag *diag, const sg_options *options, sg_option_id place)
{
    const sg_span span = sg_options_span(options, SG_OPT_EMIT);
    const char *path = sg_options_text(options, place);
    if (options->values[SG_OPT_EMIT].number != INT64_C(1) << SG_EMIT_RUNTIME) {
        return sg_diag_fail(diag, SG_EXIT_USAGE, span,
                            "'--emit=runtime' writes a folder of its own; give it alone, in "
                            "another call");
    }
    if (options->ninputs > 0) {
        return sg_diag_fail(diag, SG_EXIT_USAGE, options->inputs[0].span,
                            "'--emit=runtime' reads no input, as these files are the same for all "
                            "kernels; leave out '%s'",
                            options->inputs[0].text);
    }
    return (path != NULL && strcmp(path, "-") != 0) ||
           sg_diag_fail(diag, SG_EXIT_USAGE, span,
                        "'--emit=runtime' writes several files; name a folder with '-o'");
}

bool sg_runtime_write(sg_arena *arena, sg_diag *diag, const sg_options *options)
{
    const sg_option_id place = sg_options_has(options, SG_OPT_CHECK) ? SG_OPT_CHECK : SG_OPT_OUTPUT;
    SG_TRY(check(diag, options, place));
    const sg_file_list none = {0};
    const char *dir = sg_arena_printf(arena, "%s/", sg_options_text(options, place));
    const char *headers = sg_path_join(arena, dir, "splitgen/");
    sg_target *items = SG_NEW_ARRAY(arena, sg_target, sg_header_count);
    sg_buf *texts = SG_NEW_ARRAY(arena, sg_buf, sg_header_count);
    sg_targets targets = {.items = items, .stem = "runtime", .header = ""};
    for (int is_header = 0; is_header < 2; is_header++) { /* the outer folder is made first */
        for (size_t i = 0; i < sg_header_count; i++) {
            const bool is_source = sg_header_is_source(&sg_headers[i]);
            if (is_source == (is_header != 0)) {
                continue;
            }
            const char *folder = is_source ? dir : headers;
            sg_buf_add(&texts[targets.count], sg_headers[i].text, sg_headers[i].len);
            items[targets.count++] =
                (sg_target){.template_name = "",
                            .path = sg_path_join(arena, folder, sg_headers[i].name),
                            .make_dir = folder,
                            .span = sg_options_span(options, place)};
        }
    }
    const bool ok = sg_deliver(arena, diag, options, &targets, texts, &none);
    for (int64_t i = 0; i < targets.count; i++) {
        sg_buf_free(&texts[i]);
    }
    return ok;
}
