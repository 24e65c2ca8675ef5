/* The relations between tensors: which one can be stored inside which other one. */
#include <string.h>

#include "base/checked.h"
#include "placement/planner.h"

static bool is_named(const char *name, const char *domain, const char *op_type)
{
    const char *dot = strrchr(name, '.');
    const size_t length = dot != NULL ? (size_t)(dot - name) : 0;
    return strcmp(name, op_type) == 0 ||
           (dot != NULL && strcmp(dot + 1, op_type) == 0 && strlen(domain) == length &&
            memcmp(name, domain, length) == 0);
}

bool sg_place_named(const char *name, const sg_graph_node *node)
{
    return is_named(name, sg_graph_is_onnx(node) ? "ai.onnx" : node->domain, node->op_type);
}

bool sg_place_listed(const sg_place_list *list, const sg_place_node *node)
{
    bool is = false;
    for (int64_t i = 0; !is && i < list->count; i++) {
        is = node->from != NULL ? sg_place_named(list->names[i], node->from)
                                : strcmp(list->names[i], node->op_type) == 0;
    }
    return is;
}

bool sg_place_shares(const sg_place_tensor *t)
{
    return t->known && t->element > 0 && t->bytes > 0 && t->kind != SG_PLACE_CONSTANT;
}

bool sg_place_is_past(const sg_place_tensor *t)
{
    return t->capacity > 0 && t->kind == SG_PLACE_INPUT;
}

/* --- shapes ---------------------------------------------------------------------------------- */

/* Whether two sizes are the same for all numbers. With open dimensions, inference may not know that
 * they are equal. */
static bool same_size(const sg_place_tensor *a, int64_t d, const sg_place_tensor *b, int64_t e)
{
    return a->open[d] && b->open[e] ? sg_sum_same(&a->sizes[d], &b->sizes[e])
                                    : a->dims[d] == b->dims[e] && a->open[d] == b->open[e];
}

/* Whether a tensor has the shape and elements of another one. */
static bool same_shape(const sg_place_tensor *a, const sg_place_tensor *b)
{
    bool same = a->rank == b->rank && a->element == b->element;
    for (int64_t d = 0; same && d < a->rank; d++) {
        same = same_size(a, d, b, d);
    }
    return same;
}

bool sg_place_reads(const sg_place_node *node, int64_t tensor)
{
    bool reads = false;
    for (int64_t i = 0; i < node->nreads; i++) {
        reads = reads || node->reads[i] == tensor;
    }
    return reads;
}

bool sg_place_takes_over(const sg_planner *p, int64_t n, int64_t output, int64_t input)
{
    const sg_place_node *node = &p->graph->nodes[n];
    const sg_place_tensor *from = &p->graph->tensors[input];
    return from->kind == SG_PLACE_INNER && from->last == n && node->move == SG_PLACE_OPAQUE &&
           !node->encloses && node->nwrites == 1 && same_shape(&p->graph->tensors[output], from) &&
           sg_place_listed(&p->options->in_place, node) && sg_place_reads(node, input);
}

/* Whether a part of a kernel has the shape of its range of the whole. */
static bool has_shape(const sg_place_relation *r, const sg_place_tensor *child,
                      const sg_place_tensor *parent)
{
    const int64_t axis = r->node->axis;
    const bool without = r->part->without_axis;
    bool same = child->rank + (without ? 1 : 0) == parent->rank;
    for (int64_t d = 0; same && d < child->rank; d++) {
        const int64_t p = d + (without && d >= axis ? 1 : 0);
        same = p == axis ? child->dims[d] == r->part->length && !child->open[d]
                         : same_size(child, d, parent, p);
    }
    return same;
}

static const sg_sum_follower *follower_of(const sg_placement *graph, const sg_sum *size)
{
    const char *name = sg_sum_only_name(size);
    for (int64_t i = 0; name != NULL && i < graph->nopen; i++) {
        if (strcmp(graph->open[i].name, name) == 0) {
            return graph->open[i].follows;
        }
    }
    return NULL;
}

/* Whether the range from this index on has this length, or ends on the axis in another way. */
static bool is_on_axis(const sg_planner *p, const sg_cut_axis *range, const sg_sum *length,
                       const sg_sum *axis)
{
    const sg_sum_follower *follows = follower_of(p->graph, length);
    if (follows == NULL || follows->by != 1) {
        return sg_sum_same(&range->length, length);
    }
    const sg_sum from = sg_sum_expanded(p->arena, follows->from);
    const sg_sum most = sg_sum_number(p->arena, follows->most);
    sg_sum rest = sg_sum_add(p->arena, axis, &range->start, -1);
    rest = sg_sum_add(p->arena, &rest, &most, -1);
    return sg_sum_same(&from, axis) &&
           ((sg_sum_is_number(&range->start) && sg_sum_constant(&range->start) <= -follows->more) ||
            !sg_sum_factored(p->arena, &rest).over);
}

static bool has_box(const sg_planner *p, const sg_place_relation *r, const sg_place_tensor *child,
                    const sg_place_tensor *parent)
{
    const sg_cut_axis *box = r->part->box;
    int64_t c = 0;
    for (int64_t d = 0; box != NULL && d < parent->rank; d++) {
        int64_t end = sg_place_number(p->graph, &box[d].start, SG_PLACE_EXPECTED);
        if (box[d].without) {
            continue;
        }
        const sg_sum number = sg_sum_number(p->arena, parent->dims[d]);
        const sg_sum length = sg_sum_number(p->arena, c < child->rank ? child->dims[c] : -1);
        SG_TRY(c < child->rank && sg_add64(end, child->dims[c], &end) && end <= parent->dims[d] &&
               is_on_axis(p, &box[d], child->sizes != NULL ? &child->sizes[c] : &length,
                          parent->sizes != NULL ? &parent->sizes[d] : &number));
        c++;
    }
    return box != NULL && c == child->rank;
}

