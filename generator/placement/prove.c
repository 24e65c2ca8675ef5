/* Checks a plan by running the nodes of a graph in order over the places of the plan. It shares no
 * code with the planner: the node defines which elements of the whole a part has, and a place is
 * defined by its offset and strides. A tensor that was written is intact until a node writes a byte
 * of its place. A plan is correct if each node reads tensors that were written and are intact, a
 * part that is not copied is stored exactly where the whole has it, no node writes a byte of a
 * tensor that is read at that node or later, or of an input, each place is within its buffer and is
 * used only during the buffer's lifetime, buffers with overlapping lifetimes have no byte of the
 * arena in common, elements are aligned to their size. A node that can run in place may write a
 * tensor over one of exactly this place that it reads and nothing reads later. If dimensions are
 * open, this is checked for the expected numbers and, with the plan's sums, for two other sets of
 * numbers. */
#include <inttypes.h>
#include <string.h>

#include "base/checked.h"
#include "placement/prove.h"

static bool fails(sg_prover *p, const char *wrong)
{
    p->wrong = p->wrong != NULL ? p->wrong : wrong;
    return false;
}

static bool fails_at(sg_prover *p, int64_t n, int64_t tensor, const char *what)
{
    return fails(p, sg_arena_printf(p->arena, "node %" PRId64 " ('%s'), tensor '%s': %s", n,
                                    p->graph->nodes[n].name, p->graph->tensors[tensor].name, what));
}

/* --- nodes ------------------------------------------------------------------------------------ */

static bool is_used(const sg_placement *graph, const sg_place_tensor *t, int64_t n)
{
    const sg_place_buffer *buffer = &graph->buffers[t->buffer];
    return buffer->kind != SG_PLACE_INNER || (buffer->first <= n && n <= buffer->last);
}

/* Checks that a node may read a tensor. apart: the node can read padded rows. */
static bool reads(sg_prover *p, int64_t n, int64_t tensor, bool apart)
{
    const sg_place_tensor *t = &p->graph->tensors[tensor];
    return !p->written[tensor]      ? fails_at(p, n, tensor, "is read before it is written")
           : !sg_prove_has_place(t) ? true
           : n > t->last            ? fails_at(p, n, tensor, "is read after its last use")
           : !is_used(p->graph, t, n)
               ? fails_at(p, n, tensor, "is read outside the life of its buffer")
           : !apart && !sg_prove_is_packed(t)
               ? fails_at(p, n, tensor, "has rows apart, which this node cannot read")
               : true;
}

/* Whether a node may overwrite a tensor by its output, which has the same place: element by
 * element, it reads what it then overwrites. */
static bool may_replace(const sg_prover *p, int64_t n, const sg_place_tensor *output, int64_t input)
{
    const sg_place_node *node = &p->graph->nodes[n];
    const sg_place_tensor *t = &p->graph->tensors[input];
    bool may = node->move == SG_PLACE_OPAQUE && !node->encloses && node->nwrites == 1 &&
               t->kind == SG_PLACE_INNER && t->last == n && t->element == output->element &&
               t->offset == output->offset && t->rank == output->rank &&
               sg_place_listed(&p->options->in_place, node);
    for (int64_t d = 0; may && d < t->rank; d++) {
        may = t->dims[d] == output->dims[d] && t->open[d] == output->open[d] &&
              ((t->dims[d] == 1 && !t->open[d]) || t->strides[d] == output->strides[d]);
    }
    bool is_read = false;
    for (int64_t i = 0; may && i < node->nreads; i++) {
        is_read = is_read || node->reads[i] == input;
    }
    return is_read;
}

