/* Collects what placement needs from a model: the facts that inference finds about each tensor, and
 * the nodes in order. Nodes that became kernels copy what their sg_split says, so that both
 * agree. */
#include <string.h>

#include "placement/collect.h"
#include "shapes/operators.h"

struct sg_place_watch {
    sg_arena *arena;
    sg_infer_watcher watcher;
    const char *model;
    sg_place_seen *current;
    sg_place_seen **graphs; /* in the order in which they began */
    int64_t count, capacity;
};

/* --- the watcher ------------------------------------------------------------------------------ */

/* The name of a graph within the node that has it: "If/then". */
static const char *step_of(sg_arena *arena, const sg_graph_node *node, const sg_graph *graph)
{
    const char *name = node->name[0] != '\0' ? node->name : node->op_type;
    const sg_graph_attribute *then = sg_graph_attribute_of(node, "then_branch");
    const sg_graph_attribute *other = sg_graph_attribute_of(node, "else_branch");
    const bool is_then = then != NULL && then->graphs != NULL && then->graphs[0] == graph;
    const bool is_other = other != NULL && other->graphs != NULL && other->graphs[0] == graph;
    return is_then || is_other ? sg_arena_printf(arena, "%s/%s", name, is_then ? "then" : "else")
                               : name;
}

static void began(void *context, sg_infer *infer, sg_infer_scope *scope)
{
    sg_place_watch *watch = context;
    sg_place_seen *g = SG_NEW(watch->arena, sg_place_seen);
    *g = (sg_place_seen){.outer = watch->current,
                         .infer = infer,
                         .model = watch->model,
                         .graph = scope->graph,
                         .function = sg_infer_scope_function(scope),
                         .npath = scope->path != NULL ? scope->path->depth : 0};
    g->path = SG_NEW_ARRAY(watch->arena, const char *, g->npath);
    for (int64_t i = 0; i < g->npath; i++) { /* the graph around it has all steps but the last */
        g->path[i] = i + 1 < g->npath ? g->outer->path[i]
                                      : step_of(watch->arena, scope->path->node, scope->graph);
    }
    watch->graphs = SG_GROWN(watch->arena, watch->graphs, watch->count, watch->capacity);
    watch->graphs[watch->count++] = g;
    if (watch->current != NULL && scope->path != NULL) {
        watch->current->inner = scope->path->node;
    }
    watch->current = g;
}

/* Keeps the first tensor of the graph that nothing gives. That is the only fault which has no
 * inputs. */
static bool is_missing(sg_place_seen *g, const sg_fact *fact, sg_span at)
{
    if (g->missing != NULL || fact == NULL || fact->fault == NULL || fact->fault->inputs != NULL) {
        return false;
    }
    g->missing = fact->fault;
    g->missing_at = at;
    return true;
}

static void ran(void *context, sg_infer_scope *scope, const sg_graph_node *node,
                const sg_fact *const *inputs, sg_fact *const *outputs, sg_fact_fault *own)
{
    (void)scope;
    (void)own;
    sg_place_watch *watch = context;
    sg_place_seen *g = watch->current;
    g->nodes = SG_GROWN(watch->arena, g->nodes, g->count, g->capacity);
    sg_place_seen_node *seen = &g->nodes[g->count++];
    *seen = (sg_place_seen_node){
        node, SG_NEW_ARRAY(watch->arena, const sg_fact *, node->ninputs + node->noutputs),
        g->inner == node};
    for (int64_t i = 0; i < node->ninputs; i++) {
        seen->facts[i] = inputs[i];
        if (is_missing(g, inputs[i], node->span)) {
            g->missing_for = sg_arena_printf(watch->arena, "%s '%s' cannot run", node->op_type,
                                             sg_graph_node_name(node));
        }
    }
    for (int64_t i = 0; i < node->noutputs; i++) {
        seen->facts[node->ninputs + i] = outputs[i];
    }
}

