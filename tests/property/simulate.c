/* Executes plans on symbolic bytes: byte i of the input holds the number i; for a concat, byte i
 * of part p holds p * PART + i. */
#include "simulate.h"

#include <inttypes.h>
#include <string.h>

#include "plan/plan.h"
#include "runner.h"

__extension__ typedef __int128 wide;

/* Each input part's byte 0 is numbered this much higher than that of the part before it. */
#define PART (INT64_C(1) << 40)

/* An output: a part or, in a concat, the full tensor. Contents are numbers of input bytes. */
typedef struct buffer {
    int64_t size;
    int64_t *from;  /* the byte that belongs here; -1: nothing may be written */
    int64_t *epoch; /* when it was last written; 0: never */
} buffer;

typedef struct machine {
    const sg_plan *plan;
    sg_arena *arena;
    sg_buf *why;
    bool joins;
    int64_t rows;
    int64_t input_size; /* of the full tensor, if that is the input */
    int64_t *part_size; /* of parts that are inputs */
    int64_t nbuffers;
    buffer *buffers;
    int64_t epoch; /* each byte may be written once per epoch */
} machine;

/* ---- the meaning of a split ----------------------------------------------------------------- */

static int64_t product_of(const sg_split *s, int from, int to)
{
    int64_t product = 1;
    for (int i = from; i < to; i++) {
        product *= s->dims[i];
    }
    return product;
}

/* Copies every input element to its position. */
static void expect(machine *m)
{
    const sg_split *s = m->plan->split;
    const int64_t inner = product_of(s, s->axis + 1, s->rank);
    const int64_t elements = product_of(s, 0, s->rank);
    const int64_t size = s->element_bytes;
    m->input_size = elements * size;
    m->rows = elements > 0 ? product_of(s, 0, s->axis) : 0;
    m->buffers = SG_NEW_ARRAY(m->arena, buffer, s->nparts);
    for (int64_t p = 0; p < s->nparts; p++) {
        const sg_part *part = &s->parts[p];
        if (!part->wanted) {
            continue;
        }
        buffer *b = &m->buffers[m->nbuffers++];
        b->size = product_of(s, 0, s->axis) * part->length * inner * size;
        b->from = SG_NEW_ARRAY(m->arena, int64_t, b->size);
        b->epoch = SG_NEW_ARRAY(m->arena, int64_t, b->size);
        for (int64_t e = 0; e < elements; e++) {
            const int64_t at = e / inner % s->dims[s->axis] - part->start;
            if (at < 0 || at >= part->length) {
                continue;
            }
            const int64_t outer = e / inner / s->dims[s->axis];
            const int64_t to = (outer * part->length + at) * inner + e % inner;
            for (int64_t k = 0; k < size; k++) {
                b->from[to * size + k] = e * size + k;
            }
        }
    }
}

/* ---- the meaning of a map -------------------------------------------------------------------- */

static void make_buffer(machine *m, int64_t size)
{
    buffer *b = &m->buffers[m->nbuffers++];
    *b = (buffer){.size = size};
    b->from = SG_NEW_ARRAY(m->arena, int64_t, size);
    b->epoch = SG_NEW_ARRAY(m->arena, int64_t, size);
    memset(b->from, -1, (size_t)size * sizeof b->from[0]);
}

/* The naive copy: part after part, row after row, byte after byte. */
static void expect_map(machine *m, const sg_map *map)
{
    m->joins = map->joins;
    m->rows = map->rows;
    m->input_size = map->rows * map->row_stride - map->gap;
    m->part_size = SG_NEW_ARRAY(m->arena, int64_t, map->nparts);
    m->buffers = SG_NEW_ARRAY(m->arena, buffer, map->nparts);
    for (int64_t p = 0; p < map->nparts; p++) {
        const sg_map_part *part = &map->parts[p];
        m->part_size[p] = (map->rows - 1) * part->row_stride + part->width;
        if (!map->joins) {
            make_buffer(m, m->part_size[p]);
        } else if (p == 0) {
            make_buffer(m, m->input_size);
        }
        for (int64_t row = 0; row < map->rows; row++) {
            for (int64_t i = 0; i < part->width; i++) {
                const int64_t whole = row * map->row_stride + part->offset + i;
                const int64_t at = row * part->row_stride + i;
                if (map->joins) {
                    m->buffers[0].from[whole] = p * PART + at;
                } else {
                    m->buffers[p].from[at] = whole;
                }
            }
        }
    }
}

