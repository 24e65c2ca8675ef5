/* Creates, compares and prints sums of products of open dimensions. */
#include "placement/sums.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"

static int compare_names(const sg_place_product *a, const sg_place_product *b)
{
    int order = (a->count < b->count) - (a->count > b->count);
    for (int64_t i = 0; order == 0 && i < a->count; i++) {
        order = strcmp(a->names[i], b->names[i]);
    }
    return order;
}

sg_place_sum sg_place_sum_number(sg_arena *arena, int64_t number)
{
    sg_place_product *one = SG_NEW(arena, sg_place_product);
    one->factor = number;
    return (sg_place_sum){one, number != 0, false};
}

/* a + times * b. */
static bool add_factors(int64_t a, int64_t b, int64_t times, int64_t *sum)
{
    return sg_mul64(b, times, sum) && sg_add64(a, *sum, sum);
}

sg_place_sum sg_place_sum_add(sg_arena *arena, const sg_place_sum *a, const sg_place_sum *b,
                              int64_t times)
{
    static const sg_place_sum over = {.over = true};
    sg_place_product *both = SG_NEW_ARRAY(arena, sg_place_product, a->count + b->count);
    int64_t count = 0;
    if (a->over || b->over) {
        return over;
    }
    for (int64_t i = 0, k = 0; i < a->count || k < b->count;) {
        const int order = i == a->count   ? 1
                          : k == b->count ? -1
                                          : compare_names(&a->products[i], &b->products[k]);
        both[count] = order <= 0 ? a->products[i] : b->products[k];
        if (!add_factors(order <= 0 ? a->products[i].factor : 0,
                         order >= 0 ? b->products[k].factor : 0, times, &both[count].factor)) {
            return over;
        }
        count += both[count].factor != 0;
        i += order <= 0;
        k += order >= 0;
    }
    return count <= SG_PLACE_PRODUCTS ? (sg_place_sum){both, count, false} : over;
}

static sg_place_sum product_times(sg_arena *arena, const sg_place_product *a,
                                  const sg_place_product *b)
{
    sg_place_product *both = SG_NEW(arena, sg_place_product);
    if (a->count + b->count > SG_PLACE_PRODUCTS || !sg_mul64(a->factor, b->factor, &both->factor)) {
        return (sg_place_sum){.over = true};
    }
    both->names = SG_NEW_ARRAY(arena, const char *, a->count + b->count);
    for (int64_t i = 0, k = 0; i < a->count || k < b->count;) {
        const bool first = k == b->count || (i < a->count && strcmp(a->names[i], b->names[k]) <= 0);
        both->names[both->count++] = first ? a->names[i++] : b->names[k++];
    }
    return (sg_place_sum){both, 1, false};
}

sg_place_sum sg_place_sum_times(sg_arena *arena, const sg_place_sum *a, const sg_place_sum *b)
{
    sg_place_sum all = {.over = a->over || b->over};
    for (int64_t i = 0; i < a->count; i++) {
        for (int64_t k = 0; k < b->count && !all.over; k++) {
            const sg_place_sum one = product_times(arena, &a->products[i], &b->products[k]);
            all = sg_place_sum_add(arena, &all, &one, 1);
        }
    }
    return all;
}

/* The product of an integer and names. A name may itself be a sum of such products. */
static bool sum_of_factors(sg_arena *arena, const sg_fact_factors *factors, sg_place_sum *sum)
{
    *sum = sg_place_sum_number(arena, factors->number);
    for (int64_t i = 0; i < factors->count; i++) {
        sg_fact_factors *terms = NULL;
        const int64_t nterms = sg_fact_terms_of(arena, factors->names[i], &terms);
        const sg_place_product name = {1, &factors->names[i], 1};
        sg_place_sum factor = {&name, nterms == 0, false};
        for (int64_t t = 0; t < nterms; t++) {
            sg_place_sum term;
            SG_TRY(sum_of_factors(arena, &terms[t], &term));
            factor = sg_place_sum_add(arena, &factor, &term, 1);
            SG_TRY(!factor.over);
        }
        *sum = sg_place_sum_times(arena, sum, &factor);
        SG_TRY(!sum->over);
    }
    return true;
}

