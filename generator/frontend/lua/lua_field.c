/* Turns Lua values into fields, with a message for each value of the wrong type. */
#include "frontend/lua/lua_field.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <lauxlib.h>

#include "foreign/foreign.h"
#include "frontend/lua/lua_frame.h"
#include "frontend/lua/lua_value.h"
#include "lua/lua_library.h"
#include "split/names.h"

const char *sg_lua_field_title(sg_lua_reader *r, const char *word, int64_t entry)
{
    return entry > 0 ? sg_arena_printf(r->host->arena, "entry %" PRId64 " of '%s'", entry, word)
                     : sg_arena_printf(r->host->arena, "'%s'", word);
}

/* "; write axis = 1" if the value on top of the stack is the string '1', else "". */
static const char *quoted_integer(sg_lua_reader *r, const char *word, int64_t entry)
{
    size_t len = 0;
    const char *text = lua_type(r->L, -1) == LUA_TSTRING ? lua_tolstring(r->L, -1, &len) : "";
    int64_t number = 0;
    if (!sg_parse_int64((sg_str){text, len}, &number)) {
        return "";
    }
    return entry > 0 ? sg_arena_printf(r->host->arena, "; write %" PRId64, number)
                     : sg_arena_printf(r->host->arena, "; write %s = %" PRId64, word, number);
}

bool sg_lua_field_integer(sg_lua_reader *r, const char *word, int64_t entry, sg_span span,
                          int64_t *out)
{
    enum { index = -1 };
    lua_State *L = r->L;
    if (sg_lua_value_unknown(L, index)) {
        return false;
    }
    if (sg_lua_value_free(L, index) != NULL) {
        return sg_diag_error(r->host->diag, span,
                             "%s must be an integer, not %s: only entries of a shape can be open",
                             sg_lua_field_title(r, word, entry), sg_lua_value_describe(L, index));
    }
    if (lua_type(L, index) != LUA_TNUMBER) {
        return sg_diag_error(r->host->diag, span, "%s must be an integer, not %s%s",
                             sg_lua_field_title(r, word, entry), sg_lua_value_describe(L, index),
                             quoted_integer(r, word, entry));
    }
    lua_Number number = lua_tonumber(L, index);
    int exact = 0;
    *out = lua_tointegerx(L, index, &exact);
    if (!exact && isfinite(number) && floor(number) == number) {
        return sg_diag_error(r->host->diag, span, "%s is %s, which does not fit 64 bits",
                             sg_lua_field_title(r, word, entry), sg_lua_value_describe(L, index));
    }
    if (!exact) {
        return sg_diag_error(r->host->diag, span, "%s must be an integer, not %s",
                             sg_lua_field_title(r, word, entry), sg_lua_value_describe(L, index));
    }
    return true;
}

bool sg_lua_field_text(sg_lua_reader *r, const char *word, int64_t entry, sg_span span,
                       const char **out)
{
    enum { index = -1 };
    lua_State *L = r->L;
    if (sg_lua_value_unknown(L, index)) {
        return false;
    }
    if (lua_type(L, index) != LUA_TSTRING) {
        return sg_diag_error(r->host->diag, span, "%s must be a string, not %s",
                             sg_lua_field_title(r, word, entry), sg_lua_value_describe(L, index));
    }
    size_t len;
    const char *text = lua_tolstring(L, index, &len);
    if (strlen(text) != len) {
        return sg_diag_error(r->host->diag, span, "%s contains a zero byte",
                             sg_lua_field_title(r, word, entry));
    }
    if (len > SG_NAME_MAX) {
        return sg_diag_error(r->host->diag, span, "%s has %zu bytes; names have at most %d",
                             sg_lua_field_title(r, word, entry), len, SG_NAME_MAX);
    }
    *out = sg_arena_strndup(r->host->arena, text, len);
    return true;
}

sg_span sg_lua_field_entry_span(const sg_lua_list *l, int64_t index)
{
    const sg_lua_item *item = l->literal ? sg_lua_site_element(&l->table, index) : NULL;
    if (item == NULL && l->literal && l->table.count > 0) {
        /* Further values come from a last item that expands to several, such as a call. */
        const sg_lua_item *last = &l->table.items[l->table.count - 1];
        item = last->index > 0 && last->index < index ? last : NULL;
    }
    return item != NULL ? item->value : l->span;
}

/* Whether the item's value is a single name, which *name receives. */
static bool is_name(const sg_lua_reader *r, const sg_lua_item *item, sg_str *name)
{
    if (item->last != item->first + 1 || r->text->tokens[item->first].kind != SG_LUA_NAME) {
        return false;
    }
    *name = sg_lua_scan_word(r->text, item->first);
    return true;
}

