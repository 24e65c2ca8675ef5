/* Converts plans to the model that templates see: names and spelling, no decisions. */
#include "emit/model.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "emit/symbols.h"
#include "plan/bits/bit_program.h"
#include "plan/choose/share.h"
#include "plan/body/fold.h"
#include "plan/insn.h"
#include "plan/layout.h"
#include "plan/params.h"
#include "plan/plan.h"
#include "plan/report/dump.h"
#include "plan/report/fusion.h"
#include "splitgen/splitgen.h"

/* Adds values to a table, or finds an equal row among the last 16: parts of equal length share
 * their shape, and equal lengths are mostly adjacent. */
static int64_t share_row(sg_model_row *table, int64_t *count, const int64_t *values, int64_t rank)
{
    const int64_t oldest = *count > 16 ? *count - 16 : 0;
    for (int64_t i = *count - 1; i >= oldest; --i) {
        if (memcmp(table[i].values, values, (size_t)rank * sizeof *values) == 0) {
            return i;
        }
    }
    table[*count] = (sg_model_row){values, rank};
    return (*count)++;
}

static const char *view_macro(sg_view_kind view)
{
    static const char *const names[] = {[SG_VIEW_CONTIGUOUS] = "SPLITGEN_VIEW_CONTIGUOUS",
                                        [SG_VIEW_STRIDED] = "SPLITGEN_VIEW_STRIDED",
                                        [SG_VIEW_COPY] = "SPLITGEN_VIEW_NONE"};
    return names[view];
}

/* The table of a model is printed with its first kernel. */
static void name_model(sg_arena *arena, const sg_model *model, sg_model_kernel *kernel)
{
    for (const sg_model_kernel *other = model->kernels; other < kernel; ++other) {
        if (other->has_model && strcmp(other->model, kernel->model) == 0 &&
            strcmp(other->sha256, kernel->sha256) == 0) {
            kernel->model_symbol = other->model_symbol;
            return;
        }
    }
    kernel->has_model = true;
    kernel->model_symbol = sg_arena_printf(arena, "%s_model", kernel->helper);
}

static sg_model_text *texts_of(sg_arena *arena, const char *const *texts, int64_t count)
{
    sg_model_text *list = SG_NEW_ARRAY(arena, sg_model_text, count);
    for (int64_t i = 0; i < count; ++i) {
        list[i].text = texts[i];
    }
    return list;
}

static void build_origin(sg_arena *arena, const sg_model *model, sg_model_kernel *kernel)
{
    const sg_op *op = kernel->plan->split->op;
    const sg_op_origin *origin = op != NULL ? op->origin : NULL;
    kernel->model_symbol = "";
    kernel->model = kernel->sha256 = kernel->node = kernel->op_type = "";
    kernel->domain = kernel->tensor = kernel->past = "";
    if (origin == NULL) {
        return;
    }
    kernel->has_origin = true;
    kernel->model = sg_path_base(origin->model);
    kernel->sha256 = origin->sha256 != NULL ? origin->sha256 : "";
    kernel->node = origin->node;
    kernel->op_type = origin->op_type;
    kernel->domain = origin->domain;
    kernel->tensor = origin->input;
    kernel->past = origin->past != NULL ? origin->past : "";
    kernel->capacity = origin->capacity;
    kernel->cache_step =
        kernel->plan->split->inner.factor * (sg_dtype_get(kernel->plan->split->dtype)->bits / 8);
    kernel->npath = origin->npath;
    kernel->path = texts_of(arena, origin->path, origin->npath);
    kernel->nnodes = origin->nnodes;
    kernel->nodes = texts_of(arena, origin->nodes, origin->nnodes);
    kernel->nfused = kernel->plan->split->nfused;
    kernel->fused = SG_NEW_ARRAY(arena, sg_model_fused, kernel->nfused);
    for (int64_t i = 0; i < kernel->nfused; ++i) {
        const sg_split *split = kernel->plan->split->fused[i];
        const sg_op_origin *from = split->op->origin;
        kernel->fused[i] =
            (sg_model_fused){.node = from->node,
                             .name = from->node[0] != '\0' ? from->node : split->name,
                             .joins = split->joins,
                             .op_type = from->op_type,
                             .domain = from->domain,
                             .tensor = from->input,
                             .axis = split->axis,
                             .bytes = kernel->plan->split->saved[i]};
    }
    name_model(arena, model, kernel);
}

/* A list with an entry for each group of rows with padding between groups, outermost first: its
 * number of rows (rows_alone), or its stride in elements. Strides are empty for a tensor whose rows
 * have a single stride. */
static int64_t group_steps(sg_arena *arena, const sg_split *split, const int64_t *strides,
                           int64_t row_stride, bool rows_alone, const int64_t **list)
{
    int64_t n = 0;
    int64_t *steps = SG_NEW_ARRAY(arena, int64_t, split->axis + 1);
    for (int d = 0; split->bytes > 0 && (rows_alone || strides != NULL) && d + 1 < split->axis;
         ++d) {
        int64_t rows = 1;
        for (int i = d + 1; i < split->axis; ++i) {
            rows *= split->dims[i];
        }
        bool apart = sg_split_gap(split, split->strides, d) != 0;
        for (int64_t i = 0; i < split->nparts; ++i) {
            apart = apart || sg_split_gap(split, split->parts[i].strides, d) != 0;
        }
        if (apart) {
            steps[n++] = rows_alone ? rows : strides != NULL ? strides[d] : rows * row_stride;
        }
    }
    *list = steps;
    return n;
}

/* Bytes from one item of a tensor to the next. They exceed its bytes by the padding after its last
 * row. */
static int64_t bytes_apart(const sg_split *split, const int64_t *strides, int64_t row_stride,
                           int64_t bytes)
{
    if (bytes == 0 || !split->outer.open) {
        return bytes;
    }
    return sg_split_bytes(split, strides != NULL ? split->dims[0] * strides[0]
                                                 : split->outer.factor * row_stride);
}

