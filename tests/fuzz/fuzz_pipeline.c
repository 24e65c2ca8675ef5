/* The common end of the fuzzers. Emits no C. */
#include "fuzz_pipeline.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/checked.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"
#include "plan/report/dump.h"
#include "plan/verify/verify.h"
#include "require.h"
#include "base/diag_render.h"
#include "split/resolve.h"

/* Larger kernels are resolved but not planned: a fuzzer needs many inputs, not long ones. */
#define MAX_PLANNED_PARTS 2000
#define MAX_OPS           64
#define ALL_ISAS          ((UINT32_C(1) << SG_ISA_COUNT) - 1)

static void check_diagnostics(const sg_diag *diag)
{
    for (const sg_diag_entry *entry = diag->first; entry; entry = entry->next) {
        REQUIRE(entry->message[0] != '\0');
        REQUIRE(entry->exit != SG_EXIT_BUG);
        REQUIRE(entry->severity == SG_NOTE || entry->span.source != NULL);
        if (entry->span.source) {
            REQUIRE(entry->span.begin <= entry->span.end);
            REQUIRE(entry->span.end <= entry->span.source->len);
        }
    }
    REQUIRE((diag->errors > 0) == (sg_diag_exit(diag) != SG_EXIT_OK));
}

static void check_renderings(const sg_diag *diag)
{
    sg_buf out = {0};
    sg_diag_render_text(diag, SG_COLOR_NEVER, &out);
    for (size_t i = 0; i < out.len; i++) {
        unsigned char c = (unsigned char)out.ptr[i];
        REQUIRE((c >= 0x20 && c != 0x7F) || c == '\n' || c == '\t');
    }
    sg_diag_render_json(diag, &out);
    sg_buf_free(&out);
}

/* The invariants at the top of split/resolve.h. */
static void check_split(const sg_split *split)
{
    REQUIRE(split->name && split->name[0]);
    REQUIRE(split->rank >= 1 && split->rank <= SG_MAX_RANK);
    REQUIRE(split->axis >= 0 && split->axis < split->rank);
    REQUIRE(split->nparts >= 1 && split->nparts <= SG_MAX_PARTS);
    int64_t elements = 1;
    for (int i = 0; i < split->rank; i++) {
        REQUIRE(split->dims[i] >= 0);
        REQUIRE(sg_mul64(elements, split->dims[i], &elements));
    }
    REQUIRE(elements == split->elements);
    int64_t start = 0;
    int64_t sum = 0;
    int64_t wanted = 0;
    for (int64_t i = 0; i < split->nparts; i++) {
        const sg_part *part = &split->parts[i];
        REQUIRE(part->start == start);
        REQUIRE(part->length >= 0);
        REQUIRE(sg_add64(start, part->length, &start));
        REQUIRE(sg_add64(sum, part->elements, &sum));
        REQUIRE(!part->wanted || (part->c_name && sg_is_ident_start(part->c_name[0])));
        wanted += part->wanted;
    }
    REQUIRE(start == split->dims[split->axis]);
    REQUIRE(sum == split->elements);
    REQUIRE(wanted > 0);
}

static void plan_and_prove(sg_arena *arena, sg_diag *diag, const sg_split *split, sg_unroll unroll,
                           uint32_t isas)
{
    sg_plan_options options = {.unroll = unroll, .isas = isas};
    size_t errors = diag->errors;
    sg_plan *plan = sg_plan_build(arena, diag, split, &options);
    REQUIRE((plan == NULL) == (diag->errors > errors));
    if (!plan) {
        REQUIRE(sg_diag_exit(diag) == SG_EXIT_BUDGET);
        return;
    }
    const char *wrong = sg_verify(arena, plan);
    if (wrong) {
        fprintf(stderr, "%s\n", wrong);
    }
    REQUIRE(!wrong);
    sg_buf out = {0};
    sg_dump_split(&out, split);
    sg_dump_layout(&out, plan);
    sg_dump_plan(&out, plan);
    sg_dump_program(&out, plan);
    sg_buf_free(&out);
}

static void resolve_and_plan(sg_arena *arena, sg_diag *diag, const sg_op_array *ops)
{
    const sg_resolve_options options = {.prefix = ""};
    sg_split **splits = SG_NEW_ARRAY(arena, sg_split *, ops->count);
    int64_t count = 0;
    for (int64_t i = 0; i < ops->count && i < MAX_OPS; i++) {
        size_t errors = diag->errors;
        sg_split *split = sg_resolve(arena, diag, ops->items[i], &options);
        REQUIRE((split == NULL) == (diag->errors > errors));
        if (split) {
            check_split(split);
            splits[count++] = split;
        }
        sg_buf out = {0};
        sg_dump_op(&out, ops->items[i]);
        sg_buf_free(&out);
    }
    size_t errors = diag->errors;
    bool unique = sg_resolve_names(diag, splits, count);
    REQUIRE(unique == (diag->errors == errors));
    if (diag->errors > 0) {
        return;
    }
    for (int64_t i = 0; i < count; i++) {
        if (splits[i]->nparts <= MAX_PLANNED_PARTS) {
            plan_and_prove(arena, diag, splits[i], SG_UNROLL_AUTO, ALL_ISAS);
            plan_and_prove(arena, diag, splits[i], SG_UNROLL_NONE, 0);
        }
    }
}

void fuzz_pipeline(sg_arena *arena, sg_diag *diag, bool loaded, const sg_op_array *ops)
{
    REQUIRE(loaded == (diag->errors == 0));
    if (loaded) {
        resolve_and_plan(arena, diag, ops);
    }
    check_diagnostics(diag);
    check_renderings(diag);
}
