/* The ops of --list for other programs. The schema is the comment of sg_list_json; fields are
 * added, and one that changes its meaning raises the number. */
#include "plan/tell/list_json.h"

#include <inttypes.h>

#include "base/checked.h"
#include "plan/layout.h"
#include "plan/params.h"
#include "plan/plan.h"
#include "plan/tell/dump.h"
#include "plan/tell/fusion.h"

#define SCHEMA_VERSION 1

/* Sums over ops, which are not limited together as the bytes of one are. */
typedef struct sum {
    int64_t bytes;
    bool overflows;
} sum;

static void add_bytes(sum *to, int64_t bytes)
{
    to->overflows = !sg_add64(to->bytes, bytes, &to->bytes) || to->overflows;
}

static void add_key(sg_buf *out, const char *key)
{
    sg_buf_printf(out, ",\"%s\":", key);
}

/* A sum that is too large is null: a wrong number would be believed. */
static void add_sum(sg_buf *out, const char *key, const sum *s)
{
    add_key(out, key);
    if (s->overflows) {
        sg_buf_addz(out, "null");
    } else {
        sg_buf_printf(out, "%" PRId64, s->bytes);
    }
}

static void add_output_bytes(const sg_plan *plan, sum *copied, sum *saved)
{
    for (int64_t o = 0; o < plan->noutputs; ++o) {
        const sg_output *output = &plan->outputs[o];
        add_bytes(sg_output_is_free(output) ? saved : copied, output->part->bytes);
    }
}

/* Dimensions of the whole, or of a tensor of its rank. An open one is a text, "batch" or
 * "197*batch*time". */
static void add_dims(sg_buf *out, const sg_split *split, const int64_t *dims)
{
    sg_arena arena;
    sg_arena_init(&arena);
    for (int d = 0; d < split->rank; ++d) {
        const int64_t extent = dims[d];
        sg_buf_addc(out, d == 0 ? '[' : ',');
        if (sg_split_is_open(split, d)) {
            sg_buf_add_jsonz(out, sg_split_dim_text(&arena, split, d, extent));
        } else {
            sg_buf_printf(out, "%" PRId64, extent);
        }
    }
    sg_arena_free(&arena);
    sg_buf_addc(out, ']');
}

/* What a Concat is given, or makes. */
static void add_side(sg_buf *out, const sg_split *split, const sg_param *param)
{
    sg_buf_addc(out, '{');
    sg_buf_add_member(out, "name", param->name);
    if (param->tensor != NULL) {
        add_key(out, "tensor");
        sg_buf_add_jsonz(out, param->tensor);
    }
    add_key(out, "shape");
    add_dims(out, split, param->dims);
    sg_buf_printf(out, ",\"bytes\":%" PRId64 "}", param->bytes);
}

static const sg_param *whole_of(const sg_plan *plan)
{
    const sg_param *param = plan->params;
    while (param->role != SG_PARAM_WHOLE) {
        ++param;
    }
    return param;
}

/* What comes for a part of a list that has an entry for each tensor that a kernel is given: its
 * parameter at the first part that it stands for. False: nothing, as the kernel holds the part or
 * an earlier one has the same parameter. param: NULL of a part that is not wanted. output: of the
 * next wanted part, moved on. */
static bool next_param(const sg_plan *plan, const sg_part *part, int64_t *output,
                       const sg_param **param)
{
    *param = NULL;
    if (!part->wanted) {
        return true;
    }
    const int64_t o = (*output)++;
    *param = plan->outputs[o].param;
    return *param != NULL && (*param)->outputs[0] == o;
}

static void add_sides(sg_buf *out, const sg_plan *plan)
{
    const sg_split *split = plan->split;
    const sg_param *param;
    const char *between = "";
    int64_t output = 0;
    add_key(out, "inputs");
    sg_buf_addc(out, '[');
    for (int64_t i = 0; i < split->nparts; ++i) {
        if (!next_param(plan, &split->parts[i], &output, &param)) {
            continue;
        }
        sg_buf_addz(out, between);
        between = ",";
        if (param != NULL) {
            add_side(out, split, param);
        } else {
            sg_buf_addz(out, "null");
        }
    }
    sg_buf_addc(out, ']');
    add_key(out, "output");
    add_side(out, split, whole_of(plan));
}

/* Where a join gets its parts from, in the order of their lengths, if they are not one tensor each:
 * how many elements lie in front of a piece in its tensor; which part is a constant. */
