/* What loops take, and lookups of functions. */
#include "plan/functions/function.h"

#include "plan/insn.h"
#include "plan/layout.h"
#include "plan/plan.h"

const sg_loop_info *sg_loop_get(sg_loop loop)
{
    static const sg_loop_info infos[] = {
#define N(number)
#define O(choice)
#define S
#define C .combines = true,
#define L
#define E .combines_each = true,
#define B .calls_cached = true,
#define P
#define LOOP(id, title, arguments)    [SG_LOOP_##id] = {arguments.name = #title},
#define COLUMNS(id, title, arguments) [SG_LOOP_##id] = {.name = #title, .takes_columns = true},
#include "plan/functions/loops.inc"
#undef LOOP
#undef COLUMNS
#undef N
#undef O
#undef S
#undef C
#undef L
#undef E
#undef B
#undef P
    };
    return &infos[loop];
}

const sg_function *sg_function_find(const sg_plan *plan, int64_t body, sg_store_mode store_mode,
                                    int64_t code)
{
    for (int64_t i = 0; i < plan->nfunctions; ++i) {
        const sg_function *f = &plan->functions[i];
        if (f->body == body && f->store_mode == store_mode && f->code == code) {
            return f;
        }
    }
    return NULL;
}

const sg_function *sg_function_chosen(const sg_plan *plan, int64_t body, sg_store_mode store_mode)
{
    return sg_function_find(plan, body, store_mode, plan->array_params ? SG_ALL_CODES : 0);
}

int64_t sg_code_parts(const sg_plan *plan, const sg_code *code)
{
    if (!plan->array_params) {
        return plan->map.nparts;
    }
    int64_t parts = 1;
    for (int64_t i = 0; i < code->ninsns; ++i) {
        const int64_t part = sg_insn_in_part(&code->insns[i])->part;
        parts = part >= parts ? part + 1 : parts;
    }
    return parts;
}

/* The first part of the slices of a code; all slices of one code have parts of the same sizes. */
static int64_t first_part(const sg_body *v, int64_t code)
{
    for (int64_t s = 0; s < v->nslices; ++s) {
        if (v->slices[s].code == code) {
            return v->slices[s].part;
        }
    }
    return 0;
}

int64_t sg_function_combined(const sg_plan *plan, const sg_function *f, int64_t *bytes)
{
    const sg_body *v = &plan->bodies[f->body];
    const sg_code *code = &v->codes[f->code];
    const int64_t column = first_part(v, f->code);
    const int64_t outs = plan->map.joins ? 1 : sg_code_parts(plan, code);
    for (int64_t p = 0; p < outs; ++p) {
        bytes[p] = 0;
    }
    for (int64_t i = 0; i < code->ninsns; ++i) {
        const int64_t part = code->insns[i].to.part;
        if (code->insns[i].combines) {
            bytes[part == SG_WHOLE ? 0 : part] =
                sg_map_stride(&plan->map, part == SG_WHOLE ? SG_WHOLE : column + part);
        }
    }
    return outs;
}

int64_t sg_body_columns(sg_arena *arena, const sg_plan *plan, const sg_body *v, sg_columns **list)
{
    int64_t count = 0;
    *list = SG_NEW_ARRAY(arena, sg_columns, v->nslices);
    for (int64_t s = 0; s < v->nslices; ++s) {
        const sg_slice *slice = &v->slices[s];
        const int64_t part = plan->map.parts[slice->part].tensor;
        sg_columns *last = count > 0 ? &(*list)[count - 1] : NULL;
        if (last != NULL && last->code == slice->code) {
            const int64_t n = last->groups - 1;
            const int64_t parts_on = part - (last->part + n * last->parts_on);
            const int64_t bytes_on = slice->at - (last->at + n * last->bytes_on);
            if (n == 0 || (parts_on == last->parts_on && bytes_on == last->bytes_on)) {
                last->parts_on = parts_on;
                last->bytes_on = bytes_on;
                ++last->groups;
                continue;
            }
        }
        (*list)[count++] =
            (sg_columns){.code = slice->code, .groups = 1, .part = part, .at = slice->at};
    }
    return count;
}
