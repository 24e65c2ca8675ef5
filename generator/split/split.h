/* split: a checked op, with every number known, for both Split and Concat. Every sg_split
 * satisfies:
 *
 * - rank >= 1, 0 <= axis < rank, every dim >= 0; the axis is not open
 * - the total bytes fit int64_t, and the total bits of packed elements fit SG_MAX_BITS, also with
 *   every empty dim counted as 1, so strides fit too
 * - nparts >= 1; parts are contiguous on the axis, each length >= 0, their sum = dims[axis]; at
 * least one part is wanted; with SG_PACKING_PLANES every wanted part is whole groups in every row
 * - padded rows: outer * row_stride elements fit as well, in every tensor
 * - open dimensions: dims, outer, inner, elements and bytes are those of one item, with 1 for every
 *   open number; the span of n items is that of (n * outer - 1) * row_stride + a row. With the
 *   expected numbers they fit as well. Nothing after the axis is open if there is a row_stride. An
 *   item of the input and of every wanted part is whole bytes, and with open dimensions after the
 *   axis every part begins and ends at whole bytes.
 *
 * Byte sizes of string tensors count 8 bytes for a pointer. Generated code addresses strings by
 * element, so it is also correct on targets with other pointers; only printed sizes are nominal. */
#ifndef SG_SPLIT_SPLIT_H
#define SG_SPLIT_SPLIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "split/dtype.h"
#include "split/op.h"

/* Limits. The rank is NumPy's; with more parts the C file would be too large to compile; allocators
 * cannot guarantee an alignment larger than a page. */
#define SG_MAX_RANK  64
#define SG_MAX_PARTS INT64_C(1000000)
#define SG_MAX_ALIGN INT64_C(4096)

/* Maximum bits of a tensor of packed elements; the bit after the last byte must have a number,
 * too. */
#define SG_MAX_BITS (INT64_C(1) << 62)

/* The input of a Split from which a Concat reads pieces directly, instead of reading the parts of
 * the Split. */
typedef struct sg_tensor_source {
    const char *name;
    const char *c_name;
    const char *tensor;           /* its name in the model */
    const sg_op_tensor *in_graph; /* what the graph says about it */
    const int64_t *dims;          /* as many as the Concat's tensors have */
    int64_t bytes;
    int64_t row_stride; /* elements of all dimensions from the axis of the Concat on */
} sg_tensor_source;

typedef struct sg_part {
    const char *name;   /* as given by the user, any bytes; "out0", "out1", ... if unnamed */
    const char *c_name; /* C identifier, unique within the kernel, accepted by sg_name_problem */
    const char *tensor; /* its name in the model that the op comes from; NULL */
    const sg_op_tensor *in_graph; /* what the graph says about it; NULL: not from a model */
    bool unread;                  /* nothing in the model reads it */
    int64_t start;                /* first index on the axis */
    int64_t length;               /* indices on the axis, may be 0 */
    bool wanted;
    bool view_only;     /* no code: its readers use the view; see views.h */
    const char *copied; /* a clause that says why it is copied although it is contiguous in the full
                           tensor; NULL: not copied, or not contiguous; see views.h */
    bool without_axis;  /* its tensor has no axis, because its length is 1 */
    int64_t elements;   /* outer * length * inner */
    int64_t bytes;      /* of its buffer, from its first to its last, with the padding between rows;
                           packed elements: rounded up to whole bytes */
    int64_t row_stride; /* elements from one row to the next, at least length * inner */
    int64_t *strides;   /* for each dimension of the split; NULL: all rows are row_stride apart */
    const void *data;   /* the `bytes` of a constant that the kernel contains; NULL */
    /* the tensor that it is a piece of; NULL: it is a tensor of its own */
    const sg_tensor_source *source;
    int64_t at; /* elements of the source before it */
} sg_part;

/* An open number: a parameter of the kernel, passed on every call. */
typedef struct sg_open {
    const char *name;   /* as written, any bytes */
    const char *c_name; /* C parameter, unique within the kernel */
    int64_t expected;   /* expected value, at least 1 */
    int dim;            /* the first dimension that is a multiple of it */
} sg_open;

/* Maximum number of open numbers of one kernel. */
#define SG_MAX_OPEN 16

/* A product of dimensions, with 1 for every open number in it. It is known only if it is not open,
 * so it must not be compared as an int64_t. */
typedef struct sg_size {
    int64_t factor;
    bool open; /* some of the dimensions are open */
} sg_size;

