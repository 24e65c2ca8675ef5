/* The tool, which records the lines of its templates that run and the fields that they read, and
 * can use other templates.
 *
 *   SPLITGEN_COVERAGE=FILE splitgen_watched ARGUMENTS
 *       appends "TEMPLATE LINE" to FILE for each line and "TYPE.FIELD" for each field
 *   SPLITGEN_TEMPLATES=FOLDER splitgen_watched ARGUMENTS
 *       uses the templates of FOLDER before the built-in ones of the same name
 *   splitgen_watched --fields            prints "TYPE.FIELD" for all fields
 *   splitgen_watched --names             prints the names of all templates
 *   splitgen_watched --translate NAME    prints a template as the Lua that runs */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "driver/options.h"
#include "driver/pipeline.h"
#include "driver/report.h"
#include "driver/run_limits.h"
#include "emit/builtin.h"
#include "emit/fields.h"
#include "emit/template.h"

#define NAMES_MAX  64
#define LINES_MAX  2048
#define FIELDS_MAX 128

typedef struct record {
    const char *name;
    bool ran[LINES_MAX];
} record;

typedef struct notes {
    record templates[NAMES_MAX];
    record *last; /* of the line before, usually that of the next one too */
    bool read[SG_TYPE_COUNT][FIELDS_MAX];
    sg_arena *arena;
    const char *folder; /* of other templates */
} notes;

static int failed(const char *what)
{
    fprintf(stderr, "splitgen_watched: %s\n", what);
    return 2;
}

static void note_line(void *user, const char *name, size_t line)
{
    notes *noted = user;
    record *r = noted->last;
    if (r == NULL || strcmp(r->name, name) != 0) {
        for (r = noted->templates; r->name != NULL && strcmp(r->name, name) != 0; ++r) {
        }
        noted->last = r;
    }
    if (r->name == NULL || line >= LINES_MAX) {
        exit(failed("too long a template, or one that is not built in"));
    }
    r->ran[line] = true;
}

static void note_field(void *user, size_t type, size_t field)
{
    if (field >= FIELDS_MAX) {
        exit(failed("a type with too many fields"));
    }
    ((notes *)user)->read[type][field] = true;
}

/* Those that were read; NULL: all. */
static void print_fields(FILE *file, const notes *only)
{
    for (size_t t = 0; t < SG_TYPE_COUNT; ++t) {
        for (size_t f = 0; f < sg_types[t].nfields; ++f) {
            if (only == NULL || only->read[t][f]) {
                fprintf(file, "%s.%s\n", sg_types[t].name, sg_types[t].fields[f].name);
            }
        }
    }
}

static const char *other_text(void *user, const char *name, size_t *len)
{
    const notes *n = user;
    sg_buf text = {0};
    const bool found = sg_file_read(sg_path_join(n->arena, n->folder, name), &text);
    const char *kept =
        found ? sg_arena_strndup(n->arena, text.len > 0 ? text.ptr : "", text.len) : NULL;
    *len = text.len;
    sg_buf_free(&text);
    return kept;
}

static int print_names(void)
{
    for (size_t i = 0; i < sg_builtin_count; ++i) {
        puts(sg_builtins[i].name);
    }
    return 0;
}

/* The prelude is already Lua. */
static int translate(sg_arena *arena, sg_diag *diag, const char *name)
{
    size_t i = 0;
    while (i < sg_builtin_count && strcmp(sg_builtins[i].name, name) != 0) {
        ++i;
    }
    if (i == sg_builtin_count) {
        return failed("there is no such template");
    }
    const char *text = (const char *)sg_builtins[i].text;
    sg_buf lua = {0};
    if (strstr(name, ".tmpl") == NULL) {
        fwrite(text, 1, sg_builtins[i].len, stdout);
        return 0;
    }
    const sg_source *source = sg_source_new(arena, name, text, sg_builtins[i].len);
    if (!sg_template_compile(diag, source, &lua)) {
        return failed("a template that does not compile");
    }
    fwrite(lua.ptr, 1, lua.len, stdout);
    sg_buf_free(&lua);
    return 0;
}

static bool append(const char *path, const notes *kept)
{
    FILE *file = fopen(path, "a");
    if (file == NULL) {
        return false;
    }
    for (const record *r = kept->templates; r->name != NULL; ++r) {
        for (int line = 0; line < LINES_MAX; ++line) {
            if (r->ran[line]) {
                fprintf(file, "%s %d\n", r->name, line);
            }
        }
    }
    print_fields(file, kept);
    return fclose(file) == 0;
}

static int run(sg_arena *arena, sg_diag *diag, int argc, char **argv)
{
    const char *path = getenv("SPLITGEN_COVERAGE");
    notes *noted = calloc(1, sizeof *noted);
    sg_options options;
    if (noted == NULL || sg_builtin_count >= NAMES_MAX) {
        return failed("there are too many templates");
    }
    for (size_t i = 0; i < sg_builtin_count; ++i) {
        noted->templates[i].name = sg_builtins[i].name;
    }
    noted->arena = arena;
    noted->folder = getenv("SPLITGEN_TEMPLATES");
    const bool ok = sg_options_parse(arena, diag, argc, (const char *const *)argv, &options);
    options.watch = (sg_emit_watch){.line = path != NULL ? note_line : NULL,
                                    .field = path != NULL ? note_field : NULL,
                                    .text = noted->folder != NULL ? other_text : NULL,
                                    .user = noted};
    if (ok) {
        sg_run_limit_time(arena, &options);
    }
    const bool done = ok && sg_pipeline_run(arena, diag, &options);
    sg_report_print(diag, &options);
    const bool kept = !done || path == NULL || append(path, noted);
    free(noted);
    return !kept ? failed("the file cannot be written") : done ? 0 : (int)sg_diag_exit(diag);
}

int main(int argc, char **argv)
{
    sg_arena arena;
    sg_diag diag;
    sg_arena_init(&arena);
    sg_diag_init(&diag, &arena);
    if (argc == 2 && strcmp(argv[1], "--fields") == 0) {
        print_fields(stdout, NULL);
        return 0;
    }
    const int code = argc == 2 && strcmp(argv[1], "--names") == 0 ? print_names()
                     : argc == 3 && strcmp(argv[1], "--translate") == 0
                         ? translate(&arena, &diag, argv[2])
                         : run(&arena, &diag, argc, argv);
    sg_arena_free(&arena);
    return code;
}
