/* Element types by number: what dtypes.inc lists. Nothing here knows about shapes. */
#ifndef SG_SPLIT_DTYPE_H
#define SG_SPLIT_DTYPE_H

#include <stdbool.h>

#include "base/text.h"

typedef enum sg_dtype {
#define X(id, name, bits, packed, ctype, kind, onnx, onnx_enum, ov) SG_DTYPE_##id,
#include "split/dtypes.inc"
#undef X
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

typedef struct sg_dtype_info {
    const char *id;     /* upper-case suffix of the public SPLITGEN_<id> enumerator */
    const char *name;   /* "f32" */
    int bits;           /* per element */
    bool packed;        /* below a byte or straddling bytes */
    const char *c_type; /* of one element; packed: of the containing bytes */
    sg_dtype_kind kind;
    const char *onnx;     /* spelling in ONNX text, "" when ONNX has no such type */
    int onnx_enum;        /* TensorProto.DataType, 0 when none */
    const char *openvino; /* element_type in an IR, "" when OpenVINO has no such type */
} sg_dtype_info;

const sg_dtype_info *sg_dtype_get(sg_dtype dtype);

/* Finds a type by any spelling: own name, ONNX (with or without "tensor(...)"), OpenVINO (also
 * upper-case port precisions such as FP32, I64, BOOL, BIN). False when unknown. */
bool sg_dtype_find(sg_str spelling, sg_dtype *out);

/* "lsb", "msb", "planes"; "" for SG_PACKING_NONE. */
const char *sg_packing_name(sg_packing packing);

/* Elements that share a group of whole bytes under SG_PACKING_PLANES: 8 of 3 bits, 4 of 6 bits. */
int sg_packing_group(const sg_dtype_info *info);

/* The known spelling nearest to a misspelt one (own names win ties), or NULL. */
const char *sg_dtype_suggest(sg_str spelling);

#endif
