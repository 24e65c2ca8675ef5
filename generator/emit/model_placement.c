/* The placements of a unit as templates see them. */
#include "emit/model.h"
#include "emit/symbols.h"
#include "split/names.h"

static const char *const kinds[] = {[SG_PLACE_INNER] = "inner",
                                    [SG_PLACE_INPUT] = "input",
                                    [SG_PLACE_OUTPUT] = "output",
                                    [SG_PLACE_CACHE] = "cache",
                                    [SG_PLACE_CONSTANT] = "constant"};

/* Empty if the number says everything. */
static const char *text_of(sg_arena *arena, const sg_sum *sum)
{
    return sg_sum_is_number(sum) ? "" : sg_sum_text(arena, sum, SG_SUM_NUMBERED);
}

static const char *bytes_text(sg_arena *arena, const sg_sum *bits)
{
    return sg_sum_is_number(bits) ? "" : sg_place_bytes_text(arena, bits);
}

static sg_model_text *texts_of(sg_arena *arena, const sg_sum *sums, int64_t count)
{
    sg_model_text *texts = SG_NEW_ARRAY(arena, sg_model_text, count);
    for (int64_t i = 0; i < count; i++) {
        texts[i].text = text_of(arena, &sums[i]);
    }
    return texts;
}

static void build_buffer(sg_arena *arena, const sg_place_buffer *from, sg_model_place_buffer *to)
{
    *to =
        (sg_model_place_buffer){.owner = from->kind == SG_PLACE_INNER ? "arena" : kinds[from->kind],
                                .bytes = from->bytes,
                                .bytes_sum = bytes_text(arena, &from->bits),
                                .offset = from->offset,
                                .first = from->first,
                                .last = from->last};
}

/* The factor of a sum that has only one open dimension; 0: it has none, or others. */
static int64_t step_of(const sg_sum *sum)
{
    int64_t step = 0;
    for (int64_t i = 0; i < sum->count; i++) {
        const sg_sum_term *term = &sum->terms[i];
        if (term->count > 1 || (term->count == 1 && step != 0)) {
            return 0;
        }
        step = term->count == 1 ? term->number : step;
    }
    return step;
}

static void list_readers(sg_arena *arena, const sg_placement *graph, const sg_place_tensor *from,
                         sg_model_place_tensor *to)
{
    to->readers = SG_NEW_ARRAY(arena, sg_model_text, graph->nnodes);
    for (int64_t n = 0; n < graph->nnodes; n++) {
        if (sg_place_reads(&graph->nodes[n], from - graph->tensors)) {
            to->readers[to->nreaders++].text = graph->nodes[n].name;
        }
    }
}

/* owner: the tensor of a caller's buffer; NULL for the arena. */
static void build_tensor(sg_arena *arena, const sg_placement *graph, const sg_place_tensor *from,
                         const sg_place_tensor *owner, const char *macro, sg_model_place_tensor *to)
{
    const bool strided = from->buffer >= 0 && from->element > 0;
    const bool sized = strided && from->bytes > 0;
    const int64_t bytes = sized ? sg_place_span(from, from->dims) : from->bytes;
    const sg_sum bits = sized && from->sizes != NULL && from->steps != NULL
                            ? sg_place_span_bits(arena, from)
                            : from->bits;
    *to = (sg_model_place_tensor){
        .name = from->name,
        .macro = macro,
        .owner = owner != NULL ? owner->name : "",
        .dtype =
            from->dtype != SG_GRAPH_DTYPE_UNKNOWN ? sg_dtype_get((sg_dtype)from->dtype)->name : "",
        .known = from->known,
        .dims = from->dims,
        .ndims = from->known ? from->rank : 0,
        .bytes = bytes,
        .kind = kinds[from->kind],
        .buffer = from->buffer,
        .byte_offset = from->offset,
        .first = from->first,
        .last = from->last,
        .over = from->over != NULL ? from->over : "",
        .apart = bytes != from->bytes,
        .strides = from->strides,
        .nstrides = strided ? from->rank : 0,
        .bytes_sum = bytes_text(arena, &bits),
        .byte_offset_sum = text_of(arena, &from->from),
        .capacity = from->capacity,
        .copy_of = from->copy_of >= 0 ? graph->tensors[from->copy_of].name : ""};
    if (from->copy_of >= 0) {
        list_readers(arena, graph, from, to);
    }
    if (owner != NULL && owner->capacity > 0) {
        to->step = step_of(&from->from);
        to->first_offset = sg_sum_constant(&from->from);
    }
    bool open = false;
    for (int64_t d = 0; from->known && d < from->rank; d++) {
        open = open || from->open[d];
    }
    if (open) {
        to->dim_sums = texts_of(arena, from->sizes, from->rank);
        to->ndim_sums = from->rank;
    }
    if (strided && from->sizes != NULL) {
        to->stride_sums = texts_of(arena, from->steps, from->rank);
        to->nstride_sums = from->rank;
    }
}

