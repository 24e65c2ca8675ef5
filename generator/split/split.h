/* split: every number known and legal, of a whole and its parts, whichever of them is read. If an
 * sg_split exists it is right:
 *   rank >= 1, 0 <= axis < rank, every dim >= 0, total bytes fit int64_t and total bits of packed
 *   elements SG_MAX_BITS (also with every empty dim counted as 1, so strides fit too), nparts >= 1,
 *   parts contiguous on the axis, each length >= 0, their sum = dims[axis], at least one part
 *   wanted; under SG_PACKING_PLANES every wanted part is whole groups in every row.
 *   Rows that do not lie dense: outer * row_stride elements fit as well, in every tensor.
 *   With open dimensions, dims, outer, inner, elements and bytes are those with every open number
 *   1: one item; of n items the span is that of (n * outer - 1) * row_stride + a row. With the
 * expected numbers they fit as well. Behind the axis nothing is open where any row_stride is
 * written. The axis is not open. An item of the input and of every wanted part is whole bytes, and
 * with open dimensions behind the axis every part begins and ends at whole bytes.
 *
 * Byte sizes of string tensors count a pointer as 8 bytes. Generated code addresses strings by
 * element, so it is right on targets with other pointers; only sizes printed from here are
 * nominal. */
#ifndef SG_SPLIT_SPLIT_H
#define SG_SPLIT_SPLIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "split/dtype.h"
#include "split/op.h"

/* Limits. Ranks stop where NumPy's do; more parts than that would be a C file nobody can compile;
 * a larger alignment than a page is not a promise allocators can keep. */
#define SG_MAX_RANK  64
#define SG_MAX_PARTS INT64_C(1000000)
#define SG_MAX_ALIGN INT64_C(4096)

/* Bits of a tensor of packed elements: so that the bit behind a last byte has a number, too. */
#define SG_MAX_BITS (INT64_C(1) << 62)

/* A tensor that parts of a join are pieces of: what a Split cuts, read in place of the parts it is
 * cut into. */
typedef struct sg_tensor_source {
    const char *name;
    const char *c_name;
    const char *tensor;           /* as the model calls it */
    const sg_op_tensor *in_graph; /* what its graph says of it */
    const int64_t *dims;          /* as many as the join's tensors have */
    int64_t bytes;
    int64_t row_stride; /* elements of all dimensions from the axis of the join on */
} sg_tensor_source;

typedef struct sg_part {
    const char *name;   /* as the user knows it, any bytes; "out0", "out1", ... when unnamed */
    const char *c_name; /* C identifier, unique within the kernel, free by sg_name_problem */
    const char *tensor; /* as the model that the op comes from calls it; NULL */
    const sg_op_tensor *in_graph; /* what its graph says of it; NULL: it is of no model */
    bool unread;                  /* nothing in that model reads it */
    int64_t start;                /* first index on the axis */
    int64_t length;               /* indices on the axis, may be 0 */
    bool wanted;
    bool view_only;     /* whoever reads it takes its view: there is no code for it; views.h */
    const char *copied; /* why it is copied although it is one run of the whole, a clause; NULL:
                           it need not be, or is none. views.h */
    bool without_axis;  /* its tensor lacks the axis, on which its length is 1 */
    int64_t elements;   /* outer * length * inner */
    int64_t bytes;      /* of packed elements too, the last byte filled up */
    int64_t row_stride; /* elements from one row to the next: length * inner or more */
    int64_t *strides;   /* of each dimension of the split; NULL: all rows are row_stride apart */
    int64_t span;       /* bytes from its first to its last, gaps between rows included */
    const void *data;   /* a constant that the kernel holds: its `bytes`; NULL */
    const sg_tensor_source *source; /* that it is a piece of; NULL: it is a tensor of its own */
    int64_t at;                     /* elements of the source in front of it */
} sg_part;

/* A number that the program says at each call: a parameter of the kernel. */
typedef struct sg_open {
    const char *name;   /* as written, any bytes */
    const char *c_name; /* C parameter, unique within the kernel */
    int64_t expected;   /* at least 1 */
    int dim;            /* the first dimension that is a multiple of it */
} sg_open;

/* Open numbers of one kernel. */
#define SG_MAX_OPEN 16

/* A product of dimensions: `factor` times the open numbers among them, which it counts as 1. So it
 * is known only if it is not open, and no int64_t to compare with. */
