/* Constants of a kernel, as unsigned integers in C, which preserve every bit whatever the type. */
#include <inttypes.h>

#include "emit/model.h"
#include "plan/plan.h"

/* Bytes of one number. */
static int64_t unit_of(const sg_split *split)
{
    return split->element_bytes / sg_dtype_numbers(split->dtype);
}

const char *sg_model_values_type(sg_arena *arena, const sg_split *split)
{
    return sg_arena_printf(arena, "uint%" PRId64 "_t", 8 * unit_of(split));
}

/* Models are little-endian. */
static uint64_t number_at(const unsigned char *bytes, int64_t unit)
{
    uint64_t number = 0;
    for (int64_t i = unit; i-- > 0;) {
        number = number << 8 | bytes[i];
    }
    return number;
}

const char *sg_model_values(sg_arena *arena, const sg_split *split, const sg_part *part)
{
    const unsigned char *bytes = part->data;
    const int64_t unit = unit_of(split);
    sg_buf text = {0};
    for (int64_t at = 0; at + unit <= part->bytes; at += unit) {
        sg_buf_printf(&text, "%s0x%" PRIx64 "%s", at > 0 ? ", " : "", number_at(bytes + at, unit),
                      unit == 8   ? "ULL"
                      : unit == 4 ? "U"
                                  : "");
    }
    const char *kept = sg_arena_strndup(arena, text.ptr, text.len);
    sg_buf_free(&text);
    return kept;
}