/* ---- moving bytes --------------------------------------------------------------------------- */

/* The position of one iteration: rows from `row` on, and in a column range the offsets of its
 * first bytes in the full tensor and in parts. */
typedef struct base {
    wide row;
    int64_t whole;
    int64_t part;
} base;

/* The part of a reference; NULL if it does not exist. */
static const sg_map_part *part_of(const machine *m, const sg_ref *ref, base at)
{
    const wide number = (wide)ref->part + at.part;
    if (ref->part == SG_WHOLE || number < 0 || number >= m->plan->map.nparts) {
        return NULL;
    }
    const sg_map_part *part = &m->plan->map.parts[number];
    return part->tensor < 0 || part->tensor >= m->plan->noutputs ? NULL : part;
}

/* The offset of a reference, in the full tensor or in its part. */
static wide place_of(const machine *m, const sg_ref *ref, base at)
{
    const sg_map_part *part = part_of(m, ref, at);
    return part != NULL ? at.row * part->row_stride + ref->at
                        : at.row * m->plan->map.row_stride + ref->at + at.whole;
}

/* The number of the first of `bytes` input bytes; -1 if they are outside. */
static wide read_from(const machine *m, const sg_ref *ref, base at, wide skip, int64_t bytes)
{
    const sg_map_part *part = part_of(m, ref, at);
    const wide place = place_of(m, ref, at) + skip;
    if (m->joins ? part == NULL : ref->part != SG_WHOLE) {
        return -1;
    }
    const int64_t size = m->joins ? m->part_size[part->tensor] : m->input_size;
    if (bytes < 1 || place < 0 || place + bytes > size) {
        return -1;
    }
    /* from `? first + place : place` gcc 14 would read part->tensor also where part is NULL */
    const wide first = m->joins ? (wide)part->tensor * PART : 0;
    return first + place;
}

/* The output of a reference; NULL if it has none. */
static buffer *written_to(const machine *m, const sg_ref *ref, base at)
{
    const sg_map_part *part = part_of(m, ref, at);
    if (m->joins) {
        return ref->part == SG_WHOLE ? &m->buffers[0] : NULL;
    }
    return part == NULL || part->tensor >= m->nbuffers ? NULL : &m->buffers[part->tensor];
}

static bool write_byte(machine *m, buffer *b, wide at, wide from, bool again)
{
    const int64_t number = b - m->buffers;
    if (at < 0 || at >= b->size) {
        return property_fails(m->why, "output %" PRId64 " is written outside", number);
    }
    if (b->epoch[at] == m->epoch && !again) {
        return property_fails(m->why, "output %" PRId64 " byte %" PRId64 " is written twice",
                              number, (int64_t)at);
    }
    if (from < 0 || from != b->from[at]) {
        return property_fails(m->why, "output %" PRId64 " byte %" PRId64 " is wrong", number,
                              (int64_t)at);
    }
    b->epoch[at] = m->epoch;
    return true;
}

/* Whether a byte that has to be written gets a wrong value. */
static bool spoils(const buffer *b, wide at, wide from)
{
    return at >= 0 && at < b->size && b->from[at] >= 0 && b->from[at] != from;
}

static bool run_copy(machine *m, const sg_insn *insn, base at)
{
    buffer *b = written_to(m, &insn->to, at);
    const wide src = read_from(m, &insn->from, at, 0, insn->bytes);
    if (b == NULL || src < 0) {
        return property_fails(m->why, "a copy without a column, or outside what is read");
    }
    const wide dst = place_of(m, &insn->to, at);
    for (int64_t i = 0; i < insn->bytes; i++) {
        if (!write_byte(m, b, dst + i, src + i, false)) {
            return false;
        }
    }
    /* overrun bytes are written again later, so they must exist */
    for (int64_t i = insn->bytes; i < insn->bytes + insn->overrun; i++) {
        if (read_from(m, &insn->from, at, i, 1) < 0 || dst + i >= b->size || b->from[dst + i] < 0 ||
            b->epoch[dst + i] == m->epoch) {
            return property_fails(m->why, "output %" PRId64 " byte %" PRId64 " is spoilt",
                                  (int64_t)(b - m->buffers), (int64_t)(dst + i));
        }
    }
    return true;
}

