/* The reference map: the loop of per-element generators (kraiskil/onnx2c src/nodes/split.h),
 * with data instead of constants. */
#include "reference.h"

static int64_t on_axis(const test_split *split, size_t part)
{
    return part == TEST_WHOLE ? split->dims[split->axis] : split->lengths[part];
}

int64_t test_split_rows(const test_split *split)
{
    int64_t rows = 1;
    for (int d = 0; d < split->axis; ++d) {
        rows *= split->dims[d];
    }
    return rows;
}

int64_t test_split_row(const test_split *split, size_t part)
{
    int64_t elements = on_axis(split, part);
    for (int d = split->axis + 1; d < split->rank; ++d) {
        elements *= split->dims[d];
    }
    return elements;
}

int64_t test_split_elements(const test_split *split, size_t part)
{
    return test_split_rows(split) * test_split_row(split, part);
}

int64_t test_split_stride(const test_split *split, size_t part)
{
    const int64_t written = part == TEST_WHOLE       ? split->stride
                            : split->strides != NULL ? split->strides[part]
                                                     : 0;
    return written > 0 ? written : test_split_row(split, part);
}

int64_t test_split_span(const test_split *split, size_t part)
{
    const int64_t rows = test_split_rows(split);
    const int64_t row = test_split_row(split, part);
    return rows == 0 || row == 0 ? 0 : (rows - 1) * test_split_stride(split, part) + row;
}

int64_t test_split_place(const test_split *split, size_t part, int64_t element)
{
    const int64_t row = test_split_row(split, part);
    return element / row * test_split_stride(split, part) + element % row;
}

size_t test_split_locate(const test_split *split, int64_t element, int64_t *number)
{
    int64_t index[TEST_MAX_RANK] = {0};
    for (int d = split->rank - 1; d >= 0; --d) {
        index[d] = element % split->dims[d];
        element /= split->dims[d];
    }
    size_t part = 0;
    while (index[split->axis] >= split->lengths[part]) {
        index[split->axis] -= split->lengths[part];
        ++part;
    }
    *number = 0;
    for (int d = 0; d < split->rank; ++d) {
        *number = *number * (d == split->axis ? split->lengths[part] : split->dims[d]) + index[d];
    }
    return part;
}
