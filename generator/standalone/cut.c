/* Cuts the headers into pieces. They are formatted: directives and declarations begin a line. A
 * macro that is called outside of functions becomes the functions that it makes. */
#include <string.h>

#include "standalone/headers.h"
#include "standalone/pieces.h"

typedef struct cutter {
    sg_pieces *pieces;
    int file;
    bool is_source;         /* of the runtime */
    const sg_branch *inner; /* the branch that is read, NULL: none */
} cutter;

/* --- definitions -------------------------------------------------------------------------------
 */

static void define(sg_pieces *p, sg_str name)
{
    p->definitions = SG_GROWN(p->arena, p->definitions, p->ndefinitions, p->definitions_capacity);
    const char *key = sg_arena_strndup(p->arena, name.ptr, name.len);
    sg_nameset_entry *known = sg_nameset_find(&p->names, key);
    p->definitions[p->ndefinitions] =
        (sg_definition){{key, name.len}, p->count - 1, known != NULL ? known->value : -1};
    if (known != NULL) {
        known->value = p->ndefinitions;
    } else {
        sg_nameset_add(&p->names, key, p->ndefinitions);
    }
    p->ndefinitions++;
}

int64_t sg_pieces_find(const sg_pieces *pieces, sg_str name)
{
    char key[128];
    if (name.len >= sizeof key) {
        return -1;
    }
    memcpy(key, name.ptr, name.len);
    key[name.len] = '\0';
    const sg_nameset_entry *known = sg_nameset_find(&pieces->names, key);
    return known != NULL ? known->value : -1;
}

static sg_piece *add(cutter *c, sg_str text, sg_str comment)
{
    sg_pieces *p = c->pieces;
    p->items = SG_GROWN(p->arena, p->items, p->count, p->capacity);
    p->items[p->count] = (sg_piece){.text = text,
                                    .comment = comment,
                                    .branch = c->inner,
                                    .file = c->file,
                                    .is_source = c->is_source,
                                    .include = p->include,
                                    .until = -1};
    return &p->items[p->count++];
}

static sg_str arena_text(sg_arena *arena, const sg_buf *buf)
{
    return (sg_str){sg_arena_strndup(arena, buf->ptr != NULL ? buf->ptr : "", buf->len), buf->len};
}

/* --- conditions --------------------------------------------------------------------------------
 */

static unsigned reached(const cutter *c)
{
    return c->inner != NULL ? c->inner->on : SG_ON_ANY;
}

static bool ends_with(sg_str text, const char *end)
{
    const size_t n = strlen(end);
    return text.len >= n && memcmp(text.ptr + text.len - n, end, n) == 0;
}

static void begin_branch(cutter *c, sg_group *group, const sg_branch *up, unsigned left,
                         sg_str line)
{
    sg_arena *arena = c->pieces->arena;
    const int64_t index = group->count;
    sg_c_condition holds = sg_c_condition_of(line, &c->pieces->given);
    const sg_str word = sg_c_directive(line);
    size_t at = (size_t)(word.ptr - line.ptr) + word.len;
    if (sg_str_eqz(word, "ifndef") && ends_with(sg_c_next_name(line, &at), "_H")) {
        holds.must = SG_ON_ANY; /* the header's guard */
    }
    if (index == group->capacity) {
        int64_t capacity = group->capacity;
        group->conditions = SG_GROWN(arena, group->conditions, index, capacity);
        group->directives = SG_GROWN(arena, group->directives, index, group->capacity);
    }
    group->directives[index] = line;
    group->conditions[index] = holds;
    group->count++;
    sg_branch *branch = SG_NEW(arena, sg_branch);
    *branch = (sg_branch){.up = up,
                          .group = group,
                          .index = index,
                          .on = (up != NULL ? up->on : SG_ON_ANY) & left & holds.can,
                          .own = left & holds.can,
                          .left = left & ~holds.must};
    c->inner = branch;
}