static bool is_possible(const sg_planner *p, const sg_place_relation *r)
{
    const sg_placement *graph = p->graph;
    const sg_place_tensor *child = &graph->tensors[r->child];
    const sg_place_tensor *parent = &graph->tensors[r->parent];
    const bool joins = r->node->move == SG_PLACE_CONCAT;
    return sg_place_shares(child) && sg_place_shares(parent) && child->element == parent->element &&
           r->child != r->parent && !(joins && child->kind == SG_PLACE_INPUT) &&
           child->copy_of < 0 && !sg_place_is_past(child) && !sg_place_is_past(parent) &&
           (r->node->move == SG_PLACE_ALIAS ||
            (r->node->facts != NULL ? has_box(p, r, child, parent) : has_shape(r, child, parent)));
}

/* --- all relations --------------------------------------------------------------------------- */

/* Adds a relation for each input that a node can overwrite. The search for what is copied does not
 * ask about them. */
static void add_in_place(sg_planner *p)
{
    const sg_placement *graph = p->graph;
    for (int64_t n = 0; n < graph->nnodes; n++) {
        const sg_place_node *node = &graph->nodes[n];
        for (int64_t i = 0; node->nwrites == 1 && i < node->nreads; i++) {
            const int64_t child = node->writes[0];
            const int64_t parent = node->reads[i];
            if (sg_place_shares(&graph->tensors[child]) &&
                sg_place_shares(&graph->tensors[parent]) &&
                sg_place_takes_over(p, n, child, parent)) {
                p->relations[p->nrelations++] =
                    (sg_place_relation){.child = child, .parent = parent, .node = node};
            }
        }
    }
}

static void add_relations(sg_planner *p)
{
    sg_placement *graph = p->graph;
    int64_t most = 0;
    for (int64_t n = 0; n < graph->nnodes; n++) {
        p->first_relation[n] = p->nparts;
        p->nparts += graph->nodes[n].nparts;
        most += graph->nodes[n].nparts + graph->nodes[n].nreads;
    }
    p->relations = SG_NEW_ARRAY(p->arena, sg_place_relation, most);
    p->uses = SG_NEW_ARRAY(p->arena, int64_t, 2 * most);
    for (int64_t n = 0; n < graph->nnodes; n++) {
        const sg_place_node *node = &graph->nodes[n];
        for (int64_t i = 0; i < node->nparts; i++) {
            sg_place_relation *r = &p->relations[p->nrelations++];
            *r = (sg_place_relation){.child = node->parts[i].tensor,
                                     .parent = node->whole,
                                     .node = node,
                                     .part = &node->parts[i]};
            r->bytes = graph->tensors[r->child].bytes;
            r->possible = is_possible(p, r);
            if (node->move != SG_PLACE_CONCAT) {
                p->maker[r->child] = p->nrelations - 1;
            }
        }
        for (int64_t i = 0; i < node->nwrites; i++) {
            p->maker_node[node->writes[i]] = n;
        }
    }
    add_in_place(p);
    for (int64_t i = 0; i < p->nrelations; i++) {
        p->at[p->relations[i].child + 1]++;
        p->at[p->relations[i].parent + 1]++;
    }
    for (int64_t t = 0; t < graph->ntensors; t++) {
        p->at[t + 1] += p->at[t];
    }
    int64_t *next = SG_NEW_ARRAY(p->arena, int64_t, graph->ntensors + 1);
    memcpy(next, p->at, (size_t)graph->ntensors * sizeof *next);
    for (int64_t i = 0; i < p->nrelations; i++) {
        p->uses[next[p->relations[i].child]++] = i;
        if (p->relations[i].child != p->relations[i].parent) {
            p->uses[next[p->relations[i].parent]++] = i;
        }
    }
}

static void check_strides(sg_planner *p)
{
    const sg_placement *graph = p->graph;
    for (int64_t t = 0; t < graph->ntensors; t++) {
        p->can_stride[t] =
            graph->tensors[t].kind == SG_PLACE_INNER || graph->tensors[t].capacity > 0;
    }
    for (int64_t n = 0; n < graph->nnodes; n++) {
        const sg_place_node *node = &graph->nodes[n];
        const bool moves = node->move != SG_PLACE_OPAQUE;
        for (int64_t i = 0; moves && node->facts != NULL && i < node->nreads; i++) {
            p->can_stride[node->reads[i]] =
                p->can_stride[node->reads[i]] && node->reads[i] == node->whole;
        }
        if (moves) {
            continue;
        }
        const bool writes = sg_place_listed(&p->options->strided, node);
        const bool reads = sg_place_listed(&p->options->strided_read, node);
        for (int64_t i = 0; !writes && i < node->nwrites; i++) {
            p->can_stride[node->writes[i]] = false;
        }
        for (int64_t i = 0; !reads && i < node->nreads; i++) {
            p->can_stride[node->reads[i]] = false;
        }
    }
}

void sg_place_relate(sg_planner *p)
{
    add_relations(p);
    check_strides(p);
}
