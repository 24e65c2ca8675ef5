/* Chooses format and colour and prints diagnostics. Adds none. */
#include "base/diag_render.h"
#include "driver/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/system.h"
#include "splitgen/splitgen.h"

static bool is_set(const char *value)
{
    return value != NULL && value[0] != '\0';
}

static bool is_on(const char *value)
{
    return is_set(value) && strcmp(value, "0") != 0;
}

sg_color sg_report_color(const sg_color_setting *s)
{
    if (s->when != SG_WHEN_AUTO) {
        return s->when == SG_WHEN_ALWAYS ? SG_COLOR_ALWAYS : SG_COLOR_NEVER;
    }
    if (is_set(s->no_color)) {
        return SG_COLOR_NEVER;
    }
    if (is_on(s->force_color) || is_on(s->clicolor_force)) {
        return SG_COLOR_ALWAYS;
    }
    bool dumb = s->term != NULL && strcmp(s->term, "dumb") == 0;
    return s->terminal && !dumb ? SG_COLOR_ALWAYS : SG_COLOR_NEVER;
}

static sg_diag_format format_of(const sg_options *options)
{
    switch ((sg_format)options->values[SG_OPT_FORMAT].number) {
    case SG_FORMAT_TEXT:
        return SG_DIAG_TEXT;
    case SG_FORMAT_JSON:
        return SG_DIAG_JSON;
    case SG_FORMAT_SARIF:
        return SG_DIAG_SARIF;
    }
    return SG_DIAG_TEXT;
}

void sg_report_render(const sg_diag *diag, const sg_options *options, sg_buf *out)
{
    sg_color_setting setting = {
        .when = (sg_when)options->values[SG_OPT_COLOR].number,
        .no_color = getenv("NO_COLOR"),
        .force_color = getenv("FORCE_COLOR"),
        .clicolor_force = getenv("CLICOLOR_FORCE"),
        .term = getenv("TERM"),
        .terminal = sg_system_is_terminal(SG_STANDARD_ERROR),
    };
    sg_diag_render(diag, format_of(options), sg_report_color(&setting), SPLITGEN_VERSION, out);
}

void sg_report_print(const sg_diag *diag, const sg_options *options)
{
    if (format_of(options) == SG_DIAG_TEXT && diag->first == NULL) {
        return;
    }
    sg_buf text = {0};
    sg_report_render(diag, options, &text);
    fwrite(text.ptr, 1, text.len, stderr);
    fflush(stderr);
    sg_buf_free(&text);
}