typedef struct sg_size {
    int64_t factor;
    bool open; /* there are open numbers among the dimensions */
} sg_size;

/* Whether a size is this number, whatever the program says when it runs. */
bool sg_size_is(sg_size size, int64_t number);

typedef struct sg_split sg_split;

struct sg_split {
    const sg_op *op;       /* for names and places only */
    const char *name;      /* C symbol, prefix included */
    bool joins;            /* the parts are read and the whole is written */
    const char *data_name; /* C parameter of the whole: "data", or "data_" ... when taken */
    sg_dtype dtype;
    int64_t element_bytes; /* bytes per element; 1 for packed types: they are bytes of elements */
    int64_t element_bits;
    sg_packing packing;
    int rank;
    int64_t *dims;
    int axis;
    sg_size outer; /* of the dims before the axis, elements */
    sg_size inner; /* of the dims behind the axis, elements */
    int64_t elements;
    int64_t bytes;
    int64_t row_stride; /* elements from one row to the next: dims[axis] * inner or more */
    int64_t *strides;   /* elements from one index of each dimension to the next, as rows lie in
                           groups that have gaps between them; NULL: all are row_stride apart */
    int64_t span;       /* bytes from its first to its last, gaps between rows included: those of
                           (outer - 1) * row_stride + dims[axis] * inner elements, without
                           strides */
    int nopen;       /* open numbers, in the order of the dimensions; 0: every dimension is fixed */
    sg_open *open;   /* nopen entries */
    uint8_t *powers; /* rank x nopen: how often each number is a factor of each dimension */
    int64_t items;   /* expected product of the open numbers in front of the axis; 1 */
    int64_t behind;  /* expected product of those behind it; 1 */
    int64_t align;   /* promised alignment of every pointer in bytes, >= element alignment */
    int64_t nparts;  /* all parts, unwanted ones too */
    sg_part *parts;
    int64_t nsources;
    sg_tensor_source *sources; /* of a fused join */
    const sg_split **fused;    /* the Splits whose parts are among these, as they were; fuse.h */
    int64_t *saved;            /* of each of these: bytes of tensors that are never made */
    int64_t nfused;
    /* why it is no part of the kernel that feeds it, "not fused with ..."; NULL */
    const char *apart;
};

/* Whether there may be more rows than one. */
bool sg_split_has_rows(const sg_split *split);

/* Whether rows of the whole, or of a part's own tensor, lie apart: there is something between. */
bool sg_split_has_gaps(const sg_split *split);
bool sg_part_has_gaps(const sg_split *split, const sg_part *part);

/* Whether the rows of any tensor lie in groups, and the elements between two indices of a dimension
 * in front of the axis that belong to none, beyond the gaps within them; of the tensor that has
 * these strides. */
bool sg_split_has_pitch(const sg_split *split);
int64_t sg_split_gap(const sg_split *split, const int64_t *strides, int dim);

/* What its parts are: "output", or where it joins "input". */
const char *sg_split_part_word(const sg_split *split);

/* How many dimensions the tensor of a part has, and which dimension of the split its dimension d
 * is: they differ where the axis is taken away. */
int sg_part_rank(const sg_split *split, const sg_part *part);
int sg_part_dim(const sg_split *split, const sg_part *part, int d);

/* A dimension for a reader: "1024", "batch", "197*batch*time". */
const char *sg_split_dim_text(sg_arena *arena, const sg_split *split, int axis, int64_t length);

/* Items as expected: the product of all open numbers; 1 where none is open. */
int64_t sg_split_items(const sg_split *split);

/* How often an open number is a factor of the dimension. */
int sg_split_power(const sg_split *split, int axis, int open);

/* The product of the open numbers behind the axis for a reader: "height*width". */
const char *sg_split_behind_text(sg_arena *arena, const sg_split *split);

/* Whether a tensor of one op has the type and the shape of a tensor of another op. NULL: the whole.
 * They differ only where a user gave one of them another shape or type. */
bool sg_split_same_tensor(const sg_split *a, const sg_part *of_a, const sg_split *b,
                          const sg_part *of_b);

/* Whether the same numbers, by their names, are factors of the same dimensions. */
bool sg_split_same_open(const sg_split *a, const sg_split *b);

/* Whether the dimension is a multiple of an open number. */
bool sg_split_is_open(const sg_split *split, int axis);

/* How often it is one of the dimensions [first, last). */
int64_t sg_split_powers(const sg_split *split, int first, int last, int open);

#endif
