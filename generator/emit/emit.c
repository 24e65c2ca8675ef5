/* Renders a template over a unit: finds the texts, runs them in the sandbox, and turns errors into
 * diagnostics with the template's own lines. */
#include "emit/emit.h"

#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

#include "emit/builtin.h"
#include "emit/model.h"
#include "emit/phrases.h"
#include "emit/push.h"
#include "emit/sandbox.h"
#include "emit/template.h"

#define PRELUDE "prelude.lua"

/* A template or the prelude. */
typedef struct text_file {
    const char *name; /* the name that templates use */
    const sg_source *source;
    bool is_loading; /* its chunk is still running */
} text_file;

/* Numbers of the chunks, which are indices into the files; imported templates follow. */
enum { PRELUDE_CHUNK, MAIN_CHUNK };

typedef struct rendering {
    sg_arena *arena;
    sg_diag *diag;
    const sg_emit_watch *watch; /* may be NULL */
    const sg_model *model;
    text_file files[SG_CHUNKS_MAX];
    int nfiles;
    bool reported; /* the error that stopped the sandbox was already reported */
    sg_buf *out;
    lua_Integer indent; /* spaces to add before every line that is not empty; below 0: to remove */
    int64_t current;    /* the kernel last read from the unit, -1: none */
} rendering;

/* Appends a text to the files. False: there is none of this name. */
static bool load_text(rendering *r, const char *name)
{
    size_t len = 0;
    const sg_emit_watch *watch = r->watch;
    const char *text =
        watch != NULL && watch->text != NULL ? watch->text(watch->user, name, &len) : NULL;
    for (size_t i = 0; text == NULL && i < sg_builtin_count; ++i) {
        if (strcmp(sg_builtins[i].name, name) == 0) {
            text = (const char *)sg_builtins[i].text;
            len = sg_builtins[i].len;
        }
    }
    if (text == NULL) {
        return false;
    }
    const char *path = sg_arena_printf(r->arena, "templates/%s", name);
    r->files[r->nfiles++] =
        (text_file){.name = name, .source = sg_source_new(r->arena, path, text, len)};
    return true;
}

/* --- called from Lua -------------------------------------------------------------------------- */

/* Adds text line by line, because it may be long. */
static void add_text(rendering *r, sg_str text)
{
    static const char newline = '\n';
    while (text.len > 0) {
        const bool begins = r->out->len == 0 || r->out->ptr[r->out->len - 1] == newline;
        for (lua_Integer n = r->indent; begins && n < 0 && text.len > 0 && *text.ptr == ' '; ++n) {
            text = (sg_str){text.ptr + 1, text.len - 1};
        }
        if (begins && r->indent > 0 && *text.ptr != newline) {
            sg_buf_printf(r->out, "%*s", (int)r->indent, "");
        }
        const char *end = text.len > 0 ? memchr(text.ptr, newline, text.len) : NULL;
        const size_t n = end != NULL ? (size_t)(end - text.ptr) + 1 : text.len;
        sg_buf_add(r->out, text.ptr, n);
        text = (sg_str){text.ptr + n, text.len - n};
    }
}

/* One text line: text, value, text, value, ..., text. */
static int emit_line(lua_State *L)
{
    rendering *r = sg_sandbox_of(L)->context;
    const int n = lua_gettop(L);
    for (int i = 1; i <= n; ++i) {
        const int type = lua_type(L, i);
        if (type == LUA_TSTRING) {
            size_t len = 0;
            const char *text = lua_tolstring(L, i, &len);
            add_text(r, (sg_str){text, len});
        } else if (type == LUA_TNUMBER && lua_isinteger(L, i)) {
            char digits[24];
            const int len = snprintf(digits, sizeof digits, "%lld", (long long)lua_tointeger(L, i));
            add_text(r, (sg_str){digits, (size_t)len});
        } else {
            return luaL_error(L, "the value is a %s; only strings and integers become text",
                              type == LUA_TNUMBER ? "float" : lua_typename(L, type));
        }
    }
    return 0;
}

static int add_globals(lua_State *L)
{
    rendering *r = sg_sandbox_of(L)->context;
    sg_push_open(L, r->model, &r->current, r->watch);
    sg_push_model(L, r->model);
    lua_setfield(L, 1, "unit");
    lua_pushcfunction(L, sg_phrases_join);
    lua_setfield(L, 1, "join");
    lua_pushcfunction(L, sg_phrases_wrap);
    lua_setfield(L, 1, "wrap");
    return 0;
}

/* --- import ----------------------------------------------------------------------------------- */

/* Leaves the chunk of the last file on the stack. */
static void load_imported(lua_State *L, rendering *r)
{
    const text_file *file = &r->files[r->nfiles - 1];
    sg_buf lua = {0};
    r->reported = !sg_template_compile(r->diag, file->source, &lua);
    lua_pushliteral(L, "not compiled");
    const bool loaded =
        !r->reported && sg_sandbox_load(L, (sg_str){lua.ptr, lua.len}, r->nfiles - 1);
    sg_buf_free(&lua);
    if (!loaded) {
        lua_error(L);
    }
}

/* import(name): runs another template on its first import, and returns its result. */
static int import(lua_State *L)
{
    rendering *r = sg_sandbox_of(L)->context;
    const char *name = luaL_checkstring(L, 1);
    for (int i = MAIN_CHUNK; i < r->nfiles; ++i) {
        if (strcmp(r->files[i].name, name) == 0) {
            if (r->files[i].is_loading) {
                return luaL_error(L, "'%s' imports itself in a circle", name);
            }
            lua_rawgetp(L, LUA_REGISTRYINDEX, &r->files[i]);
            return 1;
        }
    }
    if (r->nfiles == SG_CHUNKS_MAX || !load_text(r, sg_arena_strdup(r->arena, name))) {
        return luaL_error(L, "there is no template '%s', or no room for it", name);
    }
    text_file *file = &r->files[r->nfiles - 1];
    file->is_loading = true;
    load_imported(L, r);
    lua_pushcfunction(L, emit_line);
    lua_call(L, 1, 1);
    file->is_loading = false;
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, file);
    return 1;
}

