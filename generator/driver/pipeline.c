/* read -> ops -> splits -> plans (verified) -> texts -> files. Each stage is a module of its own;
 * this file calls them in turn. */
#include "driver/advice.h"
#include "driver/pipeline.h"

#include <inttypes.h>
#include <string.h>

#include "base/file.h"
#include "base/system.h"
#include "driver/deliver.h"
#include "driver/information.h"
#include "driver/inputs.h"
#include "driver/look.h"
#include "driver/models.h"
#include "driver/provenance.h"
#include "driver/runtime_files.h"
#include "driver/targets.h"
#include "driver/texts.h"
#include "emit/emit.h"
#include "emit/shard.h"
#include "emit/symbols.h"
#include "placement/placement.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"
#include "splitgen/splitgen.h"
#include "split/fuse.h"
#include "split/fuse_check.h"
#include "split/fuse_concat.h"
#include "split/names.h"
#include "split/resolve.h"
#include "split/views.h"
#include "standalone/standalone.h"

_Static_assert((int)SG_CHOICE_UNROLL_AUTO == (int)SG_UNROLL_AUTO &&
                   (int)SG_CHOICE_UNROLL_FULL == (int)SG_UNROLL_FULL &&
                   (int)SG_CHOICE_UNROLL_NONE == (int)SG_UNROLL_NONE,
               "the words of --unroll are in the order of sg_unroll");
_Static_assert((int)SG_CHOICE_OPTIMIZE_SIZE == (int)SG_OPTIMIZE_SIZE,
               "the words of --optimize are in the order of sg_optimize");
_Static_assert((int)SG_CHOICE_DISPATCH_STATIC == (int)SG_DISPATCH_STATIC,
               "the words of --dispatch are in the order of sg_dispatch");
_Static_assert((int)SG_CHOICE_NT_NEVER == (int)SG_NT_OPTION_NEVER &&
                   (int)SG_CHOICE_NT_ALWAYS == (int)SG_NT_OPTION_ALWAYS,
               "the words of --non-temporal are in the order of sg_nt_option");

/* An op in a branch that may never run is left out if it is invalid. */
static sg_split *resolve_if_it_fits(sg_arena *arena, sg_diag *diag, const sg_op *op,
                                    const sg_resolve_options *options)
{
    sg_diag trial;
    sg_diag_init(&trial, arena);
    sg_split *split = sg_resolve(arena, &trial, op, options);
    if (split != NULL) {
        return sg_resolve(arena, diag, op, options); /* again, for its warnings */
    }
    sg_diag_set_subject(diag, op->subject);
    sg_diag_warn_uncapped(diag, trial.first->span,
                          "this is left out, because it is in a branch that may never run: %s",
                          trial.first->message);
    sg_diag_set_subject(diag, NULL);
    return NULL;
}

/* Checks every op before failing, so that all errors are reported. Removes ops without a split. */
static bool resolve_all(sg_arena *arena, sg_diag *diag, const sg_options *options, sg_op_array *ops,
                        sg_split **splits)
{
    const char *prefix = sg_options_text(options, SG_OPT_PREFIX);
    sg_resolve_options resolve_options = {.prefix = prefix != NULL ? prefix : ""};
    bool ok = true;
    int64_t kept = 0;
    for (int64_t i = 0; i < ops->count; i++) {
        sg_op *op = ops->items[i];
        const bool may_go = sg_options_skip(options) && op->origin != NULL && op->origin->in_branch;
        splits[kept] = may_go ? resolve_if_it_fits(arena, diag, op, &resolve_options)
                              : sg_resolve(arena, diag, op, &resolve_options);
        ok = ok && (may_go || splits[kept] != NULL);
        if (splits[kept] != NULL) {
            ops->items[kept++] = op;
        }
    }
    const bool none = ok && kept == 0 && ops->count > 0;
    ops->count = kept;
    return none ? sg_diag_error(diag, options->inputs[0].span, "nothing is left to generate") : ok;
}

