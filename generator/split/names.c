/* Which identifiers generated code may define, and how any text is turned into one. Does not know
 * the use of a name, nor which names are taken. */
#include "split/names.h"

#include <string.h>

#include "base/file.h"

/* A reserved name and the reason. */
typedef struct word {
    const char *text;
    size_t len; /* compared first, for speed: there are hundreds of words and thousands of names */
    const char *why;
} word;

#define WORD(text, why) {text, sizeof(text) - 1, why},

static const word taken[] = {
#define X(text, why) WORD(text, why)
#include "split/names.inc"
#undef X
};

/* Reserved for symbols; a parameter may have these names. */
static const word symbols[] = {
#define X(text, why)
#define XS(text, why) WORD(text, why)
#include "split/names.inc"
#undef X
};

/* Reserved for parameters; a symbol may have these names. */
static const word parameters[] = {
#define X(text, why)
#define XP(text, why) WORD(text, why)
#include "split/names.inc"
#undef X
};

/* The reason if a name is among the words, else NULL. */
static const char *why_taken(const word *words, size_t count, const char *name)
{
    const size_t len = strlen(name);
    for (size_t i = 0; i < count; i++) {
        if (words[i].len == len && memcmp(words[i].text, name, len) == 0) {
            return words[i].why;
        }
    }
    return NULL;
}

static bool starts_with(const char *s, const char *prefix)
{
    return strncmp(s, prefix, strlen(prefix)) == 0;
}

static bool ends_with(const char *s, const char *suffix)
{
    size_t n = strlen(s);
    size_t k = strlen(suffix);
    return n >= k && memcmp(s + n - k, suffix, k) == 0;
}

/* C11 7.31.10: names that <stdint.h> defines or may define. */
static bool is_stdint(const char *name)
{
    if ((starts_with(name, "int") || starts_with(name, "uint")) && ends_with(name, "_t")) {
        return true;
    }
    return (starts_with(name, "INT") || starts_with(name, "UINT")) &&
           (ends_with(name, "_MAX") || ends_with(name, "_MIN") || ends_with(name, "_C") ||
            ends_with(name, "_WIDTH"));
}

/* Why a well-formed identifier is reserved, or NULL. */
static const char *reserved(const char *name)
{
    if (name[0] == '_') {
        return "starts with '_', which is reserved";
    }
    if (strstr(name, "__") != NULL) {
        return "contains '__', which is reserved in C++";
    }
    if (starts_with(name, "splitgen") || starts_with(name, "SPLITGEN")) {
        return "starts with 'splitgen', which is reserved for the runtime";
    }
    if (is_stdint(name)) {
        return "is a name of the C library";
    }
    return why_taken(taken, sizeof taken / sizeof taken[0], name);
}

/* The same for a symbol, which could replace a function of the system. */
static const char *reserved_symbol(const char *name)
{
    /* POSIX.1-2008 2.2.2 reserves these prefixes */
    static const char *const prefixes[] = {"aio_", "mq_", "posix_", "pthread_", "sched_", "sem_"};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        if (starts_with(name, prefixes[i])) {
            return "begins as the names of POSIX do";
        }
    }
    const char *why = why_taken(symbols, sizeof symbols / sizeof symbols[0], name);
    return why != NULL ? why : reserved(name);
}

/* Why a text is not a usable identifier, or NULL. */
static const char *common_problem(const char *name)
{
    if (name[0] == '\0') {
        return "is empty";
    }
    if (sg_is_digit((unsigned char)name[0])) {
        return "starts with a digit";
    }
    if (strlen(name) > SG_NAME_MAX) {
        return "is too long";
    }
    for (const char *p = name; *p != '\0'; p++) {
        if (!sg_is_ident((unsigned char)*p)) {
            return "holds a character other than letters, digits and '_'";
        }
    }
    return reserved(name);
}

const char *sg_name_param_problem(const char *name)
{
    const char *problem = common_problem(name);
    return problem != NULL ? problem
                           : why_taken(parameters, sizeof parameters / sizeof parameters[0], name);
}

const char *sg_name_problem(const char *name)
{
    const char *problem = common_problem(name);
    return problem != NULL ? problem : reserved_symbol(name);
}

char *sg_name_from(sg_arena *arena, sg_str text)
{
    /* room for a prefix "x_", a suffix '_' and the NUL */
    char *buffer = sg_arena_alloc(arena, text.len + 4);
    char *name = buffer + 2;
    size_t n = 0;
    for (size_t i = 0; i < text.len; i++) {
        char c = sg_is_ident((unsigned char)text.ptr[i]) ? text.ptr[i] : '_';
        if (c == '_' && (n == 0 || name[n - 1] == '_')) {
            continue; /* no leading '_', and no two in a row */
        }
        name[n++] = c;
    }
    /* drop a trailing '_' that only replaced other bytes */
    if (n > 0 && name[n - 1] == '_' && !sg_is_ident((unsigned char)text.ptr[text.len - 1])) {
        n--;
    }
    if (n == 0) {
        name[n++] = 'x';
    }
    name[n] = '\0';
    if (sg_is_digit((unsigned char)name[0])) {
        *--name = 'x';
    } else if (starts_with(name, "splitgen") || starts_with(name, "SPLITGEN")) {
        *--name = '_';
        *--name = 'x';
    } else if (reserved_symbol(name) != NULL) {
        name[n] = '_';
        name[n + 1] = '\0';
        if (reserved_symbol(name) != NULL) { /* reserved because of its prefix */
            name[n] = '\0';
            *--name = '_';
            *--name = 'x';
        }
    }
    return name;
}

const char *sg_name_param_from(sg_arena *arena, const char *text)
{
    if (sg_name_param_problem(text) == NULL) {
        return text;
    }
    const char *name = sg_name_from(arena, sg_str_from(text));
    return sg_name_param_problem(name) == NULL ? name : sg_arena_printf(arena, "%s_", name);
}

char *sg_name_from_path(sg_arena *arena, const char *path)
{
    const char *base = sg_path_base(path);
    const char *dot = strrchr(base, '.');
    size_t len = dot == NULL || dot == base ? strlen(base) : (size_t)(dot - base);
    return sg_name_from(arena, (sg_str){base, len});
}
