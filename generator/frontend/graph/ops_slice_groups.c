/* Slice groups: nodes that together divide one tensor along one axis, as a Split would.
 *
 *   Slices with step 1, known bounds and no overlap; indices that no Slice takes become an unwanted
 * part StridedSlices of OpenVINO with the same properties; shrink_axis_mask removes the axis from
 * the shape Gathers with one constant index each; an index of rank 0 removes the axis from the
 * shape SequenceAts with a constant index into the result of a SplitToSequence
 *
 * All nodes of a group are in one graph; nodes in a branch or loop body form groups of their own.
 * Candidates are collected while the graph runs, and checked at its end, when all are known.
 * Results that are the same in every run (constants, values, the arithmetic of shapes) need no
 * kernel. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/graph/ops_engine.h"
#include "shapes/cuts.h"
#include "shapes/operators.h"

#define DATA_INPUT 0

/* One node of a group, and its range of the axis. */
typedef struct slice_member {
    const sg_graph_node *node;
    int64_t order; /* position among the members in graph order */
    int64_t start; /* for a sequence: the number of the element */
    int64_t length;
    bool without_axis;
} slice_member;

typedef struct slice_group {
    struct slice_group *next; /* in graph order of the first nodes */
    const char *op_type;
    const char *tensor;
    const sg_fact *data;        /* what is known of the tensor */
    const sg_graph_node *first; /* its place becomes the place of the group */
    int64_t axis;
    int64_t place;        /* index in the list of ops, where the op is inserted */
    int64_t order;        /* position of the first node in graph order */
    const char *sequence; /* the output of a SplitToSequence; NULL for Slices and Gathers */
    const sg_fact *made;  /* what is known of the sequence */
    slice_member *members;
    int64_t count;
    int64_t capacity;
} slice_group;

struct sg_ops_slice_groups {
    sg_nameset groups; /* operator, axis and tensor, or name of a sequence -> index in the list */
    slice_group **list;
    int64_t count;
    int64_t capacity;
};

/* --- why a node is in no group ---------------------------------------------------------------- */

void sg_ops_note_apart(const sg_ops *ops, const sg_graph_node *node, sg_graph_ops_word word,
                       const char *what, const char *why)
{
    sg_graph_found *found = ops->options->found;
    if (found == NULL || !sg_graph_takes(ops->options, word)) {
        return;
    }
    if (found->napart < SG_GRAPH_APART_MAX) {
        found->apart[found->napart] =
            (sg_graph_apart){sg_arena_printf(ops->arena, "%s '%s' %s: %s", node->op_type,
                                             sg_graph_node_name(node), what, why),
                             node->span};
    }
    ++found->napart;
}

/* Stores why a node, or a group that begins with it, is in no slice group. */
static void note_apart(const sg_ops *ops, const sg_graph_node *node, const char *why)
{
    sg_ops_note_apart(ops, node, SG_GRAPH_OPS_SLICE, "is in no slice group", why);
}

/* --- collecting ------------------------------------------------------------------------------- */

/* Whether the tensor holds data of the network, which differs from run to run, rather than
 * shapes. */
static bool is_data(const sg_fact *fact)
{
    if (fact == NULL || !fact->has_rank || fact->rank < 1 || fact->constant != SG_FACT_VARIES ||
        fact->is_sequence) {
        return false;
    }
    for (int64_t i = 0; fact->has_values && i < fact->count; ++i) {
        if (fact->values[i].kind != SG_FACT_UNKNOWN) {
            return false;
        }
    }
    return true;
}

static slice_group *find_group(const sg_ops_slice_groups *families, const char *key)
{
    const sg_nameset_entry *entry =
        families != NULL ? sg_nameset_find(&families->groups, key) : NULL;
    return entry != NULL ? families->list[entry->value] : NULL;
}