/* Checks that every byte was written since `first` epochs ago; then forgets. */
static bool complete(machine *m, int64_t first, const char *what)
{
    for (int64_t o = 0; o < m->nbuffers; o++) {
        for (int64_t i = 0; i < m->buffers[o].size; i++) {
            if (m->buffers[o].from[i] >= 0 && m->buffers[o].epoch[i] < first) {
                return property_fails(m->why, "%s leaves output %" PRId64 " byte %" PRId64, what, o,
                                      i);
            }
        }
    }
    return true;
}

/* Runs the instructions in the order of the blocks that become functions. */
static bool run_blocks(machine *m, const sg_code *s, base at)
{
    for (int64_t b = 0; b < s->nblocks; b++) {
        const sg_block *block = &s->blocks[b];
        if (block->first < 0 || block->count < 0 || block->first > s->ninsns ||
            block->count > s->ninsns - block->first) {
            return property_fails(m->why, "a block of no instructions");
        }
        if (block->alias_of < 0 || block->alias_of > b ||
            s->blocks[block->alias_of].alias_of != block->alias_of) {
            return property_fails(m->why, "a block without a function");
        }
        /* the call runs the function of that block at this block's position */
        const sg_block *as = &s->blocks[block->alias_of];
        const base shifted = {at.row, at.whole + block->at, at.part + block->part};
        wide outputs = 0;
        for (int64_t i = 0; i < as->count; i++) {
            const sg_insn *insn = &s->insns[as->first + i];
            const sg_ref *ref = m->joins ? &insn->from : &insn->to;
            const sg_map_part *from = part_of(m, ref, at);
            const sg_map_part *to = part_of(m, ref, shifted);
            const wide apart = from && to ? (wide)to->tensor - from->tensor : 0;
            outputs = i == 0 ? apart : outputs;
            if (insn->op > SG_INSN_CALL || !run_copy(m, insn, shifted) || from == NULL ||
                from->row_stride != to->row_stride || apart != outputs) {
                return property_fails(m->why, "portable instruction %" PRId64, as->first + i);
            }
        }
    }
    return true;
}

/* Runs iterations and then single rows. */
static bool run_whole(machine *m)
{
    const sg_plan *plan = m->plan;
    const int64_t rows = plan->map.nparts > 0 && plan->iteration.ninsns > 0 ? m->rows : 0;
    int64_t row = 0;
    m->epoch++;
    if (rows > 0 && (plan->iteration.rows < 1 || plan->iteration.nblocks < 1)) {
        return property_fails(m->why, "an iteration that does nothing");
    }
    for (; row < rows && plan->iteration.rows <= rows - row; row += plan->iteration.rows) {
        if (!run_blocks(m, &plan->iteration, (base){.row = row})) {
            return false;
        }
    }
    for (; row < rows; row++) {
        if (!run_blocks(m, &plan->row, (base){.row = row})) {
            return false;
        }
    }
    return complete(m, m->epoch, "the program");
}

static bool run_rows(machine *m)
{
    m->epoch++;
    const int64_t rows = m->plan->map.nparts > 0 ? m->rows : 0;
    for (int64_t row = 0; row < rows; row++) {
        if (!run_blocks(m, &m->plan->row, (base){.row = row})) {
            return false;
        }
    }
    return complete(m, m->epoch, "the row program");
}

/* ---- bodies ------------------------------------------------------------------------------- */

/* Registers as bytes; -1: undefined. */
typedef struct registers {
    const sg_body *v;
    const sg_code *code;
    int64_t size; /* bytes of one */
    wide *bytes;
    bool *written;
    wide *ends; /* per column: the end of its combiner's contents in the output; -1 before it begins
                 */
    bool again; /* a tile over rows that are already copied does not use a combiner */
} registers;

static wide *bytes_of(const registers *r, int reg)
{
    return &r->bytes[reg * r->size];
}

static bool is_readable(const registers *r, int reg)
{
    return reg >= 0 && reg < r->code->registers && r->written[reg];
}

static bool run_load(machine *m, const registers *r, const sg_insn *insn, base at)
{
    wide skip = 0;
    if (insn->bytes < 1 || r->size % insn->bytes != 0) {
        return property_fails(m->why, "a load of no vector");
    }
    for (int64_t done = 0; done < r->size; done += insn->bytes, skip += insn->step) {
        const wide src = read_from(m, &insn->from, at, skip, insn->bytes);
        if (src < 0) {
            return property_fails(m->why, "a load outside what is read");
        }
        for (int64_t i = 0; i < insn->bytes; i++) {
            bytes_of(r, insn->reg)[done + i] = src + i;
        }
    }
    return true;
}

