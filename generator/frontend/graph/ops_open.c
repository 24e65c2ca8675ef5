/* The open dims of an op's tensor: its parameters, and their names. */
#include <inttypes.h>
#include <string.h>

#include "frontend/graph/ops_engine.h"

/* The names of one op's parameters. */
typedef struct naming {
    sg_ops *ops;
    sg_nameset names;    /* the names of the op's dims */
    sg_nameset nameless; /* each factor without a name -> index in `given` */
    const char **given;  /* the names invented for them */
} naming;

/* "dim0", with a number appended if another dim has that name. */
static const char *new_name(naming *n, int64_t dim)
{
    sg_ops *ops = n->ops;
    const char *name = sg_arena_printf(ops->arena, "dim%" PRId64, dim);
    const char *stem = name;
    for (int64_t number = 2;
         sg_nameset_find(&n->names, name) != NULL || sg_infer_is_symbol(ops->infer, name) ||
         sg_infer_is_opened(ops->infer, name);
         ++number) {
        name = sg_arena_printf(ops->arena, "%s_%" PRId64, stem, number);
    }
    sg_nameset_add(&n->names, name, dim);
    return name;
}

static const char *name_of(naming *n, const char *factor, int64_t place)
{
    sg_arena *arena = n->ops->arena;
    const sg_fact_factors one = {1, &factor, 1};
    const char **names = NULL;
    const int64_t count = sg_fact_names_in(arena, &one, &names);
    bool nameless = false;
    for (int64_t i = 0; i < count; ++i) {
        nameless = nameless || sg_fact_is_nameless(names[i]);
    }
    if (!nameless) {
        return sg_fact_dim_text(arena, (sg_fact_entry){.kind = SG_FACT_NAME, .as.name = factor});
    }
    const sg_nameset_entry *entry = sg_nameset_find(&n->nameless, factor);
    if (entry == NULL) {
        n->given[n->nameless.count] = new_name(n, place);
        sg_nameset_add(&n->nameless, factor, (int64_t)n->nameless.count);
        entry = sg_nameset_find(&n->nameless, factor);
    }
    return n->given[entry->value];
}

/* The factors of an open dim; for a dim without a formula, a new nameless one. */
static sg_fact_factors factors_of(naming *n, sg_fact_entry dim)
{
    sg_ops *ops = n->ops;
    sg_fact_factors factors = {0};
    const sg_fact_entry known = dim.kind == SG_FACT_NAME ? dim : sg_infer_nameless(ops->infer);
    const bool ok = sg_fact_factors_of(ops->arena, known.as.name, &factors);
    (void)ok; /* sg_ops_open_shape() requires dims that may stay open, so this cannot fail */
    return factors;
}

static sg_op_num open_dim(naming *n, const sg_fact_factors *factors, int64_t place, sg_span span)
{
    sg_ops *ops = n->ops;
    sg_op_open *open = SG_NEW_ARRAY(ops->arena, sg_op_open, factors->count);
    for (int64_t i = 0; i < factors->count; ++i) {
        open[i].name = name_of(n, factors->names[i], place);
        open[i].expected = sg_infer_expected(ops->infer, factors->names[i]);
    }
    return (sg_op_num){
        .value = factors->number, .nopen = (int)factors->count, .open = open, .span = span};
}

sg_op_list sg_ops_open_shape(sg_ops *ops, const sg_fact *fact, sg_span span)
{
    sg_op_list list = {.present = true, .count = fact->rank, .span = span};
    list.items = SG_NEW_ARRAY(ops->arena, sg_op_num, fact->rank);
    sg_fact_factors *factors = SG_NEW_ARRAY(ops->arena, sg_fact_factors, fact->rank);
    naming n = {.ops = ops};
    sg_nameset_init(&n.names, ops->arena);
    sg_nameset_init(&n.nameless, ops->arena);
    int64_t most = 0;
    for (int64_t d = 0; d < fact->rank; ++d) {
        if (fact->dims[d].kind != SG_FACT_INT) {
            factors[d] = factors_of(&n, fact->dims[d]);
            most += factors[d].count;
        }
        for (int64_t i = 0; i < factors[d].count; ++i) {
            if (sg_nameset_find(&n.names, factors[d].names[i]) == NULL) {
                sg_nameset_add(&n.names, factors[d].names[i], d);
            }
        }
    }
    n.given = SG_NEW_ARRAY(ops->arena, const char *, most);
    for (int64_t d = 0; d < fact->rank; ++d) {
        list.items[d] = fact->dims[d].kind == SG_FACT_INT
                            ? (sg_op_num){.value = fact->dims[d].as.integer, .span = span}
                            : open_dim(&n, &factors[d], d, span);
    }
    return list;
}