/* #if, #elif, #else or #endif. */
static void condition(cutter *c, sg_str line, sg_str comment)
{
    const sg_str word = sg_c_directive(line);
    const sg_branch *inner = c->inner;
    if (sg_c_opens(word)) {
        sg_group *group = SG_NEW(c->pieces->arena, sg_group);
        begin_branch(c, group, inner, SG_ON_ANY, line);
        group->comment = group->conditions->must != SG_ON_ANY ? comment : (sg_str){NULL, 0};
    } else if (sg_str_eqz(word, "endif")) {
        c->inner = inner->up;
    } else {
        begin_branch(c, inner->group, inner->up, inner->left, line);
    }
}

static bool is_condition(sg_str word)
{
    return sg_c_opens(word) || sg_str_has_word("elif else endif", word);
}

/* --- headers of the system ---------------------------------------------------------------------
 */

/* The names that are needed of them; a '*' stands for any end. Any other header is needed by
 * everything in the file that includes it. */
static const struct {
    const char *header;
    const char *names;
} systems[] = {
    {"<stdbool.h>", "bool true false"},
    {"<stddef.h>", "NULL size_t ptrdiff_t offsetof"},
    {"<stdint.h>", "int8_t int16_t int32_t int64_t intptr_t uint8_t uint16_t uint32_t uint64_t "
                   "uintptr_t INT64_C UINT64_C SIZE_MAX PTRDIFF_MAX INT64_MAX"},
    {"<string.h>", "memcpy memset memcmp memmove strcmp strlen strncmp"},
    {"<cpuid.h>", "__get_cpuid*"},
    {"<immintrin.h>", "__m128* __m256* __m512* __mmask* _mm_* _mm256_* _mm512_* _pext_*"},
    {"<arm_neon.h>", "uint8x* uint16x* uint32x* uint64x*"},
    {"<wasm_simd128.h>", "v128_*"},
};

/* The header of an #include of the system: "<string.h>"; empty: another line. */
static sg_str system_of(sg_str line)
{
    return sg_c_included_own(line).len > 0 ? (sg_str){NULL, 0} : sg_c_included(line);
}

static void define_system(cutter *c, sg_str header)
{
    bool is_known = header.len == 0;
    for (size_t i = 0; i < sizeof systems / sizeof systems[0]; i++) {
        if (!sg_str_eqz(header, systems[i].header)) {
            continue;
        }
        is_known = true;
        for (const char *at = systems[i].names; *at != '\0';) {
            const size_t len = strcspn(at, " ");
            define(c->pieces, (sg_str){at, len});
            at += len + (at[len] == ' ');
        }
    }
    sg_piece *piece = &c->pieces->items[c->pieces->count - 1];
    piece->is_common = piece->is_common || !is_known;
}

/* The end of a group of conditions that includes headers of the system, which is one piece; `at`:
 * it does not, or other things as well. */
static size_t system_group(sg_str text, size_t at)
{
    int depth = 0;
    bool includes = false;
    for (size_t i = at; i < text.len;) {
        const size_t after = sg_c_skip(text, i);
        const size_t end = after > i ? sg_c_line_end(text, after) : sg_c_line_end(text, i);
        const sg_str line = {text.ptr + i, end - i};
        if (*line.ptr != '#') {
            if (after == i && line.len > 1) {
                return at; /* code */
            }
            i = end;
            continue;
        }
        const sg_str word = sg_c_directive(line);
        depth += sg_c_opens(word);
        depth -= sg_str_eqz(word, "endif");
        includes = includes || system_of(line).len > 0;
        i = end;
        if (depth == 0) {
            return includes ? i : at;
        }
    }
    return at;
}

/* --- declarations ------------------------------------------------------------------------------
 */

static bool is_space_at(sg_str text, size_t at)
{
    return at < text.len && sg_is_space((unsigned char)text.ptr[at]);
}

/* What a declaration consists of. */
typedef struct declaration {
    size_t end;   /* behind it */
    size_t open;  /* the last parenthesis outside of braces before `stop`; SIZE_MAX: none */
    size_t stop;  /* its '{', '=', '[' or ';' outside of parentheses */
    size_t close; /* its last '}', SIZE_MAX: none */
    bool is_function;
} declaration;

