/* Properties of resolve: an accepted op keeps every invariant of resolve.h and agrees with an
 * independent implementation of the rules; a refused op has a message with a place. */
#include <inttypes.h>
#include <string.h>

#include "base/diag.h"
#include "oracle.h"
#include "runner.h"
#include "split/names.h"
#include "split/resolve.h"

__extension__ typedef __int128 wide;

static wide bytes_of(const sg_split *s, wide elements)
{
    return s->packing == SG_PACKING_NONE ? elements * s->element_bytes : (elements + 1) / 2;
}

static bool check_parts(const sg_split *s, sg_buf *why)
{
    int64_t start = 0;
    bool wanted = false;
    for (int64_t i = 0; i < s->nparts; i++) {
        const sg_part *p = &s->parts[i];
        if (p->start != start || p->length < 0 || p->length > s->dims[s->axis] - start) {
            return property_fails(why, "part %" PRId64 " is not where the one before ends", i);
        }
        if (p->elements != (wide)s->outer.factor * p->length * s->inner.factor ||
            sg_split_bytes(s, p->elements) != bytes_of(s, p->elements)) {
            return property_fails(why, "part %" PRId64 " has the wrong size", i);
        }
        if (p->name == NULL || p->c_name == NULL || sg_name_problem(p->c_name) != NULL ||
            strcmp(p->c_name, s->data_name) == 0) {
            return property_fails(why, "part %" PRId64 " has a bad name", i);
        }
        /* all pairs of a million parts would take a day */
        for (int64_t j = i < 64 ? 0 : i - 1; j < i; j++) {
            if (strcmp(p->c_name, s->parts[j].c_name) == 0 ||
                strcmp(p->name, s->parts[j].name) == 0) {
                return property_fails(why, "parts %" PRId64 " and %" PRId64 " share a name", j, i);
            }
        }
        wanted = wanted || p->wanted;
        start += p->length;
    }
    if (!wanted || start != s->dims[s->axis]) {
        return property_fails(why, "the parts do not sum to the axis, or none is wanted");
    }
    return true;
}

static bool check_split(const sg_split *s, sg_buf *why)
{
    wide outer = 1, inner = 1, elements = 1, strides = s->element_bytes;
    if (s->rank < 1 || s->axis < 0 || s->axis >= s->rank || s->nparts < 1) {
        return property_fails(why, "rank, axis or the number of parts is out of range");
    }
    for (int i = 0; i < s->rank; i++) {
        if (s->dims[i] < 0) {
            return property_fails(why, "dimension %d is negative", i);
        }
        outer *= i < s->axis ? s->dims[i] : 1;
        inner *= i > s->axis ? s->dims[i] : 1;
        elements *= s->dims[i];
        strides *= s->dims[i] > 0 ? s->dims[i] : 1;
        if (strides > INT64_MAX) {
            return property_fails(why, "a stride is beyond int64");
        }
    }
    if (s->outer.factor != outer || s->inner.factor != inner || s->elements != elements ||
        sg_split_bytes(s, s->elements) != bytes_of(s, elements)) {
        return property_fails(why, "a product is wrong");
    }
    if (s->align < 1 || (s->align & (s->align - 1)) != 0) {
        return property_fails(why, "the alignment is no power of two");
    }
    if (sg_name_problem(s->name) != NULL || sg_name_problem(s->data_name) != NULL) {
        return property_fails(why, "the kernel or its input has a bad name");
    }
    return check_parts(s, why);
}

static bool check_verdict(const sg_split *s, const verdict *v, sg_buf *why)
{
    if (s->axis != v->axis || s->element_bytes != v->element_bytes || s->nparts != v->nparts) {
        return property_fails(why, "axis, element or number of parts differ from the oracle");
    }
    for (int64_t i = 0; i < s->nparts && i < CASE_MAX_LIST; i++) {
        if (s->parts[i].length != v->lengths[i] || s->parts[i].wanted != v->wanted[i]) {
            return property_fails(why, "part %" PRId64 " differs from the oracle", i);
        }
    }
    return true;
}