/* Fuses splits; removes ops without a split. */
static bool fuse_all(sg_arena *arena, sg_diag *diag, sg_op_array *ops, sg_split **splits)
{
    sg_split **before = SG_NEW_ARRAY(arena, sg_split *, ops->count);
    for (int64_t i = 0; i < ops->count; i++) {
        before[i] = splits[i];
    }
    const int64_t count = sg_fuse_concats(arena, splits, sg_fuse(arena, splits, ops->count));
    SG_TRY(sg_fuse_check(arena, diag, before, ops->count, splits, count));
    int64_t kept = 0;
    for (int64_t i = 0; kept < count && i < ops->count; i++) {
        if (ops->items[i] == splits[kept]->op) {
            ops->items[kept++] = ops->items[i];
        }
    }
    ops->count = count;
    return true;
}

static sg_views views_of(const sg_options *options)
{
    static const sg_views views[] = {[SG_CHOICE_VIEWS_COPY] = SG_VIEWS_COPY,
                                     [SG_CHOICE_VIEWS_OMIT] = SG_VIEWS_OMIT,
                                     [SG_CHOICE_VIEWS_OMIT_OUTPUTS] = SG_VIEWS_OMIT_OUTPUTS};
    return views[options->values[SG_OPT_VIEWS].number];
}

/* The operators that an option lists, separated by commas. */
static sg_place_list listed(sg_arena *arena, const sg_option_value *value)
{
    const char **names = NULL;
    int64_t count = 0;
    int64_t capacity = 0;
    for (int64_t i = 0; i < value->count; i++) {
        const char *at = value->items[i].text;
        while (*at != '\0') {
            const size_t len = strcspn(at, ",");
            names = SG_GROWN(arena, names, count, capacity);
            names[count++] = sg_arena_strndup(arena, at, len);
            at += len + (at[len] == ',');
        }
    }
    return (sg_place_list){names, count};
}

/* Warns about an operator of a list that no node of the models has. */
static void check_operator(sg_arena *arena, sg_diag *diag, const sg_unit *unit, sg_option_id id,
                           sg_span span, const char *name)
{
    const char **near = NULL; /* both ways to name each operator */
    int64_t count = 0;
    int64_t capacity = 0;
    for (int64_t g = 0; g < unit->nplacements; g++) {
        const sg_placement *graph = &unit->placements[g];
        for (int64_t i = 0; i < graph->noperators; i++) {
            const sg_graph_node *node = graph->operators[i];
            if (sg_place_named(name, node)) {
                return;
            }
            for (int with = sg_graph_is_onnx(node) ? 1 : 0; with < 2; with++) {
                near = SG_GROWN(arena, near, count, capacity);
                near[count++] = with ? node->op_type
                                     : sg_arena_printf(arena, "%s.%s", node->domain, node->op_type);
            }
        }
    }
    const char *meant = sg_suggest(sg_str_from(name), near, (size_t)count);
    sg_diag_warn(diag, span, "'%s': no node has the operator '%s'%s", sg_option_name(arena, id),
                 name, meant != NULL ? sg_arena_printf(arena, "; did you mean '%s'?", meant) : "");
}

static void check_operators(sg_arena *arena, sg_diag *diag, const sg_options *options,
                            const sg_unit *unit)
{
    static const sg_option_id lists[] = {SG_OPT_STRIDED, SG_OPT_STRIDED_READ, SG_OPT_IN_PLACE};
    for (size_t l = 0; l < sizeof lists / sizeof lists[0]; l++) {
        const sg_option_value *value = &options->values[lists[l]];
        for (int64_t i = 0; i < value->count; i++) {
            const char *text = value->items[i].text;
            const sg_span all = value->items[i].span;
            const bool is_plain = all.end - all.begin == strlen(text); /* in the command line */
            const sg_place_list names =
                listed(arena, &(sg_option_value){.items = &value->items[i], .count = 1});
            size_t begin = all.begin;
            for (int64_t k = 0; k < names.count; k++) {
                const size_t end = begin + strlen(names.names[k]);
                check_operator(arena, diag, unit, lists[l],
                               is_plain ? (sg_span){all.source, begin, end} : all, names.names[k]);
                begin = end + 1;
            }
        }
    }
}

