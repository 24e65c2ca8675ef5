/* The element type table and its spellings. Knows names and sizes, no rule about who may use which
 * type. */
#include "split/dtype.h"

#include <stddef.h>

static const sg_dtype_info dtypes[] = {
#define X(id, name, bits, packed, ctype, kind, onnx, onnx_enum, ov)                                \
    {#id, name, bits, packed != 0, ctype, SG_DTYPE_KIND_##kind, onnx, onnx_enum, ov},
#include "split/dtypes.inc"
#undef X
};

/* OpenVINO's old precision names that are not the upper-cased element type. The IR reader takes
 * them in lower case too (openvino/core/type/element_type.cpp). */
static const struct {
    const char *spelling;
    sg_dtype dtype;
} precisions[] = {
    {"FP16", SG_DTYPE_F16}, {"FP32", SG_DTYPE_F32},  {"FP64", SG_DTYPE_F64},
    {"BIN", SG_DTYPE_U1},   {"BOOL", SG_DTYPE_BOOL},
};

static char to_upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static char to_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Whether spelling is word with every letter mapped; mixed case is nobody's spelling. */
static bool equals_mapped(sg_str spelling, const char *word, char (*map)(char))
{
    size_t i = 0;
    for (; i < spelling.len && word[i] != '\0'; i++) {
        if (spelling.ptr[i] != map(word[i])) {
            return false;
        }
    }
    return i == spelling.len && word[i] == '\0';
}

const sg_dtype_info *sg_dtype_get(sg_dtype dtype)
{
    return &dtypes[dtype];
}

const char *sg_packing_name(sg_packing packing)
{
    static const char *const names[] = {"", "lsb", "msb", "planes"};
    return names[packing];
}

int sg_packing_group(const sg_dtype_info *info)
{
    return 24 / info->bits;
}

static bool find_onnx(sg_str spelling, sg_dtype *out)
{
    for (int i = 0; i < SG_DTYPE_COUNT; i++) {
        if (dtypes[i].onnx[0] != '\0' && sg_str_eqz(spelling, dtypes[i].onnx)) {
            *out = (sg_dtype)i;
            return true;
        }
    }
    return false;
}

static bool find_openvino(sg_str spelling, sg_dtype *out)
{
    for (int i = 0; i < SG_DTYPE_COUNT; i++) {
        const char *word = dtypes[i].openvino;
        if (word[0] != '\0' &&
            (sg_str_eqz(spelling, word) || equals_mapped(spelling, word, to_upper))) {
            *out = (sg_dtype)i;
            return true;
        }
    }
    for (size_t i = 0; i < sizeof precisions / sizeof precisions[0]; i++) {
        if (sg_str_eqz(spelling, precisions[i].spelling) ||
            equals_mapped(spelling, precisions[i].spelling, to_lower)) {
            *out = precisions[i].dtype;
            return true;
        }
    }
    return false;
}

bool sg_dtype_find(sg_str spelling, sg_dtype *out)
{
    static const char open[] = "tensor(";
    const size_t nopen = sizeof open - 1;
    if (spelling.len > nopen && spelling.ptr[spelling.len - 1] == ')' &&
        sg_str_eqz((sg_str){spelling.ptr, nopen}, open)) {
        return find_onnx((sg_str){spelling.ptr + nopen, spelling.len - nopen - 1}, out);
    }
    for (int i = 0; i < SG_DTYPE_COUNT; i++) {
        if (sg_str_eqz(spelling, dtypes[i].name)) {
            *out = (sg_dtype)i;
            return true;
        }
    }
    return find_onnx(spelling, out) || find_openvino(spelling, out);
}

const char *sg_dtype_suggest(sg_str spelling)
{
    /* own names first: ties go to the earlier candidate */
    const char *words[3 * SG_DTYPE_COUNT];
    size_t count = 0;
    for (int i = 0; i < SG_DTYPE_COUNT; i++) {
        words[count++] = dtypes[i].name;
    }
    for (int i = 0; i < SG_DTYPE_COUNT; i++) {
        if (dtypes[i].onnx[0] != '\0') {
            words[count++] = dtypes[i].onnx;
        }
        if (dtypes[i].openvino[0] != '\0') {
            words[count++] = dtypes[i].openvino;
        }
    }
    return sg_suggest(spelling, words, count);
}
