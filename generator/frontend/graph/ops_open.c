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

static const char *name_of(naming *n, const sg_sum *factor, int64_t place)
{
    sg_arena *arena = n->ops->arena;
    sg_sum_names names = {0};
    sg_sum_add_names(arena, factor, &names);
    bool nameless = false;
    for (int64_t i = 0; i < names.count; ++i) {
        nameless = nameless || sg_sum_is_nameless(names.items[i]);
    }
    if (!nameless) {
        return sg_sum_text(arena, factor, SG_SUM_SHOWN);
    }
    const char *key = sg_sum_text(arena, factor, SG_SUM_KEY);
    const sg_nameset_entry *entry = sg_nameset_find(&n->nameless, key);
    if (entry == NULL) {
        n->given[n->nameless.count] = new_name(n, place);
        sg_nameset_add(&n->nameless, key, (int64_t)n->nameless.count);
        entry = sg_nameset_find(&n->nameless, key);
    }
    return n->given[entry->value];
}

static sg_op_num open_dim(naming *n, const sg_sum_term *dim, int64_t place, sg_span span)
{
    sg_ops *ops = n->ops;
    sg_op_open *open = SG_NEW_ARRAY(ops->arena, sg_op_open, dim->count);
    for (int64_t i = 0; i < dim->count; ++i) {
        const sg_sum factor = sg_sum_factor_of(ops->arena, &dim->factors[i]);
        open[i].name = name_of(n, &factor, place);
        open[i].expected = sg_infer_expected(ops->infer, &factor);
    }
    return (sg_op_num){.value = dim->number, .nopen = (int)dim->count, .open = open, .span = span};
}

static bool has_formula(const sg_ops *ops, sg_fact_entry dim)
{
    sg_sum_names names = {0};
    bool has = dim.kind == SG_FACT_SUM;
    if (has) {
        sg_sum_add_names(ops->arena, dim.as.sum, &names);
    }
    for (int64_t i = 0; i < names.count; ++i) {
        has = has && !sg_sum_is_follower(names.items[i]);
    }
    return has;
}

sg_op_list sg_ops_open_shape(sg_ops *ops, const sg_fact *fact, sg_span span)
{
    sg_op_list list = {.present = true, .count = fact->rank, .span = span};
    list.items = SG_NEW_ARRAY(ops->arena, sg_op_num, fact->rank);
    const sg_sum_term **terms = SG_NEW_ARRAY(ops->arena, const sg_sum_term *, fact->rank);
    naming n = {.ops = ops};
    sg_nameset_init(&n.names, ops->arena);
    sg_nameset_init(&n.nameless, ops->arena);
    int64_t most = 0;
    for (int64_t d = 0; d < fact->rank; ++d) {
        if (fact->dims[d].kind == SG_FACT_INT) {
            continue;
        }
        /* a dim without a formula becomes a new nameless one */
        const sg_fact_entry dim =
            has_formula(ops, fact->dims[d]) ? fact->dims[d] : sg_infer_nameless(ops->infer);
        terms[d] = dim.as.sum->terms;
        most += terms[d]->count;
        for (int64_t i = 0; i < terms[d]->count; ++i) {
            const char *name = terms[d]->factors[i].name;
            if (name != NULL && sg_nameset_find(&n.names, name) == NULL) {
                sg_nameset_add(&n.names, name, d);
            }
        }
    }
    n.given = SG_NEW_ARRAY(ops->arena, const char *, most);
    for (int64_t d = 0; d < fact->rank; ++d) {
        list.items[d] = fact->dims[d].kind == SG_FACT_INT
                            ? (sg_op_num){.value = fact->dims[d].as.integer, .span = span}
                            : open_dim(&n, terms[d], d, span);
    }
    return list;
}
