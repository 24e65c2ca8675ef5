/* Rules on the bit order of packed types: the values of `packing`, its default, and the parts that
 * a grouped layout allows. */
#include "split/resolve_rules.h"

#include <string.h>

#define BIT(packing) (1U << (packing))

/* Bit orders in use. ONNX has the least significant bits first (onnx/numpy_helper.py); other
 * formats store elements of 1, 2 and 4 bits in the opposite order. OpenVINO
 * (core/type/element_iterator.hpp) has u1 with the most significant bit first, u2 too up to 2025.2,
 * and u3 and u6 in planes until they became a stream of bits. Other widths that do not divide a
 * byte are streams. */
static unsigned allowed(const sg_op *op, const sg_dtype_info *info)
{
    if (8 % info->bits != 0) {
        return BIT(SG_PACKING_LSB) | (info->openvino[0] != '\0' ? BIT(SG_PACKING_PLANES) : 0);
    }
    if (sg_op_is_openvino(op->kind) && info->bits == 1) {
        return BIT(SG_PACKING_MSB);
    }
    if (sg_op_is_openvino(op->kind) && info->bits == 4) {
        return BIT(SG_PACKING_LSB);
    }
    return BIT(SG_PACKING_LSB) | BIT(SG_PACKING_MSB);
}

static const char *allowed_text(const sg_check *check, unsigned set)
{
    const char *text = "";
    for (int p = SG_PACKING_LSB; p <= SG_PACKING_PLANES; ++p) {
        if ((set & BIT(p)) != 0) {
            text = sg_arena_printf(check->arena, "%s%s'%s'", text, text[0] == '\0' ? "" : " or ",
                                   sg_packing_name((sg_packing)p));
        }
    }
    return text;
}

static bool find_packing(const sg_check *check, sg_packing *out)
{
    const sg_op_text *written = &check->op->packing;
    const char *names[] = {"lsb", "msb", "planes"};
    for (int p = SG_PACKING_LSB; p <= SG_PACKING_PLANES; ++p) {
        if (strcmp(written->text, sg_packing_name((sg_packing)p)) == 0) {
            *out = (sg_packing)p;
            return true;
        }
    }
    const char *near = sg_suggest(sg_str_from(written->text), names, 3);
    if (near != NULL) {
        return sg_diag_error(check->diag, written->span, "unknown packing '%s'; did you mean '%s'?",
                             sg_check_quote(check, written->text), near);
    }
    return sg_diag_error(check->diag, written->span,
                         "unknown packing '%s': it is 'lsb' (first element in the least "
                         "significant bits), 'msb' (in the most significant ones) or 'planes'",
                         sg_check_quote(check, written->text));
}

void sg_check_packing(sg_check *check)
{
    const sg_op *op = check->op;
    if (!check->dtype_known) {
        return;
    }
    const sg_dtype_info *info = sg_dtype_get(check->split->dtype);
    if (!info->packed) {
        if (op->packing.present) {
            sg_diag_error(
                check->diag, op->packing.span,
                "'packing' applies to packed types only, and elements of '%s' are whole bytes",
                info->name);
        }
        return;
    }
    const unsigned set = allowed(op, info);
    check->split->packing = (set & BIT(SG_PACKING_LSB)) != 0 ? SG_PACKING_LSB : SG_PACKING_MSB;
    if (!op->packing.present || !find_packing(check, &check->split->packing)) {
        return;
    }
    if ((set & BIT(check->split->packing)) == 0) {
        sg_diag_error(check->diag, op->packing.span,
                      "'packing' is '%s', but %s '%s' is stored as %s only", op->packing.text,
                      sg_op_is_openvino(op->kind) ? "OpenVINO's" : "dtype", info->name,
                      allowed_text(check, set));
    }
}

/* Checks one end of a part: this index of the axis must be a whole number of groups from the start
 * of the row. */
static bool check_end(const sg_check *check, const sg_part *part, int64_t index, const char *what)
{
    const sg_split *split = check->split;
    const sg_dtype_info *info = sg_dtype_get(split->dtype);
    const int group = sg_packing_group(info);
    if (index * split->inner.factor % group == 0) {
        return true;
    }
    return sg_diag_error(check->diag, check->op->packing.span,
                         "packing 'planes' keeps %d elements of '%s' in 3 bytes, but '%s' %s at "
                         "element %lld of a row, within such a group; store it as 'lsb'",
                         group, info->name, part->name, what,
                         (long long)(index * split->inner.factor));
}

/* The row stride must be whole groups. */
static bool check_row(const sg_check *check, int64_t stride, const char *what)
{
    const sg_dtype_info *info = sg_dtype_get(check->split->dtype);
    const int group = sg_packing_group(info);
    if (stride % group == 0) {
        return true;
    }
    return sg_diag_error(check->diag, check->op->packing.span,
                         "packing 'planes' keeps %d elements of '%s' in 3 bytes, but from one row "
                         "of %s to the next there are %lld, so that begins within such a group; "
                         "store it as 'lsb'",
                         group, info->name, what, (long long)stride);
}

void sg_check_groups(sg_check *check)
{
    const sg_split *split = check->split;
    if (split->packing != SG_PACKING_PLANES || split->bytes == 0) {
        return;
    }
    for (int64_t i = 0; i < split->nparts; ++i) {
        const sg_part *part = &split->parts[i];
        if (part->wanted && part->length > 0 &&
            (!check_end(check, part, part->start, "begins") ||
             !check_end(check, part, part->start + part->length, "ends"))) {
            return;
        }
    }
    if (!sg_split_has_rows(split)) {
        return;
    }
    bool ok = check_row(check, split->row_stride, "the whole");
    for (int64_t i = 0; ok && i < split->nparts; ++i) {
        const sg_part *part = &split->parts[i];
        ok = !part->wanted || check_row(check, part->row_stride, part->name);
    }
}
