/* Copies plans and changes one thing in the copy. It has no notion of a right plan. */
#include "mutate.h"

#include <string.h>

static void *copy(sg_arena *arena, const void *from, int64_t count, size_t size)
{
    void *to = sg_arena_array(arena, (size_t)count, size);
    if (count > 0) {
        memcpy(to, from, (size_t)count * size);
    }
    return to;
}

#define COPY(field, count) ((field) = copy(arena, (field), (count), sizeof(field)[0]))

static void copy_code(sg_arena *arena, sg_code *s)
{
    COPY(s->insns, s->ninsns);
    COPY(s->folds, s->nfolds);
    COPY(s->blocks, s->nblocks);
    COPY(s->constants, s->nconstants);
}

static sg_plan *copy_plan(sg_arena *arena, const sg_plan *plan)
{
    sg_plan *p = copy(arena, plan, 1, sizeof *plan);
    COPY(p->map.parts, p->map.nparts);
    COPY(p->outputs, p->noutputs);
    for (int64_t o = 0; o < p->noutputs; o++) {
        if (p->outputs[o].strides != NULL) {
            COPY(p->outputs[o].strides, p->split->rank);
        }
    }
    copy_code(arena, &p->iteration);
    copy_code(arena, &p->row);
    COPY(p->bodies, p->nbodies);
    for (int64_t i = 0; i < p->nbodies; i++) {
        sg_body *v = &p->bodies[i];
        COPY(v->slices, v->nslices);
        COPY(v->codes, v->ncodes);
        for (int64_t b = 0; b < v->ncodes; b++) {
            copy_code(arena, &v->codes[b]);
        }
    }
    return p;
}

static void change(rng *r, int64_t *number)
{
    static const int64_t steps[] = {-1, 1, -1, 1, 2, -4, 4, 8, -16, 16, 64};
    static const int64_t values[] = {0, 1, -1, 3, INT64_MAX, INT64_MIN, INT64_MAX / 2};
    if (rng_one_in(r, 6)) {
        *number = RNG_PICK(r, values);
    } else {
        *number = (int64_t)((uint64_t)*number + (uint64_t)RNG_PICK(r, steps));
    }
}

static void change_int(rng *r, int *number)
{
    *number += rng_one_in(r, 2) ? 1 : -1;
}

static void drop_insn(rng *r, sg_code *s)
{
    int64_t i = rng_in(r, 0, s->ninsns - 1);
    memmove(&s->insns[i], &s->insns[i + 1], (size_t)(s->ninsns - i - 1) * sizeof s->insns[0]);
    s->ninsns--;
    if (s->nblocks > 0) { /* a body has no blocks */
        s->blocks[s->nblocks - 1].count--;
        s->nblocks -= s->blocks[s->nblocks - 1].count == 0;
    }
}

static void repeat_insn(sg_arena *arena, rng *r, sg_code *s)
{
    sg_insn *insns = SG_NEW_ARRAY(arena, sg_insn, s->ninsns + 1);
    memcpy(insns, s->insns, (size_t)s->ninsns * sizeof insns[0]);
    insns[s->ninsns] = s->insns[rng_in(r, 0, s->ninsns - 1)];
    s->insns = insns;
    s->ninsns++;
    if (s->nblocks > 0) {
        s->blocks[s->nblocks - 1].count++;
    }
}

/* A fold of fewer iterations is right: the rest is then printed separately. */
static const char *mutate_fold(rng *r, sg_fold *fold)
{
    switch (rng_in(r, 0, 2)) {
    case 0:
        change(r, &fold->rows);
        return "rows of a fold";
    case 1:
        fold->count += rng_one_in(r, 2) ? 1 : -1;
        return "count of a fold";
    default:
        fold->times += rng_in(r, 1, 3);
        return "times of a fold";
    }
}

static const char *mutate_insns(sg_arena *arena, rng *r, sg_code *s)
{
    if (s->nfolds > 0 && rng_one_in(r, 4)) {
        return mutate_fold(r, &s->folds[rng_in(r, 0, s->nfolds - 1)]);
    }
    sg_insn *insn = &s->insns[rng_in(r, 0, s->ninsns - 1)];
    sg_insn *other = &s->insns[rng_in(r, 0, s->ninsns - 1)];
    switch (rng_in(r, 0, 6)) {
    case 0:
        change(r, &insn->from.at);
        return "src of an instruction";
    case 1:
        change(r, &insn->to.at);
        return "dst of an instruction";
    case 2:
        change(r, &insn->bytes);
        return "bytes of an instruction";
    case 3:
        change(r, rng_one_in(r, 2) ? &insn->to.part : &insn->from.part);
        return "part of an instruction";
    case 4:
        drop_insn(r, s);
        return "a dropped instruction";
    case 5:
        repeat_insn(arena, r, s);
        return "a repeated instruction";
    default: {
        sg_insn swapped = *insn;
        *insn = *other;
        *other = swapped;
        return "two swapped instructions";
    }
    }
}

