/* Identifies files that splitgen cannot read, from their first bytes. Text that may be a spec is
 * left to Lua, whose errors are more precise. */
#include "frontend/model/foreign.h"

#include <string.h>

#include "base/system.h"
#include "base/text.h"
#include "base/utf8.h"

/* A file as the rows of foreign.inc see it. */
typedef struct view {
    const sg_foreign_file *file;
    /* of a zip archive: its first bytes, and its end with the list of its files */
    sg_buf zip;
    bool is_bytes;    /* binary, not text */
    bool is_spec;     /* its name ends with .lua */
    const char *text; /* the text after a byte order mark and blanks */
    size_t len;
} view;

/* --- names ------------------------------------------------------------------------------------ */

static char to_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool same(const char *text, const char *lower, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (to_lower(text[i]) != lower[i]) {
            return false;
        }
    }
    return true;
}

static bool ends_with(sg_str name, const char *ending)
{
    const size_t n = strlen(ending);
    return name.len >= n && same(name.ptr + name.len - n, ending, n);
}

bool sg_foreign_is_named(const char *path, const char *ending)
{
    return ends_with(sg_str_from(path), ending);
}

/* --- zip archives ----------------------------------------------------------------------------- */

static const char local_file[] = "PK\x03\x04";
static const char listed_file[] = "PK\x01\x02";

static unsigned number_at(const char *bytes)
{
    return (unsigned)(unsigned char)bytes[0] | (unsigned)(unsigned char)bytes[1] << 8;
}

/* Whether a header of `size` bytes begins here and its file name ends with `ending`. length: the
 * offset of the name's length in the header. */
static bool has_name(sg_str rest, const char *mark, size_t size, size_t length, const char *ending)
{
    return rest.len > size && memcmp(rest.ptr, mark, 4) == 0 &&
           number_at(rest.ptr + length) <= rest.len - size &&
           ends_with((sg_str){rest.ptr + size, number_at(rest.ptr + length)}, ending);
}

static bool has_entry(const view *v, const char *ending)
{
    for (size_t at = 0; at < v->zip.len; at++) {
        const sg_str rest = {v->zip.ptr + at, v->zip.len - at};
        if (has_name(rest, local_file, 30, 26, ending) ||
            has_name(rest, listed_file, 46, 28, ending)) {
            return true;
        }
    }
    return ending[0] == '\0' && v->zip.len > 0;
}

static void read_zip(view *v)
{
    enum { LIST = 1 << 16 }; /* bytes read from the end, which usually contain the list of files */
    const sg_foreign_file *file = v->file;
    if (file->n < 4 || memcmp(file->head, local_file, 4) != 0) {
        return;
    }
    sg_buf_add(&v->zip, file->head, file->n);
    sg_system_info info;
    if (file->fd < 0 || !sg_system_stat_open(file->fd, &info) || info.kind != SG_SYSTEM_FILE) {
        return;
    }
    sg_buf_reserve(&v->zip, LIST);
    const int64_t from = info.size > LIST ? info.size - LIST : 0;
    const int64_t n = sg_system_read_at(file->fd, v->zip.ptr + v->zip.len, LIST, from);
    v->zip.len += n > 0 ? (size_t)n : 0;
}

/* --- binary or text --------------------------------------------------------------------------- */

static bool is_control(char c)
{
    const unsigned char u = (unsigned char)c;
    return u < ' ' && !sg_is_space(u);
}

/* Text has no zero bytes, no control bytes at its beginning and few later, and is mostly UTF-8:
 * comments in older files may not be. */
static bool is_bytes(const char *head, size_t n)
{
    enum { BEGINNING = 16 };
    size_t controls = 0;
    size_t strays = 0; /* bytes that are not UTF-8 */
    for (size_t i = 0; i < n;) {
        uint32_t c;
        const size_t used = sg_utf8_decode(head + i, n - i, &c);
        if (head[i] == '\0' || (i < BEGINNING && is_control(head[i]))) {
            return true;
        }
        controls += is_control(head[i]) ? 1 : 0;
        strays += used == 0 ? 1 : 0;
        i += used > 0 ? used : 1;
    }
    return controls > n / 32 || controls + strays > n / 8;
}

