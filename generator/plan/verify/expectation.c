/* The expected result, computed from the split alone or given, and the checks against it that all
 * proofs share. */
#include "plan/verify/expectation.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/checked.h"
#include "plan/plan.h"

/* Units in a row before axis position `index`. */
static int64_t before(const sg_split *split, int64_t element, int64_t index)
{
    int64_t sum = index * element;
    for (int d = split->axis + 1; d < split->rank; ++d) {
        sum *= split->dims[d];
    }
    return sum;
}

/* A stride in units; false if it is less than a row. */
static bool stride_for(int64_t elements, int64_t element, int64_t width, int64_t *stride)
{
    return sg_mul64(elements, element, stride) && *stride >= width;
}

const char *sg_verify_expect(sg_arena *arena, const sg_plan *plan, int64_t element,
                             sg_expectation *e)
{
    const sg_split *split = plan->split;
    sg_map *map = &e->map;
    int64_t total = element;
    bool empty = false;
    for (int d = 0; d < split->rank; ++d) {
        empty = empty || split->dims[d] == 0;
    }
    map->joins = split->joins;
    map->element = element;
    map->unit_bits = plan->bits != NULL ? 1 : 8;
    for (int d = split->axis + 1; d < split->rank; ++d) {
        for (int o = 0; o < split->nopen; ++o) {
            map->scales = map->scales || split->powers[d * split->nopen + o] > 0;
        }
    }
    map->rows = 1;
    for (int d = 0; !empty && d < split->rank; ++d) {
        if (!sg_mul64(total, split->dims[d], &total)) {
            return "the tensor is larger than int64";
        }
        map->rows *= d < split->axis ? split->dims[d] : 1;
    }
    const int64_t width = empty ? 0 : total / map->rows;
    if (!empty && !stride_for(split->row_stride, element, width, &map->row_stride)) {
        return "the rows of the whole overlap";
    }
    map->gap = map->row_stride - width;
    if (!sg_mul64(map->rows, split->items, &map->rows)) {
        return "there are more rows than int64 counts";
    }
    if (empty) {
        map->rows = 0;
    }
    bool apart = split->strides != NULL;
    for (int64_t i = 0; i < split->nparts; ++i) {
        apart = apart || split->parts[i].strides != NULL;
    }
    if ((plan->map.ngroups > 0) != (apart && !empty)) {
        return "rows lie in groups, or the plan says so";
    }
    for (int64_t g = 0; g < plan->map.ngroups; ++g) {
        const int64_t within = g > 0 ? plan->map.groups[g - 1].rows : 1;
        if (plan->map.groups[g].rows < 1 || plan->map.groups[g].rows % within != 0) {
            return "a group of rows is not made of groups";
        }
    }
    map->parts = SG_NEW_ARRAY(arena, sg_map_part, split->nparts);

    int64_t o = 0;
    int64_t start = 0;
    for (int64_t i = 0; i < split->nparts; ++i) {
        const sg_part *part = &split->parts[i];
        if (part->start != start) {
            return "the parts are not contiguous";
        }
        start += part->length;
        if (!part->wanted) {
            continue;
        }
        if (o >= plan->noutputs || plan->outputs[o].part != part) {
            return "the outputs are not the wanted parts in order";
        }
        const bool moves = !empty && part->length > 0 && !part->view_only;
        if (part->view_only && plan->outputs[o].view == SG_VIEW_COPY) {
            return sg_arena_printf(arena, "output %" PRId64 " is neither copied nor a view", o);
        }
        if (plan->outputs[o].column != (moves ? map->nparts : -1)) {
            return sg_arena_printf(arena, "output %" PRId64 " has the wrong column", o);
        }
        if (moves) {
            sg_map_part *to = &map->parts[map->nparts++];
            to->offset = before(split, element, part->start);
            to->width = before(split, element, part->length);
            if (!stride_for(part->row_stride, element, to->width, &to->row_stride)) {
                return sg_arena_printf(arena, "the rows of output %" PRId64 " overlap", o);
            }
        }
        ++o;
    }
    if (start != split->dims[split->axis]) {
        return "the parts do not sum to the axis";
    }
    return o == plan->noutputs ? NULL : "there are more outputs than wanted parts";
}

int64_t sg_verify_begin(const sg_plan *plan, int64_t element, int64_t o)
{
    return before(plan->split, element, plan->outputs[o].part->start);
}