static const char *mutate_blocks(rng *r, sg_code *s)
{
    sg_block *block = &s->blocks[rng_in(r, 0, s->nblocks - 1)];
    switch (rng_in(r, 0, 5)) {
    case 0:
        change(r, &block->first);
        return "first of a block";
    case 1:
        change(r, &block->count);
        return "count of a block";
    case 2:
        change(r, &block->alias_of);
        return "the function of a block";
    case 3:
        change(r, &block->part);
        return "column of a block";
    case 4:
        change(r, &block->at);
        return "src of a block";
    default:
        s->nblocks--;
        return "a dropped block";
    }
}

/* A random instruction on registers, if the search hits one. */
static sg_insn *register_insn(rng *r, const sg_code *code)
{
    sg_insn *insn = NULL;
    for (int tries = 0; tries < 20; tries++) {
        insn = &code->insns[rng_in(r, 0, code->ninsns - 1)];
        if (insn->op > SG_INSN_LOAD && insn->op < SG_INSN_STORE) {
            break;
        }
    }
    return insn;
}

static const char *mutate_body(sg_arena *arena, rng *r, sg_body *v)
{
    sg_code *code = &v->codes[rng_in(r, 0, v->ncodes - 1)];
    sg_slice *slice = &v->slices[rng_in(r, 0, v->nslices - 1)];
    sg_insn *insn = register_insn(r, code);
    switch (rng_in(r, 0, 9)) {
    case 0:
        change_int(r, &insn->a);
        return "register a of a variant";
    case 1:
        change_int(r, &insn->b);
        return "register b of a variant";
    case 2:
        change_int(r, &insn->reg);
        return "register written of a variant";
    case 3:
        insn->constant += rng_one_in(r, 2) ? 1 : -1;
        return "constant of an instruction of a variant";
    case 4:
        if (insn->constant >= 0 && insn->constant < code->nconstants) {
            sg_constant *c = &code->constants[insn->constant];
            c->lanes[rng_in(r, 0, v->lanes - 1)] ^= (uint8_t)(1 << rng_in(r, 0, 6));
        }
        return "lane of a constant of a variant";
    case 5:
        change(r, rng_one_in(r, 3)   ? &v->tile_rows
                  : rng_one_in(r, 2) ? &v->block_rows
                                     : &v->rows_per_iteration);
        return "rows of a variant";
    case 6:
        change(r, &insn->step);
        return "step of a load";
    case 7:
        change(r, rng_one_in(r, 3) ? &slice->code : rng_one_in(r, 2) ? &slice->part : &slice->at);
        return "a slice of a variant";
    case 8:
        if (rng_one_in(r, 2)) {
            insn->combines = !insn->combines;
            return "whether an instruction of a variant goes through a feed";
        }
        change(r, &v->prologue_rows);
        return "rows of a variant before feeds begin";
    default:
        return mutate_insns(arena, r, code);
    }
}

static const char *mutate_layout(rng *r, sg_map *map)
{
    sg_map_part *column = &map->parts[rng_in(r, 0, map->nparts - 1)];
    switch (rng_in(r, 0, 2)) {
    case 0:
        change(r, &column->tensor);
        return "output of a column";
    case 1:
        change(r, &column->width);
        return "width of a column";
    default:
        change(r, &map->row_stride);
        return "row_bytes of the layout";
    }
}

static const char *mutate_view(rng *r, const sg_plan *p)
{
    sg_output *output = &p->outputs[rng_in(r, 0, p->noutputs - 1)];
    switch (output->strides == NULL ? 0 : rng_in(r, 0, 2)) {
    case 0:
        change(r, &output->byte_offset);
        return "byte_offset of a view";
    case 1:
        change(r, &output->strides[rng_in(r, 0, p->split->rank - 1)]);
        return "stride of a view";
    default:
        output->view = SG_VIEW_CONTIGUOUS;
        return "kind of a view";
    }
}

sg_plan *mutate_plan(sg_arena *arena, rng *r, const sg_plan *plan, const char **what)
{
    sg_plan *p = copy_plan(arena, plan);
    if (p->map.nparts == 0 || p->iteration.ninsns == 0) {
        *what = mutate_view(r, p);
        return p;
    }
    sg_code *s = rng_one_in(r, 3) ? &p->row : &p->iteration;
    switch (rng_in(r, 0, 11)) {
    case 0:
    case 1:
    case 2:
    case 3:
        *what = mutate_insns(arena, r, s);
        break;
    case 4:
        *what = mutate_blocks(r, s);
        break;
    case 5:
        change(r, &s->rows);
        *what = "rows of portable code";
        break;
    case 6:
        *what = mutate_view(r, p);
        break;
    case 7:
        *what = mutate_layout(r, &p->map);
        break;
    default:
        *what = p->nbodies == 0 ? mutate_insns(arena, r, s)
                                : mutate_body(arena, r, &p->bodies[rng_in(r, 0, p->nbodies - 1)]);
        break;
    }
    return p;
}
