/* The field of TensorProto that holds the values of an element type (onnx.in.proto). */
#include "frontend/onnx/onnx_data.h"

#include "split/dtype.h"

sg_onnx_data_field sg_onnx_typed_field(int dtype)
{
    switch (dtype) {
    case SG_DTYPE_F32:
    case SG_DTYPE_C64:
        return SG_ONNX_DATA_FLOAT;
    case SG_DTYPE_F64:
    case SG_DTYPE_C128:
        return SG_ONNX_DATA_DOUBLE;
    case SG_DTYPE_I64:
        return SG_ONNX_DATA_INT64;
    case SG_DTYPE_U32:
    case SG_DTYPE_U64:
        return SG_ONNX_DATA_UINT64;
    case SG_DTYPE_STRING:
        return SG_ONNX_DATA_STRING;
    default:
        return SG_ONNX_DATA_INT32;
    }
}