/* Whether a size equals this number for all values of the open numbers. */
bool sg_size_is(sg_size size, int64_t number);

typedef struct sg_split sg_split;

struct sg_split {
    const sg_op *op;       /* only for names and source positions */
    const char *name;      /* C symbol, prefix included */
    bool joins;            /* true for Concat: reads the parts and writes the full tensor */
    const char *data_name; /* C parameter of the full tensor: "data", or "data_" ... if taken */
    sg_dtype dtype;
    /* bytes per element; 1 for packed types, as if each byte were an element */
    int64_t element_bytes;
    int64_t element_bits;
    sg_packing packing;
    int rank;
    int64_t *dims;
    int axis;
    sg_size outer; /* number of rows: product of the dims before the axis */
    sg_size inner; /* product of the dims after the axis */
    int64_t elements;
    int64_t bytes;      /* of its buffer, from its first to its last, with padding; without strides,
                           those of (outer - 1) * row_stride + dims[axis] * inner elements */
    int64_t row_stride; /* elements from one row to the next, at least dims[axis] * inner */
    int64_t *strides; /* elements from one index to the next in each dimension, if there is padding
                         between groups of rows; NULL: all rows are row_stride apart */
    int nopen;     /* number of open numbers, in the order of the dimensions; 0: every dimension is
                      fixed */
    sg_open *open; /* nopen entries */
    uint8_t *powers; /* rank x nopen: how often each number is a factor of each dimension */
    int64_t items;   /* expected product of the open numbers before the axis; 1 if none */
    int64_t behind;  /* expected product of those after it; 1 if none */
    int64_t align;   /* guaranteed alignment of every pointer in bytes, >= element alignment */
    int64_t nparts;  /* includes unwanted parts */
    sg_part *parts;
    int64_t nsources;
    sg_tensor_source *sources; /* of a fused Concat */
    const sg_split **fused;    /* the original Splits that were merged into this op; fuse.h */
    int64_t *saved; /* for each of these, the bytes of tensors that are no longer written */
    int64_t nfused;
    /* why it was not fused with the kernel that writes its input: "not fused with ..."; NULL */
    const char *apart;
};

/* Bytes of this many contiguous elements, at most those of the largest tensor. */
int64_t sg_split_bytes(const sg_split *split, int64_t elements);

/* Whether there can be more than one row. */
bool sg_split_has_rows(const sg_split *split);

/* Whether there is padding between rows of the full tensor, or of a part's own tensor. */
bool sg_split_has_gaps(const sg_split *split);
bool sg_part_has_gaps(const sg_split *split, const sg_part *part);

/* sg_split_has_pitch: whether a tensor has padding between groups of rows. sg_split_gap: the
 * padding in elements between two indices of a dimension before the axis, without the padding
 * inside; of the tensor with these strides. */
bool sg_split_has_pitch(const sg_split *split);
int64_t sg_split_gap(const sg_split *split, const int64_t *strides, int dim);

/* The word for a part: "output", or "input" for Concat. */
const char *sg_split_part_word(const sg_split *split);

/* The rank of the tensor of a part, and the dimension of the split that its dimension d is. They
 * differ if the axis is removed. */
int sg_part_rank(const sg_split *split, const sg_part *part);
int sg_part_dim(const sg_split *split, const sg_part *part, int d);

/* A dimension as text: "1024", "batch", "197*batch*time". */
const char *sg_split_dim_text(sg_arena *arena, const sg_split *split, int axis, int64_t length);

/* The expected number of items: the product of all open numbers; 1 if there are none. */
int64_t sg_split_items(const sg_split *split);

/* How often an open number is a factor of the dimension. */
int sg_split_power(const sg_split *split, int axis, int open);

/* The product of the open numbers after the axis as visible text: "height*width". */
const char *sg_split_behind_text(sg_arena *arena, const sg_split *split);

/* Whether tensors of two ops have the same type and shape. NULL: the full tensor. For the same
 * tensor they differ only if the user gave one of the two another shape or type. */
bool sg_split_same_tensor(const sg_split *a, const sg_part *of_a, const sg_split *b,
                          const sg_part *of_b);

/* Whether the same open numbers, by name, are factors of the same dimensions. */
bool sg_split_same_open(const sg_split *a, const sg_split *b);

/* Whether the dimension is a multiple of an open number. */
bool sg_split_is_open(const sg_split *split, int axis);

/* How often it is a factor of the dimensions [first, last). */
int64_t sg_split_powers(const sg_split *split, int first, int last, int open);

#endif
