/* Lane routing as edge colouring of the bipartite multigraph of source vectors and output lines.
 *
 * note [three stages]
 * Any rearrangement of S full vectors into L full vectors is: permute every source, blend, permute
 * every line (Clos 1953; the same theorem as in Catanzaro, Keller and Garland, PPoPP 2014). The
 * middle stage never moves an element across lanes, so it consists of blends, the cheapest vector
 * instruction. The problem is to assign a lane to every element: unique within a source, and unique
 * within a line. A source whose elements all stay in the lanes they were loaded to needs no first
 * permute. A line whose elements are already in place needs no last permute. */
#include "plan/body/lanes.h"

#include "base/checked.h"

/* edge index by (vertex, lane); -1: free */
typedef struct table {
    int *edge;
    int lanes;
} table;

static table table_new(sg_arena *arena, int vertices, int lanes)
{
    table t = {.edge = SG_NEW_ARRAY(arena, int, vertices *lanes), .lanes = lanes};
    for (int i = 0; i < vertices * lanes; ++i) {
        t.edge[i] = -1;
    }
    return t;
}

static int *slot(const table *t, int vertex, int lane)
{
    return &t->edge[vertex * t->lanes + lane];
}

static int free_lane(const table *t, int vertex)
{
    for (int lane = 0; lane < t->lanes; ++lane) {
        if (*slot(t, vertex, lane) < 0) {
            return lane;
        }
    }
    return -1;
}

typedef struct colouring {
    sg_routing *r;
    table source;
    table line;
    int *path; /* scratch for flip_path, nedges entries */
} colouring;

static void set_lane(colouring *c, int e, int lane)
{
    sg_edge *edge = &c->r->edges[e];
    edge->lane = lane;
    *slot(&c->source, edge->source, lane) = e;
    *slot(&c->line, edge->line, lane) = e;
}

static bool try_lane(colouring *c, int e, int lane)
{
    const sg_edge *edge = &c->r->edges[e];
    if (*slot(&c->source, edge->source, lane) >= 0 || *slot(&c->line, edge->line, lane) >= 0) {
        return false;
    }
    set_lane(c, e, lane);
    return true;
}

/* Exchanges lanes a and b along the path that starts at `line` with lane a, so that a becomes free
 * there. The path cannot end at the source of the new edge: lane a is free there, and the path
 * enters sources by lane a. */
static void flip_path(colouring *c, int line, int a, int b)
{
    int n = 0;
    bool at_line = true;
    int vertex = line;
    for (;;) {
        const int e = at_line ? *slot(&c->line, vertex, a) : *slot(&c->source, vertex, b);
        if (e < 0) {
            break;
        }
        c->path[n++] = e;
        vertex = at_line ? c->r->edges[e].source : c->r->edges[e].line;
        at_line = !at_line;
    }
    for (int i = 0; i < n; ++i) {
        const sg_edge *edge = &c->r->edges[c->path[i]];
        *slot(&c->source, edge->source, edge->lane) = -1;
        *slot(&c->line, edge->line, edge->lane) = -1;
    }
    for (int i = 0; i < n; ++i) {
        set_lane(c, c->path[i], c->r->edges[c->path[i]].lane == a ? b : a);
    }
}

/* The lane that saves a permute of the edge's source or of its line. */
static int saving(const sg_edge *edge, bool of_line)
{
    return of_line ? edge->place : edge->position;
}

/* Koenig's construction. Tries the lanes that save a permute first: in a split those of sources,
 * which are often fewer than lines; in a concat those of lines. */
static void colour(sg_arena *arena, sg_routing *r)
{
    colouring c = {.r = r,
                   .source = table_new(arena, r->sources, r->lanes),
                   .line = table_new(arena, r->lines, r->lanes),
                   .path = SG_NEW_ARRAY(arena, int, r->nedges)};
    bool *done = SG_NEW_ARRAY(arena, bool, r->nedges);
    for (int e = 0; e < r->nedges; ++e) {
        done[e] =
            r->edges[e].source == SG_NO_SOURCE || try_lane(&c, e, saving(&r->edges[e], r->joins));
    }
    for (int e = 0; e < r->nedges; ++e) {
        if (done[e] || try_lane(&c, e, saving(&r->edges[e], !r->joins))) {
            continue;
        }
        const int a = free_lane(&c.source, r->edges[e].source);
        const int b = free_lane(&c.line, r->edges[e].line);
        if (*slot(&c.line, r->edges[e].line, a) >= 0) {
            flip_path(&c, r->edges[e].line, a, b);
        }
        set_lane(&c, e, a);
    }
}

