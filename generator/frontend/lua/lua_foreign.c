/* Translates fields of other libraries: computes lengths and parts from their values. */
#include "frontend/lua/lua_foreign.h"

#include <inttypes.h>
#include <string.h>

#include "base/checked.h"
#include "frontend/lua/lua_value.h"

typedef enum meaning {
#define FOREIGN_MEANING(id, ours, says) id,
#include "frontend/lua/foreign_fields.inc"
} meaning;

static const struct {
    const char *ours;
    const char *says;
} meanings[] = {
#define FOREIGN_MEANING(id, ours, says) {ours, says},
#include "frontend/lua/foreign_fields.inc"
};

static const struct {
    const char *word;
    const char *whose; /* "" if another constructor of ours has the field */
    meaning number;
    meaning list;
} foreign[] = {
#define FOREIGN_FIELD(word, whose, number, list) {word, whose, number, list},
#include "frontend/lua/foreign_fields.inc"
};

enum { SHOWN = 16, UNKNOWN = -1 };

/* --- the op as far as it is written ----------------------------------------------------------- */

/* Pops an integer. Returns false if the value is not an integer. */
static bool pop_integer(lua_State *L, int64_t *out)
{
    int exact = 0;
    *out = lua_type(L, -1) == LUA_TNUMBER ? lua_tointegerx(L, -1, &exact) : 0;
    lua_pop(L, 1);
    return exact != 0;
}

/* Pushes a field of the table without calling metamethods. */
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

/* The axis, by our name or one of another library; 0 if it is missing. */
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

/* The length of the axis that is split, or UNKNOWN. */
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

/* --- lengths ---------------------------------------------------------------------------------- */

/* The names of the op's fields for lengths and parts. */
typedef struct words {
    const char *lengths; /* NULL: the op has no such field */
    const char *parts;
    bool has_rest; /* the last length may be -1 */
} words;

/* The lengths that the value on top of the stack stands for. */
typedef struct lengths {
    const char *text; /* NULL: unknown, invalid, or too many to print */
    int64_t count;
    bool equal;
} lengths;

/* Entry i of the list on top of the stack, or the number there if it is not a list. */
static bool entry_of(lua_State *L, int64_t i, int64_t *out)
{
    if (lua_istable(L, -1)) {
        lua_rawgeti(L, -1, i + 1);
    } else {
        lua_pushvalue(L, -1);
    }
    return pop_integer(L, out);
}

/* The length of part i of `count`, which begins at `at`. n: the number in the field; d: the length
 * of the axis. Returns false if the value is invalid. */
static bool length_of(lua_State *L, meaning means, int64_t d, int64_t n, int64_t i, int64_t count,
                      int64_t at, int64_t *out)
{
    const int64_t left = d - at;
    switch (means) {
    case SIZE:
        *out = n < left ? n : left;
        return true;
    case NEARLY:
        *out = d / n + (i < d % n);
        return true;
    case CUTS:
        if (i + 1 < count) {
            SG_TRY(entry_of(L, i, out));
            *out += *out < 0 && d != UNKNOWN ? d : 0;
            *out = *out > d && d != UNKNOWN ? d : *out;
            SG_TRY(*out >= at); /* overlapping parts are not a split */
            *out -= at;
            return true;
        }
        *out = d != UNKNOWN ? left : -1;
        return true;
    default:
        return entry_of(L, i, out);
    }
}

/* If the length of the axis is unknown, the last length of CUTS is -1, provided the op accepts
 * it. */
static lengths lengths_of(sg_lua_reader *r, meaning means, bool has_rest)
{
    const int64_t d = extent_of(r->L, r->index);
    const int64_t entries = lua_istable(r->L, -1) ? (int64_t)lua_rawlen(r->L, -1) : 1;
    const bool is_list = means == LENGTHS || means == CUTS;
    int64_t n = 1;
    lengths out = {.count = entries + (means == CUTS), .equal = true};
    if (is_list ? means == CUTS ? d == UNKNOWN && !has_rest : !lua_istable(r->L, -1)
                : d == UNKNOWN || !entry_of(r->L, 0, &n) || n < 1 || entries != 1) {
        return (lengths){0};
    }
    if (!is_list) {
        n = means == CHUNKS ? sg_ceil_div64(d, n) : n;
        means = means == CHUNKS ? SIZE : means;
        n = n > 0 ? n : 1;
        out.count = means == SIZE ? sg_ceil_div64(d, n) : n;
        out.equal = d % n == 0;
    }
    int64_t at = 0;
    int64_t first = 0;
    for (int64_t i = 0; i < out.count && out.count <= SHOWN + 1; i++) {
        int64_t length = 0;
        if (!length_of(r->L, means, d, n, i, out.count, at, &length)) {
            return (lengths){0};
        }
        out.text = sg_arena_printf(r->host->arena, "%s%s%" PRId64, i > 0 ? out.text : "",
                                   i > 0 ? ", " : "{ ", length);
        first = i == 0 ? length : first;
        out.equal = out.equal && length == first;
        at += means == SIZE || means == CUTS ? length : 0;
    }
    out.text = out.text != NULL ? sg_arena_printf(r->host->arena, "%s }", out.text) : NULL;
    return out;
}

