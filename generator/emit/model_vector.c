/* The vector variants of a kernel, as templates need them: names of registers and constants, and
 * indices in the units of the instruction set. No decisions. */
#include <inttypes.h>
#include <string.h>

#include "base/checked.h"
#include "emit/model.h"
#include "plan/body/cost.h"
#include "plan/body/fold.h"
#include "plan/choose/choices.h"
#include "plan/functions/function.h"
#include "plan/layout.h"
#include "plan/insn.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"
#include "plan/report/dump.h"

static const char *element_of(int64_t bytes)
{
    return bytes == 1 ? "uint8_t" : bytes == 4 ? "uint32_t" : "uint64_t";
}

/* "LANES_64(3, 1, 64)": the macro of splitgen/lane_rules.h for these values, or "" if no rule fits.
 */
static const char *rule_of(sg_arena *arena, const sg_model_constant *c, bool is_mask)
{
    const int64_t n = c->nvalues;
    const int64_t *v = c->values;
    bool halves = n == 32;
    for (int64_t i = 16; halves && i < 32; ++i) {
        halves = v[i] == v[i - 16];
    }
    const int64_t count = halves ? 16 : n;
    const char *size = halves ? "2X16" : sg_arena_printf(arena, "%" PRId64, n);
    int64_t first = 0;
    while (is_mask && first < count && v[first] == 0) {
        ++first;
    }
    for (int64_t step = first + 1; is_mask && count == 16 && step < count; ++step) {
        bool fits = true;
        for (int64_t i = 0; fits && i < count; ++i) {
            fits = (v[i] != 0) == (i % step == first);
        }
        if (fits) {
            return sg_arena_printf(arena, "MARKS_%s(%" PRId64 ", %" PRId64 ")", size, step, first);
        }
    }
    for (int64_t end = count; !is_mask && count != 32 && count >= 8 && end <= 2 * count; end *= 2) {
        const int64_t step = (v[1] - v[0] + end) % end;
        bool fits = true;
        for (int64_t i = 0; fits && i < count; ++i) {
            fits = v[i] == (v[0] + step * i) % end;
        }
        if (fits) {
            return sg_arena_printf(arena, "LANES_%s(%" PRId64 ", %" PRId64 ", %" PRId64 ")", size,
                                   step, v[0], end);
        }
    }
    return "";
}

/* An index or a mask as an array that an instruction loads. A lane may be several units wide, and
 * is repeated for each tile of a register. */
static void spell_array(sg_arena *arena, const sg_body *v, const sg_constant *from,
                        sg_model_constant *to)
{
    const int64_t unit =
        from->kind == SG_CONSTANT_MASK ? 1 : sg_isa_index_bytes(v->isa, v->lane_bytes);
    const int64_t per_lane = v->lane_bytes / unit;
    to->is_array = true;
    to->element = element_of(unit);
    to->nvalues = v->isa->unit * v->isa->tiles / unit;
    int64_t *values = SG_NEW_ARRAY(arena, int64_t, to->nvalues);
    for (int64_t i = 0; i < to->nvalues; ++i) {
        const int64_t lane = i / per_lane % v->lanes;
        values[i] = from->kind == SG_CONSTANT_MASK ? (from->lanes[lane] != 0 ? 255 : 0)
                                                   : from->lanes[lane] * per_lane + i % per_lane;
    }
    to->values = values;
    to->literal = "";
    to->rule = rule_of(arena, to, from->kind == SG_CONSTANT_MASK);
}

static void spell_literal(sg_arena *arena, const sg_body *v, const sg_constant *from,
                          sg_model_constant *to)
{
    const int64_t unit = v->isa->mask_unit > 0 ? v->isa->mask_unit : v->lane_bytes;
    const int64_t bits = v->lane_bytes / unit;
    uint64_t mask = 0;
    for (int64_t i = 0; i < v->lanes * bits; ++i) {
        mask |= (uint64_t)(from->lanes[i / bits] != 0) << i;
    }
    to->element = sg_arena_printf(arena, "__mmask%d", v->lanes);
    to->lanes = v->lanes;
    to->is_literal = v->isa->mask_unit > 0;
    to->literal = sg_arena_printf(arena, "0x%" PRIx64 "%s", mask, mask >> 32 != 0 ? "ULL" : "");
}