static void add_pieces(sg_buf *out, const sg_plan *plan)
{
    const sg_split *split = plan->split;
    bool any = false;
    for (int64_t o = 0; o < plan->noutputs; ++o) {
        any = any || plan->outputs[o].held || plan->outputs[o].part->source != NULL;
    }
    if (!any) {
        return;
    }
    add_key(out, "parts");
    int64_t output = 0;
    for (int64_t i = 0; i < split->nparts; ++i) {
        const sg_part *part = &split->parts[i];
        const sg_output *from = part->wanted ? &plan->outputs[output++] : NULL;
        sg_buf_addc(out, i == 0 ? '[' : ',');
        if (from == NULL) {
            sg_buf_addz(out, "null");
        } else if (from->held) {
            sg_buf_addc(out, '{');
            sg_buf_add_member(out, "constant", part->name);
            sg_buf_addc(out, '}');
        } else {
            sg_buf_addc(out, '{');
            sg_buf_add_member(out, "of", from->param->name);
            sg_buf_printf(out, ",\"offset\":%" PRId64 "}", part->at);
        }
    }
    sg_buf_addc(out, ']');
}

/* The C function's parameters, in order; what is no argument of it is not among them. */
static void add_parameters(sg_buf *out, const sg_plan *plan)
{
    const char *between = "";
    add_key(out, "parameters");
    sg_buf_addc(out, '[');
    for (int64_t p = 0; p < plan->nparams; ++p) {
        const sg_param *param = &plan->params[p];
        if (!param->passed) {
            continue;
        }
        sg_buf_printf(out, "%s{", between);
        between = ",";
        sg_buf_add_member(out, "role", sg_param_role_name(param->role));
        add_key(out, "name");
        sg_buf_add_jsonz(out, param->name);
        if (param->tensor != NULL) {
            add_key(out, "tensor");
            sg_buf_add_jsonz(out, param->tensor);
        }
        sg_buf_addc(out, '}');
    }
    sg_buf_addc(out, ']');
}

/* Those of one tensor; null where all its rows lie at one. */
static void add_list_of(sg_buf *out, const sg_split *split, const int64_t *strides)
{
    if (strides == NULL) {
        sg_buf_addz(out, "null");
        return;
    }
    for (int d = 0; d < split->rank; ++d) {
        sg_buf_printf(out, "%s%" PRId64, d == 0 ? "[" : ",", strides[d]);
    }
    sg_buf_addc(out, ']');
}

/* The strides of all dimensions, where rows lie in groups. */
static void add_all_strides(sg_buf *out, const sg_split *split)
{
    sg_buf_addz(out, ",\"strides\":");
    add_list_of(out, split, split->strides);
    sg_buf_addz(out, ",\"part_strides\":");
    for (int64_t i = 0; i < split->nparts; ++i) {
        sg_buf_addc(out, i == 0 ? '[' : ',');
        add_list_of(out, split, split->parts[i].strides);
    }
    sg_buf_addc(out, ']');
}

/* From how many elements on the next row begins, of the whole and of all parts in the order of
 * their lengths; nothing where every tensor is dense. */
static void add_strides(sg_buf *out, const sg_split *split)
{
    bool gaps = sg_split_has_gaps(split);
    for (int64_t i = 0; i < split->nparts; ++i) {
        const sg_part *part = &split->parts[i];
        gaps = gaps || (part->wanted && sg_part_has_gaps(split, part));
    }
    if (!gaps) {
        return;
    }
    sg_buf_printf(out, ",\"row_stride\":%" PRId64 ",\"row_strides\":[", split->row_stride);
    for (int64_t i = 0; i < split->nparts; ++i) {
        sg_buf_addz(out, i == 0 ? "" : ",");
        if (split->parts[i].wanted) {
            sg_buf_printf(out, "%" PRId64, split->parts[i].row_stride);
        } else {
            sg_buf_addz(out, "null");
        }
    }
    sg_buf_addc(out, ']');
    if (sg_split_has_pitch(split)) {
        add_all_strides(out, split);
    }
}

/* Lengths and names of all parts, so that lengths sum to the dimension also where a part is not
 * wanted and has no name. */
static void add_parts(sg_buf *out, const sg_plan *plan)
{
    const sg_split *split = plan->split;
    add_key(out, "lengths");
    for (int64_t i = 0; i < split->nparts; ++i) {
        sg_buf_printf(out, "%c%" PRId64, i == 0 ? '[' : ',', split->parts[i].length);
    }
    sg_buf_addc(out, ']');
    add_strides(out, split);
    if (split->joins) {
        add_sides(out, plan);
        add_pieces(out, plan);
        return;
    }
    add_key(out, "outputs");
    for (int64_t i = 0; i < split->nparts; ++i) {
        sg_buf_addc(out, i == 0 ? '[' : ',');
        sg_buf_add_jsonz(out, split->parts[i].wanted ? split->parts[i].name : NULL);
    }
    sg_buf_addc(out, ']');
}

