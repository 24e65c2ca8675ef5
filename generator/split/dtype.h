/* Element types by number: what splitgen/dtypes.inc lists. Nothing here knows about shapes. */
#ifndef SG_SPLIT_DTYPE_H
#define SG_SPLIT_DTYPE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/text.h"

typedef enum sg_dtype {
#define SPLITGEN_DTYPE(id, ...) SG_DTYPE_##id,
#include "splitgen/dtypes.inc"
    SG_DTYPE_COUNT
} sg_dtype;

typedef enum sg_dtype_kind {
    SG_DTYPE_KIND_INT,
    SG_DTYPE_KIND_FLOAT,
    SG_DTYPE_KIND_BYTES,
    SG_DTYPE_KIND_PTR
} sg_dtype_kind;

/* How packed elements lie in bytes. A tensor is one row of elements without gaps, zero bits behind
 * the last one. */
typedef enum sg_packing {
    SG_PACKING_NONE,  /* not packed */
    SG_PACKING_LSB,   /* element 0 in the least significant bits of byte 0, and so on upwards */
    SG_PACKING_MSB,   /* element 0 in the most significant bits of byte 0, and so on downwards */
    SG_PACKING_PLANES /* OpenVINO's first layout of u3 and u6: groups of 3 bytes, low bits of all
                         elements before their high bits (openvino/core/type/element_iterator.hpp)
                       */
} sg_packing;

/* Those who have words of their own for element types, beside the two standards. */
typedef enum sg_people { SG_PEOPLE_NUMPY, SG_PEOPLE_TORCH, SG_PEOPLE_C, SG_PEOPLE } sg_people;

typedef struct sg_dtype_info {
    const char *id;     /* upper-case suffix of the public SPLITGEN_<id> enumerator */
    const char *name;   /* "f32" */
    int bits;           /* per element */
    bool packed;        /* below a byte or straddling bytes */
    const char *c_type; /* of one element; packed: of the containing bytes */
    sg_dtype_kind kind;
    const char *onnx;      /* spelling in ONNX text, "" when ONNX has no such type */
    int onnx_enum;         /* TensorProto.DataType, 0 when none */
    const char *openvino;  /* element_type in an IR, "" when OpenVINO has no such type */
    const char *precision; /* OpenVINO's older name, "" when it is the newer one in capitals */
    const char *words[SG_PEOPLE]; /* with blanks between */
    const char *code;             /* NumPy's, without its byte order; "" when there is none */
} sg_dtype_info;

const sg_dtype_info *sg_dtype_get(sg_dtype dtype);

/* The type of the numbers that an element consists of, and how many these are: complex elements
 * have two, others are one themselves. */
sg_dtype sg_dtype_number(sg_dtype dtype);
int sg_dtype_numbers(sg_dtype dtype);

/* Finds a type by any spelling: own name, ONNX (with or without "tensor(...)", and the capitals of
 * TensorProto), OpenVINO (also port precisions such as FP32, I64, BIN), the words of NumPy, PyTorch
 * and C where they agree, each with a prefix ("torch.int"), NumPy's codes with their byte order
 * ("<f4"). False when there is no such type, or none that is meant for certain. */
bool sg_dtype_find(sg_str spelling, sg_dtype *out);

/* Why a spelling that was not found is wrong and what to write, as a whole message. shown: the
 * spelling as messages may quote it. */
const char *sg_dtype_problem(sg_arena *arena, sg_str spelling, const char *shown);

/* "lsb", "msb", "planes"; "" for SG_PACKING_NONE. */
const char *sg_packing_name(sg_packing packing);

/* Elements that share a group of whole bytes under SG_PACKING_PLANES: 8 of 3 bits, 4 of 6 bits. */
int sg_packing_group(const sg_dtype_info *info);

/* The known spelling nearest to a misspelt one (own names win ties), or NULL. Never one with other
 * digits, which would be of another width. */
const char *sg_dtype_suggest(sg_arena *arena, sg_str spelling);

/* Appends every spelling of a type, the own name first, with blanks between; a word that does not
 * name this type by itself has its prefix. */
void sg_dtype_list(sg_dtype dtype, sg_buf *out);
/* The same for the words that need a prefix because not everyone means the same type, and for the
 * prefixes. */
void sg_dtype_list_unclear(sg_buf *out);
void sg_dtype_list_prefixes(sg_buf *out);

#endif
