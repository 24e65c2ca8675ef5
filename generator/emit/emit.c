/* Renders a template over a unit: finds the texts, runs them in the sandbox, and turns errors into
 * diagnostics with the template's own lines. */
#include "emit/emit.h"

#include <errno.h>
#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/sha256.h"
#include "emit/builtin.h"
#include "emit/model.h"
#include "emit/phrases.h"
#include "emit/push.h"
#include "emit/sandbox.h"
#include "emit/template.h"

#define PRELUDE "prelude.lua"

#define INDENT_MAX 80

/* note [budgets] User templates get a base budget, and an allowance for every kernel, output and
 * instruction to print. Built-in templates have no budget: their work is bounded by what there is
 * to print, and a large input is not an error. With a folder of user templates, any of its texts
 * may run inside a built-in one, so the budgets apply to all. */
#define BASE_MEMORY     ((size_t)256 << 20)
#define MEMORY_PER_ITEM ((size_t)4096)
#define BASE_STEPS      INT64_C(20000000)
#define STEPS_PER_ITEM  INT64_C(20000)
#define BASE_OUTPUT     ((size_t)256 << 20)
#define OUTPUT_PER_ITEM ((size_t)4096)

/* A template or the prelude, and the exit code of an error in it. */
typedef struct text_file {
    const char *name; /* the name that templates use */
    const sg_source *source;
    sg_exit blame;   /* SG_EXIT_BUG for built-in texts, SG_EXIT_INPUT for the user's */
    bool is_loading; /* its chunk is still running */
} text_file;

/* Numbers of the chunks, which are indices into the files; imported templates follow. */
enum { PRELUDE_CHUNK, MAIN_CHUNK };

typedef struct rendering {
    sg_arena *arena;
    sg_diag *diag;
    const sg_emit_options *options;
    const sg_model *model;
    text_file files[SG_CHUNKS_MAX];
    int nfiles;
    bool reported; /* the error that stopped the sandbox was already reported */
    sg_buf *out;
    size_t max_output;
    lua_Integer indent; /* spaces to add before every line that is not empty; below 0: to remove */
    int64_t current;    /* the kernel last read from the unit, -1: none */
    size_t bad_expr;    /* 1 + index of the ${expr} on its line whose value was rejected, 0: none */
} rendering;

/* Loads a text from the user's folder and appends it to the files. Returns 0 or errno. */
static int load_own(rendering *r, const char *name, const char *dir)
{
    sg_arena *arena = r->arena;
    sg_buf text = {0};
    const int fd = sg_file_open_inside(arena, dir, name, (sg_file_folders){&dir, 1});
    const bool ok = fd >= 0 && sg_file_read_open(fd, SIZE_MAX, &text);
    sg_file_close(fd);
    if (!ok) {
        sg_buf_free(&text);
        return errno;
    }
    const char *path = sg_path_join(arena, dir, name);
    const sg_source *source = sg_source_new(arena, path, text.ptr, text.len);
    sg_buf_free(&text);
    if (r->options->files != NULL) {
        sg_file_list_add(arena, r->options->files, path, NULL,
                         sg_sha256_text(arena, source->text, source->len));
    }
    r->files[r->nfiles++] = (text_file){.name = name, .source = source, .blame = SG_EXIT_INPUT};
    return 0;
}

/* The same, with the built-in text if the user has none. ENOENT: there is neither. */
static int load_text(rendering *r, const char *name)
{
    const char *dir = r->options != NULL ? r->options->template_dir : NULL;
    const int error = dir != NULL ? load_own(r, name, dir) : ENOENT;
    if (error != ENOENT && error != EISDIR) {
        return error;
    }
    size_t len = 0;
    const char *text = sg_emit_builtin(name, &len);
    if (text == NULL) {
        return ENOENT;
    }
    const char *path = sg_arena_printf(r->arena, "templates/%s", name);
    const sg_source *source = sg_source_new(r->arena, path, text, len);
    r->files[r->nfiles++] = (text_file){.name = name, .source = source, .blame = SG_EXIT_BUG};
    return 0;
}

/* The same for a text that must exist. False: reported. */
static bool need_text(rendering *r, const char *name)
{
    const int error = load_text(r, name);
    if (error == ENOENT) {
        return sg_diag_fail(r->diag, SG_EXIT_BUG, sg_span_none(), "there is no template '%s'",
                            name);
    }
    errno = error;
    return error == 0 ||
           sg_file_cannot_read(r->diag, sg_span_none(),
                               sg_path_join(r->arena, r->options->template_dir, name));
}

