/* op: what the user wrote, checked only for syntax, with a source position on every value. Every
 * front-end produces ops; resolve.c checks them. All memory belongs to the front-end's arena and
 * outlives the split made from it.
 *
 * A Concat uses the same struct: its full tensor is the one it writes, and `outputs` are the parts
 * it reads, which users write as `inputs`. */
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
    SG_OP_SLICE_GROUP, /* nodes of a model that divide one tensor together; always has an origin */
    SG_OP_OPENVINO_SLICE_GROUP, /* the same in an OpenVINO model, with OpenVINO's element types */
    SG_OP_CONCAT,               /* concat {...} and the notation with a reversed arrow */
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

/* A number that is passed at run time. */
typedef struct sg_op_open {
    const char *name; /* as written */
    int64_t expected;
} sg_op_open;

/* A dimension or a length. rest: written as '*' (notation); the value is then -1. An open dimension
 * is `value` times the product of the numbers in `open`. */
typedef struct sg_op_num {
    int64_t value;
    bool rest;
    bool unknown; /* of a model: known to be between `value` and `high` */
    int nopen;    /* 0: it is not open */
    int64_t high;
    const sg_op_open *open; /* may contain the same number more than once */
    sg_span span;
} sg_op_num;

typedef struct sg_op_list {
    bool present;
    sg_op_num *items;
    int64_t count;
    sg_span span; /* of the full list */
} sg_op_list;

/* wanted == false: written as false, "" or _; the part has a position but no code. name may be NULL
 * (unnamed). */
typedef struct sg_op_output {
    const char *name;
    bool wanted;
    sg_op_int view; /* present: no code, only a view, for any value */
    sg_span span;
    bool without_axis;    /* the axis, of length 1, is removed from its shape, as by Gather */
    sg_op_int row_stride; /* elements from one row to the next; absent: no padding */
    sg_op_list strides;   /* like the strides of the op; in the notation only of the last dimensions
                             before the axis */
    sg_op_text dtype;     /* of an input of a standard's Concat, which has no lengths: */
    sg_op_list shape;     /* they follow from dtype and shape */
    const void *data;     /* elements of a constant of the model that the kernel contains; NULL */
} sg_op_output;

typedef struct sg_op_outputs {
    bool present;
    bool is_count;       /* written as a number: outputs = 3 */
    int64_t count;       /* number of items, or the number written */
    sg_op_output *items; /* NULL if is_count */
    sg_span span;
} sg_op_outputs;

typedef struct sg_op sg_op;

/* The memory of a tensor. Tensors with the same bytes, because one is the other reshaped, share one
 * storage. Compared by address. */
typedef struct sg_op_storage {
    const char *tensor; /* the first of these tensors that is written */
} sg_op_storage;

/* What the graph around an op says about one of the op's tensors. */
typedef struct sg_op_tensor {
    const sg_op_storage *storage;
    const char *given;  /* a clause that says why no node writes the tensor to its own memory at run
                           time: it is an input, a constant, ...; NULL: a node does */
    bool yielded;       /* it is an output of the graph */
    const sg_op *maker; /* the op of the same graph that writes it; NULL: none */
    int64_t part;       /* the index of the part of the maker, if that is a Split */
    const char *kept;   /* why the tensor must be written although this op reads it; NULL: only this
                           op reads it. Set for tensors with a maker */
} sg_op_tensor;