static void add_views(sg_buf *out, const sg_plan *plan)
{
    const char *between = "";
    add_key(out, "views");
    sg_buf_addc(out, '[');
    for (int64_t o = 0; o < plan->noutputs; ++o) {
        if (sg_output_is_free(&plan->outputs[o])) {
            sg_buf_addz(out, between);
            sg_buf_add_jsonz(out, plan->outputs[o].part->name);
            between = ",";
        }
    }
    sg_buf_addc(out, ']');
    between = ",\"copied\":[";
    for (int64_t o = 0; o < plan->noutputs; ++o) {
        const sg_part *part = plan->outputs[o].part;
        if (part->copied != NULL) {
            sg_buf_addz(out, between);
            sg_buf_addc(out, '{');
            sg_buf_add_member(out, "name", part->name);
            sg_buf_addc(out, ',');
            sg_buf_add_member(out, "why", part->copied);
            sg_buf_addc(out, '}');
            between = ",";
        }
    }
    sg_buf_addz(out, between[1] != '\0' ? "" : "]");
}

/* Trailing outputs that the node leaves out are null like those it leaves empty. */
static void add_tensors(sg_buf *out, const sg_plan *plan, const sg_op_origin *origin)
{
    const sg_split *split = plan->split;
    const sg_param *param;
    const char *between = "[";
    int64_t output = 0;
    add_key(out, "tensors");
    sg_buf_addc(out, '{');
    sg_buf_add_member(out, split->joins ? "output" : "input", origin->input);
    add_key(out, split->joins ? "inputs" : "outputs");
    for (int64_t i = 0; i < split->nparts; ++i) {
        if (next_param(plan, &split->parts[i], &output, &param)) {
            sg_buf_addz(out, between);
            sg_buf_add_jsonz(out, param != NULL ? param->tensor : NULL);
            between = ",";
        }
    }
    sg_buf_addz(out, between[0] == '[' ? "[]}" : "]}");
}

/* What a family cuts, and which nodes it stands for. */
static void add_family(sg_buf *out, const sg_op_origin *origin)
{
    if (origin->nodes == NULL) {
        return;
    }
    add_key(out, "tensor");
    sg_buf_add_jsonz(out, origin->input);
    add_key(out, "nodes");
    for (int64_t i = 0; i < origin->nnodes; ++i) {
        sg_buf_addc(out, i == 0 ? '[' : ',');
        sg_buf_add_jsonz(out, origin->nodes[i]);
    }
    sg_buf_addc(out, ']');
}

static void add_origin(sg_buf *out, const sg_plan *plan, const sg_op_origin *origin)
{
    add_key(out, "node");
    sg_buf_add_jsonz(out, origin->node);
    add_key(out, "op_type");
    sg_buf_add_jsonz(out, origin->op_type);
    add_key(out, "path");
    sg_buf_addc(out, '[');
    for (int64_t i = 0; i < origin->npath; ++i) {
        sg_buf_addz(out, i > 0 ? "," : "");
        sg_buf_add_jsonz(out, origin->path[i]);
    }
    sg_buf_addc(out, ']');
    add_family(out, origin);
    add_tensors(out, plan, origin);
}

static void add_fused(sg_buf *out, const sg_split *split)
{
    if (split->nfused > 0) {
        add_key(out, "fused");
    }
    for (int64_t i = 0; i < split->nfused; ++i) {
        const sg_op_origin *origin = split->fused[i]->op->origin;
        sg_buf_addz(out, i == 0 ? "[{" : ",{");
        sg_buf_add_member(out, "node", origin->node);
        add_key(out, "op_type");
        sg_buf_add_jsonz(out, origin->op_type);
        add_key(out, "tensor");
        sg_buf_add_jsonz(out, origin->input);
        sg_buf_printf(out, ",\"bytes\":%" PRId64 "}", split->saved[i]);
    }
    sg_buf_addz(out, split->nfused > 0 ? "]" : "");
    if (split->apart != NULL) {
        add_key(out, "not_fused");
        sg_buf_add_jsonz(out, split->apart);
    }
}

/* Whether the split has one open number, which is a factor of one dimension in front of the axis.
 */
static bool has_items(const sg_split *split)
{
    return split->nopen == 1 && !split->inner.open &&
           sg_split_powers(split, 0, split->rank, 0) == 1;
}

