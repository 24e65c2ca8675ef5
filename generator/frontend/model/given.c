/* Parses shapes and values that users give as text. Each number has a place, if the text has
 * one. */
#include "frontend/model/given.h"

#include <string.h>

/* The span of n bytes at `at`, which points into place->text. */
static sg_span span_of(const sg_given_place *place, const char *at, size_t n)
{
    if (place->text == NULL) {
        return place->span;
    }
    const size_t begin = place->span.begin + (size_t)(at - place->text);
    return sg_span_make(place->span.source, begin, begin + (n > 0 ? n : 1));
}

bool sg_given_ints(sg_arena *arena, sg_diag *diag, const sg_given_place *place, sg_str text,
                   const int64_t **list, int64_t *count)
{
    int64_t *values = SG_NEW_ARRAY(arena, int64_t, text.len / 2 + 1);
    *list = values;
    *count = 0;
    for (size_t at = 0; at < text.len;) {
        const char *word = text.ptr + at;
        const char *comma = memchr(word, ',', text.len - at);
        const size_t n = comma != NULL ? (size_t)(comma - word) : text.len - at;
        if (!sg_parse_int64((sg_str){word, n}, &values[*count])) {
            return sg_diag_fail(diag, place->exit, span_of(place, word, n),
                                "'%.*s' is not a whole number, as '%s' needs between commas",
                                (int)n, word, place->option);
        }
        ++*count;
        at += n + 1;
        if (at == text.len) {
            return sg_diag_fail(diag, place->exit, span_of(place, comma, 1),
                                "a number is missing after the last comma");
        }
    }
    return true;
}

/* Reads a dim: "3", "batch?", "batch=64?". */
static bool read_dim(sg_arena *arena, sg_diag *diag, const sg_given_place *place, sg_str word,
                     int64_t *dim, sg_graph_free *free)
{
    if (word.len == 0 || word.ptr[word.len - 1] != '?') {
        return (sg_parse_int64(word, dim) && *dim >= 0) ||
               sg_diag_fail(
                   diag, place->exit, span_of(place, word.ptr, word.len),
                   "'%.*s' is not a whole number of at least 0, as '%s' needs between commas, "
                   "nor an open dim such as 'batch?' or 'batch=64?'",
                   (int)word.len, word.ptr, place->option);
    }
    const char *equals = memchr(word.ptr, '=', word.len);
    const size_t name = equals != NULL ? (size_t)(equals - word.ptr) : word.len - 1;
    *dim = 1;
    if (equals != NULL) {
        const sg_str number = {equals + 1, word.len - name - 2};
        if (!sg_parse_int64(number, dim) || *dim < 1) {
            return sg_diag_fail(diag, place->exit, span_of(place, number.ptr, number.len),
                                "'%.*s' is not an expected size, which is a whole number of at "
                                "least 1",
                                (int)number.len, number.ptr);
        }
    }
    if (name == 0) {
        return sg_diag_fail(diag, place->exit, span_of(place, word.ptr, word.len),
                            "an open dim has a name: 'batch?' or 'batch=64?'");
    }
    *free = (sg_graph_free){sg_arena_strndup(arena, word.ptr, name), *dim};
    return true;
}

bool sg_given_dims(sg_arena *arena, sg_diag *diag, const sg_given_place *place, sg_str text,
                   sg_graph_given_shape *shape)
{
    const size_t most = text.len / 2 + 1;
    sg_graph_free *frees = SG_NEW_ARRAY(arena, sg_graph_free, most);
    shape->has_dims = true;
    shape->rank = 0;
    shape->dims = SG_NEW_ARRAY(arena, int64_t, most);
    for (size_t at = 0; at < text.len;) {
        const char *word = text.ptr + at;
        const char *comma = memchr(word, ',', text.len - at);
        const size_t n = comma != NULL ? (size_t)(comma - word) : text.len - at;
        SG_TRY(read_dim(arena, diag, place, (sg_str){word, n}, &shape->dims[shape->rank],
                        &frees[shape->rank]));
        if (frees[shape->rank++].name != NULL) {
            shape->frees = frees;
        }
        at += n + 1;
        if (at == text.len) {
            return sg_diag_fail(diag, place->exit, span_of(place, comma, 1),
                                "a number is missing after the last comma");
        }
    }
    return true;
}

