/* Converts template text to Lua source. Knows the three rules of the language, and of Lua only how
 * an expression ends. */
#include "emit/template.h"

#include <string.h>

/* A piece of a text line: literal text, or an expression. Offsets into the line. */
typedef struct piece {
    bool is_expr;
    size_t begin; /* of the text, or of "${" */
    size_t end;   /* after the text, or after "}" */
} piece;

/* Iterates over the pieces of a text line. "$$" is a literal piece that stands for its second
 * character only. */
typedef struct walker {
    sg_str line;
    size_t at;
} walker;

static bool is_lua_line(sg_str line, size_t *code)
{
    size_t i = 0;
    while (i < line.len && (line.ptr[i] == ' ' || line.ptr[i] == '\t')) {
        ++i;
    }
    if (i == line.len || line.ptr[i] != '$') {
        return false;
    }
    *code = i + 1;
    return i + 1 == line.len || line.ptr[i + 1] == ' ';
}

/* The offset of the '}' that ends the expression after "${", or line.len. Braces nest; those inside
 * quotes do not count. */
static size_t expr_end(sg_str line, size_t at)
{
    size_t depth = 0;
    char quote = '\0';
    for (; at < line.len; ++at) {
        const char c = line.ptr[at];
        if (quote != '\0') {
            if (c == '\\') {
                ++at;
            } else if (c == quote) {
                quote = '\0';
            }
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '{') {
            ++depth;
        } else if (c == '}') {
            if (depth == 0) {
                return at;
            }
            --depth;
        }
    }
    return line.len;
}

/* False at the end of the line. An unclosed expression ends past the line. */
static bool next_piece(walker *w, piece *out)
{
    const sg_str line = w->line;
    if (w->at >= line.len) {
        return false;
    }
    *out = (piece){false, w->at, w->at};
    while (out->end < line.len) {
        const size_t i = out->end;
        const char behind = i + 1 < line.len ? line.ptr[i + 1] : '\0';
        if (line.ptr[i] == '$' && behind == '$') {
            /* The text includes the first dollar; the second is skipped. */
            out->end = i + 1;
            w->at = i + 2;
            return true;
        }
        if (line.ptr[i] == '$' && behind == '{') {
            if (i > out->begin) {
                break;
            }
            out->is_expr = true;
            out->end = expr_end(line, i + 2) + 1;
            break;
        }
        ++out->end;
    }
    w->at = out->end;
    return true;
}

static sg_str piece_text(sg_str line, piece p)
{
    return p.is_expr ? (sg_str){line.ptr + p.begin + 2, p.end - p.begin - 3}
                     : (sg_str){line.ptr + p.begin, p.end - p.begin};
}

static void add_quoted(sg_buf *lua, sg_str text)
{
    for (size_t i = 0; i < text.len; ++i) {
        const unsigned char c = (unsigned char)text.ptr[i];
        if (c == '"' || c == '\\') {
            sg_buf_addc(lua, '\\');
            sg_buf_addc(lua, (char)c);
        } else if (c < 0x20) {
            sg_buf_printf(lua, "\\%03u", (unsigned)c);
        } else {
            sg_buf_addc(lua, (char)c);
        }
    }
}

static bool compile_text(sg_diag *diag, const sg_source *source, sg_str line, bool ends,
                         sg_buf *lua)
{
    const size_t base = (size_t)(line.ptr - source->text);
    walker w = {line, 0};
    piece p;
    sg_buf_addz(lua, "_emit(\"");
    while (next_piece(&w, &p)) {
        if (!p.is_expr) {
            add_quoted(lua, piece_text(line, p));
            continue;
        }
        if (p.end > line.len) {
            return sg_diag_fail(diag, SG_EXIT_BUG,
                                sg_span_make(source, base + p.begin, base + line.len),
                                "'${' is not closed on this line");
        }
        const sg_str expr = piece_text(line, p);
        sg_buf_addz(lua, "\", (");
        sg_buf_add(lua, expr.ptr, expr.len);
        sg_buf_addz(lua, "), \"");
    }
    sg_buf_addz(lua, ends ? "\\n\")" : "\")");
    return true;
}

bool sg_template_compile(sg_diag *diag, const sg_source *source, sg_buf *lua)
{
    sg_buf_addz(lua, "local _emit = ...; ");
    for (size_t number = 1; number <= source->nlines; ++number) {
        const sg_str line = sg_source_line(source, number);
        const bool last = number == source->nlines;
        size_t code = 0;
        if (is_lua_line(line, &code)) {
            sg_buf_add(lua, line.ptr + code, line.len - code);
        } else if (!last || line.len > 0) {
            SG_TRY(compile_text(diag, source, line, !last, lua));
        }
        sg_buf_addc(lua, '\n');
    }
    return true;
}