/* The open numbers: which dimensions each is a factor of, and what is expected. */
static void add_open(sg_buf *out, const sg_split *split)
{
    add_key(out, "open");
    for (int o = 0; o < split->nopen; ++o) {
        sg_buf_addz(out, o == 0 ? "[{" : ",{");
        sg_buf_add_member(out, "name", split->open[o].name);
        sg_buf_printf(out, ",\"expected\":%" PRId64 ",\"powers\":[", split->open[o].expected);
        for (int d = 0; d < split->rank; ++d) {
            sg_buf_printf(out, "%s%d", d == 0 ? "" : ",", sg_split_power(split, d, o));
        }
        sg_buf_addz(out, "]}");
    }
    sg_buf_addc(out, ']');
    if (has_items(split)) {
        add_key(out, "free");
        sg_buf_addc(out, '{');
        sg_buf_add_member(out, "name", split->open[0].name);
        sg_buf_printf(out, ",\"dim\":%d,\"expected\":%" PRId64 "}", split->open[0].dim,
                      split->open[0].expected);
    }
}

/* Of the whole; more about open numbers follows. */
static void add_shape(sg_buf *out, const sg_split *split)
{
    add_dims(out, split, split->dims);
    if (split->nopen > 0) {
        add_open(out, split);
    }
}

static void add_op(sg_buf *out, const sg_plan *plan)
{
    const sg_split *split = plan->split;
    sg_buf_addc(out, '{');
    sg_buf_add_member(out, "name", split->name);
    add_key(out, "op");
    sg_buf_add_jsonz(out, split->joins ? "concat" : "split");
    add_key(out, "type");
    sg_buf_add_jsonz(out, sg_dtype_get(split->dtype)->name);
    add_key(out, "shape");
    add_shape(out, split);
    sg_buf_printf(out, ",\"axis\":%d", split->axis);
    add_parts(out, plan);
    add_parameters(out, plan);
    sg_buf_printf(out, ",\"bytes\":%" PRId64, split->bytes);
    add_views(out, plan);
    if (split->op != NULL && split->op->origin != NULL) {
        add_origin(out, plan, split->op->origin);
    }
    add_fused(out, split);
    sg_buf_addc(out, '}');
}

void sg_list_json(sg_buf *out, const sg_plan *const *plans, int64_t count, const sg_list_rest *rest)
{
    sum copied = {0};
    sum saved = {0};
    const sg_fusion fusion = sg_fusion_count(plans, count);
    sg_buf_printf(out, "{\"schema\":%d,\"ops\":[", SCHEMA_VERSION);
    for (int64_t i = 0; i < count; ++i) {
        sg_buf_addz(out, i == 0 ? "\n" : ",\n");
        add_op(out, plans[i]);
        add_output_bytes(plans[i], &copied, &saved);
    }
    sg_buf_printf(out, "%s],\"summary\":{\"splits\":%" PRId64, count > 0 ? "\n" : "",
                  fusion.splits);
    if (fusion.concats > 0) {
        sg_buf_printf(out, ",\"concats\":%" PRId64, fusion.concats);
    }
    add_sum(out, "bytes_copied", &copied);
    add_sum(out, "bytes_saved_by_views", &saved);
    if (fusion.any) {
        sg_buf_printf(out, ",\"kernels\":%" PRId64, count);
        add_sum(out, "bytes_saved_by_fusing",
                &(sum){.bytes = fusion.bytes, .overflows = fusion.bytes == INT64_MAX});
    }
    if (rest->count > 0) {
        sg_buf_printf(out, ",\"not_listed\":{\"count\":%" PRId64 ",\"option\":", rest->count);
        sg_buf_add_jsonz(out, rest->option);
        sg_buf_addc(out, '}');
    }
    sg_buf_addz(out, "}}\n");
}

/* A sum for people. */
static void add_total(sg_buf *out, const sum *s)
{
    if (s->overflows) {
        sg_buf_addz(out, "more than 2^63");
    } else {
        sg_buf_printf(out, "%" PRId64, s->bytes);
    }
}

void sg_list_total(sg_buf *out, const sg_plan *const *plans, int64_t count)
{
    sum copied = {0};
    sum saved = {0};
    bool open = false;
    for (int64_t i = 0; i < count; ++i) {
        add_output_bytes(plans[i], &copied, &saved);
        open = open || plans[i]->split->nopen > 0;
    }
    sg_buf_addz(out, "total: ");
    add_total(out, &saved);
    sg_buf_addz(out, " bytes need no copy, ");
    add_total(out, &copied);
    sg_buf_printf(out, " bytes do%s\n", open ? ", of open dimensions one item each" : "");
}
