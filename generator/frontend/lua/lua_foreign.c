/* Translates fields of other libraries: what their numbers are as lengths and parts of ours. */
#include "frontend/lua/lua_foreign.h"

#include <inttypes.h>
#include <string.h>

#include "base/checked.h"
#include "frontend/lua/lua_value.h"

typedef enum meaning {
    AXIS,
    DTYPE,
    SHAPE,
    STRIDE,
    PARTS,
    CHUNKS,
    NEARLY,
    SIZE,
    LENGTHS,
    CUTS,
    NEEDLESS
} meaning;

static const struct {
    const char *word;
    const char *whose; /* "" where it is the field of another constructor */
    meaning number;
    meaning list;
} foreign[] = {
#define FOREIGN_FIELD(word, whose, number, list) {word, whose, number, list},
#include "frontend/lua/foreign_fields.inc"
};

enum { SHOWN = 16, UNKNOWN = -1 };

/* Lengths of parts; REST is what remains, of an axis whose length is not known. */
#define REST INT64_MIN

typedef struct lengths {
    int64_t items[SHOWN + 1];
    int64_t count; /* more than SHOWN + 1: not written out; 0: there are none such */
} lengths;

/* The op as far as it is written ----------------------------------------------------------------
 */

/* The integer at the top of the stack, which is popped. */
static bool pop_integer(lua_State *L, int64_t *out)
{
    int exact = 0;
    *out = lua_type(L, -1) == LUA_TNUMBER ? lua_tointegerx(L, -1, &exact) : 0;
    lua_pop(L, 1);
    return exact != 0;
}

/* Pushes the field of the table, without what metatables say. */
static void push_field(lua_State *L, int index, const char *word)
{
    lua_pushstring(L, word);
    if (lua_istable(L, index)) {
        lua_rawget(L, index);
    } else {
        lua_pop(L, 1);
        lua_pushnil(L);
    }
}

/* The axis by our name or another's; 0 if there is none. */
static int64_t axis_of(lua_State *L, int index)
{
    int64_t axis = 0;
    push_field(L, index, "axis");
    if (pop_integer(L, &axis)) {
        return axis;
    }
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        if (foreign[i].number == AXIS) {
            push_field(L, index, foreign[i].word);
            if (pop_integer(L, &axis)) {
                return axis;
            }
        }
    }
    return 0;
}

