/* require: finds Lua files in the folder of the file that calls it and in the include folders,
 * nowhere else, and runs each once. load() finds models in the same way. */
#include "frontend/lua/lua_require.h"

#include <errno.h>
#include <string.h>

#include <lauxlib.h>

#include "base/file.h"
#include "base/sha256.h"
#include "base/system.h"
#include "frontend/lua/lua_run.h"
#include "frontend/lua/lua_site.h"

/* Registry key of a table: path -> result of the file. */
static const char *const results_key = "splitgen required";

/* "a.b" -> "a/b.lua". NULL if a component is empty or has characters other than letters, digits,
 * '_' and '-'. */
static char *relative_path(sg_arena *arena, const char *name, size_t len)
{
    char *path = sg_arena_printf(arena, "%s.lua", name);
    bool fresh = true;
    for (size_t i = 0; i < len; i++) {
        if (name[i] == '.') {
            if (fresh) {
                return NULL;
            }
            path[i] = '/';
            fresh = true;
        } else if (sg_is_ident((unsigned char)name[i]) || (name[i] == '-' && !fresh)) {
            fresh = false;
        } else {
            return NULL;
        }
    }
    return fresh ? NULL : path;
}

static void refuse_file(lua_State *L, const char *path, int error, sg_span span)
{
    sg_lua_raise(L, sg_file_exit(error), span, "cannot read '%s': %s%s", path, sg_file_why(error),
                 error == EXDEV ? "; -I gives a spec other folders" : "");
}

int sg_lua_open_file(lua_State *L, const sg_lua_file *file, sg_span span)
{
    const sg_lua_host *host = sg_lua_host_of(L);
    const size_t n = host->options->ninclude_dirs;
    const char **folders = SG_NEW_ARRAY(host->arena, const char *, (int64_t)n + 1);
    folders[0] = sg_path_dir(host->arena, host->main->source->name);
    for (size_t i = 0; i < n; i++) {
        folders[i + 1] = host->options->include_dirs[i];
    }
    const int fd = sg_file_open_inside(host->arena, file->folder, file->relative,
                                       (sg_file_folders){folders, n + 1});
    if (fd < 0) {
        refuse_file(L, file->path, errno, span);
    }
    return fd;
}

/* Whether the file exists. Raises an error if that cannot be determined. */
static bool is_there(lua_State *L, const sg_lua_file *file, sg_span span)
{
    sg_system_info info;
    if (sg_system_stat(file->path, &info)) {
        return info.kind != SG_SYSTEM_FOLDER;
    }
    if (errno != ENOENT && errno != ENOTDIR) {
        refuse_file(L, file->path, errno, span);
    }
    return false;
}

sg_lua_file sg_lua_find_file(lua_State *L, const char *relative, const char *verb, sg_span span)
{
    sg_lua_host *host = sg_lua_host_of(L);
    sg_arena *arena = host->arena;
    sg_lua_place place = sg_lua_host_place(L);
    const sg_source *from = place.chunk != NULL ? place.chunk->source : host->main->source;
    const char *looked = "";
    sg_lua_file file = {.relative = relative};
    for (size_t i = 0; i <= host->options->ninclude_dirs; i++) {
        file.folder = i == 0 ? sg_path_dir(arena, from->name) : host->options->include_dirs[i - 1];
        file.path = sg_path_join(arena, file.folder, relative);
        if (is_there(L, &file, span)) {
            const char *from_name = sg_file_list_name(host->files, from->name);
            file.name = sg_path_join(arena, i == 0 ? sg_path_dir(arena, from_name) : "", relative);
            return file;
        }
        looked = sg_arena_printf(arena, "%s%s'%s'", looked, i == 0 ? "" : ", ", file.path);
    }
    sg_lua_raise(L, SG_EXIT_INPUT, span, "there is no file to %s here; looked for %s", verb,
                 looked);
    return file;
}

