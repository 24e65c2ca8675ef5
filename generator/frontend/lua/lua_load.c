/* Loads models for specs. Reading and inference own files and memory, so they never raise Lua
 * errors: those are raised after they have returned. */
#include "frontend/lua/lua_load.h"

#include <string.h>

#include <lauxlib.h>

#include "base/file.h"
#include "frontend/lua/lua_box.h"
#include "frontend/lua/lua_frame.h"
#include "frontend/lua/lua_given.h"
#include "frontend/lua/lua_host.h"
#include "frontend/lua/lua_require.h"
#include "frontend/lua/lua_value.h"
#include "frontend/model/model_file.h"

/* A file that was read. Each file is read once, however often it is loaded. The cost of reading and
 * hashing is therefore bounded by the files, and is not charged to the budget of steps. */
struct sg_lua_loaded {
    const char *path;
    sg_model_kind kind;
    sg_model model; /* graph is NULL if reading failed, which was reported */
    struct sg_lua_loaded *older;
};

/* --- which file ------------------------------------------------------------------------------- */

/* The path without "." and empty components. NULL if it is absolute or empty, or has a "..". */
static const char *plain_path(sg_arena *arena, const char *path)
{
    const char *plain = "";
    if (!sg_path_stays_below(path)) {
        return NULL;
    }
    while (path[0] != '\0') {
        const size_t n = strcspn(path, "/");
        if (n > 1 || (n == 1 && path[0] != '.')) {
            plain = sg_arena_printf(arena, "%s%s%.*s", plain, plain[0] != '\0' ? "/" : "", (int)n,
                                    path);
        }
        path += n + (path[n] == '/' ? 1 : 0);
    }
    return plain[0] != '\0' ? plain : NULL;
}

/* The file of the path at index 1. Raises an error if there is none. */
static sg_lua_file find_file(lua_State *L, const sg_lua_site *site)
{
    enum { LONGEST = 4096 }; /* no system opens a longer path */
    sg_arena *arena = sg_lua_host_of(L)->arena;
    size_t len = 0;
    const char *path = lua_tolstring(L, 1, &len);
    const char *plain = len < LONGEST && strlen(path) == len ? plain_path(arena, path) : NULL;
    if (plain == NULL) {
        sg_lua_raise(L, SG_EXIT_INPUT, site->argument,
                     "'%s' cannot be loaded; a model is named by its path below the folder of the "
                     "spec, or of an -I, without '..'",
                     path);
    }
    return sg_lua_find_file(L, plain, "load", site->argument);
}

/* --- reading ---------------------------------------------------------------------------------- */

/* Reads the open file within the memory that is left, and closes it. Raises no error. */
static const struct sg_lua_loaded *read_file(sg_lua_host *host, const sg_lua_file *found, int fd,
                                             sg_span span)
{
    const bool hashes = host->options->models != NULL && host->options->models->hashes;
    struct sg_lua_loaded *loaded = SG_NEW(host->arena, struct sg_lua_loaded);
    *loaded = (struct sg_lua_loaded){.path = found->path, .older = host->loaded};
    host->loaded = loaded;
    sg_model_file file;
    if (!sg_model_file_look(host->diag, found->path, fd, span, &file)) {
        return loaded;
    }
    loaded->kind = file.kind;
    if (file.kind == SG_MODEL_KIND_NONE) {
        sg_diag_error(host->diag, span, "'%s' is not a model: neither ONNX nor OpenVINO's IR",
                      found->path);
    } else if (!sg_model_file_read(host->arena, host->diag, &file, found->name, hashes, host->files,
                                   &loaded->model)) {
        loaded->model.graph = NULL;
    }
    sg_model_file_close(&file);
    return loaded;
}

/* NULL: the file has not been read. */
static const struct sg_lua_loaded *find_loaded(lua_State *L, const char *path)
{
    const struct sg_lua_loaded *l = sg_lua_host_of(L)->loaded;
    while (l != NULL && strcmp(l->path, path) != 0) {
        l = l->older;
    }
    return l;
}

static bool check_kind(sg_lua_host *host, const struct sg_lua_loaded *loaded, const char *table,
                       sg_span span)
{
    const bool is_ir = loaded->kind == SG_MODEL_KIND_OPENVINO;
    if (is_ir == (strcmp(table, "openvino") == 0)) {
        return true;
    }
    return sg_diag_error(host->diag, span, "'%s' is %s; load it with %s.load", loaded->path,
                         is_ir ? "an IR of OpenVINO" : "an ONNX model",
                         is_ir ? "openvino" : "onnx");
}

/* --- what the user says about the model ------------------------------------------------------- */

