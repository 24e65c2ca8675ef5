/* Creates, compares and prints sums of products of open dimensions. */
#include "sums/sum.h"

#include <inttypes.h>
#include <string.h>

#include "base/checked.h"

#define NAMELESS  '\2' /* before the number of a name that sg_sum_nameless makes */
#define FOLLOWER  '='  /* behind it in names that sg_sum_follower_name makes */
#define SUM_TERMS 8    /* the limit on the terms of a dim */

static const sg_sum over = {.over = true};

/* --- order ------------------------------------------------------------------------------------ */

static int compare_sizes(const sg_sum *a, const sg_sum *b);

static int compare_factors(const sg_sum_factor *a, const sg_sum_factor *b)
{
    if (a->name != NULL && b->name != NULL) {
        return strcmp(a->name, b->name);
    }
    return a->name != NULL ? -1 : b->name != NULL ? 1 : compare_sizes(a->sum, b->sum);
}

/* Without their numbers. */
static int compare_terms(const sg_sum_term *a, const sg_sum_term *b)
{
    int order = (a->count < b->count) - (a->count > b->count);
    for (int64_t i = 0; order == 0 && i < a->count; ++i) {
        order = compare_factors(&a->factors[i], &b->factors[i]);
    }
    return order;
}

static int compare_sizes(const sg_sum *a, const sg_sum *b)
{
    int order = a == b ? 0 : (a->count > b->count) - (a->count < b->count);
    for (int64_t i = 0; a != b && order == 0 && i < a->count; ++i) {
        const int64_t number = a->terms[i].number;
        const int64_t other = b->terms[i].number;
        order = compare_terms(&a->terms[i], &b->terms[i]);
        order = order != 0 ? order : (number > other) - (number < other);
    }
    return order;
}

bool sg_sum_same(const sg_sum *a, const sg_sum *b)
{
    return !a->over && !b->over && compare_sizes(a, b) == 0;
}

/* --- making ----------------------------------------------------------------------------------- */

static sg_sum one_term(sg_arena *arena, sg_sum_term term)
{
    sg_sum_term *one = SG_NEW(arena, sg_sum_term);
    *one = term;
    return (sg_sum){.terms = one, .count = term.number != 0};
}

sg_sum sg_sum_number(sg_arena *arena, int64_t number)
{
    return one_term(arena, (sg_sum_term){.number = number});
}

sg_sum sg_sum_factor_of(sg_arena *arena, const sg_sum_factor *factor)
{
    return one_term(arena, (sg_sum_term){1, factor, 1});
}

sg_sum sg_sum_name(sg_arena *arena, const char *name)
{
    sg_sum_factor *factor = SG_NEW(arena, sg_sum_factor);
    factor->name = name;
    return sg_sum_factor_of(arena, factor);
}

sg_sum *sg_sum_copy(sg_arena *arena, const sg_sum *size)
{
    sg_sum *copy = SG_NEW(arena, sg_sum);
    sg_sum_term *terms = SG_NEW_ARRAY(arena, sg_sum_term, size->count);
    *copy = (sg_sum){terms, size->count, size->over};
    for (int64_t t = 0; t < size->count; ++t) {
        const sg_sum_term *term = &size->terms[t];
        sg_sum_factor *factors = SG_NEW_ARRAY(arena, sg_sum_factor, term->count);
        terms[t] = (sg_sum_term){term->number, factors, term->count};
        for (int64_t i = 0; i < term->count; ++i) {
            const sg_sum_factor *factor = &term->factors[i];
            factors[i].name = factor->name != NULL ? sg_arena_strdup(arena, factor->name) : NULL;
            factors[i].sum = factor->sum != NULL ? sg_sum_copy(arena, factor->sum) : NULL;
        }
    }
    return copy;
}

const char *sg_sum_nameless(sg_arena *arena, int64_t number)
{
    return sg_arena_printf(arena, "%c%" PRId64, NAMELESS, number);
}