/* Whether an instruction has its mask or index as an immediate, byte by byte. */
static bool in_instruction(const sg_body *v, bool mask)
{
    const int from = mask ? v->isa->mask_from : v->isa->index_from;
    return from > 0 && v->lane_bytes >= from;
}

/* Either one as numbers of bytes of two concatenated vectors; a blend takes bytes of the second
 * where its mask has ones. */
static void spell_bytes(sg_arena *arena, const sg_body *v, const sg_constant *from,
                        sg_model_constant *to)
{
    spell_array(arena, v, from, to);
    for (int64_t i = 0; i < to->nvalues; ++i) {
        const bool mask = from->kind == SG_CONSTANT_MASK;
        const int64_t blended = from->lanes[i / v->lane_bytes] != 0 ? to->nvalues + i : i;
        to->literal = sg_arena_printf(arena, "%s%s%" PRId64, to->literal, i > 0 ? ", " : "",
                                      mask ? blended : to->values[i]);
    }
    to->is_array = false;
    to->is_literal = true;
}

/* A mask as a literal with one bit for every 2 bytes. */
static void spell_words(sg_arena *arena, const sg_body *v, const sg_constant *from,
                        sg_model_constant *to)
{
    unsigned mask = 0;
    for (int64_t i = 0; i < v->isa->unit / 2; ++i) {
        mask |= (unsigned)(from->lanes[2 * i / v->lane_bytes] != 0) << i;
    }
    to->is_literal = true;
    to->element = "int";
    to->literal = sg_arena_printf(arena, "0x%x", mask);
}

/* "lo" or "hi" if the index is that of an unpack instruction; otherwise NULL. */
static const char *unpack_of(const sg_body *v, const sg_constant *c)
{
    static const char *const halves[] = {
        [SG_UNPACK_NONE] = NULL, [SG_UNPACK_LOW] = "lo", [SG_UNPACK_HIGH] = "hi"};
    const bool two = c->kind == SG_CONSTANT_INDEX && c->op == SG_INSN_PERMUTE2;
    return two ? halves[sg_isa_unpacks(v->isa, c->lanes, v->lane_bytes)] : NULL;
}

static void spell_constants(sg_arena *arena, const sg_body *v, const sg_code *code,
                            sg_model_code *to)
{
    to->nconstants = code->nconstants;
    to->constants = SG_NEW_ARRAY(arena, sg_model_constant, code->nconstants);
    for (int64_t i = 0; i < code->nconstants; ++i) {
        const bool mask = code->constants[i].kind == SG_CONSTANT_MASK;
        sg_model_constant *c = &to->constants[i];
        c->rule = "";
        c->symbol = sg_arena_printf(arena, "%s%" PRId64, mask ? "mask" : "index", i);
        const char *unpack = unpack_of(v, &code->constants[i]);
        if (unpack != NULL) {
            c->is_literal = true;
            c->element = "";
            c->literal = unpack;
        } else if (mask && sg_isa_blends_words(v->isa, code->constants[i].lanes, v->lane_bytes)) {
            spell_words(arena, v, &code->constants[i], c);
        } else if (mask && v->isa->mask_unit >= 0 && !code->constants[i].wide) {
            spell_literal(arena, v, &code->constants[i], c);
        } else if (in_instruction(v, mask)) {
            spell_bytes(arena, v, &code->constants[i], c);
        } else {
            spell_array(arena, v, &code->constants[i], c);
        }
    }
}