const char *sg_lua_field_dim_advice(sg_arena *arena, sg_str name)
{
    enum { LONGEST = 40 };
    const char *any = name.len <= LONGEST && sg_str_is_ident(name)
                          ? sg_arena_strndup(arena, name.ptr, name.len)
                          : "n";
    return sg_arena_printf(
        arena,
        "write param(\"%s\") for a dimension that -D %s=... sets, free(\"%s\") for one that "
        "is passed on each call",
        any, any, any);
}

/* What to write instead of a name that is not defined, or NULL. */
static const char *undefined_advice(sg_arena *arena, sg_str name, sg_lua_advice how)
{
    const char *theirs = sg_foreign_word(SG_FOREIGN_NAME, name);
    const int len = (int)name.len;
    if (theirs != NULL || how == SG_LUA_ADVISE_NOTHING) {
        return theirs;
    }
    if (how == SG_LUA_ADVISE_DIM) {
        return sg_lua_field_dim_advice(arena, name);
    }
    return how == SG_LUA_ADVISE_QUOTES
               ? sg_arena_printf(arena, "a text is written \"%.*s\"", len, name.ptr)
               : sg_arena_printf(arena, "a value that -D %.*s=... sets is written param(\"%.*s\")",
                                 len, name.ptr, len, name.ptr);
}

/* Reports an item whose value is an undefined name. Lua evaluates such a name to nil, so the field
 * or the last entry of a list would silently be missing. */
static bool report_undefined(sg_lua_reader *r, const char *title, const sg_lua_item *item,
                             sg_lua_advice how)
{
    sg_str name;
    if (!is_name(r, item, &name) || !sg_lua_frame_undefined(r->L, name)) {
        return false;
    }
    const char *advice = undefined_advice(r->host->arena, name, how);
    sg_diag_error(r->host->diag, item->value, "%s is '%.*s', which is not defined%s%s", title,
                  (int)name.len, name.ptr, advice != NULL ? "; " : "",
                  advice != NULL ? advice : "");
    return true;
}

/* Reports such entries of a list. Returns true if there are any. */
static bool report_undefined_entries(sg_lua_reader *r, const sg_lua_field_value *v,
                                     const sg_lua_list *l, sg_lua_advice how)
{
    bool any = false;
    for (size_t i = 0; l->literal && i < l->table.count; i++) {
        const sg_lua_item *item = &l->table.items[i];
        if (item->index > 0) {
            bool nil = lua_rawgeti(r->L, -1, item->index) == LUA_TNIL;
            lua_pop(r->L, 1);
            any = (nil &&
                   report_undefined(r, sg_lua_field_title(r, v->word, item->index), item, how)) ||
                  any;
        }
    }
    return any;
}

/* A suggestion for a value on top of the stack that should be a list: "; write lengths = { 4, 8 }"
 * for the string '4,8' or '[4, 8]', or a list of one element; else "". */
static const char *unlisted(sg_lua_reader *r, const char *word, sg_lua_advice how)
{
    enum { LONGEST = 80 };
    sg_arena *arena = r->host->arena;
    if (how == SG_LUA_ADVISE_DIM && lua_isinteger(r->L, -1)) {
        return sg_arena_printf(arena, "; write %s = { %s }", word, sg_lua_value_describe(r->L, -1));
    }
    if (lua_type(r->L, -1) != LUA_TSTRING || lua_rawlen(r->L, -1) > LONGEST) {
        return "";
    }
    const char *text = lua_tostring(r->L, -1);
    if (how == SG_LUA_ADVISE_QUOTES) {
        return sg_str_is_ident(sg_str_from(text))
                   ? sg_arena_printf(arena, "; write %s = { \"%s\" }", word, text)
                   : "";
    }
    text += strspn(text, "[({ ");
    const size_t len = strspn(text, "0123456789-, ");
    if (len == 0 || text[len + strspn(text + len, "])} ")] != '\0') {
        return "";
    }
    return sg_arena_printf(arena, "; write %s = { %.*s }", word, (int)len, text);
}

