/* dtype: the element types of splitgen/dtypes.inc, by number, and their spellings. Independent of
 * shapes. */
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

/* Bit order of packed elements. A tensor is one contiguous array of elements, followed by zero bits
 * up to a whole byte. */
typedef enum sg_packing {
    SG_PACKING_NONE,  /* not packed */
    SG_PACKING_LSB,   /* element 0 in the least significant bits of byte 0, and so on upwards */
    SG_PACKING_MSB,   /* element 0 in the most significant bits of byte 0, and so on downwards */
    SG_PACKING_PLANES /* OpenVINO's first layout of u3 and u6: groups of 3 bytes, low bits of all
                         elements before their high bits (openvino/core/type/element_iterator.hpp)
                       */
} sg_packing;

/* The other vocabularies of element types, besides the two standards. */
typedef enum sg_people { SG_PEOPLE_NUMPY, SG_PEOPLE_TORCH, SG_PEOPLE_C, SG_PEOPLE } sg_people;

typedef struct sg_dtype_info {
    const char *id;     /* upper-case suffix of the public SPLITGEN_<id> enumerator */
    const char *name;   /* "f32" */
    int bits;           /* per element */
    bool packed;        /* less than a byte, or crossing bytes */
    const char *c_type; /* of one element; of packed ones, of the bytes that contain them */
    sg_dtype_kind kind;
    const char *onnx;      /* spelling in ONNX text, "" if ONNX has no such type */
    int onnx_enum;         /* TensorProto.DataType, 0 if none */
    const char *openvino;  /* element_type in an IR, "" if OpenVINO has no such type */
    const char *precision; /* OpenVINO's older name, "" if it is the newer name in upper case */
    const char *words[SG_PEOPLE]; /* separated by blanks */
    const char *code;             /* NumPy's type code without byte order; "" if there is none */
} sg_dtype_info;

const sg_dtype_info *sg_dtype_get(sg_dtype dtype);

/* The type and number of the components of an element: complex elements have two, others are their
 * only component. */
sg_dtype sg_dtype_number(sg_dtype dtype);
int sg_dtype_numbers(sg_dtype dtype);

/* Finds a type by any spelling: splitgen's own name; ONNX's, with or without "tensor(...)", and
 * TensorProto's in upper case; OpenVINO's, and port precisions such as FP32, I64, BIN; the words of
 * NumPy, PyTorch and C if they agree, or with a prefix ("torch.int"); NumPy's codes with their byte
 * order ("<f4"). False if there is no such type or it is ambiguous. */
bool sg_dtype_find(sg_str spelling, sg_dtype *out);

/* The full message for a spelling that was not found: why it is wrong and what to write. shown: the
 * spelling as messages may quote it. */
const char *sg_dtype_problem(sg_arena *arena, sg_str spelling, const char *shown);

/* "lsb", "msb", "planes"; "" for SG_PACKING_NONE. */
const char *sg_packing_name(sg_packing packing);

/* The number of elements in a group of whole bytes under SG_PACKING_PLANES: 8 of 3 bits, 4 of 6
 * bits. */
int sg_packing_group(const sg_dtype_info *info);

/* The known spelling nearest to a misspelt one (splitgen's own names win ties), or NULL. Never one
 * with other digits, because digits give the width. */
const char *sg_dtype_suggest(sg_arena *arena, sg_str spelling);

/* Appends every spelling of a type, separated by blanks, splitgen's own name first. A word that is
 * ambiguous by itself gets its prefix. */
void sg_dtype_list(sg_dtype dtype, sg_buf *out);
/* The same for ambiguous words, which need a prefix, and for the prefixes. */
void sg_dtype_list_unclear(sg_buf *out);
void sg_dtype_list_prefixes(sg_buf *out);

#endif