/* Checks that every ${expr} is an expression by itself. */
static bool check_exprs(const rendering *r, sg_sandbox *box, const text_file *file)
{
    const sg_source *source = file->source;
    for (size_t line = 1; line <= source->nlines; ++line) {
        size_t at = 0;
        sg_str text;
        sg_span span;
        while (sg_template_next_expr(source, line, &at, &text, &span)) {
            if (!sg_sandbox_is_expr(box, text)) {
                return sg_diag_fail(r->diag, box->exhausted ? SG_EXIT_BUDGET : file->blame, span,
                                    "%s", box->message.ptr);
            }
        }
    }
    return true;
}

/* --- called from Lua -------------------------------------------------------------------------- */

static void refuse_value(lua_State *L, rendering *r, int index)
{
    r->bad_expr = (size_t)index / 2;
    if (lua_type(L, index) == LUA_TNUMBER) {
        luaL_error(L, "the value is a float; only strings and integers become text");
    }
    luaL_error(L, "the value is %s%s; only strings and integers become text",
               lua_isnil(L, index) ? "" : "a ", luaL_typename(L, index));
}

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
    sg_sandbox *box = sg_sandbox_of(L);
    rendering *r = box->context;
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
            refuse_value(L, r, i);
        }
    }
    if (r->out->len > r->max_output) {
        box->exhausted = true;
        return luaL_error(L, "the template has printed more than %I bytes",
                          (LUAI_UACINT)r->max_output);
    }
    return 0;
}

static int add_globals(lua_State *L)
{
    rendering *r = sg_sandbox_of(L)->context;
    sg_push_open(L, r->model, &r->current, r->options != NULL ? &r->options->watch : NULL);
    sg_push_model(L, r->model);
    lua_setfield(L, 1, "unit");
    lua_pushcfunction(L, sg_phrases_join);
    lua_setfield(L, 1, "join");
    lua_pushcfunction(L, sg_phrases_wrap);
    lua_setfield(L, 1, "wrap");
    return 0;
}

/* --- import ----------------------------------------------------------------------------------- */

/* Whether a name is a file name that cannot lead to another folder. */
static bool is_template_name(sg_str name)
{
    static const char end[] = ".tmpl";
    const size_t nend = sizeof end - 1;
    for (size_t i = 0; i < name.len; ++i) {
        if (!sg_is_ident((unsigned char)name.ptr[i]) && name.ptr[i] != '-' &&
            (name.ptr[i] != '.' || i == 0)) {
            return false;
        }
    }
    return name.len > nend && sg_str_eqz((sg_str){name.ptr + name.len - nend, nend}, end);
}

/* Templates are loaded recursively, so those still loading are the path to this one. */
static int refuse_circle(lua_State *L, const rendering *r, int first)
{
    luaL_Buffer text;
    luaL_buffinit(L, &text);
    for (int i = first; i < r->nfiles; ++i) {
        if (r->files[i].is_loading) {
            lua_pushfstring(L, "'%s', ", r->files[i].name);
            luaL_addvalue(&text);
        }
    }
    luaL_pushresult(&text);
    return luaL_error(L, "templates import each other in a circle: %s'%s'", lua_tostring(L, -1),
                      r->files[first].name);
}

/* Leaves the chunk of the last file on the stack. False: reported, or box->message has the reason.
 */
static bool load_imported(lua_State *L, rendering *r)
{
    sg_sandbox *box = sg_sandbox_of(L);
    const text_file *file = &r->files[r->nfiles - 1];
    sg_buf lua = {0};
    r->reported = !sg_template_compile(r->diag, file->blame, file->source, &lua) ||
                  !check_exprs(r, box, file);
    const bool loaded =
        !r->reported && sg_sandbox_load(L, (sg_str){lua.ptr, lua.len}, r->nfiles - 1);
    if (!r->reported && !loaded && !box->exhausted) {
        r->reported = true;
        sg_diag_fail(r->diag, file->blame, sg_source_line_span(file->source, box->places[0].line),
                     "%s", box->message.ptr);
    }
    sg_buf_free(&lua);
    return loaded;
}

