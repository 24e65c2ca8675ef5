/* Chooses the names of output files. Independent of their contents. */
#include "driver/targets.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/system.h"

#include "driver/output.h"
#include "split/names.h"

#define SG_SHARDS_MAX 1000

/* The suffix of a header in place of ".h" if that name would be one of the system's.
 * SplitgenAddLibrary.cmake has it too. */
#define OTHER_HEADER "_splits.h"

static const sg_kind_info kinds[SG_KIND_COUNT] = {
#define KIND(id, word, suffix, template_name, header, what)                                        \
    {word, suffix, template_name, header, what},
#include "driver/kinds.inc"
};

const sg_kind_info *sg_kind_get(sg_kind kind)
{
    return &kinds[kind];
}

/* The extension of a kind: a file that ends in .h cannot be a C file. */
static const char *ending(int kind)
{
    return strrchr(kinds[kind].suffix, '.');
}

/* Whether the extension identifies the kind; a C++ file need not be a proof. */
static bool is_ending(int kind)
{
    return ending(kind) == kinds[kind].suffix;
}

static bool ends_with(const char *text, const char *end)
{
    size_t len = strlen(text);
    size_t n = strlen(end);
    return len >= n && strcmp(text + len - n, end) == 0;
}

/* Length of a file name without its extension; "v1.2" and ".c" have none. */
static size_t stem_length(const char *name)
{
    const char *dot = strrchr(name, '.');
    if (dot == NULL || dot == name || !sg_is_ident_start((unsigned char)dot[1])) {
        return strlen(name);
    }
    return (size_t)(dot - name);
}

static bool is_folder(const char *path)
{
    sg_system_info info;
    return sg_path_is_folder(path) ||
           (sg_system_stat(path, &info) && info.kind == SG_SYSTEM_FOLDER);
}

/* The first input's name without folders and extension. */
static const char *input_stem(sg_arena *arena, const sg_options *options)
{
    const sg_input *first = &options->inputs[0];
    if (first->notation || strcmp(first->text, "-") == 0) {
        return "split";
    }
    const char *base = sg_path_base(first->text);
    return sg_arena_strndup(arena, base, stem_length(base));
}

/* The stem of a file of one kind: "qkv" for qkv.c, qkv.h, and for qkv_test.c if that is a test. */
static const char *file_stem(sg_arena *arena, const char *path, sg_kind kind)
{
    const char *base = sg_path_base(path);
    size_t len = strlen(base);
    size_t suffix = strlen(kinds[kind].suffix);
    if (len > suffix && strcmp(base + len - suffix, kinds[kind].suffix) == 0) {
        return sg_arena_strndup(arena, base, len - suffix);
    }
    return sg_arena_strndup(arena, base, stem_length(base));
}

static void add(sg_targets *targets, sg_kind kind, const char *path, const char *make_dir,
                sg_span span)
{
    targets->items[targets->count++] =
        (sg_target){kind, kinds[kind].template_name, path, make_dir, span, 0};
}

/* Adds the file at the path or, with shards, STEM_1.c, STEM_2.c ... in place of the C file. */
static void add_files(sg_arena *arena, sg_targets *targets, sg_kind kind, const char *path,
                      const char *stem, const char *make_dir, sg_span span)
{
    if (kind != SG_KIND_C || targets->shards == 0) {
        add(targets, kind, path, make_dir, span);
        return;
    }
    for (int64_t i = 0; i < targets->shards; i++) {
        add(targets, kind, sg_arena_printf(arena, "%s_%" PRId64 ".c", stem, i + 1), make_dir, span);
        targets->items[targets->count - 1].shard = i;
    }
}