static bool is_empty(const view *v)
{
    return v->file->n == 0;
}

/* Every second byte is zero, or the text begins with a byte order mark of UTF-16 or UTF-32. */
static bool is_utf16(const view *v)
{
    const char *h = v->file->head;
    const size_t n = v->file->n;
    if (n >= 2 && (memcmp(h, "\xFF\xFE", 2) == 0 || memcmp(h, "\xFE\xFF", 2) == 0)) {
        return true;
    }
    if (n < 8 || n % 2 != 0) {
        return false;
    }
    const size_t zero = h[0] == '\0' ? 0 : 1;
    for (size_t i = 0; i < n; i += 2) {
        if (h[i + zero] != '\0' || h[i + 1 - zero] == '\0' || is_control(h[i + 1 - zero])) {
            return false;
        }
    }
    return true;
}

/* --- binary formats --------------------------------------------------------------------------- */

/* Protocol 2 and later. Older protocols are text, recognised by the file's name. */
static bool is_pickle(const view *v)
{
    const char *h = v->file->head;
    const bool later = v->file->n > 2 && h[0] == '\x80' && h[1] >= 2 && h[1] <= 5;
    return later || (v->file->n > 0 && (sg_foreign_is_named(v->file->path, ".pkl") ||
                                        sg_foreign_is_named(v->file->path, ".pickle")));
}

/* The file begins with the length of a JSON header and the header. */
static bool is_safetensors(const view *v)
{
    const char *h = v->file->head;
    return v->file->n > 10 && memcmp(h + 5, "\0\0\0", 3) == 0 && h[8] == '{' &&
           (h[9] == '"' || h[9] == '}' || sg_is_space((unsigned char)h[9]));
}

/* saved_model_schema_version is 1, followed by meta_graphs. */
static bool is_saved_model(const view *v)
{
    return v->file->n > 4 && memcmp(v->file->head, "\x08\x01\x12", 3) == 0;
}

/* The first field is a node, and the node's first field its name. */
static bool is_graph_def(const view *v)
{
    const char *h = v->file->head;
    size_t at = 1;
    if (v->file->n < 8 || h[0] != '\n') {
        return false;
    }
    while (at < 4 && (h[at] & 0x80) != 0) {
        at++;
    }
    const size_t name = at + 3;
    if (h[at + 1] != '\n' || v->file->n < name + 1 || h[at + 2] <= 0) {
        return false;
    }
    const size_t end = name + (size_t)h[at + 2];
    for (size_t i = name; i < end && i < v->file->n; i++) {
        if (is_control(h[i])) {
            return false;
        }
    }
    return end < v->file->n && h[end] == '\x12'; /* the node's field `op` */
}

/* --- text formats ----------------------------------------------------------------------------- */

static bool begins(const char *text, size_t len, const char *word)
{
    const size_t n = strlen(word);
    return len >= n && memcmp(text, word, n) == 0;
}

static bool has(const view *v, const char *word)
{
    const size_t n = strlen(word);
    for (size_t i = 0; i + n <= v->len; i++) {
        if (memcmp(v->text + i, word, n) == 0) {
            return true;
        }
    }
    return false;
}

static bool begins_with_one_of(const view *v, const char *const *words)
{
    while (*words != NULL && !begins(v->text, v->len, *words)) {
        words++;
    }
    return *words != NULL;
}

/* The first character from `at` on that is not a blank; len if there is none. */
static size_t skip_blanks(const char *text, size_t len, size_t at)
{
    while (at < len && sg_is_space((unsigned char)text[at])) {
        at++;
    }
    return at;
}

static bool is_html(const view *v)
{
    static const char *const starts[] = {"<!doctype html", "<html", "<head", "<body"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        const size_t n = strlen(starts[i]);
        if (v->len >= n && same(v->text, starts[i], n)) {
            return true;
        }
    }
    return false;
}