static slice_group *add_group(sg_ops *ops, sg_infer_scope *scope, const char *key,
                              const sg_graph_node *node, const sg_fact *data, int64_t axis)
{
    if (sg_ops_graph_of(ops, scope)->families == NULL) {
        sg_ops_graph_of(ops, scope)->families = SG_NEW(ops->arena, sg_ops_slice_groups);
        sg_nameset_init(&sg_ops_graph_of(ops, scope)->families->groups, ops->arena);
    }
    sg_ops_slice_groups *families = sg_ops_graph_of(ops, scope)->families;
    families->list = SG_GROWN(ops->arena, families->list, families->count, families->capacity);
    slice_group *group = SG_NEW(ops->arena, slice_group);
    *group = (slice_group){.op_type = node->op_type,
                           .tensor = node->inputs[DATA_INPUT],
                           .data = data,
                           .first = node,
                           .axis = axis,
                           .place = ops->list->count,
                           .order = sg_infer_visits(ops->infer)};
    sg_nameset_add(&families->groups, key, families->count);
    families->list[families->count++] = group;
    return group;
}

static void add_member(sg_ops *ops, slice_group *group, slice_member member)
{
    group->members = SG_GROWN(ops->arena, group->members, group->count, group->capacity);
    member.order = group->count;
    group->members[group->count++] = member;
}

bool sg_ops_slice_group_cuts(const sg_graph_node *node)
{
    const sg_operator_kind kind = sg_operator_of(node)->kind;
    return node->ninputs > 0 && node->inputs[DATA_INPUT][0] != '\0' &&
           (kind == SG_OPERATOR_RANGES || kind == SG_OPERATOR_STRIDED ||
            kind == SG_OPERATOR_INDEX || kind == SG_OPERATOR_SEQUENCE_SPLIT);
}

static void see_cutter(sg_ops *ops, sg_infer_scope *scope, const sg_graph_node *node,
                       const sg_fact *const *inputs)
{
    sg_cut c = {0};
    if (!is_data(inputs[DATA_INPUT])) {
        return;
    }
    if (!sg_cut_range(ops->arena, node, inputs, &c)) {
        note_apart(ops, node, c.why);
        return;
    }
    const char *tensor = node->inputs[DATA_INPUT];
    const char *key =
        sg_arena_printf(ops->arena, "%s\1%" PRId64 "\1%s", node->op_type, c.axis, tensor);
    slice_group *group = find_group(sg_ops_graph_of(ops, scope)->families, key);
    if (group == NULL) {
        group = add_group(ops, scope, key, node, inputs[DATA_INPUT], c.axis);
    }
    add_member(ops, group, (slice_member){node, 0, c.start, c.length, c.without_axis});
}

/* --- sequences -------------------------------------------------------------------------------- */

/* The first byte of a key distinguishes names of sequences from keys of tensors. */
static const char *sequence_key(sg_ops *ops, const char *name)
{
    return sg_arena_printf(ops->arena, "\2%s", name);
}

/* Whether each element of the sequence has a known length along the axis, or is one index without
 * the axis. */
static bool lengths_known(const sg_fact *made, int64_t rank, int64_t axis)
{
    for (int64_t i = 0; i < made->nelements; ++i) {
        const sg_fact *element = made->elements[i];
        const bool known = element->has_rank &&
                           (element->rank == rank - 1 ||
                            (element->rank == rank && element->dims[axis].kind == SG_FACT_INT));
        if (!known) {
            return false;
        }
    }
    return made->nelements > 0;
}

static void see_sequence(sg_ops *ops, sg_infer_scope *scope, const sg_graph_node *node,
                         const sg_fact *const *inputs, const sg_fact *made)
{
    const sg_fact *data = inputs[DATA_INPUT];
    const int64_t place = is_data(data) ? sg_operator_axis(node, inputs, data->rank) : -1;
    if (place < 0 || !made->is_sequence || data->dims[place].kind != SG_FACT_INT ||
        !lengths_known(made, data->rank, place)) {
        return;
    }
    slice_group *group =
        add_group(ops, scope, sequence_key(ops, node->outputs[0]), node, data, place);
    group->sequence = node->outputs[0];
    group->made = made;
}

