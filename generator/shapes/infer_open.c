/* Open dims: numbers that the program passes at run time. During inference such a dim is its name,
 * and rules.lua calculates with names: a multiple of open dims becomes a product of names. A sum,
 * such as past + 1, becomes a parameter of its own with that name.
 *
 * A dim of a Split other than its axis may be impossible to express, such as half of N rounded up.
 * It becomes a parameter of its own, named after its position (dim0), if
 *   - every dim without a number is open, or
 *   - all dims of the first unknown tensor in the chain that it is computed from are numbers or
 * open, so that there is nothing else about that tensor that the user could give. */
#include <inttypes.h>
#include <string.h>

#include "base/checked.h"
#include "shapes/infer_engine.h"

/* --- which dims are open ---------------------------------------------------------------------- */

static bool is_dim(const sg_graph *graph, const char *name)
{
    for (int64_t i = 0; i < graph->ninputs; ++i) {
        const sg_graph_shape *shape = &graph->inputs[i].type.shape;
        for (int64_t d = 0; d < shape->rank; ++d) {
            if (shape->dims[d].name != NULL && strcmp(shape->dims[d].name, name) == 0) {
                return true;
            }
        }
    }
    return false;
}

/* Whether the user gives the dim of the model with this name a number or another name. If the model
 * has no such dim, the -D may be for the spec, whose free() asks for the expected number. */
static bool contradicts(sg_infer *infer, const char *name, sg_span span)
{
    const sg_nameset_entry *entry = sg_nameset_find(&infer->defines, name);
    const sg_graph_define *define = entry != NULL ? &infer->said->defines[entry->value] : NULL;
    if (define == NULL || !is_dim(&infer->model->graph, name) ||
        (define->free.name != NULL && strcmp(define->free.name, name) == 0)) {
        return false;
    }
    (void)sg_diag_error(infer->diag, span, "'%s' is open here, but elsewhere it is %s", name,
                        define->free.name != NULL
                            ? sg_arena_printf(infer->arena, "called '%s'", define->free.name)
                            : sg_arena_printf(infer->arena, "%" PRId64, define->value));
    sg_diag_note(infer->diag, define->span, "this is given here");
    return true;
}

/* Adds an open dim unless it is already there. False: it has two different expected numbers. */
static bool add(sg_infer *infer, sg_graph_free free, sg_span span)
{
    const sg_nameset_entry *entry = sg_nameset_find(&infer->open, free.name);
    if (entry == NULL) {
        sg_nameset_add(&infer->open, free.name, infer->nopened);
        infer->opened[infer->nopened++] = (sg_infer_opened){free, span};
        return !contradicts(infer, free.name, span);
    }
    const sg_infer_opened *known = &infer->opened[entry->value];
    if (known->free.expected == free.expected) {
        return true;
    }
    (void)sg_diag_error(infer->diag, span,
                        "%" PRId64 " of '%s' are expected here, but %" PRId64 " elsewhere",
                        free.expected, free.name, known->free.expected);
    sg_diag_note(infer->diag, known->span, "the other number is here");
    return false;
}

/* Whether this is the last definition of the name, which is the one that counts. */
static bool counts(const sg_nameset *said, const char *name, int64_t at)
{
    const sg_nameset_entry *entry = sg_nameset_find(said, name);
    return entry != NULL && entry->value == at;
}

bool sg_infer_index_open(sg_infer *infer)
{
    const sg_said *said = infer->said;
    int64_t most = said->ndefines;
    for (int64_t i = 0; i < said->nshapes; ++i) {
        most += said->shapes[i].frees != NULL ? said->shapes[i].rank : 0;
    }
    sg_nameset_init(&infer->open, infer->arena);
    infer->opened = SG_NEW_ARRAY(infer->arena, sg_infer_opened, most);
    for (int64_t i = 0; i < said->ndefines; ++i) {
        const sg_graph_define *define = &said->defines[i];
        if (define->free.name != NULL && counts(&infer->defines, define->name, i)) {
            SG_TRY(add(infer, define->free, define->span));
        }
    }
    for (int64_t i = 0; i < said->nshapes; ++i) {
        const sg_graph_given_shape *given = &said->shapes[i];
        const bool last = counts(&infer->shapes, given->tensor, i);
        for (int64_t d = 0; last && given->frees != NULL && d < given->rank; ++d) {
            if (given->frees[d].name != NULL) {
                SG_TRY(add(infer, given->frees[d], given->span));
            }
        }
    }
    return true;
}