/* A placement covers the nodes of models, and decides itself which parts are copied. --views=omit
 * may be given, because parts that are already in place are omitted anyway. */
static bool check_placement(sg_arena *arena, sg_diag *diag, const sg_options *options, bool places)
{
    static const sg_option_id about[] = {SG_OPT_STRIDED, SG_OPT_STRIDED_READ, SG_OPT_IN_PLACE,
                                         SG_OPT_ARENA_ALIGNMENT, SG_OPT_CACHE};
    for (size_t i = 0; !places && i < sizeof about / sizeof about[0]; i++) {
        if (sg_options_has(options, about[i])) {
            return sg_diag_fail(diag, SG_EXIT_USAGE, sg_options_span(options, about[i]),
                                "'%s' is about '--emit=placement', which is not given",
                                sg_option_name(arena, about[i]));
        }
    }
    const int64_t alignment = options->values[SG_OPT_ARENA_ALIGNMENT].number;
    if (sg_options_has(options, SG_OPT_ARENA_ALIGNMENT) &&
        (alignment < SG_PLACE_ALIGN_LEAST || alignment > SG_PLACE_ALIGN_MOST ||
         (alignment & (alignment - 1)) != 0)) {
        return sg_diag_fail(diag, SG_EXIT_USAGE, sg_options_span(options, SG_OPT_ARENA_ALIGNMENT),
                            "'--arena-alignment' takes a power of two from %" PRId64 " to %" PRId64
                            ", not %" PRId64,
                            SG_PLACE_ALIGN_LEAST, SG_PLACE_ALIGN_MOST, alignment);
    }
    const bool views = sg_options_has(options, SG_OPT_VIEWS) && views_of(options) != SG_VIEWS_OMIT;
    if (places && (views || sg_options_has(options, SG_OPT_FUSE))) {
        const sg_option_id id = views ? SG_OPT_VIEWS : SG_OPT_FUSE;
        return sg_diag_fail(diag, SG_EXIT_USAGE, sg_options_span(options, id),
                            "'--emit=placement' decides for each node of a model which parts are "
                            "copied; leave out '%s'%s",
                            sg_option_name(arena, id), views ? ", or say '--views=omit'" : "");
    }
    return true;
}

static bool place_all(sg_arena *arena, sg_diag *diag, const sg_options *options,
                      const sg_inputs *inputs, sg_split *const *splits, sg_unit *unit)
{
    const sg_place_options place = {
        .strided = listed(arena, &options->values[SG_OPT_STRIDED]),
        .strided_read = listed(arena, &options->values[SG_OPT_STRIDED_READ]),
        .in_place = listed(arena, &options->values[SG_OPT_IN_PLACE]),
        .alignment = sg_options_has(options, SG_OPT_ARENA_ALIGNMENT)
                         ? options->values[SG_OPT_ARENA_ALIGNMENT].number
                         : SG_PLACE_ALIGN,
    };
    unit->placements = sg_place_all(inputs->placement, diag, splits, inputs->ops.count, &place,
                                    &unit->nplacements);
    if (unit->placements == NULL || sg_look_wanted(options)) {
        return unit->placements != NULL;
    }
    sg_place_mark(diag, unit->placements, unit->nplacements);
    check_operators(arena, diag, options, unit);
    return unit->nplacements > 0 ||
           sg_diag_fail(diag, SG_EXIT_USAGE, sg_options_span(options, SG_OPT_EMIT),
                        "'--emit=placement' is about models, and no input is one%s",
                        inputs->specs > 0 ? "; give the model that the spec loads as an input"
                                          : "");
}