/* The number of C files by --shards. */
static bool read_shards(sg_diag *diag, const sg_options *options, bool wants_c, bool standard,
                        int64_t *shards)
{
    const int64_t given = options->values[SG_OPT_SHARDS].number;
    const sg_span span = sg_options_span(options, SG_OPT_SHARDS);
    *shards = given;
    if (given > SG_SHARDS_MAX) {
        return sg_diag_fail(diag, SG_EXIT_USAGE, span,
                            "'--shards' takes a number from 1 to %d, not %" PRId64, SG_SHARDS_MAX,
                            given);
    }
    if (given > 0 && !wants_c) {
        return sg_diag_fail(diag, SG_EXIT_USAGE, span,
                            "'--shards' is about the C file, and none is written");
    }
    if (given > 0 && standard) {
        return sg_diag_fail(diag, SG_EXIT_USAGE, span,
                            "'--shards' needs '-o' with a folder or a stem");
    }
    return true;
}

/* The option that gives the output path: --check replaces -o. */
static bool choose_place(sg_diag *diag, const sg_options *options, sg_option_id *place)
{
    *place = sg_options_has(options, SG_OPT_CHECK) ? SG_OPT_CHECK : SG_OPT_OUTPUT;
    if (*place == SG_OPT_CHECK && sg_options_has(options, SG_OPT_OUTPUT)) {
        return sg_diag_fail(diag, SG_EXIT_USAGE, sg_options_span(options, SG_OPT_OUTPUT),
                            "'-o' and '--check' exclude each other");
    }
    if (*place == SG_OPT_CHECK && strcmp(sg_options_text(options, *place), "-") == 0) {
        return sg_diag_fail(diag, SG_EXIT_USAGE, sg_options_span(options, *place),
                            "'--check' needs the name of a file");
    }
    return true;
}

/* The kinds to write, a bit for each: from --emit, else from the file's extension, else C. */
static int64_t wanted_kinds(const sg_options *options, const char *path)
{
    if (sg_options_has(options, SG_OPT_EMIT) || path == NULL ||
        sg_options_has(options, SG_OPT_HEADER)) {
        return options->values[SG_OPT_EMIT].number;
    }
    for (int kind = 0; kind < SG_KIND_COUNT && !is_folder(path); kind++) {
        if (is_ending(kind) && ends_with(path, kinds[kind].suffix)) {
            return INT64_C(1) << kind;
        }
    }
    return options->values[SG_OPT_EMIT].number;
}

/* Extensions of files that splitgen cannot write. */
static const struct {
    const char *ending;
    const char *what;
} other_endings[] = {
    {".png", "a picture in PNG"}, {".jpg", "a picture in JPEG"},  {".jpeg", "a picture in JPEG"},
    {".gif", "a picture in GIF"}, {".webp", "a picture in WebP"}, {".pdf", "a document in PDF"},
    {".o", "an object file"},     {".obj", "an object file"},     {".a", "a library"},
    {".so", "a shared library"},  {".dll", "a shared library"},   {".dylib", "a shared library"},
    {".pyc", "compiled Python"},  {".exe", "a program"},
};

/* Rejects a file whose extension belongs to another kind; C may be written to a C++ file. word: the
 * kind that is written. */
static bool check_ending(sg_diag *diag, const char *path, const char *own, const char *word,
                         sg_span span)
{
    for (int other = 0; other < SG_KIND_COUNT; other++) {
        if (is_ending(other) && ends_with(path, ending(other)) && strcmp(ending(other), own) != 0) {
            return sg_diag_fail(
                diag, SG_EXIT_USAGE, span,
                "'%s' ends as a file of '--emit=%s' does, but '%s' would be written "
                "to it; give it the ending '%s'",
                path, kinds[other].word, word, own);
        }
    }
    for (size_t i = 0; i < sizeof other_endings / sizeof other_endings[0]; i++) {
        if (ends_with(path, other_endings[i].ending)) {
            return sg_diag_fail(
                diag, SG_EXIT_USAGE, span,
                "'%s' ends as %s does, but '%s' would be written to it; give it the "
                "ending '%s'",
                path, other_endings[i].what, word, own);
        }
    }
    return true;
}