/* Uniform splits and concats: sources == lines == period, and element i of the full tensor's tile
 * belongs to the vector of part i % period, at i / period. */
static bool is_uniform(const sg_routing *r)
{
    if (r->sources != r->lines || r->nedges != r->sources * r->lanes || r->sources < 2) {
        return false;
    }
    for (int e = 0; e < r->nedges; ++e) {
        const sg_edge *edge = &r->edges[e];
        const int i = r->joins ? edge->line * r->lanes + edge->place
                               : edge->source * r->lanes + edge->position;
        const int part = r->joins ? edge->source : edge->line;
        const int at = r->joins ? edge->position : edge->place;
        if (part != i % r->lines || at != i / r->lines) {
            return false;
        }
    }
    return true;
}

static void rotation_new(sg_arena *arena, sg_routing *r)
{
    r->rotation.period = r->sources;
    r->rotation.line_label = SG_NEW_ARRAY(arena, int, r->sources);
    r->rotation.source_of = SG_NEW_ARRAY(arena, int, r->sources);
    r->rotation.lane_class = SG_NEW_ARRAY(arena, int, r->lanes);
}

/* Odd period: elements of the full tensor stay in their lanes. In a split element i = source *
 * lanes + lane goes to line i % k, so line c takes, in each lane, the source with source * lanes %
 * k == (c - lane) % k. In a concat element i = line * lanes + lane comes from source i % k. */
static void rotate_odd(sg_arena *arena, sg_routing *r)
{
    const int k = r->sources;
    sg_rotation *rotation = &r->rotation;
    rotation_new(arena, r);
    for (int s = 0; s < k; ++s) {
        rotation->line_label[s] = r->joins ? s * r->lanes % k : s;
        rotation->source_of[r->joins ? s : s * r->lanes % k] = s;
    }
    for (int lane = 0; lane < r->lanes; ++lane) {
        rotation->lane_class[lane] = r->joins ? (k - lane % k) % k : lane % k;
    }
    for (int e = 0; e < r->nedges; ++e) {
        r->edges[e].lane = r->joins ? r->edges[e].place : r->edges[e].position;
    }
}

/* Period divides the lanes: source s puts its elements of line c, in order, into lane group (c + s)
 * % k, so line c takes group g from source (g - c) % k. */
static void rotate_divisor(sg_arena *arena, sg_routing *r)
{
    const int k = r->sources;
    const int group = r->lanes / k;
    sg_rotation *rotation = &r->rotation;
    rotation_new(arena, r);
    for (int s = 0; s < k; ++s) {
        rotation->line_label[s] = (k - s) % k;
        rotation->source_of[s] = s;
    }
    for (int lane = 0; lane < r->lanes; ++lane) {
        rotation->lane_class[lane] = (k - lane / group) % k;
    }
    for (int e = 0; e < r->nedges; ++e) {
        sg_edge *edge = &r->edges[e];
        const int at = r->joins ? edge->place : edge->position; /* in a vector of the full tensor */
        edge->lane = (edge->line + edge->source) % k * group + at / k;
    }
}

int64_t sg_routing_begin(const sg_routing *routing, int vector)
{
    const int64_t begin = (int64_t)vector * routing->lanes;
    return begin < routing->last ? begin : routing->last;
}

void sg_lanes_route(sg_arena *arena, sg_routing *r)
{
    if (is_uniform(r) && sg_gcd64(r->sources, r->lanes) == 1) {
        rotate_odd(arena, r);
    } else if (is_uniform(r) && r->lanes % r->sources == 0) {
        rotate_divisor(arena, r);
    } else {
        colour(arena, r);
    }
}