/* Checks that a node may write these bytes, which belong to a tensor. */
static bool writes(sg_prover *p, int64_t n, int64_t tensor, const sg_prove_bytes *b)
{
    const sg_place_tensor *t = &p->graph->tensors[tensor];
    const sg_place_buffer *buffer = &p->graph->buffers[t->buffer];
    if (buffer->kind == SG_PLACE_INPUT) {
        return fails_at(p, n, tensor, "is written to an input");
    }
    if (!is_used(p->graph, t, n)) {
        return fails_at(p, n, tensor, "is written outside the life of its buffer");
    }
    int64_t *held = p->held[t->buffer];
    int64_t kept = 0;
    bool ok = true;
    for (int64_t i = 0; i < p->nheld[t->buffer]; i++) {
        const sg_place_tensor *other = &p->graph->tensors[held[i]];
        if (other->last < n) {
            continue;
        }
        held[kept++] = held[i];
        const sg_prove_bytes theirs = sg_prove_box(other, -1, 0, 0);
        if (ok && sg_prove_meet(b, &theirs) && !may_replace(p, n, t, held[i])) {
            ok = fails_at(p, n, tensor, sg_arena_printf(p->arena, "overwrites '%s'", other->name));
        }
    }
    p->nheld[t->buffer] = kept;
    return ok;
}

/* No node may write over the tensor as long as it is read. */
static void hold(sg_prover *p, int64_t tensor)
{
    const int64_t b = p->graph->tensors[tensor].buffer;
    p->held[b] = SG_GROWN(p->arena, p->held[b], p->nheld[b], p->capacity[b]);
    p->held[b][p->nheld[b]++] = tensor;
}

static bool is_made(sg_prover *p, int64_t n, int64_t tensor)
{
    const sg_place_tensor *t = &p->graph->tensors[tensor];
    if (t->kind == SG_PLACE_CONSTANT) {
        return true;
    }
    if (p->written[tensor]) {
        return fails_at(p, n, tensor, "is written twice");
    }
    p->written[tensor] = true;
    if (sg_prove_has_place(t)) {
        hold(p, tensor);
    }
    return true;
}

static bool computes(sg_prover *p, int64_t n, const sg_place_node *node)
{
    const sg_place_options *o = p->options;
    const bool in = sg_place_listed(&o->strided_read, node);
    const bool out = sg_place_listed(&o->strided, node);
    for (int64_t i = 0; i < node->nreads; i++) {
        SG_TRY(reads(p, n, node->reads[i], in));
    }
    for (int64_t i = 0; i < node->nwrites; i++) {
        const sg_place_tensor *t = &p->graph->tensors[node->writes[i]];
        if (sg_prove_has_place(t)) {
            const sg_prove_bytes all = sg_prove_box(t, -1, 0, 0);
            SG_TRY(out || sg_prove_is_packed(t) ||
                   fails_at(p, n, node->writes[i], "has rows apart, which this node cannot write"));
            SG_TRY(writes(p, n, node->writes[i], &all));
        }
        SG_TRY(is_made(p, n, node->writes[i]));
    }
    return true;
}

/* Whether a part has no elements for these numbers of the open dimensions. */
static bool is_empty(const sg_place_node *node, const sg_place_part *part,
                     const sg_place_tensor *own)
{
    bool empty = !own->known && node->split != NULL && node->split->parts[part->index].bytes == 0;
    for (int64_t d = 0; own->known && d < own->rank; d++) {
        empty = empty || own->dims[d] == 0;
    }
    return empty;
}

/* Checks what lies in front of the parts of a Concat that adds to a cache. */
static bool adds(sg_prover *p, int64_t n, const sg_place_node *node)
{
    const sg_place_tensor *whole = &p->graph->tensors[node->whole];
    const sg_place_tensor *past = &p->graph->tensors[node->past];
    const int64_t axis = node->axis;
    const sg_place_part front = {.tensor = node->past, .length = past->dims[axis]};
    int64_t length = past->dims[axis];
    for (int64_t i = 0; i < node->nparts; i++) {
        length += node->parts[i].length;
    }
    SG_TRY(reads(p, n, node->past, true));
    if (length != whole->dims[axis] || past->capacity != whole->capacity || past->axis != axis ||
        whole->axis != axis || (past->bytes > 0 && !sg_prove_lies_in(p, node, &front, 0))) {
        return fails_at(p, n, node->past, "is not the beginning of its cache");
    }
    return sg_prove_is_packed(whole) || axis == 0 ||
           node->split->row_stride * whole->element == whole->strides[axis - 1] ||
           fails_at(p, n, node->whole, "has other rows than its kernel writes");
}