bool sg_targets_check_text(sg_arena *arena, sg_diag *diag, const sg_options *options,
                           const char *asked, const char *own)
{
    static const sg_option_id others[] = {SG_OPT_EMIT,          SG_OPT_HEADER,  SG_OPT_SHARDS,
                                          SG_OPT_CHECK,         SG_OPT_DEPFILE, SG_OPT_PHONY,
                                          SG_OPT_DEPFILE_TARGET};
    bool ok = true;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (sg_options_has(options, others[i])) {
            ok = sg_diag_fail(diag, SG_EXIT_USAGE, sg_options_span(options, others[i]),
                              "'%s' is about files of generated code, and '%s' makes none; leave "
                              "one of the two out",
                              sg_option_name(arena, others[i]), asked);
        }
    }
    const char *path = sg_options_text(options, SG_OPT_OUTPUT);
    if (path == NULL || !ok) {
        return ok;
    }
    const sg_span span = sg_options_span(options, SG_OPT_OUTPUT);
    if (is_folder(path)) {
        return sg_diag_fail(diag, SG_EXIT_USAGE, span,
                            "'%s' is a folder, but '%s' prints one text, which needs the name of "
                            "a file",
                            path, asked);
    }
    return check_ending(diag, path, own, asked, span);
}

/* Whether the header's name can be written between the quotes of an #include: no quote, nothing
 * that a terminal must not get, and nothing that a compiler reads as an escape or a trigraph. */
static bool can_be_included(const char *header)
{
    sg_buf shown = {0};
    sg_buf_add_visiblez(&shown, header);
    const bool visible = shown.len == strlen(header);
    sg_buf_free(&shown);
    return visible && strpbrk(header, "\"\\") == NULL && strstr(header, "?\?") == NULL;
}

