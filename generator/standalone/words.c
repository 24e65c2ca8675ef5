/* Reads C text as far as standalone files need it: identifiers, and which targets compile them. */
#include <string.h>

#include "standalone/pieces.h"

/* Macros that only printed texts and the generator define: whether one is defined is known. */
static const char *const switches[] = {"SPLITGEN_LOOPS_MODEL", "SPLITGEN_NO_MEMCPY",
                                       "SPLITGEN_ROWS_CPU", "SPLITGEN_SELFTEST_BODIES"};

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

static bool has(sg_str text, const char *what)
{
    const size_t n = strlen(what);
    for (size_t i = 0; i + n <= text.len; i++) {
        if (memcmp(text.ptr + i, what, n) == 0) {
            return true;
        }
    }
    return false;
}

/* A condition without && outside of parentheses. */
static sg_c_condition term_of(sg_str text, bool is_name, bool is_not, const sg_nameset *given)
{
    size_t at = 0;
    sg_str name = sg_c_next_name(text, &at);
    if (!is_name && sg_str_eqz(name, "defined")) {
        name = sg_c_next_name(text, &at);
        is_name = true;
    }
    is_not = is_not != (memchr(text.ptr, '!', text.len) != NULL);
    sg_str more = sg_c_next_name(text, &at);
    sg_c_condition found = {SG_ON_ANY, 0, false};
    if (more.len > 0) {
        return found;
    }
    for (size_t i = 0; !is_name && i < SG_C_TARGETS; i++) {
        if (sg_str_eqz(name, sg_c_targets[i].macro)) {
            found.can = is_not ? SG_ON_ANY & ~sg_c_targets[i].on : sg_c_targets[i].on;
            found.must = found.can;
        }
    }
    for (size_t i = 0; is_name && i < sizeof switches / sizeof switches[0]; i++) {
        if (sg_str_eqz(name, switches[i])) {
            const bool holds = (sg_nameset_find(given, switches[i]) != NULL) != is_not;
            found = (sg_c_condition){holds ? SG_ON_ANY : 0, holds ? SG_ON_ANY : 0, true};
        }
    }
    return found;
}

sg_c_condition sg_c_condition_of(sg_str directive, const sg_nameset *given)
{
    size_t at = 1;
    const sg_str word = sg_c_next_name(directive, &at);
    sg_c_condition all = {SG_ON_ANY, SG_ON_ANY, true};
    if (sg_str_eqz(word, "else")) {
        return all;
    }
    const bool is_name = sg_str_eqz(word, "ifdef") || sg_str_eqz(word, "ifndef");
    sg_str text = {directive.ptr + at, directive.len - at};
    if (has(text, "||")) {
        return (sg_c_condition){SG_ON_ANY, 0, false};
    }
    for (size_t i = 0, begin = 0; i <= text.len; i++) {
        if (i == text.len || (text.ptr[i] == '&' && i + 1 < text.len && text.ptr[i + 1] == '&')) {
            const sg_c_condition one = term_of((sg_str){text.ptr + begin, i - begin}, is_name,
                                               sg_str_eqz(word, "ifndef"), given);
            all.can &= one.can;
            all.must &= one.must;
            all.decided = all.decided && one.decided;
            begin = i + 2;
            i += i < text.len;
        }
    }
    all.decided = all.decided || all.can == 0;
    return all;
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