bool sg_given_type(sg_arena *arena, sg_diag *diag, const sg_given_place *place, sg_str text,
                   sg_graph_given_shape *shape)
{
    const char *bracket = memchr(text.ptr, '[', text.len);
    const sg_str word = {text.ptr, bracket != NULL ? (size_t)(bracket - text.ptr) : text.len};
    sg_dtype dtype;
    if (!sg_dtype_find(word, &dtype)) {
        const char *shown = sg_arena_strndup(arena, word.ptr, word.len);
        return sg_diag_fail(diag, place->exit, span_of(place, text.ptr, text.len), "%s",
                            sg_dtype_problem(arena, word, shown));
    }
    shape->dtype = (int)dtype;
    shape->has_dims = bracket != NULL;
    if (bracket == NULL) {
        return true;
    }
    if (text.ptr[text.len - 1] != ']') {
        return sg_diag_fail(diag, place->exit, span_of(place, text.ptr, text.len),
                            "']' is missing at the end");
    }
    const sg_str dims = {bracket + 1, text.len - word.len - 2};
    return sg_given_dims(arena, diag, place, dims, shape);
}

/* --- suggestions ------------------------------------------------------------------------------ */

typedef struct meaning {
    sg_arena *arena;
    const char *at;
    const char *type;
    const char *list; /* the entries so far: "1,16" */
    int64_t count;
    int64_t open;
} meaning;

static void add(meaning *m, const char *entry)
{
    m->list = m->count++ == 0 ? entry : sg_arena_printf(m->arena, "%s,%s", m->list, entry);
}

/* Reads a number and a cross after it: "16x" of "16x64". */
static void take_number(meaning *m, bool values)
{
    const char *begin = m->at;
    m->at += *m->at == '-' ? 1 : 0;
    m->at += strspn(m->at, "0123456789");
    const char *number = sg_arena_strndup(m->arena, begin, (size_t)(m->at - begin));
    static const char *const crosses[] = {"x", "X", "*", "\xC3\x97"};
    for (size_t i = 0; i < sizeof crosses / sizeof crosses[0]; ++i) {
        const size_t len = strlen(crosses[i]);
        if (strncmp(m->at, crosses[i], len) == 0) {
            m->at += len;
            break;
        }
    }
    const bool is_open = number[0] == '-' && !values;
    m->open += is_open ? 1 : 0;
    add(m, is_open ? "n?" : number);
}

/* Reads a type, or a dim that is not a number. */
static bool take_word(meaning *m, size_t len)
{
    static const char *const nothing[] = {"?", "*", "None", "none", "null", "NULL"};
    const char *word = sg_arena_strndup(m->arena, m->at, len);
    sg_dtype dtype = SG_DTYPE_F32;
    m->at += len;
    if (strcmp(word, "tensor") == 0 && *m->at == '<') { /* MLIR: tensor<16x64xf32> */
        return true;
    }
    if (sg_dtype_find(sg_str_from(word), &dtype)) {
        const bool first = m->type == NULL;
        m->type = sg_dtype_get(dtype)->name;
        return first;
    }
    ++m->open;
    for (size_t i = 0; i < sizeof nothing / sizeof nothing[0]; ++i) {
        if (strcmp(word, nothing[i]) == 0) {
            add(m, "n?");
            return true;
        }
    }
    add(m, word[len - 1] == '?' ? word : sg_arena_printf(m->arena, "%s?", word));
    return word[len - 1] == '?' || sg_str_is_ident(sg_str_from(word));
}

const char *sg_given_meant(sg_arena *arena, const char *text, bool values)
{
    static const char between[] = " \t,;[](){}<>";
    meaning m = {.arena = arena, .at = text};
    for (m.at += strspn(m.at, between); *m.at != '\0'; m.at += strspn(m.at, between)) {
        if (sg_is_digit((unsigned char)m.at[*m.at == '-' ? 1 : 0])) {
            take_number(&m, values);
        } else if (values || !take_word(&m, strcspn(m.at, between))) {
            return NULL;
        }
    }
    if (m.count == 0 || m.open > 1) {
        return NULL;
    }
    return m.type != NULL ? sg_arena_printf(arena, "%s[%s]", m.type, m.list) : m.list;
}