static void build_output(sg_arena *arena, sg_model_kernel *kernel, int64_t index,
                         sg_nameset *params, sg_nameset *pythons, sg_nameset *macros)
{
    const sg_plan *plan = kernel->plan;
    const sg_output *from = &plan->outputs[index];
    const int64_t element = kernel->element_bytes;
    const int64_t element_bits = kernel->element_bits;
    sg_model_output *to = &kernel->outputs[index];
    to->name = from->part->name;
    to->tensor = from->part->tensor != NULL ? from->part->tensor : "";
    to->identifier = from->part->c_name;
    to->symbol = sg_symbols_param(params, from->part->c_name);
    to->python = sg_symbols_python_output(pythons, to->symbol);
    to->macro = sg_symbols_macro(macros, kernel->name, from->part->c_name);
    to->dims = from->dims;
    to->ndims = sg_part_rank(plan->split, from->part);
    to->number = from->part - plan->split->parts;
    to->elements_before = from->part->at;
    to->start = from->part->start;
    to->length = from->part->length;
    to->elements = from->part->elements;
    to->bytes = to->bytes_apart = from->part->bytes;
    if (from->part->source == NULL) {
        to->bytes_apart = bytes_apart(plan->split, from->part->strides, from->part->row_stride,
                                      from->part->bytes);
    }
    to->tensor_row_stride = from->part->row_stride;
    to->pitch = from->part->strides;
    to->npitch = from->part->strides != NULL ? plan->split->rank : 0;
    to->ngroup_steps = group_steps(arena, plan->split, from->part->strides, from->part->row_stride,
                                   false, &to->group_steps);
    to->has_gaps = sg_part_has_gaps(plan->split, from->part);
    to->copied = !from->part->view_only;
    to->is_free = sg_output_is_free(from);
    to->is_unread = from->part->unread;
    to->is_yielded = from->part->in_graph != NULL && from->part->in_graph->yielded;
    to->moves = from->column >= 0;
    if (to->copied) {
        kernel->has_code = true;
    }
    to->constant = "";
    to->is_constant = from->held;
    if (from->held) {
        to->constant = sg_model_values(params->arena, plan->split, from->part);
    }
    to->units = sg_split_bytes(plan->split, to->elements) / element;
    const int64_t units = plan->bits != NULL ? element_bits : element;
    if (!to->copied && plan->map.row_stride > 0) { /* only for pictures */
        const sg_split *split = plan->split;
        const int64_t step = split->inner.factor * (kernel->is_packed ? element_bits : element);
        const int64_t unit = plan->bits == NULL && kernel->is_packed ? 8 : units;
        to->row_offset = to->start * step / unit;
        to->row_elements = to->length * step / unit;
    }
    if (to->moves) {
        const sg_map_part *column = &plan->map.parts[from->column];
        to->row_offset = column->offset / units;
        to->row_elements = column->width / units;
        to->row_step = column->row_stride / units;
        if (plan->bits != NULL) {
            to->group_bytes = sg_bits_bytes(plan->bits->group_rows, column->row_stride);
        }
        kernel->moved[kernel->nmoved++] = to;
        kernel->columns[from->column] = to;
    } else if (to->copied && !from->held) {
        kernel->unmoved[kernel->nunmoved++] = to;
    }
    to->view = sg_view_name(from->view);
    to->view_macro = view_macro(from->view);
    to->view_why = from->view_why;
    to->copied_why = from->part->copied != NULL ? from->part->copied : "";
    to->strategy = from->strategy;
    to->dims_row = share_row(kernel->dims_table, &kernel->ndims_table, to->dims, kernel->rank);
    to->has_view = from->view != SG_VIEW_COPY;
    if (to->has_view) {
        to->offset =
            kernel->is_packed ? from->byte_offset * 8 / element_bits : from->byte_offset / element;
        to->byte_offset = from->byte_offset;
        to->strides = from->strides;
        to->nstrides = to->ndims;
        to->row_stride = from->row_stride;
        to->view_align = from->view_align;
        if (from->part->source == NULL && !from->held) { /* only tensors of their own have views */
            to->strides_row =
                share_row(kernel->dims_table, &kernel->ndims_table, to->strides, kernel->rank);
        }
    }
}

/* A tensor that parts are read from. It has no place of its own in the full tensor. */
static void build_source(sg_model_kernel *kernel, const sg_tensor_source *from, sg_nameset *params,
                         sg_nameset *pythons, sg_nameset *macros, sg_model_output *to)
{
    const sg_split *split = kernel->plan->split;
    to->name = from->name;
    to->tensor = from->tensor;
    to->identifier = from->c_name;
    to->symbol = sg_symbols_param(params, from->c_name);
    to->python = sg_symbols_python_output(pythons, to->symbol);
    to->macro = sg_symbols_macro(macros, kernel->name, from->c_name);
    to->dims = from->dims;
    to->ndims = split->rank;
    to->length = from->dims[split->axis];
    to->elements = 1;
    for (int d = 0; d < split->rank; ++d) {
        to->elements *= from->dims[d];
    }
    to->bytes = to->bytes_apart = from->bytes;
    to->units = sg_split_bytes(split, to->elements) / kernel->element_bytes;
    to->tensor_row_stride = from->row_stride;
    to->copied = to->moves = true;
    to->strategy = "read by pieces";
    to->view = sg_view_name(SG_VIEW_COPY);
    to->view_macro = view_macro(SG_VIEW_COPY);
    to->view_why = "pieces of it are joined";
    to->copied_why = "";
    to->constant = "";
    to->dims_row = share_row(kernel->dims_table, &kernel->ndims_table, to->dims, kernel->rank);
}

/* The tensors that the kernel takes: parts, and once each tensor that several parts are read from.
 */
