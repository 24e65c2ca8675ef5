/* Makes, compares and prints what is known about a tensor. */
#include "shapes/fact.h"

#include <inttypes.h>
#include <string.h>

#include "base/checked.h"
#include "shapes/element_bits.h"

/* The same marks as in rules.lua. */
#define MARK     '\1' /* before each factor of a product */
#define NAMELESS '\2' /* before the number of a dim that has no name */
#define SUM      '\3' /* before each term of a sum */
#define TIMES    '\4' /* before each name of a term */

sg_fact *sg_fact_new(sg_arena *arena)
{
    sg_fact *fact = SG_NEW(arena, sg_fact);
    fact->dtype = SG_GRAPH_DTYPE_UNKNOWN;
    return fact;
}

bool sg_fact_is_marked(const char *name)
{
    static const char marks[] = {MARK, NAMELESS, SUM, TIMES, '\0'};
    return strpbrk(name, marks) != NULL;
}

bool sg_fact_is_nameless(const char *name)
{
    return name[0] == NAMELESS;
}

sg_fact_entry sg_fact_nameless(sg_arena *arena, int64_t number)
{
    const char *name = sg_arena_printf(arena, "%c%" PRId64, NAMELESS, number);
    return (sg_fact_entry){.kind = SG_FACT_NAME, .as.name = name};
}

/* rules.lua reads the limit. */
sg_fact_entry sg_fact_counter(sg_arena *arena, int64_t number, int64_t turns)
{
    const char *name =
        sg_arena_printf(arena, "%c%" PRId64 "<%" PRId64, NAMELESS, number, turns - 1);
    return (sg_fact_entry){.kind = SG_FACT_NAME, .as.name = name};
}

bool sg_fact_counts(sg_fact_entry entry)
{
    const char *at = entry.kind == SG_FACT_NAME ? strchr(entry.as.name, NAMELESS) : NULL;
    return at != NULL && strchr(at, '<') != NULL;
}

/* The text after a mark, up to the next mark; *at is moved to that one. */
static const char *next_factor(sg_arena *arena, const char **at, char mark)
{
    const char marks[] = {mark, '\0'};
    const char *begin = *at + 1;
    const size_t len = strcspn(begin, marks);
    *at = begin + len;
    return sg_arena_strndup(arena, begin, len);
}

/* Reads an integer and names. Each of them, the integer too, has a mark before it. */
static bool read_product(sg_arena *arena, const char *text, char mark, sg_fact_factors *factors)
{
    const char *at = text;
    factors->names = SG_NEW_ARRAY(arena, const char *, strlen(text) / 2 + 1);
    bool ok = sg_parse_int64(sg_str_from(next_factor(arena, &at, mark)), &factors->number) &&
              factors->number >= 1;
    while (ok && *at == mark) {
        const char *factor = next_factor(arena, &at, mark);
        factors->names[factors->count++] = factor;
        ok = factor[0] != '\0';
    }
    return ok;
}

bool sg_fact_factors_of(sg_arena *arena, const char *name, sg_fact_factors *factors)
{
    *factors = (sg_fact_factors){.number = 1};
    if (name[0] == MARK) {
        return read_product(arena, name, MARK, factors) && factors->count > 0;
    }
    factors->names = SG_NEW_ARRAY(arena, const char *, 1);
    factors->names[factors->count++] = name;
    return name[0] != '\0';
}

int64_t sg_fact_terms_of(sg_arena *arena, const char *factor, sg_fact_factors **terms)
{
    int64_t count = 0;
    *terms = NULL;
    if (factor[0] != SUM) {
        return 0;
    }
    *terms = SG_NEW_ARRAY(arena, sg_fact_factors, (int64_t)strlen(factor) / 2 + 1);
    for (const char *at = factor; *at == SUM; ++count) {
        const char *term = sg_arena_printf(arena, "%c%s", TIMES, next_factor(arena, &at, SUM));
        (*terms)[count] = (sg_fact_factors){0};
        if (!read_product(arena, term, TIMES, &(*terms)[count])) {
            return 0;
        }
    }
    return count;
}

