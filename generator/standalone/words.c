/* Reads C text as far as standalone files need it: identifiers, and which targets compile them. */
#include <string.h>

#include "standalone/pieces.h"

/* Macros of which it is known whether they are defined, unless the printed text defines them: with
 * which targets they are certain to be, and with which they can be. Frama-C reads portable code
 * only, and vectors need a GNU compiler. All others are for printed texts, the generator and
 * constexpr.h. */
static const struct {
    const char *name;
    sg_c_condition is_defined;
} known[] = {
    {"SPLITGEN_ALONE", {SG_ON_ANY, SG_ON_ANY}},
    {"SPLITGEN_LOOPS_MODEL", {0, 0}},
    {"SPLITGEN_NO_MEMCPY", {0, 0}},
    {"SPLITGEN_POINTER", {0, 0}},
    {"SPLITGEN_PROVER", {SG_ON_OTHER, 0}},
    {"SPLITGEN_ROWS_CPU", {0, 0}},
    {"SPLITGEN_SELFTEST_BODIES", {0, 0}},
    {"__GNUC__", {SG_ON_ANY, SG_ON_ANY & ~SG_ON_OTHER}},
};

const sg_c_target sg_c_targets[SG_C_TARGETS] = {
    {"SPLITGEN_X86", SG_ON_X86}, {"SPLITGEN_NEON", SG_ON_NEON}, {"SPLITGEN_WASM", SG_ON_WASM}};

size_t sg_c_line_end(sg_str text, size_t at)
{
    while (at < text.len) {
        const char *end = memchr(text.ptr + at, '\n', text.len - at);
        if (end == NULL) {
            return text.len;
        }
        at = (size_t)(end - text.ptr) + 1;
        if (at < 2 || text.ptr[at - 2] != '\\') {
            break;
        }
    }
    return at;
}

size_t sg_c_skip(sg_str text, size_t at)
{
    const char c = text.ptr[at];
    if (c == '/' && at + 1 < text.len && text.ptr[at + 1] == '*') {
        for (at += 2; at + 1 < text.len; at++) {
            if (text.ptr[at] == '*' && text.ptr[at + 1] == '/') {
                return at + 2;
            }
        }
        return text.len;
    }
    if (c != '"' && c != '\'') {
        return at;
    }
    for (at++; at < text.len && text.ptr[at] != c; at++) {
        at += text.ptr[at] == '\\';
    }
    return at < text.len ? at + 1 : text.len;
}

sg_str sg_c_next_name(sg_str text, size_t *at)
{
    while (*at < text.len) {
        const size_t after = sg_c_skip(text, *at);
        size_t end = *at;
        while (end < text.len && sg_is_ident((unsigned char)text.ptr[end])) {
            end++;
        }
        const sg_str word = {text.ptr + *at, end - *at};
        if (word.len > 0 && sg_is_ident_start((unsigned char)*word.ptr)) {
            *at = end;
            return word;
        }
        *at = after > *at ? after : end > *at ? end : *at + 1;
    }
    return (sg_str){NULL, 0};
}

sg_str sg_c_directive(sg_str line)
{
    size_t at = 1;
    return line.len > 0 && *line.ptr == '#' ? sg_c_next_name(line, &at) : (sg_str){NULL, 0};
}

bool sg_c_opens(sg_str directive)
{
    return directive.len > 1 && memcmp(directive.ptr, "if", 2) == 0;
}

sg_str sg_c_included(sg_str line)
{
    const bool includes = sg_str_eqz(sg_c_directive(line), "include");
    const char *open = includes ? memchr(line.ptr, '<', line.len) : NULL;
    const char *close =
        open != NULL ? memchr(open, '>', line.len - (size_t)(open - line.ptr)) : NULL;
    return close != NULL ? (sg_str){open, (size_t)(close - open) + 1} : (sg_str){NULL, 0};
}

sg_str sg_c_included_own(sg_str line)
{
    static const char folder[] = "<splitgen/";
    const size_t n = sizeof folder - 1;
    const sg_str header = sg_c_included(line);
    return header.len > n && memcmp(header.ptr, folder, n) == 0
               ? (sg_str){header.ptr + n, header.len - n - 1}
               : (sg_str){NULL, 0};
}

/* The next of the terms that && joins, at *at, which moves behind it. A text with || is one term.
 */
static sg_str next_term(sg_str text, size_t *at)
{
    size_t end = *at;
    int parens = 0;
    for (size_t i = *at; i < text.len; i++) {
        parens += (text.ptr[i] == '(') - (text.ptr[i] == ')');
        if (parens == 0 && text.ptr[i] == '|') {
            end = text.len;
        } else if (parens == 0 && text.ptr[i] == '&' && end == *at) {
            end = i;
        }
    }
    end = end > *at ? end : text.len;
    const sg_str term = {text.ptr + *at, end - *at};
    *at = end + 2;
    return term;
}