static sg_optimize optimize_of(const sg_options *options)
{
    return (sg_optimize)options->values[SG_OPT_OPTIMIZE].number;
}

/* The instruction sets that --isa names; "all" selects all. The default is all, or none for small
 * code and without the C library. */
static uint32_t wanted_isas(const sg_options *options)
{
    const char *const words[] = {
#define WORD(id, word, what) [id] = (word),
        SG_CHOICES_ISA(WORD)
#undef WORD
    };
    const bool all = sg_options_has(options, SG_OPT_ISA)
                         ? (options->values[SG_OPT_ISA].number >> SG_NAME_ALL & 1) != 0
                         : optimize_of(options) == SG_OPTIMIZE_SPEED &&
                               !sg_options_has(options, SG_OPT_NO_MEMCPY);
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

static bool check_no_memcpy(sg_diag *diag, const sg_options *options)
{
    return !sg_options_has(options, SG_OPT_NO_MEMCPY) || wanted_isas(options) == 0 ||
           sg_diag_fail(diag, SG_EXIT_USAGE, sg_options_span(options, SG_OPT_NO_MEMCPY),
                        "'--no-memcpy' is for portable code, but '--isa' asks for bodies that "
                        "copy by other means; leave one of the two out");
}

static bool plan_all(sg_arena *arena, sg_diag *diag, const sg_options *options,
                     sg_split *const *splits, int64_t count, const sg_plan **plans)
{
    sg_memo memo = {0};
    sg_plan_options plan_options = {
        .unroll = (sg_unroll)options->values[SG_OPT_UNROLL].number,
        .isas = wanted_isas(options),
        .tune = (sg_uarch)options->values[SG_OPT_TUNE].number,
        .nt = optimize_of(options) == SG_OPTIMIZE_SIZE &&
                      !sg_options_has(options, SG_OPT_NON_TEMPORAL)
                  ? SG_NT_OPTION_NEVER
                  : (sg_nt_option)options->values[SG_OPT_NON_TEMPORAL].number,
        .optimize = optimize_of(options),
        .no_memcpy = sg_options_has(options, SG_OPT_NO_MEMCPY),
        .isas_asked = sg_options_has(options, SG_OPT_ISA),
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

/* Checks that the folder that an option names exists. */
static bool check_folder(sg_diag *diag, const sg_option_item *item)
{
    sg_system_info info;
    if (!sg_system_stat(item->text, &info)) {
        return sg_diag_fail(diag, SG_EXIT_IO, item->span, "there is no folder '%s'", item->text);
    }
    return info.kind == SG_SYSTEM_FOLDER ||
           sg_diag_fail(diag, SG_EXIT_IO, item->span, "'%s' is not a folder", item->text);
}

static bool check_include_dirs(sg_diag *diag, const sg_options *options)
{
    const sg_option_value *dirs = &options->values[SG_OPT_INCLUDE];
    bool ok = true;
    for (int64_t i = 0; i < dirs->count; i++) {
        ok = check_folder(diag, &dirs->items[i]) && ok;
    }
    return ok;
}

/* A macro replaces every identifier of that name, also in the headers that generated code includes.
 * Their identifiers are in lower case, or the C library's, or begin with SPLITGEN_. */
static const char *macro_problem(const char *macro)
{
    const char *problem = sg_name_problem(macro);
    for (const char *c = macro; problem == NULL && (*c < 'A' || *c > 'Z'); c++) {
        if (*c == '\0') {
            problem = "may be a word of the headers that generated code includes; write it in "
                      "capitals, as macros are";
        }
    }
    return problem;
}

/* The options that templates can read, by their names in templates. */
static const struct {
    const char *name;
    sg_option_id option;
} unit_options[] = {
#define UNIT_OPTION(field, id, ...) {#field, SG_OPT_##id},
#include "driver/options.inc"
};
#define NUNIT_OPTIONS (sizeof unit_options / sizeof unit_options[0])

static void read_unit_options(const sg_options *options, sg_unit_text *texts)
{
    for (size_t i = 0; i < NUNIT_OPTIONS; i++) {
        const char *text = sg_options_text(options, unit_options[i].option);
        texts[i] = (sg_unit_text){unit_options[i].name, text != NULL ? text : ""};
    }
}

static bool check_export_macro(sg_diag *diag, const sg_options *options)
{
    const char *macro = sg_options_text(options, SG_OPT_EXPORT_MACRO);
    const char *problem = macro != NULL && macro[0] != '\0' ? macro_problem(macro) : NULL;
    return problem == NULL ||
           sg_diag_fail(diag, SG_EXIT_USAGE, sg_options_span(options, SG_OPT_EXPORT_MACRO),
                        "the export macro '%s' %s", macro, problem);
}

/* Whether kernels have descriptors. */
static bool describes(const sg_options *options)
{
    return !sg_options_has(options, SG_OPT_STANDALONE) ||
           options->values[SG_OPT_STANDALONE].number == SG_STANDALONE_DESCRIPTORS;
}

/* Whether standalone files of this kind include the C file of the kernels, and what it has. */
static bool includes_kernels(sg_kind kind)
{
    return kind == SG_KIND_TEST || kind == SG_KIND_BENCH || kind == SG_KIND_PROOF;
}

/* Which kinds of output --standalone is for. */
static bool check_standalone(sg_diag *diag, const sg_options *options, const sg_targets *targets)
{
    const sg_span span = sg_options_span(options, SG_OPT_STANDALONE);
    for (int64_t i = 0; sg_options_has(options, SG_OPT_STANDALONE) && i < targets->count; i++) {
        const sg_kind kind = targets->items[i].kind;
        const char *word = sg_kind_get(kind)->word;
        if (kind == SG_KIND_PY || kind == SG_KIND_VECTORS) {
            return sg_diag_fail(diag, SG_EXIT_USAGE, span,
                                "'--emit=%s' needs kernels with the headers, and '--standalone' is "
                                "for kernels without them; leave one of the two out",
                                word);
        }
        if (!describes(options) && (includes_kernels(kind) || kind == SG_KIND_REGISTRY)) {
            return sg_diag_fail(diag, SG_EXIT_USAGE, span,
                                "'--emit=%s' needs descriptors; write '--standalone=descriptors' "
                                "here, and for the C file",
                                word);
        }
        if (includes_kernels(kind) && targets->shards > 0) {
            return sg_diag_fail(diag, SG_EXIT_USAGE, sg_options_span(options, SG_OPT_SHARDS),
                                "with '--standalone', '--emit=%s' includes the C file, which must "
                                "be a single one; leave out '--shards'",
                                word);
        }
    }
    return true;
}

/* Replaces the #includes of splitgen's headers in a text by what it needs of them. */
static bool make_standalone(sg_arena *arena, sg_diag *diag, const sg_target *target,
                            const sg_emit_view *view, sg_buf *text)
{
    sg_arena scratch;
    sg_arena_init(&scratch);
    sg_buf kernels = {0};
    const bool includes = includes_kernels(target->kind);
    const char *name = sg_kind_get(SG_KIND_C)->template_name;
    const bool ok = !includes || sg_emit_shared(arena, diag, NULL, name, view, &kernels);
    if (ok) {
        sg_standalone(&scratch, text, includes ? &kernels : NULL);
    }
    sg_buf_free(&kernels);
    sg_arena_free(&scratch);
    return ok;
}

static bool render(sg_arena *arena, sg_diag *diag, const sg_emit_watch *watch,
                   const sg_targets *targets, const sg_unit *unit, sg_buf *texts)
{
    sg_unit *shards = SG_NEW_ARRAY(arena, sg_unit, targets->shards);
    if (targets->shards > 0) {
        sg_unit_shards(arena, unit, targets->shards, shards);
    }
    sg_arena kept; /* data that all texts share, except shards */
    sg_arena_init(&kept);
    const sg_emit_view *view = NULL;
    bool ok = true;
    for (int64_t i = 0; ok && i < targets->count; i++) {
        const sg_target *t = &targets->items[i];
        const char *name = t->template_name;
        if (name == NULL) {
            sg_buf_add(&texts[i], sg_text_arrays, sg_text_arrays_len);
            continue;
        }
        if (t->kind == SG_KIND_C && targets->shards > 0) {
            ok = sg_emit(arena, diag, watch, name, &shards[t->shard], &texts[i]);
        } else {
            view = view != NULL ? view : sg_emit_view_of(&kept, unit);
            ok = sg_emit_shared(arena, diag, watch, name, view, &texts[i]);
        }
        ok = ok && (!unit->standalone || make_standalone(arena, diag, t, view, &texts[i]));
    }
    sg_arena_free(&kept);
    return ok;
}

static void free_texts(sg_buf *texts, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        sg_buf_free(&texts[i]);
    }
}

/* The data that is printed, without the command that reproduces it. texts: one for each option that
 * templates can read. */
static sg_unit unit_of(const sg_options *options, const sg_targets *targets,
                       const sg_plan *const *plans, int64_t count, const sg_inputs *inputs,
                       sg_unit_text *texts)
{
    const char *prefix = sg_options_text(options, SG_OPT_PREFIX);
    read_unit_options(options, texts);
    return (sg_unit){
        .plans = plans,
        .count = count,
        .stem = targets->stem,
        .prefix = prefix != NULL ? prefix : "",
        .version = SPLITGEN_VERSION,
        .header = targets->header,
        .source = targets->source,
        .texts = texts,
        .ntexts = NUNIT_OPTIONS,
        .files = &inputs->files,
        .no_memcpy = sg_options_has(options, SG_OPT_NO_MEMCPY),
        .left_out = {.what = "", .option = ""},
        .may_fuse = sg_options_has(options, SG_OPT_FUSE),
        .standalone = sg_options_has(options, SG_OPT_STANDALONE),
        .describes = describes(options),
        .dispatch = (sg_dispatch)options->values[SG_OPT_DISPATCH].number,
    };
}

static bool render_all(sg_arena *arena, sg_diag *diag, const sg_options *options,
                       const sg_targets *targets, const sg_plan *const *plans, int64_t count,
                       const sg_unit *placed, sg_inputs *inputs, sg_buf *texts)
{
    sg_unit_text texts_of_options[NUNIT_OPTIONS];
    sg_unit unit = unit_of(options, targets, plans, count, inputs, texts_of_options);
    unit.placements = placed->placements;
    unit.nplacements = placed->nplacements;
    SG_TRY(sg_provenance_digests(arena, diag, options, &inputs->files));
    unit.ncommand = sg_provenance_command(arena, options, inputs, &unit.command);
    return render(arena, diag, &options->watch, targets, &unit, texts);
}

/* The last check before anything is written. */
static bool check_warnings(sg_diag *diag, const sg_options *options)
{
    if (!sg_options_has(options, SG_OPT_WERROR) || diag->warnings == 0) {
        return true;
    }
    return sg_diag_error(diag, sg_options_span(options, SG_OPT_WERROR),
                         "warnings are treated as errors");
}

static bool write_all(sg_arena *arena, sg_diag *diag, const sg_options *options,
                      const sg_targets *targets, const sg_plan *const *plans, int64_t count,
                      const sg_unit *placed, sg_inputs *inputs)
{
    sg_buf *texts = SG_NEW_ARRAY(arena, sg_buf, targets->count);
    const bool ok =
        render_all(arena, diag, options, targets, plans, count, placed, inputs, texts) &&
        check_warnings(diag, options) &&
        sg_deliver(arena, diag, options, targets, texts, &inputs->files);
    free_texts(texts, targets->count);
    return ok;
}

static bool compile(sg_arena *arena, sg_diag *diag, const sg_options *options)
{
    sg_targets targets = {0};
    sg_inputs inputs;
    bool looking = sg_look_wanted(options);
    SG_TRY(sg_look_check(arena, diag, options));
    SG_TRY(check_no_memcpy(diag, options) && check_export_macro(diag, options));
    SG_TRY(check_include_dirs(diag, options));
    SG_TRY(looking || (sg_targets_choose(arena, diag, options, &targets) &&
                       check_standalone(diag, options, &targets)));
    const bool places = !looking && sg_models_placed(options);
    const bool sums = sg_look_at_placements(options);
    SG_TRY(looking || check_placement(arena, diag, options, places));
    SG_TRY(sg_inputs_read(arena, diag, options, places || sums ? sg_place_watch_new(arena) : NULL,
                          &inputs));
    sg_unit placed = {0}; /* only the placements are set */

    sg_split **splits = SG_NEW_ARRAY(arena, sg_split *, inputs.ops.count);
    const sg_plan **plans = SG_NEW_ARRAY(arena, const sg_plan *, inputs.ops.count);
    sg_look_depth depth = looking ? sg_look_depth_of(options) : SG_LOOK_PLANS;
    if (depth >= SG_LOOK_SPLITS) {
        SG_TRY(resolve_all(arena, diag, options, &inputs.ops, splits));
        SG_TRY(!sg_options_has(options, SG_OPT_FUSE) || fuse_all(arena, diag, &inputs.ops, splits));
        if (!places) {
            sg_views_place(arena, splits, inputs.ops.count, views_of(options));
        }
        SG_TRY(!(places || sums) || place_all(arena, diag, options, &inputs, splits, &placed));
        SG_TRY(sg_resolve_names(diag, splits, inputs.ops.count));
    }
    const int64_t count = inputs.ops.count;
    if (depth >= SG_LOOK_PLANS) {
        SG_TRY(plan_all(arena, diag, options, splits, count, plans));
    }
    if (looking) {
        SG_TRY(check_warnings(diag, options));
        if (sg_options_has(options, SG_OPT_LIST)) {
            sg_inputs_note_apart(diag, &inputs.found);
        }
        const sg_targets none = {.stem = "list", .header = "", .source = ""};
        sg_unit_text texts[NUNIT_OPTIONS];
        sg_unit unit = unit_of(options, &none, plans, count, &inputs, texts);
        unit.placements = placed.placements;
        unit.nplacements = placed.nplacements;
        unit.left_out = sg_models_left_out(arena, options, &inputs.found);
        return sg_look_print(arena, diag, options, &inputs.ops, splits, &unit, inputs.shapes,
                             &inputs.files);
    }
    return write_all(arena, diag, options, &targets, plans, count, &placed, &inputs);
}

bool sg_pipeline_run(sg_arena *arena, sg_diag *diag, const sg_options *options)
{
    if (sg_information_wanted(options)) {
        return sg_information_print(arena, diag, options);
    }
    if (sg_runtime_wanted(options)) {
        return sg_runtime_write(arena, diag, options);
    }
    const char *check = sg_advice_check(arena, options);
    if (check != NULL) {
        return sg_diag_fail(diag, SG_EXIT_USAGE, sg_options_span(options, SG_OPT_CHECK), "%s",
                            check);
    }
    if (options->ninputs == 0) {
        return sg_diag_fail(diag, SG_EXIT_USAGE, sg_command_line_end(&options->line),
                            "there is no input: name a spec, or '-' for standard input, "
                            "or give '-e'");
    }
    return compile(arena, diag, options);
}
