/* op: what the user wrote, nothing checked beyond syntax, a span on every value. Every front-end
 * ends here; resolve.c is the only reader that checks. All memory belongs to the front-end's
 * arena and outlives the split made from it.
 *
 * An op that joins tensors is the same the other way round: its whole is what it writes, and its
 * `outputs` are the parts it reads, which users write as `inputs`. */
#ifndef SG_SPLIT_OP_H
#define SG_SPLIT_OP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/source.h"
#include "base/text.h"

typedef enum sg_op_kind {
    SG_OP_SPLIT,             /* split {...} and the notation */
    SG_OP_ONNX_SPLIT,        /* onnx.Split */
    SG_OP_OPENVINO_SPLIT,    /* openvino.Split (Split-1) */
    SG_OP_OPENVINO_VARIADIC, /* openvino.VariadicSplit (VariadicSplit-1) */
    SG_OP_SLICE_GROUP, /* nodes of a model that cut one tensor together; always has an origin */
    SG_OP_OPENVINO_SLICE_GROUP, /* the same of an OpenVINO model, whose element types it has */
    SG_OP_CONCAT,               /* concat {...} and the notation with its arrow turned */
    SG_OP_ONNX_CONCAT,          /* onnx.Concat */
    SG_OP_OPENVINO_CONCAT       /* openvino.Concat (Concat-1) */
} sg_op_kind;

typedef struct sg_op_int {
    bool present;
    int64_t value;
    sg_span span;
} sg_op_int;

typedef struct sg_op_text {
    bool present;
    const char *text; /* NUL-terminated */
    sg_span span;
} sg_op_text;

/* A number that the program says when it runs. */
typedef struct sg_op_open {
    const char *name; /* as written */
    int64_t expected;
} sg_op_open;

/* A dimension or a length. rest: written as '*' (notation); the value is then -1. An open dimension
 * is `value` times the numbers in `open`. */
typedef struct sg_op_num {
    int64_t value;
    bool rest;
    bool unknown; /* of a model: what is known is that it is from `value` to `high` */
    int nopen;    /* 0: it is not open */
    int64_t high;
    const sg_op_open *open; /* the same number may stand there more than once */
    sg_span span;
} sg_op_num;

typedef struct sg_op_list {
    bool present;
    sg_op_num *items;
    int64_t count;
    sg_span span; /* of the whole list */
} sg_op_list;

/* wanted == false: written as false, "" or _ : keeps its place, gets no code. name may be NULL
 * (unnamed). */
typedef struct sg_op_output {
    const char *name;
    bool wanted;
    sg_op_int view; /* marked: it is to be had as a view alone, whatever the value */
    sg_span span;
    bool without_axis;    /* of length 1, which its shape does not have: of a Gather */
    sg_op_int row_stride; /* elements from one row to the next; absent: its rows lie dense */
    sg_op_list strides;   /* as those of the op; in the notation of the last dimensions in front of
                             the axis alone */
    sg_op_text dtype;     /* of an input of a standard's Concat, which has no lengths: ... */
    sg_op_list shape;     /* ... they are taken from these */
    const void *data; /* of a constant of a model that the kernel is to hold: its elements; NULL */
} sg_op_output;

typedef struct sg_op_outputs {
    bool present;
    bool is_count;       /* written as a number: outputs = 3 */
    int64_t count;       /* of items, or the number written */
    sg_op_output *items; /* NULL when is_count */
    sg_span span;
} sg_op_outputs;

typedef struct sg_op sg_op;

/* The memory of a tensor. Tensors that hold the same bytes, since one is the other reshaped, share
 * one; it is identified by its address. */
typedef struct sg_op_storage {
    const char *tensor; /* one of them, the first to be written */
} sg_op_storage;

/* What the graph around an op says of one of the op's tensors. */
typedef struct sg_op_tensor {
    const sg_op_storage *storage;
    const char *given;  /* why no node of the graph writes it to memory of its own when the model
                           runs, a clause: it is an input, a constant, ...; NULL: one does */
    bool yielded;       /* it is an output of the graph */
    const sg_op *maker; /* the op of the same graph that writes it; NULL: none */
    int64_t part;       /* which part of the maker it is, if that is a split */
    const char *kept;   /* why it must be written although this op reads it; NULL: only this op
                           reads it. Of tensors with a maker */
} sg_op_tensor;