static void finished(void *context, sg_infer_scope *scope)
{
    sg_place_watch *watch = context;
    sg_place_seen *g = watch->current;
    sg_collector *c = SG_NEW(watch->arena, sg_collector);
    *c = (sg_collector){
        .arena = watch->arena, .seen = g, .graph = SG_NEW(watch->arena, sg_placement)};
    sg_nameset_init(&c->names, c->arena);
    sg_nameset_init(&c->own, c->arena);
    sg_nameset_init(&c->open, c->arena);
    sg_nameset_init(&c->movers, c->arena);
    sg_collect_names(c);
    sg_collect_tensors(c);
    for (int64_t i = 0; g->function == NULL && i < g->graph->noutputs; i++) {
        const sg_graph_info *output = &g->graph->outputs[i];
        if (is_missing(g, sg_infer_find(g->infer, scope, output->name), output->span)) {
            g->missing_for =
                sg_arena_printf(watch->arena, "the graph has no output '%s'", output->name);
        }
    }
    g->collector = c;
    g->key = scope->watched;
    g->infer = NULL;
    watch->current = g->outer;
}

sg_place_watch *sg_place_watch_new(sg_arena *arena)
{
    sg_place_watch *watch = SG_NEW(arena, sg_place_watch);
    watch->arena = arena;
    watch->watcher =
        (sg_infer_watcher){.context = watch, .began = began, .ran = ran, .finished = finished};
    return watch;
}

const sg_infer_watcher *sg_place_watcher(sg_place_watch *watch, const char *model)
{
    watch->model = model;
    watch->current = NULL;
    return &watch->watcher;
}

typedef struct list {
    int64_t *items;
    int64_t count, capacity;
} list;

static void add(sg_arena *arena, list *to, int64_t item)
{
    to->items = SG_GROWN(arena, to->items, to->count, to->capacity);
    to->items[to->count++] = item;
}

/* --- nodes ------------------------------------------------------------------------------------ */

typedef struct reader {
    sg_collector *collector;
    list *reads;
} reader;

/* Adds a tensor of this graph that a subgraph of a node reads. */
static void add_inner_read(void *context, const char *name)
{
    const reader *r = context;
    const sg_nameset_entry *entry = sg_nameset_find(&r->collector->names, name);
    if (entry != NULL) {
        add(r->collector->arena, r->reads, entry->value);
    }
}

/* Whether a Transpose keeps the order of all dimensions longer than 1. */
static bool moves_nothing(const sg_graph_node *node, const sg_place_tensor *input)
{
    const sg_graph_attribute *perm = sg_graph_attribute_of(node, "perm");
    int64_t last = -1;
    for (int64_t i = 0; i < input->rank; i++) {
        const int64_t d =
            perm != NULL && perm->kind == SG_GRAPH_ATTRIBUTE_INTS && perm->count == input->rank
                ? perm->ints[i]
                : input->rank - 1 - i;
        if (d < 0 || d >= input->rank) {
            return false;
        }
        if (input->dims[d] != 1 || input->open[d]) {
            if (d < last) {
                return false;
            }
            last = d;
        }
    }
    return true;
}

/* Whether a Dropout returns its input unchanged and its mask is unused. */
static bool hands_on(const sg_graph_node *node, const sg_fact *const *facts)
{
    const bool mask = node->noutputs > 1 && node->outputs[1][0] != '\0';
    return strcmp(node->op_type, "Dropout") == 0 && !mask && !sg_operator_drops(node, facts);
}

static bool is_alias(const sg_collector *c, const sg_place_seen_node *seen, int64_t from,
                     int64_t to)
{
    const sg_graph_node *node = seen->node;
    const sg_place_tensor *input = &c->graph->tensors[from];
    const sg_place_tensor *output = &c->graph->tensors[to];
    const bool onnx = sg_graph_is_onnx(node);
    return input->known && output->known && input->bytes == output->bytes &&
           input->element == output->element &&
           (sg_operator_keeps(node) || (onnx && hands_on(node, seen->facts)) ||
            (onnx && strcmp(node->op_type, "Transpose") == 0 && moves_nothing(node, input)));
}

/* Whether a node that is no kernel takes a part of its first input. Those that always do are copies
 * if it is unknown which part. */