/* Appends all names of a product, including those in its sums, to a list. */
static void add_names(sg_arena *arena, const sg_fact_factors *factors, const char ***names,
                      int64_t *count, int64_t *capacity)
{
    for (int64_t i = 0; i < factors->count; ++i) {
        sg_fact_factors *terms = NULL;
        const int64_t nterms = sg_fact_terms_of(arena, factors->names[i], &terms);
        if (nterms == 0) {
            *names = SG_GROWN(arena, *names, *count, *capacity);
            (*names)[(*count)++] = factors->names[i];
        }
        for (int64_t t = 0; t < nterms; ++t) {
            add_names(arena, &terms[t], names, count, capacity);
        }
    }
}

int64_t sg_fact_names_in(sg_arena *arena, const sg_fact_factors *factors, const char ***names)
{
    int64_t count = 0;
    int64_t capacity = 0;
    *names = NULL;
    add_names(arena, factors, names, &count, &capacity);
    return count;
}

bool sg_fact_same(sg_fact_entry a, sg_fact_entry b)
{
    if (a.kind != b.kind) {
        return false;
    }
    switch (a.kind) {
    case SG_FACT_INT:
        return a.as.integer == b.as.integer;
    case SG_FACT_FLOAT:
        return memcmp(&a.as.real, &b.as.real, sizeof a.as.real) == 0;
    case SG_FACT_NAME:
        return strcmp(a.as.name, b.as.name) == 0;
    case SG_FACT_UNKNOWN:
        break;
    }
    return false;
}

bool sg_fact_shape_known(const sg_fact *fact)
{
    for (int64_t i = 0; fact->has_rank && i < fact->rank; ++i) {
        if (fact->dims[i].kind != SG_FACT_INT) {
            return false;
        }
    }
    return fact->has_rank;
}

bool sg_fact_values_known(const sg_fact *fact)
{
    for (int64_t i = 0; fact->has_values && i < fact->count; ++i) {
        if (fact->values[i].kind != SG_FACT_INT && fact->values[i].kind != SG_FACT_FLOAT) {
            return false;
        }
    }
    return fact->has_values;
}

bool sg_fact_elements(const sg_fact *fact, int64_t *elements)
{
    if (!sg_fact_shape_known(fact)) {
        return false;
    }
    int64_t product = 1;
    bool empty = false;
    bool fits = true;
    for (int64_t i = 0; i < fact->rank; ++i) {
        empty = empty || fact->dims[i].as.integer == 0;
        fits = fits && sg_mul64(product, fact->dims[i].as.integer, &product);
    }
    *elements = empty ? 0 : product;
    return empty || fits;
}

static void set_shape(sg_arena *arena, sg_fact *fact, const sg_graph_shape *shape)
{
    fact->has_rank = shape->has_rank;
    fact->rank = shape->has_rank ? shape->rank : 0;
    fact->dims = SG_NEW_ARRAY(arena, sg_fact_entry, fact->rank);
    for (int64_t i = 0; i < fact->rank; ++i) {
        const sg_graph_dim *dim = &shape->dims[i];
        if (dim->size >= 0) {
            fact->dims[i] = (sg_fact_entry){.kind = SG_FACT_INT, .as.integer = dim->size};
        } else if (dim->name != NULL && dim->name[0] != '\0' && !sg_fact_is_marked(dim->name)) {
            fact->dims[i] = (sg_fact_entry){.kind = SG_FACT_NAME, .as.name = dim->name};
        }
    }
}

sg_fact *sg_fact_of_type(sg_arena *arena, const sg_graph_type *type)
{
    sg_fact *fact = sg_fact_new(arena);
    if (type->is_tensor) {
        fact->dtype = type->dtype;
        set_shape(arena, fact, &type->shape);
    }
    return fact;
}

/* The bytes of the values if all are known, else NULL. */
static const void *bytes_of_values(sg_arena *arena, const sg_fact *fact, int dtype)
{
    uint64_t *bits = SG_NEW_ARRAY(arena, uint64_t, fact->count);
    for (int64_t i = 0; i < fact->count; ++i) {
        const sg_fact_entry value = fact->values[i];
        const bool is_exact =
            value.kind == SG_FACT_INT
                ? sg_element_of_integer((sg_dtype)dtype, value.as.integer, &bits[i])
                : sg_element_of_real((sg_dtype)dtype, value.as.real, &bits[i]);
        if (!is_exact) {
            return NULL;
        }
    }
    sg_graph_tensor tensor = {.type.dtype = dtype};
    sg_element_keep(arena, &tensor, bits, fact->count);
    return tensor.bytes;
}

