/* Makes, compares and prints what is known about a tensor. */
#include "shapes/fact.h"

#include <inttypes.h>
#include <string.h>

#include "base/checked.h"
#include "shapes/element_bits.h"

sg_fact *sg_fact_new(sg_arena *arena)
{
    sg_fact *fact = SG_NEW(arena, sg_fact);
    fact->dtype = SG_GRAPH_DTYPE_UNKNOWN;
    return fact;
}

sg_fact_entry sg_fact_named(sg_arena *arena, const char *name)
{
    sg_sum *size = SG_NEW(arena, sg_sum);
    *size = sg_sum_name(arena, name);
    return (sg_fact_entry){.kind = SG_FACT_SUM, .as.sum = size};
}

sg_sum sg_fact_sum(sg_arena *arena, sg_fact_entry entry)
{
    return entry.kind == SG_FACT_SUM   ? *entry.as.sum
           : entry.kind == SG_FACT_INT ? sg_sum_number(arena, entry.as.integer)
                                       : (sg_sum){.over = true};
}

const char *sg_fact_name(sg_fact_entry entry)
{
    return entry.kind == SG_FACT_SUM ? sg_sum_only_name(entry.as.sum) : NULL;
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
    case SG_FACT_SUM:
        return sg_sum_same(a.as.sum, b.as.sum);
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
        } else if (dim->name != NULL && sg_sum_may_be_name(dim->name)) {
            fact->dims[i] = sg_fact_named(arena, dim->name);
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

const char *sg_fact_dim_text(sg_arena *arena, sg_fact_entry dim)
{
    const sg_sum size = sg_fact_sum(arena, dim);
    return size.over ? "?" : sg_sum_text(arena, &size, SG_SUM_SHOWN);
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