static bool takes_part(sg_collector *c, const sg_place_seen_node *seen, int64_t from,
                       sg_place_part *part)
{
    const sg_place_tensor *input = &c->graph->tensors[from];
    const sg_place_tensor *output = &c->graph->tensors[part->tensor];
    if (!input->known || !output->known || input->element != output->element ||
        !sg_cut_takes(seen->node)) {
        return false;
    }
    part->box = sg_cut_box(c->arena, seen->node, seen->facts);
    for (int64_t d = 0; part->box != NULL && input->sizes != NULL && d < input->rank; d++) {
        if (part->box[d].without || !sg_sum_same(&part->box[d].length, &input->sizes[d])) {
            sg_collect_least(c, &input->sizes[d],
                             1); /* its length is that of an axis with elements */
        }
    }
    return part->box != NULL || sg_cut_always(seen->node);
}

static sg_place_node *new_node(sg_collector *c, const sg_graph_node *from)
{
    sg_placement *graph = c->graph;
    graph->nodes = SG_GROWN(c->arena, graph->nodes, graph->nnodes, c->node_capacity);
    sg_place_node *node = &graph->nodes[graph->nnodes++];
    *node = (sg_place_node){
        .name = sg_graph_node_name(from), .op_type = from->op_type, .from = from, .past = -1};
    return node;
}

static void set_lists(sg_place_node *node, const list *reads, const list *writes)
{
    node->reads = reads->items;
    node->nreads = reads->count;
    node->writes = writes->items;
    node->nwrites = writes->count;
}

/* Makes the whole of a Concat and what lies in front of the parts one cache. */
static void set_cache(sg_collector *c, sg_place_node *node, const sg_split *split)
{
    const sg_op_origin *origin = split->op->origin;
    sg_placement *graph = c->graph;
    node->past = sg_collect_tensor(c, origin->past, NULL);
    const int64_t pair[] = {node->past, node->whole};
    for (int i = 0; i < 2; i++) {
        graph->tensors[pair[i]].capacity = origin->capacity;
        graph->tensors[pair[i]].axis = node->axis;
    }
    const sg_place_tensor *past = &graph->tensors[node->past];
    const char *length =
        past->known && past->open[node->axis] ? sg_sum_only_name(&past->sizes[node->axis]) : NULL;
    const sg_nameset_entry *open = length != NULL ? sg_nameset_find(&c->open, length) : NULL;
    if (open != NULL) {
        sg_place_open *o = &graph->open[open->value];
        const int64_t most = origin->capacity - split->dims[node->axis];
        o->most = o->most == 0 || most < o->most ? most : o->most;
    }
}

/* Adds the node that runs the kernel of a split. */
static void add_mover(sg_collector *c, const sg_graph_node *from, sg_split *split)
{
    sg_place_node *node = new_node(c, from);
    const sg_op_origin *origin = split->op->origin;
    list reads = {0};
    list writes = {0};
    node->move = split->joins ? SG_PLACE_CONCAT : SG_PLACE_SPLIT;
    node->name = origin->node[0] != '\0' ? origin->node : node->name;
    node->op_type = origin->op_type;
    node->split = split;
    node->axis = split->axis;
    node->whole = sg_collect_tensor(c, origin->input, NULL);
    node->parts = SG_NEW_ARRAY(c->arena, sg_place_part, split->nparts);
    add(c->arena, split->joins ? &writes : &reads, node->whole);
    if (origin->past != NULL) {
        set_cache(c, node, split);
        add(c->arena, &reads, node->past);
    }
    for (int64_t i = 0; i < split->nparts; i++) {
        const sg_part *part = &split->parts[i];
        if (!part->wanted || part->tensor == NULL || part->tensor[0] == '\0') {
            continue;
        }
        sg_place_part *to = &node->parts[node->nparts++];
        *to = (sg_place_part){.tensor = sg_collect_tensor(c, part->tensor, NULL),
                              .start = part->start,
                              .length = part->length,
                              .without_axis = part->without_axis,
                              .index = i};
        add(c->arena, split->joins ? &reads : &writes, to->tensor);
    }
    set_lists(node, &reads, &writes);
}