static void build_tensors(sg_arena *arena, sg_model_kernel *kernel, sg_nameset *params,
                          sg_nameset *pythons, sg_nameset *macros)
{
    const sg_plan *plan = kernel->plan;
    kernel->sources = SG_NEW_ARRAY(arena, sg_model_output, plan->split->nsources);
    kernel->is_rearranged = plan->split->nsources > 0;
    sg_model_output *source = kernel->sources;
    for (int64_t p = 0; p < plan->nparams; ++p) {
        const sg_param *param = &plan->params[p];
        if (param->place < 0) {
            continue;
        }
        sg_model_output *tensor = &kernel->outputs[param->outputs[0]];
        if (param->source != NULL) {
            tensor = source++;
            build_source(kernel, param->source, params, pythons, macros, tensor);
        }
        tensor->place = param->place;
        kernel->tensors[kernel->ntensors++] = tensor;
        if (tensor->copied) {
            kernel->params[kernel->nparams++] = tensor;
        }
        for (int64_t i = 0; param->source != NULL && i < param->noutputs; ++i) {
            sg_model_output *piece = &kernel->outputs[param->outputs[i]];
            const int64_t at = plan->outputs[param->outputs[i]].part->at;
            piece->source = tensor;
            piece->place = param->place;
            piece->at = kernel->is_packed ? at * kernel->element_bits / 8 : at;
        }
    }
    kernel->by_place = !plan->array_params || !plan->gathers;
    for (int64_t p = 0; p < kernel->ncolumns && !plan->array_params; ++p) {
        const sg_model_output *column = kernel->columns[p];
        kernel->by_place = kernel->by_place && column->place == p && column->source == NULL &&
                           !plan->outputs[column->index].held;
    }
    for (int64_t o = 0; o < kernel->noutputs; ++o) {
        kernel->is_rearranged = kernel->is_rearranged || plan->outputs[o].held;
        if (plan->outputs[o].held && kernel->outputs[o].moves) {
            kernel->constants[kernel->nconstants++] = &kernel->outputs[o];
        }
    }
    kernel->constant_type = sg_model_values_type(arena, plan->split);
}

/* The parameters, with their names and types in C. */
static void build_parameters(sg_arena *arena, sg_model_kernel *kernel)
{
    const sg_plan *plan = kernel->plan;
    const sg_model_open *number = kernel->open;
    kernel->nparameters = plan->nparams;
    kernel->parameters = SG_NEW_ARRAY(arena, sg_model_param, plan->nparams);
    for (int64_t p = 0; p < plan->nparams; ++p) {
        const sg_param *from = &plan->params[p];
        sg_model_param *to = &kernel->parameters[p];
        *to = (sg_model_param){.role = sg_param_role_name(from->role),
                               .passed = from->passed,
                               .name = from->name,
                               .symbol = from->c_name,
                               .type = kernel->part_type,
                               .tensor = from->tensor != NULL ? from->tensor : "",
                               .is_const = from->is_const,
                               .may_be_null = from->may_be_null,
                               .dims = from->dims,
                               .ndims = from->rank,
                               .bytes = from->bytes,
                               .place = from->place,
                               .noutputs = from->noutputs,
                               .outputs = SG_NEW_ARRAY(arena, sg_model_output *, from->noutputs)};
        for (int64_t i = 0; i < from->noutputs; ++i) {
            to->outputs[i] = &kernel->outputs[from->outputs[i]];
        }
        if (from->place >= 0) {
            to->symbol = kernel->tensors[from->place]->symbol;
        } else if (from->role == SG_PARAM_WHOLE) {
            to->symbol = kernel->data;
            to->type = kernel->whole_type;
        } else if (from->role == SG_PARAM_ARRAY) {
            to->type = sg_arena_printf(arena, "%sconst *", kernel->part_type);
        } else {
            to->symbol = (number++)->symbol;
            to->type = "size_t";
        }
    }
}

/* The outputs that a part of the code uses, sorted. Insertion sort suffices, because parts are
 * short. */
static void find_outputs(sg_arena *arena, sg_model_part *part)
{
    const sg_plan *plan = part->kernel->plan;
    const int64_t limit = part->nfrom < plan->noutputs ? part->nfrom : plan->noutputs;
    part->outputs = SG_NEW_ARRAY(arena, sg_model_output *, limit);
    for (int64_t i = 0; i < part->nfrom; ++i) {
        const int64_t index = plan->map.parts[sg_insn_in_part(&part->from[i])->part].tensor;
        sg_model_output *output = &part->kernel->outputs[index];
        int64_t at = part->noutputs;
        while (at > 0 && part->outputs[at - 1]->index > index) {
            --at;
        }
        if (at > 0 && part->outputs[at - 1] == output) {
            continue;
        }
        memmove(&part->outputs[at + 1], &part->outputs[at],
                (size_t)(part->noutputs - at) * sizeof *part->outputs);
        part->outputs[at] = output;
        ++part->noutputs;
    }
}

static sg_model_part *new_part(sg_arena *arena, sg_model_kernel *kernel, const sg_code *code,
                               int64_t block, bool in_loop)
{
    sg_model_part *part = SG_NEW(arena, sg_model_part);
    part->symbol = "";
    part->kernel = kernel;
    part->in_loop = in_loop;
    part->takes_rows = code == &kernel->plan->row && sg_plan_has_blocks(kernel->plan);
    part->rows = code->rows;
    part->by_outputs = code->by_outputs;
    part->code = code;
    part->count = 1;
    part->first = code->blocks[block].first;
    part->from = code->insns + part->first;
    part->nfrom = code->blocks[block].count;
    find_outputs(arena, part);
    return part;
}

/* A block that calls the function of an equal one. */
static void share_function(sg_model_kernel *kernel, sg_model_part *first, const sg_block *block,
                           sg_model_part *part)
{
    const sg_map_part *columns = kernel->plan->map.parts;
    const int64_t column = sg_insn_in_part(&first->from[0])->part;
    first->is_shared = true;
    part->symbol = first->symbol;
    part->is_shared = true;
    part->index = columns[column + block->part].tensor - columns[column].tensor;
    part->offset = block->at / kernel->element_bytes;
}

/* The functions of blocks, one for each block that does not equal an earlier one: NAME_row, or
 * NAME_row0, NAME_row1 if there are several. */