const char *sg_sum_counter(sg_arena *arena, int64_t number, int64_t turns)
{
    return sg_arena_printf(arena, "%c%" PRId64 "<%" PRId64, NAMELESS, number, turns - 1);
}

const char *sg_sum_follower_name(sg_arena *arena, const char *stem, int64_t number)
{
    return sg_arena_printf(arena, "%c%c%s__%" PRId64, NAMELESS, FOLLOWER, stem, number);
}

const char *sg_sum_stem(sg_arena *arena, const char *name)
{
    const char *from = sg_sum_is_follower(name) ? name + 2 : name;
    const char *end = from == name ? NULL : strrchr(from, '_');
    return sg_sum_is_nameless(from) ? "dim"
           : end == NULL            ? from
                                    : sg_arena_strndup(arena, from, (size_t)(end - from) - 1);
}

bool sg_sum_is_follower(const char *name)
{
    return name[0] == NAMELESS && name[1] == FOLLOWER;
}

bool sg_sum_is_nameless(const char *name)
{
    return name[0] == NAMELESS;
}

bool sg_sum_may_be_name(const char *name)
{
    static const char kept[] = {'\1', NAMELESS, '\0'};
    return name[0] != '\0' && strpbrk(name, kept) == NULL;
}

bool sg_sum_most(const void *context, const char *name, int64_t *number)
{
    (void)context;
    const char *limit = sg_sum_is_nameless(name) ? strchr(name, '<') : NULL;
    return limit != NULL && sg_parse_int64(sg_str_from(limit + 1), number);
}

/* --- arithmetic ------------------------------------------------------------------------------- */

/* a + times * b. */
static bool add_numbers(int64_t a, int64_t b, int64_t times, int64_t *sum)
{
    return sg_mul64(b, times, sum) && sg_add64(a, *sum, sum);
}

sg_sum sg_sum_add(sg_arena *arena, const sg_sum *a, const sg_sum *b, int64_t times)
{
    sg_sum_term *both = SG_NEW_ARRAY(arena, sg_sum_term, a->count + b->count);
    int64_t count = 0;
    if (a->over || b->over) {
        return over;
    }
    for (int64_t i = 0, k = 0; i < a->count || k < b->count;) {
        const int order = i == a->count   ? 1
                          : k == b->count ? -1
                                          : compare_terms(&a->terms[i], &b->terms[k]);
        both[count] = order <= 0 ? a->terms[i] : b->terms[k];
        if (!add_numbers(order <= 0 ? a->terms[i].number : 0, order >= 0 ? b->terms[k].number : 0,
                         times, &both[count].number)) {
            return over;
        }
        count += both[count].number != 0;
        i += order <= 0;
        k += order >= 0;
    }
    return count <= SG_SUM_MOST ? (sg_sum){both, count, false} : over;
}

static sg_sum term_times(sg_arena *arena, const sg_sum_term *a, const sg_sum_term *b)
{
    sg_sum_term both = {0};
    if (a->count + b->count > SG_SUM_MOST || !sg_mul64(a->number, b->number, &both.number)) {
        return over;
    }
    sg_sum_factor *factors = SG_NEW_ARRAY(arena, sg_sum_factor, a->count + b->count);
    both.factors = factors;
    for (int64_t i = 0, k = 0; i < a->count || k < b->count;) {
        const bool first =
            k == b->count || (i < a->count && compare_factors(&a->factors[i], &b->factors[k]) <= 0);
        factors[both.count++] = first ? a->factors[i++] : b->factors[k++];
    }
    return one_term(arena, both);
}

sg_sum sg_sum_times(sg_arena *arena, const sg_sum *a, const sg_sum *b)
{
    sg_sum all = {.over = a->over || b->over};
    for (int64_t i = 0; i < a->count; ++i) {
        for (int64_t k = 0; k < b->count && !all.over; ++k) {
            const sg_sum one = term_times(arena, &a->terms[i], &b->terms[k]);
            all = sg_sum_add(arena, &all, &one, 1);
        }
    }
    return all;
}