static void add_node(sg_collector *c, const sg_place_seen_node *seen)
{
    const sg_graph_node *from = seen->node;
    list reads = {0};
    list writes = {0};
    bool constant = from->noutputs > 0;
    for (int64_t o = 0; o < from->noutputs; o++) {
        const sg_nameset_entry *mover = sg_nameset_find(&c->movers, from->outputs[o]);
        if (from->outputs[o][0] == '\0') {
            continue;
        }
        const int64_t t = sg_collect_tensor(c, from->outputs[o], seen->facts[from->ninputs + o]);
        constant = constant && c->graph->tensors[t].kind == SG_PLACE_CONSTANT;
        add(c->arena, &writes, t);
        if (mover != NULL && !constant) {
            if (!c->placed[mover->value]) {
                c->placed[mover->value] = true;
                add_mover(c, from, c->splits[mover->value]);
            }
            return;
        }
    }
    if (constant) {
        return;
    }
    for (int64_t i = 0; i < from->ninputs; i++) {
        if (from->inputs[i][0] != '\0') {
            add(c->arena, &reads, sg_collect_tensor(c, from->inputs[i], seen->facts[i]));
        }
    }
    sg_graph_inner_reads(c->arena, from, add_inner_read, &(reader){c, &reads});
    sg_place_node *node = new_node(c, from);
    node->encloses = seen->encloses;
    if (reads.count > 0 && writes.count == 1 && from->inputs[0][0] != '\0') {
        const bool alias = is_alias(c, seen, reads.items[0], writes.items[0]);
        sg_place_part *part = SG_NEW(c->arena, sg_place_part);
        part->tensor = writes.items[0];
        if (alias || takes_part(c, seen, reads.items[0], part)) {
            node->move = alias ? SG_PLACE_ALIAS : SG_PLACE_SPLIT;
            node->facts = seen->facts;
            node->whole = reads.items[0];
            node->nparts = 1;
            node->parts = part;
        }
    }
    set_lists(node, &reads, &writes);
}

/* --- the plan --------------------------------------------------------------------------------- */

static void collect(sg_collector *c, int64_t nsplits)
{
    c->placed = SG_NEW_ARRAY(c->arena, bool, nsplits);
    for (int64_t i = 0; i < nsplits; i++) {
        const sg_split *split = c->splits[i];
        const sg_op_origin *origin = split->op->origin;
        if (origin == NULL || origin->graph == NULL || origin->graph != c->seen->key) {
            continue;
        }
        for (int64_t p = 0; p < (split->joins ? 1 : split->nparts); p++) {
            const char *name = split->joins ? origin->input : split->parts[p].tensor;
            if (name != NULL && name[0] != '\0' && (split->joins || split->parts[p].wanted) &&
                sg_nameset_find(&c->movers, name) == NULL) {
                sg_nameset_add(&c->movers, name, i);
            }
        }
    }
    sg_nameset operators;
    sg_nameset_init(&operators, c->arena);
    c->graph->operators = SG_NEW_ARRAY(c->arena, const sg_graph_node *, c->seen->count);
    for (int64_t n = 0; n < c->seen->count; n++) {
        const sg_graph_node *node = c->seen->nodes[n].node;
        const char *name = sg_arena_printf(c->arena, "%s.%s", node->domain, node->op_type);
        if (sg_nameset_find(&operators, name) == NULL) {
            sg_nameset_add(&operators, name, n);
            c->graph->operators[c->graph->noperators++] = node;
        }
        add_node(c, &c->seen->nodes[n]);
    }
    sg_place_set_lives(c->graph);
}

sg_placement *sg_place_collect(sg_place_watch *watch, sg_diag *diag, sg_split *const *splits,
                               int64_t count, sg_arena **arena, int64_t *ngraphs)
{
    *arena = watch->arena;
    sg_placement *graphs = SG_NEW_ARRAY(watch->arena, sg_placement, watch->count + 1);
    *ngraphs = watch->count;
    for (int64_t i = 0; i < watch->count; i++) {
        const sg_place_seen *seen = watch->graphs[i];
        sg_placement *graph = &graphs[i];
        sg_collector *c = seen->collector;
        if (seen->missing != NULL) {
            sg_diag_error(diag, seen->missing_at, "%s: %s", seen->missing_for,
                          seen->missing->reason);
            return NULL;
        }
        *graph = *c->graph;
        graph->model = seen->model;
        graph->span = seen->graph->span;
        graph->path = seen->path;
        graph->npath = seen->npath;
        c->graph = graph;
        c->splits = splits;
        collect(c, count);
    }
    return graphs;
}
