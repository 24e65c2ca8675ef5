/* Compares a file with the text that would be written. Writes nothing. */
#include "driver/stale.h"

#include <errno.h>
#include <string.h>

#include "base/file.h"
#include "base/source.h"

/* One line of a diff; a text that has no such line gives none. */
static void diff_line(sg_buf *diff, char sign, const sg_source *source, size_t line)
{
    bool behind =
        line > source->nlines || (line == source->nlines && source->lines[line - 1] == source->len);
    if (behind) {
        return;
    }
    size_t begin = source->lines[line - 1];
    size_t end = line < source->nlines ? source->lines[line] : source->len;
    sg_buf_addc(diff, sign);
    sg_buf_add(diff, source->text + begin, end - begin);
    if (end == begin || source->text[end - 1] != '\n') {
        sg_buf_addz(diff, "\n\\ No newline at end of file\n");
    }
}

/* The 1-based line in which the texts differ first. */
static size_t first_difference(const sg_source *a, const sg_source *b)
{
    size_t at = 0;
    size_t line = 1;
    while (at < a->len && at < b->len && a->text[at] == b->text[at]) {
        line += a->text[at] == '\n';
        at++;
    }
    return line;
}

bool sg_stale_check(sg_arena *arena, sg_diag *diag, const char *path, sg_span span, sg_str bytes,
                    sg_buf *diff)
{
    sg_buf now = {0};
    if (!sg_file_read(path, &now)) {
        int error = errno;
        sg_buf_free(&now);
        if (error == ENOENT) {
            return sg_diag_fail(diag, SG_EXIT_STALE, span, "'%s' does not exist", path);
        }
        return sg_diag_fail(diag, SG_EXIT_IO, span, "cannot read '%s': %s", path, strerror(error));
    }
    if (now.len == bytes.len && (now.len == 0 || memcmp(now.ptr, bytes.ptr, now.len) == 0)) {
        sg_buf_free(&now);
        return true;
    }
    const sg_source *old = sg_source_new(arena, path, now.len > 0 ? now.ptr : "", now.len);
    sg_buf_free(&now);
    const sg_source *fresh = sg_source_new(arena, path, bytes.len > 0 ? bytes.ptr : "", bytes.len);
    size_t line = first_difference(old, fresh);
    sg_buf_printf(diff, "--- %s\n+++ %s (as generated)\n@@ -%zu +%zu @@\n", path, path, line, line);
    diff_line(diff, '-', old, line);
    diff_line(diff, '+', fresh, line);
    return sg_diag_fail(diag, SG_EXIT_STALE, span, "'%s' is stale from line %zu on", path, line);
}