/* --- messages --------------------------------------------------------------------------------- */

/* "lengths = { 4, 4, 3 }", in the fields of the op; NULL if it has no such field. */
static const char *translate(sg_lua_reader *r, const words *w, meaning means)
{
    sg_arena *arena = r->host->arena;
    int64_t n = 0;
    const bool is_count = !lua_istable(r->L, -1) && entry_of(r->L, 0, &n) && n > 0;
    const bool is_list = means == LENGTHS || means == CUTS;
    const lengths l = means != PARTS ? lengths_of(r, means, w->has_rest)
                      : is_count     ? (lengths){.count = n, .equal = true}
                                     : (lengths){0};
    const bool as_list = l.text != NULL && w->lengths != NULL;
    const bool counts = l.equal && l.count > 0 && w->parts != NULL &&
                        (w->lengths == NULL || (!is_list && (means != CHUNKS || l.count == n)));
    if (counts && (means != SIZE || !as_list)) {
        return sg_arena_printf(arena, "%s = %" PRId64, w->parts, l.count);
    }
    if (as_list) {
        return sg_arena_printf(arena, "%s = %s", w->lengths, l.text);
    }
    if (w->lengths == NULL) {
        return w->parts == NULL ? NULL
                                : sg_arena_printf(arena,
                                                  "'%s' (a number), or openvino.VariadicSplit with "
                                                  "'split_lengths' for unequal parts",
                                                  w->parts);
    }
    return w->parts == NULL ? sg_arena_printf(arena, "'%s' (a list)", w->lengths)
           : is_list || means == SIZE
               ? sg_arena_printf(arena, "'%s' (a list of the lengths)", w->lengths)
               : sg_arena_printf(arena,
                                 "'%s' (a number) if the parts are equal, else '%s' (a list)",
                                 w->parts, w->lengths);
}

/* "PyTorch's 'dim' is 'axis' here: axis = 1". */
static const char *by_name(sg_lua_reader *r, const char *subject, const char *ours)
{
    int64_t value = 0;
    return !lua_istable(r->L, -1) && entry_of(r->L, 0, &value)
               ? sg_arena_printf(r->host->arena, "%s is '%s' here: %s = %" PRId64, subject, ours,
                                 ours, value)
               : sg_arena_printf(r->host->arena, "%s is '%s' here", subject, ours);
}

static const char *explain(sg_lua_reader *r, const sg_lua_field *fields, const words *w,
                           const char *subject, meaning means)
{
    sg_arena *arena = r->host->arena;
    const char *same = meanings[means].ours;
    if (same[0] != '\0' && (means == STRIDE || sg_lua_field_find(fields, same) != NULL)) {
        return by_name(r, subject, same);
    }
    if (same[0] != '\0') {
        return means == SHAPE && sg_lua_field_find(fields, "data") != NULL
                   ? "write data = { dtype = ..., shape = {...} }"
                   : NULL;
    }
    const char *says =
        sg_arena_printf(arena, meanings[means].says, sg_lua_value_describe(r->L, -1));
    if (means == NEEDLESS) {
        return sg_arena_printf(arena, "%s is %s", subject, says);
    }
    const char *ours = sg_lua_value_unknown(r->L, -1) ? NULL : translate(r, w, means);
    if (ours == NULL) {
        return NULL;
    }
    /* The field exists in another of our constructors, so its meaning is clear. */
    return strcmp(subject, "it") == 0
               ? sg_arena_printf(arena, "write %s", ours)
               : sg_arena_printf(arena, "%s is %s: write %s", subject, says, ours);
}

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