sg_fact_entry sg_infer_said(const sg_infer *infer, int64_t number, sg_graph_free free)
{
    return free.name != NULL ? sg_fact_named(infer->arena, free.name)
                             : (sg_fact_entry){.kind = SG_FACT_INT, .as.integer = number};
}

sg_fact_entry sg_infer_said_of_dim(const sg_infer *infer, const sg_graph_given_shape *given,
                                   int64_t dim)
{
    static const sg_graph_free none = {0};
    return sg_infer_said(infer, given->dims[dim], given->frees != NULL ? given->frees[dim] : none);
}

bool sg_infer_is_open(const sg_infer *infer, const char *name)
{
    return infer->said->open || sg_nameset_find(&infer->open, name) != NULL;
}

/* --- dims of a Split -------------------------------------------------------------------------- */

/* Whether a dim that cannot be expressed depends on open dims; see the top of this file. */
static bool depends_on_open(const sg_infer *infer, const sg_fact *fact)
{
    const sg_fact *first = fact->shape_cause != NULL ? fact->shape_cause->fact : NULL;
    if (infer->said->open) {
        return true;
    }
    bool any = false;
    for (int64_t i = 0; first != NULL && first->has_rank && i < first->rank; ++i) {
        const sg_fact_entry dim = first->dims[i];
        const char *name = sg_fact_name(dim);
        const bool open = name != NULL && sg_infer_is_open(infer, name);
        if (dim.kind != SG_FACT_INT && !open) {
            return false;
        }
        any = any || open;
    }
    return any;
}

const sg_sum_follower *sg_infer_follower(const sg_infer *infer, const char *name)
{
    const sg_nameset_entry *entry = sg_nameset_find(&infer->rules.sums.followers, name);
    return entry != NULL ? &infer->rules.sums.list[entry->value] : NULL;
}

static bool sum_may_stay(const sg_infer *infer, const sg_fact *fact, const sg_sum *sum);

/* A name that no model input has was made up by the author of the file, so it counts as unknown. */
static bool name_may_stay(const sg_infer *infer, const sg_fact *fact, const char *name)
{
    if (sg_sum_is_follower(name)) {
        return sum_may_stay(infer, fact, sg_infer_follower(infer, name)->from);
    }
    return sg_infer_is_open(infer, name) ||
           (sg_nameset_find(&infer->symbols, name) == NULL && depends_on_open(infer, fact));
}

static bool sum_may_stay(const sg_infer *infer, const sg_fact *fact, const sg_sum *sum)
{
    sg_sum_names names = {0};
    sg_sum_add_names(infer->arena, sum, &names);
    bool may = true;
    for (int64_t i = 0; may && i < names.count; ++i) {
        may = name_may_stay(infer, fact, names.items[i]);
    }
    return may;
}

bool sg_infer_may_stay(const sg_infer *infer, const sg_fact *fact, int64_t dim)
{
    const sg_fact_entry entry = fact->dims[dim];
    return entry.kind == SG_FACT_SUM ? sum_may_stay(infer, fact, entry.as.sum)
                                     : entry.kind == SG_FACT_INT || depends_on_open(infer, fact);
}

static bool expected_of(const void *context, const char *name, int64_t *number)
{
    const sg_infer *infer = context;
    const sg_nameset_entry *entry = sg_nameset_find(&infer->open, name);
    const sg_sum_follower *follower = entry == NULL ? sg_infer_follower(infer, name) : NULL;
    *number = entry != NULL      ? infer->opened[entry->value].free.expected
              : follower != NULL ? follower->expected
                                 : 1;
    return true;
}

static bool is_taken(const void *context, const char *name)
{
    return sg_infer_is_symbol(context, name) || sg_infer_is_opened(context, name);
}

void sg_infer_follow(sg_infer *infer)
{
    sg_nameset_init(&infer->rules.sums.followers, infer->arena);
    if (infer->said->follows) {
        infer->rules.sums.expected = expected_of;
        infer->rules.sums.is_taken = is_taken;
        infer->rules.sums.context = infer;
    }
}

int64_t sg_infer_expected(const sg_infer *infer, const sg_sum *size)
{
    int64_t value = 0;
    return sg_sum_value(size, expected_of, infer, &value) ? value : 1;
}

sg_fact_entry sg_infer_nameless(sg_infer *infer)
{
    return sg_fact_named(infer->arena, sg_sum_nameless(infer->arena, infer->nameless++));
}

bool sg_infer_is_symbol(const sg_infer *infer, const char *name)
{
    return sg_nameset_find(&infer->symbols, name) != NULL;
}

bool sg_infer_is_opened(const sg_infer *infer, const char *name)
{
    return sg_nameset_find(&infer->open, name) != NULL;
}
