/* Collects the tensors of a graph, from the facts that inference finds about each. */
#include <inttypes.h>
#include <string.h>

#include "base/checked.h"
#include "placement/collect.h"

static void set_own(sg_collector *c, const char *name, sg_place_kind kind)
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
void sg_collect_names(sg_collector *c)
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

static sg_place_kind kind_of(const sg_collector *c, const char *name, const sg_fact *fact)
{
    const sg_nameset_entry *own = sg_nameset_find(&c->own, name);
    const sg_place_kind kind = own != NULL ? (sg_place_kind)own->value : SG_PLACE_INPUT;
    return kind != SG_PLACE_OUTPUT && fact != NULL && fact->constant == SG_FACT_FIXED
               ? SG_PLACE_CONSTANT
               : kind;
}

void sg_collect_least(sg_collector *c, const sg_sum *sum, int64_t least)
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
            sg_collect_least(c, follows->from, open->least * follows->by - follows->more);
        }
    }
}

static void add_open(sg_collector *c, const sg_sum *sum)
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
            sg_collect_least(c, follows->from, follows->by - follows->more);
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
static void show_open(sg_collector *c, const sg_place_tensor *t, int64_t d, const sg_sum *size)
{
    const char *name = sg_sum_only_name(size);
    sg_place_open *open =
        name != NULL ? &c->graph->open[sg_nameset_find(&c->open, name)->value] : NULL;
    if (open != NULL && open->follows != NULL && open->tensor == NULL) {
        open->tensor = t->name;
        open->dim = d;
    }
}

static bool read_dim(sg_collector *c, const sg_fact *fact, int64_t d, sg_sum *size, bool *open)
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
static bool count_dims(const sg_collector *c, const sg_sum *sizes, int64_t rank, int numbers,
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

static void read_fact(sg_collector *c, const sg_fact *fact, sg_place_tensor *t)
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
static void count_tensor(const sg_collector *c, sg_place_tensor *t)
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

int64_t sg_collect_tensor(sg_collector *c, const char *name, const sg_fact *fact)
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

void sg_collect_tensors(sg_collector *c)
{
    for (int64_t n = 0; n < c->seen->count; n++) {
        const sg_place_seen_node *seen = &c->seen->nodes[n];
        const sg_graph_node *node = seen->node;
        for (int64_t i = 0; i < node->ninputs + node->noutputs; i++) {
            const char *name =
                i < node->ninputs ? node->inputs[i] : node->outputs[i - node->ninputs];
            if (name[0] != '\0') {
                (void)sg_collect_tensor(c, name, seen->facts[i]);
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

/* --- tensors without a place ------------------------------------------------------------------ */

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

void sg_place_warn(sg_diag *diag, const sg_placement *graph)
{
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