/* Checks the bytes from a tensor's first to its last, with this row stride. */
static bool check_rows(const sg_split *s, const char *what, wide stride, wide wanted, wide width,
                       int64_t bytes, sg_buf *why)
{
    const wide elements =
        s->outer.factor == 0 || width == 0 ? 0 : (s->outer.factor - 1) * wanted + width;
    if (stride != wanted || bytes != bytes_of(s, elements)) {
        return property_fails(why, "%s: stride or bytes differ from the oracle", what);
    }
    return true;
}

static bool check_strides(const sg_split *s, const split_case *c, sg_buf *why)
{
    const wide row = (wide)s->dims[s->axis] * s->inner.factor;
    if (!check_rows(s, "whole", s->row_stride, c->has_stride ? c->stride : row, row, s->bytes,
                    why)) {
        return false;
    }
    const bool listed = c->noutputs != CASE_ABSENT && !c->outputs_counted && !case_infers(c);
    for (int64_t i = 0; i < s->nparts; i++) {
        const sg_part *p = &s->parts[i];
        const wide width = (wide)p->length * s->inner.factor;
        const bool strided = listed && i < c->noutputs && c->strided[i];
        if (!check_rows(s, p->name, p->row_stride, strided ? c->strides[i] : width, width, p->bytes,
                        why)) {
            return false;
        }
    }
    return s->joins == (c->kind >= SG_OP_CONCAT) || property_fails(why, "the wrong direction");
}

/* Every entry has a place in the spec and the form of a diagnostic. */
static bool check_diagnostics(const sg_diag *diag, const sg_op *op, sg_buf *why)
{
    for (const sg_diag_entry *e = diag->first; e != NULL; e = e->next) {
        size_t len = strlen(e->message);
        if (e->span.source != op->span.source || e->span.begin >= e->span.end ||
            e->span.end > op->span.source->len) {
            return property_fails(why, "no place: %s", e->message);
        }
        if (len == 0 || strchr(e->message, '\n') != NULL || e->message[len - 1] == '.') {
            return property_fails(why, "no way to say it: %s", e->message);
        }
    }
    return true;
}

static bool check(const split_case *c, sg_arena *arena, sg_buf *why)
{
    sg_diag diag;
    sg_diag_init(&diag, arena);
    const sg_op *op = case_op(c, arena);
    const sg_split *s = sg_resolve(arena, &diag, op, &(sg_resolve_options){.prefix = ""});
    const verdict v = oracle_check(c);
    if (!check_diagnostics(&diag, op, why)) {
        return false;
    }
    if ((s == NULL) != (diag.errors > 0)) {
        return property_fails(why, "%zu errors, but %s split", diag.errors, s ? "a" : "no");
    }
    if ((s != NULL) != v.legal) {
        return property_fails(why, "%s, but the oracle says otherwise: %s",
                              s != NULL ? "accepted" : "rejected",
                              s != NULL ? "" : diag.first->message);
    }
    if (s == NULL) {
        sg_exit expected = v.too_many ? SG_EXIT_BUDGET : sg_diag_exit(&diag);
        return sg_diag_exit(&diag) == expected || property_fails(why, "the wrong exit code");
    }
    return check_split(s, why) && check_verdict(s, &v, why) && check_strides(s, c, why);
}

static bool resolve_holds(const split_case *c, uint64_t seed, sg_buf *why)
{
    (void)seed;
    sg_arena arena;
    sg_arena_init(&arena);
    bool ok = check(c, &arena, why);
    sg_arena_free(&arena);
    return ok;
}

static bool legal_holds(const split_case *c, uint64_t seed, sg_buf *why)
{
    (void)seed;
    return oracle_check(c).legal ? resolve_holds(c, seed, why)
                                 : property_fails(why, "a case made to be legal is not");
}

static void generate_legal(rng *r, split_case *c)
{
    case_generate_any(r, c);
}

static void generate_any(rng *r, split_case *c)
{
    case_generate_any(r, c);
    case_disturb(r, c);
}

int main(void)
{
    static const property properties[] = {
        {"legal ops resolve", generate_legal, legal_holds, 20000},
        {"disturbed ops resolve or say why", generate_any, resolve_holds, 40000},
    };
    return property_main(properties, 2);
}