/* Element n of the bytes loaded goes to register n % k, lane n / k. */
static bool run_interleaved(machine *m, const registers *r, const sg_insn *insn, base at)
{
    const wide src = read_from(m, &insn->from, at, 0, insn->bytes);
    const int64_t k = insn->bytes / r->size;
    if (k < 2 || k > 4 || insn->bytes % r->size != 0 || insn->reg < 0 ||
        insn->reg > r->code->registers - k || src < 0) {
        return property_fails(m->why, "an interleaved load of nothing");
    }
    for (int64_t i = 0; i < insn->bytes; i++) {
        const int64_t n = i / r->v->lane_bytes;
        const int to = insn->reg + (int)(n % k);
        if (i < k && r->written[insn->reg + i]) {
            return property_fails(m->why, "a register written twice");
        }
        bytes_of(r, to)[n / k * r->v->lane_bytes + i % r->v->lane_bytes] = src + i;
    }
    for (int64_t i = 0; i < k; i++) {
        r->written[insn->reg + i] = true;
    }
    return true;
}

static bool run_shuffle(machine *m, const registers *r, const sg_insn *insn)
{
    const sg_body *v = r->v;
    const bool two = insn->op != SG_INSN_PERMUTE;
    if (!is_readable(r, insn->a) || (two && !is_readable(r, insn->b)) || insn->constant < 0 ||
        insn->constant >= r->code->nconstants) {
        return property_fails(m->why, "a shuffle of nothing");
    }
    for (int lane = 0; lane < v->lanes; lane++) {
        const int pick = r->code->constants[insn->constant].lanes[lane];
        int from = insn->a;
        int from_lane = lane;
        if (insn->op == SG_INSN_BLEND) {
            from = pick != 0 ? insn->b : insn->a;
        } else {
            from = pick < v->lanes ? insn->a : insn->b;
            from_lane = pick < v->lanes ? pick : pick - v->lanes;
        }
        if (from_lane >= v->lanes || (from == insn->b && !two && pick >= v->lanes)) {
            return property_fails(m->why, "a shuffle from a lane that is not there");
        }
        for (int64_t k = 0; k < v->lane_bytes; k++) {
            bytes_of(r, insn->reg)[lane * v->lane_bytes + k] =
                bytes_of(r, from)[from_lane * v->lane_bytes + k];
        }
    }
    return true;
}

/* The destination of an instruction that may go through a combiner: from prologue_rows on the
 * combiner tracks its own position. */
static bool find_place(machine *m, const registers *r, sg_insn *insn, base at)
{
    if (!insn->combines || r->again || at.row < r->v->prologue_rows) {
        return true;
    }
    const sg_map *map = &m->plan->map;
    const sg_map_part *column = map->joins ? NULL : part_of(m, &insn->to, at);
    int64_t row = 0; /* bytes of a row that go through the combiner */
    for (int64_t p = 0; p < map->nparts; p++) {
        row += map->joins || column == &map->parts[p] ? map->parts[p].width : 0;
    }
    if ((!map->joins && column == NULL) || r->v->write_combining == SG_WRITE_COMBINING_NEVER ||
        row != (map->joins ? map->row_stride : column->row_stride)) {
        return property_fails(m->why, "a feed of nothing");
    }
    wide *end = &r->ends[map->joins ? 0 : column - map->parts];
    if (*end < 0) {
        *end = at.row * row;
        if (*end < 64) {
            return property_fails(m->why, "a feed that reads in front of its output");
        }
    }
    insn->to.at = (int64_t)(*end - at.row * row);
    *end += insn->bytes;
    return true;
}

static bool run_store(machine *m, const registers *r, const sg_insn *insn, base at)
{
    buffer *b = written_to(m, &insn->to, at);
    sg_insn placed = *insn;
    if (!find_place(m, r, &placed, at)) {
        return false;
    }
    if (b == NULL || !is_readable(r, insn->a)) {
        return property_fails(m->why, "a store of nothing");
    }
    /* pieces of a row of the full tensor may overlap */
    const bool again = insn->to.part == SG_WHOLE;
    if (insn->step > 0 && (!again || insn->bytes < 1 || r->size % insn->bytes != 0)) {
        return property_fails(m->why, "a store of no pieces");
    }
    for (int64_t i = 0; i < r->size; i++) {
        const wide skip = insn->step > 0 ? i / insn->bytes * insn->step + i % insn->bytes : i;
        const wide place = place_of(m, &placed.to, at) + skip;
        const wide from = bytes_of(r, insn->a)[i];
        if (again && spoils(b, place, from)) {
            b->epoch[place] = 0; /* not written; complete() finds it if it stays so */
        } else if (!write_byte(m, b, place, from, again)) {
            return false;
        }
    }
    return true;
}

