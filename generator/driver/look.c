/* Collects the texts of --list and --explain, which are templates, of --dump, which plan/report/
 * generates, and of --report. */
#include "driver/look.h"

#include "driver/costs.h"
#include "driver/deliver.h"
#include "driver/targets.h"
#include "emit/emit.h"
#include "plan/plan.h"
#include "plan/report/dump.h"

static bool dumps(const sg_options *options, sg_stage stage)
{
    return (options->values[SG_OPT_DUMP].number >> stage & 1) != 0;
}

/* In the order in which they are printed. */
static const sg_option_id looks[] = {SG_OPT_LIST, SG_OPT_EXPLAIN, SG_OPT_REPORT, SG_OPT_DUMP};
#define NLOOKS (sizeof looks / sizeof looks[0])

/* The first option that is given; SG_OPT_COUNT: none. */
static sg_option_id first_look(const sg_options *options)
{
    for (size_t i = 0; i < NLOOKS; i++) {
        if (sg_options_has(options, looks[i])) {
            return looks[i];
        }
    }
    return SG_OPT_COUNT;
}

bool sg_look_wanted(const sg_options *options)
{
    return first_look(options) != SG_OPT_COUNT;
}

sg_look_depth sg_look_depth_of(const sg_options *options)
{
    if (sg_options_has(options, SG_OPT_LIST) || sg_options_has(options, SG_OPT_EXPLAIN) ||
        sg_options_has(options, SG_OPT_REPORT) || dumps(options, SG_STAGE_LAYOUT) ||
        dumps(options, SG_STAGE_PLAN) || dumps(options, SG_STAGE_PROGRAM)) {
        return SG_LOOK_PLANS;
    }
    return dumps(options, SG_STAGE_SPLIT) ? SG_LOOK_SPLITS : SG_LOOK_OPS;
}

static bool lists_json(const sg_options *options)
{
    return sg_options_has(options, SG_OPT_LIST) &&
           options->values[SG_OPT_LIST].number == SG_FORMAT_JSON;
}

static bool reports_json(const sg_options *options)
{
    return sg_options_has(options, SG_OPT_REPORT) &&
           options->values[SG_OPT_REPORT].number == SG_FORMAT_JSON;
}

/* Nothing else may be printed before or after a JSON document. */
static bool check_alone(sg_diag *diag, const sg_options *options, sg_option_id json,
                        const char *name)
{
    for (size_t i = 0; i < NLOOKS; i++) {
        if (looks[i] != json && sg_options_has(options, looks[i])) {
            return sg_diag_fail(diag, SG_EXIT_USAGE, sg_options_span(options, looks[i]),
                                "'%s' prints one JSON document, which '--%s' would add to", name,
                                sg_option_get(looks[i])->long_name);
        }
    }
    return true;
}

bool sg_look_at_shapes(const sg_options *options)
{
    return dumps(options, SG_STAGE_SHAPES);
}

bool sg_look_at_placements(const sg_options *options)
{
    return sg_options_has(options, SG_OPT_LIST) && !sg_options_has(options, SG_OPT_FUSE) &&
           options->values[SG_OPT_OPS].number == INT64_C(1) << SG_GRAPH_OPS_ALL;
}

bool sg_look_only_at_shapes(const sg_options *options)
{
    return options->values[SG_OPT_DUMP].number == INT64_C(1) << SG_STAGE_SHAPES &&
           first_look(options) == SG_OPT_DUMP;
}

bool sg_look_check(sg_arena *arena, sg_diag *diag, const sg_options *options)
{
    if (!sg_look_wanted(options)) {
        return true;
    }
    const char *asked = sg_option_name(arena, first_look(options));
    const bool is_json = lists_json(options) || reports_json(options);
    if (lists_json(options)) {
        asked = "--list=json";
        SG_TRY(check_alone(diag, options, SG_OPT_LIST, asked));
    } else if (is_json) {
        asked = "--report=json";
        SG_TRY(check_alone(diag, options, SG_OPT_REPORT, asked));
    }
    return sg_targets_check_text(arena, diag, options, asked, is_json ? ".json" : ".txt");
}

static void dump_stages(sg_buf *out, const sg_options *options, const sg_op *op,
                        const sg_split *split, const sg_plan *plan)
{
    if (dumps(options, SG_STAGE_OP)) {
        sg_dump_op(out, op);
    }
    for (int64_t i = 0; dumps(options, SG_STAGE_OP) && split != NULL && i < split->nfused; i++) {
        sg_dump_op(out, split->fused[i]->op);
    }
    if (dumps(options, SG_STAGE_SPLIT)) {
        sg_dump_split(out, split);
    }
    if (dumps(options, SG_STAGE_LAYOUT)) {
        sg_dump_layout(out, plan);
    }
    if (dumps(options, SG_STAGE_PLAN)) {
        sg_dump_plan(out, plan);
    }
    if (dumps(options, SG_STAGE_PROGRAM)) {
        sg_dump_program(out, plan);
    }
}

bool sg_look_print(sg_arena *arena, sg_diag *diag, const sg_options *options,
                   const sg_op_array *ops, sg_split *const *splits, const sg_unit *unit,
                   sg_str shapes, sg_file_list *files)
{
    sg_buf text = {0};
    const char *list = lists_json(options) ? "list.json.tmpl" : "list.txt.tmpl";
    const bool ok = (!sg_options_has(options, SG_OPT_LIST) ||
                     sg_emit(arena, diag, &options->watch, list, unit, &text)) &&
                    (!sg_options_has(options, SG_OPT_EXPLAIN) ||
                     sg_emit(arena, diag, &options->watch, "explain.txt.tmpl", unit, &text));
    if (sg_options_has(options, SG_OPT_REPORT)) {
        sg_costs_print(arena, &text, unit->plans, ops->count, reports_json(options));
    }
    sg_buf_add(&text, shapes.ptr, shapes.len);
    for (int64_t i = 0; i < ops->count; i++) {
        dump_stages(&text, options, ops->items[i], splits[i], unit->plans[i]);
    }
    const bool done =
        ok && sg_deliver_text(arena, diag, options, first_look(options), &text, files);
    sg_buf_free(&text);
    return done;
}