/* Adds a SequenceAt, whose `start` is the number of the element. */
static void see_element(sg_ops *ops, sg_infer_scope *scope, const sg_graph_node *node,
                        const sg_fact *const *inputs)
{
    slice_group *group = find_group(sg_ops_graph_of(ops, scope)->families,
                                    sequence_key(ops, node->inputs[DATA_INPUT]));
    slice_member member = {.node = node, .start = sg_infer_element(node, inputs)};
    if (group != NULL && member.start >= 0) {
        add_member(ops, group, member);
        return;
    }
    const sg_graph_node *made = sg_ops_writer(ops, scope, node->inputs[DATA_INPUT]);
    if (group != NULL) {
        note_apart(ops, node, "its index is not constant");
    } else if (made != NULL && sg_operator_of(made)->kind == SG_OPERATOR_SEQUENCE_SPLIT) {
        note_apart(ops, node, "how its sequence is split is not known");
    }
}

void sg_ops_slice_group_see(sg_ops *ops, sg_infer_scope *scope, const sg_graph_node *node,
                            const sg_fact *const *inputs, sg_fact *const *outputs)
{
    if (node->ninputs == 0 || node->noutputs != 1 || node->outputs[0][0] == '\0') {
        return;
    }
    if (sg_operator_of(node)->kind == SG_OPERATOR_SEQUENCE_AT) {
        see_element(ops, scope, node, inputs);
    } else if (sg_operator_of(node)->kind == SG_OPERATOR_SEQUENCE_SPLIT) {
        see_sequence(ops, scope, node, inputs, outputs[0]);
    } else if (sg_ops_slice_group_cuts(node)) {
        see_cutter(ops, scope, node, inputs);
    }
}

/* --- checking --------------------------------------------------------------------------------- */

/* Sorts along the axis. Of members with the same start, the empty ones come first. */
static int compare_members(const void *a, const void *b)
{
    const slice_member *x = a;
    const slice_member *y = b;
    const int64_t pairs[][2] = {{x->start, y->start}, {x->length, y->length}, {x->order, y->order}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; ++i) {
        if (pairs[i][0] != pairs[i][1]) {
            return pairs[i][0] < pairs[i][1] ? -1 : 1;
        }
    }
    return 0;
}

static bool same_range(const slice_member *a, const slice_member *b)
{
    return a->start == b->start && a->length == b->length;
}

/* Whether sorted members are disjoint. Two equal ranges overlap, even if they are empty; otherwise
 * an empty range overlaps nothing. */
static bool are_disjoint(const slice_member *members, int64_t count)
{
    int64_t end = 0;
    for (int64_t i = 0; i < count; ++i) {
        if ((i > 0 && same_range(&members[i - 1], &members[i])) ||
            (members[i].length > 0 && members[i].start < end)) {
            return false;
        }
        end = members[i].length > 0 ? members[i].start + members[i].length : end;
    }
    return true;
}

/* Why sorted members form no group. */
static const char *why_apart(sg_ops *ops, const slice_group *group)
{
    if (group->count < 2) {
        return sg_arena_printf(ops->arena,
                               "no other %s cuts '%s' along axis %" PRId64
                               ", and two or more form a group",
                               group->first->op_type, group->tensor, group->axis);
    }
    const slice_member *members = group->members;
    int64_t i = 1;
    while (i < group->count && !same_range(&members[i - 1], &members[i]) &&
           (members[i].length == 0 ||
            members[i].start >= members[i - 1].start + members[i - 1].length)) {
        ++i;
    }
    i -= i == group->count ? 1 : 0;
    return sg_arena_printf(
        ops->arena,
        "it overlaps another one of '%s' along axis %" PRId64 ": '%s' takes %" PRId64 " to %" PRId64
        " and '%s' %" PRId64 " to %" PRId64,
        group->tensor, group->axis, sg_graph_node_name(members[i - 1].node), members[i - 1].start,
        members[i - 1].start + members[i - 1].length, sg_graph_node_name(members[i].node),
        members[i].start, members[i].start + members[i].length);
}

/* Sorts the members and checks them. SequenceAts always form a group: each takes a part of a Split,
 * and several may take the same one. */
static bool is_family(slice_group *group)
{
    if (group->count < 2) {
        return false;
    }
    qsort(group->members, (size_t)group->count, sizeof group->members[0], compare_members);
    return group->sequence != NULL || are_disjoint(group->members, group->count);
}