static const sg_source *read_source(lua_State *L, sg_lua_host *host, const sg_lua_file *file,
                                    sg_span span)
{
    sg_buf buf = {0};
    const size_t most = sg_meter_left(&host->meter);
    const int fd = sg_lua_open_file(L, file, span);
    const bool ok = sg_file_read_open(fd, most, &buf);
    const int error = errno;
    sg_file_close(fd);
    if (!ok) {
        sg_buf_free(&buf);
        if (error == EFBIG) {
            sg_lua_raise(L, SG_EXIT_BUDGET, span,
                         "'%s' has more than the %zu bytes of memory that are left to the spec; if "
                         "it is meant to, raise --max-memory",
                         file->path, most);
        }
        refuse_file(L, file->path, error, span);
    }
    const sg_source *source =
        sg_source_new(host->arena, file->path, buf.ptr != NULL ? buf.ptr : "", buf.len);
    sg_buf_free(&buf);
    sg_file_list_add(host->arena, host->files, file->path, file->name,
                     sg_sha256_text(host->arena, source->text, source->len));
    return source;
}

/* Raises an error if the file is being required already: "'a.lua', which requires 'b.lua', which
 * requires 'a.lua'". */
static void refuse_cycle(lua_State *L, sg_lua_host *host, const char *path, sg_span span)
{
    const char *chain = sg_arena_printf(host->arena, "'%s'", path);
    bool cycle = strcmp(path, host->main->source->name) == 0;
    for (const sg_lua_loading *l = host->meter.loading; l != NULL; l = l->outer) {
        if (cycle || strcmp(l->path, path) == 0) {
            cycle = true;
        }
    }
    if (!cycle) {
        return;
    }
    for (const sg_lua_loading *l = host->meter.loading; l != NULL; l = l->outer) {
        if (strcmp(l->path, path) == 0) {
            break;
        }
        chain = sg_arena_printf(host->arena, "'%s', which requires %s", l->path, chain);
    }
    sg_lua_raise(L, SG_EXIT_INPUT, span,
                 "'%s' is required while it is still being run: it requires %s", path, chain);
}

int sg_lua_require(lua_State *L)
{
    sg_lua_host *host = sg_lua_host_of(L);
    sg_span span = sg_lua_site_find(L, "require", 1).argument;
    if (lua_gettop(L) != 1 || lua_type(L, 1) != LUA_TSTRING) {
        return sg_lua_raise(L, SG_EXIT_INPUT, span,
                            "require takes the name of a file, without .lua");
    }
    size_t len;
    const char *name = lua_tolstring(L, 1, &len);
    name = sg_arena_strndup(host->arena, name, len);
    char *relative = relative_path(host->arena, name, len);
    if (relative == NULL) {
        return sg_lua_raise(L, SG_EXIT_INPUT, span,
                            "'%s' cannot be required; names are words with dots for folders, as in "
                            "\"lib.shapes\" for lib/shapes.lua",
                            name);
    }
    const sg_lua_file file = sg_lua_find_file(L, relative, "require", span);
    const char *path = file.path;
    luaL_getsubtable(L, LUA_REGISTRYINDEX, results_key);
    if (lua_getfield(L, -1, path) != LUA_TNIL) {
        return 1;
    }
    lua_pop(L, 1);
    refuse_cycle(L, host, path, span);

    sg_lua_loading *loading = SG_NEW(host->arena, sg_lua_loading);
    *loading = (sg_lua_loading){path, name, span, host->meter.loading};
    const sg_source *source = read_source(L, host, &file, span);
    host->meter.loading = loading;
    sg_lua_host_load(host, source);
    lua_pushvalue(L, 1);
    lua_call(L, 1, 1);
    host->meter.loading = loading->outer;
    if (lua_isnil(L, -1)) {
        lua_pop(L, 1);
        lua_pushboolean(L, 1);
    }
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, path);
    return 1;
}