static sg_model_part **new_functions(sg_arena *arena, sg_model_kernel *kernel, const sg_code *code,
                                     bool in_loop, const char *word)
{
    sg_model_part **parts = SG_NEW_ARRAY(arena, sg_model_part *, code->nblocks);
    /* With an array of outputs, small code has the function once, however many loops call it. */
    const bool is_once = kernel->plan->array_params && kernel->plan->optimize == SG_OPTIMIZE_SIZE;
    int64_t number = 0;
    int64_t own = 0;
    for (int64_t i = 0; i < code->nblocks; ++i) {
        own += code->blocks[i].alias_of == i;
    }
    for (int64_t i = 0; i < code->nblocks; ++i) {
        parts[i] = new_part(arena, kernel, code, i, in_loop);
        if (code->blocks[i].alias_of != i) {
            share_function(kernel, parts[code->blocks[i].alias_of], &code->blocks[i], parts[i]);
            continue;
        }
        parts[i]->is_inline = in_loop && code->nblocks == 1 && !is_once;
        parts[i]->symbol =
            own == 1 ? sg_arena_printf(arena, "%s_%s", kernel->helper, word)
                     : sg_arena_printf(arena, "%s_%s%" PRId64, kernel->helper, word, number++);
        kernel->functions[kernel->nfunctions++] = parts[i];
    }
    return parts;
}

/* Merges calls of the same function at regular distances. Returns how many are left. */
static int64_t join_parts(sg_model_part **parts, int64_t count)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < count; ++i) {
        sg_model_part *last = kept > 0 ? parts[kept - 1] : NULL;
        const sg_model_part *part = parts[i];
        const bool is_same =
            last != NULL && part->is_shared && strcmp(last->symbol, part->symbol) == 0;
        const int64_t index_step = is_same ? part->index - last->index : 0;
        const int64_t offset_step = is_same ? part->offset - last->offset : 0;
        if (is_same && (last->count == 1 || (index_step == last->count * last->index_step &&
                                             offset_step == last->count * last->offset_step))) {
            last->index_step = last->count == 1 ? index_step : last->index_step;
            last->offset_step = last->count == 1 ? offset_step : last->offset_step;
            ++last->count;
        } else {
            parts[kept++] = parts[i];
        }
    }
    return kept;
}

static void build_portable(sg_arena *arena, sg_model_kernel *kernel)
{
    const sg_plan *plan = kernel->plan;
    const sg_code *iteration = &plan->iteration;
    const bool is_straight = !kernel->by_rows && iteration->nblocks > 0;
    kernel->functions =
        SG_NEW_ARRAY(arena, sg_model_part *, iteration->nblocks + plan->row.nblocks);
    kernel->rows_form = is_straight && plan->map.rows == 1 ? "once"
                        : plan->row.ninsns > 0             ? "loop"
                                                           : "empty";
    if (kernel->by_rows || (is_straight && plan->map.rows > 1)) {
        kernel->row_parts = new_functions(arena, kernel, &plan->row, true, "row");
        kernel->nrow_parts = join_parts(kernel->row_parts, plan->row.nblocks);
    }
    kernel->niteration_parts = iteration->nblocks;
    if (is_straight && iteration->nblocks == 1) {
        kernel->iteration_parts = SG_NEW_ARRAY(arena, sg_model_part *, 1);
        kernel->iteration_parts[0] = new_part(arena, kernel, iteration, 0, false);
    } else if (is_straight) {
        kernel->iteration_parts = new_functions(arena, kernel, iteration, false, "block");
    } else if (iteration->rows > 1) {
        kernel->iteration_parts = new_functions(arena, kernel, iteration, true, "iteration");
    } else { /* the same as a row */
        kernel->niteration_parts = kernel->nrow_parts;
        kernel->iteration_parts = kernel->row_parts;
    }
}

/* The pointer that a place is relative to, and the offset in elements. */
static const char *place_of(const sg_model_part *part, const sg_ref *ref, int64_t *at)
{
    const sg_model_kernel *kernel = part->kernel;
    const bool whole = ref->part == SG_WHOLE;
    const sg_model_output *output =
        whole ? NULL : &kernel->outputs[kernel->plan->map.parts[ref->part].tensor];
    *at = ref->at / kernel->element_bytes;
    return whole ? kernel->data : output->symbol;
}

static void build_insn(const sg_model_part *part, const sg_insn *from, sg_model_insn *to)
{
    const sg_model_kernel *kernel = part->kernel;
    const sg_plan *plan = kernel->plan;
    const int64_t tensor = plan->map.parts[sg_insn_in_part(from)->part].tensor;
    const bool byte =
        !plan->no_memcpy && from->op != SG_INSN_CALL && from->bytes + from->overrun == 1;
    to->op = !byte                   ? sg_opcode_get(from->op)->name
             : kernel->assigns_bytes ? sg_opcode_get(SG_INSN_MOVE)->name
                                     : "byte";
    to->part = kernel->outputs[tensor].symbol;
    to->to = place_of(part, &from->to, &to->dst);
    to->from = place_of(part, &from->from, &to->src);
    to->bytes = from->bytes;
    to->overrun = from->overrun;
    to->row = sg_insn_in_whole(from)->at / plan->map.row_stride;
}

/* Elements from one repetition of a fold to the next. */
static int64_t fold_step(const sg_model_part *part, const sg_ref *ref, const sg_fold *fold)
{
    return fold->rows * sg_map_stride(&part->kernel->plan->map, ref->part) /
           part->kernel->element_bytes;
}

/* The instructions of a part; for a fold, those that are printed. */
static void fill_part(sg_arena *arena, sg_model_part *part)
{
    const sg_code *code = part->code;
    part->insns = SG_NEW_ARRAY(arena, sg_model_insn, part->nfrom);
    for (int64_t i = 0; i < part->nfrom; ++i) {
        const sg_insn *from = &part->from[i];
        const sg_fold *fold = sg_fold_of(code->folds, code->nfolds, part->first + i);
        if (!sg_fold_prints(fold, part->first + i)) {
            continue;
        }
        sg_model_insn *to = &part->insns[part->ninsns++];
        build_insn(part, from, to);
        to->times = 1;
        if (fold != NULL) {
            to->fold = 1 + (fold - code->folds);
            to->times = fold->times;
            to->dst_step = fold_step(part, &from->to, fold);
            to->src_step = fold_step(part, &from->from, fold);
        }
    }
}

/* Fills the instructions of parts that have none yet. Outputs must have their names. */
static void fill_parts(sg_arena *arena, sg_model_part **parts, int64_t nparts)
{
    for (int64_t p = 0; p < nparts; ++p) {
        sg_model_part *part = parts[p];
        if (part->insns == NULL) {
            fill_part(arena, part);
        }
    }
}