/* Reads a declaration from `at` on. call: a macro is called there. */
static declaration read_declaration(sg_str text, size_t at, bool call)
{
    declaration d = {text.len, SIZE_MAX, SIZE_MAX, SIZE_MAX, false};
    int parens = 0;
    int braces = 0;
    char before = '\0'; /* the last character that is not a space */
    for (size_t i = at; i < text.len;) {
        const char c = text.ptr[i];
        const size_t after = c == '#' && i > 0 && text.ptr[i - 1] == '\n' ? sg_c_line_end(text, i)
                                                                          : sg_c_skip(text, i);
        if (after > i) {
            i = after;
            continue;
        }
        if (parens == 0 && braces == 0) {
            d.open = c == '(' && d.stop == SIZE_MAX ? i : d.open;
            if (d.stop == SIZE_MAX && strchr("{=[;", c) != NULL && c != '\0') {
                d.stop = i;
                d.is_function = c == '{' && before == ')';
            }
            if (c == ';') {
                d.end = i + 1;
                break;
            }
        }
        parens += (c == '(') - (c == ')');
        braces += (c == '{') - (c == '}');
        if (c == '}' && braces == 0) {
            d.close = i;
        }
        i++;
        const bool calls = call && c == ')' && parens == 0 && braces == 0;
        if ((c == '}' && braces == 0 && d.is_function) || calls) {
            d.end = i + (calls && i < text.len && text.ptr[i] == ';');
            break;
        }
        before = sg_is_space((unsigned char)c) ? before : c;
    }
    return d;
}

/* The identifier before `end`. */
static sg_str name_before(sg_str text, size_t end)
{
    while (end > 0 && !sg_is_ident((unsigned char)text.ptr[end - 1])) {
        end--;
    }
    size_t begin = end;
    while (begin > 0 && sg_is_ident((unsigned char)text.ptr[begin - 1])) {
        begin--;
    }
    return (sg_str){text.ptr + begin, end - begin};
}

/* The constants of an enum. Macros in it may put their names together. */
static void define_constants(cutter *c, sg_str text, size_t from, size_t to)
{
    char before = ','; /* the last character that is neither a space nor of a name */
    int parens = 0;
    for (size_t i = from + 1; i < to;) {
        if (text.ptr[i] == '#' && text.ptr[i - 1] == '\n') {
            const size_t end = sg_c_line_end(text, i);
            for (sg_str name = {"", 0}; i < end;) {
                name = sg_c_next_name((sg_str){text.ptr, end}, &i);
                if (i + 1 < end && text.ptr[i] == '#' && text.ptr[i + 1] == '#' &&
                    !sg_str_eqz(name, "SPLITGEN_")) {
                    define(c->pieces, (sg_str){sg_arena_printf(c->pieces->arena, "%.*s*",
                                                               (int)name.len, name.ptr),
                                               name.len + 1});
                }
            }
            before = ',';
            continue;
        }
        const size_t after = sg_c_skip(text, i);
        if (after > i) {
            i = after;
        } else if (sg_is_ident((unsigned char)text.ptr[i])) {
            const sg_str name = sg_c_next_name((sg_str){text.ptr, to}, &i);
            size_t next = i;
            while (is_space_at(text, next)) {
                next++;
            }
            if (parens == 0 && strchr(",)", before) != NULL &&
                strchr("=,}", text.ptr[next]) != NULL) {
                define(c->pieces, name);
            }
            before = 'a';
            i += name.len == 0;
        } else {
            const char at = text.ptr[i++];
            parens += (at == '(') - (at == ')');
            before = sg_is_space((unsigned char)at) ? before : at;
        }
    }
}

static bool begins_with(sg_str text, const char *start)
{
    const size_t n = strlen(start);
    return text.len >= n && memcmp(text.ptr, start, n) == 0;
}