/* --- ops -------------------------------------------------------------------------------------- */

/* The parts of a group in the order of the axis. */
typedef struct parts {
    int64_t *lengths;
    sg_op_output *outputs;
    const char **names;
    int64_t count;
    int64_t end; /* end of the last part on the axis */
} parts;

static parts new_parts(sg_ops *ops, int64_t most)
{
    return (parts){.lengths = SG_NEW_ARRAY(ops->arena, int64_t, most),
                   .outputs = SG_NEW_ARRAY(ops->arena, sg_op_output, most),
                   .names = SG_NEW_ARRAY(ops->arena, const char *, most)};
}

/* node: NULL for a part that no node takes. */
static void add_part(parts *p, const slice_group *group, int64_t length, const sg_graph_node *node,
                     bool without_axis)
{
    const int64_t i = p->count++;
    p->lengths[i] = length;
    p->names[i] = node != NULL ? node->outputs[0] : "";
    p->outputs[i] = (sg_op_output){.name = node != NULL ? node->outputs[0] : NULL,
                                   .wanted = node != NULL,
                                   .without_axis = node != NULL && without_axis,
                                   .span = node != NULL ? node->span : group->first->span};
    p->end += length;
}

/* The members as parts, with unwanted parts for the indices between them. */
static parts parts_of_ranges(sg_ops *ops, const slice_group *group)
{
    const int64_t extent = group->data->dims[group->axis].as.integer;
    parts p = new_parts(ops, 2 * group->count + 1);
    for (int64_t i = 0; i < group->count; ++i) {
        const slice_member *m = &group->members[i];
        if (m->start > p.end) {
            add_part(&p, group, m->start - p.end, NULL, false);
        }
        add_part(&p, group, m->length, m->node, m->without_axis);
    }
    if (extent > p.end) {
        add_part(&p, group, extent - p.end, NULL, false);
    }
    return p;
}

/* The elements of a sequence as parts. If several nodes take the same one, the part is named after
 * the first output that is read. */
static parts parts_of_sequence(sg_ops *ops, sg_infer_scope *scope, const slice_group *group)
{
    const sg_fact *sequence = group->made;
    parts p = new_parts(ops, sequence->nelements);
    int64_t at = 0;
    for (int64_t i = 0; i < sequence->nelements; ++i) {
        const sg_graph_node *taken = NULL;
        for (; at < group->count && group->members[at].start == i; ++at) {
            const sg_graph_node *node = group->members[at].node;
            const bool is_read = taken != NULL && sg_ops_is_read(ops, scope, taken->outputs[0]);
            taken = is_read ? taken : node;
        }
        const sg_fact *element = sequence->elements[i];
        const bool without_axis = element->rank < group->data->rank;
        const int64_t length = without_axis ? 1 : element->dims[group->axis].as.integer;
        add_part(&p, group, length, taken, without_axis);
    }
    return p;
}

/* A node that represents the group, for messages and the origin of the op. */
static const sg_graph_node *node_of(sg_ops *ops, const slice_group *group, const parts *p)
{
    sg_graph_node *node = SG_NEW(ops->arena, sg_graph_node);
    const char **inputs = SG_NEW(ops->arena, const char *);
    *node = *group->first;
    inputs[0] = group->tensor;
    node->name = group->tensor;
    node->inputs = inputs;
    node->ninputs = 1;
    node->outputs = p->names;
    node->noutputs = p->count;
    node->output_spans = NULL;
    return node;
}

/* Names in graph order, which is the order of the members' numbers. */
static const char **names_of(sg_ops *ops, const slice_group *group)
{
    const char **names = SG_NEW_ARRAY(ops->arena, const char *, group->count);
    for (int64_t i = 0; i < group->count; ++i) {
        names[group->members[i].order] = sg_graph_node_name(group->members[i].node);
    }
    return names;
}

