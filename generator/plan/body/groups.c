/* Networks built line by line from source vectors as they are loaded: sources whose wanted lanes do
 * not collide are blended into a group, and two groups at a time are combined by a permute. */
#include "plan/body/groups.h"

#include <string.h>

#include "plan/body/cost.h"
#include "plan/body/lanes.h"
#include "plan/body/vector_builder.h"
#include "plan/plan.h"

/* The sources of one line, divided into groups whose members use different lanes. Entries from
 * ngroups on are unused. */
typedef struct line_plan {
    int line;
    int ngroups;
    int count[SG_LANES_MAX];                /* sources in a group */
    int source[SG_LANES_MAX][SG_LANES_MAX]; /* by group and member */
    int owner[SG_LANES_MAX][SG_LANES_MAX];  /* by group and lane: the member that owns it, or -1 */
} line_plan;

static const sg_edge *edges_of(const sg_vector_builder *vb, int line)
{
    return &vb->routing.edges[line * vb->routing.lanes];
}

static bool fits(const line_plan *p, int group, const sg_edge *edges, int lanes, int source)
{
    for (int i = 0; i < lanes; ++i) {
        if (edges[i].source == source && p->owner[group][edges[i].position] >= 0) {
            return false;
        }
    }
    return true;
}

/* First fit in the order of sources, with at most `most` sources in a group. */
static void group_sources(const sg_vector_builder *vb, int line, int most, line_plan *p)
{
    const sg_edge *edges = edges_of(vb, line);
    const int lanes = vb->routing.lanes;
    p->line = line;
    p->ngroups = 0;
    for (int s = 0; s < vb->routing.sources; ++s) {
        bool used = false;
        for (int i = 0; i < lanes; ++i) {
            used = used || edges[i].source == s;
        }
        if (!used) {
            continue;
        }
        int g = 0;
        while (g < p->ngroups && (p->count[g] == most || !fits(p, g, edges, lanes, s))) {
            ++g;
        }
        if (g == p->ngroups) {
            ++p->ngroups;
            p->count[g] = 0;
            memset(p->owner[g], -1, sizeof p->owner[g]);
        }
        const int member = p->count[g]++;
        p->source[g][member] = s;
        for (int i = 0; i < lanes; ++i) {
            if (edges[i].source == s) {
                p->owner[g][edges[i].position] = member;
            }
        }
    }
}

static int blend_group(sg_vector_builder *vb, const line_plan *p, int group)
{
    int regs[SG_LANES_MAX];
    for (int m = 0; m < p->count[group]; ++m) {
        regs[m] = sg_vector_load_source(vb, p->source[group][m]);
    }
    return sg_vector_blend_all(vb, regs, p->count[group], p->owner[group]);
}

static bool holds(const line_plan *p, int group, const sg_edge *edge)
{
    const int member = p->owner[group][edge->position];
    return member >= 0 && p->source[group][member] == edge->source;
}

/* Permutes every group to its places and blends the results. */
static int blend_late(sg_vector_builder *vb, const line_plan *p)
{
    const sg_edge *edges = edges_of(vb, p->line);
    int regs[SG_LANES_MAX];
    int owner[SG_LANES_MAX];
    memset(owner, -1, sizeof owner);
    for (int g = 0; g < p->ngroups; ++g) {
        uint8_t index[SG_LANES_MAX];
        bool moves = false;
        memset(index, SG_LANE_DONT_CARE, sizeof index);
        for (int i = 0; i < vb->routing.lanes; ++i) {
            if (holds(p, g, &edges[i])) {
                moves = moves || edges[i].position != i;
                index[i] = (uint8_t)edges[i].position;
                owner[i] = g;
            }
        }
        regs[g] = blend_group(vb, p, g);
        regs[g] = moves ? sg_vector_permute(vb, regs[g], index) : regs[g];
    }
    return sg_vector_blend_all(vb, regs, p->ngroups, owner);
}

/* Combines two groups by one permute, then adds the other groups one by one. */
static int pick_in_turn(sg_vector_builder *vb, const line_plan *p)
{
    const sg_edge *edges = edges_of(vb, p->line);
    const int lanes = vb->routing.lanes;
    uint8_t index[SG_LANES_MAX];
    int reg = -1;
    memset(index, SG_LANE_DONT_CARE, sizeof index);
    for (int g = 0; g < p->ngroups; ++g) {
        const int blended = blend_group(vb, p, g);
        for (int i = 0; i < lanes; ++i) {
            if (holds(p, g, &edges[i])) {
                index[i] = (uint8_t)(edges[i].position + (g > 0 ? lanes : 0));
            }
        }
        if (g == 0) {
            reg = blended;
            continue;
        }
        reg = sg_vector_permute2(vb, reg, blended, index);
        for (int i = 0; i < lanes; ++i) {
            index[i] = index[i] == SG_LANE_DONT_CARE ? SG_LANE_DONT_CARE : (uint8_t)i;
        }
    }
    return reg;
}

/* One way to make a line. */
typedef struct way {
    int most; /* maximum number of sources in a group */
    bool picks;
} way;

/* False if the line cannot be made this way. */
static bool build_line(sg_vector_builder *vb, int line, const way *how, line_plan *p)
{
    group_sources(vb, line, how->most, p);
    if (how->picks && (p->ngroups == 1 || !vb->isa->has_permute2)) {
        return false;
    }
    sg_vector_store(vb, line, how->picks ? pick_in_turn(vb, p) : blend_late(vb, p));
    return true;
}

void sg_groups_build(sg_vector_builder *vb)
{
    static const way ways[] = {{SG_LANES_MAX, false},
                               {SG_LANES_MAX, true},
                               {4, false},
                               {4, true},
                               {3, false},
                               {3, true},
                               {2, false},
                               {2, true},
                               {1, false},
                               {1, true}};
    const int nways = (int)(sizeof ways / sizeof ways[0]);
    line_plan *p = SG_NEW(vb->arena, line_plan);
    for (int line = 0; line < vb->routing.lines; ++line) {
        const sg_code_builder_mark before = sg_code_builder_here(&vb->builder);
        const way *best = NULL;
        double best_cost = 0;
        for (int i = 0; i < nways; ++i) {
            if (!build_line(vb, line, &ways[i], p)) {
                continue;
            }
            const double cost = sg_cost_pressure(vb->plan, vb->v, vb->builder.code);
            if (best == NULL || cost < best_cost) {
                best = &ways[i];
                best_cost = cost;
            }
            sg_code_builder_back_to(&vb->builder, &before);
        }
        build_line(vb, line, best, p);
    }
}