const char *sg_verify_strides(sg_arena *arena, const sg_plan *plan, int64_t o)
{
    const sg_split *split = plan->split;
    const sg_output *output = &plan->outputs[o];
    int64_t input_step = 1;
    int64_t dense_step = 1;
    int at = split->rank - 1 - (output->part->without_axis ? 1 : 0); /* dimension of the output */
    if (output->part->without_axis && output->part->length != 1) {
        return sg_arena_printf(arena, "output %" PRId64 " lacks an axis on which it is not one", o);
    }
    for (int d = split->rank - 1; d >= 0; --d) {
        const int64_t length = d == split->axis ? output->part->length : split->dims[d];
        const bool taken_away = output->part->without_axis && d == split->axis;
        if (!taken_away &&
            (output->dims[at] != length || output->strides[at] != input_step ||
             (output->view == SG_VIEW_CONTIGUOUS && length > 1 && input_step != dense_step))) {
            return sg_arena_printf(arena, "the view of output %" PRId64 " is wrong in dimension %d",
                                   o, at);
        }
        at -= taken_away ? 0 : 1;
        input_step = d == split->axis ? split->row_stride : input_step * split->dims[d];
        input_step = d > 0 && d <= split->axis && split->strides != NULL ? split->strides[d - 1]
                                                                         : input_step;
        dense_step *= length;
    }
    return NULL;
}

const char *sg_verify_same_map(sg_arena *arena, const sg_plan *plan, const sg_expectation *e)
{
    const sg_map *map = &plan->map;
    const sg_map *right = &e->map;
    if (map->joins != right->joins || map->unit_bits != right->unit_bits ||
        map->element != right->element || map->scales != right->scales ||
        map->nparts != right->nparts || map->rows != right->rows ||
        map->row_stride != right->row_stride || map->gap != right->gap) {
        return "the map is not what has to move";
    }
    for (int64_t p = 0; p < map->nparts; ++p) {
        const sg_map_part *part = &map->parts[p];
        if (part->offset != right->parts[p].offset || part->width != right->parts[p].width ||
            part->row_stride != right->parts[p].row_stride || part->tensor < 0 ||
            part->tensor >= plan->noutputs || plan->outputs[part->tensor].column != p) {
            return sg_arena_printf(arena, "column %" PRId64 " is not that of its output", p);
        }
    }
    return NULL;
}

/* From one row to the next. */
static int64_t stride_of(const sg_expectation *e, int64_t part)
{
    return part == SG_WHOLE ? e->map.row_stride : e->map.parts[part].row_stride;
}

/* Padding after the last row may not exist. */
int64_t sg_verify_extent(const sg_expectation *e, int64_t part, int64_t rows)
{
    const int64_t gap =
        part == SG_WHOLE ? e->map.gap : stride_of(e, part) - e->map.parts[part].width;
    return rows * stride_of(e, part) - gap;
}

bool sg_verify_in_row(const sg_expectation *e, sg_ref from, int64_t units)
{
    const int64_t stride = e->map.row_stride;
    const bool near = !e->map.joins && stride <= SG_NEAR_BYTES;
    return from.part != SG_WHOLE || e->map.gap == 0 || near ||
           from.at % stride + units <= stride - e->map.gap;
}

int64_t sg_verify_moved(const sg_expectation *e, sg_ref from, int64_t units)
{
    if (from.part == SG_WHOLE) {
        return from.at;
    }
    const sg_map_part *part = &e->map.parts[from.part];
    const int64_t row = from.at / part->row_stride;
    const int64_t within = from.at % part->row_stride;
    const bool one_run = part->width == part->row_stride && part->width == e->map.row_stride;
    if (within >= part->width || (!one_run && units > part->width - within)) {
        return SG_NOTHING;
    }
    return row * e->map.row_stride + part->offset + within;
}

const char *sg_verify_wrong(sg_arena *arena, const sg_expectation *e, int64_t index, sg_ref to,
                            int64_t gets)
{
    const char *unit = e->map.unit_bits == 1 ? "bit" : "byte";
    const char *of =
        to.part == SG_WHOLE ? "the whole" : sg_arena_printf(arena, "column %" PRId64, to.part);
    return sg_arena_printf(arena,
                           "instruction %" PRId64 " fills %s %" PRId64 " of %s with what is %s "
                           "%" PRId64 " of the whole, not %" PRId64,
                           index, unit, to.at, of, unit, gets, sg_verify_moved(e, to, 1));
}

