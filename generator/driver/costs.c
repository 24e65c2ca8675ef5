/* Prints the numbers counted by plan/report/figures.c. */
#include "driver/costs.h"

#include <inttypes.h>

#include "plan/choose/share.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"
#include "plan/report/figures.h"

#define SCHEMA_VERSION 2

/* Columns of the table. */
#define NAME_WIDTH   22
#define NUMBER_WIDTH 12

sg_figures *sg_costs_count(sg_arena *arena, const sg_plan *const *plans, int64_t count)
{
    sg_figures *figures = SG_NEW_ARRAY(arena, sg_figures, count);
    int64_t *codes = SG_NEW_ARRAY(arena, int64_t, count);
    sg_plan_share(plans, count, codes);
    for (int64_t i = 0; i < count; i++) {
        const sg_plan *code = plans[codes[i]];
        figures[i] = sg_figures_count(arena, plans[i], code);
    }
    return figures;
}

/* --- text ------------------------------------------------------------------------------------- */

static void add_summary(sg_buf *out, const sg_figures *f)
{
    sg_buf_printf(out,
                  "reads %" PRId64 " bytes, writes %" PRId64 " bytes, copies %" PRId64 " times",
                  f->moved, f->moved, f->copies);
}

static void add_cell(sg_buf *out, const char *text)
{
    sg_buf_printf(out, "%*s", NUMBER_WIDTH, text);
}

static void add_number(sg_buf *out, int64_t number)
{
    sg_buf_printf(out, "%*" PRId64, NUMBER_WIDTH, number);
}

static void begin_row(sg_buf *out, const char *name)
{
    sg_buf_printf(out, "  %-*s", NAME_WIDTH, name);
}

static void add_bodies(sg_buf *out, const sg_figures *f)
{
    for (int64_t b = 0; b < f->nbodies; b++) {
        const sg_body_figures *body = &f->bodies[b];
        sg_buf name = {0};
        sg_buf_addz(&name, body->name);
        if (body->only != SG_UARCH_GENERIC) {
            sg_buf_printf(&name, " (%s)", sg_uarch_name(body->only));
        }
        begin_row(out, name.ptr);
        add_number(out, sg_figures_instructions(body));
        if (body->functions == SG_FUNCTIONS_UNCOUNTED) {
            add_cell(out, "-");
        } else {
            add_number(out, body->functions);
        }
        add_number(out, body->constants);
        sg_buf_addc(out, '\n');
        sg_buf_free(&name);
    }
}

/* The table of one kernel, or of all together, which has no rows for bodies. */
static void add_table(sg_buf *out, const sg_figures *f)
{
    begin_row(out, "body");
    add_cell(out, "instructions");
    if (f->nbodies > 0) {
        add_cell(out, "functions");
        add_cell(out, "constants");
    }
    sg_buf_addc(out, '\n');
    add_bodies(out, f);
    begin_row(out, "all");
    add_number(out, f->instructions);
    sg_buf_addc(out, '\n');
}

void sg_costs_text(sg_buf *out, const sg_figures *figures, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        const sg_figures *f = &figures[i];
        sg_buf_printf(out, "%s: ", f->name);
        add_summary(out, f);
        if (f->code_of != NULL) {
            sg_buf_printf(out, ", by the code of %s", f->code_of);
        }
        sg_buf_addc(out, '\n');
        add_table(out, f);
    }
    if (count > 1) {
        const sg_figures total = sg_figures_total(figures, count);
        sg_buf_printf(out, "total of %" PRId64 " kernels: ", count);
        add_summary(out, &total);
        sg_buf_addc(out, '\n');
        add_table(out, &total);
    }
}

/* --- JSON ------------------------------------------------------------------------------------- */

static void add_body_json(sg_buf *out, const sg_body_figures *body)
{
    sg_buf_addz(out, "\n  {");
    sg_buf_add_member(out, "name", body->name);
    sg_buf_addc(out, ',');
    sg_buf_add_member(out, "only",
                      body->only != SG_UARCH_GENERIC ? sg_uarch_name(body->only) : NULL);
    sg_buf_addz(out, ",\"instructions\":");
    for (int kind = 0; kind < SG_INSN_KINDS; kind++) {
        sg_buf_printf(out, "%c\"%s\":%" PRId64, kind == 0 ? '{' : ',',
                      sg_insn_kind_name((sg_insn_kind)kind), body->insns[kind]);
    }
    sg_buf_addz(out, "},\"functions\":");
    if (body->functions == SG_FUNCTIONS_UNCOUNTED) {
        sg_buf_addz(out, "null");
    } else {
        sg_buf_printf(out, "%" PRId64, body->functions);
    }
    sg_buf_printf(out, ",\"constants\":%" PRId64 "}", body->constants);
}

static void add_numbers(sg_buf *out, const sg_figures *f)
{
    sg_buf_printf(out,
                  "\"read\":%" PRId64 ",\"written\":%" PRId64 ",\"copies\":%" PRId64
                  ",\"instructions\":%" PRId64,
                  f->moved, f->moved, f->copies, f->instructions);
}

static void add_kernel(sg_buf *out, const sg_figures *f)
{
    sg_buf_addc(out, '{');
    sg_buf_add_member(out, "name", f->name);
    sg_buf_addc(out, ',');
    sg_buf_add_member(out, "code_of", f->code_of);
    sg_buf_addc(out, ',');
    add_numbers(out, f);
    sg_buf_addz(out, ",\"bodies\":[");
    for (int64_t b = 0; b < f->nbodies; b++) {
        sg_buf_addz(out, b == 0 ? "" : ",");
        add_body_json(out, &f->bodies[b]);
    }
    sg_buf_addz(out, "]}");
}

void sg_costs_json(sg_buf *out, const sg_figures *figures, int64_t count)
{
    const sg_figures total = sg_figures_total(figures, count);
    sg_buf_printf(out, "{\"schema\":%d,\"kernels\":[", SCHEMA_VERSION);
    for (int64_t i = 0; i < count; i++) {
        sg_buf_addz(out, i == 0 ? "\n" : ",\n");
        add_kernel(out, &figures[i]);
    }
    sg_buf_addz(out, "],\n\"total\":{");
    add_numbers(out, &total);
    sg_buf_addz(out, "}}\n");
}
