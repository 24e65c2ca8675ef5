/* Diagnostics as text: position, message, the source line and a caret below it. Control bytes of
 * user text are escaped for the terminal. */
#include "base/diag_render.h"

/* Lines up to LINE_MAX_BYTES are shown completely, longer ones as WINDOW_BYTES around the span. */
#define LINE_MAX_BYTES 160
#define WINDOW_BYTES   140
#define WINDOW_BEFORE  50
#define ELLIPSIS       "..."
#define TAB_WIDTH      8

static const char bold[] = "\033[01m";
static const char reset[] = "\033[m";

static const char *severity_color(sg_severity severity)
{
    switch (severity) {
    case SG_ERROR:
        return "\033[01;31m";
    case SG_WARNING:
        return "\033[01;35m";
    case SG_NOTE:
        break;
    }
    return "\033[01;36m";
}

static void paint(sg_buf *out, sg_color color, const char *code)
{
    if (color == SG_COLOR_ALWAYS) {
        sg_buf_addz(out, code);
    }
}

static void pad(sg_buf *out, char c, size_t n)
{
    while (n-- > 0) {
        sg_buf_addc(out, c);
    }
}

/* A source line and the line of carets below it, built together. column is the screen column in
 * both; only tabs need it. */
typedef struct excerpt {
    sg_buf text;
    sg_buf marks;
    size_t column;
    bool marked; /* the caret has been printed */
} excerpt;

typedef enum side { BEFORE_SPAN, INSIDE_SPAN, BEHIND_SPAN } side;

/* Nothing is printed after the span, so the line of carets has no trailing blanks. A span whose
 * characters take no column gets its caret at its end. */
static void put_mark(excerpt *view, side where, size_t columns)
{
    if (where == BEFORE_SPAN) {
        pad(&view->marks, ' ', columns);
        return;
    }
    if (!view->marked && (columns > 0 || where == BEHIND_SPAN)) {
        sg_buf_addc(&view->marks, '^');
        view->marked = true;
        columns -= columns > 0;
    }
    if (where == INSIDE_SPAN) {
        pad(&view->marks, '~', columns);
    }
}

/* A tab is printed as a tab in both lines, so they are aligned for any tab width. Only if a caret
 * replaces a tab of one column there is no room for the tab. */
static void put_tab(excerpt *view, side where)
{
    size_t columns = TAB_WIDTH - view->column % TAB_WIDTH;
    bool caret = where != BEFORE_SPAN && !view->marked;
    sg_buf_addc(&view->text, '\t');
    if (caret) {
        put_mark(view, where, 1);
    }
    if (where != BEHIND_SPAN && (!caret || columns > 1)) {
        sg_buf_addc(&view->marks, '\t');
    }
    view->column += columns;
}

