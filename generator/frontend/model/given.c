/* Reads texts about shapes, with a place for each number where there is one. */
#include "frontend/model/given.h"

#include <string.h>

/* n bytes of the text, which is part of the place's. */
static sg_span span_of(const sg_given_place *place, const char *at, size_t n)
{
    if (place->text == NULL) {
        return place->span;
    }
    const size_t begin = place->span.begin + (size_t)(at - place->text);
    return sg_span_make(place->span.source, begin, begin + (n > 0 ? n : 1));
}

bool sg_given_ints(sg_arena *arena, sg_diag *diag, const sg_given_place *place, sg_str text,
                   int64_t least, const int64_t **list, int64_t *count)
{
    int64_t *values = SG_NEW_ARRAY(arena, int64_t, text.len / 2 + 1);
    *list = values;
    *count = 0;
    for (size_t at = 0; at < text.len;) {
        const char *word = text.ptr + at;
        const char *comma = memchr(word, ',', text.len - at);
        const size_t n = comma != NULL ? (size_t)(comma - word) : text.len - at;
        if (!sg_parse_int64((sg_str){word, n}, &values[*count]) || values[*count] < least) {
            return sg_diag_fail(diag, place->exit, span_of(place, word, n),
                                "'%.*s' is not a whole number%s, as '%s' needs between commas",
                                (int)n, word, least == 0 ? " from 0 on" : "", place->option);
        }
        ++*count;
        at += n + 1;
        if (at == text.len) {
            return sg_diag_fail(diag, place->exit, span_of(place, comma, 1),
                                "nothing is behind the last comma");
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
    return sg_given_ints(arena, diag, place, dims, 0, &shape->dims, &shape->rank);
}
