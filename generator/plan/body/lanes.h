/* Routing of elements through vector lanes: which lane every element of a tile travels in, so
 * that no lane of a source vector or of an output line is used twice. Knows no instructions. */
#ifndef SG_PLAN_BODY_LANES_H
#define SG_PLAN_BODY_LANES_H

#include <stdbool.h>

#include "base/arena.h"

/* One element: at `position` of source vector `source`, wanted at `place` of output line `line`. */
typedef struct sg_edge {
    int source;
    int position;
    int line;
    int place;
    int lane; /* the answer: where it travels while lines are put together */
} sg_edge;

/* All lines of a tile see source (line_label - lane_class) mod period: log2(period) rounds of
 * blends serve all lines at once. */
typedef struct sg_rotation {
    int period;      /* 0: the routing has no such structure */
    int *line_label; /* per line, 0 <= label < period */
    int *source_of;  /* per label: the source vector that carries it */
    int *lane_class; /* per lane, 0 <= class < period */
} sg_rotation;

typedef struct sg_routing {
    bool joins; /* sources are vectors of parts, lines of the whole */
    int lanes;
    int sources;
    int lines;
    int nedges;
    sg_edge *edges;
    sg_rotation rotation;
} sg_routing;

/* Fills the lanes of all edges and the rotation where there is one. Always succeeds when no
 * source and no line has more than `lanes` edges, by Koenig's theorem: a bipartite multigraph
 * with vertex degrees up to n has an edge colouring in n colours; here a colour is a lane. */
void sg_lanes_route(sg_arena *arena, sg_routing *routing);

#endif
