/* Small splits; see make_split.h. */
#include "make_split.h"

/* The length in the encoding of the header: -2 - n is n, unwanted. */
static int64_t length_of(int64_t length)
{
    return length >= 0 ? length : -2 - length;
}

sg_split *make_split(sg_arena *arena, sg_dtype dtype, const int64_t *dims, int rank, int axis,
                     const int64_t *lengths)
{
    sg_split *s = SG_NEW(arena, sg_split);
    const sg_dtype_info *info = sg_dtype_get(dtype);
    *s = (sg_split){.op = SG_NEW(arena, sg_op),
                    .name = "k",
                    .data_name = "data",
                    .dtype = dtype,
                    .items = 1,
                    .behind = 1};
    s->element_bits = info->bits;
    s->element_bytes = info->bits / 8;
    s->align = s->element_bytes;
    s->rank = rank;
    s->axis = axis;
    s->dims = SG_NEW_ARRAY(arena, int64_t, rank);
    s->outer.factor = s->inner.factor = s->elements = 1;
    for (int d = 0; d < rank; ++d) {
        s->dims[d] = dims[d];
        s->elements *= dims[d];
        s->outer.factor *= d < axis ? dims[d] : 1;
        s->inner.factor *= d > axis ? dims[d] : 1;
    }
    s->bytes = s->elements * s->element_bytes;
    s->row_stride = s->dims[axis] * s->inner.factor;
    while (lengths[s->nparts] != -1) {
        ++s->nparts;
    }
    s->parts = SG_NEW_ARRAY(arena, sg_part, s->nparts);
    int64_t start = 0;
    for (int64_t i = 0; i < s->nparts; ++i) {
        sg_part *p = &s->parts[i];
        p->wanted = lengths[i] >= 0;
        p->length = length_of(lengths[i]);
        p->name = p->c_name = sg_arena_printf(arena, "out%d", (int)i);
        p->start = start;
        p->elements = s->outer.factor * p->length * s->inner.factor;
        p->bytes = p->elements * s->element_bytes;
        p->row_stride = p->length * s->inner.factor;
        start += p->length;
    }
    return s;
}

sg_split *make_matrix_split(sg_arena *arena, sg_dtype dtype, int64_t rows, const int64_t *lengths)
{
    int64_t width = 0;
    for (int64_t i = 0; lengths[i] != -1; ++i) {
        width += length_of(lengths[i]);
    }
    return make_split(arena, dtype, DIMS(rows, width), 2, 1, lengths);
}

void open_split(sg_arena *arena, sg_split *split, int dim, int64_t expected)
{
    sg_open *open = SG_NEW(arena, sg_open);
    *open = (sg_open){.name = "n", .c_name = "n", .expected = expected, .dim = dim};
    split->nopen = 1;
    split->open = open;
    split->powers = SG_NEW_ARRAY(arena, uint8_t, split->rank);
    split->powers[dim] = 1;
    split->outer.open = dim < split->axis;
    split->inner.open = dim > split->axis;
    *(split->outer.open ? &split->items : &split->behind) = expected;
}

void scale_split(sg_arena *arena, sg_split *split)
{
    const int rank = split->rank++;
    int64_t *dims = SG_NEW_ARRAY(arena, int64_t, split->rank);
    sg_open *open = SG_NEW_ARRAY(arena, sg_open, split->nopen + 1);
    const int nopen = split->nopen + 1;
    uint8_t *powers = SG_NEW_ARRAY(arena, uint8_t, split->rank * nopen);
    for (int d = 0; d < rank; ++d) {
        dims[d] = split->dims[d];
        for (int o = 0; o < split->nopen; ++o) {
            powers[d * nopen + o] = split->powers[d * split->nopen + o];
        }
    }
    for (int o = 0; o < split->nopen; ++o) {
        open[o] = split->open[o];
    }
    dims[rank] = 1;
    open[split->nopen] = (sg_open){.name = "t", .c_name = "t", .expected = 1, .dim = rank};
    powers[rank * nopen + split->nopen] = 1;
    split->dims = dims;
    split->open = open;
    split->powers = powers;
    split->nopen = nopen;
    split->inner.open = true;
}
