/* Free dims: which dims of the Splits grow with them, and how.
 *
 * Inference computes with numbers, and could not go on otherwise: rules compare dims, broadcast
 * them, divide by their products, unroll loops. So it runs once with every open dim taken for the
 * number that is expected, and again with each of them taken for a few others while the rest stay;
 * then the ops are compared. A dim of a Split that is the same number each time has that number;
 * one that is `times` the open dim each time is open; everything else has to be the same, or the
 * kernel would be another one for another number, which is an error.
 *
 * This is evidence, not proof: a model could turn at a number that was not tried. The numbers are
 * chosen so that what models do shows:
 *   1        is the number that broadcasting stretches and Squeeze takes away
 *   2        is the first that neither does that to
 *   1021     is a prime, so that nothing divides it by chance: N / 2 * 2, or what Reshape leaves
 *            for -1, does not come out, and it equals no other size
 *   1000003  is a prime beyond the limits that models cut at: min(N, 4096) stays behind it */
#include <inttypes.h>
#include <string.h>

#include "base/checked.h"
#include "frontend/graph/infer.h"
#include "frontend/graph/infer_engine.h"

static const int64_t samples[] = {1, 2, 1021, 1000003};
enum { NSAMPLES = sizeof samples / sizeof samples[0] };

typedef struct symbol {
    sg_graph_free free;
    sg_span span; /* where it is said to be */
} symbol;

/* The Splits with one open dim taken for another number than expected. */
typedef struct trial {
    sg_arena *arena;
    sg_diag *diag;
    const sg_graph_options *options;
    const symbol *symbol;
    int64_t number;
    bool first;        /* of this symbol: which dims grow is not known yet */
    const char *is;    /* "N = 64" */
    const char *other; /* "N = 1" */
} trial;

/* --- what is open ----------------------------------------------------------------------------- */

/* Appends the symbol unless it is known. */
static bool add_symbol(sg_diag *diag, symbol *symbols, int64_t *count, sg_graph_free free,
                       sg_span span)
{
    int64_t i = 0;
    while (i < *count && strcmp(symbols[i].free.name, free.name) != 0) {
        ++i;
    }
    if (i == *count) {
        symbols[(*count)++] = (symbol){free, span};
        return true;
    }
    if (symbols[i].free.expected == free.expected) {
        return true;
    }
    (void)sg_diag_error(diag, span,
                        "%" PRId64 " of '%s' are expected here, but %" PRId64 " elsewhere",
                        free.expected, free.name, symbols[i].free.expected);
    sg_diag_note(diag, symbols[i].span, "the other number is here");
    return false;
}

/* Those that the model has. */
static bool collect(sg_arena *arena, sg_diag *diag, const sg_graph_options *options,
                    symbol **symbols, int64_t *count)
{
    int64_t most = options->ndefines;
    for (int64_t i = 0; i < options->nshapes; ++i) {
        most += options->shapes[i].frees != NULL ? options->shapes[i].rank : 0;
    }
    *symbols = SG_NEW_ARRAY(arena, symbol, most);
    *count = 0;
    for (int64_t i = 0; i < options->ndefines; ++i) {
        const sg_graph_define *define = &options->defines[i];
        if (define->used && define->free.name != NULL) {
            SG_TRY(add_symbol(diag, *symbols, count, define->free, define->span));
        }
    }
    for (int64_t i = 0; i < options->nshapes; ++i) {
        const sg_graph_given_shape *given = &options->shapes[i];
        for (int64_t d = 0; given->used && given->frees != NULL && d < given->rank; ++d) {
            if (given->frees[d].name != NULL) {
                SG_TRY(add_symbol(diag, *symbols, count, given->frees[d], given->span));
            }
        }
    }
    return true;
}

/* Takes the open dim for a number, everywhere. */
static void take_for(const sg_graph_options *options, const char *name, int64_t number)
{
    for (int64_t i = 0; i < options->ndefines; ++i) {
        const char *free = options->defines[i].free.name;
        if (free != NULL && strcmp(free, name) == 0) {
            options->defines[i].value = number;
        }
    }
    for (int64_t i = 0; i < options->nshapes; ++i) {
        const sg_graph_given_shape *given = &options->shapes[i];
        for (int64_t d = 0; given->frees != NULL && d < given->rank; ++d) {
            if (given->frees[d].name != NULL && strcmp(given->frees[d].name, name) == 0) {
                given->dims[d] = number;
            }
        }
    }
}

