/* Selects the kernels that get a picture, and how much of each is drawn. Many Splits of a model are
 * equal except for their names; they share a picture. */
#include <stdlib.h>
#include <string.h>

#include "emit/model.h"
#include "plan/plan.h"

/* The layout of a page, by the number of pictures. */
typedef struct picture_layout {
    int64_t most;    /* the largest number of pictures */
    int64_t columns; /* columns of pictures */
    int64_t rows;    /* rows of the full tensor in a picture */
    int64_t parts;   /* parts in its legend; 0: no legend */
} picture_layout;

static const picture_layout layouts[] = {{6, 1, 6, 48}, {INT64_MAX, 2, 1, 0}};

static int compare_numbers(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* For the same number of open numbers and the same rank. */
static int compare_open(const sg_split *a, const sg_split *b)
{
    for (int o = 0; o < a->nopen; ++o) {
        const int order = strcmp(a->open[o].name, b->open[o].name);
        if (order != 0) {
            return order;
        }
    }
    return a->nopen == 0 ? 0 : memcmp(a->powers, b->powers, (size_t)a->rank * (size_t)a->nopen);
}

/* NULL if the tensor's rows have a single stride. */
static int compare_strides(int rank, const int64_t *a, const int64_t *b)
{
    int order = compare_numbers(a != NULL, b != NULL);
    for (int d = 0; order == 0 && a != NULL && d < rank; ++d) {
        order = compare_numbers(a[d], b[d]);
    }
    return order;
}

static int compare_whole(const sg_split *a, const sg_split *b)
{
    const int64_t pairs[][2] = {{a->dtype, b->dtype}, {a->packing, b->packing},
                                {a->rank, b->rank},   {a->axis, b->axis},
                                {a->nopen, b->nopen}, {a->nparts, b->nparts},
                                {a->joins, b->joins}, {a->row_stride, b->row_stride}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; ++i) {
        const int order = compare_numbers(pairs[i][0], pairs[i][1]);
        if (order != 0) {
            return order;
        }
    }
    for (int i = 0; i < a->rank; ++i) {
        const int order = compare_numbers(a->dims[i], b->dims[i]);
        if (order != 0) {
            return order;
        }
    }
    const int order = compare_strides(a->rank, a->strides, b->strides);
    return order != 0 ? order : compare_open(a, b);
}

/* Names of parts count in specs, where people chose them; in a model, all names of tensors differ.
 */
static int compare_parts(const sg_split *a, const sg_split *b, bool by_name)
{
    for (int64_t i = 0; i < a->nparts; ++i) {
        const sg_part *x = &a->parts[i];
        const sg_part *y = &b->parts[i];
        int order = compare_numbers(x->length, y->length);
        if (order == 0) {
            order = compare_numbers(x->row_stride, y->row_stride);
        }
        if (order == 0) {
            order = compare_strides(a->rank, x->strides, y->strides);
        }
        if (order == 0) {
            order = compare_numbers(x->wanted, y->wanted);
        }
        if (order == 0) {
            order = compare_numbers(x->without_axis, y->without_axis);
        }
        if (order == 0 && by_name && x->wanted) {
            order = strcmp(x->name, y->name);
        }
        if (order != 0) {
            return order;
        }
    }
    return 0;
}

/* 0 if one picture shows both. */
static int compare_pictures(const sg_model_kernel *a, const sg_model_kernel *b)
{
    int order = compare_numbers(a->has_origin, b->has_origin);
    if (order == 0) {
        order = compare_whole(a->plan->split, b->plan->split);
    }
    return order != 0 ? order : compare_parts(a->plan->split, b->plan->split, !a->has_origin);
}

/* A stable order. */
static int compare_kernels(const void *a, const void *b)
{
    const sg_model_kernel *x = *(const sg_model_kernel *const *)a;
    const sg_model_kernel *y = *(const sg_model_kernel *const *)b;
    const int order = compare_pictures(x, y);
    return order != 0 ? order : (x > y) - (x < y);
}

void sg_model_pictures(sg_arena *arena, sg_model *model)
{
    sg_model_kernel **sorted = SG_NEW_ARRAY(arena, sg_model_kernel *, model->nkernels);
    for (int64_t i = 0; i < model->nkernels; ++i) {
        sorted[i] = &model->kernels[i];
    }
    qsort(sorted, (size_t)model->nkernels, sizeof *sorted, compare_kernels);
    for (int64_t first = 0, end = 0; first < model->nkernels; first = end) {
        while (end < model->nkernels && compare_pictures(sorted[first], sorted[end]) == 0) {
            ++end;
        }
        sorted[first]->pictured = &sorted[first];
        sorted[first]->npictured = end - first;
    }
    model->pictures = SG_NEW_ARRAY(arena, sg_model_kernel *, model->nkernels);
    for (int64_t i = 0; i < model->nkernels; ++i) {
        if (model->kernels[i].npictured > 0) {
            model->pictures[model->npictures++] = &model->kernels[i];
        }
    }
    const picture_layout *layout = layouts;
    while (model->npictures > layout->most) {
        ++layout;
    }
    model->picture_columns = layout->columns;
    model->picture_rows = layout->rows;
    model->picture_parts = layout->parts;
}