/* The length of the axis that is cut, or UNKNOWN. */
static int64_t extent_of(lua_State *L, int index)
{
    static const char *const shapes[] = {"shape", "size", "dims"};
    int64_t extent = UNKNOWN;
    const int64_t axis = axis_of(L, index);
    push_field(L, index, "data");
    const int holder = lua_istable(L, -1) ? lua_gettop(L) : index;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes && extent == UNKNOWN; i++) {
        push_field(L, holder, shapes[i]);
        const int64_t rank = lua_istable(L, -1) ? (int64_t)lua_rawlen(L, -1) : 0;
        if (axis >= -rank && axis < rank) {
            lua_rawgeti(L, -1, (axis < 0 ? axis + rank : axis) + 1);
            if (!pop_integer(L, &extent) || extent < 0) {
                extent = UNKNOWN;
            }
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return extent;
}

/* Lengths ---------------------------------------------------------------------------------------
 */

static void add_length(lengths *out, int64_t length)
{
    if (out->count <= SHOWN) {
        out->items[out->count] = length;
    }
    out->count++;
}

/* Chunks of a length, the last one shorter. */
static void cut_by_size(int64_t extent, int64_t size, lengths *out)
{
    *out = (lengths){0};
    if (extent == UNKNOWN || size < 1) {
        return;
    }
    for (int64_t at = 0; at < extent && out->count <= SHOWN; at += size) {
        add_length(out, size < extent - at ? size : extent - at);
    }
    out->count = extent / size + (extent % size != 0);
}

/* n parts of nearly the same length, the longer ones first. */
static void cut_nearly(int64_t extent, int64_t n, lengths *out)
{
    *out = (lengths){0};
    for (int64_t i = 0; extent != UNKNOWN && i < n && out->count <= SHOWN; i++) {
        add_length(out, extent / n + (i < extent % n));
    }
    out->count = extent != UNKNOWN && n > 0 ? n : 0;
}

/* Between the places of the list on top of the stack, or at the number there. Places count from the
 * end if they are negative; beyond the ends they are the ends. */
static void cut_at(lua_State *L, int64_t extent, lengths *out)
{
    const bool is_list = lua_istable(L, -1);
    const int64_t n = is_list ? (int64_t)lua_rawlen(L, -1) : 1;
    int64_t last = 0;
    bool from_end = false; /* last is a place counted from the end */
    *out = (lengths){0};
    for (int64_t i = 0; i <= n; i++) {
        int64_t place = extent != UNKNOWN ? extent : 0;
        bool behind = extent == UNKNOWN;
        if (i < n) {
            if (is_list) {
                lua_rawgeti(L, -1, i + 1);
            } else {
                lua_pushvalue(L, -1);
            }
            if (!pop_integer(L, &place)) {
                out->count = 0;
                return;
            }
            behind = extent == UNKNOWN && place < 0;
        }
        if (extent != UNKNOWN) {
            place = place < 0 && place + extent >= 0 ? place + extent : place;
            place = place < 0 ? 0 : place > extent ? extent : place;
        }
        if ((from_end && !behind) || (from_end == behind && place < last)) {
            out->count = 0; /* parts that overlap are no split */
            return;
        }
        add_length(out, behind && !from_end ? REST : place - last);
        last = place;
        from_end = behind;
    }
}

/* The lengths that are given themselves. */
static void take_lengths(lua_State *L, lengths *out)
{
    *out = (lengths){0};
    const int64_t n = lua_istable(L, -1) ? (int64_t)lua_rawlen(L, -1) : 0;
    for (int64_t i = 0; i < n; i++) {
        int64_t length = 0;
        lua_rawgeti(L, -1, i + 1);
        if (!pop_integer(L, &length)) {
            out->count = 0;
            return;
        }
        add_length(out, length);
    }
}

/* Words -----------------------------------------------------------------------------------------
 */

/* "{ 4, 4, -1 }"; of the front-ends without -1 the length itself. */
static const char *list_text(sg_arena *arena, const lengths *l, bool has_rest, bool ends_in_rest)
{
    const char *text = "{";
    int64_t known = 0;
    for (int64_t i = 0; i < l->count; i++) {
        ends_in_rest = ends_in_rest && l->items[i] != REST; /* one is enough */
        known += l->items[i] == REST ? 0 : l->items[i];
    }
    for (int64_t i = 0; i < l->count; i++) {
        const char *comma = i > 0 ? ", " : " ";
        const bool is_rest = l->items[i] == REST || (ends_in_rest && has_rest && i == l->count - 1);
        text = is_rest && has_rest ? sg_arena_printf(arena, "%s%s-1", text, comma)
               : is_rest           ? sg_arena_printf(arena, "%s%sN - %" PRId64, text, comma, known)
                         : sg_arena_printf(arena, "%s%s%" PRId64, text, comma, l->items[i]);
    }
    return sg_arena_printf(arena, "%s }%s", text,
                           !has_rest && strstr(text, "N - ") != NULL
                               ? ", N being the length of the "
                                 "axis"
                               : "");
}

static bool all_equal(const lengths *l)
{
    for (int64_t i = 1; i < l->count && i <= SHOWN; i++) {
        if (l->items[i] != l->items[0]) {
            return false;
        }
    }
    return l->count > 0;
}

typedef struct words {
    const char *lengths; /* NULL: the op has no such field */
    const char *parts;
    bool has_rest;
} words;

/* What a number or a list of that meaning is. */
static const char *meaning_text(sg_arena *arena, meaning means, const char *value)
{
    switch (means) {
    case PARTS:
        return sg_arena_printf(arena, "%s equal parts", value);
    case CHUNKS:
        return sg_arena_printf(arena, "up to %s chunks of one length, the last one shorter", value);
    case NEARLY:
        return sg_arena_printf(arena, "%s parts, the first ones longer by one if need be", value);
    case SIZE:
        return sg_arena_printf(arena, "chunks of length %s, the last one shorter if need be",
                               value);
    case CUTS:
        return "places to cut at, not lengths";
    default:
        return "lengths of parts";
    }
}

/* "lengths = { 4, 4, -1 }", as the op has it; NULL: it has no such field. */
static const char *translate(sg_lua_reader *r, const words *w, meaning means)
{
    lua_State *L = r->L;
    sg_arena *arena = r->host->arena;
    const int64_t extent = extent_of(L, r->index);
    int64_t n = 0;
    lua_pushvalue(L, -1);
    const bool is_number = pop_integer(L, &n);
    lengths l = {0};
    bool by_parts = is_number && n > 0 && means == PARTS;
    if (means == CUTS) {
        cut_at(L, extent, &l);
    } else if (means == LENGTHS) {
        take_lengths(L, &l);
    } else if (is_number && n > 0 && means == SIZE) {
        cut_by_size(extent, n, &l);
    } else if (is_number && n > 0 && means == CHUNKS && extent != UNKNOWN) {
        cut_by_size(extent, sg_ceil_div64(extent, n), &l);
        by_parts = l.count == n && extent % n == 0;
    } else if (is_number && n > 0 && means == NEARLY) {
        cut_nearly(extent, n, &l);
        by_parts = extent != UNKNOWN && extent % n == 0;
    }
    if (means == SIZE && l.count > SHOWN + 1 && all_equal(&l) && extent % n == 0) {
        by_parts = true;
        n = l.count;
    }
    if (by_parts && w->parts != NULL) {
        return sg_arena_printf(arena, "%s = %" PRId64, w->parts, n);
    }
    if (l.count > 0 && l.count <= SHOWN + 1 && w->lengths != NULL) {
        return sg_arena_printf(arena, "%s = %s", w->lengths,
                               list_text(arena, &l, w->has_rest, means == SIZE || means == CUTS));
    }
    if (l.count > 0 && w->lengths == NULL && w->parts != NULL && all_equal(&l)) {
        return sg_arena_printf(arena, "%s = %" PRId64, w->parts, l.count);
    }
    if (w->lengths == NULL && w->parts == NULL) {
        return NULL;
    }
    if (w->lengths == NULL) {
        return sg_arena_printf(arena,
                               "'%s' (a number), or openvino.VariadicSplit with "
                               "'split_lengths' for unequal parts",
                               w->parts);
    }
    if (w->parts == NULL) {
        return sg_arena_printf(arena, "'%s' (a list)", w->lengths);
    }
    return means == LENGTHS || means == CUTS || means == SIZE
               ? sg_arena_printf(arena, "'%s' (a list of the lengths)", w->lengths)
               : sg_arena_printf(arena,
                                 "'%s' (a number) if the parts are equal, else '%s' (a list)",
                                 w->parts, w->lengths);
}

/* "PyTorch's 'dim' is 'axis' here: axis = 1". */
static const char *by_name(sg_lua_reader *r, const char *subject, const char *ours)
{
    int64_t value = 0;
    lua_pushvalue(r->L, -1);
    return pop_integer(r->L, &value)
               ? sg_arena_printf(r->host->arena, "%s is '%s' here: %s = %" PRId64, subject, ours,
                                 ours, value)
               : sg_arena_printf(r->host->arena, "%s is '%s' here", subject, ours);
}

static const char *explain(sg_lua_reader *r, const sg_lua_field *fields, const words *w,
                           const char *subject, meaning means)
{
    sg_arena *arena = r->host->arena;
    const bool in_data = sg_lua_field_find(fields, "data") != NULL;
    switch (means) {
    case AXIS:
        return sg_lua_field_find(fields, "axis") != NULL ? by_name(r, subject, "axis") : NULL;
    case DTYPE:
        return sg_lua_field_find(fields, "dtype") != NULL ? by_name(r, subject, "dtype") : NULL;
    case SHAPE:
        return sg_lua_field_find(fields, "shape") != NULL ? by_name(r, subject, "shape")
               : in_data ? "write data = { dtype = ..., shape = {...} }"
                         : NULL;
    case STRIDE:
        return by_name(r, subject, "row_stride");
    case NEEDLESS:
        return sg_arena_printf(arena,
                               "%s is not needed: parts of length 1 have the same bytes with "
                               "and without their axis",
                               subject);
    default:
        break;
    }
    if (sg_lua_value_unknown(r->L, -1)) {
        return NULL;
    }
    const char *ours = translate(r, w, means);
    if (ours == NULL) {
        return NULL;
    }
    if (strcmp(subject, "it") == 0) { /* a name of another constructor says what it means */
        return sg_arena_printf(arena, "write %s", ours);
    }
    return sg_arena_printf(arena, "%s is %s: write %s", subject,
                           meaning_text(arena, means, sg_lua_value_describe(r->L, -1)), ours);
}

/* The op's fields for lengths and parts. */
static words words_of(const sg_lua_field *fields, sg_op_kind kind)
{
    const char *lengths_word = sg_op_lengths_word(kind);
    const char *parts_word = sg_op_parts_word(kind);
    return (words){.lengths = sg_lua_field_find(fields, lengths_word) != NULL ? lengths_word : NULL,
                   .parts = sg_lua_field_find(fields, parts_word) != NULL ? parts_word : NULL,
                   .has_rest = kind != SG_OP_ONNX_SPLIT};
}

const char *sg_lua_foreign_value(sg_lua_reader *r, const sg_lua_field *fields, sg_op_kind kind)
{
    sg_arena *arena = r->host->arena;
    const words w = words_of(fields, kind);
    const bool is_list = lua_istable(r->L, -1);
    const char *ours = translate(r, &w, is_list ? LENGTHS : SIZE);
    if (ours == NULL || is_list) {
        return ours != NULL ? sg_arena_printf(arena, "write %s", ours) : NULL;
    }
    const char *n = sg_lua_value_describe(r->L, -1);
    return w.parts != NULL
               ? sg_arena_printf(arena,
                                 "write %s for parts of length %s, %s = %s for %s equal parts",
                                 ours, n, w.parts, n, n)
               : sg_arena_printf(arena, "write %s for parts of length %s", ours, n);
}

const char *sg_lua_foreign_field(sg_lua_reader *r, const sg_lua_field *fields, sg_op_kind kind,
                                 const char *name)
{
    const words w = words_of(fields, kind);
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        if (strcmp(name, foreign[i].word) != 0) {
            continue;
        }
        const char *subject =
            foreign[i].whose[0] != '\0'
                ? sg_arena_printf(r->host->arena, "%s '%s'", foreign[i].whose, name)
                : "it";
        const meaning means = lua_istable(r->L, -1) ? foreign[i].list : foreign[i].number;
        return explain(r, fields, &w, subject, means);
    }
    return NULL;
}