bool sg_lua_field_open_list(sg_lua_reader *r, const sg_lua_field_value *v, const char *wanted,
                            sg_lua_advice how, sg_lua_list *out)
{
    lua_State *L = r->L;
    const char *problem = NULL;
    int64_t entry = 0;
    *out = (sg_lua_list){.span = v->span};
    if (sg_lua_value_unknown(L, -1)) {
        return false;
    }
    if (!lua_istable(L, -1)) {
        return sg_diag_error(r->host->diag, v->span, "'%s' must be %s, not %s%s", v->word, wanted,
                             sg_lua_value_describe(L, -1), unlisted(r, v->word, how));
    }
    out->literal =
        v->item != NULL && sg_lua_site_nested(L, r->text, v->item, lua_gettop(L), &out->table);
    if (report_undefined_entries(r, v, out, how)) {
        return false;
    }
    out->count = sg_lua_value_sequence(L, -1, &problem, &entry);
    if (out->count < 0) {
        sg_span span = entry > 0 ? sg_lua_field_entry_span(out, entry) : v->span;
        const bool is_dim = entry > 0 && how == SG_LUA_ADVISE_DIM;
        return sg_diag_error(
            r->host->diag, span, "'%s' %s%s%s", v->word, problem, is_dim ? "; " : "",
            is_dim ? sg_lua_field_dim_advice(r->host->arena, sg_str_from("")) : "");
    }
    return true;
}

const sg_lua_field *sg_lua_field_find(const sg_lua_field *fields, const char *word)
{
    for (const sg_lua_field *f = fields; f->word != NULL; f++) {
        if (strcmp(f->word, word) == 0) {
            return f;
        }
    }
    return NULL;
}

/* "'parts' or 'lengths'": the fields of the constructor that the table of other tools' words has
 * for a name, and its hint; "" if it has none. */
static const char *ours_for(sg_arena *arena, const sg_lua_field *fields, const char *name)
{
    const char *row = sg_foreign_word(SG_FOREIGN_FIELD, sg_str_from(name));
    const char *all = "";
    while (row != NULL && *row != '\0' && *row != '(') {
        const size_t len = strcspn(row, " ");
        const char *word = sg_arena_strndup(arena, row, len);
        if (sg_lua_field_find(fields, word) != NULL) {
            all = sg_arena_printf(arena, "%s%s'%s'", all, all[0] != '\0' ? " or " : "", word);
        }
        row += len + strspn(row + len, " ");
    }
    return all[0] != '\0' && *row != '\0' ? sg_arena_printf(arena, "%s %s", all, row) : all;
}

static void report_unknown(sg_lua_reader *r, const sg_lua_field *fields, const char *name,
                           sg_span span)
{
    enum { MAX_FIELDS = 16 };
    r->ok = false;
    if (r->report != NULL && r->report(r, fields, name, span)) {
        return;
    }
    const char *words[MAX_FIELDS];
    size_t count = 0;
    const char *all = "";
    sg_arena *arena = r->host->arena;
    for (const sg_lua_field *f = fields; f->word != NULL && count < MAX_FIELDS; f++) {
        all = sg_arena_printf(arena, "%s%s%s", all, count > 0 ? ", " : "", f->word);
        words[count++] = f->word;
    }
    const char *ours = ours_for(arena, fields, name);
    const char *near = sg_suggest(sg_str_from(name), words, count);
    if (ours[0] == '\0' && near != NULL) {
        ours = sg_arena_printf(arena, "'%s'", near);
    }
    if (ours[0] != '\0') {
        sg_diag_error(r->host->diag, span, "unknown field '%s' in %s; did you mean %s?", name,
                      r->title, ours);
    } else {
        sg_diag_error(r->host->diag, span, "unknown field '%s' in %s; its fields are %s", name,
                      r->title, all);
    }
}

static void report_stray(sg_lua_reader *r, const char *what, sg_span span)
{
    sg_diag_error(r->host->diag, span, "%s has %s, but its fields are written name = value",
                  r->title, what);
    r->ok = false;
}

/* Reports equal keys. Lua silently uses the last one. */
static void check_twice(sg_lua_reader *r)
{
    for (size_t i = 0; r->literal != NULL && i < r->literal->count; i++) {
        const sg_lua_item *item = &r->literal->items[i];
        for (size_t k = 0; item->name.ptr != NULL && k < i; k++) {
            const sg_lua_item *earlier = &r->literal->items[k];
            if (earlier->name.ptr != NULL && sg_str_eq(earlier->name, item->name)) {
                sg_diag_error(r->host->diag, item->key, "'%.*s' is given twice",
                              (int)item->name.len, item->name.ptr);
                sg_diag_note(r->host->diag, earlier->key, "it is given here already");
                r->ok = false;
                break;
            }
        }
    }
}