/* Checks one part of a node that moves data. */
static bool moves(sg_prover *p, int64_t n, const sg_place_node *node, const sg_place_part *part)
{
    const sg_place_tensor *whole = &p->graph->tensors[node->whole];
    const sg_place_tensor *own = &p->graph->tensors[part->tensor];
    const bool joins = node->move == SG_PLACE_CONCAT;
    const int64_t from = joins ? part->tensor : node->whole;
    const int64_t to = joins ? node->whole : part->tensor;
    SG_TRY(reads(p, n, from, true));
    if (p->graph->tensors[to].kind == SG_PLACE_CONSTANT || is_empty(node, part, own)) {
        return true;
    }
    const int64_t start =
        part->start + (node->past >= 0 ? p->graph->tensors[node->past].dims[node->axis] : 0);
    if (!part->copied) {
        return (sg_prove_has_place(whole) && sg_prove_has_place(own) &&
                sg_prove_lies_in(p, node, part, start)) ||
               fails_at(p, n, part->tensor, "is not copied, but does not lie in its whole");
    }
    /* the kernel that adds to a cache writes its rows, and a dense copy of one is made of them */
    SG_TRY(((sg_prove_is_packed(whole) || node->past >= 0 || own->copy_of == node->whole) &&
            sg_prove_is_packed(own)) ||
           fails_at(p, n, part->tensor, "is copied from or to rows that lie apart"));
    if (!sg_prove_has_place(&p->graph->tensors[to])) {
        return true;
    }
    const sg_prove_bytes to_whole = sg_prove_box(whole, node->axis, start, part->length);
    const sg_prove_bytes to_own = sg_prove_box(own, -1, 0, 0);
    return writes(p, n, to, joins ? &to_whole : &to_own);
}

static bool is_called(const sg_prover *p, int64_t tensor, const char *name)
{
    const int64_t of = p->graph->tensors[tensor].copy_of;
    return strcmp(p->graph->tensors[of >= 0 ? of : tensor].name, name) == 0;
}

/* Whether the node makes the dense copy of a tensor, of the same elements. */
static bool is_copy(const sg_prover *p, const sg_place_node *node)
{
    const sg_place_tensor *to = node->nwrites == 1 ? &p->graph->tensors[node->writes[0]] : NULL;
    const sg_place_tensor *from =
        to != NULL && to->copy_of >= 0 ? &p->graph->tensors[to->copy_of] : NULL;
    return from != NULL && node->move == SG_PLACE_ALIAS && node->whole == to->copy_of &&
           node->nreads == 1 && node->reads[0] == node->whole && node->nparts == 1 &&
           (node->parts[0].copied || to->bytes == 0) && node->parts[0].tensor == node->writes[0] &&
           to->rank == from->rank && to->element == from->element && to->bytes == from->bytes &&
           memcmp(to->dims, from->dims, (size_t)to->rank * sizeof *to->dims) == 0;
}

/* Whether the tensors begin with those of these names. An empty name stands for none. */
static bool are_called(const sg_prover *p, const int64_t *tensors, int64_t count,
                       const char *const *names, int64_t nnames)
{
    int64_t at = 0;
    for (int64_t i = 0; i < nnames; i++) {
        SG_TRY(names[i][0] == '\0' || (at < count && is_called(p, tensors[at++], names[i])));
    }
    return true;
}

/* Checks that a node of the plan stands for all that its node of the model, or the kernel made from
 * it, reads and writes. */