static const char *register_name(sg_arena *arena, int reg)
{
    return reg < 0 ? "" : sg_arena_printf(arena, "v%d", reg);
}

static const char *op_name(const sg_insn *insn)
{
    static const char *const copies[] = {
        [SG_COPY_MEMCPY] = "copy",     [SG_COPY_PUT] = "put", [SG_COPY_SHORT] = "short",
        [SG_COPY_VECTORS] = "vectors", [SG_COPY_RUN] = "run", [SG_COPY_CALL] = "call"};
    return sg_insn_is_run(insn) ? copies[insn->copy] : sg_opcode_get(insn->op)->name;
}

/* The position of a variant's code: the plan's column that is its column 0. */
typedef struct place {
    const sg_plan *plan;
    const sg_body *v;
    int64_t column;
} place;

/* A part, counted from the first one of the code's slice. */
static const char *target_symbol(sg_arena *arena, const place *p, int64_t part)
{
    return sg_arena_printf(arena, "%s%" PRId64, p->plan->map.joins ? "in" : "out", part);
}

/* The pointer that a place in memory is relative to. */
static const char *pointer_of(sg_arena *arena, const place *p, const sg_ref *ref)
{
    return ref->part != SG_WHOLE ? target_symbol(arena, p, ref->part)
           : p->plan->map.joins  ? "out"
                                 : "in";
}

/* The same place one tile further down, if a register holds two. */
static int64_t next_tile(const place *p, const sg_ref *ref)
{
    const int64_t rows = (p->v->isa->tiles - 1) * p->v->tile_rows;
    const int64_t part = ref->part == SG_WHOLE ? SG_WHOLE : p->column + ref->part;
    return ref->at + rows * sg_map_stride(&p->plan->map, part);
}

/* Whether the variant has a function with this store mode. */
static bool has_way(const place *p, sg_store_mode store_mode)
{
    return sg_function_find(p->plan, p->v - p->plan->bodies, store_mode, 0) != NULL;
}

static bool combines(const place *p)
{
    return has_way(p, SG_STORE_COMBINED) || has_way(p, SG_STORE_COMBINED_NON_TEMPORAL);
}

/* How an instruction stores in the non-temporal modes of its tile: "pieces", "ragged", "lines", or
 * "" for an ordinary store. */
static const char *past(const place *p, const sg_insn *insn)
{
    const bool run = sg_insn_is_run(insn);
    const bool pieces = p->v->interleaving == SG_INTERLEAVING_RUNS && !p->plan->array_params;
    const bool stores = run ? insn->lines : sg_insn_stores_vectors(insn) && !pieces;
    const bool lines = stores && has_way(p, SG_STORE_NON_TEMPORAL);
    return lines && run && pieces         ? "pieces"
           : lines && run && insn->ragged ? "ragged"
           : lines                        ? "lines"
                                          : "";
}

/* The same for all modes that its tile may have. */
static const char *stored(const place *p, const sg_insn *insn)
{
    return insn->combines && combines(p) ? "combined" : past(p, insn);
}

static bool moves_together(const place *p)
{
    return p->v->interleaving == SG_INTERLEAVING_RUNS &&
           ((has_way(p, SG_STORE_NON_TEMPORAL) && !p->plan->array_params) ||
            has_way(p, SG_STORE_COMBINED_NON_TEMPORAL));
}

static int64_t stride_of(const place *p, const sg_ref *ref)
{
    return sg_map_stride(&p->plan->map, ref->part == SG_WHOLE ? SG_WHOLE : p->column + ref->part);
}

