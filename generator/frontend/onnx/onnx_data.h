/* onnx_data: where ONNX stores the values of constants, in binary models and in text. Private to
 * this folder. */
#ifndef SG_FRONTEND_ONNX_ONNX_DATA_H
#define SG_FRONTEND_ONNX_ONNX_DATA_H

#include <stdint.h>

/* The fields of TensorProto that hold values: X(ID, name, number, wire type of an element). */
#define SG_ONNX_DATA_FIELDS(X)                                                                     \
    X(FLOAT, "float_data", 4, FIXED32)                                                             \
    X(INT32, "int32_data", 5, VARINT) /* also the bits of floats of up to 16 bits */               \
    X(STRING, "string_data", 6, BYTES)                                                             \
    X(INT64, "int64_data", 7, VARINT)                                                              \
    X(RAW, "raw_data", 9, BYTES)                                                                   \
    X(DOUBLE, "double_data", 10, FIXED64)                                                          \
    X(UINT64, "uint64_data", 11, VARINT)

typedef enum sg_onnx_data_field {
    SG_ONNX_DATA_NONE,
#define X(id, name, number, wire) SG_ONNX_DATA_##id = (number),
    SG_ONNX_DATA_FIELDS(X)
#undef X
} sg_onnx_data_field;

/* The field for values of a type, unless they are in raw_data. dtype: sg_dtype or
 * SG_GRAPH_DTYPE_UNKNOWN. */
sg_onnx_data_field sg_onnx_typed_field(int dtype);

#endif
