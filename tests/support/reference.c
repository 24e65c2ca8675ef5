/* The reference split: the loop that per-element generators emit (kraiskil/onnx2c
 * src/nodes/split.h), with data in place of constants. */
#include "reference.h"

int64_t test_split_elements(const test_split *split)
{
    int64_t elements = 1;
    for (int d = 0; d < split->rank; ++d) {
        elements *= split->dims[d];
    }
    return elements;
}

int64_t test_split_part_elements(const test_split *split, size_t part)
{
    int64_t elements = 1;
    for (int d = 0; d < split->rank; ++d) {
        elements *= d == split->axis ? split->lengths[part] : split->dims[d];
    }
    return elements;
}

size_t test_split_locate(const test_split *split, int64_t element, int64_t *place)
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
    *place = 0;
    for (int d = 0; d < split->rank; ++d) {
        *place = *place * (d == split->axis ? split->lengths[part] : split->dims[d]) + index[d];
    }
    return part;
}

void test_split_reference(const test_split *split, const unsigned char *input,
                          unsigned char *const parts[])
{
    const int64_t elements = test_split_elements(split);
    for (int64_t element = 0; element < elements; ++element) {
        int64_t to;
        const size_t part = test_split_locate(split, element, &to);
        if (!split->wanted[part]) {
            continue;
        }
        for (size_t byte = 0; byte < split->element_bytes; ++byte) {
            parts[part][(size_t)to * split->element_bytes + byte] =
                input[(size_t)element * split->element_bytes + byte];
        }
    }
}