static bool is_continuation(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

/* Chooses the bytes [*from, *to) of a line to show. from is at a character boundary; a character
 * cut by `to` is shown completely. */
static void choose_window(sg_str line, size_t begin, size_t *from, size_t *to)
{
    *from = 0;
    *to = line.len;
    if (line.len <= LINE_MAX_BYTES) {
        return;
    }
    if (begin > WINDOW_BEFORE) {
        *from = begin - WINDOW_BEFORE;
    }
    if (*from > line.len - WINDOW_BYTES) {
        *from = line.len - WINDOW_BYTES;
    }
    *to = *from + WINDOW_BYTES;
    /* at most three steps: more continuation bytes are not UTF-8 */
    for (int i = 0; i < 3 && *from > 0 && is_continuation(line.ptr[*from]); i++) {
        --*from;
    }
}

/* On which side of the bytes [begin, end) the character at [at, next) is. A span that begins or
 * ends inside a character marks all of it. */
static side side_of(size_t at, size_t next, size_t begin, size_t end)
{
    if (next <= begin) {
        return BEFORE_SPAN;
    }
    return at < end ? INSIDE_SPAN : BEHIND_SPAN;
}

/* Marks bytes [begin, end) of a line; both may be beyond its end. gutter: columns before the
 * line. */
static void build_excerpt(excerpt *view, sg_str line, size_t begin, size_t end, size_t gutter)
{
    size_t from;
    size_t to;
    choose_window(line, begin, &from, &to);
    view->column = gutter;
    if (from > 0) {
        sg_buf_addz(&view->text, ELLIPSIS);
        put_mark(view, BEFORE_SPAN, sizeof ELLIPSIS - 1);
        view->column += sizeof ELLIPSIS - 1;
    }
    size_t i = from;
    while (i < to) {
        if (line.ptr[i] == '\t') {
            put_tab(view, side_of(i, i + 1, begin, end));
            i++;
            continue;
        }
        size_t columns;
        size_t used = sg_buf_add_visible_char(&view->text, line.ptr + i, line.len - i, &columns);
        put_mark(view, side_of(i, i + used, begin, end), columns);
        view->column += columns;
        i += used;
    }
    if (i < line.len) {
        sg_buf_addz(&view->text, ELLIPSIS);
        put_mark(view, end > i ? INSIDE_SPAN : BEHIND_SPAN, sizeof ELLIPSIS - 1);
    }
    put_mark(view, BEHIND_SPAN, 0);
}

static void add_excerpt(sg_buf *out, sg_color color, sg_severity severity, sg_span span,
                        size_t line_number, size_t column)
{
    sg_str line = sg_source_line(span.source, line_number);
    size_t begin = column - 1;
    size_t end = begin + (span.end - span.begin);
    size_t start = out->len;
    sg_buf_printf(out, "%5zu | ", line_number);
    size_t gutter = out->len - start;
    excerpt view = {0};
    build_excerpt(&view, line, begin, end, gutter);
    sg_buf_add(out, view.text.ptr, view.text.len);
    sg_buf_addc(out, '\n');
    pad(out, ' ', gutter - 2);
    sg_buf_addz(out, "| ");
    size_t blank = 0;
    while (view.marks.ptr[blank] == ' ' || view.marks.ptr[blank] == '\t') {
        blank++;
    }
    sg_buf_add(out, view.marks.ptr, blank);
    paint(out, color, severity_color(severity));
    sg_buf_add(out, view.marks.ptr + blank, view.marks.len - blank);
    paint(out, color, reset);
    sg_buf_addc(out, '\n');
    sg_buf_free(&view.text);
    sg_buf_free(&view.marks);
}

static void add_place(sg_buf *out, sg_color color, const char *name, size_t line, size_t column)
{
    paint(out, color, bold);
    sg_buf_add_visiblez(out, name);
    if (line) {
        sg_buf_printf(out, ":%zu:%zu", line, column);
    }
    sg_buf_addc(out, ':');
    paint(out, color, reset);
    sg_buf_addc(out, ' ');
}

static void add_offset(sg_buf *out, sg_color color, sg_span span)
{
    paint(out, color, bold);
    sg_buf_add_visiblez(out, span.source->name);
    sg_buf_printf(out, ": byte %zu:", span.begin);
    paint(out, color, reset);
    sg_buf_addc(out, ' ');
}

static void add_entry(sg_buf *out, sg_color color, const sg_diag_entry *entry)
{
    size_t line = 0;
    size_t column = 0;
    sg_span span = entry->span;
    if (span.source && span.source->binary) {
        add_offset(out, color, span);
    } else if (span.source) {
        sg_source_locate(span.source, span.begin, &line, &column);
        add_place(out, color, span.source->name, line, column);
    } else {
        add_place(out, color, "splitgen", 0, 0);
    }
    paint(out, color, severity_color(entry->severity));
    sg_buf_printf(out, "%s:", sg_severity_word(entry->severity));
    paint(out, color, reset);
    sg_buf_addc(out, ' ');
    sg_buf message = {0};
    sg_diag_message(entry, &message);
    sg_buf_add_visible(out, message.ptr, message.len);
    sg_buf_free(&message);
    sg_buf_addc(out, '\n');
    if (span.source && !span.source->binary) {
        add_excerpt(out, color, entry->severity, span, line, column);
    }
}

void sg_diag_render_text(const sg_diag *diag, sg_color color, sg_buf *out)
{
    for (const sg_diag_entry *entry = diag->first; entry; entry = entry->next) {
        add_entry(out, color, entry);
    }
    const char *kinds[] = {"error", "warning"};
    size_t hidden[] = {diag->hidden_errors, diag->hidden_warnings};
    for (size_t i = 0; i < 2; i++) {
        if (hidden[i]) {
            add_place(out, color, "splitgen", 0, 0);
            sg_buf_printf(out, "%zu more %s%s not shown\n", hidden[i], kinds[i],
                          hidden[i] == 1 ? "" : "s");
        }
    }
}