/* --- comparing -------------------------------------------------------------------------------- */

static const char *node_of(const sg_op *op)
{
    return op->origin->node[0] != '\0' ? op->origin->node : op->name.text;
}

/* Behind every error: what to do. */
static bool advise(const trial *t, const sg_op *op)
{
    const char *node = node_of(op);
    sg_diag_note(t->diag, t->symbol->span,
                 "'%s' is open; give it a number, or leave this Split out with %s",
                 t->symbol->free.name, sg_infer_advise_except(t->arena, t->options, &node, 1));
    return false;
}

/* Whether a number of the Split, `what`, is the same. */
static bool same(const trial *t, const sg_op *op, const char *what, int64_t is, int64_t other)
{
    if (is == other) {
        return true;
    }
    (void)sg_diag_error(t->diag, op->span,
                        "%s of Split '%s' is %" PRId64 " with %s, but %" PRId64 " with %s", what,
                        node_of(op), is, t->is, other, t->other);
    return advise(t, op);
}

static bool same_lengths(const trial *t, const sg_op *op, const sg_op *other)
{
    SG_TRY(same(t, op, "the number of lengths", op->lengths.count, other->lengths.count));
    for (int64_t i = 0; i < op->lengths.count; ++i) {
        if (op->lengths.items[i].value != other->lengths.items[i].value) {
            const char *what = sg_arena_printf(t->arena, "length %" PRId64, i);
            return same(t, op, what, op->lengths.items[i].value, other->lengths.items[i].value);
        }
    }
    return true;
}

/* One dim of a Split: a number, or so many times the free one. The first trial says which, as far
 * as anything but a multiple is told from one; the others hold it to that. */
static bool compare_dim(const trial *t, const sg_op *op, int64_t d, int64_t other)
{
    const sg_graph_free *free = &t->symbol->free;
    sg_op_num *dim = &op->shape.items[d];
    const int64_t is = dim->value * (dim->free != NULL ? dim->expected : 1);
    if (t->first && other != is && dim->free != NULL) {
        (void)sg_diag_error(t->diag, op->span,
                            "dimension %" PRId64 " of '%s', which Split '%s' cuts, depends on both "
                            "'%s' and '%s', but can be a multiple of one only",
                            d, op->origin->input, node_of(op), dim->free, free->name);
        return advise(t, op);
    }
    if (t->first && other != is && is % free->expected == 0) {
        dim->value = is / free->expected;
        dim->free = free->name;
        dim->expected = free->expected;
    }
    int64_t wanted = is;
    bool fits = true;
    if (dim->free != NULL && strcmp(dim->free, free->name) == 0) {
        fits = sg_mul64(dim->value, t->number, &wanted);
    }
    if (fits && other == wanted) {
        return true;
    }
    (void)sg_diag_error(t->diag, op->span,
                        "dimension %" PRId64 " of '%s', which Split '%s' cuts, is %" PRId64
                        " with %s, but %" PRId64 " with %s: neither one number nor a multiple of "
                        "'%s'",
                        d, op->origin->input, node_of(op), is, t->is, other, t->other, free->name);
    return advise(t, op);
}

static bool compare_op(const trial *t, const sg_op *op, const sg_op *other)
{
    if (strcmp(op->dtype.text, other->dtype.text) != 0) {
        (void)sg_diag_error(t->diag, op->span,
                            "the element type of Split '%s' is %s with %s, but %s with %s",
                            node_of(op), op->dtype.text, t->is, other->dtype.text, t->other);
        return advise(t, op);
    }
    SG_TRY(same(t, op, "the rank", op->shape.count, other->shape.count));
    for (int64_t d = 0; d < op->shape.count; ++d) {
        SG_TRY(compare_dim(t, op, d, other->shape.items[d].value));
    }
    return same(t, op, "the axis", op->axis.value, other->axis.value) &&
           same(t, op, "the number of equal parts", op->parts.value, other->parts.value) &&
           same_lengths(t, op, other);
}

/* Whether it is the same Split: a branch that is taken for some numbers only has others. */
static bool same_node(const sg_op *a, const sg_op *b)
{
    return strcmp(a->name.text, b->name.text) == 0 && a->span.source == b->span.source &&
           a->span.begin == b->span.begin;
}