void sg_lua_field_each(sg_lua_reader *r, sg_lua_field_visit visit, void *context)
{
    lua_State *L = r->L;
    const int index = lua_gettop(L);
    luaL_checkstack(L, 12, NULL);
    check_twice(r);
    bool orderly = true;
    for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1)) {
        int type = lua_type(L, -2);
        orderly = orderly && (type == LUA_TSTRING || type == LUA_TNUMBER || type == LUA_TBOOLEAN);
    }
    if (!orderly) {
        report_stray(r, "a key that is no name", r->fallback);
        return;
    }
    bool stray = false;
    lua_pushcfunction(L, sg_lua_order_pairs);
    lua_pushvalue(L, index);
    lua_call(L, 1, 1);
    for (;;) {
        lua_pushvalue(L, -1);
        lua_call(L, 0, 2);
        if (lua_isnil(L, -2)) {
            lua_pop(L, 3);
            return;
        }
        if (lua_type(L, -2) == LUA_TSTRING && lua_rawlen(L, -2) > SG_NAME_MAX) {
            sg_diag_error(r->host->diag, r->fallback,
                          "a field of %s has a name of %zu bytes; names have at most %d", r->title,
                          (size_t)lua_rawlen(L, -2), SG_NAME_MAX);
            r->ok = false;
        } else if (lua_type(L, -2) == LUA_TSTRING) {
            const char *name = sg_arena_strdup(r->host->arena, lua_tostring(L, -2));
            const sg_lua_item *item =
                r->literal != NULL ? sg_lua_site_field(r->literal, name) : NULL;
            const sg_lua_field_value v = {name, item, item != NULL ? item->value : r->fallback};
            visit(r, &v, context);
        } else if (!stray) {
            const sg_lua_item *item = r->literal != NULL && lua_isinteger(L, -2)
                                          ? sg_lua_site_element(r->literal, lua_tointeger(L, -2))
                                          : NULL;
            const char *what =
                sg_arena_printf(r->host->arena, "%s without a name", sg_lua_value_describe(L, -1));
            report_stray(r, what, item != NULL ? item->value : r->fallback);
            stray = true;
        }
        lua_pop(L, 2);
    }
}

/* Names that are not fields, in the order of the text. */
typedef struct unknown {
    const char *name;
    sg_span span;
    struct unknown *next;
} unknown;

typedef struct unknowns {
    const sg_lua_field *fields;
    unknown *first;
} unknowns;

static void collect_unknown(sg_lua_reader *r, const sg_lua_field_value *v, void *context)
{
    unknowns *all = context;
    if (sg_lua_field_find(all->fields, v->word) != NULL) {
        return;
    }
    unknown *u = SG_NEW(r->host->arena, unknown);
    *u = (unknown){.name = v->word, .span = v->item != NULL ? v->item->key : r->fallback};
    unknown **at = &all->first;
    while (*at != NULL && (*at)->span.begin <= u->span.begin) {
        at = &(*at)->next;
    }
    u->next = *at;
    *at = u;
}

sg_lua_reader sg_lua_field_inner(sg_lua_reader *r, const sg_lua_field_value *v, const char *title,
                                 sg_lua_table *table)
{
    const bool literal =
        v->item != NULL && sg_lua_site_nested(r->L, r->text, v->item, lua_gettop(r->L), table);
    return (sg_lua_reader){.L = r->L,
                           .host = r->host,
                           .target = r->target,
                           .title = title,
                           .report = r->report,
                           .text = r->text,
                           .literal = literal ? table : NULL,
                           .fallback = v->span,
                           .ok = true};
}

void sg_lua_field_read(sg_lua_reader *r, const sg_lua_field *fields)
{
    lua_State *L = r->L;
    int index = lua_gettop(L);
    unknowns all = {.fields = fields};
    sg_lua_field_each(r, collect_unknown, &all);
    for (const unknown *u = all.first; u != NULL; u = u->next) {
        lua_pushstring(L, u->name);
        lua_rawget(L, index);
        report_unknown(r, fields, u->name, u->span);
        lua_pop(L, 1);
    }
    for (const sg_lua_field *f = fields; f->word != NULL; f++) {
        lua_pushstring(L, f->word);
        if (lua_rawget(L, index) != LUA_TNIL) {
            const sg_lua_item *item =
                r->literal != NULL ? sg_lua_site_field(r->literal, f->word) : NULL;
            const sg_lua_field_value v = {f->word, item, item != NULL ? item->value : r->fallback};
            r->ok = f->read(r, f, &v) && r->ok;
        } else if (r->literal != NULL) {
            const sg_lua_item *item = sg_lua_site_field(r->literal, f->word);
            if (item != NULL &&
                report_undefined(r, sg_lua_field_title(r, f->word, 0), item, f->advice)) {
                r->ok = false;
            }
        }
        lua_pop(L, 1);
    }
}
