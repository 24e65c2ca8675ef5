/* Networks built line by line: each output line is assembled from loads at any offset. An unaligned
 * load is a free lane rotation, so lanes that collide at one offset often do not at another. */
#include "plan/body/gather.h"

#include "plan/body/cost.h"
#include "plan/body/lanes.h"
#include "plan/body/vector_builder.h"
#include "plan/plan.h"

/* The elements of one line in order: position() gives their place in the tile, in elements. */
typedef struct line_view {
    const sg_routing *routing;
    const sg_edge *edges; /* one for each lane, sorted by place and position */
    int lanes;
} line_view;

/* A load at `offset` (in elements) that supplies places [first, first + count). */
typedef struct piece {
    int64_t offset;
    int first;
    int count;
} piece;

static int64_t position(const line_view *l, int place)
{
    return sg_routing_begin(l->routing, l->edges[place].source) + l->edges[place].position;
}

/* Number of places from `first` on that a load at `offset` supplies without using a taken lane. */
static int reach(const line_view *l, int64_t offset, int first, const bool *taken)
{
    int count = 0;
    while (first + count < l->lanes) {
        const int64_t lane = position(l, first + count) - offset;
        if (lane < 0 || lane >= l->lanes || taken[lane]) {
            break;
        }
        ++count;
    }
    return count;
}

/* Chooses between two pieces of equal reach: prefers one whose elements need no permute, then one
 * that other lines load too. */
static bool is_better(const line_view *l, const piece *a, const piece *b)
{
    const int64_t in_place = position(l, a->first) - a->first;
    if ((a->offset == in_place) != (b->offset == in_place)) {
        return a->offset == in_place;
    }
    return a->offset % l->lanes == 0;
}

/* Covers the line greedily by loads whose lanes do not collide, each time by the offset that
 * reaches furthest. Returns the number of pieces, 0 if it is impossible. */
static int cover(const line_view *l, piece *pieces)
{
    const int64_t last = l->routing->last;
    bool taken[SG_LANES_MAX] = {false};
    int n = 0;
    for (int first = 0; first < l->lanes;) {
        piece best = {0};
        const int64_t at = position(l, first);
        for (int64_t offset = at - l->lanes + 1; offset <= at; ++offset) {
            if (offset < 0 || offset > last) {
                continue;
            }
            const int count = reach(l, offset, first, taken);
            const piece next = {.offset = offset, .first = first, .count = count};
            if (count > best.count || (count == best.count && is_better(l, &next, &best))) {
                best = next;
            }
        }
        if (best.count == 0) {
            return 0;
        }
        for (int i = 0; i < best.count; ++i) {
            taken[position(l, first + i) - best.offset] = true;
        }
        pieces[n++] = best;
        first += best.count;
    }
    return n;
}

static void blend_line(sg_vector_builder *vb, const line_view *l, int line, const piece *pieces,
                       int n)
{
    uint8_t index[SG_LANES_MAX];
    bool moves = false;
    int reg = -1;
    for (int p = 0; p < n; ++p) {
        uint8_t mask[SG_LANES_MAX] = {0};
        for (int i = pieces[p].first; i < pieces[p].first + pieces[p].count; ++i) {
            const int64_t lane = position(l, i) - pieces[p].offset;
            mask[lane] = 1;
            index[i] = (uint8_t)lane;
            moves = moves || lane != i;
        }
        const int load = sg_vector_load(vb, pieces[p].offset * vb->v->lane_bytes);
        reg = reg < 0 ? load : sg_vector_blend(vb, reg, load, mask);
    }
    sg_vector_store(vb, line, moves ? sg_vector_permute(vb, reg, index) : reg);
}

/* Covers the line by consecutive loads, which pick_line() combines by two-source permutes. */
static int span_loads(const line_view *l, piece *pieces)
{
    const int64_t last = l->routing->last;
    const bool taken[SG_LANES_MAX] = {false};
    int n = 0;
    for (int first = 0; first < l->lanes; ++n) {
        const int64_t at = position(l, first);
        const int64_t offset = at < last ? at : last;
        pieces[n] =
            (piece){.offset = offset, .first = first, .count = reach(l, offset, first, taken)};
        first += pieces[n].count;
    }
    return n;
}

static void pick_line(sg_vector_builder *vb, const line_view *l, int line, const piece *pieces,
                      int n)
{
    int reg = sg_vector_load(vb, pieces[0].offset * vb->v->lane_bytes);
    uint8_t index[SG_LANES_MAX] = {0};
    for (int i = 0; i < pieces[0].count; ++i) {
        index[i] = (uint8_t)(position(l, i) - pieces[0].offset);
    }
    for (int p = 1; p < n; ++p) {
        const int load = sg_vector_load(vb, pieces[p].offset * vb->v->lane_bytes);
        for (int i = 0; i < pieces[p].count; ++i) {
            const int place = pieces[p].first + i;
            index[place] = (uint8_t)(l->lanes + position(l, place) - pieces[p].offset);
        }
        reg = sg_vector_permute2(vb, reg, load, index);
        for (int i = 0; i < pieces[p].first + pieces[p].count; ++i) {
            index[i] = (uint8_t)i;
        }
    }
    sg_vector_store(vb, line, reg);
}

bool sg_gather_line(sg_vector_builder *vb, int line)
{
    const sg_routing *r = &vb->routing;
    const bool picks = vb->isa->has_permute2;
    const line_view l = {.routing = r, .edges = &r->edges[line * r->lanes], .lanes = r->lanes};
    piece blends[SG_LANES_MAX];
    piece spans[SG_LANES_MAX];
    const int nblends = cover(&l, blends);
    const int nspans = picks ? span_loads(&l, spans) : 0;
    if (nblends == 0 && !picks) {
        return false;
    }
    const sg_code_builder_mark before = sg_code_builder_here(&vb->builder);
    double blend_cost = 0;
    if (nblends > 0) {
        blend_line(vb, &l, line, blends, nblends);
        blend_cost = sg_cost_pressure(vb->plan, vb->v, vb->builder.code);
    }
    if (nspans > 1) {
        sg_code_builder_back_to(&vb->builder, &before);
        pick_line(vb, &l, line, spans, nspans);
        if (nblends > 0 && blend_cost <= sg_cost_pressure(vb->plan, vb->v, vb->builder.code)) {
            sg_code_builder_back_to(&vb->builder, &before);
            blend_line(vb, &l, line, blends, nblends);
        }
    }
    return true;
}

bool sg_gather_build(sg_vector_builder *vb)
{
    if (vb->plan->map.joins) {
        return false; /* lines are loads from the full tensor */
    }
    for (int line = 0; line < vb->routing.lines; ++line) {
        if (!sg_gather_line(vb, line)) {
            return false;
        }
    }
    return true;
}