/* import(name): runs another template on its first import, and returns its result. */
static int import(lua_State *L)
{
    rendering *r = sg_sandbox_of(L)->context;
    if (lua_type(L, 1) != LUA_TSTRING) {
        return luaL_error(L, "import takes the name of a template, not a %s", luaL_typename(L, 1));
    }
    size_t len = 0;
    const char *text = lua_tolstring(L, 1, &len);
    if (!is_template_name((sg_str){text, len})) {
        return luaL_error(L,
                          "'%s' is not the name of a template: letters, digits, '_', '-' and "
                          "'.', ending in '.tmpl'",
                          text);
    }
    for (int i = MAIN_CHUNK; i < r->nfiles; ++i) {
        if (strcmp(r->files[i].name, text) == 0) {
            if (r->files[i].is_loading) {
                return refuse_circle(L, r, i);
            }
            lua_rawgetp(L, LUA_REGISTRYINDEX, &r->files[i]);
            return 1;
        }
    }
    if (r->nfiles == SG_CHUNKS_MAX) {
        return luaL_error(L, "a template imports more than %d others",
                          SG_CHUNKS_MAX - MAIN_CHUNK - 1);
    }
    const int error = load_text(r, sg_arena_strdup(r->arena, text));
    if (error != 0) {
        return error == ENOENT ? luaL_error(L, "there is no template '%s'", text)
                               : luaL_error(L, "cannot read '%s': %s", text, sg_file_why(error));
    }
    text_file *file = &r->files[r->nfiles - 1];
    file->is_loading = true;
    if (!load_imported(L, r)) {
        return sg_sandbox_raise(L);
    }
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
    const lua_Integer by = luaL_checkinteger(L, 1);
    if (by < -INDENT_MAX - r->indent || by > INDENT_MAX - r->indent) {
        return luaL_error(L, "indent(%I) behind %I spaces; there can be -%d to %d", (LUAI_UACINT)by,
                          (LUAI_UACINT)r->indent, INDENT_MAX, INDENT_MAX);
    }
    r->indent += by;
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

static sg_span error_span(const rendering *r, const text_file *file, size_t line)
{
    sg_span span = sg_source_line_span(file->source, line);
    size_t at = 0;
    sg_str text;
    for (size_t n = 0; file != &r->files[PRELUDE_CHUNK] && n < r->bad_expr; ++n) {
        if (!sg_template_next_expr(file->source, line, &at, &text, &span)) {
            break;
        }
    }
    return span;
}

static void note_kernel(const rendering *r)
{
    if (r->current < 0) {
        return;
    }
    const sg_split *split = r->model->kernels[r->current].plan->split;
    const sg_span span = split->op != NULL ? split->op->span : sg_span_none();
    sg_diag_note(r->diag, span, "while emitting kernel '%s'", split->name);
}

/* Notes about the templates that led to an error, from place `first` outwards. */
static void note_places(const rendering *r, const sg_sandbox *box, int first, const char *how)
{
    for (int i = first; i < box->nplaces; ++i) {
        const sg_sandbox_place *place = &box->places[i];
        if (place->chunk != PRELUDE_CHUNK) {
            sg_diag_note(r->diag, sg_source_line_span(r->files[place->chunk].source, place->line),
                         "%s", how);
        }
    }
}

/* The user's first text in use, which is blamed for every error, because built-in texts rely on the
 * text it replaces. NULL: there is none. */
static const text_file *users_text(const rendering *r)
{
    for (int i = 0; i < r->nfiles; ++i) {
        if (r->files[i].blame == SG_EXIT_INPUT) {
            return &r->files[i];
        }
    }
    return NULL;
}

/* Whether a text of the user's was running when the sandbox stopped. */
static bool ran_users_text(const rendering *r, const sg_sandbox *box)
{
    bool ran = false;
    for (int i = 0; i < box->nplaces; ++i) {
        ran = ran || r->files[box->places[i].chunk].blame == SG_EXIT_INPUT;
    }
    return ran;
}

/* Notes the user's text that may have caused an error in a built-in one. */
static void note_users_text(const rendering *r, const sg_sandbox *box)
{
    const text_file *users = users_text(r);
    if (users != NULL && !ran_users_text(r, box)) {
        sg_diag_note(r->diag, sg_span_none(),
                     "'%s' takes the place of a text that this one may rely on",
                     users->source->name);
    }
}

/* Reports an error at its place in the innermost template, or in the prelude. A line of the prelude
 * called from there, and the templates around it, become notes. */
static bool report(const rendering *r, const sg_sandbox *box, sg_sandbox_result result)
{
    if (result == SG_SANDBOX_OK) {
        return true;
    }
    if (r->reported) {
        note_places(r, box, 0, "imported here");
        note_kernel(r);
        return false;
    }
    const sg_exit blame = result == SG_SANDBOX_BUDGET ? SG_EXIT_BUDGET
                          : users_text(r) != NULL     ? SG_EXIT_INPUT
                                                      : SG_EXIT_BUG;
    if (box->nplaces == 0) {
        /* After out of memory there is no place. */
        const text_file *file = &r->files[MAIN_CHUNK];
        sg_diag_fail(r->diag, blame, sg_span_none(), "template '%s': %s", file->source->name,
                     box->message.ptr);
        note_kernel(r);
        return false;
    }
    const bool in_prelude = box->places[0].chunk == PRELUDE_CHUNK;
    const bool own_prelude = r->files[PRELUDE_CHUNK].blame == SG_EXIT_BUG;
    const int at = in_prelude && own_prelude && box->nplaces > 1 ? 1 : 0;
    const text_file *file = &r->files[box->places[at].chunk];
    sg_diag_fail(r->diag, blame, error_span(r, file, box->places[at].line), "%s", box->message.ptr);
    if (at > 0) {
        sg_diag_note(r->diag,
                     sg_source_line_span(r->files[PRELUDE_CHUNK].source, box->places[0].line),
                     "in a function called from there");
    }
    note_places(r, box, at + 1, "called from here");
    note_users_text(r, box);
    note_kernel(r);
    return false;
}

static void watch_line(sg_sandbox *box, int chunk, size_t line)
{
    const rendering *r = box->context;
    r->options->watch.line(r->options->watch.user, r->files[chunk].name, line);
}

/* See note [budgets]. */
static sg_sandbox_limits limits_of(rendering *r)
{
    if (r->options == NULL || r->options->template_dir == NULL) {
        r->max_output = SIZE_MAX;
        return (sg_sandbox_limits){.memory = SIZE_MAX, .steps = SG_METER_NO_LIMIT};
    }
    int64_t items = r->model->insns + r->model->nkernels;
    for (int64_t i = 0; i < r->model->nkernels; ++i) {
        items += r->model->kernels[i].noutputs;
    }
    r->max_output = r->out->len + BASE_OUTPUT + OUTPUT_PER_ITEM * (size_t)items;
    return (sg_sandbox_limits){.memory = BASE_MEMORY + MEMORY_PER_ITEM * (size_t)items,
                               .steps = BASE_STEPS + STEPS_PER_ITEM * items};
}

static bool render(rendering *r)
{
    const sg_sandbox_limits limits = limits_of(r);
    const text_file *main = &r->files[MAIN_CHUNK];
    sg_buf lua = {0};
    sg_sandbox box;
    if (!sg_template_compile(r->diag, main->blame, main->source, &lua)) {
        sg_buf_free(&lua);
        return false;
    }
    const bool watched = r->options != NULL && r->options->watch.line != NULL;
    if (!sg_sandbox_open(&box, limits, r, watched ? watch_line : NULL)) {
        sg_buf_free(&lua);
        return sg_diag_fail(r->diag, SG_EXIT_IO, sg_span_none(), "no memory for Lua");
    }
    const sg_source *prelude = r->files[PRELUDE_CHUNK].source;
    const sg_str prelude_text = {prelude->text, prelude->len};
    const bool done =
        report(r, &box, sg_sandbox_prepare(&box, add_globals)) &&
        report(r, &box, sg_sandbox_prelude(&box, prelude_text, PRELUDE_CHUNK)) &&
        report(r, &box, sg_sandbox_prepare(&box, add_import)) && check_exprs(r, &box, main) &&
        report(r, &box,
               sg_sandbox_template(&box, (sg_str){lua.ptr, lua.len}, MAIN_CHUNK, emit_line));
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

bool sg_emit_shared(sg_arena *arena, sg_diag *diag, const sg_emit_options *options,
                    const char *template_name, const sg_emit_view *view, sg_buf *out)
{
    rendering r = {.arena = arena,
                   .diag = diag,
                   .options = options,
                   .model = view->model,
                   .out = out,
                   .current = -1};
    SG_TRY(check_spelling(diag, view->model));
    SG_TRY(need_text(&r, PRELUDE));
    SG_TRY(need_text(&r, template_name));
    r.files[MAIN_CHUNK].is_loading = true;

    const size_t before = out->len;
    const bool done = render(&r);
    if (!done && out->ptr != NULL) {
        out->len = before;
        out->ptr[before] = '\0';
    }
    return done;
}

bool sg_emit(sg_arena *arena, sg_diag *diag, const sg_emit_options *options,
             const char *template_name, const sg_unit *unit, sg_buf *out)
{
    sg_arena scratch;
    sg_arena_init(&scratch);
    const sg_emit_view *view = sg_emit_view_of(&scratch, unit);
    const bool done = sg_emit_shared(arena, diag, options, template_name, view, out);
    sg_arena_free(&scratch);
    return done;
}

const char *sg_emit_builtin(const char *template_name, size_t *len)
{
    for (size_t i = 0; i < sg_builtin_count; ++i) {
        if (strcmp(sg_builtins[i].name, template_name) == 0) {
            *len = sg_builtins[i].len;
            return (const char *)sg_builtins[i].text;
        }
    }
    return NULL;
}

const char *const *sg_emit_builtin_names(size_t *count)
{
    *count = sg_builtin_count;
    return sg_builtin_names;
}