static bool is_inside(const sg_expectation *e, int64_t rows, sg_ref ref, int64_t units)
{
    return ref.at >= 0 && units > 0 && ref.at <= sg_verify_extent(e, ref.part, rows) - units;
}

const char *sg_verify_run(sg_arena *arena, const sg_expectation *e, int64_t rows, sg_ref to,
                          sg_ref from, int64_t units, int64_t index)
{
    sg_ref part = e->map.joins ? from : to;
    sg_ref whole = e->map.joins ? to : from;
    if (part.part < 0 || part.part >= e->map.nparts || whole.part != SG_WHOLE) {
        return sg_arena_printf(arena, "instruction %" PRId64 " names no column", index);
    }
    if (!is_inside(e, rows, part, units) || !is_inside(e, rows, whole, units)) {
        return sg_arena_printf(arena, "instruction %" PRId64 " leaves its buffers", index);
    }
    const sg_map_part *of = &e->map.parts[part.part];
    while (units > 0 && sg_verify_moved(e, part, units) != whole.at) {
        /* not contiguous on both sides: check the rest of this row, then continue */
        const int64_t row = of->width - part.at % of->row_stride;
        const int64_t run = row < units ? row : units;
        if (sg_verify_moved(e, part, run) != whole.at) {
            const sg_ref at = e->map.joins ? whole : part;
            return sg_verify_wrong(arena, e, index, at,
                                   sg_verify_moved(e, e->map.joins ? part : whole, 1));
        }
        part.at += run;
        whole.at += run;
        units -= run;
    }
    return NULL;
}

/* The first unit at or after `at` that moves. */
static int64_t next_moved(const sg_expectation *e, int64_t part, int64_t at)
{
    const int64_t stride = stride_of(e, part);
    const int64_t within = at % stride;
    const int64_t row = at - within;
    if (part != SG_WHOLE) {
        return within < e->map.parts[part].width ? at : row + stride;
    }
    for (int64_t p = 0; p < e->map.nparts; ++p) {
        const sg_map_part *of = &e->map.parts[p];
        if (within < of->offset + of->width) {
            return row + (within > of->offset ? within : of->offset);
        }
    }
    return row + stride + e->map.parts[0].offset;
}

/* Checks the writes of one part or of the full tensor, which are next in the list, and advances
 * past them. */
static const char *cover(sg_arena *arena, const sg_expectation *e, int64_t rows, int64_t part,
                         const sg_interval **writes, const sg_interval *end)
{
    const char *unit = e->map.unit_bits == 1 ? "bit" : "byte";
    const int64_t grain = 8 / e->map.unit_bits;
    int64_t next = next_moved(e, part, 0);
    for (; *writes < end && (*writes)->part == part; ++*writes) {
        const int64_t begin = (*writes)->begin;
        const bool overlaps = (*writes)->may_overlap && begin < next && (*writes)->end > next;
        if (begin != next / grain * grain && !overlaps) {
            return sg_arena_printf(arena, "%s %" PRId64 " of column %" PRId64 " is written %s",
                                   unit, begin < next ? begin : next, part,
                                   begin < next ? "twice" : "never");
        }
        next = next_moved(e, part, (*writes)->end);
    }
    if (next / stride_of(e, part) < rows) {
        return sg_arena_printf(arena, "%s %" PRId64 " of column %" PRId64 " is written never", unit,
                               next, part);
    }
    return NULL;
}

static int compare_intervals(const void *a, const void *b)
{
    const sg_interval *x = a;
    const sg_interval *y = b;
    if (x->part != y->part) {
        return x->part < y->part ? -1 : 1;
    }
    return x->begin < y->begin ? -1 : x->begin > y->begin;
}

const char *sg_verify_cover(sg_arena *arena, const sg_expectation *e, int64_t rows,
                            sg_interval *writes, int64_t n)
{
    const sg_interval *next = writes;
    const char *flaw = NULL;
    qsort(writes, (size_t)n, sizeof *writes, compare_intervals);
    if (e->map.joins) {
        flaw = cover(arena, e, rows, SG_WHOLE, &next, writes + n);
    }
    for (int64_t p = 0; flaw == NULL && !e->map.joins && p < e->map.nparts; ++p) {
        flaw = cover(arena, e, rows, p, &next, writes + n);
    }
    return flaw == NULL && next != writes + n ? "what does not move is written" : flaw;
}