static void fill_parts(sg_ops *ops, const slice_group *group, const parts *p, sg_op *op)
{
    const sg_span span = group->first->span;
    op->lengths = (sg_op_list){.present = true, .count = p->count, .span = span};
    op->lengths.items = SG_NEW_ARRAY(ops->arena, sg_op_num, p->count);
    for (int64_t i = 0; i < p->count; ++i) {
        op->lengths.items[i] = (sg_op_num){.value = p->lengths[i], .span = p->outputs[i].span};
    }
    op->outputs =
        (sg_op_outputs){.present = true, .count = p->count, .items = p->outputs, .span = span};
    op->axis = (sg_op_int){true, group->axis, span};
}

static sg_op_origin *origin_of(sg_ops *ops, sg_infer_scope *scope, const slice_group *group,
                               const sg_graph_node *node)
{
    sg_op_origin *origin = sg_ops_origin(ops, scope, node);
    origin->nodes = names_of(ops, group);
    origin->nnodes = group->count;
    if (group->sequence != NULL && sg_ops_reads(ops, scope, group->sequence) != group->count) {
        origin->kept = sg_arena_printf(
            ops->arena, "the sequence '%s', which is made of '%s', is not only read by SequenceAt",
            group->sequence, group->tensor);
    }
    return origin;
}

static void name_nodes(sg_ops *ops, const slice_group *group, sg_op *op)
{
    sg_ops_say_node(ops, op, group->first->span,
                    sg_arena_printf(ops->arena, "these are %s x %" PRId64 ", which split '%s'",
                                    group->op_type, group->count, group->tensor));
}

/* Moves the last op of the list to the position of the group's first node. */
static void move_to(sg_op_array *list, int64_t place)
{
    sg_op *op = list->items[list->count - 1];
    memmove(&list->items[place + 1], &list->items[place],
            (size_t)(list->count - 1 - place) * sizeof list->items[0]);
    list->items[place] = op;
}

/* Makes the op of a slice group at an index of the list. Returns NULL if the group stays
 * unresolved. */
static sg_op *make_op(sg_ops *ops, sg_infer_scope *scope, const slice_group *group, int64_t place)
{
    const parts p = group->sequence != NULL ? parts_of_sequence(ops, scope, group)
                                            : parts_of_ranges(ops, group);
    const sg_graph_node *node = node_of(ops, group, &p);
    sg_ops_unresolved *lacking = sg_ops_unresolved_new(ops, node, group->tensor);
    const sg_op_kind kind =
        sg_graph_is_onnx(group->first) ? SG_OP_SLICE_GROUP : SG_OP_OPENVINO_SLICE_GROUP;
    sg_op *op = sg_op_new(ops->arena, ops->list, kind, group->first->span);
    sg_ops_fill_shape(ops, lacking, group->data, group->axis, op);
    if (lacking->needs.count > 0) {
        sg_ops_unresolved_add(ops, lacking);
        --ops->list->count;
        return NULL;
    }
    fill_parts(ops, group, &p, op);
    op->subject->unclear = true;
    op->origin = origin_of(ops, scope, group, node);
    sg_ops_leave_unread(ops, op);
    name_nodes(ops, group, op);
    sg_ops_made(ops, scope, op);
    move_to(ops->list, place);
    return op;
}

void sg_ops_slice_group_make(sg_ops *ops, sg_infer_scope *scope)
{
    const sg_ops_slice_groups *families = sg_ops_graph_of(ops, scope)->families;
    int64_t made = 0;
    for (int64_t i = 0; families != NULL && i < families->count; ++i) {
        slice_group *group = families->list[i];
        if (!is_family(group)) {
            if (group->count > 0) {
                note_apart(ops, group->first, why_apart(ops, group));
            }
            continue;
        }
        sg_graph_count(ops->options, SG_GRAPH_OPS_SLICE);
        if (!sg_graph_takes(ops->options, SG_GRAPH_OPS_SLICE)) {
            continue;
        }
        sg_op *op = NULL;
        if (sg_graph_is_chosen(ops->options, group->tensor)) {
            op = make_op(ops, scope, group, group->place + made);
            made += op != NULL ? 1 : 0;
        }
        sg_ops_name_later(ops,
                          (sg_ops_named){.order = group->order, .name = group->tensor, .op = op});
    }
}