static void build_insns(sg_arena *arena, sg_model_kernel *kernel)
{
    fill_parts(arena, kernel->row_parts, kernel->nrow_parts);
    fill_parts(arena, kernel->iteration_parts, kernel->niteration_parts);
}

static void build_types(sg_arena *arena, sg_model_kernel *kernel)
{
    const sg_dtype_info *info = sg_dtype_get(kernel->plan->split->dtype);
    kernel->dtype = info->name;
    kernel->dtype_macro = sg_arena_printf(arena, "SPLITGEN_%s", info->id);
    kernel->element_type = info->c_type;
    kernel->pointer_elements = info->kind == SG_DTYPE_KIND_PTR;
    const char *read =
        sg_arena_printf(arena, kernel->pointer_elements ? "%sconst *" : "const %s *", info->c_type);
    const char *written =
        sg_arena_printf(arena, kernel->pointer_elements ? "%s*" : "%s *", info->c_type);
    kernel->joins = kernel->plan->map.joins;
    kernel->whole_type = kernel->joins ? written : read;
    kernel->part_type = kernel->joins ? read : written;
}

/* The type that copies elements without memcpy: integers of their size, or of the size of each part
 * of a complex number. */
static const char *word_of(sg_arena *arena, const sg_plan *plan)
{
    const sg_dtype_kind kind = sg_dtype_get(plan->split->dtype)->kind;
    if (!plan->no_memcpy || kind == SG_DTYPE_KIND_PTR) {
        return plan->no_memcpy ? "pointer" : "";
    }
    return sg_arena_printf(arena, "%" PRId64,
                           8 * plan->split->element_bytes / sg_dtype_numbers(plan->split->dtype));
}

/* The first of NumPy's words for the type. NumPy itself has types with a code. For others there are
 * packages with types of that name, and always integers of the same size, or bytes of packed ones.
 */
static void build_numpy(sg_arena *arena, sg_model_kernel *kernel)
{
    const sg_dtype_info *info = sg_dtype_get(kernel->plan->split->dtype);
    const char *words = info->words[SG_PEOPLE_NUMPY];
    const char *word = sg_arena_strndup(arena, words, strcspn(words, " "));
    kernel->numpy = kernel->numpy_of_package = "";
    if (kernel->is_packed) {
        kernel->numpy = "uint8";
        kernel->numpy_of_package = word;
    } else if (info->code[0] != '\0') {
        kernel->numpy = word;
    } else if (!kernel->pointer_elements) {
        kernel->numpy = sg_arena_printf(arena, "uint%" PRId64, kernel->element_bits);
        kernel->numpy_of_package = word;
    }
}

/* Parameters must not hide functions that the kernel calls. */
static void reserve_symbols(sg_model_kernel *kernel, sg_nameset *params)
{
    sg_nameset_add(params, kernel->name, 0);
    sg_nameset_add(params, sg_arena_printf(params->arena, "%s_kernel", kernel->name), 0);
    for (int64_t i = 0; i < kernel->nfunctions; ++i) {
        sg_nameset_add(params, kernel->functions[i]->symbol, 0);
    }
    if (kernel->alias_of != NULL) {
        sg_nameset_add(params, kernel->alias_of->name, 0);
        sg_nameset_add(params, sg_arena_printf(params->arena, "%s_all", kernel->alias_of->helper),
                       0);
    }
    static const char *const called[] = {"all", "any", "portable", "apart", "bits"};
    for (size_t i = 0; i < sizeof called / sizeof called[0]; ++i) {
        sg_nameset_add(params, sg_arena_printf(params->arena, "%s_%s", kernel->helper, called[i]),
                       0);
    }
    if (kernel->array_params) { /* functions with arrays of parts use these names */
        sg_nameset_add(params, "index", 0);
        sg_nameset_add(params, "inputs", 0);
        sg_nameset_add(params, "rows", 0);
    }
    if (kernel->gathers) {
        sg_nameset_add(params, "all_inputs", 0);
    }
}

static int64_t *lengths_of(sg_arena *arena, const sg_split *split)
{
    int64_t *lengths = SG_NEW_ARRAY(arena, int64_t, split->nparts);
    for (int64_t i = 0; i < split->nparts; ++i) {
        lengths[i] = split->parts[i].length;
    }
    return lengths;
}

/* "batch * time": the open numbers that are factors of dimensions [first, last). */
static const char *factors(sg_arena *arena, const sg_model_kernel *kernel, int first, int last)
{
    const char *text = "";
    for (int o = 0; o < kernel->plan->split->nopen; ++o) {
        for (int64_t i = sg_split_powers(kernel->plan->split, first, last, o); i > 0; --i) {
            text = sg_arena_printf(arena, "%s%s%s", text, text[0] != '\0' ? " * " : "",
                                   kernel->open[o].symbol);
        }
    }
    return text;
}

static void build_open(sg_arena *arena, sg_model_kernel *kernel, sg_nameset *params)
{
    const sg_split *split = kernel->plan->split;
    kernel->nopen = split->nopen;
    kernel->open = SG_NEW_ARRAY(arena, sg_model_open, split->nopen);
    for (int o = 0; o < split->nopen; ++o) {
        sg_model_open *open = &kernel->open[o];
        int64_t *powers = SG_NEW_ARRAY(arena, int64_t, split->rank);
        for (int d = 0; d < split->rank; ++d) {
            powers[d] = sg_split_power(split, d, o);
        }
        *open = (sg_model_open){.name = split->open[o].name,
                                .symbol = sg_symbols_param(params, split->open[o].c_name),
                                .expected = split->open[o].expected,
                                .dim = split->open[o].dim,
                                .npowers = split->rank,
                                .powers = powers};
    }
    kernel->items = factors(arena, kernel, 0, split->axis);
    kernel->scale = factors(arena, kernel, split->axis + 1, split->rank);
}

/* Whether the kernel needs a function that copies pieces of rows: splitgen_run_parallel() may
 * divide rows, and the kernel may use non-temporal stores. */