/* Stores elements alternately: element n comes from register n % k, lane n / k. */
static bool run_interleave(machine *m, const registers *r, const sg_insn *insn, base at)
{
    buffer *b = written_to(m, &insn->to, at);
    const int64_t k = insn->bytes / r->size;
    if (b == NULL || k < 2 || k > 4 || insn->bytes % r->size != 0) {
        return property_fails(m->why, "an interleaving store of nothing");
    }
    for (int64_t i = 0; i < insn->bytes; i++) {
        const int64_t n = i / r->v->lane_bytes;
        const int from = insn->a + (int)(n % k);
        if (!is_readable(r, from) ||
            !write_byte(m, b, place_of(m, &insn->to, at) + i,
                        bytes_of(r, from)[n / k * r->v->lane_bytes + i % r->v->lane_bytes],
                        false)) {
            return property_fails(m->why, "an interleaving store of something else");
        }
    }
    return true;
}

static bool run_run(machine *m, const registers *r, const sg_insn *insn, base at)
{
    sg_insn placed = *insn;
    return find_place(m, r, &placed, at) && run_copy(m, &placed, at);
}

static bool run_vector(machine *m, const registers *r, const sg_insn *insn, base at)
{
    switch (insn->op) {
    case SG_INSN_LOAD:
    case SG_INSN_PERMUTE:
    case SG_INSN_PERMUTE2:
    case SG_INSN_BLEND:
        if (insn->reg < 0 || insn->reg >= r->code->registers || r->written[insn->reg]) {
            return property_fails(m->why, "a register written twice");
        }
        if (insn->op == SG_INSN_LOAD ? !run_load(m, r, insn, at) : !run_shuffle(m, r, insn)) {
            return false;
        }
        r->written[insn->reg] = true;
        return true;
    case SG_INSN_PREFETCH:
        return true;
    case SG_INSN_INTERLEAVED:
        return run_interleaved(m, r, insn, at);
    case SG_INSN_INTERLEAVE:
        return run_interleave(m, r, insn, at);
    case SG_INSN_STORE:
        return run_store(m, r, insn, at);
    case SG_INSN_VECTORS:
        if (insn->bytes < r->size) {
            return property_fails(m->why, "lines shorter than a vector");
        }
        return run_run(m, r, insn, at);
    case SG_INSN_MOVE:
    case SG_INSN_COPY:
    case SG_INSN_CALL:
        return run_run(m, r, insn, at);
    default: /* for bits only */
        break;
    }
    return property_fails(m->why, "an unknown instruction");
}

/* Runs one iteration of a column range: every unit of the registers works separately, and so
 * does every tile. */
static bool run_tile(machine *m, registers *r, const sg_slice *slice, wide row)
{
    r->code = &r->v->codes[slice->code];
    r->bytes = SG_NEW_ARRAY(m->arena, wide, r->code->registers * r->size);
    r->written = SG_NEW_ARRAY(m->arena, bool, r->code->registers);
    for (int64_t tile = 0; tile < r->v->rows_per_iteration / r->v->tile_rows; tile++) {
        memset(r->written, 0, (size_t)r->code->registers * sizeof r->written[0]);
        base at = {row + (wide)tile * r->v->tile_rows, slice->at, slice->part};
        for (int64_t i = 0; i < r->code->ninsns; i++) {
            if (!run_vector(m, r, &r->code->insns[i], at)) {
                return property_fails(m->why, "vector instruction %" PRId64, i);
            }
        }
    }
    return true;
}

/* Runs consecutive tiles in every column range, `rows` rows in all. */
static bool run_block(machine *m, registers *r, wide first, wide rows)
{
    m->epoch++;
    for (int64_t s = 0; s < r->v->nslices; s++) {
        const sg_slice *slice = &r->v->slices[s];
        if (slice->code < 0 || slice->code >= r->v->ncodes) {
            return property_fails(m->why, "a slice without a body");
        }
        for (wide row = 0; row < rows; row += r->v->rows_per_iteration) {
            if (!run_tile(m, r, slice, first + row)) {
                return property_fails(m->why, "slice %" PRId64, s);
            }
        }
    }
    return true;
}

