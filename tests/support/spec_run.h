/* Runs a spec given as text and compares its ops and diagnostics with what a test expects. */
#ifndef SPEC_RUN_H
#define SPEC_RUN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "frontend/lua/spec.h"

typedef struct spec_run {
    sg_arena arena;
    sg_diag diag;
    sg_op_array ops;
    sg_file_list files;
    sg_spec_options options;
    const sg_diag_entry *next; /* the next diagnostic to check */
    bool ok;
} spec_run;

static inline void run_spec_as(spec_run *run, const char *name, const char *text)
{
    sg_arena_init(&run->arena);
    sg_diag_init(&run->diag, &run->arena);
    run->ops = (sg_op_array){0};
    run->files = (sg_file_list){0};
    const sg_source *source = sg_source_new(&run->arena, name, text, strlen(text));
    run->ok = sg_spec_load(&run->arena, &run->diag, source, &run->options, &run->files, &run->ops);
    run->next = run->diag.first;
}

static inline void run_spec(spec_run *run, const char *text)
{
    run_spec_as(run, "spec.lua", text);
}

static inline void end_run(spec_run *run)
{
    if (run->next != NULL) {
        fail_msg("not expected: %s", run->next->message);
    }
    sg_arena_free(&run->arena);
}

/* "line:column-end" of a span in bytes, where end is exclusive. */
static inline void span_text(sg_span span, char *out, size_t size)
{
    size_t line;
    size_t column;
    if (span.source == NULL) {
        snprintf(out, size, "nowhere");
        return;
    }
    sg_source_locate(span.source, span.begin, &line, &column);
    snprintf(out, size, "%zu:%zu-%zu", line, column, column + (span.end - span.begin));
}

/* The next diagnostic must be at "line:column-end" with this message. */
static inline void expect_at(spec_run *run, const char *place, const char *message)
{
    char at[64];
    if (run->next == NULL) {
        fail_msg("nothing was reported, but expected: %s", message);
    }
    span_text(run->next->span, at, sizeof at);
    if (strstr(run->next->message, message) == NULL || strcmp(at, place) != 0) {
        fail_msg("expected %s: %s\n     got %s: %s", place, message, at, run->next->message);
    }
    run->next = run->next->next;
}

/* A spec with exactly this one error. */
static inline void expect_error(const char *text, const char *place, const char *message)
{
    spec_run run = {0};
    run_spec(&run, text);
    expect_at(&run, place, message);
    assert_false(run.ok);
    assert_int_equal(sg_diag_exit(&run.diag), SG_EXIT_INPUT);
    end_run(&run);
}

static inline void expect_budget(spec_run *run, const char *text, const char *place,
                                 const char *message)
{
    run_spec(run, text);
    expect_at(run, place, message);
    assert_false(run->ok);
    assert_int_equal(run->ops.count, 0);
    assert_int_equal(sg_diag_exit(&run->diag), SG_EXIT_BUDGET);
    end_run(run);
}

static inline void assert_span(sg_span span, const char *place)
{
    char at[64];
    span_text(span, at, sizeof at);
    assert_string_equal(at, place);
}

#endif
