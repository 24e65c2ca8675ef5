/* Networks of three stages: permute each source, blend, permute each line. The lanes come from
 * lanes.c; verify_vector.c verifies every network before it is used. */
#include "plan/body/network.h"

#include <string.h>

#include "plan/body/cost.h"
#include "plan/body/groups.h"
#include "plan/body/lanes.h"
#include "plan/body/transpose.h"
#include "plan/body/vector_builder.h"
#include "plan/plan.h"

/* Loads every source vector that is used, and permutes its elements to their lanes. */
static void load_sources(sg_vector_builder *vb, int *regs)
{
    const sg_routing *r = &vb->routing;
    for (int s = 0; s < r->sources; ++s) {
        uint8_t index[SG_LANES_MAX];
        bool used = false;
        bool moves = false;
        memset(index, SG_LANE_DONT_CARE, sizeof index);
        for (int e = 0; e < r->nedges; ++e) {
            if (r->edges[e].source == s) {
                used = true;
                moves = moves || r->edges[e].lane != r->edges[e].position;
                index[r->edges[e].lane] = (uint8_t)r->edges[e].position;
            }
        }
        regs[s] = -1;
        if (used) {
            regs[s] = sg_vector_load_source(vb, s);
            regs[s] = moves ? sg_vector_permute(vb, regs[s], index) : regs[s];
        }
    }
}

static void store_line(sg_vector_builder *vb, int line, int reg)
{
    const sg_routing *r = &vb->routing;
    uint8_t index[SG_LANES_MAX];
    bool moves = false;
    for (int e = 0; e < r->nedges; ++e) {
        if (r->edges[e].line == line && r->edges[e].source != SG_NO_SOURCE) {
            moves = moves || r->edges[e].lane != r->edges[e].place;
            index[r->edges[e].place] = (uint8_t)r->edges[e].lane;
        }
    }
    sg_vector_store(vb, line, moves ? sg_vector_permute(vb, reg, index) : reg);
}

/* Blends one line from the sources it uses. */
static int blend_line(sg_vector_builder *vb, const int *sources, int line)
{
    const sg_routing *r = &vb->routing;
    int *regs = SG_NEW_ARRAY(vb->arena, int, r->sources);
    int owner[SG_LANES_MAX];
    int count = 0;
    memset(owner, -1, sizeof owner);
    for (int s = 0; s < r->sources; ++s) {
        bool used = false;
        for (int e = 0; e < r->nedges; ++e) {
            if (r->edges[e].line == line && r->edges[e].source == s) {
                owner[r->edges[e].lane] = count;
                used = true;
            }
        }
        regs[count] = sources[s];
        count += used;
    }
    return sg_vector_blend_all(vb, regs, count, owner);
}

/* Blends all lines together: in round t, lanes whose class has bit t take the value of label - 2^t.
 * After the last round, label c has in every lane the source of label c - class. */
static void rotate(sg_vector_builder *vb, const int *sources, int *lines)
{
    const sg_routing *r = &vb->routing;
    const sg_rotation *rotation = &r->rotation;
    const int k = rotation->period;
    int *now = SG_NEW_ARRAY(vb->arena, int, k);
    int *next = SG_NEW_ARRAY(vb->arena, int, k);
    for (int c = 0; c < k; ++c) {
        now[c] = sources[rotation->source_of[c]];
    }
    for (int step = 1; step < k; step *= 2) {
        uint8_t mask[SG_LANES_MAX] = {0};
        for (int lane = 0; lane < r->lanes; ++lane) {
            mask[lane] = (rotation->lane_class[lane] & step) != 0;
        }
        for (int c = 0; c < k; ++c) {
            next[c] = sg_vector_blend(vb, now[c], now[(c - step + k) % k], mask);
        }
        int *swap = now;
        now = next;
        next = swap;
    }
    for (int line = 0; line < r->lines; ++line) {
        lines[line] = now[rotation->line_label[line]];
    }
}

void sg_network_build(sg_vector_builder *vb)
{
    sg_lanes_route(vb->arena, &vb->routing);
    const sg_routing *r = &vb->routing;
    int *sources = SG_NEW_ARRAY(vb->arena, int, r->sources);
    int *lines = SG_NEW_ARRAY(vb->arena, int, r->lines);
    load_sources(vb, sources);
    if (r->rotation.period > 0) {
        rotate(vb, sources, lines);
    }
    for (int line = 0; line < r->lines; ++line) {
        store_line(vb, line, r->rotation.period > 0 ? lines[line] : blend_line(vb, sources, line));
    }
}

void sg_network_column_group(sg_vector_builder *vb)
{
    const sg_code_builder_mark before = sg_code_builder_here(&vb->builder);
    const bool transposes = sg_transpose_build(vb);
    const double transposed = sg_cost_pressure(vb->plan, vb->v, vb->builder.code);
    sg_code_builder_back_to(&vb->builder, &before);
    sg_network_build(vb);
    const double cost = sg_cost_pressure(vb->plan, vb->v, vb->builder.code);
    sg_code_builder_back_to(&vb->builder, &before);
    sg_groups_build(vb);
    const double by_groups = sg_cost_pressure(vb->plan, vb->v, vb->builder.code);
    if (transposes && transposed < cost && transposed < by_groups) {
        sg_code_builder_back_to(&vb->builder, &before);
        (void)sg_transpose_build(vb);
    } else if (cost <= by_groups) {
        sg_code_builder_back_to(&vb->builder, &before);
        sg_network_build(vb);
    }
}