const void *sg_fact_bytes(sg_arena *arena, const sg_fact *fact, int dtype)
{
    const sg_graph_tensor *tensor = fact->tensor;
    int64_t elements = 0;
    int64_t own = 0;
    if (fact->constant != SG_FACT_FIXED || fact->given.source != NULL ||
        dtype == SG_GRAPH_DTYPE_UNKNOWN || !sg_fact_elements(fact, &elements)) {
        return NULL;
    }
    /* The user may have given another shape or type. */
    if (tensor != NULL && tensor->bytes != NULL && tensor->type.dtype == dtype &&
        sg_graph_elements(&tensor->type.shape, &own) && own == elements) {
        return tensor->bytes;
    }
    return sg_fact_values_known(fact) && fact->count == elements &&
                   !sg_dtype_get((sg_dtype)dtype)->packed /* packed types have two bit orders */
               ? bytes_of_values(arena, fact, dtype)
               : NULL;
}

sg_fact *sg_fact_of_tensor(sg_arena *arena, const sg_graph_tensor *tensor)
{
    sg_fact *fact = sg_fact_of_type(arena, &tensor->type);
    fact->tensor = tensor;
    const bool is_ints = tensor->kind == SG_GRAPH_VALUES_INTS;
    int64_t elements = 0;
    if ((!is_ints && tensor->kind != SG_GRAPH_VALUES_FLOATS) ||
        !sg_fact_elements(fact, &elements) || elements != tensor->count) {
        return fact;
    }
    fact->has_values = true;
    fact->count = tensor->count;
    fact->values = SG_NEW_ARRAY(arena, sg_fact_entry, tensor->count);
    fact->spans = tensor->spans;
    fact->place = tensor->span;
    for (int64_t i = 0; i < tensor->count; ++i) {
        fact->values[i] =
            is_ints ? (sg_fact_entry){.kind = SG_FACT_INT, .as.integer = tensor->ints[i]}
                    : (sg_fact_entry){.kind = SG_FACT_FLOAT, .as.real = tensor->floats[i]};
    }
    return fact;
}

static sg_fact_entry *meet_entries(sg_arena *arena, const sg_fact_entry *a, const sg_fact_entry *b,
                                   int64_t count)
{
    sg_fact_entry *both = SG_NEW_ARRAY(arena, sg_fact_entry, count);
    for (int64_t i = 0; i < count; ++i) {
        if (sg_fact_same(a[i], b[i])) {
            both[i] = a[i];
        }
    }
    return both;
}

const sg_fact *sg_fact_each(sg_arena *arena, const sg_fact *sequence, const sg_fact_cause *cause)
{
    const sg_fact *all = sequence->nelements > 0 ? sequence->elements[0] : sequence->each;
    for (int64_t i = 1; i < sequence->nelements; ++i) {
        const sg_fact *other = sequence->elements[i];
        all = other == all ? all : sg_fact_meet(arena, all, other, cause);
    }
    return all;
}

static bool is_empty(const sg_fact *fact)
{
    return fact->is_sequence && fact->nelements == 0;
}

/* Sets what is true of the tensors of two sequences. */
static void meet_sequences(sg_arena *arena, sg_fact *both, const sg_fact *a, const sg_fact *b,
                           const sg_fact_cause *cause)
{
    if (!a->is_sequence || !b->is_sequence || a->nelements != b->nelements) {
        const sg_fact *one = sg_fact_each(arena, is_empty(a) ? b : a, cause);
        const sg_fact *other = sg_fact_each(arena, is_empty(b) ? a : b, cause);
        both->each = one != NULL && other != NULL ? sg_fact_meet(arena, one, other, cause) : NULL;
        return;
    }
    both->is_sequence = true;
    both->nelements = a->nelements;
    const sg_fact **elements = SG_NEW_ARRAY(arena, const sg_fact *, a->nelements);
    both->elements = elements;
    for (int64_t i = 0; i < a->nelements; ++i) {
        elements[i] = sg_fact_meet(arena, a->elements[i], b->elements[i], cause);
    }
}

