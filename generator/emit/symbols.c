/* Names that must not collide. Deterministic: the first user of a name keeps it, later ones get
 * another. */
#include "emit/symbols.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "plan/machine/machine.h"
#include "split/names.h"

/* Whether `rest`, the end of a helper's name after its word, is a number, or goes on with further
 * words if it may. */
static bool ends(const char *rest, bool goes_on)
{
    while (sg_is_digit((unsigned char)*rest)) {
        ++rest;
    }
    return *rest == '\0' || (goes_on && *rest == '_');
}

/* No word contains '_', so P_word and Q_word differ whenever P and Q do. */
bool sg_symbols_is_helper(const char *rest)
{
    static const struct {
        const char *text;
        bool goes_on; /* bits_vbmi */
    } words[] = {{"run", false},     {"rows", false},    {"row", false},      {"iteration", false},
                 {"block", false},   {"all", false},     {"first", false},    {"dims", false},
                 {"strides", false}, {"tensors", false}, {"views", false},    {"vector", false},
                 {"copy", false},    {"bits", true},     {"group", true},     {"tail", true},
                 {"parts", false},   {"PARTS", true},    {"loop", false},     {"in", false},
                 {"out", false},     {"check", false},   {"origin", false},   {"path", false},
                 {"model", false},   {"any", false},     {"free", false},     {"tile", true},
                 {"numbers", false}, {"powers", false},  {"portable", false}, {"apart", false}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i) {
        const size_t len = strlen(words[i].text);
        if (strncmp(rest, words[i].text, len) == 0 && ends(rest + len, words[i].goes_on)) {
            return true;
        }
    }
    for (int i = 0; i < SG_ISA_COUNT; ++i) {
        const char *name = sg_isa_get((sg_isa)i)->name; /* avx512_feed_stream */
        if (strncmp(rest, name, strlen(name)) == 0 && ends(rest + strlen(name), true)) {
            return true;
        }
    }
    return false;
}

static int compare_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Whether a helper with this prefix could collide with a public symbol; `sorted` has all of them.
 */
static bool meets_symbol(sg_arena *arena, const char *const *sorted, int64_t count,
                         const char *prefix)
{
    const char *begin = sg_arena_printf(arena, "%s_", prefix);
    const size_t len = strlen(begin);
    int64_t low = 0;
    int64_t high = count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (strncmp(sorted[middle], begin, len) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (; low < count && strncmp(sorted[low], begin, len) == 0; ++low) {
        if (sg_symbols_is_helper(sorted[low] + len)) {
            return true;
        }
    }
    return false;
}

const char **sg_symbols_prefixes(sg_arena *arena, const char *const *symbols, int64_t count)
{
    const char **prefixes = SG_NEW_ARRAY(arena, const char *, count);
    const char **sorted = SG_NEW_ARRAY(arena, const char *, count);
    sg_nameset all;
    sg_nameset_init(&all, arena);
    for (int64_t i = 0; i < count; ++i) {
        sorted[i] = symbols[i];
        if (sg_nameset_find(&all, symbols[i]) == NULL) {
            sg_nameset_add(&all, symbols[i], 0);
        }
    }
    qsort(sorted, (size_t)count, sizeof *sorted, compare_text);

    for (int64_t i = 0; i < count; ++i) {
        prefixes[i] = symbols[i];
        for (int64_t n = 1; meets_symbol(arena, sorted, count, prefixes[i]) ||
                            (n > 1 && sg_nameset_find(&all, prefixes[i]) != NULL);
             ++n) {
            prefixes[i] = sg_arena_printf(arena, "%s_%" PRId64, symbols[i], n);
        }
    }
    return prefixes;
}

static bool is_among(const char *name, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        if (strcmp(name, words[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* A free name: the wanted one, or with '_', or with '_' and a number appended. is_taken may reject
 * a name by its beginning or by a "__" in it, whatever is appended; sg_name_param_from() replaces
 * such a name first. So at most as many numbers are tried as the set has names and is_taken has
 * words. Adds the name to the set. */
static const char *give_way(sg_nameset *set, const char *wanted, bool (*is_taken)(const char *name))
{
    const char *base = sg_name_param_from(set->arena, wanted);
    const char *name = base;
    if (base[strlen(base) - 1] != '_' && (is_taken(name) || sg_nameset_find(set, name) != NULL)) {
        name = sg_arena_printf(set->arena, "%s_", base);
    }
    while (is_taken(name) || sg_nameset_find(set, name) != NULL) {
        name = sg_nameset_numbered(set, base);
    }
    sg_nameset_add(set, name, 1);
    return name;
}

/* Names that the functions around the parameters declare. sg_name_param_problem knows those of the
 * language and the headers. */
static bool is_used_word(const char *name)
{
    static const char *const words[] = {"row", "first", "last", "input", "outputs"};
    return is_among(name, words, sizeof words / sizeof words[0]) ||
           sg_name_param_problem(name) != NULL;
}

const char *sg_symbols_param(sg_nameset *set, const char *wanted)
{
    return give_way(set, wanted, is_used_word);
}

static bool is_python_keyword(const char *name)
{
    static const char *const words[] = {
#define KEYWORD(word) #word,
#define GLOBAL(word)
#include "emit/python_words.inc"
#undef KEYWORD
#undef GLOBAL
    };
    return is_among(name, words, sizeof words / sizeof words[0]);
}

static bool is_python_word(const char *name)
{
    static const char *const globals[] = {
#define KEYWORD(word)
#define GLOBAL(word) #word,
#include "emit/python_words.inc"
#undef KEYWORD
#undef GLOBAL
    };
    return is_python_keyword(name) || is_among(name, globals, sizeof globals / sizeof globals[0]);
}

const char *sg_symbols_python_kernel(sg_nameset *set, const char *wanted)
{
    return give_way(set, wanted, is_python_word);
}

const char *sg_symbols_python_output(sg_nameset *set, const char *wanted)
{
    return give_way(set, wanted, is_python_keyword);
}

char *sg_symbols_upper(sg_arena *arena, const char *text)
{
    char *upper = sg_arena_strdup(arena, text);
    for (char *c = upper; *c != '\0'; ++c) {
        if (*c >= 'a' && *c <= 'z') {
            *c = (char)(*c - 'a' + 'A');
        }
    }
    return upper;
}

/* P_OFFSET and P_BYTE_OFFSET are both macros of P, so P collides with P_BYTE as well as with P. */
static bool macro_free(const sg_nameset *set, const char *prefix)
{
    static const char byte[] = "_BYTE";
    const size_t len = strlen(prefix);
    const size_t tail = sizeof byte - 1;
    if (sg_nameset_find(set, prefix) != NULL ||
        sg_nameset_find(set, sg_arena_printf(set->arena, "%s%s", prefix, byte)) != NULL) {
        return false;
    }
    return len < tail || strcmp(prefix + len - tail, byte) != 0 ||
           sg_nameset_find(set, sg_arena_strndup(set->arena, prefix, len - tail)) == NULL;
}

const char *sg_symbols_macro(sg_nameset *set, const char *symbol, const char *tensor)
{
    char *base = sg_symbols_upper(set->arena, sg_arena_printf(set->arena, "%s_%s", symbol, tensor));
    const char *name = base;
    while (!macro_free(set, name)) {
        name = sg_nameset_numbered(set, base);
    }
    sg_nameset_add(set, name, 1);
    return name;
}
