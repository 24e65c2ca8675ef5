/* Source text and spans: the line table and lookups in it. Reads no files. */
#include "base/source.h"

#include <string.h>

const sg_source *sg_source_new(sg_arena *arena, const char *name, const char *text, size_t len)
{
    sg_source *source = SG_NEW(arena, sg_source);
    source->name = sg_arena_strdup(arena, name);
    source->text = sg_arena_strndup(arena, text, len);
    source->len = len;
    source->nlines = 1;
    for (size_t i = 0; i < len; i++) {
        source->nlines += text[i] == '\n';
    }
    source->lines = SG_NEW_ARRAY(arena, size_t, source->nlines);
    size_t line = 1;
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '\n') {
            source->lines[line++] = i + 1;
        }
    }
    return source;
}

sg_source *sg_source_binary(sg_arena *arena, const char *name, size_t size)
{
    sg_source *source = SG_NEW(arena, sg_source);
    source->name = sg_arena_strdup(arena, name);
    source->text = "";
    source->len = size;
    source->lines = SG_NEW(arena, size_t);
    source->nlines = 1;
    source->binary = true;
    return source;
}

sg_span sg_span_make(const sg_source *source, size_t begin, size_t end)
{
    if (!source) {
        return sg_span_none();
    }
    if (begin > source->len) {
        begin = source->len;
    }
    if (end > source->len) {
        end = source->len;
    }
    return (sg_span){source, begin, end < begin ? begin : end};
}

sg_span sg_span_none(void)
{
    return (sg_span){NULL, 0, 0};
}

sg_str sg_source_line(const sg_source *source, size_t line)
{
    if (source->binary) {
        return (sg_str){source->text, 0};
    }
    if (line == 0 || line > source->nlines) {
        return (sg_str){source->text + source->len, 0};
    }
    size_t begin = source->lines[line - 1];
    size_t end = source->len;
    if (line < source->nlines) {
        end = source->lines[line] - 1;
        if (end > begin && source->text[end - 1] == '\r') {
            end--;
        }
    }
    return (sg_str){source->text + begin, end - begin};
}

sg_span sg_source_line_span(const sg_source *source, size_t line)
{
    if (line == 0) {
        return (sg_span){source, 0, 0};
    }
    sg_str text = sg_source_line(source, line);
    size_t begin = (size_t)(text.ptr - source->text);
    size_t end = begin + text.len;
    while (begin < end && sg_is_space((unsigned char)source->text[begin])) {
        begin++;
    }
    while (end > begin && sg_is_space((unsigned char)source->text[end - 1])) {
        end--;
    }
    return (sg_span){source, begin, end};
}

void sg_source_locate(const sg_source *source, size_t offset, size_t *line, size_t *column)
{
    if (offset > source->len) {
        offset = source->len;
    }
    size_t low = 0;
    size_t high = source->nlines;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (source->lines[middle] <= offset) {
            low = middle;
        } else {
            high = middle;
        }
    }
    *line = low + 1;
    *column = offset - source->lines[low] + 1;
}

sg_str sg_span_text(sg_span span)
{
    if (!span.source || span.source->binary) {
        return (sg_str){"", 0};
    }
    sg_span inside = sg_span_make(span.source, span.begin, span.end);
    return (sg_str){inside.source->text + inside.begin, inside.end - inside.begin};
}