static bool copies_non_temporal(const sg_model_kernel *kernel)
{
    const sg_plan *plan = kernel->plan;
    bool contiguous = true;
    for (int64_t i = 0; i < plan->noutputs; ++i) {
        contiguous = contiguous && plan->outputs[i].view == SG_VIEW_CONTIGUOUS;
    }
    return kernel->has_asked && !kernel->is_bits && !kernel->is_free &&
           plan->non_temporal != SG_NON_TEMPORAL_NEVER &&
           (contiguous || plan->map.rows < plan->bytes_moved / SPLITGEN_PARALLEL_BYTES);
}

/* For two tensors of the same rank. */
static bool same_strides(const sg_split *split, const int64_t *a, const int64_t *b)
{
    return a == NULL || b == NULL ? a == b : memcmp(a, b, (size_t)split->rank * sizeof *a) == 0;
}

static bool same_shape(const sg_split *a, const sg_split *b)
{
    return a->rank == b->rank && a->axis == b->axis && a->row_stride == b->row_stride &&
           same_strides(a, a->strides, b->strides) && sg_split_same_open(a, b) &&
           memcmp(a->dims, b->dims, (size_t)a->rank * sizeof *a->dims) == 0;
}

/* Whether the same outputs of both have no axis. */
static bool same_ranks(const sg_plan *a, const sg_plan *b)
{
    for (int64_t i = 0; i < a->noutputs; ++i) {
        if (a->outputs[i].part->without_axis != b->outputs[i].part->without_axis) {
            return false;
        }
    }
    return true;
}

/* Whether the parts have the same names and strides. */
static bool same_parts(const sg_plan *a, const sg_plan *b)
{
    for (int64_t i = 0; i < a->noutputs; ++i) {
        const sg_part *x = a->outputs[i].part;
        const sg_part *y = b->outputs[i].part;
        if (strcmp(x->name, y->name) != 0 || x->row_stride != y->row_stride ||
            !same_strides(a->split, x->strides, y->strides)) {
            return false;
        }
    }
    return true;
}

/* Sets what a kernel shares with the one whose code it runs; code is NULL if it has code of its
 * own. */
static void build_alias(sg_model_kernel *kernel, const sg_model_kernel *code)
{
    if (code == NULL) {
        return;
    }
    kernel->alias_of = code;
    kernel->shares_shape =
        same_shape(code->plan->split, kernel->plan->split) && same_ranks(code->plan, kernel->plan);
    kernel->shares_tensors = kernel->shares_shape && code->dtype == kernel->dtype &&
                             same_parts(code->plan, kernel->plan);
    kernel->casts = strcmp(code->element_type, kernel->element_type) != 0;
}

/* The levels of groups of rows. */
static void build_levels(sg_arena *arena, const sg_plan *plan, sg_model_kernel *kernel)
{
    const sg_map *map = &plan->map;
    kernel->takes_groups = sg_plan_takes_groups(plan);
    kernel->levels = SG_NEW_ARRAY(arena, sg_model_level, map->ngroups);
    for (int64_t g = 0; sg_plan_goes_by_rows(plan) && g < map->ngroups; ++g) {
        sg_model_level *level = &kernel->levels[kernel->nlevels++];
        /* an array of all parts has those that are not copied, too */
        const int64_t nparts = plan->array_params ? plan->noutputs : map->nparts;
        int64_t *parts = SG_NEW_ARRAY(arena, int64_t, nparts);
        int64_t *whole = SG_NEW_ARRAY(arena, int64_t, 1);
        *whole = sg_map_group_step(map, SG_WHOLE, g);
        for (int64_t p = 0; p < map->nparts; ++p) {
            const int64_t step = sg_map_group_step(map, p, g);
            parts[plan->array_params ? map->parts[p].tensor : p] = step;
            kernel->steps_or |= g == 0 && !map->joins ? step : 0;
        }
        kernel->steps_or |= g == 0 && map->joins ? *whole : 0;
        kernel->steps_or = kernel->steps_or % SG_LINE_BYTES == 0 ? 0 : kernel->steps_or;
        level->rows = map->groups[g].rows;
        level->from = map->joins ? parts : whole;
        level->nfrom = map->joins ? nparts : 1;
        level->to = map->joins ? whole : parts;
        level->nto = map->joins ? 1 : nparts;
    }
}