/* Appends `second` to `first`: the last of equal names takes effect. */
static void *concatenate(lua_State *L, const void *first, int64_t nfirst, const void *second,
                         int64_t nsecond, size_t size)
{
    const size_t count = (size_t)(nfirst + nsecond);
    sg_meter_reserve(L, count * size);
    char *both = sg_arena_array(sg_lua_host_of(L)->arena, count, size);
    if (nfirst > 0) {
        memcpy(both, first, (size_t)nfirst * size);
    }
    if (nsecond > 0) {
        memcpy(both + (size_t)nfirst * size, second, (size_t)nsecond * size);
    }
    return both;
}

/* The options of the command line followed by those of the spec, which take precedence. --only and
 * --except of the command line apply to what the spec returns, not here. */
static sg_graph_options merge(lua_State *L, const sg_graph_options *line,
                              const sg_graph_options *spec)
{
    sg_graph_options all = *spec;
    all.said.rules = line->said.rules;
    all.said.open = spec->said.open || line->said.open;
    all.skip_unresolved = spec->skip_unresolved || line->skip_unresolved;
    all.only_read = line->only_read;
    all.ops = spec->ops != 0 ? spec->ops : line->ops;
    all.said.defines = concatenate(L, line->said.defines, line->said.ndefines, spec->said.defines,
                                   spec->said.ndefines, sizeof spec->said.defines[0]);
    all.said.ndefines = line->said.ndefines + spec->said.ndefines;
    all.said.shapes = concatenate(L, line->said.shapes, line->said.nshapes, spec->said.shapes,
                                  spec->said.nshapes, sizeof spec->said.shapes[0]);
    all.said.nshapes = line->said.nshapes + spec->said.nshapes;
    all.said.values = concatenate(L, line->said.values, line->said.nvalues, spec->said.values,
                                  spec->said.nvalues, sizeof spec->said.values[0]);
    all.said.nvalues = line->said.nvalues + spec->said.nvalues;
    return all;
}

static void warn_overruled(sg_diag *diag, const char *option, const char *tensor, sg_span line,
                           sg_span spec)
{
    sg_diag_warn(diag, line, "%s of '%s' has no effect: the spec says what it is", option, tensor);
    sg_diag_note(diag, spec, "it is given here");
}

/* Marks the options of the command line that this model used, and warns if the spec has overridden
 * one. */
static void mark_used(sg_diag *diag, const sg_graph_options *line, const sg_graph_options *all)
{
    for (int64_t i = 0; i < line->said.ndefines; i++) {
        sg_graph_define *define = &line->said.defines[i];
        define->used = all->said.defines[i].used || define->used;
        for (int64_t k = line->said.ndefines; define->option != NULL && k < all->said.ndefines;
             k++) {
            if (all->said.defines[k].used && strcmp(all->said.defines[k].name, define->name) == 0) {
                define->used = true;
                warn_overruled(diag, define->option, define->name, define->span,
                               all->said.defines[k].span);
            }
        }
    }
    for (int64_t i = 0; i < line->said.nshapes; i++) {
        sg_graph_given_shape *given = &line->said.shapes[i];
        given->used = all->said.shapes[i].used || given->used;
        for (int64_t k = line->said.nshapes; k < all->said.nshapes; k++) {
            if (all->said.shapes[k].used &&
                strcmp(all->said.shapes[k].tensor, given->tensor) == 0) {
                given->used = true;
                warn_overruled(diag, "--shape", given->tensor, given->span,
                               all->said.shapes[k].span);
            }
        }
    }
    for (int64_t i = 0; i < line->said.nvalues; i++) {
        sg_graph_given_value *given = &line->said.values[i];
        given->used = all->said.values[i].used || given->used;
        for (int64_t k = line->said.nvalues; k < all->said.nvalues; k++) {
            if (all->said.values[k].used &&
                strcmp(all->said.values[k].tensor, given->tensor) == 0) {
                given->used = true;
                warn_overruled(diag, "--value", given->tensor, given->span,
                               all->said.values[k].span);
            }
        }
    }
}

/* The part of `all` that comes from the spec. */
static sg_graph_options of_spec(const sg_graph_options *line, const sg_graph_options *all)
{
    sg_graph_options spec = *all;
    spec.said.defines += line->said.ndefines;
    spec.said.ndefines -= line->said.ndefines;
    spec.said.shapes += line->said.nshapes;
    spec.said.nshapes -= line->said.nshapes;
    spec.said.values += line->said.nvalues;
    spec.said.nvalues -= line->said.nvalues;
    return spec;
}

/* --- ops -------------------------------------------------------------------------------------- */

