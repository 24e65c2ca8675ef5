/* Diagnostics as JSON, a flat format for editors and scripts. The comment of sg_diag_render_json is
 * the schema; changing the meaning of a field requires a new version. */
#include "base/diag_render.h"

#define SCHEMA_VERSION 1

/* Adds severity, message and position; the object is left open. */
static void add_entry(sg_buf *out, const sg_diag_entry *entry)
{
    sg_buf_addc(out, '{');
    sg_buf_add_member(out, "severity", sg_severity_word(entry->severity));
    sg_buf_addc(out, ',');
    sg_buf message = {0};
    sg_diag_message(entry, &message);
    sg_buf_add_member(out, "message", message.len > 0 ? message.ptr : "");
    sg_buf_free(&message);
    sg_buf_addc(out, ',');
    const sg_source *source = entry->span.source;
    static const char nowhere[] = "\"line\":null,\"column\":null,\"endLine\":null,"
                                  "\"endColumn\":null";
    if (!source) {
        sg_buf_printf(out, "\"file\":null,%s", nowhere);
        return;
    }
    if (source->binary) {
        sg_buf_add_member(out, "file", source->name);
        sg_buf_printf(out, ",%s,\"byte\":%zu,\"endByte\":%zu", nowhere, entry->span.begin,
                      entry->span.end);
        return;
    }
    size_t line;
    size_t column;
    sg_buf_add_member(out, "file", source->name);
    sg_source_locate(source, entry->span.begin, &line, &column);
    const size_t first = line;
    sg_buf_printf(out, ",\"line\":%zu,\"column\":%zu", line, column);
    sg_source_locate(source, entry->span.end, &line, &column);
    sg_buf_printf(out, ",\"endLine\":%zu,\"endColumn\":%zu,\"excerpt\":", line, column);
    const sg_str excerpt = sg_source_line(source, first);
    sg_buf_add_json(out, excerpt.ptr, excerpt.len);
}

/* Adds rule and ops, which notes do not have. */
static void add_rule(sg_buf *out, const sg_diag_entry *entry)
{
    sg_buf_addc(out, ',');
    sg_buf_add_member(out, "rule", entry->rule);
    sg_buf_addz(out, ",\"ops\":[");
    for (const sg_diag_about *about = entry->about; about != NULL; about = about->next) {
        sg_buf_addz(out, about == entry->about ? "" : ",");
        sg_buf_add_jsonz(out, about->subject->name);
    }
    sg_buf_addc(out, ']');
}

void sg_diag_render_json(const sg_diag *diag, sg_buf *out)
{
    sg_buf_printf(out, "{\"version\":%d,\"diagnostics\":[", SCHEMA_VERSION);
    const sg_diag_entry *entry = diag->first;
    while (entry) {
        sg_buf_addz(out, entry == diag->first ? "\n" : ",\n");
        add_entry(out, entry);
        add_rule(out, entry);
        sg_buf_addz(out, ",\"notes\":[");
        const char *between = "";
        for (entry = entry->next; entry && entry->rule == NULL; entry = entry->next) {
            sg_buf_addz(out, between);
            add_entry(out, entry);
            sg_buf_addc(out, '}');
            between = ",";
        }
        sg_buf_addz(out, "]}");
    }
    sg_buf_printf(out, "%s],\"hiddenErrors\":%zu,\"hiddenWarnings\":%zu}\n",
                  diag->first ? "\n" : "", diag->hidden_errors, diag->hidden_warnings);
}