static void build_node(sg_arena *arena, const sg_placement *graph, int64_t index,
                       sg_model_place_node *to)
{
    const sg_place_node *from = &graph->nodes[index];
    *to = (sg_model_place_node){.index = index,
                                .node = from->name,
                                .op_type = from->op_type,
                                .kernel = "",
                                .whole = graph->tensors[from->whole].name,
                                .past = "",
                                .at_sum = ""};
    if (from->past >= 0) {
        const sg_place_tensor *past = &graph->tensors[from->past];
        const int64_t axis = from->axis;
        to->past = past->name;
        to->at = past->dims[axis] * past->strides[axis];
        if (past->sizes != NULL) {
            const sg_sum at = sg_sum_times(arena, &past->steps[axis], &past->sizes[axis]);
            to->at_sum = text_of(arena, &at);
        }
    }
    to->parts = SG_NEW_ARRAY(arena, sg_model_text, from->nparts);
    to->copies = SG_NEW_ARRAY(arena, sg_model_text, from->nparts);
    for (int64_t i = 0; i < from->nparts; i++) {
        const char *name = graph->tensors[from->parts[i].tensor].name;
        to->parts[to->nparts++].text = name;
        if (from->parts[i].copied) {
            to->copies[to->ncopies++].text = name;
        }
    }
    if (to->ncopies > 0 && from->split != NULL) {
        to->kernel = from->split->name;
    }
}

/* The macro prefixes of a graph: of its arena, and of each tensor with a place. */
static void name_placement(sg_arena *arena, const sg_unit *unit, const sg_placement *graph,
                           sg_nameset *macros, const char **arena_macro, const char **tensors)
{
    const char *name =
        sg_arena_printf(arena, "%s%s", unit->prefix, sg_name_from_path(arena, graph->model));
    for (int64_t i = 0; i < graph->npath; i++) {
        name =
            sg_arena_printf(arena, "%s_%s", name, sg_name_from(arena, sg_str_from(graph->path[i])));
    }
    *arena_macro = sg_symbols_macro(macros, name, "arena");
    for (int64_t i = 0; i < graph->ntensors; i++) {
        const sg_place_tensor *tensor = &graph->tensors[i];
        tensors[i] =
            tensor->buffer < 0
                ? ""
                : sg_symbols_macro(macros, name, sg_name_from(arena, sg_str_from(tensor->name)));
    }
}

static void build_placement(sg_arena *arena, const sg_unit *unit, const sg_placement *from,
                            sg_nameset *macros, sg_model_placement *to)
{
    const char **names = SG_NEW_ARRAY(arena, const char *, from->ntensors);
    const char *arena_macro = NULL;
    name_placement(arena, unit, from, macros, &arena_macro, names);
    *to = (sg_model_placement){.model = from->model,
                               .macro = arena_macro,
                               .all_nodes = from->nnodes,
                               .optimal = from->optimal,
                               .arena = from->arena,
                               .alignment = from->alignment,
                               .live = from->live,
                               .bytes_moved = from->bytes_moved,
                               .bytes_copied = from->bytes_copied,
                               .uncounted = from->uncounted,
                               .npath = from->npath,
                               .nbuffers = from->nbuffers,
                               .ntensors = from->ntensors};
    to->path = SG_NEW_ARRAY(arena, sg_model_text, from->npath);
    for (int64_t i = 0; i < from->npath; i++) {
        to->path[i].text = from->path[i];
    }
    to->noperators = from->noperators;
    to->operators = SG_NEW_ARRAY(arena, sg_model_text, from->noperators);
    for (int64_t i = 0; i < from->noperators; i++) {
        const sg_graph_node *node = from->operators[i];
        to->operators[i].text = sg_graph_is_onnx(node)
                                    ? node->op_type
                                    : sg_arena_printf(arena, "%s.%s", node->domain, node->op_type);
    }
    to->nopen = from->nopen;
    to->open = SG_NEW_ARRAY(arena, sg_model_place_open, from->nopen);
    for (int64_t i = 0; i < from->nopen; i++) {
        to->open[i] =
            (sg_model_place_open){sg_sum_name_text(arena, from->open[i].name, SG_SUM_NUMBERED),
                                  from->open[i].expected,
                                  from->open[i].tensor != NULL ? from->open[i].tensor : "",
                                  from->open[i].dim,
                                  from->open[i].least,
                                  from->open[i].most};
    }
    to->buffers = SG_NEW_ARRAY(arena, sg_model_place_buffer, from->nbuffers);
    for (int64_t i = 0; i < from->nbuffers; i++) {
        build_buffer(arena, &from->buffers[i], &to->buffers[i]);
    }
    const sg_place_tensor **owners = SG_NEW_ARRAY(arena, const sg_place_tensor *, from->nbuffers);
    for (int64_t i = 0; i < from->ntensors; i++) {
        const sg_place_tensor *tensor = &from->tensors[i];
        if (tensor->buffer >= 0 && tensor->kind != SG_PLACE_INNER) {
            owners[tensor->buffer] = tensor;
        }
    }
    to->tensors = SG_NEW_ARRAY(arena, sg_model_place_tensor, from->ntensors);
    for (int64_t i = 0; i < from->ntensors; i++) {
        const int64_t buffer = from->tensors[i].buffer;
        build_tensor(arena, from, &from->tensors[i], buffer >= 0 ? owners[buffer] : NULL, names[i],
                     &to->tensors[i]);
    }
    to->nodes = SG_NEW_ARRAY(arena, sg_model_place_node, from->nnodes);
    for (int64_t i = 0; i < from->nnodes; i++) {
        if (from->nodes[i].move != SG_PLACE_OPAQUE) {
            build_node(arena, from, i, &to->nodes[to->nnodes++]);
        }
    }
}

void sg_model_placements(sg_arena *arena, sg_nameset *macros, sg_model *model)
{
    const sg_unit *unit = model->unit;
    model->nplacements = unit->nplacements;
    model->placements = SG_NEW_ARRAY(arena, sg_model_placement, unit->nplacements);
    for (int64_t i = 0; i < unit->nplacements; i++) {
        build_placement(arena, unit, &unit->placements[i], macros, &model->placements[i]);
    }
}