static sg_c_condition term_of(sg_str text, bool is_name, bool is_not, const sg_nameset *given)
{
    size_t at = 0;
    sg_str name = sg_c_next_name(text, &at);
    if (!is_name && sg_str_eqz(name, "defined")) {
        name = sg_c_next_name(text, &at);
        is_name = true;
    }
    is_not = is_not != (memchr(text.ptr, '!', text.len) != NULL);
    sg_c_condition found = {SG_ON_ANY, 0};
    if (sg_c_next_name(text, &at).len > 0) {
        return found;
    }
    for (size_t i = 0; !is_name && i < SG_C_TARGETS; i++) {
        if (sg_str_eqz(name, sg_c_targets[i].macro)) {
            found = (sg_c_condition){sg_c_targets[i].on, sg_c_targets[i].on};
        }
    }
    for (size_t i = 0; is_name && i < sizeof known / sizeof known[0]; i++) {
        if (sg_str_eqz(name, known[i].name)) {
            const bool defines = sg_nameset_find(given, known[i].name) != NULL;
            found = defines ? (sg_c_condition){SG_ON_ANY, SG_ON_ANY} : known[i].is_defined;
        }
    }
    return is_not ? (sg_c_condition){SG_ON_ANY & ~found.must, SG_ON_ANY & ~found.can} : found;
}

/* The condition of a directive. If `out` is not NULL, adds those of its terms that are not certain
 * for the targets `on`. */
static sg_c_condition read_condition(sg_str directive, const sg_nameset *given, unsigned on,
                                     sg_buf *out)
{
    size_t at = 1;
    const sg_str word = sg_c_next_name(directive, &at);
    const bool is_not = sg_str_eqz(word, "ifndef");
    const bool is_name = is_not || sg_str_eqz(word, "ifdef");
    const sg_str text = {directive.ptr + at, directive.len - at};
    sg_c_condition all = {SG_ON_ANY, SG_ON_ANY};
    for (size_t i = 0; i < text.len && !sg_str_eqz(word, "else");) {
        sg_str term = next_term(text, &i);
        const sg_c_condition one = term_of(term, is_name, is_not, given);
        all.can &= one.can;
        all.must &= one.must;
        for (; term.len > 0 && strchr(" \\\n", *term.ptr) != NULL; term.len--) {
            term.ptr++;
        }
        for (; term.len > 0 && strchr(" \n", term.ptr[term.len - 1]) != NULL; term.len--) {
        }
        if (out != NULL && (on & ~one.must) != 0) {
            sg_buf_addz(out, out->len > 0 ? " && " : "");
            sg_buf_add(out, term.ptr, term.len);
        }
    }
    return all;
}

sg_c_condition sg_c_condition_of(sg_str directive, const sg_nameset *given)
{
    return read_condition(directive, given, 0, NULL);
}

void sg_c_add_directive(sg_buf *out, const char *word, sg_str directive, unsigned on,
                        const sg_nameset *given)
{
    enum { COLUMNS = 100 };
    sg_buf terms = {0};
    (void)read_condition(directive, given, on, &terms);
    if (strcmp(word, "else") == 0) {
        sg_buf_addc(out, '#');
        sg_buf_addz(out, "else\n");
    } else if (sg_c_directive(directive).len > strlen("elif") ||
               terms.len > COLUMNS - strlen("#if ")) {
        sg_buf_add(out, directive.ptr, directive.len); /* #ifdef, or continued lines */
    } else {
        sg_buf_printf(out, "#%s %s\n", word, terms.ptr);
    }
    sg_buf_free(&terms);
}

void sg_c_words(sg_str text, unsigned on, const sg_nameset *given, sg_c_each *each, void *user)
{
    enum { NESTED_MAX = 32 };
    unsigned outer[NESTED_MAX]; /* the targets around each open group */
    unsigned left[NESTED_MAX];  /* those that may compile a later branch of it */
    int depth = 0;
    bool begins = true; /* of a line */
    for (size_t at = 0; at < text.len;) {
        const char c = text.ptr[at];
        if (begins && c == '#') {
            const size_t end = sg_c_line_end(text, at);
            const sg_str line = {text.ptr + at, end - at};
            size_t inside = 1;
            const sg_str word = sg_c_next_name(line, &inside);
            if (sg_c_opens(word) && depth < NESTED_MAX) {
                outer[depth] = on;
                left[depth++] = on;
            } else if (sg_str_eqz(word, "endif") && depth > 0) {
                on = outer[--depth];
            }
            const bool is_branch =
                sg_c_opens(word) || sg_str_eqz(word, "elif") || sg_str_eqz(word, "else");
            if (depth > 0 && is_branch) {
                const sg_c_condition holds = sg_c_condition_of(line, given);
                on = outer[depth - 1];
                sg_c_words((sg_str){line.ptr + inside, line.len - inside}, on, given, each, user);
                on = left[depth - 1] & holds.can;
                left[depth - 1] &= ~holds.must;
                at = end;
                continue;
            }
            at += inside;
            begins = false;
            if (sg_str_eqz(word, "include")) {
                at = end;
                begins = true;
            }
            continue;
        }
        const size_t after = sg_c_skip(text, at);
        if (after > at) {
            at = after;
            continue;
        }
        if (sg_is_ident((unsigned char)c)) {
            size_t end = at;
            while (end < text.len && sg_is_ident((unsigned char)text.ptr[end])) {
                end++;
            }
            if (sg_is_ident_start((unsigned char)c)) {
                size_t next = end;
                while (next < text.len && text.ptr[next] == ' ') {
                    next++;
                }
                const bool pasted =
                    next + 1 < text.len && text.ptr[next] == '#' && text.ptr[next + 1] == '#';
                each(user, &(sg_c_word){{text.ptr + at, end - at}, on, pasted});
            }
            at = end;
            begins = false;
            continue;
        }
        begins = c == '\n' || (begins && sg_is_space((unsigned char)c));
        at++;
    }
}
