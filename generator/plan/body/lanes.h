/* Routing of elements through vector lanes: assigns a lane to every element of a tile, so that no
 * lane of a source vector or of an output line is used twice. Independent of instructions. */
#ifndef SG_PLAN_BODY_LANES_H
#define SG_PLAN_BODY_LANES_H

#include <stdbool.h>

#include "base/arena.h"

#define SG_NO_SOURCE (-1)

/* One element: loaded at `position` of source vector `source`, stored at `place` of output line
 * `line`. */
typedef struct sg_edge {
    int source; /* SG_NO_SOURCE: any value may be stored at the place */
    int position;
    int line;
    int place;
    int lane; /* result: its lane while lines are blended */
} sg_edge;

/* In each lane, a line takes the source with label (line_label - lane_class) mod period:
 * log2(period) rounds of blends produce all lines at once. */
typedef struct sg_rotation {
    int period;      /* 0: no such structure */
    int *line_label; /* per line, 0 <= label < period */
    int *source_of;  /* per label: its source vector */
    int *lane_class; /* per lane, 0 <= class < period */
} sg_rotation;

typedef struct sg_routing {
    bool joins; /* sources are vectors of parts, lines are vectors of the full tensor */
    int lanes;
    int sources;
    int64_t last; /* the last element of the tile from which a vector may be loaded, as nothing
                 after the last row may: vector n of the full tensor begins at n * lanes, or here */
    int lines;
    int nedges;
    sg_edge *edges;
    sg_rotation rotation;
} sg_routing;

/* The element of the tile with which a vector of the full tensor begins. */
int64_t sg_routing_begin(const sg_routing *routing, int vector);

/* Sets the lanes of all edges, and the rotation if there is one. Always succeeds if no source and
 * no line has more than `lanes` edges, by Koenig's theorem: a bipartite multigraph with vertex
 * degrees up to n has an edge colouring in n colours. Here a colour is a lane. */
void sg_lanes_route(sg_arena *arena, sg_routing *routing);

#endif
