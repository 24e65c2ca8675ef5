/* Renders a template over a unit: finds the texts, runs them in the sandbox, and turns what goes
 * wrong into diagnostics in the template's own lines. */
#include "emit/emit.h"

#include <errno.h>
#include <lauxlib.h>
#include <string.h>

#include "base/file.h"
#include "emit/builtin.h"
#include "emit/model.h"
#include "emit/push.h"
#include "emit/sandbox.h"
#include "emit/template.h"

#define PRELUDE "prelude.lua"

/* Budgets: a base, and an allowance for every instruction of the programs that is printed. */
#define MEMORY          ((size_t)256 << 20)
#define BASE_STEPS      INT64_C(1000000000)
#define STEPS_PER_INSN  INT64_C(20000)
#define BASE_OUTPUT     ((size_t)256 << 20)
#define OUTPUT_PER_INSN ((size_t)4096)

/* A template or the prelude, and what an error in it means. */
typedef struct text_file {
    const sg_source *source;
    sg_exit blame; /* SG_EXIT_BUG for our own, SG_EXIT_INPUT for the user's */
} text_file;

typedef struct rendering {
    sg_diag *diag;
    const sg_model *model;
    text_file template;
    text_file prelude;
    sg_buf *out;
    size_t max_output;
    int64_t current; /* kernel last taken from the unit, -1 none */
    size_t bad_expr; /* 1 + index of the ${expr} on its line whose value was refused, 0 none */
} rendering;

static bool load_text(sg_arena *arena, sg_diag *diag, const sg_emit_options *options,
                      const char *name, text_file *out)
{
    const char *dir = options != NULL ? options->template_dir : NULL;
    if (dir != NULL) {
        const size_t len = strlen(dir);
        const char *slash = len > 0 && dir[len - 1] == '/' ? "" : "/";
        const char *path = sg_arena_printf(arena, "%s%s%s", dir, slash, name);
        if (sg_file_exists(path)) {
            sg_buf text = {0};
            if (!sg_file_read(path, &text)) {
                const char *why = strerror(errno);
                sg_buf_free(&text);
                return sg_diag_fail(diag, SG_EXIT_IO, sg_span_none(), "cannot read '%s': %s", path,
                                    why);
            }
            out->source = sg_source_new(arena, path, text.len > 0 ? text.ptr : "", text.len);
            out->blame = SG_EXIT_INPUT;
            sg_buf_free(&text);
            return true;
        }
    }
    size_t len = 0;
    const char *text = sg_emit_builtin(name, &len);
    if (text == NULL) {
        return sg_diag_fail(diag, SG_EXIT_BUG, sg_span_none(), "there is no template '%s'", name);
    }
    out->source = sg_source_new(arena, sg_arena_printf(arena, "templates/%s", name), text, len);
    out->blame = SG_EXIT_BUG;
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
            sg_buf_add(r->out, text, len);
        } else if (type == LUA_TNUMBER && lua_isinteger(L, i)) {
            sg_buf_printf(r->out, "%lld", (long long)lua_tointeger(L, i));
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
    sg_push_open(L, &r->current);
    sg_push_model(L, r->model);
    lua_setfield(L, 1, "unit");
    return 0;
}

/* --- errors ----------------------------------------------------------------------------------- */

static sg_span error_span(const rendering *r, const text_file *file, size_t line)
{
    if (file == &r->template && r->bad_expr > 0) {
        sg_str text;
        return sg_template_expr(file->source, line, r->bad_expr - 1, &text);
    }
    return sg_source_line_span(file->source, line);
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

/* Reports what the sandbox stopped at: in the template where it was running, else in the prelude;
 * a line of the prelude reached from the template becomes a note. */
static bool report(const rendering *r, const sg_sandbox *box, sg_sandbox_result result)
{
    if (result == SG_SANDBOX_OK) {
        return true;
    }
    const sg_exit budget = result == SG_SANDBOX_BUDGET ? SG_EXIT_BUDGET : SG_EXIT_OK;
    if (box->template_line == 0 && box->prelude_line == 0) {
        /* Out of memory leaves no trace of where. */
        sg_diag_fail(r->diag, budget != SG_EXIT_OK ? budget : r->template.blame, sg_span_none(),
                     "template '%s': %s", r->template.source->name, box->message.ptr);
        note_kernel(r);
        return false;
    }
    const bool in_template = box->template_line > 0;
    const text_file *file = in_template ? &r->template : &r->prelude;
    const size_t line = in_template ? box->template_line : box->prelude_line;
    sg_diag_fail(r->diag, budget != SG_EXIT_OK ? budget : file->blame, error_span(r, file, line),
                 "%s", box->message.ptr);
    if (in_template && box->prelude_line > 0) {
        sg_diag_note(r->diag, sg_source_line_span(r->prelude.source, box->prelude_line),
                     "in a function called from there");
    }
    note_kernel(r);
    return false;
}

/* Every ${expr} is an expression of its own, whatever stands around it. */
static bool check_exprs(const rendering *r, sg_sandbox *box)
{
    const sg_source *source = r->template.source;
    for (size_t line = 1; line <= source->nlines; ++line) {
        sg_str text;
        for (size_t n = 0;; ++n) {
            const sg_span span = sg_template_expr(source, line, n, &text);
            if (text.len == 0) {
                break;
            }
            if (!sg_sandbox_is_expr(box, text)) {
                return sg_diag_fail(r->diag, r->template.blame, span, "%s", box->message.ptr);
            }
        }
    }
    return true;
}

static bool render(rendering *r)
{
    const sg_sandbox_limits limits = {.memory = MEMORY,
                                      .steps = BASE_STEPS + STEPS_PER_INSN * r->model->insns};
    sg_buf lua = {0};
    sg_sandbox box;
    if (!sg_template_compile(r->diag, r->template.blame, r->template.source, &lua)) {
        sg_buf_free(&lua);
        return false;
    }
    if (!sg_sandbox_open(&box, limits, r)) {
        sg_buf_free(&lua);
        return sg_diag_fail(r->diag, SG_EXIT_IO, sg_span_none(), "no memory for Lua");
    }
    const sg_str prelude = {r->prelude.source->text, r->prelude.source->len};
    const bool done =
        report(r, &box, sg_sandbox_prepare(&box, add_globals)) &&
        report(r, &box, sg_sandbox_prelude(&box, prelude)) && check_exprs(r, &box) &&
        report(r, &box, sg_sandbox_template(&box, (sg_str){lua.ptr, lua.len}, emit_line));
    sg_sandbox_close(&box);
    sg_buf_free(&lua);
    return done;
}

bool sg_emit(sg_arena *arena, sg_diag *diag, const sg_emit_options *options,
             const char *template_name, const sg_unit *unit, sg_buf *out)
{
    rendering r = {.diag = diag, .out = out, .current = -1};
    SG_TRY(load_text(arena, diag, options, template_name, &r.template));
    SG_TRY(load_text(arena, diag, options, PRELUDE, &r.prelude));

    sg_arena scratch;
    sg_arena_init(&scratch);
    r.model = sg_model_build(&scratch, unit);
    r.max_output = out->len + BASE_OUTPUT + OUTPUT_PER_INSN * (size_t)r.model->insns;
    const size_t before = out->len;
    const bool done = render(&r);
    if (!done && out->ptr != NULL) {
        out->len = before;
        out->ptr[before] = '\0';
    }
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
