/* The planner's data. Each part of a node that moves data is a relation: one tensor can be stored
 * inside another one. If the relation is kept, nothing is copied; if it is dropped, the part is
 * copied. Tensors that are connected by kept relations form a union, which becomes a buffer. */
#ifndef SG_PLACEMENT_PLANNER_H
#define SG_PLACEMENT_PLANNER_H

#include "placement/placement.h"

/* A relation: a tensor, the child, can be stored inside another one. */
typedef struct sg_place_relation {
    int64_t child, parent;
    const sg_place_node *node;
    sg_place_part *part; /* NULL: the node can overwrite the parent by the child */
    int64_t bytes;       /* bytes that need no copy if it is kept */
    bool possible;
    bool kept;
    bool grouped; /* it has been assigned to a piece */
} sg_place_relation;

/* Contents in a union: bytes that a node or the caller writes. */
typedef struct sg_place_content {
    int64_t tensor;    /* that the node or the caller writes with it */
    int64_t first;     /* the node */
    int64_t low, high; /* from the first byte to after the last */
    int64_t rank;
    const int64_t *dims, *strides;
} sg_place_content;

typedef struct sg_place_shape {
    const int64_t *dims;
    int64_t bytes;
} sg_place_shape;

typedef struct sg_planner {
    sg_arena *arena;
    sg_arena *kept; /* for data that stays in the graph */
    sg_placement *graph;
    const sg_place_options *options;
    sg_place_relation *relations;
    int64_t nrelations;
    int64_t nparts;          /* so many of them are of parts; the others follow */
    int64_t *first_relation; /* for each node: index of its first part's relation */
    /* for each tensor: the relation whose node writes it as a child, or -1 */
    int64_t *maker;
    int64_t *maker_node; /* for each tensor: the node that writes it, or -1 */
    int64_t *at;         /* the relations of tensor t are uses[at[t]] to uses[at[t + 1]] */
    int64_t *uses;
    /* for each choice of numbers, of each tensor with open dimensions */
    sg_place_shape *shapes[SG_PLACE_PROVED];
    /* all nodes that write or read the tensor, except those that move data, support padded rows */
    bool *can_stride;
    int numbers;   /* for which places are computed */
    bool sums;     /* places are computed as sums as well */
    int64_t steps; /* search steps that are left */
    int64_t stamp;
    int64_t *seen;  /* for each tensor: the stamp of the last walk that visited it */
    int64_t *queue; /* tensors of the union; the others are placed relative to the first one */
    /* for each tensor of the queue except the first: the kept relation to an earlier one */
    int64_t *via;
    int64_t count;
    sg_place_content *contents; /* room for those of all tensors and parts */
    sg_place_content *held;     /* the same for tensors */
    int64_t *scratch;           /* strides of one tensor */
} sg_planner;

/* The limit on the bytes from the first to the last one of a tensor in a union, and on how far it
 * is from the tensor that the others are placed by, so that differences of places fit. */
#define SG_PLACE_FARTHEST (INT64_MAX / 8)

/* relations.c: finds the relations, and which tensors may have padded rows. */
void sg_place_relate(sg_planner *p);
/* Whether a tensor may share a buffer with others. */
bool sg_place_shares(const sg_place_tensor *t);
/* Whether it is what lies in a cache before the graph runs. */
bool sg_place_is_past(const sg_place_tensor *t);
/* Whether the node, which writes the output, may overwrite the input: it can run in place, and is
 * the last to read the input. */
bool sg_place_takes_over(const sg_planner *p, int64_t n, int64_t output, int64_t input);

/* locate.c: collects the union of the tensor in the queue, in the order in which its tensors are
 * placed. Returns false if two of them belong to the caller. */
bool sg_place_gather(sg_planner *p, int64_t tensor);
/* Places all tensors of the union. Returns false if its relations disagree. */
bool sg_place_locate(const sg_planner *p);
/* Sets the strides of a tensor without padding, or of a cache. */
void sg_place_make_dense(const sg_planner *p, sg_place_tensor *t);
bool sg_place_is_dense(const sg_place_tensor *t);
/* Whether tensors in the same buffer are stored in the same bytes in the same order. */
bool sg_place_is_same(const sg_place_tensor *a, const sg_place_tensor *b);
/* The bytes of the buffer of a tensor that belongs to the caller; bits: NULL, or the same as a
 * sum. */
int64_t sg_place_room(const sg_planner *p, const sg_place_tensor *t, sg_sum *bits);
/* The index on the axis of the whole at which a part of a kernel begins. */
int64_t sg_place_start(const sg_placement *graph, const sg_place_node *node,
                       const sg_place_part *part);
/* The value of a sum that fits. */
int64_t sg_place_number(const sg_placement *graph, const sg_sum *sum, int numbers);

/* legal.c: whether the union of the tensor is legal for all numbers of the open dimensions. */
bool sg_place_is_legal(sg_planner *p, int64_t tensor);
/* Whether all tensors are inside the one that belongs to the caller, if there is one. */
bool sg_place_lies_within(const sg_planner *p);
/* The tensors of a placed union that begin first and end last; of several, the one that is largest
 * with other numbers of open dimensions. */
void sg_place_find_ends(const sg_planner *p, int64_t *lowest, int64_t *highest);
int64_t sg_place_end(const sg_place_tensor *t);

/* search.c: decides which relations of parts are kept. */
void sg_place_search(sg_planner *p);

/* buffers.c: the buffer of the tensor's union, which is legal. Sets the tensors at its ends. */
sg_place_buffer sg_place_buffer_of(sg_planner *p, int64_t tensor, int64_t *lowest,
                                   int64_t *highest);
/* Gives each tensor that has a place its buffer. */
void sg_place_give_buffers(sg_planner *p);

/* in_place.c: lets nodes run in place, one after the other, where that needs less memory. */
void sg_place_choose_in_place(sg_planner *p);
/* Says which tensors are overwritten, also where parts of a Concat are. */
void sg_place_name_overwritten(const sg_planner *p);

#endif