static bool is_xml(const view *v)
{
    return v->len > 1 && v->text[0] == '<' &&
           (v->text[1] == '?' || v->text[1] == '!' ||
            (sg_is_ident_start((unsigned char)v->text[1]) && (has(v, "</") || has(v, "/>"))));
}

/* An object with a key, or a list. A spec may be such a list by mistake. */
static bool is_json(const view *v)
{
    const size_t next = skip_blanks(v->text, v->len, 1);
    if (v->len > 0 && v->text[0] == '[') {
        return !v->is_spec;
    }
    if (v->len == 0 || v->text[0] != '{' || next == v->len) {
        return false;
    }
    if (v->text[next] == '}') {
        return !v->is_spec;
    }
    const char *end =
        v->text[next] == '"' ? memchr(v->text + next + 1, '"', v->len - next - 1) : NULL;
    if (end == NULL) {
        return false;
    }
    const size_t colon = skip_blanks(v->text, v->len, (size_t)(end - v->text) + 1);
    return colon < v->len && v->text[colon] == ':';
}

static bool is_onnx_json(const view *v)
{
    return is_json(v) && (has(v, "\"irVersion\"") || has(v, "\"opsetImport\""));
}

static bool is_onnx_prototext(const view *v)
{
    static const char *const starts[] = {"ir_version:",  "producer_name:", "producer_version:",
                                         "opset_import", "model_version:", NULL};
    return begins_with_one_of(v, starts) && (has(v, ":") && (has(v, "{") || has(v, "ir_version")));
}

static bool is_prototext(const view *v)
{
    static const char *const starts[] = {"node {",    "graph {",  "meta_graphs {",
                                         "layer {",   "layers {", "versions {",
                                         "library {", "name: \"", "saved_model_schema_version:",
                                         NULL};
    return begins_with_one_of(v, starts) && has(v, ": ");
}

static bool is_hlo(const view *v)
{
    return begins(v->text, v->len, "HloModule ");
}

/* The first line that is neither blank nor a comment; comments begin with `mark`. */
static sg_str first_line(const view *v, const char *mark)
{
    size_t at = 0;
    while (at < v->len && begins(v->text + at, v->len - at, mark)) {
        const char *end = memchr(v->text + at, '\n', v->len - at);
        at = end == NULL ? v->len : skip_blanks(v->text, v->len, (size_t)(end - v->text));
    }
    const char *end = memchr(v->text + at, '\n', v->len - at);
    size_t len = end != NULL ? (size_t)(end - v->text) - at : v->len - at;
    while (len > 0 && sg_is_space((unsigned char)v->text[at + len - 1])) {
        len--;
    }
    return (sg_str){v->text + at, len};
}

static bool line_begins(sg_str line, const char *const *words)
{
    while (*words != NULL && !begins(line.ptr, line.len, *words)) {
        words++;
    }
    return *words != NULL;
}

static bool is_mlir(const view *v)
{
    static const char *const starts[] = {"module {", "module @",   "module attributes",  "#map",
                                         "#loc",     "func.func ", "\"builtin.module\"", NULL};
    return !v->is_spec && line_begins(first_line(v, "//"), starts);
}

static bool is_python(const view *v)
{
    static const char *const starts[] = {"import ", "from ",  "def ",  "class ", "@",
                                         "\"\"\"",  "async ", "if __", NULL};
    return !v->is_spec && line_begins(first_line(v, "#"), starts);
}

/* For example "qkv: f32[1,12] @1 -> /3". */
static bool is_notation(const view *v)
{
    const sg_str line = first_line(v, "#");
    size_t at = 0;
    bool bracket = false;
    while (at < line.len && (bracket || sg_is_ident((unsigned char)line.ptr[at]) ||
                             strchr(" :[", line.ptr[at]) != NULL)) {
        bracket = line.ptr[at] == '[' || (bracket && line.ptr[at] != ']');
        at++;
    }
    const char *close = at < line.len && line.ptr[at] == '@' ? line.ptr + at : NULL;
    const bool arrow = at + 1 < line.len && begins(line.ptr + at, line.len - at, "->");
    return !v->is_spec && line.len > 0 && memchr(line.ptr, '[', at) != NULL &&
           (arrow || close != NULL);
}