/* Whether C or C++ implementations have a header of that name. Some file systems ignore case. */
static bool is_systems(const char *header)
{
    static const char *const names[] = {
#define H(file) file,
#include "driver/system_headers.inc"
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcasecmp(header, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* The default name of the header: STEM.h, or another one if that is the system's. */
static const char *default_header(sg_arena *arena, const char *stem)
{
    const char *header = sg_arena_printf(arena, "%s.h", stem);
    return is_systems(header) ? sg_arena_printf(arena, "%s" OTHER_HEADER, stem) : header;
}

/* Checks the names of headers that are included: the generated ones, and the one that tests,
 * benchmarks and proofs include. */
static bool check_header(sg_arena *arena, sg_diag *diag, const sg_options *options,
                         const sg_targets *targets, const char *stem)
{
    const char *plain = sg_arena_printf(arena, "%s.h", stem);
    for (int64_t i = 0; i < targets->count; i++) {
        const sg_target *t = &targets->items[i];
        if (t->kind == SG_KIND_H && is_systems(targets->header)) {
            return sg_diag_fail(diag, SG_EXIT_USAGE, t->span,
                                "'%s' is a header of the system: '#include <%s>' would find this "
                                "one wherever its folder is searched; give it another name, as in "
                                "'%s'",
                                targets->header, targets->header,
                                sg_arena_printf(arena, "%s" OTHER_HEADER,
                                                file_stem(arena, targets->header, SG_KIND_H)));
        }
        if (kinds[t->kind].header && is_systems(plain) &&
            strcmp(targets->header, default_header(arena, stem)) == 0) {
            sg_diag_note(diag, options->inputs[0].span,
                         "the header is called '%s': '%s' is one of the system's", targets->header,
                         plain);
            return true;
        }
        if (kinds[t->kind].header && !can_be_included(targets->header)) {
            const bool given = sg_options_has(options, SG_OPT_OUTPUT) ||
                               sg_options_has(options, SG_OPT_CHECK) ||
                               sg_options_has(options, SG_OPT_HEADER);
            return sg_diag_fail(
                diag, SG_EXIT_USAGE, given ? t->span : options->inputs[0].span,
                "no C file can include a header called '%s': give it a name without "
                "quotes, backslashes, control characters, bytes that are not UTF-8 and '?\?'",
                targets->header);
        }
    }
    return true;
}

/* Adds the file that Python modules import, beside the module, unless the module goes to standard
 * output or a device. */
static void add_arrays(sg_arena *arena, sg_targets *targets)
{
    for (int64_t i = 0; i < targets->count; i++) {
        const sg_target t = targets->items[i];
        sg_system_info info;
        const bool in_file = strcmp(t.path, "-") != 0 &&
                             (!sg_system_stat(t.path, &info) || info.kind == SG_SYSTEM_FILE);
        if (t.kind == SG_KIND_PY && in_file) {
            add(targets, t.kind, sg_path_join(arena, sg_path_dir(arena, t.path), SG_ARRAYS_FILE),
                t.make_dir, t.span);
            targets->items[targets->count - 1].template_name = NULL;
            return;
        }
    }
}

bool sg_targets_choose(sg_arena *arena, sg_diag *diag, const sg_options *options,
                       sg_targets *targets)
{
    *targets = (sg_targets){0};
    sg_option_id place;
    SG_TRY(choose_place(diag, options, &place));
    const char *path = sg_options_text(options, place);
    sg_span span = sg_options_span(options, place);
    const char *header = sg_options_text(options, SG_OPT_HEADER);
    sg_kind unplaced[SG_KIND_COUNT]; /* kinds without a path of their own */
    int64_t count = 0;
    for (int kind = 0; kind < SG_KIND_COUNT; kind++) {
        bool wanted = (wanted_kinds(options, path) >> kind & 1) != 0;
        if (wanted && !(kind == SG_KIND_H && header != NULL)) {
            unplaced[count++] = (sg_kind)kind;
        }
    }
    bool standard = path == NULL || strcmp(path, "-") == 0;
    const bool wants_c = (wanted_kinds(options, path) >> SG_KIND_C & 1) != 0;
    SG_TRY(read_shards(diag, options, wants_c, standard, &targets->shards));
    targets->items = SG_NEW_ARRAY(arena, sg_target, SG_KIND_COUNT + targets->shards + 1);
    const char *stem = input_stem(arena, options);
    if (standard && count > 1) {
        return sg_diag_fail(diag, SG_EXIT_USAGE, sg_options_span(options, SG_OPT_EMIT),
                            "several kinds of output need '-o' with a folder or a stem");
    }
    if (count == 0 && path != NULL) {
        return sg_diag_fail(diag, SG_EXIT_USAGE, span,
                            "nothing is left for '%s': only the header is written, to '%s'",
                            sg_option_name(arena, place), header);
    }
    if (standard && count == 1) {
        add(targets, unplaced[0], "-", NULL, span);
    } else if (count > 0 && (is_folder(path) || count > 1)) {
        const char *dir = sg_arena_printf(arena, "%s/", path);
        if (!is_folder(path)) {
            dir = sg_path_dir(arena, path);
            stem = sg_arena_strndup(arena, sg_path_base(path), stem_length(sg_path_base(path)));
        } else if (sg_path_is_folder(path)) {
            dir = path;
        }
        const char *make_dir = is_folder(path) ? dir : NULL;
        for (int64_t i = 0; i < count; i++) {
            const char *where = sg_arena_printf(arena, "%s%s", dir, stem);
            const char *file =
                unplaced[i] == SG_KIND_H
                    ? sg_arena_printf(arena, "%s%s", dir, default_header(arena, stem))
                    : sg_arena_printf(arena, "%s%s", where, kinds[unplaced[i]].suffix);
            add_files(arena, targets, unplaced[i], file, where, make_dir, span);
        }
    } else if (count == 1) {
        SG_TRY(check_ending(diag, path, ending((int)unplaced[0]), kinds[unplaced[0]].word, span));
        stem = file_stem(arena, path, unplaced[0]);
        add_files(arena, targets, unplaced[0], path,
                  sg_arena_printf(arena, "%s%s", sg_path_dir(arena, path), stem), NULL, span);
    }
    if (header != NULL) {
        add(targets, SG_KIND_H, header, NULL, sg_options_span(options, SG_OPT_HEADER));
    }
    add_arrays(arena, targets);
    targets->stem = sg_name_from(arena, sg_str_from(stem));
    targets->header = default_header(arena, stem);
    targets->source = sg_arena_printf(arena, "%s.c", targets->stem);
    for (int64_t i = 0; i < targets->count; i++) {
        if (targets->items[i].kind == SG_KIND_C && strcmp(targets->items[i].path, "-") != 0) {
            targets->source = sg_path_base(targets->items[i].path);
        }
        if (targets->items[i].kind == SG_KIND_H && strcmp(targets->items[i].path, "-") != 0) {
            targets->header = sg_path_base(targets->items[i].path);
        }
    }
    return check_header(arena, diag, options, targets, stem);
}

typedef struct place {
    const char *path;
    const char *canonical;
    sg_span span;
} place;

/* Whether two outputs may have the same path: only if it is a device. */
static bool shareable(const place *p)
{
    sg_system_info info;
    return strncmp(p->canonical, "/dev/fd/", 8) != 0 && sg_system_stat(p->path, &info) &&
           info.kind != SG_SYSTEM_FILE;
}

static bool is_file(const char *path, const sg_system_info *file)
{
    sg_system_info info;
    return sg_system_stat(path, &info) && info.kind == SG_SYSTEM_FILE &&
           sg_system_is_same(&info, file);
}

static bool same_file(const char *a, const char *b)
{
    sg_system_info info;
    return sg_system_stat(b, &info) && is_file(a, &info);
}

/* Whether standard input is an input and is redirected from the file at the path. */
static bool is_standard_input(const sg_options *options, const char *path)
{
    sg_system_info info;
    for (int64_t i = 0; i < options->ninputs; i++) {
        if (!options->inputs[i].notation && strcmp(options->inputs[i].text, "-") == 0) {
            return sg_system_stat_open(SG_STANDARD_INPUT, &info) && is_file(path, &info);
        }
    }
    return false;
}

bool sg_targets_distinct(sg_arena *arena, sg_diag *diag, const sg_options *options,
                         const sg_targets *targets, const sg_file_list *files)
{
    place *places = SG_NEW_ARRAY(arena, place, targets->count + 1);
    int64_t count = 0;
    for (; count < targets->count; count++) {
        const sg_target *t = &targets->items[count];
        places[count] = (place){t->path, sg_output_canonical(arena, t->path), t->span};
    }
    const char *depfile = sg_options_text(options, SG_OPT_DEPFILE);
    if (depfile != NULL) {
        places[count++] = (place){depfile, sg_output_canonical(arena, depfile),
                                  sg_options_span(options, SG_OPT_DEPFILE)};
    }
    for (int64_t i = 0; i < count; i++) {
        for (int64_t k = 0; k < i; k++) {
            if (strcmp(places[i].canonical, places[k].canonical) == 0 && !shareable(&places[i])) {
                sg_diag_fail(diag, SG_EXIT_USAGE, places[i].span,
                             "two outputs would be written to '%s'", places[i].path);
                sg_diag_note(diag, places[k].span, "the other one is named here");
                return false;
            }
        }
        if (is_standard_input(options, places[i].path)) {
            return sg_diag_fail(diag, SG_EXIT_USAGE, places[i].span,
                                "the output '%s' would overwrite the input that standard input is "
                                "read from",
                                places[i].path);
        }
        for (size_t k = 0; k < files->count; k++) {
            if (!sg_file_is_standard(files->items[k].path) &&
                same_file(places[i].path, files->items[k].path)) {
                return sg_diag_fail(diag, SG_EXIT_USAGE, places[i].span,
                                    "the output '%s' would overwrite the input '%s'",
                                    places[i].path, files->items[k].path);
            }
        }
    }
    return true;
}