static bool run_body(machine *m, const sg_body *v)
{
    const int64_t rows = m->rows;
    const int64_t step = v->rows_per_iteration;
    registers r = {.v = v, .size = v->isa->unit};
    if (step < 1 || step > rows || v->tile_rows < 1 || v->block_rows < step ||
        v->block_rows % step != 0 || v->lanes * v->lane_bytes != r.size) {
        return property_fails(m->why, "a variant of no shape");
    }
    const int64_t columns = m->plan->map.nparts;
    r.ends = SG_NEW_ARRAY(m->arena, wide, columns);
    for (int64_t c = 0; c < columns; c++) {
        r.ends[c] = -1;
    }
    const int64_t first = m->epoch + 1;
    wide row = 0;
    while (row + step <= rows) {
        const wide left = rows - row;
        const wide block = (left < v->block_rows ? left : v->block_rows) / step * step;
        if (!run_block(m, &r, row, block)) {
            return false;
        }
        row += block;
    }
    /* the last tile covers rows that are already copied */
    r.again = true;
    if (row < rows && !run_block(m, &r, rows - step, step)) {
        return false;
    }
    return complete(m, first, v->isa->name);
}

/* ---- views ---------------------------------------------------------------------------------- */

static bool check_view(machine *m, const sg_output *output, const buffer *b)
{
    const sg_split *s = m->plan->split;
    const int64_t size = s->element_bytes;
    for (int64_t e = 0; e < b->size / size; e++) {
        wide at = output->byte_offset;
        int64_t rest = e;
        for (int d = s->rank - 1; d >= 0; d--) {
            const int64_t dim = d == s->axis ? output->part->length : s->dims[d];
            if (output->dims[d] != dim) {
                return property_fails(m->why, "an output has the wrong shape");
            }
            at += (wide)(rest % dim) * output->strides[d] * size;
            rest /= dim;
        }
        if (at != b->from[e * size]) {
            return property_fails(m->why, "a view leads to the wrong byte");
        }
        if (output->view == SG_VIEW_CONTIGUOUS && at != output->byte_offset + (wide)e * size) {
            return property_fails(m->why, "a view is not as contiguous as it claims");
        }
    }
    return true;
}

/* ---- all of it ------------------------------------------------------------------------------ */

/* Whether concatenating the outputs along the axis gives the input. */
static bool concatenates(machine *m)
{
    const sg_split *s = m->plan->split;
    const int64_t rows = product_of(s, 0, s->axis);
    int64_t next = 0;
    for (int64_t row = 0; row < rows; row++) {
        for (int64_t o = 0; o < m->nbuffers; o++) {
            const int64_t width = m->buffers[o].size / rows;
            for (int64_t i = 0; i < width; i++) {
                if (m->buffers[o].from[row * width + i] != next++) {
                    return property_fails(m->why, "the outputs do not concatenate to the input");
                }
            }
        }
    }
    return next == m->input_size || property_fails(m->why, "the outputs miss a part of the input");
}

static bool run_programs(machine *m)
{
    bool ok = run_whole(m) && run_rows(m);
    for (int64_t i = 0; ok && i < m->plan->nbodies; i++) {
        ok = run_body(m, &m->plan->bodies[i]);
    }
    return ok;
}

bool simulate_map(sg_arena *arena, const sg_plan *plan, const sg_map *map, sg_buf *why)
{
    machine m = {.plan = plan, .arena = arena, .why = why};
    expect_map(&m, map);
    return run_programs(&m);
}

bool simulate_plan(sg_arena *arena, const sg_plan *plan, sg_buf *why)
{
    machine m = {.plan = plan, .arena = arena, .why = why};
    expect(&m);
    if (plan->noutputs != m.nbuffers) {
        return property_fails(why, "%" PRId64 " outputs instead of %" PRId64, plan->noutputs,
                              m.nbuffers);
    }
    if (m.nbuffers == plan->split->nparts && !concatenates(&m)) {
        return false;
    }
    if (!run_programs(&m)) {
        return false;
    }
    for (int64_t o = 0; o < plan->noutputs; o++) {
        if (plan->outputs[o].view != SG_VIEW_COPY &&
            !check_view(&m, &plan->outputs[o], &m.buffers[o])) {
            return false;
        }
    }
    return true;
}