sg_sum sg_sum_expanded(sg_arena *arena, const sg_sum *size)
{
    sg_sum all = {.over = size->over};
    for (int64_t t = 0; t < size->count; ++t) {
        const sg_sum_term *term = &size->terms[t];
        sg_sum product = sg_sum_number(arena, term->number);
        for (int64_t i = 0; i < term->count; ++i) {
            const sg_sum one = sg_sum_factor_of(arena, &term->factors[i]);
            product = sg_sum_times(arena, &product,
                                   term->factors[i].sum != NULL ? term->factors[i].sum : &one);
        }
        all = sg_sum_add(arena, &all, &product, 1);
    }
    return all;
}

/* The factors of a that are (shared) or are not (!shared) factors of b too; each of b counts
 * once. */
static sg_sum_term select_factors(sg_arena *arena, const sg_sum_term *a, const sg_sum_term *b,
                                  bool shared)
{
    sg_sum_factor *factors = SG_NEW_ARRAY(arena, sg_sum_factor, a->count);
    sg_sum_term some = {a->number, factors, 0};
    for (int64_t i = 0, k = 0; i < a->count; ++i) {
        while (k < b->count && compare_factors(&b->factors[k], &a->factors[i]) < 0) {
            ++k;
        }
        const bool both = k < b->count && compare_factors(&b->factors[k], &a->factors[i]) == 0;
        k += both;
        if (both == shared) {
            factors[some.count++] = a->factors[i];
        }
    }
    return some;
}

sg_sum sg_sum_factored(sg_arena *arena, const sg_sum *size)
{
    if (size->over || size->count > SUM_TERMS) {
        return over;
    }
    sg_sum_term shared = size->count > 0 ? size->terms[0] : (sg_sum_term){0};
    for (int64_t t = 0; t < size->count; ++t) {
        if (size->terms[t].number < 0) {
            return over;
        }
        shared = select_factors(arena, &shared, &size->terms[t], true);
        shared.number = sg_gcd64(shared.number, size->terms[t].number);
    }
    if (size->count < 2) {
        return *size;
    }
    sg_sum_term *terms = SG_NEW_ARRAY(arena, sg_sum_term, size->count);
    for (int64_t t = 0; t < size->count; ++t) {
        terms[t] = select_factors(arena, &size->terms[t], &shared, false);
        terms[t].number /= shared.number;
    }
    sg_sum *sum = SG_NEW(arena, sg_sum);
    *sum = (sg_sum){terms, size->count, false};
    const sg_sum_factor last = {.sum = sum};
    const sg_sum_term factor = {1, &last, 1};
    return term_times(arena, &shared, &factor);
}

sg_sum sg_sum_quotient(sg_arena *arena, const sg_sum *a, const sg_sum *b)
{
    const sg_sum_term none = {0};
    const sg_sum_term *above = a->count > 0 ? a->terms : &none;
    if (a->over || a->count > 1 || b->count != 1 || b->terms->number < 0 ||
        above->number % b->terms->number != 0) {
        return over;
    }
    sg_sum_term rest = select_factors(arena, above, b->terms, false);
    rest.number /= b->terms->number;
    return rest.count == above->count - b->terms->count ? one_term(arena, rest) : over;
}

/* --- questions -------------------------------------------------------------------------------- */

bool sg_sum_is_number(const sg_sum *size)
{
    return size->count == 0 || size->terms[0].count == 0;
}

int64_t sg_sum_constant(const sg_sum *size)
{
    const sg_sum_term *last = size->count > 0 ? &size->terms[size->count - 1] : NULL;
    return last != NULL && last->count == 0 ? last->number : 0;
}

const char *sg_sum_only_name(const sg_sum *size)
{
    const sg_sum_term *term = size->terms;
    return size->count == 1 && term->number == 1 && term->count == 1 ? term->factors[0].name : NULL;
}

bool sg_sum_is_positive(const sg_sum *size)
{
    bool positive = sg_sum_constant(size) > 0;
    for (int64_t t = 0; positive && t < size->count; ++t) {
        positive = size->terms[t].number > 0;
    }
    return positive;
}

