/* placement: decides where each tensor of a model's graphs is stored, so that nodes that only move
 * data copy as little as possible. Offsets and strides are in bytes. All memory belongs to the
 * arena of the watcher.
 *
 * Sizes and offsets are for the expected numbers of open dimensions. Values that depend on open
 * dimensions are also available as sums (sums/sum.h). A part that is not copied needs no copy for
 * any number. */
#ifndef SG_PLACEMENT_PLACEMENT_H
#define SG_PLACEMENT_PLACEMENT_H

#include "base/arena.h"
#include "base/diag.h"
#include "sums/sum.h"
#include "shapes/cuts.h"
#include "shapes/shapes.h"
#include "split/split.h"

/* An open dimension, or a size that follows from such ones and is no sum of them. */
typedef struct sg_place_open {
    const char *name;
    int64_t expected;
    int64_t least; /* from which on the plan holds: 0 stands for 1, except for a cache */
    int64_t most;  /* the largest number, if it is the length of a cache; else 0 */
    /* of a size that follows; otherwise NULL */
    const sg_sum_follower *follows;
    const char
        *tensor; /* that has this size as its dimension `dim`; NULL: no tensor of the graph */
    int64_t dim;
} sg_place_open;

/* Sets of numbers for all open dimensions: the expected ones; those with which the planner checks
 * that a plan holds for every number; and those with which the proof checks it. */
enum {
    SG_PLACE_EXPECTED,
    SG_PLACE_PLANNED,                       /* this and the next one */
    SG_PLACE_PROVED = SG_PLACE_PLANNED + 2, /* this and the next one */
    SG_PLACE_NUMBERS = SG_PLACE_PROVED + 2
};

/* The alignment of buffers in the arena: the default, and its limits. */
#define SG_PLACE_ALIGN       INT64_C(64)
#define SG_PLACE_ALIGN_LEAST INT64_C(4)
#define SG_PLACE_ALIGN_MOST  INT64_C(4096)

typedef enum sg_place_kind {
    /* written and read inside the graph: in the arena, or inside another tensor */
    SG_PLACE_INNER,
    SG_PLACE_INPUT,   /* belongs to the caller or the outer graph; dense, never written */
    SG_PLACE_OUTPUT,  /* belongs to the caller; dense, and undefined until it is written */
    SG_PLACE_CACHE,   /* only of buffers: an input and an output, which a Concat adds to */
    SG_PLACE_CONSTANT /* the same in every run, so that no node needs to write it; dense */
} sg_place_kind;

typedef struct sg_place_tensor {
    const char *name;
    int dtype; /* sg_dtype, or SG_GRAPH_DTYPE_UNKNOWN */
    sg_place_kind kind;
    bool known;       /* its size is known; otherwise it has no place */
    const char *why;  /* why its size is not known; NULL: it is, or nothing is to be said */
    bool is_sequence; /* of tensors; it has no size */
    int64_t rank;
    const int64_t *dims;
    const bool *open; /* for each dimension */
    int64_t element;  /* in bytes; 0: elements are packed */
    int64_t bytes;
    int64_t first;  /* the node that writes it; -1: it exists before the graph runs */
    int64_t last;   /* the last node that reads it, or the one that writes it if none does */
    int64_t buffer; /* -1: it has no place, or is a constant */
    int64_t offset;
    int64_t *strides;
    /* its dims; NULL: the graph has no open dimension, and the members below are not set */
    const sg_sum *sizes;
    sg_sum bits;         /* its size in bits */
    sg_sum from;         /* its offset */
    const sg_sum *steps; /* its strides */
    /* Of a cache's two tensors: its rows have room for this many elements along the axis; else
     * 0. */
    int64_t capacity;
    int64_t axis;
    int64_t copy_of;  /* the tensor of the model that it is a dense copy of; -1: none */
    const char *over; /* the tensor that its node reads in its place and overwrites; NULL */
} sg_place_tensor;