/* Where in a model an op comes from, in the model's own names. */
typedef struct sg_op_origin {
    const char *model;  /* its file, "<stdin>" */
    const char *sha256; /* of the file, 64 digits; NULL where nobody has asked */
    const char *node; /* "" where it has no name; of a family the tensor, after which it is named */
    const char *op_type; /* of a family that of its nodes, or "SplitToSequence" */
    const char **nodes;  /* of a family: the names of those whose outputs it makes, or their first
                            outputs; NULL: it is no family */
    int64_t nnodes;
    const char *domain;
    const char **path; /* the nodes around it, from without to within: their names, else their
                          operators; of a function the node that calls it */
    int64_t npath;
    const void *graph;    /* the run of a graph that it stands in, by its address; NULL: it is not
                             known */
    bool in_branch;       /* it stands in a graph of a node around it, which may never run */
    const char *input;    /* the whole: the tensor that is split, or that parts are joined to */
    const char **outputs; /* the parts; "": not wanted */
    int64_t noutputs;
    const bool *unread;        /* of each part of a split: nothing in the model reads it */
    const char *kept;          /* why the tensor has to be made, whatever else reads it; NULL */
    bool in_spec;              /* loaded by a spec, which may have renamed it */
    const sg_op_tensor *whole; /* what the graph says of the whole */
    const sg_op_tensor *parts; /* and of each part, `noutputs` of them */
} sg_op_origin;

struct sg_op {
    sg_op_kind kind;
    bool is_notation;         /* SG_OP_SPLIT or SG_OP_CONCAT in the notation, which has no fields */
    sg_subject *subject;      /* what diagnostics call it; never NULL */
    sg_op_text name;          /* C symbol; absent: default_name */
    const char *default_name; /* made by the front-end from the file's stem; never NULL */
    sg_op_text dtype;
    sg_op_list shape;
    sg_op_int axis;
    int64_t axis_rank;  /* how the axis was written: 0 a number, 1 a list {n} */
    int64_t axis_count; /* entries of that list; 1 for a number */
    sg_op_list lengths; /* lengths, split, split_lengths, or the notation's parts */
    sg_op_int parts;    /* parts, num_outputs, num_splits, or /3 */
    sg_op_int opset;    /* ONNX only */
    sg_op_outputs outputs;
    sg_op_int row_stride; /* of the whole: elements from one row to the next, a row being everything
                             from the axis on; absent: its rows lie dense */
    sg_op_list strides;   /* of the whole: elements from one index of each dimension to the next;
                             `rest` where none is written */
    sg_op_int align;      /* promise about every pointer, bytes */
    sg_op_text packing;   /* bit order of packed types */
    sg_op_origin *origin; /* of one from a model; NULL */
    sg_span span;         /* the op as a whole, for errors that have no better place */
};

/* A growing list, owned by an arena. */
typedef struct sg_op_array {
    sg_op **items;
    int64_t count;
    int64_t capacity;
} sg_op_array;

/* A zeroed op with its kind and span, default_name "split" until the front-end knows better and
 * axis_count 1; appended to the array. */
sg_op *sg_op_new(sg_arena *arena, sg_op_array *ops, sg_op_kind kind, sg_span span);

/* A dimension that is one number, open; the name is not copied. */
sg_op_num sg_op_open_dim(sg_arena *arena, const char *name, int64_t expected, sg_span span);

/* A dimension for a reader: "1024", "batch", "197*batch*time". */
const char *sg_op_open_text(sg_arena *arena, const sg_op_num *dim);

/* The words a user of this kind writes for the fields, for messages:
 * lengths / split / split_lengths, parts / num_outputs / num_splits. */
const char *sg_op_kind_name(sg_op_kind kind); /* "split", "onnx.Split", ... */
const char *sg_op_lengths_word(sg_op_kind kind);
const char *sg_op_parts_word(sg_op_kind kind);

/* Whether ops of this kind join parts to a whole. */
bool sg_op_joins(sg_op_kind kind);

/* Whether ops of this kind are a standard's Concat: dtype, shape and lengths come from its inputs.
 */
bool sg_op_infers(sg_op_kind kind);

/* Whether ops of this kind are those of ONNX, or of OpenVINO. */
bool sg_op_is_onnx(sg_op_kind kind);
bool sg_op_is_openvino(sg_op_kind kind);

/* What the parts of such an op are: "output" or "input". */
const char *sg_op_part_word(sg_op_kind kind);

#endif