/* The fields that only tiles use. */
static void spell_stores(const place *p, const sg_insn *from, sg_model_vector_insn *to)
{
    static const char *const by[] = {
        [SG_COPY_MEMCPY] = "MEMCPY",   [SG_COPY_PUT] = "PUT", [SG_COPY_SHORT] = "SHORT",
        [SG_COPY_VECTORS] = "VECTORS", [SG_COPY_RUN] = "RUN", [SG_COPY_CALL] = "CALL"};
    const sg_does does = sg_opcode_get(from->op)->does;
    to->stored = stored(p, from);
    to->past = past(p, from);
    to->by = by[from->copy];
    to->is_other =
        moves_together(p) &&
        !(to->is_run && (strcmp(to->stored, "pieces") == 0 || strcmp(to->stored, "combined") == 0));
    if (does == SG_DOES_RUN || does == SG_DOES_STORE) {
        to->out = from->to.part == SG_WHOLE ? 0 : from->to.part;
        to->to_row = stride_of(p, &from->to);
    }
    if (does == SG_DOES_RUN || does == SG_DOES_LOAD || does == SG_DOES_PREFETCH) {
        to->from_row = stride_of(p, &from->from);
    }
}

static void spell_insn(sg_arena *arena, const place *p, const sg_insn *from,
                       const sg_model_code *code, sg_model_vector_insn *to)
{
    const sg_does does = sg_opcode_get(from->op)->does;
    to->op = op_name(from);
    to->is_run = sg_insn_is_run(from);
    to->is_store = does == SG_DOES_STORE;
    to->combines = from->combines;
    to->result = register_name(arena, from->reg);
    to->a = register_name(arena, from->a);
    to->b = register_name(arena, from->b);
    to->constant = "";
    to->to = to->from = "";
    if (does == SG_DOES_RUN || does == SG_DOES_STORE) {
        to->to = pointer_of(arena, p, &from->to);
        to->dst = from->to.at;
        to->dst_next = next_tile(p, &from->to);
    }
    if (does == SG_DOES_RUN || does == SG_DOES_LOAD || does == SG_DOES_PREFETCH) {
        to->from = pointer_of(arena, p, &from->from);
        to->src = from->from.at;
        to->src_next = next_tile(p, &from->from);
    }
    spell_stores(p, from, to);
    to->bytes = from->bytes;
    to->step = from->step;
    to->prefetched = does == SG_DOES_PREFETCH;
    if (from->constant >= 0) {
        const sg_model_constant *c = &code->constants[from->constant];
        to->constant = c->is_literal ? c->literal : c->symbol;
        if (from->op == SG_INSN_PERMUTE2 && c->is_literal) {
            to->op = "unpack";
        }
        if (from->op == SG_INSN_BLEND && c->is_array && p->v->isa->masks > 0) {
            to->op = "select";
        }
        if (from->op == SG_INSN_BLEND && c->is_literal && p->v->isa->word_blends) {
            to->op = "blend_words";
        }
        if (c->is_literal && in_instruction(p->v, from->op == SG_INSN_BLEND)) {
            to->op = "shuffle";
            to->b = from->b < 0 ? to->a : to->b;
        }
    }
    const bool whole = p->v->isa->tiles > 1 && from->bytes == p->v->isa->unit;
    if (from->op == SG_INSN_STORE && whole && to->dst_next == to->dst + from->bytes) {
        to->op = "store_all";
    }
    if (from->op == SG_INSN_LOAD && whole && to->src_next == to->src + from->bytes) {
        to->op = "load_all";
    }
}

/* Bytes from one repetition of a fold to the next. */
static int64_t fold_step(const place *p, const sg_ref *ref, const sg_fold *fold)
{
    const int64_t part = ref->part == SG_WHOLE ? SG_WHOLE : p->column + ref->part;
    return fold->rows * sg_map_stride(&p->plan->map, part);
}

/* If a register holds two tiles, and a fold has all rows of a tile, its loop goes on with those of
 * the second tile: memory is then read and written in order (MEASURED.md, Runs). */
static void spell_fold(const place *p, const sg_insn *from, const sg_fold *fold, int64_t number,
                       sg_model_vector_insn *to)
{
    to->fold = number;
    to->times = fold->times;
    to->dst_step = fold_step(p, &from->to, fold);
    to->src_step = fold_step(p, &from->from, fold);
    if (fold->times * fold->rows == p->v->tile_rows) {
        to->times *= p->v->isa->tiles;
        to->dst_next = to->dst;
        to->src_next = to->src;
    }
}

