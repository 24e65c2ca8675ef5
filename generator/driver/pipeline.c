/* read -> ops -> splits -> plans (verified) -> texts -> files. Every stage is a module of its own;
 * here they are only called in turn. */
#include "driver/pipeline.h"

#include <string.h>
#include <sys/stat.h>

#include "driver/deliver.h"
#include "driver/information.h"
#include "driver/inputs.h"
#include "driver/look.h"
#include "driver/targets.h"
#include "emit/emit.h"
#include "emit/symbols.h"
#include "plan/isa.h"
#include "plan/plan.h"
#include "splitgen/splitgen.h"
#include "split/names.h"
#include "split/resolve.h"

_Static_assert((int)SG_CHOICE_UNROLL_AUTO == (int)SG_UNROLL_AUTO &&
                   (int)SG_CHOICE_UNROLL_FULL == (int)SG_UNROLL_FULL &&
                   (int)SG_CHOICE_UNROLL_NONE == (int)SG_UNROLL_NONE,
               "the words of --unroll are in the order of sg_unroll");
_Static_assert((int)SG_CHOICE_TUNE_GENERIC == (int)SG_UARCH_GENERIC &&
                   (int)SG_CHOICE_TUNE_ZEN5 == (int)SG_UARCH_ZEN5 &&
                   (int)SG_CHOICE_TUNE_GOLDENCOVE == (int)SG_UARCH_GOLDENCOVE &&
                   (int)SG_CHOICE_TUNE_ZEN4 == (int)SG_UARCH_ZEN4 &&
                   (int)SG_CHOICE_TUNE_NEOVERSE_V2 == (int)SG_UARCH_NEOVERSE_V2 &&
                   SG_CHOICE_TUNE_NEOVERSE_V2 + 1 == (int)SG_UARCH_COUNT,
               "the words of --tune are in the order of cost.inc");
_Static_assert((int)SG_CHOICE_DISPATCH_STATIC == (int)SG_DISPATCH_STATIC &&
                   (int)SG_CHOICE_NT_NEVER == (int)SG_STREAM_NEVER &&
                   (int)SG_CHOICE_NT_ALWAYS == (int)SG_STREAM_ALWAYS,
               "the words of --dispatch and --nt are in the order of emit.h");

/* Judges every op before giving up, so that all errors are seen. */
static bool resolve_all(sg_arena *arena, sg_diag *diag, const sg_options *options,
                        const sg_op_array *ops, sg_split **splits)
{
    const char *prefix = sg_options_text(options, SG_OPT_PREFIX);
    sg_resolve_options resolve_options = {.prefix = prefix != NULL ? prefix : ""};
    bool ok = true;
    for (int64_t i = 0; i < ops->count; i++) {
        splits[i] = sg_resolve(arena, diag, ops->items[i], &resolve_options);
        ok = ok && splits[i] != NULL;
    }
    return ok && sg_resolve_names(diag, splits, ops->count);
}

/* The instruction sets --isa names; without it, or with the word all, all. */
static uint32_t wanted_isas(const sg_options *options)
{
    const char *const words[] = {
#define WORD(id, word) [id] = (word),
        SG_CHOICES_ISA(WORD)
#undef WORD
    };
    const bool all = !sg_options_has(options, SG_OPT_ISA) ||
                     (options->values[SG_OPT_ISA].number >> SG_NAME_ALL & 1) != 0;
    uint32_t isas = 0;
    for (int i = 0; i < SG_ISA_COUNT; i++) {
        for (int name = 0; name < SG_ISA_NAMES; name++) {
            const bool named = (options->values[SG_OPT_ISA].number >> name & 1) != 0;
            if ((all || named) && strcmp(words[name], sg_isa_get((sg_isa)i)->name) == 0) {
                isas |= UINT32_C(1) << i;
            }
        }
    }
    return isas;
}