/* The place in a model that an op comes from, in the model's own names. */
typedef struct sg_op_origin {
    const char *model;  /* its file, "<stdin>" */
    const char *sha256; /* of the file, 64 digits; NULL if it was not needed */
    /* "" if it has no name; of a slice group, the tensor, which gives it its name */
    const char *node;
    const char *op_type; /* of a slice group, that of its nodes, or "SplitToSequence" */
    const char **nodes; /* of a slice group: the names of the nodes whose outputs it makes, or their
                           first outputs; NULL: not a slice group */
    int64_t nnodes;
    const char *domain;
    const char **path; /* the enclosing nodes, outermost first: their names, else their operators;
                          in a function, the calling node */
    int64_t npath;
    /* identifies the run of the graph that contains the op, by address; NULL: unknown */
    const void *graph;
    bool in_branch;       /* in a branch of an If or a similar graph, which may never run */
    const char *input;    /* the full tensor: the input of a Split or the result of a Concat */
    const char **outputs; /* the parts; "": not wanted */
    int64_t noutputs;
    /* of a Concat that adds to a cache: the tensor in front of the parts, which lies there already;
     * else NULL. The full tensor of the op begins behind it. */
    const char *past;
    int64_t capacity;          /* with `past`: elements of the cache along the axis */
    const bool *unread;        /* for each part of a Split: nothing in the model reads it */
    const char *kept;          /* why the full tensor is needed, whatever else reads it; NULL */
    bool in_spec;              /* loaded by a spec, which may have renamed it */
    const sg_op_tensor *whole; /* what the graph says about the full tensor */
    const sg_op_tensor *parts; /* and about each part; `noutputs` of them */
} sg_op_origin;

struct sg_op {
    sg_op_kind kind;
    bool is_notation;         /* SG_OP_SPLIT or SG_OP_CONCAT in the notation, which has no fields */
    sg_subject *subject;      /* the name of the op in diagnostics; never NULL */
    sg_op_text name;          /* C symbol; absent: default_name */
    const char *default_name; /* made by the front-end from the stem of the file name; never NULL */
    sg_op_text dtype;
    sg_op_list shape;
    sg_op_int axis;
    int64_t axis_rank;  /* how the axis was written: 0 a number, 1 a list {n} */
    int64_t axis_count; /* entries of that list; 1 for a number */
    sg_op_list lengths; /* lengths, split, split_lengths, or the notation's parts */
    sg_op_int parts;    /* parts, num_outputs, num_splits, or /3 */
    sg_op_int opset;    /* ONNX only */
    sg_op_outputs outputs;
    sg_op_int row_stride; /* of the full tensor: elements from one row to the next, where a row is
                             everything from the axis on; absent: no padding */
    sg_op_list strides;   /* of the full tensor: elements from one index to the next in each
                             dimension; `rest` where none is written */
    sg_op_int align;      /* guaranteed alignment of every pointer, in bytes */
    sg_op_text packing;   /* bit order of packed types */
    sg_op_origin *origin; /* for an op from a model; NULL */
    sg_span span;         /* the op itself, for errors without a better position */
};

/* A growing list, owned by an arena. */
typedef struct sg_op_array {
    sg_op **items;
    int64_t count;
    int64_t capacity;
} sg_op_array;

/* Appends a zeroed op with this kind and span to the array. default_name is "split" until the
 * front-end sets it, and axis_count is 1. */
sg_op *sg_op_new(sg_arena *arena, sg_op_array *ops, sg_op_kind kind, sg_span span);

/* A dimension that is a single open number; the name is not copied. */
sg_op_num sg_op_open_dim(sg_arena *arena, const char *name, int64_t expected, sg_span span);

/* A dimension as text: "1024", "batch", "197*batch*time". */
const char *sg_op_open_text(sg_arena *arena, const sg_op_num *dim);

/* The words for the fields in messages, as a user writes them for this kind: lengths / split /
 * split_lengths, parts / num_outputs / num_splits. */
const char *sg_op_kind_name(sg_op_kind kind); /* "split", "onnx.Split", ... */
const char *sg_op_lengths_word(sg_op_kind kind);
const char *sg_op_parts_word(sg_op_kind kind);

/* Whether ops of this kind concatenate. */
bool sg_op_joins(sg_op_kind kind);

/* Whether ops of this kind are a standard's Concat, whose dtype, shape and lengths come from its
 * inputs. */
bool sg_op_infers(sg_op_kind kind);

/* Whether ops of this kind belong to ONNX, or to OpenVINO. */
bool sg_op_is_onnx(sg_op_kind kind);
bool sg_op_is_openvino(sg_op_kind kind);

/* The word for a part of such an op: "output" or "input". */
const char *sg_op_part_word(sg_op_kind kind);

#endif