/* What a node does, as far as placement knows. */
typedef enum sg_place_move {
    SG_PLACE_OPAQUE, /* it computes: it reads and writes different tensors */
    SG_PLACE_ALIAS,  /* part 0 has the bytes of the whole in the same order */
    SG_PLACE_SPLIT,  /* a kernel splits the whole into parts, or a node takes one part of it */
    SG_PLACE_CONCAT  /* a kernel concatenates the parts into the whole */
} sg_place_move;

typedef struct sg_place_part {
    int64_t tensor;
    int64_t start; /* index on the axis of the whole */
    int64_t length;
    bool without_axis; /* its tensor does not have the axis */
    /* of a node that takes a part and is no kernel, instead of these: what it takes of each axis;
     * otherwise NULL */
    const sg_cut_axis *box;
    int64_t index; /* index in the parts of the kernel's split */
    bool copied;   /* if false, its place is inside the whole, or it has no elements */
} sg_place_part;

typedef struct sg_place_node {
    const char *name;
    const char *op_type;
    const sg_graph_node *from;   /* of the model; for a kernel, the first that it stands for */
    const sg_fact *const *facts; /* of its inputs, if it moves data and is no kernel */
    bool encloses;               /* it runs graphs of its own, or a function */
    sg_place_move move;
    const int64_t *reads; /* indices of tensors */
    int64_t nreads;
    const int64_t *writes;
    int64_t nwrites;
    int64_t whole; /* for nodes that move data: index of a tensor */
    int64_t axis;
    sg_place_part *parts;
    int64_t nparts;
    /* The tensor that already lies in the whole, in front of the parts, whose starts count from its
     * end; -1: none. */
    int64_t past;
    /* its kernel copies the parts; NULL: whoever runs the graph copies the part */
    sg_split *split;
} sg_place_node;

typedef struct sg_place_buffer {
    sg_place_kind kind; /* of the tensor that it belongs to */
    int64_t bytes;
    int64_t first;  /* the first node that writes it */
    int64_t last;   /* the last node that reads it */
    int64_t offset; /* in the arena, for inner buffers; otherwise 0 */
    int64_t align;  /* of the offset: as the options say, and at least the size of an element */
    sg_sum bits;    /* its size in bits if it depends on open dimensions; otherwise 0 */
} sg_place_buffer;

/* One graph of a model: the main graph, a subgraph of a control-flow node, or the body of a called
 * function. */
typedef struct sg_placement {
    const char *model;
    sg_span span;
    const char **path; /* the nodes that contain it, outermost first */
    int64_t npath;
    sg_place_tensor *tensors;
    int64_t ntensors;
    sg_place_node *nodes;
    int64_t nnodes;
    sg_place_buffer *buffers;
    int64_t nbuffers;
    sg_place_open *open; /* all open dimensions in sums */
    int64_t nopen;
    const sg_graph_node **operators; /* a node of the model for each operator that runs */
    int64_t noperators;
    bool optimal;         /* no other choice of parts to copy would copy fewer bytes */
    int64_t arena;        /* its size in bytes */
    int64_t alignment;    /* of its address: the largest of its buffers */
    int64_t live;         /* the largest total size of inner buffers that are needed at one node */
    int64_t bytes_moved;  /* if each node that moves data copied all its parts */
    int64_t bytes_copied; /* by this plan */
    int64_t uncounted; /* parts of unknown size: all are copied, and no byte of them is counted */
} sg_placement;

/* Names of operators, other than those that move data: "Gelu" in every domain, or
 * "com.microsoft.Gelu" in this one. */
typedef struct sg_place_list {
    const char *const *names;
    int64_t count;
} sg_place_list;

typedef struct sg_place_options {
    sg_place_list strided;      /* they can write tensors with padded rows */
    sg_place_list strided_read; /* they can read them */
    sg_place_list in_place;     /* they can overwrite an input of the shape of their output */
    int64_t alignment;          /* of buffers in the arena, a power of two */
} sg_place_options;