static bool plan_all(sg_arena *arena, sg_diag *diag, const sg_options *options,
                     sg_split *const *splits, int64_t count, const sg_plan **plans)
{
    sg_memo memo = {0};
    sg_plan_options plan_options = {
        .unroll = (sg_unroll)options->values[SG_OPT_UNROLL].number,
        .unroll_budget = options->values[SG_OPT_UNROLL_BUDGET].number,
        .isas = wanted_isas(options),
        .tune = (sg_uarch)options->values[SG_OPT_TUNE].number,
        .memo = &memo,
    };
    bool ok = true;
    for (int64_t i = 0; i < count; i++) {
        sg_diag_set_subject(diag, splits[i]->op->subject);
        plans[i] = sg_plan_build(arena, diag, splits[i], &plan_options);
        ok = ok && plans[i] != NULL;
    }
    sg_diag_set_subject(diag, NULL);
    return ok;
}

static const char *template_path(sg_arena *arena, const char *dir, const char *name)
{
    const char *slash = dir[strlen(dir) - 1] == '/' ? "" : "/";
    return sg_arena_printf(arena, "%s%s%s", dir, slash, name);
}

/* A folder that replaces nothing is a mistake in its name or in those of its files. */
static bool check_template_dir(sg_arena *arena, sg_diag *diag, const sg_options *options)
{
    const char *dir = sg_options_text(options, SG_OPT_TEMPLATE_DIR);
    struct stat st;
    if (dir == NULL) {
        return true;
    }
    sg_span span = sg_options_span(options, SG_OPT_TEMPLATE_DIR);
    if (stat(dir, &st) != 0 || !S_ISDIR(st.st_mode)) {
        return sg_diag_fail(diag, SG_EXIT_IO, span, "'%s' is not a folder", dir);
    }
    size_t count = 0;
    const char *const *names = sg_emit_builtin_names(&count);
    for (size_t i = 0; i < count; i++) {
        if (sg_file_exists(template_path(arena, dir, names[i]))) {
            return true;
        }
    }
    sg_diag_warn(diag, span, "no file in '%s' has the name of a template", dir);
    return true;
}