/* Adds the cache line of a prefetch to the prefetch before it, if it follows those lines. */
static bool goes_on(const sg_insn *insn, sg_model_vector_insn *before)
{
    const bool goes = insn->op == SG_INSN_PREFETCH && before != NULL && before->prefetched > 0 &&
                      insn->from.at == before->src + SG_LINE_BYTES * before->prefetched;
    if (goes) {
        ++before->prefetched;
    }
    return goes;
}

/* Whether an instruction with this many uses can be printed as an operand of the store after it. */
static bool is_operand(const sg_model_vector_insn *insn, const sg_model_vector_insn *behind,
                       int uses)
{
    return uses == 1 && behind->is_store && behind->b[0] == '\0' &&
           strcmp(behind->a, insn->result) == 0 && behind->fold == insn->fold &&
           behind->is_other == insn->is_other;
}

static void spell_insns(sg_arena *arena, const place *p, const sg_code *from, sg_model_code *to)
{
    const int *uses = sg_body_uses(arena, from);
    to->insns = SG_NEW_ARRAY(arena, sg_model_vector_insn, from->ninsns);
    for (int64_t n = 0; n < from->ninsns; ++n) {
        const sg_insn *insn = &from->insns[n];
        const sg_fold *fold = sg_fold_of(from->folds, from->nfolds, n);
        sg_model_vector_insn *before = to->ninsns > 0 ? &to->insns[to->ninsns - 1] : NULL;
        if (!sg_fold_prints(fold, n) || goes_on(insn, before)) {
            continue;
        }
        sg_model_vector_insn *made = &to->insns[to->ninsns++];
        spell_insn(arena, p, insn, to, made);
        made->proved = insn;
        made->once = insn->op == SG_INSN_LOAD && uses[insn->reg] > 1;
        if (insn->op == SG_INSN_PREFETCH) { /* it does nothing if streams are copied together */
            made->is_other = before != NULL && before->is_other;
        }
        made->times = 1;
        if (fold != NULL) {
            spell_fold(p, insn, fold, 1 + (fold - from->folds), made);
        }
        if (before != NULL && sg_insn_stores_vectors(insn)) {
            before->is_operand = is_operand(before, made, uses[insn->a]);
        }
    }
}

/* False if the text would not do what the program does. */
static bool spell_code(sg_arena *arena, const place *p, const sg_code *from, sg_model_code *to)
{
    spell_constants(arena, p->v, from, to);
    spell_insns(arena, p, from, to);
    bool right = true;
    for (int64_t i = 0; right && i < to->ninsns; ++i) {
        right = sg_model_moves_as(p->v, from, &to->insns[i], to->constants);
    }
    return right;
}

static void spell_bodies(sg_arena *arena, sg_model_kernel *kernel, int64_t number,
                         sg_model_body *to)
{
    const sg_plan *plan = kernel->plan;
    const sg_body *v = &plan->bodies[number];
    to->ncodes = v->ncodes;
    to->codes = SG_NEW_ARRAY(arena, sg_model_code, v->ncodes);
    for (int64_t b = 0; b < v->ncodes; ++b) {
        sg_model_code *code = &to->codes[b];
        code->tile = sg_arena_printf(
            arena, plan->array_params ? "%s_group%" PRId64 "_tile" : "%s_tile", to->symbol, b);
        place p = {.plan = plan, .v = v};
        for (int64_t i = v->nslices; i-- > 0;) {
            p.column = v->slices[i].code == b ? v->slices[i].part : p.column;
        }
        const bool right = spell_code(arena, &p, &v->codes[b], code);
        kernel->is_misspelled = kernel->is_misspelled || !right;
    }
}