/* Watches inference and collects what placement needs from each graph. */
typedef struct sg_place_watch sg_place_watch;
sg_place_watch *sg_place_watch_new(sg_arena *arena);
/* The watcher for inference over one model, whose file has this name. */
const sg_infer_watcher *sg_place_watcher(sg_place_watch *watch, const char *model);

/* Plans each graph that was watched, for the kernels of these splits (count of them). Returns NULL
 * if a node reads what nothing gives, if 64 bits cannot count the bytes, or if the proof of a plan
 * fails (SG_EXIT_BUG), which is reported. */
sg_placement *sg_place_all(sg_place_watch *watch, sg_diag *diag, sg_split *const *splits,
                           int64_t count, const sg_place_options *options, int64_t *ngraphs);
/* Marks in each split which parts its kernel copies by these plans, and warns about the tensors of
 * each graph that have no place. */
void sg_place_mark(sg_diag *diag, const sg_placement *graphs, int64_t ngraphs);

/* The steps of sg_place_all(), for tests.
 *
 * collect.c: makes a graph of each that was watched, without places. Returns NULL if a node reads
 * what nothing gives, which is reported. *arena: that of the watcher. */
sg_placement *sg_place_collect(sg_place_watch *watch, sg_diag *diag, sg_split *const *splits,
                               int64_t count, sg_arena **arena, int64_t *ngraphs);
/* collect_tensors.c: warns about the tensors of a graph that have no place. */
void sg_place_warn(sg_diag *diag, const sg_placement *graph);
/* unite.c: assigns a buffer, an offset and strides to each tensor, and decides which parts are
 * copied. Returns false if the bytes of all parts do not fit. */
bool sg_place_unite(sg_arena *arena, sg_placement *graph, const sg_place_options *options) SG_CHECK;
/* caches.c: lets nodes that cannot read the rows of a cache, which lie apart, read a dense copy of
 * it: operators that are not in options->strided_read, and nodes that copy parts of it by the last
 * plan. Returns whether it changed the graph, which then needs another plan. */
bool sg_place_copy_caches(sg_arena *arena, sg_placement *graph, const sg_place_options *options);
/* lives.c: sets when each tensor is needed. */
void sg_place_set_lives(sg_placement *graph);
/* layout_arena.c: assigns offsets in the arena to inner buffers. Returns false if the bytes of all
 * buffers do not fit. */
bool sg_place_arena(sg_arena *arena, sg_placement *graph) SG_CHECK;
/* prove.c: checks that each node finds its inputs, using only the meaning of the nodes. Returns
 * NULL, or what is wrong. */
const char *sg_place_prove(sg_arena *arena, const sg_placement *graph,
                           const sg_place_options *options);

/* The bytes from the first to the last one of a tensor with these dimensions, none of which is
 * 0. */
int64_t sg_place_span(const sg_place_tensor *tensor, const int64_t *dims);
/* The same in bits, as a sum; its dimensions are open. */
sg_sum sg_place_span_bits(sg_arena *arena, const sg_place_tensor *tensor);
bool sg_place_reads(const sg_place_node *node, int64_t tensor);
/* Whether this name is that of the node's operator, or a list has such a name. */
bool sg_place_named(const char *name, const sg_graph_node *node);
bool sg_place_listed(const sg_place_list *list, const sg_place_node *node);

/* Raises the expected numbers to the least ones, and sets those of sizes that follow, which stand
 * behind what they follow from. */
void sg_place_expect(sg_place_open *open, int64_t nopen);
/* The value for one set of numbers. Returns false if it overflows or the size is over. */
bool sg_place_value(const sg_sum *sum, const sg_place_open *open, int64_t nopen, int numbers,
                    int64_t *value) SG_CHECK;
/* The size in bytes of this many bits: "64*N", or "(12*N+7)/8" (integer division). */
const char *sg_place_bytes_text(sg_arena *arena, const sg_sum *bits);

#endif
