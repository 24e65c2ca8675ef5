/* Assembles a line of a wide column from loads at any offset, by two-source permutes. */
#include "plan/body/lines.h"

#include "plan/body/lanes.h"
#include "plan/body/vector_builder.h"

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

/* Number of places from `first` on that a load at `offset` supplies. */
static int reach(const line_view *l, int64_t offset, int first)
{
    int count = 0;
    while (first + count < l->lanes && position(l, first + count) - offset < l->lanes) {
        ++count;
    }
    return count;
}

/* Covers the line by consecutive loads. Returns their number. */
static int cover(const line_view *l, piece *pieces)
{
    const int64_t last = l->routing->last;
    int n = 0;
    for (int first = 0; first < l->lanes; ++n) {
        const int64_t at = position(l, first);
        const int64_t offset = at < last ? at : last;
        pieces[n] = (piece){.offset = offset, .first = first, .count = reach(l, offset, first)};
        first += pieces[n].count;
    }
    return n;
}

void sg_lines_build(sg_vector_builder *vb, int line)
{
    const sg_routing *r = &vb->routing;
    const line_view l = {.routing = r, .edges = &r->edges[line * r->lanes], .lanes = r->lanes};
    piece pieces[SG_LANES_MAX] = {0};
    const int n = cover(&l, pieces);
    int reg = sg_vector_load(vb, pieces[0].offset * vb->v->lane_bytes);
    uint8_t index[SG_LANES_MAX] = {0};
    for (int i = 0; i < pieces[0].count; ++i) {
        index[i] = (uint8_t)(position(&l, i) - pieces[0].offset);
    }
    for (int p = 1; p < n; ++p) {
        const int load = sg_vector_load(vb, pieces[p].offset * vb->v->lane_bytes);
        for (int i = 0; i < pieces[p].count; ++i) {
            const int place = pieces[p].first + i;
            index[place] = (uint8_t)(l.lanes + position(&l, place) - pieces[p].offset);
        }
        reg = sg_vector_permute2(vb, reg, load, index);
        for (int i = 0; i < pieces[p].first + pieces[p].count; ++i) {
            index[i] = (uint8_t)i;
        }
    }
    sg_vector_store(vb, line, reg);
}