static void define_typedef(cutter *c, sg_str text, const declaration *d)
{
    size_t end = text.len;
    if (d->close == SIZE_MAX && d->open != SIZE_MAX) {
        size_t inside = d->open + 1;
        end = d->open;
        if (text.ptr[inside] == '*') {
            define(c->pieces, sg_c_next_name(text, &inside));
            return;
        }
    }
    sg_str name = name_before(text, end);
    if (sg_str_eqz(name, "__attribute__")) {
        name = name_before(text, (size_t)(name.ptr - text.ptr));
    }
    define(c->pieces, name);
}

/* A declaration whose linkage is internal. */
static sg_str made_static(cutter *c, sg_str text, const char *before, const char *without)
{
    sg_buf buf = {0};
    const char *gone = NULL;
    for (size_t i = 0; without != NULL && gone == NULL && i + strlen(without) < text.len; i++) {
        gone = begins_with((sg_str){text.ptr + i, text.len - i}, without) ? text.ptr + i : NULL;
    }
    sg_buf_addz(&buf, before);
    if (gone != NULL) {
        sg_buf_add(&buf, text.ptr, (size_t)(gone - text.ptr));
        text.len -= (size_t)(gone - text.ptr) + strlen(without);
        text.ptr = gone + strlen(without);
    }
    sg_buf_add(&buf, text.ptr, text.len);
    const sg_str made = arena_text(c->pieces->arena, &buf);
    sg_buf_free(&buf);
    return made;
}

static void add_declaration(cutter *c, sg_str text, const declaration *d, sg_str comment)
{
    size_t at = 0;
    sg_str code = {text.ptr, d->end};
    const sg_str first = sg_c_next_name(code, &at);
    if (sg_str_eqz(first, "typedef") || sg_str_eqz(first, "enum") || sg_str_eqz(first, "struct")) {
        (void)add(c, text, comment);
        const sg_str second = sg_c_next_name(code, &at);
        if (d->close != SIZE_MAX && (sg_str_eqz(first, "enum") || sg_str_eqz(second, "enum"))) {
            define_constants(c, code, d->stop, d->close);
        }
        if (sg_str_eqz(first, "typedef")) {
            define_typedef(c, code, d);
        } else if (sg_str_eqz(first, "struct")) {
            define(c->pieces, second);
        }
        return;
    }
    const bool is_prototype = !d->is_function && d->open != SIZE_MAX && text.ptr[d->stop] == ';';
    sg_str name = name_before(code, d->is_function || is_prototype ? d->open : d->stop);
    const char *open = memchr(code.ptr, '(', d->stop);
    const char *close = open != NULL && open[1] == '*' ? strchr(open, ')') : NULL;
    if (close != NULL) { /* a pointer to a function */
        name = name_before(code, (size_t)(close - code.ptr));
    }
    const bool is_public = !sg_str_eqz(first, "static") && begins_with(name, "splitgen_");
    if (is_prototype && is_public) {
        text = made_static(c, text, "static ", "SPLITGEN_API ");
    } else if (sg_str_eqz(first, "extern")) {
        text.ptr += strlen("extern ");
        text.len -= strlen("extern ");
        text = made_static(c, text, "static ", "SPLITGEN_API ");
    } else if (c->is_source && is_public && d->is_function) {
        text = made_static(c, text, "static SPLITGEN_OPAQUE ", NULL);
    } else if (c->is_source && is_public && sg_pieces_find(c->pieces, name) >= 0) {
        return; /* the variable of a declaration, which is its definition */
    }
    (void)add(c, text, comment);
    define(c->pieces, name);
}

/* --- macros ------------------------------------------------------------------------------------
 */

/* The definition of a function-like macro whose call begins at `at`; NULL: none. */
static const sg_piece *called(const cutter *c, sg_str text, size_t at)
{
    const sg_str name = sg_c_next_name(text, &at);
    const int64_t found =
        at < text.len && text.ptr[at] == '(' ? sg_pieces_find(c->pieces, name) : -1;
    if (found < 0) {
        return NULL;
    }
    const sg_piece *piece = &c->pieces->items[c->pieces->definitions[found].piece];
    return *piece->text.ptr == '#' ? piece : NULL;
}