/* The parts that some instructions write by whole lines, whose addresses the dispatch table checks.
 */
static sg_model_output **parts_of(sg_arena *arena, const sg_plan *plan, const sg_insn *insns,
                                  int64_t ninsns, const sg_model_kernel *kernel, int64_t *count)
{
    bool *used = SG_NEW_ARRAY(arena, bool, plan->noutputs);
    sg_model_output **list = SG_NEW_ARRAY(arena, sg_model_output *, plan->noutputs);
    for (int64_t i = 0; i < ninsns; ++i) {
        const sg_insn *insn = &insns[i];
        const bool lines = insn->lines || insn->combines || !sg_insn_is_run(insn);
        if (insn->to.part != SG_WHOLE && lines) {
            used[plan->map.parts[insn->to.part].tensor] = true;
        }
    }
    for (int64_t o = 0; o < plan->noutputs; ++o) {
        if (used[o]) {
            list[(*count)++] = &kernel->outputs[o];
        }
    }
    return list;
}

static void name_functions(sg_arena *arena, const sg_plan *plan, int64_t number, sg_model_body *to)
{
    const sg_body *v = &plan->bodies[number];
    /* "_own": for machines with a variant of their own */
    const char *own = v->is_few ? "_few" : v->trait != SG_TRAIT_NONE ? "_own" : "";
    to->symbol = sg_arena_printf(arena, "%s_%s%s", to->kernel->helper, v->isa->name, own);
}

static const char *bytes_per_cycle(sg_arena *arena, int64_t bytes, double cycles)
{
    return cycles <= 0 ? "" : sg_arena_printf(arena, "%.0f", (double)bytes / cycles);
}

/* The predicted cycles of an iteration by microarchitecture: for all known ones, or for the one it
 * is tuned for. bytes: of the full tensor, for all iterations. */
static void list_predictions(sg_arena *arena, int64_t bytes, const sg_body *v, sg_model_body *to)
{
    to->predictions = SG_NEW_ARRAY(arena, sg_model_prediction, SG_UARCH_COUNT);
    for (int u = SG_UARCH_GENERIC + 1; u < SG_UARCH_COUNT; ++u) {
        const bool is_told = v->tune == SG_UARCH_GENERIC || u == (int)v->tune;
        if (is_told && v->on[u].cycles > 0) {
            const double rate = (double)bytes / v->on[u].all;
            to->predictions[to->npredictions++] = (sg_model_prediction){
                .uarch = sg_uarch_name((sg_uarch)u),
                .title = sg_uarch_title((sg_uarch)u),
                .cycles = sg_arena_printf(arena, "%.2f", v->on[u].cycles),
                .kernel_cycles = sg_arena_printf(arena, "%.2f", v->on[u].all),
                .bytes_per_cycle = sg_arena_printf(arena, "%.*f", rate < 10 ? 1 : 0, rate),
                .bound = sg_port_name(v->on[u].bound)};
        }
    }
}

static void tell_predictions(sg_arena *arena, const sg_plan *plan, const sg_body *v,
                             sg_model_body *to)
{
    const int64_t bytes = v->planned_rows * plan->map.row_stride;
    to->cycles = sg_arena_printf(arena, "%.2f", v->cycles);
    to->kernel_cycles = sg_arena_printf(arena, "%.2f", v->on[v->tune].all);
    to->bound = sg_port_name(v->bound);
    to->bytes_per_cycle = bytes_per_cycle(arena, bytes, v->on[v->tune].all);
    to->most_per_cycle = bytes_per_cycle(arena, bytes, sg_body_fastest(v)->all);
    to->tune = sg_uarch_name(v->tune);
    to->only = v->only != SG_UARCH_GENERIC ? sg_uarch_name(v->only) : "";
    list_predictions(arena, bytes, v, to);
}

/* The bytes of a row of the parts of a split whose alignment is checked: their common size, or 0 if
 * all are whole lines; -1: they differ, or not all parts are checked. */
