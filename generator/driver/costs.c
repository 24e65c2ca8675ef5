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

/* --- text ------------------------------------------------------------------------------------- */

static void add_summary(sg_buf *out, const sg_figures *f)
{
    sg_buf_printf(out,
                  "reads %" PRId64 " bytes, writes %" PRId64 " bytes, copies %" PRId64 " times",
                  f->moved, f->moved, f->copies);
}

/* A row of the table; what is negative was not counted. */
static void add_row(sg_buf *out, const char *name, const int64_t *numbers, int count)
{
    sg_buf_printf(out, "  %-*s", NAME_WIDTH, name);
    for (int i = 0; i < count; i++) {
        if (numbers[i] < 0) {
            sg_buf_printf(out, "%*s", NUMBER_WIDTH, "-");
        } else {
            sg_buf_printf(out, "%*" PRId64, NUMBER_WIDTH, numbers[i]);
        }
    }
    sg_buf_addc(out, '\n');
}

/* The table of one kernel, or of all together, which has no rows for bodies. */
static void add_table(sg_buf *out, const sg_figures *f)
{
    sg_buf_printf(out, "  %-*s%*s", NAME_WIDTH, "body", NUMBER_WIDTH, "instructions");
    if (f->nbodies > 0) {
        sg_buf_printf(out, "%*s%*s", NUMBER_WIDTH, "functions", NUMBER_WIDTH, "constants");
    }
    sg_buf_addc(out, '\n');
    for (int64_t b = 0; b < f->nbodies; b++) {
        const sg_body_figures *body = &f->bodies[b];
        const int64_t numbers[] = {sg_figures_instructions(body), body->functions, body->constants};
        sg_buf name = {0};
        sg_buf_addz(&name, body->name);
        if (body->only != SG_UARCH_GENERIC) {
            sg_buf_printf(&name, " (%s)", sg_uarch_name(body->only));
        }
        add_row(out, name.ptr, numbers, 3);
        sg_buf_free(&name);
    }
    add_row(out, "all", &f->instructions, 1);
}

static void add_text(sg_buf *out, const sg_figures *figures, int64_t count)
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

static void add_json(sg_buf *out, const sg_figures *figures, int64_t count)
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

void sg_costs_print(sg_arena *arena, sg_buf *out, const sg_plan *const *plans, int64_t count,
                    bool is_json)
{
    sg_figures *figures = SG_NEW_ARRAY(arena, sg_figures, count);
    int64_t *codes = SG_NEW_ARRAY(arena, int64_t, count);
    sg_plan_share(plans, count, codes);
    for (int64_t i = 0; i < count; i++) {
        figures[i] = sg_figures_count(arena, plans[i], plans[codes[i]]);
    }
    (is_json ? add_json : add_text)(out, figures, count);
}