/* The items between parentheses that open at *at, which moves behind them. */
static int64_t list_items(sg_str text, size_t *at, sg_str *items, int64_t most)
{
    int64_t count = 0;
    int parens = 0;
    size_t begin = *at + 1;
    for (; *at < text.len; ++*at) {
        const char c = text.ptr[*at];
        parens += c == '(';
        if ((c == ',' && parens == 1) || (c == ')' && parens == 1)) {
            size_t end = *at;
            for (; begin < end && is_space_at(text, begin); begin++) {
            }
            for (; end > begin && is_space_at(text, end - 1); end--) {
            }
            if (count < most) {
                items[count++] = (sg_str){text.ptr + begin, end - begin};
            }
            begin = *at + 1;
        }
        parens -= c == ')';
        if (c == ')' && parens == 0) {
            ++*at;
            break;
        }
    }
    return count;
}

/* The text that a call of a macro becomes, without the ends of continued lines. */
static sg_str expanded(cutter *c, const sg_piece *macro, sg_str call)
{
    enum { ITEMS_MAX = 16 };
    sg_str names[ITEMS_MAX];
    sg_str values[ITEMS_MAX];
    sg_str text = macro->text;
    size_t at = 1;
    size_t from = 0;
    (void)sg_c_next_name(text, &at); /* define */
    (void)sg_c_next_name(text, &at);
    (void)sg_c_next_name(call, &from);
    const int64_t nnames = list_items(text, &at, names, ITEMS_MAX);
    const int64_t nvalues = list_items(call, &from, values, ITEMS_MAX);
    sg_buf out = {0};
    while (at < text.len) {
        const char ch = text.ptr[at];
        if (ch == '\\' && at + 1 < text.len && text.ptr[at + 1] == '\n') {
            while (out.len > 0 && out.ptr[out.len - 1] == ' ') {
                out.len--;
            }
            sg_buf_addc(&out, '\n');
            at += 2;
            for (int i = 0; i < 4 && at < text.len && text.ptr[at] == ' '; i++) {
                at++;
            }
        } else if (ch == '#' && at + 1 < text.len && text.ptr[at + 1] == '#') {
            at += 2;
        } else if (sg_is_ident_start((unsigned char)ch)) {
            sg_str name = sg_c_next_name(text, &at);
            for (int64_t i = 0; i < nnames && i < nvalues; i++) {
                if (sg_str_eq(name, names[i])) {
                    name = values[i];
                    break;
                }
            }
            sg_buf_add(&out, name.ptr, name.len);
        } else {
            sg_buf_addc(&out, ch);
            at++;
        }
    }
    const sg_str made = arena_text(c->pieces->arena, &out);
    sg_buf_free(&out);
    return made;
}

/* --- files -------------------------------------------------------------------------------------
 */

static void cut_text(cutter *c, sg_str text, sg_str comment);

static void directive(cutter *c, sg_str line, sg_str comment)
{
    const sg_str word = sg_c_directive(line);
    size_t at = (size_t)(word.ptr - line.ptr) + word.len;
    const sg_str system = system_of(line);
    if (is_condition(word)) {
        condition(c, line, comment);
    } else if (system.len > 0) {
        add(c, line, comment)->is_system = true;
        define_system(c, system);
    } else if (sg_str_eqz(word, "include")) {
        const sg_str name = sg_c_included_own(line);
        if (name.len > 0 && reached(c) != 0) {
            sg_pieces_cut(c->pieces, sg_arena_strndup(c->pieces->arena, name.ptr, name.len));
        }
    } else if (sg_str_eqz(word, "define")) {
        (void)add(c, line, comment);
        define(c->pieces, sg_c_next_name(line, &at));
    } else if (sg_str_eqz(word, "undef")) {
        const sg_str name = sg_c_next_name(line, &at);
        (void)add(c, line, comment);
        const sg_pieces *p = c->pieces;
        for (int64_t i = sg_pieces_find(p, name); i >= 0; i = p->definitions[i].next) {
            sg_piece *defined = &p->items[p->definitions[i].piece];
            if (defined->file == c->file && defined->until < 0) {
                defined->until = p->count - 1;
            }
        }
    }
}