static bool stands_for(sg_prover *p, int64_t n, const sg_place_node *node)
{
    const sg_graph_node *from =
        node->split == NULL || (node->past >= 0 && node->from->ninputs == node->nparts + 1)
            ? node->from
            : NULL;
    bool does = from == NULL || is_copy(p, node) ||
                (are_called(p, node->reads, node->nreads, from->inputs, from->ninputs) &&
                 are_called(p, node->writes, node->nwrites, from->outputs, from->noutputs));
    does = does && (node->past < 0 || is_called(p, node->past, node->split->op->origin->past));
    int64_t at = 0; /* parts of the plan have the order of the kernel's */
    for (int64_t i = 0; node->split != NULL && does && i < node->split->nparts; i++) {
        const sg_part *part = &node->split->parts[i];
        if (!part->wanted || part->tensor == NULL || part->tensor[0] == '\0') {
            continue;
        }
        const sg_place_part *own = at < node->nparts ? &node->parts[at++] : NULL;
        does = own != NULL && own->index == i && own->start == part->start &&
               own->length == part->length && own->without_axis == part->without_axis &&
               is_called(p, own->tensor, part->tensor);
    }
    return (does && (node->split == NULL || at == node->nparts)) ||
           fails(p, sg_arena_printf(p->arena,
                                    "node %" PRId64 " ('%s') is not what the model has there", n,
                                    node->name));
}

static bool runs(sg_prover *p, int64_t n)
{
    const sg_place_node *node = &p->graph->nodes[n];
    SG_TRY(stands_for(p, n, node));
    if (node->move == SG_PLACE_OPAQUE) {
        return computes(p, n, node);
    }
    const bool joins = node->move == SG_PLACE_CONCAT;
    SG_TRY(node->past < 0 || adds(p, n, node));
    for (int64_t i = 0; node->facts != NULL && node->parts[0].copied && i < node->nreads; i++) {
        SG_TRY(reads(p, n, node->reads[i], node->reads[i] == node->whole));
    }
    for (int64_t i = 0; i < node->nparts; i++) {
        SG_TRY(moves(p, n, node, &node->parts[i]));
        /* A part that has been written must not be overwritten by the parts that follow. */
        SG_TRY(joins || is_made(p, n, node->parts[i].tensor));
    }
    return !joins || is_made(p, n, node->whole);
}

static const char *prove(sg_arena *arena, const sg_placement *graph,
                         const sg_place_options *options, int numbers)
{
    sg_prover p = {.arena = arena,
                   .graph = graph,
                   .options = options,
                   .numbers = numbers,
                   .written = SG_NEW_ARRAY(arena, bool, graph->ntensors),
                   .held = SG_NEW_ARRAY(arena, int64_t *, graph->nbuffers),
                   .nheld = SG_NEW_ARRAY(arena, int64_t, graph->nbuffers),
                   .capacity = SG_NEW_ARRAY(arena, int64_t, graph->nbuffers)};
    p.wrong = sg_prove_places(arena, graph);
    if (p.wrong == NULL && numbers == SG_PLACE_EXPECTED) {
        p.wrong = sg_prove_arena(arena, graph, options);
    }
    if (p.wrong != NULL) {
        return p.wrong;
    }
    for (int64_t t = 0; t < graph->ntensors; t++) {
        p.written[t] =
            graph->tensors[t].kind == SG_PLACE_INPUT || graph->tensors[t].kind == SG_PLACE_CONSTANT;
        if (graph->tensors[t].kind == SG_PLACE_INPUT && graph->tensors[t].capacity > 0) {
            hold(&p, t); /* its buffer is written behind it */
        }
    }
    for (int64_t n = 0; n < graph->nnodes; n++) {
        if (!runs(&p, n)) {
            return p.wrong;
        }
    }
    for (int64_t t = 0; t < graph->ntensors; t++) {
        const sg_place_tensor *tensor = &graph->tensors[t];
        if (tensor->kind == SG_PLACE_OUTPUT && !p.written[t]) {
            return sg_arena_printf(arena, "output '%s' is never written", tensor->name);
        }
    }
    return NULL;
}

/* --- open dimensions -------------------------------------------------------------------------- */