/* "key: value" or "- entry". */
static bool is_yaml(const view *v)
{
    const sg_str line = first_line(v, "#");
    size_t at = 0;
    if (v->is_spec) {
        return false;
    }
    while (at < line.len && (sg_is_ident((unsigned char)line.ptr[at]) || line.ptr[at] == '-')) {
        at++;
    }
    const bool key = at > 0 && line.ptr[0] != '-' && at < line.len && line.ptr[at] == ':' &&
                     (at + 1 == line.len || line.ptr[at + 1] == ' ');
    return key || begins(line.ptr, line.len, "%YAML") || begins(line.ptr, line.len, "- ");
}

/* --- rows ------------------------------------------------------------------------------------- */

typedef enum row_kind { MAGIC, FORM, ENTRY, BYTES, WORDS } row_kind;

typedef struct row {
    row_kind kind;
    size_t at;
    const char *word; /* the bytes, or the ending of the name */
    size_t length;
    bool (*form)(const view *v);
    const char *text;
} row;

static const row rows[] = {
#define FOREIGN_MAGIC(at, bytes, text) {MAGIC, at, bytes, sizeof bytes - 1, NULL, text},
#define FOREIGN_FORM(function, text)   {FORM, 0, "", 0, function, text},
#define FOREIGN_ENTRY(ending, text)    {ENTRY, 0, ending, 0, NULL, text},
#define FOREIGN_BYTES(ending, text)    {BYTES, 0, ending, 0, NULL, text},
#define FOREIGN_WORDS(ending, text)    {WORDS, 0, ending, 0, NULL, text},
#include "frontend/model/foreign.inc"
};

static bool fits(const row *r, const view *v)
{
    switch (r->kind) {
    case MAGIC:
        return v->file->n >= r->at + r->length &&
               memcmp(v->file->head + r->at, r->word, r->length) == 0;
    case FORM:
        return r->form(v);
    case ENTRY:
        return has_entry(v, r->word);
    case BYTES:
        return v->is_bytes && sg_foreign_is_named(v->file->path, r->word);
    case WORDS:
        break;
    }
    return !v->is_bytes && sg_foreign_is_named(v->file->path, r->word);
}

/* The text with FILE replaced by the path, if the path needs no quotes in a shell; else
 * unchanged. */
static const char *with_path(sg_arena *arena, const char *text, const char *path)
{
    for (const char *c = path; *c != '\0'; c++) {
        if (!sg_is_ident((unsigned char)*c) && strchr("./-+", *c) == NULL) {
            return text;
        }
    }
    const char *file = strstr(text, "FILE");
    if (file == NULL || path[0] == '-') {
        return text;
    }
    return sg_arena_printf(arena, "%.*s%s%s", (int)(file - text), text, path,
                           with_path(arena, file + strlen("FILE"), path));
}

const char *sg_foreign_tell(sg_arena *arena, const sg_foreign_file *file)
{
    view v = {.file = file,
              .is_bytes = is_bytes(file->head, file->n),
              .is_spec = sg_foreign_is_named(file->path, ".lua")};
    const size_t mark = begins(file->head, file->n, "\xEF\xBB\xBF") ? 3 : 0;
    const size_t first = v.is_bytes ? file->n : skip_blanks(file->head, file->n, mark);
    v.text = file->head + first;
    v.len = file->n - first;
    read_zip(&v);
    const char *told = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows && told == NULL; i++) {
        told = fits(&rows[i], &v) ? rows[i].text : NULL;
    }
    sg_buf_free(&v.zip);
    return told != NULL ? with_path(arena, told, file->path) : NULL;
}
