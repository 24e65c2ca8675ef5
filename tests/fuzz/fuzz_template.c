/* Fuzzes templates: any bytes as the user's kernel.c.tmpl, rendered over one small kernel on a
 * small budget. */
#include "fuzz_pipeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emit/emit.h"
#include "frontend/notation/notation.h"
#include "plan/plan.h"
#include "require.h"
#include "split/resolve.h"

#define TEMPLATE "kernel.c.tmpl"
#define OP       "a: f32[4,6] @1 -> x:2 4"

static const sg_unit_text texts[] = {
#define UNIT_OPTION(field, ...) {#field, ""},
#include "driver/options.inc"
};

static char folder[] = "/tmp/splitgen_fuzz_template_XXXXXX";
static char path[sizeof folder + sizeof TEMPLATE];

static void remove_template(void)
{
    (void)remove(path);
    (void)remove(folder);
}

/* The folder with the template, kept for all inputs of a run. */
static const char *write_template(const uint8_t *data, size_t size)
{
    if (path[0] == '\0') {
        REQUIRE(mkdtemp(folder) != NULL && atexit(remove_template) == 0);
        snprintf(path, sizeof path, "%s/" TEMPLATE, folder);
    }
    FILE *file = fopen(path, "wb");
    REQUIRE(file != NULL && fwrite(data, 1, size, file) == size && fclose(file) == 0);
    return folder;
}

static const sg_plan *plan(sg_arena *arena, sg_diag *diag)
{
    const sg_resolve_options resolve_options = {.prefix = ""};
    const sg_plan_options plan_options = {.unroll = SG_UNROLL_AUTO};
    const sg_source *source = sg_source_new(arena, "<command line>", OP, strlen(OP));
    sg_op_array ops = {0};
    REQUIRE(sg_notation_parse(arena, diag, source, 0, strlen(OP), "split", &ops));
    sg_split *split = sg_resolve(arena, diag, ops.items[0], &resolve_options);
    REQUIRE(split != NULL && sg_resolve_names(diag, &split, 1));
    const sg_plan *made = sg_plan_build(arena, diag, split, &plan_options);
    REQUIRE(made != NULL);
    return made;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    sg_arena arena;
    sg_diag diag;
    sg_buf out = {0};
    sg_arena_init(&arena);
    sg_diag_init(&diag, &arena);
    const sg_plan *plans[] = {plan(&arena, &diag)};
    const sg_unit unit = {.plans = plans,
                          .count = 1,
                          .stem = "kernels",
                          .prefix = "",
                          .version = "0.0.0",
                          .header = "kernels.h",
                          .texts = texts,
                          .ntexts = sizeof texts / sizeof texts[0]};
    const sg_emit_options options = {.template_dir = write_template(data, size)};
    const bool done = sg_emit(&arena, &diag, &options, TEMPLATE, &unit, &out);
    REQUIRE(done || out.len == 0);
    sg_buf_free(&out);
    /* Checks the diagnostics and their renderings; there are no ops. */
    const sg_op_array none = {0};
    fuzz_pipeline(&arena, &diag, done, &none);
    sg_arena_free(&arena);
    return 0;
}