void sg_sum_add_names(sg_arena *arena, const sg_sum *size, sg_sum_names *names)
{
    for (int64_t t = 0; t < size->count; ++t) {
        for (int64_t i = 0; i < size->terms[t].count; ++i) {
            const sg_sum_factor *factor = &size->terms[t].factors[i];
            if (factor->sum != NULL) {
                sg_sum_add_names(arena, factor->sum, names);
            } else {
                names->items = SG_GROWN(arena, names->items, names->count, names->capacity);
                names->items[names->count++] = factor->name;
            }
        }
    }
}

bool sg_sum_value(const sg_sum *size, sg_sum_number_of *number_of, const void *context,
                  int64_t *value)
{
    *value = 0;
    SG_TRY(!size->over);
    for (int64_t t = 0; t < size->count; ++t) {
        int64_t product = size->terms[t].number;
        for (int64_t i = 0; i < size->terms[t].count; ++i) {
            const sg_sum_factor *factor = &size->terms[t].factors[i];
            int64_t number = 0;
            SG_TRY(factor->sum != NULL ? sg_sum_value(factor->sum, number_of, context, &number)
                                       : number_of(context, factor->name, &number));
            SG_TRY(sg_mul64(product, number, &product));
        }
        SG_TRY(sg_add64(*value, product, value));
    }
    return true;
}

bool sg_sum_followed(const sg_sum_follower *size, sg_sum_number_of *number_of, const void *context,
                     int64_t *value)
{
    SG_TRY(sg_sum_value(size->from, number_of, context, value) &&
           sg_add64(*value, size->more, value));
    *value = *value > 0 ? *value / size->by : 0;
    *value = *value < size->most ? *value : size->most;
    return true;
}

static bool is_no_counter(const void *context, const char *name, int64_t *number)
{
    int64_t most = 0;
    *number = 0;
    return !sg_sum_most(context, name, &most);
}

bool sg_sum_counts(const sg_sum *size)
{
    int64_t value = 0;
    return !sg_sum_value(size, is_no_counter, NULL, &value);
}

/* --- text ------------------------------------------------------------------------------------- */

const char *sg_sum_name_text(sg_arena *arena, const char *name, sg_sum_style style)
{
    if (style == SG_SUM_KEY) {
        return sg_arena_printf(arena, "%s\1", name);
    }
    return !sg_sum_is_nameless(name)  ? name
           : style == SG_SUM_SHOWN    ? "?"
           : sg_sum_is_follower(name) ? name + 2
                                      : sg_arena_printf(arena, "?%s", name + 1);
}

static void add_text(sg_arena *arena, sg_buf *text, const sg_sum *size, sg_sum_style style)
{
    for (int64_t t = 0; t < size->count; ++t) {
        const sg_sum_term *term = &size->terms[t];
        const bool hidden = term->count > 0 && (term->number == 1 || term->number == -1);
        const bool alone = hidden && term->count == 1 && size->count == 1;
        sg_buf_addz(text, term->number < 0 ? "-" : t > 0 ? "+" : "");
        if (!hidden) {
            sg_buf_printf(text, "%" PRIu64,
                          term->number < 0 ? 0 - (uint64_t)term->number : (uint64_t)term->number);
        }
        for (int64_t i = 0; i < term->count; ++i) {
            const sg_sum_factor *factor = &term->factors[i];
            sg_buf_addz(text, i > 0 || !hidden ? "*" : "");
            if (factor->sum == NULL) {
                sg_buf_addz(text, sg_sum_name_text(arena, factor->name, style));
                continue;
            }
            sg_buf_addz(text, alone ? "" : "(");
            add_text(arena, text, factor->sum, style);
            sg_buf_addz(text, alone ? "" : ")");
        }
    }
}

const char *sg_sum_text(sg_arena *arena, const sg_sum *size, sg_sum_style style)
{
    sg_buf text = {0};
    add_text(arena, &text, size, style);
    const char *copy = size->count > 0 ? sg_arena_strndup(arena, text.ptr, text.len) : "0";
    sg_buf_free(&text);
    return copy;
}