/* The first in `ops` that is not there with the other number; NULL: all are. */
static const sg_op *missing(sg_op *const *ops, int64_t count, sg_op *const *others, int64_t nothers)
{
    for (int64_t i = 0; i < count; ++i) {
        int64_t k = i; /* where it is as a rule */
        while (k < nothers && !same_node(ops[i], others[k])) {
            ++k;
        }
        if (k >= nothers) {
            return ops[i];
        }
    }
    return NULL;
}

static bool same_nodes(const trial *t, sg_op *const *ops, int64_t count, const sg_op_array *others)
{
    const sg_op *ours = missing(ops, count, others->items, others->count);
    const sg_op *theirs = missing(others->items, others->count, ops, count);
    if (ours == NULL && theirs == NULL) {
        return true;
    }
    const sg_op *shown = ours != NULL ? ours : theirs;
    (void)sg_diag_error(t->diag, shown->span, "Split '%s' is there with %s, but not with %s",
                        node_of(shown), ours != NULL ? t->is : t->other,
                        ours != NULL ? t->other : t->is);
    return advise(t, shown);
}

static bool compare(const trial *t, sg_op *const *ops, int64_t count, const sg_op_array *others)
{
    SG_TRY(same_nodes(t, ops, count, others));
    bool ok = true;
    for (int64_t i = 0; i < count; ++i) {
        ok = compare_op(t, ops[i], others->items[i]) && ok;
    }
    return ok;
}

/* --- running ---------------------------------------------------------------------------------- */

/* What is wrong with this number only. Warnings were those of the run with the expected one. */
static void report(const trial *t, const sg_diag *found)
{
    bool is_error = false;
    for (const sg_diag_entry *e = found->first; e != NULL; e = e->next) {
        is_error = e->severity == SG_ERROR || (is_error && e->severity == SG_NOTE);
        if (e->severity == SG_ERROR) {
            (void)sg_diag_fail(t->diag, e->exit, e->span, "with %s: %s", t->other, e->message);
        } else if (is_error) {
            sg_diag_note(t->diag, e->span, "%s", e->message);
        }
    }
    sg_diag_note(t->diag, t->symbol->span,
                 "'%s' is open, so it may be any number; give it one if not all will do",
                 t->symbol->free.name);
}

static bool run(const trial *t, const sg_graph_model *model, sg_op *const *ops, int64_t count,
                int64_t *steps)
{
    sg_diag found;
    sg_diag_init(&found, t->arena);
    (void)sg_diag_set_rule(&found, t->diag->rule);
    sg_graph_options options = *t->options;
    const int64_t most = options.rule_steps > 0 ? options.rule_steps : SG_GRAPH_RULE_STEPS;
    options.chains = false;
    options.found = NULL;
    options.rule_steps = most > *steps ? most - *steps : 1;
    sg_op_array others = {0};
    int64_t taken = 0;
    take_for(&options, t->symbol->free.name, t->number);
    const bool ok = sg_infer_ops(t->arena, &found, model, &options, &others, &taken);
    take_for(&options, t->symbol->free.name, t->symbol->free.expected);
    *steps += taken;
    if (!ok) {
        report(t, &found);
        return false;
    }
    return compare(t, ops, count, &others);
}

bool sg_graph_ops(sg_arena *arena, sg_diag *diag, const sg_graph_model *model,
                  const sg_graph_options *options, sg_op_array *ops, int64_t *steps)
{
    const int64_t before = ops->count;
    int64_t taken = 0;
    symbol *symbols = NULL;
    int64_t count = 0;
    bool ok = sg_infer_ops(arena, diag, model, options, ops, &taken) &&
              collect(arena, diag, options, &symbols, &count);
    for (int64_t i = 0; ok && i < count; ++i) {
        const sg_graph_free *free = &symbols[i].free;
        trial t = {.arena = arena, .diag = diag, .options = options, .symbol = &symbols[i]};
        t.first = true;
        t.is = sg_arena_printf(arena, "%s = %" PRId64, free->name, free->expected);
        for (int s = 0; ok && s < NSAMPLES; ++s) {
            if (samples[s] != free->expected) {
                t.number = samples[s];
                t.other = sg_arena_printf(arena, "%s = %" PRId64, free->name, t.number);
                ok = run(&t, model, ops->items + before, ops->count - before, &taken);
                t.first = false;
            }
        }
    }
    if (steps != NULL) {
        *steps = taken;
    }
    return ok;
}
