/* Collects what placement needs from a model: the facts that inference finds about each tensor, and
 * the nodes in order. Nodes that became kernels copy what their sg_split says, so that both
 * agree. */
#include <inttypes.h>
#include <string.h>

#include "base/checked.h"
#include "placement/placement.h"
#include "shapes/operators.h"
#include "split/nameset.h"
#include "split/views.h"

typedef struct seen_node {
    const sg_graph_node *node;
    const sg_fact **facts; /* of its inputs, followed by its outputs */
    bool encloses;         /* it ran other graphs */
} seen_node;

typedef struct collector collector;

/* A graph that inference has run. */
typedef struct seen_graph {
    struct seen_graph *outer; /* the graph that was running when this one began */
    const void *key;          /* sg_op_origin.graph of its ops; NULL: it has no ops */
    sg_infer *infer;          /* while it runs */
    sg_fact_fault *missing;   /* a tensor that it reads or returns, but nothing gives; NULL */
    sg_span missing_at;
    const char *missing_for; /* who reads or returns it */
    collector *collector;    /* after it has finished */
    const char *model;
    const char **path;
    int64_t npath;
    const sg_graph *graph;
    const sg_graph_function *function; /* the function whose body it is, or NULL */
    seen_node *nodes;
    int64_t count, capacity;
    const sg_graph_node *inner; /* the last node that ran another graph */
} seen_graph;