static int64_t row_shift(const sg_map *map, int64_t asked)
{
    bool are_lines = true;
    bool are_equal = true;
    for (int64_t p = 0; p < map->nparts; ++p) {
        are_lines = are_lines && map->parts[p].row_stride % SG_LINE_BYTES == 0;
        are_equal = are_equal && map->parts[p].row_stride == map->parts[0].row_stride;
    }
    return map->joins || asked != map->nparts ? -1
           : are_lines                        ? 0
           : are_equal                        ? map->parts[0].row_stride
                                              : -1;
}

/* What the table rows of one variant have in common. */
static void spell_group(sg_arena *arena, const sg_plan *plan, int64_t number,
                        const sg_model_body *v, sg_model_group *to)
{
    to->body = v;
    to->isa = v->isa;
    if (!plan->array_params) {
        const sg_code *code = &plan->bodies[number].codes[0];
        to->lines = parts_of(arena, plan, code->insns, code->ninsns, v->kernel, &to->nlines);
        to->row_shift = row_shift(&plan->map, to->nlines);
    }
}

/* The dispatch table. */
static void spell_choices(sg_arena *arena, sg_model_kernel *kernel, sg_model_body *const *bodies)
{
    const sg_plan *plan = kernel->plan;
    const sg_choice *rows = plan->choices;
    kernel->groups = SG_NEW_ARRAY(arena, sg_model_group, plan->nchoices);
    while (rows->body != SG_CHOICE_PORTABLE) {
        const sg_model_body *v = bodies[rows->body];
        sg_model_group *group = &kernel->groups[kernel->ngroups++];
        spell_group(arena, plan, rows->body, v, group);
        rows += sg_model_choices(arena, plan, rows, v->symbol, group);
    }
}

void sg_model_bodies(sg_arena *arena, sg_model_kernel *kernel)
{
    const sg_plan *plan = kernel->plan;
    sg_model_body **bodies = SG_NEW_ARRAY(arena, sg_model_body *, plan->nbodies);
    kernel->bodies = SG_NEW_ARRAY(arena, sg_model_body, plan->nbodies);
    for (int64_t i = 0; i < plan->nbodies; ++i) {
        const sg_body *v = &plan->bodies[i];
        if (!sg_choices_want(plan, i)) {
            continue;
        }
        sg_model_body *to = bodies[i] = &kernel->bodies[kernel->nbodies++];
        to->kernel = kernel;
        to->from = v;
        to->form = v->isa->form;
        to->vector = v->isa->tiles * v->isa->unit == SG_LINE_BYTES ? "avx512" : "avx2";
        name_functions(arena, plan, i, to);
        to->title = v->isa->title;
        to->is_few = v->is_few;
        to->family = v->isa->family;
        to->cpu = v->isa->cpu;
        to->isa = v->isa->cpu[0] != '\0' ? v->isa->cpu : v->isa->id;
        to->lane_bits = v->lane_bytes * 8;
        to->wide_lanes = v->lane_bytes > 1;
        to->index_bits = sg_isa_index_bytes(v->isa, v->lane_bytes) * 8;
        to->rotation = to->index_bits == 8 ? "bytes" : "words";
        to->rows = v->rows_per_iteration;
        to->tile_rows = v->tile_rows * v->isa->tiles;
        tell_predictions(arena, plan, v, to);
        kernel->has_asked = kernel->has_asked || v->isa->cpu[0] != '\0';
        to->tail_rows = v->tail_rows;
        to->block_rows = v->block_rows;
        spell_bodies(arena, kernel, i, to);
        to->ncolumns = sg_model_list_columns(arena, plan, v, &to->columns);
        to->nfunctions = sg_model_functions(arena, plan, kernel->helper, i, to->symbol, to->codes,
                                            &to->functions);
    }
    spell_choices(arena, kernel, bodies);
}