/* Text without directives from `at` on: a declaration, or a call of a macro. Returns its end. */
static size_t cut_code(cutter *c, sg_str text, size_t at, sg_str comment)
{
    const sg_piece *macro = called(c, text, at);
    sg_str rest = {text.ptr + at, text.len - at};
    const declaration d = read_declaration(rest, 0, macro != NULL);
    if (macro != NULL) {
        cut_text(c, expanded(c, macro, rest), comment.len > 0 ? comment : macro->comment);
        return at + d.end;
    }
    const size_t end = sg_c_line_end(rest, d.end);
    sg_str whole = {rest.ptr, end};
    if (end == rest.len && (end == 0 || rest.ptr[end - 1] != '\n')) {
        sg_buf buf = {0};
        sg_buf_add(&buf, rest.ptr, end);
        sg_buf_addc(&buf, '\n');
        whole = arena_text(c->pieces->arena, &buf);
        sg_buf_free(&buf);
    }
    add_declaration(c, whole, &d, comment);
    return at + end;
}

/* comment: of pieces that have none of their own, for calls of macros. */
static void cut_text(cutter *c, sg_str text, sg_str comment)
{
    sg_str before = comment;
    for (size_t at = 0; at < text.len;) {
        const sg_str rest = {text.ptr + at, text.len - at};
        const size_t line = sg_c_line_end(rest, 0);
        const size_t skipped = sg_c_skip(rest, 0);
        if (is_space_at(rest, 0)) {
            at++;
            before = *rest.ptr == '\n' && at > 1 && text.ptr[at - 2] == '\n' ? comment : before;
        } else if (skipped > 0) {
            before = (sg_str){rest.ptr, sg_c_line_end(rest, skipped)};
            at += before.len;
        } else if (*rest.ptr == '#') {
            const size_t end = is_condition(sg_c_directive(rest)) ? system_group(rest, 0) : 0;
            if (end > 0) {
                const sg_str group = {rest.ptr, end};
                add(c, group, before)->is_system = true;
                for (size_t i = 0; i < end; i = sg_c_line_end(group, i)) {
                    define_system(c,
                                  system_of((sg_str){group.ptr + i, sg_c_line_end(group, i) - i}));
                }
            } else {
                directive(c, (sg_str){rest.ptr, line}, before);
            }
            at += end > 0 ? end : line;
            before = comment;
        } else if (begins_with(rest, "extern \"C\"") || *rest.ptr == '}') {
            at += line;
        } else {
            at = cut_code(c, text, at, before);
            before = comment;
        }
    }
}

/* The text of a header, with the tables that declarations include. */
static sg_str text_of(sg_arena *arena, const sg_header *header)
{
    const sg_str text = {(const char *)header->text, header->len};
    sg_buf out = {0};
    for (size_t at = 0; at < text.len;) {
        const size_t end = sg_c_line_end(text, at);
        const sg_str line = {text.ptr + at, end - at};
        const bool includes = ends_with(sg_c_included(line), ".inc>");
        if (!includes) {
            sg_buf_add(&out, text.ptr + at, end - at);
        }
        for (size_t i = 0; includes && i < sg_header_count; i++) {
            if (strcmp(sg_headers[i].name, "dtypes.inc") == 0) {
                sg_buf_add(&out, sg_headers[i].text, sg_headers[i].len);
            }
        }
        at = end;
    }
    const sg_str made = arena_text(arena, &out);
    sg_buf_free(&out);
    return made;
}

bool sg_header_is_source(const sg_header *header)
{
    return ends_with(sg_str_from(header->name), ".c");
}

void sg_pieces_cut(sg_pieces *pieces, const char *name)
{
    if (sg_nameset_find(&pieces->included, name) != NULL) {
        return;
    }
    sg_nameset_add(&pieces->included, name, 0);
    for (size_t i = 0; i < sg_header_count; i++) {
        if (strcmp(sg_headers[i].name, name) == 0) {
            cutter c = {pieces, (int)i, sg_header_is_source(&sg_headers[i]), NULL};
            cut_text(&c, text_of(pieces->arena, &sg_headers[i]), (sg_str){NULL, 0});
        }
    }
}