/* indent(by): adds `by` spaces, or removes them if negative, before every following line. */
static int indent(lua_State *L)
{
    rendering *r = sg_sandbox_of(L)->context;
    r->indent += luaL_checkinteger(L, 1);
    return 0;
}

/* Added after the prelude, which is not a template. */
static int add_import(lua_State *L)
{
    lua_pushcfunction(L, indent);
    lua_setfield(L, 1, "indent");
    lua_pushcfunction(L, import);
    lua_setfield(L, 1, "import");
    return 0;
}

/* --- errors ----------------------------------------------------------------------------------- */

static void note_kernel(const rendering *r)
{
    if (r->current < 0) {
        return;
    }
    const sg_split *split = r->model->kernels[r->current].plan->split;
    const sg_span span = split->op != NULL ? split->op->span : sg_span_none();
    sg_diag_note(r->diag, span, "while emitting kernel '%s'", split->name);
}

static sg_span span_of(const rendering *r, const sg_sandbox_place *place)
{
    return sg_source_line_span(r->files[place->chunk].source, place->line);
}

/* Reports an error at its place in the innermost text; the texts around it become notes. */
static void report(const rendering *r, const sg_sandbox *box)
{
    int at = 0;
    if (!r->reported) {
        sg_diag_fail(r->diag, SG_EXIT_BUG,
                     box->nplaces > 0 ? span_of(r, &box->places[0]) : sg_span_none(), "%s",
                     box->message.ptr);
        at = 1;
    }
    for (; at < box->nplaces; ++at) {
        sg_diag_note(r->diag, span_of(r, &box->places[at]), "called from here");
    }
    note_kernel(r);
}

static void watch_line(sg_sandbox *box, int chunk, size_t line)
{
    const rendering *r = box->context;
    r->watch->line(r->watch->user, r->files[chunk].name, line);
}

static bool render(rendering *r)
{
    const text_file *main = &r->files[MAIN_CHUNK];
    sg_buf lua = {0};
    sg_sandbox box;
    if (!sg_template_compile(r->diag, main->source, &lua)) {
        sg_buf_free(&lua);
        return false;
    }
    const bool watched = r->watch != NULL && r->watch->line != NULL;
    if (!sg_sandbox_open(&box, r, watched ? watch_line : NULL)) {
        sg_buf_free(&lua);
        return sg_diag_fail(r->diag, SG_EXIT_IO, sg_span_none(), "no memory for Lua");
    }
    const sg_source *prelude = r->files[PRELUDE_CHUNK].source;
    const bool done =
        sg_sandbox_prepare(&box, add_globals) &&
        sg_sandbox_prelude(&box, (sg_str){prelude->text, prelude->len}, PRELUDE_CHUNK) &&
        sg_sandbox_prepare(&box, add_import) &&
        sg_sandbox_template(&box, (sg_str){lua.ptr, lua.len}, MAIN_CHUNK, emit_line);
    if (!done) {
        report(r, &box);
    }
    sg_sandbox_close(&box);
    sg_buf_free(&lua);
    return done;
}

struct sg_emit_view {
    const sg_model *model;
};

const sg_emit_view *sg_emit_view_of(sg_arena *arena, const sg_unit *unit)
{
    sg_emit_view *view = SG_NEW(arena, sg_emit_view);
    view->model = sg_model_build(arena, unit);
    return view;
}

/* Whether all code is as verified. */
static bool check_spelling(sg_diag *diag, const sg_model *model)
{
    for (int64_t i = 0; i < model->nkernels; ++i) {
        const sg_split *split = model->kernels[i].plan->split;
        if (model->kernels[i].is_misspelled) {
            return sg_diag_fail(diag, SG_EXIT_BUG, split->op->span,
                                "the code of '%s' is not what was verified; this is a bug in "
                                "splitgen, please report it with this input",
                                split->name);
        }
    }
    return true;
}

bool sg_emit_shared(sg_arena *arena, sg_diag *diag, const sg_emit_watch *watch,
                    const char *template_name, const sg_emit_view *view, sg_buf *out)
{
    rendering r = {.arena = arena,
                   .diag = diag,
                   .watch = watch,
                   .model = view->model,
                   .out = out,
                   .current = -1};
    SG_TRY(check_spelling(diag, view->model));
    if (!load_text(&r, PRELUDE) || !load_text(&r, template_name)) {
        return sg_diag_fail(diag, SG_EXIT_BUG, sg_span_none(), "there is no template '%s'",
                            template_name);
    }
    r.files[MAIN_CHUNK].is_loading = true;

    const size_t before = out->len;
    const bool done = render(&r);
    if (!done && out->ptr != NULL) {
        out->len = before;
        out->ptr[before] = '\0';
    }
    return done;
}

bool sg_emit(sg_arena *arena, sg_diag *diag, const sg_emit_watch *watch, const char *template_name,
             const sg_unit *unit, sg_buf *out)
{
    sg_arena scratch;
    sg_arena_init(&scratch);
    const sg_emit_view *view = sg_emit_view_of(&scratch, unit);
    const bool done = sg_emit_shared(arena, diag, watch, template_name, view, out);
    sg_arena_free(&scratch);
    return done;
}
