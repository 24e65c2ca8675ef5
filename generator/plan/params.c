/* The parameters of a kernel: tensors that are read come first, then those that are written, then
 * numbers. */
#include "plan/params.h"

#include "plan/plan.h"

const char *sg_param_role_name(sg_param_role role)
{
    static const char *const names[] = {[SG_PARAM_WHOLE] = "whole",
                                        [SG_PARAM_PART] = "part",
                                        [SG_PARAM_SOURCE] = "source",
                                        [SG_PARAM_ARRAY] = "array",
                                        [SG_PARAM_NUMBER] = "number"};
    return names[role];
}

static void add(sg_plan *plan, sg_param param)
{
    plan->params[plan->nparams++] = param;
}

static void add_whole(sg_plan *plan)
{
    const sg_split *split = plan->split;
    const sg_op_origin *origin = split->op != NULL ? split->op->origin : NULL;
    add(plan, (sg_param){.role = SG_PARAM_WHOLE,
                         .passed = true,
                         .is_const = !split->joins,
                         .may_be_null = split->bytes == 0,
                         .name = split->data_name,
                         .c_name = split->data_name,
                         .tensor = origin != NULL ? origin->input : NULL,
                         .dims = split->dims,
                         .rank = split->rank,
                         .bytes = split->bytes,
                         .place = -1});
}

static sg_param of_part(const sg_plan *plan, const sg_output *output)
{
    const sg_part *part = output->part;
    return (sg_param){.role = SG_PARAM_PART,
                      .passed = !part->view_only && !plan->array_params,
                      .is_const = plan->split->joins,
                      .may_be_null = part->view_only || part->bytes == 0,
                      .name = part->name,
                      .c_name = part->c_name,
                      .tensor = part->tensor,
                      .dims = output->dims,
                      .rank = sg_part_rank(plan->split, part),
                      .bytes = part->bytes};
}

static sg_param of_source(const sg_plan *plan, const sg_tensor_source *source)
{
    return (sg_param){.role = SG_PARAM_SOURCE,
                      .passed = !plan->array_params,
                      .is_const = true,
                      .name = source->name,
                      .c_name = source->c_name,
                      .tensor = source->tensor,
                      .dims = source->dims,
                      .rank = plan->split->rank,
                      .bytes = source->bytes,
                      .source = source};
}

/* Adds the parts in order. Pieces of one source share one entry. */
static void add_parts(sg_arena *arena, sg_plan *plan)
{
    const sg_split *split = plan->split;
    sg_param **of_sources = SG_NEW_ARRAY(arena, sg_param *, split->nsources);
    int64_t place = 0;
    for (int64_t o = 0; o < plan->noutputs; ++o) {
        sg_output *output = &plan->outputs[o];
        const sg_tensor_source *source = output->part->source;
        sg_param *param = source != NULL ? of_sources[source - split->sources] : NULL;
        output->held = output->part->data != NULL;
        if (output->held) { /* stored in the function itself */
            plan->gathers = plan->array_params && plan->map.nparts > 0;
            continue;
        }
        if (param == NULL) {
            param = &plan->params[plan->nparams];
            add(plan, source != NULL ? of_source(plan, source) : of_part(plan, output));
            param->place = place++;
            param->outputs = SG_NEW_ARRAY(arena, int64_t, source != NULL ? plan->noutputs - o : 1);
        }
        if (source != NULL) {
            of_sources[source - split->sources] = param;
        }
        param->outputs[param->noutputs++] = o;
        output->param = param;
    }
}

void sg_params_build(sg_arena *arena, sg_plan *plan)
{
    const sg_split *split = plan->split;
    /* An upper bound: each output, each dynamic dimension, the full tensor and an array. */
    plan->params = SG_NEW_ARRAY(arena, sg_param, plan->noutputs + split->nopen + 2);
    plan->nparams = 0;
    if (!split->joins) {
        add_whole(plan);
    }
    if (plan->array_params) {
        add(plan, (sg_param){.role = SG_PARAM_ARRAY,
                             .passed = true,
                             .is_const = split->joins,
                             .name = split->joins ? "inputs" : "outputs",
                             .c_name = split->joins ? "inputs" : "outputs",
                             .place = -1});
    }
    add_parts(arena, plan);
    if (split->joins) {
        add_whole(plan);
    }
    for (int o = 0; o < split->nopen; ++o) {
        add(plan, (sg_param){.role = SG_PARAM_NUMBER,
                             .passed = true,
                             .is_const = true,
                             .name = split->open[o].name,
                             .c_name = split->open[o].c_name,
                             .place = -1});
    }
}