sg_fact *sg_fact_meet(sg_arena *arena, const sg_fact *a, const sg_fact *b,
                      const sg_fact_cause *cause)
{
    sg_fact *both = sg_fact_new(arena);
    both->dtype = a->dtype == b->dtype ? a->dtype : SG_GRAPH_DTYPE_UNKNOWN;
    if (a->has_rank && b->has_rank && a->rank == b->rank) {
        both->has_rank = true;
        both->rank = a->rank;
        both->dims = meet_entries(arena, a->dims, b->dims, a->rank);
    }
    if (both->has_rank && a->has_values && b->has_values && a->count == b->count) {
        both->has_values = true;
        both->count = a->count;
        both->values = meet_entries(arena, a->values, b->values, a->count);
    }
    meet_sequences(arena, both, a, b, cause);
    both->fault = a->fault != NULL ? a->fault : b->fault;
    if (!sg_fact_shape_known(both)) {
        both->shape_cause = a->shape_cause != NULL   ? a->shape_cause
                            : b->shape_cause != NULL ? b->shape_cause
                                                     : cause;
    }
    if (!sg_fact_values_known(both)) {
        both->value_cause = a->value_cause != NULL   ? a->value_cause
                            : b->value_cause != NULL ? b->value_cause
                                                     : cause;
    }
    return both;
}

/* Whether a has a known entry that b does not have. */
static bool entries_tell_more(const sg_fact_entry *a, const sg_fact_entry *b, int64_t count)
{
    for (int64_t i = 0; i < count; ++i) {
        if (a[i].kind != SG_FACT_UNKNOWN && !sg_fact_same(a[i], b[i])) {
            return true;
        }
    }
    return false;
}

bool sg_fact_tells_more(const sg_fact *a, const sg_fact *b)
{
    if (a->dtype != SG_GRAPH_DTYPE_UNKNOWN && a->dtype != b->dtype) {
        return true;
    }
    if (a->has_rank &&
        (!b->has_rank || a->rank != b->rank || entries_tell_more(a->dims, b->dims, a->rank))) {
        return true;
    }
    if ((a->is_sequence && !b->is_sequence) ||
        (a->each != NULL && (b->each == NULL || sg_fact_tells_more(a->each, b->each)))) {
        return true;
    }
    for (int64_t i = 0; i < a->nelements; ++i) {
        if (sg_fact_tells_more(a->elements[i], b->elements[i])) {
            return true;
        }
    }
    return a->has_values && (!b->has_values || a->count != b->count ||
                             entries_tell_more(a->values, b->values, a->count));
}

static const char *product_text(sg_arena *arena, const sg_fact_factors *factors)
{
    sg_buf text = {0};
    if (factors->number != 1 || factors->count == 0) {
        sg_buf_printf(&text, "%" PRId64, factors->number);
    }
    for (int64_t i = 0; i < factors->count; ++i) {
        sg_fact_factors *terms = NULL;
        const int64_t nterms = sg_fact_terms_of(arena, factors->names[i], &terms);
        const char *name = sg_fact_is_nameless(factors->names[i]) ? "?" : factors->names[i];
        const bool alone = factors->number == 1 && factors->count == 1;
        sg_buf_addz(&text, text.len > 0 ? "*" : "");
        sg_buf_addz(&text, nterms == 0 ? name : alone ? "" : "(");
        for (int64_t t = 0; t < nterms; ++t) {
            sg_buf_addz(&text, t > 0 ? "+" : "");
            sg_buf_addz(&text, product_text(arena, &terms[t]));
        }
        sg_buf_addz(&text, nterms == 0 || alone ? "" : ")");
    }
    const char *copy = sg_arena_strndup(arena, text.ptr, text.len);
    sg_buf_free(&text);
    return copy;
}

const char *sg_fact_dim_text(sg_arena *arena, sg_fact_entry dim)
{
    sg_fact_factors factors;
    if (dim.kind == SG_FACT_INT) {
        return sg_arena_printf(arena, "%" PRId64, dim.as.integer);
    }
    return dim.kind == SG_FACT_NAME && sg_fact_factors_of(arena, dim.as.name, &factors)
               ? product_text(arena, &factors)
               : "?";
}

const char *sg_fact_shape_text(sg_arena *arena, const sg_fact *fact)
{
    enum { SHOWN = 16 };
    if (!fact->has_rank) {
        return "of unknown rank";
    }
    sg_buf text = {0};
    sg_buf_addc(&text, '[');
    for (int64_t i = 0; i < fact->rank; ++i) {
        sg_buf_addz(&text, i > 0 ? ", " : "");
        if (i == SHOWN) {
            sg_buf_addz(&text, "...");
            break;
        }
        sg_buf_addz(&text, sg_fact_dim_text(arena, fact->dims[i]));
    }
    sg_buf_addc(&text, ']');
    const char *copy = sg_arena_strndup(arena, text.ptr, text.len);
    sg_buf_free(&text);
    return copy;
}