static bool counted(const sg_placement *graph, const sg_sum *sum, int numbers, int64_t *value)
{
    return sg_place_value(sum, graph->open, graph->nopen, numbers, value);
}

static bool count_tensor(sg_arena *arena, const sg_placement *graph, int numbers,
                         sg_place_tensor *t)
{
    int64_t *dims = SG_NEW_ARRAY(arena, int64_t, t->rank);
    int64_t bits = 0;
    SG_TRY(counted(graph, &t->bits, numbers, &bits) &&
           counted(graph, &t->from, numbers, &t->offset));
    t->strides = SG_NEW_ARRAY(arena, int64_t, t->rank);
    t->bytes = (bits + 7) / 8;
    t->dims = dims;
    for (int64_t d = 0; d < t->rank; d++) {
        SG_TRY(counted(graph, &t->sizes[d], numbers, &dims[d]) &&
               counted(graph, &t->steps[d], numbers, &t->strides[d]));
    }
    return true;
}

/* Computes the graph from its sums for one set of numbers. Returns false if a value overflows. */
static bool count_sums(sg_arena *arena, const sg_placement *graph, int numbers, sg_placement *to)
{
    *to = *graph;
    to->tensors = SG_NEW_ARRAY(arena, sg_place_tensor, graph->ntensors);
    to->buffers = SG_NEW_ARRAY(arena, sg_place_buffer, graph->nbuffers);
    for (int64_t i = 0; i < graph->ntensors; i++) {
        to->tensors[i] = graph->tensors[i];
        SG_TRY(graph->tensors[i].buffer < 0 || graph->tensors[i].sizes == NULL ||
               count_tensor(arena, graph, numbers, &to->tensors[i]));
    }
    for (int64_t i = 0; i < graph->nbuffers; i++) {
        int64_t bits = 0;
        to->buffers[i] = graph->buffers[i];
        SG_TRY(counted(graph, &graph->buffers[i].bits, numbers, &bits));
        to->buffers[i].bytes =
            graph->buffers[i].bits.count > 0 ? (bits + 7) / 8 : to->buffers[i].bytes;
    }
    return true;
}

static bool same_place(const sg_place_tensor *a, const sg_place_tensor *b)
{
    bool same = a->offset == b->offset && a->bytes == b->bytes;
    for (int64_t d = 0; same && d < a->rank; d++) {
        same = a->dims[d] == b->dims[d] && a->strides[d] == b->strides[d];
    }
    return same;
}

/* Checks that the sums for the expected numbers equal the plan. */
static const char *check_expected(sg_arena *arena, const sg_placement *graph,
                                  const sg_placement *sums)
{
    for (int64_t i = 0; i < graph->ntensors; i++) {
        const sg_place_tensor *t = &graph->tensors[i];
        if (t->buffer >= 0 && !same_place(t, &sums->tensors[i])) {
            return sg_arena_printf(arena, "the place of tensor '%s' is not that of its sums",
                                   t->name);
        }
    }
    for (int64_t i = 0; i < graph->nbuffers; i++) {
        if (graph->buffers[i].bytes != sums->buffers[i].bytes) {
            return sg_arena_printf(arena, "buffer %" PRId64 " has not the bytes of its sum", i);
        }
    }
    return NULL;
}

const char *sg_place_prove(sg_arena *arena, const sg_placement *graph,
                           const sg_place_options *options)
{
    static const int all[] = {SG_PLACE_EXPECTED, SG_PLACE_PROVED, SG_PLACE_PROVED + 1};
    const char *wrong = prove(arena, graph, options, SG_PLACE_EXPECTED);
    for (size_t i = 0; wrong == NULL && graph->nopen > 0 && i < sizeof all / sizeof all[0]; i++) {
        sg_placement sums;
        wrong = !count_sums(arena, graph, all[i], &sums) ? "a sum of open dimensions does not fit"
                : all[i] == SG_PLACE_EXPECTED            ? check_expected(arena, graph, &sums)
                                                         : prove(arena, &sums, options, all[i]);
    }
    return wrong;
}