bool sg_place_sum_dim(sg_arena *arena, sg_fact_entry dim, sg_place_sum *sum)
{
    sg_fact_factors factors = {.number = dim.as.integer};
    SG_TRY(dim.kind == SG_FACT_INT ||
           (dim.kind == SG_FACT_NAME && sg_fact_factors_of(arena, dim.as.name, &factors)));
    return sum_of_factors(arena, &factors, sum);
}

bool sg_place_sum_is_number(const sg_place_sum *sum)
{
    return sum->count == 0 || sum->products[0].count == 0;
}

bool sg_place_sum_same(const sg_place_sum *a, const sg_place_sum *b)
{
    bool same = a->count == b->count && !a->over && !b->over;
    for (int64_t i = 0; same && i < a->count; i++) {
        same = a->products[i].factor == b->products[i].factor &&
               compare_names(&a->products[i], &b->products[i]) == 0;
    }
    return same;
}

/* --- values ----------------------------------------------------------------------------------- */

static int64_t number_of(const char *name, const sg_place_open *open, int64_t nopen, int numbers)
{
    static const int64_t others[SG_PLACE_NUMBERS][6] = {[SG_PLACE_PLANNED] = {2, 5, 3, 11, 7, 13},
                                                        {17, 7, 13, 5, 11, 3},
                                                        [SG_PLACE_PROVED] = {1, 1, 1, 1, 1, 1},
                                                        {3, 19, 2, 7, 5, 23}};
    int64_t i = 0;
    while (i < nopen && strcmp(open[i].name, name) != 0) {
        i++;
    }
    return i == nopen                     ? 1
           : numbers == SG_PLACE_EXPECTED ? open[i].expected
                                          : others[numbers][i % 6] + i / 6;
}

bool sg_place_sum_value(const sg_place_sum *sum, const sg_place_open *open, int64_t nopen,
                        int numbers, int64_t *value)
{
    *value = 0;
    SG_TRY(!sum->over);
    for (int64_t i = 0; i < sum->count; i++) {
        int64_t product = sum->products[i].factor;
        for (int64_t n = 0; n < sum->products[i].count; n++) {
            SG_TRY(sg_mul64(product, number_of(sum->products[i].names[n], open, nopen, numbers),
                            &product));
        }
        SG_TRY(sg_add64(*value, product, value));
    }
    return true;
}

/* --- text ------------------------------------------------------------------------------------- */

const char *sg_place_open_name(sg_arena *arena, const char *name)
{
    return sg_fact_is_nameless(name) ? sg_arena_printf(arena, "?%s", name + 1) : name;
}

const char *sg_place_sum_text(sg_arena *arena, const sg_place_sum *sum)
{
    sg_buf text = {0};
    for (int64_t i = 0; i < sum->count; i++) {
        const sg_place_product *product = &sum->products[i];
        const bool hidden = product->count > 0 && (product->factor == 1 || product->factor == -1);
        sg_buf_addz(&text, product->factor < 0 ? "-" : i > 0 ? "+" : "");
        if (!hidden) {
            sg_buf_printf(&text, "%" PRId64,
                          product->factor < 0 ? -product->factor : product->factor);
        }
        for (int64_t n = 0; n < product->count; n++) {
            sg_buf_printf(&text, "%s%s", n > 0 || !hidden ? "*" : "",
                          sg_place_open_name(arena, product->names[n]));
        }
    }
    const char *copy = sum->count > 0 ? sg_arena_strndup(arena, text.ptr, text.len) : "0";
    sg_buf_free(&text);
    return copy;
}

const char *sg_place_bytes_text(sg_arena *arena, const sg_place_sum *bits)
{
    sg_place_product *products = SG_NEW_ARRAY(arena, sg_place_product, bits->count);
    for (int64_t i = 0; i < bits->count; i++) {
        products[i] = bits->products[i];
        if (products[i].factor % 8 != 0) {
            return sg_arena_printf(arena, "(%s+7)/8", sg_place_sum_text(arena, bits));
        }
        products[i].factor /= 8;
    }
    return sg_place_sum_text(arena, &(sg_place_sum){products, bits->count, bits->over});
}