static void build_kernel(sg_arena *arena, const sg_model *model, const sg_plan *plan,
                         const sg_model_kernel *code, const char *helper, sg_nameset *macros,
                         sg_model_kernel *kernel)
{
    const sg_split *split = plan->split;
    kernel->plan = plan;
    kernel->name = split->name;
    kernel->helper = helper;
    build_origin(arena, model, kernel);
    kernel->not_fused = split->apart != NULL ? split->apart : "";
    build_types(arena, kernel);
    build_alias(kernel, code);
    kernel->kind = sg_plan_kind_name(plan->kind);
    kernel->strategy = plan->strategy;
    kernel->why = plan->why;
    kernel->few_rows = plan->few_rows;
    kernel->array_params = plan->array_params;
    kernel->gathers = plan->gathers;
    kernel->rank = split->rank;
    kernel->dims = split->dims;
    kernel->ndims = split->rank;
    kernel->axis = split->axis;
    kernel->align = split->align;
    kernel->row_stride = split->row_stride;
    kernel->has_pitch = sg_split_has_pitch(split);
    build_levels(arena, plan, kernel);
    kernel->has_blocks = sg_plan_has_blocks(plan);
    kernel->block_rows = plan->block_rows;
    kernel->block_scales =
        plan->block_bytes / (plan->map.row_stride > 0 ? plan->map.row_stride : 1);
    kernel->pitch = split->strides;
    kernel->npitch = split->strides != NULL ? split->rank : 0;
    kernel->nrow_groups =
        group_steps(arena, split, split->strides, split->row_stride, true, &kernel->row_groups);
    kernel->ngroup_steps =
        group_steps(arena, split, split->strides, split->row_stride, false, &kernel->group_steps);
    kernel->has_gaps = sg_split_has_gaps(split);
    kernel->element_bytes = split->element_bytes;
    kernel->assigns_bytes = model->standalone && plan->optimize == SG_OPTIMIZE_SIZE &&
                            strstr(kernel->element_type, "int8_t") != NULL;
    kernel->element_bits =
        split->packing != SG_PACKING_NONE ? split->element_bits : 8 * split->element_bytes;
    kernel->is_packed = split->packing != SG_PACKING_NONE;
    kernel->packing = sg_packing_name(split->packing);
    build_numpy(arena, kernel);
    kernel->is_bits = plan->bits != NULL;
    const int64_t content = sg_split_bytes(split, split->elements); /* without padding */
    kernel->units = content / split->element_bytes;
    kernel->is_free = split->nopen > 0;
    kernel->by_rows = sg_plan_goes_by_rows(plan);
    kernel->is_fixed = !kernel->is_free;
    kernel->open_rows = split->outer.open;
    kernel->scales = split->inner.open;
    kernel->expected = sg_split_items(split);
    kernel->expected_scale = split->behind;
    kernel->item_rows = plan->map.rows / split->items;
    kernel->row_bytes = plan->map.row_stride;
    if (split->bytes > 0) { /* otherwise the products may overflow */
        kernel->outer = split->outer.factor;
        kernel->inner = split->inner.factor;
        kernel->item_bytes = kernel->is_packed ? 0 : split->inner.factor * split->element_bytes;
        kernel->item_bits = kernel->is_packed ? split->inner.factor * split->element_bits : 0;
    }
    kernel->elements = split->elements;
    kernel->bytes = split->bytes;
    kernel->bytes_apart = bytes_apart(split, split->strides, split->row_stride, split->bytes);
    kernel->nparts = split->nparts;
    kernel->nlengths = split->nparts;
    kernel->lengths = lengths_of(arena, split);
    kernel->bytes_moved = plan->bytes_moved / kernel->expected;
    kernel->copies = plan->copies;
    kernel->shortest = plan->shortest;
    kernel->has_long_runs = plan->shortest >= SG_PLAN_LONG_RUN;
    kernel->longest = plan->longest;
    kernel->row_elements = plan->map.row_stride / split->element_bytes;
    kernel->puts = plan->puts;
    kernel->word = word_of(arena, plan);
    kernel->is_small = plan->optimize == SG_OPTIMIZE_SIZE;
    if (kernel->is_bits) {
        kernel->row_elements = plan->map.row_stride / split->element_bits;
        kernel->item_rows = plan->bits->groups / split->items + (plan->bits->tail.rows > 0 ? 1 : 0);
        kernel->row_bytes = plan->bits->groups > 0
                                ? sg_bits_bytes(plan->bits->group_rows, plan->map.row_stride)
                                : content;
    }

    kernel->rows = kernel->item_rows;
    kernel->expected_rows = kernel->item_rows * split->items;
    if (kernel->item_rows > 0) {
        kernel->touched =
            sg_sum64(content / kernel->item_rows, kernel->bytes_moved / kernel->item_rows);
    }

    kernel->footprint = sg_sum64(content, kernel->bytes_moved);

    kernel->noutputs = plan->noutputs;
    kernel->outputs = SG_NEW_ARRAY(arena, sg_model_output, plan->noutputs);
    kernel->moved = SG_NEW_ARRAY(arena, sg_model_output *, plan->noutputs);
    kernel->ncolumns = plan->map.nparts;
    kernel->columns = SG_NEW_ARRAY(arena, sg_model_output *, plan->map.nparts);
    kernel->params = SG_NEW_ARRAY(arena, sg_model_output *, plan->noutputs);
    kernel->unmoved = SG_NEW_ARRAY(arena, sg_model_output *, plan->noutputs);
    kernel->tensors = SG_NEW_ARRAY(arena, sg_model_output *, plan->noutputs);
    kernel->constants = SG_NEW_ARRAY(arena, sg_model_output *, plan->noutputs);
    kernel->dims_table =
        SG_NEW_ARRAY(arena, sg_model_row, 2 * plan->noutputs + split->nsources + 1);
    share_row(kernel->dims_table, &kernel->ndims_table, split->dims, split->rank);

    for (int64_t i = 0; i < plan->noutputs; ++i) {
        kernel->outputs[i].index = i;
    }
    build_portable(arena, kernel);

    sg_nameset params;
    sg_nameset_init(&params, arena);
    sg_nameset pythons;
    sg_nameset_init(&pythons, arena);
    reserve_symbols(kernel, &params);
    kernel->data = sg_symbols_param(&params, split->data_name);
    kernel->data_macro = sg_symbols_macro(macros, kernel->name, split->data_name);
    build_open(arena, kernel, &params);
    for (int64_t i = 0; i < plan->noutputs; ++i) {
        build_output(arena, kernel, i, &params, &pythons, macros);
    }
    build_tensors(arena, kernel, &params, &pythons, macros);
    build_parameters(arena, kernel);
    build_insns(arena, kernel);
    if (kernel->is_bits) {
        sg_model_bits_build(arena, kernel);
    } else {
        sg_model_bodies(arena, kernel);
    }
    kernel->copies_non_temporal = copies_non_temporal(kernel);
    kernel->non_temporal =
        (const char *const[]){"never", "large", "always"}[kernel->plan->non_temporal];
}

static void add_type(sg_model *model, const sg_model_kernel *kernel)
{
    const bool is_exact = strncmp(kernel->element_type, "int", 3) == 0 ||
                          strncmp(kernel->element_type, "uint", 4) == 0;
    if (kernel->pointer_elements || is_exact) { /* intN_t have a known size */
        return;
    }
    for (int64_t i = 0; i < model->ntypes; ++i) {
        if (strcmp(model->types[i].name, kernel->element_type) == 0) {
            return;
        }
    }
    model->types[model->ntypes++] =
        (sg_model_type){.name = kernel->element_type, .bytes = kernel->element_bytes};
}

static int compare_entries(const void *a, const void *b)
{
    const sg_model_entry *x = a;
    const sg_model_entry *y = b;
    const int order = strcmp(x->name, y->name);
    return order != 0 ? order : (x->index > y->index) - (x->index < y->index);
}

static const char *registered_name(const sg_model_kernel *kernel)
{
    if (!kernel->has_origin) {
        return kernel->name;
    }
    return kernel->node[0] != '\0' || kernel->noutputs == 0 ? kernel->node
                                                            : kernel->outputs[0].tensor;
}

