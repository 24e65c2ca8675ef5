/* Quotes and joins the arguments, and maps offsets in an argument to offsets in the joined line.
 * Independent of the options. */
#include "driver/command_line.h"

#include <stdbool.h>
#include <string.h>

/* The offset of byte `at` of the argument within its quoted form. */
static size_t quoted_offset(const char *text, size_t at)
{
    if (sg_shell_is_plain(text)) {
        return at;
    }
    size_t offset = 1;
    for (size_t i = 0; i < at && text[i] != '\0'; i++) {
        offset += text[i] == '\'' ? 4 : 1;
    }
    return offset;
}

void sg_command_line_init(sg_command_line *line, sg_arena *arena, int argc, const char *const *argv)
{
    sg_buf text = {0};
    line->argc = argc;
    line->argv = argv;
    line->begins = SG_NEW_ARRAY(arena, size_t, argc > 0 ? argc : 1);
    sg_buf_addz(&text, "splitgen");
    for (int i = 1; i < argc; i++) {
        sg_buf_addc(&text, ' ');
        line->begins[i] = text.len;
        sg_buf_add_shell(&text, argv[i]);
    }
    line->source = sg_source_new(arena, "<command line>", text.ptr, text.len);
    sg_buf_free(&text);
}

sg_span sg_command_line_span(const sg_command_line *line, int arg, size_t from, size_t to)
{
    size_t begin = line->begins[arg];
    return sg_span_make(line->source, begin + quoted_offset(line->argv[arg], from),
                        begin + quoted_offset(line->argv[arg], to));
}

sg_span sg_command_line_argument(const sg_command_line *line, int arg)
{
    size_t end = arg + 1 < line->argc ? line->begins[arg + 1] - 1 : line->source->len;
    return sg_span_make(line->source, line->begins[arg], end);
}

sg_span sg_command_line_end(const sg_command_line *line)
{
    return sg_span_make(line->source, line->source->len, line->source->len);
}
