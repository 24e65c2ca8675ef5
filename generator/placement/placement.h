/* placement: where every tensor of a model's graphs lies, so that nodes that only move data copy as
 * little as possible. Offsets and strides count bytes. All memory belongs to the arena of the
 * watcher.
 *
 * Open dimensions count as expected, but what is not copied need not be copied for any of their
 * numbers, and what depends on them is there as a sum, too. */
#ifndef SG_PLACEMENT_PLACEMENT_H
#define SG_PLACEMENT_PLACEMENT_H

#include "base/arena.h"
#include "base/diag.h"
#include "placement/sums.h"
#include "shapes/shapes.h"
#include "split/split.h"

/* Where buffers begin in the arena: multiples of it. */
#define SG_PLACE_ALIGN INT64_C(64)

typedef enum sg_place_kind {
    SG_PLACE_INNER,   /* made and read within the graph: in the arena, or in another tensor */
    SG_PLACE_INPUT,   /* the caller's, or of the graph around this one; dense, never written */
    SG_PLACE_OUTPUT,  /* the caller's; dense, and of no use before it is written */
    SG_PLACE_CONSTANT /* the same in every run, so that no node has to make it; dense */
} sg_place_kind;

typedef struct sg_place_tensor {
    const char *name;
    int dtype; /* sg_dtype, or SG_GRAPH_DTYPE_UNKNOWN */
    sg_place_kind kind;
    bool known; /* its size is; otherwise it has no place */
    int64_t rank;
    const int64_t *dims;
    const bool *open; /* of each dimension */
    int64_t element;  /* bytes; 0: its elements are packed */
    int64_t bytes;
    int64_t first;  /* the node that writes it; -1: it is there before */
    int64_t last;   /* the last node that reads it; that it is written by if none does */
    int64_t buffer; /* -1: it has no place, or is a constant */
    int64_t offset;
    int64_t *strides;
    const sg_place_sum *sizes; /* its dims; NULL: none is open, and what follows is not set */
    sg_place_sum bits;         /* of its elements */
    sg_place_sum from;         /* its offset */
    const sg_place_sum *steps; /* its strides */
} sg_place_tensor;

/* What a node does, as far as placement knows it. */
typedef enum sg_place_move {
    SG_PLACE_OPAQUE, /* it computes: reads and writes tensors of its own */
    SG_PLACE_ALIAS,  /* part 0 has the bytes of the whole in the same order */
    SG_PLACE_SPLIT,  /* parts are pieces of the whole, by a kernel */
    SG_PLACE_CONCAT  /* the whole is made of the parts, by a kernel */
} sg_place_move;

typedef struct sg_place_part {
    int64_t tensor;
    int64_t start; /* on the axis of the whole */
    int64_t length;
    bool without_axis; /* its tensor lacks the axis */
    int64_t index;     /* in the parts of the kernel's split */
    bool copied;       /* otherwise it lies where the whole has it */
} sg_place_part;

typedef struct sg_place_node {
    const char *name;
    const char *op_type;
    sg_place_move move;
    const int64_t *reads; /* tensors */
    int64_t nreads;
    const int64_t *writes;
    int64_t nwrites;
    int64_t whole; /* of those that move data */
    int64_t axis;
    sg_place_part *parts;
    int64_t nparts;
    sg_split *split; /* whose kernel copies; NULL: of an alias, that whoever runs the node copies */
} sg_place_node;

typedef struct sg_place_buffer {
    sg_place_kind kind; /* of the tensor that it belongs to */
    int64_t bytes;
    int64_t first;     /* the first node that writes it */
    int64_t last;      /* the last node that reads it */
    int64_t offset;    /* in the arena, of inner ones; otherwise 0 */
    sg_place_sum bits; /* its bytes, if they depend on open dimensions; otherwise 0 */
} sg_place_buffer;

/* A graph of a model: its own, or that of a control-flow node or of a called function. */
typedef struct sg_placement {
    const char *model;
    const char **path; /* the nodes around it, outermost first */
    int64_t npath;
    sg_place_tensor *tensors;
    int64_t ntensors;
    sg_place_node *nodes;
    int64_t nnodes;
    sg_place_buffer *buffers;
    int64_t nbuffers;
    sg_place_open *open; /* all that sums are of */
    int64_t nopen;
    bool optimal;         /* no other choice of parts that are not copied saves more bytes */
    int64_t arena;        /* bytes */
    int64_t live;         /* the largest sum of inner buffers that are needed at one node */
    int64_t bytes_moved;  /* if every node that moves data were a copy */
    int64_t bytes_copied; /* by this plan */
} sg_placement;

/* Operators, beside those that move data, that can write and read tensors whose rows lie apart. */
typedef struct sg_place_options {
    const char *const *strided; /* they write */
    int64_t nstrided;
    const char *const *strided_read;
    int64_t nstrided_read;
} sg_place_options;

/* Watches inference and keeps what placement needs of every graph. */
typedef struct sg_place_watch sg_place_watch;
sg_place_watch *sg_place_watch_new(sg_arena *arena);
/* For inference over one model, whose file is called so. */
const sg_infer_watcher *sg_place_watcher(sg_place_watch *watch, const char *model);

/* Plans every graph that was watched, for kernels of these splits, and marks which parts these
 * copy. *count of them. NULL: a plan does not hold, which is reported (SG_EXIT_BUG). */
sg_placement *sg_place_all(sg_place_watch *watch, sg_diag *diag, sg_split *const *splits,
                           int64_t count, const sg_place_options *options, int64_t *ngraphs);

/* The steps of sg_place_all, for tests.
 *
 * unite.c: gives every tensor a buffer, an offset and strides, and says which parts are copied. */
void sg_place_unite(sg_arena *arena, sg_placement *graph, const sg_place_options *options);
/* layout_arena.c: gives inner buffers their places in the arena. */
void sg_place_arena(sg_arena *arena, sg_placement *graph);
/* prove.c: whether every node finds what it reads, which it takes from the meaning of the nodes
 * alone. NULL, or what is wrong. */
const char *sg_place_prove(sg_arena *arena, const sg_placement *graph,
                           const sg_place_options *options);

/* Bytes from the first to the last one of a tensor that has these dimensions, none of them 0. */
int64_t sg_place_span(const sg_place_tensor *tensor, const int64_t *dims);
/* Whether the list of operators has this one. */
bool sg_place_listed(const char *const *list, int64_t count, const char *op_type);

#endif