static void build_globals(sg_arena *arena, sg_model *model)
{
    model->nentries = model->nkernels;
    model->entries = SG_NEW_ARRAY(arena, sg_model_entry, model->nentries);
    sg_nameset symbols;
    sg_nameset_init(&symbols, arena);
    for (int64_t i = 0; i < model->nkernels; ++i) {
        const sg_model_kernel *kernel = &model->kernels[i];
        model->entries[i] = (sg_model_entry){registered_name(kernel), kernel->name, i};
        sg_nameset_add(&symbols, kernel->name, 0);
        sg_nameset_add(&symbols, sg_arena_printf(arena, "%s_kernel", kernel->name), 0);
    }
    qsort(model->entries, (size_t)model->nentries, sizeof *model->entries, compare_entries);
    model->registry = sg_nameset_unique(
        &symbols, sg_arena_printf(arena, "%s%s_registry", model->unit->prefix, model->stem));
    model->selftest = sg_nameset_unique(
        &symbols, sg_arena_printf(arena, "%s%s_selftest", model->unit->prefix, model->stem));
}

static void build_provenance(sg_arena *arena, sg_model *model, const sg_unit *unit)
{
    model->ncommand = unit->ncommand;
    model->command = texts_of(arena, unit->command, unit->ncommand);
    const int64_t nfiles = unit->files != NULL ? (int64_t)unit->files->count : 0;
    model->files = SG_NEW_ARRAY(arena, sg_model_file, nfiles);
    for (; model->nfiles < nfiles; ++model->nfiles) {
        const sg_file_entry *file = &unit->files->items[model->nfiles];
        model->files[model->nfiles] = (sg_model_file){file->name, file->sha256};
    }
}

/* The instruction sets that splitgen/open_rows.h may use; empty: none. */
static const char *rows_cpu(sg_arena *arena, const char *cpu, uint32_t isas)
{
    return isas == 0                     ? ""
           : (isas >> SG_ISA_AVX512 & 1) ? cpu
                                         : sg_arena_printf(arena, "(%s & SPLITGEN_CPU_AVX2)", cpu);
}

const sg_model *sg_model_build(sg_arena *arena, const sg_unit *unit)
{
    sg_model *model = SG_NEW(arena, sg_model);
    model->arena = arena;
    model->unit = unit;
    model->version = unit->version;
    build_provenance(arena, model, unit);
    model->stem = unit->stem;
    model->stem_macro =
        sg_symbols_upper(arena, sg_arena_printf(arena, "%s%s", unit->prefix, unit->stem));
    model->header = unit->header;
    model->source = unit->source;
    model->abi = SPLITGEN_ABI;
    const bool is_static = unit->dispatch == SG_DISPATCH_STATIC;
    model->cpu = is_static ? "SPLITGEN_CPU_BUILT" : "splitgen_known_cpu()";
    model->asks_cpu = !is_static;
    model->asked_cpu = is_static ? "SPLITGEN_CPU_BUILT" : "splitgen_asked_cpu()";
    model->no_memcpy = unit->no_memcpy;
    const sg_fusion fusion = sg_fusion_count(unit->plans, unit->count);
    model->splits = fusion.splits;
    model->concats = fusion.concats;
    model->fuses = fusion.any;
    model->fused_bytes = fusion.bytes;
    model->may_fuse = unit->may_fuse;
    model->standalone = unit->standalone;
    model->describes = unit->describes;
    model->left_out = unit->left_out.count;
    model->left_out_what = unit->left_out.what;
    model->left_out_option = unit->left_out.option;
    model->nkernels = unit->count;
    model->kernels = SG_NEW_ARRAY(arena, sg_model_kernel, unit->count);
    model->types = SG_NEW_ARRAY(arena, sg_model_type, SG_DTYPE_COUNT);

    const char **symbols = SG_NEW_ARRAY(arena, const char *, unit->count);
    for (int64_t i = 0; i < unit->count; ++i) {
        symbols[i] = unit->plans[i]->split->name;
    }
    const char **helpers = sg_symbols_prefixes(arena, symbols, unit->count);
    uint32_t open_isas = 0;
    int64_t *codes = SG_NEW_ARRAY(arena, int64_t, unit->count);
    sg_plan_share(unit->plans, unit->count, codes);
    sg_nameset macros;
    sg_nameset_init(&macros, arena);
    sg_nameset pythons;
    sg_nameset_init(&pythons, arena);
    for (int64_t i = 0; i < unit->count; ++i) {
        sg_model_kernel *kernel = &model->kernels[i];
        kernel->python = sg_symbols_python_kernel(&pythons, symbols[i]);
        const sg_model_kernel *code = codes[i] != i ? &model->kernels[codes[i]] : NULL;
        build_kernel(arena, model, unit->plans[i], code, helpers[i], &macros, kernel);
        add_type(model, kernel);
        /* A row of one byte is copied by itself if only some rows are, whatever the longest run is.
         */
        model->has_puts =
            !unit->no_memcpy && (model->has_puts || kernel->puts || kernel->plan->shortest == 1 ||
                                 (!kernel->is_bits && kernel->plan->map.row_stride == 1));
        model->has_bits = model->has_bits || kernel->is_bits;
        model->has_bodies = model->has_bodies || kernel->nbodies > 0;
        model->has_open_rows = model->has_open_rows || kernel->plan->block_bytes > 0;
        open_isas |= kernel->plan->open_isas;
        for (int64_t t = 0; t <= kernel->ntensors; ++t) {
            const int64_t bytes = t > 0 ? kernel->tensors[t - 1]->bytes : kernel->bytes;
            model->largest_bytes = bytes > model->largest_bytes ? bytes : model->largest_bytes;
        }
    }
    model->rows_cpu = rows_cpu(arena, model->cpu, open_isas);
    build_globals(arena, model);
    sg_model_pictures(arena, model);
    sg_model_placements(arena, &macros, model);
    /* With the stem alone, the qkv.h of two folders would have the same guard, and the second one
     * would be skipped silently. Two kernels of the same name could not be linked anyway. (The word
     * in the middle keeps a_b and c distinct from a and b_c.) */
    model->guard = sg_symbols_upper(
        arena, sg_arena_printf(arena, "%s_has_%s_h", model->stem,
                               unit->count > 0 ? model->kernels[0].name : "nothing"));
    model->needs_range = model->largest_bytes > 65535;
    return model;
}