struct sg_place_watch {
    sg_arena *arena;
    sg_infer_watcher watcher;
    const char *model;
    seen_graph *current;
    seen_graph **graphs; /* in the order in which they began */
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
    seen_graph *g = SG_NEW(watch->arena, seen_graph);
    *g = (seen_graph){.outer = watch->current,
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
static bool is_missing(seen_graph *g, const sg_fact *fact, sg_span at)
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
    seen_graph *g = watch->current;
    g->nodes = SG_GROWN(watch->arena, g->nodes, g->count, g->capacity);
    seen_node *seen = &g->nodes[g->count++];
    *seen = (seen_node){node,
                        SG_NEW_ARRAY(watch->arena, const sg_fact *, node->ninputs + node->noutputs),
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

/* --- tensors ---------------------------------------------------------------------------------- */

typedef struct list {
    int64_t *items;
    int64_t count, capacity;
} list;

struct collector {
    sg_arena *arena;
    const seen_graph *seen;
    sg_placement *graph;
    sg_nameset names;  /* tensor -> index in graph->tensors */
    sg_nameset own;    /* name that the graph itself defines -> sg_place_kind */
    sg_nameset open;   /* open dimension -> index in graph->open */
    sg_nameset movers; /* tensor that a kernel writes -> index in splits */
    sg_split *const *splits;
    bool *placed; /* for each split: its node has been added */
    int64_t tensor_capacity, node_capacity, open_capacity;
};

static void add(sg_arena *arena, list *to, int64_t item)
{
    to->items = SG_GROWN(arena, to->items, to->count, to->capacity);
    to->items[to->count++] = item;
}

static void set_own(collector *c, const char *name, sg_place_kind kind)
{
    sg_nameset_entry *entry = sg_nameset_find(&c->own, name);
    if (entry != NULL) {
        entry->value = (int64_t)kind;
    } else if (name[0] != '\0') {
        sg_nameset_add(&c->own, name, (int64_t)kind);
    }
}

/* Later calls of set_own() override earlier ones. A name is an output only if a node of the graph
 * writes it. */
static void index_names(collector *c)
{
    const sg_graph *graph = c->seen->graph;
    const sg_graph_function *function = c->seen->function;
    const int64_t noutputs = function != NULL ? function->noutputs : graph->noutputs;
    for (int64_t i = 0; i < graph->nnodes; i++) {
        for (int64_t o = 0; o < graph->nodes[i].noutputs; o++) {
            set_own(c, graph->nodes[i].outputs[o], SG_PLACE_INNER);
        }
    }
    for (int64_t i = 0; i < noutputs; i++) {
        const char *name = function != NULL ? function->outputs[i] : graph->outputs[i].name;
        if (sg_nameset_find(&c->own, name) != NULL) {
            set_own(c, name, SG_PLACE_OUTPUT);
        }
    }
    for (int64_t i = 0; i < graph->ninitializers; i++) {
        set_own(c, graph->initializers[i].name, SG_PLACE_CONSTANT);
    }
    for (int64_t i = 0; i < graph->ninputs; i++) {
        set_own(c, graph->inputs[i].name, SG_PLACE_INPUT);
    }
}

static sg_place_kind kind_of(const collector *c, const char *name, const sg_fact *fact)
{
    const sg_nameset_entry *own = sg_nameset_find(&c->own, name);
    const sg_place_kind kind = own != NULL ? (sg_place_kind)own->value : SG_PLACE_INPUT;
    return kind != SG_PLACE_OUTPUT && fact != NULL && fact->constant == SG_FACT_FIXED
               ? SG_PLACE_CONSTANT
               : kind;
}

/* Raises the least number of each open dimension in the sum to this one, up to a limit. */
static void raise_least(collector *c, const sg_sum *sum, int64_t least)
{
    enum { MOST = 1 << 16 };
    sg_sum_names names = {0};
    sg_sum_add_names(c->arena, sum, &names);
    for (int64_t i = 0; i < names.count; i++) {
        sg_place_open *open = &c->graph->open[sg_nameset_find(&c->open, names.items[i])->value];
        const sg_sum_follower *follows = open->follows;
        if (least <= open->least) {
            continue;
        }
        open->least = least < MOST ? least : MOST;
        if (follows != NULL && follows->by < MOST) {
            raise_least(c, follows->from, open->least * follows->by - follows->more);
        }
    }
}

static void add_open(collector *c, const sg_sum *sum)
{
    sg_placement *graph = c->graph;
    sg_sum_names names = {0};
    sg_sum_add_names(c->arena, sum, &names);
    for (int64_t i = 0; i < names.count; i++) {
        if (sg_nameset_find(&c->open, names.items[i]) != NULL) {
            continue;
        }
        const sg_sum name = sg_sum_name(c->arena, names.items[i]);
        const sg_sum_follower *follows = sg_infer_follower(c->seen->infer, names.items[i]);
        if (follows != NULL) {
            add_open(c, follows->from);
            raise_least(c, follows->from, follows->by - follows->more);
        }
        sg_nameset_add(&c->open, names.items[i], graph->nopen);
        graph->open = SG_GROWN(c->arena, graph->open, graph->nopen, c->open_capacity);
        graph->open[graph->nopen++] =
            (sg_place_open){.name = names.items[i],
                            .expected = sg_infer_expected(c->seen->infer, &name),
                            .follows = follows};
    }
}

/* Keeps where the number of a size that follows from others is found. */
static void show_open(collector *c, const sg_place_tensor *t, int64_t d, const sg_sum *size)
{
    const char *name = sg_sum_only_name(size);
    sg_place_open *open =
        name != NULL ? &c->graph->open[sg_nameset_find(&c->open, name)->value] : NULL;
    if (open != NULL && open->follows != NULL && open->tensor == NULL) {
        open->tensor = t->name;
        open->dim = d;
    }
}

static bool read_dim(collector *c, const sg_fact *fact, int64_t d, sg_sum *size, bool *open)
{
    *open = fact->dims[d].kind == SG_FACT_SUM;
    const sg_sum dim = sg_fact_sum(c->arena, fact->dims[d]);
    *size = sg_sum_expanded(c->arena, &dim);
    if ((*open && !sg_infer_may_stay(c->seen->infer, fact, d)) || size->over) {
        return false;
    }
    add_open(c, size);
    return true;
}

/* Computes the dimensions for one choice of numbers for the open ones. Returns false if they
 * overflow. */
static bool count_dims(const collector *c, const sg_sum *sizes, int64_t rank, int numbers,
                       int64_t element_bits, int64_t *dims, int64_t *bits)
{
    int64_t most = element_bits; /* ensures that strides fit as well */
    *bits = element_bits;
    for (int64_t d = 0; d < rank; d++) {
        SG_TRY(sg_place_value(&sizes[d], c->graph->open, c->graph->nopen, numbers, &dims[d]) &&
               dims[d] >= 0 && sg_mul64(*bits, dims[d], bits) &&
               sg_mul64(most, dims[d] > 0 ? dims[d] : 1, &most) && most <= SG_MAX_BITS);
    }
    return true;
}

/* Why a tensor has no place, after "its" or "their". Numbers for dims help against the others. */
static const char no_type[] = "element type is not known";
static const char no_rank[] = "number of dims is not known";
static const char no_size[] = "size is neither a number nor a sum of open dims";
static const char no_count[] = "size exceeds what 64 bits count, perhaps for other numbers of the "
                               "open dims than the expected ones";
static const char some_zeros[] = "size is 0 for some numbers of the open dims only";

static void read_fact(collector *c, const sg_fact *fact, sg_place_tensor *t)
{
    t->why = no_type;
    if (fact == NULL) {
        return;
    }
    t->dtype = fact->dtype;
    t->is_sequence = fact->is_sequence;
    if (fact->is_sequence || fact->dtype == SG_GRAPH_DTYPE_UNKNOWN) {
        return;
    }
    t->why = !fact->has_rank ? no_rank
             : fact->rank > SG_MAX_RANK
                 ? sg_arena_printf(c->arena, "number of dims is above %d", SG_MAX_RANK)
                 : no_size;
    if (t->why != no_size) {
        return;
    }
    const sg_dtype_info *info = sg_dtype_get((sg_dtype)fact->dtype);
    sg_sum *sizes = SG_NEW_ARRAY(c->arena, sg_sum, fact->rank);
    bool *open = SG_NEW_ARRAY(c->arena, bool, fact->rank);
    for (int64_t d = 0; d < fact->rank; d++) {
        if (!read_dim(c, fact, d, &sizes[d], &open[d])) {
            return;
        }
        show_open(c, t, d, &sizes[d]);
    }
    sg_sum all = sg_sum_number(c->arena, info->bits);
    for (int64_t d = 0; d < fact->rank; d++) {
        all = sg_sum_times(c->arena, &all, &sizes[d]);
        if (all.over) {
            return;
        }
    }
    t->sizes = sizes;
    t->bits = all;
    t->why = NULL;
    t->known = true;
    t->rank = fact->rank;
    t->open = open;
    t->element = info->packed ? 0 : info->bits / 8;
}

/* Computes the dimensions of a tensor, once the numbers of all open ones are known. Its size is
 * unknown if it overflows, or is 0 for some numbers only. */
static void count_tensor(const collector *c, sg_place_tensor *t)
{
    int64_t *dims = SG_NEW_ARRAY(c->arena, int64_t, t->rank);
    const int64_t element = sg_dtype_get((sg_dtype)t->dtype)->bits;
    int64_t bits = 0;
    int64_t zeros = 0;
    const int sets = c->graph->nopen > 0 ? SG_PLACE_NUMBERS : 1;
    for (int numbers = sets - 1; t->known && numbers >= SG_PLACE_EXPECTED; numbers--) {
        t->known = count_dims(c, t->sizes, t->rank, numbers, element, dims, &bits);
        zeros += bits == 0;
    }
    t->why = t->known ? some_zeros : no_count;
    t->known = t->known && (zeros == 0 || zeros == sets);
    t->why = t->known ? NULL : t->why;
    t->sizes = c->graph->nopen > 0 ? t->sizes : NULL;
    t->dims = dims;
    t->bytes = (bits + 7) / 8;
}

/* The index of a tensor, which is added if it is new. fact: what is known of it; may be NULL. */
static int64_t tensor_of(collector *c, const char *name, const sg_fact *fact)
{
    const sg_nameset_entry *entry = sg_nameset_find(&c->names, name);
    if (entry != NULL) {
        return entry->value;
    }
    sg_placement *graph = c->graph;
    graph->tensors = SG_GROWN(c->arena, graph->tensors, graph->ntensors, c->tensor_capacity);
    sg_place_tensor *t = &graph->tensors[graph->ntensors];
    *t = (sg_place_tensor){.name = name,
                           .dtype = SG_GRAPH_DTYPE_UNKNOWN,
                           .kind = kind_of(c, name, fact),
                           .first = -1,
                           .last = -1,
                           .buffer = -1,
                           .copy_of = -1};
    read_fact(c, fact, t);
    sg_nameset_add(&c->names, name, graph->ntensors);
    return graph->ntensors++;
}

/* Adds all tensors of the graph. Runs at its end, while inference is still available. */
static void add_tensors(collector *c)
{
    for (int64_t n = 0; n < c->seen->count; n++) {
        const seen_node *seen = &c->seen->nodes[n];
        const sg_graph_node *node = seen->node;
        for (int64_t i = 0; i < node->ninputs + node->noutputs; i++) {
            const char *name =
                i < node->ninputs ? node->inputs[i] : node->outputs[i - node->ninputs];
            if (name[0] != '\0') {
                (void)tensor_of(c, name, seen->facts[i]);
            }
        }
    }
    sg_place_expect(c->graph->open, c->graph->nopen);
    for (int64_t i = 0; i < c->graph->ntensors; i++) {
        if (c->graph->tensors[i].sizes != NULL) {
            count_tensor(c, &c->graph->tensors[i]);
        }
    }
}

static void finished(void *context, sg_infer_scope *scope)
{
    sg_place_watch *watch = context;
    seen_graph *g = watch->current;
    collector *c = SG_NEW(watch->arena, collector);
    *c = (collector){.arena = watch->arena, .seen = g, .graph = SG_NEW(watch->arena, sg_placement)};
    sg_nameset_init(&c->names, c->arena);
    sg_nameset_init(&c->own, c->arena);
    sg_nameset_init(&c->open, c->arena);
    sg_nameset_init(&c->movers, c->arena);
    index_names(c);
    add_tensors(c);
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

/* --- nodes ------------------------------------------------------------------------------------ */

typedef struct reader {
    collector *collector;
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

static bool is_alias(const collector *c, const seen_node *seen, int64_t from, int64_t to)
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
static bool takes_part(collector *c, const seen_node *seen, int64_t from, sg_place_part *part)
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
            raise_least(c, &input->sizes[d], 1); /* its length is that of an axis with elements */
        }
    }
    return part->box != NULL || sg_cut_always(seen->node);
}

static sg_place_node *new_node(collector *c, const sg_graph_node *from)
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
static void set_cache(collector *c, sg_place_node *node, const sg_split *split)
{
    const sg_op_origin *origin = split->op->origin;
    sg_placement *graph = c->graph;
    node->past = tensor_of(c, origin->past, NULL);
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
static void add_mover(collector *c, const sg_graph_node *from, sg_split *split)
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
    node->whole = tensor_of(c, origin->input, NULL);
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
        *to = (sg_place_part){.tensor = tensor_of(c, part->tensor, NULL),
                              .start = part->start,
                              .length = part->length,
                              .without_axis = part->without_axis,
                              .index = i};
        add(c->arena, split->joins ? &reads : &writes, to->tensor);
    }
    set_lists(node, &reads, &writes);
}

static void add_node(collector *c, const seen_node *seen)
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
        const int64_t t = tensor_of(c, from->outputs[o], seen->facts[from->ninputs + o]);
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
            add(c->arena, &reads, tensor_of(c, from->inputs[i], seen->facts[i]));
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

static void collect(collector *c, int64_t nsplits)
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

static bool plan(sg_arena *arena, sg_placement *graph, const sg_place_options *options)
{
    return sg_place_unite(arena, graph, options) && sg_place_arena(arena, graph);
}

/* Collects and plans one graph. */
static bool place_graph(collector *c, sg_diag *diag, int64_t nsplits,
                        const sg_place_options *options)
{
    sg_placement *graph = c->graph;
    const seen_graph *seen = c->seen;
    if (seen->missing != NULL) {
        return sg_diag_error(diag, seen->missing_at, "%s: %s", seen->missing_for,
                             seen->missing->reason);
    }
    collect(c, nsplits);
    for (int64_t n = 0; n < graph->nnodes; n++) {
        const sg_place_node *node = &graph->nodes[n];
        if (node->past >= 0 &&
            !(graph->tensors[node->past].known && graph->tensors[node->whole].known)) {
            return sg_diag_error(diag, node->from->span,
                                 "'%s' and '%s' cannot be a cache, because a size of theirs is "
                                 "neither a number nor a sum of open dims, or does not fit",
                                 graph->tensors[node->past].name, graph->tensors[node->whole].name);
        }
        for (int64_t i = 0; node->past >= 0 && i < graph->nopen; i++) {
            if (graph->open[i].most > 0 && graph->open[i].expected > graph->open[i].most) {
                return sg_diag_error(diag, node->from->span,
                                     "there is room for %" PRId64 " of '%s', but below %" PRId64
                                     " a size that follows from it is 0; give a larger capacity",
                                     graph->open[i].most, graph->open[i].name,
                                     graph->open[i].expected);
            }
        }
    }
    (void)sg_place_copy_caches(c->arena, graph, options);
    sg_place_options plain = *options; /* nothing in place */
    plain.in_place.count = 0;
    bool fits = plan(c->arena, graph, &plain);
    while (fits && sg_place_copy_caches(c->arena, graph, &plain)) {
        fits = plan(c->arena, graph, &plain);
    }
    const int64_t arena = graph->arena;
    const int64_t copied = graph->bytes_copied;
    fits = fits && (options->in_place.count == 0 || plan(c->arena, graph, options));
    if (fits && graph->arena > arena && graph->bytes_copied >= copied) {
        fits = plan(c->arena, graph, &plain); /* gaps in the arena cost more than that saves */
    }
    if (!fits) {
        return sg_diag_error(diag, graph->span,
                             "the tensors of this graph have 2^63 bytes or more together, which no "
                             "offset in an arena can count; give smaller dims");
    }
    const char *wrong = sg_place_prove(c->arena, graph, options);
    return wrong == NULL || sg_diag_fail(diag, SG_EXIT_BUG, graph->span,
                                         "the placement of tensors does not hold: %s; this is a "
                                         "bug in splitgen",
                                         wrong);
}

sg_placement *sg_place_all(sg_place_watch *watch, sg_diag *diag, sg_split *const *splits,
                           int64_t count, const sg_place_options *options, int64_t *ngraphs)
{
    sg_placement *graphs = SG_NEW_ARRAY(watch->arena, sg_placement, watch->count + 1);
    *ngraphs = watch->count;
    for (int64_t i = 0; i < watch->count; i++) {
        const seen_graph *seen = watch->graphs[i];
        sg_placement *graph = &graphs[i];
        collector *c = seen->collector;
        *graph = *c->graph;
        graph->model = seen->model;
        graph->span = seen->graph->span;
        graph->path = seen->path;
        graph->npath = seen->npath;
        c->graph = graph;
        c->splits = splits;
        if (!place_graph(c, diag, count, options)) {
            return NULL;
        }
    }
    return graphs;
}

static void mark_parts(const sg_placement *graph)
{
    const sg_place_tensor *tensors = graph->tensors;
    for (int64_t n = 0; n < graph->nnodes; n++) {
        const sg_place_node *node = &graph->nodes[n];
        for (int64_t i = 0; node->split != NULL && i < node->nparts; i++) {
            sg_part *part = &node->split->parts[node->parts[i].index];
            const bool copied = node->parts[i].copied;
            part->view_only = !copied && part->bytes > 0;
            if (copied && sg_view_is_contiguous(node->split, part)) {
                const bool known =
                    tensors[node->whole].known && tensors[node->parts[i].tensor].known;
                part->copied = part->data != NULL ? "it is a constant"
                               : known            ? "the placement has another place for its tensor"
                                                  : "the placement knows no size of its tensor";
            }
        }
    }
}

static bool lacks_place(const sg_place_tensor *t)
{
    return !t->known && !t->is_sequence && t->kind != SG_PLACE_CONSTANT &&
           (t->kind == SG_PLACE_INPUT || t->first >= 0);
}

/* Names the tensors that have no place for this reason at the first node that makes one. */
static void warn_unplaced(sg_diag *diag, const sg_placement *graph, const char *why)
{
    enum { SHOWN = 20 };
    sg_buf names = {0};
    int64_t count = 0;
    sg_span span = graph->span;
    for (int64_t i = 0; i < graph->ntensors; i++) {
        const sg_place_tensor *t = &graph->tensors[i];
        if (!lacks_place(t) || strcmp(t->why, why) != 0) {
            continue;
        }
        if (count++ < SHOWN) {
            sg_buf_printf(&names, "%s'%s'", count > 1 ? ", " : "", t->name);
        }
        if (count == 1 && t->first >= 0) {
            span = graph->nodes[t->first].from->span;
        }
    }
    if (count > SHOWN) {
        sg_buf_printf(&names, " and %" PRId64 " more", count - SHOWN);
    }
    if (count > 0) {
        sg_diag_warn(diag, span,
                     "%s %s no place in the plan, because %s %s; what moves %s copies %s",
                     names.ptr, count > 1 ? "have" : "has", count > 1 ? "their" : "its", why,
                     count > 1 ? "them" : "it", count > 1 ? "them" : "it");
    }
    if (count > 0 && (strcmp(why, no_rank) == 0 || strcmp(why, no_size) == 0)) {
        sg_diag_note(diag, sg_span_none(),
                     "numbers for the dims that %s made from give %s a place: -D NAME=NUMBER, or "
                     "--shape",
                     count > 1 ? "they are" : "it is", count > 1 ? "them" : "it");
    }
    sg_buf_free(&names);
}

void sg_place_mark(sg_diag *diag, const sg_placement *graphs, int64_t ngraphs)
{
    for (int64_t g = 0; g < ngraphs; g++) {
        const sg_placement *graph = &graphs[g];
        mark_parts(graph);
        for (int64_t i = 0; i < graph->ntensors; i++) {
            bool first = lacks_place(&graph->tensors[i]);
            for (int64_t k = 0; first && k < i; k++) {
                const sg_place_tensor *t = &graph->tensors[k];
                first = !lacks_place(t) || strcmp(t->why, graph->tensors[i].why) != 0;
            }
            if (first) {
                warn_unplaced(diag, graph, graph->tensors[i].why);
            }
        }
    }
}