static bool ends_in_constant(const char *name)
{
    static const char *const ends[] = {"_ELEMENTS", "_BYTES", "_VIEW", "_OFFSET", "_STRIDES"};
    const size_t len = strlen(name);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        const size_t n = strlen(ends[i]);
        if (len > n && strcmp(name + len - n, ends[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* The export macro replaces every word like it, so it may be none that generated files use. */
static bool check_export_macro(sg_arena *arena, sg_diag *diag, const sg_options *options,
                               const sg_targets *targets, const sg_plan *const *plans,
                               int64_t count)
{
    static const char *const words[] = {"data",  "first", "i",       "index",
                                        "input", "last",  "outputs", "row"};
    const char *macro = sg_options_text(options, SG_OPT_EXPORT_MACRO);
    if (macro == NULL) {
        return true;
    }
    const char *problem = sg_name_problem(macro);
    bool used = ends_in_constant(macro);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        used = used || strcmp(macro, words[i]) == 0;
    }
    const char *const guard = sg_symbols_upper(arena, targets->stem);
    used = used || strcmp(macro, sg_arena_printf(arena, "%s_H", guard)) == 0 ||
           strcmp(macro, sg_arena_printf(arena, "%s_SECTION", guard)) == 0;
    for (int64_t i = 0; i < count; i++) {
        const sg_split *split = plans[i]->split;
        const size_t len = strlen(split->name);
        used = used ||
               (strncmp(macro, split->name, len) == 0 && (macro[len] == '\0' || macro[len] == '_'));
        for (int64_t k = 0; k < split->nparts; k++) {
            used = used || strcmp(macro, split->parts[k].c_name) == 0;
        }
    }
    if (problem == NULL && used) {
        problem = "is a word that the generated files use";
    }
    return problem == NULL ||
           sg_diag_fail(diag, SG_EXIT_USAGE, sg_options_span(options, SG_OPT_EXPORT_MACRO),
                        "the export macro '%s' %s", macro, problem);
}

/* Appends the user's templates to files: they are inputs like the spec. */
static bool render_all(sg_arena *arena, sg_diag *diag, const sg_options *options,
                       const sg_targets *targets, const sg_plan *const *plans, int64_t count,
                       sg_file_list *files, sg_buf *texts)
{
    const char *export_macro = sg_options_text(options, SG_OPT_EXPORT_MACRO);
    const char *section = sg_options_text(options, SG_OPT_SECTION);
    sg_unit unit = {
        .plans = plans,
        .count = count,
        .stem = targets->stem,
        .version = SPLITGEN_VERSION,
        .header = targets->header,
        .export_macro = export_macro != NULL ? export_macro : "",
        .section = section != NULL ? section : "",
        .dispatch = (sg_dispatch)options->values[SG_OPT_DISPATCH].number,
        .stream = (sg_stream)options->values[SG_OPT_NT].number,
    };
    const sg_emit_options emit_options = {.template_dir =
                                              sg_options_text(options, SG_OPT_TEMPLATE_DIR),
                                          .files = files,
                                          .watch = options->watch};
    for (int64_t i = 0; i < targets->count; i++) {
        SG_TRY(
            sg_emit(arena, diag, &emit_options, targets->items[i].template_name, &unit, &texts[i]));
    }
    return true;
}

/* The last judgement before anything is written. */
static bool judge_warnings(sg_diag *diag, const sg_options *options)
{
    if (!sg_options_has(options, SG_OPT_WERROR) || diag->warnings == 0) {
        return true;
    }
    return sg_diag_error(diag, sg_options_span(options, SG_OPT_WERROR),
                         "warnings are treated as errors");
}

static bool compile(sg_arena *arena, sg_diag *diag, const sg_options *options, sg_buf *texts)
{
    sg_targets targets = {0};
    sg_inputs inputs;
    bool looking = sg_look_wanted(options);
    SG_TRY(check_template_dir(arena, diag, options));
    SG_TRY(looking || sg_targets_choose(arena, diag, options, &targets));
    SG_TRY(sg_inputs_read(arena, diag, options, &inputs));

    int64_t count = inputs.ops.count;
    sg_split **splits = SG_NEW_ARRAY(arena, sg_split *, count);
    const sg_plan **plans = SG_NEW_ARRAY(arena, const sg_plan *, count);
    sg_look_depth depth = looking ? sg_look_depth_of(options) : SG_LOOK_PLANS;
    if (depth >= SG_LOOK_SPLITS) {
        SG_TRY(resolve_all(arena, diag, options, &inputs.ops, splits));
    }
    if (depth >= SG_LOOK_PLANS) {
        SG_TRY(plan_all(arena, diag, options, splits, count, plans));
    }
    if (looking) {
        SG_TRY(judge_warnings(diag, options));
        return sg_look_print(arena, diag, options, &inputs.ops, splits, plans);
    }
    SG_TRY(check_export_macro(arena, diag, options, &targets, plans, count));
    SG_TRY(render_all(arena, diag, options, &targets, plans, count, &inputs.files, texts));
    SG_TRY(judge_warnings(diag, options));
    return sg_deliver(arena, diag, options, &targets, texts, &inputs.files);
}

bool sg_pipeline_run(sg_arena *arena, sg_diag *diag, const sg_options *options)
{
    if (sg_information_wanted(options)) {
        return sg_information_print(arena, diag, options);
    }
    if (options->ninputs == 0) {
        return sg_diag_fail(diag, SG_EXIT_USAGE, sg_command_line_end(&options->line),
                            "there is no input: name a spec, or '-' for standard input, "
                            "or give '-e'");
    }
    sg_buf texts[SG_KIND_COUNT] = {{0}};
    bool ok = compile(arena, diag, options, texts);
    for (int i = 0; i < SG_KIND_COUNT; i++) {
        sg_buf_free(&texts[i]);
    }
    return ok;
}
