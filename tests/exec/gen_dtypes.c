/* The element types of the standards, and sizes of an op. Written a second time on purpose: the
 * tests must be independent of the generator. */
#include "gen.h"

#include <string.h>

/* Opsets from onnx/defs/tensor/old.cc and defs.cc: Split-1 supports floats, Split-2 fifteen
 * types, Split-13 also bfloat16, no version float8 and packed types. Concat-1, -4 and -13
 * support the same. */
const gen_dtype gen_dtypes[] = {
    {"f32", "float", "f32", 4, 4, 1, "SPLITGEN_F32", 0},
    {"u8", "uint8", "u8", 1, 1, 2, "SPLITGEN_U8", 0},
    {"i8", "int8", "i8", 1, 1, 2, "SPLITGEN_I8", 0},
    {"u16", "uint16", "u16", 2, 2, 2, "SPLITGEN_U16", 0},
    {"i16", "int16", "i16", 2, 2, 2, "SPLITGEN_I16", 0},
    {"i32", "int32", "i32", 4, 4, 2, "SPLITGEN_I32", 0},
    {"i64", "int64", "i64", 8, 8, 2, "SPLITGEN_I64", 0},
    {"string", "string", "string", 8, 8, 2, "SPLITGEN_STRING", 0},
    {"bool", "bool", "boolean", 1, 1, 2, "SPLITGEN_BOOL", 0},
    {"f16", "float16", "f16", 2, 2, 1, "SPLITGEN_F16", 0},
    {"f64", "double", "f64", 8, 8, 1, "SPLITGEN_F64", 0},
    {"u32", "uint32", "u32", 4, 4, 2, "SPLITGEN_U32", 0},
    {"u64", "uint64", "u64", 8, 8, 2, "SPLITGEN_U64", 0},
    {"c64", "complex64", NULL, 8, 4, 2, "SPLITGEN_C64", 0},
    {"c128", "complex128", NULL, 16, 8, 2, "SPLITGEN_C128", 0},
    {"bf16", "bfloat16", "bf16", 2, 2, 13, "SPLITGEN_BF16", 0},
    {"f8e4m3", "float8e4m3fn", "f8e4m3", 1, 1, 0, "SPLITGEN_F8E4M3", 0},
    {"f8e4m3fnuz", "float8e4m3fnuz", NULL, 1, 1, 0, "SPLITGEN_F8E4M3FNUZ", 0},
    {"f8e5m2", "float8e5m2", "f8e5m2", 1, 1, 0, "SPLITGEN_F8E5M2", 0},
    {"f8e5m2fnuz", "float8e5m2fnuz", NULL, 1, 1, 0, "SPLITGEN_F8E5M2FNUZ", 0},
    {"f8e8m0", "float8e8m0", "f8e8m0", 1, 1, 0, "SPLITGEN_F8E8M0", 0},
    {"u1", NULL, "u1", 1, 1, 0, "SPLITGEN_U1", 1},
    {"u2", "uint2", "u2", 1, 1, 0, "SPLITGEN_U2", 2},
    {"i2", "int2", NULL, 1, 1, 0, "SPLITGEN_I2", 2},
    {"u3", NULL, "u3", 1, 1, 0, "SPLITGEN_U3", 3},
    {"u4", "uint4", "u4", 1, 1, 0, "SPLITGEN_U4", 4},
    {"i4", "int4", "i4", 1, 1, 0, "SPLITGEN_I4", 4},
    {"nf4", NULL, "nf4", 1, 1, 0, "SPLITGEN_NF4", 4},
    {"f4e2m1", "float4e2m1", "f4e2m1", 1, 1, 0, "SPLITGEN_F4E2M1", 4},
    {"u6", NULL, "u6", 1, 1, 0, "SPLITGEN_U6", 6},
    {"f6e2m3", "float6e2m3", NULL, 1, 1, 0, "SPLITGEN_F6E2M3", 6},
    {"f6e3m2", "float6e3m2", NULL, 1, 1, 0, "SPLITGEN_F6E3M2", 6},
    {"f8e3m4", NULL, NULL, 1, 1, 0, "SPLITGEN_F8E3M4", 0},
    {"f8e4m3ieee", NULL, NULL, 1, 1, 0, "SPLITGEN_F8E4M3IEEE", 0},
    {"f8e4m3b11fnuz", NULL, NULL, 1, 1, 0, "SPLITGEN_F8E4M3B11FNUZ", 0},
    {"i3", NULL, NULL, 1, 1, 0, "SPLITGEN_I3", 3},
    {"i5", NULL, NULL, 1, 1, 0, "SPLITGEN_I5", 5},
    {"u5", NULL, NULL, 1, 1, 0, "SPLITGEN_U5", 5},
    {"i6", NULL, NULL, 1, 1, 0, "SPLITGEN_I6", 6},
    {"i7", NULL, NULL, 1, 1, 0, "SPLITGEN_I7", 7},
    {"u7", NULL, NULL, 1, 1, 0, "SPLITGEN_U7", 7},
};

const int gen_ndtypes = (int)(sizeof gen_dtypes / sizeof gen_dtypes[0]);

const gen_dtype *gen_dtype_find(const char *name)
{
    for (int i = 0; i < gen_ndtypes; ++i) {
        if (strcmp(gen_dtypes[i].name, name) == 0) {
            return &gen_dtypes[i];
        }
    }
    return NULL;
}

bool gen_infers(const gen_op *op)
{
    return op->joins && op->vocabulary != GEN_SPLIT && op->vocabulary != GEN_NOTATION;
}

int64_t gen_elements(const gen_op *op)
{
    int64_t elements = 1;
    for (int d = 0; d < op->rank; ++d) {
        elements *= op->dims[d];
    }
    return elements;
}

int64_t gen_copies(const gen_op *op)
{
    int64_t rows = 1;
    int64_t inner_bytes = op->dtype->bytes;
    int64_t per_row = 0;
    for (int d = 0; d < op->rank; ++d) {
        if (d < op->axis) {
            rows *= op->dims[d];
        } else if (d > op->axis) {
            inner_bytes *= op->dims[d];
        }
    }
    for (int i = 0; i < op->nparts; ++i) {
        per_row += (op->parts[i].length * inner_bytes + 127) / 128;
    }
    return rows * per_row;
}