/* Runs inference within the memory that is left. Raises no error. */
static bool make_ops(sg_lua_host *host, const sg_model *model, const sg_graph_options *line,
                     const sg_graph_options *all, sg_op_array *ops)
{
    const sg_graph_options spec = of_spec(line, all);
    sg_graph_options both = *all;
    both.own = &spec;
    const bool ok = sg_model_ops(host->arena, host->diag, model, &both, ops);
    mark_used(host->diag, line, all);
    /* A misspelt name is often the cause of an unknown shape, so names are checked even after an
     * error. A spent budget means that not all names were seen. */
    const bool checked = (!ok && sg_diag_exit(host->diag) == SG_EXIT_BUDGET) ||
                         sg_graph_check_used(host->arena, host->diag, model->graph, &spec);
    return ok && checked;
}

/* A subject whose messages say which call of load() the model comes from. */
static sg_subject *subject_of(lua_State *L, sg_span call, const char *path)
{
    sg_arena *arena = sg_lua_host_of(L)->arena;
    sg_subject *subject = SG_NEW(arena, sg_subject);
    sg_lua_frame_callers(L, subject);
    sg_caller *callers = SG_NEW_ARRAY(arena, sg_caller, (int64_t)subject->ncallers + 1);
    callers[0] = (sg_caller){call, sg_arena_printf(arena, "'%s' is loaded here", path)};
    if (subject->ncallers > 0) {
        memcpy(callers + 1, subject->callers, subject->ncallers * sizeof callers[0]);
    }
    *subject =
        (sg_subject){.is_no_op = true, .callers = callers, .ncallers = subject->ncallers + 1};
    return subject;
}

static void push_ops(lua_State *L, const sg_op_array *ops, const sg_subject *subject)
{
    lua_newtable(L);
    for (int64_t i = 0; i < ops->count; i++) {
        sg_op *op = ops->items[i];
        op->origin->in_spec = true;
        op->subject->callers = subject->callers;
        op->subject->ncallers = subject->ncallers;
        sg_lua_box_push(L, op, true);
        lua_rawseti(L, -2, i + 1);
    }
}

int sg_lua_load(lua_State *L)
{
    static const sg_graph_options nothing = {0};
    sg_lua_host *host = sg_lua_host_of(L);
    const char *table = lua_tostring(L, lua_upvalueindex(1));
    const int n = lua_gettop(L);
    const sg_lua_site site = sg_lua_site_find(L, "load", 1);
    if (n >= 1 && sg_lua_value_unknown(L, 1)) {
        return sg_lua_raise_reported(L, site.call);
    }
    if (n < 1 || n > 2 || lua_type(L, 1) != LUA_TSTRING ||
        !(lua_isnoneornil(L, 2) || lua_istable(L, 2))) {
        return sg_lua_raise(L, SG_EXIT_INPUT, site.call,
                            "%s.load takes the path of a model and a table of what is known about "
                            "it: %s.load(\"%s\", { dims = { N = 8 } })",
                            table, table, strcmp(table, "onnx") == 0 ? "model.onnx" : "model.xml");
    }
    sg_graph_options spec;
    sg_lua_given_read(L, 2, &site, sg_arena_printf(host->arena, "%s.load", table), &spec);
    const sg_lua_file found = find_file(L, &site);
    const char *path = found.path;
    sg_spec_models *models = host->options->models;
    const sg_graph_options *line = models != NULL ? models->given : &nothing;
    const sg_graph_options all = merge(L, line, &spec);
    sg_subject *subject = subject_of(L, site.call, path);
    const struct sg_lua_loaded *loaded = find_loaded(L, path);
    const int fd = loaded != NULL ? -1 : sg_lua_open_file(L, &found, site.argument);

    const size_t before = host->arena->total;
    sg_op_array ops = {0};
    sg_diag_set_subject(host->diag, subject);
    const char *rule = sg_diag_set_rule(host->diag, "model");
    host->arena->limit = before + sg_meter_left(&host->meter);
    loaded = loaded != NULL ? loaded : read_file(host, &found, fd, site.argument);
    const bool ok = loaded->model.graph != NULL && check_kind(host, loaded, table, site.argument) &&
                    make_ops(host, &loaded->model, line, &all, &ops);
    host->arena->limit = 0;
    (void)sg_diag_set_rule(host->diag, rule);
    sg_diag_set_subject(host->diag, NULL);

    if (models != NULL && loaded->model.graph != NULL) {
        models->last = loaded->model.graph;
    }
    if (!ok) {
        return sg_lua_raise_reported(L, site.call);
    }
    sg_meter_reserve(L, 0);
    push_ops(L, &ops, subject);
    return 1;
}
